(* Translated from spec/src/block/validator.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** A validator: checks a transaction for a mempool, and applies blocks, whole or not at all. *)
From AardvarkSpec Require Export Prelude Base.Bytes Commitment.Scheme Dictionary.SlotMap Dictionary.Array
  Dictionary.Changes Dictionary.Writes Dictionary.Vectors Dictionary.Window Block.Rejection Block.Tail
  Block.Transaction Block.State Block.BlockData Block.Checks Block.Execution Block.Phases.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** What a block did, for those who store, index or answer. *)
Record Effects : Type := {
  (** The writes, in ascending order of positions. *)
  effect_writes : Seq Write;
  (** The contents before the block of the keys that it names, by transaction and operation. *)
  effect_contents : Seq Contents;
  (** The net changes, in ascending order of keys. *)
  effect_changes : ChangeMap;
  (** The ids of the transactions. *)
  effect_ids : Seq ByteString;
}.

#[global] Instance Default_Effects : Default Effects := {| effect_writes := default; effect_contents := default; effect_changes := default; effect_ids := default |}.

(** Checks one transaction against a state, as phases 1 to 6 and 8 of a block with it alone would:
    what a mempool asks. The answer is the contents of its keys at t. The item of a refusal is in
    transaction 0. *)
Definition check_transaction
    (setup : Setup)
    (state : ValidatorState)
    (tx : Transaction) : Result Contents Rejection :=
  match check_transaction_size state.(parameters) tx 0 with
  | Ok _ =>
      match check_interval state.(parameters) tx (state.(version) + 1) 0 with
      | Ok _ =>
          let ids := [] ++ [id_of_transaction state.(dictionary_id) tx] in
          match check_replay state ids 0 with
          | Ok _ =>
              match check_shape state.(parameters) tx 0 with
              | Ok _ =>
                  match check_positions state tx 0 with
                  | Ok _ =>
                      match check_openings setup state tx 0 with
                      | Ok _ => resolve_transaction state tx 0
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

(** One step of [`replay_entries`]. *)
Definition replay_entries_step
    (entries : Seq ReplayEntry)
    (id : ByteString)
    (tx : Transaction) : Seq ReplayEntry :=
  entries ++ [{| replay_id := id; replay_last_valid := tx.(last_valid) |}].

(** The entries with those of a block's transactions, whose ids are given. *)
Definition replay_entries
    (old : Seq ReplayEntry)
    (ids : Seq ByteString)
    (items : Seq Transaction) : Seq ReplayEntry :=
  fold_left
    (fun entries x => replay_entries_step entries (seq_at ids x) (seq_at items x))
    (range 0 (seq_length items))
    old.

(** The state after one more version: from what was known of the array before and after it, its
    writes, and the transactions to be remembered. `None` when a slot of the new tail is not known. *)
Definition advance
    (setup : Setup)
    (state : ValidatorState)
    (before : SlotMap)
    (after : Array)
    (writes : Seq Write)
    (remembered : Seq ReplayEntry) : Option ValidatorState :=
  let n := state.(parameters).(vector_size) in
  let s := after.(array_size) in
  let start := tail_start_after state.(tail_start) s n in
  match slots_from after.(array_slots) start s with
  | Some new_tail =>
      let record :=
        {| record_writes := writes;
          record_size := state.(size);
          record_commitments := previous_commitments state.(commitments) n writes |}
      in
      Some
        {| parameters := state.(parameters);
          dictionary_id := state.(dictionary_id);
          version := state.(version) + 1;
          size := s;
          commitments := updated_commitments setup n state.(commitments) before writes s;
          window := slide state.(window) state.(parameters).(window_length) record;
          tail_start := start;
          tail := new_tail;
          replay_set := replay_set_at remembered (state.(version) + 1) |}
  | None => None
  end.

(** The state after one more version; should the new tail not be known, which a valid block
    excludes, the block is refused. *)
Definition advance_or_reject
    (setup : Setup)
    (state : ValidatorState)
    (execution : Execution)
    (writes : Seq Write)
    (remembered : Seq ReplayEntry) : Result ValidatorState Rejection :=
  match advance setup state execution.(execution_before) execution.(execution_after) writes remembered with
  | Some advanced => Ok advanced
  | None => Err (reject_block Reason_TailMissing)
  end.

(** The state at the next version after a block that passed all phases, and what the block did. *)
Definition apply_executed
    (setup : Setup)
    (state : ValidatorState)
    (execution : Execution)
    (items : Seq Transaction) : Result (ValidatorState * Effects) Rejection :=
  let writes := writes_between execution.(execution_before) execution.(execution_after).(array_slots) in
  let remembered := replay_entries state.(replay_set) execution.(execution_ids) items in
  match advance_or_reject setup state execution writes remembered with
  | Ok advanced =>
      Ok
        (advanced,
          {| effect_writes := writes;
            effect_contents := execution.(execution_contents);
            effect_changes := execution.(execution_changes);
            effect_ids := execution.(execution_ids) |})
  | Err e' => Err e'
  end.

(** Applies a block: the state at the next version and what the block did, or why it is refused. *)
Definition apply_block
    (setup : Setup)
    (state : ValidatorState)
    (block : Block) : Result (ValidatorState * Effects) Rejection :=
  match execute_block setup state block with
  | Ok execution => apply_executed setup state execution block.(transactions)
  | Err e' => Err e'
  end.

(** The whole array after a version's writes: what an archive stores. *)
Definition array_after (array : Array) (writes : Seq Write) (new_size : usize) : Array :=
  {| array_size := new_size; array_slots := lay_writes array.(array_slots) writes |}.

End Specification.
