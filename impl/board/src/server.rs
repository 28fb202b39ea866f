//! A server of ceremonies: reads the board, verifies it, does its duties, gives receipts.
//!
//! Everything that it posts follows from its seed and the board. It is written to the journal
//! first; so after a kill at any moment the same bytes go out, and a board that shows something
//! else later gets nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use aardvark_mixnet::identity::AuthorKey;
use aardvark_mixnet::post::{Draft, receipt};
use aardvark_mixnet::{Ceremony, CeremonyName, Duty, Fault, Identity, Kind, Memo, PostKey, Posts, View};
use aardvark_proof::hex_text::HexArray;

use crate::bodies::write_whole;
use crate::certified::{Certifying, certified_posts};
use crate::client::{BoardClient, ClientError, server_keys};
use crate::history::History;
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
    /// A chain that certifies another dictionary than the board shows.
    #[error("OtherDictionary: the board's is not the one that the chain certifies")]
    OtherDictionary,
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
    /// The file of what was seen of the board.
    seen_file: std::path::PathBuf,
    seen: Option<History>,
    /// What was seen of the board when it showed duties that no header certified yet.
    uncertified: Option<History>,
    /// The newest certified version whose posts were acted upon.
    certified: Option<u64>,
    /// What was found of the posts of each ceremony, by organiser and number.
    memos: BTreeMap<(AuthorKey, u32), Memo>,
    receipted: BTreeSet<[u8; 32]>,
    /// Drafts that are none of its own, so as not to read their bodies again.
    passed_over: BTreeSet<[u8; 32]>,
    waiting: Vec<Waiting>,
}

/// A post that the board has not taken yet.
#[derive(Debug)]
struct Waiting {
    draft: Draft,
    /// Whose receipts it needs where its body is long, and of how many.
    servers: Vec<AuthorKey>,
    threshold: usize,
}

/// What a look at the board found.
struct Look {
    dictionary: [u8; 32],
    /// What was seen, where posts came since all was served.
    unserved: Option<History>,
    /// Whether there was something to do.
    worked: bool,
}

/// Why a board on a chain does not take a post at once, and may take it later.
const NOT_NOW: [&str; 3] = ["not-admitted", "not-yet", "chain-silent"];
/// Drafts of others that are remembered.
const MOST_PASSED_OVER: usize = 1 << 16;

impl Process {
    /// A server with its files in a directory: `journal`, `bodies`, and `seen`, what it saw of the
    /// board.
    pub fn open(
        home: &Path,
        identity: Identity,
        board: &str,
        organiser: Option<[u8; 32]>,
    ) -> Result<Self, ProcessError> {
        let bodies = home.join("bodies");
        std::fs::create_dir_all(&bodies)?;
        let seen_file = home.join("seen");
        let seen = History::read(&seen_file).map_err(ClientError::from)?;
        Ok(Self {
            identity,
            journal: Journal::open(&home.join("journal"))?,
            bodies,
            board: BoardClient::new(board).expecting(seen),
            organiser,
            seen_file,
            seen: None,
            uncertified: None,
            certified: None,
            memos: BTreeMap::new(),
            receipted: BTreeSet::new(),
            passed_over: BTreeSet::new(),
            waiting: Vec::new(),
        })
    }

    /// Looks at the board once, and does what there is to do; whether there was something.
    pub fn step(&mut self) -> Result<bool, ProcessError> {
        let look = self.look()?;
        let Some(seen) = look.unserved else { return Ok(look.worked) };
        let views = self.views(look.dictionary, None);
        let worked = self.serve_all(&views)?;
        self.seen = Some(seen);
        Ok(look.worked || worked)
    }

    /// The same, but acts upon certified posts only. They are asked for where the board shows
    /// duties, and again until all that it shows is certified.
    ///
    /// # Errors
    /// Those of [`Process::step`] and of whoever certifies; [`HistoryError::Forked`] where the
    /// board showed another value than a certified one.
    ///
    /// [`HistoryError::Forked`]: crate::HistoryError::Forked
    pub fn step_under<E: From<ProcessError>>(&mut self, certifying: &mut Certifying<'_, E>) -> Result<bool, E> {
        let look = self.look()?;
        let Some(seen) = look.unserved else { return Ok(look.worked) };
        if self.uncertified != Some(seen) {
            let views = self.views(look.dictionary, None);
            if !views.iter().any(|view| self.has_duties(view)) {
                self.seen = Some(seen);
                return Ok(look.worked);
            }
            self.uncertified = Some(seen);
        }
        let Some(proved) = certifying(self.certified)? else { return Ok(look.worked) };
        if proved.dictionary != look.dictionary {
            return Err(ProcessError::OtherDictionary.into());
        }
        let version = proved.version;
        let posts = certified_posts(proved, &mut self.board).map_err(ProcessError::from)?;
        let views = self.views(look.dictionary, Some(&posts));
        let worked = self.serve_all(&views)?;
        self.certified = Some(version);
        if posts.len() as u64 >= seen.version {
            self.seen = Some(seen);
        }
        Ok(look.worked || worked)
    }

