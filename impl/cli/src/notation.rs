//! How keys and values are typed.

use crate::key_text::Notation;

/// The notation that the flag `--text` chooses.
pub fn notation(text: bool) -> Notation {
    if text { Notation::Text } else { Notation::TextOrHex }
}
