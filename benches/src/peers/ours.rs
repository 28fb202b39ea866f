//! Ours on a scene: an archive on its store, and a validator that follows it.

use std::path::Path;
use std::sync::Arc;

use aardvark_archive::Archive;
use aardvark_commitment::{BatchClaim, Commitment, Opening, Scheme, VectorCommitment};
use aardvark_dictionary::{Claim, Genesis, Key, Operation, Parameters, Transaction, Value};

use super::rows::{Figures, Following};
use super::scene::{Record, Scene, changes, key_of};
use crate::error::{BenchError, require};
use crate::measure::clock::timed;
use crate::measure::memory;
use crate::measure::statistics::Samples;
use crate::sizes::{Kept, claim_bytes};
use crate::workload::history::identity;

/// Runs of what is repeated.
const RUNS: usize = 5;

/// What ours took, in a directory of its own.
pub fn measure(scene: &Scene, scheme: &Arc<Scheme>) -> Result<Figures, BenchError> {
    let directory = tempfile::tempdir().map_err(|source| BenchError::io("a temporary directory", source))?;
    let mut figures = Figures::default();
    memory::forget_peak()?;
    let mut archive = empty(&directory.path().join("archive"), scheme)?;
    let (imported, taken) = timed(|| import(&mut archive, &scene.import));
    imported?;
    require(archive.size() == scene.keys() + 1, || format!("{} slots after an import", archive.size()))?;
    figures.import.push(taken);
    figures.resident_import = memory::peak()?;
    figures.disk = archive.bytes_on_disk()?;
    let (last, earlier) = scene.updates.split_last().ok_or_else(|| BenchError::Wrong("no updates".to_owned()))?;
    for (number, block) in earlier.iter().enumerate() {
        let (updated, taken) = timed(|| archive.import(changes(block)));
        updated?;
        // The first warms up.
        if number > 0 {
            figures.updates.push(taken);
        }
    }
    let verifier = Verifier::new(&archive)?;
    proofs_of_presence(&archive, &verifier, scene, &mut figures)?;
    proofs_of_absence(&archive, &verifier, scene, &mut figures)?;
    figures.proof_bytes = claim_bytes(1) as f64;
    figures.absence_bytes = figures.proof_bytes;
    figures.stale_versions = u64::from(archive.parameters().window);
    let kept = Kept::of(scene.keys(), archive.parameters());
    figures.window = kept.window;
    let (times, bytes) = follow(&mut archive, last)?;
    figures.follow = Some(Following { times, bytes, state: kept.commitments + kept.tail });
    Ok(figures)
}

fn empty(path: &Path, scheme: &Arc<Scheme>) -> Result<Archive, BenchError> {
    let parameters = Parameters { vector_size: scheme.vector_size() as u32, ..Parameters::default() };
    let genesis = Genesis::new(identity()?, parameters, scheme.setup_digest(), Vec::new())?;
    Ok(Archive::builder().scheme(Arc::clone(scheme)).create(path, &genesis)?)
}

fn import(archive: &mut Archive, blocks: &[Vec<Record>]) -> Result<(), BenchError> {
    for block in blocks {
        archive.import(changes(block))?;
    }
    Ok(())
}

/// What a verifier keeps of a version.
struct Verifier {
    scheme: Arc<Scheme>,
    context: [u8; 32],
    version: u64,
    vector_size: u64,
    commitments: Vec<Commitment>,
}

impl Verifier {
    fn new(archive: &Archive) -> Result<Self, BenchError> {
        Ok(Self {
            scheme: Arc::clone(archive.scheme()?),
            context: archive.id().0,
            version: archive.version(),
            vector_size: archive.parameters().positions_per_vector(),
            commitments: archive.commitments(archive.version())?,
        })
    }

    /// Whether all claims hold, their openings read from bytes.
    fn verify<'a>(&self, claims: impl IntoIterator<Item = &'a Claim>) -> bool {
        let prepared: Option<Vec<BatchClaim>> = claims.into_iter().map(|claim| self.prepared(claim)).collect();
        prepared.is_some_and(|claims| self.scheme.verify_batch(&self.context, &claims))
    }

    fn prepared(&self, claim: &Claim) -> Option<BatchClaim> {
        let commitment = *self.commitments.get((claim.position / self.vector_size) as usize)?;
        let opening = Opening::from_bytes(&claim.opening).ok()?;
        let index = (claim.position % self.vector_size) as usize;
        Some(BatchClaim { label: self.version, commitment, index, scalar: claim.slot.scalar(), opening })
    }

    /// Whether a claim shows a key with a value.
    fn present(&self, claim: &Claim, (key, value): &Record) -> bool {
        let Claim { slot, .. } = claim;
        *slot.key == *key.as_slice() && *slot.value == *value.as_slice() && self.verify([claim])
    }

    /// Whether a claim shows that there is no such key. The last slot's next key is empty.
    fn absent(&self, claim: &Claim, key: &Key) -> bool {
        let Claim { slot, .. } = claim;
        let between = slot.key < *key && (slot.next.is_empty() || *key < slot.next);
        between && self.verify([claim])
    }
}

