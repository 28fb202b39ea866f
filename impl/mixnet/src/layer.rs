//! What a server posts when it mixes: its commitment to a permutation, the list before it
//! re-encrypted and permuted by that, and both proofs.

use aardvark_sigma::column::{ColumnClaim, ColumnProof, Direction, KeyRow, Shuffle};
use aardvark_sigma::permutation::{self, PermutationClaim, PermutationProof, PermutationSecret};
use aardvark_sigma::{Context, Digest, Generators, List, Seed};

use crate::body::{Part, Writer, read};
use crate::fault::{Fault, FaultKind};

/// A server's layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer {
    /// a.
    pub commitment: List,
    /// That a is a commitment to a permutation.
    pub permutation: PermutationProof,
    /// The list after this server.
    pub list: List,
    /// That it is the one before, shuffled.
    pub column: ColumnProof,
}

/// What all layers of a mix have in common.
#[derive(Clone, Copy, Debug)]
pub struct Mixing<'a> {
    /// The digest of the keys.
    pub keys: Digest,
    /// The generators, one for each input.
    pub generators: &'a Generators,
    /// The keys of values.
    pub row: &'a KeyRow,
    /// The digest of the inputs' list.
    pub purpose: Digest,
}

impl<'a> Mixing<'a> {
    fn shuffle(&self, server: u16, commitment: &'a List) -> Shuffle<'a> {
        Shuffle {
            generators: self.generators,
            context: Context { keys: self.keys, server },
            purpose: self.purpose,
            commitment,
            keys: self.row,
            direction: Direction::Forward,
        }
    }

    /// A server's commitment to its permutation, with the proof: what it can prepare before the
    /// list before it is known.
    pub fn commit(
        &self,
        server: u16,
        secret: &PermutationSecret,
        seed: &Seed,
    ) -> Result<(List, PermutationProof), Fault> {
        let context = Context { keys: self.keys, server };
        let commitment = secret.commit(self.generators)?;
        let proof = permutation::prove(self.generators, &context, secret, &commitment, seed)?;
        Ok((commitment, proof))
    }

    /// The layer of a server after a list that it verified.
    pub fn layer(
        &self,
        server: u16,
        secret: &PermutationSecret,
        (commitment, permutation): (List, PermutationProof),
        before: &List,
        seed: &Seed,
    ) -> Result<Layer, Fault> {
        let (list, column) = self.shuffle(server, &commitment).run(secret, before, seed)?;
        Ok(Layer { commitment, permutation, list, column })
    }

    /// The claims of a server's layer after a list, in this order: permutation, column.
    pub fn claims(
        &self,
        server: u16,
        layer: &'a Layer,
        before: &'a List,
    ) -> Result<(PermutationClaim<'a>, ColumnClaim<'a>), Fault> {
        let wrong = |_| Fault::of_server(FaultKind::WrongLength, server);
        let context = Context { keys: self.keys, server };
        let permutation = PermutationClaim::new(self.generators, &context, &layer.commitment, &layer.permutation);
        let shuffle = self.shuffle(server, &layer.commitment);
        let column = ColumnClaim::new(shuffle, before, &layer.list, &layer.column);
        Ok((permutation.map_err(wrong)?, column.map_err(wrong)?))
    }
}

impl Layer {
    /// The post's body: list a; list B, list T, q, e', s', ω; list Y; list T, q, e', u.
    pub fn encode(&self) -> Vec<u8> {
        let start = Writer::default().list(&self.commitment).list(&self.permutation.chain);
        let permutation = start.list(&self.permutation.first).scalars(&self.permutation.responses);
        permutation.list(&self.list).list(&self.column.first).scalars(&self.column.responses).finish()
    }

    /// The layer of a server in a mix of so many rows of this width.
    pub fn decode(bytes: &[u8], rows: usize, width: usize, server: u16) -> Result<Self, Fault> {
        let wrong = || Fault::of_server(FaultKind::WrongLength, server);
        let more = |less: usize| rows.checked_mul(2).and_then(|twice| twice.checked_add(less)).ok_or_else(wrong);
        let parts = [
            Part::List(rows, 1),
            Part::List(rows, 1),
            Part::List(rows + 2, 1),
            Part::Scalars(more(2)?),
            Part::List(rows, width),
            Part::List(width + 1, 1),
            Part::Scalars(rows + 2),
        ];
        let (lists, scalars) = read(bytes, &parts, server)?;
        let lists: [List; 5] = lists.try_into().map_err(|_| wrong())?;
        let scalars: [Vec<_>; 2] = scalars.try_into().map_err(|_| wrong())?;
        let [commitment, chain, first, list, of_column] = lists;
        let [responses, column] = scalars;
        Ok(Self {
            commitment,
            permutation: PermutationProof { chain, first, responses },
            list,
            column: ColumnProof { first: of_column, responses: column },
        })
    }
}
