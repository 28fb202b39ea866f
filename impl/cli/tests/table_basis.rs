//! What an answer under a header rests on: consensus exactly where a genesis that is given has the
//! dictionary's id and the policy of tables. Headers are really signed; no CometBFT is needed.

// Where a helper fails, the test shall.
#![allow(clippy::unwrap_used)]

mod common;
#[path = "common/served.rs"]
mod served;

use aardvark_archive::Archive;
use aardvark_chain::{ChainGenesis, Policy};
use aardvark_client::light::clock;
use aardvark_client::testing::TestChain;
use aardvark_dictionary::Parameters;
use common::Sandbox;
use serde_json::{Value, json};
use served::Served;

const QUERY: &str = "sum(power) where time = 100";

fn genesis(policy: Policy, salt: u8) -> ChainGenesis {
    let parameters = Parameters { vector_size: 16, ..Parameters::default() };
    ChainGenesis::new("homes", [salt; 32], parameters, policy, Vec::new()).unwrap()
}

fn write_genesis(sandbox: &Sandbox, file: &str, genesis: &ChainGenesis) {
    let file_json = json!({ "chain_id": "homes", "app_state": genesis.to_app_state() });
    sandbox.write(file, file_json.to_string());
}

/// What is said of an answer to rest on, in each way of asking; the exit code with another genesis.
fn bases(policy: Policy) -> (Vec<String>, Option<i32>) {
    let sandbox = Sandbox::new();
    let genesis = genesis(policy, 7);
    drop(Archive::builder().create(&sandbox.path("d"), genesis.genesis()).unwrap());
    write_genesis(&sandbox, "genesis.json", &genesis);
    write_genesis(&sandbox, "other.json", &self::genesis(Policy::Tables { creators: [[1; 32]].into() }, 8));
    sandbox.ok("table create d meters --key time:u64 --value power:0..=20000 --row user");
    sandbox.write("rows.csv", "time,power,user\n100,31,ada\n100,1250,bob\n101,7,ada\n");
    sandbox.ok("table import d meters rows.csv");
    let words = ["table", "query", "d", "meters", QUERY, "--root", "--certificates", "-o", "a.json"];
    assert_eq!(sandbox.run_list(&words).code, Some(0));
    let root = |version: u64| {
        let archive = Archive::builder().open_read_only(&sandbox.path("d")).unwrap();
        archive.root_parts(version, &mut |_| {}).unwrap().root()
    };
    let chain = TestChain::new("homes", &[[1; 32], root(1), root(2)], clock(), |_| vec![1, 2, 3, 4]);
    let (_server, node) = chain.serve();
    let trust = format!("--trust 1:{} --rpc {} --without-witness", hex::encode(chain.hash(1)), node.url());
    let asked = |words: &[&str], options: &str| {
        let options = [&trust, options].join(" ");
        sandbox.run_list(&[words, options.split_whitespace().collect::<Vec<_>>().as_slice()].concat())
    };
    let verify = ["--json", "table", "verify", "meters", QUERY, "a.json"];
    let options = ["", "--certificates", "--genesis genesis.json", "--genesis genesis.json --certificates"];
    let basis = |words: &[&str], options: &str| {
        let said = asked(words, options);
        assert_eq!(said.code, Some(0), "{said:?}");
        let said: Value = serde_json::from_str(&said.out).unwrap();
        assert_eq!(said["finding"][0]["value"], json!("1281"));
        said["rests_on"].as_str().unwrap().to_owned()
    };
    let mut found: Vec<String> = options.iter().map(|options| basis(&verify, options)).collect();
    // A keeper's answer is judged in the same way.
    let keeper = Served::new(&sandbox, "keeper --dir d");
    let url = keeper.url();
    let query = ["--json", "table", "query", &url, "meters", QUERY];
    found.extend(["", "--genesis genesis.json"].map(|options| basis(&query, options)));
    (found, asked(&verify, "--genesis other.json").code)
}

#[test]
fn consensus_is_named_exactly_where_a_trusted_genesis_has_the_policy_of_tables() {
    let (found, other) = bases(Policy::Tables { creators: [[1; 32]].into() });
    assert_eq!(found, ["audit", "certificates", "consensus", "consensus", "audit", "consensus"]);
    assert_eq!(other, Some(2), "a genesis of another dictionary says nothing of this one");
    let (found, other) = bases(Policy::Publisher([[1; 32]].into()));
    assert_eq!(found, ["audit", "certificates", "audit", "certificates", "audit", "audit"]);
    assert_eq!(other, Some(2));
}
