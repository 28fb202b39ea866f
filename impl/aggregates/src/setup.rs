//! What committing to sheets needs: for each domain the Lagrange basis, its partial sums, and the
//! powers of τ.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use aardvark_algebra::group::Group;
use aardvark_algebra::parallel::made_once;
use aardvark_algebra::table::Term;
use aardvark_algebra::{
    BucketTable, Domain, FixedBaseTable, G1Affine, G1Projective, G2Affine, Scalar, Threads, batch_to_affine,
};
use aardvark_commitment::kzg::{Differences, own_keys};
use aardvark_commitment::{Ceremony, CommitmentError, Kzg};

use crate::sheet::{MAX_LOG, MIN_LOG};

/// Window of the tables of the masks' points, in bits: 67,584 bytes a point, made in less time than
/// ten multiplications take.
const MASKS_WINDOW: usize = 6;

/// One domain's points.
#[derive(Debug)]
pub struct SheetSetup {
    /// The domain, of N elements.
    pub domain: Domain,
    /// `[L_i(τ)]_1`, i < N.
    pub basis: Vec<G1Affine>,
    /// `[L_0(τ) + .. + L_i(τ)]_1`, i < N: a suffix sum is a multiple of one of these.
    pub partial_sums: Vec<G1Affine>,
    /// `[τ^i]_1`, i < 2N + 2, as far as they are known.
    pub powers: Vec<G1Affine>,
    /// Multiples of the basis, made when they are first asked for.
    table: OnceLock<BucketTable>,
    /// Multiples of the last two points of the basis, where all vectors have their masks.
    masks: OnceLock<FixedBaseTable>,
    differences: OnceLock<Differences>,
    /// `[(L_i(τ) - 1) / (τ - ω^i)]_1`, i < N, made when they are first asked for.
    own: OnceLock<Vec<G1Affine>>,
}

impl SheetSetup {
    /// The setup of a domain, from its basis and enough powers.
    fn new(domain: Domain, basis: Vec<G1Affine>, powers: Vec<G1Affine>) -> Self {
        let mut sum = G1Projective::identity();
        let sums: Vec<G1Projective> = basis
            .iter()
            .map(|point| {
                sum += point;
                sum
            })
            .collect();
        let (table, masks, differences, own) = Default::default();
        Self { domain, basis, partial_sums: batch_to_affine(&sums), powers, table, masks, differences, own }
    }

    /// A table of multiples of the basis: 2.4 MB for N = 1,024, made in 256 doublings a point when
    /// it is first asked for.
    pub(crate) fn table(&self) -> &BucketTable {
        made_once(&self.table, || BucketTable::new(&self.basis))
    }

    /// Each of the sums with the share of its two masks: Σ + a `[L_(N-2)(τ)]_1` + b
    /// `[L_(N-1)(τ)]_1`.
    pub(crate) fn masked(&self, sums: &[G1Affine], masks: &[[Scalar; 2]]) -> Vec<G1Affine> {
        let points = self.basis.get(self.basis.len().saturating_sub(2)..).unwrap_or_default();
        let table = made_once(&self.masks, || FixedBaseTable::new(points, MASKS_WINDOW));
        let terms: Vec<[Term; 2]> = masks.iter().map(|[a, b]| [(0, *a), (1, *b)]).collect();
        let runs: Vec<(G1Affine, &[Term])> =
            sums.iter().copied().zip(terms.iter().map(<[Term; 2]>::as_slice)).collect();
        table.add_multiples(&runs)
    }

    /// What quotients on the domain are made with.
    pub(crate) fn differences(&self) -> &Differences {
        self.differences.get_or_init(|| Differences::new(&self.domain))
    }

    /// What the vectors with a 1 at one element and zeros elsewhere are opened with there: two
    /// transforms over points when they are first asked for.
    pub(crate) fn own(&self) -> &[G1Affine] {
        self.own.get_or_init(|| own_keys(&self.domain, &self.basis, Threads::Current))
    }
}

