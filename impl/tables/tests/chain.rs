//! Tables on a chain, from the keeper's side: what is made passes the policy and keeps the chain's
//! limits; what is killed, lost, refused or taken by another keeper is carried on or given up, and
//! no row is put twice.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a broken premise must stop a test")]

mod chain_scene;

use std::sync::Arc;

use aardvark_aggregates::TableKey;
use aardvark_archive::RedbStore;
use aardvark_dictionary::{Key, Limits, Operation};
use aardvark_tables::chain::ChainStep;
use aardvark_tables::{AnswerParts, ChainKeeper, TablesError};

use chain_scene::{Life, Scene, import, schema};

/// A few runs a sheet.
fn limits() -> Limits {
    Limits { transaction_operations: 9, ..Limits::default() }
}

fn scene() -> Scene {
    let mut scene = Scene::new(limits());
    let (life, mut keeper) = (Life::endless(), scene.keeper(&Life::endless()).unwrap());
    let version = keeper.create(&mut scene.ledger(&life), "meters", &schema()).unwrap().done.version;
    assert_eq!((version, scene.archive.version()), (1, 1));
    scene
}

/// Rows of a key each, so that there is a run for each.
fn rows(times: std::ops::Range<u32>) -> impl Iterator<Item = (u32, u32)> {
    times.map(|time| (time, time * 37 % 256))
}

/// All that the vault holds is the dictionary's, and nothing is under way.
fn is_settled(scene: &Scene) -> u64 {
    let audited = scene.audit();
    assert_eq!(audited.findings, []);
    assert_eq!(scene.entries(b's') as u64, audited.runs);
    assert_eq!(scene.entries(b'i') as u64, audited.rows);
    assert_eq!([b'p', b'j', b'k'].map(|first| scene.entries(first)), [0, 0, 0]);
    audited.rows
}

#[test]
fn rows_go_to_the_chain_sheet_by_sheet_and_are_answered_of_from_its_archive() {
    let mut scene = scene();
    let life = Life::endless();
    let mut keeper = scene.keeper(&life).unwrap();
    let mut steps = Vec::new();
    let written = {
        let mut ledger = scene.ledger(&life);
        let schema = keeper.schema(&mut ledger, "meters").unwrap();
        let text =
            "time,power,user\n".to_owned() + &rows(0..10).map(|(t, p)| format!("{t},{p},u\n")).collect::<String>();
        let mut source =
            aardvark_tables::source::csv::CsvSource::new(text.as_bytes(), &schema, &Default::default()).unwrap();
        let mut seen = |step| steps.push(step);
        let options = Default::default();
        keeper.import(&mut ledger, ("meters", &schema), &mut source, &options, false, &mut seen).unwrap()
    };
    // Nine operations: the schema's, and two for each of four runs.
    assert_eq!((written.done.counts.rows, written.done.counts.runs, written.done.counts.sheets), (10, 10, 3));
    assert!(
        !written.repeated && steps.contains(&ChainStep::Applied(3, 3)) && steps.contains(&ChainStep::Certified(10, 10))
    );
    assert_eq!(scene.archive.version(), 4);
    let of_import = &scene.applied[1..];
    assert_eq!(of_import.iter().map(|signed| signed.certificates[0].segments).collect::<Vec<_>>(), [4, 4, 2]);
    assert!(matches!(of_import[0].transaction.operations[0], Operation::Require(_, Some(_))));
    assert_eq!(is_settled(&scene), 10);

    // A key is closed; one run goes; a third import has another run of a key.
    let sealed = keeper.seal(&mut scene.ledger(&life), "meters", 5u32.to_be_bytes().to_vec()).unwrap();
    assert_eq!(sealed.done.version, 5);
    let deleted = keeper.delete(&mut scene.ledger(&life), "meters", &7u32.to_be_bytes()).unwrap();
    assert_eq!((deleted.done.counts.runs, deleted.done.version), (1, 6));
    let closed = keeper.delete(&mut scene.ledger(&life), "meters", &3u32.to_be_bytes()).unwrap_err();
    assert!(matches!(closed, TablesError::Policy(_)), "{closed}");
    import(&mut keeper, &mut scene.ledger(&life), [(8, 1), (8, 2), (9, 3)].into_iter(), false).unwrap();
    drop(keeper);
    let audited = scene.audit();
    assert_eq!((audited.findings.len(), audited.runs, audited.rows), (0, 11, 12));

    let keeper = scene.answering();
    let version = keeper.archive().version();
    let parts = AnswerParts { certificates: true, root: None };
    let sum: u32 = rows(0..10).filter(|(time, _)| *time != 7).map(|(_, power)| power).sum::<u32>() + 6;
    let (answer, _) = keeper.answer("meters", "sum(power)", version, &parts).unwrap();
    assert_eq!(answer.totals[0][0].to_string(), sum.to_string());
    keeper.answer("meters", "median(power) where time > 6", version, &parts).unwrap();
}

