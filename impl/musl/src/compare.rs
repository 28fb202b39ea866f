//! Comparisons.

use core::arch::x86_64::{__m128i, _mm_cmpeq_epi8, _mm_loadu_si128, _mm_movemask_epi8};
use core::cmp::Ordering;

/// Bytes of a vector.
const VECTOR: usize = size_of::<__m128i>();
/// What a comparison of vectors says where all bytes are equal.
const EQUAL: u32 = 0xffff;

/// Below, equal or above zero as the first `count` bytes of `left` come before those of `right`,
/// are the same, or come after them; as C's `memcmp`.
///
/// # Safety
/// Both can be read for `count` bytes.
#[inline]
pub unsafe fn compare(left: *const u8, right: *const u8, count: usize) -> i32 {
    // SAFETY: the caller's promise, and what each branch says of `count`.
    unsafe {
        match count {
            0 => 0,
            1..4 => compare_few(left, right, count),
            4..8 => compare_ends::<u32>(left, right, count),
            8..16 => compare_ends::<u64>(left, right, count),
            _ => compare_vectors(left, right, count),
        }
    }
}

/// Vector by vector; the last one ends where the bytes end, and overlaps the one before.
///
/// # Safety
/// As of [`compare`], for no fewer bytes than a vector has.
#[inline]
unsafe fn compare_vectors(left: *const u8, right: *const u8, count: usize) -> i32 {
    let end = count - VECTOR;
    let mut at = 0;
    loop {
        // SAFETY: the caller's promise, for `at` is at most `end`, and a difference lies within the
        // vector.
        unsafe {
            let equal = _mm_cmpeq_epi8(_mm_loadu_si128(left.add(at).cast()), _mm_loadu_si128(right.add(at).cast()));
            let equal = _mm_movemask_epi8(equal) as u32;
            if equal != EQUAL {
                let differing = at + (!equal).trailing_zeros() as usize;
                return i32::from(left.add(differing).read()) - i32::from(right.add(differing).read());
            }
        }
        if at == end {
            return 0;
        }
        at = end.min(at + VECTOR);
    }
}

/// The first and the last bytes, an integer each.
///
/// # Safety
/// As of [`compare`], for no fewer bytes than a `T` has.
#[inline]
unsafe fn compare_ends<T: BigEndian>(left: *const u8, right: *const u8, count: usize) -> i32 {
    let end = count - size_of::<T>();
    // SAFETY: the caller's promise.
    let first = unsafe { T::read(left).cmp(&T::read(right)) };
    if first != Ordering::Equal {
        return first as i32;
    }
    // SAFETY: the caller's promise.
    unsafe { T::read(left.add(end)).cmp(&T::read(right.add(end))) as i32 }
}

/// # Safety
/// As of [`compare`].
#[inline]
unsafe fn compare_few(left: *const u8, right: *const u8, count: usize) -> i32 {
    for at in 0..count {
        // SAFETY: the caller's promise.
        let (left, right) = unsafe { (left.add(at).read(), right.add(at).read()) };
        if left != right {
            return i32::from(left) - i32::from(right);
        }
    }
    0
}

/// An integer whose order is that of its bytes.
trait BigEndian: Ord {
    /// # Safety
    /// As many bytes as the integer has can be read.
    unsafe fn read(from: *const u8) -> Self;
}

impl BigEndian for u32 {
    #[inline(always)]
    unsafe fn read(from: *const u8) -> Self {
        // SAFETY: the caller's promise.
        Self::from_be(unsafe { from.cast::<Self>().read_unaligned() })
    }
}

impl BigEndian for u64 {
    #[inline(always)]
    unsafe fn read(from: *const u8) -> Self {
        // SAFETY: the caller's promise.
        Self::from_be(unsafe { from.cast::<Self>().read_unaligned() })
    }
}
