//! A ceremony: what its organiser posts first. Everything that comes after is judged by it.

use aardvark_algebra::TaggedHash;
use aardvark_sigma::chunks::MOST_BYTES;
use aardvark_sigma::{Digest, List};

use crate::codec::{Reader, text_bytes};
use crate::fault::{Fault, FaultKind};
use crate::identity::{AuthorKey, KeyUse, KnownKey};
use crate::input::Sender;
use crate::query::{Query, Reveal, TraceDirection};

/// The version of a ceremony's bytes.
const VERSION: u8 = 1;

/// A server of a ceremony; its number is its place, from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Server {
    /// Its Ed25519 key.
    pub author: AuthorKey,
    /// N, the key under which it gets its shares.
    pub transport: KnownKey,
}

/// A querier whom the ceremony names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Querier {
    /// Its Ed25519 key.
    pub author: AuthorKey,
    /// P, if it may ask privately.
    pub reading: Option<KnownKey>,
}

/// Who may ask what. An answer itself can give a sender away, so this is for the ceremony to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Whether everybody may ask, not only the named queriers.
    pub anyone: bool,
    /// Whether answers may be private.
    pub private: bool,
    /// Whether `each` may be asked of outputs with equal values.
    pub repeated: bool,
    /// Which directions: bit 0 trace-in, bit 1 trace-out.
    pub directions: u8,
    /// Which answers: bit 0 `each`, bit 1 `any`, bit 2 `count`.
    pub reveals: u8,
    /// How many queries a querier has; they have the numbers from 0.
    pub queries: u16,
}

impl Default for Rules {
    /// Both directions, all answers, private ones too, 100 queries for each of the named queriers.
    fn default() -> Self {
        Self { anyone: false, private: true, repeated: false, directions: 3, reveals: 7, queries: 100 }
    }
}

impl Rules {
    fn flags(&self) -> u8 {
        u8::from(self.anyone) | u8::from(self.private) << 1 | u8::from(self.repeated) << 2
    }

    /// Whether the rules allow a query by its form and number.
    #[must_use]
    pub fn allow(&self, query: &Query) -> bool {
        let direction = match query.direction {
            TraceDirection::In => 1,
            TraceDirection::Out => 2,
        };
        let reveal = match query.reveal {
            Reveal::Each => 1,
            Reveal::Any => 2,
            Reveal::Count => 4,
        };
        self.directions & direction != 0
            && self.reveals & reveal != 0
            && query.number < self.queries
            && (self.private || query.reader.is_none())
    }
}

/// A ceremony's terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ceremony {
    /// What it is about.
    pub title: String,
    /// v: bytes of a value; even, 2 to 32.
    pub value_bytes: u8,
    /// t: how many servers decrypt; fewer learn nothing.
    pub threshold: u8,
    /// The servers, in the order in which they mix; at most 255.
    pub servers: Vec<Server>,
    /// The named queriers.
    pub queriers: Vec<Querier>,
    /// Who may ask what.
    pub rules: Rules,
    /// Without so many valid inputs the ceremony is void.
    pub least: u32,
    /// Who may send, in ascending order of keys.
    pub registry: Vec<Sender>,
}

