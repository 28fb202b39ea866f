//! Schemes to verify with, on the published setups.

use aardvark_commitment::insecure::libert_yung_verifier;
use aardvark_commitment::{CommitmentError, Kzg, Scheme, SchemeKind};

/// A scheme that can verify, and nothing else, on the published setup: ready in milliseconds.
///
/// # Errors
/// A vector size that no dictionary has.
pub fn verifier(scheme: SchemeKind, vector_size: u32) -> Result<Scheme, CommitmentError> {
    let vector_size = usize::try_from(vector_size).unwrap_or(usize::MAX);
    match scheme {
        SchemeKind::Kzg => Kzg::verifier(vector_size).map(Scheme::from),
        SchemeKind::LibertYung => libert_yung_verifier(vector_size).map(Scheme::from),
    }
}
