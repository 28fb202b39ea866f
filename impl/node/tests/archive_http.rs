//! What an archive answers over HTTP.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod common;

use std::sync::Arc;

use aardvark_commitment::{Commitment, VectorCommitment};
use aardvark_dictionary::Key;
use aardvark_dictionary::commitment_tree::root_of_path;
use aardvark_node::archive::{Serving, SharedArchive};
use aardvark_proof::{commitments_json, proof_json};
use common::{Answer, Server, archive, busy_archive, eventually, patient, post_request, scheme};
use serde_json::json;

/// Checks a proof's claims against the state root that it carries, as a light client does, and
/// gives the answer.
fn verified(answer: &Answer, root: &[u8; 32]) -> Option<String> {
    let archive = busy_archive();
    let proof = proof_json::read(&answer.body).unwrap();
    let given = proof.root.unwrap();
    assert_eq!(given.parts(archive.id()).root(), *root);
    assert_eq!(given.claims.len(), proof.claims.len());
    for (claim, path) in proof.claims.iter().zip(&given.claims) {
        let commitment = Commitment::from_bytes(&path.commitment).unwrap();
        assert_eq!(
            root_of_path(given.size.div_ceil(4), claim.position / 4, &commitment, &path.path),
            Some(given.commitment_root)
        );
        let opening = aardvark_commitment::Opening::from_bytes(&claim.opening).unwrap();
        let index = usize::try_from(claim.position % 4).unwrap();
        assert!(scheme().verify(&commitment, index, &claim.slot.scalar(), &opening));
    }
    assert!(proof.claims[0].slot.covers(&proof.key));
    let present = proof.claims[0].slot.key == proof.key;
    present.then(|| String::from_utf8(proof.claims[0].slot.value.to_vec()).unwrap())
}

#[test]
fn proofs_hold_under_the_commitments_and_under_the_root() {
    let root = busy_archive().validator().unwrap().root();
    let server = Server::of(busy_archive());
    for (key, value) in [("k007", Some("seven")), ("new", Some("here")), ("k011", None), ("zzz", None)] {
        let answer = server.get(&format!("/v1/proof/{key}?root=true"));
        assert_eq!(answer.status, 200, "{answer:?}");
        assert_eq!(verified(&answer, &root).as_deref(), value, "{key}");
    }
    let commitments = server.get("/v1/commitments");
    let known = commitments_json::read(&commitments.body).unwrap();
    assert_eq!((known.version, known.slots), (3, 41));
    let proof = proof_json::read(&server.get("/v1/proof/k012?version=2").body).unwrap();
    assert_eq!((proof.version, proof.claims.len(), proof.root), (2, 1, None));
    let delete = proof_json::read(&server.get("/v1/proof/k012?delete=true&version=2").body).unwrap();
    assert_eq!(delete.claims, busy_archive().prove_delete(&"k012".into(), 2).unwrap());
}

#[test]
fn many_proofs_come_in_the_order_of_the_keys() {
    let server = Server::of(busy_archive());
    let hex = |text: &str| aardvark_proof::hex_text::encode(text.as_bytes());
    let request = json!({ "root": true, "keys": [hex("zzz"), hex("k003")], "deletes": [hex("k005"), hex("nothing")] });
    let answer = server.post("/v1/proofs", request.to_string().as_bytes());
    assert_eq!(answer.status, 200, "{answer:?}");
    let answer = answer.json();
    assert_eq!(answer["version"], 3);
    let proofs: Vec<_> = answer["proofs"].as_array().unwrap().iter().collect();
    let proofs: Vec<_> = proofs.iter().map(|proof| proof_json::read(proof.to_string().as_bytes()).unwrap()).collect();
    let keys: Vec<Key> = proofs.iter().map(|proof| proof.key.clone()).collect();
    assert_eq!(keys, ["zzz", "k003", "k005", "nothing"].map(Key::from));
    assert_eq!(proofs.iter().map(|proof| proof.claims.len()).collect::<Vec<_>>(), [1, 1, 2, 1]);
    assert!(proofs.iter().all(|proof| proof.root.as_ref().unwrap().claims.len() == proof.claims.len()));
    assert_eq!(server.post("/v1/proofs", b"{}").json(), json!({ "version": 3, "proofs": [] }));
}

