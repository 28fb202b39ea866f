//! Outside judges: `c-kzg` and `rust_eth_kzg` on the same ceremony.
//!
//! Both work on polynomials of degree below 4096, given as a blob: values on the 4096-element
//! domain in bit-reversed order. A vector of N < 4096 scalars is a polynomial of degree below N;
//! its blob holds the values of *that* polynomial.
#![allow(clippy::unwrap_used)]

mod common;

use std::sync::OnceLock;

use aardvark_algebra::fft::bit_reverse;
use aardvark_algebra::{Domain, Scalar, encode_g1, scalar_from_bytes, scalar_to_bytes};
use aardvark_commitment::ceremony::{G1_POWERS, G2_POWERS};
use aardvark_commitment::{Ceremony, Commitment, Kzg, Opening, VectorCommitment};
use c_kzg::{Blob, Bytes32, Bytes48, KzgSettings, ethereum_kzg_settings};
use common::scalar;
use rust_eth_kzg::{DASContext, TrustedSetup};

const BLOB_SIZE: usize = 4096;

fn c_kzg() -> &'static KzgSettings {
    ethereum_kzg_settings(0)
}

fn rust_eth_kzg() -> &'static DASContext {
    static CONTEXT: OnceLock<DASContext> = OnceLock::new();
    CONTEXT.get_or_init(DASContext::default)
}

fn kzg(size: usize) -> Kzg {
    Kzg::new(Ceremony::ethereum().unwrap(), size).unwrap()
}

/// A vector with zeros, the largest scalar, and others.
fn vector(size: usize) -> Vec<Scalar> {
    let mut vector: Vec<Scalar> = (0..size as u64).map(scalar).collect();
    vector[0] = -Scalar::from(1);
    vector[size / 2] = Scalar::from(0);
    vector
}

/// The values of the vector's polynomial on the 4096-element domain, bit-reversed, 32 bytes each.
fn blob(vector: &[Scalar]) -> Box<[u8; BLOB_SIZE * 32]> {
    let coefficients = Domain::new(vector.len()).unwrap().ifft(vector);
    let mut values = Domain::new(BLOB_SIZE).unwrap().fft(&coefficients);
    bit_reverse(&mut values);
    let bytes: Vec<u8> = values.iter().flat_map(scalar_to_bytes).collect();
    bytes.into_boxed_slice().try_into().unwrap()
}

/// One opening against both judges, in both directions.
fn agree_at(kzg: &Kzg, vector: &[Scalar], index: usize, blob: &[u8; BLOB_SIZE * 32]) {
    let z = scalar_to_bytes(&kzg.domain().element(index));
    let y = scalar_to_bytes(&vector[index]);
    let wrong = scalar_to_bytes(&(vector[index] + Scalar::from(1)));
    let commitment = kzg.commit(vector).unwrap();
    let opening = kzg.open(vector, index).unwrap();
    let (c, o) = (commitment.to_bytes(), opening.to_bytes());

    // Ours before them.
    let judge = |y: [u8; 32]| {
        let (c, o) = (Bytes48::from(c), Bytes48::from(o));
        c_kzg().verify_kzg_proof(&c, &Bytes32::from(z), &Bytes32::from(y), &o).unwrap()
    };
    assert!(judge(y), "c-kzg refuses index {index}");
    assert!(!judge(wrong));
    assert!(rust_eth_kzg().verify_kzg_proof(&c, z, y, &o).is_ok(), "rust_eth_kzg refuses index {index}");
    assert!(rust_eth_kzg().verify_kzg_proof(&c, z, wrong, &o).is_err());

    // Theirs before us.
    let (theirs, value) = c_kzg().compute_kzg_proof(&Blob::new(*blob), &Bytes32::from(z)).unwrap();
    assert_eq!(value.as_ref(), &y);
    let theirs = theirs.to_bytes().into_inner();
    let (others, value) = rust_eth_kzg().compute_kzg_proof(blob, z).unwrap();
    assert_eq!(value, y);
    for proof in [theirs, others] {
        let proof = Opening::from_bytes_strict(&proof).unwrap();
        assert!(kzg.verify(&commitment, index, &vector[index], &proof));
        assert!(!kzg.verify(&commitment, index, &scalar_from_bytes(&wrong).unwrap(), &proof));
        assert_eq!(proof, opening);
    }
}