impl Ceremony {
    /// `u8 1 || title || u8 v || u8 t || u8 m || servers || u16 count || queriers || u8 flags || u8
    /// directions || u8 reveals || u16 queries || u32 least || u32 count || registry`. Strings have
    /// a length of two bytes before them; a server is its key (32) and N with proof (128), a
    /// querier its key, a byte 0 or 1, and P with proof if that is 1, a registered sender its key
    /// and label.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![VERSION];
        bytes.extend(text_bytes(&self.title));
        bytes.extend([self.value_bytes, self.threshold, self.servers.len() as u8]);
        for server in &self.servers {
            bytes.extend(server.author);
            bytes.extend(server.transport.to_bytes());
        }
        bytes.extend((self.queriers.len() as u16).to_be_bytes());
        for querier in &self.queriers {
            bytes.extend(querier.author);
            bytes.push(u8::from(querier.reading.is_some()));
            bytes.extend(querier.reading.iter().flat_map(KnownKey::to_bytes));
        }
        bytes.extend([self.rules.flags(), self.rules.directions, self.rules.reveals]);
        bytes.extend(self.rules.queries.to_be_bytes());
        bytes.extend(self.least.to_be_bytes());
        bytes.extend((self.registry.len() as u32).to_be_bytes());
        for sender in &self.registry {
            bytes.extend(sender.key);
            bytes.extend(text_bytes(&sender.label));
        }
        bytes
    }

    /// The ceremony of these bytes: canonical, legal, and all keys' proofs true.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Fault> {
        let malformed = Fault::new(FaultKind::Malformed);
        let mut reader = Reader::new(bytes);
        if reader.u8()? != VERSION {
            return Err(malformed);
        }
        let title = reader.text()?;
        let (value_bytes, threshold, servers) = (reader.u8()?, reader.u8()?, reader.u8()?);
        // Each part reads its bytes before it is kept, so that a count alone allocates nothing.
        let mut ceremony = Self {
            title,
            value_bytes,
            threshold,
            servers: Vec::new(),
            queriers: Vec::new(),
            rules: Rules::default(),
            least: 0,
            registry: Vec::new(),
        };
        for _ in 0..servers {
            ceremony.servers.push(Server { author: reader.array()?, transport: KnownKey::read(&mut reader)? });
        }
        for _ in 0..reader.u16()? {
            let author = reader.array()?;
            let reading = if reader.flag()? { Some(KnownKey::read(&mut reader)?) } else { None };
            ceremony.queriers.push(Querier { author, reading });
        }
        let (flags, directions, reveals) = (reader.u8()?, reader.u8()?, reader.u8()?);
        ceremony.rules = Rules {
            anyone: flags & 1 != 0,
            private: flags & 2 != 0,
            repeated: flags & 4 != 0,
            directions,
            reveals,
            queries: reader.u16()?,
        };
        ceremony.least = reader.u32()?;
        for _ in 0..reader.u32()? {
            ceremony.registry.push(Sender { key: reader.array()?, label: reader.text()? });
        }
        reader.finish()?;
        if !ceremony.is_legal() || ceremony.rules.flags() != flags {
            return Err(malformed);
        }
        ceremony.check_keys()?;
        Ok(ceremony)
    }

    fn is_legal(&self) -> bool {
        let value_bytes = usize::from(self.value_bytes);
        let different = |keys: Vec<&AuthorKey>| {
            let mut sorted = keys;
            sorted.sort_unstable();
            sorted.windows(2).all(|pair| matches!(pair, [a, b] if a != b))
        };
        (2..=MOST_BYTES).contains(&value_bytes)
            && value_bytes.is_multiple_of(2)
            && (1..=self.servers.len()).contains(&usize::from(self.threshold))
            && self.servers.len() <= usize::from(u8::MAX)
            && self.rules.directions & !3 == 0
            && self.rules.reveals & !7 == 0
            // One input is its sender's output.
            && self.least >= 2
            && different(self.servers.iter().map(|server| &server.author).collect())
            && different(self.queriers.iter().map(|querier| &querier.author).collect())
            && self.registry.windows(2).all(|pair| matches!(pair, [a, b] if a.key < b.key))
    }

    fn check_keys(&self) -> Result<(), Fault> {
        let servers = self.servers.iter().all(|server| server.transport.holds(KeyUse::Transport, &server.author));
        let queriers = self.queriers.iter().all(|querier| {
            querier.reading.as_ref().is_none_or(|reading| reading.holds(KeyUse::Reading, &querier.author))
        });
        if servers && queriers { Ok(()) } else { Err(Fault::new(FaultKind::KeyProofFalse)) }
    }

    /// w: numbers of a value.
    pub fn numbers(&self) -> usize {
        usize::from(self.value_bytes) / 2
    }

    /// Keys that are dealt: one for queries, one for each number.
    pub fn keys(&self) -> usize {
        self.numbers() + 1
    }

    /// t.
    pub fn threshold(&self) -> usize {
        usize::from(self.threshold)
    }

    /// The servers' numbers.
    pub fn server_numbers(&self) -> core::ops::RangeInclusive<u16> {
        1..=self.servers.len() as u16
    }

    /// The server with this number.
    pub fn server(&self, number: u16) -> Option<&Server> {
        usize::from(number).checked_sub(1).and_then(|place| self.servers.get(place))
    }

    /// The number of the server with this key.
    pub fn server_of(&self, author: &AuthorKey) -> Option<u16> {
        self.server_numbers().zip(&self.servers).find(|(_, server)| server.author == *author).map(|(number, _)| number)
    }

    /// The registered sender with this key.
    pub fn sender(&self, author: &AuthorKey) -> Option<&Sender> {
        let place = self.registry.binary_search_by(|sender| sender.key.cmp(author)).ok()?;
        self.registry.get(place)
    }

    /// The named querier with this key.
    pub fn querier(&self, author: &AuthorKey) -> Option<&Querier> {
        self.queriers.iter().find(|querier| querier.author == *author)
    }

    /// All transport keys, in the order of the servers.
    pub fn transport_keys(&self) -> List {
        List::computed(self.servers.iter().map(|server| server.transport.point.at(0, 0)).collect(), 1)
    }

    /// ceil((m + t) / 2): so many servers agree on a mix before it is decrypted. Two such sets have
    /// t servers in common, one of them honest.
    pub fn quorum(&self) -> usize {
        (self.servers.len() + self.threshold()).div_ceil(2)
    }

    /// `H("..CEREMONY", dictionary || key || bytes)`: what the dealing's hashes begin with.
    pub fn digest(&self, dictionary: &Digest, key: &[u8]) -> Digest {
        let hash = TaggedHash::new("AARDVARK-V1-MIXNET-CEREMONY").chain(dictionary).chain(key);
        hash.chain(self.to_bytes()).finalize()
    }
}
