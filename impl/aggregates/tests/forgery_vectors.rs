//! Forgeries of the vectors that a certificate is about: rows where none may be, sums that are not
//! those of the rows, points outside of the subgroup. τ is known, so that every other vector of a
//! commitment can be made; what the honest rows open to is then not what stands under it. Provers
//! that know what stands there are in the crate's certificate/forgeries.rs. The letters are those
//! of docs/tables.md, "Forgeries".
#![allow(clippy::unwrap_used, clippy::panic, reason = "a broken premise must stop a test")]

mod scene;

use aardvark_aggregates::{CertificateError, Record, RecordError, SheetItem, prove};
use aardvark_algebra::ff::Field;
use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::msm::naive::multiply;
use aardvark_algebra::{Domain, G1Affine, G1Projective, Scalar};
use aardvark_commitment::{Commitment, Opening};
use scene::{Scene, tau};

/// Two segments of a domain of 16: rows at 1..=3 and at 6..=7.
fn honest() -> Scene {
    Scene::new(4, 8, 200, 2, &[(1, vec![3, 3, 180]), (6, vec![0, 9])])
}

/// The multiple of the generator that a commitment gains where a vector gains 1 at a position.
fn unit(position: usize) -> Scalar {
    let domain = Domain::new(16).unwrap();
    let mut vector = vec![Scalar::ZERO; 16];
    vector[position] = Scalar::ONE;
    domain.ifft(&vector).iter().rev().fold(Scalar::ZERO, |sum, coefficient| sum * tau() + coefficient)
}

fn moved(commitment: &Commitment, step: Scalar) -> Commitment {
    let sum = G1Projective::from(commitment.point()) + G1Affine::generator() * step;
    Commitment::from_point_unchecked(G1Affine::from(sum))
}

/// The verdict on the certificate that a prover makes for changed records of the honest rows.
fn verdict(scene: &Scene, change: impl Fn(&mut Vec<SheetItem>)) -> Result<(), CertificateError> {
    let mut items = scene.items.clone();
    change(&mut items);
    let made = prove(scene.sheet(), &scene.about, &items, &scene.segments, &scene.masks).unwrap();
    scene.verifier.verify_certificate(&scene.about, &items, &made)
}

#[test]
fn forgery_c_a_row_at_the_origin_the_guard_or_off_its_interval_has_no_certificate() {
    let scene = honest();
    assert_eq!(verdict(&scene, |_| ()), Ok(()));
    for (k, rows) in [(0, 1..=3), (1, 6..=7)] {
        for position in 0..14 {
            // A number off the rows, and another one in a row's place.
            let step = Scalar::from(if rows.contains(&position) { 1 } else { 5 });
            let refused = verdict(&scene, |items| {
                let values = items[k].record.values;
                items[k].record.values = moved(&values, unit(position) * step);
            });
            assert_eq!(refused, Err(CertificateError::False), "segment {k}, position {position}");
        }
    }
    // The masks take no part: with others the same rows are certified.
    let mut other = honest();
    other.segments[0].values_masks[1] += Scalar::ONE;
    other.items[0].record.values = moved(&other.items[0].record.values, unit(15));
    assert_eq!(verdict(&other, |_| ()), Ok(()));
}

#[test]
fn forgery_a_sums_that_are_not_those_of_the_rows_have_no_certificate() {
    let scene = honest();
    for k in 0..2 {
        for p in 0..2 {
            // Only the total, at 1; each other suffix; all of them by as much.
            let everywhere = (0..14).map(unit).sum::<Scalar>();
            for step in (0..14).map(unit).chain([everywhere, everywhere * Scalar::from(7)]) {
                let refused = verdict(&scene, |items| {
                    let sums = items[k].record.sums[p];
                    items[k].record.sums[p] = moved(&sums, step);
                });
                assert_eq!(refused, Err(CertificateError::False), "segment {k}, power {}", p + 1);
            }
        }
        // Sums in the place of squares, and the other segment's.
        let swapped = verdict(&scene, |items| items[k].record.sums.swap(0, 1));
        assert_eq!(swapped, Err(CertificateError::False));
        let others = verdict(&scene, |items| items[k].record.sums = items[1 - k].record.sums.clone());
        assert_eq!(others, Err(CertificateError::False));
    }
}

