//! One run from signatures to a checked answer, timed.

use std::collections::BTreeSet;

use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::{Scalar, hash_to_scalar};
use aardvark_mixnet::{decryption, zero_test};
use aardvark_sigma::zero_test::ZeroTest;
use aardvark_sigma::{List, Secrets};

use super::openings::Openings;
use super::proof::{Share, Statement};
use super::run::{Run, sums};
use super::signatures::{Signatures, Signer};
use crate::error::{BenchError, require};
use crate::measure::clock::{Taken, timed};
use crate::mixnet::scene::{Mixed, Scene, add, seed};

/// What a run took.
pub struct Membership {
    /// Each server.
    pub servers: Vec<Taken>,
    /// The querier.
    pub querier: Taken,
    /// Bytes that a server posted.
    pub bytes: usize,
}

impl Mixed {
    /// The outputs' values as scalars.
    pub(super) fn scalars(&self) -> Vec<Scalar> {
        scalars(&self.read)
    }
}

fn scalars(values: &[Vec<u8>]) -> Vec<Scalar> {
    values.iter().map(|value| hash_to_scalar(value, b"AARDVARK-BENCH-DB-SM-VALUE")).collect()
}

/// What a server has in the course of a run.
struct Progress {
    body: (u16, Vec<u8>),
    column: List,
}

/// Everything but the body of this place.
fn others<T>(bodies: &[T], place: usize) -> Vec<&T> {
    bodies.iter().enumerate().filter(|(other, _)| *other != place).map(|(_, body)| body).collect()
}

