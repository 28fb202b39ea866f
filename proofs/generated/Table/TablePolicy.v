(* Translated from spec/src/table/table_policy.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Which changes of a table's keys are legal. An embedded archive asks before it writes, an audit
    asks of what was written.

    | change | what stands before | what it asks |
    |---|---|---|
    | create | no schema | a legal schema, empty watermark |
    | seal | a schema | the same but for the watermark, which grows |
    | append | no head | revision 0, one segment |
    | amend | a head | not append-only; the next revision, one segment |
    | delete | a head | deletable |
    | delete of a segment | no head, or one of another revision | deletable |

    Nothing is written or deleted below the watermark. That each record has a certificate is looked
    at apart, and so is which bytes are a point. Source: docs/tables.md, "Keeping a table". *)
From AardvarkSpec Require Export Prelude Base.Bytes Decoding.DecodeReason Decoding.Cursor Table.DomainValues
  Table.Sheet Table.TableSchema Table.SchemaDecoder Table.TableKey.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** The bytes of a root over texts. *)
Definition TEXT_ROOT_BYTES : usize :=
  32.

(** The bytes of a commitment. *)
Definition TABLE_POINT_BYTES : usize :=
  48.

(** What a head says but for its commitments. *)
Record HeadNumbers : Type := {
  (** How often the run was replaced. *)
  numbers_revision : usize;
  (** The logarithm of the domain's size. *)
  numbers_log : usize;
  (** The position of the first row. *)
  numbers_first : usize;
  (** The number of rows. *)
  numbers_rows : usize;
}.

#[global] Instance Default_HeadNumbers : Default HeadNumbers := {| numbers_revision := default; numbers_log := default; numbers_first := default; numbers_rows := default |}.

(** What a legal change of a key amounts to. *)
Inductive TableChange : Type :=
(** A table begins. *)
| TableChange_TableCreated (_ : TableSchema)
(** Keys below a watermark are closed. *)
| TableChange_TableSealed (_ : TableSchema)
(** A run is put. *)
| TableChange_RunPut (_ : RunPlace)
(** A run is deleted. *)
| TableChange_RunDeleted (_ : RunPlace).

(** Why a change of a table's key is not legal. *)
Inductive TableFault : Type :=
(** The key is none of the table's. *)
| TableFault_ChangedKey (_ : TableKeyReason)
(** The value is no schema. *)
| TableFault_ChangedSchema (_ : SchemaReason)
(** The value is no head of a run of one segment. *)
| TableFault_ChangedHead
(** A table that begins has closed keys already. *)
| TableFault_WatermarkEarly
(** There is no table of this name. *)
| TableFault_TableUnknown
(** The schema would change in more than a watermark that grows, or go. *)
| TableFault_SchemaFixed
(** The key is below the watermark. *)
| TableFault_ColumnsClosed
(** The table does not allow that its runs are replaced, or deleted. *)
| TableFault_RunFixed
(** The record has no place on a domain. *)
| TableFault_RecordMisplaced
(** The revision is not the next one. *)
| TableFault_RevisionMismatched
(** The key is that of a segment behind the first. *)
| TableFault_SegmentUnread
(** What is deleted is not there. *)
| TableFault_RunAbsent.

(** What the bytes of a head say, in a table of so many moments, but for its commitments. *)
Definition read_head_numbers (bytes : ByteString) (moments : usize) : Result HeadNumbers DecodeReason :=
  match expect_format bytes 1 with
  | Ok after_format =>
      match read_number after_format 4 with
      | Ok (revision, after_revision) =>
          match read_number after_revision 4 with
          | Ok (segments, after_segments) =>
              match read_number after_segments 8 with
              | Ok (total, after_total) =>
                  match read_number after_total 1 with
                  | Ok (log, after_log) =>
                      match read_number after_log 2 with
                      | Ok (first, after_first) =>
                          match read_number after_first 2 with
                          | Ok (rows, rest) =>
                              let expected :=
                                TEXT_ROOT_BYTES + TABLE_POINT_BYTES + moments * TABLE_POINT_BYTES
                              in
                              if (segments =? 1) && (total =? rows) && (seq_length rest =? expected) then
                                Ok
                                  {| numbers_revision := revision;
                                    numbers_log := log;
                                    numbers_first := first;
                                    numbers_rows := rows |}
                              else
                                Err DecodeReason_Trailing
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

(** What [`read_head_numbers`] says, its reason as one of a change. *)
Definition expect_head (bytes : ByteString) (moments : usize) : Result HeadNumbers TableFault :=
  match read_head_numbers bytes moments with
  | Ok found => Ok found
  | Err _ => Err TableFault_ChangedHead
  end.

(** Whether a condition holds, or the reason of its failure. *)
Definition expect_change (condition : bool) (otherwise : TableFault) : Result unit TableFault :=
  if condition then Ok tt else Err otherwise.

(** Whether a record alone has room on its domain. *)
Definition head_has_room (numbers : HeadNumbers) (moments : usize) : bool :=
  let n := sheet_size numbers.(numbers_log) in
  (MIN_SHEET_LOG <=? numbers.(numbers_log)) && (numbers.(numbers_log) <=? max_sheet_log moments) &&
  (1 <=? numbers.(numbers_rows)) &&
  (1 <=? numbers.(numbers_first)) &&
  (numbers.(numbers_first) + numbers.(numbers_rows) <=? guard_position n).

(** The bytes of a key's first column: a time, by convention. *)
Definition first_part (items : Seq KeyColumn) (columns : ByteString) : ByteString :=
  if (0 <? seq_length items) && ((seq_at items 0).(key_column_width) <=? seq_length columns) then
    seq_slice columns 0 (seq_at items 0).(key_column_width)
  else
    [].

(** How many powers of a column's rows have sums. *)
Definition column_moments (table_schema : TableSchema) (number : usize) : usize :=
  if number <? seq_length table_schema.(schema_values) then
    (seq_at table_schema.(schema_values) number).(value_column_moments)
  else
    0.

(** The schema that the bytes are, its reason as one of a change. *)
Definition expect_schema_value (bytes : Option ByteString) : Result TableSchema TableFault :=
  match bytes with
  | None => Err TableFault_SchemaFixed
  | Some written =>
      match decode_schema written with
      | Ok found => Ok found
      | Err unread => Err (TableFault_ChangedSchema unread)
      end
  end.

(** Whether a schema is another one, but for a watermark that grew. *)
Definition watermark_grew (one other : TableSchema) : bool :=
  bytes_equal (encode_schema_body one) (encode_schema_body other) &&
  bytes_less one.(schema_watermark) other.(schema_watermark).

(** What a change of a schema's key amounts to. *)
Definition judge_schema
    (standing : Option TableSchema)
    (after : Option ByteString) : Result TableChange TableFault :=
  match expect_schema_value after with
  | Ok found =>
      match standing with
      | None =>
          if seq_length found.(schema_watermark) =? 0 then
            Ok (TableChange_TableCreated found)
          else
            Err TableFault_WatermarkEarly
      | Some one =>
          if watermark_grew one found then Ok (TableChange_TableSealed found) else Err TableFault_SchemaFixed
      end
  | Err e' => Err e'
  end.

(** The revision that a head must have where this stands before. *)
Definition next_revision
    (table_schema : TableSchema)
    (before : Option ByteString)
    (moments : usize) : Result usize TableFault :=
  match before with
  | None => Ok 0
  | Some standing =>
      if table_schema.(schema_flags) =? 1 then
        Err TableFault_RunFixed
      else
        match read_head_numbers standing moments with
        | Ok found => Ok (found.(numbers_revision) + 1)
        | Err _ => Err TableFault_ChangedHead
        end
  end.

(** What it amounts to that a run is deleted. *)
Definition judge_delete
    (table_schema : TableSchema)
    (place : RunPlace)
    (before : Option ByteString) : Result TableChange TableFault :=
  match expect_change (is_present before) TableFault_RunAbsent with
  | Ok _there =>
      match expect_change (table_schema.(schema_flags) =? 2) TableFault_RunFixed with
      | Ok _deletable => Ok (TableChange_RunDeleted place)
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

(** What it amounts to that a run is put. *)
Definition judge_put
    (table_schema : TableSchema)
    (place : RunPlace)
    (before : Option ByteString)
    (written : ByteString) : Result TableChange TableFault :=
  let moments := column_moments table_schema place.(place_column) in
  match expect_head written moments with
  | Ok numbers =>
      match expect_change (head_has_room numbers moments) TableFault_RecordMisplaced with
      | Ok _room =>
          match next_revision table_schema before moments with
          | Ok expected =>
              match expect_change (numbers.(numbers_revision) =? expected) TableFault_RevisionMismatched with
              | Ok _next => Ok (TableChange_RunPut place)
              | Err e' => Err e'
              end
          | Err e' => Err e'
          end
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

(** Whether a run is not closed: its key is not below the watermark. *)
Definition expect_open (table_schema : TableSchema) (place : RunPlace) : Result unit TableFault :=
  let first := first_part table_schema.(schema_keys) place.(place_columns) in
  expect_change (negb (bytes_less first table_schema.(schema_watermark))) TableFault_ColumnsClosed.

(** What a change of a head's key amounts to. *)
Definition judge_head
    (table_schema : TableSchema)
    (place : RunPlace)
    (before after : Option ByteString) : Result TableChange TableFault :=
  match expect_open table_schema place with
  | Ok _open =>
      match after with
      | None => judge_delete table_schema place before
      | Some written => judge_put table_schema place before written
      end
  | Err e' => Err e'
  end.

(** What a change of a key of a table amounts to that has this schema. *)
Definition judge_run
    (table_schema : TableSchema)
    (changed : ByteString)
    (before after : Option ByteString) : Result TableChange TableFault :=
  match decode_table_key table_schema changed with
  | Err unread => Err (TableFault_ChangedKey unread)
  | Ok (TableKey_SchemaKey _) => Err TableFault_SegmentUnread
  | Ok (TableKey_SegmentKey _) => Err TableFault_SegmentUnread
  | Ok (TableKey_HeadKey place) => judge_head table_schema place before after
  end.

(** Whether a head that stands has this revision. *)
Definition revision_stands (standing : Option usize) (revision : usize) : bool :=
  match standing with
  | None => false
  | Some found => found =? revision
  end.

(** Whether a segment of this place may be deleted whose run has a head of this revision now, or has
    none: one of a run or of a revision that is no more. *)
Definition judge_segment_place
    (table_schema : TableSchema)
    (place : SegmentPlace)
    (standing : Option usize) : Result unit TableFault :=
  match expect_open table_schema place.(segment_place_run) with
  | Ok _open =>
      let stale := negb (revision_stands standing place.(segment_place_revision)) in
      expect_change ((table_schema.(schema_flags) =? 2) && stale) TableFault_RunFixed
  | Err e' => Err e'
  end.

(** Whether what stands under a key may be deleted, which is a segment whose run has a head of this
    revision now, or has none. *)
Definition judge_segment_delete
    (table_schema : TableSchema)
    (changed : ByteString)
    (standing : Option usize) : Result unit TableFault :=
  match decode_table_key table_schema changed with
  | Err unread => Err (TableFault_ChangedKey unread)
  | Ok (TableKey_SchemaKey _) => Err TableFault_SegmentUnread
  | Ok (TableKey_HeadKey _) => Err TableFault_SegmentUnread
  | Ok (TableKey_SegmentKey place) => judge_segment_place table_schema place standing
  end.

(** What is behind the prefix of a key, its reason as one of a change. *)
Definition expect_table_key (changed : ByteString) : Result ByteString TableFault :=
  match read_table_prefix changed with
  | Ok (_, rest) => Ok rest
  | Err unread => Err (TableFault_ChangedKey unread)
  end.

(** What a change of a key amounts to under the schema that stood before, if it is legal. A content
    is `None` where the key is absent. *)
Definition judge_change
    (standing : Option TableSchema)
    (changed : ByteString)
    (before after : Option ByteString) : Result TableChange TableFault :=
  match expect_table_key changed with
  | Ok rest =>
      if bytes_equal rest (u8_bytes 0) then
        judge_schema standing after
      else
        match standing with
        | None => Err TableFault_TableUnknown
        | Some table_schema => judge_run table_schema changed before after
        end
  | Err e' => Err e'
  end.

End Specification.
