//! Ranges, many keys and neighbours: answers with one proof, over HTTP.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod common;

use aardvark_dictionary::Key;
use aardvark_proof::{Answer as ProvedAnswer, KnownRoot, Question, RangeAnswer, Region, Trusted, answer_json, verify};
use common::{Answer, Server, busy_archive, scheme};
use serde_json::json;

/// What the operator is told of a counter.
fn metric(server: &Server, name: &str) -> String {
    let text = server.metrics();
    text.lines().find_map(|line| line.strip_prefix(&format!("{name} "))).unwrap().to_owned()
}

/// The answer that a proof gives under the newest state root, and the proof's question.
fn answered(answer: &Answer) -> (ProvedAnswer, Question) {
    assert_eq!(answer.status, 200, "{answer:?}");
    let (archive, scheme) = (busy_archive(), scheme());
    let proof = answer_json::read(&answer.body).unwrap();
    let digest = archive.validator().unwrap().root();
    let trusted = Trusted::Root(KnownRoot { dictionary: *archive.id(), scheme: &scheme, digest });
    (verify(&trusted, &proof.question, &proof).unwrap(), proof.question)
}

fn entries_of(answer: ProvedAnswer) -> (Vec<String>, Option<Key>) {
    let ProvedAnswer::Range(RangeAnswer { entries, resume }) = answer else { panic!("{answer:?}") };
    let shown = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (entries.iter().map(|entry| format!("{}={}", shown(&entry.key), shown(&entry.value))).collect(), resume)
}

#[test]
fn ranges_are_proved_under_the_root() {
    let server = Server::of(busy_archive());
    for (query, expected, resume) in [
        ("from=k010&to=k013", vec!["k010=k010", "k012=k012"], None),
        ("from=k0105&to=k0119", vec![], None),
        ("from=0x6b303338", vec!["k038=k038", "k039=k039", "new=here"], None),
        ("to=k001&from=", vec!["k000=k000"], None),
        ("from=k006&limit=2", vec!["k006=k006", "k007=seven"], Some("k008")),
        ("from=zzz&to=0x", vec![], None),
    ] {
        let (answer, question) = answered(&server.get(&format!("/v1/range?{query}&root=true")));
        let (entries, found) = entries_of(answer);
        assert_eq!(
            (entries, found),
            (expected.iter().map(ToString::to_string).collect(), resume.map(Key::from)),
            "{query}"
        );
        let limit = if query.contains("limit") { 2 } else { 100 };
        assert!(matches!(question, Question::Region(Region::Range(range)) if range.limit == Some(limit)), "{query}");
    }
    // Together there are fewer bytes, and one opening; who knows the root alone verifies it too.
    let [plain, together] = ["", "&together=true"].map(|form| server.get(&format!("/v1/range?root=true{form}")));
    assert_eq!(answered(&plain), answered(&together));
    assert!(together.body.len() + 3000 < plain.body.len(), "{} and {}", together.body.len(), plain.body.len());
    let proof = answer_json::read(&together.body).unwrap();
    let scheme = scheme();
    let alone = Trusted::root_alone(busy_archive().validator().unwrap().root(), &scheme);
    assert!(proof.folded_opening.is_some() && verify(&alone, &proof.question, &proof).is_ok());
    // At an older version, for who has its commitments; without what ties to a root.
    let older = answer_json::read(&server.get("/v1/range?from=k011&limit=1&version=2").body).unwrap();
    assert_eq!((older.version, older.tie.is_none()), (2, true));
    assert_eq!(older, busy_archive().prove_answer(&older.question, 2).unwrap());
}

