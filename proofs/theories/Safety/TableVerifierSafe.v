(** [verify_table_answer_never_panics]: verifying an answer returns, whatever is handed over.

    - [hidden_rows_never_panic]: rows that are not shown add up to no more than the runs have. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Hash Base.Group Dictionary.Slot Dictionary.KeyMap Commitment.Opening Commitment.Scheme Commitment.FoldedOpening
  Block.Transaction Answer.AnswerProof Answer.AnswerBasis Answer.Verify Table.RunRecord Table.Sheet Table.TableSchema Table.TableKey Table.TableQuery Table.Totals Table.CutGoal Table.Cut
  Table.RunSegments Table.TableAnswer Table.TableAnswerClaims Table.TableAnswerOrder Table.TableAnswerVerifier Table.LongRuns Base.BytesSafe Answer.VerifySafe
  Table.RunRecordSafe Table.RunSegmentsSafe Table.TableSchemaSafe Table.TableKeySafe Table.TableQuerySafe Table.TotalsSafe Table.CutGoalSafe Table.CutSafe Table.TableAnswerSafe
  Table.TableAnswerClaimsSafe Table.TableAnswerOrderSafe Table.TableAnswerVerifierSafe Table.LongRunsSafe.
From Aardvark Require Import Lemmas.LoopLemmas Safety.SlotMapSafe Safety.BoundsSafe Safety.PhasesSafe Safety.AlgebraSafe Safety.TablesSafe Safety.TableBytesSafe Safety.TableChangesSafe
  Safety.BoxesSafe Safety.TableTotalsSafe Safety.TableCutsSafe Safety.TableAnswersSafe Safety.LongRunsSafe.
From Aardvark Require Lemmas.Field Lemmas.Sequences Safety.AnswersSafe Spec.Table.TableAnswerVerifier.
Import ListNotations.
Local Open Scope N_scope.

Section TableVerifier.

Context {F : ScalarOperations} {lawful : Field.LawfulScalars F} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** The parameters of a query that fits have 64 bits. *)
Lemma fitting_parameters : forall query schema, query_fits_schema query schema = true -> query_a query < 2 ^ 64 /\ query_b query < 2 ^ 64.
Proof.
  intros query schema H. unfold query_fits_schema, table_query_legal in H. rewrite !andb_true_iff in H.
  repeat match goal with H : _ /\ _ |- _ => destruct H end.
  repeat match goal with H : (_ <? 18446744073709551616) = true |- _ => apply N.ltb_lt in H end. split; assumption.
Qed.

Section Runs.

Variables (most : N) (runs : list LongRun).
Hypothesis good : runs_good most runs.
Hypothesis few : most <= 2 ^ 31.

Lemma rows_of_long_runs_never_panic : rows_of_long_runs_safe runs = true /\ rows_of_long_runs runs <= 65536 * 1099511627776.
Proof.
  destruct good as [L G]. assert (step : forall i total, i < seq_length runs -> total <= i * 1099511627776 -> rows_of_long_runs_step total (seq_at runs i) <= (i + 1) * 1099511627776).
  { intros i total I B. destruct (G _ (seq_at_in _ _ runs i I)) as [R _]. pose proof (run_rows _ R). unfold rows_of_long_runs_step. lia. }
  split.
  - unfold rows_of_long_runs_safe. apply (loop_is_safe _ (fun i total => total <= i * 1099511627776)); [lia|]. intros i total Hi B. rewrite (proj2 (N.ltb_lt i _)) by lia. cbn [andb].
    split; [|apply step; [lia|exact B]]. destruct (G _ (seq_at_in _ _ runs i ltac:(lia))) as [R _]. pose proof (run_rows _ R). unfold rows_of_long_runs_step_safe, within_usize.
    apply N.ltb_lt. change (2 ^ 64) with 18446744073709551616. lia.
  - assert (B : rows_of_long_runs runs <= seq_length runs * 1099511627776); [|lia]. unfold rows_of_long_runs.
    apply (loop_invariant _ (fun i total => total <= i * 1099511627776)); [lia|lia|]. intros i total Hi B. apply step; [lia|exact B].
