//! What the tests share: dice, histories, and where the oracle is.

// A broken premise must stop a test; and no test uses all of this.
#![allow(clippy::unwrap_used, clippy::panic, dead_code)]

pub mod aggregation;
pub mod scene;

use aardvark_oracle::{Oracle, OracleError};
use aardvark_spec::base::bytes::ByteString;
use aardvark_spec::block::operation::Action;
use aardvark_spec::convert::byte_string;
use hacspec_lib::Seq;

/// Numbers that look random, from a seed: Knuth's linear congruence.
pub struct Dice(pub u64);

impl Dice {
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    pub fn size(&mut self, bound: u64) -> usize {
        usize::try_from(self.below(bound)).unwrap()
    }

    pub fn key(&mut self) -> ByteString {
        let letters = [b"a".as_slice(), b"b", b"ab", b"b\0", b"c", b"\0", b"\xff\xff", b"d"];
        byte_string(letters[self.size(8)])
    }

    pub fn value(&mut self) -> ByteString {
        match self.below(3) {
            0 => byte_string(&self.below(1000).to_be_bytes()),
            1 => byte_string(b""),
            _ => byte_string(&[u8::try_from(self.below(256)).unwrap()]),
        }
    }

    pub fn action(&mut self) -> Action {
        match self.below(12) {
            0 => Action::RequireAbsent,
            1 => Action::RequireValue(self.value()),
            2..=5 => Action::Put(self.value()),
            6..=9 => Action::Delete,
            10 => Action::Add(self.below(10)),
            _ => Action::Sub(self.below(10)),
        }
    }
}

pub fn seq<T: Clone + Default>(items: Vec<T>) -> Seq<T> {
    Seq::from_vec(items)
}

/// The oracle; none, said aloud, where it is not built.
pub fn start() -> Option<Oracle> {
    match Oracle::start() {
        Ok(oracle) => Some(oracle),
        Err(error @ OracleError::Missing(_)) => {
            // Even where the test harness holds output back.
            let _ = std::io::Write::write_all(&mut std::io::stderr(), format!("\nSKIPPED: {error}\n\n").as_bytes());
            None
        }
        Err(error) => panic!("{error}"),
    }
}
