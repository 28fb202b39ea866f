//! Which dictionary a dictionary is: name and salt, and what its id keeps apart.

// Where a helper fails, the test shall.
#![allow(clippy::unwrap_used)]

mod common;

use common::{FIVE_KEYS, Sandbox};

const SALT: &str = "0x00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

#[test]
fn two_empty_dictionaries_are_two_and_status_says_which() {
    let sandbox = Sandbox::new();
    std::fs::create_dir(sandbox.path("other")).unwrap();
    let [one, two] = ["packages", "other/packages"].map(|folder| {
        let made = sandbox.ok_json(&format!("init {folder} --vector-size 4"));
        let status = sandbox.ok_json(&format!("status {folder}"));
        assert_eq!((&made["name"], &made["dictionary"]), (&status["name"], &status["dictionary"]));
        assert_eq!(status["name"], "packages");
        let text = sandbox.ok(&format!("status {folder}"));
        assert!(text.contains("packages") && text.contains(status["dictionary"].as_str().unwrap()), "{text}");
        status["dictionary"].clone()
    });
    assert_ne!(one, two);
}

#[test]
fn one_name_and_salt_with_the_same_parameters_make_one_dictionary() {
    let sandbox = Sandbox::new();
    let init = |folder: &str, rest: &str| {
        sandbox.ok_json(&format!("init {folder} --vector-size 4 {rest}"))["dictionary"].as_str().unwrap().to_owned()
    };
    let named = format!("--name Packages --salt {SALT}");
    let first = init("a", &named);
    assert_eq!(first, init("b", &named));
    for (folder, other) in [
        ("c", format!("--name Parcels --salt {SALT}")),
        ("e", format!("--name Packages --salt {}", SALT.replace("0xff", "0xfe").replace("00112233", "00112234"))),
        ("f", format!("{named} --window 11")),
    ] {
        assert_ne!(first, init(folder, &other), "{other}");
    }
}

#[test]
fn a_proof_of_one_dictionary_is_about_another_for_the_commitments_of_its_twin() {
    let sandbox = Sandbox::new();
    sandbox.write("five.csv", FIVE_KEYS);
    for folder in ["one", "two"] {
        sandbox.ok(&format!("init {folder} --name twin --vector-size 4"));
        sandbox.ok(&format!("import {folder} five.csv"));
        sandbox.ok(&format!("commitments {folder} -o {folder}.json"));
    }
    sandbox.ok("prove one curl -o p.json");
    sandbox.ok("verify curl p.json --commitments one.json");
    sandbox.refused("verify curl p.json --commitments two.json", 2, "dictionary");
    sandbox.ok("audit one");
}

#[test]
fn what_is_no_name_or_salt_is_a_usage_error() {
    let sandbox = Sandbox::new();
    for line in ["init d --salt 0x00", "init d --salt 00", &format!("init d --name {}", "n".repeat(256))] {
        sandbox.refused(line, 2, "--");
    }
    let outcome = sandbox.run_list(&["init", "d", "--name", "a\u{1b}[2K"]);
    outcome.demand(2, "control characters");
    let outcome = sandbox.run_list(&["init", "d\n"]);
    outcome.demand(2, "--name");
    assert!(!sandbox.path("d").exists());
    sandbox.ok("init . --vector-size 4");
}
