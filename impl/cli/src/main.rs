//! The command aardvark.

fn main() {}
