//! Keys shared among the servers: number 0 for queries, 1..w for values.
//!
//! Each server deals a polynomial a key; a key is the sum of the constant terms, a server's share
//! the sum of what it was dealt. In a ceremony shares travel under masks, with proofs and
//! complaints ([`dealt`](crate::dealt)); the [`Dealing`] of this file hands them over in the clear,
//! for measurements and tests within one process.

use aardvark_algebra::group::Group;
use aardvark_algebra::{G1Affine, G1Projective, Scalar, TaggedHash, batch_to_affine, encode_g1_uncompressed};
use aardvark_sigma::sharing::{SecretPolynomial, public_share, share_holds};
use aardvark_sigma::{Digest, List, Secrets, Seed};

use crate::fault::{Fault, FaultKind};

/// What a server deals.
#[derive(Clone, Debug)]
pub struct Dealing {
    /// A_{l,a}: the commitments to the coefficients, t of them a key.
    pub commitments: Vec<Vec<G1Affine>>,
    polynomials: Vec<SecretPolynomial>,
}

impl Dealing {
    /// The dealing of server `dealer` in a ceremony: as many keys as values have numbers, and one.
    pub fn derive(seed: &Seed, ceremony: &Digest, dealer: u16, keys: usize, threshold: usize) -> Self {
        let statement = |key: usize| {
            let hash = TaggedHash::new("AARDVARK-V1-MIXNET-DEALING").chain(ceremony).chain(dealer.to_be_bytes());
            hash.chain((key as u16).to_be_bytes()).finalize()
        };
        let polynomials: Vec<SecretPolynomial> =
            (0..keys).map(|key| SecretPolynomial::derive(seed, "dealing", &statement(key), threshold)).collect();
        Self { commitments: polynomials.iter().map(SecretPolynomial::commit).collect(), polynomials }
    }

    /// The shares of a server, one a key.
    pub fn shares(&self, server: u16) -> Secrets {
        self.polynomials.iter().map(|polynomial| polynomial.share(server)).collect()
    }
}

/// A server's shares of all keys: the sums of what the dealers gave it, each checked against its
/// commitments. Names the first dealer whose share is false.
pub fn receive(server: u16, dealt: &[(u16, &[Vec<G1Affine>], Secrets)]) -> Result<Secrets, Fault> {
    let mut sums: Vec<Scalar> = Vec::new();
    for (dealer, commitments, shares) in dealt {
        let holds = shares.len() == commitments.len()
            && commitments.iter().zip(&**shares).all(|(commitments, share)| share_holds(commitments, server, share));
        if !holds {
            return Err(Fault::of_server(FaultKind::DealingFalse, *dealer));
        }
        sums.resize(sums.len().max(shares.len()), Scalar::default());
        sums.iter_mut().zip(&**shares).for_each(|(sum, share)| *sum += share);
    }
    Ok(Secrets::new(sums))
}

/// What everybody knows of the keys.
#[derive(Clone, Debug)]
pub struct PublicKeys {
    /// t.
    pub threshold: usize,
    /// Y_0 (queries), Y_1 .. Y_w (values).
    pub keys: Vec<G1Affine>,
    /// For each server the public halves of its shares.
    pub shares: Vec<Vec<G1Affine>>,
    /// `H("..KEYS", ceremony || u8 count || dealers || list of all A)`: what every later hash
    /// begins with.
    pub digest: Digest,
}

impl PublicKeys {
    /// The keys of dealings, in ascending order of dealers, for servers 1..=m.
    pub fn new(
        ceremony: &Digest,
        dealings: &[(u16, &[Vec<G1Affine>])],
        servers: u16,
        threshold: usize,
    ) -> Result<Self, Fault> {
        let keys = dealings.first().map_or(0, |(_, commitments)| commitments.len());
        for (dealer, commitments) in dealings {
            if commitments.len() != keys || commitments.iter().any(|of_key| of_key.len() != threshold) {
                return Err(Fault::of_server(FaultKind::WrongLength, *dealer));
            }
        }
        if threshold == 0 || threshold > usize::from(servers) || keys < 2 {
            return Err(Fault::new(FaultKind::WrongLength));
        }
        // The sum of all dealers' polynomials, by its commitments.
        let summed = |key: usize| {
            let sums = (0..threshold).map(|a| {
                let of_dealers = dealings
                    .iter()
                    .filter_map(|(_, commitments)| commitments.get(key).and_then(|of_key| of_key.get(a)));
                of_dealers.fold(G1Projective::identity(), |sum, point| sum + point)
            });
            batch_to_affine(&sums.collect::<Vec<_>>())
        };
        let summed: Vec<Vec<G1Affine>> = (0..keys).map(summed).collect();
        let mut hash = TaggedHash::new("AARDVARK-V1-MIXNET-KEYS").chain(ceremony).chain([dealings.len() as u8]);
        dealings.iter().for_each(|(dealer, _)| hash.update(dealer.to_be_bytes()));
        let all = dealings.iter().flat_map(|(_, commitments)| commitments.iter().flatten().copied());
        hash.update(List::computed(all.collect(), 1).digest());
        Ok(Self {
            threshold,
            keys: summed.iter().filter_map(|of_key| of_key.first().copied()).collect(),
            shares: (1..=servers)
                .map(|server| summed.iter().map(|of_key| public_share(of_key, server)).collect())
                .collect(),
            digest: hash.finalize(),
        })
    }

    /// The public halves of a server's shares of the keys with these numbers, as one row.
    pub fn shares_of(&self, server: u16, keys: core::ops::Range<usize>) -> List {
        let of_server = usize::from(server).checked_sub(1).and_then(|place| self.shares.get(place));
        let row = of_server.and_then(|shares| shares.get(keys)).unwrap_or_default().to_vec();
        let width = row.len();
        List::computed(row, width)
    }

    /// w: how many numbers a value has.
    pub fn numbers(&self) -> usize {
        self.keys.len().saturating_sub(1)
    }

    /// The keys of values.
    pub fn value_keys(&self) -> &[G1Affine] {
        self.keys.get(1..).unwrap_or_default()
    }

    /// The key of queries.
    pub fn query_key(&self) -> &[G1Affine] {
        self.keys.get(..1).unwrap_or_default()
    }
}

/// 96 bytes of each point, for hashes.
pub(crate) fn encoded(points: &[G1Affine]) -> Vec<u8> {
    points.iter().flat_map(encode_g1_uncompressed).collect()
}
