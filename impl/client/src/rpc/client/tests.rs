//! Answers recorded from CometBFT 0.38.26 with its example application, and what a hostile node
//! makes of them.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::*;
use crate::testing::{Reply, Request, TestServer};

macro_rules! recorded {
    ($name:literal) => {
        include_str!(concat!("../recorded/", $name, ".json"))
    };
}

/// The recorded answer to a request, with the request's id.
fn recorded(request: &Request) -> Value {
    assert_eq!(request.path, "/");
    let asked = request.json();
    let height = asked["params"]["height"].as_str().unwrap_or_default();
    let text = match (asked["method"].as_str().unwrap(), height) {
        ("status", _) => recorded!("status"),
        ("commit", "999999") => recorded!("commit_of_the_future"),
        ("commit", "28" | "") => recorded!("commit_next"),
        ("commit", _) => recorded!("commit"),
        ("validators", _) => recorded!("validators"),
        ("block", _) => recorded!("block"),
        ("genesis_chunked", _) => recorded!("genesis_chunked"),
        ("broadcast_tx_sync", _) => match asked["params"]["tx"].as_str().unwrap() {
            "aGVsbG89d29ybGQ=" => recorded!("broadcast_tx_sync"),
            "YWdhaW4=" => recorded!("broadcast_tx_sync_again"),
            _ => recorded!("broadcast_tx_sync_refused"),
        },
        ("tx_search", _) if asked["params"]["query"] == "app.key='hello'" => recorded!("tx_search"),
        ("tx_search", _) => recorded!("tx_search_nothing"),
        _ => recorded!("no_such_method"),
    };
    let mut answer: Value = serde_json::from_str(text).unwrap();
    answer["id"] = asked["id"].clone();
    answer
}

fn node(change: impl Fn(&Request, Value) -> Value + Send + Sync + 'static) -> (TestServer, RpcClient) {
    serve(move |request| Reply::Body(200, change(request, recorded(request)).to_string().into_bytes()))
}

