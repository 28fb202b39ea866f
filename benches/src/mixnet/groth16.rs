//! Baseline: set membership by a general proof system, Groth16 over our curve.
//!
//! The circuit says of a commitment γ = v G + r H on Jubjub (v and r of 252 bits): v is a leaf of
//! the tree with this root. The tree is Poseidon's (S-box x^5, 8 full and 57 partial rounds, two
//! elements at once), of the least depth that holds all values: 14 at 10,000.
//!
//! Among several servers the prover would be a joint computation. As the paper does, its time is
//! put at twice that of one prover, for each of the inputs that are asked about: an estimate, from
//! the proofs that are made and verified here. Witnesses in shares, the tree, and the setup that
//! somebody has to be trusted with are not counted.

use ark_bls12_381::{Bls12_381, Fr};
use ark_crypto_primitives::crh::poseidon::TwoToOneCRH;
use ark_crypto_primitives::crh::poseidon::constraints::{CRHParametersVar, TwoToOneCRHGadget};
use ark_crypto_primitives::crh::{TwoToOneCRHScheme, TwoToOneCRHSchemeGadget};
use ark_crypto_primitives::sponge::poseidon::{PoseidonConfig, find_poseidon_ark_and_mds};
use ark_ec::{CurveGroup, PrimeGroup};
use ark_ed_on_bls12_381::constraints::EdwardsVar;
use ark_ed_on_bls12_381::{EdwardsAffine, EdwardsProjective, Fr as JubjubScalar};
use ark_ff::{AdditiveGroup, BigInteger, PrimeField};
use ark_groth16::{Groth16, PreparedVerifyingKey, Proof, ProvingKey};
use ark_r1cs_std::alloc::AllocVar;
use ark_r1cs_std::boolean::Boolean;
use ark_r1cs_std::eq::EqGadget;
use ark_r1cs_std::fields::fp::FpVar;
use ark_r1cs_std::groups::CurveVar;
use ark_r1cs_std::select::CondSelectGadget;
use ark_relations::r1cs::{ConstraintSynthesizer, ConstraintSystem, ConstraintSystemRef, SynthesisError};
use ark_serialize::CanonicalSerialize;
use ark_snark::SNARK;
use ark_std::UniformRand;
use ark_std::rand::SeedableRng;
use ark_std::rand::rngs::StdRng;

use super::rows::{Rows, against};
use crate::error::{BenchError, require};
use crate::measure::clock::timed;
use crate::measure::row::Row;
use crate::measure::statistics::Samples;
use crate::report::Report;

/// Bits of v and r.
const BITS: usize = 252;
/// Proofs that are measured.
const PROOFS: usize = 5;

/// Poseidon of two elements.
fn poseidon() -> PoseidonConfig<Fr> {
    let (full, partial, rate) = (8, 57, 2);
    let bits = u64::from(Fr::MODULUS_BIT_SIZE);
    let (ark, mds) = find_poseidon_ark_and_mds::<Fr>(bits, rate, full, partial, 0);
    PoseidonConfig::new(full as usize, partial as usize, 5, mds, ark, rate, 1)
}

/// G and H, whose logarithms nobody has to know here.
fn bases(rng: &mut StdRng) -> [EdwardsProjective; 2] {
    [EdwardsProjective::generator(), EdwardsProjective::rand(rng)]
}

/// The first multiples by powers of two.
fn doublings(base: EdwardsProjective) -> Vec<EdwardsProjective> {
    core::iter::successors(Some(base), |base| Some(base.double())).take(BITS).collect()
}

/// What is proved of one input.
#[derive(Clone)]
struct Membership<'a> {
    parameters: &'a PoseidonConfig<Fr>,
    multiples: &'a [Vec<EdwardsProjective>; 2],
    root: Fr,
    commitment: EdwardsAffine,
    value: Fr,
    blinding: JubjubScalar,
    /// From the leaf's neighbour up.
    siblings: Vec<Fr>,
    /// Which leaf.
    place: usize,
}

