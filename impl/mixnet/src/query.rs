//! Questions about a finished mix.

use std::collections::{BTreeMap, HashSet};

use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::{G1Affine, G1Projective, TaggedHash};
use aardvark_sigma::{Digest, List};

use crate::codec::Reader;
use crate::fault::{Fault, FaultKind};
use crate::identity::{KeyUse, KnownKey};
use crate::mix::Mix;

/// Which question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TraceDirection {
    /// Which of these inputs hold a value that stands among these outputs?
    In,
    /// Which of these outputs hold a value that one of these inputs holds?
    Out,
}

/// What of the answer is decrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reveal {
    /// A bit for each asked row, eight in a decrypted number.
    Each,
    /// A bit for each value of the asked outputs, by a zero test where several outputs have it.
    Any,
    /// The number of yes alone.
    Count,
}

/// A question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// Which.
    pub direction: TraceDirection,
    /// What is decrypted.
    pub reveal: Reveal,
    /// For each input whether it is in I.
    pub inputs: Vec<bool>,
    /// For each output whether it is in J.
    pub outputs: Vec<bool>,
    /// The querier's key, 32 bytes.
    pub querier: [u8; 32],
    /// The querier's number for it.
    pub number: u16,
    /// P with the proof that the querier knows its secret, if the answer is for the querier alone.
    pub reader: Option<KnownKey>,
}

/// Rows whose bits one decrypted number has, where a bit is asked for each row.
pub const PACKED: usize = 8;

/// A sum of rows of the last column that is decrypted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The input or output that it says something of; the first of several.
    pub about: usize,
    /// The rows whose sum it is. Under `each` at most [`PACKED`], and the k-th is in it 2^k times.
    pub rows: Vec<usize>,
}

/// Bits, lowest first, in whole bytes.
fn bitmap(bits: &[bool]) -> Vec<u8> {
    let byte = |bits: &[bool]| bits.iter().enumerate().fold(0, |byte, (place, bit)| byte | u8::from(*bit) << place);
    bits.chunks(8).map(byte).collect()
}

/// So many bits, lowest first; those beyond are 0.
fn bits(bytes: &[u8], count: usize) -> Result<Vec<bool>, Fault> {
    let mut bits: Vec<bool> = bytes.iter().flat_map(|byte| (0..8).map(move |place| byte >> place & 1 == 1)).collect();
    let beyond = bits.split_off(count.min(bits.len()));
    match beyond.contains(&true) {
        true => Err(Fault::new(FaultKind::QueryOutOfRange)),
        false => Ok(bits),
    }
}

/// The numbers of the bits that are set.
fn chosen(bits: &[bool]) -> impl Iterator<Item = usize> {
    bits.iter().enumerate().filter_map(|(place, bit)| bit.then_some(place))
}

/// `H("..QUERY", body)`: the id of the query in a post with this body, whether it is a legal one or
/// not.
pub fn query_id(body: &[u8]) -> Digest {
    TaggedHash::new("AARDVARK-V1-MIXNET-QUERY").chain(body).finalize()
}

impl Query {
    /// The post's body: `u8 1 || mix || u8 direction || u8 reveal || bitmap of I || bitmap of J ||
    /// (u8 0 | u8 1 || P || T || z) || querier || u16 number`.
    pub fn encode(&self, mix: &Digest) -> Vec<u8> {
        let mut bytes = vec![1];
        bytes.extend(mix);
        bytes.push(match self.direction {
            TraceDirection::In => 0,
            TraceDirection::Out => 1,
        });
        bytes.push(match self.reveal {
            Reveal::Each => 0,
            Reveal::Any => 1,
            Reveal::Count => 2,
        });
        bytes.extend(bitmap(&self.inputs));
        bytes.extend(bitmap(&self.outputs));
        bytes.push(u8::from(self.reader.is_some()));
        bytes.extend(self.reader.iter().flat_map(KnownKey::to_bytes));
        bytes.extend(self.querier);
        bytes.extend(self.number.to_be_bytes());
        bytes
    }

    /// The query of these bytes, about the mix with this digest and so many rows. Bits beyond the
    /// rows, and another mix, are `QueryOutOfRange`.
    pub fn decode(bytes: &[u8], mix: &Digest, rows: usize) -> Result<Self, Fault> {
        let malformed = Fault::new(FaultKind::Malformed);
        let mut reader = Reader::new(bytes);
        if reader.u8()? != 1 {
            return Err(malformed);
        }
        let about: Digest = reader.array()?;
        if about != *mix {
            return Err(Fault::new(FaultKind::QueryOutOfRange));
        }
        let direction = if reader.flag()? { TraceDirection::Out } else { TraceDirection::In };
        let reveal = match reader.u8()? {
            0 => Reveal::Each,
            1 => Reveal::Any,
            2 => Reveal::Count,
            _ => return Err(malformed),
        };
        let (inputs, outputs) = (reader.bytes(rows.div_ceil(8))?, reader.bytes(rows.div_ceil(8))?);
        let (inputs, outputs) = (bits(inputs, rows)?, bits(outputs, rows)?);
        let key = if reader.flag()? { Some(KnownKey::read(&mut reader)?) } else { None };
        let query =
            Self { direction, reveal, inputs, outputs, querier: reader.array()?, number: reader.u16()?, reader: key };
        reader.finish()?;
        Ok(query)
    }

