//! Setups: every legal N on the real ceremony, the cache, the verifier, the digests.
#![allow(clippy::unwrap_used)]

mod common;

use std::fs;
use std::path::Path;

use aardvark_algebra::ff::Field;
use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::{Domain, G1Affine, Scalar, msm};
use aardvark_commitment::ceremony::ETHEREUM_DIGEST;
use aardvark_commitment::{
    BatchClaim, Ceremony, Commitment, CommitmentError, Kzg, Opening, Scheme, VectorCommitment, insecure, naive,
};
use common::{DICTIONARY, scalar, secret};

fn ethereum() -> &'static Ceremony {
    Ceremony::ethereum().unwrap()
}

/// Commits, opens at both ends and in the middle, verifies alone and together, refuses a wrong
/// scalar.
fn works(prover: &dyn VectorCommitment, verifier: &Scheme) {
    let size = prover.vector_size();
    let vector: Vec<Scalar> = (0..size as u64).map(scalar).collect();
    let commitment = prover.commit(&vector).unwrap();
    let indices = [0, size / 2, size - 1];
    let mut claims: Vec<BatchClaim> = indices
        .map(|index| BatchClaim {
            label: 0,
            commitment,
            index,
            scalar: vector[index],
            opening: prover.open(&vector, index).unwrap(),
        })
        .into();
    assert!(verifier.verify_batch(&DICTIONARY, &claims), "N = {size}");
    claims[1].scalar += Scalar::ONE;
    assert_eq!(verifier.find_false(&DICTIONARY, &claims), [1], "N = {size}");
    // Both updates, against a fresh computation.
    let delta = scalar(77);
    let (opened, changed) = (size / 2, size - 1);
    let mut after = vector.clone();
    after[changed] += delta;
    let updated = prover.update_opening(&claims[1].opening, opened, changed, &delta).unwrap();
    assert_eq!(updated, prover.open(&after, opened).unwrap(), "N = {size}");
    let own = prover.update_opening(&claims[2].opening, changed, changed, &delta).unwrap();
    assert_eq!(own, prover.open(&after, changed).unwrap(), "N = {size}");
    let commitment = prover.update_commitment(&commitment, changed, &delta).unwrap();
    assert_eq!(commitment, prover.commit(&after).unwrap(), "N = {size}");
}

/// Small N in full; the largest ones in their own tests, which run beside this one.
#[test]
fn kzg_works_on_the_ceremony_for_every_small_n() {
    for log in 0..=8 {
        let size = 1 << log;
        works(&Kzg::new(ethereum(), size).unwrap(), &Kzg::verifier(size).unwrap().into());
    }
}

#[test]
fn kzg_works_on_the_ceremony_at_1024() {
    works(&Kzg::new(ethereum(), 1024).unwrap(), &Kzg::verifier(1024).unwrap().into());
}

#[test]
fn kzg_works_on_the_ceremony_at_4096() {
    works(&Kzg::new(ethereum(), 4096).unwrap(), &Kzg::verifier(4096).unwrap().into());
}

/// Their setups cost 512 and 2,048 points: derived, and compared with the powers by one
/// combination.
#[test]
fn the_lagrange_basis_is_that_of_the_powers_at_512_and_2048() {
    for size in [512, 2048] {
        let kzg = Kzg::new(ethereum(), size).unwrap();
        let powers = ethereum().g1_powers(size).unwrap();
        let vector: Vec<Scalar> = (0..size as u64).map(scalar).collect();
        let coefficients = Domain::new(size).unwrap().ifft(&vector);
        let expected = Commitment::from_point_unchecked(msm(&powers, &coefficients));
        assert_eq!(kzg.commit(&vector), Ok(expected), "N = {size}");
    }
}

#[test]
fn the_lagrange_basis_is_its_definition() {
    for size in [1, 2, 8] {
        let kzg = Kzg::new(ethereum(), size).unwrap();
        let (domain, powers) = (Domain::new(size).unwrap(), ethereum().g1_powers(size).unwrap());
        for (i, point) in kzg.lagrange_basis().unwrap().iter().enumerate() {
            let mut unit = vec![Scalar::ZERO; size];
            unit[i] = Scalar::ONE;
            assert_eq!(point, naive::kzg_commit(&domain, &powers, &unit).point());
        }
    }
}

