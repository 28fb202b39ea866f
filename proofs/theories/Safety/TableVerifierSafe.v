(** [verify_table_answer_never_panics]: verifying an answer about runs of one segment returns, whatever is handed over. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Hash Base.Group Dictionary.Slot Dictionary.KeyMap Commitment.Opening Commitment.Scheme Commitment.FoldedOpening
  Block.Transaction Answer.AnswerProof Answer.AnswerBasis Answer.Verify Table.RunRecord Table.Sheet Table.TableSchema Table.TableKey
  Table.TableQuery Table.Totals Table.Cut Table.TableAnswer Table.TableAnswerClaims Table.TableAnswerOrder Table.TableAnswerVerifier Answer.VerifySafe Table.RunRecordSafe
  Table.TableSchemaSafe Table.TableQuerySafe Table.TotalsSafe Table.CutGoal Table.CutGoalSafe Table.CutSafe Table.TableAnswerSafe Table.TableAnswerClaimsSafe Table.TableAnswerOrderSafe
  Table.TableAnswerVerifierSafe.
From Aardvark Require Import Lemmas.LoopLemmas Safety.SlotMapSafe Safety.BoundsSafe Safety.PhasesSafe Safety.AlgebraSafe Safety.TablesSafe Safety.TableBytesSafe Safety.TableChangesSafe
  Safety.BoxesSafe Safety.TableTotalsSafe Safety.TableCutsSafe Safety.TableAnswersSafe.
From Aardvark Require Lemmas.Field Lemmas.Sequences Safety.AnswersSafe.
Import ListNotations.
Local Open Scope N_scope.

Section TableVerifier.

Context {F : ScalarOperations} {lawful : Field.LawfulScalars F} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

Variables (query : TableQuery) (schema : TableSchema).
Hypothesis stored : schema_sized schema.
Hypothesis asked : query_in_memory query.

(** The parameters of a query that fits have 64 bits. *)
Lemma fitting_parameters : query_fits_schema query schema = true -> query_a query < 2 ^ 64 /\ query_b query < 2 ^ 64.
Proof.
  intros H. unfold query_fits_schema, table_query_legal in H. rewrite !andb_true_iff in H.
  repeat match goal with H : _ /\ _ |- _ => destruct H end.
  repeat match goal with H : (_ <? 18446744073709551616) = true |- _ => apply N.ltb_lt in H end. split; assumption.
Qed.

Hypothesis fits : query_fits_schema query schema = true.

Lemma goal_never_panics : forall records, (forall r, In r records -> record_placed r) -> seq_length records <= 65536 -> goal_of_query_safe query records = true.
Proof.
  intros records P L. destruct (fitting_parameters fits) as [A B]. assert (few : seq_length records < 2 ^ 48) by (change (2 ^ 48) with 281474976710656; lia).
  destruct (records_total_never_panics records P few) as [S T]. unfold goal_of_query_safe. rewrite S. apply cut_goal_never_panics; [exact A|exact B|].
  change (2 ^ 63) with 9223372036854775808. lia.
Qed.

Lemma claims_of_order_never_panics : forall runs answer seed, (forall run, In run runs -> run_placed run) -> seq_length runs <= 65536 ->
  seq_length (answer_comparisons answer) < 2 ^ 32 -> claims_of_order_safe query (cap_of_query query schema) (bits_of_query query schema) runs answer seed = true.
Proof.
  intros runs answer seed P L C.
  assert (A : records_of_runs_safe runs = true) by (unfold records_of_runs_safe; each_check Hi; apply N.ltb_lt; lia).
  assert (placed : forall r, In r (records_of_runs runs) -> record_placed r).
  { intros r I. rewrite records_of_runs_are in I. apply in_map_iff in I as (run & <- & I). apply P, I. }
  assert (many : seq_length (records_of_runs runs) <= 65536) by (rewrite records_of_runs_are, Sequences.seq_length_map; exact L).
  unfold claims_of_order_safe. destruct (answer_cut answer) as [stated|].
  - unfold claims_of_cut_safe. cbv zeta. rewrite A, goal_never_panics by assumption. cbn [andb].
    assert (few : seq_length (records_of_runs runs) < 2 ^ 48) by (change (2 ^ 48) with 281474976710656; lia).
    destruct (work_of_cut_never_panics (records_of_runs runs) placed few (u128_of_u64 (cap_of_query query schema)) (goal_of_query query (records_of_runs runs)) stated) as [-> W].
    cbn [andb]. destruct (work_of_cut _ _ _ _) as [work|]; [|reflexivity]. specialize (W work eq_refl).
    rewrite comparison_count_never_panics by (change (2 ^ 63) with 9223372036854775808; lia). cbn [andb]. destruct (expect_table _ _); [|reflexivity].
    apply with_comparisons_never_panics; [now apply bits_small|exact C].
  - unfold asks_for_nothing_safe. rewrite A, goal_never_panics by assumption. reflexivity.
Qed.

Lemma claims_of_answer_never_panics : forall runs groups answer seed, answer_in_memory answer -> (forall run, In run runs -> run_placed run) -> seq_length runs <= 65536 ->
  claims_of_answer_safe query schema (cap_of_query query schema) runs groups answer seed = true.
Proof.
  intros runs groups answer seed A P L. unfold claims_of_answer_safe. cbv zeta. destruct (_ =? FUNCTION_TOTALS); [|destruct (_ =? FUNCTION_ROW)].
  - destruct (expect_table _ _); [|reflexivity]. apply stated_totals_never_panic; [now apply cap_small|apply (answer_totals_bytes _ A)|apply (answer_totals_few _ A)].
  - destruct (expect_table _ _); [|reflexivity]. unfold claims_of_shown_row_safe. cbv zeta. destruct (answer_row answer) as [row|] eqn:E; [|reflexivity].
    destruct (_ && _) eqn:one; [|reflexivity]. rewrite !andb_true_iff, !N.eqb_eq in one. destruct one as [_ one].
    rewrite (proj2 (N.ltb_lt 0 (seq_length runs))) by lia. cbn [andb]. destruct (P _ (seq_at_in _ _ runs 0 ltac:(lia))) as (R & root & _).
    apply row_never_panics; [exact R|exact root|exact (answer_path_few _ A row E)].
  - destruct (expect_table _ _); [|reflexivity]. apply claims_of_order_never_panics; [exact P|exact L|apply (answer_comparisons_few _ A)].
Qed.

End TableVerifier.

Section TableVerifierSafe.

Context {F : ScalarOperations} {lawful : Field.LawfulScalars F} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

Theorem verify_table_answer_never_panics : forall setup trusted query schema answer, small setup -> AnswersSafe.trusted_in_memory trusted ->
  schema_sized schema -> query_in_memory query -> answer_in_memory answer -> verify_table_answer_safe setup trusted query schema answer = true.
Proof.
  intros setup trusted query schema answer S T M Q A. unfold verify_table_answer_safe. cbv zeta. rewrite query_fits_never_panics by assumption. cbn [andb].
  destruct (expect_table (query_fits_schema query schema) _) as [[]|] eqn:fits; [|reflexivity]. apply expect_table_true in fits.
  destruct (grounds_never_panic trusted (answer_proof answer) T (answer_proof_in_memory _ A)) as [-> BN]. cbn [andb].
  destruct (grounds_of_answer trusted _) as [basis|]; [|reflexivity]. specialize (BN basis eq_refl).
  rewrite schema_is_claimed_never_panics by apply (answer_slots_received _ A). cbn [andb]. destruct (expect_table _ TableReason_SchemaMismatched); [|reflexivity].
  destruct (runs_of_answer_never_panics query schema M Q (moments_of_query query schema) answer A) as [-> R]. cbn [andb].
  destruct (runs_of_answer query schema _ answer) as [runs|]; [|reflexivity]. destruct (R runs eq_refl) as (few & rows & placed).
  rewrite groups_of_query_never_panics; try assumption.
  2: { change (2 ^ 64) with 18446744073709551616. lia. }
  2: { intros run I. apply placed, I. }
  cbn [andb]. unfold table_answer_seed_safe. rewrite encode_query_never_panics. unfold encode_schema_safe. rewrite encode_schema_body_never_panics, encode_stated_never_panics.
  assert (E : encode_box_runs_safe runs = true).
  { unfold encode_box_runs_safe. each_check Hi. rewrite (proj2 (N.ltb_lt i _)) by lia. cbn [andb]. unfold encode_box_runs_step_safe, encode_run_head_safe. apply encode_run_record_never_panics. }
  rewrite E. cbn [andb]. rewrite claims_of_answer_never_panics by assumption. cbn [andb]. destruct (claims_of_answer _ _ _ _ _ _ _); [|reflexivity].
  destruct (check_fold_form _ _); [|reflexivity]. rewrite AnswersSafe.check_answer_openings_never_panics by assumption. cbn [andb].
  destruct (of_dictionary _); [|reflexivity]. apply table_fold_never_panics.
  all: assumption.
Qed.

End TableVerifierSafe.
