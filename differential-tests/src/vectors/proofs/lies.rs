//! Lies about slots and openings, for those who trust commitments.

use aardvark_algebra::ff::Field;
use aardvark_algebra::group::Curve;
use aardvark_algebra::{G1Projective, Scalar};
use aardvark_commitment::Opening;
use aardvark_dictionary::{Claim, Key, Slot};
use aardvark_proof::{AnswerProof, Question};

use super::book::Version;
use super::maker::{Anchor, Maker, is_false, is_malformed, is_other};
use crate::opening_rule::malformed_bytes;
use crate::points::{PointBytes, multiple_of_generator, point_outside_subgroup, torsion_point};
use crate::vectors::flags::Flag;

/// All of them.
pub(super) fn put(maker: &mut Maker<'_>) {
    coverage(maker);
    chains(maker);
    other_versions(maker);
    openings(maker);
    positions(maker);
    encodings(maker);
    orders(maker);
}

/// The slot of one key in the place of another's.
fn coverage(maker: &mut Maker<'_>) {
    let now = &maker.library.small[1];
    let anchor = Anchor::Commitments(now);
    let (cherry, corn) = (Question::key("cherry"), Question::key("corn"));
    let mut slot_of = |comment: &str, flag: Flag, asked: &Question, key: &str| {
        let claim = now.claim_of(key);
        maker.lie(comment, &[flag], anchor, asked, is_false("ChainNotCovering", None), |proof| {
            proof.claims = vec![claim];
        });
    };
    slot_of("a present key denied by the slot before it, whose next key it is", Flag::NeighbourGap, &cherry, "banana");
    slot_of("the gap below for an absent key", Flag::NeighbourGap, &corn, "banana");
    slot_of("the gap above for an absent key", Flag::NeighbourGap, &corn, "date");
    slot_of("the sentinel's slot for a key above it", Flag::NeighbourGap, &corn, "");
    slot_of("the last slot, which wraps around, for a key", Flag::RingClosure, &corn, "juniper");
    slot_of(
        "the last slot, which wraps around, for the least key",
        Flag::RingClosure,
        &Question::key("apple"),
        "juniper",
    );
    slot_of("any other slot for a key", Flag::CoverageMissing, &cherry, "iris");
    let range = Question::range("cherry", "date", None);
    slot_of("any other slot for a range", Flag::CoverageMissing, &range, "iris");
    slot_of(
        "a slot within the range, after its beginning",
        Flag::EntrySkipped,
        &Question::range("banana", "date", None),
        "cherry",
    );
    let before = Question::Predecessor("cherry".into());
    slot_of("the key's own slot for what comes before it", Flag::NeighbourGap, &before, "cherry");
    slot_of("an earlier slot for what comes before a key", Flag::NeighbourGap, &before, "apple");
    let after = Question::Successor("cherry".into());
    slot_of("the next slot for what comes after a key", Flag::NeighbourGap, &after, "date");
    slot_of("an earlier slot for what comes after a key", Flag::NeighbourGap, &after, "banana");
    let false_opening = is_false("AnswerOpeningFalse", 0);
    maker.lie("a gap with its end moved over a key", &[Flag::NeighbourGap], anchor, &cherry, false_opening, |proof| {
        let claim = now.claim_of("banana");
        let slot = Slot { next: "date".into(), ..claim.slot.clone() };
        proof.claims = vec![Claim { slot, ..claim }];
    });
}

