(* Translated from spec/src/table/long_answer.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Answers about boxes whose runs may have several segments: as
    [`crate::table::table_answer_verifier`], which is the case where each has one. Runs and their
    pieces are those of [`crate::table::long_runs`].

    Source: docs/tables.md, "Runs of several segments". *)
From AardvarkSpec Require Export Prelude Base.Integers Base.Bytes Base.Hash Commitment.Scheme
  Commitment.FoldedOpening Dictionary.Slot Block.Transaction Answer.AnswerProof Answer.Verify Table.TableSchema
  Table.TableKey Table.TableQuery Table.Totals Table.CutGoal Table.Cut Table.TableAnswer Table.TableAnswerOrder
  Table.TableAnswerClaims Table.TableAnswerVerifier Table.RunSegments Table.LongRuns.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** An answer whose runs may have several segments. *)
Record LongAnswer : Type := {
  (** The answer. The claims of its dictionary end with those of the segments. *)
  long_answer : TableAnswer;
  (** What the values of the runs in the box decode to, in the place of the answer's own heads. *)
  long_heads : Seq LongHead;
  (** What the values of the segments' claims decode to. *)
  long_shown : Seq RunPiece;
}.

(** The slots of the scan: those of all claims but the first and the segments'. *)
Definition long_scan_slots (answer : LongAnswer) : Seq Slot :=
  let items := answer.(long_answer).(answer_proof).(proof_claims) in
  if seq_length answer.(long_shown) <=? seq_length items then
    slots_behind_first (seq_slice items 0 (seq_length items - seq_length answer.(long_shown)))
  else
    [].

(** One step of [`segment_slots`]. *)
Definition segment_slots_step (slots : Seq Slot) (items : Seq Claim) (c : usize) : Seq Slot :=
  slots ++ [(seq_at items c).(claim_slot)].

(** The slots of the segments. *)
Definition segment_slots (answer : LongAnswer) : Seq Slot :=
  let items := answer.(long_answer).(answer_proof).(proof_claims) in
  let start :=
    if seq_length answer.(long_shown) <=? seq_length items then
      seq_length items - seq_length answer.(long_shown)
    else
      seq_length items
  in
  fold_left (fun slots c => segment_slots_step slots items c) (range start (seq_length items)) [].

(** The runs that a query is about, with the pieces that the answer shows. *)
Definition runs_of_long_answer
    (query : TableQuery)
    (schema : TableSchema)
    (moments : usize)
    (answer : LongAnswer) : Result (Seq LongRun) TableRefusal :=
  match entries_of_query query (long_scan_slots answer) with
  | Ok entries =>
      match expect_table (seq_length entries <=? MAX_ANSWER_RUNS) TableReason_RunsExceeded with
      | Ok _count =>
          match long_runs_of_entries schema moments entries answer.(long_heads) with
          | Ok runs =>
              match expect_table (rows_of_long_runs runs <? MAX_BOX_ROWS) TableReason_RunsExceeded with
              | Ok _rows => runs_with_segments runs schema moments (segment_slots answer) answer.(long_shown)
              | Err e' => Err e'
              end
          | Err e' => Err e'
          end
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

(** What is asked for of the pieces, where so many rows before the cut are not shown; nothing where
    these are too many. *)
Definition goal_of_pieces (goal : CutGoal) (hidden : u128) : CutGoal :=
  match goal with
  | CutGoal_NoCut => CutGoal_NoCut
  | CutGoal_BelowNumber number => CutGoal_BelowNumber number
  | CutGoal_AtRank rank => if hidden <=? rank then CutGoal_AtRank (rank - hidden) else CutGoal_NoCut
  | CutGoal_AroundRank rank => if hidden <=? rank then CutGoal_AroundRank (rank - hidden) else CutGoal_NoCut
  end.

(** What a query about order asks for, of these runs. *)
Definition goal_of_long_runs (query : TableQuery) (runs : Seq LongRun) : CutGoal :=
  let rows := u128_of_usize (rows_of_long_runs runs) in
  cut_goal query.(query_function) query.(query_a) query.(query_b) rows.

(** The claims of a stated cut of the pieces of runs, of numbers of so many bits. *)
Definition claims_of_long_cut
    (query : TableQuery)
    (cap : u64)
    (bits : usize)
    (runs : Seq LongRun)
    (stated : TableCut)
    (answer : TableAnswer)
    (answer_seed : ByteString) : Result AnswerClaims TableRefusal :=
  let records := records_of_long_runs runs in
  let hidden := hidden_rows runs stated.(cut_splits) in
  let goal := goal_of_pieces (goal_of_long_runs query runs) (u128_of_usize hidden.(hidden_before)) in
  match expect_table hidden.(hidden_settled) TableReason_CutFalse with
  | Ok _settled =>
      match work_of_cut records (u128_of_u64 cap) goal stated with
      | None => Err (refuse_table TableReason_CutFalse)
      | Some work =>
          let received := answer.(answer_comparisons) in
          let counted := seq_length received =? comparison_count (seq_length work.(work_rows)) in
          match expect_table counted TableReason_PartsMismatched with
          | Ok _count =>
              with_comparisons (claims_alone work.(work_claims)) bits answer_seed work.(work_rows) received
          | Err e' => Err e'
          end
      end
  | Err e' => Err e'
  end.

(** Whether a query about order asks for nothing of these runs. *)
Definition long_asks_for_nothing (query : TableQuery) (runs : Seq LongRun) : bool :=
  match goal_of_long_runs query runs with
  | CutGoal_NoCut => true
  | CutGoal_AtRank _ => false
  | CutGoal_AroundRank _ => false
  | CutGoal_BelowNumber _ => false
  end.

(** The claims of an answer to a query about order. Where nothing is asked for, nothing is shown. *)
Definition claims_of_long_order
    (query : TableQuery)
    (cap : u64)
    (bits : usize)
    (runs : Seq LongRun)
    (answer : LongAnswer)
    (answer_seed : ByteString) : Result AnswerClaims TableRefusal :=
  match answer.(long_answer).(answer_cut) with
  | None =>
      let bare :=
        (seq_length answer.(long_answer).(answer_comparisons) =? 0) && (seq_length answer.(long_shown) =? 0)
      in
      match expect_table (long_asks_for_nothing query runs && bare) TableReason_PartsMismatched with
      | Ok _nothing => Ok (claims_alone [])
      | Err e' => Err e'
      end
  | Some stated => claims_of_long_cut query cap bits runs stated answer.(long_answer) answer_seed
  end.

(** The claims of the row that an answer shows, of the last piece of its run: of the first segment,
    or of the only one that is shown. *)
Definition claims_of_long_row
    (row_columns : usize)
    (cap : u64)
    (runs : Seq LongRun)
    (answer : LongAnswer) : Result (Seq FoldedClaim) TableRefusal :=
  match answer.(long_answer).(answer_row) with
  | None => Err (refuse_table TableReason_PartsMismatched)
  | Some row =>
      let records := records_of_long_runs runs in
      let shaped := (seq_length row.(row_salt) =? 16) && (seq_length row.(row_texts) =? row_columns) in
      let alone :=
        (seq_length answer.(long_answer).(answer_totals) =? 0) && (seq_length answer.(long_shown) <=? 1)
      in
      if shaped && alone && (seq_length runs =? 1) && (1 <=? seq_length records) then
        claims_of_held_row (seq_at records (seq_length records - 1)) cap row
      else
        Err (refuse_table TableReason_PartsMismatched)
  end.

(** The claims of what an answer with this seed states, by the query's function. *)
Definition claims_of_long_answer
    (query : TableQuery)
    (schema : TableSchema)
    (cap : u64)
    (runs : Seq LongRun)
    (groups : Seq GroupTotals)
    (answer : LongAnswer)
    (answer_seed : ByteString) : Result AnswerClaims TableRefusal :=
  let stated := answer.(long_answer) in
  if query.(query_function) =? FUNCTION_TOTALS then
    let alone := states_no_order stated && (seq_length answer.(long_shown) =? 0) in
    match expect_table alone TableReason_PartsMismatched with
    | Ok _order => claims_without_order (claims_of_stated_totals query cap groups stated)
    | Err e' => Err e'
    end
  else if query.(query_function) =? FUNCTION_ROW then
    match expect_table (states_no_order stated) TableReason_PartsMismatched with
    | Ok _order => claims_without_order (claims_of_long_row (seq_length schema.(schema_rows)) cap runs answer)
    | Err e' => Err e'
    end
  else
    let alone := (seq_length stated.(answer_totals) =? 0) && negb (shows_row stated) in
    match expect_table alone TableReason_PartsMismatched with
    | Ok _alone => claims_of_long_order query cap (bits_of_query query schema) runs answer answer_seed
    | Err e' => Err e'
    end.

(** One step of [`encode_long_runs`]. *)
Definition encode_long_runs_step (encoded : ByteString) (run : LongRun) : ByteString :=
  encoded ++
  bytes8 (encode_table_key (TableKey_HeadKey run.(long_place))) ++
  bytes16 (encode_long_head run.(long_head)).

(** `(bytes8(key) || bytes16(head))*` *)
Definition encode_long_runs (runs : Seq LongRun) : ByteString :=
  fold_left (fun encoded k => encode_long_runs_step encoded (seq_at runs k)) (range 0 (seq_length runs)) [].

(** One step of [`encode_segment_slots`]. *)
Definition encode_segment_slots_step (encoded : ByteString) (slot : Slot) : ByteString :=
  encoded ++ bytes8 slot.(key) ++ bytes16 slot.(value).

(** `(bytes8(key) || bytes16(segment))*` *)
Definition encode_segment_slots (slots : Seq Slot) : ByteString :=
  fold_left
    (fun encoded i => encode_segment_slots_step encoded (seq_at slots i))
    (range 0 (seq_length slots))
    [].

(** a0, which binds the segments that are shown besides. *)
Definition long_answer_seed
    (dictionary : ByteString)
    (answer : LongAnswer)
    (query : TableQuery)
    (schema : TableSchema)
    (runs : Seq LongRun) : ByteString :=
  let stated := answer.(long_answer) in
  let about := dictionary ++ u64_bytes stated.(answer_proof).(proof_version) ++ encode_table_query query in
  let schema_key := encode_table_key (TableKey_SchemaKey query.(query_table)) in
  let bound :=
    about ++
    bytes8 schema_key ++
    bytes16 (encode_schema schema) ++
    u32_bytes (seq_length runs) ++
    encode_long_runs runs ++
    u32_bytes (seq_length answer.(long_shown)) ++
    encode_segment_slots (segment_slots answer) ++
    encode_stated stated
  in
  tagged_hash tag_table_answer bound.

(** What an accepted answer says of runs that may have several segments. *)
Record LongOutcome : Type := {
  (** The runs of the box, with the pieces that were shown. *)
  long_outcome_runs : Seq LongRun;
  (** The groups, with their rows; empty for a row. *)
  long_outcome_groups : Seq GroupTotals;
  (** For each group S_1, S_2, .., as far as they were asked for; 32 bytes each. *)
  long_outcome_totals : Seq (Seq ByteString);
  (** The cut of the pieces at the rank or number that was asked for. *)
  long_outcome_cut : Option TableCut;
}.

#[global] Instance Default_LongOutcome : Default LongOutcome := {| long_outcome_runs := default; long_outcome_groups := default; long_outcome_totals := default; long_outcome_cut := default |}.

(** What an answer says about a query of a legal schema's table, under what is trusted; or why it
    says nothing. *)
Definition verify_long_answer
    (setup : Setup)
    (trusted : Trusted)
    (query : TableQuery)
    (schema : TableSchema)
    (answer : LongAnswer) : Result LongOutcome TableRefusal :=
  match expect_table (query_fits_schema query schema) TableReason_QueryIllegal with
  | Ok _query =>
      let stated := answer.(long_answer) in
      let proof := stated.(answer_proof) in
      match grounds_of_answer trusted proof with
      | Ok basis =>
          match expect_table (schema_is_claimed proof query schema) TableReason_SchemaMismatched with
          | Ok _schema =>
              match runs_of_long_answer query schema (moments_of_query query schema) answer with
              | Ok runs =>
                  let groups := groups_of_query query schema (whole_runs runs) in
                  let answer_seed := long_answer_seed (trusted_dictionary trusted) answer query schema runs in
                  let cap := cap_of_query query schema in
                  match claims_of_long_answer query schema cap runs groups answer answer_seed with
                  | Ok claimed =>
                      match check_fold_form claimed.(claims_stated) stated.(answer_opening) with
                      | Ok _fold =>
                          match of_dictionary (check_answer_openings setup basis proof.(proof_claims)) with
                          | Ok _openings =>
                              let fold_seed := table_fold_seed answer_seed claimed.(claims_seeds) in
                              match check_table_fold
                                  setup
                                  claimed.(claims_stated)
                                  fold_seed
                                  stated.(answer_opening) with
                              | Ok _shown =>
                                  Ok
                                    {| long_outcome_runs := runs;
                                      long_outcome_groups := groups;
                                      long_outcome_totals := stated.(answer_totals);
                                      long_outcome_cut := stated.(answer_cut) |}
                              | Err e' => Err e'
                              end
                          | Err e' => Err e'
                          end
                      | Err e' => Err e'
                      end
                  | Err e' => Err e'
                  end
              | Err e' => Err e'
              end
          | Err e' => Err e'
          end
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

End Specification.
