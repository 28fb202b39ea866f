//! Payments with an archive's claims, and the balances that they have to lead to.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::{Duration, Instant};

use aardvark_chain::{Accounts, Policy, SignedTransaction, account_key};
use aardvark_client::light::Question;
use aardvark_client::make::{pay_fee, payment, unproved_claims};
use aardvark_client::{ArchiveClient, Known, assemble, questions};
use aardvark_dictionary::{Claim, Key, Operation, Transaction};
use ed25519_dalek::SigningKey;

use super::PATIENCE;

/// Accounts of genesis.
pub const OWNERS: u64 = 64;
/// What each of them begins with.
pub const START: u64 = 1_000_000;

/// The owner whose account fees go to, whom nobody else pays.
pub const FEES: u64 = u64::MAX;
/// The least that an account holds, and that a payment is.
pub const MINIMUM: u64 = 10;

/// The owner of an account; those from [`OWNERS`] on have none in genesis.
pub fn owner(index: u64) -> SigningKey {
    let mut seed = [7; 32];
    seed[..8].copy_from_slice(&index.to_be_bytes());
    SigningKey::from_bytes(&seed)
}

/// The index of an owner who is in genesis and whom the bank does not count.
pub fn crowd(number: u64) -> u64 {
    (1 << 32) + number
}

/// An owner's account.
pub fn account(index: u64) -> Key {
    account_key(&owner(index).verifying_key().to_bytes())
}

/// Who pays whom, how much.
#[derive(Clone, Copy, Debug)]
pub struct Payment {
    /// The owner who pays and signs.
    pub from: u64,
    /// The first owner who is paid.
    pub to: u64,
    /// How many are paid, one after the other.
    pub payees: u64,
    /// What each of them gets.
    pub amount: u64,
}

impl Payment {
    /// As much is added as is subtracted; the fee is still to be paid.
    pub fn operations(&self, rules: &Accounts) -> Vec<Operation> {
        let mut operations = payment(rules, account(self.from), account(self.to), self.amount * self.payees);
        let paid = (self.to..self.to + self.payees).map(|to| Operation::Add(account(to), self.amount));
        operations.splice(1..2, paid);
        operations
    }
}

/// Accounts as they have to be, once all that was submitted is applied.
pub struct Bank {
    known: Known,
    archives: Vec<ArchiveClient>,
    /// `None` for an account that was closed.
    balances: BTreeMap<Key, Option<u64>>,
    submitted: BTreeSet<String>,
    nonce: u64,
    newest_owner: u64,
}

impl Bank {
    /// The accounts of genesis.
    pub fn new(known: Known, archives: Vec<ArchiveClient>) -> Self {
        let balances = (0..OWNERS).chain([FEES]).map(|index| (account(index), Some(START))).collect();
        Self { known, archives, balances, submitted: BTreeSet::new(), nonce: 0, newest_owner: OWNERS }
    }

    /// What each account has to have; `None` where it is closed.
    pub fn balances(&self) -> &BTreeMap<Key, Option<u64>> {
        &self.balances
    }

    /// The ids, in hexadecimal, of what has to be applied.
    pub fn submitted(&self) -> &BTreeSet<String> {
        &self.submitted
    }

    /// What genesis asks of payments.
    pub fn rules(&self) -> Accounts {
        self.known.policy.as_ref().and_then(Policy::accounts).unwrap().clone()
    }

    /// How many accounts were made since genesis.
    pub fn newcomers(&self) -> u64 {
        self.newest_owner - OWNERS
    }

    /// The dictionary.
    pub fn known(&self) -> &Known {
        &self.known
    }

    /// Who gives claims and proofs.
    pub fn archives(&self) -> &[ArchiveClient] {
        &self.archives
    }

    /// So many different payments between accounts of genesis, signed, which from now on have to be
    /// applied.
    pub fn payments(&mut self, count: usize) -> Vec<SignedTransaction> {
        let drafts = self.drafts(count);
        drafts.into_iter().map(|(payment, transaction)| self.settle(&payment, transaction)).collect()
    }

    /// One payment to so many accounts that are not there yet, which from now on has to be applied.
    pub fn payment_to_new(&mut self, payees: u64) -> SignedTransaction {
        let payment = Payment { from: self.nonce % OWNERS, to: self.newest_owner, payees, amount: MINIMUM };
        self.newest_owner += payees;
        let transaction = self.transactions(&[payment.operations(&self.rules())]).remove(0);
        self.settle(&payment, transaction)
    }

