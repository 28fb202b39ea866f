//! What an answer is verified under where a header is trusted: the state root of the answer's
//! version, by the light client.

use std::path::PathBuf;

use aardvark_client::light::{LightOptions, TrustPoint, clock};
use aardvark_dictionary::DictionaryId;
use aardvark_proof::Reason;
use clap::Args;
use serde_json::{Value, json};

use crate::anchor::Anchor;
use crate::answer_refusal::AnswerRefusal;
use crate::commands::client::args::Network;
use crate::commands::client::failure::ClientFailure;
use crate::commands::client::network::{Servers, known_from_file, light, say};
use crate::failure::Failure;
use crate::hex_text::encode;
use crate::report::Rows;

/// A trusted header, and whom to ask for that of the answer's version.
#[derive(Debug, Args)]
pub struct TrustArguments {
    /// A header that you trust, its hash in 64 hexadecimal digits: the answer is verified under the
    /// root of its version, whose header must follow from this one. It must be one that `table
    /// query --root` makes.
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
    /// its dictionary.
    #[arg(long, value_name = "FILE", requires = "trust")]
    pub genesis: Option<PathBuf>,
    /// With --trust: how long to wait for one answer.
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    pub timeout: u64,
}

/// A header that follows from a trusted one.
pub struct TrustedHeader {
    /// Its root.
    pub anchor: Anchor,
    height: u64,
    chain_id: String,
    confirmed_by: Vec<String>,
}

impl TrustArguments {
    /// The header of a version of a dictionary, from the trusted one on; `None` where none is
    /// trusted.
    ///
    /// # Errors
    /// Nodes that do not answer, or whose header does not follow; a genesis of another dictionary.
    pub fn header(&self, dictionary: &DictionaryId, version: u64) -> Result<Option<TrustedHeader>, Failure> {
        if self.trust.is_none() {
            return Ok(None);
        }
        let network = self.network();
        let servers = Servers::of(&network)?;
        let (mut light, _, refused) = light(&network, &servers)?;
        say(&refused);
        let height = version.checked_add(1).ok_or_else(|| Failure::Usage("there is no such version".to_owned()))?;
        let updated = light.update_to(height, clock()).map_err(ClientFailure::from)?;
        say(&updated.refused);
        if let Some(path) = &self.genesis {
            let known = known_from_file(path, Some(updated.header.chain_id()))?;
            if known.facts.id != *dictionary {
                let (found, trusted) = (encode(&dictionary.0), encode(&known.facts.id.0));
                let (reason, what) = (Reason::OtherDictionary, "dictionary");
                let trusted_from = "the genesis is";
                return Err(AnswerRefusal::AboutAnother { reason, what, found, trusted_from, trusted }.into());
            }
        }
        let root = updated.header.root().map_err(|error| Failure::Usage(error.to_string()))?;
        Ok(Some(TrustedHeader {
            anchor: Anchor::Root(root),
            height: updated.header.height(),
            chain_id: updated.header.chain_id().to_owned(),
            confirmed_by: updated.confirmed_by,
        }))
    }

    fn network(&self) -> Network {
        let options = LightOptions::default();
        Network {
            nodes: self.nodes.clone(),
            archives: Vec::new(),
            witnesses: self.witnesses.clone(),
            without_witness: self.without_witness,
            trust: self.trust,
            state: None,
            genesis: self.genesis.clone(),
            max_age: options.max_age.as_secs(),
            trusting_period: options.trusting_period.as_secs(),
            clock_drift: options.clock_drift.as_secs(),
            timeout: self.timeout,
            server_time: options.server_time.as_secs(),
        }
    }
}

impl TrustedHeader {
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
