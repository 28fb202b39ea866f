//! The policy `accounts`: money that only its owners spend and nobody makes.
//!
//! A key is an account, the SHA-256 of its owner's public key, and a value a balance: 8 bytes.
//! Operations are `Require`, `Add`, `Sub`, and `Delete` right after the requirement that the
//! balance is zero. In each transaction the sum of what is added equals the sum of what is
//! subtracted, owners sign what takes from them, a fee is added to one account, and no account but
//! that one is left with less than a minimum.
//!
//! Signers are given by their accounts here; that their signatures are true is checked elsewhere.
//! The minimum is decided without any state: the last operation that changes an account is an
//! `Add` of at least the minimum, or the `Delete`. Source: docs/network.md, "Who may write".

use crate::base::bytes::*;
use crate::base::integers::*;
use crate::block::operation::*;
use crate::block::transaction::*;
use crate::policy::policy_reason::*;
use crate::policy::signers::*;
use hacspec_lib::*;

/// The length of an account's key, in bytes.
pub const ACCOUNT_LENGTH: usize = 32;

/// The largest sum: what 16 bytes write.
pub const MAX_SUM: u128 = 340_282_366_920_938_463_463_374_607_431_768_211_455;

/// What a transaction pays, and to whom.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FeeRule {
    /// The account that fees are added to.
    pub fee_account: ByteString,
    /// For any transaction.
    pub fee_base: u64,
    /// For each byte of the transaction without openings.
    pub fee_byte: u64,
    /// For each claim.
    pub fee_claim: u64,
    /// For each operation.
    pub fee_operation: u64,
}

/// What the policy asks of transactions, as genesis says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AccountsPolicy {
    /// What a transaction pays.
    pub accounts_fee: FeeRule,
    /// The least that an account holds.
    pub accounts_minimum: u64,
}

/// One step of [`keys_are_accounts`].
pub fn keys_are_accounts_step(all_accounts: bool, operation: &Operation) -> bool {
    all_accounts && operation.operation_key.len() == ACCOUNT_LENGTH
}

/// Whether all keys have the length of an account's.
pub fn keys_are_accounts(items: &Seq<Operation>) -> bool {
    let mut all_accounts = true;
    for j in 0..items.len() {
        all_accounts = keys_are_accounts_step(all_accounts, &items[j]);
    }
    all_accounts
}

/// Whether an operation requires that the balance of `k` is zero.
pub fn requires_zero(operation: &Operation, k: &ByteString) -> bool {
    match &operation.action {
        Action::RequireValue(required) => {
            bytes_equal(&operation.operation_key, k) && bytes_equal(required, &value_of_number(0))
        }
        _ => false,
    }
}

/// Whether operation `j` is a `Delete` that no requirement of a balance of zero precedes directly.
pub fn delete_unguarded(items: &Seq<Operation>, j: usize) -> bool {
    is_delete(&items[j].action) && (j == 0 || !requires_zero(&items[j - 1], &items[j].operation_key))
}

/// Whether the action writes a value whatever was there.
pub fn is_put(act: &Action) -> bool {
    match act {
        Action::Put(_) => true,
        _ => false,
    }
}

/// One step of [`check_actions`].
pub fn check_actions_step(
    checked: Result<(), PolicyReason>,
    items: &Seq<Operation>,
    j: usize,
) -> Result<(), PolicyReason> {
    match checked {
        Err(why) => Err(why),
        Ok(_) => {
            if is_put(&items[j].action) {
                Err(PolicyReason::OperationForbidden)
            } else if delete_unguarded(items, j) {
                Err(PolicyReason::DeleteUnguarded)
            } else {
                Ok(())
            }
        }
    }
}

/// Whether all operations are of the policy's kinds.
pub fn check_actions(items: &Seq<Operation>) -> Result<(), PolicyReason> {
    let mut checked = Ok(());
    for j in 0..items.len() {
        checked = check_actions_step(checked, items, j);
    }
    checked
}

/// The amount that an operation adds to a balance.
pub fn added_amount(operation: &Operation) -> u64 {
    match &operation.action {
        Action::Add(amount) => *amount,
        _ => 0,
    }
}

/// The amount that an operation subtracts from a balance.
pub fn subtracted_amount(operation: &Operation) -> u64 {
    match &operation.action {
        Action::Sub(amount) => *amount,
        _ => 0,
    }
}

