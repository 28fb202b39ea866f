//! Operations: what a transaction asks for, and what each does to the content of its key.

use crate::base::bytes::*;
use crate::base::integers::*;
use crate::block::rejection::*;
use hacspec_lib::*;

/// What is asked about, or done to, the content of a key.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Action {
    /// The key must be absent.
    #[default]
    RequireAbsent,
    /// The key must have this value.
    RequireValue(ByteString),
    /// The key gets this value.
    Put(ByteString),
    /// The key becomes absent; nothing happens if it is.
    Delete,
    /// The key's number, or 0 if it is absent, grows by this amount.
    Add(u64),
    /// The key's number falls by this amount.
    Sub(u64),
}

/// An action on a key.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Operation {
    /// The key, of 1 to 255 bytes in a well-formed operation.
    pub operation_key: ByteString,
    /// The action.
    pub action: Action,
}

/// The largest number that 8 bytes write.
pub const MAX_NUMBER: u64 = 18_446_744_073_709_551_615;

/// The number that a value of 8 bytes writes, highest byte first.
pub fn number_of_value(present: &ByteString) -> Result<u64, Reason> {
    if present.len() == 8 { Ok(u64_of_u128(number_of_bytes(present))) } else { Err(Reason::NotANumber) }
}

/// The value of 8 bytes that writes a number.
pub fn value_of_number(number: u64) -> ByteString {
    big_endian(u128_of_u64(number), 8)
}

/// The content's number; an absent key counts as 0.
pub fn number_or_zero(content: &Option<ByteString>) -> Result<u64, Reason> {
    match content {
        None => Ok(0),
        Some(present) => number_of_value(present),
    }
}

/// The content's number; an absent key has none.
pub fn number_present(content: &Option<ByteString>) -> Result<u64, Reason> {
    match content {
        None => Err(Reason::AbsentKey),
        Some(present) => number_of_value(present),
    }
}

/// The content after `Add`.
pub fn run_add(content: &Option<ByteString>, amount: u64) -> Result<Option<ByteString>, Reason> {
    let number = number_or_zero(content)?;
    if amount > MAX_NUMBER - number { Err(Reason::Overflow) } else { Ok(Some(value_of_number(number + amount))) }
}

/// The content after `Sub`.
pub fn run_sub(content: &Option<ByteString>, amount: u64) -> Result<Option<ByteString>, Reason> {
    let number = number_present(content)?;
    if amount > number { Err(Reason::Underflow) } else { Ok(Some(value_of_number(number - amount))) }
}

/// The content itself, if it is the one required.
pub fn run_require(content: &Option<ByteString>, required: &Option<ByteString>) -> Result<Option<ByteString>, Reason> {
    if contents_equal(content, required) { Ok(content.clone()) } else { Err(Reason::RequireFailed) }
}

/// The content of a key after an action on it, or the reason why the action fails.
pub fn run_action(content: &Option<ByteString>, act: &Action) -> Result<Option<ByteString>, Reason> {
    match act {
        Action::RequireAbsent => run_require(content, &None),
        Action::RequireValue(required) => run_require(content, &Some(required.clone())),
        Action::Put(put_value) => Ok(Some(put_value.clone())),
        Action::Delete => Ok(None),
        Action::Add(amount) => run_add(content, *amount),
        Action::Sub(amount) => run_sub(content, *amount),
    }
}

/// Whether the action is `Delete`.
pub fn is_delete(act: &Action) -> bool {
    match act {
        Action::Delete => true,
        _ => false,
    }
}

/// The operation as it travels: its tag, `bytes8(key)`, and `bytes16(value)` or the amount.
pub fn encode_operation(operation: &Operation) -> ByteString {
    let k = bytes8(&operation.operation_key);
    match &operation.action {
        Action::RequireAbsent => u8_bytes(0).concat(&k),
        Action::RequireValue(required) => u8_bytes(1).concat(&k).concat(&bytes16(required)),
        Action::Put(put_value) => u8_bytes(2).concat(&k).concat(&bytes16(put_value)),
        Action::Delete => u8_bytes(3).concat(&k),
        Action::Add(amount) => u8_bytes(4).concat(&k).concat(&value_of_number(*amount)),
        Action::Sub(amount) => u8_bytes(5).concat(&k).concat(&value_of_number(*amount)),
    }
}

/// The length of [`encode_operation`], in bytes.
pub fn operation_length(operation: &Operation) -> usize {
    let k = operation.operation_key.len();
    match &operation.action {
        Action::RequireAbsent => 2 + k,
        Action::RequireValue(required) => 4 + k + required.len(),
        Action::Put(put_value) => 4 + k + put_value.len(),
        Action::Delete => 2 + k,
        Action::Add(_) => 10 + k,
        Action::Sub(_) => 10 + k,
    }
}

/// One step of [`encode_operations`].
pub fn encode_operations_step(encoded: ByteString, operation: &Operation) -> ByteString {
    encoded.concat(&encode_operation(operation))
}

/// The operations one after the other.
pub fn encode_operations(items: &Seq<Operation>) -> ByteString {
    let mut encoded = ByteString::new(0);
    for j in 0..items.len() {
        encoded = encode_operations_step(encoded, &items[j]);
    }
    encoded
}

/// One step of [`operations_length`].
pub fn operations_length_step(total: usize, operation: &Operation) -> usize {
    total + operation_length(operation)
}

/// The length of [`encode_operations`], in bytes.
pub fn operations_length(items: &Seq<Operation>) -> usize {
    let mut total = 0;
    for j in 0..items.len() {
        total = operations_length_step(total, &items[j]);
    }
    total
}
