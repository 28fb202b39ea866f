//! What a reader of a dictionary holds: proofs, what they are checked against, and the one function
//! that judges them.
//!
//! A dictionary is kept by archives that nobody needs to trust. A reader trusts the commitments of
//! a version, or its state root of 32 bytes and nothing else, asks a [`Question`], and gets an
//! [`AnswerProof`]; [`verify()`] says what it answers, or why it answers nothing: one key, many
//! keys, every entry of a range, a key's neighbours. No byte of a proof is believed.
//!
//! ```
//! use aardvark_proof::{Answer, KeyAnswer, Question, Reason, answer_json, commitments_json, verify};
//!
//! // The commitments of a version, from somebody who is trusted; the proof, from anybody.
//! let known = commitments_json::read(include_bytes!("../examples/commitments.json"))?;
//! let proof = answer_json::read(include_bytes!("../examples/proof.json"))?;
//!
//! let scheme = known.verifier()?;
//! let trusted = known.trusted(&scheme)?;
//! let answer = verify(&trusted, &Question::key("curl"), &proof)?;
//! assert_eq!(answer, Answer::Keys(vec![KeyAnswer { key: "curl".into(), value: Some("curl 1.0".into()) }]));
//!
//! // A forged value is false, and says so; a proof of something else is not taken for an answer.
//! let mut forged = proof.clone();
//! forged.claims[0].slot.value = "curl 2.0".into();
//! assert_eq!(verify(&trusted, &Question::key("curl"), &forged).unwrap_err().reason, Reason::AnswerOpeningFalse);
//! assert_eq!(verify(&trusted, &Question::key("wget"), &proof).unwrap_err().reason, Reason::OtherQuestion);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A state root is enough where the proof brings what the dictionary's id is over, and one opening
//! of 96 bytes is enough for any number of claims:
//!
//! ```
//! use aardvark_proof::{Answer, Question, Trusted, answer_json, hex_text, verify};
//!
//! let root = hex_text::decode_array(include_str!("../examples/root.txt").trim_end())?;
//! let proof = answer_json::read(include_bytes!("../examples/together.json"))?;
//!
//! let scheme = proof.verifier()?;
//! let answer = verify(&Trusted::root_alone(root, &scheme), &Question::range("c", "n", None), &proof)?;
//! let Answer::Range(found) = answer else { unreachable!("a range answers a range") };
//! assert_eq!(found.entries.len(), 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | what | specification |
//! |---|---|---|
//! | [`question`] | what is asked | `question` |
//! | [`scan`] | the answer of a chain of slots | `scan` |
//! | [`answer_proof`] | what is trusted, and what a proof is | `answer_proof` |
//! | [`answer_reason`] | why a proof does not hold, in three classes | `answer_reason` |
//! | [`identity`] | what a dictionary's id is over | `rooted_answer`, `folded_rooted_answer` |
//! | `answer_basis` | size and commitments, under a root too | `answer_basis` |
//! | [`answer_openings`] | openings, plain and folded | `verify`, `folded_answer` |
//! | [`mod@verify`] | the verifier, in its phases | `verify` |
//! | [`answer_json`], [`answer_bytes`] | proofs as text and as bytes | |
//! | [`proof_json`], [`root_json`], [`key_proof`] | the older proof of one key, format 1, and its verification | |
//! | [`commitments_json`] | the commitments of a version, which a reader trusts | |
//! | [`hex_text`], [`key_text`], [`json`], [`strict_json`] | notation | |

#![forbid(unsafe_code)]
#![warn(clippy::indexing_slicing)]

// Notation
pub mod hex_text;
pub mod json;
pub mod key_text;
pub mod strict_json;
// What is asked, and what answers
pub mod question;
pub mod scan;
mod setup;
// The verifier
mod answer_basis;
pub mod answer_openings;
pub mod answer_proof;
pub mod answer_reason;
pub mod identity;
pub mod verify;
// Formats
pub mod answer_bytes;
pub mod answer_json;
pub mod commitments_json;
pub mod key_proof;
pub mod proof_json;
pub mod root_json;

pub use answer_openings::Strictness;
pub use answer_proof::{
    AnswerProof, KnownCommitments, KnownRoot, KnownVector, KnownVectors, RootAlone, RootTie, TiedVector, Trusted,
};
pub use answer_reason::{Class, Reason, Refusal};
pub use identity::DictionaryIdentity;
pub use key_proof::{KeyRefusal, KeyStatement, verify_key};
pub use question::{KeyRange, Question, Region};
pub use scan::{Answer, Entry, KeyAnswer, RangeAnswer};
pub use setup::verifier;
pub use verify::{Grounds, grounds, verify, verify_with};

/// The example on the repository's front page, compiled and run with the other examples.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
pub struct FrontPage;
