//! Verifying answers (`aardvark_spec::table::table_answer_verifier`).
//!
//! The phases run in this order, and the first that fails names the reason:
//!
//! ```text
//! about         table and query
//! dictionary    slots' lengths, dictionary and version, root, positions, encodings
//! schema        the claim of the schema is that of the query's
//! scan          the claims' slots are exactly the runs of the box; for a row, one run in it
//! runs          each is a run; fewer than 2^40 rows; the segments that are shown are theirs
//! parts         those of the function; totals within their bounds; the row at its position;
//!               the cut one that is asked for, its comparisons well-formed
//! certificates  each run stands in a statement of this table            (where they are required)
//! openings      the dictionary's, the answer's fold, the certificates': one pairing check for all
//! ```
//!
//! Only where that check fails is each of them looked at by itself, in this order. The work is
//! bounded by the answer's length, and nothing that an answer says can make it panic.

use core::cell::RefCell;

use aardvark_algebra::{Scalar, TaggedHash, scalar_to_bytes};
use aardvark_commitment::{BatchClaim, FoldedOpening, Kzg, Scheme, VectorCommitment};
use aardvark_dictionary::Claim;
use aardvark_proof::scan::ChainFault;
use aardvark_proof::{AnswerProof, Grounds, Question, Reason, Refusal, Trusted, grounds};

use super::certified::CertifiedSheets;
use super::outcome::Outcome;
use super::reason::{AnswerError, TableReason};
use super::runs::{BoxRun, Claims, MAX_ROWS, MAX_RUNS, Piece};
use super::totals;
use super::transcript::answer_seed;
use super::{Answer, Certificates, order};
use crate::cut::show::fold_seed;
use crate::decoded::Decoded;
use crate::fold::{FoldEquation, TableVerifier};
use crate::key::TableKey;
use crate::query::{Function, Query};
use crate::record::{Head, Points, Segment};
use crate::scan::runs_in_box;
use crate::schema::ValueColumn;
use crate::sheet::check_layout;

/// Domain separation tag of the seed of an answer's pairing check.
const BATCH_TAG: &str = "AARDVARK-V1-ANSWER-BATCH";

impl Answer {
    /// What the answer says about a query, under what is trusted of the dictionary.
    ///
    /// # Errors
    /// Why it says nothing: the first check that fails, in the order of the module's documentation.
    pub fn verify(
        &self,
        query: &Query,
        trusted: &Trusted<'_>,
        certificates: Certificates,
    ) -> Result<Outcome, AnswerError> {
        let column = query.value_column().ok_or(AnswerError::whole(TableReason::FunctionUnknown))?;
        self.check_about(query)?;
        let proof = self.dictionary_proof(trusted);
        let grounds = grounds(trusted, &proof)?;
        let Scheme::Kzg(kzg) = grounds.scheme else {
            return Err(AnswerError::whole(TableReason::SchemeUnknown));
        };
        let decoded = self.decoded(column);
        let openings = dictionary_claims(&proof.claims, &grounds, &decoded)?;
        self.check_schema(query)?;
        let places = self.places_of_runs(query)?;
        let runs = self.runs(query, column, &places, Points::Decoded(&decoded))?;
        let slots = places.iter().filter_map(|place| Some(&self.runs.get(*place)?.slot)).collect::<Vec<_>>();
        let a0 = answer_seed(&grounds.dictionary, query, self, slots.into_iter());
        let claims = self.claims(query, column, &runs, &a0)?;
        let opening = self.opening_of(&claims, &decoded)?;
        let sheets = match certificates {
            Certificates::Ignored => CertifiedSheets::default(),
            Certificates::Required => CertifiedSheets::new(query, grounds.dictionary, &runs, &self.certificates)?,
        };
        let seed = fold_seed(&a0, &claims.seeds);
        let fold = opening.map(|opening| {
            let equation = FoldEquation::new(&seed, &claims.points, &claims.claims, &opening);
            equation.ok_or(AnswerError::whole(TableReason::OpeningFalse))
        });
        let fold = fold.transpose()?;
        let check = Check { kzg, grounds: &grounds, version: self.version, openings: &openings, fold, sheets: &sheets };
        check.run(&a0, self)?;
        Ok(Outcome::new(query, column, self, &runs))
    }

