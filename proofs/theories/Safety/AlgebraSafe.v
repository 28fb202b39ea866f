(** The algebra never leaves the range of its integers or sequences: scalars, both schemes, batches and aggregations.

    - [scalars_updated_never_panics], [inner_product_never_panics], [g1_updated_never_panics],
      [g1_combination_never_panics], [g1_multiples_never_panics], [scalar_of_wide_bytes_never_panics],
      [coefficient_of_digest_never_panics];
    - [kzg_setup_never_panics], [libert_yung_setup_never_panics];
    - [commit_never_panics], [open_never_panics], [open_all_never_panics], [verify_never_panics],
      [update_commitment_never_panics], [update_opening_never_panics]: whatever the scalars;
    - [verify_batch_never_panics], [verify_aggregated_never_panics]: whatever the claims and the points, once the claims'
      indices lie in the vector. *)

From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Integers Base.Bytes Base.Scalar Commitment.Opening
  Commitment.Kzg Commitment.LibertYung Commitment.Scheme Base.BytesSafe Base.ScalarSafe Base.Group Base.GroupSafe Commitment.OpeningSafe
  Commitment.KzgSafe Commitment.LibertYungSafe Commitment.SchemeSafe.
From Aardvark Require Import Lemmas.Sequences Safety.SlotMapSafe.
Import ListNotations.
Local Open Scope N_scope.

Section AlgebraSafe.

Context {F : ScalarOperations} {scalar_given : ScalarGiven}.

