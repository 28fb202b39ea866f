//! Which cases of docs/design.md, section 7, an accepted block was one of.

use std::collections::{BTreeMap, BTreeSet};

use aardvark_dictionary::{Block, Claim, Key, Operation, Transaction, Value};

use crate::archive::Archive;
use crate::coverage::{Case, Coverage};

/// A block that led from version t to t + 1, where the archive now is.
struct Scene<'a> {
    archive: &'a Archive,
    block: &'a Block,
    then: u64,
    before: BTreeMap<Key, Value>,
    after: BTreeMap<Key, Value>,
    coverage: &'a mut Coverage,
}

/// Counts what an accepted block was. The archive has moved on to the block's version.
pub fn accepted(archive: &Archive, block: &Block, coverage: &mut Coverage) {
    let then = archive.version() - 1;
    let map = |version| {
        let slots = archive.array(version).iter().skip(1);
        slots.map(|slot| (slot.key.clone(), slot.value.clone())).collect()
    };
    let mut scene = Scene { archive, block, then, before: map(then), after: map(then + 1), coverage };
    scene.inserts();
    scene.deletes();
    scene.sizes();
    scene.sequences();
    for transaction in &block.transactions {
        scene.claims(transaction);
        scene.gaps(transaction);
        scene.ages(transaction);
    }
    scene.tails();
    if archive.with_openings() {
        scene.openings();
    }
}

