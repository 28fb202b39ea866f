(** Theorems for auditors: the number of a block's tail vectors.

    To understand a statement of this file you need this file and the generated definitions, nothing else. The number is
    bounded before any tail vector is looked at, by the least size that the block can leave.

    - [least_size_below]: a block leaves at least [least_size] slots, which is one less for each of its deletes.
    - [phase_tail_number_needed]: so the bound refuses no block that has as many tail vectors as it needs. *)
From Coq Require Import NArith.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Dictionary.Genesis Dictionary.Changes Block.Tail
  Block.State Block.BlockData Block.Execution Block.Phases.
From Aardvark Require Lemmas.TailNumber.
Local Open Scope N_scope.

Section TailVectors.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** Of [s] slots, a block whose operations succeed leaves at least [least_size s block]. *)
Theorem least_size_below : forall s block resolved changes,
  run_block block resolved = Ok changes -> least_size s block <= size_after s (net_changes changes).
Proof. exact Aardvark.Lemmas.TailNumber.least_size_below. Qed.

(** The bound refuses no block that has as many tail vectors as it needs. *)
Theorem phase_tail_number_needed : forall state block resolved changes,
  1 <= vector_size (parameters state) -> (exists k, tail_start state = vector_size (parameters state) * k) ->
  run_block block resolved = Ok changes ->
  phase_tail_count state block (size_after (size state) (net_changes changes)) = Ok tt ->
  phase_tail_number state block = Ok tt.
Proof. exact Aardvark.Lemmas.TailNumber.phase_tail_number_needed. Qed.

End TailVectors.
