//! Genesis of a chain: `app_state` of CometBFT's genesis.json (`docs/network.md`, Genesis).
//!
//! First content stands in `app_state`, or, where it is large, in a file of its own
//! ([`content_file`]) whose digest `app_state` has. The digest is enough for the dictionary's id,
//! and so for everyone who does not make version 0.

use std::path::Path;
use std::sync::Arc;

use aardvark_algebra::integers::{u8_or_max, u64_of_usize};
use aardvark_commitment::{Ceremony, Scheme, SchemeKind, setups};
use aardvark_dictionary::{Genesis, GenesisError, Identity, Key, Parameters, Validator, Value};
use aardvark_proof::hex_text::HexArray;
use serde::{Deserialize, Serialize};

use crate::content_file::{self, ContentDigest};
use crate::content_json::ContentJson;
use crate::council::{Council, CouncilJson};
use crate::gas::BlockLimits;
use crate::genesis_error::ChainGenesisError;
use crate::parameters_json::ParametersJson;
use crate::policy::Policy;
use crate::policy_json::{BlockJson, PolicyJson};

/// The format number of `app_state`.
const APP_STATE_FORMAT: u32 = 2;
/// The number of the form of what the dictionary id binds of a chain.
const BINDING_FORMAT: u8 = 1;

/// What a chain begins with: its name is the dictionary's, and the dictionary id binds its policy
/// too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainGenesis {
    genesis: Genesis,
    policy: Policy,
    block_limits: BlockLimits,
    council: Option<Council>,
    /// What genesis says of content that stands in a file.
    filed: Option<ContentDigest>,
}

/// Where the first content is.
enum Content {
    Here(Vec<(Key, Value)>),
    Filed(ContentDigest),
}

impl ChainGenesis {
    /// The genesis of the chain with this name on the Ethereum ceremony, of entries in ascending
    /// key order. The salt should be random.
    ///
    /// # Errors
    /// [`ChainGenesisError`].
    pub fn new(
        chain: &str,
        salt: [u8; 32],
        parameters: Parameters,
        policy: Policy,
        entries: Vec<(Key, Value)>,
    ) -> Result<Self, ChainGenesisError> {
        Self::of_setup((chain, salt), parameters, *Ceremony::ethereum()?.digest(), policy, Content::Here(entries))
    }

    fn of_setup(
        (chain, salt): (&str, [u8; 32]),
        parameters: Parameters,
        setup: [u8; 32],
        policy: Policy,
        content: Content,
    ) -> Result<Self, ChainGenesisError> {
        if parameters.scheme != SchemeKind::Kzg || setup != *Ceremony::ethereum()?.digest() {
            return Err(ChainGenesisError::Setup);
        }
        let identity = Identity::new(chain, salt).map_err(GenesisError::from)?.with_binding(binding(chain, &policy));
        let (genesis, filed) = match content {
            Content::Here(entries) => (Genesis::new(identity, parameters, setup, entries)?, None),
            Content::Filed(says) => (Genesis::without_content(identity, parameters, setup, &says.digest)?, Some(says)),
        };
        // What the policy asks of entries is looked at where they are.
        if genesis.is_complete() || !matches!(policy, Policy::Accounts(_)) {
            policy.check_genesis(&genesis)?;
        }
        Ok(Self { genesis, policy, block_limits: BlockLimits::default(), council: None, filed })
    }

    /// The same with other limits of a block.
    ///
    /// # Errors
    /// [`ChainGenesisError::BlockLimits`] where CometBFT does not take them.
    pub fn with_block_limits(self, block_limits: BlockLimits) -> Result<Self, ChainGenesisError> {
        match block_limits.is_taken_by_cometbft() {
            true => Ok(Self { block_limits, ..self }),
            false => Err(ChainGenesisError::BlockLimits(block_limits)),
        }
    }

    /// The same with a council, which may change validators.
    #[must_use]
    pub fn with_council(self, council: Option<Council>) -> Self {
        Self { council, ..self }
    }

    /// Reads the `app_state` of the chain with this name. Where the content stands in a file, what
    /// is read is not complete ([`ChainGenesis::complete`]).
    ///
    /// # Errors
    /// [`ChainGenesisError`].
    pub fn from_app_state(chain: &str, bytes: &[u8]) -> Result<Self, ChainGenesisError> {
        is_of_this_format(&serde_json::from_slice(bytes)?)?;
        Self::from_json(chain, serde_json::from_slice(bytes)?)
    }

    fn from_json(chain: &str, json: AppStateJson) -> Result<Self, ChainGenesisError> {
        let (parameters, setup, place) = (json.parameters.parameters(), json.setup.0, (chain, json.salt.0));
        let content = match (json.content, json.content_digest, json.entries) {
            (content, None, None) => Content::Here(content.map(|content| content.0).unwrap_or_default()),
            (None, Some(HexArray(digest)), Some(entries)) => Content::Filed(ContentDigest { digest, entries }),
            _ => return Err(ChainGenesisError::Content),
        };
        let council = json.council.map(Council::try_from).transpose()?;
        let genesis = Self::of_setup(place, parameters, setup, json.policy.into(), content)?;
        Ok(genesis.with_block_limits(json.block.into())?.with_council(council))
    }

