//! A ceremony as the board shows it.

use std::time::Duration;

use aardvark_board::client::server_keys;
use aardvark_board::{BoardClient, read_proved};
use aardvark_mixnet::post::Draft;
use aardvark_mixnet::{CeremonyName, Identity, Kind, Memo, PostKey, Posts, View};
use aardvark_proof::{AnswerProof, Question, Strictness};
use serde_json::{Value, json};

use crate::anchor::{Anchor, AnchorArguments};
use crate::answer_report::merge;
use crate::answers::verify_answer;
use crate::commands::mixnet::args::{OnBoard, Reading};
use crate::commands::mixnet::failure::MixnetFailure;
use crate::failure::Failure;
use crate::hex_text::encode;
use crate::report::Rows;

/// How long to wait for receipts of servers.
const PATIENCE: Duration = Duration::from_secs(120);

/// Reads a board by its word, and judges all posts of the ceremony that is meant: for those who
/// post, or wait.
pub fn view(at: &OnBoard) -> Result<(BoardClient, View), MixnetFailure> {
    let mut board = BoardClient::new(&at.board);
    let view = look(&mut board, at, &mut Memo::default())?;
    Ok((board, view))
}

/// The same of a board that is read again and again.
pub fn look(board: &mut BoardClient, at: &OnBoard, memo: &mut Memo) -> Result<View, MixnetFailure> {
    let dictionary = board.about()?.dictionary.0;
    board.read()?;
    view_of(at, dictionary, board.posts(), memo)
}

/// A ceremony with the posts of one version of the board, none left out and none added.
pub struct ProvedView {
    /// The ceremony.
    pub view: View,
    /// The version of the board.
    pub version: u64,
    /// What the posts were read under: its state root, where that is known.
    pub root: Option<[u8; 32]>,
    /// What was trusted.
    pub anchor: Anchor,
}

impl ProvedView {
    /// Which version was read, and under what, for programs.
    pub fn json(&self) -> Value {
        let mut json = json!({
            "posts": self.view.written.len() + 1, "version": self.version,
            "root": self.root.map(|root| encode(&root)),
        });
        if let Anchor::Note(note) = &self.anchor {
            merge(&mut json, json!({ "note": note.json() }));
        }
        json
    }

    /// The same for people.
    pub fn rows(&self, rows: Rows) -> Rows {
        let rows = rows.row("board", format!("version {}", self.version));
        let rows = self.root.map_or(rows.clone(), |root| rows.row("root", encode(&root)));
        if let Anchor::Note(note) = &self.anchor { note.rows(rows) } else { rows }
    }
}

/// Reads all posts of one version of a board under what is trusted, or else under the root that the
/// board names; and judges those of the ceremony that is meant that the memo does not know.
pub fn proved(reading: &Reading, memo: &mut Memo) -> Result<(BoardClient, ProvedView), Failure> {
    let board = BoardClient::new(&reading.at.board);
    let about = board.about().map_err(MixnetFailure::from)?;
    let wanted = &reading.anchor;
    let (commitments, root, note) = (wanted.commitments.clone(), wanted.root.clone(), wanted.note.clone());
    let anchor = match (&commitments, &root, &note) {
        (None, None, None) => Anchor::Root(about.root.0),
        _ => AnchorArguments { commitments, root, note, publishers: wanted.publishers.clone() }.read()?,
    };
    let (version, root) = match &anchor {
        Anchor::Root(root) => (wanted.at_version.unwrap_or(about.version), Some(*root)),
        Anchor::Note(note) => (note.statement.version(), Some(*note.statement.root())),
        Anchor::Commitments(file) => (file.known()?.version, None),
    };
    // Pages are asked for with what ties them to a root; under commitments that means nothing.
    let verify = |question: &Question, proof: &AnswerProof| match &anchor {
        Anchor::Commitments(_) => {
            let untied = AnswerProof { tie: None, ..proof.clone() };
            verify_answer(&anchor, question, &untied, Strictness::Format)
        }
        Anchor::Root(_) | Anchor::Note(_) => verify_answer(&anchor, question, proof, Strictness::Format),
    };
    let read = read_proved::<Failure>(board.url(), version, verify)?;
    let mut posts = Posts::new();
    for (key, value) in read.pairs {
        posts.insert(key, board.posted(value).map_err(MixnetFailure::from)?);
    }
    let view = view_of(&reading.at, read.dictionary, &posts, memo)?;
    Ok((board, ProvedView { view, version, root, anchor }))
}

/// The ceremony that is meant, of all posts.
fn view_of(at: &OnBoard, dictionary: [u8; 32], posts: &Posts, memo: &mut Memo) -> Result<View, MixnetFailure> {
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
    let view = memo.view(&name, posts).map_err(|fault| MixnetFailure::Faulty(Box::new(fault)))?;
    view.ok_or_else(none)
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
