(** Batches of claims, under one challenge, whichever the scheme, for any setup at all.

    - [batch_verify_complete]: a batch of accepted claims is accepted, whatever the coefficients.
    - [batch_verify_one_value]: with the other coefficients fixed, at most one value of a false claim's coefficient lets
      the batch pass.
    - [batch_verify_sound]: of the |S|^n choices of coefficients from a set S, at most |S|^(n-1) let a batch of n claims
      pass that has a false one. *)

From Coq Require Import Arith NArith List Bool Lia Ring Field.
From AardvarkSpec Require Import Prelude Base.Integers Base.Scalar Commitment.Opening Commitment.Kzg
  Commitment.LibertYung Commitment.Scheme.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Base.Scalar Spec.Commitment.Scheme
  Lemmas.Batch.
Import ListNotations.
Local Open Scope N_scope.

Section BatchVerification.

Context {F : ScalarOperations} {lawful : LawfulScalars F} {scalar_given : ScalarGiven}.

Add Field scalars : scalar_field.

(** Whether the claim's own opening is accepted. *)
Definition claim_accepted (setup : Setup) (claim : BatchClaim) : bool :=
  verify_point setup claim.(batch_commitment) claim.(batch_index) claim.(batch_scalar) claim.(batch_opening).

(** By how much a claim misses its scheme's equation. *)
Definition claim_error (setup : Setup) (claim : BatchClaim) : Scalar :=
  match setup with
  | Setup_Kzg kzg => kzg_error kzg claim
  | Setup_LibertYung libert_yung => libert_yung_error libert_yung claim
  end.

Lemma verify_batch_iff (setup : Setup) (batch : list BatchClaim) (coefficients : list Scalar) :
  verify_batch setup batch coefficients = true <->
  combination (fun j => claim_error setup (seq_at batch j)) coefficients (seq_length batch) = scalar_of_N 0.
Proof. destruct setup; [apply kzg_verify_batch_iff | apply libert_yung_verify_batch_iff]. Qed.

Lemma claim_accepted_iff (setup : Setup) (claim : BatchClaim) :
  claim_accepted setup claim = true <->
  batch_index claim < setup_vector_size setup /\ claim_error setup claim = scalar_of_N 0.
Proof.
  destruct setup as [kzg | libert_yung]; [apply kzg_verify_error | apply libert_yung_verify_error].
Qed.

Lemma false_claim_error (setup : Setup) (claim : BatchClaim) :
  batch_index claim < setup_vector_size setup -> claim_accepted setup claim = false ->
  claim_error setup claim <> scalar_of_N 0.
Proof.
  intros L wrong E. apply not_true_iff_false in wrong. apply wrong, claim_accepted_iff. split; assumption.
Qed.

Theorem batch_verify_complete (setup : Setup) (batch : list BatchClaim) (coefficients : list Scalar) :
  (forall j, j < seq_length batch -> claim_accepted setup (seq_at batch j) = true) ->
  verify_batch setup batch coefficients = true.
Proof.
  intros accepted. apply verify_batch_iff. apply sum_all_zero. intros j L.
  specialize (accepted j L). apply claim_accepted_iff in accepted as [_ ->]. ring.
Qed.

Theorem batch_verify_one_value (setup : Setup) (batch : list BatchClaim) (coefficients coefficients' : list Scalar) (j : N) :
  j < seq_length batch -> batch_index (seq_at batch j) < setup_vector_size setup ->
  claim_accepted setup (seq_at batch j) = false ->
  (forall k, k < seq_length batch -> k <> j -> scalar_at coefficients k = scalar_at coefficients' k) ->
  verify_batch setup batch coefficients = true -> verify_batch setup batch coefficients' = true ->
  scalar_at coefficients j = scalar_at coefficients' j.
Proof.
  rewrite !verify_batch_iff. intros L in_vector wrong others.
  apply combination_one_value; [exact L | now apply false_claim_error | exact others].
Qed.

Theorem batch_verify_sound (setup : Setup) (batch : list BatchClaim) (s : list Scalar) (j : N) :
  NoDup s -> j < seq_length batch -> batch_index (seq_at batch j) < setup_vector_size setup ->
  claim_accepted setup (seq_at batch j) = false ->
  (length (filter (verify_batch setup batch) (choices s (length batch))) <= length s ^ (length batch - 1))%nat.
Proof.
  intros distinct L in_vector wrong.
  rewrite (filter_ext_length _ (fun c => combination (fun j => claim_error setup (seq_at batch j)) c
    (N.of_nat (length batch)) [=?] scalar_of_N 0)).
  2: { intros c _. apply eq_true_iff_eq. rewrite verify_batch_iff, scalar_eqb_iff. reflexivity. }
  apply few_choices_vanish; [exact distinct |]. exists j. split; [exact L |]. now apply false_claim_error.
Qed.

End BatchVerification.
