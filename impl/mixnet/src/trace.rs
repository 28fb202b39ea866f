//! Answering a query: the column through all servers that mixed, zero tests, decryption of the
//! targets, and the verification of it all.

use core::ops::Range;

use aardvark_algebra::group::Group;
use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::{G1Affine, G1Projective, TaggedHash, batch_to_affine, shifted_sums};
use aardvark_sigma::chunks::NumberTable;
use aardvark_sigma::claim::{Claim, false_claims};
use aardvark_sigma::column::{ColumnClaim, ColumnProof, Direction, KeyRow, Shuffle};
use aardvark_sigma::permutation::PermutationSecret;
use aardvark_sigma::threshold::{Decryption, DecryptionClaim, Statement, decrypt, plaintexts};
use aardvark_sigma::zero_test::{self, ZeroTest, ZeroTestClaim};
use aardvark_sigma::{Context, Digest, List, Secrets, Seed};

use crate::body::{Part, Writer, read};
use crate::fault::{Fault, FaultKind, Place};
use crate::mix::Mix;
use crate::query::{PACKED, Query, Reveal, Target, TraceDirection};

/// A server's column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// The column after this server.
    pub list: List,
    /// That it is the one before, shuffled by the server's permutation.
    pub proof: ColumnProof,
}

impl Column {
    /// The post's body: list Y; list T, q, e', u.
    pub fn encode(&self) -> Vec<u8> {
        Writer::default().list(&self.list).list(&self.proof.first).scalars(&self.proof.responses).finish()
    }

    /// The column of a server in a mix of so many rows.
    pub fn decode(bytes: &[u8], rows: usize, server: u16) -> Result<Self, Fault> {
        let wrong = || Fault::of_server(FaultKind::WrongLength, server);
        let parts = [Part::List(rows, 2), Part::List(3, 1), Part::Scalars(rows + 2)];
        let (lists, scalars) = read(bytes, &parts, server)?;
        let [list, first]: [_; 2] = lists.try_into().map_err(|_| wrong())?;
        let [responses]: [_; 1] = scalars.try_into().map_err(|_| wrong())?;
        Ok(Self { list, proof: ColumnProof { first, responses } })
    }
}

/// What a query says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// For each asked input or output, under `any` for the first output of each asked value.
    Bits(Vec<(usize, bool)>),
    /// How many.
    Count(usize),
}

/// A query about a mix, in the course of being answered.
#[derive(Debug)]
pub struct Trace<'a> {
    mix: &'a Mix<'a>,
    query: &'a Query,
    id: Digest,
    row: KeyRow,
    first: List,
    targets: Vec<Target>,
}

impl<'a> Trace<'a> {
    /// A query that may be asked, `each` not of outputs with equal values.
    pub fn new(mix: &'a Mix<'a>, query: &'a Query) -> Result<Self, Fault> {
        Self::allowed(mix, query, false)
    }

    /// A query that may be asked; `repeated` says whether `each` may be asked of outputs with equal
    /// values.
    pub fn allowed(mix: &'a Mix<'a>, query: &'a Query, repeated: bool) -> Result<Self, Fault> {
        query.check(mix, repeated)?;
        Ok(Self {
            mix,
            query,
            id: query.id(&mix.digest),
            row: KeyRow::new(&query.column_key(mix.keys.query_key()), mix.rows()),
            first: query.first_column(mix),
            targets: query.targets(mix),
        })
    }

    /// The servers in the order in which the column goes through them.
    pub fn order(&self) -> Vec<u16> {
        let mixers = self.mix.mixers.iter().map(|(server, _)| *server);
        match self.query.direction {
            TraceDirection::Out => mixers.collect(),
            TraceDirection::In => mixers.rev().collect(),
        }
    }

    /// The first column.
    pub fn first(&self) -> &List {
        &self.first
    }

