(* Translated from spec/src/table/known_segment.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** A segment of rows that are known: its vectors on the domain, and what their polynomials are.

    V_k has the rows' numbers at their positions, A_(p,k) the suffix sums of their p-th powers; both
    have random scalars at the masks. Source: docs/tables.md, "Sheets". *)
From AardvarkSpec Require Export Prelude Base.Scalar Table.DomainValues.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven}.

(** A segment as its keeper knows it. *)
Record KnownSegment : Type := {
  (** The position of the first row. *)
  known_first : usize;
  (** The rows' numbers, ascending, from 0 to the cap. *)
  known_numbers : Seq u128;
  (** The two scalars at the masks of the values. *)
  known_values_masks : Seq Scalar;
  (** The two scalars at the masks of the sums of each power, power by power. *)
  known_sums_masks : Seq Scalar;
}.

#[global] Instance Default_KnownSegment : Default KnownSegment := {| known_first := default; known_numbers := default; known_values_masks := default; known_sums_masks := default |}.

(** The number of the row at position i of a segment; 0 where there is none. *)
Definition number_at (segment : KnownSegment) (i : usize) : u128 :=
  if (segment.(known_first) <=? i) && (i - segment.(known_first) <? seq_length segment.(known_numbers)) then
    seq_at segment.(known_numbers) (i - segment.(known_first))
  else
    0.

(** Element i of a segment's values: a mask, a row's number, or 0. *)
Definition values_element (n : usize) (segment : KnownSegment) (i : usize) : Scalar :=
  if mask_position n <=? i then
    scalar_at segment.(known_values_masks) (i - mask_position n)
  else
    scalar_of_number (number_at segment i).

(** One step of [`values_vector`]. *)
Definition values_vector_step
    (vector : Seq Scalar)
    (n : usize)
    (segment : KnownSegment)
    (i : usize) : Seq Scalar :=
  vector ++ [values_element n segment i].

(** V_k on the domain. *)
Definition values_vector (n : usize) (segment : KnownSegment) : Seq Scalar :=
  fold_left (fun vector i => values_vector_step vector n segment i) (range 0 n) [].

(** One step of [`suffix_sum`]. *)
Definition suffix_sum_step (total : Scalar) (segment : KnownSegment) (i power : usize) : Scalar :=
  total [+] scalar_power (scalar_of_number (number_at segment i)) power.

(** The sum of the powers of the rows' numbers from position `start` on. *)
Definition suffix_sum (n : usize) (segment : KnownSegment) (start power : usize) : Scalar :=
  fold_left
    (fun total i => suffix_sum_step total segment i power)
    (range start (mask_position n))
    scalar_zero.

(** Element i of a segment's sums of a power, which is at least 1: a mask, or a suffix sum. *)
Definition sums_element (n : usize) (segment : KnownSegment) (power i : usize) : Scalar :=
  if (mask_position n <=? i) && (1 <=? power) then
    scalar_at segment.(known_sums_masks) (2 * (power - 1) + (i - mask_position n))
  else
    suffix_sum n segment i power.

(** One step of [`sums_vector`]. *)
Definition sums_vector_step
    (vector : Seq Scalar)
    (n : usize)
    (segment : KnownSegment)
    (power i : usize) : Seq Scalar :=
  vector ++ [sums_element n segment power i].

(** A_(p,k) on the domain. *)
Definition sums_vector (n : usize) (segment : KnownSegment) (power : usize) : Seq Scalar :=
  fold_left (fun vector i => sums_vector_step vector n segment power i) (range 0 n) [].

(** V_k(x). *)
Definition values_at (n : usize) (segment : KnownSegment) (x : Scalar) : Scalar :=
  vector_value n (values_vector n segment) x.

(** A_(p,k)(x). *)
Definition sums_at (n : usize) (segment : KnownSegment) (power : usize) (x : Scalar) : Scalar :=
  vector_value n (sums_vector n segment power) x.

End Specification.
