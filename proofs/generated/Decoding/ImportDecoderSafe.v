(* Translated from spec/src/decoding/import_decoder.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Decoding.ImportDecoder Base.BytesSafe Block.ImportSafe Decoding.CursorSafe
  Decoding.RecordDecoderSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [encode_import_changes] does not panic. *)
Definition encode_import_changes_safe (items : Seq ImportChange) : bool :=
  loop_safe
    (fun encoded i => encode_import_changes_step encoded (seq_at items i))
    (fun encoded i => i <? seq_length items)
    (range 0 (seq_length items))
    [].

(** When [encode_import] does not panic. *)
Definition encode_import_safe (block : ImportBlock) : bool :=
  encode_import_changes_safe block.(import_changes).

(** When [read_present_value] does not panic. *)
Definition read_present_value_safe (bytes : ByteString) : bool :=
  read_bytes16_safe bytes.

(** When [read_import_content] does not panic. *)
Definition read_import_content_safe (bytes : ByteString) : bool :=
  read_presence_safe bytes &&
  (match read_presence bytes with
    | Ok (present, rest) => if present then read_present_value_safe rest else true
    | Err _ => true
    end).

(** When [read_import_change] does not panic. *)
Definition read_import_change_safe (bytes : ByteString) : bool :=
  read_bytes8_safe bytes &&
  (match read_bytes8 bytes with
    | Ok (k, after_key) => read_import_content_safe after_key
    | Err _ => true
    end).

(** When [expect_later_key] does not panic. *)
Definition expect_later_key_safe (before : Seq ImportChange) (found : ImportChange) : bool :=
  if seq_length before =? 0 then
    true
  else
    (1 <=? seq_length before) && (seq_length before - 1 <? seq_length before) &&
    bytes_less_safe (seq_at before (seq_length before - 1)).(import_key) found.(import_key).

(** When [read_import_changes_step] does not panic. *)
Definition read_import_changes_step_safe
    (items : Result ((Seq ImportChange) * ByteString) DecodeReason) : bool :=
  match items with
  | Ok (before, bytes) =>
      read_import_change_safe bytes &&
      (match read_import_change bytes with
        | Ok (found, rest) => expect_later_key_safe before found
        | Err _ => true
        end)
  | Err _ => true
  end.

(** When [read_import_changes] does not panic. *)
Definition read_import_changes_safe (bytes : ByteString) (count : usize) : bool :=
  reading_turns_safe count bytes &&
  (loop_safe
      (fun items _i => read_import_changes_step items)
      (fun items _i => read_import_changes_step_safe items)
      (range 0 (reading_turns count bytes))
      (Ok ([], bytes))).

(** When [decode_import] does not panic. *)
Definition decode_import_safe (bytes : ByteString) : bool :=
  expect_format_safe bytes IMPORT_FORMAT &&
  (match expect_format bytes IMPORT_FORMAT with
    | Ok after_format =>
        read_number_safe after_format 8 &&
        (match read_number after_format 8 with
          | Ok (b, after_version) =>
              read_number_safe after_version 4 &&
              (match read_number after_version 4 with
                | Ok (count, after_count) => read_import_changes_safe after_count count
                | Err _ => true
                end)
          | Err _ => true
          end)
    | Err _ => true
    end).

End Specification.
