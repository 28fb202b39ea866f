//! Bytes of transactions: the specification's core, lengths and identity against the
//! implementation's codec.

use aardvark_dictionary::{DictionaryId, Operation, Transaction};
use aardvark_spec::block::operation::{encode_operation, operation_length};
use aardvark_spec::block::transaction::{encode_core, id_of_transaction, transaction_length};
use aardvark_spec::convert::byte_vec;
use differential_tests::convert::{bytes_to_spec, operation_to_spec, transaction_to_spec};
use differential_tests::points::Points;
use quickcheck::quickcheck;

use super::arbitrary::AnyKey;

fn operation(kind: u8, key: AnyKey, value: Vec<u8>, amount: u64) -> Operation {
    let key = key.0.into();
    match kind % 6 {
        0 => Operation::Require(key, None),
        1 => Operation::Require(key, Some(value.into())),
        2 => Operation::Put(key, value.into()),
        3 => Operation::Delete(key),
        4 => Operation::Add(key, amount),
        _ => Operation::Sub(key, amount),
    }
}

type Row = (u8, AnyKey, Vec<u8>, u64);

fn transaction(first: u64, last: u64, nonce: u8, rows: Vec<Row>) -> Transaction {
    let operations = rows.into_iter().map(|(kind, key, value, amount)| operation(kind, key, value, amount)).collect();
    Transaction { first_valid: first, last_valid: last, nonce: [nonce; 16], operations, claims: Vec::new() }
}

quickcheck! {
    fn transactions_have_the_same_core_length_and_identity(first: u64, last: u64, nonce: u8, rows: Vec<Row>) -> bool {
        let transaction = transaction(first, last, nonce, rows);
        let specified = transaction_to_spec(&transaction, &Points::default());
        let bytes = transaction.encode();
        let core = [&[1], &*byte_vec(&encode_core(&specified)), &[0, 0]].concat();
        let dictionary = DictionaryId([nonce; 32]);
        let id = id_of_transaction(&bytes_to_spec(&dictionary.0), &specified);
        bytes == core
            && transaction_length(&specified) == bytes.len()
            && transaction.encoded_length() == bytes.len()
            && Transaction::decode(&bytes).as_ref() == Ok(&transaction)
            && byte_vec(&id) == transaction.id(&dictionary).0
    }

    fn operations_have_the_same_bytes_and_lengths(row: Row) -> bool {
        let (kind, key, value, amount) = row;
        let operation = operation(kind, key, value, amount);
        let specified = operation_to_spec(&operation);
        let alone = |operations| Transaction { operations, ..transaction(1, 1, 0, Vec::new()) }.encode();
        let (with, without) = (alone(vec![operation]), alone(Vec::new()));
        let encoded = &with[35..with.len() - 2];
        byte_vec(&encode_operation(&specified)) == encoded
            && operation_length(&specified) == encoded.len()
            && with.len() - without.len() == encoded.len()
    }
}
