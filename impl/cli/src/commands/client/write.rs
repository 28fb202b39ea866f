//! `aardvark client put`, `pay` and `submit`: a transaction from operations to its block.

use aardvark_chain::{Accounts, Policy, SignedTransaction};
use aardvark_client::light::{Accusation, clock};
use aardvark_client::make::{pay_fee, payment, unproved_claims};
use aardvark_client::{Entry, KeyFile, Known, MakeError, Repeat, Request, assemble, questions};
use aardvark_dictionary::{DictionaryId, Operation, Transaction};

use crate::commands::client::args::{Pay, Put, Signing, Submit};
use crate::commands::client::failure::ClientFailure;
use crate::commands::client::network::{Servers, has_trust, keep, known, reader, say};
use crate::commands::client::sending::{Next, Sending, Sent};
use crate::failure::Failure;
use crate::hex_text::encode;
use crate::input::read_file;
use crate::key_password;
use crate::key_text::{Notation, parse_key, parse_value};
use crate::notation::notation;
use crate::report::Report;
use crate::transaction_json::{LONGEST_TRANSACTION, read_operations};

/// Sets a key's value.
///
/// # Errors
/// [`Failure`].
pub fn put(arguments: &Put) -> Result<Report, Failure> {
    let (Some(name), Some(value)) = (&arguments.name, &arguments.value) else {
        return resume(&arguments.signing, None);
    };
    let notation = notation(arguments.text);
    let key = parse_key(name, notation)?;
    let value = parse_value(value, notation)?;
    write(&arguments.signing, vec![Operation::Put(key, value)], None)
}

/// Pays from the first key's account.
///
/// # Errors
/// [`Failure`].
pub fn pay(arguments: &Pay) -> Result<Report, Failure> {
    let (Some(to), Some(amount)) = (&arguments.to, arguments.amount) else {
        return resume(&arguments.signing, None);
    };
    let to = parse_key(to, Notation::TextOrHex)?;
    if to.len() != 32 {
        return Err(ClientFailure::Usage("an account is 0x and 64 hexadecimal digits".to_owned()).into());
    }
    let from = keys(&arguments.signing)?.first().map(KeyFile::account).unwrap_or_default();
    // The policy says what a payment is; that it is the chain's is seen by the dictionary's id,
    // below.
    let known = known(&arguments.signing.network, &Servers::of(&arguments.signing.network)?)?;
    let Some(rules) = known.policy.as_ref().and_then(Policy::accounts) else {
        return Err(ClientFailure::Usage("the chain's policy knows no payments".to_owned()).into());
    };
    write(&arguments.signing, payment(rules, from, to, amount), Some((rules, known.facts.id)))
}

/// Does a file's operations.
///
/// # Errors
/// [`Failure`].
pub fn submit(arguments: &Submit) -> Result<Report, Failure> {
    let Some(file) = &arguments.file else { return resume(&arguments.signing, None) };
    let text = read_file(file, LONGEST_TRANSACTION as u64)?;
    let name = file.display().to_string();
    let operations = read_operations(&text).map_err(|error| Failure::Json(name, error))?;
    write(&arguments.signing, operations, None)
}

fn keys(signing: &Signing) -> Result<Vec<KeyFile>, ClientFailure> {
    Ok(signing.keys.iter().map(|path| key_password::load(path)).collect::<Result<_, _>>()?)
}

/// A transaction with what it rests on.
struct Made {
    transaction: Transaction,
    known: Known,
    proved: bool,
    refused: Vec<Accusation>,
}

/// Goes on with a transaction that was made before.
fn resume(signing: &Signing, operations: Option<&[Operation]>) -> Result<Report, Failure> {
    let (keys, servers) = (keys(signing)?, Servers::of(&signing.network)?);
    let missing = || ClientFailure::Usage("--resume needs the id of a transaction".to_owned());
    let id = signing.resume.ok_or_else(missing)?;
    Sending::new(signing, &servers).resume(id, operations, &keys)
}

