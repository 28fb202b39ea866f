//! Test vectors: what another implementation needs to test itself without our code.
//!
//! The files in `vectors/` are written by `cargo run -p differential-tests --bin vectors -- write`
//! and described by `vectors/schema.json`; `vectors/README.md` says what each is and when a change
//! of one breaks compatibility. They are replayed by both sides ([`replay`]), each from the file
//! alone.
//!
//! After Wycheproof: three outcomes where three are possible (`valid`, `false`, `malformed`), and
//! on every test the bugs that it is there to catch.

pub mod encodings;
pub mod file;
pub mod flags;
pub mod hex_text;
pub mod histories;
pub mod identities;
pub mod mixnet;
mod mixnet_case;
pub mod note_case;
pub mod notes;
pub mod openings;
pub mod proof_case;
pub mod proofs;
pub mod replay;
pub mod scalars;
mod scenarios;

use crate::compare::Mismatch;

pub use file::directory;

/// The names and contents of all files, as they should be.
///
/// # Errors
/// Where specification and implementation differ about a vector.
pub fn all() -> Result<Vec<(&'static str, String)>, Mismatch> {
    Ok(vec![
        ("slots.json", scalars::slots().to_json()),
        ("scalars.json", scalars::scalars().to_json()),
        ("openings_kzg_ceremony.json", openings::on_the_ceremony().to_json()),
        ("openings_kzg_known_secret.json", openings::kzg_with_known_secret().to_json()),
        ("openings_libert_yung_known_secret.json", openings::libert_yung_with_known_secret().to_json()),
        ("dictionaries.json", identities::dictionaries()?.to_json()),
        ("transactions.json", identities::transactions()?.to_json()),
        ("encodings.json", encodings::encodings().to_json()),
        ("histories.json", scenarios::histories()?.to_json()),
        ("proofs.json", proofs::proofs().to_json()),
        ("tables.json", proofs::tables::tables().to_json()),
        ("notes.json", notes::notes().to_json()),
        ("mixnet.json", mixnet::mixnet().to_json()),
    ])
}
