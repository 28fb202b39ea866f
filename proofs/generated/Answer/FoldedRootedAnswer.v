(* Translated from spec/src/answer/folded_rooted_answer.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Answers whose openings are folded, for those who hold a state root and nothing else: 96 bytes
    for all claims of a proof, and 32 bytes that are trusted. KZG only.

    The identity is judged as in [`crate::answer::rooted_answer`], all else as in
    [`crate::answer::folded_answer`] under the root. Source: docs/answers.md. *)
From AardvarkSpec Require Export Prelude Base.Bytes Commitment.Scheme Commitment.FoldedOpening Answer.Question
  Answer.Scan Answer.AnswerReason Answer.AnswerProof Answer.FoldedAnswer Answer.RootedAnswer.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** A proof whose openings are folded, and what its dictionary's id is over. *)
Record FoldedRootedProof : Type := {
  (** What the id is over. *)
  folded_identity : DictionaryIdentity;
  (** The proof. *)
  folded_proof : FoldedAnswerProof;
}.

(** The answer that a proof with folded openings gives to a question, under a root alone; or why it
    gives none. `bound_claims` are those of [`verify_folded_answer`]. *)
Definition verify_folded_rooted_answer
    (setup : Setup)
    (trusted_root : ByteString)
    (question : Question)
    (proof : FoldedRootedProof)
    (bound_claims : Seq FoldedClaimBytes) : Result Answer AnswerRefusal :=
  if identity_well_formed proof.(folded_identity) then
    let known := known_root_of trusted_root proof.(folded_identity) in
    verify_folded_answer setup (Trusted_TrustedRoot known) question proof.(folded_proof) bound_claims
  else
    Err (refuse_answer AnswerReason_PartsMalformed).

End Specification.