/// Where the powers come from.
#[derive(Debug)]
enum Source {
    /// The Ethereum ceremony; bases are kept in this folder, if it is given.
    Ceremony(&'static Ceremony, Option<PathBuf>),
    /// Given powers.
    Powers(Vec<G1Affine>),
}

/// The setups of all domains, each made when it is first asked for.
#[derive(Debug)]
pub struct ProverSetup {
    source: Source,
    tau_g2: G2Affine,
    /// Whether openings are made with tables of multiples.
    tables: bool,
    sheets: [OnceLock<Result<SheetSetup, CommitmentError>>; MAX_LOG + 1],
}

impl ProverSetup {
    /// On the Ethereum ceremony. The Lagrange basis of N = 1,024 takes 0.4 s of one core; with a
    /// folder it is kept there, in a file that is trusted as our own.
    ///
    /// # Errors
    /// As [`Ceremony::ethereum`].
    pub fn ethereum(cache: Option<&Path>) -> Result<Self, CommitmentError> {
        let ceremony = Ceremony::ethereum()?;
        Ok(Self::of(Source::Ceremony(ceremony, cache.map(Path::to_owned)), *ceremony.tau_g2()))
    }

    /// On given powers `[τ^i]_1` and `[τ]_2`, which must belong together: for tests, whose τ is
    /// known.
    pub fn from_powers(powers: Vec<G1Affine>, tau_g2: G2Affine) -> Self {
        Self::of(Source::Powers(powers), tau_g2)
    }

    fn of(source: Source, tau_g2: G2Affine) -> Self {
        Self { source, tau_g2, tables: false, sheets: Default::default() }
    }

    /// The same for who opens vectors again and again: openings at elements of a domain are made
    /// with a table of multiples of its basis and the openings of its unit vectors, which are made
    /// at the first such opening.
    #[must_use]
    pub fn with_tables(self) -> Self {
        Self { tables: true, ..self }
    }

    /// Whether openings are made with tables.
    pub fn has_tables(&self) -> bool {
        self.tables
    }

    /// Makes the tables of the domain of 2^log elements, which else its first openings do.
    ///
    /// # Errors
    /// As [`ProverSetup::sheet`].
    pub fn make_table(&self, log: usize) -> Result<(), CommitmentError> {
        let sheet = self.sheet(log)?;
        sheet.table();
        sheet.own();
        Ok(())
    }

    /// `[τ]_2`.
    pub fn tau_g2(&self) -> &G2Affine {
        &self.tau_g2
    }

    /// The setup of the domain of 2^log elements.
    ///
    /// # Errors
    /// [`CommitmentError::VectorSize`] for a domain that no sheet has; too few powers.
    pub fn sheet(&self, log: usize) -> Result<&SheetSetup, CommitmentError> {
        let illegal = || CommitmentError::VectorSize(1usize.checked_shl(log as u32).unwrap_or(0));
        if log < MIN_LOG { Err(illegal()) } else { self.domain(log) }
    }

    /// The setup of the domain of 2^log elements, which may be smaller than a sheet's: comparisons
    /// have domains of 4 elements on.
    pub(crate) fn domain(&self, log: usize) -> Result<&SheetSetup, CommitmentError> {
        let illegal = || CommitmentError::VectorSize(1usize.checked_shl(log as u32).unwrap_or(0));
        let place = self.sheets.get(log).ok_or_else(illegal)?;
        made_once(place, || self.make(1 << log)).as_ref().map_err(Clone::clone)
    }

    fn make(&self, size: usize) -> Result<SheetSetup, CommitmentError> {
        let domain = Domain::new(size).map_err(|_| CommitmentError::VectorSize(size))?;
        let wanted = 2 * size + 2;
        match &self.source {
            Source::Powers(powers) => {
                let first = powers.get(..size).ok_or(CommitmentError::VectorSize(size))?;
                let basis = domain.ifft_g1(first, Threads::All);
                Ok(SheetSetup::new(domain, basis, powers.iter().take(wanted).copied().collect()))
            }
            Source::Ceremony(ceremony, cache) => {
                let kzg = match cache {
                    Some(folder) => Kzg::with_cache(ceremony, size, &folder.join(format!("basis-{size}")))?,
                    None => Kzg::new(ceremony, size)?,
                };
                let basis = kzg.lagrange_basis().ok_or(CommitmentError::VerifierOnly)?.to_vec();
                let powers = ceremony.g1_powers(wanted.min(aardvark_commitment::ceremony::G1_POWERS))?;
                Ok(SheetSetup::new(domain, basis, powers))
            }
        }
    }
}
