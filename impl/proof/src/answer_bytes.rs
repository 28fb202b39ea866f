//! Proofs of answers as bytes (`docs/format.md`, "Proofs as bytes"): half of their JSON. Each proof
//! has one encoding.
//!
//! ```text
//! answer   = u8 2 || about || u32 number || claim* || tie
//!          | u8 3 || about || W (48) || W' (48) || u32 number || unopened* || tie  folded
//! about    = dictionary (32) || u8 scheme || u32 N || u64 version || question
//! question = u8 0 || u32 number || bytes8(key)*                                    keys
//!          | u8 1 || bytes8(from) || bytes8(to) || (u8 0 | u8 1 || u64 limit)      a range
//!          | u8 2 || bytes8(key)                                                   predecessor
//!          | u8 3 || bytes8(key)                                                   successor
//! unopened = u64 position || slot_bytes
//! claim    = unopened || opening (48)                                              as in a transaction
//! tie      = u8 0 | u8 1 || root | u8 2 || root || identity
//! root     = u64 size || u64 tail_start || commitment_root (32) || tail_digest (32)
//!            || replay_digest (32) || window_digest (32) || u32 number || vector*
//! vector   = u64 number || commitment (48) || u8 number || sibling (32)*
//! identity = bytes8(name) || salt (32) || parameters_bytes (41) || setup_digest (32)
//!            || content_digest (32) || u32 length || binding
//! ```

use aardvark_algebra::integers::usize_of_u32;
use aardvark_commitment::SchemeKind;
use aardvark_dictionary::codec::Reader;
use aardvark_dictionary::root::Digest;
use aardvark_dictionary::{Claim, DecodeError, DictionaryId, Key};

use crate::answer_json::LARGEST_ANSWER;
use crate::answer_proof::{AnswerProof, RootTie, TiedVector};
use crate::answer_reason::{Reason, Refusal};
use crate::identity::DictionaryIdentity;
use crate::question::{KeyRange, Question, Region};
use crate::verify::check_form;

/// The first byte, where each claim has an opening.
const FORMAT: u8 = 2;
/// The first byte, where there is one for all.
const FOLDED_FORMAT: u8 = 3;

/// The proof's bytes.
///
/// # Errors
/// A question that nobody can ask, a slot that is too long, a path with more than 255 digests, a
/// name with more than 255 bytes: such a proof holds for nobody, and has no encoding.
pub fn encode(proof: &AnswerProof) -> Result<Vec<u8>, Refusal> {
    check_form(&proof.question, &proof.claims)?;
    let mut out = vec![if proof.folded_opening.is_some() { FOLDED_FORMAT } else { FORMAT }];
    out.extend_from_slice(&proof.dictionary.0);
    out.push(proof.scheme.into());
    out.extend_from_slice(&proof.vector_size.to_be_bytes());
    out.extend_from_slice(&proof.version.to_be_bytes());
    put_question(&mut out, &proof.question);
    out.extend(proof.folded_opening.iter().flatten());
    put_count(&mut out, proof.claims.len());
    for Claim { position, slot, opening } in &proof.claims {
        out.extend_from_slice(&position.to_be_bytes());
        put_key(&mut out, &slot.key);
        put_key(&mut out, &slot.next);
        out.extend_from_slice(&u16::try_from(slot.value.len()).unwrap_or(u16::MAX).to_be_bytes());
        out.extend_from_slice(&slot.value);
        if proof.folded_opening.is_none() {
            out.extend_from_slice(opening);
        }
    }
    match &proof.tie {
        None => out.push(0),
        Some(tie) => put_tie(&mut out, tie)?,
    }
    Ok(out)
}

