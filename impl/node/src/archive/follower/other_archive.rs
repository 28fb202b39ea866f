//! Blocks from another archive's log, for what no node has any more.

use aardvark_algebra::integers::usize_of_u32;
use aardvark_chain::{TableCertificate, decode_certificates};
use aardvark_client::rpc::HttpOptions;
use aardvark_client::rpc::http::{Answer, Ask, Http, HttpError, without_credentials};
use aardvark_dictionary::{AggregatedBlock, DecodeError, Validator};
use aardvark_tables::certificates::MOST_CERTIFICATE_BYTES;

use super::error::FollowError;

/// Most bytes that an aggregated block has beyond what genesis allows a plain one: its points, one
/// for each slot of a vector at most.
const POINTS: usize = 16 + 48 * 4096;
/// Bytes of a certificate besides its own: the number of its segments, and its length.
const CERTIFICATE_FRAME: usize = 2 + 4;

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
        let most = block_bytes(validator).saturating_add(POINTS);
        let Some(bytes) = self.read(&format!("/v1/blocks/{height}/raw"), most)? else { return Ok(None) };
        let not_a_block = |error: DecodeError| {
            let (url, what) = (self.http.url().to_owned(), error.to_string());
            FollowError::NotABlock { url, height, what }
        };
        AggregatedBlock::decode(&bytes, validator.parameters()).map(Some).map_err(not_a_block)
    }

    /// The certificates of tables that the archive has of a height's block, whatever they show, at
    /// most as many bytes as those of so many segments have; `None` where it says that it has none,
    /// or where what it gives are none.
    ///
    /// # Errors
    /// [`FollowError::OtherArchive`] where it does not answer.
    pub fn certificates(
        &self,
        height: u64,
        segments: usize,
        validator: &Validator,
    ) -> Result<Option<Vec<TableCertificate>>, FollowError> {
        let most = segments.saturating_mul(CERTIFICATE_FRAME + MOST_CERTIFICATE_BYTES).min(block_bytes(validator));
        let bytes = self.read(&format!("/v1/blocks/{height}/certificates"), most)?;
        Ok(bytes.and_then(|bytes| decode_certificates(&bytes).ok()))
    }

    /// What the archive gives at a path, of so many bytes at most; `None` where there is nothing.
    fn read(&self, path: &str, most: usize) -> Result<Option<Vec<u8>>, FollowError> {
        let failed = |problem| FollowError::OtherArchive { url: self.http.url().to_owned(), problem };
        let answer = self.http.read(Ask::Get(path), most, |status, body| {
            let mut bytes = Vec::new();
            // What failed is remembered by the body.
            let _ = body.read_to_end(&mut bytes);
            Answer { status, body: bytes }
        });
        let answer = answer.map_err(failed)?;
        match answer.status {
            200 => Ok(Some(answer.body)),
            404 => Ok(None),
            status => Err(failed(HttpError::Unreachable(format!("status {status}")))),
        }
    }
}

/// Most bytes of a plain block, and of the certificates that its transactions bring.
fn block_bytes(validator: &Validator) -> usize {
    usize_of_u32(validator.parameters().limits.block_bytes)
}