    /// Reads CometBFT's genesis.json: the chain's id, and its `app_state`.
    ///
    /// # Errors
    /// [`ChainGenesisError`].
    pub fn from_genesis_file(bytes: &[u8]) -> Result<(String, Self), ChainGenesisError> {
        const MISSING: ChainGenesisError = ChainGenesisError::Missing("app_state");
        // Twice, so that nothing is kept of what is not an app_state of this format.
        is_of_this_format(&serde_json::from_slice::<GenesisFileJson<FormatJson>>(bytes)?.app_state.ok_or(MISSING)?)?;
        let file: GenesisFileJson<AppStateJson> = serde_json::from_slice(bytes)?;
        let genesis = Self::from_json(&file.chain_id, file.app_state.ok_or(MISSING)?)?;
        Ok((file.chain_id, genesis))
    }

    /// The same with its first content, read from `file` where it is not in `app_state`.
    ///
    /// # Errors
    /// [`ChainGenesisError::ContentFile`] where the file is not there or not what genesis says.
    pub fn complete(self, file: &Path) -> Result<Self, ChainGenesisError> {
        let Some(says) = self.filed.filter(|_| !self.genesis.is_complete()) else { return Ok(self) };
        let entries = content_file::read(file, &says, self.genesis.parameters())?;
        let (identity, setup) = (self.genesis.identity().clone(), *self.genesis.setup_digest());
        let genesis = Genesis::new(identity, self.genesis.parameters().clone(), setup, entries)?;
        self.policy.check_genesis(&genesis)?;
        Ok(Self { genesis, ..self })
    }

    /// The same with its first content in a file, which `app_state` then has the digest of.
    #[must_use]
    pub fn with_content_file(self) -> Self {
        let filed = self.filed.unwrap_or_else(|| content_file::digest(self.genesis.entries()));
        Self { filed: Some(filed), ..self }
    }

    /// How many entries the first content has.
    pub fn content_entries(&self) -> u64 {
        let listed = u64_of_usize(self.genesis.entries().len());
        self.filed.map_or(listed, |filed| filed.entries)
    }

    /// The `app_state` that [`ChainGenesis::from_app_state`] reads.
    pub fn to_app_state(&self) -> serde_json::Value {
        let json = AppStateJson {
            aardvark: APP_STATE_FORMAT,
            salt: HexArray(*self.genesis.identity().salt()),
            parameters: ParametersJson::of(self.genesis.parameters()),
            setup: HexArray(*self.genesis.setup_digest()),
            policy: (&self.policy).into(),
            block: self.block_limits.into(),
            council: self.council.as_ref().map(CouncilJson::from),
            content: self.filed.is_none().then(|| ContentJson(self.genesis.entries().to_vec())),
            content_digest: self.filed.map(|filed| HexArray(filed.digest)),
            entries: self.filed.map(|filed| filed.entries),
        };
        serde_json::to_value(json).unwrap_or_default()
    }

    /// Name, salt, parameters, setup and first content.
    pub fn genesis(&self) -> &Genesis {
        &self.genesis
    }

    /// Who may write.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// Who may change the validators; nobody where there is none.
    pub fn council(&self) -> Option<&Council> {
        self.council.as_ref()
    }

    /// How large a block may be.
    pub fn block_limits(&self) -> &BlockLimits {
        &self.block_limits
    }

    /// The commitment scheme on the ceremony, with tables of at most `table_bytes` (0: none), its
    /// basis cached in a file where one is named.
    ///
    /// # Errors
    /// [`ChainGenesisError`].
    pub fn scheme(&self, cache: Option<&Path>, table_bytes: usize) -> Result<Scheme, ChainGenesisError> {
        let Parameters { scheme, vector_size, .. } = *self.genesis.parameters();
        let scheme = setups::published_scheme(scheme, vector_size, self.genesis.setup_digest(), cache)?;
        Ok(if table_bytes == 0 { scheme } else { scheme.with_tables(table_bytes)? })
    }

    /// The validator at version 0.
    ///
    /// # Errors
    /// [`ChainGenesisError::State`].
    pub fn validator(&self, scheme: Arc<Scheme>) -> Result<Validator, ChainGenesisError> {
        Ok(Validator::new(&self.genesis, scheme)?)
    }
}

/// What the dictionary id binds of a chain: `u8 1 || bytes8(name) || policy`.
fn binding(chain: &str, policy: &Policy) -> Vec<u8> {
    let length = u8_or_max(chain.len());
    [[BINDING_FORMAT, length].as_slice(), chain.as_bytes(), &policy.encode()].concat()
}

/// Looks at the format alone, so that what another format has is not taken for a mistake in this
/// one.
fn is_of_this_format(json: &FormatJson) -> Result<(), ChainGenesisError> {
    match json.aardvark {
        format if format == u64::from(APP_STATE_FORMAT) => Ok(()),
        format => Err(ChainGenesisError::Format(format)),
    }
}

#[derive(Deserialize)]
struct GenesisFileJson<T> {
    chain_id: String,
    app_state: Option<T>,
}

#[derive(Deserialize)]
struct FormatJson {
    aardvark: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct AppStateJson {
    aardvark: u32,
    salt: HexArray<32>,
    #[serde(default)]
    parameters: ParametersJson,
    setup: HexArray<32>,
    policy: PolicyJson,
    #[serde(default)]
    block: BlockJson,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    council: Option<CouncilJson>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    content: Option<ContentJson>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    content_digest: Option<HexArray<32>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    entries: Option<u64>,
}

#[cfg(test)]
mod tests;
