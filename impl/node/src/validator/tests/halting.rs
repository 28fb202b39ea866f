//! The last height that a validator commits.

use tendermint_proto::v0_38::abci::{RequestPrepareProposal, RequestProcessProposal};

use super::{Scene, finalize, options, put};
use crate::operations::Readiness;
use crate::validator::{Application, Fatal, StartError, ValidatorOptions};

/// The scene's validator, which is to halt.
fn halting_at(scene: &Scene, name: &str, height: u64) -> Result<Application, StartError> {
    Application::open(&ValidatorOptions { halt_height: Some(height), ..options(&scene.folder, name, &[]) })
}

/// Whether each thing that CometBFT asks before a block is refused for the halt.
fn refuses_a_block(app: &Application, height: i64) -> [bool; 3] {
    let halted = |end: Fatal| matches!(end, Fatal::Halted(2));
    [
        app.prepare_proposal(RequestPrepareProposal { height, ..Default::default() }).is_err_and(halted),
        app.process_proposal(&RequestProcessProposal { height, ..Default::default() }).is_err_and(halted),
        app.finalize_block(&finalize(height, &[], 3)).is_err_and(halted),
    ]
}

/// What the operator is told of when the last block went to disk.
fn last_block(app: &Application) -> u64 {
    let mut registry = prometheus_client::registry::Registry::default();
    app.metrics.register(&mut registry);
    let mut text = String::new();
    prometheus_client::encoding::text::encode(&mut text, &registry).unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix("aardvark_last_block_timestamp_seconds "));
    line.unwrap().parse().unwrap()
}

#[test]
fn a_validator_that_starts_again_knows_when_its_last_block_went_to_disk() {
    let mut scene = Scene::new(&[]);
    scene.app = scene.another("timed");
    assert_eq!(last_block(&scene.app), 0, "there is none yet");
    scene.step(&[]);
    let at = last_block(&scene.app);
    assert!(at.abs_diff(crate::validator::written::now()) < 3600);
    scene.app = scene.another("elsewhere");
    std::thread::sleep(std::time::Duration::from_millis(1100));
    let again = scene.another("timed");
    assert_eq!((again.version(), last_block(&again)), (1, at));
}

#[test]
fn a_validator_commits_the_height_that_it_halts_at_and_nothing_after_it() {
    let mut scene = Scene::new(&[]);
    scene.app = halting_at(&scene, "halting", 2).unwrap();
    let tx = scene.signed(&[put("k01", "new")]);
    scene.step(&[tx]);
    assert_eq!(scene.app.halted(), None);
    // Finalized and not committed: CometBFT may have ended in between, and asks again.
    for hash in [1, 2] {
        scene.app.finalize_block(&finalize(2, &[], hash)).unwrap();
        assert_eq!(scene.app.halted(), None);
    }
    scene.app.commit().unwrap();
    assert_eq!(scene.app.halted(), Some(2));
    assert_eq!(scene.app.readiness(), Readiness::NotReady("halted at height 2".to_owned()));
    assert_eq!(refuses_a_block(&scene.app, 3), [true; 3]);
    assert_eq!(scene.app.version(), 2);
    scene.app = scene.another("elsewhere");
    let again = halting_at(&scene, "halting", 2).unwrap();
    assert_eq!((again.halted(), refuses_a_block(&again, 3)), (Some(2), [true; 3]));
    drop(again);
    // A halt that the validator has missed is told, not made up for.
    assert!(matches!(halting_at(&scene, "halting", 1), Err(StartError::PastHalt { held: 2, wanted: 1 })));
    let after = scene.another("halting");
    after.finalize_block(&finalize(3, &[], 3)).unwrap();
    after.commit().unwrap();
    assert_eq!((after.version(), after.halted()), (3, None));
}
