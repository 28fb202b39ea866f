//! Answers of runs whose rows are known: what a keeper makes.
//!
//! What shows the runs is the dictionary's, and public ([`Ground`]): an archive proves it. What a
//! keeper adds is the numbers, and the one opening that shows them.

use std::collections::BTreeMap;

use aardvark_algebra::ff::Field;
use aardvark_algebra::{Domain, Scalar};
use aardvark_commitment::CommitmentError;
use aardvark_commitment::folded::FOLDED_BYTES;
use aardvark_dictionary::{Claim, DictionaryId};
use aardvark_proof::RootTie;
use num::{BigUint, Zero};
use thiserror::Error;

use super::reason::AnswerError;
use super::runs::{BoxRun, piece_records};
use super::transcript::answer_seed;
use super::{Answer, ShownRow, totals};
use crate::comparison::prover::ComparisonProverError;
use crate::cut::show::fold_seed;
use crate::fold_prover::{OpenedPolynomial, fold_polynomials};
use crate::polynomial::add_scaled;
use crate::query::{Function, Query};
use crate::record::{Points, Record};
use crate::segment::KnownSegment;
use crate::setup::ProverSetup;
use crate::vector_fold::{VectorSum, fold_vectors};

/// What an archive shows of a table: claims of one version.
#[derive(Clone, Debug)]
pub struct Ground {
    /// The dictionary.
    pub dictionary: DictionaryId,
    /// The version.
    pub version: u64,
    /// The claim of the schema.
    pub schema: Claim,
    /// The claims of a scan of the query's box; for a row, that of its run.
    pub runs: Vec<Claim>,
    /// The claims of the segments that are to be shown of runs of several.
    pub segments: Vec<Claim>,
    /// What ties them to a root, where they are to be.
    pub tie: Option<RootTie>,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum AnswerProverError {
    /// The dictionary's claims are none of the query's.
    #[error(transparent)]
    Ground(#[from] AnswerError),
    /// The rows of a run are not those that its record counts, or there are not as many as runs.
    #[error("the rows of run {0} are not those of its record")]
    Rows(usize),
    /// The function is not one that this prover answers.
    #[error("this version makes no answers to this function")]
    Function,
    /// A cut cannot be shown: the rows are not those of the records.
    #[error(transparent)]
    Cut(#[from] ComparisonProverError),
    /// A challenge met a point that is opened, which nobody meets by chance.
    #[error("a challenge met a point that is opened")]
    Unlucky,
    /// The setup has too few powers.
    #[error(transparent)]
    Setup(#[from] CommitmentError),
}

/// An answer without numbers.
pub(super) fn bare(query: &Query, text: &str, ground: Ground) -> Answer {
    let Ground { dictionary, version, schema, runs, segments, tie } = ground;
    Answer {
        dictionary,
        version,
        table: query.table().to_owned(),
        query: text.to_owned(),
        schema,
        runs,
        segments,
        totals: Vec::new(),
        cut: None,
        comparisons: Vec::new(),
        row: None,
        opening: None,
        certificates: Vec::new(),
        tie,
    }
}

/// The keys of the runs that the answer to a query uses, in their order: those whose rows a prover
/// needs.
///
/// # Errors
/// [`AnswerError`] where the claims are none of the query's.
pub fn runs_to_open(query: &Query, ground: &Ground) -> Result<Vec<aardvark_dictionary::Key>, AnswerError> {
    let answer = bare(query, "", ground.clone());
    let places = answer.places_of_runs(query)?;
    Ok(places.iter().filter_map(|place| Some(answer.runs.get(*place)?.slot.key.clone())).collect())
}

/// The answer to a query for how many rows there are: what an archive shows suffices for it.
///
/// # Errors
/// [`AnswerProverError`].
pub fn answer_count(query: &Query, text: &str, ground: Ground) -> Result<Answer, AnswerProverError> {
    let (Function::Totals { powers: 0 }, Some(column)) = (query.function(), query.value_column()) else {
        return Err(AnswerProverError::Function);
    };
    let answer = bare(query, text, ground);
    answer.runs(query, column, &answer.places_of_runs(query)?, Points::InSubgroup)?;
    Ok(answer)
}

/// The answer to a query for totals, of the rows of the runs in the box, in their order, where each
/// has one segment. The text is that which the query was read from.
///
/// # Errors
/// [`AnswerProverError`].
pub fn answer_totals(
    setup: &ProverSetup,
    query: &Query,
    text: &str,
    ground: Ground,
    segments: &[KnownSegment],
) -> Result<Answer, AnswerProverError> {
    let answer = bare(query, text, ground.clone());
    let (_, runs) = known_runs(&answer, query, segments)?;
    if let Some(run) = runs.iter().position(|run| run.head.whole.is_some()) {
        return Err(AnswerProverError::Rows(run));
    }
    let logs = runs.iter().map(|run| usize::from(run.head.record.log));
    let segments: Vec<PlacedSegment<'_>> =
        logs.zip(segments).map(|(log, segment)| PlacedSegment { log, segment }).collect();
    answer_whole_totals(setup, query, text, ground, &segments)
}

/// A segment with the logarithm of its domain's size.
#[derive(Clone, Copy)]
pub struct PlacedSegment<'a> {
    /// The logarithm.
    pub log: usize,
    /// The segment.
    pub segment: &'a KnownSegment,
}

/// [`answer_totals`] of runs of any number of segments: all of them, run by run, in the order of
/// their numbers.
///
/// # Errors
/// [`AnswerProverError`].
pub fn answer_whole_totals(
    setup: &ProverSetup,
    query: &Query,
    text: &str,
    ground: Ground,
    segments: &[PlacedSegment<'_>],
) -> Result<Answer, AnswerProverError> {
    let Function::Totals { powers } = query.function() else { return Err(AnswerProverError::Function) };
    let mut answer = bare(query, text, ground);
    let column = query.value_column().ok_or(AnswerProverError::Function)?;
    let places = answer.places_of_runs(query)?;
    let runs = answer.runs(query, column, &places, Points::NotRead)?;
    let of_runs = segments_of_runs(&runs, segments)?;
    let groups = totals::groups(query, &runs);
    let mut opened = Vec::new();
    for group in groups.values() {
        let members = || group.runs.iter().filter_map(|place| of_runs.get(*place)).copied().flatten();
        let mut totals = Vec::new();
        for power in 1..=u32::from(powers) {
            let numbers = members().flat_map(|placed| &placed.segment.numbers);
            totals.push(numbers.fold(BigUint::zero(), |sum, number| sum + BigUint::from(*number).pow(power)));
            // Segments of one domain have one sum of vectors.
            let mut parts: BTreeMap<usize, Vec<Scalar>> = BTreeMap::new();
            for PlacedSegment { log, segment } in members() {
                let vector = segment.sums(domain_of(*log)?.size(), power);
                add_scaled(parts.entry(*log).or_default(), &vector, Scalar::ONE);
            }
            opened.push(parts.into_iter().collect());
        }
        if powers > 0 {
            answer.totals.push(totals);
        }
    }
    // Totals are opened at 1, the first element of every domain.
    open(setup, query, &mut answer, &places, 0, &opened)?;
    Ok(answer)
}

/// The segments of each run.
fn segments_of_runs<'a, 'b>(
    runs: &[BoxRun],
    segments: &'a [PlacedSegment<'b>],
) -> Result<Vec<&'a [PlacedSegment<'b>]>, AnswerProverError> {
    let mut rest = segments;
    let mut of_runs = Vec::with_capacity(runs.len());
    for (place, run) in runs.iter().enumerate() {
        let count = usize::try_from(run.head.segments()).unwrap_or(usize::MAX);
        let (own, behind) = rest.split_at_checked(count).ok_or(AnswerProverError::Rows(place))?;
        let rows: u64 = own.iter().map(|placed| placed.segment.numbers.len() as u64).sum();
        let first = own.first().is_some_and(|placed| {
            let record = &run.head.record;
            (placed.log, placed.segment.first, placed.segment.numbers.len())
                == (usize::from(record.log), usize::from(record.first), usize::from(record.rows))
        });
        if rows != run.head.rows() || !first {
            return Err(AnswerProverError::Rows(place));
        }
        of_runs.push(own);
        rest = behind;
    }
    if rest.is_empty() { Ok(of_runs) } else { Err(AnswerProverError::Rows(runs.len())) }
}

/// The answer that shows a row of a run to its owner: of its first segment, or of that which the
/// ground shows.
///
/// # Errors
/// [`AnswerProverError`].
pub fn answer_row(
    setup: &ProverSetup,
    query: &Query,
    text: &str,
    ground: Ground,
    segment: &KnownSegment,
    row: ShownRow,
) -> Result<Answer, AnswerProverError> {
    if query.function() != Function::Row {
        return Err(AnswerProverError::Function);
    }
    let mut answer = bare(query, text, ground);
    let (places, runs) = known_runs(&answer, query, core::slice::from_ref(segment))?;
    let piece = runs.first().and_then(|run| run.pieces.last()).ok_or(AnswerProverError::Rows(0))?;
    let log = usize::from(piece.record.log);
    let opened: VectorSum = vec![(log, segment.values(domain_of(log)?.size()))];
    let place = usize::from(row.position);
    answer.row = Some(row);
    open(setup, query, &mut answer, &places, place, &[opened])?;
    Ok(answer)
}

/// The runs of an answer, and their places, once there are rows for each piece; of a row's run, for
/// its last one, and without points.
pub(super) fn known_runs(
    answer: &Answer,
    query: &Query,
    segments: &[KnownSegment],
) -> Result<(Vec<usize>, Vec<BoxRun>), AnswerProverError> {
    let column = query.value_column().ok_or(AnswerProverError::Function)?;
    let places = answer.places_of_runs(query)?;
    let of_row = query.function() == Function::Row;
    let points = if of_row { Points::NotRead } else { Points::OnCurve };
    let runs = answer.runs(query, column, &places, points)?;
    let mut records = piece_records(&runs);
    if of_row {
        records.drain(..records.len().saturating_sub(1));
    }
    let fits = |(record, segment): (&&Record, &KnownSegment)| {
        usize::from(record.rows) == segment.numbers.len() && usize::from(record.first) == segment.first
    };
    match records.iter().zip(segments).position(|pair| !fits(pair)) {
        Some(run) => Err(AnswerProverError::Rows(run)),
        None if records.len() != segments.len() => Err(AnswerProverError::Rows(records.len().min(segments.len()))),
        None => Ok((places, runs)),
    }
}

fn domain_of(log: usize) -> Result<Domain, CommitmentError> {
    let size = 1 << log;
    Domain::new(size).map_err(|_| CommitmentError::VectorSize(size))
}

/// a0.
pub(super) fn seed_of(query: &Query, answer: &Answer, places: &[usize]) -> [u8; 32] {
    let slots: Vec<_> = places.iter().filter_map(|place| Some(&answer.runs.get(*place)?.slot)).collect();
    answer_seed(&answer.dictionary, query, answer, slots.into_iter())
}

/// Opens sums of vectors at an element of their domains under the answer's transcript.
fn open(
    setup: &ProverSetup,
    query: &Query,
    answer: &mut Answer,
    places: &[usize],
    place: usize,
    opened: &[VectorSum],
) -> Result<(), AnswerProverError> {
    if opened.is_empty() {
        return Ok(());
    }
    let seed = fold_seed(&seed_of(query, answer, places), &[]);
    let opening = fold_vectors(setup, &seed, place, opened)?.ok_or(AnswerProverError::Unlucky)?;
    answer.opening = Some(opening.to_bytes());
    Ok(())
}

/// The opening of polynomials of domains of at most 2^log elements, if there are any.
pub(super) fn folded(
    setup: &ProverSetup,
    log: usize,
    seed: &[u8; 32],
    opened: &[OpenedPolynomial<'_>],
) -> Result<Option<[u8; FOLDED_BYTES]>, AnswerProverError> {
    if opened.is_empty() {
        return Ok(None);
    }
    let opening = fold_polynomials(&setup.sheet(log)?.powers, seed, opened).ok_or(AnswerProverError::Unlucky)?;
    Ok(Some(opening.to_bytes()))
}