(** Twice the vector's size fits into 64 bits; no dictionary has more than 4096 elements a vector. *)
Definition small (setup : Setup) : Prop := 2 * setup_vector_size setup + 1 < 2 ^ 64.

Lemma each_turn_safe {A : Type} (body : A -> N -> A) (safe : A -> N -> bool) (indices : list N) (acc : A) :
  (forall acc i, In i indices -> safe acc i = true) -> loop_safe body safe indices acc = true.
Proof.
  revert acc. induction indices as [| i indices IH]; intros acc each; [reflexivity |].
  simpl. rewrite each by now left. apply IH. intros. apply each. now right.
Qed.

Ltac each_turn := apply each_turn_safe; intros ? ? member; apply range_in in member.

Ltac below := rewrite ?andb_true_iff, ?N.ltb_lt, ?N.leb_le; repeat split; unfold within_usize; rewrite ?N.ltb_lt; try lia.

(** ** Scalars *)

Theorem scalars_updated_never_panics (v : list Scalar) (i : N) (new : Scalar) :
  seq_length v < 2 ^ 64 -> scalars_updated_safe v i new = true.
Proof.
  intros L. unfold scalars_updated_safe. destruct (N.ltb_spec i (seq_length v)); [| reflexivity]. below.
Qed.

Theorem g1_updated_never_panics (v : list G1) (i : N) (new : G1) :
  seq_length v < 2 ^ 64 -> g1_updated_safe v i new = true.
Proof.
  intros L. unfold g1_updated_safe. destruct (N.ltb_spec i (seq_length v)); [| reflexivity]. below.
Qed.

Theorem g1_combination_never_panics (elements : list G1) (factors : list Scalar) :
  g1_combination_safe elements factors = true.
Proof. unfold g1_combination_safe. each_turn. below. Qed.

Theorem g1_multiples_never_panics (factors : list Scalar) : g1_multiples_safe factors = true.
Proof. unfold g1_multiples_safe. each_turn. below. Qed.

Theorem inner_product_never_panics (a b : list Scalar) : inner_product_safe a b = true.
Proof. unfold inner_product_safe. each_turn. below. Qed.

Lemma slice_of_bytes (bytes : ByteString) (start count : N) :
  Forall (fun byte => byte < 256) bytes -> Forall (fun byte => byte < 256) (seq_slice bytes start count).
Proof.
  rewrite !Forall_forall. intros all byte member. apply all.
  unfold seq_slice in member.
  assert (firstn_in : forall n (l : list N), In byte (firstn n l) -> In byte l).
  { intros n. induction n as [| n IH]; intros [| x l] M; try contradiction. destruct M as [<- | M]; [now left |].
    right. now apply IH. }
  assert (skipn_in : forall n (l : list N), In byte (skipn n l) -> In byte l).
  { intros n. induction n as [| n IH]; intros [| x l] M; try contradiction; [exact M |]. right. now apply IH. }
  eauto.
Qed.

Theorem coefficient_of_digest_never_panics (digest : ByteString) :
  16 <= seq_length digest -> Forall (fun byte => byte < 256) digest -> coefficient_of_digest_safe digest = true.
Proof.
  intros L all. unfold coefficient_of_digest_safe. apply andb_true_iff. split; [below |].
  apply number_of_bytes_never_panics; [rewrite seq_slice_length by lia; lia | now apply slice_of_bytes].
Qed.

Theorem scalar_of_wide_bytes_never_panics (wide : ByteString) :
  48 <= seq_length wide -> Forall (fun byte => byte < 256) wide -> scalar_of_wide_bytes_safe wide = true.
Proof.
  intros L all. unfold scalar_of_wide_bytes_safe. below;
    (apply number_of_bytes_never_panics; [rewrite seq_slice_length by lia; lia | now apply slice_of_bytes]).
Qed.

(** ** Setups *)

Lemma kzg_parts_never_panic (domain inverses : list Scalar) (tau : Scalar) :
  kzg_inverses_of_safe domain tau = true /\ kzg_lagrange_of_safe domain inverses tau = true.
Proof. split; [unfold kzg_inverses_of_safe | unfold kzg_lagrange_of_safe; cbv zeta]; each_turn; below. Qed.

Lemma kzg_factors_never_panic (domain : list Scalar) : kzg_factors_of_safe domain = true.
Proof. unfold kzg_factors_of_safe. cbv zeta. each_turn. below. Qed.

Lemma kzg_quotients_never_panic (lagrange inverses : list Scalar) (vanishing : Scalar) :
  kzg_vanishing_quotients_of_safe inverses vanishing = true /\ kzg_lagrange_quotients_of_safe lagrange inverses = true.
Proof. split; [unfold kzg_vanishing_quotients_of_safe | unfold kzg_lagrange_quotients_of_safe]; each_turn; below. Qed.

Theorem kzg_setup_never_panics (n : N) (tau : Scalar) : 0 < n -> kzg_setup_safe n tau = true.
Proof.
  intros L. unfold kzg_setup_safe. cbv zeta. rewrite !g1_multiples_never_panics, !kzg_factors_never_panic.
  repeat match goal with
  | |- context [kzg_inverses_of_safe ?d ?t] => rewrite (proj1 (kzg_parts_never_panic d [] t))
  | |- context [kzg_lagrange_of_safe ?d ?i ?t] => rewrite (proj2 (kzg_parts_never_panic d i t))
  | |- context [kzg_vanishing_quotients_of_safe ?i ?v] => rewrite (proj1 (kzg_quotients_never_panic [] i v))
  | |- context [kzg_lagrange_quotients_of_safe ?l ?i] => rewrite (proj2 (kzg_quotients_never_panic l i (scalar_of_N 0)))
  end. rewrite !andb_true_r.
  unfold kzg_domain_of_safe, root_of_unity_safe. apply negb_true_iff, N.eqb_neq. lia.
Qed.

Theorem libert_yung_setup_never_panics (n : N) (alpha : Scalar) :
  2 * n + 1 < 2 ^ 64 -> libert_yung_setup_safe n alpha = true.
Proof.
  intros L. unfold libert_yung_setup_safe, libert_yung_powers_of_safe, libert_yung_duals_of_safe.
  rewrite !andb_true_iff. split; [split; [below |] | below].
  each_turn. unfold libert_yung_powers_of_step_safe. destruct (_ =? 0); [reflexivity | below].
Qed.

(** ** Openings *)

Lemma cross_power_never_panics (setup : LibertYungSetup) (p q : N) :
  2 * libert_yung_size setup + 1 < 2 ^ 64 -> q < libert_yung_size setup -> libert_yung_cross_power_safe setup p q = true.
Proof.
  intros L Lq. unfold libert_yung_cross_power_safe. cbv zeta. destruct (N.ltb_spec p (libert_yung_size setup)); [| reflexivity].
  below.
Qed.

Theorem commit_never_panics (setup : Setup) (vector : list Scalar) : small setup -> commit_safe setup vector = true.
Proof.
  unfold small. destruct setup as [kzg | libert_yung]; cbn [setup_vector_size]; intros L; cbn [commit_safe].
  - apply g1_combination_never_panics.
  - unfold libert_yung_commit_safe. each_turn. unfold libert_yung_commit_step_safe. below.
Qed.

Lemma libert_yung_open_never_panics (setup : LibertYungSetup) (vector : list Scalar) (p : N) :
  2 * libert_yung_size setup + 1 < 2 ^ 64 -> libert_yung_open_safe setup vector p = true.
Proof.
  intros L. unfold libert_yung_open_safe. each_turn. unfold libert_yung_open_step_safe.
  destruct (p =? _); [reflexivity |]. now apply cross_power_never_panics.
Qed.

Lemma kzg_update_opening_never_panics (setup : KzgSetup) (opening : G1) (i j : N) (delta : Scalar) :
  2 * kzg_size setup + 1 < 2 ^ 64 -> j < kzg_size setup -> kzg_update_opening_safe setup opening i j delta = true.
Proof.
  intros L Lj. unfold kzg_update_opening_safe, kzg_factor_safe. destruct (i =? j); [reflexivity |].
  destruct (N.ltb_spec i j); [below | reflexivity].
Qed.

Lemma kzg_open_never_panics (setup : KzgSetup) (vector : list Scalar) (i : N) :
  2 * kzg_size setup + 1 < 2 ^ 64 -> kzg_open_safe setup vector i = true.
Proof.
  intros L. unfold kzg_open_safe. each_turn. unfold kzg_open_step_safe.
  apply kzg_update_opening_never_panics; [exact L | lia].
Qed.

Theorem open_never_panics (setup : Setup) (vector : list Scalar) (i : N) : small setup -> open_safe setup vector i = true.
Proof.
  unfold small. destruct setup as [kzg | libert_yung]; cbn [setup_vector_size]; intros L; cbn [open_safe].
  - now apply kzg_open_never_panics.
  - now apply libert_yung_open_never_panics.
Qed.

Theorem open_all_never_panics (setup : Setup) (vector : list Scalar) : small setup -> open_all_safe setup vector = true.
Proof.
  unfold small. destruct setup as [kzg | libert_yung]; cbn [setup_vector_size]; intros L; cbn [open_all_safe].
  - unfold kzg_open_all_safe. each_turn. now apply kzg_open_never_panics.
  - unfold libert_yung_open_all_safe. each_turn. now apply libert_yung_open_never_panics.
Qed.

Theorem verify_never_panics (setup : Setup) (commitment : G1) (i : N) (m : Scalar) (opening : Opening) :
  small setup -> verify_safe setup commitment i m opening = true.
Proof.
  unfold small. destruct setup as [kzg | libert_yung]; cbn [setup_vector_size]; intros L; destruct opening;
    try reflexivity. cbn [verify_safe verify_point_safe]. unfold libert_yung_verify_safe, libert_yung_expected_safe.
  destruct (N.ltb_spec i (libert_yung_size libert_yung)); [below | reflexivity].
Qed.

Theorem update_commitment_never_panics (setup : Setup) (commitment : G1) (j : N) (delta : Scalar) :
  small setup -> j < setup_vector_size setup -> update_commitment_safe setup commitment j delta = true.
Proof.
  unfold small. destruct setup as [kzg | libert_yung]; cbn [setup_vector_size update_commitment_safe update_opening_safe
    verify_batch_safe verify_aggregated_safe]; intros L Lj; [reflexivity |].
  unfold libert_yung_update_commitment_safe. below.
Qed.

Theorem update_opening_never_panics (setup : Setup) (opening : G1) (i j : N) (delta : Scalar) :
  small setup -> j < setup_vector_size setup -> update_opening_safe setup opening i j delta = true.
Proof.
  unfold small. destruct setup as [kzg | libert_yung]; cbn [setup_vector_size update_commitment_safe update_opening_safe
    verify_batch_safe verify_aggregated_safe]; intros L Lj; [now apply kzg_update_opening_never_panics |].
  unfold libert_yung_update_opening_safe. destruct (i =? j); [reflexivity |]. now apply cross_power_never_panics.
Qed.

(** ** Batches and aggregations *)

(** The indices of all claims lie in the vector. *)
Definition indices_in_vector (setup : Setup) (batch : list BatchClaim) : Prop :=
  forall j, j < seq_length batch -> (seq_at batch j).(batch_index) < setup_vector_size setup.

Theorem verify_batch_never_panics (setup : Setup) (batch : list BatchClaim) (coefficients : list Scalar) :
  small setup -> indices_in_vector setup batch -> verify_batch_safe setup batch coefficients = true.
Proof.
  unfold small, indices_in_vector. destruct setup as [kzg | libert_yung]; cbn [setup_vector_size update_commitment_safe update_opening_safe
    verify_batch_safe verify_aggregated_safe]; intros L indices.
  - unfold kzg_verify_batch_safe. each_turn. below.
  - unfold libert_yung_verify_batch_safe. each_turn. unfold libert_yung_verify_batch_step_safe, libert_yung_expected_safe.
    destruct member as [_ member]. specialize (indices _ member). below.
Qed.

Theorem has_index_never_panics (points : list AggregatedOpening) (i : N) : has_index_safe points i = true.
Proof. unfold has_index_safe. each_turn. below. Qed.

Theorem is_claimed_never_panics (batch : list BatchClaim) (i : N) : is_claimed_safe batch i = true.
Proof. unfold is_claimed_safe. each_turn. below. Qed.

Theorem aggregation_fits_never_panics (batch : list BatchClaim) (points : list AggregatedOpening) (n : N) :
  aggregation_fits_safe batch points n = true.
Proof.
  unfold aggregation_fits_safe.
  assert (ascend : indices_ascend_safe points = true).
  { unfold indices_ascend_safe. each_turn. unfold indices_ascend_step_safe.
    match goal with |- (if 0 <? ?j then _ else _) = true => destruct (N.ltb_spec 0 j); [| reflexivity] end.
    match goal with |- (if ?b then _ else _) = true => destruct b; [| reflexivity] end. below. }
  assert (claimed : points_claimed_safe batch points n = true).
  { unfold points_claimed_safe. each_turn. apply andb_true_iff. split; [below |]. unfold points_claimed_step_safe.
    rewrite is_claimed_never_panics. now repeat match goal with |- (if ?b then _ else _) = true => destruct b end. }
  assert (served : indices_served_safe batch points = true).
  { unfold indices_served_safe. each_turn. apply andb_true_iff. split; [below |].
    unfold indices_served_step_safe. match goal with |- (if ?b then _ else _) = true => destruct b; [| reflexivity] end.
    apply has_index_never_panics. }
  rewrite ascend, claimed, served. now destruct (indices_ascend points), (points_claimed batch points n).
Qed.

Theorem verify_aggregated_never_panics (setup : Setup) (batch : list BatchClaim) (coefficients : list Scalar)
    (points : list AggregatedOpening) (combiners : list Scalar) :
  small setup -> indices_in_vector setup batch ->
  verify_aggregated_safe setup batch coefficients points combiners = true.
Proof.
  unfold small, indices_in_vector. destruct setup as [kzg | libert_yung]; cbn [setup_vector_size update_commitment_safe update_opening_safe
    verify_batch_safe verify_aggregated_safe]; intros L indices.
  - unfold kzg_verify_aggregated_safe. rewrite aggregation_fits_never_panics, andb_true_r. each_turn.
    apply andb_true_iff. split; [below |].
    unfold kzg_verify_aggregated_step_safe, kzg_point_left_side_safe, kzg_index_sum_safe. apply each_turn_safe.
    intros total j Hj. apply range_in in Hj. below.
  - unfold libert_yung_verify_aggregated_safe. rewrite aggregation_fits_never_panics, andb_true_r. each_turn.
    apply andb_true_iff. split; [below |].
    unfold libert_yung_verify_aggregated_step_safe, libert_yung_index_sum_safe. apply each_turn_safe.
    intros total j Hj. apply range_in in Hj. apply andb_true_iff. split; [below |].
    unfold libert_yung_index_sum_step_safe.
    match goal with |- (if ?a =? ?b then _ else _) = true => destruct (N.eqb_spec a b) as [E | E]; [| reflexivity] end.
    unfold libert_yung_expected_safe. rewrite <- E. destruct Hj as [_ Hj]. specialize (indices _ Hj). below.
Qed.

Theorem aggregated_opening_never_panics (batch : list BatchClaim) (coefficients : list Scalar) (i : N) :
  aggregated_opening_safe batch coefficients i = true.
Proof. unfold aggregated_opening_safe. each_turn. below. Qed.

End AlgebraSafe.
