(* Translated from spec/src/table/long_runs.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Table.LongRuns Base.BytesSafe Dictionary.SlotSafe Dictionary.KeyMapSafe
  Table.RunRecordSafe Table.TableSchemaSafe Table.TableKeySafe Table.TotalsSafe Table.RunSegmentsSafe
  Table.TableAnswerSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [piece_follows] does not panic. *)
Definition piece_follows_safe (head : LongHead) (moments : usize) (last piece : RunPiece) : bool :=
  run_record_legal_safe piece.(piece_record) moments &&
  (if run_record_legal piece.(piece_record) moments && (last.(piece_number) <? piece.(piece_number)) &&
      (piece.(piece_number) <? head.(long_segments)) &&
      (piece.(piece_rank) <? MAX_BOX_ROWS) then
      within_usize (last.(piece_rank) + last.(piece_record).(record_rows)) &&
      (let before := last.(piece_rank) + last.(piece_record).(record_rows) in
        (last.(piece_number) <=? piece.(piece_number)) &&
        (1 <=? piece.(piece_number) - last.(piece_number)) &&
        (let skipped := piece.(piece_number) - last.(piece_number) - 1 in
          (piece.(piece_number) <=? head.(long_segments)) &&
          (1 <=? head.(long_segments) - piece.(piece_number)) &&
          (let left' := head.(long_segments) - piece.(piece_number) - 1 in
            within_usize (piece.(piece_rank) + piece.(piece_record).(record_rows)) &&
            (let behind := piece.(piece_rank) + piece.(piece_record).(record_rows) in
              (if skipped =? 0 then true else within_usize (before + skipped)) &&
              (let begins :=
                  if skipped =? 0 then
                    piece.(piece_rank) =? before
                  else
                    before + skipped <=? piece.(piece_rank)
                in
                if begins then if left' =? 0 then true else within_usize (behind + left') else true)))))
    else
      true).

(** When [long_run_of_entry] does not panic. *)
Definition long_run_of_entry_safe
    (schema : TableSchema)
    (moments : usize)
    (entry : KeyEntry)
    (head : LongHead) : bool :=
  decode_table_key_safe schema entry.(entry_key) &&
  (match decode_table_key schema entry.(entry_key) with
    | Err _ => true
    | Ok found =>
        match found with
        | TableKey_SchemaKey _ => true
        | TableKey_SegmentKey _ => true
        | TableKey_HeadKey place =>
            long_head_legal_safe head moments &&
            (if long_head_legal head moments then
                encode_long_head_safe head && bytes_equal_safe (encode_long_head head) entry.(entry_value)
              else
                true)
        end
    end).

(** When [long_runs_of_entries_step] does not panic. *)
Definition long_runs_of_entries_step_safe
    (runs : Result (Seq LongRun) TableRefusal)
    (schema : TableSchema)
    (moments : usize)
    (entry : KeyEntry)
    (heads : Seq LongHead)
    (i : usize) : bool :=
  match runs with
  | Err refusal => true
  | Ok before =>
      if i <? seq_length heads then long_run_of_entry_safe schema moments entry (seq_at heads i) else true
  end.

(** When [long_runs_of_entries] does not panic. *)
Definition long_runs_of_entries_safe
    (schema : TableSchema)
    (moments : usize)
    (entries : KeyMap)
    (heads : Seq LongHead) : bool :=
  loop_safe
    (fun runs i => long_runs_of_entries_step runs schema moments (seq_at entries i) heads i)
    (fun runs i =>
      (i <? seq_length entries) &&
      long_runs_of_entries_step_safe runs schema moments (seq_at entries i) heads i)
    (range 0 (seq_length entries))
    (Ok []).

(** When [segment_is_of] does not panic. *)
Definition segment_is_of_safe (run : LongRun) (place : SegmentPlace) : bool :=
  bytes_equal_safe
    (encode_table_key (TableKey_HeadKey run.(long_place)))
    (encode_table_key (TableKey_HeadKey place.(segment_place_run))).

