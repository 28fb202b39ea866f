//! The proofs of one key that verifiers in other languages, the page's among them, are tested with:
//! what an archive answers, on the ceremony.
//!
//! `impl/bindings/key_proofs.json` must be what this program makes; with `AARDVARK_WRITE_VECTORS=1`
//! it is written.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod common;

use std::path::Path;
use std::sync::Arc;

use aardvark_archive::{Archive, RedbStore};
use aardvark_commitment::{SchemeKind, VectorCommitment, setups};
use aardvark_dictionary::{Genesis, Identity, Key, Operation, Parameters};
use aardvark_node::archive::SharedArchive;
use aardvark_proof::hex_text::encode;
use aardvark_proof::proof_json;
use common::advance;
use serde_json::{Value as Json, json};

/// An archive of a few vectors, one of them not full, and some blocks.
fn archive(vector_size: u32) -> Archive {
    let parameters = Parameters { scheme: SchemeKind::Kzg, vector_size, window: 2, ..Parameters::default() };
    let digest = setups::published_digest(parameters.scheme, vector_size).unwrap();
    let scheme = Arc::new(setups::published_scheme(parameters.scheme, vector_size, &digest, None).unwrap());
    assert_eq!(scheme.setup_digest(), digest);
    let names = (0..9).map(|number| format!("k{number}"));
    let entries = names.map(|name| (Key::from(name.as_str()), name.as_str().into())).collect();
    let genesis = Genesis::new(Identity::new("test", [0; 32]).unwrap(), parameters, digest, entries).unwrap();
    let store = Box::new(RedbStore::in_memory().unwrap());
    let mut archive = Archive::builder().scheme(scheme).create_on(store, &genesis).unwrap();
    advance(&mut archive, 1, vec![Operation::Put("k7".into(), "".into()), Operation::Delete("k3".into())]);
    advance(&mut archive, 2, vec![Operation::Add("balance".into(), 1000)]);
    archive
}

fn scene(vector_size: u32) -> Json {
    let archive = archive(vector_size);
    let (id, root, version) = (*archive.id(), archive.validator().unwrap().root(), archive.version());
    let shared = SharedArchive::new(archive, None).unwrap();
    let archive = shared.archive();
    let keys = ["k0", "k7", "k3", "k8", "balance", "a", "zzz", "k77", "k"].map(Key::from);
    let odd = [&[0][..], &[255; 255]].map(Key::from);
    let cases = keys.into_iter().chain(odd).map(|key| {
        let claims = vec![archive.prove(&key, version).unwrap()];
        let proof = proof_json::write(&shared.proof(&archive, key.clone(), version, claims, true).unwrap()).unwrap();
        let answer = archive.get(&key, version).unwrap().map(|value| encode(&value));
        json!({ "key": encode(&key), "answer": answer, "proof": serde_json::from_str::<Json>(&proof).unwrap() })
    });
    let cases: Vec<Json> = cases.collect();
    json!({ "dictionary": encode(&id.0), "root": encode(&root), "vector_size": vector_size, "cases": cases })
}

#[test]
fn the_pages_proofs_are_those_that_an_archive_gives() {
    let scenes = json!([scene(4), scene(1), scene(1024)]);
    let text = serde_json::to_string_pretty(&scenes).unwrap() + "\n";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../bindings/key_proofs.json");
    if std::env::var_os("AARDVARK_WRITE_VECTORS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    assert!(
        std::fs::read_to_string(&path).unwrap() == text,
        "impl/bindings/key_proofs.json is another; see above how to write it"
    );
}
