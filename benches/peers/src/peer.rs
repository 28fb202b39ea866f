//! The workload that every peer is measured under.

use std::path::Path;

use anyhow::{Result, ensure};
use serde::Serialize;

use crate::measure::{Clock, Taken, bytes_on_disk, forget_peak, peak_memory};
use crate::scene::{Key, Record, Scene, Value};

/// A root.
pub type Root = [u8; 32];

/// Runs of a verifier that follows a block.
const RUNS: usize = 5;

/// A dictionary that proves what it holds.
///
/// Proofs are bytes, as they would travel: [`Peer::present`] and [`Peer::absent`] decode them.
pub trait Peer: Sized {
    /// Writes a block, keys ascending; it is on disk when this returns.
    async fn write(self, block: &[Record]) -> Result<Self>;
    /// The root of what has been written.
    fn root(&self) -> Root;
    /// A proof that a key has its value.
    async fn prove(&self, key: &Key) -> Result<Vec<u8>>;
    /// A proof that there is no such key.
    async fn prove_absent(&self, key: &Key) -> Result<Vec<u8>>;
    /// Whether a proof shows a key with a value under a root.
    fn present(proof: &[u8], key: &Key, value: &Value, root: &Root) -> bool;
    /// Whether a proof shows under a root that there is no such key.
    fn absent(proof: &[u8], key: &Key, root: &Root) -> bool;
    /// Writes a block with a witness: what lets a verifier that keeps a root alone find the next
    /// one. `None` where the peer has no such thing.
    async fn write_witnessed(self, block: &[Record]) -> Result<(Self, Option<Vec<u8>>)>;
    /// The root after a block, by its witness and the root before; `None` where they do not fit.
    fn follow(witness: &[u8], block: &[Record], root: &Root) -> Option<Root>;
}

/// What a peer took.
#[derive(Clone, Debug, Serialize)]
pub struct Figures {
    /// The whole import.
    pub import: Taken,
    /// The most memory during the import, the scene included, in bytes.
    pub resident_import: u64,
    /// Disk after the import, in bytes.
    pub disk: u64,
    /// Each block of updates.
    pub updates: Vec<Taken>,
    /// A proof of a key that is there, by runs.
    pub prove: Vec<Taken>,
    /// A proof of absence, by runs.
    pub prove_absent: Vec<Taken>,
    /// Decoding and verifying a proof of a key that is there, by runs.
    pub verify: Vec<Taken>,
    /// Decoding and verifying a proof of absence, by runs.
    pub verify_absent: Vec<Taken>,
    /// Bytes of a proof of a key that is there, the mean.
    pub proof_bytes: f64,
    /// Bytes of a proof of absence, the mean.
    pub absence_bytes: f64,
    /// Following a block of updates by its witness, by runs; empty where there are no witnesses.
    pub follow: Vec<Taken>,
    /// Bytes of the witness of a block of updates; `None` where there are no witnesses.
    pub witness_bytes: Option<u64>,
}

/// Measures a peer whose files are in a directory, and checks all that it says.
pub async fn measure<P: Peer>(mut peer: P, directory: &Path, scene: &Scene) -> Result<Figures> {
    forget_peak()?;
    let clock = Clock::start();
    for block in &scene.import {
        peer = peer.write(block).await?;
    }
    let import = clock.taken(1);
    let (resident_import, disk) = (peak_memory()?, bytes_on_disk(directory)?);
    let (last, earlier) = scene.updates.split_last().ok_or_else(|| anyhow::anyhow!("no updates"))?;
    let mut updates = Vec::new();
    for (number, block) in earlier.iter().enumerate() {
        let clock = Clock::start();
        peer = peer.write(block).await?;
        // The first warms up.
        if number > 0 {
            updates.push(clock.taken(1));
        }
    }
    let present = proofs_of_presence(&peer, scene).await?;
    let absent = proofs_of_absence(&peer, scene).await?;
    let before = peer.root();
    let (peer, witness) = peer.write_witnessed(last).await?;
    ensure!(peer.root() != before, "a block changes nothing");
    let records = scene.present.iter().flatten();
    let stale = present.proofs.iter().zip(records);
    let stale = stale.filter(|(proof, (key, value))| P::present(proof, key, value, &peer.root())).count();
    ensure!(stale == 0, "{stale} proofs hold after a block, too");
    let follow = witness.as_deref().map_or(Ok(Vec::new()), |witness| followed(&peer, witness, last, &before))?;
    Ok(Figures {
        import,
        resident_import,
        disk,
        updates,
        proof_bytes: present.mean_bytes(),
        absence_bytes: absent.mean_bytes(),
        prove: present.prove,
        verify: present.verify,
        prove_absent: absent.prove,
        verify_absent: absent.verify,
        follow,
        witness_bytes: witness.map(|witness| witness.len() as u64),
    })
}

