//! Tail vectors as an archive gives them (`GET /v1/tail`), read as they arrive.
//!
//! ```json
//! { "version": 7, "start": 8, "slots": [ slot, … ],
//!   "vectors": [ [ { "key": "0x…", "value": "0x…", "next": "0x…" }, … ], … ] }
//! ```
//!
//! A reader knows what it asks for: how many vectors, of how many slots, how long at most. So it
//! knows the longest answer too, counts vectors and slots while it reads, and holds nothing but the
//! slots of the vectors.

use std::fmt;
use std::io::Read;

use aardvark_algebra::integers::usize_or_max;
use aardvark_dictionary::{Parameters, Slot, TailVector};
use aardvark_proof::proof_json::SlotJson;
use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::rpc::http::read_json;

/// Bytes of a slot's JSON besides its hexadecimal digits, 38 of them, and a comma, with some to
/// spare.
const SLOT_JSON: u64 = 48;
/// Bytes of the answer besides its slots and the brackets of its vectors.
const AROUND: u64 = 512;

/// What is asked of an archive: whole vectors below the tail of one version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TailAsked {
    /// The version.
    pub version: u64,
    /// Where its tail starts.
    pub start: u64,
    /// Slots from there on, which come with every answer.
    pub tail: u64,
    /// How many vectors, the nearest first.
    pub vectors: u64,
    /// N, slots per vector.
    pub vector_size: u32,
    /// Most bytes of a key.
    pub key_bytes: u16,
    /// Most bytes of a value.
    pub value_bytes: u16,
}

impl TailAsked {
    /// Asks a dictionary for vectors below the tail of a version, which starts at `start` and has
    /// `tail` slots.
    pub fn new(parameters: &Parameters, (version, start, tail): (u64, u64, u64), vectors: u64) -> Self {
        Self {
            version,
            start,
            tail,
            vectors,
            vector_size: parameters.vector_size,
            key_bytes: parameters.max_key_length,
            value_bytes: parameters.max_value_length,
        }
    }

    /// Most bytes of the answer: every slot of the tail and of the vectors at its longest.
    pub fn most_bytes(&self) -> usize {
        let slot = SLOT_JSON + 2 * (2 * u64::from(self.key_bytes) + u64::from(self.value_bytes));
        let slots = self.vectors.saturating_mul(self.vector_size.into()).saturating_add(self.tail);
        let bytes = slots.saturating_mul(slot).saturating_add(self.vectors.saturating_mul(3)).saturating_add(AROUND);
        usize_or_max(bytes)
    }
}

/// The vectors that were asked for, all of them and all whole, read as they arrive. Whether they
/// are true is for their commitments to say.
///
/// # Errors
/// What is no such answer, at the first byte that shows it.
pub fn read(body: &mut dyn Read, asked: &TailAsked) -> Result<Vec<TailVector>, serde_json::Error> {
    read_json(body, Answer(asked))
}

/// The object.
struct Answer<'a>(&'a TailAsked);
/// The list of vectors.
struct Vectors<'a>(&'a TailAsked);
/// A vector.
struct Slots<'a>(&'a TailAsked);

impl<'de> DeserializeSeed<'de> for Answer<'_> {
    type Value = Vec<TailVector>;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Answer<'_> {
    type Value = Vec<TailVector>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an archive's answer with start and vectors")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Self::Value, A::Error> {
        let (mut start, mut vectors) = (None, None);
        while let Some(field) = fields.next_key::<Field>()? {
            match field {
                Field::Start if start.is_some() => return Err(A::Error::duplicate_field("start")),
                Field::Start => {
                    let found: u64 = fields.next_value()?;
                    if found != self.0.start {
                        let asked = self.0.start;
                        return Err(A::Error::custom(format_args!("a tail from {found} on, not from {asked}")));
                    }
                    start = Some(found);
                }
                Field::Vectors if vectors.is_some() => return Err(A::Error::duplicate_field("vectors")),
                Field::Vectors => vectors = Some(fields.next_value_seed(Vectors(self.0))?),
                Field::Other => drop(fields.next_value::<IgnoredAny>()?),
            }
        }
        start.ok_or_else(|| A::Error::missing_field("start"))?;
        vectors.ok_or_else(|| A::Error::missing_field("vectors"))
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Field {
    Start,
    Vectors,
    #[serde(other)]
    Other,
}

impl<'de> DeserializeSeed<'de> for Vectors<'_> {
    type Value = Vec<TailVector>;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Vectors<'_> {
    type Value = Vec<TailVector>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} vectors", self.0.vectors)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let mut vectors = Vec::new();
        for number in 0..self.0.vectors {
            match items.next_element_seed(Slots(self.0))? {
                Some(vector) => vectors.push(vector),
                None => {
                    return Err(A::Error::invalid_length(usize_or_max(number), &self));
                }
            }
        }
        ends(&mut items, &self)?;
        Ok(vectors)
    }
}

