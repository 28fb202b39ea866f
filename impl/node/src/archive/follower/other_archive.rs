//! Blocks from another archive's log, for what no node has any more.

use aardvark_algebra::integers::usize_of_u32;
use aardvark_client::rpc::HttpOptions;
use aardvark_client::rpc::http::{Answer, Ask, Http, without_credentials};
use aardvark_dictionary::{AggregatedBlock, Validator};

use super::error::FollowError;

/// Most bytes that an aggregated block has beyond what genesis allows a plain one: its points, one
/// for each slot of a vector at most.
const POINTS: usize = 16 + 48 * 4096;

/// Another archive of the same chain, believed for nothing.
#[derive(Clone, Debug)]
pub struct OtherArchive {
    http: Http,
}

impl OtherArchive {
    /// An archive by its address.
    ///
    /// # Errors
    /// [`FollowError::OtherArchive`] where it is no address.
    pub fn new(url: &str) -> Result<Self, FollowError> {
        let named = |problem| FollowError::OtherArchive { url: without_credentials(url), problem };
        Ok(Self { http: Http::new(url, HttpOptions::default()).map_err(named)? })
    }

    /// The block of a height; `None` where the archive does not have it, which is where it ends.
    ///
    /// # Errors
    /// [`FollowError`].
    pub fn block(&self, height: u64, validator: &Validator) -> Result<Option<AggregatedBlock>, FollowError> {
        let url = || self.http.url().to_owned();
        let path = format!("/v1/blocks/{height}/raw");
        let most = usize_of_u32(validator.parameters().limits.block_bytes);
        let answer = self.http.read(Ask::Get(&path), most.saturating_add(POINTS), |status, body| {
            let mut bytes = Vec::new();
            // What failed is remembered by the body.
            let _ = body.read_to_end(&mut bytes);
            Answer { status, body: bytes }
        });
        let answer = answer.map_err(|problem| FollowError::OtherArchive { url: url(), problem })?;
        match answer.status {
            200 => {
                let block = AggregatedBlock::decode(&answer.body, validator.parameters());
                let not_a_block = |what: String| FollowError::NotABlock { url: url(), height, what };
                block.map(Some).map_err(|error| not_a_block(error.to_string()))
            }
            404 => Ok(None),
            status => {
                let problem = aardvark_client::rpc::http::HttpError::Unreachable(format!("status {status}"));
                Err(FollowError::OtherArchive { url: url(), problem })
            }
        }
    }
}
