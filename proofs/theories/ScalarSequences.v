(** Vectors of scalars: what the specification's loops over them compute.

    - [scalar_at_updated]: [scalars_updated] changes one element.
    - [scalar_at_resized]: [scalars_resized] changes none below its length.
    - [inner_product_sum]: [inner_product] is the sum of the products. *)

From Coq Require Import NArith List Bool Lia Field Ring.
From AardvarkSpec Require Import Prelude Scalar.
From Aardvark Require Import LoopLemmas ScalarLaws.
Import ListNotations.
Local Open Scope N_scope.

(** ** Loops that append one element a turn *)

Lemma append_loop {A : Type} (f : N -> A) (l : list N) (start : list A) :
  fold_left (fun built k => built ++ [f k]) l start = start ++ map f l.
Proof.
  revert start. induction l as [| k l IH]; intros start; simpl; [symmetry; apply app_nil_r |].
  rewrite IH, <- app_assoc. reflexivity.
Qed.

Lemma length_map_range {A : Type} (f : N -> A) (n : N) : seq_length (map f (range 0 n)) = n.
Proof. unfold seq_length, range. rewrite !map_length, List.seq_length. lia. Qed.

Lemma seq_at_map_range {A : Type} `{Default A} (f : N -> A) (n i : N) : i < n -> seq_at (map f (range 0 n)) i = f i.
Proof.
  intros L. unfold seq_at, range. rewrite map_map.
  rewrite (nth_indep _ default (f (N.of_nat 0))) by (rewrite map_length, List.seq_length; lia).
  rewrite (map_nth (fun k => f (N.of_nat k))), seq_nth by lia. f_equal. lia.
Qed.

Section Scalars.

Context {F : ScalarOperations}.

Lemma scalar_at_inside (v : list Scalar) (i : N) : i < seq_length v -> scalar_at v i = seq_at v i.
Proof. intros L. unfold scalar_at. apply N.ltb_lt in L. rewrite L. reflexivity. Qed.

Lemma scalar_at_beyond (v : list Scalar) (i : N) : seq_length v <= i -> scalar_at v i = scalar_zero.
Proof. intros L. unfold scalar_at. apply N.ltb_ge in L. rewrite L. reflexivity. Qed.

(** [scalar_at] needs no bound: the default of a scalar is 0. *)
Lemma scalar_at_nth (v : list Scalar) (i : N) : scalar_at v i = nth (N.to_nat i) v scalar_zero.
Proof.
  unfold scalar_at. destruct (N.ltb_spec i (seq_length v)) as [L | L]; [reflexivity |].
  symmetry. apply nth_overflow. unfold seq_length in L. lia.
Qed.

Lemma scalar_at_map_range (f : N -> Scalar) (n i : N) :
  scalar_at (map f (range 0 n)) i = if i <? n then f i else scalar_zero.
Proof.
  destruct (N.ltb_spec i n) as [L | L].
  - rewrite scalar_at_inside by (rewrite length_map_range; exact L). apply seq_at_map_range, L.
  - apply scalar_at_beyond. rewrite length_map_range. exact L.
Qed.

Theorem scalar_at_resized (v : list Scalar) (count i : N) :
  scalar_at (scalars_resized v count) i = if i <? count then scalar_at v i else scalar_zero.
Proof.
  unfold scalars_resized, scalars_resized_step. rewrite append_loop. apply scalar_at_map_range.
Qed.

Lemma seq_length_resized (v : list Scalar) (count : N) : seq_length (scalars_resized v count) = count.
Proof. unfold scalars_resized, scalars_resized_step. rewrite append_loop. apply length_map_range. Qed.

Lemma seq_length_updated (v : list Scalar) (j : N) (new : Scalar) :
  seq_length (scalars_updated v j new) = seq_length v.
Proof.
  unfold scalars_updated. destruct (N.ltb_spec j (seq_length v)) as [L | L]; [| reflexivity].
  rewrite !seq_length_app, seq_length_slice, seq_length_slice by lia. change (seq_length [new]) with 1. lia.
Qed.

Theorem scalar_at_updated (v : list Scalar) (j i : N) (new : Scalar) :
  j < seq_length v -> scalar_at (scalars_updated v j new) i = if i =? j then new else scalar_at v i.
Proof.
  intros L. destruct (N.lt_ge_cases i (seq_length v)) as [Hi | Hi].
  - rewrite !scalar_at_inside by (rewrite ?seq_length_updated; exact Hi).
    unfold scalars_updated. apply N.ltb_lt in L as L'. rewrite L'.
    rewrite seq_at_app, seq_length_slice by lia.
    destruct (N.eqb_spec i j) as [-> | D].
    + rewrite N.ltb_irrefl, N.sub_diag. apply seq_at_cons_zero.
    + destruct (N.ltb_spec i j) as [B | B]; [rewrite seq_at_slice by lia; reflexivity |].
      replace (i - j) with (i - j - 1 + 1) by lia. change ([new] ++ ?s) with (new :: s).
      rewrite seq_at_cons_succ, seq_at_slice by lia. f_equal. lia.
  - rewrite !scalar_at_beyond by (rewrite ?seq_length_updated; exact Hi).
    destruct (N.eqb_spec i j) as [-> | D]; [lia | reflexivity].
Qed.

Theorem inner_product_sum (a b : list Scalar) :
  inner_product a b = sum_below (seq_length a) (fun k => scalar_at a k [*] scalar_at b k).
Proof.
  unfold inner_product, inner_product_step, sum_below. apply fold_left_same.
  intros total k member. apply in_range in member. rewrite (scalar_at_inside a) by lia. reflexivity.
Qed.

End Scalars.
