//! What a hostile server can make its clients allocate: an answer of a few hundred KiB of gzip
//! stands for hundreds of MiB.

#![allow(clippy::unwrap_used, missing_docs, reason = "a test that cannot set its scene has failed")]

use std::io::Write as _;
use std::time::Duration;

use aardvark_client::light::Question;
use aardvark_client::rpc::{HttpOptions, RpcClient};
use aardvark_client::tail_json::TailAsked;
use aardvark_client::{ArchiveClient, Known};
use aardvark_dictionary::Parameters;
use peak_alloc::PeakAlloc;
use serde_json::json;
use tendermint_proto::serializers::bytes::base64string;

#[path = "../src/testing/server.rs"]
#[allow(dead_code, reason = "shared with the crate's own tests")]
mod test_server;

use test_server::{Reply, TestServer};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

const MIB: usize = 1 << 20;

/// `before`, then `item` until there are 64 MiB of it, then `after`; in gzip.
fn bomb(before: &str, item: &str, after: &str) -> Vec<u8> {
    let many = item.repeat(MIB / item.len());
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(before.as_bytes()).unwrap();
    for _ in 0..64 {
        encoder.write_all(many.as_bytes()).unwrap();
    }
    encoder.write_all(item.trim_end_matches(',').as_bytes()).unwrap();
    encoder.write_all(after.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

/// The most that was allocated at once while somebody was asked who answers with `answer`.
fn taken<T>(answer: Vec<u8>, ask: impl FnOnce(&str) -> T) -> (usize, T) {
    let zipped = answer.starts_with(&[0x1f, 0x8b]);
    let server = TestServer::new(move |_| match zipped {
        true => Reply::Gzip(answer.clone()),
        false => Reply::Body(200, answer.clone()),
    });
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let outcome = ask(&server.url);
    // What the server before had may have gone in between.
    (MEMORY.peak_usage().saturating_sub(before), outcome)
}

fn options() -> HttpOptions {
    HttpOptions { timeout: Duration::from_secs(60), ..HttpOptions::default() }
}

fn archive(url: &str) -> ArchiveClient {
    ArchiveClient::new(url, options()).unwrap()
}

fn node(url: &str) -> RpcClient {
    RpcClient::new(url, options()).unwrap()
}

/// One test, since the allocator counts for the whole process.
#[test]
fn no_answer_takes_more_memory_than_what_was_asked_for_can() {
    let asked = TailAsked::new(&Parameters::default(), (7, 1 << 20, 100), 2);
    let slot = r#"{"key":"0x","value":"0x","next":"0x"},"#;
    let tail = r#"{"version":7,"start":1048576,"slots":[],"vectors":["#;
    for answer in [
        bomb(tail, "[],", "]}"),
        bomb(&format!("{tail}["), slot, "]]}"),
        bomb(&format!("{tail}[{{\"key\":\"0x"), "00", "\"}]]}"),
        bomb(r#"{"start":1048576,"slots":["#, slot, "]}"),
    ] {
        let (peak, outcome) = taken(answer, |url| archive(url).tail_vectors(&asked));
        assert!(outcome.is_err());
        assert!(peak < 17 * MIB, "{peak} bytes for a tail");
    }

    let wanted = [("k".into(), Question::Get)];
    for (before, item, after) in
        [(r#"{"version":7,"proofs":["#, "0,", "]}"), (r#"{"version":7,"proofs":[],"x":["#, "[[[[]]]],", "]}")]
    {
        let (peak, outcome) = taken(bomb(before, item, after), |url| archive(url).proofs(None, true, &wanted));
        assert!(outcome.is_err());
        assert!(peak < 4 * MIB, "{peak} bytes for a proof");
    }

    let question = aardvark_proof::Question::range("", "", Some(1));
    for (before, item, after) in
        [(r#"{"format":2,"claims":["#, "{},", "]}"), (r#"{"x":["#, "[[]],", "],\"format\":2}"), ("", " ", "{}")]
    {
        let (peak, outcome) = taken(bomb(before, item, after), |url| archive(url).answer(7, &question, false));
        assert!(outcome.is_err());
        assert!(peak < 4 * MIB, "{peak} bytes for an answer");
    }

    let result = r#"{"jsonrpc":"2.0","id":1,"result":{"#;
    let block = bomb(&format!("{result}\"block\":{{\"data\":{{\"txs\":["), "\"\",", "]}}}}");
    let (peak, outcome) = taken(block, |url| node(url).block(Some(7)));
    assert!(outcome.is_err());
    assert!(peak < 80 * MIB, "{peak} bytes for a block");

    let chunk = bomb(&format!("{result}\"chunk\":\"0\",\"total\":\"1\",\"data\":\""), "AAAA", "\"}}");
    let (peak, outcome) = taken(chunk, |url| node(url).genesis());
    assert!(outcome.is_err());
    assert!(peak < 68 * MIB, "{peak} bytes for a chunk of genesis");

    // A genesis of 16 MiB, well-formed as JSON and none of ours, or of empty keys.
    for (before, item, after) in [
        (r#"{"chain_id":"x","app_state":{"aardvark":2,"x":["#, "0,", "]}}"),
        (r#"{"chain_id":"x","app_state":{"x":["#, "[],", "],\"aardvark\":2}}"),
        (r#"{"chain_id":"x","app_state":{"aardvark":2,"content":["#, r#"{"key":"0x","value":"0x"},"#, "]}}"),
    ] {
        let count = (16 * MIB - before.len() - after.len() - item.len()) / item.len();
        let file = [before, &item.repeat(count), item.trim_end_matches(','), after].concat();
        let data = base64string::serialize(&file.into_bytes(), serde_json::value::Serializer).unwrap();
        let answer = json!({ "id": 1, "result": { "chunk": "0", "total": "1", "data": data } }).to_string();
        let (peak, failed) = taken(answer.into_bytes(), |url| Known::from_node(&node(url), None).is_err());
        assert!(failed && peak < 150 * MIB, "{peak} bytes for a genesis of {item}");
    }

    for (field, item) in [("validators", "{},"), ("x", "[],")] {
        let answer = || bomb(&format!("{result}\"{field}\":["), item, "]}}");
        for (peak, failed) in [
            taken(answer(), |url| node(url).validators(7).is_err()),
            taken(answer(), |url| node(url).commit(None).is_err()),
            taken(answer(), |url| node(url).status().is_err()),
            taken(answer(), |url| node(url).broadcast_tx_sync(b"x").is_err()),
            taken(answer(), |url| node(url).tx_search("x").is_err()),
        ] {
            assert!(failed && peak < 4 * MIB, "{peak} bytes for {field}");
        }
    }
}
