//! Why a specification is not translated: always with file, line and reason.

use proc_macro2::Span;

/// The translator's result.
pub type Translated<T> = Result<T, Refusal>;

/// A construct that the translator does not understand, or understands and does not accept.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {reason}")]
pub struct Refusal {
    /// The file, relative to the folder that is translated.
    pub file: String,
    /// The line, counted from 1.
    pub line: usize,
    /// What stands there, and why it is refused.
    pub reason: String,
}

/// A place in a source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file, relative to the folder that is translated.
    pub file: String,
    /// The line, counted from 1.
    pub line: usize,
}

impl Place {
    /// The place of what stands nowhere in the specification.
    pub fn nowhere() -> Self {
        Self { file: String::new(), line: 0 }
    }

    /// The place where a piece of syntax begins.
    pub fn of(file: &str, span: Span) -> Self {
        Self { file: file.to_owned(), line: span.start().line }
    }

    /// Refuses what stands here.
    pub fn refuse<T>(&self, reason: impl Into<String>) -> Translated<T> {
        Err(Refusal { file: self.file.clone(), line: self.line, reason: reason.into() })
    }
}
