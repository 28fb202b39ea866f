//! Parameters of a dictionary and their legality
//! (`aardvark_spec::dictionary::genesis::Parameters`).

use aardvark_commitment::SchemeKind;

use crate::data::codec::{DecodeError, Reader};

/// Bytes of encoded parameters.
pub const PARAMETER_BYTES: usize = 41;

/// What every validator of one dictionary agrees on from the start. All of it enters the dictionary
/// id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameters {
    /// The vector commitment in use.
    pub scheme: SchemeKind,
    /// N: slots per vector, a power of two from 1 to 4096.
    pub vector_size: u32,
    /// W: how many versions a claim stays good for, 0 to 65,535.
    pub window: u32,
    /// Most bytes of a key, 1 to 255.
    pub max_key_length: u16,
    /// Most bytes of a value, 0 to 1024.
    pub max_value_length: u16,
    /// Limits of transactions and blocks.
    pub limits: Limits,
}

/// Limits on operations, claims and bytes per transaction and per block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Most operations in a transaction.
    pub transaction_operations: u32,
    /// Most claims in a transaction.
    pub transaction_claims: u32,
    /// Most bytes of an encoded transaction.
    pub transaction_bytes: u32,
    /// Most transactions in a block.
    pub block_transactions: u32,
    /// Most operations in a block.
    pub block_operations: u32,
    /// Most claims in a block.
    pub block_claims: u32,
    /// Most bytes of an encoded block.
    pub block_bytes: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            transaction_operations: 256,
            transaction_claims: 512,
            transaction_bytes: 1 << 20,
            block_transactions: 1 << 16,
            block_operations: 1 << 18,
            block_claims: 1 << 18,
            block_bytes: 1 << 26,
        }
    }
}

impl Default for Parameters {
    fn default() -> Self {
        Self {
            scheme: SchemeKind::Kzg,
            vector_size: 1024,
            window: 10,
            max_key_length: 255,
            max_value_length: 1024,
            limits: Limits::default(),
        }
    }
}

