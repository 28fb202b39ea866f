(* Translated from spec/src/block/checks.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Block.Checks Base.BytesSafe Commitment.OpeningSafe Commitment.SchemeSafe
  Dictionary.SlotSafe Dictionary.GenesisSafe Dictionary.VectorsSafe Dictionary.WindowSafe Block.OperationSafe
  Block.TransactionSafe Block.StateSafe Block.BlockDataSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [check_block_size] does not panic. *)
Definition check_block_size_safe (state : ValidatorState) (block : Block) : bool :=
  block_totals_safe block &&
  (let totals := block_totals block in
    let p := state.(parameters) in
    within_usize (state.(version) + 1) &&
    (if negb (block.(block_version) =? state.(version) + 1) then
        true
      else if p.(block_transactions) <? seq_length block.(transactions) then
        true
      else if p.(block_operations) <? totals.(total_operations) then
        true
      else if p.(block_claims) <? totals.(total_claims) then
        true
      else
        block_length_safe block)).

(** When [check_transaction_size] does not panic. *)
Definition check_transaction_size_safe (p : Parameters) (tx : Transaction) (x : usize) : bool :=
  if p.(transaction_operations) <? seq_length tx.(operations) then
    true
  else if p.(transaction_claims) <? seq_length tx.(claims) then
    true
  else
    transaction_length_safe tx.

(** When [has_id_before_step] does not panic. *)
Definition has_id_before_step_safe (found : bool) (other id : ByteString) : bool :=
  if found then true else bytes_equal_safe other id.

(** When [has_id_before] does not panic. *)
Definition has_id_before_safe (ids : Seq ByteString) (count : usize) (id : ByteString) : bool :=
  loop_safe
    (fun found i => has_id_before_step found (seq_at ids i) id)
    (fun found i => (i <? seq_length ids) && has_id_before_step_safe found (seq_at ids i) id)
    (range 0 count)
    false.

(** When [check_replay] does not panic. *)
Definition check_replay_safe (state : ValidatorState) (ids : Seq ByteString) (x : usize) : bool :=
  (x <? seq_length ids) && is_replayed_safe state.(replay_set) (seq_at ids x) &&
  (if is_replayed state.(replay_set) (seq_at ids x) then
      true
    else
      (x <? seq_length ids) && has_id_before_safe ids x (seq_at ids x)).

(** When [check_operation_shapes] does not panic. *)
Definition check_operation_shapes_safe (p : Parameters) (tx : Transaction) (x : usize) : bool :=
  loop_safe
    (fun checked j => check_operation_shapes_step checked p (seq_at tx.(operations) j) x j)
    (fun checked j => j <? seq_length tx.(operations))
    (range 0 (seq_length tx.(operations)))
    (Ok tt).

(** When [check_claim_shape] does not panic. *)
Definition check_claim_shape_safe (p : Parameters) (tx : Transaction) (x c : usize) : bool :=
  (c <? seq_length tx.(claims)) &&
  (let claim := seq_at tx.(claims) c in
    if (p.(max_key_length) <? seq_length claim.(claim_slot).(key)) ||
      (p.(max_key_length) <? seq_length claim.(claim_slot).(next)) then
      true
    else if p.(max_value_length) <? seq_length claim.(claim_slot).(value) then
      true
    else
      claimed_before_safe tx.(claims) c claim.(claim_position) &&
      (if claimed_before tx.(claims) c claim.(claim_position) then
          true
        else
          serves_some_safe claim tx.(operations))).

(** When [check_claim_shapes_step] does not panic. *)
Definition check_claim_shapes_step_safe
    (checked : Result unit Rejection)
    (p : Parameters)
    (tx : Transaction)
    (x c : usize) : bool :=
  match checked with
  | Err rejection => true
  | Ok tt => check_claim_shape_safe p tx x c
  end.