    /// Whether the answer says that it is about the query.
    fn check_about(&self, query: &Query) -> Result<(), AnswerError> {
        if self.table != query.table() {
            return Err(AnswerError::whole(TableReason::OtherTable));
        }
        let stated = Query::parse(&self.table, &self.query, query.schema());
        if stated.as_ref() != Ok(query) {
            return Err(AnswerError::whole(TableReason::OtherQuery));
        }
        Ok(())
    }

    /// The claims of the dictionary as a proof of it, which asks for the schema.
    fn dictionary_proof(&self, trusted: &Trusted<'_>) -> AnswerProof {
        AnswerProof {
            dictionary: self.dictionary,
            scheme: trusted.scheme().kind(),
            // A vector has at most 4,096 elements.
            vector_size: u32::try_from(trusted.vector_size()).unwrap_or(u32::MAX),
            version: self.version,
            question: Question::key(self.schema.slot.key.clone()),
            claims: core::iter::once(&self.schema).chain(&self.runs).chain(&self.segments).cloned().collect(),
            folded_opening: None,
            tie: self.tie.clone(),
        }
    }

    /// The points of claims, runs and the opening, as far as encodings stand where they would be.
    fn decoded(&self, column: &ValueColumn) -> Decoded {
        let claims = || core::iter::once(&self.schema).chain(&self.runs).chain(&self.segments);
        let mut openings: Vec<[u8; 48]> = claims().map(|claim| claim.opening).collect();
        openings.extend(self.opening.iter().flat_map(|both| both.as_chunks().0));
        let (moments, noted) = (usize::from(column.moments), RefCell::default());
        // What is no run is refused where it is looked at.
        for claim in &self.runs {
            let _ = Head::read(&claim.slot.value, moments, Points::Noted(&noted));
        }
        for claim in &self.segments {
            let _ = Segment::read(&claim.slot.value, moments, Points::Noted(&noted));
        }
        Decoded::new(&openings, &noted.into_inner())
    }

    fn check_schema(&self, query: &Query) -> Result<(), AnswerError> {
        let key = TableKey::Schema { table: query.table().to_owned() }.to_bytes();
        let slot = &self.schema.slot;
        if *slot.key != *key || *slot.value != *query.schema().to_bytes() {
            return Err(AnswerError::whole(TableReason::SchemaMismatched));
        }
        Ok(())
    }

    /// The places, among the claims, of the runs that the query is about.
    pub(super) fn places_of_runs(&self, query: &Query) -> Result<Vec<usize>, AnswerError> {
        let key_box = query.key_box();
        let places = match (query.function(), self.runs.as_slice()) {
            (Function::Row, [claim]) if key_box.holds(&claim.slot.key) => Ok(vec![0]),
            (Function::Row, []) => Err(ChainFault::SlotMissing),
            (Function::Row, [_]) => Err(ChainFault::NotCovering),
            (Function::Row, _) => Err(ChainFault::SlotSuperfluous),
            (_, claims) => runs_in_box(&key_box, claims.iter().map(|claim| &claim.slot)),
        };
        places.map_err(|fault| {
            let reason = match fault {
                ChainFault::NotCovering => Reason::ChainNotCovering,
                ChainFault::SlotSuperfluous => Reason::ChainSuperfluous,
                ChainFault::SlotMissing => Reason::ChainMissing,
            };
            AnswerError::from(Refusal { reason, item: None })
        })
    }

