//! Writes and checks the test vectors.
fn main() {}
