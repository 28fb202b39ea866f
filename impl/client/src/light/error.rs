//! Errors of the light client: which server lied, or did not answer, and why.

use std::fmt;

use crate::light::answer::ProofFault;
use crate::light::headers::HeaderFault;

/// A server that was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Server {
    /// A node that gives headers.
    Rpc(String),
    /// A node that headers are compared with.
    Witness(String),
    /// An archive.
    Archive(String),
}

impl Server {
    /// Its kind, as JSON names it.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Rpc(_) => "rpc",
            Self::Witness(_) => "witness",
            Self::Archive(_) => "archive",
        }
    }

    /// Its address.
    pub fn url(&self) -> &str {
        match self {
            Self::Rpc(url) | Self::Witness(url) | Self::Archive(url) => url,
        }
    }
}

impl fmt::Display for Server {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self {
            Self::Rpc(_) => "RPC node",
            Self::Witness(_) => "witness",
            Self::Archive(_) => "archive",
        };
        write!(formatter, "{kind} {}", self.url())
    }
}

/// What a server did.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// A header that cannot be believed, or none.
    #[error(transparent)]
    Header(#[from] HeaderFault),
    /// A proof that does not answer.
    #[error(transparent)]
    Proof(#[from] ProofFault),
    /// A genesis that is not the chain's.
    #[error("its genesis is not that of the chain: {0}")]
    Genesis(String),
    /// An answer that has not the form that it should.
    #[error("malformed answer: {0}")]
    Malformed(String),
    /// It says that it cannot answer.
    #[error("refused: {message} ({code})")]
    Refused {
        /// The reason's name.
        code: String,
        /// Its words.
        message: String,
    },
    /// No answer.
    #[error("{0}")]
    Silent(String),
    /// It is the server that it should confirm.
    #[error("it is the same server as the RPC node {0}, which cannot confirm itself")]
    SameServer(String),
}

impl Fault {
    /// Whether the server said something false, as opposed to nothing, or nothing that can be read.
    #[must_use]
    pub fn is_lie(&self) -> bool {
        match self {
            Self::Header(fault) => fault.is_lie(),
            Self::Proof(_) | Self::Genesis(_) => true,
            Self::Malformed(_) | Self::Refused { .. } | Self::Silent(_) | Self::SameServer(_) => false,
        }
    }
}

/// A server, and why it is not believed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{server}: {fault}")]
pub struct Accusation {
    /// Who.
    pub server: Server,
    /// What.
    pub fault: Fault,
}

impl Accusation {
    /// Says who did what.
    pub fn new(server: Server, fault: impl Into<Fault>) -> Self {
        Self { server, fault: fault.into() }
    }
}

/// Why a light client has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LightError {
    /// No node gave a header that can be believed.
    #[error("no RPC node gave a header that can be believed: {}", list(.0))]
    NoHeader(Vec<Accusation>),
    /// No second node confirmed the header.
    #[error("nobody confirms the header of height {height}: {}", list(.refused))]
    NoWitness {
        /// The header's height.
        height: u64,
        /// What the witnesses did.
        refused: Vec<Accusation>,
    },
    /// Two headers of one height that both have the signatures: validators signed twice, and
    /// nothing is believed.
    #[error("a fork: {primary} and {witness} have different headers of height {height}, both signed: {hashes:?}")]
    Fork {
        /// The node that gave the first.
        primary: String,
        /// The node that gave the second.
        witness: String,
        /// The height.
        height: u64,
        /// The two hashes, in hexadecimal.
        hashes: [String; 2],
    },
    /// The trusted header is older than validators can be held to.
    #[error(
        "the trusted header of height {height} is {age} s old, the trusting period is {period} s: get a newer one from somebody you trust"
    )]
    TrustExpired {
        /// Its height.
        height: u64,
        /// Its age in seconds.
        age: u64,
        /// The trusting period in seconds.
        period: u64,
    },
    /// No archive gave a proof that holds.
    #[error("no archive gave a proof that holds: {}", list(.0))]
    NoProof(Vec<Accusation>),
    /// The scheme cannot be set up.
    #[error("{0}")]
    Scheme(String),
}

impl LightError {
    /// Everyone who is not believed.
    pub fn accusations(&self) -> &[Accusation] {
        match self {
            Self::NoHeader(refused) | Self::NoWitness { refused, .. } | Self::NoProof(refused) => refused,
            Self::Fork { .. } | Self::TrustExpired { .. } | Self::Scheme(_) => &[],
        }
    }

    /// Whether somebody lied, as opposed to nobody answering.
    #[must_use]
    pub fn is_lie(&self) -> bool {
        matches!(self, Self::Fork { .. }) || self.accusations().iter().any(|accusation| accusation.fault.is_lie())
    }

    /// The name in JSON.
    pub fn name(&self) -> &'static str {
        match self {
            Self::NoHeader(_) => "NoHeader",
            Self::NoWitness { .. } => "NoWitness",
            Self::Fork { .. } => "Fork",
            Self::TrustExpired { .. } => "TrustExpired",
            Self::NoProof(_) => "NoProof",
            Self::Scheme(_) => "Scheme",
        }
    }
}

fn list(accusations: &[Accusation]) -> String {
    if accusations.is_empty() {
        return "there is none to ask".to_owned();
    }
    accusations.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}