impl Scene {
    /// Which inputs hold a value of the chosen outputs: run, checked against the true assignment,
    /// timed.
    pub fn membership(&self, mixed: &Mixed, chosen: &[bool]) -> Result<Membership, BenchError> {
        let values = scalars(&self.values);
        let openings = Openings::deal(&values, self.servers.len(), &self.generators, &seed(77_777));
        let outputs = mixed.scalars();
        let ((signer, signatures), mut querier) = timed(|| {
            let signer = Signer::new(&seed(88_888));
            let signatures = signer.sign(&outputs, chosen);
            (signer, signatures)
        });
        let sent = signatures.encode();
        let mut taken = vec![Taken::default(); self.servers.len()];
        let mut bytes = 0;

        // The signatures go backward through all servers.
        let posted = Signatures::decode(&sent, &signatures.rows)?;
        let run = Run::new(self, mixed, &signer.key, &posted);
        let order = run.order();
        let mut progress: Vec<Progress> = Vec::new();
        for (place, server) in order.iter().enumerate() {
            let bodies: Vec<(u16, Vec<u8>)> = progress.iter().map(|made| made.body.clone()).collect();
            let (made, took) = timed(|| {
                Signatures::decode(&sent, &signatures.rows)?;
                let first = run.first()?;
                let columns = run.check_columns(&first, &bodies)?;
                let before = columns.last().unwrap_or(&first);
                let column = run.column(server, before)?;
                Ok::<_, BenchError>(((server.number, column.encode()), column.list))
            });
            let (body, column) = made?;
            add(&mut taken, place, took);
            bytes += if place == 0 { body.1.len() } else { 0 };
            progress.push(Progress { body, column });
        }

        // Each multiplies the last rows by its factors.
        let bodies: Vec<(u16, Vec<u8>)> = progress.iter().map(|made| made.body.clone()).collect();
        let mut factors: Vec<(Secrets, ZeroTest)> = Vec::new();
        let mut lasts: Vec<List> = Vec::new();
        for ((place, server), made) in order.iter().enumerate().zip(&progress) {
            let (done, took) = timed(|| {
                let after = run.check_columns(&made.column, bodies.get(place + 1..).unwrap_or_default())?;
                let last = after.last().unwrap_or(&made.column).clone();
                let factors = run.factors(server, &last)?;
                let body = zero_test::encode(&factors.1);
                Ok::<_, BenchError>((last, factors, body.len()))
            });
            let (last, of_server, length) = done?;
            add(&mut taken, place, took);
            bytes += if place == 0 { length } else { 0 };
            lasts.push(last);
            factors.push(of_server);
        }

        // The sums are decrypted.
        let bodies: Vec<(u16, Vec<u8>)> =
            order.iter().zip(&factors).map(|(server, (_, test))| (server.number, zero_test::encode(test))).collect();
        let mut rows: Vec<List> = Vec::new();
        let mut shares = Vec::new();
        for ((place, server), (last, (_, own))) in order.iter().enumerate().zip(lasts.iter().zip(&factors)) {
            let (done, took) = timed(|| {
                let of_others = run.check_factors(last, &others(&bodies, place))?;
                let all: Vec<&List> = of_others.iter().chain([&own.after]).collect();
                let rows = sums(&all);
                let shares = run.shares(server, &rows)?;
                Ok::<_, BenchError>((decryption::encode(&shares), shares, rows))
            });
            let (body, own, of_server) = done?;
            add(&mut taken, place, took);
            bytes += if place == 0 { body.len() } else { 0 };
            shares.push(((server.number, body), own));
            rows.push(of_server);
        }
        let bodies: Vec<(u16, Vec<u8>)> = shares.iter().map(|(body, _)| body.clone()).collect();
        let mut blinded: Vec<List> = Vec::new();
        for ((place, server), (rows, (_, own))) in order.iter().enumerate().zip(rows.iter().zip(&shares)) {
            let (done, took) = timed(|| {
                let mut all = run.check_shares(rows, &others(&bodies, place))?;
                all.push((server.number, own.clone()));
                run.decrypted(rows, all)
            });
            add(&mut taken, place, took);
            blinded.push(done?);
        }

        // The proof for those that hold a signature.
        let all = blinded.first().ok_or_else(|| BenchError::Wrong("there is no server".to_owned()))?;
        require(blinded.iter().all(|other| other == all), || "servers decrypt differently".to_owned())?;
        let members: Vec<usize> = (0..all.rows()).filter(|row| !bool::from(all.at(*row, 0).is_identity())).collect();
        let (blinded, commitments) =
            (all.select(members.iter().copied()), openings.commitments.select(members.iter().copied()));
        let key = &signer.key;
        let statement = Statement { key, table: &openings.table, commitments: &commitments, blinded: &blinded };
        let mut firsts = Vec::new();
        for (place, server) in order.iter().enumerate() {
            let (first, took) = timed(|| statement.first(&server.seed));
            add(&mut taken, place, took);
            firsts.push(first?);
        }
        let mut responses = Vec::new();
        for ((place, server), ((of_values, blindings), (factors, _))) in
            order.iter().enumerate().zip(openings.shares.iter().zip(&factors))
        {
            let of = |secrets: &Secrets| members.iter().filter_map(|row| secrets.get(*row).copied()).collect();
            let share = Share { values: of(of_values), blindings: of(blindings), factors: of(factors) };
            let (response, took) = timed(|| statement.respond(&share, &firsts, &server.seed));
            add(&mut taken, place, took);
            responses.push(response);
        }
        bytes += firsts.first().map_or(0, Vec::len) + 3 * 32 * members.len();
        let encoded = blinded.encode();
        let (checked, took) = timed(|| {
            let read = List::decode(&encoded, members.len(), 1);
            let blinded = read.map_err(|error| BenchError::Wrong(error.to_string()))?;
            Statement { key, table: &openings.table, commitments: &commitments, blinded: &blinded }
                .verify(&firsts, &responses)
        });
        checked?;
        querier = querier.plus(took);

        let asked: BTreeSet<&Vec<u8>> =
            mixed.read.iter().zip(chosen).filter(|(_, chosen)| **chosen).map(|(value, _)| value).collect();
        let truth = self.values.iter().enumerate().filter(|(_, value)| asked.contains(value)).map(|(row, _)| row);
        require(members == truth.collect::<Vec<_>>(), || "db-sm names other inputs".to_owned())?;
        Ok(Membership { servers: taken, querier, bytes })
    }
}
