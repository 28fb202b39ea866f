//! The demonstration's voice: lines for people as they come, or facts for programs at the end.

use std::io::{self, Write};

use serde_json::{Map, Value};

use crate::failure::Failure;

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
        self.say(&format!("\n{}. {title}", self.sections))
    }

    /// Prints a line of a section: a label and what there is to say of it.
    ///
    /// # Errors
    /// Standard output that cannot be written.
    pub fn line(&self, label: &str, text: &str) -> Result<(), Failure> {
        self.say(format!("   {label:<38}  {text}").trim_end())
    }

    /// Prints a line as it is.
    ///
    /// # Errors
    /// Standard output that cannot be written.
    pub fn say(&self, text: &str) -> Result<(), Failure> {
        if self.silent {
            return Ok(());
        }
        let mut out = io::stdout().lock();
        writeln!(out, "{text}")
            .and_then(|()| out.flush())
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
