(* Translated from spec/src/table/schema_decoder.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Schemas from bytes: the inverse of [`encode_schema`], for legal ones. *)
From AardvarkSpec Require Export Prelude Base.Bytes Decoding.DecodeReason Decoding.Cursor Table.TableSchema
  Table.SchemaLegality.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** One step of [`read_writers`]. *)
Definition read_writers_step
    (items : Result ((Seq ByteString) * ByteString) DecodeReason) : Result ((Seq ByteString) * ByteString) DecodeReason :=
  match items with
  | Ok (before, bytes) =>
      match take_bytes bytes WRITER_BYTES with
      | Ok (found, rest) => Ok (before ++ [found], rest)
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

(** The next public keys, so many. *)
Definition read_writers
    (bytes : ByteString)
    (count : usize) : Result ((Seq ByteString) * ByteString) DecodeReason :=
  fold_left (fun items _i => read_writers_step items) (range 0 (reading_turns count bytes)) (Ok ([], bytes)).

(** The next key column. *)
Definition read_key_column (bytes : ByteString) : Result (KeyColumn * ByteString) DecodeReason :=
  match read_bytes8 bytes with
  | Ok (named, after_name) =>
      match read_number after_name 1 with
      | Ok (kind, after_kind) =>
          match read_number after_kind 1 with
          | Ok (width, rest) =>
              Ok ({| key_column_name := named; key_column_kind := kind; key_column_width := width |}, rest)
          | Err e' => Err e'
          end
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

(** One step of [`read_key_columns`]. *)
Definition read_key_columns_step
    (items : Result ((Seq KeyColumn) * ByteString) DecodeReason) : Result ((Seq KeyColumn) * ByteString) DecodeReason :=
  match items with
  | Ok (before, bytes) =>
      match read_key_column bytes with
      | Ok (found, rest) => Ok (before ++ [found], rest)
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

(** The next key columns, so many. *)
Definition read_key_columns
    (bytes : ByteString)
    (count : usize) : Result ((Seq KeyColumn) * ByteString) DecodeReason :=
  fold_left
    (fun items _i => read_key_columns_step items)
    (range 0 (reading_turns count bytes))
    (Ok ([], bytes)).

(** The next value column. *)
Definition read_value_column (bytes : ByteString) : Result (ValueColumn * ByteString) DecodeReason :=
  match read_bytes8 bytes with
  | Ok (named, after_name) =>
      match read_amount after_name with
      | Ok (lowest, after_lowest) =>
          match read_amount after_lowest with
          | Ok (span, after_span) =>
              match read_number after_span 1 with
              | Ok (bits, after_bits) =>
                  match read_number after_bits 1 with
                  | Ok (moments, after_moments) =>
                      match read_number after_moments 1 with
                      | Ok (scale, rest) =>
                          Ok
                            ({| value_column_name := named;
                                value_column_lowest := lowest;
                                value_column_span := span;
                                value_column_bits := bits;
                                value_column_moments := moments;
                                value_column_scale := scale |},
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

(** One step of [`read_value_columns`]. *)
Definition read_value_columns_step
    (items : Result ((Seq ValueColumn) * ByteString) DecodeReason) : Result ((Seq ValueColumn) * ByteString) DecodeReason :=
  match items with
  | Ok (before, bytes) =>
      match read_value_column bytes with
      | Ok (found, rest) => Ok (before ++ [found], rest)
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

(** The next value columns, so many. *)
Definition read_value_columns
    (bytes : ByteString)
    (count : usize) : Result ((Seq ValueColumn) * ByteString) DecodeReason :=
  fold_left
    (fun items _i => read_value_columns_step items)
    (range 0 (reading_turns count bytes))
    (Ok ([], bytes)).

(** One step of [`read_names`]. *)
Definition read_names_step
    (items : Result ((Seq ByteString) * ByteString) DecodeReason) : Result ((Seq ByteString) * ByteString) DecodeReason :=
  match items with
  | Ok (before, bytes) =>
      match read_bytes8 bytes with
      | Ok (found, rest) => Ok (before ++ [found], rest)
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

(** The next names, so many. *)
Definition read_names
    (bytes : ByteString)
    (count : usize) : Result ((Seq ByteString) * ByteString) DecodeReason :=
  fold_left (fun items _i => read_names_step items) (range 0 (reading_turns count bytes)) (Ok ([], bytes)).

(** What the bytes say, legal or not. *)
Definition read_schema (bytes : ByteString) : Result TableSchema DecodeReason :=
  match expect_length (seq_length bytes) MAX_SCHEMA_BYTES with
  | Ok _kept =>
      match expect_format bytes 1 with
      | Ok after_format =>
          match read_number after_format 1 with
          | Ok (flags, after_flags) =>
              match read_number after_flags 1 with
              | Ok (writer_count, before_writers) =>
                  match read_writers before_writers writer_count with
                  | Ok (writers, after_writers) =>
                      match read_number after_writers 1 with
                      | Ok (key_count, before_keys) =>
                          match read_key_columns before_keys key_count with
                          | Ok (keys, after_keys) =>
                              match read_number after_keys 1 with
                              | Ok (value_count, before_values) =>
                                  match read_value_columns before_values value_count with
                                  | Ok (values, after_values) =>
                                      match read_number after_values 1 with
                                      | Ok (row_count, before_rows) =>
                                          match read_names before_rows row_count with
                                          | Ok (rows, after_rows) =>
                                              match read_bytes8 after_rows with
                                              | Ok (watermark, rest) =>
                                                  match expect_end rest with
                                                  | Ok _end =>
                                                      Ok
                                                        {| schema_flags := flags;
                                                          schema_writers := writers;
                                                          schema_keys := keys;
                                                          schema_values := values;
                                                          schema_rows := rows;
                                                          schema_watermark := watermark |}
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
                  end
              | Err e' => Err e'
              end
          | Err e' => Err e'
          end
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

(** What [`read_schema`] says, its reason as one of a schema. *)
Definition read_schema_bytes (bytes : ByteString) : Result TableSchema SchemaReason :=
  match read_schema bytes with
  | Ok found => Ok found
  | Err unread => Err (SchemaReason_SchemaBytes unread)
  end.

(** The legal schema that the bytes are. *)
Definition decode_schema (bytes : ByteString) : Result TableSchema SchemaReason :=
  match read_schema_bytes bytes with
  | Ok found =>
      match check_schema found with
      | Ok _legal => Ok found
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

End Specification.