fn serve(answer: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> (TestServer, RpcClient) {
    let server = TestServer::new(answer);
    let client = client_of(&server, Duration::from_secs(120));
    (server, client)
}

fn client_of(server: &TestServer, timeout: Duration) -> RpcClient {
    RpcClient::new(&server.url, HttpOptions { timeout, answer_bytes: 1 << 16 }).unwrap()
}

fn problem<T: std::fmt::Debug>(answer: Result<T, RpcError>) -> Problem {
    answer.unwrap_err().problem
}

#[test]
fn a_node_s_answers_are_read() {
    let (_server, node) = node(|_, answer| answer);
    let status = node.status().unwrap();
    assert_eq!((status.chain_id.as_str(), status.latest_height, status.earliest_height), ("test-chain-7EpUPn", 29, 1));
    assert_eq!((status.version.as_str(), status.catching_up), ("0.38.26", false));

    let signed = node.commit(Some(27)).unwrap();
    assert_eq!(signed.header.hash(), signed.commit.block_id.hash);
    assert_eq!(node.commit(None).unwrap().header.height.value(), 28);
    assert_eq!(node.validators(27).unwrap().hash(), signed.header.validators_hash);

    let block = node.block(Some(27)).unwrap();
    assert_eq!((&block.header, block.transactions.as_slice()), (&signed.header, [b"hello=world".to_vec()].as_slice()));
    assert!(block.has_the_transactions_of_its_header());

    let genesis: Value = serde_json::from_slice(&node.genesis().unwrap()).unwrap();
    assert_eq!(genesis["chain_id"], "test-chain-7EpUPn");
}

#[test]
fn what_a_node_says_of_submitted_transactions_is_read() {
    let (_server, node) = node(|_, answer| answer);
    assert_eq!(node.broadcast_tx_sync(b"hello=world").unwrap().code, 0);
    assert_eq!(node.broadcast_tx_sync(b"nonsense").unwrap().code, 2);
    let again = problem(node.broadcast_tx_sync(b"again"));
    assert_eq!(again, Problem::Refused { code: -32603, message: "tx already exists in cache".to_owned() });

    let found = node.tx_search("app.key='hello'").unwrap();
    let found: Vec<_> = found.iter().map(|tx| (tx.height, tx.index, tx.code, tx.bytes.as_slice())).collect();
    assert_eq!(found, [(27, 0, 0, b"hello=world".as_slice())]);
    assert_eq!(node.tx_search("app.key='nobody'").unwrap(), []);
}

#[test]
fn a_height_that_the_node_does_not_have_is_a_refusal_in_its_words() {
    let (server, node) = node(|_, answer| answer);
    let error = node.commit(Some(999_999)).unwrap_err();
    assert!(error.is_refusal() && !error.is_unreachable());
    assert_eq!(error.url, server.url);
    assert!(error.to_string().contains("less than or equal to the current blockchain height 29"), "{error}");
}

#[test]
fn answers_to_other_questions_are_refused() {
    let (_server, other_height) = node(|_, answer| answer);
    assert_eq!(problem(other_height.commit(Some(5))), Problem::Another("height 27, not 5".to_owned()));
    assert_eq!(problem(other_height.validators(5)), Problem::Another("height 27, not 5".to_owned()));
    assert_eq!(problem(other_height.block(Some(5))), Problem::Another("height 27, not 5".to_owned()));
    let (_server, other_id) = node(|_, mut answer| {
        answer["id"] = json!(77);
        answer
    });
    assert_eq!(problem(other_id.status()), Problem::Another("id 77, not 1".to_owned()));
    let (_server, other_chunk) = node(|_, mut answer| {
        answer["result"]["chunk"] = json!("1");
        answer
    });
    assert_eq!(problem(other_chunk.genesis()), Problem::Another("chunk 1, not 0".to_owned()));
}

#[test]
fn a_block_with_other_transactions_than_its_header_s_is_seen() {
    for txs in [json!([]), json!(["aGVsbG89d29ybGQ=", "aGVsbG89d29ybGQ="]), json!(["aGVsbG89d29ybGE="])] {
        let (_server, node) = node(move |_, mut answer| {
            answer["result"]["block"]["data"]["txs"] = txs.clone();
            answer
        });
        assert!(!node.block(Some(27)).is_ok_and(|block| block.has_the_transactions_of_its_header()));
    }
}

#[test]
fn a_validator_with_an_address_that_is_not_its_key_s_is_refused() {
    let (_server, node) = node(|_, mut answer| {
        answer["result"]["validators"][0]["address"] = json!("338728E95E50A08B7D75C3884644FA0D70D7FCE8");
        answer
    });
    assert!(matches!(problem(node.validators(27)), Problem::Malformed(reason) if reason.contains("address")));
}

#[test]
fn voting_power_that_overflows_is_refused_and_nothing_panics() {
    for power in ["9223372036854775807", "1152921504606846976"] {
        let (_server, node) = node(move |_, mut answer| {
            answer["result"]["validators"][0]["voting_power"] = json!(power);
            answer
        });
        assert!(matches!(problem(node.validators(27)), Problem::Malformed(reason) if reason.contains("voting power")));
    }
    let (_server, negative) = node(|_, mut answer| {
        answer["result"]["validators"][0]["voting_power"] = json!("-1");
        answer
    });
    assert!(matches!(problem(negative.validators(27)), Problem::Malformed(_)));
}

#[test]
fn pages_of_validators_are_joined_and_end() {
    let (server, honest) = node(|request, mut answer| {
        let first = request.json()["params"]["page"] == "1";
        let validator = answer["result"]["validators"][0].clone();
        answer["result"]["total"] = json!("150");
        answer["result"]["validators"] = Value::Array(vec![validator; if first { 100 } else { 50 }]);
        answer
    });
    assert_eq!(honest.validators(27).unwrap().validators().len(), 150);
    assert_eq!(server.requests(), 2);

    for (total, count) in [("0", 1), ("10001", 1), ("1000", 0), ("1000", 99), ("1000", 101), ("2", 1), ("1", 2)] {
        let (server, hostile) = node(move |_, mut answer| {
            let validator = answer["result"]["validators"][0].clone();
            answer["result"]["total"] = json!(total);
            answer["result"]["validators"] = Value::Array(vec![validator; count]);
            answer
        });
        assert!(matches!(problem(hostile.validators(27)), Problem::Malformed(_)), "{total}, {count}");
        assert_eq!(server.requests(), 1);
    }
}

#[test]
fn a_total_of_validators_or_chunks_that_grows_on_the_way_is_refused() {
    let (server, growing) = node(|request, mut answer| {
        let validator = answer["result"]["validators"][0].clone();
        let page: u64 = request.json()["params"]["page"].as_str().unwrap().parse().unwrap();
        answer["result"]["total"] = json!((100 * page + 100).to_string());
        answer["result"]["validators"] = Value::Array(vec![validator; 100]);
        answer
    });
    assert!(matches!(problem(growing.validators(27)), Problem::Malformed(reason) if reason.contains("before")));
    assert_eq!(server.requests(), 2);
}

#[test]
fn a_genesis_in_chunks_that_are_not_full_or_too_many_is_refused_at_the_first() {
    for (total, data) in
        [("18446744073709551615", ""), ("64", "AAAA"), ("3", "AAAA"), ("2", "AAAA"), ("0", "AAAA"), ("1", "")]
    {
        let (server, node) = node(move |_, mut answer| {
            answer["result"]["total"] = json!(total);
            answer["result"]["data"] = json!(data);
            answer
        });
        assert!(matches!(problem(node.genesis()), Problem::Malformed(_)), "{total}, {data:?}");
        assert_eq!(server.requests(), 1);
    }
}

#[test]
fn a_server_s_time_is_counted_over_all_its_answers() {
    let (server, slow) = serve(|request| {
        std::thread::sleep(Duration::from_millis(150));
        Reply::Body(200, recorded(request).to_string().into_bytes())
    });
    let whole = Duration::from_secs(1);
    let limited = slow.within(whole);
    // A busy machine may not get as far as one answer within the time.
    let answered = (0..1_000).take_while(|_| limited.clone().status().is_ok()).count();
    assert!(answered <= 7 && server.requests() <= 8, "{answered} answers to {} requests", server.requests());
    let spent = limited.status().unwrap_err();
    assert!(spent.is_unreachable());
    assert_eq!(spent.problem, Problem::Http(HttpError::Spent(whole)));
    // Waiting for it is at its expense too; another look begins anew.
    let waiting = slow.within(Duration::from_millis(20));
    waiting.wait(Duration::from_secs(100));
    assert!(waiting.status().is_err() && slow.within(Duration::from_secs(120)).status().is_ok());
}

#[test]
fn what_is_no_answer_is_malformed_and_never_a_panic() {
    let deep = format!("{{\"id\":1,\"result\":{}", "[".repeat(60_000));
    let both = r#"{"jsonrpc":"2.0","id":1,"result":{"txs":[]},"error":{"code":1,"message":"no"}}"#;
    for body in
        ["", "[]", "{}", r#"{"id":1}"#, r#"{"id":1,"result":null}"#, r#"{"id":"1","result":{}}"#, "<html>", &deep]
    {
        let body = body.to_owned();
        let (_server, node) = serve(move |_| Reply::Body(200, body.clone().into_bytes()));
        assert!(matches!(problem(node.tx_search("x")), Problem::Malformed(_)));
    }
    let (_server, node) = serve(move |_| Reply::Body(500, both.as_bytes().to_vec()));
    assert!(matches!(problem(node.tx_search("x")), Problem::Refused { code: 1, .. }));
}

#[test]
fn every_truncation_of_an_answer_is_malformed() {
    let text = recorded!("commit").trim();
    for end in (0..text.len()).step_by(23) {
        let (_server, node) = serve(move |_| Reply::Body(200, text.as_bytes()[..end].to_vec()));
        assert!(matches!(problem(node.commit(Some(27))), Problem::Malformed(_)), "cut after {end}");
    }
}

#[test]
fn answers_are_bounded_in_bytes_and_time() {
    let long = |_: &Request| Reply::Body(200, vec![b' '; (1 << 16) + 1]);
    let (_server, oversized) = serve(long);
    assert_eq!(problem(oversized.status()), Problem::Http(HttpError::TooLong(1 << 16)));
    let (_server, endless) = serve(|_| Reply::Endless);
    assert_eq!(problem(endless.status()), Problem::Http(HttpError::TooLong(1 << 16)));

    // All of it would take hours.
    let begin = Instant::now();
    let server = TestServer::new(|_| Reply::Drip);
    let error = client_of(&server, Duration::from_millis(400)).status().unwrap_err();
    assert_eq!(error.problem, Problem::Http(HttpError::TimedOut(Duration::from_millis(400))));
    assert!(error.is_unreachable() && begin.elapsed() < Duration::from_secs(600));
}

#[test]
fn what_an_answer_decompresses_to_is_bounded_too() {
    let (_server, bomb) = serve(|_| Reply::Gzip(include_bytes!("zeros.gz").to_vec()));
    assert!(include_bytes!("zeros.gz").len() < 1 << 14);
    assert_eq!(problem(bomb.status()), Problem::Http(HttpError::TooLong(1 << 16)));
}

#[test]
fn nobody_answers_for_somebody_else_and_silence_has_a_name() {
    let (honest, _client) = node(|_, answer| answer);
    let to = honest.url.clone();
    let (_server, redirecting) = serve(move |_| Reply::Redirect(to.clone()));
    assert!(redirecting.status().is_err());
    assert_eq!(honest.requests(), 0);
    let (_server, silent) = serve(|_| Reply::Nothing);
    assert!(silent.status().unwrap_err().is_unreachable());
    let gone = { serve(|_| Reply::Nothing).1 };
    assert!(gone.status().unwrap_err().is_unreachable());
}

#[test]
fn addresses_come_in_four_notations() {
    let url = |address| RpcClient::new(address, HttpOptions::default()).map(|client| client.url().to_owned());
    for address in ["http://localhost:1", "tcp://localhost:1", "localhost:1", "http://localhost:1/"] {
        assert_eq!(url(address).unwrap(), "http://localhost:1");
    }
    assert_eq!(url("https://node.example").unwrap(), "https://node.example");
    for address in ["", "http://", "ftp://localhost", "http://a b", "http://localhost:1?x"] {
        assert!(url(address).is_err(), "{address}");
    }
}
