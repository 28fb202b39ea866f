//! Shuffled lists and their proofs, forward and backward.

use aardvark_algebra::Scalar;
use aardvark_algebra::ff::Field;
use aardvark_oracle::MixnetRequest;
use aardvark_sigma::claim::claims_hold;
use aardvark_sigma::column::{ColumnClaim, ColumnProof, Direction, KeyRow, Shuffle};
use aardvark_sigma::permutation::PermutationSecret;
use aardvark_sigma::{Generators, Seed, naive};
use aardvark_spec::base::bytes::{ByteString, u16_bytes};
use aardvark_spec::convert::to_seq;
use aardvark_spec::mixnet::column::{column_backward, column_forward, column_matrix, column_witness};
use aardvark_spec::mixnet::linear_relation::linear_prove;
use aardvark_spec::mixnet::mixnet_transcript::{column_challenge, column_seed, mixnet_coefficients};
use differential_tests::convert::bytes_to_spec;
use differential_tests::oracle::mixnet::proof_holds;

use crate::lists::{
    Draw, Known, KnownGenerators, SEED, contexts, hash, points, scalars_from_spec, scalars_to_spec, secrets, shown,
    spoilt_scalars,
};

/// A claim that can be spoilt.
#[derive(Clone)]
struct Case {
    number: u8,
    server: u16,
    purpose: [u8; 32],
    direction: Direction,
    keys: Vec<Scalar>,
    commitment: Known,
    before: Known,
    after: Known,
    first: Known,
    responses: Vec<Scalar>,
}

impl Case {
    /// κ.
    fn key_row(&self) -> Known {
        let row: Vec<Scalar> = [Scalar::ONE].into_iter().chain(self.keys.iter().copied()).collect();
        Known::new(row.clone(), row.len())
    }

    /// X and Y.
    fn sides(&self) -> (&Known, &Known) {
        match self.direction {
            Direction::Forward => (&self.before, &self.after),
            Direction::Backward => (&self.after, &self.before),
        }
    }

    /// C0.
    fn seed(&self) -> ByteString {
        let (_, context) = contexts(self.number, self.server);
        let (x, y) = self.sides();
        let lists = [self.commitment.digest(), self.key_row().digest(), x.digest(), y.digest()];
        column_seed(&context, &bytes_to_spec(&self.purpose), &lists[0], &lists[1], &lists[2], &lists[3])
    }

    fn verdicts(&self, known: &KnownGenerators, generators: &Generators) -> [bool; 3] {
        let (x, y) = self.sides();
        let request = MixnetRequest::Column {
            seed: self.seed(),
            generators: known.specification(),
            committed: self.commitment.elements(),
            keys: self.key_row().elements(),
            before: x.rows(),
            after: y.rows(),
        };
        let specified = proof_holds(&request, &shown(&self.first, &self.responses)).unwrap();
        let (context, _) = contexts(self.number, self.server);
        let keys = KeyRow::new(&points(&self.keys), 6);
        let (commitment, before, after) = (self.commitment.list(), self.before.list(), self.after.list());
        let shuffle = Shuffle {
            generators,
            context,
            purpose: self.purpose,
            commitment: &commitment,
            keys: &keys,
            direction: self.direction,
        };
        let proof = ColumnProof { first: self.first.list(), responses: self.responses.clone() };
        match ColumnClaim::new(shuffle, &before, &after, &proof) {
            Ok(claim) => [specified, claims_hold(&[&claim]), naive::column(&claim).holds()],
            Err(_) => [specified, false, false],
        }
    }
}

