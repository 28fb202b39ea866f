//! A validator that proposes false blocks and votes for them: honest ones refuse each for what it
//! is, and where it is the only validator, so that they are decided, they are applied as empty and
//! nobody who verifies takes harm.
//!
//! Needs CometBFT at `AARDVARK_COMETBFT`, as `cargo xtask test` sets it; without it the tests say
//! so and check nothing.

#![allow(clippy::unwrap_used, reason = "a test that cannot set its scene has failed")]

mod attacks;
mod scene;

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use aardvark_chain::ChainGenesis;
use aardvark_client::rpc::{HttpOptions, RpcClient};
use aardvark_localnet::Node;
use prost::bytes::Bytes;

use attacks::liar::stand_before;
use attacks::lies::{Knowledge, Lie};
use scene::{PATIENCE, Scene};

impl Scene {
    /// The last validator's proposals become lies, one kind after the other, until every
    /// application that is asked has refused each for what it is.
    fn hears_every_lie(&mut self) {
        self.pay(1);
        self.is_well();
        let knowledge = self.knowledge();
        let told: Arc<Mutex<Option<Lie>>> = Arc::default();
        let lie = Arc::clone(&told);
        let change = move |honest: Vec<Bytes>| match *lie.lock().unwrap() {
            Some(lie) if !honest.is_empty() => lie.tell(&honest, &knowledge),
            _ => honest,
        };
        let liar = self.last();
        liar.kill();
        let address = stand_before(liar.application_address(), Box::new(change));
        liar.have_cometbft_ask(&format!("tcp://{address}")).unwrap();
        liar.start().unwrap();
        self.network.wait_for_height(self.blocks().newest(), PATIENCE).unwrap();
        for lie in Lie::ALL {
            let before = self.refusals();
            *told.lock().unwrap() = Some(lie);
            let begun = Instant::now();
            while !self.has_refused(lie, &before) {
                assert!(begun.elapsed() < Duration::from_secs(PATIENCE), "{lie:?} was not refused for what it is");
                let payments = self.bank.payments(1);
                self.submit(&payments);
                std::thread::sleep(Duration::from_millis(200));
            }
            eprintln!("{lie:?}: refused within {:.1?}", begun.elapsed());
        }
        *told.lock().unwrap() = None;
        self.is_well();
        assert!(self.last().application_runs() && self.last().cometbft_runs() && self.archive.runs());
    }

    /// What a validator knows, and a block that was decided.
    fn knowledge(&self) -> Knowledge {
        let node = &self.network.nodes[0];
        let genesis = std::fs::read(node.home().join("config/genesis.json")).unwrap();
        let (_, genesis) = ChainGenesis::from_genesis_file(&genesis).unwrap();
        let rpc = RpcClient::new(node.rpc().url(), HttpOptions::default()).unwrap();
        let decided = rpc.block(Some(self.blocks().newest())).unwrap().transactions;
        Knowledge { id: self.bank.known().facts.id, parameters: genesis.genesis().parameters().clone(), decided }
    }

    /// Whether all have refused a lie for what it is since then.
    fn has_refused(&self, lie: Lie, before: &[String]) -> bool {
        let since = |(now, before): (String, &String)| now[before.len()..].to_owned();
        self.refusals().into_iter().zip(before).map(since).all(|log| log.contains(&lie.refusal()))
    }

    /// What the applications say about refused proposals: those of the honest validators, or, where
    /// there are none, the liar's own, which nobody listens to.
    fn refusals(&self) -> Vec<String> {
        let others = (self.network.nodes.len() - 1).max(1);
        let log = |node: &Node| std::fs::read_to_string(node.application_log()).unwrap();
        let refusals = |log: String| log.lines().filter(|line| line.contains("refused a proposal")).collect();
        self.network.nodes.iter().take(others).map(log).map(refusals).collect()
    }
}

#[test]
fn three_validators_refuse_every_lie_of_the_fourth_and_go_on() {
    let Some(mut scene) = Scene::start(4) else { return };
    scene.hears_every_lie();
}

#[test]
fn false_blocks_that_a_lone_validator_decides_are_applied_as_empty() {
    let Some(mut scene) = Scene::start(1) else { return };
    scene.has_liar = true;
    scene.hears_every_lie();
    let refused = scene.blocks().refused();
    assert!(refused.len() >= Lie::ALL.len(), "{refused:?}");
    let counts = refused.iter().map(|height| {
        let block = scene.archive.get(&format!("/v1/blocks/{height}")).unwrap();
        assert_eq!(block["accepted"], 0, "{block}");
        block["rejected"].as_u64().unwrap()
    });
    assert!(counts.max() > Some(0));
}
