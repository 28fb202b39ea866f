//! HTTP with servers that nobody trusts: one deadline for the whole exchange, one for all exchanges
//! with a server where its time is limited ([`Http::within`]), and a limit for each answer's bytes,
//! by what was asked ([`Http::read`]).
//!
//! The limit is on what is read **after** decompression: a kilobyte of gzip can stand for a
//! megabyte. Redirects are refused, since an answer has to come from the server that will be named
//! for it.

use std::io::Read;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use ureq::Agent;
use ureq::unversioned::transport::DefaultConnector;

use super::allowance::Allowance;
use super::body::Limited;
pub use super::body::read_json;
pub use super::http_error::HttpError;
use super::resolver::{NamesOnly, addresses};

/// How long and how much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HttpOptions {
    /// The longest that a request may take, from the look-up of the name to the answer's last byte.
    pub timeout: Duration,
    /// Most bytes of any answer; what is asked for has a limit of its own besides.
    pub answer_bytes: usize,
}

impl Default for HttpOptions {
    /// Ten seconds and 160 MiB: the largest block that CometBFT allows has, in base64, 133 MiB.
    fn default() -> Self {
        Self { timeout: Duration::from_secs(10), answer_bytes: 160 << 20 }
    }
}

/// A server and how it is spoken to.
#[derive(Clone, Debug)]
pub struct Http {
    agent: Agent,
    /// What paths are appended to.
    base: String,
    /// The same without the credentials that it may have, by which the server is named.
    url: String,
    uri: ureq::http::Uri,
    options: HttpOptions,
    allowance: Option<Allowance>,
}

/// A question.
#[derive(Clone, Copy, Debug)]
pub enum Ask<'a> {
    /// GET of a path, which begins with a slash.
    Get(&'a str),
    /// POST of JSON to a path.
    Post(&'a str, &'a [u8]),
    /// POST of bytes that are no JSON to a path, for a request of this id, if for one
    /// (`x-request-id`).
    Bytes(&'a str, &'a [u8], Option<&'a str>),
}

/// An answer: its status and its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The status of HTTP.
    pub status: u16,
    /// The body.
    pub body: Vec<u8>,
}

