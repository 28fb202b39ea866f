(** Shuffled lists.

    - [column_reencrypt_row_at]: the components of a re-encrypted row; [reencrypted_decrypts]: it decrypts to the same.
    - [column_forward_at], [column_backward_at]: where the rows of a shuffled list come from. *)

From Coq Require Import NArith List Bool Lia Ring Field.
From AardvarkSpec Require Import Prelude Base.Integers Base.Scalar Base.Group Mixnet.Column.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Base.Scalar Spec.Base.Group.
Import ListNotations.
Local Open Scope N_scope.

Section Columns.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.

Add Field scalars : scalar_field.

(** What a row decrypts to in component [l], under the secret of that component's key. *)
Definition decrypted (row : list G1) (secret : Scalar) (l : N) : G1 :=
  g1_subtract (g1_at row l) (g1_scale secret (g1_at row 0)).

(** The images of a permutation of the numbers below [n]. *)
Definition permutes (images : list N) (n : N) : Prop :=
  seq_length images = n /\ (forall i, i < n -> seq_at images i < n) /\
  (forall i j, i < n -> j < n -> seq_at images i = seq_at images j -> i = j).

Lemma column_reencrypt_row_map (row keys : list G1) (rho : Scalar) :
  column_reencrypt_row row keys rho
  = map (fun l => g1_add (g1_at row l) (g1_scale rho (g1_at keys l))) (range 0 (seq_length keys)).
Proof.
  unfold column_reencrypt_row, column_reencrypt_row_step.
  rewrite (fold_range_append (fun l => g1_add (g1_at row l) (g1_scale rho (seq_at keys l)))). simpl app.
  apply map_ext_in. intros l I. apply range_in in I. now rewrite <- (g1_at_in keys) by lia.
Qed.

Lemma column_reencrypt_row_at (row keys : list G1) (rho : Scalar) (l : N) :
  l < seq_length keys ->
  g1_at (column_reencrypt_row row keys rho) l = g1_add (g1_at row l) (g1_scale rho (g1_at keys l)).
Proof. intros L. rewrite column_reencrypt_row_map. now rewrite g1_at_map. Qed.

Lemma reencrypted_decrypts (row keys : list G1) (rho secret : Scalar) (l : N) :
  0 < l < seq_length keys -> g1_at keys 0 = g1_generator -> g1_at keys l = g1_multiple secret ->
  decrypted (column_reencrypt_row row keys rho) secret l = decrypted row secret l.
Proof.
  intros L G Y. unfold decrypted. rewrite !column_reencrypt_row_at, G, Y by lia. group_solve.
Qed.

Lemma column_replaced_length (rows : list (list G1)) (i : N) (row : list G1) :
  seq_length (column_replaced rows i row) = seq_length rows.
Proof.
  unfold column_replaced. destruct (N.ltb_spec i (seq_length rows)) as [L | L]; [| reflexivity].
  rewrite !seq_length_app, !seq_slice_length by lia. change (seq_length [row]) with 1. lia.
Qed.

Lemma column_replaced_at (rows : list (list G1)) (j i : N) (row : list G1) :
  j < seq_length rows -> i < seq_length rows ->
  seq_at (column_replaced rows j row) i = if i =? j then row else seq_at rows i.
Proof.
  intros L Li. unfold column_replaced. rewrite (proj2 (N.ltb_lt j _) L).
  assert (seq_length (seq_slice rows 0 j) = j) as Lj by (apply seq_slice_length; lia).
  destruct (N.eqb_spec i j) as [-> | D].
  - rewrite seq_at_app_r by lia. rewrite Lj, N.sub_diag. reflexivity.
  - destruct (N.lt_ge_cases i j) as [B | B].
    + rewrite seq_at_app_l, seq_slice_at by lia. f_equal.
    + rewrite seq_at_app_r, Lj by lia. simpl app. replace (i - j) with (i - j - 1 + 1) by lia.
      rewrite seq_at_succ, seq_slice_at by lia. f_equal. lia.
Qed.

Lemma column_forward_prefix (images : list N) (rows : list (list G1)) (keys : list G1) (randomness : list Scalar) (n : N) :
  permutes images (seq_length rows) -> n <= seq_length rows ->
  let made := fold_left (fun made i => column_forward_step made images rows keys randomness i) (range 0 n) rows in
  seq_length made = seq_length rows /\
  forall i, i < n -> seq_at made (seq_at images i) = column_reencrypt_row (seq_at rows i) keys (scalar_at randomness i).
Proof.
  intros (LI & In & Inj). induction n as [| n IH] using N.peano_ind; intros L; cbv zeta.
  { split; [reflexivity | intros i Li; lia]. }
  rewrite <- N.add_1_r, range_last, fold_left_app by lia. simpl fold_left.
  destruct IH as [LM AM]; [lia |]. cbv zeta in LM, AM.
  set (made := fold_left _ (range 0 n) rows) in *. unfold column_forward_step.
  split; [now rewrite column_replaced_length |]. intros i Li.
  rewrite column_replaced_at by (rewrite LM; apply In; lia).
  destruct (N.eqb_spec (seq_at images i) (seq_at images n)) as [E | D].
  - apply Inj in E; [now subst | lia | lia].
  - apply AM. assert (i <> n) by (intros ->; contradiction). lia.
Qed.

Lemma column_forward_at (images : list N) (rows : list (list G1)) (keys : list G1) (randomness : list Scalar) (i : N) :
  permutes images (seq_length rows) -> i < seq_length rows ->
  seq_at (column_forward images rows keys randomness) (seq_at images i)
  = column_reencrypt_row (seq_at rows i) keys (scalar_at randomness i).
Proof. intros P L. apply (column_forward_prefix images rows keys randomness (seq_length rows) P); lia. Qed.

Lemma column_backward_at (images : list N) (rows : list (list G1)) (keys : list G1) (randomness : list Scalar) (i : N) :
  i < seq_length rows ->
  seq_at (column_backward images rows keys randomness) i
  = column_reencrypt_row (seq_at rows (seq_at images i)) keys (scalar_at randomness (seq_at images i)).
Proof.
  intros L. unfold column_backward, column_backward_step.
  rewrite (fold_range_append (fun i => column_reencrypt_row (seq_at rows (seq_at images i)) keys
    (scalar_at randomness (seq_at images i)))). simpl app. now rewrite nth_map_range.
Qed.

End Columns.
