//! Costs of openings: the constants of the decision when to make a snapshot.

use aardvark_algebra::integers::u32_or_max;
use aardvark_commitment::{Scheme, VectorCommitment};

/// Prices in microseconds of one core. Only their ratios matter, and only for speed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OpeningCosts {
    /// One opening from the whole vector, which is read and hashed for it.
    pub open: f64,
    /// All N openings at once.
    pub open_all: f64,
    /// One multiple of a fixed point in the update of an opening.
    pub delta: f64,
    /// The stored openings of a vector, all of which are read and hashed for one.
    pub stored: f64,
}

impl OpeningCosts {
    /// What `cargo run --release -p benches --bin scale -- costs` measured on one core of a shared
    /// and busy x86-64 machine at N = 1,024, with 256 MiB of tables (`costs 268435456`): 17,500 and
    /// 740,000 and 23.1; and without: 22,500 and 970,000 and 34.6. Scaled to other N by the number
    /// of group operations. `stored` is 48 bytes an opening, a gigabyte a second.
    pub fn measured(scheme: &Scheme) -> Self {
        let size = f64::from(u32_or_max(scheme.vector_size()));
        let tables = matches!(scheme, Scheme::Kzg(kzg) if kzg.tables().is_some());
        let (scalar, twiddle, delta) = if tables { (17.1, 72.3, 23.1) } else { (22.0, 94.7, 34.6) };
        let (open, stored) = (scalar * size, 0.048 * size);
        let open_all = match scheme {
            Scheme::Kzg(_) => twiddle * size * size.log2().max(1.0),
            Scheme::LibertYung(_) => open * size,
        };
        Self { open, open_all, delta, stored }
    }

    /// The price of following so many changed scalars from a held opening.
    pub(super) fn follow(&self, changed: usize) -> f64 {
        let terms = if changed == 0 { 0 } else { changed + 1 };
        self.delta * f64::from(u32_or_max(terms))
    }

    /// The price of so many openings from the whole vector: of all, where that is less.
    pub(super) fn opens(&self, count: usize) -> f64 {
        (self.open * f64::from(u32_or_max(count))).min(self.open_all)
    }
}
