(** KZG on roots of unity, in the exponent: about the setup that [kzg_setup n tau] makes, for every number [n] of elements
    that divides 4096 and every [tau] that is not an n-th root of unity.

    - [open_correct]: the opening of a vector at an index is accepted, for the element there.
    - [open_all_correct]: the openings at all indices are the openings at each.
    - [verify_iff]: an opening is accepted exactly when it solves the equation of its index.
    - [opening_unique]: a commitment has one opening to each scalar at each index.
    - [update_commitment_correct]: the updated commitment is that of the updated vector.
    - [update_opening_correct]: the updated opening is that of the updated vector.
    - [position_binding]: from two accepted openings of one commitment at one index to different scalars, the formula
      [kzg_extract] gives 1 / (tau - w^i), which nobody can compute who does not know tau. *)

From Coq Require Import NArith List Bool Lia Ring Field.
From AardvarkSpec Require Import Prelude Base.Integers Base.Scalar Commitment.Opening Commitment.Kzg.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Base.Scalar.
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
Definition kzg_extract (m m' opening opening' : Scalar) : Scalar :=
  (opening [-] opening') [*] scalar_inv (m' [-] m).

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

Lemma kzg_inverses_map : kzg_inverses setup = map (fun i => scalar_inv (tau [-] scalar_pow w i)) (range 0 n).
Proof.
  unfold setup, kzg_setup. simpl kzg_inverses. unfold kzg_inverses_of, kzg_inverses_of_step, scalar_inverse.
  change (kzg_domain_of n) with (kzg_domain setup).
  rewrite (fold_range_elements (fun inverses x => inverses ++ [scalar_inv (tau [-] x)])).
  now rewrite fold_append, kzg_domain_map, map_map.
Qed.

Lemma inverse_at (i : N) : i < n -> scalar_at (kzg_inverses setup) i = scalar_inv (tau [-] scalar_pow w i).
Proof.
  intros L. rewrite kzg_inverses_map. now apply (scalar_at_map (fun i => scalar_inv (tau [-] scalar_pow w i))).
Qed.

(** A(tau) / n *)
Definition kzg_scale : Scalar := (scalar_pow tau n [-] scalar_of_N 1) [*] scalar_inv (scalar_of_N n).

(** L_i(tau) *)
Definition lagrange (i : N) : Scalar := scalar_pow w i [*] kzg_scale [*] scalar_inv (tau [-] scalar_pow w i).

Lemma kzg_lagrange_map : kzg_lagrange setup = map lagrange (range 0 n).
Proof.
  unfold setup, kzg_setup. simpl kzg_lagrange. unfold kzg_lagrange_of, kzg_lagrange_of_step.
  change (kzg_domain_of n) with (kzg_domain setup). change (kzg_inverses_of (kzg_domain setup) tau) with (kzg_inverses setup).
  rewrite kzg_domain_length. change (kzg_vanishing tau n [*] scalar_inverse (kzg_size_scalar n)) with kzg_scale.
  rewrite (fold_range_append
    (fun i => seq_at (kzg_domain setup) i [*] kzg_scale [*] scalar_at (kzg_inverses setup) i)).
  apply map_ext_in. intros i I. apply range_in in I.
  rewrite <- scalar_at_in by (rewrite kzg_domain_length; lia). now rewrite domain_at, inverse_at by lia.
Qed.

Lemma kzg_lagrange_length : seq_length (kzg_lagrange setup) = n.
Proof. now rewrite kzg_lagrange_map, seq_length_map, seq_length_range. Qed.

Lemma lagrange_at (i : N) : i < n -> scalar_at (kzg_lagrange setup) i = lagrange i.
Proof. intros L. rewrite kzg_lagrange_map. now apply scalar_at_map. Qed.

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
  kzg_commit setup vector = sum (fun i => lagrange i [*] scalar_at vector i) n.
Proof.
  unfold kzg_commit. rewrite inner_product_sum, kzg_lagrange_length. apply sum_ext. intros i L. now rewrite lagrange_at.
Qed.

(** An opening is accepted exactly when it solves the equation of its index. *)
Theorem verify_iff (commitment : Scalar) (i : N) (m opening : Scalar) :
  kzg_verify setup commitment i m opening = true <->
  i < n /\ opening [*] (tau [-] scalar_pow w i) = commitment [-] m.
