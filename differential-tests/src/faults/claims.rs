//! Faults in claims and openings.

use aardvark_algebra::ff::Field;
use aardvark_algebra::{Scalar, hash_to_scalar};
use aardvark_commitment::SchemeKind;
use aardvark_dictionary::{Block, Claim, Key, Value};
use aardvark_spec::base::scalar::root_of_unity;

use super::pick::{pick, pick_claim};
use super::surroundings::Surroundings;
use crate::archive::Archive;
use crate::convert::scalar_from_spec;
use crate::opening_rule::malformed_bytes;
use crate::plan::{Fault, FaultKind};
use crate::points::Meaning;
use crate::setting::{LONGEST_KEY, key_of, secret};

/// Does a fault to one claim.
pub(super) fn commit(block: &mut Block, fault: &Fault, around: &Surroundings<'_>) {
    use FaultKind::*;
    match fault.kind {
        RepeatClaim | ExtraClaim | DropClaim => return commit_to_list(block, fault, around),
        _ => {}
    }
    let Some((version, claim)) = pick_claim(block, fault) else {
        return;
    };
    let archive = around.builder.archive;
    let version = version.min(archive.version());
    match fault.kind {
        MoveWithinVector | MoveToOtherVector | BeyondSize | HugePosition | OpenUnused => {
            relocate(claim, version, fault, archive);
        }
        ChangeKey | ChangeValue | ChangeNext | OtherVersion | LongKey | LongNext | LongValue => {
            rewrite(claim, version, fault, archive);
        }
        _ => reopen(claim, version, fault, around),
    }
}

fn relocate(claim: &mut Claim, version: u64, fault: &Fault, archive: &Archive) {
    let (n, size, how) = (archive.vector_size(), archive.array(version).len() as u64, u64::from(fault.how));
    let (vector, index) = (claim.position / n, claim.position % n);
    match fault.kind {
        FaultKind::MoveWithinVector => claim.position = vector * n + (index + 1 + how) % n,
        FaultKind::MoveToOtherVector => {
            let vectors = size.div_ceil(n).max(1);
            claim.position = (vector + 1 + how) % vectors * n + index;
        }
        FaultKind::BeyondSize => {
            let grown = archive.now().len() as u64;
            claim.position = if how % 2 == 0 && grown > size { grown - 1 } else { size + how / 2 % (n + 2) };
        }
        FaultKind::HugePosition => claim.position = u64::MAX - how % 4 * n,
        _ => {
            let unused = (n - size % n) % n;
            if unused > 0 {
                claim.position = size + how % unused;
                claim.opening = archive.points.opening(archive.exponent(version, claim.position));
            }
        }
    }
}

fn rewrite(claim: &mut Claim, version: u64, fault: &Fault, archive: &Archive) {
    let parameters = &archive.setting().parameters;
    let long_key = || Key::from(vec![b'a'; usize::from(LONGEST_KEY) + 1 + usize::from(fault.how % 2) * 251]);
    match fault.kind {
        FaultKind::ChangeKey => claim.slot.key = key_of(fault.how),
        FaultKind::ChangeValue => claim.slot.value = Value::from([fault.how].as_slice()),
        FaultKind::ChangeNext => claim.slot.next = key_of(fault.how),
        FaultKind::OtherVersion => {
            let other = u64::from(fault.how) % (archive.version() + 1);
            if other != version && claim.position < archive.array(other).len() as u64 {
                *claim = archive.claim(other, claim.position);
            }
        }
        FaultKind::LongKey => claim.slot.key = long_key(),
        FaultKind::LongNext => claim.slot.next = long_key(),
        _ => claim.slot.value = Value::from(vec![1; usize::from(parameters.max_value_length) + 1]),
    }
}

