//! Proofs as text and as bytes: what is written is read, everything else is refused, and no bit of
//! a proof can flip unnoticed.

#![allow(clippy::unwrap_used, reason = "a broken premise must stop a test")]

mod common;

use std::path::Path;
use std::sync::LazyLock;

use aardvark_dictionary::{DecodeError, Key, Value};
use aardvark_proof::{AnswerProof, Question, Reason, answer_bytes, answer_json, commitments_json, hex_text, verify};
use common::{Scene, questions, reason};

static SCENE: LazyLock<Scene> = LazyLock::new(|| Scene::new(1, "1.0"));

fn range() -> Question {
    Question::range("bash", "git", Some(3))
}

fn both(proof: &AnswerProof) -> (String, Vec<u8>) {
    (answer_json::write(proof).unwrap(), answer_bytes::encode(proof).unwrap())
}

#[test]
fn proofs_survive_their_text_and_their_bytes() {
    for question in questions() {
        for (_, proof) in SCENE.all(&question) {
            let (text, bytes) = both(&proof);
            assert_eq!(answer_json::read(text.as_bytes()).unwrap(), proof);
            assert_eq!(answer_bytes::decode(&bytes), Ok(proof));
            assert!(2 * bytes.len() < text.len());
        }
    }
}

#[test]
fn every_truncation_and_every_addition_is_refused() {
    for proof in [SCENE.prove_rooted(&range()), SCENE.folded(SCENE.prove_alone(&range()))] {
        let (text, bytes) = both(&proof);
        for end in 0..bytes.len() {
            let cut = answer_bytes::decode(&bytes[..end]);
            assert!(matches!(cut, Err(DecodeError::Truncated { .. })), "cut after {end}");
        }
        for end in 0..text.len() {
            assert!(answer_json::read(&text.as_bytes()[..end]).is_err(), "cut after {end}");
        }
        let longer = [bytes.as_slice(), &[0]].concat();
        assert!(matches!(answer_bytes::decode(&longer), Err(DecodeError::Trailing { count: 1, .. })));
        assert!(answer_json::read(format!("{text}x").as_bytes()).is_err());
    }
}

#[test]
fn a_folded_opening_takes_the_place_of_all_others_in_text_and_bytes() {
    let proof = SCENE.prove_alone(&range());
    let folded = SCENE.folded(proof.clone());
    let (plain_text, plain_bytes) = both(&proof);
    let (text, bytes) = both(&folded);
    assert_eq!(plain_bytes.len() + 96 - 48 * proof.claims.len(), bytes.len());
    assert_eq!((plain_text.matches("opening").count(), text.matches("opening").count()), (proof.claims.len(), 1));
    // Openings beside the one for all, in all claims or in one, and none at all.
    let extra = format!("\"folded_opening\": \"0x{}\",\n  \"root\"", "00".repeat(96));
    let with_both = plain_text.replace("\"root\"", &extra);
    let first_only = text.replacen("\"slot\"", &format!("\"opening\": \"0x{}\", \"slot\"", "00".repeat(48)), 1);
    let line = text.lines().find(|line| line.contains("folded_opening")).unwrap();
    let with_none = text.replace(&format!("{line}\n"), "");
    for mixed in [with_both, first_only, with_none] {
        let error = answer_json::read(mixed.as_bytes()).unwrap_err().to_string();
        assert!(error.contains("folded opening"), "{error}");
    }
    let null = text.replace(line, "  \"folded_opening\": null,");
    assert!(answer_json::read(null.as_bytes()).is_err());
    let short = text.replace("\"folded_opening\": \"0x8", "\"folded_opening\": \"0x");
    let short = short.replace("\"folded_opening\": \"0xa", "\"folded_opening\": \"0x");
    assert_ne!(short, text);
    assert!(answer_json::read(short.as_bytes()).is_err());
}

