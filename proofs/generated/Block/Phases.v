(* Translated from spec/src/block/phases.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Blocks: the phases in their order, and what a valid block does. *)
From AardvarkSpec Require Export Prelude Base.Bytes Commitment.Scheme Dictionary.SlotMap Dictionary.Array
  Dictionary.Changes Dictionary.Genesis Block.Rejection Block.Operation Block.Tail Block.Transaction
  Block.State Block.BlockData Block.View Block.Checks Block.Execution.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** One step of [`transaction_ids`]. *)
Definition transaction_ids_step
    (ids : Seq ByteString)
    (dictionary : ByteString)
    (tx : Transaction) : Seq ByteString :=
  ids ++ [id_of_transaction dictionary tx].

(** The ids of transactions. *)
Definition transaction_ids (dictionary : ByteString) (items : Seq Transaction) : Seq ByteString :=
  fold_left
    (fun ids x => transaction_ids_step ids dictionary (seq_at items x))
    (range 0 (seq_length items))
    [].

(** One step of [`phase_size`]. *)
Definition phase_size_step
    (checked : Result unit Rejection)
    (p : Parameters)
    (tx : Transaction)
    (x : usize) : Result unit Rejection :=
  match checked with
  | Err rejection => Err rejection
  | Ok tt => check_transaction_size p tx x
  end.

(** Phase 1: sizes. *)
Definition phase_size (state : ValidatorState) (block : Block) : Result unit Rejection :=
  fold_left
    (fun checked x => phase_size_step checked state.(parameters) (seq_at block.(transactions) x) x)
    (range 0 (seq_length block.(transactions)))
    (check_block_size state block).

(** One step of [`phase_interval`]. *)
Definition phase_interval_step
    (checked : Result unit Rejection)
    (p : Parameters)
    (tx : Transaction)
    (b x : usize) : Result unit Rejection :=
  match checked with
  | Err rejection => Err rejection
  | Ok tt => check_interval p tx b x
  end.

(** Phase 2: intervals of validity. *)
Definition phase_interval (state : ValidatorState) (block : Block) : Result unit Rejection :=
  fold_left
    (fun checked x =>
      phase_interval_step checked state.(parameters) (seq_at block.(transactions) x) (state.(version) + 1) x)
    (range 0 (seq_length block.(transactions)))
    (Ok tt).

(** One step of [`phase_replay`]. *)
Definition phase_replay_step
    (checked : Result unit Rejection)
    (state : ValidatorState)
    (ids : Seq ByteString)
    (x : usize) : Result unit Rejection :=
  match checked with
  | Err rejection => Err rejection
  | Ok tt => check_replay state ids x
  end.

