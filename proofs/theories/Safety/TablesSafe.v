(** Verifying a certificate never leaves the range of its integers or sequences, whatever the segments and the certificate.

    Asked is only that the numbers of bits and of moments, which the verifier has from its own schema, are below 2^32. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Group Commitment.Kzg Commitment.FoldedOpening
  Table.DomainValues Table.RunRecord Table.Sheet Table.CertificateTranscript Table.Certificate Base.ScalarSafe Commitment.FoldedOpeningSafe
  Table.DomainValuesSafe Table.RunRecordSafe Table.SheetSafe Table.CertificateTranscriptSafe
  Table.CertificateSafe.
From Aardvark Require Import Lemmas.LoopLemmas Safety.SlotMapSafe Spec.Table.Sheet.
Import ListNotations.
Local Open Scope N_scope.

(** Each turn of a loop is safe by itself. *)
Ltac each_turn_of H := apply (loop_is_safe _ (fun _ _ => True)); [exact I|]; intros ? ? H _; split; [|exact I].
Ltac index_in_range :=
  apply (loop_is_safe _ (fun _ _ => True)); [exact I|]; intros ? ? ? _; split; [|exact I]; apply N.ltb_lt; lia.

Section TablesSafe.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** ** Domains and layouts *)

Lemma up_to_eleven : forall log, log <= 11 -> In log [0; 1; 2; 3; 4; 5; 6; 7; 8; 9; 10; 11].
Proof.
  intros log L. assert (E : log = 0 \/ log = 1 \/ log = 2 \/ log = 3 \/ log = 4 \/ log = 5 \/ log = 6 \/ log = 7 \/ log = 8 \/
    log = 9 \/ log = 10 \/ log = 11) by lia. cbn [In]. intuition congruence.
Qed.

Lemma sheet_sizes : forall log, log <= 11 ->
  sheet_size_safe log = true /\ 1 <= sheet_size log <= 2048.
Proof.
  intros log L. apply up_to_eleven in L. cbn [In] in L.
  repeat (destruct L as [<-|L]; [split; [reflexivity|vm_compute; split; discriminate]|]). destruct L.
Qed.

Lemma sheet_size_never_panics : forall log, sheet_size_safe log = true.
Proof.
  intros log. destruct (N.leb_spec log 11) as [L|L]; [apply sheet_sizes; exact L|].
  unfold sheet_size_safe, MAX_SHEET_LOG. destruct (N.leb_spec log 11); [lia|reflexivity].
Qed.

Lemma sheet_size_small : forall log, sheet_size log <= 2048.
Proof.
  intros log. destruct (N.leb_spec log 11) as [L|L]; [apply sheet_sizes; exact L|].
  unfold sheet_size, MAX_SHEET_LOG. destruct (N.leb_spec log 11); lia.
Qed.

Lemma layout_after_never_panics : forall free log r, layout_after_safe free log r = true.
Proof.
  intros free log r. unfold layout_after_safe. rewrite sheet_size_never_panics. cbn [andb]. cbv zeta.
  pose proof (sheet_size_small log) as S. pose proof (guard_below_size (sheet_size log)) as G. unfold within_usize.
  destruct ((record_log r =? log) && (1 <=? record_rows r) && (record_rows r <=? sheet_size log) && (free <=? record_first r) &&
    (record_first r <=? sheet_size log)) eqn:E; cbn [andb]; [|reflexivity].
  rewrite !andb_true_iff, N.eqb_eq, !N.leb_le in E. destruct E as ((((_ & _) & R) & _) & B).
  assert (W : record_first r + record_rows r < 2 ^ 64) by lia. apply N.ltb_lt in W. rewrite W. cbn [andb].
  destruct (N.leb_spec (record_first r + record_rows r) (guard_position (sheet_size log))); [|reflexivity].
  apply N.ltb_lt. lia.
Qed.

Lemma sheet_legal_never_panics : forall log moments items, sheet_legal_safe log moments items = true.
Proof.
  intros log moments items. unfold sheet_legal_safe. apply andb_true_iff. split.
  - destruct (_ && _); [|reflexivity]. unfold items_legal_safe. index_in_range.
  - destruct (_ && _); [|reflexivity]. unfold sheet_layout_legal_safe, layout_end_safe. each_turn_of Hk.
    destruct (N.ltb_spec i (seq_length items)); [|lia]. cbn [andb]. unfold layout_end_step_safe.
    destruct acc; [apply layout_after_never_panics|reflexivity].
Qed.

