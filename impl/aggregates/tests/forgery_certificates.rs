//! The forgeries that the published artifact of *TAP* lets through, against certificates: each
//! beside its honest case. The letters are those of docs/tables.md, "Forgeries".
#![allow(clippy::unwrap_used, reason = "a broken premise must stop a test")]

mod scene;

use aardvark_aggregates::fold::{challenge, challenges};
use aardvark_aggregates::{
    About, Certificate, CertificateError, CertificateMasks, ComparisonMasks, KnownSegment, MaskSource, SheetItem,
    TableVerifier, prove,
};
use aardvark_algebra::ff::Field;
use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::{G1Affine, Scalar, TaggedHash, scalar_to_bytes};
use aardvark_commitment::{Commitment, Opening};
use aardvark_dictionary::DictionaryId;
use scene::{Scene, setup, setup_of, tau};

fn honest() -> Scene {
    Scene::new(4, 8, 200, 2, &[(1, vec![3, 3, 180]), (6, vec![0, 200])])
}

/// The verdict on a certificate for changed items.
fn for_items(
    scene: &Scene,
    certificate: &Certificate,
    change: &dyn Fn(&mut Vec<SheetItem>),
) -> Result<(), CertificateError> {
    let mut items = scene.items.clone();
    change(&mut items);
    scene.verifier.verify_certificate(&scene.about, &items, certificate)
}

/// The verdict on a certificate about something else.
fn about(scene: &Scene, certificate: &Certificate, change: &dyn Fn(&mut About)) -> Result<(), CertificateError> {
    let mut about = scene.about.clone();
    change(&mut about);
    scene.verifier.verify_certificate(&about, &scene.items, certificate)
}

fn moved(commitment: &Commitment) -> Commitment {
    Commitment::from_point_unchecked(G1Affine::from(
        aardvark_algebra::G1Projective::from(commitment.point()) + G1Affine::generator(),
    ))
}

#[test]
fn forgery_a_a_commitment_total_or_count_that_was_changed_is_refused() {
    let scene = honest();
    let shown = scene.certificate();
    assert_eq!(for_items(&scene, &shown, &|_| ()), Ok(()));
    let refused = |change: &dyn Fn(&mut Vec<SheetItem>)| {
        assert_eq!(for_items(&scene, &shown, change), Err(CertificateError::False));
    };
    for k in 0..2 {
        refused(&|items| items[k].record.values = moved(&items[k].record.values));
        for p in 0..2 {
            refused(&|items| items[k].record.sums[p] = moved(&items[k].record.sums[p]));
        }
        refused(&|items| items[k].record.root[31] ^= 1);
        refused(&|items| items[k].revision += 1);
    }
    refused(&|items| items[0].record.rows -= 1);
    refused(&|items| items[0].record.rows += 1);
    // The values of one segment in the place of the other's.
    refused(&|items| {
        let values = items[0].record.values;
        items[0].record.values = items[1].record.values;
        items[1].record.values = values;
    });
}

#[test]
fn forgery_d_a_certificate_under_another_setup_or_for_other_bounds_is_refused() {
    let scene = honest();
    let shown = scene.certificate();
    let other = setup_of(tau() + Scalar::ONE);
    let theirs = prove(other.sheet(4).unwrap(), &scene.about, &scene.items, &scene.segments, &scene.masks).unwrap();
    assert_eq!(scene.verdict(&theirs), Err(CertificateError::False));
    let under_theirs = TableVerifier::new(other.tau_g2()).verify_certificate(&scene.about, &scene.items, &shown);
    assert_eq!(under_theirs, Err(CertificateError::False));
    assert_eq!(about(&scene, &shown, &|_| ()), Ok(()));
    // Bounds are the schema's. A larger cap needs another certificate, and so do other bits.
    assert_eq!(about(&scene, &shown, &|about| about.cap = 201), Err(CertificateError::False));
    assert_eq!(about(&scene, &shown, &|about| about.cap = 199), Err(CertificateError::False));
    let bits = Err(CertificateError::Bits { found: 8, expected: 16 });
    assert_eq!(about(&scene, &shown, &|about| about.bits = 16), bits);
    // Nothing is read but the bytes of the format.
    let bytes = shown.to_bytes();
    assert_eq!(Certificate::from_bytes(&bytes, 8).as_ref(), Ok(&shown));
    assert!(Certificate::from_bytes(&bytes, 16).is_err());
    assert!(Certificate::from_bytes(&[bytes.clone(), vec![0]].concat(), 8).is_err());
}

