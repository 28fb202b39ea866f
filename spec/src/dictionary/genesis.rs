//! Parameters, genesis, and the dictionary id that binds both. Source: docs/format.md.
//!
//! Two dictionaries with equal parameters, setup and content are two dictionaries all the same:
//! name and salt tell them apart, so that no proof, transaction or signature of one is of use on
//! the other.

use crate::base::bytes::*;
use crate::base::hash::*;
use crate::base::scalar::*;
use crate::dictionary::array::*;
use crate::dictionary::key_map::*;

/// What a dictionary fixes at its genesis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parameters {
    /// 1 for KZG, 2 for Libert–Yung.
    pub scheme: u8,
    /// N, the number of slots in a vector.
    pub vector_size: usize,
    /// W, the number of versions for which a claim stays good.
    pub window_length: usize,
    /// The most bytes in a key.
    pub max_key_length: usize,
    /// The most bytes in a value.
    pub max_value_length: usize,
    /// The most operations in a transaction.
    pub transaction_operations: usize,
    /// The most claims in a transaction.
    pub transaction_claims: usize,
    /// The most bytes in an encoded transaction.
    pub transaction_bytes: usize,
    /// The most transactions in a block.
    pub block_transactions: usize,
    /// The most operations in a block.
    pub block_operations: usize,
    /// The most claims in a block.
    pub block_claims: usize,
    /// The most bytes in an encoded block.
    pub block_bytes: usize,
}

/// What a dictionary begins with, all of which its id binds.
#[derive(Clone, Debug, Default)]
pub struct Genesis {
    /// The dictionary's name, 1 to 255 bytes.
    pub genesis_name: ByteString,
    /// 32 bytes that no other dictionary should have.
    pub genesis_salt: ByteString,
    /// The parameters.
    pub genesis_parameters: Parameters,
    /// The digest of the scheme's setup, 32 bytes.
    pub genesis_setup_digest: ByteString,
    /// The first keys and values, in strictly ascending order of keys.
    pub genesis_entries: KeyMap,
    /// What the id binds besides, of no meaning here: empty, or a chain's name and policy.
    pub genesis_binding: ByteString,
}

/// Whether a number fits 16 bits.
pub fn fits_u16(x: usize) -> bool {
    x <= 65_535
}

/// Whether a number fits 32 bits.
pub fn fits_u32(x: usize) -> bool {
    x <= 4_294_967_295
}

/// Whether scheme, vector size, window and maxima are legal.
pub fn layout_legal(p: &Parameters) -> bool {
    (p.scheme == 1 || p.scheme == 2)
        && p.vector_size >= 1
        && MAX_VECTOR_SIZE % p.vector_size == 0
        && p.window_length <= 65_535
        && p.max_key_length >= 1
        && p.max_key_length <= 255
        && p.max_value_length <= 1024
}

/// Whether the limits on numbers of things are legal: no transaction has more operations or claims
/// than its encoding can count, and a block has room for any transaction.
pub fn counts_legal(p: &Parameters) -> bool {
    p.transaction_operations >= 1
        && p.transaction_claims >= 2
        && p.block_transactions >= 1
        && p.block_operations >= p.transaction_operations
        && p.block_claims >= p.transaction_claims
        && fits_u16(p.transaction_operations)
        && fits_u16(p.transaction_claims)
        && fits_u32(p.block_transactions)
        && fits_u32(p.block_operations)
        && fits_u32(p.block_claims)
}

/// The most slots of tail vectors that one transaction can make necessary: its deletes, rounded up
/// to whole vectors.
pub fn widest_tail(p: &Parameters) -> usize {
    (p.transaction_operations + p.vector_size - 1) / p.vector_size * p.vector_size
}

/// Whether the limits on bytes are legal: one largest transaction, and the tail vectors that it can
/// need, at maximal sizes fit together. N >= 1 is given.
pub fn lengths_legal(p: &Parameters) -> bool {
    let widest_slot = 2 * p.max_key_length + p.max_value_length;
    p.transaction_bytes >= 2048 + 2 * (66 + widest_slot)
        && fits_u32(p.transaction_bytes)
        && p.block_bytes >= 17 + p.transaction_bytes + 4 + widest_tail(p) * (6 + widest_slot)
        && fits_u32(p.block_bytes)
}

