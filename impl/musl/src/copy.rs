//! Copies.

use core::arch::asm;
use core::arch::x86_64::{__m128i, _mm_loadu_si128, _mm_storeu_si128};

/// From so many bytes on the processor copies by an instruction of its own, `rep movsb`, whose
/// start counts for little then.
pub const LONG: usize = 4096;

/// Bytes of a vector.
const VECTOR: usize = size_of::<__m128i>();
/// Bytes of a block: four vectors.
const BLOCK: usize = 4 * VECTOR;

/// Copies `count` bytes, as C's `memcpy` does.
///
/// # Safety
/// `from` can be read and `to` written for `count` bytes, and they do not overlap.
#[inline]
pub unsafe fn copy(to: *mut u8, from: *const u8, count: usize) {
    // SAFETY: the caller's promise, and what a branch says of `count`.
    unsafe {
        if count <= 2 * BLOCK {
            copy_short(to, from, count);
        } else if count >= LONG {
            copy_long(to, from, count);
        } else {
            copy_upwards(to, from, count);
        }
    }
}

/// Copies `count` bytes, as C's `memmove` does.
///
/// # Safety
/// `from` can be read and `to` written for `count` bytes.
#[inline]
pub unsafe fn copy_overlapping(to: *mut u8, from: *const u8, count: usize) {
    // SAFETY: the caller's promise, and what a branch says of `count`. Where `to` lies within what
    // is read, blocks are copied from the end on, and none is read after it was written to.
    unsafe {
        if count <= 2 * BLOCK {
            copy_short(to, from, count);
        } else if to.addr().wrapping_sub(from.addr()) >= count {
            copy_upwards(to, from, count);
        } else {
            let first = Part::<4>::read(from);
            let mut left = count;
            while left > BLOCK {
                left -= BLOCK;
                Part::<4>::read(from.add(left)).write(to.add(left));
            }
            first.write(to);
        }
    }
}

/// Copies more than 64 bytes from the first on.
///
/// # Safety
/// As of [`copy_overlapping`], and `to` does not lie within what is read, unless at its start.
#[inline]
unsafe fn copy_upwards(to: *mut u8, from: *const u8, count: usize) {
    // SAFETY: the caller's promise. The last block is read before anything is written; each other
    // one before what is written reaches it, since `to` lies below `from` where they overlap.
    unsafe {
        let last = Part::<4>::read(from.add(count - BLOCK));
        let mut done = 0;
        while done < count - BLOCK {
            Part::<4>::read(from.add(done)).write(to.add(done));
            done += BLOCK;
        }
        last.write(to.add(count - BLOCK));
    }
}

/// Copies at most 128 bytes, all of which are read before any is written.
///
/// # Safety
/// As of [`copy_overlapping`].
#[inline]
unsafe fn copy_short(to: *mut u8, from: *const u8, count: usize) {
    // SAFETY: the caller's promise, and each arm's range: a first and a last part of the size that
    // it takes lie within `count` bytes.
    unsafe {
        match count {
            0 => {}
            1 => to.write(from.read()),
            2..4 => copy_ends::<u16>(to, from, count),
            4..8 => copy_ends::<u32>(to, from, count),
            8..16 => copy_ends::<u64>(to, from, count),
            16..=32 => copy_both::<1>(to, from, count),
            33..=64 => copy_both::<2>(to, from, count),
            _ => copy_both::<4>(to, from, count),
        }
    }
}

/// Copies the first and the last bytes, a `T` each.
///
/// # Safety
/// As of [`copy_overlapping`], for no fewer bytes than a `T` has.
#[inline]
unsafe fn copy_ends<T: Copy>(to: *mut u8, from: *const u8, count: usize) {
    let end = count - size_of::<T>();
    // SAFETY: the caller's promise. All bytes are a `T`, for those that are given.
    unsafe {
        let (first, last) = (from.cast::<T>().read_unaligned(), from.add(end).cast::<T>().read_unaligned());
        to.cast::<T>().write_unaligned(first);
        to.add(end).cast::<T>().write_unaligned(last);
    }
}

/// Copies the first and the last bytes, so many vectors each.
///
/// # Safety
/// As of [`copy_overlapping`], for no fewer bytes than the vectors have.
#[inline]
unsafe fn copy_both<const VECTORS: usize>(to: *mut u8, from: *const u8, count: usize) {
    let end = count - VECTORS * VECTOR;
    // SAFETY: the caller's promise.
    unsafe {
        let (first, last) = (Part::<VECTORS>::read(from), Part::<VECTORS>::read(from.add(end)));
        first.write(to);
        last.write(to.add(end));
    }
}

/// Bytes in registers.
struct Part<const VECTORS: usize>([__m128i; VECTORS]);

impl<const VECTORS: usize> Part<VECTORS> {
    /// # Safety
    /// As many bytes as the vectors have can be read.
    #[inline(always)]
    unsafe fn read(from: *const u8) -> Self {
        // SAFETY: the caller's promise.
        Self(core::array::from_fn(|at| unsafe { _mm_loadu_si128(from.add(at * VECTOR).cast()) }))
    }

    /// # Safety
    /// As many bytes as the vectors have can be written.
    #[inline(always)]
    unsafe fn write(self, to: *mut u8) {
        for (at, vector) in self.0.into_iter().enumerate() {
            // SAFETY: the caller's promise.
            unsafe { _mm_storeu_si128(to.add(at * VECTOR).cast(), vector) };
        }
    }
}

/// Copies by one instruction of the processor.
///
/// # Safety
/// As of [`copy`].
#[inline]
unsafe fn copy_long(to: *mut u8, from: *const u8, count: usize) {
    // SAFETY: the caller's promise; the direction is upwards, as the calling convention has it.
    unsafe {
        asm!(
            "rep movsb",
            inout("rcx") count => _,
            inout("rdi") to => _,
            inout("rsi") from => _,
            options(nostack, preserves_flags),
        );
    }
}
