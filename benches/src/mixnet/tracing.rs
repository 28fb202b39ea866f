//! Both questions about a mix: what each server and the querier computes.

use std::collections::BTreeSet;

use aardvark_mixnet::decryption;
use aardvark_mixnet::fault::Fault;
use aardvark_mixnet::layer::Layer;
use aardvark_mixnet::trace::{Answer, Column, Trace};
use aardvark_mixnet::{Mix, Query, Reveal, TraceDirection};
use aardvark_sigma::threshold::Decryption;
use aardvark_sigma::{List, Secrets};

use super::scene::{Mixed, Scene, Server, add, failed};
use crate::error::{BenchError, require};
use crate::measure::clock::{Taken, timed};

/// Which question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Of the inputs.
    In,
    /// Of the outputs.
    Out,
}

/// What a query took.
pub struct Traced {
    /// Each server.
    pub servers: Vec<Taken>,
    /// The querier.
    pub querier: Taken,
    /// Bytes of a server's column and shares.
    pub column_bytes: usize,
}

impl Scene {
    /// All inputs and all outputs are asked for.
    pub fn trace(&self, mixed: &Mixed, direction: Direction) -> Result<Traced, BenchError> {
        let n = self.values.len();
        let asked = match direction {
            Direction::In => TraceDirection::In,
            Direction::Out => TraceDirection::Out,
        };
        let query = Query {
            direction: asked,
            reveal: Reveal::Each,
            inputs: vec![true; n],
            outputs: vec![true; n],
            querier: [0; 32],
            number: 0,
            reader: None,
        };
        let layers: Vec<(u16, &Layer)> = mixed.layers.iter().map(|(server, layer)| (*server, layer)).collect();
        let mix = Mix::new(&self.keys, &self.generators, &self.inputs, &layers, &mixed.outputs);
        let targets = query.targets(&mix).len();
        let order = Trace::new(&mix, &query).map_err(failed)?.order();
        let mut taken = vec![Taken::default(); self.servers.len()];
        let mut bodies: Vec<(u16, Vec<u8>)> = Vec::new();
        let mut seen = Vec::new();
        for (place, server) in order.iter().filter_map(|number| self.server(*number)).enumerate() {
            let (made, took) = timed(|| {
                let trace = Trace::new(&mix, &query)?;
                let mut columns = read_columns(&bodies, n)?;
                trace.check_columns(&columns, 0..place)?;
                let before = columns.last().map_or(trace.first(), |column| &column.list);
                let column = trace.column(server.number, &server.permutation, before, &server.seed)?;
                let body = column.encode();
                columns.push(column);
                Ok::<_, Fault>((trace, columns, body))
            });
            let (trace, columns, body) = made.map_err(failed)?;
            add(&mut taken, place, took);
            bodies.push((server.number, body));
            seen.push((trace, columns));
        }
        let mut posted: Vec<((u16, Vec<u8>), Decryption, List)> = Vec::new();
        for ((place, server), (trace, columns)) in
            order.iter().filter_map(|number| self.server(*number)).enumerate().zip(&mut seen)
        {
            let (made, took) = timed(|| {
                columns.extend(read_columns(bodies.get(place + 1..).unwrap_or_default(), n)?);
                trace.check_columns(columns, place + 1..columns.len())?;
                let sums = trace.sums(columns)?;
                let share = Secrets::new(server.shares.first().copied().into_iter().collect());
                let shares = trace.shares(server.number, &share, &sums, &[], &server.seed)?;
                Ok::<_, Fault>((decryption::encode(&shares), shares, sums))
            });
            let (body, shares, sums) = made.map_err(failed)?;
            add(&mut taken, place, took);
            posted.push(((server.number, body), shares, sums));
        }
        for (place, ((trace, _), (_, _, sums))) in seen.iter().zip(&posted).enumerate() {
            let others: Vec<&(u16, Vec<u8>)> =
                posted.iter().enumerate().filter(|(other, _)| *other != place).map(|(_, (body, _, _))| body).collect();
            let (checked, took) = timed(|| {
                let shares = read_shares(&others, targets)?;
                trace.check_shares(sums, &[], &by_reference(&shares))
            });
            checked.map_err(failed)?;
            add(&mut taken, place, took);
        }
        let mut first: Vec<&(u16, Vec<u8>)> = posted.iter().map(|(body, _, _)| body).collect();
        first.sort_by_key(|(server, _)| *server);
        first.truncate(self.threshold);
        let (answer, querier) = timed(|| {
            let trace = Trace::new(&mix, &query)?;
            let columns = read_columns(&bodies, n)?;
            let shares = read_shares(&first, targets)?;
            trace.verify(&columns, &[], &by_reference(&shares))
        });
        let expected = match direction {
            Direction::In => ideal_answer(&self.values, &mixed.read),
            Direction::Out => ideal_answer(&mixed.read, &self.values),
        };
        require(answer.map_err(failed)? == Answer::Bits(expected), || "an answer is not the true one".to_owned())?;
        let column_bytes = [&bodies, &posted.iter().map(|(body, _, _)| body.clone()).collect()]
            .iter()
            .filter_map(|bodies: &&Vec<(u16, Vec<u8>)>| bodies.first().map(|(_, body)| body.len()))
            .sum();
        Ok(Traced { servers: taken, querier, column_bytes })
    }

    fn server(&self, number: u16) -> Option<&Server> {
        self.servers.iter().find(|server| server.number == number)
    }
}

/// The true answer where all are asked for.
fn ideal_answer(asked: &[Vec<u8>], among: &[Vec<u8>]) -> Vec<(usize, bool)> {
    let among: BTreeSet<&Vec<u8>> = among.iter().collect();
    asked.iter().enumerate().map(|(number, value)| (number, among.contains(value))).collect()
}

fn read_columns(bodies: &[(u16, Vec<u8>)], rows: usize) -> Result<Vec<Column>, Fault> {
    bodies.iter().map(|(server, body)| Column::decode(body, rows, *server)).collect()
}

fn read_shares(bodies: &[&(u16, Vec<u8>)], targets: usize) -> Result<Vec<(u16, Decryption)>, Fault> {
    bodies.iter().map(|(server, body)| Ok((*server, decryption::decode(body, targets, 1, *server)?))).collect()
}

fn by_reference(shares: &[(u16, Decryption)]) -> Vec<(u16, &Decryption)> {
    shares.iter().map(|(server, made)| (*server, made)).collect()
}
