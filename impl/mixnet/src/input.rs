//! Encrypted values: a row (ρG, m_l G + ρY_l) with a proof that its sender knows ρ, which covers
//! the sender and its label, so that nobody can send in a copy or a variation of another's.
//!
//! T = τG, c = hash_to_scalar(keys || sender || bytes16(label) || row || T, "..INPUT"), z = τ + cρ.

use std::collections::HashSet;

use aardvark_algebra::encoding::{G1_BYTES, SCALAR_BYTES};
use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::{
    G1Affine, Scalar, TaggedHash, decode_opening, encode_g1, first_outside_subgroup, hash_to_scalar, scalar_from_bytes,
    scalar_to_bytes,
};
use aardvark_sigma::claim::{Claim, Terms, claims_hold};
use aardvark_sigma::column::KeyRow;
use aardvark_sigma::{Digest, List, Secrets, Seed};

use crate::fault::{Fault, FaultKind, Place};

/// The domain of inputs' challenges.
const INPUT_DST: &[u8] = b"AARDVARK-V1-MIXNET-INPUT";

/// Who sends, and the label that the registry gives it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Sender {
    /// The public key, 32 bytes.
    pub key: [u8; 32],
    /// The label, of at most 65,535 bytes.
    pub label: String,
}

/// An encrypted value with its proof, as it travels: 48 bytes a point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputBytes(pub Vec<u8>);

/// What a sender posts for a value that is these points.
pub fn encrypt(keys: &Digest, row: &KeyRow, sender: &Sender, value: &[G1Affine], seed: &Seed) -> InputBytes {
    let statement = TaggedHash::new("AARDVARK-V1-MIXNET-SENDING").chain(keys).chain(sender.key);
    let statement = statement.chain(crate::keys::encoded(value)).finalize();
    let secrets: Secrets = seed.scalars("input", &statement, 2);
    let message: Vec<G1Affine> = core::iter::once(G1Affine::identity()).chain(value.iter().copied()).collect();
    let (rho, tau) = secrets.split_at(1);
    let width = row.width();
    let encrypted = row.reencrypt(&List::computed(message, width), rho);
    let first = row.multiples(tau).at(0, 0);
    let c = challenge(keys, sender, &encrypted, &first);
    let response: Scalar = tau.iter().zip(rho).map(|(tau, rho)| *tau + c * rho).sum();
    let mut bytes: Vec<u8> = encrypted.iter().chain([&first]).flat_map(encode_g1).collect();
    bytes.extend(scalar_to_bytes(&response));
    InputBytes(bytes)
}

fn challenge(keys: &Digest, sender: &Sender, row: &[G1Affine], first: &G1Affine) -> Scalar {
    let mut message = keys.to_vec();
    message.extend(sender.key);
    message.extend((sender.label.len() as u16).to_be_bytes());
    message.extend(sender.label.as_bytes());
    row.iter().chain([first]).for_each(|point| message.extend(encode_g1(point)));
    hash_to_scalar(&message, INPUT_DST)
}

/// The proofs of all inputs as one claim.
struct Knowledge {
    firsts: Vec<G1Affine>,
    randomised: Vec<G1Affine>,
    challenges: Vec<Scalar>,
    responses: Vec<Scalar>,
}

impl Claim for Knowledge {
    fn digest(&self) -> Digest {
        // The challenges cover everything else.
        let hash = TaggedHash::new("AARDVARK-V1-MIXNET-INPUTS");
        self.challenges.iter().fold(hash, |hash, c| hash.chain(scalar_to_bytes(c))).finalize()
    }

    fn responses(&self) -> &[Scalar] {
        &self.responses
    }

    fn rows(&self) -> usize {
        self.responses.len()
    }

    fn terms<'a>(&'a self, weights: &[Scalar], terms: &mut Terms<'a>) {
        terms.add_one(&G1Affine::generator(), weights.iter().zip(&self.responses).map(|(w, z)| *w * z).sum());
        terms.add(&self.firsts, weights.iter().map(|weight| -*weight));
        terms.add(&self.randomised, weights.iter().zip(&self.challenges).map(|(w, c)| -(*w * c)));
    }
}

impl Knowledge {
    /// Those of a part.
    fn part(&self, range: core::ops::Range<usize>) -> Self {
        let points = |all: &[G1Affine]| all.get(range.clone()).unwrap_or_default().to_vec();
        let scalars = |all: &[Scalar]| all.get(range.clone()).unwrap_or_default().to_vec();
        Self {
            firsts: points(&self.firsts),
            randomised: points(&self.randomised),
            challenges: scalars(&self.challenges),
            responses: scalars(&self.responses),
        }
    }

