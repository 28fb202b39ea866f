(* Translated from spec/src/table/table_schema.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Schemas of tables: which columns a table has, who may write it, and what may change.

    ```text
    schema       = u8 1 || u8 flags || u8 n || writer (32)* || u8 n || key_column* || u8 n || value_column*
                   || u8 n || bytes8(row column)* || bytes8(watermark)
    key_column   = bytes8(name) || u8 kind || u8 width
    value_column = bytes8(name) || i64 lowest || u64 span || u8 bits || u8 moments || u8 scale
    ```

    Source: docs/tables.md, "Schemas and keys". *)
From AardvarkSpec Require Export Prelude Base.Integers Base.Bytes Base.Hash Decoding.DecodeReason.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** The most bytes of a schema. *)
Definition MAX_SCHEMA_BYTES : usize :=
  1024.

(** The most bytes of a name. *)
Definition MAX_NAME_BYTES : usize :=
  32.

(** The most writers. *)
Definition MAX_WRITERS : usize :=
  8.

(** The length of a writer's public key, in bytes. *)
Definition WRITER_BYTES : usize :=
  32.

(** The most key columns. *)
Definition MAX_KEY_COLUMNS : usize :=
  8.

(** The most bytes of all key columns together. *)
Definition MAX_KEY_BYTES : usize :=
  128.

(** The most value columns. *)
Definition MAX_VALUE_COLUMNS : usize :=
  16.

(** The kind of a key column of natural numbers. *)
Definition KIND_UNSIGNED : usize :=
  0.

(** The kind of a key column of integers. *)
Definition KIND_SIGNED : usize :=
  1.

(** The kind of a key column of texts. *)
Definition KIND_TEXT : usize :=
  2.

(** A key column: public, of a fixed width. *)
Record KeyColumn : Type := {
  (** Its name. *)
  key_column_name : ByteString;
  (** [`KIND_UNSIGNED`], [`KIND_SIGNED`] or [`KIND_TEXT`]. *)
  key_column_kind : usize;
  (** How many bytes a value has. *)
  key_column_width : usize;
}.

#[global] Instance Default_KeyColumn : Default KeyColumn := {| key_column_name := default; key_column_kind := default; key_column_width := default |}.

(** A value column: private numbers, of which each run commits to its own. *)
Record ValueColumn : Type := {
  (** Its name. *)
  value_column_name : ByteString;
  (** The lowest number, in two's complement of 64 bits. *)
  value_column_lowest : u64;
  (** The highest number minus the lowest. *)
  value_column_span : u64;
  (** How many bits a step between two rows has at most. *)
  value_column_bits : usize;
  (** How many powers of the rows have sums. *)
  value_column_moments : usize;
  (** How many decimal digits are behind the point where a number is shown. *)
  value_column_scale : usize;
}.

#[global] Instance Default_ValueColumn : Default ValueColumn := {| value_column_name := default; value_column_lowest := default; value_column_span := default; value_column_bits := default; value_column_moments := default; value_column_scale := default |}.

(** A schema. *)
Record TableSchema : Type := {
  (** 0; 1 where runs are never replaced or deleted; 2 where they may be deleted. *)
  schema_flags : usize;
  (** The public keys of those who may write. *)
  schema_writers : Seq ByteString;
  (** The key columns. *)
  schema_keys : Seq KeyColumn;
  (** The value columns. *)
  schema_values : Seq ValueColumn;
  (** The names of the columns of private text. *)
  schema_rows : Seq ByteString;
  (** Empty, or a value of the first key column: keys below it are closed. *)
  schema_watermark : ByteString;
}.

#[global] Instance Default_TableSchema : Default TableSchema := {| schema_flags := default; schema_writers := default; schema_keys := default; schema_values := default; schema_rows := default; schema_watermark := default |}.

(** Why bytes are no schema. *)
Inductive SchemaReason : Type :=
(** They are not an encoding. *)
| SchemaReason_SchemaBytes (_ : DecodeReason)
(** The flags are none of 0, 1 and 2. *)
| SchemaReason_FlagsUnknown
(** There are more than [`MAX_WRITERS`]. *)
| SchemaReason_ExcessWriters
(** There are more than [`MAX_KEY_COLUMNS`]. *)
| SchemaReason_ExcessKeyColumns
(** A name is empty, longer than [`MAX_NAME_BYTES`], or has other characters than `a-z 0-9 _ -`. *)
| SchemaReason_NameIllegal
(** A key column is of no known kind. *)
| SchemaReason_KindUnknown
(** A key column of numbers has not 1 to 8 bytes, or one of texts none. *)
| SchemaReason_WidthIllegal
(** The key columns together have more than [`MAX_KEY_BYTES`]. *)
| SchemaReason_ExcessKeyBytes
(** There are more than [`MAX_VALUE_COLUMNS`]. *)
| SchemaReason_ExcessValueColumns
(** The number of bits is none of 8, 16, .., 64. *)
| SchemaReason_BitsIllegal
(** The span is not below 2^bits. *)
| SchemaReason_SpanIllegal
(** The number of moments is none of 1, 2 and 3. *)
| SchemaReason_MomentsIllegal
(** Two columns have one name. *)
| SchemaReason_NameRepeated
(** The watermark is no value of the first key column. *)
| SchemaReason_WatermarkIllegal.

(** The tag of schemas' digests. *)
Definition tag_table_schema : ByteString :=
  [65; 65; 82; 68; 86; 65; 82; 75; 45; 86; 49; 45; 84; 65; 66; 76; 69; 45; 83; 67; 72; 69; 77; 65].

(** One step of [`encode_writers`]. *)
Definition encode_writers_step (encoded writer : ByteString) : ByteString :=
  encoded ++ writer.

(** Public keys, one after the other. *)
Definition encode_writers (writers : Seq ByteString) : ByteString :=
  fold_left
    (fun encoded i => encode_writers_step encoded (seq_at writers i))
    (range 0 (seq_length writers))
    [].

(** One step of [`encode_key_column_list`]. *)
Definition encode_key_column_list_step (encoded : ByteString) (described : KeyColumn) : ByteString :=
  encoded ++
  bytes8 described.(key_column_name) ++
  u8_bytes described.(key_column_kind) ++
  u8_bytes described.(key_column_width).

(** Key columns, one after the other. *)
Definition encode_key_column_list (items : Seq KeyColumn) : ByteString :=
  fold_left
    (fun encoded i => encode_key_column_list_step encoded (seq_at items i))
    (range 0 (seq_length items))
    [].

(** One step of [`encode_value_columns`]. *)
Definition encode_value_columns_step (encoded : ByteString) (described : ValueColumn) : ByteString :=
  encoded ++
  bytes8 described.(value_column_name) ++
  big_endian (u128_of_u64 described.(value_column_lowest)) 8 ++
  big_endian (u128_of_u64 described.(value_column_span)) 8 ++
  u8_bytes described.(value_column_bits) ++
  u8_bytes described.(value_column_moments) ++
  u8_bytes described.(value_column_scale).

(** Value columns, one after the other. *)
Definition encode_value_columns (items : Seq ValueColumn) : ByteString :=
  fold_left
    (fun encoded i => encode_value_columns_step encoded (seq_at items i))
    (range 0 (seq_length items))
    [].

(** One step of [`encode_names`]. *)
Definition encode_names_step (encoded named : ByteString) : ByteString :=
  encoded ++ bytes8 named.

(** Names, one after the other. *)
Definition encode_names (names : Seq ByteString) : ByteString :=
  fold_left (fun encoded i => encode_names_step encoded (seq_at names i)) (range 0 (seq_length names)) [].

(** A schema as bytes, but for its watermark. *)
Definition encode_schema_body (table_schema : TableSchema) : ByteString :=
  u8_bytes 1 ++
  u8_bytes table_schema.(schema_flags) ++
  u8_bytes (seq_length table_schema.(schema_writers)) ++
  encode_writers table_schema.(schema_writers) ++
  u8_bytes (seq_length table_schema.(schema_keys)) ++
  encode_key_column_list table_schema.(schema_keys) ++
  u8_bytes (seq_length table_schema.(schema_values)) ++
  encode_value_columns table_schema.(schema_values) ++
  u8_bytes (seq_length table_schema.(schema_rows)) ++
  encode_names table_schema.(schema_rows).

(** A schema as bytes. *)
Definition encode_schema (table_schema : TableSchema) : ByteString :=
  encode_schema_body table_schema ++ bytes8 table_schema.(schema_watermark).

(** What statements say of a schema. The watermark is left out, so that closing keys leaves
    certificates as they are. *)
Definition schema_digest (table_schema : TableSchema) : ByteString :=
  tagged_hash tag_table_schema (encode_schema_body table_schema).

(** One step of [`key_width`]. *)
Definition key_width_step (total : usize) (described : KeyColumn) : usize :=
  total + described.(key_column_width).

(** How many bytes the key columns have together. *)
Definition key_width (items : Seq KeyColumn) : usize :=
  fold_left (fun total i => key_width_step total (seq_at items i)) (range 0 (seq_length items)) 0.

End Specification.
