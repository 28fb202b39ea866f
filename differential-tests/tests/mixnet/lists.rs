//! Lists of points whose logarithms are known, as both sides see them; and what both sides draw.

use aardvark_algebra::ff::Field;
use aardvark_algebra::group::Group;
use aardvark_algebra::{G1Affine, G1Projective, Scalar, batch_to_affine, hash_to_scalar};
use aardvark_oracle::Shown;
use aardvark_sigma::{Context, Digest, Generators, List};
use aardvark_spec::base::bytes::ByteString;
use aardvark_spec::base::group::{G1, g1_multiple};
use aardvark_spec::base::hash::tagged_hash;
use aardvark_spec::base::scalar;
use aardvark_spec::convert::to_seq;
use aardvark_spec::mixnet::linear_relation::LinearProof;
use aardvark_spec::mixnet::mixnet_transcript::{MixnetContext, mixnet_list_digest, mixnet_secret};
use aardvark_spec::mixnet::permutation::MixnetGenerators;
use differential_tests::convert::{bytes_to_spec, scalar_to_spec};
use hacspec_lib::Seq;

/// The seed of the server whose proofs are compared.
pub const SEED: [u8; 32] = [7; 32];

/// Scalars that follow from a number.
pub struct Draw(u64);

impl Draw {
    pub fn new(number: u64) -> Self {
        Self(number << 16)
    }

    pub fn scalar(&mut self) -> Scalar {
        self.0 += 1;
        hash_to_scalar(&self.0.to_be_bytes(), b"differential mixnet")
    }

    pub fn scalars(&mut self, count: usize) -> Vec<Scalar> {
        (0..count).map(|_| self.scalar()).collect()
    }

    pub fn below(&mut self, bound: usize) -> usize {
        usize::from(self.scalar().to_bytes_le()[0]) % bound
    }
}

/// Points from their logarithms.
pub fn points(exponents: &[Scalar]) -> Vec<G1Affine> {
    batch_to_affine(&exponents.iter().map(|k| G1Projective::generator() * k).collect::<Vec<_>>())
}

/// A list by its points' logarithms.
#[derive(Clone, Debug)]
pub struct Known {
    pub exponents: Vec<Scalar>,
    pub width: usize,
}

impl Known {
    pub fn new(exponents: Vec<Scalar>, width: usize) -> Self {
        Self { exponents, width }
    }

    /// What the specification computed.
    pub fn of_elements(elements: &Seq<G1>) -> Self {
        let exponent = |element: &G1| aardvark_spec::base::group::known_exponent(*element);
        let exponents =
            elements.native_slice().iter().map(|e| differential_tests::convert::scalar_from_spec(&exponent(e)));
        Self::new(exponents.collect(), 1)
    }

    pub fn of_rows(rows: &Seq<Seq<G1>>, width: usize) -> Self {
        let all = rows.native_slice().iter().flat_map(|row| Self::of_elements(row).exponents).collect();
        Self::new(all, width)
    }

    pub fn list(&self) -> List {
        List::computed(points(&self.exponents), self.width)
    }

    pub fn elements(&self) -> Seq<G1> {
        to_seq(self.exponents.iter().map(|k| g1_multiple(scalar_to_spec(k))).collect())
    }

    pub fn rows(&self) -> Seq<Seq<G1>> {
        let rows = self.exponents.chunks(self.width).map(|row| Self::new(row.to_vec(), 1).elements());
        Seq::from_vec(rows.collect())
    }

    /// The specification's digest.
    pub fn digest(&self) -> ByteString {
        let list = self.list();
        mixnet_list_digest(list.rows(), list.width(), &bytes_to_spec(&list.encode()))
    }

    /// The same with one point changed.
    pub fn spoilt(&self, draw: &mut Draw) -> Self {
        let mut exponents = self.exponents.clone();
        let place = draw.below(exponents.len());
        exponents[place] += if draw.below(2) == 0 { Scalar::ONE } else { draw.scalar() };
        Self::new(exponents, self.width)
    }
}

/// Generators whose logarithms are known.
pub struct KnownGenerators {
    pub blinding: Scalar,
    pub chain: Scalar,
    pub bases: Vec<Scalar>,
}

impl KnownGenerators {
    pub fn draw(draw: &mut Draw, count: usize) -> Self {
        Self { blinding: draw.scalar(), chain: draw.scalar(), bases: draw.scalars(count) }
    }

    pub fn implementation(&self) -> Generators {
        let two = points(&[self.blinding, self.chain]);
        Generators::from_points(two[0], two[1], points(&self.bases))
    }

    pub fn specification(&self) -> MixnetGenerators {
        MixnetGenerators {
            generator_blinding: g1_multiple(scalar_to_spec(&self.blinding)),
            generator_chain: g1_multiple(scalar_to_spec(&self.chain)),
            generator_bases: Known::new(self.bases.clone(), 1).elements(),
        }
    }
}

/// A server's context, twice.
pub fn contexts(number: u8, server: u16) -> (Context, MixnetContext) {
    let keys: Digest = [number; 32];
    let specification = MixnetContext { mixnet_keys: bytes_to_spec(&keys), mixnet_server: usize::from(server) };
    (Context { keys, server }, specification)
}

pub fn scalars_to_spec(scalars: &[Scalar]) -> Seq<scalar::Scalar> {
    to_seq(scalars.iter().map(scalar_to_spec).collect())
}

pub fn scalars_from_spec(scalars: &Seq<scalar::Scalar>) -> Vec<Scalar> {
    scalars.native_slice().iter().map(differential_tests::convert::scalar_from_spec).collect()
}

/// The specification's secret scalars of a label and statement.
pub fn secrets(label: &str, statement: &ByteString, count: usize) -> Seq<scalar::Scalar> {
    let (seed, label) = (bytes_to_spec(&SEED), bytes_to_spec(label.as_bytes()));
    to_seq((0..count).map(|i| mixnet_secret(&seed, &label, statement, i)).collect())
}

/// The specification's hash under a tag.
pub fn hash(tag: &str, parts: &[&ByteString]) -> ByteString {
    let all = parts.iter().fold(ByteString::new(0), |all, part| all.concat(*part));
    tagged_hash(&bytes_to_spec(tag.as_bytes()), &all)
}

pub fn proof_to_spec(first: &Known, responses: &[Scalar]) -> LinearProof {
    LinearProof { linear_first: first.elements(), linear_responses: scalars_to_spec(responses) }
}

/// A proof as it is shown, with the digest of T.
pub fn shown(first: &Known, responses: &[Scalar]) -> Shown {
    Shown { proof: proof_to_spec(first, responses), first: first.digest() }
}

/// A response changed by one, or one left out.
pub fn spoilt_scalars(scalars: &[Scalar], draw: &mut Draw) -> Vec<Scalar> {
    let mut spoilt = scalars.to_vec();
    match draw.below(8) {
        0 => drop(spoilt.pop()),
        1 => spoilt.push(Scalar::ZERO),
        _ => {
            let place = draw.below(spoilt.len());
            spoilt[place] += Scalar::ONE;
        }
    }
    spoilt
}
