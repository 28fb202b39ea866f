//! What posts say of a ceremony: specification and implementation see the same stage, faults,
//! missing bodies, lists of servers and senders, queries and duties, whatever is posted in which
//! order and whatever is left out.
//!
//! The specification is told of each post what is wrong with its body, by the test that made it;
//! what counts, who is waited for and who is blamed each finds by itself.

use std::collections::BTreeMap;

use aardvark_mixnet::identity::is_signed;
use aardvark_mixnet::post::{Content, PostValue, Posted, receipt_digest};
use aardvark_mixnet::query::query_id;
use aardvark_mixnet::view::{Asked, PostFault};
use aardvark_mixnet::{Ceremony, Duty, FaultKind, Kind, Memo, PostKey, Posts, Reveal, TraceDirection, View};
use aardvark_spec::convert::{byte_string, byte_vec, to_seq, to_vec};
use aardvark_spec::mixnet::asked_view::{AskedStage, AskedView};
use aardvark_spec::mixnet::counted_post::{self, PostFlaw, ViewPost, ViewTerms};
use aardvark_spec::mixnet::duty::ServerDuty;
use differential_tests::oracle::mixnet::view_of;

use crate::lists::Draw;
use crate::posts::{key_from_spec, key_to_spec};
use crate::view_board::{Board, person, question, terms};
use crate::view_histories::{History, unfounded};

/// What the test that made a body knows of it.
#[derive(Clone, Debug, Default)]
pub struct Mark {
    /// What is wrong with it when it is judged.
    pub flaw: Option<PostFlaw>,
    /// Of a true verdict whom it convicts.
    pub accused: Vec<usize>,
    /// Of a query whether targets need a zero test.
    pub tested: bool,
}

/// Whether t servers say that they hold a body, or it stands in the value.
fn is_held(name: &[u8; 32], key: &PostKey, value: &PostValue, terms: &Ceremony) -> bool {
    let Content::Stored { receipts, .. } = &value.content else { return true };
    let digest = receipt_digest(&value.digest(name, key));
    let holds = receipts.iter().filter(|receipt| {
        let holder = terms.servers.get(usize::from(receipt.server).wrapping_sub(1));
        holder.is_some_and(|holder| is_signed(&holder.author, &digest, &receipt.signature))
    });
    holds.count() >= usize::from(terms.threshold)
}

/// The body of a post, if it is at hand.
fn body_of(value: &PostValue, posted: &Posted) -> Option<Vec<u8>> {
    match &value.content {
        Content::Inline(body) => Some(body.clone()),
        Content::Stored { digest, .. } => {
            posted.body.as_ref().filter(|body| body.digest() == *digest).map(|body| body.to_vec())
        }
    }
}

/// A post as the specification is given it.
fn post_to_spec(board: &Board, terms: &Ceremony, key: &PostKey, posted: &Posted, mark: &Mark) -> ViewPost {
    let mut viewed = ViewPost { viewed_key: key_to_spec(key), ..ViewPost::default() };
    let Ok(value) = PostValue::from_bytes(&posted.value) else { return viewed };
    let body = body_of(&value, posted);
    viewed.viewed_decodes = true;
    viewed.viewed_signed = value.is_signed(&board.name.dictionary, key);
    viewed.viewed_held = is_held(&board.name.dictionary, key, &value, terms);
    viewed.viewed_at_hand = body.is_some();
    viewed.viewed_flaw = mark.flaw;
    viewed.viewed_accused = to_seq(mark.accused.clone());
    let body = body.unwrap_or_default();
    match key.kind {
        Kind::Input => viewed.viewed_first = byte_string(body.get(..48).unwrap_or_default()),
        Kind::Query => {
            viewed.viewed_id = byte_string(&query_id(&body));
            // Behind the version and the mix stands the direction.
            viewed.viewed_backward = body.get(33) == Some(&0);
            viewed.viewed_tested = mark.tested;
        }
        _ => {}
    }
    viewed
}

fn terms_to_spec(board: &Board, terms: &Ceremony) -> ViewTerms {
    let keys = |keys: Vec<[u8; 32]>| to_seq(keys.iter().map(|key| byte_string(key)).collect());
    ViewTerms {
        terms_organiser: byte_string(&board.name.organiser),
        terms_servers: keys(terms.servers.iter().map(|server| server.author).collect()),
        terms_threshold: terms.threshold.into(),
        terms_senders: keys(terms.registry.iter().map(|sender| sender.key).collect()),
        terms_queriers: keys(terms.queriers.iter().map(|querier| querier.author).collect()),
        terms_anyone: terms.rules.anyone,
        terms_least: terms.least as usize,
    }
}

/// What a view says of a query.
#[derive(Debug, PartialEq)]
struct AskedSeen {
    id: Vec<u8>,
    stage: String,
    columns: usize,
    tests: usize,
    sharers: Vec<usize>,
    opened: bool,
}

