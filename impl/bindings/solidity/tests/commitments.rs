//! The contract under a commitment, on the example that all documentation verifies.

use harness::abi::answer;
use harness::chain::{Called, Chain, Outcome};
use harness::proofs::{Claim, Hex, KnownCommitments, Proof, under_commitment};

struct Scene {
    chain: Chain,
    verifier: revm::primitives::Address,
    known: KnownCommitments,
    proof: Proof,
}

impl Scene {
    /// The commitments of nine keys, and the proof of a range of them: five claims.
    fn new() -> Self {
        let mut chain = Chain::new();
        let verifier = chain.deploy("AardvarkVerifier", &[]);
        let known = serde_json::from_str(include_str!("../../../proof/examples/commitments.json")).unwrap();
        let proof = serde_json::from_str(include_str!("../../../proof/examples/range.json")).unwrap();
        Self { chain, verifier, known, proof }
    }

    fn claim(&self, key: &str) -> Claim {
        let holds = |claim: &&Claim| claim.slot.key.0 == key.as_bytes();
        self.proof.claims.iter().find(holds).unwrap().clone()
    }

    /// Asks for a key under the commitment of the claimed position's vector.
    fn ask(&mut self, key: &[u8], claim: &Claim) -> Called {
        let vector = claim.position / self.known.vector_size;
        let commitment = self.known.commitments[usize::try_from(vector).unwrap()].clone();
        let data = under_commitment(&self.known, vector, key, claim, &commitment);
        self.chain.call(self.verifier, &data)
    }

    fn answer(&mut self, key: &[u8], claim: &Claim) -> Option<Vec<u8>> {
        match self.ask(key, claim).outcome {
            Outcome::Returned(output) => answer(&output),
            other => panic!("{other:?}"),
        }
    }

    fn refused(&mut self, key: &[u8], claim: &Claim) -> String {
        match self.ask(key, claim).outcome {
            Outcome::Reverted(error) => error,
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_key_is_present_with_its_value_or_absent_between_two_keys() {
    let mut scene = Scene::new();
    let curl = scene.claim("curl");
    assert_eq!(scene.answer(b"curl", &curl), Some(b"curl 1.0".to_vec()));
    for absent in ["curl\0", "curm", "d", "dasg"] {
        assert_eq!(scene.answer(absent.as_bytes(), &curl), None, "{absent}");
    }
    for elsewhere in ["bash", "cur", "dash", "dash\0", "zsh", "\0"] {
        assert_eq!(scene.refused(elsewhere.as_bytes(), &curl), "ChainNotCovering", "{elsewhere}");
    }
}

#[test]
fn every_lie_reverts_with_its_reason() {
    let mut scene = Scene::new();
    let honest = scene.claim("curl");
    let mut lie = |change: fn(&mut Claim)| {
        let mut claim = honest.clone();
        change(&mut claim);
        scene.refused(b"curl", &claim)
    };
    assert_eq!(lie(|claim| claim.slot.value = Hex(b"curl 2.0".to_vec())), "AnswerOpeningFalse");
    assert_eq!(lie(|claim| claim.slot.next = Hex(b"dasg".to_vec())), "AnswerOpeningFalse");
    assert_eq!(lie(|claim| claim.position -= 1), "AnswerOpeningFalse");
    assert_eq!(lie(|claim| claim.opening.0[0] ^= 0x20), "AnswerOpeningFalse");
    assert_eq!(lie(|claim| claim.opening.0 = vec![0xff; 48]), "AnswerOpeningFalse");
    assert_eq!(lie(|claim| claim.opening.0.push(0)), "AnswerOpeningMalformed");
    assert_eq!(lie(|claim| claim.opening.0.clear()), "AnswerOpeningMalformed");
    assert_eq!(lie(|claim| claim.slot.key.0 = vec![b'c'; 256]), "AnswerSlotTooLong");
    assert_eq!(lie(|claim| claim.slot.next.0 = vec![b'c'; 256]), "AnswerSlotTooLong");
    assert_eq!(lie(|claim| claim.slot.value.0 = vec![b'c'; 1025]), "AnswerSlotTooLong");
    assert_eq!(scene.refused(b"", &honest), "QuestionIllegal");
    assert_eq!(scene.refused(&[b'c'; 256], &honest), "QuestionIllegal");
}
