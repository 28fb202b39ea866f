//! Proofs of knowing logarithms: "I know s_i with X_i = s_i G" for several points at once, and "the
//! logarithm of N is that of S to the base R".
//!
//! Both are linear relations. The challenge covers a seed, which is the digest of the whole
//! statement and of all that the proof is to be bound to, and T, 48 bytes a point.
//!
//! Specification: `verify_knowledge`, `verify_equality`, `knowledge_challenge`.

use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::{G1Affine, Scalar, TaggedHash, encode_g1, multiply_secret};

use crate::claim::{Claim, Shape, Terms, respond};
use crate::list::List;
use crate::secret::{Secrets, Seed};
use crate::transcript::{Digest, bound, challenge};

/// A proof of knowing logarithms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnowledgeProof {
    /// T: a point an equation.
    pub first: List,
    /// z: a scalar a logarithm.
    pub responses: Vec<Scalar>,
}

/// k G, in a time that does not depend on k.
pub fn multiple(secret: &Scalar) -> G1Affine {
    multiply_secret(&[G1Affine::generator()], secret).first().copied().unwrap_or_else(G1Affine::identity)
}

/// The points s_i G as a list of width 1.
pub fn multiples(secrets: &Secrets) -> List {
    List::computed(secrets.iter().map(multiple).collect(), 1)
}

fn last_digest(seed: &Digest, first: &List) -> Digest {
    let hash = TaggedHash::new("AARDVARK-V1-MIXNET-KNOWLEDGE-T").chain(seed);
    first.points().iter().fold(hash, |hash, point| hash.chain(encode_g1(point))).finalize()
}

/// What the nonces of a proof with this seed are drawn from.
fn nonces(seed: &Digest, of: &Seed, count: usize) -> Secrets {
    of.scalars("knowledge", &bound("AARDVARK-V1-MIXNET-KNOWLEDGE-NONCES", seed, &[]), count)
}

/// Proves that the logarithms of the points with this digest are known.
pub fn prove_knowledge(statement: &Digest, secrets: &Secrets, seed: &Seed) -> KnowledgeProof {
    let nonces = nonces(statement, seed, secrets.len());
    let first = multiples(&nonces);
    let c = challenge(&last_digest(statement, &first));
    KnowledgeProof { responses: respond(nonces.iter(), c, secrets.iter().copied()), first }
}

/// The claim that somebody knows the logarithms of points.
#[derive(Debug)]
pub struct KnowledgeClaim<'a> {
    image: &'a List,
    proof: &'a KnowledgeProof,
    digest: Digest,
}

impl<'a> KnowledgeClaim<'a> {
    /// The claim about these points, a list of width 1, if there is a response for each of them.
    /// `statement` covers them.
    pub fn new(statement: &Digest, image: &'a List, proof: &'a KnowledgeProof) -> Result<Self, Shape> {
        let widths = image.width() == 1 && proof.first.width() == 1;
        let lengths = (proof.first.rows(), proof.responses.len());
        if !widths || lengths != (image.rows(), image.rows()) {
            return Err(Shape);
        }
        Ok(Self { image, proof, digest: last_digest(statement, &proof.first) })
    }
}

impl Claim for KnowledgeClaim<'_> {
    fn digest(&self) -> Digest {
        self.digest
    }

    fn responses(&self) -> &[Scalar] {
        &self.proof.responses
    }

    fn rows(&self) -> usize {
        self.image.rows()
    }

    fn terms<'a>(&'a self, weights: &[Scalar], terms: &mut Terms<'a>) {
        let c = challenge(&self.digest);
        terms.add_one(&G1Affine::generator(), weights.iter().zip(self.responses()).map(|(w, z)| *w * z).sum());
        terms.add(self.proof.first.points(), weights.iter().map(|weight| -*weight));
        terms.add(self.image.points(), weights.iter().map(|weight| -(*weight * c)));
    }
}

/// Proves that the logarithm of the generator's multiple is that of the base's. The base is a
/// point of G1, as a list.
pub fn prove_equality(statement: &Digest, base: &List, secret: &Secrets, seed: &Seed) -> Result<KnowledgeProof, Shape> {
    let nonces = nonces(statement, seed, 1);
    let ([nonce], [base], [_]) = (&*nonces, base.points(), &**secret) else { return Err(Shape) };
    let first = List::computed(multiply_secret(&[G1Affine::generator(), *base], nonce), 1);
    let c = challenge(&last_digest(statement, &first));
    Ok(KnowledgeProof { responses: respond(nonces.iter(), c, secret.iter().copied()), first })
}

/// The claim that the logarithm of one point is that of another to a base.
#[derive(Debug)]
pub struct EqualityClaim<'a> {
    base: G1Affine,
    image: [G1Affine; 2],
    proof: &'a KnowledgeProof,
    digest: Digest,
}

impl<'a> EqualityClaim<'a> {
    /// The claim log_G `image[0]` = log_base `image[1]`; all three are in G1, and `statement`
    /// covers them.
    pub fn new(
        statement: &Digest,
        base: G1Affine,
        image: [G1Affine; 2],
        proof: &'a KnowledgeProof,
    ) -> Result<Self, Shape> {
        if (proof.first.width(), proof.first.rows(), proof.responses.len()) != (1, 2, 1) {
            return Err(Shape);
        }
        Ok(Self { base, image, proof, digest: last_digest(statement, &proof.first) })
    }
}

impl Claim for EqualityClaim<'_> {
    fn digest(&self) -> Digest {
        self.digest
    }

    fn responses(&self) -> &[Scalar] {
        &self.proof.responses
    }

    fn rows(&self) -> usize {
        2
    }

    fn terms<'a>(&'a self, weights: &[Scalar], terms: &mut Terms<'a>) {
        let c = challenge(&self.digest);
        let z = self.responses().first().copied().unwrap_or_default();
        let bases = [G1Affine::generator(), self.base];
        for ((weight, base), image) in weights.iter().zip(&bases).zip(&self.image) {
            terms.add_one(base, *weight * z);
            terms.add_one(image, -(*weight * c));
        }
        terms.add(self.proof.first.points(), weights.iter().map(|weight| -*weight));
    }
}
