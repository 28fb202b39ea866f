//! Runs on a chain that grow or are replaced: what is made passes the policy and keeps the chain's
//! limits, is carried on after a kill, and is not put where another keeper was first.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a broken premise must stop a test")]

mod chain_scene;

use std::sync::Arc;

use aardvark_aggregates::{Head, TableKey};
use aardvark_archive::RedbStore;
use aardvark_dictionary::{Key, Limits};
use aardvark_tables::chain::{ChainStep, Written};
use aardvark_tables::source::csv::CsvSource;
use aardvark_tables::{AnswerParts, ChainKeeper, ImportOptions, Renewal, TablesError};

use chain_scene::{Life, Scene, TestLedger, import, schema};

/// Three segments of a run a transaction, or two behind one that is no head's.
fn scene() -> Scene {
    let limits = Limits { transaction_operations: 9, ..Limits::default() };
    let mut scene = Scene::new(limits);
    let (life, mut keeper) = (Life::endless(), scene.keeper(&Life::endless()).unwrap());
    keeper.create(&mut scene.ledger(&life), "meters", &schema()).unwrap();
    // A run each of times 1 and 2.
    import(&mut keeper, &mut scene.ledger(&life), [(1, 10)].into_iter(), false).unwrap();
    import(&mut keeper, &mut scene.ledger(&life), [(2, 20)].into_iter(), false).unwrap();
    scene
}

/// Renews runs by rows of times and numbers, four a segment.
fn renew(
    keeper: &mut ChainKeeper,
    ledger: &mut TestLedger<'_>,
    rows: &[(u32, u32)],
    renewal: Renewal,
    again: bool,
) -> Result<Written, TablesError> {
    let schema = keeper.schema(ledger, "meters")?;
    let lines: String = rows.iter().enumerate().map(|(i, (time, power))| format!("{time},{power},new{i}\n")).collect();
    let text = format!("time,power,user\n{lines}");
    let mut source = CsvSource::new(text.as_bytes(), &schema, &Default::default())?;
    let options = ImportOptions { sheet: 8, memory: 512 };
    let mut steps = |_: ChainStep| {};
    keeper.renew(ledger, ("meters", &schema), &mut source, (renewal, &options), again, &mut steps)
}

/// As many rows of a time, ascending from a number on.
fn ascending(time: u32, from: u32, count: u32) -> Vec<(u32, u32)> {
    (from..from + count).map(|number| (time, number)).collect()
}

/// Nothing is under way and all agrees; how many rows there are.
fn settled(scene: &Scene) -> u64 {
    let audited = scene.audit();
    assert_eq!(audited.findings, []);
    assert_eq!([b'p', b'j', b'k', b'u'].map(|first| scene.entries(first)), [0; 4]);
    audited.rows
}

/// The segments that each transaction puts, behind the first three.
fn put(scene: &Scene) -> Vec<usize> {
    scene.applied[3..].iter().map(|signed| signed.certificates.len()).collect()
}

#[test]
fn runs_grow_over_several_transactions_and_are_replaced() {
    let mut scene = scene();
    let life = Life::endless();
    let mut keeper = scene.keeper(&life).unwrap();
    // Eight segments behind the first of time 1; of time 2 a run of its own, since 5 is before 20;
    // a new time.
    let rows = [ascending(1, 30, 30), vec![(2, 5)], ascending(3, 1, 2)].concat();
    // What stands on a transaction that is not taken waits for it.
    scene.busy = 1;
    let written = renew(&mut keeper, &mut scene.ledger(&life), &rows, Renewal::Extend, false).unwrap();
    assert_eq!((written.done.counts.rows, written.done.counts.runs, written.done.counts.sheets), (33, 3, 10));
    assert_eq!(put(&scene), [3, 2, 2, 2, 1], "the last segment of time 1 has room for time 2 behind it");
    assert_eq!(settled(&scene), 35);
    // Once more, and behind all of it: what stands before is a segment now.
    let again = renew(&mut keeper, &mut scene.ledger(&life), &rows, Renewal::Extend, false).unwrap();
    assert!(again.repeated && again.done == written.done);
    renew(&mut keeper, &mut scene.ledger(&life), &ascending(1, 100, 2), Renewal::Extend, false).unwrap();
    assert_eq!((put(&scene), settled(&scene)), (vec![3, 2, 2, 2, 1, 1], 37));
    // Time 1 gets five rows, in two segments of a revision of its own; time 2 one, and its other
    // run goes.
    let rows = [ascending(1, 7, 5), vec![(2, 8)]].concat();
    let written = renew(&mut keeper, &mut scene.ledger(&life), &rows, Renewal::Amend, false).unwrap();
    assert_eq!((written.done.counts.runs, written.done.counts.sheets), (2, 3));
    assert_eq!(settled(&scene), 8);
    let keeper = scene.answering();
    let version = keeper.archive().version();
    let parts = AnswerParts { certificates: true, root: None };
    let (answer, _) = keeper.answer("meters", "sum(power)", version, &parts).unwrap();
    assert_eq!(answer.totals[0][0].to_string(), (7 + 8 + 9 + 10 + 11 + 8 + 1 + 2).to_string());
    keeper.answer("meters", "median(power) where time = 1", version, &parts).unwrap();
    // What stood before is still answered of.
    let (answer, _) = keeper.answer("meters", "count(power)", version - 4, &parts).unwrap();
    assert!(answer.runs.len() >= 3);
}

