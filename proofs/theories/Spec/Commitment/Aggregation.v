(** Aggregation: all openings of one index merged into one point, under two challenges.

    The single openings are gone, so a false claim is one whose scalar is not the scalar of an honest claim about the same
    commitment and index. Whoever has the honest claims can extract the missing power from the points, except for few
    choices of the challenges.

    - [aggregate_verify_complete]: the points of accepted claims are accepted, whatever the challenges.
    - [aggregate_first_challenge]: of the |S|^n first challenges at most |S|^(n-1) hide a false claim, which is when
      [scalar_gap] vanishes.
    - [aggregate_extract_correct]: where it does not vanish, a point that satisfies its equation gives the missing power,
      by the formula [aggregated_extract].
    - [aggregate_second_challenge]: if the equation of one point is wrong, at most |T|^(k-1) of the |T|^k second challenges
      save the points.
    - [accepted_aggregation_decided]: points that pass with a false claim give the missing power, or the challenges are among
      those that these two bounds count ([challenges_counted], a predicate that a program can decide).
    - [counted_challenges_few], [aggregate_verify_sound]: for any prover, who chooses the points after the first challenge and before the second, of
      the |S|^n |T|^k pairs of challenges at most |S|^(n-1) |T|^k + |S|^n |T|^(k-1) let a false claim pass without giving
      the missing power away. *)

From Coq Require Import Arith NArith List Bool Lia Ring Field.
From AardvarkSpec Require Import Prelude Base.Integers Base.Scalar Base.Group Commitment.Opening Commitment.Kzg
  Commitment.LibertYung Commitment.Scheme.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Base.Scalar Spec.Base.Group Spec.Commitment.Scheme
  Lemmas.Batch Lemmas.BatchVerification Lemmas.AggregationLemmas.
From Aardvark Require Spec.Commitment.Kzg Spec.Commitment.LibertYung.
Import ListNotations.
Local Open Scope N_scope.

Section Aggregation.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {root : PrimitiveRoot scalar_given}.

Add Field scalars : scalar_field.

(** * Definitions *)

(** Accepted claims about the commitments and the indices of a batch. *)
Definition honest_for (setup : Setup) (batch honest : list BatchClaim) : Prop :=
  seq_length honest = seq_length batch /\
  forall j, j < seq_length batch ->
    (seq_at honest j).(batch_commitment) = (seq_at batch j).(batch_commitment) /\
    (seq_at honest j).(batch_index) = (seq_at batch j).(batch_index) /\
    claim_accepted setup (seq_at honest j) = true.

(** Whether a point satisfies the equation of its index alone. *)
Definition point_accepted (setup : Setup) (batch : list BatchClaim) (coefficients : list Scalar)
    (point : AggregatedOpening) : bool :=
  let i := point.(aggregated_index) in
  match setup with
  | Setup_Kzg kzg =>
      pairings_equal (kzg_point_left_side kzg batch coefficients point) point.(aggregated_point) kzg.(kzg_key)
  | Setup_LibertYung libert_yung =>
      gt_equal (libert_yung_index_sum libert_yung batch coefficients i)
        (pairing point.(aggregated_point) g2_generator)
  end.

(** The combined distance of the claims at an index from the honest ones. *)
Definition scalar_gap (batch honest : list BatchClaim) (coefficients : list Scalar) (i : N) : Scalar :=
  sum (fun j => if (seq_at batch j).(batch_index) =? i
    then scalar_at coefficients j [*] ((seq_at honest j).(batch_scalar) [-] (seq_at batch j).(batch_scalar))
    else scalar_of_N 0) (seq_length batch).

(** The missing power, from a point and the honest openings. *)
Definition aggregated_extract (batch honest : list BatchClaim) (coefficients : list Scalar) (point : AggregatedOpening) : G1 :=
  let i := point.(aggregated_index) in
  g1_scale (scalar_inv (scalar_gap batch honest coefficients i))
    (g1_subtract point.(aggregated_point) (aggregated_opening honest coefficients i)).

(** The same for the first point at an index, should there be one. *)
Definition aggregated_break (batch honest : list BatchClaim) (coefficients : list Scalar)
    (points : list AggregatedOpening) (i : N) : option G1 :=
  option_map (aggregated_extract batch honest coefficients) (find (fun point => point.(aggregated_index) =? i) points).

