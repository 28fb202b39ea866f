//! A board in memory, and honest servers who do their duties.
// Each test file uses part of this module; clippy sees no tests in it.
#![allow(dead_code, clippy::unwrap_used, clippy::indexing_slicing)]

use aardvark_mixnet::ceremony::{Ceremony, Querier, Rules, Server};
use aardvark_mixnet::fault::FaultKind;
use aardvark_mixnet::identity::KeyUse;
use aardvark_mixnet::input::{Sender, encrypt};
use aardvark_mixnet::post::{Draft, receipt};
use aardvark_mixnet::{CeremonyName, Identity, Kind, PostKey, Posts, Query, Reveal, Stage, TraceDirection, View};
use aardvark_sigma::Digest;
use aardvark_sigma::chunks::{numbers, points};

pub const DICTIONARY: Digest = [9; 32];

/// Somebody, by a number: 1 to 9 servers, 20 the organiser, 30 and 31 queriers, senders from 100.
pub fn person(number: usize) -> Identity {
    Identity::new([number as u8; 32])
}

pub struct Board {
    pub name: CeremonyName,
    pub posts: Posts,
    pub servers: Vec<Identity>,
}

/// The terms of a ceremony with so many servers.
pub fn terms(servers: usize, threshold: u8, value_bytes: u8) -> Ceremony {
    let server = |number| {
        let identity = person(number);
        Server { author: identity.author(), transport: identity.known_key(KeyUse::Transport) }
    };
    let querier = |number| {
        let identity = person(number);
        Querier { author: identity.author(), reading: Some(identity.known_key(KeyUse::Reading)) }
    };
    let mut registry: Vec<Sender> = (100..106)
        .map(|number| Sender { key: person(number).author(), label: format!("station {}", number % 3) })
        .collect();
    registry.sort_by_key(|sender| sender.key);
    Ceremony {
        title: "a test".to_owned(),
        value_bytes,
        threshold,
        servers: (1..=servers).map(server).collect(),
        queriers: vec![querier(30), querier(31)],
        rules: Rules::default(),
        least: 2,
        registry,
    }
}

impl Board {
    pub fn new(terms: &Ceremony) -> Self {
        Self::numbered(terms, 1)
    }

    pub fn numbered(terms: &Ceremony, number: u32) -> Self {
        let organiser = person(20);
        let name = CeremonyName { dictionary: DICTIONARY, organiser: organiser.author(), number };
        let servers = (1..=terms.servers.len()).map(person).collect();
        let mut board = Self { name, posts: Posts::new(), servers };
        board.post(&organiser, name.terms_key(), terms.to_bytes());
        board
    }

    /// Posts a body under a key, with receipts of all servers where it needs them, as the board
    /// would: not where a gate is closed.
    pub fn post(&mut self, author: &Identity, key: PostKey, body: Vec<u8>) -> PostKey {
        let draft = Draft::new(&self.name.dictionary, key, body, author);
        let key = draft.key;
        assert!(key.gates().iter().all(|gate| !self.posts.contains_key(&gate.to_bytes())), "{key:?}");
        let receipts = (1..).zip(&self.servers).map(|(number, server)| receipt(&draft.digest, number, server));
        self.posts.insert(key.to_bytes(), draft.posted(receipts.collect()));
        key
    }

    pub fn key(&self, kind: Kind, query: Option<Digest>, sequence: u16) -> PostKey {
        // The author is filled in where the post is signed.
        self.name.key(kind, query, sequence, [0; 32])
    }

    pub fn view(&self) -> View {
        View::of(&self.name, &self.posts).unwrap().unwrap()
    }

    /// Lets the servers, but those that are left out, do all their duties.
    pub fn serve_without(&mut self, out: &[u16]) -> View {
        loop {
            let view = self.view();
            let mut done = true;
            for server in view.ceremony.server_numbers().filter(|server| !out.contains(server)) {
                let identity = person(server.into());
                for duty in view.duties(server) {
                    let body = view.perform(duty, server, &identity).unwrap();
                    // A server that was started again does the same.
                    if server == 1 {
                        assert_eq!(view.perform(duty, server, &identity).unwrap(), body);
                    }
                    self.post(&identity, view.duty_key(duty, server), body);
                    done = false;
                }
            }
            if done {
                return view;
            }
        }
    }

    pub fn serve(&mut self) -> View {
        self.serve_without(&[])
    }

    pub fn send(&mut self, view: &View, number: usize, value: &[u8]) -> PostKey {
        let identity = person(number);
        let keys = view.keys.as_ref().unwrap();
        let row = aardvark_sigma::column::KeyRow::new(keys.value_keys(), 1);
        let sender = view.ceremony.sender(&identity.author()).unwrap();
        let value = points(&numbers(value, view.ceremony.value_bytes.into()).unwrap());
        let body = encrypt(&keys.digest, &row, sender, &value, identity.seed()).0;
        self.post(&identity, self.key(Kind::Input, None, 0), body)
    }

    pub fn close(&mut self) {
        let key = self.key(Kind::Close, None, 0);
        self.post(&person(20), key, Vec::new());
    }

    pub fn absent(&mut self, stage: Kind, server: u16) {
        let key = self.key(Kind::Absent, None, (stage as u16) << 8 | server);
        self.post(&person(20), key, Vec::new());
    }

    /// A whole mix of values of senders 100, 101, ..
    pub fn mixed(terms: &Ceremony, values: &[&[u8]]) -> (Self, View) {
        let mut board = Self::new(terms);
        let view = board.serve();
        assert_eq!(view.stage, Stage::Open);
        for (number, value) in (100..).zip(values) {
            board.send(&view, number, value);
        }
        board.close();
        let view = board.serve();
        assert_eq!((view.stage, &view.faults), (Stage::Done, &Vec::new()));
        (board, view)
    }

    /// Posts a query of querier 30 or 31, and returns its id.
    pub fn ask(&mut self, view: &View, querier: usize, query: Query) -> Digest {
        let mix = view.mix().unwrap().digest;
        let key = self.key(Kind::Query, None, query.number);
        self.post(&person(querier), key, query.encode(&mix));
        query.id(&mix)
    }

    /// The faults as kinds with their servers.
    pub fn faults(&self) -> Vec<(FaultKind, Option<u16>)> {
        self.view().faults.iter().map(|fault| (fault.fault.kind, fault.server)).collect()
    }
}

/// A public question of querier 30.
pub fn question(direction: TraceDirection, reveal: Reveal, inputs: &[bool], outputs: &[bool], number: u16) -> Query {
    let (inputs, outputs) = (inputs.to_vec(), outputs.to_vec());
    Query { direction, reveal, inputs, outputs, querier: person(30).author(), number, reader: None }
}
