//! Where a history plays: alphabet, parameters, and one setup with a known secret for both sides.
//!
//! Restrictions of the input space, and why no bug is lost:
//! - **Twelve keys** of at most three bytes. All that code does with keys is to compare them, hash
//!   them and measure them; the alphabet has prefixes of one another, the bytes 0, 127, 128 and
//!   255, and keys at the maximum of lengths. Few keys make neighbours, gaps and moves collide in
//!   nearly every block.
//! - **N at most 8, W at most 4.** Both enter through division, remainder and comparison only;
//!   sizes up to 13 slots pass every boundary jN - 1, jN, jN + 1 for N = 1, 2, 4, and W + 1
//!   versions fit into every history.
//! - **One secret for each scheme.** The specification is about exponents; no formula has a special
//!   case for the secret but that it is no root of unity.

use std::sync::{Arc, OnceLock};

use aardvark_algebra::hash::tagged_hash;
use aardvark_algebra::{Scalar, hash_to_scalar};
use aardvark_commitment::{Scheme, SchemeKind, VectorCommitment, insecure};
use aardvark_dictionary::{Genesis, Identity, Key, Limits, Parameters, Value};
use aardvark_spec::commitment::kzg::kzg_setup;
use aardvark_spec::commitment::libert_yung::libert_yung_setup;
use aardvark_spec::commitment::scheme::Setup;

use crate::convert::scalar_to_spec;
use crate::plan::{HistoryPlan, LimitsPlan, SchemePlan, ValuePlan};

/// The keys of histories, ascending.
pub const ALPHABET: [&[u8]; 12] =
    [b"\0", b"\0\0", b"\0\x01", b"a", b"a\0", b"ab", b"ac\xff", b"b", b"\x7f", b"\x80", b"\xff", b"\xff\xff\xff"];

/// Most bytes of a key.
pub const LONGEST_KEY: u16 = 3;
/// Most bytes of a value, unless values are short.
pub const LONGEST_VALUE: u16 = 16;
/// Most bytes of a value, when values are short.
pub const SHORT_VALUE: u16 = 4;

/// A setup for both sides.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The implementation's scheme.
    pub scheme: Arc<Scheme>,
    /// The specification's.
    pub setup: Arc<Setup>,
    /// The dictionary's parameters.
    pub parameters: Parameters,
    /// The dictionary's name, salt and binding.
    pub identity: Identity,
}

impl Setting {
    /// The setting of a plan.
    pub fn of_plan(plan: &HistoryPlan) -> Self {
        let kind = match plan.scheme {
            SchemePlan::Kzg => SchemeKind::Kzg,
            SchemePlan::LibertYung => SchemeKind::LibertYung,
        };
        let vector_size = 1 << plan.log_vector_size.min(3);
        let max_value_length = if plan.short_values { SHORT_VALUE } else { LONGEST_VALUE };
        let mut setting = Self::new(kind, vector_size, plan.window.min(4).into());
        setting.parameters.max_value_length = max_value_length;
        setting.parameters.limits = limits(plan.limits, &setting.parameters);
        setting.identity = identity(plan);
        setting
    }

    /// A setting with roomy limits.
    pub fn new(kind: SchemeKind, vector_size: u32, window: u32) -> Self {
        let (scheme, setup) = schemes(kind, vector_size);
        let parameters = Parameters {
            scheme: kind,
            vector_size,
            window,
            max_key_length: LONGEST_KEY,
            max_value_length: LONGEST_VALUE,
            limits: Limits::default(),
        };
        let identity = Identity::new("history", [9; 32]).expect("a name");
        Self { scheme, setup, parameters, identity }
    }

    /// The genesis of the entries that a plan lists.
    pub fn genesis(&self, entries: &[(u8, ValuePlan)]) -> Genesis {
        let mut sorted = std::collections::BTreeMap::new();
        for (key, value) in entries {
            sorted.entry(key_of(*key)).or_insert_with(|| value_of(*value, &self.parameters));
        }
        self.genesis_of(sorted.into_iter().collect())
    }