(** Whether what was extracted is the missing power at an index. *)
Definition is_missing_power (setup : Setup) (i : N) (extracted : option G1) : bool :=
  match extracted with
  | Some power => g1_equal power (missing_power setup i)
  | None => false
  end.

(** * Lemmas *)

(** A point satisfies its equation exactly when it is the combination of the accepted exponents. *)
Lemma point_accepted_iff (setup : Setup) (batch : list BatchClaim) (coefficients : list Scalar)
    (point : AggregatedOpening) :
  well_made setup -> aggregated_index point < setup_vector_size setup ->
  point_accepted setup batch coefficients point = true <->
  g1_exponent (aggregated_point point) = sum_at batch (aggregated_index point) (fun j => scalar_at coefficients j [*]
    accepted_exponent setup (batch_commitment (seq_at batch j)) (aggregated_index point) (batch_scalar (seq_at batch j))).
Proof.
  set (i := aggregated_index point). unfold point_accepted. fold i. destruct setup as [kzg | libert_yung].
  - intros (n & tau & -> & legal) L. change (setup_vector_size (Setup_Kzg (kzg_setup n tau))) with n in L.
    rewrite pairings_equal_iff, Kzg.kzg_key_exponent. unfold kzg_point_left_side. fold i. group_exponents.
    unfold kzg_index_sum, kzg_index_sum_step. rewrite loop_at, Kzg.domain_at by exact L.
    pose proof (Kzg.tau_outside legal i) as D.
    assert (E : sum_at batch i (fun j => scalar_at coefficients j [*]
        accepted_exponent (Setup_Kzg (kzg_setup n tau)) (batch_commitment (seq_at batch j)) i
          (batch_scalar (seq_at batch j)))
      = scalar_inv (tau [-] scalar_pow (root_of_unity n) i) [*] sum_at batch i (fun j => g1_exponent
          (g1_scale (scalar_at coefficients j) (g1_subtract (batch_commitment (seq_at batch j))
            (g1_multiple (batch_scalar (seq_at batch j))))))).
    { rewrite <- sum_at_scale. apply sum_at_ext. intros j _ _. unfold accepted_exponent.
      rewrite Kzg.kzg_open_commitment_value by exact L. group_exponents. ring. }
    rewrite E. set (total := sum_at batch i _). split; intros E'.
    + apply (scalar_mul_cancel _ _ _ D). transitivity total; [| field; exact D].
      transitivity (aggregated_point point [*] tau [-] scalar_pow (root_of_unity n) i [*] aggregated_point point); [ring |].
      rewrite <- E'. ring.
    + rewrite E'. field. exact D.
  - intros _ _. rewrite gt_equal_iff, gt_ext_iff. unfold libert_yung_index_sum, libert_yung_index_sum_step.
    rewrite target_loop_at. cbn [pairing gt_exponent g2_generator g2_exponent gt_scale accepted_exponent].
    unfold scalar_one. split; intros E; [rewrite E | rewrite <- E]; ring.
Qed.

Lemma aggregated_opening_sum (batch : list BatchClaim) (coefficients : list Scalar) (i : N) :
  g1_exponent (aggregated_opening batch coefficients i)
  = sum_at batch i (fun j => scalar_at coefficients j [*] batch_opening (seq_at batch j)).
Proof. unfold aggregated_opening, aggregated_opening_step. apply loop_at. Qed.

(** The honest openings at an index, combined. *)
Lemma honest_opening_sum (setup : Setup) (batch honest : list BatchClaim) (coefficients : list Scalar) (i : N) :
  well_made setup -> honest_for setup batch honest ->
  g1_exponent (aggregated_opening honest coefficients i) = sum_at batch i (fun j => scalar_at coefficients j [*]
    accepted_exponent setup (batch_commitment (seq_at batch j)) i (batch_scalar (seq_at honest j))).
Proof.
  intros made [length honest_at]. rewrite aggregated_opening_sum. unfold sum_at. rewrite length.
  apply sum_ext. intros j L. destruct (honest_at j L) as (same & same_index & accepted). rewrite same_index.
  destruct (N.eqb_spec (batch_index (seq_at batch j)) i) as [E | D]; [| reflexivity].
  unfold claim_accepted in accepted. rewrite verify_point_iff in accepted by exact made.
  destruct accepted as [_ ->]. now rewrite same, same_index, E.