/// What a view says.
#[derive(Debug, PartialEq)]
struct Seen {
    stage: String,
    /// Keys with the names of faults.
    faults: Vec<(Vec<u8>, String)>,
    missing: Vec<Vec<u8>>,
    dealers: Vec<usize>,
    senders: Vec<Vec<u8>>,
    mixers: Vec<usize>,
    turn: usize,
    agreed: Vec<usize>,
    sharers: Vec<usize>,
    asked: Vec<AskedSeen>,
    unasked: usize,
    /// Of each server, the keys of the posts that are due.
    duties: Vec<Vec<PostKey>>,
}

fn sorted<T: Ord>(mut all: Vec<T>) -> Vec<T> {
    all.sort();
    all
}

fn numbers<'a>(all: impl IntoIterator<Item = &'a u16>) -> Vec<usize> {
    all.into_iter().copied().map(usize::from).collect()
}

fn asked_implemented(asked: &Asked) -> AskedSeen {
    AskedSeen {
        id: asked.id.to_vec(),
        stage: format!("{:?}", asked.stage),
        columns: asked.columns.len(),
        tests: asked.tests.len(),
        sharers: numbers(asked.shares.keys()),
        opened: asked.opening.is_some(),
    }
}

/// What the implementation sees.
fn implemented(view: &View) -> Seen {
    let fault = |fault: &PostFault| (fault.key.clone(), format!("{:?}", fault.fault.kind));
    let senders = view.rows.iter().flat_map(|rows| &rows.senders);
    let servers = view.ceremony.server_numbers();
    let due = |server| view.duties(server).into_iter().map(|duty| view.duty_key(duty, server)).collect();
    Seen {
        stage: format!("{:?}", view.stage),
        faults: sorted(view.faults.iter().map(fault).collect()),
        missing: sorted(view.missing.iter().map(PostKey::to_bytes).collect()),
        dealers: numbers(view.dealings.keys()),
        senders: senders.map(|sender| sender.key.to_vec()).collect(),
        mixers: numbers(view.layers.iter().map(|(server, _)| server)),
        turn: view.turn.map_or(0, usize::from),
        agreed: numbers(&view.agreed),
        sharers: numbers(view.shares.keys()),
        asked: view.asked.iter().map(asked_implemented).collect(),
        unasked: view.unasked,
        duties: servers.map(|server| sorted(due(server))).collect(),
    }
}

fn asked_specified(asked: &AskedView) -> AskedSeen {
    let turn = asked.asked_turn;
    AskedSeen {
        id: byte_vec(&asked.asked_id),
        stage: match asked.asked_stage {
            AskedStage::AskedColumn => format!("Column({turn})"),
            AskedStage::AskedZeroTest => format!("ZeroTest({turn})"),
            AskedStage::AskedShares => "Shares".to_owned(),
            AskedStage::AskedAnswered => "Answered".to_owned(),
            AskedStage::AskedStopped => "Stopped".to_owned(),
        },
        columns: asked.asked_columns.len(),
        tests: asked.asked_tests.len(),
        sharers: to_vec(&asked.asked_sharers),
        opened: asked.asked_opened,
    }
}

/// What the specification sees, and the oracle where it is built.
fn specified(board: &Board, terms: &Ceremony, posts: &[ViewPost]) -> Seen {
    let (view, duties) = view_of(&terms_to_spec(board, terms), &to_seq(posts.to_vec())).unwrap();
    let named = |name: &dyn core::fmt::Debug, prefix: &str| format!("{name:?}").trim_start_matches(prefix).to_owned();
    let key = |key: &aardvark_spec::mixnet::post_key::PostKey| key_from_spec(key).to_bytes();
    let fault = |fault: &counted_post::PostFault| (key(&fault.fault_key), named(&fault.fault_flaw, "Flaw"));
    let due = |(number, of_server): (u16, &Vec<ServerDuty>)| {
        let author = terms.servers[usize::from(number) - 1].author;
        let of_duty = of_server.iter().map(|duty| {
            let query = <[u8; 32]>::try_from(byte_vec(&duty.duty_query)).ok();
            let kind = Kind::from_number(duty.duty_kind.try_into().unwrap()).unwrap();
            board.name.key(kind, query, number, author)
        });
        sorted(of_duty.collect())
    };
    Seen {
        stage: named(&view.view_stage, "View"),
        faults: sorted(to_vec(&view.view_faults).iter().map(fault).collect()),
        missing: sorted(to_vec(&view.view_missing).iter().map(key).collect()),
        dealers: to_vec(&view.view_dealers),
        senders: to_vec(&view.view_senders).iter().map(byte_vec).collect(),
        mixers: to_vec(&view.view_mixers),
        turn: view.view_turn,
        agreed: to_vec(&view.view_agreed),
        sharers: to_vec(&view.view_sharers),
        asked: to_vec(&view.view_asked).iter().map(asked_specified).collect(),
        unasked: view.view_unasked,
        duties: terms.server_numbers().zip(&duties).map(due).collect(),
    }
}

