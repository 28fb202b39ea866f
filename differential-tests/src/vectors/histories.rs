//! Histories: a genesis, blocks as bytes, and what must come of each.

use aardvark_algebra::scalar_to_bytes;
use aardvark_dictionary::{Block, Slot};
use serde::{Deserialize, Serialize};

use super::file::Hex;
use super::identities::{EntryJson, IdentityJson, ParametersJson};
use crate::compare::Mismatch;
use crate::convert::Refusal;
use crate::pair::Verdict;
use crate::points::Meaning;
use crate::scene::Scene;
use crate::setting::secret;

/// A dictionary, and blocks in order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HistoryCase {
    /// The dictionary's name, salt and binding.
    pub identity: IdentityJson,
    /// The dictionary's parameters.
    pub parameters: ParametersJson,
    /// τ for KZG, α for Libert–Yung: the setup is that of this secret.
    pub secret: Hex,
    /// The entries of genesis.
    pub entries: Vec<EntryJson>,
    /// The dictionary's id.
    pub dictionary_id: Hex,
    /// The commitments at version 0.
    pub commitments: Vec<Hex>,
    /// The blocks. One that is refused leaves everything as it was.
    pub steps: Vec<Step>,
}

/// A block and what comes of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// The block, encoded.
    pub block: Hex,
    /// For every claim of the block in order the discrete logarithm of its opening's part in the
    /// subgroup, for specifications that work with exponents; null where the opening is malformed.
    pub openings: Vec<Option<Hex>>,
    /// What must come of it.
    pub expected: Expected,
}

/// What must come of a block.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Expected {
    /// It is valid.
    Accepted(Outcomes),
    /// It is refused.
    Refused(Refused),
}

/// What a valid block does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outcomes {
    /// The ids of its transactions.
    pub transactions: Vec<Hex>,
    /// The positions whose content changed, ascending, with their new content.
    pub writes: Vec<WriteJson>,
    /// Number of slots after it.
    pub slots: u64,
    /// Where the tail starts after it.
    pub tail_start: u64,
    /// The commitments after it.
    pub commitments: Vec<Hex>,
}

/// A write.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WriteJson {
    /// The position.
    pub position: u64,
    /// Its content; null where it is unused.
    pub slot: Option<SlotJson>,
}

/// A slot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SlotJson {
    /// The key.
    pub key: Hex,
    /// The value.
    pub value: Hex,
    /// The next key.
    pub next: Hex,
}

impl From<&Slot> for SlotJson {
    fn from(slot: &Slot) -> Self {
        Self { key: (&slot.key).into(), value: (&slot.value).into(), next: (&slot.next).into() }
    }
}

/// Why a block is refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Refused {
    /// The reason's name.
    pub reason: String,
    /// The number of the transaction at fault.
    pub transaction: Option<usize>,
    /// The number of the operation, claim or tail vector at fault.
    pub item: Option<usize>,
}

impl From<&Refusal> for Refused {
    fn from(refusal: &Refusal) -> Self {
        Self { reason: refusal.reason.clone(), transaction: refusal.transaction, item: refusal.item }
    }
}

/// A scene whose blocks are written down.
pub(super) struct Recorder {
    pub(super) scene: Scene,
    case: HistoryCase,
}

impl Recorder {
    /// A scene at version 0.
    pub(super) fn new(scene: Scene) -> Self {
        let validator = &scene.pair.validator;
        let entries = scene.pair.archive.map();
        let case = HistoryCase {
            identity: (&scene.pair.archive.setting().identity).into(),
            parameters: validator.parameters().into(),
            secret: scalar_to_bytes(&secret()).into(),
            entries: entries.iter().map(|(key, value)| (key.into(), value.into())).collect(),
            dictionary_id: validator.id().0.into(),
            commitments: commitments(&scene),
            steps: Vec::new(),
        };
        Self { scene, case }
    }

    /// Gives a block to both sides and writes down what they say; the reason, where they refuse it.
    pub(super) fn step(&mut self, block: &Block) -> Result<Option<String>, Mismatch> {
        let claims = block.transactions.iter().flat_map(|transaction| &transaction.claims);
        let openings = claims.map(|claim| match self.scene.pair.archive.points.meaning(&claim.opening) {
            Meaning::Malformed => None,
            Meaning::Exponent(exponent) => Some(scalar_to_bytes(&exponent).into()),
        });
        let openings = openings.collect();
        let verdict = self.scene.pair.step(block)?;
        let expected = match &verdict {
            Verdict::Refused(refusal) => Expected::Refused(refusal.into()),
            Verdict::Accepted(accepted) => Expected::Accepted(Outcomes {
                transactions: accepted.applied.transactions.iter().map(|id| id.0.into()).collect(),
                writes: accepted.applied.writes.iter().map(write_json).collect(),
                slots: accepted.applied.size,
                tail_start: self.scene.pair.validator.tail().start(),
                commitments: commitments(&self.scene),
            }),
        };
        self.case.steps.push(Step { block: block.encode().into(), openings, expected });
        Ok(verdict.reason().map(str::to_owned))
    }

    /// What was written down.
    pub(super) fn finish(self) -> HistoryCase {
        self.case
    }
}

fn write_json(write: &aardvark_dictionary::array::Write) -> WriteJson {
    WriteJson { position: write.position, slot: write.after.as_ref().map(SlotJson::from) }
}

fn commitments(scene: &Scene) -> Vec<Hex> {
    scene.pair.validator.commitments().iter().map(|commitment| commitment.to_bytes().into()).collect()
}