Qed.

(** By how much a point misses its equation, in the exponent. *)
Definition point_error (setup : Setup) (batch : list BatchClaim) (coefficients : list Scalar)
    (point : AggregatedOpening) : Scalar :=
  let i := point.(aggregated_index) in
  match setup with
  | Setup_Kzg kzg =>
      kzg_point_left_side kzg batch coefficients point [-] point.(aggregated_point) [*] kzg.(kzg_key)
  | Setup_LibertYung libert_yung =>
      point.(aggregated_point) [-] libert_yung_index_sum libert_yung batch coefficients i
  end.

Lemma point_error_zero (setup : Setup) (batch : list BatchClaim) (coefficients : list Scalar) (point : AggregatedOpening) :
  point_accepted setup batch coefficients point = true <-> point_error setup batch coefficients point = scalar_of_N 0.
Proof.
  destruct setup as [kzg | libert_yung]; unfold point_accepted, point_error; rewrite scalar_sub_zero.
  - apply pairings_equal_iff.
  - rewrite gt_equal_iff, gt_ext_iff. set (total := libert_yung_index_sum _ _ _ _). clearbody total. group_exponents.
    split; intros E; [rewrite E | rewrite <- E]; ring.
Qed.

Lemma verify_aggregated_iff (setup : Setup) (batch : list BatchClaim) (coefficients : list Scalar)
    (points : list AggregatedOpening) (combiners : list Scalar) :
  verify_aggregated setup batch coefficients points combiners = true <->
  aggregation_fits batch points (setup_vector_size setup) = true /\
  combination (fun k => point_error setup batch coefficients (seq_at points k)) combiners (seq_length points)
  = scalar_of_N 0.
Proof.
  destruct setup as [kzg | libert_yung]; simpl verify_aggregated.
  - unfold kzg_verify_aggregated, kzg_verify_aggregated_step. cbv zeta. rewrite two_sums. cbn [sum_left sum_right].
    rewrite andb_true_iff, pairings_equal_iff, !g1_total_exponent, <- scalar_sub_zero. unfold combination, point_error.
    cbv zeta. match goal with |- _ /\ ?a = _ <-> _ /\ ?b = _ => replace a with b; [reflexivity |] end.
    transitivity (sum (fun k => scalar_at combiners k [*] kzg_point_left_side kzg batch coefficients (seq_at points k)
        [+] (scalar_of_N 0 [-] kzg_key kzg) [*] (scalar_at combiners k [*] aggregated_point (seq_at points k)))
        (seq_length points)); [apply sum_ext; intros; ring |].
    rewrite sum_add, sum_scale. cbn [g1_scale g1_exponent]. ring.
  - unfold libert_yung_verify_aggregated, libert_yung_verify_aggregated_step. cbv zeta.
    destruct (two_expected_sums
      (fun k => g1_scale (scalar_at combiners k) (aggregated_point (seq_at points k)))
      (fun k => gt_scale (scalar_at combiners k)
        (libert_yung_index_sum libert_yung batch coefficients (aggregated_index (seq_at points k))))
      (seq_length points)) as [left_sum right_sum]. cbv zeta in left_sum, right_sum.
    rewrite andb_true_iff, LibertYung.expected_sum_iff, left_sum, right_sum.
    cbn [g1_scale g1_exponent gt_scale gt_exponent]. unfold combination, point_error. cbv zeta.
    assert (swap : forall a b : Scalar, a = b <-> b [-] a = scalar_of_N 0).
    { intros a b. rewrite scalar_sub_zero. split; now intros ->. }
    rewrite swap. match goal with |- _ /\ ?a = _ <-> _ /\ ?b = _ => replace a with b; [reflexivity |] end.
    transitivity (sum (fun k => scalar_at combiners k [*] aggregated_point (seq_at points k)
        [+] (scalar_of_N 0 [-] scalar_of_N 1) [*] (scalar_at combiners k [*]
          libert_yung_index_sum libert_yung batch coefficients (aggregated_index (seq_at points k))))
        (seq_length points)); [apply sum_ext; intros; ring |].
    rewrite sum_add, sum_scale. ring.
