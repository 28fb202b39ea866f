//! The order of keys, and what slots cover and precede.

use aardvark_dictionary::{Key, Slot};
use aardvark_spec::base::bytes::{bytes_at_most, bytes_equal, bytes_less};
use aardvark_spec::convert::byte_vec;
use aardvark_spec::dictionary::slot::{covers, encode_slot, precedes, scalar_of_slot, slot_bytes, slot_bytes_length};
use differential_tests::convert::{bytes_to_spec, scalar_from_spec, slot_from_spec, slot_to_spec};
use quickcheck::quickcheck;

use super::arbitrary::AnyKey;

fn slot(key: AnyKey, value: Vec<u8>, next: AnyKey) -> Slot {
    Slot { key: key.0.into(), value: value.into(), next: next.0.into() }
}

quickcheck! {
    fn keys_have_the_same_order(a: Vec<u8>, b: Vec<u8>, common: Vec<u8>) -> bool {
        let [a, b] = [[&*common, &*a].concat(), [&*common, &*b].concat()];
        let (x, y) = (bytes_to_spec(&a), bytes_to_spec(&b));
        let (a, b) = (Key::from(a), Key::from(b));
        bytes_less(&x, &y) == (a < b) && bytes_at_most(&x, &y) == (a <= b) && bytes_equal(&x, &y) == (a == b)
    }

    fn slots_cover_and_precede_the_same_keys(key: AnyKey, next: AnyKey, asked: AnyKey) -> bool {
        let slot = slot(key, Vec::new(), next);
        let (specified, k) = (slot_to_spec(&slot), bytes_to_spec(&asked.0));
        covers(&specified, &k) == slot.covers(&asked.0) && precedes(&specified, &k) == slot.precedes(&asked.0)
    }

    fn slots_have_the_same_encodings_lengths_and_scalars(key: AnyKey, value: Vec<u8>, next: AnyKey) -> bool {
        let slot = slot(key, value, next);
        let specified = slot_to_spec(&slot);
        let mut wire = Vec::new();
        aardvark_dictionary::codec::put_slot(&mut wire, &slot);
        slot_from_spec(&specified) == slot
            && byte_vec(&encode_slot(&specified)) == slot.encode()
            && byte_vec(&slot_bytes(&specified)) == wire
            && slot_bytes_length(&specified) == wire.len()
            && scalar_from_spec(&scalar_of_slot(&specified)) == slot.scalar()
    }
}