/// Whether doing it twice does something else than doing it once.
fn repeat(operations: &[Operation]) -> Repeat {
    let adds = operations.iter().any(|operation| matches!(operation, Operation::Add(..) | Operation::Sub(..)));
    if adds { Repeat::Once } else { Repeat::WhenDone }
}

/// A payment has its rules and the dictionary whose they are: the fee is added once the claims are
/// there. What is asked is the same whatever the fee.
fn write(
    signing: &Signing,
    operations: Vec<Operation>,
    payment: Option<(&Accounts, DictionaryId)>,
) -> Result<Report, Failure> {
    if signing.resume.is_some() {
        return resume(signing, Some(&operations));
    }
    let keys = keys(signing)?;
    if operations.is_empty() {
        return Err(ClientFailure::Make(MakeError::Nothing).into());
    }
    let servers = Servers::of(&signing.network)?;
    let asked = operations.clone();
    let mut made = make(signing, &servers, operations)?;
    say(&made.refused);
    let id = made.known.facts.id;
    if let Some((_, dictionary)) = payment.filter(|(_, dictionary)| *dictionary != id) {
        let [file, node] = [id, dictionary].map(|id| encode(&id.0));
        return Err(ClientFailure::AnotherChain { file, node }.into());
    }
    let signers: Vec<_> = keys.iter().map(KeyFile::public_key).collect();
    let request = Request::new(&id, &signers, &asked);
    let sending = Sending::new(signing, &servers);
    let number = match sending.next(&request, repeat(&asked), &made.refused)? {
        Next::Make(number) => number,
        Next::Said(report) => return Ok(*report),
    };
    made.transaction.nonce = request.nonce(number);
    let fee = payment.map(|(rules, _)| {
        pay_fee(rules, &mut made.transaction);
        rules.fee.paid(&made.transaction.operations)
    });
    let signing_keys: Vec<_> = keys.iter().map(|key| key.signing_key().clone()).collect();
    let signed = SignedTransaction::sign(made.transaction.clone(), &made.known.facts.id, &signing_keys);
    if let Some(Err(code)) = made
        .known
        .policy
        .as_ref()
        .map(|policy| policy.check(&signed.transaction, &signed.signatures, &signed.certificates))
    {
        return Err(ClientFailure::Usage(format!("the chain's policy refuses it ({}): {code}", code.name())).into());
    }
    let entry = Entry { request, number, dictionary: id, signed, applied: None };
    sending.make(&Sent { entry, proved: Some(made.proved), fee, refused: made.refused })
}

/// Claims through the light client where a header is trusted, else from an archive's word, which
/// validators judge.
fn make(signing: &Signing, servers: &Servers, operations: Vec<Operation>) -> Result<Made, Failure> {
    // The nonce says which of the request's transactions it is, once that is known.
    let nonce = [0; 16];
    let wanted = questions(&operations);
    if !has_trust(&signing.network) {
        let known = known(&signing.network, servers)?;
        let (version, claims) = unproved_claims(&servers.archives, &known, &wanted).map_err(ClientFailure::from)?;
        let transaction = assemble(operations, claims, version, (known.facts.window, signing.versions), nonce);
        return Ok(Made { transaction, known, proved: false, refused: Vec::new() });
    }
    let (mut reader, not_there) = reader(&signing.network, servers)?;
    let read = reader.read(&wanted, clock()).map_err(ClientFailure::from)?;
    keep(&signing.network, &read.updated, Some(&read.known))?;
    let claims = read.answers.into_iter().flat_map(|answer| answer.claims).collect();
    let (version, known) = (read.updated.header.version(), read.known);
    let transaction = assemble(operations, claims, version, (known.facts.window, signing.versions), nonce);
    Ok(Made { transaction, known, proved: true, refused: [not_there, read.refused].concat() })
}
