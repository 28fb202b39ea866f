//! What an honest archive says: our claims and tail vectors against those of the specification's
//! own prover.

use std::collections::BTreeMap;

use aardvark_dictionary::Block;
use aardvark_spec::block::prover::{honest_claims, honest_tail_vectors};
use aardvark_spec::block::tail::tail_needed;
use aardvark_spec::commitment::opening::Opening;
use aardvark_spec::convert::{to_seq, to_vec};

use crate::compare::{Mismatch, point, same};
use crate::convert::{operation_to_spec, slot_from_spec};
use crate::pair::{Pair, spec_array};
use crate::plan::{BlockPlan, ClaimsPlan};

/// Compares the claims and tail vectors of an honest block with the specification's.
///
/// # Errors
/// Where they differ.
pub fn compare(pair: &Pair, plan: &BlockPlan, block: &Block) -> Result<(), Mismatch> {
    let archive = &pair.archive;
    let setup = &archive.setting().setup;
    let all_claims = plan.transactions.iter().all(|transaction| transaction.claims == ClaimsPlan::All);
    for transaction in &block.transactions {
        let array = spec_array(archive.array(transaction.first_valid - 1));
        let operations = to_seq(transaction.operations.iter().map(operation_to_spec).collect());
        let specified: BTreeMap<u64, _> = to_vec(&honest_claims(setup, &array, &operations))
            .into_iter()
            .filter_map(|claim| match claim.claim_opening {
                Opening::Malformed => None,
                Opening::Point(exponent) => {
                    let slot = slot_from_spec(&claim.claim_slot);
                    Some((claim.claim_position as u64, (slot, point(&exponent, &archive.points))))
                }
            })
            .collect();
        for claim in &transaction.claims {
            let ours = (claim.slot.clone(), claim.opening);
            same("an honest claim", specified.get(&claim.position), Some(&ours))?;
        }
        let count = if all_claims { transaction.claims.len() } else { specified.len() };
        same("number of honest claims", specified.len(), count)?;
    }
    let (start, n) = (pair.state.tail_start, archive.vector_size() as usize);
    let needed = block.tail_vectors.len();
    let vectors = honest_tail_vectors(&spec_array(archive.now()), start, n, needed);
    let vectors: Vec<Vec<_>> =
        to_vec(&vectors).iter().map(|vector| to_vec(vector).iter().map(slot_from_spec).collect()).collect();
    same("honest tail vectors", &vectors, &block.tail_vectors)?;
    let least = tail_needed(start, 1, n);
    same("no block needs more tail vectors than one that deletes everything", true, needed <= least)
}
