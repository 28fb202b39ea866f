(* Translated from spec/src/table/long_answer.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Table.LongAnswer Base.BytesSafe Commitment.SchemeSafe
  Commitment.FoldedOpeningSafe Dictionary.SlotSafe Block.TransactionSafe Answer.VerifySafe
  Table.TableSchemaSafe Table.TableKeySafe Table.TableQuerySafe Table.TotalsSafe Table.CutGoalSafe
  Table.CutSafe Table.TableAnswerSafe Table.TableAnswerOrderSafe Table.TableAnswerClaimsSafe
  Table.TableAnswerVerifierSafe Table.RunSegmentsSafe Table.LongRunsSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [long_scan_slots] does not panic. *)
Definition long_scan_slots_safe (answer : LongAnswer) : bool :=
  let items := answer.(long_answer).(answer_proof).(proof_claims) in
  if seq_length answer.(long_shown) <=? seq_length items then
    (0 + (seq_length items - seq_length answer.(long_shown)) <=? seq_length items) &&
    slots_behind_first_safe (seq_slice items 0 (seq_length items - seq_length answer.(long_shown)))
  else
    true.

(** When [segment_slots_step] does not panic. *)
Definition segment_slots_step_safe (slots : Seq Slot) (items : Seq Claim) (c : usize) : bool :=
  c <? seq_length items.

(** When [segment_slots] does not panic. *)
Definition segment_slots_safe (answer : LongAnswer) : bool :=
  let items := answer.(long_answer).(answer_proof).(proof_claims) in
  let start :=
    if seq_length answer.(long_shown) <=? seq_length items then
      seq_length items - seq_length answer.(long_shown)
    else
      seq_length items
  in
  loop_safe
    (fun slots c => segment_slots_step slots items c)
    (fun slots c => segment_slots_step_safe slots items c)
    (range start (seq_length items))
    [].

(** When [runs_of_long_answer] does not panic. *)
Definition runs_of_long_answer_safe
    (query : TableQuery)
    (schema : TableSchema)
    (moments : usize)
    (answer : LongAnswer) : bool :=
  long_scan_slots_safe answer && entries_of_query_safe query (long_scan_slots answer) &&
  (match entries_of_query query (long_scan_slots answer) with
    | Ok entries =>
        match expect_table (seq_length entries <=? MAX_ANSWER_RUNS) TableReason_RunsExceeded with
        | Ok _count =>
            long_runs_of_entries_safe schema moments entries answer.(long_heads) &&
            (match long_runs_of_entries schema moments entries answer.(long_heads) with
              | Ok runs =>
                  rows_of_long_runs_safe runs &&
                  (match expect_table (rows_of_long_runs runs <? MAX_BOX_ROWS) TableReason_RunsExceeded with
                    | Ok _rows =>
                        segment_slots_safe answer &&
                        runs_with_segments_safe runs schema moments (segment_slots answer) answer.(long_shown)
                    | Err _ => true
                    end)
              | Err _ => true
              end)
        | Err _ => true
        end
    | Err _ => true
    end).

(** When [goal_of_long_runs] does not panic. *)
Definition goal_of_long_runs_safe (query : TableQuery) (runs : Seq LongRun) : bool :=
  rows_of_long_runs_safe runs &&
  (let rows := u128_of_usize (rows_of_long_runs runs) in
    cut_goal_safe query.(query_function) query.(query_a) query.(query_b) rows).

