(** The polynomials of a sheet's domain: what the verifier computes at a point off the domain are values of polynomials, which take
    on the domain the values that their names say.

    - [lagrange_polynomial_at], [lagrange_polynomial_off]: L_i;
    - [rows_polynomial_at], [rows_polynomial_off]: Z, which vanishes on the domain but for the masks;
    - [unguarded_polynomial_at], [unguarded_polynomial_off]: s;
    - [interval_polynomial_at], [interval_polynomial_off]: the sum of L_i over positions. *)
From Coq Require Import NArith List Bool Lia Ring Field.
From AardvarkSpec Require Import Prelude Base.Scalar Commitment.Kzg Table.DomainValues.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Base.Scalar Lemmas.Polynomials Lemmas.PolynomialRoots
  Lemmas.PolynomialProducts.
From Aardvark Require Spec.Commitment.Kzg Lemmas.KzgPolynomial.
Import ListNotations.
Local Open Scope N_scope.

Section Domain.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {root : PrimitiveRoot scalar_given}.

Add Field scalars : scalar_field.

Variable n : N.
Hypothesis large : 3 <= n.
Hypothesis divides : 4096 mod n = 0.

Let w : Scalar := root_of_unity n.

Lemma primitive : primitive_root w n.
Proof. apply root_of_unity_primitive; [exact divides | lia]. Qed.

Lemma on_domain_iff (x : Scalar) : on_domain n x = true <-> scalar_pow x n = scalar_of_N 1.
Proof. unfold on_domain. rewrite scalar_eqb_iff. exact (scalar_sub_zero _ _). Qed.

Lemma domain_point_on (i : N) : scalar_pow (domain_point n i) n = scalar_of_N 1.
Proof. exact (root_power w n primitive i). Qed.

Lemma off_domain_apart (x : Scalar) (i : N) : on_domain n x = false -> x [-] domain_point n i <> scalar_of_N 0.
Proof.
  intros off E. apply (proj1 (scalar_sub_zero _ _)) in E. apply not_true_iff_false in off. apply off.
  apply on_domain_iff. rewrite E. apply domain_point_on.
Qed.

Lemma domain_points_differ (i j : N) : i < n -> j < n -> i <> j -> domain_point n i <> domain_point n j.
Proof. intros Li Lj. exact (powers_differ w n i j primitive Li Lj). Qed.

(** The next position. *)
Lemma domain_point_next (i : N) : domain_point n 1 [*] domain_point n i = domain_point n (i + 1).
Proof. unfold domain_point, scalar_power, u128_of_usize. now rewrite scalar_pow_succ, scalar_pow_one. Qed.

(** What is off the domain stays so at the next position. *)
Lemma off_domain_next (x : Scalar) : on_domain n x = false -> on_domain n (domain_point n 1 [*] x) = false.
Proof.
  intros off. apply not_true_iff_false. rewrite on_domain_iff, scalar_mul_pow, domain_point_on. intros E.
  apply not_true_iff_false in off. apply off. apply on_domain_iff. rewrite <- E. ring.
Qed.

