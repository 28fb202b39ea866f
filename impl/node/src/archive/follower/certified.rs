//! The root of a version, as the chain's validators signed for it.

use aardvark_chain::validator_change::root_of_app_hash;
use aardvark_client::rpc::RpcClient;

use super::{FollowError, FollowedChain};

/// The root of a version: the app hash of the next height's header, from the first node that has
/// one which the chain's validators signed.
///
/// # Errors
/// [`FollowError`] where no node has it.
pub(crate) fn certified_root(
    chain: &FollowedChain,
    nodes: &[RpcClient],
    version: u64,
) -> Result<[u8; 32], FollowError> {
    let mut troubles = Vec::new();
    for node in nodes {
        match root_from(chain, node, version.saturating_add(1)) {
            Ok(root) => return Ok(root),
            Err(trouble) => troubles.push(trouble),
        }
    }
    Err(FollowError::all(troubles))
}

fn root_from(chain: &FollowedChain, node: &RpcClient, height: u64) -> Result<[u8; 32], FollowError> {
    let signed = node.commit(Some(height))?;
    let url = node.url().to_owned();
    let found = signed.header.chain_id.as_str();
    if found != chain.id {
        return Err(FollowError::OtherChain { url, found: found.to_owned(), expected: chain.id.clone() });
    }
    let verdict = chain.first_validators().verify(node, &signed);
    verdict.map_err(|fault| FollowError::Header { url: url.clone(), fault })?;
    root_of_app_hash(signed.header.app_hash.as_bytes()).ok_or(FollowError::NoRoot { url, height })
}
