//! Prints lines to standard output and standard error, escaped for a terminal.
//!
//! Names of fields, keys, files and servers come from outside. On a terminal a carriage return, an
//! escape sequence or a bidirectional override in them could write over what we print, so each line
//! is escaped here, whoever made it.

use std::fmt::Write as _;
use std::io::{self, Write};

use tracing_subscriber::fmt::MakeWriter;

/// Lines for people, none of which breaks: a line break within one is escaped.
#[derive(Clone, Debug, Default)]
pub struct Lines(Vec<String>);

impl Lines {
    /// Adds a line.
    #[must_use]
    pub fn and(mut self, line: impl Into<String>) -> Self {
        self.0.push(line.into());
        self
    }

    /// Adds lines.
    #[must_use]
    pub fn and_all(mut self, lines: impl IntoIterator<Item = String>) -> Self {
        self.0.extend(lines);
        self
    }

    /// The lines, not yet escaped.
    #[cfg(test)]
    pub fn as_slice(&self) -> &[String] {
        &self.0
    }

    /// Prints them on standard output.
    ///
    /// # Errors
    /// What the system says.
    pub fn print(&self) -> io::Result<()> {
        let mut out = io::stdout().lock();
        self.0.iter().try_for_each(|line| writeln!(out, "{}", escaped(line)))?;
        out.flush()
    }
}

impl FromIterator<String> for Lines {
    fn from_iter<I: IntoIterator<Item = String>>(lines: I) -> Self {
        Self(lines.into_iter().collect())
    }
}

/// Prints a JSON document on standard output.
///
/// # Errors
/// What the system says.
pub fn json(document: &str) -> io::Result<()> {
    script(&json_escaped(document))
}

/// Prints text that was made here from nothing but our own words, such as a completion script, as
/// it is.
///
/// # Errors
/// What the system says.
pub fn script(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{text}")?;
    out.flush()
}

/// Prints a line on standard error. Where even that is gone nobody hears it.
pub fn error_line(line: &str) {
    let _unheard = writeln!(io::stderr().lock(), "{}", escaped(line));
}

/// Whether a character changes what a terminal or an editor shows of others, or shows nothing
/// itself: controls (C0, DEL, C1), line separators, bidirectional marks, overrides and isolates,
/// and characters without width.
fn deceives(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}'
        )
}

/// The text with every character that could deceive as Rust writes it: `\r`, `\u{1b}`, `\u{202e}`.
pub fn escaped(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match deceives(character) {
            true => shown.extend(character.escape_default()),
            false => shown.push(character),
        }
    }
    shown
}

/// The same within JSON, as JSON writes it: `\u001b`. Outside its strings JSON has no such
/// character but line breaks.
pub fn json_escaped(document: &str) -> String {
    let mut shown = String::with_capacity(document.len());
    for character in document.chars() {
        if !deceives(character) || character == '\n' {
            shown.push(character);
            continue;
        }
        for unit in character.encode_utf16(&mut [0; 2]) {
            // A string takes everything.
            let _ = write!(shown, "\\u{unit:04x}");
        }
    }
    shown
}

/// Where a node's log goes: standard error, one escaped line an event. Where nobody reads it any
/// more the node goes on: an error here would make the library that writes events panic.
#[derive(Clone, Copy, Debug)]
pub enum LogLines {
    /// Lines of text.
    Text,
    /// Lines of JSON, which stay JSON.
    Json,
}

impl Write for LogLines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        let line = text.strip_suffix('\n').unwrap_or(&text);
        let line = match self {
            Self::Text => escaped(line),
            Self::Json => json_escaped(line),
        };
        let _unheard = writeln!(io::stderr().lock(), "{line}");
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let _unheard = io::stderr().lock().flush();
        Ok(())
    }
}

impl MakeWriter<'_> for LogLines {
    type Writer = Self;

    fn make_writer(&self) -> Self {
        *self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_deceive_is_escaped_and_all_other_text_stays() {
        assert_eq!(escaped("über \"α\" 名 e\u{301} \\n"), "über \"α\" 名 e\u{301} \\n");
        assert_eq!(escaped("a\r\u{1b}[2K\n\tb"), "a\\r\\u{1b}[2K\\n\\tb");
        assert_eq!(
            escaped("\u{7f}\u{9b}\u{202e}\u{2066}\u{200b}\u{2028}"),
            "\\u{7f}\\u{9b}\\u{202e}\\u{2066}\\u{200b}\\u{2028}"
        );
    }

    #[test]
    fn escaped_json_is_the_same_json() {
        let value = serde_json::json!({ "\u{9b}31m": "a\u{7f}\u{1b}\u{202e}\u{e0041}\n" });
        let shown = json_escaped(&format!("{value:#}"));
        assert!(!shown.chars().any(|character| deceives(character) && character != '\n'), "{shown:?}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&shown).unwrap(), value);
    }
}
