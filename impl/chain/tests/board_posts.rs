//! The policy `board`: whose posts pass, by their shape and by their signatures.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use aardvark_chain::board::operations_of;
use aardvark_chain::{
    BlockLimits, ChainBlock, ChainBlockError, ChainGenesis, ChainGenesisError, Policy, SignerSignature, TxCode,
};
use aardvark_dictionary::{AggregatedBlock, DictionaryId, Operation, Parameters, Transaction, Unopened, Value};
use aardvark_mixnet::post::{AdmittedAs, Draft};
use aardvark_mixnet::{CeremonyName, Identity, Kind, PostKey};

const DICTIONARY: DictionaryId = DictionaryId([1; 32]);

/// Somebody: 20 the organiser whom genesis names, 100 an admitted sender, 1 server 1.
fn person(number: u8) -> Identity {
    Identity::new([number; 32])
}

fn policy() -> Policy {
    Policy::Board { organisers: [person(20).author()].into() }
}

/// The organiser's ceremony.
fn name() -> CeremonyName {
    CeremonyName { dictionary: DICTIONARY.0, organiser: person(20).author(), number: 1 }
}

fn key(kind: Kind, sequence: u16, author: u8) -> PostKey {
    name().key(kind, None, sequence, person(author).author())
}

fn value(key: PostKey, body: &[u8], signer: u8) -> Vec<u8> {
    Draft::new(&DICTIONARY.0, key, body.to_vec(), &person(signer)).posted(Vec::new()).value
}

/// A post with the admission that the organiser signed for its author.
fn post(key: PostKey, body: &[u8], signer: u8) -> Vec<Operation> {
    let admission = key.admission().map(|admission| value(admission, b"", 20));
    operations_of(&key, &value(key, body, signer), admission.as_deref())
}

fn transaction(operations: &[Operation]) -> Transaction<Unopened> {
    Transaction { first_valid: 1, last_valid: 1, nonce: [0; 16], operations: operations.to_vec(), claims: Vec::new() }
}

/// What CheckTx says before it looks at openings.
fn says(operations: &[Operation]) -> TxCode {
    let (policy, transaction) = (policy(), transaction(operations));
    match policy.check(&transaction, &[], &[]) {
        Err(code) => code,
        Ok(()) if policy.signatures_hold(&transaction, &[], &DICTIONARY) => TxCode::Applied,
        Ok(()) => TxCode::SignatureFalse,
    }
}

#[test]
fn posts_of_organisers_and_of_whom_they_admit_pass_alone_and_together() {
    let terms = post(name().terms_key(), b"terms", 20);
    let admission = name().admission_key(AdmittedAs::Sender, person(100).author());
    let admits = operations_of(&admission, &value(admission, b"", 20), None);
    let (input, dealing) = (post(key(Kind::Input, 0, 100), b"input", 100), post(key(Kind::Dealing, 1, 1), b"deal", 1));
    let absent = post(key(Kind::Absent, (Kind::Layer as u16) << 8 | 1, 20), b"", 20);
    let all = [&terms, &admits, &input, &dealing, &absent];
    for operations in all {
        assert_eq!(says(operations), TxCode::Applied, "{operations:?}");
    }
    let together: Vec<Operation> = all.into_iter().flatten().cloned().collect();
    assert_eq!(says(&together), TxCode::Applied);
    // The work is counted on those who signed the posts, each once, whoever relays them.
    let mut authors = [20, 100, 1].map(|number| person(number).author());
    authors.sort_unstable();
    assert_eq!(policy().signers(&transaction(&together), &[]), authors);
}

