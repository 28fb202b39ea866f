//! Bounds the work that waits for a block, in all and per signer, and remembers whose openings
//! CheckTx has verified.
//!
//! Work is counted in gas (`docs/network.md`, Work), and so much may wait as [`WAITING_BLOCKS`]
//! blocks hold. A signer may have waiting at most half of the room that is **left**: who has much
//! makes little room for more of his own, and room for others stays however many signers there are.
//! Between two blocks at most [`VERIFIED_BLOCKS`] blocks' worth is verified, and of what is left of
//! that a transaction may take an eighth: large ones come to an end before small ones do. False
//! openings with a true payer count fourfold until the next block.
//!
//! None of this is a rule of blocks: validators need not agree on it.

use std::collections::HashMap;

use aardvark_chain::TxCode;

/// How many blocks' worth of work may wait.
const WAITING_BLOCKS: u64 = 4;
/// A signer may have one part in so many of the room that is left.
const SHARE: u64 = 2;
/// How many blocks' worth of work is verified between two blocks.
const VERIFIED_BLOCKS: u64 = 2;
/// A transaction may take one part in so many of the work that may still be verified.
const PART: u64 = 8;
/// How much more than true openings false ones count.
const PENALTY: u64 = 4;

/// The SHA-256 of submitted bytes.
pub(super) type Digest = [u8; 32];
/// A public key.
pub(super) type Signer = [u8; 32];

/// How much work whose transaction is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Load {
    pub(super) gas: u64,
    pub(super) signers: Vec<Signer>,
}

/// What waits, by its bytes' digest.
#[derive(Debug)]
pub(super) struct Waiting {
    max_gas: u64,
    loads: HashMap<Digest, Known>,
    of_signer: HashMap<Signer, u64>,
    total: u64,
    /// What false openings cost since the last block.
    penalties: Vec<Load>,
    verified: u64,
}

#[derive(Debug)]
struct Known {
    load: Load,
    /// The version at which it was last looked at.
    seen: u64,
    /// Whether its openings were found true.
    is_true: bool,
}

impl Waiting {
    /// Nothing waits for blocks of at most so much work.
    pub(super) fn new(max_gas: u64) -> Self {
        let (loads, of_signer) = (HashMap::new(), HashMap::new());
        Self { max_gas, loads, of_signer, total: 0, penalties: Vec::new(), verified: 0 }
    }

    /// How many wait, and their work.
    pub(super) fn size(&self) -> (usize, u64) {
        (self.loads.len(), self.total)
    }

    /// Whether signatures and openings of these bytes are true.
    pub(super) fn knows(&self, digest: &Digest) -> bool {
        self.loads.get(digest).is_some_and(|known| known.is_true)
    }

    /// Whether there is room for a transaction.
    pub(super) fn has_room(&self, load: &Load) -> Result<(), TxCode> {
        if load.gas > self.max_gas {
            return Err(TxCode::TooMuchWork);
        }
        let unverified = self.max_gas.saturating_mul(VERIFIED_BLOCKS).saturating_sub(self.verified);
        // The first after a block may be as large as a block.
        if self.verified > 0 && load.gas > unverified / PART {
            return Err(TxCode::Busy);
        }
        let room = self.max_gas.saturating_mul(WAITING_BLOCKS).saturating_sub(self.total);
        let held = |signer| self.of_signer.get(signer).copied().unwrap_or(0);
        let fits = |signer| held(signer).saturating_add(load.gas) <= room / SHARE;
        if load.signers.iter().all(fits) { Ok(()) } else { Err(TxCode::TooMuchWaiting) }
    }

    /// Counts a transaction that is about to be verified.
    pub(super) fn take(&mut self, digest: Digest, load: Load, version: u64) -> Result<(), TxCode> {
        self.has_room(&load)?;
        self.verified = self.verified.saturating_add(load.gas);
        self.add(&load);
        if let Some(same) = self.loads.insert(digest, Known { load, seen: version, is_true: false }) {
            self.subtract(&same.load);
        }
        Ok(())
    }

    /// Its signatures and openings are true.
    pub(super) fn believe(&mut self, digest: &Digest) {
        if let Some(known) = self.loads.get_mut(digest) {
            known.is_true = true;
        }
    }

    /// It waits no longer, or its openings were false.
    pub(super) fn remove(&mut self, digest: &Digest) -> Option<Load> {
        let Known { load, .. } = self.loads.remove(digest)?;
        self.subtract(&load);
        Some(load)
    }

    /// A payer has false openings verified.
    pub(super) fn punish(&mut self, load: Load) {
        let load = Load { gas: load.gas.saturating_mul(PENALTY), ..load };
        self.add(&load);
        self.penalties.push(load);
    }

    /// It still waits at a version.
    pub(super) fn still_waits(&mut self, digest: &Digest, version: u64) {
        if let Some(known) = self.loads.get_mut(digest) {
            known.seen = version;
        }
    }

    /// A block was decided. CometBFT asks after each block about all that wait: what it did not ask
    /// about after the last is gone.
    pub(super) fn begin(&mut self, version: u64) {
        self.verified = 0;
        for load in std::mem::take(&mut self.penalties) {
            self.subtract(&load);
        }
        let is_gone = |known: &Known| known.seen.saturating_add(1) < version;
        let gone: Vec<_> = self.loads.iter().filter(|(_, known)| is_gone(known)).map(|(digest, _)| *digest).collect();
        gone.iter().for_each(|digest| drop(self.remove(digest)));
    }

