//! What a load came to: aligned lines for people, JSON for programs.

use serde_json::Value;

/// Lines of a label and a value, and the same as JSON.
pub struct Figures {
    rows: Vec<(String, String)>,
    /// For programs.
    pub json: Value,
}

impl Figures {
    /// These lines and this JSON.
    pub fn new(rows: impl IntoIterator<Item = (impl Into<String>, String)>, json: Value) -> Self {
        Self { rows: rows.into_iter().map(|(label, value)| (label.into(), value)).collect(), json }
    }

    /// The text to print.
    pub fn text(&self, as_json: bool) -> String {
        if as_json {
            return format!("{:#}", self.json);
        }
        let width = self.rows.iter().map(|(label, _)| label.chars().count()).max().unwrap_or(0);
        let lines: Vec<String> = self.rows.iter().map(|(label, value)| format!("{label:width$}  {value}")).collect();
        lines.join("\n")
    }
}
