//! A transaction from operations: which keys have to be proved, and which claims go in.

use std::collections::{BTreeMap, BTreeSet};

use aardvark_algebra::integers::u64_or_max;
use aardvark_chain::Accounts;
use aardvark_dictionary::{Claim, Key, Operation, Transaction};

use crate::archive::ArchiveClient;
use crate::light::{Accusation, Fault, ProofFault, Question, Server};
use crate::reader::Known;

/// Why no transaction can be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MakeError {
    /// There is nothing to do.
    #[error("no operations")]
    Nothing,
    /// No archive gave claims.
    #[error("no archive gave claims: {}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    NoClaims(Vec<Accusation>),
}

/// The keys to prove, each once: a key that is deleted needs its predecessor too.
pub fn questions(operations: &[Operation]) -> Vec<(Key, Question)> {
    let mut wanted: BTreeMap<Key, Question> = BTreeMap::new();
    for operation in operations {
        let question = if matches!(operation, Operation::Delete(_)) { Question::Delete } else { Question::Get };
        let place = wanted.entry(operation.key().clone()).or_insert(question);
        if question == Question::Delete {
            *place = question;
        }
    }
    wanted.into_iter().collect()
}

/// A transaction on claims of a version, good for as long as the window allows, or for `versions`
/// where that is less. No position stands twice: two keys of one gap share its slot.
pub fn assemble(
    operations: Vec<Operation>,
    claims: Vec<Claim>,
    version: u64,
    (window, versions): (u32, Option<u64>),
    nonce: [u8; 16],
) -> Transaction {
    let first_valid = version.saturating_add(1);
    let lasts = versions.unwrap_or(u64::MAX).min(window.into());
    let mut positions = BTreeSet::new();
    let claims = claims.into_iter().filter(|claim| positions.insert(claim.position)).collect();
    Transaction { first_valid, last_valid: first_valid.saturating_add(lasts), nonce, operations, claims }
}

/// A payment that leaves the payer at least the minimum, and proves so by paying it back at the
/// end. The fee, of which nothing is known before the claims are there, is still 0: [`pay_fee`].
pub fn payment(rules: &Accounts, from: Key, to: Key, amount: u64) -> Vec<Operation> {
    vec![
        Operation::Sub(from.clone(), amount.saturating_add(rules.minimum)),
        Operation::Add(to, amount),
        Operation::Add(rules.fee_account(), 0),
        Operation::Add(from, rules.minimum),
    ]
}

/// Has a transaction pay what it lacks of its fee: its first `Sub` takes more, and its last `Add`
/// to the account of fees gives more. Gives what is paid then; a transaction without these two
/// stays as it is, and the policy refuses it.
pub fn pay_fee(rules: &Accounts, transaction: &mut Transaction) -> u128 {
    let lacking = rules.fee.of(transaction).saturating_sub(rules.fee.paid(&transaction.operations));
    let lacking = u64_or_max(lacking);
    let operations = &mut transaction.operations;
    let is_fee = |operation: &Operation| matches!(operation, Operation::Add(key, _) if **key == rules.fee.account);
    let places = (
        operations.iter().position(|operation| matches!(operation, Operation::Sub(_, _))),
        operations.iter().rposition(is_fee),
    );
    if let (Some(payer), Some(fee)) = places {
        for place in [payer, fee] {
            if let Some(Operation::Add(_, amount) | Operation::Sub(_, amount)) = operations.get_mut(place) {
                *amount = amount.saturating_add(lacking);
            }
        }
    }
    rules.fee.paid(operations)
}

/// Claims that nobody has proved, from the first archive that answers: what is false in them,
/// validators refuse. Only what can be seen without commitments is compared: dictionary, key, and
/// whether the slots are about the key at all.
///
/// # Errors
/// [`MakeError::NoClaims`] names every archive and its fault.
pub fn unproved_claims(
    archives: &[ArchiveClient],
    known: &Known,
    wanted: &[(Key, Question)],
) -> Result<(u64, Vec<Claim>), MakeError> {
    let mut refused = Vec::new();
    for archive in archives {
        match claims_from(archive, known, wanted) {
            Ok(found) => return Ok(found),
            Err(fault) => refused.push(Accusation::new(Server::Archive(archive.url().to_owned()), fault)),
        }
    }
    Err(MakeError::NoClaims(refused))
}

