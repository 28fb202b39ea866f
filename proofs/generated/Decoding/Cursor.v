(* Translated from spec/src/decoding/cursor.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** The smallest things that are read: bytes, numbers, strings with their length in front.

    A reader takes the bytes that are left and gives what it read with the bytes behind it. Whoever
    reads a list of a length that the bytes announce takes no more turns than there are bytes, and
    one: each item has a byte at least, so the turn beyond them finds nothing. *)
From AardvarkSpec Require Export Prelude Base.Integers Base.Bytes Decoding.DecodeReason.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

(** The next bytes, so many, and the bytes behind them. *)
Definition take_bytes (bytes : ByteString) (count : usize) : Result (ByteString * ByteString) DecodeReason :=
  if count <=? seq_length bytes then
    Ok (seq_slice bytes 0 count, seq_slice bytes count (seq_length bytes - count))
  else
    Err DecodeReason_Truncated.

(** A number of at most 8 bytes, highest byte first. *)
Definition read_number (bytes : ByteString) (width : usize) : Result (usize * ByteString) DecodeReason :=
  match take_bytes bytes width with
  | Ok (written, rest) => Ok (usize_of_u128 (number_of_bytes written), rest)
  | Err e' => Err e'
  end.

(** An amount of 8 bytes. *)
Definition read_amount (bytes : ByteString) : Result (u64 * ByteString) DecodeReason :=
  match take_bytes bytes 8 with
  | Ok (written, rest) => Ok (u64_of_u128 (number_of_bytes written), rest)
  | Err e' => Err e'
  end.

(** What [`bytes8`] writes. *)
Definition read_bytes8 (bytes : ByteString) : Result (ByteString * ByteString) DecodeReason :=
  match read_number bytes 1 with
  | Ok (count, rest) => take_bytes rest count
  | Err e' => Err e'
  end.

(** What [`bytes16`] writes. *)
Definition read_bytes16 (bytes : ByteString) : Result (ByteString * ByteString) DecodeReason :=
  match read_number bytes 2 with
  | Ok (count, rest) => take_bytes rest count
  | Err e' => Err e'
  end.

(** The bytes behind a format number of one byte. *)
Definition expect_format (bytes : ByteString) (format : usize) : Result ByteString DecodeReason :=
  match read_number bytes 1 with
  | Ok (found, rest) => if found =? format then Ok rest else Err DecodeReason_UnknownFormat
  | Err e' => Err e'
  end.

(** Whether nothing is left over. *)
Definition expect_end (rest : ByteString) : Result unit DecodeReason :=
  if seq_length rest =? 0 then Ok tt else Err DecodeReason_Trailing.

(** Whether a length keeps a limit. *)
Definition expect_length (length limit : usize) : Result unit DecodeReason :=
  if length <=? limit then Ok tt else Err DecodeReason_Oversized.

(** What is left of so many items once as many as announced are taken. *)
Definition take_quota (left' announced : usize) (excess : DecodeReason) : Result usize DecodeReason :=
  if announced <=? left' then Ok (left' - announced) else Err excess.

(** How many turns it takes to read so many items from the bytes, or to find that they are not
    there. *)
Definition reading_turns (count : usize) (bytes : ByteString) : usize :=
  if count <=? seq_length bytes then count else seq_length bytes + 1.
