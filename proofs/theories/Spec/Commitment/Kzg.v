(** KZG on roots of unity: about the setup that [kzg_setup n tau] makes, for every number [n] of elements
    that divides 4096 and every [tau] that is not an n-th root of unity.

    - [open_value]: what an opening is, said by the trapdoor.
    - [open_correct]: the opening of a vector at an index is accepted, for the element there.
    - [open_all_correct]: the openings at all indices are the openings at each.
    - [verify_iff]: an opening is accepted exactly when it solves the equation of its index.
    - [opening_unique]: a commitment has one opening to each scalar at each index.
    - [update_commitment_correct]: the updated commitment is that of the updated vector.
    - [update_opening_correct]: the updated opening is that of the updated vector.
    - [position_binding]: from two accepted openings of one commitment at one index to different scalars, the formula
      [kzg_extract] gives 1 / (tau - w^i), which nobody can compute who does not know tau. *)

From Coq Require Import NArith List Bool Lia Ring Field.
From AardvarkSpec Require Import Prelude Base.Integers Base.Scalar Base.Group Commitment.Opening Commitment.Kzg.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Base.Scalar Spec.Base.Group.
Import ListNotations.
Local Open Scope N_scope.

Section Kzg.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {root : PrimitiveRoot scalar_given}.

Add Field scalars : scalar_field.

(** The sizes and trapdoors that make a setup: [n] divides 4096, and [tau] is not an n-th root of unity. *)
Definition kzg_legal (n : N) (tau : Scalar) : Prop :=
  0 < n /\ 4096 mod n = 0 /\ scalar_pow tau n <> scalar_of_N 1.

