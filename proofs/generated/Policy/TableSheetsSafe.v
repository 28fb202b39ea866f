(* Translated from spec/src/policy/table_sheets.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Policy.TableSheets Base.BytesSafe Decoding.CursorSafe Table.RunRecordSafe
  Table.SheetSafe Table.TotalsSafe Table.RunSegmentsSafe Table.TablePolicySafe Policy.TableStepsSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [point_of_bytes_step] does not panic. *)
Definition point_of_bytes_step_safe
    (found : Option TablePoint)
    (points : Seq TablePoint)
    (written : ByteString)
    (i : usize) : bool :=
  match found with
  | Some point => true
  | None =>
      (i <? seq_length points) && bytes_equal_safe (seq_at points i).(held_bytes) written &&
      (if bytes_equal (seq_at points i).(held_bytes) written then i <? seq_length points else true)
  end.

(** When [point_of_bytes] does not panic. *)
Definition point_of_bytes_safe (points : Seq TablePoint) (written : ByteString) : bool :=
  loop_safe
    (fun found i => point_of_bytes_step found points written i)
    (fun found i => point_of_bytes_step_safe found points written i)
    (range 0 (seq_length points))
    None.

(** When [take_of_record] does not panic. *)
Definition take_of_record_safe (bytes : ByteString) (count : usize) : bool :=
  take_bytes_safe bytes count.

(** When [number_of_record] does not panic. *)
Definition number_of_record_safe (bytes : ByteString) (width : usize) : bool :=
  read_number_safe bytes width.

(** When [read_table_point] does not panic. *)
Definition read_table_point_safe (points : Seq TablePoint) (bytes : ByteString) : bool :=
  take_of_record_safe bytes TABLE_POINT_BYTES &&
  (match take_of_record bytes TABLE_POINT_BYTES with
    | Ok (written, rest) => point_of_bytes_safe points written
    | Err _ => true
    end).

(** When [read_table_points_step] does not panic. *)
Definition read_table_points_step_safe
    (read : Result ((Seq TablePoint) * ByteString) PolicyReason)
    (points : Seq TablePoint) : bool :=
  match read with
  | Ok (before, bytes) => read_table_point_safe points bytes
  | Err _ => true
  end.

(** When [read_table_points] does not panic. *)
Definition read_table_points_safe (points : Seq TablePoint) (bytes : ByteString) (count : usize) : bool :=
  loop_safe
    (fun read _i => read_table_points_step read points)
    (fun read _i => read_table_points_step_safe read points)
    (range 0 count)
    (Ok ([], bytes)).

(** When [read_run_record] does not panic. *)
Definition read_run_record_safe (points : Seq TablePoint) (bytes : ByteString) (moments : usize) : bool :=
  number_of_record_safe bytes 1 &&
  (match number_of_record bytes 1 with
    | Ok (log, after_log) =>
        number_of_record_safe after_log 2 &&
        (match number_of_record after_log 2 with
          | Ok (first, after_first) =>
              number_of_record_safe after_first 2 &&
              (match number_of_record after_first 2 with
                | Ok (rows, after_rows) =>
                    read_table_point_safe points after_rows &&
                    (match read_table_point points after_rows with
                      | Ok (values, after_values) =>
                          take_of_record_safe after_values TEXT_ROOT_BYTES &&
                          (match take_of_record after_values TEXT_ROOT_BYTES with
                            | Ok (root, after_root) => read_table_points_safe points after_root moments
                            | Err _ => true
                            end)
                      | Err _ => true
                      end)
                | Err _ => true
                end)
          | Err _ => true
          end)
    | Err _ => true
    end).

(** When [decode_long_head] does not panic. *)
Definition decode_long_head_safe (points : Seq TablePoint) (bytes : ByteString) (moments : usize) : bool :=
  number_of_record_safe bytes 1 &&
  (match number_of_record bytes 1 with
    | Ok (format, after_format) =>
        match expect_record (format =? 1) with
        | Ok _known =>
            number_of_record_safe after_format 4 &&
            (match number_of_record after_format 4 with
              | Ok (revision, after_revision) =>
                  number_of_record_safe after_revision 4 &&
                  (match number_of_record after_revision 4 with
                    | Ok (segments, after_segments) =>
                        number_of_record_safe after_segments 8 &&
                        (match number_of_record after_segments 8 with
                          | Ok (total, after_total) =>
                              read_run_record_safe points after_total moments &&
                              (match read_run_record points after_total moments with
                                | Ok (first_record, after_record) =>
                                    match expect_record
                                        (head_rows_fit segments total first_record.(record_rows)) with
                                    | Ok _fits =>
                                        read_table_points_safe
                                          points
                                          after_record
                                          (if segments =? 1 then 0 else moments)
                                    | Err _ => true
                                    end
                                | Err _ => true
                                end)
                          | Err _ => true
                          end)
                    | Err _ => true
                    end)
              | Err _ => true
              end)
        | Err _ => true
        end
    | Err _ => true
    end).

