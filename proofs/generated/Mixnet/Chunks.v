(* Translated from spec/src/mixnet/chunks.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Values as chunks: a value of a ceremony is written as w numbers of 16 bits, and a row encrypts
    each under a key of its own, C_l = m_l G + ρ Y_l, all with one ρ.

    A ceremony's values have a width of v bytes, even, 2 to 32, and w = v / 2. With v = 2 the value
    is the number; else it is `u8 length || bytes || zeros`, which leaves v - 1 bytes. A row goes
    through the servers as a whole, so what a shuffle moves is all chunks of a value, by one
    permutation. Decryption looks each number up among the multiples of the generator; what is not
    there, or is not what some value is written as, is undecodable. Source: docs/mixnet.md,
    "Algebra". *)
From AardvarkSpec Require Export Prelude Base.Integers Base.Bytes Base.Scalar Base.Group Mixnet.Column.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** The most bytes of a value's width. *)
Definition MOST_VALUE_BYTES : usize :=
  32.

(** How many numbers a chunk can be. *)
Definition CHUNK_NUMBERS : usize :=
  65536.

(** Whether values can have this width, in bytes. *)
Definition value_width_legal (width : usize) : bool :=
  (2 <=? width) && (width <=? MOST_VALUE_BYTES) && ((width mod 2) =? 0).

(** The bytes that a value is written as; none where the width is not legal or the value does not
    fit. *)
Definition padded_value (content : ByteString) (width : usize) : Option ByteString :=
  if negb (value_width_legal width) then
    None
  else if width =? 2 then
    if seq_length content =? 2 then Some content else None
  else if seq_length content <? width then
    let zeros := (seq_new (width - 1 - seq_length content) : Seq u8) in
    Some (u8_bytes (seq_length content) ++ content ++ zeros)
  else
    None.

(** One step of [`chunk_numbers`]. *)
Definition chunk_numbers_step (chunks : Seq usize) (padded : ByteString) (i : usize) : Seq usize :=
  chunks ++ [usize_of_u128 (number_of_bytes (seq_slice padded (2 * i) 2))].

(** The numbers of an even count of bytes, two bytes each, the higher first. *)
Definition chunk_numbers (padded : ByteString) : Seq usize :=
  fold_left (fun chunks i => chunk_numbers_step chunks padded i) (range 0 (seq_length padded / 2)) [].

(** The chunks of a value. *)
Definition value_chunks (content : ByteString) (width : usize) : Option (Seq usize) :=
  match padded_value content width with
  | Some padded => Some (chunk_numbers padded)
  | None => None
  end.

(** One step of [`chunk_bytes`]. *)
Definition chunk_bytes_step (padded : ByteString) (chunks : Seq usize) (i : usize) : ByteString :=
  padded ++ u16_bytes (seq_at chunks i).

(** Two bytes a chunk. *)
Definition chunk_bytes (chunks : Seq usize) : ByteString :=
  fold_left (fun padded i => chunk_bytes_step padded chunks i) (range 0 (seq_length chunks)) [].

(** One step of [`chunks_legal`]. *)
Definition chunks_legal_step (legal : bool) (chunks : Seq usize) (i : usize) : bool :=
  legal && (seq_at chunks i <? CHUNK_NUMBERS).

(** Whether there are as many chunks as a width can have, all of 16 bits. *)
Definition chunks_legal (chunks : Seq usize) : bool :=
  fold_left
    (fun legal i => chunks_legal_step legal chunks i)
    (range 0 (seq_length chunks))
    ((0 <? seq_length chunks) && (seq_length chunks <=? (MOST_VALUE_BYTES / 2))).

(** The value that bytes would be written for: so many bytes as the first says, behind it; none of
    them where there are fewer. *)
Definition unpadded_value (padded : ByteString) : ByteString :=
  if seq_length padded <? 3 then
    padded
  else
    let length := usize_of_u128 (u128_of_u8 (seq_at padded 0)) in
    if length <? seq_length padded then seq_slice padded 1 length else [].

(** The value of these chunks, if they are what it is written as: not of another count, with another
    length, or with other bytes than zeros behind it. *)
Definition chunks_value (chunks : Seq usize) : Option ByteString :=
  if chunks_legal chunks then
    let padded := chunk_bytes chunks in
    let content := unpadded_value padded in
    match padded_value content (seq_length padded) with
    | Some again => if bytes_equal again padded then Some content else None
    | None => None
    end
  else
    None.

(** One step of [`chunk_elements`]. *)
Definition chunk_elements_step (elements : Seq G1) (chunks : Seq usize) (i : usize) : Seq G1 :=
  elements ++ [g1_multiple (scalar_of_number (u128_of_usize (seq_at chunks i)))].

(** m_l G *)
Definition chunk_elements (chunks : Seq usize) : Seq G1 :=
  fold_left (fun elements i => chunk_elements_step elements chunks i) (range 0 (seq_length chunks)) [].

(** The row that encrypts chunks under (G, Y_1, .., Y_w). *)
Definition encrypted_chunks (chunks : Seq usize) (keys : Seq G1) (rho : Scalar) : Seq G1 :=
  let row := [] ++ [g1_identity] ++ chunk_elements chunks in
  column_reencrypt_row row keys rho.

(** One step of [`element_chunk`]. *)
Definition element_chunk_step (found : Option usize) (element : G1) (number : usize) : Option usize :=
  match found with
  | Some first => Some first
  | None =>
      if g1_equal element (g1_multiple (scalar_of_number (u128_of_usize number))) then Some number else None
  end.

(** The number m of 16 bits of m G; none of other elements. *)
Definition element_chunk (element : G1) : Option usize :=
  fold_left (fun found number => element_chunk_step found element number) (range 0 CHUNK_NUMBERS) None.

(** One step of [`elements_chunks`]. *)
Definition elements_chunks_step
    (read : Option (Seq usize))
    (elements : Seq G1)
    (l : usize) : Option (Seq usize) :=
  match read with
  | None => None
  | Some chunks =>
      match element_chunk (seq_at elements l) with
      | None => None
      | Some number => Some (chunks ++ [number])
      end
  end.

(** The chunks of decrypted elements, if each is a number of 16 bits. *)
Definition elements_chunks (elements : Seq G1) : Option (Seq usize) :=
  fold_left (fun read l => elements_chunks_step read elements l) (range 0 (seq_length elements)) (Some []).

(** The value of a decrypted row; none where it is undecodable. *)
Definition elements_value (elements : Seq G1) : Option ByteString :=
  match elements_chunks elements with
  | Some chunks => chunks_value chunks
  | None => None
  end.

End Specification.
