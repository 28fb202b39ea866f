//! `aardvark explain`: what a proof that holds rests on; a proof that does not hold is refused as
//! `verify` refuses it.

mod common;

use common::Sandbox;

#[test]
fn a_present_key_is_explained_by_its_own_slot_and_an_absent_one_by_the_gap() {
    let sandbox = Sandbox::with_five_keys();
    let present = sandbox.ok_json("explain curl --dir d");
    assert_eq!(present["claims"][0]["position"], 3);
    assert!(present["theorems"].to_string().contains("Theorems.Ring.membership_sound"));
    let absent = sandbox.ok("explain cat --dir d");
    assert!(absent.contains("[bash -- cat -- curl)"), "{absent}");
    assert!(absent.contains("nonmembership_sound"), "{absent}");
}

#[test]
fn a_proof_is_explained_against_commitments_and_a_forged_one_is_refused() {
    let sandbox = Sandbox::with_five_keys();
    sandbox.ok("prove d curl --delete -o p.json");
    let explained = sandbox.ok_json("explain p.json --commitments c.json");
    assert_eq!(explained["claims"][1]["role"], "predecessor");
    let forged = sandbox.read("p.json").replace("\"position\": 3", "\"position\": 4");
    sandbox.write("p.json", forged);
    sandbox.refused("explain p.json --commitments c.json", 1, "does not prove");
    sandbox.refused("explain p.json --commitments d", 2, "");
}
