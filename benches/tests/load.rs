//! `load proofs` against a real archive, and against one that lies.

#![allow(clippy::unwrap_used, reason = "a test that cannot set its scene has failed")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Output};
use std::sync::mpsc;
use std::thread;

use aardvark_archive::Archive;
use aardvark_commitment::setups;
use aardvark_dictionary::{Change, Genesis, Identity, Key, Parameters};
use aardvark_node::archive::{Limits, Options, run};
use aardvark_node::reload::Reloads;
use tempfile::TempDir;

/// An archive that this process serves until it ends.
struct Served {
    address: String,
    _folder: TempDir,
}

impl Served {
    /// Serves a dictionary whose keys are `key-0` to `key-9`.
    fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let directory = folder.path().join("d");
        let parameters = Parameters { vector_size: 4, ..Parameters::default() };
        let setup = setups::published_digest(parameters.scheme, parameters.vector_size).unwrap();
        let genesis = Genesis::new(Identity::new("d", [7; 32]).unwrap(), parameters, setup, Vec::new()).unwrap();
        let mut archive = Archive::builder().create(&directory, &genesis).unwrap();
        let key = |number: u32| Key::from(format!("key-{number}").as_str());
        archive
            .import((0..10).map(|number| Change { key: key(number), value: Some("some value".into()) }).collect())
            .unwrap();
        drop(archive);
        let listen = "127.0.0.1:0".parse().unwrap();
        let limits = Limits::default();
        let (operations, opening_bytes) = (None, 1 << 20);
        let options = Options {
            directory,
            listen,
            operations,
            opening_bytes,
            warm: false,
            limits,
            opening_servers: None,
            chain: None,
            keeper: None,
            store: None,
            reloads: Reloads::default(),
        };
        let (say, heard) = mpsc::channel();
        thread::spawn(move || {
            run(&options, move |listening| say.send(listening.public.to_string()).unwrap()).map(drop).unwrap()
        });
        Self { address: heard.recv().unwrap(), _folder: folder }
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

/// Runs `load` with arguments separated by spaces.
fn load(line: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_load")).args(line.split_whitespace()).output().unwrap()
}

#[test]
fn a_figure_is_printed_for_proofs_that_hold() {
    let archive = Served::start();
    for batch in [1, 7] {
        let line = format!(
            "--json proofs --archive {} --duration 1 --concurrency 2 --keys 10 --batch {batch}",
            archive.address
        );
        let output = load(&line);
        assert!(output.status.success(), "{output:?}");
        let figures: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert!(figures["proofs_a_second"].as_f64().unwrap() > 0.0, "{figures}");
        assert!(figures["verified"].as_u64().unwrap() >= 2 * batch, "{figures}");
        assert_eq!((&figures["refused"], &figures["failed"]), (&0.into(), &0.into()), "{figures}");
    }
}

#[test]
fn no_figure_is_printed_for_proofs_that_do_not_hold() {
    let archive = Served::start();
    // "some value" becomes "sume value".
    let liar = archive.falsified(b"736f6d652076616c7565", b"73756d652076616c7565");
    let output = load(&format!("proofs --archive {liar} --duration 1 --concurrency 2 --keys 10"));
    let (out, said) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("does not prove its claim"), "{said}");
    assert!(!out.contains("proofs a second"), "{out}");
}
