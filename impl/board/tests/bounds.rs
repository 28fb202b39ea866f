//! A board within limits: strangers fill neither disk nor memory, and are in nobody's way.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

mod scene;

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use aardvark_board::limits::{MOST_ADMISSIONS, MOST_DRAFTS_OF_AUTHOR, MOST_TERMS_DRAFTS};
use aardvark_board::service::limits;
use aardvark_board::wire::{DraftJson, PairJson, ReceiptJson, RefusalJson};
use aardvark_board::{Board, BoardClient, BoardError, BoardLimits, ClientError};
use aardvark_mixnet::ceremony::Rules;
use aardvark_mixnet::post::{AdmittedAs, Draft, receipt};
use aardvark_mixnet::{Ceremony, CeremonyName, Kind};
use aardvark_node::archive::{ChainRecords, Limits};
use aardvark_proof::hex_text::{HexArray, HexBytes};
use scene::{PATIENCE, Served, asked, eventually, name, person, terms};

/// A board with a ceremony on it.
fn with_ceremony(home: &std::path::Path, limits: BoardLimits) -> Board {
    let mut board = Board::create(&home.join("board"), "board", [3; 32]).unwrap().within(limits);
    let name = name(board.dictionary());
    let draft = Draft::new(&name.dictionary, name.terms_key(), terms().to_bytes(), &person(20));
    board.post(&draft.key.to_bytes(), &draft.posted(Vec::new()).value).unwrap();
    board
}

/// A layer of a server, of so many bytes that mean nothing.
fn layer(board: &Board, server: u8, bytes: usize, fill: u8) -> Draft {
    let name = name(board.dictionary());
    let key = name.key(Kind::Layer, None, server.into(), [0; 32]);
    Draft::new(&name.dictionary, key, vec![fill; bytes], &person(server))
}

/// The terms of a stranger's ceremony, longer than what stands in a value.
fn of_stranger(board: &Board, number: u8) -> Draft {
    let name = CeremonyName { organiser: person(number).author(), ..name(board.dictionary()) };
    let terms = Ceremony { title: format!("{number}").repeat(500), ..terms() };
    Draft::new(&name.dictionary, name.terms_key(), terms.to_bytes(), &person(number))
}

#[test]
fn bodies_that_no_post_names_have_a_budget_which_is_counted_when_a_board_opens() {
    let home = tempfile::tempdir().unwrap();
    let limits = BoardLimits { unnamed_bytes: 80_000, ..BoardLimits::default() };
    let mut board = with_ceremony(home.path(), limits.clone());
    // An eighth is for strangers.
    let (first, second) = (layer(&board, 1, 40_000, 1), layer(&board, 2, 40_000, 2));
    board.draft(asked(&first)).unwrap();
    assert!(matches!(board.draft(asked(&second)), Err(BoardError::BodiesFull)));
    // Nothing of another length or content is stored for it.
    assert!(matches!(board.put_body(&second.body), Err(BoardError::DraftMissing)));
    assert!(matches!(board.put_body(&first.body[1..]), Err(BoardError::DraftMissing)));
    let digest = board.put_body(&first.body).unwrap();
    assert_eq!((board.unnamed_bytes(), board.drafts()), (40_000, 1));
    let file = board.body_file(&digest);
    assert!(file.exists());
    drop(board);
    // The draft is forgotten, its body is counted, and goes when another one needs the room.
    std::fs::write(file.with_extension("7.part"), [7; 100]).unwrap();
    let mut board = Board::open(&home.path().join("board")).unwrap().within(limits);
    assert_eq!((board.unnamed_bytes(), board.drafts()), (40_000, 0));
    assert_eq!(std::fs::read_dir(file.parent().unwrap()).unwrap().count(), 1);
    let small = layer(&board, 1, 20_000, 3);
    board.draft(asked(&small)).unwrap();
    assert_eq!((board.unnamed_bytes(), file.exists()), (60_000, true));
    board.draft(asked(&second)).unwrap();
    assert_eq!((board.unnamed_bytes(), file.exists()), (60_000, false));
    // What is posted is no longer counted.
    board.put_body(&small.body).unwrap();
    let receipts: Vec<_> = [1, 2].map(|server| receipt(&small.digest, server, &person(server as u8))).to_vec();
    board.post(&small.key.to_bytes(), &small.posted(receipts).value).unwrap();
    assert_eq!((board.unnamed_bytes(), board.drafts()), (40_000, 1));
}

