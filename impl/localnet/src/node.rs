//! One validator: CometBFT and the application, as two processes.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use crate::LocalnetError;
use crate::config::{configure, text};
use crate::options::Options;
use crate::ports::Ports;
use crate::process::{Process, run};
use crate::rpc::Rpc;
use crate::wait::wait;

/// A validator, running or not.
#[derive(Debug)]
pub struct Node {
    /// Its folder: `config` and `data` are CometBFT's, `aardvark` is the validator's.
    pub home: PathBuf,
    pub(crate) ports: Ports,
    options: Options,
    application: Option<Process>,
    cometbft: Option<Process>,
}

impl Node {
    pub(crate) fn new(home: PathBuf, ports: Ports, options: Options) -> Self {
        Self { home, ports, options, application: None, cometbft: None }
    }

    /// Starts both processes.
    ///
    /// # Errors
    /// [`LocalnetError`].
    pub fn start(&mut self) -> Result<(), LocalnetError> {
        self.start_with(&[], &[])
    }

    /// Starts both, the application with an environment, and behind other words, such as
    /// `prlimit --fsize=1000`.
    ///
    /// # Errors
    /// [`LocalnetError`].
    pub fn start_with(&mut self, wrapper: &[&str], environment: &[(&str, &str)]) -> Result<(), LocalnetError> {
        self.application = None;
        self.cometbft = None;
        let address = format!("tcp://127.0.0.1:{}", self.ports.abci);
        let mut arguments: Vec<OsString> = vec!["node".into(), "validator".into(), "--home".into()];
        arguments.extend([self.home.join("aardvark").into(), "--genesis".into()]);
        arguments.extend([self.home.join("config/genesis.json").into(), "--listen".into(), address.into()]);
        arguments.extend(["--snapshot-interval".into(), self.options.snapshot_interval.to_string().into()]);
        for archive in &self.options.archives {
            arguments.extend(["--archive".into(), archive.into()]);
        }
        let log = self.application_log();
        self.application = Some(Process::start(wrapper, &self.options.aardvark, &arguments, environment, &log)?);
        let arguments = ["start".into(), "--home".into(), self.home.clone().into_os_string()];
        let log = self.home.join("cometbft.log");
        self.cometbft = Some(Process::start(&[], &self.options.cometbft, &arguments, &[], &log)?);
        Ok(())
    }

    /// Lets CometBFT, from its next start on, speak to another address than the application's.
    ///
    /// # Errors
    /// [`LocalnetError::File`].
    pub fn have_cometbft_ask(&self, address: &str) -> Result<(), LocalnetError> {
        configure(&self.home, [("", "proxy_app", text(address))])
    }

    /// Kills both at once.
    pub fn kill(&mut self) {
        // Signals first, so that neither sees the other's end.
        self.application.iter().chain(&self.cometbft).for_each(Process::pause);
        self.application = None;
        self.cometbft = None;
    }

    /// Takes a node that does not run back one block, CometBFT by `cometbft rollback` and then the
    /// application to the height that this gives; `hard` removes CometBFT's block too. Without
    /// `hard` the application may stay where it is.
    ///
    /// # Errors
    /// [`LocalnetError::Program`] where one of them refuses.
    pub fn roll_back(&self, hard: bool, application: bool) -> Result<u64, LocalnetError> {
        let home = self.home.as_os_str();
        let words: [&OsStr; 4] = ["rollback".as_ref(), "--home".as_ref(), home, "--hard".as_ref()];
        let said = run(&self.options.cometbft, words.get(..if hard { 4 } else { 3 }).unwrap_or_default())?;
        let height = said.split_whitespace().skip_while(|word| *word != "height").nth(1);
        let odd = || LocalnetError::Program { program: "cometbft rollback".to_owned(), problem: said.clone() };
        let height: u64 = height.and_then(|height| height.parse().ok()).ok_or_else(odd)?;
        if application {
            let (folder, genesis) = (self.home.join("aardvark"), self.home.join("config/genesis.json"));
            let to = height.to_string();
            let words: [&OsStr; 8] = [
                "node".as_ref(),
                "validator".as_ref(),
                "--home".as_ref(),
                folder.as_os_str(),
                "--genesis".as_ref(),
                genesis.as_os_str(),
                "--rollback".as_ref(),
                to.as_ref(),
            ];
            run(&self.options.aardvark, &words)?;
        }
        Ok(height)
    }

    /// Kills the application only. CometBFT then ends by itself.
    pub fn kill_application(&mut self) {
        self.application = None;
    }

    /// Stops both where they are.
    pub fn pause(&self) {
        self.application.iter().chain(&self.cometbft).for_each(Process::pause);
    }

    /// Lets both go on.
    pub fn resume(&self) {
        self.application.iter().chain(&self.cometbft).for_each(Process::resume);
    }

    /// Whether the application runs.
    pub fn application_runs(&self) -> bool {
        self.application.as_ref().is_some_and(Process::runs)
    }

    /// The application's exit code, once it has ended by itself.
    pub fn application_exit(&mut self) -> Option<i32> {
        self.application.as_mut().and_then(Process::exit_code)
    }

    /// Whether CometBFT runs.
    pub fn cometbft_runs(&self) -> bool {
        self.cometbft.as_ref().is_some_and(Process::runs)
    }

    /// The processes' ids, where they run.
    pub fn process_ids(&self) -> Vec<u32> {
        self.application.iter().chain(&self.cometbft).map(Process::id).collect()
    }

    /// Where the application listens for CometBFT: `host:port`.
    pub fn application_address(&self) -> String {
        format!("127.0.0.1:{}", self.ports.abci)
    }

    /// The most bytes of memory that the application has had at one time (`VmHWM`); `None` where it
    /// does not run, or the system does not say.
    pub fn application_peak_memory(&self) -> Option<u64> {
        self.application.as_ref().and_then(Process::peak_memory)
    }

    /// The same of CometBFT.
    pub fn cometbft_peak_memory(&self) -> Option<u64> {
        self.cometbft.as_ref().and_then(Process::peak_memory)
    }

    /// Waits until the application has ended by itself.
    ///
    /// # Errors
    /// [`LocalnetError::TooLate`].
    pub fn wait_for_end(&mut self, seconds: u64) -> Result<(), LocalnetError> {
        wait("the end of the application", seconds, &[], || Ok(!self.application_runs()))
    }

    /// Waits until the node has a height.
    ///
    /// # Errors
    /// [`LocalnetError::TooLate`]; [`LocalnetError::Ended`] where one of its processes does not
    /// run.
    pub fn wait_for_height(&self, height: u64, seconds: u64) -> Result<(), LocalnetError> {
        let what = format!("height {height} on {}", self.home.display());
        let both = [self.application.as_ref(), self.cometbft.as_ref()];
        wait(&what, seconds, &both, || Ok(self.rpc().height().is_ok_and(|now| now >= height)))
    }

    /// What the application has written on standard error.
    pub fn application_log(&self) -> PathBuf {
        self.home.join("aardvark.log")
    }

    /// CometBFT's RPC.
    pub fn rpc(&self) -> Rpc {
        Rpc::new(self.ports.rpc)
    }

    /// Its folder.
    pub fn home(&self) -> &Path {
        &self.home
    }
}
