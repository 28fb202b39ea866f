//! The distributed proof: that the servers together know v, r, b with γ = v G + r F_0 and
//! e(σ', y) = e(-v σ' + b G, G2), for each of many inputs.

use aardvark_algebra::group::{Curve, Group};
use aardvark_algebra::table::Term;
use aardvark_algebra::{
    FixedBaseTable, G1Affine, G1Projective, Gt, Scalar, TaggedHash, Threads, hash_to_scalar, msm, multiply_each,
    scalar_from_u128, scalar_to_bytes,
};
use aardvark_sigma::transcript::coefficients;
use aardvark_sigma::{Digest, List, Secrets, Seed};
use rayon::prelude::*;

use super::openings::commit;
use super::signatures::PublicKey;
use super::target_group::{ELEMENT_BYTES, decode, encode, weighted_sum};
use crate::error::{BenchError, require};

/// Bytes of a point in lists.
const POINT_BYTES: usize = 96;

/// What is proved.
pub struct Statement<'a> {
    pub key: &'a PublicKey,
    /// Multiples of G and F_0.
    pub table: &'a FixedBaseTable,
    /// γ of each input.
    pub commitments: &'a List,
    /// σ' of each, none of them 0.
    pub blinded: &'a List,
}

/// A server's shares of v, r and b.
pub struct Share {
    pub values: Secrets,
    pub blindings: Secrets,
    pub factors: Secrets,
}

impl Statement<'_> {
    fn digest(&self) -> Digest {
        let hash = TaggedHash::new("AARDVARK-BENCH-DB-SM-PROOF");
        hash.chain(self.commitments.digest()).chain(self.blinded.digest()).finalize()
    }

    fn nonces(&self, seed: &Seed) -> [Secrets; 3] {
        let digest = self.digest();
        ["db-sm v", "db-sm r", "db-sm b"].map(|label| seed.scalars(label, &digest, self.blinded.rows()))
    }

    /// -v σ' + b G of each.
    fn paired(&self, values: &[Scalar], factors: &[Scalar]) -> Vec<G1Affine> {
        let negated: Vec<Scalar> = values.iter().map(|value| -value).collect();
        let multiples = multiply_each(self.blinded.points(), &negated, Threads::All);
        let terms: Vec<Term> = factors.iter().map(|factor| (0, *factor)).collect();
        let runs = multiples.iter().zip(terms.chunks(1)).map(|(point, term)| (*point, term));
        self.table.add_multiples(&runs.collect::<Vec<_>>())
    }

    /// A server's first messages: for each input a point and an element of the target group.
    pub fn first(&self, seed: &Seed) -> Result<Vec<u8>, BenchError> {
        let [v, r, b] = self.nonces(seed);
        let points = List::computed(commit(self.table, &v, &r), 1);
        let paired = self.paired(&v, &b);
        let elements: Vec<Gt> = paired.par_iter().map(|point| self.key.pair_with_generator(point)).collect();
        Ok([points.encode(), encode(&elements)?].concat())
    }

    /// The challenge, of all servers' first messages.
    fn challenge(&self, firsts: &[Vec<u8>]) -> Scalar {
        let hash = TaggedHash::new("AARDVARK-BENCH-DB-SM-FIRST").chain(self.digest());
        let digest = firsts.iter().fold(hash, |hash, first| hash.chain(first)).finalize();
        hash_to_scalar(&digest, b"AARDVARK-BENCH-DB-SM-CHALLENGE")
    }

    /// A server's responses: for each input one for v, r and b.
    pub fn respond(&self, share: &Share, firsts: &[Vec<u8>], seed: &Seed) -> [Vec<Scalar>; 3] {
        let c = self.challenge(firsts);
        let [v, r, b] = self.nonces(seed);
        let of = |nonces: Secrets, secrets: &Secrets| {
            nonces.iter().zip(secrets.iter()).map(|(nonce, secret)| *nonce + c * secret).collect()
        };
        [of(v, &share.values), of(r, &share.blindings), of(b, &share.factors)]
    }

    /// The querier's part: adds everything up and checks both relations, each as one weighted sum.
    pub fn verify(&self, firsts: &[Vec<u8>], responses: &[[Vec<Scalar>; 3]]) -> Result<(), BenchError> {
        let n = self.blinded.rows();
        let wrong = || BenchError::Wrong("a distributed proof has another length".to_owned());
        let c = self.challenge(firsts);
        let mut sums = [vec![Scalar::default(); n], vec![Scalar::default(); n], vec![Scalar::default(); n]];
        for of_server in responses {
            for (sum, part) in sums.iter_mut().zip(of_server) {
                require(part.len() == n, || "responses of another number".to_owned())?;
                sum.iter_mut().zip(part).for_each(|(sum, response)| *sum += response);
            }
        }
        let [v, r, b] = &sums;
        let mut seed = TaggedHash::new("AARDVARK-BENCH-DB-SM-BATCH").chain(self.digest());
        firsts.iter().for_each(|first| seed.update(first));
        sums.iter().flatten().for_each(|response| seed.update(scalar_to_bytes(response)));
        let short = coefficients(&seed.finalize(), n);
        let weights: Vec<Scalar> = short.iter().copied().map(scalar_from_u128).collect();
        let dot = |scalars: &[Scalar]| weights.iter().zip(scalars).map(|(w, s)| *w * s).sum::<Scalar>();

        let mut points = G1Projective::identity();
        let mut elements = Gt::identity();
        for first in firsts {
            let (of_points, of_elements) = first.split_at_checked(n * POINT_BYTES).ok_or_else(wrong)?;
            let list = List::decode(of_points, n, 1).map_err(|error| BenchError::Wrong(error.to_string()))?;
            points += msm(list.points(), &weights);
            require(of_elements.len() == n * ELEMENT_BYTES, || "first messages of another length".to_owned())?;
            elements += weighted_sum(&decode(of_elements, n)?, &short);
        }
        // Σ w (z_v G + z_r F_0) = Σ w T + c Σ w γ
        let left = self.table.sum(&[(0, dot(v)), (1, dot(r))]);
        let right = points + msm(self.commitments.points(), &weights) * c;
        require(left == right.to_affine(), || "a commitment's relation does not hold".to_owned())?;
        // Σ w e(-z_v σ' + z_b G, G2) = Σ w T + c Σ w e(σ', y)
        let scaled: Vec<Scalar> = weights.iter().zip(v).map(|(w, z)| -(*w * z)).collect();
        let paired = msm(self.blinded.points(), &scaled) + self.table.sum(&[(0, dot(b))]);
        let signed = msm(self.blinded.points(), &weights) * c;
        let difference = self.key.difference(&paired.to_affine(), &signed.to_affine());
        require(difference == elements, || "a signature's relation does not hold".to_owned())
    }
}