#[test]
fn the_link_of_a_range_leads_through_all_of_it_at_one_version() {
    let server = Server::of(busy_archive());
    let (mut path, mut all, mut pages) = ("range?limit=7&root=true".to_owned(), Vec::new(), 0);
    loop {
        let answer = server.get(&format!("/v1/{path}"));
        let (found, resume) = entries_of(answered(&answer).0);
        all.extend(found);
        pages += 1;
        let link = answer.head.lines().find_map(|line| line.strip_prefix("link: ").map(str::to_owned));
        assert_eq!(link.is_some(), resume.is_some());
        let Some(link) = link else { break };
        assert!(link.contains("version=3") && link.contains("root=true"), "{link}");
        path = link.strip_prefix('<').unwrap().strip_suffix(">; rel=\"next\"").unwrap().to_owned();
    }
    let value = |key: &str| match key {
        "k007" => "seven".to_owned(),
        "new" => "here".to_owned(),
        key => key.to_owned(),
    };
    let keys = (0..40).filter(|key| *key != 11).map(|key| format!("k{key:03}")).chain(["new".to_owned()]);
    assert_eq!(all, keys.map(|key| format!("{key}={}", value(&key))).collect::<Vec<_>>());
    assert_eq!(pages, 6);
}

#[test]
fn one_proof_answers_keys_or_a_neighbour() {
    let server = Server::of(busy_archive());
    let ask = |question: serde_json::Value| {
        let request = json!({ "root": true, "question": question });
        answered(&server.post("/v1/answer", request.to_string().as_bytes())).0
    };
    let hex = |text: &str| aardvark_proof::hex_text::encode(text.as_bytes());
    let ProvedAnswer::Keys(keys) = ask(json!({ "keys": [hex("k007"), hex("k011"), hex("new")] })) else { panic!() };
    let values: Vec<_> = keys.iter().map(|answer| answer.value.as_deref().map(<[u8]>::to_vec)).collect();
    assert_eq!(values, [Some(b"seven".to_vec()), None, Some(b"here".to_vec())]);
    let ProvedAnswer::Predecessor(Some(entry)) = ask(json!({ "predecessor": hex("k012") })) else { panic!() };
    assert_eq!(entry.key, Key::from("k010"));
    assert_eq!(ask(json!({ "successor": hex("k010") })), ProvedAnswer::Successor(Some("k012".into())));
    let range = ask(json!({ "range": { "from": hex("k03"), "to": "0x", "limit": 1 } }));
    assert_eq!(entries_of(range), (vec!["k030=k030".to_owned()], Some("k031".into())));
}

#[test]
fn questions_that_nobody_can_ask_are_the_client_s_mistake() {
    let server = Server::of(busy_archive());
    for query in
        ["from=b&to=a", "from=a&to=a", "limit=0", "limit=1025", "limit=-1", "limit=18446744073709551616", "form=a"]
    {
        server.get(&format!("/v1/range?{query}")).assert_error(400, "bad_request");
    }
    server.get(&format!("/v1/range?from={}", "k".repeat(256))).assert_error(400, "bad_key");
    server.get("/v1/range?to=0xZZ").assert_error(400, "bad_key");
    server.get("/v1/range?version=9").assert_error(404, "no_such_version");
    server.get("/v1/range?version=2&root=true").assert_error(404, "no_root");
    let many = vec!["0x61"; 1025];
    for question in [
        json!({ "keys": [] }),
        json!({ "keys": ["0x62", "0x61"] }),
        json!({ "keys": ["0x61", "0x61"] }),
        json!({ "keys": many }),
        json!({ "keys": [format!("0x{}", "61".repeat(256))] }),
        json!({ "range": { "from": "0x62", "to": "0x61" } }),
        json!({ "range": { "from": "0x", "to": "0x", "limit": 0 } }),
        json!({ "range": { "from": "0x", "to": "0x", "limit": 1025 } }),
        json!({ "between": ["0x61", "0x62"] }),
        json!({ "keys": ["0x61"], "successor": "0x61" }),
        json!(null),
    ] {
        let request = json!({ "question": question }).to_string();
        server.post("/v1/answer", request.as_bytes()).assert_error(400, "bad_request");
    }
    server.post("/v1/answer", br#"{"question":{"successor":"0x"}}"#).assert_error(400, "bad_key");
    server.post("/v1/answer", b"{}").assert_error(400, "bad_request");
    assert_eq!(metric(&server, "aardvark_proofs_total"), "0");
}
