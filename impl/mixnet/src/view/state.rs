//! A view: what is known of a ceremony.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use aardvark_sigma::column::KeyRow;
use aardvark_sigma::dealing::{Dealer, Dealing};
use aardvark_sigma::threshold::Decryption;
use aardvark_sigma::{Digest, Generators, List};

use crate::ceremony::Ceremony;
use crate::fault::Fault;
use crate::input::Sender;
use crate::keys::PublicKeys;
use crate::layer::{Layer, Mixing};
use crate::mix::{Mix, mix_digest};
use crate::post::{CeremonyName, Kind, PostKey};
use crate::view::admission::PostFault;
use crate::view::query_state::Asked;

/// Where a ceremony stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Servers deal keys.
    Dealing,
    /// Servers say whose shares are false.
    Verdicts,
    /// Senders send.
    Open,
    /// Servers shuffle, one after the other.
    Mixing,
    /// Servers agree on the mix and decrypt it.
    Decrypting,
    /// The outputs are there; queriers ask.
    Done,
    /// It cannot go on: fewer than t dealers, layers, or too few inputs.
    Void,
}

/// The inputs of a ceremony, after the close.
#[derive(Debug)]
pub struct Rows {
    /// The valid ones.
    pub list: List,
    /// Who sent them, row by row.
    pub senders: Vec<Sender>,
    /// The generators, one for each.
    pub generators: Generators,
    /// The keys of values with a table.
    pub row: KeyRow,
}

/// What a board's posts say of a ceremony.
#[derive(Debug)]
pub struct View {
    /// Which ceremony.
    pub name: CeremonyName,
    /// Its terms.
    pub ceremony: Ceremony,
    /// What the dealing's hashes begin with.
    pub digest: Digest,
    /// A hash over terms and valid dealings: what the verdicts are judged by.
    pub(super) accepted: Digest,
    /// Where it stands.
    pub stage: Stage,
    /// The posts that break the rules, in the order of keys.
    pub faults: Vec<PostFault>,
    /// Posts whose bodies are not at hand.
    pub missing: Vec<PostKey>,
    /// All keys under which there is something; of posts about queries those about valid ones.
    pub written: BTreeSet<PostKey>,
    /// The valid dealings, by dealer; after the verdicts those of the dealers that remain.
    pub dealings: BTreeMap<u16, Dealing>,
    /// The keys, after the verdicts.
    pub keys: Option<PublicKeys>,
    /// How many inputs were posted.
    pub posted_inputs: usize,
    /// The inputs, after the close.
    pub rows: Option<Arc<Rows>>,
    /// The valid layers, in their order.
    pub layers: Vec<(u16, Layer)>,
    /// Whose layer is waited for.
    pub turn: Option<u16>,
    /// Who agreed on the mix.
    pub agreed: BTreeSet<u16>,
    /// The valid shares of the last list.
    pub shares: BTreeMap<u16, Decryption>,
    /// The plaintexts, when the ceremony is done.
    pub outputs: Option<List>,
    /// The outputs' values; `None` for what is no value's encoding.
    pub values: Vec<Option<Vec<u8>>>,
    /// The valid queries, in the order of keys.
    pub asked: Vec<Asked>,
    /// How many posts are about none of the valid queries, or open another querier's: nothing else
    /// is kept of them.
    pub unasked: usize,
}

impl View {
    /// Notes a post's fault.
    pub(super) fn fault(&mut self, key: &PostKey, fault: Fault) {
        self.faults.push(PostFault::new(key, &self.ceremony, fault));
    }

    /// The ceremony is over without a result.
    pub(super) fn void(&mut self) -> bool {
        self.stage = Stage::Void;
        false
    }

    /// The dealer with this number.
    pub fn dealer(&self, number: u16) -> Dealer {
        Dealer { ceremony: self.digest, number }
    }

    /// The dealings of the dealers that remain.
    pub fn remaining(&self) -> Vec<(u16, &Dealing)> {
        self.dealings.iter().map(|(dealer, dealing)| (*dealer, dealing)).collect()
    }

    /// What all layers have in common.
    pub fn mixing(&self) -> Option<Mixing<'_>> {
        let (keys, rows) = (self.keys.as_ref()?, self.rows.as_ref()?);
        Some(Mixing { keys: keys.digest, generators: &rows.generators, row: &rows.row, purpose: rows.list.digest() })
    }

    /// The list that the next server shuffles, or that is decrypted.
    pub fn last_list(&self) -> Option<&List> {
        let inputs = &self.rows.as_ref()?.list;
        Some(self.layers.last().map_or(inputs, |(_, layer)| &layer.list))
    }

    fn layer_references(&self) -> Vec<(u16, &Layer)> {
        self.layers.iter().map(|(server, layer)| (*server, layer)).collect()
    }

    /// The digest of the mix, when all layers are there.
    pub fn mix_digest(&self) -> Option<Digest> {
        let finished = matches!(self.stage, Stage::Decrypting | Stage::Done);
        let (keys, rows) = (self.keys.as_ref()?, self.rows.as_ref()?);
        finished.then(|| mix_digest(&keys.digest, &rows.list, &self.layer_references()))
    }

    /// The finished mix.
    pub fn mix(&self) -> Option<Mix<'_>> {
        let (keys, rows, outputs) = (self.keys.as_ref()?, self.rows.as_ref()?, self.outputs.as_ref()?);
        Some(Mix::new(keys, &rows.generators, &rows.list, &self.layer_references(), outputs))
    }

    /// The key of a server's post of a stage.
    pub fn server_key(&self, kind: Kind, query: Option<[u8; 32]>, server: u16) -> PostKey {
        let author = self.ceremony.server(server).map_or([0; 32], |server| server.author);
        self.name.key(kind, query, server, author)
    }
}
