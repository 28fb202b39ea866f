//! Which blocks CometBFT may delete.
//!
//! After each block the validator names a height; CometBFT deletes the blocks below it, its own
//! records of them too. The validator itself needs none: its state is on disk before. Others need
//! some, and these stay whatever is asked for:
//!
//! | blocks | who needs them |
//! |---|---|
//! | as many as evidence of misbehaviour may be old (`max_age_num_blocks` of genesis) | nodes that judge evidence look the block up; one that had deleted it would refuse what others accept |
//! | from the oldest snapshot on | who joins by state sync goes on from the snapshot's height |
//!
//! Archives read blocks from nodes: one that is further behind than nodes retain begins from a
//! backup or reads from another archive.

use serde::Deserialize;

/// `max_age_num_blocks` where genesis does not say: CometBFT's default.
const EVIDENCE_BLOCKS: u64 = 100_000;

/// How many blocks stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pruning {
    /// As many as the operator wants; 0: all.
    retained: u64,
    /// As many as evidence may be old.
    evidence: u64,
}

impl Pruning {
    /// As many as the operator wants, and as many as the genesis file says that evidence may be
    /// old.
    pub(super) fn new(retained: u64, genesis: &[u8]) -> Self {
        Self { retained, evidence: evidence_blocks(genesis) }
    }

    /// The least height that stays after this one; 0: nothing is deleted.
    pub(super) fn retain_height(&self, height: u64, oldest_snapshot: Option<u64>) -> u64 {
        if self.retained == 0 {
            return 0;
        }
        // The last block is always needed, and height 0 is none.
        let kept = self.retained.max(self.evidence).max(1);
        let least = (height + 1).saturating_sub(kept);
        oldest_snapshot.map_or(least, |snapshot| least.min(snapshot))
    }
}

/// What a genesis file says of evidence, if it can be read so far.
fn evidence_blocks(genesis: &[u8]) -> u64 {
    let file: Option<GenesisJson> = serde_json::from_slice(genesis).ok();
    let said = file.and_then(|file| file.consensus_params?.evidence?.max_age_num_blocks.parse().ok());
    said.unwrap_or(EVIDENCE_BLOCKS)
}

#[derive(Deserialize)]
struct GenesisJson {
    consensus_params: Option<ConsensusJson>,
}

#[derive(Deserialize)]
struct ConsensusJson {
    evidence: Option<EvidenceJson>,
}

#[derive(Deserialize)]
struct EvidenceJson {
    max_age_num_blocks: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(retained: u64, evidence: u64) -> Pruning {
        let genesis = format!(r#"{{"consensus_params":{{"evidence":{{"max_age_num_blocks":"{evidence}"}}}}}}"#);
        Pruning::new(retained, genesis.as_bytes())
    }

    #[test]
    fn blocks_stay_that_operators_evidence_or_snapshots_need() {
        assert_eq!(of(0, 5).retain_height(1000, None), 0);
        // 998, 999 and 1000 are three.
        assert_eq!(of(3, 1).retain_height(1000, None), 998);
        assert_eq!(of(3, 10).retain_height(1000, None), 991);
        assert_eq!(of(3, 1).retain_height(1000, Some(990)), 990);
        assert_eq!(of(3, 1).retain_height(1000, Some(999)), 998);
        assert_eq!(of(3, 1).retain_height(2, None), 0);
        assert_eq!(of(3, 1).retain_height(3, None), 1);
        assert_eq!(of(1, 0).retain_height(7, None), 7);
    }

    #[test]
    fn evidence_is_cometbft_s_default_where_genesis_does_not_say() {
        for genesis in
            ["{}", "", r#"{"consensus_params":{}}"#, r#"{"consensus_params":{"evidence":{"max_age_num_blocks":"x"}}}"#]
        {
            assert_eq!(Pruning::new(3, genesis.as_bytes()), Pruning { retained: 3, evidence: 100_000 }, "{genesis}");
        }
    }
}
