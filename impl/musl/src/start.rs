//! The first instructions of a process: they ask the system for all pages that are written next.
//!
//! A program that may be loaded anywhere holds addresses which are only known then: before `main`,
//! musl writes them into half a megabyte of constants and tables, page by page, and at the first
//! touch of each page the system copies it. One call for all of them takes a fraction of that. A
//! program begins here when its linker is told `--entry=aardvark_start`; musl's `_start` follows.
//! Where the system does not know the call, it refuses, and pages come as they are touched.

core::arch::global_asm!(
    ".pushsection .text.aardvark_start, \"ax\", @progbits",
    ".globl aardvark_start",
    ".hidden aardvark_start",
    ".type aardvark_start, @function",
    "aardvark_start:",
    // What is written lies from the first constructor's address to the end of the data.
    "lea rdi, [rip + __init_array_start]",
    "and rdi, -4096",
    "lea rsi, [rip + _edata]",
    "sub rsi, rdi",
    // `_start` finds rdx as the system left it; calls change rax, rcx and r11 only.
    "mov r8, rdx",
    "mov edx, 23", // MADV_POPULATE_WRITE
    "mov eax, 28", // madvise
    "syscall",
    "mov rdx, r8",
    "jmp _start",
    ".size aardvark_start, . - aardvark_start",
    ".popsection",
);