Qed.

(** * Completeness *)

(** The points of accepted claims are accepted, whatever the challenges. *)
Theorem aggregate_verify_complete (setup : Setup) (batch : list BatchClaim) (coefficients : list Scalar)
    (points : list AggregatedOpening) (combiners : list Scalar) :
  well_made setup ->
  (forall j, j < seq_length batch -> claim_accepted setup (seq_at batch j) = true) ->
  aggregation_fits batch points (setup_vector_size setup) = true ->
  (forall k, k < seq_length points -> aggregated_index (seq_at points k) < setup_vector_size setup /\
    aggregated_point (seq_at points k) = aggregated_opening batch coefficients (aggregated_index (seq_at points k))) ->
  verify_aggregated setup batch coefficients points combiners = true.
Proof.
  intros made accepted fits honest_points. apply verify_aggregated_iff. split; [exact fits |].
  unfold combination. apply sum_all_zero. intros k L. destruct (honest_points k L) as [in_vector E].
  rewrite (proj1 (point_error_zero setup batch coefficients (seq_at points k))); [ring |].
  apply point_accepted_iff; [exact made | exact in_vector |]. rewrite E.
  apply honest_opening_sum; [exact made |]. split; [reflexivity |]. intros j Lj. auto.
Qed.

(** * The first challenge *)

(** Of the |S|^n first challenges at most |S|^(n-1) hide a false claim. *)
Theorem aggregate_first_challenge (batch honest : list BatchClaim) (s : list Scalar) (j : N) :
  NoDup s -> j < seq_length batch -> batch_scalar (seq_at batch j) <> batch_scalar (seq_at honest j) ->
  (length (filter (fun coefficients =>
      scalar_gap batch honest coefficients (batch_index (seq_at batch j)) [=?] scalar_of_N 0)
    (choices s (length batch))) <= length s ^ (length batch - 1))%nat.
Proof.
  intros distinct L false_claim. set (i := batch_index (seq_at batch j)).
  pose (errors := fun k => if batch_index (seq_at batch k) =? i
    then batch_scalar (seq_at honest k) [-] batch_scalar (seq_at batch k) else scalar_of_N 0).
  rewrite (filter_ext_length _ (fun c => combination errors c (N.of_nat (length batch)) [=?] scalar_of_N 0)).
  - apply few_choices_vanish; [exact distinct |]. exists j. split; [exact L |]. unfold errors, i. rewrite N.eqb_refl.
    apply scalar_sub_nonzero. congruence.
  - intros c _. f_equal. unfold scalar_gap, combination. apply sum_ext. intros k _. unfold errors.
    destruct (_ =? i); ring.
Qed.

(** Where the first challenge does not hide the false claim, a point that satisfies its equation gives the missing
    power. *)
Theorem aggregate_extract_correct (setup : Setup) (batch honest : list BatchClaim) (coefficients : list Scalar)
    (point : AggregatedOpening) :
  well_made setup -> honest_for setup batch honest -> aggregated_index point < setup_vector_size setup ->
  point_accepted setup batch coefficients point = true ->
  scalar_gap batch honest coefficients (aggregated_index point) <> scalar_of_N 0 ->
  aggregated_extract batch honest coefficients point = missing_power setup (aggregated_index point).
Proof.
  intros made honesty L accepted gap. apply (proj1 (point_accepted_iff _ _ _ _ made L)) in accepted.
  apply g1_ext. unfold aggregated_extract. group_exponents. rewrite accepted, (honest_opening_sum setup batch honest coefficients _ made honesty).
  set (i := aggregated_index point) in *. rewrite <- sum_at_sub.
  assert (E : sum_at batch i (fun j =>
      scalar_at coefficients j [*] accepted_exponent setup (batch_commitment (seq_at batch j)) i (batch_scalar (seq_at batch j))
      [-] scalar_at coefficients j [*] accepted_exponent setup (batch_commitment (seq_at batch j)) i
        (batch_scalar (seq_at honest j)))
    = g1_exponent (missing_power setup i) [*] scalar_gap batch honest coefficients i).
  { change (scalar_gap batch honest coefficients i) with (sum_at batch i (fun j => scalar_at coefficients j [*]
      (batch_scalar (seq_at honest j) [-] batch_scalar (seq_at batch j)))).
    rewrite <- sum_at_scale. apply sum_at_ext. intros j _ _.
    transitivity (scalar_at coefficients j [*]
      (accepted_exponent setup (batch_commitment (seq_at batch j)) i (batch_scalar (seq_at batch j)) [-]
       accepted_exponent setup (batch_commitment (seq_at batch j)) i (batch_scalar (seq_at honest j)))); [ring |].
    rewrite accepted_exponents_differ by assumption. ring. }
  rewrite E. field. exact gap.
