//! The chores: one command for everything.

fn main() {}
