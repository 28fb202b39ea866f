//! Setups whose τ everyone knows, for domains of up to 16 elements.

use std::sync::OnceLock;

use aardvark_aggregates::ProverSetup;
use aardvark_algebra::ff::Field;
use aardvark_algebra::group::Curve;
use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::{G1Affine, G2Affine, Scalar, batch_to_affine};
use aardvark_commitment::{Scheme, insecure};

pub const VECTOR_SIZE: usize = 16;

pub fn tau() -> Scalar {
    Scalar::from(1_000_033)
}

pub fn provers() -> &'static ProverSetup {
    static SETUP: OnceLock<ProverSetup> = OnceLock::new();
    SETUP.get_or_init(|| {
        let powers = core::iter::successors(Some(Scalar::ONE), |power| Some(power * tau())).take(34);
        let powers: Vec<_> = powers.map(|power| G1Affine::generator() * power).collect();
        ProverSetup::from_powers(batch_to_affine(&powers), (G2Affine::generator() * tau()).to_affine())
    })
}

pub fn scheme() -> &'static Scheme {
    static SCHEME: OnceLock<Scheme> = OnceLock::new();
    SCHEME.get_or_init(|| Scheme::Kzg(insecure::kzg_with_known_tau(VECTOR_SIZE, tau()).unwrap()))
}
