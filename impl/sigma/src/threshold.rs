//! Decryption by t of m: each server's shares D_{j,l} = x_l C_{j,0} of all rows, and one proof of
//! them all.
//!
//! δ_j = coefficient(D0, j) follow from the rows, the shares and the public halves of the key
//! shares. The relation in (x_1 .. x_w), two rows a key:
//!
//! ```text
//! Y_l                = x_l G
//! Σ_j δ_j D_{j,l}    = x_l Σ_j δ_j C_{j,0}
//! ```
//!
//! Specification: `decryption_matrix`, `decryption_image`, `verify_decryption`.

use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::{G1Affine, G1Projective, Scalar, batch_to_affine, msm_short, multiply_secret, scalar_from_u128};

use crate::claim::{Claim, Shape, Terms, respond};
use crate::list::List;
use crate::secret::{Secrets, Seed};
use crate::sharing::{interpolate, lagrange};
use crate::transcript::{Context, Digest, bound, challenge, coefficients, decryption_digest};

/// A server's decryption shares of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decryption {
    /// D: a row for each row, a column for each key.
    pub shares: List,
    /// T: two points a key.
    pub first: List,
    /// z: one a key.
    pub responses: Vec<Scalar>,
}

/// What is decrypted, and under which key shares.
#[derive(Clone, Copy, Debug)]
pub struct Statement<'a> {
    /// Whose shares.
    pub context: Context,
    /// What they are for.
    pub purpose: Digest,
    /// The public halves of the server's key shares: one row.
    pub key_shares: &'a List,
    /// C_0 of every row, as a list of width 1.
    pub first: &'a List,
}

/// The shares of all rows, with their proof. `secrets` are the key shares; they multiply in
/// constant time.
pub fn decrypt(statement: &Statement<'_>, secrets: &Secrets, seed: &Seed) -> Result<Decryption, Shape> {
    let (rows, keys) = (statement.first.rows(), statement.key_shares.width());
    if statement.first.width() != 1 || statement.key_shares.rows() != 1 || secrets.len() != keys {
        return Err(Shape);
    }
    let columns: Vec<Vec<G1Affine>> =
        secrets.iter().map(|secret| multiply_secret(statement.first.points(), secret)).collect();
    let by_rows = (0..rows).flat_map(|row| columns.iter().filter_map(move |column| column.get(row).copied()));
    let shares = List::computed(by_rows.collect(), keys);
    let start = statement.context.decryption_seed(&statement.purpose, statement.key_shares, statement.first, &shares);
    let combined: G1Affine = msm_short(statement.first.points(), &coefficients(&start, rows)).into();
    let nonces = seed.scalars("decryption", &bound("AARDVARK-V1-MIXNET-DECRYPTION-NONCES", &start, &[]), keys);
    let generator = G1Affine::generator();
    let first = nonces.iter().flat_map(|nonce| multiply_secret(&[generator, combined], nonce)).collect();
    let first = List::computed(first, 1);
    let c = challenge(&decryption_digest(&start, &first));
    Ok(Decryption { responses: respond(nonces.iter(), c, secrets.iter().copied()), shares, first })
}

/// The claim that a server's shares are right.
#[derive(Debug)]
pub struct DecryptionClaim<'a> {
    statement: Statement<'a>,
    decryption: &'a Decryption,
    coefficients: Vec<Scalar>,
    digest: Digest,
}

impl<'a> DecryptionClaim<'a> {
    /// The claim of a server, if its lengths are right.
    pub fn new(statement: Statement<'a>, decryption: &'a Decryption) -> Result<Self, Shape> {
        let (rows, keys) = (statement.first.rows(), statement.key_shares.width());
        let Decryption { shares, first, responses } = decryption;
        let statement_fits = statement.first.width() == 1 && statement.key_shares.rows() == 1;
        let lengths = (shares.rows(), first.rows(), first.width(), responses.len());
        // An empty list of shares has no width to speak of.
        if !statement_fits || (rows > 0 && shares.width() != keys) || lengths != (rows, 2 * keys, 1, keys) {
            return Err(Shape);
        }
        let start =
            statement.context.decryption_seed(&statement.purpose, statement.key_shares, statement.first, shares);
        let coefficients = coefficients(&start, rows).into_iter().map(scalar_from_u128).collect();
        Ok(Self { statement, decryption, coefficients, digest: decryption_digest(&start, first) })
    }

    /// δ_j and c.
    pub fn challenges(&self) -> (&[Scalar], Scalar) {
        (&self.coefficients, challenge(&self.digest))
    }

    pub(crate) fn parts(&self) -> (&Statement<'a>, &Decryption) {
        (&self.statement, self.decryption)
    }
}

impl Claim for DecryptionClaim<'_> {
    fn digest(&self) -> Digest {
        self.digest
    }

    fn responses(&self) -> &[Scalar] {
        &self.decryption.responses
    }

    fn rows(&self) -> usize {
        2 * self.statement.key_shares.width()
    }

    fn terms<'a>(&'a self, weights: &[Scalar], terms: &mut Terms<'a>) {
        let (delta, c) = self.challenges();
        let (pairs, _) = weights.as_chunks::<2>();
        // x_l G - T - c Y_l, and x_l Σ δ_j C_j - T - c Σ δ_j D_{j,l}
        let z = self.responses();
        let of_generator: Scalar = pairs.iter().zip(z).map(|([of_key, _], z)| *of_key * z).sum();
        let of_rows: Scalar = pairs.iter().zip(z).map(|([_, of_rows], z)| *of_rows * z).sum();
        terms.add_one(&G1Affine::generator(), of_generator);
        terms.add(self.statement.key_shares.points(), pairs.iter().map(|[of_key, _]| -(*of_key * c)));
        terms.add(self.decryption.first.points(), weights.iter().map(|weight| -*weight));
        terms.add(self.statement.first.points(), delta.iter().map(|delta| of_rows * delta));
        for (l, [_, of_rows]) in pairs.iter().enumerate() {
            terms.add_column(&self.decryption.shares, l, delta.iter().map(|delta| -(*of_rows * c * delta)));
        }
    }
}

/// The plaintexts of all rows: C_{j,l} - Σ_k λ_k D^{(k)}_{j,l} for l = 1..w, from the shares of
/// different servers, as many as the threshold.
pub fn plaintexts(rows: &List, servers: &[u16], shares: &[&List]) -> Result<List, Shape> {
    let weights = lagrange(servers).ok_or(Shape)?;
    let keys = rows.width() - 1;
    let fits = |list: &&&List| list.rows() == rows.rows() && (list.width() == keys || rows.rows() == 0);
    if keys == 0 || shares.len() != servers.len() || shares.iter().filter(fits).count() != shares.len() {
        return Err(Shape);
    }
    let lists: Vec<&[G1Affine]> = shares.iter().map(|list| list.points()).collect();
    let masks = interpolate(&weights, &lists);
    let ciphertexts = rows.iter().flat_map(|row| row.iter().skip(1));
    let differences: Vec<G1Projective> =
        ciphertexts.zip(&masks).map(|(point, mask)| G1Projective::from(point) - mask).collect();
    Ok(List::computed(batch_to_affine(&differences), keys))
}
