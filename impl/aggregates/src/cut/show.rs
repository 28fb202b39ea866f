//! Showing a cut: the openings of its ends and its comparisons, for the fold of an answer; and what
//! received comparisons claim.
//!
//! The claims stand in this order: the low end, the high end, those of each comparison. The seed of
//! the answer's fold binds a0 and s3 of each comparison.

use aardvark_algebra::ff::Field;
use aardvark_algebra::{Domain, G1Affine, Scalar, TaggedHash};
use thiserror::Error;

use super::work::{CutWork, OpenedRow};
use crate::comparison::prover::{ComparisonProverError, prove};
use crate::comparison::verifier::claims as comparison_claims;
use crate::comparison::{Comparison, ComparisonError, MAX_COMPARED};
use crate::fold::CombinedClaim;
use crate::fold_prover::OpenedPolynomial;
use crate::masks::{ComparisonMasks, MaskSource};
use crate::record::Record;
use crate::segment::KnownSegment;
use crate::setup::ProverSetup;

/// Domain separation tag of the seed of an answer's fold.
const FOLD_TAG: &str = "AARDVARK-V1-ANSWER-FOLD";

/// The seed of the fold of an answer with this seed and these comparisons' s3.
pub fn fold_seed(answer_seed: &[u8; 32], comparisons: &[[u8; 32]]) -> [u8; 32] {
    let mut hash = TaggedHash::new(FOLD_TAG).chain(answer_seed);
    comparisons.iter().for_each(|seed| hash.update(seed));
    hash.finalize()
}

/// A cut that is shown.
#[derive(Clone)]
pub struct ShownCut<'a> {
    /// Its comparisons.
    pub comparisons: Vec<Comparison>,
    /// s3 of each.
    pub seeds: Vec<[u8; 32]>,
    /// The polynomials of the claims.
    pub opened: Vec<OpenedPolynomial<'a>>,
}

/// Shows a cut of runs with these records and rows, of numbers of so many bits, with the next masks
/// of a source.
///
/// # Errors
/// [`ComparisonProverError`]: [`ComparisonProverError::Side`] where the cut is not one of the rows.
pub fn show<'a>(
    setup: &ProverSetup,
    bits: usize,
    answer_seed: &[u8; 32],
    work: &CutWork,
    runs: &[(&Record, &'a KnownSegment)],
    masks: &mut MaskSource,
) -> Result<ShownCut<'a>, ComparisonProverError> {
    let end = |row: &OpenedRow| {
        let (record, segment) = runs.get(row.run).ok_or(ComparisonProverError::Mismatch)?;
        let point = point(record, row.position).ok_or(ComparisonProverError::Mismatch)?;
        Ok(OpenedPolynomial { rows: Some((*segment, 1 << record.log)), coefficients: Vec::new(), point })
    };
    let opened = work.opened.iter().map(end).collect::<Result<Vec<_>, ComparisonProverError>>()?;
    let mut shown = ShownCut { comparisons: Vec::new(), seeds: Vec::new(), opened };
    for (items, number) in work.compared.chunks(MAX_COMPARED).zip(0u32..) {
        let known = items.iter().map(|item| Some(runs.get(item.run as usize)?.1)).collect::<Option<Vec<_>>>();
        let known = known.ok_or(ComparisonProverError::Mismatch)?;
        let masks = ComparisonMasks::draw(masks, bits, items.len());
        let proved = prove(setup, bits, answer_seed, number, items, &known, &masks)?;
        shown.comparisons.push(proved.comparison);
        shown.seeds.push(proved.seed);
        shown.opened.extend(proved.opened);
    }
    Ok(shown)
}

/// ω^position on a record's domain.
fn point(record: &Record, position: u16) -> Option<Scalar> {
    Domain::new(1usize.checked_shl(u32::from(record.log))?).ok().map(|domain| domain.element(usize::from(position)))
}

/// What the openings of a cut's ends and its comparisons claim.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CutClaims {
    /// The points that the claims speak of.
    pub points: Vec<G1Affine>,
    /// The claims.
    pub claims: Vec<CombinedClaim>,
    /// s3 of each comparison.
    pub seeds: Vec<[u8; 32]>,
}

/// Why the comparisons of a cut say nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CutClaimsError {
    /// There are more or fewer than the cut asks for.
    #[error("{found} comparisons, where the cut asks for {expected}")]
    Count {
        /// How many there are.
        found: usize,
        /// How many there have to be.
        expected: usize,
    },
    /// One of them says nothing.
    #[error("comparison {number}: {source}")]
    Comparison {
        /// Its number.
        number: usize,
        /// Why.
        source: ComparisonError,
    },
    /// A record's domain is none.
    #[error("run {0} has no domain")]
    Run(usize),
}

/// What received comparisons of a cut of runs with these records claim, of numbers of so many bits.
///
/// # Errors
/// [`CutClaimsError`].
pub fn claims(
    bits: usize,
    answer_seed: &[u8; 32],
    work: &CutWork,
    records: &[&Record],
    received: &[impl AsRef<[u8]>],
) -> Result<CutClaims, CutClaimsError> {
    let expected = work.compared.len().div_ceil(MAX_COMPARED);
    if received.len() != expected {
        return Err(CutClaimsError::Count { found: received.len(), expected });
    }
    let mut all = CutClaims::default();
    for row in &work.opened {
        let record = records.get(row.run).ok_or(CutClaimsError::Run(row.run))?;
        let point = point(record, row.position).ok_or(CutClaimsError::Run(row.run))?;
        let terms = vec![(all.points.len(), Scalar::ONE)];
        all.points.push(*record.values.point());
        all.claims.push(CombinedClaim { terms, point, value: Scalar::from(row.value) });
    }
    for ((items, bytes), number) in work.compared.chunks(MAX_COMPARED).zip(received).zip(0u32..) {
        let fault = |source| CutClaimsError::Comparison { number: number as usize, source };
        let shown = Comparison::from_bytes(bytes.as_ref(), bits, items.len()).map_err(fault)?;
        let claimed = comparison_claims(bits, answer_seed, number, items, &shown).map_err(fault)?;
        let before = all.points.len();
        all.points.extend(claimed.points);
        all.claims.extend(claimed.claims.into_iter().map(|claim| CombinedClaim {
            terms: claim.terms.into_iter().map(|(place, factor)| (before + place, factor)).collect(),
            ..claim
        }));
        all.seeds.push(claimed.seed);
    }
    Ok(all)
}
