//! A chain in this process: blocks by an archive's own rules, transactions by the policy of tables,
//! and stores that stay while processes that write to them are killed.

#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::panic,
    reason = "each test uses some of it; a broken premise must stop it"
)]

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, OnceLock};

use aardvark_aggregates::{KeyColumn, KeyKind, ProverSetup, Schema, TableVerifier, ValueColumn};
use aardvark_archive::store::{Read, Store, Table, Transaction as Write};
use aardvark_archive::{Archive, ArchiveError, RedbStore, StoreError};
use aardvark_chain::tables::{certified_keys, first_false, judge};
use aardvark_chain::{Policy, SignedTransaction, TableCertificate};
use aardvark_commitment::setups::published_digest;
use aardvark_dictionary::{Claim, DictionaryId, Genesis, Identity, Key, Limits, Parameters, Transaction};
use aardvark_tables::certificates::StoredCertificate;
use aardvark_tables::chain::{ChainStep, Fate, Ledger, Signing, ToSign, Written};
use aardvark_tables::source::csv::CsvSource;
use aardvark_tables::{
    AuditOptions, Certificates, ChainKeeper, ImportOptions, Keeper, TableAudit, TablesError, Vault, audit_tables,
};
use ed25519_dalek::SigningKey;

/// Whose writes a chain takes.
pub fn writer() -> SigningKey {
    SigningKey::from_bytes(&[3; 32])
}

pub fn schema() -> Schema {
    Schema {
        append_only: false,
        deletable: true,
        writers: vec![writer().verifying_key().to_bytes()],
        keys: vec![KeyColumn { name: "time".to_owned(), kind: KeyKind::Unsigned, width: 4 }],
        values: vec![ValueColumn { name: "power".to_owned(), lowest: 0, span: 255, bits: 8, moments: 1, scale: 0 }],
        rows: vec!["user".to_owned()],
        watermark: vec![],
    }
}

pub fn setup() -> Arc<ProverSetup> {
    static SETUP: OnceLock<Arc<ProverSetup>> = OnceLock::new();
    Arc::clone(SETUP.get_or_init(|| Arc::new(ProverSetup::ethereum(None).unwrap())))
}

/// How many writes and questions a process has before it is killed, and whether its last write is
/// made.
#[derive(Clone)]
pub struct Life {
    left: Arc<AtomicI64>,
    last_is_made: bool,
}

impl Life {
    pub fn of(left: i64, last_is_made: bool) -> Self {
        Self { left: Arc::new(AtomicI64::new(left)), last_is_made }
    }

    pub fn endless() -> Self {
        Self::of(i64::MAX, false)
    }

    /// Whether it was killed.
    pub fn is_over(&self) -> bool {
        self.left.load(Ordering::SeqCst) < 0
    }

    fn step(&self) -> i64 {
        self.left.fetch_sub(1, Ordering::SeqCst)
    }
}

/// A store of a process that may be killed.
struct Mortal {
    store: Arc<RedbStore>,
    life: Life,
}

impl Store for Mortal {
    fn read(&self) -> Result<Arc<dyn Read>, StoreError> {
        self.store.read()
    }

    fn write(&self, change: &mut Write<'_>) -> Result<(), ArchiveError> {
        match self.life.step() {
            left if left > 0 => self.store.write(change),
            0 if self.life.last_is_made => {
                self.store.write(change)?;
                Err(StoreError::Closed.into())
            }
            _ => Err(StoreError::Closed.into()),
        }
    }

    fn check(&self) -> Result<(), StoreError> {
        self.store.check()
    }
}

/// A chain, with the vault of one keeper of its tables.
pub struct Scene {
    pub archive: Archive,
    pub policy: Policy,
    pub certificates: Certificates,
    pub vault: Arc<RedbStore>,
    pub parameters: Parameters,
    verifier: TableVerifier,
    nonce: u64,
    /// All that was put into blocks.
    pub applied: Vec<SignedTransaction>,
    /// So many of the next transactions are lost after they were taken.
    pub lost: usize,
    /// So many of the next transactions are not taken, for want of room.
    pub busy: usize,
    /// Whether nodes say that nothing is past yet, whatever the archive has.
    pub nodes_are_behind: bool,
    /// The version that archives say is the newest, where they are behind.
    pub archives_have: Option<u64>,
}

