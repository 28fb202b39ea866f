//! Debian's package index: every package is a put of its version and digest, in key order.

use aardvark_dictionary::{Change, Key};

use super::ImportError;
use super::debian::{DebianError, Release, read_index};
use crate::input::Input;

/// The packages of an index, the higher version where a name stands twice.
pub fn packages(input: Input) -> Result<impl Iterator<Item = Result<Change, ImportError>>, DebianError> {
    let put =
        |(name, release): (String, Release)| Ok(Change { key: Key::from(name.as_str()), value: Some(release.value()) });
    Ok(read_index(input)?.into_iter().map(put))
}
