//! A ceremony in one process.
// Each test file uses part of this module; clippy sees no tests in it.
#![allow(dead_code, clippy::unwrap_used, clippy::indexing_slicing)]

use aardvark_algebra::G1Affine;
use aardvark_mixnet::fault::Fault;
use aardvark_mixnet::input::{InputBytes, Inputs, Sender, check_inputs, encrypt};
use aardvark_mixnet::keys::{Dealing, PublicKeys, receive};
use aardvark_mixnet::layer::{Layer, Mixing};
use aardvark_mixnet::trace::{Answer, Column, Trace};
use aardvark_mixnet::{Mix, Query};
use aardvark_sigma::chunks::{NumberTable, numbers, points};
use aardvark_sigma::column::KeyRow;
use aardvark_sigma::permutation::PermutationSecret;
use aardvark_sigma::threshold::{Decryption, Statement, decrypt, plaintexts};
use aardvark_sigma::zero_test::ZeroTest;
use aardvark_sigma::{Context, Digest, Generators, List, Secrets, Seed};

pub const CEREMONY: Digest = [1; 32];

/// A server's secrets.
pub struct Server {
    pub number: u16,
    pub seed: Seed,
    pub shares: Secrets,
    pub permutation: PermutationSecret,
}

/// All of a ceremony.
pub struct Ceremony {
    pub values: Vec<Vec<u8>>,
    pub bytes: usize,
    pub keys: PublicKeys,
    pub row: KeyRow,
    pub generators: Generators,
    pub inputs: Inputs,
    pub servers: Vec<Server>,
    pub layers: Vec<(u16, Layer)>,
    pub outputs: List,
    pub read: Vec<Option<Vec<u8>>>,
}

pub fn sender(number: usize) -> Sender {
    Sender { key: [number as u8; 32], label: format!("station {}", number % 3) }
}

pub fn seed(number: usize) -> Seed {
    Seed::new([number as u8 ^ 0x55; 32])
}

/// The keys of m servers with a threshold, and their shares.
pub fn deal(servers: u16, threshold: usize, numbers: usize) -> (PublicKeys, Vec<Secrets>) {
    let dealings: Vec<(u16, Dealing)> =
        (1..=servers).map(|d| (d, Dealing::derive(&seed(d.into()), &CEREMONY, d, numbers + 1, threshold))).collect();
    let public: Vec<(u16, &[Vec<G1Affine>])> =
        dealings.iter().map(|(d, dealing)| (*d, dealing.commitments.as_slice())).collect();
    let keys = PublicKeys::new(&CEREMONY, &public, servers, threshold).unwrap();
    let shares = (1..=servers).map(|k| {
        let dealt: Vec<_> =
            dealings.iter().map(|(d, made)| (*d, made.commitments.as_slice(), made.shares(k))).collect();
        receive(k, &dealt).unwrap()
    });
    (keys, shares.collect())
}

/// Encrypted values of senders 0, 1, ..
pub fn send(keys: &PublicKeys, row: &KeyRow, values: &[Vec<u8>], bytes: usize) -> Vec<(Sender, InputBytes)> {
    let sent = values.iter().enumerate().map(|(number, value)| {
        let value = points(&numbers(value, bytes).unwrap());
        (sender(number), encrypt(&keys.digest, row, &sender(number), &value, &seed(100 + number)))
    });
    sent.collect()
}

impl Ceremony {
    pub fn run(values: &[Vec<u8>], bytes: usize, servers: u16, threshold: usize) -> Self {
        Self::run_without(values, bytes, servers, threshold, &[])
    }

    /// A ceremony in which some servers do not mix, though they decrypt.
    pub fn run_without(values: &[Vec<u8>], bytes: usize, servers: u16, threshold: usize, absent: &[u16]) -> Self {
        let (keys, shares) = deal(servers, threshold, bytes / 2);
        let row = KeyRow::new(keys.value_keys(), values.len());
        let sent = send(&keys, &row, values, bytes);
        let posted: Vec<(&Sender, &InputBytes)> = sent.iter().map(|(sender, input)| (sender, input)).collect();
        let inputs = check_inputs(&keys.digest, bytes / 2, &posted);
        assert_eq!(inputs.faults, []);
        let n = values.len();
        let generators = Generators::new(n);
        let servers: Vec<Server> = (1..)
            .zip(shares)
            .map(|(number, shares)| {
                let seed = seed(usize::from(number));
                let context = Context { keys: keys.digest, server: number };
                Server { number, shares, permutation: PermutationSecret::derive(&seed, &context, n), seed }
            })
            .collect();
        let mixing = Mixing { keys: keys.digest, generators: &generators, row: &row, purpose: inputs.rows.digest() };
        let mut layers: Vec<(u16, Layer)> = Vec::new();
        for server in servers.iter().filter(|server| !absent.contains(&server.number)) {
            let before = layers.last().map_or(&inputs.rows, |(_, layer)| &layer.list);
            let prepared = mixing.commit(server.number, &server.permutation, &server.seed).unwrap();
            let layer = mixing.layer(server.number, &server.permutation, prepared, before, &server.seed).unwrap();
            // As it travels.
            let layer = Layer::decode(&layer.encode(), n, bytes / 2 + 1, server.number).unwrap();
            layers.push((server.number, layer));
        }
        let last = layers.last().map(|(_, layer)| layer.list.clone()).unwrap();
        let outputs = open(&keys, &servers, &inputs.rows.digest(), &last);
        let table = NumberTable::of_chunks();
        let read = outputs.iter().map(|row| table.value(row)).collect();
        Self { values: values.to_vec(), bytes, row, keys, generators, inputs, servers, layers, outputs, read }
    }

