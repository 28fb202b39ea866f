//! What goes wrong with a network.

/// Why something about a network failed.
#[derive(Debug, thiserror::Error)]
pub enum LocalnetError {
    /// A file or folder.
    #[error("{path}: {source}")]
    File {
        /// Its path.
        path: std::path::PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A program that could not be started, or failed.
    #[error("{program}: {problem}")]
    Program {
        /// The program.
        program: String,
        /// What it says.
        problem: String,
    },
    /// JSON that is not what it has to be.
    #[error("{what}: {problem}")]
    Json {
        /// Whose.
        what: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A node that does not answer, or with an error.
    #[error("{url}: {problem}")]
    Rpc {
        /// What was asked.
        url: String,
        /// What is wrong.
        problem: String,
    },
    /// Something that did not happen in time.
    #[error("{what} did not happen within {seconds} s{said}")]
    TooLate {
        /// What was waited for.
        what: String,
        /// How long.
        seconds: u64,
        /// The last lines of what the processes printed that it was waited for.
        said: String,
    },
    /// Something that did not happen, because a process does not run that brings it about.
    #[error("{what} cannot happen: a process has ended{said}")]
    Ended {
        /// What was waited for.
        what: String,
        /// The last lines of what the processes printed that it was waited for.
        said: String,
    },
    /// The system does not give a free port.
    #[error("no free port: {0}")]
    Port(std::io::Error),
}

impl LocalnetError {
    pub(crate) fn file(path: &std::path::Path) -> impl FnOnce(std::io::Error) -> Self + '_ {
        move |source| Self::File { path: path.to_owned(), source }
    }
}
