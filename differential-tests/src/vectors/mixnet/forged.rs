//! Forgeries: each was made for a verifier with a certain bug, which takes it.

use aardvark_algebra::ff::Field;
use aardvark_algebra::group::Group;
use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::{G1Affine, G1Projective, Scalar, TaggedHash, batch_to_affine, scalar_from_u128};
use aardvark_mixnet::body::Writer;
use aardvark_sigma::column::Direction;
use aardvark_sigma::transcript::{
    challenge, coefficients, column_digest, decryption_digest, permutation_digest, zero_test_digest,
};
use aardvark_sigma::{Digest, List};

use super::honest::{column, decryption, input, key_shares, permutation, zero_test};
use super::judge::list_hex;
use super::maker::{KEYS, Maker, PURPOSE, ROWS, SERVER, matrix_row, moved, points, sum};
use crate::vectors::flags::Flag;
use crate::vectors::hex_text::Hex;
use crate::vectors::mixnet_case::{MixnetCase, MixnetPart};

const COLUMN: Option<&str> = Some("ColumnProofFalse");
const PERMUTATION: Option<&str> = Some("PermutationProofFalse");
const DECRYPTION: Option<&str> = Some("DecryptionProofFalse");

/// All of them.
pub(super) fn put(maker: &mut Maker) {
    without_shift(maker);
    columns(maker);
    decryptions(maker);
    zero_tests(maker);
    others_proofs(maker);
    inputs(maker);
}

fn drawn(seed: &Digest) -> Vec<Scalar> {
    coefficients(seed, ROWS).into_iter().map(scalar_from_u128).collect()
}

/// A commitment to the matrix with 2, 1/2 and 1 on its diagonal, of the same product.
fn without_shift(maker: &mut Maker) {
    let two = Scalar::from(2);
    let diagonal = [two, two.invert().expect("2 is not 0"), Scalar::ONE];
    let (blinding, bases) = (*maker.generators.blinding(), maker.generators.bases().to_vec());
    let blindings = maker.scalars(ROWS);
    let committed: Vec<G1Projective> = (0..ROWS).map(|i| blinding * blindings[i] + bases[i] * diagonal[i]).collect();
    let commitment = List::computed(batch_to_affine(&committed), 1);
    let start = maker.context.permutation_seed(&commitment);
    let e = drawn(&start);
    let moved: Vec<Scalar> = e.iter().zip(&diagonal).map(|(e, d)| *e * d).collect();
    let of_chain = maker.scalars(ROWS);
    let (mut chain, mut omega) = (vec![*maker.generators.chain()], Scalar::ZERO);
    for (blind, factor) in of_chain.iter().zip(&moved) {
        let next = blinding * *blind + chain[chain.len() - 1] * *factor;
        chain.push(next.into());
        omega = *blind + *factor * omega;
    }
    let columns = 2 * ROWS + 2;
    let of_bases: Vec<(usize, G1Affine)> = bases.iter().enumerate().map(|(j, base)| (1 + j, *base)).collect();
    let mut matrix = vec![matrix_row(columns, &[&[(0, blinding)], &of_bases[..]].concat())];
    let mut image = vec![G1Affine::from(sum(commitment.points(), &e))];
    for i in 0..ROWS {
        matrix.push(matrix_row(columns, &[(1 + i, chain[i]), (1 + ROWS + i, blinding)]));
        image.push(chain[i + 1]);
    }
    matrix.push(matrix_row(columns, &[(columns - 1, blinding)]));
    let product: Scalar = e.iter().fold(Scalar::ONE, |product, e| product * e);
    image.push((chain[0] * -product + chain[ROWS]).into());
    let q: Scalar = e.iter().zip(&blindings).map(|(e, s)| *e * s).sum();
    let witness = [&[q][..], &moved, &of_chain, &[omega]].concat();
    let list = List::computed(chain[1..].to_vec(), 1);
    let (first, z) = maker.prove(matrix, image, &witness, |first| challenge(&permutation_digest(&start, &list, first)));
    let body = Writer::default().list(&commitment).list(&list).list(&first).scalars(&z).finish();
    let case = maker.case(MixnetPart::Permutation, &[], body);
    maker.put("a commitment to no permutation, whose products agree", &[Flag::PermutationUnchecked], PERMUTATION, case);
}

