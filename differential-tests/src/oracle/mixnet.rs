//! The oracle's word on the mixnet's proofs, on the keys that servers deal, on values in chunks,
//! and on what posts say of a ceremony.

use aardvark_oracle::{ChunkRequest, DealtKeys, MixnetRequest, Safety, Shown, view_text};
use aardvark_spec::convert::{to_seq, to_vec};
use aardvark_spec::mixnet::ceremony_view::{CeremonyView, view_of_posts};
use aardvark_spec::mixnet::counted_post::{ViewPost, ViewTerms};
use aardvark_spec::mixnet::duty::{ServerDuty, duties_of};
use aardvark_spec::mixnet::key_posts::{KeyDealing, KeyTerms, KeyVerdict};
use aardvark_spec::mixnet::servers_read::server_numbers;
use hacspec_lib::Seq;

use super::{Tally, agree, ask, is_built};
use crate::compare::Mismatch;

/// What the specification says of a proof, and the oracle too where it is built.
///
/// # Errors
/// Where the oracle says something else, or that the specification panics.
pub fn proof_holds(asked: &MixnetRequest, shown: &Shown) -> Result<bool, Mismatch> {
    let holds = asked.holds(shown);
    if is_built() {
        let said = ask(|process| process.oracle.mixnet(Safety::Ask, asked, shown))?;
        agree(asked.name(), if holds { "accepted" } else { "refused" }, &said, &mut Tally::default())?;
    }
    Ok(holds)
}

/// What the specification says of dealings and verdicts; the oracle says the same where it is
/// built.
///
/// # Errors
/// Where the oracle says something else, or that the specification panics.
pub fn keys_of(
    terms: &KeyTerms,
    dealings: &Seq<KeyDealing>,
    verdicts: &Seq<KeyVerdict>,
) -> Result<DealtKeys, Mismatch> {
    let dealt = DealtKeys::specified(terms, dealings, verdicts);
    if is_built() {
        let said = ask(|process| process.oracle.mixnet_keys(Safety::Ask, terms, dealings, verdicts))?;
        agree("mixnet_keys", &dealt.text(), &said, &mut Tally::default())?;
    }
    Ok(dealt)
}

/// Whether the oracle says of values in chunks what the specification does, where it is built.
///
/// # Errors
/// Where the oracle says something else, or that the specification panics.
pub fn chunks_agree(asked: &ChunkRequest) -> Result<(), Mismatch> {
    if !is_built() {
        return Ok(());
    }
    let said = ask(|process| process.oracle.mixnet_chunks(Safety::Ask, asked))?;
    agree(asked.name(), &asked.specified(), &said, &mut Tally::default())
}

/// What the specification says of posts, and what each server must post next; the oracle says the
/// same where it is built.
///
/// # Errors
/// Where the oracle says something else, or that the specification panics.
pub fn view_of(terms: &ViewTerms, posts: &Seq<ViewPost>) -> Result<(CeremonyView, Vec<Vec<ServerDuty>>), Mismatch> {
    let view = view_of_posts(terms, posts);
    let numbers = to_vec(&server_numbers(terms));
    let duties: Vec<_> = numbers.iter().map(|number| duties_of(terms, posts, &view, *number)).collect();
    if is_built() {
        let said = ask(|process| process.oracle.mixnet_view(Safety::Ask, terms, posts))?;
        agree("mixnet_view", &view_text(&view, &to_seq(duties.clone())), &said, &mut Tally::default())?;
    }
    Ok((view, duties.iter().map(to_vec).collect()))
}
