//! Repeated commands: go on with the transaction of the earlier one, or make another.
//!
//! Two transactions of one request are never under way at once, unless that is asked for: another
//! one is made only when nodes say that the earlier one is applied, or is in no block up to the
//! last version that may hold it.

use crate::outbox::{Entry, Outbox, OutboxError, Request};
use crate::rpc::RpcClient;
use crate::submit::{Receipt, SubmitError, Whereabouts, whereabouts};

/// Whether a request that was done is done again when it is repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeat {
    /// No: a payment is made once.
    Once,
    /// Yes: a value that is set twice is the same value. What is under way is still gone on with.
    WhenDone,
    /// Yes, also beside one that is under way.
    Again,
}

/// What to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Plan {
    /// Make the transaction of that number; the entry is one that cannot be applied any more, or,
    /// with [`Repeat::Again`], may.
    Make(u64, Option<Entry>),
    /// Send this one, perhaps not for the first time.
    Send(Entry),
    /// Nothing: it was applied at that height, as a node said once.
    Done(Entry, u64),
}

/// Why it is not known what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// The outbox cannot be read.
    #[error(transparent)]
    Outbox(#[from] OutboxError),
    /// No node says what became of the earlier transaction.
    #[error(
        "the same was sent before, as 0x{}, and may be applied up to version {}; nothing more is sent until a node says what \
         became of it: {source}",
        hex::encode(entry.id().0), entry.last_valid()
    )]
    Unknown {
        /// The earlier transaction.
        entry: Box<Entry>,
        /// What the nodes say.
        source: SubmitError,
    },
}

/// Decides what a request needs.
///
/// # Errors
/// [`PlanError`]; nothing may be sent then.
pub fn plan(outbox: &Outbox, nodes: &[RpcClient], request: &Request, repeat: Repeat) -> Result<Plan, PlanError> {
    let Some(entry) = outbox.newest(request)? else { return Ok(Plan::Make(0, None)) };
    let next = entry.number.saturating_add(1);
    if repeat == Repeat::Again {
        return Ok(Plan::Make(next, entry.applied.is_none().then_some(entry)));
    }
    match (resume(outbox, nodes, entry)?, repeat) {
        (Resumed::Applied(..), Repeat::WhenDone) => Ok(Plan::Make(next, None)),
        (Resumed::Applied(entry, height), _) => Ok(Plan::Done(entry, height)),
        (Resumed::MayCome(entry), _) => Ok(Plan::Send(entry)),
        (Resumed::Gone(entry), _) => Ok(Plan::Make(next, Some(entry))),
    }
}

/// What became of an earlier transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resumed {
    /// It was applied at a height.
    Applied(Entry, u64),
    /// It may still be applied.
    MayCome(Entry),
    /// It cannot be applied any more.
    Gone(Entry),
}

/// Asks what became of an earlier transaction, and notes it where it was applied.
///
/// # Errors
/// [`PlanError`] where nobody says.
pub fn resume(outbox: &Outbox, nodes: &[RpcClient], entry: Entry) -> Result<Resumed, PlanError> {
    if let Some(height) = entry.applied {
        return Ok(Resumed::Applied(entry, height));
    }
    match whereabouts(nodes, &entry.id(), entry.last_valid()) {
        Ok(Whereabouts::Applied(Receipt { height, .. })) => {
            outbox.is_applied(&entry, height)?;
            Ok(Resumed::Applied(entry, height))
        }
        Ok(Whereabouts::MayCome) => Ok(Resumed::MayCome(entry)),
        Ok(Whereabouts::Gone) => Ok(Resumed::Gone(entry)),
        Err(source) => Err(PlanError::Unknown { entry: Box::new(entry), source }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outbox::tests::{entry, request};
    use crate::submit::tests::{at, found, node, status};
    use serde_json::json;

    /// An outbox with one transaction, good up to version 10.
    fn outbox() -> (tempfile::TempDir, Outbox, Entry) {
        let folder = tempfile::tempdir().unwrap();
        let outbox = Outbox::new(folder.path().to_owned());
        let kept = entry(request(1), 0, 10);
        outbox.keep(&kept).unwrap();
        (folder, outbox, kept)
    }

    fn gone() -> RpcClient {
        RpcClient::new("http://127.0.0.1:1", crate::testing::options()).unwrap()
    }

    #[test]
    fn a_payment_that_may_still_be_applied_is_sent_again_and_not_made_again() {
        let (_folder, outbox, kept) = outbox();
        for height in [5, 10, 12] {
            assert_eq!(plan(&outbox, &[at(height)], &request(1), Repeat::Once).unwrap(), Plan::Send(kept.clone()));
        }
        // Whoever has not the newest height does not decide.
        assert_eq!(plan(&outbox, &[at(99), at(5)], &request(1), Repeat::Once).unwrap(), Plan::Send(kept.clone()));
        assert_eq!(plan(&outbox, &[at(5)], &request(2), Repeat::Once).unwrap(), Plan::Make(0, None));
    }

    #[test]
    fn a_payment_of_which_no_node_says_anything_is_neither_sent_nor_made_again() {
        let (_folder, outbox, kept) = outbox();
        let error = plan(&outbox, &[gone()], &request(1), Repeat::Once).unwrap_err().to_string();
        assert!(error.contains(&hex::encode(kept.id().0)) && error.contains("version 10"), "{error}");
    }

    #[test]
    fn a_payment_that_was_applied_is_done_until_another_is_asked_for() {
        let (_folder, outbox, kept) = outbox();
        let applied = node(|asked| match asked["method"].as_str().unwrap() {
            "status" => status(99),
            _ => found(&[(6, 10), (7, 0)]),
        });
        let done = Plan::Done(kept.clone(), 7);
        assert_eq!(plan(&outbox, &[applied], &request(1), Repeat::Once).unwrap(), done);
        // From now on without any node.
        let noted = Entry { applied: Some(7), ..kept };
        assert_eq!(plan(&outbox, &[gone()], &request(1), Repeat::Once).unwrap(), Plan::Done(noted, 7));
        assert_eq!(plan(&outbox, &[gone()], &request(1), Repeat::WhenDone).unwrap(), Plan::Make(1, None));
        assert_eq!(plan(&outbox, &[gone()], &request(1), Repeat::Again).unwrap(), Plan::Make(1, None));
    }

    #[test]
    fn a_payment_that_cannot_be_applied_any_more_is_made_again() {
        let (_folder, outbox, kept) = outbox();
        assert_eq!(plan(&outbox, &[at(13)], &request(1), Repeat::Once).unwrap(), Plan::Make(1, Some(kept.clone())));
        assert_eq!(plan(&outbox, &[gone()], &request(1), Repeat::Again).unwrap(), Plan::Make(1, Some(kept)));
    }

    #[test]
    fn a_node_whose_index_lacks_the_block_that_it_has_does_not_decide_alone() {
        let (_folder, outbox, kept) = outbox();
        let without_index = node(|asked| match asked["method"].as_str().unwrap() {
            "status" => status(99),
            _ => {
                json!({ "error": { "code": -32603, "message": "Internal error", "data": "transaction indexing is disabled" } })
            }
        });
        let error = plan(&outbox, &[without_index], &request(1), Repeat::Once).unwrap_err().to_string();
        assert!(error.contains("disabled") && error.contains(&hex::encode(kept.id().0)), "{error}");
    }
}
