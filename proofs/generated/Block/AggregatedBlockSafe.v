(* Translated from spec/src/block/aggregated_block.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Block.AggregatedBlock Base.ScalarSafe Base.GroupSafe Commitment.OpeningSafe
  Commitment.SchemeSafe Dictionary.SlotSafe Dictionary.VectorsSafe Dictionary.WindowSafe Block.TransactionSafe
  Block.StateSafe Block.BlockDataSafe Block.PhasesSafe Block.ValidatorSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [aggregated_length] does not panic. *)
Definition aggregated_length_safe (block : AggregatedBlock) : bool :=
  block_totals_safe block.(plain_block) &&
  (let totals := block_totals block.(plain_block) in
    block_length_safe block.(plain_block) && within_usize (block_length block.(plain_block) + 2) &&
    within_usize (48 * seq_length block.(block_points)) &&
    within_usize (block_length block.(plain_block) + 2 + 48 * seq_length block.(block_points)) &&
    (let with_points := block_length block.(plain_block) + 2 + 48 * seq_length block.(block_points) in
      within_usize (48 * totals.(total_claims)) &&
      (if 48 * totals.(total_claims) <=? with_points then
          within_usize (48 * totals.(total_claims))
        else
          true))).

(** When [check_aggregated_size] does not panic. *)
Definition check_aggregated_size_safe (state : ValidatorState) (block : AggregatedBlock) : bool :=
  block_totals_safe block.(plain_block) &&
  (let totals := block_totals block.(plain_block) in
    let p := state.(parameters) in
    within_usize (state.(version) + 1) &&
    (if negb (block.(plain_block).(block_version) =? state.(version) + 1) then
        true
      else if p.(block_transactions) <? seq_length block.(plain_block).(transactions) then
        true
      else if p.(block_operations) <? totals.(total_operations) then
        true
      else if p.(block_claims) <? totals.(total_claims) then
        true
      else
        aggregated_length_safe block)).

(** When [phase_aggregated_size] does not panic. *)
Definition phase_aggregated_size_safe (state : ValidatorState) (block : AggregatedBlock) : bool :=
  check_aggregated_size_safe state block &&
  (loop_safe
      (fun checked x =>
        phase_size_step checked state.(parameters) (seq_at block.(plain_block).(transactions) x) x)
      (fun checked x =>
        (x <? seq_length block.(plain_block).(transactions)) &&
        phase_size_step_safe checked state.(parameters) (seq_at block.(plain_block).(transactions) x) x)
      (range 0 (seq_length block.(plain_block).(transactions)))
      (check_aggregated_size state block)).

(** When [is_among] does not panic. *)
Definition is_among_safe (items : Seq MergedClaim) (claim : MergedClaim) : bool :=
  loop_safe
    (fun found j => is_among_step found (seq_at items j) claim)
    (fun found j => j <? seq_length items)
    (range 0 (seq_length items))
    false.

(** When [add_unopened] does not panic. *)
Definition add_unopened_safe (items : Seq MergedClaim) (claim : MergedClaim) : bool :=
  is_among_safe items claim.

(** When [unopened_of_transaction_step] does not panic. *)
Definition unopened_of_transaction_step_safe
    (collected : Option (Seq MergedClaim))
    (state : ValidatorState)
    (claim : Claim)
    (v : usize) : bool :=
  match collected with
  | None => true
  | Some items =>
      vector_of_safe claim.(claim_position) state.(parameters).(vector_size) &&
      (let vector := vector_of claim.(claim_position) state.(parameters).(vector_size) in
        commitment_at_safe state.(window) state.(commitments) state.(version) v vector &&
        (match commitment_at state.(window) state.(commitments) state.(version) v vector with
          | None => true
          | Some commitment =>
              add_unopened_safe
                items
                {| merged_version := v;
                  merged_position := claim.(claim_position);
                  merged_commitment := commitment;
                  merged_scalar := scalar_of_slot claim.(claim_slot) |}
          end))
  end.

(** When [unopened_of_transaction] does not panic. *)
Definition unopened_of_transaction_safe
    (before : Option (Seq MergedClaim))
    (state : ValidatorState)
    (tx : Transaction) : bool :=
  loop_safe
    (fun collected c =>
      unopened_of_transaction_step collected state (seq_at tx.(claims) c) (claims_version tx))
    (fun collected c =>
      (c <? seq_length tx.(claims)) && claims_version_safe tx &&
      unopened_of_transaction_step_safe collected state (seq_at tx.(claims) c) (claims_version tx))
    (range 0 (seq_length tx.(claims)))
    before.

(** When [unopened_claims] does not panic. *)
Definition unopened_claims_safe (state : ValidatorState) (block : Block) : bool :=
  loop_safe
    (fun collected x => unopened_of_transaction collected state (seq_at block.(transactions) x))
    (fun collected x =>
      (x <? seq_length block.(transactions)) &&
      unopened_of_transaction_safe collected state (seq_at block.(transactions) x))
    (range 0 (seq_length block.(transactions)))
    (Some []).