(** When [decode_run_piece] does not panic. *)
Definition decode_run_piece_safe (points : Seq TablePoint) (entry : SegmentEntry) (moments : usize) : bool :=
  number_of_record_safe entry.(segment_entry_value) 1 &&
  (match number_of_record entry.(segment_entry_value) 1 with
    | Ok (format, after_format) =>
        match expect_record (format =? 2) with
        | Ok _known =>
            number_of_record_safe after_format 8 &&
            (match number_of_record after_format 8 with
              | Ok (rank, after_rank) => read_run_record_safe points after_rank moments
              | Err _ => true
              end)
        | Err _ => true
        end
    | Err _ => true
    end).

(** When [decode_run_pieces_step] does not panic. *)
Definition decode_run_pieces_step_safe
    (read : Result (Seq RunPiece) PolicyReason)
    (points : Seq TablePoint)
    (entry : SegmentEntry)
    (moments : usize) : bool :=
  match read with
  | Ok before => decode_run_piece_safe points entry moments
  | Err _ => true
  end.

(** When [decode_run_pieces] does not panic. *)
Definition decode_run_pieces_safe
    (points : Seq TablePoint)
    (entries : Seq SegmentEntry)
    (moments : usize) : bool :=
  loop_safe
    (fun read i => decode_run_pieces_step read points (seq_at entries i) moments)
    (fun read i =>
      (i <? seq_length entries) && decode_run_pieces_step_safe read points (seq_at entries i) moments)
    (range 0 (seq_length entries))
    (Ok []).

(** When [decode_standing] does not panic. *)
Definition decode_standing_safe
    (points : Seq TablePoint)
    (content : Option ByteString)
    (moments : usize) : bool :=
  match content with
  | None => true
  | Some present => decode_long_head_safe points present moments
  end.

(** When [link_of_piece] does not panic. *)
Definition link_of_piece_safe (before : RunRecord) (pieces : Seq RunPiece) (i : usize) : bool :=
  if i =? 0 then true else (1 <=? i) && (i - 1 <? seq_length pieces).

(** When [placed_pieces_step] does not panic. *)
Definition placed_pieces_step_safe
    (placed : Seq PlacedSegment)
    (read_step : TableStep)
    (revision : usize)
    (before : RunRecord)
    (pieces : Seq RunPiece)
    (i : usize) : bool :=
  link_of_piece_safe before pieces i && ((i <? seq_length pieces) && (i <? seq_length pieces)).

(** When [placed_pieces] does not panic. *)
Definition placed_pieces_safe
    (earlier : Seq PlacedSegment)
    (read_step : TableStep)
    (revision : usize)
    (before : RunRecord)
    (pieces : Seq RunPiece) : bool :=
  loop_safe
    (fun placed i => placed_pieces_step placed read_step revision before pieces i)
    (fun placed i => placed_pieces_step_safe placed read_step revision before pieces i)
    (range 0 (seq_length pieces))
    earlier.

(** When [continued_record] does not panic. *)
Definition continued_record_safe
    (points : Seq TablePoint)
    (read_step : TableStep)
    (head : LongHead)
    (moments : usize) : bool :=
  if seq_length read_step.(step_pinned) =? 0 then
    true
  else
    (0 <? seq_length read_step.(step_pinned)) &&
    decode_run_piece_safe points (seq_at read_step.(step_pinned) 0) moments.

(** When [placed_by_step] does not panic. *)
Definition placed_by_step_safe
    (earlier : Seq PlacedSegment)
    (points : Seq TablePoint)
    (read_step : TableStep)
    (head : LongHead)
    (pieces : Seq RunPiece)
    (moments : usize) : bool :=
  continued_record_safe points read_step head moments &&
  (match continued_record points read_step head moments with
    | Ok before =>
        placed_pieces_safe earlier read_step head.(long_revision) before pieces && step_begins_safe read_step
    | Err _ => true
    end).

End Specification.
