use super::*;

fn verdicts(rows: &[Row]) -> Vec<String> {
    compare(rows).into_iter().map(|comparison| comparison.verdict).collect()
}

#[test]
fn a_ratio_may_be_smaller_and_not_greater() {
    let row = |kernel, ratio| {
        let row = Row::counted("table1", "kzg", "commit", "us", 1.0).size(1024).compared("blst msm", ratio);
        Row { kernel, ..row }
    };
    let found = verdicts(&[0.5, 0.6].map(|ratio| row("scalar", ratio)));
    assert_eq!(found, ["reaches the aim", "MISSES by 20 %"]);
    assert_eq!(verdicts(&[row("avx512", 0.3)]), ["reaches the aim"]);
    let batch = Row::counted("table1", "kzg", "verify_batch", "us", 1.0).size(10_000).compared("c-kzg verify", 0.012);
    assert_eq!(verdicts(&[Row { kernel: "avx512", ..batch }]), ["reaches what it must"]);
    assert_eq!(verdicts(&[row("ifma", 0.1), row("ifma", 0.24)]), ["reaches the aim", "MISSES by 50 %"]);
}

#[test]
fn a_rate_may_be_greater_and_not_smaller_and_counts_by_cpu_time() {
    let row = |cpu| {
        let row = Row::counted("validators", "kzg", "modify", "op/s", 1.0).size(10_000);
        Row { cpu_median: Some(cpu), ..row }
    };
    let found = verdicts(&[row(30_000.0), row(12_000.0), row(6_000.0)]);
    assert_eq!(found, ["reaches the aim", "reaches what it must", "MISSES by 50 %"]);
}

#[test]
fn proofs_count_only_beside_blocks_of_the_papers_size() {
    let prove = Row::counted("archives", "kzg", "prove", "1/s", 1.0).size(100);
    let prove = Row { cpu_median: Some(1600.0), ..prove };
    let apply = Row::counted("archives", "kzg", "apply", "s", 1.0);
    assert!(verdicts(&[prove.clone(), apply.clone().size(10)]).is_empty());
    assert_eq!(verdicts(&[prove, apply.size(10_000)]), ["reaches what it must"]);
}

#[test]
fn rows_of_other_sizes_and_baselines_are_not_concerned() {
    let row = Row::counted("table1", "kzg", "commit", "us", 1.0);
    assert!(verdicts(&[row.clone().size(8).compared("blst msm", 0.5)]).is_empty());
    assert!(verdicts(&[row.size(1024).compared("c-kzg commit", 0.5)]).is_empty());
}
