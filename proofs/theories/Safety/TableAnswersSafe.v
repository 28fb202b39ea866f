(** Verifying an answer about a table never leaves the range of integers or sequences, whatever is handed over.

    - [schema_sized], [query_in_memory], [answer_in_memory]: what can be stored and received;
    - [run_record_legal_placed], [row_never_panics], [groups_of_query_never_panics]: parts of verifying an answer. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Hash Base.Group Dictionary.Slot Dictionary.KeyMap Commitment.Opening Commitment.Scheme Commitment.FoldedOpening
  Commitment.CommitmentTree Block.Transaction Answer.AnswerProof Answer.AnswerBasis Answer.Verify Table.DomainValues Table.RunRecord Table.Sheet Table.TableSchema Table.TableKey
  Table.TableQuery Table.Totals Table.Cut Table.TableAnswer Table.TableAnswerClaims Table.TableAnswerOrder Table.TableAnswerVerifier Base.BytesSafe Commitment.CommitmentTreeSafe
  Commitment.FoldedOpeningSafe Answer.AnswerBasisSafe Answer.VerifySafe Table.DomainValuesSafe Table.SheetSafe Table.RunRecordSafe Table.TableSchemaSafe Table.TableKeySafe
  Table.KeyBox Table.KeyBoxSafe Table.TableQuerySafe Table.TotalsSafe Table.CutSafe Table.TableAnswerSafe Table.TableAnswerClaimsSafe Table.TableAnswerOrderSafe Table.TableAnswerVerifierSafe.
From Aardvark Require Import Lemmas.LoopLemmas Safety.SlotMapSafe Safety.BoundsSafe Safety.PhasesSafe Safety.AlgebraSafe Safety.TablesSafe Safety.TableBytesSafe Safety.TableChangesSafe
  Safety.BoxesSafe Safety.TableTotalsSafe Safety.TableCutsSafe.
From Aardvark Require Lemmas.Field Lemmas.Sequences Safety.AnswersSafe Safety.RootSafe Spec.Table.Sheet Spec.Table.TableAnswerVerifier.
Import ListNotations.
Local Open Scope N_scope.

Section TableAnswers.

Context {F : ScalarOperations} {lawful : Field.LawfulScalars F} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** A schema that is stored, whose columns' sizes are as numbers of their types are. *)
Definition schema_sized (schema : TableSchema) : Prop := schema_in_memory schema /\
  forall described, In described (schema_values schema) -> value_column_span described < 2 ^ 64 /\ value_column_bits described < 2 ^ 32.

(** A query that is stored. *)
Definition query_in_memory (query : TableQuery) : Prop :=
  box_in_memory (query_columns query) /\ seq_length (query_columns query) < 2 ^ 30 /\ seq_length (query_groups query) < 2 ^ 31.

(** An answer that was received, but for its heads and segments, of which nothing is asked but that there are fewer than 2^31. *)
Record answer_in_memory (answer : TableAnswer) : Prop := {
  answer_proof_in_memory : AnswersSafe.proof_in_memory (answer_proof answer);
  answer_slots_received : forall claim, In claim (proof_claims (answer_proof answer)) -> slot_received (claim_slot claim);
  answer_totals_bytes : Forall (Forall of_bytes) (answer_totals answer);
  answer_totals_few : Forall (fun totals => seq_length totals < 2 ^ 32) (answer_totals answer);
  answer_comparisons_few : seq_length (answer_comparisons answer) < 2 ^ 32;
  answer_shown_few : seq_length (answer_shown answer) < 2 ^ 31;
  answer_path_few : forall row, answer_row answer = Some row -> seq_length (row_path row) < 2 ^ 64;
}.

Variables (query : TableQuery) (schema : TableSchema).
Hypothesis stored : schema_sized schema.
Hypothesis asked : query_in_memory query.

Lemma cap_small : cap_of_query query schema < 2 ^ 64.
Proof.
  unfold cap_of_query. destruct (N.ltb_spec (query_column query) (seq_length (schema_values schema))) as [L|]; [|reflexivity].
  apply (proj2 stored), seq_at_in. exact L.
Qed.

Lemma bits_small : bits_of_query query schema < 2 ^ 32.
Proof.
  unfold bits_of_query. destruct (N.ltb_spec (query_column query) (seq_length (schema_values schema))) as [L|]; [|reflexivity].
  apply (proj2 stored), seq_at_in. exact L.
Qed.

(** ** The query and the schema *)

Lemma key_widths_are : key_widths (schema_keys schema) = map key_column_width (schema_keys schema).
Proof.
  unfold key_widths. rewrite (loop_over_elements _ _ _ key_widths_step). unfold key_widths_step.
  now rewrite (Sequences.fold_append key_column_width (schema_keys schema) []).
Qed.

Lemma key_widths_in_memory : widths_in_memory (key_widths (schema_keys schema)).
Proof.
  destruct stored as [([K _ _ _] & few & _) _]. rewrite key_widths_are. split; [now rewrite Sequences.seq_length_map|]. intros width I.
  apply in_map_iff in I as (c & <- & I). apply K, I.
Qed.

Lemma query_fits_never_panics : query_fits_schema_safe query schema = true.
Proof.
  unfold query_fits_schema_safe. destruct (_ <? _); [|reflexivity].
  assert (A : key_widths_safe (schema_keys schema) = true) by (unfold key_widths_safe; each_check Hi; apply N.ltb_lt; lia). rewrite A. cbn [andb].
  pose proof cap_small as C. change (2 ^ 64) with 18446744073709551616 in C. destruct asked as ((_ & B) & _). unfold table_query_legal_safe. rewrite !andb_true_iff. repeat split.
  - unfold parameters_of_function_legal_safe. destruct (_ =? FUNCTION_TOTALS); [reflexivity|]. destruct (_ =? FUNCTION_ORDER); [reflexivity|]. destruct (_ && _).
    + unfold fraction_legal_safe. destruct (_ && _); [|reflexivity]. unfold greatest_common_divisor_safe. each_check Hi. unfold greatest_common_divisor_step_safe.
      destruct (search_smaller checked =? 0); reflexivity.
    + destruct (_ =? FUNCTION_RANK); [|reflexivity]. unfold within_u128, u128_of_u64. apply N.ltb_lt. change (2 ^ 128) with 340282366920938463463374607431768211456. lia.
  - destruct (_ && _); [|reflexivity]. unfold groups_legal_safe. each_check Hi. unfold groups_legal_step_safe. rewrite (proj2 (N.ltb_lt i _)) by lia.
    destruct checked; cbn [andb]; [|reflexivity]. destruct (_ <? _); [|reflexivity]. unfold names_column_safe. each_check Hj. unfold names_column_step_safe.
    destruct checked; [reflexivity|]. apply N.ltb_lt. lia.
  - destruct (_ && _); [|reflexivity]. unfold columns_legal_safe.
    apply (loop_is_safe _ (fun _ legal => legal = true -> seq_length (query_columns query) = seq_length (key_widths (schema_keys schema)))).
    { intros H. apply andb_true_iff in H as [H _]. now apply N.eqb_eq. }
    intros i legal Hi same. unfold columns_legal_step_safe, columns_legal_step. destruct (N.ltb_spec i (seq_length (key_widths (schema_keys schema)))) as [L|].
    2: { split; [reflexivity|discriminate]. }
    rewrite (proj2 (N.ltb_lt i (seq_length (query_columns query)))) by lia. split; [|intros H; rewrite !andb_true_iff in H; tauto].
    destruct legal; cbn [andb]; [|reflexivity]. destruct (_ =? _); cbn [andb]; [|reflexivity]. destruct (_ <=? MAX_QUERY_INTERVALS); [|reflexivity].
    destruct (B _ (seq_at_in _ _ (query_columns query) i ltac:(lia))) as [_ I]. set (intervals := box_column_intervals _) in *. unfold intervals_canonical_safe. each_check Hj.
    unfold intervals_canonical_step_safe. rewrite !(proj2 (N.ltb_lt i0 _)) by lia. destruct (I _ (seq_at_in _ _ intervals i0 ltac:(lia))) as (A1 & _ & A2).
    rewrite bytes_at_most_never_panics by exact A2. cbn [andb].
    repeat match goal with |- context [if ?b then true else true] => replace (if b then true else true) with true by (destruct b; reflexivity) end. cbn [andb]. cbv zeta.
    destruct (N.ltb_spec 0 i0); [|reflexivity]. destruct (_ && _); [|reflexivity]. rewrite (proj2 (N.leb_le 1 i0)) by lia. rewrite (proj2 (N.ltb_lt (i0 - 1) _)) by lia. cbn [andb].
    unfold interval_follows_safe. destruct (I _ (seq_at_in _ _ intervals (i0 - 1) ltac:(lia))) as (_ & O & S). rewrite digits_above_never_panics; [|exact O|].
    2: { unfold short in S. change (2 ^ 32) with 4294967296 in S. change (2 ^ 64 - 1) with 18446744073709551615. lia. }
    cbn [andb]. destruct (digits_above _); [|reflexivity]. now apply bytes_less_right.
Qed.

Lemma box_of_query_in_memory : box_in_memory (box_columns (box_of_query query)).
Proof.
  destruct asked as ((_ & B) & few & _). unfold box_of_query. cbn [box_columns]. split.
  - rewrite Sequences.seq_length_app. change (seq_length [run_column]) with 1. change (2 ^ 30) with 1073741824 in few. change (2 ^ 31) with 2147483648. lia.
  - intros column I. apply in_app_iff in I. destruct I as [I|[<-|[]]]; [now apply B|]. split; [reflexivity|]. intros interval J. destruct J as [<-|[]].
    split; [reflexivity|]. split; [|reflexivity]. cbn [interval_high]. apply Readers.big_endian_bytes.
Qed.

Lemma encode_query_never_panics : encode_table_query_safe query = true.
Proof.
  unfold encode_table_query_safe, encode_group_columns_safe, encode_box_columns_safe. apply andb_true_iff. split; each_check Hi; [apply N.ltb_lt; lia|].
  rewrite (proj2 (N.ltb_lt i _)) by lia. cbn [andb]. unfold encode_box_columns_step_safe, encode_intervals_safe. rename checked into outer. each_check Hj. apply N.ltb_lt. lia.
Qed.

Lemma schema_is_claimed_never_panics : forall proof, (forall claim, In claim (proof_claims proof) -> slot_received (claim_slot claim)) ->
  schema_is_claimed_safe proof query schema = true.
Proof.
  intros proof S. unfold schema_is_claimed_safe. cbv zeta. destruct (N.ltb_spec 0 (seq_length (proof_claims proof))) as [L|]; [|reflexivity].
  destruct (S _ (seq_at_in _ _ (proof_claims proof) 0 L)) as ((_ & K) & V & _). rewrite bytes_equal_never_panics by exact K. cbn [andb].
  destruct (bytes_equal _ _); [|reflexivity]. unfold encode_schema_safe. rewrite encode_schema_body_never_panics. cbn [andb]. now apply bytes_equal_never_panics.
Qed.

(** ** The dictionary *)

Variable setup : Setup.
Hypothesis setup_small : small setup.

Lemma grounds_never_panic : forall trusted proof, AnswersSafe.trusted_in_memory trusted -> AnswersSafe.proof_in_memory proof ->
  grounds_of_answer_safe trusted proof = true /\ (forall basis, grounds_of_answer trusted proof = Ok basis -> 1 <= basis_vector_size basis).
Proof.
  intros trusted proof T P. pose proof (AnswersSafe.answer_basis_never_panics trusted proof T P) as [B BN].
  unfold grounds_of_answer_safe, grounds_of_answer, basis_of_answer_safe, basis_of_answer.
  rewrite AnswersSafe.check_answer_form_never_panics by apply P. cbn [andb].
  destruct (of_dictionary (check_answer_form _ _)); [|split; [reflexivity|discriminate]]. rewrite AnswersSafe.check_answer_about_never_panics by exact P. cbn [andb].
  destruct (of_dictionary (check_answer_about _ _ _)); [|split; [reflexivity|discriminate]]. rewrite B. cbn [andb].
  destruct (answer_basis trusted proof) as [basis|]; [|split; [reflexivity|discriminate]]. specialize (BN basis eq_refl). cbn [of_dictionary].
  rewrite AnswersSafe.check_answer_positions_never_panics by exact BN. cbn [andb].
  assert (E : check_answer_encodings_safe (proof_claims proof) = true) by (unfold check_answer_encodings_safe; each_check Hi; apply N.ltb_lt; lia). rewrite E.
  split; [destruct (of_dictionary _); reflexivity|]. intros found H.
  destruct (of_dictionary (check_answer_positions _ _)); [|discriminate]. destruct (of_dictionary (check_answer_encodings _)); [|discriminate]. now injection H as <-.
Qed.

Lemma table_fold_never_panics : forall claimed seed received, check_table_fold_safe setup claimed seed received = true.
Proof.
  intros claimed seed received. unfold check_table_fold_safe. destruct received as [fold|]; [|reflexivity]. unfold fold_shows_safe. destruct setup; [|reflexivity].
  destruct (points_of_fold fold); [|reflexivity]. apply fold_never_panics.
Qed.

(** ** Records *)

Lemma run_record_legal_placed : forall r moments, run_record_legal r moments = true -> record_placed r /\ 1 <= record_rows r /\ seq_length (record_root r) = 32.
Proof.
  intros r moments L. unfold run_record_legal in L. rewrite !andb_true_iff, !N.leb_le, !N.eqb_eq in L. destruct L as ((((A & B) & _) & R) & P). unfold is_some_place in P.
  destruct (layout_after 1 (record_log r) r) as [after|] eqn:E; [|discriminate]. apply Spec.Table.Sheet.layout_after_iff in E as (_ & some & _ & G & _).
  unfold max_sheet_log, MAX_SHEET_LOG in B. assert (L : record_log r <= 11) by (destruct (moments <=? 2); lia). split; [|split; assumption]. split; [exact L|].
  pose proof (proj2 (sheet_sizes _ L)). pose proof (Spec.Table.Sheet.guard_below_size (sheet_size (record_log r))). lia.
Qed.

Lemma run_record_legal_never_panics : forall r moments, run_record_legal_safe r moments = true.
Proof. intros r moments. unfold run_record_legal_safe. destruct (_ && _); [|reflexivity]. apply layout_after_never_panics. Qed.

Lemma row_never_panics : forall r cap row, record_placed r -> seq_length (record_root r) = 32 -> seq_length (row_path row) < 2 ^ 64 -> claims_of_held_row_safe r cap row = true.
Proof.
  intros r cap row [L B] R P. unfold claims_of_held_row_safe. apply andb_true_iff. split.
  - unfold row_holds_safe. cbv zeta. assert (W : within_usize (record_first r + record_rows r) = true) by (apply N.ltb_lt; change (2 ^ 64) with 18446744073709551616; lia).
    rewrite W. apply andb_true_iff. split; [destruct (_ <=? _); reflexivity|]. destruct (_ && _) eqn:E; [|reflexivity].
    apply andb_true_iff in E as [E E']. apply N.leb_le in E. apply N.ltb_lt in E'. rewrite (proj2 (N.leb_le _ _) E). unfold row_leaf_safe.
    apply andb_true_iff. split; [each_check Hi; apply N.ltb_lt; lia|]. cbn [andb]. rewrite RootSafe.root_of_path_never_panics by (assumption || change (2 ^ 64) with 18446744073709551616; lia).
    cbn [andb]. destruct (root_of_path _ _ _ _); [|reflexivity]. destruct (_ <=? _); [|reflexivity]. apply AnswersSafe.bytes_equal_never_panics_right. unfold short. rewrite R. reflexivity.
  - destruct (row_holds _ _ _); [|reflexivity]. unfold claim_of_row_safe. rewrite sheet_size_never_panics. pose proof (proj2 (sheet_sizes _ L)). now rewrite domain_point_never_panics by lia.
Qed.

Lemma expect_table_true : forall condition why, expect_table condition why = Ok tt -> condition = true.
Proof. intros condition why. apply Spec.Table.TableAnswerVerifier.expect_table_ok. Qed.

Lemma groups_of_query_never_panics : forall runs, seq_length runs <= 65536 -> rows_up_to runs (seq_length runs) < 2 ^ 64 -> (forall run, In run runs -> short (place_columns (run_place run))) ->
  groups_of_query_safe query schema runs = true.
Proof.
  intros runs few rows P. unfold groups_of_query_safe. destruct (_ =? FUNCTION_TOTALS); [|reflexivity].
  assert (A : key_widths_safe (schema_keys schema) = true) by (unfold key_widths_safe; each_check Hi; apply N.ltb_lt; lia). rewrite A. cbn [andb].
  apply group_totals_never_panics; [apply key_widths_in_memory|apply asked|exact P| |exact rows]. change (2 ^ 32) with 4294967296. lia.
Qed.

Lemma encode_stated_never_panics : forall answer, encode_stated_safe answer = true.
Proof.
  intros answer. unfold encode_stated_safe, encode_totals_safe, encode_stated_cut_safe. apply andb_true_iff. split.
  - each_check Hi. rewrite (proj2 (N.ltb_lt i _)) by lia. cbn [andb]. unfold encode_totals_step_safe, encode_totals_of_group_safe. rename checked into outer. each_check Hj. apply N.ltb_lt. lia.
  - destruct (answer_cut answer) as [cut|]; [|reflexivity]. unfold encode_cut_safe, encode_splits_safe. each_check Hi. apply N.ltb_lt. lia.
Qed.

End TableAnswers.
