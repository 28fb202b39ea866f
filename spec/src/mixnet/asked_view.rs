//! What posts say of a query: whose column, zero test or shares are waited for, and whether there
//! is an answer.
//!
//! Source: docs/mixnet.md, "Queries" and "Ceremonies".

use crate::base::bytes::*;
use crate::mixnet::counted_post::*;
use crate::mixnet::post_key::*;
use crate::mixnet::servers_read::*;
use hacspec_lib::*;

/// Where a query stands.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum AskedStage {
    /// A column is waited for.
    #[default]
    AskedColumn,
    /// A zero test is waited for.
    AskedZeroTest,
    /// Shares are waited for.
    AskedShares,
    /// t shares are there.
    AskedAnswered,
    /// A column or zero test was false, and cannot be replaced.
    AskedStopped,
}

/// A valid query with what was posted for it.
#[derive(Clone, Debug, Default)]
pub struct AskedView {
    /// Its id.
    pub asked_id: ByteString,
    /// Where it stands.
    pub asked_stage: AskedStage,
    /// Whose column or zero test is waited for; 0 in the other stages.
    pub asked_turn: usize,
    /// Whose columns are valid, in their order.
    pub asked_columns: Seq<usize>,
    /// Whose zero tests are valid, in their order.
    pub asked_tests: Seq<usize>,
    /// Whose shares are valid.
    pub asked_sharers: Seq<usize>,
    /// Whether its querier opened it.
    pub asked_opened: bool,
    /// What is wrong with posts about it.
    pub asked_faults: Seq<PostFault>,
}

/// One step of [`turned_round`].
pub fn turned_round_step(turned: Seq<usize>, numbers: &Seq<usize>, i: usize) -> Seq<usize> {
    turned.push_owned(numbers[numbers.len() - 1 - i])
}

/// Numbers, the last first.
pub fn turned_round(numbers: &Seq<usize>) -> Seq<usize> {
    let mut turned = Seq::<usize>::new(0);
    for i in 0..numbers.len() {
        turned = turned_round_step(turned, numbers, i);
    }
    turned
}

/// Posts of a kind about a query.
pub fn place_about(kind: usize, id: &ByteString) -> PostKey {
    PostKey {
        post_organiser: ByteString::new(0),
        post_ceremony: 0,
        post_kind: kind,
        post_query: id.clone(),
        post_sequence: 0,
        post_author: ByteString::new(0),
    }
}

/// A query of which nothing was read.
pub fn asked_first(id: &ByteString) -> AskedView {
    AskedView {
        asked_id: id.clone(),
        asked_stage: AskedStage::AskedColumn,
        asked_turn: 0,
        asked_columns: Seq::<usize>::new(0),
        asked_tests: Seq::<usize>::new(0),
        asked_sharers: Seq::<usize>::new(0),
        asked_opened: false,
        asked_faults: Seq::<PostFault>::new(0),
    }
}

/// A query whose next post is waited for in this stage, or was false.
pub fn asked_waiting(asked: AskedView, stage: AskedStage, read_last: &ServersRead) -> AskedView {
    AskedView {
        asked_id: asked.asked_id,
        asked_stage: if read_last.read_stopped { AskedStage::AskedStopped } else { stage },
        asked_turn: if read_last.read_stopped { 0 } else { read_last.read_waits },
        asked_columns: asked.asked_columns,
        asked_tests: asked.asked_tests,
        asked_sharers: asked.asked_sharers,
        asked_opened: asked.asked_opened,
        asked_faults: asked.asked_faults,
    }
}

/// A query with the columns that were read.
pub fn with_columns(asked: AskedView, columns: &ServersRead) -> AskedView {
    AskedView {
        asked_id: asked.asked_id,
        asked_stage: asked.asked_stage,
        asked_turn: asked.asked_turn,
        asked_columns: columns.read_valid.clone(),
        asked_tests: asked.asked_tests,
        asked_sharers: asked.asked_sharers,
        asked_opened: asked.asked_opened,
        asked_faults: asked.asked_faults.concat(&columns.read_faults),
    }
}

/// A query with the zero tests that were read.
pub fn with_tests(asked: AskedView, tests: &ServersRead) -> AskedView {
    AskedView {
        asked_id: asked.asked_id,
        asked_stage: asked.asked_stage,
        asked_turn: asked.asked_turn,
        asked_columns: asked.asked_columns,
        asked_tests: tests.read_valid.clone(),
        asked_sharers: asked.asked_sharers,
        asked_opened: asked.asked_opened,
        asked_faults: asked.asked_faults.concat(&tests.read_faults),
    }
}

/// A query with the shares that were read.
pub fn with_shares(asked: AskedView, shares: &ServersRead, enough: bool) -> AskedView {
    AskedView {
        asked_id: asked.asked_id,
        asked_stage: if enough { AskedStage::AskedAnswered } else { AskedStage::AskedShares },
        asked_turn: 0,
        asked_columns: asked.asked_columns,
        asked_tests: asked.asked_tests,
        asked_sharers: shares.read_valid.clone(),
        asked_opened: asked.asked_opened,
        asked_faults: asked.asked_faults.concat(&shares.read_faults),
    }
}

