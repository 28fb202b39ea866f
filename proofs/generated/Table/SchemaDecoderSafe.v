(* Translated from spec/src/table/schema_decoder.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Table.SchemaDecoder Base.BytesSafe Decoding.CursorSafe Table.TableSchemaSafe
  Table.SchemaLegalitySafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [read_writers_step] does not panic. *)
Definition read_writers_step_safe (items : Result ((Seq ByteString) * ByteString) DecodeReason) : bool :=
  match items with
  | Ok (before, bytes) => take_bytes_safe bytes WRITER_BYTES
  | Err _ => true
  end.

(** When [read_writers] does not panic. *)
Definition read_writers_safe (bytes : ByteString) (count : usize) : bool :=
  reading_turns_safe count bytes &&
  (loop_safe
      (fun items _i => read_writers_step items)
      (fun items _i => read_writers_step_safe items)
      (range 0 (reading_turns count bytes))
      (Ok ([], bytes))).

(** When [read_key_column] does not panic. *)
Definition read_key_column_safe (bytes : ByteString) : bool :=
  read_bytes8_safe bytes &&
  (match read_bytes8 bytes with
    | Ok (named, after_name) =>
        read_number_safe after_name 1 &&
        (match read_number after_name 1 with
          | Ok (kind, after_kind) => read_number_safe after_kind 1
          | Err _ => true
          end)
    | Err _ => true
    end).

(** When [read_key_columns_step] does not panic. *)
Definition read_key_columns_step_safe (items : Result ((Seq KeyColumn) * ByteString) DecodeReason) : bool :=
  match items with
  | Ok (before, bytes) => read_key_column_safe bytes
  | Err _ => true
  end.

(** When [read_key_columns] does not panic. *)
Definition read_key_columns_safe (bytes : ByteString) (count : usize) : bool :=
  reading_turns_safe count bytes &&
  (loop_safe
      (fun items _i => read_key_columns_step items)
      (fun items _i => read_key_columns_step_safe items)
      (range 0 (reading_turns count bytes))
      (Ok ([], bytes))).

(** When [read_value_column] does not panic. *)
Definition read_value_column_safe (bytes : ByteString) : bool :=
  read_bytes8_safe bytes &&
  (match read_bytes8 bytes with
    | Ok (named, after_name) =>
        read_amount_safe after_name &&
        (match read_amount after_name with
          | Ok (lowest, after_lowest) =>
              read_amount_safe after_lowest &&
              (match read_amount after_lowest with
                | Ok (span, after_span) =>
                    read_number_safe after_span 1 &&
                    (match read_number after_span 1 with
                      | Ok (bits, after_bits) =>
                          read_number_safe after_bits 1 &&
                          (match read_number after_bits 1 with
                            | Ok (moments, after_moments) => read_number_safe after_moments 1
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

(** When [read_value_columns_step] does not panic. *)
Definition read_value_columns_step_safe
    (items : Result ((Seq ValueColumn) * ByteString) DecodeReason) : bool :=
  match items with
  | Ok (before, bytes) => read_value_column_safe bytes
  | Err _ => true
  end.

(** When [read_value_columns] does not panic. *)
Definition read_value_columns_safe (bytes : ByteString) (count : usize) : bool :=
  reading_turns_safe count bytes &&
  (loop_safe
      (fun items _i => read_value_columns_step items)
      (fun items _i => read_value_columns_step_safe items)
      (range 0 (reading_turns count bytes))
      (Ok ([], bytes))).

(** When [read_names_step] does not panic. *)
Definition read_names_step_safe (items : Result ((Seq ByteString) * ByteString) DecodeReason) : bool :=
  match items with
  | Ok (before, bytes) => read_bytes8_safe bytes
  | Err _ => true
  end.

(** When [read_names] does not panic. *)
Definition read_names_safe (bytes : ByteString) (count : usize) : bool :=
  reading_turns_safe count bytes &&
  (loop_safe
      (fun items _i => read_names_step items)
      (fun items _i => read_names_step_safe items)
      (range 0 (reading_turns count bytes))
      (Ok ([], bytes))).

(** When [read_schema] does not panic. *)
Definition read_schema_safe (bytes : ByteString) : bool :=
  match expect_length (seq_length bytes) MAX_SCHEMA_BYTES with
  | Ok _kept =>
      expect_format_safe bytes 1 &&
      (match expect_format bytes 1 with
        | Ok after_format =>
            read_number_safe after_format 1 &&
            (match read_number after_format 1 with
              | Ok (flags, after_flags) =>
                  read_number_safe after_flags 1 &&
                  (match read_number after_flags 1 with
                    | Ok (writer_count, before_writers) =>
                        read_writers_safe before_writers writer_count &&
                        (match read_writers before_writers writer_count with
                          | Ok (writers, after_writers) =>
                              read_number_safe after_writers 1 &&
                              (match read_number after_writers 1 with
                                | Ok (key_count, before_keys) =>
                                    read_key_columns_safe before_keys key_count &&
                                    (match read_key_columns before_keys key_count with
                                      | Ok (keys, after_keys) =>
                                          read_number_safe after_keys 1 &&
                                          (match read_number after_keys 1 with
                                            | Ok (value_count, before_values) =>
                                                read_value_columns_safe before_values value_count &&
                                                (match read_value_columns before_values value_count with
                                                  | Ok (values, after_values) =>
                                                      read_number_safe after_values 1 &&
                                                      (match read_number after_values 1 with
                                                        | Ok (row_count, before_rows) =>
                                                            read_names_safe before_rows row_count &&
                                                            (match read_names before_rows row_count with
                                                              | Ok (rows, after_rows) =>
                                                                  read_bytes8_safe after_rows
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
                          end)
                    | Err _ => true
                    end)
              | Err _ => true
              end)
        | Err _ => true
        end)
  | Err _ => true
  end.

(** When [read_schema_bytes] does not panic. *)
Definition read_schema_bytes_safe (bytes : ByteString) : bool :=
  read_schema_safe bytes.

(** When [decode_schema] does not panic. *)
Definition decode_schema_safe (bytes : ByteString) : bool :=
  read_schema_bytes_safe bytes &&
  (match read_schema_bytes bytes with
    | Ok found => check_schema_safe found
    | Err _ => true
    end).

End Specification.
