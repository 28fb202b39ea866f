//! What is a genesis of a chain, and what is none.

use aardvark_dictionary::Limits;
use aardvark_proof::hex_text::encode;
use serde_json::json;

use super::*;
use crate::accounts::Accounts;
use crate::fees::Fee;

fn setup() -> String {
    encode(Ceremony::ethereum().unwrap().digest())
}

fn account(byte: u8) -> String {
    encode(&[byte; 32])
}

fn accounts(minimum: u64) -> serde_json::Value {
    let fee = json!({ "account": account(1), "base": 1, "byte": 2, "claim": 3, "operation": 4 });
    json!({ "accounts": { "fee": fee, "minimum": minimum } })
}

fn read(change: impl FnOnce(&mut serde_json::Value)) -> Result<ChainGenesis, ChainGenesisError> {
    let mut json = json!({
        "aardvark": 2,
        "salt": account(9),
        "parameters": { "vector_size": 8, "window": 300 },
        "setup": setup(),
        "policy": accounts(1),
        "content": [{ "key": account(1), "value": "0x0000000000000005" }],
    });
    change(&mut json);
    ChainGenesis::from_app_state("test", json.to_string().as_bytes())
}

#[test]
fn a_genesis_survives_json_and_what_is_left_out_has_its_default() {
    let chain = read(|_| {}).unwrap();
    assert_eq!(chain.genesis().parameters().window, 300);
    assert_eq!(chain.genesis().parameters().limits, Limits::default());
    assert_eq!(chain.genesis().entries().len(), 1);
    let again = ChainGenesis::from_app_state("test", chain.to_app_state().to_string().as_bytes()).unwrap();
    assert_eq!(again, chain);
    let fee = Fee { account: [1; 32], base: 1, byte: 2, claim: 3, operation: 4 };
    assert_eq!(again.policy(), &Policy::Accounts(Accounts { fee, minimum: 1 }));
    assert_eq!(again.block_limits(), &BlockLimits::default());
    let limits = json!({ "max_gas": 7 });
    let limited = read(|json| json["block"] = limits).unwrap();
    let again = ChainGenesis::from_app_state("test", limited.to_app_state().to_string().as_bytes()).unwrap();
    assert_eq!(again.block_limits(), &BlockLimits { max_gas: 7, ..BlockLimits::default() });
    let publisher = read(|json| json["policy"] = json!({ "publisher": { "keys": [account(7)] } })).unwrap();
    let again = ChainGenesis::from_app_state("test", publisher.to_app_state().to_string().as_bytes()).unwrap();
    assert_eq!(again.policy(), &Policy::Publisher([[7; 32]].into()));
}

#[test]
fn what_is_no_genesis_of_a_chain_is_refused() {
    let refused = |change: fn(&mut serde_json::Value)| read(change).unwrap_err();
    assert!(matches!(refused(|json| json["aardvark"] = json!(1)), ChainGenesisError::Format(1)));
    assert!(matches!(refused(|json| json["salt"] = json!("0x00")), ChainGenesisError::Json(_)));
    assert!(matches!(refused(|json| json["setup"] = json!(account(0))), ChainGenesisError::Setup));
    assert!(matches!(refused(|json| json["setup"] = json!("0x00")), ChainGenesisError::Json(_)));
    assert!(matches!(refused(|json| json["more"] = json!(1)), ChainGenesisError::Json(_)));
    let no_publisher = |json: &mut serde_json::Value| json["policy"] = json!({ "publisher": { "keys": [] } });
    assert!(matches!(refused(no_publisher), ChainGenesisError::NoPublisher));
    assert!(matches!(refused(|json| json["parameters"]["vector_size"] = json!(3)), ChainGenesisError::Genesis(_)));
    let no_rules = |json: &mut serde_json::Value| json["policy"] = json!({ "accounts": {} });
    assert!(matches!(refused(no_rules), ChainGenesisError::Json(_)));
    assert!(matches!(refused(|json| json["policy"] = accounts(0)), ChainGenesisError::NoMinimum));
    assert!(matches!(refused(|json| json["policy"] = accounts(6)), ChainGenesisError::BelowMinimum(_)));
    let no_gas = |json: &mut serde_json::Value| json["block"] = json!({ "max_gas": 0 });
    assert!(matches!(refused(no_gas), ChainGenesisError::BlockLimits(_)));
    let short_key = |json: &mut serde_json::Value| json["content"][0]["key"] = json!("0x01");
    assert!(matches!(refused(short_key), ChainGenesisError::NotAnAccount(_)));
    let long_value = |json: &mut serde_json::Value| json["content"][0]["value"] = json!("0x000000000000000005");
    assert!(matches!(refused(long_value), ChainGenesisError::NotAnAccount(_)));
}

