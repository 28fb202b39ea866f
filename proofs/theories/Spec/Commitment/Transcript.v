(** Challenges come from the transcript, and from all of it.

    - [transcript_binds]: two aggregations with one seed for their last challenges have the same dictionary, version, claims
      and points, or two different strings with one digest are at hand; for batches this is [batch_seed_binds]
      (Challenge.v), for folds [fold_seed_binds] (FoldedOpening.v);
    - [drawn_coefficients_at]: a verifier's coefficient j is the one that the seed determines for j;
    - [drawn_coefficients_chosen]: all of them together are one of the choices that the bounds on batches and aggregations
      count;
    - [drawn_batch_complete]: a batch of accepted claims passes under what is drawn for it. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Hash Commitment.Opening Commitment.Scheme
  Commitment.Challenge Commitment.Aggregation Commitment.Transcript.
From Aardvark Require Import Lemmas.Field.
From Aardvark Require Import Lemmas.LoopLemmas Spec.Base.Bytes Lemmas.RootLemmas Spec.Commitment.Challenge.
From Aardvark Require Lemmas.Sequences Spec.Base.Scalar Lemmas.Batch Lemmas.BatchVerification
  Lemmas.ChallengeSpace.
Import ListNotations.
Local Open Scope N_scope.

Section Transcript.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** Lengths and numbers that the encodings can hold. *)
Definition fits_transcript (t : AggregateTranscript) : Prop :=
  seq_length (transcript_dictionary t) = 32 /\ transcript_version t < 2 ^ 64 /\
  fits_list fits_unopened (transcript_claims t) /\ fits_list fits_point (transcript_points t).

(** What is hashed for the two seeds. *)
Definition first_string (t : AggregateTranscript) : ByteString :=
  claims_string (transcript_dictionary t) (transcript_version t) (transcript_claims t).

Definition second_string (t : AggregateTranscript) : ByteString :=
  points_string (transcript_claims_seed t) (transcript_points t).

Theorem transcript_binds : forall t t',
  (forall x, seq_length (tagged_hash tag_aggregate_claims x) = 32) -> fits_transcript t -> fits_transcript t' ->
  transcript_points_seed t = transcript_points_seed t' ->
  t = t' \/ tag_collision tag_aggregate_claims (first_string t) (first_string t') \/
  tag_collision tag_aggregate_points (second_string t) (second_string t').
Proof.
  intros t t' digest_length (D & V & C & P) (D' & V' & C' & P') E.
  destruct (aggregate_points_seed_binds _ _ _ _ (digest_length _) (digest_length _) P P' E) as [[S EP]|K]; [|auto].
  destruct (aggregate_claims_seed_binds _ _ _ _ _ _ D D' V V' C C' S) as [(ED & EV & EC)|K]; [left|auto].
  destruct t, t'. cbn in *. congruence.
Qed.

Lemma drawn_coefficients_map : forall seed count,
  drawn_coefficients seed count = map (batch_coefficient seed) (range 0 count).
Proof. intros. exact (Sequences.fold_range_append (batch_coefficient seed) 0 count []). Qed.

Theorem drawn_coefficients_at : forall seed count j,
  j < count -> scalar_at (drawn_coefficients seed count) j = batch_coefficient seed j.
Proof. intros. rewrite drawn_coefficients_map. apply Scalar.scalar_at_map. assumption. Qed.

Theorem drawn_coefficients_chosen : forall seed count,
  (forall x, 16 <= seq_length (tagged_hash tag_coefficient x) /\
    Forall (fun byte => byte < 256) (tagged_hash tag_coefficient x)) ->
  In (drawn_coefficients seed count) (Batch.choices ChallengeSpace.challenge_space (N.to_nat count)).
Proof.
  intros seed count digests. apply Batch.choices_in. rewrite drawn_coefficients_map. split.
  - rewrite map_length, Sequences.range_length. lia.
  - intros x I. apply in_map_iff in I. destruct I as (j & <- & _). apply ChallengeSpace.coefficient_in_space; apply digests.
Qed.

Theorem drawn_batch_complete : forall setup dictionary bound_claims batch,
  (forall j, j < seq_length batch -> BatchVerification.claim_accepted setup (seq_at batch j) = true) ->
  verify_drawn_batch setup dictionary bound_claims batch = true.
Proof. intros. apply BatchVerification.batch_verify_complete. assumption. Qed.

End Transcript.
