(** Theorems for auditors: the state root binds the state, and a path ties a commitment to it.

    To understand a statement of this file you need this file, the generated definitions, and two functions that list what is
    hashed: [root_inputs] (Spec/Commitment/CommitmentTree.v), all that is hashed for a root over commitments, and [path_inputs]
    (Lemmas/CommitmentPath.v), all that is hashed to follow a path; for the last two theorems also [received] and [in_memory]
    (Safety/ReachableSafe.v), [hashed_of] and [countable] (Lemmas/ReachableRoot.v). Nothing is assumed of the hash but the
    length of its digests: where a conclusion fails, a search among what the two sides hash returns a collision of SHA-256.

    - [find_collision_sound]: what the search returns is a collision.
    - [equal_roots_equal_states]: two states with one root are the same, or the search returns a collision.
    - [root_of_parts_binds]: parts that hash to the root of a state are that state's, or likewise.
    - [commitment_path_sound]: a path from a leaf to the root of a state's commitments starts at the state's commitment of
      that vector, or likewise.
    - [commitment_path_complete]: an honest archive's path does lead to the root.
    - [received_state_fits]: what is hashed of a state that a machine reaches is what the theorems above ask for.
    - [equal_roots_equal_received_states]: so two such states with one root are the same in all that is hashed, or likewise.
    - [arrival_order_decides_nothing], [hashed_replay_set_ascends]: the replay set is hashed in one order, however it came about. *)
From Coq Require Import NArith List Bool Permutation Sorted.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Hash Dictionary.Slot Dictionary.Writes
  Dictionary.Genesis Dictionary.Window Commitment.Scheme Commitment.CommitmentTree Block.State Block.Root.
From Aardvark Require Spec.Block.Root.
From Aardvark Require Import Lemmas.Field.
From Aardvark Require Spec.Commitment.Scheme.
From Aardvark Require Import Spec.Commitment.CommitmentTree Lemmas.CommitmentPath Lemmas.History.
From Aardvark Require Safety.ReachableSafe Lemmas.ReachableRoot Lemmas.ReplayOrder.
Import ListNotations.
Local Open Scope bool_scope.
Local Open Scope N_scope.

(** ** What a state is when a decoder has let it in: lengths and numbers that the encodings can hold *)

Definition fits_list {A : Type} (fits : A -> Prop) (l : list A) : Prop := seq_length l < 2 ^ 64 /\ Forall fits l.
Definition fits_slot (x : Slot) : Prop :=
  seq_length (key x) < 2 ^ 8 /\ seq_length (next x) < 2 ^ 8 /\ seq_length (value x) < 2 ^ 16.
Definition fits_content (content : option Slot) : Prop := match content with None => True | Some x => fits_slot x end.
Definition fits_write (w : Write) : Prop := write_position w < 2 ^ 64 /\ fits_content (write_content w).
Definition fits_previous (c : HashedPrevious) : Prop :=
  hashed_previous_vector c < 2 ^ 64 /\
  match hashed_previous_commitment c with None => True | Some bytes => seq_length bytes = 48 end.
Definition fits_entry (e : ReplayEntry) : Prop := seq_length (replay_id e) = 32 /\ replay_last_valid e < 2 ^ 64.
Definition fits_record (r : HashedRecord) : Prop :=
  hashed_record_version r < 2 ^ 64 /\ hashed_record_size r < 2 ^ 64 /\
  fits_list fits_write (hashed_record_writes r) /\ fits_list fits_previous (hashed_record_commitments r).
Definition fits_parts (p : RootParts) : Prop :=
  seq_length (parts_dictionary p) = 32 /\ parts_version p < 2 ^ 64 /\ parts_size p < 2 ^ 64 /\
  parts_tail_start p < 2 ^ 64 /\ seq_length (parts_commitment_root p) = 32 /\ seq_length (parts_tail_digest p) = 32 /\
  seq_length (parts_replay_digest p) = 32 /\ seq_length (parts_window_digest p) = 32.