(** When [claims_of_long_cut] does not panic. *)
Definition claims_of_long_cut_safe
    (query : TableQuery)
    (cap : u64)
    (bits : usize)
    (runs : Seq LongRun)
    (stated : TableCut)
    (answer : TableAnswer)
    (answer_seed : ByteString) : bool :=
  records_of_long_runs_safe runs &&
  (let records := records_of_long_runs runs in
    hidden_rows_safe runs stated.(cut_splits) &&
    (let hidden := hidden_rows runs stated.(cut_splits) in
      goal_of_long_runs_safe query runs &&
      (let goal := goal_of_pieces (goal_of_long_runs query runs) (u128_of_usize hidden.(hidden_before)) in
        match expect_table hidden.(hidden_settled) TableReason_CutFalse with
        | Ok _settled =>
            work_of_cut_safe records (u128_of_u64 cap) goal stated &&
            (match work_of_cut records (u128_of_u64 cap) goal stated with
              | None => true
              | Some work =>
                  let received := answer.(answer_comparisons) in
                  comparison_count_safe (seq_length work.(work_rows)) &&
                  (let counted := seq_length received =? comparison_count (seq_length work.(work_rows)) in
                    match expect_table counted TableReason_PartsMismatched with
                    | Ok _count =>
                        with_comparisons_safe
                          (claims_alone work.(work_claims))
                          bits
                          answer_seed
                          work.(work_rows)
                          received
                    | Err _ => true
                    end)
              end)
        | Err _ => true
        end))).

(** When [long_asks_for_nothing] does not panic. *)
Definition long_asks_for_nothing_safe (query : TableQuery) (runs : Seq LongRun) : bool :=
  goal_of_long_runs_safe query runs.

(** When [claims_of_long_order] does not panic. *)
Definition claims_of_long_order_safe
    (query : TableQuery)
    (cap : u64)
    (bits : usize)
    (runs : Seq LongRun)
    (answer : LongAnswer)
    (answer_seed : ByteString) : bool :=
  match answer.(long_answer).(answer_cut) with
  | None => long_asks_for_nothing_safe query runs
  | Some stated => claims_of_long_cut_safe query cap bits runs stated answer.(long_answer) answer_seed
  end.

(** When [claims_of_long_row] does not panic. *)
Definition claims_of_long_row_safe
    (row_columns : usize)
    (cap : u64)
    (runs : Seq LongRun)
    (answer : LongAnswer) : bool :=
  match answer.(long_answer).(answer_row) with
  | None => true
  | Some row =>
      records_of_long_runs_safe runs &&
      (let records := records_of_long_runs runs in
        let shaped := (seq_length row.(row_salt) =? 16) && (seq_length row.(row_texts) =? row_columns) in
        let alone :=
          (seq_length answer.(long_answer).(answer_totals) =? 0) && (seq_length answer.(long_shown) <=? 1)
        in
        if shaped && alone && (seq_length runs =? 1) && (1 <=? seq_length records) then
          (seq_length records - 1 <? seq_length records) &&
          claims_of_held_row_safe (seq_at records (seq_length records - 1)) cap row
        else
          true)
  end.

(** When [claims_of_long_answer] does not panic. *)
Definition claims_of_long_answer_safe
    (query : TableQuery)
    (schema : TableSchema)
    (cap : u64)
    (runs : Seq LongRun)
    (groups : Seq GroupTotals)
    (answer : LongAnswer)
    (answer_seed : ByteString) : bool :=
  let stated := answer.(long_answer) in
  if query.(query_function) =? FUNCTION_TOTALS then
    let alone := states_no_order stated && (seq_length answer.(long_shown) =? 0) in
    match expect_table alone TableReason_PartsMismatched with
    | Ok _order => claims_of_stated_totals_safe query cap groups stated
    | Err _ => true
    end
  else if query.(query_function) =? FUNCTION_ROW then
    match expect_table (states_no_order stated) TableReason_PartsMismatched with
    | Ok _order => claims_of_long_row_safe (seq_length schema.(schema_rows)) cap runs answer
    | Err _ => true
    end
  else
    let alone := (seq_length stated.(answer_totals) =? 0) && negb (shows_row stated) in
    match expect_table alone TableReason_PartsMismatched with
    | Ok _alone => claims_of_long_order_safe query cap (bits_of_query query schema) runs answer answer_seed
    | Err _ => true
    end.

