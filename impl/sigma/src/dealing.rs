//! Dealing keys without a trusted dealer: each server shares polynomials among all, publicly.
//!
//! A dealing has commitments A_{l,a} to a polynomial for each key l, and for each server k a point
//! R_k = ρ_k G and its shares f_l(k), each under a mask from ρ_k N_k = ν_k R_k, N_k the server's
//! transport key. One proof shows that the dealer knows all f_l(0) and all ρ_k; its challenge
//! covers ceremony, dealer and every other byte. Without ρ_k in it a liar could copy an honest
//! dealer's R_k, and the verdict about the liar would open the honest shares.
//!
//! A server whose shares are false posts S = ν_k R_k, with a proof, and everybody opens them.
//!
//! Specification: `verify_dealing`, `share_seal`, `share_unseal`, `dealt_shares_hold`,
//! `complaint_convicts`.

use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::{G1Affine, Scalar, TaggedHash, encode_g1, hash_to_scalar, multiply_secret, scalar_to_bytes};

use crate::claim::{Shape, claims_hold};
use crate::knowledge::prove_knowledge;
use crate::knowledge::{EqualityClaim, KnowledgeClaim, KnowledgeProof, multiple, multiples, prove_equality};
use crate::list::List;
use crate::secret::{Secrets, Seed};
use crate::sharing::{SecretPolynomial, share_holds};
use crate::transcript::Digest;

/// The domain of masks.
const MASK_DST: &[u8] = b"AARDVARK-V1-MIXNET-SHARE-MASK";

/// Whose dealing of which ceremony it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dealer {
    /// The ceremony's digest.
    pub ceremony: Digest,
    /// The dealer's number, from 1.
    pub number: u16,
}

/// What a server deals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dealing {
    /// A: a row a key, a column a coefficient.
    pub commitments: List,
    /// R: a row a server, of width 1.
    pub randomised: List,
    /// For each server the masked shares, one a key.
    pub sealed: Vec<Vec<Scalar>>,
    /// That the dealer knows all constant terms and all ρ.
    pub proof: KnowledgeProof,
}

/// A server's complaint about a dealer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    /// The dealer.
    pub dealer: u16,
    /// S = ν R, as a list of one point.
    pub shared: List,
    /// That S is what it should be.
    pub proof: KnowledgeProof,
}

/// What a server's masks are drawn from.
fn mask_seed(dealer: &Dealer, server: u16, randomised: &G1Affine, shared: &G1Affine) -> Digest {
    let hash = TaggedHash::new("AARDVARK-V1-MIXNET-SHARE").chain(dealer.ceremony).chain(dealer.number.to_be_bytes());
    hash.chain(server.to_be_bytes()).chain(encode_g1(randomised)).chain(encode_g1(shared)).finalize()
}

fn mask(seed: &Digest, key: usize) -> Scalar {
    let mut message = seed.to_vec();
    message.extend((key as u16).to_be_bytes());
    hash_to_scalar(&message, MASK_DST)
}

impl Dealer {
    /// The dealing of so many keys with this threshold to the servers with these transport keys, a
    /// list of width 1.
    pub fn deal(&self, transport: &List, keys: usize, threshold: usize, seed: &Seed) -> Dealing {
        let statement = TaggedHash::new("AARDVARK-V1-MIXNET-DEALER").chain(self.ceremony);
        let statement = statement.chain(self.number.to_be_bytes()).chain(transport.digest());
        let statement = statement.chain((keys as u16).to_be_bytes()).chain((threshold as u16).to_be_bytes()).finalize();
        let coefficients = seed.scalars("dealing", &statement, keys * threshold);
        let polynomials: Vec<SecretPolynomial> = coefficients
            .chunks(threshold.max(1))
            .map(|coefficients| SecretPolynomial::new(Secrets::new(coefficients.to_vec())))
            .collect();
        let randomness = seed.scalars("transport", &statement, transport.rows());
        self.seal(transport, &polynomials, &randomness, seed)
    }

    /// The dealing of these polynomials, with a ρ for each server.
    pub fn seal(
        &self,
        transport: &List,
        polynomials: &[SecretPolynomial],
        randomness: &Secrets,
        seed: &Seed,
    ) -> Dealing {
        let commitments: Vec<Vec<G1Affine>> = polynomials.iter().map(SecretPolynomial::commit).collect();
        let width = commitments.first().map_or(1, Vec::len);
        let randomised = multiples(randomness);
        let places = (1u16..).zip(transport.points()).zip(randomness.iter().zip(randomised.points()));
        let sealed = places.map(|((server, transport), (rho, randomised))| {
            let shared = multiply_secret(&[*transport], rho).first().copied().unwrap_or_else(G1Affine::identity);
            let masks = mask_seed(self, server, randomised, &shared);
            polynomials.iter().enumerate().map(|(key, shared)| shared.share(server) + mask(&masks, key)).collect()
        });
        let sealed: Vec<Vec<Scalar>> = sealed.collect();
        let proof = KnowledgeProof { first: List::computed(Vec::new(), 1), responses: Vec::new() };
        let commitments = List::computed(commitments.concat(), width);
        let mut dealing = Dealing { commitments, randomised, sealed, proof };
        let constants = polynomials.iter().map(|polynomial| polynomial.share(0));
        let secrets: Secrets = constants.chain(randomness.iter().copied()).collect();
        dealing.proof = prove_knowledge(&dealing.seed(self), &secrets, seed);
        dealing
    }
}

