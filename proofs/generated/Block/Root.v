(* Translated from spec/src/block/root.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** The state root: one digest over all that the validity of the next blocks depends on.

    A node that joins by a snapshot believes nothing of it but what hashes to the root that
    consensus gave it. So the root covers the replay set, the tail, and of each version in the
    window the writes, the number of slots **and the previous commitments**: old commitments cannot
    be derived from new ones, and a joiner that did not check them would accept claims against
    forged ones. Commitments stand in an RFC 6962 tree, so that a path of digests ties one of them
    to the root, and a light client holds one root instead of all commitments.

    ```text
    state_root -> id, version, s, tail_start
               -> commitment_root -> C_0 .. C_{ceil(s/N)-1}      (RFC 6962: a path proves one)
               -> tail_digest, replay_digest
               -> window_digest -> record_digest, one a version: writes, s before, previous commitments
    ```

    The encodings of points are a matter of the curve, so commitments are byte strings of 48 bytes
    here, as in [`crate::commitment::challenge`]. Source: docs/format.md, "The state root". *)
From AardvarkSpec Require Export Prelude Base.Bytes Base.Hash Commitment.CommitmentTree Dictionary.Slot
  Dictionary.Writes Block.State.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** The encoded commitment of a vector before a version. *)
Record HashedPrevious : Type := {
  (** The vector. *)
  hashed_previous_vector : usize;
  (** Its commitment, 48 bytes; `None` when the vector did not exist. *)
  hashed_previous_commitment : Option ByteString;
}.

#[global] Instance Default_HashedPrevious : Default HashedPrevious := {| hashed_previous_vector := default; hashed_previous_commitment := default |}.

(** The record of a version, with encoded commitments. *)
Record HashedRecord : Type := {
  (** The version. *)
  hashed_record_version : usize;
  (** The number of slots before the version. *)
  hashed_record_size : usize;
  (** The writes of the version, in ascending order of positions. *)
  hashed_record_writes : Seq Write;
  (** The commitments before the version of the vectors written in it, in ascending order of
      vectors. *)
  hashed_record_commitments : Seq HashedPrevious;
}.

#[global] Instance Default_HashedRecord : Default HashedRecord := {| hashed_record_version := default; hashed_record_size := default; hashed_record_writes := default; hashed_record_commitments := default |}.

