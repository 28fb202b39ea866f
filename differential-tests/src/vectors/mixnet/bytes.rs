//! Bytes that say nothing: points outside of the subgroup, infinity, other encodings, lengths.

use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::msm::naive::multiply;
use aardvark_algebra::{G1Affine, decode_opening, encode_g1, encode_g1_uncompressed};
use aardvark_sigma::column::Direction;
use num_bigint::BigUint;

use super::honest::{column, decryption, input, permutation, query, zero_test};
use super::maker::{KEYS, Maker};
use crate::vectors::flags::Flag;
use crate::vectors::hex_text::Hex;
use crate::vectors::mixnet_case::{MixnetCase, MixnetPart};

/// The group order r, highest byte first.
const ORDER: &str = "73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001";
/// The cofactor.
const COFACTOR: &str = "396c8c005555e1568c00aaab0000aaab";

/// All of them.
pub(super) fn put(maker: &mut Maker) {
    let proofs = [
        ("a permutation proof", permutation(maker)),
        ("a shuffle", column(maker, Direction::Forward)),
        ("shares", decryption(maker)),
        ("a zero test", zero_test(maker)),
    ];
    let torsion = encode_g1_uncompressed(&of_order_eleven());
    let mut order_three = [0; 96];
    order_three[95] = 2;
    let mut infinity = [0; 96];
    infinity[0] = 0x40;
    for (what, case) in &proofs {
        let with = |point: &[u8]| {
            let mut body = case.body.0.clone();
            body[..96].copy_from_slice(point);
            MixnetCase { body: Hex(body), ..case.clone() }
        };
        let (subgroup, outside) = (Some("NotInSubgroup"), [Flag::TorsionAccepted]);
        maker.put(&format!("{what} with a point of order 11"), &outside, subgroup, with(&torsion));
        maker.put(&format!("{what} with a point of order 3"), &outside, subgroup, with(&order_three));
        let (identity, flags) = (Some("IdentityComponent"), [Flag::InfinityAccepted]);
        maker.put(&format!("{what} with a point at infinity"), &flags, identity, with(&infinity));
        let mut beyond = [0; 96];
        beyond[..48].fill(0xff);
        beyond[0] = 0x1f;
        let (malformed, flags) = (Some("Malformed"), [Flag::NonCanonicalEncoding]);
        maker.put(&format!("{what} with a coordinate not below p"), &flags, malformed, with(&beyond));
        lengths(maker, what, case);
    }
    inputs(maker);
    keys_and_values(maker);
    queries(maker);
}

/// A byte too few or too many, and the last scalar with r added.
fn lengths(maker: &mut Maker, what: &str, case: &MixnetCase) {
    let body = |bytes: Vec<u8>| MixnetCase { body: Hex(bytes), ..case.clone() };
    let bytes = &case.body.0;
    let fault = Some("WrongLength");
    maker.put(&format!("{what} cut by a byte"), &[Flag::Truncated], fault, body(bytes[..bytes.len() - 1].to_vec()));
    let longer = [&bytes[..], &[0]].concat();
    maker.put(&format!("{what} and a byte more"), &[Flag::TrailingBytes], fault, body(longer));
    let greater = body(with_greater_scalar(bytes));
    maker.put(&format!("{what} with a scalar not below r"), &[Flag::NonCanonicalScalar], Some("Malformed"), greater);
}

fn with_greater_scalar(bytes: &[u8]) -> Vec<u8> {
    let (start, scalar) = bytes.split_at(bytes.len() - 32);
    let greater = BigUint::from_bytes_be(scalar) + number(ORDER);
    let digits = greater.to_bytes_be();
    let padding = vec![0; 32 - digits.len()];
    [start, &padding[..], &digits[..]].concat()
}

fn number(hexadecimal: &str) -> BigUint {
    BigUint::parse_bytes(hexadecimal.as_bytes(), 16).expect("hexadecimal")
}

/// A point of order 11: a point of the curve times the rest of the curve's order, whose part of
/// order 121 is no cycle.
fn of_order_eleven() -> G1Affine {
    let rest = (number(COFACTOR) / 121u8 * number(ORDER)).to_bytes_le();
    let candidates = (1u8..).filter_map(|x| {
        let mut bytes = [0; 48];
        bytes[0] = 0x80;
        bytes[47] = x;
        decode_opening(&bytes).ok()
    });
    let mut multiples = candidates.map(|point| G1Affine::from(multiply(&point, &rest)));
    multiples.find(|point| !bool::from(point.is_identity())).expect("not all points lie in a smaller group")
}

fn inputs(maker: &mut Maker) {
    let honest = input(maker);
    let with = |place: usize, bytes: &[u8]| {
        let mut body = honest.body.0.clone();
        body[place..place + bytes.len()].copy_from_slice(bytes);
        MixnetCase { body: Hex(body), ..honest.clone() }
    };
    let torsion = encode_g1(&of_order_eleven());
    let outside = [Flag::TorsionAccepted];
    for (comment, place) in [("the first point", 0), ("the second point", 48), ("T", 144)] {
        let comment = format!("an input whose {comment} has order 11");
        maker.put(&comment.replace("whose T", "with a T that"), &outside, Some("NotInSubgroup"), with(place, &torsion));
    }
    let infinity = [&[0xc0][..], &[0; 47]].concat();
    let flags = [Flag::InfinityAccepted];
    maker.put("an input whose C_0 is infinity", &flags, Some("IdentityComponent"), with(0, &infinity));
    lengths(maker, "an input", &honest);
}