#[test]
fn a_renewal_killed_at_any_step_is_carried_on_and_puts_each_row_once() {
    let rows = [ascending(1, 30, 13), vec![(2, 5)]].concat();
    for renewal in [Renewal::Extend, Renewal::Amend] {
        let mut killed_at = [0, 0];
        'kills: for steps in 0.. {
            for last_is_made in [false, true] {
                let mut scene = scene();
                let before = scene.applied.len();
                let life = Life::of(steps, last_is_made);
                let outcome = scene
                    .keeper(&life)
                    .and_then(|mut keeper| renew(&mut keeper, &mut scene.ledger(&life), &rows, renewal, false));
                assert_eq!(outcome.is_err(), life.is_over(), "{steps}");
                killed_at[usize::from(scene.applied.len() > before)] += 1;
                // Whoever carries on may be killed, too.
                let life = Life::of(steps % 7, last_is_made);
                let _ = scene
                    .keeper(&life)
                    .and_then(|mut keeper| renew(&mut keeper, &mut scene.ledger(&life), &rows, renewal, false));
                let life = Life::endless();
                let mut keeper = scene.keeper(&life).unwrap();
                renew(&mut keeper, &mut scene.ledger(&life), &rows, renewal, false).unwrap();
                drop(keeper);
                let expected = if renewal == Renewal::Extend { 2 + 14 } else { 14 };
                assert_eq!(settled(&scene), expected, "{steps} {last_is_made}");
                // Secrets of all segments that ever stood, and an index of their rows.
                assert_eq!((scene.entries(b's'), scene.entries(b'i')), (2 + 5, 2 + 14));
                if outcome.is_ok() {
                    break 'kills;
                }
            }
        }
        assert!(killed_at[0] > 6 && killed_at[1] > 6, "{killed_at:?}");
    }
}

#[test]
fn a_run_that_another_keeper_has_replaced_meanwhile_does_not_grow_and_can_be_given_up() {
    let mut scene = scene();
    let life = Life::endless();
    let other = Arc::new(RedbStore::in_memory().unwrap());
    let mut keeper = scene.keeper(&life).unwrap();
    scene.lost = usize::MAX;
    let rows = [ascending(1, 30, 20), vec![(2, 30)]].concat();
    let error = renew(&mut keeper, &mut scene.ledger(&life), &rows, Renewal::Extend, false).unwrap_err();
    assert!(matches!(error, TablesError::NotApplied(_)), "{error}");
    scene.lost = 0;
    // The other one has no rows of time 1, and none of them grows; it replaces them.
    let mut other = scene.keeper_on(&other, &life).unwrap();
    renew(&mut other, &mut scene.ledger(&life), &[(1, 50)], Renewal::Extend, false).unwrap();
    renew(&mut other, &mut scene.ledger(&life), &[(1, 60)], Renewal::Amend, false).unwrap();
    let error = keeper.carry_on(&mut scene.ledger(&life), &mut |_| {}).unwrap_err();
    assert!(matches!(error, TablesError::Taken(_)), "{error}");
    let last = keeper.under_way().unwrap().unwrap().last_valid;
    while scene.archive.version() <= last {
        import(&mut other, &mut scene.ledger(&life), [(40, 1)].into_iter(), true).unwrap();
    }
    let given_up = keeper.give_up(&mut scene.ledger(&life)).unwrap();
    assert!(given_up.transactions >= 2 && given_up.segments == 6, "{given_up:?}");
    assert_eq!((scene.entries(b's'), scene.entries(b'i')), (2, 2));
    assert_eq!(scene.audit_public().findings, []);
}

/// The numbers of rows of the runs of a time, by the numbers of the runs.
fn rows_of_runs(scene: &Scene, time: u32) -> Vec<(u32, u64)> {
    let key = |run| TableKey::Head { table: "meters".to_owned(), column: 0, columns: time.to_be_bytes().to_vec(), run };
    let head = |run| scene.archive.get(&Key::from(key(run).to_bytes()), scene.archive.version()).unwrap();
    let rows = |run| head(run).map(|value| (run, Head::from_bytes(&value, 1).unwrap().rows()));
    (0..9).filter_map(rows).collect()
}