/// Whether the parameters are legal.
pub fn parameters_legal(p: &Parameters) -> bool {
    layout_legal(p) && counts_legal(p) && lengths_legal(p)
}

/// One step of [`entries_legal`].
pub fn entries_legal_step(legal: bool, p: &Parameters, entry: &KeyEntry) -> bool {
    legal
        && entry.entry_key.len() >= 1
        && entry.entry_key.len() <= p.max_key_length
        && entry.entry_value.len() <= p.max_value_length
}

/// Whether all keys and values have legal lengths.
pub fn entries_legal(p: &Parameters, entries: &KeyMap) -> bool {
    let mut legal = true;
    for i in 0..entries.len() {
        legal = entries_legal_step(legal, p, &entries[i]);
    }
    legal
}

/// Whether name and salt have legal lengths.
pub fn identity_legal(genesis: &Genesis) -> bool {
    genesis.genesis_name.len() >= 1 && genesis.genesis_name.len() <= 255 && genesis.genesis_salt.len() == 32
}

/// Whether a genesis is legal.
pub fn genesis_legal(genesis: &Genesis) -> bool {
    parameters_legal(&genesis.genesis_parameters)
        && identity_legal(genesis)
        && genesis.genesis_setup_digest.len() == 32
        && key_map_ascends(&genesis.genesis_entries)
        && entries_legal(&genesis.genesis_parameters, &genesis.genesis_entries)
}

/// The parameters as the dictionary id binds them.
pub fn encode_parameters(p: &Parameters) -> ByteString {
    single_byte(p.scheme)
        .concat(&u32_bytes(p.vector_size))
        .concat(&u32_bytes(p.window_length))
        .concat(&u16_bytes(p.max_key_length))
        .concat(&u16_bytes(p.max_value_length))
        .concat(&u32_bytes(p.transaction_operations))
        .concat(&u32_bytes(p.transaction_claims))
        .concat(&u32_bytes(p.transaction_bytes))
        .concat(&u32_bytes(p.block_transactions))
        .concat(&u32_bytes(p.block_operations))
        .concat(&u32_bytes(p.block_claims))
        .concat(&u32_bytes(p.block_bytes))
}

/// One step of [`encode_entries`].
pub fn encode_entries_step(encoded: ByteString, entry: &KeyEntry) -> ByteString {
    encoded.concat(&bytes16(&entry.entry_key)).concat(&bytes16(&entry.entry_value))
}

/// The entries one after the other: `bytes16(key) || bytes16(value)`.
pub fn encode_entries(entries: &KeyMap) -> ByteString {
    let mut encoded = ByteString::new(0);
    for i in 0..entries.len() {
        encoded = encode_entries_step(encoded, &entries[i]);
    }
    encoded
}

/// The digest of the first keys and values, 32 bytes: `u64 number || (bytes16(key) ||
/// bytes16(value))*`.
pub fn content_digest(entries: &KeyMap) -> ByteString {
    tagged_hash(&tag_content(), &u64_bytes(entries.len()).concat(&encode_entries(entries)))
}

/// What the dictionary id is over: `bytes8(name) || salt (32) || parameters_bytes || setup_digest
/// (32) || content_digest (32) || binding`.
pub fn identity_bytes(genesis: &Genesis) -> ByteString {
    bytes8(&genesis.genesis_name)
        .concat(&genesis.genesis_salt)
        .concat(&encode_parameters(&genesis.genesis_parameters))
        .concat(&genesis.genesis_setup_digest)
        .concat(&content_digest(&genesis.genesis_entries))
        .concat(&genesis.genesis_binding)
}

/// The dictionary id, 32 bytes.
pub fn id_of_dictionary(genesis: &Genesis) -> ByteString {
    tagged_hash(&tag_dictionary(), &identity_bytes(genesis))
}

/// One step of [`genesis_array`].
pub fn genesis_array_step(array: Array, entry: &KeyEntry) -> Array {
    match array_insert(&array, &entry.entry_key, &entry.entry_value) {
        Some(larger) => larger,
        None => array,
    }
}

/// The array at version 0: the sentinel at position 0, and entry i at position i + 1. Inserting in
/// ascending order puts each entry there; an insertion into the whole array never fails.
pub fn genesis_array(entries: &KeyMap) -> Array {
    let mut array = empty_array();
    for i in 0..entries.len() {
        array = genesis_array_step(array, &entries[i]);
    }
    array
}