/// A sum with one amount more; none where 16 bytes are too few.
pub fn sum_with(total: &Option<u128>, amount: u64) -> Option<u128> {
    match total {
        None => None,
        Some(so_far) => {
            if u128_of_u64(amount) > MAX_SUM - *so_far {
                None
            } else {
                Some(*so_far + u128_of_u64(amount))
            }
        }
    }
}

/// One step of [`sum_added`].
pub fn sum_added_step(total: Option<u128>, operation: &Operation) -> Option<u128> {
    sum_with(&total, added_amount(operation))
}

/// What is added, in all.
pub fn sum_added(items: &Seq<Operation>) -> Option<u128> {
    let mut total = Some(0);
    for j in 0..items.len() {
        total = sum_added_step(total, &items[j]);
    }
    total
}

/// One step of [`sum_subtracted`].
pub fn sum_subtracted_step(total: Option<u128>, operation: &Operation) -> Option<u128> {
    sum_with(&total, subtracted_amount(operation))
}

/// What is subtracted, in all.
pub fn sum_subtracted(items: &Seq<Operation>) -> Option<u128> {
    let mut total = Some(0);
    for j in 0..items.len() {
        total = sum_subtracted_step(total, &items[j]);
    }
    total
}

/// Whether as much is added as is subtracted.
pub fn sums_equal(items: &Seq<Operation>) -> bool {
    match sum_added(items) {
        None => false,
        Some(added) => match sum_subtracted(items) {
            None => false,
            Some(subtracted) => added == subtracted,
        },
    }
}

/// Whether the action is `Sub`.
pub fn is_sub(act: &Action) -> bool {
    match act {
        Action::Sub(_) => true,
        _ => false,
    }
}

/// One step of [`has_payer`].
pub fn has_payer_step(found: bool, operation: &Operation) -> bool {
    found || is_sub(&operation.action)
}

/// Whether something is subtracted from somebody.
pub fn has_payer(items: &Seq<Operation>) -> bool {
    let mut found = false;
    for j in 0..items.len() {
        found = has_payer_step(found, &items[j]);
    }
    found
}

/// Whether the action takes from an account, so that its owner has to sign.
pub fn takes(act: &Action) -> bool {
    is_sub(act) || is_delete(act)
}

/// One step of [`owners_sign`].
pub fn owners_sign_step(all_sign: bool, operation: &Operation, signers: &Seq<ByteString>) -> bool {
    all_sign && (!takes(&operation.action) || is_listed(signers, &operation.operation_key))
}

/// Whether all accounts that something is taken from are among the signers'.
pub fn owners_sign(items: &Seq<Operation>, signers: &Seq<ByteString>) -> bool {
    let mut all_sign = true;
    for j in 0..items.len() {
        all_sign = owners_sign_step(all_sign, &items[j], signers);
    }
    all_sign
}

/// One step of [`is_taken_from`].
pub fn is_taken_from_step(found: bool, operation: &Operation, k: &ByteString) -> bool {
    found || (takes(&operation.action) && bytes_equal(&operation.operation_key, k))
}

/// Whether something is taken from an account.
pub fn is_taken_from(items: &Seq<Operation>, k: &ByteString) -> bool {
    let mut found = false;
    for j in 0..items.len() {
        found = is_taken_from_step(found, &items[j], k);
    }
    found
}

/// One step of [`signers_own`].
pub fn signers_own_step(all_own: bool, items: &Seq<Operation>, signer: &ByteString) -> bool {
    all_own && is_taken_from(items, signer)
}

/// Whether something is taken from the account of every signer.
pub fn signers_own(items: &Seq<Operation>, signers: &Seq<ByteString>) -> bool {
    let mut all_own = true;
    for i in 0..signers.len() {
        all_own = signers_own_step(all_own, items, &signers[i]);
    }
    all_own
}

/// A sum; the largest one where 16 bytes are too few.
pub fn capped_sum(a: u128, b: u128) -> u128 {
    if b > MAX_SUM - a { MAX_SUM } else { a + b }
}

/// A price for each of so many things.
pub fn price_of(price: u64, count: usize) -> u128 {
    u128_of_u64(price) * u128_of_usize(count)
}

/// The length of a transaction without its openings, in bytes.
pub fn bare_length(tx: &Transaction) -> usize {
    transaction_length(tx) - 48 * tx.claims.len()
}

