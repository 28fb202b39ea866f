//! Eight bits in one decrypted number: where a bit is asked for each row, the target is the sum of
//! eight rows, the k-th of them 2^k times, and what it decrypts to has their bits. The rows hold
//! bits since the first column does and every server proves its shuffle. Source: docs/mixnet.md,
//! "Queries".

use hacspec_lib::*;

/// Rows that one target holds.
pub const TRACE_PACKED: usize = 8;

/// One step of [`trace_pack`]: twice what there is, and the row before it.
pub fn trace_pack_step(target: Seq<usize>, rows: &Seq<usize>, start: usize, k: usize) -> Seq<usize> {
    let place = start + (TRACE_PACKED - 1 - k);
    let doubled = target.concat(&target);
    if place < rows.len() { doubled.push_owned(rows[place]) } else { doubled }
}

/// The target of eight rows from a place on, or of as many as there are: the k-th row 2^k times.
pub fn trace_pack(rows: &Seq<usize>, start: usize) -> Seq<usize> {
    let mut target = Seq::<usize>::new(0);
    for k in 0..TRACE_PACKED {
        target = trace_pack_step(target, rows, start, k);
    }
    target
}

/// One step of [`trace_packs`].
pub fn trace_packs_step(targets: Seq<Seq<usize>>, rows: &Seq<usize>, number: usize) -> Seq<Seq<usize>> {
    targets.push_owned(trace_pack(rows, TRACE_PACKED * number))
}

/// The targets of these rows, eight in each.
pub fn trace_packs(rows: &Seq<usize>) -> Seq<Seq<usize>> {
    let mut targets = Seq::<Seq<usize>>::new(0);
    for number in 0..(rows.len() + (TRACE_PACKED - 1)) / TRACE_PACKED {
        targets = trace_packs_step(targets, rows, number);
    }
    targets
}

/// Bit `k` of a number, from 0, the lowest.
pub fn trace_bit(number: usize, k: usize) -> usize {
    let mut halved = number;
    for _i in 0..k {
        let rest = halved / 2;
        halved = rest;
    }
    halved % 2
}

/// One step of [`trace_unpacked`].
pub fn trace_unpacked_step(bits: Seq<usize>, numbers: &Seq<usize>, i: usize) -> Seq<usize> {
    bits.push_owned(trace_bit(numbers[i / TRACE_PACKED], i % TRACE_PACKED))
}

/// The bits of so many rows, from the numbers that their targets decrypt to.
pub fn trace_unpacked(numbers: &Seq<usize>, count: usize) -> Seq<usize> {
    let mut bits = Seq::<usize>::new(0);
    for i in 0..count {
        bits = trace_unpacked_step(bits, numbers, i);
    }
    bits
}
