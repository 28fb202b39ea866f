//! A ceremony as the board shows it.

use std::time::{Duration, Instant};

use aardvark_board::client::server_keys;
use aardvark_board::wire::BoardJson;
use aardvark_board::{BoardClient, ProvedPosts, read_proved};
use aardvark_dictionary::DictionaryId;
use aardvark_mixnet::post::{AdmittedAs, Draft};
use aardvark_mixnet::{Ceremony, CeremonyName, Identity, Kind, Memo, PostKey, Posts, View};
use aardvark_proof::{AnswerProof, Question, Strictness};
use serde_json::{Value, json};

use crate::anchor::{Anchor, AnchorArguments};
use crate::answer_report::merge;
use crate::answers::verify_answer;
use crate::commands::mixnet::args::{OnBoard, Reading};
use crate::commands::mixnet::failure::MixnetFailure;
use crate::commands::table::trust::TrustedHeader;
use crate::failure::Failure;
use crate::hex_text::encode;
use crate::report::Rows;

/// How long to wait for receipts of servers.
const PATIENCE: Duration = Duration::from_secs(120);
/// How long until a board has what the chain's newest header certifies.
const CATCH_UP: Duration = Duration::from_secs(30);
/// Seconds that an answer of a node may take.
pub const SECONDS: u64 = 10;

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
    /// The header that certifies the root, where one was trusted.
    pub header: Option<TrustedHeader>,
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
        if let Some(header) = &self.header {
            merge(&mut json, json!({ "header": header.json() }));
        }
        json
    }

    /// The same for people.
    pub fn rows(&self, rows: Rows) -> Rows {
        let rows = rows.row("board", format!("version {}", self.version));
        let rows = self.root.map_or(rows.clone(), |root| rows.row("root", encode(&root)));
        let rows = if let Anchor::Note(note) = &self.anchor { note.rows(rows) } else { rows };
        self.header.as_ref().map_or(rows.clone(), |header| header.rows(rows))
    }
}

/// Reads all posts of one version of a board under what is trusted, or else under the root that the
/// board names; and judges those of the ceremony that is meant that the memo does not know. Under a
/// header that is trusted, the newest version that one certifies is read, and waited for.
pub fn proved(reading: &Reading, memo: &mut Memo) -> Result<(BoardClient, ProvedView), Failure> {
    let mut board = BoardClient::new(&reading.at.board);
    let header = reading.trust.header(None, SECONDS)?;
    let about = match &header {
        Some(header) => wait_for(&board, header.version())?,
        None => board.about().map_err(MixnetFailure::from)?,
    };
    let wanted = &reading.anchor;
    let (commitments, root, note) = (wanted.commitments.clone(), wanted.root.clone(), wanted.note.clone());
    let anchor = match (&commitments, &root, &note, &header) {
        (None, None, None, Some(header)) => Anchor::Root(header.root()),
        (None, None, None, None) => Anchor::Root(about.root.0),
        _ => AnchorArguments { commitments, root, note, publishers: wanted.publishers.clone() }.read()?,
    };
    let (version, root) = match &anchor {
        Anchor::Root(root) => {
            let newest = header.as_ref().map_or(about.version, TrustedHeader::version);
            (wanted.at_version.unwrap_or(newest), Some(*root))
        }
        Anchor::Note(note) => (note.statement.version(), Some(*note.statement.root())),
        Anchor::Commitments(file) => (file.known()?.version, None),
    };
    let from = reading.archive.as_deref().unwrap_or(board.url());
    let read = match &header {
        Some(header) => certified(header, from)?,
        None => read_under(&anchor, version, from)?,
    };
    let mut posts = Posts::new();
    for (key, value) in read.pairs {
        let posted = board.posted(&key, value).map_err(MixnetFailure::from)?;
        posts.insert(key, posted);
    }
    let view = view_of(&reading.at, read.dictionary, &posts, memo)?;
    Ok((board, ProvedView { view, version, root, anchor, header }))
}

/// All posts of a header's version, from a board or an archive at an address.
///
/// # Errors
/// Proofs that are false, or of another dictionary than that of the genesis.
pub fn certified(header: &TrustedHeader, from: &str) -> Result<ProvedPosts, Failure> {
    let read = read_under(&Anchor::Root(header.root()), header.version(), from)?;
    header.check(&DictionaryId(read.dictionary), read.version)?;
    Ok(read)
}

/// All posts of a version under what is trusted. Pages are asked for with what ties them to a root;
/// under commitments that means nothing.
fn read_under(anchor: &Anchor, version: u64, from: &str) -> Result<ProvedPosts, Failure> {
    read_proved(from, version, |question: &Question, proof: &AnswerProof| match anchor {
        Anchor::Commitments(_) => {
            let untied = AnswerProof { tie: None, ..proof.clone() };
            verify_answer(anchor, question, &untied, Strictness::Format)
        }
        Anchor::Root(_) | Anchor::Note(_) => verify_answer(anchor, question, proof, Strictness::Format),
    })
}

/// What a board says of itself, once it has followed its chain to a version.
fn wait_for(board: &BoardClient, version: u64) -> Result<BoardJson, MixnetFailure> {
    let begun = Instant::now();
    loop {
        let about = board.about()?;
        if about.version >= version {
            return Ok(about);
        }
        if begun.elapsed() > CATCH_UP {
            let behind = format!("the board is at version {}, and the chain certifies {version}", about.version);
            return Err(MixnetFailure::NotThere(behind));
        }
        std::thread::sleep(Duration::from_millis(100));
    }
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

/// Admits whom the terms name, where the board asks for that: servers, senders, queriers.
pub fn admit(
    board: &BoardClient,
    name: &CeremonyName,
    ceremony: &Ceremony,
    organiser: &Identity,
) -> Result<usize, MixnetFailure> {
    if !board.about()?.admissions {
        return Ok(0);
    }
    let servers = ceremony.servers.iter().zip(1..=u8::MAX);
    let servers = servers.map(|(server, number)| (AdmittedAs::Server(number), server.author));
    let senders = ceremony.registry.iter().map(|sender| (AdmittedAs::Sender, sender.key));
    let queriers = ceremony.queriers.iter().map(|querier| (AdmittedAs::Querier, querier.author));
    let key = |(admitted, author)| name.admission_key(admitted, author);
    let keys = servers.chain(queriers).chain(senders).map(key);
    let drafts: Vec<Draft> = keys.map(|key| Draft::new(&name.dictionary, key, Vec::new(), organiser)).collect();
    board.admit(&drafts)?;
    Ok(drafts.len())
}
