(* Translated from spec/src/mixnet/linear_relation.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Mixnet.LinearRelation Base.ScalarSafe Base.GroupSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven}.

(** When [linear_map_step] does not panic. *)
Definition linear_map_step_safe
    (products : Seq G1)
    (matrix : Seq (Seq G1))
    (s : Seq Scalar)
    (i : usize) : bool :=
  (i <? seq_length matrix) && g1_combination_safe (seq_at matrix i) s.

(** When [linear_map] does not panic. *)
Definition linear_map_safe (matrix : Seq (Seq G1)) (s : Seq Scalar) : bool :=
  loop_safe
    (fun products i => linear_map_step products matrix s i)
    (fun products i => linear_map_step_safe products matrix s i)
    (range 0 (seq_length matrix))
    [].

(** When [linear_respond_step] does not panic. *)
Definition linear_respond_step_safe
    (responses nonces : Seq Scalar)
    (c : Scalar)
    (witness : Seq Scalar)
    (i : usize) : bool :=
  i <? seq_length nonces.

(** When [linear_respond] does not panic. *)
Definition linear_respond_safe (nonces : Seq Scalar) (c : Scalar) (witness : Seq Scalar) : bool :=
  loop_safe
    (fun responses i => linear_respond_step responses nonces c witness i)
    (fun responses i => linear_respond_step_safe responses nonces c witness i)
    (range 0 (seq_length nonces))
    [].

(** When [linear_prove] does not panic. *)
Definition linear_prove_safe (matrix : Seq (Seq G1)) (witness nonces : Seq Scalar) (c : Scalar) : bool :=
  linear_map_safe matrix nonces && linear_respond_safe nonces c witness.

(** When [linear_row_holds] does not panic. *)
Definition linear_row_holds_safe
    (matrix : Seq (Seq G1))
    (image : Seq G1)
    (proof : LinearProof)
    (c : Scalar)
    (i : usize) : bool :=
  (i <? seq_length matrix) && g1_combination_safe (seq_at matrix i) proof.(linear_responses).

(** When [linear_verify_step] does not panic. *)
Definition linear_verify_step_safe
    (held : bool)
    (matrix : Seq (Seq G1))
    (image : Seq G1)
    (proof : LinearProof)
    (c : Scalar)
    (i : usize) : bool :=
  if held then linear_row_holds_safe matrix image proof c i else true.

(** When [linear_verify] does not panic. *)
Definition linear_verify_safe
    (matrix : Seq (Seq G1))
    (columns : usize)
    (image : Seq G1)
    (proof : LinearProof)
    (c : Scalar) : bool :=
  loop_safe
    (fun held i => linear_verify_step held matrix image proof c i)
    (fun held i => linear_verify_step_safe held matrix image proof c i)
    (range 0 (seq_length matrix))
    (linear_fits matrix columns image proof).

(** When [linear_simulate_step] does not panic. *)
Definition linear_simulate_step_safe
    (first : Seq G1)
    (matrix : Seq (Seq G1))
    (image : Seq G1)
    (c : Scalar)
    (responses : Seq Scalar)
    (i : usize) : bool :=
  (i <? seq_length matrix) && g1_combination_safe (seq_at matrix i) responses.

(** When [linear_simulate] does not panic. *)
Definition linear_simulate_safe
    (matrix : Seq (Seq G1))
    (image : Seq G1)
    (c : Scalar)
    (responses : Seq Scalar) : bool :=
  loop_safe
    (fun first i => linear_simulate_step first matrix image c responses i)
    (fun first i => linear_simulate_step_safe first matrix image c responses i)
    (range 0 (seq_length matrix))
    [].

(** When [linear_extract_step] does not panic. *)
Definition linear_extract_step_safe
    (extracted : Seq Scalar)
    (quotient : Scalar)
    (responses others : Seq Scalar)
    (i : usize) : bool :=
  i <? seq_length responses.

(** When [linear_extract] does not panic. *)
Definition linear_extract_safe
    (c : Scalar)
    (responses : Seq Scalar)
    (d : Scalar)
    (others : Seq Scalar) : bool :=
  let quotient := scalar_inverse (c [-] d) in
  loop_safe
    (fun extracted i => linear_extract_step extracted quotient responses others i)
    (fun extracted i => linear_extract_step_safe extracted quotient responses others i)
    (range 0 (seq_length responses))
    [].

(** When [linear_sum_elements_step] does not panic. *)
Definition linear_sum_elements_step_safe (sums a b : Seq G1) (i : usize) : bool :=
  i <? seq_length a.

(** When [linear_sum_elements] does not panic. *)
Definition linear_sum_elements_safe (a b : Seq G1) : bool :=
  loop_safe
    (fun sums i => linear_sum_elements_step sums a b i)
    (fun sums i => linear_sum_elements_step_safe sums a b i)
    (range 0 (seq_length a))
    [].

(** When [linear_sum_scalars_step] does not panic. *)
Definition linear_sum_scalars_step_safe (sums a b : Seq Scalar) (i : usize) : bool :=
  i <? seq_length a.

(** When [linear_sum_scalars] does not panic. *)
Definition linear_sum_scalars_safe (a b : Seq Scalar) : bool :=
  loop_safe
    (fun sums i => linear_sum_scalars_step sums a b i)
    (fun sums i => linear_sum_scalars_step_safe sums a b i)
    (range 0 (seq_length a))
    [].

(** When [linear_sum_proofs] does not panic. *)
Definition linear_sum_proofs_safe (a b : LinearProof) : bool :=
  linear_sum_elements_safe a.(linear_first) b.(linear_first) &&
  linear_sum_scalars_safe a.(linear_responses) b.(linear_responses).

End Specification.