/// Matrix and image of a column's relation, under any coefficients.
fn relation(maker: &Maker, commitment: &List, after: &List, e: &[Scalar]) -> (Vec<Vec<G1Affine>>, Vec<G1Affine>) {
    let of = |points: &[G1Affine]| -> Vec<(usize, G1Affine)> {
        points.iter().enumerate().map(|(j, point)| (1 + j, *point)).collect()
    };
    let columns = ROWS + 2;
    let mut matrix =
        vec![matrix_row(columns, &[&[(0, *maker.generators.blinding())], &of(maker.generators.bases())[..]].concat())];
    let mut image = vec![G1Affine::from(sum(commitment.points(), e))];
    for l in 0..2 {
        let of_key = (columns - 1, -maker.row.row().at(0, l));
        matrix.push(matrix_row(columns, &[&of(after.column(l).points())[..], &[of_key]].concat()));
        image.push(sum(maker.before.column(l).points(), e).into());
    }
    (matrix, image)
}

/// e rearranged by images.
fn rearranged(images: &[usize], e: &[Scalar]) -> Vec<Scalar> {
    let mut moved = vec![Scalar::ZERO; e.len()];
    images.iter().zip(e).for_each(|(image, e)| moved[*image] = *e);
    moved
}

/// The seed of a column without some of the lists that it must cover.
fn seed_of(lists: &[&List]) -> Digest {
    let hash = TaggedHash::new("AARDVARK-V1-MIXNET-COLUMN").chain(KEYS).chain(PURPOSE).chain(SERVER.to_be_bytes());
    lists.iter().fold(hash, |hash, list| hash.chain(list.digest())).finalize()
}

fn columns(maker: &mut Maker) {
    let randomness = maker.scalars(ROWS);
    let images = maker.secret.permutation.images().to_vec();
    let honest = maker.shuffle(Direction::Forward).apply(&maker.secret, &maker.before, &randomness);
    let honest = honest.expect("of one length");
    let dot = |a: &[Scalar], b: &[Scalar]| a.iter().zip(b).map(|(a, b)| *a * b).sum::<Scalar>();
    let shift = G1Projective::generator() * Scalar::from(3);
    let key_row = maker.row.row().clone();

    // Two plaintexts shifted against one another, under coefficients that are all 1.
    let after = moved(&moved(&honest, 0, 1, shift), 1, 1, -shift);
    let start = seed_of(&[&maker.commitment, &key_row, &maker.before, &after]);
    let ones = vec![Scalar::ONE; ROWS];
    let (matrix, image) = relation(maker, &maker.commitment, &after, &ones);
    let witness = [&[dot(&ones, &maker.secret.blindings)][..], &ones, &[dot(&ones, &randomness)]].concat();
    let (first, z) = maker.prove(matrix, image, &witness, |first| challenge(&column_digest(&start, first)));
    let case = maker.column(MixnetPart::Forward, &maker.commitment, &after, &first, &z);
    maker.put("two plaintexts shifted, the sum unchanged", &[Flag::CancellingErrors], COLUMN, case);

    // The new list chosen after the coefficients, which do not cover it.
    let start = seed_of(&[&maker.commitment, &key_row, &maker.before]);
    let e = drawn(&start);
    let e_moved = rearranged(&images, &e);
    let back = -(e_moved[0] * e_moved[1].invert().expect("a coefficient is not 0"));
    let after = moved(&moved(&honest, 0, 1, shift), 1, 1, shift * back);
    let (matrix, image) = relation(maker, &maker.commitment, &after, &e);
    let witness = [&[dot(&e, &maker.secret.blindings)][..], &e_moved, &[dot(&e, &randomness)]].concat();
    let (first, z) = maker.prove(matrix, image, &witness, |first| challenge(&column_digest(&start, first)));
    let case = maker.column(MixnetPart::Forward, &maker.commitment, &after, &first, &z);
    maker.put("a list chosen after the coefficients", &[Flag::StatementUnbound], COLUMN, case);

    // The commitment chosen after the coefficients, for another permutation.
    let other: Vec<usize> = images.iter().map(|image| (image + 1) % ROWS).collect();
    let fresh = maker.row.reencrypt(&maker.before, &randomness);
    let mut rows = vec![G1Affine::identity(); 2 * ROWS];
    for (i, image) in other.iter().enumerate() {
        rows[2 * image..2 * image + 2].copy_from_slice(&fresh[2 * i..2 * i + 2]);
    }
    let after = List::computed(rows, 2);
    let start = seed_of(&[&key_row, &maker.before, &after]);
    let e = drawn(&start);
    let e_moved = rearranged(&other, &e);
    let q = maker.scalars(1)[0];
    let free = points(&maker.scalars(ROWS - 1));
    let wanted = *maker.generators.blinding() * q + sum(maker.generators.bases(), &e_moved) - sum(&free, &e[1..]);
    let fitted: G1Affine = (wanted * e[0].invert().expect("a coefficient is not 0")).into();
    let commitment = List::computed([&[fitted][..], &free].concat(), 1);
    let (matrix, image) = relation(maker, &commitment, &after, &e);
    let witness = [&[q][..], &e_moved, &[dot(&e, &randomness)]].concat();
    let (first, z) = maker.prove(matrix, image, &witness, |first| challenge(&column_digest(&start, first)));
    let case = maker.column(MixnetPart::Forward, &commitment, &after, &first, &z);
    maker.put("a commitment chosen after the coefficients", &[Flag::StatementUnbound], COLUMN, case);

    let forward = column(maker, Direction::Forward);
    let case = MixnetCase { part: MixnetPart::Backward, ..forward };
    maker.put("a forward shuffle for a backward one", &[Flag::BackwardSign], COLUMN, case);
    let backward = column(maker, Direction::Backward);
    let case = MixnetCase { part: MixnetPart::Forward, ..backward };
    maker.put("a backward shuffle for a forward one", &[Flag::BackwardSign], COLUMN, case);
}

