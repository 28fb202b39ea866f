//! Whole generations of keys: hostile dealings and verdicts as posts on a board, whose view says
//! who remains; and what the specification and the oracle say of the same posts, by their points'
//! logarithms.

use aardvark_algebra::Scalar;
use aardvark_algebra::ff::Field;
use aardvark_mixnet::dealt::{decode_dealing, encode_dealing, encode_verdict};
use aardvark_mixnet::{Kind, Stage, View};
use aardvark_sigma::dealing::Complaint;
use aardvark_sigma::knowledge::KnowledgeProof;
use aardvark_sigma::{List, Secrets};
use aardvark_spec::mixnet::dealing::dealt_shares_hold;
use aardvark_spec::mixnet::key_generation::{
    GeneratedKeys, generated_key, generated_public_share, key_shares_hold, qualified_dealings, summed_shares,
};
use aardvark_spec::mixnet::key_posts::{
    KeyComplaint, KeyDealing, KeyTerms, KeyVerdict, dealing_holds, opened_shares, server_complaint, valid_dealings,
    verdict_holds,
};
use differential_tests::convert::{bytes_to_spec, scalar_to_spec};
use differential_tests::oracle::mixnet::keys_of;
use hacspec_lib::Seq;

use crate::dealing::{Case, Dealt, one, posted, posted_all, short};
use crate::lists::{Draw, Known, points, scalars_from_spec, scalars_to_spec};
use crate::view_board::{Board, person, terms};

/// A ceremony's servers, who post what the specification computes.
struct Scene {
    board: Board,
    draw: Draw,
    terms: KeyTerms,
    digest: [u8; 32],
    transport: Vec<Scalar>,
    dealings: Vec<KeyDealing>,
    cases: Vec<Case>,
}

/// A complaint with its S, and what its T is made with.
#[derive(Clone)]
struct Made {
    complaint: KeyComplaint,
    shared: Scalar,
    first: Known,
}

impl Scene {
    fn new(number: u64) -> Self {
        let mut draw = Draw::new(3_000 + number);
        let servers = 2 + draw.below(2);
        let threshold = 1 + draw.below(servers);
        let board = Board::new(&terms(servers, threshold as u8, 2));
        let view = board.view();
        let secret = |server: u16| person(server.into()).transport_secret()[0];
        let transport: Vec<Scalar> = view.ceremony.server_numbers().map(secret).collect();
        assert_eq!(view.ceremony.transport_keys().points(), points(&transport));
        let terms = KeyTerms {
            keys_ceremony: bytes_to_spec(&view.digest),
            keys_threshold: threshold,
            keys_count: view.ceremony.keys(),
            keys_transports: posted_all(&transport),
        };
        Self { draw, terms, digest: view.digest, transport, dealings: Vec::new(), cases: Vec::new(), board }
    }

    fn servers(&self) -> usize {
        self.transport.len()
    }

    /// The dealing of a server, honest or with one of many lies.
    fn dealing(&mut self, dealer: u16, lie: usize) -> Case {
        let (keys, threshold) = (self.terms.keys_count, self.terms.keys_threshold);
        let servers = self.servers();
        let dealt = Dealt::draw(&mut self.draw, keys, threshold, servers);
        let mut case = Case::of(self.digest, dealer, &dealt, &self.transport);
        let (victim, place) = (self.draw.below(servers), self.draw.below(keys));
        match (lie, self.cases.first()) {
            // A false share, or two.
            (0, _) => case.sealed[victim][place] += Scalar::ONE,
            (1, _) => case.sealed.iter_mut().for_each(|shares| shares[0] += Scalar::ONE),
            // Commitments to another polynomial with the same value at 0.
            (2, _) if threshold > 1 => *case.committed.exponents.last_mut().unwrap() += Scalar::ONE,
            // Another's R and masked shares, whose logarithms the liar does not know.
            (3, Some(other)) => (case.randomised, case.sealed) = (other.randomised.clone(), other.sealed.clone()),
            // The same under the randomness of a ceremony before: the masks are of another place.
            (4, Some(other)) => case.sealed.clone_from(&other.sealed),
            _ => {}
        }
        let mut case = case.proved(&dealt);
        match (lie, self.cases.first()) {
            (5, _) => case.responses[victim] += Scalar::ONE,
            // Another's whole post.
            (6, Some(other)) => case = Case { dealer, ..other.clone() },
            // The dealer's own, made for another ceremony.
            (7, _) => {
                let elsewhere = Case::of([8; 32], dealer, &dealt, &self.transport).proved(&dealt);
                case = Case { ceremony: self.digest, ..elsewhere };
            }
            _ => {}
        }
        case
    }

    fn post(&mut self, kind: Kind, server: u16, body: Vec<u8>) {
        let key = self.board.key(kind, None, server);
        self.board.post(&person(server.into()), key, body);
    }

