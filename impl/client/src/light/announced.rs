//! A header as nodes announce it: what a user compares with others, and then trusts.
//!
//! A node's word is worth nothing by itself. Several that differ show that somebody lies; and
//! whoever has the genesis file needs nobody's word, since its validators, or those who follow from
//! them, signed the header.

use tendermint::Time;
use tendermint::block::signed_header::SignedHeader;

use crate::light::error::{Accusation, Fault, Server};
use crate::light::headers::HeaderFault;
use crate::light::known_validators::KnownValidators;
use crate::light::trust::TrustPoint;
use crate::rpc::RpcClient;

/// A header that all nodes that were asked announce.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnnouncedHeader {
    /// Its height and hash.
    pub point: TrustPoint,
    /// The chain.
    pub chain_id: String,
    /// When the block was proposed.
    pub time: Time,
}

/// Why no header is announced.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AnnouncedError {
    /// There is no node to ask.
    #[error("there is no node to ask")]
    Nobody,
    /// A node that does not answer, or whose header the validators of genesis have not signed.
    #[error(transparent)]
    Node(Accusation),
    /// Two nodes with two headers of one height.
    #[error("two headers of height {height}: {} has {}, {} has {}", .nodes[0], .hashes[0], .nodes[1], .hashes[1])]
    Differ {
        /// The height.
        height: u64,
        /// The nodes.
        nodes: [String; 2],
        /// Their headers' hashes.
        hashes: [String; 2],
    },
}

impl AnnouncedError {
    /// Whether somebody said something false.
    #[must_use]
    pub fn is_lie(&self) -> bool {
        match self {
            Self::Nobody => false,
            Self::Node(accusation) => accusation.fault.is_lie(),
            Self::Differ { .. } => true,
        }
    }
}

/// Asks all nodes for the header of a height, or of the newest that all of them have. With a
/// chain's id and its validators of genesis, these must have signed it.
///
/// # Errors
/// [`AnnouncedError`].
pub fn announced_header(
    nodes: &[RpcClient],
    height: Option<u64>,
    genesis: Option<(&str, &KnownValidators)>,
) -> Result<AnnouncedHeader, AnnouncedError> {
    let mut found: Option<(AnnouncedHeader, &RpcClient)> = None;
    let height = match height {
        Some(height) => height,
        None => newest(nodes)?,
    };
    for node in nodes {
        let header = header_of(node, height, genesis).map_err(|fault| accuse(node, fault))?;
        match &found {
            None => found = Some((header, node)),
            Some((first, _)) if *first == header => (),
            Some((first, other)) => {
                return Err(AnnouncedError::Differ {
                    height,
                    nodes: [other, node].map(|node| node.url().to_owned()),
                    hashes: [first, &header].map(|header| hex::encode_upper(header.point.hash)),
                });
            }
        }
    }
    found.map(|(header, _)| header).ok_or(AnnouncedError::Nobody)
}

/// The newest height that all nodes have.
fn newest(nodes: &[RpcClient]) -> Result<u64, AnnouncedError> {
    let newest = |node: &RpcClient| match node.commit(None) {
        Ok(signed) => Ok(signed.header.height.value()),
        Err(error) => Err(accuse(node, HeaderFault::Rpc(error))),
    };
    let heights = nodes.iter().map(newest).collect::<Result<Vec<u64>, _>>()?;
    heights.into_iter().min().ok_or(AnnouncedError::Nobody)
}

fn header_of(
    node: &RpcClient,
    height: u64,
    genesis: Option<(&str, &KnownValidators)>,
) -> Result<AnnouncedHeader, Fault> {
    let signed: SignedHeader = node.commit(Some(height)).map_err(HeaderFault::Rpc)?;
    let found = signed.header.chain_id.as_str();
    if let Some((chain_id, validators)) = genesis {
        validators.verify(node, &signed)?;
        if found != chain_id {
            return Err(Fault::Genesis(format!("the node is of the chain {found:?}, the file of {chain_id:?}")));
        }
    }
    let hash = signed.header.hash();
    let hash = hash.as_bytes().try_into().map_err(|_| Fault::Malformed("a header without a hash".to_owned()))?;
    let point = TrustPoint { height, hash };
    Ok(AnnouncedHeader { point, chain_id: found.to_owned(), time: signed.header.time })
}

fn accuse(node: &RpcClient, fault: impl Into<Fault>) -> AnnouncedError {
    AnnouncedError::Node(Accusation::new(Server::Rpc(node.url().to_owned()), fault))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::light::clock;
    use crate::light::genesis_validators::GenesisValidators;
    use crate::testing::{TestChain, genesis_validators_json};

    const CHAIN: &str = "aardvark-test";

    fn chain(id: &str, roots: usize) -> TestChain {
        TestChain::new(id, &vec![[7; 32]; roots], clock(), |_| vec![1, 2, 3, 4])
    }

    #[test]
    fn nodes_that_agree_announce_the_newest_header_that_all_have_or_that_of_a_height() {
        let (long, mut short) = (chain(CHAIN, 5), chain(CHAIN, 5));
        short.headers = long.headers[..4].to_vec();
        short.seeds.truncate(5);
        let ((_one, one), (_two, two)) = (long.serve(), short.serve());
        let nodes = [one, two];
        let found = announced_header(&nodes, None, None).unwrap();
        assert_eq!((found.point, found.chain_id.as_str()), (TrustPoint { height: 4, hash: long.hash(4) }, CHAIN));
        assert_eq!(announced_header(&nodes, Some(2), None).unwrap().point.hash, long.hash(2));
        assert!(matches!(announced_header(&nodes, Some(5), None), Err(AnnouncedError::Node(_))));
        assert_eq!(announced_header(&[], Some(1), None), Err(AnnouncedError::Nobody));
    }

    #[test]
    fn nodes_that_differ_are_both_named() {
        let (chain, mut other) = (chain(CHAIN, 3), chain(CHAIN, 3));
        other.forge(2, &[1, 2, 3, 4], |header| header.app_hash = tendermint::AppHash::try_from(vec![9; 32]).unwrap());
        let ((_one, one), (_two, two)) = (chain.serve(), other.serve());
        let error = announced_header(&[one.clone(), two.clone()], Some(2), None).unwrap_err();
        assert!(error.is_lie() && [one.url(), two.url()].iter().all(|url| error.to_string().contains(url)), "{error}");
    }

    #[test]
    fn with_a_genesis_file_its_validators_must_have_signed_and_the_chain_be_its() {
        let file = |seeds: &[u8]| json!({ "validators": genesis_validators_json(seeds) }).to_string().into_bytes();
        let known = |seeds: &[u8]| {
            KnownValidators::of_genesis(&GenesisValidators::from_genesis_file(&file(seeds)).unwrap(), false)
        };
        let validators = known(&[1, 2, 3, 4]);
        let (_server, node) = chain(CHAIN, 3).serve();
        let nodes = [node];
        assert!(announced_header(&nodes, Some(2), Some((CHAIN, &validators))).is_ok());
        let strangers = known(&[5, 6, 7]);
        for genesis in [(CHAIN, &strangers), ("another", &validators)] {
            let error = announced_header(&nodes, Some(2), Some(genesis)).unwrap_err();
            assert!(error.is_lie(), "{error}");
        }
        let mut forged = chain(CHAIN, 3);
        forged.forge(2, &[1, 2], |header| header.app_hash = tendermint::AppHash::try_from(vec![9; 32]).unwrap());
        let (_server, liar) = forged.serve();
        assert!(announced_header(&[liar], Some(2), Some((CHAIN, &validators))).unwrap_err().is_lie());
    }
}
