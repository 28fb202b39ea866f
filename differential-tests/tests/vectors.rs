//! The test vectors in `vectors/`: they are as described, up to date, and both sides agree with
//! every one.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a broken premise must stop a test")]

use std::collections::BTreeSet;

use aardvark_algebra::scalar_from_bytes;
use aardvark_commitment::SchemeKind;
use aardvark_dictionary::{DictionaryId, Genesis, Transaction};
use aardvark_spec::convert::byte_vec;
use differential_tests::convert::{
    bytes_to_spec, genesis_to_spec, parameters_to_spec, slot_to_spec, transaction_to_spec,
};
use differential_tests::points::Points;
use differential_tests::vectors::encodings::EncodingCase;
use differential_tests::vectors::file::{File, Hex, Outcome};
use differential_tests::vectors::flags::Flag;
use differential_tests::vectors::histories::HistoryCase;
use differential_tests::vectors::identities::{DictionaryCase, TransactionCase, entries};
use differential_tests::vectors::openings::OpeningCase;
use differential_tests::vectors::replay;
use differential_tests::vectors::scalars::{ScalarCase, SlotCase};
use differential_tests::vectors::{all, directory};

const KNOWN_SECRETS: [(&str, SchemeKind); 2] = [
    ("openings_kzg_known_secret.json", SchemeKind::Kzg),
    ("openings_libert_yung_known_secret.json", SchemeKind::LibertYung),
];

fn json(name: &str) -> serde_json::Value {
    serde_json::from_str(&std::fs::read_to_string(directory().join(name)).unwrap()).unwrap()
}

#[test]
fn the_files_are_what_the_command_writes() {
    for (name, text) in all().unwrap() {
        let found = std::fs::read_to_string(directory().join(name)).unwrap();
        assert!(found == text, "{name} is stale: cargo run -p differential-tests --bin vectors -- write");
    }
}

#[test]
fn every_file_keeps_to_the_schema_and_nothing_else_lies_there() {
    let validator = jsonschema::validator_for(&json("schema.json")).unwrap();
    let mut names: BTreeSet<String> = ["schema.json", "README.md"].map(str::to_owned).into();
    for (name, _) in all().unwrap() {
        let errors: Vec<_> = validator.iter_errors(&json(name)).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{name}: {errors:?}");
        names.insert(name.to_owned());
    }
    let entries = std::fs::read_dir(directory()).unwrap();
    let found: BTreeSet<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert_eq!(found, names);
}

#[test]
fn the_schema_refuses_what_it_does_not_know() {
    let validator = jsonschema::validator_for(&json("schema.json")).unwrap();
    let changes: [fn(&mut serde_json::Value); 5] = [
        |file| file["format"] = 3.into(),
        |file| file["tests"][0]["surprise"] = 1.into(),
        |file| file["tests"][0]["flags"] = serde_json::json!(["NoSuchFlag"]),
        |file| file["tests"][0]["scalar"] = "0x00".into(),
        |file| drop(file["tests"][0].as_object_mut().unwrap().remove("encoding")),
    ];
    for (number, change) in changes.into_iter().enumerate() {
        let mut file = json("slots.json");
        assert!(validator.is_valid(&file));
        change(&mut file);
        assert!(!validator.is_valid(&file), "change {number}");
    }
}

#[test]
fn every_flag_is_on_some_test_and_every_note_explains_one() {
    let mut used = BTreeSet::new();
    for (name, _) in all().unwrap() {
        let file = json(name);
        assert_eq!(file["number_of_tests"], file["tests"].as_array().unwrap().len(), "{name}");
        let tests = file["tests"].as_array().unwrap();
        let flags: BTreeSet<String> = tests
            .iter()
            .flat_map(|test| test["flags"].as_array().unwrap())
            .map(|flag| flag.as_str().unwrap().to_owned())
            .collect();
        let notes: BTreeSet<String> = file["notes"].as_object().unwrap().keys().cloned().collect();
        assert_eq!(flags, notes, "{name}");
        used.extend(flags);
    }
    let known: BTreeSet<String> = Flag::ALL.iter().map(|flag| format!("{flag:?}")).collect();
    assert_eq!(used, known);
}

