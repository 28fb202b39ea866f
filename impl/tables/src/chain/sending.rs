//! The sending of a write that is in the vault, until all of it is applied.
//!
//! What stands under a draft's keys says what it needs: nothing where what it puts stands, a new
//! transaction where what it requires does. Its record, and the certificate of it, are the same
//! each time. Where another keeper has put a run under the number of one that begins, that one gets
//! another number, and its sheet is certified anew (`renumbering`); any other write in whose place
//! stands something else is given up, or waits.

use std::collections::BTreeMap;

use aardvark_dictionary::{Key, Value};

use super::draft::{Draft, Standing, schema_key};
use super::ledger::{Fate, Ledger, Signing, ToSign};
use super::{ChainKeeper, ChainStep, GivenUp, contents};
use crate::error::TablesError;
use crate::place::has_segment;
use crate::vault::{Done, Job, VaultError};

/// Transactions that are under way together.
const TOGETHER: usize = 16;
/// How often a transaction is made before it is given up that nothing refuses.
const MOST_ROUNDS: usize = 12;
/// Keys that are looked up at a time.
const LOOKED_UP: usize = 256;

/// A draft that was sent.
struct Sent<S> {
    number: u32,
    signed: S,
}

/// What a draft came to as it was looked at.
enum Looked<S> {
    /// It is applied.
    Applied,
    /// It was sent.
    Sent(S),
    /// It has to be made anew.
    Again(String),
}

impl ChainKeeper {
    /// Goes on with the write that is under way until all of it is applied; what it came to, `None`
    /// where there is none.
    ///
    /// # Errors
    /// [`TablesError::Taken`], [`TablesError::TakenAfterSending`] where another keeper has written
    /// under its keys, [`TablesError::Refused`], [`TablesError::NotApplied`]; what the ledger says.
    /// What is applied stays so, and the next call goes on.
    pub fn carry_on<L: Ledger>(
        &mut self,
        ledger: &mut L,
        progress: &mut dyn FnMut(ChainStep),
    ) -> Result<Option<Done>, L::Error> {
        let Some(mut job) = self.vault.job().map_err(TablesError::from)?.filter(|job| job.is_ready) else {
            return Ok(None);
        };
        let total = self.vault.draft_numbers().map_err(TablesError::from)?.len() as u64;
        let (mut rounds, mut left, mut why) = (0, u64::MAX, String::new());
        loop {
            let numbers = self.vault.draft_numbers().map_err(TablesError::from)?;
            progress(ChainStep::Applied(total.saturating_sub(numbers.len() as u64), total));
            if numbers.is_empty() {
                break;
            }
            // Rounds in which nothing is applied are counted.
            rounds = if (numbers.len() as u64) < left { 0 } else { rounds + 1 };
            left = numbers.len() as u64;
            if rounds >= MOST_ROUNDS {
                return Err(TablesError::NotApplied(why).into());
            }
            if let Some(reason) = self.send_some(ledger, &mut job, &numbers)? {
                why = reason;
            }
        }
        let done = Done { version: job.version, counts: job.counts };
        self.vault.end_job(&job.request, Some(done)).map_err(TablesError::from)?;
        Ok(Some(done))
    }

    /// Sends the first of the drafts, and waits for them; why one of them was not applied.
    fn send_some<L: Ledger>(
        &mut self,
        ledger: &mut L,
        job: &mut Job,
        numbers: &[u32],
    ) -> Result<Option<String>, L::Error> {
        let (mut sent, mut why, mut refused) = (Vec::new(), None, None);
        for number in numbers.iter().copied().take(TOGETHER) {
            let draft = self.draft(number)?;
            if draft.in_turn && numbers.first() != Some(&number) {
                break;
            }
            match self.look(ledger, job, (number, &draft)) {
                Ok(Looked::Applied) => self.vault.drop_drafts(&[number], job).map_err(TablesError::from)?,
                Ok(Looked::Sent(signed)) => sent.push(Sent { number, signed }),
                Ok(Looked::Again(reason)) => why = Some(reason),
                // What was sent before it is waited for all the same.
                Err(error) => {
                    refused = Some(error);
                    break;
                }
            }
        }
        for Sent { number, signed } in sent {
            match ledger.wait(&signed)? {
                Fate::Applied(version) => {
                    job.version = job.version.max(version);
                    self.vault.drop_drafts(&[number], job).map_err(TablesError::from)?;
                }
                Fate::Again(reason) => why = Some(reason),
                Fate::Refused(reason) => return Err(self.refused(job, reason)?.into()),
            }
        }
        refused.map_or(Ok(why), Err)
    }

    pub(super) fn draft(&self, number: u32) -> Result<Draft, TablesError> {
        let damaged = || VaultError::Damaged("a draft of a transaction");
        let bytes = self.vault.draft(number)?.ok_or_else(damaged)?;
        Ok(Draft::from_bytes(&bytes).ok_or_else(damaged)?)
    }