#[test]
fn a_run_of_another_keeper_under_the_number_of_one_that_was_deleted_does_not_grow() {
    let mut scene = scene();
    let life = Life::endless();
    let mut keeper = scene.keeper(&life).unwrap();
    let mut other = scene.keeper_on(&Arc::new(RedbStore::in_memory().unwrap()), &life).unwrap();
    other.delete(&mut scene.ledger(&life), "meters", &1u32.to_be_bytes()).unwrap();
    import(&mut other, &mut scene.ledger(&life), [(1, 5)].into_iter(), false).unwrap();
    assert_eq!(rows_of_runs(&scene, 1), [(0, 1)], "the number is used again");
    // The vault has a row of that number, whose run is no more.
    renew(&mut keeper, &mut scene.ledger(&life), &[(1, 30)], Renewal::Extend, false).unwrap();
    assert_eq!(rows_of_runs(&scene, 1), [(0, 1), (1, 1)]);
    // Its own run grows, though the row that it has under the other's number ends behind it.
    renew(&mut other, &mut scene.ledger(&life), &[(1, 6)], Renewal::Extend, false).unwrap();
    renew(&mut keeper, &mut scene.ledger(&life), &[(1, 31)], Renewal::Extend, false).unwrap();
    assert_eq!(rows_of_runs(&scene, 1), [(0, 2), (1, 2)]);
    assert_eq!(scene.audit_public().findings, []);
}

/// A scene whose keeper has a renewal of these rows in its vault of which nothing was applied;
/// since then another keeper has put runs of times 3 and 4, and what was sent cannot be applied any
/// more.
fn raced(rows: &[(u32, u32)], renewal: Renewal) -> Scene {
    let (mut scene, life) = (scene(), Life::endless());
    let mut keeper = scene.keeper(&life).unwrap();
    let mut other = scene.keeper_on(&Arc::new(RedbStore::in_memory().unwrap()), &life).unwrap();
    scene.lost = usize::MAX;
    let error = renew(&mut keeper, &mut scene.ledger(&life), rows, renewal, false).unwrap_err();
    assert!(matches!(error, TablesError::NotApplied(_)), "{error}");
    scene.lost = 0;
    import(&mut other, &mut scene.ledger(&life), [(3, 7), (4, 8)].into_iter(), false).unwrap();
    let error = keeper.carry_on(&mut scene.ledger(&life), &mut |_| {}).unwrap_err();
    let last = keeper.under_way().unwrap().unwrap().last_valid;
    assert!(matches!(error, TablesError::TakenAfterSending { version, .. } if version == last), "{error}");
    while scene.archive.version() <= last {
        scene.apply_together(&[]).unwrap();
    }
    scene
}

#[test]
fn new_runs_of_a_renewal_whose_numbers_another_keeper_has_taken_get_others_in_all_their_transactions() {
    // A segment of time 1, five of time 3 over several transactions, one of time 4.
    let rows = [ascending(1, 30, 4), ascending(3, 1, 20), vec![(4, 9)]].concat();
    for renewal in [Renewal::Extend, Renewal::Amend] {
        let mut scene = raced(&rows, renewal);
        let life = Life::endless();
        let mut keeper = scene.keeper(&life).unwrap();
        keeper.carry_on(&mut scene.ledger(&life), &mut |_| {}).unwrap();
        let of_one = if renewal == Renewal::Extend { 5 } else { 4 };
        let runs = [1, 3, 4].map(|time| rows_of_runs(&scene, time));
        assert_eq!(runs, [vec![(0, of_one)], vec![(0, 1), (1, 20)], vec![(0, 1), (1, 1)]]);
        assert_eq!(scene.audit_public().findings, []);
        let kept = [b's', b'i', b'p', b'j', b'k', b'u'].map(|first| scene.entries(first));
        assert_eq!(kept, [2 + 1 + 5 + 1, 2 + 4 + 20 + 1, 0, 0, 0, 0]);
        // The vault has the rows as they stand: its run grows.
        renew(&mut keeper, &mut scene.ledger(&life), &[(3, 100)], Renewal::Extend, false).unwrap();
        assert_eq!(rows_of_runs(&scene, 3), [(0, 1), (1, 21)]);
        assert!(renew(&mut keeper, &mut scene.ledger(&life), &rows, renewal, false).unwrap().repeated);
    }
}

