(** Theorems for auditors: the specification's entry points never panic.

    To understand a statement of this file you need this file and the generated definitions; for the theorems on archives also
    [received] and [in_memory] (Safety/ReachableSafe.v), what a machine reaches by blocks and imports without a break, with
    their history of whole arrays (Lemmas/History.v). Where a twin `f_safe` is true, the Rust function returns, and what it
    returns is what the theorems about [f] speak of. Blocks, transactions and imports are arbitrary: claims, openings and
    tail vectors may be false, lengths and counts beyond the maxima. The premises say what holds of everything that a machine
    can receive or store: bytes are below 256, an encoding has fewer than 2^64 bytes, a digest fewer than 2^32, and 16 at least
    where challenges are drawn from it, there are fewer than 2^64 versions and 2^62 slots.

    - [genesis_legal_never_panics], [genesis_state_never_panics]: checking a genesis, and starting from a legal one.
    - [validator_never_panics], [mempool_never_panics]: applying a block of either form and checking a transaction, in every
      state that accepted blocks lead to, even after a block that breaks the cryptography; of an aggregated block, under any
      challenges.
    - [drawn_block_never_panics], [apply_drawn_never_panics]: the same of an aggregated block under the challenges that are
      drawn for it, which is what a network's validator applies.
    - [size_by_version], [next_in_memory]: how many slots there can be at a version, so the premise on memory can be met.
    - [apply_block_never_panics], [check_transaction_never_panics]: the same in every state that blocks of both forms and
      imports, without a break, lead to.
    - [apply_import_never_panics], [archive_claims_never_panic], [archive_tail_vectors_never_panic],
      [archive_lookup_never_panics]: an archive on its whole array.
    - [root_of_path_never_panics], [commitment_path_never_panics], [state_root_never_panics]: roots, and paths to them,
      whatever leaf and path a reader is handed. *)
From Coq Require Import NArith List Bool.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Dictionary.Slot Dictionary.Array
  Dictionary.KeyMap Dictionary.Genesis Commitment.Scheme Commitment.CommitmentTree Block.Operation
  Block.Transaction Block.State Block.BlockData Block.Validator Block.AggregatedBlock Block.DrawnBlock
  Block.Import Block.Prover
  Block.Root Dictionary.ArraySafe Dictionary.GenesisSafe Commitment.CommitmentTreeSafe Block.StateSafe
  Block.ValidatorSafe Block.AggregatedBlockSafe Block.DrawnBlockSafe Block.ImportSafe Block.ProverSafe
  Block.RootSafe.
From Aardvark Require Lemmas.Field Spec.Commitment.Scheme Lemmas.History Lemmas.AnyBlock Safety.BoundsSafe
  Safety.ApplySafe Safety.GenesisStateSafe Safety.AcceptedSafe Safety.SizesSafe Safety.ReachableSafe
  Safety.DrawnSafe Safety.RootSafe.
Import ListNotations.
Local Open Scope N_scope.

(** ** What a machine can receive *)

(** A byte string of less than 4 GiB, and one that consists of bytes. *)
Definition short (x : ByteString) : Prop := seq_length x < 2 ^ 32.
Definition of_bytes (x : ByteString) : Prop := Forall (fun byte => byte < 256) x.
Definition content_of_bytes (content : option ByteString) : Prop := forall v, content = Some v -> of_bytes v.
Definition action_of_bytes (act : Action) : Prop :=
  match act with
  | Action_RequireValue v | Action_Put v => of_bytes v
  | _ => True
  end.

Section Safety.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** The values of a transaction, a block, a genesis, an import are of bytes. *)
Definition transaction_of_bytes (tx : Transaction) : Prop :=
  (forall op, In op (operations tx) -> action_of_bytes (action op)) /\
  (forall c, In c (claims tx) -> of_bytes (value (claim_slot c))).
Definition block_of_bytes (block : Block) : Prop :=
  (forall tx, In tx (transactions block) -> transaction_of_bytes tx) /\
  (forall vector x, In vector (tail_vectors block) -> In x vector -> of_bytes (value x)).
Definition genesis_of_bytes (genesis : Genesis) : Prop :=
  forall e, In e (genesis_entries genesis) -> of_bytes (entry_value e).

