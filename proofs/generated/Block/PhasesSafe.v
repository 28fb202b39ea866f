(* Translated from spec/src/block/phases.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Block.Phases Base.BytesSafe Commitment.SchemeSafe Dictionary.SlotMapSafe
  Dictionary.ArraySafe Dictionary.ChangesSafe Dictionary.GenesisSafe Block.OperationSafe Block.TailSafe
  Block.TransactionSafe Block.StateSafe Block.BlockDataSafe Block.ViewSafe Block.ChecksSafe
  Block.ExecutionSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [transaction_ids_step] does not panic. *)
Definition transaction_ids_step_safe
    (ids : Seq ByteString)
    (dictionary : ByteString)
    (tx : Transaction) : bool :=
  id_of_transaction_safe dictionary tx.

(** When [transaction_ids] does not panic. *)
Definition transaction_ids_safe (dictionary : ByteString) (items : Seq Transaction) : bool :=
  loop_safe
    (fun ids x => transaction_ids_step ids dictionary (seq_at items x))
    (fun ids x => (x <? seq_length items) && transaction_ids_step_safe ids dictionary (seq_at items x))
    (range 0 (seq_length items))
    [].

(** When [phase_size_step] does not panic. *)
Definition phase_size_step_safe
    (checked : Result unit Rejection)
    (p : Parameters)
    (tx : Transaction)
    (x : usize) : bool :=
  match checked with
  | Err rejection => true
  | Ok tt => check_transaction_size_safe p tx x
  end.

(** When [phase_size] does not panic. *)
Definition phase_size_safe (state : ValidatorState) (block : Block) : bool :=
  check_block_size_safe state block &&
  (loop_safe
      (fun checked x => phase_size_step checked state.(parameters) (seq_at block.(transactions) x) x)
      (fun checked x =>
        (x <? seq_length block.(transactions)) &&
        phase_size_step_safe checked state.(parameters) (seq_at block.(transactions) x) x)
      (range 0 (seq_length block.(transactions)))
      (check_block_size state block)).

(** When [phase_interval] does not panic. *)
Definition phase_interval_safe (state : ValidatorState) (block : Block) : bool :=
  loop_safe
    (fun checked x =>
      phase_interval_step checked state.(parameters) (seq_at block.(transactions) x) (state.(version) + 1) x)
    (fun checked x => (x <? seq_length block.(transactions)) && within_usize (state.(version) + 1))
    (range 0 (seq_length block.(transactions)))
    (Ok tt).

(** When [phase_replay_step] does not panic. *)
Definition phase_replay_step_safe
    (checked : Result unit Rejection)
    (state : ValidatorState)
    (ids : Seq ByteString)
    (x : usize) : bool :=
  match checked with
  | Err rejection => true
  | Ok tt => check_replay_safe state ids x
  end.

(** When [phase_replay] does not panic. *)
Definition phase_replay_safe (state : ValidatorState) (ids : Seq ByteString) : bool :=
  loop_safe
    (fun checked x => phase_replay_step checked state ids x)
    (fun checked x => phase_replay_step_safe checked state ids x)
    (range 0 (seq_length ids))
    (Ok tt).

(** When [phase_shape_step] does not panic. *)
Definition phase_shape_step_safe
    (checked : Result unit Rejection)
    (p : Parameters)
    (tx : Transaction)
    (x : usize) : bool :=
  match checked with
  | Err rejection => true
  | Ok tt => check_shape_safe p tx x
  end.

(** When [phase_shape] does not panic. *)
Definition phase_shape_safe (state : ValidatorState) (block : Block) : bool :=
  loop_safe
    (fun checked x => phase_shape_step checked state.(parameters) (seq_at block.(transactions) x) x)
    (fun checked x =>
      (x <? seq_length block.(transactions)) &&
      phase_shape_step_safe checked state.(parameters) (seq_at block.(transactions) x) x)
    (range 0 (seq_length block.(transactions)))
    (Ok tt).

(** When [phase_position_step] does not panic. *)
Definition phase_position_step_safe
    (checked : Result unit Rejection)
    (state : ValidatorState)
    (tx : Transaction)
    (x : usize) : bool :=
  match checked with
  | Err rejection => true
  | Ok tt => check_positions_safe state tx x
  end.

(** When [phase_position] does not panic. *)
Definition phase_position_safe (state : ValidatorState) (block : Block) : bool :=
  loop_safe
    (fun checked x => phase_position_step checked state (seq_at block.(transactions) x) x)
    (fun checked x =>
      (x <? seq_length block.(transactions)) &&
      phase_position_step_safe checked state (seq_at block.(transactions) x) x)
    (range 0 (seq_length block.(transactions)))
    (Ok tt).