#[test]
fn the_same_rows_are_put_once_until_they_are_asked_for_again() {
    let mut scene = scene();
    let life = Life::endless();
    let mut keeper = scene.keeper(&life).unwrap();
    let first = import(&mut keeper, &mut scene.ledger(&life), rows(0..6), false).unwrap();
    let version = scene.archive.version();
    let second = import(&mut keeper, &mut scene.ledger(&life), rows(0..6), false).unwrap();
    assert_eq!((second.repeated, second.done, scene.archive.version()), (true, first.done, version));
    let other = import(&mut keeper, &mut scene.ledger(&life), rows(0..5), false).unwrap();
    assert!(!other.repeated);
    let again = import(&mut keeper, &mut scene.ledger(&life), rows(0..6), true).unwrap();
    assert!(!again.repeated && again.done.version == scene.archive.version());
    assert_eq!(is_settled(&scene), 17);
    assert!(matches!(keeper.create(&mut scene.ledger(&life), "meters", &schema()), Err(TablesError::Exists(_))));
}

#[test]
fn an_import_killed_at_any_step_is_carried_on_and_puts_each_row_once() {
    let mut killed_at = [0, 0];
    'kills: for steps in 0.. {
        for last_is_made in [false, true] {
            let mut scene = scene();
            let life = Life::of(steps, last_is_made);
            let outcome = scene
                .keeper(&life)
                .and_then(|mut keeper| import(&mut keeper, &mut scene.ledger(&life), rows(0..6), false));
            assert_eq!(outcome.is_err(), life.is_over(), "{steps}");
            let sent_some = scene.applied.len() > 1;
            killed_at[usize::from(sent_some)] += 1;
            // Whoever carries on may be killed, too.
            let life = Life::of(steps % 7, last_is_made);
            let _ = scene
                .keeper(&life)
                .and_then(|mut keeper| import(&mut keeper, &mut scene.ledger(&life), rows(0..6), false));
            let life = Life::endless();
            let mut keeper = scene.keeper(&life).unwrap();
            let written = import(&mut keeper, &mut scene.ledger(&life), rows(0..6), false).unwrap();
            assert_eq!(written.done.counts.rows, 6);
            drop(keeper);
            assert_eq!(is_settled(&scene), 6, "{steps} {last_is_made}");
            if outcome.is_ok() {
                break 'kills;
            }
        }
    }
    assert!(killed_at[0] > 6 && killed_at[1] > 6, "{killed_at:?}");
}

