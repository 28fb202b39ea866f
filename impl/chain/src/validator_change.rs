//! The validators of a chain with a council, and what changes them
//! (`aardvark_spec::policy::validator_change`; `docs/network.md`, Who decides).
//!
//! ```text
//! state  = u64 last change | u16 number | (public key (32) | u64 power)*
//!          keys ascending, power from 1 on
//! change = u8 6 | body | u8 number | (public key (32) | signature (64))*       signers ascending
//! body   = u64 the last change that it follows | u16 number | (public key (32) | u64 power)*
//!          keys ascending, 0 removes
//! signed = H("AARDVARK-V1-VALIDATOR-CHANGE", dictionary (32) | council | body)
//! app hash = state root (32) | H("AARDVARK-V1-VALIDATORS", council | state)
//! ```
//!
//! A change has the same bytes where it is submitted and where it stands in a block, of which it is
//! the first transaction, before the frame. So what is behind it is the block of the dictionary as
//! it always was, and who follows the dictionary alone passes over it ([`split_change`]).

use std::collections::BTreeMap;

use aardvark_algebra::hash::TaggedHash;
use aardvark_algebra::integers::{u8_or_max, u16_or_max, u64_of_usize};
use aardvark_dictionary::codec::Reader;
use aardvark_dictionary::root::Digest;
use aardvark_dictionary::{DecodeError, DictionaryId};
use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};

use crate::code::TxCode;
use crate::council::Council;
use crate::signed::SignerSignature;

/// Format number of a change of validators.
pub const CHANGE_FORMAT: u8 = 6;
/// Most validators of a set.
pub const MOST_VALIDATORS: usize = 100;
/// Most voting powers that a change sets: all go, and as many come.
const MOST_UPDATES: usize = 2 * MOST_VALIDATORS;
/// Most voting power of all validators together; CometBFT's own limit is 2^60 - 1.
pub const MOST_VOTING_POWER: u64 = 1 << 50;

/// Voting powers by public key.
type Powers = BTreeMap<[u8; 32], u64>;

/// The validators of a chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValidatorSet {
    last_change: u64,
    powers: Powers,
}

impl ValidatorSet {
    /// Most bytes of an encoding.
    pub const MOST_BYTES: usize = 8 + 2 + MOST_VALIDATORS * 40;

    /// The validators that a chain begins with.
    ///
    /// # Errors
    /// [`TxCode::SetForbidden`] where there are none, too many, one without power, or too much.
    pub fn first(powers: BTreeMap<[u8; 32], u64>) -> Result<Self, TxCode> {
        Self::permitted(0, powers)
    }

    fn permitted(last_change: u64, powers: Powers) -> Result<Self, TxCode> {
        let total = powers.values().fold(0u64, |sum, power| sum.saturating_add(*power));
        let is_permitted = (1..=MOST_VALIDATORS).contains(&powers.len())
            && total <= MOST_VOTING_POWER
            && powers.values().all(|power| *power > 0);
        if is_permitted { Ok(Self { last_change, powers }) } else { Err(TxCode::SetForbidden) }
    }

    /// The height of the last change or removal; 0 where there was none.
    pub fn last_change(&self) -> u64 {
        self.last_change
    }

    /// Voting powers by public key.
    pub fn powers(&self) -> &BTreeMap<[u8; 32], u64> {
        &self.powers
    }

    /// The set after a change in the block of a height. Whether the signatures are true is not
    /// looked at: [`SignedChange::is_signed`] comes after, since it costs more.
    ///
    /// # Errors
    /// The first rule that is broken, as its [`TxCode`].
    pub fn after(&self, council: &Council, change: &SignedChange, height: u64) -> Result<Self, TxCode> {
        council.agrees(&change.signatures)?;
        let ValidatorChange { follows, updates } = &change.change;
        if updates.is_empty() {
            return Err(TxCode::Malformed);
        }
        if *follows != self.last_change {
            return Err(TxCode::ChangeStale);
        }
        let mut powers = self.powers.clone();
        for (key, power) in updates {
            match power {
                0 if powers.remove(key).is_none() => return Err(TxCode::ValidatorUnknown),
                0 => {}
                power => drop(powers.insert(*key, *power)),
            }
        }
        Self::permitted(height, powers)
    }

