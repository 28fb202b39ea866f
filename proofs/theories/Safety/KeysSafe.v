(** Keys are generated, or not, without leaving the range of integers or sequences, whatever was posted.

    Asked is only that fewer than 2^16 servers, keys and dealings are counted. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Group Base.Hash Mixnet.LinearRelation Mixnet.Sharing Mixnet.Dealing
  Mixnet.ServersRead Mixnet.KeyPosts Mixnet.KeyGeneration
  Base.ScalarSafe Base.GroupSafe Mixnet.LinearRelationSafe Mixnet.SharingSafe Mixnet.DealingSafe Mixnet.ServersReadSafe
  Mixnet.KeyPostsSafe Mixnet.KeyGenerationSafe.
From Aardvark Require Import Lemmas.LoopLemmas Lemmas.Readers Safety.SlotMapSafe Safety.MixnetSafe.
From Aardvark Require Spec.Mixnet.KeyPosts Spec.Mixnet.Dealing Spec.Mixnet.KeyGeneration.
Import ListNotations.
Local Open Scope N_scope.

(** Each turn of a loop is safe by itself. *)
Ltac each_turn H := apply (loop_is_safe _ (fun _ _ => True)); [exact I|]; intros ? ? H _; split; [|exact I].
Ltac in_range := apply N.ltb_lt; lia.

Section KeysSafe.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** Terms of few enough servers and keys. *)
Definition short_keys (terms : KeyTerms) : Prop := seq_length (keys_transports terms) < 2 ^ 16 /\ keys_count terms < 2 ^ 16.

Lemma share_public_never_panics : forall committed server, share_public_safe committed server = true.
Proof.
  intros. unfold share_public_safe. each_turn H. unfold share_public_step_safe. apply andb_true_iff. rewrite !N.leb_le. lia.
Qed.

Lemma dealt_shares_never_panic : forall committed server shares, dealt_shares_hold_safe committed server shares = true.
Proof.
  intros. unfold dealt_shares_hold_safe. each_turn H. unfold dealt_shares_step_safe. destruct acc; [|reflexivity].
  unfold share_verify_safe. rewrite share_public_never_panics, andb_true_r. in_range.
Qed.

Lemma share_unseal_never_panics : forall seed sealed, share_unseal_safe seed sealed = true.
Proof. intros. unfold share_unseal_safe. each_turn H. in_range. Qed.

Lemma point_of_server_never_panics : forall points server, point_of_server_safe points server = true.
Proof.
  intros. unfold point_of_server_safe. destruct (N.ltb_spec 0 server); [|reflexivity].
  destruct (N.leb_spec server (seq_length points)); [|reflexivity]. cbn [andb]. apply andb_true_iff. rewrite N.leb_le, N.ltb_lt. lia.
Qed.

Lemma sealed_of_server_never_panics : forall sealed server, sealed_of_server_safe sealed server = true.
Proof.
  intros. unfold sealed_of_server_safe. destruct (N.ltb_spec 0 server); [|reflexivity].
  destruct (N.leb_spec server (seq_length sealed)); [|reflexivity]. cbn [andb]. apply andb_true_iff. rewrite N.leb_le, N.ltb_lt. lia.
Qed.

Lemma knowledge_matrix_never_panics : forall count, count < 2 ^ 32 -> knowledge_matrix_safe count = true.
Proof.
  intros count L. unfold knowledge_matrix_safe. each_turn H. unfold knowledge_matrix_step_safe.
  apply updated_safe. rewrite empty_length. change (2 ^ 32) with 4294967296 in L. change (2 ^ 64) with 18446744073709551616. lia.
Qed.

Lemma dealing_holds_never_panics : forall terms dealing, short_keys terms -> dealing_holds_safe terms dealing = true.
Proof.
  intros terms dealing [M K]. unfold dealing_holds_safe. cbv zeta.
  assert (posted_elements_safe (deal_randomised dealing) = true) as ->.
  { unfold posted_elements_safe. each_turn H. in_range. }
  assert (dealing_fits_safe terms dealing = true) as ->.
  { unfold dealing_fits_safe. cbv zeta. rewrite column_widths_never_panics.
    assert (sealed_widths_safe (deal_sealed dealing) (keys_count terms) = true) as ->.
    { unfold sealed_widths_safe. each_turn H. unfold sealed_widths_step_safe. destruct acc; [in_range|reflexivity]. }
    repeat match goal with |- context [if ?b then _ else _] => destruct b end; reflexivity. }
  cbn [andb]. destruct (dealing_fits terms dealing) eqn:Fits; [|reflexivity].
  unfold dealing_fits in Fits. cbv zeta in Fits. rewrite !andb_true_iff, !N.eqb_eq in Fits.
  destruct Fits as ((((((_ & _) & C) & _) & R) & _) & _).
  unfold verify_dealing_safe. apply andb_true_iff. split.
  - unfold dealing_image_safe. apply andb_true_iff. split; [each_turn H; in_range|]. cbv zeta. each_turn H. in_range.
  - unfold verify_knowledge_safe. rewrite linear_verify_never_panics, andb_true_r. apply knowledge_matrix_never_panics.
    rewrite Spec.Mixnet.Dealing.dealing_image_app, Sequences.seq_length_app, Sequences.seq_length_map,
      Spec.Mixnet.KeyPosts.posted_elements_map, Sequences.seq_length_map, C, R. lia.
Qed.