/// An answered query with its querier's opening.
pub fn with_opening(asked: AskedView, opening: &ViewPost) -> AskedView {
    let opened = match &opening.viewed_flaw {
        Some(_) => false,
        None => true,
    };
    let faults = with_fault(asked.asked_faults, opening, &opening.viewed_flaw);
    AskedView {
        asked_id: asked.asked_id,
        asked_stage: asked.asked_stage,
        asked_turn: asked.asked_turn,
        asked_columns: asked.asked_columns,
        asked_tests: asked.asked_tests,
        asked_sharers: asked.asked_sharers,
        asked_opened: opened,
        asked_faults: faults,
    }
}

/// An answered query with the opening that its querier posted, if there is one that counts.
pub fn read_opening(asked: AskedView, terms: &ViewTerms, posts: &Seq<ViewPost>, query: &AskedQuery) -> AskedView {
    match post_at(posts, KIND_OPENING, &query.query_id, 0, &query.query_author) {
        Some(opening) => {
            if is_counted(terms, &opening) {
                with_opening(asked, &opening)
            } else {
                asked
            }
        }
        None => asked,
    }
}

/// A query whose columns and zero tests are there, with its shares.
pub fn read_shares(asked: AskedView, terms: &ViewTerms, posts: &Seq<ViewPost>, query: &AskedQuery) -> AskedView {
    let place = place_about(KIND_ANSWER_SHARES, &query.query_id);
    let none = Seq::<usize>::new(0);
    let shares = read_servers(&ReadRule::ReadAll, terms, posts, &place, &none, &server_numbers(terms));
    if shares.read_valid.len() >= terms.terms_threshold {
        read_opening(with_shares(asked, &shares, true), terms, posts, query)
    } else {
        with_shares(asked, &shares, false)
    }
}

/// A query whose columns are there, with what comes after.
pub fn read_tests(
    asked: AskedView,
    terms: &ViewTerms,
    posts: &Seq<ViewPost>,
    query: &AskedQuery,
    order: &Seq<usize>,
) -> AskedView {
    let place = place_about(KIND_ZERO_TEST, &query.query_id);
    let none = Seq::<usize>::new(0);
    let tests = read_servers(&ReadRule::ReadStops, terms, posts, &place, &none, order);
    let tested = with_tests(asked, &tests);
    if tests.read_stopped || tests.read_waits != 0 {
        asked_waiting(tested, AskedStage::AskedZeroTest, &tests)
    } else {
        read_shares(tested, terms, posts, query)
    }
}

/// What posts about queries say of one, where these servers mixed.
pub fn view_of_query(terms: &ViewTerms, posts: &Seq<ViewPost>, query: &AskedQuery, mixers: &Seq<usize>) -> AskedView {
    let order = if query.query_backward { turned_round(mixers) } else { mixers.clone() };
    let place = place_about(KIND_COLUMN, &query.query_id);
    let none = Seq::<usize>::new(0);
    let columns = read_servers(&ReadRule::ReadStops, terms, posts, &place, &none, &order);
    let shuffled = with_columns(asked_first(&query.query_id), &columns);
    if columns.read_stopped || columns.read_waits != 0 {
        asked_waiting(shuffled, AskedStage::AskedColumn, &columns)
    } else if query.query_tested {
        read_tests(shuffled, terms, posts, query, &order)
    } else {
        read_shares(shuffled, terms, posts, query)
    }
}

/// One step of [`views_of_queries`].
pub fn views_of_queries_step(
    asked: Seq<AskedView>,
    terms: &ViewTerms,
    about: &Seq<ViewPost>,
    query: &AskedQuery,
    mixers: &Seq<usize>,
) -> Seq<AskedView> {
    asked.push_owned(view_of_query(terms, about, query, mixers))
}

/// What posts about queries say of each.
pub fn views_of_queries(
    terms: &ViewTerms,
    about: &Seq<ViewPost>,
    queries: &Seq<AskedQuery>,
    mixers: &Seq<usize>,
) -> Seq<AskedView> {
    let mut asked = Seq::<AskedView>::new(0);
    for i in 0..queries.len() {
        asked = views_of_queries_step(asked, terms, about, &queries[i], mixers);
    }
    asked
}

/// One step of [`faults_of_asked`].
pub fn faults_of_asked_step(faults: Seq<PostFault>, asked: &AskedView) -> Seq<PostFault> {
    faults.concat(&asked.asked_faults)
}

/// What is wrong with posts about queries.
pub fn faults_of_asked(asked: &Seq<AskedView>) -> Seq<PostFault> {
    let mut faults = Seq::<PostFault>::new(0);
    for i in 0..asked.len() {
        faults = faults_of_asked_step(faults, &asked[i]);
    }
    faults
}
