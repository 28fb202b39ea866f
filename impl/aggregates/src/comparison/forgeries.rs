//! Forgeries by an algebraic prover: it compares rows that lie on the wrong side of their
//! thresholds, opens everything as it is, and leaves out what its quotient cannot be divided by. A
//! verifier that did not demand the relation would accept. The letters are those of docs/tables.md,
//! "Forgeries".

use aardvark_algebra::ff::Field;
use aardvark_algebra::group::Curve;
use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::{G1Affine, G2Affine, Scalar, batch_to_affine};

use super::prover::{Compared, powers};
use super::relocation::Relocation;
use super::verifier::claims;
use super::{ComparedRow, Side};
use crate::bits::BitVectors;
use crate::fold::TableVerifier;
use crate::fold_prover::fold_polynomials;
use crate::masks::{ComparisonMasks, MaskSource};
use crate::segment::KnownSegment;
use crate::setup::ProverSetup;

const LOG: usize = 4;
const BITS: usize = 8;

/// Whether the comparison of a row with a threshold is accepted, whatever the row is.
fn accepted(number: u64, side: Side, threshold: u64) -> bool {
    let tau = Scalar::from(987_654_321);
    let multiples = core::iter::successors(Some(Scalar::ONE), |power| Some(power * tau)).take(34);
    let multiples: Vec<_> = multiples.map(|power| G1Affine::generator() * power).collect();
    let setup = ProverSetup::from_powers(batch_to_affine(&multiples), (G2Affine::generator() * tau).to_affine());
    let mut source = MaskSource::new([5; 32]);
    let segment = KnownSegment::draw(&mut source, 2, vec![7, number, 200], 1);
    let sheet = setup.sheet(LOG).unwrap();
    let record = segment.commit(sheet, [9; 32]);
    let item = ComparedRow { run: 0, segment: 0, record, position: 3, side, threshold };
    let items = [item];
    let masks = ComparisonMasks::draw(&mut source, BITS, 1);
    let (answer_seed, fold_seed) = ([3; 32], [4; 32]);
    let relocation = Relocation::new(&items).unwrap();
    let size = relocation.domain.size();
    // Where the row lies on the wrong side the bits are those of the difference modulo 2^8.
    let difference = match side {
        Side::AtLeast => number.wrapping_sub(threshold),
        Side::AtMost => threshold.wrapping_sub(number),
    };
    let mut differences = vec![0; size - 2];
    differences.splice(..1, [difference]);
    let compared = Compared {
        small: setup.domain(size.trailing_zeros() as usize).unwrap(),
        powers: powers(&setup, &items, &relocation).unwrap(),
        bits: BitVectors::new(&differences, &masks.bits),
        relocation,
        items: &items,
        segments: &[&segment],
        masks: &masks,
        differences: &differences,
    };
    let proved = compared.prove(&answer_seed, 0).unwrap();
    let opening = fold_polynomials(&sheet.powers, &fold_seed, &proved.opened).unwrap();
    let claimed = claims(BITS, &answer_seed, 0, &items, &proved.comparison).unwrap();
    TableVerifier::new(setup.tau_g2()).verify_fold(&fold_seed, &claimed.points, &claimed.claims, &opening)
}

#[test]
fn forgery_g_a_row_on_the_wrong_side_of_its_threshold_has_no_comparison() {
    for (number, side, threshold, verdict) in [
        (31, Side::AtLeast, 31, true),
        (31, Side::AtMost, 31, true),
        (31, Side::AtLeast, 30, true),
        (31, Side::AtLeast, 32, false),
        (31, Side::AtMost, 30, false),
        (31, Side::AtMost, 31 + 256, false),
    ] {
        assert_eq!(accepted(number, side, threshold), verdict, "{number} {side:?} {threshold}");
    }
}