#[test]
fn forgery_e_a_certificate_says_nothing_of_another_statement() {
    let scene = honest();
    let shown = scene.certificate();
    assert_eq!(scene.verdict(&shown), Ok(()));
    let refused = Err(CertificateError::False);
    assert_eq!(about(&scene, &shown, &|about| about.dictionary = DictionaryId([3; 32])), refused);
    assert_eq!(about(&scene, &shown, &|about| about.table = "meterz".to_owned()), refused);
    assert_eq!(about(&scene, &shown, &|about| about.column = 1), refused);
    assert_eq!(about(&scene, &shown, &|about| about.schema[0] ^= 1), refused);
    assert_eq!(for_items(&scene, &shown, &|items| items[0].columns[3] ^= 1), refused);
    assert_eq!(for_items(&scene, &shown, &|items| items[1].run += 1), refused);
    assert_eq!(for_items(&scene, &shown, &|items| items[1].revision += 1), refused);
    // One segment of two.
    assert_eq!(for_items(&scene, &shown, &|items| items.truncate(1)), refused);
}

#[test]
fn forgery_e_every_part_of_a_certificate_is_bound() {
    let scene = honest();
    let shown = scene.certificate();
    assert_eq!(scene.verdict(&shown), Ok(()));
    let point = |opening: &Opening| {
        let sum = aardvark_algebra::G1Projective::from(opening.point()) + G1Affine::generator();
        Opening::from_point_unchecked(G1Affine::from(sum))
    };
    let mut changed: Vec<Certificate> = Vec::new();
    let mut with = |change: &dyn Fn(&mut Certificate)| {
        let mut other = shown.clone();
        change(&mut other);
        changed.push(other);
    };
    for j in 0..8 {
        with(&|other| other.bits[j] = point(&other.bits[j]));
        with(&|other| other.bit_values[j] += Scalar::ONE);
    }
    with(&|other| other.values_mask = point(&other.values_mask));
    with(&|other| other.sums_mask = point(&other.sums_mask));
    with(&|other| other.quotient = point(&other.quotient));
    with(&|other| other.value += Scalar::ONE);
    with(&|other| other.next += Scalar::ONE);
    with(&|other| other.opening.quotient = point(&other.opening.quotient));
    with(&|other| other.opening.witness = point(&other.opening.witness));
    with(&|other| other.bits.swap(0, 1));
    with(&|other| core::mem::swap(&mut other.values_mask, &mut other.sums_mask));
    for (i, other) in changed.iter().enumerate() {
        assert_eq!(scene.verdict(other), Err(CertificateError::False), "change {i}");
    }
}

#[test]
fn forgery_e_truncated_and_flipped_bytes_are_refused() {
    let scene = honest();
    let bytes = scene.certificate().to_bytes();
    for length in 0..bytes.len() {
        assert!(Certificate::from_bytes(&bytes[..length], 8).is_err(), "{length} bytes");
    }
    for i in 0..bytes.len() {
        let mut flipped = bytes.clone();
        flipped[i] ^= 1 << (i % 8);
        let verdict = Certificate::from_bytes(&flipped, 8).and_then(|other| scene.verdict(&other));
        assert!(verdict.is_err(), "byte {i}");
    }
}

#[test]
fn forgery_f_equal_rows_have_different_commitments_and_masks_are_scalars_of_full_length() {
    let sheet = setup().sheet(4).unwrap();
    let commit = |seed: u8| {
        let mut source = MaskSource::new([seed; 32]);
        KnownSegment::draw(&mut source, 1, vec![5, 6], 2).commit(sheet, [0; 32])
    };
    assert_eq!(commit(1), commit(1));
    let (one, two) = (commit(1), commit(2));
    assert_ne!(one.values, two.values);
    assert!(one.sums.iter().zip(&two.sums).all(|(a, b)| a != b));
    // Of 4,000 scalars below r the top bits are as often set as not, and no two are the same.
    let mut source = MaskSource::new([3; 32]);
    let drawn: Vec<[u8; 32]> = (0..4000).map(|_| scalar_to_bytes(&source.scalar())).collect();
    let distinct: std::collections::BTreeSet<_> = drawn.iter().collect();
    assert_eq!(distinct.len(), 4000);
    for bit in 0..254 {
        let set = drawn.iter().filter(|bytes| bytes[31 - bit / 8] >> (bit % 8) & 1 == 1).count();
        // r is 0.453 of 2^256, so bit 253 is set a little less often than others.
        assert!((1650..2350).contains(&set), "bit {bit}: {set} of 4000");
    }
}

