(** Aggregated blocks beside plain ones with the same transactions, openings included.

    - [execute_aggregated_same]: where the two phases in which they differ pass for both, the two answers are equal, refusals
      included. That an aggregated block's openings are not looked at: Openings.v. *)
From Coq Require Import NArith List.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Commitment.Opening Commitment.Scheme
  Block.Rejection Block.Transaction Block.State Block.BlockData Block.Checks Block.Execution Block.Phases
  Block.Validator Block.AggregatedBlock.
Local Open Scope N_scope.

Section AggregatedBlocks.
Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

Theorem execute_aggregated_same (setup : Setup) (state : ValidatorState) (aggregated : AggregatedBlock)
    (coefficients combiners : list Scalar) :
  phase_aggregated_size state aggregated = Ok tt ->
  phase_points setup state aggregated coefficients combiners = Ok tt ->
  phase_size state aggregated.(plain_block) = Ok tt ->
  phase_openings setup state aggregated.(plain_block) = Ok tt ->
  execute_challenged_block setup state aggregated coefficients combiners =
  execute_block setup state aggregated.(plain_block).
Proof.
  intros size points plain_size openings. unfold execute_challenged_block, execute_block.
  rewrite size, points, plain_size, openings. reflexivity.
Qed.

End AggregatedBlocks.