(** Phase 3: replays, with the ids of the block's transactions. *)
Definition phase_replay (state : ValidatorState) (ids : Seq ByteString) : Result unit Rejection :=
  fold_left (fun checked x => phase_replay_step checked state ids x) (range 0 (seq_length ids)) (Ok tt).

(** One step of [`phase_shape`]. *)
Definition phase_shape_step
    (checked : Result unit Rejection)
    (p : Parameters)
    (tx : Transaction)
    (x : usize) : Result unit Rejection :=
  match checked with
  | Err rejection => Err rejection
  | Ok tt => check_shape p tx x
  end.

(** Phase 4: shapes. *)
Definition phase_shape (state : ValidatorState) (block : Block) : Result unit Rejection :=
  fold_left
    (fun checked x => phase_shape_step checked state.(parameters) (seq_at block.(transactions) x) x)
    (range 0 (seq_length block.(transactions)))
    (Ok tt).

(** One step of [`phase_position`]. *)
Definition phase_position_step
    (checked : Result unit Rejection)
    (state : ValidatorState)
    (tx : Transaction)
    (x : usize) : Result unit Rejection :=
  match checked with
  | Err rejection => Err rejection
  | Ok tt => check_positions state tx x
  end.

(** Phase 5: positions. *)
Definition phase_position (state : ValidatorState) (block : Block) : Result unit Rejection :=
  fold_left
    (fun checked x => phase_position_step checked state (seq_at block.(transactions) x) x)
    (range 0 (seq_length block.(transactions)))
    (Ok tt).

(** One step of [`phase_openings`]. *)
Definition phase_openings_step
    (checked : Result unit Rejection)
    (setup : Setup)
    (state : ValidatorState)
    (tx : Transaction)
    (x : usize) : Result unit Rejection :=
  match checked with
  | Err rejection => Err rejection
  | Ok tt => check_openings setup state tx x
  end.

(** Phase 6: openings. *)
Definition phase_openings (setup : Setup) (state : ValidatorState) (block : Block) : Result unit Rejection :=
  fold_left
    (fun checked x => phase_openings_step checked setup state (seq_at block.(transactions) x) x)
    (range 0 (seq_length block.(transactions)))
    (Ok tt).

(** The fewest slots that an operation can leave of `s`: a delete takes one. *)
Definition least_size_of_operation (s : usize) (operation : Operation) : usize :=
  if is_delete operation.(action) && (0 <? s) then s - 1 else s.

(** The fewest slots that a transaction can leave of `s`. *)
Definition least_size_of_transaction (s : usize) (tx : Transaction) : usize :=
  fold_left
    (fun least j => least_size_of_operation least (seq_at tx.(operations) j))
    (range 0 (seq_length tx.(operations)))
    s.

(** The fewest slots that a block can leave of `s`, whatever its operations find. *)
Definition least_size (s : usize) (block : Block) : usize :=
  fold_left
    (fun least x => least_size_of_transaction least (seq_at block.(transactions) x))
    (range 0 (seq_length block.(transactions)))
    s.

(** Phase 7, before any tail vector is looked at: there are no more than lie below the tail, and no
    more than the block's deletes can make necessary. A commitment costs much to recompute; what
    nobody can need is not recomputed. *)
Definition phase_tail_number (state : ValidatorState) (block : Block) : Result unit Rejection :=
  let n := state.(parameters).(vector_size) in
  let below := state.(tail_start) / n in
  let most := tail_needed state.(tail_start) (least_size state.(size) block) n in
  if below <? seq_length block.(tail_vectors) then
    Err (reject_tail_vector Reason_TailTooLong below)
  else if most <? seq_length block.(tail_vectors) then
    Err (reject_block Reason_TailSuperfluous)
  else
    Ok tt.

(** Phase 7: the number of tail vectors, as far as it can be bounded, and their content. *)
Definition phase_tail (setup : Setup) (state : ValidatorState) (block : Block) : Result unit Rejection :=
  match phase_tail_number state block with
  | Ok _ =>
      check_tail_vectors setup state.(parameters) state.(commitments) state.(tail_start) block.(tail_vectors)
  | Err e' => Err e'
  end.

(** Phase 10: the number of tail vectors, for a block that leaves `s` slots. *)
Definition phase_tail_count (state : ValidatorState) (block : Block) (s : usize) : Result unit Rejection :=
  let needed := tail_needed state.(tail_start) s state.(parameters).(vector_size) in
  if seq_length block.(tail_vectors) <? needed then
    Err (reject_block Reason_TailMissing)
  else if needed <? seq_length block.(tail_vectors) then
    Err (reject_block Reason_TailSuperfluous)
  else
    Ok tt.

(** What a valid block does to a validator's view of the array. *)
Record Execution : Type := {
  (** The ids of the block's transactions. *)
  execution_ids : Seq ByteString;
  (** The contents at t of the keys, by transaction and operation. *)
  execution_contents : Seq Contents;
  (** The net changes. *)
  execution_changes : ChangeMap;
  (** The view before the block. *)
  execution_before : SlotMap;
  (** The view after it. *)
  execution_after : Array;
}.

#[global] Instance Default_Execution : Default Execution := {| execution_ids := default; execution_contents := default; execution_changes := default; execution_before := default; execution_after := default |}.

(** The array after the changes. A block that passed all phases has what they need; should a slot be
    missing nevertheless, the block is refused for it. *)
Definition change_view (before : Array) (net : ChangeMap) : Result Array Rejection :=
  match apply_changes before net with
  | Some after => Ok after
  | None => Err (reject_block Reason_TailMissing)
  end.

(** What follows the openings, whichever way they are proved: the tail, resolution, the operations,
    and the tail's count. *)
Definition execute_proved
    (setup : Setup)
    (state : ValidatorState)
    (block : Block)
    (ids : Seq ByteString) : Result Execution Rejection :=
  match phase_tail setup state block with
  | Ok _ =>
      match resolve_block state block with
      | Ok contents =>
          match run_block block contents with
          | Ok changes =>
              let net := net_changes changes in
              match phase_tail_count state block (size_after state.(size) net) with
              | Ok _ =>
                  let known := block_view state block in
                  match change_view {| array_size := state.(size); array_slots := known |} net with
                  | Ok after =>
                      Ok
                        {| execution_ids := ids;
                          execution_contents := contents;
                          execution_changes := net;
                          execution_before := known;
                          execution_after := after |}
                  | Err e' => Err e'
                  end
              | Err e' => Err e'
              end
          | Err e' => Err e'
          end
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

(** Runs all phases in order, and then the block. *)
Definition execute_block
    (setup : Setup)
    (state : ValidatorState)
    (block : Block) : Result Execution Rejection :=
  match phase_size state block with
  | Ok _ =>
      match phase_interval state block with
      | Ok _ =>
          let ids := transaction_ids state.(dictionary_id) block.(transactions) in
          match phase_replay state ids with
          | Ok _ =>
              match phase_shape state block with
              | Ok _ =>
                  match phase_position state block with
                  | Ok _ =>
                      match phase_openings setup state block with
                      | Ok _ => execute_proved setup state block ids
                      | Err e' => Err e'
                      end
                  | Err e' => Err e'
                  end
              | Err e' => Err e'
              end
          | Err e' => Err e'
          end
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

End Specification.
