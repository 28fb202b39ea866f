//! A transaction on its way: kept on disk, shown, sent, waited for; and what becomes of a command
//! that is repeated.

use std::time::Duration;

use aardvark_client::light::Accusation;
use aardvark_client::submit::name;
use aardvark_client::{
    Entry, KeyFile, Outbox, Plan, Receipt, Repeat, Request, Resumed, SubmitError, broadcast, plan, resume, wait_for,
};
use aardvark_dictionary::{Operation, Transaction, TransactionId};
use serde_json::json;

use crate::commands::client::args::Signing;
use crate::commands::client::failure::{ClientFailure, refused_json};
use crate::commands::client::network::Servers;
use crate::failure::Failure;
use crate::hex_text::encode;
use crate::print::error_line;
use crate::report::{Report, Rows, Verdict};

/// What sends a command's transactions.
pub struct Sending<'a> {
    signing: &'a Signing,
    servers: &'a Servers,
    outbox: Outbox,
}

/// A transaction that is sent, and where it comes from.
pub struct Sent {
    /// What is kept of it.
    pub entry: Entry,
    /// Whether its claims were proved here; `None` where it was made by an earlier command.
    pub proved: Option<bool>,
    /// What a payment pays for its work, where it was made here.
    pub fee: Option<u128>,
    /// Who was not believed on the way.
    pub refused: Vec<Accusation>,
}

/// What a command has to do.
pub enum Next {
    /// Make the request's transaction of this number.
    Make(u64),
    /// Nothing more than to say this.
    Said(Box<Report>),
}

impl<'a> Sending<'a> {
    /// Sends to these servers, and keeps what is sent in the outbox that was named, or beside the
    /// first key.
    pub fn new(signing: &'a Signing, servers: &'a Servers) -> Self {
        let beside =
            || signing.keys.first().map(|key| Outbox::beside(key)).unwrap_or_else(|| Outbox::new(".sent".into()));
        let outbox = signing.outbox.clone().map_or_else(beside, Outbox::new);
        Self { signing, servers, outbox }
    }

    /// Goes on with what the same command made before, or says which transaction is to be made.
    ///
    /// # Errors
    /// An outbox that cannot be read; nobody who knows what became of an earlier transaction; a
    /// transaction that is refused.
    pub fn next(&self, request: &Request, repeat: Repeat, refused: &[Accusation]) -> Result<Next, Failure> {
        let repeat = if self.signing.again { Repeat::Again } else { repeat };
        let earlier = |entry| Sent { entry, proved: None, fee: None, refused: refused.to_vec() };
        match plan(&self.outbox, &self.servers.nodes, request, repeat).map_err(ClientFailure::from)? {
            Plan::Make(number, None) => Ok(Next::Make(number)),
            Plan::Make(number, Some(before)) => {
                let (id, last) = (encode(&before.id().0), before.last_valid());
                error_line(&match repeat {
                    Repeat::Again => format!("{id} of the same command may be applied too, up to version {last}"),
                    _ => format!(
                        "{id} of the same command is in no block up to version {last} and cannot be applied any more"
                    ),
                });
                Ok(Next::Make(number))
            }
            Plan::Send(entry) => Ok(Next::Said(Box::new(self.send(&earlier(entry))?))),
            Plan::Done(entry, height) => Ok(Next::Said(Box::new(done(&earlier(entry), height)))),
        }
    }

    /// Goes on with the transaction of an id. Operations that were typed beside it must be its own.
    ///
    /// # Errors
    /// As [`Sending::next`]; an id that the outbox does not have; a transaction that cannot be
    /// applied any more.
    pub fn resume(&self, id: [u8; 32], operations: Option<&[Operation]>, keys: &[KeyFile]) -> Result<Report, Failure> {
        let entry = self.outbox.find(&TransactionId(id)).map_err(ClientFailure::from)?;
        let is_another = |operations| request(&entry, keys, operations) != entry.request;
        if operations.is_some_and(is_another) {
            let usage = format!("{} is another transaction than the one of these operations and keys", encode(&id));
            return Err(ClientFailure::Usage(usage).into());
        }
        let earlier = |entry| Sent { entry, proved: None, fee: None, refused: Vec::new() };
        match resume(&self.outbox, &self.servers.nodes, entry).map_err(ClientFailure::from)? {
            Resumed::Applied(entry, height) => Ok(done(&earlier(entry), height)),
            Resumed::MayCome(entry) => self.send(&earlier(entry)),
            Resumed::Gone(entry) => Err(self.failed(&entry, SubmitError::Expired(entry.last_valid()))),
        }
    }

