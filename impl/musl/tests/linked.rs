//! A program that names the crate calls its functions and not the C library's, and begins where the
//! crate says if the linker is told so.
#![cfg(all(target_arch = "x86_64", target_env = "musl"))]
#![allow(unsafe_code)]

use core::ffi::{c_int, c_ulong, c_void};
use std::os::unix::fs::FileExt as _;
use std::sync::atomic::AtomicU8;

use aardvark_musl as _;

unsafe extern "C" {
    #[cfg(optimized)]
    fn memcmp(left: *const u8, right: *const u8, count: usize) -> c_int;
    fn getauxval(what: c_ulong) -> c_ulong;
    fn madvise(start: *mut c_void, bytes: usize, advice: c_int) -> c_int;
    fn aardvark_start();
}

/// The key of a process's first instruction in what the system tells it.
const AT_ENTRY: c_ulong = 9;
/// What the first instructions ask for.
const MADV_POPULATE_WRITE: c_int = 23;
const PAGE: usize = 4096;
/// Data that nobody touches, on more pages than are mapped beside one that is touched.
static DATA: [AtomicU8; 64 * PAGE] = [const { AtomicU8::new(1) }; 64 * PAGE];

#[cfg(optimized)]
#[test]
fn the_linker_takes_these_functions() {
    // Else the compiler knows what comes of it.
    let (left, right, count) = std::hint::black_box(([0x80u8; 8], [1u8; 8], 8));
    // SAFETY: both have eight bytes.
    let compared = unsafe { memcmp(left.as_ptr(), right.as_ptr(), count) };
    // musl's says how far the bytes are apart, 0x7f.
    assert_eq!(compared, 1);
}

#[test]
fn a_process_begins_at_this_crate() {
    // SAFETY: the process has such a list.
    let entry = unsafe { getauxval(AT_ENTRY) };
    assert_eq!(entry, aardvark_start as *const () as c_ulong);
}

#[test]
fn data_that_nobody_has_touched_is_there() {
    let Ok(pages) = std::fs::File::open("/proc/self/pagemap") else {
        eprintln!("skipped: this system does not say which pages a process has");
        return;
    };
    // A page of the process's own, not one of the file.
    let is_there = |address: usize| {
        let mut entry = [0; 8];
        pages.read_exact_at(&mut entry, (address / PAGE * 8) as u64).unwrap();
        u64::from_le_bytes(entry) >> 61 & 0b101 == 0b100
    };
    let there = (1..63).filter(|page| is_there(DATA.as_ptr().addr() + page * PAGE)).count();
    let first = DATA.as_ptr().map_addr(|address| address.next_multiple_of(PAGE));
    // SAFETY: the page lies within the data, and what is in it stays as it is.
    if unsafe { madvise(first.cast_mut().cast(), PAGE, MADV_POPULATE_WRITE) } != 0 {
        eprintln!("skipped: this system is older than Linux 5.14");
        return;
    }
    assert_eq!(there, 62);
}
