(* Translated from spec/src/decoding/slot_decoder.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Slots from bytes: the inverse of [`slot_bytes`]. *)
From AardvarkSpec Require Export Prelude Base.Bytes Dictionary.Slot Decoding.DecodeReason Decoding.Cursor.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** The next slot. *)
Definition read_slot (bytes : ByteString) : Result (Slot * ByteString) DecodeReason :=
  match read_bytes8 bytes with
  | Ok (read_key, after_key) =>
      match read_bytes8 after_key with
      | Ok (read_next, after_next) =>
          match read_bytes16 after_next with
          | Ok (read_value, rest) => Ok ({| key := read_key; value := read_value; next := read_next |}, rest)
          | Err e' => Err e'
          end
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

(** The slot that the bytes are. *)
Definition decode_slot (bytes : ByteString) : Result Slot DecodeReason :=
  match read_slot bytes with
  | Ok (found, rest) =>
      match expect_end rest with
      | Ok _end => Ok found
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

(** One step of [`read_slots`]. *)
Definition read_slots_step
    (items : Result ((Seq Slot) * ByteString) DecodeReason) : Result ((Seq Slot) * ByteString) DecodeReason :=
  match items with
  | Ok (before, bytes) =>
      match read_slot bytes with
      | Ok (found, rest) => Ok (before ++ [found], rest)
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

(** The next slots, so many. *)
Definition read_slots (bytes : ByteString) (count : usize) : Result ((Seq Slot) * ByteString) DecodeReason :=
  fold_left (fun items _i => read_slots_step items) (range 0 (reading_turns count bytes)) (Ok ([], bytes)).

End Specification.