impl Dealing {
    /// `H("..DEALING", ceremony || u16 d || all A || for each server R_k and its masked shares)`,
    /// 48 bytes a point.
    pub fn seed(&self, dealer: &Dealer) -> Digest {
        let hash = TaggedHash::new("AARDVARK-V1-MIXNET-DEALING").chain(dealer.ceremony);
        let mut hash = hash.chain(dealer.number.to_be_bytes());
        self.commitments.points().iter().for_each(|point| hash.update(encode_g1(point)));
        for (point, sealed) in self.randomised.points().iter().zip(&self.sealed) {
            hash.update(encode_g1(point));
            sealed.iter().for_each(|share| hash.update(scalar_to_bytes(share)));
        }
        hash.finalize()
    }

    /// What the dealer has to know the logarithms of: all A_{l,0} and all R_k.
    pub fn image(&self) -> List {
        let constants = self.commitments.iter().filter_map(|row| row.first().copied());
        List::computed(constants.chain(self.randomised.points().iter().copied()).collect(), 1)
    }

    /// Whether there are shares for so many servers, and the proof is true.
    #[must_use]
    pub fn holds(&self, dealer: &Dealer, servers: usize) -> bool {
        let keys = self.commitments.rows();
        let fits = self.randomised.width() == 1
            && (self.randomised.rows(), self.sealed.len()) == (servers, servers)
            && self.sealed.iter().all(|shares| shares.len() == keys);
        let image = self.image();
        let claim = KnowledgeClaim::new(&self.seed(dealer), &image, &self.proof);
        fits && claim.is_ok_and(|claim| claims_hold(&[&claim]))
    }

    /// R of a server, as a list.
    fn randomised_of(&self, server: u16) -> List {
        self.randomised.select(usize::from(server).checked_sub(1))
    }

    /// The shares of a server that S opens.
    fn unseal(&self, dealer: &Dealer, server: u16, shared: &G1Affine) -> Secrets {
        let place = usize::from(server).wrapping_sub(1);
        let seed = mask_seed(dealer, server, &self.randomised.at(place, 0), shared);
        let sealed = self.sealed.get(place).into_iter().flatten().enumerate();
        sealed.map(|(key, share)| *share - mask(&seed, key)).collect()
    }

    fn shares_hold(&self, server: u16, shares: &Secrets) -> bool {
        shares.len() == self.commitments.rows()
            && self.commitments.iter().zip(&**shares).all(|(row, share)| share_holds(row, server, share))
    }

    /// The shares of a server, by its transport secret ν; or, if they are not those that the dealer
    /// committed to, the complaint.
    pub fn receive(
        &self,
        dealer: &Dealer,
        server: u16,
        transport: &Secrets,
        seed: &Seed,
    ) -> Result<Result<Secrets, Complaint>, Shape> {
        let base = self.randomised_of(server);
        let ([point], [nu]) = (base.points(), &**transport) else { return Err(Shape) };
        let shared = List::computed(multiply_secret(&[*point], nu), 1);
        let shares = self.unseal(dealer, server, &shared.at(0, 0));
        if self.shares_hold(server, &shares) {
            return Ok(Ok(shares));
        }
        let statement = verdict_seed(dealer, server, &[multiple(nu), *point, shared.at(0, 0)]);
        let proof = prove_equality(&statement, &base, transport, seed)?;
        Ok(Err(Complaint { dealer: dealer.number, shared, proof }))
    }

    /// Whether a complaint of the server with this transport key convicts the dealer: S is what
    /// opens the server's shares, and they are not what the dealer committed to.
    #[must_use]
    pub fn is_convicted(&self, dealer: &Dealer, server: u16, transport: &G1Affine, complaint: &Complaint) -> bool {
        let (base, shared) = (self.randomised_of(server).at(0, 0), complaint.shared.at(0, 0));
        let statement = verdict_seed(dealer, server, &[*transport, base, shared]);
        let claim = EqualityClaim::new(&statement, base, [*transport, shared], &complaint.proof);
        let shown = claim.is_ok_and(|claim| claims_hold(&[&claim]));
        shown && !self.shares_hold(server, &self.unseal(dealer, server, &shared))
    }
}

/// `H("..VERDICT", ceremony || u16 k || u16 d || N || R || S)`.
fn verdict_seed(dealer: &Dealer, server: u16, points: &[G1Affine; 3]) -> Digest {
    let hash = TaggedHash::new("AARDVARK-V1-MIXNET-VERDICT").chain(dealer.ceremony).chain(server.to_be_bytes());
    let hash = hash.chain(dealer.number.to_be_bytes());
    points.iter().fold(hash, |hash, point| hash.chain(encode_g1(point))).finalize()
}