    fn add(&mut self, load: &Load) {
        self.total = self.total.saturating_add(load.gas);
        for signer in &load.signers {
            let held = self.of_signer.entry(*signer).or_default();
            *held = held.saturating_add(load.gas);
        }
    }

    fn subtract(&mut self, load: &Load) {
        self.total = self.total.saturating_sub(load.gas);
        for signer in &load.signers {
            let held = self.of_signer.get(signer).copied().unwrap_or(0).saturating_sub(load.gas);
            match held {
                0 => drop(self.of_signer.remove(signer)),
                held => drop(self.of_signer.insert(*signer, held)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a payment and what the largest transaction of a flood are, and a block.
    const SMALL: u64 = 700;
    const LARGE: u64 = 22_000;
    const BLOCK: u64 = 2_000_000;

    fn load(signer: u8, gas: u64) -> Load {
        Load { gas, signers: vec![[signer; 32]] }
    }

    fn digest(number: u64) -> Digest {
        let mut digest = [0; 32];
        digest[..8].copy_from_slice(&number.to_be_bytes());
        digest
    }

    /// Takes as many as there is room for, in as many blocks' time as that takes, while nothing of
    /// it is decided.
    fn fill(waiting: &mut Waiting, first: u64, signers: u64, gas: u64, blocks: u64) -> u64 {
        let mut number = first;
        for version in 1..=blocks {
            while waiting.take(digest(number), load((first + number % signers).to_be_bytes()[7], gas), version).is_ok()
            {
                number += 1;
            }
            let all: Vec<_> = waiting.loads.keys().copied().collect();
            all.iter().for_each(|digest| waiting.still_waits(digest, version + 1));
            waiting.begin(version + 1);
        }
        number - first
    }

    #[test]
    fn two_payers_have_two_thousand_payments_waiting() {
        let mut waiting = Waiting::new(BLOCK);
        assert!(fill(&mut waiting, 0, 2, SMALL, 1) > 2_000);
    }

    #[test]
    fn who_floods_leaves_room_for_the_payments_of_others() {
        for flooders in [1, 16, 64, 200] {
            let mut waiting = Waiting::new(BLOCK);
            assert!(fill(&mut waiting, 0, flooders, LARGE, 3) > 0);
            assert_eq!(waiting.has_room(&load(0, LARGE)), Err(TxCode::TooMuchWaiting));
            assert!(waiting.total <= WAITING_BLOCKS * BLOCK);
            // Before anything of it is decided: ten payments of one who comes new.
            for number in 0..10 {
                assert_eq!(
                    waiting.take(digest(1_000_000 + number), load(255, SMALL), 5),
                    Ok(()),
                    "{flooders} {number}"
                );
            }
        }
    }

    #[test]
    fn small_transactions_are_verified_when_large_ones_are_not_any_more() {
        let mut waiting = Waiting::new(BLOCK);
        let mut number = 0;
        while waiting.take(digest(number), load(number.to_be_bytes()[7], LARGE), 1).is_ok() {
            number += 1;
        }
        assert_eq!(waiting.has_room(&load(255, LARGE)), Err(TxCode::Busy));
        for number in 0..100 {
            assert_eq!(waiting.take(digest(1_000_000 + number), load(255, SMALL), 1), Ok(()));
        }
        assert!(waiting.verified <= VERIFIED_BLOCKS * BLOCK);
        waiting.begin(2);
        assert_eq!(waiting.has_room(&load(255, LARGE)), Ok(()));
    }

    #[test]
    fn a_transaction_may_be_as_large_as_a_block_and_no_larger() {
        let waiting = Waiting::new(BLOCK);
        assert_eq!(waiting.has_room(&load(1, BLOCK)), Ok(()));
        assert_eq!(waiting.has_room(&load(1, BLOCK + 1)), Err(TxCode::TooMuchWork));
    }

    #[test]
    fn false_openings_count_fourfold_until_the_next_block() {
        let mut waiting = Waiting::new(BLOCK);
        let mut number = 0;
        while waiting.take(digest(number), load(1, LARGE), 1).is_ok() {
            let load = waiting.remove(&digest(number)).unwrap();
            waiting.punish(load);
            number += 1;
        }
        assert!((1..=BLOCK * WAITING_BLOCKS / PENALTY / LARGE).contains(&number), "{number}");
        assert_eq!(waiting.has_room(&load(2, SMALL)), Ok(()));
        waiting.begin(2);
        assert_eq!((waiting.total, waiting.of_signer.len()), (0, 0));
    }

    #[test]
    fn what_is_not_asked_about_any_more_is_gone_after_the_second_block() {
        let mut waiting = Waiting::new(BLOCK);
        waiting.take(digest(1), load(1, SMALL), 7).unwrap();
        waiting.take(digest(2), Load { gas: SMALL, signers: vec![[1; 32], [2; 32]] }, 7).unwrap();
        assert!(!waiting.knows(&digest(1)), "nothing was verified yet");
        waiting.believe(&digest(1));
        waiting.believe(&digest(2));
        waiting.begin(8);
        waiting.still_waits(&digest(2), 8);
        assert!(waiting.knows(&digest(1)));
        waiting.begin(9);
        assert!(!waiting.knows(&digest(1)) && waiting.knows(&digest(2)));
        assert_eq!((waiting.total, waiting.of_signer[&[1; 32]]), (SMALL, SMALL));
        assert_eq!(waiting.remove(&digest(2)).unwrap().gas, SMALL);
        assert_eq!((waiting.total, waiting.of_signer.len(), waiting.remove(&digest(2))), (0, 0, None));
    }
}
