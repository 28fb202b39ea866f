//! Who may write what: a post is taken only where the terms of its ceremony, which are on the board
//! already, name its author for it. All else about it the readers judge.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use aardvark_archive::Snapshot;
use aardvark_dictionary::Key;
use aardvark_mixnet::identity::AuthorKey;
use aardvark_mixnet::post::{Content, PostValue};
use aardvark_mixnet::query::query_id;
use aardvark_mixnet::view::is_authorised;
use aardvark_mixnet::{Ceremony, CeremonyName, Kind, PostKey};
use aardvark_proof::{Answer, KeyRange, Question, Region};
use aardvark_sigma::Digest;

use crate::bodies::Bodies;
use crate::error::BoardError;

/// Ceremonies whose terms are held.
const MOST_HELD: usize = 64;

/// A ceremony on the board.
#[derive(Debug)]
pub(crate) struct Terms {
    /// What its organiser posted first.
    pub(crate) ceremony: Arc<Ceremony>,
    /// The ids of its queries, legal ones and others.
    queries: HashSet<Digest>,
}

/// The terms that posts were admitted by lately.
#[derive(Debug, Default)]
pub(crate) struct Admission {
    held: BTreeMap<(AuthorKey, u32), Terms>,
}

/// The body of a value.
pub(crate) fn body_of(value: PostValue, bodies: &Bodies) -> Result<Vec<u8>, BoardError> {
    match value.content {
        Content::Inline(body) => Ok(body),
        Content::Stored { digest, .. } => match std::fs::read(bodies.path(&digest)) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Err(BoardError::BodyMissing),
            read => Ok(read?),
        },
    }
}

impl Terms {
    /// The keys of the servers, in their order.
    pub(crate) fn servers(&self) -> Vec<AuthorKey> {
        self.ceremony.servers.iter().map(|server| server.author).collect()
    }

    /// Whether an author may write under a key: as the terms have it, under a number that the rules
    /// have, about a query that is there, and only of servers that there are.
    fn admit(&self, key: &PostKey) -> bool {
        let may_ask = || self.ceremony.rules.anyone || self.ceremony.querier(&key.author).is_some();
        let in_rules = match key.kind {
            Kind::Query => key.sequence < self.ceremony.rules.queries,
            Kind::Opening => may_ask(),
            Kind::Absent => key.absentee().is_some_and(|(_, server)| self.ceremony.server(server).is_some()),
            _ => true,
        };
        let asked = key.query.is_none_or(|id| self.queries.contains(&id));
        in_rules && asked && is_authorised(key, &self.ceremony)
    }
}

impl Admission {
    /// The terms of a key's ceremony; read from the board where they are not held.
    fn terms(&mut self, key: &PostKey, archive: &Snapshot, bodies: &Bodies) -> Result<Option<&Terms>, BoardError> {
        let named = (key.organiser, key.ceremony);
        if !self.held.contains_key(&named) {
            let Some(terms) = read(key, archive, bodies)? else { return Ok(None) };
            if self.held.len() >= MOST_HELD {
                self.held.pop_first();
            }
            self.held.insert(named, terms);
        }
        Ok(self.held.get(&named))
    }

    /// The terms of a key's ceremony, if its author may write under the key.
    pub(crate) fn admit(&mut self, key: &PostKey, archive: &Snapshot, bodies: &Bodies) -> Result<&Terms, BoardError> {
        let terms = self.terms(key, archive, bodies)?.ok_or(BoardError::TermsMissing)?;
        if terms.admit(key) { Ok(terms) } else { Err(BoardError::NotAuthorised) }
    }

    /// A query was posted.
    pub(crate) fn enter_query(&mut self, key: &PostKey, body: &[u8]) {
        if let Some(terms) = self.held.get_mut(&(key.organiser, key.ceremony)) {
            terms.queries.insert(query_id(body));
        }
    }
}

/// Reads a ceremony and its queries' ids.
fn read(key: &PostKey, archive: &Snapshot, bodies: &Bodies) -> Result<Option<Terms>, BoardError> {
    let name = CeremonyName { dictionary: archive.id().0, organiser: key.organiser, number: key.ceremony };
    let body = |value: &[u8]| body_of(PostValue::from_bytes(value).map_err(BoardError::Malformed)?, bodies);
    let Some(value) = archive.get(&Key::from(name.terms_key().to_bytes()), archive.version())? else {
        return Ok(None);
    };
    let ceremony = Ceremony::from_bytes(&body(&value)?).map_err(BoardError::Malformed)?;
    let mut prefix = name.prefix();
    prefix.push(Kind::Query as u8);
    let range = KeyRange::of_prefix(Key::from(prefix), None);
    let mut queries = HashSet::new();
    if let Answer::Range(found) = archive.answer(&Question::Region(Region::Range(range)), archive.version())? {
        for entry in found.entries {
            match body(&entry.value) {
                // It lies at another board of the chain.
                Err(BoardError::BodyMissing) => {}
                body => drop(queries.insert(query_id(&body?))),
            }
        }
    }
    Ok(Some(Terms { ceremony: Arc::new(ceremony), queries }))
}
