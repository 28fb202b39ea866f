//! The client: reads through the light client, makes, signs and submits transactions.
//!
//! ```text
//! operations -> questions -> [archive, or the next] -> claims, proved through [`crate::light`] -> Transaction
//!    -> signed with a [`KeyFile`] -> broadcast_tx_sync at any validator -> found by its id in a block: outcome
//! ```
//!
//! | module | what |
//! |---|---|
//! | [`archive`] | what is asked of an archive over HTTP |
//! | [`reader`] | answers that are proved, from whichever archive gives them |
//! | [`make`] | a transaction from operations and claims |
//! | [`key_file`] | the signer's key |
//! | [`submit`] | submission and the wait for inclusion |
//! | [`outbox`] | what was signed, kept on disk before it is sent |
//! | [`repeat`] | what a command does that was given before |

pub mod archive;
pub mod key_file;
pub mod make;
pub mod outbox;
pub mod reader;
pub mod repeat;
pub mod submit;

pub use archive::{ArchiveClient, MOST_KEYS};
pub use key_file::{KeyFile, KeyFileError};
pub use make::{MakeError, assemble, questions};
pub use outbox::{Entry, Outbox, OutboxError, Request};
pub use reader::{Known, ProvedAnswers, Reader};
pub use repeat::{Plan, PlanError, Repeat, Resumed, plan, resume};
pub use submit::{Receipt, SubmitError, broadcast, wait_for};
