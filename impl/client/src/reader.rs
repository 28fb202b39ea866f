//! Proved reads: the newest header through the light client, then one archive after the other, until
//! one's proofs hold.

use std::time::{Duration, Instant};

use aardvark_chain::{ChainGenesis, Policy};
use aardvark_commitment::Scheme;
use aardvark_dictionary::Key;
use aardvark_dictionary::root::Digest;
use aardvark_proof::proof_json::Proof;
use tendermint::Time;

use crate::archive::{ArchiveClient, MOST_KEYS, is_missing_version};
use crate::light::{
    Accusation, Answer, DictionaryFacts, Fault, LightClient, LightError, Question, Server, Updated, verify_answer,
};
use crate::rpc::RpcClient;

/// How long an archive is waited for that has not the newest version yet.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long between two times.
const PAUSE: Duration = Duration::from_millis(100);

/// What is known of the dictionary, and from where.
#[derive(Clone, Debug)]
pub struct Known {
    /// Id, scheme, vector size, window.
    pub facts: DictionaryFacts,
    /// Who may write, where a genesis said so.
    pub policy: Option<Policy>,
    /// The node whose genesis it is; `None` for the user's own word.
    pub source: Option<String>,
}

impl Known {
    /// From a genesis that the user trusts.
    pub fn of_genesis(genesis: &ChainGenesis) -> Self {
        let facts = DictionaryFacts::of_genesis(genesis.genesis());
        Self { facts, policy: Some(genesis.policy().clone()), source: None }
    }

    /// From facts that the user trusts, such as those of a state file.
    pub fn of_facts(facts: DictionaryFacts) -> Self {
        Self { facts, policy: None, source: None }
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

/// Proved answers, and how they came about.
#[derive(Clone, Debug)]
#[must_use]
pub struct ProvedAnswers {
    /// In the order of the questions.
    pub answers: Vec<Answer>,
    /// The header that certifies their version.
    pub updated: Updated,
    /// The archive whose proofs they are.
    pub archive: String,
    /// What is known of the dictionary, now tied to the root.
    pub known: Known,
    /// Everyone who was not believed on the way.
    pub refused: Vec<Accusation>,
}

/// A light client with archives to ask.
#[derive(Clone, Debug)]
pub struct Reader {
    light: LightClient,
    archives: Vec<ArchiveClient>,
    known: Option<Known>,
}

impl Reader {
    /// A reader; archives are asked in their order. Without `known`, the nodes' genesis is taken
    /// once it is under a root.
    pub fn new(light: LightClient, archives: Vec<ArchiveClient>, known: Option<Known>) -> Self {
        Self { light, archives, known }
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
        let updated = self.light.update(now)?;
        let mut refused = updated.refused.clone();
        let root = updated.header.root().map_err(|_| LightError::NoHeader(refused.clone()))?;
        let certified = (updated.header.version(), root);
        let mut tried: Vec<DictionaryFacts> = Vec::new();
        // Each archive has the time of one server for as many keys as one request takes.
        let requests = u32::try_from(wanted.len().div_ceil(MOST_KEYS)).unwrap_or(u32::MAX);
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
            if let Some((answers, archive)) = ask_all(&archives, &known, &scheme, certified, wanted, &mut refused) {
                self.known = Some(known.clone());
                return Ok(ProvedAnswers { answers, updated, archive, known, refused });
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
fn ask_all(
    archives: &[ArchiveClient],
    known: &Known,
    scheme: &Scheme,
    certified: (u64, Digest),
    wanted: &[(Key, Question)],
    refused: &mut Vec<Accusation>,
) -> Option<(Vec<Answer>, String)> {
    for archive in archives {
        match ask(archive, &known.facts, scheme, certified, wanted) {
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

/// Why an archive's answer was not taken.
enum Refused {
    /// It is the archive's fault.
    Archive(Fault),
    /// Its proof is tied to the certified root, with another dictionary than the one that we were
    /// told of.
    ByRoot(String),
}

/// Asks one archive everything, and verifies every proof.
fn ask(
    archive: &ArchiveClient,
    facts: &DictionaryFacts,
    scheme: &Scheme,
    (version, root): (u64, Digest),
    wanted: &[(Key, Question)],
) -> Result<Vec<Answer>, Refused> {
    let mut answers = Vec::new();
    for wanted in wanted.chunks(MOST_KEYS) {
        let proofs = ask_until_there(archive, version, wanted).map_err(Refused::Archive)?;
        for ((key, question), proof) in wanted.iter().zip(&proofs) {
            let answer = verify_answer(scheme, facts, (version, &root), (key, *question), proof);
            answers.push(answer.map_err(|fault| match ties_another(facts, &root, proof) {
                true => Refused::ByRoot(format!("the root is over the dictionary {}", hex::encode(proof.dictionary.0))),
                false => Refused::Archive(Fault::Proof(fault)),
            })?);
        }
    }
    Ok(answers)
}

/// Whether the proof's own dictionary hashes to the certified root, and is not ours.
fn ties_another(facts: &DictionaryFacts, root: &Digest, proof: &Proof) -> bool {
    proof.dictionary != facts.id
        && proof.root.as_ref().is_some_and(|tied| tied.parts(&proof.dictionary).root() == *root)
}

/// An archive hears of a version a moment after the nodes.
fn ask_until_there(archive: &ArchiveClient, version: u64, wanted: &[(Key, Question)]) -> Result<Vec<Proof>, Fault> {
    let end = Instant::now() + PATIENCE;
    loop {
        match archive.proofs(Some(version), true, wanted) {
            Err(fault) if is_missing_version(&fault) && Instant::now() < end => archive.wait(PAUSE),
            answer => return answer.map(|(_, proofs)| proofs),
        }
    }
}

#[cfg(test)]
mod tests;
