(** Eight bits in one decrypted number.

    - [count_true]: how many of some rows have a property; [bit_of]: 1 for yes.
    - [packed_value]: the number with these bits, the lowest first; [packed_below], [packed_bit].
    - [pack_counts]: a target counts each of its eight rows 2^k times; [pack_rows], [pack_short]: its rows, and how many.
    - [unpacked_packs]: the numbers of rows with a property, read bit by bit, say of each row whether it has it. *)

From Coq Require Import Arith NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Mixnet.TracePacked.
From Aardvark Require Import Lemmas.Sequences Spec.Mixnet.LinearRelation Spec.Mixnet.Column Lemmas.ColumnCount.
Import ListNotations.
Local Open Scope N_scope.

(** How many of these rows have a property. *)
Definition count_true (p : N -> bool) (rows : list N) : N := N.of_nat (length (filter p rows)).

(** 1 for yes. *)
Definition bit_of (b : bool) : N := if b then 1 else 0.

Lemma count_app (p : N -> bool) (s t : list N) : count_true p (s ++ t) = count_true p s + count_true p t.
Proof. unfold count_true. rewrite filter_app, app_length. lia. Qed.

Lemma count_single (p : N -> bool) (i : N) : count_true p [i] = bit_of (p i).
Proof. unfold count_true, bit_of. simpl. now destruct (p i). Qed.

Lemma count_all (s : list N) : count_true (fun _ => true) s = seq_length s.
Proof. unfold count_true, seq_length. induction s as [| i s IH]; simpl; lia. Qed.

