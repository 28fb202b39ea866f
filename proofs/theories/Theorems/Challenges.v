(** Theorems for auditors: the challenges of batches and aggregations, and how much counting them is worth.

    To understand a statement of this file you need this file, the generated definitions, and for the last two theorems what
    Commitments.v says of batches and aggregations, whose words are those of Spec/Commitment/Aggregation.v and
    Lemmas/Batch.v: [choices], [claim_accepted], [honest_for], [aggregated_break], [is_missing_power].

    - [batch_seed_binds]: the seed of a batch binds the dictionary and all claims in their order, openings included.
    - [aggregate_claims_seed_binds]: the first seed of an aggregation binds the dictionary, the version, and all claims.
    - [aggregate_points_seed_binds]: the second binds the first, and all points with their indices.
    - [batch_coefficients_differ]: the coefficients of a seed are drawn from different strings.
    - [challenge_space_distinct]: the 2^128 numbers that coefficients are drawn from are distinct as scalars.
    - [batch_soundness_error], [aggregate_soundness_error]: so a false batch passes for at most one choice in 2^128, a false
      aggregation, unless it gives the missing power, for at most two pairs in 2^128. *)
From Coq Require Import NArith List Bool.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Hash Commitment.Opening Commitment.Scheme
  Commitment.Challenge Commitment.Aggregation.
From Aardvark Require Spec.Commitment.Challenge Lemmas.ChallengeSpace.
From Aardvark Require Import Lemmas.Field Spec.Commitment.Scheme Lemmas.Batch Lemmas.BatchVerification
  Spec.Commitment.Aggregation Examples.ModularScalars.
Import ListNotations.
Local Open Scope N_scope.

Section Seeds.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** Two different strings that have one digest under the tag. *)
Definition tag_collision (tag x y : ByteString) : Prop := x <> y /\ tagged_hash tag x = tagged_hash tag y.

(** A list that the encodings can count, of elements that they can hold. *)
Definition fits_list {A : Type} (fits : A -> Prop) (l : list A) : Prop := seq_length l < 2 ^ 64 /\ Forall fits l.
Definition fits_challenge (c : ChallengeClaim) : Prop :=
  challenge_version c < 2 ^ 64 /\ seq_length (challenge_commitment c) = 48 /\ challenge_index c < 2 ^ 32 /\
  seq_length (challenge_scalar c) = 32 /\ seq_length (challenge_opening c) = 48.
Definition fits_unopened (c : UnopenedClaim) : Prop :=
  unopened_version c < 2 ^ 64 /\ unopened_position c < 2 ^ 64 /\ seq_length (unopened_commitment c) = 48 /\
  seq_length (unopened_scalar c) = 32.
Definition fits_point (p : EncodedPoint) : Prop := encoded_index p < 2 ^ 32 /\ seq_length (encoded_point p) = 48.

(** What is hashed for the seeds. *)
Definition batch_string (dictionary : ByteString) (batch : list ChallengeClaim) : ByteString :=
  dictionary ++ u64_bytes (seq_length batch) ++ flat_map encode_challenge_claim batch.
Definition claims_string (dictionary : ByteString) (version : N) (batch : list UnopenedClaim) : ByteString :=
  dictionary ++ u64_bytes version ++ u64_bytes (seq_length batch) ++ flat_map encode_unopened_claim batch.
Definition points_string (seed : ByteString) (points : list EncodedPoint) : ByteString :=
  seed ++ u64_bytes (seq_length points) ++ flat_map (fun p => u32_bytes (encoded_index p) ++ encoded_point p) points.

(** One seed, one dictionary and one batch, or two different strings with one digest. *)
Theorem batch_seed_binds : forall dictionary dictionary' batch batch',
  seq_length dictionary = 32 -> seq_length dictionary' = 32 ->
  fits_list fits_challenge batch -> fits_list fits_challenge batch' ->
  batch_seed dictionary batch = batch_seed dictionary' batch' ->
  (dictionary = dictionary' /\ batch = batch') \/
  tag_collision tag_batch (batch_string dictionary batch) (batch_string dictionary' batch').
Proof. exact Aardvark.Spec.Commitment.Challenge.batch_seed_binds. Qed.

