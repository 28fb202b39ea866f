//! `aardvark client put`, `pay` and `submit`: a transaction from operations to its block.

use std::time::Duration;

use aardvark_dictionary::{DictionaryId, Operation, Transaction};
use aardvark_node::chain::{Accounts, Policy, SignedTransaction};
use aardvark_node::client::make::{pay_fee, payment, unproved_claims};
use aardvark_node::client::submit::name;
use aardvark_node::client::{KeyFile, Known, MakeError, Receipt, assemble, broadcast, questions, wait_for};
use aardvark_node::light::{Accusation, clock};
use serde_json::json;

use crate::args::notation;
use crate::commands::client::args::{Pay, Put, Signing, Submit};
use crate::commands::client::failure::{ClientFailure, refused_json};
use crate::commands::client::network::{Servers, has_trust, keep, known, reader, say};
use crate::failure::Failure;
use crate::hex_text::encode;
use crate::input::read_file;
use crate::key_text::{Notation, parse_key, parse_value};
use crate::report::{Report, Rows, Verdict};
use crate::transaction_json::{LONGEST_TRANSACTION, read_operations};

/// Sets a key's value.
///
/// # Errors
/// [`Failure`].
pub fn put(arguments: &Put) -> Result<Report, Failure> {
    let notation = notation(arguments.text);
    let key = parse_key(&arguments.name, notation)?;
    let value = parse_value(&arguments.value, notation)?;
    write(&arguments.signing, vec![Operation::Put(key, value)], None)
}

/// Pays from the first key's account.
///
/// # Errors
/// [`Failure`].
pub fn pay(arguments: &Pay) -> Result<Report, Failure> {
    let to = parse_key(&arguments.to, Notation::TextOrHex)?;
    if to.len() != 32 {
        return Err(ClientFailure::Usage("an account is 0x and 64 hexadecimal digits".to_owned()).into());
    }
    let from = keys(&arguments.signing)?.first().map(KeyFile::account).unwrap_or_default();
    // The policy says what a payment is; that it is the chain's is seen by the dictionary's id, below.
    let known = known(&arguments.signing.network, &Servers::of(&arguments.signing.network)?)?;
    let Some(rules) = known.policy.as_ref().and_then(Policy::accounts) else {
        return Err(ClientFailure::Usage("the chain's policy knows no payments".to_owned()).into());
    };
    write(&arguments.signing, payment(rules, from, to, arguments.amount), Some((rules, known.facts.id)))
}

/// Does a file's operations.
///
/// # Errors
/// [`Failure`].
pub fn submit(arguments: &Submit) -> Result<Report, Failure> {
    let text = read_file(&arguments.file, LONGEST_TRANSACTION as u64)?;
    let name = arguments.file.display().to_string();
    let operations = read_operations(&text).map_err(|error| Failure::Json(name, error))?;
    write(&arguments.signing, operations, None)
}

fn keys(signing: &Signing) -> Result<Vec<KeyFile>, ClientFailure> {
    Ok(signing.keys.iter().map(|path| KeyFile::load(path)).collect::<Result<_, _>>()?)
}

/// A transaction with what it rests on.
struct Made {
    transaction: Transaction,
    known: Known,
    proved: bool,
    refused: Vec<Accusation>,
    /// What a payment pays for its work.
    fee: Option<u128>,
}

