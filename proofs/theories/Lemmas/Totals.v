(** Totals of rows in several runs: what opened sums of powers say, and what count, sum and variance are computed from them.

    - [certified_total]: the sums of a certified segment at the origin;
    - [totals_correct]: a sum that is stated, opened as the sum of the runs' totals and not above what the cap allows, is that of
      all rows;
    - [shifted_sums]: the sums of the true numbers, which are [lowest] more than the private ones;
    - [variance_correct]: the variance, n^2 times, and that it does not look at [lowest]. *)
From Coq Require Import ZArith NArith List Bool Lia Ring Field.
From AardvarkSpec Require Import Prelude Base.Scalar.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Lemmas.SheetRelations.
Import ListNotations.

(** ** Sums of powers *)

Section Naturals.

Local Open Scope N_scope.

Lemma power_sum_app (e : N) (l l' : list N) : power_sum e (l ++ l') = power_sum e l + power_sum e l'.
Proof. induction l as [| x l IH]; [reflexivity |]. cbn [app power_sum fold_right] in *. unfold power_sum in *. rewrite IH. lia. Qed.

(** So many rows, none above the cap. *)
Lemma power_sum_bounded (e cap : N) (rows : list N) : Forall (fun row => row <= cap) rows -> power_sum e rows <= seq_length rows * cap ^ e.
Proof.
  induction 1 as [| row rows L _ IH]; [cbn; lia |]. rewrite seq_length_cons. cbn [power_sum fold_right]. unfold power_sum in IH.
  pose proof (N.pow_le_mono_l row cap e L). lia.
Qed.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.

Add Field scalars : scalar_field.

(** The sum of scalars. *)
Definition scalars_total (l : list Scalar) : Scalar := fold_right scalar_add (scalar_of_N 0) l.

Lemma totals_are_power_sum (e : N) (runs : list (list N)) :
  scalars_total (map (fun rows => scalar_of_N (power_sum e rows)) runs) = scalar_of_N (power_sum e (concat runs)).
Proof.
  induction runs as [| rows runs IH]; [reflexivity |]. cbn [map scalars_total fold_right concat]. unfold scalars_total in IH.
  now rewrite IH, power_sum_app, scalar_of_N_add.
Qed.

(** At the origin a certified segment's sums are those of all its rows. *)
Theorem certified_total (guard cap moments first : N) (values : N -> Scalar) (sums : N -> N -> Scalar) (rows : list N) (p : N) :
  segment_stands guard cap moments first values sums rows -> p < moments -> sums p 0 = scalar_of_N (power_sum (p + 1) rows).
Proof. intros [_ _ _ S] P. exact (S p 0 P (N.le_0_l guard)). Qed.

(** The number of all rows is so small that no sum of their powers wraps around. *)
Theorem totals_correct (e cap limit stated : N) (runs : list (list N)) (opened : list Scalar) :
  numbers_differ limit -> Forall (Forall (fun row => row <= cap)) runs -> seq_length (concat runs) * cap ^ e < limit ->
  opened = map (fun rows => scalar_of_N (power_sum e rows)) runs ->
  stated <= seq_length (concat runs) * cap ^ e -> scalars_total opened = scalar_of_N stated ->
  stated = power_sum e (concat runs).
Proof.
  intros differ capped small -> below E. rewrite totals_are_power_sum in E. symmetry in E.
  assert (bounded : power_sum e (concat runs) <= seq_length (concat runs) * cap ^ e).
  { apply power_sum_bounded. apply Forall_concat. exact capped. }
  apply differ; [lia | lia | exact E].
Qed.

End Naturals.

(** ** The true numbers *)

Local Open Scope Z_scope.

(** The sum of the powers of integers. *)
Definition integer_power_sum (e : Z) (l : list Z) : Z := fold_right (fun x total => x ^ e + total) 0 l.
Definition integer_count (l : list Z) : Z := Z.of_nat (length l).

(** The numbers that private ones stand for. *)
Definition shifted (lowest : Z) (rows : list N) : list Z := map (fun row => lowest + Z.of_N row) rows.

Lemma power_sum_cons (e : N) (row : N) (rows : list N) : power_sum e (row :: rows) = (row ^ e + power_sum e rows)%N.
Proof. reflexivity. Qed.

Lemma integer_power_sum_cons (e x : Z) (l : list Z) : integer_power_sum e (x :: l) = x ^ e + integer_power_sum e l.
Proof. reflexivity. Qed.

Lemma integer_count_cons (x : Z) (l : list Z) : integer_count (x :: l) = 1 + integer_count l.
Proof. unfold integer_count. cbn [length]. lia. Qed.

Theorem shifted_sums (lowest : Z) (rows : list N) :
  let n := Z.of_N (seq_length rows) in
  let s e := Z.of_N (power_sum e rows) in
  let x := shifted lowest rows in
  integer_count x = n /\
  integer_power_sum 1 x = s 1%N + n * lowest /\
  integer_power_sum 2 x = s 2%N + 2 * lowest * s 1%N + n * lowest ^ 2 /\
  integer_power_sum 3 x = s 3%N + 3 * lowest * s 2%N + 3 * lowest ^ 2 * s 1%N + n * lowest ^ 3.
Proof.
  cbv zeta. induction rows as [| row rows (C & A & B & D)]; [repeat split; cbn -[Z.mul Z.pow Z.add]; ring |].
  change (shifted lowest (row :: rows)) with ((lowest + Z.of_N row) :: shifted lowest rows).
  rewrite !integer_power_sum_cons, integer_count_cons, !power_sum_cons, seq_length_cons, !N2Z.inj_add, !N2Z.inj_pow, A, B, C, D.
  change (Z.of_N 1) with 1. change (Z.of_N 2) with 2. change (Z.of_N 3) with 3.
  repeat split; ring.
Qed.

(** The squares of the distances from the mean, for n times the numbers. *)
Definition squared_distances (l : list Z) : Z :=
  integer_power_sum 2 (map (fun x => integer_count l * x - integer_power_sum 1 l) l).

(** The population's variance is what [squared_distances] says, divided by n^3: so it is (n S_2 - S_1^2) / n^2. *)
Theorem variance_correct (l : list Z) :
  squared_distances l = integer_count l * (integer_count l * integer_power_sum 2 l - integer_power_sum 1 l ^ 2).
Proof.
  unfold squared_distances. set (n := integer_count l) at 1 3. set (s := integer_power_sum 1 l) at 1 2.
  assert (general : forall k, integer_power_sum 2 (map (fun x => n * x - s) k)
    = n ^ 2 * integer_power_sum 2 k - 2 * n * s * integer_power_sum 1 k + integer_count k * s ^ 2).
  { induction k as [| x k IH]; [cbn; ring |]. cbn [map].
    rewrite !integer_power_sum_cons, integer_count_cons, IH. rewrite Z.pow_1_r. ring. }
  rewrite general. unfold n, s. ring.
Qed.

(** It is the same of the private numbers. *)
Theorem variance_shifted (lowest : Z) (rows : list N) :
  let n := Z.of_N (seq_length rows) in
  let x := shifted lowest rows in
  integer_count x * integer_power_sum 2 x - integer_power_sum 1 x ^ 2 = n * Z.of_N (power_sum 2 rows) - Z.of_N (power_sum 1 rows) ^ 2.
Proof. cbv zeta. destruct (shifted_sums lowest rows) as (-> & -> & -> & _). ring. Qed.
