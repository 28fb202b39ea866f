//! Running Coq, and writing Rust's values as Coq's.

use std::path::Path;
use std::process::Command;

use hacspec_lib::Seq;

/// What came of compiling files.
#[derive(Debug)]
pub enum Outcome {
    /// All compiled.
    Compiled,
    /// Coq is not installed.
    Skipped,
    /// What Coq said about the first that did not compile.
    Failed(String),
}

/// Compiles files of a folder, in this order.
pub fn compile(folder: &Path, files: &[String]) -> Outcome {
    if Command::new("coqc").arg("--version").output().is_err() {
        return Outcome::Skipped;
    }
    for file in files {
        let output = Command::new("coqc").args(["-q", "-Q", ".", "AardvarkSpec", file]).current_dir(folder).output();
        let output = match output {
            Ok(output) => output,
            Err(error) => return Outcome::Failed(format!("{file}: {error}")),
        };
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            let line = said.split("line ").nth(1).and_then(|rest| rest.split(',').next()?.parse::<usize>().ok());
            let text = std::fs::read_to_string(folder.join(file)).unwrap_or_default();
            let lines: Vec<&str> = text.lines().collect();
            let around = line.map(|line| lines[line.saturating_sub(2)..line.min(lines.len())].join("\n"));
            return Outcome::Failed(format!("{said}\n{}", around.unwrap_or_default()));
        }
    }
    Outcome::Compiled
}

/// A value as Coq writes it.
pub trait ToCoq {
    /// The value as Coq writes it.
    fn to_coq(&self) -> String;
}

macro_rules! displayed {
    ($($kind:ty),+) => {
        $(impl ToCoq for $kind {
            fn to_coq(&self) -> String {
                self.to_string()
            }
        })+
    };
}
displayed!(bool, u8, u64, u128, usize);

impl<T: ToCoq> ToCoq for Option<T> {
    fn to_coq(&self) -> String {
        self.as_ref().map_or_else(|| "None".to_owned(), |value| format!("(Some {})", value.to_coq()))
    }
}

impl<T: ToCoq + Clone + Default> ToCoq for Seq<T> {
    fn to_coq(&self) -> String {
        let elements: Vec<String> = self.native_slice().iter().map(ToCoq::to_coq).collect();
        format!("[{}]", elements.join("; "))
    }
}

macro_rules! tuples {
    ($(($($name:ident $index:tt),+);)+) => {
        $(impl<$($name: ToCoq),+> ToCoq for ($($name,)+) {
            fn to_coq(&self) -> String {
                let parts = [$(self.$index.to_coq()),+];
                format!("({})", parts.join(", "))
            }
        })+
    };
}
tuples! {
    (A 0, B 1);
    (A 0, B 1, C 2);
    (A 0, B 1, C 2, D 3);
}

impl ToCoq for crate::scalar::Scalar {
    fn to_coq(&self) -> String {
        let digits: String = self.to_be_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
        format!("0x{digits}")
    }
}
