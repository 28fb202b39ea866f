//! `aardvark client load proofs` against a real archive, and against one that lies.

#![allow(clippy::unwrap_used, reason = "a test that cannot set its scene has failed")]

mod common;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Stdio};
use std::thread;

use common::Sandbox;

/// An archive's process; it ends with the test.
struct Archive {
    process: Child,
    address: String,
}

impl Archive {
    /// Serves the sandbox's dictionary `d`, whose keys are `key-0` to `key-9`.
    fn start(sandbox: &Sandbox) -> Self {
        sandbox.ok("init d --vector-size 4");
        sandbox.write("ten.csv", (0..10).map(|number| format!("key-{number},some value\n")).collect::<String>());
        sandbox.ok("import d ten.csv");
        let mut command = sandbox.command(&["--json", "node", "archive", "--dir", "d", "--listen", "127.0.0.1:0"]);
        let mut process = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let said: serde_json::Value = serde_json::from_str(&line).unwrap();
        Self { process, address: said["listening"].as_str().unwrap().to_owned() }
    }

    /// The address of somebody in between who shows `to` where the archive says `from`, as long.
    fn falsified(&self, from: &'static [u8], to: &'static [u8]) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let (own, archive) = (listener.local_addr().unwrap().to_string(), self.address.clone());
        thread::spawn(move || {
            for client in listener.incoming() {
                let (client, archive) = (client.unwrap(), archive.clone());
                // A client that leaves first ends its thread, and nothing else.
                thread::spawn(move || relay(client, &archive, from, to).is_ok());
            }
        });
        own
    }
}

impl Drop for Archive {
    fn drop(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

/// One request without a body, and its answer.
fn relay(mut client: TcpStream, archive: &str, from: &[u8], to: &[u8]) -> std::io::Result<()> {
    let mut server = TcpStream::connect(archive)?;
    for line in BufReader::new(client.try_clone()?).lines() {
        let line = line?;
        if line.is_empty() {
            server.write_all(b"connection: close\r\n\r\n")?;
            break;
        }
        write!(server, "{line}\r\n")?;
    }
    let mut answer = Vec::new();
    server.read_to_end(&mut answer)?;
    while let Some(place) = answer.windows(from.len()).position(|window| window == from) {
        answer.splice(place..place + from.len(), to.iter().copied());
    }
    client.write_all(&answer)
}

#[test]
fn a_figure_is_printed_for_proofs_that_hold() {
    let sandbox = Sandbox::new();
    let archive = Archive::start(&sandbox);
    for batch in [1, 7] {
        let line = format!(
            "client load proofs --archive {} --duration 1 --concurrency 2 --keys 10 --batch {batch}",
            archive.address
        );
        let figures = sandbox.ok_json(&line);
        assert!(figures["proofs_a_second"].as_f64().unwrap() > 0.0, "{figures}");
        assert!(figures["verified"].as_u64().unwrap() >= 2 * batch, "{figures}");
        assert_eq!((&figures["refused"], &figures["failed"]), (&0.into(), &0.into()), "{figures}");
    }
}

#[test]
fn no_figure_is_printed_for_proofs_that_do_not_hold() {
    let sandbox = Sandbox::new();
    let archive = Archive::start(&sandbox);
    // "some value" becomes "sume value".
    let liar = archive.falsified(b"736f6d652076616c7565", b"73756d652076616c7565");
    let line = format!("client load proofs --archive {liar} --duration 1 --concurrency 2 --keys 10");
    let refused = sandbox.refused(&line, 1, "does not prove that its slot stands at position");
    assert!(!refused.out.contains("proofs a second"), "{refused:?}");
}
