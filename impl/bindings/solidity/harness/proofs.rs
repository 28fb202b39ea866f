//! Proofs of one key as JSON of format 2, and as arguments of the contracts' functions.

use serde::{Deserialize, Deserializer};
use sha2::{Digest, Sha256};

use crate::abi::{Value, call};

/// Bytes as lower-case hexadecimal behind `0x`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hex(pub Vec<u8>);

impl<'de> Deserialize<'de> for Hex {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let digits = text.strip_prefix("0x").ok_or_else(|| serde::de::Error::custom("no 0x"))?;
        hex::decode(digits).map(Self).map_err(serde::de::Error::custom)
    }
}

impl Hex {
    /// As one word, filled up with zeros from the left.
    fn word(&self) -> Value {
        let mut word = [0; 32];
        word[32 - self.0.len()..].copy_from_slice(&self.0);
        Value::Word(word)
    }

    fn bytes(&self) -> Value {
        Value::Bytes(self.0.clone())
    }
}

/// A proof; what is not read here says nothing to a contract.
#[derive(Clone, Debug, Deserialize)]
pub struct Proof {
    /// The dictionary.
    pub dictionary: Hex,
    /// Its N.
    pub vector_size: u64,
    /// The version.
    pub version: u64,
    /// What is asked.
    pub question: Question,
    /// The claims.
    pub claims: Vec<Claim>,
    /// What ties the claims to a root.
    pub root: Option<RootTie>,
}

/// A question; none of keys has no keys here.
#[derive(Clone, Debug, Deserialize)]
pub struct Question {
    /// The keys.
    pub keys: Option<Vec<Hex>>,
}

/// A claim.
#[derive(Clone, Debug, Deserialize)]
pub struct Claim {
    /// The position.
    pub position: u64,
    /// The slot.
    pub slot: Slot,
    /// The opening.
    pub opening: Hex,
}

/// A slot.
#[derive(Clone, Debug, Deserialize)]
pub struct Slot {
    /// The key.
    pub key: Hex,
    /// The value.
    pub value: Hex,
    /// The next key.
    pub next: Hex,
}

/// What ties claims to a root.
#[derive(Clone, Debug, Deserialize)]
pub struct RootTie {
    /// The number of slots.
    pub size: u64,
    /// The first position of the tail.
    pub tail_start: u64,
    /// The root over the commitments.
    pub commitment_root: Hex,
    /// The digest of the tail.
    pub tail_digest: Hex,
    /// The digest of the replay set.
    pub replay_digest: Hex,
    /// The digest of the window.
    pub window_digest: Hex,
    /// The claims' vectors.
    pub vectors: Vec<TiedVector>,
}

/// A commitment and its path.
#[derive(Clone, Debug, Deserialize)]
pub struct TiedVector {
    /// The vector's number.
    pub number: u64,
    /// The commitment.
    pub commitment: Hex,
    /// The siblings.
    pub path: Vec<Hex>,
}

/// A root that is trusted.
#[derive(Clone, Debug, Deserialize)]
pub struct KnownRoot {
    /// The root.
    pub root: Hex,
    /// The dictionary.
    pub dictionary: Hex,
    /// Its N.
    pub vector_size: u64,
}

/// Commitments that are trusted.
#[derive(Clone, Debug, Deserialize)]
pub struct KnownCommitments {
    /// The N.
    pub vector_size: u64,
    /// The number of slots.
    pub slots: u64,
    /// The commitments.
    pub commitments: Vec<Hex>,
}

impl Claim {
    fn value(&self) -> Value {
        let Slot { key, value, next } = &self.slot;
        let slot = Value::Tuple([key, value, next].map(Hex::bytes).to_vec());
        Value::Tuple(vec![self.position.into(), slot, self.opening.bytes()])
    }
}

impl RootTie {
    fn value(&self) -> Value {
        let Self { size, tail_start, commitment_root, tail_digest, replay_digest, window_digest, vectors } = self;
        let mut values = vec![Value::from(*size), Value::from(*tail_start)];
        values.extend([commitment_root, tail_digest, replay_digest, window_digest].map(Hex::word));
        values.push(Value::Array(vectors.iter().map(TiedVector::value).collect()));
        Value::Tuple(values)
    }
}

impl TiedVector {
    fn value(&self) -> Value {
        let path = self.path.iter().map(Hex::word).collect();
        Value::Tuple(vec![self.number.into(), self.commitment.bytes(), Value::Array(path)])
    }
}

impl KnownRoot {
    /// As an argument.
    pub fn value(&self) -> Value {
        Value::Tuple(vec![self.root.word(), self.dictionary.word(), self.vector_size.into()])
    }
}

const CLAIM: &str = "(uint64,(bytes,bytes,bytes),bytes)";
const TIE: &str = "(uint64,uint64,bytes32,bytes32,bytes32,bytes32,(uint64,bytes,bytes32[])[])";

/// The data of `verifyUnderRoot`, of a proof with a claim and a tie.
pub fn under_root(known: &KnownRoot, key: &[u8], version: u64, claim: &Claim, tie: &RootTie) -> Vec<u8> {
    under_root_by("verifyUnderRoot", known, key, version, claim, tie)
}

/// The same for a method of another name with these arguments, as of the contract on the front
/// page.
pub fn under_root_by(
    method: &str,
    known: &KnownRoot,
    key: &[u8],
    version: u64,
    claim: &Claim,
    tie: &RootTie,
) -> Vec<u8> {
    let signature = format!("{method}((bytes32,bytes32,uint32),uint64,bytes,{CLAIM},{TIE})");
    call(&signature, vec![known.value(), version.into(), Value::Bytes(key.to_vec()), claim.value(), tie.value()])
}

/// The data of `enter`, of the example in README.md.
pub fn enter(version: u64, claim: &Claim, tie: &RootTie) -> Vec<u8> {
    call(&format!("enter(uint64,{CLAIM},{TIE})"), vec![version.into(), claim.value(), tie.value()])
}

/// The data of `verifyUnderCommitment`, under the commitment of one vector of these.
pub fn under_commitment(known: &KnownCommitments, vector: u64, key: &[u8], claim: &Claim, given: &Hex) -> Vec<u8> {
    let trusted = &known.commitments[usize::try_from(vector).unwrap()];
    let mut versioned: [u8; 32] = Sha256::digest(&trusted.0).into();
    versioned[0] = 1;
    let trusted = [Value::Word(versioned), vector.into(), known.slots.into(), known.vector_size.into()];
    let signature = format!("verifyUnderCommitment((bytes32,uint64,uint64,uint32),bytes,{CLAIM},bytes)");
    call(&signature, vec![Value::Tuple(trusted.to_vec()), Value::Bytes(key.to_vec()), claim.value(), given.bytes()])
}
