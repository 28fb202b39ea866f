//! Output of the demonstration: lines for people as it runs, or JSON for programs at its end.

use serde_json::{Map, Value};

use crate::failure::Failure;
use crate::print::Lines;

/// Prints lines, unless JSON was asked for, and collects facts.
pub struct Narrator {
    silent: bool,
    sections: usize,
    facts: Map<String, Value>,
}

impl Narrator {
    /// A narrator that prints, or with `as_json` only collects.
    pub fn new(as_json: bool) -> Self {
        Self { silent: as_json, sections: 0, facts: Map::new() }
    }

    /// Opens the next section.
    ///
    /// # Errors
    /// Standard output that cannot be written.
    pub fn section(&mut self, title: &str) -> Result<(), Failure> {
        self.sections += 1;
        self.gap()?;
        self.say(&format!("{}. {title}", self.sections))
    }

    /// Prints a line of a section: a label and what there is to say of it.
    ///
    /// # Errors
    /// Standard output that cannot be written.
    pub fn line(&self, label: &str, text: &str) -> Result<(), Failure> {
        self.say(format!("   {label:<38}  {text}").trim_end())
    }

    /// Prints an empty line.
    ///
    /// # Errors
    /// Standard output that cannot be written.
    pub fn gap(&self) -> Result<(), Failure> {
        self.say("")
    }

    /// Prints a line as it is.
    ///
    /// # Errors
    /// Standard output that cannot be written.
    pub fn say(&self, text: &str) -> Result<(), Failure> {
        if self.silent {
            return Ok(());
        }
        Lines::default()
            .and(text)
            .print()
            .map_err(|source| Failure::Output { name: "standard output".to_owned(), source })
    }

    /// Notes a fact.
    pub fn fact(&mut self, name: &str, value: impl Into<Value>) {
        self.facts.insert(name.to_owned(), value.into());
    }

    /// The facts.
    pub fn into_facts(self) -> Value {
        Value::Object(self.facts)
    }
}