#[test]
fn libert_yung_works_for_every_small_n_with_tables_and_without() {
    for log in 0..=6 {
        let size = 1 << log;
        let prover = insecure::libert_yung(size).unwrap();
        works(&prover, &insecure::libert_yung_verifier(size).unwrap().into());
        works(&prover, &insecure::libert_yung(size).unwrap().into());
    }
}

#[test]
fn libert_yung_works_at_1024() {
    let prover = insecure::libert_yung(1024).unwrap();
    works(&prover, &insecure::libert_yung_verifier(1024).unwrap().into());
}

#[test]
fn sizes_that_are_no_powers_of_two_up_to_4096_are_refused() {
    for size in [0, 3, 1000, 4097, 8192, usize::MAX] {
        let refused = CommitmentError::VectorSize(size);
        assert_eq!(Kzg::new(ethereum(), size).err(), Some(refused.clone()));
        assert_eq!(Kzg::verifier(size).err(), Some(refused.clone()));
        assert_eq!(insecure::libert_yung(size).err(), Some(refused.clone()));
        assert_eq!(insecure::libert_yung_verifier(size).err(), Some(refused.clone()));
        assert_eq!(insecure::kzg_with_known_tau(size, secret()).err(), Some(refused));
    }
}

#[test]
fn degenerate_secrets_are_refused() {
    let omega = *Domain::new(8).unwrap().omega();
    let refused = Some(CommitmentError::DegenerateSecret);
    for tau in [Scalar::ZERO, Scalar::ONE, omega, omega * omega] {
        assert_eq!(insecure::kzg_with_known_tau(8, tau).err(), refused);
    }
    let alpha = insecure::libert_yung_with_known_alpha(8, Scalar::ZERO);
    assert_eq!(alpha.err(), refused);
}

#[test]
fn a_verifier_answers_everything_else_with_an_error() {
    let schemes: [Scheme; 2] = [Kzg::verifier(4).unwrap().into(), insecure::libert_yung_verifier(4).unwrap().into()];
    for verifier in schemes {
        let (c, o) = (Commitment::identity(), Opening::identity());
        let one = Scalar::ONE;
        assert!(verifier.verify(&c, 3, &Scalar::ZERO, &o));
        assert!(!verifier.verify(&c, 3, &one, &o));
        assert_eq!(verifier.commit(&[one]), Err(CommitmentError::VerifierOnly));
        assert_eq!(verifier.open(&[one], 0), Err(CommitmentError::VerifierOnly));
        assert_eq!(verifier.open_all(&[one]), Err(CommitmentError::VerifierOnly));
        assert_eq!(verifier.update_commitment(&c, 0, &one), Err(CommitmentError::VerifierOnly));
        assert_eq!(verifier.update_opening(&o, 0, 1, &one), Err(CommitmentError::VerifierOnly));
    }
}

#[test]
fn digests_tell_all_setups_apart_and_do_not_depend_on_the_form() {
    assert_eq!(Kzg::verifier(4).unwrap().setup_digest(), ETHEREUM_DIGEST);
    assert_eq!(Kzg::new(ethereum(), 4).unwrap().setup_digest(), ETHEREUM_DIGEST);
    let libert_yung = insecure::libert_yung(4).unwrap().setup_digest();
    assert_eq!(libert_yung, insecure::libert_yung_verifier(4).unwrap().setup_digest());
    let others = [
        ETHEREUM_DIGEST,
        libert_yung,
        insecure::libert_yung(8).unwrap().setup_digest(),
        insecure::libert_yung_with_known_alpha(4, secret()).unwrap().setup_digest(),
        insecure::kzg_with_known_tau(4, secret()).unwrap().setup_digest(),
        insecure::kzg_with_known_tau(4, -secret()).unwrap().setup_digest(),
        insecure::kzg_with_known_tau(8, secret()).unwrap().setup_digest(),
    ];
    for (i, digest) in others.iter().enumerate() {
        assert!(!others[i + 1..].contains(digest), "digest {i}");
    }
}

