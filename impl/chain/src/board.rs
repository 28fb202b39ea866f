//! The policy `board`: posts of mixnets' ceremonies, and nothing else
//! (`aardvark_spec::policy::board`). Genesis names organisers.
//!
//! A transaction is one post or several, one after the other:
//!
//! | post | operations |
//! |---|---|
//! | of the organiser: terms, close, absence, admission | for each gate `Require`(gate, absent); `Put`(key, value) |
//! | any other | `Require`(admission, its value); for each gate `Require`(gate, absent); `Put`(key, value) |
//!
//! Anybody can make a key, so what may be written is bounded by whom organisers admit: an author's
//! posts require, in the same transaction, that the organiser's [`Kind::Admission`] of this author
//! is there. Its key follows from the post's ([`PostKey::admission`]): a sender is admitted to one
//! input, server k to the posts with the number k, a querier to queries and openings. That value is
//! itself signed by the organiser, whom genesis names, so a stranger is refused before an opening
//! is looked at.
//!
//! A transaction has no signers: posts and admissions are signed already, over dictionary, key and
//! body ([`PostValue::is_signed`]), so anybody may relay a post and nobody can change it. Sent
//! again, in whatever transaction, it finds its own key there, since nothing is deleted.
//!
//! [`Kind::Admission`]: aardvark_mixnet::Kind::Admission

use std::collections::BTreeSet;

use aardvark_dictionary::{DictionaryId, Genesis, Key, Operation, Transaction, Value};
use aardvark_mixnet::PostKey;
use aardvark_mixnet::identity::AuthorKey;
use aardvark_mixnet::post::PostValue;

use crate::code::TxCode;
use crate::genesis_error::ChainGenesisError;
use crate::signed::SignerSignature;

/// Bytes of the longest key of a post.
const LONGEST_KEY: u16 = 104;
/// Bytes of the longest value that a dictionary takes: a body of 900 bytes has 965 with its
/// signature, a digest with receipts of 13 servers 964.
const LONGEST_VALUE: u16 = 1024;
/// Operations of the post that has most: its admission, two gates, itself.
const FEWEST_OPERATIONS: u32 = 4;

/// A post that its signer has to have signed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardPost {
    /// Its key.
    pub key: PostKey,
    /// Its value.
    pub value: PostValue,
}

impl BoardPost {
    /// The post of these bytes.
    fn read(key: &[u8], value: &[u8]) -> Result<Self, TxCode> {
        const MALFORMED: TxCode = TxCode::PostMalformed;
        let key = PostKey::from_bytes(key).map_err(|_| MALFORMED)?;
        Ok(Self { key, value: PostValue::from_bytes(value).map_err(|_| MALFORMED)? })
    }
}

/// What puts a post: behind the value of the admission that it needs, and its gates.
pub fn operations_of(key: &PostKey, value: &[u8], admission: Option<&[u8]>) -> Vec<Operation> {
    let bytes = |key: &PostKey| Key::from(key.to_bytes());
    let admission =
        key.admission().zip(admission).map(|(key, value)| Operation::Require(bytes(&key), Some(Value::from(value))));
    let gates = key.gates().into_iter().map(|gate| Operation::Require(bytes(&gate), None));
    admission.into_iter().chain(gates).chain([Operation::Put(bytes(key), Value::from(value))]).collect()
}

/// The posts that operations are, each behind the admission that it requires: all that has to be
/// signed.
///
/// # Errors
/// The first rule that is broken, as its [`TxCode`].
pub fn posts(organisers: &BTreeSet<AuthorKey>, operations: &[Operation]) -> Result<Vec<BoardPost>, TxCode> {
    let (mut posts, mut required): (Vec<BoardPost>, Vec<&Operation>) = (Vec::new(), Vec::new());
    for operation in operations {
        match operation {
            Operation::Require(..) => required.push(operation),
            Operation::Put(key, value) => {
                let post = BoardPost::read(key, value)?;
                posts.extend(check_post(organisers, &required, &post.key)?);
                posts.push(post);
                required.clear();
            }
            _ => return Err(TxCode::OperationForbidden),
        }
    }
    if posts.is_empty() || !required.is_empty() { Err(TxCode::PostMalformed) } else { Ok(posts) }
}

