//! The audit of some vectors of the newest version, and of what holds of all together: what an
//! audit by jobs consists of ([`crate::jobs`]).

use std::ops::Range;
use std::sync::Arc;

use aardvark_algebra::integers::usize_or_max;
use aardvark_algebra::parallel::prelude::*;
use aardvark_commitment::{Commitment, Scheme, VectorCommitment};
use aardvark_dictionary::{Key, Slot};

use crate::archive::Archive;
use crate::array_at::ArrayAt;
use crate::error::{ArchiveError, Place};
use crate::progress::{Phase, Progress};
use crate::tables::{Tables, Walk};

use super::invariants::BATCH;
use super::link_sum::LinkSum;
use super::{Audit, Fault, Finding, MOST_FINDINGS, Stop};

/// Keys of the index between two reports of progress.
const REPORT_EVERY: u64 = 1 << 16;

/// What an audit of some vectors gives.
pub(crate) struct AuditedVectors {
    /// The commitments computed from the slots, of the vectors whose slots can be read.
    pub(crate) commitments: Vec<Commitment>,
    /// The links of these slots.
    pub(crate) links: LinkSum,
    /// What was found, at most 100.
    pub(crate) findings: Vec<Finding>,
}

impl Archive {
    /// Audits some vectors.
    pub(crate) fn audit_vectors(
        &self,
        scheme: &Scheme,
        vectors: Range<u64>,
        progress: &mut dyn FnMut(u64),
    ) -> Result<AuditedVectors, ArchiveError> {
        let tables = self.tables()?;
        let array = ArrayAt::new(&tables, self.version(), self.version())?;
        let mut whole = AuditedVectors { commitments: Vec::new(), links: LinkSum::ZERO, findings: Vec::new() };
        for first in vectors.clone().step_by(usize_or_max(BATCH)) {
            self.work.check()?;
            let batch = first..vectors.end.min(first.saturating_add(BATCH));
            let audited = batch.into_par_iter().map(|vector| {
                let mut found = Vec::new();
                match self.audit_vector(scheme, &array, vector, &mut found) {
                    Ok(audited) => Ok((Some(audited), found)),
                    Err(error) => Finding::of(error).map(|finding| (None, [found, vec![finding]].concat())),
                }
            });
            for (audited, found) in audited.collect::<Result<Vec<_>, ArchiveError>>()? {
                whole.findings.extend(found);
                whole.findings.truncate(MOST_FINDINGS);
                if let Some((commitment, links)) = audited {
                    whole.commitments.push(commitment);
                    whole.links = whole.links.plus(links);
                }
            }
            progress(first.saturating_add(BATCH).min(vectors.end) - vectors.start);
        }
        Ok(whole)
    }

    /// The commitment of one vector, computed from its slots, and their links.
    fn audit_vector(
        &self,
        scheme: &Scheme,
        array: &ArrayAt<'_>,
        vector: u64,
        found: &mut Vec<Finding>,
    ) -> Result<(Commitment, LinkSum), ArchiveError> {
        let vector_size = self.parameters().positions_per_vector();
        let start = vector * vector_size;
        let slots = array.slots(start, self.size().min(start.saturating_add(vector_size)))?;
        let tables = self.tables()?;
        audit_order(&tables, start, &slots, found)?;
        let scalars = Slot::scalars(&slots);
        let commitment = scheme.commit(&scalars)?;
        if commitment != tables.commitment(vector)? {
            found.push(super::invariants::false_commitment(vector));
        }
        let links = (start..).zip(&slots).fold(LinkSum::ZERO, |sum, (at, slot)| sum.and(at, &slot.key, &slot.next));
        Ok((commitment, links))
    }