(** What [sheet_legal] leaves of segments. *)
Lemma sheet_legal_parts : forall log moments items, sheet_legal log moments items = true ->
  moments <= 3 /\ 3 <= log <= 11 /\ laid_out log 1 items.
Proof.
  intros log moments items L. unfold sheet_legal in L. rewrite !andb_true_iff, !N.leb_le in L.
  destruct L as (((((((_ & M) & A) & B) & _) & _) & _) & L). apply layout_legal_iff in L. split; [exact M|]. split; [|exact L].
  unfold MIN_SHEET_LOG, max_sheet_log, MAX_SHEET_LOG in *. destruct (moments <=? 2); lia.
Qed.

(** ** Values of polynomials *)

Lemma domain_point_never_panics : forall n i, 1 <= n -> domain_point_safe n i = true.
Proof. intros n i P. unfold domain_point_safe, root_of_unity_safe. destruct (N.eqb_spec n 0); [lia|reflexivity]. Qed.

Lemma lagrange_value_never_panics : forall n i x, 1 <= n -> lagrange_value_safe n i x = true.
Proof. intros n i x P. unfold lagrange_value_safe. rewrite !domain_point_never_panics by exact P. reflexivity. Qed.

Lemma rows_vanishing_never_panics : forall n x, 1 <= n <= 2048 -> rows_vanishing_safe n x = true.
Proof.
  intros n x P. unfold rows_vanishing_safe. rewrite !domain_point_never_panics by lia. cbn [andb]. rewrite andb_true_r.
  apply N.ltb_lt. unfold mask_position. destruct (N.leb_spec 2 n); lia.
Qed.

Lemma interval_value_never_panics : forall n first count x, 1 <= n -> first + count < 2 ^ 64 ->
  interval_value_safe n first count x = true.
Proof.
  intros n first count x P B. unfold interval_value_safe. apply andb_true_iff. split; [apply N.ltb_lt; exact B|].
  each_turn_of Hi. apply lagrange_value_never_panics. exact P.
Qed.

Lemma fold_never_panics : forall setup claimed gammas z opening, verify_fold_safe setup claimed gammas z opening = true.
Proof.
  intros. unfold verify_fold_safe. apply andb_true_iff. split; [unfold fold_commitments_safe|unfold point_is_claimed_safe]; index_in_range.
Qed.

Lemma encode_run_record_never_panics : forall r, encode_run_record_safe r = true.
Proof. intros r. unfold encode_run_record_safe, encode_table_points_safe. index_in_range. Qed.

(** ** The claims *)

Variable about : CertificateAbout.
Hypothesis bits_few : about_bits about < 2 ^ 32.
Hypothesis moments_few : about_moments about < 2 ^ 32.

Lemma beta_moment_never_panics : forall drawn i, i < 2 ^ 32 -> beta_moment_safe about drawn i = true.
Proof. intros drawn i B. unfold beta_moment_safe, within_usize. apply andb_true_iff. split; apply N.ltb_lt; lia. Qed.

Lemma beta_support_never_panics : forall drawn, beta_support_safe about drawn = true.
Proof. intros drawn. unfold beta_support_safe, within_usize. apply N.ltb_lt. lia. Qed.

Lemma moments_combined_never_panics : forall items drawn, about_moments about <= 3 -> moments_combined_safe about items drawn = true.
Proof.
  intros items drawn M. unfold moments_combined_safe. each_turn_of Hi. unfold moments_combined_step_safe.
  rewrite beta_moment_never_panics by lia. cbn [andb]. unfold sums_combined_safe. index_in_range.
Qed.

Lemma powers_combined_never_panics : forall drawn v, about_moments about <= 3 -> powers_combined_safe about drawn v = true.
Proof.
  intros drawn v M. unfold powers_combined_safe. each_turn_of Hi. unfold powers_combined_step_safe.
  apply beta_moment_never_panics. lia.
Qed.

Lemma laid_out_claims_never_panic : forall items drawn shown,
  about_moments about <= 3 -> 3 <= sheet_log items <= 11 -> laid_out (sheet_log items) 1 items -> certificate_claims_safe about items drawn shown = true.
