//! A client of a chain that trusts neither its nodes nor its archives: reads through a light
//! client, makes, signs and submits transactions.
//!
//! ```text
//! operations -> questions -> [archive, or the next] -> claims, proved through light -> Transaction
//!    -> signed with a KeyFile -> broadcast_tx_sync at any validator -> found by its id in a block
//! ```
//!
//! | module | what |
//! |---|---|
//! | [`rpc`] | a small typed client of CometBFT's JSON-RPC |
//! | [`light`] | headers, roots, paths: what a client believes |
//! | [`archive`], [`tail_json`] | what is asked of an archive over HTTP |
//! | [`tables`] | what is asked of tables of private rows |
//! | [`reader`] | answers that are proved, from whichever archive gives them |
//! | [`make`] | a transaction from operations and claims |
//! | [`key_file`] | the signer's key |
//! | [`submit`] | submission and the wait for inclusion |
//! | [`outbox`] | what was signed, kept on disk before it is sent |
//! | [`repeat`] | what a command does that was given before |
//!
//! ```no_run
//! use aardvark_client::light::{LightClient, LightOptions, Question, TrustPoint, Witnesses, clock};
//! use aardvark_client::rpc::{HttpOptions, RpcClient};
//! use aardvark_client::{ArchiveClient, Reader};
//!
//! let node = |url| RpcClient::new(url, HttpOptions::default());
//! let (nodes, witness) = (vec![node("http://127.0.0.1:26657")?], node("http://127.0.0.2:26657")?);
//! let archive = ArchiveClient::new("http://127.0.0.1:8080", HttpOptions::default())?;
//! // HEIGHT:HASH of a header, from somebody whom the user trusts.
//! let trusted: TrustPoint = std::env::args().nth(1).unwrap_or_default().parse()?;
//!
//! let witnesses = Witnesses::Compare(vec![witness]);
//! let (light, _) = LightClient::start(&trusted, nodes, witnesses, LightOptions::default())?;
//! let mut reader = Reader::new(light, vec![archive], None);
//! let proved = reader.read(&[("curl".into(), Question::Get)], clock())?;
//! println!("{:?} at version {}", proved.answers, proved.updated.header.version());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Who does not answer, or lies, is named, and what gave it away:
//!
//! ```
//! use aardvark_client::light::{LightClient, LightOptions, TrustPoint, Witnesses};
//! use aardvark_client::rpc::{HttpOptions, RpcClient};
//!
//! assert!("7:not-a-hash".parse::<TrustPoint>().is_err());
//! let trusted = TrustPoint { height: 7, hash: [1; 32] };
//! let nobody = RpcClient::new("http://127.0.0.1:1", HttpOptions::default())?;
//! let options = LightOptions::default();
//! let started = LightClient::start(&trusted, vec![nobody], Witnesses::Nobody, options);
//! let refused = started.unwrap_err();
//! assert_eq!(refused.accusations()[0].server.url(), "http://127.0.0.1:1");
//! assert!(!refused.is_lie());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]
#![warn(clippy::indexing_slicing)]

// Nodes and headers
pub mod light;
pub mod rpc;
// Reading
pub mod archive;
mod asking;
pub mod reader;
pub mod tables;
pub mod tail_json;
// Writing
pub mod key_file;
pub mod make;
pub mod outbox;
pub mod repeat;
pub mod submit;
#[cfg(any(test, feature = "test-support"))]
pub mod testing;

pub use archive::{ArchiveClient, MOST_KEYS};
pub use key_file::{AskPassword, KeyFile, KeyFileError};
pub use make::{MakeError, assemble, questions};
pub use outbox::{Entry, Outbox, OutboxError, Request};
pub use reader::{Known, Proved, ProvedAnswers, Reader};
pub use repeat::{Plan, PlanError, Repeat, Resumed, plan, resume};
pub use submit::{Receipt, SubmitError, broadcast, wait_for};
