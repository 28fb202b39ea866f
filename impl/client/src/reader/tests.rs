//! A whole network of servers, some of them hostile: whatever they do, what is answered is true or
//! nothing is.

use std::sync::Arc;

use aardvark_proof::proof_json::Proof;

use super::*;
use crate::archive::is_missing_version;
use crate::light::{Fault, HeaderFault, LightOptions, ProofFault, TrustPoint, Witnesses};
use crate::testing::{Reply, Request, TestServer};
use crate::testing::{TestChain, TestDictionary, VERSIONS, options};

mod answers;

const CHAIN: &str = "aardvark-test";

fn now() -> Time {
    Time::from_unix_timestamp(1_800_000_000, 0).unwrap()
}

/// A dictionary, its chain, a node and a witness; the archives are the test's.
struct Network {
    dictionary: Arc<TestDictionary>,
    node: RpcClient,
    witness: RpcClient,
    point: TrustPoint,
    _servers: [TestServer; 2],
}

impl Network {
    fn new() -> Self {
        let dictionary = Arc::new(TestDictionary::new("v"));
        let chain = TestChain::new(CHAIN, &dictionary.roots(), now(), |_| vec![1, 2, 3, 4]);
        let point = TrustPoint { height: 1, hash: chain.hash(1) };
        let serve = || chain.serve_with(dictionary.genesis_file(CHAIN), |_, answer| answer);
        let ((one, node), (two, witness)) = (serve(), serve());
        Self { dictionary, node, witness, point, _servers: [one, two] }
    }

    /// An archive that changes its proofs.
    fn archive(&self, change: impl Fn(Proof) -> Proof + Send + Sync + 'static) -> TestServer {
        let dictionary = Arc::clone(&self.dictionary);
        TestServer::new(move |request: &Request| dictionary.answer(request, &change))
    }

    fn honest(&self) -> TestServer {
        self.archive(|proof| proof)
    }

    fn reader(&self, archives: &[&TestServer]) -> Reader {
        self.reader_of(self.node.clone(), archives)
    }

    fn reader_of(&self, node: RpcClient, archives: &[&TestServer]) -> Reader {
        let witnesses = Witnesses::Compare(vec![self.witness.clone()]);
        let nodes = vec![node, self.node.clone()];
        let (light, _) = LightClient::start(&self.point, nodes, witnesses, LightOptions::default()).unwrap();
        let client = |server: &&TestServer| ArchiveClient::new(&server.url, options()).unwrap();
        Reader::new(light, archives.iter().map(client).collect(), None)
    }

    /// What one key is, from these archives, and who was not believed.
    fn get(&self, key: &str, archives: &[&TestServer]) -> Result<(Option<String>, Vec<Accusation>), LightError> {
        let read = self.reader(archives).read(&[(key.into(), Question::Get)], now())?;
        let value = read.answers[0].value.as_ref().map(|value| String::from_utf8(value.to_vec()).unwrap());
        Ok((value, read.refused))
    }

    /// A hostile archive before an honest one: the answer is the honest one's, and the hostile one
    /// is named with its fault.
    fn fault_of(&self, hostile: &TestServer) -> Fault {
        let honest = self.honest();
        let (value, refused) = self.get("key-20", &[hostile, &honest]).unwrap();
        assert_eq!(value.as_deref(), Some("v"));
        assert_eq!(refused.len(), 1);
        assert_eq!(refused[0].server, Server::Archive(hostile.url.clone()));
        let error = self.get("key-20", &[hostile]).unwrap_err();
        assert_eq!(error, LightError::NoProof(refused.clone()));
        assert_eq!(error.is_lie(), refused[0].fault.is_lie());
        refused[0].fault.clone()
    }

    fn proof_fault(&self, change: impl Fn(Proof) -> Proof + Send + Sync + 'static) -> ProofFault {
        match self.fault_of(&self.archive(change)) {
            Fault::Proof(fault) => fault,
            other => panic!("{other}"),
        }
    }
}