fn little_endian(number: &impl PrimeField) -> Vec<bool> {
    let mut bits = number.into_bigint().to_bits_le();
    bits.resize(BITS, false);
    bits
}

impl ConstraintSynthesizer<Fr> for Membership<'_> {
    fn generate_constraints(self, system: ConstraintSystemRef<Fr>) -> Result<(), SynthesisError> {
        let root = FpVar::new_input(system.clone(), || Ok(self.root))?;
        let commitment = EdwardsVar::new_input(system.clone(), || Ok(EdwardsProjective::from(self.commitment)))?;
        let witness = |bits: Vec<bool>| Vec::<Boolean<Fr>>::new_witness(system.clone(), || Ok(bits));
        let (value, blinding) = (witness(little_endian(&self.value))?, witness(little_endian(&self.blinding))?);
        let mut sum = EdwardsVar::zero();
        for (bits, multiples) in [&value, &blinding].into_iter().zip(self.multiples) {
            sum.precomputed_base_scalar_mul_le(bits.iter().zip(multiples))?;
        }
        sum.enforce_equal(&commitment)?;

        let parameters = CRHParametersVar { parameters: self.parameters.clone() };
        let mut node = Boolean::le_bits_to_fp(&value)?;
        for (level, sibling) in self.siblings.iter().enumerate() {
            let sibling = FpVar::new_witness(system.clone(), || Ok(*sibling))?;
            let right = Boolean::new_witness(system.clone(), || Ok(self.place >> level & 1 == 1))?;
            let first = FpVar::conditionally_select(&right, &sibling, &node)?;
            let second = FpVar::conditionally_select(&right, &node, &sibling)?;
            node = TwoToOneCRHGadget::<Fr>::evaluate(&parameters, &first, &second)?;
        }
        node.enforce_equal(&root)
    }
}

/// All levels of the tree over these leaves, filled up with zeros.
fn tree(parameters: &PoseidonConfig<Fr>, mut leaves: Vec<Fr>) -> Result<Vec<Vec<Fr>>, BenchError> {
    leaves.resize(leaves.len().next_power_of_two(), Fr::ZERO);
    let mut levels = vec![leaves];
    while let Some(level) = levels.last().filter(|level| level.len() > 1) {
        let (pairs, _) = level.as_chunks::<2>();
        let next = pairs.iter().map(|[left, right]| TwoToOneCRH::<Fr>::evaluate(parameters, *left, *right));
        let next = next.collect::<Result<Vec<Fr>, _>>().map_err(wrong)?;
        levels.push(next);
    }
    Ok(levels)
}

fn wrong(error: impl core::fmt::Display) -> BenchError {
    BenchError::Wrong(error.to_string())
}

/// What it took.
pub struct Measured {
    /// One prover, a proof.
    pub prove: Samples,
    /// Verifying a proof.
    pub verify: Samples,
    /// Of the circuit.
    pub constraints: usize,
    /// Bytes of a proof.
    pub proof_bytes: usize,
}

