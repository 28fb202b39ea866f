//! Comparisons of rows with thresholds: with a known trapdoor each point of the implementation is
//! the specification's multiple of the generator, byte for byte, given the same rows and masks; and
//! both judge honest and changed comparisons alike.
#![allow(clippy::unwrap_used, reason = "a broken premise must stop a test")]

use aardvark_aggregates::comparison::prover::prove;
use aardvark_aggregates::comparison::verifier::claims;
use aardvark_aggregates::comparison::{ComparedRow, Side};
use aardvark_aggregates::fold_prover::fold_polynomials;
use aardvark_aggregates::{ComparisonError, ComparisonMasks, KnownSegment, MaskSource, ProverSetup, TableVerifier};
use aardvark_algebra::ff::Field;
use aardvark_algebra::group::Curve;
use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::{
    G1Affine, G1Projective, G2Affine, Scalar, batch_to_affine, encode_g1, scalar_from_bytes, scalar_to_bytes,
};
use aardvark_oracle::{Safety, TableRequest};
use aardvark_spec::base::group::{G1, g1_multiple, known_exponent};
use aardvark_spec::base::scalar::Scalar as SpecScalar;
use aardvark_spec::commitment::folded_opening::{fold_gammas, fold_point, verify_fold};
use aardvark_spec::commitment::kzg::kzg_setup;
use aardvark_spec::convert::{
    byte_string, byte_vec, scalar_from_bytes as spec_scalar, scalar_to_bytes as spec_scalar_bytes, to_seq, to_vec,
};
use aardvark_spec::table::comparison as spec;
use aardvark_spec::table::comparison_prover as spec_prover;
use aardvark_spec::table::known_points::fold_known_claims;
use aardvark_spec::table::known_segment as spec_known;
use aardvark_spec::table::run_record::{RunRecord, TablePoint};
use differential_tests::oracle::tables::table;
use hacspec_lib::Seq;

fn multiple_of_generator(exponent: &Scalar) -> G1Projective {
    G1Affine::generator() * exponent
}

fn to_spec(scalar: &Scalar) -> SpecScalar {
    spec_scalar(&scalar_to_bytes(scalar))
}

fn all_to_spec(scalars: &[Scalar]) -> Seq<SpecScalar> {
    to_seq(scalars.iter().map(to_spec).collect())
}

/// The 48 bytes of an element of the specification.
fn encoded(element: G1) -> [u8; 48] {
    let exponent = scalar_from_bytes(&spec_scalar_bytes(known_exponent(element))).unwrap();
    encode_g1(&multiple_of_generator(&exponent).to_affine())
}

/// An element with the implementation's bytes, which must be its own.
fn held(element: G1, bytes: [u8; 48]) -> TablePoint {
    assert_eq!(encoded(element), bytes);
    TablePoint { held_element: element, held_bytes: byte_string(&bytes) }
}

/// A run: the logarithm of its domain's size, its first position, its numbers.
type Run = (usize, usize, Vec<u64>);
/// An item: a run, the index of a row, a side, a threshold.
type Wanted = (usize, usize, Side, u64);

/// One comparison in both.
struct Pair {
    tau: Scalar,
    setup: ProverSetup,
    bits: usize,
    number: u32,
    items: Vec<ComparedRow>,
    segments: Vec<KnownSegment>,
    masks: ComparisonMasks,
}