#[test]
fn forgery_a_rows_beyond_the_bounds_have_no_certificate() {
    // Bounds and order of the rows under the commitments, where the prover says that all is well.
    let scene = honest();
    let half = (Scalar::ZERO - Scalar::ONE) * Scalar::from(2).invert().unwrap();
    let at = |position: usize, to: Scalar, from: u64| unit(position) * (to - Scalar::from(from));
    let below = Scalar::ZERO - Scalar::ONE;
    for step in [
        // The last row above the cap, one more than all bits, (r-1)/2, -1; the rows in other order.
        at(3, Scalar::from(201), 180),
        at(3, Scalar::from(256), 180),
        at(3, half, 180),
        at(1, below, 3),
        at(1, Scalar::from(180), 3) + at(3, Scalar::from(3), 180),
    ] {
        let refused = verdict(&scene, |items| items[0].record.values = moved(&items[0].record.values, step));
        assert_eq!(refused, Err(CertificateError::False));
    }
}

/// A point of the curve that is not of the subgroup: what is left of one without its multiple of r.
fn torsion() -> G1Affine {
    let mut bytes = [0u8; 48];
    (0..=u8::MAX)
        .find_map(|x| {
            bytes[0] = 0x80;
            bytes[47] = x;
            let point = Option::<G1Affine>::from(G1Affine::from_compressed_unchecked(&bytes))?;
            let outside = !bool::from(point.is_torsion_free());
            // r P has no share in the subgroup. By double and add: the multiplication by a scalar
            // uses the endomorphism, which is another map out here.
            let rest = multiply(&point, &(-Scalar::ONE).to_bytes_le()) + G1Projective::from(point);
            outside.then(|| G1Affine::from(rest))
        })
        .unwrap()
}

#[test]
fn forgery_a_points_outside_of_the_subgroup_are_no_records_and_change_no_verdict() {
    let scene = honest();
    let shown = scene.certificate();
    let shifted = |point: G1Affine| G1Affine::from(G1Projective::from(point) + G1Projective::from(torsion()));
    assert!(!bool::from(torsion().is_torsion_free()));
    // In what the dictionary stores they are refused.
    let record = &scene.items[0].record;
    let bytes = record.to_bytes();
    assert_eq!(Record::from_bytes(&bytes, 2).as_ref(), Ok(record));
    for (place, commitment) in [record.values, record.sums[0], record.sums[1]].into_iter().enumerate() {
        let at = if place == 0 { 5 } else { 85 + 48 * (place - 1) };
        let mut other = bytes.clone();
        assert_eq!(&other[at..at + 48], &commitment.to_bytes());
        other[at..at + 48].copy_from_slice(&shifted(*commitment.point()).to_compressed());
        assert!(
            matches!(Record::from_bytes(&other, 2), Err(RecordError::Point { place: found, .. }) if found == place)
        );
    }
    // W' of a certificate is bound by nothing that follows: its share outside of the subgroup is
    // not seen by the pairing. A false one stays false.
    let mut with = shown.clone();
    with.opening.witness = Opening::from_point_unchecked(shifted(*shown.opening.witness.point()));
    assert_eq!((scene.verdict(&shown), scene.verdict(&with)), (Ok(()), Ok(())));
    with.next += Scalar::ONE;
    assert_eq!(scene.verdict(&with), Err(CertificateError::False));
    // Any other point is hashed: a share of it makes another transcript.
    let mut with = shown.clone();
    with.quotient = Opening::from_point_unchecked(shifted(*shown.quotient.point()));
    assert_eq!(scene.verdict(&with), Err(CertificateError::False));
}
