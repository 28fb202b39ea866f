//! The points of commitments: F_0, B_0, F_1, F_2, .. by RFC 9380, with no known relation.

use aardvark_algebra::parallel::prelude::*;
use aardvark_algebra::table::Term;
use aardvark_algebra::{FixedBaseTable, G1Affine, Scalar, hash_to_g1};

/// The domain of generators.
const GENERATOR_DST: &[u8] = b"AARDVARK-V1-MIXNET-GENERATOR";
/// The window of the table of F_0 and B_0 for many rows, 2 MB each, and for few.
const WINDOW: usize = 12;
const SMALL_WINDOW: usize = 5;
/// Rows below which a small table costs less.
const FEW_ROWS: usize = 500;
/// The numbers of F_0 and B_0 in their table.
const BLINDING: usize = 0;
const CHAIN: usize = 1;

/// F_0 (blinding), B_0 (chain) and F_1 .. F_n, with a table of the first two.
#[derive(Debug)]
pub struct Generators {
    blinding: G1Affine,
    chain: G1Affine,
    bases: Vec<G1Affine>,
    table: FixedBaseTable,
}

impl Generators {
    /// The generators for lists of so many rows: point number i is `hash_to_g1(u32 i,
    /// "AARDVARK-V1-MIXNET-GENERATOR")`; 0 is F_0, 1 is B_0, i + 1 is F_i.
    pub fn new(rows: usize) -> Self {
        let number = |i: u32| hash_to_g1(&i.to_be_bytes(), GENERATOR_DST);
        let bases = (0..rows as u32).into_par_iter().map(|i| number(i + 2)).collect();
        Self::from_points(number(0), number(1), bases)
    }

    /// Generators whose relations somebody may know: for tests, and for measurements of parts.
    pub fn from_points(blinding: G1Affine, chain: G1Affine, bases: Vec<G1Affine>) -> Self {
        let window = if bases.len() < FEW_ROWS { SMALL_WINDOW } else { WINDOW };
        let table = FixedBaseTable::new(&[blinding, chain], window);
        Self { blinding, chain, bases, table }
    }

    /// F_0.
    pub fn blinding(&self) -> &G1Affine {
        &self.blinding
    }

    /// B_0.
    pub fn chain(&self) -> &G1Affine {
        &self.chain
    }

    /// F_1 .. F_n: F_i is at i - 1.
    pub fn bases(&self) -> &[G1Affine] {
        &self.bases
    }

    /// n.
    pub fn rows(&self) -> usize {
        self.bases.len()
    }

    /// start + k F_0 for each (start, k).
    pub(crate) fn blind(&self, starts: &[G1Affine], blindings: &[Scalar]) -> Vec<G1Affine> {
        let terms: Vec<[Term; 1]> = blindings.iter().map(|k| [(BLINDING, *k)]).collect();
        let runs: Vec<(G1Affine, &[Term])> =
            starts.iter().zip(&terms).map(|(start, terms)| (*start, terms.as_slice())).collect();
        self.table.add_multiples(&runs)
    }

    /// k F_0 + l B_0 for each (k, l).
    pub(crate) fn pairs(&self, scalars: &[[Scalar; 2]]) -> Vec<G1Affine> {
        let terms: Vec<[Term; 2]> = scalars.iter().map(|[k, l]| [(BLINDING, *k), (CHAIN, *l)]).collect();
        let runs: Vec<(G1Affine, &[Term])> =
            terms.iter().map(|terms| (G1Affine::default(), terms.as_slice())).collect();
        self.table.add_multiples(&runs)
    }
}
