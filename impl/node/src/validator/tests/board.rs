//! Posts of ceremonies on a chain: what organisers, those whom they admit, and strangers get into
//! blocks.

use aardvark_chain::board::operations_of;
use aardvark_chain::{ChainBlock, ChainGenesis, ChainGenesisError, Policy, SignedTransaction, TxCode};
use aardvark_dictionary::{Operation, Parameters, Reason, Value};
use aardvark_mixnet::post::{AdmittedAs, Draft};
use aardvark_mixnet::{CeremonyName, Identity, Kind, PostKey};
use prost::bytes::Bytes;

use super::{LIMIT, Scene, codes, small};

/// The organiser whom genesis names.
fn organiser() -> Identity {
    Identity::new([20; 32])
}

/// The ceremony of an organiser on the chain of a scene.
fn ceremony(scene: &Scene, organiser: &Identity) -> CeremonyName {
    let dictionary = scene.genesis.genesis().dictionary_id().0;
    CeremonyName { dictionary, organiser: organiser.author(), number: 1 }
}

/// The value of a post with a short body.
fn value(scene: &Scene, key: PostKey, body: &[u8], signer: &Identity) -> Vec<u8> {
    let dictionary = scene.genesis.genesis().dictionary_id().0;
    Draft::new(&dictionary, key, body.to_vec(), signer).posted(Vec::new()).value
}

/// A chain with a ceremony, in which senders 100 and 101 and server 1 are admitted.
struct Board {
    scene: Scene,
    name: CeremonyName,
}

fn begin() -> Scene {
    let policy = Policy::Board { organisers: [organiser().author()].into() };
    Scene::begin(&[], "test", ChainGenesis::new("test", [0; 32], small(), policy, Vec::new()).unwrap())
}

impl Board {
    fn begun() -> Self {
        let scene = begin();
        let name = ceremony(&scene, &organiser());
        let mut board = Self { scene, name };
        let mut operations = board.writes(name.terms_key(), b"terms", &organiser(), None);
        for (admitted, author) in [(AdmittedAs::Sender, 100), (AdmittedAs::Sender, 101), (AdmittedAs::Server(1), 1)] {
            operations.extend(board.admits(admitted, author));
        }
        let begin = board.unsigned(&operations);
        assert_eq!(board.scene.check(&begin), TxCode::Applied);
        assert_eq!(codes(&board.scene.step(&[begin]).1), [TxCode::Applied; 2]);
        board
    }

    /// A transaction that nobody has signed, as all are.
    fn unsigned(&mut self, operations: &[Operation]) -> Vec<u8> {
        let (transaction, id) = (self.scene.transaction(operations), self.scene.genesis.genesis().dictionary_id());
        SignedTransaction::sign(transaction, &id, &[]).encode()
    }

    fn writes(&self, key: PostKey, body: &[u8], signer: &Identity, admission: Option<&[u8]>) -> Vec<Operation> {
        operations_of(&key, &value(&self.scene, key, body, signer), admission)
    }

    fn admission(&self, admitted: AdmittedAs, author: u8) -> (PostKey, Vec<u8>) {
        let key = self.name.admission_key(admitted, Identity::new([author; 32]).author());
        (key, value(&self.scene, key, b"", &organiser()))
    }

    fn admits(&self, admitted: AdmittedAs, author: u8) -> Vec<Operation> {
        let (key, value) = self.admission(admitted, author);
        operations_of(&key, &value, None)
    }

    fn key(&self, kind: Kind, sequence: u16, author: u8) -> PostKey {
        self.name.key(kind, None, sequence, Identity::new([author; 32]).author())
    }

    /// What an author has to write who is admitted.
    fn post(&self, kind: Kind, sequence: u16, author: u8) -> Vec<Operation> {
        let key = self.key(kind, sequence, author);
        let admission = self.admission(key.admitted_as().unwrap(), author).1;
        self.writes(key, b"body", &Identity::new([author; 32]), Some(&admission))
    }

    fn word(&self, kind: Kind, sequence: u16) -> Vec<Operation> {
        let key = self.name.key(kind, None, sequence, organiser().author());
        self.writes(key, b"", &organiser(), None)
    }

    fn says(&mut self, operations: &[Operation]) -> TxCode {
        let tx = self.unsigned(operations);
        self.scene.check(&tx)
    }

    fn applies(&mut self, operations: &[Operation]) {
        let tx = self.unsigned(operations);
        assert_eq!(self.scene.check(&tx), TxCode::Applied);
        assert_eq!(codes(&self.scene.step(&[tx]).1), [TxCode::Applied; 2]);
    }
}

