//! Decryption shares, zero tests, and their proofs.

use aardvark_algebra::Scalar;
use aardvark_algebra::ff::Field;
use aardvark_oracle::MixnetRequest;
use aardvark_sigma::claim::claims_hold;
use aardvark_sigma::threshold::{Decryption, DecryptionClaim, Statement, decrypt};
use aardvark_sigma::zero_test::{ZeroTest, ZeroTestClaim, blind};
use aardvark_sigma::{Secrets, Seed, naive};
use aardvark_spec::base::bytes::{ByteString, u16_bytes};
use aardvark_spec::base::group::g1_combination;
use aardvark_spec::mixnet::linear_relation::linear_prove;
use aardvark_spec::mixnet::mixnet_transcript::{
    decryption_challenge, decryption_seed, mixnet_coefficients, zero_test_challenge, zero_test_seed,
};
use aardvark_spec::mixnet::threshold::{decryption_matrix, decryption_shares};
use aardvark_spec::mixnet::zero_test::{zero_test_blind, zero_test_matrix};
use differential_tests::convert::bytes_to_spec;
use differential_tests::oracle::mixnet::proof_holds;

use crate::lists::{
    Draw, Known, SEED, contexts, hash, scalars_from_spec, scalars_to_spec, secrets, shown, spoilt_scalars,
};

const PURPOSE: [u8; 32] = [3; 32];

#[derive(Clone)]
struct Shares {
    number: u8,
    server: u16,
    key_shares: Known,
    rows: Known,
    shares: Known,
    first: Known,
    responses: Vec<Scalar>,
}

impl Shares {
    fn seed(&self) -> ByteString {
        let (_, context) = contexts(self.number, self.server);
        let lists = [self.key_shares.digest(), self.rows.digest(), self.shares.digest()];
        decryption_seed(&context, &bytes_to_spec(&PURPOSE), &lists[0], &lists[1], &lists[2])
    }

    fn verdicts(&self) -> [bool; 3] {
        let request = MixnetRequest::Decryption {
            seed: self.seed(),
            key_shares: self.key_shares.elements(),
            firsts: self.rows.elements(),
            shares: self.shares.rows(),
        };
        let specified = proof_holds(&request, &shown(&self.first, &self.responses)).unwrap();
        let (context, _) = contexts(self.number, self.server);
        let (key_shares, first) = (self.key_shares.list(), self.rows.list());
        let statement = Statement { context, purpose: PURPOSE, key_shares: &key_shares, first: &first };
        let decryption =
            Decryption { shares: self.shares.list(), first: self.first.list(), responses: self.responses.clone() };
        match DecryptionClaim::new(statement, &decryption) {
            Ok(claim) => [specified, claims_hold(&[&claim]), naive::decryption(&claim).holds()],
            Err(_) => [specified, false, false],
        }
    }
}

fn honest_shares(number: u64, rows: usize, keys: usize) -> Shares {
    let mut draw = Draw::new(300 + number);
    let key_secrets = draw.scalars(keys);
    let (context, _) = contexts(number as u8, 2);
    let mut case = Shares {
        number: context.keys[0],
        server: context.server,
        key_shares: Known::new(key_secrets.clone(), keys),
        rows: Known::new(draw.scalars(rows), 1),
        shares: Known::new(Vec::new(), keys),
        first: Known::new(Vec::new(), 1),
        responses: Vec::new(),
    };
    let (key_shares, first) = (case.key_shares.list(), case.rows.list());
    let statement = Statement { context, purpose: PURPOSE, key_shares: &key_shares, first: &first };
    let made = decrypt(&statement, &Secrets::new(key_secrets.clone()), &Seed::new(SEED)).unwrap();

    let spec_secrets = scalars_to_spec(&key_secrets);
    case.shares = Known::of_rows(&decryption_shares(&spec_secrets, &case.rows.elements()), keys);
    assert_eq!(case.shares.list(), made.shares);
    let start = case.seed();
    let combined = g1_combination(&case.rows.elements(), &mixnet_coefficients(&start, rows));
    let nonces = secrets("decryption", &hash("AARDVARK-V1-MIXNET-DECRYPTION-NONCES", &[&start]), keys);
    let matrix = decryption_matrix(keys, combined);
    case.first = Known::of_elements(&linear_prove(&matrix, &spec_secrets, &nonces, nonces[0]).linear_first);
    assert_eq!(case.first.list(), made.first);
    let c = decryption_challenge(&start, &case.first.digest());
    case.responses = scalars_from_spec(&linear_prove(&matrix, &spec_secrets, &nonces, c).linear_responses);
    assert_eq!(case.responses, made.responses);
    case
}

#[test]
fn decryption_proofs_agree_point_by_point_and_in_their_verdicts() {
    for number in 0..12 {
        let (rows, keys) = (1 + (number as usize) % 6, 1 + (number as usize) % 3);
        let case = honest_shares(number, rows, keys);
        assert_eq!(case.verdicts(), [true; 3], "{number}");
        let mut draw = Draw::new(3000 + number);
        let with_row = |row: usize| {
            let mut shares = case.shares.clone();
            shares.exponents[row * keys] += Scalar::ONE;
            Shares { shares, ..case.clone() }
        };
        let mut spoilt = vec![
            Shares { key_shares: case.key_shares.spoilt(&mut draw), ..case.clone() },
            Shares { rows: case.rows.spoilt(&mut draw), ..case.clone() },
            Shares { first: case.first.spoilt(&mut draw), ..case.clone() },
            Shares { responses: spoilt_scalars(&case.responses, &mut draw), ..case.clone() },
            Shares { server: 3, ..case.clone() },
            with_row(0),
            with_row(rows - 1),
        ];
        if rows > 1 {
            // Two that cancel in a sum without coefficients.
            let mut shares = case.shares.clone();
            shares.exponents[0] += Scalar::ONE;
            shares.exponents[keys] -= Scalar::ONE;
            spoilt.push(Shares { shares, ..case.clone() });
        }
        for (kind, spoilt) in spoilt.iter().enumerate() {
            assert_eq!(spoilt.verdicts(), [false; 3], "{number}, {kind}");
        }
    }
}