    /// The genesis of these entries.
    pub fn genesis_of(&self, entries: Vec<(Key, Value)>) -> Genesis {
        Genesis::new(self.identity.clone(), self.parameters.clone(), self.scheme.setup_digest(), entries)
            .expect("entries within the maxima")
    }
}

/// An identity of the plan's own: a name of 1 to 255 bytes and a binding of up to 99.
fn identity(plan: &HistoryPlan) -> Identity {
    let salt = tagged_hash("DIFFERENTIAL-IDENTITY", format!("{plan:?}").as_bytes());
    let [a, b, ..] = salt.map(usize::from);
    Identity::new("n".repeat(1 + a % 255), salt).expect("a name").with_binding(vec![salt[2]; b % 100])
}

/// A key of the alphabet.
pub fn key_of(number: u8) -> Key {
    Key::from(ALPHABET[usize::from(number) % ALPHABET.len()])
}

/// The bytes of a value, cut to the dictionary's maximum.
pub fn value_of(plan: ValuePlan, parameters: &Parameters) -> Value {
    let longest = usize::from(parameters.max_value_length);
    let mut bytes = match plan {
        ValuePlan::Empty => Vec::new(),
        ValuePlan::Byte(byte) => vec![byte],
        ValuePlan::Number(number) => u64::from(number).to_be_bytes().to_vec(),
        ValuePlan::LargestNumber => vec![0xff; 8],
        ValuePlan::Longest(byte) => vec![byte; longest],
    };
    bytes.truncate(longest);
    Value::from(bytes)
}

/// The secret that all test setups share.
pub fn secret() -> Scalar {
    hash_to_scalar(b"the secret that both sides know", b"DIFFERENTIAL-TESTS-SECRET")
}

fn limits(plan: LimitsPlan, parameters: &Parameters) -> Limits {
    let slot = 2 * u32::from(parameters.max_key_length) + u32::from(parameters.max_value_length);
    match plan {
        LimitsPlan::Roomy => Limits::default(),
        LimitsPlan::FewItems => Limits {
            transaction_operations: 4,
            transaction_claims: 5,
            block_transactions: 3,
            block_operations: 7,
            block_claims: 8,
            ..Limits::default()
        },
        LimitsPlan::FewBytes => {
            let transaction_bytes = 2048 + 2 * (66 + slot);
            let transaction_operations = 128;
            let widest_tail = u32::next_multiple_of(transaction_operations, parameters.vector_size);
            let block_bytes = 21 + transaction_bytes + widest_tail * (6 + slot);
            Limits { transaction_operations, transaction_bytes, block_bytes, ..Limits::default() }
        }
    }
}

type Schemes = (Arc<Scheme>, Arc<Setup>);

/// Both sides' setups, made once for each scheme and N up to 8.
fn schemes(kind: SchemeKind, vector_size: u32) -> Schemes {
    static MADE: OnceLock<Vec<(SchemeKind, u32, Schemes)>> = OnceLock::new();
    let made = MADE.get_or_init(|| {
        let sizes = [1, 2, 4, 8];
        let pairs = SchemeKind::ALL.into_iter().flat_map(|kind| sizes.map(|size| (kind, size)));
        pairs.map(|(kind, size)| (kind, size, make(kind, size))).collect()
    });
    let found = made.iter().find(|(made_kind, size, _)| (*made_kind, *size) == (kind, vector_size));
    found.map_or_else(|| make(kind, vector_size), |(_, _, schemes)| schemes.clone())
}

fn make(kind: SchemeKind, vector_size: u32) -> Schemes {
    let size = usize::try_from(vector_size).expect("32 bits fit");
    let secret_in_spec = scalar_to_spec(&secret());
    match kind {
        SchemeKind::Kzg => {
            let kzg = insecure::kzg_with_known_tau(size, secret()).expect("a legal size and secret");
            (Arc::new(kzg.into()), Arc::new(Setup::Kzg(kzg_setup(size, secret_in_spec))))
        }
        SchemeKind::LibertYung => {
            let libert_yung = insecure::libert_yung_with_known_alpha(size, secret()).expect("a legal size and secret");
            (Arc::new(libert_yung.into()), Arc::new(Setup::LibertYung(libert_yung_setup(size, secret_in_spec))))
        }
    }
}
