//! A ceremony as the board shows it.

use std::time::Duration;

use aardvark_board::BoardClient;
use aardvark_board::client::server_keys;
use aardvark_mixnet::post::Draft;
use aardvark_mixnet::{CeremonyName, Identity, Kind, PostKey, View};

use crate::commands::mixnet::args::OnBoard;
use crate::commands::mixnet::failure::MixnetFailure;

/// How long to wait for receipts of servers.
const PATIENCE: Duration = Duration::from_secs(120);

/// Reads a board, and judges all posts of the ceremony that is meant.
pub fn view(at: &OnBoard) -> Result<(BoardClient, View), MixnetFailure> {
    let mut board = BoardClient::new(&at.board);
    let dictionary = board.about()?.dictionary.0;
    let (_, posts) = board.posts()?;
    let keys = posts.keys().filter_map(|key| PostKey::from_bytes(key).ok());
    let mut meant = keys.filter(|key| {
        key.kind == Kind::Ceremony
            && at.organiser.is_none_or(|organiser| organiser == key.organiser)
            && at.number.is_none_or(|number| number == key.ceremony)
    });
    let none = || MixnetFailure::NotThere("the board has no such ceremony".to_owned());
    let key = meant.next().ok_or_else(none)?;
    if meant.next().is_some() {
        let several = "the board has several ceremonies: say which with --organiser and --number";
        return Err(MixnetFailure::Malformed(several.to_owned()));
    }
    let name = CeremonyName { dictionary, organiser: key.organiser, number: key.ceremony };
    let view = View::of(&name, &posts).map_err(|fault| MixnetFailure::Faulty(Box::new(fault)))?;
    Ok((board, view.ok_or_else(none)?))
}

/// Signs a post and writes it, with receipts if it needs them.
pub fn post(
    board: &BoardClient,
    view: &View,
    key: PostKey,
    body: Vec<u8>,
    author: &Identity,
) -> Result<(), MixnetFailure> {
    let draft = Draft::new(&view.name.dictionary, key, body, author);
    board.write_with_receipts(&draft, &server_keys(view), view.ceremony.threshold(), PATIENCE)?;
    Ok(())
}

/// The same for a ceremony that is not on the board yet.
pub fn post_terms(
    board: &BoardClient,
    draft: &Draft,
    servers: &[[u8; 32]],
    threshold: usize,
) -> Result<(), MixnetFailure> {
    Ok(board.write_with_receipts(draft, servers, threshold, PATIENCE)?)
}