/// Proofs that some of so many values are in the tree of all; each is verified, and refused for
/// another commitment.
pub fn measure(entries: usize) -> Result<Measured, BenchError> {
    let mut rng = StdRng::seed_from_u64(0x6d69_786e_6574);
    let parameters = poseidon();
    let multiples = bases(&mut rng).map(doublings);
    let values: Vec<Fr> = (0..entries as u64).map(|number| Fr::from(number * number + 17)).collect();
    let levels = tree(&parameters, values.clone())?;
    let root = levels.last().and_then(|level| level.first()).copied().unwrap_or_default();
    let mut of = |place: usize| {
        let (value, blinding) = (values.get(place).copied().unwrap_or_default(), JubjubScalar::rand(&mut rng));
        let sum = |base: &[EdwardsProjective], bits: Vec<bool>| {
            base.iter().zip(bits).filter(|(_, bit)| *bit).map(|(multiple, _)| *multiple).sum::<EdwardsProjective>()
        };
        let [g, h] = &multiples;
        let commitment = (sum(g, little_endian(&value)) + sum(h, little_endian(&blinding))).into_affine();
        let below_root = levels.iter().take(levels.len() - 1).enumerate();
        let siblings = below_root.filter_map(|(height, level)| level.get(place >> height ^ 1).copied()).collect();
        Membership {
            parameters: &parameters,
            multiples: &multiples,
            root,
            commitment,
            value,
            blinding,
            siblings,
            place,
        }
    };
    let asked: Vec<Membership<'_>> = (0..PROOFS).map(|number| of(number * (entries - 1) / (PROOFS - 1))).collect();
    let first = asked.first().cloned().ok_or_else(|| wrong("nothing is asked"))?;

    let system = ConstraintSystem::<Fr>::new_ref();
    first.clone().generate_constraints(system.clone()).map_err(wrong)?;
    require(system.is_satisfied().map_err(wrong)?, || "the circuit refuses a true statement".to_owned())?;
    let constraints = system.num_constraints();
    let lie = Membership { value: first.value + Fr::from(1u64), ..first.clone() };
    let refused = ConstraintSystem::<Fr>::new_ref();
    lie.generate_constraints(refused.clone()).map_err(wrong)?;
    require(!refused.is_satisfied().map_err(wrong)?, || "the circuit takes a false statement".to_owned())?;

    let mut rng = StdRng::seed_from_u64(0x73_6574_7570);
    let (proving, verifying): (ProvingKey<Bls12_381>, _) =
        Groth16::<Bls12_381>::circuit_specific_setup(first, &mut rng).map_err(wrong)?;
    let verifying: PreparedVerifyingKey<Bls12_381> = Groth16::<Bls12_381>::process_vk(&verifying).map_err(wrong)?;
    let (mut prove, mut verify, mut proof_bytes) = (Samples::default(), Samples::default(), 0);
    for (number, statement) in asked.iter().enumerate() {
        let public = [root, statement.commitment.x, statement.commitment.y];
        let (proof, took) = timed(|| Groth16::<Bls12_381>::prove(&proving, statement.clone(), &mut rng));
        let proof: Proof<Bls12_381> = proof.map_err(wrong)?;
        prove.push(took);
        let judge = |public: &[Fr]| Groth16::<Bls12_381>::verify_with_processed_vk(&verifying, public, &proof);
        let (holds, took) = timed(|| judge(&public));
        require(holds.map_err(wrong)?, || "an honest proof is refused".to_owned())?;
        verify.push(took);
        let other =
            asked.get((number + 1) % PROOFS).map_or(public, |other| [root, other.commitment.x, other.commitment.y]);
        require(!judge(&other).map_err(wrong)?, || "a proof holds of another commitment".to_owned())?;
        proof_bytes = proof.compressed_size();
    }
    Ok(Measured { prove, verify, constraints, proof_bytes })
}

/// The rows of a question, beside ours of the servers; the circuit's once.
pub fn rows(rows: &Rows<'_>, operation: &'static str, ours: &Row, report: &mut Report) -> Result<(), BenchError> {
    eprintln!("{operation}, groth16");
    let row = rows.of("groth16");
    let entries = rows.entries;
    let Measured { prove, verify, constraints, proof_bytes } = measure(entries)?;
    let times = entries as f64;
    report.add(against(row.sampled(operation, "server", &prove, 2.0 * times)?, ours))?;
    report.add(row.sampled(operation, "querier", &verify, times)?)?;
    if operation == "trace_in" {
        report.add(row.counted("circuit", "constraints", constraints))?;
        report.add(row.counted("proof", "bytes", proof_bytes))?;
    }
    Ok(())
}