(** 1 / (tau - w^i), from two accepted openings [opening] to [m] and [opening'] to [m']. *)
Definition kzg_extract (m m' : Scalar) (opening opening' : G1) : G1 :=
  g1_scale (scalar_inv (m' [-] m)) (g1_subtract opening opening').

(** The exponent of the one opening of a commitment at an index to a scalar. *)
Definition kzg_open_commitment (setup : KzgSetup) (commitment : Scalar) (i : N) (m : Scalar) : Scalar :=
  (commitment [-] m) [*] scalar_inv (kzg_key setup [-] scalar_at (kzg_domain setup) i).

Section Setup.

Context {n : N} {tau : Scalar} (legal : kzg_legal n tau).

Let w : Scalar := root_of_unity n.
Let setup : KzgSetup := kzg_setup n tau.

(** * What the setup holds *)

Lemma kzg_domain_map : kzg_domain setup = map (scalar_pow w) (range 0 n).
Proof. unfold setup, kzg_setup, kzg_domain_of, kzg_domain_of_step. simpl. now rewrite fold_range_append. Qed.

Lemma kzg_domain_length : seq_length (kzg_domain setup) = n.
Proof. now rewrite kzg_domain_map, seq_length_map, seq_length_range. Qed.

Lemma domain_at (i : N) : i < n -> scalar_at (kzg_domain setup) i = scalar_pow w i.
Proof. intros L. rewrite kzg_domain_map. now apply scalar_at_map. Qed.

Lemma kzg_key_exponent : g2_exponent (kzg_key setup) = tau.
Proof. apply g2_exponent_multiple. Qed.

(** 1 / (tau - w^i) *)
Definition inverse (i : N) : Scalar := scalar_inv (tau [-] scalar_pow w i).

Lemma kzg_inverses_map : kzg_inverses_of (kzg_domain setup) tau = map inverse (range 0 n).
Proof.
  unfold kzg_inverses_of, kzg_inverses_of_step, scalar_inverse.
  rewrite (fold_range_elements (fun inverses x => inverses ++ [scalar_inv (tau [-] x)])).
  now rewrite fold_append, kzg_domain_map, map_map.
Qed.

(** A(tau) *)
Definition vanishing : Scalar := scalar_pow tau n [-] scalar_of_N 1.

(** A(tau) / n *)
Definition kzg_scale : Scalar := (scalar_pow tau n [-] scalar_of_N 1) [*] scalar_inv (scalar_of_N n).

(** L_i(tau) *)
Definition lagrange (i : N) : Scalar := scalar_pow w i [*] kzg_scale [*] scalar_inv (tau [-] scalar_pow w i).

Lemma kzg_lagrange_map :
  kzg_lagrange_of (kzg_domain setup) (kzg_inverses_of (kzg_domain setup) tau) tau = map lagrange (range 0 n).
Proof.
  unfold kzg_lagrange_of, kzg_lagrange_of_step. rewrite kzg_domain_length, kzg_inverses_map.
  change (kzg_vanishing tau n [*] scalar_inverse (kzg_size_scalar n)) with kzg_scale.
  rewrite (fold_range_append
    (fun i => seq_at (kzg_domain setup) i [*] kzg_scale [*] scalar_at (map inverse (range 0 n)) i)).
  apply map_ext_in. intros i I. apply range_in in I.
  rewrite <- scalar_at_in by (rewrite kzg_domain_length; lia). now rewrite domain_at, scalar_at_map by lia.
Qed.

Lemma lagrange_elements : kzg_lagrange setup = map (fun i => g1_multiple (lagrange i)) (range 0 n).
Proof.
  change (kzg_lagrange setup) with
    (g1_multiples (kzg_lagrange_of (kzg_domain setup) (kzg_inverses_of (kzg_domain setup) tau) tau)).
  now rewrite kzg_lagrange_map, g1_multiples_map, map_map.
Qed.

Lemma kzg_lagrange_length : seq_length (kzg_lagrange setup) = n.
Proof. now rewrite lagrange_elements, seq_length_map, seq_length_range. Qed.

Lemma lagrange_at (i : N) : i < n -> g1_exponent (g1_at (kzg_lagrange setup) i) = lagrange i.
Proof. intros L. rewrite lagrange_elements, g1_at_map by exact L. apply g1_exponent_multiple. Qed.

Lemma vanishing_quotient_at (i : N) :
  i < n -> g1_exponent (g1_at (kzg_vanishing_quotients setup) i) = vanishing [*] inverse i.
Proof.
  intros L. change (kzg_vanishing_quotients setup) with
    (g1_multiples (kzg_vanishing_quotients_of (kzg_inverses_of (kzg_domain setup) tau) vanishing)).
  unfold kzg_vanishing_quotients_of, kzg_vanishing_quotients_of_step.
  rewrite (fold_range_elements (fun quotients x => quotients ++ [vanishing [*] x])), fold_append, kzg_inverses_map.
  rewrite g1_multiples_map. simpl app. rewrite !map_map.
  rewrite (g1_at_map (fun i => g1_multiple (vanishing [*] inverse i))) by exact L. apply g1_exponent_multiple.
Qed.

Lemma lagrange_quotient_at (i : N) :
  i < n -> g1_exponent (g1_at (kzg_lagrange_quotients setup) i) = (lagrange i [-] scalar_of_N 1) [*] inverse i.
Proof.
  intros L. change (kzg_lagrange_quotients setup) with
    (g1_multiples (kzg_lagrange_quotients_of
      (kzg_lagrange_of (kzg_domain setup) (kzg_inverses_of (kzg_domain setup) tau) tau)
      (kzg_inverses_of (kzg_domain setup) tau))).
  rewrite kzg_lagrange_map, kzg_inverses_map. unfold kzg_lagrange_quotients_of, kzg_lagrange_quotients_of_step.
  rewrite seq_length_map, seq_length_range.
  rewrite (fold_range_append (fun k => (seq_at (map lagrange (range 0 n)) k [-] scalar_one)
    [*] scalar_at (map inverse (range 0 n)) k)).
  rewrite g1_multiples_map. simpl app. rewrite map_map. rewrite (g1_at_map (fun k => g1_multiple
    ((seq_at (map lagrange (range 0 n)) k [-] scalar_one) [*] scalar_at (map inverse (range 0 n)) k))) by exact L.
  rewrite g1_exponent_multiple, scalar_at_map by exact L.
  rewrite <- scalar_at_in by (rewrite seq_length_map, seq_length_range; exact L). now rewrite scalar_at_map.
Qed.

Lemma size_positive : 0 < n.
Proof. now destruct legal. Qed.

Lemma size_divides : 4096 mod n = 0.
Proof. now destruct legal as [_ [D _]]. Qed.

Lemma root_primitive : primitive_root w n.
Proof. apply root_of_unity_primitive; [exact size_divides | exact size_positive]. Qed.

Lemma size_nonzero : scalar_of_N n <> scalar_of_N 0.
Proof. apply size_scalar_nonzero; [exact size_divides | exact size_positive]. Qed.

(** tau is not in the domain. *)
Lemma tau_outside (i : N) : tau [-] scalar_pow w i <> scalar_of_N 0.
Proof.
  intros E. apply (proj1 (scalar_sub_zero _ _)) in E. destruct legal as [_ [_ outside]]. apply outside. rewrite E.
  rewrite scalar_pow_mul, N.mul_comm, <- scalar_pow_mul. destruct root_primitive as [-> _]. apply scalar_one_pow.
Qed.

Lemma domain_differs (i j : N) : i < n -> j < n -> i <> j -> scalar_pow w j [-] scalar_pow w i <> scalar_of_N 0.
Proof.
  intros Li Lj D. apply scalar_sub_nonzero. apply (powers_differ w n); auto. exact root_primitive.
Qed.

(** * Opening and verifying *)

Lemma kzg_commit_sum (vector : list Scalar) :
  g1_exponent (kzg_commit setup vector) = sum (fun i => lagrange i [*] scalar_at vector i) n.
Proof.
  unfold kzg_commit. rewrite g1_combination_exponent, kzg_lagrange_length. apply sum_ext. intros i L.
  rewrite lagrange_at by exact L. ring.
Qed.

(** An opening is accepted exactly when it solves the equation of its index. *)
Theorem verify_iff (commitment : G1) (i : N) (m : Scalar) (opening : G1) :
  kzg_verify setup commitment i m opening = true <->
  i < n /\ opening [*] (tau [-] scalar_pow w i) = commitment [-] m.
Proof.
  unfold kzg_verify, kzg_left_side. rewrite andb_true_iff, N.ltb_lt, pairings_equal_iff, kzg_key_exponent.
  change (kzg_size setup) with n. group_exponents. split; intros [L E]; (split; [exact L |]); rewrite domain_at in * by exact L.
  - transitivity (opening [*] tau [-] scalar_pow w i [*] opening); [ring | rewrite <- E; ring].
  - transitivity (opening [*] (tau [-] scalar_pow w i) [+] scalar_pow w i [*] opening); [rewrite E; ring | ring].
Qed.

Lemma kzg_open_commitment_value (commitment : Scalar) (i : N) (m : Scalar) :
  i < n -> kzg_open_commitment setup commitment i m = (commitment [-] m) [*] scalar_inv (tau [-] scalar_pow w i).
Proof. intros L. unfold kzg_open_commitment. now rewrite kzg_key_exponent, domain_at. Qed.

(** (L_j(tau) - [i = j]) / (tau - w^i), which the opening at [i] holds of element [j]. *)
Definition weight (i j : N) : Scalar :=
  (lagrange j [-] (if i =? j then scalar_of_N 1 else scalar_of_N 0)) [*] inverse i.

Lemma factors_map : kzg_factors setup = map (fun k => if k =? 0 then scalar_of_N 0
  else scalar_inv (scalar_of_N n [*] (scalar_of_N 1 [-] scalar_pow w k))) (range 0 n).
Proof.
  change (kzg_factors setup) with (kzg_factors_of (kzg_domain setup)). unfold kzg_factors_of. cbv zeta.
  rewrite kzg_domain_length. change (kzg_size_scalar n) with (scalar_of_N n).
  rewrite (fold_left_ext_in _ (fun factors k => factors ++ [if k =? 0 then scalar_of_N 0
    else scalar_inv (scalar_of_N n [*] (scalar_of_N 1 [-] scalar_pow w k))])); [now rewrite fold_range_append |].
  intros factors k I. apply range_in in I. unfold kzg_factors_of_step, scalar_zero, scalar_one, scalar_inverse.
  destruct (k =? 0); [reflexivity |]. rewrite <- scalar_at_in by (rewrite kzg_domain_length; lia).
  now rewrite domain_at by lia.
Qed.

(** f_{i-j} = c_j / (w^j - w^i), with c_j = w^j / n. *)
Lemma factor_value (i j : N) :
  i < n -> j < n -> i <> j ->
  kzg_factor setup i j
  = scalar_pow w j [*] scalar_inv (scalar_of_N n) [*] scalar_inv (scalar_pow w j [-] scalar_pow w i).
Proof.
  intros Li Lj D. pose (k := if i <? j then i + n - j else i - j).
  assert (K : 0 < k < n) by (unfold k; destruct (N.ltb_spec i j); lia).
  assert (E : scalar_pow w i = scalar_pow w j [*] scalar_pow w k).
  { rewrite <- scalar_pow_add. unfold k. destruct (N.ltb_spec i j).
    - replace (j + (i + n - j)) with (i + n) by lia. rewrite scalar_pow_add. destruct root_primitive as [-> _]. ring.
    - now replace (j + (i - j)) with i by lia. }
  transitivity (scalar_at (kzg_factors setup) k).
  { unfold kzg_factor, k. change (kzg_size setup) with n. now destruct (i <? j). }
  rewrite factors_map, (scalar_at_map (fun k => if k =? 0 then scalar_of_N 0
    else scalar_inv (scalar_of_N n [*] (scalar_of_N 1 [-] scalar_pow w k)))) by lia.
  destruct (N.eqb_spec k 0); [lia |]. rewrite E.
  assert (W : scalar_pow w j <> scalar_of_N 0) by (apply scalar_pow_nonzero, (primitive_root_nonzero w n size_positive root_primitive)).
  assert (P : scalar_of_N 1 [-] scalar_pow w k <> scalar_of_N 0).
  { apply scalar_sub_nonzero. intros O. symmetry in O. revert O. apply (proj2 root_primitive). exact K. }
  assert (S : scalar_pow w j [-] scalar_pow w j [*] scalar_pow w k <> scalar_of_N 0).
  { replace (scalar_pow w j [-] scalar_pow w j [*] scalar_pow w k)
      with (scalar_pow w j [*] (scalar_of_N 1 [-] scalar_pow w k)) by ring. now apply scalar_mul_nonzero. }
  field. auto using size_nonzero.
Qed.

Lemma update_opening_exponent (opening : G1) (i j : N) (delta : Scalar) :
  i < n -> j < n ->
  g1_exponent (kzg_update_opening setup opening i j delta) = opening [+] delta [*] weight i j.
Proof.
  intros Li Lj. unfold kzg_update_opening, weight. destruct (N.eqb_spec i j) as [<- | D].
  - group_exponents. now rewrite lagrange_quotient_at by exact Li.
  - group_exponents. rewrite !vanishing_quotient_at, factor_value by assumption.
    unfold inverse, lagrange, kzg_scale, vanishing. field. auto using tau_outside, domain_differs, size_nonzero.
Qed.

(** The opening of a vector is the one that its commitment has to its element. *)
Theorem open_value (vector : list Scalar) (i : N) :
  i < n ->
  g1_exponent (kzg_open setup vector i)
  = kzg_open_commitment setup (kzg_commit setup vector) i (scalar_at vector i).
Proof.
  intros L. rewrite kzg_open_commitment_value, kzg_commit_sum by exact L. fold (inverse i).
  assert (general : forall k, k <= n ->
    g1_exponent (fold_left (fun opening j => kzg_open_step opening setup vector i j) (range 0 k) g1_identity)
    = sum (fun j => scalar_at vector j [*] weight i j) k).
  { intros k. induction k as [| k IH] using N.peano_ind; intros Lk; [reflexivity |].
    rewrite <- N.add_1_r in *. rewrite range_last, fold_left_app, sum_succ by lia. cbn [fold_left].
    unfold kzg_open_step at 1. rewrite update_opening_exponent, IH by lia. reflexivity. }
  unfold kzg_open. change (kzg_size setup) with n. rewrite general by lia.
  rewrite (sum_changed (fun j => inverse i [*] (lagrange j [*] scalar_at vector j)) _ n i L).
  - rewrite sum_scale. unfold weight. rewrite N.eqb_refl. ring.
  - intros j _ D. unfold weight. rewrite (proj2 (N.eqb_neq i j)) by congruence. ring.
Qed.

(** The opening of a vector at an index is accepted, for the element there. *)
Theorem open_correct (vector : list Scalar) (i : N) :
  i < n ->
  kzg_verify setup (kzg_commit setup vector) i (scalar_at vector i) (kzg_open setup vector i) = true.
Proof.
  intros L. apply verify_iff. split; [exact L |].
  rewrite open_value, kzg_open_commitment_value by exact L. field. apply tau_outside.
Qed.

(** The openings at all indices are the openings at each. *)
Theorem open_all_correct (vector : list Scalar) (i : N) :
  i < n -> g1_at (kzg_open_all setup vector) i = kzg_open setup vector i.
Proof.
  intros L. unfold kzg_open_all, kzg_open_all_step. change (kzg_size setup) with n. rewrite fold_range_append.
  simpl app. now rewrite (g1_at_map (fun i => kzg_open setup vector i)).
Qed.

(** A commitment has one opening to each scalar at each index. *)
Theorem opening_unique (commitment : G1) (i : N) (m : Scalar) (opening opening' : G1) :
  kzg_verify setup commitment i m opening = true -> kzg_verify setup commitment i m opening' = true ->
  opening = opening'.
Proof.
  rewrite !verify_iff. intros [_ E] [_ E']. apply g1_ext, (scalar_mul_cancel _ _ _ (tau_outside i)). now rewrite E, E'.
Qed.

(** * Updating *)

(** The updated commitment is that of the updated vector. *)
Theorem update_commitment_correct (vector : list Scalar) (j : N) (delta : Scalar) :
  j < n -> j < seq_length vector ->
  kzg_update_commitment setup (kzg_commit setup vector) j delta
  = kzg_commit setup (scalars_updated vector j (scalar_at vector j [+] delta)).
Proof.
  intros L Lv. apply g1_ext. unfold kzg_update_commitment. group_exponents.
  rewrite lagrange_at, !kzg_commit_sum by exact L. symmetry.
  rewrite (sum_changed (fun i => lagrange i [*] scalar_at vector i)
    (fun i => lagrange i [*] scalar_at (scalars_updated vector j (scalar_at vector j [+] delta)) i) n j L).
  - rewrite scalar_at_updated, N.eqb_refl by exact Lv. ring.
  - intros i _ D. rewrite scalar_at_updated by exact Lv. now apply N.eqb_neq in D as ->.
Qed.

(** The updated opening is that of the updated vector. *)
Theorem update_opening_correct (vector : list Scalar) (i j : N) (delta : Scalar) :
  i < n -> j < n -> j < seq_length vector ->
  kzg_update_opening setup (kzg_open setup vector i) i j delta
  = kzg_open setup (scalars_updated vector j (scalar_at vector j [+] delta)) i.
Proof.
  intros Li Lj Lv. apply g1_ext. rewrite update_opening_exponent, !open_value by assumption.
  rewrite <- update_commitment_correct by assumption.
  rewrite !kzg_open_commitment_value, scalar_at_updated by assumption. unfold kzg_update_commitment. group_exponents.
  rewrite lagrange_at by exact Lj. unfold weight, inverse. destruct (N.eqb_spec i j) as [<- | D]; ring.
Qed.

(** * Position binding *)

(** From two accepted openings of one commitment at one index to different scalars, [kzg_extract] gives
    1 / (tau - w^i). *)
Theorem position_binding (commitment : G1) (i : N) (m m' : Scalar) (opening opening' : G1) :
  kzg_verify setup commitment i m opening = true -> kzg_verify setup commitment i m' opening' = true -> m <> m' ->
  kzg_extract m m' opening opening' [*] (tau [-] scalar_pow w i) = scalar_of_N 1.
Proof.
  rewrite !verify_iff. intros [_ E] [_ E'] D. unfold kzg_extract. group_exponents.
  assert (m' [-] m <> scalar_of_N 0) as nonzero by (apply scalar_sub_nonzero; congruence).
  transitivity ((opening [*] (tau [-] scalar_pow w i) [-] opening' [*] (tau [-] scalar_pow w i)) [*] scalar_inv (m' [-] m));
    [ring |].
  rewrite E, E'. field. exact nonzero.
Qed.

End Setup.

End Kzg.