Qed.

Lemma whole_runs_are : whole_runs runs = map whole_run runs.
Proof. unfold whole_runs. rewrite (loop_over_elements _ _ _ whole_runs_step). unfold whole_runs_step. now rewrite (Sequences.fold_append whole_run runs []). Qed.

Lemma whole_runs_never_panic : whole_runs_safe runs = true /\ seq_length (whole_runs runs) <= 65536 /\ rows_up_to (whole_runs runs) (seq_length (whole_runs runs)) < 2 ^ 64 /\
  forall run, In run (whole_runs runs) -> short (place_columns (run_place run)).
Proof.
  destruct good as [L G]. split; [unfold whole_runs_safe; each_check Hi; apply N.ltb_lt; lia|]. rewrite whole_runs_are. split; [now rewrite Sequences.seq_length_map|].
  assert (each : forall run, In run (map whole_run runs) -> record_rows (head_record (run_head run)) <= 1099511627776 /\ short (place_columns (run_place run))).
  { intros run I. apply in_map_iff in I as (r & <- & I). destruct (G r I) as [R _]. split; [exact (run_rows _ R)|exact (run_columns _ R)]. }
  split; [|intros run I; apply each, I].
  assert (B : rows_up_to (map whole_run runs) (seq_length (map whole_run runs)) <= seq_length (map whole_run runs) * 1099511627776).
  { unfold rows_up_to. apply (loop_invariant _ (fun i total => total <= i * 1099511627776)); [lia|lia|]. intros i total Hi B. cbv beta.
    destruct (each _ (seq_at_in _ _ (map whole_run runs) i ltac:(lia))) as [rows _]. lia. }
  eapply N.le_lt_trans; [exact B|]. rewrite Sequences.seq_length_map. change (2 ^ 64) with 18446744073709551616. lia.
Qed.

Definition record_good (r : RunRecord) : Prop := record_placed r /\ seq_length (record_root r) = 32.

Lemma records_of_long_runs_never_panic : records_of_long_runs_safe runs = true /\ seq_length (records_of_long_runs runs) < 2 ^ 48 /\
  forall r, In r (records_of_long_runs runs) -> record_good r.
Proof.
  destruct good as [L G]. change (2 ^ 31) with 2147483648 in few. change (2 ^ 48) with 281474976710656.
  assert (pieces : forall run before, run_good run -> (forall r, In r before -> record_good r) ->
    records_of_pieces_safe before run = true /\ seq_length (records_of_pieces before run) <= seq_length before + seq_length (long_pieces run) /\
    forall r, In r (records_of_pieces before run) -> record_good r).
  { intros run before R B. split; [unfold records_of_pieces_safe; each_check Hi; apply N.ltb_lt; lia|].
    assert (Q : seq_length (records_of_pieces before run) <= seq_length before + seq_length (long_pieces run) /\ forall r, In r (records_of_pieces before run) -> record_good r).
    { unfold records_of_pieces. apply (loop_invariant _ (fun i records => seq_length records <= seq_length before + i /\ forall r, In r records -> record_good r)); [lia|split; [lia|exact B]|].
      intros i records Hi [A C]. unfold records_of_pieces_step. split; [rewrite Sequences.seq_length_app; change (seq_length [_]) with 1; lia|]. intros r I.
      apply in_app_iff in I. destruct I as [I|[<-|[]]]; [now apply C|]. destruct (run_pieces _ R _ (seq_at_in _ _ (long_pieces run) i ltac:(lia))) as (P & root & _). split; assumption. }
    exact Q. }
  pose (keep := fun i records => seq_length records <= i * most /\ forall r, In r records -> record_good r).
  assert (step : forall i records, i < seq_length runs -> keep i records -> records_of_pieces_safe records (seq_at runs i) = true /\ keep (i + 1) (records_of_pieces records (seq_at runs i))).
  { intros i records I [A B]. destruct (G _ (seq_at_in _ _ runs i I)) as [R M]. destruct (pieces _ records R B) as (P & Q & T). split; [exact P|]. split; [nia|exact T]. }
  split.
  - unfold records_of_long_runs_safe. apply (loop_is_safe _ keep); [split; [cbn; lia|intros ? []]|]. intros i records Hi K. rewrite (proj2 (N.ltb_lt i _)) by lia. cbn [andb]. apply step; [lia|exact K].
  - assert (K : keep (seq_length runs) (records_of_long_runs runs)).
    { unfold records_of_long_runs. apply (loop_invariant _ keep); [lia|split; [cbn; lia|intros ? []]|]. intros i records Hi K. apply step; [lia|exact K]. }
    destruct K as [K1 K2]. split; [nia|exact K2].
