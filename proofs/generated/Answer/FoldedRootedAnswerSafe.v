(* Translated from spec/src/answer/folded_rooted_answer.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Answer.FoldedRootedAnswer Base.BytesSafe Commitment.SchemeSafe
  Commitment.FoldedOpeningSafe Answer.QuestionSafe Answer.ScanSafe Answer.FoldedAnswerSafe
  Answer.RootedAnswerSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [verify_folded_rooted_answer] does not panic. *)
Definition verify_folded_rooted_answer_safe
    (setup : Setup)
    (trusted_root : ByteString)
    (question : Question)
    (proof : FoldedRootedProof)
    (bound_claims : Seq FoldedClaimBytes) : bool :=
  identity_well_formed_safe proof.(folded_identity) &&
  (if identity_well_formed proof.(folded_identity) then
      let known := known_root_of trusted_root proof.(folded_identity) in
      verify_folded_answer_safe setup (Trusted_TrustedRoot known) question proof.(folded_proof) bound_claims
    else
      true).

End Specification.
