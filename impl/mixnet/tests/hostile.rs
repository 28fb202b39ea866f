//! Hostile posts, thousands of them beside honest ones: whatever is posted, and by whomever, a view
//! comes of it, the same one for everybody. The hostile post is refused, nobody honest is blamed,
//! outputs and answers stay, and no more memory is used than the posts' bytes explain.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

mod board;

use std::collections::BTreeSet;

use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::{G1Affine, encode_g1, encode_g1_uncompressed};
use aardvark_mixnet::fault::FaultKind;
use aardvark_mixnet::input::Sender;
use aardvark_mixnet::post::{Draft, Posted, receipt};
use aardvark_mixnet::trace::Answer;
use aardvark_mixnet::view::AskedStage;
use aardvark_mixnet::{Duty, Identity, Kind, Memo, PostKey, Posts, Reveal, Stage, TraceDirection, View};
use board::{Board, DICTIONARY, person, question, terms};
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Registered senders who also ask.
const STRANGERS: core::ops::Range<usize> = 110..250;
/// Bytes of memory that a view may take for a byte of a hostile post, and beside that.
const BYTES_PER_BYTE: usize = 200;
const SLACK: usize = 2 << 20;

/// Numbers that look random and are the same each time.
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }

    fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.next() as u8).collect()
    }
}

/// A ceremony of four servers, any two of whom decrypt. Server 3 deals, complains and mixes
/// wrongly; server 4 mixes, and leaves its parts of some queries open.
struct Scene {
    board: Board,
    /// Bodies that an honest author would post.
    samples: Vec<(Kind, Vec<u8>)>,
    /// Queries that wait for server 4.
    open: Vec<([u8; 32], Kind, Vec<u8>)>,
    /// What hostile posts must not change.
    outputs: Vec<Option<Vec<u8>>>,
    answers: Vec<([u8; 32], Answer)>,
}

impl Scene {
    fn new() -> Self {
        let mut terms = terms(4, 2, 2);
        terms.rules.anyone = true;
        terms.registry.extend(STRANGERS.map(|number| Sender { key: person(number).author(), label: String::new() }));
        terms.registry.sort_by_key(|sender| sender.key);
        let mut board = Board::new(&terms);
        let mut samples = Vec::new();
        for (duty, kind) in [(Duty::Dealing, Kind::Dealing), (Duty::Verdict, Kind::Verdict), (Duty::Layer, Kind::Layer)]
        {
            let view = board.serve_without(&[3]);
            if duty == Duty::Layer {
                let keys: Vec<PostKey> = (100..)
                    .zip([[0, 1], [0, 2], [0, 2], [0, 3]])
                    .map(|(number, value)| board.send(&view, number, &value))
                    .collect();
                let posted = board.posts.get(&keys[0].to_bytes()).unwrap();
                samples.push((Kind::Input, posted.value[1..posted.value.len() - 64].to_vec()));
                board.close();
            }
            let view = board.serve_without(&[3]);
            samples.push((kind, view.perform(duty, 3, &person(3)).unwrap()));
            let key = board.key(kind, None, 3);
            board.post(&person(3), key, vec![7]);
        }
        // Server 3 agrees, so that the others decrypt.
        let view = board.serve_without(&[3]);
        let key = board.key(Kind::Agreement, None, 3);
        let agreement = view.perform(Duty::Agreement, 3, &person(3)).unwrap();
        board.post(&person(3), key, agreement);
        let view = board.serve_without(&[3]);
        assert_eq!(view.stage, Stage::Done);
        let shares = view.shares.get(&4).unwrap();
        samples.push((Kind::Shares, aardvark_mixnet::decryption::encode(shares)));

        // Two answered queries, and two that wait for server 4.
        let all = [true; 4];
        let ask = |board: &mut Board, direction, reveal, number| {
            board.ask(&view, 30, question(direction, reveal, &[true, true, false, false], &all, number))
        };
        let answered = [
            ask(&mut board, TraceDirection::In, Reveal::Each, 0),
            ask(&mut board, TraceDirection::Out, Reveal::Any, 1),
        ];
        let done = board.serve_without(&[3]);
        let answers = answered.map(|id| (id, done.query(&id).unwrap().answer.clone().unwrap())).to_vec();
        let column = ask(&mut board, TraceDirection::In, Reveal::Count, 2);
        let tested = ask(&mut board, TraceDirection::Out, Reveal::Any, 3);
        let mut open = Vec::new();
        let view = board.view();
        let body = view.perform(Duty::Column(column), 4, &person(4)).unwrap();
        open.push((column, Kind::Column, body));
        // The second one goes on until server 4's zero test.
        loop {
            let view = board.view();
            let asked = view.query(&tested).unwrap();
            let (duty, server) = match asked.stage {
                AskedStage::Column(server) => (Duty::Column(tested), server),
                AskedStage::ZeroTest(server) => (Duty::ZeroTest(tested), server),
                _ => break,
            };
            let body = view.perform(duty, server, &person(server.into())).unwrap();
            if duty == Duty::ZeroTest(tested) && server == 4 {
                open.push((tested, Kind::ZeroTest, body));
                break;
            }
            board.post(&person(server.into()), view.duty_key(duty, server), body);
        }
        let answer = done.query(&answered[1]).unwrap().shares.get(&4).unwrap();
        open.push((answered[1], Kind::AnswerShares, aardvark_mixnet::decryption::encode(answer)));
        let shares_of_four = board.key(Kind::AnswerShares, Some(answered[1]), 4);
        let key = PostKey { author: person(4).author(), ..shares_of_four };
        board.posts.remove(&key.to_bytes());
        samples.extend(open.iter().map(|(_, kind, body)| (*kind, body.clone())));
        let mix = view.mix().unwrap().digest;
        samples.push((Kind::Query, question(TraceDirection::Out, Reveal::Any, &all, &all, 0).encode(&mix)));
        let outputs = board.view().values;
        Self { board, samples, open, outputs, answers }
    }