Qed.

(** Rows that are not shown, over the pieces of a run: at most the rank of the next piece. *)
Lemma hidden_of_run_never_panics : forall run before splits, run_good run -> seq_length (long_pieces run) <= most ->
  hidden_place before <= 65536 * 2147483648 -> hidden_before before <= 65536 * 1099511627776 ->
  hidden_of_run_safe before run splits = true /\ hidden_place (hidden_of_run before run splits) = hidden_place before + seq_length (long_pieces run) /\
  hidden_before (hidden_of_run before run splits) <= hidden_before before + 1099511627776.
Proof.
  intros run before splits R M P B. change (2 ^ 31) with 2147483648 in few. pose proof (run_rows _ R) as rows. set (pieces := long_pieces run) in *.
  pose (bound := fun i => if i <? seq_length pieces then piece_rank (seq_at pieces i) else long_rows (long_head run)).
  assert (rank : forall i, i < seq_length pieces -> piece_rank (seq_at pieces i) <= long_rows (long_head run) /\ record_rows (piece_record (seq_at pieces i)) <= 2048).
  { intros i I. destruct (run_pieces _ R _ (seq_at_in _ _ pieces i I)) as ((_ & T) & _ & Q & _). lia. }
  pose (keep := fun i found => hidden_place found = hidden_place before + i /\ hidden_before found <= hidden_before before + bound i).
  assert (step : forall i found, i < seq_length pieces -> keep i found -> hidden_of_run_step_safe found run splits i = true /\ keep (i + 1) (hidden_of_run_step found run splits i)).
  { intros i found I [A C]. destruct (rank i I) as [r1 r2]. unfold bound in C. rewrite (proj2 (N.ltb_lt _ _) I) in C.
    assert (H : rows_hidden_behind run i <= long_rows (long_head run) /\ (i + 1 < seq_length pieces ->
      piece_rank (seq_at pieces i) + rows_hidden_behind run i <= piece_rank (seq_at pieces (i + 1)))).
    { unfold rows_hidden_behind. cbv zeta. fold pieces. destruct (N.ltb_spec (i + 1) (seq_length pieces)) as [N1|N1].
      - destruct (rank _ N1) as [n1 _]. pose proof (proj2 (run_ascend _ R) i N1) as up. fold pieces in up. destruct (N.leb_spec (piece_rank (seq_at pieces i) + record_rows (piece_record (seq_at pieces i))) (piece_rank (seq_at pieces (i + 1)))); lia.
      - destruct (N.leb_spec (piece_rank (seq_at pieces i) + record_rows (piece_record (seq_at pieces i))) (long_rows (long_head run))); lia. }
    destruct H as [H1 H2]. split.
    - unfold hidden_of_run_step_safe, rows_hidden_behind_safe, within_usize. cbv zeta. fold pieces. rewrite (proj2 (N.ltb_lt _ _) I). change (2 ^ 64) with 18446744073709551616.
      rewrite !(proj2 (N.ltb_lt _ 18446744073709551616)) by lia. cbn [andb].
      repeat match goal with |- context [if ?b then true else true] => replace (if b then true else true) with true by (destruct b; reflexivity) end. reflexivity.
    - unfold hidden_of_run_step. cbv zeta. fold pieces. split; cbn [hidden_place hidden_before]; [lia|]. unfold bound.
      destruct (N.ltb_spec (i + 1) (seq_length pieces)) as [N1|N1]; cbn [andb].
      + pose proof (proj2 (run_ascend _ R) i N1) as up. fold pieces in up. specialize (H2 N1).
        match goal with |- context [if ?b then hidden_before found + ?h else hidden_before found] => destruct b end; lia.
      + destruct (rank i I). lia. }
  assert (start : keep 0 before).
  { split; [lia|]. lia. }
  split.
  - unfold hidden_of_run_safe. fold pieces. apply (loop_is_safe _ keep); [exact start|]. intros i found Hi K. apply step; [lia|exact K].
  - assert (K : keep (seq_length pieces) (hidden_of_run before run splits)).
    { unfold hidden_of_run. fold pieces. apply (loop_invariant _ keep); [lia|exact start|]. intros i found Hi K. apply step; [lia|exact K]. }
    destruct K as [K1 K2]. unfold bound in K2. rewrite N.ltb_irrefl in K2. split; [exact K1|lia].
