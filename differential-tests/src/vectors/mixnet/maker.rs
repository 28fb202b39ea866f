//! Puts the tests together: a server with its permutation, and lists to shuffle and decrypt.

use std::collections::BTreeMap;

use aardvark_algebra::group::Group;
use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::{G1Affine, G1Projective, Scalar, batch_to_affine, hash_to_scalar};
use aardvark_mixnet::KeyRow;
use aardvark_mixnet::body::Writer;
use aardvark_sigma::column::{Direction, Shuffle};
use aardvark_sigma::naive::Relation;
use aardvark_sigma::permutation::PermutationSecret;
use aardvark_sigma::{Context, Digest, Generators, List, Seed};

use super::judge::{by_implementation, list_hex};
use crate::vectors::flags::Flag;
use crate::vectors::hex_text::Hex;
use crate::vectors::mixnet_case::{MixnetCase, MixnetExpected, MixnetPart};

/// Rows of most tests.
pub(super) const ROWS: usize = 3;
/// What the proofs are for.
pub(super) const PURPOSE: Digest = [0x70; 32];
/// What the hashes begin with.
pub(super) const KEYS: Digest = [0x4b; 32];
/// The server.
pub(super) const SERVER: u16 = 2;

/// Collects tests.
pub(super) struct Maker {
    pub tests: Vec<(String, Vec<Flag>, MixnetCase)>,
    pub generators: Generators,
    pub context: Context,
    pub seed: Seed,
    pub secret: PermutationSecret,
    pub commitment: List,
    /// Y of one key.
    pub key: List,
    pub row: KeyRow,
    /// Rows of two points.
    pub before: List,
    drawn: u64,
}

/// Points of these logarithms.
pub(super) fn points(logarithms: &[Scalar]) -> Vec<G1Affine> {
    batch_to_affine(&logarithms.iter().map(|k| G1Projective::generator() * k).collect::<Vec<_>>())
}

/// One point more or less at a place of a list.
pub(super) fn moved(list: &List, row: usize, column: usize, by: G1Projective) -> List {
    let mut points = list.points().to_vec();
    points[row * list.width() + column] = (by + points[row * list.width() + column]).into();
    List::computed(points, list.width())
}

/// The sum of multiples, slowly.
pub(super) fn sum(points: &[G1Affine], scalars: &[Scalar]) -> G1Projective {
    points.iter().zip(scalars).fold(G1Projective::identity(), |sum, (point, scalar)| sum + *point * scalar)
}

/// A row of a matrix: these entries, infinity elsewhere.
pub(super) fn matrix_row(columns: usize, entries: &[(usize, G1Affine)]) -> Vec<G1Affine> {
    let mut row = vec![G1Affine::identity(); columns];
    entries.iter().for_each(|(column, point)| row[*column] = *point);
    row
}

impl Maker {
    pub fn new() -> Self {
        let (generators, seed) = (Generators::new(ROWS), Seed::new([5; 32]));
        let context = Context { keys: KEYS, server: SERVER };
        let secret = PermutationSecret::derive(&seed, &context, ROWS);
        let commitment = secret.commit(&generators).expect("of the generators' length");
        let mut maker = Self {
            tests: Vec::new(),
            generators,
            context,
            seed,
            secret,
            commitment,
            key: List::computed(Vec::new(), 1),
            row: KeyRow::new(&[], 1),
            before: List::computed(Vec::new(), 1),
            drawn: 0,
        };
        let key = points(&maker.scalars(1));
        maker.row = KeyRow::new(&key, ROWS);
        maker.key = List::computed(key, 1);
        maker.before = List::computed(points(&maker.scalars(2 * ROWS)), 2);
        maker
    }

    /// Scalars that nobody chose.
    pub fn scalars(&mut self, count: usize) -> Vec<Scalar> {
        let next = |_| {
            self.drawn += 1;
            hash_to_scalar(&self.drawn.to_be_bytes(), b"AARDVARK-VECTORS-MIXNET")
        };
        (0..count).map(next).collect()
    }

    pub fn shuffle(&self, direction: Direction) -> Shuffle<'_> {
        Shuffle {
            generators: &self.generators,
            context: self.context,
            purpose: PURPOSE,
            commitment: &self.commitment,
            keys: &self.row,
            direction,
        }
    }

    /// A proof by the recipe of all of them: T = M t, z = t + c s. The relation that it was made
    /// for must hold: that is what the wrong verifier checks.
    pub fn prove(
        &mut self,
        matrix: Vec<Vec<G1Affine>>,
        image: Vec<G1Affine>,
        witness: &[Scalar],
        challenge: impl Fn(&List) -> Scalar,
    ) -> (List, Vec<Scalar>) {
        let nonces = self.scalars(witness.len());
        let first: Vec<G1Projective> = matrix.iter().map(|row| sum(row, &nonces)).collect();
        let first = batch_to_affine(&first);
        let list = List::computed(first.clone(), 1);
        let challenge = challenge(&list);
        let responses: Vec<Scalar> = nonces.iter().zip(witness).map(|(t, s)| *t + challenge * s).collect();
        let relation = Relation { matrix, image, first, challenge, responses: responses.clone() };
        assert!(relation.holds(), "a forgery that no verifier takes");
        (list, responses)
    }

    /// A case of this maker's server.
    pub fn case(&self, part: MixnetPart, statement: &[(&str, Hex)], body: Vec<u8>) -> MixnetCase {
        let statement: BTreeMap<String, Hex> =
            statement.iter().map(|(name, bytes)| ((*name).to_owned(), bytes.clone())).collect();
        let mut case = MixnetCase {
            part,
            keys: Hex::from(KEYS),
            server: SERVER,
            purpose: Hex::from(PURPOSE),
            rows: ROWS,
            statement,
            body: Hex(body),
            expected: MixnetExpected { outcome: crate::vectors::file::Outcome::Valid, fault: None },
        };
        case.expected = by_implementation(&case);
        case
    }

    /// A case of a shuffled list of this maker.
    pub fn column(&self, part: MixnetPart, commitment: &List, after: &List, first: &List, z: &[Scalar]) -> MixnetCase {
        let statement =
            [("commitment", list_hex(commitment)), ("keys", list_hex(&self.key)), ("before", list_hex(&self.before))];
        self.case(part, &statement, Writer::default().list(after).list(first).scalars(z).finish())
    }

    /// Adds a test that must be refused for this fault, or be valid.
    pub fn put(&mut self, comment: &str, flags: &[Flag], fault: Option<&str>, case: MixnetCase) {
        let case = MixnetCase { expected: by_implementation(&case), ..case };
        assert_eq!(case.expected.fault.as_deref(), fault, "{comment}");
        self.tests.push((comment.to_owned(), flags.to_vec(), case));
    }
}
