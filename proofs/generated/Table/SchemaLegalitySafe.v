(* Translated from spec/src/table/schema_legality.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Table.SchemaLegality Base.BytesSafe Table.SheetSafe Table.TableSchemaSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [name_legal] does not panic. *)
Definition name_legal_safe (named : ByteString) : bool :=
  loop_safe
    (fun legal i => name_legal_step legal (seq_at named i))
    (fun legal i => i <? seq_length named)
    (range 0 (seq_length named))
    ((1 <=? seq_length named) && (seq_length named <=? MAX_NAME_BYTES)).

(** When [text_legal_step] does not panic. *)
Definition text_legal_step_safe (legal : bool) (text : ByteString) (i : usize) : bool :=
  if legal then
    (i <? seq_length text) &&
    (if negb (seq_at text i =? 0) then true else within_usize (i + 1) && (i + 1 <? seq_length text))
  else
    true.

(** When [text_legal] does not panic. *)
Definition text_legal_safe (text : ByteString) : bool :=
  (if 0 <? seq_length text then 1 <=? seq_length text else true) &&
  (let pairs := if 0 <? seq_length text then seq_length text - 1 else 0 in
    loop_safe
      (fun legal i => text_legal_step legal text i)
      (fun legal i => text_legal_step_safe legal text i)
      (range 0 pairs)
      true).

(** When [key_part_legal] does not panic. *)
Definition key_part_legal_safe (described : KeyColumn) (written : ByteString) : bool :=
  if seq_length written =? described.(key_column_width) then
    if negb (described.(key_column_kind) =? KIND_TEXT) then true else text_legal_safe written
  else
    true.

(** When [check_key_column] does not panic. *)
Definition check_key_column_safe (described : KeyColumn) : bool :=
  name_legal_safe described.(key_column_name).

(** When [check_key_columns_step] does not panic. *)
Definition check_key_columns_step_safe (verdict : Result unit SchemaReason) (described : KeyColumn) : bool :=
  match verdict with
  | Ok _before => check_key_column_safe described
  | Err _ => true
  end.

(** When [check_key_columns] does not panic. *)
Definition check_key_columns_safe (items : Seq KeyColumn) : bool :=
  loop_safe
    (fun verdict i => check_key_columns_step verdict (seq_at items i))
    (fun verdict i => (i <? seq_length items) && check_key_columns_step_safe verdict (seq_at items i))
    (range 0 (seq_length items))
    (Ok tt).

(** When [span_legal] does not panic. *)
Definition span_legal_safe (span : u64) (bits : usize) : bool :=
  if 64 <=? bits then true else usize_power_of_two_safe bits.

(** When [check_value_column] does not panic. *)
Definition check_value_column_safe (described : ValueColumn) : bool :=
  name_legal_safe described.(value_column_name) &&
  (if negb (name_legal described.(value_column_name)) then
      true
    else if negb (bits_legal described.(value_column_bits)) then
      true
    else
      span_legal_safe described.(value_column_span) described.(value_column_bits)).

(** When [check_value_columns_step] does not panic. *)
Definition check_value_columns_step_safe
    (verdict : Result unit SchemaReason)
    (described : ValueColumn) : bool :=
  match verdict with
  | Ok _before => check_value_column_safe described
  | Err _ => true
  end.

(** When [check_value_columns] does not panic. *)
Definition check_value_columns_safe (items : Seq ValueColumn) : bool :=
  loop_safe
    (fun verdict i => check_value_columns_step verdict (seq_at items i))
    (fun verdict i => (i <? seq_length items) && check_value_columns_step_safe verdict (seq_at items i))
    (range 0 (seq_length items))
    (Ok tt).

(** When [names_legal_step] does not panic. *)
Definition names_legal_step_safe (legal : bool) (named : ByteString) : bool :=
  if legal then name_legal_safe named else true.

(** When [names_legal] does not panic. *)
Definition names_legal_safe (names : Seq ByteString) : bool :=
  loop_safe
    (fun legal i => names_legal_step legal (seq_at names i))
    (fun legal i => (i <? seq_length names) && names_legal_step_safe legal (seq_at names i))
    (range 0 (seq_length names))
    true.

