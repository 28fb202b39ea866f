//! A node that shows blocks without a valid commit; none of them is stored.

use aardvark_client::testing::validators;
use tendermint::block::Header;
use tendermint::block::signed_header::SignedHeader;

use super::*;

const STRANGERS: [u8; 3] = [11, 12, 13];

/// A chain of two heights, and beside the second one a block that the rules allow and the
/// validators did not decide.
struct Attack {
    chain: Chain,
    /// The list of transactions of that block.
    txs: Vec<Vec<u8>>,
    /// Its header, which nobody has signed yet.
    header: Header,
}

impl Attack {
    fn new() -> Self {
        let mut chain = Chain::new();
        chain.advance(vec![Operation::Put("k3".into(), "new".into())]);
        let txs = chain.block(vec![Operation::Put("k4".into(), "false".into())], &[signer()]).to_txs();
        let header = chain.header(&txs);
        chain.advance(vec![Operation::Put("k4".into(), "true".into())]);
        Self { chain, txs, header }
    }

    /// A node that shows something else as the newest height.
    fn node(&self, shows: Height) -> TestServer {
        self.chain.node_with(|heights| heights[1] = shows)
    }

    /// A node that shows the false block with a header and a commit.
    fn node_with(&self, signed: SignedHeader) -> TestServer {
        self.node(Height::of(signed, self.txs.clone()))
    }

    fn decided(&self) -> Height {
        self.chain.heights.lock().unwrap()[1].clone()
    }

    /// The node is named, nothing of what it shows is stored, and the next node is followed.
    fn fails(&self, liar: &TestServer) -> FollowError {
        let directory = tempfile::tempdir().unwrap();
        let shared = shared_in(&directory.path().join("archive"));
        let error = follow(&mut follower(&shared, &[liar], None)).unwrap_err();
        assert!(!error.is_final() && error.to_string().contains(&liar.url), "{error}");
        assert_eq!(shared.archive().version(), 1, "{error}");
        assert_eq!(shared.records().unwrap().get(2).unwrap(), None, "{error}");
        let honest = self.chain.honest_node();
        assert_eq!(follow(&mut follower(&shared, &[liar, &honest], None)).unwrap(), 2);
        assert_has_the_chain(&shared, &self.chain);
        error
    }

    /// As [`Attack::fails`], by what the verifier says.
    fn does_not_hold(&self, signed: SignedHeader, because: &str) {
        match self.fails(&self.node_with(signed)) {
            FollowError::Header { fault: HeaderFault::Invalid { height: 2, reason }, .. } => {
                assert!(reason.contains(because), "{reason}");
            }
            other => panic!("{other}"),
        }
    }
}

#[test]
fn a_false_newest_block_with_the_commit_of_the_decided_one_is_refused() {
    let attack = Attack::new();
    let decided = attack.decided().signed;
    // Its own header under the commit of the decided block; then the commit says that it is for
    // that header.
    let mut signed = decided.clone();
    signed.header = attack.header.clone();
    attack.does_not_hold(signed.clone(), "invalid commit value");
    signed.commit.block_id.hash = signed.header.hash();
    attack.does_not_hold(signed, "false signature");
    // The decided header with its commit, and another block beside it.
    let beside = Height { header: attack.header.clone(), txs: attack.txs.clone(), signed: decided.clone() };
    let error = attack.fails(&attack.node(beside));
    assert!(matches!(error, FollowError::Header { fault: HeaderFault::Conflict { height: 2, .. }, .. }), "{error}");
    let error = attack.fails(&attack.node_with(decided));
    assert!(matches!(error, FollowError::Transactions { height: 2, .. }), "{error}");
}

#[test]
fn a_false_newest_block_signed_by_strangers_is_refused() {
    let attack = Attack::new();
    attack.does_not_hold(sign(attack.header.clone(), &STRANGERS, &STRANGERS), "faulty signer");
    let mut theirs = attack.header.clone();
    theirs.validators_hash = validators(&STRANGERS).hash();
    attack.does_not_hold(sign(theirs, &STRANGERS, &STRANGERS), "invalid validator set");
}

#[test]
fn a_false_newest_block_signed_by_two_thirds_of_the_power_is_refused() {
    let attack = Attack::new();
    attack.does_not_hold(sign(attack.header.clone(), &VALIDATORS, &[1, 3]), "insufficient signers overlap");
    attack.does_not_hold(sign(attack.header.clone(), &VALIDATORS, &[]), "no signatures");
}

#[test]
fn an_app_hash_that_nobody_signed_is_a_lie_of_one_node_and_stops_nobody() {
    let attack = Attack::new();
    let mut header = attack.header.clone();
    header.app_hash = AppHash::try_from(vec![9; 32]).unwrap();
    attack.does_not_hold(sign(header, &VALIDATORS, &[2]), "insufficient signers overlap");
}

#[test]
fn beside_another_archives_log_too_only_signed_headers_count() {
    let attack = Attack::new();
    let log = attack.chain.other_archive(|_, _| ());
    // The header fits: that it is not signed is all that is wrong with it.
    let liar = attack.node_with(sign(attack.decided().header, &VALIDATORS, &[1, 2]));
    let directory = tempfile::tempdir().unwrap();
    let shared = shared_in(&directory.path().join("archive"));
    let error = follow(&mut follower(&shared, &[&liar], Some(&log))).unwrap_err();
    assert!(matches!(&error, FollowError::Header { url, .. } if *url == liar.url) && !error.is_final(), "{error}");
    assert_eq!((shared.archive().version(), shared.records().unwrap().get(2).unwrap()), (1, None));
    let honest = attack.chain.honest_node();
    assert_eq!(follow(&mut follower(&shared, &[&liar, &honest], Some(&log))).unwrap(), 2);
    assert_has_the_chain(&shared, &attack.chain);
}
