use super::*;
use crate::testing::Reply;
use crate::testing::{TestChain, serve};

fn now() -> Time {
    Time::from_unix_timestamp(1_800_000_000, 0).unwrap()
}

fn chain() -> TestChain {
    TestChain::new("test", &[[0; 32], [1; 32], [2; 32], [3; 32]], now(), |_| vec![1, 2, 3, 4])
}

/// The same chain, but for a last header that these validators signed.
fn forged(signers: &[u8]) -> TestChain {
    let mut chain = chain();
    chain.forge(4, signers, |header| header.app_hash = tendermint::AppHash::try_from(vec![9; 32]).unwrap());
    chain
}

fn light(nodes: Vec<RpcClient>, witnesses: Vec<RpcClient>) -> LightClient {
    let (_server, honest) = chain().serve();
    let point = TrustPoint { height: 1, hash: chain().hash(1) };
    let witnesses = Witnesses::Compare(witnesses);
    let (client, refused) = LightClient::start(&point, vec![honest], witnesses, LightOptions::default()).unwrap();
    assert_eq!(refused, []);
    LightClient { nodes, ..client }
}

#[test]
fn the_newest_header_is_confirmed_by_a_second_node_and_becomes_the_trusted_one() {
    let (one, two) = (chain().serve(), chain().serve());
    let mut client = light(vec![one.1.clone()], vec![one.1.clone(), two.1.clone()]);
    let updated = client.update(now()).unwrap();
    assert_eq!((updated.header.height(), updated.header.version()), (4, 3));
    assert_eq!((updated.node, updated.confirmed_by), (one.0.url.clone(), vec![two.0.url.clone()]));
    assert_eq!((client.trusted().height(), updated.refused), (4, vec![]));
}

#[test]
fn a_header_of_a_height_is_verified_as_old_as_it_is_and_none_below_the_trusted_one() {
    let (one, two) = (chain().serve(), chain().serve());
    let mut client = light(vec![one.1.clone()], vec![two.1.clone()]);
    let later = Time::from_unix_timestamp(1_800_086_400, 0).unwrap();
    assert!(client.update(later).is_err());
    let updated = client.update_to(3, later).unwrap();
    assert_eq!((updated.header.height(), updated.header.version(), client.trusted().height()), (3, 2, 3));
    assert_eq!(updated.confirmed_by, vec![two.0.url.clone()]);
    assert!(matches!(client.update_to(2, later), Err(LightError::NoHeader(_))));
    assert_eq!(client.update_to(4, later).unwrap().header.hash(), chain().hash(4));
    // A header that too few have signed, and a witness that has another.
    let liar = forged(&[1, 2]).serve();
    assert!(matches!(light(vec![liar.1], vec![two.1]).update_to(4, now()), Err(LightError::NoHeader(_))));
    let fork = forged(&[1, 2, 3, 4]).serve();
    assert!(light(vec![one.1], vec![fork.1]).update_to(4, now()).unwrap_err().is_lie());
}

#[test]
fn a_node_does_not_confirm_itself() {
    let one = chain().serve();
    let error = light(vec![one.1.clone()], vec![one.1]).update(now()).unwrap_err();
    assert!(matches!(&error, LightError::NoWitness { height: 4, .. }) && !error.is_lie());
    let one = chain().serve();
    let mut alone = LightClient { witnesses: Witnesses::Nobody, ..light(vec![one.1], vec![]) };
    assert_eq!(alone.update(now()).unwrap().confirmed_by, Vec::<String>::new());
}

#[test]
fn a_node_under_another_name_is_no_witness() {
    let one = chain().serve();
    let port = one.0.url.rsplit_once(':').unwrap().1;
    for name in ["localhost", "127.0.0.2", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0"] {
        let alias = RpcClient::new(&format!("http://{name}:{port}"), crate::testing::options()).unwrap();
        let error = light(vec![one.1.clone()], vec![alias.clone()]).update(now()).unwrap_err();
        let LightError::NoWitness { height: 4, refused } = &error else { panic!("{name}: {error}") };
        let same = Accusation::new(Server::Witness(alias.url().to_owned()), Fault::SameServer(one.0.url.clone()));
        assert_eq!(refused, &[same], "{name}");
        assert!(!error.is_lie());
    }
}

#[test]
fn a_node_that_answers_slowly_and_endlessly_is_left_when_its_time_is_over() {
    let one = chain().serve();
    // Pages of one validator after the other, each in good time.
    let liar = chain().serve_with(Vec::new(), |asked, mut answer| {
        if asked["method"] == "validators" {
            std::thread::sleep(Duration::from_secs(2));
            let info = answer["result"]["validators"][0].clone();
            answer["result"]["total"] = serde_json::json!("10000");
            answer["result"]["validators"] = serde_json::json!(vec![info; 100]);
        }
        answer
    });
    let witness = chain().serve();
    let mut client = light(vec![liar.1, one.1.clone()], vec![witness.1]);
    // The honest one has as long; all of the liar's pages would take more than three minutes.
    client.options.server_time = Duration::from_secs(10);
    let updated = client.update(now()).unwrap();
    assert_eq!(updated.node, one.0.url);
    assert!(updated.refused[0].fault.to_string().contains("all of the 10 s"), "{}", updated.refused[0]);
}

