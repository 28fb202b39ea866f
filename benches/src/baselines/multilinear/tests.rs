use aardvark_algebra::ff::Field;
use aardvark_algebra::group::Curve;
use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::{G1Affine, Scalar, hash_to_scalar};
use aardvark_commitment::{Commitment, CommitmentError};
use quickcheck::{Arbitrary, Gen, QuickCheck};

use super::{MAX_LOG_SIZE, Multilinear, MultilinearOpening, naive};
use crate::baselines::{Baseline, Claim};

fn scalar(seed: u64) -> Scalar {
    match seed % 8 {
        0 => Scalar::ZERO,
        1 => Scalar::ONE,
        2 => -Scalar::ONE,
        3 => Scalar::from(seed >> 33),
        4 => Scalar::from(seed),
        _ => hash_to_scalar(&seed.to_be_bytes(), b"test"),
    }
}

fn secrets(log: usize) -> Vec<Scalar> {
    (0..log as u64).map(|t| hash_to_scalar(&t.to_be_bytes(), b"secret")).collect()
}

fn scheme(log: usize) -> Multilinear {
    Multilinear::insecure_with_known_secrets(&secrets(log)).unwrap()
}

/// A vector of 1 to 16 places, with two indices and a delta.
#[derive(Clone, Debug)]
struct Case {
    log: usize,
    scalars: Vec<Scalar>,
    index: usize,
    other: usize,
    delta: Scalar,
}

impl Arbitrary for Case {
    fn arbitrary(g: &mut Gen) -> Self {
        let log = usize::arbitrary(g) % 5;
        let length = usize::arbitrary(g) % ((1 << log) + 1);
        Self {
            log,
            scalars: (0..length).map(|_| scalar(u64::arbitrary(g))).collect(),
            index: usize::arbitrary(g) % (1 << log),
            other: usize::arbitrary(g) % (1 << log),
            delta: scalar(u64::arbitrary(g)),
        }
    }
}

impl Case {
    fn full(&self) -> Vec<Scalar> {
        let mut full = self.scalars.clone();
        full.resize(1 << self.log, Scalar::ZERO);
        full
    }

    /// The vector after the scalar at `other` has grown.
    fn changed(&self) -> Vec<Scalar> {
        let mut full = self.full();
        full[self.other] += self.delta;
        full
    }
}

fn check(law: fn(Case) -> bool) {
    QuickCheck::new().tests(60).quickcheck(law);
}

#[test]
fn commitments_and_openings_have_the_exponents_that_the_definition_says() {
    fn law(case: Case) -> bool {
        let (scheme, secrets) = (scheme(case.log), secrets(case.log));
        let of = |exponent: Scalar| (G1Affine::generator() * exponent).to_affine();
        let elements: Vec<G1Affine> =
            naive::quotients(&case.full(), &secrets, case.index).into_iter().map(of).collect();
        *scheme.commit(&case.scalars).unwrap().point() == of(naive::evaluate(&case.scalars, &secrets))
            && scheme.open(&case.scalars, case.index).unwrap().elements() == elements
    }
    check(law);
}

#[test]
fn an_opening_verifies_and_one_for_another_scalar_or_index_does_not() {
    fn law(case: Case) -> bool {
        let scheme = scheme(case.log);
        let commitment = scheme.commit(&case.scalars).unwrap();
        let opening = scheme.open(&case.scalars, case.index).unwrap();
        let full = case.full();
        let verify = |index: usize, scalar: Scalar| scheme.verify(&commitment, index, &scalar, &opening);
        // The quotients are unique, so the other index accepts these only if they are its own.
        let other_holds = scheme.open(&case.scalars, case.other).unwrap() == opening;
        verify(case.index, full[case.index])
            && !verify(case.index, full[case.index] + Scalar::ONE)
            && !verify(case.index + (1 << case.log), full[case.index])
            && (case.index == case.other || verify(case.other, full[case.other]) == other_holds)
    }
    check(law);
}

#[test]
fn an_opening_with_a_changed_missing_or_superfluous_element_is_refused() {
    let scheme = scheme(3);
    let vector: Vec<Scalar> = (0..8).map(|i| scalar(8 * i + 5)).collect();
    let commitment = scheme.commit(&vector).unwrap();
    let opening = scheme.open(&vector, 6).unwrap();
    assert!(scheme.verify(&commitment, 6, &vector[6], &opening));
    for changed in 0..3 {
        let mut forged = opening;
        let element = &mut forged.elements_mut()[changed];
        *element = (element.to_curve() + G1Affine::generator()).to_affine();
        assert!(!scheme.verify(&commitment, 6, &vector[6], &forged), "element {changed}");
    }
    let bytes = opening.to_bytes();
    for count in [0, 2] {
        let shorter = MultilinearOpening::from_bytes(&bytes[..48 * count]).unwrap().unwrap();
        assert!(!scheme.verify(&commitment, 6, &vector[6], &shorter));
    }
    let infinity = G1Affine::identity().to_compressed();
    let longer = MultilinearOpening::from_bytes(&[bytes.as_slice(), &infinity].concat()).unwrap().unwrap();
    assert!(!scheme.verify(&commitment, 6, &vector[6], &longer));
}

