//! The commands, one file each. A command takes its arguments and gives a
//! [`Report`](crate::report::Report) or a [`Failure`](crate::failure::Failure); printing and exit
//! codes are `main`'s.

pub mod apply;
pub mod archive_backup;
pub mod archive_jobs;
pub mod archive_openings;
pub mod archive_restore;
pub mod audit;
pub mod client;
pub mod commitments;
pub mod completions;
pub mod demo;
pub mod diff;
pub mod explain;
pub mod export;
pub mod get;
pub mod history;
pub mod import;
pub mod init;
pub mod list;
pub mod man;
pub mod mixnet;
pub mod node_archive;
pub mod node_genesis;
pub mod node_keeper;
pub mod node_openings;
pub mod node_validator;
pub mod node_validators;
pub mod prove;
pub mod root;
pub mod status;
pub mod table;
pub mod verify;
