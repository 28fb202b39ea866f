(* Translated from spec/src/table/known_segment.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Table.KnownSegment Base.ScalarSafe Table.DomainValuesSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven}.

(** When [sums_element] does not panic. *)
Definition sums_element_safe (n : usize) (segment : KnownSegment) (power i : usize) : bool :=
  if (mask_position n <=? i) && (1 <=? power) then
    within_usize (2 * (power - 1)) && within_usize (2 * (power - 1) + (i - mask_position n))
  else
    true.

(** When [sums_vector_step] does not panic. *)
Definition sums_vector_step_safe
    (vector : Seq Scalar)
    (n : usize)
    (segment : KnownSegment)
    (power i : usize) : bool :=
  sums_element_safe n segment power i.

(** When [sums_vector] does not panic. *)
Definition sums_vector_safe (n : usize) (segment : KnownSegment) (power : usize) : bool :=
  loop_safe
    (fun vector i => sums_vector_step vector n segment power i)
    (fun vector i => sums_vector_step_safe vector n segment power i)
    (range 0 n)
    [].

(** When [values_at] does not panic. *)
Definition values_at_safe (n : usize) (segment : KnownSegment) (x : Scalar) : bool :=
  vector_value_safe n (values_vector n segment) x.

(** When [sums_at] does not panic. *)
Definition sums_at_safe (n : usize) (segment : KnownSegment) (power : usize) (x : Scalar) : bool :=
  sums_vector_safe n segment power && vector_value_safe n (sums_vector n segment power) x.

End Specification.