impl Scene<'_> {
    fn inserted(&self) -> Vec<Key> {
        self.after.keys().filter(|key| !self.before.contains_key(*key)).cloned().collect()
    }

    fn deleted(&self) -> BTreeSet<Key> {
        self.before.keys().filter(|key| !self.after.contains_key(*key)).cloned().collect()
    }

    fn key_at(&self, version: u64, position: u64) -> Key {
        self.archive.array(version)[position as usize].key.clone()
    }

    fn inserts(&mut self) {
        let (inserted, deleted) = (self.inserted(), self.deleted());
        let first_use =
            |key: &Key| self.block.transactions.iter().position(|tx| tx.operations.iter().any(|o| o.key() == key));
        let mut found = Vec::new();
        for (index, key) in inserted.iter().enumerate() {
            let covering = self.archive.covering(self.then, key);
            let covering_key = self.key_at(self.then, covering);
            let mates =
                inserted.iter().skip(index + 1).filter(|other| self.archive.covering(self.then, other) == covering);
            for mate in mates {
                let (Some(one), Some(other)) = (first_use(key), first_use(mate)) else { continue };
                let names =
                    |tx: usize| self.block.transactions[tx].claims.iter().any(|claim| claim.position == covering);
                if one != other && names(one) && names(other) {
                    found.push(if one < other { Case::InsertsAscending } else { Case::InsertsDescending });
                }
                found.push(Case::CoveringInserted);
            }
            let updated = self
                .before
                .get(&covering_key)
                .is_some_and(|value| self.after.get(&covering_key).is_some_and(|new| new != value));
            let moved =
                self.archive.position_of(self.then + 1, &covering_key).is_some_and(|position| position != covering);
            found.extend(updated.then_some(Case::CoveringUpdated));
            found.extend(moved.then_some(Case::CoveringMoved));
            found.extend(deleted.contains(&covering_key).then_some(Case::CoveringDeleted));
            let old = || self.before.keys();
            found.extend((old().next().is_some_and(|smallest| key < smallest)).then_some(Case::NewSmallest));
            found.extend((old().next_back().is_some_and(|largest| key > largest)).then_some(Case::NewLargest));
        }
        found.into_iter().for_each(|case| self.coverage.note(case));
    }

    fn deletes(&mut self) {
        let (inserted, deleted) = (self.inserted(), self.deleted());
        let keys: Vec<&Key> = self.before.keys().collect();
        let neighbours = keys.windows(2).any(|pair| deleted.contains(pair[0]) && deleted.contains(pair[1]));
        let extremes = keys.len() > 2 && deleted.contains(keys[0]) && deleted.contains(keys[keys.len() - 1]);
        let everything = keys.len() > 1 && deleted.len() == keys.len();
        let array = self.archive.array(self.then);
        let last = &array[array.len() - 1];
        let moves = deleted.iter().any(|key| *key != last.key);
        let preceding = array.iter().find(|slot| slot.next == last.key).map(|slot| &slot.key);
        let both = preceding.is_some_and(|key| deleted.contains(key)) && deleted.contains(&last.next);
        let noted = [
            (neighbours, Case::NeighboursDeleted),
            (extremes, Case::ExtremesDeleted),
            (everything, Case::EverythingDeleted),
            (inserted.is_empty() && deleted.contains(&last.key), Case::LastDeleted),
            (inserted.is_empty() && deleted.contains(&last.next), Case::PredecessorLast),
            (inserted.is_empty() && preceding.is_some_and(|key| deleted.contains(key)), Case::SuccessorLast),
            (inserted.is_empty() && both, Case::BothNeighboursOfLast),
            (inserted.is_empty() && moves && deleted.contains(&last.key), Case::DeletedWithMover),
            (!inserted.is_empty() && !deleted.is_empty(), Case::TransientPosition),
        ];
        noted.into_iter().for_each(|(holds, case)| self.coverage.note_if(holds, case));
    }

    fn sizes(&mut self) {
        let n = self.archive.vector_size();
        let size = |version: u64| self.archive.array(version).len() as u64;
        let (old, new) = (size(self.then), size(self.then + 1));
        let vectors = |version| size(version).div_ceil(n);
        let oldest = self.then.saturating_sub(self.archive.setting().parameters.window.into());
        let again = vectors(self.then + 1) > vectors(self.then)
            && (oldest..self.then).any(|version| vectors(version) > vectors(self.then));
        let changed = old != new && n > 1;
        let noted = [
            (changed && new > n && new % n == n - 1, Case::SizeBelowBoundary),
            (changed && new % n == 0, Case::SizeAtBoundary),
            (changed && new > n && new % n == 1, Case::SizeAboveBoundary),
            (vectors(self.then + 1) > vectors(self.then), Case::NewVector),
            (new < old && new.is_multiple_of(n), Case::TruncatedToBoundary),
            (again, Case::VectorUsedAgain),
        ];
        noted.into_iter().for_each(|(holds, case)| self.coverage.note_if(holds, case));
    }

    /// What happens to one key in the course of the block: '+' for a create, '~' for an update, '-'
    /// for a delete.
    fn sequences(&mut self) {
        let mut histories: BTreeMap<Key, Vec<(char, usize)>> = BTreeMap::new();
        let mut map = crate::ordinary_map::OrdinaryMap(self.before.clone());
        for (number, transaction) in self.block.transactions.iter().enumerate() {
            for operation in &transaction.operations {
                let key = operation.key();
                let old = map.get(key).cloned();
                map.run(std::slice::from_ref(operation));
                let new = map.get(key).cloned();
                let same_put = matches!(operation, Operation::Put(_, _)) && old == new;
                let unchanged = self.before.get(key) == self.after.get(key);
                self.coverage.note_if(same_put && unchanged, Case::PutSame);
                let step = match (&old, &new) {
                    (None, Some(_)) => '+',
                    (Some(_), None) => '-',
                    (Some(old), Some(new)) if old != new => '~',
                    _ => continue,
                };
                histories.entry(key.clone()).or_default().push((step, number));
            }
        }
        for steps in histories.values() {
            let text: String = steps.iter().map(|(step, _)| *step).collect();
            let within = steps.first().map(|(_, number)| number) == steps.last().map(|(_, number)| number);
            let case = match text.as_str() {
                "+-" => [Case::CreateDelete, Case::CreateDeleteAcross],
                "-+" => [Case::DeleteCreate, Case::DeleteCreateAcross],
                "~-" => [Case::UpdateDelete, Case::UpdateDeleteAcross],
                "+~" => [Case::CreateUpdate, Case::CreateUpdateAcross],
                "-+-" => [Case::DeleteCreateDelete, Case::DeleteCreateDeleteAcross],
                _ => continue,
            };
            self.coverage.note(case[usize::from(!within)]);
        }
    }

    /// Where the claimed keys went since the claims' version.
    fn claims(&mut self, transaction: &Transaction) {
        let version = transaction.first_valid - 1;
        let now = self.archive.array(self.then);
        for claim in transaction.claims.iter().filter(|claim| !claim.slot.key.is_empty()) {
            let places: Vec<Option<u64>> =
                (version..=self.then).map(|version| self.archive.position_of(version, &claim.slot.key)).collect();
            let moves =
                places.windows(2).filter(|pair| pair[0] != pair[1] && pair[0].is_some() && pair[1].is_some()).count();
            let left = places.contains(&None);
            let elsewhere = places.last().is_some_and(|place| place.is_some_and(|position| position != claim.position));
            let holds_other = now.get(claim.position as usize).is_some_and(|slot| slot.key != claim.slot.key);
            let n = self.archive.vector_size();
            let vector_gone = claim.position / n >= (now.len() as u64).div_ceil(n);
            let noted = [
                (moves == 1, Case::MovedOnce),
                (moves > 1, Case::MovedTwice),
                (holds_other, Case::HoldsOtherKey),
                (left && elsewhere, Case::ReinsertedElsewhere),
                (vector_gone, Case::VectorThenNotNow),
            ];
            noted.into_iter().for_each(|(holds, case)| self.coverage.note_if(holds, case));
        }
    }

    /// How the slots that decide about the transaction's keys changed since the claims' version.
    fn gaps(&mut self, transaction: &Transaction) {
        let version = transaction.first_valid - 1;
        // An empty `next` is beyond all keys.
        let end = |next: &Key| if next.is_empty() { Key::from([0xff; 8].as_slice()) } else { next.clone() };
        for operation in &transaction.operations {
            let key = operation.key();
            let (was, is) = (self.archive.is_present(version, key), self.archive.is_present(self.then, key));
            let slot = |version: u64, position: u64| self.archive.array(version)[position as usize].clone();
            let (old_place, new_place) = (self.archive.covering(version, key), self.archive.covering(self.then, key));
            let (old, new) = (slot(version, old_place), slot(self.then, new_place));
            let (old_end, new_end) = (end(&old.next), end(&new.next));
            let deletes = matches!(operation, Operation::Delete(_));
            let absent = !was && !is;
            let mut noted = vec![
                (absent && new.key > old.key, Case::NarrowedLeft),
                (absent && new_end < old_end, Case::NarrowedRight),
                (absent && (new.key < old.key || new_end > old_end), Case::Widened),
                (absent && new.key == old.key && old_place != new_place, Case::GapMoved),
                (!was && is && deletes, Case::InsertedSince),
            ];
            if was && is && deletes {
                let (old_place, new_place) =
                    (self.archive.preceding(version, key), self.archive.preceding(self.then, key));
                let (old, new) = (slot(version, old_place), slot(self.then, new_place));
                let gone = !old.key.is_empty() && !self.archive.is_present(self.then, &old.key);
                noted.push((old.key != new.key, Case::PredecessorChanged));
                noted.push((gone, Case::PredecessorDeleted));
                noted.push((old.key == new.key && old_place != new_place, Case::PredecessorMoved));
            }
            noted.into_iter().for_each(|(holds, case)| self.coverage.note_if(holds, case));
        }
    }

    fn ages(&mut self, transaction: &Transaction) {
        if transaction.claims.is_empty() {
            return;
        }
        let version = transaction.first_valid - 1;
        let window = u64::from(self.archive.setting().parameters.window);
        self.coverage.note_if(window > 0 && self.then - version == window, Case::ExactlyW);
        self.coverage.note_if(window == 0, Case::WindowZero);
        self.coverage.note_if(version == 0 && self.then > 0, Case::VersionZero);
    }

    fn tails(&mut self) {
        let count = self.block.tail_vectors.len();
        self.coverage.note_if(count == 1, Case::TailOneVector);
        self.coverage.note_if(count > 1, Case::TailTwoVectors);
    }

    fn openings(&mut self) {
        let all: Vec<(u64, &Claim)> = self
            .block
            .transactions
            .iter()
            .flat_map(|transaction| transaction.claims.iter().map(|claim| (transaction.first_valid, claim)))
            .collect();
        let twice = all.iter().enumerate().any(|(index, claim)| all[..index].contains(claim));
        self.coverage.note_if(twice, Case::SameOpeningTwice);
        self.coverage.note_if(all.iter().any(|(_, claim)| claim.opening[0] == 0xc0), Case::IdentityOpening);
    }
}