    /// The set after evidence against some validators, in the block of a height: without them,
    /// where anybody is left.
    #[must_use]
    pub fn without(&self, is_guilty: impl Fn(&[u8; 32]) -> bool, height: u64) -> Self {
        let innocent: Powers =
            self.powers.iter().filter(|(key, _)| !is_guilty(key)).map(|(key, power)| (*key, *power)).collect();
        if innocent.is_empty() || innocent.len() == self.powers.len() {
            return self.clone();
        }
        Self { last_change: height, powers: innocent }
    }

    /// What CometBFT is told for the set to become another: keys whose power differs, with the
    /// other's, 0 for those who go.
    pub fn updates_to(&self, other: &Self) -> BTreeMap<[u8; 32], u64> {
        let gone = self.powers.keys().filter(|key| !other.powers.contains_key(*key)).map(|key| (*key, 0));
        let differs = |(key, power): &(&[u8; 32], &u64)| self.powers.get(*key) != Some(*power);
        gone.chain(other.powers.iter().filter(differs).map(|(key, power)| (*key, *power))).collect()
    }

    /// Canonical bytes, at most [`ValidatorSet::MOST_BYTES`].
    pub fn encode(&self) -> Vec<u8> {
        let mut out = self.last_change.to_be_bytes().to_vec();
        put_powers(&mut out, &self.powers);
        out
    }

    /// Reads canonical bytes, which others may follow.
    ///
    /// # Errors
    /// [`DecodeError`] where there are none, or a set that no chain may have.
    pub fn read(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let last_change = reader.u64("the last change of validators")?;
        let powers = read_powers(reader, MOST_VALIDATORS)?;
        let too_many =
            DecodeError::TooMany { offset: reader.offset(), what: "validators", limit: u64_of_usize(MOST_VALIDATORS) };
        Self::permitted(last_change, powers).map_err(|_| too_many)
    }

    /// What the app hash has behind the state root.
    pub fn digest(&self, council: &Council) -> Digest {
        TaggedHash::new("AARDVARK-V1-VALIDATORS").chain(council.encode()).chain(self.encode()).finalize()
    }
}

/// A change of validators.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValidatorChange {
    /// [`ValidatorSet::last_change`] of the set that it is made for.
    pub follows: u64,
    /// The voting powers that it sets, by public key, 0 for who goes; at most 200.
    pub updates: BTreeMap<[u8; 32], u64>,
}

impl ValidatorChange {
    fn body(&self) -> Vec<u8> {
        let mut out = self.follows.to_be_bytes().to_vec();
        put_powers(&mut out, &self.updates);
        out
    }

    /// What members of a dictionary's council sign.
    pub fn digest(&self, dictionary: &DictionaryId, council: &Council) -> Digest {
        let hash = TaggedHash::new("AARDVARK-V1-VALIDATOR-CHANGE").chain(dictionary.0);
        hash.chain(council.encode()).chain(self.body()).finalize()
    }

    /// A member's signature.
    pub fn sign(&self, dictionary: &DictionaryId, council: &Council, key: &SigningKey) -> SignerSignature {
        let signature = key.sign(&self.digest(dictionary, council)).to_bytes();
        SignerSignature { public_key: key.verifying_key().to_bytes(), signature }
    }
}

/// A change of validators with the signatures of the council's members.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedChange {
    /// The change.
    pub change: ValidatorChange,
    /// Who signed, ascending by public key, at most 255.
    pub signatures: Vec<SignerSignature>,
}

impl SignedChange {
    /// Whether every signature is true.
    #[must_use]
    pub fn is_signed(&self, dictionary: &DictionaryId, council: &Council) -> bool {
        let digest = self.change.digest(dictionary, council);
        let is_true = |SignerSignature { public_key, signature }: &SignerSignature| {
            let key = VerifyingKey::from_bytes(public_key);
            key.is_ok_and(|key| key.verify_strict(&digest, &Signature::from_bytes(signature)).is_ok())
        };
        self.signatures.iter().all(is_true)
    }

