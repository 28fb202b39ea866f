//! Keys and values: immutable byte strings that are cheap to share.
//!
//! Keys are ordered lexicographically, byte by byte, as `aardvark_spec::base::bytes` orders them.
//! The empty key is the sentinel's; no user may name it, but as the `next` of the largest key it
//! closes the ring.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

macro_rules! byte_string {
    ($name:ident, $doc:literal) => {
        #[doc = $doc]
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Arc<[u8]>);

        impl $name {
            /// The empty byte string.
            pub fn empty() -> Self {
                Self(Arc::from([].as_slice()))
            }
        }

        impl From<&[u8]> for $name {
            fn from(bytes: &[u8]) -> Self {
                Self(Arc::from(bytes))
            }
        }

        impl From<Vec<u8>> for $name {
            fn from(bytes: Vec<u8>) -> Self {
                Self(Arc::from(bytes))
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self::from(text.as_bytes())
            }
        }

        impl Default for $name {
            fn default() -> Self {
                Self::empty()
            }
        }

        impl Deref for $name {
            type Target = [u8];
            fn deref(&self) -> &[u8] {
                &self.0
            }
        }

        impl std::borrow::Borrow<[u8]> for $name {
            fn borrow(&self) -> &[u8] {
                &self.0
            }
        }

        impl AsRef<[u8]> for $name {
            fn as_ref(&self) -> &[u8] {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt_bytes(&self.0, f)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt_bytes(&self.0, f)
            }
        }
    };
}

byte_string!(
    Key,
    "A key: 1 to 255 bytes in a user's hands; empty only in the sentinel and as the `next` of the largest key."
);
byte_string!(Value, "A value: 0 to 1024 bytes.");

/// Printable ASCII without a leading `0x` as text in quotes, everything else as hexadecimal.
fn fmt_bytes(bytes: &[u8], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let printable = bytes.iter().all(|byte| (0x20..0x7f).contains(byte) && *byte != b'"');
    if printable && !bytes.starts_with(b"0x") {
        return write!(f, "\"{}\"", String::from_utf8_lossy(bytes));
    }
    write!(f, "0x")?;
    bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_ordered_byte_by_byte_and_a_prefix_comes_first() {
        assert!(Key::from("a") < Key::from("ab"));
        assert!(Key::from("ab") < Key::from("b"));
        assert!(Key::empty() < Key::from([0u8].as_slice()));
        assert!(Key::from([0x7f].as_slice()) < Key::from([0x80].as_slice()));
    }

    #[test]
    fn text_is_shown_in_quotes_and_other_bytes_in_hexadecimal() {
        assert_eq!(Key::from("curl").to_string(), "\"curl\"");
        assert_eq!(Key::from([0xff, 0].as_slice()).to_string(), "0xff00");
        assert_eq!(Key::from("0x1").to_string(), "0x307831");
    }
}