    fn sample(&self, kind: Kind) -> &[u8] {
        &self.samples.iter().find(|(of, _)| *of == kind).unwrap().1
    }

    /// A body that differs from an honest one.
    fn damaged(&self, draw: &mut Draw, honest: &[u8]) -> Vec<u8> {
        loop {
            let mut body = honest.to_vec();
            for _ in 0..=draw.below(3) {
                self.damage(draw, &mut body);
            }
            if body != honest {
                return body;
            }
        }
    }

    fn damage(&self, draw: &mut Draw, body: &mut Vec<u8>) {
        if body.is_empty() {
            *body = draw.bytes(100);
            return;
        }
        let place = draw.below(body.len());
        let write = |body: &mut Vec<u8>, place: usize, bytes: &[u8]| {
            let end = body.len().min(place + bytes.len());
            body[place..end].copy_from_slice(&bytes[..end - place]);
        };
        // Where a point of 96 or 48 bytes may begin.
        let (aligned, short) = (place / 96 * 96, place / 48 * 48);
        let generator = G1Affine::generator();
        match draw.below(17) {
            0 => body[place] ^= 1 << draw.below(8),
            1 => body[place] = draw.next() as u8,
            2 => body.truncate(place),
            3 => body.extend(draw.bytes(1 + place % 200)),
            4 => *body = draw.bytes(place % 400),
            5 => *body = self.samples[draw.below(self.samples.len())].1.clone(),
            6 => write(body, aligned, &encode_g1_uncompressed(&generator)),
            7 => write(body, short, &encode_g1(&generator)),
            // Points of order 3, infinity, the greatest bytes, zeros.
            8 => write(body, aligned, &[&[0; 95][..], &[2]].concat()),
            9 => write(body, short, &[&[0xc0][..], &[0; 47]].concat()),
            10 => write(body, aligned, &[&[0x40][..], &[0; 95]].concat()),
            11 => write(body, aligned, &[0xff; 32]),
            12 => write(body, aligned, &[0; 96]),
            // The last scalar: everything still has its form.
            13..=15 => *body.last_mut().unwrap() ^= 1 << draw.below(8),
            _ => {
                let (other, length) = (draw.below(body.len()), 1 + draw.below(96));
                let copied: Vec<u8> = body.iter().skip(other).take(length).copied().collect();
                write(body, place, &copied);
            }
        }
    }

