//! The validators of a chain with a council: what changes them, and what does not.
//!
//! A state has the validators with their voting power and the height that changed them last. Two
//! things change them: a change that enough members of the council signed ([`change_validators`]),
//! and evidence of misbehaviour ([`without_guilty`]). A change names the last change that it
//! follows, so that it is made at most once, and not after another change or a removal that its
//! signers had not seen. Who the council is never changes: genesis names it.
//!
//! The set is never empty, and bounded in number and power ([`is_permitted`]). Evidence against all
//! validators at once removes none: a chain cannot go on without any.
//!
//! That signatures are true is checked elsewhere, and so is whose the evidence is: consensus names
//! the guilty.
//!
//! Source: docs/network.md, "Who decides".

use crate::base::bytes::*;
use crate::base::integers::*;
use crate::policy::signers::*;
use hacspec_lib::*;

/// Most validators of a set.
pub const MOST_VALIDATORS: usize = 100;
/// Most voting power of a set, of all validators together: 2^50, where consensus allows 2^60.
pub const MOST_VOTING_POWER: u128 = 1_125_899_906_842_624;

/// A validator; in a change a voting power of 0 removes it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChainValidator {
    /// Its public key, 32 bytes.
    pub validator_key: ByteString,
    /// Its voting power.
    pub voting_power: u64,
}

/// The validators of a chain.
#[derive(Clone, Debug, Default)]
pub struct ValidatorSet {
    /// The height of the last change; 0 where there was none.
    pub last_change: usize,
    /// The validators.
    pub chain_validators: Seq<ChainValidator>,
}

/// Who may change validators: so many of these together.
#[derive(Clone, Debug, Default)]
pub struct Council {
    /// How many have to sign.
    pub council_threshold: usize,
    /// The public keys of the members.
    pub council_keys: Seq<ByteString>,
}

/// A change of validators.
#[derive(Clone, Debug, Default)]
pub struct ValidatorChange {
    /// The last change of the set that it is made for.
    pub follows_change: usize,
    /// The voting powers that it sets, by strictly ascending key.
    pub power_updates: Seq<ChainValidator>,
}

/// Why a change is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeReason {
    /// It changes nothing, or keys do not ascend.
    ChangeMalformed,
    /// Somebody signed who is no member of the council.
    CouncilSuperfluous,
    /// Too few members signed.
    CouncilMissing,
    /// It was made for a set that is no longer, or not yet.
    ChangeStale,
    /// It removes who is no validator.
    ValidatorUnknown,
    /// It leaves no validator, or too many, or too much power.
    SetForbidden,
}

/// One step of [`power_of`].
pub fn power_of_step(found: Option<u64>, entry: &ChainValidator, k: &ByteString) -> Option<u64> {
    if bytes_equal(&entry.validator_key, k) { Some(entry.voting_power) } else { found }
}

/// The voting power that a list gives a key.
pub fn power_of(listed: &Seq<ChainValidator>, k: &ByteString) -> Option<u64> {
    let mut found = None;
    for i in 0..listed.len() {
        found = power_of_step(found, &listed[i], k);
    }
    found
}

/// Whether a list has a key.
pub fn has_validator(listed: &Seq<ChainValidator>, k: &ByteString) -> bool {
    match power_of(listed, k) {
        Some(_) => true,
        None => false,
    }
}

/// One step of [`total_power`].
pub fn total_power_step(total: u128, entry: &ChainValidator) -> u128 {
    total + u128_of_u64(entry.voting_power)
}

/// The voting power of all validators together.
pub fn total_power(listed: &Seq<ChainValidator>) -> u128 {
    let mut total = 0;
    for i in 0..listed.len() {
        total = total_power_step(total, &listed[i]);
    }
    total
}

/// Whether a chain may have these validators.
pub fn is_permitted(listed: &Seq<ChainValidator>) -> bool {
    listed.len() >= 1 && listed.len() <= MOST_VALIDATORS && total_power(listed) <= MOST_VOTING_POWER
}

/// One step of [`updates_ascend`].
pub fn updates_ascend_step(all_ascend: bool, listed: &Seq<ChainValidator>, i: usize) -> bool {
    if i == 0 { all_ascend } else { all_ascend && bytes_less(&listed[i - 1].validator_key, &listed[i].validator_key) }
}

/// Whether keys ascend strictly.
pub fn updates_ascend(listed: &Seq<ChainValidator>) -> bool {
    let mut all_ascend = true;
    for i in 0..listed.len() {
        all_ascend = updates_ascend_step(all_ascend, listed, i);
    }
    all_ascend
}

/// One step of [`members_ascend`].
pub fn members_ascend_step(all_ascend: bool, signing_keys: &Seq<ByteString>, i: usize) -> bool {
    if i == 0 { all_ascend } else { all_ascend && bytes_less(&signing_keys[i - 1], &signing_keys[i]) }
}

/// Whether signers ascend strictly, so that nobody counts twice.
pub fn members_ascend(signing_keys: &Seq<ByteString>) -> bool {
    let mut all_ascend = true;
    for i in 0..signing_keys.len() {
        all_ascend = members_ascend_step(all_ascend, signing_keys, i);
    }
    all_ascend
}

/// One step of [`all_members`].
pub fn all_members_step(all_are: bool, members: &Seq<ByteString>, public_key: &ByteString) -> bool {
    all_are && is_listed(members, public_key)
}

