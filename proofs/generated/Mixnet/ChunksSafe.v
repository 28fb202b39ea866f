(* Translated from spec/src/mixnet/chunks.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Mixnet.Chunks Base.BytesSafe Base.ScalarSafe Base.GroupSafe Mixnet.ColumnSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [padded_value] does not panic. *)
Definition padded_value_safe (content : ByteString) (width : usize) : bool :=
  if negb (value_width_legal width) then
    true
  else if width =? 2 then
    true
  else if seq_length content <? width then
    (1 <=? width) && (seq_length content <=? width - 1)
  else
    true.

(** When [chunk_numbers_step] does not panic. *)
Definition chunk_numbers_step_safe (chunks : Seq usize) (padded : ByteString) (i : usize) : bool :=
  within_usize (2 * i) && (2 * i + 2 <=? seq_length padded) &&
  number_of_bytes_safe (seq_slice padded (2 * i) 2).

(** When [chunk_numbers] does not panic. *)
Definition chunk_numbers_safe (padded : ByteString) : bool :=
  loop_safe
    (fun chunks i => chunk_numbers_step chunks padded i)
    (fun chunks i => chunk_numbers_step_safe chunks padded i)
    (range 0 (seq_length padded / 2))
    [].

(** When [value_chunks] does not panic. *)
Definition value_chunks_safe (content : ByteString) (width : usize) : bool :=
  padded_value_safe content width &&
  (match padded_value content width with
    | Some padded => chunk_numbers_safe padded
    | None => true
    end).

(** When [chunk_bytes_step] does not panic. *)
Definition chunk_bytes_step_safe (padded : ByteString) (chunks : Seq usize) (i : usize) : bool :=
  i <? seq_length chunks.

(** When [chunk_bytes] does not panic. *)
Definition chunk_bytes_safe (chunks : Seq usize) : bool :=
  loop_safe
    (fun padded i => chunk_bytes_step padded chunks i)
    (fun padded i => chunk_bytes_step_safe padded chunks i)
    (range 0 (seq_length chunks))
    [].

(** When [chunks_legal_step] does not panic. *)
Definition chunks_legal_step_safe (legal : bool) (chunks : Seq usize) (i : usize) : bool :=
  if legal then i <? seq_length chunks else true.

(** When [chunks_legal] does not panic. *)
Definition chunks_legal_safe (chunks : Seq usize) : bool :=
  loop_safe
    (fun legal i => chunks_legal_step legal chunks i)
    (fun legal i => chunks_legal_step_safe legal chunks i)
    (range 0 (seq_length chunks))
    ((0 <? seq_length chunks) && (seq_length chunks <=? (MOST_VALUE_BYTES / 2))).

(** When [unpadded_value] does not panic. *)
Definition unpadded_value_safe (padded : ByteString) : bool :=
  if seq_length padded <? 3 then
    true
  else
    (0 <? seq_length padded) &&
    (let length := usize_of_u128 (u128_of_u8 (seq_at padded 0)) in
      if length <? seq_length padded then 1 + length <=? seq_length padded else true).

(** When [chunks_value] does not panic. *)
Definition chunks_value_safe (chunks : Seq usize) : bool :=
  chunks_legal_safe chunks &&
  (if chunks_legal chunks then
      chunk_bytes_safe chunks &&
      (let padded := chunk_bytes chunks in
        unpadded_value_safe padded &&
        (let content := unpadded_value padded in
          padded_value_safe content (seq_length padded) &&
          (match padded_value content (seq_length padded) with
            | Some again => bytes_equal_safe again padded
            | None => true
            end)))
    else
      true).

(** When [chunk_elements_step] does not panic. *)
Definition chunk_elements_step_safe (elements : Seq G1) (chunks : Seq usize) (i : usize) : bool :=
  i <? seq_length chunks.

(** When [chunk_elements] does not panic. *)
Definition chunk_elements_safe (chunks : Seq usize) : bool :=
  loop_safe
    (fun elements i => chunk_elements_step elements chunks i)
    (fun elements i => chunk_elements_step_safe elements chunks i)
    (range 0 (seq_length chunks))
    [].

(** When [encrypted_chunks] does not panic. *)
Definition encrypted_chunks_safe (chunks : Seq usize) (keys : Seq G1) (rho : Scalar) : bool :=
  chunk_elements_safe chunks &&
  (let row := [] ++ [g1_identity] ++ chunk_elements chunks in
    column_reencrypt_row_safe row keys rho).

(** When [elements_chunks_step] does not panic. *)
Definition elements_chunks_step_safe (read : Option (Seq usize)) (elements : Seq G1) (l : usize) : bool :=
  match read with
  | None => true
  | Some chunks => l <? seq_length elements
  end.

(** When [elements_chunks] does not panic. *)
Definition elements_chunks_safe (elements : Seq G1) : bool :=
  loop_safe
    (fun read l => elements_chunks_step read elements l)
    (fun read l => elements_chunks_step_safe read elements l)
    (range 0 (seq_length elements))
    (Some []).

(** When [elements_value] does not panic. *)
Definition elements_value_safe (elements : Seq G1) : bool :=
  elements_chunks_safe elements &&
  (match elements_chunks elements with
    | Some chunks => chunks_value_safe chunks
    | None => true
    end).

End Specification.
