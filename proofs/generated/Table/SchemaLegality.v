(* Translated from spec/src/table/schema_legality.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Which schemas are legal: limits of numbers and widths, names, and the watermark.

    Source: docs/tables.md, "Schemas and keys". *)
From AardvarkSpec Require Export Prelude Base.Integers Base.Bytes Table.Sheet Table.TableSchema.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** Whether a byte is one of `a-z 0-9 _ -`. *)
Definition name_byte_legal (byte : u8) : bool :=
  ((97 <=? byte) && (byte <=? 122)) || ((48 <=? byte) && (byte <=? 57)) || (byte =? 95) || (byte =? 45).

(** One step of [`name_legal`]. *)
Definition name_legal_step (legal : bool) (byte : u8) : bool :=
  legal && name_byte_legal byte.

(** Whether a string names a table or a column. *)
Definition name_legal (named : ByteString) : bool :=
  fold_left
    (fun legal i => name_legal_step legal (seq_at named i))
    (range 0 (seq_length named))
    ((1 <=? seq_length named) && (seq_length named <=? MAX_NAME_BYTES)).

(** One step of [`text_legal`]. *)
Definition text_legal_step (legal : bool) (text : ByteString) (i : usize) : bool :=
  legal && ((negb (seq_at text i =? 0)) || (seq_at text (i + 1) =? 0)).

(** Whether a string is a text with zeros behind it: no zero stands before another byte. *)
Definition text_legal (text : ByteString) : bool :=
  let pairs := if 0 <? seq_length text then seq_length text - 1 else 0 in
  fold_left (fun legal i => text_legal_step legal text i) (range 0 pairs) true.

(** Whether a string is a value of a key column. *)
Definition key_part_legal (described : KeyColumn) (written : ByteString) : bool :=
  (seq_length written =? described.(key_column_width)) &&
  ((negb (described.(key_column_kind) =? KIND_TEXT)) || text_legal written).

(** Whether a key column has a legal name, kind and width. *)
Definition check_key_column (described : KeyColumn) : Result unit SchemaReason :=
  if negb (name_legal described.(key_column_name)) then
    Err SchemaReason_NameIllegal
  else if KIND_TEXT <? described.(key_column_kind) then
    Err SchemaReason_KindUnknown
  else if (1 <=? described.(key_column_width)) &&
    ((described.(key_column_width) <=? 8) || (described.(key_column_kind) =? KIND_TEXT)) then
    Ok tt
  else
    Err SchemaReason_WidthIllegal.

(** One step of [`check_key_columns`]. *)
Definition check_key_columns_step
    (verdict : Result unit SchemaReason)
    (described : KeyColumn) : Result unit SchemaReason :=
  match verdict with
  | Ok _before => check_key_column described
  | Err e' => Err e'
  end.

(** Whether each key column is legal. *)
Definition check_key_columns (items : Seq KeyColumn) : Result unit SchemaReason :=
  fold_left
    (fun verdict i => check_key_columns_step verdict (seq_at items i))
    (range 0 (seq_length items))
    (Ok tt).

(** Whether a number of bits is one of 8, 16, .., 64. *)
Definition bits_legal (bits : usize) : bool :=
  (8 <=? bits) && (bits <=? 64) && ((bits mod 8) =? 0).

(** Whether a span is below 2^bits, for a legal number of bits. *)
Definition span_legal (span : u64) (bits : usize) : bool :=
  (64 <=? bits) || (u128_of_u64 span <? u128_of_usize (usize_power_of_two bits)).

(** Whether a value column has a legal name, legal bits, span and moments. *)
Definition check_value_column (described : ValueColumn) : Result unit SchemaReason :=
  if negb (name_legal described.(value_column_name)) then
    Err SchemaReason_NameIllegal
  else if negb (bits_legal described.(value_column_bits)) then
    Err SchemaReason_BitsIllegal
  else if negb (span_legal described.(value_column_span) described.(value_column_bits)) then
    Err SchemaReason_SpanIllegal
  else if (1 <=? described.(value_column_moments)) && (described.(value_column_moments) <=? 3) then
    Ok tt
  else
    Err SchemaReason_MomentsIllegal.

(** One step of [`check_value_columns`]. *)
Definition check_value_columns_step
    (verdict : Result unit SchemaReason)
    (described : ValueColumn) : Result unit SchemaReason :=
  match verdict with
  | Ok _before => check_value_column described
  | Err e' => Err e'
  end.

