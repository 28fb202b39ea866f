//! Lies for those who trust a root: parts, commitments and paths.

use aardvark_algebra::group::Curve;
use aardvark_commitment::Commitment;
use aardvark_dictionary::root::{commitment_path, commitment_root};
use aardvark_dictionary::{Claim, Key, Slot};
use aardvark_proof::{AnswerProof, Question, RootTie, TiedVector};

use super::book::Version;
use super::maker::{Anchor, Maker, is_false, is_malformed, is_other};
use crate::opening_rule::malformed_bytes;
use crate::points::{multiple_of_generator, torsion_point};
use crate::vectors::flags::Flag;

/// All of them.
pub(super) fn put(maker: &mut Maker<'_>) {
    forged_vectors(maker);
    swapped_paths(maker);
    parts(maker);
    lists(maker);
}

/// The tie of a proof under a root.
fn tie(proof: &mut AnswerProof) -> &mut RootTie {
    proof.tie.as_mut().expect("a proof under a root")
}

/// A vector in which a value is forged: its commitment, and the honest opening of the forged slot
/// under it.
fn forged(now: &Version, claim: &Claim) -> (TiedVector, Claim) {
    let n = now.vector_size();
    let (number, index) = (claim.position as usize / n, claim.position as usize % n);
    let mut vector = now.vector(number).to_vec();
    vector[index].value = "forged".into();
    let (commitment, opening) = now.commit_and_open(&vector, index);
    let claim = Claim { slot: vector[index].clone(), opening, ..claim.clone() };
    (TiedVector { commitment, ..now.tied(number) }, claim)
}

/// The archive's own commitments to what is not so, with openings that are honest under them.
fn forged_vectors(maker: &mut Maker<'_>) {
    let now = &maker.library.small[1];
    let anchor = Anchor::Root(now);
    let cherry = Question::key("cherry");
    let keys = Question::keys(["cherry", "elder", "iris"].map(Key::from));
    let untied = [Flag::CommitmentUntied];
    maker.lie(
        "a forged vector, opened honestly, on the true vector's path",
        &untied,
        anchor,
        &cherry,
        is_false("PathFalse", 0),
        |proof| {
            let (vector, claim) = forged(now, &proof.claims[0]);
            tie(proof).vectors = vec![vector];
            proof.claims = vec![claim];
        },
    );
    maker.lie("a forged vector as the second of three", &untied, anchor, &keys, is_false("PathFalse", 1), |proof| {
        let (vector, claim) = forged(now, &proof.claims[1]);
        tie(proof).vectors[1] = vector;
        proof.claims[1] = claim;
    });
    let unrooted = [Flag::RootUnchecked];
    maker.lie(
        "a forged vector on a path to a forged root of commitments",
        &unrooted,
        anchor,
        &cherry,
        is_false("RootFalse", None),
        |proof| {
            let (mut vector, claim) = forged(now, &proof.claims[0]);
            let mut commitments = now.commitments.clone();
            commitments[0] = Commitment::from_bytes(&vector.commitment).expect("a commitment");
            vector.path = commitment_path(&commitments, 0);
            let tie = tie(proof);
            (tie.vectors, tie.commitment_root) = (vec![vector], commitment_root(&commitments));
            proof.claims = vec![claim];
        },
    );
    let big = Anchor::Root(&maker.library.big[1]);
    maker.lie(
        "N = 1024: a forged vector, opened honestly",
        &untied,
        big,
        &Question::key("k0100"),
        is_false("PathFalse", 0),
        |proof| {
            let (vector, claim) = forged(&maker.library.big[1], &proof.claims[0]);
            tie(proof).vectors = vec![vector];
            proof.claims = vec![claim];
        },
    );
}

/// Paths of other vectors, and paths that are none.
fn swapped_paths(maker: &mut Maker<'_>) {
    let now = &maker.library.small[1];
    let anchor = Anchor::Root(now);
    // apple stands at index 1 of vector 0, elder at index 1 of vector 1, which are siblings.
    let (apple, both) = (Question::key("apple"), Question::keys(["apple", "elder"].map(Key::from)));
    let swapped = [Flag::RootPathSwapped];
    maker.lie("two vectors with each other's path", &swapped, anchor, &both, is_false("PathFalse", 0), |proof| {
        let [first, second] = &mut tie(proof).vectors[..] else { panic!("two vectors") };
        std::mem::swap(&mut first.path, &mut second.path);
    });
    maker.lie(
        "two vectors with each other's number, their slots moved along",
        &swapped,
        anchor,
        &both,
        is_false("PathFalse", 0),
        |proof| {
            proof.claims[0].position += 4;
            proof.claims[1].position -= 4;
            let vectors = &mut tie(proof).vectors;
            vectors.reverse();
            (vectors[0].number, vectors[1].number) = (0, 1);
        },
    );
    maker.lie(
        "a slot moved into the sibling vector with its commitment and path",
        &swapped,
        anchor,
        &apple,
        is_false("PathFalse", 0),
        |proof| {
            proof.claims[0].position += 4;
            tie(proof).vectors[0].number = 1;
        },
    );
    let mut path = |comment: &str, change: &dyn Fn(&mut Vec<[u8; 32]>)| {
        maker.lie(comment, &[Flag::PathLength], anchor, &apple, is_false("PathFalse", 0), |proof| {
            change(&mut tie(proof).vectors[0].path);
        });
    };
    path("a path without its last digest", &|path| path.truncate(path.len() - 1));
    path("a path with a digest more", &|path| path.push([0; 32]));
    path("no path", &Vec::clear);
    maker.lie(
        "a path with its digests in another order",
        &swapped,
        anchor,
        &apple,
        is_false("PathFalse", 0),
        |proof| {
            tie(proof).vectors[0].path.reverse();
        },
    );
}