Proof.
  intros items drawn shown M B L.
  pose proof (proj2 (sheet_sizes (sheet_log items) (proj2 B))) as S.
  assert (each : forall i, i < seq_length items -> ends (seq_at items i) <= 2048 /\ 1 <= ends (seq_at items i)).
  { intros i H. apply (seq_at_in _ _ items) in H. apply (laid_out_each _ _ _ _ L) in H.
    destruct H as (_ & R & _ & E). pose proof (guard_below_size (sheet_size (sheet_log items))).
    unfold ends in *. lia. }
  unfold certificate_claims_safe, linear_commitment_safe, linear_value_safe, next_commitment_safe, masked_values_safe.
  rewrite sheet_size_never_panics. cbv zeta.
  rewrite !rows_vanishing_never_panics by exact S. rewrite !domain_point_never_panics by lia.
  rewrite !beta_moment_never_panics by lia. rewrite beta_support_never_panics.
  rewrite powers_combined_never_panics by exact M. rewrite !moments_combined_never_panics by exact M.
  unfold unguarded_value_safe. rewrite lagrange_value_never_panics by lia.
  assert (V : values_sum_safe items = true) by (unfold values_sum_safe; index_in_range).
  assert (C : values_combined_safe items (drawn_rhos drawn) = true) by (unfold values_combined_safe; index_in_range).
  assert (W : weighted_bits_safe (certificate_bit_values shown) = true).
  { unfold weighted_bits_safe. each_turn_of Hj. apply andb_true_iff. split; apply N.leb_le; lia. }
  assert (R : bits_relation_safe (certificate_bit_values shown) (drawn_betas drawn) = true)
    by (unfold bits_relation_safe; index_in_range).
  assert (T : bit_claims_safe shown (drawn_zeta drawn) = true) by (unfold bit_claims_safe, bit_claims_step_safe; index_in_range).
  assert (A : last_rows_value_safe (sheet_size (sheet_log items)) items (drawn_zeta drawn) = true).
  { unfold last_rows_value_safe. each_turn_of Hk. destruct (N.ltb_spec i (seq_length items)) as [H|]; [|lia]. cbn [andb].
    destruct (each i H) as [E1 E2]. unfold ends in E1, E2. unfold last_rows_value_step_safe, within_usize. cbv zeta.
    assert (X : record_first (item_record (seq_at items i)) + record_rows (item_record (seq_at items i)) < 2 ^ 64) by lia.
    apply N.ltb_lt in X. rewrite X. cbn [andb]. destruct (0 <? _); [|reflexivity]. apply andb_true_iff. split; [apply N.leb_le; exact E2|].
    apply lagrange_value_never_panics. lia. }
  assert (D : identity_value_safe (sheet_size (sheet_log items)) items (drawn_rhos drawn) (drawn_zeta drawn) = true).
  { unfold identity_value_safe. each_turn_of Hk. destruct (N.ltb_spec i (seq_length items)) as [H|]; [|lia]. cbn [andb].
    destruct (each i H) as [E1 E2]. unfold ends in E1, E2. apply interval_value_never_panics; lia. }
  rewrite V, C, W, R, T, A, D. reflexivity.
Qed.

Lemma certificate_claims_never_panics : forall items drawn shown,
  sheet_legal (sheet_log items) (about_moments about) items = true -> certificate_claims_safe about items drawn shown = true.
Proof. intros items drawn shown L. apply sheet_legal_parts in L. destruct L as (M & B & L). now apply laid_out_claims_never_panic. Qed.

Theorem verify_certificate_never_panics : forall setup items shown, verify_certificate_safe setup about items shown = true.
Proof.
  intros setup items shown. unfold verify_certificate_safe. cbv zeta. apply andb_true_iff. split.
  { unfold certificate_statement_safe. each_turn_of Hk. destruct (N.ltb_spec i (seq_length items)); [|lia]. cbn [andb].
    unfold certificate_statement_step_safe, encode_sheet_item_safe, encode_run_record_safe, encode_table_points_safe.
    index_in_range. }
  apply andb_true_iff. split; [unfold certificate_bits_seed_safe, encode_table_points_safe; index_in_range|].
  apply andb_true_iff. split.
  { unfold certificate_challenges_safe, beta_count_safe, within_usize. apply andb_true_iff. split; apply N.ltb_lt; lia. }
  apply andb_true_iff. split; [apply N.ltb_lt; lia|].
  unfold verify_certificate_drawn_safe. rewrite sheet_legal_never_panics. cbn [andb].
  destruct (sheet_legal _ _ _) eqn:L; cbn [negb]; [|reflexivity].
  destruct (_ || _); [reflexivity|]. rewrite sheet_size_never_panics. cbn [andb].
  destruct (on_domain _ _); [reflexivity|]. rewrite certificate_claims_never_panics by exact L. cbn [andb].
  apply fold_never_panics.
Qed.

End TablesSafe.
