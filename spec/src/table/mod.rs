//! Tables of private rows: sheets of committed numbers, and certificates that they are in order.
//!
//! Source: docs/tables.md.

// Values of a sheet's public polynomials at a point.
pub mod domain_values;

// The record of a run's segment.
pub mod run_record;

// Segments on one domain, and their layout.
pub mod sheet;

// What certificates are about, and their challenges.
pub mod certificate_transcript;

// Certificates: their claims and their verification.
pub mod certificate;

// Segments whose rows are known.
pub mod known_segment;

// Points and openings that a known trapdoor makes.
pub mod known_points;

// Certificates in the exponent, of rows that are known.
pub mod certificate_prover;