/// Commitments and some openings at one N.
fn agree(size: usize) {
    let (kzg, vector) = (kzg(size), vector(size));
    let blob = blob(&vector);
    let commitment = kzg.commit(&vector).unwrap();
    let theirs = c_kzg().blob_to_kzg_commitment(&Blob::new(*blob)).unwrap().to_bytes().into_inner();
    assert_eq!(commitment.to_bytes(), theirs);
    assert_eq!(Commitment::from_bytes(&theirs), Ok(commitment));
    assert_eq!(rust_eth_kzg().blob_to_kzg_commitment(&blob).unwrap(), theirs);
    for index in [0, 1, size / 2, size - 1] {
        agree_at(&kzg, &vector, index, &blob);
    }
}

#[test]
fn commitments_and_openings_are_those_of_both_judges_at_4096() {
    agree(4096);
}

#[test]
fn commitments_and_openings_are_those_of_both_judges_at_1024() {
    agree(1024);
}

#[test]
fn commitments_and_openings_are_those_of_both_judges_at_small_n() {
    for size in [2, 16] {
        agree(size);
    }
}

#[test]
fn an_opening_with_torsion_is_ours_alone() {
    // Equivalence is claimed for honest openings; the judges refuse what lies outside the subgroup,
    // and so does our strict rule.
    let (kzg, vector) = (kzg(16), vector(16));
    let commitment = kzg.commit(&vector).unwrap();
    let opening = common::shifted(&kzg.open(&vector, 5).unwrap(), &common::torsion(1));
    assert!(kzg.verify(&commitment, 5, &vector[5], &opening));
    let z = scalar_to_bytes(&kzg.domain().element(5));
    let y = scalar_to_bytes(&vector[5]);
    let (c, o) = (commitment.to_bytes(), opening.to_bytes());
    let (c48, o48) = (Bytes48::from(c), Bytes48::from(o));
    assert!(c_kzg().verify_kzg_proof(&c48, &Bytes32::from(z), &Bytes32::from(y), &o48).is_err());
    assert!(rust_eth_kzg().verify_kzg_proof(&c, z, y, &o).is_err());
    assert!(Opening::from_bytes_strict(&o).is_err());
}

#[test]
fn the_ceremony_file_holds_the_powers_that_rust_eth_kzg_ships() {
    let ceremony = Ceremony::ethereum().unwrap();
    let theirs = TrustedSetup::default();
    let g1 = ceremony.g1_powers(G1_POWERS).unwrap();
    let g2 = ceremony.g2_powers(G2_POWERS).unwrap();
    assert_eq!((theirs.g1_monomial.len(), theirs.g2_monomial.len()), (G1_POWERS, G2_POWERS));
    for (ours, theirs) in g1.iter().zip(&theirs.g1_monomial) {
        assert_eq!(encode_g1(ours), theirs.to_compressed());
    }
    for (ours, theirs) in g2.iter().zip(&theirs.g2_monomial) {
        assert_eq!(aardvark_algebra::encode_g2(ours), theirs.to_compressed());
    }
}

#[test]
fn the_lagrange_basis_is_the_one_that_c_kzg_ships() {
    // c-kzg commits with the basis it ships, so its commitment to the unit vector e_i is its own
    // [L_i(τ)]_1. All points at once are compared by
    // `commitments_and_openings_are_those_of_both_judges_at_4096`, a combination with 4,096 scalars
    // that know nothing of the points.
    let kzg = kzg(4096);
    let basis = kzg.lagrange_basis().unwrap();
    for index in [0, 1, 2, 1023, 2048, 4095] {
        let mut unit = vec![Scalar::from(0); 4096];
        unit[index] = Scalar::from(1);
        let theirs = c_kzg().blob_to_kzg_commitment(&Blob::new(*blob(&unit))).unwrap();
        assert_eq!(theirs.to_bytes().into_inner(), encode_g1(&basis[index]));
    }
}
