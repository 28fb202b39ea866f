//! The bytes of jobs' records ([`super`]).

use std::num::NonZeroU64;

use aardvark_algebra::encoding::encode_g1_uncompressed;
use aardvark_algebra::hash::TaggedHash;
use aardvark_algebra::integers::{u16_or_max, u64_of_usize};
use aardvark_commitment::Commitment;
use aardvark_dictionary::codec::Reader;
use aardvark_dictionary::{Change, DictionaryId};

use crate::audit::{LinkSum, MOST_FINDINGS};
use crate::error::DamageKind;

use super::job::{Job, JobEnd, JobKind};

/// Number of this form, and of what a partition's record says was checked: a program that checks
/// more has another, and does not count on what an earlier one recorded. Of 1 no end was recorded.
const FORM: u8 = 2;
/// Most bytes of a finding that are recorded.
const MOST_TEXT: usize = 1000;

/// What came of a partition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Outcome {
    /// The digest of its commitments.
    pub(super) digest: [u8; 32],
    /// The links of its slots, of an audit.
    pub(super) links: LinkSum,
    pub(super) findings: Vec<String>,
}

pub(super) fn job_key(kind: JobKind) -> [u8; 1] {
    [kind as u8]
}

pub(super) fn partition_key(kind: JobKind, partition: u64) -> [u8; 9] {
    let mut key = [kind as u8; 9];
    key[1..].copy_from_slice(&partition.to_be_bytes());
    key
}

/// The key of a job's end, between the job's own and those of its partitions.
pub(super) fn end_key(kind: JobKind) -> [u8; 2] {
    [kind as u8, 0]
}

/// The inverse of [`partition_key`].
pub(super) fn read_partition_key(key: &[u8]) -> Option<u64> {
    key.get(1..)?.try_into().ok().map(u64::from_be_bytes)
}

pub(super) fn encode_job(job: &Job) -> Vec<u8> {
    let mut bytes = vec![FORM];
    bytes.extend_from_slice(&job.dictionary.0);
    bytes.extend_from_slice(&job.version.to_be_bytes());
    bytes.extend_from_slice(&job.link);
    for number in [job.items, job.partition_size.get(), job.turn] {
        bytes.extend_from_slice(&number.to_be_bytes());
    }
    bytes
}

pub(super) fn decode_job(kind: JobKind, bytes: &[u8]) -> Result<Job, DamageKind> {
    let mut reader = Reader::new(bytes);
    if reader.u8("the form")? != FORM {
        return Err(DamageKind::Invalid("of another form, which another program wrote"));
    }
    let dictionary = DictionaryId(reader.array("the dictionary id")?);
    let version = reader.u64("the version")?;
    let link = reader.array("the link")?;
    let items = reader.u64("the number of vectors or changes")?;
    let partition_size = NonZeroU64::new(reader.u64("the size of a partition")?);
    let turn = reader.u64("the turn")?;
    reader.finish()?;
    let partition_size = partition_size.ok_or(DamageKind::Invalid("empty partitions"))?;
    Ok(Job { kind, dictionary, version, link, items, partition_size, turn })
}

pub(super) fn encode_outcome(outcome: &Outcome) -> Vec<u8> {
    let mut bytes = [outcome.digest, outcome.links.to_bytes()].concat();
    put_findings(&mut bytes, &outcome.findings);
    bytes
}

pub(super) fn decode_outcome(bytes: &[u8]) -> Result<Outcome, DamageKind> {
    let mut reader = Reader::new(bytes);
    let digest = reader.array("the digest")?;
    let links = LinkSum::from_bytes(&reader.array("the links")?);
    let links = links.map_err(|_| DamageKind::Invalid("a sum of links that is none"))?;
    let findings = read_findings(&mut reader)?;
    reader.finish()?;
    Ok(Outcome { digest, links, findings })
}

pub(super) fn encode_end(end: &JobEnd) -> Vec<u8> {
    let mut bytes = vec![end.is_anchored.into(), end.root.is_some().into()];
    bytes.extend(end.root.iter().flatten());
    put_findings(&mut bytes, &end.findings);
    bytes
}

pub(super) fn decode_end(bytes: &[u8]) -> Result<JobEnd, DamageKind> {
    let mut reader = Reader::new(bytes);
    let is_anchored = read_flag(&mut reader)?;
    let root = read_flag(&mut reader)?.then(|| reader.array("the root")).transpose()?;
    let findings = read_findings(&mut reader)?;
    reader.finish()?;
    Ok(JobEnd { findings, root, is_anchored })
}

fn read_flag(reader: &mut Reader<'_>) -> Result<bool, DamageKind> {
    match reader.u8("a flag")? {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(DamageKind::Invalid("a flag that is none")),
    }
}

fn put_findings(bytes: &mut Vec<u8>, findings: &[String]) {
    let findings = findings.get(..MOST_FINDINGS).unwrap_or(findings);
    bytes.extend_from_slice(&u16_or_max(findings.len()).to_be_bytes());
    for finding in findings {
        let text = finding.get(..finding.floor_char_boundary(MOST_TEXT)).unwrap_or(finding);
        let text = text.replace(char::is_control, " ");
        bytes.extend_from_slice(&u16_or_max(text.len()).to_be_bytes());
        bytes.extend_from_slice(text.as_bytes());
    }
}

fn read_findings(reader: &mut Reader<'_>) -> Result<Vec<String>, DamageKind> {
    let mut findings = Vec::new();
    for _ in 0..reader.u16("the number of findings")? {
        let length = reader.u16("the length of a finding")?;
        let text = std::str::from_utf8(reader.take(length.into(), "a finding")?);
        // A terminal obeys control characters.
        let text = text.ok().filter(|text| !text.contains(char::is_control));
        findings.push(text.ok_or(DamageKind::Invalid("a finding that is no text"))?.to_owned());
    }
    Ok(findings)
}

