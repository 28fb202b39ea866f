//! `aardvark root --sign` and `verify --note`: signed notes, judged by the crate `signed_note` too,
//! and keys that openssl made.

// Where a helper fails, the test shall.
#![allow(clippy::unwrap_used)]

mod common;

use std::process::Command;

use common::Sandbox;
use serde_json::{Value, json};
use signed_note::{Note, StandardVerifier, VerifierList};

/// The dictionary `d` with the name people, its note and one by a witness too, and the publisher's
/// and the witness' keys.
fn scene() -> (Sandbox, String, String) {
    let sandbox = Sandbox::new();
    sandbox.ok("init d --vector-size 4 --name people");
    sandbox.write("five.csv", common::FIVE_KEYS);
    sandbox.ok("import d five.csv");
    sandbox.ok("client keygen publisher.key");
    sandbox.ok("client keygen witness.key");
    let publisher = sandbox.ok_json("root d --sign publisher.key -o note");
    let witness = sandbox.ok_json("root d --sign witness.key --signer witness.example --note note -o both");
    let key = |signed: Value| signed["publisher"].as_str().unwrap().to_owned();
    sandbox.ok("prove d curl --root -o p.json");
    sandbox.ok("prove d --range a d --together --root -o range.json");
    (sandbox, key(publisher), key(witness))
}

/// What the other implementation makes of a note: whether it is signed with all of these keys.
fn judged(note: &str, keys: &[&str]) -> bool {
    let verifier = |key: &&str| Box::new(StandardVerifier::new(key).unwrap()) as Box<dyn signed_note::Verifier>;
    let Ok(note) = Note::from_bytes(note.as_bytes()) else { return false };
    let verified = note.verify(&VerifierList::new(keys.iter().map(verifier).collect()));
    verified.is_ok_and(|(verified, _)| verified.len() == keys.len())
}

#[test]
fn the_root_stands_alone_on_its_line_and_status_says_it_too() {
    let (sandbox, ..) = scene();
    let root = sandbox.ok("root d");
    assert!(root.starts_with("0x") && root.trim_end().len() == 66 && root.ends_with('\n'), "{root}");
    let said = sandbox.ok_json("root d");
    assert_eq!(said, json!({ "version": 1, "root": root.trim_end() }));
    assert_eq!(sandbox.ok_json("status d")["root"], said["root"]);
    assert!(sandbox.ok("status d").contains(root.trim_end()));
    assert_eq!(sandbox.ok_json("audit d")["root"], said["root"]);
    sandbox.ok("root d -o root");
    assert_eq!(sandbox.read("root"), root);
    // A past version's root is what it was, also beyond what can be read.
    let before = sandbox.ok("root d --version 0");
    sandbox.write("more.csv", "a,1\nb,1\nc,1\nd,1\ne,1\nf,1\ng,1\nh,1\ni,1\nj,1\nk,1\nl,1\n");
    sandbox.ok("import d more.csv --block-size 1");
    assert_eq!((sandbox.ok("root d --version 1"), sandbox.ok("root d --version 0")), (root.clone(), before));
    sandbox.refused("get d curl --version 1", 2, "versions 3 to 13");
    assert_ne!(sandbox.ok("root d"), root);
    sandbox.refused("root d --version 14", 2, "version 14");
}

#[test]
fn notes_are_those_of_c2sp_and_another_implementation_takes_them() {
    let (sandbox, publisher, witness) = scene();
    let (note, both) = (sandbox.read("note"), sandbox.read("both"));
    let lines: Vec<&str> = both.lines().collect();
    assert_eq!((lines[0], lines[1], lines[3]), ("people", "1", ""));
    assert!(lines[4].starts_with("\u{2014} people ") && lines[5].starts_with("\u{2014} witness.example "));
    assert_eq!((lines.len(), both.starts_with(note.as_str()), both.ends_with('\n')), (6, true, true));
    assert_eq!(sandbox.ok("root d --sign publisher.key"), note);
    assert_eq!(sandbox.ok_json("root d --sign publisher.key")["note"], note);
    assert!(judged(&note, &[&publisher]) && judged(&both, &[&publisher, &witness]));
    assert!(!judged(&note, &[&publisher, &witness]));
    assert!(!judged(&both.replace("people\n1\n", "people\n2\n"), &[&publisher]));
    // Signing again changes nothing, and keeps the other signature.
    sandbox.ok("root d --sign publisher.key --note both -o again");
    let mut signers: Vec<String> = sandbox.read("again").lines().skip(4).map(str::to_owned).collect();
    signers.sort();
    assert_eq!(signers, lines[4..6]);
}

