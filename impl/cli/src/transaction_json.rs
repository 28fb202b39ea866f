//! Transactions as JSON.
//!
//! ```json
//! { "first_valid": 8, "last_valid": 17, "nonce": "0x… 16 bytes",
//!   "operations": [ {"require": {"key": "k", "value": null}}, {"put": {"key": "k", "value": "v"}},
//!                   {"delete": {"key": "k"}}, {"add": {"key": "bob", "amount": 5}},
//!                   {"sub": {"key": "alice", "amount": "18446744073709551615"}} ],
//!   "claims": [ … as in a proof … ] }
//! ```
//!
//! Keys and values of operations are text, or hexadecimal behind `0x`. Amounts are integers or
//! decimal strings (which survive readers that take numbers for floating point) from 1 to 2^64 - 1.

use std::fmt;

use aardvark_dictionary::{Claim, Operation, Transaction};
use serde::Deserialize;
use serde::de::{self, Deserializer, Visitor};

use crate::hex_text::HexArray;
use crate::json::{JsonError, present_or_null};
use crate::key_text::{KeyTextError, Notation, parse_key, parse_value};
use crate::proof_json::ClaimJson;

/// Most bytes of a line with a transaction: the default limit of a transaction's encoding, twice in
/// hexadecimal, and room.
pub const LONGEST_TRANSACTION: usize = 1 << 22;

