//! A chain as a keeper writes to it: claims of archives, through the light client where a header is
//! trusted; transactions signed with key files, and given to nodes.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::thread::sleep;
use std::time::{Duration, Instant};

use aardvark_chain::{SignedTransaction, TableCertificate, TxCode};
use aardvark_client::light::{Accusation, Question, clock};
use aardvark_client::make::unproved_claims;
use aardvark_client::rpc::RpcClient;
use aardvark_client::submit::name;
use aardvark_client::{KeyFile, Known, Reader, SubmitError, assemble, broadcast, wait_for};
use aardvark_dictionary::{Claim, DictionaryId, Key, Parameters, TransactionId};
use aardvark_tables::chain::{Fate, Ledger, Signing, ToSign};

use crate::commands::client::args::Network;
use crate::commands::client::failure::ClientFailure;
use crate::commands::client::network::{Servers, has_trust, known, reader, say};
use crate::failure::Failure;
use crate::key_password;

/// How long a transaction is waited for before it is looked at again.
const WAIT: Duration = Duration::from_secs(30);
/// How long archives may be behind, or busy.
const BEHIND: Duration = Duration::from_secs(20);
/// How long between two attempts.
const PAUSE: Duration = Duration::from_millis(400);

/// A transaction that is signed.
pub struct Signed {
    id: TransactionId,
    last_valid: u64,
    bytes: Vec<u8>,
}

/// A chain, as a keeper writes to it.
pub struct ChainLedger {
    servers: Servers,
    known: Known,
    reader: Option<Reader>,
    keys: Vec<KeyFile>,
    versions: Option<u64>,
    /// The node that took the last transaction.
    taker: Option<RpcClient>,
    /// A version that has all that is known to be applied: what comes next may stand on it.
    applied: u64,
}

impl ChainLedger {
    /// A chain by its network.
    ///
    /// # Errors
    /// Nobody who says what the chain is, a key that cannot be read, a header that cannot be
    /// trusted.
    pub fn open(network: Network, keys: &[PathBuf], versions: Option<u64>) -> Result<Self, Failure> {
        let keys = keys.iter().map(|path| key_password::load(path)).collect::<Result<Vec<_>, _>>();
        let keys = keys.map_err(ClientFailure::from)?;
        if keys.is_empty() {
            return Err(Failure::Usage("a table of a chain needs a key: --signer FILE".to_owned()));
        }
        let servers = Servers::of(&network)?;
        let known = known(&network, &servers)?;
        let reader = match has_trust(&network) {
            true => {
                let (reader, not_there) = reader(&network, &servers)?;
                say(&not_there);
                Some(reader)
            }
            false => None,
        };
        Ok(Self { servers, known, reader, keys, versions, taker: None, applied: 0 })
    }

    /// The chain's dictionary.
    pub fn dictionary(&self) -> DictionaryId {
        self.known.facts.id
    }

    /// Its parameters.
    ///
    /// # Errors
    /// Nobody has said them.
    pub fn parameters(&self) -> Result<Parameters, Failure> {
        let unknown = || Failure::Usage("nobody says what the chain's limits are: give --genesis FILE".to_owned());
        self.known.parameters.clone().ok_or_else(unknown)
    }

    /// Waits until an archive has a version, as far as it comes soon: so that whoever asks next
    /// finds what was written.
    pub fn reach(&mut self, version: u64) {
        let begun = Instant::now();
        let sentinel = BTreeMap::from([(Key::from([0].as_slice()), false)]);
        while begun.elapsed() < BEHIND {
            match self.claims_once(&sentinel) {
                Ok((found, _)) if found >= version => return,
                _ => sleep(PAUSE),
            }
        }
    }

    fn claims_once(&mut self, keys: &BTreeMap<Key, bool>) -> Result<(u64, Vec<Claim>), Failure> {
        let question = |deletes: bool| if deletes { Question::Delete } else { Question::Get };
        let wanted: Vec<_> = keys.iter().map(|(key, deletes)| (key.clone(), question(*deletes))).collect();
        let Some(reader) = &mut self.reader else {
            let claims = unproved_claims(&self.servers.archives, &self.known, &wanted);
            return Ok(claims.map_err(ClientFailure::from)?);
        };
        let read = reader.read(&wanted, clock()).map_err(ClientFailure::from)?;
        if read.known.facts.id != self.known.facts.id {
            let [file, node] = [&self.known, &read.known].map(|known| hex::encode(known.facts.id.0));
            return Err(ClientFailure::AnotherChain { file, node }.into());
        }
        say(&read.refused);
        Ok((read.updated.header.version(), read.answers.into_iter().flat_map(|answer| answer.claims).collect()))
    }