    fn shuffle(&self, server: u16) -> Result<Shuffle<'_>, Fault> {
        let found = self.mix.mixers.iter().find(|(mixer, _)| *mixer == server);
        let (_, commitment) = found.ok_or_else(|| Fault::of_server(FaultKind::QueryForbidden, server))?;
        Ok(Shuffle {
            generators: self.mix.generators,
            context: Context { keys: self.mix.keys.digest, server },
            purpose: self.id,
            commitment,
            keys: &self.row,
            direction: match self.query.direction {
                TraceDirection::Out => Direction::Forward,
                TraceDirection::In => Direction::Backward,
            },
        })
    }

    /// A server's column after the one before, by the permutation of its layer.
    pub fn column(&self, server: u16, secret: &PermutationSecret, before: &List, seed: &Seed) -> Result<Column, Fault> {
        let (list, proof) = self.shuffle(server)?.run(secret, before, seed)?;
        Ok(Column { list, proof })
    }

    /// The claims of the columns at these places in the order of the servers.
    fn column_claims<'t>(
        &'t self,
        columns: &'t [Column],
        places: Range<usize>,
    ) -> Result<Vec<(u16, ColumnClaim<'t>)>, Fault> {
        let befores = core::iter::once(&self.first).chain(columns.iter().map(|column| &column.list));
        let steps = self.order().into_iter().zip(befores.zip(columns)).enumerate();
        let claims = steps.filter(|(place, _)| places.contains(place)).map(|(_, (server, (before, column)))| {
            let claim = ColumnClaim::new(self.shuffle(server)?, before, &column.list, &column.proof);
            Ok((server, claim.map_err(|_| Fault::of_server(FaultKind::WrongLength, server))?))
        });
        claims.collect()
    }

    /// Checks columns, of those that are there, in the order of the servers, the ones at these
    /// places: a server those before its own, and later those after.
    pub fn check_columns(&self, columns: &[Column], places: Range<usize>) -> Result<(), Fault> {
        blame(FaultKind::ColumnProofFalse, &self.column_claims(columns, places)?)
    }

    /// The targets' rows of the last column: sums of its rows. No C_0 is 0.
    pub fn sums(&self, columns: &[Column]) -> Result<List, Fault> {
        let last = columns.last().map_or(&self.first, |column| &column.list);
        let sums = match self.query.reveal {
            Reveal::Each => packed_sums(last, &self.targets),
            Reveal::Any | Reveal::Count => plain_sums(last, &self.targets),
        };
        let sums = List::computed(sums, 2);
        let zero = |row: &[G1Affine]| row.first().is_some_and(|c| bool::from(c.is_identity()));
        let found = sums.iter().zip(&self.targets).position(|(row, target)| !target.rows.is_empty() && zero(row));
        match found {
            Some(row) => Err(Fault {
                kind: FaultKind::IdentityComponent,
                author: self.order().last().map(|server| usize::from(*server)),
                place: Some(Place { list: 0, row, column: 0 }),
            }),
            None => Ok(sums),
        }
    }

    /// The numbers of the targets that need a zero test: sums of several rows under `any`.
    pub fn tested(&self) -> Vec<usize> {
        let several = |target: &Target| self.query.reveal == Reveal::Any && target.rows.len() > 1;
        self.targets.iter().enumerate().filter(|(_, target)| several(target)).map(|(number, _)| number).collect()
    }

    /// A server's zero test of what the server before it left, of the sums in the beginning.
    pub fn blind(&self, server: u16, before: &List, seed: &Seed) -> Result<ZeroTest, Fault> {
        let context = Context { keys: self.mix.keys.digest, server };
        Ok(zero_test::blind(&context, &self.id, before, seed)?)
    }

    fn test_claims<'t>(
        &'t self,
        start: &'t List,
        tests: &'t [ZeroTest],
    ) -> Result<Vec<(u16, ZeroTestClaim<'t>)>, Fault> {
        let befores = core::iter::once(start).chain(tests.iter().map(|test| &test.after));
        let steps = self.order().into_iter().zip(befores.zip(tests));
        let claims = steps.map(|(server, (before, test))| {
            let context = Context { keys: self.mix.keys.digest, server };
            let claim = ZeroTestClaim::new(&context, &self.id, before, test);
            Ok((server, claim.map_err(|_| Fault::of_server(FaultKind::ZeroTestFalse, server))?))
        });
        claims.collect()
    }

    /// The rows that are decrypted: the targets, those with a zero test as the last server left
    /// them.
    fn decrypted(&self, sums: &List, tests: &[ZeroTest]) -> List {
        let tested = self.tested();
        let after = tests.last().map(|test| &test.after);
        let row = |number: usize| match (after, tested.binary_search(&number)) {
            (Some(after), Ok(place)) => [after.at(place, 0), after.at(place, 1)],
            _ => [sums.at(number, 0), sums.at(number, 1)],
        };
        List::computed((0..sums.rows()).flat_map(row).collect(), 2)
    }

    /// A server's shares of the targets, which it has verified, with its share of the query key.
    pub fn shares(
        &self,
        server: u16,
        share: &Secrets,
        sums: &List,
        tests: &[ZeroTest],
        seed: &Seed,
    ) -> Result<Decryption, Fault> {
        let first = self.decrypted(sums, tests).column(0);
        let key_shares = self.mix.keys.shares_of(server, 0..1);
        let context = Context { keys: self.mix.keys.digest, server };
        let statement = Statement { context, purpose: self.id, key_shares: &key_shares, first: &first };
        Ok(decrypt(&statement, share, seed)?)
    }

    /// Checks servers' shares of the targets.
    pub fn check_shares(&self, sums: &List, tests: &[ZeroTest], shares: &[(u16, &Decryption)]) -> Result<(), Fault> {
        let first = self.decrypted(sums, tests).column(0);
        let keys: Vec<List> = shares.iter().map(|(server, _)| self.mix.keys.shares_of(*server, 0..1)).collect();
        let claims = shares.iter().zip(&keys).map(|((server, decryption), key_shares)| {
            let context = Context { keys: self.mix.keys.digest, server: *server };
            let statement = Statement { context, purpose: self.id, key_shares, first: &first };
            let claim = DecryptionClaim::new(statement, decryption);
            Ok((*server, claim.map_err(|_| Fault::of_server(FaultKind::WrongLength, *server))?))
        });
        blame(FaultKind::DecryptionProofFalse, &claims.collect::<Result<Vec<_>, Fault>>()?)
    }

    /// Checks zero tests, of those that are there, the ones at these places in the order of the
    /// servers.
    pub fn check_tests(&self, sums: &List, tests: &[ZeroTest], places: Range<usize>) -> Result<(), Fault> {
        let start = sums.select(self.tested());
        let claims = self.test_claims(&start, tests)?;
        blame(FaultKind::ZeroTestFalse, claims.get(places).unwrap_or_default())
    }

    /// What the targets are before a server's zero test.
    pub fn untested(&self, sums: &List, tests: &[ZeroTest]) -> List {
        tests.last().map_or_else(|| sums.select(self.tested()), |test| test.after.clone())
    }

    /// P as the only key share of an opening, and what the opening is for.
    fn opening(&self) -> Result<(List, Digest), Fault> {
        let reader = self.query.reader.as_ref().ok_or(Fault::new(FaultKind::QueryForbidden))?;
        let purpose = TaggedHash::new("AARDVARK-V1-MIXNET-OPENING").chain(self.id).finalize();
        Ok((reader.point.clone(), purpose))
    }

    /// The querier's opening of a private answer to everybody: p C_0 of the targets, with a proof
    /// against P, as a server's shares are proved, the server's number being 0.
    pub fn open(&self, secret: &Secrets, sums: &List, tests: &[ZeroTest], seed: &Seed) -> Result<Decryption, Fault> {
        let (key_shares, purpose) = self.opening()?;
        let first = self.decrypted(sums, tests).column(0);
        let context = Context { keys: self.mix.keys.digest, server: 0 };
        Ok(decrypt(&Statement { context, purpose, key_shares: &key_shares, first: &first }, secret, seed)?)
    }

    /// Checks an opening.
    pub fn check_opening(&self, sums: &List, tests: &[ZeroTest], opening: &Decryption) -> Result<(), Fault> {
        let (key_shares, purpose) = self.opening()?;
        let first = self.decrypted(sums, tests).column(0);
        let context = Context { keys: self.mix.keys.digest, server: 0 };
        let statement = Statement { context, purpose, key_shares: &key_shares, first: &first };
        blame(FaultKind::DecryptionProofFalse, &[(0, DecryptionClaim::new(statement, opening)?)])
    }

    /// The answer of shares of t servers, all checked before; of a private one by its opening, too.
    pub fn result(
        &self,
        sums: &List,
        tests: &[ZeroTest],
        shares: &[(u16, &Decryption)],
        opening: Option<&Decryption>,
    ) -> Result<Answer, Fault> {
        if self.query.reader.is_some() != opening.is_some() || shares.len() != self.mix.keys.threshold {
            return Err(Fault::new(FaultKind::WrongLength));
        }
        let servers: Vec<u16> = shares.iter().map(|(server, _)| *server).collect();
        let lists: Vec<&List> = shares.iter().map(|(_, decryption)| &decryption.shares).collect();
        let read = plaintexts(&self.decrypted(sums, tests), &servers, &lists)?;
        match opening {
            None => self.read(&read),
            Some(opening) => {
                let pairs = read.points().iter().zip(opening.shares.points());
                let opened: Vec<G1Projective> = pairs.map(|(point, mask)| G1Projective::from(point) - mask).collect();
                self.read(&List::computed(batch_to_affine(&opened), 1))
            }
        }
    }

    /// The querier's part of a public query: recomputes the first column, checks a column of every
    /// server that mixed, every zero test and the shares of t servers, and reads the answer.
    pub fn verify(
        &self,
        columns: &[Column],
        tests: &[ZeroTest],
        shares: &[(u16, &Decryption)],
    ) -> Result<Answer, Fault> {
        let servers = self.mix.mixers.len();
        let tested = self.tested();
        let expected = if tested.is_empty() { 0 } else { servers };
        if columns.len() != servers || tests.len() != expected || shares.len() != self.mix.keys.threshold {
            return Err(Fault::new(FaultKind::WrongLength));
        }
        self.check_columns(columns, 0..columns.len())?;
        let sums = self.sums(columns)?;
        let start = sums.select(tested);
        blame(FaultKind::ZeroTestFalse, &self.test_claims(&start, tests)?)?;
        self.check_shares(&sums, tests, shares)?;
        self.result(&sums, tests, shares, None)
    }

    /// What the decrypted targets say.
    fn read(&self, results: &List) -> Result<Answer, Fault> {
        if self.query.reveal == Reveal::Count {
            let table = NumberTable::up_to(self.mix.rows() + 1);
            let number = table.number(&results.at(0, 0)).ok_or(Fault::new(FaultKind::AnswerNotABit))?;
            return Ok(Answer::Count(number as usize));
        }
        let not_a_bit = |number: usize| Fault {
            place: Some(Place { list: 0, row: number, column: 0 }),
            ..Fault::new(FaultKind::AnswerNotABit)
        };
        let table = NumberTable::up_to(if self.query.reveal == Reveal::Each { 1 << PACKED } else { 2 });
        let mut bits = Vec::new();
        for (number, target) in self.targets.iter().enumerate() {
            let result = results.at(number, 0);
            let said = table.number(&result);
            match (self.query.reveal, target.rows.as_slice()) {
                (Reveal::Each, rows) => {
                    let packed = said.filter(|packed| packed >> rows.len() == 0).ok_or_else(|| not_a_bit(number))?;
                    bits.extend(rows.iter().enumerate().map(|(k, row)| (*row, packed >> k & 1 == 1)));
                }
                (_, [row]) => bits.push((*row, said.ok_or_else(|| not_a_bit(number))? == 1)),
                _ => bits.push((target.about, said != Some(0))),
            }
        }
        Ok(Answer::Bits(bits))
    }
}

