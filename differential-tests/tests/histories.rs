//! Random histories.
use differential_tests::coverage::Coverage;
use differential_tests::plan::SchemePlan;
use differential_tests::run::run;
use differential_tests::strategies::histories;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

#[test]
fn first() {
    let mut runner = TestRunner::new_with_rng(Config::default(), TestRng::from_seed(RngAlgorithm::ChaCha, &[1; 32]));
    let mut coverage = Coverage::default();
    let start = std::time::Instant::now();
    for i in 0..300 {
        let tree =
            histories(if i % 2 == 0 { SchemePlan::Kzg } else { SchemePlan::LibertYung }).new_tree(&mut runner).unwrap();
        let plan = tree.current();
        if let Err(e) = run(&plan, &mut coverage) {
            panic!("{e}\n{}", serde_json::to_string(&plan).unwrap());
        }
    }
    println!("{:?}", start.elapsed());
    println!("{}", coverage.report());
    println!("{:#?}", coverage.missing());
}