(** A digest is short; SHA-256 has 32 bytes. *)
Definition digests_short : Prop := forall tag x, short (tagged_hash tag x).

(** The encoding of a plain block has fewer than 2^64 bytes; so has that of an aggregated one, should it hold openings too. *)
Definition plain_fits (block : Block) : Prop := block_length block < 2 ^ 64.
Definition aggregated_fits (aggregated : AggregatedBlock) : Prop :=
  block_length (plain_block aggregated) + 2 + 48 * seq_length (block_points aggregated) < 2 ^ 64.

(** ** Genesis *)

(** Checking any genesis returns, if its keys are short. *)
Theorem genesis_legal_never_panics : forall genesis,
  (forall e, In e (genesis_entries genesis) -> short (entry_key e)) -> genesis_legal_safe genesis = true.
Proof. exact Aardvark.Safety.GenesisStateSafe.genesis_legal_never_panics. Qed.

Variables (setup : Setup) (genesis : Genesis).
Hypothesis legal : genesis_legal genesis = true.
Hypothesis sized : setup_vector_size setup = vector_size (genesis_parameters genesis).

(** Starting from a legal genesis of fewer than 2^62 entries returns. *)
Theorem genesis_state_never_panics :
  seq_length (genesis_entries genesis) < 2 ^ 62 -> genesis_state_safe setup genesis = true.
Proof. exact (Aardvark.Safety.GenesisStateSafe.genesis_state_never_panics genesis legal setup sized). Qed.

Hypothesis digests : digests_short.

(** ** A validator, even where the cryptography is broken *)

