//! Proposals that no validator may accept, each with the reason that it gives.

use aardvark_chain::{ChainBlock, ChainBlockError, SignedTransaction, TxCode};
use aardvark_dictionary::{DictionaryId, Operation, Parameters, Reason, Value};
use ed25519_dalek::SigningKey;
use prost::bytes::Bytes;

use super::points;
use crate::scene::bank::{OWNERS, START, owner};

/// How a proposal is spoiled. The payer's key is the liar's, so that what is changed is signed as
/// it has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lie {
    /// The payer's slot says that it has a fortune; signed by the payer.
    SlotRicher,
    /// More is paid than there is; signed by the payer.
    Overdraft,
    /// More is added than is subtracted; signed by the payer.
    Mint,
    /// Signed by somebody else.
    SignerOther,
    /// The signature is of another transaction.
    SignatureFalse,
    /// The openings together are a point of the cofactor.
    PointTorsion,
    /// They are no point.
    PointOffTheCurve,
    /// A tail vector that nobody needs, with other slots than it has: refused before its slots are
    /// looked at.
    Tail,
    /// One transaction twice.
    Twice,
    /// A block that was decided before.
    Again,
    /// A transaction where the frame belongs.
    NoFrame,
    /// The frame and nothing else.
    FrameAlone,
}

/// What a liar knows.
pub struct Knowledge {
    /// The dictionary.
    pub id: DictionaryId,
    /// Its parameters.
    pub parameters: Parameters,
    /// The list of a block that was decided.
    pub decided: Vec<Vec<u8>>,
}

impl Lie {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::SlotRicher,
        Self::Overdraft,
        Self::Mint,
        Self::SignerOther,
        Self::SignatureFalse,
        Self::PointTorsion,
        Self::PointOffTheCurve,
        Self::Tail,
        Self::Twice,
        Self::Again,
        Self::NoFrame,
        Self::FrameAlone,
    ];

    /// What a validator says of it.
    pub fn refusal(self) -> String {
        match self {
            Self::SlotRicher | Self::PointTorsion => Reason::OpeningFalse.to_string(),
            Self::Overdraft => Reason::Underflow.to_string(),
            Self::Mint => TxCode::SumsDiffer.to_string(),
            Self::SignerOther => TxCode::SignerMissing.to_string(),
            Self::SignatureFalse => TxCode::SignatureFalse.to_string(),
            Self::PointOffTheCurve => Reason::OpeningMalformed.to_string(),
            Self::Tail => Reason::TailSuperfluous.to_string(),
            Self::Twice => Reason::RepeatedInBlock.to_string(),
            Self::Again => Reason::Replayed.to_string(),
            Self::NoFrame => ChainBlockError::NoFrame.to_string(),
            Self::FrameAlone => ChainBlockError::FrameAlone.to_string(),
        }
    }

    /// The list instead of an honest one that has transactions.
    pub fn tell(self, honest: &[Bytes], knowledge: &Knowledge) -> Vec<Bytes> {
        match self {
            Self::Again => knowledge.decided.iter().cloned().map(Bytes::from).collect(),
            Self::NoFrame => honest[1..].iter().chain(&honest[1..]).cloned().collect(),
            Self::FrameAlone => honest[..1].to_vec(),
            Self::Twice => honest.iter().chain(honest.last()).cloned().collect(),
            _ => {
                let mut block = ChainBlock::from_txs(0, honest, &knowledge.parameters).unwrap();
                self.spoil(&mut block, knowledge);
                block.to_txs().into_iter().map(Bytes::from).collect()
            }
        }
    }

    fn spoil(self, block: &mut ChainBlock, knowledge: &Knowledge) {
        let transaction = &mut block.aggregated.block.transactions[0];
        let signatures = &mut block.signatures[0];
        let mut signer = payer(&signatures[0].public_key);
        match self {
            Self::SlotRicher => transaction.claims[0].slot.value = Value::from(u64::MAX.to_be_bytes().as_slice()),
            Self::Overdraft => transaction.operations.iter_mut().take(2).for_each(|operation| match operation {
                Operation::Add(_, amount) | Operation::Sub(_, amount) => *amount += 2 * OWNERS * START,
                other => panic!("a payment has no {other:?}"),
            }),
            Self::Mint => transaction.operations.push(Operation::Add(transaction.operations[1].key().clone(), 1)),
            Self::SignerOther => signer = SigningKey::from_bytes(&[9; 32]),
            Self::PointTorsion => block.aggregated.points[0] = points::torsion(7),
            Self::PointOffTheCurve => block.aggregated.points[0] = points::off_the_curve(7),
            Self::Tail => {
                let slot = transaction.claims[0].slot.clone();
                let length = usize::try_from(knowledge.parameters.positions_per_vector()).unwrap();
                block.aggregated.block.tail_vectors.push(vec![slot; length]);
            }
            _ => {}
        }
        let signed = SignedTransaction::sign(transaction.clone(), &knowledge.id, &[signer]);
        *signatures = signed.signatures;
        if self == Self::SignatureFalse {
            transaction.nonce[15] ^= 1;
        }
    }
}

/// The owner of an account of genesis, by public key.
fn payer(public_key: &[u8; 32]) -> SigningKey {
    (0..OWNERS).map(owner).find(|owner| owner.verifying_key().to_bytes() == *public_key).unwrap()
}
