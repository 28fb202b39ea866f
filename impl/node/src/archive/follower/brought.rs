//! Certificates of tables beside a block: as a decided list brings them, and as another archive
//! does for what its log has.

use aardvark_aggregates::TableVerifier;
use aardvark_chain::tables::{CertifiedKeys, segments_put};
use aardvark_chain::{ChainBlock, ChainBlockError, TableCertificate};
use aardvark_dictionary::{AggregatedBlock, DictionaryId, Validator};
use aardvark_tables::certificates::StoredCertificate;

use super::error::FollowError;
use super::other_archive::OtherArchive;

/// The certificates of a block, as they are kept.
pub(super) fn kept(block: &ChainBlock) -> Vec<StoredCertificate> {
    let one = |CertifiedKeys { keys, certificate }| StoredCertificate { heads: keys, certificate };
    block.certified_keys().into_iter().map(one).collect()
}

/// What another archive says are the certificates of a block of its log; `None` where it has none,
/// or what it says are none. Of a block that puts no segments it is not asked.
pub(super) fn ask(
    other: &OtherArchive,
    block: &AggregatedBlock,
    validator: &Validator,
) -> Result<Option<Vec<TableCertificate>>, FollowError> {
    match block.block.transactions.iter().map(segments_put).sum() {
        0 => Ok(Some(Vec::new())),
        segments => other.certificates(block.block.version, segments, validator),
    }
}

/// The certificates that somebody brings for a block of a log, where they hold for what its
/// transactions put, all of it. Else none, and the log says why.
pub(super) fn that_hold(
    block: AggregatedBlock,
    brought: Option<Vec<TableCertificate>>,
    dictionary: &DictionaryId,
    verifier: &TableVerifier,
) -> Vec<StoredCertificate> {
    let height = block.block.version;
    let certified = |brought| -> Result<Vec<StoredCertificate>, ChainBlockError> {
        let block = ChainBlock::of_log(block, brought)?;
        block.certify(dictionary, verifier)?;
        Ok(kept(&block))
    };
    let reason = match brought.map(certified) {
        Some(Ok(certificates)) => return certificates,
        Some(Err(error)) => error.to_string(),
        None => "it has none".to_owned(),
    };
    tracing::warn!(height, reason, "the other archive's block comes without the certificates of its tables");
    Vec::new()
}