#[test]
fn strangers_are_in_nobody_s_way() {
    let home = tempfile::tempdir().unwrap();
    let mut board = with_ceremony(home.path(), BoardLimits::default());
    let first = of_stranger(&board, 150);
    board.draft(asked(&first)).unwrap();
    board.put_body(&first.body).unwrap();
    let honest = layer(&board, 1, 5_000, 1);
    board.draft(asked(&honest)).unwrap();
    for number in 0..MOST_TERMS_DRAFTS {
        board.draft(asked(&of_stranger(&board, 151 + number as u8))).unwrap();
    }
    // Theirs push out each other's, with the body; the server's stays.
    assert_eq!(board.drafts(), MOST_TERMS_DRAFTS + 1);
    assert!(!board.body_file(&aardvark_mixnet::post::body_digest(&first.body)).exists());
    let waits = |board: &Board, draft: &Draft| {
        let (mut after, mut found) = (None, false);
        loop {
            let page = board.drafts_after(after.as_ref());
            let Some(last) = page.last() else { return found };
            let dictionary = board.dictionary();
            let key = aardvark_mixnet::PostKey::from_bytes(&last.key.0).unwrap();
            after = Some(key.digest(&dictionary, last.length, &last.body.0));
            found |= page.iter().any(|known| known.key.0 == draft.key.to_bytes());
        }
    };
    assert!(waits(&board, &honest) && !waits(&board, &first));
    // Who is in no ceremony has no drafts there; nobody has another's.
    let elsewhere = DraftJson { key: asked(&of_stranger(&board, 150)).key, ..asked(&honest) };
    assert!(matches!(board.draft(elsewhere), Err(BoardError::SignatureFalse)));
    let name = name(board.dictionary());
    let key = name.key(Kind::Layer, None, 1, [0; 32]);
    let foreign = Draft::new(&name.dictionary, key, vec![1; 1_000], &person(150));
    assert!(matches!(board.draft(asked(&foreign)), Err(BoardError::NotAuthorised)));
    let nowhere = CeremonyName { number: 7, ..name }.key(Kind::Layer, None, 1, [0; 32]);
    let nowhere = Draft::new(&name.dictionary, nowhere, vec![1; 1_000], &person(1));
    assert!(matches!(board.draft(asked(&nowhere)), Err(BoardError::TermsMissing)));
    // An author's drafts are bounded by the author's own.
    for query in 0..=MOST_DRAFTS_OF_AUTHOR {
        let key = name.key(Kind::Layer, None, 2, [0; 32]);
        let draft = Draft::new(&name.dictionary, key, (query as u64).to_be_bytes().repeat(200), &person(2));
        board.draft(asked(&draft)).unwrap();
    }
    assert_eq!(board.drafts(), MOST_TERMS_DRAFTS + 1 + MOST_DRAFTS_OF_AUTHOR);
    assert!(waits(&board, &honest));
    // Terms that are none are forgotten as soon as they are seen.
    let key = CeremonyName { organiser: person(149).author(), ..name }.terms_key();
    let none = Draft::new(&name.dictionary, key, vec![7; 1_000], &person(149));
    board.draft(asked(&none)).unwrap();
    board.put_body(&none.body).unwrap();
    assert!(!waits(&board, &none) && !board.body_file(&aardvark_mixnet::post::body_digest(&none.body)).exists());
}

#[test]
fn receipts_are_taken_of_the_ceremony_s_servers_only() {
    let home = tempfile::tempdir().unwrap();
    let mut board = with_ceremony(home.path(), BoardLimits::default());
    let draft = layer(&board, 1, 5_000, 1);
    board.draft(asked(&draft)).unwrap();
    let give = |board: &mut Board, number: u16, author: u8| {
        let given = receipt(&draft.digest, number, &person(author));
        let (post, author) = (HexArray(draft.digest), HexArray(person(author).author()));
        board.receipt(&ReceiptJson { post, server: number, author, signature: HexArray(given.signature) })
    };
    for (number, author) in [(1, 150), (0, 1), (3, 1), (2, 1), (1, 1), (1, 1), (2, 2)] {
        give(&mut board, number, author).unwrap();
    }
    let receipts = board.drafts_after(None)[0].receipts.clone();
    assert_eq!(receipts.iter().map(|receipt| receipt.server).collect::<Vec<_>>(), [1, 2]);
    let forged = ReceiptJson { signature: HexArray([0; 64]), ..receipts[0].clone() };
    assert!(matches!(board.receipt(&forged), Err(BoardError::SignatureFalse)));
}

