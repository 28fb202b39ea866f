(* Translated from spec/src/base/bytes.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Byte strings: their order, their equality, and numbers written as bytes.

    Order is lexicographic. Everything that compares goes through [`first_difference`], so that one
    induction serves all. *)
From AardvarkSpec Require Export Prelude Base.Integers.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

(** A string of bytes: a key, a value, a digest, an encoding. *)
Definition ByteString : Type := Seq u8.

(** One step of [`first_difference`]: `equal_so_far` grows while all bytes before `i`, and byte `i`,
    agree. *)
Definition first_difference_step (equal_so_far i : usize) (a b : ByteString) : usize :=
  if (equal_so_far =? i) && (seq_at a i =? seq_at b i) then i + 1 else equal_so_far.

(** The length of the longest common prefix: the first index at which `a` and `b` differ, or the
    shorter length. *)
Definition first_difference (a b : ByteString) : usize :=
  let common := if seq_length a <? seq_length b then seq_length a else seq_length b in
  fold_left (fun equal_so_far i => first_difference_step equal_so_far i a b) (range 0 common) 0.

(** Whether the two strings are the same. *)
Definition bytes_equal (a b : ByteString) : bool :=
  (seq_length a =? seq_length b) && (first_difference a b =? seq_length a).

(** Whether `a` comes strictly before `b` in lexicographic order. *)
Definition bytes_less (a b : ByteString) : bool :=
  let d := first_difference a b in
  if (d <? seq_length a) && (d <? seq_length b) then seq_at a d <? seq_at b d else d <? seq_length b.

(** Whether `a` comes before `b` or equals it. *)
Definition bytes_at_most (a b : ByteString) : bool :=
  negb (bytes_less b a).

(** Whether there is a value. *)
Definition is_present (content : Option ByteString) : bool :=
  match content with
  | Some _ => true
  | None => false
  end.

(** Whether two contents of a key, each a value or absent, are the same. *)
Definition contents_equal (a b : Option ByteString) : bool :=
  match a with
  | None => negb (is_present b)
  | Some left' =>
      match b with
      | None => false
      | Some right' => bytes_equal left' right'
      end
  end.

(** A string of one byte. *)
Definition single_byte (byte : u8) : ByteString :=
  [] ++ [byte].

(** What is left of a number while its bytes are written, lowest first, in front of one another. *)
Record Digits : Type := {
  (** The number without the bytes written so far. *)
  digits_rest : u128;
  (** The bytes written so far. *)
  digits_written : ByteString;
}.

#[global] Instance Default_Digits : Default Digits := {| digits_rest := default; digits_written := default |}.

(** One step of [`big_endian`]: moves the lowest byte of the rest to the front of what is written. *)
Definition big_endian_step (digits : Digits) : Digits :=
  let lowest := single_byte (u8_of_u128 (digits.(digits_rest) mod 256)) in
  {| digits_rest := digits.(digits_rest) / 256; digits_written := lowest ++ digits.(digits_written) |}.

(** The `width` lowest bytes of a number, highest first. *)
Definition big_endian (number : u128) (width : usize) : ByteString :=
  let digits :=
    fold_left
      (fun digits _i => big_endian_step digits)
      (range 0 width)
      {| digits_rest := number; digits_written := [] |}
  in
  digits.(digits_written).

(** One step of [`number_of_bytes`]. *)
Definition number_of_bytes_step (number : u128) (byte : u8) : u128 :=
  number * 256 + u128_of_u8 byte.

(** The number that at most 16 bytes write, highest byte first. *)
Definition number_of_bytes (bytes : ByteString) : u128 :=
  fold_left (fun number i => number_of_bytes_step number (seq_at bytes i)) (range 0 (seq_length bytes)) 0.

(** One byte of a count. *)
Definition u8_bytes (x : usize) : ByteString :=
  big_endian (u128_of_usize x) 1.

(** Two bytes of a count. *)
Definition u16_bytes (x : usize) : ByteString :=
  big_endian (u128_of_usize x) 2.

(** Four bytes of a count. *)
Definition u32_bytes (x : usize) : ByteString :=
  big_endian (u128_of_usize x) 4.

(** Eight bytes of a count, a position or a version. *)
Definition u64_bytes (x : usize) : ByteString :=
  big_endian (u128_of_usize x) 8.

(** `u8 len || x`, for strings of at most 255 bytes. *)
Definition bytes8 (x : ByteString) : ByteString :=
  u8_bytes (seq_length x) ++ x.

(** `u16 len || x`, for strings of at most 65,535 bytes. *)
Definition bytes16 (x : ByteString) : ByteString :=
  u16_bytes (seq_length x) ++ x.
