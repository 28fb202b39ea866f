//! What things cost: the constants of the decision when to make a snapshot.

use aardvark_commitment::SchemeKind;

/// Prices in microseconds of one core. Only their ratios matter, and only for speed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OpeningCosts {
    /// One opening from the whole vector, which is read and hashed for it.
    pub open: f64,
    /// All N openings at once.
    pub open_all: f64,
    /// One multiple of a fixed point in the update of an opening.
    pub delta: f64,
}

impl OpeningCosts {
    /// What was measured, by `cargo run --release -p aardvark-archive --example scale -- costs`, on two cores of a shared x86-64
    /// machine at N = 1,024, scaled to other N by the number of group operations.
    pub fn measured(kind: SchemeKind, vector_size: usize) -> Self {
        let size = f64::from(u32::try_from(vector_size).unwrap_or(u32::MAX));
        let open = 16.0 * size;
        let open_all = match kind {
            SchemeKind::Kzg => 13.0 * size * size,
            SchemeKind::LibertYung => 13.0 * size * size,
        };
        Self { open, open_all, delta: 120.0 }
    }

    /// The price of following so many changed scalars from a held opening.
    pub(super) fn follow(&self, changed: usize) -> f64 {
        let terms = if changed == 0 { 0 } else { changed + 1 };
        self.delta * f64::from(u32::try_from(terms).unwrap_or(u32::MAX))
    }

    /// The price of so many openings from the whole vector.
    pub(super) fn opens(&self, count: usize) -> f64 {
        self.open * f64::from(u32::try_from(count).unwrap_or(u32::MAX))
    }
}
