//! Which parameters and genesis entries are legal, and the id that they give.

use aardvark_algebra::hash::tagged_hash;
use aardvark_commitment::SchemeKind;
use aardvark_dictionary::{Genesis, Identity, Limits, Parameters};
use aardvark_spec::convert::{byte_vec, key_map_from};
use aardvark_spec::dictionary::genesis::{self, encode_parameters, genesis_legal, id_of_dictionary, parameters_legal};
use differential_tests::convert::{bytes_to_spec, genesis_to_spec, parameters_to_spec};
use quickcheck::{Arbitrary, Gen, quickcheck};

use super::arbitrary::AnyKey;

/// Parameters near the edges of what is legal.
#[derive(Clone, Debug)]
struct AnyParameters(Parameters);

impl Arbitrary for AnyParameters {
    fn arbitrary(g: &mut Gen) -> Self {
        let mut parameters = Parameters {
            scheme: *g.choose(&SchemeKind::ALL).unwrap(),
            vector_size: *g.choose(&[0, 1, 2, 3, 4, 6, 1024, 4096, 8192, u32::MAX]).unwrap(),
            window: *g.choose(&[0, 1, 10, 65_535, 65_536, u32::MAX]).unwrap(),
            max_key_length: *g.choose(&[0, 1, 3, 255, 256, u16::MAX]).unwrap(),
            max_value_length: *g.choose(&[0, 7, 8, 1024, 1025, u16::MAX]).unwrap(),
            limits: Limits::default(),
        };
        let slot = 2 * u32::from(parameters.max_key_length) + u32::from(parameters.max_value_length);
        let least_transaction = 2048 + 2 * (66 + slot);
        let mut limits = Limits::default().in_order();
        limits[2] = *g.choose(&[least_transaction, least_transaction - 1, 1 << 20, u32::MAX]).unwrap();
        let vector = parameters.vector_size.saturating_mul(6 + slot);
        let least_block = limits[2].saturating_add(21).saturating_add(vector);
        limits[6] = *g.choose(&[least_block, least_block.saturating_sub(1), u32::MAX, 0]).unwrap();
        if bool::arbitrary(g) {
            let index = *g.choose(&[0, 1, 3, 4, 5]).unwrap();
            limits[index] = *g.choose(&[0, 1, 2, 65_535, 65_536, u32::MAX]).unwrap();
        }
        parameters.limits = Limits::from_order(limits);
        Self(parameters)
    }
}

/// A name near the edges of its length. Control characters, which the specification does not look
/// at, are left out.
#[derive(Clone, Debug)]
struct AnyName(String);

impl Arbitrary for AnyName {
    fn arbitrary(g: &mut Gen) -> Self {
        let letter = *g.choose(&["n", "ö", "0", " "]).unwrap();
        Self(letter.repeat(*g.choose(&[0, 1, 2, 7, 127, 128, 255, 256, 300]).unwrap()))
    }
}

quickcheck! {
    fn the_same_parameters_are_legal(parameters: AnyParameters) -> bool {
        parameters_legal(&parameters_to_spec(&parameters.0)) == parameters.0.check().is_ok()
    }

    fn parameters_have_the_same_bytes(parameters: AnyParameters) -> bool {
        byte_vec(&encode_parameters(&parameters_to_spec(&parameters.0))) == parameters.0.to_bytes()
    }

    fn the_same_entries_are_legal_and_give_the_same_id(
        entries: Vec<(AnyKey, u8)>, sorted: bool, name: AnyName, salt: u64, binding: Vec<u8>
    ) -> bool {
        let salt = tagged_hash("ARBITRARY", &salt.to_be_bytes());
        let parameters = Parameters { max_key_length: 2, max_value_length: 8, ..Parameters::default() };
        let mut pairs: Vec<_> =
            entries.into_iter().take(4).map(|(key, length)| (key.0, vec![1; usize::from(length % 10)])).collect();
        if sorted {
            pairs.sort();
        }
        let specified = genesis::Genesis {
            genesis_name: bytes_to_spec(name.0.as_bytes()),
            genesis_salt: bytes_to_spec(&salt),
            genesis_parameters: parameters_to_spec(&parameters),
            genesis_setup_digest: bytes_to_spec(&[5; 32]),
            genesis_entries: key_map_from(&pairs),
            genesis_binding: bytes_to_spec(&binding),
        };
        let entries = pairs.into_iter().map(|(key, value)| (key.into(), value.into())).collect();
        let Ok(identity) = Identity::new(name.0, salt) else { return !genesis_legal(&specified) };
        match Genesis::new(identity.with_binding(binding), parameters, [5; 32], entries) {
            Err(_) => !genesis_legal(&specified),
            Ok(genesis) => {
                genesis_legal(&specified)
                    && byte_vec(&id_of_dictionary(&specified)) == genesis.dictionary_id().0
                    && byte_vec(&id_of_dictionary(&genesis_to_spec(&genesis))) == genesis.dictionary_id().0
            }
        }
    }
}
