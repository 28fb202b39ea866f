//! Identities of dictionaries and transactions.

use aardvark_commitment::SchemeKind;
use aardvark_dictionary::{
    Claim, ContentHasher, DictionaryId, Genesis, Identity, Key, Limits, Operation, Parameters, Slot, Transaction, Value,
};
use aardvark_spec::block::transaction::id_of_transaction;
use aardvark_spec::convert::byte_vec;
use aardvark_spec::dictionary::genesis::{content_digest, encode_parameters, id_of_dictionary};
use serde::{Deserialize, Serialize};

use super::file::{File, Hex};
use super::flags::Flag;
use crate::compare::{Mismatch, same};
use crate::convert::{bytes_to_spec, genesis_to_spec, parameters_to_spec, transaction_to_spec};
use crate::points::Points;

/// Parameters as numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ParametersJson {
    /// `kzg` or `libert-yung`.
    pub scheme: String,
    /// N.
    pub vector_size: u32,
    /// W.
    pub window: u32,
    /// Most bytes of a key.
    pub max_key_length: u16,
    /// Most bytes of a value.
    pub max_value_length: u16,
    /// The limits, in the order of the format.
    pub limits: [u32; 7],
}

impl From<&Parameters> for ParametersJson {
    fn from(parameters: &Parameters) -> Self {
        Self {
            scheme: parameters.scheme.name().to_owned(),
            vector_size: parameters.vector_size,
            window: parameters.window,
            max_key_length: parameters.max_key_length,
            max_value_length: parameters.max_value_length,
            limits: parameters.limits.in_order(),
        }
    }
}

impl ParametersJson {
    /// The parameters.
    pub fn parameters(&self) -> Parameters {
        Parameters {
            scheme: self.scheme.parse().expect("a scheme's name"),
            vector_size: self.vector_size,
            window: self.window,
            max_key_length: self.max_key_length,
            max_value_length: self.max_value_length,
            limits: Limits::from_order(self.limits),
        }
    }
}

/// Name, salt and binding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IdentityJson {
    /// The name, in UTF-8.
    pub name: Hex,
    /// The salt.
    pub salt: Hex,
    /// What the id binds besides.
    pub binding: Hex,
}

impl From<&Identity> for IdentityJson {
    fn from(identity: &Identity) -> Self {
        Self {
            name: identity.name().as_bytes().to_vec().into(),
            salt: identity.salt().into(),
            binding: identity.binding().to_vec().into(),
        }
    }
}

impl IdentityJson {
    /// The identity.
    pub fn identity(&self) -> Identity {
        let name = String::from_utf8(self.name.0.clone()).expect("a name in UTF-8");
        let salt = self.salt.array().expect("32 bytes");
        Identity::new(name, salt).expect("a name").with_binding(self.binding.0.clone())
    }
}

/// A key and its value.
pub type EntryJson = (Hex, Hex);

/// Keys and values from JSON.
pub fn entries(list: &[EntryJson]) -> Vec<(Key, Value)> {
    list.iter().map(|(key, value)| (key.0.clone().into(), value.0.clone().into())).collect()
}

/// A genesis and the id that it gives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DictionaryCase {
    /// Name, salt and binding.
    pub identity: IdentityJson,
    /// The parameters.
    pub parameters: ParametersJson,
    /// The digest of the setup.
    pub setup_digest: Hex,
    /// The first keys and values, ascending.
    pub entries: Vec<EntryJson>,
    /// The parameters as the id binds them.
    pub parameters_bytes: Hex,
    /// The digest of the entries.
    pub content_digest: Hex,
    /// The id.
    pub dictionary_id: Hex,
}

