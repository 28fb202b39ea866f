(** Verifying a linked certificate, and taking the claims of a comparison, never leave the range of integers or sequences, whatever is
    received.

    - [verify_linked_certificate_never_panics]: asked is that the numbers of bits and of moments are below 2^32, as of other certificates;
    - [claims_of_comparison_never_panics], with [comparison_seeds_never_panic]: nothing is asked but the number of bits. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Group Commitment.Kzg Commitment.FoldedOpening
  Table.DomainValues Table.RunRecord Table.Sheet Table.CertificateTranscript Table.Certificate Table.LinkedCertificate Table.Comparison
  Base.ScalarSafe Commitment.FoldedOpeningSafe Table.DomainValuesSafe Table.RunRecordSafe Table.SheetSafe Table.CertificateTranscriptSafe
  Table.CertificateSafe Table.LinkedCertificateSafe Table.ComparisonSafe.
From Aardvark Require Import Lemmas.LoopLemmas Safety.SlotMapSafe Spec.Table.Sheet Safety.TablesSafe.
From Aardvark Require Spec.Table.Comparison.
Import ListNotations.
Local Open Scope N_scope.

Section LinkedSafe.

Context {F : ScalarOperations} {lawful : Field.LawfulScalars F} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** ** Linked certificates *)

Lemma linked_sheet_legal_parts : forall log moments previous items, linked_sheet_legal log moments previous items = true ->
  moments <= 3 /\ 3 <= log <= 11 /\ laid_out log 1 items /\ 1 <= seq_length items /\
  3 <= record_log previous <= 11 /\ 1 <= record_rows previous /\ record_first previous + record_rows previous <= guard_position (sheet_size (record_log previous)).
Proof.
  intros log moments previous items L. unfold linked_sheet_legal in L. rewrite !andb_true_iff, !N.leb_le in L.
  destruct L as ((((((((_ & M) & A) & B) & some) & _) & _) & P) & L). apply layout_legal_iff in L. unfold link_legal in P. cbv zeta in P.
  rewrite !andb_true_iff, !N.leb_le in P. destruct P as (((A' & B') & _) & placed).
  destruct (layout_after 1 (record_log previous) previous) as [after|] eqn:E; [|discriminate]. apply layout_after_iff in E as (_ & R & _ & G & _).
  unfold MIN_SHEET_LOG, max_sheet_log, MAX_SHEET_LOG in *. destruct (moments <=? 2); repeat split; try assumption; lia.
Qed.

Lemma linked_sheet_legal_never_panics : forall log moments previous items, linked_sheet_legal_safe log moments previous items = true.
Proof.
  intros log moments previous items. unfold linked_sheet_legal_safe. rewrite !andb_true_iff. repeat split.
  - destruct (_ && _); [|reflexivity]. unfold linked_items_legal_safe. index_in_range.
  - destruct (_ && _); [|reflexivity]. apply layout_after_never_panics.
  - destruct (_ && _); [|reflexivity]. unfold sheet_layout_legal_safe, layout_end_safe. each_turn_of Hk.
    destruct (N.ltb_spec i (seq_length items)); [|lia]. cbn [andb]. unfold layout_end_step_safe. destruct acc; [apply layout_after_never_panics|reflexivity].
Qed.

Variable about : CertificateAbout.
Hypothesis bits_few : about_bits about < 2 ^ 32.
Hypothesis moments_few : about_moments about < 2 ^ 32.

Lemma link_shift_never_panics : forall moments previous items, linked_sheet_legal (sheet_log items) moments previous items = true ->
  link_shift_safe previous items = true.
