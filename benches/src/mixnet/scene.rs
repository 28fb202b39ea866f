//! The ceremony that is measured.

use std::collections::BTreeSet;

use aardvark_algebra::G1Affine;
use aardvark_mixnet::decryption;
use aardvark_mixnet::fault::{Fault, FaultKind};
use aardvark_mixnet::input::{InputBytes, Sender, check_inputs, encrypt};
use aardvark_mixnet::keys::{Dealing, PublicKeys, receive};
use aardvark_mixnet::layer::{Layer, Mixing};
use aardvark_mixnet::trace::blame;
use aardvark_sigma::chunks::{NumberTable, numbers, points};
use aardvark_sigma::claim::{Claim, false_claims};
use aardvark_sigma::column::KeyRow;
use aardvark_sigma::permutation::{PermutationProof, PermutationSecret};
use aardvark_sigma::threshold::{Decryption, DecryptionClaim, Statement, decrypt, plaintexts};
use aardvark_sigma::{Context, Generators, List, Secrets, Seed};

use crate::error::{BenchError, require};
use crate::measure::clock::{Taken, timed};

/// A server, ready to mix.
pub struct Server {
    pub(super) number: u16,
    pub(super) seed: Seed,
    pub(super) shares: Secrets,
    pub(super) permutation: PermutationSecret,
    commitment: (List, PermutationProof),
}

/// A ceremony whose inputs are there.
pub struct Scene {
    pub(super) threshold: usize,
    bytes: usize,
    pub(super) values: Vec<Vec<u8>>,
    pub(super) keys: PublicKeys,
    row: KeyRow,
    pub(super) generators: Generators,
    pub(super) inputs: List,
    pub(super) servers: Vec<Server>,
    /// Each sender's encryption and proof, together.
    pub sent: Taken,
    /// Each server's preparation.
    pub prepared: Vec<Taken>,
    /// Checking all inputs.
    pub checked: Taken,
    /// All inputs' bytes.
    pub input_bytes: usize,
}

/// What the servers posted, and what everybody read of it.
pub struct Mixed {
    layer_bodies: Vec<(u16, Vec<u8>)>,
    share_bodies: Vec<(u16, Vec<u8>)>,
    pub(super) layers: Vec<(u16, Layer)>,
    pub(super) outputs: List,
    pub(super) read: Vec<Vec<u8>>,
}

impl Mixed {
    /// Bytes of a server's layer.
    pub fn layer_bytes(&self) -> usize {
        self.layer_bodies.first().map_or(0, |(_, body)| body.len())
    }
}

pub fn seed(number: usize) -> Seed {
    let mut bytes = [0x6d; 32];
    bytes[..8].copy_from_slice(&(number as u64).to_be_bytes());
    Seed::new(bytes)
}

pub fn failed(fault: Fault) -> BenchError {
    BenchError::Wrong(fault.to_string())
}

/// The value of a sender; all are different.
fn value(number: usize, bytes: usize) -> Vec<u8> {
    let short = (number as u16).to_be_bytes().to_vec();
    if bytes == 2 { short } else { [&short[..], &vec![0x61; bytes - 3]].concat() }
}

