(** Theorems for auditors: aggregated blocks beside plain ones, and the completeness of aggregation.

    To understand a statement of this file you need this file and the generated definitions; for [well_made] see
    Spec/Commitment/Scheme.v, and for what an honest proposer makes of a block, [claimed_indices] and [aggregate],
    Lemmas/HonestAggregation.v.

    - [execute_aggregated_same]: a plain and an aggregated block with the same transactions and tail vectors, each with its
      proofs accepted, have one answer, refusals included.
    - [execute_proved_ignores_openings], [apply_aggregated_ignores_openings]: what follows the proof of the claims does not
      look at openings, nor does anything in an aggregated block.
    - [aggregated_does_as_plain]: so an accepted aggregated block does what the plain block with any accepted openings does.
    - [honest_points_fit], [honest_points_indexed]: the merged openings of a block have the form that is asked of points.
    - [honest_aggregation_accepted], [honest_aggregated_block_accepted]: the merged openings of an accepted block are
      accepted, whatever the challenges, and its aggregated form does the same, if it is not too long. *)
From Coq Require Import NArith List.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Hash Commitment.Opening Commitment.Scheme
  Dictionary.Genesis Block.Rejection Block.Transaction Block.State Block.BlockData Block.Execution Block.Phases
  Block.Validator Block.AggregatedBlock.
From Aardvark Require Spec.Block.AggregatedBlock Lemmas.Openings.
From Aardvark Require Import Lemmas.Field Spec.Commitment.Scheme Lemmas.HonestAggregation.
Import ListNotations.
Local Open Scope N_scope.

Section Aggregated.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** Where the phases in which the two forms differ pass for both, the two answers are equal. *)
Theorem execute_aggregated_same (setup : Setup) (state : ValidatorState) (aggregated : AggregatedBlock)
    (coefficients combiners : list Scalar) :
  phase_aggregated_size state aggregated = Ok tt ->
  phase_points setup state aggregated coefficients combiners = Ok tt ->
  phase_size state aggregated.(plain_block) = Ok tt ->
  phase_openings setup state aggregated.(plain_block) = Ok tt ->
  execute_challenged_block setup state aggregated coefficients combiners =
  execute_block setup state aggregated.(plain_block).
Proof.
  exact (Aardvark.Spec.Block.AggregatedBlock.execute_aggregated_same setup state aggregated coefficients combiners).
Qed.

(** ** Other openings *)

(** A block whose claims have other openings, chosen by version and claim, and nothing else changed. *)
Variable opening_for : N -> Claim -> Opening.
Definition reopen_claim (v : N) (claim : Claim) : Claim :=
  {| claim_position := claim_position claim; claim_slot := claim_slot claim; claim_opening := opening_for v claim |}.
Definition reopen_transaction (tx : Transaction) : Transaction :=
  {| first_valid := first_valid tx; last_valid := last_valid tx; nonce := nonce tx; operations := operations tx;
     claims := map (reopen_claim (claims_version tx)) (claims tx) |}.
Definition reopen (block : Block) : Block :=
  {| block_version := block_version block; transactions := map reopen_transaction (transactions block);
     tail_vectors := tail_vectors block |}.
Definition reopen_aggregated (aggregated : AggregatedBlock) : AggregatedBlock :=
  {| plain_block := reopen (plain_block aggregated); block_points := block_points aggregated |}.

(** All that follows the openings does not look at them. *)
Theorem execute_proved_ignores_openings : forall setup state block ids,
  execute_proved setup state (reopen block) ids = execute_proved setup state block ids.
Proof. exact (Aardvark.Lemmas.Openings.execute_proved_ignores_openings opening_for). Qed.

(** An aggregated block's openings are of no meaning at all. *)
Theorem apply_aggregated_ignores_openings : forall setup state aggregated coefficients combiners,
  apply_challenged_block setup state (reopen_aggregated aggregated) coefficients combiners =
  apply_challenged_block setup state aggregated coefficients combiners.
Proof. exact (Aardvark.Lemmas.Openings.apply_aggregated_ignores_openings opening_for). Qed.

(** An accepted aggregated block does what the plain block does, with whatever openings that one is proved. *)
Theorem aggregated_does_as_plain : forall setup state aggregated coefficients combiners after effects,
  apply_challenged_block setup state aggregated coefficients combiners = Ok (after, effects) ->
  phase_size state (plain_block aggregated) = Ok tt ->
  phase_openings setup state (reopen (plain_block aggregated)) = Ok tt ->
  apply_block setup state (reopen (plain_block aggregated)) = Ok (after, effects).
Proof. exact (Aardvark.Lemmas.Openings.aggregated_does_as_plain opening_for). Qed.

(** ** Honest aggregations *)

Context {lawful : LawfulScalars F} {root : PrimitiveRoot scalar_given}.

(** One point an index, ascending, has the form that the verifier asks for. *)
Theorem honest_points_fit (batch : list BatchClaim) (point : N -> G1) (n : N) :
  (forall claim, In claim batch -> claim.(batch_index) < n) ->
  aggregation_fits batch (map (fun i => {| aggregated_index := i; aggregated_point := point i |}) (claimed_indices batch n)) n
  = true.
Proof. exact (Aardvark.Lemmas.HonestAggregation.honest_points_fit batch point n). Qed.

(** The verifier finds each point at the index for which it was made. *)
Theorem honest_points_indexed (batch : list BatchClaim) (point : N -> G1) (n : N) :
  indexed_points batch (map (fun i => Opening_Point (point i)) (claimed_indices batch n)) n
  = map (fun i => {| aggregated_index := i; aggregated_point := point i |}) (claimed_indices batch n).
Proof. exact (Aardvark.Lemmas.HonestAggregation.honest_points_indexed batch point n). Qed.

(** If all openings of a block are accepted, so are its merged points, whatever the challenges. *)
Theorem honest_aggregation_accepted (setup : Setup) (state : ValidatorState) (block : Block)
    (coefficients combiners : list Scalar) :
  well_made setup -> setup_vector_size setup = state.(parameters).(vector_size) ->
  phase_openings setup state block = Ok tt ->
  phase_points setup state (aggregate state block coefficients) coefficients combiners = Ok tt.
Proof.
  exact (Aardvark.Lemmas.HonestAggregation.honest_aggregation_accepted setup state block coefficients combiners).
Qed.

(** An accepted block is accepted in its aggregated form, if that is not too long, and does the same. *)
Theorem honest_aggregated_block_accepted (setup : Setup) (state after : ValidatorState) (block : Block) (effects : Effects)
    (coefficients combiners : list Scalar) :
  well_made setup -> setup_vector_size setup = state.(parameters).(vector_size) ->
  apply_block setup state block = Ok (after, effects) ->
  phase_aggregated_size state (aggregate state block coefficients) = Ok tt ->
  apply_challenged_block setup state (aggregate state block coefficients) coefficients combiners = Ok (after, effects).
Proof.
  exact (Aardvark.Lemmas.HonestAggregation.honest_aggregated_block_accepted setup state after block effects coefficients
    combiners).
Qed.

End Aggregated.
