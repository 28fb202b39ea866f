//! A finished mix: what queries are about.

use std::collections::HashMap;

use aardvark_algebra::TaggedHash;
use aardvark_sigma::{Digest, Generators, List};

use crate::keys::{PublicKeys, encoded};
use crate::layer::Layer;

/// Inputs, mixers and outputs of a mix whose layers and decryption were verified.
#[derive(Debug)]
pub struct Mix<'a> {
    /// The keys.
    pub keys: &'a PublicKeys,
    /// The generators, one for each input.
    pub generators: &'a Generators,
    /// The inputs' rows.
    pub inputs: &'a List,
    /// Who mixed, in their order, and the commitments to their permutations.
    pub mixers: Vec<(u16, &'a List)>,
    /// The plaintexts of the last list: a point for each number of a value.
    pub outputs: &'a List,
    /// `H("..MIX", keys || list(inputs) || u8 count || mixers || list(last list))`.
    pub digest: Digest,
}

impl<'a> Mix<'a> {
    /// The mix of these layers, in their order, at least one.
    pub fn new(
        keys: &'a PublicKeys,
        generators: &'a Generators,
        inputs: &'a List,
        layers: &[(u16, &'a Layer)],
        outputs: &'a List,
    ) -> Self {
        let mixers = layers.iter().map(|(server, layer)| (*server, &layer.commitment)).collect();
        Self { keys, generators, inputs, mixers, outputs, digest: mix_digest(&keys.digest, inputs, layers) }
    }

    /// Number of inputs and outputs.
    pub fn rows(&self) -> usize {
        self.inputs.rows()
    }

    /// For each output the first one with the same value.
    pub fn first_equal(&self) -> Vec<usize> {
        let mut known = HashMap::new();
        let rows = self.outputs.iter().enumerate();
        rows.map(|(j, row)| *known.entry(encoded(row)).or_insert(j)).collect()
    }
}

/// `H("..MIX", keys || list(inputs) || u8 count || mixers || list(last list))`.
pub fn mix_digest(keys: &Digest, inputs: &List, layers: &[(u16, &Layer)]) -> Digest {
    let mut hash = TaggedHash::new("AARDVARK-V1-MIXNET-MIX").chain(keys).chain(inputs.digest());
    hash.update([layers.len() as u8]);
    layers.iter().for_each(|(server, _)| hash.update(server.to_be_bytes()));
    hash.update(layers.last().map_or(inputs.digest(), |(_, layer)| layer.list.digest()));
    hash.finalize()
}