/// Whether all signers are members of the council.
pub fn all_members(council: &Council, signing_keys: &Seq<ByteString>) -> bool {
    let mut all_are = true;
    for i in 0..signing_keys.len() {
        all_are = all_members_step(all_are, &council.council_keys, &signing_keys[i]);
    }
    all_are
}

/// Whether the council lets these members change validators.
pub fn council_agrees(council: &Council, signing_keys: &Seq<ByteString>) -> Result<(), ChangeReason> {
    if !members_ascend(signing_keys) {
        Err(ChangeReason::ChangeMalformed)
    } else if !all_members(council, signing_keys) {
        Err(ChangeReason::CouncilSuperfluous)
    } else if signing_keys.len() == 0 || signing_keys.len() < council.council_threshold {
        Err(ChangeReason::CouncilMissing)
    } else {
        Ok(())
    }
}

/// One step of [`removals_known`].
pub fn removals_known_step(all_known: bool, update: &ChainValidator, listed: &Seq<ChainValidator>) -> bool {
    all_known && (update.voting_power != 0 || has_validator(listed, &update.validator_key))
}

/// Whether all who are removed are validators.
pub fn removals_known(updates: &Seq<ChainValidator>, listed: &Seq<ChainValidator>) -> bool {
    let mut all_known = true;
    for i in 0..updates.len() {
        all_known = removals_known_step(all_known, &updates[i], listed);
    }
    all_known
}

/// One step of [`kept_validators`].
pub fn kept_validators_step(
    kept: Seq<ChainValidator>,
    entry: &ChainValidator,
    updates: &Seq<ChainValidator>,
) -> Seq<ChainValidator> {
    match power_of(updates, &entry.validator_key) {
        None => kept.push_owned(entry.clone()),
        Some(power) => {
            if power == 0 {
                kept
            } else {
                kept.push_owned(ChainValidator { validator_key: entry.validator_key.clone(), voting_power: power })
            }
        }
    }
}

/// Those who stay, with the power that they then have.
pub fn kept_validators(listed: &Seq<ChainValidator>, updates: &Seq<ChainValidator>) -> Seq<ChainValidator> {
    let mut kept = Seq::<ChainValidator>::new(0);
    for i in 0..listed.len() {
        kept = kept_validators_step(kept, &listed[i], updates);
    }
    kept
}

/// One step of [`updated_validators`].
pub fn updated_validators_step(
    grown: Seq<ChainValidator>,
    update: &ChainValidator,
    listed: &Seq<ChainValidator>,
) -> Seq<ChainValidator> {
    if update.voting_power == 0 || has_validator(listed, &update.validator_key) {
        grown
    } else {
        grown.push_owned(update.clone())
    }
}

/// Those who stay, and then those who are new.
pub fn updated_validators(listed: &Seq<ChainValidator>, updates: &Seq<ChainValidator>) -> Seq<ChainValidator> {
    let mut grown = kept_validators(listed, updates);
    for i in 0..updates.len() {
        grown = updated_validators_step(grown, &updates[i], listed);
    }
    grown
}

/// Whether a change has a form, and is made for this set.
pub fn check_change(before: &ValidatorSet, change: &ValidatorChange) -> Result<(), ChangeReason> {
    if change.power_updates.len() == 0 || !updates_ascend(&change.power_updates) {
        Err(ChangeReason::ChangeMalformed)
    } else if change.follows_change != before.last_change {
        Err(ChangeReason::ChangeStale)
    } else if !removals_known(&change.power_updates, &before.chain_validators) {
        Err(ChangeReason::ValidatorUnknown)
    } else {
        Ok(())
    }
}

/// The set of a height, where a chain may have it.
pub fn permitted_set(listed: Seq<ChainValidator>, height: usize) -> Result<ValidatorSet, ChangeReason> {
    if is_permitted(&listed) {
        Ok(ValidatorSet { last_change: height, chain_validators: listed })
    } else {
        Err(ChangeReason::SetForbidden)
    }
}

/// The set after a change that these members of the council signed, in the block of a height.
pub fn change_validators(
    council: &Council,
    before: &ValidatorSet,
    change: &ValidatorChange,
    signing_keys: &Seq<ByteString>,
    height: usize,
) -> Result<ValidatorSet, ChangeReason> {
    let _ = council_agrees(council, signing_keys)?;
    let _ = check_change(before, change)?;
    permitted_set(updated_validators(&before.chain_validators, &change.power_updates), height)
}

/// One step of [`innocent_validators`].
pub fn innocent_validators_step(
    kept: Seq<ChainValidator>,
    entry: &ChainValidator,
    guilty: &Seq<ByteString>,
) -> Seq<ChainValidator> {
    if is_listed(guilty, &entry.validator_key) { kept } else { kept.push_owned(entry.clone()) }
}

/// The validators but for these.
pub fn innocent_validators(listed: &Seq<ChainValidator>, guilty: &Seq<ByteString>) -> Seq<ChainValidator> {
    let mut kept = Seq::<ChainValidator>::new(0);
    for i in 0..listed.len() {
        kept = innocent_validators_step(kept, &listed[i], guilty);
    }
    kept
}

/// The set after evidence against these public keys, in the block of a height: without them, where
/// anybody is left.
pub fn without_guilty(before: &ValidatorSet, guilty: &Seq<ByteString>, height: usize) -> ValidatorSet {
    let innocent = innocent_validators(&before.chain_validators, guilty);
    if innocent.len() == 0 || innocent.len() == before.chain_validators.len() {
        before.clone()
    } else {
        ValidatorSet { last_change: height, chain_validators: innocent }
    }
}