/// Chains that are cut, or have something too much.
fn chains(maker: &mut Maker<'_>) {
    let now = &maker.library.small[1];
    let anchor = Anchor::Commitments(now);
    let mut chain = |comment: &str, flag, asked: &Question, reason: &str, change: &dyn Fn(&mut AnswerProof)| {
        maker.lie(comment, &[flag], anchor, asked, is_false(reason, None), change);
    };
    let cut = |proof: &mut AnswerProof| drop(proof.claims.pop());
    let none = |proof: &mut AnswerProof| proof.claims.clear();
    let range = Question::range("cherry", "hazel", None);
    let open = Question::range("grape", "", None);
    let keys = Question::keys(["cherry", "elder", "iris"].map(Key::from));
    chain("a range without its last entry", Flag::TruncatedRange, &range, "ChainMissing", &cut);
    chain("a range to the end without its last entry", Flag::TruncatedRange, &open, "ChainMissing", &cut);
    chain(
        "a range that ends before its limit",
        Flag::TruncatedRange,
        &Question::range("apple", "", Some(4)),
        "ChainMissing",
        &cut,
    );
    chain("keys without the last", Flag::TruncatedRange, &keys, "ChainMissing", &cut);
    for (comment, asked) in [
        ("no claim for a key", &Question::key("cherry")),
        ("no claim for a range", &range),
        ("no claim for what comes before a key", &Question::Predecessor("cherry".into())),
        ("no claim for what comes after a key", &Question::Successor("cherry".into())),
    ] {
        chain(comment, Flag::NoClaims, asked, "ChainMissing", &none);
    }
    for (comment, place) in [("a range without its first entry", 0), ("a range without an entry in its middle", 2)] {
        chain(comment, Flag::EntrySkipped, &range, "ChainNotCovering", &|proof| drop(proof.claims.remove(place)));
    }
    chain("keys without one in the middle", Flag::EntrySkipped, &keys, "ChainNotCovering", &|proof| {
        drop(proof.claims.remove(1))
    });
    chain(
        "all keys without the sentinel's slot",
        Flag::EntrySkipped,
        &Question::range("", "", None),
        "ChainNotCovering",
        &|proof| {
            drop(proof.claims.remove(0));
        },
    );
    chain("a range in another order", Flag::ClaimsReordered, &range, "ChainNotCovering", &|proof| {
        proof.claims.swap(1, 2)
    });
    chain("keys in another order", Flag::ClaimsReordered, &keys, "ChainNotCovering", &|proof| proof.claims.reverse());
    let superfluous = |key: &'static str| move |proof: &mut AnswerProof| proof.claims.push(now.claim_of(key));
    let reason = "ChainSuperfluous";
    chain("an entry after a range's end", Flag::SuperfluousClaim, &range, reason, &superfluous("hazel"));
    chain("a claim twice", Flag::SuperfluousClaim, &Question::key("cherry"), reason, &superfluous("cherry"));
    chain(
        "a second claim for what comes before a key",
        Flag::SuperfluousClaim,
        &Question::Predecessor("date".into()),
        reason,
        &superfluous("cherry"),
    );
    chain("the sentinel's slot after the last", Flag::RingClosure, &open, reason, &superfluous(""));
    chain(
        "an entry more than the limit",
        Flag::LimitIgnored,
        &Question::range("banana", "hazel", Some(2)),
        reason,
        &superfluous("date"),
    );
    let limited = now.prove(&Question::range("banana", "hazel", Some(2))).claims;
    let unlimited = Question::range("banana", "hazel", None);
    chain("a limited range for one without a limit", Flag::LimitIgnored, &unlimited, "ChainMissing", &|proof| {
        proof.claims.clone_from(&limited);
    });
}

/// Claims of another version or dictionary than the one that is trusted.
fn other_versions(maker: &mut Maker<'_>) {
    let library = maker.library;
    let [old, now] = &library.small;
    let anchor = Anchor::Commitments(now);
    let date = Question::key("date");
    let stale = [Flag::StaleVersion];
    let opening_false = || is_false("AnswerOpeningFalse", 0);
    maker.judged("a proof of an older version", &stale, anchor, &date, &old.prove(&date), is_other("OtherVersion"));
    let relabelled = |from: &Version, number, asked: &Question| AnswerProof { version: number, ..from.prove(asked) };
    let proof = relabelled(old, 1, &date);
    maker.judged("an older value, said to be of this version", &stale, anchor, &date, &proof, opening_false());
    let proof = relabelled(old, 1, &Question::key("fig"));
    maker.judged("a deleted key, said to be there", &stale, anchor, &Question::key("fig"), &proof, opening_false());
    let big = Anchor::Commitments(&library.big[1]);
    let (updated, deleted) = (Question::key("k0100"), Question::key("k3000"));
    let proof = relabelled(&library.big[0], 1, &updated);
    maker.judged(
        "N = 1024: an older value, said to be of this version",
        &stale,
        big,
        &updated,
        &proof,
        opening_false(),
    );
    let proof = relabelled(&library.big[0], 1, &deleted);
    maker.judged("N = 1024: a deleted key, said to be there", &stale, big, &deleted, &proof, opening_false());
    let proof = relabelled(now, 0, &date);
    maker.judged(
        "a newer value, said to be of version 0",
        &stale,
        Anchor::Commitments(old),
        &date,
        &proof,
        opening_false(),
    );
    let range = Question::range("cherry", "grape", None);
    maker.lie(
        "one entry of an older version in a range",
        &stale,
        anchor,
        &range,
        is_false("AnswerOpeningFalse", 1),
        |proof| {
            proof.claims[1] = old.claim_of("date");
        },
    );
    let foreign = [Flag::OtherDictionary];
    let other = &library.other[0];
    maker.judged(
        "a proof of another dictionary",
        &foreign,
        anchor,
        &date,
        &other.prove(&date),
        is_other("OtherDictionary"),
    );
    let proof = AnswerProof { dictionary: now.genesis.dictionary_id(), ..relabelled(other, 1, &date) };
    maker.judged(
        "a proof of another dictionary, said to be of this one",
        &foreign,
        anchor,
        &date,
        &proof,
        opening_false(),
    );
}