#[test]
fn what_is_lost_is_made_again_with_the_same_record_and_not_for_ever() {
    let mut scene = scene();
    let life = Life::endless();
    let mut keeper = scene.keeper(&life).unwrap();
    scene.lost = 2;
    import(&mut keeper, &mut scene.ledger(&life), rows(0..3), false).unwrap();
    assert_eq!((scene.lost, is_settled(&scene)), (0, 3));

    scene.lost = usize::MAX;
    let error = import(&mut keeper, &mut scene.ledger(&life), rows(3..5), false).unwrap_err();
    assert!(matches!(&error, TablesError::NotApplied(reason) if reason == "expired"), "{error}");
    let job = keeper.under_way().unwrap().unwrap();
    assert!(job.is_ready && job.last_valid > 50, "{job:?}");
    // It cannot be given up while something of it may come.
    let error = keeper.give_up(&mut scene.ledger(&life)).unwrap_err();
    assert!(matches!(error, TablesError::MayCome(last) if last == job.last_valid), "{error}");
    // Another write carries it on first.
    scene.lost = 0;
    keeper.seal(&mut scene.ledger(&life), "meters", 1u32.to_be_bytes().to_vec()).unwrap();
    assert_eq!(is_settled(&scene), 5);
    let sealed = keeper.schema(&mut scene.ledger(&life), "meters").unwrap().watermark;
    assert_eq!(sealed, 1u32.to_be_bytes(), "and is done itself");
}

/// How many runs of a time there are, by the numbers of their heads.
fn runs_of(scene: &Scene, time: u32) -> Vec<u32> {
    let key = |run| TableKey::Head { table: "meters".to_owned(), column: 0, columns: time.to_be_bytes().to_vec(), run };
    let stands = |run: &u32| {
        let key = Key::from(key(*run).to_bytes());
        scene.archive.get(&key, scene.archive.version()).unwrap().is_some()
    };
    (0..9).filter(stands).collect()
}

/// Another keeper of the same tables.
fn other_keeper(scene: &Scene) -> ChainKeeper {
    scene.keeper_on(&Arc::new(RedbStore::in_memory().unwrap()), &Life::endless()).unwrap()
}

#[test]
fn a_run_whose_number_another_keeper_has_taken_gets_another() {
    let mut scene = scene();
    let life = Life::endless();
    let mut other = other_keeper(&scene);
    // Of the first sheet one, of the second two, of which one twice.
    for times in [2..3, 5..7, 5..6] {
        import(&mut other, &mut scene.ledger(&life), rows(times), true).unwrap();
    }
    let mut keeper = scene.keeper(&life).unwrap();
    let written = import(&mut keeper, &mut scene.ledger(&life), rows(0..8), false).unwrap();
    assert_eq!((written.done.counts.rows, written.done.counts.runs, written.done.counts.sheets), (8, 8, 2));
    assert_eq!([1, 2, 5, 6].map(|time| runs_of(&scene, time)), [vec![0], vec![0, 1], vec![0, 1, 2], vec![0, 1]]);
    let audited = scene.audit_public();
    assert_eq!((audited.findings, audited.rows), (vec![], 4 + 8));
    // The vault has the rows where they stand, and nothing of where they did not come to stand.
    assert_eq!([b's', b'i', b'p', b'j', b'k', b'u'].map(|first| scene.entries(first)), [8, 8, 0, 0, 0, 0]);
    let again = import(&mut keeper, &mut scene.ledger(&life), rows(0..8), false).unwrap();
    assert!(again.repeated);
    drop(keeper);
    let keeper = scene.answering();
    let version = keeper.archive().version();
    let parts = AnswerParts { certificates: true, root: None };
    let (answer, _) = keeper.answer("meters", "sum(power) where time < 2", version, &parts).unwrap();
    assert_eq!(answer.totals[0][0].to_string(), "37");
    let place = aardvark_tables::SegmentPlace::of_entry(&answer.runs[0].slot.key, &answer.runs[0].slot.value);
    assert!(place.is_some_and(|place| keeper.vault().segment(&place).unwrap().is_some()));
}

