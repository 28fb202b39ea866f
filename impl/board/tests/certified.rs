//! A server that acts upon certified posts only, whatever the board shows.
#![allow(clippy::unwrap_used, clippy::panic)]

mod scene;

use std::path::Path;

use aardvark_board::{BoardClient, ClientError, HistoryError, Process, ProcessError, ProvedPosts};
use aardvark_mixnet::chunks::{numbers, points};
use aardvark_mixnet::input::encrypt;
use aardvark_mixnet::post::Draft;
use aardvark_mixnet::{KeyRow, Kind, Stage, View};
use scene::{Served, name, person, terms};

fn open(home: &Path, number: u8, url: &str) -> Process {
    Process::open(&home.join(format!("server{number}")), person(number), url, None).unwrap()
}

/// The first posts of a board, in the order in which they were written, as a chain would certify
/// them: so many.
fn certified(url: &str, count: usize) -> ProvedPosts {
    let agent: ureq::Agent = ureq::Agent::config_builder().build().into();
    let text = agent.get(format!("{url}/v1/posts?since=0")).call().unwrap().body_mut().read_to_string().unwrap();
    let page: aardvark_board::wire::PostsJson = serde_json::from_str(&text).unwrap();
    let pairs = page.posts.into_iter().take(count).map(|pair| (pair.key.0, pair.value.0));
    let dictionary = BoardClient::new(url).about().unwrap().dictionary.0;
    ProvedPosts { dictionary, version: count as u64, pairs: pairs.collect() }
}

fn posts(url: &str) -> usize {
    usize::try_from(BoardClient::new(url).about().unwrap().posts).unwrap()
}

/// Takes steps until there is nothing to do; so many posts are certified.
fn work(servers: &mut [Process], url: &str, certify: impl Fn() -> usize) {
    let mut certifying = |known: Option<u64>| -> Result<Option<ProvedPosts>, ProcessError> {
        let count = certify();
        Ok((known < Some(count as u64)).then(|| certified(url, count)))
    };
    while servers.iter_mut().any(|server| server.step_under(&mut certifying).unwrap()) {}
}

fn view(url: &str) -> View {
    let mut board = BoardClient::new(url);
    let dictionary = board.about().unwrap().dictionary.0;
    board.read().unwrap();
    View::of(&name(dictionary), board.posts()).unwrap().unwrap()
}

#[test]
fn a_server_does_nothing_for_posts_that_no_header_certifies() {
    let home = tempfile::tempdir().unwrap();
    let served = Served::start(&home.path().join("board"));
    let (url, board) = (served.url.as_str(), BoardClient::new(&served.url));
    let dictionary = board.about().unwrap().dictionary.0;
    let name = name(dictionary);
    let terms = Draft::new(&dictionary, name.terms_key(), terms().to_bytes(), &person(20));
    board.write(&terms, Vec::new()).unwrap();
    let mut servers = [1, 2].map(|number| open(home.path(), number, url));
    // The board shows terms, and no header certifies a post.
    work(&mut servers, url, || 0);
    assert_eq!(posts(url), 1);
    work(&mut servers, url, || posts(url));
    assert_eq!(view(url).stage, Stage::Open);

    // Where nothing is to be done nobody is asked what is certified.
    let opened = view(url);
    let keys = opened.keys.as_ref().unwrap();
    for number in [100, 101] {
        let (identity, row) = (person(number), KeyRow::new(keys.value_keys(), 1));
        let sender = opened.ceremony.sender(&identity.author()).unwrap();
        let points = points(&numbers(&[0, number], 2).unwrap());
        let body = encrypt(&keys.digest, &row, sender, &points, identity.seed()).0;
        let key = name.key(Kind::Input, None, 0, identity.author());
        board.write(&Draft::new(&dictionary, key, body, &identity), Vec::new()).unwrap();
    }
    let mut unasked = |_: Option<u64>| -> Result<Option<ProvedPosts>, ProcessError> { panic!("asked for nothing") };
    assert!(servers.iter_mut().all(|server| !server.step_under(&mut unasked).unwrap()));

    // The end of the inputs is shown before it is certified.
    let before = posts(url);
    let close = Draft::new(&dictionary, name.key(Kind::Close, None, 0, person(20).author()), Vec::new(), &person(20));
    board.write(&close, Vec::new()).unwrap();
    work(&mut servers, url, || before);
    assert_eq!(posts(url), before + 1);
    work(&mut servers, url, || posts(url));
    assert_eq!(view(url).stage, Stage::Done);
}

#[test]
fn another_certified_value_or_dictionary_ends_a_server() {
    let home = tempfile::tempdir().unwrap();
    let served = Served::start(&home.path().join("board"));
    let (url, board) = (served.url.as_str(), BoardClient::new(&served.url));
    let dictionary = board.about().unwrap().dictionary.0;
    let draft = Draft::new(&dictionary, name(dictionary).terms_key(), terms().to_bytes(), &person(20));
    board.write(&draft, Vec::new()).unwrap();
    let mut server = open(home.path(), 1, url);
    let mut refused = |change: fn(&mut ProvedPosts)| {
        let mut certifying = |_: Option<u64>| -> Result<Option<ProvedPosts>, ProcessError> {
            let mut proved = certified(url, 1);
            change(&mut proved);
            Ok(Some(proved))
        };
        server.step_under(&mut certifying).unwrap_err()
    };
    let other_value = refused(|proved| proved.pairs.iter_mut().for_each(|(_, value)| value.push(0)));
    let forked = |error: &ProcessError| {
        matches!(error, ProcessError::Board(ClientError::History(HistoryError::Forked { version: 1 })))
    };
    assert!(forked(&other_value), "{other_value}");
    let other = refused(|proved| proved.dictionary = [9; 32]);
    assert!(matches!(other, ProcessError::OtherDictionary), "{other}");
    assert_eq!(posts(url), 1);
}
