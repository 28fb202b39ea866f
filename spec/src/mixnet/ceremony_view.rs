//! What a board's posts say of a ceremony: its stage, what is valid, who is waited for, and which
//! posts break the rules.
//!
//! | stage | ends when |
//! |---|---|
//! | dealing, verdicts | each server has posted or is absent; t dealers remain |
//! | open | the organiser closes; with fewer valid inputs than the least it is void |
//! | mixing | each server has posted or is absent; t layers are valid |
//! | decrypting | t shares are valid |
//! | done | |
//!
//! A post before its stage is not looked at beyond the first checks, and a post about a query not
//! at all before the query is found valid. Posts are given in the order of their keys; a board has
//! one for a key. Source: docs/mixnet.md, "Ceremonies".

use crate::base::bytes::*;
use crate::mixnet::asked_view::*;
use crate::mixnet::ceremony_read::*;
use crate::mixnet::counted_post::*;
use crate::mixnet::post_key::*;
use crate::mixnet::servers_read::*;
use hacspec_lib::*;

/// Where a ceremony stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ViewStage {
    /// Servers deal keys.
    ViewDealing,
    /// Servers say whose shares are false.
    ViewVerdicts,
    /// Senders send.
    ViewOpen,
    /// Servers shuffle, one after the other.
    ViewMixing,
    /// Servers agree on the mix and decrypt it.
    ViewDecrypting,
    /// The outputs are there; queriers ask.
    ViewDone,
    /// It cannot go on: fewer than t dealers or layers, or too few inputs.
    ViewVoid,
}

/// What posts say of a ceremony.
#[derive(Clone, Debug)]
pub struct CeremonyView {
    /// Where it stands.
    pub view_stage: ViewStage,
    /// The posts that break the rules.
    pub view_faults: Seq<PostFault>,
    /// Posts whose bodies are not at hand.
    pub view_missing: Seq<PostKey>,
    /// Whose dealings are valid.
    pub view_dealers: Seq<usize>,
    /// Whose inputs are valid, in the order of the rows.
    pub view_senders: Seq<ByteString>,
    /// Whose layers are valid, in their order.
    pub view_mixers: Seq<usize>,
    /// Whose layer is waited for; 0 where none is.
    pub view_turn: usize,
    /// Who agreed on the mix.
    pub view_agreed: Seq<usize>,
    /// Whose shares of the last list are valid.
    pub view_sharers: Seq<usize>,
    /// The valid queries.
    pub view_asked: Seq<AskedView>,
    /// How many posts are about none of them.
    pub view_unasked: usize,
}

/// Posts of a kind about no query.
pub fn place_of_kind(kind: usize) -> PostKey {
    place_about(kind, &ByteString::new(0))
}

/// The view before any stage: what the first checks find.
pub fn view_first(terms: &ViewTerms, posts: &Seq<ViewPost>) -> CeremonyView {
    CeremonyView {
        view_stage: ViewStage::ViewDealing,
        view_faults: first_faults(terms, posts),
        view_missing: missing_bodies(terms, posts),
        view_dealers: Seq::<usize>::new(0),
        view_senders: Seq::<ByteString>::new(0),
        view_mixers: Seq::<usize>::new(0),
        view_turn: 0,
        view_agreed: Seq::<usize>::new(0),
        view_sharers: Seq::<usize>::new(0),
        view_asked: Seq::<AskedView>::new(0),
        view_unasked: 0,
    }
}

/// A view with dealings that were read.
pub fn with_dealings(seen: CeremonyView, dealings: &ServersRead) -> CeremonyView {
    CeremonyView {
        view_stage: if dealings.read_waits == 0 { ViewStage::ViewVerdicts } else { ViewStage::ViewDealing },
        view_faults: seen.view_faults.concat(&dealings.read_faults),
        view_missing: seen.view_missing,
        view_dealers: dealings.read_valid.clone(),
        view_senders: seen.view_senders,
        view_mixers: seen.view_mixers,
        view_turn: seen.view_turn,
        view_agreed: seen.view_agreed,
        view_sharers: seen.view_sharers,
        view_asked: seen.view_asked,
        view_unasked: seen.view_unasked,
    }
}

/// The dealings.
pub fn judge_dealings(seen: CeremonyView, terms: &ViewTerms, posts: &Seq<ViewPost>) -> CeremonyView {
    let none = Seq::<usize>::new(0);
    let place = place_of_kind(KIND_DEALING);
    let dealings = read_servers(&ReadRule::ReadAll, terms, posts, &place, &none, &server_numbers(terms));
    with_dealings(seen, &dealings)
}

/// A view with dealers that remain after these verdicts.
pub fn with_verdicts(seen: CeremonyView, stage: ViewStage, verdicts: &ServersRead, left: &DealersLeft) -> CeremonyView {
    CeremonyView {
        view_stage: stage,
        view_faults: seen.view_faults.concat(&verdicts.read_faults).concat(&left.left_faults),
        view_missing: seen.view_missing,
        view_dealers: left.left_dealers.clone(),
        view_senders: seen.view_senders,
        view_mixers: seen.view_mixers,
        view_turn: seen.view_turn,
        view_agreed: seen.view_agreed,
        view_sharers: seen.view_sharers,
        view_asked: seen.view_asked,
        view_unasked: seen.view_unasked,
    }
}

