//! Bytes that are or are not the encoding of a transaction or block.

use aardvark_dictionary::{Block, Change, Claim, ImportBlock, Operation, Slot, Transaction, Value};
use serde::{Deserialize, Serialize};

use super::file::{File, Hex, Outcome};
use super::flags::Flag;

/// What bytes are said to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum What {
    /// A transaction.
    Transaction,
    /// A block of transactions, in a dictionary with N = 2.
    Block,
    /// An import block.
    Import,
}

/// N of the dictionary that the blocks are for.
pub const VECTOR_SIZE: u32 = 2;

/// Bytes, and whether they are what they are said to be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EncodingCase {
    /// What they are said to be.
    pub what: What,
    /// The bytes.
    pub bytes: Hex,
    /// Whether they are.
    pub result: Outcome,
}

fn transaction() -> Transaction {
    let slot = Slot { key: "a".into(), value: "1".into(), next: "c".into() };
    Transaction {
        first_valid: 8,
        last_valid: 17,
        nonce: [7; 16],
        operations: vec![
            Operation::Require("a".into(), None),
            Operation::Require("a".into(), Some("1".into())),
            Operation::Put("b".into(), "2".into()),
            Operation::Delete("a".into()),
            Operation::Add("n".into(), 5),
            Operation::Sub("n".into(), u64::MAX),
        ],
        claims: vec![Claim { position: 3, slot, opening: [0x11; 48] }],
    }
}

fn block() -> Block {
    let slot = |key: &str| Slot { key: key.into(), value: "v".into(), next: "z".into() };
    Block { version: 9, transactions: vec![transaction()], tail_vectors: vec![vec![slot("x"), slot("y")]] }
}

fn import() -> ImportBlock {
    let change = |key: &str, value: Option<&str>| Change { key: key.into(), value: value.map(Value::from) };
    ImportBlock { version: 9, changes: vec![change("a", Some("1")), change("b", None), change("c", Some(""))] }
}

/// One test: what it shows, the bugs it is there to catch, the case.
type Row = (String, Vec<Flag>, EncodingCase);

/// Encodings and what is none.
pub fn encodings() -> File<EncodingCase> {
    let mut rows = Vec::new();
    for (what, name, bytes) in [
        (What::Transaction, "transaction", transaction().encode()),
        (What::Block, "block", block().encode()),
        (What::Import, "import block", import().encode()),
    ] {
        rows.extend(around(what, name, &bytes));
    }
    rows.extend(inside_transactions());
    rows.extend(inside_blocks());
    let borrowed = rows.iter().map(|(comment, flags, case)| (comment.as_str(), flags.as_slice(), case.clone()));
    let about = "Decoding is total and every value has one encoding. Blocks are for N = 2.";
    File::new("encodings", about, borrowed.collect())
}

fn row(comment: impl Into<String>, flags: &[Flag], what: What, bytes: &[u8], result: Outcome) -> Row {
    (comment.into(), flags.to_vec(), EncodingCase { what, bytes: bytes.into(), result })
}

/// What goes wrong with any encoding.
fn around(what: What, name: &str, bytes: &[u8]) -> Vec<Row> {
    let malformed = |comment: String, flag, bytes: &[u8]| row(comment, &[flag], what, bytes, Outcome::Malformed);
    let mut rows = vec![
        row(format!("a {name}"), &[], what, bytes, Outcome::Valid),
        malformed(format!("a {name}: no bytes at all"), Flag::Truncated, &[]),
        malformed(format!("a {name} and one byte more"), Flag::TrailingBytes, &[bytes, &[0]].concat()),
        malformed(format!("a {name} twice"), Flag::TrailingBytes, &[bytes, bytes].concat()),
    ];
    for cut in [1, 8, 9, bytes.len() / 2, bytes.len() - 1] {
        rows.push(malformed(format!("a {name} cut after {cut} bytes"), Flag::Truncated, &bytes[..cut]));
    }
    for format in [0, 3, 255] {
        let other = [&[format], &bytes[1..]].concat();
        rows.push(malformed(format!("a {name} of format {format}"), Flag::UnknownTag, &other));
    }
    rows
}

