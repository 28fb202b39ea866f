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

use aardvark_archive::{Plan, Snapshot};
use aardvark_dictionary::{Claim, Key};

use super::costs::{Charge, Client};
use super::error::ApiError;
use super::service::Service;
use super::shared_archive::SharedArchive;

/// What takes a moment: three openings that are computed anew, or many that are held.
const MOMENT: Duration = Duration::from_millis(60);
/// Keys that are looked up in a moment.
const FEW: usize = 64;

/// What is to be proved.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    /// The version; the newest by default.
    pub(crate) version: Option<u64>,
    /// What ties the claims to the state root, too.
    pub(crate) root: bool,
    /// Keys whose covering slots are proved.
    pub(crate) keys: Vec<Key>,
    /// Keys of which is proved what a deletion needs.
    pub(crate) deletes: Vec<Key>,
}

/// A snapshot, the version asked for, what was wanted, and the claims for each key.
pub(crate) struct Proved<'a> {
    pub(crate) shared: &'a SharedArchive,
    pub(crate) archive: &'a Snapshot,
    pub(crate) version: u64,
    pub(crate) wanted: Wanted,
    pub(crate) claims: Vec<Vec<Claim>>,
}

/// What was looked up.
struct Planned {
    service: Service,
    archive: Snapshot,
    client: Client,
    wanted: Wanted,
    version: u64,
    plan: Plan,
    cost: Duration,
}

/// An answer, or what has to be computed for it elsewhere.
enum Begun<T, W> {
    Done(T),
    Long(Box<(Planned, W)>),
}

impl Service {
    /// Proves what is wanted, and writes the answer.
    pub(crate) async fn prove<T: Send + 'static>(
        &self,
        client: Client,
        wanted: Wanted,
        write: impl FnOnce(Proved<'_>) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let waiting = self.begin();
        let keys = wanted.keys.len() + wanted.deletes.len();
        let (service, work) = (self.clone(), waiting.work());
        let plan = move || {
            let archive = service.shared.archive().for_work(work);
            Planned::new(service, archive, client, wanted)
        };
        let answer = if keys <= FEW {
            let begun = self.quick.run(move || {
                let planned = plan()?;
                if planned.is_short() {
                    planned.answer(write).map(Begun::Done)
                } else {
                    Ok(Begun::Long(Box::new((planned, write))))
                }
            });
            match begun.await? {
                Begun::Done(answer) => Ok(answer),
                Begun::Long(long) => {
                    let (planned, write) = *long;
                    let charge = planned.charge()?;
                    self.slow.run(move || planned.answer_for(charge, write)).await
                }
            }
        } else {
            let look_ups = self.costs.charge(client, Snapshot::cost_of_look_ups(keys))?;
            self.slow
                .run(move || {
                    let planned = plan()?;
                    drop(look_ups);
                    let charge = planned.charge()?;
                    planned.answer_for(charge, write)
                })
                .await
        };
        self.hold(&waiting.work());
        answer
    }
}

impl Planned {
    fn new(service: Service, archive: Snapshot, client: Client, wanted: Wanted) -> Result<Self, ApiError> {
        let version = wanted.version.unwrap_or(archive.version());
        let plan = archive.plan(&wanted.keys, &wanted.deletes, version)?;
        let root = if wanted.root { service.shared.cost_of_root(&archive, version) } else { Duration::ZERO };
        let (cost, most) = (plan.cost().saturating_add(root), service.limits.request_cost);
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
    fn answer_for<T>(
        self,
        _charge: Charge,
        write: impl FnOnce(Proved<'_>) -> Result<T, ApiError>,
    ) -> Result<T, ApiError> {
        self.answer(write)
    }

    fn answer<T>(self, write: impl FnOnce(Proved<'_>) -> Result<T, ApiError>) -> Result<T, ApiError> {
        let Self { service, archive, wanted, version, plan, .. } = self;
        let claims = archive.claims_of(plan)?;
        write(Proved { shared: &service.shared, archive: &archive, version, wanted, claims })
    }
}
