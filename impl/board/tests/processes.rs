//! A board behind HTTP, and servers that work on it: a whole ceremony, gates, journals.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

mod scene;

use std::path::Path;

use aardvark_board::summary::summary_json;
use aardvark_board::{
    Board, BoardClient, BoardError, BoardLimits, ClientError, HistoryError, Journal, JournalError, Process,
    ProcessError,
};
use aardvark_mixnet::chunks::{numbers, points};
use aardvark_mixnet::input::encrypt;
use aardvark_mixnet::post::{Draft, receipt};
use aardvark_mixnet::query::query_id;
use aardvark_mixnet::trace::Answer;
use aardvark_mixnet::{Ceremony, Identity, KeyRow, Kind, PostKey, Query, Reveal, Stage, TraceDirection, View};
use scene::{PATIENCE, Served, asked, eventually, name, person, terms};
use serde_json::json;

fn write(board: &BoardClient, author: &Identity, key: PostKey, body: Vec<u8>) -> Result<(), ClientError> {
    let dictionary = board.about().unwrap().dictionary.0;
    let servers = [1, 2].map(|number| person(number).author());
    board.write_with_receipts(&Draft::new(&dictionary, key, body, author), &servers, 2, PATIENCE)
}

fn view(board: &mut BoardClient) -> View {
    let dictionary = board.about().unwrap().dictionary.0;
    board.read().unwrap();
    View::of(&name(dictionary), board.posts()).unwrap().unwrap()
}

/// What the board says of its ceremonies, at the newest version.
fn ceremonies(url: &str, board: &BoardClient) -> serde_json::Value {
    let version = board.about().unwrap().version;
    let mut said = serde_json::Value::Null;
    eventually("the board judges its newest posts", || {
        let mut answer = ureq::get(format!("{url}/v1/ceremonies")).call().unwrap();
        said = serde_json::from_str(&answer.body_mut().read_to_string().unwrap()).unwrap();
        said["version"] == version
    });
    said
}

/// Lets servers work until neither has anything to do.
fn work(servers: &mut [Process]) {
    while servers.iter_mut().any(|server| server.step().unwrap()) {}
}

fn open(home: &Path, number: u8, url: &str) -> Process {
    let home = home.join(format!("server{number}"));
    std::fs::create_dir_all(&home).unwrap();
    Process::open(&home, person(number), url, Some(person(20).author())).unwrap()
}