/// Why parameters cannot be those of a dictionary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParameterError {
    /// N is not a power of two from 1 to 4096.
    #[error("the vector size must be a power of two from 1 to 4096, not {0}")]
    VectorSize(u32),
    /// W is larger than 65,535.
    #[error("the window must be at most 65535 versions, not {0}")]
    Window(u32),
    /// The maximum of a key's length is not in 1..=255.
    #[error("the longest key must have 1 to 255 bytes, not {0}")]
    KeyLength(u16),
    /// The maximum of a value's length is larger than 1024.
    #[error("the longest value must have at most 1024 bytes, not {0}")]
    ValueLength(u16),
    /// A limit is too small: for any transaction to be useful, or for a block to hold any legal
    /// transaction.
    #[error("the limit {0} is too small")]
    Limit(&'static str),
    /// A limit is larger than a transaction's encoding can count.
    #[error("the limit {0} is larger than 65535")]
    Uncountable(&'static str),
}

impl Parameters {
    /// Checks that the parameters are legal (`docs/format.md`, Parameters).
    ///
    /// # Errors
    /// The first parameter that is not.
    pub fn check(&self) -> Result<(), ParameterError> {
        if !self.vector_size.is_power_of_two() || self.vector_size > 4096 {
            return Err(ParameterError::VectorSize(self.vector_size));
        }
        if self.window > 65_535 {
            return Err(ParameterError::Window(self.window));
        }
        if !(1..=255).contains(&self.max_key_length) {
            return Err(ParameterError::KeyLength(self.max_key_length));
        }
        if self.max_value_length > 1024 {
            return Err(ParameterError::ValueLength(self.max_value_length));
        }
        self.limits.check(self)
    }

    /// N as a number of positions.
    pub fn positions_per_vector(&self) -> u64 {
        u64::from(self.vector_size)
    }

    /// The encoding that enters the dictionary id (`docs/format.md`, Genesis).
    pub fn to_bytes(&self) -> [u8; PARAMETER_BYTES] {
        let limits = self.limits.in_order().map(u32::to_be_bytes);
        let parts: [&[u8]; 6] = [
            &[u8::from(self.scheme)],
            &self.vector_size.to_be_bytes(),
            &self.window.to_be_bytes(),
            &self.max_key_length.to_be_bytes(),
            &self.max_value_length.to_be_bytes(),
            limits.as_flattened(),
        ];
        let mut bytes = [0; PARAMETER_BYTES];
        bytes.iter_mut().zip(parts.into_iter().flatten()).for_each(|(byte, part)| *byte = *part);
        bytes
    }

    /// The parameters that bytes encode, legal or not.
    ///
    /// # Errors
    /// [`DecodeError::Unknown`] for a scheme that there is not.
    pub fn from_bytes(bytes: &[u8; PARAMETER_BYTES]) -> Result<Self, DecodeError> {
        let mut reader = Reader::new(bytes);
        let (what, found) = ("scheme", reader.u8("the scheme")?);
        let scheme = SchemeKind::try_from(found).map_err(|_| DecodeError::Unknown { offset: 0, what, found })?;
        let (vector_size, window) = (reader.u32("the vector size")?, reader.u32("the window")?);
        let max_key_length = reader.u16("the longest key")?;
        let max_value_length = reader.u16("the longest value")?;
        let mut limits = [0; 7];
        for limit in &mut limits {
            *limit = reader.u32("a limit")?;
        }
        let limits = Limits::from_order(limits);
        Ok(Self { scheme, vector_size, window, max_key_length, max_value_length, limits })
    }
}

impl Limits {
    /// The limits in the order of the format.
    pub fn in_order(&self) -> [u32; 7] {
        [
            self.transaction_operations,
            self.transaction_claims,
            self.transaction_bytes,
            self.block_transactions,
            self.block_operations,
            self.block_claims,
            self.block_bytes,
        ]
    }

    /// The limits from their order in the format, the inverse of [`Limits::in_order`].
    pub fn from_order(order: [u32; 7]) -> Self {
        let [
            transaction_operations,
            transaction_claims,
            transaction_bytes,
            block_transactions,
            block_operations,
            block_claims,
            block_bytes,
        ] = order;
        Self {
            transaction_operations,
            transaction_claims,
            transaction_bytes,
            block_transactions,
            block_operations,
            block_claims,
            block_bytes,
        }
    }

    fn check(&self, parameters: &Parameters) -> Result<(), ParameterError> {
        self.check_countable()?;
        let slot = 2 * u64::from(parameters.max_key_length) + u64::from(parameters.max_value_length);
        let least_transaction = 2048 + 2 * (66 + slot);
        let least_block = 21 + u64::from(self.transaction_bytes) + self.widest_tail(parameters) * (6 + slot);
        let least = [
            ("transaction_operations", self.transaction_operations, 1),
            ("transaction_claims", self.transaction_claims, 2),
            ("transaction_bytes", self.transaction_bytes, least_transaction),
            ("block_transactions", self.block_transactions, 1),
            ("block_operations", self.block_operations, self.transaction_operations.into()),
            ("block_claims", self.block_claims, self.transaction_claims.into()),
            ("block_bytes", self.block_bytes, least_block),
        ];
        match least.iter().find(|(_, limit, least)| u64::from(*limit) < *least) {
            Some((name, _, _)) => Err(ParameterError::Limit(name)),
            None => Ok(()),
        }
    }

    /// The most slots of tail vectors that one transaction can make necessary: its deletes, rounded
    /// up to whole vectors (`aardvark_spec::dictionary::genesis::widest_tail`).
    fn widest_tail(&self, parameters: &Parameters) -> u64 {
        u64::from(self.transaction_operations).next_multiple_of(parameters.positions_per_vector())
    }

    /// A transaction's operations and claims are counted in two bytes each.
    fn check_countable(&self) -> Result<(), ParameterError> {
        let counted =
            [("transaction_operations", self.transaction_operations), ("transaction_claims", self.transaction_claims)];
        match counted.iter().find(|(_, limit)| *limit > u16::MAX.into()) {
            Some((name, _)) => Err(ParameterError::Uncountable(name)),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_parameters_are_legal() {
        assert_eq!(Parameters::default().check(), Ok(()));
    }

    #[test]
    fn parameters_out_of_range_are_refused_by_name() {
        let with = |change: fn(&mut Parameters)| {
            let mut parameters = Parameters::default();
            change(&mut parameters);
            parameters.check()
        };
        assert_eq!(with(|p| p.vector_size = 0), Err(ParameterError::VectorSize(0)));
        assert_eq!(with(|p| p.vector_size = 3), Err(ParameterError::VectorSize(3)));
        assert_eq!(with(|p| p.vector_size = 8192), Err(ParameterError::VectorSize(8192)));
        assert_eq!(with(|p| p.window = 65_536), Err(ParameterError::Window(65_536)));
        assert_eq!(with(|p| p.max_key_length = 256), Err(ParameterError::KeyLength(256)));
        assert_eq!(with(|p| p.max_key_length = 0), Err(ParameterError::KeyLength(0)));
        assert_eq!(with(|p| p.max_value_length = 1025), Err(ParameterError::ValueLength(1025)));
        assert_eq!(with(|p| p.limits.block_bytes = 1 << 20), Err(ParameterError::Limit("block_bytes")));
        assert_eq!(with(|p| p.limits.transaction_bytes = 10), Err(ParameterError::Limit("transaction_bytes")));
        let uncountable = Err(ParameterError::Uncountable("transaction_claims"));
        assert_eq!(with(|p| p.limits.transaction_claims = 65_536), uncountable);
        assert_eq!(
            with(|p| p.limits.transaction_operations = 65_536),
            Err(ParameterError::Uncountable("transaction_operations"))
        );
        let most = |p: &mut Parameters| (p.limits.transaction_operations, p.limits.block_bytes) = (65_535, 1 << 27);
        assert_eq!(with(most), Ok(()));
    }

    #[test]
    fn a_block_has_room_for_any_legal_transaction_and_the_tail_that_it_can_need() {
        let with = |change: fn(&mut Limits)| {
            let mut parameters =
                Parameters { max_key_length: 8, max_value_length: 16, vector_size: 8, ..Parameters::default() };
            change(&mut parameters.limits);
            parameters.check()
        };
        let small = |name| Err(ParameterError::Limit(name));
        assert_eq!(with(|limits| limits.block_operations = 256), Ok(()));
        assert_eq!(with(|limits| limits.block_operations = 255), small("block_operations"));
        assert_eq!(with(|limits| limits.block_claims = 512), Ok(()));
        assert_eq!(with(|limits| limits.block_claims = 511), small("block_claims"));
        // 9 deletes can need 2 vectors of 8 slots, each at most 38 bytes by the format's bound.
        let tight = |block_bytes| Limits {
            transaction_operations: 9,
            transaction_bytes: 1 << 16,
            block_bytes,
            ..Limits::default()
        };
        let parameters = |limits| Parameters {
            max_key_length: 8,
            max_value_length: 16,
            vector_size: 8,
            limits,
            ..Parameters::default()
        };
        assert_eq!(parameters(tight(21 + (1 << 16) + 16 * 38)).check(), Ok(()));
        assert_eq!(parameters(tight(20 + (1 << 16) + 16 * 38)).check(), small("block_bytes"));
    }

    #[test]
    fn parameters_survive_their_encoding_and_a_scheme_that_there_is_not_is_refused() {
        let limits = Limits { block_claims: 7, ..Limits::default() };
        let parameters =
            Parameters { window: 11, max_key_length: 9, max_value_length: 8, limits, ..Parameters::default() };
        let mut bytes = parameters.to_bytes();
        assert_eq!(Parameters::from_bytes(&bytes), Ok(parameters));
        bytes[0] = 3;
        let unknown = DecodeError::Unknown { offset: 0, what: "scheme", found: 3 };
        assert_eq!(Parameters::from_bytes(&bytes), Err(unknown));
    }

    #[test]
    fn limits_survive_their_order() {
        let limits = Limits { block_claims: 7, ..Limits::default() };
        assert_eq!(Limits::from_order(limits.in_order()), limits);
    }
}