(** When [key_names] does not panic. *)
Definition key_names_safe (items : Seq KeyColumn) : bool :=
  loop_safe
    (fun names i => key_names_step names (seq_at items i))
    (fun names i => i <? seq_length items)
    (range 0 (seq_length items))
    [].

(** When [value_names] does not panic. *)
Definition value_names_safe (items : Seq ValueColumn) : bool :=
  loop_safe
    (fun names i => value_names_step names (seq_at items i))
    (fun names i => i <? seq_length items)
    (range 0 (seq_length items))
    [].

(** When [name_stands_before_step] does not panic. *)
Definition name_stands_before_step_safe (found : bool) (names : Seq ByteString) (i j : usize) : bool :=
  if found then
    true
  else
    (j <? seq_length names) && (i <? seq_length names) && bytes_equal_safe (seq_at names j) (seq_at names i).

(** When [name_stands_before] does not panic. *)
Definition name_stands_before_safe (names : Seq ByteString) (i : usize) : bool :=
  loop_safe
    (fun found j => name_stands_before_step found names i j)
    (fun found j => name_stands_before_step_safe found names i j)
    (range 0 i)
    false.

(** When [names_distinct_step] does not panic. *)
Definition names_distinct_step_safe (distinct : bool) (names : Seq ByteString) (i : usize) : bool :=
  if distinct then name_stands_before_safe names i else true.

(** When [names_distinct] does not panic. *)
Definition names_distinct_safe (names : Seq ByteString) : bool :=
  loop_safe
    (fun distinct i => names_distinct_step distinct names i)
    (fun distinct i => names_distinct_step_safe distinct names i)
    (range 0 (seq_length names))
    true.

(** When [watermark_legal] does not panic. *)
Definition watermark_legal_safe (table_schema : TableSchema) : bool :=
  if seq_length table_schema.(schema_watermark) =? 0 then
    true
  else if 0 <? seq_length table_schema.(schema_keys) then
    key_part_legal_safe (seq_at table_schema.(schema_keys) 0) table_schema.(schema_watermark)
  else
    true.

(** When [check_schema] does not panic. *)
Definition check_schema_safe (table_schema : TableSchema) : bool :=
  key_names_safe table_schema.(schema_keys) && value_names_safe table_schema.(schema_values) &&
  (let names :=
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
                check_key_columns_safe table_schema.(schema_keys) &&
                (match check_key_columns table_schema.(schema_keys) with
                  | Ok _each_key =>
                      key_width_safe table_schema.(schema_keys) &&
                      (match expect_schema
                            (key_width table_schema.(schema_keys) <=? MAX_KEY_BYTES)
                            SchemaReason_ExcessKeyBytes with
                        | Ok _key_bytes =>
                            match expect_schema
                                (seq_length table_schema.(schema_values) <=? MAX_VALUE_COLUMNS)
                                SchemaReason_ExcessValueColumns with
                            | Ok _values =>
                                check_value_columns_safe table_schema.(schema_values) &&
                                (match check_value_columns table_schema.(schema_values) with
                                  | Ok _each_value =>
                                      names_legal_safe table_schema.(schema_rows) &&
                                      (match expect_schema
                                            (names_legal table_schema.(schema_rows))
                                            SchemaReason_NameIllegal with
                                        | Ok _each_row =>
                                            names_distinct_safe names &&
                                            (match expect_schema
                                                  (names_distinct names)
                                                  SchemaReason_NameRepeated with
                                              | Ok _distinct => watermark_legal_safe table_schema
                                              | Err _ => true
                                              end)
                                        | Err _ => true
                                        end)
                                  | Err _ => true
                                  end)
                            | Err _ => true
                            end
                        | Err _ => true
                        end)
                  | Err _ => true
                  end)
            | Err _ => true
            end
        | Err _ => true
        end
    | Err _ => true
    end).

End Specification.
