(* Translated from spec/src/decoding/slot_decoder.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Decoding.SlotDecoder Base.BytesSafe Dictionary.SlotSafe Decoding.CursorSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [read_slot] does not panic. *)
Definition read_slot_safe (bytes : ByteString) : bool :=
  read_bytes8_safe bytes &&
  (match read_bytes8 bytes with
    | Ok (read_key, after_key) =>
        read_bytes8_safe after_key &&
        (match read_bytes8 after_key with
          | Ok (read_next, after_next) => read_bytes16_safe after_next
          | Err _ => true
          end)
    | Err _ => true
    end).

(** When [decode_slot] does not panic. *)
Definition decode_slot_safe (bytes : ByteString) : bool :=
  read_slot_safe bytes.

(** When [read_slots_step] does not panic. *)
Definition read_slots_step_safe (items : Result ((Seq Slot) * ByteString) DecodeReason) : bool :=
  match items with
  | Ok (before, bytes) => read_slot_safe bytes
  | Err _ => true
  end.

(** When [read_slots] does not panic. *)
Definition read_slots_safe (bytes : ByteString) (count : usize) : bool :=
  reading_turns_safe count bytes &&
  (loop_safe
      (fun items _i => read_slots_step items)
      (fun items _i => read_slots_step_safe items)
      (range 0 (reading_turns count bytes))
      (Ok ([], bytes))).

End Specification.
