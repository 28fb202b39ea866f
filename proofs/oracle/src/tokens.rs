//! Values as tokens on a line, separated by single spaces.
//!
//! Numbers are decimal; scalars hexadecimal after `0x`; bytes hexadecimal after `x`; a list is its
//! length, then its elements; an option is `-`, or `+` and the value; a record is its fields in the
//! order of the specification.

use std::fmt::Write;

use aardvark_spec::base::bytes::ByteString;
use aardvark_spec::base::group::{G1, known_exponent};
use aardvark_spec::base::scalar::Scalar;
use aardvark_spec::convert::{byte_vec, scalar_to_bytes};
use hacspec_lib::Seq;

/// A line that grows token by token.
#[derive(Clone, Debug, Default)]
pub struct Line(String);

impl Line {
    /// A line that begins with these tokens.
    pub fn of(tokens: &str) -> Self {
        Self(tokens.to_owned())
    }

    /// The line's text.
    pub fn text(self) -> String {
        self.0
    }

    /// A token.
    pub fn word(&mut self, token: &str) {
        if !self.0.is_empty() {
            self.0.push(' ');
        }
        self.0.push_str(token);
    }

    /// A number.
    pub fn number(&mut self, number: impl Into<u128>) {
        self.word(&number.into().to_string());
    }

    /// A position, version, count or length.
    pub fn size(&mut self, size: usize) {
        self.word(&size.to_string());
    }

    /// A scalar.
    pub fn scalar(&mut self, scalar: Scalar) {
        let digits = hex(&scalar_to_bytes(scalar));
        let digits = digits.trim_start_matches('0');
        self.word(&format!("0x{}", if digits.is_empty() { "0" } else { digits }));
    }

    /// An element of G1, as its exponent.
    pub fn element(&mut self, element: G1) {
        self.scalar(known_exponent(element));
    }

    /// A list of elements of G1.
    pub fn elements(&mut self, elements: &Seq<G1>) {
        self.list(elements, |line, element| line.element(*element));
    }

    /// A list of scalars.
    pub fn scalars(&mut self, scalars: &Seq<Scalar>) {
        self.list(scalars, |line, scalar| line.scalar(*scalar));
    }

    /// A boolean: 0 or 1.
    pub fn flag(&mut self, flag: bool) {
        self.word(if flag { "1" } else { "0" });
    }

    /// Bytes.
    pub fn bytes(&mut self, bytes: &ByteString) {
        self.word(&format!("x{}", hex(&byte_vec(bytes))));
    }

    /// A list.
    pub fn list<T: Clone + Default>(&mut self, items: &Seq<T>, mut element: impl FnMut(&mut Self, &T)) {
        self.size(items.len());
        for item in items.native_slice() {
            element(self, item);
        }
    }

    /// An option.
    pub fn option<T>(&mut self, item: Option<&T>, value: impl FnOnce(&mut Self, &T)) {
        match item {
            None => self.word("-"),
            Some(found) => {
                self.word("+");
                value(self, found);
            }
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        // Writing to a string does not fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// The bytes that a token writes.
pub fn parse_bytes(token: &str) -> Option<Vec<u8>> {
    let digits = token.strip_prefix('x').filter(|digits| digits.is_ascii() && digits.len() % 2 == 0)?;
    (0..digits.len() / 2).map(|i| u8::from_str_radix(digits.get(2 * i..2 * i + 2)?, 16).ok()).collect()
}
