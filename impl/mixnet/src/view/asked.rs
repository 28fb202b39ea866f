//! Queries and what the servers make of them.

use std::collections::BTreeMap;

use aardvark_sigma::{Digest, List};

use crate::fault::{Fault, FaultKind};
use crate::mix::Mix;
use crate::post::{Kind, PostKey};
use crate::query::Query;
use crate::trace::{Column, Trace};
use crate::view::admission::{Admitted, PostFault, Slot};
use crate::view::memo::{accept, statement};
use crate::view::query_state::{Asked, AskedStage};
use crate::view::state::View;
use crate::{decryption, zero_test};

/// Judges the posts of one query.
struct Judge<'v, 'p> {
    view: &'v View,
    posts: &'v Admitted<'p>,
    trace: Trace<'v>,
    /// A hash over mix, query and the columns and zero tests that were accepted.
    accepted: Digest,
    faults: Vec<PostFault>,
}

impl Judge<'_, '_> {
    /// A server's post as far as there is one, with its body's digest: `None` if it is waited for.
    fn body<T: Clone + Send + 'static>(
        &mut self,
        kind: Kind,
        id: Digest,
        server: u16,
        judge: impl FnOnce(&Trace<'_>, &[u8]) -> Result<T, Fault>,
    ) -> Option<Result<(T, Digest), ()>> {
        let key = self.view.server_key(kind, Some(id), server);
        match self.posts.slot(&key) {
            Slot::Empty | Slot::BodyMissing => None,
            Slot::Faulty => Some(Err(())),
            Slot::Body(body) => {
                let parts: [&[u8]; 4] = [&self.accepted, &[kind as u8], &server.to_be_bytes(), &body.digest];
                let judged = self.posts.memo.find(statement("answering", &parts), || judge(&self.trace, &body));
                Some(judged.map(|judged| (judged, body.digest)).map_err(|fault| {
                    self.faults.push(PostFault::new(&key, &self.view.ceremony, fault));
                }))
            }
        }
    }

    fn columns(&mut self, asked: &mut Asked, rows: usize) -> Option<AskedStage> {
        for (place, server) in self.trace.order().into_iter().enumerate() {
            let before = &asked.columns;
            let judged = self.body(Kind::Column, asked.id, server, |trace, body| {
                let column = Column::decode(body, rows, server)?;
                let columns = [before.clone(), vec![column.clone()]].concat();
                trace.check_columns(&columns, place..place + 1)?;
                // A target of the last column is refused where it cannot be decrypted.
                if columns.len() == trace.order().len() {
                    trace.sums(&columns)?;
                }
                Ok(column)
            });
            match judged {
                None => return Some(AskedStage::Column(server)),
                Some(Err(())) => return Some(AskedStage::Stopped),
                Some(Ok((column, body))) => {
                    asked.columns.push(column);
                    self.accepted = accept(&self.accepted, server, &body);
                }
            }
        }
        None
    }

    fn tests(&mut self, asked: &mut Asked, sums: &List) -> Option<AskedStage> {
        let tested = self.trace.tested().len();
        let order = if tested == 0 { Vec::new() } else { self.trace.order() };
        for (place, server) in order.into_iter().enumerate() {
            let before = &asked.tests;
            let judged = self.body(Kind::ZeroTest, asked.id, server, |trace, body| {
                let test = zero_test::decode(body, tested, server)?;
                let tests = [before.clone(), vec![test.clone()]].concat();
                trace.check_tests(sums, &tests, place..place + 1)?;
                Ok(test)
            });
            match judged {
                None => return Some(AskedStage::ZeroTest(server)),
                Some(Err(())) => return Some(AskedStage::Stopped),
                Some(Ok((test, body))) => {
                    asked.tests.push(test);
                    self.accepted = accept(&self.accepted, server, &body);
                }
            }
        }
        None
    }

    /// Judges as far as posts reach.
    fn run(&mut self, asked: &mut Asked, rows: usize) {
        if let Some(stage) = self.columns(asked, rows) {
            asked.stage = stage;
            return;
        }
        let sums = || self.trace.sums(&asked.columns).ok();
        let Some(sums) = self.posts.memo.find(statement("sums", &[&self.accepted]), sums) else { return };
        asked.sums = Some(sums.clone());
        if let Some(stage) = self.tests(asked, &sums) {
            asked.stage = stage;
            return;
        }
        asked.stage = AskedStage::Shares;
        // Which shares the answer is read from.
        let (mut first, threshold) = (self.accepted, self.view.ceremony.threshold());
        for server in self.view.ceremony.server_numbers() {
            let tests = &asked.tests;
            let judged = self.body(Kind::AnswerShares, asked.id, server, |trace, body| {
                let shares = decryption::decode(body, sums.rows(), 1, server)?;
                trace.check_shares(&sums, tests, &[(server, &shares)])?;
                Ok(shares)
            });
            if let Some(Ok((shares, body))) = judged {
                if asked.shares.len() < threshold {
                    first = accept(&first, server, &body);
                }
                asked.shares.insert(server, shares);
            }
        }
        if asked.shares.len() < threshold {
            return;
        }
        asked.stage = AskedStage::Answered;
        let opened = self.opening(asked, &sums);
        let answer = || {
            let shares = asked.first_shares(threshold);
            self.trace.result(&sums, &asked.tests, &shares, asked.opening.as_ref()).ok()
        };
        asked.answer = self.posts.memo.find(statement("answer", &[&first, &opened]), answer);
    }