    /// The runs at these places, the points of their records read by a rule.
    pub(super) fn runs(
        &self,
        query: &Query,
        column: &ValueColumn,
        places: &[usize],
        points: Points<'_>,
    ) -> Result<Vec<BoxRun>, AnswerError> {
        if places.len() > MAX_RUNS {
            return Err(AnswerError::whole(TableReason::RunsExceeded));
        }
        let moments = usize::from(column.moments);
        let run = |(item, place): (usize, &usize)| {
            let malformed = AnswerError::item(TableReason::RunMalformed, item);
            let slot = &self.runs.get(*place).ok_or(malformed)?.slot;
            let key = TableKey::from_bytes(&slot.key, query.schema()).map_err(|_| malformed)?;
            let TableKey::Head { columns, run, .. } = key else { return Err(malformed) };
            let head = Head::read(&slot.value, moments, points).map_err(|_| malformed)?;
            check_layout(&[&head.record], moments).map_err(|_| malformed)?;
            Ok(BoxRun::new(columns, run, head))
        };
        let mut runs: Vec<BoxRun> = places.iter().enumerate().map(run).collect::<Result<_, _>>()?;
        let rows = runs.iter().try_fold(0u64, |sum, run| sum.checked_add(run.head.rows()));
        match rows {
            Some(rows) if rows < MAX_ROWS => {}
            _ => return Err(AnswerError::whole(TableReason::RunsExceeded)),
        }
        self.show_segments(query, moments, points, &mut runs)?;
        Ok(runs)
    }

    /// Gives each run the segments of it that the answer shows.
    fn show_segments(
        &self,
        query: &Query,
        moments: usize,
        points: Points<'_>,
        runs: &mut [BoxRun],
    ) -> Result<(), AnswerError> {
        // Runs stand in the order of their keys.
        let first_item = runs.len();
        for (i, claim) in self.segments.iter().enumerate() {
            let malformed = AnswerError::item(TableReason::RunMalformed, first_item + i);
            let key = TableKey::from_bytes(&claim.slot.key, query.schema()).map_err(|_| malformed)?;
            let TableKey::Segment { table, column, columns, run, revision, segment: number } = key else {
                return Err(malformed);
            };
            let segment = Segment::read(&claim.slot.value, moments, points).map_err(|_| malformed)?;
            let place = runs.binary_search_by(|other| (&other.columns, other.run).cmp(&(&columns, run)));
            let of = place.ok().and_then(|place| runs.get_mut(place)).ok_or(malformed)?;
            let fits = table == query.table() && column == query.column() && of.head.revision == revision;
            if !fits || !of.show(moments, number, segment) {
                return Err(malformed);
            }
        }
        Ok(())
    }

    /// What the answer claims of the runs' commitments, by the query's function.
    fn claims(
        &self,
        query: &Query,
        column: &ValueColumn,
        runs: &[BoxRun],
        a0: &[u8; 32],
    ) -> Result<Claims, AnswerError> {
        let mismatched = AnswerError::whole(TableReason::PartsMismatched);
        let ordered = self.cut.is_some() || !self.comparisons.is_empty();
        match (query.function(), &self.row) {
            (Function::Totals { .. } | Function::Row, _) if ordered => Err(mismatched),
            (Function::Totals { .. }, _) if !self.segments.is_empty() => Err(mismatched),
            (Function::Totals { powers }, None) => {
                totals::claims(&totals::groups(query, runs), runs, &self.totals, powers, column.span)
            }
            (Function::Row, Some(row)) => {
                let [BoxRun { pieces, .. }] = runs else { return Err(mismatched) };
                let Some(Piece { record, .. }) = pieces.last() else { return Err(mismatched) };
                if !self.totals.is_empty() || self.segments.len() > 1 || row.texts.len() != query.schema().rows.len() {
                    return Err(mismatched);
                }
                if !row.stands_in(record, column.span) {
                    return Err(AnswerError::whole(TableReason::RowFalse));
                }
                let malformed = AnswerError::item(TableReason::RunMalformed, 0);
                let domain = aardvark_algebra::Domain::new(1 << record.log).map_err(|_| malformed)?;
                let mut claims = Claims::default();
                let point = domain.element(usize::from(row.position));
                claims.push(&[*record.values.point()], point, Scalar::from(row.value));
                Ok(claims)
            }
            (Function::Totals { .. } | Function::Row, _) => Err(mismatched),
            _ => order::claims(self, query, column, runs, a0),
        }
    }