    fn failed(&self, signed: &Signed, error: SubmitError) -> Failure {
        let file = "the vault".to_owned();
        ClientFailure::Sent { id: signed.id, last_valid: signed.last_valid, file, error }.into()
    }
}

impl Ledger for ChainLedger {
    type Signed = Signed;
    type Error = Failure;

    fn claims(&mut self, keys: &BTreeMap<Key, bool>) -> Result<(u64, Vec<Claim>), Failure> {
        let begun = Instant::now();
        loop {
            match self.claims_once(keys) {
                Err(Failure::Client(error)) if !is_lie(&error) && begun.elapsed() < BEHIND => sleep(PAUSE),
                Ok((version, _)) if version < self.applied && begun.elapsed() < BEHIND => sleep(PAUSE),
                found => return found,
            }
        }
    }

    fn sign(&mut self, write: ToSign) -> Result<Signing<Signed>, Failure> {
        let ToSign { operations, claims, version, certificates } = write;
        let mut nonce = [0; 16];
        getrandom::fill(&mut nonce).map_err(|error| Failure::Random(error.to_string()))?;
        let good_for = (self.known.facts.window, self.versions);
        let transaction = assemble(operations, claims, version, good_for, nonce);
        let dictionary = self.known.facts.id;
        let (id, last_valid) = (transaction.id(&dictionary), transaction.last_valid);
        let keys: Vec<_> = self.keys.iter().map(|key| key.signing_key().clone()).collect();
        let certificates = certificates
            .into_iter()
            .map(|one| TableCertificate { segments: one.segments, certificate: one.certificate })
            .collect();
        let signed = SignedTransaction { certificates, ..SignedTransaction::sign(transaction, &dictionary, &keys) };
        let policy = self.known.policy.as_ref();
        let checked = policy.map(|policy| policy.check(&signed.transaction, &signed.signatures, &signed.certificates));
        Ok(match checked {
            Some(Err(code)) => Signing::Refused(format!("{}: {code}", code.name())),
            _ => Signing::Signed(Signed { id, last_valid, bytes: signed.encode() }, last_valid),
        })
    }

    fn send(&mut self, signed: &Signed) -> Result<Option<Fate>, Failure> {
        match broadcast(&self.servers.nodes, &signed.bytes) {
            Ok(node) => {
                self.taker = Some(node);
                Ok(None)
            }
            Err(SubmitError::Rejected { node, code, log }) => {
                let reason = format!("{} ({node}: {log})", name(code));
                if !is_of_now(code) {
                    return Ok(Some(Fate::Refused(reason)));
                }
                sleep(PAUSE);
                Ok(Some(Fate::Again(reason)))
            }
            Err(error) => Err(self.failed(signed, error)),
        }
    }

    fn wait(&mut self, signed: &Signed) -> Result<Fate, Failure> {
        let Some(node) = self.taker.clone().or_else(|| self.servers.nodes.first().cloned()) else {
            return Ok(Fate::Again("there is no node".to_owned()));
        };
        match wait_for(&node, &signed.id, signed.last_valid, WAIT) {
            Ok(receipt) if receipt.is_applied() => {
                self.applied = self.applied.max(receipt.height);
                Ok(Fate::Applied(receipt.height))
            }
            Ok(receipt) => Ok(Fate::Again(name(receipt.code))),
            Err(error @ (SubmitError::Expired(_) | SubmitError::NotYet { .. })) => Ok(Fate::Again(error.to_string())),
            Err(error) => Err(self.failed(signed, error)),
        }
    }

    fn is_past(&mut self, last_valid: u64) -> Result<bool, Failure> {
        let mut heights = Vec::new();
        for node in &self.servers.nodes {
            heights.push(node.status().map_err(ClientFailure::from)?.latest_height);
        }
        Ok(heights.into_iter().all(|height| height > last_valid))
    }
}

fn is_lie(error: &ClientFailure) -> bool {
    let lies = |refused: &[Accusation]| refused.iter().any(|accusation| accusation.fault.is_lie());
    match error {
        ClientFailure::Light(error) => error.is_lie(),
        ClientFailure::Make(aardvark_client::MakeError::NoClaims(refused)) => lies(refused),
        _ => true,
    }
}

/// Whether a code says how things stand, as opposed to what the transaction is.
fn is_of_now(code: u32) -> bool {
    let of_now = [TxCode::BlockRefused, TxCode::TooMuchWaiting, TxCode::Busy];
    TxCode::from_number(code).is_some_and(|code| matches!(code, TxCode::Rejected(_)) || of_now.contains(&code))
}
