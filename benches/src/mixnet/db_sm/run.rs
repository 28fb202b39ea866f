//! What a server does in a run, step by step.

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

use super::signatures::{PublicKey, Signatures};
use crate::error::BenchError;
use crate::mixnet::scene::{Mixed, Scene, Server, failed};

/// One run about a mix.
pub struct Run<'a> {
    scene: &'a Scene,
    mixed: &'a Mixed,
    key: &'a PublicKey,
    signatures: &'a Signatures,
    purpose: Digest,
    row: KeyRow,
}

impl<'a> Run<'a> {
    pub fn new(scene: &'a Scene, mixed: &'a Mixed, key: &'a PublicKey, signatures: &'a Signatures) -> Self {
        let purpose = TaggedHash::new("AARDVARK-BENCH-DB-SM").chain(signatures.list.digest()).finalize();
        let row = KeyRow::new(scene.keys.query_key(), scene.values.len());
        Self { scene, mixed, key, signatures, purpose, row }
    }

    pub fn context(&self, server: u16) -> Context {
        Context { keys: self.scene.keys.digest, server }
    }

    /// The servers in the order in which the signatures go through them.
    pub fn order(&self) -> Vec<&'a Server> {
        self.scene.servers.iter().rev().collect()
    }

    /// Rows (0, σ_j), 0 where there is no signature. Refuses false ones.
    pub fn first(&self) -> Result<List, BenchError> {
        self.signatures.check(self.key, &self.mixed.scalars())?;
        let signed = self.signatures.of_rows(self.scene.values.len());
        let rows = signed.into_iter().flat_map(|signature| [G1Affine::identity(), signature]);
        Ok(List::computed(rows.collect(), 2))
    }

    pub fn shuffle(&self, server: u16) -> Result<Shuffle<'_>, BenchError> {
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
    pub fn check_columns(&self, before: &List, bodies: &[(u16, Vec<u8>)]) -> Result<Vec<List>, BenchError> {
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
    pub fn column(&self, server: &Server, before: &List) -> Result<Column, BenchError> {
        let made = self.shuffle(server.number)?.run(&server.permutation, before, &server.seed);
        let (list, proof) = made.map_err(|shape| failed(shape.into()))?;
        Ok(Column { list, proof })
    }

    /// A server's factors and its rows multiplied by them.
    pub fn factors(&self, server: &Server, last: &List) -> Result<(Secrets, ZeroTest), BenchError> {
        let context = self.context(server.number);
        let made = blind(&context, &self.purpose, last, &server.seed).map_err(|shape| failed(shape.into()))?;
        let statement = context.zero_test_statement(&self.purpose, last);
        Ok((server.seed.scalars("zero-test", &statement, last.rows()), made))
    }

    /// Reads multiplied rows from bytes and checks them.
    pub fn check_factors(&self, last: &List, bodies: &[&(u16, Vec<u8>)]) -> Result<Vec<List>, BenchError> {
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
    pub fn shares(&self, server: &Server, rows: &List) -> Result<Decryption, BenchError> {
        let first = rows.column(0);
        let key_shares = self.scene.keys.shares_of(server.number, 0..1);
        let context = self.context(server.number);
        let statement = Statement { context, purpose: self.purpose, key_shares: &key_shares, first: &first };
        let share = Secrets::new(server.shares.first().copied().into_iter().collect());
        decrypt(&statement, &share, &server.seed).map_err(|shape| failed(shape.into()))
    }

    /// Reads the others' shares from bytes and checks them.
    pub fn check_shares(&self, rows: &List, bodies: &[&(u16, Vec<u8>)]) -> Result<Vec<(u16, Decryption)>, BenchError> {
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
    pub fn decrypted(&self, rows: &List, mut shares: Vec<(u16, Decryption)>) -> Result<List, BenchError> {
        shares.sort_by_key(|(server, _)| *server);
        shares.truncate(self.scene.threshold);
        let servers: Vec<u16> = shares.iter().map(|(server, _)| *server).collect();
        let lists: Vec<&List> = shares.iter().map(|(_, made)| &made.shares).collect();
        plaintexts(rows, &servers, &lists).map_err(|shape| failed(shape.into()))
    }
}

/// The sums of rows at the same place.
pub fn sums(lists: &[&List]) -> List {
    let Some((first, rest)) = lists.split_first() else { return List::computed(Vec::new(), 2) };
    let mut sums: Vec<G1Projective> = first.points().iter().map(G1Projective::from).collect();
    for list in rest {
        sums.iter_mut().zip(list.points()).for_each(|(sum, point)| *sum += point);
    }
    List::computed(batch_to_affine(&sums), first.width())
}