(** When [encode_long_runs_step] does not panic. *)
Definition encode_long_runs_step_safe (encoded : ByteString) (run : LongRun) : bool :=
  encode_long_head_safe run.(long_head).

(** When [encode_long_runs] does not panic. *)
Definition encode_long_runs_safe (runs : Seq LongRun) : bool :=
  loop_safe
    (fun encoded k => encode_long_runs_step encoded (seq_at runs k))
    (fun encoded k => (k <? seq_length runs) && encode_long_runs_step_safe encoded (seq_at runs k))
    (range 0 (seq_length runs))
    [].

(** When [encode_segment_slots] does not panic. *)
Definition encode_segment_slots_safe (slots : Seq Slot) : bool :=
  loop_safe
    (fun encoded i => encode_segment_slots_step encoded (seq_at slots i))
    (fun encoded i => i <? seq_length slots)
    (range 0 (seq_length slots))
    [].

(** When [long_answer_seed] does not panic. *)
Definition long_answer_seed_safe
    (dictionary : ByteString)
    (answer : LongAnswer)
    (query : TableQuery)
    (schema : TableSchema)
    (runs : Seq LongRun) : bool :=
  let stated := answer.(long_answer) in
  encode_table_query_safe query &&
  (encode_schema_safe schema && encode_long_runs_safe runs &&
    (segment_slots_safe answer && encode_segment_slots_safe (segment_slots answer)) &&
    encode_stated_safe stated).

(** When [verify_long_answer] does not panic. *)
Definition verify_long_answer_safe
    (setup : Setup)
    (trusted : Trusted)
    (query : TableQuery)
    (schema : TableSchema)
    (answer : LongAnswer) : bool :=
  query_fits_schema_safe query schema &&
  (match expect_table (query_fits_schema query schema) TableReason_QueryIllegal with
    | Ok _query =>
        let stated := answer.(long_answer) in
        let proof := stated.(answer_proof) in
        grounds_of_answer_safe trusted proof &&
        (match grounds_of_answer trusted proof with
          | Ok basis =>
              schema_is_claimed_safe proof query schema &&
              (match expect_table (schema_is_claimed proof query schema) TableReason_SchemaMismatched with
                | Ok _schema =>
                    runs_of_long_answer_safe query schema (moments_of_query query schema) answer &&
                    (match runs_of_long_answer query schema (moments_of_query query schema) answer with
                      | Ok runs =>
                          whole_runs_safe runs && groups_of_query_safe query schema (whole_runs runs) &&
                          (let groups := groups_of_query query schema (whole_runs runs) in
                            long_answer_seed_safe (trusted_dictionary trusted) answer query schema runs &&
                            (let answer_seed :=
                                long_answer_seed (trusted_dictionary trusted) answer query schema runs
                              in
                              let cap := cap_of_query query schema in
                              claims_of_long_answer_safe query schema cap runs groups answer answer_seed &&
                              (match claims_of_long_answer
                                    query
                                    schema
                                    cap
                                    runs
                                    groups
                                    answer
                                    answer_seed with
                                | Ok claimed =>
                                    match check_fold_form claimed.(claims_stated) stated.(answer_opening) with
                                    | Ok _fold =>
                                        check_answer_openings_safe setup basis proof.(proof_claims) &&
                                        (match of_dictionary
                                              (check_answer_openings setup basis proof.(proof_claims)) with
                                          | Ok _openings =>
                                              let fold_seed :=
                                                table_fold_seed answer_seed claimed.(claims_seeds)
                                              in
                                              check_table_fold_safe
                                                setup
                                                claimed.(claims_stated)
                                                fold_seed
                                                stated.(answer_opening)
                                          | Err _ => true
                                          end)
                                    | Err _ => true
                                    end
                                | Err _ => true
                                end)))
                      | Err _ => true
                      end)
                | Err _ => true
                end)
          | Err _ => true
          end)
    | Err _ => true
    end).

End Specification.
