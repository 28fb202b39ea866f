//! Where commands write: through links, to pipes and devices, and nothing behind them when a signal
//! ends them.

#![cfg(unix)]
// Where a helper fails, the test shall.
#![allow(clippy::unwrap_used)]

mod common;

use std::io::Read;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

use common::Sandbox;

#[test]
fn an_output_is_written_through_links_and_keeps_its_mode() {
    let sandbox = Sandbox::with_five_keys();
    sandbox.write("real.json", "old");
    std::fs::set_permissions(sandbox.path("real.json"), PermissionsExt::from_mode(0o604)).unwrap();
    symlink("real.json", sandbox.path("link.json")).unwrap();
    sandbox.ok("prove d curl -o link.json");
    assert!(sandbox.path("link.json").is_symlink());
    assert_eq!(sandbox.json("real.json")["key"], "0x6375726c");
    let mode = std::fs::metadata(sandbox.path("real.json")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o604);
    sandbox.ok("prove d curl -o /dev/null");
}

#[test]
fn standard_output_by_name_gets_the_document_alone_and_stays_what_it_is() {
    let sandbox = Sandbox::with_five_keys();
    let document = sandbox.ok("prove d curl");
    for name in ["/dev/stdout", "-"] {
        assert_eq!(sandbox.ok(&format!("prove d curl -o {name}")), document, "{name}");
        let file = std::fs::File::create(sandbox.path("redirected")).unwrap();
        let status = sandbox.command(&["prove", "d", "curl", "-o", name]).stdout(file).status().unwrap();
        assert!(status.success());
        assert_eq!(sandbox.read("redirected"), document, "{name}");
    }
    assert!(std::path::Path::new("/dev/stdout").exists());
    assert!(!sandbox.path("-").exists());
}

#[test]
fn a_pipe_s_reader_gets_the_document() {
    let sandbox = Sandbox::with_five_keys();
    assert!(Command::new("mkfifo").arg(sandbox.path("pipe")).status().unwrap().success());
    let mut command = sandbox.command(&["commitments", "d", "-o", "pipe"]).stdout(Stdio::null()).spawn().unwrap();
    let mut read = String::new();
    std::fs::File::open(sandbox.path("pipe")).unwrap().read_to_string(&mut read).unwrap();
    assert!(command.wait().unwrap().success());
    assert_eq!(read, sandbox.read("c.json"));
}

/// How a demonstration ends that gets a signal once it has its temporary folder; `None` where it
/// has come to its end before.
fn ended_by(signal: &str, sandbox: &Sandbox) -> Option<ExitStatus> {
    let mut demo = sandbox.command(&["demo", "--sample"]);
    let mut demo = demo.env("TMPDIR", sandbox.path(".")).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let entries = || std::fs::read_dir(sandbox.path(".")).unwrap().count();
    while entries() == 0 && demo.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(300));
    assert!(Command::new("kill").args([signal, &demo.id().to_string()]).status().unwrap().success());
    let status = demo.wait().unwrap();
    assert_eq!(entries(), 0, "{signal}: {status}");
    (!status.success()).then_some(status)
}

#[test]
fn a_signal_leaves_no_temporary_folder_behind() {
    let sandbox = Sandbox::new();
    for signal in ["-INT", "-TERM"] {
        let status = (0..20).find_map(|_| ended_by(signal, &sandbox)).unwrap();
        assert_eq!(status.code(), None, "{signal}: {status}");
    }
}
