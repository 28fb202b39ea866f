//! A keeper of a table of meters, and a client that asks it: what all experiments are about.

use std::collections::BTreeSet;
use std::sync::Arc;

use aardvark_aggregates::answer::{Answer, Certificates, json};
use aardvark_aggregates::{Finding, KeyColumn, KeyKind, Outcome, ProverSetup, Query, Schema, TableKey, ValueColumn};
use aardvark_archive::{Archive, ArchiveError};
use aardvark_commitment::{Ceremony, Kzg, Scheme, VectorCommitment};
use aardvark_dictionary::{Claim, Genesis, Parameters};
use aardvark_proof::{KnownCommitments, Trusted};
use aardvark_tables::keeper::for_each_entry;
use aardvark_tables::{
    AnswerParts, AuditOptions, Certificates as StoredCertificates, ImportOptions, ImportReport, Keeper, Renewal,
    TablesError, Vault, audit_tables,
};
use num::BigRational;
use rayon::ThreadPool;
use tempfile::TempDir;

use crate::aggregates::meters::{Reading, Readings};
use crate::aggregates::options::Options;
use crate::error::{BenchError, require};
use crate::measure::clock::{Taken, timed};
use crate::workload::history::identity;

/// The table's name.
pub const METERS: &str = "meters";
/// Bits of a reading: those of the paper's range proofs.
const BITS: u8 = 32;

/// What all experiments have in common.
pub struct Shared {
    scheme: Arc<Scheme>,
    verifier: Scheme,
    setup: Arc<ProverSetup>,
    schema: Schema,
    /// The threads that import and audit.
    builders: ThreadPool,
    /// The thread of queries.
    single: ThreadPool,
}

impl Shared {
    /// On the Ethereum ceremony.
    pub fn new(options: &Options) -> Result<Self, BenchError> {
        let (size, threads) = (options.vector_size as usize, options.threads);
        let scheme = Kzg::new(Ceremony::ethereum()?, size)?;
        let scheme = if options.tables > 0 { scheme.with_tables(options.tables)? } else { scheme };
        let setup = ProverSetup::ethereum(None)?.with_tables();
        // Each domain's basis and table are made when they are first used, which no experiment is
        // about.
        for log in 3..=10 {
            setup.make_table(log)?;
        }
        let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        Ok(Self {
            scheme: Arc::new(Scheme::from(scheme)),
            verifier: Scheme::from(Kzg::verifier(size)?.with_index_lines()),
            setup: Arc::new(setup),
            schema: schema(),
            builders: pool(threads)?,
            single: pool(1)?,
        })
    }
}

/// Keys of time, district and industry; one column of numbers, with sums and squares; a user and
/// its tag.
fn schema() -> Schema {
    let key = |name: &str, width| KeyColumn { name: name.to_owned(), kind: KeyKind::Unsigned, width };
    let power = ValueColumn {
        name: "power".to_owned(),
        lowest: 0,
        span: u64::from(u32::MAX),
        bits: BITS,
        moments: 2,
        scale: 0,
    };
    Schema {
        append_only: true,
        deletable: false,
        writers: Vec::new(),
        keys: vec![key("time", 8), key("district", 4), key("industrial", 1)],
        values: vec![power],
        rows: vec!["user".to_owned(), "tag".to_owned()],
        watermark: Vec::new(),
    }
}

/// What a query took, and what it came to.
pub struct Asked {
    /// The server's share: finding, proving and writing the answer.
    pub server: Taken,
    /// The client's: reading and verifying it.
    pub client: Taken,
    /// Bytes of the answer's content. Its text has twice as many, since it writes them in
    /// hexadecimal.
    pub bytes: u64,
    /// The runs that the answer is of.
    pub runs: u64,
    /// The number.
    pub value: Option<BigRational>,
}

impl Asked {
    /// Server and client.
    pub fn both(&self) -> Taken {
        self.server.plus(self.client)
    }
}

/// A keeper with its folder.
pub struct Scene<'a> {
    shared: &'a Shared,
    keeper: Keeper,
    folder: TempDir,
    /// Bytes of slots and of certificates.
    stored: (u64, u64),
}

