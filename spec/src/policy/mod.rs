//! Who may write on a chain: the policies that a genesis chooses from.

// Why a policy refuses a transaction.
pub mod policy_reason;

// Public keys, and the accounts that they own.
pub mod signers;

// Balances that only their owners spend, and fees.
pub mod accounts;

// A list of publishers.
pub mod publisher;

// What a transaction does to a run of a table, operation by operation.
pub mod table_steps;

// The shape of a transaction that writes a table.
pub mod table_write;

// Which segments its certificates cover.
pub mod table_covered;

// Heads and segments from their bytes.
pub mod table_sheets;

// Whether each step is legal, and what it puts.
pub mod table_judge;

// What its certificates have to hold for.
pub mod table_made;

// All of it: who may write tables.
pub mod tables;

// Answers about tables that come with certificates.
pub mod certified_answer;

// Posts of a board, and of those whom organisers admit.
pub mod board;

// Whichever of these four.
pub mod check_policy;

// Validators, and the council that changes them.
pub mod validator_change;