impl Scene {
    /// Deals the keys, prepares the servers, and sends the inputs.
    pub fn prepare(entries: usize, servers: u16, threshold: usize, bytes: usize) -> Result<Self, BenchError> {
        let ceremony = [0x11; 32];
        let legal = (2..=32).contains(&bytes) && bytes.is_multiple_of(2);
        require(legal, || "--value-bytes must be even numbers from 2 to 32".to_owned())?;
        let width = bytes / 2;
        let dealings: Vec<(u16, Dealing)> =
            (1..=servers).map(|d| (d, Dealing::derive(&seed(d.into()), &ceremony, d, width + 1, threshold))).collect();
        let public: Vec<(u16, &[Vec<G1Affine>])> =
            dealings.iter().map(|(d, made)| (*d, made.commitments.as_slice())).collect();
        let keys = PublicKeys::new(&ceremony, &public, servers, threshold).map_err(failed)?;
        let row = KeyRow::new(keys.value_keys(), entries);
        let mut prepared = Vec::new();
        let mut ready = Vec::new();
        let mut generators = Generators::new(1);
        for number in 1..=servers {
            let dealt: Vec<_> =
                dealings.iter().map(|(d, made)| (*d, made.commitments.as_slice(), made.shares(number))).collect();
            let shares = receive(number, &dealt).map_err(failed)?;
            let seed = seed(number.into());
            let (made, taken) = timed(|| {
                let generators = Generators::new(entries);
                let context = Context { keys: keys.digest, server: number };
                let permutation = PermutationSecret::derive(&seed, &context, entries);
                let mixing = Mixing { keys: keys.digest, generators: &generators, row: &row, purpose: [0; 32] };
                let commitment = mixing.commit(number, &permutation, &seed);
                commitment.map(|commitment| (generators, permutation, commitment))
            });
            let (of_server, permutation, commitment) = made.map_err(failed)?;
            generators = of_server;
            prepared.push(taken);
            ready.push(Server { number, seed, shares, permutation, commitment });
        }
        let values: Vec<Vec<u8>> = (0..entries).map(|number| value(number, bytes)).collect();
        let mut sent: Vec<(Sender, InputBytes)> = Vec::with_capacity(entries);
        let mut sending = Taken::default();
        for (number, value) in values.iter().enumerate() {
            let mut key = [0; 32];
            key[..8].copy_from_slice(&(number as u64).to_be_bytes());
            let sender = Sender { key, label: String::new() };
            let of_value = points(&numbers(value, bytes).map_err(|error| BenchError::Options(error.to_string()))?);
            let (input, took) = timed(|| encrypt(&keys.digest, &row, &sender, &of_value, &seed(1000 + number)));
            sending = sending.plus(took);
            sent.push((sender, input));
        }
        let posted: Vec<(&Sender, &InputBytes)> = sent.iter().map(|(sender, input)| (sender, input)).collect();
        let (inputs, checked) = timed(|| check_inputs(&keys.digest, width, &posted));
        require(inputs.faults.is_empty(), || "an honest input is refused".to_owned())?;
        let input_bytes = sent.iter().map(|(_, input)| input.0.len()).sum();
        Ok(Self {
            threshold,
            bytes,
            values,
            keys,
            row,
            generators,
            inputs: inputs.rows,
            servers: ready,
            sent: sending,
            prepared,
            checked,
            input_bytes,
        })
    }

