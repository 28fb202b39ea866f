(* Translated from spec/src/block/checks.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Phases 1 to 6: size, interval, replay, shape, position, openings. Source: docs/format.md, "Order
    of checks".

    A phase runs over all transactions before the next begins. Within it a transaction comes first,
    then its operations, then its claims, then the next transaction. `x` is a transaction's number,
    `j` an operation's, `c` a claim's, `b` = t + 1 the version that the block leads to. *)
From AardvarkSpec Require Export Prelude Base.Bytes Commitment.Opening Commitment.Scheme Dictionary.Slot
  Dictionary.Genesis Dictionary.Vectors Dictionary.Window Block.Rejection Block.Operation Block.Transaction
  Block.State Block.BlockData.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** Phase 1 for the block as a whole. *)
Definition check_block_size (state : ValidatorState) (block : Block) : Result unit Rejection :=
  let totals := block_totals block in
  let p := state.(parameters) in
  if negb (block.(block_version) =? state.(version) + 1) then
    Err (reject_block Reason_WrongVersion)
  else if p.(block_transactions) <? seq_length block.(transactions) then
    Err (reject_block Reason_TooManyTransactions)
  else if p.(block_operations) <? totals.(total_operations) then
    Err (reject_block Reason_TooManyBlockOperations)
  else if p.(block_claims) <? totals.(total_claims) then
    Err (reject_block Reason_TooManyBlockClaims)
  else if p.(block_bytes) <? block_length block then
    Err (reject_block Reason_BlockTooLong)
  else
    Ok tt.

(** Phase 1 for one transaction. *)
Definition check_transaction_size (p : Parameters) (tx : Transaction) (x : usize) : Result unit Rejection :=
  if p.(transaction_operations) <? seq_length tx.(operations) then
    Err (reject_transaction Reason_TooManyOperations x)
  else if p.(transaction_claims) <? seq_length tx.(claims) then
    Err (reject_transaction Reason_TooManyClaims x)
  else if p.(transaction_bytes) <? transaction_length tx then
    Err (reject_transaction Reason_TransactionTooLong x)
  else
    Ok tt.

(** Phase 2 for one transaction. *)
Definition check_interval (p : Parameters) (tx : Transaction) (b x : usize) : Result unit Rejection :=
  if (tx.(first_valid) =? 0) || (tx.(last_valid) <? tx.(first_valid)) then
    Err (reject_transaction Reason_IntervalMalformed x)
  else if p.(window_length) <? tx.(last_valid) - tx.(first_valid) then
    Err (reject_transaction Reason_IntervalTooLong x)
  else if b <? tx.(first_valid) then
    Err (reject_transaction Reason_NotYetValid x)
  else if tx.(last_valid) <? b then
    Err (reject_transaction Reason_Expired x)
  else
    Ok tt.

(** One step of [`has_id_before`]. *)
Definition has_id_before_step (found : bool) (other id : ByteString) : bool :=
  found || bytes_equal other id.

(** Whether an id is among the first `count`. *)
Definition has_id_before (ids : Seq ByteString) (count : usize) (id : ByteString) : bool :=
  fold_left (fun found i => has_id_before_step found (seq_at ids i) id) (range 0 count) false.

(** Phase 3 for transaction `x`, with the ids of all transactions of its block. *)
Definition check_replay (state : ValidatorState) (ids : Seq ByteString) (x : usize) : Result unit Rejection :=
  if is_replayed state.(replay_set) (seq_at ids x) then
    Err (reject_transaction Reason_Replayed x)
  else if has_id_before ids x (seq_at ids x) then
    Err (reject_transaction Reason_RepeatedInBlock x)
  else
    Ok tt.

(** Whether the value that an action brings, or can make, is longer than values may be. *)
Definition action_too_long (p : Parameters) (act : Action) : bool :=
  match act with
  | Action_RequireAbsent => false
  | Action_RequireValue required => p.(max_value_length) <? seq_length required
  | Action_Put put_value => p.(max_value_length) <? seq_length put_value
  | Action_Delete => false
  | Action_Add _ => p.(max_value_length) <? 8
  | Action_Sub _ => p.(max_value_length) <? 8
  end.

(** Whether an action adds or subtracts 0. *)
Definition is_zero_amount (act : Action) : bool :=
  match act with
  | Action_RequireAbsent => false
  | Action_RequireValue _ => false
  | Action_Put _ => false
  | Action_Delete => false
  | Action_Add amount => amount =? 0
  | Action_Sub amount => amount =? 0
  end.

(** Phase 4 for one operation. *)
Definition check_operation_shape
    (p : Parameters)
    (operation : Operation)
    (x j : usize) : Result unit Rejection :=
  if seq_length operation.(operation_key) =? 0 then
    Err (reject_item Reason_EmptyKey x j)
  else if p.(max_key_length) <? seq_length operation.(operation_key) then
    Err (reject_item Reason_KeyTooLong x j)
  else if action_too_long p operation.(action) then
    Err (reject_item Reason_ValueTooLong x j)
  else if is_zero_amount operation.(action) then
    Err (reject_item Reason_ZeroAmount x j)
  else
    Ok tt.

(** One step of [`check_operation_shapes`]. *)
Definition check_operation_shapes_step
    (checked : Result unit Rejection)
    (p : Parameters)
    (operation : Operation)
    (x j : usize) : Result unit Rejection :=
  match checked with
  | Err rejection => Err rejection
  | Ok tt => check_operation_shape p operation x j
  end.