/// Openings that prove nothing, or something else.
fn openings(maker: &mut Maker<'_>) {
    let now = &maker.library.small[1];
    let anchor = Anchor::Commitments(now);
    let cherry = Question::key("cherry");
    let mut opening = |comment: &str, flag, change: &dyn Fn(&mut AnswerProof)| {
        maker.lie(comment, &[flag], anchor, &cherry, is_false("AnswerOpeningFalse", 0), change);
    };
    opening("a forged value", Flag::OpeningUnchecked, &|proof| proof.claims[0].slot.value = "forged".into());
    opening("a forged next key", Flag::OpeningUnchecked, &|proof| proof.claims[0].slot.next = "elder".into());
    opening("the opening of another key of the vector", Flag::OpeningOfAnotherKey, &|proof| {
        proof.claims[0].opening = now.claim_of("banana").opening;
    });
    opening("the opening of a key of another vector", Flag::OpeningOfAnotherKey, &|proof| {
        proof.claims[0].opening = now.claim_of("grape").opening;
    });
    opening("the point at infinity as the opening", Flag::IdentityPoint, &|proof| {
        proof.claims[0].opening = Opening::identity().to_bytes();
    });
    opening("the key's last byte at its value's beginning", Flag::FieldBoundary, &|proof| {
        let slot = &mut proof.claims[0].slot;
        (slot.key, slot.value) = ("cherr".into(), "yold".into());
    });
    opening("the next key's last byte at the value's beginning", Flag::FieldBoundary, &|proof| {
        let slot = &mut proof.claims[0].slot;
        (slot.next, slot.value) = ("dat".into(), "eold".into());
    });
    opening("the next key's first byte at the key's end", Flag::FieldBoundary, &|proof| {
        let slot = &mut proof.claims[0].slot;
        (slot.key, slot.next) = ("cherryd".into(), "ate".into());
    });
    let keys = Question::keys(["banana", "elder", "fennel"].map(Key::from));
    let false_at = |item| is_false("AnswerOpeningFalse", item);
    let unchecked = [Flag::OpeningUnchecked];
    maker.lie("a forged value in the last of three claims", &unchecked, anchor, &keys, false_at(2), |proof| {
        proof.claims[2].slot.value = "forged".into();
    });
    // banana and fennel stand at one index of two vectors, where errors of openings cancel in a sum
    // without coefficients.
    let cancelling = [Flag::CancellingErrors];
    maker.lie("two false openings whose errors cancel", &cancelling, anchor, &keys, false_at(0), |proof| {
        assert_eq!(proof.claims[0].position % 4, proof.claims[2].position % 4, "one index of two vectors");
        let generator = multiple_of_generator(&Scalar::ONE);
        proof.claims[0].opening = plus(&proof.claims[0].opening, generator);
        proof.claims[2].opening = plus(&proof.claims[2].opening, -generator);
    });
}

/// An opening plus a point.
fn plus(opening: &PointBytes, point: G1Projective) -> PointBytes {
    (point + *Opening::from_bytes(opening).expect("an honest opening").point()).to_affine().to_compressed()
}

