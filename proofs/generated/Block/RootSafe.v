(* Translated from spec/src/block/root.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Block.Root Base.BytesSafe Commitment.CommitmentTreeSafe Dictionary.SlotSafe
  Dictionary.WritesSafe Block.StateSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [writes_bytes] does not panic. *)
Definition writes_bytes_safe (writes : Seq Write) : bool :=
  loop_safe
    (fun encoded i => writes_bytes_step encoded (seq_at writes i))
    (fun encoded i => i <? seq_length writes)
    (range 0 (seq_length writes))
    (u64_bytes (seq_length writes)).

(** When [all_previous_bytes] does not panic. *)
Definition all_previous_bytes_safe (all_previous : Seq HashedPrevious) : bool :=
  loop_safe
    (fun encoded i => all_previous_bytes_step encoded (seq_at all_previous i))
    (fun encoded i => i <? seq_length all_previous)
    (range 0 (seq_length all_previous))
    (u64_bytes (seq_length all_previous)).

(** When [record_bytes] does not panic. *)
Definition record_bytes_safe (record : HashedRecord) : bool :=
  writes_bytes_safe record.(hashed_record_writes) &&
  all_previous_bytes_safe record.(hashed_record_commitments).

(** When [record_digest] does not panic. *)
Definition record_digest_safe (record : HashedRecord) : bool :=
  record_bytes_safe record.

(** When [window_bytes_step] does not panic. *)
Definition window_bytes_step_safe (encoded : ByteString) (record : HashedRecord) : bool :=
  record_digest_safe record.

(** When [window_bytes] does not panic. *)
Definition window_bytes_safe (records : Seq HashedRecord) : bool :=
  loop_safe
    (fun encoded i => window_bytes_step encoded (seq_at records i))
    (fun encoded i => (i <? seq_length records) && window_bytes_step_safe encoded (seq_at records i))
    (range 0 (seq_length records))
    (u64_bytes (seq_length records)).

(** When [window_digest] does not panic. *)
Definition window_digest_safe (records : Seq HashedRecord) : bool :=
  window_bytes_safe records.

(** When [tail_bytes] does not panic. *)
Definition tail_bytes_safe (slots_of_tail : Seq Slot) : bool :=
  loop_safe
    (fun encoded i => tail_bytes_step encoded (seq_at slots_of_tail i))
    (fun encoded i => i <? seq_length slots_of_tail)
    (range 0 (seq_length slots_of_tail))
    (u64_bytes (seq_length slots_of_tail)).

(** When [tail_digest] does not panic. *)
Definition tail_digest_safe (slots_of_tail : Seq Slot) : bool :=
  tail_bytes_safe slots_of_tail.

(** When [replay_before] does not panic. *)
Definition replay_before_safe (a b : ReplayEntry) : bool :=
  if a.(replay_last_valid) <? b.(replay_last_valid) then
    true
  else if a.(replay_last_valid) =? b.(replay_last_valid) then
    bytes_less_safe a.(replay_id) b.(replay_id)
  else
    true.

(** When [insert_replay_step] does not panic. *)
Definition insert_replay_step_safe (insertion : ReplayInsertion) (entry other : ReplayEntry) : bool :=
  if negb insertion.(insertion_done) then replay_before_safe entry other else true.

(** When [insert_replay] does not panic. *)
Definition insert_replay_safe (sorted : Seq ReplayEntry) (entry : ReplayEntry) : bool :=
  loop_safe
    (fun insertion i => insert_replay_step insertion entry (seq_at sorted i))
    (fun insertion i => (i <? seq_length sorted) && insert_replay_step_safe insertion entry (seq_at sorted i))
    (range 0 (seq_length sorted))
    {| insertion_list := []; insertion_done := false |}.

(** When [sorted_replay_set_step] does not panic. *)
Definition sorted_replay_set_step_safe (sorted : Seq ReplayEntry) (entry : ReplayEntry) : bool :=
  insert_replay_safe sorted entry.

(** When [sorted_replay_set] does not panic. *)
Definition sorted_replay_set_safe (entries : Seq ReplayEntry) : bool :=
  loop_safe
    (fun sorted i => sorted_replay_set_step sorted (seq_at entries i))
    (fun sorted i => (i <? seq_length entries) && sorted_replay_set_step_safe sorted (seq_at entries i))
    (range 0 (seq_length entries))
    [].

(** When [replay_bytes] does not panic. *)
Definition replay_bytes_safe (entries : Seq ReplayEntry) : bool :=
  loop_safe
    (fun encoded i => replay_bytes_step encoded (seq_at entries i))
    (fun encoded i => i <? seq_length entries)
    (range 0 (seq_length entries))
    (u64_bytes (seq_length entries)).

(** When [replay_digest] does not panic. *)
Definition replay_digest_safe (entries : Seq ReplayEntry) : bool :=
  replay_bytes_safe entries.

(** When [parts_of_state] does not panic. *)
Definition parts_of_state_safe (state : HashedState) : bool :=
  commitment_root_safe state.(hashed_commitments) && tail_digest_safe state.(hashed_tail) &&
  replay_digest_safe state.(hashed_replay_set) &&
  window_digest_safe state.(hashed_window).

(** When [state_root] does not panic. *)
Definition state_root_safe (state : HashedState) : bool :=
  parts_of_state_safe state.

End Specification.
