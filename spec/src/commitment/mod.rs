//! Vector commitments, claims about them in batches and aggregations, and the tree over
//! commitments.

// What the two schemes share.
pub mod opening;

// KZG.
pub mod kzg;

// Libert-Yung.
pub mod libert_yung;

// The choice between the two.
pub mod scheme;

// The coefficients of a batch.
pub mod challenge;

// The challenges of an aggregation.
pub mod aggregation;

// Many openings in one.
pub mod folded_opening;

// Verdicts under drawn challenges.
pub mod transcript;

// The tree over the commitments, and paths to one of them.
pub mod commitment_tree;
