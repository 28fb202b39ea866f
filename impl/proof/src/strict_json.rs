//! Reading JSON of a fixed form more strictly than serde's derive does, as the readers in other
//! languages do: where an object is wanted a list of its fields' values is none.

use serde::de::{Deserializer, Visitor};

/// Hands over objects alone. serde's derive reads structs from lists, too.
#[derive(Debug)]
pub struct ObjectOnly<D>(pub D);

impl<'de, D: Deserializer<'de>> Deserializer<'de> for ObjectOnly<D> {
    type Error = D::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_map(visitor)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// Types that stand in formats as objects and in no other way. Their derives are told
/// `#[serde(remote = "Self")]`, which makes functions of theirs instead of implementing the traits.
#[macro_export]
macro_rules! object_types {
    ($($object:ident),+) => {$(
        impl<'de> serde::Deserialize<'de> for $object {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                Self::deserialize($crate::strict_json::ObjectOnly(deserializer))
            }
        }

        impl serde::Serialize for $object {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                Self::serialize(self, serializer)
            }
        }
    )+};
}
pub use crate::object_types;
