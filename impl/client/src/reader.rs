//! Proved reads: the newest header through the light client, then one archive after the other,
//! until one's proofs hold.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use aardvark_algebra::integers::u32_or_max;
use aardvark_chain::{ChainGenesis, Policy};
use aardvark_dictionary::{Key, Parameters};
use aardvark_proof::{Entry, KeyAnswer, KeyRange};
use tendermint::Time;

use crate::archive::{ArchiveClient, MOST_KEYS};
use crate::asking::{Asked, Listing, Refused, answer_keys, answer_questions};
use crate::light::{Accusation, Answer, DictionaryFacts, Fault, LightClient, LightError, Question, Server, Updated};
use crate::rpc::RpcClient;

/// What is known of the dictionary, and from where.
#[derive(Clone, Debug)]
pub struct Known {
    /// Id, scheme, vector size, window.
    pub facts: DictionaryFacts,
    /// Who may write, where a genesis said so.
    pub policy: Option<Policy>,
    /// The dictionary's parameters, where a genesis said so.
    pub parameters: Option<Parameters>,
    /// The node whose genesis it is; `None` for the user's own word.
    pub source: Option<String>,
}

impl Known {
    /// From a genesis that the user trusts.
    pub fn of_genesis(genesis: &ChainGenesis) -> Self {
        let facts = DictionaryFacts::of_genesis(genesis.genesis());
        let parameters = Some(genesis.genesis().parameters().clone());
        Self { facts, policy: Some(genesis.policy().clone()), parameters, source: None }
    }

    /// From facts that the user trusts, such as those of a state file.
    pub fn of_facts(facts: DictionaryFacts) -> Self {
        Self { facts, policy: None, parameters: None, source: None }
    }

    /// From a node's genesis, which is hearsay until its dictionary's id is under a root. That it
    /// is of this chain is compared.
    ///
    /// # Errors
    /// No genesis, or none of this chain.
    pub fn from_node(node: &RpcClient, chain_id: Option<&str>) -> Result<Self, Accusation> {
        let accuse = |fault: Fault| Accusation::new(Server::Rpc(node.url().to_owned()), fault);
        let bytes = node.genesis().map_err(|error| accuse(Fault::Silent(error.to_string())))?;
        let (found, genesis) =
            ChainGenesis::from_genesis_file(&bytes).map_err(|error| accuse(Fault::Genesis(error.to_string())))?;
        if chain_id.is_some_and(|chain_id| chain_id != found) {
            return Err(accuse(Fault::Genesis(format!("it is that of the chain {found:?}"))));
        }
        Ok(Self { source: Some(node.url().to_owned()), ..Self::of_genesis(&genesis) })
    }
}

/// A proved answer, and how it came about.
#[derive(Clone, Debug)]
#[must_use]
pub struct Proved<T> {
    /// The answer; to several questions, in their order.
    pub answers: T,
    /// The header that certifies their version.
    pub updated: Updated,
    /// The archive whose proofs they are; the last one, where several gave some each.
    pub archive: String,
    /// What is known of the dictionary, now tied to the root.
    pub known: Known,
    /// Everyone who was not believed on the way.
    pub refused: Vec<Accusation>,
}

/// Proved answers of [`Reader::read`], in the order of the questions.
pub type ProvedAnswers = Proved<Vec<Answer>>;

/// A light client with archives to ask.
#[derive(Clone, Debug)]
pub struct Reader {
    light: LightClient,
    archives: Vec<ArchiveClient>,
    known: Option<Known>,
    together: bool,
}

impl Reader {
    /// A reader; archives are asked in their order. Without `known`, the nodes' genesis is taken
    /// once it is under a root.
    pub fn new(light: LightClient, archives: Vec<ArchiveClient>, known: Option<Known>) -> Self {
        Self { light, archives, known, together: false }
    }

    /// The same reader, which asks for answers with one opening for all their claims. They are
    /// shorter and faster to verify, and sound in the algebraic group model (`docs/answers.md`).
    #[must_use]
    pub fn together(self, together: bool) -> Self {
        Self { together, ..self }
    }

    /// The light client.
    pub fn light(&self) -> &LightClient {
        &self.light
    }

    /// Answers questions at the newest version that a header certifies.
    ///
    /// # Errors
    /// [`LightError`] names everyone who lied or did not answer.
    pub fn read(&mut self, wanted: &[(Key, Question)], now: Time) -> Result<ProvedAnswers, LightError> {
        self.prove(requests(wanted.len()), now, |asked| answer_questions(asked, wanted))
    }