impl<'de> DeserializeSeed<'de> for Slots<'_> {
    type Value = TailVector;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Slots<'_> {
    type Value = TailVector;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} slots", self.0.vector_size)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let mut slots = Vec::new();
        for _ in 0..self.0.vector_size {
            let Some(slot) = items.next_element::<SlotJson>()? else {
                return Err(A::Error::invalid_length(slots.len(), &self));
            };
            let slot = Slot::try_from(slot).map_err(A::Error::custom)?;
            let (key, value) = (usize::from(self.0.key_bytes), usize::from(self.0.value_bytes));
            if slot.key.len() > key || slot.next.len() > key || slot.value.len() > value {
                return Err(A::Error::custom("a slot that is longer than the dictionary allows"));
            }
            slots.push(slot);
        }
        ends(&mut items, &self)?;
        Ok(slots)
    }
}

/// Refuses a further item by its first byte.
fn ends<'de, A: SeqAccess<'de>>(items: &mut A, expected: &dyn serde::de::Expected) -> Result<(), A::Error> {
    struct Refused;
    impl<'de> DeserializeSeed<'de> for Refused {
        type Value = ();
        fn deserialize<D: Deserializer<'de>>(self, _: D) -> Result<(), D::Error> {
            Err(D::Error::custom("one more"))
        }
    }
    match items.next_element_seed(Refused) {
        Ok(None) => Ok(()),
        _ => Err(A::Error::custom(format_args!("more than {expected}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked() -> TailAsked {
        let parameters = Parameters { vector_size: 2, max_key_length: 3, max_value_length: 4, ..Parameters::default() };
        TailAsked::new(&parameters, (7, 8, 1), 2)
    }

    fn read_text(text: &str) -> Result<Vec<TailVector>, String> {
        read(&mut text.as_bytes(), &asked()).map_err(|error| error.to_string())
    }

    const SLOT: &str = r#"{"key":"0x61","value":"0x","next":"0x62"}"#;

    fn answer(vectors: &str) -> String {
        format!(r#"{{"version":7,"start":8,"slots":[{SLOT}],"vectors":[{vectors}]}}"#)
    }

    #[test]
    fn vectors_are_read_as_an_archive_writes_them() {
        let slot = Slot { key: "a".into(), value: "".into(), next: "b".into() };
        let text = answer(&format!("[{SLOT},{SLOT}],[{SLOT},{SLOT}]"));
        assert_eq!(read_text(&text).unwrap(), vec![vec![slot; 2]; 2]);
    }

    #[test]
    fn fewer_or_more_vectors_or_slots_than_were_asked_for_are_refused() {
        let (pair, one, three) = (format!("[{SLOT},{SLOT}]"), format!("[{SLOT}]"), format!("[{SLOT},{SLOT},{SLOT}]"));
        for vectors in [
            String::new(),
            pair.clone(),
            format!("{pair},{pair},{pair}"),
            format!("{pair},{pair},[]"),
            format!("{pair},{one}"),
            format!("{pair},{three}"),
            "[],[]".to_owned(),
        ] {
            assert!(read_text(&answer(&vectors)).is_err(), "{vectors}");
        }
    }

    #[test]
    fn other_tails_longer_slots_and_missing_or_repeated_fields_are_refused() {
        let good = answer(&format!("[{SLOT},{SLOT}],[{SLOT},{SLOT}]"));
        let refused = |from: &str, to: &str| read_text(&good.replacen(from, to, 1)).unwrap_err();
        assert!(refused("\"start\":8", "\"start\":4").contains("from 4 on"));
        assert!(refused("\"start\":8,", "").contains("start"));
        assert!(refused("\"start\":8,", "\"start\":8,\"start\":8,").contains("duplicate"));
        let long = good.replace("0x61", "0x61616161");
        assert!(read_text(&long).unwrap_err().contains("longer"));
        assert!(read_text(&good.replace("\"value\":\"0x\"", "\"value\":\"0x0000000000\"")).is_err());
        assert!(read_text(&(good + "x")).is_err());
    }

    #[test]
    fn the_longest_answer_is_within_what_the_reader_allows() {
        let asked = asked();
        let hex = |count: usize| format!("0x{}", "ff".repeat(count));
        let slot = format!(r#"{{"key":"{}","value":"{}","next":"{}"}}"#, hex(3), hex(4), hex(3));
        let text = answer(&format!("[{slot},{slot}],[{slot},{slot}]")).replace(SLOT, &slot);
        assert!(text.len() <= asked.most_bytes(), "{} of {}", text.len(), asked.most_bytes());
        let all = TailAsked { vectors: u64::MAX, ..asked };
        assert_eq!(all.most_bytes(), usize::MAX);
    }
}