impl Pair {
    fn new(bits: usize, runs: &[Run], wanted: &[Wanted], seed: u8) -> Self {
        let tau = Scalar::from(2_000_003) + Scalar::from(u64::from(seed));
        let powers = core::iter::successors(Some(Scalar::ONE), |power| Some(power * tau)).take(66);
        let powers: Vec<_> = powers.map(|power| multiple_of_generator(&power)).collect();
        let setup = ProverSetup::from_powers(batch_to_affine(&powers), (G2Affine::generator() * tau).to_affine());
        let mut source = MaskSource::new([seed; 32]);
        let draw = |(_, first, numbers): &Run| KnownSegment::draw(&mut source, *first, numbers.clone(), 1);
        let known: Vec<KnownSegment> = runs.iter().map(draw).collect();
        let item = |(run, row, side, threshold): &Wanted| ComparedRow {
            run: *run as u32,
            segment: 0,
            record: known[*run].commit(setup.sheet(runs[*run].0).unwrap(), [seed; 32]),
            position: (runs[*run].1 + row) as u16,
            side: *side,
            threshold: *threshold,
        };
        let items = wanted.iter().map(item).collect();
        let segments = wanted.iter().map(|(run, ..)| known[*run].clone()).collect();
        let masks = ComparisonMasks::draw(&mut source, bits, wanted.len());
        Self { tau, setup, bits, number: u32::from(seed), items, segments, masks }
    }

    fn spec_segments(&self) -> Vec<spec_known::KnownSegment> {
        let segment = |known: &KnownSegment| spec_known::KnownSegment {
            known_first: known.first,
            known_numbers: to_seq(known.numbers.iter().map(|number| u128::from(*number)).collect()),
            known_values_masks: all_to_spec(&known.values_masks),
            known_sums_masks: all_to_spec(known.sums_masks.as_flattened()),
        };
        self.segments.iter().map(segment).collect()
    }

    /// The items, their commitments compared with those of the specification.
    fn spec_items(&self) -> Vec<spec::ComparedRow> {
        let tau = to_spec(&self.tau);
        let item = |(item, known): (&ComparedRow, &spec_known::KnownSegment)| {
            let size = 1 << item.record.log;
            let sum = |p: usize| g1_multiple(spec_known::sums_at(size, known, p, tau));
            let sums = item.record.sums.iter().zip(1..).map(|(bytes, p)| held(sum(p), bytes.to_bytes()));
            spec::ComparedRow {
                compared_run: item.run as usize,
                compared_segment: item.segment as usize,
                compared_record: RunRecord {
                    record_log: usize::from(item.record.log),
                    record_first: usize::from(item.record.first),
                    record_rows: usize::from(item.record.rows),
                    record_values: held(
                        g1_multiple(spec_known::values_at(size, known, tau)),
                        item.record.values.to_bytes(),
                    ),
                    record_root: byte_string(&item.record.root),
                    record_sums: to_seq(sums.collect()),
                },
                compared_position: usize::from(item.position),
                compared_at_most: item.side == Side::AtMost,
                compared_threshold: u128::from(item.threshold),
            }
        };
        self.items.iter().zip(&self.spec_segments()).map(item).collect()
    }
}

fn cases() -> Vec<Pair> {
    let runs: Vec<Run> = vec![
        (5, 1, vec![3, 3, 7]),
        (5, 9, vec![5, 200, 255, 255]),
        (4, 1, vec![0, 20, 40, 60]),
        (3, 4, vec![9]),
        (3, 1, vec![0, u64::MAX]),
    ];
    use Side::{AtLeast, AtMost};
    let mut cases = vec![
        Pair::new(8, &runs, &[(0, 0, AtLeast, 3)], 1),
        Pair::new(8, &runs, &[(0, 1, AtMost, 8), (0, 2, AtLeast, 7), (1, 1, AtLeast, 7)], 2),
        Pair::new(64, &runs, &[(4, 0, AtMost, u64::MAX), (4, 1, AtLeast, 0)], 3),
    ];
    for seed in 10..14u8 {
        let wanted: Vec<Wanted> = (0..1 + usize::from(seed) % 5)
            .map(|k| {
                let run = (k + usize::from(seed)) % 4;
                let row = (k * 7 + usize::from(seed)) % runs[run].2.len();
                let (number, step) = (runs[run].2[row], (k as u64 * 31) % 50);
                if k % 2 == 0 {
                    (run, row, AtMost, number + step)
                } else {
                    (run, row, AtLeast, number - step.min(number))
                }
            })
            .collect();
        cases.push(Pair::new(8, &runs, &wanted, seed));
    }
    cases
}

