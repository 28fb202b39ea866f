//! Tables of private rows: sheets of committed numbers, and certificates that they are in order.
//!
//! Source: docs/tables.md.

// Values of a sheet's public polynomials at a point.
pub mod domain_values;

// The record of a run's segment.
pub mod run_record;

// Segments on one domain, and their layout.
pub mod sheet;

// Certificates: what they are about, their challenges, their verification.
pub mod certificate;

// Certificates in the exponent, of rows that are known.
pub mod certificate_prover;
