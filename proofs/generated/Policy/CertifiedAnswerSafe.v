(* Translated from spec/src/policy/certified_answer.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Policy.CertifiedAnswer Base.BytesSafe Base.GroupSafe Commitment.KzgSafe
  Commitment.SchemeSafe Answer.VerifySafe Table.RunRecordSafe Table.SheetSafe Table.CertificateTranscriptSafe
  Table.TableSchemaSafe Table.TableQuerySafe Table.RunSegmentsSafe Table.TableAnswerSafe Table.LongRunsSafe
  Table.TableAnswerVerifierSafe Policy.TableMadeSafe Policy.TablesSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [point_same] does not panic. *)
Definition point_same_safe (one other : TablePoint) : bool :=
  if g1_equal one.(held_element) other.(held_element) then
    bytes_equal_safe one.(held_bytes) other.(held_bytes)
  else
    true.

(** When [points_same_step] does not panic. *)
Definition points_same_step_safe (same : bool) (one other : Seq TablePoint) (i : usize) : bool :=
  if same && (i <? seq_length other) then
    (i <? seq_length one) && point_same_safe (seq_at one i) (seq_at other i)
  else
    true.

(** When [points_same] does not panic. *)
Definition points_same_safe (one other : Seq TablePoint) : bool :=
  loop_safe
    (fun same i => points_same_step same one other i)
    (fun same i => points_same_step_safe same one other i)
    (range 0 (seq_length one))
    (seq_length one =? seq_length other).

(** When [record_same] does not panic. *)
Definition record_same_safe (one other : RunRecord) : bool :=
  (if (one.(record_log) =? other.(record_log)) && (one.(record_first) =? other.(record_first)) &&
      (one.(record_rows) =? other.(record_rows)) then
      point_same_safe one.(record_values) other.(record_values)
    else
      true) &&
  (if (one.(record_log) =? other.(record_log)) && (one.(record_first) =? other.(record_first)) &&
      (one.(record_rows) =? other.(record_rows)) &&
      point_same one.(record_values) other.(record_values) then
      bytes_equal_safe one.(record_root) other.(record_root)
    else
      true) &&
  (if (one.(record_log) =? other.(record_log)) && (one.(record_first) =? other.(record_first)) &&
      (one.(record_rows) =? other.(record_rows)) &&
      point_same one.(record_values) other.(record_values) &&
      bytes_equal one.(record_root) other.(record_root) then
      points_same_safe one.(record_sums) other.(record_sums)
    else
      true).

(** When [item_is_of] does not panic. *)
Definition item_is_of_safe (run : LongRun) (number : usize) (placed : SheetItem) : bool :=
  bytes_equal_safe placed.(item_columns) run.(long_place).(place_columns).

(** When [first_in_sheet_step] does not panic. *)
Definition first_in_sheet_step_safe (found : bool) (run : LongRun) (placed : SheetItem) : bool :=
  if found then
    true
  else
    item_is_of_safe run 0 placed &&
    (if item_is_of run 0 placed then
        record_same_safe placed.(item_record) run.(long_head).(long_record)
      else
        true).

(** When [first_in_sheet] does not panic. *)
Definition first_in_sheet_safe (run : LongRun) (sheet : StatedSheet) : bool :=
  match sheet.(stated_link) with
  | Some _ => true
  | None =>
      loop_safe
        (fun found k => first_in_sheet_step found run (seq_at sheet.(stated_items) k))
        (fun found k =>
          (k <? seq_length sheet.(stated_items)) &&
          first_in_sheet_step_safe found run (seq_at sheet.(stated_items) k))
        (range 0 (seq_length sheet.(stated_items)))
        false
  end.

(** When [first_certified_step] does not panic. *)
Definition first_certified_step_safe (found : bool) (run : LongRun) (sheet : StatedSheet) : bool :=
  if found then true else first_in_sheet_safe run sheet.

(** When [first_certified] does not panic. *)
Definition first_certified_safe (run : LongRun) (sheets : Seq StatedSheet) : bool :=
  loop_safe
    (fun found i => first_certified_step found run (seq_at sheets i))
    (fun found i => (i <? seq_length sheets) && first_certified_step_safe found run (seq_at sheets i))
    (range 0 (seq_length sheets))
    false.

(** When [next_in_sheet] does not panic. *)
Definition next_in_sheet_safe
    (run : LongRun)
    (number : usize)
    (before : RunRecord)
    (sheet : StatedSheet) : bool :=
  match sheet.(stated_link) with
  | None => true
  | Some link =>
      if 0 <? seq_length sheet.(stated_items) then
        let placed := seq_at sheet.(stated_items) 0 in
        item_is_of_safe run number placed &&
        (if item_is_of run number placed then record_same_safe link before else true)
      else
        true
  end.

(** When [next_certified_step] does not panic. *)
Definition next_certified_step_safe
    (found : Option RunRecord)
    (run : LongRun)
    (number : usize)
    (before : RunRecord)
    (sheet : StatedSheet) : bool :=
  match found with
  | Some record => true
  | None => next_in_sheet_safe run number before sheet
  end.

(** When [next_certified] does not panic. *)
Definition next_certified_safe
    (run : LongRun)
    (number : usize)
    (before : RunRecord)
    (sheets : Seq StatedSheet) : bool :=
  loop_safe
    (fun found i => next_certified_step found run number before (seq_at sheets i))
    (fun found i =>
      (i <? seq_length sheets) && next_certified_step_safe found run number before (seq_at sheets i))
    (range 0 (seq_length sheets))
    None.

