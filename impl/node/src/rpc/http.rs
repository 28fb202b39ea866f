//! HTTP with servers that nobody trusts: one deadline for the whole exchange, one limit for the answer's bytes.
//!
//! The limit is on what is read **after** decompression: a kilobyte of gzip can stand for a megabyte. Redirects are refused,
//! since an answer has to come from the server that will be named for it.

use std::io::Read;
use std::time::Duration;

use ureq::Agent;
use ureq::unversioned::transport::DefaultConnector;

use super::resolver::NamesOnly;

/// How long and how much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HttpOptions {
    /// The longest that a request may take, from the look-up of the name to the answer's last byte.
    pub timeout: Duration,
    /// Most bytes of an answer.
    pub answer_bytes: usize,
}

impl Default for HttpOptions {
    /// Ten seconds and 128 MiB: a block of the largest size that a genesis allows by default has, in base64, 86 MiB.
    fn default() -> Self {
        Self { timeout: Duration::from_secs(10), answer_bytes: 128 << 20 }
    }
}

/// A server and how it is spoken to.
#[derive(Clone, Debug)]
pub struct Http {
    agent: Agent,
    url: String,
    options: HttpOptions,
}

/// An answer: its status and its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The status of HTTP.
    pub status: u16,
    /// The body.
    pub body: Vec<u8>,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HttpError {
    /// Text that is not the address of a server.
    #[error("not an address: it has the form http://host:port")]
    Address,
    /// No connection, or one that broke.
    #[error("unreachable: {0}")]
    Unreachable(String),
    /// It took too long.
    #[error("no whole answer within {} s", .0.as_secs_f32())]
    TimedOut(Duration),
    /// More bytes than anyone needs.
    #[error("an answer of more than {0} bytes")]
    TooLong(usize),
}

impl Http {
    /// A server by its address: `http://host:port`, `https://…`, CometBFT's `tcp://host:port`, or `host:port`.
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
        let url = url.trim_end_matches('/').to_owned();
        let config = Agent::config_builder()
            .timeout_global(Some(options.timeout))
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .build();
        let agent = Agent::with_parts(config, DefaultConnector::default(), NamesOnly::default());
        Ok(Self { agent, url, options })
    }

    /// The address, by which the server is named.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// GET of a path, which begins with a slash.
    ///
    /// # Errors
    /// [`HttpError`], but for no status.
    pub fn get(&self, path: &str) -> Result<Answer, HttpError> {
        self.finish(self.agent.get(format!("{}{path}", self.url)).call())
    }

    /// POST of JSON.
    ///
    /// # Errors
    /// As [`Http::get`].
    pub fn post(&self, path: &str, json: &[u8]) -> Result<Answer, HttpError> {
        let request = self.agent.post(format!("{}{path}", self.url)).header("content-type", "application/json");
        self.finish(request.send(json))
    }

    fn finish(&self, sent: Result<ureq::http::Response<ureq::Body>, ureq::Error>) -> Result<Answer, HttpError> {
        let mut response = sent.map_err(|error| self.error(error))?;
        let limit = self.options.answer_bytes;
        let mut body = Vec::new();
        let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
        let read = response.body_mut().with_config().limit(most).reader().take(most).read_to_end(&mut body);
        match read {
            Ok(_) if body.len() > limit => Err(HttpError::TooLong(limit)),
            Ok(_) => Ok(Answer { status: response.status().as_u16(), body }),
            Err(error) => Err(self.error(ureq::Error::from(error))),
        }
    }

    fn error(&self, error: ureq::Error) -> HttpError {
        match error {
            ureq::Error::Timeout(_) => HttpError::TimedOut(self.options.timeout),
            ureq::Error::BodyExceedsLimit(_) => HttpError::TooLong(self.options.answer_bytes),
            other => HttpError::Unreachable(other.to_string()),
        }
    }
}
