//! Setups on the ceremony.

use std::sync::OnceLock;

use aardvark_aggregates::ProverSetup;
use aardvark_commitment::{Ceremony, Kzg, Scheme};

/// Slots in a vector.
pub const VECTOR_SIZE: usize = 16;

/// The provers' setup.
pub fn provers() -> &'static ProverSetup {
    static SETUP: OnceLock<ProverSetup> = OnceLock::new();
    SETUP.get_or_init(|| ProverSetup::ethereum(None).unwrap())
}

/// The dictionary's scheme.
pub fn scheme() -> &'static Scheme {
    static SCHEME: OnceLock<Scheme> = OnceLock::new();
    SCHEME.get_or_init(|| Scheme::Kzg(Kzg::new(Ceremony::ethereum().unwrap(), VECTOR_SIZE).unwrap()))
}