/// The verdicts; the convicted are out when all are there.
pub fn judge_verdicts(seen: CeremonyView, terms: &ViewTerms, posts: &Seq<ViewPost>) -> CeremonyView {
    let place = place_of_kind(KIND_VERDICT);
    let dealers = seen.view_dealers.clone();
    let verdicts = read_servers(&ReadRule::ReadAll, terms, posts, &place, &dealers, &server_numbers(terms));
    if verdicts.read_waits == 0 {
        let left = dealers_left(terms, posts, &dealers, &verdicts.read_accused);
        let enough = left.left_dealers.len() >= terms.terms_threshold;
        let stage = if enough { ViewStage::ViewOpen } else { ViewStage::ViewVoid };
        with_verdicts(seen, stage, &verdicts, &left)
    } else {
        let left = DealersLeft { left_dealers: dealers, left_faults: Seq::<PostFault>::new(0) };
        with_verdicts(seen, ViewStage::ViewVerdicts, &verdicts, &left)
    }
}

/// A view with inputs, or the fault of their close.
pub fn with_inputs(
    seen: CeremonyView,
    stage: ViewStage,
    senders: &Seq<ByteString>,
    faults: &Seq<PostFault>,
) -> CeremonyView {
    CeremonyView {
        view_stage: stage,
        view_faults: seen.view_faults.concat(faults),
        view_missing: seen.view_missing,
        view_dealers: seen.view_dealers,
        view_senders: senders.clone(),
        view_mixers: seen.view_mixers,
        view_turn: seen.view_turn,
        view_agreed: seen.view_agreed,
        view_sharers: seen.view_sharers,
        view_asked: seen.view_asked,
        view_unasked: seen.view_unasked,
    }
}

/// The inputs behind a close that counts.
pub fn judge_closed(seen: CeremonyView, terms: &ViewTerms, posts: &Seq<ViewPost>, close: &ViewPost) -> CeremonyView {
    match &close.viewed_flaw {
        Some(_) => {
            let none = Seq::<PostFault>::new(0);
            let faults = with_fault(none, close, &close.viewed_flaw);
            with_inputs(seen, ViewStage::ViewVoid, &Seq::<ByteString>::new(0), &faults)
        }
        None => {
            let inputs = read_inputs(terms, posts);
            if inputs.inputs_senders.len() >= terms.terms_least {
                with_inputs(seen, ViewStage::ViewMixing, &inputs.inputs_senders, &inputs.inputs_faults)
            } else {
                with_inputs(seen, ViewStage::ViewVoid, &Seq::<ByteString>::new(0), &inputs.inputs_faults)
            }
        }
    }
}

/// The inputs, once they are closed.
pub fn judge_inputs(seen: CeremonyView, terms: &ViewTerms, posts: &Seq<ViewPost>) -> CeremonyView {
    match post_at(posts, KIND_CLOSE, &ByteString::new(0), 0, &terms.terms_organiser) {
        Some(close) => {
            if is_counted(terms, &close) {
                judge_closed(seen, terms, posts, &close)
            } else {
                seen
            }
        }
        None => seen,
    }
}

/// A view with layers that were read.
pub fn with_layers(seen: CeremonyView, stage: ViewStage, layers: &ServersRead) -> CeremonyView {
    CeremonyView {
        view_stage: stage,
        view_faults: seen.view_faults.concat(&layers.read_faults),
        view_missing: seen.view_missing,
        view_dealers: seen.view_dealers,
        view_senders: seen.view_senders,
        view_mixers: layers.read_valid.clone(),
        view_turn: layers.read_waits,
        view_agreed: seen.view_agreed,
        view_sharers: seen.view_sharers,
        view_asked: seen.view_asked,
        view_unasked: seen.view_unasked,
    }
}

/// The layers, each in its turn.
pub fn judge_layers(seen: CeremonyView, terms: &ViewTerms, posts: &Seq<ViewPost>) -> CeremonyView {
    let place = place_of_kind(KIND_LAYER);
    let none = Seq::<usize>::new(0);
    let layers = read_servers(&ReadRule::ReadTurns, terms, posts, &place, &none, &server_numbers(terms));
    let stage = if layers.read_waits != 0 {
        ViewStage::ViewMixing
    } else if layers.read_valid.len() >= terms.terms_threshold {
        ViewStage::ViewDecrypting
    } else {
        ViewStage::ViewVoid
    };
    with_layers(seen, stage, &layers)
}