#[test]
fn servers_bring_a_ceremony_from_dealing_to_an_answer_over_http() {
    let home = tempfile::tempdir().unwrap();
    let served = Served::start(&home.path().join("board"));
    let mut board = BoardClient::new(&served.url);
    assert_eq!(ceremonies(&served.url, &board)["ceremonies"], json!([]));
    let dictionary = board.about().unwrap().dictionary.0;
    let name = name(dictionary);
    write(&board, &person(20), name.terms_key(), terms().to_bytes()).unwrap();
    let mut servers = [1, 2].map(|number| open(home.path(), number, &served.url));
    work(&mut servers);
    let opened = view(&mut board);
    assert_eq!(opened.stage, Stage::Open);
    let said = ceremonies(&served.url, &board);
    assert_eq!(said["judged"], true);
    let [of_one] = said["ceremonies"].as_array().unwrap().as_slice() else { panic!("{said}") };
    assert_eq!(
        (&of_one["title"], &of_one["stage"], &of_one["outputs"]),
        (&json!("processes"), &json!("open"), &json!(null))
    );
    let posted = |server: u64| json!({ "server": server, "posted": ["dealing", "verdict"], "due": 0 });
    assert_eq!(of_one["servers"], json!([posted(1), posted(2)]));
    let keys = opened.keys.as_ref().unwrap();
    for (number, value) in [(100, [0, 7]), (101, [0, 8])] {
        let identity = person(number);
        let sender = opened.ceremony.sender(&identity.author()).unwrap();
        let row = KeyRow::new(keys.value_keys(), 1);
        let body = encrypt(&keys.digest, &row, sender, &points(&numbers(&value, 2).unwrap()), identity.seed()).0;
        write(&board, &identity, name.key(Kind::Input, None, 0, identity.author()), body).unwrap();
    }
    write(&board, &person(20), name.key(Kind::Close, None, 0, person(20).author()), Vec::new()).unwrap();
    // A server and the board stop in the middle, and come back.
    servers[0].step().unwrap();
    servers[0] = open(home.path(), 1, &served.url);
    work(&mut servers);
    let done = view(&mut board);
    assert_eq!((done.stage, &done.faults, &done.missing), (Stage::Done, &Vec::new(), &Vec::new()));
    let mut read: Vec<Vec<u8>> = done.values.iter().map(|value| value.clone().unwrap()).collect();
    read.sort();
    assert_eq!(read, [[0, 7], [0, 8]]);

    let mix = done.mix().unwrap();
    let (inputs, outputs) = (vec![true; 2], vec![true, false]);
    let (direction, reveal, querier) = (TraceDirection::Out, Reveal::Each, person(30).author());
    let query = Query { direction, reveal, inputs, outputs, querier, number: 0, reader: None };
    let id = query.id(&mix.digest);
    write(&board, &person(30), name.key(Kind::Query, None, 0, querier), query.encode(&mix.digest)).unwrap();
    // The board is started again at another address, and knows everything.
    let version = board.about().unwrap().version;
    drop((served, servers));
    let served = Served::start_again(&home.path().join("board"));
    let mut board = BoardClient::new(&served.url);
    assert_eq!((board.about().unwrap().version, board.about().unwrap().dictionary.0), (version, dictionary));
    work(&mut [1, 2].map(|number| open(home.path(), number, &served.url)));
    let answered = view(&mut board);
    let expected = vec![(0, true)];
    assert_eq!(answered.query(&id).unwrap().answer, Some(Answer::Bits(expected)));
    assert_eq!(answered.faults, []);
    // A querier's opening of an answer that is public is no opening.
    let key = name.key(Kind::Opening, Some(id), 0, querier);
    write(&board, &person(30), key, b"nothing to open".to_vec()).unwrap();
    let said = &ceremonies(&served.url, &board)["ceremonies"][0];
    assert_eq!(*said, summary_json(&view(&mut board)));
    let shown = aardvark_board::summary::shown(answered.values[0].as_ref().unwrap(), 2);
    let asked = &said["queries"][0];
    assert_eq!((&said["stage"], &said["labels"], &said["outputs"]), (&json!("done"), &json!({ "here": 2 }), &json!(2)));
    assert_eq!((&asked["stage"], &asked["yes"], &asked["no"]), (&json!("answered"), &json!(1), &json!(0)));
    assert_eq!(asked["answers"], json!([{ "place": 0, "about": shown, "answer": true }]));
    assert_eq!(said["faults"][0]["fault"], "WrongLength");
    assert_eq!(said["faults"].as_array().unwrap().len(), 1);
    // Who allows fewer bytes than the posts have gets no judgement.
    drop(served);
    let few = BoardLimits { judged_bytes: 1_000, ..BoardLimits::default() };
    let directory = home.path().join("board");
    let served = Served::start_again_within(&directory, few);
    let said = ceremonies(&served.url, &BoardClient::new(&served.url));
    assert_eq!((&said["judged"], &said["ceremonies"]), (&json!(false), &json!([])));
}

#[test]
fn servers_post_again_what_the_board_does_not_take_at_once() {
    let home = tempfile::tempdir().unwrap();
    let served = Served::start_reluctant(&home.path().join("board"));
    let mut board = BoardClient::new(&served.url);
    let name = name(board.about().unwrap().dictionary.0);
    let mut refused = Vec::new();
    while let Err(error) = write(&board, &person(20), name.terms_key(), terms().to_bytes()) {
        let ClientError::Refused { reason, .. } = error else { panic!("{error}") };
        refused.push(reason);
    }
    assert_eq!(refused, ["not-yet", "not-admitted", "failed"]);
    let mut servers = [1, 2].map(|number| open(home.path(), number, &served.url));
    // Each server has a dealing and a verdict to post.
    let mut failed = 0;
    for _ in 0..50 {
        for server in &mut servers {
            match server.step() {
                Ok(_) => {}
                Err(ProcessError::Board(ClientError::Refused { reason, .. })) if reason == "failed" => failed += 1,
                Err(error) => panic!("{error}"),
            }
        }
    }
    let opened = view(&mut board);
    assert_eq!((opened.stage, failed), (Stage::Open, 4), "{:?}", opened.faults);
}