    /// The rows whose proofs are false, by halves.
    fn false_rows(&self, start: usize) -> Vec<usize> {
        let count = self.responses.len();
        if count == 0 || claims_hold(&[self]) {
            return Vec::new();
        }
        if count == 1 {
            return vec![start];
        }
        let mut found = self.part(0..count / 2).false_rows(start);
        found.extend(self.part(count / 2..count).false_rows(start + count / 2));
        found
    }
}

/// What was found of inputs.
#[derive(Clone, Debug)]
pub struct Inputs {
    /// The rows of the valid ones, in their order.
    pub rows: List,
    /// Which of the posted ones are valid, in their order.
    pub valid: Vec<usize>,
    /// The faults of the others; the author is the number of the posted input.
    pub faults: Vec<Fault>,
}

/// Judges posted inputs, in the order of the board's keys. Values have `numbers` numbers.
pub fn check_inputs(keys: &Digest, numbers: usize, posted: &[(&Sender, &InputBytes)]) -> Inputs {
    let mut faults = Vec::new();
    let mut decoded: Vec<(usize, Vec<G1Affine>, Scalar)> = Vec::new();
    for (number, (_, bytes)) in posted.iter().enumerate() {
        match decode(&bytes.0, numbers + 2) {
            Ok((points, response)) => decoded.push((number, points, response)),
            Err(fault) => faults.push(Fault { author: Some(number), ..fault }),
        }
    }
    let all: Vec<G1Affine> = decoded.iter().flat_map(|(_, points, _)| points.iter().copied()).collect();
    if first_outside_subgroup(&all).is_some() {
        // Each by itself, which names all who are wrong.
        decoded.retain(|(number, points, _)| {
            let outside = first_outside_subgroup(points);
            let place = outside.map(|column| Place { list: 0, row: *number, column });
            if place.is_some() {
                faults.push(Fault { kind: FaultKind::NotInSubgroup, author: Some(*number), place });
            }
            outside.is_none()
        });
    }
    let knowledge = knowledge(keys, posted, &decoded);
    let mut wrong = knowledge.false_rows(0);
    wrong.sort_unstable();
    let (mut seen, mut valid, mut rows) = (HashSet::new(), Vec::new(), Vec::new());
    for (place, (number, points, _)) in decoded.iter().enumerate() {
        let first = points.first().map(encode_g1);
        if wrong.binary_search(&place).is_ok() {
            faults.push(Fault { kind: FaultKind::InputProofFalse, author: Some(*number), place: None });
        } else if !seen.insert(first) {
            faults.push(Fault { kind: FaultKind::InputRepeated, author: Some(*number), place: None });
        } else {
            valid.push(*number);
            rows.extend_from_slice(points.split_last().map_or(&[], |(_, row)| row));
        }
    }
    faults.sort_by_key(|fault| fault.author);
    Inputs { rows: List::computed(rows, numbers + 1), valid, faults }
}

fn knowledge(
    keys: &Digest,
    posted: &[(&Sender, &InputBytes)],
    decoded: &[(usize, Vec<G1Affine>, Scalar)],
) -> Knowledge {
    let mut all =
        Knowledge { firsts: Vec::new(), randomised: Vec::new(), challenges: Vec::new(), responses: Vec::new() };
    for (number, points, response) in decoded {
        let (Some((sender, _)), Some((first, row))) = (posted.get(*number), points.split_last()) else { continue };
        all.challenges.push(challenge(keys, sender, row, first));
        all.firsts.push(*first);
        all.randomised.push(row.first().copied().unwrap_or_else(G1Affine::identity));
        all.responses.push(*response);
    }
    all
}

/// The row and T, and z; no subgroup check.
fn decode(bytes: &[u8], points: usize) -> Result<(Vec<G1Affine>, Scalar), Fault> {
    let length = points * G1_BYTES + SCALAR_BYTES;
    let (encoded, scalar) = match bytes.len() == length {
        true => bytes.split_at(points * G1_BYTES),
        false => return Err(Fault::new(FaultKind::WrongLength)),
    };
    let (encoded, _) = encoded.as_chunks::<G1_BYTES>();
    let malformed = |_| Fault::new(FaultKind::Malformed);
    let points = encoded.iter().map(decode_point).collect::<Result<Vec<_>, _>>()?;
    // A row's C_0 is not 0; the rest of it may be.
    if points.first().is_some_and(|c| bool::from(c.is_identity())) {
        return Err(Fault::new(FaultKind::IdentityComponent));
    }
    let scalar = scalar.first_chunk().ok_or(Fault::new(FaultKind::WrongLength))?;
    Ok((points, scalar_from_bytes(scalar).map_err(malformed)?))
}

fn decode_point(bytes: &[u8; G1_BYTES]) -> Result<G1Affine, Fault> {
    decode_opening(bytes).map_err(|error| match error {
        // The points of order 3 that the encoding already gives away.
        aardvark_algebra::DecodeError::ZeroX => Fault::new(FaultKind::NotInSubgroup),
        _ => Fault::new(FaultKind::Malformed),
    })
}