#[test]
fn status_tail_and_blocks_say_what_the_archive_has() {
    let server = Server::of(busy_archive());
    let status = server.get("/v1/status").json();
    assert_eq!((status["version"].as_u64(), status["size"].as_u64()), (Some(3), Some(41)));
    assert_eq!((status["state"].as_str(), status["oldest_version"].as_u64()), (Some("serving"), Some(1)));
    assert_eq!(status["oldest_root"], 3);
    let tail = server.get("/v1/tail?vectors=2").json();
    let start = tail["start"].as_u64().unwrap();
    assert_eq!(tail["slots"].as_array().unwrap().len() as u64, 41 - start);
    let vectors = tail["vectors"].as_array().unwrap();
    let expected = busy_archive().tail_vectors(2).unwrap();
    assert_eq!(vectors.len(), 2);
    for (found, expected) in vectors.iter().zip(expected) {
        let key = aardvark_proof::hex_text::encode(&expected[0].key);
        assert_eq!((found.as_array().unwrap().len(), found[0]["key"].as_str()), (4, Some(key.as_str())));
    }
    let block = server.get("/v1/blocks/1").json();
    assert_eq!((block["kind"].as_str(), block["accepted"].as_u64()), (Some("transactions"), Some(1)));
    assert_eq!(block["transactions"][0]["operations"][0]["put"]["key"], "0x6b303037");
    let root = aardvark_proof::hex_text::encode(&busy_archive().validator().unwrap().root());
    assert_eq!(server.get("/v1/blocks/3").json()["root"], root);
    let blocks = server.get("/v1/blocks?last=2").json();
    let heights: Vec<_> = blocks["blocks"].as_array().unwrap().iter().map(|block| block["height"].as_u64()).collect();
    assert_eq!(heights, [Some(3), Some(2)]);
    assert!(blocks["blocks"][0].get("transactions").is_none());
    assert_eq!(server.get("/v1/blocks/2/raw").body, busy_archive().block_bytes(2).unwrap());
    let certificates = server.get("/v1/blocks/2/certificates");
    assert_eq!((certificates.status, certificates.body.len()), (200, 0), "there are no tables");
    server.get("/v1/blocks/4/certificates").assert_error(404, "no_such_version");
}

#[test]
fn what_is_asked_wrongly_is_refused_with_its_code() {
    let server = Server::of(busy_archive());
    server.get("/v1/proof/k001?version=9").assert_error(404, "no_such_version");
    server.get("/v1/proof/k001?version=0").assert_error(404, "no_such_version");
    server.get("/v1/proof/k001?version=2&root=true").assert_error(404, "no_root");
    server.get("/v1/proof/k001?version=two").assert_error(400, "bad_request");
    server.get("/v1/proof/k001?verison=2").assert_error(400, "bad_request");
    server.get("/v1/proof/0xZZ").assert_error(400, "bad_key");
    server.get("/v1/proof/0x").assert_error(400, "bad_key");
    server.get(&format!("/v1/proof/{}", "k".repeat(256))).assert_error(400, "bad_key");
    server.get("/v1/proof/%ff").assert_error(400, "bad_request");
    server.get("/v1/blocks/-1").assert_error(400, "bad_request");
    server.get("/v1/blocks/4").assert_error(404, "no_such_version");
    server.get("/v1/blocks?last=101").assert_error(400, "bad_request");
    server.get("/v1/tail?vectors=257").assert_error(400, "bad_request");
    server.get("/v2").assert_error(404, "not_found");
    server.get("/v1/proofs").assert_error(405, "method_not_allowed");
    server.send(&post_request("/v1/proofs", "text/plain", b"{}")).unwrap().assert_error(415, "unsupported_media_type");
    server.post("/v1/proofs", b"{\"keys\":[\"0x\"]}").assert_error(400, "bad_key");
    server.post("/v1/proofs", b"{\"key\":[]}").assert_error(400, "bad_request");
    let many = json!({ "keys": vec!["0x61"; 1025] }).to_string();
    server.post("/v1/proofs", many.as_bytes()).assert_error(400, "bad_request");
}

