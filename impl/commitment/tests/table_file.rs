//! Tables that come from a file are the tables that went there, and no others.

#![allow(clippy::unwrap_used)]

use std::fs;

use aardvark_algebra::Scalar;
use aardvark_commitment::kzg::TableFileError;
use aardvark_commitment::{Ceremony, Commitment, CommitmentError, Kzg, Opening, VectorCommitment, insecure};

const SIZE: usize = 4;
/// Nothing, the buckets alone, everything.
const BUDGETS: [usize; 3] = [0, 40_000, 400_000];

fn kzg() -> Kzg {
    Kzg::new(Ceremony::ethereum().unwrap(), SIZE).unwrap()
}

fn answers(kzg: &Kzg) -> (Commitment, Commitment, Opening) {
    let vector = [3, 1, 4, 1].map(Scalar::from);
    let commitment = kzg.commit(&vector).unwrap();
    let deltas = [(1, Scalar::from(7)), (2, -Scalar::from(9))];
    let updated = kzg.update_commitment_many(&commitment, &deltas).unwrap();
    let opening = kzg.update_opening_many(&kzg.open(&vector, 2).unwrap(), 2, &deltas).unwrap();
    (commitment, updated, opening)
}

#[test]
fn tables_from_a_file_answer_as_those_that_were_written() {
    let directory = tempfile::tempdir().unwrap();
    for budget in BUDGETS {
        let path = directory.path().join(budget.to_string());
        let built = kzg().with_tables(budget).unwrap();
        built.save_tables(&path).unwrap();
        let mut loaded = kzg();
        loaded.load_tables(budget, &path).unwrap();
        let (tables, same) = (loaded.tables().unwrap(), built.tables().unwrap());
        assert_eq!((tables.bytes(), tables.shape()), (same.bytes(), same.shape()));
        assert_eq!(answers(&loaded), answers(&kzg()));
        assert!(tables.bytes() > 0 || budget == 0);
    }
}

#[test]
fn flipped_bytes_and_other_lengths_are_refused_and_change_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("tables");
    let budget = BUDGETS[1];
    kzg().with_tables(budget).unwrap().save_tables(&path).unwrap();
    let written = fs::read(&path).unwrap();
    let mut fresh = kzg();
    // All of the header and of the checksum, and some of the points.
    let points = (68..written.len() - 32).step_by(211);
    for place in (0..68).chain(points).chain(written.len() - 32..written.len()) {
        let mut damaged = written.clone();
        damaged[place] ^= 1 << (place % 8);
        fs::write(&path, damaged).unwrap();
        let refused = fresh.load_tables(budget, &path);
        let of_kind = match place < 68 {
            true => matches!(refused, Err(TableFileError::Foreign { .. })),
            false => matches!(refused, Err(TableFileError::Damaged { .. })),
        };
        assert!(of_kind, "byte {place}: {refused:?}");
    }
    let longer = [written.as_slice(), &[0]].concat();
    for other in [&[], &written[..64], &written[..written.len() - 1], &longer] {
        fs::write(&path, other).unwrap();
        assert!(matches!(fresh.load_tables(budget, &path), Err(TableFileError::Length { .. })));
    }
    assert!(fresh.tables().is_none());
    assert_eq!(answers(&fresh), answers(&kzg()));
}

#[test]
fn tables_of_another_setup_or_budget_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("tables");
    let budget = BUDGETS[2];
    kzg().with_tables(budget).unwrap().save_tables(&path).unwrap();
    let mut other = insecure::kzg_with_known_tau(SIZE, Scalar::from(12345)).unwrap();
    assert!(matches!(other.load_tables(budget, &path), Err(TableFileError::Foreign { .. })));
    assert!(matches!(kzg().load_tables(BUDGETS[1], &path), Err(TableFileError::Length { .. })));
    let larger = Kzg::new(Ceremony::ethereum().unwrap(), 2 * SIZE).unwrap().load_tables(budget, &path);
    assert!(matches!(larger, Err(TableFileError::Length { .. })));
}

#[test]
fn without_a_file_tables_or_a_basis_there_is_nothing_to_read_or_write() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("nowhere");
    assert!(matches!(kzg().load_tables(BUDGETS[2], &path), Err(TableFileError::Io { .. })));
    assert!(matches!(kzg().save_tables(&path), Err(TableFileError::NoTables)));
    let refused = Kzg::verifier(SIZE).unwrap().load_tables(BUDGETS[2], &path);
    assert!(matches!(refused, Err(TableFileError::Scheme(CommitmentError::VerifierOnly))));
    assert!(!path.exists());
}