/// Parts of other roots.
fn parts(maker: &mut Maker<'_>) {
    let library = maker.library;
    let [old, now] = &library.small;
    let anchor = Anchor::Root(now);
    let date = Question::key("date");
    let root_false = || is_false("RootFalse", None);
    let stale = [Flag::StaleVersion];
    maker.judged(
        "a proof of an older version, under a root",
        &stale,
        anchor,
        &date,
        &old.prove_rooted(&date),
        root_false(),
    );
    let proof = AnswerProof { version: 1, ..old.prove_rooted(&date) };
    maker.judged(
        "a proof of an older version, said to be of this one, under a root",
        &stale,
        anchor,
        &date,
        &proof,
        root_false(),
    );
    maker.lie(
        "an older claim with the tie of this version",
        &stale,
        anchor,
        &date,
        is_false("AnswerOpeningFalse", 0),
        |proof| {
            proof.claims = vec![old.claim_of("date")];
        },
    );
    let foreign = [Flag::OtherDictionary];
    let proof = library.other[0].prove_rooted(&date);
    maker.judged(
        "a proof of another dictionary, under a root",
        &foreign,
        anchor,
        &date,
        &proof,
        is_other("OtherDictionary"),
    );
    let proof = AnswerProof { dictionary: now.genesis.dictionary_id(), ..proof };
    maker.judged(
        "a proof of another dictionary, said to be of this one, under a root",
        &foreign,
        anchor,
        &date,
        &proof,
        root_false(),
    );
    let mut part = |comment: &str, change: &dyn Fn(&mut AnswerProof)| {
        maker.lie(comment, &[Flag::RootUnchecked], anchor, &date, root_false(), change);
    };
    part("another version than the root's", &|proof| proof.version = 0);
    part("a size larger by 1", &|proof| tie(proof).size += 1);
    part("another start of the tail", &|proof| tie(proof).tail_start = 4);
    part("another digest of the tail", &|proof| tie(proof).tail_digest[0] ^= 1);
    part("another digest of the replay set", &|proof| tie(proof).replay_digest[0] ^= 1);
    part("another digest of the window", &|proof| tie(proof).window_digest[31] ^= 1);
    part("the digests of tail and window exchanged", &|proof| {
        let RootTie { tail_digest, window_digest, .. } = tie(proof);
        std::mem::swap(tail_digest, window_digest);
    });
    maker.lie(
        "a position that is not in use, under a root",
        &[Flag::PositionBeyondSize],
        anchor,
        &Question::key("iris"),
        is_false("AnswerPositionOutOfRange", 0),
        |proof| {
            proof.claims[0].position += 2;
        },
    );
    maker.lie(
        "a gap's neighbour, under a root",
        &[Flag::NeighbourGap],
        anchor,
        &Question::key("banana"),
        is_false("ChainNotCovering", None),
        |proof| {
            proof.claims = vec![now.claim_of("apple")];
        },
    );
    maker.lie(
        "a range without its last entry, under a root",
        &[Flag::TruncatedRange],
        anchor,
        &Question::range("apple", "cherry", None),
        is_false("ChainMissing", None),
        |proof| {
            drop(proof.claims.pop());
        },
    );
}

/// Lists of vectors that are not those of the claims; commitments that are none.
fn lists(maker: &mut Maker<'_>) {
    let now = &maker.library.small[1];
    let (anchor, known) = (Anchor::Root(now), Anchor::Commitments(now));
    let (date, keys) = (Question::key("date"), Question::keys(["cherry", "elder", "iris"].map(Key::from)));
    let mut mismatched = |comment: &str, asked: &Question, expected, change: &dyn Fn(&mut RootTie)| {
        maker.lie(comment, &[Flag::TiedVectors], anchor, asked, expected, |proof| change(tie(proof)));
    };
    let vectors = |item| is_malformed("TiedVectorsMismatched", item);
    mismatched("a vector of no claim", &date, vectors(1), &|tie| tie.vectors.push(now.tied(2)));
    mismatched("a vector twice", &date, vectors(1), &|tie| tie.vectors.push(now.tied(1)));
    mismatched("vectors in another order", &keys, vectors(1), &|tie| tie.vectors.swap(0, 1));
    mismatched("a claim's vector missing", &keys, vectors(1), &|tie| drop(tie.vectors.remove(1)));
    mismatched("no vector", &date, vectors(0), &|tie| tie.vectors.clear());
    let malformed = || is_malformed("CommitmentMalformed", 0);
    for (comment, flag, bytes) in [
        ("a commitment of 48 zeros", Flag::NonCanonicalEncoding, malformed_bytes(0)),
        ("a commitment off the curve", Flag::InvalidCurve, malformed_bytes(8)),
        (
            "a commitment outside of the subgroup",
            Flag::WrongSubgroup,
            (multiple_of_generator(&Slot::lone_sentinel().scalar()) + torsion_point()).to_affine().to_compressed(),
        ),
    ] {
        maker.lie(comment, &[flag], anchor, &date, malformed(), |proof| tie(proof).vectors[0].commitment = bytes);
    }
    let mismatch = || is_malformed("TieMismatched", None);
    let untied = [Flag::CommitmentUntied];
    maker.judged("nothing that ties to the root", &untied, anchor, &date, &now.prove(&date), mismatch());
    maker.judged("a tie beside trusted commitments", &untied, known, &date, &now.prove_rooted(&date), mismatch());
}