impl<'a> Scene<'a> {
    /// An empty table.
    pub fn new(shared: &'a Shared) -> Result<Self, BenchError> {
        let folder = tempfile::tempdir().map_err(|source| BenchError::io("a temporary directory", source))?;
        let path = folder.path().join("meters");
        let vector_size = shared.scheme.vector_size() as u32;
        let parameters = Parameters { vector_size, ..Parameters::default() };
        let genesis = Genesis::new(identity()?, parameters, shared.scheme.setup_digest(), Vec::new())?;
        let archive = Archive::builder().scheme(Arc::clone(&shared.scheme)).create(&path, &genesis)?;
        let vault = Vault::open(&path, archive.id()).map_err(TablesError::from)?;
        let certificates = StoredCertificates::open(&path, archive.id()).map_err(TablesError::from)?;
        let mut keeper = Keeper::of_parts(archive, vault, certificates, Arc::clone(&shared.setup));
        keeper.create(METERS, &shared.schema)?;
        Ok(Self { shared, keeper, folder, stored: (0, 0) })
    }

    /// Imports readings as one version: commitments, certificates, the vault and the dictionary.
    pub fn insert(&mut self, readings: &[Reading]) -> Result<Taken, BenchError> {
        self.import(readings, |keeper, schema, source| {
            keeper.import(METERS, schema, source, &ImportOptions::default(), &mut |_| {})
        })
    }

    /// The same, where a key has one run, however many rows: it gets further segments.
    pub fn extend(&mut self, readings: &[Reading]) -> Result<Taken, BenchError> {
        self.import(readings, |keeper, schema, source| {
            keeper.renew(METERS, schema, source, Renewal::Extend, &ImportOptions::default(), &mut |_| {})
        })
    }

    fn import(
        &mut self,
        readings: &[Reading],
        import: impl Fn(&mut Keeper, &Schema, &mut Readings<'_>) -> Result<ImportReport, TablesError> + Send + Sync,
    ) -> Result<Taken, BenchError> {
        let mut source = Readings(readings.iter());
        let (keeper, schema) = (&mut self.keeper, &self.shared.schema);
        let (report, taken) = self.shared.builders.install(|| timed(|| import(keeper, schema, &mut source)));
        let report = report?;
        require(report.rows == readings.len() as u64, || format!("{} rows were imported", report.rows))?;
        self.count_stored(&readings.iter().map(|reading| reading.time).collect())?;
        Ok(taken)
    }

    /// Asks for a statistic: the answer is made, written, read and verified.
    pub fn ask(&self, query: &str) -> Result<Asked, BenchError> {
        let version = self.keeper.archive().version();
        let answer = || self.keeper.answer(METERS, query, version, &AnswerParts::default()).map(|(answer, _)| answer);
        self.asked(query, answer)
    }

    /// Asks for a user's row.
    pub fn look_up(&self, reading: &Reading) -> Result<Asked, BenchError> {
        let Reading { time, district, industrial, user, .. } = reading;
        let condition = format!("time = {time} and district = {district} and industrial = {}", u8::from(*industrial));
        let version = self.keeper.archive().version();
        let answer = || {
            let rows = self.keeper.rows_of(METERS, &user.to_string(), version, Some("power"), Some(&condition))?;
            let row = rows.first().ok_or(TablesError::NoRows)?;
            self.keeper.row(METERS, row, version, &AnswerParts::default()).map(|(answer, _)| answer)
        };
        let asked = self.asked(&format!("row(power) where {condition}"), answer)?;
        let value = BigRational::from_integer(reading.power.into());
        require(asked.value.as_ref() == Some(&value), || format!("another row than that of user {user}"))?;
        Ok(asked)
    }

    fn asked(
        &self,
        query: &str,
        answer: impl Fn() -> Result<Answer, TablesError> + Sync + Send,
    ) -> Result<Asked, BenchError> {
        let archive = self.keeper.archive();
        let version = archive.version();
        let commitments = archive.commitments(version)?;
        let size = archive.version_info(version)?.size;
        let (made, server) = self.shared.single.install(|| {
            timed(|| {
                let answer = answer()?;
                let text = json::write_line(&answer).map_err(wrong)?;
                Ok::<_, BenchError>((answer, text))
            })
        });
        let (answer, text) = made?;
        let verified = || {
            let (dictionary, scheme, commitments) = (*archive.id(), &self.shared.verifier, &commitments);
            self.verified(query, &text, KnownCommitments { dictionary, scheme, version, size, commitments })
        };
        let (outcome, client) = self.shared.single.install(|| timed(verified));
        let outcome = outcome?;
        let runs = outcome.runs as u64;
        Ok(Asked { server, client, bytes: content_bytes(&answer), runs, value: value(outcome) })
    }

    /// What a client does who has the commitments of the version.
    fn verified(&self, query: &str, text: &str, known: KnownCommitments<'_>) -> Result<Outcome, BenchError> {
        let answer = json::read(text.as_bytes()).map_err(wrong)?;
        let query = Query::parse(METERS, query, &self.shared.schema).map_err(wrong)?;
        answer.verify(&query, &Trusted::Commitments(known), Certificates::Ignored).map_err(wrong)
    }

    /// Audits certificates and heads of all versions.
    pub fn audit(&self, rows: u64) -> Result<Taken, BenchError> {
        let (archive, certificates) = (self.keeper.archive(), self.keeper.certificates());
        let everything = AuditOptions::default();
        let audit = || timed(|| audit_tables(archive, certificates, None, &everything, &mut |_, _| {}));
        let (report, taken) = self.shared.builders.install(audit);
        let report = report?;
        require(report.findings.is_empty() && report.rows == rows, || format!("the audit: {report:?}"))?;
        Ok(taken)
    }

    /// Audits the dictionary: that its log is the one that made it.
    pub fn audit_dictionary(&self) -> Result<Taken, BenchError> {
        let archive = self.keeper.archive();
        let (report, taken) = self.shared.builders.install(|| timed(|| archive.audit(&mut |_| {})));
        let report = report?;
        require(report.findings.is_empty(), || format!("the audit: {:?}", report.findings))?;
        Ok(taken)
    }

    /// Bytes that the table stores in public: of keys and values in the dictionary, and of
    /// certificates.
    pub fn stored(&self) -> (u64, u64) {
        self.stored
    }

    /// Counts what an import of these times has stored.
    fn count_stored(&mut self, times: &BTreeSet<u64>) -> Result<(), BenchError> {
        let archive = self.keeper.archive();
        for time in times {
            let columns = time.to_be_bytes().to_vec();
            let key = TableKey::Head { table: METERS.to_owned(), column: 0, columns, run: 0 }.to_bytes();
            // Without the run's number; of further segments the same behind another byte.
            let heads = key.get(..key.len() - 4).unwrap_or_default().to_vec();
            let mut segments = heads.clone();
            segments.iter_mut().skip(METERS.len() + 2).take(1).for_each(|kind| *kind = 2);
            for prefix in [heads, segments] {
                for_each_entry::<ArchiveError>(archive, &prefix, archive.version(), |key, value| {
                    self.stored.0 += (key.len() + value.len()) as u64;
                    Ok(())
                })?;
            }
        }
        let certificates = self.keeper.certificates().of_version(archive.version()).map_err(TablesError::from)?;
        self.stored.1 += certificates.iter().map(|stored| stored.certificate.len() as u64).sum::<u64>();
        Ok(())
    }

    /// Bytes of all files: dictionary, log, vault, certificates.
    pub fn on_disk(&self) -> Result<u64, BenchError> {
        bytes_below(self.folder.path())
    }
}

fn bytes_below(folder: &std::path::Path) -> Result<u64, BenchError> {
    let failed = |source| BenchError::io(folder.display().to_string(), source);
    let mut bytes = 0;
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let metadata = entry.metadata().map_err(failed)?;
        bytes += if metadata.is_dir() { bytes_below(&entry.path())? } else { metadata.len() };
    }
    Ok(bytes)
}

