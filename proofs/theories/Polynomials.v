(** Polynomials over the scalars, as lists of coefficients, lowest first.

    - [quotient_correct]: p(X) - p(z) = (X - z) q(X), with q the quotient.
    - [polynomial_with_many_roots]: a polynomial with as many distinct roots as coefficients is 0 everywhere.
    - [root_order_not_zero]: where there is a primitive n-th root of unity, n is not 0 as a scalar.
    - [interpolation_correct]: the interpolation of a vector takes the vector's values at the powers of the root. *)

From Coq Require Import NArith List Bool Lia Field Ring.
From AardvarkSpec Require Import Prelude Scalar.
From Aardvark Require Import LoopLemmas ScalarLaws.
Import ListNotations.
Local Open Scope N_scope.

Lemma nodup_map {A B : Type} (f : A -> B) (l : list A) :
  (forall x y, In x l -> In y l -> f x = f y -> x = y) -> NoDup l -> NoDup (map f l).
Proof.
  intros injective distinct. induction distinct as [| x l fresh distinct IH]; simpl; constructor.
  - intros member. apply in_map_iff in member as (y & E & Hy). apply fresh.
    rewrite <- (injective y x); simpl; auto.
  - apply IH. intros; apply injective; simpl; auto.
Qed.

Section Polynomials.

Context {F : ScalarOperations} {laws : ScalarLaws}.

Add Field scalar_field : scalar_field_theory.

(** p(x). *)
Definition polynomial_at (p : list Scalar) (x : Scalar) : Scalar :=
  fold_right (fun coefficient rest => coefficient [+] x [*] rest) scalar_zero p.

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

Theorem polynomial_with_many_roots (roots p : list Scalar) :
  NoDup roots -> (length p <= length roots)%nat -> (forall z, In z roots -> polynomial_at p z = scalar_zero) ->
  forall x, polynomial_at p x = scalar_zero.
Proof.
  revert p. induction roots as [| z roots IH]; intros p distinct short vanish x.
  - destruct p; [reflexivity | simpl in short; lia].
  - inversion distinct as [| z' roots' fresh distinct']; subst.
    assert (E : polynomial_at p x = (x [-] z) [*] polynomial_at (quotient p z) x).
    { rewrite <- quotient_correct, (vanish z) by (left; reflexivity). ring. }
    rewrite E, (IH (quotient p z)); [ring | exact distinct' | rewrite quotient_length; simpl in short; lia |].
    intros y member. assert (D : y <> z) by (intros ->; exact (fresh member)).
    destruct (scalar_mul_zero (y [-] z) (polynomial_at (quotient p z) y)) as [Z | Z]; [| | exact Z].
    + rewrite <- quotient_correct, !vanish by (simpl; auto). ring.
    + apply -> scalar_sub_zero_iff in Z. exfalso. exact (D Z).
Qed.

(** A polynomial given by its coefficients' formula. *)
Lemma polynomial_at_map (n : N) (f : N -> Scalar) (x : Scalar) :
  polynomial_at (map f (range 0 n)) x = sum_below n (fun j => f j [*] scalar_power x j).
Proof.
  enough (general : forall count from, polynomial_at (map f (range from (from + count))) x [*] scalar_power x from =
    fold_left (fun total j => total [+] f j [*] scalar_power x j) (range from (from + count)) scalar_zero).
  { unfold sum_below. specialize (general n 0). rewrite N.add_0_l in general. rewrite <- general.
    rewrite scalar_power_zero. ring. }
  assert (start : forall l a, fold_left (fun total j => total [+] f j [*] scalar_power x j) l a =
    a [+] fold_left (fun total j => total [+] f j [*] scalar_power x j) l scalar_zero).
  { induction l as [| j l IH]; intros a; simpl; [ring |].
    rewrite IH, (IH (scalar_zero [+] _)). ring. }
  induction count as [| count IH] using N.peano_ind; intros from.
  - rewrite range_empty by lia. simpl. ring.
  - rewrite range_cons by lia. replace (from + N.succ count) with (from + 1 + count) by lia.
    cbn [map fold_left]. rewrite start, <- IH, scalar_power_succ.
    cbn [polynomial_at fold_right]. fold (polynomial_at (map f (range (from + 1) (from + 1 + count))) x). ring.
Qed.

Section Root.

Variables (omega : Scalar) (n : N).
Hypothesis root : primitive_root omega n.

Lemma root_powers_nodup : NoDup (map (scalar_power omega) (range 0 n)).
Proof.
  apply nodup_map.
  - intros i j Hi Hj. apply in_range in Hi, Hj. apply (root_powers_distinct omega n root); lia.
  - unfold range. apply nodup_map; [| apply seq_NoDup]. intros i j _ _. apply Nnat.Nat2N.inj.
Qed.

(** The sum of all powers of an n-th root of unity other than 1. *)
Lemma root_powers_sum (y : Scalar) :
  scalar_power y n = scalar_one -> y <> scalar_one -> sum_below n (fun j => scalar_power y j) = scalar_zero.
Proof.
  intros P D. destruct (scalar_mul_zero (y [-] scalar_one) (sum_below n (fun j => scalar_power y j))) as [Z | Z].
  - rewrite geometric_sum, P. ring.
  - apply -> scalar_sub_zero_iff in Z. contradiction.
  - exact Z.
Qed.

Theorem root_order_not_zero : scalar_of_N n <> scalar_zero.
Proof.
  intros Z. assert (positive : 0 < n) by apply root.
  assert (E : polynomial_at (map (fun _ => scalar_one) (range 0 n)) scalar_zero = scalar_zero).
  { apply (polynomial_with_many_roots (map (scalar_power omega) (range 0 n))).
    - exact root_powers_nodup.
    - rewrite !map_length. lia.
    - intros y member. apply in_map_iff in member as (k & <- & Hk). apply in_range in Hk.
      rewrite polynomial_at_map.
      rewrite (sum_below_ext n _ (fun j => scalar_power (scalar_power omega k) j)) by (intros; ring).
      destruct (N.eq_dec k 0) as [-> | Dk].
      + rewrite scalar_power_zero. rewrite <- Z, <- sum_below_ones. apply sum_below_ext. intros.
        apply scalar_power_of_one.
      + apply root_powers_sum; [apply root_power; exact root |]. destruct root as (_ & _ & lower). apply lower. lia. }
  revert E. rewrite range_cons by lia. cbn [map polynomial_at fold_right].
  intros E. apply scalar_one_not_zero. rewrite <- E. ring.
Qed.

(** Coefficient j of the polynomial with the values [v 0], [v 1], .. at the powers of omega: the inverse discrete Fourier
    transform. *)
Definition interpolation_coefficient (v : N -> Scalar) (j : N) : Scalar :=
  scalar_inverse (scalar_of_N n) [*] sum_below n (fun k => v k [*] scalar_power (scalar_inverse (scalar_power omega k)) j).

(** The polynomial of n coefficients with the values [v 0], [v 1], .. at the powers of omega. *)
Definition interpolation (v : N -> Scalar) : list Scalar := map (interpolation_coefficient v) (range 0 n).

Lemma interpolation_length (v : N -> Scalar) : length (interpolation v) = N.to_nat n.
Proof. unfold interpolation, range. rewrite !map_length, List.seq_length. lia. Qed.

(** The interpolation as a combination of one geometric sum a value. *)
Lemma interpolation_sum (v : N -> Scalar) (x : Scalar) :
  polynomial_at (interpolation v) x = sum_below n (fun k =>
    v k [*] (scalar_inverse (scalar_of_N n) [*]
      sum_below n (fun j => scalar_power (scalar_inverse (scalar_power omega k) [*] x) j))).
Proof.
  unfold interpolation. rewrite polynomial_at_map. unfold interpolation_coefficient.
  transitivity (sum_below n (fun j => sum_below n (fun k =>
    v k [*] (scalar_inverse (scalar_of_N n) [*] scalar_power (scalar_inverse (scalar_power omega k) [*] x) j)))).
  - apply sum_below_ext. intros j _.
    transitivity (scalar_inverse (scalar_of_N n) [*] scalar_power x j [*]
      sum_below n (fun k => v k [*] scalar_power (scalar_inverse (scalar_power omega k)) j)); [ring |].
    rewrite <- sum_below_scale. apply sum_below_ext. intros k _. rewrite scalar_power_product. ring.
  - rewrite sum_below_swap. apply sum_below_ext. intros k _. rewrite !sum_below_scale. reflexivity.
Qed.

Theorem interpolation_correct (v : N -> Scalar) (i : N) :
  i < n -> polynomial_at (interpolation v) (scalar_power omega i) = v i.
Proof.
  intros Hi. rewrite interpolation_sum.
  assert (inverse : forall k, scalar_inverse (scalar_power omega k) [*] scalar_power omega k = scalar_one).
  { intros k. apply scalar_mul_inv, scalar_power_not_zero, (root_not_zero omega n), root. }
  rewrite (sum_below_single n i); [| exact Hi |].
  - rewrite inverse. rewrite (sum_below_ext n _ (fun _ => scalar_one)) by (intros; apply scalar_power_of_one).
    rewrite sum_below_ones. unfold scalar_inverse. rewrite scalar_mul_inv by exact root_order_not_zero. ring.
  - intros k Hk D. rewrite root_powers_sum; [ring | |].
    + apply (scalar_mul_cancel _ _ (scalar_power (scalar_power omega k) n)).
      { rewrite root_power by exact root. exact scalar_one_not_zero. }
      rewrite <- scalar_power_product.
      replace (scalar_inverse (scalar_power omega k) [*] scalar_power omega i [*] scalar_power omega k)
        with (scalar_power omega i) by (transitivity (scalar_inverse (scalar_power omega k) [*] scalar_power omega k
          [*] scalar_power omega i); [rewrite inverse |]; ring).
      rewrite !root_power by exact root. ring.
    + intros E. apply D. apply (root_powers_distinct omega n root); try assumption.
      transitivity (scalar_inverse (scalar_power omega k) [*] scalar_power omega i [*] scalar_power omega k);
        [rewrite E; ring |].
      transitivity (scalar_inverse (scalar_power omega k) [*] scalar_power omega k [*] scalar_power omega i);
        [ring |]. rewrite inverse. ring.
Qed.

End Root.

End Polynomials.
