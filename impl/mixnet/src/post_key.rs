//! Keys of posts: which ceremony, what kind, whose, and in which place; the gates that a post goes
//! through, and the admission that it stands on (`aardvark_spec::mixnet::post_key`).

use aardvark_algebra::TaggedHash;
use aardvark_sigma::Digest;

use crate::codec::Reader;
use crate::fault::{Fault, FaultKind};
use crate::identity::AuthorKey;

/// The version of keys.
const VERSION: u8 = 1;

/// What a post is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Kind {
    /// The terms, by the organiser.
    Ceremony = 0,
    /// A server's dealing.
    Dealing = 1,
    /// A server's complaints about dealings.
    Verdict = 2,
    /// A sender's value.
    Input = 3,
    /// The organiser's end of inputs.
    Close = 4,
    /// A server's shuffle.
    Layer = 5,
    /// The organiser's word that a server's post of a stage will not be waited for.
    Absent = 6,
    /// A server's shares of the last list.
    Shares = 7,
    /// A question.
    Query = 8,
    /// A server's column of a query.
    Column = 9,
    /// A server's zero test of a query.
    ZeroTest = 10,
    /// A server's shares of a query's targets.
    AnswerShares = 11,
    /// The querier's opening of a private answer.
    Opening = 12,
    /// A server's signature of the mix before it is decrypted.
    Agreement = 15,
    /// The organiser's word that an author may write: what a chain asks of all others (the policy
    /// `board`, `docs/network.md`).
    Admission = 16,
}

/// As what an author is admitted: the sequence of an admission.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AdmittedAs {
    /// A sender, who writes one input.
    Sender,
    /// The server with this number, from 1 to 255.
    Server(u8),
    /// A querier.
    Querier,
}

impl AdmittedAs {
    /// The sequence: 0, the server's number, 256.
    #[must_use]
    pub fn sequence(self) -> u16 {
        match self {
            Self::Sender => 0,
            Self::Server(number) => number.into(),
            Self::Querier => 256,
        }
    }
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 15] = [
        Self::Ceremony,
        Self::Dealing,
        Self::Verdict,
        Self::Input,
        Self::Close,
        Self::Layer,
        Self::Absent,
        Self::Shares,
        Self::Query,
        Self::Column,
        Self::ZeroTest,
        Self::AnswerShares,
        Self::Opening,
        Self::Agreement,
        Self::Admission,
    ];

    /// The kind with this number.
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| *kind as u8 == number)
    }

    /// Whether a query's id is in the key.
    #[must_use]
    pub fn is_of_query(self) -> bool {
        matches!(self, Self::Column | Self::ZeroTest | Self::AnswerShares | Self::Opening)
    }

    /// Whether a server writes it, with its number as sequence.
    #[must_use]
    pub fn is_of_server(self) -> bool {
        use Kind::{Agreement, AnswerShares, Column, Dealing, Layer, Shares, Verdict, ZeroTest};
        matches!(self, Dealing | Verdict | Layer | Agreement | Shares | Column | ZeroTest | AnswerShares)
    }

    /// Whether the organiser writes it.
    #[must_use]
    pub fn is_of_organiser(self) -> bool {
        matches!(self, Self::Ceremony | Self::Close | Self::Absent | Self::Admission)
    }

    /// Whether the organiser can declare a server absent from it.
    #[must_use]
    pub fn may_be_absent(self) -> bool {
        matches!(self, Self::Dealing | Self::Verdict | Self::Layer)
    }
}

/// Which ceremony on which board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CeremonyName {
    /// The dictionary's id.
    pub dictionary: Digest,
    /// The organiser's key.
    pub organiser: AuthorKey,
    /// The organiser's number for it.
    pub number: u32,
}

impl CeremonyName {
    /// What the keys of all its posts begin with.
    pub fn prefix(&self) -> Vec<u8> {
        [&[VERSION][..], &self.organiser, &self.number.to_be_bytes()].concat()
    }

    /// The key of a post.
    pub fn key(&self, kind: Kind, query: Option<Digest>, sequence: u16, author: AuthorKey) -> PostKey {
        PostKey { organiser: self.organiser, ceremony: self.number, kind, query, sequence, author }
    }

    /// The key of the ceremony's terms.
    pub fn terms_key(&self) -> PostKey {
        self.key(Kind::Ceremony, None, 0, self.organiser)
    }

    /// The key of the admission of an author.
    pub fn admission_key(&self, admitted: AdmittedAs, author: AuthorKey) -> PostKey {
        self.key(Kind::Admission, None, admitted.sequence(), author)
    }
}