    /// Looks at what stands under a draft's keys, and sends its transaction where it is open. Runs
    /// whose numbers are taken get others.
    fn look<L: Ledger>(
        &mut self,
        ledger: &mut L,
        job: &mut Job,
        (number, draft): (u32, &Draft),
    ) -> Result<Looked<L::Signed>, L::Error> {
        let mut keys = draft.keys();
        let schema = schema_key(&job.table);
        keys.entry(schema.clone()).or_default();
        let (version, claims) = ledger.claims(&keys)?;
        if draft.in_turn && version < job.version {
            return Ok(Looked::Again(format!("the archives have not got version {}", job.version)));
        }
        let mut stands = contents(keys.keys(), &claims)?;
        match draft.standing(&stands) {
            Standing::Applied => {
                job.version = job.version.max(version);
                return Ok(Looked::Applied);
            }
            Standing::Other(taken) => {
                stands.retain(|key, _| taken.contains(key));
                return self.renumber(ledger, job, (number, draft), (version, &stands)).map(Looked::Again);
            }
            Standing::Open => {}
        }
        let on_schema = stands.remove(&schema).flatten();
        if draft.on_schema && on_schema.is_none() {
            return Err(TablesError::NoTable(job.table.clone()).into());
        }
        let operations = draft.operations(on_schema.map(|value: Value| (schema, value)));
        let certificates = draft.certificates.clone();
        let (signed, last_valid) = match ledger.sign(ToSign { operations, claims, version, certificates })? {
            Signing::Signed(signed, last_valid) => (signed, last_valid),
            Signing::Refused(reason) => return Err(self.refused(job, reason)?.into()),
        };
        // Until when it may come is written down before anybody has it.
        job.last_valid = job.last_valid.max(last_valid);
        let sent = self.vault.sent(number).map_err(TablesError::from)?;
        if sent.is_none_or(|before| before < last_valid) {
            self.vault.put_sent(number, last_valid, job).map_err(TablesError::from)?;
        }
        match ledger.send(&signed)? {
            None => Ok(Looked::Sent(signed)),
            Some(Fate::Applied(version)) => {
                job.version = job.version.max(version);
                Ok(Looked::Applied)
            }
            Some(Fate::Again(reason)) => Ok(Looked::Again(reason)),
            Some(Fate::Refused(reason)) => Err(self.refused(job, reason)?.into()),
        }
    }

    /// The error of a write that the rules refuse. One that has put no rows into the vault, or of
    /// which nobody has a transaction, is given up at once: it is asked again as something else.
    fn refused(&mut self, job: &Job, reason: String) -> Result<TablesError, TablesError> {
        if job.last_valid == 0 || self.vault.pending_heads()?.is_empty() {
            self.vault.settle(|_, _| Ok::<bool, TablesError>(false))?;
            self.vault.end_job(&job.request, None)?;
        }
        Ok(TablesError::Refused(reason))
    }

    /// Gives up what is not applied of the write that is under way, once nothing of it can be
    /// applied any more: its secrets are removed.
    ///
    /// # Errors
    /// [`TablesError::MayCome`] where something still may; what the ledger says.
    pub fn give_up<L: Ledger>(&mut self, ledger: &mut L) -> Result<GivenUp, L::Error> {
        let Some(job) = self.vault.job().map_err(TablesError::from)? else { return Ok(GivenUp::default()) };
        if job.last_valid > 0 && !ledger.is_past(job.last_valid)? {
            return Err(TablesError::MayCome(job.last_valid).into());
        }
        let pending = self.vault.pending_heads().map_err(TablesError::from)?;
        let mut standing = BTreeMap::new();
        for some in pending.chunks(LOOKED_UP) {
            let keys: BTreeMap<Key, bool> = some.iter().map(|(key, _)| (Key::from(key.as_slice()), false)).collect();
            let (version, claims) = ledger.claims(&keys)?;
            // Who is behind does not know yet what came last.
            if version < job.last_valid {
                return Err(TablesError::MayCome(job.last_valid).into());
            }
            standing.extend(contents(keys.keys(), &claims)?);
        }
        let mut transactions = 0;
        for number in self.vault.draft_numbers().map_err(TablesError::from)? {
            let draft = self.draft(number)?;
            let keys: BTreeMap<Key, bool> = draft.keys().into_keys().map(|key| (key, false)).collect();
            let (_, claims) = ledger.claims(&keys)?;
            transactions += u64::from(draft.standing(&contents(keys.keys(), &claims)?) != Standing::Applied);
        }
        let stands = |key: &[u8], put: &[u8]| {
            let found = standing.get(key).and_then(Option::as_deref);
            Ok::<bool, TablesError>(found.is_some_and(|found| has_segment(key, found, put)))
        };
        let segments = self.vault.settle(stands)? as u64;
        self.vault.end_job(&job.request, None).map_err(TablesError::from)?;
        Ok(GivenUp { transactions, segments })
    }
}