Proof.
  intros moments previous items L. apply linked_sheet_legal_parts in L as (_ & B & _ & _ & B' & R & G).
  pose proof (proj2 (sheet_sizes (sheet_log items) (proj2 B))) as S. pose proof (proj2 (sheet_sizes (record_log previous) (proj2 B'))) as S'.
  pose proof (guard_below_size (sheet_size (record_log previous))) as G'.
  unfold link_shift_safe, last_row_position_safe. rewrite !sheet_size_never_panics, !domain_point_never_panics by lia. cbn [andb]. rewrite andb_true_r.
  destruct (1 <=? record_rows previous); [|reflexivity]. unfold within_usize. rewrite andb_true_iff, N.ltb_lt, N.leb_le.
  change (2 ^ 64) with 18446744073709551616. lia.
Qed.

Theorem verify_linked_certificate_never_panics : forall setup previous items shown, verify_linked_certificate_safe setup about previous items shown = true.
Proof.
  intros setup previous items shown. unfold verify_linked_certificate_safe. cbv zeta. apply andb_true_iff. split.
  { unfold linked_statement_safe. rewrite encode_run_record_never_panics. cbn [andb]. each_turn_of Hk. destruct (N.ltb_spec i (seq_length items)); [|lia].
    cbn [andb]. unfold certificate_statement_step_safe, encode_sheet_item_safe. apply encode_run_record_never_panics. }
  apply andb_true_iff. split; [unfold linked_bits_seed_safe, encode_table_points_safe; index_in_range|].
  apply andb_true_iff. split.
  { unfold certificate_challenges_safe, beta_count_safe, within_usize. apply andb_true_iff. split; apply N.ltb_lt; lia. }
  apply andb_true_iff. split; [apply N.ltb_lt; lia|].
  unfold verify_linked_drawn_safe. cbv zeta. rewrite linked_sheet_legal_never_panics. cbn [andb].
  destruct (linked_sheet_legal _ _ _ _) eqn:L; cbn [negb]; [|reflexivity]. destruct (_ || _); [reflexivity|].
  pose proof (link_shift_never_panics _ _ _ L) as shift. unfold linked_zeta_on_domain_safe. rewrite !sheet_size_never_panics, shift. cbn [andb].
  match goal with |- (if ?b then _ else _) && _ = true => replace (if b then true else true) with true by (destruct b; reflexivity) end. cbn [andb].
  destruct (linked_zeta_on_domain _ _ _); [reflexivity|]. rewrite fold_never_panics, andb_true_r.
  apply linked_sheet_legal_parts in L as (M & B & L & _ & B' & _).
  pose proof (proj2 (sheet_sizes (sheet_log items) (proj2 B))) as S. pose proof (proj2 (sheet_sizes (record_log previous) (proj2 B'))) as S'.
  match goal with |- linked_claims_safe _ _ _ ?drawn _ = true =>
    pose proof (laid_out_claims_never_panic about bits_few moments_few items drawn (linked_body shown) M B L) as claims end.
  unfold certificate_claims_safe in claims. cbv zeta in claims. rewrite !andb_true_iff in claims.
  unfold linked_claims_safe, linked_linear_value_safe, link_lagrange_safe. cbv zeta. rewrite shift, !sheet_size_never_panics.
  rewrite !rows_vanishing_never_panics by lia. rewrite lagrange_value_never_panics by lia. rewrite domain_point_never_panics by lia.
  rewrite !andb_true_iff. tauto.
Qed.

End LinkedSafe.

(** ** Comparisons *)

Section ComparisonSafe.

Context {F : ScalarOperations} {lawful : Field.LawfulScalars F} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

Lemma comparison_size_never_panics : forall items, items <= MAX_COMPARED -> comparison_size_safe items = true.
Proof.
  intros items L. unfold MAX_COMPARED in L. unfold comparison_size_safe, MAX_DOUBLINGS.
  apply (loop_is_safe _ (fun i least => least <= 4 * 2 ^ i)); [reflexivity|]. intros i least Hi B. unfold comparison_size_step_safe, comparison_size_step, within_usize.
  assert (P : 2 ^ i <= 2 ^ 7) by (apply N.pow_le_mono_r; lia). change (2 ^ 7) with 128 in P. change (2 ^ 64) with 18446744073709551616. split.
  - rewrite andb_true_iff, N.ltb_lt. split; [lia|]. destruct (N.leb_spec (items + 2) least); [reflexivity|apply N.ltb_lt; lia].
  - rewrite N.pow_add_r. change (2 ^ 1) with 2. destruct (N.leb_spec (items + 2) least); lia.
Qed.

Lemma compared_rows_legal_never_panics : forall items, compared_rows_legal_safe items = true.
Proof.
  intros items. unfold compared_rows_legal_safe. each_turn_of Hk. rewrite (proj2 (N.ltb_lt i (seq_length items))) by lia. cbn [andb].
  unfold compared_rows_legal_step_safe. destruct acc; [|reflexivity]. apply layout_after_never_panics.
Qed.

Lemma compared_rows_legal_each : forall items, compared_rows_legal items = true ->
  seq_length items <= MAX_COMPARED /\ forall k, k < seq_length items -> 3 <= record_log (compared_record (seq_at items k)) <= 11.
Proof.
  intros items L. unfold compared_rows_legal in L. rewrite (loop_over_elements _ _ _ compared_rows_legal_step) in L.
  assert (each : forall l legal, fold_left compared_rows_legal_step l legal = true -> legal = true /\ forall item, In item l -> compared_row_legal item = true).
  { clear. induction l as [|first l IH]; intros legal H; [split; [exact H|intros ? []]|]. cbn [fold_left] in H. apply IH in H as [H rest].
    unfold compared_rows_legal_step in H. apply andb_true_iff in H as [-> H]. split; [reflexivity|]. intros item [<-|I]; auto. }
  apply each in L as [L legal]. apply andb_true_iff in L as [_ L]. apply N.leb_le in L. split; [exact L|]. intros k K.
  specialize (legal _ (seq_at_in _ _ items k K)). apply Spec.Table.Comparison.compared_row_legal_parts in legal as [B _]. exact B.
Qed.

Lemma relocated_point_never_panics : forall n item k x, 1 <= n -> 3 <= record_log (compared_record item) <= 11 -> relocated_point_safe n item k x = true.
Proof.
  intros n item k x P B. unfold relocated_point_safe. pose proof (proj2 (sheet_sizes (record_log (compared_record item)) (proj2 B))).
  now rewrite sheet_size_never_panics, !domain_point_never_panics by lia.
Qed.

Theorem claims_of_comparison_never_panics : forall bits items drawn shown, claims_of_comparison_safe bits items drawn shown = true.
Proof.
  intros bits items drawn shown. unfold claims_of_comparison_safe. cbv zeta. rewrite compared_rows_legal_never_panics. cbn [andb].
  destruct (compared_rows_legal items) eqn:L; cbn [negb]; [|reflexivity]. apply compared_rows_legal_each in L as [few each].
  destruct (negb _); [reflexivity|]. destruct (Spec.Table.Comparison.comparison_size_legal (seq_length items) few) as (A & B & _ & _).
  pose proof (comparison_size_never_panics _ few) as size.
  assert (on : compared_on_domain_safe items (compared_zeta drawn) = true).
  { unfold compared_on_domain_safe. rewrite size. cbn [andb]. cbv zeta. each_turn_of Hk. rewrite (proj2 (N.ltb_lt i (seq_length items))) by lia. cbn [andb].
    unfold compared_on_domain_step_safe. destruct acc; [reflexivity|]. rewrite sheet_size_never_panics. apply relocated_point_never_panics; [lia|apply each; lia]. }
  rewrite on. cbn [andb]. destruct (compared_on_domain _ _); [reflexivity|]. unfold comparison_claims_safe. cbv zeta. rewrite !andb_true_iff. repeat split.
  - unfold comparison_bit_claims_safe, comparison_bit_claims_step_safe. index_in_range.
  - unfold compared_row_claims_safe. rewrite size. cbn [andb]. cbv zeta. each_turn_of Hk. rewrite (proj2 (N.ltb_lt i (seq_length items))) by lia. cbn [andb].
    unfold compared_row_claims_step_safe. cbv zeta. pose proof (each i ltac:(lia)) as E. rewrite relocated_point_never_panics by (lia || exact E).
    rewrite sheet_size_never_panics. pose proof (proj2 (sheet_sizes _ (proj2 E))). now rewrite rows_vanishing_never_panics by lia.
  - unfold comparison_quotient_value_safe. rewrite size, rows_vanishing_never_panics by lia. cbn [andb]. unfold comparison_relation_safe. rewrite size. cbn [andb].
    rewrite !andb_true_iff. repeat split.
    + unfold compared_differences_safe. each_turn_of Hk. rewrite (proj2 (N.ltb_lt i (seq_length items))) by lia. cbn [andb].
      apply lagrange_value_never_panics. lia.
    + unfold bits_relation_safe. index_in_range.
    + unfold weighted_bits_safe. each_turn_of Hj. apply andb_true_iff. split; apply N.leb_le; lia.
Qed.

Theorem comparison_seeds_never_panic : forall answer_seed i items c0 shown,
  comparison_seed_safe answer_seed i items = true /\ comparison_bits_seed_safe c0 shown = true.
Proof.
  intros. split.
  - unfold comparison_seed_safe, encode_compared_rows_safe. each_turn_of Hk. rewrite (proj2 (N.ltb_lt i0 (seq_length items))) by lia. cbn [andb].
    apply encode_run_record_never_panics.
  - unfold comparison_bits_seed_safe, encode_table_points_safe. apply andb_true_iff. split; index_in_range.
Qed.

End ComparisonSafe.
