//! The fourteen cases that every implementation gets wrong once (docs/design.md, section 7), each
//! as a test of specification and implementation both. That random histories meet them too is
//! asserted in `tests/histories.rs`.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a broken premise must stop a test")]

mod case_01_inserts_into_one_gap;
mod case_02_inserts_behind_changed_slots;
mod case_03_deletes_of_neighbours;
mod case_04_deletes_around_the_last_slot;
mod case_05_deletes_with_the_mover;
mod case_06_boundaries_of_vectors;
mod case_07_sequences_on_one_key;
mod case_08_claims_older_than_moves;
mod case_09_gaps_and_predecessors_that_changed;
mod case_10_staleness;
mod case_11_positions;
mod case_12_tails;
mod case_13_edges_of_the_algebra;
mod case_14_replays;
