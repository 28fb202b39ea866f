//! Random histories of a ceremony: honest posts, false ones of every kind, and such as nobody asked
//! for. Of each body the history notes what is wrong with it.

use std::collections::BTreeMap;

use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::{G1Affine, Scalar, encode_g1, hash_to_scalar, scalar_to_bytes};
use aardvark_mixnet::dealt::encode_dealing;
use aardvark_mixnet::post::{Draft, Receipt, receipt};
use aardvark_mixnet::{Duty, Kind, PostKey, Reveal, Stage, TraceDirection, View};
use aardvark_sigma::chunks::{numbers, points};
use aardvark_sigma::knowledge::{multiple, prove_knowledge};
use aardvark_sigma::sharing::SecretPolynomial;
use aardvark_sigma::{List, Secrets};
use aardvark_spec::mixnet::counted_post::PostFlaw;

use crate::lists::Draw;
use crate::view_board::{Board, person, question, terms};
use crate::views::Mark;

/// Queries that a history asks at most.
const MOST_ASKED: u16 = 3;
/// Who has no part in the ceremony.
const STRANGER: usize = 40;

/// A ceremony that goes on step by step.
pub struct History {
    pub board: Board,
    /// What is known of bodies, by the keys of their posts.
    pub marks: BTreeMap<Vec<u8>, Mark>,
    draw: Draw,
    /// Dealers who deal one server a false share, with that server.
    lies: Vec<(u16, u16)>,
    left: usize,
    asked: u16,
}

/// A body with a wrong last bit.
fn spoilt(mut body: Vec<u8>) -> Vec<u8> {
    *body.last_mut().unwrap() ^= 1;
    body
}

/// A complaint about a dealer that opens nothing.
pub fn unfounded(dealer: u16) -> Vec<u8> {
    let point = encode_g1(&G1Affine::generator());
    let proof = [&point[..], &point, &point, &scalar_to_bytes(&Scalar::from(1))].concat();
    [&[0, 1][..], &dealer.to_be_bytes(), &proof].concat()
}

/// The flaw of a body whose last proof is false.
fn flaw_of_proof(kind: Kind) -> PostFlaw {
    match kind {
        Kind::Dealing => PostFlaw::FlawDealingFalse,
        Kind::Verdict => PostFlaw::FlawComplaintUnfounded,
        Kind::Layer | Kind::Column => PostFlaw::FlawColumnProofFalse,
        Kind::ZeroTest => PostFlaw::FlawZeroTestFalse,
        Kind::Agreement => PostFlaw::FlawMixDiffers,
        _ => PostFlaw::FlawDecryptionProofFalse,
    }
}

impl Mark {
    pub fn flawed(flaw: PostFlaw) -> Self {
        Self { flaw: Some(flaw), ..Self::default() }
    }
}

impl History {
    pub fn new(start: u64) -> Self {
        let mut draw = Draw::new(start);
        let servers = 2 + draw.below(2);
        let threshold = 1 + draw.below(servers - 1) as u8;
        Self::of(Board::new(&terms(servers, threshold, 2)), draw)
    }

    /// One that goes on from a board whose posts are honest.
    pub fn of(board: Board, draw: Draw) -> Self {
        Self { board, marks: BTreeMap::new(), draw, lies: Vec::new(), left: 70, asked: 0 }
    }

    /// One post more, or none; whether the history goes on.
    pub fn step(&mut self, view: &View) -> bool {
        if self.left == 0 || view.stage == Stage::Void {
            return false;
        }
        self.left -= 1;
        if self.draw.below(8) == 0 {
            self.disturb(view);
            return true;
        }
        match view.stage {
            Stage::Open => self.send_or_close(view),
            Stage::Done if self.asked < MOST_ASKED && self.draw.below(4) == 0 => self.ask(view),
            _ => return self.serve(view) || view.stage == Stage::Done && self.asked < MOST_ASKED,
        }
        true
    }

    /// Posts with receipts of all servers, as a board would: not where a gate is closed.
    pub fn put(&mut self, author: usize, key: PostKey, body: Vec<u8>, mark: Mark) -> PostKey {
        let draft = Draft::new(&self.board.name.dictionary, key, body, &person(author));
        if draft.key.gates().iter().all(|gate| !self.board.posts.contains_key(&gate.to_bytes())) {
            let receipts = self.receipts(&draft);
            self.board.posts.insert(draft.key.to_bytes(), draft.posted(receipts));
            self.marks.insert(draft.key.to_bytes(), mark);
        }
        draft.key
    }

    fn receipts(&self, draft: &Draft) -> Vec<Receipt> {
        (1..).zip(&self.board.servers).map(|(number, server)| receipt(&draft.digest, number, server)).collect()
    }

