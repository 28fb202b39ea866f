//! Proofs with one opening for all claims: true ones and lies.

use aardvark_algebra::ff::Field;
use aardvark_algebra::group::Curve;
use aardvark_algebra::{Domain, Scalar};
use aardvark_commitment::folded::{claims_seed, gammas, point};
use aardvark_commitment::{FoldedOpening, Opening};
use aardvark_dictionary::Key;
use aardvark_proof::answer_openings::{fold_context, folded_claim};
use aardvark_proof::{AnswerProof, Question};

use super::book::Version;
use super::maker::{Anchor, Maker, is_false, is_malformed, text_of};
use crate::opening_rule::malformed_bytes;
use crate::points::{multiple_of_generator, torsion_point};
use crate::vectors::flags::Flag;

/// All of them.
pub(super) fn put(maker: &mut Maker<'_>) {
    honest(maker);
    others(maker);
    encodings(maker);
    mixed(maker);
}

fn keys() -> Question {
    Question::keys(["banana", "corn", "elder", "iris"].map(Key::from))
}

fn honest(maker: &mut Maker<'_>) {
    let library = maker.library;
    let (now, big) = (&library.small[1], &library.big[1]);
    for (place, anchor) in [
        ("", Anchor::Commitments(now)),
        (", under a root", Anchor::Root(now)),
        (", under a root alone", Anchor::RootAlone(now)),
    ] {
        maker.holds_together(&format!("together: a key{place}"), &[], anchor, &Question::key("cherry"));
        maker.holds_together(&format!("together: keys of three vectors{place}"), &[], anchor, &keys());
        maker.holds_together(&format!("together: every key{place}"), &[], anchor, &Question::range("", "", None));
    }
    let range = Question::range("k2040", "k2058", None);
    maker.holds_together("N = 1024: together: a range", &[], Anchor::Commitments(big), &range);
    maker.holds_together("N = 1024: together: a range, under a root alone", &[], Anchor::RootAlone(big), &range);
    let before = Question::Predecessor("corn".into());
    maker.holds_together("together: what comes before a key", &[], Anchor::Commitments(now), &before);
}

/// Folds of other claims than the proof's, and such as are none.
fn others(maker: &mut Maker<'_>) {
    let library = maker.library;
    let [old, now] = &library.small;
    let anchor = Anchor::Commitments(now);
    let opening_false = || is_false("AnswerOpeningFalse", None);
    let asked = keys();
    let honest = now.together(now.prove(&asked));
    let mut judged = |comment: &str, flag, proof: AnswerProof, expected| {
        maker.judged(comment, &[flag], anchor, &asked, &proof, expected);
    };
    let with_fold_of = |other: AnswerProof| AnswerProof { folded_opening: other.folded_opening, ..honest.clone() };
    let mut other = |comment: &str, proof: AnswerProof| {
        judged(comment, Flag::FoldOfOthers, with_fold_of(proof), opening_false());
    };
    other("the fold of other keys", now.together(now.prove(&Question::key("cherry"))));
    other("the fold of an older version", old.together(old.prove(&asked)));
    other("the fold of another dictionary", library.other[0].together(library.other[0].prove(&asked)));
    let mut reordered = now.prove(&asked);
    reordered.claims.reverse();
    other("the fold of the same claims in another order", now.together(reordered));
    let mut fewer = now.prove(&asked);
    drop(fewer.claims.pop());
    other("the fold of all claims but the last", now.together(fewer));
    // The claims are the same and true, and the fold was made for a proof of another version.
    let labelled = now.together(AnswerProof { version: 0, ..now.prove(&asked) });
    other("the fold of the same claims in the context of another version", labelled);
    let mut forged = now.prove(&asked);
    forged.claims[1].slot.value = "forged".into();
    judged(
        "together: a forged value with the fold of the true one",
        Flag::FoldOfOthers,
        {
            let mut proof = honest.clone();
            proof.claims[1].slot.value = "forged".into();
            proof
        },
        opening_false(),
    );
    judged(
        "together: a forged value, folded with its true opening",
        Flag::OpeningUnchecked,
        now.together(forged.clone()),
        opening_false(),
    );
    judged(
        "together: W chosen after z, for a forged value",
        Flag::FoldPointUnbound,
        after_the_point(now, forged),
        opening_false(),
    );
    let infinity = Opening::identity().to_bytes();
    let nothing = AnswerProof { folded_opening: Some(joined(&infinity, &infinity)), ..honest.clone() };
    judged("together: two points at infinity", Flag::IdentityPoint, nothing, opening_false());
    let stale = AnswerProof { version: 1, ..old.together(AnswerProof { version: 1, ..old.prove(&asked) }) };
    judged("together: older claims, said to be of this version", Flag::StaleVersion, stale, opening_false());
    let mut chain = |comment: &str, flag, reason: &str, change: &dyn Fn(&mut AnswerProof)| {
        let mut proof = now.prove(&asked);
        change(&mut proof);
        judged(comment, flag, now.together(proof), is_false(reason, None));
    };
    chain("together: without the last claim", Flag::TruncatedRange, "ChainMissing", &|proof| drop(proof.claims.pop()));
    chain("together: without a claim in the middle", Flag::EntrySkipped, "ChainNotCovering", &|proof| {
        drop(proof.claims.remove(1));
    });
    chain("together: no claims", Flag::NoClaims, "ChainMissing", &|proof| proof.claims.clear());
    chain("together: a claim more", Flag::SuperfluousClaim, "ChainSuperfluous", &|proof| {
        proof.claims.push(now.claim_of("juniper"));
    });
    chain("together: the slot of a neighbouring gap", Flag::NeighbourGap, "ChainNotCovering", &|proof| {
        proof.claims[1] = now.claim_of("banana");
    });
}

