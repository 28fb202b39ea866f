//! What a validator counts, for the operator ([`crate::operations`]).

use std::time::Duration;

use aardvark_algebra::integers::{i64_or_max, u64_of_usize};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;
use tendermint_proto::v0_38::abci::{ExecTxResult, ResponseCheckTx};

/// Upper ends of the classes of the time that an answer to CometBFT takes, in seconds.
const BOUNDS: [f64; 12] = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0];

/// What CometBFT asks, as it is counted ([`Metrics::answered`]).
const METHODS: [&str; 10] = [
    "Info",
    "InitChain",
    "CheckTx",
    "PrepareProposal",
    "ProcessProposal",
    "FinalizeBlock",
    "Commit",
    "Snapshots",
    "StateSync",
    "other",
];

/// One label.
type Label = [(&'static str, &'static str); 1];

/// What a validator counts. Copies count together.
#[derive(Clone, Debug)]
pub(super) struct Metrics {
    seconds: Family<Label, Histogram, fn() -> Histogram>,
    checked: Family<Label, Counter>,
    transactions: Family<Label, Counter>,
    proposals: Family<Label, Counter>,
    against_rules: Counter,
    /// CometBFT's connections now.
    pub(super) connections: Gauge,
    last_block: Gauge,
}

impl Default for Metrics {
    /// All at zero, also what did not happen yet: an alert sees the first time, too.
    fn default() -> Self {
        let metrics = Self {
            seconds: Family::new_with_constructor(|| Histogram::new(BOUNDS)),
            checked: Family::default(),
            transactions: Family::default(),
            proposals: Family::default(),
            against_rules: Counter::default(),
            connections: Gauge::default(),
            last_block: Gauge::default(),
        };
        for method in METHODS {
            drop(metrics.seconds.get_or_create(&[("method", method)]));
        }
        for verdict in ["accepted", "refused"] {
            drop(metrics.proposals.get_or_create(&[("verdict", verdict)]));
        }
        metrics.checked(&[]);
        metrics.decided(&[], true);
        metrics
    }
}

impl Metrics {
    /// An answer to CometBFT, by its method.
    pub(super) fn answered(&self, method: &'static str, took: Duration) {
        self.seconds.get_or_create(&[("method", method)]).observe(took.as_secs_f64());
    }

    /// Transactions that were offered to the mempool, or looked at again.
    pub(super) fn checked(&self, answers: &[ResponseCheckTx]) {
        let taken = answers.iter().filter(|answer| answer.code == 0).count();
        self.checked.get_or_create(&[("outcome", "taken")]).inc_by(u64_of_usize(taken));
        self.checked.get_or_create(&[("outcome", "refused")]).inc_by(u64_of_usize(answers.len() - taken));
    }

    /// A proposal that was judged.
    pub(super) fn judged(&self, is_accepted: bool) {
        let verdict = if is_accepted { "accepted" } else { "refused" };
        self.proposals.get_or_create(&[("verdict", verdict)]).inc();
    }

    /// A block that was decided, with its transactions' results.
    pub(super) fn decided(&self, results: &[ExecTxResult], keeps_rules: bool) {
        let applied = results.iter().filter(|result| result.code == 0).count();
        self.transactions.get_or_create(&[("outcome", "applied")]).inc_by(u64_of_usize(applied));
        self.transactions.get_or_create(&[("outcome", "failed")]).inc_by(u64_of_usize(results.len() - applied));
        if !keeps_rules {
            self.against_rules.inc();
        }
    }

    /// Names all of them.
    pub(super) fn register(&self, registry: &mut Registry) {
        let Metrics { seconds, checked, transactions, proposals, against_rules, connections, last_block } =
            self.clone();
        registry.register("aardvark_abci_seconds", "Time that an answer to CometBFT takes", seconds);
        registry.register("aardvark_transactions_checked", "Transactions offered to the mempool", checked);
        registry.register("aardvark_transactions", "Transactions of decided blocks", transactions);
        registry.register("aardvark_proposals", "Proposals judged", proposals);
        registry.register(
            "aardvark_blocks_against_rules",
            "Blocks that were decided and break the rules",
            against_rules,
        );
        registry.register("aardvark_cometbft_connections", "Connections of CometBFT now", connections);
        registry.register(
            "aardvark_last_block_timestamp_seconds",
            "When the last block went to disk, also before this process began, since 1970; 0 before the first",
            last_block,
        );
    }

    /// A block went to disk, at so many seconds since 1970.
    pub(super) fn committed(&self, at: u64) {
        self.last_block.set(i64_or_max(at));
    }
}