/// Both see the same of these posts of a history; what they see.
pub fn compare(history: &History, posts: &Posts, memo: &mut Memo) -> Option<View> {
    let board = &history.board;
    let view = memo.view(&board.name, posts).unwrap()?;
    let unmarked = Mark::default();
    let post = |(bytes, posted): (&Vec<u8>, &Posted)| {
        let key = PostKey::from_bytes(bytes).unwrap();
        post_to_spec(board, &view.ceremony, &key, posted, history.marks.get(bytes).unwrap_or(&unmarked))
    };
    let posts: Vec<ViewPost> = posts.iter().map(post).collect();
    let specified = specified(board, &view.ceremony, &posts);
    assert_eq!(implemented(&view), specified);
    Some(view)
}

/// Runs histories; of all together, how often each stage and each fault was seen.
fn run(starts: core::ops::Range<u64>) -> BTreeMap<String, usize> {
    let mut seen = BTreeMap::new();
    let mut note = |view: &View| {
        let asked = view.asked.iter().map(|asked| format!("asked {:?}", asked.stage));
        let faults = view.faults.iter().map(|fault| format!("{:?}", fault.fault.kind));
        for name in faults.chain(asked).chain([format!("{:?}", view.stage)]) {
            *seen.entry(name).or_default() += 1;
        }
    };
    for start in starts {
        let (mut history, mut memo) = (History::new(start), Memo::default());
        let mut view = compare(&history, &history.board.posts, &mut memo).unwrap();
        while history.step(&view) {
            view = compare(&history, &history.board.posts, &mut memo).unwrap();
            note(&view);
        }
        // Each post left out but for inputs, without which the lists are others.
        for key in history.board.posts.keys().filter(|key| PostKey::from_bytes(key).unwrap().kind != Kind::Input) {
            let mut some = history.board.posts.clone();
            some.remove(key);
            if let Some(view) = compare(&history, &some, &mut memo) {
                note(&view);
            }
        }
    }
    seen
}

#[test]
fn nothing_behind_a_false_column_is_looked_at() {
    let (board, done) = Board::mixed(&terms(2, 1, 2), &[&[0, 1], &[0, 2]]);
    let mut history = History::of(board, Draw::new(0));
    let query = question(TraceDirection::Out, Reveal::Each, &[true, false], &[true; 2], 0);
    let id = history.board.ask(&done, 30, query);
    let mut faults = Vec::new();
    for server in [2, 1] {
        let key = history.board.key(Kind::Column, Some(id), server);
        history.put(server.into(), key, vec![1; 8], Mark::flawed(PostFlaw::FlawWrongLength));
        let view = compare(&history, &history.board.posts, &mut Memo::default()).unwrap();
        faults.push(view.faults.iter().map(|fault| fault.server).collect::<Vec<_>>());
    }
    assert_eq!(faults, [vec![], vec![Some(1)]]);
}

#[test]
fn a_complaint_about_a_dealing_that_is_not_there_is_unfounded() {
    let mut history = History::of(Board::new(&terms(2, 1, 2)), Draw::new(0));
    for server in 1..=2 {
        let body = history.board.view().perform(Duty::Dealing, server, &person(server.into())).unwrap();
        let key = history.board.key(Kind::Dealing, None, server);
        history.put(server.into(), key, body, Mark::default());
    }
    let mark = Mark { accused: vec![9], ..Mark::default() };
    let key = history.board.key(Kind::Verdict, None, 1);
    history.put(1, key, unfounded(9), mark);
    let view = compare(&history, &history.board.posts, &mut Memo::default()).unwrap();
    let faults: Vec<_> = view.faults.iter().map(|fault| (fault.fault.kind, fault.server)).collect();
    assert_eq!(faults, [(FaultKind::ComplaintUnfounded, Some(1))]);
}

#[test]
fn views_and_duties_of_random_and_hostile_histories_are_the_same() {
    let seen = run(0..6);
    let usual = ["Dealing", "Verdicts", "Open", "Mixing", "Decrypting", "Done", "NotAuthorised", "SignatureFalse"];
    assert!(usual.iter().all(|name| seen.contains_key(*name)), "{seen:?}");
}

#[test]
#[ignore = "minutes: cargo xtask test --long"]
fn views_and_duties_of_many_histories_are_the_same() {
    let seen = run(6..200);
    let flaws = [
        "Malformed",
        "SignatureFalse",
        "ReceiptsMissing",
        "NotAuthorised",
        "WrongLength",
        "InputProofFalse",
        "InputRepeated",
        "DealingFalse",
        "ComplaintUnfounded",
        "ColumnProofFalse",
        "ZeroTestFalse",
        "DecryptionProofFalse",
        "QueryForbidden",
        "QueryOutOfRange",
        "MixDiffers",
        "Void",
        "asked Shares",
        "asked Answered",
        "asked Stopped",
    ];
    assert!(flaws.iter().all(|name| seen.contains_key(*name)), "{seen:?}");
}
