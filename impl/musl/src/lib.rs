//! `memcpy`, `memmove`, `memcmp` and `bcmp` in the place of musl's, for the program that is handed
//! out: a static one, into which musl is linked.
//!
//! musl copies by `rep movsq`, which takes some twenty nanoseconds to start whatever it copies, and
//! compares byte by byte. Programs here copy and compare keys, values, nodes of trees and points,
//! ten to a thousand bytes each: an import took a third longer than with glibc for nothing else.
//! glibc's own functions come with the detection of the processor by `cpuid`, which a virtual
//! machine pays for at every start of a process (docs/operations.md).
//!
//! A program that is built for musl on x86-64 and names this crate (`use aardvark_musl as _;`) has
//! them: the linker takes the first definition that it meets, and the C library's comes last.
//! Elsewhere the crate is empty to programs, and its functions are tested all the same. Such a
//! program also begins here, if its linker is told so: `start.rs` says why.
//!
//! **How.** Up to 128 bytes there is no loop: what is read are a first and a last part of one size,
//! which meet or overlap in the middle, and all of it is read before any of it is written, so that
//! copies may overlap. Beyond it go blocks of 64 bytes, and the part that does not fill one is,
//! again, the last 64 bytes; from [`LONG`] bytes on the processor's `rep movsb`. Only SSE2 is used,
//! which every x86-64 processor has.
//!
//! Only where the compiler optimizes (`opt-level` is not 0): otherwise it moves what stands in
//! registers here by calls of memcpy, and the program keeps musl's functions.
//!
//! Time depends on the number of bytes, and of a comparison on where the first difference is, as
//! with any C library's.

#![cfg_attr(not(test), no_std)]
// Otherwise LLVM makes a loop that copies into a call of memcpy, which is that loop.
#![no_builtins]
#![allow(unsafe_code)]
#![warn(clippy::undocumented_unsafe_blocks)]

#[cfg(target_arch = "x86_64")]
mod compare;
#[cfg(target_arch = "x86_64")]
mod copy;
#[cfg(all(target_arch = "x86_64", target_env = "musl", optimized))]
mod exports;
#[cfg(all(target_arch = "x86_64", target_env = "musl"))]
mod start;
#[cfg(all(test, target_arch = "x86_64"))]
mod tests;

#[cfg(target_arch = "x86_64")]
pub use compare::compare;
#[cfg(target_arch = "x86_64")]
pub use copy::{LONG, copy, copy_overlapping};
