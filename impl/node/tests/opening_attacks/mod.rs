//! What malicious and broken opening servers answer.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests fail by panicking")]

use aardvark_algebra::group::{Curve, Group};
use aardvark_algebra::msm::naive::multiply;
use aardvark_algebra::{G1Affine, G1Projective};
use aardvark_archive::Snapshot;
use aardvark_commitment::Opening;
use aardvark_node::openings::OpeningsRequest;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

/// What a malicious or broken server gives in the place of openings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Attack {
    /// The openings of other slots.
    OfOtherSlots,
    /// Those of another version.
    OfAnotherVersion,
    /// The true ones, of which the last is the point at infinity.
    LastIsInfinity,
    /// What verifies as the true ones do, and has other bytes.
    WithTorsion,
    /// No points.
    Noise,
    /// One opening too few.
    TooShort,
    /// Far more bytes than were asked for.
    Endless,
    /// An error.
    Fails,
    /// Nothing, for as long as one waits.
    Hangs,
}

/// Those that give something false.
pub const FALSE: [Attack; 5] =
    [Attack::OfOtherSlots, Attack::OfAnotherVersion, Attack::LastIsInfinity, Attack::WithTorsion, Attack::Noise];
/// Those that give no openings.
pub const NONE: [Attack; 3] = [Attack::TooShort, Attack::Endless, Attack::Fails];

impl Attack {
    /// What it answers.
    pub async fn answer(self, archive: &Snapshot, request: &OpeningsRequest) -> Response {
        let truth = |version: u64, positions: &[u64]| -> Vec<Opening> {
            archive.openings(version, positions).unwrap().into_values().collect()
        };
        let bytes = |openings: Vec<Opening>| -> Vec<u8> { openings.iter().flat_map(Opening::to_bytes).collect() };
        let true_ones = truth(request.version, &request.positions);
        match self {
            Self::OfOtherSlots => {
                let others: Vec<u64> = request.positions.iter().map(|position| position ^ 1).collect();
                bytes(others.iter().map(|position| truth(request.version, &[*position])[0]).collect()).into_response()
            }
            Self::OfAnotherVersion => bytes(truth(archive.oldest_version(), &request.positions)).into_response(),
            Self::LastIsInfinity => {
                let mut openings = true_ones;
                openings.pop();
                openings.push(Opening::identity());
                bytes(openings).into_response()
            }
            Self::WithTorsion => {
                let shifted = |opening: &Opening| {
                    let sum = G1Projective::from(*opening.point()) + G1Projective::from(torsion());
                    Opening::from_point_unchecked(sum.to_affine())
                };
                bytes(true_ones.iter().map(shifted).collect()).into_response()
            }
            Self::Noise => vec![0xa5; 48 * true_ones.len()].into_response(),
            Self::TooShort => bytes(true_ones[1..].to_vec()).into_response(),
            Self::Endless => vec![0; 1 << 20].into_response(),
            Self::Fails => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
            Self::Hangs => std::future::pending().await,
        }
    }
}

/// A point of the curve whose pairing with anything is 1: r times one that is not in the subgroup.
fn torsion() -> G1Affine {
    const ORDER: &str = "73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001";
    let order: Vec<u8> = hex::decode(ORDER).unwrap().into_iter().rev().collect();
    let encodings = (1..=u8::MAX).map(|x| {
        let mut bytes = [0; 48];
        (bytes[0], bytes[47]) = (0x80, x);
        bytes
    });
    let points = encodings.filter_map(|bytes| Opening::from_bytes(&bytes).ok());
    let multiples = points.map(|point| multiply(point.point(), &order));
    multiples.filter(|point| !bool::from(point.is_identity())).map(|point| point.to_affine()).next().unwrap()
}
