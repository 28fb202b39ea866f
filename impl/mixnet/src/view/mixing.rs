//! Inputs, layers, agreements and shares.

use std::sync::LazyLock;

use aardvark_sigma::chunks::NumberTable;
use aardvark_sigma::column::KeyRow;
use aardvark_sigma::threshold::{Decryption, DecryptionClaim, Statement, plaintexts};
use aardvark_sigma::{Context, Generators, List};

use crate::decryption;
use crate::fault::{Fault, FaultKind};
use crate::input::{InputBytes, Sender, check_inputs};
use crate::layer::Layer;
use crate::post::Kind;
use crate::trace::blame;
use crate::view::admission::{Admitted, Slot};
use crate::view::state::{Rows, View};

/// The points of all numbers of 16 bits.
static NUMBERS: LazyLock<NumberTable> = LazyLock::new(NumberTable::of_chunks);

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
        let inputs: Vec<(Sender, InputBytes)> = sent
            .iter()
            .filter_map(|(key, body)| Some((self.ceremony.sender(&key.author)?.clone(), InputBytes(body.to_vec()))))
            .collect();
        let references: Vec<(&Sender, &InputBytes)> = inputs.iter().map(|(sender, input)| (sender, input)).collect();
        let checked = check_inputs(&keys.digest, self.ceremony.numbers(), &references);
        let row = KeyRow::new(keys.value_keys(), checked.valid.len());
        for fault in checked.faults {
            if let Some((key, _)) = fault.author.and_then(|number| sent.get(number)) {
                self.fault(key, fault);
            }
        }
        let of_valid = checked.valid.iter().filter_map(|number| inputs.get(*number));
        let senders: Vec<Sender> = of_valid.map(|(sender, _)| sender.clone()).collect();
        if senders.len() < self.ceremony.least as usize {
            return self.void();
        }
        let generators = Generators::new(senders.len());
        self.rows = Some(Rows { list: checked.rows, senders, generators, row });
        true
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

    /// Whether each server has mixed, was passed over for a false layer, or is absent.
    pub(super) fn judge_layers(&mut self, posts: &Admitted<'_>) -> bool {
        for server in self.ceremony.server_numbers() {
            let key = self.server_key(Kind::Layer, None, server);
            match posts.slot(&key) {
                Slot::Body(body) => match self.judge_layer(server, &body) {
                    Ok(layer) => self.layers.push((server, layer)),
                    Err(fault) => self.fault(&key, fault),
                },
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
                match self.judge_share(server, &body) {
                    Ok(decryption) => {
                        self.shares.insert(server, decryption);
                    }
                    Err(fault) => self.fault(&key, fault),
                }
            }
        }
        let Some(outputs) = self.decrypted() else { return false };
        self.values = outputs.iter().map(|row| NUMBERS.value(row)).collect();
        self.outputs = Some(outputs);
        true
    }

    /// The plaintexts by the first t valid shares, if there are so many.
    fn decrypted(&self) -> Option<List> {
        let threshold = self.ceremony.threshold();
        let first: Vec<(&u16, &Decryption)> = self.shares.iter().take(threshold).collect();
        let servers: Vec<u16> = first.iter().map(|(server, _)| **server).collect();
        let lists: Vec<&List> = first.iter().map(|(_, decryption)| &decryption.shares).collect();
        let rows = (first.len() == threshold).then(|| self.last_list())??;
        plaintexts(rows, &servers, &lists).ok()
    }
}