fn decryptions(maker: &mut Maker) {
    let first = maker.before.column(0);
    let x = key_shares()[..1].to_vec();
    let shares = List::computed(points(&x), 1);
    let honest = List::computed(first.points().iter().map(|point| (*point * x[0]).into()).collect(), 1);
    let error = G1Projective::generator();
    let skipping = |weights: Vec<Scalar>| [&[Scalar::ZERO], &weights[1..]].concat();
    type Weights<'a> = Box<dyn Fn(Vec<Scalar>) -> Vec<Scalar> + 'a>;
    let cases: [(&str, Flag, List, Weights<'_>); 2] = [
        ("a false share of the first row", Flag::RowSkipped, moved(&honest, 0, 0, error), Box::new(skipping)),
        (
            "two false shares that cancel",
            Flag::CancellingErrors,
            moved(&moved(&honest, 0, 0, error), 1, 0, -error),
            Box::new(|weights| vec![Scalar::ONE; weights.len()]),
        ),
    ];
    for (comment, flag, false_shares, weights) in cases {
        let start = maker.context.decryption_seed(&PURPOSE, &shares, &first, &false_shares);
        let weights = weights(drawn(&start));
        let matrix = vec![vec![G1Affine::generator()], vec![sum(first.points(), &weights).into()]];
        let image = vec![shares.at(0, 0), sum(false_shares.points(), &weights).into()];
        let (t, z) = maker.prove(matrix, image, &x, |t| challenge(&decryption_digest(&start, t)));
        let statement = [("first", list_hex(&first)), ("key_shares", list_hex(&shares))];
        let body = Writer::default().list(&false_shares).list(&t).scalars(&z).finish();
        let case = maker.case(MixnetPart::Decryption, &statement, body);
        maker.put(comment, &[flag], DECRYPTION, case);
    }
}

fn zero_tests(maker: &mut Maker) {
    let factors = maker.scalars(ROWS);
    let columns = |l: usize| maker.before.column(l).points().to_vec();
    let (c0, c1) = (columns(0), columns(1));
    let multiples = |points: &[G1Affine]| -> Vec<G1Affine> {
        points.iter().zip(&factors).map(|(point, factor)| (*point * factor).into()).collect()
    };
    let (d0, d1) = (multiples(&c0), multiples(&c1));
    let interleaved =
        |a: &[G1Affine], b: &[G1Affine]| -> Vec<G1Affine> { a.iter().zip(b).flat_map(|(a, b)| [*a, *b]).collect() };
    // C'_1 of a target is another point; the equations of C'_0 alone hold.
    let after = moved(&List::computed(interleaved(&d0, &d1), 2), 1, 1, G1Projective::generator());
    let start = maker.context.zero_test_seed(&PURPOSE, &maker.before, &after);
    let nonces = maker.scalars(ROWS);
    let firsts = |points: &[G1Affine]| -> Vec<G1Affine> {
        points.iter().zip(&nonces).map(|(point, nonce)| (*point * nonce).into()).collect()
    };
    let first = List::computed(interleaved(&firsts(&c0), &firsts(&c1)), 1);
    let c = challenge(&zero_test_digest(&start, &first));
    let z: Vec<Scalar> = nonces.iter().zip(&factors).map(|(t, s)| *t + c * s).collect();
    for i in 0..ROWS {
        assert_eq!(c0[i] * z[i], G1Projective::from(first.points()[2 * i]) + d0[i] * c, "what a bug takes");
    }
    let body = Writer::default().list(&after).list(&first).scalars(&z).finish();
    let case = maker.case(MixnetPart::ZeroTest, &[("before", list_hex(&maker.before))], body);
    maker.put("a target with another second component", &[Flag::ComponentSkipped], Some("ZeroTestFalse"), case);

    // The factor 0: both components are infinity, and every sum decrypts to 0.
    let mut body = zero_test(maker).body.0;
    for place in 0..2 {
        body[96 * place..96 * (place + 1)].fill(0);
        body[96 * place] = 0x40;
    }
    let case = maker.case(MixnetPart::ZeroTest, &[("before", list_hex(&maker.before))], body);
    maker.put("a target multiplied by 0", &[Flag::InfinityAccepted], Some("IdentityComponent"), case);
}

/// True proofs that are another's, or of something else.
fn others_proofs(maker: &mut Maker) {
    let all = [
        (permutation(maker), PERMUTATION, "a permutation proof"),
        (column(maker, Direction::Forward), COLUMN, "a shuffle"),
        (decryption(maker), DECRYPTION, "shares"),
        (zero_test(maker), Some("ZeroTestFalse"), "a zero test"),
    ];
    for (case, fault, what) in all {
        let flags = [Flag::StatementUnbound];
        let server = MixnetCase { server: SERVER + 1, ..case.clone() };
        maker.put(&format!("{what} of another server"), &flags, fault, server);
        let ceremony = MixnetCase { keys: Hex::from([0x4c; 32]), ..case.clone() };
        maker.put(&format!("{what} of another ceremony"), &flags, fault, ceremony);
        if case.part != MixnetPart::Permutation {
            let purpose = MixnetCase { purpose: Hex::from([0x71; 32]), ..case };
            maker.put(&format!("{what} for another purpose"), &flags, fault, purpose);
        }
    }
}

fn inputs(maker: &mut Maker) {
    let honest = input(maker);
    let fault = Some("InputProofFalse");
    let with = |name: &str, bytes: &[u8]| {
        let mut case = honest.clone();
        case.statement.insert(name.to_owned(), Hex::from(bytes));
        case
    };
    let cases = [
        ("an input under another sender's name", with("sender", &[0x54; 32])),
        ("an input under another label", with("label", b"station 8")),
        ("an input of another ceremony", MixnetCase { keys: Hex::from([0x4c; 32]), ..honest.clone() }),
    ];
    for (comment, case) in cases {
        maker.put(comment, &[Flag::InputUnbound], fault, case);
    }
    // A part of the row from elsewhere: the same C_0, another C_1.
    let mut case = honest;
    let other = aardvark_algebra::encode_g1(&points(&[Scalar::from(77)])[0]);
    case.body.0[48..96].copy_from_slice(&other);
    maker.put("an input with another's second point", &[Flag::InputUnbound], fault, case);
}