    /// Keeps a transaction, sends it and waits for its block.
    ///
    /// # Errors
    /// An outbox that cannot be written, which sends nothing; a transaction that is refused, or in
    /// no block yet.
    pub fn make(&self, sent: &Sent) -> Result<Report, Failure> {
        self.outbox.keep(&sent.entry).map_err(ClientFailure::from)?;
        self.send(sent)
    }

    fn send(&self, sent: &Sent) -> Result<Report, Failure> {
        let Sent { entry, .. } = sent;
        let (id, last, bytes) = (entry.id(), entry.last_valid(), entry.signed.encode());
        // Before it is sent: whatever happens then, it is known what may be applied.
        error_line(&format!("sending  {}, good up to version {last}, kept in {}", encode(&id.0), self.file(entry)));
        error_line(&format!("bytes    {}", encode(&bytes)));
        let sent_and_found = || {
            let node = broadcast(&self.servers.nodes, &bytes)?;
            let wait = Duration::from_secs(self.signing.wait);
            let receipt = (self.signing.wait > 0).then(|| wait_for(&node, &id, last, wait)).transpose()?;
            Ok((node.url().to_owned(), receipt))
        };
        let (node, receipt) = sent_and_found().map_err(|error| self.failed(entry, error))?;
        if let Some(receipt) = receipt.as_ref().filter(|receipt| receipt.is_applied())
            && let Err(error) = self.outbox.is_applied(entry, receipt.height)
        {
            // It is applied all the same, and nodes say so again.
            error_line(&format!("not noted: {error}"));
        }
        Ok(report(sent, &node, receipt.as_ref()))
    }

    fn failed(&self, entry: &Entry, error: SubmitError) -> Failure {
        let (id, last_valid, file) = (entry.id(), entry.last_valid(), self.file(entry));
        ClientFailure::Sent { id, last_valid, file, error }.into()
    }

    fn file(&self, entry: &Entry) -> String {
        self.outbox.file(entry).display().to_string()
    }
}

fn request(entry: &Entry, keys: &[KeyFile], operations: &[Operation]) -> Request {
    let signers: Vec<_> = keys.iter().map(KeyFile::public_key).collect();
    Request::new(&entry.dictionary, &signers, operations)
}

/// What is said of a transaction that an earlier command had applied.
fn done(sent: &Sent, height: u64) -> Report {
    let id = encode(&sent.entry.id().0);
    let rows = Rows::new()
        .row("transaction", &id)
        .row("hash", encode(&sent.entry.signed.block_hash()))
        .row("outcome", name(0))
        .row("height", height.to_string())
        .row("repeated", "this was applied before, and nothing was sent; --again makes another");
    let json = json!({
        "result": Verdict::Holds.name(),
        "id": id,
        "hash": encode(&sent.entry.signed.block_hash()),
        "outcome": name(0),
        "height": height,
        "code": 0,
        "last_valid": sent.entry.last_valid(),
        "repeated": true,
        "refused": refused_json(&sent.refused),
    });
    Report::done(rows.to_text(), json)
}

fn report(sent: &Sent, node: &str, receipt: Option<&Receipt>) -> Report {
    let Transaction { first_valid, last_valid, claims, .. } = &sent.entry.signed.transaction;
    let id = encode(&sent.entry.id().0);
    let outcome = receipt.map_or_else(|| "submitted".to_owned(), |receipt| name(receipt.code));
    let origin = match sent.proved {
        Some(true) => "proved",
        Some(false) => "not proved here",
        None => "of the same command before",
    };
    let rows = Rows::new()
        .row("transaction", &id)
        .row("hash", encode(&sent.entry.signed.block_hash()))
        .row("outcome", &outcome)
        .row("claims", format!("{}, {origin}", claims.len()))
        .row("valid", format!("from version {first_valid} to {last_valid}"))
        .row("node", node);
    let rows = match sent.fee {
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
        "id": id,
        "hash": encode(&sent.entry.signed.block_hash()),
        "outcome": outcome,
        "height": receipt.map(|receipt| receipt.height),
        "code": receipt.map(|receipt| receipt.code),
        "first_valid": first_valid,
        "last_valid": last_valid,
        "claims": claims.len(),
        "proved": sent.proved,
        "fee": sent.fee.map(|fee| fee.to_string()),
        "repeated": sent.proved.is_none(),
        "node": node,
        "refused": refused_json(&sent.refused),
    });
    Report { verdict, ..Report::done(rows.to_text(), json) }
}