#[test]
fn a_note_is_an_anchor_and_all_its_signatures_are_shown() {
    let (sandbox, publisher, witness) = scene();
    let key = format!("verify curl p.json --note both --publisher {publisher}");
    let said = sandbox.ok_json(&key);
    assert_eq!(
        (&said["answer"], &said["value"], &said["version"]),
        (&json!("present"), &json!("0x372e3838"), &json!(1))
    );
    let signatures = said["note"]["signatures"].as_array().unwrap();
    let verified: Vec<_> = signatures.iter().map(|line| (&line["name"], &line["verified"])).collect();
    assert_eq!(verified, [(&json!("people"), &json!(true)), (&json!("witness.example"), &json!(false))]);
    let text = sandbox.ok(&format!("{key} --publisher {witness}"));
    assert!(text.contains("note of    people\n") && text.matches(", verified\n").count() == 2, "{text}");
    let range = sandbox.ok_json(&format!("verify --range a d range.json --note note --publisher {publisher}"));
    assert_eq!(range["entries"].as_array().unwrap().len(), 3);
    sandbox.refused(
        &format!("verify curl p.json --note note --publisher {witness}"),
        2,
        "not signed by witness.example",
    );
    sandbox.refused("verify curl p.json --note note", 2, "--publisher");
    sandbox.refused(&format!("verify curl p.json --publisher {publisher}"), 2, "--note");
}

#[test]
fn hostile_notes_never_hold() {
    let (sandbox, publisher, _) = scene();
    let note = sandbox.read("note");
    let (text, line) = note.split_once("\n\n").unwrap();
    let verify = |note: String, code: i32, reason: &str| {
        sandbox.write("bad", &note);
        let outcome = sandbox.run(&format!("verify curl p.json --note bad --publisher {publisher}"));
        outcome.demand(code, reason);
        // What we refuse for its form the other implementation may take, but never as signed.
        assert!(code == 0 || reason == "the note is" || !judged(&note, &[&publisher]), "{note}");
    };
    verify(note.clone(), 0, "");
    let root = text.lines().nth(2).unwrap();
    let other_root = format!("{}=", "A".repeat(43));
    for (changed, code, reason) in [
        (note.replace("people\n1", "peoples\n1"), 1, "the signature of people"),
        (note.replace("people\n1", "people\n2"), 1, "the signature of people"),
        (note.replace(root, &other_root), 1, "the signature of people"),
        (note.replace("people\n1", "people\n01"), 2, "line 2: "),
        (note.replace("people\n1", "people\n+1"), 2, "line 2: "),
        (note.replace("people\n1", "people\n18446744073709551616"), 2, "line 2: "),
        (note.replace("people\n1", "people\n1\nmore"), 2, "three lines"),
        (note.replace("people\n1", "people"), 2, "three lines"),
        (note.replace("people\n1", " \n1"), 2, "line 1: "),
        (note.replace("people\n1", "pe\tople\n1"), 2, "line 1: a control character"),
        (note.replace(root, "!!!"), 2, "line 3: a root is 32 bytes"),
        (note.replace(root, root.trim_end_matches('=')), 2, "line 3: a root is 32 bytes"),
        (format!("{text}\n\n\u{2014} people\n"), 2, "line 5: a signature is"),
        (format!("{text}\n\n- people AAAA\n"), 2, "line 5: a signature is"),
        (format!("{text}\n\n\u{2014} people ****\n"), 2, "line 5: the signature is not base64"),
        (format!("{text}\n\n\u{2014} people AAAA\n"), 2, "line 5: the signature is too short"),
        (format!("{text}\n\n\u{2014} pe+ople {line}"), 2, "line 5: no name"),
        (format!("{text}\n\n\u{2014} people AAAAAAAA\n"), 2, "not signed by people"),
        (format!("{text}\n\n\u{2014} other {}", line.split_once("people ").unwrap().1), 2, "not signed by people"),
        (note.trim_end().to_owned(), 2, "line 5: it does not end a line"),
        (format!("{note}garbage\n"), 2, "line 6: a signature is"),
        (format!("{note}\n"), 2, "line"),
        (text.to_owned(), 2, "no empty line"),
        (format!("{text}\n\n"), 2, "line"),
        (String::new(), 2, "no empty line"),
        (format!("{text}\n\n{}", line.repeat(101)), 2, "100 signatures"),
        (format!("{note}{}", " ".repeat(70_000)), 2, "bytes"),
    ] {
        verify(changed, code, reason);
    }
    sandbox.write("bad", [0xff, 0xfe]);
    sandbox.refused(&format!("verify curl p.json --note bad --publisher {publisher}"), 2, "UTF-8");
    for key in [
        "people".to_owned(),
        publisher.replace("people", "peoples"),
        publisher.replace("people+", "people+0"),
        format!("{publisher}="),
        publisher[..publisher.len() - 4].to_owned(),
        publisher.replace("+A", "+B"),
    ] {
        sandbox.refused(&format!("verify curl p.json --note note --publisher {key}"), 2, "publisher");
    }
}

