//! What the measuring process is given: a validator's state, and blocks with what they must come
//! to.
//!
//! It is a process of its own, so that its resident memory is a validator's and not an archive's.
//! The scene travels as a file, streamed both ways:
//!
//! ```text
//! setup | parameters | id | state | number of blocks |
//! (length | block | size after | digest of writes | digest of commitments)*
//! ```
//! Integers are u64 big-endian; byte strings have their length before them. The file is our own and
//! trusted.

use std::io::{self, Read, Write};
use std::sync::Arc;

use crate::error::BenchError;
use crate::workload::prover::Setup;
use aardvark_algebra::hash::TaggedHash;
use aardvark_commitment::{Commitment, Scheme};
use aardvark_dictionary::array::Write as SlotWrite;
use aardvark_dictionary::window::VersionRecord;
use aardvark_dictionary::{DictionaryId, Key, Parameters, Slot, TransactionId, Validator, ValidatorState, Value};

/// A block as it comes from the network, and what it must come to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpectedBlock {
    /// The encoded block.
    pub bytes: Vec<u8>,
    /// Slots after it.
    pub size: u64,
    /// Of its writes, by an archive with the whole array.
    pub writes: [u8; 32],
    /// Of all commitments after it, likewise.
    pub commitments: [u8; 32],
}

/// Everything that the measuring process is given, besides the blocks.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Which public parameters.
    pub setup: Setup,
    /// N, W; the limits are the default ones.
    pub parameters: Parameters,
    /// The dictionary's id.
    pub id: DictionaryId,
    /// What the validator knows before the first block.
    pub state: ValidatorState,
    /// Number of blocks that follow in the file, each for the version after the one before.
    pub blocks: u64,
}

impl Scene {
    /// A validator in the scene's state.
    pub fn into_validator(self, scheme: Arc<Scheme>) -> Result<Validator, BenchError> {
        Ok(Validator::from_state(self.parameters, self.id, scheme, self.state)?)
    }
}

/// Digest of writes: positions and new contents, in order.
pub fn digest_of_writes(writes: &[SlotWrite]) -> [u8; 32] {
    let mut hash = TaggedHash::new("AARDVARK-BENCH-WRITES");
    for write in writes {
        hash.update(write.position.to_be_bytes());
        hash.update([u8::from(write.after.is_some())]);
        if let Some(slot) = &write.after {
            let encoded = slot.encode();
            hash.update((encoded.len() as u64).to_be_bytes());
            hash.update(encoded);
        }
    }
    hash.finalize()
}

/// Digest of commitments, in order.
pub fn digest_of_commitments(commitments: &[Commitment]) -> [u8; 32] {
    let mut hash = TaggedHash::new("AARDVARK-BENCH-COMMITMENTS");
    commitments.iter().for_each(|commitment| hash.update(commitment.to_bytes()));
    hash.finalize()
}

/// Writes a scene; as many blocks as it says must follow.
pub fn write(out: &mut impl Write, scene: &Scene) -> io::Result<()> {
    let known = scene.setup == Setup::KnownTau;
    put(out, u64::from(known))?;
    put(out, u64::from(scene.parameters.vector_size))?;
    put(out, u64::from(scene.parameters.window))?;
    out.write_all(&scene.id.0)?;
    put_state(out, &scene.state)?;
    put(out, scene.blocks)
}

/// Writes a block after its scene.
pub fn write_block(out: &mut impl Write, block: &ExpectedBlock) -> io::Result<()> {
    put_bytes(out, &block.bytes)?;
    put(out, block.size)?;
    out.write_all(&block.writes)?;
    out.write_all(&block.commitments)
}

/// Reads a block.
pub fn read_block(from: &mut impl Read) -> io::Result<ExpectedBlock> {
    let bytes = take_bytes(from)?;
    Ok(ExpectedBlock { bytes, size: take(from)?, writes: take_array(from)?, commitments: take_array(from)? })
}

/// Reads what a scheme needs: the setup and N.
pub fn read_setup(from: &mut impl Read) -> io::Result<(Setup, u32)> {
    let setup = if take(from)? == 0 { Setup::Ceremony } else { Setup::KnownTau };
    let vector_size = u32::try_from(take(from)?).map_err(io::Error::other)?;
    Ok((setup, vector_size))
}

