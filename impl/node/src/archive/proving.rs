//! Proofs within limits: what a request costs is known before its openings are computed.
//!
//! ```text
//! look up the slots -> estimate -> more than one request may cost: refused
//!                               -> a moment:  at once, among the short ones, out of the client's allowance
//!                               -> longer:    entered in the client's costs, and computed among the long ones
//! ```
//!
//! The bytes of the answer, and those that are needed while it is made, are taken from the budget
//! of answers before the first opening is computed.
//!
//! Requests of many keys look them up among the long ones, too. Whoever leaves or is out of time
//! ends the work at the next key or vector.

use std::time::Duration;

use aardvark_algebra::integers::usize_or_max;
use aardvark_archive::Snapshot;

use super::costs::{Charge, Client};
use super::error::ApiError;
use super::reply::Reserved;
use super::service::Service;
use super::shared_archive::SharedArchive;

/// What takes a moment: three openings that are computed anew, or many that are held.
const MOMENT: Duration = Duration::from_millis(60);
/// Keys that are looked up in a moment.
const FEW: usize = 64;
/// Bytes that a byte of an answer's text takes while that is made, at most: of the slots, of their
/// hexadecimal digits, of the text's parts, of the text.
const WHILE_MADE: usize = 4;

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
    fn plan(&self, archive: &Snapshot, version: u64) -> Result<(Self::Plan, Duration), ApiError>;

    /// Most bytes of the answer, where a path to the root has so many digests; none where
    /// the claims are not tied to it.
    fn longest(&self, plan: &Self::Plan, path: Option<usize>) -> usize;

    /// Computes the openings.
    fn prove(self, source: &Source<'_>, plan: Self::Plan) -> Result<Answer, ApiError>;
}

/// Where a proof comes from.
pub(crate) struct Source<'a> {
    pub(crate) shared: &'a SharedArchive,
    pub(crate) archive: &'a Snapshot,
    pub(crate) version: u64,
}

/// An answer's bytes, and where to ask on, where there is more.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) body: Vec<u8>,
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
    /// Most bytes of the answer.
    longest: usize,
}

/// An answer and its bytes of the budget, or what has to be computed for it elsewhere.
enum Begun<W: Wanted> {
    Done(Answer, Reserved),
    Long(Box<Planned<W>>),
}

