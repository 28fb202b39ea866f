(** The challenges bind what they are drawn for: two different batches with one seed hand over two different strings of one
    digest, and so for the two seeds of an aggregation, and for the coefficients of two numbers.

    - [batch_seed_binds]: the seed of a batch binds the dictionary and all claims in their order, openings included;
    - [aggregate_claims_seed_binds]: the first seed of an aggregation binds the dictionary, the version, and all claims;
    - [aggregate_points_seed_binds]: the second binds the first, and all points with their indices;
    - [batch_coefficients_differ]: the coefficients of a seed are drawn from different strings.

    A collision here is a pair of different strings under one tag with one digest. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Hash Commitment.Opening
  Commitment.Challenge Commitment.Aggregation.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes Lemmas.RootLemmas.
Import ListNotations.
Local Open Scope N_scope.

Section ChallengeBinding.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** Two different strings that have one digest under the tag. *)
Definition tag_collision (tag x y : ByteString) : Prop := x <> y /\ tagged_hash tag x = tagged_hash tag y.

(** Lengths and numbers that the encodings can hold. *)
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

Lemma batch_seed_string : forall dictionary batch, batch_seed dictionary batch = tagged_hash tag_batch (batch_string dictionary batch).
Proof.
  intros. unfold batch_seed, batch_seed_step, batch_string. cbv zeta.
  rewrite (loop_over_elements _ _ _ (fun e x => e ++ encode_challenge_claim x)), fold_append, <- app_assoc. reflexivity.
Qed.

Lemma claims_seed_string : forall dictionary version batch,
  aggregate_claims_seed dictionary version batch = tagged_hash tag_aggregate_claims (claims_string dictionary version batch).
Proof.
  intros. unfold aggregate_claims_seed, aggregate_claims_seed_step, claims_string. cbv zeta.
  rewrite (loop_over_elements _ _ _ (fun e x => e ++ encode_unopened_claim x)), fold_append, <- !app_assoc. reflexivity.
Qed.

Lemma points_seed_string : forall seed points,
  aggregate_points_seed seed points = tagged_hash tag_aggregate_points (points_string seed points).
Proof.
  intros. unfold aggregate_points_seed, aggregate_points_seed_step, points_string. cbv zeta.
  rewrite (loop_over_elements _ _ _ (fun e x => e ++ u32_bytes (encoded_index x) ++ encoded_point x)).
  rewrite (fold_append _ (fun x => u32_bytes (encoded_index x) ++ encoded_point x)), <- app_assoc. reflexivity.
Qed.

Lemma u32_splits : splits (fun x => x < 2 ^ 32) u32_bytes.
Proof.
  intros x y c d X Y E. unfold u32_bytes, u128_of_usize in E.
  apply app_split in E; [|rewrite !big_endian_length; reflexivity]. destruct E as [E ->]. split; [|reflexivity].
  apply big_endian_injective in E; assumption.
Qed.

Lemma challenge_splits : splits fits_challenge encode_challenge_claim.
Proof.
  intros [v c i s o] [v' c' i' s' o'] x y (V & C & I & S & O) (V' & C' & I' & S' & O') E.
  unfold encode_challenge_claim in E. cbn in *. rewrite <- !app_assoc in E.
  apply u64_splits in E; auto. destruct E as [-> E]. apply app_split in E; [|congruence]. destruct E as [-> E].
  apply u32_splits in E; auto. destruct E as [-> E]. apply app_split in E; [|congruence]. destruct E as [-> E].
  apply app_split in E; [|congruence]. destruct E as [-> ->]. auto.
Qed.

Lemma unopened_splits : splits fits_unopened encode_unopened_claim.
Proof.
  intros [v p c s] [v' p' c' s'] x y (V & P & C & S) (V' & P' & C' & S') E.
  unfold encode_unopened_claim in E. cbn in *. rewrite <- !app_assoc in E.
  apply u64_splits in E; auto. destruct E as [-> E]. apply u64_splits in E; auto. destruct E as [-> E].
  apply app_split in E; [|congruence]. destruct E as [-> E]. apply app_split in E; [|congruence]. destruct E as [-> ->]. auto.