(** The same of a state, which has as many commitments, of 48 bytes each, as vectors of [n] slots are needed for its slots. *)
Definition fits_state (n : N) (s : HashedState) : Prop :=
  seq_length (hashed_dictionary s) = 32 /\ hashed_version s < 2 ^ 64 /\ hashed_size s < 2 ^ 64 /\ hashed_tail_start s < 2 ^ 64 /\
  fits_list (fun c => seq_length c = 48) (hashed_commitments s) /\ hashed_commitments s <> [] /\
  seq_length (hashed_commitments s) = (hashed_size s + n - 1) / n /\
  fits_list fits_slot (hashed_tail s) /\ fits_list fits_entry (hashed_replay_set s) /\ fits_list fits_record (hashed_window s).

Section Roots.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** A digest has 32 bytes. *)
Hypothesis digest_length : forall tag x, seq_length (tagged_hash tag x) = 32.

(** ** Collisions *)

(** An input of the tagged hash: the tag and the string. SHA-256 is given the tag with its length, then the string. *)
Definition Input : Type := ByteString * ByteString.

(** Two inputs that SHA-256 tells apart, with one digest. *)
Definition collision (pair : Input * Input) : Prop :=
  bytes8 (fst (fst pair)) ++ snd (fst pair) <> bytes8 (fst (snd pair)) ++ snd (snd pair) /\
  tagged_hash (fst (fst pair)) (snd (fst pair)) = tagged_hash (fst (snd pair)) (snd (snd pair)).
Definition is_collision (pair : Input * Input) : bool :=
  bytes_equal (tagged_hash (fst (fst pair)) (snd (fst pair))) (tagged_hash (fst (snd pair)) (snd (snd pair))) &&
  negb (bytes_equal (bytes8 (fst (fst pair)) ++ snd (fst pair)) (bytes8 (fst (snd pair)) ++ snd (snd pair))).

(** The first collision between two lists of inputs. *)
Definition find_collision (ps qs : list Input) : option (Input * Input) := find is_collision (list_prod ps qs).

(** All that is hashed for a state's root. *)
Definition state_inputs (s : HashedState) : list Input :=
  (tag_state, parts_bytes (parts_of_state s)) :: (tag_tail, tail_bytes (hashed_tail s)) ::
  (tag_replay, replay_bytes (hashed_replay_set s)) :: (tag_window, window_bytes (hashed_window s)) ::
  map (fun r => (tag_record, record_bytes r)) (hashed_window s) ++ root_inputs (hashed_commitments s).

(** What the search returns is a collision of SHA-256. *)
Theorem find_collision_sound : forall ps qs pair, find_collision ps qs = Some pair -> collision pair.
Proof. exact Aardvark.Spec.Block.Root.find_collision_sound. Qed.

(** ** One state *)

(** Equal roots, equal states, or here is a collision. *)
Theorem equal_roots_equal_states : forall n s s', fits_state n s -> fits_state n s' -> state_root s = state_root s' ->
  s = s' \/ exists pair, find_collision (state_inputs s) (state_inputs s') = Some pair /\ collision pair.
Proof. exact (Aardvark.Spec.Block.Root.equal_roots_equal_states digest_length). Qed.

(** What a light client is told of a state, and hashes to a root that it trusts, is so. *)
Theorem root_of_parts_binds : forall n s parts, fits_state n s -> fits_parts parts -> root_of_parts parts = state_root s ->
  parts = parts_of_state s \/
  exists pair, find_collision [(tag_state, parts_bytes parts)] (state_inputs s) = Some pair /\ collision pair.
Proof. exact (Aardvark.Spec.Block.Root.root_of_parts_binds digest_length). Qed.

(** A path ties one commitment to the root. *)
Theorem commitment_path_sound : forall n s vector commitment path, fits_state n s ->
  root_of_path (seq_length (hashed_commitments s)) vector commitment path = Some (commitment_root (hashed_commitments s)) ->
  (vector < seq_length (hashed_commitments s) /\ commitment = seq_at (hashed_commitments s) vector) \/
  exists pair, find_collision (path_inputs (seq_length (hashed_commitments s)) vector commitment path) (state_inputs s) = Some pair
    /\ collision pair.
Proof. exact (Aardvark.Spec.Block.Root.commitment_path_sound digest_length). Qed.

(** The path that an honest archive finds leads to the root. *)
Theorem commitment_path_complete : forall n s vector, fits_state n s -> vector < seq_length (hashed_commitments s) ->
  root_of_path (seq_length (hashed_commitments s)) vector (seq_at (hashed_commitments s) vector)
    (commitment_path (hashed_commitments s) vector) = Some (commitment_root (hashed_commitments s)).