/// Why there is no number.
pub fn wrong(error: impl std::fmt::Display) -> BenchError {
    BenchError::Wrong(error.to_string())
}

/// The number that an outcome has.
fn value(outcome: Outcome) -> Option<BigRational> {
    match outcome.finding {
        Finding::Groups(groups) => groups.into_iter().next()?.value,
        Finding::Order(order) => order.value,
        Finding::Row(row) => Some(BigRational::from_integer(row.value)),
        Finding::Rank(_) => None,
    }
}

/// Bytes of what an answer says, without names: positions, slots, openings, numbers.
fn content_bytes(answer: &Answer) -> u64 {
    let claim = |Claim { slot, opening, .. }: &Claim| {
        8 + 1 + slot.key.len() + 2 + slot.value.len() + 1 + slot.next.len() + opening.len()
    };
    let claims = claim(&answer.schema) + answer.runs.iter().map(claim).sum::<usize>();
    let totals: usize = answer.totals.iter().map(|group| 32 * group.len()).sum();
    let cut = answer.cut.as_ref().map_or(0, |cut| cut.to_bytes().len());
    let comparisons: usize = answer.comparisons.iter().map(Vec::len).sum();
    let row = answer.row.as_ref().map_or(0, |row| {
        let texts: usize = row.texts.iter().map(|text| 2 + text.len()).sum();
        2 + 8 + row.salt.len() + 1 + texts + 32 * row.path.len()
    });
    let opening = answer.opening.map_or(0, |opening| opening.len());
    // The dictionary and the version.
    (32 + 8 + claims + totals + cut + comparisons + row + opening) as u64
}