#[test]
fn forgery_f_no_mask_is_left_out_or_drawn_twice() {
    let mut source = MaskSource::new([4; 32]);
    let segment = KnownSegment::draw(&mut source, 1, vec![5, 6], 2);
    let certificate = CertificateMasks::draw(&mut source, 8);
    let comparison = ComparisonMasks::draw(&mut source, 8, 3);
    let of_segment = segment.sums_masks.iter().flatten().chain(&segment.values_masks);
    let of_certificate = certificate.bits.iter().flatten().chain(&certificate.values).chain(&certificate.sums);
    let of_comparison = comparison.bits.iter().flatten().chain(comparison.rows.iter().flatten());
    let mut all: Vec<[u8; 32]> = of_segment.chain(of_certificate).chain(of_comparison).map(scalar_to_bytes).collect();
    // Each scalar of the source, once.
    let mut again = MaskSource::new([4; 32]);
    let mut drawn: Vec<[u8; 32]> = (0..6 + 22 + 25).map(|_| scalar_to_bytes(&again.scalar())).collect();
    all.sort_unstable();
    drawn.sort_unstable();
    assert_eq!(all, drawn);
}

/// The value at x of the polynomial with these values on the domain.
fn at(scene: &Scene, vector: &[Scalar], x: Scalar) -> Scalar {
    aardvark_algebra::fft::naive::evaluate(&scene.sheet().domain.ifft(vector), &x)
}

/// Z(x).
fn vanishing(scene: &Scene, x: Scalar) -> Scalar {
    let domain = &scene.sheet().domain;
    let masks = (x - domain.inverse_element(2)) * (x - domain.inverse_element(1));
    (x.pow_vartime([domain.size() as u64]) - Scalar::ONE) * masks.invert().unwrap()
}

/// The coefficients of the polynomial of degree 2 with these values.
fn through(points: [(Scalar, Scalar); 3]) -> [Scalar; 3] {
    let mut sum = [Scalar::ZERO; 3];
    for (i, (x, y)) in points.iter().enumerate() {
        let [(a, _), (b, _)] = [points[(i + 1) % 3], points[(i + 2) % 3]];
        let scale = *y * ((x - a) * (x - b)).invert().unwrap();
        sum = [sum[0] + scale * a * b, sum[1] - scale * (a + b), sum[2] + scale];
    }
    sum
}

/// A vector's elements at the origin, the rows and the guard, and then its masks.
fn element_vectors(segment: &KnownSegment, size: usize) -> [Vec<Scalar>; 2] {
    let number = |i: usize| i.checked_sub(segment.first).and_then(|i| segment.numbers.get(i)).copied().unwrap_or(0);
    let values: Vec<Scalar> = (0..size - 2).map(|i| Scalar::from(number(i))).chain(segment.values_masks).collect();
    let sum = |i: usize| Scalar::from((i..size - 2).map(number).sum::<u64>());
    let sums = (0..size - 2).map(sum).chain(segment.sums_masks[0]).collect();
    [values, sums]
}