#[test]
fn an_identity_has_six_fields_of_their_lengths() {
    let (text, _) = both(&SCENE.prove_alone(&range()));
    let refused = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        answer_json::read(text.replacen(from, to, 1).as_bytes()).unwrap_err().to_string()
    };
    assert!(refused("\"salt\": \"0x01", "\"salt\": \"0x").contains("31 bytes"));
    assert!(refused("\"parameters\": \"0x01", "\"parameters\": \"0x").contains("40 bytes where 41 are needed"));
    assert!(refused("\"salt\"", "\"pepper\"").contains("unknown field"));
    assert!(refused("\"binding\": \"0x0402\"", "\"binding\": null").contains("string"));
    let text = answer_json::write(&SCENE.prove_rooted(&range())).unwrap();
    let null = text.replacen("\"size\"", "\"identity\": null, \"size\"", 1);
    assert!(answer_json::read(null.as_bytes()).is_err());
    // A name that no dictionary has can be read, to be refused by its reason, and not be encoded.
    let mut proof = SCENE.prove_alone(&range());
    proof.tie.as_mut().unwrap().identity.as_mut().unwrap().name = vec![b'n'; 256];
    assert_eq!(answer_json::read(answer_json::write(&proof).unwrap().as_bytes()).unwrap(), proof);
    assert_eq!(answer_bytes::encode(&proof).unwrap_err().reason, Reason::PartsMalformed);
}

#[test]
fn no_bit_of_a_proof_s_bytes_can_flip_unnoticed() {
    let [known, rooted, .., alone_folded] = SCENE.all(&range());
    for (trusted, proof) in [known, rooted, alone_folded] {
        let (_, bytes) = both(&proof);
        let mut decoded = 0;
        for bit in 0..bytes.len() * 8 {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            if let Ok(proof) = answer_bytes::decode(&flipped) {
                decoded += 1;
                assert!(verify(&trusted, &range(), &proof).is_err(), "bit {bit}");
                if let Ok(again) = answer_bytes::encode(&proof) {
                    assert_eq!(again, flipped, "two encodings of one proof");
                }
            }
        }
        assert!(decoded > 1000, "{decoded}");
    }
}

#[test]
fn a_count_that_promises_more_than_there_is_allocates_nothing() {
    let bytes = answer_bytes::encode(&SCENE.prove(&Question::key("curl"))).unwrap();
    // The number of keys in the question: format, dictionary, scheme, N, version, kind of question.
    let at = 1 + 32 + 1 + 4 + 8 + 1;
    let mut promising = bytes.clone();
    promising[at..at + 4].copy_from_slice(&[0xff; 4]);
    assert!(matches!(answer_bytes::decode(&promising), Err(DecodeError::Truncated { .. })));
    let long = vec![2; usize::try_from(answer_json::LARGEST_ANSWER).unwrap() + 1];
    assert!(matches!(answer_bytes::decode(&long), Err(DecodeError::TooLong { .. })));
}

