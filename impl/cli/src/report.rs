//! What a command answers: aligned text for people, JSON for programs, and an exit code.

use std::io;
use std::process::ExitCode;

use indicatif::HumanCount;
use serde_json::{Value, json};

use crate::print::{self, Lines, error_line};

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It holds, or was done: exit code 0.
    Holds,
    /// It is false: exit code 1.
    False,
    /// The input is what it should be, and the work failed: exit code 1.
    Failed,
    /// Malformed input, about something else, or not readable: exit code 2.
    Malformed,
    /// Asked about something that is not done yet, at which nothing was found: exit code 3.
    Unfinished,
}

impl Verdict {
    /// The exit code.
    pub fn code(self) -> u8 {
        match self {
            Self::Holds => 0,
            Self::False | Self::Failed => 1,
            Self::Malformed => 2,
            Self::Unfinished => 3,
        }
    }

    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::False => "false",
            Self::Failed => "failed",
            Self::Malformed => "malformed",
            Self::Unfinished => "unfinished",
        }
    }
}

/// A command's answer.
#[derive(Clone, Debug)]
pub struct Report {
    /// How it ended.
    pub verdict: Verdict,
    /// For people.
    pub text: Text,
    /// For programs; `None` where the text is JSON already.
    pub json: Option<Value>,
}

/// What a command says to people.
#[derive(Clone, Debug)]
pub enum Text {
    /// Lines.
    Lines(Lines),
    /// A JSON document.
    Json(String),
    /// A script of our own words.
    Script(String),
}

impl Report {
    /// An answer of a command that did what it was asked.
    pub fn done(text: Lines, json: Value) -> Self {
        Self { verdict: Verdict::Holds, text: Text::Lines(text), json: Some(json) }
    }

    /// An answer that is a JSON document, for people and programs alike.
    pub fn document(text: impl Into<String>) -> Self {
        Self { verdict: Verdict::Holds, text: Text::Json(text.into()), json: None }
    }

    /// The answer of a command that has printed it already.
    pub fn printed() -> Self {
        Self::document("")
    }

    /// Prints the answer on standard output and gives the exit code. A reader that has gone away is
    /// no error.
    pub fn print(&self, as_json: bool) -> ExitCode {
        let printed = match (&self.json, &self.text) {
            (Some(json), _) if as_json => print::json(&format!("{json:#}")),
            (_, Text::Lines(lines)) => lines.print(),
            (_, Text::Json(document)) if document.is_empty() => Ok(()),
            (_, Text::Json(document)) => print::json(document),
            (_, Text::Script(script)) => print::script(script),
        };
        exit_code(printed, self.verdict)
    }
}

/// Prints why a command failed: on standard error for people, and with `--json` as JSON on standard
/// output too.
pub fn print_failure(verdict: Verdict, message: &str, details: Value, as_json: bool) -> ExitCode {
    let label = if verdict == Verdict::False { "false" } else { "error" };
    error_line(&format!("{label}: {message}"));
    match as_json {
        true => print_failure_json(verdict, message, details),
        false => ExitCode::from(verdict.code()),
    }
}

/// Prints as JSON why a command failed.
pub fn print_failure_json(verdict: Verdict, message: &str, details: Value) -> ExitCode {
    let mut object = json!({ "result": verdict.name(), "error": message });
    if let (Some(object), Value::Object(details)) = (object.as_object_mut(), details) {
        object.extend(details);
    }
    exit_code(print::json(&format!("{object:#}")), verdict)
}

fn exit_code(printed: io::Result<()>, verdict: Verdict) -> ExitCode {
    match printed {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            error_line(&format!("error: standard output: {error}"));
            ExitCode::from(Verdict::Failed.code())
        }
        _ => ExitCode::from(verdict.code()),
    }
}

/// Lines of a label and a value, the values one under the other.
#[derive(Clone, Debug, Default)]
pub struct Rows(Vec<(String, String)>);

impl Rows {
    /// No lines yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a line.
    #[must_use]
    pub fn row(mut self, label: impl Into<String>, value: impl Into<String>) -> Self {
        self.0.push((label.into(), value.into()));
        self
    }

    /// The aligned lines.
    pub fn to_text(&self) -> Lines {
        let width = self.0.iter().map(|(label, _)| label.chars().count()).max().unwrap_or(0);
        let line = |(label, value): &(String, String)| format!("{label:width$}  {value}").trim_end().to_owned();
        self.0.iter().map(line).collect()
    }
}

/// `63436` as `63,436`.
pub fn count(number: u64) -> String {
    HumanCount(number).to_string()
}

/// `1 key`, `2 keys`.
pub fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", count(number), if number == 1 { one } else { many })
}

/// Bytes in decimal units, three digits: `48 B`, `3.07 kB`, `4.80 MB`.
pub fn bytes(number: u64) -> String {
    const UNITS: [&str; 4] = ["kB", "MB", "GB", "TB"];
    if number < 1000 {
        return format!("{number} B");
    }
    let mut value = number as f64 / 1000.0;
    let mut unit = "kB";
    for next in UNITS.into_iter().skip(1) {
        if value < 999.5 {
            break;
        }
        value /= 1000.0;
        unit = next;
    }
    format!("{} {unit}", three_digits(value))
}

/// A duration with three digits: `1.23 ms`, `45.6 s`.
pub fn duration(time: std::time::Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds < 0.9995e-3 {
        format!("{} µs", three_digits(seconds * 1e6))
    } else if seconds < 0.9995 {
        format!("{} ms", three_digits(seconds * 1e3))
    } else {
        format!("{} s", three_digits(seconds))
    }
}

fn three_digits(value: f64) -> String {
    let decimals = if value < 9.995 { 2 } else { usize::from(value < 99.95) };
    format!("{value:.decimals$}")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn rows_align_their_values() {
        let rows = Rows::new().row("key", "curl").row("version", "7").row("empty", "");
        assert_eq!(rows.to_text().as_slice(), ["key      curl", "version  7", "empty"]);
    }

    #[test]
    fn numbers_are_grouped_by_three() {
        let shown = [0, 12, 999, 1000, 63436, 1_234_567].map(count);
        assert_eq!(shown, ["0", "12", "999", "1,000", "63,436", "1,234,567"]);
        assert_eq!(counted(1, "key", "keys"), "1 key");
        assert_eq!(counted(0, "key", "keys"), "0 keys");
    }

    #[test]
    fn sizes_and_times_have_three_digits() {
        let shown = [48, 999, 1000, 3072, 48_000, 999_499, 999_600, 4_800_000_000].map(bytes);
        assert_eq!(shown, ["48 B", "999 B", "1.00 kB", "3.07 kB", "48.0 kB", "999 kB", "1.00 MB", "4.80 GB"]);
        let shown =
            [1, 999, 1000, 12_345, 999_900, 1_500_000, 61_000_000].map(|us| duration(Duration::from_micros(us)));
        assert_eq!(shown, ["1.00 µs", "999 µs", "1.00 ms", "12.3 ms", "1.00 s", "1.50 s", "61.0 s"]);
    }
}
