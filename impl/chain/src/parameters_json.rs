//! A dictionary's parameters in a genesis file's JSON.

use aardvark_dictionary::{Limits, Parameters};
use serde::{Deserialize, Serialize};

/// What is left out has the value that format.md gives it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ParametersJson {
    vector_size: u32,
    window: u32,
    max_key_length: u16,
    max_value_length: u16,
    limits: LimitsJson,
}

impl ParametersJson {
    pub(crate) fn of(parameters: &Parameters) -> Self {
        let Parameters { vector_size, window, max_key_length, max_value_length, limits, .. } = parameters;
        Self {
            vector_size: *vector_size,
            window: *window,
            max_key_length: *max_key_length,
            max_value_length: *max_value_length,
            limits: LimitsJson::of(limits),
        }
    }

    pub(crate) fn parameters(self) -> Parameters {
        let Self { vector_size, window, max_key_length, max_value_length, limits } = self;
        let limits = limits.limits();
        Parameters { vector_size, window, max_key_length, max_value_length, limits, ..Parameters::default() }
    }
}

impl Default for ParametersJson {
    fn default() -> Self {
        Self::of(&Parameters::default())
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct LimitsJson {
    transaction_operations: u32,
    transaction_claims: u32,
    transaction_bytes: u32,
    block_transactions: u32,
    block_operations: u32,
    block_claims: u32,
    block_bytes: u32,
}

impl LimitsJson {
    fn of(limits: &Limits) -> Self {
        Self {
            transaction_operations: limits.transaction_operations,
            transaction_claims: limits.transaction_claims,
            transaction_bytes: limits.transaction_bytes,
            block_transactions: limits.block_transactions,
            block_operations: limits.block_operations,
            block_claims: limits.block_claims,
            block_bytes: limits.block_bytes,
        }
    }

    fn limits(self) -> Limits {
        Limits {
            transaction_operations: self.transaction_operations,
            transaction_claims: self.transaction_claims,
            transaction_bytes: self.transaction_bytes,
            block_transactions: self.block_transactions,
            block_operations: self.block_operations,
            block_claims: self.block_claims,
            block_bytes: self.block_bytes,
        }
    }
}

impl Default for LimitsJson {
    fn default() -> Self {
        Self::of(&Limits::default())
    }
}
