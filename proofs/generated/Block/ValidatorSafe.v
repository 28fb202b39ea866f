(* Translated from spec/src/block/validator.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Block.Validator Base.BytesSafe Commitment.SchemeSafe Dictionary.SlotMapSafe
  Dictionary.ArraySafe Dictionary.ChangesSafe Dictionary.WritesSafe Dictionary.VectorsSafe
  Dictionary.WindowSafe Block.TailSafe Block.TransactionSafe Block.StateSafe Block.BlockDataSafe
  Block.ChecksSafe Block.ExecutionSafe Block.PhasesSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [check_transaction] does not panic. *)
Definition check_transaction_safe (setup : Setup) (state : ValidatorState) (tx : Transaction) : bool :=
  check_transaction_size_safe state.(parameters) tx 0 &&
  (match check_transaction_size state.(parameters) tx 0 with
    | Ok _ =>
        within_usize (state.(version) + 1) &&
        (match check_interval state.(parameters) tx (state.(version) + 1) 0 with
          | Ok _ =>
              id_of_transaction_safe state.(dictionary_id) tx &&
              (let ids := [] ++ [id_of_transaction state.(dictionary_id) tx] in
                check_replay_safe state ids 0 &&
                (match check_replay state ids 0 with
                  | Ok _ =>
                      check_shape_safe state.(parameters) tx 0 &&
                      (match check_shape state.(parameters) tx 0 with
                        | Ok _ =>
                            check_positions_safe state tx 0 &&
                            (match check_positions state tx 0 with
                              | Ok _ =>
                                  check_openings_safe setup state tx 0 &&
                                  (match check_openings setup state tx 0 with
                                    | Ok _ => resolve_transaction_safe state tx 0
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

(** When [replay_entries] does not panic. *)
Definition replay_entries_safe
    (old : Seq ReplayEntry)
    (ids : Seq ByteString)
    (items : Seq Transaction) : bool :=
  loop_safe
    (fun entries x => replay_entries_step entries (seq_at ids x) (seq_at items x))
    (fun entries x => (x <? seq_length ids) && (x <? seq_length items))
    (range 0 (seq_length items))
    old.

(** When [advance] does not panic. *)
Definition advance_safe
    (setup : Setup)
    (state : ValidatorState)
    (before : SlotMap)
    (after : Array)
    (writes : Seq Write)
    (remembered : Seq ReplayEntry) : bool :=
  let n := state.(parameters).(vector_size) in
  let s := after.(array_size) in
  tail_start_after_safe state.(tail_start) s n &&
  (let start := tail_start_after state.(tail_start) s n in
    match slots_from after.(array_slots) start s with
    | Some new_tail =>
        previous_commitments_safe state.(commitments) n writes &&
        (let record :=
            {| record_writes := writes;
              record_size := state.(size);
              record_commitments := previous_commitments state.(commitments) n writes |}
          in
          within_usize (state.(version) + 1) &&
          updated_commitments_safe setup n state.(commitments) before writes s &&
          slide_safe state.(window) state.(parameters).(window_length) record &&
          (within_usize (state.(version) + 1) && replay_set_at_safe remembered (state.(version) + 1)))
    | None => true
    end).

(** When [advance_or_reject] does not panic. *)
Definition advance_or_reject_safe
    (setup : Setup)
    (state : ValidatorState)
    (execution : Execution)
    (writes : Seq Write)
    (remembered : Seq ReplayEntry) : bool :=
  advance_safe setup state execution.(execution_before) execution.(execution_after) writes remembered.

(** When [apply_executed] does not panic. *)
Definition apply_executed_safe
    (setup : Setup)
    (state : ValidatorState)
    (execution : Execution)
    (items : Seq Transaction) : bool :=
  writes_between_safe execution.(execution_before) execution.(execution_after).(array_slots) &&
  (let writes := writes_between execution.(execution_before) execution.(execution_after).(array_slots) in
    replay_entries_safe state.(replay_set) execution.(execution_ids) items &&
    (let remembered := replay_entries state.(replay_set) execution.(execution_ids) items in
      advance_or_reject_safe setup state execution writes remembered)).

(** When [apply_block] does not panic. *)
Definition apply_block_safe (setup : Setup) (state : ValidatorState) (block : Block) : bool :=
  execute_block_safe setup state block &&
  (match execute_block setup state block with
    | Ok execution => apply_executed_safe setup state execution block.(transactions)
    | Err _ => true
    end).

(** When [array_after] does not panic. *)
Definition array_after_safe (array : Array) (writes : Seq Write) (new_size : usize) : bool :=
  lay_writes_safe array.(array_slots) writes.

End Specification.