/// A post's key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PostKey {
    /// The organiser's key.
    pub organiser: AuthorKey,
    /// The organiser's number of the ceremony.
    pub ceremony: u32,
    /// What it is.
    pub kind: Kind,
    /// The id of the query that it belongs to.
    pub query: Option<Digest>,
    /// A server's number, a query's number, stage · 256 + server of an absence; as what an author
    /// is admitted; else 0.
    pub sequence: u16,
    /// Who writes it; of an admission who is admitted.
    pub author: AuthorKey,
}

impl PostKey {
    /// `u8 1 || organiser || u32 ceremony || u8 kind || [query id] || u16 sequence || author`.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![VERSION];
        bytes.extend(self.organiser);
        bytes.extend(self.ceremony.to_be_bytes());
        bytes.push(self.kind as u8);
        bytes.extend(self.query.iter().flatten());
        bytes.extend(self.sequence.to_be_bytes());
        bytes.extend(self.author);
        bytes
    }

    /// Reads a key: canonical, and with a sequence that its kind may have.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Fault> {
        let malformed = Fault::new(FaultKind::Malformed);
        let mut reader = Reader::new(bytes);
        if reader.u8()? != VERSION {
            return Err(malformed);
        }
        let (organiser, ceremony) = (reader.array()?, reader.u32()?);
        let kind = Kind::from_number(reader.u8()?).ok_or(malformed)?;
        let query = if kind.is_of_query() { Some(reader.array()?) } else { None };
        let key = Self { organiser, ceremony, kind, query, sequence: reader.u16()?, author: reader.array()? };
        reader.finish()?;
        let legal = match kind {
            // Else one key would have 65,536 ballots.
            Kind::Ceremony | Kind::Input | Kind::Close | Kind::Opening => key.sequence == 0,
            Kind::Absent => key.absentee().is_some(),
            Kind::Admission => key.sequence <= AdmittedAs::Querier.sequence(),
            _ => true,
        };
        if legal { Ok(key) } else { Err(malformed) }
    }

    /// Of which stage which server is declared absent, if that is what the post says.
    pub fn absentee(&self) -> Option<(Kind, u16)> {
        let [stage, server] = self.sequence.to_be_bytes();
        let stage = Kind::from_number(stage).filter(|kind| kind.may_be_absent())?;
        (self.kind == Kind::Absent && server > 0).then_some((stage, u16::from(server)))
    }

    /// The keys that have to be absent when this one is written: itself, since posts are written
    /// once; for an input the close; for dealing, verdict and layer the server's absence.
    pub fn gates(&self) -> Vec<Self> {
        let of_organiser = |kind, sequence| Self { kind, query: None, sequence, author: self.organiser, ..*self };
        let gate = match self.kind {
            Kind::Input => Some(of_organiser(Kind::Close, 0)),
            kind if kind.may_be_absent() => {
                Some(of_organiser(Kind::Absent, u16::from(kind as u8) << 8 | self.sequence & 0xff))
            }
            _ => None,
        };
        [*self].into_iter().chain(gate).collect()
    }

    /// Whose signature the post needs: the author's, and of an admission the organiser's.
    pub fn signer(&self) -> AuthorKey {
        if self.kind == Kind::Admission { self.organiser } else { self.author }
    }

    /// As what its author has to be admitted on a chain; none where the post is the organiser's, or
    /// a server's whose number is not from 1 to 255.
    pub fn admitted_as(&self) -> Option<AdmittedAs> {
        match self.kind {
            kind if kind.is_of_organiser() => None,
            Kind::Input => Some(AdmittedAs::Sender),
            Kind::Query | Kind::Opening => Some(AdmittedAs::Querier),
            _ => u8::try_from(self.sequence).ok().filter(|number| *number > 0).map(AdmittedAs::Server),
        }
    }

    /// The key of the admission that the post needs on a chain, if it needs one.
    pub fn admission(&self) -> Option<Self> {
        let sequence = self.admitted_as()?.sequence();
        Some(Self { kind: Kind::Admission, query: None, sequence, ..*self })
    }

    /// `H("..POST", dictionary || key || u64 length || SHA-256(body))`: what the signer signs.
    pub fn digest(&self, dictionary: &Digest, length: u64, body: &Digest) -> Digest {
        let hash = TaggedHash::new("AARDVARK-V1-MIXNET-POST").chain(dictionary).chain(self.to_bytes());
        hash.chain(length.to_be_bytes()).chain(body).finalize()
    }
}