#[test]
fn values_and_absences_are_read_at_the_newest_certified_version() {
    let network = Network::new();
    let honest = network.honest();
    for (key, value) in [("key-20", Some("v")), ("key-07", None), ("round", Some("5")), ("nobody", None)] {
        let (found, refused) = network.get(key, &[&honest]).unwrap();
        assert_eq!((found.as_deref(), refused), (value, vec![]), "{key}");
    }
    let wanted = [("round".into(), Question::Delete), ("key-20".into(), Question::Get), ("a".into(), Question::Delete)];
    let read = network.reader(&[&honest]).read(&wanted, now()).unwrap();
    assert_eq!(read.updated.header.version(), VERSIONS);
    assert_eq!(read.answers.iter().map(|answer| answer.claims.len()).collect::<Vec<_>>(), [2, 1, 1]);
    assert_eq!(read.answers[1].value, Some("v".into()));
    assert_eq!(read.known.facts, network.dictionary.facts());
}

#[test]
fn an_archive_that_forges_values_or_absences_is_named_and_the_next_one_asked() {
    let network = Network::new();
    let value = network.proof_fault(|mut proof| {
        proof.claims[0].slot.value = "forged".into();
        proof
    });
    assert!(matches!(value, ProofFault::OpeningFalse { claim: 1, .. }));
    let dictionary = Arc::clone(&network.dictionary);
    let absence = network.proof_fault(move |proof| {
        let mut other = dictionary.prove(&"key-19".into(), proof.version, Question::Get);
        other.key = proof.key;
        other.claims[0].slot.next = "key-21".into();
        other
    });
    assert!(matches!(absence, ProofFault::OpeningFalse { claim: 1, .. }));
    let dictionary = Arc::clone(&network.dictionary);
    let other_slot = network.proof_fault(move |proof| Proof {
        key: proof.key,
        ..dictionary.prove(&"key-19".into(), proof.version, Question::Get)
    });
    assert_eq!(other_slot, ProofFault::NotCovering);
}

#[test]
fn an_archive_that_answers_with_another_version_is_named_whatever_the_proof_says_of_itself() {
    let network = Network::new();
    let dictionary = Arc::clone(&network.dictionary);
    let stale = network.proof_fault(move |proof| dictionary.prove(&proof.key, 2, Question::Get));
    assert!(matches!(stale, ProofFault::AboutAnother { what: "version", .. }));
    let dictionary = Arc::clone(&network.dictionary);
    let relabelled = network.proof_fault(move |proof| {
        let mut stale = dictionary.prove(&proof.key, 2, Question::Get);
        stale.version = proof.version;
        stale.root.as_mut().unwrap().version = proof.version;
        stale
    });
    assert_eq!(relabelled, ProofFault::RootFalse(VERSIONS));
    let future = network.proof_fault(|mut proof| {
        proof.version += 1;
        proof.root.as_mut().unwrap().version += 1;
        proof
    });
    assert!(matches!(future, ProofFault::AboutAnother { what: "version", .. }));
}

#[test]
fn an_archive_that_forges_root_parts_tails_or_paths_is_named() {
    let network = Network::new();
    let changes: [fn(&mut aardvark_proof::root_json::ProofRoot); 4] = [
        |root| root.size += 1,
        |root| root.tail_digest[31] ^= 1,
        |root| root.tail_start += 8,
        |root| root.commitment_root[0] ^= 1,
    ];
    for change in changes {
        let fault = network.proof_fault(move |mut proof| {
            change(proof.root.as_mut().unwrap());
            proof
        });
        assert_eq!(fault, ProofFault::RootFalse(VERSIONS));
    }
    let path = network.proof_fault(|mut proof| {
        proof.root.as_mut().unwrap().claims[0].path[1][7] ^= 1;
        proof
    });
    assert_eq!(path, ProofFault::PathFalse(1));
    let none = network.proof_fault(|proof| Proof { root: None, ..proof });
    assert_eq!(none, ProofFault::NoRoot);
}

