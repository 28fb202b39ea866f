//! Random histories: to specification and implementation they are the same, block by block.
//!
//! ```text
//! cargo test -p differential-tests --test histories                                   10,000 histories
//! HISTORIES=1000 HISTORIES_SEED=7 cargo test ... -- --nocapture                       as many, from another seed
//! cargo test --release -p differential-tests --test histories -- --ignored --nocapture   a million, with progress
//! HISTORIES_FIRST_CHUNK=1234 cargo test ... -- --ignored                              where an earlier run stopped
//! ```
//!
//! The implementation has no way around its group operations, so every history runs with commitments and openings.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a broken premise must stop a test")]

use std::env;

use differential_tests::campaign::{CHUNK, Campaign};

fn from_environment(name: &str, otherwise: u64) -> u64 {
    env::var(name).map_or(otherwise, |text| text.parse().unwrap_or_else(|_| panic!("{name} is no number: {text}")))
}

fn campaign(histories: u64, progress: bool) -> Campaign {
    let histories = from_environment("HISTORIES", histories);
    Campaign {
        seed: from_environment("HISTORIES_SEED", 0x00aa_1d7a),
        first_chunk: from_environment("HISTORIES_FIRST_CHUNK", 0),
        chunks: histories.div_ceil(CHUNK),
        progress,
    }
}

fn run(campaign: Campaign) {
    let coverage = campaign.run().unwrap_or_else(|failure| panic!("{failure}"));
    println!("{}", coverage.report());
    // Fewer histories than the default may miss a case without a fault of the generator.
    if campaign.chunks * CHUNK >= 10_000 {
        assert_eq!(coverage.missing(), Vec::<String>::new(), "the generator no longer reaches these");
    }
}

#[test]
fn ten_thousand_histories_are_the_same_to_specification_and_implementation() {
    run(campaign(10_000, false));
}

#[test]
#[ignore = "hours; see the head of the file"]
fn a_million_histories_are_the_same_to_specification_and_implementation() {
    run(campaign(1_000_000, true));
}