#[test]
fn a_board_takes_the_ceremonies_of_those_it_names_and_so_many_posts() {
    let home = tempfile::tempdir().unwrap();
    let limits = BoardLimits { organisers: vec![person(20).author()], posts: 2, ..BoardLimits::default() };
    let mut board = with_ceremony(home.path(), limits.clone());
    let stranger = of_stranger(&board, 150);
    assert!(matches!(board.draft(asked(&stranger)), Err(BoardError::NotAuthorised)));
    let name = name(board.dictionary());
    let short = CeremonyName { organiser: person(150).author(), ..name };
    let short = Draft::new(&name.dictionary, short.terms_key(), terms().to_bytes(), &person(150));
    let post = |board: &mut Board, draft: &Draft| board.post(&draft.key.to_bytes(), &draft.posted(Vec::new()).value);
    assert!(matches!(post(&mut board, &short), Err(BoardError::NotAuthorised)));
    // The named organiser's are not bounded by what strangers have.
    let other = Ceremony { rules: Rules { queries: 1, ..Rules::default() }, title: "t".repeat(1_000), ..terms() };
    let key = CeremonyName { number: 2, ..name }.terms_key();
    board.draft(asked(&Draft::new(&name.dictionary, key, other.to_bytes(), &person(20)))).unwrap();
    for (sender, full) in [(100, false), (101, true)] {
        let key = name.key(Kind::Input, None, 0, [0; 32]);
        let input = Draft::new(&name.dictionary, key, vec![7; 100], &person(sender));
        assert_eq!(matches!(post(&mut board, &input), Err(BoardError::Full)), full);
    }
    assert_eq!(board.version(), 2);
    // Bytes of bodies in all.
    drop(board);
    let limits = BoardLimits { named_bytes: 4_999, ..BoardLimits::default() };
    let mut board = Board::open(&home.path().join("board")).unwrap().within(limits);
    let long = layer(&board, 1, 5_000, 1);
    board.draft(asked(&long)).unwrap();
    board.put_body(&long.body).unwrap();
    let receipts: Vec<_> = [1, 2].map(|server| receipt(&long.digest, server, &person(server as u8))).to_vec();
    let value = long.posted(receipts).value;
    assert!(matches!(board.post(&long.key.to_bytes(), &value), Err(BoardError::Full)));
}

/// What a board says to a request of these bytes: nothing where it only closes the connection.
fn ask(served: &Served, request: &str) -> String {
    let mut stream = connect(served);
    let _closed = stream.write_all(request.as_bytes());
    let mut answer = String::new();
    let _closed = stream.read_to_string(&mut answer);
    answer
}

fn connect(served: &Served) -> TcpStream {
    let stream = TcpStream::connect(served.url.trim_start_matches("http://")).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream
}

fn get(path: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nhost: b\r\nconnection: close\r\n\r\n")
}

#[test]
fn a_board_over_http_says_503_where_it_is_full() {
    let home = tempfile::tempdir().unwrap();
    let board_limits = BoardLimits { unnamed_bytes: 80_000, ..BoardLimits::default() };
    let board = with_ceremony(home.path(), board_limits.clone());
    let (first, second) = (layer(&board, 1, 40_000, 1), layer(&board, 2, 40_000, 2));
    drop(board);
    let served = Served::start_within(&home.path().join("board"), board_limits, limits());
    let client = BoardClient::new(&served.url);
    client.submit(&first).unwrap();
    let refused = client.submit(&second).unwrap_err();
    assert!(matches!(&refused, ClientError::Refused { reason, .. } if reason == "bodies-full"), "{refused}");
    let text = serde_json::to_string(&asked(&second)).unwrap();
    let head = "POST /v1/drafts HTTP/1.1\r\nhost: b\r\nconnection: close\r\ncontent-type: application/json\r\n";
    let said = ask(&served, &format!("{head}content-length: {}\r\n\r\n{text}", text.len()));
    assert!(said.starts_with("HTTP/1.1 503"), "{said}");
    // A body that nobody waits for is refused before it is read, whatever length it states.
    let path = format!("/v1/bodies/0x{}", "11".repeat(32));
    let put = format!("PUT {path} HTTP/1.1\r\nhost: b\r\nconnection: close\r\n");
    for (more, status) in [("content-length: 99999999999", 409), ("transfer-encoding: chunked", 411)] {
        let said = ask(&served, &format!("{put}{more}\r\n\r\n"));
        assert!(said.starts_with(&format!("HTTP/1.1 {status}")), "{said}");
    }
    // All paths of an archive are there too.
    let said = ask(&served, &get("/v1/status"));
    assert!(said.starts_with("HTTP/1.1 200") && said.contains("\"version\":1"), "{said}");
}

