(* Translated from spec/src/base/group.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Base.Group Base.ScalarSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven}.

(** When [g1_multiples] does not panic. *)
Definition g1_multiples_safe (factors : Seq Scalar) : bool :=
  loop_safe
    (fun elements i => g1_multiples_step elements (seq_at factors i))
    (fun elements i => i <? seq_length factors)
    (range 0 (seq_length factors))
    [].

(** When [g1_updated] does not panic. *)
Definition g1_updated_safe (elements : Seq G1) (i : usize) (new : G1) : bool :=
  if i <? seq_length elements then
    within_usize (i + 1) && (1 <=? seq_length elements - i) &&
    (i + 1 + (seq_length elements - i - 1) <=? seq_length elements) &&
    (0 + i <=? seq_length elements)
  else
    true.

(** When [g1_combination] does not panic. *)
Definition g1_combination_safe (elements : Seq G1) (factors : Seq Scalar) : bool :=
  loop_safe
    (fun total i => g1_combination_step total (seq_at elements i) (scalar_at factors i))
    (fun total i => i <? seq_length elements)
    (range 0 (seq_length elements))
    g1_identity.

End Specification.