(** ** Lagrange's polynomials *)

Definition lagrange_polynomial (i : N) : list Scalar :=
  interpolation w n (fun k => if k =? i then scalar_of_N 1 else scalar_of_N 0).

Lemma lagrange_polynomial_length (i : N) : length (lagrange_polynomial i) = N.to_nat n.
Proof. apply interpolation_length. Qed.

Lemma lagrange_polynomial_at (i j : N) : j < n ->
  polynomial_at (lagrange_polynomial i) (domain_point n j) = if j =? i then scalar_of_N 1 else scalar_of_N 0.
Proof.
  intros L. apply (interpolation_correct w n ltac:(lia) primitive); [| exact L].
  apply size_scalar_nonzero; [exact divides | lia].
Qed.

Lemma lagrange_polynomial_off (i : N) (x : Scalar) : i < n -> on_domain n x = false ->
  polynomial_at (lagrange_polynomial i) x = lagrange_value n i x.
Proof.
  intros L off. assert (outside : scalar_pow x n <> scalar_of_N 1).
  { intros E. apply on_domain_iff in E. congruence. }
  unfold lagrange_polynomial. rewrite interpolation_sum, (sum_single _ n i L), N.eqb_refl.
  2: { intros k _ D. destruct (N.eqb_spec k i); [contradiction | ring]. }
  pose proof (KzgPolynomial.lagrange_geometric n x ltac:(lia) divides outside i L) as G. fold w in G. rewrite <- G.
  unfold Kzg.lagrange, Kzg.kzg_scale, lagrange_value, kzg_vanishing, scalar_inverse, kzg_size_scalar.
  change (scalar_pow (root_of_unity n) i) with (domain_point n i).
  change (scalar_power x n) with (scalar_pow x n). change (scalar_of_number (u128_of_usize n)) with (scalar_of_N n).
  change scalar_one with (scalar_of_N 1).
  pose proof (off_domain_apart x i off). pose proof (size_scalar_nonzero n divides ltac:(lia)).
  field. split; assumption.
Qed.

(** The sum of L_i over [count] positions from [first] on. *)
Definition interval_polynomial (first count : N) : list Scalar := total_polynomial lagrange_polynomial (range first (first + count)).

Lemma interval_polynomial_length (first count : N) : (length (interval_polynomial first count) <= N.to_nat n)%nat.
Proof. apply total_polynomial_length. intros i _. now rewrite lagrange_polynomial_length. Qed.

Lemma interval_polynomial_at (first count j : N) : j < n ->
  polynomial_at (interval_polynomial first count) (domain_point n j)
  = if (first <=? j) && (j <? first + count) then scalar_of_N 1 else scalar_of_N 0.
Proof.
  intros L. unfold interval_polynomial. rewrite total_polynomial_at. induction count as [| count IH] using N.peano_ind.
  - rewrite range_empty by lia. replace (_ && _) with false; [reflexivity |]. symmetry. apply not_true_iff_false.
    rewrite andb_true_iff, N.leb_le, N.ltb_lt. lia.
  - replace (first + N.succ count) with (first + count + 1) by lia. rewrite range_last, fold_left_app, IH by lia. cbn [fold_left].
    rewrite lagrange_polynomial_at by exact L.
    destruct (N.leb_spec first j), (N.ltb_spec j (first + count)), (N.ltb_spec j (first + count + 1)),
      (N.eqb_spec j (first + count)); cbn [andb]; try lia; ring.
Qed.

Lemma interval_polynomial_off (first count : N) (x : Scalar) : first + count <= n -> on_domain n x = false ->
  polynomial_at (interval_polynomial first count) x = interval_value n first count x.
Proof.
  intros L off. unfold interval_polynomial, interval_value. rewrite total_polynomial_at. apply fold_left_ext_in.
  intros total i I. apply range_in in I. unfold interval_value_step. now rewrite lagrange_polynomial_off by (assumption || lia).
Qed.

(** ** The guard *)

Definition unguarded_polynomial : list Scalar :=
  added [scalar_of_N 1] (scaled (scalar_of_N 0 [-] scalar_of_N 1) (lagrange_polynomial (guard_position n))).

Lemma unguarded_polynomial_length : (length unguarded_polynomial <= N.to_nat n)%nat.
Proof. apply added_length; [simpl; lia |]. now rewrite scaled_length, lagrange_polynomial_length. Qed.

Lemma unguarded_value_form (x : Scalar) :
  polynomial_at unguarded_polynomial x = scalar_of_N 1 [-] polynomial_at (lagrange_polynomial (guard_position n)) x.
Proof.
  unfold unguarded_polynomial. rewrite added_at, scaled_at.
  change (polynomial_at [scalar_of_N 1] x) with (scalar_of_N 1 [+] x [*] scalar_of_N 0). ring.
Qed.

Lemma guard_inside : guard_position n = n - 3.
Proof. unfold guard_position. destruct (N.leb_spec 3 n); lia. Qed.

Lemma unguarded_polynomial_at (j : N) : j < n ->
  polynomial_at unguarded_polynomial (domain_point n j) = if j =? guard_position n then scalar_of_N 0 else scalar_of_N 1.
Proof.
  intros L. rewrite unguarded_value_form, lagrange_polynomial_at by exact L. destruct (j =? guard_position n); ring.
Qed.

Lemma unguarded_polynomial_off (x : Scalar) : on_domain n x = false -> polynomial_at unguarded_polynomial x = unguarded_value n x.
Proof.
  intros off. rewrite unguarded_value_form. pose proof guard_inside. now rewrite lagrange_polynomial_off by (assumption || lia).
Qed.

(** ** The rows *)

(** X^n - 1 *)
Definition domain_polynomial : list Scalar :=
  map (fun j => if j =? n then scalar_of_N 1 else if j =? 0 then scalar_of_N 0 [-] scalar_of_N 1 else scalar_of_N 0) (range 0 (n + 1)).

Lemma domain_polynomial_at (x : Scalar) : polynomial_at domain_polynomial x = scalar_pow x n [-] scalar_of_N 1.
Proof.
  unfold domain_polynomial. rewrite polynomial_at_map, sum_succ, N.eqb_refl, (sum_single _ n 0 ltac:(lia)).
  - destruct (N.eqb_spec 0 n) as [E | _]; [lia |]. rewrite N.eqb_refl, scalar_pow_zero. ring.
  - intros k L D. destruct (N.eqb_spec k n); [lia |]. destruct (N.eqb_spec k 0); [contradiction | ring].
Qed.

(** (X^n - 1) / ((X - w^(n-2)) (X - w^(n-1))) *)
Definition rows_polynomial : list Scalar :=
  quotient (quotient domain_polynomial (domain_point n (n - 2))) (domain_point n (n - 1)).

Lemma rows_polynomial_length : length rows_polynomial = (N.to_nat n - 1)%nat.
Proof. unfold rows_polynomial, domain_polynomial. rewrite !quotient_length, map_length, range_length. lia. Qed.

Lemma rows_polynomial_factor (x : Scalar) :
  scalar_pow x n [-] scalar_of_N 1 = (x [-] domain_point n (n - 2)) [*] (x [-] domain_point n (n - 1)) [*] polynomial_at rows_polynomial x.
Proof.
  set (z := domain_point n (n - 2)). set (z' := domain_point n (n - 1)).
  assert (zero : forall i, polynomial_at domain_polynomial (domain_point n i) = scalar_of_N 0).
  { intros i. rewrite domain_polynomial_at, domain_point_on. ring. }
  assert (first : forall y, scalar_pow y n [-] scalar_of_N 1 = (y [-] z) [*] polynomial_at (quotient domain_polynomial z) y).
  { intros y. rewrite <- quotient_correct, domain_polynomial_at. unfold z. rewrite zero. ring. }
  assert (second : polynomial_at (quotient domain_polynomial z) z' = scalar_of_N 0).
  { destruct (scalar_mul_zero (z' [-] z) (polynomial_at (quotient domain_polynomial z) z')) as [E | E]; [| | exact E].
    - rewrite <- first. unfold z'. rewrite domain_point_on. ring.
    - exfalso. apply (proj1 (scalar_sub_zero _ _)) in E. revert E. apply domain_points_differ; lia. }
  pose proof (quotient_correct (quotient domain_polynomial z) z' x) as E. rewrite second in E.
  rewrite first. unfold rows_polynomial. fold z z'. transitivity ((x [-] z) [*] ((x [-] z') [*] polynomial_at (quotient (quotient domain_polynomial z) z') x)); [| ring].
  rewrite <- E. ring.
Qed.

Lemma rows_polynomial_at (i : N) : i < n - 2 -> polynomial_at rows_polynomial (domain_point n i) = scalar_of_N 0.
Proof.
  intros L. pose proof (rows_polynomial_factor (domain_point n i)) as E. rewrite domain_point_on in E.
  symmetry in E. replace (scalar_of_N 1 [-] scalar_of_N 1) with (scalar_of_N 0) in E by ring.
  destruct (scalar_mul_zero _ _ E) as [Z | Z]; [exfalso | exact Z].
  destruct (scalar_mul_zero _ _ Z) as [Z' | Z']; apply (proj1 (scalar_sub_zero _ _)) in Z'; revert Z';
    apply domain_points_differ; lia.
Qed.

Lemma rows_polynomial_off (x : Scalar) : on_domain n x = false -> polynomial_at rows_polynomial x = rows_vanishing n x.
Proof.
  intros off. unfold rows_vanishing, kzg_vanishing. cbv zeta. change (scalar_power x n) with (scalar_pow x n). change scalar_one with (scalar_of_N 1).
  rewrite rows_polynomial_factor. unfold mask_position. destruct (N.leb_spec 2 n) as [_ | B]; [| lia].
  replace (n - 2 + 1) with (n - 1) by lia. unfold scalar_inverse.
  pose proof (off_domain_apart x (n - 2) off). pose proof (off_domain_apart x (n - 1) off). field. split; assumption.
Qed.

End Domain.