    /// Reads the board, and does what needs no view: receipts, and posts that waited.
    fn look(&mut self) -> Result<Look, ProcessError> {
        let about = self.board.about()?;
        let dictionary = about.dictionary.0;
        let mut worked = false;
        if about.drafts > 0 {
            worked |= self.give_receipts(dictionary)?;
        }
        worked |= self.finish_waiting(&dictionary)?;
        if self.seen.is_some_and(|seen| seen.version == about.posts) {
            return Ok(Look { dictionary, unserved: None, worked });
        }
        let seen = self.board.read()?;
        // What it acts upon it has seen, whatever the board shows later.
        seen.write(&self.seen_file).map_err(ClientError::from)?;
        Ok(Look { dictionary, unserved: Some(seen), worked })
    }

    fn serve_all(&mut self, views: &[View]) -> Result<bool, ProcessError> {
        views.iter().try_fold(false, |worked, view| Ok(self.serve(view)? || worked))
    }

    fn has_duties(&self, view: &View) -> bool {
        let server = view.ceremony.server_of(&self.identity.author());
        server.is_some_and(|server| !view.duties(server).is_empty())
    }

    /// The ceremonies that it serves, by these posts, or else by those that the board shows.
    fn views(&mut self, dictionary: [u8; 32], posts: Option<&Posts>) -> Vec<View> {
        let posts = posts.unwrap_or(self.board.posts());
        let terms = posts.keys().filter_map(|key| PostKey::from_bytes(key).ok());
        let wanted = terms.filter(|key| {
            key.kind == Kind::Ceremony && self.organiser.is_none_or(|organiser| organiser == key.organiser)
        });
        let mut views = Vec::new();
        for key in wanted {
            let name = CeremonyName { dictionary, organiser: key.organiser, number: key.ceremony };
            let memo = self.memos.entry((key.organiser, key.ceremony)).or_default();
            // Posts of a ceremony that is none of its own are not looked at.
            let ceremony = memo.terms(&name, posts);
            if ceremony.is_some_and(|ceremony| ceremony.server_of(&self.identity.author()).is_some()) {
                views.extend(memo.view(&name, posts).ok().flatten());
            }
        }
        views
    }

    /// Does a ceremony's duties.
    fn serve(&mut self, view: &View) -> Result<bool, ProcessError> {
        let Some(server) = view.ceremony.server_of(&self.identity.author()) else { return Ok(false) };
        let mut worked = false;
        for duty in view.duties(server) {
            let key = view.duty_key(duty, server);
            if self.waiting.iter().any(|waiting| waiting.draft.key == key) {
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
                let waits = self.submit(&draft)?;
                fail_point("after-body");
                if !waits {
                    continue;
                }
                let (servers, threshold) = (server_keys(view), view.ceremony.threshold());
                self.waiting.push(Waiting { draft, servers, threshold });
            } else if !self.write(&draft, Vec::new())? {
                self.waiting.push(Waiting { draft, servers: Vec::new(), threshold: 0 });
                continue;
            }
            worked = true;
        }
        Ok(worked)
    }

    /// Posts a draft; whether nothing is left to do. A board on a chain can have it wait.
    fn write(&self, draft: &Draft, receipts: Vec<aardvark_mixnet::post::Receipt>) -> Result<bool, ProcessError> {
        match self.board.write(draft, receipts) {
            // The organiser was tired of waiting.
            Err(ClientError::Refused { reason, .. }) if reason == "gate-closed" => Ok(true),
            Err(ClientError::Refused { reason, .. }) if NOT_NOW.contains(&reason.as_str()) => {
                tracing::info!(kind = ?draft.key.kind, reason, "a post waits");
                Ok(false)
            }
            written => {
                written?;
                fail_point("after-post");
                Ok(true)
            }
        }
    }