/// What a transaction has to pay.
pub fn fee_of(rule: &FeeRule, tx: &Transaction) -> u128 {
    let bytes_price = price_of(rule.fee_byte, bare_length(tx));
    let claims_price = price_of(rule.fee_claim, tx.claims.len());
    let operations_price = price_of(rule.fee_operation, tx.operations.len());
    capped_sum(capped_sum(capped_sum(u128_of_u64(rule.fee_base), bytes_price), claims_price), operations_price)
}

/// One step of [`fee_paid`].
pub fn fee_paid_step(paid: u128, operation: &Operation, rule: &FeeRule) -> u128 {
    if bytes_equal(&operation.operation_key, &rule.fee_account) {
        capped_sum(paid, u128_of_u64(added_amount(operation)))
    } else {
        paid
    }
}

/// What operations add to the account of fees.
pub fn fee_paid(rule: &FeeRule, items: &Seq<Operation>) -> u128 {
    let mut paid = 0;
    for j in 0..items.len() {
        paid = fee_paid_step(paid, &items[j], rule);
    }
    paid
}

/// Whether the action only asks.
pub fn is_requirement(act: &Action) -> bool {
    match act {
        Action::RequireAbsent => true,
        Action::RequireValue(_) => true,
        _ => false,
    }
}

/// One step of [`changed_later`].
pub fn changed_later_step(found: bool, items: &Seq<Operation>, j: usize, i: usize) -> bool {
    found
        || (i > j && !is_requirement(&items[i].action) && bytes_equal(&items[i].operation_key, &items[j].operation_key))
}

/// Whether an operation after operation `j` changes the same key.
pub fn changed_later(items: &Seq<Operation>, j: usize) -> bool {
    let mut found = false;
    for i in 0..items.len() {
        found = changed_later_step(found, items, j, i);
    }
    found
}

/// Whether an action leaves no account, or one with at least the minimum, whatever was there.
pub fn leaves_enough(act: &Action, minimum: u64) -> bool {
    match act {
        Action::Add(amount) => *amount >= minimum,
        Action::Delete => true,
        _ => false,
    }
}

/// One step of [`keeps_minimum`].
pub fn keeps_minimum_step(keeps: bool, items: &Seq<Operation>, rule: &AccountsPolicy, j: usize) -> bool {
    keeps
        && (is_requirement(&items[j].action)
            || bytes_equal(&items[j].operation_key, &rule.accounts_fee.fee_account)
            || changed_later(items, j)
            || leaves_enough(&items[j].action, rule.accounts_minimum))
}

/// Whether the last operation that changes an account, for each but that of fees, leaves enough.
pub fn keeps_minimum(rule: &AccountsPolicy, items: &Seq<Operation>) -> bool {
    let mut keeps = true;
    for j in 0..items.len() {
        keeps = keeps_minimum_step(keeps, items, rule, j);
    }
    keeps
}

/// The rules that look at signers, fee and minimum.
pub fn check_payment(rule: &AccountsPolicy, tx: &Transaction, signers: &Seq<ByteString>) -> Result<(), PolicyReason> {
    if !owners_sign(&tx.operations, signers) {
        Err(PolicyReason::SignerMissing)
    } else if !signers_own(&tx.operations, signers) {
        Err(PolicyReason::SignerSuperfluous)
    } else if fee_paid(&rule.accounts_fee, &tx.operations) < fee_of(&rule.accounts_fee, tx) {
        Err(PolicyReason::FeeTooLow)
    } else if !keeps_minimum(rule, &tx.operations) {
        Err(PolicyReason::BelowMinimum)
    } else {
        Ok(())
    }
}

/// The rules that look at keys and kinds of operations.
pub fn check_kinds(items: &Seq<Operation>) -> Result<(), PolicyReason> {
    if keys_are_accounts(items) { check_actions(items) } else { Err(PolicyReason::KeyNotAccount) }
}

/// The rules that look at amounts.
pub fn check_amounts(items: &Seq<Operation>) -> Result<(), PolicyReason> {
    if !has_payer(items) {
        Err(PolicyReason::PayerMissing)
    } else if !sums_equal(items) {
        Err(PolicyReason::SumsDiffer)
    } else {
        Ok(())
    }
}

/// Whether the policy lets these accounts' owners do a transaction; or the first rule that is
/// broken.
pub fn check_accounts(rule: &AccountsPolicy, tx: &Transaction, signers: &Seq<ByteString>) -> Result<(), PolicyReason> {
    let _ = check_kinds(&tx.operations)?;
    let _ = check_amounts(&tx.operations)?;
    check_payment(rule, tx, signers)
}