/// Most operations, and most claims: their number has two bytes in the encoding.
const MOST_ITEMS: usize = 65_535;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TransactionJson {
    first_valid: u64,
    last_valid: u64,
    nonce: HexArray<16>,
    operations: Vec<OperationJson>,
    claims: Vec<ClaimJson>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum OperationJson {
    Require(RequireJson),
    Put(PutJson),
    Delete(DeleteJson),
    Add(AmountJson),
    Sub(AmountJson),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RequireJson {
    key: String,
    #[serde(deserialize_with = "present_or_null")]
    value: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PutJson {
    key: String,
    value: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DeleteJson {
    key: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AmountJson {
    key: String,
    amount: Amount,
}

/// From 1 to 2^64 - 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Amount(u64);

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AmountVisitor)
    }
}

struct AmountVisitor;

impl Visitor<'_> for AmountVisitor {
    type Value = Amount;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an amount: an integer or a string of decimal digits, from 1 to 18446744073709551615")
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Amount, E> {
        match number {
            0 => Err(E::invalid_value(de::Unexpected::Unsigned(0), &self)),
            _ => Ok(Amount(number)),
        }
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Amount, E> {
        // One number has one text: no sign, no leading zero.
        let digits = !text.starts_with('0') && text.bytes().all(|byte| byte.is_ascii_digit());
        match text.parse() {
            Ok(number) if digits => Ok(Amount(number)),
            _ => Err(E::invalid_value(de::Unexpected::Str(text), &self)),
        }
    }
}

/// Reads a transaction. What it says is only checked for its form; the validator judges the rest.
///
/// # Errors
/// Anything that is not exactly one transaction; keys and values that no dictionary takes are
/// named.
pub fn read(text: &[u8]) -> Result<Transaction, JsonError> {
    let json: TransactionJson = serde_json::from_slice(text)?;
    for (count, items) in [(json.operations.len(), "operations"), (json.claims.len(), "claims")] {
        if count > MOST_ITEMS {
            return Err(JsonError::TooMany(count, items, MOST_ITEMS));
        }
    }
    let operations =
        json.operations.into_iter().enumerate().map(|(index, operation)| {
            Operation::try_from(operation).map_err(|error| JsonError::Operation(index, error))
        });
    Ok(Transaction {
        first_valid: json.first_valid,
        last_valid: json.last_valid,
        nonce: json.nonce.0,
        operations: operations.collect::<Result<_, _>>()?,
        claims: json.claims.into_iter().map(Claim::try_from).collect::<Result<_, _>>()?,
    })
}

/// Reads operations alone, a JSON array of them, as a client gets them that makes the rest.
///
/// # Errors
/// As [`read`].
pub fn read_operations(text: &[u8]) -> Result<Vec<Operation>, JsonError> {
    let json: Vec<OperationJson> = serde_json::from_slice(text)?;
    if json.len() > MOST_ITEMS {
        return Err(JsonError::TooMany(json.len(), "operations", MOST_ITEMS));
    }
    let read = |(index, operation)| Operation::try_from(operation).map_err(|error| JsonError::Operation(index, error));
    json.into_iter().enumerate().map(read).collect()
}

impl TryFrom<OperationJson> for Operation {
    type Error = KeyTextError;

    fn try_from(json: OperationJson) -> Result<Self, KeyTextError> {
        let key_of = |text: &str| parse_key(text, Notation::TextOrHex);
        let value_of = |text: &str| parse_value(text, Notation::TextOrHex);
        Ok(match json {
            OperationJson::Require(RequireJson { key, value }) => {
                Self::Require(key_of(&key)?, value.as_deref().map(value_of).transpose()?)
            }
            OperationJson::Put(PutJson { key, value }) => Self::Put(key_of(&key)?, value_of(&value)?),
            OperationJson::Delete(DeleteJson { key }) => Self::Delete(key_of(&key)?),
            OperationJson::Add(AmountJson { key, amount }) => Self::Add(key_of(&key)?, amount.0),
            OperationJson::Sub(AmountJson { key, amount }) => Self::Sub(key_of(&key)?, amount.0),
        })
    }
}

#[cfg(test)]
mod tests {
    use aardvark_dictionary::{Key, Slot, Value};

    use super::*;

    fn transaction() -> Transaction {
        let bytes = Value::from([0, 0, 0, 0, 0, 0, 0, 5].as_slice());
        let claim = Claim { position: 4711, slot: Slot::lone_sentinel(), opening: [9; 48] };
        Transaction {
            first_valid: 8,
            last_valid: 17,
            nonce: [3; 16],
            operations: vec![
                Operation::Require("k".into(), None),
                Operation::Require("0x".into(), Some(bytes)),
                Operation::Put(Key::from([0xff].as_slice()), Value::empty()),
                Operation::Delete("k".into()),
                Operation::Add("bob".into(), 1),
                Operation::Sub("alice".into(), u64::MAX),
            ],
            claims: vec![claim],
        }
    }

    /// [`transaction`] as a client would write it.
    fn text() -> String {
        let nonce = "03".repeat(16);
        let opening = "09".repeat(48);
        let operations = r#"{"require":{"key":"k","value":null}},{"require":{"key":"0x3078","value":"0x0000000000000005"}},
            {"put":{"key":"0xff","value":""}},{"delete":{"key":"k"}},{"add":{"key":"bob","amount":1}},
            {"sub":{"key":"alice","amount":"18446744073709551615"}}"#;
        let claim =
            format!(r#"{{"position":4711,"slot":{{"key":"0x","value":"0x","next":"0x"}},"opening":"0x{opening}"}}"#);
        format!(
            r#"{{"first_valid":8,"last_valid":17,"nonce":"0x{nonce}","operations":[{operations}],"claims":[{claim}]}}"#
        )
    }

    fn with_operation(operation: &str) -> Result<Transaction, JsonError> {
        let text = format!(
            r#"{{"first_valid":1,"last_valid":1,"nonce":"0x{}","operations":[{operation}],"claims":[]}}"#,
            "00".repeat(16)
        );
        read(text.as_bytes())
    }

    #[test]
    fn a_transaction_means_what_it_says() {
        assert_eq!(read(text().as_bytes()).unwrap(), transaction());
    }

    #[test]
    fn operations_alone_are_read_as_within_a_transaction() {
        let operations =
            text().split_once("\"operations\":").unwrap().1.split_once(",\"claims\"").unwrap().0.to_owned();
        assert_eq!(read_operations(operations.as_bytes()).unwrap(), transaction().operations);
        assert!(read_operations(b"{}").is_err());
        assert!(matches!(read_operations(br#"[{"delete":{"key":""}}]"#), Err(JsonError::Operation(0, _))));
    }

    #[test]
    fn amounts_are_integers_or_decimal_strings_from_one_to_the_largest_word() {
        for (amount, expected) in
            [("1", 1), ("\"1\"", 1), ("18446744073709551615", u64::MAX), ("\"18446744073709551615\"", u64::MAX)]
        {
            let transaction = with_operation(&format!(r#"{{"add":{{"key":"k","amount":{amount}}}}}"#)).unwrap();
            assert_eq!(transaction.operations, [Operation::Add("k".into(), expected)]);
        }
        for amount in [
            "0",
            "\"0\"",
            "-1",
            "1.0",
            "1e3",
            "18446744073709551616",
            "\"18446744073709551616\"",
            "\"+1\"",
            "\"01\"",
            "\"\"",
            "\" 1\"",
            "null",
            "true",
            "[1]",
            "\"0x1\"",
        ] {
            let error = with_operation(&format!(r#"{{"sub":{{"key":"k","amount":{amount}}}}}"#)).unwrap_err();
            assert!(error.to_string().contains("amount"), "{amount}: {error}");
        }
    }

    #[test]
    fn malformed_operations_are_refused() {
        for operation in [
            r#"{"grow":{"key":"k"}}"#,
            r#"{"put":{"key":"k"}}"#,
            r#"{"put":{"key":"k","value":null}}"#,
            r#"{"require":{"key":"k"}}"#,
            r#"{"delete":{"key":"k","value":"v"}}"#,
            r#"{"delete":{"key":"k"},"put":{"key":"k","value":"v"}}"#,
            r#"{"delete":{"key":"k","key":"j"}}"#,
            r#""delete""#,
            "{}",
        ] {
            assert!(with_operation(operation).is_err(), "{operation}");
        }
    }

    #[test]
    fn keys_that_no_dictionary_takes_are_refused_with_the_operation_that_names_them() {
        for key in ["", "0x", "0xzz", &"k".repeat(256)] {
            let error =
                with_operation(&format!(r#"{{"add":{{"key":"a","amount":1}}}},{{"delete":{{"key":"{key}"}}}}"#));
            assert!(error.unwrap_err().to_string().starts_with("operation 1: "), "{key}");
        }
        let value = "v".repeat(1025);
        assert!(with_operation(&format!(r#"{{"put":{{"key":"a","value":"{value}"}}}}"#)).is_err());
    }

    #[test]
    fn unknown_repeated_and_missing_fields_are_refused() {
        let text = text();
        for (from, to) in [
            ("\"nonce\"", "\"fee\":1,\"nonce\""),
            ("\"last_valid\":17", "\"last_valid\":17,\"last_valid\":18"),
            ("\"last_valid\":17,", ""),
            ("0x03", "0x0303"),
            ("\"first_valid\":8", "\"first_valid\":-8"),
        ] {
            assert!(read(text.replace(from, to).as_bytes()).is_err(), "{from} to {to}");
        }
    }
}