#[test]
fn each_point_of_a_comparison_is_the_specification_s_multiple_of_the_generator() {
    for case in cases() {
        let (answer_seed, fold_seed) = ([7; 32], [8; 32]);
        let known: Vec<&KnownSegment> = case.segments.iter().collect();
        let proved =
            prove(&case.setup, case.bits, &answer_seed, case.number, &case.items, &known, &case.masks).unwrap();
        let shown = &proved.comparison;
        let powers = &case.setup.sheet(5).unwrap().powers;
        let opening = fold_polynomials(powers, &fold_seed, &proved.opened).unwrap();

        let (tau, items, segments) = (to_spec(&case.tau), case.spec_items(), to_seq(case.spec_segments()));
        let listed = to_seq(items.clone());
        let masks = spec_prover::ComparisonMasks {
            compared_bit_masks: all_to_spec(case.masks.bits.as_flattened()),
            compared_row_masks: all_to_spec(case.masks.rows.as_flattened()),
        };
        // The specification draws its challenges from the implementation's bytes.
        let bytes_only = |bytes: [u8; 48]| TablePoint { held_bytes: byte_string(&bytes), ..TablePoint::default() };
        let scalars: Vec<u8> = shown.bit_values.iter().chain(&shown.values).flat_map(scalar_to_bytes).collect();
        let written = spec::Comparison {
            comparison_bits: to_seq(shown.bits.iter().map(|point| bytes_only(point.to_bytes())).collect()),
            comparison_masks: to_seq(shown.masks.iter().map(|point| bytes_only(point.to_bytes())).collect()),
            comparison_quotient: bytes_only(shown.quotient.to_bytes()),
            comparison_scalar_bytes: byte_string(&scalars),
            ..spec::Comparison::default()
        };
        let drawn = |items: &Seq<spec::ComparedRow>| {
            let c0 = spec::comparison_seed(&byte_string(&answer_seed), case.number as usize, items);
            let s1 = spec::comparison_bits_seed(&c0, &written);
            let s2 = spec::comparison_quotient_seed(&s1, &written);
            let s3 = spec::comparison_values_seed(&s2, &written);
            (spec::comparison_challenges(case.bits, &s1, &s2), byte_vec(&s3))
        };
        let (challenges, s3) = drawn(&listed);
        assert_eq!(s3, proved.seed);

        let bare = spec_prover::unopened_comparison(tau, case.bits, &listed, &segments, &masks, &challenges);
        let both = |elements: &Seq<TablePoint>, bytes: &[aardvark_commitment::Opening]| -> Seq<TablePoint> {
            assert_eq!(elements.len(), bytes.len());
            to_seq(to_vec(elements).iter().zip(bytes).map(|(e, b)| held(e.held_element, b.to_bytes())).collect())
        };
        let expected: Vec<[u8; 32]> = to_vec(&bare.comparison_bit_values)
            .into_iter()
            .chain(to_vec(&bare.comparison_values))
            .map(spec_scalar_bytes)
            .collect();
        assert_eq!(expected.as_flattened(), scalars);
        let complete = spec::Comparison {
            comparison_bits: both(&bare.comparison_bits, &shown.bits),
            comparison_masks: both(&bare.comparison_masks, &shown.masks),
            comparison_quotient: held(bare.comparison_quotient.held_element, shown.quotient.to_bytes()),
            comparison_scalar_bytes: byte_string(&scalars),
            ..bare
        };
        let claimed = spec::claims_of_comparison(case.bits, &listed, &challenges, &complete).unwrap();
        let gammas = fold_gammas(&byte_string(&fold_seed), claimed.len());
        let z = fold_point(&byte_string(&fold_seed), &byte_string(&opening.quotient.to_bytes()));
        let fold = fold_known_claims(tau, &claimed, &gammas, z);
        assert_eq!(encoded(fold.folded_quotient), opening.quotient.to_bytes());
        assert_eq!(encoded(fold.folded_witness), opening.witness.to_bytes());

        // Verdicts: of the honest one, and of changes of what it is about.
        let (setup, verifier) = (kzg_setup(8, tau), TableVerifier::new(case.setup.tau_g2()));
        let compare = |change: &dyn Fn(&mut Vec<ComparedRow>),
                       changed: &dyn Fn(&mut Vec<spec::ComparedRow>)|
         -> Result<bool, ComparisonError> {
            let (mut own, mut specified) = (case.items.clone(), items.clone());
            change(&mut own);
            changed(&mut specified);
            let specified = to_seq(specified);
            let verdict = claims(case.bits, &answer_seed, case.number, &own, shown)
                .map(|claimed| verifier.verify_fold(&fold_seed, &claimed.points, &claimed.claims, &opening));
            let (challenges, _) = drawn(&specified);
            let asked =
                TableRequest::Comparison { bits: case.bits, items: &specified, drawn: &challenges, shown: &complete };
            table(Safety::Ask, &asked).unwrap();
            let judged = spec::claims_of_comparison(case.bits, &specified, &challenges, &complete)
                .map(|claimed| verify_fold(&setup, &claimed, &gammas, z, &fold));
            let same = match verdict {
                Ok(held) => judged == Ok(held),
                Err(ComparisonError::Rows) => judged == Err(spec::ComparisonFault::ItemsIllegal),
                Err(ComparisonError::Shape) => judged == Err(spec::ComparisonFault::ComparisonMisshapen),
                Err(ComparisonError::PointOnDomain) => judged == Err(spec::ComparisonFault::PointOnDomain),
                Err(_) => false,
            };
            assert!(same, "{verdict:?} and {judged:?}");
            verdict
        };
        assert_eq!(compare(&|_| (), &|_| ()), Ok(true));
        for k in 0..case.items.len() {
            let (up, down) = (case.items[k].threshold < u64::MAX, case.items[k].threshold > 0);
            if up {
                let changed = |items: &mut Vec<spec::ComparedRow>| items[k].compared_threshold += 1;
                assert_eq!(compare(&|items| items[k].threshold += 1, &changed), Ok(false));
            }
            if down {
                let changed = |items: &mut Vec<spec::ComparedRow>| items[k].compared_threshold -= 1;
                assert_eq!(compare(&|items| items[k].threshold -= 1, &changed), Ok(false));
            }
            let changed = |items: &mut Vec<spec::ComparedRow>| items[k].compared_run += 1;
            assert_eq!(compare(&|items| items[k].run += 1, &changed), Ok(false));
            let side = |items: &mut Vec<ComparedRow>| {
                items[k].side = if items[k].side == Side::AtMost { Side::AtLeast } else { Side::AtMost };
            };
            let changed = |items: &mut Vec<spec::ComparedRow>| items[k].compared_at_most = !items[k].compared_at_most;
            assert_eq!(compare(&side, &changed), Ok(false));
            for position in 0..14u16 {
                let changed = |items: &mut Vec<spec::ComparedRow>| items[k].compared_position = usize::from(position);
                let verdict = compare(&|items| items[k].position = position, &changed);
                assert_eq!(verdict == Ok(true), position == case.items[k].position);
            }
            for (log, first, rows) in
                [(2, 1, 1), (3, 1, 4), (3, 1, 5), (5, 0, 9), (11, 1, 2044), (12, 1, 9), (5, 28, 1)]
            {
                let own = |items: &mut Vec<ComparedRow>| {
                    let record = &mut items[k].record;
                    (record.log, record.first, record.rows) = (log, first, rows);
                };
                let changed = |items: &mut Vec<spec::ComparedRow>| {
                    let record = &mut items[k].compared_record;
                    record.record_log = usize::from(log);
                    (record.record_first, record.record_rows) = (usize::from(first), usize::from(rows));
                };
                assert!(compare(&own, &changed) != Ok(true));
            }
        }
        assert_eq!(compare(&|items| items.clear(), &|items| items.clear()), Err(ComparisonError::Rows));
    }
}
