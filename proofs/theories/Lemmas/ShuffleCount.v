(** How many coefficients let a shuffle pass that is not by the committed permutation, whatever the prover answers.

    - [column_relation_rows]: what a witness of the column relation says, line by line.
    - [met_column_errors]: where it gives no relation among generators away, the differences of plaintexts, taken along the
      committed permutation, combine to 0 under the coefficients.
    - [shuffle_counted]: so few coefficients pass, where some row decrypts to something else. *)

From Coq Require Import Arith NArith List Bool Lia Ring Field.
From AardvarkSpec Require Import Prelude Base.Integers Base.Scalar Base.Group Mixnet.LinearRelation Mixnet.Permutation
  Mixnet.Column.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Base.Scalar Spec.Base.Group Lemmas.Batch
  Spec.Mixnet.LinearRelation Spec.Mixnet.Permutation Spec.Mixnet.Column Lemmas.ColumnCount Lemmas.MatrixCount Lemmas.PermutationCount.
Import ListNotations.
Local Open Scope N_scope.

Section Count.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.

Add Field scalars : scalar_field.

Lemma column_matrix_rows (generators : MixnetGenerators) (keys : list G1) (after : list (list G1)) :
  column_matrix generators keys after
  = column_first_row generators :: map (column_key_row keys after) (range 0 (seq_length keys)).
Proof. unfold column_matrix, column_matrix_step. cbv zeta. now rewrite fold_range_append. Qed.

Lemma column_image_elements (committed keys : list G1) (before : list (list G1)) (e : list Scalar) :
  column_image committed keys before e
  = g1_combination committed e :: map (fun l => g1_combination (column_of before l) e) (range 0 (seq_length keys)).
Proof.
  unfold column_image, column_image_step. cbv zeta.
  now rewrite (fold_range_append (fun l => g1_combination (column_of before l) e)).
Qed.

Lemma column_relation_rows (generators : MixnetGenerators) (committed keys : list G1) (before after : list (list G1))
    (e w : list Scalar) :
  linear_map (column_matrix generators keys after) w = column_image committed keys before e ->
  g1_combination (column_first_row generators) w = g1_combination committed e /\
  forall l, l < seq_length keys -> key_row_holds keys before after e w l = true.
Proof.
  intros E. rewrite linear_map_rows, column_matrix_rows, column_image_elements in E. simpl in E. injection E as First E.
  rewrite map_map in E. split; [exact First |]. intros l L. apply g1_equal_iff.
  exact (map_equal_in _ _ _ l E (proj2 (range_in _ _ _) (conj (N.le_0_l l) L))).
Qed.

