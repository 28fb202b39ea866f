//! Validators as real processes under faults: whatever happens to some of them, all come to the
//! same state, no payment that a running node accepted is lost, and the total supply stays what
//! genesis made it.
//!
//! Needs CometBFT at `AARDVARK_COMETBFT`, as `cargo xtask test` sets it; without it the tests say
//! so and check nothing.

#![allow(clippy::unwrap_used, reason = "a test that cannot set its scene has failed")]

mod scene;

use std::time::{Duration, Instant};

use aardvark_localnet::{Node, SmallDisk};
use aardvark_node::validator::FAIL_POINTS;

use scene::bank::{OWNERS, account};
use scene::{PATIENCE, Scene};

/// Validators of each scene: one of them may fail.
const VALIDATORS: usize = 4;
/// Free bytes of the small disk before the ballast comes: room for what a validator writes in
/// seconds.
const ROOM: u64 = 8 << 20;
/// What the system says where a disk is full.
const FULL: &str = "No space left on device";

/// What is on the disk that gets full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Disk {
    /// Store and snapshots, as they are by default: whichever is written first.
    All,
    /// The store alone.
    Store,
}

impl Scene {
    /// A validator that dies by itself while payments come, and comes back.
    fn dies_at(&mut self, point: &str) {
        self.last().kill();
        self.last().start_with(&[], &[("AARDVARK_FAIL_POINT", point)]).unwrap();
        self.pay(3);
        self.last().wait_for_end(PATIENCE).unwrap();
        self.last().kill();
        self.last().start().unwrap();
        self.is_well();
    }

    /// A validator that is killed at once, CometBFT and application, at whatever they were doing.
    fn is_killed(&mut self, milliseconds: u64) {
        self.pay(3);
        std::thread::sleep(Duration::from_millis(milliseconds));
        self.last().kill();
        self.pay(3);
        self.last().start().unwrap();
        self.is_well();
    }

    /// Accounts are made and, while a validator is away, closed, so many that the block needs
    /// vectors below the tail, which only the archive has.
    fn misses_the_closing_of_accounts(&mut self) {
        let payment = self.bank.payment_to_new(40);
        self.submit(&[payment]);
        self.is_well();
        self.last().kill();
        let closing = self.bank.closing(36);
        self.submit(&[closing]);
        self.pay(3);
        self.last().start().unwrap();
        self.is_well();
    }

    /// What is applied is found as explorers and wallets look for it: by CometBFT's hash, by signer
    /// and by account.
    fn is_found_by_hash_signer_and_account(&mut self) {
        let payment = self.bank.payment_to_new(2);
        let newest = account(OWNERS + self.bank.newcomers() - 1);
        self.submit(std::slice::from_ref(&payment));
        self.is_well();
        let rpc = self.rpc();
        let (height, code) = rpc.transaction(&hex::encode(payment.block_hash())).unwrap();
        assert_eq!((code, height <= rpc.height().unwrap()), (0, true));
        let signer = hex::encode(payment.signatures[0].public_key);
        assert!(rpc.count(&format!("aardvark.signer='{signer}'")).unwrap() >= 1);
        assert_eq!(rpc.count(&format!("transfer.account='{}'", hex::encode(&*newest))).unwrap(), 1);
        assert_eq!(rpc.count(&format!("transfer.from='{}'", hex::encode(&*newest))).unwrap(), 0);
        // The hash of what was submitted is that of no block: its openings are gone.
        let submitted = hex::encode(<sha2::Sha256 as sha2::Digest>::digest(payment.encode()));
        assert!(rpc.transaction(&submitted).is_err());
    }

    /// A validator that is taken back one block with `cometbft rollback`, and comes again to where
    /// the others are.
    fn goes_back(&mut self, hard: bool, application: bool) {
        self.pay(3);
        self.last().kill();
        let height = self.last().roll_back(hard, application).unwrap();
        self.last().start().unwrap();
        self.last().wait_for_height(height + 3, PATIENCE).unwrap();
        self.is_well();
    }

    /// A validator that stands still while the others go on.
    fn is_paused(&mut self, seconds: u64) {
        self.last().pause();
        self.pay(3);
        std::thread::sleep(Duration::from_secs(seconds));
        self.last().resume();
        self.is_well();
    }

    /// All validators killed at once: two thirds must come back to the same block.
    fn all_are_killed(&mut self) {
        self.pay(3);
        let height = self.height() + 2;
        self.network.wait_for_height(height, PATIENCE).unwrap();
        self.network.nodes.iter_mut().for_each(Node::kill);
        self.network.start().unwrap();
        self.network.wait_for_height(height + 1, PATIENCE).unwrap();
        self.pay(3);
        self.is_well();
    }

    /// A validator whose CometBFT deletes blocks, but for those behind its oldest snapshot, while
    /// the others keep all of them.
    fn deletes_old_blocks(&mut self) {
        self.last().kill();
        self.last().start_with(&[], &[("AARDVARK_VALIDATOR_RETAIN_BLOCKS", "3")]).unwrap();
        // Three snapshots stay, five blocks apart.
        let height = self.height().max(20) + 2;
        self.network.wait_for_height(height, PATIENCE).unwrap();
        let begun = Instant::now();
        let earliest = loop {
            match self.last().rpc().earliest_height().unwrap() {
                earliest if earliest + 20 > height => break earliest,
                earliest => assert!(begun.elapsed() < Duration::from_secs(PATIENCE), "{earliest} of {height}"),
            }
            std::thread::sleep(Duration::from_millis(200));
        };
        let last = self.last().rpc().height().unwrap();
        assert!(earliest + 5 <= last, "{earliest} of {last}");
        assert_eq!(self.rpc().earliest_height().unwrap(), 1);
        self.is_well();
    }