    /// What each of some keys is at the newest version that a header certifies: in ascending order,
    /// each key once.
    ///
    /// # Errors
    /// As [`Reader::read`].
    pub fn read_keys(
        &mut self,
        keys: impl IntoIterator<Item = Key>,
        now: Time,
    ) -> Result<Proved<Vec<KeyAnswer>>, LightError> {
        let keys: BTreeSet<Key> = keys.into_iter().collect();
        let keys: Vec<Key> = keys.into_iter().collect();
        self.prove(requests(keys.len()), now, |asked| answer_keys(asked, &keys))
    }

    /// Gives every entry of a range at the newest version that a header certifies, in ascending
    /// order, each as soon as it is proved, until `take` breaks off; and says where to go on, where
    /// the range has more. What is given is true, whatever comes after it; that there is no other
    /// entry is known once this returns.
    ///
    /// # Errors
    /// As [`Reader::read`]. Where one archive's proofs end the next one is asked for the rest.
    pub fn read_range(
        &mut self,
        range: &KeyRange,
        now: Time,
        take: impl FnMut(Entry) -> ControlFlow<()>,
    ) -> Result<Proved<Option<Key>>, LightError> {
        let time = self.light.server_time();
        let mut listing = Listing::new(range, take);
        self.prove(1, now, |asked| listing.go_on(asked, time))
    }

    /// Asks one archive after the other at the newest version that a header certifies. Each has the
    /// time of one server for so many requests.
    fn prove<T>(
        &mut self,
        requests: u32,
        now: Time,
        mut ask: impl FnMut(&Asked<'_>) -> Result<T, Refused>,
    ) -> Result<Proved<T>, LightError> {
        let updated = self.light.update(now)?;
        let mut refused = updated.refused.clone();
        let root = updated.header.root().map_err(|_| LightError::NoHeader(refused.clone()))?;
        let (version, together) = (updated.header.version(), self.together);
        let mut tried: Vec<DictionaryFacts> = Vec::new();
        let time = self.light.server_time().saturating_mul(requests);
        let archives: Vec<ArchiveClient> = self.archives.iter().map(|archive| archive.within(time)).collect();
        for source in self.sources(updated.header.chain_id()) {
            let known = match source() {
                Ok(known) if tried.contains(&known.facts) => continue,
                Ok(known) => known,
                Err(accusation) => {
                    refused.push(accusation);
                    continue;
                }
            };
            tried.push(known.facts);
            let scheme = known.facts.verifier().map_err(|error| LightError::Scheme(error.to_string()))?;
            let ask = |archive: &ArchiveClient| {
                ask(&Asked { archive, facts: &known.facts, scheme: &scheme, version, root: &root, together })
            };
            if let Some((answers, archive)) = first_to_prove(&archives, &known, &mut refused, ask) {
                self.known = Some(known.clone());
                return Ok(Proved { answers, updated, archive, known, refused });
            }
        }
        Err(LightError::NoProof(refused))
    }

    /// Where the dictionary's facts can come from: what is known already, else each node's genesis,
    /// fetched when it is its turn.
    fn sources(&self, chain_id: &str) -> Vec<Box<dyn Fn() -> Result<Known, Accusation>>> {
        if let Some(known) = self.known.clone() {
            return vec![Box::new(move || Ok(known.clone()))];
        }
        let from = |node: &RpcClient| -> Box<dyn Fn() -> Result<Known, Accusation>> {
            let (node, chain_id) = (node.clone(), chain_id.to_owned());
            Box::new(move || Known::from_node(&node, Some(&chain_id)))
        };
        self.light.nodes().iter().map(from).collect()
    }
}

/// The answers of the first archive whose proofs hold.
fn first_to_prove<T>(
    archives: &[ArchiveClient],
    known: &Known,
    refused: &mut Vec<Accusation>,
    mut ask: impl FnMut(&ArchiveClient) -> Result<T, Refused>,
) -> Option<(T, String)> {
    for archive in archives {
        match ask(archive) {
            Ok(answers) => return Some((answers, archive.url().to_owned())),
            Err(Refused::ByRoot(fault)) if known.source.is_some() => {
                let url = known.source.clone().unwrap_or_default();
                refused.push(Accusation::new(Server::Rpc(url), Fault::Genesis(fault)));
                return None;
            }
            Err(Refused::ByRoot(fault)) => {
                refused.push(Accusation::new(Server::Archive(archive.url().to_owned()), Fault::Malformed(fault)));
            }
            Err(Refused::Archive(fault)) => {
                refused.push(Accusation::new(Server::Archive(archive.url().to_owned()), fault));
            }
        }
    }
    None
}

/// How many requests take so many keys.
fn requests(keys: usize) -> u32 {
    u32_or_max(keys.div_ceil(MOST_KEYS).max(1))
}

#[cfg(test)]
mod tests;
