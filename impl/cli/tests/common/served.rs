//! Processes that serve a dictionary, and servers between them and a client that change what they
//! say.
#![allow(dead_code, clippy::unwrap_used)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use serde_json::Value;

use super::Sandbox;

/// A process of `aardvark node ..`, which ends with its owner.
pub struct Served {
    child: Child,
    /// Where it listens.
    pub address: SocketAddr,
}

/// What a server answered.
#[derive(Debug)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// The body.
    pub body: Vec<u8>,
}

impl Answer {
    /// The body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    /// Demands a status and the code of an error.
    pub fn demand(&self, status: u16, code: &str) {
        assert_eq!((self.status, self.json()["code"].as_str()), (status, Some(code)), "{}", self.json());
    }
}

impl Served {
    /// Runs `aardvark node ..` with these words, on a free port.
    pub fn new(sandbox: &Sandbox, words: &str) -> Self {
        let words: Vec<&str> = ["--json", "node"].into_iter().chain(words.split_whitespace()).collect();
        let mut command = sandbox.command(&[words.as_slice(), &["--listen", "127.0.0.1:0"]].concat());
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let said: Value = serde_json::from_str(&line).unwrap();
        let address = said["listening"].as_str().unwrap().parse().unwrap();
        Self { child, address }
    }

    /// Its address as the client takes it.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub fn get(&self, path: &str) -> Answer {
        ask(self.address, "GET", path, b"")
    }

    pub fn post(&self, path: &str, body: &Value) -> Answer {
        ask(self.address, "POST", path, body.to_string().as_bytes())
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ended = self.child.kill();
        let _ended = self.child.wait();
    }
}

/// Asks a server once.
pub fn ask(address: SocketAddr, method: &str, path: &str, body: &[u8]) -> Answer {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let length = body.len();
    let head = format!(
        "{method} {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).unwrap();
    // A server that refuses at once may have closed already.
    let _ignored = stream.write_all(body);
    let mut bytes = Vec::new();
    let _ignored = stream.read_to_end(&mut bytes);
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
    let status = String::from_utf8_lossy(&bytes[..end]).split(' ').nth(1).unwrap().parse().unwrap();
    Answer { status, body: bytes[end + 4..].to_vec() }
}

/// A server that hands on what another one says, changed.
pub struct Liar {
    /// Where it listens.
    pub address: SocketAddr,
}

impl Liar {
    /// Changes what `honest` answers: `lie` is given the path and the answer.
    pub fn new(honest: SocketAddr, lie: impl Fn(&str, Answer) -> Answer + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let lie = Arc::new(lie);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let lie = Arc::clone(&lie);
                // A client that leaves is of no concern.
                thread::spawn(move || hand_on(stream, honest, &*lie));
            }
        });
        Self { address }
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }
}

fn hand_on(stream: TcpStream, honest: SocketAddr, lie: &dyn Fn(&str, Answer) -> Answer) -> Option<()> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let mut words = line.split(' ');
    let (method, path) = (words.next()?.to_owned(), words.next()?.to_owned());
    let mut length = 0;
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).ok()?;
        if header.trim().is_empty() {
            break;
        }
        if let Some(value) = header.to_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let Answer { status, body } = lie(&path, ask(honest, &method, &path, &body));
    let length = body.len();
    let head = format!(
        "HTTP/1.1 {status} X\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n"
    );
    let mut stream = reader.into_inner();
    stream.write_all(head.as_bytes()).ok()?;
    stream.write_all(&body).ok()
}
