//! The anchor's version against the replayed one.

use aardvark_algebra::integers::u64_of_usize;
use aardvark_commitment::Commitment;

use crate::archive::Archive;
use crate::error::Place;

use super::{Anchor, AnchoredCommitments, Audit, Fault, Stop};

impl Audit<'_> {
    /// A version that the archive does not have, perhaps not any more.
    pub(super) fn find_unreached_anchor(&mut self) {
        let newest = self.archive.version();
        if let Some(version) = self.anchor.map(|anchor| anchor.version(newest)).filter(|version| *version > newest) {
            self.find(Place::Anchor(version), Fault::Behind(newest));
        }
    }

    /// Compares the version that the replay has come to, if it is the anchor's.
    pub(super) fn compare_anchor(&mut self, replayed: &Archive) -> Result<(), Stop> {
        let version = replayed.version();
        let Some(anchor) = self.anchor.filter(|anchor| anchor.version(self.archive.version()) == version) else {
            return Ok(());
        };
        self.anchored = Some(version);
        let fault = match anchor {
            Anchor::Commitments(known) => fault_of(known, replayed)?,
            Anchor::Root { root, .. } => {
                let found = replayed.validator()?.root();
                (found != *root).then_some(Fault::OtherRoot(found))
            }
        };
        fault.into_iter().for_each(|fault| self.find(Place::Anchor(version), fault));
        Ok(())
    }
}

/// How the newest version of an archive differs from what is known of it.
fn fault_of(known: &AnchoredCommitments, replayed: &Archive) -> Result<Option<Fault>, Stop> {
    if *replayed.id() != known.dictionary {
        return Ok(Some(Fault::OtherDictionary(replayed.id().0)));
    }
    if replayed.size() != known.size {
        return Ok(Some(Fault::OtherSize { stored: replayed.size(), anchored: known.size }));
    }
    let found: Vec<_> = replayed.commitments(known.version)?.iter().map(Commitment::to_bytes).collect();
    // Both have one for each vector, unless the anchor contradicts its own number of slots.
    let differ = |vector: &usize| found.get(*vector) != known.commitments.get(*vector);
    let differing = || (0..found.len().max(known.commitments.len())).filter(differ);
    Ok(differing()
        .next()
        .map(|first| Fault::OtherCommitments { first: u64_of_usize(first), number: u64_of_usize(differing().count()) }))
}
