//! Makes a scene: an honest history with its blocks, each checked against the whole array.

use std::io::Write;

use aardvark_dictionary::array::Write as SlotWrite;
use aardvark_dictionary::{Block, Transaction, Validator};

use crate::error::{BenchError, require};
use crate::validators::scene::{self, ExpectedBlock, Scene, digest_of_commitments, digest_of_writes};
use crate::workload::claims::Claimed;
use crate::workload::history::{Course, Origin};
use crate::workload::plan::{Kind, Shape, plan};
use crate::workload::prover::{Prover, Setup};

/// Of a block's written vectors, every so-manieth commitment is recomputed from the whole vector.
const SAMPLE: usize = 32;

/// Writes the scene of a history of one kind.
pub fn prepare(
    out: &mut impl Write,
    origin: &Origin,
    (setup, prover): (Setup, &Prover),
    kind: Kind,
    shape: &Shape,
) -> Result<(), BenchError> {
    let plan = plan(kind, shape, 1)?;
    let history = shape.history as usize;
    let mut claimed = Claimed::new(&plan, shape.window);
    let mut course = origin.course();
    let mut validator = None;
    for block in 0..plan.len() {
        let claims = claimed.add_claims(&course.archive, course.version(), block.max(history), prover)?;
        eprintln!("  {}: version {}, {claims} claims made", kind.name(), course.version());
        let transactions = claimed.take(block);
        if block < history {
            course.advance(&transactions)?;
            continue;
        }
        let validator = match &mut validator {
            Some(validator) => validator,
            None => {
                write_scene(out, origin, setup, &course, shape.blocks)?;
                validator.insert(course.validator()?)
            }
        };
        let last = block + 1 == plan.len();
        let made = make_block(validator, &mut course, transactions, last)?;
        scene::write_block(out, &made).map_err(scene_error)?;
    }
    Ok(())
}

fn write_scene(
    out: &mut impl Write,
    origin: &Origin,
    setup: Setup,
    course: &Course,
    blocks: u64,
) -> Result<(), BenchError> {
    let state = course.validator_state();
    let scene = Scene { setup, parameters: origin.parameters.clone(), id: origin.id, state, blocks };
    scene::write(out, &scene).map_err(scene_error)
}

/// Proposes and applies a block on the validator, advances the archive, and compares the two. After
/// the `last` block every commitment is recomputed from the whole array, after others a sample of
/// those that changed.
fn make_block(
    validator: &mut Validator,
    course: &mut Course,
    transactions: Vec<Transaction>,
    last: bool,
) -> Result<ExpectedBlock, BenchError> {
    let count = transactions.len();
    let block = propose(validator, course, transactions)?;
    require(block.transactions.len() == count, || {
        format!("of {count} honest transactions {}", block.transactions.len())
    })?;
    let writes = course.advance(&block.transactions)?;
    match last {
        true => course.recompute_all()?,
        false => course.recompute_sample(&writes, SAMPLE)?,
    }
    let applied = validator.apply(&block)?;
    compare(validator, course, &applied.writes, &writes)?;
    Ok(ExpectedBlock {
        bytes: block.encode(),
        size: validator.size(),
        writes: digest_of_writes(&writes),
        commitments: digest_of_commitments(course.commitments()),
    })
}

fn propose(validator: &Validator, course: &Course, transactions: Vec<Transaction>) -> Result<Block, BenchError> {
    let operations = transactions.iter().flat_map(|transaction| &transaction.operations);
    let size = course.archive.net_changes(operations)?.size_after(validator.size());
    let vector_size = validator.parameters().positions_per_vector();
    let tail = course.archive.tail_vectors(course.tail_start(), size, vector_size);
    let proposal = validator.propose(transactions, &tail, usize::MAX);
    match proposal.dropped.into_iter().next() {
        Some(rejection) => Err(rejection.into()),
        None => Ok(proposal.block),
    }
}

fn compare(
    validator: &Validator,
    course: &Course,
    got: &[SlotWrite],
    expected: &[SlotWrite],
) -> Result<(), BenchError> {
    let version = validator.version();
    require(got == expected, || format!("the writes of version {version} are not those of the whole array"))?;
    let equal = validator.commitments() == course.commitments();
    require(equal, || format!("the commitments of version {version} are not those of the whole array"))?;
    let same_tail = validator.tail().start() == course.tail_start();
    require(same_tail, || format!("the tail of version {version} starts elsewhere"))
}

fn scene_error(source: std::io::Error) -> BenchError {
    BenchError::io("the scene's file", source)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    const SHAPE: Shape = Shape { keys: 60, window: 3, history: 5, blocks: 3, transactions: 6 };

    fn origin() -> (Origin, Prover) {
        let scheme = Arc::new(Setup::KnownTau.scheme(8, 1 << 20).unwrap());
        let prover = Prover::new(Setup::KnownTau, Arc::clone(&scheme)).unwrap();
        (Origin::new(SHAPE.keys, SHAPE.window, scheme).unwrap(), prover)
    }

    #[test]
    fn the_state_after_a_history_without_claims_is_that_of_a_validator_that_saw_them_all() {
        let (origin, prover) = origin();
        for kind in [Kind::Modify, Kind::Insert, Kind::Delete] {
            let plan = plan(kind, &SHAPE, 1).unwrap();
            let mut claimed = Claimed::new(&plan, SHAPE.window);
            let (mut seen, mut unseen) = (origin.course(), origin.course());
            let mut validator = seen.validator().unwrap();
            for block in 0..SHAPE.history as usize {
                claimed.add_claims(&seen.archive, seen.version(), block, &prover).unwrap();
                let transactions = claimed.take(block);
                let bare: Vec<_> = transactions.iter().map(|t| Transaction { claims: vec![], ..t.clone() }).collect();
                make_block(&mut validator, &mut seen, transactions, false).unwrap();
                unseen.advance(&bare).unwrap();
                assert_eq!(validator.state(), unseen.validator_state());
            }
        }
    }

    #[test]
    fn a_scene_survives_its_file() {
        let (origin, prover) = origin();
        let mut file = Vec::new();
        prepare(&mut file, &origin, (Setup::KnownTau, &prover), Kind::Delete, &SHAPE).unwrap();
        let mut rest = file.as_slice();
        let scene = scene::read(&mut rest).unwrap();
        assert_eq!((scene.blocks, scene.state.version, scene.state.window.len()), (3, 5, 3));
        let mut copy = Vec::new();
        scene::write(&mut copy, &scene).unwrap();
        let mut validator = scene.into_validator(Arc::clone(&origin.scheme)).unwrap();
        for _ in 0..3 {
            let expected = scene::read_block(&mut rest).unwrap();
            scene::write_block(&mut copy, &expected).unwrap();
            let block = Block::decode(&expected.bytes, validator.parameters()).unwrap();
            let applied = validator.apply(&block).unwrap();
            assert_eq!(digest_of_writes(&applied.writes), expected.writes);
            assert_eq!(digest_of_commitments(validator.commitments()), expected.commitments);
        }
        assert!(rest.is_empty() && copy == file);
    }
}