    /// K = Y_0, and for a private answer Y_0 + P: the key that the column is encrypted under.
    pub fn column_key(&self, query_key: &[G1Affine]) -> Vec<G1Affine> {
        match &self.reader {
            None => query_key.to_vec(),
            Some(reader) => {
                query_key.iter().map(|key| (G1Projective::from(key) + reader.point.at(0, 0)).into()).collect()
            }
        }
    }

    /// Whether the querier is shown to know the secret of the key that a private answer is for.
    #[must_use]
    pub fn knows_its_key(&self, mix: &Digest) -> bool {
        self.reader.as_ref().is_none_or(|reader| reader.holds(KeyUse::Asking(*mix), &self.querier))
    }

    /// `H("..QUERY", query)`.
    pub fn id(&self, mix: &Digest) -> Digest {
        query_id(&self.encode(mix))
    }

    /// Whether the question can be asked of a mix: bits for its rows; `any` for outputs only;
    /// `each` of outputs only where no other output has the same value, which would say how many
    /// inputs of that value are in I, unless the ceremony allows that (`repeated`).
    pub fn check(&self, mix: &Mix<'_>, repeated: bool) -> Result<(), Fault> {
        if self.inputs.len() != mix.rows() || self.outputs.len() != mix.rows() {
            return Err(Fault::new(FaultKind::QueryOutOfRange));
        }
        let forbidden = match (self.direction, self.reveal) {
            (TraceDirection::In, Reveal::Any) => true,
            (TraceDirection::Out, Reveal::Each) if !repeated => {
                let first = mix.first_equal();
                let mut count: BTreeMap<usize, usize> = BTreeMap::new();
                first.iter().for_each(|value| *count.entry(*value).or_default() += 1);
                chosen(&self.outputs).filter_map(|j| first.get(j)).any(|value| count.get(value) != Some(&1))
            }
            (TraceDirection::Out, Reveal::Count) | (_, Reveal::Each) | (_, Reveal::Count) => false,
            (TraceDirection::Out, Reveal::Any) => false,
        };
        if forbidden { Err(Fault::new(FaultKind::QueryForbidden)) } else { Ok(()) }
    }

    /// The column that goes into the servers, (0, bit G) a row; everybody computes it.
    pub fn first_column(&self, mix: &Mix<'_>) -> List {
        let bits: Vec<bool> = match self.direction {
            TraceDirection::Out => self.inputs.clone(),
            TraceDirection::In => {
                let first = mix.first_equal();
                let values: HashSet<&usize> = chosen(&self.outputs).filter_map(|j| first.get(j)).collect();
                first.iter().map(|value| values.contains(value)).collect()
            }
        };
        let point = |bit: bool| if bit { G1Affine::generator() } else { G1Affine::identity() };
        List::computed(bits.into_iter().flat_map(|bit| [G1Affine::identity(), point(bit)]).collect(), 2)
    }

    /// What is decrypted of the last column, in ascending order of what it is about.
    pub fn targets(&self, mix: &Mix<'_>) -> Vec<Target> {
        let asked = match self.direction {
            TraceDirection::In => &self.inputs,
            TraceDirection::Out => &self.outputs,
        };
        match self.reveal {
            Reveal::Each => {
                let rows: Vec<usize> = chosen(asked).collect();
                let target = |rows: &[usize]| Some(Target { about: *rows.first()?, rows: rows.to_vec() });
                rows.chunks(PACKED).filter_map(target).collect()
            }
            Reveal::Count => vec![Target { about: 0, rows: chosen(asked).collect() }],
            Reveal::Any => {
                let first = mix.first_equal();
                let mut asked_first: BTreeMap<usize, usize> = BTreeMap::new();
                for j in chosen(asked) {
                    if let Some(value) = first.get(j) {
                        asked_first.entry(*value).or_insert(j);
                    }
                }
                let mut by_value: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
                for (j, value) in first.iter().enumerate() {
                    // All rows of the value, those that were not asked for too.
                    if let Some(about) = asked_first.get(value) {
                        by_value.entry(*about).or_default().push(j);
                    }
                }
                by_value.into_iter().map(|(about, rows)| Target { about, rows }).collect()
            }
        }
    }
}
