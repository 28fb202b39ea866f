//! Dealings and verdicts.

use aardvark_sigma::dealing::Dealing;

use crate::dealt::{decode_dealing, decode_verdict, public_keys};
use crate::fault::{Fault, FaultKind};
use crate::post::Kind;
use crate::view::admission::{Admitted, Slot};
use crate::view::memo::{accept, statement};
use crate::view::state::View;

impl View {
    fn judge_dealing(&self, dealer: u16, body: &[u8]) -> Result<Dealing, Fault> {
        let dealing = decode_dealing(body, &self.ceremony)?;
        match dealing.holds(&self.dealer(dealer), self.ceremony.servers.len()) {
            true => Ok(dealing),
            false => Err(Fault::new(FaultKind::DealingFalse)),
        }
    }

    /// Whether each server has dealt or is absent.
    pub(super) fn judge_dealings(&mut self, posts: &Admitted<'_>) -> bool {
        let mut complete = true;
        for server in self.ceremony.server_numbers() {
            let key = self.server_key(Kind::Dealing, None, server);
            match posts.slot(&key) {
                Slot::Body(body) => {
                    let statement = statement("dealing", &[&self.digest, &server.to_be_bytes(), &body.digest]);
                    match posts.memo.find(statement, || self.judge_dealing(server, &body)) {
                        Ok(dealing) => {
                            self.dealings.insert(server, dealing);
                            self.accepted = accept(&self.accepted, server, &body.digest);
                        }
                        Err(fault) => self.fault(&key, fault),
                    }
                }
                Slot::Faulty => {}
                Slot::BodyMissing => complete = false,
                Slot::Empty => complete &= posts.is_absent(Kind::Dealing, server),
            }
        }
        complete
    }

    /// The dealers that a verdict convicts; a fault if a complaint in it opens no false share.
    fn judge_verdict(&self, server: u16, body: &[u8]) -> Result<Vec<u16>, Fault> {
        let complaints = decode_verdict(body)?;
        let transport = self.ceremony.server(server).map(|server| server.transport.point.at(0, 0));
        let transport = transport.ok_or(Fault::new(FaultKind::NotAuthorised))?;
        let founded = complaints.iter().all(|complaint| {
            let dealing = self.dealings.get(&complaint.dealer);
            let dealer = self.dealer(complaint.dealer);
            dealing.is_some_and(|dealing| dealing.is_convicted(&dealer, server, &transport, complaint))
        });
        match founded {
            true => Ok(complaints.iter().map(|complaint| complaint.dealer).collect()),
            false => Err(Fault::new(FaultKind::ComplaintUnfounded)),
        }
    }

    /// Whether each server has said whose shares are false or is absent; then the convicted are
    /// out, and the keys follow from the dealings that remain.
    pub(super) fn judge_verdicts(&mut self, posts: &Admitted<'_>) -> bool {
        let (mut complete, mut convicted) = (true, Vec::new());
        for server in self.ceremony.server_numbers() {
            let key = self.server_key(Kind::Verdict, None, server);
            match posts.slot(&key) {
                Slot::Body(body) => {
                    let statement = statement("verdict", &[&self.accepted, &server.to_be_bytes(), &body.digest]);
                    match posts.memo.find(statement, || self.judge_verdict(server, &body)) {
                        Ok(dealers) => convicted.extend(dealers),
                        Err(fault) => self.fault(&key, fault),
                    }
                }
                Slot::Faulty => {}
                Slot::BodyMissing => complete = false,
                Slot::Empty => complete &= posts.is_absent(Kind::Verdict, server),
            }
        }
        if !complete {
            return false;
        }
        convicted.sort_unstable();
        convicted.dedup();
        for dealer in convicted {
            self.dealings.remove(&dealer);
            self.fault(&self.server_key(Kind::Dealing, None, dealer), Fault::new(FaultKind::DealingFalse));
        }
        if self.dealings.len() < self.ceremony.threshold() {
            return self.void();
        }
        let dealers: Vec<u8> = self.dealings.keys().flat_map(|dealer| dealer.to_be_bytes()).collect();
        let statement = statement("keys", &[&self.accepted, &dealers]);
        let keys = || public_keys(&self.ceremony, &self.digest, &self.remaining()).ok();
        self.keys = posts.memo.find(statement, keys);
        self.keys.is_some() || self.void()
    }
}