(** One first seed, one dictionary, one version and the same claims, or two different strings with one digest. *)
Theorem aggregate_claims_seed_binds : forall dictionary dictionary' version version' batch batch',
  seq_length dictionary = 32 -> seq_length dictionary' = 32 -> version < 2 ^ 64 -> version' < 2 ^ 64 ->
  fits_list fits_unopened batch -> fits_list fits_unopened batch' ->
  aggregate_claims_seed dictionary version batch = aggregate_claims_seed dictionary' version' batch' ->
  (dictionary = dictionary' /\ version = version' /\ batch = batch') \/
  tag_collision tag_aggregate_claims (claims_string dictionary version batch) (claims_string dictionary' version' batch').
Proof. exact Aardvark.Spec.Commitment.Challenge.aggregate_claims_seed_binds. Qed.

(** One second seed, one first seed and the same points, or two different strings with one digest. *)
Theorem aggregate_points_seed_binds : forall seed seed' points points',
  seq_length seed = 32 -> seq_length seed' = 32 -> fits_list fits_point points -> fits_list fits_point points' ->
  aggregate_points_seed seed points = aggregate_points_seed seed' points' ->
  (seed = seed' /\ points = points') \/
  tag_collision tag_aggregate_points (points_string seed points) (points_string seed' points').
Proof. exact Aardvark.Spec.Commitment.Challenge.aggregate_points_seed_binds. Qed.

(** Coefficient [i] is drawn from the seed followed by the eight bytes of [i]: a string of its own. *)
Theorem batch_coefficients_differ : forall seed i j, i < 2 ^ 64 -> j < 2 ^ 64 ->
  batch_coefficient seed i = coefficient_of_digest (tagged_hash tag_coefficient (seed ++ big_endian i 8)) /\
  (seed ++ big_endian i 8 = seed ++ big_endian j 8 -> i = j).
Proof. exact Aardvark.Spec.Commitment.Challenge.batch_coefficients_differ. Qed.

End Seeds.

(** What coefficients are drawn from: the numbers below 2^128, as scalars. *)
Definition challenge_space {F : ScalarOperations} : list Scalar := map scalar_of_number (range 0 (2 ^ 128)).

(** This is the list of the lemmas. By hand: to compute the two would take 2^128 steps. *)
Lemma challenge_space_same : forall F : ScalarOperations, challenge_space = Aardvark.Lemmas.ChallengeSpace.challenge_space.
Proof.
  intros F. unfold challenge_space, Aardvark.Lemmas.ChallengeSpace.challenge_space, Aardvark.Lemmas.ChallengeSpace.numbers.
  reflexivity.
Qed.

(** Modulo the order of BLS12-381 they are distinct. *)
Theorem challenge_space_distinct : NoDup (@challenge_space modular).
Proof. rewrite challenge_space_same. exact Aardvark.Lemmas.ChallengeSpace.challenge_space_distinct. Qed.

Section Errors.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {root : PrimitiveRoot scalar_given}.

(** The choices of coefficients with which a batch with a false claim passes are at most a 2^-128 part of all. *)
Theorem batch_soundness_error (setup : Setup) (batch : list BatchClaim) (j : N) :
  NoDup challenge_space -> j < seq_length batch -> batch_index (seq_at batch j) < setup_vector_size setup ->
  claim_accepted setup (seq_at batch j) = false ->
  N.of_nat (length (filter (verify_batch setup batch) (choices challenge_space (length batch)))) * 2 ^ 128
  <= N.of_nat (length (choices challenge_space (length batch))).
Proof. rewrite challenge_space_same. exact (Aardvark.Lemmas.ChallengeSpace.batch_soundness_error setup batch j). Qed.

(** The pairs of challenges with which an aggregation of a false claim passes, and gives nothing away, are at most twice a
    2^-128 part of all; the prover chooses the points after the first challenge. *)
Theorem aggregate_soundness_error (setup : Setup) (batch honest : list BatchClaim) (j : N) (count : nat)
    (prover : list Scalar -> list AggregatedOpening) :
  let i := batch_index (seq_at batch j) in
  let pairs := list_prod (choices challenge_space (length batch)) (choices challenge_space count) in
  NoDup challenge_space -> well_made setup -> honest_for setup batch honest -> (0 < count)%nat ->
  j < seq_length batch -> i < setup_vector_size setup ->
  batch_scalar (seq_at batch j) <> batch_scalar (seq_at honest j) ->
  (forall coefficients, (length (prover coefficients) <= count)%nat) ->
  N.of_nat (length (filter (fun '(coefficients, combiners) =>
      let points := prover coefficients in
      verify_aggregated setup batch coefficients points combiners
      && negb (is_missing_power setup i (aggregated_break batch honest coefficients points i))) pairs)) * 2 ^ 128
  <= 2 * N.of_nat (length pairs).
Proof.
  rewrite challenge_space_same.
  exact (Aardvark.Lemmas.ChallengeSpace.aggregate_soundness_error setup batch honest j count prover).
Qed.

End Errors.
