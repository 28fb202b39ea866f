(** The relations of a certificate, on a sheet's positions up to the guard, without polynomials: they hold of lists of numbers in
    ascending order, at most the cap, and of their suffix sums, and of nothing else.

    - [sheet_relations]: the relations of docs/tables.md, "The certificate", at the positions 0 ..= guard;
    - [segment_stands]: what a certificate is to say of a segment;
    - [relations_imply_rows]: where the relations hold, each segment stands, with rows that are read off the bits;
    - [rows_unique]: and with no others.

    Sums of two to the number of bits do not wrap around: what differs below a [limit] differs as scalars. *)
From Coq Require Import NArith List Bool Lia Sorted Ring Field.
From AardvarkSpec Require Import Prelude Base.Scalar.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Base.Scalar Lemmas.Polynomials.
Import ListNotations.
Local Open Scope N_scope.

(** The sum of the powers of rows. *)
Definition power_sum (exponent : N) (rows : list N) : N := fold_right (fun row total => row ^ exponent + total) 0 rows.

(** What stands at a position of a segment whose rows begin at position [first]: a row, or 0. *)
Definition row_at (first : N) (rows : list N) (i : N) : N :=
  if (first <=? i) && (i <? first + seq_length rows) then seq_at rows (i - first) else 0.

(** The rows that stand at a position or behind it. *)
Definition rows_from (first : N) (rows : list N) (i : N) : list N := skipn (N.to_nat (i - first)) rows.

Section Relations.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.

Add Field scalars : scalar_field.

(** Numbers below the limit are told apart by their scalars. *)
Definition numbers_differ (limit : N) : Prop :=
  forall a b, a < limit -> b < limit -> scalar_of_N a = scalar_of_N b -> a = b.

(** The values of a segment at the positions up to the guard are its rows, as integers from 0 to the cap in ascending order, and
    0 elsewhere; the sums of the powers [p + 1], for each p below [moments], are at each position those of the rows from there on. *)
Record segment_stands (guard cap moments first : N) (values : N -> Scalar) (sums : N -> N -> Scalar) (rows : list N) : Prop := {
  rows_ascend : StronglySorted N.le rows;
  rows_capped : Forall (fun row => row <= cap) rows;
  values_are_rows : forall i, i <= guard -> values i = scalar_of_N (row_at first rows i);
  sums_are_of_rows : forall p i, p < moments -> i <= guard -> sums p i = scalar_of_N (power_sum (p + 1) (rows_from first rows i));
}.

(** ** Numbers as scalars *)

Lemma scalar_of_N_pow (a q : N) : scalar_of_N (a ^ q) = scalar_pow (scalar_of_N a) q.
Proof.
  induction q as [| q IH] using N.peano_ind; [reflexivity |].
  rewrite N.pow_succ_r', scalar_of_N_mul, IH, <- N.add_1_r, scalar_pow_succ. reflexivity.
Qed.

(** [f 0 + .. + f (n - 1)], of numbers. *)
Definition number_sum (f : N -> N) (n : N) : N := fold_left (fun total i => total + f i) (range 0 n) 0.

Lemma number_sum_succ (f : N -> N) (n : N) : number_sum f (n + 1) = number_sum f n + f n.
Proof. unfold number_sum. rewrite range_last by lia. now rewrite fold_left_app. Qed.

Lemma number_sum_below (f : N -> N) (n bound : N) : (forall i, i < n -> f i < bound) -> 0 < n -> number_sum f n < n * bound.
Proof.
  induction n as [| n IH] using N.peano_ind; intros B P; [lia |]. rewrite <- N.add_1_r, number_sum_succ.
  specialize (B n ltac:(lia)) as Bn. destruct (N.eq_dec n 0) as [-> | D].
  - change (number_sum f 0) with 0. lia.
  - assert (number_sum f n < n * bound) by (apply IH; [intros; apply B; lia | lia]). nia.
Qed.

Lemma scalar_of_number_sum (f : N -> N) (n : N) : scalar_of_N (number_sum f n) = sum (fun i => scalar_of_N (f i)) n.
Proof.
  induction n as [| n IH] using N.peano_ind; [reflexivity |].
  now rewrite <- N.add_1_r, number_sum_succ, sum_succ, scalar_of_N_add, IH.
