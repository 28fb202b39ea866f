(** Polynomials over the scalars, as lists of coefficients, lowest first.

    - [quotient_correct]: p(X) - p(z) = (X - z) q(X), with q the quotient.
    - [interpolation_correct]: the interpolation of a vector of n elements takes the vector's elements as values at the
      powers of a primitive n-th root of unity. *)

From Coq Require Import NArith List Bool Lia Field Ring.
From AardvarkSpec Require Import Prelude Base.Scalar.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Base.Scalar.
Import ListNotations.
Local Open Scope N_scope.

Section Polynomials.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.

Add Field scalars : scalar_field.

(** p(x). *)
Definition polynomial_at (p : list Scalar) (x : Scalar) : Scalar :=
  fold_right (fun coefficient rest => coefficient [+] x [*] rest) (scalar_of_N 0) p.

(** (p(X) - p(z)) / (X - z), by Horner's rule: one coefficient fewer. *)
Fixpoint quotient (p : list Scalar) (z : Scalar) : list Scalar :=
  match p with
  | [] | [_] => []
  | _ :: higher => polynomial_at higher z :: quotient higher z
  end.

Lemma quotient_length (p : list Scalar) (z : Scalar) : length (quotient p z) = pred (length p).
Proof. induction p as [| c [| d p] IH]; simpl in *; congruence. Qed.

Theorem quotient_correct (p : list Scalar) (z x : Scalar) :
  polynomial_at p x [-] polynomial_at p z = (x [-] z) [*] polynomial_at (quotient p z) x.
Proof.
  induction p as [| c [| d p] IH].
  - simpl. ring.
  - simpl. ring.
  - change (polynomial_at (c :: d :: p) x) with (c [+] x [*] polynomial_at (d :: p) x).
    change (polynomial_at (c :: d :: p) z) with (c [+] z [*] polynomial_at (d :: p) z).
    change (polynomial_at (quotient (c :: d :: p) z) x)
      with (polynomial_at (d :: p) z [+] x [*] polynomial_at (quotient (d :: p) z) x).
    transitivity (x [*] (polynomial_at (d :: p) x [-] polynomial_at (d :: p) z)
      [+] (x [-] z) [*] polynomial_at (d :: p) z); [ring |].
    rewrite IH. ring.
Qed.

(** ** Sums *)

(** A sum of which one term alone is not 0. *)
Lemma sum_single (f : N -> Scalar) (n j : N) :
  j < n -> (forall k, k < n -> k <> j -> f k = scalar_of_N 0) -> sum f n = f j.
Proof.
  intros L zero. rewrite (sum_changed (fun _ => scalar_of_N 0) f n j L zero), sum_all_zero by reflexivity. ring.
Qed.

Lemma sum_swap (f : N -> N -> Scalar) (n m : N) :
  sum (fun i => sum (fun j => f i j) m) n = sum (fun j => sum (fun i => f i j) n) m.
Proof.
  induction n as [| n IH] using N.peano_ind; [symmetry; apply sum_all_zero; reflexivity |].
  rewrite <- N.add_1_r, sum_succ, IH, <- sum_add. apply sum_ext. intros j _. now rewrite sum_succ.
Qed.

Lemma geometric_sum (y : Scalar) (n : N) :
  (y [-] scalar_of_N 1) [*] sum (fun j => scalar_pow y j) n = scalar_pow y n [-] scalar_of_N 1.
Proof.
  induction n as [| n IH] using N.peano_ind; [rewrite sum_zero, scalar_pow_zero; ring |].
  rewrite <- N.add_1_r, sum_succ, scalar_pow_succ.
  transitivity ((y [-] scalar_of_N 1) [*] sum (fun j => scalar_pow y j) n [+] (y [-] scalar_of_N 1) [*] scalar_pow y n);
    [ring |].
  rewrite IH. ring.
Qed.

Lemma sum_of_ones (n : N) : sum (fun _ => scalar_of_N 1) n = scalar_of_N n.
Proof. induction n as [| n IH] using N.peano_ind; [reflexivity |]. now rewrite <- N.add_1_r, sum_succ, IH, scalar_of_N_add. Qed.

(** A polynomial given by its coefficients' formula. *)
Lemma polynomial_at_map (f : N -> Scalar) (n : N) (x : Scalar) :
  polynomial_at (map f (range 0 n)) x = sum (fun j => f j [*] scalar_pow x j) n.
Proof.
  enough (general : forall count from, polynomial_at (map f (range from (from + count))) x [*] scalar_pow x from =
    fold_left (fun total j => total [+] f j [*] scalar_pow x j) (range from (from + count)) (scalar_of_N 0)).
  { unfold sum. specialize (general n 0). rewrite N.add_0_l in general. rewrite <- general.
    rewrite scalar_pow_zero. ring. }
  assert (start : forall l a, fold_left (fun total j => total [+] f j [*] scalar_pow x j) l a =
    a [+] fold_left (fun total j => total [+] f j [*] scalar_pow x j) l (scalar_of_N 0)).
  { induction l as [| j l IH]; intros a; simpl; [ring |].
    rewrite IH, (IH (scalar_of_N 0 [+] _)). ring. }
  induction count as [| count IH] using N.peano_ind; intros from.
  - rewrite range_empty by lia. simpl. ring.
  - rewrite range_first by lia. replace (from + N.succ count) with (from + 1 + count) by lia.
    cbn [map fold_left]. rewrite start, <- IH, scalar_pow_succ.
    cbn [polynomial_at fold_right]. fold (polynomial_at (map f (range (from + 1) (from + 1 + count))) x). ring.
Qed.

(** ** Interpolation *)

Section Root.

Variables (w : Scalar) (n : N).

(** Coefficient j of the polynomial with the values [v 0], [v 1], .. at the powers of w: the inverse discrete Fourier
    transform. *)
Definition interpolation_coefficient (v : N -> Scalar) (j : N) : Scalar :=
  scalar_inv (scalar_of_N n) [*] sum (fun k => v k [*] scalar_pow (scalar_inv (scalar_pow w k)) j) n.

(** The polynomial of n coefficients with the values [v 0], [v 1], .. at the powers of w. *)
Definition interpolation (v : N -> Scalar) : list Scalar := map (interpolation_coefficient v) (range 0 n).

Lemma interpolation_length (v : N -> Scalar) : length (interpolation v) = N.to_nat n.
Proof. unfold interpolation, range. rewrite !map_length, List.seq_length. lia. Qed.

(** The interpolation as a combination of one geometric sum a value. *)
Lemma interpolation_sum (v : N -> Scalar) (x : Scalar) :
  polynomial_at (interpolation v) x = sum (fun k => v k [*] (scalar_inv (scalar_of_N n) [*]
    sum (fun j => scalar_pow (scalar_inv (scalar_pow w k) [*] x) j) n)) n.
Proof.
  unfold interpolation. rewrite polynomial_at_map. unfold interpolation_coefficient.
  transitivity (sum (fun j => sum (fun k =>
    v k [*] (scalar_inv (scalar_of_N n) [*] scalar_pow (scalar_inv (scalar_pow w k) [*] x) j)) n) n).
  - apply sum_ext. intros j _.
    transitivity (scalar_inv (scalar_of_N n) [*] scalar_pow x j [*]
      sum (fun k => v k [*] scalar_pow (scalar_inv (scalar_pow w k)) j) n); [ring |].
    rewrite <- sum_scale. apply sum_ext. intros k _. rewrite scalar_mul_pow. ring.
  - rewrite sum_swap. apply sum_ext. intros k _. rewrite !sum_scale. reflexivity.
Qed.

Hypothesis positive : 0 < n.
Hypothesis root : primitive_root w n.
Hypothesis size_nonzero : scalar_of_N n <> scalar_of_N 0.

Lemma root_power_nonzero (k : N) : scalar_pow w k <> scalar_of_N 0.
Proof. apply scalar_pow_nonzero, (primitive_root_nonzero w n positive root). Qed.

(** Every power of the root is an n-th root of unity. *)
Lemma root_power (k : N) : scalar_pow (scalar_pow w k) n = scalar_of_N 1.
Proof. destruct root as [one _]. rewrite scalar_pow_mul, N.mul_comm, <- scalar_pow_mul, one. apply scalar_one_pow. Qed.

(** The powers of an n-th root of unity other than 1 sum up to 0. *)
Lemma root_powers_sum (y : Scalar) :
  scalar_pow y n = scalar_of_N 1 -> y <> scalar_of_N 1 -> sum (fun j => scalar_pow y j) n = scalar_of_N 0.
Proof.
  intros one D. destruct (scalar_mul_zero (y [-] scalar_of_N 1) (sum (fun j => scalar_pow y j) n)) as [Z | Z].
  - rewrite geometric_sum, one. ring.
  - now apply (proj1 (scalar_sub_zero _ _)) in Z.
  - exact Z.
Qed.

Theorem interpolation_correct (v : N -> Scalar) (i : N) :
  i < n -> polynomial_at (interpolation v) (scalar_pow w i) = v i.
Proof.
  intros Hi. rewrite interpolation_sum, (sum_single _ n i Hi).
  - rewrite (sum_ext _ (fun _ => scalar_of_N 1)).
    + rewrite sum_of_ones. field. exact size_nonzero.
    + intros j _. rewrite scalar_inv_law by apply root_power_nonzero. apply scalar_one_pow.
  - intros k Hk D. pose proof (root_power_nonzero k) as nonzero. rewrite root_powers_sum; [ring | |].
    + apply (scalar_mul_cancel _ _ (scalar_pow (scalar_pow w k) n)); [apply scalar_pow_nonzero, nonzero |].
      rewrite <- scalar_mul_pow.
      replace (scalar_inv (scalar_pow w k) [*] scalar_pow w i [*] scalar_pow w k) with (scalar_pow w i)
        by (field; exact nonzero).
      rewrite !root_power. ring.
    + intros E. apply (powers_differ w n k i root Hk Hi D).
      transitivity (scalar_inv (scalar_pow w k) [*] scalar_pow w i [*] scalar_pow w k);
        [rewrite E; ring | field; exact nonzero].
Qed.

End Root.

End Polynomials.
