//! Specification, the proofs' oracle and implementation against each other: generators of
//! histories, comparisons, vectors.
//!
//! `aardvark-spec` says what Aardvark is, in functions over numbers; the oracle runs what Coq's
//! theorems are about, the same functions translated and extracted; the crates of `impl/` do it,
//! with points of a curve. This crate feeds all three the same blocks and asks that they say the
//! same: accepted or refused, for which reason, at which item, and with which state afterwards,
//! down to the bytes of every commitment. Two more opinions stand beside them: an ordinary map that
//! runs the transactions one after the other, and the design's own word on what each single fault
//! must lead to ([`expected`]).
//!
//! | target | what is compared | property |
//! |---|---|---|
//! | `tests/histories.rs` | random histories, well-formed and faulty | same verdict, reason, item, state, to all three, on one thread and on four, plain and (a tenth) aggregated; same roots; honest blocks are accepted; every case of docs/design.md, section 7, every reason and every fault is met |
//! | | random histories of the dictionary alone | same arrays, writes, views, resolutions, maps |
//! | `tests/oracle.rs` | the oracle and answers that are not its own | they are mismatches |
//! | `tests/cases` | the fourteen cases of docs/design.md, section 7, one scene each | both sides do what the sentence says |
//! | `tests/default_size.rs` | one history with N = 1024, W = 10 | as the random ones, at the sizes they are too small for |
//! | `tests/aggregated.rs` | aggregated blocks, honest and forged | same verdict, reason, state; an honest one does what the plain block does |
//! | `tests/bytes.rs` | blocks damaged on the way | decoding is total and canonical; what still decodes is judged alike |
//! | `tests/decoders.rs` | random, damaged and truncated bytes: slots, claims, transactions, plain, aggregated and chain blocks, records, snapshots, imports | same value or same reason; what decodes encodes to the same bytes; every reason is met |
//! | `tests/received.rs` | bytes as a process receives them, honest, damaged and truncated, from the decoder to the state after them: lists of a chain, aggregated and plain blocks, imports, transactions for a mempool, snapshots | applied with the same outcome, or refused for the same reason, by all three |
//! | `tests/answers.rs` | proofs of answers, honest, lies, damaged: keys, ranges, neighbours, under commitments, under a root, with and without the dictionary's id, plain and folded | same answer, or reason, class and item, to all three; what is accepted is what an ordinary map answers; every reason is met |
//! | `tests/policies.rs` | random transactions under `accounts` and `publisher`, honest and not | same verdict and reason; accepted ones conserve the supply |
//! | `tests/table_transactions.rs` | random histories of transactions under `tables`, legal and not | same verdict and reason, same statements of certificates |
//! | `tests/table_certified.rs` | transactions under `tables` with certificates on a known trapdoor, and lies | same verdict and reason |
//! | `tests/algebra` | laws: scalars, hashes, encodings, commitments, openings, updates, batches | the implementation's point is the specification's exponent times g1 |
//! | `tests/vectors.rs` | the files in `vectors/` | as described, up to date, replayed by both sides; c-kzg agrees on the ceremony |
//! | `tests/proof_vectors.rs` | the proofs in `vectors/proofs.json` | the implementation judges each as stated, from text and from bytes; c-kzg judges the openings |
//! | `tests/note_vectors.rs` | the signed notes in `vectors/notes.json` | the implementation judges each as stated |
//! | `tests/fresh_proofs.rs` | proofs of random dictionaries on the ceremony, of another seed each time: honest, lies, damaged | same verdict by all three; the file is written for the verifiers of `impl/bindings`, which judge it alike |
//! | `tests/kept.rs` | histories that once showed a fault | they never do again |
//!
//! # How a history runs
//!
//! A [`plan`] is drawn by [`strategies`], or read from a file. [`build`] interprets it against the
//! honest [`archive`] and makes a block; [`faults`] spoil it; [`pair`] gives it to both sides, and
//! through [`oracle`] to the third, and compares; [`observe`] counts which cases of docs/design.md,
//! section 7, it was one of. [`dictionary_layer`] does the same without commitments, a thousand
//! histories a second. Both setups share a secret that the tests know, so each opening is a number
//! to the specification and its multiple of g1 to the implementation ([`points`]); which bytes are
//! an opening at all is judged by [`opening_rule`], which shares no code with either.
#![forbid(unsafe_code)]
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests through and through: a broken premise must stop them"
)]

// What a generator draws
pub mod plan;
pub mod strategies;
// What plans are interpreted in
pub mod archive;
pub mod build;
pub mod faults;
pub mod opening_rule;
pub mod ordinary_map;
pub mod points;
pub mod setting;
// What goes wrong with bytes
pub mod damage;
// All sides
pub mod aggregated;
pub mod compare;
pub mod convert;
pub mod decoders;
pub mod honesty;
pub mod imports;
pub mod oracle;
pub mod pair;
pub mod policies;
pub mod proposals;
pub mod received;
pub mod roots;
pub mod whole_arrays;
// What was met, and what should have been said
pub mod coverage;
pub mod expected;
pub mod observe;
pub mod run;
pub mod scene;
// Answers to readers
pub mod answers;
// The dictionary alone
pub mod dictionary_layer;
// Many histories
pub mod campaign;
// For other implementations
pub mod fresh_proofs;
pub mod vectors;
