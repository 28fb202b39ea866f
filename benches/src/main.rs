//! Benchmarks that check their own results.

fn main() {}
