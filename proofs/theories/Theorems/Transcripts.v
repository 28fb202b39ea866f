(** Theorems for auditors: challenges come from the transcript, and what those gain who may ask the hash many times.

    To understand a statement of this file you need this file, the generated definitions, of Challenges.v [tag_collision], what
    fits and the strings under the seeds, and for the last four theorems the adversaries of Lemmas/OracleBound.v: trees that ask
    a random function, sampled lazily, and go on as its answers have it ([Adversary], [meets_bad]); of aggregations, the
    queries and counted answers of Lemmas/AggregationOracle.v.

    - [transcript_binds]: two aggregations with one seed for their last challenges have the same dictionary, version, claims
      and points, or two different strings with one digest are at hand.
    - [drawn_coefficients_at], [drawn_coefficients_chosen]: the coefficients that are drawn are those of the seed, and one of
      the choices that the bounds count.
    - [drawn_batch_complete]: a batch of accepted claims passes under what is drawn for it.
    - [asked_bad_few]: where few answers are bad, whatever came before, few tables for q queries show a bad one.
    - [forged_batches_few]: so few let one of the batches that were asked about pass with a false claim.
    - [forged_aggregations_few], [unmet_aggregations_true]: and few give an aggregation's prover, who asks for both challenges,
      an answer that is counted; where none is, points that pass with a false claim give the missing power. *)
From Coq Require Import Arith NArith List Bool.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Hash Commitment.Opening Commitment.Scheme
  Commitment.Challenge Commitment.Aggregation Commitment.Transcript.
From Aardvark Require Import Lemmas.Field Lemmas.Batch Lemmas.BatchVerification Lemmas.OracleBound.
From Aardvark Require Import Theorems.Challenges.
From Aardvark Require Spec.Commitment.Transcript Spec.Commitment.Scheme Spec.Commitment.Aggregation
  Lemmas.ChallengeSpace Lemmas.AggregationOracle.
Import ListNotations.
Local Open Scope N_scope.

Section Transcripts.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** Lengths and numbers that the encodings can hold, and what is hashed for the two seeds. *)
Definition fits_transcript (t : AggregateTranscript) : Prop :=
  seq_length (transcript_dictionary t) = 32 /\ transcript_version t < 2 ^ 64 /\
  fits_list fits_unopened (transcript_claims t) /\ fits_list fits_point (transcript_points t).
Definition first_string (t : AggregateTranscript) : ByteString :=
  claims_string (transcript_dictionary t) (transcript_version t) (transcript_claims t).
Definition second_string (t : AggregateTranscript) : ByteString :=
  points_string (transcript_claims_seed t) (transcript_points t).

