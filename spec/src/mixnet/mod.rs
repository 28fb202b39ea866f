//! Mixnets: proofs of linear relations, commitments to permutations, shuffled columns, shares of
//! keys and decryption.

// Proofs of "I know s with M s = X".
pub mod linear_relation;

// What each challenge covers.
pub mod mixnet_transcript;

// Commitments to permutations, and proofs that they are.
pub mod permutation;

// Lists shuffled by a committed permutation.
pub mod column;

// Values in chunks.
pub mod chunks;

// Keys in shares.
pub mod sharing;

// Keys dealt under masks, and complaints.
pub mod dealing;

// Decryption by t of m servers.
pub mod threshold;

// Whether a sum is 0.
pub mod zero_test;

// Eight bits in one decrypted number.
pub mod trace_packed;

// What queries mean.
pub mod trace;

// How servers answer them.
pub mod trace_run;

// Keys of a board's posts.
pub mod post_key;

// Their values.
pub mod post_value;

// Which posts of a ceremony count.
pub mod counted_post;

// What servers' posts of one kind come to.
pub mod servers_read;

// Dealings and verdicts as posts.
pub mod key_posts;

// The keys that follow from them.
pub mod key_generation;

// What posts say of a query.
pub mod asked_view;

// What inputs, queries and convicted dealings come to.
pub mod ceremony_read;

// What posts say of a ceremony.
pub mod ceremony_view;

// What a server must post next.
pub mod duty;