(** Phase 4 for the operations of a transaction. *)
Definition check_operation_shapes (p : Parameters) (tx : Transaction) (x : usize) : Result unit Rejection :=
  fold_left
    (fun checked j => check_operation_shapes_step checked p (seq_at tx.(operations) j) x j)
    (range 0 (seq_length tx.(operations)))
    (Ok tt).

(** Phase 4 for claim `c` of a transaction. *)
Definition check_claim_shape (p : Parameters) (tx : Transaction) (x c : usize) : Result unit Rejection :=
  let claim := seq_at tx.(claims) c in
  if (p.(max_key_length) <? seq_length claim.(claim_slot).(key)) ||
    (p.(max_key_length) <? seq_length claim.(claim_slot).(next)) then
    Err (reject_item Reason_ClaimKeyTooLong x c)
  else if p.(max_value_length) <? seq_length claim.(claim_slot).(value) then
    Err (reject_item Reason_ClaimValueTooLong x c)
  else if claimed_before tx.(claims) c claim.(claim_position) then
    Err (reject_item Reason_RepeatedPosition x c)
  else if negb (serves_some claim tx.(operations)) then
    Err (reject_item Reason_SuperfluousClaim x c)
  else
    Ok tt.

(** One step of [`check_claim_shapes`]. *)
Definition check_claim_shapes_step
    (checked : Result unit Rejection)
    (p : Parameters)
    (tx : Transaction)
    (x c : usize) : Result unit Rejection :=
  match checked with
  | Err rejection => Err rejection
  | Ok tt => check_claim_shape p tx x c
  end.

(** Phase 4 for the claims of a transaction. *)
Definition check_claim_shapes (p : Parameters) (tx : Transaction) (x : usize) : Result unit Rejection :=
  fold_left
    (fun checked c => check_claim_shapes_step checked p tx x c)
    (range 0 (seq_length tx.(claims)))
    (Ok tt).

(** Phase 4 for one transaction: its nonce, that it does something, its operations, its claims. *)
Definition check_shape (p : Parameters) (tx : Transaction) (x : usize) : Result unit Rejection :=
  if negb (seq_length tx.(nonce) =? NONCE_LENGTH) then
    Err (reject_transaction Reason_NonceMalformed x)
  else if seq_length tx.(operations) =? 0 then
    Err (reject_transaction Reason_NoOperations x)
  else
    match check_operation_shapes p tx x with
    | Err rejection => Err rejection
    | Ok tt => check_claim_shapes p tx x
    end.

(** Phase 5 for one claim of version `v`. The version lies in the window once phase 2 has passed. *)
Definition check_position (state : ValidatorState) (claim : Claim) (v x c : usize) : Result unit Rejection :=
  match size_at state.(window) state.(version) state.(size) v with
  | None => Err (reject_item Reason_PositionOutOfRange x c)
  | Some s => if claim.(claim_position) <? s then Ok tt else Err (reject_item Reason_PositionOutOfRange x c)
  end.

(** One step of [`check_positions`]. *)
Definition check_positions_step
    (checked : Result unit Rejection)
    (state : ValidatorState)
    (claim : Claim)
    (v x c : usize) : Result unit Rejection :=
  match checked with
  | Err rejection => Err rejection
  | Ok tt => check_position state claim v x c
  end.

(** Phase 5 for one transaction. *)
Definition check_positions (state : ValidatorState) (tx : Transaction) (x : usize) : Result unit Rejection :=
  fold_left
    (fun checked c => check_positions_step checked state (seq_at tx.(claims) c) (claims_version tx) x c)
    (range 0 (seq_length tx.(claims)))
    (Ok tt).

(** Whether a claim of version `v` verifies against that version's commitment; one against an absent
    vector does not. *)
Definition claim_verifies (setup : Setup) (state : ValidatorState) (claim : Claim) (v : usize) : bool :=
  let n := state.(parameters).(vector_size) in
  let vector := vector_of claim.(claim_position) n in
  match commitment_at state.(window) state.(commitments) state.(version) v vector with
  | None => false
  | Some commitment =>
      verify
        setup
        commitment
        (index_of claim.(claim_position) n)
        (scalar_of_slot claim.(claim_slot))
        claim.(claim_opening)
  end.

(** One step of [`has_malformed`]. *)
Definition has_malformed_step (found : bool) (claim : Claim) : bool :=
  found || is_malformed claim.(claim_opening).

(** Whether an opening among the claims is malformed. *)
Definition has_malformed (items : Seq Claim) : bool :=
  fold_left (fun found c => has_malformed_step found (seq_at items c)) (range 0 (seq_length items)) false.

(** One step of [`all_verify`]. *)
Definition all_verify_step
    (hold : bool)
    (setup : Setup)
    (state : ValidatorState)
    (claim : Claim)
    (v : usize) : bool :=
  hold && claim_verifies setup state claim v.

(** Whether all claims of a transaction verify. *)
Definition all_verify (setup : Setup) (state : ValidatorState) (tx : Transaction) : bool :=
  fold_left
    (fun hold c => all_verify_step hold setup state (seq_at tx.(claims) c) (claims_version tx))
    (range 0 (seq_length tx.(claims)))
    true.

(** Phase 6 for one transaction. *)
Definition check_openings
    (setup : Setup)
    (state : ValidatorState)
    (tx : Transaction)
    (x : usize) : Result unit Rejection :=
  if has_malformed tx.(claims) then
    Err (reject_transaction Reason_OpeningMalformed x)
  else if negb (all_verify setup state tx) then
    Err (reject_transaction Reason_OpeningFalse x)
  else
    Ok tt.

End Specification.