/// What a verifier sees of rows does not depend on them: the certificate of some rows is, bit for
/// bit, that of other rows with other masks, which can be computed. The trapdoor is needed to
/// compute them, not for them to exist.
#[test]
fn forgery_f_a_certificate_is_as_well_one_of_other_rows() {
    let one = Scene::new(3, 8, 200, 1, &[(1, vec![3, 7, 180])]);
    let shown = one.certificate();
    let (size, n_minus_2) = (8, 6);
    let tau = tau();

    // Other rows under the same commitments: the second mask of each vector makes up for them.
    let mut segment = KnownSegment { numbers: vec![0, 0, 200], ..one.segments[0].clone() };
    let wanted = element_vectors(&one.segments[0], size).map(|vector| at(&one, &vector, tau));
    let mut basis = vec![Scalar::ZERO; size];
    basis[n_minus_2 + 1] = Scalar::ONE;
    let lagrange_of_mask = at(&one, &basis, tau).invert().unwrap();
    let missing = |segment: &KnownSegment, which: usize| {
        (wanted[which] - at(&one, &element_vectors(segment, size)[which], tau)) * lagrange_of_mask
    };
    let [of_values, of_sums] = [0, 1].map(|which| missing(&segment, which));
    segment.values_masks[1] += of_values;
    segment.sums_masks[0][1] += of_sums;
    assert_eq!(segment.commit(one.sheet(), [9; 32]), one.items[0].record);

    // The challenges of the certificate, which are to be the same.
    let seed = |tag, before: &[u8], bytes: Vec<u8>| TaggedHash::new(tag).chain(before).chain(bytes).finalize();
    let statement = aardvark_aggregates::certificate::statement::statement(&one.about, &one.items);
    let s0 = seed("AARDVARK-V1-CERTIFICATE", &[], statement);
    let masks = [shown.values_mask, shown.sums_mask];
    let fixed: Vec<u8> = shown.bits.iter().chain(&masks).flat_map(Opening::to_bytes).collect();
    let s1 = seed("AARDVARK-V1-CERTIFICATE-BITS", &s0, fixed);
    let s2 = seed("AARDVARK-V1-CERTIFICATE-QUOTIENT", &s1, shown.quotient.to_bytes().to_vec());
    let (rho, betas, zeta) = (challenge(&s0, 0), challenges(&s1, 11), challenge(&s2, 0));
    let (beta_order, beta_sums) = (betas[8], betas[10]);
    let omega = *one.sheet().domain.omega();

    // Bits: two masks, seen at τ and at ζ.
    let steps = |numbers: &[u64]| -> Vec<u64> {
        let mut steps = vec![0; n_minus_2];
        let ends = numbers.iter().copied().chain([200]);
        let begins = [0].into_iter().chain(numbers.iter().copied());
        steps.iter_mut().zip(ends.zip(begins)).for_each(|(step, (end, begin))| *step = end - begin);
        steps
    };
    let bit_vector = |numbers: &[u64], j: usize, masks: [Scalar; 2]| -> Vec<Scalar> {
        steps(numbers).iter().map(|step| Scalar::from(step >> j & 1)).chain(masks).collect()
    };
    let mut transplanted = CertificateMasks { bits: Vec::new(), values: [Scalar::ZERO; 3], sums: [Scalar::ZERO; 3] };
    let masked = |which: usize, x: Scalar| {
        let mut basis = vec![Scalar::ZERO; size];
        basis[n_minus_2 + which] = Scalar::ONE;
        at(&one, &basis, x)
    };
    for j in 0..8 {
        let seen = |x| {
            at(&one, &bit_vector(&one.segments[0].numbers, j, one.masks.bits[j]), x)
                - at(&one, &bit_vector(&segment.numbers, j, [Scalar::ZERO; 2]), x)
        };
        let (a, b, c, d) = (masked(0, tau), masked(1, tau), masked(0, zeta), masked(1, zeta));
        let scale = (a * d - b * c).invert().unwrap();
        let (p, q) = (seen(tau), seen(zeta));
        transplanted.bits.push([(p * d - b * q) * scale, (a * q - p * c) * scale]);
    }

    // R_v is seen at τ, and at ζ in v. R_1 is seen at τ, in e at ωζ, and in Q at ωτ.
    let value = |mask: &[Scalar; 3], x: Scalar| mask[0] + x * (mask[1] + x * mask[2]);
    let of = |known: &KnownSegment, masks: &CertificateMasks, which: usize, x: Scalar| {
        let mask = [&masks.values, &masks.sums][which];
        let factor = [Scalar::ONE, rho][which];
        factor * at(&one, &element_vectors(known, size)[which], x) + vanishing(&one, x) * value(mask, x)
    };
    let rest = |which: usize, x: Scalar| {
        let bare = of(&segment, &transplanted, which, x);
        (of(&one.segments[0], &one.masks, which, x) - bare) * vanishing(&one, x).invert().unwrap()
    };
    let here = [(tau, value(&one.masks.values, tau)), (zeta, rest(0, zeta)), (tau * omega, Scalar::ZERO)];
    let bare = transplanted.clone();
    transplanted.values = through(here);
    let seen = |x: Scalar| {
        let order = |known, masks| beta_order * of(known, masks, 0, x) - beta_sums * of(known, masks, 1, x);
        let mut bare = bare.clone();
        bare.values = transplanted.values;
        let missing = order(&segment, &bare) - order(&one.segments[0], &one.masks);
        missing * (beta_sums * vanishing(&one, x)).invert().unwrap()
    };
    let (next, shifted) = (zeta * omega, tau * omega);
    let sums = through([(tau, value(&one.masks.sums, tau)), (next, seen(next)), (shifted, seen(shifted))]);
    transplanted.sums = sums;

    let again = prove(one.sheet(), &one.about, &one.items, &[segment], &transplanted).unwrap();
    assert_eq!(again.to_bytes(), shown.to_bytes());
}

#[test]
fn forgery_h_a_certificate_of_an_earlier_revision_is_refused() {
    let before = honest();
    let shown = before.certificate();
    // The same rows again, as the next revision.
    let mut after = honest();
    after.items.iter_mut().for_each(|item| item.revision = 1);
    let renewed = after.certificate();
    assert_eq!((before.verdict(&shown), after.verdict(&renewed)), (Ok(()), Ok(())));
    assert_eq!(after.verdict(&shown), Err(CertificateError::False));
    assert_eq!(before.verdict(&renewed), Err(CertificateError::False));
}