Proof.
  unfold kzg_verify. rewrite andb_true_iff, N.ltb_lt, scalar_eqb_iff. change (kzg_size setup) with n.
  change (kzg_tau setup) with tau. split; intros [L E]; (split; [exact L |]); rewrite domain_at in * by exact L.
  - transitivity (opening [*] tau [-] scalar_pow w i [*] opening); [ring | rewrite <- E; ring].
  - transitivity (opening [*] (tau [-] scalar_pow w i) [+] scalar_pow w i [*] opening); [rewrite E; ring | ring].
Qed.

Lemma kzg_open_commitment_value (commitment : Scalar) (i : N) (m : Scalar) :
  i < n -> kzg_open_commitment setup commitment i m = (commitment [-] m) [*] scalar_inv (tau [-] scalar_pow w i).
Proof. intros L. unfold kzg_open_commitment. now rewrite inverse_at. Qed.

(** The opening of a vector at an index is accepted, for the element there. *)
Theorem open_correct (vector : list Scalar) (i : N) :
  i < n ->
  kzg_verify setup (kzg_commit setup vector) i (scalar_at vector i) (kzg_open setup vector i) = true.
Proof.
  intros L. apply verify_iff. split; [exact L |].
  unfold kzg_open. rewrite kzg_open_commitment_value by exact L. field. apply tau_outside.
Qed.

(** The openings at all indices are the openings at each. *)
Theorem open_all_correct (vector : list Scalar) (i : N) :
  i < n -> scalar_at (kzg_open_all setup vector) i = kzg_open setup vector i.
Proof.
  intros L. unfold kzg_open_all, kzg_open_all_step. change (kzg_size setup) with n. rewrite fold_range_append.
  simpl app. now rewrite (scalar_at_map
    (fun i => kzg_open_commitment setup (kzg_commit setup vector) i (scalar_at vector i))).
Qed.

(** A commitment has one opening to each scalar at each index. *)
Theorem opening_unique (commitment : Scalar) (i : N) (m opening opening' : Scalar) :
  kzg_verify setup commitment i m opening = true -> kzg_verify setup commitment i m opening' = true ->
  opening = opening'.
Proof.
  rewrite !verify_iff. intros [_ E] [_ E']. apply (scalar_mul_cancel _ _ _ (tau_outside i)). now rewrite E, E'.
Qed.

(** * Updating *)

(** The updated commitment is that of the updated vector. *)
Theorem update_commitment_correct (vector : list Scalar) (j : N) (delta : Scalar) :
  j < n -> j < seq_length vector ->
  kzg_update_commitment setup (kzg_commit setup vector) j delta
  = kzg_commit setup (scalars_updated vector j (scalar_at vector j [+] delta)).
Proof.
  intros L Lv. unfold kzg_update_commitment. rewrite lagrange_at, !kzg_commit_sum by exact L. symmetry.
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
  intros Li Lj Lv. unfold kzg_open. rewrite <- update_commitment_correct by assumption.
  rewrite !kzg_open_commitment_value, scalar_at_updated by assumption. unfold kzg_update_commitment.
  rewrite lagrange_at by exact Lj. unfold kzg_update_opening. destruct (N.eqb_spec i j) as [<- | D].
  - unfold kzg_u. rewrite lagrange_at, inverse_at by exact Li. unfold scalar_one. ring.
  - unfold kzg_c, kzg_a, scalar_inverse, kzg_vanishing, scalar_power, u128_of_usize.
    change (kzg_size setup) with n. change (kzg_tau setup) with tau.
    change (kzg_size_scalar n) with (scalar_of_N n). rewrite !domain_at, !inverse_at by assumption.
    unfold lagrange, kzg_scale, scalar_one.
    field. auto using tau_outside, domain_differs, size_nonzero.
Qed.

(** * Position binding *)

(** From two accepted openings of one commitment at one index to different scalars, [kzg_extract] gives
    1 / (tau - w^i). *)
Theorem position_binding (commitment : Scalar) (i : N) (m m' opening opening' : Scalar) :
  kzg_verify setup commitment i m opening = true -> kzg_verify setup commitment i m' opening' = true -> m <> m' ->
  kzg_extract m m' opening opening' [*] (tau [-] scalar_pow w i) = scalar_of_N 1.
Proof.
  rewrite !verify_iff. intros [_ E] [_ E'] D. unfold kzg_extract.
  assert (m' [-] m <> scalar_of_N 0) as nonzero by (apply scalar_sub_nonzero; congruence).
  transitivity ((opening [*] (tau [-] scalar_pow w i) [-] opening' [*] (tau [-] scalar_pow w i)) [*] scalar_inv (m' [-] m));
    [ring |].
  rewrite E, E'. field. exact nonzero.
Qed.

End Setup.

End Kzg.
