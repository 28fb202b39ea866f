//! `aardvark archive backup` and `restore`: from a folder, and from a process that serves it.

#![allow(clippy::unwrap_used, clippy::panic, missing_docs, reason = "a test that cannot set its scene has failed")]

mod common;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Stdio};

use common::Sandbox;
use serde_json::Value;

/// A process that ends with its owner.
struct Serving {
    child: Child,
    operations: String,
}

impl Serving {
    /// The archive `d`, served.
    fn begin(sandbox: &Sandbox) -> Self {
        let words =
            ["--json", "node", "archive", "--dir", "d", "--listen", "127.0.0.1:0", "--operations", "127.0.0.1:0"];
        let mut child = sandbox.command(&words).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let said: Value = serde_json::from_str(&line).unwrap();
        Self { child, operations: format!("http://{}", said["operations"].as_str().unwrap()) }
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _gone_is_as_well = self.child.kill();
        let _status = self.child.wait();
    }
}

/// What a process says of when the last backup was taken.
fn last_backup(operations: &str) -> u64 {
    let mut stream = TcpStream::connect(operations.strip_prefix("http://").unwrap()).unwrap();
    write!(stream, "GET /metrics HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").unwrap();
    let mut said = String::new();
    stream.read_to_string(&mut said).unwrap();
    let line = said.lines().find_map(|line| line.strip_prefix("aardvark_last_backup_timestamp_seconds "));
    line.unwrap().parse().unwrap()
}

#[test]
fn a_backup_is_taken_from_a_folder_or_a_process_and_restored_held_against_a_root() {
    let sandbox = Sandbox::with_five_keys();
    let root = sandbox.ok_json("root d")["root"].as_str().unwrap().to_owned();
    let taken = sandbox.ok_json("archive backup d -o from-folder");
    assert_eq!((taken["version"].as_u64(), taken["root"].as_str()), (Some(1), Some(root.as_str())));
    let bytes = std::fs::read(sandbox.path("from-folder")).unwrap();
    assert_eq!(taken["bytes"].as_u64(), Some(bytes.len() as u64));
    let serving = Serving::begin(&sandbox);
    let address = &serving.operations;
    // One was taken from the folder, and this process knows of it.
    let before = last_backup(address);
    assert!(before > 0 && sandbox.read("d/last-backup") == format!("{before}\n"));
    sandbox.write("d/last-backup", "1\n");
    assert_eq!(sandbox.ok_json(&format!("archive backup --operations {address} -o from-process")), taken);
    let after = last_backup(address);
    assert!(after >= before && sandbox.read("d/last-backup") == format!("{after}\n"));
    assert!(std::fs::read(sandbox.path("from-process")).unwrap() == bytes);
    drop(serving);
    sandbox.write("d/last-backup", "86400\n");
    assert_eq!(last_backup(&Serving::begin(&sandbox).operations), 86_400, "a process that starts knows it");
    std::fs::remove_file(sandbox.path("d/last-backup")).unwrap();
    assert_eq!(last_backup(&Serving::begin(&sandbox).operations), 0);
    sandbox.write("more.csv", "zsh,5.9\n");
    sandbox.ok("import d more.csv");

    let said = sandbox.ok(&format!("archive restore from-process r --root {root}"));
    assert!(said.contains("the root that was given") && said.contains(&root), "{said}");
    assert_eq!(sandbox.ok_json("root r")["root"], root.as_str());
    assert!(sandbox.ok("get r curl").contains("7.88"));
    assert_eq!(sandbox.ok_json(&format!("audit r --root {root}"))["result"], "holds");
    sandbox.ok("import r more.csv");
    assert_eq!(sandbox.ok_json("root r")["root"], sandbox.ok_json("root d")["root"]);

    let piped = sandbox.run_with_input("--json archive restore - s", &bytes);
    assert_eq!(serde_json::from_str::<Value>(&piped.out).unwrap()["trusted"], false, "{piped:?}");
    let mut out = Vec::new();
    let words = ["archive", "backup", "s", "-o", "-"];
    let mut child = sandbox.command(&words).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    child.stdout.take().unwrap().read_to_end(&mut out).unwrap();
    assert!(child.wait().unwrap().success() && out == bytes, "a copy has the same backup");
}

#[test]
fn what_is_no_whole_backup_or_of_another_root_makes_no_archive() {
    let sandbox = Sandbox::with_five_keys();
    sandbox.ok("archive backup d -o b");
    let bytes = std::fs::read(sandbox.path("b")).unwrap();
    let nothing_is_left = |line: &str, code, reason: &str| {
        sandbox.refused(line, code, reason);
        let left = std::fs::read_dir(sandbox.path("r")).map_or(0, Iterator::count);
        assert_eq!(left, 0, "{line}");
    };
    let other = format!("0x{}", "07".repeat(32));
    nothing_is_left(&format!("archive restore b r --root {other}"), 1, "has the state root 0x");
    nothing_is_left("archive restore b r --root 0x07", 2, "--root");
    nothing_is_left("archive restore missing r", 2, "missing");
    nothing_is_left("archive restore five.csv r", 2, "does not begin as one");
    sandbox.write("short", &bytes[..bytes.len() - 1]);
    nothing_is_left("archive restore short r", 2, "it is cut off");
    let mut changed = bytes.clone();
    changed[bytes.len() / 2] ^= 1;
    sandbox.write("changed", &changed);
    sandbox.refused("archive restore changed r", 2, "backup");
    sandbox.refused("archive restore b d", 2, "not empty");
    sandbox.refused("archive backup nowhere -o x", 2, "nowhere");
    sandbox.refused("archive backup -o x", 2, "required");
    assert!(!sandbox.path("x").exists());
    assert!(sandbox.ok("get d curl").contains("7.88"));
}

#[test]
fn a_download_that_breaks_off_or_is_none_leaves_the_old_file() {
    let sandbox = Sandbox::with_five_keys();
    sandbox.ok("archive backup d -o b");
    let bytes = std::fs::read(sandbox.path("b")).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let half = bytes[..bytes.len() / 2].to_vec();
    let server = std::thread::spawn(move || {
        let answers = [
            // Ends where the half does, as if that were all.
            [b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n".as_slice(), &half].concat(),
            [b"HTTP/1.1 200 OK\r\ncontent-length: 9999999\r\n\r\n".as_slice(), &half].concat(),
            b"HTTP/1.1 503 Service Unavailable\r\ncontent-length: 4\r\n\r\nbusy".to_vec(),
        ];
        for answer in answers {
            let (mut stream, _) = listener.accept().unwrap();
            // To the end of the head: a connection that is closed before is reset.
            let head = BufReader::new(&stream).lines().map_while(Result::ok).take_while(|line| !line.is_empty());
            assert!(head.count() > 0);
            stream.write_all(&answer).unwrap();
        }
    });
    let take = format!("archive backup --operations http://{address} -o b");
    sandbox.refused(&take, 2, "it is cut off");
    sandbox.refused(&take, 1, "unreachable");
    sandbox.refused(&take, 1, "503: busy");
    server.join().unwrap();
    assert!(std::fs::read(sandbox.path("b")).unwrap() == bytes);
    assert_eq!(std::fs::read_dir(sandbox.path(".")).unwrap().count(), 4, "d, five.csv, c.json, b");
}
