(* Translated from spec/src/decoding/record_decoder.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** The record of a version in the window, from bytes: the inverse of [`record_bytes`], which a
    snapshot holds and of which the state root hashes the digest.

    Commitments are 48 bytes each; what points they are is a matter of the curve. *)
From AardvarkSpec Require Export Prelude Base.Bytes Dictionary.Slot Dictionary.Writes Block.Root
  Decoding.DecodeReason Decoding.Cursor Decoding.SlotDecoder Decoding.TransactionDecoder.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** Whether something follows. *)
Definition read_presence (bytes : ByteString) : Result (bool * ByteString) DecodeReason :=
  match read_number bytes 1 with
  | Ok (found, rest) => if found <=? 1 then Ok (found =? 1, rest) else Err DecodeReason_UnknownPresence
  | Err e' => Err e'
  end.

(** The slot that is present. *)
Definition read_present_slot (bytes : ByteString) : Result ((Option Slot) * ByteString) DecodeReason :=
  match read_slot bytes with
  | Ok (found, rest) => Ok (Some found, rest)
  | Err e' => Err e'
  end.

(** The content of a position. *)
Definition read_content (bytes : ByteString) : Result ((Option Slot) * ByteString) DecodeReason :=
  match read_presence bytes with
  | Ok (present, rest) => if present then read_present_slot rest else Ok (None, rest)
  | Err e' => Err e'
  end.

(** The next write. *)
Definition read_write (bytes : ByteString) : Result (Write * ByteString) DecodeReason :=
  match read_number bytes 8 with
  | Ok (position, after_position) =>
      match read_content after_position with
      | Ok (content, rest) => Ok ({| write_position := position; write_content := content |}, rest)
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

(** One step of [`read_writes`]. *)
Definition read_writes_step
    (items : Result ((Seq Write) * ByteString) DecodeReason) : Result ((Seq Write) * ByteString) DecodeReason :=
  match items with
  | Ok (before, bytes) =>
      match read_write bytes with
      | Ok (found, rest) => Ok (before ++ [found], rest)
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

(** The next writes, so many. *)
Definition read_writes
    (bytes : ByteString)
    (count : usize) : Result ((Seq Write) * ByteString) DecodeReason :=
  fold_left (fun items _i => read_writes_step items) (range 0 (reading_turns count bytes)) (Ok ([], bytes)).

(** The commitment that is present. *)
Definition read_present_commitment
    (bytes : ByteString) : Result ((Option ByteString) * ByteString) DecodeReason :=
  match take_bytes bytes OPENING_LENGTH with
  | Ok (found, rest) => Ok (Some found, rest)
  | Err e' => Err e'
  end.

(** The commitment of a vector, if it existed. *)
Definition read_commitment_before
    (bytes : ByteString) : Result ((Option ByteString) * ByteString) DecodeReason :=
  match read_presence bytes with
  | Ok (present, rest) => if present then read_present_commitment rest else Ok (None, rest)
  | Err e' => Err e'
  end.

(** The next commitment before a version. *)
Definition read_previous (bytes : ByteString) : Result (HashedPrevious * ByteString) DecodeReason :=
  match read_number bytes 8 with
  | Ok (vector, after_vector) =>
      match read_commitment_before after_vector with
      | Ok (commitment, rest) =>
          Ok ({| hashed_previous_vector := vector; hashed_previous_commitment := commitment |}, rest)
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

(** Whether a vector comes after the last of those before. *)
Definition expect_later_vector
    (before : Seq HashedPrevious)
    (found : HashedPrevious) : Result unit DecodeReason :=
  if (seq_length before =? 0) ||
    ((seq_at before (seq_length before - 1)).(hashed_previous_vector) <? found.(hashed_previous_vector)) then
    Ok tt
  else
    Err DecodeReason_UnorderedVectors.

(** One step of [`read_all_previous`]. *)
Definition read_all_previous_step
    (items : Result ((Seq HashedPrevious) * ByteString) DecodeReason) : Result ((Seq HashedPrevious) * ByteString) DecodeReason :=
  match items with
  | Ok (before, bytes) =>
      match read_previous bytes with
      | Ok (found, rest) =>
          match expect_later_vector before found with
          | Ok _later => Ok (before ++ [found], rest)
          | Err e' => Err e'
          end
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

(** The next commitments before a version, so many, each of a later vector than the one before. *)
Definition read_all_previous
    (bytes : ByteString)
    (count : usize) : Result ((Seq HashedPrevious) * ByteString) DecodeReason :=
  fold_left
    (fun items _i => read_all_previous_step items)
    (range 0 (reading_turns count bytes))
    (Ok ([], bytes)).

(** The next record. *)
Definition read_record (bytes : ByteString) : Result (HashedRecord * ByteString) DecodeReason :=
  match read_number bytes 8 with
  | Ok (u, after_version) =>
      match read_number after_version 8 with
      | Ok (slots_before, after_size) =>
          match read_number after_size 8 with
          | Ok (write_count, before_writes) =>
              match read_writes before_writes write_count with
              | Ok (writes, after_writes) =>
                  match read_number after_writes 8 with
                  | Ok (previous_count, before_previous) =>
                      match read_all_previous before_previous previous_count with
                      | Ok (all_previous, rest) =>
                          let record :=
                            {| hashed_record_version := u;
                              hashed_record_size := slots_before;
                              hashed_record_writes := writes;
                              hashed_record_commitments := all_previous |}
                          in
                          Ok (record, rest)
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

(** The record that the bytes are. *)
Definition decode_record (bytes : ByteString) : Result HashedRecord DecodeReason :=
  match read_record bytes with
  | Ok (found, rest) =>
      match expect_end rest with
      | Ok _end => Ok found
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

End Specification.
