//! Every kernel gives the same commitments, openings and verdicts, bit for bit.
//!
//! A process decides once which kernel it uses, so each gets a process of its own: this program
//! again, told by [`ANSWERS`] to print what it computes.

#![allow(clippy::unwrap_used)]

mod common;

use std::hint::black_box;
use std::process::Command;

use aardvark_algebra::{G1Affine, Kernel, Scalar, batch_to_affine, msm};
use aardvark_commitment::{BatchClaim, Ceremony, Commitment, Kzg, Opening, VectorCommitment};
use common::{DICTIONARY, scalar, shifted, small_torsion, torsion};

/// The environment variable that makes the program print its answers.
const ANSWERS: &str = "AARDVARK_TEST_ANSWERS";

/// Elements of a vector.
const SIZE: usize = 64;
/// Bytes of tables: buckets, and digits of a few bits.
const BUDGET: usize = 4_000_000;

/// What is computed, a line each.
fn answers() -> Vec<String> {
    let mut lines = Vec::new();
    let plain = Kzg::new(Ceremony::ethereum().unwrap(), SIZE).unwrap();
    let with_tables = Kzg::new(Ceremony::ethereum().unwrap(), SIZE).unwrap().with_tables(BUDGET).unwrap();
    let uniform: Vec<Scalar> = (0..SIZE as u64).map(scalar).collect();
    // Equal digits in all positions fill few buckets with many points.
    let equal = vec![-Scalar::from(2); SIZE];
    for vector in [uniform.clone(), equal, vec![Scalar::from(1)]] {
        for scheme in [&plain, &with_tables] {
            lines.push(format!("{:?}", scheme.commit(&vector).unwrap()));
            lines.push(format!("{:?}", scheme.open(&vector, 5).unwrap()));
            lines.push(format!("{:?}", scheme.open_all(&vector).unwrap()));
        }
    }
    let commitment = plain.commit(&uniform).unwrap();
    let deltas: Vec<(usize, Scalar)> = (0..200).map(|i| (i * 7 % SIZE, scalar(1000 + i as u64 % 50))).collect();
    lines.push(format!("{:?}", with_tables.update_commitment_many(&commitment, &deltas).unwrap()));
    let opening = plain.open(&uniform, 3).unwrap();
    lines.push(format!("{:?}", with_tables.update_opening_many(&opening, 3, &deltas).unwrap()));
    let openings = plain.open_all(&uniform).unwrap();
    let claim = |j: usize| {
        let index = j % SIZE;
        BatchClaim { label: j as u64, commitment, index, scalar: uniform[index], opening: openings[index] }
    };
    let claims: Vec<BatchClaim> = (0..500).map(claim).collect();
    let shift = |place: usize, by: Opening| {
        let mut claims = claims.clone();
        claims[place].opening = by;
        claims
    };
    let torsioned = |point| shifted(&openings[9], &point);
    let lists = [
        claims.clone(),
        shift(9, torsioned(torsion(1))),
        shift(9, torsioned(small_torsion())),
        shift(9, openings[10]),
        shift(0, Opening::identity()),
        shift(499, openings[0]),
    ];
    for claims in lists {
        lines.push(format!(
            "{} {:?}",
            plain.verify_batch(&DICTIONARY, &claims),
            plain.find_false(&DICTIONARY, &claims)
        ));
    }
    lines
}

/// The answers of a process with this kernel.
fn answers_with(kernel: &str) -> Vec<String> {
    let mut program = Command::new(std::env::current_exe().unwrap());
    program.args(["--exact", "the_answers_are_printed", "--nocapture"]);
    let output = program.env(ANSWERS, "1").env("AARDVARK_KERNEL", kernel).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().filter_map(|line| line.split_once("answer: ")).map(|(_, answer)| answer.to_owned()).collect()
}

#[test]
fn the_answers_are_printed() {
    if std::env::var_os(ANSWERS).is_some() {
        println!();
        println!("answer: kernel {}", Kernel::in_use().name());
        answers().into_iter().for_each(|line| println!("answer: {line}"));
    }
}

