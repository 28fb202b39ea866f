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
