(* Translated from spec/src/answer/rooted_answer.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Answer.RootedAnswer Base.BytesSafe Commitment.SchemeSafe
  Dictionary.GenesisSafe Answer.QuestionSafe Answer.ScanSafe Answer.VerifySafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [identity_of_genesis] does not panic. *)
Definition identity_of_genesis_safe (genesis : Genesis) : bool :=
  content_digest_safe genesis.(genesis_entries).

(** When [identity_well_formed] does not panic. *)
Definition identity_well_formed_safe (identity : DictionaryIdentity) : bool :=
  parameters_legal_safe identity.(identity_parameters).

(** When [verify_rooted_answer] does not panic. *)
Definition verify_rooted_answer_safe
    (setup : Setup)
    (trusted_root : ByteString)
    (question : Question)
    (proof : RootedProof) : bool :=
  identity_well_formed_safe proof.(rooted_identity) &&
  (if identity_well_formed proof.(rooted_identity) then
      let known := known_root_of trusted_root proof.(rooted_identity) in
      verify_answer_safe setup (Trusted_TrustedRoot known) question proof.(rooted_proof)
    else
      true).

End Specification.