Lemma map_seq_at {A B : Type} `{Default A} (f : A -> B) (s : list A) :
  map (fun i => f (seq_at s i)) (range 0 (seq_length s)) = map f s.
Proof.
  rewrite <- (map_map (seq_at s) f). f_equal. rewrite <- (app_nil_l (map _ _)), <- fold_range_append.
  rewrite (fold_range_elements (fun acc x => acc ++ [x])). rewrite (fold_append (fun x => x)). simpl. now rewrite map_id.
Qed.

(** * Numbers by their bits *)

(** The number with m bits, of these places from [start] on, the lowest first. *)
Fixpoint packed_value (bits : N -> N) (start : N) (m : nat) : N :=
  match m with
  | O => 0
  | S m => bits start + 2 * packed_value bits (start + 1) m
  end.

Lemma packed_below (bits : N -> N) (start : N) (m : nat) :
  (forall i, bits i <= 1) -> packed_value bits start m < 2 ^ N.of_nat m.
Proof.
  intros B. revert start. induction m as [| m IH]; intros start; [reflexivity |]. cbn [packed_value].
  rewrite Nat2N.inj_succ, N.pow_succ_r'. specialize (IH (start + 1)). specialize (B start). lia.
Qed.

Lemma trace_bit_succ (number k : N) : trace_bit number (k + 1) = trace_bit (number / 2) k.
Proof.
  unfold trace_bit. cbv zeta. rewrite (range_first 0 (k + 1)) by lia. change (0 + 1) with 1. rewrite range_shift.
  cbn [fold_left]. f_equal. generalize (number / 2). induction (range 0 k) as [| i s IH]; intros n; [reflexivity |].
  cbn [map fold_left]. apply IH.
Qed.

Lemma packed_bit (bits : N -> N) (start k : N) (m : nat) :
  (forall i, bits i <= 1) -> (N.to_nat k < m)%nat -> trace_bit (packed_value bits start m) k = bits (start + k).
Proof.
  intros B. revert start k. induction m as [| m IH]; intros start k L; [lia |]. cbn [packed_value].
  pose proof (B start) as Bs. rewrite (N.mul_comm 2). destruct (N.eq_dec k 0) as [-> | K].
  - change (trace_bit ?n 0) with (n mod 2). rewrite N.mod_add, N.mod_small, N.add_0_r by lia. reflexivity.
  - replace k with (k - 1 + 1) by lia. rewrite trace_bit_succ, N.div_add, N.div_small, N.add_0_l by lia.
    rewrite IH by lia. f_equal. lia.
Qed.

(** * Targets of eight rows *)

(** Whether a row has the property; 0 beyond the last row. *)
Definition row_bit (p : N -> bool) (rows : list N) (i : N) : N :=
  if i <? seq_length rows then bit_of (p (seq_at rows i)) else 0.

Lemma row_bit_small (p : N -> bool) (rows : list N) (i : N) : row_bit p rows i <= 1.
Proof. unfold row_bit, bit_of. destruct (i <? seq_length rows); [destruct (p _) |]; lia. Qed.

Lemma pack_counts (p : N -> bool) (rows : list N) (start : N) :
  count_true p (trace_pack rows start) = packed_value (row_bit p rows) start 8.
Proof.
  unfold trace_pack. change TRACE_PACKED with 8.
  enough (forall m, m <= 8 -> count_true p (fold_left (fun target k => trace_pack_step target rows start k) (range 0 m) [])
    = packed_value (row_bit p rows) (start + (8 - m)) (N.to_nat m)) as E.
  { rewrite E by lia. now rewrite N.sub_diag, N.add_0_r. }
  induction m as [| m IH] using N.peano_ind; intros L; [reflexivity |].
  rewrite <- N.add_1_r, range_last, fold_left_app by lia. cbn [fold_left]. set (before := fold_left _ _ _) in *.
  rewrite N.add_1_r, N2Nat.inj_succ. cbn [packed_value].
  replace (start + (8 - N.succ m) + 1) with (start + (8 - m)) by lia. rewrite <- IH by lia.
  unfold trace_pack_step, row_bit. cbv zeta. change TRACE_PACKED with 8. replace (8 - 1 - m) with (8 - N.succ m) by lia.
  destruct (start + (8 - N.succ m) <? seq_length rows).
  - rewrite !count_app, count_single. lia.
  - rewrite count_app. lia.
Qed.

Lemma pack_rows (rows : list N) (start j : N) : In j (trace_pack rows start) -> In j rows.
Proof.
  unfold trace_pack. enough (forall ks target, (forall i, In i target -> In i rows) ->
    In j (fold_left (fun target k => trace_pack_step target rows start k) ks target) -> In j rows) as E
    by (apply E; intros i []).
  induction ks as [| k ks IH]; intros target T I; [now apply T |]. cbn [fold_left] in I. apply IH in I; [exact I |].
  intros i. unfold trace_pack_step. cbv zeta. destruct (N.ltb_spec (start + (TRACE_PACKED - 1 - k)) (seq_length rows)) as [B | B].
  - rewrite !in_app_iff. intros [[H | H] | [<- | []]]; [now apply T | now apply T | now apply seq_at_in].
  - rewrite in_app_iff. intros [H | H]; now apply T.
Qed.

Lemma pack_short (rows : list N) (start : N) : seq_length (trace_pack rows start) < 2 ^ TRACE_PACKED.
Proof. rewrite <- count_all, pack_counts. apply (packed_below _ start 8). apply row_bit_small. Qed.

Lemma trace_packs_map (rows : list N) :
  trace_packs rows
  = map (fun number => trace_pack rows (TRACE_PACKED * number))
      (range 0 ((seq_length rows + (TRACE_PACKED - 1)) / TRACE_PACKED)).
Proof. exact (fold_range_append (fun number => trace_pack rows (TRACE_PACKED * number)) 0 _ []). Qed.

(** What is read of the numbers of rows with a property: of each row whether it has it. *)
Lemma unpacked_packs (p : N -> bool) (rows : list N) :
  trace_unpacked (map (count_true p) (trace_packs rows)) (seq_length rows) = map (fun j => bit_of (p j)) rows.
Proof.
  transitivity (map (fun i => trace_bit (seq_at (map (count_true p) (trace_packs rows)) (i / 8)) (i mod 8))
    (range 0 (seq_length rows))); [exact (fold_range_append _ 0 (seq_length rows) []) |].
  rewrite <- (map_seq_at (fun j => bit_of (p j)) rows). apply map_ext_in. intros i I. apply range_in in I.
  rewrite trace_packs_map, map_map. change TRACE_PACKED with 8. change (8 - 1) with 7.
  pose proof (N.div_mod (seq_length rows + 7) 8 ltac:(lia)) as D. pose proof (N.mod_lt (seq_length rows + 7) 8 ltac:(lia)) as M.
  rewrite nth_map_range by (apply N.div_lt_upper_bound; lia).
  pose proof (N.mod_lt i 8 ltac:(lia)) as Mi. rewrite pack_counts, packed_bit by (try apply row_bit_small; lia).
  rewrite <- (N.div_mod i 8) by lia. unfold row_bit. now rewrite (proj2 (N.ltb_lt i _)) by lia.
Qed.