    fn deal(&mut self) {
        for dealer in 1..=self.servers() as u16 {
            // Half of them are honest.
            let lie = self.draw.below(16);
            let case = self.dealing(dealer, lie);
            self.post(Kind::Dealing, dealer, encode_dealing(&case.dealing()));
            self.dealings.push(case.posted());
            self.cases.push(case);
        }
    }

    fn case(&self, dealer: usize) -> &Case {
        &self.cases[dealer - 1]
    }

    /// The logarithm of ν R.
    fn shared(&self, dealer: usize, server: u16) -> Scalar {
        let place = usize::from(server) - 1;
        self.transport[place] * self.case(dealer).randomised.exponents[place]
    }

    fn received(&self, dealing: &KeyDealing, server: u16) -> Seq<aardvark_spec::base::scalar::Scalar> {
        let shared = short(&one(self.shared(dealing.deal_author, server)));
        opened_shares(&self.terms, dealing, usize::from(server), &shared)
    }

    /// A server's complaint about a dealing, whether its shares are false or not.
    fn complaint(&mut self, dealing: &KeyDealing, server: u16) -> Made {
        let (dealer, place) = (dealing.deal_author, usize::from(server) - 1);
        let (shared, random) = (self.shared(dealer, server), self.draw.scalar());
        let first = Known::new(vec![random, random * self.case(dealer).randomised.exponents[place]], 1);
        let secret = scalar_to_spec(&self.transport[place]);
        let (bytes, random) = (short(&one(shared)), scalar_to_spec(&random));
        let complaint =
            server_complaint(&self.terms, dealing, usize::from(server), secret, &bytes, random, &short(&first));
        assert_eq!(Known::of_elements(&complaint.complaint_proof.linear_first).exponents, first.exponents);
        Made { complaint, shared, first }
    }

    /// The verdict of a server: the complaints that it owes, or with one of many lies.
    fn verdict(&mut self, valid: &[KeyDealing], server: u16, lie: usize) -> Vec<Made> {
        let mut made = Vec::new();
        for dealing in valid {
            let received = self.received(dealing, server);
            if !dealt_shares_hold(&dealing.deal_committed, usize::from(server), &received) {
                made.push(self.complaint(dealing, server));
            }
        }
        let all = self.dealings.clone();
        let any = &all[self.draw.below(all.len())];
        match lie {
            0 => made.clear(),
            // About a dealing that may be honest, or that is out.
            1 => made = vec![self.complaint(any, server)],
            // Another S, which nothing shows, or with its bytes alone.
            2 => {
                let mut other = self.complaint(any, server);
                other.shared += Scalar::ONE;
                other.complaint.complaint_shared = posted(other.shared);
                made = vec![other];
            }
            // Another's S, proved for another's key.
            3 => {
                let other = self.complaint(any, server % self.servers() as u16 + 1);
                made = vec![other];
            }
            4 => {
                let mut other = self.complaint(any, server);
                let first = &mut other.complaint.complaint_proof.linear_responses;
                *first = scalars_to_spec(&[scalars_from_spec(first)[0] + Scalar::ONE]);
                made = vec![other];
            }
            // About nobody.
            5 => {
                let mut other = self.complaint(any, server);
                other.complaint.complaint_dealer = 9;
                made.push(other);
            }
            // Twice about one, or out of their order.
            6 => made.extend(made.clone()),
            7 => made.reverse(),
            _ => {}
        }
        made
    }

    /// The view and the specification of all posts say the same.
    fn compare(&self, view: &View, verdicts: &Seq<KeyVerdict>) {
        let dealings = Seq::from_vec(self.dealings.clone());
        let found = keys_of(&self.terms, &dealings, verdicts).unwrap();
        let faulty = |kind: Kind, server: u16| {
            let key = view.server_key(kind, None, server).to_bytes();
            view.faults.iter().any(|fault| fault.key == key)
        };
        for (number, held) in (1..).zip(&found.held) {
            assert_eq!(faulty(Kind::Verdict, number), !held, "verdict {number}");
        }
        for number in 1..=self.servers() as u16 {
            let valid = found.valid.native_slice().contains(&usize::from(number));
            assert!(valid || faulty(Kind::Dealing, number), "dealing {number}");
        }
        let qualified = qualified_dealings(&self.terms, &dealings, verdicts);
        let remaining: Vec<usize> = view.dealings.keys().map(|dealer| usize::from(*dealer)).collect();
        let authors: Vec<usize> = qualified.native_slice().iter().map(|dealing| dealing.deal_author).collect();
        assert_eq!(remaining, authors);
        match (&found.keys, &view.keys) {
            (None, None) => assert_eq!(view.stage, Stage::Void),
            (Some(keys), Some(_)) => self.compare_keys(view, keys, qualified.native_slice()),
            (specified, _) => panic!("{:?}, {specified:?}", view.stage),
        }
    }