Qed.

Lemma point_splits : splits fits_point (fun p => u32_bytes (encoded_index p) ++ encoded_point p).
Proof.
  intros [i p] [j q] x y [I P] [J Q] E. cbn in *. rewrite <- !app_assoc in E.
  apply u32_splits in E; auto. destruct E as [-> E]. apply app_split in E; [|congruence]. destruct E as [-> ->]. auto.
Qed.

Theorem batch_seed_binds : forall dictionary dictionary' batch batch',
  seq_length dictionary = 32 -> seq_length dictionary' = 32 ->
  fits_list fits_challenge batch -> fits_list fits_challenge batch' ->
  batch_seed dictionary batch = batch_seed dictionary' batch' ->
  (dictionary = dictionary' /\ batch = batch') \/
  tag_collision tag_batch (batch_string dictionary batch) (batch_string dictionary' batch').
Proof.
  intros d d' b b' D D' B B' E. rewrite !batch_seed_string in E.
  destruct (bytes_dec (batch_string d b) (batch_string d' b')) as [S|S]; [left|right; split; assumption].
  unfold batch_string in S. apply app_split in S; [|congruence]. destruct S as [-> S]. split; [reflexivity|].
  apply (f_equal (fun x => x ++ [])) in S. apply (list_splits _ _ _ challenge_splits) in S; tauto.
Qed.

Theorem aggregate_claims_seed_binds : forall dictionary dictionary' version version' batch batch',
  seq_length dictionary = 32 -> seq_length dictionary' = 32 -> version < 2 ^ 64 -> version' < 2 ^ 64 ->
  fits_list fits_unopened batch -> fits_list fits_unopened batch' ->
  aggregate_claims_seed dictionary version batch = aggregate_claims_seed dictionary' version' batch' ->
  (dictionary = dictionary' /\ version = version' /\ batch = batch') \/
  tag_collision tag_aggregate_claims (claims_string dictionary version batch) (claims_string dictionary' version' batch').
Proof.
  intros d d' v v' b b' D D' V V' B B' E. rewrite !claims_seed_string in E.
  destruct (bytes_dec (claims_string d v b) (claims_string d' v' b')) as [S|S]; [left|right; split; assumption].
  unfold claims_string in S. apply app_split in S; [|congruence]. destruct S as [-> S]. split; [reflexivity|].
  apply u64_splits in S; auto. destruct S as [-> S]. split; [reflexivity|].
  apply (f_equal (fun x => x ++ [])) in S. apply (list_splits _ _ _ unopened_splits) in S; tauto.
Qed.

Theorem aggregate_points_seed_binds : forall seed seed' points points',
  seq_length seed = 32 -> seq_length seed' = 32 -> fits_list fits_point points -> fits_list fits_point points' ->
  aggregate_points_seed seed points = aggregate_points_seed seed' points' ->
  (seed = seed' /\ points = points') \/
  tag_collision tag_aggregate_points (points_string seed points) (points_string seed' points').
Proof.
  intros s s' p p' L L' P P' E. rewrite !points_seed_string in E.
  destruct (bytes_dec (points_string s p) (points_string s' p')) as [S|S]; [left|right; split; assumption].
  unfold points_string in S. apply app_split in S; [|congruence]. destruct S as [-> S]. split; [reflexivity|].
  apply (f_equal (fun x => x ++ [])) in S. apply (list_splits _ _ _ point_splits) in S; tauto.
Qed.

(** Coefficient [i] is drawn from the seed followed by the eight bytes of [i]: a string of its own. *)
Theorem batch_coefficients_differ : forall seed i j, i < 2 ^ 64 -> j < 2 ^ 64 ->
  batch_coefficient seed i = coefficient_of_digest (tagged_hash tag_coefficient (seed ++ big_endian i 8)) /\
  (seed ++ big_endian i 8 = seed ++ big_endian j 8 -> i = j).
Proof.
  intros seed i j I J. split; [reflexivity|]. intros E. apply app_inv_head in E.
  apply big_endian_injective in E; assumption.
Qed.

End ChallengeBinding.