(** When [batch_of_unopened_step] does not panic. *)
Definition batch_of_unopened_step_safe (batch : Seq BatchClaim) (claim : MergedClaim) (n : usize) : bool :=
  index_of_safe claim.(merged_position) n.

(** When [batch_of_unopened] does not panic. *)
Definition batch_of_unopened_safe (items : Seq MergedClaim) (n : usize) : bool :=
  loop_safe
    (fun batch j => batch_of_unopened_step batch (seq_at items j) n)
    (fun batch j => (j <? seq_length items) && batch_of_unopened_step_safe batch (seq_at items j) n)
    (range 0 (seq_length items))
    [].

(** When [speaks_of] does not panic. *)
Definition speaks_of_safe (batch : Seq BatchClaim) (i : usize) : bool :=
  loop_safe
    (fun found j => speaks_of_step found (seq_at batch j) i)
    (fun found j => j <? seq_length batch)
    (range 0 (seq_length batch))
    false.

(** When [indexed_points_step] does not panic. *)
Definition indexed_points_step_safe
    (indexed : Seq AggregatedOpening)
    (batch : Seq BatchClaim)
    (points : Seq Opening)
    (i : usize) : bool :=
  speaks_of_safe batch i.

(** When [indexed_points] does not panic. *)
Definition indexed_points_safe (batch : Seq BatchClaim) (points : Seq Opening) (n : usize) : bool :=
  loop_safe
    (fun indexed i => indexed_points_step indexed batch points i)
    (fun indexed i => indexed_points_step_safe indexed batch points i)
    (range 0 n)
    [].

(** When [has_malformed_point] does not panic. *)
Definition has_malformed_point_safe (points : Seq Opening) : bool :=
  loop_safe
    (fun found k => has_malformed_point_step found (seq_at points k))
    (fun found k => k <? seq_length points)
    (range 0 (seq_length points))
    false.

(** When [phase_points] does not panic. *)
Definition phase_points_safe
    (setup : Setup)
    (state : ValidatorState)
    (block : AggregatedBlock)
    (coefficients combiners : Seq Scalar) : bool :=
  unopened_claims_safe state block.(plain_block) &&
  (match unopened_claims state block.(plain_block) with
    | None => true
    | Some items =>
        batch_of_unopened_safe items state.(parameters).(vector_size) &&
        (let batch := batch_of_unopened items state.(parameters).(vector_size) in
          indexed_points_safe batch block.(block_points) state.(parameters).(vector_size) &&
          (let indexed := indexed_points batch block.(block_points) state.(parameters).(vector_size) in
            if negb (seq_length indexed =? seq_length block.(block_points)) then
              true
            else
              has_malformed_point_safe block.(block_points) &&
              (if has_malformed_point block.(block_points) then
                  true
                else
                  verify_aggregated_safe setup batch coefficients indexed combiners)))
    end).

(** When [execute_challenged_block] does not panic. *)
Definition execute_challenged_block_safe
    (setup : Setup)
    (state : ValidatorState)
    (aggregated : AggregatedBlock)
    (coefficients combiners : Seq Scalar) : bool :=
  let block := aggregated.(plain_block) in
  phase_aggregated_size_safe state aggregated &&
  (match phase_aggregated_size state aggregated with
    | Ok _ =>
        phase_interval_safe state block &&
        (match phase_interval state block with
          | Ok _ =>
              transaction_ids_safe state.(dictionary_id) block.(transactions) &&
              (let ids := transaction_ids state.(dictionary_id) block.(transactions) in
                phase_replay_safe state ids &&
                (match phase_replay state ids with
                  | Ok _ =>
                      phase_shape_safe state block &&
                      (match phase_shape state block with
                        | Ok _ =>
                            phase_position_safe state block &&
                            (match phase_position state block with
                              | Ok _ =>
                                  phase_points_safe setup state aggregated coefficients combiners &&
                                  (match phase_points setup state aggregated coefficients combiners with
                                    | Ok _ => execute_proved_safe setup state block ids
                                    | Err _ => true
                                    end)
                              | Err _ => true
                              end)
                        | Err _ => true
                        end)
                  | Err _ => true
                  end))
          | Err _ => true
          end)
    | Err _ => true
    end).

(** When [apply_challenged_block] does not panic. *)
Definition apply_challenged_block_safe
    (setup : Setup)
    (state : ValidatorState)
    (aggregated : AggregatedBlock)
    (coefficients combiners : Seq Scalar) : bool :=
  execute_challenged_block_safe setup state aggregated coefficients combiners &&
  (match execute_challenged_block setup state aggregated coefficients combiners with
    | Ok execution => apply_executed_safe setup state execution aggregated.(plain_block).(transactions)
    | Err _ => true
    end).

End Specification.