fn joined(quotient: &[u8; 48], witness: &[u8; 48]) -> [u8; 96] {
    let both = [*quotient, *witness];
    std::array::from_fn(|place| both.as_flattened()[place])
}

/// A fold that satisfies the equation at a point z that was drawn before W, from the claims alone:
/// W' = 0 and W = Σ γ_i / (z - z_i) (C_i - y_i g1).
fn after_the_point(now: &Version, mut proof: AnswerProof) -> AnswerProof {
    let domain = Domain::new(now.vector_size()).expect("a legal size");
    let claims = proof
        .claims
        .iter()
        .map(|claim| folded_claim(now.scheme(), now.commitments[claim.position as usize / now.vector_size()], claim));
    let claims: Vec<_> = claims.collect();
    let context = fold_context(&proof.dictionary, proof.version, proof.vector_size);
    let seed = claims_seed(&domain, &context, &claims);
    let z = point(&seed, &Opening::identity());
    let terms = claims.iter().zip(gammas(&seed, claims.len())).map(|(claim, gamma)| {
        let factor: Scalar = gamma * (z - domain.element(claim.index)).invert().expect("z is no point of the domain");
        (multiple_of_generator(&-claim.scalar) + *claim.commitment.point()) * factor
    });
    let quotient = terms.reduce(|sum, term| sum + term).expect("claims").to_affine().to_compressed();
    proof.claims.iter_mut().for_each(|claim| claim.opening = [0; 48]);
    AnswerProof { folded_opening: Some(joined(&quotient, &Opening::identity().to_bytes())), ..proof }
}

/// Bytes that are no folded opening, and such as are none for others.
fn encodings(maker: &mut Maker<'_>) {
    let now = &maker.library.small[1];
    let anchor = Anchor::Commitments(now);
    let asked = keys();
    let honest = now.together(now.prove(&asked));
    let opening = honest.folded_opening.expect("a fold");
    let fold = FoldedOpening::from_bytes(&opening).expect("two points");
    let (quotient, witness) = (fold.quotient.to_bytes(), fold.witness.to_bytes());
    let malformed = || is_malformed("AnswerOpeningMalformed", None);
    let mut judged = |comment: &str, flag, bytes: [u8; 96], expected| {
        let proof = AnswerProof { folded_opening: Some(bytes), ..honest.clone() };
        maker.judged(comment, &[flag], anchor, &asked, &proof, expected);
    };
    let zeros = malformed_bytes(0);
    judged("together: W of 48 zeros", Flag::NonCanonicalEncoding, joined(&zeros, &witness), malformed());
    judged("together: W' of 48 zeros", Flag::NonCanonicalEncoding, joined(&quotient, &zeros), malformed());
    judged("together: W' off the curve", Flag::InvalidCurve, joined(&quotient, &malformed_bytes(8)), malformed());
    let opening_false = || is_false("AnswerOpeningFalse", None);
    judged("together: W and W' exchanged", Flag::FoldOfOthers, joined(&witness, &quotient), opening_false());
    let plus_torsion = |point: &Opening| (torsion_point() + *point.point()).to_affine().to_compressed();
    let twisted = joined(&quotient, &plus_torsion(&fold.witness));
    judged("together: W' plus a point of small order", Flag::WrongSubgroup, twisted, anchor.answer(&asked));
    maker.strictly(malformed());
}

/// Openings of claims beside the one for all.
fn mixed(maker: &mut Maker<'_>) {
    let now = &maker.library.small[1];
    let anchor = Anchor::Commitments(now);
    let asked = keys();
    let (plain, together) = (text_of(&now.prove(&asked)), text_of(&now.together(now.prove(&asked))));
    let place = plain.find(",\"opening\"").expect("an opening");
    let first = &plain[place..place + ",\"opening\":\"0x".len() + 96 + 1];
    let fold = &together[together.find(",\"folded_opening\"").expect("a fold")..together.len() - 1];
    for (comment, text) in [
        ("together: a claim with an opening of its own", together.replacen("}}", &format!("}}{first}}}"), 1)),
        ("a claim without an opening", plain.replacen(first, "", 1)),
        ("openings of all claims, and one for all", format!("{}{fold}}}", &plain[..plain.len() - 1])),
        ("no opening at all", together.replacen(fold, "", 1)),
    ] {
        maker.unreadable(comment, &[Flag::OpeningsMixed], anchor, &asked, Ok(text));
    }
    let cut = together.replacen(fold, &format!("{}\"", &fold[..fold.len() - 3]), 1);
    maker.unreadable("together: 95 bytes", &[Flag::Truncated], anchor, &asked, Ok(cut));
}
