//! Forged proofs, and why each is refused.

use aardvark_archive::Archive;
use aardvark_dictionary::Key;
use serde_json::json;

use super::Narrator;
use super::data::{Data, key};
use super::proofs::{Trusted, honest};
use crate::failure::Failure;
use crate::proof_json::Proof;

/// Forges proofs in several ways.
pub fn scene(archive: &Archive, data: &Data, tell: &mut Narrator) -> Result<(), Failure> {
    let trusted = Trusted::of_version(archive, archive.version())?;
    let names: Vec<&str> = data.known().into_iter().chain(data.spread(4)).collect();
    let [victim, other] = [1, 2].map(|index| key(names.get(index).copied().unwrap_or("apt")));
    tell.section(&format!("Forged proofs for {}", crate::key_text::display(&victim)))?;
    let mut reasons = Vec::new();
    for (what, asked, proof) in forgeries(archive, &victim, &other)? {
        match trusted.verify(&asked, &proof)? {
            Ok(_) => return Err(Failure::broken(format!("a forged proof was accepted: {what}"))),
            Err(refusal) => {
                tell.line(what, &format!("refused: {}", refusal.name()))?;
                reasons.push(json!({ "forgery": what, "reason": refusal.name() }));
            }
        }
    }
    tell.fact("forgeries", reasons);
    Ok(())
}

/// What was forged, the key asked for, and the proof.
type Forgery = (&'static str, Key, Proof);

fn forgeries(archive: &Archive, victim: &Key, other: &Key) -> Result<Vec<Forgery>, Failure> {
    let honest_proof = honest(archive, victim)?;
    let forged = |change: &dyn Fn(&mut Proof)| {
        let mut proof = honest_proof.clone();
        change(&mut proof);
        proof
    };
    let claims = archive.prove_delete(victim, archive.version())?;
    let hidden = Proof { claims: claims.into_iter().skip(1).collect(), ..honest_proof.clone() };
    let value = forged(&|proof| proof.claims.iter_mut().for_each(|claim| claim.slot.value = "6.6.6 backdoor".into()));
    let absent = hide(hidden, &honest_proof);
    let opening = forged(&|proof| {
        proof.claims.iter_mut().filter_map(|claim| claim.opening.last_mut()).for_each(|byte| *byte ^= 1);
    });
    let position = forged(&|proof| proof.claims.iter_mut().for_each(|claim| claim.position ^= 1));
    let beyond = forged(&|proof| proof.claims.iter_mut().for_each(|claim| claim.position = u64::MAX));
    let renamed = Proof { key: victim.clone(), ..honest(archive, other)? };
    Ok(vec![
        ("another value, 6.6.6 backdoor", victim.clone(), value),
        ("said to be absent", victim.clone(), absent),
        ("a bit of the opening flipped", victim.clone(), opening),
        ("the neighbouring position", victim.clone(), position),
        ("a position beyond the array", victim.clone(), beyond),
        ("the proof of another package", victim.clone(), renamed),
    ])
}

/// The predecessor's slot, stretched over the victim: the gap that would prove it absent.
fn hide(mut predecessor: Proof, victim: &Proof) -> Proof {
    let next = victim.claims.first().map(|claim| claim.slot.next.clone()).unwrap_or_default();
    predecessor.claims.iter_mut().for_each(|claim| claim.slot.next = next.clone());
    predecessor
}