/// A payment has its rules and the dictionary whose they are: the fee is added once the claims are there.
fn write(
    signing: &Signing,
    operations: Vec<Operation>,
    payment: Option<(&Accounts, DictionaryId)>,
) -> Result<Report, Failure> {
    let keys = keys(signing)?;
    if operations.is_empty() {
        return Err(ClientFailure::Make(MakeError::Nothing).into());
    }
    let servers = Servers::of(&signing.network)?;
    let mut made = make(signing, &servers, operations)?;
    say(&made.refused);
    if let Some((rules, dictionary)) = payment {
        let id = made.known.facts.id;
        if id != dictionary {
            let [file, node] = [id, dictionary].map(|id| encode(&id.0));
            return Err(ClientFailure::AnotherChain { file, node }.into());
        }
        pay_fee(rules, &mut made.transaction);
        made.fee = Some(rules.fee.paid(&made.transaction.operations));
    }
    let signing_keys: Vec<_> = keys.iter().map(|key| key.signing_key().clone()).collect();
    let signed = SignedTransaction::sign(made.transaction.clone(), &made.known.facts.id, &signing_keys);
    if let Some(Err(code)) =
        made.known.policy.as_ref().map(|policy| policy.check(&signed.transaction, &signed.signatures))
    {
        return Err(ClientFailure::Usage(format!("the chain's policy refuses it ({}): {code}", code.name())).into());
    }
    let node = broadcast(&servers.nodes, &signed.encode()).map_err(ClientFailure::from)?;
    let id = made.transaction.id(&made.known.facts.id);
    let waits = (signing.wait > 0).then(|| {
        wait_for(&node, &id, made.transaction.last_valid, Duration::from_secs(signing.wait))
            .map_err(ClientFailure::from)
    });
    Ok(report(&made, &id.0, node.url(), waits.transpose()?.as_ref()))
}

/// Claims through the light client where a header is trusted, else from an archive's word, which validators judge.
fn make(signing: &Signing, servers: &Servers, operations: Vec<Operation>) -> Result<Made, Failure> {
    let mut nonce = [0; 16];
    getrandom::fill(&mut nonce).map_err(|error| ClientFailure::Usage(format!("no randomness: {error}")))?;
    let wanted = questions(&operations);
    if !has_trust(&signing.network) {
        let known = known(&signing.network, servers)?;
        let (version, claims) = unproved_claims(&servers.archives, &known, &wanted).map_err(ClientFailure::from)?;
        let transaction = assemble(operations, claims, version, (known.facts.window, signing.versions), nonce);
        return Ok(Made { transaction, known, proved: false, refused: Vec::new(), fee: None });
    }
    let (mut reader, not_there) = reader(&signing.network, servers)?;
    let read = reader.read(&wanted, clock()).map_err(ClientFailure::from)?;
    keep(&signing.network, &read.updated, &read.known)?;
    let claims = read.answers.into_iter().flat_map(|answer| answer.claims).collect();
    let (version, known) = (read.updated.header.version(), read.known);
    let transaction = assemble(operations, claims, version, (known.facts.window, signing.versions), nonce);
    Ok(Made { transaction, known, proved: true, refused: [not_there, read.refused].concat(), fee: None })
}

fn report(made: &Made, id: &[u8; 32], node: &str, receipt: Option<&Receipt>) -> Report {
    let Transaction { first_valid, last_valid, claims, .. } = &made.transaction;
    let outcome = receipt.map_or_else(|| "submitted".to_owned(), |receipt| name(receipt.code));
    let rows = Rows::new()
        .row("transaction", encode(id))
        .row("outcome", &outcome)
        .row("claims", format!("{}, {}", claims.len(), if made.proved { "proved" } else { "not proved here" }))
        .row("valid", format!("from version {first_valid} to {last_valid}"))
        .row("node", node);
    let rows = match made.fee {
        Some(fee) => rows.row("fee", fee.to_string()),
        None => rows,
    };
    let rows = match receipt {
        Some(receipt) => rows.row("height", receipt.height.to_string()),
        None => rows,
    };
    let rows = match receipt.filter(|receipt| !receipt.log.is_empty()) {
        Some(receipt) => rows.row("log", &receipt.log),
        None => rows,
    };
    let applied = receipt.is_none_or(Receipt::is_applied);
    let verdict = if applied { Verdict::Holds } else { Verdict::False };
    let json = json!({
        "result": verdict.name(),
        "id": encode(id),
        "outcome": outcome,
        "height": receipt.map(|receipt| receipt.height),
        "code": receipt.map(|receipt| receipt.code),
        "first_valid": first_valid,
        "last_valid": last_valid,
        "claims": claims.len(),
        "proved": made.proved,
        "fee": made.fee.map(|fee| fee.to_string()),
        "node": node,
        "refused": refused_json(&made.refused),
    });
    Report { verdict, ..Report::done(rows.to_text(), json) }
}
