//! The measuring process: a validator, a scene, and nothing else.
//!
//! It prints one line of JSON. Every timed block is checked against what the whole array came to; a
//! wrong one ends the process without a number.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::sync::Arc;

use aardvark_algebra::Scalar;
use aardvark_algebra::ff::Field;
use aardvark_commitment::VectorCommitment;
use aardvark_dictionary::{Block, Effects, Validator};
use rayon::ThreadPool;
use serde::{Deserialize, Serialize};

use crate::error::{BenchError, require};
use crate::measure::clock::{Taken, timed};
use crate::measure::memory;
use crate::validators::options::ProcessOptions;
use crate::validators::paper_mode::PaperMode;
use crate::validators::scene::{self, ExpectedBlock, digest_of_commitments, digest_of_writes};

/// Field multiplications of one run of the plain loop, over all threads together: about a quarter
/// of a second on one.
pub const FIELD_MULTIPLICATIONS: u64 = 10_000_000;

/// What was measured at one number of threads; one entry a run.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Measured {
    /// Threads.
    pub threads: usize,
    /// Applying a block.
    pub apply: Vec<Taken>,
    /// Reading it from bytes.
    pub decode: Vec<Taken>,
    /// A plain loop of field multiplications, for scaling to be compared with.
    pub field: Vec<Taken>,
    /// `OPERATIONS` of [`PaperMode`] operations by the paper's method.
    pub paper: Vec<Taken>,
}

/// Resident memory in bytes.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Resident {
    /// With the scheme's tables, before there is a validator.
    pub tables: u64,
    /// With the validator, before the first block.
    pub resting: u64,
    /// The most while blocks were read and applied.
    pub peak: u64,
}

/// Times the blocks of a scene, for each number of threads in turn.
pub fn measure_time(options: &ProcessOptions) -> Result<Vec<Measured>, BenchError> {
    let ProcessOptions { scene: path, kind, threads, repeats, tables, .. } = options;
    let mut file = open(path)?;
    let scene = scene::read(&mut file).map_err(|source| in_file(path, source))?;
    let count = scene.blocks;
    let scheme = Arc::new(scene.setup.scheme(scene.parameters.vector_size as usize, *tables)?);
    let mut validator = scene.into_validator(scheme)?;
    let paper = PaperMode::new(*kind, validator.scheme().vector_size())?;
    let pools: Vec<ThreadPool> = threads.iter().map(|threads| pool(*threads)).collect::<Result<_, _>>()?;
    let mut measured: Vec<Measured> =
        threads.iter().map(|threads| Measured { threads: *threads, ..Measured::default() }).collect();
    for number in 0..count {
        let expected = scene::read_block(&mut file).map_err(|source| in_file(path, source))?;
        if number == 0 {
            // Warm-up: tables, caches, threads.
            pools.iter().try_for_each(|pool| run(&validator, &expected, pool).map(|_| ()))?;
        }
        for _ in 0..*repeats {
            for (pool, measured) in pools.iter().zip(&mut measured) {
                let (decode, apply) = run(&validator, &expected, pool)?;
                measured.decode.push(decode);
                measured.apply.push(apply);
                measured.field.push(field_loop(pool)?);
                measured.paper.push(paper.run(pool)?);
            }
        }
        let block = decode(&validator, &expected)?;
        validator.apply(&block)?;
    }
    Ok(measured)
}

/// Applies the blocks of a scene once, one in memory at a time, and watches memory. All of it on
/// one pool, as a process does it that is a validator and nothing else: the system's allocator
/// keeps memory for each thread that ever asked for some.
pub fn measure_memory(path: &Path, threads: usize, tables: usize) -> Result<Resident, BenchError> {
    pool(threads)?.install(|| watch_memory(path, tables))
}

fn watch_memory(path: &Path, tables: usize) -> Result<Resident, BenchError> {
    let mut file = open(path)?;
    let (setup, vector_size) = scene::read_setup(&mut open(path)?).map_err(|source| in_file(path, source))?;
    let scheme = Arc::new(setup.scheme(vector_size as usize, tables)?);
    scheme.update_commitment_many(&scheme.commit(&[])?, &[(0, Scalar::ONE)])?;
    memory::forget_peak()?;
    let tables = memory::resident()?;
    let scene = scene::read(&mut file).map_err(|source| in_file(path, source))?;
    let count = scene.blocks;
    let mut validator = scene.into_validator(scheme)?;
    memory::forget_peak()?;
    let resting = memory::resident()?;
    for _ in 0..count {
        let mut expected = scene::read_block(&mut file).map_err(|source| in_file(path, source))?;
        let block = decode(&validator, &expected)?;
        // Whoever has read a block has no use for its bytes.
        expected.bytes = Vec::new();
        let applied = validator.apply(&block)?;
        check(&validator, &applied, &expected)?;
    }
    Ok(Resident { tables, resting, peak: memory::peak()? })
}

/// Decodes and applies one block on a copy of the validator: what decoding took and what applying
/// took.
fn run(validator: &Validator, expected: &ExpectedBlock, pool: &ThreadPool) -> Result<(Taken, Taken), BenchError> {
    let mut copy = validator.clone();
    let (block, decoding) = timed(|| decode(&copy, expected));
    let block = block?;
    let (applied, applying) = timed(|| pool.install(|| copy.apply(&block)));
    check(&copy, &applied?, expected)?;
    Ok((decoding, applying))
}

fn decode(validator: &Validator, expected: &ExpectedBlock) -> Result<Block, BenchError> {
    let parameters = validator.parameters();
    Ok(Block::decode(&expected.bytes, parameters)?)
}

fn check(validator: &Validator, applied: &Effects, expected: &ExpectedBlock) -> Result<(), BenchError> {
    let version = applied.version;
    require(validator.size() == expected.size, || format!("version {version} has the wrong size"))?;
    require(digest_of_writes(&applied.writes) == expected.writes, || {
        format!("version {version} wrote something else")
    })?;
    let commitments = digest_of_commitments(validator.commitments());
    require(commitments == expected.commitments, || format!("version {version} has wrong commitments"))
}

/// y^n by multiplying, n split evenly over the threads.
fn field_loop(pool: &ThreadPool) -> Result<Taken, BenchError> {
    let each = FIELD_MULTIPLICATIONS / pool.current_num_threads() as u64;
    let factor = std::hint::black_box(Scalar::from(0x5eed));
    let (products, taken) = timed(|| pool.broadcast(|_| (0..each).fold(Scalar::ONE, |product, _| product * factor)));
    let power = factor.pow_vartime([each]);
    require(products.iter().all(|product| *product == power), || "a field multiplication is wrong".to_owned())?;
    Ok(taken)
}

fn pool(threads: usize) -> Result<ThreadPool, BenchError> {
    Ok(rayon::ThreadPoolBuilder::new().num_threads(threads).build()?)
}

fn open(path: &Path) -> Result<BufReader<File>, BenchError> {
    File::open(path).map(BufReader::new).map_err(|source| in_file(path, source))
}

fn in_file(path: &Path, source: std::io::Error) -> BenchError {
    BenchError::io(path.display().to_string(), source)
}