Proof. exact Aardvark.Spec.Block.Root.commitment_path_complete. Qed.

(** ** What a machine reaches *)

(** Two machines whose replay sets have the same entries, in whatever order these arrived, hash the same list. *)
Theorem arrival_order_decides_nothing : forall entries entries',
  Permutation entries entries' -> sorted_replay_set entries = sorted_replay_set entries'.
Proof. exact Aardvark.Lemmas.ReplayOrder.sorted_replay_permuted. Qed.

(** In it no entry stands before its left neighbour. *)
Theorem hashed_replay_set_ascends : forall entries,
  Sorted (fun left right => replay_before right left = false) (sorted_replay_set entries).
Proof. exact Aardvark.Lemmas.ReplayOrder.sorted_replay_ascends. Qed.

Context {lawful : LawfulScalars F} {root : PrimitiveRoot scalar_given}.

(** A commitment's encoding, 48 bytes, which tells commitments apart: a matter of the curve. *)
Variable encode_commitment : G1 -> ByteString.
Hypothesis encoded_length : forall c, seq_length (encode_commitment c) = 48.
Hypothesis encoded_apart : forall c d, encode_commitment c = encode_commitment d -> c = d.

(** What is hashed of a state that plain blocks, aggregated ones and imports lead to, in any order, fits. *)
Theorem received_state_fits : forall setup genesis h state,
  Aardvark.Spec.Commitment.Scheme.well_made setup -> genesis_legal genesis = true ->
  setup_vector_size setup = vector_size (genesis_parameters genesis) ->
  Aardvark.Safety.ReachableSafe.received setup genesis h state -> Aardvark.Safety.ReachableSafe.in_memory h ->
  Aardvark.Lemmas.ReachableRoot.countable state ->
  fits_state (vector_size (parameters state)) (Aardvark.Lemmas.ReachableRoot.hashed_of encode_commitment state).
Proof.
  intros setup genesis h state made legal sized received memory few.
  exact (Aardvark.Lemmas.ReachableRoot.received_state_fits encode_commitment encoded_length digest_length setup genesis
    made legal sized h state received memory few).
Qed.

(** Two machines, of whatever dictionaries with vectors of one size, that came to their states by whatever blocks of both
    forms and imports: if their roots are equal, so is all that is hashed of the states; or here is a collision. *)
Theorem equal_roots_equal_received_states : forall setup genesis h state setup' genesis' h' state',
  let hashed_of := Aardvark.Lemmas.ReachableRoot.hashed_of encode_commitment in
  Aardvark.Spec.Commitment.Scheme.well_made setup -> genesis_legal genesis = true ->
  setup_vector_size setup = vector_size (genesis_parameters genesis) ->
  Aardvark.Spec.Commitment.Scheme.well_made setup' -> genesis_legal genesis' = true ->
  setup_vector_size setup' = vector_size (genesis_parameters genesis') ->
  Aardvark.Safety.ReachableSafe.received setup genesis h state -> Aardvark.Safety.ReachableSafe.in_memory h ->
  Aardvark.Lemmas.ReachableRoot.countable state ->
  Aardvark.Safety.ReachableSafe.received setup' genesis' h' state' -> Aardvark.Safety.ReachableSafe.in_memory h' ->
  Aardvark.Lemmas.ReachableRoot.countable state' ->
  vector_size (parameters state) = vector_size (parameters state') ->
  state_root (hashed_of state) = state_root (hashed_of state') ->
  (dictionary_id state = dictionary_id state' /\ version state = version state' /\ size state = size state' /\
   commitments state = commitments state' /\ tail_start state = tail_start state' /\ tail state = tail state' /\
   sorted_replay_set (replay_set state) = sorted_replay_set (replay_set state') /\ window state = window state') \/
  exists pair, find_collision (state_inputs (hashed_of state)) (state_inputs (hashed_of state')) = Some pair /\ collision pair.
Proof.
  exact (Aardvark.Lemmas.ReachableRoot.equal_roots_equal_received_states encode_commitment encoded_length encoded_apart
    digest_length).
Qed.

End Roots.
