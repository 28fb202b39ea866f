//! Baseline: the set membership of *Traceable mixnets* (there DB-SM), on our curve and with our
//! shuffles, all servers in this process.
//!
//! Each input has a commitment γ = v G + r F_0, whose opening the servers hold in shares that add
//! up. Which inputs hold one of a set of values?
//!
//! 1. The querier signs each of the values, σ = 1 / (x + v) G (Boneh–Boyen; y = x G2 is public).
//!    The servers check the signatures, all together.
//! 2. The signatures, as rows (0, σ_j) beside the outputs, go backward through all servers as our
//!    columns do: re-encrypted, permuted, proved, checked. Row i then encrypts a signature of input
//!    i's value, or 0.
//! 3. Each server multiplies each row by a factor b of its own and proves it; the sums of the rows
//!    are decrypted. That is σ' = b σ, b the sum of the factors, and 0 if there was no signature.
//! 4. For each input with σ' ≠ 0 the servers together prove that they know v, r and b with
//!    γ = v G + r F_0 and e(σ', y) = e(-v σ' + b G, G2): each posts first messages of its shares,
//!    the querier adds them up, and the responses too.
//!
//! The querier signs and checks the last proof, nothing else: it needs no verified mix. One run
//! shows membership only; who is told "no" wants a second run, with signatures of all other values.
//!
//! As cheap as we could make it: batched checks throughout, and each server's first messages in the
//! target group cost one pairing each (its exponents are multiplied in before, in G1). Not
//! measured: the making of the openings' shares, for which the paper has threshold Paillier, and
//! the round of hashes that fixes all first messages before one of them is seen. Source: *Traceable
//! mixnets*, PETS 2024, sections on DB-SM; written from its equations.

mod membership;
mod openings;
mod proof;
mod signatures;
mod target_group;

use aardvark_algebra::TaggedHash;
use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::{G1Affine, G1Projective, batch_to_affine};
use aardvark_mixnet::fault::{Fault, FaultKind};
use aardvark_mixnet::trace::{Column, blame};
use aardvark_mixnet::{KeyRow, decryption, zero_test};
use aardvark_sigma::column::{ColumnClaim, Direction, Shuffle};
use aardvark_sigma::threshold::{Decryption, DecryptionClaim, Statement, decrypt, plaintexts};
use aardvark_sigma::zero_test::{ZeroTest, ZeroTestClaim, blind};
use aardvark_sigma::{Context, Digest, List, Secrets};

use super::rows::{Rows, against};
use super::scene::{Mixed, Scene, Server, failed};
use crate::error::BenchError;
use crate::measure::row::Row;
use crate::report::Report;
use membership::Membership;
use signatures::{PublicKey, Signatures};

/// Runs it for all inputs among all outputs, beside our row of the servers.
pub fn rows(rows: &Rows<'_>, scene: &Scene, mixed: &Mixed, ours: &Row, report: &mut Report) -> Result<(), BenchError> {
    let row = rows.of("db-sm");
    let Membership { servers, querier, bytes } = scene.membership(mixed, &vec![true; scene.values.len()])?;
    report.add(against(row.timed("trace_in", "server", &servers)?, ours))?;
    report.add(row.timed("trace_in", "querier", &[querier])?)?;
    report.add(row.counted("column", "bytes", bytes))
}

/// One run about a mix.
struct Run<'a> {
    scene: &'a Scene,
    mixed: &'a Mixed,
    key: &'a PublicKey,
    signatures: &'a Signatures,
    purpose: Digest,
    row: KeyRow,
}

impl<'a> Run<'a> {
    fn new(scene: &'a Scene, mixed: &'a Mixed, key: &'a PublicKey, signatures: &'a Signatures) -> Self {
        let purpose = TaggedHash::new("AARDVARK-BENCH-DB-SM").chain(signatures.list.digest()).finalize();
        let row = KeyRow::new(scene.keys.query_key(), scene.values.len());
        Self { scene, mixed, key, signatures, purpose, row }
    }

    fn context(&self, server: u16) -> Context {
        Context { keys: self.scene.keys.digest, server }
    }

