//! Proofs for those who know a state root and nothing else: true ones, and lies about what the
//! dictionary's id is over.

use aardvark_dictionary::{Key, Parameters};
use aardvark_proof::{AnswerProof, DictionaryIdentity, Question};

use super::maker::{Anchor, Maker, is_false, is_malformed, is_other};
use crate::vectors::flags::Flag;

/// All of them.
pub(super) fn put(maker: &mut Maker<'_>) {
    let library = maker.library;
    let (now, other, big) = (&library.small[1], &library.other[0], &library.big[1]);
    let anchor = Anchor::RootAlone(now);
    let keys = Question::keys(["banana", "corn", "iris"].map(Key::from));
    for (comment, asked) in [
        ("a key, under a root alone", Question::key("cherry")),
        ("keys, under a root alone", keys),
        ("a range, under a root alone", Question::range("cherry", "grape", None)),
        ("what comes before a key, under a root alone", Question::Predecessor("corn".into())),
    ] {
        maker.holds(comment, &[], anchor, &asked);
    }
    maker.holds("N = 1024: an absent key, under a root alone", &[], Anchor::RootAlone(big), &Question::key("k2049"));

    let date = Question::key("date");
    let with = |change: &dyn Fn(&mut DictionaryIdentity)| {
        let mut proof = now.prove_alone(&date);
        proof.tie.iter_mut().filter_map(|tie| tie.identity.as_mut()).for_each(change);
        proof
    };
    // The id that follows from the identity is the proof's, and not the root's.
    let relabelled = |change: &dyn Fn(&mut DictionaryIdentity)| {
        let mut proof = with(change);
        proof.dictionary = proof.identity().map_or(proof.dictionary, DictionaryIdentity::id);
        proof
    };
    let with_parameters = |change: &dyn Fn(&mut Parameters)| {
        with(&|identity| {
            let mut parameters = now.genesis.parameters().clone();
            change(&mut parameters);
            identity.parameters = parameters.to_bytes();
        })
    };
    let mut judged = |comment: &str, proof: AnswerProof, expected| {
        maker.judged(comment, &[Flag::IdentityUnchecked], anchor, &date, &proof, expected);
    };
    let (id, root) = (|| is_other("OtherDictionary"), || is_false("RootFalse", None));
    judged("another name", with(&|identity| identity.name.push(b's')), id());
    judged("another name, and the id that follows", relabelled(&|identity| identity.name.push(b's')), root());
    judged("another salt, and the id that follows", relabelled(&|identity| identity.salt[0] ^= 1), root());
    let content = relabelled(&|identity| identity.content_digest[0] ^= 1);
    judged("another digest of the first content, and the id that follows", content, root());
    judged("a binding more, and the id that follows", relabelled(&|identity| identity.binding.push(0)), root());
    let window = with_parameters(&|parameters| parameters.window = 10);
    judged("another window", window.clone(), id());
    let dictionary = window.identity().map_or(window.dictionary, DictionaryIdentity::id);
    judged("another window, and the id that follows", AnswerProof { dictionary, ..window }, root());
    judged("a proof of another dictionary, under a root alone", other.prove_alone(&date), root());
    judged("the identity of another dictionary", with(&|identity| *identity = other.identity()), id());
    judged("no identity", now.prove_rooted(&date), is_malformed("TieMismatched", None));
    judged("nothing that ties to the root, under a root alone", now.prove(&date), is_malformed("TieMismatched", None));
    let malformed = || is_malformed("PartsMalformed", None);
    judged("an empty name", with(&|identity| identity.name.clear()), malformed());
    judged(
        "a vector size that is no power of two",
        with_parameters(&|parameters| parameters.vector_size = 3),
        malformed(),
    );
    judged(
        "a scheme's number that does not exist, in the identity",
        with(&|identity| identity.parameters[0] = 9),
        malformed(),
    );
    let other_setup = with(&|identity| identity.setup_digest[0] ^= 1);
    judged("the digest of a setup that nobody published", other_setup, is_other("OtherScheme"));
    maker.lie(
        "an older claim under a root alone",
        &[Flag::StaleVersion],
        anchor,
        &date,
        is_false("AnswerOpeningFalse", 0),
        |proof| {
            proof.claims = vec![library.small[0].claim_of("date")];
        },
    );
    let stale = library.small[0].prove_alone(&date);
    maker.judged("an older version under a root alone", &[Flag::StaleVersion], anchor, &date, &stale, root());
    maker.lie(
        "a forged value under a root alone",
        &[Flag::OpeningUnchecked],
        anchor,
        &date,
        is_false("AnswerOpeningFalse", 0),
        |proof| {
            proof.claims[0].slot.value = "forged".into();
        },
    );
}
