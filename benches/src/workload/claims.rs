//! All claims of one version that later blocks will bring, made while the archive stands at that
//! version.

use std::collections::BTreeMap;

use aardvark_algebra::Scalar;
use aardvark_dictionary::{Claim, Transaction};
use rayon::prelude::*;

use crate::error::{BenchError, require};
use crate::workload::archive::MemoryArchive;
use crate::workload::plan::Step;
use crate::workload::prover::Prover;

/// The transactions of a plan, to which claims are added version by version.
#[derive(Debug)]
pub struct Claimed {
    /// Block by block, in the order of the plan.
    blocks: Vec<Vec<Transaction>>,
}

/// A claim that is to be made.
#[derive(Clone, Copy, Debug)]
struct Request {
    position: u64,
    block: usize,
    transaction: usize,
}

impl Claimed {
    /// All transactions of a plan, still without claims.
    pub fn new(plan: &[Vec<Step>], window: u32) -> Self {
        let transactions = |steps: &Vec<Step>| steps.iter().map(|step| step.transaction(window)).collect();
        Self { blocks: plan.iter().map(transactions).collect() }
    }

    /// Takes the transactions of a block out.
    pub fn take(&mut self, block: usize) -> Vec<Transaction> {
        self.blocks.get_mut(block).map(std::mem::take).unwrap_or_default()
    }

    /// Adds every claim of version `version`, where the archive stands, that the blocks from
    /// `first_block` on bring. Gives their number.
    pub fn add_claims(
        &mut self,
        archive: &MemoryArchive,
        version: u64,
        first_block: usize,
        prover: &Prover,
    ) -> Result<usize, BenchError> {
        let vector_size = prover.vector_size() as u64;
        let mut by_vector: BTreeMap<u64, Vec<Request>> = BTreeMap::new();
        for (block, transactions) in self.blocks.iter().enumerate().skip(first_block) {
            for (transaction, content) in transactions.iter().enumerate().filter(|(_, t)| t.first_valid == version + 1)
            {
                for position in content.operations.iter().flat_map(|operation| archive.positions_to_claim(operation)) {
                    by_vector.entry(position / vector_size).or_default().push(Request { position, block, transaction });
                }
            }
        }
        let made: Vec<Vec<Claim>> = by_vector
            .par_iter()
            .map(|(vector, requests)| make(archive, *vector, requests, prover))
            .collect::<Result<_, _>>()?;
        let claims = by_vector.into_values().flatten().zip(made.into_iter().flatten());
        let mut count = 0;
        for (request, claim) in claims {
            let transaction = self.blocks.get_mut(request.block).and_then(|block| block.get_mut(request.transaction));
            transaction.into_iter().for_each(|transaction| transaction.claims.push(claim.clone()));
            count += 1;
        }
        Ok(count)
    }
}

/// The claims of one vector, in the order of the requests.
fn make(archive: &MemoryArchive, vector: u64, requests: &[Request], prover: &Prover) -> Result<Vec<Claim>, BenchError> {
    let vector_size = prover.vector_size();
    let scalars: &[Scalar] = archive.scalars().chunks(vector_size).nth(vector as usize).unwrap_or_default();
    let indices: Vec<usize> = requests.iter().map(|request| (request.position % vector_size as u64) as usize).collect();
    let openings = prover.open(scalars, &indices)?;
    require(openings.len() == requests.len(), || format!("vector {vector} was not opened everywhere"))?;
    let claim = |(request, opening): (&Request, aardvark_commitment::Opening)| {
        let position = request.position;
        let slot = archive.slot(position).cloned();
        let missing = || BenchError::Wrong(format!("nothing stands at position {position}"));
        slot.map(|slot| Claim { position, slot, opening: opening.to_bytes() }).ok_or_else(missing)
    };
    requests.iter().zip(openings).map(claim).collect()
}