Lemma combination_ext (elements : list G1) (w w' : list Scalar) :
  (forall i, i < seq_length elements -> scalar_at w i = scalar_at w' i) ->
  g1_combination elements w = g1_combination elements w'.
Proof. intros E. rewrite !g1_combination_sum. apply g1_total_ext. intros i L. now rewrite E. Qed.

Lemma combination_last (elements : list G1) (x : G1) (w : list Scalar) :
  g1_combination (elements ++ [x]) w
  = g1_add (g1_combination elements w) (g1_scale (scalar_at w (seq_length elements)) x).
Proof.
  apply g1_ext. group_exponents. rewrite !g1_combination_exponent, seq_length_app. change (seq_length [x]) with 1.
  rewrite sum_succ. f_equal.
  - apply sum_ext. intros i L. unfold g1_at. rewrite seq_length_app. change (seq_length [x]) with 1.
    rewrite (proj2 (N.ltb_lt i _)) by lia. rewrite (proj2 (N.ltb_lt i _)) by exact L. now rewrite seq_at_app_l.
  - rewrite g1_at_in, seq_at_app_r, N.sub_diag by (rewrite ?seq_length_app; change (seq_length [x]) with 1; lia). reflexivity.
Qed.

Lemma column_first_row_combination (generators : MixnetGenerators) (w : list Scalar) :
  g1_combination (column_first_row generators) w
  = g1_add (g1_scale (scalar_at w 0) (generator_blinding generators))
      (g1_combination (generator_bases generators) (part w 1 (seq_length (generator_bases generators)))).
Proof.
  unfold column_first_row. cbv zeta. simpl app. change (generator_blinding generators :: generator_bases generators ++ [g1_identity])
    with ((generator_blinding generators :: generator_bases generators) ++ [g1_identity]).
  rewrite combination_last, combination_head. group_solve.
Qed.

(** A permutation's matrix moves coefficients as the permutation does. *)
Lemma matrix_moves (images : list N) (rows : list (list Scalar)) (e : list Scalar) (i : N) :
  is_matrix_of images rows -> i < seq_length rows ->
  scalar_at (matrix_moved rows e) (seq_at images i) = scalar_at e i.
Proof.
  intros (P & M) L. destruct P as (LI & In & Inj). rewrite moved_matrix_at by now apply In.
  rewrite <- (combination_unit e i _ L). unfold combination. apply sum_ext. intros k Lk.
  rewrite M by (try apply In; lia). unfold unit_at.
  destruct (N.eqb_spec (seq_at images i) (seq_at images k)) as [E | D], (N.eqb_spec k i) as [E' | D']; try reflexivity.
  - exfalso. apply D'. symmetry. now apply Inj.
  - exfalso. apply D. now subst.
Qed.

Lemma matrix_moved_images (images : list N) (rows : list (list Scalar)) (e : list Scalar) :
  is_matrix_of images rows -> matrix_moved rows e = permutation_move images e.
Proof.
  intros M. pose proof (proj1 M) as P. apply seq_ext.
  - rewrite (moved_length images e _ P). unfold seq_length. now rewrite matrix_moved_length.
  - intros j L. assert (j < seq_length rows) as Lj by (unfold seq_length in *; now rewrite matrix_moved_length in L).
    rewrite <- !scalar_at_in by (rewrite ?(moved_length images e _ P); assumption).
    pose proof (images_permutation _ _ P) as R. assert (In j (range 0 (seq_length rows))) as I by (apply range_in; lia).
    apply (Permutation.Permutation_in _ (Permutation.Permutation_sym R)) in I. apply in_map_iff in I as (i & <- & I). apply range_in in I.
    rewrite (matrix_moves images rows e i M) by lia. symmetry. apply (moved_at images e _ i P). lia.
Qed.

(** A witness whose moved coefficients are the matrix's is a response [column_answer]. *)
Lemma key_row_answer (images : list N) (rows : list (list Scalar)) (keys : list G1) (before after : list (list G1))
    (e w : list Scalar) (l : N) :
  is_matrix_of images rows -> seq_length after = seq_length rows -> l < seq_length keys ->
  part w 1 (seq_length rows) = matrix_moved rows e ->
  key_row_holds keys before after e w l = true ->
  key_row_holds keys before after e (column_answer images e (scalar_at w 0) (scalar_at w (1 + seq_length rows))) l = true.
Proof.
  intros M LA L E H. apply g1_equal_iff in H. apply g1_equal_iff. rewrite <- H. apply combination_ext. intros i Li.
  pose proof (moved_length images e _ (proj1 M)) as Lm.
  assert (seq_length (column_key_row keys after l) = seq_length rows + 2) as Lr.
  { unfold column_key_row. cbv zeta. simpl app. rewrite seq_length_cons, seq_length_app, column_of_map, seq_length_map, seq_length_range.
    change (seq_length [g1_subtract g1_identity (seq_at keys l)]) with 1. lia. }
  rewrite Lr in Li. unfold column_answer. simpl app.
  destruct (N.eq_dec i 0) as [-> | D]; [now rewrite scalar_at_first |].
  replace i with (i - 1 + 1) at 1 by lia. rewrite scalar_at_cons.
  destruct (N.lt_ge_cases (i - 1) (seq_length rows)) as [B | B].
  - rewrite scalar_at_in, seq_at_app_l, <- scalar_at_in by (rewrite ?seq_length_app; lia).
    rewrite <- (matrix_moved_images images rows e M), <- E, part_at by exact B. f_equal. lia.
  - assert (i = 1 + seq_length rows) as -> by lia.
    rewrite scalar_at_in by (rewrite seq_length_app, Lm, seq_length_cons; lia).
    rewrite seq_at_app_r by lia. rewrite Lm. replace (1 + seq_length rows - 1 - seq_length rows) with 0 by lia. reflexivity.
Qed.

Lemma met_column_errors (generators : MixnetGenerators) (committed keys : list G1) (blindings : list Scalar)
    (rows : list (list Scalar)) (images : list N) (before after : list (list G1)) (e w : list Scalar) (secret : Scalar) (l : N) :
  opens_to generators committed blindings rows -> is_matrix_of images rows ->
  seq_length before = seq_length rows -> seq_length after = seq_length rows ->
  0 < l < seq_length keys -> g1_at keys 0 = g1_generator -> g1_at keys l = g1_multiple secret ->
  relation_met (column_matrix generators keys after) (column_image committed keys before e) w = true ->
  is_generator_relation generators (opening_difference blindings rows e w) = false ->
  combination (decryption_error images before after secret l) e (seq_length rows) = scalar_of_N 0.
Proof.
  intros O M LB LA L G Y H R. apply relation_met_iff, column_relation_rows in H as (First & Keys).
  rewrite column_first_row_combination, (proj1 (proj2 O)) in First. pose proof (opened_moved _ _ _ _ e w O First R) as Moved.
  rewrite <- LB. pose proof (proj1 M) as P. rewrite <- LB in P.
  apply (passing_rows_combine images keys before after e (scalar_at w 0) (scalar_at w (1 + seq_length rows)) secret l);
    try assumption; try congruence; apply (key_row_answer images rows); try assumption; try apply Keys; lia.
Qed.

Theorem shuffle_counted (generators : MixnetGenerators) (committed keys : list G1) (blindings : list Scalar)
    (rows : list (list Scalar)) (images : list N) (before after : list (list G1)) (secret : Scalar) (l i : N)
    (s : list Scalar) (witness : list Scalar -> list Scalar) :
  NoDup s -> opens_to generators committed blindings rows -> is_matrix_of images rows ->
  seq_length before = seq_length rows -> seq_length after = seq_length rows ->
  0 < l < seq_length keys -> g1_at keys 0 = g1_generator -> g1_at keys l = g1_multiple secret ->
  i < seq_length rows ->
  decrypted (seq_at after (seq_at images i)) secret l <> decrypted (seq_at before i) secret l ->
  (length (filter (fun e =>
      relation_met (column_matrix generators keys after) (column_image committed keys before e) (witness e)
      && negb (is_generator_relation generators (opening_difference blindings rows e (witness e))))
    (choices s (length rows))) <= length s ^ (length rows - 1))%nat.
Proof.
  intros D O M LB LA L G Y Li Wrong. etransitivity.
  - apply (filter_implied_length _ (fun e =>
      combination (decryption_error images before after secret l) e (N.of_nat (length rows)) [=?] scalar_of_N 0)).
    intros e _ H. apply andb_true_iff in H as [A B]. apply negb_true_iff in B. apply scalar_eqb_iff.
    exact (met_column_errors generators committed keys blindings rows images before after e (witness e) secret l
      O M LB LA L G Y A B).
  - apply few_choices_vanish; [exact D |]. exists i. split; [exact Li |].
    unfold decryption_error. intros Z. apply Wrong. apply g1_ext. now apply scalar_sub_zero.
Qed.

End Count.