impl Scene {
    pub fn new(limits: Limits) -> Self {
        let parameters = Parameters { vector_size: 16, window: 50, limits, ..Parameters::default() };
        let digest = published_digest(parameters.scheme, parameters.vector_size).unwrap();
        let identity = Identity::new("homes", [7; 32]).unwrap();
        let genesis = Genesis::new(identity, parameters.clone(), digest, Vec::new()).unwrap();
        let archive = Archive::builder().create_on(Box::new(RedbStore::in_memory().unwrap()), &genesis).unwrap();
        let policy = Policy::Tables { creators: [writer().verifying_key().to_bytes()].into() };
        let certificates = Certificates::on_store(Box::new(RedbStore::in_memory().unwrap()), archive.id()).unwrap();
        let vault = Arc::new(RedbStore::in_memory().unwrap());
        let verifier = TableVerifier::new(setup().tau_g2());
        let (applied, nonce, lost, busy, nodes_are_behind, archives_have) = (Vec::new(), 0, 0, 0, false, None);
        Self {
            archive,
            policy,
            certificates,
            vault,
            parameters,
            verifier,
            nonce,
            applied,
            lost,
            busy,
            nodes_are_behind,
            archives_have,
        }
    }

    pub fn id(&self) -> DictionaryId {
        *self.archive.id()
    }

    /// A process that keeps the tables.
    pub fn keeper(&self, life: &Life) -> Result<ChainKeeper, TablesError> {
        self.keeper_on(&self.vault, life)
    }

    pub fn keeper_on(&self, store: &Arc<RedbStore>, life: &Life) -> Result<ChainKeeper, TablesError> {
        let store = Box::new(Mortal { store: Arc::clone(store), life: life.clone() });
        let vault = Vault::on_store(store, self.archive.id())?;
        ChainKeeper::of_parts(vault, self.id(), self.parameters.clone(), setup())
    }

    pub fn ledger<'a>(&'a mut self, life: &Life) -> TestLedger<'a> {
        TestLedger { chain: self, signer: writer(), life: life.clone() }
    }

    /// A keeper with the same rows that answers from the archive.
    pub fn answering(self) -> Keeper {
        let store = Box::new(Mortal { store: self.vault, life: Life::endless() });
        let vault = Vault::on_store(store, self.archive.id()).unwrap();
        Keeper::of_parts(self.archive, vault, self.certificates, setup())
    }

    /// Audits log, certificates and rows.
    pub fn audit(&self) -> TableAudit {
        let vault = Vault::on_store(self.boxed(), self.archive.id()).unwrap();
        self.audited(Some((&vault, &setup())))
    }

    /// Audits log and certificates.
    pub fn audit_public(&self) -> TableAudit {
        self.audited(None)
    }

    fn audited(&self, vault: Option<(&Vault, &ProverSetup)>) -> TableAudit {
        audit_tables(&self.archive, &self.certificates, vault, &AuditOptions::default(), &mut |_, _| {}).unwrap()
    }

    fn boxed(&self) -> Box<dyn Store> {
        Box::new(Mortal { store: Arc::clone(&self.vault), life: Life::endless() })
    }

    /// How many entries of the vault begin with a byte.
    pub fn entries(&self, first: u8) -> usize {
        use std::ops::Bound;
        let read = self.vault.read().unwrap();
        let bounds: (Bound<&[u8]>, Bound<&[u8]>) = (Bound::Included(&[first]), Bound::Excluded(&[first + 1]));
        read.range(Table::Meta, bounds).unwrap().map(Result::unwrap).count()
    }

    /// Why the rules refuse a transaction, by the name of its code.
    pub fn judged(&self, signed: &SignedTransaction) -> Result<(), String> {
        let SignedTransaction { transaction, signatures, certificates } = signed;
        let code = |code: aardvark_chain::TxCode| code.name().to_owned();
        self.policy.check(transaction, signatures, certificates).map_err(code)?;
        assert!(signed.verify_signatures(self.archive.id()));
        let sheets = judge(self.archive.id(), transaction, certificates).map_err(code)?;
        match first_false(&self.verifier, &[&sheets]) {
            None => Ok(()),
            Some(_) => Err("CertificateFalse".to_owned()),
        }
    }

    /// Puts a transaction into the next block, where that takes it.
    pub fn apply(&mut self, signed: &SignedTransaction) -> Option<u64> {
        self.apply_together(std::slice::from_ref(signed))
    }

    /// Puts transactions into the next block, where that takes all of them.
    pub fn apply_together(&mut self, signed: &[SignedTransaction]) -> Option<u64> {
        let transactions: Vec<Transaction> = signed.iter().map(|signed| signed.transaction.clone()).collect();
        let proposal = self.archive.propose(transactions).unwrap();
        if proposal.included.len() != signed.len() {
            return None;
        }
        let version = self.archive.version() + 1;
        let brought = |signed: &SignedTransaction| certified_keys(&signed.transaction, &signed.certificates);
        let stored: Vec<StoredCertificate> = signed
            .iter()
            .flat_map(brought)
            .map(|one| StoredCertificate { heads: one.keys, certificate: one.certificate })
            .collect();
        self.certificates.put(version, &stored).unwrap();
        self.archive.apply(&proposal.block).unwrap();
        self.applied.extend_from_slice(signed);
        Some(version)
    }
}