    /// Canonical bytes: what is submitted, and what stands in the block.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = vec![CHANGE_FORMAT];
        out.extend(self.change.body());
        out.push(u8_or_max(self.signatures.len()));
        for SignerSignature { public_key, signature } in &self.signatures {
            out.extend_from_slice(public_key);
            out.extend_from_slice(signature);
        }
        out
    }

    /// Reads canonical bytes from outside.
    ///
    /// # Errors
    /// [`DecodeError`] where the bytes are not exactly one change.
    pub fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut reader = Reader::new(bytes);
        let found = reader.u8("the format of a change of validators")?;
        if found != CHANGE_FORMAT {
            return Err(DecodeError::Unknown { offset: 0, what: "format of a change of validators", found });
        }
        let follows = reader.u64("the change that a change follows")?;
        let updates = read_powers(&mut reader, MOST_UPDATES)?;
        let mut signatures: Vec<SignerSignature> = Vec::new();
        for _ in 0..reader.u8("the number of signatures")? {
            let offset = reader.offset();
            let (public_key, signature) = (reader.array("a public key")?, reader.array("a signature")?);
            if signatures.last().is_some_and(|last| last.public_key >= public_key) {
                return Err(DecodeError::Order { offset, what: "signers" });
            }
            signatures.push(SignerSignature { public_key, signature });
        }
        reader.finish()?;
        Ok(Self { change: ValidatorChange { follows, updates }, signatures })
    }
}

/// Whether bytes that are submitted to a chain are a change of validators, or none at all.
pub fn is_change(council: Option<&Council>, tx: &[u8]) -> bool {
    council.is_some() && tx.first() == Some(&CHANGE_FORMAT)
}

/// A block's list on a chain with this council, or without any: the change of validators that it
/// begins with, and the block of the dictionary.
pub fn split_change<'a, T: AsRef<[u8]>>(council: Option<&Council>, txs: &'a [T]) -> (Option<&'a T>, &'a [T]) {
    match txs.split_first() {
        Some((first, rest)) if is_change(council, first.as_ref()) => (Some(first), rest),
        _ => (None, txs),
    }
}

/// The app hash of a state: its root, and behind it the digest of the validators on a chain with a
/// council.
pub fn app_hash(root: Digest, validators: Option<(&Council, &ValidatorSet)>) -> Vec<u8> {
    let digest = validators.map(|(council, set)| set.digest(council));
    [root].into_iter().chain(digest).flatten().collect()
}

/// The state root in an app hash; `None` where that is no chain's of ours.
pub fn root_of_app_hash(app_hash: &[u8]) -> Option<Digest> {
    match app_hash.len() {
        32 | 64 => app_hash.first_chunk().copied(),
        _ => None,
    }
}

/// `u16 number | (public key (32) | u64 power)*`
fn put_powers(out: &mut Vec<u8>, powers: &Powers) {
    out.extend_from_slice(&u16_or_max(powers.len()).to_be_bytes());
    for (key, power) in powers {
        out.extend_from_slice(key);
        out.extend_from_slice(&power.to_be_bytes());
    }
}

fn read_powers(reader: &mut Reader<'_>, most: usize) -> Result<Powers, DecodeError> {
    let mut powers = Powers::new();
    let (offset, count) = (reader.offset(), reader.u16("the number of validators")?);
    if usize::from(count) > most {
        return Err(DecodeError::TooMany { offset, what: "validators", limit: u64_of_usize(most) });
    }
    for _ in 0..count {
        let offset = reader.offset();
        let (key, power) = (reader.array("a public key")?, reader.u64("a voting power")?);
        if powers.last_key_value().is_some_and(|(last, _)| *last >= key) {
            return Err(DecodeError::Order { offset, what: "validators" });
        }
        powers.insert(key, power);
    }
    Ok(powers)
}

#[cfg(test)]
mod tests;
