//! What hostile bytes can make a decoder allocate.

#![allow(clippy::unwrap_used, reason = "a test that cannot set its scene has failed")]

use aardvark_dictionary::{Block, DecodeError, Parameters};
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// A block of as many bytes as the default limits allow, full of transactions of 65,535 operations
/// `Delete("")`, two bytes each.
fn two_byte_operations() -> Vec<u8> {
    let mut transaction = vec![1];
    transaction.extend_from_slice(&[0; 32]);
    transaction.extend_from_slice(&u16::MAX.to_be_bytes());
    transaction.extend((0..u16::MAX).flat_map(|_| [3, 0]));
    transaction.extend_from_slice(&[0, 0]);
    let length = u32::try_from(transaction.len()).unwrap();
    let count = Parameters::default().limits.block_bytes / (length + 4);
    let mut bytes = vec![1];
    bytes.extend_from_slice(&1u64.to_be_bytes());
    bytes.extend_from_slice(&count.to_be_bytes());
    for _ in 0..count {
        bytes.extend_from_slice(&length.to_be_bytes());
        bytes.extend_from_slice(&transaction);
    }
    bytes
}

/// A block without transactions, full of tail vectors of empty slots, four bytes each.
fn four_byte_slots() -> Vec<u8> {
    let Parameters { vector_size, limits, .. } = Parameters::default();
    let count = (limits.block_bytes - 17) / (4 * vector_size);
    let mut bytes = vec![1];
    bytes.extend_from_slice(&1u64.to_be_bytes());
    bytes.extend_from_slice(&0u32.to_be_bytes());
    bytes.extend_from_slice(&count.to_be_bytes());
    bytes.resize(bytes.len() + (4 * vector_size * count) as usize, 0);
    bytes
}

#[test]
fn a_largest_block_of_smallest_items_is_refused_before_it_takes_more_memory_than_its_bytes() {
    for (bytes, what) in [(two_byte_operations(), "operations"), (four_byte_slots(), "tail vectors")] {
        assert!(bytes.len() > 66_000_000 && bytes.len() <= 1 << 26);
        let before = MEMORY.current_usage();
        MEMORY.reset_peak_usage();
        let refused = Block::decode(&bytes, &Parameters::default());
        let taken = MEMORY.peak_usage() - before;
        assert!(matches!(refused, Err(DecodeError::TooMany { what: found, .. }) if found == what), "{refused:?}");
        assert!(taken < bytes.len(), "{taken} bytes were taken by {} bytes of {what}", bytes.len());
    }
}
