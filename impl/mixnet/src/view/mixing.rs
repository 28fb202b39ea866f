//! Inputs, layers, agreements and shares.

use std::sync::{Arc, LazyLock};

use aardvark_sigma::chunks::NumberTable;
use aardvark_sigma::column::KeyRow;
use aardvark_sigma::threshold::{Decryption, DecryptionClaim, Statement, plaintexts};
use aardvark_sigma::{Context, Digest, Generators, List};

use crate::decryption;
use crate::fault::{Fault, FaultKind};
use crate::input::{InputBytes, Sender, check_inputs};
use crate::keys::PublicKeys;
use crate::layer::Layer;
use crate::post::{Kind, PostKey};
use crate::trace::blame;
use crate::view::admission::{Admitted, AdmittedBody, Slot};
use crate::view::memo::{accept, statement};
use crate::view::state::{Rows, View};

/// The points of all numbers of 16 bits.
static NUMBERS: LazyLock<NumberTable> = LazyLock::new(NumberTable::of_chunks);

/// What was found of all inputs.
#[derive(Clone)]
struct JudgedInputs {
    /// The valid ones, if there are enough.
    rows: Option<Arc<Rows>>,
    /// What is wrong with which of the posted ones.
    faults: Vec<(usize, Fault)>,
}

impl View {
    /// Whether the inputs are closed and enough of them valid.
    pub(super) fn judge_inputs(&mut self, posts: &Admitted<'_>) -> bool {
        let sent: Vec<_> = posts.of_kind(Kind::Input).collect();
        self.posted_inputs = sent.len();
        let Some(keys) = &self.keys else { return false };
        let close = self.name.key(Kind::Close, None, 0, self.name.organiser);
        match posts.slot(&close) {
            Slot::Body(body) if body.is_empty() => {}
            Slot::Body(_) => {
                self.fault(&close, Fault::new(FaultKind::WrongLength));
                return self.void();
            }
            _ => return false,
        }
        // The keys' digest covers the terms, hence labels and the least number.
        let of_each = sent.iter().flat_map(|(key, body)| [key.author, body.digest]).flatten().collect::<Vec<u8>>();
        let statement = statement("inputs", &[&keys.digest, &of_each]);
        let judged = posts.memo.find(statement, || self.judge_sent(keys, &sent));
        for (number, fault) in judged.faults {
            if let Some((key, _)) = sent.get(number) {
                self.fault(key, fault);
            }
        }
        self.rows = judged.rows;
        self.rows.is_some() || self.void()
    }