/// Positions other than the slot's.
fn positions(maker: &mut Maker<'_>) {
    let now = &maker.library.small[1];
    let anchor = Anchor::Commitments(now);
    let apple = Question::key("apple");
    let (opening_false, out_of_range) =
        (|| is_false("AnswerOpeningFalse", 0), || is_false("AnswerPositionOutOfRange", 0));
    let mut at = |comment: &str, flag, expected, position: u64| {
        maker.lie(comment, &[flag], anchor, &apple, expected, |proof| proof.claims[0].position = position);
    };
    at("a slot at the same index of another vector", Flag::WrongVector, opening_false(), 5);
    at("a slot at the same index of the last vector", Flag::WrongVector, opening_false(), 9);
    at("a slot at another index of its vector", Flag::IndexPositionMismatch, opening_false(), 2);
    at("the first position that is not in use, in the last vector", Flag::PositionBeyondSize, out_of_range(), 11);
    at("a position in a vector that is not there", Flag::PositionBeyondSize, out_of_range(), 13);
    at("a position far out", Flag::PositionBeyondSize, out_of_range(), (1 << 53) - 7);
    let big = Anchor::Commitments(&maker.library.big[1]);
    maker.lie(
        "N = 1024: a slot at the same index of another vector",
        &[Flag::WrongVector],
        big,
        &Question::key("k0102"),
        opening_false(),
        |proof| {
            proof.claims[0].position += 1024;
        },
    );
}

/// Bytes that are no opening, and such as are no opening for others.
fn encodings(maker: &mut Maker<'_>) {
    let anchor = Anchor::Commitments(&maker.library.small[1]);
    let cherry = Question::key("cherry");
    let malformed = || is_malformed("AnswerOpeningMalformed", 0);
    for (comment, flag, how) in [
        ("an opening of 48 zeros", Flag::NonCanonicalEncoding, 0),
        ("an opening with x = p", Flag::NonCanonicalEncoding, 4),
        ("an opening with x = 0", Flag::PointOfOrderThree, 6),
        ("an opening off the curve", Flag::InvalidCurve, 8),
    ] {
        maker.lie(comment, &[flag], anchor, &cherry, malformed(), |proof| {
            proof.claims[0].opening = malformed_bytes(how);
        });
    }
    let subgroup = [Flag::WrongSubgroup];
    let honest = anchor.answer(&cherry);
    maker.lie("an honest opening plus a point of small order", &subgroup, anchor, &cherry, honest, |proof| {
        proof.claims[0].opening = plus(&proof.claims[0].opening, torsion_point());
    });
    maker.strictly(malformed());
    let opening_false = is_false("AnswerOpeningFalse", 0);
    maker.lie("some point outside of the subgroup", &subgroup, anchor, &cherry, opening_false, |proof| {
        proof.claims[0].opening = point_outside_subgroup().to_compressed();
    });
    maker.strictly(malformed());
}

/// Two faults in one proof: the first phase that fails names the reason, and in it the first item.
fn orders(maker: &mut Maker<'_>) {
    let now = &maker.library.small[1];
    let anchor = Anchor::Commitments(now);
    let range = Question::range("cherry", "grape", None);
    let mut both = |comment: &str, expected, change: &dyn Fn(&mut AnswerProof)| {
        maker.lie(comment, &[Flag::OrderOfChecks], anchor, &range, expected, change);
    };
    both("a false opening before a malformed one", is_malformed("AnswerOpeningMalformed", 2), &|proof| {
        proof.claims[0].slot.value = "forged".into();
        proof.claims[2].opening = malformed_bytes(0);
    });
    both(
        "a malformed opening before a position that is not in use",
        is_false("AnswerPositionOutOfRange", 2),
        &|proof| {
            proof.claims[0].opening = malformed_bytes(0);
            proof.claims[2].position = 11;
        },
    );
    both("two false openings in a chain with a gap", is_false("AnswerOpeningFalse", 1), &|proof| {
        drop(proof.claims.remove(1));
        proof.claims[1].slot.value = "forged".into();
        proof.claims[2].slot.value = "forged".into();
    });
    both("another version and a false opening", is_other("OtherVersion"), &|proof| {
        proof.version = 0;
        proof.claims[0].slot.value = "forged".into();
    });
    both("another dictionary and another version", is_other("OtherDictionary"), &|proof| {
        proof.dictionary.0[0] ^= 1;
        proof.version = 0;
    });
}
