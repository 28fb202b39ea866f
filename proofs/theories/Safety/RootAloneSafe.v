(** Verifying an answer under a root alone never leaves the range of its integers or sequences; the premises are those of
    Safety/AnswersSafe.v.

    - [verify_rooted_answer_never_panics]: where each claim has its opening;
    - [verify_folded_rooted_answer_never_panics]: where the openings are folded. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Commitment.Scheme Dictionary.Genesis
  Block.Transaction Answer.Question Answer.AnswerProof Answer.FoldedAnswer Answer.RootedAnswer
  Answer.FoldedRootedAnswer Dictionary.GenesisSafe Answer.RootedAnswerSafe Answer.FoldedRootedAnswerSafe.
From Aardvark Require Import Safety.SlotMapSafe Safety.AlgebraSafe Safety.BoundsSafe Safety.GenesisStateSafe
  Safety.AnswersSafe.
Local Open Scope N_scope.

Section Safe.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

Variable setup : Setup.
Hypothesis setup_small : small setup.

Lemma parameters_legal_never_panics : forall p, parameters_legal_safe p = true.
Proof.
  intros p. unfold parameters_legal_safe. apply andb_true_iff. split.
  - unfold layout_legal_safe. destruct (_ && _) eqn:E; [|reflexivity]. apply andb_true_iff in E. destruct E as [_ E].
    apply N.leb_le in E. apply negb_true_iff, N.eqb_neq. lia.
  - destruct (_ && _) eqn:E; [|reflexivity]. apply lengths_legal_never_panics. exact E.
Qed.

Lemma identity_well_formed_never_panics : forall identity, identity_well_formed_safe identity = true.
Proof. intros identity. unfold identity_well_formed_safe. rewrite parameters_legal_never_panics. reflexivity. Qed.

Lemma known_root_in_memory : forall trusted_root identity,
  short trusted_root -> identity_well_formed identity = true ->
  trusted_in_memory (Trusted_TrustedRoot (known_root_of trusted_root identity)).
Proof.
  intros trusted_root identity R W. split; [|exact R]. cbn [trusted_vector_size known_root_of root_vector_size].
  unfold identity_well_formed in W. rewrite !andb_true_iff in W.
  destruct (legal_bounds (identity_parameters identity)) as ([V _] & _); [tauto|exact V].
Qed.

Theorem verify_rooted_answer_never_panics : forall trusted_root question proof,
  short trusted_root -> question_in_memory question -> proof_in_memory (rooted_proof proof) ->
  verify_rooted_answer_safe setup trusted_root question proof = true.
Proof.
  intros trusted_root question proof R Q P. unfold verify_rooted_answer_safe.
  rewrite identity_well_formed_never_panics. cbn [andb].
  destruct (identity_well_formed (rooted_identity proof)) eqn:W; [|reflexivity].
  apply verify_answer_never_panics; [exact setup_small|apply known_root_in_memory; assumption|exact Q|exact P].
Qed.

Theorem verify_folded_rooted_answer_never_panics : forall trusted_root question proof bound_claims,
  short trusted_root -> question_in_memory question -> proof_in_memory (unopened_proof (folded_proof proof)) ->
  verify_folded_rooted_answer_safe setup trusted_root question proof bound_claims = true.
Proof.
  intros trusted_root question proof bound_claims R Q P. unfold verify_folded_rooted_answer_safe.
  rewrite identity_well_formed_never_panics. cbn [andb].
  destruct (identity_well_formed (folded_identity proof)) eqn:W; [|reflexivity].
  apply verify_folded_answer_never_panics; [exact setup_small|apply known_root_in_memory; assumption|exact Q|exact P].
Qed.

End Safe.
