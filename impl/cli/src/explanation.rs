//! Why a proof that holds convinces: the covering slot on the key ring, where it stands, the
//! equation that was checked, and the theorems that make the conclusion valid (`proofs/README.md`).

use aardvark_algebra::scalar_to_bytes;
use aardvark_commitment::SchemeKind;
use aardvark_dictionary::{Claim, Slot};
use serde_json::{Value, json};

use crate::commitments_json::CommitmentsText;
use crate::hex_text::encode;
use crate::key_text::display;
use crate::proof_json::Proof;
use crate::report::{Report, Rows, count};

/// Explains a proof that was verified against `known`.
pub fn explain(proof: &Proof, known: &CommitmentsText<'_>) -> Report {
    let claims: Vec<Explained<'_>> =
        proof.claims.iter().enumerate().map(|(number, claim)| Explained::new(number, claim, proof, known)).collect();
    let present = proof.claims.first().is_some_and(|claim| claim.slot.key == proof.key);
    let mut rows = Rows::new()
        .row("key", display(&proof.key))
        .row("answer", if present { "present" } else { "absent" })
        .row("version", format!("{}, of {} slots", known.version, count(known.slots)));
    for claim in &claims {
        rows = claim.rows(rows);
    }
    for (theorem, says) in theorems(present, known.scheme) {
        rows = rows.row("theorem", format!("{theorem}: {says}"));
    }
    let theorems: Vec<_> = theorems(present, known.scheme).into_iter().map(|(theorem, _)| theorem).collect();
    let json = json!({
        "key": encode(&proof.key),
        "present": present,
        "version": known.version,
        "claims": claims.iter().map(Explained::json).collect::<Vec<_>>(),
        "theorems": theorems,
    });
    Report::done(rows.to_text(), json)
}

/// A claim with what was computed to check it.
struct Explained<'a> {
    role: &'static str,
    claim: &'a Claim,
    ring: String,
    vector: u64,
    index: u64,
    scalar: String,
    commitment: String,
    equation: String,
}

impl<'a> Explained<'a> {
    fn new(number: usize, claim: &'a Claim, proof: &Proof, known: &CommitmentsText<'_>) -> Self {
        let vector_size = u64::from(known.vector_size).max(1);
        let (vector, index) = (claim.position / vector_size, claim.position % vector_size);
        let commitment = known.of_position(claim.position).ok().flatten().map_or_else(String::new, |c| encode(&c));
        let (role, ring) = match number {
            0 => ("covering slot", ring(&claim.slot, &proof.key)),
            _ => ("predecessor", bare_ring(&claim.slot)),
        };
        let scalar = encode(&scalar_to_bytes(&claim.slot.scalar()));
        let equation = equation(known.scheme, vector, index, vector_size);
        Self { role, claim, ring, vector, index, scalar, commitment, equation }
    }

    fn rows(&self, rows: Rows) -> Rows {
        let Slot { key, value, next } = &self.claim.slot;
        let slot = format!("key {}, value {}, next {}", end(key), shown(value), end(next));
        rows.row(self.role, slot)
            .row("on the key ring", self.ring.clone())
            .row("position", format!("{}: vector {}, index {}", self.claim.position, self.vector, self.index))
            .row("its scalar m", self.scalar.clone())
            .row("commitment C", self.commitment.clone())
            .row("opening π", encode(&self.claim.opening))
            .row("equation, holds", self.equation.clone())
    }

    fn json(&self) -> Value {
        json!({
            "role": self.role,
            "slot": {
                "key": encode(&self.claim.slot.key),
                "value": encode(&self.claim.slot.value),
                "next": encode(&self.claim.slot.next),
            },
            "position": self.claim.position,
            "vector": self.vector,
            "index": self.index,
            "scalar": self.scalar,
            "commitment": self.commitment,
            "opening": encode(&self.claim.opening),
            "equation": self.equation,
        })
    }
}

/// The interval that the slot covers, with the key in it: `[alice ------ bob)`, `[alice -- betty --
/// bob)`.
fn ring(slot: &Slot, key: &[u8]) -> String {
    if *slot.key == *key {
        return bare_ring(slot);
    }
    format!("[{} -- {} -- {})", end(&slot.key), display(key), end(&slot.next))
}

fn bare_ring(slot: &Slot) -> String {
    format!("[{} ------ {})", end(&slot.key), end(&slot.next))
}

/// The empty key is where the ring begins and ends.
fn end(key: &[u8]) -> String {
    if key.is_empty() { "the sentinel".to_owned() } else { display(key) }
}

fn shown(value: &[u8]) -> String {
    if value.is_empty() { "empty".to_owned() } else { display(value) }
}

fn equation(scheme: SchemeKind, vector: u64, index: u64, vector_size: u64) -> String {
    match scheme {
        SchemeKind::Kzg => format!(
            "e(C_{vector} - m g1 + ω^{index} π, g2) = e(π, [τ]_2), ω of order {vector_size}, τ the Ethereum ceremony's"
        ),
        SchemeKind::LibertYung => {
            let (i, other) = (index + 1, vector_size - index);
            format!("e(C_{vector} - m [α^{i}]_1, [α^{other}]_2) = e(π, g2), α known to everyone: insecure")
        }
    }
}

/// Theorems of `proofs/theories/Theorems`, with what each says in a sentence.
fn theorems(present: bool, scheme: SchemeKind) -> Vec<(&'static str, &'static str)> {
    let binding = match scheme {
        SchemeKind::Kzg => {
            ("Theorems.Commitments.kzg_position_binding", "two values at one index would give 1/(τ - ω^i)")
        }
        SchemeKind::LibertYung => {
            ("Theorems.Commitments.libert_yung_position_binding", "two values at one index would give α^(N+1)")
        }
    };
    let answer = match present {
        true => ("Theorems.Ring.membership_sound", "a live slot whose key is the key tells its value"),
        false => {
            ("Theorems.Ring.nonmembership_sound", "a live slot that covers a key and has another proves it absent")
        }
    };
    let scalar = ("Theorems.Ring.equal_scalars_are_collision", "two slots with one scalar are a collision of the hash");
    vec![binding, scalar, answer]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slot(key: &str, next: &str) -> Slot {
        Slot { key: key.into(), value: "v".into(), next: next.into() }
    }

    #[test]
    fn the_ring_shows_an_absent_key_inside_the_covered_interval() {
        assert_eq!(ring(&slot("alice", "bob"), b"betty"), "[alice -- betty -- bob)");
        assert_eq!(ring(&slot("alice", "bob"), b"alice"), "[alice ------ bob)");
        assert_eq!(ring(&slot("zoe", ""), b"zoe"), "[zoe ------ the sentinel)");
    }

    #[test]
    fn every_theorem_that_is_named_stands_in_the_list_of_the_proofs() {
        let list = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../proofs/theorems.txt")).unwrap();
        let listed: Vec<String> = list.lines().map(|line| format!("Theorems.{}", line.replace(' ', "."))).collect();
        for scheme in [SchemeKind::Kzg, SchemeKind::LibertYung] {
            for present in [true, false] {
                for (theorem, _) in theorems(present, scheme) {
                    assert!(listed.contains(&theorem.to_owned()), "{theorem} is not listed");
                }
            }
        }
    }
}