fn keys_and_values(maker: &mut Maker) {
    let malformed = Some("Malformed");
    let found = |maker: &Maker, comment: &str| {
        let test = maker.tests.iter().find(|(of, _, _)| of == comment);
        test.map(|(_, _, case)| case.clone()).expect("an honest test of this name")
    };
    let changed = |case: &MixnetCase, change: &dyn Fn(&mut Vec<u8>)| {
        let mut case = case.clone();
        change(&mut case.body.0);
        case
    };
    let key = found(maker, "the key of an input");
    type Change = Box<dyn Fn(&mut Vec<u8>)>;
    // Version, organiser, number, kind, sequence, author.
    let kind = 1 + 32 + 4;
    let cases: [(&str, Flag, Change); 6] = [
        ("the key of an input with another sequence", Flag::SequenceUnchecked, Box::new(move |key| key[kind + 2] = 1)),
        ("a key of version 2", Flag::UnknownTag, Box::new(|key| key[0] = 2)),
        ("a key of a kind that there is not", Flag::UnknownTag, Box::new(move |key| key[kind] = 17)),
        ("a key cut by a byte", Flag::Truncated, Box::new(|key| key.truncate(key.len() - 1))),
        ("a key and a byte more", Flag::TrailingBytes, Box::new(|key| key.push(0))),
        ("no key", Flag::Truncated, Box::new(Vec::clear)),
    ];
    for (comment, flag, change) in cases {
        let case = changed(&key, &change);
        maker.put(comment, &[flag], malformed, case);
    }
    let absence = found(maker, "the key of an absence from the layers");
    let cases: [(&str, Change); 2] = [
        ("an absence from what nobody can be absent from", Box::new(move |key| key[kind + 1] = 3)),
        ("an absence of the server 0", Box::new(move |key| key[kind + 2] = 0)),
    ];
    for (comment, change) in cases {
        let case = changed(&absence, &change);
        maker.put(comment, &[Flag::SequenceUnchecked], malformed, case);
    }
    let inside = found(maker, "a value with the longest body inside");
    let outside = found(maker, "a value with a body elsewhere and two receipts");
    let receipt = 2 + 64;
    // Tag, length, digest, count, receipts.
    let receipts = 1 + 8 + 32 + 1;
    let cases: [(&str, Flag, &MixnetCase, Change); 7] = [
        ("a body of 901 bytes inside", Flag::LimitExceeded, &inside, Box::new(|value| value.insert(1, 0))),
        ("a body of 900 bytes elsewhere", Flag::LimitExceeded, &outside, Box::new(|value| value[8] = 0x84)),
        (
            "a body of 2^64 - 1 bytes elsewhere",
            Flag::CountBeyondContent,
            &outside,
            Box::new(|value| value[1..9].fill(0xff)),
        ),
        ("a value of the tag 2", Flag::UnknownTag, &outside, Box::new(|value| value[0] = 2)),
        (
            "a value with receipts announced that are not there",
            Flag::CountBeyondContent,
            &outside,
            Box::new(|value| value[41] = 255),
        ),
        (
            "a value with the same receipt twice",
            Flag::RepeatedSignature,
            &outside,
            Box::new(move |value| value.copy_within(receipts..receipts + receipt, receipts + receipt)),
        ),
        (
            "a value that ends in its signature",
            Flag::Truncated,
            &outside,
            Box::new(|value| value.truncate(value.len() - 1)),
        ),
    ];
    for (comment, flag, case, change) in cases {
        let case = changed(case, &change);
        maker.put(comment, &[flag], malformed, case);
    }
}

fn queries(maker: &mut Maker) {
    let of = |maker: &Maker, body: Vec<u8>| MixnetCase {
        rows: 9,
        body: Hex(body),
        ..maker.case(MixnetPart::Query, &[], Vec::new())
    };
    let public = query(false).encode(&KEYS);
    // Version, mix, direction, reveal, two bitmaps of two bytes.
    let bitmaps = 1 + 32 + 2;
    type Change = Box<dyn Fn(&mut Vec<u8>)>;
    let out = Some("QueryOutOfRange");
    let malformed = Some("Malformed");
    let cases: [(&str, Flag, Option<&str>, Change); 7] = [
        (
            "a query with a bit beyond the rows",
            Flag::BitsBeyondRows,
            out,
            Box::new(move |query| query[bitmaps + 1] |= 2),
        ),
        ("a query about another mix", Flag::StatementUnbound, out, Box::new(|query| query[1] ^= 1)),
        ("a query in a direction that there is not", Flag::UnknownTag, malformed, Box::new(|query| query[33] = 2)),
        ("a query for an answer that there is not", Flag::UnknownTag, malformed, Box::new(|query| query[34] = 3)),
        ("a query that says 2 for private", Flag::UnknownTag, malformed, Box::new(move |query| query[bitmaps + 4] = 2)),
        ("a query cut by a byte", Flag::Truncated, malformed, Box::new(|query| query.truncate(query.len() - 1))),
        ("a query and a byte more", Flag::TrailingBytes, malformed, Box::new(|query| query.push(0))),
    ];
    for (comment, flag, fault, change) in cases {
        let mut body = public.clone();
        change(&mut body);
        let case = of(maker, body);
        maker.put(comment, &[flag], fault, case);
    }
    // P of order 11.
    let mut private = query(true).encode(&KEYS);
    let torsion = encode_g1(&of_order_eleven());
    private[bitmaps + 5..bitmaps + 5 + 48].copy_from_slice(&torsion);
    let case = of(maker, private);
    maker.put("a private query for a key of order 11", &[Flag::TorsionAccepted], Some("NotInSubgroup"), case);
}