Lemma complaint_founded_never_panics : forall terms valid server complaint, complaint_founded_safe terms valid server complaint = true.
Proof.
  intros. unfold complaint_founded_safe.
  assert (dealing_of_safe valid (complaint_dealer complaint) = true) as -> by (unfold dealing_of_safe; each_turn H; in_range).
  cbn [andb]. destruct (dealing_of _ _) as [dealing|]; [|reflexivity].
  unfold complaint_shown_safe, complaint_challenge_safe, opened_masks_safe. cbv zeta.
  rewrite !point_of_server_never_panics, sealed_of_server_never_panics. unfold verify_equality_safe.
  rewrite linear_verify_never_panics. cbn [andb]. unfold complaint_convicts_safe.
  rewrite share_unseal_never_panics, dealt_shares_never_panic. now destruct (complaint_shown _ _ _ _).
Qed.

Lemma verdict_holds_never_panics : forall terms valid verdict, verdict_holds_safe terms valid verdict = true.
Proof.
  intros. unfold verdict_holds_safe. each_turn H. unfold verdict_holds_step_safe. rewrite complaint_founded_never_panics.
  apply andb_true_iff. split.
  - destruct acc; [|reflexivity]. unfold complaint_ascends_safe. destruct (N.eqb_spec i 0); [reflexivity|].
    rewrite !andb_true_iff, N.leb_le, !N.ltb_lt. lia.
  - destruct (_ && _); [|reflexivity]. rewrite andb_true_r. in_range.
Qed.

Lemma number_among_never_panics : forall numbers number, number_among_safe numbers number = true.
Proof. intros. unfold number_among_safe. each_turn H. unfold number_among_step_safe. destruct acc; [reflexivity|in_range]. Qed.

Lemma qualified_dealings_never_panic : forall terms dealings verdicts, short_keys terms ->
  qualified_dealings_safe terms dealings verdicts = true.
Proof.
  intros terms dealings verdicts S. unfold qualified_dealings_safe. cbv zeta. rewrite !andb_true_iff. repeat split.
  - unfold valid_dealings_safe. each_turn H. unfold valid_dealings_step_safe.
    rewrite dealing_holds_never_panics, andb_true_r by exact S. in_range.
  - unfold convicted_dealers_safe. each_turn H. unfold convicted_dealers_step_safe. rewrite verdict_holds_never_panics. cbn [andb].
    apply andb_true_iff. split; [in_range|]. destruct (verdict_holds _ _ _); [|reflexivity].
    unfold complaint_dealers_safe. each_turn H'. in_range.
  - each_turn H. unfold qualified_dealings_step_safe. rewrite number_among_never_panics, andb_true_r. in_range.
Qed.

Lemma summed_commitments_never_panic : forall terms dealings, summed_commitments_safe terms dealings = true.
Proof.
  intros. unfold summed_commitments_safe. each_turn H. unfold summed_commitments_step_safe, summed_row_safe. each_turn H'.
  unfold summed_row_step_safe. apply andb_true_iff. split; [in_range|]. unfold linear_sum_elements_safe. each_turn H''.
  unfold linear_sum_elements_step_safe. in_range.
Qed.

Lemma filter_short : forall (A : Type) (f : A -> bool) s, seq_length (filter f s) <= seq_length s.
Proof.
  intros A f s. induction s as [|x s IH]; [reflexivity|]. cbn [filter]. rewrite seq_length_cons.
  destruct (f x); rewrite ?seq_length_cons; lia.
Qed.

Theorem generate_keys_never_panics : forall terms dealings verdicts, short_keys terms -> seq_length dealings < 2 ^ 16 ->
  generate_keys_safe terms dealings verdicts = true.
Proof.
  intros terms dealings verdicts S L. unfold generate_keys_safe. cbv zeta. rewrite qualified_dealings_never_panic by exact S.
  cbn [andb]. destruct (_ && _) eqn:T; [|reflexivity].
  assert (seq_length (qualified_dealings terms dealings verdicts) <= seq_length dealings) as Q.
  { rewrite Spec.Mixnet.KeyGeneration.qualified_filter. etransitivity; [apply filter_short|].
    rewrite Spec.Mixnet.KeyPosts.valid_dealings_filter. apply filter_short. }
  set (qualified := qualified_dealings terms dealings verdicts) in *.
  rewrite summed_commitments_never_panic.
  assert (dealing_authors_safe qualified = true) as -> by (unfold dealing_authors_safe; each_turn H; in_range). cbn [andb].
  apply andb_true_iff in T as [T _]. unfold key_terms_legal in T. cbv zeta in T. rewrite !andb_true_iff, !N.leb_le, !N.ltb_lt in T.
  destruct T as (((_ & T) & M) & _). destruct S as [_ K].
  unfold keys_digest_safe. rewrite !andb_true_iff. repeat split.
  - apply within. change (2 ^ 16) with 65536 in *. change (2 ^ 64) with 18446744073709551616. nia.
  - apply within. change (2 ^ 16) with 65536 in *. change (2 ^ 64) with 18446744073709551616.
    apply (N.le_lt_trans _ (65536 * 65536 * 256)); [|reflexivity]. repeat apply N.mul_le_mono; lia.
  - unfold dealing_lists_safe. each_turn H. in_range.
  - unfold dealing_authors_safe. each_turn H. in_range.
  - unfold author_bytes_safe. each_turn H. unfold author_bytes_step_safe. in_range.
Qed.

(** A server's part. *)
Theorem key_shares_never_panic : forall terms keys received server shares,
  summed_shares_safe terms received = true /\ key_shares_hold_safe keys server shares = true.
Proof.
  intros. split; [|apply dealt_shares_never_panic]. unfold summed_shares_safe. each_turn H. unfold summed_shares_step_safe.
  apply andb_true_iff. split; [in_range|]. unfold linear_sum_scalars_safe. each_turn H'. unfold linear_sum_scalars_step_safe. in_range.
Qed.

End KeysSafe.