/// Reads a scene, up to its blocks.
pub fn read(from: &mut impl Read) -> io::Result<Scene> {
    let (setup, vector_size) = read_setup(from)?;
    let window = u32::try_from(take(from)?).map_err(io::Error::other)?;
    let parameters = Parameters { vector_size, window, ..Parameters::default() };
    let id = DictionaryId(take_array(from)?);
    let state = take_state(from)?;
    Ok(Scene { setup, parameters, id, state, blocks: take(from)? })
}

fn put_state(out: &mut impl Write, state: &ValidatorState) -> io::Result<()> {
    put(out, state.version)?;
    put(out, state.size)?;
    put(out, state.tail_start)?;
    put(out, state.commitments.len() as u64)?;
    state.commitments.iter().try_for_each(|commitment| out.write_all(&commitment.to_bytes()))?;
    put(out, state.tail.len() as u64)?;
    state.tail.iter().try_for_each(|slot| put_slot(out, slot))?;
    put(out, state.replay.len() as u64)?;
    for (id, last_valid) in &state.replay {
        out.write_all(&id.0)?;
        put(out, *last_valid)?;
    }
    put(out, state.window.len() as u64)?;
    state.window.iter().try_for_each(|entry| put_entry(out, entry))
}

fn take_state(from: &mut impl Read) -> io::Result<ValidatorState> {
    Ok(ValidatorState {
        version: take(from)?,
        size: take(from)?,
        tail_start: take(from)?,
        commitments: take_list(from, take_commitment)?,
        tail: take_list(from, take_slot)?,
        replay: take_list(from, |from| Ok((TransactionId(take_array(from)?), take(from)?)))?,
        window: take_list(from, take_entry)?,
    })
}

fn put_entry(out: &mut impl Write, entry: &VersionRecord) -> io::Result<()> {
    put(out, entry.version)?;
    put(out, entry.previous_size)?;
    put(out, entry.writes.len() as u64)?;
    for (position, slot) in &entry.writes {
        put(out, *position)?;
        put(out, u64::from(slot.is_some()))?;
        slot.iter().try_for_each(|slot| put_slot(out, slot))?;
    }
    put(out, entry.previous_commitments.len() as u64)?;
    for (vector, commitment) in &entry.previous_commitments {
        put(out, *vector)?;
        put(out, u64::from(commitment.is_some()))?;
        commitment.iter().try_for_each(|commitment| out.write_all(&commitment.to_bytes()))?;
    }
    Ok(())
}

fn take_entry(from: &mut impl Read) -> io::Result<VersionRecord> {
    let (version, previous_size) = (take(from)?, take(from)?);
    let writes = take_list(from, |from| Ok((take(from)?, take_option(from, take_slot)?)))?;
    let previous = take_list(from, |from| Ok((take(from)?, take_option(from, take_commitment)?)))?;
    Ok(VersionRecord { version, previous_size, writes, previous_commitments: previous.into_iter().collect() })
}

fn put_slot(out: &mut impl Write, slot: &Slot) -> io::Result<()> {
    [&*slot.key, &*slot.value, &*slot.next].into_iter().try_for_each(|bytes| put_bytes(out, bytes))
}

fn take_slot(from: &mut impl Read) -> io::Result<Slot> {
    Ok(Slot {
        key: Key::from(take_bytes(from)?),
        value: Value::from(take_bytes(from)?),
        next: Key::from(take_bytes(from)?),
    })
}

fn take_commitment(from: &mut impl Read) -> io::Result<Commitment> {
    Commitment::from_bytes(&take_array(from)?).map_err(io::Error::other)
}

fn put(out: &mut impl Write, number: u64) -> io::Result<()> {
    out.write_all(&number.to_be_bytes())
}

fn take(from: &mut impl Read) -> io::Result<u64> {
    take_array(from).map(u64::from_be_bytes)
}

fn put_bytes(out: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    put(out, bytes.len() as u64)?;
    out.write_all(bytes)
}

fn take_bytes(from: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; take(from)? as usize];
    from.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn take_array<const BYTES: usize>(from: &mut impl Read) -> io::Result<[u8; BYTES]> {
    let mut array = [0; BYTES];
    from.read_exact(&mut array)?;
    Ok(array)
}

fn take_list<R: Read, T>(from: &mut R, item: impl Fn(&mut R) -> io::Result<T>) -> io::Result<Vec<T>> {
    let count = take(from)?;
    (0..count).map(|_| item(from)).collect()
}

fn take_option<R: Read, T>(from: &mut R, item: impl Fn(&mut R) -> io::Result<T>) -> io::Result<Option<T>> {
    match take(from)? {
        0 => Ok(None),
        _ => item(from).map(Some),
    }
}
