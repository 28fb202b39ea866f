(* Translated from spec/src/block/operation.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Operations: what a transaction asks for, and what each does to the content of its key. *)
From AardvarkSpec Require Export Prelude Base.Integers Base.Bytes Block.Rejection.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

(** What is asked about, or done to, the content of a key. *)
Inductive Action : Type :=
(** The key must be absent. *)
| Action_RequireAbsent
(** The key must have this value. *)
| Action_RequireValue (_ : ByteString)
(** The key gets this value. *)
| Action_Put (_ : ByteString)
(** The key becomes absent; nothing happens if it is. *)
| Action_Delete
(** The key's number, or 0 if it is absent, grows by this amount. *)
| Action_Add (_ : u64)
(** The key's number falls by this amount. *)
| Action_Sub (_ : u64).

#[global] Instance Default_Action : Default Action := Action_RequireAbsent.

(** An action on a key. *)
Record Operation : Type := {
  (** The key, of 1 to 255 bytes in a well-formed operation. *)
  operation_key : ByteString;
  (** The action. *)
  action : Action;
}.

#[global] Instance Default_Operation : Default Operation := {| operation_key := default; action := default |}.

(** The largest number that 8 bytes write. *)
Definition MAX_NUMBER : u64 :=
  18446744073709551615.

(** The number that a value of 8 bytes writes, highest byte first. *)
Definition number_of_value (present : ByteString) : Result u64 Reason :=
  if seq_length present =? 8 then Ok (u64_of_u128 (number_of_bytes present)) else Err Reason_NotANumber.

(** The value of 8 bytes that writes a number. *)
Definition value_of_number (number : u64) : ByteString :=
  big_endian (u128_of_u64 number) 8.

(** The content's number; an absent key counts as 0. *)
Definition number_or_zero (content : Option ByteString) : Result u64 Reason :=
  match content with
  | None => Ok 0
  | Some present => number_of_value present
  end.

(** The content's number; an absent key has none. *)
Definition number_present (content : Option ByteString) : Result u64 Reason :=
  match content with
  | None => Err Reason_AbsentKey
  | Some present => number_of_value present
  end.

(** The content after `Add`. *)
Definition run_add (content : Option ByteString) (amount : u64) : Result (Option ByteString) Reason :=
  match number_or_zero content with
  | Ok number =>
      if MAX_NUMBER - number <? amount then
        Err Reason_Overflow
      else
        Ok (Some (value_of_number (number + amount)))
  | Err e' => Err e'
  end.

(** The content after `Sub`. *)
Definition run_sub (content : Option ByteString) (amount : u64) : Result (Option ByteString) Reason :=
  match number_present content with
  | Ok number =>
      if number <? amount then Err Reason_Underflow else Ok (Some (value_of_number (number - amount)))
  | Err e' => Err e'
  end.

(** The content itself, if it is the one required. *)
Definition run_require (content required : Option ByteString) : Result (Option ByteString) Reason :=
  if contents_equal content required then Ok content else Err Reason_RequireFailed.

(** The content of a key after an action on it, or the reason why the action fails. *)
Definition run_action (content : Option ByteString) (act : Action) : Result (Option ByteString) Reason :=
  match act with
  | Action_RequireAbsent => run_require content None
  | Action_RequireValue required => run_require content (Some required)
  | Action_Put put_value => Ok (Some put_value)
  | Action_Delete => Ok None
  | Action_Add amount => run_add content amount
  | Action_Sub amount => run_sub content amount
  end.

(** Whether the action is `Delete`. *)
Definition is_delete (act : Action) : bool :=
  match act with
  | Action_Delete => true
  | _ => false
  end.

(** The operation as it travels: its tag, `bytes8(key)`, and `bytes16(value)` or the amount. *)
Definition encode_operation (operation : Operation) : ByteString :=
  let k := bytes8 operation.(operation_key) in
  match operation.(action) with
  | Action_RequireAbsent => u8_bytes 0 ++ k
  | Action_RequireValue required => u8_bytes 1 ++ k ++ bytes16 required
  | Action_Put put_value => u8_bytes 2 ++ k ++ bytes16 put_value
  | Action_Delete => u8_bytes 3 ++ k
  | Action_Add amount => u8_bytes 4 ++ k ++ value_of_number amount
  | Action_Sub amount => u8_bytes 5 ++ k ++ value_of_number amount
  end.

(** The length of [`encode_operation`], in bytes. *)
Definition operation_length (operation : Operation) : usize :=
  let k := seq_length operation.(operation_key) in
  match operation.(action) with
  | Action_RequireAbsent => 2 + k
  | Action_RequireValue required => 4 + k + seq_length required
  | Action_Put put_value => 4 + k + seq_length put_value
  | Action_Delete => 2 + k
  | Action_Add _ => 10 + k
  | Action_Sub _ => 10 + k
  end.

(** One step of [`encode_operations`]. *)
Definition encode_operations_step (encoded : ByteString) (operation : Operation) : ByteString :=
  encoded ++ encode_operation operation.

(** The operations one after the other. *)
Definition encode_operations (items : Seq Operation) : ByteString :=
  fold_left
    (fun encoded j => encode_operations_step encoded (seq_at items j))
    (range 0 (seq_length items))
    [].

(** One step of [`operations_length`]. *)
Definition operations_length_step (total : usize) (operation : Operation) : usize :=
  total + operation_length operation.

(** The length of [`encode_operations`], in bytes. *)
Definition operations_length (items : Seq Operation) : usize :=
  fold_left (fun total j => operations_length_step total (seq_at items j)) (range 0 (seq_length items)) 0.
