//! Proofs of presence and absence, made by the archive, carried as JSON, and verified with the
//! commitments alone.

use std::time::{Duration, Instant};

use aardvark_algebra::integers::usize_of_u32;
use aardvark_archive::Archive;
use aardvark_commitment::{Kzg, Scheme};
use aardvark_dictionary::{Key, Value};

use super::Narrator;
use super::data::{Data, key};
use crate::commitments_json;
use crate::failure::Failure;
use crate::key_text::display;
use crate::proof_json::{self, Proof};
use crate::report::{bytes, duration};
use crate::verification::{Answer, Refusal, Strictness, verify};

/// Names that no package has.
const UNKNOWN: [&str; 3] = ["aardvark", "left-pad", "zzz"];

/// The trusted side: what a validator holds, as it would be handed around.
pub struct Trusted {
    text: String,
    scheme: Scheme,
}

impl Trusted {
    /// The commitments of a version, and a scheme that can only verify.
    pub fn of_version(archive: &Archive, version: u64) -> Result<Self, Failure> {
        let known = archive.published_commitments(version)?;
        let text = commitments_json::write(&known).map_err(|error| Failure::broken(error.to_string()))?;
        let size = usize_of_u32(known.vector_size);
        Ok(Self { text, scheme: Scheme::from(Kzg::verifier(size)?) })
    }

    /// Verifies a proof as `aardvark verify` does, from its JSON.
    pub fn verify(&self, key: &Key, proof: &Proof) -> Result<Result<Answer, Refusal>, Failure> {
        let known = commitments_json::read(self.text.as_bytes()).map_err(|error| Failure::broken(error.to_string()))?;
        let text = proof_json::write(proof).map_err(|error| Failure::broken(error.to_string()))?;
        let proof = proof_json::read(text.as_bytes()).map_err(|error| Failure::broken(error.to_string()))?;
        Ok(verify(&self.scheme, &known, key, &proof, Strictness::Subgroup))
    }
}

/// An honest proof of the newest version.
pub fn honest(archive: &Archive, key: &Key) -> Result<Proof, Failure> {
    let version = archive.version();
    Ok(archive.key_proof(key.clone(), version, vec![archive.prove(key, version)?]))
}

/// Proves and verifies present and absent keys at the newest version.
pub fn scene(archive: &Archive, data: &Data, tell: &mut Narrator) -> Result<(), Failure> {
    let trusted = Trusted::of_version(archive, archive.version())?;
    tell.section(&format!("Proofs at version {}, verified with the commitments alone", archive.version()))?;
    let latest = data.latest();
    let present = data.known().into_iter().chain(data.spread(5)).take(5);
    let removed = data.first().keys().map(String::as_str).filter(|name| !latest.contains_key(*name)).take(1);
    let absent = UNKNOWN.into_iter().filter(|name| !latest.contains_key(*name)).take(2).chain(removed);
    let mut times = Times::default();
    for name in present.chain(absent) {
        let expected = Data::value(latest, name);
        let answer = times.prove_and_verify(archive, &trusted, &key(name), &expected)?;
        tell.line(name, &answer)?;
    }
    let [proved, verified] = [times.proving, times.verifying].map(|time| time / times.proofs.max(1));
    let text = format!("made in {}, verified in {}", duration(proved), duration(verified));
    tell.line("a proof", &format!("{} with its slot, 48 of them the opening; {text}", bytes(times.largest)))?;
    tell.fact("proofs", times.proofs);
    tell.fact("seconds_to_prove", proved.as_secs_f64());
    tell.fact("seconds_to_verify", verified.as_secs_f64());
    Ok(())
}

/// Totals over the proofs.
#[derive(Default)]
struct Times {
    proofs: u32,
    proving: Duration,
    verifying: Duration,
    largest: u64,
}

impl Times {
    /// Proves, verifies, compares the answer with what the data says, and describes it.
    fn prove_and_verify(
        &mut self,
        archive: &Archive,
        trusted: &Trusted,
        key: &Key,
        expected: &Option<Value>,
    ) -> Result<String, Failure> {
        let start = Instant::now();
        let proof = honest(archive, key)?;
        self.proving += start.elapsed();
        let start = Instant::now();
        let answer = trusted.verify(key, &proof)??;
        self.verifying += start.elapsed();
        self.proofs += 1;
        if answer.value != *expected {
            return Err(Failure::broken(format!("the proof for {} gives another answer than the data", display(key))));
        }
        let [claim] = proof.claims.as_slice() else {
            return Err(Failure::broken("a proof of one key has one claim"));
        };
        let wire = 8 + aardvark_dictionary::codec::slot_length(&claim.slot) as u64 + 48;
        self.largest = self.largest.max(wire);
        Ok(match &answer.value {
            Some(value) => format!("present  {}", short(value)),
            None => format!("absent   between {} and {}", display(&claim.slot.key), display(&claim.slot.next)),
        })
    }
}

/// A value, with the digest cut to what fits a line.
pub fn short(value: &[u8]) -> String {
    let shown = display(value);
    match shown.split_once(' ') {
        Some((version, digest)) => format!("{version} {}…", digest.chars().take(12).collect::<String>()),
        None => shown,
    }
}