    /// A node that was never there takes a snapshot, and follows from it.
    fn somebody_joins(&mut self, name: &str) {
        self.pay(3);
        self.network.wait_for_height(12, PATIENCE).unwrap();
        let mut joiner = self.network.joiner(name, 1).unwrap();
        joiner.start().unwrap();
        let height = self.height() + 5;
        joiner.wait_for_height(height, PATIENCE).unwrap();
        assert!(joiner.rpc().earliest_height().unwrap() > 1, "it replayed the chain from its beginning");
        let log = std::fs::read_to_string(joiner.application_log()).unwrap();
        assert!(log.contains("restored a snapshot"), "{log}");
        let height = joiner.rpc().height().unwrap();
        self.network.wait_for_height(height, PATIENCE).unwrap();
        assert_eq!(joiner.rpc().app_hash(height).unwrap(), self.network.common_app_hash(height).unwrap().unwrap());
        self.is_well();
    }

    /// A validator whose disk has no space left ends and says why, again so when it is started on
    /// the full disk, and comes back once there is space.
    fn disk_is_full(&mut self, what: Disk) {
        self.last().kill();
        let home = self.last().home().to_owned();
        let folder = home.join("aardvark");
        let Some(disk) = SmallDisk::over(&folder, size_of(&folder) + ROOM, &home.join("disk.log")).unwrap() else {
            eprintln!("skipped: the full disk, for this system allows no mount namespace");
            return self.last().start().unwrap();
        };
        if what == Disk::Store {
            let (elsewhere, snapshots) = (home.join("snapshots"), disk.inside().join("snapshots"));
            std::fs::create_dir_all(&elsewhere).unwrap();
            std::fs::remove_dir_all(&snapshots).unwrap();
            std::os::unix::fs::symlink(elsewhere, snapshots).unwrap();
        }
        let wrapper = disk.wrapper();
        let wrapper: Vec<&str> = wrapper.iter().map(String::as_str).collect();
        self.last().start_with(&wrapper, &[]).unwrap();
        self.is_well();
        disk.fill().unwrap();
        self.starves(what);
        self.last().start_with(&wrapper, &[]).unwrap();
        self.starves(what);
        disk.relieve().unwrap();
        self.last().start_with(&wrapper, &[]).unwrap();
        self.is_well();
        // Without the disk, below which the older store lies: CometBFT replays what that one lacks.
        self.last().kill();
        drop(disk);
        self.last().start().unwrap();
        self.is_well();
    }

    /// The last validator ends for want of space, with the reason as its last word.
    fn starves(&mut self, what: Disk) {
        let begun = Instant::now();
        while self.last().application_runs() {
            assert!(begun.elapsed() < Duration::from_secs(PATIENCE), "it goes on without space");
            let payment = self.bank.payment_to_new(100);
            self.submit(&[payment]);
            std::thread::sleep(Duration::from_secs(1));
        }
        let said = std::fs::read_to_string(self.last().application_log()).unwrap();
        let reason = said.trim_end().lines().last().unwrap_or_default();
        let named = reason.contains("the store:") || (what == Disk::All && reason.contains("the snapshot at"));
        assert!(named && reason.contains(FULL), "{reason}");
        eprintln!("{what:?}: {reason}");
        self.last().kill();
    }
}

/// Bytes of all files below a folder.
fn size_of(folder: &std::path::Path) -> u64 {
    let size = |entry: std::fs::DirEntry| match entry.metadata().unwrap() {
        metadata if metadata.is_dir() => size_of(&entry.path()),
        metadata => metadata.len(),
    };
    std::fs::read_dir(folder).unwrap().map(|entry| size(entry.unwrap())).sum()
}

#[test]
fn four_validators_survive_a_death_before_a_commit_a_kill_of_all_and_a_newcomer() {
    let Some(mut scene) = Scene::start(VALIDATORS) else { return };
    scene.pay(5);
    scene.is_found_by_hash_signer_and_account();
    scene.goes_back(false, false);
    scene.goes_back(false, true);
    scene.goes_back(true, true);
    scene.dies_at("before-commit");
    scene.misses_the_closing_of_accounts();
    scene.all_are_killed();
    scene.deletes_old_blocks();
    scene.somebody_joins("joiner");
}

#[test]
#[ignore = "minutes: cargo xtask test --long"]
fn four_validators_survive_every_step_of_a_commit_kills_pauses_and_a_full_disk() {
    let Some(mut scene) = Scene::start(VALIDATORS) else { return };
    for point in FAIL_POINTS {
        scene.dies_at(point);
    }
    for milliseconds in [0, 130, 290, 410, 570] {
        scene.is_killed(milliseconds);
    }
    scene.misses_the_closing_of_accounts();
    scene.is_paused(60);
    scene.disk_is_full(Disk::All);
    scene.disk_is_full(Disk::Store);
    scene.all_are_killed();
    scene.somebody_joins("joiner");
}