#[test]
fn a_renewal_whose_runs_get_other_numbers_puts_each_row_once_wherever_it_is_killed() {
    let rows = [ascending(3, 1, 14), vec![(4, 9)]].concat();
    let mut killed = 0;
    for steps in 0.. {
        let mut scene = raced(&rows, Renewal::Extend);
        let life = Life::of(steps, steps % 2 == 0);
        let carried_on =
            scene.keeper(&life).and_then(|mut keeper| keeper.carry_on(&mut scene.ledger(&life), &mut |_| {}));
        killed += u32::from(carried_on.is_err());
        let life = Life::endless();
        scene.keeper(&life).unwrap().carry_on(&mut scene.ledger(&life), &mut |_| {}).unwrap();
        let runs = [3, 4].map(|time| rows_of_runs(&scene, time));
        assert_eq!(runs, [vec![(0, 1), (1, 14)], vec![(0, 1), (1, 1)]], "{steps}");
        let kept = [b's', b'i', b'p', b'j', b'k', b'u'].map(|first| scene.entries(first));
        assert_eq!(kept, [2 + 4 + 1, 2 + 14 + 1, 0, 0, 0, 0], "{steps}");
        if carried_on.is_ok() {
            break;
        }
    }
    assert!(killed > 6, "{killed}");
}

#[test]
fn what_a_table_does_not_allow_is_not_begun() {
    let mut scene = scene();
    let life = Life::endless();
    let mut keeper = scene.keeper(&life).unwrap();
    keeper.seal(&mut scene.ledger(&life), "meters", 2u32.to_be_bytes().to_vec()).unwrap();
    for renewal in [Renewal::Extend, Renewal::Amend] {
        let error = renew(&mut keeper, &mut scene.ledger(&life), &[(1, 90)], renewal, false).unwrap_err();
        assert!(matches!(error, TablesError::Source(_) | TablesError::Policy(_)), "{error}");
        assert_eq!(keeper.under_way().unwrap(), None);
    }
    assert_eq!(settled(&scene), 2);
}

/// A scene whose keeper was killed when so many transactions of a write were applied, and the last
/// of these is still thought to be under way.
fn killed_behind(applied: usize, write: impl Fn(&mut Scene, &Life) -> Result<Written, TablesError>) -> Scene {
    for steps in 0.. {
        let mut scene = scene();
        let before = scene.applied.len();
        assert!(write(&mut scene, &Life::of(steps, false)).is_err(), "it is not killed");
        if scene.applied.len() == before + applied {
            return scene;
        }
    }
    unreachable!()
}

#[test]
fn what_was_applied_and_changed_by_another_keeper_since_is_not_put_again() {
    let life = Life::endless();
    let other = |scene: &Scene| scene.keeper_on(&Arc::new(RedbStore::in_memory().unwrap()), &life).unwrap();
    // A run that grew by three of its five segments, and is replaced: these stay in the vault, for
    // versions before.
    let mut scene = killed_behind(1, |scene, life| {
        let mut keeper = scene.keeper(life)?;
        renew(&mut keeper, &mut scene.ledger(life), &ascending(1, 30, 20), Renewal::Extend, false)
    });
    let mut other_one = other(&scene);
    renew(&mut other_one, &mut scene.ledger(&life), &[(1, 60)], Renewal::Amend, false).unwrap();
    let mut keeper = scene.keeper(&life).unwrap();
    let error = keeper.carry_on(&mut scene.ledger(&life), &mut |_| {}).unwrap_err();
    assert!(matches!(error, TablesError::Taken(_)), "{error}");
    assert_eq!(scene.entries(b'k'), 1, "the first is known to be applied");
    let last = keeper.under_way().unwrap().unwrap().last_valid;
    while scene.archive.version() <= last {
        import(&mut other_one, &mut scene.ledger(&life), [(40, 1)].into_iter(), true).unwrap();
    }
    let given_up = keeper.give_up(&mut scene.ledger(&life)).unwrap();
    assert_eq!((given_up.transactions, given_up.segments), (1, 2));
    assert_eq!((scene.entries(b's'), scene.entries(b'i')), (2 + 3, 2 + 12));

    // A run that began, and is replaced: it gets no other number.
    let mut scene = killed_behind(1, |scene, life| {
        let mut keeper = scene.keeper(life)?;
        import(&mut keeper, &mut scene.ledger(life), [(7, 1)].into_iter(), false)
    });
    let mut other_one = other(&scene);
    renew(&mut other_one, &mut scene.ledger(&life), &[(7, 60)], Renewal::Amend, false).unwrap();
    let version = scene.archive.version();
    let error = scene.keeper(&life).unwrap().carry_on(&mut scene.ledger(&life), &mut |_| {}).unwrap_err();
    assert!(matches!(error, TablesError::Taken(_)), "{error}");
    assert_eq!(scene.archive.version(), version);
}