(** When [run_with_piece] does not panic. *)
Definition run_with_piece_safe (run : LongRun) (moments : usize) (piece : RunPiece) : bool :=
  let pieces := run.(long_pieces) in
  if 0 <? seq_length pieces then
    (1 <=? seq_length pieces) && (seq_length pieces - 1 <? seq_length pieces) &&
    piece_follows_safe run.(long_head) moments (seq_at pieces (seq_length pieces - 1)) piece
  else
    true.

(** When [runs_with_piece_step] does not panic. *)
Definition runs_with_piece_step_safe
    (grown : RunsGrown)
    (run : LongRun)
    (moments : usize)
    (place : SegmentPlace)
    (piece : RunPiece) : bool :=
  segment_is_of_safe run place &&
  (if segment_is_of run place then run_with_piece_safe run moments piece else true).

(** When [runs_with_piece] does not panic. *)
Definition runs_with_piece_safe
    (runs : Seq LongRun)
    (moments : usize)
    (place : SegmentPlace)
    (piece : RunPiece) : bool :=
  loop_safe
    (fun grown k => runs_with_piece_step grown (seq_at runs k) moments place piece)
    (fun grown k =>
      (k <? seq_length runs) && runs_with_piece_step_safe grown (seq_at runs k) moments place piece)
    (range 0 (seq_length runs))
    {| grown_runs := []; grown_found := false |}.

(** When [runs_with_segment] does not panic. *)
Definition runs_with_segment_safe
    (runs : Seq LongRun)
    (schema : TableSchema)
    (moments : usize)
    (slot : Slot)
    (piece : RunPiece) : bool :=
  decode_table_key_safe schema slot.(key) &&
  (match decode_table_key schema slot.(key) with
    | Err _ => true
    | Ok found =>
        match found with
        | TableKey_SchemaKey _ => true
        | TableKey_HeadKey _ => true
        | TableKey_SegmentKey place =>
            encode_run_piece_safe piece && bytes_equal_safe (encode_run_piece piece) slot.(value) &&
            (if bytes_equal (encode_run_piece piece) slot.(value) &&
                (piece.(piece_number) =? place.(segment_place_number)) then
                runs_with_piece_safe runs moments place piece
              else
                true)
        end
    end).

(** When [runs_with_segments_step] does not panic. *)
Definition runs_with_segments_step_safe
    (found : Result (Seq LongRun) TableRefusal)
    (schema : TableSchema)
    (moments : usize)
    (slots : Seq Slot)
    (piece : RunPiece)
    (i : usize) : bool :=
  match found with
  | Err refusal => true
  | Ok runs =>
      if i <? seq_length slots then
        runs_with_segment_safe runs schema moments (seq_at slots i) piece &&
        (match runs_with_segment runs schema moments (seq_at slots i) piece with
          | None => within_usize (seq_length runs + i)
          | Some longer => true
          end)
      else
        within_usize (seq_length runs + i)
  end.

(** When [runs_with_segments] does not panic. *)
Definition runs_with_segments_safe
    (runs : Seq LongRun)
    (schema : TableSchema)
    (moments : usize)
    (slots : Seq Slot)
    (shown : Seq RunPiece) : bool :=
  loop_safe
    (fun found i => runs_with_segments_step found schema moments slots (seq_at shown i) i)
    (fun found i =>
      (i <? seq_length shown) && runs_with_segments_step_safe found schema moments slots (seq_at shown i) i)
    (range 0 (seq_length shown))
    (Ok runs).

(** When [rows_of_long_runs_step] does not panic. *)
Definition rows_of_long_runs_step_safe (total : usize) (run : LongRun) : bool :=
  within_usize (total + run.(long_head).(long_rows)).

(** When [rows_of_long_runs] does not panic. *)
Definition rows_of_long_runs_safe (runs : Seq LongRun) : bool :=
  loop_safe
    (fun total k => rows_of_long_runs_step total (seq_at runs k))
    (fun total k => (k <? seq_length runs) && rows_of_long_runs_step_safe total (seq_at runs k))
    (range 0 (seq_length runs))
    0.

