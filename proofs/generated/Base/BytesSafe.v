(* Translated from spec/src/base/bytes.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Base.Bytes.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

(** When [first_difference_step] does not panic. *)
Definition first_difference_step_safe (equal_so_far i : usize) (a b : ByteString) : bool :=
  (if equal_so_far =? i then (i <? seq_length a) && (i <? seq_length b) else true) &&
  (if (equal_so_far =? i) && (seq_at a i =? seq_at b i) then within_usize (i + 1) else true).

(** When [first_difference] does not panic. *)
Definition first_difference_safe (a b : ByteString) : bool :=
  let common := if seq_length a <? seq_length b then seq_length a else seq_length b in
  loop_safe
    (fun equal_so_far i => first_difference_step equal_so_far i a b)
    (fun equal_so_far i => first_difference_step_safe equal_so_far i a b)
    (range 0 common)
    0.

(** When [bytes_equal] does not panic. *)
Definition bytes_equal_safe (a b : ByteString) : bool :=
  if seq_length a =? seq_length b then first_difference_safe a b else true.

(** When [bytes_less] does not panic. *)
Definition bytes_less_safe (a b : ByteString) : bool :=
  first_difference_safe a b.

(** When [bytes_at_most] does not panic. *)
Definition bytes_at_most_safe (a b : ByteString) : bool :=
  bytes_less_safe b a.

(** When [contents_equal] does not panic. *)
Definition contents_equal_safe (a b : Option ByteString) : bool :=
  match a with
  | None => true
  | Some left' =>
      match b with
      | None => true
      | Some right' => bytes_equal_safe left' right'
      end
  end.

(** When [number_of_bytes_step] does not panic. *)
Definition number_of_bytes_step_safe (number : u128) (byte : u8) : bool :=
  within_u128 (number * 256) && within_u128 (number * 256 + u128_of_u8 byte).

(** When [number_of_bytes] does not panic. *)
Definition number_of_bytes_safe (bytes : ByteString) : bool :=
  loop_safe
    (fun number i => number_of_bytes_step number (seq_at bytes i))
    (fun number i => (i <? seq_length bytes) && number_of_bytes_step_safe number (seq_at bytes i))
    (range 0 (seq_length bytes))
    0.