/// Dictionary ids: each test differs from the first in one thing.
///
/// # Errors
/// Where specification and implementation differ.
pub fn dictionaries() -> Result<File<DictionaryCase>, Mismatch> {
    let base = Parameters::default();
    let entry = |key: &str, value: &str| (Key::from(key), Value::from(value));
    let named = |name: &str, salt: [u8; 32], binding: &[u8]| {
        let identity = Identity::new(name, salt).expect("a name").with_binding(binding.to_vec());
        dictionary_case(&Genesis::new(identity, base.clone(), [7; 32], vec![]).expect("a legal genesis"))
    };
    let of = |parameters: Parameters, digest: u8, entries: Vec<(Key, Value)>| {
        let identity = Identity::new("test", [5; 32]).expect("a name");
        dictionary_case(&Genesis::new(identity, parameters, [digest; 32], entries).expect("a legal genesis"))
    };
    let mut tests: Vec<(String, Vec<Flag>, DictionaryCase)> =
        vec![("the default parameters, no entries".into(), vec![], of(base.clone(), 7, vec![])?)];
    let mut with =
        |comment: &str, case: DictionaryCase| tests.push((comment.to_owned(), vec![Flag::DictionaryBinding], case));
    with("another scheme", of(Parameters { scheme: SchemeKind::LibertYung, ..base.clone() }, 7, vec![])?);
    with("another vector size", of(Parameters { vector_size: 512, ..base.clone() }, 7, vec![])?);
    with("another window", of(Parameters { window: 11, ..base.clone() }, 7, vec![])?);
    with("no window", of(Parameters { window: 0, ..base.clone() }, 7, vec![])?);
    with("shorter keys", of(Parameters { max_key_length: 254, ..base.clone() }, 7, vec![])?);
    with("shorter values", of(Parameters { max_value_length: 1023, ..base.clone() }, 7, vec![])?);
    for index in 0..7 {
        let mut order = base.limits.in_order();
        order[index] += 1;
        let limits = Limits::from_order(order);
        with(&format!("limit {index} larger by 1"), of(Parameters { limits, ..base.clone() }, 7, vec![])?);
    }
    with("another setup", of(base.clone(), 8, vec![])?);
    with("one entry", of(base.clone(), 7, vec![entry("ab", "c")])?);
    with("one entry, key and value cut elsewhere", of(base.clone(), 7, vec![entry("a", "bc")])?);
    with("two entries", of(base.clone(), 7, vec![entry("a", ""), entry("b", "1")])?);
    with("another name", named("toast", [5; 32], &[])?);
    with("a shorter name, its last byte in the salt", {
        let mut salt = [5; 32];
        salt[0] = b't';
        named("tes", salt, &[])?
    });
    with("the longest name", named(&"n".repeat(255), [5; 32], &[])?);
    with("a name beyond ASCII", named("Größe", [5; 32], &[])?);
    with("another salt", named("test", [6; 32], &[])?);
    with("a binding", named("test", [5; 32], &[0])?);
    with("a chain's binding", named("test", [5; 32], &[[1, 4].as_slice(), b"test", &[1, 1]].concat())?);
    let borrowed = tests.iter().map(|(comment, flags, case)| (comment.as_str(), flags.as_slice(), case.clone()));
    Ok(File::new("dictionaries", "The id of a dictionary binds all that makes it the one it is.", borrowed.collect()))
}

fn dictionary_case(genesis: &Genesis) -> Result<DictionaryCase, Mismatch> {
    let id = byte_vec(&id_of_dictionary(&genesis_to_spec(genesis)));
    same("dictionary id", id.clone(), genesis.dictionary_id().0.to_vec())?;
    let bytes = byte_vec(&encode_parameters(&parameters_to_spec(genesis.parameters())));
    let digest = byte_vec(&content_digest(&genesis_to_spec(genesis).genesis_entries));
    let mut hasher = ContentHasher::new(genesis.entries().len() as u64);
    genesis.entries().iter().for_each(|(key, value)| hasher.add(key, value));
    same("digest of the content", Some(digest.clone()), hasher.finish().map(|digest| digest.to_vec()))?;
    same("bytes of the parameters", bytes.clone(), genesis.parameters().to_bytes().to_vec())?;
    Ok(DictionaryCase {
        identity: genesis.identity().into(),
        parameters: genesis.parameters().into(),
        setup_digest: genesis.setup_digest().into(),
        entries: genesis.entries().iter().map(|(key, value)| (key.into(), value.into())).collect(),
        parameters_bytes: bytes.into(),
        content_digest: digest.into(),
        dictionary_id: id.into(),
    })
}