    /// A signed post with receipts of all servers.
    fn posted(&self, author: &Identity, key: PostKey, body: Vec<u8>) -> (Vec<u8>, Posted) {
        let draft = Draft::new(&DICTIONARY, key, body, author);
        let receipts = (1..).zip(&self.board.servers).map(|(number, server)| receipt(&draft.digest, number, server));
        (draft.key.to_bytes(), draft.posted(receipts.collect()))
    }

    /// A set of hostile posts, each with whether it must be faulty.
    fn hostile(&self, draw: &mut Draw) -> Vec<(Vec<u8>, Posted, bool)> {
        let mut all = Vec::new();
        for number in STRANGERS {
            let author = person(number);
            match draw.below(8) {
                0..=2 => {
                    let body = self.damaged(draw, self.sample(Kind::Input));
                    all.push((self.posted(&author, self.board.key(Kind::Input, None, 0), body), true));
                }
                3 | 4 => {
                    // A changed bitmap can be another legal question.
                    let body = self.damaged(draw, self.sample(Kind::Query));
                    let sequence = draw.below(3) as u16;
                    all.push((self.posted(&author, self.board.key(Kind::Query, None, sequence), body), false));
                }
                5 => {
                    // Somebody who is no server. An admission has the organiser's key, whoever is
                    // admitted.
                    let kinds: Vec<Kind> = Kind::ALL.into_iter().filter(|kind| *kind != Kind::Admission).collect();
                    let kind = kinds[draw.below(kinds.len())];
                    let body = self.damaged(draw, self.sample(Kind::Layer));
                    let query = kind.is_of_query().then(|| self.answers[0].0);
                    let sequence = if kind == Kind::Absent { 0x0501 } else { draw.below(5) as u16 };
                    let key = self.board.key(kind, query, sequence);
                    // The organiser alone has terms, so others' are not looked at.
                    let judged = kind != Kind::Ceremony && kind != Kind::Opening;
                    all.push((self.posted(&author, key, body), judged));
                }
                6 => {
                    // A value that is damaged after it was signed.
                    let (key, mut posted) =
                        self.posted(&author, self.board.key(Kind::Input, None, 0), self.sample(Kind::Input).to_vec());
                    posted.value = self.damaged(draw, &posted.value);
                    all.push(((key, posted), true));
                }
                _ => {
                    // A key that is none, or another's.
                    let key =
                        PostKey { author: author.author(), ..self.board.key(Kind::Input, None, 1 + number as u16) };
                    let mut bytes = key.to_bytes();
                    let prefix = self.board.name.prefix().len();
                    let place = prefix + draw.below(bytes.len() - prefix);
                    bytes[place] ^= 1 << draw.below(8);
                    bytes.extend(draw.bytes(draw.0 as usize % 3));
                    let value = draw.bytes(200);
                    all.push(((bytes, Posted { value, body: Some(vec![1; 50].into()) }), false));
                }
            }
        }
        for (kind, sample) in
            [Kind::Dealing, Kind::Verdict, Kind::Layer, Kind::Shares].map(|kind| (kind, self.sample(kind)))
        {
            let mut body = self.damaged(draw, sample);
            // A verdict without complaints is legal.
            if kind == Kind::Verdict && body == [0, 0] {
                body.push(0);
            }
            all.push((self.posted(&person(3), self.board.key(kind, None, 3), body), true));
        }
        for (query, kind, honest) in &self.open {
            let body = self.damaged(draw, honest);
            all.push((self.posted(&person(4), self.board.key(*kind, Some(*query), 4), body), true));
        }
        all.into_iter().map(|((key, posted), must)| (key, posted, must)).collect()
    }
}

