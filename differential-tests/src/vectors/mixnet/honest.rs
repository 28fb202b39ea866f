//! What honest servers, senders and queriers post.

use aardvark_algebra::Scalar;
use aardvark_mixnet::body::Writer;
use aardvark_mixnet::identity::KeyUse;
use aardvark_mixnet::input::{Sender, encrypt};
use aardvark_mixnet::post::{CeremonyName, Draft, receipt};
use aardvark_mixnet::{Identity, Kind, Query, Reveal, TraceDirection, decryption, zero_test};
use aardvark_sigma::chunks::{numbers, points as points_of};
use aardvark_sigma::column::Direction;
use aardvark_sigma::permutation::prove;
use aardvark_sigma::threshold::{Statement, decrypt};
use aardvark_sigma::zero_test::blind;
use aardvark_sigma::{List, Secrets};

use super::judge::list_hex;
use super::maker::{KEYS, Maker, PURPOSE, ROWS, points};
use crate::vectors::flags::Flag;
use crate::vectors::hex_text::Hex;
use crate::vectors::mixnet_case::{MixnetCase, MixnetPart};

/// All of them.
pub(super) fn put(maker: &mut Maker) {
    let case = permutation(maker);
    maker.put("a commitment to a permutation", &[], None, case);
    let case = column(maker, Direction::Forward);
    maker.put("a list shuffled forward", &[], None, case);
    let case = column(maker, Direction::Backward);
    maker.put("a list shuffled backward", &[Flag::BackwardSign], None, case);
    let case = decryption(maker);
    maker.put("shares of three rows under two keys", &[], None, case);
    let case = zero_test(maker);
    maker.put("targets multiplied", &[], None, case);
    let case = input(maker);
    maker.put("an input of two numbers", &[], None, case);
    for (comment, case) in posts(maker).into_iter().chain(queries(maker)) {
        maker.put(comment, &[], None, case);
    }
}

/// a with its proof.
pub(super) fn permutation(maker: &Maker) -> MixnetCase {
    let proof = prove(&maker.generators, &maker.context, &maker.secret, &maker.commitment, &maker.seed);
    let proof = proof.expect("of one length");
    let body = Writer::default().list(&maker.commitment).list(&proof.chain).list(&proof.first);
    maker.case(MixnetPart::Permutation, &[], body.scalars(&proof.responses).finish())
}

/// Y with its proof.
pub(super) fn column(maker: &Maker, direction: Direction) -> MixnetCase {
    let made = maker.shuffle(direction).run(&maker.secret, &maker.before, &maker.seed);
    let (after, proof) = made.expect("of one length");
    let part = if direction == Direction::Forward { MixnetPart::Forward } else { MixnetPart::Backward };
    maker.column(part, &maker.commitment, &after, &proof.first, &proof.responses)
}

/// The key shares of the decryption tests, two of them.
pub(super) fn key_shares() -> Vec<Scalar> {
    vec![Scalar::from(1_234_567), -Scalar::from(89)]
}

/// D of the first points of the rows.
pub(super) fn decryption(maker: &Maker) -> MixnetCase {
    let (first, secrets) = (maker.before.column(0), Secrets::new(key_shares()));
    let shares = List::computed(points(&secrets), 2);
    let statement = Statement { context: maker.context, purpose: PURPOSE, key_shares: &shares, first: &first };
    let made = decrypt(&statement, &secrets, &maker.seed).expect("of one length");
    let statement = [("first", list_hex(&first)), ("key_shares", list_hex(&shares))];
    maker.case(MixnetPart::Decryption, &statement, decryption::encode(&made))
}

/// C' of the rows.
pub(super) fn zero_test(maker: &Maker) -> MixnetCase {
    let made = blind(&maker.context, &PURPOSE, &maker.before, &maker.seed).expect("no C_0 is 0");
    maker.case(MixnetPart::ZeroTest, &[("before", list_hex(&maker.before))], zero_test::encode(&made))
}

/// An input of the value "ash", 4 bytes.
pub(super) fn input(maker: &mut Maker) -> MixnetCase {
    let keys = points(&maker.scalars(2));
    let sender = Sender { key: [0x53; 32], label: "station 7".to_owned() };
    let value = points_of(&numbers(b"ash", 4).expect("it fits"));
    let row = aardvark_mixnet::KeyRow::new(&keys, 1);
    let body = encrypt(&KEYS, &row, &sender, &value, &maker.seed).0;
    let statement = [
        ("keys", list_hex(&List::computed(keys, 1))),
        ("sender", Hex::from(sender.key)),
        ("label", Hex::from(sender.label.as_bytes())),
    ];
    MixnetCase { rows: 1, ..maker.case(MixnetPart::Input, &statement, body) }
}

/// Keys of all kinds, and values with the body inside and outside.
fn posts(maker: &Maker) -> Vec<(&'static str, MixnetCase)> {
    let organiser = Identity::new([1; 32]);
    let name = CeremonyName { dictionary: [9; 32], organiser: organiser.author(), number: 7 };
    let mut all = Vec::new();
    for kind in Kind::ALL {
        let query = kind.is_of_query().then_some([0x71; 32]);
        let sequence = match kind {
            Kind::Absent => 0x0502,
            kind if kind.is_of_server() => 2,
            Kind::Query => 65_535,
            _ => 0,
        };
        let key = name.key(kind, query, sequence, [0x61; 32]);
        let comment = match kind {
            Kind::Ceremony => "the key of terms",
            Kind::Input => "the key of an input",
            Kind::Absent => "the key of an absence from the layers",
            Kind::Column => "the key of a column",
            Kind::Query => "the key of the last query",
            _ => continue,
        };
        all.push((comment, maker.case(MixnetPart::PostKey, &[], key.to_bytes())));
    }
    for (comment, length) in [
        ("a value without a body", 0),
        ("a value with the longest body inside", 900),
        ("a value with a body elsewhere and two receipts", 901),
    ] {
        let draft = Draft::new(&name.dictionary, name.terms_key(), vec![0xb0; length], &organiser);
        let receipts = [1, 2].map(|server| receipt(&draft.digest, server, &organiser)).to_vec();
        all.push((comment, maker.case(MixnetPart::PostValue, &[], draft.posted(receipts).value)));
    }
    all
}

/// A query about a mix of nine rows.
pub(super) fn query(private: bool) -> Query {
    let querier = Identity::new([3; 32]);
    let mut inputs = vec![false; 9];
    inputs[0] = true;
    Query {
        direction: TraceDirection::Out,
        reveal: Reveal::Any,
        inputs,
        outputs: vec![true; 9],
        querier: querier.author(),
        number: 258,
        reader: private.then(|| querier.known_key(KeyUse::Asking(KEYS))),
    }
}

fn queries(maker: &Maker) -> Vec<(&'static str, MixnetCase)> {
    let of = |private| {
        let case = maker.case(MixnetPart::Query, &[], Vec::new());
        MixnetCase { rows: 3 * ROWS, body: Hex(query(private).encode(&KEYS)), ..case }
    };
    vec![("a public query", of(false)), ("a private query", of(true))]
}