(** When [check_claim_shapes] does not panic. *)
Definition check_claim_shapes_safe (p : Parameters) (tx : Transaction) (x : usize) : bool :=
  loop_safe
    (fun checked c => check_claim_shapes_step checked p tx x c)
    (fun checked c => check_claim_shapes_step_safe checked p tx x c)
    (range 0 (seq_length tx.(claims)))
    (Ok tt).

(** When [check_shape] does not panic. *)
Definition check_shape_safe (p : Parameters) (tx : Transaction) (x : usize) : bool :=
  if negb (seq_length tx.(nonce) =? NONCE_LENGTH) then
    true
  else if seq_length tx.(operations) =? 0 then
    true
  else
    check_operation_shapes_safe p tx x &&
    (match check_operation_shapes p tx x with
      | Err rejection => true
      | Ok tt => check_claim_shapes_safe p tx x
      end).

(** When [check_position] does not panic. *)
Definition check_position_safe (state : ValidatorState) (claim : Claim) (v x c : usize) : bool :=
  size_at_safe state.(window) state.(version) state.(size) v.

(** When [check_positions_step] does not panic. *)
Definition check_positions_step_safe
    (checked : Result unit Rejection)
    (state : ValidatorState)
    (claim : Claim)
    (v x c : usize) : bool :=
  match checked with
  | Err rejection => true
  | Ok tt => check_position_safe state claim v x c
  end.

(** When [check_positions] does not panic. *)
Definition check_positions_safe (state : ValidatorState) (tx : Transaction) (x : usize) : bool :=
  loop_safe
    (fun checked c => check_positions_step checked state (seq_at tx.(claims) c) (claims_version tx) x c)
    (fun checked c =>
      (c <? seq_length tx.(claims)) && claims_version_safe tx &&
      check_positions_step_safe checked state (seq_at tx.(claims) c) (claims_version tx) x c)
    (range 0 (seq_length tx.(claims)))
    (Ok tt).

(** When [claim_verifies] does not panic. *)
Definition claim_verifies_safe (setup : Setup) (state : ValidatorState) (claim : Claim) (v : usize) : bool :=
  let n := state.(parameters).(vector_size) in
  vector_of_safe claim.(claim_position) n &&
  (let vector := vector_of claim.(claim_position) n in
    commitment_at_safe state.(window) state.(commitments) state.(version) v vector &&
    (match commitment_at state.(window) state.(commitments) state.(version) v vector with
      | None => true
      | Some commitment =>
          index_of_safe claim.(claim_position) n &&
          verify_safe
            setup
            commitment
            (index_of claim.(claim_position) n)
            (scalar_of_slot claim.(claim_slot))
            claim.(claim_opening)
      end)).

(** When [has_malformed] does not panic. *)
Definition has_malformed_safe (items : Seq Claim) : bool :=
  loop_safe
    (fun found c => has_malformed_step found (seq_at items c))
    (fun found c => c <? seq_length items)
    (range 0 (seq_length items))
    false.

(** When [all_verify_step] does not panic. *)
Definition all_verify_step_safe
    (hold : bool)
    (setup : Setup)
    (state : ValidatorState)
    (claim : Claim)
    (v : usize) : bool :=
  if hold then claim_verifies_safe setup state claim v else true.

(** When [all_verify] does not panic. *)
Definition all_verify_safe (setup : Setup) (state : ValidatorState) (tx : Transaction) : bool :=
  loop_safe
    (fun hold c => all_verify_step hold setup state (seq_at tx.(claims) c) (claims_version tx))
    (fun hold c =>
      (c <? seq_length tx.(claims)) && claims_version_safe tx &&
      all_verify_step_safe hold setup state (seq_at tx.(claims) c) (claims_version tx))
    (range 0 (seq_length tx.(claims)))
    true.

(** When [check_openings] does not panic. *)
Definition check_openings_safe
    (setup : Setup)
    (state : ValidatorState)
    (tx : Transaction)
    (x : usize) : bool :=
  has_malformed_safe tx.(claims) &&
  (if has_malformed tx.(claims) then true else all_verify_safe setup state tx).

End Specification.
