//! Import blocks: their bytes, and how they are read.
//!
//! They stand in an archive's own log, whose owner makes them as large as wanted, so that no limit
//! of a dictionary is for them: their number of changes has 32 bits, and reading ends at the first
//! key that does not come after the one before it, which also bounds how many changes few bytes can
//! hold. Lengths beyond the dictionary's maxima are read, and refused by [`check_import`]. Source:
//! docs/format.md, "Blocks".

use crate::base::bytes::*;
use crate::block::import::*;
use crate::decoding::cursor::*;
use crate::decoding::decode_reason::*;
use crate::decoding::record_decoder::*;
use hacspec_lib::*;

/// The format number of an import block.
pub const IMPORT_FORMAT: usize = 2;

/// `u8 0`, or `u8 1 || bytes16(value)`.
pub fn import_content_bytes(content: &Option<ByteString>) -> ByteString {
    match content {
        None => u8_bytes(0),
        Some(present) => u8_bytes(1).concat(&bytes16(present)),
    }
}

/// `bytes8(key) || content`.
pub fn encode_import_change(change: &ImportChange) -> ByteString {
    bytes8(&change.import_key).concat(&import_content_bytes(&change.import_content))
}

/// One step of [`encode_import_changes`].
pub fn encode_import_changes_step(encoded: ByteString, change: &ImportChange) -> ByteString {
    encoded.concat(&encode_import_change(change))
}

/// The changes one after the other.
pub fn encode_import_changes(items: &Seq<ImportChange>) -> ByteString {
    let mut encoded = ByteString::new(0);
    for i in 0..items.len() {
        encoded = encode_import_changes_step(encoded, &items[i]);
    }
    encoded
}

/// `u8 format || u64 version || u32 number of changes || changes`.
pub fn encode_import(block: &ImportBlock) -> ByteString {
    u8_bytes(IMPORT_FORMAT)
        .concat(&u64_bytes(block.import_version))
        .concat(&u32_bytes(block.import_changes.len()))
        .concat(&encode_import_changes(&block.import_changes))
}

/// The value that is present.
pub fn read_present_value(bytes: &ByteString) -> Result<(Option<ByteString>, ByteString), DecodeReason> {
    let (found, rest) = read_bytes16(bytes)?;
    Ok((Some(found), rest))
}

/// The new content of a key.
pub fn read_import_content(bytes: &ByteString) -> Result<(Option<ByteString>, ByteString), DecodeReason> {
    let (present, rest) = read_presence(bytes)?;
    if present { read_present_value(&rest) } else { Ok((None, rest)) }
}

/// The next change.
pub fn read_import_change(bytes: &ByteString) -> Result<(ImportChange, ByteString), DecodeReason> {
    let (k, after_key) = read_bytes8(bytes)?;
    let (content, rest) = read_import_content(&after_key)?;
    Ok((ImportChange { import_key: k, import_content: content }, rest))
}

/// Whether the key of a change comes after the last of those before.
pub fn expect_later_key(before: &Seq<ImportChange>, found: &ImportChange) -> Result<(), DecodeReason> {
    if before.len() == 0 || bytes_less(&before[before.len() - 1].import_key, &found.import_key) {
        Ok(())
    } else {
        Err(DecodeReason::UnorderedKeys)
    }
}

/// One step of [`read_import_changes`].
pub fn read_import_changes_step(
    items: Result<(Seq<ImportChange>, ByteString), DecodeReason>,
) -> Result<(Seq<ImportChange>, ByteString), DecodeReason> {
    let (before, bytes) = items?;
    let (found, rest) = read_import_change(&bytes)?;
    let _later = expect_later_key(&before, &found)?;
    Ok((before.push_owned(found), rest))
}

/// The next changes, so many, each of a larger key than the one before.
pub fn read_import_changes(bytes: &ByteString, count: usize) -> Result<(Seq<ImportChange>, ByteString), DecodeReason> {
    let mut items = Ok((Seq::<ImportChange>::new(0), bytes.clone()));
    for _i in 0..reading_turns(count, bytes) {
        items = read_import_changes_step(items);
    }
    items
}

/// The import block that the bytes are.
pub fn decode_import(bytes: &ByteString) -> Result<ImportBlock, DecodeReason> {
    let after_format = expect_format(bytes, IMPORT_FORMAT)?;
    let (b, after_version) = read_number(&after_format, 8)?;
    let (count, after_count) = read_number(&after_version, 4)?;
    let (changes, rest) = read_import_changes(&after_count, count)?;
    let _end = expect_end(&rest)?;
    Ok(ImportBlock { import_version: b, import_changes: changes })
}
