//! Which headers are believed: those that a chain's validators signed, and who these are.

use aardvark_chain::ChainGenesis;
use aardvark_chain::validator_change::root_of_app_hash;
use aardvark_client::light::{GenesisValidators, KnownValidators};
use aardvark_client::rpc::RpcClient;
use tendermint::block::Header;

use super::error::FollowError;
use crate::archive::shared_archive::SharedArchive;

/// A chain, as its genesis file describes it.
pub struct FollowedChain {
    /// Its id.
    pub id: String,
    /// The dictionary that it begins with, and who may write.
    pub genesis: ChainGenesis,
    /// Who decides its first block.
    pub validators: GenesisValidators,
}

/// A header that is believed, and the validators of the height after it.
pub(super) struct Certified {
    /// The header.
    pub(super) header: Header,
    /// Who decides the next height.
    pub(super) next: KnownValidators,
}

impl FollowedChain {
    /// From whom the validators of later heights follow.
    fn first_validators(&self) -> KnownValidators {
        KnownValidators::of_genesis(&self.validators, self.genesis.council().is_some())
    }

    /// The validators of the height after a version, as far as an archive has followed them.
    pub(super) fn known_validators(
        &self,
        shared: &SharedArchive,
        version: u64,
    ) -> Result<KnownValidators, FollowError> {
        let first = self.first_validators();
        match shared.records() {
            Some(records) => Ok(records.validators(first, version.saturating_add(1))?),
            None => Ok(first),
        }
    }

    /// Whether a node is on this chain, by an id that it says.
    pub(super) fn is_of(&self, node: &RpcClient, chain_id: &str) -> Result<(), FollowError> {
        if chain_id == self.id {
            return Ok(());
        }
        let (url, found) = (node.url().to_owned(), chain_id.to_owned());
        Err(FollowError::OtherChain { url, found, expected: self.id.clone() })
    }

    /// A node's header of a height: this chain's, signed by its validators, who follow from those
    /// that are known.
    fn signed_header(&self, known: &KnownValidators, node: &RpcClient, height: u64) -> Result<Certified, FollowError> {
        let signed = node.commit(Some(height))?;
        self.is_of(node, signed.header.chain_id.as_str())?;
        let refused = |fault| FollowError::Header { url: node.url().to_owned(), fault };
        let next = known.verify(node, &signed).map_err(refused)?;
        Ok(Certified { header: signed.header, next })
    }

    /// The same, and one that certifies this root.
    pub(super) fn certified_header(
        &self,
        known: &KnownValidators,
        node: &RpcClient,
        height: u64,
        ours: [u8; 32],
    ) -> Result<Certified, FollowError> {
        let certified = self.signed_header(known, node, height)?;
        let theirs = certified.header.app_hash.as_bytes();
        if root_of_app_hash(theirs) == Some(ours) {
            return Ok(certified);
        }
        let (url, theirs) = (node.url().to_owned(), theirs.to_vec());
        Err(FollowError::AppHash { url, height, theirs, ours })
    }

    /// The root that a node's header of a height certifies, from genesis' validators on.
    pub(super) fn root_from(&self, node: &RpcClient, height: u64) -> Result<[u8; 32], FollowError> {
        let Certified { header, .. } = self.signed_header(&self.first_validators(), node, height)?;
        let url = node.url().to_owned();
        root_of_app_hash(header.app_hash.as_bytes()).ok_or(FollowError::NoRoot { url, height })
    }
}
