//! Tables of private rows: sheets of committed numbers, certificates that they are in order, and
//! the schemas and keys under which the dictionary holds them.
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

// Certificates of sheets that continue a run.
pub mod linked_certificate;

// Segments whose rows are known.
pub mod known_segment;

// Points and openings that a known trapdoor makes.
pub mod known_points;

// Certificates in the exponent, of rows that are known.
pub mod certificate_prover;

// The same of sheets that continue a run.
pub mod linked_certificate_prover;

// Schemas: their columns, their bytes, their digest.
pub mod table_schema;

// Which schemas are legal.
pub mod schema_legality;

// Schemas from bytes.
pub mod schema_decoder;

// The keys of schemas, runs and segments.
pub mod table_key;

// Values of key columns.
pub mod key_value;

// Boxes of keys.
pub mod key_box;

// Which runs are in a box, as a chain of slots shows it.
pub mod table_scan;

// Queries, and their bytes.
pub mod table_query;

// What the runs of a box add up to.
pub mod totals;

// Runs of any number of segments, and which of their steps are legal.
pub mod run_segments;

// Comparisons of rows with thresholds: their challenges and their claims.
pub mod comparison;

// Comparisons in the exponent, of rows that are known.
pub mod comparison_prover;

// What a query about the order of the rows asks for.
pub mod cut_goal;

// Cuts of sorted runs at a rank or a number, and what of them has to be compared.
pub mod cut;

// Answers, and the transcript that binds them.
pub mod table_answer;

// The runs of a box, and the segments that an answer shows.
pub mod long_runs;

// What an answer claims of the order of rows.
pub mod table_answer_order;

// What an answer claims of commitments, and its fold.
pub mod table_answer_claims;

// Verifying answers.
pub mod table_answer_verifier;

// What answers mean, without cryptography.
pub mod table_meaning;

// Which changes of a table's keys are legal.
pub mod table_policy;