#[test]
fn a_slot_is_written_once_and_gates_close() {
    let home = tempfile::tempdir().unwrap();
    let mut board = Board::create(&home.path().join("board"), "board", [2; 32]).unwrap();
    let (dictionary, organiser, sender) = (board.dictionary(), person(20), person(100));
    let name = name(dictionary);
    let draft = |author: &Identity, key: PostKey, body: &[u8]| Draft::new(&dictionary, key, body.to_vec(), author);
    let terms = draft(&organiser, name.terms_key(), &terms().to_bytes());
    let mut post = |draft: &Draft| board.post(&draft.key.to_bytes(), &draft.posted(Vec::new()).value);
    let input = name.key(Kind::Input, None, 0, sender.author());
    let first = draft(&sender, input, b"first");
    assert!(matches!(post(&first), Err(BoardError::TermsMissing)));
    post(&terms).unwrap();
    post(&first).unwrap();
    // The same again is there already; another is refused, and so is one that somebody else signed.
    post(&first).unwrap();
    assert!(matches!(post(&draft(&sender, input, b"second")), Err(BoardError::SlotConflict)));
    let close = draft(&organiser, name.key(Kind::Close, None, 0, [0; 32]), b"");
    let forged = draft(&sender, close.key, b"").posted(Vec::new()).value;
    assert!(matches!(board.post(&close.key.to_bytes(), &forged), Err(BoardError::SignatureFalse)));
    let mut post = |draft: &Draft| board.post(&draft.key.to_bytes(), &draft.posted(Vec::new()).value);
    post(&close).unwrap();
    let late = draft(&person(101), name.key(Kind::Input, None, 0, [0; 32]), b"late");
    assert!(matches!(post(&late), Err(BoardError::GateClosed)));
    // Server 1's layer is not waited for; server 2's is.
    let absent = draft(&organiser, name.key(Kind::Absent, None, (Kind::Layer as u16) << 8 | 1, [0; 32]), b"");
    post(&absent).unwrap();
    let layer = |server: u8| draft(&person(server), name.key(Kind::Layer, None, server.into(), [0; 32]), b"layer");
    assert!(matches!(post(&layer(1)), Err(BoardError::GateClosed)));
    post(&layer(2)).unwrap();
    // Whom the terms do not name for it: a stranger, a sender as server, a server as the other one,
    // a querier beyond its queries, a column of no query.
    let of = |kind, query, sequence| name.key(kind, query, sequence, [0; 32]);
    for (author, key) in [
        (120, of(Kind::Input, None, 0)),
        (100, of(Kind::Layer, None, 1)),
        (2, of(Kind::Agreement, None, 1)),
        (30, of(Kind::Query, None, 100)),
        (120, of(Kind::Query, None, 0)),
        (1, of(Kind::Column, Some([7; 32]), 1)),
        (120, of(Kind::Close, None, 0)),
        (20, of(Kind::Absent, None, (Kind::Layer as u16) << 8 | 3)),
    ] {
        assert!(matches!(post(&draft(&person(author), key, b"x")), Err(BoardError::NotAuthorised)), "{key:?}");
    }
    // A ballot more under another sequence; bytes that are no key.
    let mut bytes = input.to_bytes();
    bytes[39] = 1;
    assert!(matches!(board.post(&bytes, &first.posted(Vec::new()).value), Err(BoardError::Malformed(_))));
    assert!(matches!(board.post(&[], &[]), Err(BoardError::Malformed(_))));
    // A digest without its body, a body that nobody waits for, one without t receipts.
    let long = draft(&person(30), name.key(Kind::Query, None, 0, [0; 32]), &[7; 1_000]);
    let value = long.posted(Vec::new()).value;
    assert!(matches!(board.post(&long.key.to_bytes(), &value), Err(BoardError::BodyMissing)));
    assert!(matches!(board.put_body(&long.body), Err(BoardError::DraftMissing)));
    board.draft(asked(&long)).unwrap();
    board.put_body(&long.body).unwrap();
    assert!(matches!(board.post(&long.key.to_bytes(), &value), Err(BoardError::ReceiptsMissing)));
    let receipts: Vec<_> = [1, 2].map(|server| receipt(&long.digest, server, &person(server as u8))).to_vec();
    let one = long.posted(receipts[..1].to_vec()).value;
    assert!(matches!(board.post(&long.key.to_bytes(), &one), Err(BoardError::ReceiptsMissing)));
    board.post(&long.key.to_bytes(), &long.posted(receipts).value).unwrap();
    assert!(matches!(board.draft(asked(&long)), Err(BoardError::Posted)));
    // Now there is a query, about which servers may post.
    let id = query_id(&long.body);
    let column = draft(&person(1), name.key(Kind::Column, Some(id), 1, [0; 32]), b"column");
    board.post(&column.key.to_bytes(), &column.posted(Vec::new()).value).unwrap();
    assert_eq!(board.version(), 7);
    let written = board.posts_since(0).unwrap();
    assert_eq!(written[0].0, terms.key.to_bytes());
    assert_eq!(board.posts_since(6).unwrap(), written[6..]);
    assert_eq!(board.posts_since(7).unwrap().len() + board.posts_since(u64::MAX).unwrap().len(), 0);
    drop(board);
    let mut board = Board::open(&home.path().join("board")).unwrap();
    assert_eq!((board.posts_since(0).unwrap(), board.version(), board.unnamed_bytes()), (written, 7, 0));
    assert!(matches!(board.post(&column.key.to_bytes(), &value), Err(BoardError::SlotConflict)));
    let second = draft(&person(2), name.key(Kind::Column, Some(id), 2, [0; 32]), b"column");
    board.post(&second.key.to_bytes(), &second.posted(Vec::new()).value).unwrap();
    drop(board);
    let archive = aardvark_archive::Archive::builder().open(&home.path().join("board/dictionary")).unwrap();
    assert!(archive.audit(&mut |_| {}).unwrap().is_clean());
}