/// The proof that bytes encode; [`encode`] writes the same bytes for it, unless its question is one
/// that nobody can ask or a value is too long, which [`verify`](crate::verify()) refuses. Nothing
/// is allocated by a count alone.
///
/// # Errors
/// Bytes that are too many, that remain, that lack, or that stand for nothing.
pub fn decode(bytes: &[u8]) -> Result<AnswerProof, DecodeError> {
    let limit = usize::try_from(LARGEST_ANSWER).unwrap_or(usize::MAX);
    if bytes.len() > limit {
        return Err(DecodeError::TooLong { length: bytes.len(), limit });
    }
    let mut reader = Reader::new(bytes);
    let reader = &mut reader;
    let folded =
        tag(reader, "format", |found| [FORMAT, FOLDED_FORMAT].contains(&found).then_some(found == FOLDED_FORMAT))?;
    let proof = AnswerProof {
        dictionary: DictionaryId(reader.array("the dictionary's id")?),
        scheme: tag(reader, "scheme", |found| SchemeKind::try_from(found).ok())?,
        vector_size: reader.u32("the vector size")?,
        version: reader.u64("the version")?,
        question: question(reader)?,
        folded_opening: if folded { Some(reader.array("a folded opening")?) } else { None },
        claims: list(reader, "the number of claims", |reader| {
            let (position, slot) = (reader.u64("a position")?, reader.slot()?);
            let opening = if folded { [0; 48] } else { reader.array("an opening")? };
            Ok(Claim { position, slot, opening })
        })?,
        tie: tie(reader)?,
    };
    reader.clone().finish()?;
    Ok(proof)
}

fn question(reader: &mut Reader<'_>) -> Result<Question, DecodeError> {
    let kind = tag(reader, "question", |found| (found < 4).then_some(found))?;
    Ok(match kind {
        0 => Question::Region(Region::Keys(list(reader, "the number of keys", Reader::key)?)),
        1 => {
            let (from, to) = (reader.key()?, reader.key()?);
            let limit = if flag(reader, "limit")? { Some(reader.u64("a limit")?) } else { None };
            Question::Region(Region::Range(KeyRange { from, to, limit }))
        }
        2 => Question::Predecessor(reader.key()?),
        _ => Question::Successor(reader.key()?),
    })
}

fn tie(reader: &mut Reader<'_>) -> Result<Option<RootTie>, DecodeError> {
    let kind = tag(reader, "what ties to a root", |found| (found < 3).then_some(found))?;
    if kind == 0 {
        return Ok(None);
    }
    let mut tie = root(reader)?;
    if kind == 2 {
        tie.identity = Some(identity(reader)?);
    }
    Ok(Some(tie))
}

fn identity(reader: &mut Reader<'_>) -> Result<DictionaryIdentity, DecodeError> {
    let length = reader.u8("the length of a name")?;
    Ok(DictionaryIdentity {
        name: reader.take(length.into(), "a name")?.to_vec(),
        salt: reader.array("a salt")?,
        parameters: reader.array("parameters")?,
        setup_digest: reader.array("a digest")?,
        content_digest: reader.array("a digest")?,
        binding: {
            let length = usize_of_u32(reader.u32("the length of a binding")?);
            reader.take(length, "a binding")?.to_vec()
        },
    })
}

fn root(reader: &mut Reader<'_>) -> Result<RootTie, DecodeError> {
    Ok(RootTie {
        size: reader.u64("the number of slots")?,
        tail_start: reader.u64("the start of the tail")?,
        commitment_root: reader.array("a digest")?,
        tail_digest: reader.array("a digest")?,
        replay_digest: reader.array("a digest")?,
        window_digest: reader.array("a digest")?,
        vectors: list(reader, "the number of vectors", |reader| {
            let number = reader.u64("a vector's number")?;
            let commitment = reader.array("a commitment")?;
            let siblings = reader.u8("the length of a path")?;
            let path = (0..siblings).map(|_| reader.array("a path")).collect::<Result<Vec<Digest>, _>>()?;
            Ok(TiedVector { number, commitment, path })
        })?,
        identity: None,
    })
}

