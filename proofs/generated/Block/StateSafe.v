(* Translated from spec/src/block/state.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Block.State Base.BytesSafe Base.GroupSafe Commitment.SchemeSafe
  Dictionary.SlotSafe Dictionary.ArraySafe Dictionary.GenesisSafe Dictionary.VectorsSafe Dictionary.WindowSafe
  Block.TailSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [genesis_state] does not panic. *)
Definition genesis_state_safe (setup : Setup) (genesis : Genesis) : bool :=
  genesis_array_safe genesis.(genesis_entries) &&
  (let array := genesis_array genesis.(genesis_entries) in
    let n := genesis.(genesis_parameters).(vector_size) in
    tail_floor_safe array.(array_size) n &&
    (id_of_dictionary_safe genesis && array_commitments_safe setup n array)).

(** When [is_replayed_step] does not panic. *)
Definition is_replayed_step_safe (found : bool) (entry : ReplayEntry) (id : ByteString) : bool :=
  if found then true else bytes_equal_safe entry.(replay_id) id.

(** When [is_replayed] does not panic. *)
Definition is_replayed_safe (entries : Seq ReplayEntry) (id : ByteString) : bool :=
  loop_safe
    (fun found i => is_replayed_step found (seq_at entries i) id)
    (fun found i => (i <? seq_length entries) && is_replayed_step_safe found (seq_at entries i) id)
    (range 0 (seq_length entries))
    false.

(** When [replay_set_at] does not panic. *)
Definition replay_set_at_safe (entries : Seq ReplayEntry) (b : usize) : bool :=
  loop_safe
    (fun lasting i => replay_set_at_step lasting (seq_at entries i) b)
    (fun lasting i => i <? seq_length entries)
    (range 0 (seq_length entries))
    [].

End Specification.
