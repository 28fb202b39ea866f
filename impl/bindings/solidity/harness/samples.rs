//! The samples in `proofs/`: dictionaries of addresses, under state roots.

use serde::Deserialize;

use crate::proofs::{Claim, KnownRoot, Proof, RootTie, under_root};

/// A root, and proofs under it.
#[derive(Clone, Debug, Deserialize)]
pub struct Sample {
    /// The root.
    pub known: KnownRoot,
    /// A proof of somebody who is a member.
    pub member: Proof,
    /// A proof that somebody is none.
    pub stranger: Proof,
}

impl Sample {
    /// A thousand members.
    pub fn thousand() -> Self {
        Self::read(include_str!("../proofs/thousand.json"))
    }

    /// A million members.
    pub fn million() -> Self {
        Self::read(include_str!("../proofs/million.json"))
    }

    fn read(text: &str) -> Self {
        serde_json::from_str(text).unwrap()
    }

    /// The data of the verifier's call, for somebody's proof.
    pub fn ask(&self, proof: &Proof) -> Vec<u8> {
        under_root(&self.known, &proof.key(), proof.version, proof.claim(), proof.tie())
    }
}

impl Proof {
    /// The only key that is asked for.
    pub fn key(&self) -> Vec<u8> {
        match self.question.keys.as_deref() {
            Some([key]) => key.0.clone(),
            _ => panic!("not a proof of one key"),
        }
    }

    /// The first claim.
    pub fn claim(&self) -> &Claim {
        &self.claims[0]
    }

    /// What ties it to a root.
    pub fn tie(&self) -> &RootTie {
        self.root.as_ref().unwrap()
    }
}