#[test]
fn rows_that_get_other_numbers_are_put_once_however_often_the_process_is_killed() {
    'kills: for steps in 0.. {
        for last_is_made in [false, true] {
            let mut scene = scene();
            let mut other = other_keeper(&scene);
            import(&mut other, &mut scene.ledger(&Life::endless()), rows(2..4), false).unwrap();
            let life = Life::of(steps, last_is_made);
            let outcome = scene
                .keeper(&life)
                .and_then(|mut keeper| import(&mut keeper, &mut scene.ledger(&life), rows(0..6), false));
            assert_eq!(outcome.is_err(), life.is_over(), "{steps}");
            let life = Life::endless();
            let mut keeper = scene.keeper(&life).unwrap();
            match keeper.carry_on(&mut scene.ledger(&life), &mut |_| {}) {
                // What was sent of a run that was there before cannot be applied: it was not sent.
                Err(error) => panic!("{error}"),
                Ok(_) => drop(import(&mut keeper, &mut scene.ledger(&life), rows(0..6), false).unwrap()),
            }
            let audited = scene.audit_public();
            assert_eq!((audited.findings, audited.rows), (vec![], 2 + 6), "{steps} {last_is_made}");
            assert_eq!([b's', b'i', b'p', b'k', b'u'].map(|first| scene.entries(first)), [6, 6, 0, 0, 0]);
            if outcome.is_ok() {
                break 'kills;
            }
        }
    }
}

#[test]
fn what_was_sent_gets_another_number_only_when_it_cannot_be_applied_any_more() {
    let mut scene = scene();
    let life = Life::endless();
    let mut other = other_keeper(&scene);
    let mut keeper = scene.keeper(&life).unwrap();
    scene.lost = usize::MAX;
    let error = import(&mut keeper, &mut scene.ledger(&life), rows(5..6), false).unwrap_err();
    assert!(matches!(error, TablesError::NotApplied(_)), "{error}");
    scene.lost = 0;
    import(&mut other, &mut scene.ledger(&life), rows(5..6), false).unwrap();
    // The other's run could be deleted, and what was sent be applied then.
    let last = keeper.under_way().unwrap().unwrap().last_valid;
    let error = keeper.carry_on(&mut scene.ledger(&life), &mut |_| {}).unwrap_err();
    assert!(matches!(error, TablesError::TakenAfterSending { version, .. } if version == last), "{error}");
    while scene.archive.version() <= last {
        import(&mut other, &mut scene.ledger(&life), rows(40..41), true).unwrap();
    }
    scene.nodes_are_behind = true;
    let error = keeper.carry_on(&mut scene.ledger(&life), &mut |_| {}).unwrap_err();
    assert!(matches!(error, TablesError::TakenAfterSending { .. }), "{error}");
    scene.nodes_are_behind = false;
    // Archives that have not got all versions that may have it do not know.
    scene.archives_have = Some(last - 1);
    let error = keeper.carry_on(&mut scene.ledger(&life), &mut |_| {}).unwrap_err();
    assert!(matches!(error, TablesError::TakenAfterSending { .. }), "{error}");
    scene.archives_have = None;
    keeper.carry_on(&mut scene.ledger(&life), &mut |_| {}).unwrap();
    assert_eq!(runs_of(&scene, 5), [0, 1]);
    assert_eq!([b's', b'i', b'k', b'u'].map(|first| scene.entries(first)), [1, 1, 0, 0]);
}

/// A scene, made anew, whose keeper was killed as one of its transactions was applied that imports
/// these rows, and that one is still thought to be under way.
fn killed_behind_one(made: impl Fn() -> Scene, times: std::ops::Range<u32>) -> Scene {
    for steps in 0.. {
        let (mut scene, life) = (made(), Life::of(steps, false));
        let before = scene.applied.len();
        let outcome = scene
            .keeper(&life)
            .and_then(|mut one| import(&mut one, &mut scene.ledger(&life), rows(times.clone()), false));
        assert!(outcome.is_err(), "it is not killed");
        if scene.applied.len() > before {
            return scene;
        }
    }
    unreachable!()
}

/// Lets blocks come until nothing may be applied any more that the keeper has sent.
fn until_past(scene: &mut Scene, other: &mut ChainKeeper) {
    let life = Life::endless();
    let last = scene.keeper(&life).unwrap().under_way().unwrap().unwrap().last_valid;
    while scene.archive.version() <= last {
        import(other, &mut scene.ledger(&life), rows(40..41), true).unwrap();
    }
}