#[test]
fn slots_are_hashed_as_the_file_says() {
    for test in File::<SlotCase>::read("slots.json").tests {
        let slot = test.case.slot();
        let specified = slot_to_spec(&slot);
        assert_eq!(Hex::from(slot.encode()), test.case.encoding, "{}", test.comment);
        assert_eq!(Hex::from(byte_vec(&aardvark_spec::dictionary::slot::encode_slot(&specified))), test.case.encoding);
        assert_eq!(Hex::from(slot.scalar().to_bytes_be()), test.case.scalar, "{}", test.comment);
        assert_eq!(replay::scalar_hex(&aardvark_spec::dictionary::slot::scalar_of_slot(&specified)), test.case.scalar);
    }
}

#[test]
fn scalars_are_decoded_as_the_file_says() {
    for test in File::<ScalarCase>::read("scalars.json").tests {
        let decoded = scalar_from_bytes(&test.case.bytes.array().unwrap());
        assert_eq!(decoded.is_ok(), test.case.result == Outcome::Valid, "{}", test.comment);
    }
}

#[test]
fn the_implementation_judges_every_opening_as_the_file_says() {
    for test in File::<OpeningCase>::read("openings_kzg_ceremony.json").tests {
        let verifier = replay::ceremony_verifier(test.case.vector_size);
        let judge = |strict| replay::opening_by_implementation(&verifier, &test.case, strict);
        assert_eq!((judge(false), judge(true)), (test.case.result, test.case.strict), "{}", test.comment);
    }
    for (name, kind) in KNOWN_SECRETS {
        for test in File::<OpeningCase>::read(name).tests {
            let secret = &test.case.known.as_ref().unwrap().secret;
            let (scheme, _) = replay::setups(kind, test.case.vector_size, secret);
            let judge = |strict| replay::opening_by_implementation(&*scheme, &test.case, strict);
            assert_eq!((judge(false), judge(true)), (test.case.result, test.case.strict), "{name}: {}", test.comment);
        }
    }
}

#[test]
fn the_specification_judges_every_opening_as_the_file_says() {
    for (name, kind) in KNOWN_SECRETS {
        for test in File::<OpeningCase>::read(name).tests {
            let secret = &test.case.known.as_ref().unwrap().secret;
            let (_, setup) = replay::setups(kind, test.case.vector_size, secret);
            let outcome = replay::opening_by_specification(&setup, &test.case);
            assert_eq!(outcome, test.case.result, "{name}: {}", test.comment);
        }
    }
}

#[test]
fn c_kzg_judges_the_openings_on_the_ceremony_as_a_strict_verifier() {
    let settings = c_kzg::ethereum_kzg_settings(0);
    let mut judged = 0;
    for test in File::<OpeningCase>::read("openings_kzg_ceremony.json").tests {
        let case = &test.case;
        // An index that the vector lacks is no point of the domain; the question cannot be put to
        // c-kzg.
        let verifier = replay::ceremony_verifier(case.vector_size);
        let Some(point) = verifier.domain().powers().get(case.index) else { continue };
        let commitment = c_kzg::Bytes48::new(case.commitment.array().unwrap());
        let (z, y) = (c_kzg::Bytes32::new(point.to_bytes_be()), c_kzg::Bytes32::new(case.scalar.array().unwrap()));
        let opening = c_kzg::Bytes48::new(case.opening.array().unwrap());
        let outcome = match settings.verify_kzg_proof(&commitment, &z, &y, &opening) {
            Ok(true) => Outcome::Valid,
            Ok(false) => Outcome::False,
            Err(_) => Outcome::Malformed,
        };
        assert_eq!(outcome, case.strict, "{}", test.comment);
        judged += 1;
    }
    assert!(judged > 50, "only {judged} openings");
}