impl Service {
    /// Proves what is wanted; the answer comes with its bytes of the budget.
    pub(crate) async fn prove<W: Wanted>(&self, client: Client, wanted: W) -> Result<(Answer, Reserved), ApiError> {
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
                if !planned.is_short() {
                    return Ok(Begun::Long(Box::new(planned)));
                }
                let held = planned.reserve()?;
                Ok(Begun::Done(planned.answer()?, held))
            });
            match begun.await? {
                Begun::Done(answer, held) => Ok((answer, held)),
                Begun::Long(planned) => {
                    let entered = planned.enter()?;
                    self.slow.run(move || planned.answer_for(entered)).await
                }
            }
        } else {
            let look_ups = self.costs.charge(client, Snapshot::cost_of_look_ups(look_ups))?;
            self.slow
                .run(move || {
                    let planned = plan()?;
                    drop(look_ups);
                    let entered = planned.enter()?;
                    planned.answer_for(entered)
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
        let path = wanted.is_rooted().then(|| longest_path(&archive));
        let longest = wanted.longest(&plan, path);
        Ok(Self { service, archive, client, wanted, version, plan, cost, longest })
    }

    /// Whether it takes a moment, and the client's allowance suffices.
    fn is_short(&self) -> bool {
        self.cost <= MOMENT && self.service.costs.allow(self.client, self.cost)
    }

    /// Takes what the answer needs of the budget, while it is made and sent.
    fn reserve(&self) -> Result<Reserved, ApiError> {
        self.service.budget.reserve(self.longest.saturating_mul(WHILE_MADE))
    }

    /// Enters the cost, and takes the answer's bytes.
    fn enter(&self) -> Result<(Charge, Reserved), ApiError> {
        Ok((self.service.costs.charge(self.client, self.cost)?, self.reserve()?))
    }

    /// Computes and writes the answer, whose cost is entered until then.
    fn answer_for(self, (charge, held): (Charge, Reserved)) -> Result<(Answer, Reserved), ApiError> {
        let answer = self.answer()?;
        drop(charge);
        Ok((answer, held))
    }

    fn answer(self) -> Result<Answer, ApiError> {
        let Self { service, archive, wanted, version, plan, longest, .. } = self;
        let answer = wanted.prove(&Source { shared: &service.shared, archive: &archive, version }, plan)?;
        debug_assert!(answer.body.len() <= longest, "{} bytes of {longest}", answer.body.len());
        Ok(answer)
    }
}

/// Digests of the longest path from a commitment to the root of a version, the newest or an older
/// one: vectors are never taken away.
fn longest_path(archive: &Snapshot) -> usize {
    let vectors = archive.size().div_ceil(archive.parameters().positions_per_vector());
    usize_or_max(u64::BITS - vectors.leading_zeros())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    use aardvark_algebra::Scalar;
    use aardvark_archive::{Archive, RedbStore};
    use aardvark_commitment::insecure::kzg_with_known_tau;
    use aardvark_commitment::{Scheme, VectorCommitment};
    use aardvark_dictionary::{Genesis, Identity, Parameters};

    use super::super::limits::Limits;
    use super::*;

    /// An answer of any length and cost.
    #[derive(Clone)]
    struct Costly {
        look_ups: usize,
        cost: Duration,
        longest: usize,
        proved: Arc<AtomicBool>,
    }

    impl Wanted for Costly {
        type Plan = ();

        fn version(&self) -> Option<u64> {
            None
        }

        fn is_rooted(&self) -> bool {
            false
        }

        fn look_ups(&self) -> usize {
            self.look_ups
        }

        fn plan(&self, _: &Snapshot, _: u64) -> Result<((), Duration), ApiError> {
            Ok(((), self.cost))
        }

        fn longest(&self, (): &(), _: Option<usize>) -> usize {
            self.longest
        }

        fn prove(self, _: &Source<'_>, (): ()) -> Result<Answer, ApiError> {
            self.proved.store(true, Ordering::Relaxed);
            Ok(Answer { body: b"[]".to_vec(), next: None })
        }
    }

    fn service() -> Service {
        let scheme: Arc<Scheme> = Arc::new(kzg_with_known_tau(4, Scalar::from(3)).unwrap().into());
        let parameters = Parameters { vector_size: 4, ..Parameters::default() };
        let identity = Identity::new("test", [0; 32]).unwrap();
        let genesis = Genesis::new(identity, parameters, scheme.setup_digest(), Vec::new()).unwrap();
        let store = Box::new(RedbStore::in_memory().unwrap());
        let archive = Archive::builder().scheme(scheme).create_on(store, &genesis).unwrap();
        Service::new(Arc::new(SharedArchive::new(archive, None).unwrap()), Limits::default())
    }

    #[tokio::test]
    async fn nothing_is_proved_for_an_answer_that_finds_no_room() {
        let service = service();
        let full = service.budget.reserve(usize::MAX).unwrap();
        let seconds = Duration::from_secs(1);
        let large = |look_ups, cost| Costly { look_ups, cost, longest: 1 << 20, proved: Arc::default() };
        let wanted = [large(1, Duration::ZERO), large(1, seconds), large(FEW + 1, seconds)];
        for wanted in &wanted {
            let refused = service.prove(Client::default(), wanted.clone()).await;
            assert_eq!(refused.err(), Some(ApiError::Busy));
            assert!(!wanted.proved.load(Ordering::Relaxed), "the work was done, and then there was no room");
        }
        assert!(service.costs.entered().is_zero(), "who is refused leaves nothing entered");
        let small = Costly { longest: 1 << 10, ..wanted[1].clone() };
        assert!(service.prove(Client::default(), small).await.is_ok(), "small answers are not counted");
        drop(full);
        for wanted in wanted {
            assert!(service.prove(Client::default(), wanted).await.is_ok());
        }
        assert!(service.budget.reserve(usize::MAX).is_ok(), "all of it is back");
    }
}