#[test]
fn what_is_left_of_a_sheet_of_which_another_keeper_has_deleted_a_run_is_not_put_again() {
    let mut scene = killed_behind_one(scene, 0..2);
    let life = Life::endless();
    let mut other = other_keeper(&scene);
    other.delete(&mut scene.ledger(&life), "meters", &1u32.to_be_bytes()).unwrap();
    until_past(&mut scene, &mut other);
    scene.keeper(&life).unwrap().carry_on(&mut scene.ledger(&life), &mut |_| {}).unwrap();
    assert_eq!([0, 1].map(|time| runs_of(&scene, time)), [vec![0], vec![]]);
    let key = TableKey::Head { table: "meters".to_owned(), column: 0, columns: vec![0; 4], run: 0 };
    let place = aardvark_tables::SegmentPlace { head: key.to_bytes(), revision: 0, segment: 0 };
    assert!(scene.keeper(&life).unwrap().vault().segment(&place).unwrap().is_some(), "its rows stay in the vault");
    assert_eq!([b's', b'i', b'p', b'j', b'k', b'u'].map(|first| scene.entries(first)), [2, 2, 0, 0, 0, 0]);
}

#[test]
fn rows_that_were_applied_under_other_numbers_stay_where_the_rest_is_given_up() {
    let made = || {
        let mut scene = scene();
        let mut other = other_keeper(&scene);
        import(&mut other, &mut scene.ledger(&Life::endless()), rows(2..3), false).unwrap();
        // The second sheet, which is sent first.
        scene.lost = 1;
        scene
    };
    let mut scene = killed_behind_one(made, 0..8);
    let life = Life::endless();
    let mut other = other_keeper(&scene);
    until_past(&mut scene, &mut other);
    assert_eq!([1, 2, 5].map(|time| runs_of(&scene, time)), [vec![0], vec![0, 1], vec![]]);
    let given_up = scene.keeper(&life).unwrap().give_up(&mut scene.ledger(&life)).unwrap();
    assert_eq!((given_up.transactions, given_up.segments), (1, 4));
    assert_eq!([b's', b'i', b'p', b'j', b'k', b'u'].map(|first| scene.entries(first)), [4, 4, 0, 0, 0, 0]);
}

#[test]
fn what_the_policy_refuses_of_a_table_is_given_up_at_once_and_of_rows_when_asked() {
    let mut scene = scene();
    let life = Life::endless();
    let mut keeper = scene.keeper(&life).unwrap();
    let stranger = ed25519_dalek::SigningKey::from_bytes(&[9; 32]);
    let mut ledger = scene.ledger(&life);
    ledger.signer = stranger;
    let error = keeper.create(&mut ledger, "others", &schema()).unwrap_err();
    assert!(matches!(&error, TablesError::Refused(reason) if reason == "SignerSuperfluous"), "{error}");
    assert_eq!(keeper.under_way().unwrap(), None);
    let error = import(&mut keeper, &mut ledger, rows(0..6), false).unwrap_err();
    assert!(matches!(error, TablesError::Refused(_)), "{error}");
    // The writer goes on with it.
    import(&mut keeper, &mut scene.ledger(&life), rows(0..6), false).unwrap();
    assert_eq!(is_settled(&scene), 6);
}

#[test]
fn a_chain_of_short_transactions_takes_few_runs_each_and_one_of_shorter_ones_none() {
    let bytes = |bytes: u32| Limits { transaction_bytes: bytes, ..Limits::default() };
    let mut scene = Scene::new(bytes(12_000));
    let life = Life::endless();
    let mut keeper = scene.keeper(&life).unwrap();
    keeper.create(&mut scene.ledger(&life), "meters", &schema()).unwrap();
    let written = import(&mut keeper, &mut scene.ledger(&life), rows(0..12), false).unwrap();
    assert!((3..12).contains(&written.done.counts.sheets), "{written:?}");
    assert_eq!(is_settled(&scene), 12);

    let mut scene = Scene::new(bytes(5_500));
    let mut keeper = scene.keeper(&life).unwrap();
    keeper.create(&mut scene.ledger(&life), "meters", &schema()).unwrap();
    let error = import(&mut keeper, &mut scene.ledger(&life), rows(0..2), false).unwrap_err();
    assert!(matches!(error, TablesError::Limits), "{error}");
}