    pub fn mixing(&self) -> Mixing<'_> {
        Mixing {
            keys: self.keys.digest,
            generators: &self.generators,
            row: &self.row,
            purpose: self.inputs.rows.digest(),
        }
    }

    pub fn mix(&self) -> Mix<'_> {
        let layers: Vec<(u16, &Layer)> = self.layers.iter().map(|(server, layer)| (*server, layer)).collect();
        Mix::new(&self.keys, &self.generators, &self.inputs.rows, &layers, &self.outputs)
    }

    pub fn server(&self, number: u16) -> &Server {
        &self.servers[usize::from(number) - 1]
    }

    /// The columns of an honest answer.
    pub fn columns(&self, trace: &Trace<'_>) -> Vec<Column> {
        let mut columns: Vec<Column> = Vec::new();
        for number in trace.order() {
            let server = self.server(number);
            let before = columns.last().map_or(trace.first(), |column| &column.list);
            let column = trace.column(number, &server.permutation, before, &server.seed).unwrap();
            trace.check_columns(&columns, 0..columns.len()).unwrap();
            columns.push(Column::decode(&column.encode(), self.values.len(), number).unwrap());
        }
        columns
    }

    /// The zero tests after these columns.
    pub fn tests(&self, trace: &Trace<'_>, columns: &[Column]) -> Vec<ZeroTest> {
        let mut before = trace.sums(columns).unwrap().select(trace.tested());
        let mut tests = Vec::new();
        let order = if before.rows() > 0 { trace.order() } else { Vec::new() };
        for number in order {
            let test = trace.blind(number, &before, &self.server(number).seed).unwrap();
            before = test.after.clone();
            tests.push(test);
        }
        tests
    }

    /// The shares of the first t servers.
    pub fn shares(&self, trace: &Trace<'_>, columns: &[Column], tests: &[ZeroTest]) -> Vec<(u16, Decryption)> {
        let sums = trace.sums(columns).unwrap();
        let first = self.servers.iter().take(self.keys.threshold);
        let shares = first.map(|server| {
            let share = Secrets::new(vec![server.shares[0]]);
            (server.number, trace.shares(server.number, &share, &sums, tests, &server.seed).unwrap())
        });
        shares.collect()
    }

    /// The verified answer to a query.
    pub fn answer(&self, query: &Query) -> Result<Answer, Fault> {
        let mix = self.mix();
        let trace = Trace::new(&mix, query)?;
        let columns = self.columns(&trace);
        let tests = self.tests(&trace, &columns);
        let shares = self.shares(&trace, &columns, &tests);
        let shares: Vec<(u16, &Decryption)> = shares.iter().map(|(server, made)| (*server, made)).collect();
        trace.verify(&columns, &tests, &shares)
    }
}

/// The plaintexts of a list, by the first t servers.
fn open(keys: &PublicKeys, servers: &[Server], purpose: &Digest, last: &List) -> List {
    let first = last.column(0);
    let made: Vec<(u16, Decryption)> = servers
        .iter()
        .take(keys.threshold)
        .map(|server| {
            let key_shares = keys.shares_of(server.number, 1..keys.keys.len());
            let context = Context { keys: keys.digest, server: server.number };
            let statement = Statement { context, purpose: *purpose, key_shares: &key_shares, first: &first };
            let secrets = Secrets::new(server.shares[1..].to_vec());
            (server.number, decrypt(&statement, &secrets, &server.seed).unwrap())
        })
        .collect();
    let numbers: Vec<u16> = made.iter().map(|(server, _)| *server).collect();
    plaintexts(last, &numbers, &made.iter().map(|(_, made)| &made.shares).collect::<Vec<_>>()).unwrap()
}
