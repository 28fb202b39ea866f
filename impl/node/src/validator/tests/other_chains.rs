//! Transactions signed for one chain are refused on chains that differ in name, salt or list only.

use aardvark_chain::{ChainGenesis, Policy, TxCode};
use ed25519_dalek::SigningKey;
use prost::bytes::Bytes;

use super::{LIMIT, Scene, publisher, put, small};

/// As [`Scene::new`], on a chain of this name and salt where these may write.
fn of_chain(chain: &str, salt: [u8; 32], publishers: &[SigningKey]) -> Scene {
    let entries = (0..12).map(|i| (format!("k{i:02}").as_str().into(), "old".into())).collect();
    let policy = Policy::Publisher(publishers.iter().map(|key| key.verifying_key().to_bytes()).collect());
    Scene::begin(&[], chain, ChainGenesis::new(chain, salt, small(), policy, entries).unwrap())
}

#[test]
fn a_signed_put_of_one_publisher_chain_is_refused_on_the_other() {
    let mut scene = Scene::new(&[]);
    let put = scene.signed(&[put("k00", "new")]);
    assert_eq!(scene.check(&put), TxCode::Applied);
    let second = SigningKey::from_bytes(&[9; 32]);
    for other in [
        of_chain("test", [0; 32], &[publisher(), second]),
        of_chain("another", [0; 32], &[publisher()]),
        of_chain("test", [1; 32], &[publisher()]),
    ] {
        assert_eq!(other.check(&put), TxCode::SignatureFalse);
        assert_eq!(other.prepare(std::slice::from_ref(&put), LIMIT), Vec::<Bytes>::new());
    }
    assert_eq!(Scene::new(&[]).check(&put), TxCode::Applied, "the same chain");
}