Qed.

Lemma hidden_rows_never_panic : forall splits, hidden_rows_safe runs splits = true.
Proof.
  intros splits. destruct good as [L G]. unfold hidden_rows_safe. change (2 ^ 31) with 2147483648 in few.
  apply (loop_is_safe _ (fun i found => hidden_place found <= i * 2147483648 /\ hidden_before found <= i * 1099511627776)); [cbn; lia|]. intros i found Hi [A B].
  rewrite (proj2 (N.ltb_lt i _)) by lia. cbn [andb]. destruct (G _ (seq_at_in _ _ runs i ltac:(lia))) as [R M].
  destruct (hidden_of_run_never_panics _ found splits R M ltac:(lia) ltac:(lia)) as (P & Q & T). unfold hidden_rows_step_safe, hidden_rows_step. split; [exact P|]. lia.
Qed.

(** ** Claims *)

Variables (query : TableQuery) (schema : TableSchema).
Hypothesis stored : schema_sized schema.
Hypothesis asked : query_in_memory query.
Hypothesis fits : query_fits_schema query schema = true.

Lemma goal_of_runs_never_panics : goal_of_runs_safe query runs = true.
Proof.
  destruct (fitting_parameters query schema fits) as [A B]. destruct rows_of_long_runs_never_panic as [R T]. unfold goal_of_runs_safe. cbv zeta. rewrite R. cbn [andb].
  apply cut_goal_never_panics; [exact A|exact B|]. unfold u128_of_usize. change (2 ^ 63) with 9223372036854775808. lia.
Qed.

Lemma claims_of_answer_never_panics : forall groups answer seed, answer_in_memory answer ->
  claims_of_answer_safe query schema (cap_of_query query schema) runs groups answer seed = true.
Proof.
  intros groups answer seed A. destruct records_of_long_runs_never_panic as (R & L & placed). unfold claims_of_answer_safe. cbv zeta.
  destruct (_ =? FUNCTION_TOTALS); [|destruct (_ =? FUNCTION_ROW)].
  - destruct (expect_table _ _); [|reflexivity]. apply stated_totals_never_panic; [now apply cap_small|apply (answer_totals_bytes _ A)|apply (answer_totals_few _ A)].
  - destruct (expect_table _ _); [|reflexivity]. unfold claims_of_shown_row_safe. cbv zeta. destruct (answer_row answer) as [row|] eqn:E; [|reflexivity].
    rewrite R. cbn [andb]. destruct (_ && _) eqn:one; [|reflexivity]. rewrite !andb_true_iff, !N.leb_le in one. destruct one as [_ one].
    assert (last : seq_length (records_of_long_runs runs) - 1 < seq_length (records_of_long_runs runs)) by lia.
    rewrite (proj2 (N.ltb_lt _ _) last). cbn [andb]. destruct (placed _ (seq_at_in _ _ (records_of_long_runs runs) _ last)) as [P root].
    apply row_never_panics; [exact P|exact root|exact (answer_path_few _ A row E)].
  - destruct (expect_table _ _); [|reflexivity]. unfold claims_of_order_safe. destruct (answer_cut answer) as [stated|]; [|exact goal_of_runs_never_panics].
    unfold claims_of_cut_safe. cbv zeta. rewrite R, hidden_rows_never_panic, goal_of_runs_never_panics. cbn [andb]. destruct (expect_table _ _); [|reflexivity].
    destruct (work_of_cut_never_panics (records_of_long_runs runs) (fun r I => proj1 (placed r I)) L (u128_of_u64 (cap_of_query query schema))
      (goal_of_pieces (goal_of_runs query runs) (u128_of_usize (hidden_before (hidden_rows runs (cut_splits stated))))) stated) as [-> W].
    cbn [andb]. destruct (work_of_cut _ _ _ _) as [work|]; [|reflexivity]. specialize (W work eq_refl). change (2 ^ 48) with 281474976710656 in L.
    rewrite comparison_count_never_panics by (change (2 ^ 63) with 9223372036854775808; lia). cbn [andb]. destruct (expect_table _ _); [|reflexivity].
    apply with_comparisons_never_panics; [now apply bits_small|apply (answer_comparisons_few _ A)].
