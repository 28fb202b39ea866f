(* Translated from spec/src/table/table_key.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Table.TableKey Base.BytesSafe Decoding.CursorSafe Table.TableSchemaSafe
  Table.SchemaLegalitySafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [take_of_key] does not panic. *)
Definition take_of_key_safe (bytes : ByteString) (count : usize) : bool :=
  take_bytes_safe bytes count.

(** When [number_of_key] does not panic. *)
Definition number_of_key_safe (bytes : ByteString) (width : usize) : bool :=
  read_number_safe bytes width.

(** When [check_key_parts_step] does not panic. *)
Definition check_key_parts_step_safe
    (remaining : Result ByteString TableKeyReason)
    (described : KeyColumn) : bool :=
  match remaining with
  | Ok written =>
      take_of_key_safe written described.(key_column_width) &&
      (match take_of_key written described.(key_column_width) with
        | Ok (part, rest) => key_part_legal_safe described part
        | Err _ => true
        end)
  | Err _ => true
  end.

(** When [check_key_parts] does not panic. *)
Definition check_key_parts_safe (items : Seq KeyColumn) (bytes : ByteString) : bool :=
  loop_safe
    (fun remaining i => check_key_parts_step remaining (seq_at items i))
    (fun remaining i => (i <? seq_length items) && check_key_parts_step_safe remaining (seq_at items i))
    (range 0 (seq_length items))
    (Ok bytes).

(** When [read_run_place] does not panic. *)
Definition read_run_place_safe (table_schema : TableSchema) (table bytes : ByteString) : bool :=
  number_of_key_safe bytes 1 &&
  (match number_of_key bytes 1 with
    | Ok (number, after_column) =>
        match expect_key (number <? seq_length table_schema.(schema_values)) TableKeyReason_ColumnUnknown with
        | Ok _known =>
            key_width_safe table_schema.(schema_keys) &&
            take_of_key_safe after_column (key_width table_schema.(schema_keys)) &&
            (match take_of_key after_column (key_width table_schema.(schema_keys)) with
              | Ok (written, after_columns) =>
                  check_key_parts_safe table_schema.(schema_keys) written &&
                  (match check_key_parts table_schema.(schema_keys) written with
                    | Ok _legal => number_of_key_safe after_columns 4
                    | Err _ => true
                    end)
              | Err _ => true
              end)
        | Err _ => true
        end
    | Err _ => true
    end).

(** When [decode_head_key] does not panic. *)
Definition decode_head_key_safe (table_schema : TableSchema) (table bytes : ByteString) : bool :=
  read_run_place_safe table_schema table bytes.

(** When [decode_segment_key] does not panic. *)
Definition decode_segment_key_safe (table_schema : TableSchema) (table bytes : ByteString) : bool :=
  read_run_place_safe table_schema table bytes &&
  (match read_run_place table_schema table bytes with
    | Ok (place, after_run) =>
        number_of_key_safe after_run 4 &&
        (match number_of_key after_run 4 with
          | Ok (revision, after_revision) => number_of_key_safe after_revision 4
          | Err _ => true
          end)
    | Err _ => true
    end).

(** When [decode_key_part] does not panic. *)
Definition decode_key_part_safe
    (table_schema : TableSchema)
    (table : ByteString)
    (part : usize)
    (bytes : ByteString) : bool :=
  if part =? 1 then
    decode_head_key_safe table_schema table bytes
  else if part =? 2 then
    decode_segment_key_safe table_schema table bytes
  else
    true.

(** When [read_table_prefix] does not panic. *)
Definition read_table_prefix_safe (bytes : ByteString) : bool :=
  number_of_key_safe bytes 1 &&
  (match number_of_key bytes 1 with
    | Ok (first, after_first) =>
        match expect_key (first =? TABLE_KEY_BYTE) TableKeyReason_KeyForeign with
        | Ok _table =>
            number_of_key_safe after_first 1 &&
            (match number_of_key after_first 1 with
              | Ok (count, after_count) =>
                  take_of_key_safe after_count count &&
                  (match take_of_key after_count count with
                    | Ok (table, rest) => name_legal_safe table
                    | Err _ => true
                    end)
              | Err _ => true
              end)
        | Err _ => true
        end
    | Err _ => true
    end).

(** When [decode_table_key] does not panic. *)
Definition decode_table_key_safe (table_schema : TableSchema) (bytes : ByteString) : bool :=
  read_table_prefix_safe bytes &&
  (match read_table_prefix bytes with
    | Ok (table, after_prefix) =>
        number_of_key_safe after_prefix 1 &&
        (match number_of_key after_prefix 1 with
          | Ok (part, rest) => decode_key_part_safe table_schema table part rest
          | Err _ => true
          end)
    | Err _ => true
    end).

End Specification.
