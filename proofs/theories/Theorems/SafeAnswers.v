(** Theorems for auditors: no question and no proof makes a verifier of answers panic.

    To understand a statement of this file you need this file, the generated definitions, and what a machine can receive or
    store: [question_in_memory], [proof_in_memory], [trusted_in_memory] (Safety/AnswersSafe.v), [short] (Safety/SlotMapSafe.v)
    and [small] (Safety/AlgebraSafe.v). Nothing is asked of the proof's truth.

    - [verify_answer_never_panics], [verify_folded_answer_never_panics], [verify_rooted_answer_never_panics],
      [verify_folded_rooted_answer_never_panics]. *)
From Coq Require Import NArith List Bool.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Dictionary.Slot Commitment.Opening
  Commitment.Scheme Dictionary.KeyMap Dictionary.Genesis Dictionary.Vectors Block.Transaction
  Commitment.CommitmentTree Block.Root Answer.Question Answer.Scan Answer.AnswerReason Answer.AnswerProof
  Answer.AnswerBasis Answer.Verify Answer.FoldedAnswer Answer.RootedAnswer Answer.FoldedRootedAnswer
  Commitment.FoldedOpening Base.BytesSafe Dictionary.SlotSafe
  Dictionary.KeyMapSafe Commitment.SchemeSafe Dictionary.GenesisSafe Dictionary.VectorsSafe
  Commitment.CommitmentTreeSafe Answer.QuestionSafe Answer.ScanSafe Answer.AnswerBasisSafe Answer.VerifySafe
  Answer.FoldedAnswerSafe Commitment.FoldedOpeningSafe Answer.RootedAnswerSafe
  Answer.FoldedRootedAnswerSafe.
From Aardvark Require Import Safety.SlotMapSafe Safety.AlgebraSafe.
From Aardvark Require Import Safety.AnswersSafe Safety.RootAloneSafe.
Local Open Scope N_scope.

Section SafeAnswers.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** A setup whose vectors' size, twice over, fits into 64 bits. *)
Variable setup : Setup.
Hypothesis setup_small : small setup.

(** Under a version's commitments, or under a root with the dictionary's id and vector size. *)
Theorem verify_answer_never_panics : forall trusted question proof,
  trusted_in_memory trusted -> question_in_memory question -> proof_in_memory proof ->
  verify_answer_safe setup trusted question proof = true.
Proof. intros; eapply Aardvark.Safety.AnswersSafe.verify_answer_never_panics; eassumption. Qed.

(** Where the openings are folded. *)
Theorem verify_folded_answer_never_panics : forall trusted question proof bound_claims,
  trusted_in_memory trusted -> question_in_memory question -> proof_in_memory (unopened_proof proof) ->
  verify_folded_answer_safe setup trusted question proof bound_claims = true.
Proof. intros; eapply Aardvark.Safety.AnswersSafe.verify_folded_answer_never_panics; eassumption. Qed.

(** Under a root alone. *)
Theorem verify_rooted_answer_never_panics : forall trusted_root question proof,
  short trusted_root -> question_in_memory question -> proof_in_memory (rooted_proof proof) ->
  verify_rooted_answer_safe setup trusted_root question proof = true.
Proof. intros; eapply Aardvark.Safety.RootAloneSafe.verify_rooted_answer_never_panics; eassumption. Qed.

(** Under a root alone, where the openings are folded. *)
Theorem verify_folded_rooted_answer_never_panics : forall trusted_root question proof bound_claims,
  short trusted_root -> question_in_memory question -> proof_in_memory (unopened_proof (folded_proof proof)) ->
  verify_folded_rooted_answer_safe setup trusted_root question proof bound_claims = true.
Proof. intros; eapply Aardvark.Safety.RootAloneSafe.verify_folded_rooted_answer_never_panics; eassumption. Qed.

End SafeAnswers.
