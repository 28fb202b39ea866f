//! A server of HTTP for tests, that answers as the test says: well, wrongly, endlessly or never.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

/// A request: `POST /` and what stands behind it.
#[derive(Clone, Debug)]
pub struct Request {
    /// The path with its query.
    pub path: String,
    /// The body.
    pub body: Vec<u8>,
}

impl Request {
    /// The body as JSON.
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap()
    }
}

/// An answer.
#[derive(Clone, Debug)]
pub enum Reply {
    /// A status and a body.
    Body(u16, Vec<u8>),
    /// The body, compressed with gzip already.
    Gzip(Vec<u8>),
    /// A body that never ends.
    Endless,
    /// A byte now and then.
    Drip,
    /// The way to another server.
    Redirect(String),
    /// The connection is closed.
    Nothing,
}

/// The server; it stops with its owner.
pub struct TestServer {
    /// `http://127.0.0.1:port`.
    pub url: String,
    stop: Arc<AtomicBool>,
    requests: Arc<AtomicUsize>,
}

impl TestServer {
    /// A server on a free port of the loopback.
    pub fn new(answer: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (stop, requests) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
        let (stopped, counted, answer) = (Arc::clone(&stop), Arc::clone(&requests), Arc::new(answer));
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                if stopped.load(Ordering::Relaxed) {
                    return;
                }
                let (stopped, counted, answer) = (Arc::clone(&stopped), Arc::clone(&counted), Arc::clone(&answer));
                std::thread::spawn(move || {
                    let mut stream = stream.unwrap();
                    if let Some(request) = read(&stream) {
                        counted.fetch_add(1, Ordering::Relaxed);
                        // A client that has heard enough hangs up.
                        let _hung_up = write(&mut stream, answer(&request), &stopped);
                    }
                });
            }
        });
        Self { url, stop, requests }
    }

    /// How many requests came.
    pub fn requests(&self) -> usize {
        self.requests.load(Ordering::Relaxed)
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        let _woken = TcpStream::connect(self.url.trim_start_matches("http://"));
    }
}

fn read(stream: &TcpStream) -> Option<Request> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let path = line.split(' ').nth(1)?.to_owned();
    let mut length = 0;
    loop {
        line.clear();
        reader.read_line(&mut line).ok()?;
        if line.trim().is_empty() {
            break;
        }
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(Request { path, body })
}

fn write(stream: &mut TcpStream, reply: Reply, stopped: &AtomicBool) -> std::io::Result<()> {
    let head = |status: u16, rest: &str| format!("HTTP/1.1 {status} x\r\nconnection: close\r\n{rest}\r\n");
    match reply {
        Reply::Body(status, body) => {
            stream.write_all(head(status, &format!("content-length: {}\r\n", body.len())).as_bytes())?;
            stream.write_all(&body)
        }
        Reply::Gzip(body) => {
            let rest = format!("content-encoding: gzip\r\ncontent-length: {}\r\n", body.len());
            stream.write_all(head(200, &rest).as_bytes())?;
            stream.write_all(&body)
        }
        Reply::Endless => {
            stream.write_all(head(200, "").as_bytes())?;
            while !stopped.load(Ordering::Relaxed) {
                stream.write_all(&[b' '; 4096])?;
            }
            Ok(())
        }
        Reply::Drip => {
            stream.write_all(head(200, "content-length: 1000000\r\n").as_bytes())?;
            while !stopped.load(Ordering::Relaxed) {
                stream.write_all(b" ")?;
                std::thread::sleep(Duration::from_millis(20));
            }
            Ok(())
        }
        Reply::Redirect(to) => {
            stream.write_all(head(302, &format!("location: {to}\r\ncontent-length: 0\r\n")).as_bytes())
        }
        Reply::Nothing => Ok(()),
    }
}
