//! Dealings, masked shares and complaints.

use aardvark_algebra::{Scalar, encode_g1};
use aardvark_oracle::{MixnetRequest, Shown};
use aardvark_sigma::Secrets;
use aardvark_sigma::claim::claims_hold;
use aardvark_sigma::dealing::{Complaint, Dealer, Dealing};
use aardvark_sigma::knowledge::{KnowledgeClaim, KnowledgeProof, prove_knowledge};
use aardvark_sigma::sharing::SecretPolynomial;
use aardvark_spec::base::bytes::ByteString;
use aardvark_spec::base::group::G1;
use aardvark_spec::convert::to_seq;
use aardvark_spec::mixnet::dealing::{
    complaint_convicts, dealing_seed, dealt_shares_hold, key_proof_seed, knowledge_challenge, knowledge_matrix,
    share_mask_seed, share_seal, share_unseal, tag_mixnet_transport, verdict_seed, verify_equality,
};
use aardvark_spec::mixnet::key_posts::{KeyDealing, PostedPoint, transport_known};
use aardvark_spec::mixnet::linear_relation::linear_prove;
use aardvark_spec::mixnet::sharing::{share_commitments, share_of};
use differential_tests::convert::bytes_to_spec;
use differential_tests::oracle::mixnet::proof_holds;
use hacspec_lib::Seq;

use crate::lists::{
    Draw, Known, SEED, hash, points, proof_to_spec, scalars_from_spec, scalars_to_spec, secrets, spoilt_scalars,
};

const CEREMONY: [u8; 32] = [4; 32];

/// 48 bytes a point.
pub fn short(points: &Known) -> ByteString {
    bytes_to_spec(&points.list().points().iter().flat_map(encode_g1).collect::<Vec<u8>>())
}

pub fn one(exponent: Scalar) -> Known {
    Known::new(vec![exponent], 1)
}

fn element(known: &Known) -> G1 {
    known.elements()[0]
}

/// A point as it is posted.
pub fn posted(exponent: Scalar) -> PostedPoint {
    let point = one(exponent);
    PostedPoint { posted_element: element(&point), posted_bytes: short(&point) }
}

pub fn posted_all(exponents: &[Scalar]) -> Seq<PostedPoint> {
    Seq::from_vec(exponents.iter().map(|exponent| posted(*exponent)).collect())
}

/// What a dealer draws.
#[derive(Clone)]
pub struct Dealt {
    pub coefficients: Vec<Vec<Scalar>>,
    pub randomness: Vec<Scalar>,
}

impl Dealt {
    pub fn draw(draw: &mut Draw, keys: usize, threshold: usize, servers: usize) -> Self {
        let coefficients = (0..keys).map(|_| draw.scalars(threshold)).collect();
        Self { coefficients, randomness: draw.scalars(servers) }
    }

    /// What its proof shows that the dealer knows.
    fn witness(&self) -> Vec<Scalar> {
        self.coefficients.iter().map(|of_key| of_key[0]).chain(self.randomness.iter().copied()).collect()
    }
}

/// A dealing by the logarithms of its points.
#[derive(Clone)]
pub struct Case {
    pub ceremony: [u8; 32],
    pub dealer: u16,
    pub threshold: usize,
    pub committed: Known,
    pub randomised: Known,
    pub sealed: Vec<Vec<Scalar>>,
    pub first: Known,
    pub responses: Vec<Scalar>,
}

impl Case {
    /// What a dealer makes of what it draws, without the proof; `transport` are the servers'
    /// secrets.
    pub fn of(ceremony: [u8; 32], dealer: u16, dealt: &Dealt, transport: &[Scalar]) -> Self {
        let threshold = dealt.coefficients[0].len();
        let committed = dealt
            .coefficients
            .iter()
            .flat_map(|of_key| Known::of_elements(&share_commitments(&scalars_to_spec(of_key))).exponents);
        let sealed = (1..).zip(transport).zip(&dealt.randomness).map(|((server, nu), rho)| {
            let (randomised, shared) = (short(&one(*rho)), short(&one(*nu * rho)));
            let masks = share_mask_seed(&bytes_to_spec(&ceremony), usize::from(dealer), server, &randomised, &shared);
            let shares = dealt.coefficients.iter().map(|of_key| share_of(&scalars_to_spec(of_key), server));
            scalars_from_spec(&share_seal(&masks, &to_seq(shares.collect())))
        });
        Self {
            ceremony,
            dealer,
            threshold,
            committed: Known::new(committed.collect(), threshold),
            randomised: Known::new(dealt.randomness.clone(), 1),
            sealed: sealed.collect(),
            first: Known::new(Vec::new(), 1),
            responses: Vec::new(),
        }
    }

