(* Translated from spec/src/base/scalar.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Base.Scalar Base.BytesSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations}.
Context {scalar_given : ScalarGiven}.

(** When [root_of_unity] does not panic. *)
Definition root_of_unity_safe (n : usize) : bool :=
  negb (n =? 0).

(** When [scalar_of_wide_bytes] does not panic. *)
Definition scalar_of_wide_bytes_safe (wide : ByteString) : bool :=
  (0 + 16 <=? seq_length wide) && number_of_bytes_safe (seq_slice wide 0 16) &&
  ((16 + 16 <=? seq_length wide) && number_of_bytes_safe (seq_slice wide 16 16) &&
    ((32 + 16 <=? seq_length wide) && number_of_bytes_safe (seq_slice wide 32 16))).

(** When [inner_product] does not panic. *)
Definition inner_product_safe (a b : Seq Scalar) : bool :=
  loop_safe
    (fun total i => inner_product_step total (seq_at a i) (scalar_at b i))
    (fun total i => i <? seq_length a)
    (range 0 (seq_length a))
    scalar_zero.

(** When [scalars_updated] does not panic. *)
Definition scalars_updated_safe (scalars : Seq Scalar) (i : usize) (new : Scalar) : bool :=
  if i <? seq_length scalars then
    within_usize (i + 1) && (1 <=? seq_length scalars - i) &&
    (i + 1 + (seq_length scalars - i - 1) <=? seq_length scalars) &&
    (0 + i <=? seq_length scalars)
  else
    true.

End Specification.