    /// What holds of all vectors together, once each has been audited. With as many keys in the
    /// index as there are slots, each of which it leads to and back, the slots form one ring; where
    /// every vector's links are given, they are those of the index as it is now, whatever it was
    /// when a vector was audited. No record stands beyond the last one, and the blocks are linked
    /// to the dictionary's id, which is that of parameters and genesis.
    pub(crate) fn audit_whole(
        &self,
        scheme: Arc<Scheme>,
        links: Option<LinkSum>,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Vec<Finding>, ArchiveError> {
        let mut audit = Audit { archive: self, scheme, anchor: None, anchored: None, findings: Vec::new(), progress };
        audit.collect(Audit::links)?;
        audit.collect(Audit::nothing_beyond)?;
        audit.collect(|audit| audit.index_of(links))?;
        Ok(audit.findings)
    }
}

impl Audit<'_> {
    /// The index has as many keys as there are slots, and their links.
    fn index_of(&mut self, links: Option<LinkSum>) -> Result<(), Stop> {
        let total = self.archive.size();
        let (mut keys, mut sum) = (0, LinkSum::ZERO);
        let tables = self.archive.tables()?;
        let mut entries = tables.index()?;
        let mut ahead = entries.next().transpose()?;
        while let Some((key, position)) = ahead {
            ahead = entries.next().transpose()?;
            sum = sum.and(position, &key, ahead.as_ref().map_or(&Key::empty(), |(next, _)| next));
            keys += 1;
            if keys % REPORT_EVERY == 0 {
                (self.progress)(Progress { phase: Phase::Compare, done: keys.min(total), total });
            }
        }
        if keys != total {
            self.find(
                Place::Index(Key::empty()),
                Fault::Invariant("the index has not as many keys as there are slots"),
            );
        } else if links.is_some_and(|links| links != sum) {
            self.find(
                Place::Index(Key::empty()),
                Fault::Invariant("the keys and their order are not those that the partitions' records have"),
            );
        }
        Ok(())
    }

    /// No slot and no commitment stands where none is in use.
    fn nothing_beyond(&mut self) -> Result<(), Stop> {
        let archive = self.archive;
        let tables = archive.tables()?;
        if let Some(record) = tables.slots(archive.size(), u64::MAX)?.next() {
            self.find(Place::Slot(record?.0), Fault::Superfluous);
        }
        if let Some(vector) = tables.commitment_from(archive.vectors())? {
            self.find(Place::Commitment(vector), Fault::Superfluous);
        }
        Ok(())
    }
}

/// Each slot's key is smaller than the next one that it names; the index leads from it to the
/// slot's position, and to that next key.
fn audit_order(tables: &Tables<'_>, start: u64, slots: &[Slot], found: &mut Vec<Finding>) -> Result<(), ArchiveError> {
    let mut index = Neighbours { tables, rest: None, ahead: None };
    for (position, slot) in (start..).zip(slots) {
        let mut find = |place, fault| found.push(Finding { place, fault: Fault::Invariant(fault) });
        let (at, next) = index.at(&slot.key)?;
        if at != Some(position) {
            find(Place::Index(slot.key.clone()), "it does not lead to the slot of its key");
        }
        if (position == 0) != slot.key.is_empty() {
            find(Place::Slot(position), "the sentinel's key stands at position 0, and nowhere else");
        }
        if !slot.next.is_empty() && slot.next <= slot.key {
            find(Place::Slot(position), "the next key that it names is not greater than its own");
        } else if slot.next != next {
            find(Place::Slot(position), "the next key that it names is not that of the index");
        }
    }
    Ok(())
}

/// Looks keys up in the index with what follows them; keys that follow each other cost one look-up.
struct Neighbours<'a> {
    tables: &'a Tables<'a>,
    /// The entries behind `ahead`.
    rest: Option<Walk<'a, (Key, u64)>>,
    ahead: Option<(Key, u64)>,
}

impl Neighbours<'_> {
    /// The position of a key, and the key after it, the empty one behind the last.
    fn at(&mut self, key: &Key) -> Result<(Option<u64>, Key), ArchiveError> {
        let follows = self.ahead.as_ref().is_some_and(|(ahead, _)| ahead == key);
        if !follows {
            self.rest = Some(self.tables.index_from(key)?);
            self.ahead = self.advance()?;
        }
        let Some((_, position)) = self.ahead.take_if(|(ahead, _)| ahead == key) else {
            let next = self.ahead.as_ref().map_or_else(Key::empty, |(ahead, _)| ahead.clone());
            return Ok((None, next));
        };
        self.ahead = self.advance()?;
        Ok((Some(position), self.ahead.as_ref().map_or_else(Key::empty, |(ahead, _)| ahead.clone())))
    }

    fn advance(&mut self) -> Result<Option<(Key, u64)>, ArchiveError> {
        self.rest.as_mut().and_then(Iterator::next).transpose()
    }
}