/// A chain as a keeper's process reaches it, as long as that lives.
pub struct TestLedger<'a> {
    pub chain: &'a mut Scene,
    pub signer: SigningKey,
    life: Life,
}

impl TestLedger<'_> {
    fn alive(&self) -> Result<(), TablesError> {
        if self.life.step() > 0 { Ok(()) } else { Err(TablesError::Random("killed".to_owned())) }
    }
}

impl Ledger for TestLedger<'_> {
    type Signed = SignedTransaction;
    type Error = TablesError;

    fn claims(&mut self, keys: &BTreeMap<Key, bool>) -> Result<(u64, Vec<Claim>), TablesError> {
        self.alive()?;
        let archive = &self.chain.archive;
        let version = self.chain.archives_have.unwrap_or(archive.version());
        let mut claims: Vec<Claim> = Vec::new();
        for (key, deletes) in keys {
            let found = archive.get(key, version)?;
            claims.extend(match (*deletes, found) {
                (true, Some(_)) => archive.prove_delete(key, version)?,
                _ => vec![archive.prove(key, version)?],
            });
        }
        Ok((version, claims))
    }

    fn sign(&mut self, write: ToSign) -> Result<Signing<SignedTransaction>, TablesError> {
        let ToSign { operations, claims, version, certificates } = write;
        self.chain.nonce += 1;
        let mut nonce = [0; 16];
        nonce[..8].copy_from_slice(&self.chain.nonce.to_be_bytes());
        let mut positions = std::collections::BTreeSet::new();
        let claims = claims.into_iter().filter(|claim| positions.insert(claim.position)).collect();
        let last_valid = version + 50;
        let transaction = Transaction { first_valid: version + 1, last_valid, nonce, operations, claims };
        let certificates: Vec<TableCertificate> = certificates
            .into_iter()
            .map(|one| TableCertificate { segments: one.segments, certificate: one.certificate })
            .collect();
        let signed = SignedTransaction::sign(transaction, self.chain.archive.id(), std::slice::from_ref(&self.signer));
        Ok(Signing::Signed(SignedTransaction { certificates, ..signed }, last_valid))
    }

    fn send(&mut self, signed: &SignedTransaction) -> Result<Option<Fate>, TablesError> {
        self.alive()?;
        let limits = &self.chain.parameters.limits;
        assert_eq!(SignedTransaction::decode(&signed.encode(), limits).as_ref(), Ok(signed), "what is sent is read");
        assert!(signed.transaction.operations.len() <= limits.transaction_operations as usize);
        assert!(signed.transaction.claims.len() <= limits.transaction_claims as usize);
        if let Err(reason) = self.chain.judged(signed) {
            return Ok(Some(Fate::Refused(reason)));
        }
        if self.chain.busy > 0 {
            self.chain.busy -= 1;
            return Ok(Some(Fate::Again("busy".to_owned())));
        }
        let proposal = self.chain.archive.propose(vec![signed.transaction.clone()])?;
        Ok((proposal.included != [0]).then(|| Fate::Again("the dictionary refuses it now".to_owned())))
    }

    fn wait(&mut self, signed: &SignedTransaction) -> Result<Fate, TablesError> {
        if self.chain.lost > 0 {
            self.chain.lost -= 1;
            return Ok(Fate::Again("expired".to_owned()));
        }
        // The block comes whether the process lives to see it or not.
        let fate = match self.chain.apply(signed) {
            Some(version) => Fate::Applied(version),
            None => Fate::Again("the dictionary refuses it now".to_owned()),
        };
        self.alive()?;
        Ok(fate)
    }

    fn is_past(&mut self, last_valid: u64) -> Result<bool, TablesError> {
        self.alive()?;
        Ok(!self.chain.nodes_are_behind && self.chain.archive.version() > last_valid)
    }
}

/// Imports rows of one key each, by their times and numbers.
pub fn import(
    keeper: &mut ChainKeeper,
    ledger: &mut TestLedger<'_>,
    rows: impl Iterator<Item = (u32, u32)>,
    again: bool,
) -> Result<Written, TablesError> {
    let schema = keeper.schema(ledger, "meters")?;
    let lines: String = rows.enumerate().map(|(i, (time, power))| format!("{time},{power},user{i}\n")).collect();
    let text = format!("time,power,user\n{lines}");
    let mut source = CsvSource::new(text.as_bytes(), &schema, &Default::default())?;
    let options = ImportOptions { sheet: 16, memory: 512 };
    keeper.import(ledger, ("meters", &schema), &mut source, &options, again, &mut |_: ChainStep| {})
}