#[test]
fn who_is_admitted_posts_once_and_not_past_a_gate() {
    let mut board = Board::begun();
    let (input, dealing) = (board.post(Kind::Input, 0, 100), board.post(Kind::Dealing, 1, 1));
    let txs = [board.unsigned(&input), board.unsigned(&dealing)];
    assert!(txs.iter().all(|tx| board.scene.check(tx) == TxCode::Applied));
    let response = board.scene.step(&txs).1;
    assert_eq!(codes(&response), [TxCode::Applied; 3]);
    // Whose posts they are, an index can be asked.
    let author = hex::encode(Identity::new([100; 32]).author());
    assert_eq!(response.tx_results[1].events[0].attributes[2].value, author);
    // Who relays a post, in a transaction of whatever kind, finds it there; so does a second one.
    assert_eq!(board.says(&input), TxCode::Rejected(Reason::RequireFailed));
    let key = board.key(Kind::Input, 0, 100);
    let admission = board.admission(AdmittedAs::Sender, 100).1;
    let second = board.writes(key, b"second", &Identity::new([100; 32]), Some(&admission));
    assert_eq!(board.says(&second), TxCode::Rejected(Reason::RequireFailed));
    assert_eq!(board.scene.prepare(&txs, LIMIT).len(), 0);
    // Gates: inputs end with the close, and a server that was declared absent stays so.
    let close = board.word(Kind::Close, 0);
    board.applies(&close);
    let late = board.post(Kind::Input, 0, 101);
    assert_eq!(board.says(&late), TxCode::Rejected(Reason::RequireFailed));
    let absent = board.word(Kind::Absent, (Kind::Layer as u16) << 8 | 1);
    board.applies(&absent);
    let layer = board.post(Kind::Layer, 1, 1);
    assert_eq!(board.says(&layer), TxCode::Rejected(Reason::RequireFailed));
    let agreement = board.post(Kind::Agreement, 1, 1);
    board.applies(&agreement);
}

#[test]
fn what_no_organiser_has_admitted_does_not_wait_for_a_block() {
    let mut board = Board::begun();
    let (honest, stranger) = (board.post(Kind::Input, 0, 100), Identity::new([9; 32]));
    let own = board.key(Kind::Input, 0, 9);
    let forged_admission = {
        let key = board.name.admission_key(AdmittedAs::Sender, stranger.author());
        let signed = value(&board.scene, key, b"", &stranger);
        (key, signed)
    };
    let other_admission = board.admission(AdmittedAs::Sender, 101).1;
    let mut of_another = board.writes(own, b"body", &stranger, Some(&other_admission));
    of_another[0] = board.post(Kind::Input, 0, 101)[0].clone();
    let mut as_server = board.post(Kind::Input, 0, 1);
    as_server[0] = board.post(Kind::Dealing, 1, 1)[0].clone();
    let foreign = {
        // A ceremony of the stranger's own, and an author whom it admits.
        let name = ceremony(&board.scene, &stranger);
        board.writes(name.terms_key(), b"terms", &stranger, None)
    };
    let changed_body = {
        let mut operations = honest.clone();
        let last = operations.len() - 1;
        let other = value(&board.scene, board.key(Kind::Input, 0, 100), b"other", &stranger);
        operations[last] = Operation::Put(honest[last].key().clone(), Value::from(other.as_slice()));
        operations
    };
    let close = |signer: &Identity| {
        let key = board.name.key(Kind::Close, None, 0, organiser().author());
        // The key stays the organiser's, whoever signs.
        operations_of(&key, &value(&board.scene, key, b"", signer), None)
    };
    let with = |operations: &[Operation], place: usize, operation: Operation| {
        let mut operations = operations.to_vec();
        operations.insert(place, operation);
        operations
    };
    let refused = [
        // A stranger: no admission, one of its own making, one that the organiser signed for
        // another, or as another kind of author, or for this one and never posted.
        (board.writes(own, b"body", &stranger, None), TxCode::AdmissionNotRequired),
        (board.writes(own, b"body", &stranger, Some(&forged_admission.1)), TxCode::Rejected(Reason::RequireFailed)),
        (operations_of(&forged_admission.0, &forged_admission.1, None), TxCode::SignatureFalse),
        (of_another, TxCode::AdmissionNotRequired),
        (as_server, TxCode::AdmissionNotRequired),
        (board.post(Kind::Input, 0, 9), TxCode::Rejected(Reason::RequireFailed)),
        (board.post(Kind::Layer, 2, 1), TxCode::Rejected(Reason::RequireFailed)),
        (foreign, TxCode::OrganiserUnknown),
        // The organiser's posts by somebody else, and servers without a number.
        (board.writes(board.key(Kind::Close, 0, 100), b"", &Identity::new([100; 32]), None), TxCode::PostForbidden),
        (close(&stranger), TxCode::SignatureFalse),
        (board.writes(board.key(Kind::Layer, 0, 1), b"", &Identity::new([1; 32]), None), TxCode::PostForbidden),
        (board.writes(board.key(Kind::Shares, 256, 1), b"", &Identity::new([1; 32]), None), TxCode::PostForbidden),
        // Another body under an author's key; gates left out or others; no post; what deletes.
        (changed_body, TxCode::SignatureFalse),
        ([&honest[..2], &honest[3..]].concat(), TxCode::GateNotRequired),
        (with(&honest, 1, Operation::Require("k".into(), None)), TxCode::GateNotRequired),
        (with(&honest, 4, Operation::Require("k".into(), None)), TxCode::PostMalformed),
        (honest[..3].to_vec(), TxCode::PostMalformed),
        (vec![Operation::Put("k".into(), "v".into())], TxCode::PostMalformed),
        (with(&honest, 0, Operation::Delete(honest[3].key().clone())), TxCode::OperationForbidden),
        (with(&honest, 4, Operation::Add("k".into(), 1)), TxCode::OperationForbidden),
    ];
    for (operations, code) in refused {
        let tx = board.unsigned(&operations);
        assert_eq!(board.scene.check(&tx), code, "{operations:?}");
        assert!(board.scene.prepare(&[tx], LIMIT).is_empty());
    }
    // A signature of the transaction is one too many.
    let transaction = board.scene.transaction(&honest);
    let signed = board.scene.sign(transaction);
    assert_eq!(board.scene.check(&signed), TxCode::SignerSuperfluous);
    board.applies(&honest);
}

