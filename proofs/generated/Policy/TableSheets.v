(* Translated from spec/src/policy/table_sheets.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** What the steps of a write do to runs, and which segments its certificates have to cover: what of
    the policy `tables` needs points.

    Which bytes are a point of the group, and which one, is for the curve to say: a list of points
    has the encodings that are some. Source: docs/network.md, "Who may write". *)
From AardvarkSpec Require Export Prelude Base.Bytes Decoding.Cursor Table.RunRecord Table.Sheet Table.Totals
  Table.RunSegments Table.TablePolicy Policy.PolicyReason Policy.TableSteps.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** A segment that is put, and what it continues. *)
Record PlacedSegment : Type := {
  (** The segment. *)
  placed_item : SheetItem;
  (** The record of the segment before it, where it continues a run. *)
  placed_link : Option RunRecord;
}.

#[global] Instance Default_PlacedSegment : Default PlacedSegment := {| placed_item := default; placed_link := default |}.

(** One step of [`point_of_bytes`]. *)
Definition point_of_bytes_step
    (found : Option TablePoint)
    (points : Seq TablePoint)
    (written : ByteString)
    (i : usize) : Option TablePoint :=
  match found with
  | Some point => Some point
  | None => if bytes_equal (seq_at points i).(held_bytes) written then Some (seq_at points i) else None
  end.

(** The point that bytes are the encoding of. *)
Definition point_of_bytes (points : Seq TablePoint) (written : ByteString) : Option TablePoint :=
  fold_left (fun found i => point_of_bytes_step found points written i) (range 0 (seq_length points)) None.

(** What [`take_bytes`] gives, the reason of its failure as one of the policy. *)
Definition take_of_record
    (bytes : ByteString)
    (count : usize) : Result (ByteString * ByteString) PolicyReason :=
  match take_bytes bytes count with
  | Ok taken => Ok taken
  | Err _ => Err PolicyReason_RecordRefused
  end.

(** What [`read_number`] gives, the reason of its failure as one of the policy. *)
Definition number_of_record (bytes : ByteString) (width : usize) : Result (usize * ByteString) PolicyReason :=
  match read_number bytes width with
  | Ok taken => Ok taken
  | Err _ => Err PolicyReason_RecordRefused
  end.

(** Whether a record is one as far as a condition says. *)
Definition expect_record (condition : bool) : Result unit PolicyReason :=
  if condition then Ok tt else Err PolicyReason_RecordRefused.

(** The next point, and the bytes behind it. *)
Definition read_table_point
    (points : Seq TablePoint)
    (bytes : ByteString) : Result (TablePoint * ByteString) PolicyReason :=
  match take_of_record bytes TABLE_POINT_BYTES with
  | Ok (written, rest) =>
      match point_of_bytes points written with
      | None => Err PolicyReason_RecordRefused
      | Some point => Ok (point, rest)
      end
  | Err e' => Err e'
  end.

(** One step of [`read_table_points`]. *)
Definition read_table_points_step
    (read : Result ((Seq TablePoint) * ByteString) PolicyReason)
    (points : Seq TablePoint) : Result ((Seq TablePoint) * ByteString) PolicyReason :=
  match read with
  | Ok (before, bytes) =>
      match read_table_point points bytes with
      | Ok (point, rest) => Ok (before ++ [point], rest)
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

(** The next points, so many, and the bytes behind them. *)
Definition read_table_points
    (points : Seq TablePoint)
    (bytes : ByteString)
    (count : usize) : Result ((Seq TablePoint) * ByteString) PolicyReason :=
  fold_left (fun read _i => read_table_points_step read points) (range 0 count) (Ok ([], bytes)).

(** The next record of a table with so many moments, and the bytes behind it. *)
Definition read_run_record
    (points : Seq TablePoint)
    (bytes : ByteString)
    (moments : usize) : Result (RunRecord * ByteString) PolicyReason :=
  match number_of_record bytes 1 with
  | Ok (log, after_log) =>
      match number_of_record after_log 2 with
      | Ok (first, after_first) =>
          match number_of_record after_first 2 with
          | Ok (rows, after_rows) =>
              match read_table_point points after_rows with
              | Ok (values, after_values) =>
                  match take_of_record after_values TEXT_ROOT_BYTES with
                  | Ok (root, after_root) =>
                      match read_table_points points after_root moments with
                      | Ok (sums, rest) =>
                          Ok
                            ({| record_log := log;
                                record_first := first;
                                record_rows := rows;
                                record_values := values;
                                record_root := root;
                                record_sums := sums |},
                              rest)
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

(** Whether a head says as many rows as its record has, where that is of the only segment, and more
    where it is not. *)
Definition head_rows_fit (segments total rows : usize) : bool :=
  if segments =? 1 then total =? rows else (2 <=? segments) && (rows <? total) && (total <? MAX_BOX_ROWS).

(** The head that bytes are, in a table of so many moments. *)
Definition decode_long_head
    (points : Seq TablePoint)
    (bytes : ByteString)
    (moments : usize) : Result LongHead PolicyReason :=
  match number_of_record bytes 1 with
  | Ok (format, after_format) =>
      match expect_record (format =? 1) with
      | Ok _known =>
          match number_of_record after_format 4 with
          | Ok (revision, after_revision) =>
              match number_of_record after_revision 4 with
              | Ok (segments, after_segments) =>
                  match number_of_record after_segments 8 with
                  | Ok (total, after_total) =>
                      match read_run_record points after_total moments with
                      | Ok (first_record, after_record) =>
                          match expect_record (head_rows_fit segments total first_record.(record_rows)) with
                          | Ok _fits =>
                              match read_table_points
                                  points
                                  after_record
                                  (if segments =? 1 then 0 else moments) with
                              | Ok (totals, rest) =>
                                  match expect_record (seq_length rest =? 0) with
                                  | Ok _end =>
                                      Ok
                                        {| long_revision := revision;
                                          long_segments := segments;
                                          long_rows := total;
                                          long_record := first_record;
                                          long_totals := totals |}
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
      end
  | Err e' => Err e'
  end.

