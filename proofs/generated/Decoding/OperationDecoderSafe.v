(* Translated from spec/src/decoding/operation_decoder.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Decoding.OperationDecoder Base.BytesSafe Block.OperationSafe
  Decoding.CursorSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

(** When [read_required] does not panic. *)
Definition read_required_safe (bytes : ByteString) : bool :=
  read_bytes16_safe bytes.

(** When [read_put] does not panic. *)
Definition read_put_safe (bytes : ByteString) : bool :=
  read_bytes16_safe bytes.

(** When [read_add] does not panic. *)
Definition read_add_safe (bytes : ByteString) : bool :=
  read_amount_safe bytes.

(** When [read_sub] does not panic. *)
Definition read_sub_safe (bytes : ByteString) : bool :=
  read_amount_safe bytes.

(** When [read_action] does not panic. *)
Definition read_action_safe (bytes : ByteString) (tag : usize) : bool :=
  if tag =? 0 then
    true
  else if tag =? 1 then
    read_required_safe bytes
  else if tag =? 2 then
    read_put_safe bytes
  else if tag =? 3 then
    true
  else if tag =? 4 then
    read_add_safe bytes
  else
    read_sub_safe bytes.

(** When [read_operation] does not panic. *)
Definition read_operation_safe (bytes : ByteString) : bool :=
  read_number_safe bytes 1 &&
  (match read_number bytes 1 with
    | Ok (tag, after_tag) =>
        match expect_operation tag with
        | Ok _known =>
            read_bytes8_safe after_tag &&
            (match read_bytes8 after_tag with
              | Ok (k, after_key) => read_action_safe after_key tag
              | Err _ => true
              end)
        | Err _ => true
        end
    | Err _ => true
    end).

(** When [read_operations_step] does not panic. *)
Definition read_operations_step_safe (items : Result ((Seq Operation) * ByteString) DecodeReason) : bool :=
  match items with
  | Ok (before, bytes) => read_operation_safe bytes
  | Err _ => true
  end.

(** When [read_operations] does not panic. *)
Definition read_operations_safe (bytes : ByteString) (count : usize) : bool :=
  reading_turns_safe count bytes &&
  (loop_safe
      (fun items _i => read_operations_step items)
      (fun items _i => read_operations_step_safe items)
      (range 0 (reading_turns count bytes))
      (Ok ([], bytes))).