#[test]
fn pages_of_any_origin_may_read() {
    let server = Server::of(busy_archive());
    let with_origin = |method: &str, path: &str, more: &str| {
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: x\r\norigin: https://elsewhere.example\r\n{more}connection: close\r\n\r\n"
        );
        server.send(request.as_bytes()).unwrap()
    };
    for (path, status) in [
        ("/v1/status", 200),
        ("/v1/range?limit=1", 200),
        ("/openapi.json", 200),
        ("/v1/range?limit=0", 400),
        ("/v2", 404),
    ] {
        let answer = with_origin("GET", path, "");
        assert_eq!(answer.status, status, "{path}");
        assert!(answer.head.contains("access-control-allow-origin: *"), "{path}: {}", answer.head);
        assert!(answer.head.contains("access-control-expose-headers: link,retry-after"), "{path}: {}", answer.head);
        assert!(!answer.head.contains("access-control-allow-credentials"), "{path}: {}", answer.head);
    }
    let asked = "access-control-request-method: POST\r\naccess-control-request-headers: content-type\r\n";
    let preflight = with_origin("OPTIONS", "/v1/answer", asked);
    assert_eq!(preflight.status, 200);
    for line in ["access-control-allow-methods: get,post", "access-control-allow-headers: content-type"] {
        assert!(preflight.head.contains(line), "{line} in {}", preflight.head);
    }
}

/// GET with more headers.
fn get_with(server: &Server, path: &str, headers: &str) -> Answer {
    server.send(format!("GET {path} HTTP/1.1\r\nhost: x\r\n{headers}connection: close\r\n\r\n").as_bytes()).unwrap()
}

#[test]
fn what_stays_may_be_kept_and_what_was_kept_is_not_sent_again() {
    let shared = Arc::new(SharedArchive::new(busy_archive(), None).unwrap());
    let server = Server::of_shared(Arc::clone(&shared), patient());
    // Heads are read in lower case; a weak tag begins with a capital.
    let tag = |answer: &Answer| {
        answer.head.lines().find_map(|line| line.strip_prefix("etag: ")).map(|tag| tag.replace("w/", "W/"))
    };
    let keep =
        |answer: &Answer| answer.head.lines().find_map(|line| line.strip_prefix("cache-control: ")).map(str::to_owned);
    for (path, kept) in [
        ("/v1/proof/k001?version=2", "public, max-age=31536000, immutable"),
        ("/v1/blocks/1/raw", "public, max-age=31536000, immutable"),
        ("/v1/range?limit=1", "public, no-cache"),
        // Its root is not known once it is not the newest.
        ("/v1/blocks/3", "public, no-cache"),
    ] {
        let first = server.get(path);
        assert_eq!((first.status, keep(&first).as_deref()), (200, Some(kept)), "{path}: {}", first.head);
        let tag = tag(&first).unwrap();
        let again = get_with(&server, path, &format!("if-none-match: \"other\", {tag}\r\n"));
        assert_eq!((again.status, again.body.len(), keep(&again).as_deref()), (304, 0, Some(kept)), "{path}");
        assert_eq!(get_with(&server, path, "if-none-match: \"other\"\r\n").body, first.body);
    }
    let old = tag(&server.get("/v1/proof/k001")).unwrap();
    common::advance(
        &mut shared.archive_mut(),
        4,
        vec![aardvark_dictionary::Operation::Put("k001".into(), "one".into())],
    );
    let newer = get_with(&server, "/v1/proof/k001", &format!("if-none-match: {old}\r\n"));
    assert!(newer.status == 200 && tag(&newer).unwrap() != old, "{}", newer.head);
    assert!(server.metrics().contains("status=\"3xx\"} 1"), "what is not sent again is counted");
    // Any answer is as good, where there is one.
    for (path, status) in
        [("/v1/proof/k001?version=2", 304), ("/v1/range?limit=1", 304), ("/v1/proof/k001?version=99", 404)]
    {
        let said = get_with(&server, path, "if-none-match: *\r\n");
        assert_eq!((said.status, said.body.is_empty()), (status, status == 304), "{path}");
    }
    for path in ["/v1/status", "/v1/proof/k001?version=99", "/v2"] {
        let answer = server.get(path);
        assert!(tag(&answer).is_none() && keep(&answer).is_none(), "{path}: {}", answer.head);
    }
}