fn claims_from(archive: &ArchiveClient, known: &Known, wanted: &[(Key, Question)]) -> Result<(u64, Vec<Claim>), Fault> {
    let mut at = None;
    let mut claims = Vec::new();
    for wanted in wanted.chunks(crate::archive::MOST_KEYS) {
        let (version, proofs) = archive.proofs(at, false, wanted)?;
        at = Some(version);
        for ((key, _), proof) in wanted.iter().zip(proofs) {
            if proof.dictionary != known.facts.id {
                let (found, asked) = (hex::encode(proof.dictionary.0), hex::encode(known.facts.id.0));
                return Err(ProofFault::AboutAnother { what: "dictionary", found, asked }.into());
            }
            if proof.version != version || proof.key != *key {
                return Err(Fault::Malformed("a proof of another version or key".to_owned()));
            }
            let covers = proof.claims.first().is_some_and(|claim| claim.slot.covers(key));
            if !covers || !proof.claims.iter().skip(1).all(|claim| claim.slot.next == *key) {
                return Err(ProofFault::NotCovering.into());
            }
            claims.extend(proof.claims);
        }
    }
    Ok((at.unwrap_or(0), claims))
}

#[cfg(test)]
mod tests {
    use aardvark_dictionary::Slot;

    use super::*;

    #[test]
    fn every_key_is_asked_once_and_for_deletion_where_it_is_deleted() {
        let operations = [
            Operation::Require("b".into(), None),
            Operation::Put("a".into(), "1".into()),
            Operation::Delete("b".into()),
            Operation::Add("b".into(), 1),
        ];
        let wanted = [("a".into(), Question::Get), ("b".into(), Question::Delete)];
        assert_eq!(questions(&operations), wanted);
        assert_eq!(questions(&[]), []);
    }

    #[test]
    fn a_payment_pays_its_fee_and_passes_the_policy() {
        use aardvark_chain::{Fee, Policy, SignedTransaction, TxCode, account_key};
        let key = ed25519_dalek::SigningKey::from_bytes(&[1; 32]);
        let fee = Fee { account: [9; 32], base: 10, byte: 1, claim: 5, operation: 3 };
        let rules = Accounts { fee, minimum: 100 };
        let (from, to) = (account_key(&key.verifying_key().to_bytes()), Key::from([2; 32].as_slice()));
        let check = |transaction: &Transaction| {
            let id = aardvark_dictionary::DictionaryId([0; 32]);
            let signed = SignedTransaction::sign(transaction.clone(), &id, std::slice::from_ref(&key));
            Policy::Accounts(rules.clone()).check(&signed.transaction, &signed.signatures, &signed.certificates)
        };
        let claim = |position| Claim { position, slot: Slot::lone_sentinel(), opening: [0; 48] };
        let operations = payment(&rules, from.clone(), to.clone(), 100);
        let mut transaction = assemble(operations, vec![claim(1), claim(2)], 7, (10, None), [1; 16]);
        assert_eq!(check(&transaction), Err(TxCode::FeeTooLow));
        let paid = pay_fee(&rules, &mut transaction);
        assert_eq!(paid, fee.of(&transaction));
        assert_eq!(check(&transaction), Ok(()));
        // Again, nothing is lacking.
        let settled = transaction.clone();
        assert_eq!((pay_fee(&rules, &mut transaction), &transaction), (paid, &settled));
        let Some(Operation::Sub(_, amount)) = transaction.operations.first_mut() else { unreachable!() };
        assert_eq!(u128::from(*amount), 200 + paid);
        // One that takes from nobody stays as it is.
        let mut other = Transaction { operations: vec![Operation::Add(to, 1)], ..settled };
        assert_eq!((pay_fee(&rules, &mut other), other.operations.len()), (0, 1));
    }

    #[test]
    fn a_transaction_is_good_for_the_window_or_less_and_has_no_position_twice() {
        let claim = |position| Claim { position, slot: Slot::lone_sentinel(), opening: [0; 48] };
        let make = |versions| assemble(vec![], vec![claim(1), claim(2), claim(1)], 7, (10, versions), [1; 16]);
        let transaction = make(None);
        assert_eq!((transaction.first_valid, transaction.last_valid), (8, 18));
        assert_eq!(transaction.claims, [claim(1), claim(2)]);
        assert_eq!(make(Some(3)).last_valid, 11);
        assert_eq!(make(Some(30)).last_valid, 18);
    }
}
