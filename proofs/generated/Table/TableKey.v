(* Translated from spec/src/table/table_key.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Keys of tables: under which keys the dictionary holds schemas, heads of runs and segments.

    ```text
    prefix      = u8 0x54 || bytes8(name)
    schema key  = prefix || u8 0
    head key    = prefix || u8 1 || u8 column || key columns || u32 run
    segment key = prefix || u8 2 || u8 column || key columns || u32 run || u32 revision
                  || u32 segment
    ```

    A key column of natural numbers is big-endian; of integers the same, 2^(8 width - 1) added; of
    texts the text with zeros behind it. So the order of keys is the order of their columns.
    Segments have numbers from 1 on; the first segment is in the head. Source: docs/tables.md,
    "Schemas and keys". *)
From AardvarkSpec Require Export Prelude Base.Bytes Decoding.Cursor Table.TableSchema Table.SchemaLegality.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** The first byte of each key of a table. *)
Definition TABLE_KEY_BYTE : usize :=
  84.

(** 2^63. *)
Definition SIGNED_CENTRE : u128 :=
  9223372036854775808.

(** Where a run stands. *)
Record RunPlace : Type := {
  (** The table's name. *)
  place_table : ByteString;
  (** The number of the value column. *)
  place_column : usize;
  (** The key columns, encoded. *)
  place_columns : ByteString;
  (** The number of the run among those of its key. *)
  place_run : usize;
}.

#[global] Instance Default_RunPlace : Default RunPlace := {| place_table := default; place_column := default; place_columns := default; place_run := default |}.

(** Where a segment stands that is not its run's first. *)
Record SegmentPlace : Type := {
  (** Where its run stands. *)
  segment_place_run : RunPlace;
  (** How often the run was replaced. *)
  segment_place_revision : usize;
  (** The number of the segment, at least 1. *)
  segment_place_number : usize;
}.

#[global] Instance Default_SegmentPlace : Default SegmentPlace := {| segment_place_run := default; segment_place_revision := default; segment_place_number := default |}.

(** A key of a table. *)
Inductive TableKey : Type :=
(** Of the schema of the table of this name. *)
| TableKey_SchemaKey (_ : ByteString)
(** Of the head of a run. *)
| TableKey_HeadKey (_ : RunPlace)
(** Of a segment. *)
| TableKey_SegmentKey (_ : SegmentPlace).

(** A value of a key column. *)
Record KeyValue : Type := {
  (** Its kind, as that of a key column. *)
  content_kind : usize;
  (** A natural number; an integer, 2^63 added; 0 for a text. *)
  content_number : u64;
  (** A text, without the zeros behind it; empty for a number. *)
  content_text : ByteString;
}.

#[global] Instance Default_KeyValue : Default KeyValue := {| content_kind := default; content_number := default; content_text := default |}.

(** Why bytes are no key of a table, or values no key columns. *)
Inductive TableKeyReason : Type :=
(** The bytes end before the key does. *)
| TableKeyReason_KeyTruncated
(** Bytes are left over behind the key. *)
| TableKeyReason_KeyTrailing
(** The first byte is not a table's. *)
| TableKeyReason_KeyForeign
(** The table's name is not legal. *)
| TableKeyReason_TableNameIllegal
(** The byte behind the name is none of 0, 1 and 2. *)
| TableKeyReason_KeyPartUnknown
(** There is no such value column. *)
| TableKeyReason_ColumnUnknown
(** A text has a zero inside. *)
| TableKeyReason_KeyTextIllegal
(** A segment has the number 0. *)
| TableKeyReason_SegmentZero
(** There are more or fewer values than key columns. *)
| TableKeyReason_KeyCountMismatched
(** A value is of another kind than its column. *)
| TableKeyReason_KeyKindMismatched
(** A value does not fit its column's width. *)
| TableKeyReason_KeyValueTooWide.

(** What all keys of a table begin with. *)
Definition table_prefix (table : ByteString) : ByteString :=
  u8_bytes TABLE_KEY_BYTE ++ bytes8 table.

(** `u8 column || key columns || u32 run`. *)
Definition encode_run_place (place : RunPlace) : ByteString :=
  u8_bytes place.(place_column) ++ place.(place_columns) ++ u32_bytes place.(place_run).

(** A key as bytes. *)
Definition encode_table_key (place : TableKey) : ByteString :=
  match place with
  | TableKey_SchemaKey table => table_prefix table ++ u8_bytes 0
  | TableKey_HeadKey head_place =>
      table_prefix head_place.(place_table) ++ u8_bytes 1 ++ encode_run_place head_place
  | TableKey_SegmentKey segment_place =>
      table_prefix segment_place.(segment_place_run).(place_table) ++
      u8_bytes 2 ++
      encode_run_place segment_place.(segment_place_run) ++
      u32_bytes segment_place.(segment_place_revision) ++
      u32_bytes segment_place.(segment_place_number)
  end.

(** The next bytes of a key, so many, and the bytes behind them. *)
Definition take_of_key
    (bytes : ByteString)
    (count : usize) : Result (ByteString * ByteString) TableKeyReason :=
  match take_bytes bytes count with
  | Ok taken => Ok taken
  | Err _ => Err TableKeyReason_KeyTruncated
  end.

(** The next number of a key, of at most 8 bytes. *)
Definition number_of_key (bytes : ByteString) (width : usize) : Result (usize * ByteString) TableKeyReason :=
  match read_number bytes width with
  | Ok taken => Ok taken
  | Err _ => Err TableKeyReason_KeyTruncated
  end.

(** Whether a condition holds, or the reason of its failure. *)
Definition expect_key (condition : bool) (otherwise : TableKeyReason) : Result unit TableKeyReason :=
  if condition then Ok tt else Err otherwise.

(** One step of [`check_key_parts`]. *)
Definition check_key_parts_step
    (remaining : Result ByteString TableKeyReason)
    (described : KeyColumn) : Result ByteString TableKeyReason :=
  match remaining with
  | Ok written =>
      match take_of_key written described.(key_column_width) with
      | Ok (part, rest) =>
          match expect_key (key_part_legal described part) TableKeyReason_KeyTextIllegal with
          | Ok _legal => Ok rest
          | Err e' => Err e'
          end
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

(** What is behind the key columns, once each is a value of its column. *)
Definition check_key_parts (items : Seq KeyColumn) (bytes : ByteString) : Result ByteString TableKeyReason :=
  fold_left
    (fun remaining i => check_key_parts_step remaining (seq_at items i))
    (range 0 (seq_length items))
    (Ok bytes).

(** The place of a run in a table of this schema, and the bytes behind it. *)
Definition read_run_place
    (table_schema : TableSchema)
    (table bytes : ByteString) : Result (RunPlace * ByteString) TableKeyReason :=
  match number_of_key bytes 1 with
  | Ok (number, after_column) =>
      match expect_key (number <? seq_length table_schema.(schema_values)) TableKeyReason_ColumnUnknown with
      | Ok _known =>
          match take_of_key after_column (key_width table_schema.(schema_keys)) with
          | Ok (written, after_columns) =>
              match check_key_parts table_schema.(schema_keys) written with
              | Ok _legal =>
                  match number_of_key after_columns 4 with
                  | Ok (run, rest) =>
                      Ok
                        ({| place_table := table;
                            place_column := number;
                            place_columns := written;
                            place_run := run |},
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
  end.

(** The key of a head, from the bytes behind its part. *)
Definition decode_head_key
    (table_schema : TableSchema)
    (table bytes : ByteString) : Result TableKey TableKeyReason :=
  match read_run_place table_schema table bytes with
  | Ok (place, rest) =>
      match expect_key (seq_length rest =? 0) TableKeyReason_KeyTrailing with
      | Ok _end => Ok (TableKey_HeadKey place)
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

(** The key of a segment, from the bytes behind its part. *)
Definition decode_segment_key
    (table_schema : TableSchema)
    (table bytes : ByteString) : Result TableKey TableKeyReason :=
  match read_run_place table_schema table bytes with
  | Ok (place, after_run) =>
      match number_of_key after_run 4 with
      | Ok (revision, after_revision) =>
          match number_of_key after_revision 4 with
          | Ok (number, rest) =>
              match expect_key (seq_length rest =? 0) TableKeyReason_KeyTrailing with
              | Ok _end =>
                  match expect_key (1 <=? number) TableKeyReason_SegmentZero with
                  | Ok _continues =>
                      Ok
                        (TableKey_SegmentKey
                            {| segment_place_run := place;
                              segment_place_revision := revision;
                              segment_place_number := number |})
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

(** The key of a part of a table, from the bytes behind the part's number. *)
Definition decode_key_part
    (table_schema : TableSchema)
    (table : ByteString)
    (part : usize)
    (bytes : ByteString) : Result TableKey TableKeyReason :=
  if part =? 1 then
    decode_head_key table_schema table bytes
  else if part =? 2 then
    decode_segment_key table_schema table bytes
  else if 2 <? part then
    Err TableKeyReason_KeyPartUnknown
  else if seq_length bytes =? 0 then
    Ok (TableKey_SchemaKey table)
  else
    Err TableKeyReason_KeyTrailing.

(** The name of the table that a key is of, and the bytes behind the prefix. It asks for no schema. *)
Definition read_table_prefix (bytes : ByteString) : Result (ByteString * ByteString) TableKeyReason :=
  match number_of_key bytes 1 with
  | Ok (first, after_first) =>
      match expect_key (first =? TABLE_KEY_BYTE) TableKeyReason_KeyForeign with
      | Ok _table =>
          match number_of_key after_first 1 with
          | Ok (count, after_count) =>
              match take_of_key after_count count with
              | Ok (table, rest) =>
                  match expect_key (name_legal table) TableKeyReason_TableNameIllegal with
                  | Ok _named => Ok (table, rest)
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

(** The key that the bytes are, in a table of this legal schema. *)
Definition decode_table_key
    (table_schema : TableSchema)
    (bytes : ByteString) : Result TableKey TableKeyReason :=
  match read_table_prefix bytes with
  | Ok (table, after_prefix) =>
      match number_of_key after_prefix 1 with
      | Ok (part, rest) => decode_key_part table_schema table part rest
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

End Specification.
