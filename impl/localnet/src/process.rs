//! A child process that never outlives its owner, and programs that run to their end.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, waitid};

use crate::LocalnetError;

/// How many of the last lines of its log are shown where a process fails.
const LAST_LINES: usize = 20;

/// A running program; it is killed when this is dropped.
#[derive(Debug)]
pub struct Process {
    child: Child,
    log: PathBuf,
}

impl Process {
    /// Starts a program in a process group of its own, so that Ctrl-C reaches its owner only, and
    /// under `setpriv --pdeathsig`, so that the kernel kills it when the thread that calls this
    /// ends. What it prints is appended to a file.
    ///
    /// `wrapper` are words to stand before the program, such as `prlimit --fsize=1000`.
    ///
    /// # Errors
    /// [`LocalnetError`] where the file cannot be written or the program not started.
    pub fn start(
        wrapper: &[&str],
        program: &Path,
        arguments: &[OsString],
        environment: &[(&str, &str)],
        log: &Path,
    ) -> Result<Self, LocalnetError> {
        let file = File::options().create(true).append(true).open(log).map_err(LocalnetError::file(log))?;
        let again = file.try_clone().map_err(LocalnetError::file(log))?;
        let mut command = Command::new("setpriv");
        command.args(["--pdeathsig", "KILL", "--"]).args(wrapper).arg(program).args(arguments);
        command.envs(environment.iter().copied()).stdin(Stdio::null()).stdout(file).stderr(again).process_group(0);
        let failed = |error: std::io::Error| LocalnetError::Program {
            program: program.display().to_string(),
            problem: error.to_string(),
        };
        Ok(Self { child: command.spawn().map_err(failed)?, log: log.to_owned() })
    }

    /// Its id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// The most bytes of memory that it has had at one time (`VmHWM`), where the system says so.
    pub fn peak_memory(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kibibytes| kibibytes << 10)
    }

    /// Whether it still runs.
    pub fn runs(&self) -> bool {
        let ended = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        self.pid().is_some_and(|pid| matches!(waitid(WaitId::Pid(pid), ended), Ok(None)))
    }

    /// The last lines of what it has printed.
    pub fn last_words(&self) -> String {
        let said = std::fs::read(&self.log).unwrap_or_default();
        let said = String::from_utf8_lossy(&said);
        let lines: Vec<&str> = said.lines().collect();
        lines.get(lines.len().saturating_sub(LAST_LINES)..).unwrap_or_default().join("\n")
    }

    /// The exit code of one that ended by itself; `None` where it runs or a signal ended it.
    pub fn exit_code(&mut self) -> Option<i32> {
        self.child.try_wait().ok().flatten()?.code()
    }

    /// Kills it at once, as `kill -9` does, and waits until it is gone.
    pub fn kill(&mut self) {
        let _gone_is_as_well = self.child.kill();
        let _reaped = self.child.wait();
    }

    /// Asks it to end (SIGTERM).
    pub fn ask_to_end(&self) {
        self.signal(Signal::TERM);
    }

    /// Asks it to end (SIGTERM), and waits until it is gone.
    pub fn terminate(&mut self) {
        self.ask_to_end();
        let _reaped = self.child.wait();
    }

    /// Stops it where it is (SIGSTOP).
    pub fn pause(&self) {
        self.signal(Signal::STOP);
    }

    /// Lets it go on (SIGCONT).
    pub fn resume(&self) {
        self.signal(Signal::CONT);
    }

    /// Tells it to read its configuration again (SIGHUP).
    pub fn reload(&self) {
        self.signal(Signal::HUP);
    }

    fn signal(&self, signal: Signal) {
        if let Some(pid) = self.pid() {
            let _gone_is_as_well = kill_process(pid, signal);
        }
    }

    fn pid(&self) -> Option<Pid> {
        i32::try_from(self.child.id()).ok().and_then(Pid::from_raw)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// What a program prints, without the line's end.
pub(crate) fn run(program: &Path, arguments: &[&OsStr]) -> Result<String, LocalnetError> {
    let failed = |problem: String| LocalnetError::Program { program: program.display().to_string(), problem };
    let output = Command::new(program).args(arguments).output().map_err(|error| failed(error.to_string()))?;
    if !output.status.success() {
        return Err(failed(String::from_utf8_lossy(&output.stderr).trim().to_owned()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