#[test]
fn an_archive_of_another_chain_is_named() {
    let network = Network::new();
    let other = Arc::new(TestDictionary::new("w"));
    let served = Arc::clone(&other);
    let foreign = TestServer::new(move |request: &Request| served.answer(request, |proof| proof));
    assert!(matches!(network.fault_of(&foreign), Fault::Proof(ProofFault::AboutAnother { what: "dictionary", .. })));
    let id = network.dictionary.facts().id;
    let disguised =
        TestServer::new(move |request: &Request| other.answer(request, |proof| Proof { dictionary: id, ..proof }));
    assert_eq!(network.fault_of(&disguised), Fault::Proof(ProofFault::RootFalse(VERSIONS)));
}

#[test]
fn oversized_endless_and_malformed_answers_are_refused_and_named() {
    let network = Network::new();
    let malformed = |body: &'static str| {
        let server = TestServer::new(move |_| Reply::Body(200, body.as_bytes().to_vec()));
        assert!(matches!(network.fault_of(&server), Fault::Malformed(_)), "{body}");
    };
    malformed("");
    malformed("<html>");
    malformed("{}");
    malformed(r#"{"version":5,"proofs":[]}"#);
    malformed(r#"{"version":5,"proofs":[{}]}"#);
    malformed(r#"{"version":5,"proofs":[null]}"#);
    malformed(r#"{"version":-5,"proofs":[]}"#);
    let deep = TestServer::new(|_| Reply::Body(200, format!("{{\"proofs\":{}", "[".repeat(10_000)).into_bytes()));
    assert!(matches!(network.fault_of(&deep), Fault::Malformed(_)));
    let strange = TestServer::new(|_| Reply::Body(503, b"go away".to_vec()));
    assert!(matches!(network.fault_of(&strange), Fault::Malformed(reason) if reason.contains("503")));
    let busy = TestServer::new(|_| Reply::Body(429, br#"{"error":"later","code":"busy"}"#.to_vec()));
    assert!(matches!(network.fault_of(&busy), Fault::Refused { code, .. } if code == "busy"));
    for silent in [
        Reply::Body(200, vec![b' '; 1 << 20]),
        Reply::Endless,
        Reply::Nothing,
        Reply::Redirect(network.node.url().to_owned()),
    ] {
        let server = TestServer::new(move |_| silent.clone());
        let fault = network.fault_of(&server);
        assert!(!fault.is_lie() && matches!(fault, Fault::Silent(_) | Fault::Malformed(_)), "{fault}");
    }
    let gone = { TestServer::new(|_| Reply::Nothing) }.url.clone();
    let refusing = ArchiveClient::new(&gone, options()).unwrap();
    assert!(matches!(refusing.proofs(None, false, &[("k".into(), Question::Get)]), Err(Fault::Silent(_))));
}

#[test]
fn an_archive_that_is_a_moment_behind_is_waited_for_and_one_that_stays_behind_is_left() {
    let network = Network::new();
    let (dictionary, asked) = (Arc::clone(&network.dictionary), std::sync::atomic::AtomicUsize::new(0));
    let behind = |version: u64| {
        Reply::Body(404, format!(r#"{{"error":"no version {version}","code":"no_such_version"}}"#).into_bytes())
    };
    let slow = TestServer::new(move |request| match asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed) {
        0..3 => behind(5),
        _ => dictionary.answer(request, |proof| proof),
    });
    assert_eq!(network.get("key-20", &[&slow]).unwrap(), (Some("v".to_owned()), vec![]));
    assert_eq!(slow.requests(), 4);
    let stopped = TestServer::new(move |_| behind(5));
    let (value, refused) = network.get("key-20", &[&stopped, &network.honest()]).unwrap();
    assert_eq!((value.as_deref(), refused.len(), is_missing_version(&refused[0].fault)), (Some("v"), 1, true));
}

#[test]
fn a_node_with_a_forged_genesis_is_named_and_the_next_node_s_taken() {
    let network = Network::new();
    let chain = TestChain::new(CHAIN, &network.dictionary.roots(), now(), |_| vec![1, 2, 3, 4]);
    let honest = network.honest();
    let other = TestDictionary::new("w");
    for (genesis, why) in [
        (other.genesis_file(CHAIN), "the root is over"),
        (network.dictionary.genesis_file("another"), "another"),
        (b"{}".to_vec(), "app_state"),
        (
            String::from_utf8(network.dictionary.genesis_file(CHAIN))
                .unwrap()
                .replace("\"vector_size\":8", "\"vector_size\":4")
                .into_bytes(),
            "the root is over",
        ),
    ] {
        let (server, liar) = chain.serve_with(genesis, |_, answer| answer);
        let mut reader = network.reader_of(liar, &[&honest]);
        let read = reader.read(&[("key-20".into(), Question::Get)], now()).unwrap();
        assert_eq!(read.answers[0].value, Some("v".into()));
        assert_eq!(read.known.source.as_deref(), Some(network.node.url()));
        let [Accusation { server: Server::Rpc(url), fault: Fault::Genesis(reason) }] = read.refused.as_slice() else {
            panic!("{why}: {:?}", read.refused);
        };
        assert!(*url == server.url && reason.contains(why), "{reason}");
        // Once known, it is not asked for again.
        let requests = server.requests();
        assert!(reader.read(&[("round".into(), Question::Get)], now()).unwrap().refused.is_empty());
        assert_eq!(server.requests() - requests, 1, "one header, which is the trusted one");
    }
}

#[test]
fn a_node_that_serves_a_forged_root_to_fit_a_lying_archive_is_named() {
    let network = Network::new();
    let other = Arc::new(TestDictionary::new("w"));
    let mut forged = TestChain::new(CHAIN, &network.dictionary.roots(), now(), |_| vec![1, 2, 3, 4]);
    let root = other.root(VERSIONS);
    forged
        .forge(VERSIONS + 1, &[1, 2], |header| header.app_hash = tendermint::AppHash::try_from(root.to_vec()).unwrap());
    let (server, liar) = forged.serve_with(other.genesis_file(CHAIN), |_, answer| answer);
    let archive = TestServer::new(move |request: &Request| other.answer(request, |proof| proof));
    let error =
        network.reader_of(liar.clone(), &[&archive]).read(&[("key-20".into(), Question::Get)], now()).unwrap_err();
    let LightError::NoProof(refused) = &error else { panic!("{error}") };
    assert!(
        matches!(&refused[0], Accusation { server: Server::Rpc(url), fault: Fault::Header(HeaderFault::Invalid { .. }) } if *url == server.url)
    );
    assert!(matches!(&refused[1], Accusation { server: Server::Archive(_), fault: Fault::Proof(_) }));
    let honest = network.honest();
    let read = network.reader_of(liar, &[&archive, &honest]).read(&[("key-20".into(), Question::Get)], now()).unwrap();
    assert_eq!((read.answers[0].value.clone(), read.archive), (Some("v".into()), honest.url.clone()));
}

#[test]
fn claims_for_a_transaction_come_from_the_first_archive_that_is_of_the_dictionary() {
    use crate::make::unproved_claims;
    let network = Network::new();
    let other = TestDictionary::new("w");
    let foreign = TestServer::new(move |request: &Request| other.answer(request, |proof| proof));
    let misplaced = network.archive(|mut proof| {
        proof.claims[0].slot.key = "zzz".into();
        proof.claims[0].slot.next = Key::empty();
        proof
    });
    let honest = network.honest();
    let client = |server: &TestServer| ArchiveClient::new(&server.url, options()).unwrap();
    let known = Known::of_facts(network.dictionary.facts());
    let wanted = [("key-20".into(), Question::Delete), ("nobody".into(), Question::Get)];
    let archives = [client(&foreign), client(&misplaced), client(&honest)];
    let (version, claims) = unproved_claims(&archives, &known, &wanted).unwrap();
    assert_eq!((version, claims.len()), (VERSIONS, 3));
    let error = unproved_claims(&archives[..2], &known, &wanted).unwrap_err();
    assert!(error.to_string().contains(&foreign.url) && error.to_string().contains(&misplaced.url), "{error}");
}
