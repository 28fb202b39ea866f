//! `aardvark mixnet demo`, with a few voters: it checks by itself what it shows.
#![allow(clippy::unwrap_used)]

mod common;

use common::Sandbox;
use serde_json::json;

#[test]
fn the_demo_holds_an_election_audits_it_and_names_the_liars() {
    let sandbox = Sandbox::new();
    let facts = sandbox.ok_json("mixnet demo --voters 4");
    assert_eq!((&facts["voters"], &facts["result"]), (&json!(12), &json!({ "no": 5, "ye": 7 })));
    let station = |name, yes, no| json!({ "station": name, "yes": yes, "no": no });
    assert_eq!(facts["audit"], json!([station("north", 4, 1), station("south", 4, 0), station("west", 4, 0)]));
    assert_eq!(facts["private"], json!({ "yes": 4, "no": 1 }));
    assert_eq!(facts["recount"]["asked"], 10);
    let lies = ["InputProofFalse", "ColumnProofFalse", "ColumnProofFalse", "DecryptionProofFalse"];
    assert_eq!(facts["lies"], json!(lies));
    assert_eq!(facts["root"].as_str().unwrap().len(), 66);
    sandbox.refused("mixnet demo --voters 3", 2, "3");
}
