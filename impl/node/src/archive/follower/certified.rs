//! The root of a version, as the chain's validators signed for it.

use aardvark_client::rpc::RpcClient;

use super::error::FollowError;
use super::headers::FollowedChain;

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
        match chain.root_from(node, version.saturating_add(1)) {
            Ok(root) => return Ok(root),
            Err(trouble) => troubles.push(trouble),
        }
    }
    Err(FollowError::all(troubles))
}
