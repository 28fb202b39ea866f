//! Fronts and opening servers on the store of an archive that another process writes.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::LocalnetError;
use crate::ports::free_ports;
use crate::process::Process;
use crate::wait::wait;

/// A front or an opening server, running or not.
#[derive(Debug)]
pub struct Member {
    name: String,
    port: u16,
    aardvark: PathBuf,
    arguments: Vec<OsString>,
    log: PathBuf,
    process: Option<Process>,
}

/// The processes that read one store.
#[derive(Debug)]
pub struct Cluster {
    /// Opening servers.
    pub servers: Vec<Member>,
    /// Fronts, which ask them.
    pub fronts: Vec<Member>,
    /// The file that says which servers own vectors.
    list: PathBuf,
}

impl Cluster {
    /// So many opening servers and fronts on the store of a URL, whose logs and list of servers are
    /// written into a folder. None runs yet; all servers are in the list.
    ///
    /// # Errors
    /// [`LocalnetError`] where the list cannot be written or there are no free ports.
    pub fn new(
        aardvark: &Path,
        folder: &Path,
        store: &str,
        (servers, fronts): (usize, usize),
    ) -> Result<Self, LocalnetError> {
        let list = folder.join("servers");
        let member = |name: String, port: u16, arguments: &[&str]| {
            let listen = format!("127.0.0.1:{port}");
            let all = arguments.iter().copied().chain(["--store", store, "--listen", &listen]);
            let arguments = all.map(OsString::from).collect();
            let log = folder.join(format!("{name}.log"));
            Member { name, port, aardvark: aardvark.to_owned(), arguments, log, process: None }
        };
        let list_argument = list.display().to_string();
        let mut ports = free_ports(servers + fronts)?.into_iter();
        let servers: Vec<Member> = (0..servers)
            .zip(ports.by_ref())
            .map(|(number, port)| {
                let name = format!("openings{number}");
                let own = ["node", "openings", "--server", &name, "--servers", &list_argument, "--warm"];
                member(name.clone(), port, &own)
            })
            .collect();
        let fronts = ports.enumerate().map(|(number, port)| {
            member(format!("front{number}"), port, &["node", "archive", "--opening-servers", &list_argument])
        });
        let cluster = Self { fronts: fronts.collect(), servers, list };
        cluster.write_list(|_| true)?;
        Ok(cluster)
    }

    /// Starts all of them.
    ///
    /// # Errors
    /// [`LocalnetError`].
    pub fn start(&mut self) -> Result<(), LocalnetError> {
        self.servers.iter_mut().chain(&mut self.fronts).try_for_each(Member::start)
    }

    /// Waits until all fronts and servers answer.
    ///
    /// # Errors
    /// [`LocalnetError::TooLate`]; [`LocalnetError::Ended`] where one does not run.
    pub fn wait(&self, seconds: u64) -> Result<(), LocalnetError> {
        self.servers.iter().chain(&self.fronts).try_for_each(|member| member.wait(seconds))
    }

    /// Gives the vectors to those servers whose numbers are listed, and tells everybody.
    ///
    /// # Errors
    /// [`LocalnetError::File`].
    pub fn rebalance(&self, listed: &[usize]) -> Result<(), LocalnetError> {
        self.write_list(|number| listed.contains(&number))?;
        let processes = self.servers.iter().chain(&self.fronts).filter_map(|member| member.process.as_ref());
        processes.for_each(Process::reload);
        Ok(())
    }

    fn write_list(&self, listed: impl Fn(usize) -> bool) -> Result<(), LocalnetError> {
        let servers = self.servers.iter().enumerate().filter(|(number, _)| listed(*number));
        let lines: Vec<String> = servers.map(|(_, server)| format!("{}={}", server.name, server.url())).collect();
        // Whoever reads it meanwhile finds the one or the other.
        let draft = self.list.with_extension("draft");
        std::fs::write(&draft, lines.join("\n")).map_err(LocalnetError::file(&draft))?;
        std::fs::rename(&draft, &self.list).map_err(LocalnetError::file(&self.list))
    }
}

impl Member {
    /// Starts it.
    ///
    /// # Errors
    /// [`LocalnetError`].
    pub fn start(&mut self) -> Result<(), LocalnetError> {
        self.process = None;
        self.process = Some(Process::start(&[], &self.aardvark, &self.arguments, &[], &self.log)?);
        Ok(())
    }

    /// Kills it at once, as `kill -9` does.
    pub fn kill(&mut self) {
        self.process = None;
    }

    /// Stops it where it is, so that it lags behind.
    pub fn pause(&self) {
        self.process.iter().for_each(Process::pause);
    }

    /// Lets it go on.
    pub fn resume(&self) {
        self.process.iter().for_each(Process::resume);
    }

    /// Waits until it takes requests: to whatever it is asked it has an answer then.
    ///
    /// # Errors
    /// [`LocalnetError::TooLate`]; [`LocalnetError::Ended`] where it does not run.
    pub fn wait(&self, seconds: u64) -> Result<(), LocalnetError> {
        let answers = || Ok(std::net::TcpStream::connect(("127.0.0.1", self.port)).is_ok());
        wait(&self.name, seconds, &[self.process.as_ref()], answers)
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its address.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }
}
