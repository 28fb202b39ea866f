//! What a server must post next: a function of the view and of what it has posted.
//!
//! Source: docs/mixnet.md, "Ceremonies".

use crate::base::bytes::*;
use crate::mixnet::asked_view::*;
use crate::mixnet::ceremony_view::*;
use crate::mixnet::counted_post::*;
use crate::mixnet::post_key::*;
use crate::mixnet::servers_read::*;
use hacspec_lib::*;

/// Something that a server must post.
#[derive(Clone, Debug, Default)]
pub struct ServerDuty {
    /// Of which kind.
    pub duty_kind: usize,
    /// About which query; empty where about none.
    pub duty_query: ByteString,
}

/// ceil((m + t) / 2): so many servers agree on a mix before it is decrypted.
pub fn mix_quorum(terms: &ViewTerms) -> usize {
    (terms.terms_servers.len() + terms.terms_threshold + 1) / 2
}

/// The duties, and one more that the server has not done.
pub fn with_duty(
    duties: Seq<ServerDuty>,
    terms: &ViewTerms,
    posts: &Seq<ViewPost>,
    kind: usize,
    query: &ByteString,
    number: usize,
) -> Seq<ServerDuty> {
    match server_post(terms, posts, kind, query, number) {
        Some(_) => duties,
        None => duties.push_owned(ServerDuty { duty_kind: kind, duty_query: query.clone() }),
    }
}

/// The kind of a post that is waited for in turn, if it is this server's turn; else 0.
pub fn kind_in_turn(asked: &AskedView, number: usize, kind: usize) -> usize {
    if asked.asked_turn == number { kind } else { 0 }
}

/// What a query asks of a server: the kind of the post, 0 for nothing.
pub fn kind_asked(asked: &AskedView, number: usize) -> usize {
    match asked.asked_stage {
        AskedStage::AskedColumn => kind_in_turn(asked, number, KIND_COLUMN),
        AskedStage::AskedZeroTest => kind_in_turn(asked, number, KIND_ZERO_TEST),
        AskedStage::AskedShares => KIND_ANSWER_SHARES,
        _ => 0,
    }
}

/// One step of [`duties_asked`].
pub fn duties_asked_step(
    duties: Seq<ServerDuty>,
    terms: &ViewTerms,
    posts: &Seq<ViewPost>,
    asked: &AskedView,
    number: usize,
) -> Seq<ServerDuty> {
    let kind = kind_asked(asked, number);
    if kind == 0 { duties } else { with_duty(duties, terms, posts, kind, &asked.asked_id, number) }
}

/// What queries ask of a server.
pub fn duties_asked(
    terms: &ViewTerms,
    posts: &Seq<ViewPost>,
    asked: &Seq<AskedView>,
    number: usize,
) -> Seq<ServerDuty> {
    let mut duties = Seq::<ServerDuty>::new(0);
    for i in 0..asked.len() {
        duties = duties_asked_step(duties, terms, posts, &asked[i], number);
    }
    duties
}

/// What a server must post of what it has not posted yet; `seen` is the view of the posts.
pub fn duties_of(terms: &ViewTerms, posts: &Seq<ViewPost>, seen: &CeremonyView, number: usize) -> Seq<ServerDuty> {
    let none = Seq::<ServerDuty>::new(0);
    let no_query = ByteString::new(0);
    match seen.view_stage {
        ViewStage::ViewDealing => with_duty(none, terms, posts, KIND_DEALING, &no_query, number),
        ViewStage::ViewVerdicts => with_duty(none, terms, posts, KIND_VERDICT, &no_query, number),
        ViewStage::ViewMixing => {
            if seen.view_turn == number {
                with_duty(none, terms, posts, KIND_LAYER, &no_query, number)
            } else {
                none
            }
        }
        ViewStage::ViewDecrypting => {
            let agreeing = with_duty(none, terms, posts, KIND_AGREEMENT, &no_query, number);
            if seen.view_agreed.len() >= mix_quorum(terms) {
                with_duty(agreeing, terms, posts, KIND_SHARES, &no_query, number)
            } else {
                agreeing
            }
        }
        ViewStage::ViewDone => duties_asked(terms, posts, &seen.view_asked, number),
        _ => none,
    }
}
