//! Requests about the mixnet's proofs, each under the challenges that are drawn for it.
//!
//! A [`MixnetRequest`] is what a verifier of the specification is given. [`Oracle::mixnet`] asks
//! the oracle, [`MixnetRequest::holds`] the specification.

use aardvark_spec::base::bytes::ByteString;
use aardvark_spec::base::group::G1;
use aardvark_spec::mixnet::column::verify_column_drawn;
use aardvark_spec::mixnet::dealing::verify_dealing;
use aardvark_spec::mixnet::linear_relation::LinearProof;
use aardvark_spec::mixnet::mixnet_transcript::MixnetContext;
use aardvark_spec::mixnet::permutation::{MixnetGenerators, verify_permutation_drawn};
use aardvark_spec::mixnet::threshold::verify_decryption_drawn;
use aardvark_spec::mixnet::zero_test::verify_zero_test_drawn;
use hacspec_lib::Seq;

use crate::process::{Answer, Oracle, OracleError, Safety, request};
use crate::tokens::Line;

/// Elements of a group.
type Elements = Seq<G1>;

/// A proof, and the digest of T that its challenge is drawn from, or T's bytes for a dealing.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The proof.
    pub proof: LinearProof,
    /// The digest, or the bytes.
    pub first: ByteString,
}

/// What a verifier of the mixnet's proofs is given.
#[derive(Clone, Debug)]
pub enum MixnetRequest {
    /// Commitments to a permutation: `verify_permutation_drawn`.
    Permutation {
        /// Whose they are.
        context: MixnetContext,
        /// The elements of commitments.
        generators: MixnetGenerators,
        /// The commitments, and their digest.
        committed: (Elements, ByteString),
        /// The chain, and its digest.
        chain: (Elements, ByteString),
    },
    /// A list that is moved and encrypted anew: `verify_column_drawn`.
    Column {
        /// C0.
        seed: ByteString,
        /// The elements of commitments.
        generators: MixnetGenerators,
        /// The commitments to the permutation.
        committed: Elements,
        /// The generator, and the keys.
        keys: Elements,
        /// X.
        before: Seq<Elements>,
        /// Y.
        after: Seq<Elements>,
    },
    /// A server's shares of a decryption: `verify_decryption_drawn`.
    Decryption {
        /// D0.
        seed: ByteString,
        /// The server's shares of the keys.
        key_shares: Elements,
        /// All C_0.
        firsts: Elements,
        /// D, a row a ciphertext.
        shares: Seq<Elements>,
    },
    /// Targets multiplied by factors: `verify_zero_test_drawn`.
    ZeroTest {
        /// Z0.
        seed: ByteString,
        /// C.
        targets: Seq<Elements>,
        /// C'.
        blinded: Seq<Elements>,
    },
    /// That a dealer knows what it dealt: `verify_dealing`.
    Dealing {
        /// The proof's seed.
        seed: ByteString,
        /// The commitments, a row a key.
        committed: Seq<Elements>,
        /// R.
        randomised: Elements,
    },
}

impl Oracle {
    /// What the oracle says of a proof. No state is used or changed.
    ///
    /// # Errors
    /// Where the oracle does not answer.
    pub fn mixnet(&mut self, safety: Safety, asked: &MixnetRequest, shown: &Shown) -> Result<Answer, OracleError> {
        let mut line = request(asked.name(), safety);
        asked.put(&mut line);
        line.linear_proof(&shown.proof);
        line.bytes(&shown.first);
        self.ask(line)
    }
}

impl MixnetRequest {
    /// The request's name.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Permutation { .. } => "mixnet_permutation",
            Self::Column { .. } => "mixnet_column",
            Self::Decryption { .. } => "mixnet_decryption",
            Self::ZeroTest { .. } => "mixnet_zero_test",
            Self::Dealing { .. } => "mixnet_dealing",
        }
    }

    /// All but the proof.
    fn put(&self, line: &mut Line) {
        match self {
            Self::Permutation { context, generators, committed, chain } => {
                line.bytes(&context.mixnet_keys);
                line.size(context.mixnet_server);
                line.generators(generators);
                for (elements, digest) in [committed, chain] {
                    line.elements(elements);
                    line.bytes(digest);
                }
            }
            Self::Column { seed, generators, committed, keys, before, after } => {
                line.bytes(seed);
                line.generators(generators);
                line.elements(committed);
                line.elements(keys);
                line.list(before, Line::elements);
                line.list(after, Line::elements);
            }
            Self::Decryption { seed, key_shares, firsts, shares } => {
                line.bytes(seed);
                line.elements(key_shares);
                line.elements(firsts);
                line.list(shares, Line::elements);
            }
            Self::ZeroTest { seed, targets, blinded } => {
                line.bytes(seed);
                line.list(targets, Line::elements);
                line.list(blinded, Line::elements);
            }
            Self::Dealing { seed, committed, randomised } => {
                line.bytes(seed);
                line.list(committed, Line::elements);
                line.elements(randomised);
            }
        }
    }

    /// Whether the proof holds, as the specification says.
    pub fn holds(&self, shown: &Shown) -> bool {
        let (proof, first) = (&shown.proof, &shown.first);
        match self {
            Self::Permutation { context, generators, committed, chain } => verify_permutation_drawn(
                context,
                generators,
                &committed.0,
                &committed.1,
                &chain.0,
                &chain.1,
                proof,
                first,
            ),
            Self::Column { seed, generators, committed, keys, before, after } => {
                verify_column_drawn(seed, generators, committed, keys, before, after, proof, first)
            }
            Self::Decryption { seed, key_shares, firsts, shares } => {
                verify_decryption_drawn(seed, key_shares, firsts, shares, proof, first)
            }
            Self::ZeroTest { seed, targets, blinded } => verify_zero_test_drawn(seed, targets, blinded, proof, first),
            Self::Dealing { seed, committed, randomised } => verify_dealing(seed, committed, randomised, proof, first),
        }
    }
}

impl Line {
    fn generators(&mut self, generators: &MixnetGenerators) {
        self.element(generators.generator_blinding);
        self.element(generators.generator_chain);
        self.elements(&generators.generator_bases);
    }
}