/// Proofs of one kind, of all runs, and what they took.
#[derive(Default)]
struct Proofs {
    proofs: Vec<Vec<u8>>,
    prove: Vec<Taken>,
    verify: Vec<Taken>,
}

impl Proofs {
    /// Takes a run; of the first, which warms up, the proofs only.
    fn take(&mut self, run: usize, proofs: Vec<Vec<u8>>, prove: Taken, verify: Taken) {
        self.proofs.extend(proofs);
        if run > 0 {
            self.prove.push(prove);
            self.verify.push(verify);
        }
    }

    fn mean_bytes(&self) -> f64 {
        let bytes: usize = self.proofs.iter().map(Vec::len).sum();
        bytes as f64 / self.proofs.len().max(1) as f64
    }
}

async fn proofs_of_presence<P: Peer>(peer: &P, scene: &Scene) -> Result<Proofs> {
    let root = peer.root();
    let mut result = Proofs::default();
    for (run, records) in scene.present.iter().enumerate() {
        let mut proofs = Vec::with_capacity(records.len());
        let clock = Clock::start();
        for (key, _) in records {
            proofs.push(peer.prove(key).await?);
        }
        let prove = clock.taken(proofs.len());
        let clock = Clock::start();
        let claims = proofs.iter().zip(records);
        let right = claims.filter(|(proof, (key, value))| P::present(proof, key, value, &root)).count();
        let verify = clock.taken(proofs.len());
        ensure!(right == records.len(), "{right} of {} proofs hold", records.len());
        for (proof, (key, value)) in proofs.iter().zip(records) {
            ensure!(!P::present(proof, key, &value.map(|byte| byte ^ 1), &root), "a proof of another value holds");
            ensure!(!P::absent(proof, key, &root), "a key that is there is absent");
        }
        result.take(run, proofs, prove, verify);
    }
    Ok(result)
}

async fn proofs_of_absence<P: Peer>(peer: &P, scene: &Scene) -> Result<Proofs> {
    let root = peer.root();
    let mut result = Proofs::default();
    for (run, keys) in scene.absent.iter().enumerate() {
        let mut proofs = Vec::with_capacity(keys.len());
        let clock = Clock::start();
        for key in keys {
            proofs.push(peer.prove_absent(key).await?);
        }
        let prove = clock.taken(proofs.len());
        let clock = Clock::start();
        let right = proofs.iter().zip(keys).filter(|(proof, key)| P::absent(proof, key, &root)).count();
        let verify = clock.taken(proofs.len());
        ensure!(right == keys.len(), "{right} of {} proofs of absence hold", keys.len());
        result.take(run, proofs, prove, verify);
    }
    let there = scene.present.iter().flatten();
    for (proof, (key, _)) in result.proofs.iter().zip(there) {
        ensure!(!P::absent(proof, key, &root), "a key that is there is absent by another's proof");
    }
    Ok(result)
}

/// A verifier follows a block by its witness, and does not follow another block by it.
fn followed<P: Peer>(peer: &P, witness: &[u8], block: &[Record], before: &Root) -> Result<Vec<Taken>> {
    let mut taken = Vec::new();
    for run in 0..=RUNS {
        let clock = Clock::start();
        let root = P::follow(witness, block, before);
        let time = clock.taken(1);
        ensure!(root == Some(peer.root()), "a witness leads to another root");
        if run > 0 {
            taken.push(time);
        }
    }
    let mut other = block.to_vec();
    if let Some((_, value)) = other.first_mut() {
        *value = value.map(|byte| byte ^ 1);
    }
    ensure!(P::follow(witness, &other, before) != Some(peer.root()), "another block leads to the same root");
    ensure!(P::follow(witness, block, &peer.root()).is_none(), "a witness fits another root");
    Ok(taken)
}
