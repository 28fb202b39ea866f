(** Zero tests.

    - [zero_test_relation_rows]: a witness of the relation multiplies each target by its factor.
    - [met_zero_test]: the factor is not 0, since neither first component is; so a blinded target decrypts to 0 exactly if the
      target did. *)

From Coq Require Import NArith List Bool Lia Ring Field.
From AardvarkSpec Require Import Prelude Base.Integers Base.Scalar Base.Group Mixnet.LinearRelation Mixnet.ZeroTest.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Base.Scalar Spec.Base.Group
  Spec.Mixnet.LinearRelation Spec.Mixnet.Permutation Spec.Mixnet.Column Lemmas.MatrixCount Lemmas.PermutationCount Spec.Mixnet.Threshold.
Import ListNotations.
Local Open Scope N_scope.

Section ZeroTests.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.

Add Field scalars : scalar_field.

Lemma zero_test_row_combination (targets : list (list G1)) (j l : N) (w : list Scalar) :
  j < seq_length targets ->
  g1_combination (zero_test_row targets j l) w = g1_scale (scalar_at w j) (g1_at (seq_at targets j) l).
Proof.
  intros L. unfold zero_test_row. rewrite combination_updated, combination_empty.
  - group_solve.
  - now rewrite empty_row_length.
  - apply empty_row_at.
Qed.

Lemma zero_test_matrix_rows (targets : list (list G1)) :
  zero_test_matrix targets
  = flat_map (fun j => [zero_test_row targets j 0; zero_test_row targets j 1]) (range 0 (seq_length targets)).
Proof. exact (fold_append_list _ (range 0 (seq_length targets)) []). Qed.

Lemma zero_test_image_elements (blinded : list (list G1)) :
  zero_test_image blinded
  = flat_map (fun j => [g1_at (seq_at blinded j) 0; g1_at (seq_at blinded j) 1]) (range 0 (seq_length blinded)).
Proof. exact (fold_append_list _ (range 0 (seq_length blinded)) []). Qed.

Lemma zero_test_relation_rows (targets blinded : list (list G1)) (w : list Scalar) (j : N) :
  seq_length targets = seq_length blinded ->
  linear_map (zero_test_matrix targets) w = zero_test_image blinded -> j < seq_length targets ->
  g1_at (seq_at blinded j) 0 = g1_scale (scalar_at w j) (g1_at (seq_at targets j) 0) /\
  g1_at (seq_at blinded j) 1 = g1_scale (scalar_at w j) (g1_at (seq_at targets j) 1).
Proof.
  intros LT E L. rewrite linear_map_rows, zero_test_matrix_rows, zero_test_image_elements, map_flat_map_pairs, <- LT in E.
  destruct (flat_map_pairs _ _ _ _ _ j E) as [A B]; [apply range_in; lia |].
  rewrite zero_test_row_combination in A, B by exact L. now split.
Qed.

Lemma zero_test_legal_iff (targets : list (list G1)) :
  zero_test_legal targets = true <->
  forall j, j < seq_length targets -> seq_length (seq_at targets j) = 2 /\ g1_at (seq_at targets j) 0 <> g1_identity.
Proof.
  unfold zero_test_legal, zero_test_legal_step.
  assert (forall s b, fold_left (fun legal j => legal && (seq_length (seq_at targets j) =? 2) &&
      negb (g1_equal (g1_at (seq_at targets j) 0) g1_identity)) s b
    = b && forallb (fun j => (seq_length (seq_at targets j) =? 2) &&
      negb (g1_equal (g1_at (seq_at targets j) 0) g1_identity)) s) as E.
  { induction s as [| j s IH]; intros b; simpl; [now rewrite andb_true_r |]. now rewrite IH, !andb_assoc. }
  rewrite E. simpl. rewrite forallb_forall. split; intros H j I.
  - specialize (H j (proj2 (range_in _ _ _) (conj (N.le_0_l j) I))). apply andb_true_iff in H as [A B].
    apply N.eqb_eq in A. split; [exact A |]. intros Z. apply (proj2 (g1_equal_iff _ _)) in Z. rewrite Z in B. discriminate.
  - apply range_in in I. destruct (H j (proj2 I)) as [A B]. rewrite A. simpl. apply negb_true_iff.
    destruct (g1_equal (g1_at (seq_at targets j) 0) g1_identity) eqn:Z; [| reflexivity]. now apply g1_equal_iff in Z.
Qed.

Theorem met_zero_test (targets blinded : list (list G1)) (w : list Scalar) (j : N) (secret : Scalar) :
  seq_length targets = seq_length blinded -> zero_test_legal blinded = true ->
  relation_met (zero_test_matrix targets) (zero_test_image blinded) w = true -> j < seq_length targets ->
  scalar_at w j <> scalar_of_N 0 /\
  decrypted (seq_at blinded j) secret 1 = g1_scale (scalar_at w j) (decrypted (seq_at targets j) secret 1) /\
  (decrypted (seq_at blinded j) secret 1 = g1_identity <-> decrypted (seq_at targets j) secret 1 = g1_identity).
Proof.
  intros LT Legal M L. apply relation_met_iff in M. destruct (zero_test_relation_rows targets blinded w j LT M L) as [A B].
  pose proof (proj2 (proj1 (zero_test_legal_iff blinded) Legal j ltac:(congruence))) as NZ.
  assert (scalar_at w j <> scalar_of_N 0) as Z.
  { intros Z. apply NZ. rewrite A, Z. group_solve. }
  assert (decrypted (seq_at blinded j) secret 1 = g1_scale (scalar_at w j) (decrypted (seq_at targets j) secret 1)) as E
    by (unfold decrypted; rewrite A, B; group_solve).
  split; [exact Z |]. split; [exact E |]. rewrite E. split.
  - intros I. apply g1_ext_iff in I. apply g1_ext. group_exponents.
    destruct (scalar_mul_zero _ _ I) as [H | H]; [contradiction | exact H].
  - intros ->. group_solve.
Qed.

End ZeroTests.