    /// Does one of the servers' duties, in some way; whether there was one.
    fn serve(&mut self, view: &View) -> bool {
        let servers = view.ceremony.server_numbers();
        let due: Vec<(u16, Duty)> =
            servers.flat_map(|server| view.duties(server).into_iter().map(move |duty| (server, duty))).collect();
        if due.is_empty() {
            return false;
        }
        let (server, duty) = due[self.draw.below(due.len())];
        let key = view.duty_key(duty, server);
        // Few queries need zero tests.
        let ways = if duty.kind() == Kind::ZeroTest { 4 } else { 16 };
        match self.draw.below(ways) {
            0 => self.lie(view, server, duty),
            1 if key.kind.may_be_absent() => {
                let sequence = (key.kind as u16) << 8 | server;
                self.put(20, self.board.key(Kind::Absent, None, sequence), Vec::new(), Mark::default());
            }
            2 => {
                let (body, mark) = self.honest(view, server, duty);
                let key = self.put(server.into(), key, body, mark);
                self.spoil_value(&key);
            }
            _ => {
                let (body, mark) = self.honest(view, server, duty);
                self.put(server.into(), key, body, mark);
            }
        }
        true
    }

    /// What an honest server posts: it accuses who dealt it a false share.
    fn honest(&self, view: &View, server: u16, duty: Duty) -> (Vec<u8>, Mark) {
        let body = view.perform(duty, server, &person(server.into())).unwrap();
        let mut mark = Mark::default();
        if duty == Duty::Verdict {
            let liars =
                self.lies.iter().filter(|(dealer, victim)| *victim == server && view.dealings.contains_key(dealer));
            mark.accused = liars.map(|(dealer, _)| usize::from(*dealer)).collect();
            mark.accused.sort_unstable();
        }
        (body, mark)
    }

    /// A signature that is false, no value at all, receipts that are missing, or a body.
    fn spoil_value(&mut self, key: &PostKey) {
        let choice = self.draw.below(4);
        let Some(posted) = self.board.posts.get_mut(&key.to_bytes()) else { return };
        match (choice, &posted.body) {
            (1, Some(_)) => posted.body = None,
            (2, Some(_)) => {
                // Length and digest, no receipts, the signature.
                let length = posted.value.len();
                let signature = posted.value.split_off(length - 64);
                posted.value.truncate(1 + 8 + 32);
                posted.value.push(0);
                posted.value.extend(signature);
            }
            (3, _) => posted.value[0] = 9,
            _ => *posted.value.last_mut().unwrap() ^= 1,
        }
    }

    /// A false body for a duty.
    fn lie(&mut self, view: &View, server: u16, duty: Duty) {
        let (key, author) = (view.duty_key(duty, server), usize::from(server));
        let choice = self.draw.below(3);
        if choice == 0 && duty.kind() != Kind::Agreement {
            self.put(author, key, vec![0; 3], Mark::flawed(PostFlaw::FlawWrongLength));
            return;
        }
        let (body, flaw) = match duty {
            Duty::Dealing if choice == 1 => {
                let victim = if server == 1 { 2 } else { 1 };
                self.lies.push((server, victim));
                self.put(author, key, false_dealing(view, server, victim), Mark::default());
                return;
            }
            // Nobody has dealt as server 9, so whatever a complaint opens it is unfounded.
            Duty::Verdict if choice == 1 => {
                let mark = Mark { accused: vec![9], ..Mark::default() };
                self.put(author, key, unfounded(9), mark);
                return;
            }
            Duty::Verdict => (unfounded(1), flaw_of_proof(duty.kind())),
            _ => (spoilt(self.honest(view, server, duty).0), flaw_of_proof(duty.kind())),
        };
        self.put(author, key, body, Mark::flawed(flaw));
    }

    fn send_or_close(&mut self, view: &View) {
        let (sender, value) = (100 + self.draw.below(6), vec![0, self.draw.below(3) as u8]);
        let key = self.board.key(Kind::Input, None, 0);
        let close = self.board.key(Kind::Close, None, 0);
        let sent = self.board.posts.iter().find(|(key, _)| {
            let key = PostKey::from_bytes(key).unwrap();
            key.kind == Kind::Input && self.marks.get(&key.to_bytes()).is_some_and(|mark| mark.flaw.is_none())
        });
        let sent = sent.map(|(key, posted)| (key.clone(), posted.value[1..posted.value.len() - 64].to_vec()));
        match self.draw.below(10) {
            0 | 1 if view.posted_inputs > 0 => {
                let body = if self.draw.below(12) == 0 { vec![1] } else { Vec::new() };
                let mark = if body.is_empty() { Mark::default() } else { Mark::flawed(PostFlaw::FlawWrongLength) };
                self.put(20, close, body, mark);
            }
            2 => {
                let own = PostKey { author: person(sender).author(), ..key }.to_bytes();
                if let Some((_, body)) = sent.filter(|(key, _)| *key != own) {
                    self.put(sender, key, body, Mark::flawed(PostFlaw::FlawInputProofFalse));
                }
            }
            3 | 4 => {
                let body = input(view, sender, &value, (5, 9));
                self.put(sender, key, body, Mark::default());
            }
            _ => {
                let randomness = (self.draw.below(200) as u64 + 100 * sender as u64, 11);
                let body = input(view, sender, &value, randomness);
                self.put(sender, key, body, Mark::default());
            }
        }
    }