#[test]
fn both_sides_compute_the_dictionary_ids_of_the_file() {
    let file = File::<DictionaryCase>::read("dictionaries.json");
    let ids: BTreeSet<&Hex> = file.tests.iter().map(|test| &test.case.dictionary_id).collect();
    assert_eq!(ids.len(), file.tests.len(), "no two dictionaries share an id");
    for test in &file.tests {
        let case = &test.case;
        let digest = case.setup_digest.array().unwrap();
        let genesis =
            Genesis::new(case.identity.identity(), case.parameters.parameters(), digest, entries(&case.entries))
                .unwrap();
        assert_eq!(Hex::from(genesis.dictionary_id().0), case.dictionary_id, "{}", test.comment);
        assert_eq!(Hex::from(genesis.parameters().to_bytes().to_vec()), case.parameters_bytes, "{}", test.comment);
        let specified = genesis_to_spec(&genesis);
        assert_eq!(
            Hex::from(byte_vec(&aardvark_spec::dictionary::genesis::id_of_dictionary(&specified))),
            case.dictionary_id
        );
        let content = aardvark_spec::dictionary::genesis::content_digest(&specified.genesis_entries);
        assert_eq!(Hex::from(byte_vec(&content)), case.content_digest);
        let bytes = aardvark_spec::dictionary::genesis::encode_parameters(&parameters_to_spec(genesis.parameters()));
        assert_eq!(Hex::from(byte_vec(&bytes)), case.parameters_bytes);
    }
}

#[test]
fn both_sides_compute_the_transaction_ids_of_the_file() {
    for test in File::<TransactionCase>::read("transactions.json").tests {
        let case = &test.case;
        let transaction = Transaction::decode(&case.bytes.0).unwrap();
        let id = transaction.id(&DictionaryId(case.dictionary_id.array().unwrap()));
        assert_eq!(Hex::from(id.0), case.transaction_id, "{}", test.comment);
        let specified = transaction_to_spec(&transaction, &Points::default());
        let dictionary = bytes_to_spec(&case.dictionary_id.0);
        let id = aardvark_spec::block::transaction::id_of_transaction(&dictionary, &specified);
        assert_eq!(Hex::from(byte_vec(&id)), case.transaction_id, "{}", test.comment);
        assert_eq!(aardvark_spec::block::transaction::transaction_length(&specified), case.bytes.0.len());
    }
}

#[test]
fn transaction_ids_are_the_same_where_the_comment_says_so() {
    let file = File::<TransactionCase>::read("transactions.json");
    let first = &file.tests[0].case.transaction_id;
    for test in &file.tests[1..] {
        assert_eq!(test.comment.ends_with("the same id"), test.case.transaction_id == *first, "{}", test.comment);
    }
}

#[test]
fn the_implementation_decodes_what_the_file_calls_valid_and_nothing_else() {
    for test in File::<EncodingCase>::read("encodings.json").tests {
        assert_eq!(replay::encoding_by_implementation(&test.case), test.case.result, "{}", test.comment);
    }
}

#[test]
fn the_implementation_makes_of_every_history_what_the_file_says() {
    for test in File::<HistoryCase>::read("histories.json").tests {
        let (id, commitments, outcomes) = replay::history_by_implementation(&test.case);
        assert_eq!(
            (id, commitments),
            (test.case.dictionary_id.clone(), test.case.commitments.clone()),
            "{}",
            test.comment
        );
        for (number, (step, outcome)) in test.case.steps.iter().zip(outcomes).enumerate() {
            assert_eq!(outcome, step.expected, "{}, step {number}", test.comment);
        }
    }
}

#[test]
fn the_specification_makes_of_every_history_what_the_file_says() {
    for test in File::<HistoryCase>::read("histories.json").tests {
        let (id, commitments, outcomes) = replay::history_by_specification(&test.case);
        assert_eq!(
            (id, commitments),
            (test.case.dictionary_id.clone(), test.case.commitments.clone()),
            "{}",
            test.comment
        );
        for (number, (step, outcome)) in test.case.steps.iter().zip(outcomes).enumerate() {
            assert_eq!(outcome, step.expected, "{}, step {number}", test.comment);
        }
    }
}