    /// With the proof that its dealer knows what it drew.
    pub fn proved(mut self, dealt: &Dealt) -> Self {
        let (start, witness) = (self.seed(), dealt.witness());
        let nonces = secrets("knowledge", &hash("AARDVARK-V1-MIXNET-KNOWLEDGE-NONCES", &[&start]), witness.len());
        let matrix = knowledge_matrix(witness.len());
        let prove = |c| linear_prove(&matrix, &scalars_to_spec(&witness), &nonces, c);
        self.first = Known::of_elements(&prove(nonces[0]).linear_first);
        self.responses = scalars_from_spec(&prove(knowledge_challenge(&start, &short(&self.first))).linear_responses);
        self
    }

    /// The post.
    pub fn posted(&self) -> KeyDealing {
        KeyDealing {
            deal_author: usize::from(self.dealer),
            deal_committed: self.rows(),
            deal_list: bytes_to_spec(&self.committed.list().encode()),
            deal_randomised: posted_all(&self.randomised.exponents),
            deal_sealed: Seq::from_vec(self.sealed.iter().map(|shares| scalars_to_spec(shares)).collect()),
            deal_statement: self.statement(),
            deal_proof: proof_to_spec(&self.first, &self.responses),
            deal_first: short(&self.first),
        }
    }

    fn statement(&self) -> ByteString {
        let shares = self.randomised.exponents.iter().zip(&self.sealed).flat_map(|(randomised, sealed)| {
            let point = encode_g1(&points(&[*randomised])[0]).to_vec();
            point.into_iter().chain(sealed.iter().flat_map(aardvark_algebra::scalar_to_bytes))
        });
        short(&self.committed).concat(&bytes_to_spec(&shares.collect::<Vec<u8>>()))
    }

    fn seed(&self) -> ByteString {
        dealing_seed(&bytes_to_spec(&self.ceremony), usize::from(self.dealer), &self.statement())
    }

    pub fn dealing(&self) -> Dealing {
        Dealing {
            commitments: self.committed.list(),
            randomised: self.randomised.list(),
            sealed: self.sealed.clone(),
            proof: KnowledgeProof { first: self.first.list(), responses: self.responses.clone() },
        }
    }

    fn rows(&self) -> Seq<Seq<G1>> {
        Known::new(self.committed.exponents.clone(), self.threshold).rows()
    }

    fn verdicts(&self) -> [bool; 2] {
        let request = MixnetRequest::Dealing {
            seed: self.seed(),
            committed: self.rows(),
            randomised: self.randomised.elements(),
        };
        let shown = Shown { proof: proof_to_spec(&self.first, &self.responses), first: short(&self.first) };
        let specified = proof_holds(&request, &shown).unwrap();
        let dealer = Dealer { ceremony: self.ceremony, number: self.dealer };
        [specified, self.dealing().holds(&dealer, self.sealed.len())]
    }
}

/// An honest dealing, made by both sides, with what it was made of.
fn honest(number: u64) -> (Case, Vec<Scalar>, Vec<Vec<Scalar>>) {
    let mut draw = Draw::new(900 + number);
    let servers = 1 + draw.below(4);
    let (threshold, keys, dealer) = (1 + draw.below(servers), 2 + draw.below(2), 1 + draw.below(servers) as u16);
    let transport = draw.scalars(servers);
    let dealt = Dealt::draw(&mut draw, keys, threshold, servers);
    let polynomials: Vec<SecretPolynomial> =
        dealt.coefficients.iter().map(|of_key| SecretPolynomial::new(Secrets::new(of_key.clone()))).collect();
    let of_server = Dealer { ceremony: CEREMONY, number: dealer };
    let seed = aardvark_sigma::Seed::new(SEED);
    let keys_list = Known::new(transport.clone(), 1).list();
    let made = of_server.seal(&keys_list, &polynomials, &Secrets::new(dealt.randomness.clone()), &seed);
    let case = Case::of(CEREMONY, dealer, &dealt, &transport).proved(&dealt);
    assert_eq!(case.dealing(), made);
    (case, transport, dealt.coefficients)
}

#[test]
fn dealings_agree_point_by_point_and_in_their_verdicts() {
    for number in 0..10 {
        let (case, _, _) = honest(number);
        assert_eq!(case.verdicts(), [true; 2], "{number}");
        let mut draw = Draw::new(9_000 + number);
        let mut sealed = case.sealed.clone();
        sealed[0][1] += Scalar::from(1);
        // A coefficient that no logarithm has to be known of is bound by the challenge.
        let mut highest = case.committed.clone();
        *highest.exponents.last_mut().unwrap() += Scalar::from(1);
        let spoilt = [
            Case { dealer: case.dealer + 1, ..case.clone() },
            Case { committed: case.committed.spoilt(&mut draw), ..case.clone() },
            Case { committed: highest, ..case.clone() },
            Case { randomised: case.randomised.spoilt(&mut draw), ..case.clone() },
            Case { sealed, ..case.clone() },
            Case { first: case.first.spoilt(&mut draw), ..case.clone() },
            Case { responses: spoilt_scalars(&case.responses, &mut draw), ..case.clone() },
        ];
        for (kind, spoilt) in spoilt.iter().enumerate() {
            assert_eq!(spoilt.verdicts(), [false; 2], "{number}, {kind}");
        }
    }
}

