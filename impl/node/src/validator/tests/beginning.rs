//! InitChain.

use tendermint_proto::v0_38::abci::RequestInitChain;

use super::Scene;

#[test]
fn the_chain_begins_with_the_version_that_info_gives() {
    let scene = Scene::new(&[]);
    let app_state_bytes = scene.genesis.to_app_state().to_string().into_bytes().into();
    let request = RequestInitChain { chain_id: "test".to_owned(), app_state_bytes, ..Default::default() };
    let params = scene.app.init_chain(&request).unwrap().consensus_params.unwrap();
    assert_eq!(params.version.unwrap().app, scene.app.info().unwrap().app_version);
}

#[test]
fn a_chain_that_begins_otherwise_is_not_served() {
    let scene = Scene::new(&[]);
    let begin = |chain_id: &str, app_state: &serde_json::Value, initial_height| {
        let app_state_bytes = app_state.to_string().into_bytes().into();
        let chain_id = chain_id.to_owned();
        let request = RequestInitChain { chain_id, app_state_bytes, initial_height, ..Default::default() };
        scene.app.init_chain(&request)
    };
    let ours = scene.genesis.to_app_state();
    assert_eq!(begin("test", &ours, 1).unwrap().app_hash, scene.app.state().root().to_vec());
    let mut other = ours.clone();
    other["parameters"]["window"] = 6.into();
    let mut policy = ours.clone();
    policy["policy"]["publisher"]["keys"][0] = format!("0x{}", "00".repeat(32)).into();
    assert!(begin("other", &ours, 1).is_err() && begin("test", &ours, 2).is_err());
    assert!(begin("test", &other, 1).is_err() && begin("test", &policy, 1).is_err());
}