Qed.

End Runs.

(** ** The verifier *)

Lemma segment_slots_never_panic : forall answer, answer_in_memory answer ->
  segment_slots_safe answer = true /\ forall slot, In slot (segment_slots answer) -> slot_received slot.
Proof.
  intros answer A. unfold segment_slots_safe, segment_slots. cbv zeta. set (items := proof_claims _).
  match goal with |- context [range ?s (seq_length items)] => set (start := s) end. split.
  - unfold segment_slots_step_safe. each_check Hi. apply N.ltb_lt. lia.
  - destruct (N.le_gt_cases start (seq_length items)) as [S|S]; [|rewrite range_empty by lia; intros slot []].
    apply (loop_invariant _ (fun _ slots => forall slot, In slot slots -> slot_received slot)); [exact S|intros slot []|]. intros c slots Hc K slot I. unfold segment_slots_step in I.
    apply in_app_iff in I. destruct I as [I|[<-|[]]]; [now apply K|]. apply (answer_slots_received _ A), seq_at_in. fold items. lia.
Qed.

Lemma scanned_slots_never_panic : forall answer, answer_in_memory answer ->
  scanned_slots_safe answer = true /\ forall slot, In slot (scanned_slots answer) -> slot_received slot.
Proof.
  intros answer A. unfold scanned_slots_safe, scanned_slots. cbv zeta. set (items := proof_claims _). destruct (N.leb_spec (seq_length (answer_shown answer)) (seq_length items)) as [L|]; [|split; [reflexivity|intros slot []]].
  split.
  - rewrite (proj2 (N.leb_le _ _)) by lia. cbn [andb]. unfold slots_behind_first_safe, slots_behind_first_step_safe. each_check Hi. apply N.ltb_lt. lia.
  - intros slot I. rewrite Spec.Table.TableAnswerVerifier.slots_behind_first_tail in I. apply in_map_iff in I as (claim & <- & I). apply (answer_slots_received _ A). fold items.
    set (front := seq_slice items 0 _) in I. assert (J : In claim front) by (destruct front; [destruct I|now right]). unfold front, seq_slice in J. cbn [N.to_nat skipn] in J.
    revert J. generalize (N.to_nat (seq_length items - seq_length (answer_shown answer))). clear. induction items as [|x items IH]; intros [|m] J; try contradiction.
    destruct J as [<-|J]; [now left|right; exact (IH m J)].
Qed.

Theorem verify_table_answer_never_panics : forall setup trusted query schema answer, small setup -> AnswersSafe.trusted_in_memory trusted ->
  schema_sized schema -> query_in_memory query -> answer_in_memory answer -> verify_table_answer_safe setup trusted query schema answer = true.
