//! What answers are verified under where a header is trusted: the state root of a version, by the
//! light client.

use std::path::PathBuf;

use aardvark_chain::Policy;
use aardvark_client::Known;
use aardvark_client::light::{LightClient, LightOptions, TrustPoint, clock};
use aardvark_dictionary::DictionaryId;
use aardvark_proof::Reason;
use clap::Args;
use serde_json::{Value, json};

use crate::answer_refusal::AnswerRefusal;
use crate::commands::client::args::Network;
use crate::commands::client::failure::ClientFailure;
use crate::commands::client::network::{Servers, keep, known_from_file, light, say};
use crate::failure::Failure;
use crate::hex_text::encode;
use crate::report::Rows;

/// A trusted header, and whom to ask for that of the answer's version.
#[derive(Debug, Default, Args)]
pub struct TrustArguments {
    /// A header that you trust, its hash in 64 hexadecimal digits: answers are verified under the
    /// root of their version, whose header must follow from this one. A file must be one that
    /// `table query --root` makes.
    #[arg(long, value_name = "HEIGHT:HASH", group = "anchor", requires = "nodes")]
    pub trust: Option<TrustPoint>,
    /// With --trust: RPC of a node of CometBFT; several are asked in turn.
    #[arg(long = "rpc", id = "nodes", value_name = "URL", requires = "trust")]
    pub nodes: Vec<String>,
    /// With --trust: RPC of another node, with which headers are compared.
    #[arg(long = "witness", id = "witnesses", value_name = "URL", requires = "trust")]
    pub witnesses: Vec<String>,
    /// With --trust: compare headers with nobody: a fork then stays unseen.
    #[arg(long, conflicts_with = "witnesses", requires = "trust")]
    pub without_witness: bool,
    /// With --trust: the chain's genesis.json, from somebody you trust; the answer must be about
    /// its dictionary. Where its policy is that of tables, validators have checked certificates.
    #[arg(long, value_name = "FILE", requires = "trust")]
    pub genesis: Option<PathBuf>,
}

/// A header that follows from a trusted one.
pub struct TrustedHeader {
    root: [u8; 32],
    version: u64,
    height: u64,
    chain_id: String,
    confirmed_by: Vec<String>,
    /// That of the genesis, where there is one.
    dictionary: Option<DictionaryId>,
    /// Whether the genesis says that the chain's validators check tables' certificates.
    checks_tables: bool,
}

/// Headers that follow from a trusted one.
pub struct TrustedHeaders {
    network: Network,
    light: LightClient,
    /// What the genesis says, where there is one.
    known: Option<Known>,
}

impl TrustArguments {
    /// The header of a version, or the newest one, from the trusted one on; `None` where none is
    /// trusted. Each answer of a node is waited for so many seconds.
    ///
    /// # Errors
    /// Nodes that do not answer, or whose header does not follow; a genesis of another chain.
    pub fn header(&self, version: Option<u64>, timeout: u64) -> Result<Option<TrustedHeader>, Failure> {
        self.headers(timeout, None)?.map(|mut headers| headers.of(version)).transpose()
    }

    /// Headers from the trusted one on, or from a later one that the state file has; `None` where
    /// none is trusted. The newest one that was read is kept in the file.
    ///
    /// # Errors
    /// Nodes that do not answer; a file or a genesis of another chain.
    pub fn headers(&self, timeout: u64, state: Option<PathBuf>) -> Result<Option<TrustedHeaders>, Failure> {
        if self.trust.is_none() {
            return Ok(None);
        }
        let network = self.network(timeout, state);
        let servers = Servers::of(&network)?;
        let (light, _, refused) = light(&network, &servers)?;
        say(&refused);
        let chain = light.trusted().chain_id();
        let known = self.genesis.as_deref().map(|path| known_from_file(path, Some(chain))).transpose()?;
        Ok(Some(TrustedHeaders { network, light, known }))
    }

    fn network(&self, timeout: u64, state: Option<PathBuf>) -> Network {
        let options = LightOptions::default();
        Network {
            nodes: self.nodes.clone(),
            archives: Vec::new(),
            witnesses: self.witnesses.clone(),
            without_witness: self.without_witness,
            trust: self.trust,
            state,
            genesis: self.genesis.clone(),
            max_age: options.max_age.as_secs(),
            trusting_period: options.trusting_period.as_secs(),
            clock_drift: options.clock_drift.as_secs(),
            timeout,
            server_time: options.server_time.as_secs(),
        }
    }
}

impl TrustedHeaders {
    /// The header of a version, or the newest one.
    ///
    /// # Errors
    /// Nodes that do not answer, or whose header does not follow; a state file that cannot be
    /// written.
    pub fn of(&mut self, version: Option<u64>) -> Result<TrustedHeader, Failure> {
        let updated = match version {
            Some(version) => {
                let none = || Failure::Usage("there is no such version".to_owned());
                self.light.update_to(version.checked_add(1).ok_or_else(none)?, clock())
            }
            None => self.light.update(clock()),
        };
        let updated = updated.map_err(ClientFailure::from)?;
        say(&updated.refused);
        keep(&self.network, &updated, self.known.as_ref())?;
        let policy = self.known.as_ref().and_then(|known| known.policy.as_ref());
        let root = updated.header.root().map_err(|error| Failure::Usage(error.to_string()))?;
        Ok(TrustedHeader {
            root,
            version: updated.header.version(),
            height: updated.header.height(),
            chain_id: updated.header.chain_id().to_owned(),
            confirmed_by: updated.confirmed_by,
            dictionary: self.known.as_ref().map(|known| known.facts.id),
            checks_tables: matches!(policy, Some(Policy::Tables { .. })),
        })
    }
}

impl TrustedHeader {
    /// The root of its version.
    pub fn root(&self) -> [u8; 32] {
        self.root
    }

    /// Its version.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Whether a trusted genesis says that the chain's validators check tables' certificates.
    pub fn checks_tables(&self) -> bool {
        self.checks_tables
    }

    /// Whether something is about the dictionary of the genesis, where there is one, and about the
    /// header's version.
    ///
    /// # Errors
    /// [`AnswerRefusal::AboutAnother`].
    pub fn check(&self, dictionary: &DictionaryId, version: u64) -> Result<(), AnswerRefusal> {
        let another = |reason, what, found, trusted_from, trusted| {
            Err(AnswerRefusal::AboutAnother { reason, what, found, trusted_from, trusted })
        };
        if let Some(trusted) = self.dictionary.filter(|trusted| trusted != dictionary) {
            let (found, trusted) = (encode(&dictionary.0), encode(&trusted.0));
            return another(Reason::OtherDictionary, "dictionary", found, "the genesis is", trusted);
        }
        if version != self.version {
            let (found, trusted) = (version.to_string(), self.version.to_string());
            return another(Reason::OtherVersion, "version", found, "the header is", trusted);
        }
        Ok(())
    }

    /// Which header it is, for people.
    pub fn rows(&self, rows: Rows) -> Rows {
        let confirmed = match self.confirmed_by.as_slice() {
            [] => "by nobody".to_owned(),
            nodes => format!("by {}", nodes.join(", ")),
        };
        rows.row("header", format!("{} of {}", self.height, self.chain_id)).row("confirmed", confirmed)
    }

    /// The same as JSON.
    pub fn json(&self) -> Value {
        json!({ "height": self.height, "chain_id": self.chain_id, "confirmed_by": self.confirmed_by })
    }
}