fn proofs_of_presence(
    archive: &Archive,
    verifier: &Verifier,
    scene: &Scene,
    figures: &mut Figures,
) -> Result<(), BenchError> {
    for (run, records) in scene.present.iter().enumerate() {
        let keys: Vec<Key> = records.iter().map(|(key, _)| key_of(key)).collect();
        let count = keys.len();
        let (claims, proving) = timed(|| prove(archive, &keys, verifier.version));
        let mut claims = claims?;
        let (right, verifying) =
            timed(|| claims.iter().zip(records).filter(|(claim, record)| verifier.present(claim, record)).count());
        require(right == count, || format!("{right} of {count} proofs hold"))?;
        let (right, together) = timed(|| verifier.verify(&claims));
        require(right, || "proofs do not hold together".to_owned())?;
        // The first run warms up.
        if run > 0 {
            figures.prove.push(proving.per(count));
            figures.verify.push(verifying.per(count));
            figures.verify_batch.push(together.per(count));
        }
        for (claim, (key, value)) in claims.iter_mut().zip(records) {
            require(!verifier.absent(claim, &key_of(key)), || "a key that is there is absent".to_owned())?;
            let other = value.map(|byte| byte ^ 1);
            claim.slot.value = Value::from(other.as_slice());
            require(!verifier.present(claim, &(*key, other)), || "a proof of another value holds".to_owned())?;
        }
    }
    Ok(())
}

fn proofs_of_absence(
    archive: &Archive,
    verifier: &Verifier,
    scene: &Scene,
    figures: &mut Figures,
) -> Result<(), BenchError> {
    for (run, absent) in scene.absent.iter().enumerate() {
        let keys: Vec<Key> = absent.iter().map(key_of).collect();
        let count = keys.len();
        let (claims, proving) = timed(|| prove(archive, &keys, verifier.version));
        let claims = claims?;
        let (right, verifying) =
            timed(|| claims.iter().zip(&keys).filter(|(claim, key)| verifier.absent(claim, key)).count());
        require(right == count, || format!("{right} of {count} proofs of absence hold"))?;
        if run > 0 {
            figures.prove_absent.push(proving.per(count));
            figures.verify_absent.push(verifying.per(count));
        }
    }
    Ok(())
}

fn prove(archive: &Archive, keys: &[Key], version: u64) -> Result<Vec<Claim>, BenchError> {
    keys.iter().map(|key| Ok(archive.prove(key, version)?)).collect()
}

/// A validator applies a block, with a claim for each operation, and comes to the archive's root:
/// the time, and the bytes of the block.
fn follow(archive: &mut Archive, block: &[Record]) -> Result<(Samples, u64), BenchError> {
    let version = archive.version();
    let keys: Vec<Key> = block.iter().map(|(key, _)| key_of(key)).collect();
    let claims = archive.prove_many(&keys, version)?;
    let transaction = |(number, ((key, (_, value)), claim)): (u64, ((Key, &Record), Claim))| {
        let mut nonce = [0; 16];
        nonce[..8].copy_from_slice(&number.to_be_bytes());
        let operations = vec![Operation::Put(key, Value::from(value.as_slice()))];
        Transaction { first_valid: version + 1, last_valid: version + 1, nonce, operations, claims: vec![claim] }
    };
    let transactions = (0..).zip(keys.into_iter().zip(block).zip(claims)).map(transaction).collect();
    let before = archive.validator()?;
    let proposal = archive.propose(transactions)?;
    let included = proposal.included.len();
    require(included == block.len(), || format!("of {} honest transactions {included}", block.len()))?;
    archive.apply(&proposal.block)?;
    let root = archive.validator()?.root();
    let mut times = Samples::default();
    for run in 0..=RUNS {
        let mut validator = before.clone();
        let (applied, taken) = timed(|| validator.apply(&proposal.block));
        applied?;
        require(validator.root() == root, || "a validator comes to another root".to_owned())?;
        if run > 0 {
            times.push(taken);
        }
    }
    Ok((times, proposal.block.encode().len() as u64))
}