fn honest(number: u64, n: usize, width: usize, direction: Direction) -> (KnownGenerators, Case) {
    let mut draw = Draw::new(500 + number);
    let known = KnownGenerators::draw(&mut draw, n);
    let (generators, specification) = (known.implementation(), known.specification());
    let (context, spec_context) = contexts(number as u8, 1 + (number % 4) as u16);
    let seed = Seed::new(SEED);
    let secret = PermutationSecret::derive(&seed, &context, n);
    let commitment = secret.commit(&generators).unwrap();
    let committed = Known::new(
        (0..n).map(|i| secret.blindings[i] * known.blinding + known.bases[secret.permutation.images()[i]]).collect(),
        1,
    );
    let keys = draw.scalars(width);
    let key_row = KeyRow::new(&points(&keys), n);
    let mut before = Known::new(draw.scalars(n * (width + 1)), width + 1);
    if number.is_multiple_of(3) {
        // Equal rows.
        let first = before.exponents[..=width].to_vec();
        before.exponents = first.repeat(n);
    }
    let purpose = [9; 32];
    let shuffle =
        Shuffle { generators: &generators, context, purpose, commitment: &commitment, keys: &key_row, direction };
    let (after, proof) = shuffle.run(&secret, &before.list(), &seed).unwrap();

    let mut case = Case {
        number: context.keys[0],
        server: context.server,
        purpose,
        direction,
        keys,
        commitment: committed,
        before,
        after: Known::new(Vec::new(), width + 1),
        first: Known::new(Vec::new(), 1),
        responses: Vec::new(),
    };
    assert_eq!(case.commitment.list(), commitment);
    let author = [spec_context.mixnet_keys.clone(), bytes_to_spec(&purpose), u16_bytes(spec_context.mixnet_server)];
    let digests = [case.commitment.digest(), case.key_row().digest(), case.before.digest()];
    let parts: Vec<&ByteString> = author.iter().chain(&digests).collect();
    let statement = hash("AARDVARK-V1-MIXNET-REENCRYPTION", &parts);
    let randomness = secrets("re-encryption", &statement, n);
    let images = to_seq(secret.permutation.images().to_vec());
    let row = case.key_row().elements();
    let rows = match direction {
        Direction::Forward => column_forward(&images, &case.before.rows(), &row, &randomness),
        Direction::Backward => column_backward(&images, &case.before.rows(), &row, &randomness),
    };
    case.after = Known::of_rows(&rows, width + 1);
    assert_eq!(case.after.list(), after);

    // ρ_i of the relation belongs to row i of X.
    let of_x: Vec<Scalar> = match direction {
        Direction::Forward => scalars_from_spec(&randomness),
        Direction::Backward => {
            secret.permutation.backward(&scalars_from_spec(&randomness)).iter().map(|rho| -*rho).collect()
        }
    };
    let start = case.seed();
    let e = mixnet_coefficients(&start, n);
    let nonces = secrets("column", &hash("AARDVARK-V1-MIXNET-COLUMN-NONCES", &[&start]), n + 2);
    let matrix = column_matrix(&specification, &row, &case.sides().1.rows());
    let witness = column_witness(&images, &scalars_to_spec(&secret.blindings), &scalars_to_spec(&of_x), &e);
    case.first = Known::of_elements(&linear_prove(&matrix, &witness, &nonces, e[0]).linear_first);
    assert_eq!(case.first.list(), proof.first);
    let c = column_challenge(&start, &case.first.digest());
    case.responses = scalars_from_spec(&linear_prove(&matrix, &witness, &nonces, c).linear_responses);
    assert_eq!(case.responses, proof.responses);
    (known, case)
}

#[test]
fn column_proofs_agree_point_by_point_and_in_their_verdicts() {
    for number in 0..24 {
        let direction = if number % 2 == 0 { Direction::Forward } else { Direction::Backward };
        let (n, width) = (1 + (number as usize) % 6, 1 + (number as usize / 6) % 3);
        let (known, case) = honest(number, n, width, direction);
        let generators = known.implementation();
        assert_eq!(case.verdicts(&known, &generators), [true; 3], "{number}");
        let mut draw = Draw::new(2000 + number);
        let mut other_keys = case.keys.clone();
        other_keys[draw.below(width)] += Scalar::ONE;
        let other_direction = match direction {
            Direction::Forward => Direction::Backward,
            Direction::Backward => Direction::Forward,
        };
        let mut spoilt = vec![
            Case { commitment: case.commitment.spoilt(&mut draw), ..case.clone() },
            Case { before: case.before.spoilt(&mut draw), ..case.clone() },
            Case { after: case.after.spoilt(&mut draw), ..case.clone() },
            Case { first: case.first.spoilt(&mut draw), ..case.clone() },
            Case { responses: spoilt_scalars(&case.responses, &mut draw), ..case.clone() },
            Case { keys: other_keys, ..case.clone() },
            Case { server: case.server + 1, ..case.clone() },
            Case { number: case.number + 100, ..case.clone() },
            Case { purpose: [8; 32], ..case.clone() },
            Case { direction: other_direction, ..case.clone() },
        ];
        if n > 1 {
            // Two rows exchanged after the proof.
            let mut after = case.after.clone();
            after.exponents.rotate_left(width + 1);
            spoilt.push(Case { after, ..case.clone() });
        }
        for (kind, spoilt) in spoilt.iter().enumerate() {
            assert_eq!(spoilt.verdicts(&known, &generators), [false; 3], "{number}, {kind}");
        }
    }
}
