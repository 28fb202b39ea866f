(* Translated from spec/src/table/long_runs.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** The runs of a box where they may have several segments, with the segments that an answer shows.

    A head shows the rows and the totals of its whole run. Of the order of its rows, or of a row, an
    answer shows as many of its segments as it needs, as claims behind those of the scan. The first
    segment is in the head; it and the shown ones are the run's **pieces**. A cut states a split for
    each piece, in the order of the runs, and ends by the places of pieces.

    Rows that lie between two neighbouring pieces, or behind the last, are not shown. They are
    before the cut where the piece behind them has a row before it, since that row is at least as
    large as they are; behind the cut where the piece in front of them has a row behind it; else the
    cut is refused. So the rank that is asked for, less the rows that are not shown and are before
    the cut, is that of the cut of the pieces ([`crate::table::cut`]).

    Source: docs/tables.md, "Runs of several segments". *)
From AardvarkSpec Require Export Prelude Base.Bytes Dictionary.Slot Dictionary.KeyMap Table.RunRecord
  Table.TableSchema Table.TableKey Table.Totals Table.RunSegments Table.TableAnswer.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** A run of a box, with the pieces that an answer shows of it. *)
Record LongRun : Type := {
  (** Where it stands. *)
  long_place : RunPlace;
  (** Its head. *)
  long_head : LongHead;
  (** Its pieces, ascending: the first segment, and those that are shown. *)
  long_pieces : Seq RunPiece;
}.

#[global] Instance Default_LongRun : Default LongRun := {| long_place := default; long_head := default; long_pieces := default |}.

(** Rows that are not shown, while pieces are gone through. *)
Record HiddenRows : Type := {
  (** The place of the next piece among those of all runs. *)
  hidden_place : usize;
  (** How many of them are before the cut. *)
  hidden_before : usize;
  (** Whether each of them is on a side of the cut. *)
  hidden_settled : bool;
}.

#[global] Instance Default_HiddenRows : Default HiddenRows := {| hidden_place := default; hidden_before := default; hidden_settled := default |}.

(** The first segment of a run. *)
Definition first_piece (head : LongHead) : RunPiece :=
  {| piece_number := 0; piece_rank := 0; piece_record := head.(long_record) |}.

(** Whether a piece may be that with its number in a run with this head, behind another one. *)
Definition piece_follows (head : LongHead) (moments : usize) (last piece : RunPiece) : bool :=
  if run_record_legal piece.(piece_record) moments && (last.(piece_number) <? piece.(piece_number)) &&
    (piece.(piece_number) <? head.(long_segments)) &&
    (piece.(piece_rank) <? MAX_BOX_ROWS) then
    let before := last.(piece_rank) + last.(piece_record).(record_rows) in
    let skipped := piece.(piece_number) - last.(piece_number) - 1 in
    let left' := head.(long_segments) - piece.(piece_number) - 1 in
    let behind := piece.(piece_rank) + piece.(piece_record).(record_rows) in
    let begins :=
      if skipped =? 0 then piece.(piece_rank) =? before else before + skipped <=? piece.(piece_rank)
    in
    begins && (if left' =? 0 then behind =? head.(long_rows) else behind + left' <=? head.(long_rows))
  else
    false.