fn inside_transactions() -> Vec<Row> {
    let bytes = transaction().encode();
    let at = |index: usize, byte: u8| {
        let mut changed = bytes.clone();
        changed[index] = byte;
        changed
    };
    // format, first_valid, last_valid, nonce; then the number of operations, and the first one's
    // tag.
    let (count, tag) = (1 + 8 + 8 + 16, 1 + 8 + 8 + 16 + 2);
    let malformed =
        |comment: &str, flag, bytes: &[u8]| row(comment, &[flag], What::Transaction, bytes, Outcome::Malformed);
    let empty = Transaction { operations: Vec::new(), claims: Vec::new(), ..transaction() };
    let long =
        Transaction { operations: vec![Operation::Put(vec![1; 255].into(), vec![2; 1025].into())], ..transaction() };
    vec![
        malformed("an operation with tag 6", Flag::UnknownTag, &at(tag, 6)),
        malformed("an operation with tag 255", Flag::UnknownTag, &at(tag, 255)),
        malformed("an operation less than counted", Flag::Truncated, &at(count + 1, 7)),
        malformed("an operation more than counted", Flag::TrailingBytes, &at(count + 1, 5)),
        malformed(
            "65,535 operations announced",
            Flag::CountBeyondContent,
            &[&bytes[..count], &[0xff, 0xff], &bytes[tag..]].concat(),
        ),
        row(
            "neither operations nor claims: well-formed, and refused by its shape",
            &[],
            What::Transaction,
            &empty.encode(),
            Outcome::Valid,
        ),
        row(
            "lengths beyond the dictionary's maxima: well-formed, and refused by its shape",
            &[],
            What::Transaction,
            &long.encode(),
            Outcome::Valid,
        ),
    ]
}

fn inside_blocks() -> Vec<Row> {
    let (block_bytes, import_bytes) = (block().encode(), import().encode());
    let malformed = |comment: &str, flag, what, bytes: &[u8]| row(comment, &[flag], what, bytes, Outcome::Malformed);
    let with_count = |bytes: &[u8], count: u32| [&bytes[..9], &count.to_be_bytes(), &bytes[13..]].concat();
    let mut inner_longer = block_bytes.clone();
    inner_longer[16] += 1;
    let changes = |keys: [&str; 2]| {
        let change = |key: &str| Change { key: key.into(), value: None };
        ImportBlock { version: 1, changes: keys.map(change).to_vec() }.encode()
    };
    let mut tag = import_bytes.clone();
    tag[15] = 2;
    let empty = Block { version: 1, ..Block::default() };
    vec![
        row("an empty block", &[], What::Block, &empty.encode(), Outcome::Valid),
        malformed(
            "4,294,967,295 transactions announced",
            Flag::CountBeyondContent,
            What::Block,
            &with_count(&block_bytes, u32::MAX),
        ),
        malformed("a transaction less than counted", Flag::Truncated, What::Block, &with_count(&block_bytes, 2)),
        malformed(
            "a transaction whose length takes in a byte that follows it",
            Flag::TrailingBytes,
            What::Block,
            &inner_longer,
        ),
        malformed(
            "4,294,967,295 changes announced",
            Flag::CountBeyondContent,
            What::Import,
            &with_count(&import_bytes, u32::MAX),
        ),
        malformed("a change with tag 2", Flag::UnknownTag, What::Import, &tag),
        malformed("a key twice", Flag::UnorderedKeys, What::Import, &changes(["a", "a"])),
        malformed("keys that descend", Flag::UnorderedKeys, What::Import, &changes(["b", "a"])),
        malformed("a block of transactions for an import block", Flag::UnknownTag, What::Import, &block_bytes),
        malformed("an import block for a block of transactions", Flag::UnknownTag, What::Block, &import_bytes),
    ]
}