#[test]
fn one_address_has_so_many_connections_to_a_board() {
    let home = tempfile::tempdir().unwrap();
    drop(with_ceremony(home.path(), BoardLimits::default()));
    let limits = Limits { connections_per_address: 4, head: PATIENCE, ..limits() };
    let served = Served::start_within(&home.path().join("board"), BoardLimits::default(), limits);
    let silent: Vec<TcpStream> = (0..4).map(|_| connect(&served)).collect();
    let said = ask(&served, &get("/v1/board"));
    assert!(said.starts_with("HTTP/1.1 429"), "{said}");
    // The board counts them until it has seen that they have left.
    drop(silent);
    eventually("there is room", || ask(&served, &get("/v1/board")).starts_with("HTTP/1.1 200"));
}

#[test]
fn who_says_nothing_to_a_board_is_cut_off() {
    let home = tempfile::tempdir().unwrap();
    drop(with_ceremony(home.path(), BoardLimits::default()));
    let limits = Limits { head: Duration::from_secs(1), ..limits() };
    let served = Served::start_within(&home.path().join("board"), BoardLimits::default(), limits);
    let cut = connect(&served).read_to_end(&mut Vec::new());
    assert!(cut.is_ok(), "{cut:?}");
}

#[test]
fn so_many_admissions_are_taken_at_a_time_and_nothing_else_with_them() {
    let home = tempfile::tempdir().unwrap();
    let board = with_ceremony(home.path(), BoardLimits::default());
    let name = name(board.dictionary());
    drop(board);
    let served = Served::start(&home.path().join("board"));
    let client = BoardClient::new(&served.url);
    let admission = |sender: u16| {
        let mut author = [0; 32];
        author[..2].copy_from_slice(&sender.to_be_bytes());
        Draft::new(&name.dictionary, name.admission_key(AdmittedAs::Sender, author), Vec::new(), &person(20))
    };
    let pair = |draft: &Draft| PairJson {
        key: HexBytes(draft.key.to_bytes()),
        value: HexBytes(draft.posted(Vec::new()).value),
    };
    let post = |pairs: &[PairJson]| {
        let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
        let request = agent.post(format!("{}/v1/admissions", served.url)).header("content-type", "application/json");
        let mut answer = request.send(&serde_json::to_vec(pairs).unwrap()[..]).unwrap();
        let said = answer.body_mut().read_to_string().unwrap();
        let refusal = serde_json::from_str::<RefusalJson>(&said).map(|refusal| refusal.reason).unwrap_or_default();
        (answer.status().as_u16(), refusal)
    };
    let many: Vec<PairJson> = (0..=100).map(|sender| pair(&admission(sender))).collect();
    assert_eq!(many.len(), MOST_ADMISSIONS + 1);
    let not_admissions = (400, "not-admissions".to_owned());
    assert_eq!(post(&many), not_admissions);
    let close = Draft::new(&name.dictionary, name.key(Kind::Close, None, 0, [0; 32]), Vec::new(), &person(20));
    assert_eq!(post(&[pair(&close)]), not_admissions);
    let forged = Draft::new(&name.dictionary, admission(1).key, Vec::new(), &person(100));
    assert_eq!(post(&[pair(&forged)]), (403, "signature-false".to_owned()));
    assert_eq!(client.about().unwrap().posts, 1);
    // Once each, though they are named twice and sent again.
    assert_eq!(post(&[&many[1..], &many[1..2]].concat()), (200, String::new()));
    client.admit(&(0..=100).map(admission).collect::<Vec<_>>()).unwrap();
    assert_eq!(client.about().unwrap().posts, 102);
}

#[test]
fn a_board_on_a_chain_is_not_opened_as_one_of_its_own() {
    let home = tempfile::tempdir().unwrap();
    let board = with_ceremony(home.path(), BoardLimits::default());
    let id = *board.archive().id();
    drop(board);
    let (directory, place) = (home.path().join("board"), home.path().join("board/dictionary"));
    // Records of no chain are left of a chain that was another one.
    drop(ChainRecords::open(&place, id).unwrap());
    drop(Board::open(&directory).unwrap());
    ChainRecords::open(&place, id).unwrap().set_chain_id("one").unwrap();
    assert!(matches!(Board::open(&directory), Err(BoardError::OnChain)));
}
