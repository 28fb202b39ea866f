(* Translated from spec/src/decoding/operation_decoder.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Operations from bytes: the inverse of [`encode_operation`]. *)
From AardvarkSpec Require Export Prelude Base.Bytes Block.Operation Decoding.DecodeReason Decoding.Cursor.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

(** Whether there is an operation of this tag. *)
Definition expect_operation (tag : usize) : Result unit DecodeReason :=
  if tag <=? 5 then Ok tt else Err DecodeReason_UnknownOperation.

(** The value of a `Require`. *)
Definition read_required (bytes : ByteString) : Result (Action * ByteString) DecodeReason :=
  match read_bytes16 bytes with
  | Ok (required, rest) => Ok (Action_RequireValue required, rest)
  | Err e' => Err e'
  end.

(** The value of a `Put`. *)
Definition read_put (bytes : ByteString) : Result (Action * ByteString) DecodeReason :=
  match read_bytes16 bytes with
  | Ok (put_value, rest) => Ok (Action_Put put_value, rest)
  | Err e' => Err e'
  end.

(** The amount of an `Add`. *)
Definition read_add (bytes : ByteString) : Result (Action * ByteString) DecodeReason :=
  match read_amount bytes with
  | Ok (amount, rest) => Ok (Action_Add amount, rest)
  | Err e' => Err e'
  end.

(** The amount of a `Sub`. *)
Definition read_sub (bytes : ByteString) : Result (Action * ByteString) DecodeReason :=
  match read_amount bytes with
  | Ok (amount, rest) => Ok (Action_Sub amount, rest)
  | Err e' => Err e'
  end.

(** What follows the key of an operation of this tag, which is one of the six. *)
Definition read_action (bytes : ByteString) (tag : usize) : Result (Action * ByteString) DecodeReason :=
  if tag =? 0 then
    Ok (Action_RequireAbsent, bytes)
  else if tag =? 1 then
    read_required bytes
  else if tag =? 2 then
    read_put bytes
  else if tag =? 3 then
    Ok (Action_Delete, bytes)
  else if tag =? 4 then
    read_add bytes
  else
    read_sub bytes.

(** The next operation. *)
Definition read_operation (bytes : ByteString) : Result (Operation * ByteString) DecodeReason :=
  match read_number bytes 1 with
  | Ok (tag, after_tag) =>
      match expect_operation tag with
      | Ok _known =>
          match read_bytes8 after_tag with
          | Ok (k, after_key) =>
              match read_action after_key tag with
              | Ok (act, rest) => Ok ({| operation_key := k; action := act |}, rest)
              | Err e' => Err e'
              end
          | Err e' => Err e'
          end
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

(** One step of [`read_operations`]. *)
Definition read_operations_step
    (items : Result ((Seq Operation) * ByteString) DecodeReason) : Result ((Seq Operation) * ByteString) DecodeReason :=
  match items with
  | Ok (before, bytes) =>
      match read_operation bytes with
      | Ok (found, rest) => Ok (before ++ [found], rest)
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

(** The next operations, so many. *)
Definition read_operations
    (bytes : ByteString)
    (count : usize) : Result ((Seq Operation) * ByteString) DecodeReason :=
  fold_left
    (fun items _i => read_operations_step items)
    (range 0 (reading_turns count bytes))
    (Ok ([], bytes)).
