//! Segments that are committed to and certified together, each on a core of its own.

use aardvark_aggregates::sheet::{MIN_LOG, capacity};
use aardvark_aggregates::{
    Certificate, CertificateMasks, CertifiedSheet, KnownLink, KnownSegment, MaskSource, ProverSetup, Record, SheetItem,
    TableVerifier, prove_behind,
};
use rayon::prelude::*;

use super::run::{Certified, Run};
use crate::error::TablesError;
use crate::vault::SegmentSecret;

/// A segment that is to be certified.
pub(super) struct Draft {
    /// Its run, by its place among the batch's.
    pub(super) run: usize,
    /// Its number within the run.
    pub(super) number: u32,
    /// What its certificate's masks are expanded from.
    pub(super) seed: [u8; 32],
    pub(super) secret: SegmentSecret,
}

/// Commits to segments and certifies them. Those of one run follow each other, and continue the
/// last segment that the run has. `most` is the logarithm of the most positions of a sheet.
///
/// # Errors
/// [`TablesError`]; [`TablesError::OwnCertificate`] where a certificate does not hold.
pub(super) fn certify(
    setup: &ProverSetup,
    verifier: &TableVerifier,
    runs: &[Run],
    drafts: Vec<Draft>,
    most: usize,
) -> Result<Vec<Certified>, TablesError> {
    let about = |draft: &Draft| runs.get(draft.run).map(|run| &run.about).ok_or(TablesError::NoRows);
    let commit = |draft: &Draft| {
        let rows = draft.secret.numbers.len();
        let log = (MIN_LOG..most).find(|log| rows <= capacity(*log)).unwrap_or(most);
        let known = draft.secret.known(about(draft)?.moments);
        let record = known.commit(setup.sheet(log)?, draft.secret.root().ok_or(TablesError::TextTooLong)?);
        Ok((record, known))
    };
    let committed: Result<Vec<(Record, KnownSegment)>, TablesError> = drafts.par_iter().map(commit).collect();
    let committed = committed?;
    // The segment that one continues.
    let before = |i: usize| {
        let run = drafts.get(i)?.run;
        let place = i.checked_sub(1).filter(|place| drafts.get(*place).is_some_and(|draft| draft.run == run));
        place.map_or_else(|| runs.get(run)?.last.as_ref(), |place| committed.get(place))
    };
    let prove = |(i, draft): (usize, &Draft)| {
        let (Some(run), Some((record, known))) = (runs.get(draft.run), committed.get(i)) else {
            return Err(TablesError::NoRows);
        };
        let item = SheetItem {
            columns: run.columns.clone(),
            run: run.run,
            revision: run.revision,
            segment: draft.number,
            record: record.clone(),
        };
        let mut source = MaskSource::new(draft.seed);
        let masks = CertificateMasks::draw(&mut source, run.about.bits);
        let link = match before(i) {
            Some((record, segment)) => {
                let setup = setup.sheet(usize::from(record.log))?;
                Some(KnownLink { record, segment, setup, mask: source.scalars() })
            }
            None => None,
        };
        let sheet = setup.sheet(usize::from(record.log))?;
        let items = [item];
        let known = core::slice::from_ref(known);
        let certificate = prove_behind(sheet, &run.about, link.as_ref(), &items, known, &masks)?;
        let [item] = items;
        Ok((item, certificate))
    };
    let proved: Result<Vec<(SheetItem, Certificate)>, TablesError> = drafts.par_iter().enumerate().map(prove).collect();
    let proved = proved?;
    // What is wrong with a certificate is found before it is written.
    let mut batch = Vec::with_capacity(proved.len());
    for (i, (draft, (item, certificate))) in drafts.iter().zip(&proved).enumerate() {
        let link = before(i).map(|(record, _)| record);
        batch.push(CertifiedSheet { about: about(draft)?, link, items: core::slice::from_ref(item), certificate });
    }
    verifier.verify_certificates(&batch).map_err(|(_, error)| TablesError::OwnCertificate(error))?;
    let all = drafts.into_iter().zip(committed).zip(proved);
    let certified = all.map(|((draft, (record, known)), (_, certificate))| {
        let Draft { run, secret, .. } = draft;
        Certified { run, record, known, secret, certificate }
    });
    Ok(certified.collect())
}
