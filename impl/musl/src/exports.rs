//! The names under which a C library has these functions, for the linker.

use core::ffi::c_int;

use crate::{compare, copy, copy_overlapping};

/// C's `memcpy`.
///
/// # Safety
/// As of [`copy`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memcpy(to: *mut u8, from: *const u8, count: usize) -> *mut u8 {
    // SAFETY: the caller's promise.
    unsafe { copy(to, from, count) };
    to
}

/// C's `memmove`.
///
/// # Safety
/// As of [`copy_overlapping`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memmove(to: *mut u8, from: *const u8, count: usize) -> *mut u8 {
    // SAFETY: the caller's promise.
    unsafe { copy_overlapping(to, from, count) };
    to
}

/// C's `memcmp`.
///
/// # Safety
/// As of [`compare`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memcmp(left: *const u8, right: *const u8, count: usize) -> c_int {
    // SAFETY: the caller's promise.
    unsafe { compare(left, right, count) }
}

/// `bcmp`, which LLVM calls where it only matters whether bytes are equal.
///
/// # Safety
/// As of [`compare`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bcmp(left: *const u8, right: *const u8, count: usize) -> c_int {
    // SAFETY: the caller's promise.
    unsafe { compare(left, right, count) }
}