/// Everything of a view that readers see.
fn seen(view: &View) -> impl PartialEq + core::fmt::Debug {
    let asked: Vec<_> = view.asked.iter().map(|asked| (asked.id, asked.stage, asked.answer.clone())).collect();
    (view.stage, view.faults.clone(), view.missing.clone(), view.values.clone(), asked)
}

fn peak_of(board: &Board, posts: &Posts) -> (View, usize) {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let view = View::of(&board.name, posts).unwrap().unwrap();
    (view, MEMORY.peak_usage().saturating_sub(before))
}

/// Judges so many hostile posts.
fn judge(least: usize, start: u64) {
    let scene = Scene::new();
    // Tables that are made once.
    drop(scene.board.view());
    let (_, honest_peak) = peak_of(&scene.board, &scene.board.posts);
    let honest: BTreeSet<[u8; 32]> =
        [1, 2, 20, 30, 100, 101, 102, 103].map(|number| person(number).author()).into_iter().collect();
    let (mut draw, mut memo, mut judged, mut kinds) = (Draw(start), Memo::default(), 0, BTreeSet::new());
    while judged < least {
        let hostile = scene.hostile(&mut draw);
        judged += hostile.len();
        let mut posts = scene.board.posts.clone();
        let bytes: usize = hostile
            .iter()
            .map(|(key, posted, _)| key.len() + posted.value.len() + posted.body.as_ref().map_or(0, |body| body.len()))
            .sum();
        posts.extend(hostile.iter().map(|(key, posted, _)| (key.clone(), posted.clone())));
        let (view, peak) = peak_of(&scene.board, &posts);
        assert!(peak <= honest_peak + BYTES_PER_BYTE * bytes + SLACK, "{peak} bytes for {bytes}, {honest_peak} before");
        assert_eq!((view.stage, &view.values), (Stage::Done, &scene.outputs));
        for (id, answer) in &scene.answers {
            assert_eq!(view.query(id).unwrap().answer.as_ref(), Some(answer));
        }
        let faulty: BTreeSet<&Vec<u8>> = view.faults.iter().map(|fault| &fault.key).collect();
        assert_eq!(faulty.len(), view.faults.len(), "a post has two faults");
        for (key, posted, must) in &hostile {
            let found = faulty.contains(key);
            assert!(found || !must, "no fault of {:?} with {:?}", PostKey::from_bytes(key), posted.body);
        }
        for fault in &view.faults {
            kinds.insert(fault.fault.kind);
            assert!(!fault.author.is_some_and(|author| honest.contains(&author)), "{fault:?}");
        }
        // The same with another ceremony's posts on the board, by who remembers what was found in
        // the rounds before.
        let strange = draw.bytes(80);
        posts.insert([&[0][..], &strange].concat(), Posted { value: draw.bytes(300), body: None });
        posts.insert([&[2][..], &strange].concat(), Posted { value: draw.bytes(300), body: None });
        assert!(seen(&memo.view(&scene.board.name, &posts).unwrap().unwrap()) == seen(&view));
    }
    use FaultKind::{
        ColumnProofFalse, DecryptionProofFalse, IdentityComponent, InputProofFalse, Malformed, NotAuthorised,
        NotInSubgroup, PermutationProofFalse, QueryOutOfRange, SignatureFalse, WrongLength, ZeroTestFalse,
    };
    let usual = [
        Malformed,
        SignatureFalse,
        NotAuthorised,
        WrongLength,
        NotInSubgroup,
        IdentityComponent,
        InputProofFalse,
        PermutationProofFalse,
        ColumnProofFalse,
        ZeroTestFalse,
        DecryptionProofFalse,
        QueryOutOfRange,
    ];
    assert!(usual.iter().all(|kind| kinds.contains(kind)), "{kinds:?}");
}

#[test]
fn two_thousand_hostile_posts_change_nothing_and_each_is_refused() {
    judge(2_000, 1);
}

#[test]
#[ignore = "minutes; cargo xtask test --long"]
fn a_hundred_thousand_hostile_posts_change_nothing_and_each_is_refused() {
    judge(100_000, 2);
}