(** A validator's state as it is hashed. *)
Record HashedState : Type := {
  (** The dictionary's id, 32 bytes; it binds the parameters and the setup. *)
  hashed_dictionary : ByteString;
  (** t, the version. *)
  hashed_version : usize;
  (** s, the number of slots. *)
  hashed_size : usize;
  (** The first position of the tail. *)
  hashed_tail_start : usize;
  (** The commitments of the vectors, 48 bytes each. *)
  hashed_commitments : Seq ByteString;
  (** The slots of the tail. *)
  hashed_tail : Seq Slot;
  (** The replay set, as [`sorted_replay_set`] orders it. *)
  hashed_replay_set : Seq ReplayEntry;
  (** The records of the window, oldest first. *)
  hashed_window : Seq HashedRecord;
}.

#[global] Instance Default_HashedState : Default HashedState := {| hashed_dictionary := default; hashed_version := default; hashed_size := default; hashed_tail_start := default; hashed_commitments := default; hashed_tail := default; hashed_replay_set := default; hashed_window := default |}.

(** The tag of state roots. *)
Definition tag_state : ByteString :=
  [65; 65; 82; 68; 86; 65; 82; 75; 45; 86; 49; 45; 83; 84; 65; 84; 69].

(** The tag of the tail's digest. *)
Definition tag_tail : ByteString :=
  [65; 65; 82; 68; 86; 65; 82; 75; 45; 86; 49; 45; 84; 65; 73; 76].

(** The tag of the replay set's digest. *)
Definition tag_replay : ByteString :=
  [65; 65; 82; 68; 86; 65; 82; 75; 45; 86; 49; 45; 82; 69; 80; 76; 65; 89].

(** The tag of the window's digest. *)
Definition tag_window : ByteString :=
  [65; 65; 82; 68; 86; 65; 82; 75; 45; 86; 49; 45; 87; 73; 78; 68; 79; 87].

(** The tag of the digest of a version's record. *)
Definition tag_record : ByteString :=
  [65; 65; 82; 68; 86; 65; 82; 75; 45; 86; 49; 45; 82; 69; 67; 79; 82; 68].

(** `u8 0`, or `u8 1 || slot_bytes`. *)
Definition content_bytes (content : Option Slot) : ByteString :=
  match content with
  | None => u8_bytes 0
  | Some slot => u8_bytes 1 ++ slot_bytes slot
  end.

(** `u64 position || content`. *)
Definition write_bytes (write : Write) : ByteString :=
  u64_bytes write.(write_position) ++ content_bytes write.(write_content).

(** One step of [`writes_bytes`]. *)
Definition writes_bytes_step (encoded : ByteString) (write : Write) : ByteString :=
  encoded ++ write_bytes write.

(** `u64 number || write*`. *)
Definition writes_bytes (writes : Seq Write) : ByteString :=
  fold_left
    (fun encoded i => writes_bytes_step encoded (seq_at writes i))
    (range 0 (seq_length writes))
    (u64_bytes (seq_length writes)).

(** `u64 vector`, then `u8 0`, or `u8 1 || commitment`. *)
Definition previous_bytes (previous : HashedPrevious) : ByteString :=
  match previous.(hashed_previous_commitment) with
  | None => u64_bytes previous.(hashed_previous_vector) ++ u8_bytes 0
  | Some commitment => u64_bytes previous.(hashed_previous_vector) ++ u8_bytes 1 ++ commitment
  end.

(** One step of [`all_previous_bytes`]. *)
Definition all_previous_bytes_step (encoded : ByteString) (previous : HashedPrevious) : ByteString :=
  encoded ++ previous_bytes previous.

(** `u64 number || previous*`. *)
Definition all_previous_bytes (all_previous : Seq HashedPrevious) : ByteString :=
  fold_left
    (fun encoded i => all_previous_bytes_step encoded (seq_at all_previous i))
    (range 0 (seq_length all_previous))
    (u64_bytes (seq_length all_previous)).

(** What the digest of a record is over. *)
Definition record_bytes (record : HashedRecord) : ByteString :=
  u64_bytes record.(hashed_record_version) ++
  u64_bytes record.(hashed_record_size) ++
  writes_bytes record.(hashed_record_writes) ++
  all_previous_bytes record.(hashed_record_commitments).

(** The digest of a record; a node computes it once, when the version is made. *)
Definition record_digest (record : HashedRecord) : ByteString :=
  tagged_hash tag_record (record_bytes record).

(** One step of [`window_bytes`]. *)
Definition window_bytes_step (encoded : ByteString) (record : HashedRecord) : ByteString :=
  encoded ++ record_digest record.

(** `u64 number || record_digest*`. *)
Definition window_bytes (records : Seq HashedRecord) : ByteString :=
  fold_left
    (fun encoded i => window_bytes_step encoded (seq_at records i))
    (range 0 (seq_length records))
    (u64_bytes (seq_length records)).

(** The digest of the window. *)
Definition window_digest (records : Seq HashedRecord) : ByteString :=
  tagged_hash tag_window (window_bytes records).

(** One step of [`tail_bytes`]. *)
Definition tail_bytes_step (encoded : ByteString) (slot : Slot) : ByteString :=
  encoded ++ slot_bytes slot.

(** `u64 number || slot_bytes*`. *)
Definition tail_bytes (slots_of_tail : Seq Slot) : ByteString :=
  fold_left
    (fun encoded i => tail_bytes_step encoded (seq_at slots_of_tail i))
    (range 0 (seq_length slots_of_tail))
    (u64_bytes (seq_length slots_of_tail)).

(** The digest of the tail. *)
Definition tail_digest (slots_of_tail : Seq Slot) : ByteString :=
  tagged_hash tag_tail (tail_bytes slots_of_tail).

(** Whether an entry of the replay set stands before another: by `last_valid`, then by id. *)
Definition replay_before (a b : ReplayEntry) : bool :=
  (a.(replay_last_valid) <? b.(replay_last_valid)) ||
  ((a.(replay_last_valid) =? b.(replay_last_valid)) && bytes_less a.(replay_id) b.(replay_id)).

(** A list into which an entry is put where it belongs. *)
Record ReplayInsertion : Type := {
  (** The list so far. *)
  insertion_list : Seq ReplayEntry;
  (** Whether the entry is in it. *)
  insertion_done : bool;
}.

#[global] Instance Default_ReplayInsertion : Default ReplayInsertion := {| insertion_list := default; insertion_done := default |}.

(** One step of [`insert_replay`]. *)
Definition insert_replay_step (insertion : ReplayInsertion) (entry other : ReplayEntry) : ReplayInsertion :=
  if negb insertion.(insertion_done) && replay_before entry other then
    {| insertion_list := insertion.(insertion_list) ++ [entry] ++ [other]; insertion_done := true |}
  else
    {| insertion_list := insertion.(insertion_list) ++ [other];
      insertion_done := insertion.(insertion_done) |}.

(** A sorted list with one entry more. *)
Definition insert_replay (sorted : Seq ReplayEntry) (entry : ReplayEntry) : Seq ReplayEntry :=
  let insertion :=
    fold_left
      (fun insertion i => insert_replay_step insertion entry (seq_at sorted i))
      (range 0 (seq_length sorted))
      {| insertion_list := []; insertion_done := false |}
  in
  if insertion.(insertion_done) then insertion.(insertion_list) else insertion.(insertion_list) ++ [entry].

(** One step of [`sorted_replay_set`]. *)
Definition sorted_replay_set_step (sorted : Seq ReplayEntry) (entry : ReplayEntry) : Seq ReplayEntry :=
  insert_replay sorted entry.

(** The entries by `last_valid`, then by id: their order of arrival decides nothing, so it is not
    hashed. *)
Definition sorted_replay_set (entries : Seq ReplayEntry) : Seq ReplayEntry :=
  fold_left
    (fun sorted i => sorted_replay_set_step sorted (seq_at entries i))
    (range 0 (seq_length entries))
    [].

(** One step of [`replay_bytes`]. *)
Definition replay_bytes_step (encoded : ByteString) (entry : ReplayEntry) : ByteString :=
  encoded ++ entry.(replay_id) ++ u64_bytes entry.(replay_last_valid).

(** `u64 number || (id (32) || u64 last_valid)*`. *)
Definition replay_bytes (entries : Seq ReplayEntry) : ByteString :=
  fold_left
    (fun encoded i => replay_bytes_step encoded (seq_at entries i))
    (range 0 (seq_length entries))
    (u64_bytes (seq_length entries)).

(** The digest of the replay set. *)
Definition replay_digest (entries : Seq ReplayEntry) : ByteString :=
  tagged_hash tag_replay (replay_bytes entries).

(** What the state root is over: all that a light client needs to see of a state. *)
Record RootParts : Type := {
  (** The dictionary's id, 32 bytes. *)
  parts_dictionary : ByteString;
  (** t, the version. *)
  parts_version : usize;
  (** s, the number of slots, from which the number of vectors follows. *)
  parts_size : usize;
  (** The first position of the tail. *)
  parts_tail_start : usize;
  (** The root over the commitments. *)
  parts_commitment_root : ByteString;
  (** The digest of the tail. *)
  parts_tail_digest : ByteString;
  (** The digest of the replay set. *)
  parts_replay_digest : ByteString;
  (** The digest of the window. *)
  parts_window_digest : ByteString;
}.

#[global] Instance Default_RootParts : Default RootParts := {| parts_dictionary := default; parts_version := default; parts_size := default; parts_tail_start := default; parts_commitment_root := default; parts_tail_digest := default; parts_replay_digest := default; parts_window_digest := default |}.

(** The parts of a state. *)
Definition parts_of_state (state : HashedState) : RootParts :=
  {| parts_dictionary := state.(hashed_dictionary);
    parts_version := state.(hashed_version);
    parts_size := state.(hashed_size);
    parts_tail_start := state.(hashed_tail_start);
    parts_commitment_root := commitment_root state.(hashed_commitments);
    parts_tail_digest := tail_digest state.(hashed_tail);
    parts_replay_digest := replay_digest state.(hashed_replay_set);
    parts_window_digest := window_digest state.(hashed_window) |}.

(** `dictionary (32) || u64 version || u64 size || u64 tail_start || commitment_root ||
    tail_digest || replay_digest || window_digest`. *)
Definition parts_bytes (parts : RootParts) : ByteString :=
  parts.(parts_dictionary) ++
  u64_bytes parts.(parts_version) ++
  u64_bytes parts.(parts_size) ++
  u64_bytes parts.(parts_tail_start) ++
  parts.(parts_commitment_root) ++
  parts.(parts_tail_digest) ++
  parts.(parts_replay_digest) ++
  parts.(parts_window_digest).

(** The root over the parts. *)
Definition root_of_parts (parts : RootParts) : ByteString :=
  tagged_hash tag_state (parts_bytes parts).

(** The state root. *)
Definition state_root (state : HashedState) : ByteString :=
  root_of_parts (parts_of_state state).

End Specification.