(** When [further_certified_step] does not panic. *)
Definition further_certified_step_safe
    (found : Option CertifiedPieces)
    (run : LongRun)
    (number : usize)
    (sheets : Seq StatedSheet) : bool :=
  match found with
  | None => true
  | Some pieces =>
      next_certified_safe run number pieces.(certified_last) sheets &&
      (match next_certified run number pieces.(certified_last) sheets with
        | None => true
        | Some record =>
            let rank := pieces.(certified_rows) in
            within_usize (rank + record.(record_rows))
        end)
  end.

(** When [further_certified] does not panic. *)
Definition further_certified_safe (run : LongRun) (sheets : Seq StatedSheet) : bool :=
  loop_safe
    (fun found number => further_certified_step found run number sheets)
    (fun found number => further_certified_step_safe found run number sheets)
    (range 1 run.(long_head).(long_segments))
    (Some
        {| certified_further := [];
          certified_last := run.(long_head).(long_record);
          certified_rows := run.(long_head).(long_record).(record_rows) |}).

(** When [piece_same] does not panic. *)
Definition piece_same_safe (one other : RunPiece) : bool :=
  if (one.(piece_number) =? other.(piece_number)) && (one.(piece_rank) =? other.(piece_rank)) then
    record_same_safe one.(piece_record) other.(piece_record)
  else
    true.

(** When [pieces_among_step] does not panic. *)
Definition pieces_among_step_safe (among : bool) (pieces : Seq RunPiece) (piece : RunPiece) : bool :=
  if among && (piece.(piece_number) <? seq_length pieces) then
    piece_same_safe piece (seq_at pieces piece.(piece_number))
  else
    true.

(** When [pieces_among] does not panic. *)
Definition pieces_among_safe (run : LongRun) (pieces : Seq RunPiece) : bool :=
  loop_safe
    (fun among i => pieces_among_step among pieces (seq_at run.(long_pieces) i))
    (fun among i =>
      (i <? seq_length run.(long_pieces)) && pieces_among_step_safe among pieces (seq_at run.(long_pieces) i))
    (range 0 (seq_length run.(long_pieces)))
    true.

(** When [pieces_add_up] does not panic. *)
Definition pieces_add_up_safe (run : LongRun) (moments : usize) (further : Seq RunPiece) : bool :=
  let pieces := [] ++ [first_piece run.(long_head)] ++ further in
  extent_of_first_safe run.(long_head) &&
  check_extent_safe (extent_of_first run.(long_head)) moments further run.(long_head) &&
  (match check_extent (extent_of_first run.(long_head)) moments further run.(long_head) with
    | Err _ => true
    | Ok _ => pieces_among_safe run pieces
    end).

(** When [run_certified] does not panic. *)
Definition run_certified_safe (run : LongRun) (moments : usize) (sheets : Seq StatedSheet) : bool :=
  further_certified_safe run sheets &&
  (match further_certified run sheets with
    | None => true
    | Some pieces =>
        first_certified_safe run sheets &&
        (if first_certified run sheets then
            pieces_add_up_safe run moments pieces.(certified_further)
          else
            true)
    end).

(** When [runs_certified_step] does not panic. *)
Definition runs_certified_step_safe
    (found : Result unit CertifiedRefusal)
    (runs : Seq LongRun)
    (moments : usize)
    (sheets : Seq StatedSheet)
    (k : usize) : bool :=
  match found with
  | Err refusal => true
  | Ok _ => (k <? seq_length runs) && run_certified_safe (seq_at runs k) moments sheets
  end.

(** When [runs_certified] does not panic. *)
Definition runs_certified_safe (runs : Seq LongRun) (moments : usize) (sheets : Seq StatedSheet) : bool :=
  loop_safe
    (fun found k => runs_certified_step found runs moments sheets k)
    (fun found k => runs_certified_step_safe found runs moments sheets k)
    (range 0 (seq_length runs))
    (Ok tt).

(** When [sheets_about] does not panic. *)
Definition sheets_about_safe (about : CertificateAbout) (sheets : Seq StatedSheet) : bool :=
  loop_safe
    (fun made i => sheets_about_step made about (seq_at sheets i))
    (fun made i => i <? seq_length sheets)
    (range 0 (seq_length sheets))
    [].

(** When [check_certified] does not panic. *)
Definition check_certified_safe
    (setup : KzgSetup)
    (about : CertificateAbout)
    (runs : Seq LongRun)
    (sheets : Seq StatedSheet)
    (meanings : Seq CertificateMeaning) : bool :=
  runs_certified_safe runs about.(about_moments) sheets &&
  (match runs_certified runs about.(about_moments) sheets with
    | Ok _runs =>
        sheets_about_safe about sheets && sheets_hold_safe setup (sheets_about about sheets) meanings
    | Err _ => true
    end).

(** When [verify_certified_answer] does not panic. *)
Definition verify_certified_answer_safe
    (setup : KzgSetup)
    (trusted : Trusted)
    (query : TableQuery)
    (schema : TableSchema)
    (answer : TableAnswer)
    (sheets : Seq StatedSheet)
    (meanings : Seq CertificateMeaning) : bool :=
  verify_table_answer_safe (Setup_Kzg setup) trusted query schema answer &&
  (match verify_table_answer (Setup_Kzg setup) trusted query schema answer with
    | Err refusal => true
    | Ok outcome =>
        let dictionary := trusted_dictionary trusted in
        about_table_column_safe dictionary query.(query_table) schema query.(query_column) &&
        (let about := about_table_column dictionary query.(query_table) schema query.(query_column) in
          check_certified_safe setup about outcome.(outcome_runs) sheets meanings)
    end).

End Specification.
