//! The most bytes that an honest node's answer can have, by method; and items, where a few bytes of
//! JSON take many of memory.

use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize as Derive;
use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use tendermint_proto::serializers::bytes::base64string;

use super::validator_set::MOST_VALIDATORS;

/// Validators a page; CometBFT gives no more.
pub(super) const PAGE: usize = 100;
/// Transactions that a search is asked for.
pub(super) const FOUND: usize = 10;
/// Most transactions of a block: CometBFT's largest, of 100 MiB, has no more of 100 bytes each, and
/// a signature takes 96.
const MOST_TRANSACTIONS: usize = 1 << 20;
/// The largest block that CometBFT decides.
const BLOCK_BYTES: usize = 100 << 20;
/// Bytes of a genesis file in each chunk but the last.
pub(super) const GENESIS_CHUNK: usize = 16 << 20;
/// Most chunks of a genesis file that is taken from a node, 32 MiB: larger first content goes by
/// its digest (`docs/network.md`, Genesis).
pub(super) const GENESIS_CHUNKS: u64 = 2;

/// What has no lists: status, and what CheckTx says.
pub(super) const SMALL: usize = 1 << 16;
/// A header and a signature of each validator, which take less than 256 bytes.
pub(super) const COMMIT: usize = SMALL + 256 * MOST_VALIDATORS;
/// A page of validators, which take less than 1 KiB each.
pub(super) const VALIDATORS: usize = SMALL + (PAGE << 10);
/// A block in base64, with the last commit and evidence.
pub(super) const BLOCK: usize = base64(BLOCK_BYTES) + COMMIT + (8 << 20);
/// A chunk of genesis in base64.
pub(super) const GENESIS: usize = SMALL + base64(GENESIS_CHUNK);
/// Transactions with their results: CometBFT's mempool takes them up to 1 MiB.
pub(super) const SEARCH: usize = FOUND * (SMALL + base64(1 << 20) + (1 << 20));

const fn base64(bytes: usize) -> usize {
    bytes.div_ceil(3) * 4
}

/// A list of at most `MOST` items: a field's `deserialize_with`.
pub(crate) fn at_most<'de, D, T, const MOST: usize>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    deserializer.deserialize_seq(AtMost::<T, MOST>(PhantomData))
}

struct AtMost<T, const MOST: usize>(PhantomData<T>);

impl<'de, T: Deserialize<'de>, const MOST: usize> Visitor<'de> for AtMost<T, MOST> {
    type Value = Vec<T>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "a list of at most {MOST} items")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Vec<T>, A::Error> {
        let mut found = Vec::new();
        while let Some(item) = items.next_element()? {
            if found.len() == MOST {
                return Err(A::Error::custom(format_args!("more than {MOST} items")));
            }
            found.push(item);
        }
        Ok(found)
    }
}

/// The transactions of a block; `null` where there are none.
pub(super) fn transactions<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Vec<u8>>, D::Error> {
    let listed: Option<Transactions> = Option::deserialize(deserializer)?;
    Ok(listed.map(|listed| listed.0.into_iter().map(|transaction| transaction.0).collect()).unwrap_or_default())
}

#[derive(Derive)]
struct Transactions(#[serde(deserialize_with = "at_most::<_, _, MOST_TRANSACTIONS>")] Vec<Transaction>);

#[derive(Derive)]
struct Transaction(#[serde(with = "base64string")] Vec<u8>);