(** The run of an entry, if its key is a head's, and its value the encoding of a legal head. *)
Definition long_run_of_entry
    (schema : TableSchema)
    (moments : usize)
    (entry : KeyEntry)
    (head : LongHead) : Option LongRun :=
  match decode_table_key schema entry.(entry_key) with
  | Err _ => None
  | Ok found =>
      match found with
      | TableKey_SchemaKey _ => None
      | TableKey_SegmentKey _ => None
      | TableKey_HeadKey place =>
          if long_head_legal head moments && bytes_equal (encode_long_head head) entry.(entry_value) then
            Some {| long_place := place; long_head := head; long_pieces := [] ++ [first_piece head] |}
          else
            None
      end
  end.

(** One step of [`long_runs_of_entries`]. *)
Definition long_runs_of_entries_step
    (runs : Result (Seq LongRun) TableRefusal)
    (schema : TableSchema)
    (moments : usize)
    (entry : KeyEntry)
    (heads : Seq LongHead)
    (i : usize) : Result (Seq LongRun) TableRefusal :=
  match runs with
  | Err refusal => Err refusal
  | Ok before =>
      if i <? seq_length heads then
        match long_run_of_entry schema moments entry (seq_at heads i) with
        | None => Err (refuse_table_item TableReason_RunMalformed i)
        | Some run => Ok (before ++ [run])
        end
      else
        Err (refuse_table_item TableReason_RunMalformed i)
  end.

(** The runs of entries, with the heads that their values decode to. *)
Definition long_runs_of_entries
    (schema : TableSchema)
    (moments : usize)
    (entries : KeyMap)
    (heads : Seq LongHead) : Result (Seq LongRun) TableRefusal :=
  fold_left
    (fun runs i => long_runs_of_entries_step runs schema moments (seq_at entries i) heads i)
    (range 0 (seq_length entries))
    (Ok []).

(** Whether a segment's place is in a run. *)
Definition segment_is_of (run : LongRun) (place : SegmentPlace) : bool :=
  bytes_equal
    (encode_table_key (TableKey_HeadKey run.(long_place)))
    (encode_table_key (TableKey_HeadKey place.(segment_place_run))) &&
  (run.(long_head).(long_revision) =? place.(segment_place_revision)).

(** A run with one more piece, if it is one of the run. *)
Definition run_with_piece (run : LongRun) (moments : usize) (piece : RunPiece) : Option LongRun :=
  let pieces := run.(long_pieces) in
  if 0 <? seq_length pieces then
    if piece_follows run.(long_head) moments (seq_at pieces (seq_length pieces - 1)) piece then
      Some
        {| long_place := run.(long_place); long_head := run.(long_head); long_pieces := pieces ++ [piece] |}
    else
      None
  else
    None.

(** Runs while one of them gets a piece. *)
Record RunsGrown : Type := {
  (** The runs. *)
  grown_runs : Seq LongRun;
  (** Whether one got the piece. *)
  grown_found : bool;
}.

#[global] Instance Default_RunsGrown : Default RunsGrown := {| grown_runs := default; grown_found := default |}.

(** One step of [`runs_with_piece`]. *)
Definition runs_with_piece_step
    (grown : RunsGrown)
    (run : LongRun)
    (moments : usize)
    (place : SegmentPlace)
    (piece : RunPiece) : RunsGrown :=
  if segment_is_of run place then
    match run_with_piece run moments piece with
    | None => {| grown_runs := grown.(grown_runs) ++ [run]; grown_found := grown.(grown_found) |}
    | Some longer => {| grown_runs := grown.(grown_runs) ++ [longer]; grown_found := true |}
    end
  else
    {| grown_runs := grown.(grown_runs) ++ [run]; grown_found := grown.(grown_found) |}.

(** Runs, of which one gets a piece; `None` where none takes it. *)
Definition runs_with_piece
    (runs : Seq LongRun)
    (moments : usize)
    (place : SegmentPlace)
    (piece : RunPiece) : Option (Seq LongRun) :=
  let grown :=
    fold_left
      (fun grown k => runs_with_piece_step grown (seq_at runs k) moments place piece)
      (range 0 (seq_length runs))
      {| grown_runs := []; grown_found := false |}
  in
  if grown.(grown_found) then Some grown.(grown_runs) else None.

(** Runs with the segment that a slot shows; `None` where it is none of theirs. *)
Definition runs_with_segment
    (runs : Seq LongRun)
    (schema : TableSchema)
    (moments : usize)
    (slot : Slot)
    (piece : RunPiece) : Option (Seq LongRun) :=
  match decode_table_key schema slot.(key) with
  | Err _ => None
  | Ok found =>
      match found with
      | TableKey_SchemaKey _ => None
      | TableKey_HeadKey _ => None
      | TableKey_SegmentKey place =>
          if bytes_equal (encode_run_piece piece) slot.(value) &&
            (piece.(piece_number) =? place.(segment_place_number)) then
            runs_with_piece runs moments place piece
          else
            None
      end
  end.

(** One step of [`runs_with_segments`]. *)
Definition runs_with_segments_step
    (found : Result (Seq LongRun) TableRefusal)
    (schema : TableSchema)
    (moments : usize)
    (slots : Seq Slot)
    (piece : RunPiece)
    (i : usize) : Result (Seq LongRun) TableRefusal :=
  match found with
  | Err refusal => Err refusal
  | Ok runs =>
      if i <? seq_length slots then
        match runs_with_segment runs schema moments (seq_at slots i) piece with
        | None => Err (refuse_table_item TableReason_RunMalformed (seq_length runs + i))
        | Some longer => Ok longer
        end
      else
        Err (refuse_table_item TableReason_RunMalformed (seq_length runs + i))
  end.

(** Runs with the segments that slots show, whose values decode to pieces. *)
Definition runs_with_segments
    (runs : Seq LongRun)
    (schema : TableSchema)
    (moments : usize)
    (slots : Seq Slot)
    (shown : Seq RunPiece) : Result (Seq LongRun) TableRefusal :=
  fold_left
    (fun found i => runs_with_segments_step found schema moments slots (seq_at shown i) i)
    (range 0 (seq_length shown))
    (Ok runs).

(** One step of [`rows_of_long_runs`]. *)
Definition rows_of_long_runs_step (total : usize) (run : LongRun) : usize :=
  total + run.(long_head).(long_rows).

(** How many rows legal runs have, of at most [`MAX_ANSWER_RUNS`]. *)
Definition rows_of_long_runs (runs : Seq LongRun) : usize :=
  fold_left (fun total k => rows_of_long_runs_step total (seq_at runs k)) (range 0 (seq_length runs)) 0.

(** A run as one of one segment, which has the rows and the sums of the whole run: for its totals. *)
Definition whole_run (run : LongRun) : BoxRun :=
  let first := run.(long_head).(long_record) in
  {| run_place := run.(long_place);
    run_head :=
      {| head_revision := run.(long_head).(long_revision);
        head_record :=
          {| record_log := first.(record_log);
            record_first := first.(record_first);
            record_rows := run.(long_head).(long_rows);
            record_values := first.(record_values);
            record_root := first.(record_root);
            record_sums := long_sums run.(long_head) |} |} |}.

(** One step of [`whole_runs`]. *)
Definition whole_runs_step (whole : Seq BoxRun) (run : LongRun) : Seq BoxRun :=
  whole ++ [whole_run run].

(** [`whole_run`] of each run. *)
Definition whole_runs (runs : Seq LongRun) : Seq BoxRun :=
  fold_left (fun whole k => whole_runs_step whole (seq_at runs k)) (range 0 (seq_length runs)) [].

(** One step of [`records_of_pieces`]. *)
Definition records_of_pieces_step (records : Seq RunRecord) (piece : RunPiece) : Seq RunRecord :=
  records ++ [piece.(piece_record)].

(** Records, and those of one more run's pieces. *)
Definition records_of_pieces (before : Seq RunRecord) (run : LongRun) : Seq RunRecord :=
  fold_left
    (fun records i => records_of_pieces_step records (seq_at run.(long_pieces) i))
    (range 0 (seq_length run.(long_pieces)))
    before.

(** One step of [`records_of_long_runs`]. *)
Definition records_of_long_runs_step (records : Seq RunRecord) (run : LongRun) : Seq RunRecord :=
  records_of_pieces records run.

(** The records of all pieces, run by run. *)
Definition records_of_long_runs (runs : Seq LongRun) : Seq RunRecord :=
  fold_left
    (fun records k => records_of_long_runs_step records (seq_at runs k))
    (range 0 (seq_length runs))
    [].

(** How many rows lie behind a piece and before the following one, or the run's end. *)
Definition rows_hidden_behind (run : LongRun) (i : usize) : usize :=
  let behind :=
    (seq_at run.(long_pieces) i).(piece_rank) + (seq_at run.(long_pieces) i).(piece_record).(record_rows)
  in
  let following :=
    if i + 1 <? seq_length run.(long_pieces) then
      (seq_at run.(long_pieces) (i + 1)).(piece_rank)
    else
      run.(long_head).(long_rows)
  in
  if behind <=? following then following - behind else 0.

(** One step of [`hidden_of_run`]. *)
Definition hidden_of_run_step
    (found : HiddenRows)
    (run : LongRun)
    (splits : Seq usize)
    (i : usize) : HiddenRows :=
  let hidden := rows_hidden_behind run i in
  let place := found.(hidden_place) in
  let next_before :=
    if (i + 1 <? seq_length run.(long_pieces)) && (place + 1 <? seq_length splits) then
      1 <=? seq_at splits (place + 1)
    else
      false
  in
  let own_behind :=
    if place <? seq_length splits then
      seq_at splits place <? (seq_at run.(long_pieces) i).(piece_record).(record_rows)
    else
      false
  in
  {| hidden_place := place + 1;
    hidden_before := if next_before then found.(hidden_before) + hidden else found.(hidden_before);
    hidden_settled := found.(hidden_settled) && ((hidden =? 0) || next_before || own_behind) |}.

(** What is found, and the rows of one more run that are not shown. *)
Definition hidden_of_run (before : HiddenRows) (run : LongRun) (splits : Seq usize) : HiddenRows :=
  fold_left
    (fun found i => hidden_of_run_step found run splits i)
    (range 0 (seq_length run.(long_pieces)))
    before.

(** One step of [`hidden_rows`]. *)
Definition hidden_rows_step (found : HiddenRows) (run : LongRun) (splits : Seq usize) : HiddenRows :=
  hidden_of_run found run splits.

(** The rows that are not shown, on the sides of a cut with a split for each piece. *)
Definition hidden_rows (runs : Seq LongRun) (splits : Seq usize) : HiddenRows :=
  fold_left
    (fun found k => hidden_rows_step found (seq_at runs k) splits)
    (range 0 (seq_length runs))
    {| hidden_place := 0; hidden_before := 0; hidden_settled := true |}.

End Specification.
