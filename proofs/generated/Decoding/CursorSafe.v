(* Translated from spec/src/decoding/cursor.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Decoding.Cursor Base.BytesSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

(** When [take_bytes] does not panic. *)
Definition take_bytes_safe (bytes : ByteString) (count : usize) : bool :=
  if count <=? seq_length bytes then
    (0 + count <=? seq_length bytes) && (count + (seq_length bytes - count) <=? seq_length bytes)
  else
    true.

(** When [read_number] does not panic. *)
Definition read_number_safe (bytes : ByteString) (width : usize) : bool :=
  take_bytes_safe bytes width &&
  (match take_bytes bytes width with
    | Ok (written, rest) => number_of_bytes_safe written
    | Err _ => true
    end).

(** When [read_amount] does not panic. *)
Definition read_amount_safe (bytes : ByteString) : bool :=
  take_bytes_safe bytes 8 &&
  (match take_bytes bytes 8 with
    | Ok (written, rest) => number_of_bytes_safe written
    | Err _ => true
    end).

(** When [read_bytes8] does not panic. *)
Definition read_bytes8_safe (bytes : ByteString) : bool :=
  read_number_safe bytes 1 &&
  (match read_number bytes 1 with
    | Ok (count, rest) => take_bytes_safe rest count
    | Err _ => true
    end).

(** When [read_bytes16] does not panic. *)
Definition read_bytes16_safe (bytes : ByteString) : bool :=
  read_number_safe bytes 2 &&
  (match read_number bytes 2 with
    | Ok (count, rest) => take_bytes_safe rest count
    | Err _ => true
    end).

(** When [expect_format] does not panic. *)
Definition expect_format_safe (bytes : ByteString) (format : usize) : bool :=
  read_number_safe bytes 1.

(** When [reading_turns] does not panic. *)
Definition reading_turns_safe (count : usize) (bytes : ByteString) : bool :=
  if count <=? seq_length bytes then true else within_usize (seq_length bytes + 1).
