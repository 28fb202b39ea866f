//! What a transaction pays for, under the policy `accounts`: a price for its work, credited to one
//! account within the transaction itself, so that the sums stay equal and nothing is made or lost.

use aardvark_dictionary::{Operation, Transaction};

/// Where fees go, and how they are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fee {
    /// The account that fees are added to.
    pub account: [u8; 32],
    /// For any transaction.
    pub base: u64,
    /// For each byte of the transaction without openings.
    pub byte: u64,
    /// For each claim.
    pub claim: u64,
    /// For each operation.
    pub operation: u64,
}

impl Fee {
    /// What a transaction has to pay: 128 bits, where a sum of prices cannot wrap.
    pub fn of<O>(&self, transaction: &Transaction<O>) -> u128 {
        let each = |price: u64, count: usize| u128::from(price).saturating_mul(count as u128);
        u128::from(self.base)
            .saturating_add(each(self.byte, transaction.bare_length()))
            .saturating_add(each(self.claim, transaction.claims.len()))
            .saturating_add(each(self.operation, transaction.operations.len()))
    }

    /// What operations add to the account of fees.
    pub fn paid(&self, operations: &[Operation]) -> u128 {
        let added = |operation: &Operation| match operation {
            Operation::Add(key, amount) if **key == self.account => u128::from(*amount),
            _ => 0,
        };
        operations.iter().map(added).fold(0, u128::saturating_add)
    }
}

#[cfg(test)]
mod tests {
    use aardvark_dictionary::{Claim, Key, Slot};

    use super::*;

    #[test]
    fn a_fee_is_a_sum_of_prices_that_does_not_wrap() {
        let fee = Fee { account: [9; 32], base: 5, byte: 2, claim: 100, operation: 1_000 };
        let operations = vec![
            Operation::Add(Key::from([9; 32].as_slice()), 7),
            Operation::Add(Key::from([8; 32].as_slice()), 7),
            Operation::Sub(Key::from([9; 32].as_slice()), 7),
            Operation::Add(Key::from([9; 32].as_slice()), u64::MAX),
        ];
        let claims = vec![Claim { position: 0, slot: Slot::lone_sentinel(), opening: [0; 48] }];
        let transaction = Transaction { first_valid: 1, last_valid: 1, nonce: [0; 16], operations, claims };
        let bare = u128::try_from(transaction.encoded_length() - 48).unwrap();
        assert_eq!(fee.of(&transaction), 5 + 2 * bare + 100 + 4 * 1_000);
        assert_eq!(fee.paid(&transaction.operations), 7 + u128::from(u64::MAX));
        let dear = Fee { byte: u64::MAX, claim: u64::MAX, operation: u64::MAX, base: u64::MAX, ..fee };
        assert_eq!(dear.of(&transaction), (bare + 6) * u128::from(u64::MAX));
    }
}
