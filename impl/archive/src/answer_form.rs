//! Other forms of an answer's proof: with one opening for all claims
//! (`aardvark_spec::commitment::folded_opening`), and for those who know the state root and nothing
//! else (`aardvark_spec::answer::rooted_answer`).

use std::collections::{BTreeMap, BTreeSet};

use aardvark_algebra::integers::usize_or_max;
use aardvark_algebra::tagged_hash;
use aardvark_commitment::{Commitment, Opening};
use aardvark_dictionary::Claim;
use aardvark_dictionary::commitment_tree::CommitmentTree;
use aardvark_dictionary::root::RootParts;
use aardvark_proof::answer_openings::{fold_context, folded_claim};
use aardvark_proof::{AnswerProof, DictionaryIdentity, Question, RootTie, TiedVector};

use crate::error::{ArchiveError, Damage, DamageKind, Place};
use crate::snapshot::Snapshot;

/// In what form an answer's proof is wanted. As it is by default, each claim has its opening, and a
/// reader knows the commitments.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct AnswerForm {
    /// One opening of 96 bytes for all claims.
    pub together: bool,
    /// What the state root of the version is over: the proof ties its claims to that root, and
    /// brings what the dictionary's id is over, so that a reader needs the root alone.
    pub root: Option<RootParts>,
}

impl Snapshot {
    /// [`Snapshot::prove_answer`], in a form.
    ///
    /// # Errors
    /// As [`Snapshot::prove_answer`] and [`Snapshot::in_form`].
    pub fn prove_answer_as(
        &self,
        question: &Question,
        version: u64,
        form: &AnswerForm,
    ) -> Result<AnswerProof, ArchiveError> {
        self.in_form(self.prove_answer(question, version)?, form)
    }

    /// A proof that this archive made, in a form.
    ///
    /// # Errors
    /// [`ArchiveError::OtherRoot`] where the root is not that of the proof's version;
    /// [`ArchiveError::Commitment`] where the scheme's openings do not fold;
    /// [`ArchiveError::VersionOutOfRange`], [`ArchiveError::Damaged`].
    pub fn in_form(&self, mut proof: AnswerProof, form: &AnswerForm) -> Result<AnswerProof, ArchiveError> {
        if let Some(parts) = &form.root {
            proof.tie = Some(self.tie(&proof, parts)?);
        }
        if form.together {
            self.fold(&mut proof)?;
        }
        Ok(proof)
    }

    /// What the dictionary's id is over. The first call reads the entries of genesis.
    ///
    /// # Errors
    /// [`ArchiveError::Damaged`].
    pub fn dictionary_identity(&self) -> Result<DictionaryIdentity, ArchiveError> {
        let record = &self.genesis_record;
        let content_digest = match record.content_digest.get() {
            Some(digest) => *digest,
            None => {
                // The log has the entries as the digest takes them.
                let digest = tagged_hash("AARDVARK-V2-CONTENT", &self.block_bytes(0)?);
                *record.content_digest.get_or_init(|| digest)
            }
        };
        let identity =
            DictionaryIdentity::new(&record.identity, &record.parameters, record.setup_digest, content_digest);
        if identity.id() == record.id {
            Ok(identity)
        } else {
            Err(Damage::new(Place::Genesis, DamageKind::Invalid("the dictionary's id is another one's")).into())
        }
    }

    /// What ties the vectors of a proof's claims to the root.
    fn tie(&self, proof: &AnswerProof, parts: &RootParts) -> Result<RootTie, ArchiveError> {
        let commitments = self.commitments(proof.version)?;
        let tree = CommitmentTree::new(&commitments);
        let fits = parts.dictionary == self.id().0
            && parts.version == proof.version
            && parts.size == self.version_info(proof.version)?.size
            && parts.commitment_root == tree.root();
        if !fits {
            return Err(ArchiveError::OtherRoot { version: proof.version });
        }
        let tied = |number: u64| {
            let vector = usize_or_max(number);
            let commitment = commitments.get(vector).ok_or_else(|| Damage::missing(Place::Commitment(number)))?;
            Ok(TiedVector { number, commitment: commitment.to_bytes(), path: tree.path(vector) })
        };
        let vectors = self.vectors_of(proof).into_iter().map(tied).collect::<Result<_, ArchiveError>>()?;
        let mut tie = RootTie::new(parts, vectors);
        tie.identity = Some(self.dictionary_identity()?);
        Ok(tie)
    }

    /// Puts one opening in the place of the claims' own.
    fn fold(&self, proof: &mut AnswerProof) -> Result<(), ArchiveError> {
        let scheme = self.scheme()?;
        let known = |vector: u64| {
            let found = self.commitments_within(proof.version, vector, vector + 1)?;
            let commitment = found.first().copied().ok_or_else(|| Damage::missing(Place::Commitment(vector)))?;
            Ok((vector, commitment))
        };
        let known: BTreeMap<u64, Commitment> =
            self.vectors_of(proof).into_iter().map(known).collect::<Result<_, ArchiveError>>()?;
        let single = |claim: &Claim| {
            let vector = claim.position / self.parameters().positions_per_vector();
            let commitment = known.get(&vector).ok_or_else(|| Damage::missing(Place::Commitment(vector)))?;
            let opening = Opening::from_bytes(&claim.opening).map_err(|_| {
                Damage::new(Place::Slot(claim.position), DamageKind::Invalid("its opening is no point"))
            })?;
            Ok((folded_claim(scheme, *commitment, claim), opening))
        };
        let claims = proof.claims.iter().map(single).collect::<Result<Vec<_>, ArchiveError>>()?;
        let context = fold_context(&proof.dictionary, proof.version, proof.vector_size);
        proof.folded_opening = Some(scheme.fold(&context, &claims)?.to_bytes());
        proof.claims.iter_mut().for_each(|claim| claim.opening = [0; 48]);
        Ok(())
    }

    /// The vectors that a proof's claims are about.
    fn vectors_of(&self, proof: &AnswerProof) -> BTreeSet<u64> {
        let positions = proof.claims.iter().map(|claim| claim.position);
        positions.map(|position| position / self.parameters().positions_per_vector()).collect()
    }
}
