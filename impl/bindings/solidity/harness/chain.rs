//! A chain in memory, with the rules of Ethereum's mainnet after Osaka, and contracts on it.

use std::collections::BTreeMap;
use std::path::Path;

use revm::context::result::{ExecutionResult, HaltReason, Output};
use revm::context::{BlockEnv, CfgEnv, Journal, TxEnv};
use revm::database::{CacheDB, EmptyDB};
use revm::primitives::hardfork::SpecId;
use revm::primitives::{Address, TxKind};
use revm::{Context, ExecuteCommitEvm, ExecuteEvm, MainBuilder, MainContext, MainnetEvm};
use serde::Deserialize;

use crate::abi::selector;

type Database = CacheDB<EmptyDB>;

/// A chain.
pub struct Chain {
    evm: MainnetEvm<Context<BlockEnv, TxEnv, CfgEnv, Database, Journal<Database>, ()>>,
    compiled: BTreeMap<String, Compiled>,
}

/// A compiled contract, as `compile.js` writes it.
#[derive(Deserialize)]
struct Compiled {
    abi: Vec<AbiItem>,
    bytecode: String,
}

#[derive(Deserialize)]
struct AbiItem {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    name: String,
}

/// How a call ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It returned these bytes.
    Returned(Vec<u8>),
    /// It reverted with this error of the contracts, or, with a text, for what that says; with
    /// nothing where the ABI's own checks failed.
    Reverted(String),
    /// It stopped, and burned all gas.
    Halted(HaltReason),
}

/// A call that was made.
#[derive(Clone, Debug)]
pub struct Called {
    /// How it ended.
    pub outcome: Outcome,
    /// What executing it cost, without the transaction's own cost and that of its data.
    pub executed: u64,
    /// What its data cost.
    pub calldata: u64,
}

impl Chain {
    /// A chain without contracts.
    ///
    /// # Panics
    /// Where the contracts are not compiled.
    pub fn new() -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../target/solidity/contracts.json");
        let text = std::fs::read(path).expect("compiled contracts: `node compile.js` writes them");
        let mut context = Context::mainnet().with_db(Database::default());
        context.cfg.set_spec_and_mainnet_gas_params(SpecId::OSAKA);
        context.cfg.disable_nonce_check = true;
        Self { evm: context.build_mainnet(), compiled: serde_json::from_slice(&text).unwrap() }
    }

    /// Puts a contract on the chain.
    ///
    /// # Panics
    /// Where its constructor fails.
    pub fn deploy(&mut self, name: &str, arguments: &[u8]) -> Address {
        let code = [hex::decode(&self.compiled[name].bytecode).unwrap().as_slice(), arguments].concat();
        let created = TxEnv::builder().kind(TxKind::Create).data(code.into()).build().unwrap();
        match self.evm.transact_commit(created).unwrap() {
            ExecutionResult::Success { output: Output::Create(_, Some(address)), .. } => address,
            other => panic!("{other:?}"),
        }
    }

    /// Calls a contract with plenty of gas.
    pub fn call(&mut self, contract: Address, data: &[u8]) -> Called {
        self.call_from(Address::ZERO, contract, data, 1_000_000)
    }

    /// Calls a contract.
    ///
    /// # Panics
    /// Where there is less gas than the transaction itself costs.
    pub fn call_from(&mut self, caller: Address, contract: Address, data: &[u8], gas: u64) -> Called {
        let call = TxEnv::builder().caller(caller).kind(TxKind::Call(contract)).gas_limit(gas);
        let result = self.evm.transact(call.data(data.to_vec().into()).build().unwrap()).unwrap().result;
        let calldata = data.iter().map(|byte| if *byte == 0 { 4 } else { 16 }).sum::<u64>();
        let executed = result.gas().total_gas_spent() - 21_000 - calldata;
        let outcome = match result {
            ExecutionResult::Success { output, .. } => Outcome::Returned(output.into_data().to_vec()),
            ExecutionResult::Revert { output, .. } => Outcome::Reverted(self.error(&output)),
            ExecutionResult::Halt { reason, .. } => Outcome::Halted(reason),
        };
        Called { outcome, executed, calldata }
    }

    /// The name of an error, or the text of `require`.
    fn error(&self, output: &[u8]) -> String {
        if output.starts_with(&selector("Error(string)")) {
            return String::from_utf8_lossy(&output[68..]).trim_end_matches('\0').to_owned();
        }
        let errors = self.compiled.values().flat_map(|contract| &contract.abi).filter(|item| item.kind == "error");
        let named = errors.map(|item| &item.name).find(|name| output == selector(&format!("{name}()")));
        named.cloned().unwrap_or_else(|| hex::encode(output))
    }

    /// The names of a contract's errors.
    pub fn errors(&self, contract: &str) -> Vec<String> {
        let errors = self.compiled[contract].abi.iter().filter(|item| item.kind == "error");
        errors.map(|item| item.name.clone()).collect()
    }
}

impl Default for Chain {
    fn default() -> Self {
        Self::new()
    }
}
