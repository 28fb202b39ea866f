//! Random histories: to specification, oracle and implementation they are the same, block by block.
//!
//! ```text
//! cargo test -p differential-tests --test histories                   10,000 histories, 20,000 of the dictionary alone
//! HISTORIES=1000 HISTORIES_SEED=7 cargo test ... -- --nocapture         as many, from another seed
//! cargo test --release -p differential-tests --test histories -- --ignored --nocapture fifty_thousand
//! cargo test --release -p differential-tests --test histories -- --ignored --nocapture million
//! HISTORIES_FIRST_CHUNK=1234 cargo test ... -- --ignored ...            goes on where an earlier run stopped
//! ```
//!
//! The long ones, with commitments and of the dictionary alone, say every ten seconds how far they
//! are and how to resume. The oracle takes part where it is built (`make -C proofs oracle`); where
//! not, that is said.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a broken premise must stop a test")]

use std::env;
use std::time::Instant;

use differential_tests::campaign::{CHUNK, Campaign, Layer};
use differential_tests::coverage::Coverage;
use differential_tests::oracle::is_built;

fn from_environment(name: &str, otherwise: u64) -> u64 {
    env::var(name).map_or(otherwise, |text| text.parse().unwrap_or_else(|_| panic!("{name} is no number: {text}")))
}

/// Runs the histories; what they met, if they are as many as meant and so must have met everything.
fn run(layer: Layer, histories: u64, progress: bool) -> Option<Coverage> {
    let wanted = from_environment("HISTORIES", histories);
    let campaign = Campaign {
        layer,
        seed: from_environment("HISTORIES_SEED", 0x00aa_1d7a),
        first_chunk: from_environment("HISTORIES_FIRST_CHUNK", 0),
        end: wanted.div_ceil(CHUNK),
        shrinks: u32::try_from(from_environment("HISTORIES_SHRINK", 5000)).unwrap(),
        progress,
    };
    let started = Instant::now();
    let coverage = campaign.run().unwrap_or_else(|failure| panic!("{failure}"));
    println!("{}\nin {:.1} s", coverage.report(), started.elapsed().as_secs_f64());
    (campaign.first_chunk == 0 && wanted >= histories).then_some(coverage)
}

fn whole_histories(histories: u64, progress: bool) {
    let Some(coverage) = run(Layer::Whole, histories, progress) else { return };
    assert_eq!(coverage.missing(), Vec::<String>::new(), "the generator no longer reaches these");
    if is_built() {
        let [_, accepted, refused] = coverage.totals;
        let oracle = coverage.oracle;
        assert!(oracle.genesis >= histories, "the oracle took part in every history");
        assert!(oracle.judgements >= accepted + refused, "and judged every block");
        let aggregated = coverage.aggregated;
        assert!(aggregated.iter().all(|count| *count > histories / 10), "{aggregated:?}");
        assert_eq!(oracle.aggregated, aggregated.iter().sum::<u64>(), "and every aggregated form");
        assert!(oracle.checks > 0 && oracle.imports > 0 && oracle.twins > histories && oracle.roots > histories);
        assert_eq!((oracle.changes, oracle.maps), (accepted, accepted));
    }
}

fn dictionary_histories(histories: u64, progress: bool) {
    let Some(coverage) = run(Layer::Dictionary, histories, progress) else { return };
    assert_eq!(coverage.missing_in_dictionary(), Vec::<String>::new(), "the generator no longer reaches these");
    if is_built() {
        let [_, accepted, refused] = coverage.totals;
        assert_eq!(coverage.oracle.maps, accepted + refused, "the oracle ran every block on a map");
        assert!(coverage.oracle.changes >= 2 * accepted, "and on the whole array and the view");
        assert!(coverage.oracle.twins > 0);
    }
}

#[test]
fn ten_thousand_histories_are_the_same_to_specification_oracle_and_implementation() {
    whole_histories(10_000, false);
}

#[test]
fn twenty_thousand_histories_of_the_dictionary_alone_are_the_same_to_all() {
    dictionary_histories(20_000, false);
}

#[test]
#[ignore = "minutes; see the head of the file"]
fn fifty_thousand_histories_are_the_same_to_specification_oracle_and_implementation() {
    whole_histories(50_000, true);
}

#[test]
#[ignore = "many minutes; see the head of the file"]
fn a_million_histories_of_the_dictionary_alone_are_the_same_to_all() {
    dictionary_histories(1_000_000, true);
}