(** The segment that bytes are which stands at a place, in a table of so many moments. *)
Definition decode_run_piece
    (points : Seq TablePoint)
    (entry : SegmentEntry)
    (moments : usize) : Result RunPiece PolicyReason :=
  match number_of_record entry.(segment_entry_value) 1 with
  | Ok (format, after_format) =>
      match expect_record (format =? 2) with
      | Ok _known =>
          match number_of_record after_format 8 with
          | Ok (rank, after_rank) =>
              match read_run_record points after_rank moments with
              | Ok (read, rest) =>
                  match expect_record (seq_length rest =? 0) with
                  | Ok _end =>
                      Ok
                        {| piece_number := entry.(segment_entry_number);
                          piece_rank := rank;
                          piece_record := read |}
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

(** One step of [`decode_run_pieces`]. *)
Definition decode_run_pieces_step
    (read : Result (Seq RunPiece) PolicyReason)
    (points : Seq TablePoint)
    (entry : SegmentEntry)
    (moments : usize) : Result (Seq RunPiece) PolicyReason :=
  match read with
  | Ok before =>
      match decode_run_piece points entry moments with
      | Ok piece => Ok (before ++ [piece])
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

(** The segments that entries are. *)
Definition decode_run_pieces
    (points : Seq TablePoint)
    (entries : Seq SegmentEntry)
    (moments : usize) : Result (Seq RunPiece) PolicyReason :=
  fold_left
    (fun read i => decode_run_pieces_step read points (seq_at entries i) moments)
    (range 0 (seq_length entries))
    (Ok []).

(** The head that stands, if one does. *)
Definition decode_standing
    (points : Seq TablePoint)
    (content : Option ByteString)
    (moments : usize) : Result (Option LongHead) PolicyReason :=
  match content with
  | None => Ok None
  | Some present =>
      match decode_long_head points present moments with
      | Err why => Err why
      | Ok head => Ok (Some head)
      end
  end.

(** The policy's reason for a step that is not legal. *)
Definition reason_of_step (fault : StepFault) : PolicyReason :=
  match fault with
  | StepFault_StepFixed => PolicyReason_RunImmutable
  | _ => PolicyReason_RecordRefused
  end.

(** The policy's reason for a change that is not legal. *)
Definition reason_of_change (fault : TableFault) : PolicyReason :=
  match fault with
  | TableFault_RunFixed => PolicyReason_RunImmutable
  | TableFault_ColumnsClosed => PolicyReason_KeyClosed
  | _ => PolicyReason_RecordRefused
  end.

(** A segment of a step as a certificate names it. *)
Definition placed_segment
    (read_step : TableStep)
    (revision number : usize)
    (put_record : RunRecord)
    (link : Option RunRecord) : PlacedSegment :=
  {| placed_item :=
      {| item_columns := read_step.(step_place).(place_columns);
        item_run := read_step.(step_place).(place_run);
        item_revision := revision;
        item_segment := number;
        item_record := put_record |};
    placed_link := link |}.

(** The record that a segment of a step continues: that of the one before it. *)
Definition link_of_piece (before : RunRecord) (pieces : Seq RunPiece) (i : usize) : RunRecord :=
  if i =? 0 then before else (seq_at pieces (i - 1)).(piece_record).

(** One step of [`placed_pieces`]. *)
Definition placed_pieces_step
    (placed : Seq PlacedSegment)
    (read_step : TableStep)
    (revision : usize)
    (before : RunRecord)
    (pieces : Seq RunPiece)
    (i : usize) : Seq PlacedSegment :=
  let link := Some (link_of_piece before pieces i) in
  placed ++
  [placed_segment read_step revision (seq_at pieces i).(piece_number) (seq_at pieces i).(piece_record) link].

(** Segments, and the further ones that a step puts, behind one with the record `before`. *)
Definition placed_pieces
    (earlier : Seq PlacedSegment)
    (read_step : TableStep)
    (revision : usize)
    (before : RunRecord)
    (pieces : Seq RunPiece) : Seq PlacedSegment :=
  fold_left
    (fun placed i => placed_pieces_step placed read_step revision before pieces i)
    (range 0 (seq_length pieces))
    earlier.

(** The record that the first segment of a step continues: the one that is pinned, or that of the
    head. *)
Definition continued_record
    (points : Seq TablePoint)
    (read_step : TableStep)
    (head : LongHead)
    (moments : usize) : Result RunRecord PolicyReason :=
  if seq_length read_step.(step_pinned) =? 0 then
    Ok head.(long_record)
  else
    match decode_run_piece points (seq_at read_step.(step_pinned) 0) moments with
    | Err why => Err why
    | Ok piece => Ok piece.(piece_record)
    end.

(** The segments with those that a step puts whose head is this. *)
Definition placed_by_step
    (earlier : Seq PlacedSegment)
    (points : Seq TablePoint)
    (read_step : TableStep)
    (head : LongHead)
    (pieces : Seq RunPiece)
    (moments : usize) : Result (Seq PlacedSegment) PolicyReason :=
  match continued_record points read_step head moments with
  | Ok before =>
      let grown := placed_pieces earlier read_step head.(long_revision) before pieces in
      if step_begins read_step then
        Ok (grown ++ [placed_segment read_step head.(long_revision) 0 head.(long_record) None])
      else
        Ok grown
  | Err e' => Err e'
  end.

End Specification.