    fn judge_sent(&self, keys: &PublicKeys, sent: &[(&PostKey, &AdmittedBody<'_>)]) -> JudgedInputs {
        let inputs: Vec<(Sender, InputBytes)> = sent
            .iter()
            .filter_map(|(key, body)| Some((self.ceremony.sender(&key.author)?.clone(), InputBytes(body.to_vec()))))
            .collect();
        let references: Vec<(&Sender, &InputBytes)> = inputs.iter().map(|(sender, input)| (sender, input)).collect();
        let checked = check_inputs(&keys.digest, self.ceremony.numbers(), &references);
        let faults = checked.faults.into_iter().filter_map(|fault| Some((fault.author?, fault))).collect();
        let of_valid = checked.valid.iter().filter_map(|number| inputs.get(*number));
        let senders: Vec<Sender> = of_valid.map(|(sender, _)| sender.clone()).collect();
        let enough = senders.len() >= self.ceremony.least as usize;
        let rows = enough.then(|| {
            let row = KeyRow::new(keys.value_keys(), senders.len());
            let generators = Generators::new(senders.len());
            Arc::new(Rows { list: checked.rows, senders, generators, row })
        });
        JudgedInputs { rows, faults }
    }

    fn judge_layer(&self, server: u16, body: &[u8]) -> Result<Layer, Fault> {
        let missing = Fault::new(FaultKind::NotAuthorised);
        let (mixing, before) = (self.mixing().ok_or(missing)?, self.last_list().ok_or(missing)?);
        let layer = Layer::decode(body, before.rows(), before.width(), server)?;
        let (permutation, column) = mixing.claims(server, &layer, before)?;
        blame(FaultKind::PermutationProofFalse, &[(server, permutation)])?;
        blame(FaultKind::ColumnProofFalse, &[(server, column)])?;
        Ok(layer)
    }

    /// What a server's post about the last list is judged by: keys, inputs, that list.
    fn after_mixed(&self, judgement: &str, server: u16, body: &Digest) -> Digest {
        let keys = self.keys.as_ref().map(|keys| keys.digest).unwrap_or_default();
        let lists = [self.rows.as_ref().map(|rows| &rows.list), self.last_list()];
        let [inputs, last] = lists.map(|list| list.map(List::digest).unwrap_or_default());
        statement(judgement, &[&keys, &inputs, &last, &server.to_be_bytes(), body])
    }

    /// Whether each server has mixed, was passed over for a false layer, or is absent.
    pub(super) fn judge_layers(&mut self, posts: &Admitted<'_>) -> bool {
        for server in self.ceremony.server_numbers() {
            let key = self.server_key(Kind::Layer, None, server);
            match posts.slot(&key) {
                Slot::Body(body) => {
                    let statement = self.after_mixed("layer", server, &body.digest);
                    match posts.memo.find(statement, || self.judge_layer(server, &body)) {
                        Ok(layer) => self.layers.push((server, layer)),
                        Err(fault) => self.fault(&key, fault),
                    }
                }
                Slot::Faulty => {}
                Slot::Empty if posts.is_absent(Kind::Layer, server) => {}
                Slot::Empty | Slot::BodyMissing => {
                    self.turn = Some(server);
                    return false;
                }
            }
        }
        self.layers.len() >= self.ceremony.threshold() || self.void()
    }

    fn judge_share(&self, server: u16, body: &[u8]) -> Result<Decryption, Fault> {
        let missing = Fault::new(FaultKind::NotAuthorised);
        let (keys, rows) = (self.keys.as_ref().ok_or(missing)?, self.rows.as_ref().ok_or(missing)?);
        let first = self.last_list().ok_or(missing)?.column(0);
        let decryption = decryption::decode(body, first.rows(), keys.numbers(), server)?;
        let key_shares = keys.shares_of(server, 1..keys.keys.len());
        let context = Context { keys: keys.digest, server };
        let statement = Statement { context, purpose: rows.list.digest(), key_shares: &key_shares, first: &first };
        blame(FaultKind::DecryptionProofFalse, &[(server, DecryptionClaim::new(statement, &decryption)?)])?;
        Ok(decryption)
    }

    /// Whether t servers have decrypted; then the outputs are there.
    pub(super) fn judge_shares(&mut self, posts: &Admitted<'_>) -> bool {
        let digest = self.mix_digest();
        for server in self.ceremony.server_numbers() {
            let key = self.server_key(Kind::Agreement, None, server);
            match posts.slot(&key) {
                Slot::Body(body) if digest.is_some_and(|digest| *body == digest) => {
                    self.agreed.insert(server);
                }
                Slot::Body(_) => self.fault(&key, Fault::new(FaultKind::MixDiffers)),
                _ => {}
            }
            let key = self.server_key(Kind::Shares, None, server);
            if let Slot::Body(body) = posts.slot(&key) {
                let statement = self.after_mixed("shares", server, &body.digest);
                match posts.memo.find(statement, || self.judge_share(server, &body)) {
                    Ok(decryption) => {
                        self.shares.insert(server, decryption);
                    }
                    Err(fault) => self.fault(&key, fault),
                }
            }
        }
        let first: Vec<(u16, Decryption)> =
            self.shares.iter().take(self.ceremony.threshold()).map(|(server, made)| (*server, made.clone())).collect();
        if first.len() < self.ceremony.threshold() {
            return false;
        }
        let shares =
            first.iter().fold([0; 32], |before, (server, made)| accept(&before, *server, &made.shares.digest()));
        let statement = self.after_mixed("outputs", 0, &shares);
        let Some((outputs, values)) = posts.memo.find(statement, || self.decrypted(&first)) else { return false };
        (self.outputs, self.values) = (Some(outputs), values);
        true
    }

    /// The plaintexts by these shares, and their values.
    fn decrypted(&self, shares: &[(u16, Decryption)]) -> Option<(List, Vec<Option<Vec<u8>>>)> {
        let servers: Vec<u16> = shares.iter().map(|(server, _)| *server).collect();
        let lists: Vec<&List> = shares.iter().map(|(_, decryption)| &decryption.shares).collect();
        let outputs = plaintexts(self.last_list()?, &servers, &lists).ok()?;
        let values = outputs.iter().map(|row| NUMBERS.value(row)).collect();
        Some((outputs, values))
    }
}