#[derive(Clone)]
struct Test {
    number: u8,
    before: Known,
    after: Known,
    first: Known,
    responses: Vec<Scalar>,
}

impl Test {
    fn seed(&self) -> ByteString {
        let (_, context) = contexts(self.number, 1);
        zero_test_seed(&context, &bytes_to_spec(&PURPOSE), &self.before.digest(), &self.after.digest())
    }

    fn verdicts(&self) -> [bool; 3] {
        let request =
            MixnetRequest::ZeroTest { seed: self.seed(), targets: self.before.rows(), blinded: self.after.rows() };
        let specified = proof_holds(&request, &shown(&self.first, &self.responses)).unwrap();
        let (context, _) = contexts(self.number, 1);
        let before = self.before.list();
        let test = ZeroTest { after: self.after.list(), first: self.first.list(), responses: self.responses.clone() };
        match ZeroTestClaim::new(&context, &PURPOSE, &before, &test) {
            Ok(claim) => [specified, claims_hold(&[&claim]), naive::zero_test(&claim).holds()],
            Err(_) => [specified, false, false],
        }
    }
}

#[test]
fn zero_tests_agree_point_by_point_and_in_their_verdicts() {
    for number in 0..8 {
        let mut draw = Draw::new(700 + number);
        let targets = 1 + (number as usize) % 4;
        let before = Known::new(draw.scalars(2 * targets), 2);
        let (context, spec_context) = contexts(number as u8, 1);
        let made = blind(&context, &PURPOSE, &before.list(), &Seed::new(SEED)).unwrap();

        let author = [spec_context.mixnet_keys.clone(), bytes_to_spec(&PURPOSE), u16_bytes(1), before.digest()];
        let statement = hash("AARDVARK-V1-MIXNET-ZERO-TEST-FACTORS", &author.iter().collect::<Vec<_>>());
        let factors = secrets("zero-test", &statement, targets);
        let after = Known::of_rows(&zero_test_blind(&before.rows(), &factors), 2);
        assert_eq!(after.list(), made.after);
        let mut case =
            Test { number: context.keys[0], before, after, first: Known::new(Vec::new(), 1), responses: Vec::new() };
        let start = case.seed();
        let nonces = secrets("zero-test-nonce", &hash("AARDVARK-V1-MIXNET-ZERO-TEST-NONCES", &[&start]), targets);
        let matrix = zero_test_matrix(&case.before.rows());
        case.first = Known::of_elements(&linear_prove(&matrix, &factors, &nonces, nonces[0]).linear_first);
        assert_eq!(case.first.list(), made.first);
        let c = zero_test_challenge(&start, &case.first.digest());
        case.responses = scalars_from_spec(&linear_prove(&matrix, &factors, &nonces, c).linear_responses);
        assert_eq!(case.responses, made.responses);
        assert_eq!(case.verdicts(), [true; 3], "{number}");

        let mut zero = case.clone();
        zero.after.exponents[0] = Scalar::ZERO;
        let mut from_zero = case.clone();
        from_zero.before.exponents[0] = Scalar::ZERO;
        let spoilt = [
            Test { before: case.before.spoilt(&mut draw), ..case.clone() },
            Test { after: case.after.spoilt(&mut draw), ..case.clone() },
            Test { first: case.first.spoilt(&mut draw), ..case.clone() },
            Test { responses: spoilt_scalars(&case.responses, &mut draw), ..case.clone() },
            zero,
            from_zero,
        ];
        for (kind, spoilt) in spoilt.iter().enumerate() {
            assert_eq!(spoilt.verdicts(), [false; 3], "{number}, {kind}");
        }
    }
}

/// A factor of 0 would make every sum 0: its proof is perfect, and it is refused for C'_0 = 0.
#[test]
fn a_factor_of_0_is_refused_by_both() {
    let mut draw = Draw::new(77);
    let before = Known::new(draw.scalars(4), 2);
    let (context, _) = contexts(1, 1);
    let factors = Secrets::new(vec![draw.scalar(), Scalar::ZERO]);
    let made =
        aardvark_sigma::zero_test::blind_by(&context, &PURPOSE, &before.list(), &factors, &Seed::new(SEED)).unwrap();
    let blinded = zero_test_blind(&before.rows(), &scalars_to_spec(&factors));
    let (after, matrix) = (Known::of_rows(&blinded, 2), zero_test_matrix(&before.rows()));
    let mut case =
        Test { number: 1, before, after, first: Known::new(Vec::new(), 1), responses: made.responses.clone() };
    let nonces = secrets("zero-test-nonce", &hash("AARDVARK-V1-MIXNET-ZERO-TEST-NONCES", &[&case.seed()]), 2);
    case.first = Known::of_elements(&linear_prove(&matrix, &nonces, &nonces, nonces[0]).linear_first);
    assert_eq!(case.first.list(), made.first);
    assert_eq!(case.verdicts(), [false; 3]);
}
