//! What a reader of a board asks it for, where posts name bodies and queries as their authors
//! please.
#![allow(clippy::unwrap_used)]

mod scene;

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};

use aardvark_board::BoardClient;
use aardvark_board::wire::{BoardJson, FORMAT, PairJson, PostsJson};
use aardvark_mixnet::post::{Draft, body_digest};
use aardvark_mixnet::query::query_id;
use aardvark_mixnet::{Kind, PostKey};
use aardvark_proof::hex_text::{HexArray, HexBytes, encode};
use scene::{name, person};

const DICTIONARY: [u8; 32] = [9; 32];

/// A board by its word: what it shows, and how often it was asked for each path.
#[derive(Debug, Default)]
struct Shown {
    posts: Vec<PairJson>,
    bodies: BTreeMap<String, Vec<u8>>,
    asked: BTreeMap<String, usize>,
}

impl Shown {
    fn answer(&mut self, path: &str) -> Option<Vec<u8>> {
        *self.asked.entry(path.to_owned()).or_default() += 1;
        let written = self.posts.len() as u64;
        if let Some(digest) = path.strip_prefix("/v1/bodies/") {
            return self.bodies.get(digest).cloned();
        }
        let json = match path.strip_prefix("/v1/posts?since=") {
            Some(since) => {
                let posts = self.posts.get(since.parse::<usize>().unwrap()..).unwrap_or_default().to_vec();
                serde_json::to_vec(&PostsJson { format: FORMAT, written, posts })
            }
            None => serde_json::to_vec(&BoardJson {
                format: FORMAT,
                dictionary: HexArray(DICTIONARY),
                version: written,
                root: HexArray([0; 32]),
                posts: written,
                admissions: false,
                drafts: 0,
            }),
        };
        Some(json.unwrap())
    }

    fn bodies_asked(&self) -> usize {
        self.asked.iter().filter(|(path, _)| path.starts_with("/v1/bodies/")).map(|(_, count)| count).sum()
    }
}

/// Serves what is shown, one request a connection.
fn serve(shown: &Arc<Mutex<Shown>>) -> String {
    let (listener, shown) = (TcpListener::bind("127.0.0.1:0").unwrap(), Arc::clone(shown));
    let url = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let lines = BufReader::new(stream.try_clone().unwrap()).lines();
            let head: Vec<String> = lines.map_while(Result::ok).take_while(|line| !line.is_empty()).collect();
            let Some(path) = head.first().and_then(|line| line.split(' ').nth(1)) else { continue };
            let answer = shown.lock().unwrap().answer(path);
            let status = if answer.is_some() { "200 OK" } else { "404 Not Found" };
            let body = answer.unwrap_or_default();
            let head = format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len());
            stream.write_all(&[head.as_bytes(), &body].concat()).unwrap();
        }
    });
    url
}

/// A post of somebody, which names a body that does not stand in it.
fn post(author: u8, kind: Kind, query: Option<[u8; 32]>, sequence: u16, body: &[u8]) -> (PostKey, PairJson) {
    let key = name(DICTIONARY).key(kind, query, sequence, person(author).author());
    let draft = Draft::new(&DICTIONARY, key, body.to_vec(), &person(author));
    (key, PairJson { key: HexBytes(key.to_bytes()), value: HexBytes(draft.posted(Vec::new()).value) })
}

#[test]
fn a_body_is_asked_for_once_and_not_for_queries_that_nobody_asked() {
    let (layer, question) = (vec![1; 1 << 20], vec![2; 1_000]);
    let shown = Arc::new(Mutex::new(Shown::default()));
    let url = serve(&shown);
    let (mut keys, mut others) = (Vec::new(), Vec::new());
    let mut write = |(key, pair): (PostKey, PairJson), wanted: bool| {
        shown.lock().unwrap().posts.push(pair);
        if wanted { keys.push(key) } else { others.push(key) }
    };
    write(post(30, Kind::Query, None, 0, &question), true);
    for server in 1..=2 {
        write(post(server, Kind::Layer, None, server.into(), &layer), true);
        write(post(server, Kind::Column, Some(query_id(&question)), server.into(), &layer), true);
    }
    for number in 0..100 {
        write(post(2, Kind::Column, Some([number; 32]), 2, &layer), false);
        write(post(2, Kind::AnswerShares, Some([number; 32]), 2, &vec![number; 2_000]), false);
    }
    for body in [&layer, &question] {
        shown.lock().unwrap().bodies.insert(encode(&body_digest(body)), body.clone());
    }
    let mut board = BoardClient::new(&url);
    // Who reads again asks again for what is missing, and nothing is.
    for _ in 0..2 {
        board.read().unwrap();
        assert_eq!(shown.lock().unwrap().bodies_asked(), 2);
    }
    let has_body = |key: &PostKey| board.posts().get(&key.to_bytes()).unwrap().body.is_some();
    assert!(keys.iter().all(has_body) && !others.iter().any(has_body));
    // All of one body are one.
    let bodies =
        keys.iter().skip(1).map(|key| board.posts().get(&key.to_bytes()).unwrap().body.as_deref().unwrap().as_ptr());
    assert_eq!(bodies.collect::<std::collections::BTreeSet<_>>().len(), 1);
}

#[test]
fn a_body_is_fetched_when_its_query_comes_later() {
    let (column, question) = (vec![3; 1_000], vec![4; 800]);
    let shown = Arc::new(Mutex::new(Shown::default()));
    let url = serve(&shown);
    let (key, pair) = post(1, Kind::Column, Some(query_id(&question)), 1, &column);
    shown.lock().unwrap().posts.push(pair);
    shown.lock().unwrap().bodies.insert(encode(&body_digest(&column)), column);
    let mut board = BoardClient::new(&url);
    let has_body = |board: &BoardClient| board.posts().get(&key.to_bytes()).unwrap().body.is_some();
    board.read().unwrap();
    assert!(!has_body(&board));
    shown.lock().unwrap().posts.push(post(30, Kind::Query, None, 0, &question).1);
    board.read().unwrap();
    assert!(has_body(&board));
}