#[test]
fn chains_that_differ_in_name_salt_or_policy_have_different_ids() {
    let policy = |byte: u8| Policy::Publisher([[byte; 32]].into());
    let id = |name: &str, salt: u8, policy: Policy| {
        let parameters = Parameters { vector_size: 8, ..Parameters::default() };
        ChainGenesis::new(name, [salt; 32], parameters, policy, Vec::new()).unwrap().genesis().dictionary_id()
    };
    let first = id("a", 0, policy(1));
    assert_eq!(first, id("a", 0, policy(1)));
    for other in [id("b", 0, policy(1)), id("a", 1, policy(1)), id("a", 0, policy(2)), id("a", 0, policy(3))] {
        assert_ne!(first, other);
    }
}

#[test]
fn content_in_a_file_gives_the_same_chain_once_it_is_read_and_the_same_id_before() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(content_file::CONTENT_FILE);
    let chain = read(|_| {}).unwrap();
    content_file::write(&path, chain.genesis().entries()).unwrap();
    let state = chain.clone().with_content_file().to_app_state();
    assert!(state.get("content").is_none() && state["entries"] == 1, "{state}");
    let head = ChainGenesis::from_app_state("test", state.to_string().as_bytes()).unwrap();
    assert_eq!(head.genesis().dictionary_id(), chain.genesis().dictionary_id());
    assert_eq!((head.genesis().is_complete(), head.content_entries()), (false, 1));
    assert_eq!(head.to_app_state(), state);
    let whole = head.clone().complete(&path).unwrap();
    assert_eq!(whole.genesis(), chain.genesis());
    // What the policy asks of entries is asked of those in the file too.
    let foreign = vec![(Key::from("k"), Value::from("v"))];
    content_file::write(&path, &foreign).unwrap();
    let mut json = state.clone();
    json["content_digest"] = json!(encode(&content_file::digest(&foreign).digest));
    let head = ChainGenesis::from_app_state("test", json.to_string().as_bytes()).unwrap();
    assert!(matches!(head.complete(&path), Err(ChainGenesisError::NotAnAccount(_))));
    for (field, value) in [("content", json!([])), ("entries", json!(null)), ("content_digest", json!(null))] {
        let mut json = state.clone();
        json[field] = value;
        let refused = ChainGenesis::from_app_state("test", json.to_string().as_bytes());
        assert!(matches!(refused, Err(ChainGenesisError::Content)), "{field}");
    }
}

#[test]
fn the_insecure_scheme_is_refused_whatever_the_setup_says() {
    let parameters = Parameters { scheme: SchemeKind::LibertYung, vector_size: 8, ..Parameters::default() };
    let refused = ChainGenesis::new("test", [0; 32], parameters, Policy::Publisher([[7; 32]].into()), Vec::new());
    assert!(matches!(refused, Err(ChainGenesisError::Setup)));
}

#[test]
fn the_genesis_file_gives_the_chain_and_what_it_begins_with() {
    let named =
        |name: &str| ChainGenesis::from_app_state(name, read(|_| {}).unwrap().to_app_state().to_string().as_bytes());
    let chain = named("aardvark-1").unwrap();
    let file = json!({ "chain_id": "aardvark-1", "initial_height": "1", "app_state": chain.to_app_state() });
    let (id, read) = ChainGenesis::from_genesis_file(file.to_string().as_bytes()).unwrap();
    assert_eq!((id.as_str(), &read), ("aardvark-1", &chain));
    assert_eq!(read.genesis().identity().name(), "aardvark-1");
    let nameless = json!({ "chain_id": "a\u{1b}[2K", "app_state": read.to_app_state() });
    let refused = ChainGenesis::from_genesis_file(nameless.to_string().as_bytes());
    assert!(matches!(refused, Err(ChainGenesisError::Genesis(GenesisError::Name(_)))));
    let without = json!({ "chain_id": "x" }).to_string();
    let missing = ChainGenesis::from_genesis_file(without.as_bytes());
    assert!(matches!(missing, Err(ChainGenesisError::Missing("app_state"))));
}