#[test]
fn what_stands_for_nothing_is_named() {
    let bytes = answer_bytes::encode(&SCENE.prove(&Question::key("curl"))).unwrap();
    let unknown = |at: usize, found: u8| {
        let mut changed = bytes.clone();
        changed[at] = found;
        match answer_bytes::decode(&changed) {
            Err(DecodeError::Unknown { offset, what, .. }) if offset == at => what,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!([unknown(0, 1), unknown(33, 3), unknown(46, 4)], ["format", "scheme", "question"]);
    assert_eq!((unknown(0, 4), unknown(bytes.len() - 1, 3)), ("format", "what ties to a root"));
}

#[test]
fn a_proof_that_holds_for_nobody_has_no_bytes() {
    let mut proof = SCENE.prove(&range());
    proof.claims[0].slot.value = Value::from(vec![0; 1025]);
    assert_eq!(answer_bytes::encode(&proof).unwrap_err().reason, Reason::AnswerSlotTooLong);
    let mut proof = SCENE.prove(&range());
    proof.question = Question::key(Key::empty());
    assert_eq!(answer_bytes::encode(&proof).unwrap_err().reason, Reason::QuestionIllegal);
    let mut proof = SCENE.prove_rooted(&range());
    proof.tie.as_mut().unwrap().vectors[0].path = vec![[0; 32]; 256];
    assert_eq!(answer_bytes::encode(&proof).unwrap_err().reason, Reason::PathFalse);
}

#[test]
fn unknown_repeated_missing_and_malformed_fields_of_the_text_are_refused() {
    let (text, _) = both(&SCENE.prove_rooted(&range()));
    let refused = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        answer_json::read(text.replacen(from, to, 1).as_bytes()).unwrap_err().to_string()
    };
    assert!(refused("\"format\": 2", "\"format\": 1").contains("format 1"));
    assert!(refused("\"kzg\"", "\"merkle\"").contains("merkle"));
    assert!(refused("\"version\"", "\"answer\": 1, \"version\"").contains("unknown field"));
    assert!(refused("\"version\"", "\"version\": 7, \"version\"").contains("duplicate field"));
    assert!(refused("\"version\": 7,", "").contains("missing field"));
    assert!(refused("\"limit\": 3", "\"limit\": 3, \"most\": 3").contains("unknown field"));
    assert!(refused("\"range\"", "\"ranges\"").contains("unknown variant"));
    assert!(refused("\"from\": \"0x", "\"from\": \"").contains("0x"));
    assert!(refused("\"tail_digest\": \"0x05", "\"tail_digest\": \"0x").contains("31 bytes"));
    assert!(refused("\"number\"", "\"index\"").contains("unknown field"));
    let long = format!("\"from\": \"0x{}", "61".repeat(256));
    assert!(refused("\"from\": \"0x", &long).contains("bytes; at most 255"));
    assert!(answer_json::read("[".repeat(60_000).as_bytes()).is_err());
}

#[test]
fn a_list_is_no_object_null_is_no_field_and_the_field_is_named() {
    let refused = |text: &str, from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        answer_json::read(text.replacen(from, to, 1).as_bytes()).unwrap_err().to_string()
    };
    let (text, _) = both(&SCENE.prove_alone(&range()));
    for (from, to, named) in [
        ("\"slot\": {", "\"slot\": [], \"other\": {", "claims[0].slot: "),
        ("\"claims\": [", "\"claims\": [[], ", "claims[0]: "),
        ("\"range\": {", "\"range\": [], \"other\": {", "question.range: "),
        ("\"root\": {", "\"root\": [], \"other\": {", "root: "),
        ("\"vectors\": [", "\"vectors\": [[], ", "root.vectors[0]: "),
        ("\"identity\": {", "\"identity\": [], \"other\": {", "root.identity: "),
        ("\"limit\": 3", "\"limit\": null", "question.range.limit: "),
        ("\"root\": {", "\"root\": null, \"other\": {", "root: "),
        ("\"identity\": {", "\"identity\": null, \"other\": {", "root.identity: "),
        ("\"claims\"", "\"folded_opening\": null, \"claims\"", "folded_opening: "),
        ("\"opening\": \"", "\"opening\": null, \"other\": \"", "claims[0].opening: "),
    ] {
        let error = refused(&text, from, to);
        assert!(error.starts_with(named) && error.contains("invalid type"), "{to}: {error}");
    }
    let list = format!("[2{}", "]");
    assert!(answer_json::read(list.as_bytes()).unwrap_err().to_string().contains("invalid type: sequence"));
}

/// The files in `examples` are what README, documentation and examples verify.
/// `WRITE_EXAMPLES=1` writes them anew.
#[test]
fn the_examples_are_what_is_written_today() {
    let question = Question::key("curl");
    let known = commitments_json::write(&SCENE.published()).unwrap() + "\n";
    let proof = answer_json::write(&SCENE.prove(&question)).unwrap() + "\n";
    let page = answer_json::write(&SCENE.prove(&Question::range("c", "n", None))).unwrap() + "\n";
    let together = SCENE.folded(SCENE.prove_alone(&Question::range("c", "n", None)));
    let together = answer_json::write(&together).unwrap() + "\n";
    let root = hex_text::encode(&SCENE.parts.root()) + "\n";
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    for (name, text) in [
        ("commitments.json", known),
        ("proof.json", proof),
        ("range.json", page),
        ("together.json", together),
        ("root.txt", root),
    ] {
        let path = folder.join(name);
        if std::env::var_os("WRITE_EXAMPLES").is_some() {
            std::fs::write(&path, &text).unwrap();
        }
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text, "{name}");
    }
    assert_eq!(reason(&SCENE.known(), &Question::key("wget"), &SCENE.prove(&question)), Reason::OtherQuestion);
}
