//! Rows of runs on domains of their own, compared with thresholds.
#![allow(dead_code, reason = "each test uses some of it")]

use aardvark_aggregates::comparison::prover::{ComparisonProverError, ProvedComparison, prove};
use aardvark_aggregates::comparison::verifier::claims;
use aardvark_aggregates::fold_prover::fold_polynomials;
use aardvark_aggregates::{
    ComparedRow, Comparison, ComparisonError, ComparisonMasks, KnownSegment, MaskSource, ProverSetup, Side,
};
use aardvark_algebra::TaggedHash;
use aardvark_commitment::FoldedOpening;

use super::{setup, verifier};

/// A run: the logarithm of its domain's size, its first position, its numbers.
pub type Run = (usize, usize, Vec<u64>);
/// An item: a run, the index of a row, a side, a threshold.
pub type Wanted = (usize, usize, Side, u64);

/// A comparison's rows, on the setup with the known τ.
pub struct Compared {
    pub bits: usize,
    pub answer_seed: [u8; 32],
    pub segments: Vec<KnownSegment>,
    pub items: Vec<ComparedRow>,
    pub masks: ComparisonMasks,
}

impl Compared {
    pub fn new(bits: usize, runs: &[Run], wanted: &[Wanted]) -> Self {
        Self::on(setup(), bits, runs, wanted)
    }

    pub fn on(setup: &ProverSetup, bits: usize, runs: &[Run], wanted: &[Wanted]) -> Self {
        let mut source = MaskSource::new([5; 32]);
        let draw = |(_, first, numbers): &Run| KnownSegment::draw(&mut source, *first, numbers.clone(), 1);
        let known: Vec<KnownSegment> = runs.iter().map(draw).collect();
        let item = |(run, row, side, threshold): &Wanted| ComparedRow {
            run: *run as u32,
            segment: 0,
            record: known[*run].commit(setup.sheet(runs[*run].0).unwrap(), [9; 32]),
            position: (runs[*run].1 + row) as u16,
            side: *side,
            threshold: *threshold,
        };
        let items = wanted.iter().map(item).collect();
        let segments = wanted.iter().map(|(run, ..)| known[*run].clone()).collect();
        let masks = ComparisonMasks::draw(&mut source, bits, wanted.len());
        Self { bits, answer_seed: [3; 32], segments, items, masks }
    }

    pub fn known(&self) -> Vec<&KnownSegment> {
        self.segments.iter().collect()
    }

    pub fn prove(&self) -> Result<ProvedComparison<'_>, ComparisonProverError> {
        prove(setup(), self.bits, &self.answer_seed, 0, &self.items, &self.known(), &self.masks)
    }

    /// The comparison, and the fold of an answer that claims nothing else.
    pub fn shown(&self) -> (Comparison, FoldedOpening) {
        let proved = self.prove().unwrap();
        let powers = &setup().sheet(5).unwrap().powers;
        let opening = fold_polynomials(powers, &self.fold_seed(&proved.seed), &proved.opened).unwrap();
        (proved.comparison, opening)
    }

    fn fold_seed(&self, seed: &[u8; 32]) -> [u8; 32] {
        TaggedHash::new("AARDVARK-V1-ANSWER-FOLD").chain(self.answer_seed).chain(seed).finalize()
    }

    /// Whether a comparison of these items, as number 0 of the answer, is shown by an opening.
    pub fn verdict(
        &self,
        items: &[ComparedRow],
        (shown, opening): &(Comparison, FoldedOpening),
    ) -> Result<bool, ComparisonError> {
        let claimed = claims(self.bits, &self.answer_seed, 0, items, shown)?;
        Ok(verifier().verify_fold(&self.fold_seed(&claimed.seed), &claimed.points, &claimed.claims, opening))
    }

    /// The verdict on changed items.
    pub fn changed(
        &self,
        shown: &(Comparison, FoldedOpening),
        change: &dyn Fn(&mut Vec<ComparedRow>),
    ) -> Result<bool, ComparisonError> {
        let mut items = self.items.clone();
        change(&mut items);
        self.verdict(&items, shown)
    }
}