    /// So many different payments between accounts of genesis, which nobody has signed or
    /// submitted.
    pub fn drafts(&mut self, count: usize) -> Vec<(Payment, Transaction)> {
        let first = self.nonce;
        let payment = |number: u64| {
            let from = number % OWNERS;
            Payment { from, to: (from + 1 + number % (OWNERS - 1)) % OWNERS, payees: 1, amount: MINIMUM + number % 5 }
        };
        let payments: Vec<Payment> = (first..first + count as u64).map(payment).collect();
        let operations: Vec<_> = payments.iter().map(|payment| payment.operations(&self.rules())).collect();
        payments.into_iter().zip(self.transactions(&operations)).collect()
    }

    /// Signs a payment, and counts on it from now on.
    pub fn settle(&mut self, payment: &Payment, transaction: Transaction) -> SignedTransaction {
        self.run(&transaction.operations);
        self.sign(transaction, &[owner(payment.from)])
    }

    /// What operations that succeed do to the balances.
    fn run(&mut self, operations: &[Operation]) {
        for operation in operations {
            let balance = self.balances.entry(operation.key().clone()).or_default();
            match operation {
                Operation::Add(_, amount) => *balance.get_or_insert(0) += amount,
                Operation::Sub(_, amount) => *balance.as_mut().unwrap() -= amount,
                Operation::Delete(_) => *balance = None,
                Operation::Require(_, _) | Operation::Put(_, _) => {}
            }
        }
    }

    /// One transaction, which from now on has to be applied, that closes so many of the accounts
    /// that were made last; what they have goes to an account of genesis. They have to be there.
    pub fn closing(&mut self, count: u64) -> SignedTransaction {
        let mut closed: Vec<SigningKey> = (self.newest_owner - count..self.newest_owner).map(owner).collect();
        let mut operations = Vec::new();
        let mut paid = 0;
        for owner in &closed {
            let key = account_key(&owner.verifying_key().to_bytes());
            let amount = self.balances[&key].unwrap();
            let zero = Operation::Require(key.clone(), Some([0; 8].as_slice().into()));
            operations.extend([Operation::Sub(key.clone(), amount), zero, Operation::Delete(key)]);
            paid += amount;
        }
        // What is left of it: the fee comes from the first account of genesis.
        operations.splice(0..0, payment(&self.rules(), account(0), account(1), MINIMUM));
        operations.push(Operation::Add(account(0), paid));
        closed.push(owner(0));
        let (version, claims) = self.claims(&questions(&operations));
        let transaction = self.assembled(operations, claims, version);
        self.run(&transaction.operations);
        self.sign(transaction, &closed)
    }

    fn sign(&mut self, transaction: Transaction, signers: &[SigningKey]) -> SignedTransaction {
        self.submitted.insert(hex::encode(transaction.id(&self.known.facts.id).0));
        SignedTransaction::sign(transaction, &self.known.facts.id, signers)
    }

    /// A transaction for each list of operations, with true claims for all its keys, at the
    /// archive's newest version.
    pub fn transactions(&mut self, lists: &[Vec<Operation>]) -> Vec<Transaction> {
        let all: Vec<Operation> = lists.iter().flatten().cloned().collect();
        let wanted = questions(&all);
        let (version, claims) = self.claims(&wanted);
        assert_eq!(claims.len(), wanted.len());
        let claims: HashMap<Key, Claim> = wanted.into_iter().map(|(key, _)| key).zip(claims).collect();
        let mut transaction = |operations: &Vec<Operation>| {
            let claims = operations.iter().map(|operation| claims[operation.key()].clone()).collect();
            self.assembled(operations.clone(), claims, version)
        };
        lists.iter().map(&mut transaction).collect()
    }

    fn assembled(&mut self, operations: Vec<Operation>, claims: Vec<Claim>, version: u64) -> Transaction {
        let mut nonce = [0; 16];
        nonce[..8].copy_from_slice(&self.nonce.to_be_bytes());
        self.nonce += 1;
        let mut transaction = assemble(operations, claims, version, (self.known.facts.window, None), nonce);
        pay_fee(&self.rules(), &mut transaction);
        transaction
    }

    /// The archive's claims, which nobody has verified here, and their version.
    fn claims(&self, wanted: &[(Key, Question)]) -> (u64, Vec<Claim>) {
        let begun = Instant::now();
        loop {
            match unproved_claims(&self.archives, &self.known, wanted) {
                Ok(found) => return found,
                Err(error) => assert!(begun.elapsed() < Duration::from_secs(PATIENCE), "{error}"),
            }
            std::thread::sleep(Duration::from_millis(200));
        }
    }
}