/// A transaction's bytes, and its id under a dictionary.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TransactionCase {
    /// The dictionary.
    pub dictionary_id: Hex,
    /// The transaction, encoded.
    pub bytes: Hex,
    /// Its id.
    pub transaction_id: Hex,
}

/// Transaction ids.
///
/// # Errors
/// Where specification and implementation differ.
pub fn transactions() -> Result<File<TransactionCase>, Mismatch> {
    let claim =
        Claim { position: 3, slot: Slot { key: "a".into(), value: "1".into(), next: "c".into() }, opening: [0x11; 48] };
    let all = Transaction {
        first_valid: 8,
        last_valid: 17,
        nonce: *b"sixteen bytes :)",
        operations: vec![
            Operation::Require("a".into(), None),
            Operation::Require("b".into(), Some("v".into())),
            Operation::Put("c".into(), "w".into()),
            Operation::Delete("d".into()),
            Operation::Add("e".into(), 5),
            Operation::Sub("f".into(), u64::MAX),
        ],
        claims: vec![claim.clone()],
    };
    let id = |byte: u8, transaction: &Transaction| transaction_case(&DictionaryId([byte; 32]), transaction);
    let changed = |change: &dyn Fn(&mut Transaction)| {
        let mut transaction = all.clone();
        change(&mut transaction);
        id(1, &transaction)
    };
    let malleable: &[Flag] = &[Flag::MalleableIdentity];
    let tests: Vec<(&str, &[Flag], TransactionCase)> = vec![
        ("one operation of each kind", &[], id(1, &all)?),
        ("without its claims: the same id", malleable, changed(&|t| t.claims.clear())?),
        ("with another opening: the same id", malleable, changed(&|t| t.claims[0].opening = [0x22; 48])?),
        (
            "with a claim more: the same id",
            malleable,
            changed(&|t| t.claims.push(Claim { position: 4, ..claim.clone() }))?,
        ),
        ("under another dictionary: another id", &[Flag::DictionaryBinding], id(2, &all)?),
        ("another nonce: another id", &[], changed(&|t| t.nonce[15] ^= 1)?),
        ("another first_valid: another id", &[], changed(&|t| t.first_valid = 9)?),
        ("another last_valid: another id", &[], changed(&|t| t.last_valid = 16)?),
        ("operations in another order: another id", &[], changed(&|t| t.operations.reverse())?),
        ("an operation less: another id", &[], changed(&|t| t.operations.truncate(5))?),
        (
            "the longest key and value",
            &[],
            changed(&|t| t.operations = vec![Operation::Put(vec![0xff; 255].into(), vec![1; 1024].into())])?,
        ),
        ("an interval to the end of numbers", &[], changed(&|t| (t.first_valid, t.last_valid) = (u64::MAX, u64::MAX))?),
    ];
    Ok(File::new(
        "transactions",
        "The id of a transaction is over what it does, and under which dictionary; never over its claims.",
        tests,
    ))
}

fn transaction_case(dictionary: &DictionaryId, transaction: &Transaction) -> Result<TransactionCase, Mismatch> {
    let specified = transaction_to_spec(transaction, &Points::default());
    let id = byte_vec(&id_of_transaction(&bytes_to_spec(&dictionary.0), &specified));
    same("transaction id", id.clone(), transaction.id(dictionary).0.to_vec())?;
    Ok(TransactionCase {
        dictionary_id: dictionary.0.into(),
        bytes: transaction.encode().into(),
        transaction_id: id.into(),
    })
}
