(** Libert-Yung: about the setup that [libert_yung_setup n alpha] makes, for every number [n] of elements
    and every [alpha].

    - [open_correct]: the opening of a vector at an index is accepted, for the element there.
    - [open_all_correct]: the openings at all indices are the openings at each.
    - [verify_iff]: an opening is accepted exactly when it equals what its index asks for.
    - [update_commitment_correct]: the updated commitment is that of the updated vector.
    - [update_opening_correct]: the updated opening is that of the updated vector.
    - [position_binding]: from two accepted openings of one commitment at one index to different scalars, the formula
      [libert_yung_extract] gives alpha^(n+1), the power that is not public. *)

From Coq Require Import NArith List Bool Lia Ring Field.
From AardvarkSpec Require Import Prelude Base.Integers Base.Scalar Base.Group Commitment.Opening Commitment.LibertYung.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Base.Scalar Spec.Base.Group.
Import ListNotations.
Local Open Scope N_scope.

Section LibertYung.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.

Add Field scalars : scalar_field.

(** alpha^(n+1), from two accepted openings [opening] to [m] and [opening'] to [m']. *)
Definition libert_yung_extract (m m' : Scalar) (opening opening' : G1) : G1 :=
  g1_scale (scalar_inv (m' [-] m)) (g1_subtract opening opening').

Context {n : N} {alpha : Scalar}.

Let setup : LibertYungSetup := libert_yung_setup n alpha.

(** * What the setup holds *)

(** The power at an index; the identity where it is not public. *)
Definition public_power (i : N) : G1 :=
  if (i =? 0) || (i =? n + 1) then g1_identity else g1_multiple (scalar_pow alpha i).

Lemma powers_map : libert_yung_powers setup = map public_power (range 0 (2 * n + 1)).
Proof.
  unfold setup, libert_yung_setup. simpl libert_yung_powers. unfold libert_yung_powers_of.
  rewrite (fold_left_ext_in _ (fun powers i => powers ++ [public_power i])); [now rewrite fold_range_append |].
  intros powers i _. unfold libert_yung_powers_of_step, public_power. now destruct ((i =? 0) || (i =? n + 1)).
Qed.

Lemma power_at (i : N) :
  0 < i -> i <= 2 * n -> i <> n + 1 -> g1_exponent (libert_yung_power setup i) = scalar_pow alpha i.
Proof.
  intros P L D. unfold libert_yung_power. rewrite powers_map, g1_at_map by lia. unfold public_power.
  destruct (N.eqb_spec i 0); [lia |]. destruct (N.eqb_spec i (n + 1)); [contradiction |]. apply g1_exponent_multiple.
Qed.

Lemma element_power (q : N) : q < n -> g1_exponent (libert_yung_power setup (q + 1)) = scalar_pow alpha (q + 1).
Proof. intros L. apply power_at; lia. Qed.

Lemma cross_power (p q : N) :
  p < n -> q < n -> p <> q -> g1_exponent (libert_yung_cross_power setup p q) = scalar_pow alpha (n - p + q + 1).
Proof.
  intros Lp Lq D. unfold libert_yung_cross_power. change (libert_yung_size setup) with n.
  rewrite (proj2 (N.ltb_lt p n) Lp). apply power_at; lia.
Qed.

Lemma dual_power (p : N) : p < n -> g2_exponent (libert_yung_dual_power setup p) = scalar_pow alpha (n - p).
Proof.
  intros L. unfold libert_yung_dual_power. change (libert_yung_size setup) with n.
  rewrite (proj2 (N.ltb_lt p n) L). unfold setup, libert_yung_setup. simpl libert_yung_duals.
  unfold libert_yung_duals_of, libert_yung_duals_of_step.
  rewrite (fold_range_append (fun i => g2_multiple (scalar_pow alpha i))). simpl app.
  rewrite (g2_at_map (fun i => g2_multiple (scalar_pow alpha i))) by lia. apply g2_exponent_multiple.
Qed.

(** * Opening and verifying *)

Lemma commit_sum (vector : list Scalar) :
  g1_exponent (libert_yung_commit setup vector) = sum (fun q => scalar_at vector q [*] scalar_pow alpha (q + 1)) n.
Proof.
  transitivity (g1_exponent (g1_total (fun q => g1_scale (scalar_at vector q) (libert_yung_power setup (q + 1))) n));
    [reflexivity |].
  rewrite g1_total_exponent. apply sum_ext. intros q L. group_exponents. now rewrite element_power.
Qed.

Lemma open_sum (vector : list Scalar) (p : N) :
  p < n ->
  g1_exponent (libert_yung_open setup vector p)
  = sum (fun q => if p =? q then scalar_of_N 0 else scalar_at vector q [*] scalar_pow alpha (n - p + q + 1)) n.
Proof.
  intros L.
  transitivity (g1_exponent (g1_total (fun q => if p =? q then g1_identity
    else g1_scale (scalar_at vector q) (libert_yung_cross_power setup p q)) n)).
  - f_equal. apply fold_left_ext_in. intros total q _. unfold libert_yung_open_step.
    destruct (p =? q); [group_solve | reflexivity].
  - rewrite g1_total_exponent. apply sum_ext. intros q Lq. destruct (N.eqb_spec p q) as [E | E]; [reflexivity |].
    group_exponents. now rewrite cross_power.
Qed.

Lemma expected_value (commitment : G1) (p : N) (m : Scalar) :
  p < n ->
  gt_exponent (libert_yung_expected setup commitment p m)
  = (commitment [-] m [*] scalar_pow alpha (p + 1)) [*] scalar_pow alpha (n - p).
Proof. intros L. unfold libert_yung_expected. group_exponents. now rewrite element_power, dual_power. Qed.

(** What an opening is compared with is its pairing with the generator. *)
Lemma expected_sum_iff (sums : ExpectedSum) :
  expected_sum_holds sums = true <-> gt_exponent (sum_expected sums) = g1_exponent (sum_openings sums).
Proof.
  unfold expected_sum_holds. rewrite gt_equal_iff, gt_ext_iff. group_exponents. split; intros E; rewrite E; ring.
Qed.

Lemma verify_expected (commitment : G1) (p : N) (m : Scalar) (opening : G1) (made : LibertYungSetup) :
  libert_yung_verify made commitment p m opening = true <->
  p < libert_yung_size made /\ g1_exponent opening = gt_exponent (libert_yung_expected made commitment p m).
Proof.
  unfold libert_yung_verify. rewrite andb_true_iff, N.ltb_lt, gt_equal_iff, gt_ext_iff.
  set (expected := libert_yung_expected _ _ _ _). clearbody expected. group_exponents.
  split; intros [L E]; (split; [exact L |]); [rewrite E | rewrite E]; ring.
Qed.

(** An opening is accepted exactly when it equals what its index asks for. *)
Theorem verify_iff (commitment : G1) (p : N) (m : Scalar) (opening : G1) :
  libert_yung_verify setup commitment p m opening = true <->
  p < n /\ g1_exponent opening = (commitment [-] m [*] scalar_pow alpha (p + 1)) [*] scalar_pow alpha (n - p).
Proof.
  rewrite verify_expected. change (libert_yung_size setup) with n.
  split; intros [L E]; (split; [exact L |]); rewrite expected_value in * by exact L; exact E.
Qed.

(** The opening of a vector at an index is accepted, for the element there. *)
Theorem open_correct (vector : list Scalar) (p : N) :
  p < n ->
  libert_yung_verify setup (libert_yung_commit setup vector) p (scalar_at vector p) (libert_yung_open setup vector p)
  = true.
Proof.
  intros L. apply verify_iff. split; [exact L |]. rewrite commit_sum, open_sum by exact L.
  pose (others := fun q => if p =? q then scalar_of_N 0 else scalar_at vector q [*] scalar_pow alpha (q + 1)).
  rewrite (sum_changed others (fun q => scalar_at vector q [*] scalar_pow alpha (q + 1)) n p L).
  2: { intros q _ D. unfold others. now destruct (N.eqb_spec p q); [congruence |]. }
  unfold others at 2. rewrite N.eqb_refl.
  transitivity (scalar_pow alpha (n - p) [*] sum others n); [| ring].
  rewrite <- sum_scale. apply sum_ext. intros q Lq. unfold others. destruct (N.eqb_spec p q); [ring |].
  replace (n - p + q + 1) with (n - p + (q + 1)) by lia. rewrite scalar_pow_add. ring.
Qed.

(** The openings at all indices are the openings at each. *)
Theorem open_all_correct (vector : list Scalar) (p : N) :
  p < n -> g1_at (libert_yung_open_all setup vector) p = libert_yung_open setup vector p.
Proof.
  intros L. unfold libert_yung_open_all, libert_yung_open_all_step. change (libert_yung_size setup) with n.
  rewrite fold_range_append. simpl app. now rewrite (g1_at_map (fun p => libert_yung_open setup vector p)).
Qed.

(** * Updating *)

(** The updated commitment is that of the updated vector. *)
Theorem update_commitment_correct (vector : list Scalar) (q : N) (delta : Scalar) :
  q < n -> q < seq_length vector ->
  libert_yung_update_commitment setup (libert_yung_commit setup vector) q delta
  = libert_yung_commit setup (scalars_updated vector q (scalar_at vector q [+] delta)).
Proof.
  intros L Lv. apply g1_ext. unfold libert_yung_update_commitment. group_exponents.
  rewrite element_power, !commit_sum by exact L. symmetry.
  rewrite (sum_changed (fun i => scalar_at vector i [*] scalar_pow alpha (i + 1)) _ n q L).
  - rewrite scalar_at_updated, N.eqb_refl by exact Lv. ring.
  - intros i _ D. rewrite scalar_at_updated by exact Lv. now apply N.eqb_neq in D as ->.
Qed.

(** The updated opening is that of the updated vector. *)
Theorem update_opening_correct (vector : list Scalar) (p q : N) (delta : Scalar) :
  p < n -> q < n -> q < seq_length vector ->
  libert_yung_update_opening setup (libert_yung_open setup vector p) p q delta
  = libert_yung_open setup (scalars_updated vector q (scalar_at vector q [+] delta)) p.
Proof.
  intros Lp Lq Lv. apply g1_ext. unfold libert_yung_update_opening. destruct (N.eqb_spec p q) as [<- | D].
  - rewrite !open_sum by exact Lp. apply sum_ext. intros i Li. destruct (N.eqb_spec p i) as [E | E]; [reflexivity |].
    rewrite scalar_at_updated by exact Lv. destruct (N.eqb_spec i p); [congruence | reflexivity].
  - group_exponents. rewrite !open_sum, cross_power by assumption. symmetry.
    rewrite (sum_changed
      (fun i => if p =? i then scalar_of_N 0 else scalar_at vector i [*] scalar_pow alpha (n - p + i + 1)) _ n q Lq).
    + destruct (N.eqb_spec p q); [contradiction |]. rewrite scalar_at_updated, N.eqb_refl by exact Lv. ring.
    + intros i _ Di. destruct (N.eqb_spec p i); [reflexivity |]. rewrite scalar_at_updated by exact Lv.
      now apply N.eqb_neq in Di as ->.
Qed.

(** * Position binding *)

(** From two accepted openings of one commitment at one index to different scalars, [libert_yung_extract] gives
    alpha^(n+1). *)
Theorem position_binding (commitment : G1) (p : N) (m m' : Scalar) (opening opening' : G1) :
  libert_yung_verify setup commitment p m opening = true ->
  libert_yung_verify setup commitment p m' opening' = true ->
  m <> m' ->
  g1_exponent (libert_yung_extract m m' opening opening') = scalar_pow alpha (n + 1).
Proof.
  rewrite !verify_iff. intros [L E] [_ E'] D. unfold libert_yung_extract. group_exponents. rewrite E, E'.
  assert (m' [-] m <> scalar_of_N 0) as nonzero by (apply scalar_sub_nonzero; congruence).
  replace (n + 1) with (p + 1 + (n - p)) by lia. rewrite (scalar_pow_add alpha (p + 1)). field. exact nonzero.
Qed.

End LibertYung.
