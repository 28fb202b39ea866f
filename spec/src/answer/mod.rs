//! Questions of readers, and how an answer is verified under a root or under commitments.

// What is asked: keys, ranges, neighbours.
pub mod question;

// The answer that a chain of slots gives.
pub mod scan;

// The answer that a map gives.
pub mod ideal_answer;

// Why a proof does not hold.
pub mod answer_reason;

// What a verifier believes, and what it is given.
pub mod answer_proof;

// What is known before any opening is looked at.
pub mod answer_basis;

// Verifying an answer.
pub mod verify;

// Verifying an answer whose openings are folded.
pub mod folded_answer;

// Verifying an answer under a root alone.
pub mod rooted_answer;

// Verifying an answer whose openings are folded, under a root alone.
pub mod folded_rooted_answer;

// What an honest archive answers with.
pub mod answer_prover;
