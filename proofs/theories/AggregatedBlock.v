(** Aggregated blocks beside plain ones.

    - [execute_aggregated_refines]: an accepted aggregated block runs exactly as the plain block with the same transactions
      and tail vectors, whatever the plain block's openings prove it with, as soon as the plain block passes the two phases in
      which they differ: its size, and its openings. Both blocks are the same here, openings included; that an aggregated
      one's are not looked at is seen in its definition and tested, not stated as a theorem.
    - [apply_aggregated_refines]: hence it leads to the same state and has the same effects.
    - [execute_aggregated_same]: conversely, where both phases pass for both, the two answers are equal, refusals included. *)
From Coq Require Import NArith List.
From AardvarkSpec Require Import Prelude Bytes Scalar Commitment Scheme Rejection Transaction State BlockData Checks Execution Block
  Validator AggregatedBlock.
Local Open Scope N_scope.

Section AggregatedBlocks.
Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

Theorem execute_aggregated_same (setup : Setup) (state : ValidatorState) (aggregated : AggregatedBlock)
    (coefficients combiners : list Scalar) :
  phase_aggregated_size state aggregated = Ok tt ->
  phase_points setup state aggregated coefficients combiners = Ok tt ->
  phase_size state aggregated.(plain_block) = Ok tt ->
  phase_openings setup state aggregated.(plain_block) = Ok tt ->
  execute_aggregated_block setup state aggregated coefficients combiners =
  execute_block setup state aggregated.(plain_block).
Proof.
  intros size points plain_size openings. unfold execute_aggregated_block, execute_block.
  rewrite size, points, plain_size, openings. reflexivity.
Qed.

Lemma execute_aggregated_phases (setup : Setup) (state : ValidatorState) (aggregated : AggregatedBlock)
    (coefficients combiners : list Scalar) (execution : Execution) :
  execute_aggregated_block setup state aggregated coefficients combiners = Ok execution ->
  phase_aggregated_size state aggregated = Ok tt /\
  phase_points setup state aggregated coefficients combiners = Ok tt.
Proof.
  unfold execute_aggregated_block. intros accepted.
  destruct (phase_aggregated_size state aggregated) as [[] | ?]; [| discriminate]. split; [reflexivity |].
  destruct (phase_interval state _); [| discriminate].
  destruct (phase_replay state _); [| discriminate].
  destruct (phase_shape state _); [| discriminate].
  destruct (phase_position state _); [| discriminate].
  destruct (phase_points setup state aggregated coefficients combiners) as [[] | ?]; [reflexivity | discriminate].
Qed.

Theorem execute_aggregated_refines (setup : Setup) (state : ValidatorState) (aggregated : AggregatedBlock)
    (coefficients combiners : list Scalar) (execution : Execution) :
  execute_aggregated_block setup state aggregated coefficients combiners = Ok execution ->
  phase_size state aggregated.(plain_block) = Ok tt ->
  phase_openings setup state aggregated.(plain_block) = Ok tt ->
  execute_block setup state aggregated.(plain_block) = Ok execution.
Proof.
  intros accepted size openings.
  destruct (execute_aggregated_phases _ _ _ _ _ _ accepted) as [aggregated_size points].
  rewrite <- (execute_aggregated_same setup state aggregated coefficients combiners); assumption.
Qed.

Theorem apply_aggregated_refines (setup : Setup) (state after : ValidatorState) (aggregated : AggregatedBlock)
    (coefficients combiners : list Scalar) (effects : Effects) :
  apply_aggregated_block setup state aggregated coefficients combiners = Ok (after, effects) ->
  phase_size state aggregated.(plain_block) = Ok tt ->
  phase_openings setup state aggregated.(plain_block) = Ok tt ->
  apply_block setup state aggregated.(plain_block) = Ok (after, effects).
Proof.
  unfold apply_aggregated_block, apply_block. intros applied size openings.
  destruct (execute_aggregated_block setup state aggregated coefficients combiners) as [execution | ?] eqn:accepted;
    [| discriminate].
  rewrite (execute_aggregated_refines _ _ _ _ _ _ accepted size openings). exact applied.
Qed.

End AggregatedBlocks.
