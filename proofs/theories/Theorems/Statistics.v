(** Theorems for auditors: what answers about private rows compute.

    These are about lists of numbers: the rows of the runs in a box, as certificates have them (Certificates.v).
    To understand a statement of this file you need this file, and definitions of Lemmas/OrderStatistics.v ([order_statistic], [cut_shown],
    ..), Lemmas/Totals.v and Lemmas/SheetRelations.v ([segment_stands], [power_sum]).

    - [certified_total], [totals_correct]: a stated sum of powers is that of all rows.
    - [shifted_sums], [variance_correct], [variance_shifted]: sums of the true numbers, and their variance.
    - [cut_correct], [cut_unique]: a cut that is shown has the rows of its rank and the next, and no others.
    - [minimum_correct], [maximum_correct], [percentile_disc_correct], [percentile_cont_correct]: what a cut at the rank of each says.
    - [rank_correct]: how many rows are below a threshold. *)
From Coq Require Import ZArith NArith List Sorted.
From AardvarkSpec Require Import Prelude Base.Scalar.
From Aardvark Require Import Lemmas.Field Lemmas.SheetRelations Lemmas.OrderStatistics Lemmas.Totals.
Local Open Scope N_scope.

(** ** Totals *)

Section Totals.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.

(** At the origin a certified segment's sums are those of all its rows. *)
Theorem certified_total (guard cap moments first : N) (values : N -> Scalar) (sums : N -> N -> Scalar) (rows : list N) (p : N) :
  segment_stands guard cap moments first values sums rows -> p < moments -> sums p 0 = scalar_of_N (power_sum (p + 1) rows).
Proof. apply Aardvark.Lemmas.Totals.certified_total. Qed.

(** What is opened as the sum of the runs' totals, and is not above what the cap allows for so many rows, is the sum of the powers of
    all rows: nothing wraps around below the limit. *)
Theorem totals_correct (e cap limit stated : N) (runs : list (list N)) (opened : list Scalar) :
  numbers_differ limit -> Forall (Forall (fun row => row <= cap)) runs -> seq_length (concat runs) * cap ^ e < limit ->
  opened = map (fun rows => scalar_of_N (power_sum e rows)) runs ->
  stated <= seq_length (concat runs) * cap ^ e -> scalars_total opened = scalar_of_N stated ->
  stated = power_sum e (concat runs).
Proof. apply Aardvark.Lemmas.Totals.totals_correct. Qed.

End Totals.

(** The sums of the true numbers, which are [lowest] more than the private ones. *)
Theorem shifted_sums (lowest : Z) (rows : list N) :
  let n := Z.of_N (seq_length rows) in
  let s e := Z.of_N (power_sum e rows) in
  let x := shifted lowest rows in
  (integer_count x = n /\
  integer_power_sum 1 x = s 1%N + n * lowest /\
  integer_power_sum 2 x = s 2%N + 2 * lowest * s 1%N + n * lowest ^ 2 /\
  integer_power_sum 3 x = s 3%N + 3 * lowest * s 2%N + 3 * lowest ^ 2 * s 1%N + n * lowest ^ 3)%Z.
Proof. apply Aardvark.Lemmas.Totals.shifted_sums. Qed.

(** The variance of n numbers is [squared_distances] / n^3, so (n S_2 - S_1^2) / n^2. *)
Theorem variance_correct (l : list Z) :
  (squared_distances l = integer_count l * (integer_count l * integer_power_sum 2 l - integer_power_sum 1 l ^ 2))%Z.
Proof. apply Aardvark.Lemmas.Totals.variance_correct. Qed.

(** It is that of the private numbers. *)
Theorem variance_shifted (lowest : Z) (rows : list N) :
  let n := Z.of_N (seq_length rows) in
  let x := shifted lowest rows in
  (integer_count x * integer_power_sum 2 x - integer_power_sum 1 x ^ 2 = n * Z.of_N (power_sum 2 rows) - Z.of_N (power_sum 1 rows) ^ 2)%Z.
Proof. apply Aardvark.Lemmas.Totals.variance_shifted. Qed.

(** ** Order statistics *)

(** Of runs in ascending order, a cut that is shown has the row of its rank at the low end, and at the high end, where there is one, the row
    of the next rank: ties included. *)
Theorem cut_correct (parts : list (list N * N)) (rank x : N) (high : option N) :
  (forall rows split, In (rows, split) parts -> StronglySorted N.le rows) -> cut_shown parts rank x high ->
  order_statistic (all_rows parts) rank x /\ match high with Some y => order_statistic (all_rows parts) (rank + 1) y | None => True end.
Proof. apply Aardvark.Lemmas.OrderStatistics.cut_correct. Qed.

(** Whatever its splits: a rank has one row. *)
Theorem cut_unique (rows : list N) (rank x y : N) : order_statistic rows rank x -> order_statistic rows rank y -> x = y.
Proof. apply Aardvark.Lemmas.OrderStatistics.order_statistic_unique. Qed.

(** The first rank is the minimum's. *)
Theorem minimum_correct (rows : list N) (x : N) : order_statistic rows 1 x -> In x rows /\ forall v, In v rows -> x <= v.
Proof. apply Aardvark.Lemmas.OrderStatistics.minimum_correct. Qed.

(** The last is the maximum's. *)
Theorem maximum_correct (rows : list N) (x : N) : order_statistic rows (seq_length rows) x -> In x rows /\ forall v, In v rows -> v <= x.
Proof. apply Aardvark.Lemmas.OrderStatistics.maximum_correct. Qed.

(** The rank of percentile_disc of [k / q] is that of the least row that at least a [k / q] part of all rows is at most. *)
Theorem percentile_disc_correct (rows : list N) (k q x : N) : 1 <= q -> k <= q -> 1 <= seq_length rows ->
  order_statistic rows (disc_rank (seq_length rows) k q) x ->
  In x rows /\ k * seq_length rows <= q * count_at_most x rows /\
  forall y, In y rows -> k * seq_length rows <= q * count_at_most y rows -> x <= y.
Proof. apply Aardvark.Lemmas.OrderStatistics.percentile_disc_correct. Qed.

(** A cut at the rank of percentile_cont, with a high end unless the position is a row's, interpolates. *)
Theorem percentile_cont_correct (parts : list (list N * N)) (k q x : N) (high : option N) : 1 <= q ->
  (forall rows split, In (rows, split) parts -> StronglySorted N.le rows) ->
  let count := seq_length (all_rows parts) in
  cut_shown parts (cont_rank count k q) x high -> (high = None -> (count - 1) * k mod q = 0) ->
  cont_value count k q x high = interpolated (all_rows parts) k q.
Proof. apply Aardvark.Lemmas.OrderStatistics.percentile_cont_correct. Qed.

(** Splits with the rows below a threshold before them add up to how many rows are below. *)
Theorem rank_correct (parts : list (list N * N)) (x : N) :
  (forall rows split, In (rows, split) parts -> StronglySorted N.le rows /\ split <= seq_length rows /\
    (1 <= split -> seq_at rows (split - 1) < x) /\ (split < seq_length rows -> x <= seq_at rows split)) ->
  splits_total parts = count_below x (all_rows parts).
Proof. apply Aardvark.Lemmas.OrderStatistics.rank_correct. Qed.
