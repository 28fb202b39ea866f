(* Translated from spec/src/block/state.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** What a validator holds: no keys and values but those of the window's writes and of the tail. *)
From AardvarkSpec Require Export Prelude Base.Bytes Base.Group Commitment.Scheme Dictionary.Slot
  Dictionary.Array Dictionary.Genesis Dictionary.Vectors Dictionary.Window Block.Tail.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** A transaction that was applied, and could be applied again were it not remembered. *)
Record ReplayEntry : Type := {
  (** The transaction's id. *)
  replay_id : ByteString;
  (** The last version whose block may hold the transaction. *)
  replay_last_valid : usize;
}.

#[global] Instance Default_ReplayEntry : Default ReplayEntry := {| replay_id := default; replay_last_valid := default |}.

(** The state of a validator at a version. *)
Record ValidatorState : Type := {
  (** The dictionary's parameters. *)
  parameters : Parameters;
  (** The dictionary's id. *)
  dictionary_id : ByteString;
  (** t, the version. *)
  version : usize;
  (** s, the number of slots. *)
  size : usize;
  (** The commitments of the vectors. *)
  commitments : Seq G1;
  (** The records of the W latest versions. *)
  window : Window;
  (** The first position of the tail, a multiple of N. *)
  tail_start : usize;
  (** The slots at the positions from `tail_start` to the end. *)
  tail : Seq Slot;
  (** The transactions that could be applied again, in the order in which they were applied. *)
  replay_set : Seq ReplayEntry;
}.

#[global] Instance Default_ValidatorState : Default ValidatorState := {| parameters := default; dictionary_id := default; version := default; size := default; commitments := default; window := default; tail_start := default; tail := default; replay_set := default |}.

(** The tail of a whole array; empty should a slot be missing, which a whole array's is not. *)
Definition whole_tail (array : Array) (start : usize) : Seq Slot :=
  match slots_from array.(array_slots) start array.(array_size) with
  | Some items => items
  | None => []
  end.

(** The state at version 0. *)
Definition genesis_state (setup : Setup) (genesis : Genesis) : ValidatorState :=
  let array := genesis_array genesis.(genesis_entries) in
  let n := genesis.(genesis_parameters).(vector_size) in
  let start := tail_floor array.(array_size) n in
  {| parameters := genesis.(genesis_parameters);
    dictionary_id := id_of_dictionary genesis;
    version := 0;
    size := array.(array_size);
    commitments := array_commitments setup n array;
    window := [];
    tail_start := start;
    tail := whole_tail array start;
    replay_set := [] |}.

(** One step of [`is_replayed`]. *)
Definition is_replayed_step (found : bool) (entry : ReplayEntry) (id : ByteString) : bool :=
  found || bytes_equal entry.(replay_id) id.

(** Whether the id is in the replay set. *)
Definition is_replayed (entries : Seq ReplayEntry) (id : ByteString) : bool :=
  fold_left
    (fun found i => is_replayed_step found (seq_at entries i) id)
    (range 0 (seq_length entries))
    false.

(** One step of [`replay_set_at`]. *)
Definition replay_set_at_step
    (lasting : Seq ReplayEntry)
    (entry : ReplayEntry)
    (b : usize) : Seq ReplayEntry :=
  if entry.(replay_last_valid) <? b then lasting else lasting ++ [entry].

(** The entries that are still needed at version `b`: those whose last version is not past. *)
Definition replay_set_at (entries : Seq ReplayEntry) (b : usize) : Seq ReplayEntry :=
  fold_left
    (fun lasting i => replay_set_at_step lasting (seq_at entries i) b)
    (range 0 (seq_length entries))
    [].

End Specification.
