//! What stands in the chain's blocks, as a node's results of each height say.

use std::collections::{BTreeMap, BTreeSet};

use aardvark_chain::TxCode;
use aardvark_localnet::Rpc;
use serde_json::{Value, json};

/// The transactions of all heights that were read.
#[derive(Default)]
pub struct Blocks {
    read: u64,
    /// By id: where it stands, and its code.
    found: BTreeMap<String, Vec<(u64, u64)>>,
    /// Heights whose block breaks the rules and is applied as empty.
    refused: BTreeSet<u64>,
}

impl Blocks {
    /// Reads on, up to a height.
    pub fn read_to(&mut self, rpc: &Rpc, height: u64) {
        while self.read < height {
            let next = self.read + 1;
            let results = rpc.call("block_results", &json!({ "height": next.to_string() })).unwrap();
            let results = results["txs_results"].as_array().cloned().unwrap_or_default();
            let refused = u64::from(TxCode::BlockRefused.number());
            if results.iter().any(|result| result["code"] == refused) {
                assert!(results.iter().all(|result| result["code"] == refused), "height {next}: {results:?}");
                self.refused.insert(next);
            } else {
                // The frame has no event.
                let of_frame = |result: &&Value| result["events"].as_array().unwrap().is_empty();
                assert!(results.iter().filter(of_frame).all(|frame| frame["code"] == 0), "height {next}: {results:?}");
                for (id, code) in results.iter().filter_map(identity) {
                    self.found.entry(id).or_default().push((next, code));
                }
            }
            self.read = next;
        }
    }

    /// Those that stand in no block.
    pub fn lacking(&self, submitted: &BTreeSet<String>) -> Vec<String> {
        submitted.iter().filter(|id| !self.found.contains_key(*id)).cloned().collect()
    }

    /// Demands that exactly these stand in blocks, each in one, and each applied.
    pub fn demand_exactly(&self, submitted: &BTreeSet<String>) {
        for (id, places) in &self.found {
            assert!(submitted.contains(id), "{id} stands in {places:?}, and nobody who may has submitted it");
            assert!(matches!(places.as_slice(), [(_, 0)]), "{id} stands in {places:?}");
        }
        assert_eq!(self.lacking(submitted), Vec::<String>::new());
    }

    /// Heights whose block breaks the rules and is applied as empty.
    pub fn refused(&self) -> &BTreeSet<u64> {
        &self.refused
    }

    /// The newest height with a transaction.
    pub fn newest(&self) -> u64 {
        self.found.values().flatten().map(|(height, _)| *height).max().unwrap_or(0)
    }

    /// How many blocks have transactions, and how many the fullest has.
    pub fn fullness(&self) -> (usize, usize) {
        let mut counts: BTreeMap<u64, usize> = BTreeMap::new();
        for (height, _) in self.found.values().flatten() {
            *counts.entry(*height).or_default() += 1;
        }
        (counts.len(), counts.values().copied().max().unwrap_or(0))
    }
}

/// Id and code of a result; `None` for a frame's.
fn identity(result: &Value) -> Option<(String, u64)> {
    let attributes = result["events"].as_array()?.first()?["attributes"].as_array()?;
    let id = attributes.iter().find(|attribute| attribute["key"] == "id")?;
    Some((id["value"].as_str()?.to_owned(), result["code"].as_u64()?))
}
