(* Translated from spec/src/table/table_policy.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Table.TablePolicy Base.BytesSafe Decoding.CursorSafe Table.DomainValuesSafe
  Table.SheetSafe Table.TableSchemaSafe Table.SchemaDecoderSafe Table.TableKeySafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [read_head_numbers] does not panic. *)
Definition read_head_numbers_safe (bytes : ByteString) (moments : usize) : bool :=
  expect_format_safe bytes 1 &&
  (match expect_format bytes 1 with
    | Ok after_format =>
        read_number_safe after_format 4 &&
        (match read_number after_format 4 with
          | Ok (revision, after_revision) =>
              read_number_safe after_revision 4 &&
              (match read_number after_revision 4 with
                | Ok (segments, after_segments) =>
                    read_number_safe after_segments 8 &&
                    (match read_number after_segments 8 with
                      | Ok (total, after_total) =>
                          read_number_safe after_total 1 &&
                          (match read_number after_total 1 with
                            | Ok (log, after_log) =>
                                read_number_safe after_log 2 &&
                                (match read_number after_log 2 with
                                  | Ok (first, after_first) =>
                                      read_number_safe after_first 2 &&
                                      (match read_number after_first 2 with
                                        | Ok (rows, rest) =>
                                            within_usize (TEXT_ROOT_BYTES + TABLE_POINT_BYTES) &&
                                            within_usize (moments * TABLE_POINT_BYTES) &&
                                            within_usize
                                              (TEXT_ROOT_BYTES + TABLE_POINT_BYTES +
                                                moments * TABLE_POINT_BYTES)
                                        | Err _ => true
                                        end)
                                  | Err _ => true
                                  end)
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

(** When [expect_head] does not panic. *)
Definition expect_head_safe (bytes : ByteString) (moments : usize) : bool :=
  read_head_numbers_safe bytes moments.

(** When [head_has_room] does not panic. *)
Definition head_has_room_safe (numbers : HeadNumbers) (moments : usize) : bool :=
  sheet_size_safe numbers.(numbers_log) &&
  (if (MIN_SHEET_LOG <=? numbers.(numbers_log)) && (numbers.(numbers_log) <=? max_sheet_log moments) &&
      (1 <=? numbers.(numbers_rows)) &&
      (1 <=? numbers.(numbers_first)) then
      within_usize (numbers.(numbers_first) + numbers.(numbers_rows))
    else
      true).

(** When [first_part] does not panic. *)
Definition first_part_safe (items : Seq KeyColumn) (columns : ByteString) : bool :=
  if (0 <? seq_length items) && ((seq_at items 0).(key_column_width) <=? seq_length columns) then
    0 + (seq_at items 0).(key_column_width) <=? seq_length columns
  else
    true.

(** When [expect_schema_value] does not panic. *)
Definition expect_schema_value_safe (bytes : Option ByteString) : bool :=
  match bytes with
  | None => true
  | Some written => decode_schema_safe written
  end.

(** When [watermark_grew] does not panic. *)
Definition watermark_grew_safe (one other : TableSchema) : bool :=
  encode_schema_body_safe one && encode_schema_body_safe other &&
  bytes_equal_safe (encode_schema_body one) (encode_schema_body other) &&
  (if bytes_equal (encode_schema_body one) (encode_schema_body other) then
      bytes_less_safe one.(schema_watermark) other.(schema_watermark)
    else
      true).

(** When [judge_schema] does not panic. *)
Definition judge_schema_safe (standing : Option TableSchema) (after : Option ByteString) : bool :=
  expect_schema_value_safe after &&
  (match expect_schema_value after with
    | Ok found =>
        match standing with
        | None => true
        | Some one => watermark_grew_safe one found
        end
    | Err _ => true
    end).

(** When [next_revision] does not panic. *)
Definition next_revision_safe
    (table_schema : TableSchema)
    (before : Option ByteString)
    (moments : usize) : bool :=
  match before with
  | None => true
  | Some standing =>
      if table_schema.(schema_flags) =? 1 then
        true
      else
        read_head_numbers_safe standing moments &&
        (match read_head_numbers standing moments with
          | Ok found => within_usize (found.(numbers_revision) + 1)
          | Err _ => true
          end)
  end.

(** When [judge_put] does not panic. *)
Definition judge_put_safe
    (table_schema : TableSchema)
    (place : RunPlace)
    (before : Option ByteString)
    (written : ByteString) : bool :=
  let moments := column_moments table_schema place.(place_column) in
  expect_head_safe written moments &&
  (match expect_head written moments with
    | Ok numbers =>
        head_has_room_safe numbers moments &&
        (match expect_change (head_has_room numbers moments) TableFault_RecordMisplaced with
          | Ok _room => next_revision_safe table_schema before moments
          | Err _ => true
          end)
    | Err _ => true
    end).

(** When [expect_open] does not panic. *)
Definition expect_open_safe (table_schema : TableSchema) (place : RunPlace) : bool :=
  first_part_safe table_schema.(schema_keys) place.(place_columns) &&
  (let first := first_part table_schema.(schema_keys) place.(place_columns) in
    bytes_less_safe first table_schema.(schema_watermark)).

(** When [judge_head] does not panic. *)
Definition judge_head_safe
    (table_schema : TableSchema)
    (place : RunPlace)
    (before after : Option ByteString) : bool :=
  expect_open_safe table_schema place &&
  (match expect_open table_schema place with
    | Ok _open =>
        match after with
        | None => true
        | Some written => judge_put_safe table_schema place before written
        end
    | Err _ => true
    end).

(** When [judge_run] does not panic. *)
Definition judge_run_safe
    (table_schema : TableSchema)
    (changed : ByteString)
    (before after : Option ByteString) : bool :=
  decode_table_key_safe table_schema changed &&
  (match decode_table_key table_schema changed with
    | Err unread => true
    | Ok (TableKey_SchemaKey _) => true
    | Ok (TableKey_SegmentKey _) => true
    | Ok (TableKey_HeadKey place) => judge_head_safe table_schema place before after
    end).

(** When [judge_segment_place] does not panic. *)
Definition judge_segment_place_safe
    (table_schema : TableSchema)
    (place : SegmentPlace)
    (standing : Option usize) : bool :=
  expect_open_safe table_schema place.(segment_place_run).

(** When [judge_segment_delete] does not panic. *)
Definition judge_segment_delete_safe
    (table_schema : TableSchema)
    (changed : ByteString)
    (standing : Option usize) : bool :=
  decode_table_key_safe table_schema changed &&
  (match decode_table_key table_schema changed with
    | Err unread => true
    | Ok (TableKey_SchemaKey _) => true
    | Ok (TableKey_HeadKey _) => true
    | Ok (TableKey_SegmentKey place) => judge_segment_place_safe table_schema place standing
    end).

(** When [expect_table_key] does not panic. *)
Definition expect_table_key_safe (changed : ByteString) : bool :=
  read_table_prefix_safe changed.

(** When [judge_change] does not panic. *)
Definition judge_change_safe
    (standing : Option TableSchema)
    (changed : ByteString)
    (before after : Option ByteString) : bool :=
  expect_table_key_safe changed &&
  (match expect_table_key changed with
    | Ok rest =>
        bytes_equal_safe rest (u8_bytes 0) &&
        (if bytes_equal rest (u8_bytes 0) then
            judge_schema_safe standing after
          else
            match standing with
            | None => true
            | Some table_schema => judge_run_safe table_schema changed before after
            end)
    | Err _ => true
    end).

End Specification.