    fn compare_keys(&self, view: &View, keys: &GeneratedKeys, qualified: &[KeyDealing]) {
        let public = view.keys.as_ref().unwrap();
        assert_eq!(view.stage, Stage::Open);
        assert_eq!(bytes_to_spec(&public.digest).native_slice(), keys.generated_digest.native_slice());
        let all = 0..self.terms.keys_count;
        let list =
            |exponents: Vec<aardvark_spec::base::group::G1>| Known::of_elements(&Seq::from_vec(exponents)).list();
        assert_eq!(list(all.clone().map(|l| generated_key(keys, l)).collect()).points(), public.keys);
        for server in 1..=self.servers() as u16 {
            let halves = all.clone().map(|l| generated_public_share(keys, usize::from(server), l)).collect();
            assert_eq!(list(halves).points(), public.shares[usize::from(server) - 1]);
            let received = qualified.iter().map(|dealing| self.received(dealing, server)).collect();
            let shares = summed_shares(&self.terms, &Seq::from_vec(received));
            let hold = key_shares_hold(keys, usize::from(server), &shares);
            match view.key_shares(server, &person(server.into())) {
                Ok(sums) => {
                    assert_eq!((true, Secrets::new(scalars_from_spec(&shares)).to_vec()), (hold, sums.to_vec()))
                }
                Err(_) => assert!(!hold),
            }
        }
    }
}

/// The complaint's bytes on the curve.
fn on_curve(made: &Made) -> Complaint {
    let responses = scalars_from_spec(&made.complaint.complaint_proof.linear_responses);
    Complaint {
        dealer: made.complaint.complaint_dealer as u16,
        shared: List::computed(points(&[made.shared]), 1),
        proof: KnowledgeProof { first: made.first.list(), responses },
    }
}

#[test]
fn hostile_dealings_and_verdicts_come_to_the_same_keys() {
    let (mut void, mut convicted, mut unfounded) = (0, 0, 0);
    for number in 0..12 {
        let mut scene = Scene::new(number);
        scene.deal();
        let dealt = scene.board.view();
        let valid = valid_dealings(&scene.terms, &Seq::from_vec(scene.dealings.clone()));
        let dealers: Vec<usize> = dealt.dealings.keys().map(|dealer| usize::from(*dealer)).collect();
        let authors: Vec<usize> = valid.native_slice().iter().map(|dealing| dealing.deal_author).collect();
        assert_eq!((dealt.stage, dealers), (Stage::Verdicts, authors));
        let mut verdicts = Vec::new();
        for server in 1..=scene.servers() as u16 {
            // Half of them are honest.
            let lie = scene.draw.below(16);
            let made = scene.verdict(valid.native_slice(), server, lie);
            let body = encode_verdict(&made.iter().map(on_curve).collect::<Vec<_>>());
            scene.post(Kind::Verdict, server, body);
            let complaints = made.into_iter().map(|made| made.complaint).collect();
            let verdict =
                KeyVerdict { verdict_author: usize::from(server), verdict_complaints: Seq::from_vec(complaints) };
            unfounded += usize::from(!verdict_holds(&scene.terms, &valid, &verdict));
            verdicts.push(verdict);
        }
        let view = scene.board.view();
        scene.compare(&view, &Seq::from_vec(verdicts));
        void += usize::from(view.stage == Stage::Void);
        convicted += valid.len() - view.dealings.len();
    }
    // The lies met every end.
    assert!(void > 0 && convicted > 0 && unfounded > 0, "{void}, {convicted}, {unfounded}");
}

#[test]
fn dealings_of_other_lengths_are_refused() {
    let mut scene = Scene::new(900);
    let case = scene.dealing(1, 15);
    let ceremony = scene.board.view().ceremony;
    let verdicts = |case: &Case| {
        let body = encode_dealing(&case.dealing());
        [dealing_holds(&scene.terms, &case.posted()), decode_dealing(&body, &ceremony).is_ok()]
    };
    assert_eq!(verdicts(&case), [true; 2]);
    let keys = scene.terms.keys_count;
    let (mut short_row, mut long_row, mut fewer, mut more) = (case.clone(), case.clone(), case.clone(), case.clone());
    short_row.sealed[0].pop();
    long_row.sealed[1].push(Scalar::ONE);
    fewer.sealed.pop();
    fewer.randomised.exponents.pop();
    more.committed.exponents.extend(case.committed.exponents[..case.committed.width].to_vec());
    let mut none = case.clone();
    none.committed.exponents.truncate((keys - 1) * case.committed.width);
    for (kind, spoilt) in [short_row, long_row, fewer, more, none].iter().enumerate() {
        assert_eq!(verdicts(spoilt), [false; 2], "{kind}");
    }
}