    fn ask(&mut self, view: &View) {
        let rows = view.values.len();
        let querier = [30, 31, 30, STRANGER][self.draw.below(4)];
        let chosen = |draw: &mut Draw| (0..rows).map(|row| row == 0 || draw.below(2) == 0).collect::<Vec<bool>>();
        let (inputs, outputs) = (chosen(&mut self.draw), chosen(&mut self.draw));
        let equal = |j: usize| view.values.iter().filter(|value| **value == view.values[j]).count() > 1;
        let repeated = (0..rows).any(|j| outputs[j] && equal(j));
        let (direction, reveal) = match self.draw.below(4) {
            0 => (TraceDirection::In, Reveal::Each),
            1 => (TraceDirection::In, Reveal::Count),
            2 => (TraceDirection::Out, Reveal::Count),
            _ => (TraceDirection::Out, Reveal::Any),
        };
        let mut number = self.asked;
        let mut mix = view.mix().unwrap().digest;
        let mut mark = Mark { tested: reveal == Reveal::Any && repeated, ..Mark::default() };
        match self.draw.below(8) {
            0 => (number, mark.flaw) = (100 + number, Some(PostFlaw::FlawQueryForbidden)),
            1 => (mix, mark.flaw) = ([7; 32], Some(PostFlaw::FlawQueryOutOfRange)),
            _ => {}
        }
        let query = question(direction, reveal, &inputs, &outputs, number);
        let query = aardvark_mixnet::Query { querier: person(querier).author(), ..query };
        let key = self.board.key(Kind::Query, None, number);
        self.put(querier, key, query.encode(&mix), mark);
        self.asked += 1;
    }

    /// A post that no duty asks for.
    fn disturb(&mut self, view: &View) {
        let server = 1 + self.draw.below(self.board.servers.len());
        let short = || Mark::flawed(PostFlaw::FlawWrongLength);
        let id = match view.asked.first() {
            Some(asked) if self.draw.below(2) == 0 => asked.id,
            _ => [self.draw.below(200) as u8; 32],
        };
        let (author, key) = match self.draw.below(8) {
            0 => (server, self.board.key(Kind::Column, Some(id), server as u16)),
            1 => (30 + self.draw.below(2), self.board.key(Kind::Opening, Some(id), 0)),
            2 => (STRANGER, self.board.key(Kind::Opening, Some(id), 0)),
            3 => (server, self.board.key(Kind::AnswerShares, Some(id), 9)),
            4 => (STRANGER, self.board.key(Kind::Input, None, 0)),
            5 => (server, self.board.key(Kind::Layer, None, 1 + server as u16)),
            // Before its time.
            6 if self.draw.below(3) == 0 => (server, self.board.key(Kind::Shares, None, server as u16)),
            _ => (20, self.board.key(Kind::Admission, None, 0)),
        };
        self.put(author, key, vec![1; 8], short());
    }
}

/// A dealing with its proof, in which one server's share of the first key is false.
fn false_dealing(view: &View, server: u16, victim: u16) -> Vec<u8> {
    let (terms, dealer) = (&view.ceremony, view.dealer(server));
    let mut next = (1_000..).map(Scalar::from);
    let polynomials: Vec<SecretPolynomial> =
        (0..terms.keys()).map(|_| SecretPolynomial::new(next.by_ref().take(terms.threshold()).collect())).collect();
    let randomness: Secrets = next.by_ref().take(terms.servers.len()).collect();
    let identity = person(7);
    let mut dealing = dealer.seal(&terms.transport_keys(), &polynomials, &randomness, identity.seed());
    dealing.sealed[usize::from(victim) - 1][0] += Scalar::from(1);
    let constants = polynomials.iter().map(|polynomial| polynomial.share(0));
    let witness: Secrets = constants.chain(randomness.iter().copied()).collect();
    dealing.proof = prove_knowledge(&dealing.seed(&dealer), &witness, identity.seed());
    encode_dealing(&dealing)
}

/// A sender's input with this randomness: of the row, and of its proof.
fn input(view: &View, sender: usize, value: &[u8], (rho, tau): (u64, u64)) -> Vec<u8> {
    let (keys, author) = (view.keys.as_ref().unwrap(), person(sender).author());
    let label = &view.ceremony.sender(&author).unwrap().label;
    let (rho, tau) = (Scalar::from(rho), Scalar::from(tau));
    let row = aardvark_sigma::column::KeyRow::new(keys.value_keys(), 1);
    let message = points(&numbers(value, 2).unwrap());
    let plain: Vec<G1Affine> = core::iter::once(G1Affine::identity()).chain(message).collect();
    let width = plain.len();
    let encrypted = row.reencrypt(&List::computed(plain, width), &core::iter::once(rho).collect::<Secrets>());
    let encoded: Vec<u8> = encrypted.iter().chain([&multiple(&tau)]).flat_map(encode_g1).collect();
    let length = (label.len() as u16).to_be_bytes();
    let message = [&keys.digest[..], &author, &length, label.as_bytes(), &encoded].concat();
    let response = tau + hash_to_scalar(&message, b"AARDVARK-V1-MIXNET-INPUT") * rho;
    [&encoded[..], &scalar_to_bytes(&response)].concat()
}
