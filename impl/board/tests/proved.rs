//! Posts that are read under a root: all of them, and no others; boards that were forked.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

mod scene;

use std::path::Path;

use aardvark_board::proved::ProvedError;
use aardvark_board::{Board, BoardClient, ClientError, History, HistoryError, ProvedPosts, read_proved};
use aardvark_client::ArchiveClient;
use aardvark_client::rpc::HttpOptions;
use aardvark_mixnet::Kind;
use aardvark_mixnet::post::Draft;
use aardvark_proof::{Answer, AnswerProof, Question, Reason, Refusal, Trusted, verify};
use scene::{Served, name, person, terms};

/// Why posts are not believed.
#[derive(Debug)]
enum Unread {
    Proved(#[expect(dead_code, reason = "shown where a test fails")] ProvedError),
    Refused(Refusal),
}

impl From<ProvedError> for Unread {
    fn from(error: ProvedError) -> Self {
        Self::Proved(error)
    }
}

fn under(root: [u8; 32], question: &Question, proof: &AnswerProof) -> Result<Answer, Unread> {
    let scheme = proof.verifier().map_err(Unread::Refused)?;
    verify(&Trusted::root_alone(root, &scheme), question, proof).map_err(Unread::Refused)
}

fn read(url: &str, version: u64, root: [u8; 32]) -> Result<ProvedPosts, Unread> {
    read_proved(url, version, |question, proof| under(root, question, proof))
}

/// An input that means nothing.
fn input(board: &mut Board, sender: u8) {
    let name = name(board.dictionary());
    let key = name.key(Kind::Input, None, 0, [0; 32]);
    let input = Draft::new(&name.dictionary, key, vec![sender; 100], &person(sender));
    board.post(&input.key.to_bytes(), &input.posted(Vec::new()).value).unwrap();
}

fn start(directory: &Path) -> Board {
    let mut board = Board::create(directory, "board", [4; 32]).unwrap();
    let name = name(board.dictionary());
    let draft = Draft::new(&name.dictionary, name.terms_key(), terms().to_bytes(), &person(20));
    board.post(&draft.key.to_bytes(), &draft.posted(Vec::new()).value).unwrap();
    board
}

#[test]
fn posts_under_a_root_are_all_posts_of_its_version_and_no_others() {
    let home = tempfile::tempdir().unwrap();
    let mut board = start(&home.path().join("board"));
    let (dictionary, first_root) = (board.dictionary(), board.root().unwrap());
    input(&mut board, 100);
    let root = board.root().unwrap();
    let mut written = board.posts_since(0).unwrap();
    drop(board);
    let served = Served::start(&home.path().join("board"));
    let posts = read(&served.url, 2, root).unwrap();
    written.sort();
    assert_eq!(posts, ProvedPosts { dictionary, version: 2, pairs: written.clone() });
    // The version before, under its own root, while the board goes on; and not under another's.
    let refused = |url: &str, version, root| match read(url, version, root) {
        Err(Unread::Refused(refusal)) => refusal.reason,
        other => panic!("{other:?}"),
    };
    assert_eq!(refused(&served.url, 2, first_root), Reason::RootFalse);
    assert_eq!(refused(&served.url, 2, [7; 32]), Reason::RootFalse);
    assert!(matches!(read(&served.url, 3, root), Err(Unread::Proved(_))));

    // A board that leaves out a post, adds one, changes one, or ends before the end.
    let archive = ArchiveClient::new(&served.url, HttpOptions::default()).unwrap();
    let question = Question::range("", "", Some(100));
    let proof = archive.answer(2, &question, true).unwrap();
    let judged = |change: &dyn Fn(&mut AnswerProof)| {
        let mut proof = proof.clone();
        change(&mut proof);
        match under(root, &question, &proof) {
            Err(Unread::Refused(refusal)) => refusal.reason,
            other => panic!("{other:?}"),
        }
    };
    assert!(under(root, &question, &proof).is_ok());
    let (opening, chain) = (Reason::AnswerOpeningFalse, Reason::ChainNotCovering);
    assert_eq!(judged(&|proof| drop(proof.claims.remove(1))), opening);
    assert_eq!(judged(&|proof| drop(proof.claims.pop())), opening);
    assert_eq!(judged(&|proof| proof.claims[2].slot.value = vec![1; 70].into()), opening);
    assert_eq!(judged(&|proof| proof.claims.swap(1, 2)), opening);
    let plain = archive.answer(2, &question, false).unwrap();
    let left_out = |place: usize| {
        let mut proof = plain.clone();
        proof.claims.remove(place);
        match under(root, &question, &proof) {
            Err(Unread::Refused(refusal)) => refusal.reason,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!([left_out(0), left_out(1), left_out(2)], [chain, chain, Reason::ChainMissing]);
}

#[test]
fn older_roots_are_known_while_a_board_runs() {
    let home = tempfile::tempdir().unwrap();
    drop(start(&home.path().join("board")));
    let served = Served::start(&home.path().join("board"));
    let mut client = BoardClient::new(&served.url);
    let about = client.about().unwrap();
    let name = name(about.dictionary.0);
    let key = name.key(Kind::Input, None, 0, [0; 32]);
    client.write(&Draft::new(&name.dictionary, key, vec![7; 100], &person(100)), Vec::new()).unwrap();
    let now = client.about().unwrap();
    assert_eq!((about.version, now.version, about.root == now.root), (1, 2, false));
    for about in [&about, &now] {
        assert_eq!(read(&served.url, about.version, about.root.0).unwrap().pairs.len() as u64, about.version);
    }
    assert_eq!((client.read().unwrap().version, client.posts().len()), (2, 2));
}

/// Two boards that were one: a reader of each is told apart by the root, and who has seen the one
/// does not take the other for it.
#[test]
fn forks_are_noticed_by_root_and_by_history() {
    let home = tempfile::tempdir().unwrap();
    let directories = ["a", "b"].map(|fork| home.path().join(fork));
    drop(start(&directories[0]));
    let copied = std::process::Command::new("cp").arg("-r").args(&directories).status().unwrap();
    assert!(copied.success());
    let roots = [0, 1].map(|fork| {
        let mut board = Board::open(&directories[fork]).unwrap();
        input(&mut board, 100 + fork as u8);
        board.root().unwrap()
    });
    assert_ne!(roots[0], roots[1]);
    let served = [0, 1].map(|fork| Served::start(&directories[fork]));
    for fork in [0, 1] {
        assert_eq!(read(&served[fork].url, 2, roots[fork]).unwrap().pairs.len(), 2);
        let other = read(&served[fork].url, 2, roots[1 - fork]);
        assert!(matches!(other, Err(Unread::Refused(refusal)) if refusal.reason == Reason::RootFalse));
    }
    let file = home.path().join("seen");
    let seen = BoardClient::new(&served[0].url).read().unwrap();
    seen.write(&file).unwrap();
    let again = |fork: usize, seen: Option<History>| BoardClient::new(&served[fork].url).expecting(seen).read();
    assert_eq!(again(0, History::read(&file).unwrap()).unwrap(), seen);
    let forked = |read: Result<History, ClientError>| match read {
        Err(ClientError::History(HistoryError::Forked { version })) => version,
        other => panic!("{other:?}"),
    };
    assert_eq!(forked(again(1, Some(seen))), 2);
    // Another board, and one that has fewer posts than it had.
    let older = History::new([9; 32]);
    assert_eq!(forked(again(0, Some(older))), 0);
    assert_eq!(forked(again(0, Some(seen.after(b"key", b"value")))), 3);
    std::fs::write(&file, "1 0x12").unwrap();
    assert!(matches!(History::read(&file), Err(HistoryError::Malformed(_))));
    assert_eq!(History::read(&home.path().join("none")).unwrap(), None);
}
