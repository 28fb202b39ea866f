//! Faults in the tail vectors of a block.

use aardvark_dictionary::{Block, Key, Slot, TailVector, Value};

use super::pick::pick;
use super::surroundings::Surroundings;
use crate::plan::{Fault, FaultKind};
use crate::setting::LONGEST_KEY;

/// Does a fault to a block's tail vectors.
pub(super) fn commit(block: &mut Block, fault: &Fault, around: &Surroundings<'_>) {
    let archive = around.builder.archive;
    let all = archive.tail_vectors(archive.version(), around.builder.tail_start);
    let vectors = &mut block.tail_vectors;
    match fault.kind {
        FaultKind::DropTail => drop(vectors.pop()),
        FaultKind::ExtraTail => vectors.extend(all.get(vectors.len()).cloned()),
        FaultKind::HollowTail => {
            *vectors = vec![vec![Slot::lone_sentinel(); archive.vector_size() as usize]; all.len()];
        }
        FaultKind::BottomlessTail => {
            *vectors = all;
            vectors.push(vec![Slot::lone_sentinel(); archive.vector_size() as usize]);
        }
        FaultKind::SwapTail => {
            if vectors.len() > 1 {
                let first = usize::from(fault.item) % (vectors.len() - 1);
                vectors.swap(first, first + 1);
            }
        }
        _ => {
            let index = usize::from(fault.item) % vectors.len().max(1);
            if let Some(vector) = pick(vectors, fault.item) {
                spoil(vector, index, fault, around);
            }
        }
    }
}

fn spoil(vector: &mut TailVector, index: usize, fault: &Fault, around: &Surroundings<'_>) {
    let archive = around.builder.archive;
    let place = usize::from(fault.how) % vector.len().max(1);
    match fault.kind {
        FaultKind::TailOrder => vector.reverse(),
        FaultKind::TailShort => drop(vector.pop()),
        FaultKind::TailLong => vector.push(Slot::lone_sentinel()),
        FaultKind::TailStale => {
            let start = around.builder.tail_start.saturating_sub((index as u64 + 1) * archive.vector_size());
            let position = start as usize + place;
            let earlier = (0..archive.version()).rev().find_map(|version| {
                archive.array(version).get(position).filter(|slot| vector.get(place) != Some(*slot)).cloned()
            });
            if let (Some(slot), Some(earlier)) = (vector.get_mut(place), earlier) {
                *slot = earlier;
            }
        }
        _ => {
            if let Some(slot) = vector.get_mut(place) {
                spoil_slot(slot, fault, archive.setting().parameters.max_value_length);
            }
        }
    }
}

fn spoil_slot(slot: &mut Slot, fault: &Fault, max_value_length: u16) {
    let long_key = || Key::from(vec![b'a'; usize::from(LONGEST_KEY) + 1]);
    match fault.kind {
        FaultKind::TailLongKey if fault.item.is_multiple_of(2) => slot.key = long_key(),
        FaultKind::TailLongKey => slot.next = long_key(),
        FaultKind::TailLongValue => slot.value = Value::from(vec![1; usize::from(max_value_length) + 1]),
        _ => slot.value = Value::from([fault.how, 1].as_slice()),
    }
}
