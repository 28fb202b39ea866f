//! One archive: a process that follows validators and serves HTTP.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::LocalnetError;
use crate::process::Process;
use crate::rpc::agent;
use crate::wait::wait;

/// An archive, running or not.
#[derive(Debug)]
pub struct Archive {
    /// Its folder.
    directory: PathBuf,
    port: u16,
    aardvark: PathBuf,
    genesis: PathBuf,
    /// Addresses of the nodes that it follows, in this order.
    nodes: Vec<String>,
    process: Option<Process>,
}

impl Archive {
    pub(crate) fn new(directory: PathBuf, port: u16, aardvark: PathBuf, genesis: PathBuf, nodes: Vec<String>) -> Self {
        Self { directory, port, aardvark, genesis, nodes, process: None }
    }

    /// Starts it.
    ///
    /// # Errors
    /// [`LocalnetError`].
    pub fn start(&mut self) -> Result<(), LocalnetError> {
        self.start_with(&[], &[])
    }

    /// Starts it with further arguments, such as `--from URL`, and with an environment.
    ///
    /// # Errors
    /// [`LocalnetError`].
    pub fn start_with(&mut self, further: &[&str], environment: &[(&str, &str)]) -> Result<(), LocalnetError> {
        self.process = None;
        let mut arguments: Vec<OsString> = vec!["node".into(), "archive".into(), "--dir".into()];
        arguments.push(self.directory.clone().into());
        arguments.extend(["--listen".into(), format!("127.0.0.1:{}", self.port).into(), "--genesis".into()]);
        arguments.push(self.genesis.clone().into());
        arguments.extend(self.nodes.iter().flat_map(|node| ["--rpc".into(), node.into()]));
        arguments.extend(further.iter().map(OsString::from));
        self.process = Some(Process::start(&[], &self.aardvark, &arguments, environment, &self.log())?);
        Ok(())
    }

    /// Kills it at once, as `kill -9` does.
    pub fn kill(&mut self) {
        self.process = None;
    }

    /// Stops it where it is.
    pub fn pause(&self) {
        self.process.iter().for_each(Process::pause);
    }

    /// Lets it go on.
    pub fn resume(&self) {
        self.process.iter().for_each(Process::resume);
    }

    /// Whether it runs.
    pub fn runs(&self) -> bool {
        self.process.as_ref().is_some_and(Process::runs)
    }

    /// Waits until it has ended by itself.
    ///
    /// # Errors
    /// [`LocalnetError::TooLate`].
    pub fn wait_for_end(&mut self, seconds: u64) -> Result<(), LocalnetError> {
        wait("the end of the archive", seconds, &[], || Ok(!self.runs()))
    }

    /// Waits until it has a version.
    ///
    /// # Errors
    /// [`LocalnetError::TooLate`]; [`LocalnetError::Ended`] where it does not run.
    pub fn wait_for_version(&self, version: u64, seconds: u64) -> Result<(), LocalnetError> {
        let what = format!("version {version} in {}", self.directory.display());
        let archive = [self.process.as_ref()];
        wait(&what, seconds, &archive, || Ok(self.version().is_ok_and(|now| now >= version)))
    }

    /// The newest version.
    ///
    /// # Errors
    /// [`LocalnetError`].
    pub fn version(&self) -> Result<u64, LocalnetError> {
        let status = self.get("/v1/status")?;
        status.get("version").and_then(Value::as_u64).ok_or_else(|| self.odd("/v1/status"))
    }

    /// The state root of a version: hexadecimal, as CometBFT writes app hashes.
    ///
    /// # Errors
    /// [`LocalnetError`].
    pub fn root(&self, version: u64) -> Result<String, LocalnetError> {
        let path = format!("/v1/blocks/{version}");
        let block = self.get(&path)?;
        let root = block.get("root").and_then(Value::as_str).and_then(|root| root.strip_prefix("0x"));
        root.map(str::to_uppercase).ok_or_else(|| self.odd(&path))
    }

    /// What it answers to a request.
    ///
    /// # Errors
    /// [`LocalnetError::Rpc`], also where it refuses.
    pub fn get(&self, path: &str) -> Result<Value, LocalnetError> {
        get(&format!("{}{path}", self.url()))
    }

    /// The same, as it stands in the answer.
    ///
    /// # Errors
    /// [`LocalnetError::Rpc`], also where it refuses.
    pub fn get_text(&self, path: &str) -> Result<String, LocalnetError> {
        get_text(&format!("{}{path}", self.url()))
    }

    /// Its address.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Its folder.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// What it has written on standard error.
    pub fn log(&self) -> PathBuf {
        self.directory.with_extension("log")
    }

    fn odd(&self, path: &str) -> LocalnetError {
        LocalnetError::Rpc { url: format!("{}{path}", self.url()), problem: "an answer of another form".to_owned() }
    }
}

/// The JSON that a URL answers with.
fn get(url: &str) -> Result<Value, LocalnetError> {
    let failed = |error: serde_json::Error| LocalnetError::Rpc { url: url.to_owned(), problem: error.to_string() };
    serde_json::from_str(&get_text(url)?).map_err(failed)
}

/// The text that a URL answers with.
///
/// # Errors
/// [`LocalnetError::Rpc`], also where it refuses.
pub fn get_text(url: &str) -> Result<String, LocalnetError> {
    let failed = |error: ureq::Error| LocalnetError::Rpc { url: url.to_owned(), problem: error.to_string() };
    agent().get(url).call().and_then(|mut response| response.body_mut().read_to_string()).map_err(failed)
}
