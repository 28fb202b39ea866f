//! `aardvark table demo`: every query is compared with the rows, every lie refused for its reason,
//! and the audit finds what the keeper slipped in.

mod common;

use common::Sandbox;
use serde_json::json;

#[test]
fn the_demo_shows_every_query_and_refuses_every_lie() {
    let sandbox = Sandbox::new();
    let facts = sandbox.ok_json("table demo --homes 24 --dir d");
    assert_eq!((&facts["rows"], &facts["queries"].as_array().map(Vec::len)), (&json!(240), &Some(13)));
    let lies: Vec<&str> =
        facts["lies"].as_array().into_iter().flatten().filter_map(|lie| lie["reason"].as_str()).collect();
    assert_eq!(lies.len(), 6, "{facts}");
    assert_eq!(lies[0], "OpeningFalse");
    assert!(lies[1].starts_with("Chain"), "{lies:?}");
    assert_eq!(&lies[2..4], ["CutFalse", "TextMismatched"]);
    assert!(["ChainNotCovering", "AnswerOpeningFalse", "ChainMissing"].contains(&lies[4]), "{lies:?}");
    assert_eq!(lies[5], "CertificateMissing");
    assert!(facts["audit"].as_str().is_some_and(|found| found.ends_with("it has no certificate")), "{facts}");
    // How long that takes says the machine's load: some seconds on an idle one.
    assert!(facts["seconds"].as_f64().is_some_and(|seconds| seconds > 0.0), "{facts}");
    // What is kept is a dictionary with that table, and one run that no certificate covers.
    sandbox.ok("audit d");
    assert_eq!(sandbox.run("table audit d").code, Some(1));
    assert_eq!(sandbox.ok("table list d"), "meters\n");
    sandbox.refused("table demo --homes 24 --dir d", 2, "");
    sandbox.refused("table demo --homes 7", 2, "7");
}