    /// The opening, which is there exactly if anything is claimed.
    fn opening_of(&self, claims: &Claims, decoded: &Decoded) -> Result<Option<FoldedOpening>, AnswerError> {
        match (&self.opening, claims.claims.is_empty()) {
            (None, true) => Ok(None),
            (Some(bytes), false) => match decoded.folded(bytes) {
                Ok(opening) => Ok(Some(opening)),
                Err(_) => Err(AnswerError::whole(TableReason::OpeningMalformed)),
            },
            _ => Err(AnswerError::whole(TableReason::PartsMismatched)),
        }
    }
}

/// The dictionary's claims with their commitments, indices and decoded openings.
fn dictionary_claims(
    claims: &[Claim],
    grounds: &Grounds<'_>,
    points: &Decoded,
) -> Result<Vec<BatchClaim>, AnswerError> {
    let size = grounds.scheme.vector_size() as u64;
    let decoded = claims.iter().zip(&grounds.commitments).enumerate();
    let decoded = decoded.map(|(c, (claim, commitment))| {
        let malformed = Refusal { reason: Reason::AnswerOpeningMalformed, item: Some(c) };
        Ok(BatchClaim {
            label: 0,
            commitment: *commitment,
            index: usize::try_from(claim.position % size).unwrap_or(usize::MAX),
            scalar: claim.slot.scalar(),
            opening: points.opening(&claim.opening).map_err(|_| malformed)?,
        })
    });
    decoded.collect()
}

/// All that ends in a pairing.
struct Check<'a> {
    kzg: &'a Kzg,
    grounds: &'a Grounds<'a>,
    version: u64,
    openings: &'a [BatchClaim],
    fold: Option<FoldEquation>,
    sheets: &'a CertifiedSheets,
}

impl Check<'_> {
    /// One pairing check for all; where it fails, the first that is false.
    fn run(self, a0: &[u8; 32], answer: &Answer) -> Result<(), AnswerError> {
        let verifier = TableVerifier::of(self.kzg);
        let domain = self.kzg.domain();
        let mut equations: Vec<FoldEquation> = Vec::with_capacity(self.openings.len() + 1);
        let mut seed = TaggedHash::new(BATCH_TAG).chain(a0).chain(answer.opening.unwrap_or([0; 96]));
        for claim in self.openings {
            seed.update(claim.commitment.to_bytes());
            seed.update((claim.index as u64).to_be_bytes());
            seed.update(scalar_to_bytes(&claim.scalar));
            seed.update(claim.opening.to_bytes());
            let point = domain.element(claim.index);
            equations.push(FoldEquation::single(&claim.commitment, point, claim.scalar, &claim.opening));
        }
        for stated in &answer.certificates {
            seed.update((stated.statement.len() as u64).to_be_bytes());
            seed.update(&stated.statement);
            seed.update(&stated.certificate);
        }
        let dictionary = equations.len();
        equations.extend(self.fold);
        let with_fold = equations.len();
        equations.extend(self.sheets.equations()?);
        if verifier.all_hold(&seed.finalize(), &equations) {
            return Ok(());
        }
        // One is false: which, the single checks say.
        if equations.iter().take(dictionary).any(|equation| !verifier.holds(equation)) {
            let labelled: Vec<BatchClaim> =
                self.openings.iter().map(|claim| BatchClaim { label: self.version, ..*claim }).collect();
            let item = self.kzg.first_false(&self.grounds.dictionary.0, &labelled);
            return Err(Refusal { reason: Reason::AnswerOpeningFalse, item }.into());
        }
        let fold = equations.iter().take(with_fold).skip(dictionary);
        if fold.into_iter().any(|equation| !verifier.holds(equation)) {
            return Err(AnswerError::whole(TableReason::OpeningFalse));
        }
        let first = equations.iter().skip(with_fold).position(|equation| !verifier.holds(equation));
        // Where none is false by itself, which cannot be, the answer is refused all the same.
        Err(AnswerError { reason: TableReason::CertificateFalse, item: first })
    }
}