    /// Posts what has receipts of t servers, and what the board did not take before.
    fn finish_waiting(&mut self, dictionary: &[u8; 32]) -> Result<bool, ProcessError> {
        let (mut left, mut worked, mut failed) = (Vec::new(), false, None);
        for waiting in core::mem::take(&mut self.waiting) {
            match self.finish(&waiting, dictionary) {
                Ok(true) => worked = true,
                Ok(false) => left.push(waiting),
                // What fails is tried again, and nothing else waits for it.
                Err(error) => {
                    left.push(waiting);
                    failed.get_or_insert(error);
                }
            }
        }
        self.waiting = left;
        failed.map_or(Ok(worked), Err)
    }

    /// Whether nothing is left to do for a post that waited. Sends again what the board has
    /// forgotten.
    fn finish(&self, waiting: &Waiting, dictionary: &[u8; 32]) -> Result<bool, ProcessError> {
        let Waiting { draft, servers, threshold } = waiting;
        if !draft.needs_receipts() {
            return self.write(draft, Vec::new());
        }
        match self.board.receipts(dictionary, draft, servers, *threshold)? {
            Some(receipts) if receipts.len() >= *threshold => self.write(draft, receipts),
            Some(_) => Ok(false),
            None => Ok(!self.submit(draft)?),
        }
    }

    /// Asks for receipts; whether they have to be waited for.
    fn submit(&self, draft: &Draft) -> Result<bool, ProcessError> {
        match self.board.submit(draft) {
            Err(ClientError::Refused { reason, .. }) if reason == "posted" || reason == "gate-closed" => Ok(false),
            submitted => Ok(submitted.map(|()| true)?),
        }
    }

    /// The server's number in the ceremony of a draft, of its terms too.
    fn number_in(&mut self, key: &PostKey, body: &[u8], dictionary: [u8; 32]) -> Option<u16> {
        if key.kind == Kind::Ceremony {
            return Ceremony::from_bytes(body).ok()?.server_of(&self.identity.author());
        }
        let name = CeremonyName { dictionary, organiser: key.organiser, number: key.ceremony };
        let memo = self.memos.get_mut(&(key.organiser, key.ceremony))?;
        let ceremony = memo.terms(&name, self.board.posts())?;
        let author = &key.author;
        // Nobody else has a post that needs receipts.
        let takes_part =
            ceremony.server_of(author).is_some() || ceremony.rules.anyone || ceremony.querier(author).is_some();
        ceremony.server_of(&self.identity.author()).filter(|_| takes_part)
    }

    /// Keeps the bodies of drafts, and says so.
    fn give_receipts(&mut self, dictionary: [u8; 32]) -> Result<bool, ProcessError> {
        let mut worked = false;
        for (post, draft) in self.board.drafts(&dictionary)? {
            let given = draft.receipts.iter().any(|receipt| receipt.author.0 == self.identity.author());
            if !given && !self.passed_over.contains(&post) {
                worked |= self.give_receipt(post, &draft, dictionary)?;
            }
        }
        Ok(worked)
    }

    /// Notes that a draft is not this server's to keep.
    fn pass_over(&mut self, post: [u8; 32]) -> bool {
        if self.passed_over.len() >= MOST_PASSED_OVER {
            self.passed_over.clear();
        }
        self.passed_over.insert(post);
        false
    }

    fn give_receipt(&mut self, post: [u8; 32], draft: &DraftJson, dictionary: [u8; 32]) -> Result<bool, ProcessError> {
        let Ok(key) = PostKey::from_bytes(&draft.key.0) else { return Ok(self.pass_over(post)) };
        let wanted = self.organiser.is_none_or(|organiser| organiser == key.organiser);
        if !wanted || !aardvark_mixnet::identity::is_signed(&key.signer(), &post, &draft.signature.0) {
            return Ok(self.pass_over(post));
        }
        // The body comes after the draft.
        let Some(body) = self.board.body(&draft.body.0)? else { return Ok(false) };
        if body.len() as u64 != draft.length {
            return Ok(self.pass_over(post));
        }
        let Some(server) = self.number_in(&key, &body, dictionary) else {
            // The terms may be on the board at the next look.
            return Ok(key.kind == Kind::Ceremony && self.pass_over(post));
        };
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
