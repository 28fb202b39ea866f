//! Who may write on a chain: the policies that a genesis chooses from.

// Why a policy refuses a transaction.
pub mod policy_reason;

// Public keys, and the accounts that they own.
pub mod signers;

// Balances that only their owners spend, and fees.
pub mod accounts;

// A list of publishers.
pub mod publisher;

// Either of them.
pub mod check_policy;
