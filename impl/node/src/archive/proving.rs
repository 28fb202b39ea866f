//! Proofs within limits: what a request costs is known before its openings are computed.
//!
//! ```text
//! look up the slots -> estimate -> more than one request may cost: refused
//!                               -> a moment:  at once, among the short ones, out of the client's allowance
//!                               -> longer:    entered in the client's costs, and computed among the long ones
//! ```
//!
//! Requests of many keys look them up among the long ones, too. Whoever leaves or is out of time
//! ends the work at the next key or vector.

use std::time::Duration;

use aardvark_archive::{ArchiveError, Snapshot};

use super::costs::{Charge, Client};
use super::error::ApiError;
use super::service::Service;
use super::shared_archive::SharedArchive;

/// What takes a moment: three openings that are computed anew, or many that are held.
const MOMENT: Duration = Duration::from_millis(60);
/// Keys that are looked up in a moment.
const FEW: usize = 64;

/// What a request wants proved.
pub(crate) trait Wanted: Send + 'static {
    /// What was looked up for it.
    type Plan: Send;

    /// The version; the newest by default.
    fn version(&self) -> Option<u64>;

    /// Whether what ties the claims to the state root is wanted, too.
    fn is_rooted(&self) -> bool;

    /// How many slots are looked up, at most.
    fn look_ups(&self) -> usize;

    /// Looks the slots up, and says what their openings cost of one core's time, about.
    fn plan(&self, archive: &Snapshot, version: u64) -> Result<(Self::Plan, Duration), ArchiveError>;

    /// Computes the openings.
    fn prove(self, source: &Source<'_>, plan: Self::Plan) -> Result<Answer, ApiError>;
}

/// Where a proof comes from.
pub(crate) struct Source<'a> {
    pub(crate) shared: &'a SharedArchive,
    pub(crate) archive: &'a Snapshot,
    pub(crate) version: u64,
}

/// An answer's text, and where to ask on, where there is more.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) text: String,
    pub(crate) next: Option<String>,
}

/// What was looked up.
struct Planned<W: Wanted> {
    service: Service,
    archive: Snapshot,
    client: Client,
    wanted: W,
    version: u64,
    plan: W::Plan,
    cost: Duration,
}

/// An answer, or what has to be computed for it elsewhere.
enum Begun<W: Wanted> {
    Done(Answer),
    Long(Box<Planned<W>>),
}

impl Service {
    /// Proves what is wanted.
    pub(crate) async fn prove<W: Wanted>(&self, client: Client, wanted: W) -> Result<Answer, ApiError> {
        let waiting = self.begin();
        let look_ups = wanted.look_ups();
        let (service, work) = (self.clone(), waiting.work());
        let plan = move || {
            let archive = service.shared.archive().for_work(work);
            Planned::new(service, archive, client, wanted)
        };
        let answer = if look_ups <= FEW {
            let begun = self.quick.run(move || {
                let planned = plan()?;
                if planned.is_short() { planned.answer().map(Begun::Done) } else { Ok(Begun::Long(Box::new(planned))) }
            });
            match begun.await? {
                Begun::Done(answer) => Ok(answer),
                Begun::Long(planned) => {
                    let charge = planned.charge()?;
                    self.slow.run(move || planned.answer_for(charge)).await
                }
            }
        } else {
            let look_ups = self.costs.charge(client, Snapshot::cost_of_look_ups(look_ups))?;
            self.slow
                .run(move || {
                    let planned = plan()?;
                    drop(look_ups);
                    let charge = planned.charge()?;
                    planned.answer_for(charge)
                })
                .await
        };
        self.hold(&waiting.work());
        answer
    }
}

impl<W: Wanted> Planned<W> {
    fn new(service: Service, archive: Snapshot, client: Client, wanted: W) -> Result<Self, ApiError> {
        let version = wanted.version().unwrap_or(archive.version());
        let (plan, cost) = wanted.plan(&archive, version)?;
        let root = if wanted.is_rooted() { service.shared.cost_of_root(&archive, version) } else { Duration::ZERO };
        let (cost, most) = (cost.saturating_add(root), service.limits.request_cost);
        if cost > most {
            return Err(ApiError::TooCostly { cost, most });
        }
        Ok(Self { service, archive, client, wanted, version, plan, cost })
    }

    /// Whether it takes a moment, and the client's allowance suffices.
    fn is_short(&self) -> bool {
        self.cost <= MOMENT && self.service.costs.allow(self.client, self.cost)
    }

    fn charge(&self) -> Result<Charge, ApiError> {
        self.service.costs.charge(self.client, self.cost)
    }

    /// Computes and writes the answer, whose cost is entered until then.
    fn answer_for(self, _charge: Charge) -> Result<Answer, ApiError> {
        self.answer()
    }

    fn answer(self) -> Result<Answer, ApiError> {
        let Self { service, archive, wanted, version, plan, .. } = self;
        wanted.prove(&Source { shared: &service.shared, archive: &archive, version }, plan)
    }
}