/// One byte that stands for something.
fn tag<T>(reader: &mut Reader<'_>, what: &'static str, of: impl Fn(u8) -> Option<T>) -> Result<T, DecodeError> {
    let offset = reader.offset();
    let found = reader.u8(what)?;
    of(found).ok_or(DecodeError::Unknown { offset, what, found })
}

fn flag(reader: &mut Reader<'_>, what: &'static str) -> Result<bool, DecodeError> {
    tag(reader, what, |found| (found < 2).then_some(found == 1))
}

/// As many items as a count says. The list grows as they are really there.
fn list<'a, T>(
    reader: &mut Reader<'a>,
    count: &'static str,
    mut item: impl FnMut(&mut Reader<'a>) -> Result<T, DecodeError>,
) -> Result<Vec<T>, DecodeError> {
    let mut items = Vec::new();
    for _ in 0..reader.u32(count)? {
        items.push(item(reader)?);
    }
    Ok(items)
}

fn put_question(out: &mut Vec<u8>, question: &Question) {
    match question {
        Question::Region(Region::Keys(keys)) => {
            out.push(0);
            put_count(out, keys.len());
            keys.iter().for_each(|key| put_key(out, key));
        }
        Question::Region(Region::Range(KeyRange { from, to, limit })) => {
            out.push(1);
            put_key(out, from);
            put_key(out, to);
            out.push(u8::from(limit.is_some()));
            out.extend(limit.iter().flat_map(|limit| limit.to_be_bytes()));
        }
        Question::Predecessor(key) => {
            out.push(2);
            put_key(out, key);
        }
        Question::Successor(key) => {
            out.push(3);
            put_key(out, key);
        }
    }
}

fn put_tie(out: &mut Vec<u8>, tie: &RootTie) -> Result<(), Refusal> {
    out.push(if tie.identity.is_some() { 2 } else { 1 });
    out.extend_from_slice(&tie.size.to_be_bytes());
    out.extend_from_slice(&tie.tail_start.to_be_bytes());
    for digest in [&tie.commitment_root, &tie.tail_digest, &tie.replay_digest, &tie.window_digest] {
        out.extend_from_slice(digest);
    }
    put_count(out, tie.vectors.len());
    for (i, vector) in tie.vectors.iter().enumerate() {
        let siblings = u8::try_from(vector.path.len()).map_err(|_| Refusal::item(Reason::PathFalse, i))?;
        out.extend_from_slice(&vector.number.to_be_bytes());
        out.extend_from_slice(&vector.commitment);
        out.push(siblings);
        out.extend_from_slice(vector.path.as_flattened());
    }
    match &tie.identity {
        None => Ok(()),
        Some(identity) => put_identity(out, identity),
    }
}

fn put_identity(out: &mut Vec<u8>, identity: &DictionaryIdentity) -> Result<(), Refusal> {
    let DictionaryIdentity { name, salt, parameters, setup_digest, content_digest, binding } = identity;
    let length = u8::try_from(name.len()).map_err(|_| Refusal::whole(Reason::PartsMalformed))?;
    out.push(length);
    let parts: [&[u8]; 5] = [name, salt, parameters, setup_digest, content_digest];
    parts.iter().for_each(|part| out.extend_from_slice(part));
    put_count(out, binding.len());
    out.extend_from_slice(binding);
    Ok(())
}

/// `bytes8`: keys have at most 255 bytes here.
fn put_key(out: &mut Vec<u8>, key: &Key) {
    out.push(u8::try_from(key.len()).unwrap_or(u8::MAX));
    out.extend_from_slice(key);
}

/// A list's length. Lists of 2^32 items do not fit into a proof; what could be made of one never
/// decodes to it.
fn put_count(out: &mut Vec<u8>, count: usize) {
    out.extend_from_slice(&u32::try_from(count).unwrap_or(u32::MAX).to_be_bytes());
}
