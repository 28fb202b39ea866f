//! The list of opening servers, as an operator writes it: `NAME=URL`, between commas or a line
//! each.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read as _;
use std::path::PathBuf;

use aardvark_client::rpc::http::{Http, HttpError, HttpOptions, without_credentials};

use super::ring::Ring;

/// Most servers of a list.
const MOST: usize = 1024;
/// Most bytes of a file that are read.
const LONGEST: u64 = 1 << 20;

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

/// Where an operator has the list: a file, or the text itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ServerList {
    /// A file, which is read again when the process is told to (SIGHUP).
    File(PathBuf),
    /// The list.
    Text(String),
}

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
    /// A server that is not in its own list.
    #[error("the list has no server of the name {0}")]
    Missing(String),
    /// An address that is none.
    #[error(transparent)]
    Address(#[from] HttpError),
    /// A file that cannot be read.
    #[error("{file}: {what}")]
    File {
        /// The file.
        file: String,
        /// What the system says.
        what: String,
    },
}

impl ServerList {
    /// A list as an argument has it: with `=`, or else the name of a file.
    pub fn of_argument(text: &str) -> Self {
        if text.contains('=') { Self::Text(text.to_owned()) } else { Self::File(PathBuf::from(text)) }
    }

    /// Reads the list.
    ///
    /// # Errors
    /// [`ServersError`].
    pub fn read(&self) -> Result<OpeningServers, ServersError> {
        match self {
            Self::Text(text) => OpeningServers::read(text),
            Self::File(file) => {
                let failed = |what: String| ServersError::File { file: file.display().to_string(), what };
                let mut text = String::new();
                let opened = File::open(file).map_err(|error| failed(error.to_string()))?;
                opened.take(LONGEST).read_to_string(&mut text).map_err(|error| failed(error.to_string()))?;
                OpeningServers::read(&text)
            }
        }
    }

    /// Reads the list as one of its servers does.
    ///
    /// # Errors
    /// [`ServersError`], also where there is no server of that name.
    pub fn read_with(&self, name: &str) -> Result<OpeningServers, ServersError> {
        let servers = self.read()?;
        if servers.has(name) { Ok(servers) } else { Err(ServersError::Missing(name.to_owned())) }
    }
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

    /// Whether there is a server of a name.
    pub fn has(&self, name: &str) -> bool {
        self.0.iter().any(|server| server.name == name)
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
    let no_entry = || ServersError::Entry(without_credentials(entry));
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
    fn a_list_is_given_as_it_is_or_in_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("servers");
        std::fs::write(&file, "a=http://h:1\n").unwrap();
        let in_file = ServerList::of_argument(file.to_str().unwrap());
        assert_eq!(in_file.read(), ServerList::of_argument("a=http://h:1").read());
        std::fs::write(&file, "b=http://h:1\n").unwrap();
        assert!(in_file.read().unwrap().has("b"), "it is read anew each time");
        let missing = ServerList::of_argument("nowhere").read();
        assert!(matches!(missing, Err(ServersError::File { .. })), "{missing:?}");
    }

    #[test]
    fn what_is_no_list_is_told() {
        let read = |text: &str| OpeningServers::read(text).unwrap_err();
        assert_eq!(read("# a=http://h\n,"), ServersError::Empty);
        assert_eq!(read("a"), ServersError::Entry("a".to_owned()));
        assert_eq!(read("a b=http://h"), ServersError::Entry("a b=http://h".to_owned()));
        let secret = read("a b=http://somebody:secret@h").to_string();
        assert!(secret.contains("***@h") && !secret.contains("secret"), "{secret}");
        assert_eq!(read("a=ftp://h"), ServersError::Url("a".to_owned()));
        assert_eq!(read("a=http://h:1,a=http://h:2"), ServersError::Twice("a".to_owned()));
        let many: Vec<String> = (0..=MOST).map(|number| format!("s{number}=http://h")).collect();
        assert_eq!(read(&many.join(",")), ServersError::TooMany);
    }
}