fn reopen(claim: &mut Claim, version: u64, fault: &Fault, around: &Surroundings<'_>) {
    let archive = around.builder.archive;
    let points = &archive.points;
    match fault.kind {
        FaultKind::Malform => claim.opening = malformed_bytes(fault.how),
        FaultKind::OtherIndex => {
            let n = archive.vector_size();
            let other = claim.position / n * n + (claim.position + 1 + u64::from(fault.how)) % n;
            claim.opening = points.opening(archive.exponent(version, other));
        }
        FaultKind::RandomOpening => claim.opening = points.opening(some_scalar(fault.how)),
        FaultKind::IdentityOpening => claim.opening = points.opening(Scalar::ZERO),
        FaultKind::NegateOpening => {
            if let Meaning::Exponent(exponent) = points.meaning(&claim.opening) {
                claim.opening = points.opening(-exponent);
            }
        }
        _ => add_torsion(claim, around),
    }
}

/// Adds a point of small order to a claim's opening.
pub(super) fn add_torsion(claim: &mut Claim, around: &Surroundings<'_>) {
    let points = &around.builder.archive.points;
    if let Meaning::Exponent(exponent) = points.meaning(&claim.opening) {
        claim.opening = points.opening_with_torsion(exponent);
    }
}

fn commit_to_list(block: &mut Block, fault: &Fault, around: &Surroundings<'_>) {
    let archive = around.builder.archive;
    let Some(transaction) = pick(&mut block.transactions, fault.transaction) else {
        return;
    };
    let version = transaction.first_valid.saturating_sub(1).min(archive.version());
    let count = transaction.claims.len();
    match fault.kind {
        FaultKind::ExtraClaim => {
            let position = u64::from(fault.how) % archive.array(version).len() as u64;
            let place = usize::from(fault.item) % (count + 1);
            transaction.claims.insert(place, archive.claim(version, position));
        }
        FaultKind::RepeatClaim if count > 0 => {
            let claim = transaction.claims[usize::from(fault.item) % count].clone();
            transaction.claims.push(claim);
        }
        FaultKind::DropClaim if count > 0 => drop(transaction.claims.remove(usize::from(fault.item) % count)),
        _ => {}
    }
}

/// Does a fault to the openings of two claims that follow each other in the block.
pub(super) fn commit_to_two(block: &mut Block, fault: &Fault, around: &Surroundings<'_>) {
    let archive = around.builder.archive;
    let mut claims: Vec<&mut Claim> =
        block.transactions.iter_mut().flat_map(|transaction| transaction.claims.iter_mut()).collect();
    if claims.len() < 2 {
        return;
    }
    let first = usize::from(fault.item) % (claims.len() - 1);
    let openings = [claims[first].opening, claims[first + 1].opening];
    let shifted = match fault.kind {
        FaultKind::SwapOpenings => Some([openings[1], openings[0]]),
        _ => cancel(openings, [claims[first].position, claims[first + 1].position], fault.how, archive),
    };
    if let Some([left, right]) = shifted {
        (claims[first].opening, claims[first + 1].opening) = (left, right);
    }
}

/// Two false openings whose errors add up to nothing where every claim has the coefficient 1.
fn cancel(openings: [[u8; 48]; 2], positions: [u64; 2], how: u8, archive: &Archive) -> Option<[[u8; 48]; 2]> {
    let [Meaning::Exponent(left), Meaning::Exponent(right)] = openings.map(|bytes| archive.points.meaning(&bytes))
    else {
        return None;
    };
    let [left_weight, right_weight] = positions.map(|position| error_weight(archive, position));
    let shift = some_scalar(how);
    let opposite = shift * left_weight * Option::<Scalar>::from(right_weight.invert())?;
    Some([archive.points.opening(left + shift), archive.points.opening(right - opposite)])
}

/// By what an error in an opening enters the equation of its scheme.
fn error_weight(archive: &Archive, position: u64) -> Scalar {
    let n = archive.vector_size();
    match archive.setting().parameters.scheme {
        SchemeKind::Kzg => {
            let omega = scalar_from_spec(&root_of_unity(n as usize));
            omega.pow_vartime([position % n]) - secret()
        }
        SchemeKind::LibertYung => Scalar::ONE,
    }
}

fn some_scalar(how: u8) -> Scalar {
    match how % 4 {
        0 => Scalar::ONE,
        1 => -Scalar::ONE,
        _ => hash_to_scalar(&[how], b"DIFFERENTIAL-TESTS-SOME-SCALAR"),
    }
}