#[test]
fn large_answers_are_compressed_where_the_client_takes_that() {
    let server = Server::of(busy_archive());
    let plain = server.get("/openapi.json");
    assert!(!plain.head.contains("content-encoding"), "{}", plain.head);
    let gzip = get_with(&server, "/openapi.json", "accept-encoding: gzip\r\n");
    assert!(gzip.head.contains("content-encoding: gzip"), "{}", gzip.head);
    assert!(gzip.body.len() < plain.body.len() / 2, "{} of {}", gzip.body.len(), plain.body.len());
    let proof = get_with(&server, "/v1/proof/k001", "accept-encoding: gzip\r\n");
    assert!(!proof.head.contains("content-encoding"), "a proof is sent as it is: {}", proof.head);
}

#[test]
fn blocks_are_read_on_by_their_links_to_genesis() {
    let server = Server::of(busy_archive());
    let mut next = Some("/v1/blocks?last=3".to_owned());
    let mut heights = Vec::new();
    while let Some(path) = next {
        let answer = server.get(&path);
        let blocks = answer.json()["blocks"].as_array().unwrap().clone();
        heights.push(blocks.iter().map(|block| block["height"].as_u64().unwrap()).collect::<Vec<_>>());
        let link = answer.head.lines().find_map(|line| line.strip_prefix("link: <")).map(str::to_owned);
        next = link.map(|link| link.strip_suffix(">; rel=\"next\"").unwrap().to_owned());
    }
    assert_eq!(heights, [vec![3, 2, 1], vec![0]]);
    assert_eq!(server.get("/v1/blocks?last=5&before=0").json(), json!({ "blocks": [] }));
    assert!(!server.get("/v1/blocks?last=0").head.contains("link:"));
    assert_eq!(server.get("/v1/blocks?before=99").json()["blocks"].as_array().unwrap().len(), 4);
}

#[test]
fn an_archive_whose_store_is_closed_says_that_it_is_away_and_not_that_it_is_damaged() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("archive");
    let mut archive =
        aardvark_archive::Archive::builder().scheme(scheme()).create(&path, &common::genesis(5, 2)).unwrap();
    common::advance(&mut archive, 1, vec![aardvark_dictionary::Operation::Put("k001".into(), "one".into())]);
    let shared = Arc::new(SharedArchive::new(archive, None).unwrap());
    let server = Server::of_shared(Arc::clone(&shared), patient());
    let (file, aside) = (path.join("archive.redb"), path.join("aside"));
    std::fs::rename(&file, &aside).unwrap();
    std::fs::write(&file, b"no store").unwrap();
    assert!(shared.reopen().is_err());
    for path in ["/v1/proof/k001", "/v1/range", "/v1/blocks/1", "/v1/commitments"] {
        let answer = server.get(path);
        answer.assert_error(503, "unavailable");
        assert!(answer.head.contains("retry-after: 1"), "{}", answer.head);
    }
    std::fs::rename(&aside, &file).unwrap();
    shared.reopen().unwrap();
    assert_eq!(server.get("/v1/proof/k001").status, 200);
}

#[test]
fn the_page_s_icon_is_there() {
    let icon = Server::of(archive(5, 2)).get("/favicon.svg");
    assert!(icon.status == 200 && icon.head.contains("content-type: image/svg+xml"), "{}", icon.head);
    assert!(icon.text().starts_with("<svg "));
}

#[test]
fn keys_with_any_bytes_can_be_asked_for() {
    let server = Server::of(archive(5, 2));
    for (path, key) in
        [("a%2Fb", b"a/b".as_slice()), ("%3F%23%25", b"?#%"), ("0xff00", &[255, 0]), ("k%C3%A9", "ké".as_bytes())]
    {
        let answer = server.get(&format!("/v1/proof/{path}"));
        assert_eq!(proof_json::read(&answer.body).unwrap().key, Key::from(key), "{answer:?}");
    }
}

