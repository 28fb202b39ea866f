(* Translated from spec/src/table/table_schema.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Table.TableSchema Base.BytesSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [encode_writers] does not panic. *)
Definition encode_writers_safe (writers : Seq ByteString) : bool :=
  loop_safe
    (fun encoded i => encode_writers_step encoded (seq_at writers i))
    (fun encoded i => i <? seq_length writers)
    (range 0 (seq_length writers))
    [].

(** When [encode_key_column_list] does not panic. *)
Definition encode_key_column_list_safe (items : Seq KeyColumn) : bool :=
  loop_safe
    (fun encoded i => encode_key_column_list_step encoded (seq_at items i))
    (fun encoded i => i <? seq_length items)
    (range 0 (seq_length items))
    [].

(** When [encode_value_columns] does not panic. *)
Definition encode_value_columns_safe (items : Seq ValueColumn) : bool :=
  loop_safe
    (fun encoded i => encode_value_columns_step encoded (seq_at items i))
    (fun encoded i => i <? seq_length items)
    (range 0 (seq_length items))
    [].

(** When [encode_names] does not panic. *)
Definition encode_names_safe (names : Seq ByteString) : bool :=
  loop_safe
    (fun encoded i => encode_names_step encoded (seq_at names i))
    (fun encoded i => i <? seq_length names)
    (range 0 (seq_length names))
    [].

(** When [encode_schema_body] does not panic. *)
Definition encode_schema_body_safe (table_schema : TableSchema) : bool :=
  encode_writers_safe table_schema.(schema_writers) &&
  encode_key_column_list_safe table_schema.(schema_keys) &&
  encode_value_columns_safe table_schema.(schema_values) &&
  encode_names_safe table_schema.(schema_rows).

(** When [encode_schema] does not panic. *)
Definition encode_schema_safe (table_schema : TableSchema) : bool :=
  encode_schema_body_safe table_schema.

(** When [schema_digest] does not panic. *)
Definition schema_digest_safe (table_schema : TableSchema) : bool :=
  encode_schema_body_safe table_schema.

(** When [key_width_step] does not panic. *)
Definition key_width_step_safe (total : usize) (described : KeyColumn) : bool :=
  within_usize (total + described.(key_column_width)).

(** When [key_width] does not panic. *)
Definition key_width_safe (items : Seq KeyColumn) : bool :=
  loop_safe
    (fun total i => key_width_step total (seq_at items i))
    (fun total i => (i <? seq_length items) && key_width_step_safe total (seq_at items i))
    (range 0 (seq_length items))
    0.

End Specification.
