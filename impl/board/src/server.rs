//! A server of ceremonies: reads the board, verifies it, does its duties, gives receipts.
//!
//! Everything that it posts follows from its seed and the board. It is written to the journal
//! first; so after a kill at any moment the same bytes go out, and a board that shows something
//! else later gets nothing.

use std::collections::BTreeSet;
use std::path::Path;

use aardvark_mixnet::post::{Draft, body_digest, receipt};
use aardvark_mixnet::view::PostFault;
use aardvark_mixnet::{Ceremony, CeremonyName, Duty, Fault, Identity, Kind, PostKey, Posts, View};
use aardvark_proof::hex_text::HexArray;

use crate::board::write_whole;
use crate::client::{BoardClient, ClientError, server_keys};
use crate::journal::{Journal, JournalError};
use crate::wire::{DraftJson, ReceiptJson};

/// Why a server cannot go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProcessError {
    /// The board.
    #[error(transparent)]
    Board(#[from] ClientError),
    /// The journal.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A file of the server's home.
    #[error("{0}")]
    File(#[from] std::io::Error),
    /// A duty that cannot be done.
    #[error("{0:?}: {1}")]
    Duty(Duty, Fault),
}

/// Aborts the process at a place that the environment names, as a power cut would: for tests.
fn fail_point(name: &str) {
    if std::env::var("AARDVARK_FAIL_POINT").is_ok_and(|wanted| wanted == name) {
        tracing::error!(name, "killed at a fail point");
        std::process::abort();
    }
}

/// A server at a board.
#[derive(Debug)]
pub struct Process {
    identity: Identity,
    journal: Journal,
    bodies: std::path::PathBuf,
    board: BoardClient,
    /// The organiser whose ceremonies it serves; any if none is named.
    organiser: Option<[u8; 32]>,
    seen: Option<u64>,
    posts: Posts,
    receipted: BTreeSet<[u8; 32]>,
    waiting: Vec<(Draft, Vec<[u8; 32]>, usize)>,
}

impl Process {
    /// A server with its files in a directory: `journal` and `bodies`.
    pub fn open(
        home: &Path,
        identity: Identity,
        board: &str,
        organiser: Option<[u8; 32]>,
    ) -> Result<Self, ProcessError> {
        let bodies = home.join("bodies");
        std::fs::create_dir_all(&bodies)?;
        Ok(Self {
            identity,
            journal: Journal::open(&home.join("journal"))?,
            bodies,
            board: BoardClient::new(board),
            organiser,
            seen: None,
            posts: Posts::new(),
            receipted: BTreeSet::new(),
            waiting: Vec::new(),
        })
    }

    /// Looks at the board once, and does what there is to do; whether there was something.
    pub fn step(&mut self) -> Result<bool, ProcessError> {
        let about = self.board.about()?;
        let mut worked = false;
        if about.drafts > 0 {
            worked |= self.give_receipts(about.dictionary.0)?;
            worked |= self.finish_waiting()?;
        } else {
            // A board that was started again has forgotten them.
            self.waiting.iter().try_for_each(|(draft, _, _)| self.board.submit(draft))?;
        }
        if self.seen == Some(about.version) {
            return Ok(worked);
        }
        let (version, posts) = self.board.posts()?;
        self.posts = posts;
        for view in self.views(about.dictionary.0) {
            worked |= self.serve(&view)?;
        }
        self.seen = Some(version);
        Ok(worked)
    }

    /// The ceremonies that it serves.
    fn views(&self, dictionary: [u8; 32]) -> Vec<View> {
        let keys = self.posts.keys().filter_map(|key| PostKey::from_bytes(key).ok());
        let terms = keys.filter(|key| key.kind == Kind::Ceremony);
        let wanted = terms.filter(|key| self.organiser.is_none_or(|organiser| organiser == key.organiser));
        let views = wanted.filter_map(|key| {
            let name = CeremonyName { dictionary, organiser: key.organiser, number: key.ceremony };
            let view: Result<Option<View>, PostFault> = View::of(&name, &self.posts);
            view.ok().flatten()
        });
        views.filter(|view| view.ceremony.server_of(&self.identity.author()).is_some()).collect()
    }

    /// Does a ceremony's duties.
    fn serve(&mut self, view: &View) -> Result<bool, ProcessError> {
        let Some(server) = view.ceremony.server_of(&self.identity.author()) else { return Ok(false) };
        let mut worked = false;
        for duty in view.duties(server) {
            let key = view.duty_key(duty, server);
            if self.waiting.iter().any(|(draft, _, _)| draft.key == key) {
                continue;
            }
            let body = match view.perform(duty, server, &self.identity) {
                Ok(body) => body,
                // Shares that do not fit the keys are not used.
                Err(fault) if matches!(duty, Duty::Shares | Duty::AnswerShares(_)) => {
                    tracing::error!(%fault, "no shares are posted");
                    continue;
                }
                Err(fault) => return Err(ProcessError::Duty(duty, fault)),
            };
            let draft = Draft::new(&view.name.dictionary, key, body, &self.identity);
            fail_point("before-journal");
            if let Some(asked) = duty.query().and_then(|id| view.query(&id)) {
                // One query for each of a querier's numbers.
                self.journal.enter(&asked.key.to_bytes(), &asked.id)?;
            }
            self.journal.enter(&draft.key.to_bytes(), &draft.digest)?;
            fail_point("after-journal");
            tracing::info!(?duty, server, "posting");
            if draft.needs_receipts() {
                self.board.submit(&draft)?;
                fail_point("after-body");
                self.waiting.push((draft, server_keys(view), view.ceremony.threshold()));
            } else {
                self.write(&draft, Vec::new())?;
            }
            worked = true;
        }
        Ok(worked)
    }

    fn write(&self, draft: &Draft, receipts: Vec<aardvark_mixnet::post::Receipt>) -> Result<(), ProcessError> {
        match self.board.write(draft, receipts) {
            // The organiser was tired of waiting.
            Err(ClientError::Refused { reason, .. }) if reason == "gate-closed" => {}
            written => written?,
        }
        fail_point("after-post");
        Ok(())
    }

    /// Posts what has receipts of t servers.
    fn finish_waiting(&mut self) -> Result<bool, ProcessError> {
        let (mut left, mut worked) = (Vec::new(), false);
        for (draft, servers, threshold) in core::mem::take(&mut self.waiting) {
            let receipts = self.board.receipts(&draft, &servers)?;
            if receipts.len() >= threshold {
                self.write(&draft, receipts)?;
                worked = true;
            } else {
                left.push((draft, servers, threshold));
            }
        }
        self.waiting = left;
        Ok(worked)
    }

    /// The server's number in the ceremony of a draft, of its terms too.
    fn number_in(&self, key: &PostKey, body: &[u8], dictionary: [u8; 32]) -> Option<u16> {
        let wanted = self.organiser.is_none_or(|organiser| organiser == key.organiser);
        let name = CeremonyName { dictionary, organiser: key.organiser, number: key.ceremony };
        let of_terms = || Ceremony::from_bytes(body).ok()?.server_of(&self.identity.author());
        let of_ceremony = || {
            let ceremony = View::terms(&name, &self.posts)?;
            let author = &key.author;
            // Nobody else has a post that needs receipts.
            let takes_part =
                ceremony.server_of(author).is_some() || ceremony.rules.anyone || ceremony.querier(author).is_some();
            ceremony.server_of(&self.identity.author()).filter(|_| takes_part)
        };
        let number = if key.kind == Kind::Ceremony { of_terms() } else { of_ceremony() };
        number.filter(|_| wanted)
    }

    /// Keeps the bodies of drafts, and says so.
    fn give_receipts(&mut self, dictionary: [u8; 32]) -> Result<bool, ProcessError> {
        let mut worked = false;
        for draft in self.board.drafts()? {
            worked |= self.give_receipt(&draft, dictionary)?;
        }
        Ok(worked)
    }

    fn give_receipt(&mut self, draft: &DraftJson, dictionary: [u8; 32]) -> Result<bool, ProcessError> {
        let Ok(key) = PostKey::from_bytes(&draft.key.0) else { return Ok(false) };
        let post = key.digest(&dictionary, draft.length, &draft.body.0);
        let given = draft.receipts.iter().any(|receipt| receipt.author.0 == self.identity.author());
        if given || !aardvark_mixnet::identity::is_signed(&key.author, &post, &draft.signature.0) {
            return Ok(false);
        }
        let Some(body) = self.board.body(&draft.body.0)? else { return Ok(false) };
        let Some(server) = self.number_in(&key, &body, dictionary) else { return Ok(false) };
        if body.len() as u64 != draft.length || body_digest(&body) != draft.body.0 {
            return Ok(false);
        }
        if self.receipted.insert(post) {
            write_whole(&self.bodies.join(aardvark_proof::hex_text::encode(&draft.body.0)), &body)?;
        }
        let given = receipt(&post, server, &self.identity);
        self.board.give_receipt(&ReceiptJson {
            post: HexArray(post),
            server,
            author: HexArray(self.identity.author()),
            signature: HexArray(given.signature),
        })?;
        Ok(true)
    }
}