#[test]
fn a_journal_signs_each_slot_once_and_survives_a_torn_line() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("journal");
    let mut journal = Journal::open(&path).unwrap();
    journal.enter(b"layer", &[1; 32]).unwrap();
    journal.enter(b"layer", &[1; 32]).unwrap();
    assert!(matches!(journal.enter(b"layer", &[2; 32]), Err(JournalError::SlotConflict)));
    drop(journal);
    let whole = std::fs::read(&path).unwrap();
    std::fs::write(&path, [&whole[..], b"0x1234 0x55"].concat()).unwrap();
    let mut journal = Journal::open(&path).unwrap();
    assert!(matches!(journal.enter(b"layer", &[2; 32]), Err(JournalError::SlotConflict)));
    journal.enter(b"shares", &[3; 32]).unwrap();
    drop(journal);
    let mut journal = Journal::open(&path).unwrap();
    assert!(matches!(journal.enter(b"shares", &[4; 32]), Err(JournalError::SlotConflict)));
    std::fs::write(&path, "nonsense\n").unwrap();
    assert!(matches!(Journal::open(&path), Err(JournalError::Malformed(1))));
}

/// Two boards show a server two ceremonies under one name; it signs for the first only, also where
/// it has lost what it saw of that.
#[test]
fn a_forked_board_gets_nothing_more_from_a_server() {
    let home = tempfile::tempdir().unwrap();
    let boards = ["a", "b"].map(|fork| {
        let served = Served::start(&home.path().join(fork));
        let board = BoardClient::new(&served.url);
        let name = name(board.about().unwrap().dictionary.0);
        let terms = Ceremony { title: fork.to_owned(), ..terms() };
        write(&board, &person(20), name.terms_key(), terms.to_bytes()).unwrap();
        served
    });
    open(home.path(), 1, &boards[0].url).step().unwrap();
    let forked = open(home.path(), 1, &boards[1].url).step().unwrap_err();
    let at = |error| match error {
        ProcessError::Board(ClientError::History(HistoryError::Forked { version })) => version,
        error => panic!("{error}"),
    };
    assert_eq!(at(forked), 1);
    std::fs::remove_file(home.path().join("server1/seen")).unwrap();
    let refused = open(home.path(), 1, &boards[1].url).step().unwrap_err();
    assert!(matches!(refused, ProcessError::Journal(JournalError::SlotConflict)));
}
