//! What each challenge covers: the specification's `mixnet_transcript`.
//!
//! Every hash is `H(tag, ..)` of docs/format.md. After the keys are dealt, all begin with the 32
//! bytes `keys`, which bind the ceremony and every dealt key. Points of lists have 96 bytes, and
//! lists enter by their digest.

use aardvark_algebra::{Scalar, TaggedHash, hash_to_scalar};

use crate::list::List;
pub use crate::list::{Digest, list_digest};

/// The domain of challenges.
const CHALLENGE_DST: &[u8] = b"AARDVARK-V1-MIXNET-CHALLENGE";
/// The domain of a permutation proof's shift.
const SHIFT_DST: &[u8] = b"AARDVARK-V1-MIXNET-SHIFT";

/// Whose proof it is: the digest of the ceremony's keys, and the server's number, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Context {
    /// `H("..KEYS", ..)`.
    pub keys: Digest,
    /// The server's number.
    pub server: u16,
}

impl Context {
    fn hash(&self, tag: &'static str, purpose: &[u8]) -> TaggedHash {
        TaggedHash::new(tag).chain(self.keys).chain(purpose).chain(self.server.to_be_bytes())
    }

    /// P0: the seed of a permutation proof, `H("..PERMUTATION", keys || u16 k || u32 n ||
    /// list(a))`.
    pub fn permutation_seed(&self, commitment: &List) -> Digest {
        let hash = self.hash("AARDVARK-V1-MIXNET-PERMUTATION", &[]);
        hash.chain((commitment.rows() as u32).to_be_bytes()).chain(commitment.digest()).finalize()
    }

    /// C0: the seed of a column proof, `H("..COLUMN", keys || purpose || u16 k || list(a) ||
    /// list(κ) || list(X) || list(Y))`.
    pub fn column_seed(
        &self,
        purpose: &Digest,
        commitment: &List,
        key_row: &List,
        before: &List,
        after: &List,
    ) -> Digest {
        let hash = self.hash("AARDVARK-V1-MIXNET-COLUMN", purpose).chain(commitment.digest());
        hash.chain(key_row.digest()).chain(before.digest()).chain(after.digest()).finalize()
    }

    /// What the randomness of a re-encryption is drawn from: all that is known before it.
    pub fn reencryption_statement(&self, purpose: &Digest, commitment: &List, key_row: &List, before: &List) -> Digest {
        let hash = self.hash("AARDVARK-V1-MIXNET-REENCRYPTION", purpose).chain(commitment.digest());
        hash.chain(key_row.digest()).chain(before.digest()).finalize()
    }

    /// What a permutation and its blindings are drawn from.
    pub fn permutation_statement(&self, count: usize) -> Digest {
        self.hash("AARDVARK-V1-MIXNET-LAYER", &[]).chain((count as u32).to_be_bytes()).finalize()
    }

    /// D0: the seed of a decryption proof, `H("..DECRYPTION", keys || purpose || u16 k || list(key
    /// shares) || list(C_0) || list(D))`.
    pub fn decryption_seed(&self, purpose: &Digest, key_shares: &List, first: &List, shares: &List) -> Digest {
        let hash = self.hash("AARDVARK-V1-MIXNET-DECRYPTION", purpose).chain(key_shares.digest());
        hash.chain(first.digest()).chain(shares.digest()).finalize()
    }

    /// Z0: the seed of a zero test's proof, `H("..ZERO-TEST", keys || purpose || u16 k ||
    /// list(C) || list(C'))`.
    pub fn zero_test_seed(&self, purpose: &Digest, before: &List, after: &List) -> Digest {
        let hash = self.hash("AARDVARK-V1-MIXNET-ZERO-TEST", purpose);
        hash.chain(before.digest()).chain(after.digest()).finalize()
    }

    /// What the factors of a zero test are drawn from.
    pub fn zero_test_statement(&self, purpose: &Digest, before: &List) -> Digest {
        self.hash("AARDVARK-V1-MIXNET-ZERO-TEST-FACTORS", purpose).chain(before.digest()).finalize()
    }
}

/// The i-th coefficient of a seed, from 0: the first 16 bytes of `H("AARDVARK-V1-COEFFICIENT",
/// seed || u64 i)`, as an integer.
pub fn coefficient(seed: &Digest, i: usize) -> u128 {
    let digest = TaggedHash::new("AARDVARK-V1-COEFFICIENT").chain(seed).chain((i as u64).to_be_bytes()).finalize();
    let (high, _) = digest.as_chunks::<16>();
    high.first().map_or(0, |bytes| u128::from_be_bytes(*bytes))
}

/// The first coefficients of a seed.
pub fn coefficients(seed: &Digest, count: usize) -> Vec<u128> {
    (0..count).map(|i| coefficient(seed, i)).collect()
}

/// θ, a permutation proof's shift.
pub fn shift(seed: &Digest) -> Scalar {
    hash_to_scalar(seed, SHIFT_DST)
}

/// What a proof's challenge is drawn from, and what its nonces are: the seed and the lists that the
/// prover chose before.
pub(crate) fn bound(tag: &'static str, seed: &Digest, lists: &[&List]) -> Digest {
    let hash = TaggedHash::new(tag).chain(seed);
    lists.iter().fold(hash, |hash, list| hash.chain(list.digest())).finalize()
}

/// The last digest of a permutation proof: `H("..PERMUTATION-T", P0 || list(B) || list(T))`.
pub fn permutation_digest(seed: &Digest, chain: &List, first: &List) -> Digest {
    bound("AARDVARK-V1-MIXNET-PERMUTATION-T", seed, &[chain, first])
}

/// The last digest of a column proof: `H("..COLUMN-T", C0 || list(T))`.
pub fn column_digest(seed: &Digest, first: &List) -> Digest {
    bound("AARDVARK-V1-MIXNET-COLUMN-T", seed, &[first])
}

/// The last digest of a decryption proof: `H("..DECRYPTION-T", D0 || list(T))`.
pub fn decryption_digest(seed: &Digest, first: &List) -> Digest {
    bound("AARDVARK-V1-MIXNET-DECRYPTION-T", seed, &[first])
}

/// The last digest of a zero test's proof: `H("..ZERO-TEST-T", Z0 || list(T))`.
pub fn zero_test_digest(seed: &Digest, first: &List) -> Digest {
    bound("AARDVARK-V1-MIXNET-ZERO-TEST-T", seed, &[first])
}

/// A challenge, of the last digest of its proof: `hash_to_scalar(digest, "..CHALLENGE")`.
pub fn challenge(digest: &Digest) -> Scalar {
    hash_to_scalar(digest, CHALLENGE_DST)
}