#[test]
fn a_block_with_a_post_that_nobody_signed_is_refused_and_decided_all_the_same_it_is_empty() {
    let mut board = Board::begun();
    let (input, dealing) = (board.post(Kind::Input, 0, 100), board.post(Kind::Dealing, 1, 1));
    let txs = [board.unsigned(&input), board.unsigned(&dealing)];
    let honest = board.scene.prepare(&txs, LIMIT);
    assert_eq!(honest.len(), 3);
    let parameters = board.scene.genesis.genesis().parameters().clone();
    let spoilt = |place: usize, last: u8| -> Vec<Bytes> {
        let mut block = ChainBlock::from_txs(2, &honest, &parameters).unwrap();
        let operation = &mut block.aggregated.block.transactions[0].operations[place];
        match operation {
            Operation::Require(_, Some(value)) | Operation::Put(_, value) => {
                let mut bytes = value.to_vec();
                *bytes.last_mut().unwrap() ^= last;
                *value = Value::from(bytes.as_slice());
            }
            _ => panic!("a value is to be changed"),
        }
        block.to_txs().into_iter().map(Bytes::from).collect()
    };
    // The signature of the post, and that of the admission.
    let lists = [spoilt(3, 1), spoilt(0, 1)];
    assert!(lists.iter().all(|list| !board.scene.accepts(list)));
    let before = board.scene.app.state().state();
    assert_eq!(codes(&board.scene.decide(&lists[0])), [TxCode::BlockRefused; 3]);
    assert_eq!(board.scene.app.state().state().commitments, before.commitments);
    assert_eq!(codes(&board.scene.step(&txs).1), [TxCode::Applied; 3]);
}

#[test]
fn the_work_of_a_post_is_counted_on_its_author_whoever_relays_it() {
    let mut board = Board::begun();
    let (input, close) = (board.post(Kind::Input, 0, 100), board.word(Kind::Close, 0));
    let txs = [board.unsigned(&input), board.unsigned(&close)];
    let limits = &board.scene.genesis.genesis().parameters().limits;
    let signers = txs.each_ref().map(|tx| {
        let signed = SignedTransaction::decode(tx, limits).unwrap();
        board.scene.genesis.policy().signers(&signed.transaction, &signed.signatures)
    });
    assert_eq!(signers, [vec![Identity::new([100; 32]).author()], vec![organiser().author()]]);
}

#[test]
fn a_board_begins_empty_and_with_an_organiser() {
    let with = |organisers: &[u8], entries: &[(&str, &str)], parameters: Parameters| {
        let policy = Policy::Board { organisers: organisers.iter().map(|key| [*key; 32]).collect() };
        let entries = entries.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect();
        ChainGenesis::new("test", [0; 32], parameters, policy, entries)
    };
    assert!(with(&[7], &[], small()).is_ok());
    assert!(matches!(with(&[], &[], small()), Err(ChainGenesisError::NoOrganiser)));
    assert!(matches!(with(&[7], &[("k", "v")], small()), Err(ChainGenesisError::PostInGenesis(_))));
    let short = Parameters { max_value_length: 1023, ..small() };
    assert!(matches!(with(&[7], &[], short), Err(ChainGenesisError::PostsDoNotFit)));
}