(** When [whole_runs] does not panic. *)
Definition whole_runs_safe (runs : Seq LongRun) : bool :=
  loop_safe
    (fun whole k => whole_runs_step whole (seq_at runs k))
    (fun whole k => k <? seq_length runs)
    (range 0 (seq_length runs))
    [].

(** When [records_of_pieces] does not panic. *)
Definition records_of_pieces_safe (before : Seq RunRecord) (run : LongRun) : bool :=
  loop_safe
    (fun records i => records_of_pieces_step records (seq_at run.(long_pieces) i))
    (fun records i => i <? seq_length run.(long_pieces))
    (range 0 (seq_length run.(long_pieces)))
    before.

(** When [records_of_long_runs_step] does not panic. *)
Definition records_of_long_runs_step_safe (records : Seq RunRecord) (run : LongRun) : bool :=
  records_of_pieces_safe records run.

(** When [records_of_long_runs] does not panic. *)
Definition records_of_long_runs_safe (runs : Seq LongRun) : bool :=
  loop_safe
    (fun records k => records_of_long_runs_step records (seq_at runs k))
    (fun records k => (k <? seq_length runs) && records_of_long_runs_step_safe records (seq_at runs k))
    (range 0 (seq_length runs))
    [].

(** When [rows_hidden_behind] does not panic. *)
Definition rows_hidden_behind_safe (run : LongRun) (i : usize) : bool :=
  (i <? seq_length run.(long_pieces)) && (i <? seq_length run.(long_pieces)) &&
  within_usize
    ((seq_at run.(long_pieces) i).(piece_rank) + (seq_at run.(long_pieces) i).(piece_record).(record_rows)) &&
  (within_usize (i + 1) && (if i + 1 <? seq_length run.(long_pieces) then within_usize (i + 1) else true)).

(** When [hidden_of_run_step] does not panic. *)
Definition hidden_of_run_step_safe
    (found : HiddenRows)
    (run : LongRun)
    (splits : Seq usize)
    (i : usize) : bool :=
  rows_hidden_behind_safe run i &&
  (let hidden := rows_hidden_behind run i in
    let place := found.(hidden_place) in
    within_usize (i + 1) &&
    (if i + 1 <? seq_length run.(long_pieces) then within_usize (place + 1) else true) &&
    (if (i + 1 <? seq_length run.(long_pieces)) && (place + 1 <? seq_length splits) then
        within_usize (place + 1)
      else
        true) &&
    (let next_before :=
        if (i + 1 <? seq_length run.(long_pieces)) && (place + 1 <? seq_length splits) then
          1 <=? seq_at splits (place + 1)
        else
          false
      in
      (if place <? seq_length splits then i <? seq_length run.(long_pieces) else true) &&
      (within_usize (place + 1) &&
        (if next_before then within_usize (found.(hidden_before) + hidden) else true)))).

(** When [hidden_of_run] does not panic. *)
Definition hidden_of_run_safe (before : HiddenRows) (run : LongRun) (splits : Seq usize) : bool :=
  loop_safe
    (fun found i => hidden_of_run_step found run splits i)
    (fun found i => hidden_of_run_step_safe found run splits i)
    (range 0 (seq_length run.(long_pieces)))
    before.

(** When [hidden_rows_step] does not panic. *)
Definition hidden_rows_step_safe (found : HiddenRows) (run : LongRun) (splits : Seq usize) : bool :=
  hidden_of_run_safe found run splits.

(** When [hidden_rows] does not panic. *)
Definition hidden_rows_safe (runs : Seq LongRun) (splits : Seq usize) : bool :=
  loop_safe
    (fun found k => hidden_rows_step found (seq_at runs k) splits)
    (fun found k => (k <? seq_length runs) && hidden_rows_step_safe found (seq_at runs k) splits)
    (range 0 (seq_length runs))
    {| hidden_place := 0; hidden_before := 0; hidden_settled := true |}.

End Specification.