/// An address as it may be shown: what stands before an `@` in its authority is left out.
pub fn without_credentials(address: &str) -> String {
    let (scheme, rest) = match address.split_once("://") {
        Some((scheme, rest)) => (format!("{scheme}://"), rest),
        None => (String::new(), address),
    };
    let (authority, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    match authority.rsplit_once('@') {
        Some((_, host)) => format!("{scheme}***@{host}{path}"),
        // What is no address may have its `@` anywhere.
        None if rest.contains('@') => format!("{scheme}***"),
        None => address.to_owned(),
    }
}

impl Http {
    /// A server by its address: `http://host:port`, `https://…`, CometBFT's `tcp://host:port`, or
    /// `host:port`.
    ///
    /// # Errors
    /// [`HttpError::Address`].
    pub fn new(address: &str, options: HttpOptions) -> Result<Self, HttpError> {
        let url = match address.split_once("://") {
            None => format!("http://{address}"),
            Some(("tcp", rest)) => format!("http://{rest}"),
            Some(("http" | "https", _)) => address.to_owned(),
            Some(_) => return Err(HttpError::Address),
        };
        let uri: ureq::http::Uri = url.parse().map_err(|_| HttpError::Address)?;
        if uri.host().is_none_or(str::is_empty) || uri.query().is_some() {
            return Err(HttpError::Address);
        }
        let base = url.trim_end_matches('/').to_owned();
        let config = Agent::config_builder()
            .timeout_global(Some(options.timeout))
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .build();
        let agent = Agent::with_parts(config, DefaultConnector::default(), NamesOnly::default());
        let url = without_credentials(&base);
        Ok(Self { agent, base, url, uri, options, allowance: None })
    }

    /// The same server, with so much time for all that it is asked from now on. Clones of what is
    /// returned share that time.
    #[must_use]
    pub fn within(&self, time: Duration) -> Self {
        Self { allowance: Some(Allowance::new(time)), ..self.clone() }
    }

    /// The address, by which the server is named: without user and password.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Where the server's name leads, looked up within the time that a request has; nothing where
    /// it leads nowhere. Addresses of this machine are all the same, whatever they are called.
    pub fn addresses(&self) -> Vec<SocketAddr> {
        let begun = Instant::now();
        let found = self.time().map(|time| addresses(&self.uri, time)).unwrap_or_default();
        self.charge(begun);
        found
    }

    /// Waits, at the server's expense: for a server that does not have something yet.
    pub fn wait(&self, pause: Duration) {
        let begun = Instant::now();
        std::thread::sleep(self.allowance.as_ref().map_or(pause, |allowance| pause.min(allowance.left())));
        self.charge(begun);
    }

    /// GET of a path, which begins with a slash.
    ///
    /// # Errors
    /// [`HttpError`], but for no status.
    pub fn get(&self, path: &str) -> Result<Answer, HttpError> {
        self.whole(Ask::Get(path))
    }

    /// POST of JSON.
    ///
    /// # Errors
    /// As [`Http::get`].
    pub fn post(&self, path: &str, json: &[u8]) -> Result<Answer, HttpError> {
        self.whole(Ask::Post(path, json))
    }

    fn whole(&self, ask: Ask<'_>) -> Result<Answer, HttpError> {
        self.read(ask, usize::MAX, |status, body| {
            let mut bytes = Vec::new();
            // What failed is remembered by the body.
            let _ = body.read_to_end(&mut bytes);
            Answer { status, body: bytes }
        })
    }

    /// Asks, and has the answer read as it arrives: its status, and at most `most` bytes of its
    /// body. Where the body fails or is longer, that is the error, whatever `read` made of it.
    ///
    /// # Errors
    /// [`HttpError`], but for no status.
    pub fn read<T>(
        &self,
        ask: Ask<'_>,
        most: usize,
        read: impl FnOnce(u16, &mut dyn Read) -> T,
    ) -> Result<T, HttpError> {
        let begun = Instant::now();
        let outcome = self.read_within(self.time()?, ask, most, read);
        self.charge(begun);
        match outcome {
            Err(HttpError::TimedOut(_)) if self.time().is_err() => Err(self.spent()),
            Err(HttpError::TimedOut(_)) => Err(HttpError::TimedOut(self.options.timeout)),
            outcome => outcome,
        }
    }

    fn read_within<T>(
        &self,
        time: Duration,
        ask: Ask<'_>,
        most: usize,
        read: impl FnOnce(u16, &mut dyn Read) -> T,
    ) -> Result<T, HttpError> {
        let sent = match ask {
            Ask::Get(path) => {
                self.agent.get(format!("{}{path}", self.base)).config().timeout_global(Some(time)).build().call()
            }
            Ask::Post(path, json) => self.send(time, path, "application/json", json, None),
            Ask::Bytes(path, bytes, id) => self.send(time, path, "application/octet-stream", bytes, id),
        };
        let mut response = sent.map_err(|error| match named(error) {
            HttpError::Unreachable(why) => HttpError::Unreachable(why.replace(&self.base, &self.url)),
            other => other,
        })?;
        let status = response.status().as_u16();
        let limit = most.min(self.options.answer_bytes);
        let reader = response.body_mut().with_config().limit(u64::MAX).reader();
        let mut body = Limited::new(reader, limit, |error| named(ureq::Error::from(error)));
        let outcome = read(status, &mut body);
        body.fault().map_or(Ok(outcome), Err)
    }

    fn send(
        &self,
        time: Duration,
        path: &str,
        media_type: &str,
        bytes: &[u8],
        id: Option<&str>,
    ) -> Result<ureq::http::Response<ureq::Body>, ureq::Error> {
        let request = self.agent.post(format!("{}{path}", self.base)).header("content-type", media_type);
        let request = id.into_iter().fold(request, |request, id| request.header("x-request-id", id));
        request.config().timeout_global(Some(time)).build().send(bytes)
    }

    /// How long the next request may take.
    fn time(&self) -> Result<Duration, HttpError> {
        let Some(allowance) = &self.allowance else { return Ok(self.options.timeout) };
        match allowance.left() {
            Duration::ZERO => Err(self.spent()),
            left => Ok(left.min(self.options.timeout)),
        }
    }

    fn spent(&self) -> HttpError {
        HttpError::Spent(self.allowance.as_ref().map(Allowance::whole).unwrap_or_default())
    }

    /// Counts the time since `begun` as the server's.
    pub fn charge(&self, begun: Instant) {
        if let Some(allowance) = &self.allowance {
            allowance.charge(begun);
        }
    }
}

/// What an error of the library means; how long was waited is for the caller to say.
fn named(error: ureq::Error) -> HttpError {
    match error {
        ureq::Error::Timeout(_) => HttpError::TimedOut(Duration::ZERO),
        other => HttpError::Unreachable(other.to_string()),
    }
}