/// The sums of targets' rows, as they are.
fn plain_sums(column: &List, targets: &[Target]) -> Vec<G1Affine> {
    let sum = |target: &Target, l: usize| {
        let rows = target.rows.iter().map(|row| column.at(*row, l));
        rows.fold(G1Projective::identity(), |sum, point| sum + point)
    };
    let sums: Vec<G1Projective> = targets.iter().flat_map(|target| [0, 1].map(|l| sum(target, l))).collect();
    batch_to_affine(&sums)
}

/// The sums of targets' rows, the k-th row of each 2^k times.
fn packed_sums(column: &List, targets: &[Target]) -> Vec<G1Affine> {
    let at = |row: Option<&usize>, l: usize| row.map_or_else(G1Affine::identity, |row| column.at(*row, l));
    let part = |k: usize| targets.iter().flat_map(move |target| [0, 1].map(|l| at(target.rows.get(k), l))).collect();
    let parts: Vec<Vec<G1Affine>> = (0..PACKED).map(part).collect();
    shifted_sums(&parts.iter().map(Vec::as_slice).collect::<Vec<_>>(), 1)
}

/// Whether all claims hold; else the fault of the first server whose does not.
pub fn blame<C: Claim>(kind: FaultKind, claims: &[(u16, C)]) -> Result<(), Fault> {
    let all: Vec<&dyn Claim> = claims.iter().map(|(_, claim)| claim as &dyn Claim).collect();
    match false_claims(&all).first().and_then(|place| claims.get(*place)) {
        Some((server, _)) => Err(Fault::of_server(kind, *server)),
        None => Ok(()),
    }
}