/// The digest of a partition's commitments.
pub(super) fn digest(job: &Job, partition: u64, commitments: &[Commitment]) -> [u8; 32] {
    let mut hash = TaggedHash::new("AARDVARK-JOB-PARTITION").chain(job.dictionary.0).chain(job.version.to_be_bytes());
    hash.update(job.items_of(partition).start.to_be_bytes());
    for commitment in commitments {
        hash.update(encode_g1_uncompressed(commitment.point()));
    }
    hash.finalize()
}

/// The digest of an import's block.
pub(super) fn digest_of_block(job: &Job, partition: u64, changes: &[Change]) -> [u8; 32] {
    let mut hash = TaggedHash::new("AARDVARK-JOB-BLOCK").chain(job.dictionary.0).chain(partition.to_be_bytes());
    for Change { key, value } in changes {
        hash.update(u64_of_usize(key.len()).to_be_bytes());
        hash.update(key);
        hash.update([value.is_some().into()]);
        if let Some(value) = value {
            hash.update(u64_of_usize(value.len()).to_be_bytes());
            hash.update(value);
        }
    }
    hash.finalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job() -> Job {
        let partition_size = NonZeroU64::new(3).unwrap();
        let dictionary = DictionaryId([1; 32]);
        Job { kind: JobKind::Audit, dictionary, version: 5, link: [2; 32], items: 8, partition_size, turn: 9 }
    }

    #[test]
    fn records_survive_their_encoding_and_no_cut_of_them_is_read() {
        let bytes = encode_job(&job());
        assert_eq!(decode_job(JobKind::Audit, &bytes), Ok(job()));
        assert!((0..bytes.len()).all(|cut| decode_job(JobKind::Audit, &bytes[..cut]).is_err()));
        let outcome = Outcome {
            digest: [7; 32],
            links: LinkSum::ZERO.and(1, &"a".into(), &"b".into()),
            findings: vec!["one".to_owned(), "two".to_owned()],
        };
        let bytes = encode_outcome(&outcome);
        assert_eq!(decode_outcome(&bytes), Ok(outcome));
        assert!((0..bytes.len()).all(|cut| decode_outcome(&bytes[..cut]).is_err()));
        assert_eq!(read_partition_key(&partition_key(JobKind::Openings, 77)), Some(77));
        assert_eq!(read_partition_key(&job_key(JobKind::Openings)), None);
        assert_eq!(read_partition_key(&end_key(JobKind::Openings)), None);
        for root in [None, Some([3; 32])] {
            let end = JobEnd { findings: vec!["one".to_owned()], root, is_anchored: root.is_some() };
            let bytes = encode_end(&end);
            assert_eq!(decode_end(&bytes), Ok(end));
            assert!((0..bytes.len()).all(|cut| decode_end(&bytes[..cut]).is_err()));
        }
    }

    #[test]
    fn hostile_records_are_typed_errors() {
        let mut bytes = encode_job(&job());
        bytes[81..89].fill(0);
        assert_eq!(decode_job(JobKind::Audit, &bytes), Err(DamageKind::Invalid("empty partitions")));
        bytes[0] += 1;
        let other = DamageKind::Invalid("of another form, which another program wrote");
        assert_eq!(decode_job(JobKind::Audit, &bytes), Err(other));
        let many = [&[0; 64][..], &[255, 255]].concat();
        assert!(matches!(decode_outcome(&many), Err(DamageKind::Malformed(_))));
        let long = [&[0; 64][..], &[0, 1, 255, 255, b'x']].concat();
        assert!(matches!(decode_outcome(&long), Err(DamageKind::Malformed(_))));
        for byte in [255, 0x1b, b'\n'] {
            let binary = [&[0; 64][..], &[0, 1, 0, 1, byte]].concat();
            assert_eq!(decode_outcome(&binary), Err(DamageKind::Invalid("a finding that is no text")));
        }
        let beyond = [&[255; 64][..], &[0, 0]].concat();
        assert_eq!(decode_outcome(&beyond), Err(DamageKind::Invalid("a sum of links that is none")));
        for flags in [[2, 0], [0, 2]] {
            let neither = [&flags[..], &[0, 0]].concat();
            assert_eq!(decode_end(&neither), Err(DamageKind::Invalid("a flag that is none")));
        }
    }

    #[test]
    fn long_findings_are_cut_between_characters_and_keep_no_control_characters() {
        let of = |findings| Outcome { digest: [0; 32], links: LinkSum::ZERO, findings };
        let read = decode_outcome(&encode_outcome(&of(vec!["é".repeat(600); MOST_FINDINGS + 1]))).unwrap();
        assert_eq!(read.findings, vec!["é".repeat(500); MOST_FINDINGS]);
        let read = decode_outcome(&encode_outcome(&of(vec!["one\n\u{1b}two".to_owned()]))).unwrap();
        assert_eq!(read.findings, ["one  two"]);
    }

    #[test]
    fn partitions_cover_every_vector_once_and_no_number_overflows() {
        let job = job();
        let ranges: Vec<_> = (0..job.partitions()).map(|partition| job.items_of(partition)).collect();
        assert_eq!(ranges, [0..3, 3..6, 6..8]);
        assert!(job.items_of(3).is_empty() && job.items_of(u64::MAX).is_empty());
        let vast = Job { items: u64::MAX, partition_size: NonZeroU64::MAX, ..job };
        assert_eq!((vast.partitions(), vast.items_of(0)), (1, 0..u64::MAX));
    }
}
