(* Translated from spec/src/table/domain_values.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Table.DomainValues Base.ScalarSafe Commitment.KzgSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven}.

(** When [domain_point] does not panic. *)
Definition domain_point_safe (n i : usize) : bool :=
  root_of_unity_safe n.

(** When [lagrange_value] does not panic. *)
Definition lagrange_value_safe (n i : usize) (x : Scalar) : bool :=
  domain_point_safe n i && domain_point_safe n i.

(** When [interval_value_step] does not panic. *)
Definition interval_value_step_safe (total : Scalar) (n i : usize) (x : Scalar) : bool :=
  lagrange_value_safe n i x.

(** When [interval_value] does not panic. *)
Definition interval_value_safe (n first count : usize) (x : Scalar) : bool :=
  within_usize (first + count) &&
  (loop_safe
      (fun total i => interval_value_step total n i x)
      (fun total i => interval_value_step_safe total n i x)
      (range first (first + count))
      scalar_zero).

(** When [vector_value_step] does not panic. *)
Definition vector_value_step_safe (total : Scalar) (n i : usize) (element x : Scalar) : bool :=
  lagrange_value_safe n i x.

(** When [vector_value] does not panic. *)
Definition vector_value_safe (n : usize) (vector : Seq Scalar) (x : Scalar) : bool :=
  loop_safe
    (fun total i => vector_value_step total n i (seq_at vector i) x)
    (fun total i => (i <? seq_length vector) && vector_value_step_safe total n i (seq_at vector i) x)
    (range 0 (seq_length vector))
    scalar_zero.

(** When [rows_vanishing] does not panic. *)
Definition rows_vanishing_safe (n : usize) (x : Scalar) : bool :=
  domain_point_safe n (mask_position n) &&
  (within_usize (mask_position n + 1) && domain_point_safe n (mask_position n + 1)).

(** When [unguarded_value] does not panic. *)
Definition unguarded_value_safe (n : usize) (x : Scalar) : bool :=
  lagrange_value_safe n (guard_position n) x.

End Specification.
