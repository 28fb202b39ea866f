//! Whether a sum is 0, and nothing else about it: server after server multiplies each target by a
//! secret ζ of its own, C'_0 = ζ C_0, C'_1 = ζ C_1, and proves it. C_0 and C'_0 are not 0, so ζ is
//! not.
//!
//! Specification: `zero_test_matrix`, `zero_test_image`, `verify_zero_test`.

use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::{G1Affine, Scalar, Threads, multiply_each};

use crate::claim::{Claim, Shape, Terms, respond};
use crate::list::List;
use crate::secret::{Secrets, Seed};
use crate::transcript::{Context, Digest, bound, challenge, zero_test_digest};

/// Targets multiplied, with the proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ZeroTest {
    /// C': a row of two points for each target.
    pub after: List,
    /// T: two points for each target.
    pub first: List,
    /// z: one for each target.
    pub responses: Vec<Scalar>,
}

fn multiply_rows(rows: &List, factors: &[Scalar]) -> Vec<G1Affine> {
    let scalars: Vec<Scalar> = factors.iter().flat_map(|factor| [*factor; 2]).collect();
    multiply_each(rows.points(), &scalars, Threads::All)
}

fn legal(targets: &List) -> bool {
    targets.width() == 2 && targets.iter().all(|row| row.first().is_some_and(|c| !bool::from(c.is_identity())))
}

/// Multiplies the targets, none of whose C_0 is 0, by secret factors, and proves it.
pub fn blind(context: &Context, purpose: &Digest, targets: &List, seed: &Seed) -> Result<ZeroTest, Shape> {
    if !legal(targets) {
        return Err(Shape);
    }
    let factors = seed.scalars("zero-test", &context.zero_test_statement(purpose, targets), targets.rows());
    blind_by(context, purpose, targets, &factors, seed)
}

/// Multiplies the targets by these factors, and proves it.
pub fn blind_by(
    context: &Context,
    purpose: &Digest,
    targets: &List,
    factors: &Secrets,
    seed: &Seed,
) -> Result<ZeroTest, Shape> {
    if targets.width() != 2 || factors.len() != targets.rows() {
        return Err(Shape);
    }
    let after = List::computed(multiply_rows(targets, factors), 2);
    let start = context.zero_test_seed(purpose, targets, &after);
    let statement = bound("AARDVARK-V1-MIXNET-ZERO-TEST-NONCES", &start, &[]);
    let nonces = seed.scalars("zero-test-nonce", &statement, targets.rows());
    let first = List::computed(multiply_rows(targets, &nonces), 1);
    let c = challenge(&zero_test_digest(&start, &first));
    Ok(ZeroTest { responses: respond(nonces.iter(), c, factors.iter().copied()), after, first })
}

/// The claim that targets were multiplied by factors other than 0.
#[derive(Debug)]
pub struct ZeroTestClaim<'a> {
    before: &'a List,
    test: &'a ZeroTest,
    digest: Digest,
}

impl<'a> ZeroTestClaim<'a> {
    /// The claim of a server, if its lengths are right and no C_0 or C'_0 is 0.
    pub fn new(context: &Context, purpose: &Digest, before: &'a List, test: &'a ZeroTest) -> Result<Self, Shape> {
        let rows = before.rows();
        let lengths = (test.after.rows(), test.first.rows(), test.responses.len());
        if !legal(before) || !legal(&test.after) || test.first.width() != 1 || lengths != (rows, 2 * rows, rows) {
            return Err(Shape);
        }
        let start = context.zero_test_seed(purpose, before, &test.after);
        Ok(Self { before, test, digest: zero_test_digest(&start, &test.first) })
    }

    /// c.
    pub fn challenge(&self) -> Scalar {
        challenge(&self.digest)
    }

    pub(crate) fn parts(&self) -> (&List, &ZeroTest) {
        (self.before, self.test)
    }
}

impl Claim for ZeroTestClaim<'_> {
    fn digest(&self) -> Digest {
        self.digest
    }

    fn responses(&self) -> &[Scalar] {
        &self.test.responses
    }

    fn rows(&self) -> usize {
        2 * self.before.rows()
    }

    fn terms<'a>(&'a self, weights: &[Scalar], terms: &mut Terms<'a>) {
        let c = self.challenge();
        let responses = self.responses().iter().flat_map(|z| [*z; 2]);
        terms.add(self.before.points(), weights.iter().zip(responses).map(|(weight, z)| *weight * z));
        terms.add(self.test.after.points(), weights.iter().map(|weight| -(*weight * c)));
        terms.add(self.test.first.points(), weights.iter().map(|weight| -*weight));
    }
}