    /// Judges the querier's opening; the digest of its body if it is valid, else zeros.
    fn opening(&mut self, asked: &mut Asked, sums: &List) -> Digest {
        let key = self.view.name.key(Kind::Opening, Some(asked.id), 0, asked.query.querier);
        let Slot::Body(body) = self.posts.slot(&key) else { return [0; 32] };
        let opening = || {
            let opening = decryption::decode(&body, sums.rows(), 1, 0)?;
            self.trace.check_opening(sums, &asked.tests, &opening).map(|()| opening)
        };
        match self.posts.memo.find(statement("opening", &[&self.accepted, &body.digest]), opening) {
            Ok(opening) => {
                asked.opening = Some(opening);
                body.digest
            }
            Err(fault) => {
                self.faults.push(PostFault::new(&key, &self.view.ceremony, fault));
                [0; 32]
            }
        }
    }
}

/// A hash over all of a mix that queries are judged by. Its own digest leaves the commitments out.
fn mixed(mix: &Mix<'_>) -> Digest {
    let commitments: Vec<u8> = mix.mixers.iter().flat_map(|(_, commitment)| commitment.digest()).collect();
    statement("mix", &[&mix.digest, &commitments, &mix.outputs.digest()])
}

impl View {
    /// A query that the rules allow.
    fn judge_query(&self, mix: &Mix<'_>, key: &PostKey, body: &[u8]) -> Result<Query, Fault> {
        let query = Query::decode(body, &mix.digest, mix.rows())?;
        let named = self.ceremony.querier(&key.author);
        let registered = named.and_then(|querier| querier.reading.as_ref());
        let reader_fits = match (&query.reader, registered) {
            (None, _) => true,
            (Some(reader), Some(registered)) => reader.point == registered.point,
            (Some(_), None) => self.ceremony.rules.anyone,
        };
        if (query.number, query.querier) != (key.sequence, key.author) {
            return Err(Fault::new(FaultKind::Malformed));
        }
        if !reader_fits || !query.knows_its_key(&mix.digest) || !self.ceremony.rules.allow(&query) {
            return Err(Fault::new(FaultKind::QueryForbidden));
        }
        query.check(mix, self.ceremony.rules.repeated)?;
        Ok(query)
    }

    /// Judges all queries; the ceremony stays done.
    pub(super) fn judge_queries(&mut self, posts: &Admitted<'_>) -> bool {
        let (mut all, mut faults) = (Vec::new(), Vec::new());
        let Some(mix) = self.mix() else { return true };
        let (mixed, mut valid) = (mixed(&mix), Vec::new());
        for (key, body) in posts.of_kind(Kind::Query) {
            let statement = statement("query", &[&mixed, &key.to_bytes(), &body.digest]);
            match posts.memo.find(statement, || self.judge_query(&mix, key, body)) {
                Ok(query) => valid.push((key, query)),
                Err(fault) => faults.push(PostFault::new(key, &self.ceremony, fault)),
            }
        }
        let queriers = valid.iter().map(|(key, query)| (query.id(&mix.digest), key.author)).collect();
        let (about, unasked) = posts.about(&queriers, &self.ceremony);
        for (key, query) in valid {
            all.push(self.judge_answer((&mix, &mixed), &about, key, query, &mut faults));
        }
        (self.asked, self.unasked) = (all, unasked);
        self.written.extend(about.keys());
        self.faults.extend(faults.into_iter().chain(about.faults));
        self.missing.extend(about.missing);
        true
    }

    fn judge_answer(
        &self,
        (mix, mixed): (&Mix<'_>, &Digest),
        posts: &Admitted<'_>,
        key: &PostKey,
        query: Query,
        faults: &mut Vec<PostFault>,
    ) -> Asked {
        let mut asked = Asked {
            id: query.id(&mix.digest),
            key: *key,
            query: query.clone(),
            stage: AskedStage::Stopped,
            columns: Vec::new(),
            tests: Vec::new(),
            sums: None,
            shares: BTreeMap::new(),
            opening: None,
            answer: None,
        };
        if let Ok(trace) = Trace::allowed(mix, &query, self.ceremony.rules.repeated) {
            let accepted = statement("asked", &[mixed, &asked.id]);
            let mut judge = Judge { view: self, posts, trace, accepted, faults: Vec::new() };
            judge.run(&mut asked, mix.rows());
            faults.extend(judge.faults);
        }
        asked
    }

    /// The query with this id.
    pub fn query(&self, id: &Digest) -> Option<&Asked> {
        self.asked.iter().find(|asked| asked.id == *id)
    }
}
