//! Commitments γ = v G + r F_0 to the inputs' values, their openings in shares that add up. The
//! paper's servers get them by threshold Paillier; here they are dealt, and that is not measured.

use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::table::Term;
use aardvark_algebra::{FixedBaseTable, G1Affine, Scalar};
use aardvark_sigma::{Generators, List, Secrets, Seed};

/// Bits of a window of the table.
const WINDOW: usize = 10;

/// Commitments, and each server's shares of the openings.
pub struct Openings {
    /// γ of each input.
    pub commitments: List,
    /// For each server the values' shares and the blindings'.
    pub shares: Vec<(Secrets, Secrets)>,
    /// Multiples of G and F_0.
    pub table: FixedBaseTable,
}

/// a G + b F_0 of each pair.
pub fn commit(table: &FixedBaseTable, values: &[Scalar], blindings: &[Scalar]) -> Vec<G1Affine> {
    let terms: Vec<Term> = values.iter().zip(blindings).flat_map(|(v, r)| [(0, *v), (1, *r)]).collect();
    let runs: Vec<(G1Affine, &[Term])> = terms.chunks(2).map(|pair| (G1Affine::identity(), pair)).collect();
    table.add_multiples(&runs)
}

impl Openings {
    /// Deals shares to so many servers.
    pub fn deal(values: &[Scalar], servers: usize, generators: &Generators, seed: &Seed) -> Self {
        let table = FixedBaseTable::new(&[G1Affine::generator(), *generators.blinding()], WINDOW);
        let draw = |label: &str, server: usize| seed.scalars(label, &[server as u8; 32], values.len());
        let blindings = draw("opening", 0);
        let mut last = (values.to_vec(), blindings.to_vec());
        let mut shares = Vec::with_capacity(servers);
        for server in 1..servers {
            let share = (draw("value share", server), draw("blinding share", server));
            last.0.iter_mut().zip(share.0.iter()).for_each(|(rest, share)| *rest -= share);
            last.1.iter_mut().zip(share.1.iter()).for_each(|(rest, share)| *rest -= share);
            shares.push(share);
        }
        shares.push((Secrets::new(last.0), Secrets::new(last.1)));
        let commitments = List::computed(commit(&table, values, &blindings), 1);
        Self { commitments, shares, table }
    }
}