    /// The servers in the order in which the signatures go through them.
    fn order(&self) -> Vec<&'a Server> {
        self.scene.servers.iter().rev().collect()
    }

    /// Rows (0, σ_j), 0 where there is no signature. Refuses false ones.
    fn first(&self) -> Result<List, BenchError> {
        self.signatures.check(self.key, &self.mixed.scalars())?;
        let signed = self.signatures.of_rows(self.scene.values.len());
        let rows = signed.into_iter().flat_map(|signature| [G1Affine::identity(), signature]);
        Ok(List::computed(rows.collect(), 2))
    }

    fn shuffle(&self, server: u16) -> Result<Shuffle<'_>, BenchError> {
        let layer = self.mixed.layers.iter().find(|(number, _)| *number == server);
        let (_, layer) = layer.ok_or_else(|| BenchError::Wrong("a server has not mixed".to_owned()))?;
        Ok(Shuffle {
            generators: &self.scene.generators,
            context: self.context(server),
            purpose: self.purpose,
            commitment: &layer.commitment,
            keys: &self.row,
            direction: Direction::Backward,
        })
    }

    /// Reads columns from bytes and checks them; `before` is the list before the first.
    fn check_columns(&self, before: &List, bodies: &[(u16, Vec<u8>)]) -> Result<Vec<List>, BenchError> {
        let n = self.scene.values.len();
        let columns = bodies.iter().map(|(server, body)| Ok((*server, Column::decode(body, n, *server)?)));
        let columns: Vec<(u16, Column)> = columns.collect::<Result<_, Fault>>().map_err(failed)?;
        let befores = core::iter::once(before).chain(columns.iter().map(|(_, column)| &column.list));
        let claims = columns.iter().zip(befores).map(|((server, column), before)| {
            let claim = ColumnClaim::new(self.shuffle(*server)?, before, &column.list, &column.proof);
            Ok((*server, claim.map_err(|shape| failed(shape.into()))?))
        });
        let claims = claims.collect::<Result<Vec<_>, BenchError>>()?;
        blame(FaultKind::ColumnProofFalse, &claims).map_err(failed)?;
        drop(claims);
        Ok(columns.into_iter().map(|(_, column)| column.list).collect())
    }

    /// A server's column.
    fn column(&self, server: &Server, before: &List) -> Result<Column, BenchError> {
        let made = self.shuffle(server.number)?.run(&server.permutation, before, &server.seed);
        let (list, proof) = made.map_err(|shape| failed(shape.into()))?;
        Ok(Column { list, proof })
    }

    /// A server's factors and its rows multiplied by them.
    fn factors(&self, server: &Server, last: &List) -> Result<(Secrets, ZeroTest), BenchError> {
        let context = self.context(server.number);
        let made = blind(&context, &self.purpose, last, &server.seed).map_err(|shape| failed(shape.into()))?;
        let statement = context.zero_test_statement(&self.purpose, last);
        Ok((server.seed.scalars("zero-test", &statement, last.rows()), made))
    }

    /// Reads multiplied rows from bytes and checks them.
    fn check_factors(&self, last: &List, bodies: &[&(u16, Vec<u8>)]) -> Result<Vec<List>, BenchError> {
        let n = last.rows();
        let read = bodies.iter().map(|(server, body)| Ok((*server, zero_test::decode(body, n, *server)?)));
        let read: Vec<(u16, ZeroTest)> = read.collect::<Result<_, Fault>>().map_err(failed)?;
        let claims = read.iter().map(|(server, test)| {
            let claim = ZeroTestClaim::new(&self.context(*server), &self.purpose, last, test);
            Ok((*server, claim.map_err(|shape| failed(shape.into()))?))
        });
        let claims = claims.collect::<Result<Vec<_>, BenchError>>()?;
        blame(FaultKind::ZeroTestFalse, &claims).map_err(failed)?;
        drop(claims);
        Ok(read.into_iter().map(|(_, test)| test.after).collect())
    }

    /// A server's decryption shares.
    fn shares(&self, server: &Server, rows: &List) -> Result<Decryption, BenchError> {
        let first = rows.column(0);
        let key_shares = self.scene.keys.shares_of(server.number, 0..1);
        let context = self.context(server.number);
        let statement = Statement { context, purpose: self.purpose, key_shares: &key_shares, first: &first };
        let share = Secrets::new(server.shares.first().copied().into_iter().collect());
        decrypt(&statement, &share, &server.seed).map_err(|shape| failed(shape.into()))
    }

    /// Reads the others' shares from bytes and checks them.
    fn check_shares(&self, rows: &List, bodies: &[&(u16, Vec<u8>)]) -> Result<Vec<(u16, Decryption)>, BenchError> {
        let first = rows.column(0);
        let read =
            bodies.iter().map(|(server, body)| Ok((*server, decryption::decode(body, rows.rows(), 1, *server)?)));
        let read: Vec<(u16, Decryption)> = read.collect::<Result<_, Fault>>().map_err(failed)?;
        let keys: Vec<List> = read.iter().map(|(server, _)| self.scene.keys.shares_of(*server, 0..1)).collect();
        let claims = read.iter().zip(&keys).map(|((server, made), key_shares)| {
            let context = self.context(*server);
            let statement = Statement { context, purpose: self.purpose, key_shares, first: &first };
            Ok((*server, DecryptionClaim::new(statement, made).map_err(|shape| failed(shape.into()))?))
        });
        let claims = claims.collect::<Result<Vec<_>, BenchError>>()?;
        blame(FaultKind::DecryptionProofFalse, &claims).map_err(failed)?;
        drop(claims);
        Ok(read)
    }

    /// σ' of each row.
    fn decrypted(&self, rows: &List, mut shares: Vec<(u16, Decryption)>) -> Result<List, BenchError> {
        shares.sort_by_key(|(server, _)| *server);
        shares.truncate(self.scene.threshold);
        let servers: Vec<u16> = shares.iter().map(|(server, _)| *server).collect();
        let lists: Vec<&List> = shares.iter().map(|(_, made)| &made.shares).collect();
        plaintexts(rows, &servers, &lists).map_err(|shape| failed(shape.into()))
    }
}

/// The sums of rows at the same place.
fn sums(lists: &[&List]) -> List {
    let Some((first, rest)) = lists.split_first() else { return List::computed(Vec::new(), 2) };
    let mut sums: Vec<G1Projective> = first.points().iter().map(G1Projective::from).collect();
    for list in rest {
        sums.iter_mut().zip(list.points()).for_each(|(sum, point)| *sum += point);
    }
    List::computed(batch_to_affine(&sums), first.width())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Inputs whose values are not asked for are not named, and a proof that is changed is refused.
    #[test]
    fn inputs_with_a_signed_value_are_named_and_no_others() {
        let scene = Scene::prepare(12, 3, 2, 2).unwrap();
        let (mixed, _) = scene.mix().unwrap();
        for chosen in [vec![true; 12], (0..12).map(|row| row % 3 == 0).collect(), (0..12).map(|row| row == 7).collect()]
        {
            scene.membership(&mixed, &chosen).unwrap();
        }
    }
}