/// The admission that a post behind these requirements stands on, where it needs one.
fn check_post(
    organisers: &BTreeSet<AuthorKey>,
    required: &[&Operation],
    key: &PostKey,
) -> Result<Option<BoardPost>, TxCode> {
    if !organisers.contains(&key.organiser) {
        return Err(TxCode::OrganiserUnknown);
    }
    let of_organiser = key.kind.is_of_organiser();
    let needed = key.admission();
    let in_place = if of_organiser { key.signer() == key.organiser } else { needed.is_some() };
    if !in_place {
        return Err(TxCode::PostForbidden);
    }
    let (admission, gates) = match (needed, required.split_first()) {
        (None, _) => (None, required),
        (Some(admission), Some((Operation::Require(key, Some(value)), gates))) if **key == *admission.to_bytes() => {
            (Some(BoardPost::read(key, value)?), gates)
        }
        (Some(_), _) => return Err(TxCode::AdmissionNotRequired),
    };
    let wanted = key.gates();
    let gated = gates.len() == wanted.len()
        && gates
            .iter()
            .zip(&wanted)
            .all(|(operation, gate)| matches!(operation, Operation::Require(key, None) if **key == *gate.to_bytes()));
    if gated { Ok(admission) } else { Err(TxCode::GateNotRequired) }
}

/// Whether a transaction is posts that may be written, once their signatures are true.
pub(crate) fn check<O>(
    organisers: &BTreeSet<AuthorKey>,
    transaction: &Transaction<O>,
    signatures: &[SignerSignature],
) -> Result<(), TxCode> {
    if !signatures.is_empty() {
        return Err(TxCode::SignerSuperfluous);
    }
    posts(organisers, &transaction.operations).map(|_| ())
}

/// Whether all posts, and the admissions that they require, are signed.
pub(crate) fn are_signed<O>(
    organisers: &BTreeSet<AuthorKey>,
    transaction: &Transaction<O>,
    dictionary: &DictionaryId,
) -> bool {
    let posts = posts(organisers, &transaction.operations);
    posts.is_ok_and(|posts| posts.iter().all(|post| post.value.is_signed(&dictionary.0, &post.key)))
}

/// Whose posts a transaction puts, each once: on whom its work is counted.
pub(crate) fn authors<O>(transaction: &Transaction<O>) -> Vec<AuthorKey> {
    let puts = transaction.operations.iter().filter_map(|operation| match operation {
        Operation::Put(key, _) => PostKey::from_bytes(key).ok(),
        _ => None,
    });
    let authors: BTreeSet<AuthorKey> = puts.map(|key| key.signer()).collect();
    authors.into_iter().collect()
}

/// Whether a chain for the ceremonies of these organisers can begin with this content, under these
/// parameters: with nothing, since what stands there was signed by nobody.
pub(crate) fn check_genesis(organisers: &BTreeSet<AuthorKey>, genesis: &Genesis) -> Result<(), ChainGenesisError> {
    let parameters = genesis.parameters();
    if organisers.is_empty() {
        return Err(ChainGenesisError::NoOrganiser);
    }
    let fits = parameters.max_key_length >= LONGEST_KEY
        && parameters.max_value_length >= LONGEST_VALUE
        && parameters.limits.transaction_operations >= FEWEST_OPERATIONS;
    if !fits {
        return Err(ChainGenesisError::PostsDoNotFit);
    }
    genesis.entries().first().map_or(Ok(()), |(key, _)| Err(ChainGenesisError::PostInGenesis(key.clone())))
}
