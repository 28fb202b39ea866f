//! versitygw, a server of S3 over a folder: built from the Go proxy when it is not there. A store
//! in a bucket is tried with it.

use std::ffi::OsString;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use aardvark_localnet::{Process, free_ports};

use crate::chore::{ChoreError, file_error, output_of, root, with_environment};
use crate::cometbft::install_go;

/// The version that the store is tested with.
const MODULE: &str = "github.com/versity/versitygw";
const VERSION: &str = "v1.8.0";
const BUCKET: &str = "aardvark";
/// Key and secret of the server's only account, which listens on the loopback.
const KEY: &str = "aardvark-test";
/// Seconds until it has to listen.
const PATIENCE: u64 = 60;

/// A server with an empty bucket, which ends with its owner.
pub struct Server {
    port: u16,
    _process: Process,
}

impl Server {
    /// Starts it, over a folder in target/ that each start empties.
    pub fn start() -> Result<Self, ChoreError> {
        let program = installed()?;
        let folder = root().join("target/versitygw/buckets");
        if folder.exists() {
            std::fs::remove_dir_all(&folder).map_err(|source| file_error(&folder, source))?;
        }
        let bucket = folder.join(BUCKET);
        std::fs::create_dir_all(&bucket).map_err(|source| file_error(&bucket, source))?;
        let port = free_ports(1)?.first().copied().unwrap_or_default();
        let address = format!("127.0.0.1:{port}");
        let words = ["--port", &address, "--access", KEY, "--secret", KEY, "--quiet", "posix"];
        let mut arguments: Vec<OsString> = words.map(OsString::from).into();
        arguments.push(folder.clone().into());
        let process = Process::start(&[], &program, &arguments, &[], &folder.with_extension("log"))?;
        let begun = Instant::now();
        while TcpStream::connect(&address).is_err() {
            if begun.elapsed() > Duration::from_secs(PATIENCE) {
                return Err(ChoreError::Smoke(format!("versitygw does not listen on {address}")));
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        Ok(Self { port, _process: process })
    }

    /// What tests have to be told: the bucket, where it is, and whose.
    pub fn environment(&self) -> Vec<(&'static str, String)> {
        vec![
            ("AARDVARK_TEST_BUCKET", format!("s3://{BUCKET}")),
            ("AWS_ENDPOINT", format!("http://127.0.0.1:{}", self.port)),
            ("AWS_ALLOW_HTTP", "true".to_owned()),
            ("AWS_REGION", "us-east-1".to_owned()),
            ("AWS_ACCESS_KEY_ID", KEY.to_owned()),
            ("AWS_SECRET_ACCESS_KEY", KEY.to_owned()),
        ]
    }
}

/// The program, installed under target/ where it is not there yet.
fn installed() -> Result<PathBuf, ChoreError> {
    let folder = root().join("target/versitygw");
    let path = folder.join("versitygw");
    // Built so, it does not know its version itself.
    let built_of = || output_of("go", &["version", "-m", &path.display().to_string()]);
    if path.exists() && built_of().is_ok_and(|said| said.contains(&format!("{MODULE}\t{VERSION}"))) {
        return Ok(path);
    }
    install_go()?;
    std::fs::create_dir_all(&folder).map_err(|source| file_error(&folder, source))?;
    let program = format!("{MODULE}/cmd/versitygw@{VERSION}");
    let environment: [(&str, &Path); 2] = [("GOBIN", &folder), ("GOFLAGS", "-trimpath".as_ref())];
    with_environment("versitygw", "go", &["install", &program], &environment)?;
    Ok(path)
}