#[test]
fn lying_nodes_are_named_and_the_next_is_asked() {
    let (liar, silent, honest, witness) =
        (forged(&[1, 2]).serve(), serve(|_| Reply::Nothing), chain().serve(), chain().serve());
    let mut client = light(vec![liar.1, silent.1, honest.1], vec![witness.1]);
    let updated = client.update(now()).unwrap();
    assert_eq!(updated.header.hash(), chain().hash(4));
    assert_eq!(updated.node, honest.0.url);
    let refused: Vec<_> = updated.refused.iter().map(|one| (one.server.clone(), one.fault.is_lie())).collect();
    assert_eq!(refused, [(Server::Rpc(liar.0.url.clone()), true), (Server::Rpc(silent.0.url.clone()), false)]);
}

#[test]
fn where_every_node_lies_nothing_is_believed() {
    let (one, two, witness) = (forged(&[1]).serve(), forged(&[2]).serve(), chain().serve());
    let mut client = light(vec![one.1, two.1], vec![witness.1]);
    let error = client.update(now()).unwrap_err();
    assert!(matches!(&error, LightError::NoHeader(refused) if refused.len() == 2) && error.is_lie());
    assert!(error.to_string().contains(&one.0.url) && error.to_string().contains(&two.0.url), "{error}");
    assert_eq!(client.trusted().height(), 1);
}

#[test]
fn a_witness_with_a_header_that_is_not_signed_is_named_and_does_not_stop_the_others() {
    let (node, liar, witness) = (chain().serve(), forged(&[3]).serve(), chain().serve());
    let mut client = light(vec![node.1.clone()], vec![liar.1.clone(), witness.1]);
    let updated = client.update(now()).unwrap();
    assert_eq!(updated.confirmed_by, std::slice::from_ref(&witness.0.url));
    assert_eq!(updated.refused.len(), 1);
    assert_eq!(updated.refused[0].server, Server::Witness(liar.0.url.clone()));
    assert!(matches!(&updated.refused[0].fault, Fault::Header(HeaderFault::Conflict { height: 4, .. })));

    let error = light(vec![node.1], vec![liar.1]).update(now()).unwrap_err();
    assert!(matches!(&error, LightError::NoWitness { .. }) && error.is_lie());
}

#[test]
fn two_signed_headers_of_one_height_are_a_fork_and_neither_is_believed() {
    let (node, fork, witness) = (chain().serve(), forged(&[1, 2, 3, 4]).serve(), chain().serve());
    for (node, witnesses) in [(&node, vec![witness.1.clone(), fork.1.clone()]), (&fork, vec![witness.1.clone()])] {
        let mut client = light(vec![node.1.clone()], witnesses);
        let error = client.update(now()).unwrap_err();
        let LightError::Fork { primary, height, hashes, .. } = &error else { panic!("{error}") };
        assert_eq!((primary, height), (&node.0.url, &4));
        assert!(hashes[0] != hashes[1] && error.is_lie());
        assert_eq!(client.trusted().height(), 1);
    }
}

#[test]
fn a_header_that_is_too_old_is_refused_and_a_fresher_node_asked() {
    let mut behind = chain();
    behind.headers.truncate(2);
    behind.seeds.truncate(3);
    let (slow, fresh, witness) = (behind.serve(), chain().serve(), chain().serve());
    let later = (now() + Duration::from_secs(60)).unwrap();
    let mut client = light(vec![slow.1.clone(), fresh.1], vec![witness.1.clone()]);
    let updated = client.update(later).unwrap();
    assert_eq!(updated.header.height(), 4);
    let fault = HeaderFault::TooOld { height: 2, age: 62, most: 60 };
    assert_eq!(updated.refused, [Accusation::new(Server::Rpc(slow.0.url.clone()), fault)]);
    let error = light(vec![slow.1], vec![witness.1]).update(later).unwrap_err();
    assert!(matches!(&error, LightError::NoHeader(_)) && !error.is_lie());
}

#[test]
fn a_witness_that_is_behind_is_waited_for_and_then_named() {
    let mut behind = chain();
    behind.headers.truncate(3);
    behind.seeds.truncate(4);
    let (node, slow) = (chain().serve(), behind.serve());
    let error = light(vec![node.1], vec![slow.1]).update(now()).unwrap_err();
    assert!(matches!(&error, LightError::NoWitness { .. }) && !error.is_lie());
    assert!(slow.0.requests() > 10);
}

#[test]
fn stale_trust_ends() {
    let (node, witness) = (chain().serve(), chain().serve());
    let mut client = light(vec![node.1], vec![witness.1]);
    let later = (now() + LightOptions::default().trusting_period).unwrap();
    let error = client.update(later).unwrap_err();
    assert!(matches!(error, LightError::TrustExpired { height: 1, period: 1_209_600, .. }) && !error.is_lie());
    assert_eq!(node.0.requests(), 0);
}

#[test]
fn a_start_names_every_node_that_has_another_header_than_the_trusted_one() {
    let other = TestChain::new("test", &[[5; 32]], now(), |_| vec![1, 2, 3, 4]).serve();
    let point = TrustPoint { height: 1, hash: chain().hash(1) };
    let start = |nodes| LightClient::start(&point, nodes, Witnesses::Nobody, LightOptions::default());
    let error = start(vec![other.1.clone()]).unwrap_err();
    assert!(error.is_lie() && error.to_string().contains(&other.0.url), "{error}");
    let honest = chain().serve();
    let (client, refused) = start(vec![other.1, honest.1]).unwrap();
    assert_eq!((client.trusted().height(), refused.len()), (1, 1));
}