(** The state's version is not the last that a machine can count to, and the array has fewer than 2^62 slots. *)
Definition state_in_memory (state : ValidatorState) : Prop := version state + 1 < 2 ^ 64 /\ size state < 2 ^ 62.

(** The states that accepted blocks lead to, whether what they claim is true or not. *)
Inductive accepted : ValidatorState -> Prop :=
| accepted_genesis :
    genesis_of_bytes genesis -> state_in_memory (genesis_state setup genesis) -> accepted (genesis_state setup genesis)
| accepted_plain : forall state block state' effects,
    accepted state -> block_of_bytes block -> apply_block setup state block = Ok (state', effects) ->
    state_in_memory state' -> accepted state'
| accepted_aggregated : forall state aggregated coefficients combiners state' effects,
    accepted state -> block_of_bytes (plain_block aggregated) ->
    apply_challenged_block setup state aggregated coefficients combiners = Ok (state', effects) ->
    state_in_memory state' -> accepted state'.

(** This is the predicate of the lemmas. *)
Lemma accepted_same : forall state, accepted state -> Aardvark.Safety.AcceptedSafe.accepted setup genesis state.
Proof.
  induction 1 as [B M|state block state' effects _ IH B A M|state aggregated rho gamma state' effects _ IH B A M].
  - constructor; assumption.
  - exact (Aardvark.Safety.AcceptedSafe.accepted_block setup genesis state (Aardvark.Lemmas.AnyBlock.Plain block) state'
      effects IH B A M).
  - exact (Aardvark.Safety.AcceptedSafe.accepted_block setup genesis state
      (Aardvark.Lemmas.AnyBlock.Aggregated aggregated rho gamma) state' effects IH B A M).
Qed.

(** In every such state applying any block of either form returns. *)
Theorem validator_never_panics : forall state, accepted state ->
  (forall block, block_of_bytes block -> plain_fits block -> apply_block_safe setup state block = true) /\
  (forall aggregated coefficients combiners, block_of_bytes (plain_block aggregated) -> aggregated_fits aggregated ->
    apply_challenged_block_safe setup state aggregated coefficients combiners = true).
Proof.
  intros state A. apply accepted_same in A. split.
  - intros block. exact (Aardvark.Safety.AcceptedSafe.validator_never_panics setup genesis legal sized digests state
      (Aardvark.Lemmas.AnyBlock.Plain block) A).
  - intros aggregated rho gamma. exact (Aardvark.Safety.AcceptedSafe.validator_never_panics setup genesis legal sized
      digests state (Aardvark.Lemmas.AnyBlock.Aggregated aggregated rho gamma) A).
Qed.

(** And checking any transaction for the mempool returns. *)
Theorem mempool_never_panics : forall state tx,
  accepted state -> transaction_of_bytes tx -> transaction_length tx < 2 ^ 64 -> check_transaction_safe setup state tx = true.
Proof.
  intros state tx A.
  exact (Aardvark.Safety.AcceptedSafe.mempool_never_panics setup genesis legal sized digests state tx (accepted_same _ A)).
Qed.

(** Parameters stay, and each version adds at most the operations of a block to the slots of genesis. *)
Theorem size_by_version : forall state, accepted state ->
  parameters state = genesis_parameters genesis /\
  size state <= 1 + seq_length (genesis_entries genesis) + version state * block_operations (genesis_parameters genesis).
Proof. intros state A. exact (Aardvark.Safety.SizesSafe.size_by_version setup genesis legal state (accepted_same _ A)). Qed.

(** A digest has 16 bytes at least, and consists of bytes. SHA-256 has 32. *)
Definition digests_long : Prop := forall tag x, 16 <= seq_length (tagged_hash tag x) /\ of_bytes (tagged_hash tag x).

(** Applying any aggregated block under the challenges that are drawn for it returns, whatever the encodings. *)
Theorem drawn_block_never_panics : forall state aggregated encodings, digests_long -> accepted state ->
  block_of_bytes (plain_block aggregated) -> aggregated_fits aggregated ->
  apply_aggregated_block_safe setup state aggregated encodings = true.
Proof.
  intros state aggregated encodings long A B L. apply Aardvark.Safety.DrawnSafe.apply_aggregated_never_panics; [exact long| |].
  - rewrite (proj1 (size_by_version state A)). apply Aardvark.Safety.BoundsSafe.legal_bounds.
    exact (Aardvark.Safety.GenesisStateSafe.legal_parameters genesis legal).
  - intros rho gamma. exact (proj2 (validator_never_panics state A) aggregated rho gamma B L).
Qed.

(** So, with fewer than 2^60 entries at genesis, the premise on memory holds for the first 2^29 versions. *)
Theorem next_in_memory : forall state state', accepted state ->
  (exists block effects, apply_block setup state block = Ok (state', effects)) \/
  (exists aggregated coefficients combiners effects,
    apply_challenged_block setup state aggregated coefficients combiners = Ok (state', effects)) ->
  seq_length (genesis_entries genesis) < 2 ^ 60 -> version state' < 2 ^ 29 -> state_in_memory state'.
Proof.
  intros state state' A [(block & effects & E)|(aggregated & rho & gamma & effects & E)]; apply accepted_same in A.
  - exact (Aardvark.Safety.SizesSafe.next_in_memory setup genesis legal state (Aardvark.Lemmas.AnyBlock.Plain block)
      state' effects A E).
  - exact (Aardvark.Safety.SizesSafe.next_in_memory setup genesis legal state
      (Aardvark.Lemmas.AnyBlock.Aggregated aggregated rho gamma) state' effects A E).
Qed.

(** ** Histories without a break, imports included *)

Context {lawful : Aardvark.Lemmas.Field.LawfulScalars F} {root : Aardvark.Lemmas.Field.PrimitiveRoot scalar_given}.
Hypothesis made : Aardvark.Spec.Commitment.Scheme.well_made setup.

Section OfReceived.

Variables (h : list Array) (state : ValidatorState).
Hypothesis received_h : Aardvark.Safety.ReachableSafe.received setup genesis h state.
Hypothesis memory : Aardvark.Safety.ReachableSafe.in_memory h.

(** Applying any block of either form returns. *)
Theorem apply_block_never_panics :
  (forall block, block_of_bytes block -> plain_fits block -> apply_block_safe setup state block = true) /\
  (forall aggregated coefficients combiners, block_of_bytes (plain_block aggregated) -> aggregated_fits aggregated ->
    apply_challenged_block_safe setup state aggregated coefficients combiners = true).
Proof.
  split.
  - intros block. exact (Aardvark.Safety.ReachableSafe.apply_block_never_panics setup genesis made legal sized digests h
      state received_h memory (Aardvark.Lemmas.AnyBlock.Plain block)).
  - intros aggregated rho gamma. exact (Aardvark.Safety.ReachableSafe.apply_block_never_panics setup genesis made legal
      sized digests h state received_h memory (Aardvark.Lemmas.AnyBlock.Aggregated aggregated rho gamma)).
Qed.

(** So does applying an aggregated block under the challenges that are drawn for it. *)
Theorem apply_drawn_never_panics : forall aggregated encodings, digests_long ->
  block_of_bytes (plain_block aggregated) -> aggregated_fits aggregated ->
  apply_aggregated_block_safe setup state aggregated encodings = true.
Proof.
  intros aggregated encodings long B L. apply Aardvark.Safety.DrawnSafe.apply_aggregated_never_panics; [exact long| |].
  - apply Aardvark.Safety.BoundsSafe.legal_bounds.
    exact (Aardvark.Safety.ReachableSafe.received_legal setup genesis made legal sized h state received_h).
  - intros rho gamma. exact (proj2 apply_block_never_panics aggregated rho gamma B L).
Qed.

(** Checking any transaction returns. *)
Theorem check_transaction_never_panics : forall tx,
  transaction_of_bytes tx -> transaction_length tx < 2 ^ 64 -> check_transaction_safe setup state tx = true.
Proof.
  exact (Aardvark.Safety.ReachableSafe.check_transaction_never_panics setup genesis made legal sized digests h state
    received_h memory).
Qed.

(** Importing any changes, fewer than 2^62, into the current array returns. *)
Theorem apply_import_never_panics : forall block, seq_length (import_changes block) < 2 ^ 62 ->
  apply_import_safe setup state (Aardvark.Lemmas.History.latest h) block = true.
Proof.
  exact (Aardvark.Safety.ReachableSafe.apply_import_never_panics setup genesis made legal sized digests h state
    received_h memory).
Qed.

(** Making the claims of any operations on short keys, at any version, returns. *)
Theorem archive_claims_never_panic : forall items v,
  v <= Aardvark.Lemmas.History.now h -> (forall op, In op items -> short (operation_key op)) ->
  honest_claims_safe setup (Aardvark.Lemmas.History.array_at h v) items = true.
Proof.
  exact (Aardvark.Safety.ReachableSafe.archive_claims_never_panic setup genesis made legal sized digests h state
    received_h memory).
Qed.

(** Reading out any number of tail vectors returns. *)
Theorem archive_tail_vectors_never_panic : forall v count,
  honest_tail_vectors_safe (Aardvark.Lemmas.History.array_at h v) (tail_start state) (vector_size (parameters state)) count
  = true.
Proof.
  exact (Aardvark.Safety.ReachableSafe.archive_tail_vectors_never_panic setup genesis made legal sized digests h state
    received_h memory).
Qed.

(** Looking up any short key at any version returns. *)
Theorem archive_lookup_never_panics : forall v k, v <= Aardvark.Lemmas.History.now h -> short k ->
  array_lookup_safe (Aardvark.Lemmas.History.array_at h v) k = true.
Proof.
  exact (Aardvark.Safety.ReachableSafe.archive_lookup_never_panics setup genesis made legal sized h state
    received_h memory).
Qed.

End OfReceived.

(** ** Roots *)

(** Following a path from a leaf returns, whatever the path holds. *)
Theorem root_of_path_never_panics : forall width index leaf path,
  width < 2 ^ 64 -> index < 2 ^ 64 -> seq_length path < 2 ^ 64 -> root_of_path_safe width index leaf path = true.
Proof. exact Aardvark.Safety.RootSafe.root_of_path_never_panics. Qed.

(** Making a path to any of fewer than 2^64 commitments returns. *)
Theorem commitment_path_never_panics : forall leaves index,
  seq_length leaves < 2 ^ 64 -> index < 2 ^ 64 -> commitment_path_safe leaves index = true.
Proof. exact Aardvark.Safety.RootSafe.commitment_path_never_panics. Qed.

(** The root of any state of fewer than 2^64 commitments returns. *)
Theorem state_root_never_panics : forall hashed,
  seq_length (hashed_commitments hashed) < 2 ^ 64 -> state_root_safe hashed = true.
Proof. exact Aardvark.Safety.RootSafe.state_root_never_panics. Qed.

End Safety.
