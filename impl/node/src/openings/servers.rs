//! The list of opening servers, as an operator writes it: `NAME=URL`, between commas or a line
//! each.

use std::collections::BTreeSet;

use aardvark_client::rpc::http::{Http, HttpError, HttpOptions};

use super::ring::Ring;

/// Most servers of a list.
const MOST: usize = 1024;

/// A server: its name, by which the vectors are dealt out, and where it answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningServer {
    /// The name.
    pub name: String,
    /// `http://host:port`.
    pub url: String,
}

/// The servers of a dictionary. Every front and every server has the same list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningServers(Vec<OpeningServer>);

/// Why something is no list of servers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ServersError {
    /// An entry that is not `NAME=URL`.
    #[error("{0} is not NAME=URL, with a name of letters, digits, '-', '_' and '.'")]
    Entry(String),
    /// A URL that is none.
    #[error("the URL of {0} is none that openings can be asked at")]
    Url(String),
    /// A name that stands twice.
    #[error("the name {0} stands twice")]
    Twice(String),
    /// No server.
    #[error("the list has no server")]
    Empty,
    /// More servers than a list may have.
    #[error("the list has more than {MOST} servers")]
    TooMany,
}

impl OpeningServers {
    /// Reads a list. Empty entries, and lines that begin with `#`, are left out.
    ///
    /// # Errors
    /// [`ServersError`].
    pub fn read(text: &str) -> Result<Self, ServersError> {
        let lines = text.lines().filter(|line| !line.trim_start().starts_with('#'));
        let entries = lines.flat_map(|line| line.split(',')).map(str::trim).filter(|entry| !entry.is_empty());
        let servers = entries.map(server).collect::<Result<Vec<_>, _>>()?;
        let mut names = BTreeSet::new();
        match servers.iter().find(|server| !names.insert(&server.name)) {
            Some(server) => Err(ServersError::Twice(server.name.clone())),
            None if servers.is_empty() => Err(ServersError::Empty),
            None if servers.len() > MOST => Err(ServersError::TooMany),
            None => Ok(Self(servers)),
        }
    }

    /// Who owns which vector.
    pub fn ring(&self) -> Ring {
        Ring::new(self.0.iter().map(|server| server.name.clone()))
    }

    /// How each is spoken to, in the order of the ring's names.
    pub(super) fn connections(&self, options: HttpOptions) -> Result<Vec<(String, Http)>, HttpError> {
        let connection = |server: &OpeningServer| Ok((server.name.clone(), Http::new(&server.url, options)?));
        let mut connections = self.0.iter().map(connection).collect::<Result<Vec<_>, HttpError>>()?;
        connections.sort_by(|(a, _), (b, _)| a.cmp(b));
        Ok(connections)
    }
}

fn server(entry: &str) -> Result<OpeningServer, ServersError> {
    let no_entry = || ServersError::Entry(entry.to_owned());
    let (name, url) = entry.split_once('=').ok_or_else(no_entry)?;
    let (name, url) = (name.trim().to_owned(), url.trim().to_owned());
    let of_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    if name.is_empty() || !name.bytes().all(of_name) {
        return Err(no_entry());
    }
    match Http::new(&url, HttpOptions::default()) {
        Ok(_) => Ok(OpeningServer { name, url }),
        Err(_) => Err(ServersError::Url(name)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_read_from_a_line_or_from_many() {
        let line = OpeningServers::read("b=http://h:2, a=http://h:1,").unwrap();
        assert_eq!(line.ring().names().collect::<Vec<_>>(), ["a", "b"]);
        let file = OpeningServers::read("# two of them\nb = http://h:2\n\na=http://h:1\n").unwrap();
        assert_eq!(file, line);
        let names = line.connections(HttpOptions::default()).unwrap();
        assert_eq!(names.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["a", "b"]);
    }

    #[test]
    fn what_is_no_list_is_told() {
        let read = |text: &str| OpeningServers::read(text).unwrap_err();
        assert_eq!(read("# a=http://h\n,"), ServersError::Empty);
        assert_eq!(read("a"), ServersError::Entry("a".to_owned()));
        assert_eq!(read("a b=http://h"), ServersError::Entry("a b=http://h".to_owned()));
        assert_eq!(read("a=ftp://h"), ServersError::Url("a".to_owned()));
        assert_eq!(read("a=http://h:1,a=http://h:2"), ServersError::Twice("a".to_owned()));
        let many: Vec<String> = (0..=MOST).map(|number| format!("s{number}=http://h")).collect();
        assert_eq!(read(&many.join(",")), ServersError::TooMany);
    }
}
