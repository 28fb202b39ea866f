//! The order of one run's rows by `bls_bulletproofs`: rows are in order where their steps are in
//! range, the first of them from 0.

use bls_bulletproofs::blstrs::{G1Affine, Scalar};
use bls_bulletproofs::group::ff::Field;
use bls_bulletproofs::merlin::Transcript;
use bls_bulletproofs::rand::SeedableRng;
use bls_bulletproofs::rand::rngs::StdRng;
use bls_bulletproofs::{BulletproofGens, PedersenGens, RangeProof};

use crate::error::BenchError;
use crate::table1::peers::failed;

/// Bits of a step.
const BITS: usize = 32;
/// The label of transcripts.
const LABEL: &[u8] = b"order of rows";

/// Steps and their range proof.
pub struct Bulletproofs {
    bases: PedersenGens,
    generators: BulletproofGens,
    steps: Vec<u64>,
    blindings: Vec<Scalar>,
}

impl Bulletproofs {
    /// The steps of numbers in ascending order, each with a blinding.
    pub fn new(numbers: &[u64]) -> Self {
        let before = core::iter::once(0).chain(numbers.iter().copied());
        let steps: Vec<u64> = numbers.iter().zip(before).map(|(number, before)| number - before).collect();
        let mut random = StdRng::from_seed([4; 32]);
        let blindings = steps.iter().map(|_| Scalar::random(&mut random)).collect();
        Self { bases: PedersenGens::default(), generators: BulletproofGens::new(BITS, steps.len()), steps, blindings }
    }

    /// Commits to the steps and shows their range: the proof as bytes, the commitments.
    pub fn prove(&self) -> Result<(Vec<u8>, Vec<G1Affine>), BenchError> {
        let Self { bases, generators, steps, blindings } = self;
        let proved = RangeProof::prove_multiple(generators, bases, &mut Transcript::new(LABEL), steps, blindings, BITS);
        let (proof, commitments) = proved.map_err(failed)?;
        Ok((proof.to_bytes(), commitments))
    }

    /// Whether a proof shows the range of what is committed to.
    pub fn verify(&self, proof: &[u8], commitments: &[G1Affine]) -> bool {
        let Self { bases, generators, .. } = self;
        let verified = |proof: RangeProof| {
            proof.verify_multiple(generators, bases, &mut Transcript::new(LABEL), commitments, BITS)
        };
        RangeProof::from_bytes(proof).and_then(verified).is_ok()
    }
}
