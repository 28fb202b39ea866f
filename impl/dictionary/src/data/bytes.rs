//! Keys and values: immutable byte strings that are cheap to share.
//!
//! A key is counted and shared, for slots hold most keys twice. A value of up to 22 bytes stands in
//! place, which takes less than to allocate and to count it; a longer one is shared too.
//!
//! Keys are ordered lexicographically, byte by byte, as `aardvark_spec::base::bytes` orders them.
//! The empty key is the sentinel's; no user may name it, but as the `next` of the largest key it
//! closes the ring.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::Arc;

/// Most bytes of a value that stands in place: with its length as long as a `String`.
const SHORT: usize = 22;

/// Bytes in place, or shared.
#[derive(Clone)]
enum Bytes {
    /// The first `length` bytes.
    Short { length: u8, bytes: [u8; SHORT] },
    /// More than [`SHORT`].
    Shared(Arc<[u8]>),
}

impl From<&[u8]> for Bytes {
    fn from(slice: &[u8]) -> Self {
        let mut bytes = [0; SHORT];
        match (bytes.get_mut(..slice.len()), u8::try_from(slice.len())) {
            (Some(place), Ok(length)) => {
                place.copy_from_slice(slice);
                Self::Short { length, bytes }
            }
            _ => Self::Shared(slice.into()),
        }
    }
}

impl Deref for Bytes {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        match self {
            Self::Short { length, bytes } => bytes.get(..usize::from(*length)).unwrap_or(bytes),
            Self::Shared(bytes) => bytes,
        }
    }
}

impl PartialEq for Bytes {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for Bytes {}

impl PartialOrd for Bytes {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Bytes {
    fn cmp(&self, other: &Self) -> Ordering {
        (**self).cmp(&**other)
    }
}

impl Hash for Bytes {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

macro_rules! byte_string {
    ($name:ident, $bytes:ty, $doc:literal) => {
        #[doc = $doc]
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name($bytes);

        impl $name {
            /// The empty byte string.
            pub fn empty() -> Self {
                Self::from([].as_slice())
            }
        }

        impl From<&[u8]> for $name {
            fn from(bytes: &[u8]) -> Self {
                Self(<$bytes>::from(bytes))
            }
        }

        impl From<Vec<u8>> for $name {
            fn from(bytes: Vec<u8>) -> Self {
                Self::from(bytes.as_slice())
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
    Arc<[u8]>,
    "A key: 1 to 255 bytes in a user's hands; empty only in the sentinel and as the `next` of the largest key."
);
byte_string!(Value, Bytes, "A value: 0 to 1024 bytes.");

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
    use std::hash::DefaultHasher;

    use super::*;

    #[test]
    fn keys_are_ordered_byte_by_byte_and_a_prefix_comes_first() {
        assert!(Key::from("a") < Key::from("ab"));
        assert!(Key::from("ab") < Key::from("b"));
        assert!(Key::empty() < Key::from([0u8].as_slice()));
        assert!(Key::from([0x7f].as_slice()) < Key::from([0x80].as_slice()));
    }

    #[test]
    fn values_are_their_bytes_whether_in_place_or_shared() {
        assert_eq!(size_of::<Value>(), 24);
        let bytes: Vec<u8> = (0..50).collect();
        for length in 0..bytes.len() {
            let (value, key) = (Value::from(&bytes[..length]), Key::from(&bytes[..length]));
            assert_eq!(*value, bytes[..length]);
            assert_eq!((value.clone(), value.len()), (Value::from(key.to_vec()), length));
            for other in [&bytes[..length / 2], &[0, 1, 3], &bytes] {
                let (other, other_key) = (Value::from(other), Key::from(other));
                assert_eq!((value.cmp(&other), value == other), (key.cmp(&other_key), key == other_key));
                let hash = |bytes: &dyn Fn(&mut DefaultHasher)| {
                    let mut hasher = DefaultHasher::new();
                    bytes(&mut hasher);
                    hasher.finish()
                };
                assert_eq!(hash(&|hasher| other.hash(hasher)), hash(&|hasher| other[..].hash(hasher)));
            }
        }
    }

    #[test]
    fn text_is_shown_in_quotes_and_other_bytes_in_hexadecimal() {
        assert_eq!(Key::from("curl").to_string(), "\"curl\"");
        assert_eq!(Key::from([0xff, 0].as_slice()).to_string(), "0xff00");
        assert_eq!(Key::from("0x1").to_string(), "0x307831");
    }
}