Qed.

(** A segment stands with one list of rows of a length. *)
Theorem rows_unique (guard cap moments first limit : N) (values : N -> Scalar) (sums : N -> N -> Scalar) (rows rows' : list N) :
  numbers_differ limit -> cap < limit -> first + seq_length rows <= guard + 1 -> seq_length rows = seq_length rows' ->
  segment_stands guard cap moments first values sums rows -> segment_stands guard cap moments first values sums rows' -> rows = rows'.
Proof.
  intros differ capped inside same [_ C V _] [_ C' V' _]. rewrite Forall_forall in C, C'. apply seq_ext; [exact same |].
  intros i L. apply differ.
  - apply N.le_lt_trans with cap; [apply C, seq_at_in; exact L | exact capped].
  - apply N.le_lt_trans with cap; [apply C', seq_at_in; lia | exact capped].
  - pose proof (V (first + i) ltac:(lia)) as E. rewrite (V' (first + i)) in E by lia. unfold row_at in E.
    rewrite <- same, (proj2 (N.leb_le first (first + i))), (proj2 (N.ltb_lt (first + i) (first + seq_length rows))) in E by lia.
    cbn [andb] in E. now replace (first + i - first) with i in E by lia.
Qed.

(** ** The relations *)

(** How many segments there are, where the rows of each begin and end (behind the last one), and the guard. *)
Variables (segments : N) (first behind : N -> N) (guard : N).
(** The number of bits, the cap, the number of moments. *)
Variables (bits cap moments : N).
(** The values of each segment, the sums of the powers [p + 1] of each, and the bits, at each position. *)
Variables (values : N -> N -> Scalar) (sums : N -> N -> N -> Scalar) (bit : N -> N -> Scalar).

(** Whether segment [k] has a row at position [i]. *)
Definition is_row (k i : N) : bool := (first k <=? i) && (i <? behind k).

(** 1 at the last row of each segment. *)
Definition last_at (i : N) : Scalar :=
  sum (fun k => if i =? behind k - 1 then scalar_of_N 1 else scalar_of_N 0) segments.

(** 0 at the guard, 1 before it. *)
Definition unguarded_at (i : N) : Scalar := if i =? guard then scalar_of_N 0 else scalar_of_N 1.

(** V *)
Definition all_values (i : N) : Scalar := sum (fun k => values k i) segments.

(** Σ 2^j B_j *)
Definition step_at (i : N) : Scalar := sum (fun j => scalar_of_N (2 ^ j) [*] bit j i) bits.

Record sheet_relations : Prop := {
  relation_bits : forall j i, j < bits -> i <= guard -> bit j i [*] bit j i [-] bit j i = scalar_of_N 0;
  relation_order : forall i, i <= guard ->
    unguarded_at i [*] all_values (i + 1) [-] all_values i [+] scalar_of_N cap [*] last_at i [-] step_at i = scalar_of_N 0;
  relation_support : forall k i, k < segments -> i <= guard ->
    values k i [-] (if is_row k i then all_values i else scalar_of_N 0) = scalar_of_N 0;
  relation_sums : forall p k i, p < moments -> k < segments -> i <= guard ->
    sums p k i [-] unguarded_at i [*] sums p k (i + 1) [-] values k i [*] scalar_pow (all_values i) p = scalar_of_N 0;
}.

(** ** What they say *)

(** The number that the bits at a position write. *)
Definition step_number (i : N) : N := number_sum (fun j => if bit j i [=?] scalar_of_N 1 then 2 ^ j else 0) bits.

(** The numbers of a segment's rows: what has been added since the position before the first. *)
Definition row_number (k j : N) : N := number_sum (fun t => step_number (first k - 1 + t)) (j + 1).
Definition segment_rows (k : N) : list N := map (row_number k) (range 0 (behind k - first k)).

(** Segments have rows, between the origin and the guard, and a free position between each two. *)
Hypothesis inside : forall k, k < segments -> 1 <= first k /\ first k < behind k /\ behind k <= guard.
Hypothesis apart : forall k k', k < segments -> k' < segments -> k <> k' -> behind k + 1 <= first k' \/ behind k' + 1 <= first k.

Hypothesis related : sheet_relations.

Lemma step_number_below (i : N) : step_number i < 2 ^ bits.
Proof.
  unfold step_number. induction bits as [| n IH] using N.peano_ind; [cbn; lia |].
  rewrite <- N.add_1_r, number_sum_succ, N.add_1_r, N.pow_succ_r'. destruct (_ [=?] _); lia.
Qed.

Lemma step_is_number (i : N) : i <= guard -> step_at i = scalar_of_N (step_number i).
Proof.
  intros L. unfold step_at, step_number. rewrite scalar_of_number_sum. apply sum_ext. intros j Lj.
  pose proof (relation_bits related j i Lj L) as R.
  assert (zero : bit j i [*] (bit j i [-] scalar_of_N 1) = scalar_of_N 0) by (rewrite <- R; ring).
  destruct (scalar_mul_zero _ _ zero) as [Z | Z].
  - rewrite Z. destruct (scalar_of_N 0 [=?] scalar_of_N 1) eqn:E; [| ring].
    apply scalar_eqb_iff in E. now elim scalar_one_nonzero.
  - apply (proj1 (scalar_sub_zero _ _)) in Z. rewrite Z, (proj2 (scalar_eqb_iff _ _) eq_refl). ring.
Qed.

Lemma is_row_iff (k i : N) : is_row k i = true <-> first k <= i < behind k.
Proof. unfold is_row. rewrite andb_true_iff, N.leb_le, N.ltb_lt. reflexivity. Qed.

Lemma values_off_rows (k i : N) : k < segments -> i <= guard -> is_row k i = false -> values k i = scalar_of_N 0.
Proof. intros K L R. pose proof (relation_support related k i K L) as E. rewrite R in E. rewrite <- E. ring. Qed.

Lemma values_at_rows (k i : N) : k < segments -> i <= guard -> is_row k i = true -> values k i = all_values i.
Proof. intros K L R. pose proof (relation_support related k i K L) as E. rewrite R in E. now apply scalar_sub_zero. Qed.

(** Where no segment has a row there is nothing. *)
Lemma all_values_free (i : N) : i <= guard -> (forall k, k < segments -> is_row k i = false) -> all_values i = scalar_of_N 0.
Proof. intros L free. unfold all_values. apply sum_all_zero. intros k K. apply values_off_rows; auto. Qed.

Lemma free_position (k i : N) : k < segments -> i + 1 = first k \/ i = behind k -> forall k', k' < segments -> is_row k' i = false.
Proof.
  intros K E k' K'. apply not_true_iff_false. rewrite is_row_iff. intros R.
  specialize (inside k K) as I. destruct (N.eq_dec k k') as [<- | D]; [lia |]. specialize (apart k k' K K' D). lia.
Qed.

(** At the last row of a segment there is one, before it none. *)
Lemma last_at_row (k i : N) : k < segments -> first k <= i + 1 -> i < behind k ->
  last_at i = if i =? behind k - 1 then scalar_of_N 1 else scalar_of_N 0.
Proof.
  intros K A B. unfold last_at. rewrite (sum_single _ segments k K); [reflexivity |].
  intros k' K' D. destruct (N.eqb_spec i (behind k' - 1)) as [E | E]; [exfalso | reflexivity].
  pose proof (inside k K). pose proof (inside k' K'). destruct (apart k k' K K' (not_eq_sym D)); lia.
Qed.

(** What the order relation says of the rows of a segment. *)
Lemma order_at (k i : N) : k < segments -> first k <= i + 1 -> i < behind k ->
  all_values (i + 1) [+] scalar_of_N cap [*] (if i =? behind k - 1 then scalar_of_N 1 else scalar_of_N 0)
  = all_values i [+] scalar_of_N (step_number i).
Proof.
  intros K A B. pose proof (inside k K) as I. pose proof (relation_order related i ltac:(lia)) as E.
  rewrite (last_at_row k i K A B), step_is_number in E by lia. unfold unguarded_at in E.
  destruct (N.eqb_spec i guard) as [G | _]; [lia |]. apply scalar_sub_zero. etransitivity; [| exact E]. ring.
Qed.

Lemma row_value (k j : N) : k < segments -> j < behind k - first k ->
  all_values (first k + j) = scalar_of_N (row_number k j).
Proof.
  intros K. pose proof (inside k K) as I. induction j as [| j IH] using N.peano_ind; intros L.
  - pose proof (order_at k (first k - 1) K ltac:(lia) ltac:(lia)) as E.
    replace (first k - 1 =? behind k - 1) with false in E by (symmetry; apply N.eqb_neq; lia).
    rewrite (all_values_free (first k - 1)) in E by (lia || (apply (free_position k); [exact K | lia])).
    replace (first k - 1 + 1) with (first k + 0) in E by lia. unfold row_number. rewrite number_sum_succ.
    replace (first k - 1 + 0) with (first k - 1) by lia. change (number_sum _ 0) with 0. rewrite N.add_0_l.
    etransitivity; [| etransitivity; [exact E |]]; ring.
  - pose proof (order_at k (first k + j) K ltac:(lia) ltac:(lia)) as E.
    replace (first k + j =? behind k - 1) with false in E by (symmetry; apply N.eqb_neq; lia).
    rewrite IH in E by lia. replace (first k + N.succ j) with (first k + j + 1) by lia.
    unfold row_number in *. rewrite number_sum_succ, scalar_of_N_add.
    replace (first k - 1 + N.succ j) with (first k + j) by lia. rewrite <- N.add_1_r, <- E. ring.
Qed.

Variable limit : N.
Hypothesis differ : numbers_differ limit.
Hypothesis cap_below : cap < limit.
Hypothesis steps_below : (guard + 1) * 2 ^ bits <= limit.

(** The last row is at most the cap: their difference is the last step, and neither sum wraps around. *)
Lemma last_row_capped (k : N) : k < segments -> row_number k (behind k - first k - 1) <= cap.
Proof.
  intros K. pose proof (inside k K) as I. pose proof (order_at k (behind k - 1) K ltac:(lia) ltac:(lia)) as E.
  rewrite N.eqb_refl in E. replace (behind k - 1 + 1) with (behind k) in E by lia.
  rewrite (all_values_free (behind k)) in E by (lia || (apply (free_position k); [exact K | now right])).
  pose proof (row_value k (behind k - first k - 1) K ltac:(lia)) as R.
  replace (first k + (behind k - first k - 1)) with (behind k - 1) in R by lia. rewrite R, <- scalar_of_N_add in E.
  enough (cap = row_number k (behind k - first k - 1) + step_number (behind k - 1)) by lia.
  apply differ; [exact cap_below | | rewrite <- E; ring].
  assert (last : row_number k (behind k - first k - 1) + step_number (behind k - 1)
    = number_sum (fun t => step_number (first k - 1 + t)) (behind k - first k - 1 + 1 + 1)).
  { rewrite number_sum_succ. unfold row_number. do 2 f_equal. lia. }
  rewrite last. apply N.lt_le_trans with ((behind k - first k - 1 + 1 + 1) * 2 ^ bits).
  - apply number_sum_below; [intros; apply step_number_below | lia].
  - apply N.le_trans with ((guard + 1) * 2 ^ bits); [| exact steps_below]. apply N.mul_le_mono_r. lia.
Qed.

Lemma row_number_monotone (k i j : N) : i <= j -> row_number k i <= row_number k j.
Proof.
  intros L. unfold row_number. induction j as [| j IH] using N.peano_ind; [now replace i with 0 by lia |].
  destruct (N.eq_dec i (N.succ j)) as [-> | D]; [lia |]. rewrite (number_sum_succ _ (N.succ j)), <- (N.add_1_r j).
  specialize (IH ltac:(lia)). lia.
Qed.

Lemma ascending_map (f : N -> N) (from to : N) : (forall i j, i <= j -> f i <= f j) -> StronglySorted N.le (map f (range from to)).
Proof.
  intros monotone. remember (N.to_nat (to - from)) as n eqn:E. revert from E.
  induction n as [| n IH]; intros from E; [rewrite range_empty by lia; constructor |].
  rewrite range_first by lia. cbn [map]. constructor; [apply IH; lia |]. apply Forall_forall. intros x I.
  apply in_map_iff in I as (i & <- & I). apply range_in in I. apply monotone. lia.
Qed.

Lemma segment_rows_length (k : N) : seq_length (segment_rows k) = behind k - first k.
Proof. unfold segment_rows. now rewrite seq_length_map, seq_length_range. Qed.

Lemma rows_from_row (from : N) (rows : list N) (i : N) : from <= i -> i < from + seq_length rows ->
  rows_from from rows i = row_at from rows i :: rows_from from rows (i + 1).
Proof.
  intros A B. unfold rows_from, row_at. rewrite (proj2 (N.leb_le _ _) A), (proj2 (N.ltb_lt _ _) B). cbn [andb].
  replace (N.to_nat (i + 1 - from)) with (S (N.to_nat (i - from))) by lia. unfold seq_at.
  assert (L : (N.to_nat (i - from) < length rows)%nat) by (unfold seq_length in B; lia). revert L. generalize (N.to_nat (i - from)).
  clear. induction rows as [| row rows IH]; intros m L; [inversion L |]. destruct m as [| m]; [reflexivity |].
  cbn [length] in L. cbn [skipn nth]. rewrite IH by lia. reflexivity.
Qed.

Lemma rows_from_none (from : N) (rows : list N) (i : N) : from + seq_length rows <= i -> rows_from from rows i = [].
Proof. intros B. apply skipn_all2. unfold seq_length in B. lia. Qed.

Theorem relations_imply_rows (k : N) : k < segments ->
  segment_stands guard cap moments (first k) (values k) (fun p => sums p k) (segment_rows k).
Proof.
  intros K. pose proof (inside k K) as I.
  assert (at_position : forall i, i <= guard -> values k i = scalar_of_N (row_at (first k) (segment_rows k) i)).
  { intros i L. unfold row_at. rewrite segment_rows_length.
    replace (first k + (behind k - first k)) with (behind k) by lia. fold (is_row k i). destruct (is_row k i) eqn:R.
    - rewrite values_at_rows by assumption. apply is_row_iff in R. unfold segment_rows. rewrite nth_map_range by lia.
      rewrite <- row_value by lia. f_equal. lia.
    - now apply values_off_rows. }
  split.
  - apply ascending_map, row_number_monotone.
  - apply Forall_forall. intros row R. apply in_map_iff in R as (j & <- & R). apply range_in in R.
    etransitivity; [| apply (last_row_capped k K)]. apply row_number_monotone. lia.
  - exact at_position.
  - intros p i P. remember (N.to_nat (guard - i)) as n eqn:E. revert i E. induction n as [| n IH]; intros i E L.
    + replace i with guard by lia. pose proof (relation_sums related p k guard P K ltac:(lia)) as R.
      unfold unguarded_at in R. rewrite N.eqb_refl, values_off_rows in R by (lia || (apply not_true_iff_false; rewrite is_row_iff; lia)).
      rewrite rows_from_none by (rewrite segment_rows_length; lia). cbn [power_sum fold_right]. rewrite <- R. ring.
    + pose proof (relation_sums related p k i P K L) as R. unfold unguarded_at in R.
      destruct (N.eqb_spec i guard) as [G | G]; [lia |]. rewrite (IH (i + 1)) in R by lia.
      apply scalar_sub_zero. etransitivity; [| exact R]. clear R. destruct (is_row k i) eqn:at_row.
      * rewrite <- (values_at_rows k i), at_position by assumption. apply is_row_iff in at_row.
        rewrite (rows_from_row _ _ i) by (rewrite ?segment_rows_length; lia). unfold power_sum at 1. cbn [fold_right].
        fold (power_sum (p + 1) (rows_from (first k) (segment_rows k) (i + 1))).
        rewrite scalar_of_N_add, scalar_of_N_pow, scalar_pow_succ. ring.
      * rewrite (values_off_rows k i) by assumption.
        replace (rows_from (first k) (segment_rows k) i) with (rows_from (first k) (segment_rows k) (i + 1)); [ring |].
        apply not_true_iff_false in at_row. rewrite is_row_iff in at_row. destruct (N.lt_ge_cases i (first k)) as [B | B].
        -- unfold rows_from. f_equal. f_equal. lia.
        -- rewrite !rows_from_none by (rewrite segment_rows_length; lia). reflexivity.
Qed.

End Relations.
