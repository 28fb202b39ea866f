(** Theorems for auditors: received bytes of transactions and of snapshots, and what is believed of them
    (spec/src/decoding/checked_bytes.rs).

    To understand a statement of this file you need this file, the generated definitions, what an encoding can hold
    ([fits_signed], [fits_snapshot], [of_bytes], [held]: see Decoders.v), of Roots.v [fits_state] and the search for collisions,
    and for the last two theorems Safety.v.

    - [checked_bytes_are_their_transaction]: what a mempool says of bytes is what it says of the one signed transaction that they
      are the encoding of.
    - [accepted_snapshot_is_the_state]: a snapshot that is accepted under the root of a state is that state, byte for byte, or
      here is a collision.
    - [honest_snapshot_accepted]: the encoding of a state is accepted under its root.
    - [checked_bytes_never_panic], [snapshot_bytes_never_panic]: no bytes make a mempool, or a validator that joins, panic. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Hash Dictionary.Genesis Commitment.Opening Commitment.Scheme
  Block.Rejection Block.Transaction Block.State Block.Execution Block.Validator Block.Root Decoding.DecodeReason
  Decoding.TransactionDecoder Decoding.SignedDecoder Decoding.SnapshotDecoder Decoding.CheckedBytes Decoding.CheckedBytesSafe.
From Aardvark Require Import Safety.BoundsSafe Lemmas.Readers Spec.Decoding.SignedDecoder Spec.Decoding.SnapshotDecoder.
From Aardvark Require Lemmas.Field Lemmas.RootLemmas Lemmas.OrderedReaders Spec.Decoding.RecordDecoder
  Spec.Decoding.AggregatedDecoder Spec.Decoding.CheckedBytes Safety.GenesisStateSafe Theorems.Roots Theorems.Safety.
Import ListNotations.
Local Open Scope N_scope.

Section Checked.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** The signed transaction is the only one: two have two encodings ([signed_bytes_injective], Decoders.v). *)
Theorem checked_bytes_are_their_transaction : forall setup state bytes meanings contents,
  parameters_legal (parameters state) = true -> of_bytes bytes ->
  check_signed_bytes setup state bytes meanings = Ok contents <->
  exists signed, fits_signed (parameters state) signed /\ bytes = encode_signed signed /\
    check_transaction setup state (meant_transaction (signed_transaction signed) meanings) = Ok contents.
Proof.
  intros setup state bytes meanings contents legal.
  exact (Aardvark.Spec.Decoding.CheckedBytes.check_signed_bytes_iff setup state legal bytes meanings contents).
Qed.

(** ** Snapshots *)

(** A digest has 32 bytes. *)
Hypothesis digest_length : forall tag x, seq_length (tagged_hash tag x) = 32.

(** Vectors have [n] slots. *)
Variable n : N.
Hypothesis not_empty : 1 <= n.

Lemma received_fits : forall dictionary state, seq_length dictionary = 32 -> fits_snapshot dictionary state ->
  1 <= hashed_size state -> seq_length (hashed_commitments state) = (hashed_size state + n - 1) / n ->
  Theorems.Roots.fits_state n state.
Proof.
  intros dictionary state D (<- & V & S & T & C & A & R & W) Some L. unfold Theorems.Roots.fits_state.
  repeat match goal with |- _ /\ _ => split end; try assumption.
  - intros Z. rewrite Z in L. change (seq_length (@nil ByteString)) with 0 in L. symmetry in L.
    apply N.div_small_iff in L; lia.
  - split; [exact (proj1 W)|]. refine (Forall_impl _ _ (proj2 W)). intros record [X _]. exact X.
Qed.

(** [certified] is the root of a state [s], which consensus certifies. *)
Theorem accepted_snapshot_is_the_state : forall dictionary certified bytes received s,
  seq_length dictionary = 32 -> of_bytes bytes ->
  accept_snapshot dictionary n certified bytes = Ok received ->
  Theorems.Roots.fits_state n s -> state_root s = certified ->
  (received = s /\ encode_snapshot s = bytes) \/
  exists pair, Theorems.Roots.find_collision (Theorems.Roots.state_inputs received) (Theorems.Roots.state_inputs s) = Some pair /\
    Theorems.Roots.collision pair.
Proof.
  intros dictionary certified bytes received s D O E X R.
  apply (Aardvark.Spec.Decoding.CheckedBytes.accept_snapshot_iff dictionary certified n not_empty) in E; [|exact O].
  destruct E as (Y & Q & Some & L & R'). pose proof (received_fits dictionary received D Y Some L) as Z.
  rewrite <- R' in R. symmetry in R.
  destruct (Theorems.Roots.equal_roots_equal_states digest_length n received s Z X R) as [<-|C]; [left|right; exact C].
  split; [reflexivity|]. symmetry. exact Q.
Qed.

(** What a snapshot can hold is more than what a root covers in one thing: the vectors of a record's commitments ascend. *)
Theorem honest_snapshot_accepted : forall dictionary s, of_bytes (encode_snapshot s) -> fits_snapshot dictionary s ->
  Theorems.Roots.fits_state n s -> accept_snapshot dictionary n (state_root s) (encode_snapshot s) = Ok s.
Proof.
  intros dictionary s O X (_ & _ & _ & _ & _ & Some & L & _).
  apply (Aardvark.Spec.Decoding.CheckedBytes.accept_snapshot_iff dictionary (state_root s) n not_empty); [exact O|].
  split; [exact X|]. split; [reflexivity|]. split; [|split; [exact L|reflexivity]].
  destruct (N.eq_0_gt_0_cases (hashed_size s)) as [Z|Z]; [exfalso|lia].
  rewrite Z, N.div_small in L by lia. destruct (hashed_commitments s); [congruence|discriminate L].
Qed.

Theorem snapshot_bytes_never_panic : forall dictionary certified bytes, of_bytes bytes -> held bytes ->
  accept_snapshot_safe dictionary n certified bytes = true.
Proof.
  intros dictionary certified bytes. apply Aardvark.Spec.Decoding.CheckedBytes.snapshot_bytes_never_panic; [exact not_empty|].
  intros tag x. unfold SlotMapSafe.short. rewrite digest_length. reflexivity.
Qed.

(** ** A mempool, in every state that accepted blocks lead to *)

Theorem checked_bytes_never_panic : forall setup genesis state bytes meanings, genesis_legal genesis = true ->
  setup_vector_size setup = vector_size (genesis_parameters genesis) -> Theorems.Safety.accepted setup genesis state ->
  of_bytes bytes -> held bytes -> check_signed_bytes_safe setup state bytes meanings = true.
Proof.
  intros setup genesis state bytes meanings legal sized A.
  destruct (Theorems.Safety.size_by_version setup genesis legal state A) as [P _].
  apply Aardvark.Spec.Decoding.CheckedBytes.signed_bytes_never_panic.
  - rewrite P. exact (Aardvark.Safety.GenesisStateSafe.legal_parameters genesis legal).
  - refine (fun tx => Theorems.Safety.mempool_never_panics setup genesis legal sized _ state tx A).
    intros tag x. unfold Theorems.Safety.short. rewrite digest_length. reflexivity.
Qed.

End Checked.
