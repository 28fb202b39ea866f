//! Posts about queries that nobody asked: there is no end of ids that one can make up, and whoever
//! reads the board keeps nothing of posts about them.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

mod board;

use std::sync::{Mutex, PoisonError};

use aardvark_mixnet::post::{Content, PostValue, Posted};
use aardvark_mixnet::view::AskedStage;
use aardvark_mixnet::{Kind, Memo, Posts, Reveal, Stage, TraceDirection, View};
use board::{Board, person, question, terms};
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;
/// Held by each test, since one of them measures the memory of all.
static ALONE: Mutex<()> = Mutex::new(());

/// Ids that are made up.
const IDS: usize = 300;
/// Bytes of memory by which two looks at one board may differ.
const SLACK: usize = 16 << 10;

/// A look at a board, and the memory that it took beside what it remembers of others.
fn look(board: &Board, posts: &Posts, memo: &mut Memo) -> (View, usize) {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let view = memo.view(&board.name, posts).unwrap().unwrap();
    (view, MEMORY.peak_usage().saturating_sub(before))
}

/// All that readers and servers take from a view, but for the number of posts that are not kept.
fn taken(view: &View) -> impl PartialEq + core::fmt::Debug + use<> {
    let asked: Vec<_> = view.asked.iter().map(|asked| (asked.id, asked.stage, asked.answer.clone())).collect();
    let duties: Vec<_> = view.ceremony.server_numbers().map(|server| view.duties(server)).collect();
    (view.stage, view.faults.clone(), view.missing.clone(), view.written.clone(), asked, duties)
}

/// Server 2, a querier and somebody else post about queries with made-up ids; every post is well
/// signed, and half of the server's bodies are not at hand.
fn make_up(board: &mut Board) -> usize {
    let before = board.posts.len();
    for number in 0..IDS {
        let mut id = [7; 32];
        id[..2].copy_from_slice(&(number as u16).to_be_bytes());
        let column = board.post(&person(2), board.key(Kind::Column, Some(id), 2), vec![1; 901]);
        board.posts.entry(column.to_bytes()).and_modify(|posted| posted.body = None);
        board.post(&person(2), board.key(Kind::AnswerShares, Some(id), 2), vec![2; 900]);
        for author in [30, 40] {
            board.post(&person(author), board.key(Kind::Opening, Some(id), 0), vec![3; 900]);
        }
    }
    board.posts.len() - before
}

#[test]
fn a_view_keeps_nothing_of_posts_about_queries_that_nobody_asked() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let (mut board, done) = Board::mixed(&terms(2, 1, 2), &[&[0, 1], &[0, 2]]);
    let query = question(TraceDirection::Out, Reveal::Each, &[true, false], &[true; 2], 0);
    let id = board.ask(&done, 30, query);
    let honest = board.serve();
    assert_eq!((honest.query(&id).unwrap().stage, honest.unasked), (AskedStage::Answered, 0));

    let (mut memo, mut posts) = (Memo::default(), board.posts.clone());
    look(&board, &posts, &mut memo);
    let (_, honest_peak) = look(&board, &posts, &mut memo);
    let (judged, held) = (memo.judged(), memo.len());
    let made_up = make_up(&mut board);
    posts.clone_from(&board.posts);
    let (view, peak) = look(&board, &posts, &mut memo);
    assert_eq!((taken(&view), view.unasked), (taken(&honest), made_up));
    // No signature was checked, no judgement remembered, no byte kept.
    assert_eq!((memo.judged(), memo.len()), (judged, held));
    assert!(peak <= honest_peak + SLACK, "{peak} bytes of memory, {honest_peak} without {made_up} posts");
    assert_eq!(taken(&board.view()), taken(&honest));
}

#[test]
fn an_opening_counts_by_its_querier_alone_and_other_posts_by_servers() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let (mut board, done) = Board::mixed(&terms(2, 1, 2), &[&[0, 1], &[0, 2]]);
    let query = question(TraceDirection::Out, Reveal::Each, &[true, false], &[true; 2], 0);
    let id = board.ask(&done, 30, query);
    let honest = taken(&board.serve());
    for author in [2, 31, 40] {
        board.post(&person(author), board.key(Kind::Opening, Some(id), 0), vec![1; 8]);
    }
    let view = board.view();
    assert_eq!((taken(&view), view.unasked), (honest, 3));
    // Another server's number is its author's fault, since the query is there.
    let key = board.post(&person(2), board.key(Kind::Column, Some(id), 3), vec![1; 8]);
    let view = board.view();
    let faulty: Vec<_> = view.faults.iter().map(|fault| fault.key.clone()).collect();
    assert_eq!((faulty, view.unasked), (vec![key.to_bytes()], 3));
}

#[test]
fn posts_about_queries_wait_for_the_outputs_and_for_their_query() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut board = Board::new(&terms(2, 1, 2));
    board.serve();
    let honest = taken(&board.view());
    make_up(&mut board);
    let view = board.view();
    assert_eq!((view.stage, taken(&view), view.unasked), (Stage::Open, honest, 0));

    // Where the query's post is left out, or its body is, its servers are not blamed, and all is
    // as before once it is there.
    let (mut board, done) = Board::mixed(&terms(2, 1, 2), &[&[0, 1], &[0, 2]]);
    let query = question(TraceDirection::Out, Reveal::Each, &[true, false], &[true; 2], 0);
    board.ask(&done, 30, query);
    let answered = taken(&board.serve());
    let (key, posted): (Vec<u8>, Posted) = {
        let key = board.name.key(Kind::Query, None, 0, person(30).author()).to_bytes();
        (key.clone(), board.posts.remove(&key).unwrap())
    };
    let view = board.view();
    let of_servers = board.posts.len() - done.written.len() - 1;
    assert_eq!((view.faults.len(), view.asked.len(), view.unasked), (0, 0, of_servers));
    assert!(matches!(PostValue::from_bytes(&posted.value).unwrap().content, Content::Inline(_)));
    board.posts.insert(key, posted);
    assert_eq!(taken(&board.view()), answered);
}