#[test]
fn updates_lead_where_recomputing_leads() {
    fn law(case: Case) -> bool {
        let scheme = scheme(case.log);
        let commitment = scheme.commit(&case.scalars).unwrap();
        let opening = scheme.open(&case.scalars, case.index).unwrap();
        let changed = case.changed();
        let new_commitment = scheme.update_commitment(&commitment, case.other, &case.delta).unwrap();
        let new_opening = scheme.update_opening(&opening, case.index, case.other, &case.delta).unwrap();
        new_commitment == scheme.commit(&changed).unwrap()
            && new_opening == scheme.open(&changed, case.index).unwrap()
            && scheme.verify(&new_commitment, case.index, &changed[case.index], &new_opening)
    }
    check(law);
}

#[test]
fn many_updates_at_once_equal_one_after_the_other() {
    let scheme = scheme(3);
    let deltas: Vec<(usize, Scalar)> = (0..12u64).map(|i| (i as usize % 8, scalar(i))).collect();
    let identity = Commitment::identity();
    let one_by_one = deltas
        .iter()
        .fold(identity, |commitment, (index, delta)| scheme.update_commitment(&commitment, *index, delta).unwrap());
    assert_eq!(scheme.update_commitment_many(&identity, &deltas), Ok(one_by_one));
}

#[test]
fn an_opening_update_touches_the_elements_down_to_the_first_differing_bit() {
    let scheme = scheme(4);
    let vector: Vec<Scalar> = (0..16).map(|i| scalar(8 * i + 7)).collect();
    let opening = scheme.open(&vector, 0b1010).unwrap();
    for (changed_index, touched) in [(0b0010, 1), (0b1110, 2), (0b1000, 3), (0b1011, 4), (0b1010, 4)] {
        let updated = scheme.update_opening(&opening, 0b1010, changed_index, &Scalar::from(9)).unwrap();
        let differing = opening.elements().iter().zip(updated.elements()).filter(|(old, new)| old != new).count();
        assert_eq!(differing, touched, "index {changed_index:#b}");
    }
}

#[test]
fn openings_survive_their_bytes_and_all_of_a_vector_verify_in_one_call() {
    let scheme = Multilinear::insecure(16).unwrap();
    let vector: Vec<Scalar> = (0..13).map(scalar).collect();
    let commitment = scheme.commit(&vector).unwrap();
    let at = |index: usize| vector.get(index).copied().unwrap_or(Scalar::ZERO);
    let openings = scheme.open_all(&vector).unwrap();
    let mut claims: Vec<_> = openings
        .into_iter()
        .enumerate()
        .map(|(index, opening)| {
            let bytes = opening.to_bytes();
            assert_eq!(bytes.len(), 4 * 48);
            assert_eq!(MultilinearOpening::from_bytes(&bytes), Some(Ok(opening)));
            Claim { commitment, index, scalar: at(index), opening }
        })
        .collect();
    assert!(scheme.verify_all(&claims));
    claims[11].scalar += Scalar::ONE;
    assert!(!scheme.verify_all(&claims));
    assert_eq!(scheme.find_false(&claims), [11]);
}

#[test]
fn what_is_out_of_range_is_an_error() {
    assert_eq!(Multilinear::insecure(3).unwrap_err(), CommitmentError::VectorSize(3));
    assert_eq!(Multilinear::insecure(8192).unwrap_err(), CommitmentError::VectorSize(8192));
    let scheme = scheme(2);
    let out_of_range = CommitmentError::IndexOutOfRange { index: 4, vector_size: 4 };
    assert_eq!(scheme.open(&[], 4), Err(out_of_range.clone()));
    assert_eq!(scheme.update_commitment(&Commitment::identity(), 4, &Scalar::ONE), Err(out_of_range));
    let too_long = CommitmentError::VectorTooLong { length: 5, vector_size: 4 };
    assert_eq!(scheme.commit(&[Scalar::ONE; 5]), Err(too_long));
    assert_eq!(MultilinearOpening::from_bytes(&[0; 47]), None);
    assert_eq!(MultilinearOpening::from_bytes(&[0; 48 * (MAX_LOG_SIZE + 1)]), None);
}