Proof.
  intros setup trusted query schema answer S T M Q A. pose proof (answer_shown_few _ A) as few. unfold verify_table_answer_safe. cbv zeta. rewrite query_fits_never_panics by assumption. cbn [andb].
  destruct (expect_table (query_fits_schema query schema) _) as [[]|] eqn:fits; [|reflexivity]. apply expect_table_true in fits.
  destruct (grounds_never_panic trusted (answer_proof answer) T (answer_proof_in_memory _ A)) as [-> BN]. cbn [andb].
  destruct (grounds_of_answer trusted _) as [basis|]; [|reflexivity]. specialize (BN basis eq_refl).
  rewrite schema_is_claimed_never_panics by apply (answer_slots_received _ A). cbn [andb]. destruct (expect_table _ TableReason_SchemaMismatched); [|reflexivity].
  assert (R : runs_of_answer_safe query schema (moments_of_query query schema) answer = true /\
    forall runs, runs_of_answer query schema (moments_of_query query schema) answer = Ok runs -> runs_good (1 + seq_length (answer_shown answer)) runs).
  { unfold runs_of_answer_safe, runs_of_answer. destruct (scanned_slots_never_panic answer A) as [-> C]. cbn [andb].
    destruct (entries_of_query_never_panics query _ (box_of_query_in_memory query Q) C) as [-> E]. cbn [andb].
    destruct (entries_of_query query _) as [entries|]; [|split; [reflexivity|discriminate]]. specialize (E entries eq_refl).
    destruct (expect_table (seq_length entries <=? MAX_ANSWER_RUNS) _) as [[]|] eqn:count; [|split; [reflexivity|discriminate]].
    apply expect_table_true, N.leb_le in count. unfold MAX_ANSWER_RUNS in count.
    destruct (long_runs_never_panic schema M (moments_of_query query schema) entries (answer_heads answer) E count) as [-> G]. cbn [andb].
    destruct (long_runs_of_entries schema _ entries _) as [runs|]; [|split; [reflexivity|discriminate]]. specialize (G runs eq_refl).
    assert (one : 1 <= 2 ^ 31) by (change (2 ^ 31) with 2147483648; lia). rewrite (proj1 (rows_of_long_runs_never_panic 1 runs G one)). cbn [andb]. destruct (expect_table (rows_of_long_runs runs <? MAX_BOX_ROWS) _); [|split; [reflexivity|discriminate]].
    destruct (segment_slots_never_panic answer A) as [-> D]. cbn [andb]. exact (runs_with_segments_never_panic schema M runs _ _ _ G D few). }
  destruct R as [-> R]. cbn [andb]. destruct (runs_of_answer query schema _ answer) as [runs|]; [|reflexivity]. specialize (R runs eq_refl).
  assert (bound : 1 + seq_length (answer_shown answer) <= 2 ^ 31) by (change (2 ^ 31) with 2147483648 in *; lia).
  destruct (whole_runs_never_panic _ runs R bound) as (-> & W1 & W2 & W3). cbn [andb]. rewrite groups_of_query_never_panics by assumption. cbn [andb].
  unfold table_answer_seed_safe. cbv zeta. rewrite encode_query_never_panics. unfold encode_schema_safe. rewrite encode_schema_body_never_panics, encode_stated_never_panics.
  rewrite (proj1 (segment_slots_never_panic answer A)).
  assert (E : encode_long_runs_safe runs = true).
  { unfold encode_long_runs_safe. each_check Hi. rewrite (proj2 (N.ltb_lt i _)) by lia. cbn [andb]. apply encode_long_head_never_panics. }
  assert (E' : encode_segment_slots_safe (segment_slots answer) = true) by (unfold encode_segment_slots_safe; each_check Hi; apply N.ltb_lt; lia).
  rewrite E, E'. cbn [andb]. rewrite (claims_of_answer_never_panics _ runs R bound query schema M fits) by exact A. cbn [andb]. destruct (claims_of_answer _ _ _ _ _ _ _); [|reflexivity].
  destruct (check_fold_form _ _); [|reflexivity]. rewrite AnswersSafe.check_answer_openings_never_panics by assumption. cbn [andb].
  destruct (of_dictionary _); [|reflexivity]. apply table_fold_never_panics.
  all: assumption.
Qed.

End TableVerifier.