    fn mixing(&self) -> Mixing<'_> {
        Mixing { keys: self.keys.digest, generators: &self.generators, row: &self.row, purpose: self.inputs.digest() }
    }

    /// Reads layers from bytes and checks them, as one sum; `before` is the list before the first.
    fn check_layers(&self, before: &List, bodies: &[(u16, Vec<u8>)]) -> Result<Vec<(u16, Layer)>, Fault> {
        let width = self.bytes / 2 + 1;
        let read =
            bodies.iter().map(|(server, body)| Ok((*server, Layer::decode(body, self.values.len(), width, *server)?)));
        let layers: Vec<(u16, Layer)> = read.collect::<Result<_, Fault>>()?;
        let mixing = self.mixing();
        let befores = core::iter::once(before).chain(layers.iter().map(|(_, layer)| &layer.list));
        let claims = layers.iter().zip(befores).map(|((server, layer), before)| mixing.claims(*server, layer, before));
        let claims: Vec<_> = claims.collect::<Result<_, Fault>>()?;
        let all: Vec<&dyn Claim> =
            claims.iter().flat_map(|(permutation, column)| [permutation as &dyn Claim, column]).collect();
        match false_claims(&all).first().and_then(|place| layers.get(place / 2)) {
            Some((server, _)) => Err(Fault::of_server(FaultKind::ColumnProofFalse, *server)),
            None => Ok(layers),
        }
    }

    /// Reads decryption shares from bytes and checks them.
    fn check_shares(&self, last: &List, bodies: &[(u16, Vec<u8>)]) -> Result<Vec<(u16, Decryption)>, Fault> {
        let width = self.bytes / 2;
        let read = bodies
            .iter()
            .map(|(server, body)| Ok((*server, decryption::decode(body, self.values.len(), width, *server)?)));
        let shares: Vec<(u16, Decryption)> = read.collect::<Result<_, Fault>>()?;
        let first = last.column(0);
        let keys: Vec<List> =
            shares.iter().map(|(server, _)| self.keys.shares_of(*server, 1..self.keys.keys.len())).collect();
        let claims = shares.iter().zip(&keys).map(|((server, made), key_shares)| {
            let context = Context { keys: self.keys.digest, server: *server };
            let statement = Statement { context, purpose: self.inputs.digest(), key_shares, first: &first };
            Ok((*server, DecryptionClaim::new(statement, made)?))
        });
        let claims: Vec<_> = claims.collect::<Result<_, Fault>>()?;
        blame(FaultKind::DecryptionProofFalse, &claims)?;
        Ok(shares)
    }

    /// The outputs of the first t shares, and what they say.
    fn outputs(&self, last: &List, shares: &[(u16, Decryption)]) -> Result<(List, Vec<Vec<u8>>), Fault> {
        let first = shares.get(..self.threshold).unwrap_or(shares);
        let servers: Vec<u16> = first.iter().map(|(server, _)| *server).collect();
        let outputs = plaintexts(last, &servers, &first.iter().map(|(_, made)| &made.shares).collect::<Vec<_>>())?;
        let table = NumberTable::of_chunks();
        let read = outputs.iter().map(|row| table.value(row).unwrap_or_default()).collect();
        Ok((outputs, read))
    }

    /// All servers mix and decrypt; what it took each.
    pub fn mix(&self) -> Result<(Mixed, Vec<Taken>), BenchError> {
        let mut taken = vec![Taken::default(); self.servers.len()];
        let mut layer_bodies: Vec<(u16, Vec<u8>)> = Vec::new();
        let mut seen = Vec::new();
        for (place, server) in self.servers.iter().enumerate() {
            let (made, took) = timed(|| {
                let before = self.check_layers(&self.inputs, &layer_bodies)?;
                let last = before.last().map_or(&self.inputs, |(_, layer)| &layer.list);
                let prepared = server.commitment.clone();
                let layer = self.mixing().layer(server.number, &server.permutation, prepared, last, &server.seed)?;
                Ok::<_, Fault>((layer.encode(), layer, before))
            });
            let (body, layer, before) = made.map_err(failed)?;
            add(&mut taken, place, took);
            layer_bodies.push((server.number, body));
            seen.push((before, layer));
        }
        let mut share_bodies = Vec::new();
        for ((place, server), (_, own)) in self.servers.iter().enumerate().zip(&seen) {
            let (made, took) = timed(|| {
                let rest = layer_bodies.get(place + 1..).unwrap_or_default();
                let after = self.check_layers(&own.list, rest)?;
                let last = after.last().map_or(&own.list, |(_, layer)| &layer.list);
                let first = last.column(0);
                let key_shares = self.keys.shares_of(server.number, 1..self.keys.keys.len());
                let context = Context { keys: self.keys.digest, server: server.number };
                let statement =
                    Statement { context, purpose: self.inputs.digest(), key_shares: &key_shares, first: &first };
                let secrets = Secrets::new(server.shares.get(1..).unwrap_or_default().to_vec());
                let shares = decrypt(&statement, &secrets, &server.seed)?;
                Ok::<_, Fault>((decryption::encode(&shares), shares, after))
            });
            let (body, shares, after) = made.map_err(failed)?;
            add(&mut taken, place, took);
            share_bodies.push(((server.number, body), shares, after));
        }
        let mut result = None;
        let bodies: Vec<(u16, Vec<u8>)> = share_bodies.iter().map(|(body, _, _)| body.clone()).collect();
        for (place, ((_, own, after), (_, layer))) in share_bodies.iter().zip(&seen).enumerate() {
            let last = after.last().map_or(&layer.list, |(_, layer)| &layer.list);
            let others: Vec<(u16, Vec<u8>)> =
                bodies.iter().enumerate().filter(|(other, _)| *other != place).map(|(_, body)| body.clone()).collect();
            let (made, took) = timed(|| {
                let mut shares = self.check_shares(last, &others)?;
                shares.push((place as u16 + 1, own.clone()));
                shares.sort_by_key(|(server, _)| *server);
                self.outputs(last, &shares)
            });
            add(&mut taken, place, took);
            result = Some(made.map_err(failed)?);
        }
        let (outputs, read) = result.ok_or_else(|| BenchError::Wrong("there is no server".to_owned()))?;
        let values = |values: &[Vec<u8>]| values.iter().cloned().collect::<BTreeSet<_>>();
        require(values(&read) == values(&self.values), || "the outputs are not the inputs' values".to_owned())?;
        let layers = seen.into_iter().zip(1..).map(|((_, layer), server)| (server, layer)).collect();
        Ok((Mixed { layer_bodies, share_bodies: bodies, layers, outputs, read }, taken))
    }

    /// A querier verifies the mix from bytes.
    pub fn verify(&self, mixed: &Mixed) -> Result<Taken, BenchError> {
        let (made, taken) = timed(|| {
            let layers = self.check_layers(&self.inputs, &mixed.layer_bodies)?;
            let last = layers.last().map_or(&self.inputs, |(_, layer)| &layer.list);
            let shares = self.check_shares(last, &mixed.share_bodies)?;
            self.outputs(last, &shares)
        });
        let (outputs, read) = made.map_err(failed)?;
        require(outputs == mixed.outputs && read == mixed.read, || "a querier reads other outputs".to_owned())?;
        Ok(taken)
    }
}

pub fn add(taken: &mut [Taken], place: usize, more: Taken) {
    if let Some(sum) = taken.get_mut(place) {
        *sum = sum.plus(more);
    }
}
