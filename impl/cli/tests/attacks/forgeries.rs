//! Transactions that must not be accepted, each with the code that says why.

use aardvark_chain::{SignedTransaction, TxCode};
use aardvark_dictionary::{DictionaryId, Operation, Reason, Transaction, Value};

use super::points;
use crate::scene::WINDOW;
use crate::scene::bank::{MINIMUM, OWNERS, Payment, START, account, owner};

/// How a payment with true claims is spoiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forgery {
    /// The two claims' openings change places.
    OpeningsSwapped,
    /// One opening is infinity.
    OpeningIdentity,
    /// One opening is a point of the cofactor.
    OpeningTorsion,
    /// One opening is no point.
    OpeningOffTheCurve,
    /// One opening is the point that the format excludes.
    OpeningZeroX,
    /// The payer's slot says that it has a fortune.
    SlotRicher,
    /// A slot is said to stand where another does.
    SlotElsewhere,
    /// Signed by the payee alone.
    SignerOther,
    /// Signed by payer and payee.
    SignerMore,
    /// Signed by nobody.
    SignerNone,
    /// Signed for another dictionary.
    SignedForAnotherChain,
    /// With the payer's signature of another transaction.
    SignatureOfAnother,
    /// More is added than is subtracted.
    Mint,
    /// An account is written.
    Put,
    /// Nobody pays: requirements alone.
    NobodyPays,
    /// One unit too little for the fee.
    FeeTooLow,
    /// Less than the minimum.
    Dust,
    /// More than there is.
    Overdraft,
    /// Good from a version on that is far ahead.
    Future,
    /// Good for longer than the window.
    TooLong,
    /// Without its last byte.
    Truncated,
    /// With one byte more.
    Trailing,
}

impl Forgery {
    /// All of them.
    pub const ALL: [Self; 22] = [
        Self::OpeningsSwapped,
        Self::OpeningIdentity,
        Self::OpeningTorsion,
        Self::OpeningOffTheCurve,
        Self::OpeningZeroX,
        Self::SlotRicher,
        Self::SlotElsewhere,
        Self::SignerOther,
        Self::SignerMore,
        Self::SignerNone,
        Self::SignedForAnotherChain,
        Self::SignatureOfAnother,
        Self::Mint,
        Self::Put,
        Self::NobodyPays,
        Self::FeeTooLow,
        Self::Dust,
        Self::Overdraft,
        Self::Future,
        Self::TooLong,
        Self::Truncated,
        Self::Trailing,
    ];

    /// What a validator says of it.
    pub fn code(self) -> TxCode {
        match self {
            Self::OpeningsSwapped
            | Self::OpeningIdentity
            | Self::OpeningTorsion
            | Self::SlotRicher
            | Self::SlotElsewhere => TxCode::Rejected(Reason::OpeningFalse),
            Self::OpeningOffTheCurve | Self::OpeningZeroX => TxCode::Rejected(Reason::OpeningMalformed),
            Self::SignerOther | Self::SignerNone => TxCode::SignerMissing,
            Self::SignerMore => TxCode::SignerSuperfluous,
            Self::SignedForAnotherChain | Self::SignatureOfAnother => TxCode::SignatureFalse,
            Self::Mint => TxCode::SumsDiffer,
            Self::Put => TxCode::OperationForbidden,
            Self::NobodyPays => TxCode::PayerMissing,
            Self::FeeTooLow => TxCode::FeeTooLow,
            Self::Dust => TxCode::BelowMinimum,
            Self::Overdraft => TxCode::Rejected(Reason::Underflow),
            Self::Future => TxCode::Rejected(Reason::NotYetValid),
            Self::TooLong => TxCode::Rejected(Reason::IntervalTooLong),
            Self::Truncated | Self::Trailing => TxCode::Malformed,
        }
    }

    /// The bytes that are sent; `seed` makes points differ.
    pub fn make(self, payment: &Payment, mut transaction: Transaction, id: &DictionaryId, seed: u64) -> Vec<u8> {
        let payer = owner(payment.from);
        let payee = owner(payment.to);
        self.spoil(payment, &mut transaction, seed);
        let signed = match self {
            Self::SignerOther => SignedTransaction::sign(transaction, id, &[payee]),
            Self::SignerMore => SignedTransaction::sign(transaction, id, &[payer, payee]),
            Self::SignerNone => SignedTransaction::sign(transaction, id, &[]),
            Self::SignedForAnotherChain => SignedTransaction::sign(transaction, &DictionaryId([7; 32]), &[payer]),
            Self::SignatureOfAnother => {
                let mut other = transaction.clone();
                other.nonce[15] ^= 1;
                let signatures = SignedTransaction::sign(other, id, &[payer]).signatures;
                SignedTransaction { transaction, signatures, certificates: Vec::new() }
            }
            _ => SignedTransaction::sign(transaction, id, &[payer]),
        };
        let mut bytes = signed.encode();
        match self {
            Self::Truncated => drop(bytes.pop()),
            Self::Trailing => bytes.push(0),
            _ => {}
        }
        bytes
    }

    /// What is wrong before anybody signs.
    fn spoil(self, payment: &Payment, transaction: &mut Transaction, seed: u64) {
        let [first, second, ..] = transaction.claims.as_mut_slice() else { panic!("a payment has three claims") };
        match self {
            Self::OpeningsSwapped => std::mem::swap(&mut first.opening, &mut second.opening),
            Self::OpeningIdentity => second.opening = points::identity(),
            Self::OpeningTorsion => first.opening = points::torsion(seed),
            Self::OpeningOffTheCurve => second.opening = points::off_the_curve(seed),
            Self::OpeningZeroX => first.opening = points::zero_x(),
            Self::SlotRicher => first.slot.value = Value::from(u64::MAX.to_be_bytes().as_slice()),
            Self::SlotElsewhere => {
                let others: Vec<u64> = transaction.claims.iter().map(|claim| claim.position).collect();
                transaction.claims[0].position = (0..OWNERS).find(|position| !others.contains(position)).unwrap();
            }
            Self::Mint => transaction.operations.push(Operation::Add(account(payment.to), MINIMUM)),
            Self::Put => {
                transaction.operations.push(Operation::Put(account(payment.to), Value::from([255; 8].as_slice())));
            }
            Self::NobodyPays => transaction.operations = vec![Operation::Require(account(payment.to), None); 200],
            Self::FeeTooLow => pay_less(transaction, [0, 2], 1),
            Self::Dust => pay_less(transaction, [0, 1], payment.amount + 1 - MINIMUM),
            Self::Overdraft => {
                let more = 2 * OWNERS * START;
                for operation in transaction.operations.iter_mut().take(2) {
                    if let Operation::Sub(_, amount) | Operation::Add(_, amount) = operation {
                        *amount += more;
                    }
                }
            }
            Self::Future => {
                transaction.first_valid += 100_000;
                transaction.last_valid += 100_000;
            }
            Self::TooLong => transaction.last_valid = transaction.first_valid + u64::from(WINDOW) + 1,
            _ => {}
        }
    }
}

/// Two operations have less as their amount.
fn pay_less(transaction: &mut Transaction, places: [usize; 2], less: u64) {
    for place in places {
        match &mut transaction.operations[place] {
            Operation::Sub(_, amount) | Operation::Add(_, amount) => *amount -= less,
            other => panic!("a payment has no {other:?} there"),
        }
    }
}
