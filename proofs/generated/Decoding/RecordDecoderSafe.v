(* Translated from spec/src/decoding/record_decoder.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Decoding.RecordDecoder Base.BytesSafe Dictionary.SlotSafe
  Dictionary.WritesSafe Block.RootSafe Decoding.CursorSafe Decoding.SlotDecoderSafe
  Decoding.TransactionDecoderSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [read_presence] does not panic. *)
Definition read_presence_safe (bytes : ByteString) : bool :=
  read_number_safe bytes 1.

(** When [read_present_slot] does not panic. *)
Definition read_present_slot_safe (bytes : ByteString) : bool :=
  read_slot_safe bytes.

(** When [read_content] does not panic. *)
Definition read_content_safe (bytes : ByteString) : bool :=
  read_presence_safe bytes &&
  (match read_presence bytes with
    | Ok (present, rest) => if present then read_present_slot_safe rest else true
    | Err _ => true
    end).

(** When [read_write] does not panic. *)
Definition read_write_safe (bytes : ByteString) : bool :=
  read_number_safe bytes 8 &&
  (match read_number bytes 8 with
    | Ok (position, after_position) => read_content_safe after_position
    | Err _ => true
    end).

(** When [read_writes_step] does not panic. *)
Definition read_writes_step_safe (items : Result ((Seq Write) * ByteString) DecodeReason) : bool :=
  match items with
  | Ok (before, bytes) => read_write_safe bytes
  | Err _ => true
  end.

(** When [read_writes] does not panic. *)
Definition read_writes_safe (bytes : ByteString) (count : usize) : bool :=
  reading_turns_safe count bytes &&
  (loop_safe
      (fun items _i => read_writes_step items)
      (fun items _i => read_writes_step_safe items)
      (range 0 (reading_turns count bytes))
      (Ok ([], bytes))).

(** When [read_present_commitment] does not panic. *)
Definition read_present_commitment_safe (bytes : ByteString) : bool :=
  take_bytes_safe bytes OPENING_LENGTH.

(** When [read_commitment_before] does not panic. *)
Definition read_commitment_before_safe (bytes : ByteString) : bool :=
  read_presence_safe bytes &&
  (match read_presence bytes with
    | Ok (present, rest) => if present then read_present_commitment_safe rest else true
    | Err _ => true
    end).

(** When [read_previous] does not panic. *)
Definition read_previous_safe (bytes : ByteString) : bool :=
  read_number_safe bytes 8 &&
  (match read_number bytes 8 with
    | Ok (vector, after_vector) => read_commitment_before_safe after_vector
    | Err _ => true
    end).

(** When [expect_later_vector] does not panic. *)
Definition expect_later_vector_safe (before : Seq HashedPrevious) (found : HashedPrevious) : bool :=
  if seq_length before =? 0 then
    true
  else
    (1 <=? seq_length before) && (seq_length before - 1 <? seq_length before).

(** When [read_all_previous_step] does not panic. *)
Definition read_all_previous_step_safe
    (items : Result ((Seq HashedPrevious) * ByteString) DecodeReason) : bool :=
  match items with
  | Ok (before, bytes) =>
      read_previous_safe bytes &&
      (match read_previous bytes with
        | Ok (found, rest) => expect_later_vector_safe before found
        | Err _ => true
        end)
  | Err _ => true
  end.

(** When [read_all_previous] does not panic. *)
Definition read_all_previous_safe (bytes : ByteString) (count : usize) : bool :=
  reading_turns_safe count bytes &&
  (loop_safe
      (fun items _i => read_all_previous_step items)
      (fun items _i => read_all_previous_step_safe items)
      (range 0 (reading_turns count bytes))
      (Ok ([], bytes))).

(** When [read_record] does not panic. *)
Definition read_record_safe (bytes : ByteString) : bool :=
  read_number_safe bytes 8 &&
  (match read_number bytes 8 with
    | Ok (u, after_version) =>
        read_number_safe after_version 8 &&
        (match read_number after_version 8 with
          | Ok (slots_before, after_size) =>
              read_number_safe after_size 8 &&
              (match read_number after_size 8 with
                | Ok (write_count, before_writes) =>
                    read_writes_safe before_writes write_count &&
                    (match read_writes before_writes write_count with
                      | Ok (writes, after_writes) =>
                          read_number_safe after_writes 8 &&
                          (match read_number after_writes 8 with
                            | Ok (previous_count, before_previous) =>
                                read_all_previous_safe before_previous previous_count
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

(** When [decode_record] does not panic. *)
Definition decode_record_safe (bytes : ByteString) : bool :=
  read_record_safe bytes.

End Specification.