(** Whether each value column is legal. *)
Definition check_value_columns (items : Seq ValueColumn) : Result unit SchemaReason :=
  fold_left
    (fun verdict i => check_value_columns_step verdict (seq_at items i))
    (range 0 (seq_length items))
    (Ok tt).

(** One step of [`names_legal`]. *)
Definition names_legal_step (legal : bool) (named : ByteString) : bool :=
  legal && name_legal named.

(** Whether each string is a name. *)
Definition names_legal (names : Seq ByteString) : bool :=
  fold_left (fun legal i => names_legal_step legal (seq_at names i)) (range 0 (seq_length names)) true.

(** One step of [`key_names`]. *)
Definition key_names_step (names : Seq ByteString) (described : KeyColumn) : Seq ByteString :=
  names ++ [described.(key_column_name)].

(** The names of key columns. *)
Definition key_names (items : Seq KeyColumn) : Seq ByteString :=
  fold_left (fun names i => key_names_step names (seq_at items i)) (range 0 (seq_length items)) [].

(** One step of [`value_names`]. *)
Definition value_names_step (names : Seq ByteString) (described : ValueColumn) : Seq ByteString :=
  names ++ [described.(value_column_name)].

(** The names of value columns. *)
Definition value_names (items : Seq ValueColumn) : Seq ByteString :=
  fold_left (fun names i => value_names_step names (seq_at items i)) (range 0 (seq_length items)) [].

(** One step of [`name_stands_before`]. *)
Definition name_stands_before_step (found : bool) (names : Seq ByteString) (i j : usize) : bool :=
  found || bytes_equal (seq_at names j) (seq_at names i).

(** Whether the name at `i` stands before `i` too, for `i` in the list. *)
Definition name_stands_before (names : Seq ByteString) (i : usize) : bool :=
  fold_left (fun found j => name_stands_before_step found names i j) (range 0 i) false.

(** One step of [`names_distinct`]. *)
Definition names_distinct_step (distinct : bool) (names : Seq ByteString) (i : usize) : bool :=
  distinct && negb (name_stands_before names i).

(** Whether no name stands twice. *)
Definition names_distinct (names : Seq ByteString) : bool :=
  fold_left (fun distinct i => names_distinct_step distinct names i) (range 0 (seq_length names)) true.

(** Whether a watermark is empty, or a value of the first key column. *)
Definition watermark_legal (table_schema : TableSchema) : bool :=
  if seq_length table_schema.(schema_watermark) =? 0 then
    true
  else if 0 <? seq_length table_schema.(schema_keys) then
    key_part_legal (seq_at table_schema.(schema_keys) 0) table_schema.(schema_watermark)
  else
    false.

(** Whether a condition holds, or the reason of its failure. *)
Definition expect_schema (condition : bool) (otherwise : SchemaReason) : Result unit SchemaReason :=
  if condition then Ok tt else Err otherwise.

(** Whether a schema is legal. The first reason decides where there are several. *)
Definition check_schema (table_schema : TableSchema) : Result unit SchemaReason :=
  let names :=
    key_names table_schema.(schema_keys) ++
    value_names table_schema.(schema_values) ++
    table_schema.(schema_rows)
  in
  match expect_schema (table_schema.(schema_flags) <=? 2) SchemaReason_FlagsUnknown with
  | Ok _flags =>
      match expect_schema
          (seq_length table_schema.(schema_writers) <=? MAX_WRITERS)
          SchemaReason_ExcessWriters with
      | Ok _writers =>
          match expect_schema
              (seq_length table_schema.(schema_keys) <=? MAX_KEY_COLUMNS)
              SchemaReason_ExcessKeyColumns with
          | Ok _keys =>
              match check_key_columns table_schema.(schema_keys) with
              | Ok _each_key =>
                  match expect_schema
                      (key_width table_schema.(schema_keys) <=? MAX_KEY_BYTES)
                      SchemaReason_ExcessKeyBytes with
                  | Ok _key_bytes =>
                      match expect_schema
                          (seq_length table_schema.(schema_values) <=? MAX_VALUE_COLUMNS)
                          SchemaReason_ExcessValueColumns with
                      | Ok _values =>
                          match check_value_columns table_schema.(schema_values) with
                          | Ok _each_value =>
                              match expect_schema
                                  (names_legal table_schema.(schema_rows))
                                  SchemaReason_NameIllegal with
                              | Ok _each_row =>
                                  match expect_schema (names_distinct names) SchemaReason_NameRepeated with
                                  | Ok _distinct =>
                                      expect_schema
                                        (watermark_legal table_schema)
                                        SchemaReason_WatermarkIllegal
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

End Specification.