/// A view with agreements and shares that were read.
pub fn with_decryption(
    seen: CeremonyView,
    stage: ViewStage,
    agreements: &ServersRead,
    shares: &ServersRead,
) -> CeremonyView {
    CeremonyView {
        view_stage: stage,
        view_faults: seen.view_faults.concat(&agreements.read_faults).concat(&shares.read_faults),
        view_missing: seen.view_missing,
        view_dealers: seen.view_dealers,
        view_senders: seen.view_senders,
        view_mixers: seen.view_mixers,
        view_turn: seen.view_turn,
        view_agreed: agreements.read_valid.clone(),
        view_sharers: shares.read_valid.clone(),
        view_asked: seen.view_asked,
        view_unasked: seen.view_unasked,
    }
}

/// The agreements and the shares of the last list.
pub fn judge_decryption(seen: CeremonyView, terms: &ViewTerms, posts: &Seq<ViewPost>) -> CeremonyView {
    let numbers = server_numbers(terms);
    let none = Seq::<usize>::new(0);
    let agreeing = place_of_kind(KIND_AGREEMENT);
    let sharing = place_of_kind(KIND_SHARES);
    let agreements = read_servers(&ReadRule::ReadAll, terms, posts, &agreeing, &none, &numbers);
    let shares = read_servers(&ReadRule::ReadAll, terms, posts, &sharing, &none, &numbers);
    let enough = shares.read_valid.len() >= terms.terms_threshold;
    let stage = if enough { ViewStage::ViewDone } else { ViewStage::ViewDecrypting };
    with_decryption(seen, stage, &agreements, &shares)
}

/// A view with its queries, and the faults of posts about them.
pub fn with_queries(
    seen: CeremonyView,
    asked: &Seq<AskedView>,
    unasked: usize,
    faults: &Seq<PostFault>,
    missing: &Seq<PostKey>,
) -> CeremonyView {
    CeremonyView {
        view_stage: seen.view_stage,
        view_faults: seen.view_faults.concat(faults),
        view_missing: seen.view_missing.concat(missing),
        view_dealers: seen.view_dealers,
        view_senders: seen.view_senders,
        view_mixers: seen.view_mixers,
        view_turn: seen.view_turn,
        view_agreed: seen.view_agreed,
        view_sharers: seen.view_sharers,
        view_asked: asked.clone(),
        view_unasked: unasked,
    }
}

/// The queries: `of_stages` are the posts about none, `posts` all of the ceremony.
pub fn judge_queries(
    seen: CeremonyView,
    terms: &ViewTerms,
    of_stages: &Seq<ViewPost>,
    posts: &Seq<ViewPost>,
) -> CeremonyView {
    let queries = read_queries(terms, of_stages);
    let about = posts_about(posts, &queries.queries_valid);
    let asked = views_of_queries(terms, &about.about_posts, &queries.queries_valid, &seen.view_mixers);
    let faults =
        queries.queries_faults.concat(&first_faults(terms, &about.about_posts)).concat(&faults_of_asked(&asked));
    let missing = missing_bodies(terms, &about.about_posts);
    with_queries(seen, &asked, about.about_unasked, &faults, &missing)
}

/// A view that was judged up to a stage, with the next stage if there are posts for it.
pub fn judge_next(
    seen: CeremonyView,
    terms: &ViewTerms,
    of_stages: &Seq<ViewPost>,
    posts: &Seq<ViewPost>,
    stage: ViewStage,
) -> CeremonyView {
    match stage {
        ViewStage::ViewDealing => judge_dealings(seen, terms, of_stages),
        ViewStage::ViewVerdicts => judge_verdicts(seen, terms, of_stages),
        ViewStage::ViewOpen => judge_inputs(seen, terms, of_stages),
        ViewStage::ViewMixing => judge_layers(seen, terms, of_stages),
        ViewStage::ViewDecrypting => judge_decryption(seen, terms, of_stages),
        ViewStage::ViewDone => judge_queries(seen, terms, of_stages, posts),
        ViewStage::ViewVoid => seen,
    }
}

/// Stages that have gone by when a ceremony stands at this one.
pub fn stages_before(stage: ViewStage) -> usize {
    match stage {
        ViewStage::ViewDealing => 0,
        ViewStage::ViewVerdicts => 1,
        ViewStage::ViewOpen => 2,
        ViewStage::ViewMixing => 3,
        ViewStage::ViewDecrypting => 4,
        ViewStage::ViewDone => 5,
        ViewStage::ViewVoid => 6,
    }
}

/// One step of [`view_of_posts`]: judges the stage with this number, if the ceremony has come so
/// far.
pub fn view_of_posts_step(
    seen: CeremonyView,
    terms: &ViewTerms,
    of_stages: &Seq<ViewPost>,
    posts: &Seq<ViewPost>,
    i: usize,
) -> CeremonyView {
    let stage = seen.view_stage;
    if stages_before(stage) == i { judge_next(seen, terms, of_stages, posts, stage) } else { seen }
}

/// What posts say of a ceremony with these terms.
pub fn view_of_posts(terms: &ViewTerms, posts: &Seq<ViewPost>) -> CeremonyView {
    let of_stages = posts_of_stages(posts);
    let mut seen = view_first(terms, &of_stages);
    for i in 0..6 {
        seen = view_of_posts_step(seen, terms, &of_stages, posts, i);
    }
    seen
}
