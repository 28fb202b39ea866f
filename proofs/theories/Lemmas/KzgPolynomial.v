(** KZG's commitments and openings are what their names say: values of polynomials at tau.

    - [kzg_commit_is_evaluation]: a commitment is p(tau), for a polynomial p of n coefficients that depends on the vector
      only, and takes the vector's elements as values at the powers of the root of unity.
    - [kzg_open_is_quotient]: an opening is q(tau), where p(X) - p(w^i) = (X - w^i) q(X), so that the public powers of tau
      are all that is needed to compute it. *)

From Coq Require Import NArith List Bool Lia Field Ring.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Group Commitment.Opening Commitment.Kzg.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Base.Scalar Spec.Base.Group Lemmas.Polynomials.
From Aardvark Require Spec.Commitment.Kzg.
Import ListNotations.
Local Open Scope N_scope.

Section Kzg.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {root : PrimitiveRoot scalar_given}.

Add Field scalars : scalar_field.

Variables (n : N) (tau : Scalar).
Hypothesis positive : 0 < n.
Hypothesis divides : 4096 mod n = 0.
Hypothesis outside : scalar_pow tau n <> scalar_of_N 1.

(** The polynomial of a vector. *)
Definition kzg_polynomial (vector : list Scalar) : list Scalar := interpolation (root_of_unity n) n (scalar_at vector).

Lemma legal : Kzg.kzg_legal n tau.
Proof. repeat split; assumption. Qed.

Lemma lagrange_geometric (k : N) :
  k < n -> Kzg.lagrange (n := n) (tau := tau) k = scalar_inv (scalar_of_N n) [*]
    sum (fun j => scalar_pow (scalar_inv (scalar_pow (root_of_unity n) k) [*] tau) j) n.
Proof.
  intros L. unfold Kzg.lagrange, Kzg.kzg_scale.
  pose proof (root_of_unity_primitive n divides positive) as primitive.
  pose proof (root_power_nonzero _ n positive primitive k) as W.
  pose proof (Kzg.tau_outside legal k) as D. pose proof (size_scalar_nonzero n divides positive) as Z.
  pose proof (root_power _ n primitive k) as one.
  set (w := scalar_pow (root_of_unity n) k) in *.
  assert (P : scalar_pow (scalar_inv w [*] tau) n = scalar_pow tau n).
  { apply (scalar_mul_cancel _ _ (scalar_pow w n)); [now apply scalar_pow_nonzero |]. rewrite <- scalar_mul_pow.
    replace (scalar_inv w [*] tau [*] w) with tau by (field; exact W). rewrite one. ring. }
  rewrite <- P, <- geometric_sum. field. repeat split; assumption.
Qed.

Theorem kzg_commit_is_evaluation (vector : list Scalar) :
  length (kzg_polynomial vector) = N.to_nat n /\
  (forall i, i < n -> polynomial_at (kzg_polynomial vector) (scalar_pow (root_of_unity n) i) = scalar_at vector i) /\
  kzg_commit (kzg_setup n tau) vector = g1_multiple (polynomial_at (kzg_polynomial vector) tau).
Proof.
  split; [apply interpolation_length |]. split.
  - intros i L. apply interpolation_correct; try assumption; auto using root_of_unity_primitive, size_scalar_nonzero.
  - apply g1_ext. unfold kzg_polynomial. rewrite g1_exponent_multiple, Kzg.kzg_commit_sum, interpolation_sum. apply sum_ext. intros k L.
    rewrite lagrange_geometric by exact L. ring.
Qed.

Theorem kzg_open_is_quotient (vector : list Scalar) (i : N) :
  i < n ->
  let p := kzg_polynomial vector in
  let z := scalar_pow (root_of_unity n) i in
  let q := quotient p z in
  kzg_open (kzg_setup n tau) vector i = g1_multiple (polynomial_at q tau) /\
  (forall x, polynomial_at p x [-] polynomial_at p z = (x [-] z) [*] polynomial_at q x) /\
  length q = pred (N.to_nat n).
Proof.
  intros L p z q. split; [| split].
  - destruct (kzg_commit_is_evaluation vector) as (_ & values & commitment).
    apply g1_ext. rewrite (Kzg.open_value legal), Kzg.kzg_open_commitment_value, commitment, <- (values i L) by exact L.
    rewrite !g1_exponent_multiple. fold z p.
    rewrite quotient_correct. fold q. pose proof (Kzg.tau_outside legal i) as D. fold z in D. field. exact D.
  - intros x. apply quotient_correct.
  - unfold q. rewrite quotient_length. f_equal. apply interpolation_length.
Qed.

End Kzg.