#[test]
fn the_public_secret_of_the_insecure_setup_forges() {
    // Why its name says insecure: with α, the opening (C - m [α^i]_1) α^(N+1-i) passes for any m.
    let scheme = insecure::libert_yung(4).unwrap();
    let alpha = aardvark_algebra::hash_to_scalar(insecure::LIBERT_YUNG_TEXT, insecure::LIBERT_YUNG_TAG);
    let commitment = scheme.commit(&[1, 2, 3, 4].map(Scalar::from)).unwrap();
    let lie = scalar(666);
    let power = |e: u64| alpha.pow_vartime([e]);
    let left = commitment.point().to_curve() - G1Affine::generator() * (lie * power(2));
    let forged = Opening::from_point_unchecked(left * power(4 + 1 - 2));
    assert!(scheme.verify(&commitment, 1, &lie, &forged));
}

fn basis(path: &Path, size: usize) -> Vec<G1Affine> {
    let kzg = Kzg::with_cache(ethereum(), size, path).unwrap();
    works(&kzg, &Kzg::verifier(size).unwrap().into());
    kzg.lagrange_basis().unwrap().to_vec()
}

#[test]
fn the_cache_is_written_once_and_read_back() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("basis");
    let derived = basis(&path, 16);
    assert_eq!(derived, Kzg::new(ethereum(), 16).unwrap().lagrange_basis().unwrap());
    let written = fs::read(&path).unwrap();
    assert!(Kzg::is_cache(&path));
    let modified = fs::metadata(&path).unwrap().modified().unwrap();
    assert_eq!(basis(&path, 16), derived);
    assert_eq!(fs::read(&path).unwrap(), written);
    assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), modified);
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1, "no drafts stay behind");
}

#[test]
fn a_damaged_or_foreign_cache_is_derived_anew_and_replaced() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("basis");
    let derived = basis(&path, 8);
    let good = fs::read(&path).unwrap();
    let mut bad: Vec<Vec<u8>> = (0..good.len())
        .step_by(37)
        .map(|place| {
            let mut bytes = good.clone();
            bytes[place] ^= 1;
            bytes
        })
        .collect();
    bad.extend([vec![], good[..good.len() - 1].to_vec(), [good.clone(), vec![0]].concat()]);
    let mut of_another_format = good.clone();
    of_another_format[17] = 1;
    bad.push(of_another_format);
    for bytes in bad {
        fs::write(&path, &bytes).unwrap();
        assert_eq!(Kzg::is_cache(&path), bytes.get(..18) == Some(&good[..18]));
        let kzg = Kzg::with_cache(ethereum(), 8, &path).unwrap();
        assert_eq!(kzg.lagrange_basis().unwrap(), derived);
        assert_eq!(fs::read(&path).unwrap(), good);
    }
    // So many points that they are read in pieces: damage in each, and an end between them.
    let derived = basis(&path, 128);
    let good = fs::read(&path).unwrap();
    for place in [60, 12_000, 12_400, 24_700, good.len() - 1] {
        let mut damaged = good.clone();
        damaged[place] ^= 1;
        for bytes in [damaged, good[..place].to_vec()] {
            fs::write(&path, bytes).unwrap();
            assert_eq!(Kzg::with_cache(ethereum(), 128, &path).unwrap().lagrange_basis().unwrap(), derived);
            assert_eq!(fs::read(&path).unwrap(), good);
        }
    }
    // Another N at the same place: neither misread nor kept.
    assert_eq!(basis(&path, 4), Kzg::new(ethereum(), 4).unwrap().lagrange_basis().unwrap());
    assert_ne!(fs::read(&path).unwrap(), good);
}

#[test]
fn a_cache_that_cannot_be_written_does_no_harm() {
    let directory = tempfile::tempdir().unwrap();
    let nowhere = directory.path().join("missing").join("basis");
    assert_eq!(basis(&nowhere, 4), Kzg::new(ethereum(), 4).unwrap().lagrange_basis().unwrap());
    assert!(!nowhere.exists());
    // A directory in the file's place can be neither read nor replaced, and stays.
    let occupied = directory.path().join("occupied");
    fs::create_dir(&occupied).unwrap();
    fs::write(occupied.join("content"), b"x").unwrap();
    basis(&occupied, 4);
    assert!(occupied.join("content").exists());
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1, "no drafts stay behind");
}
