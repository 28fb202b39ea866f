(** KZG: the public parameters that [kzg_setup] makes, element by element. *)

From Coq Require Import NArith List Bool Lia Field Ring.
From AardvarkSpec Require Import Prelude Scalar Commitment Kzg.
From Aardvark Require Import LoopLemmas ScalarLaws ScalarSequences Polynomials.
Import ListNotations.
Local Open Scope N_scope.

Section Kzg.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {laws : ScalarLaws}.

Add Field scalar_field : scalar_field_theory.

Variables (n : N) (tau : Scalar).

Notation omega := (root_of_unity n).
Notation setup := (kzg_setup n tau).

Lemma kzg_domain_map : kzg_domain setup = map (scalar_power omega) (range 0 n).
Proof.
  change (kzg_domain setup) with (kzg_domain_of n).
  unfold kzg_domain_of, kzg_domain_of_step. apply (append_loop (scalar_power omega) _ []).
Qed.

Lemma kzg_domain_length : seq_length (kzg_domain setup) = n.
Proof. rewrite kzg_domain_map. apply length_map_range. Qed.

Lemma kzg_domain_at (k : N) : k < n -> scalar_at (kzg_domain setup) k = scalar_power omega k.
Proof. intros L. rewrite kzg_domain_map, scalar_at_map_range. apply N.ltb_lt in L. rewrite L. reflexivity. Qed.

Lemma kzg_inverses_map :
  kzg_inverses setup = map (fun k => scalar_inv (tau [-] scalar_power omega k)) (range 0 n).
Proof.
  change (kzg_inverses setup) with (kzg_inverses_of (kzg_domain setup) tau).
  unfold kzg_inverses_of, kzg_inverses_of_step. rewrite append_loop, kzg_domain_length.
  apply map_ext_in. intros k member. apply in_range in member.
  rewrite kzg_domain_map, seq_at_map_range by lia. reflexivity.
Qed.

Lemma kzg_inverses_at (k : N) : k < n -> scalar_at (kzg_inverses setup) k = scalar_inv (tau [-] scalar_power omega k).
Proof. intros L. rewrite kzg_inverses_map, scalar_at_map_range. apply N.ltb_lt in L. rewrite L. reflexivity. Qed.

(** L_k(tau) = omega^k (tau^n - 1) / (n (tau - omega^k)). *)
Lemma kzg_lagrange_map :
  kzg_lagrange setup = map (fun k => scalar_power omega k [*]
    ((scalar_power tau n [-] scalar_one) [*] scalar_inv (scalar_of_N n)) [*]
    scalar_inv (tau [-] scalar_power omega k)) (range 0 n).
Proof.
  change (kzg_lagrange setup) with (kzg_lagrange_of (kzg_domain setup) (kzg_inverses setup) tau).
  unfold kzg_lagrange_of, kzg_lagrange_of_step, kzg_vanishing, kzg_size_scalar, scalar_of_number, scalar_inverse.
  rewrite append_loop, kzg_domain_length.
  apply map_ext_in. intros k member. apply in_range in member.
  rewrite kzg_inverses_at by lia. rewrite kzg_domain_map, seq_at_map_range by lia. reflexivity.
Qed.

Lemma kzg_lagrange_length : seq_length (kzg_lagrange setup) = n.
Proof. rewrite kzg_lagrange_map. apply length_map_range. Qed.

Lemma kzg_lagrange_at (k : N) :
  k < n -> scalar_at (kzg_lagrange setup) k = scalar_power omega k [*]
    ((scalar_power tau n [-] scalar_one) [*] scalar_inv (scalar_of_N n)) [*]
    scalar_inv (tau [-] scalar_power omega k).
Proof. intros L. rewrite kzg_lagrange_map, scalar_at_map_range. apply N.ltb_lt in L. rewrite L. reflexivity. Qed.

Lemma kzg_lagrange_beyond (k : N) : n <= k -> scalar_at (kzg_lagrange setup) k = scalar_zero.
Proof. intros L. apply scalar_at_beyond. rewrite kzg_lagrange_length. exact L. Qed.

Lemma kzg_commit_sum (v : list Scalar) :
  kzg_commit setup v = sum_below n (fun k => scalar_at (kzg_lagrange setup) k [*] scalar_at v k).
Proof. unfold kzg_commit. rewrite inner_product_sum, kzg_lagrange_length. reflexivity. Qed.

Hypothesis root : primitive_root omega n.
Hypothesis trapdoor : scalar_power tau n <> scalar_one.

Lemma kzg_distance_not_zero (k : N) : tau [-] scalar_power omega k <> scalar_zero.
Proof. apply scalar_sub_not_zero, (root_avoids omega n root tau k trapdoor). Qed.

(** The Lagrange polynomial at tau, as n-th part of a geometric sum. *)
Lemma kzg_lagrange_geometric (k : N) :
  k < n -> scalar_at (kzg_lagrange setup) k = scalar_inv (scalar_of_N n) [*]
    sum_below n (fun j => scalar_power (scalar_inverse (scalar_power omega k) [*] tau) j).
Proof.
  intros L. rewrite kzg_lagrange_at by exact L. unfold scalar_inverse.
  assert (W : scalar_power omega k <> scalar_zero) by apply scalar_power_not_zero, (root_not_zero omega n root).
  pose proof (kzg_distance_not_zero k) as D.
  pose proof (root_order_not_zero omega n root) as Z.
  set (w := scalar_power omega k) in *.
  set (y := scalar_inv w [*] tau).
  assert (P : scalar_power y n = scalar_power tau n).
  { assert (I : scalar_power (scalar_inv w) n [*] scalar_power w n = scalar_one).
    { rewrite <- scalar_power_product, scalar_mul_inv by exact W. apply scalar_power_of_one. }
    unfold w in I at 2. rewrite (root_power omega n root) in I.
    unfold y. rewrite scalar_power_product.
    transitivity (scalar_power (scalar_inv w) n [*] scalar_one [*] scalar_power tau n); [ring |]. rewrite I. ring. }
  pose proof (geometric_sum n y) as G. rewrite P in G. rewrite <- G.
  set (total := sum_below n (fun j => scalar_power y j)).
  unfold y. field. repeat split; assumption.
Qed.

End Kzg.