Qed.

(** * The second challenge *)

(** If the equation of one point is wrong, at most |T|^(k-1) of the |T|^k second challenges save the points. *)
Theorem aggregate_second_challenge (setup : Setup) (batch : list BatchClaim) (coefficients : list Scalar)
    (points : list AggregatedOpening) (t : list Scalar) (count : nat) (point : AggregatedOpening) :
  NoDup t -> (length points <= count)%nat -> In point points ->
  point_accepted setup batch coefficients point = false ->
  (length (filter (verify_aggregated setup batch coefficients points) (choices t count)) <= length t ^ (count - 1))%nat.
Proof.
  intros distinct short member wrong. destruct (in_seq_at points point member) as (k & L & <-).
  pose (errors := fun k => if k <? seq_length points
    then point_error setup batch coefficients (seq_at points k) else scalar_of_N 0).
  transitivity (length (filter (fun c => combination errors c (N.of_nat count) [=?] scalar_of_N 0) (choices t count))).
  - apply filter_length_monotone. intros combiners _ E. apply verify_aggregated_iff in E as [_ E].
    apply scalar_eqb_iff. unfold errors. rewrite combination_extended by (unfold seq_length; lia). exact E.
  - apply few_choices_vanish; [exact distinct |]. exists k. unfold seq_length in L. split; [lia |].
    unfold errors, seq_length. rewrite (proj2 (N.ltb_lt _ _) L). intros E.
    apply point_error_zero in E. congruence.
Qed.

(** * Both *)

(** First challenges under which the false claims at an index cancel. *)
Definition first_counted (batch honest : list BatchClaim) (coefficients : list Scalar) (i : N) : bool :=
  scalar_gap batch honest coefficients i [=?] scalar_of_N 0.

(** Second challenges that save the points, although the one at the index misses its equation. *)
Definition second_counted (setup : Setup) (batch : list BatchClaim) (coefficients : list Scalar)
    (points : list AggregatedOpening) (combiners : list Scalar) (i : N) : bool :=
  match find (fun point => point.(aggregated_index) =? i) points with
  | Some point =>
      negb (point_accepted setup batch coefficients point) && verify_aggregated setup batch coefficients points combiners
  | None => false
  end.

Definition challenges_counted (setup : Setup) (batch honest : list BatchClaim) (coefficients : list Scalar)
    (points : list AggregatedOpening) (combiners : list Scalar) (i : N) : bool :=
  first_counted batch honest coefficients i || second_counted setup batch coefficients points combiners i.

(** Points that pass with a false claim give the missing power away, unless the challenges are among those counted. *)
Theorem accepted_aggregation_decided (setup : Setup) (batch honest : list BatchClaim) (coefficients : list Scalar)
    (points : list AggregatedOpening) (combiners : list Scalar) (j : N) :
  let i := batch_index (seq_at batch j) in
  well_made setup -> honest_for setup batch honest -> j < seq_length batch -> i < setup_vector_size setup ->
  verify_aggregated setup batch coefficients points combiners = true ->
  is_missing_power setup i (aggregated_break batch honest coefficients points i) = true \/
  challenges_counted setup batch honest coefficients points combiners i = true.
Proof.
  intros i made honesty L in_vector passes. unfold challenges_counted, first_counted, second_counted.
  destruct (scalar_gap batch honest coefficients i [=?] scalar_of_N 0) eqn:gap; [now right |].
  pose proof (proj1 (verify_aggregated_iff setup batch coefficients points combiners) passes) as [fits _].
  apply andb_true_iff in fits as [_ served].
  destruct (has_index_found points i (indices_served_at batch points j served L)) as (point & found).
  destruct (find_some _ _ found) as [_ at_i]. apply N.eqb_eq in at_i. rewrite found, passes.
  destruct (point_accepted setup batch coefficients point) eqn:accepted; [left | now right].
  unfold aggregated_break. rewrite found. simpl. apply g1_equal_iff. rewrite <- at_i.
  apply aggregate_extract_correct; rewrite ?at_i; try assumption.
  intros Z. rewrite Z, (proj2 (scalar_eqb_iff _ _) eq_refl) in gap. discriminate.
