//! A keeper that has a writer's key and lies: its honest write is changed before it is signed, and
//! given to a validator.

use std::collections::BTreeMap;

use aardvark_chain::{SignedTransaction, TableCertificate, TxCode};
use aardvark_client::light::Question;
use aardvark_client::make::unproved_claims;
use aardvark_client::rpc::{HttpOptions, RpcClient};
use aardvark_client::{ArchiveClient, Known, SubmitError, assemble, broadcast, questions, wait_for};
use aardvark_dictionary::{Claim, Key};
use aardvark_tables::TablesError;
use aardvark_tables::chain::{Fate, Ledger, Signing, ToSign};
use ed25519_dalek::SigningKey;
use std::time::{Duration, Instant};

/// How long the chain has for what must come, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(240);

/// What is changed of a write; what was written honestly before is there to be used.
pub type Lie = fn(&mut ToSign, &[ToSign]);

/// The chain as a keeper that lies reaches it.
pub struct Forger {
    pub known: Known,
    pub archive: ArchiveClient,
    pub node: RpcClient,
    pub signer: SigningKey,
    /// What is changed of the next writes.
    pub lie: Option<Lie>,
    /// What was written honestly.
    pub honest: Vec<ToSign>,
    /// The codes of what was refused.
    pub refused: Vec<&'static str>,
    nonce: u64,
}

impl Forger {
    pub fn new(known: Known, archive: &str, node: &str, signer: SigningKey) -> Self {
        let options = HttpOptions::default();
        let (archive, node) = (ArchiveClient::new(archive, options).unwrap(), RpcClient::new(node, options).unwrap());
        Self { known, archive, node, signer, lie: None, honest: Vec::new(), refused: Vec::new(), nonce: 0 }
    }

    fn claims_of(&self, wanted: &[(Key, Question)]) -> (u64, Vec<Claim>) {
        let archives = [self.archive.clone()];
        let begun = Instant::now();
        loop {
            match unproved_claims(&archives, &self.known, wanted) {
                Ok(found) => return found,
                Err(error) => assert!(begun.elapsed() < PATIENCE, "the archive gives no claims: {error}"),
            }
            std::thread::sleep(Duration::from_millis(200));
        }
    }
}

impl Ledger for Forger {
    type Signed = SignedTransaction;
    type Error = TablesError;

    fn claims(&mut self, keys: &BTreeMap<Key, bool>) -> Result<(u64, Vec<Claim>), TablesError> {
        let question = |deletes: bool| if deletes { Question::Delete } else { Question::Get };
        Ok(self.claims_of(&keys.iter().map(|(key, deletes)| (key.clone(), question(*deletes))).collect::<Vec<_>>()))
    }

    fn sign(&mut self, write: ToSign) -> Result<Signing<SignedTransaction>, TablesError> {
        let mut write = write;
        match self.lie {
            None => self.honest.push(write.clone()),
            Some(lie) => {
                lie(&mut write, &self.honest);
                // The lie needs claims of its own.
                (write.version, write.claims) = self.claims_of(&questions(&write.operations));
            }
        }
        self.nonce += 1;
        let mut nonce = [0; 16];
        nonce[..8].copy_from_slice(&self.nonce.to_be_bytes());
        nonce[8..].copy_from_slice(&self.signer.to_bytes()[..8]);
        let good_for = (self.known.facts.window, None);
        let transaction = assemble(write.operations, write.claims, write.version, good_for, nonce);
        let certificate = |one: aardvark_tables::chain::DraftCertificate| TableCertificate {
            segments: one.segments,
            certificate: one.certificate,
        };
        let certificates = write.certificates.into_iter().map(certificate).collect();
        let last_valid = transaction.last_valid;
        let signed = SignedTransaction::sign(transaction, &self.known.facts.id, std::slice::from_ref(&self.signer));
        Ok(Signing::Signed(SignedTransaction { certificates, ..signed }, last_valid))
    }

    fn send(&mut self, signed: &SignedTransaction) -> Result<Option<Fate>, TablesError> {
        match broadcast(std::slice::from_ref(&self.node), &signed.encode()) {
            Ok(_) => Ok(None),
            Err(SubmitError::Rejected { code, .. }) => {
                let name = TxCode::from_number(code).unwrap().name();
                self.refused.push(name);
                Ok(Some(Fate::Refused(name.to_owned())))
            }
            Err(error) => panic!("{error}"),
        }
    }

    fn wait(&mut self, signed: &SignedTransaction) -> Result<Fate, TablesError> {
        let (id, last) = (signed.transaction.id(&self.known.facts.id), signed.transaction.last_valid);
        match wait_for(&self.node, &id, last, PATIENCE) {
            Ok(receipt) if receipt.is_applied() => Ok(Fate::Applied(receipt.height)),
            other => panic!("{other:?}"),
        }
    }

    fn is_past(&mut self, _: u64) -> Result<bool, TablesError> {
        Ok(false)
    }
}