#[test]
fn every_path_of_the_description_is_there_and_every_path_is_described() {
    let server = Server::of(busy_archive());
    let description = server.get("/openapi.json").json();
    let paths = description["paths"].as_object().unwrap();
    assert_eq!(paths.len(), 18);
    let tags: Vec<_> = description["tags"].as_array().unwrap().iter().map(|tag| tag["name"].clone()).collect();
    assert_eq!(tags, ["Proofs", "Versions", "Tables", "Blocks", "Archive"]);
    for (path, methods) in paths {
        for method in methods.as_object().unwrap().values() {
            let of = method["tags"].as_array().unwrap();
            assert!(of.len() == 1 && tags.contains(&of[0]), "{path}: {of:?}");
        }
        let path = path.replace("{key}", "k001").replace("{height}", "1").replace("{name}", "meters");
        let body: &[u8] = match path.as_str() {
            "/v1/answer" => br#"{"question":{"keys":["0x61"]}}"#,
            "/v1/tables/meters/scan" => br#"{"column":"power"}"#,
            "/v1/tables/meters/query" => br#"{"query":"sum(power)"}"#,
            "/v1/tables/meters/row" | "/v1/tables/meters/rows" => br#"{"id":"anna","tag":"0123456789abcdef"}"#,
            _ => b"{}",
        };
        let answer = match methods.get("post") {
            Some(_) => server.post(&path, body),
            None => server.get(&path),
        };
        // The archive has no tables, and no rows of any.
        match path.strip_prefix("/v1/tables/meters") {
            Some("/query" | "/row" | "/rows") => answer.assert_error(404, "no_vault"),
            Some(_) => answer.assert_error(404, "no_such_table"),
            None => assert_eq!(answer.status, 200, "{path}: {answer:?}"),
        }
    }
    for schema in ["TableAnswerJson", "TablesJson", "CertificatesJson", "ScanRequest", "QueryRequest"] {
        assert!(description["components"]["schemas"].get(schema).is_some(), "{schema}");
    }
    for schema in ["AnswerProofJson", "AnswerRequest", "QuestionJson", "RangeJson"] {
        assert!(description["components"]["schemas"].get(schema).is_some(), "{schema}");
    }
    for schema in ["ProofJson", "RootJson", "Status", "BlockJson", "ProofsRequest", "CommitmentsJson", "ErrorJson"] {
        assert!(description["components"]["schemas"].get(schema).is_some(), "{schema}");
    }
}

#[test]
fn metrics_count_requests_and_proofs() {
    let server = Server::of(busy_archive());
    for _ in 0..3 {
        server.get("/v1/proof/k001");
    }
    let _idle = server.asked("/v1/status");
    let text = server.metrics();
    let has = |text: &str, line: &str| text.lines().any(|found| found == line);
    for line in [
        "aardvark_http_requests_total{path=\"/v1/proof/{key}\",status=\"2xx\"} 3",
        "aardvark_proofs_total 3",
        "aardvark_version 3",
    ] {
        assert!(has(&text, line), "{line} in\n{text}");
    }
    // A connection is counted until the server has seen that its client has left.
    eventually("one connection", || has(&server.metrics(), "aardvark_connections 1"));
    server.get("/metrics").assert_error(404, "not_found");
}

#[test]
fn the_page_lets_nothing_in_from_elsewhere() {
    let server = Server::of(archive(5, 2));
    let page = server.get("/");
    assert_eq!(page.status, 200);
    assert!(page.head.contains("content-security-policy: default-src 'none'; script-src 'self'"), "{}", page.head);
    assert!(page.text().starts_with("<!doctype html>"));
}

#[test]
fn a_server_that_is_told_to_end_answers_what_it_was_asked_and_takes_no_more() {
    let mut server = Server::of(busy_archive());
    let mut idle = server.connect();
    server.get("/v1/status");
    server.tell_to_end();
    assert_eq!(server.ended(), Serving::Finished);
    assert!(common::read_answer(&mut idle).is_none());
    assert!(std::net::TcpStream::connect(server.address).is_err());
}
