(** How few the challenges are that an accepted answer may have met instead of being true.

    - [counted_challenges_few]: of permutation, column and decryption proofs. *)
From Coq Require Import Arith NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Group.
From Aardvark Require Import Lemmas.Field Spec.Base.Group Lemmas.Batch Spec.Mixnet.Column Spec.Mixnet.Threshold
  Lemmas.ColumnCount Lemmas.MatrixCount.
Import ListNotations.
Local Open Scope N_scope.

Section Counted.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.

Theorem counted_challenges_few (s t : list Scalar) :
  NoDup s -> NoDup t ->
  let b := length s in
  (forall rows, ~ is_matrix_of (matrix_images rows) rows ->
   let n := length rows in
   (length (filter (fun '(e, theta) => products_agree rows e theta) (list_prod (choices s n) t))
    <= n * b ^ (n - 1) * length t + (n - 1) * b ^ n)%nat) /\
  (forall images before after secret l,
   (exists i, i < seq_length before /\
      decrypted (seq_at after (seq_at images i)) secret l <> decrypted (seq_at before i) secret l) ->
   let n := length before in
   (length (filter (fun e => combination (decryption_error images before after secret l) e (seq_length before) [=?] scalar_of_N 0)
      (choices s n)) <= b ^ (n - 1))%nat) /\
  (forall firsts shares secret l,
   (exists j, j < seq_length firsts /\ g1_at (seq_at shares j) l <> g1_scale secret (g1_at firsts j)) ->
   let n := length firsts in
   (length (filter (fun e => combination (share_error firsts shares secret l) e (seq_length firsts) [=?] scalar_of_N 0)
      (choices s n)) <= b ^ (n - 1))%nat).
Proof.
  intros Ds Dt b. split; [| split].
  - intros rows NM n. now apply products_counted.
  - intros images before after secret l (i & L & W) n. apply few_choices_vanish; [exact Ds |]. exists i. split; [exact L |].
    intros Z. apply W, g1_ext. now apply scalar_sub_zero.
  - intros firsts shares secret l (j & L & W) n. apply few_choices_vanish; [exact Ds |]. exists j. split; [exact L |].
    intros Z. apply W, g1_ext. now apply scalar_sub_zero.
Qed.

End Counted.
