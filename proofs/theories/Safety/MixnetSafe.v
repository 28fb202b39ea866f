(** Verifying a mixnet's proofs never leaves the range of its integers or sequences, whatever the lists and the proof.

    Asked is only that there are fewer than 2^62 generators and rows, and of the functions that draw their challenges that
    digests are. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Group Base.Hash Commitment.Challenge Mixnet.LinearRelation
  Mixnet.MixnetTranscript Mixnet.Permutation Mixnet.Column Mixnet.Sharing Mixnet.Threshold Mixnet.ZeroTest
  Base.ScalarSafe Base.GroupSafe Commitment.ChallengeSafe Mixnet.LinearRelationSafe Mixnet.MixnetTranscriptSafe
  Mixnet.PermutationSafe Mixnet.ColumnSafe Mixnet.SharingSafe Mixnet.ThresholdSafe Mixnet.ZeroTestSafe.
From Aardvark Require Import Lemmas.LoopLemmas Lemmas.Readers Safety.SlotMapSafe.
From Aardvark Require Safety.AlgebraSafe.
Import ListNotations.
Local Open Scope N_scope.

(** Each turn of a loop is safe by itself. *)
Ltac each_turn H := apply (loop_is_safe _ (fun _ _ => True)); [exact I|]; intros ? ? H _; split; [|exact I].
Ltac in_range := apply N.ltb_lt; lia.

Section MixnetSafe.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

Lemma combination_safe : forall elements factors, g1_combination_safe elements factors = true.
Proof. intros. unfold g1_combination_safe. each_turn H. in_range. Qed.

Lemma updated_safe : forall elements i new, seq_length elements < 2 ^ 64 -> g1_updated_safe elements i new = true.
Proof.
  intros elements i new L. unfold g1_updated_safe. destruct (N.ltb_spec i (seq_length elements)); [|reflexivity].
  unfold within_usize. rewrite !andb_true_iff, N.ltb_lt, !N.leb_le. lia.
Qed.

Lemma resized_length : forall elements count, seq_length (g1_resized elements count) = count.
Proof.
  intros elements count. unfold g1_resized, g1_resized_step. rewrite Sequences.fold_range_append. simpl app.
  now rewrite Sequences.seq_length_map, Sequences.seq_length_range.
Qed.

Lemma empty_length : forall columns, seq_length (linear_empty_row columns) = columns.
Proof. intros. apply resized_length. Qed.

Lemma updated_length : forall elements i new, seq_length (g1_updated elements i new) = seq_length elements.
Proof.
  intros elements i new. unfold g1_updated. destruct (N.ltb_spec i (seq_length elements)); [|reflexivity].
  rewrite !Sequences.seq_length_app, !Sequences.seq_slice_length by lia. change (seq_length [new]) with 1. lia.
Qed.

Lemma linear_verify_never_panics : forall matrix columns image proof c, linear_verify_safe matrix columns image proof c = true.
Proof.
  intros. unfold linear_verify_safe. each_turn H. unfold linear_verify_step_safe. destruct acc; [|reflexivity].
  unfold linear_row_holds_safe. rewrite combination_safe, andb_true_r. in_range.
Qed.

Lemma column_of_never_panics : forall rows l, column_of_safe rows l = true.
Proof. intros. unfold column_of_safe. each_turn H. unfold column_of_step_safe. in_range. Qed.

Lemma column_widths_never_panics : forall rows width, column_widths_safe rows width = true.
Proof. intros. unfold column_widths_safe. each_turn H. unfold column_widths_step_safe. destruct acc; [in_range|reflexivity]. Qed.

Lemma chain_before_never_panics : forall generators chain i, permutation_chain_before_safe generators chain i = true.
Proof. intros. unfold permutation_chain_before_safe. destruct (N.eqb_spec i 0); [reflexivity|]. apply N.leb_le. lia. Qed.

Lemma within : forall n, n < 2 ^ 64 -> within_usize n = true.
Proof. intros n L. now apply N.ltb_lt. Qed.

Theorem verify_permutation_never_panics : forall generators committed chain proof coefficients theta c,
  seq_length (generator_bases generators) < 2 ^ 62 ->
  verify_permutation_safe generators committed chain proof coefficients theta c = true.
Proof.
  intros generators committed chain proof coefficients theta c L. unfold verify_permutation_safe. cbv zeta.
  set (n := seq_length (generator_bases generators)) in *.
  assert (permutation_matrix_safe generators chain = true) as ->.
  { unfold permutation_matrix_safe. rewrite !andb_true_iff. repeat split.
    - unfold permutation_first_row_safe. fold n. now rewrite !within by lia.
    - each_turn H. unfold permutation_matrix_step_safe, permutation_chain_row_safe. cbv zeta. fold n. fold n in H.
      rewrite chain_before_never_panics, !updated_safe, !within by (rewrite ?updated_length, ?empty_length; lia). reflexivity.
    - unfold permutation_last_row_safe. cbv zeta. fold n.
      rewrite !within, updated_safe by (rewrite ?empty_length; lia). reflexivity. }
  assert (permutation_image_safe generators committed chain coefficients theta = true) as ->.
  { unfold permutation_image_safe. rewrite combination_safe. simpl. apply andb_true_iff. split.
    - each_turn H. apply chain_before_never_panics.
    - unfold permutation_closing_safe. rewrite chain_before_never_panics. simpl. unfold permutation_product_safe. each_turn H.
      unfold permutation_product_step_safe. in_range. }
  cbn [andb]. destruct (_ && _); [|reflexivity]. rewrite !within, linear_verify_never_panics by lia. reflexivity.
Qed.

Theorem verify_column_never_panics : forall generators committed keys before after proof coefficients c,
  seq_length (generator_bases generators) < 2 ^ 62 ->
  verify_column_safe generators committed keys before after proof coefficients c = true.
Proof.
  intros generators committed keys before after proof coefficients c L. unfold verify_column_safe. cbv zeta.
  rewrite !column_widths_never_panics.
  assert (column_matrix_safe generators keys after = true) as ->.
  { unfold column_matrix_safe. each_turn H. unfold column_matrix_step_safe, column_key_row_safe.
    rewrite column_of_never_panics. simpl. in_range. }
  assert (column_image_safe committed keys before coefficients = true) as ->.
  { unfold column_image_safe. rewrite combination_safe. simpl. each_turn H. unfold column_image_step_safe.
    now rewrite column_of_never_panics, combination_safe. }
  rewrite linear_verify_never_panics. rewrite !within by lia.
  repeat match goal with |- context [if ?b then _ else _] => destruct b end; reflexivity.
Qed.

Theorem verify_decryption_never_panics : forall key_shares firsts shares proof coefficients c,
  seq_length key_shares < 2 ^ 62 -> verify_decryption_safe key_shares firsts shares proof coefficients c = true.
Proof.
  intros key_shares firsts shares proof coefficients c L. unfold verify_decryption_safe. cbv zeta.
  rewrite column_widths_never_panics, combination_safe, linear_verify_never_panics.
  assert (decryption_matrix_safe (seq_length key_shares) (g1_combination firsts coefficients) = true) as ->.
  { unfold decryption_matrix_safe. each_turn H. unfold decryption_matrix_step_safe, decryption_row_safe.
    rewrite !updated_safe by (rewrite empty_length; lia). reflexivity. }
  assert (decryption_image_safe key_shares shares coefficients = true) as ->.
  { unfold decryption_image_safe. each_turn H. unfold decryption_image_step_safe.
    rewrite column_of_never_panics, combination_safe, !andb_true_r. in_range. }
  repeat match goal with |- context [if ?b then _ else _] => destruct b end; reflexivity.
Qed.

Lemma zero_test_legal_never_panics : forall targets, zero_test_legal_safe targets = true.
Proof.
  intros. unfold zero_test_legal_safe. each_turn H. unfold zero_test_legal_step_safe.
  destruct (N.ltb_spec i (seq_length targets)); [|lia].
  repeat match goal with |- context [if ?b then _ else _] => destruct b end; reflexivity.
Qed.

Theorem verify_zero_test_never_panics : forall targets blinded proof c,
  seq_length targets < 2 ^ 62 -> verify_zero_test_safe targets blinded proof c = true.
Proof.
  intros targets blinded proof c L. unfold verify_zero_test_safe. cbv zeta.
  rewrite !zero_test_legal_never_panics, linear_verify_never_panics.
  assert (zero_test_matrix_safe targets = true) as ->.
  { unfold zero_test_matrix_safe. each_turn H. unfold zero_test_matrix_step_safe, zero_test_row_safe.
    rewrite !updated_safe by (rewrite empty_length; lia). destruct (N.ltb_spec i (seq_length targets)); [reflexivity|lia]. }
  assert (zero_test_image_safe blinded = true) as ->.
  { unfold zero_test_image_safe. each_turn H. unfold zero_test_image_step_safe.
    destruct (N.ltb_spec i (seq_length blinded)); [reflexivity|lia]. }
  repeat match goal with |- context [if ?b then _ else _] => destruct b end; reflexivity.
Qed.

(** * Under the challenges that are drawn *)

(** What coefficients are drawn from are 16 bytes or more. *)
Definition digests_drawn : Prop :=
  forall tag x, 16 <= seq_length (tagged_hash tag x) /\ Forall (fun byte => byte < 256) (tagged_hash tag x).

Lemma coefficients_never_panic : forall seed count, digests_drawn -> mixnet_coefficients_safe seed count = true.
Proof.
  intros seed count long. unfold mixnet_coefficients_safe. each_turn H. unfold mixnet_coefficients_step_safe, batch_coefficient_safe.
  apply AlgebraSafe.coefficient_of_digest_never_panics; apply long.
Qed.

Theorem drawn_mixnet_never_panics : digests_drawn ->
  (forall context generators committed a chain b proof t, seq_length (generator_bases generators) < 2 ^ 62 ->
    verify_permutation_drawn_safe context generators committed a chain b proof t = true) /\
  (forall seed generators committed keys before after proof t, seq_length (generator_bases generators) < 2 ^ 62 ->
    verify_column_drawn_safe seed generators committed keys before after proof t = true) /\
  (forall seed key_shares firsts shares proof t, seq_length key_shares < 2 ^ 62 ->
    verify_decryption_drawn_safe seed key_shares firsts shares proof t = true) /\
  (forall seed targets blinded proof t, seq_length targets < 2 ^ 62 ->
    verify_zero_test_drawn_safe seed targets blinded proof t = true).
Proof.
  intros long. repeat split; intros.
  - unfold verify_permutation_drawn_safe. cbv zeta. rewrite coefficients_never_panic by exact long.
    now apply verify_permutation_never_panics.
  - unfold verify_column_drawn_safe. cbv zeta. rewrite coefficients_never_panic by exact long. now apply verify_column_never_panics.
  - unfold verify_decryption_drawn_safe. cbv zeta. rewrite coefficients_never_panic by exact long.
    now apply verify_decryption_never_panics.
  - now apply verify_zero_test_never_panics.
Qed.

End MixnetSafe.