#[test]
fn every_kernel_gives_the_same_commitments_openings_and_verdicts() {
    let scalar = answers_with("scalar");
    assert_eq!(scalar[0], "kernel scalar");
    assert_eq!(scalar.len(), 1 + 18 + 2 + 6);
    assert_eq!(&scalar[21..], ["true []", "true []", "true []", "false [9]", "false [0]", "false [499]"]);
    let others = Kernel::ALL.into_iter().filter(|kernel| *kernel != Kernel::Scalar);
    for kernel in others {
        if kernel > Kernel::fastest() {
            eprintln!("This processor lacks what the kernel {} needs: it is not tested.", kernel.name());
            continue;
        }
        let answers = answers_with(kernel.name());
        assert_eq!(answers[0], format!("kernel {}", kernel.name()));
        assert_eq!(answers[1..], scalar[1..]);
    }
}

/// Nanoseconds of processor time of all threads so far; where the system does not say, none.
fn processor_time() -> u64 {
    let Ok(tasks) = std::fs::read_dir("/proc/self/task") else { return 0 };
    let times = tasks.filter_map(|task| std::fs::read_to_string(task.ok()?.path().join("schedstat")).ok());
    times.filter_map(|line| line.split_whitespace().next()?.parse::<u64>().ok()).sum()
}

/// The least of five times, in microseconds, for each of so many things that are done.
fn least(count: usize, work: impl Fn()) -> f64 {
    work();
    let times = (0..5).map(|_| {
        let start = processor_time();
        work();
        processor_time() - start
    });
    times.min().unwrap_or(0) as f64 / 1e3 / count as f64
}

#[test]
#[ignore = "measures"]
fn what_operations_take_with_the_kernel_in_use_is_printed() {
    const SIZE: usize = 1024;
    let setup = Kzg::new(Ceremony::ethereum().unwrap(), SIZE).unwrap();
    let scheme = setup.with_tables(aardvark_commitment::kzg::DEFAULT_TABLE_BYTES).unwrap();
    let vector: Vec<Scalar> = (0..SIZE as u64).map(scalar).collect();
    let powers = Ceremony::ethereum().unwrap().g1_powers(SIZE).unwrap();
    let deltas: Vec<(usize, Scalar)> = vector.iter().copied().enumerate().take(1000).collect();
    let updates: Vec<(Commitment, &[(usize, Scalar)])> =
        deltas.iter().map(|delta| (Commitment::identity(), std::slice::from_ref(delta))).collect();
    // Vectors that are zero but at one index: openings are updates of the empty vector's.
    let claims: Vec<BatchClaim> = (0..10_000)
        .map(|j| {
            let (index, value) = (j * 389 % SIZE, scalar(j as u64));
            let commitment = scheme.update_commitment_many(&Commitment::identity(), &[(index, value)]).unwrap();
            let opening = scheme.update_opening(&Opening::identity(), index, index, &value).unwrap();
            BatchClaim { label: 0, commitment, index, scalar: value, opening }
        })
        .collect();
    let encodings: Vec<[u8; 48]> = claims.iter().map(|claim| claim.opening.to_bytes()).collect();
    let name = Kernel::in_use().name();
    let print = |what: &str, time: f64| println!("{name}: {what}: {time:.2} us");
    let sum = || batch_to_affine(&[msm(&powers, &vector)]);
    let sum = || assert!((0..20).all(|_| black_box(sum()) != [G1Affine::default()]));
    print("blst's multi-scalar multiplication, 1,024", least(20, sum));
    let commit = || assert!((0..20).all(|_| black_box(scheme.commit(&vector)).is_ok()));
    print("commit, 1,024", least(20, commit));
    let update = || assert!(black_box(scheme.update_commitments_many(&updates)).is_ok());
    print("update_commitment, of 1,000", least(1000, update));
    print("verify_batch, of 10,000", least(10_000, || assert!(scheme.verify_batch(&DICTIONARY, &claims))));
    let decode = || assert!(Opening::from_bytes_each(&encodings).iter().all(Result::is_ok));
    print("decoding, of 10,000", least(10_000, decode));
    print("open_all, an opening", least(SIZE, || assert!(black_box(scheme.open_all(&vector)).is_ok())));
}