#[test]
fn shares_and_complaints_agree() {
    for number in 0..8 {
        let (case, transport, coefficients) = honest(number);
        let dealer = Dealer { ceremony: CEREMONY, number: case.dealer };
        let seed = aardvark_sigma::Seed::new(SEED);
        for (place, nu) in transport.iter().enumerate() {
            let server = place + 1;
            let (n, r) = (one(*nu), one(case.randomised.exponents[place]));
            let s = one(*nu * case.randomised.exponents[place]);
            let ceremony = bytes_to_spec(&CEREMONY);
            let masks = share_mask_seed(&ceremony, usize::from(case.dealer), server, &short(&r), &short(&s));
            let shares = share_unseal(&masks, &scalars_to_spec(&case.sealed[place]));
            assert!(dealt_shares_hold(&case.rows(), server, &shares));
            let expected: Vec<_> =
                coefficients.iter().map(|of_key| share_of(&scalars_to_spec(of_key), server)).collect();
            assert_eq!(shares.native_slice(), expected);
            let secret = Secrets::new(vec![*nu]);
            let received = case.dealing().receive(&dealer, server as u16, &secret, &seed).unwrap().unwrap();
            assert_eq!(scalars_from_spec(&shares), *received);

            // A false share, and the complaint about it.
            let mut lie = case.clone();
            lie.sealed[place][0] += Scalar::from(1);
            let complaint = lie.dealing().receive(&dealer, server as u16, &secret, &seed).unwrap().unwrap_err();
            assert_eq!(complaint.shared, s.list());
            let judge = |case: &Case, complaint: &Complaint, shared: &Known, first: &Known| {
                let points = [&n, &r, shared].map(short);
                let start =
                    verdict_seed(&ceremony, server, usize::from(case.dealer), &points[0], &points[1], &points[2]);
                let proof = proof_to_spec(first, &complaint.proof.responses);
                let c = knowledge_challenge(&start, &short(first));
                let shown = verify_equality(element(&r), element(&n), element(shared), &proof, c);
                let masks = share_mask_seed(&ceremony, usize::from(case.dealer), server, &points[1], &points[2]);
                let sealed = scalars_to_spec(&case.sealed[place]);
                let specified = complaint_convicts(shown, &case.rows(), server, &sealed, &masks);
                let transport = n.list().at(0, 0);
                [specified, case.dealing().is_convicted(&dealer, server as u16, &transport, complaint)]
            };
            let points = [&n, &r, &s].map(short);
            let start = verdict_seed(&ceremony, server, usize::from(case.dealer), &points[0], &points[1], &points[2]);
            let nonce = secrets("knowledge", &hash("AARDVARK-V1-MIXNET-KNOWLEDGE-NONCES", &[&start]), 1);
            let nonce = scalars_from_spec(&nonce)[0];
            let first = Known::new(vec![nonce, nonce * r.exponents[0]], 1);
            assert_eq!(complaint.proof.first, first.list());
            assert_eq!(judge(&lie, &complaint, &s, &first), [true; 2]);
            // About an honest dealer; with a response changed; with another S.
            assert_eq!(judge(&case, &complaint, &s, &first), [false; 2]);
            let mut wrong = complaint.clone();
            wrong.proof.responses[0] += Scalar::from(1);
            assert_eq!(judge(&lie, &wrong, &s, &first), [false; 2]);
            let other = one(s.exponents[0] + Scalar::from(1));
            let wrong = Complaint { shared: other.list(), ..complaint.clone() };
            assert_eq!(judge(&lie, &wrong, &other, &first), [false; 2]);
        }
    }
}

#[test]
fn proofs_of_keys_agree() {
    let mut draw = Draw::new(77_000);
    let secret = draw.scalar();
    let (point, author) = (one(secret), bytes_to_spec(&[8; 32]));
    let start = key_proof_seed(&tag_mixnet_transport(), &author, &short(&point));
    let native: Vec<u8> = start.native_slice().to_vec();
    let digest: [u8; 32] = native.try_into().unwrap();
    let proof = prove_knowledge(&digest, &Secrets::new(vec![secret]), &aardvark_sigma::Seed::new(SEED));
    let nonce = scalars_from_spec(&secrets("knowledge", &hash("AARDVARK-V1-MIXNET-KNOWLEDGE-NONCES", &[&start]), 1))[0];
    let first = one(nonce);
    assert_eq!(proof.first, first.list());
    for shift in 0..2 {
        let responses = vec![proof.responses[0] + Scalar::from(shift)];
        let made = KnowledgeProof { first: first.list(), responses: responses.clone() };
        let image = point.list();
        let held = claims_hold(&[&KnowledgeClaim::new(&digest, &image, &made).unwrap()]);
        let known = transport_known(&author, &posted(secret), &proof_to_spec(&first, &responses), &short(&first));
        assert_eq!([held, known], [shift == 0; 2]);
    }
}