#[test]
fn what_no_organiser_has_admitted_is_refused_before_any_state_is_asked() {
    let honest = post(key(Kind::Input, 0, 100), b"input", 100);
    let own = key(Kind::Input, 0, 9);
    let with = |admission: &[u8]| operations_of(&own, &value(own, b"input", 9), Some(admission));
    let admission = name().admission_key(AdmittedAs::Sender, person(9).author());
    let swapped = |place: usize, operation: Operation| {
        let mut operations = honest.clone();
        operations[place] = operation;
        operations
    };
    let other_body = Value::from(value(key(Kind::Input, 0, 100), b"other", 9).as_slice());
    let foreign = CeremonyName { organiser: person(9).author(), ..name() };
    let close = key(Kind::Close, 0, 20);
    let refused = [
        // A stranger without an admission, with one that it signed itself, or that it posts.
        (operations_of(&own, &value(own, b"input", 9), None), TxCode::AdmissionNotRequired),
        (with(&value(admission, b"", 9)), TxCode::SignatureFalse),
        (operations_of(&admission, &value(admission, b"", 9), None), TxCode::SignatureFalse),
        // The admission of another author, or as something else.
        (swapped(0, post(key(Kind::Input, 0, 101), b"", 101)[0].clone()), TxCode::AdmissionNotRequired),
        (swapped(0, post(key(Kind::Query, 0, 100), b"", 100)[0].clone()), TxCode::AdmissionNotRequired),
        // A ceremony of its own; the organiser's posts; servers without a number.
        (operations_of(&foreign.terms_key(), &value(foreign.terms_key(), b"", 9), None), TxCode::OrganiserUnknown),
        (operations_of(&key(Kind::Close, 0, 9), &value(key(Kind::Close, 0, 9), b"", 9), None), TxCode::PostForbidden),
        (operations_of(&close, &value(close, b"", 9), None), TxCode::SignatureFalse),
        (post(key(Kind::Layer, 0, 1), b"", 1), TxCode::PostForbidden),
        (post(key(Kind::Shares, 256, 1), b"", 1), TxCode::PostForbidden),
        // Another body; gates left out, or others; no post at the end; what is none, or deletes.
        (swapped(3, Operation::Put(honest[3].key().clone(), other_body)), TxCode::SignatureFalse),
        ([&honest[..2], &honest[3..]].concat(), TxCode::GateNotRequired),
        (swapped(2, Operation::Require("k".into(), None)), TxCode::GateNotRequired),
        (honest[..3].to_vec(), TxCode::PostMalformed),
        (Vec::new(), TxCode::PostMalformed),
        (vec![Operation::Put("k".into(), "v".into())], TxCode::PostMalformed),
        (swapped(2, Operation::Delete(honest[3].key().clone())), TxCode::OperationForbidden),
    ];
    for (operations, code) in refused {
        assert_eq!(says(&operations), code, "{operations:?}");
    }
    // A signature of the transaction is one too many, and posts are of one dictionary.
    let signer = SignerSignature { public_key: person(100).author(), signature: [0; 64] };
    assert_eq!(policy().check(&transaction(&honest), &[signer], &[]), Err(TxCode::SignerSuperfluous));
    assert!(!policy().signatures_hold(&transaction(&honest), &[], &DictionaryId([2; 32])));
}

#[test]
fn a_block_is_refused_by_the_first_post_that_nobody_signed() {
    let mut block = ChainBlock { aggregated: AggregatedBlock::default(), signatures: vec![], certificates: vec![] };
    let honest = [post(key(Kind::Input, 0, 100), b"input", 100), post(key(Kind::Dealing, 1, 1), b"deal", 1)];
    block.aggregated.block.transactions = honest.iter().map(|operations| transaction(operations)).collect();
    let authorize = |block: &ChainBlock| block.authorize(&policy(), &BlockLimits::default(), &DICTIONARY);
    assert_eq!(authorize(&block), Ok(()));
    // The signature of the post, and that of the admission.
    for place in [honest[1].len() - 1, 0] {
        let mut spoilt = block.clone();
        let operation = &mut spoilt.aggregated.block.transactions[1].operations[place];
        let mut bytes = operation.value().unwrap().to_vec();
        *bytes.last_mut().unwrap() ^= 1;
        let (key, value) = (operation.key().clone(), Value::from(bytes.as_slice()));
        *operation = if place == 0 { Operation::Require(key, Some(value)) } else { Operation::Put(key, value) };
        assert_eq!(
            authorize(&spoilt),
            Err(ChainBlockError::Forbidden { transaction: 1, code: TxCode::SignatureFalse })
        );
    }
}

#[test]
fn a_board_begins_empty_and_with_an_organiser() {
    let with = |organisers: &[u8], entries: &[(&str, &str)], max_value_length: u16| {
        let policy = Policy::Board { organisers: organisers.iter().map(|key| [*key; 32]).collect() };
        let entries = entries.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect();
        let parameters = Parameters { vector_size: 8, max_value_length, ..Parameters::default() };
        ChainGenesis::new("test", [0; 32], parameters, policy, entries)
    };
    let chain = with(&[7], &[], 1024).unwrap();
    let again = ChainGenesis::from_app_state("test", chain.to_app_state().to_string().as_bytes()).unwrap();
    assert_eq!(again.policy(), &Policy::Board { organisers: [[7; 32]].into() });
    assert!(matches!(with(&[], &[], 1024), Err(ChainGenesisError::NoOrganiser)));
    assert!(matches!(with(&[7], &[("k", "v")], 1024), Err(ChainGenesisError::PostInGenesis(_))));
    assert!(matches!(with(&[7], &[], 1023), Err(ChainGenesisError::PostsDoNotFit)));
}
