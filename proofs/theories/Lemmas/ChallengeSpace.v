(** How much the bounds on batches and aggregations are worth: coefficients are 128-bit numbers, and these are distinct as
    scalars, so a false batch passes for at most one choice in 2^128, a false aggregation for at most two pairs in 2^128.

    - [coefficient_in_space]: every coefficient that the specification draws is one of the 2^128.
    - [challenge_space_distinct]: modulo r, the 2^128 are distinct.
    - [batch_soundness_error], [aggregate_soundness_error]: the two bounds as parts of all choices. *)

From Coq Require Import Arith NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Integers Base.Bytes Base.Scalar Commitment.Opening
  Commitment.Scheme.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Base.Scalar Spec.Commitment.Scheme
  Lemmas.Batch Lemmas.BatchVerification Spec.Commitment.Aggregation Examples.ModularScalars.
Import ListNotations.
Local Open Scope N_scope.

(** The numbers below [count], as scalars. *)
Definition numbers {F : ScalarOperations} (count : N) : list Scalar := map scalar_of_number (range 0 count).

(** What a batch's coefficients are drawn from. *)
Definition challenge_space {F : ScalarOperations} : list Scalar := numbers (2 ^ 128).

(** ** Counting *)

Lemma nodup_map {A B : Type} (f : A -> B) (l : list A) :
  (forall x y, In x l -> In y l -> f x = f y -> x = y) -> NoDup l -> NoDup (map f l).
Proof.
  intros injective distinct. induction distinct as [| x l fresh distinct IH]; simpl; constructor.
  - intros member. apply in_map_iff in member as (y & E & Hy). apply fresh.
    rewrite <- (injective y x); simpl; auto.
  - apply IH. intros; apply injective; simpl; auto.
Qed.

Lemma numbers_length {F : ScalarOperations} (count : N) : N.of_nat (length (numbers count)) = count.
Proof. unfold numbers. rewrite map_length, range_length. lia. Qed.

Lemma numbers_in {F : ScalarOperations} (count n : N) : n < count -> In (scalar_of_number n) (numbers count).
Proof. intros L. apply in_map. apply range_in. lia. Qed.

Lemma numbers_distinct {F : ScalarOperations} (count : N) :
  (forall a b, a < count -> b < count -> scalar_of_number a = scalar_of_number b -> a = b) -> NoDup (numbers count).
Proof.
  intros injective. apply nodup_map.
  - intros a b Ha Hb. apply range_in in Ha, Hb. apply injective; lia.
  - unfold range. apply nodup_map; [intros; lia | apply seq_NoDup].
Qed.

Lemma number_of_bytes_below (bytes : ByteString) :
  Forall (fun byte => byte < 256) bytes -> number_of_bytes bytes < 256 ^ seq_length bytes.
Proof.
  intros all. unfold number_of_bytes.
  apply (fold_range_invariant _ (fun i number => number < 256 ^ i)); [lia | reflexivity |].
  intros i number L below. unfold number_of_bytes_step, u128_of_u8.
  rewrite Forall_forall in all. pose proof (all _ (seq_at_in bytes i ltac:(lia))).
  rewrite N.pow_add_r. change (256 ^ 1) with 256. nia.
Qed.

Theorem coefficient_in_space {F : ScalarOperations} (digest : ByteString) :
  16 <= seq_length digest -> Forall (fun byte => byte < 256) digest -> In (coefficient_of_digest digest) challenge_space.
Proof.
  intros L all. unfold coefficient_of_digest, challenge_space. apply numbers_in.
  change (2 ^ 128) with (256 ^ 16). set (bytes := seq_slice digest 0 16).
  assert (length : seq_length bytes = 16) by (apply seq_slice_length; lia). rewrite <- length.
  apply number_of_bytes_below. rewrite Forall_forall in *. intros byte member. apply all.
  unfold bytes, seq_slice in member. change (skipn (N.to_nat 0) digest) with digest in member.
  rewrite <- (firstn_skipn (N.to_nat 16) digest). apply in_or_app. now left.
Qed.

Theorem challenge_space_distinct : NoDup (@challenge_space modular).
Proof.
  unfold challenge_space. apply numbers_distinct. intros a b La Lb E. change (reduced a = reduced b) in E.
  apply (f_equal residue) in E. rewrite !residue_reduced in E.
  assert (2 ^ 128 < modulus) by reflexivity. rewrite !N.mod_small in E by lia. exact E.
Qed.

(** ** The errors *)

Section Errors.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {root : PrimitiveRoot scalar_given}.

Lemma power_part (space n passing : nat) : (passing <= space ^ (n - 1))%nat -> (0 < n)%nat ->
  N.of_nat passing * N.of_nat space <= N.of_nat (space ^ n).
Proof.
  intros L positive. rewrite <- Nat2N.inj_mul. replace n with (S (n - 1)) at 1 by lia. simpl Nat.pow.
  assert (passing * space <= space * space ^ (n - 1))%nat by nia. lia.
Qed.

(** The passing choices are at most a 2^-128 part of all. *)
Theorem batch_soundness_error (setup : Setup) (batch : list BatchClaim) (j : N) :
  NoDup challenge_space -> j < seq_length batch -> batch_index (seq_at batch j) < setup_vector_size setup ->
  claim_accepted setup (seq_at batch j) = false ->
  N.of_nat (length (filter (verify_batch setup batch) (choices challenge_space (length batch)))) * 2 ^ 128
  <= N.of_nat (length (choices challenge_space (length batch))).
Proof.
  unfold challenge_space. generalize (2 ^ 128). intros count distinct L in_vector wrong.
  pose proof (batch_verify_sound setup batch (numbers count) j distinct L in_vector wrong) as bound.
  rewrite choices_length. set (passing := length (filter _ _)) in *. clearbody passing.
  pose proof (numbers_length count) as size_is. set (space := length (numbers count)) in *. clearbody space.
  rewrite <- size_is. apply power_part; [exact bound |]. unfold seq_length in L. lia.
Qed.

Lemma aggregate_part (size : N) (setup : Setup) (batch honest : list BatchClaim) (j : N) (count : nat)
    (prover : list Scalar -> list AggregatedOpening) :
  let i := batch_index (seq_at batch j) in
  let pairs := list_prod (choices (numbers size) (length batch)) (choices (numbers size) count) in
  NoDup (numbers size) -> well_made setup -> honest_for setup batch honest -> (0 < count)%nat ->
  j < seq_length batch -> i < setup_vector_size setup ->
  batch_scalar (seq_at batch j) <> batch_scalar (seq_at honest j) ->
  (forall coefficients, (length (prover coefficients) <= count)%nat) ->
  N.of_nat (length (filter (fun '(coefficients, combiners) =>
      let points := prover coefficients in
      verify_aggregated setup batch coefficients points combiners
      && negb (is_missing_power setup i (aggregated_break batch honest coefficients points i))) pairs)) * size
  <= 2 * N.of_nat (length pairs).
Proof.
  intros i pairs distinct made honesty positive L in_vector false_claim short.
  pose proof (aggregate_verify_sound setup batch honest j (numbers size) (numbers size) count prover) as bound.
  cbv zeta in bound. fold i in bound. fold pairs in bound.
  specialize (bound made honesty distinct distinct L in_vector false_claim short).
  unfold pairs at 2. rewrite prod_length, !choices_length.
  set (passing := length (filter _ pairs)) in *. clearbody passing.
  pose proof (numbers_length size) as size_is. set (space := length (numbers size)) in *. clearbody space.
  rewrite <- size_is. unfold seq_length in L. set (n := length batch) in *.
  assert (En : (space ^ n = space * space ^ (n - 1))%nat).
  { replace n with (S (n - 1)) at 1 by lia. reflexivity. }
  assert (Ek : (space ^ count = space * space ^ (count - 1))%nat).
  { replace count with (S (count - 1)) at 1 by lia. reflexivity. }
  assert (passing * space <= 2 * (space ^ n * space ^ count))%nat; [| lia].
  rewrite En, Ek in *. nia.
Qed.

(** The passing pairs that give nothing away are at most twice a 2^-128 part of all. *)
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
Proof. exact (aggregate_part (2 ^ 128) setup batch honest j count prover). Qed.

End Errors.
