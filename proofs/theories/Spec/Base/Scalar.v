(** Vectors of scalars and sums over them.

    - [sum_add], [sum_scale], [sum_ext]: sums over indices are linear.
    - [sum_changed]: what a sum becomes when one term changes.
    - [inner_product_sum]: the inner product is such a sum.
    - [scalar_at_updated], [scalar_at_resized]: what the elements of a changed vector are. *)

From Coq Require Import NArith List Bool Lia Ring Field.
From AardvarkSpec Require Import Prelude Base.Integers Base.Scalar.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field.
Import ListNotations.
Local Open Scope N_scope.

Section Vectors.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.

Add Field scalars : scalar_field.

(** * Sums over indices *)

(** [f 0 + .. + f (n - 1)] *)
Definition sum (f : N -> Scalar) (n : N) : Scalar :=
  fold_left (fun total i => total [+] f i) (range 0 n) (scalar_of_N 0).

Lemma sum_zero (f : N -> Scalar) : sum f 0 = scalar_of_N 0.
Proof. reflexivity. Qed.

Lemma sum_succ (f : N -> Scalar) (n : N) : sum f (n + 1) = sum f n [+] f n.
Proof. unfold sum. rewrite range_last by lia. now rewrite fold_left_app. Qed.

Lemma sum_ext (f g : N -> Scalar) (n : N) : (forall i, i < n -> f i = g i) -> sum f n = sum g n.
Proof.
  intros E. unfold sum. apply fold_left_ext_in. intros total i I. apply range_in in I. now rewrite E by lia.
Qed.

Lemma sum_add (f g : N -> Scalar) (n : N) : sum (fun i => f i [+] g i) n = sum f n [+] sum g n.
Proof.
  induction n as [| n IH] using N.peano_ind; [rewrite !sum_zero; ring |].
  rewrite <- N.add_1_r, !sum_succ, IH. ring.
Qed.

Lemma sum_scale (c : Scalar) (f : N -> Scalar) (n : N) : sum (fun i => c [*] f i) n = c [*] sum f n.
Proof.
  induction n as [| n IH] using N.peano_ind; [rewrite !sum_zero; ring |].
  rewrite <- N.add_1_r, !sum_succ, IH. ring.
Qed.

Lemma sum_all_zero (f : N -> Scalar) (n : N) : (forall i, i < n -> f i = scalar_of_N 0) -> sum f n = scalar_of_N 0.
Proof.
  induction n as [| n IH] using N.peano_ind; intros Z; [reflexivity |].
  rewrite <- N.add_1_r, sum_succ, IH by (intros; apply Z; lia). rewrite Z by lia. ring.
Qed.

(** What a sum becomes when one term changes. *)
Lemma sum_changed (f g : N -> Scalar) (n j : N) :
  j < n -> (forall i, i < n -> i <> j -> g i = f i) -> sum g n = sum f n [+] (g j [-] f j).
Proof.
  induction n as [| n IH] using N.peano_ind; intros L E; [lia |].
  rewrite <- N.add_1_r, !sum_succ. destruct (N.eq_dec j n) as [-> | D].
  - rewrite (sum_ext g f n) by (intros; apply E; lia). ring.
  - rewrite IH, (E n) by (lia || (intros; apply E; lia)). ring.
Qed.

(** * Elements *)

Lemma scalar_at_in (s : list Scalar) (i : N) : i < seq_length s -> scalar_at s i = seq_at s i.
Proof. intros L. unfold scalar_at. now apply N.ltb_lt in L as ->. Qed.

Lemma scalar_at_beyond (s : list Scalar) (i : N) : seq_length s <= i -> scalar_at s i = scalar_of_N 0.
Proof. intros L. unfold scalar_at. now apply N.ltb_ge in L as ->. Qed.

(** An element of a vector that is made element by element. *)
Lemma scalar_at_map (f : N -> Scalar) (n i : N) : i < n -> scalar_at (map f (range 0 n)) i = f i.
Proof.
  intros L. rewrite scalar_at_in by (rewrite seq_length_map, seq_length_range; exact L). now apply nth_map_range.
Qed.

Lemma inner_product_sum (a b : list Scalar) :
  inner_product a b = sum (fun i => scalar_at a i [*] scalar_at b i) (seq_length a).
Proof.
  apply fold_left_ext_in. intros total i I. apply range_in in I. unfold inner_product_step.
  now rewrite <- (scalar_at_in a) by lia.
Qed.

Lemma scalars_resized_map (s : list Scalar) (count : N) : scalars_resized s count = map (scalar_at s) (range 0 count).
Proof. unfold scalars_resized, scalars_resized_step. now rewrite fold_range_append. Qed.

Lemma scalars_resized_length (s : list Scalar) (count : N) : seq_length (scalars_resized s count) = count.
Proof. now rewrite scalars_resized_map, seq_length_map, seq_length_range. Qed.

Lemma scalar_at_resized (s : list Scalar) (count i : N) :
  scalar_at (scalars_resized s count) i = if i <? count then scalar_at s i else scalar_of_N 0.
Proof.
  destruct (N.ltb_spec i count) as [L | L].
  - rewrite scalars_resized_map. now apply scalar_at_map.
  - apply scalar_at_beyond. now rewrite scalars_resized_length.
Qed.

Lemma scalars_updated_length (s : list Scalar) (j : N) (new : Scalar) :
  seq_length (scalars_updated s j new) = seq_length s.
Proof.
  unfold scalars_updated. destruct (N.ltb_spec j (seq_length s)) as [L | L]; [| reflexivity].
  rewrite !seq_length_app, !seq_slice_length by lia. change (seq_length [new]) with 1. lia.
Qed.

Lemma scalar_at_updated (s : list Scalar) (j i : N) (new : Scalar) :
  j < seq_length s -> scalar_at (scalars_updated s j new) i = if i =? j then new else scalar_at s i.
Proof.
  intros L. destruct (N.lt_ge_cases i (seq_length s)) as [Li | Li].
  2: { rewrite !scalar_at_beyond by (rewrite ?scalars_updated_length; lia). destruct (N.eqb_spec i j); [lia | reflexivity]. }
  rewrite !scalar_at_in by (rewrite ?scalars_updated_length; lia).
  unfold scalars_updated. rewrite (proj2 (N.ltb_lt j _) L).
  assert (seq_length (seq_slice s 0 j) = j) as Lj by (apply seq_slice_length; lia).
  destruct (N.eqb_spec i j) as [-> | D].
  - rewrite seq_at_app_r by lia. rewrite Lj, N.sub_diag. reflexivity.
  - destruct (N.lt_ge_cases i j) as [B | B].
    + rewrite seq_at_app_l, seq_slice_at by lia. f_equal.
    + rewrite seq_at_app_r, Lj by lia. simpl app. replace (i - j) with (i - j - 1 + 1) by lia.
      rewrite seq_at_succ, seq_slice_at by lia. f_equal. lia.
Qed.

End Vectors.
