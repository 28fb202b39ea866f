//! Secret scalars: all follow from a seed, so that a restart repeats itself, and each from the
//! whole statement that it is for, so that another statement gets other randomness.

use core::ops::Deref;

use aardvark_algebra::{Scalar, TaggedHash, hash_to_scalar};
use zeroize::{Zeroizing, optimization_barrier};

use crate::transcript::Digest;

/// The domain of secret scalars.
const SECRET_DST: &[u8] = b"AARDVARK-V1-MIXNET-SECRET";

/// 32 secret bytes, overwritten when dropped.
#[derive(Clone)]
pub struct Seed(Zeroizing<[u8; 32]>);

impl Seed {
    /// A seed of bytes that nobody else knows.
    pub fn new(bytes: [u8; 32]) -> Self {
        Self(Zeroizing::new(bytes))
    }

    /// A scalar: `hash_to_scalar(seed || bytes8(label) || statement || u64 i, "..SECRET")`.
    fn scalar(&self, label: &str, statement: &Digest, i: usize) -> Scalar {
        let mut message = Zeroizing::new(Vec::with_capacity(128));
        message.extend_from_slice(&*self.0);
        message.push(label.len() as u8);
        message.extend_from_slice(label.as_bytes());
        message.extend_from_slice(statement);
        message.extend_from_slice(&(i as u64).to_be_bytes());
        hash_to_scalar(&message, SECRET_DST)
    }

    /// The secret scalars of a label and statement. Labels have at most 255 bytes.
    pub fn scalars(&self, label: &str, statement: &Digest, count: usize) -> Secrets {
        Secrets((0..count).map(|i| self.scalar(label, statement, i)).collect())
    }

    /// Uniform numbers below each of the bounds, which are not 0: from 64-bit words of a hash, each
    /// refused that would make some number likelier.
    pub(crate) fn numbers_below(&self, label: &str, statement: &Digest, bounds: &[u64]) -> Zeroizing<Vec<u64>> {
        let start = TaggedHash::new("AARDVARK-V1-MIXNET-NUMBERS").chain(*self.0).chain([label.len() as u8]);
        let start = start.chain(label).chain(statement);
        let mut words = (0u64..).flat_map(|counter| {
            let block = start.clone().chain(counter.to_be_bytes()).finalize();
            let words: Vec<u64> = block.as_chunks().0.iter().map(|word| u64::from_be_bytes(*word)).collect();
            words
        });
        let below = |bound: &u64| {
            let bound = (*bound).max(1);
            let limit = u64::MAX - u64::MAX % bound;
            // The iterator has no end.
            words.by_ref().find(|word| *word < limit).unwrap_or_default() % bound
        };
        Zeroizing::new(bounds.iter().map(below).collect())
    }
}

impl core::fmt::Debug for Seed {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Seed(..)")
    }
}

/// Secret scalars, overwritten when dropped.
#[derive(Clone)]
pub struct Secrets(Vec<Scalar>);

impl Secrets {
    /// Takes scalars in keeping.
    pub fn new(scalars: Vec<Scalar>) -> Self {
        Self(scalars)
    }
}

impl FromIterator<Scalar> for Secrets {
    fn from_iter<I: IntoIterator<Item = Scalar>>(scalars: I) -> Self {
        Self(scalars.into_iter().collect())
    }
}

impl Deref for Secrets {
    type Target = [Scalar];

    fn deref(&self) -> &[Scalar] {
        &self.0
    }
}

impl Drop for Secrets {
    fn drop(&mut self) {
        self.0.fill(Scalar::default());
        optimization_barrier(self.0.as_slice());
    }
}

impl core::fmt::Debug for Secrets {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Secrets(.. {})", self.0.len())
    }
}