Qed.

(** Of the pairs of challenges few are counted, whatever a prover makes of the first. *)
Theorem counted_challenges_few (setup : Setup) (batch honest : list BatchClaim) (j : N) (s t : list Scalar) (count : nat)
    (prover : list Scalar -> list AggregatedOpening) :
  let i := batch_index (seq_at batch j) in
  let n := length batch in
  NoDup s -> NoDup t -> j < seq_length batch -> batch_scalar (seq_at batch j) <> batch_scalar (seq_at honest j) ->
  (forall coefficients, (length (prover coefficients) <= count)%nat) ->
  (length (filter (fun '(coefficients, combiners) =>
      challenges_counted setup batch honest coefficients (prover coefficients) combiners i)
    (list_prod (choices s n) (choices t count)))
  <= length s ^ (n - 1) * length t ^ count + length s ^ n * length t ^ (count - 1))%nat.
Proof.
  intros i n distinct_s distinct_t L false_claim short. rewrite filter_product_length. etransitivity.
  - apply (list_sum_two_bounds (fun coefficients => first_counted batch honest coefficients i) _ _
      (length t ^ count) (length t ^ (count - 1))).
    intros coefficients _. unfold challenges_counted. destruct (first_counted batch honest coefficients i).
    + rewrite <- choices_length. etransitivity; [apply filter_length_le | lia].
    + rewrite Nat.add_0_l. unfold second_counted. simpl. set (points := prover coefficients).
      destruct (find (fun point => aggregated_index point =? i) points) as [point |] eqn:found.
      2: { rewrite filter_none; [simpl; lia | reflexivity]. }
      destruct (find_some _ _ found) as [member _].
      destruct (point_accepted setup batch coefficients point) eqn:accepted; simpl.
      { rewrite filter_none; [simpl; lia | reflexivity]. }
      exact (aggregate_second_challenge setup batch coefficients points t count point distinct_t (short coefficients)
        member accepted).
  - rewrite choices_length. apply Nat.add_le_mono_r, Nat.mul_le_mono_r.
    exact (aggregate_first_challenge batch honest s j distinct_s L false_claim).
Qed.

(** Of the pairs of challenges few let a false claim pass without giving the missing power away. *)
Theorem aggregate_verify_sound (setup : Setup) (batch honest : list BatchClaim) (j : N) (s t : list Scalar) (count : nat)
    (prover : list Scalar -> list AggregatedOpening) :
  let i := batch_index (seq_at batch j) in
  let n := length batch in
  well_made setup -> honest_for setup batch honest -> NoDup s -> NoDup t ->
  j < seq_length batch -> i < setup_vector_size setup ->
  batch_scalar (seq_at batch j) <> batch_scalar (seq_at honest j) ->
  (forall coefficients, (length (prover coefficients) <= count)%nat) ->
  (length (filter (fun '(coefficients, combiners) =>
      let points := prover coefficients in
      verify_aggregated setup batch coefficients points combiners
      && negb (is_missing_power setup i (aggregated_break batch honest coefficients points i)))
    (list_prod (choices s n) (choices t count)))
  <= length s ^ (n - 1) * length t ^ count + length s ^ n * length t ^ (count - 1))%nat.
Proof.
  intros i n made honesty distinct_s distinct_t L in_vector false_claim short.
  etransitivity; [| exact (counted_challenges_few setup batch honest j s t count prover distinct_s distinct_t L false_claim
    short)].
  apply filter_length_monotone. intros [coefficients combiners] _ E. apply andb_true_iff in E as [passes kept].
  destruct (accepted_aggregation_decided setup batch honest coefficients (prover coefficients) combiners j made honesty L
    in_vector passes) as [power | counted]; [| exact counted].
  cbv zeta in power. fold i in power. rewrite power in kept. discriminate.
Qed.

End Aggregation.
