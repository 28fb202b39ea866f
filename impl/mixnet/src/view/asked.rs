//! Queries and what the servers make of them.

use std::collections::BTreeMap;

use aardvark_sigma::{Digest, List};

use crate::fault::{Fault, FaultKind};
use crate::mix::Mix;
use crate::post::{Kind, PostKey};
use crate::query::Query;
use crate::trace::{Column, Trace};
use crate::view::admission::{Admitted, PostFault, Slot};
use crate::view::query_state::{Asked, AskedStage};
use crate::view::state::View;
use crate::{decryption, zero_test};

/// Judges the posts of one query.
struct Judge<'v, 'p> {
    view: &'v View,
    posts: &'v Admitted<'p>,
    trace: Trace<'v>,
    faults: Vec<PostFault>,
}

impl Judge<'_, '_> {
    /// A server's post as far as there is one: `None` if it is waited for.
    fn body<T>(
        &mut self,
        kind: Kind,
        id: Digest,
        server: u16,
        judge: impl FnOnce(&Trace<'_>, &[u8]) -> Result<T, Fault>,
    ) -> Option<Result<T, ()>> {
        let key = self.view.server_key(kind, Some(id), server);
        match self.posts.slot(&key) {
            Slot::Empty | Slot::BodyMissing => None,
            Slot::Faulty => Some(Err(())),
            Slot::Body(body) => Some(judge(&self.trace, &body).map_err(|fault| {
                self.faults.push(PostFault::new(&key, &self.view.ceremony, fault));
            })),
        }
    }

    fn columns(&mut self, asked: &mut Asked, rows: usize) -> Option<AskedStage> {
        for (place, server) in self.trace.order().into_iter().enumerate() {
            let before = asked.columns.clone();
            let judged = self.body(Kind::Column, asked.id, server, |trace, body| {
                let columns = [before, vec![Column::decode(body, rows, server)?]].concat();
                trace.check_columns(&columns, place..place + 1)?;
                // A target of the last column is refused where it cannot be decrypted.
                if columns.len() == trace.order().len() {
                    trace.sums(&columns)?;
                }
                Ok(columns)
            });
            match judged {
                None => return Some(AskedStage::Column(server)),
                Some(Err(())) => return Some(AskedStage::Stopped),
                Some(Ok(columns)) => asked.columns = columns,
            }
        }
        None
    }

    fn tests(&mut self, asked: &mut Asked, sums: &List) -> Option<AskedStage> {
        let tested = self.trace.tested().len();
        let order = if tested == 0 { Vec::new() } else { self.trace.order() };
        for (place, server) in order.into_iter().enumerate() {
            let before = asked.tests.clone();
            let judged = self.body(Kind::ZeroTest, asked.id, server, |trace, body| {
                let tests = [before, vec![zero_test::decode(body, tested, server)?]].concat();
                trace.check_tests(sums, &tests, place..place + 1)?;
                Ok(tests)
            });
            match judged {
                None => return Some(AskedStage::ZeroTest(server)),
                Some(Err(())) => return Some(AskedStage::Stopped),
                Some(Ok(tests)) => asked.tests = tests,
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
        let Ok(sums) = self.trace.sums(&asked.columns) else { return };
        asked.sums = Some(sums.clone());
        if let Some(stage) = self.tests(asked, &sums) {
            asked.stage = stage;
            return;
        }
        asked.stage = AskedStage::Shares;
        for server in self.view.ceremony.server_numbers() {
            let tests = asked.tests.clone();
            let judged = self.body(Kind::AnswerShares, asked.id, server, |trace, body| {
                let shares = decryption::decode(body, sums.rows(), 1, server)?;
                trace.check_shares(&sums, &tests, &[(server, &shares)])?;
                Ok(shares)
            });
            if let Some(Ok(shares)) = judged {
                asked.shares.insert(server, shares);
            }
        }
        let threshold = self.view.ceremony.threshold();
        if asked.shares.len() < threshold {
            return;
        }
        asked.stage = AskedStage::Answered;
        let key = self.view.name.key(Kind::Opening, Some(asked.id), 0, asked.query.querier);
        if let Slot::Body(body) = self.posts.slot(&key) {
            let opening = decryption::decode(&body, sums.rows(), 1, 0)
                .and_then(|opening| self.trace.check_opening(&sums, &asked.tests, &opening).map(|()| opening));
            match opening {
                Ok(opening) => asked.opening = Some(opening),
                Err(fault) => self.faults.push(PostFault::new(&key, &self.view.ceremony, fault)),
            }
        }
        let shares = asked.first_shares(threshold);
        let answer = self.trace.result(&sums, &asked.tests, &shares, asked.opening.as_ref());
        asked.answer = answer.ok();
    }
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
        if let Some(mix) = self.mix() {
            for (key, body) in posts.of_kind(Kind::Query) {
                match self.judge_query(&mix, key, body) {
                    Ok(query) => all.push(self.judge_answer(&mix, posts, key, query, &mut faults)),
                    Err(fault) => faults.push(PostFault::new(key, &self.ceremony, fault)),
                }
            }
        }
        self.asked = all;
        self.faults.extend(faults);
        true
    }

    fn judge_answer(
        &self,
        mix: &Mix<'_>,
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
            let mut judge = Judge { view: self, posts, trace, faults: Vec::new() };
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
