//! The first content in a genesis file's JSON, read into keys and values at once, without a list in
//! between.

use std::fmt;

use aardvark_dictionary::{Key, Value};
use aardvark_proof::hex_text::HexBytes;
use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Keys and values in the order of the list.
pub(crate) struct ContentJson(pub(crate) Vec<(Key, Value)>);

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct EntryJson {
    key: HexBytes,
    value: HexBytes,
}

impl Serialize for ContentJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let entry =
            |(key, value): &(Key, Value)| EntryJson { key: HexBytes(key.to_vec()), value: HexBytes(value.to_vec()) };
        serializer.collect_seq(self.0.iter().map(entry))
    }
}

impl<'de> Deserialize<'de> for ContentJson {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(Entries)
    }
}

struct Entries;

impl<'de> Visitor<'de> for Entries {
    type Value = ContentJson;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a list of keys and values")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<ContentJson, A::Error> {
        let mut entries = Vec::new();
        while let Some(EntryJson { key, value }) = items.next_element()? {
            entries.push((Key::from(key.0), Value::from(value.0)));
        }
        Ok(ContentJson(entries))
    }
}