(** One seed for the last challenges, one transcript, or two different strings with one digest. *)
Theorem transcript_binds : forall t t',
  (forall x, seq_length (tagged_hash tag_aggregate_claims x) = 32) -> fits_transcript t -> fits_transcript t' ->
  transcript_points_seed t = transcript_points_seed t' ->
  t = t' \/ tag_collision tag_aggregate_claims (first_string t) (first_string t') \/
  tag_collision tag_aggregate_points (second_string t) (second_string t').
Proof. exact Aardvark.Spec.Commitment.Transcript.transcript_binds. Qed.

(** The coefficient of claim [j] is the one that the seed determines for [j]. *)
Theorem drawn_coefficients_at : forall seed count j,
  j < count -> scalar_at (drawn_coefficients seed count) j = batch_coefficient seed j.
Proof. exact Aardvark.Spec.Commitment.Transcript.drawn_coefficients_at. Qed.

(** All of them together are one of the choices that the bounds on batches and aggregations count. *)
Theorem drawn_coefficients_chosen : forall seed count,
  (forall x, 16 <= seq_length (tagged_hash tag_coefficient x) /\
    Forall (fun byte => byte < 256) (tagged_hash tag_coefficient x)) ->
  In (drawn_coefficients seed count) (choices challenge_space (N.to_nat count)).
Proof. rewrite challenge_space_same. exact Aardvark.Spec.Commitment.Transcript.drawn_coefficients_chosen. Qed.

(** A batch of accepted claims passes under what is drawn for it. *)
Theorem drawn_batch_complete : forall setup dictionary bound_claims batch,
  (forall j, j < seq_length batch -> claim_accepted setup (seq_at batch j) = true) ->
  verify_drawn_batch setup dictionary bound_claims batch = true.
Proof. exact Aardvark.Spec.Commitment.Transcript.drawn_batch_complete. Qed.

(** A prover asks for challenges of aggregations of at most [m] claims, q times: few tables answer with one that is counted. *)
Theorem forged_aggregations_few : forall (setup : Setup) (s : list Scalar) (m q : nat)
    (adversary : Adversary Lemmas.AggregationOracle.AggregationQuery (list Scalar)),
  NoDup s ->
  (length (filter (meets_bad _ _ (Lemmas.AggregationOracle.counted_answer setup m) [] adversary)
    (choices (choices s m) q))
  <= q * length s ^ (m - 1) * (length s ^ m) ^ (q - 1))%nat.
Proof. exact Aardvark.Lemmas.AggregationOracle.forged_aggregations_few. Qed.

(** Where neither answer is counted, points that pass with a false claim give the missing power. *)
Theorem unmet_aggregations_true : forall {root : PrimitiveRoot scalar_given} (setup : Setup) (m : nat)
    (batch honest : list BatchClaim) (coefficients combiners : list Scalar) (points : list AggregatedOpening)
    (j : N) before before',
  let i := batch_index (seq_at batch j) in
  Aardvark.Spec.Commitment.Scheme.well_made setup ->
  Aardvark.Spec.Commitment.Aggregation.honest_for setup batch honest -> i < setup_vector_size setup ->
  (length batch <= m)%nat -> (length points <= m)%nat -> Lemmas.AggregationOracle.first_false batch honest = Some j ->
  Lemmas.AggregationOracle.counted_answer setup m before
    (Lemmas.AggregationOracle.AsksCoefficients batch honest) coefficients = false ->
  Lemmas.AggregationOracle.counted_answer setup m before'
    (Lemmas.AggregationOracle.AsksCombiners batch honest coefficients points) combiners = false ->
  verify_aggregated setup batch coefficients points combiners = true ->
  Aardvark.Spec.Commitment.Aggregation.is_missing_power setup i
    (Aardvark.Spec.Commitment.Aggregation.aggregated_break batch honest coefficients points i) = true.
Proof. intros root. exact Aardvark.Lemmas.AggregationOracle.unmet_aggregations_true. Qed.

End Transcripts.

(** ** Adversaries who ask the hash *)

Local Open Scope nat_scope.

(** Where each answer is bad for at most b of the |S| choices, at most q b |S|^(q-1) tables for q queries show a bad one. *)
Theorem asked_bad_few : forall (Query Answer : Type) (bad : list (Query * Answer) -> Query -> Answer -> bool)
    (s : list Answer) (b : nat),
  (forall before query, length (filter (bad before query) s) <= b) ->
  forall q adversary before,
  length (filter (meets_bad Query Answer bad before adversary) (choices s q)) <= q * b * length s ^ (q - 1).
Proof. exact Aardvark.Lemmas.OracleBound.asked_bad_few. Qed.

(** An adversary asks for the coefficients of q batches of [m] claims each, and forges where a false one passes: of all tables
    at most a q / |s| part lets it. *)
Theorem forged_batches_few : forall (F : ScalarOperations) (lawful : LawfulScalars F) (scalar_given : ScalarGiven)
    (root : PrimitiveRoot scalar_given) (setup : Setup) (s : list Scalar) (m q : nat)
    (adversary : Adversary (list BatchClaim) (list Scalar)),
  NoDup s ->
  length (filter (meets_bad _ _ (forged setup m) [] adversary) (choices (choices s m) q))
  <= q * length s ^ (m - 1) * (length s ^ m) ^ (q - 1).
Proof. intros. apply Aardvark.Lemmas.OracleBound.forged_batches_few. assumption. Qed.