#[test]
fn a_note_of_another_version_dictionary_or_root_is_about_something_else() {
    let (sandbox, publisher, _) = scene();
    let by = format!("--publisher {publisher}");
    sandbox.write("later.csv", "curl,8.0\n");
    sandbox.ok("import d later.csv");
    sandbox.ok("root d --sign publisher.key -o later");
    sandbox.refused(&format!("verify curl p.json --note later {by}"), 2, "for version 1, the note is for version 2");
    sandbox.ok("prove d curl --version 1 --root -o old.json");
    sandbox.ok(&format!("verify curl old.json --note note {by}"));
    // The same key signs for another dictionary of that name, and for one of another name.
    for (folder, name) in [("e", "people"), ("f", "strangers")] {
        sandbox.ok(&format!("init {folder} --vector-size 4 --name {name}"));
        sandbox.ok(&format!("import {folder} five.csv"));
        sandbox.ok(&format!("root {folder} --sign publisher.key --signer people -o {folder}.note"));
    }
    sandbox.refused(&format!("verify curl p.json --note e.note {by}"), 1, "hash to the root");
    sandbox.refused(&format!("verify curl p.json --note f.note {by}"), 2, "the note is for dictionary strangers");
    // Nobody signs under a note that says something else.
    for (folder, says) in [("e", "for the root"), ("f", "for the dictionary people")] {
        let line = format!("root {folder} --sign witness.key --signer w --note note --version 1 -o none");
        sandbox.refused(&line, 2, says);
    }
    sandbox.refused("root d --sign witness.key --signer w --note note --version 2 -o none", 2, "for version 1");
    assert!(!sandbox.path("none").exists());
}

#[test]
fn names_that_no_note_can_have_are_refused() {
    let sandbox = Sandbox::new();
    sandbox.ok("client keygen k.key");
    let init = |folder: &str, name: &str| {
        let outcome = sandbox.run_list(&["init", folder, "--vector-size", "4", "--name", name]);
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
    };
    init("spaces", "  ");
    sandbox.refused("root spaces --sign k.key", 2, "cannot be the origin of a note");
    init("two", "two words");
    sandbox.refused("root two --sign k.key", 2, "--signer");
    let note = sandbox.ok("root two --sign k.key --signer words");
    assert!(note.starts_with("two words\n0\n"), "{note}");
    for signer in ["a b", "a+b", ""] {
        sandbox.run_list(&["root", "two", "--sign", "k.key", "--signer", signer]).demand(2, "name of a key");
    }
    init("bidi", "\u{202e}x");
    sandbox.refused("root bidi --sign k.key --signer x", 2, "-o FILE");
    sandbox.ok("root bidi --sign k.key --signer x -o note");
    assert!(sandbox.read("note").starts_with("\u{202e}x\n"));
}

#[test]
fn keys_of_openssl_sign() {
    let (sandbox, ..) = scene();
    let openssl = |arguments: &str| {
        let words = arguments.split(' ');
        Command::new("openssl").args(words).current_dir(sandbox.path(".")).output()
    };
    match openssl("genpkey -algorithm ed25519 -out k.pem") {
        Ok(made) => assert!(made.status.success(), "{made:?}"),
        Err(_) => return eprintln!("skipped: no program openssl"),
    }
    let signed = sandbox.ok_json("root d --sign k.pem -o note");
    let publisher = signed["publisher"].as_str().unwrap();
    assert!(judged(&sandbox.read("note"), &[publisher]));
    sandbox.ok(&format!("verify curl p.json --note note --publisher {publisher}"));
    // openssl verifies the signature as well.
    let note = sandbox.read("note");
    let (text, line) = note.split_once("\n\n").unwrap();
    sandbox.write("text", format!("{text}\n"));
    sandbox.write("line", line.trim().rsplit_once(' ').unwrap().1);
    openssl("base64 -d -A -in line -out bytes").unwrap();
    sandbox.write("signature", &std::fs::read(sandbox.path("bytes")).unwrap()[4..]);
    openssl("pkey -in k.pem -pubout -out k.pub").unwrap();
    let verified = openssl("pkeyutl -verify -pubin -inkey k.pub -rawin -in text -sigfile signature").unwrap();
    assert!(verified.status.success(), "{verified:?}");

    assert!(openssl("genpkey -algorithm ed25519 -aes256 -pass pass:x -out locked.pem").unwrap().status.success());
    sandbox.refused("root d --sign locked.pem", 2, "encrypted");
    assert!(openssl("genpkey -algorithm x25519 -out other.pem").unwrap().status.success());
    sandbox.refused("root d --sign other.pem", 2, "PKCS#8");
    sandbox.refused("root d --sign five.csv", 2, "five.csv");
}