(** When [phase_openings_step] does not panic. *)
Definition phase_openings_step_safe
    (checked : Result unit Rejection)
    (setup : Setup)
    (state : ValidatorState)
    (tx : Transaction)
    (x : usize) : bool :=
  match checked with
  | Err rejection => true
  | Ok tt => check_openings_safe setup state tx x
  end.

(** When [phase_openings] does not panic. *)
Definition phase_openings_safe (setup : Setup) (state : ValidatorState) (block : Block) : bool :=
  loop_safe
    (fun checked x => phase_openings_step checked setup state (seq_at block.(transactions) x) x)
    (fun checked x =>
      (x <? seq_length block.(transactions)) &&
      phase_openings_step_safe checked setup state (seq_at block.(transactions) x) x)
    (range 0 (seq_length block.(transactions)))
    (Ok tt).

(** When [least_size_of_operation] does not panic. *)
Definition least_size_of_operation_safe (s : usize) (operation : Operation) : bool :=
  if is_delete operation.(action) && (0 <? s) then 1 <=? s else true.

(** When [least_size_of_transaction] does not panic. *)
Definition least_size_of_transaction_safe (s : usize) (tx : Transaction) : bool :=
  loop_safe
    (fun least j => least_size_of_operation least (seq_at tx.(operations) j))
    (fun least j =>
      (j <? seq_length tx.(operations)) && least_size_of_operation_safe least (seq_at tx.(operations) j))
    (range 0 (seq_length tx.(operations)))
    s.

(** When [least_size] does not panic. *)
Definition least_size_safe (s : usize) (block : Block) : bool :=
  loop_safe
    (fun least x => least_size_of_transaction least (seq_at block.(transactions) x))
    (fun least x =>
      (x <? seq_length block.(transactions)) &&
      least_size_of_transaction_safe least (seq_at block.(transactions) x))
    (range 0 (seq_length block.(transactions)))
    s.

(** When [phase_tail_number] does not panic. *)
Definition phase_tail_number_safe (state : ValidatorState) (block : Block) : bool :=
  let n := state.(parameters).(vector_size) in
  negb (n =? 0) &&
  (least_size_safe state.(size) block &&
    tail_needed_safe state.(tail_start) (least_size state.(size) block) n).

(** When [phase_tail] does not panic. *)
Definition phase_tail_safe (setup : Setup) (state : ValidatorState) (block : Block) : bool :=
  phase_tail_number_safe state block &&
  (match phase_tail_number state block with
    | Ok _ =>
        check_tail_vectors_safe
          setup
          state.(parameters)
          state.(commitments)
          state.(tail_start)
          block.(tail_vectors)
    | Err _ => true
    end).

(** When [phase_tail_count] does not panic. *)
Definition phase_tail_count_safe (state : ValidatorState) (block : Block) (s : usize) : bool :=
  tail_needed_safe state.(tail_start) s state.(parameters).(vector_size).

(** When [change_view] does not panic. *)
Definition change_view_safe (before : Array) (net : ChangeMap) : bool :=
  apply_changes_safe before net.

(** When [execute_proved] does not panic. *)
Definition execute_proved_safe
    (setup : Setup)
    (state : ValidatorState)
    (block : Block)
    (ids : Seq ByteString) : bool :=
  phase_tail_safe setup state block &&
  (match phase_tail setup state block with
    | Ok _ =>
        resolve_block_safe state block &&
        (match resolve_block state block with
          | Ok contents =>
              run_block_safe block contents &&
              (match run_block block contents with
                | Ok changes =>
                    net_changes_safe changes &&
                    (let net := net_changes changes in
                      size_after_safe state.(size) net &&
                      phase_tail_count_safe state block (size_after state.(size) net) &&
                      (match phase_tail_count state block (size_after state.(size) net) with
                        | Ok _ =>
                            block_view_safe state block &&
                            (let known := block_view state block in
                              change_view_safe {| array_size := state.(size); array_slots := known |} net)
                        | Err _ => true
                        end))
                | Err _ => true
                end)
          | Err _ => true
          end)
    | Err _ => true
    end).

(** When [execute_block] does not panic. *)
Definition execute_block_safe (setup : Setup) (state : ValidatorState) (block : Block) : bool :=
  phase_size_safe state block &&
  (match phase_size state block with
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
                                  phase_openings_safe setup state block &&
                                  (match phase_openings setup state block with
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

End Specification.
