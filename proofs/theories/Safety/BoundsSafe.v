(** The bounds that the safety theorems rest on: definitions, and what follows from legal parameters.

    - [transaction_of_bytes], [block_of_bytes]: what Rust's types say of received bytes: none is above 255. It matters where
      a value is read as a number;
    - [state_bounded]: what a validator's state has to be for nothing to panic. ReachableSafe.v shows that reachable states
      are so;
    - [legal_bounds]: the numbers in legal parameters. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Dictionary.Slot Dictionary.SlotMap
  Commitment.Opening Commitment.Scheme Block.Operation Dictionary.Genesis Dictionary.Writes Dictionary.Window
  Block.Transaction Block.State Block.BlockData.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Safety.SlotMapSafe.
Import ListNotations.
Local Open Scope N_scope.

(** All elements are bytes. *)
Definition of_bytes (x : ByteString) : Prop := Forall (fun byte => byte < 256) x.

(** The value, if there is one, is of bytes. *)
Definition content_of_bytes (content : option ByteString) : Prop := forall v, content = Some v -> of_bytes v.

(** The value that an action brings is of bytes. *)
Definition action_of_bytes (act : Action) : Prop :=
  match act with
  | Action_RequireValue v | Action_Put v => of_bytes v
  | _ => True
  end.

(** A slot of short byte strings, whose value is of bytes. *)
Definition sound_slot (x : Slot) : Prop := short_slot x /\ of_bytes (value x).

(** All slots of the map are such. *)
Definition sound_slots (slots : SlotMap) : Prop := forall p x, live slots p x -> sound_slot x.

Section Bounds.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** The values of the transaction are of bytes. *)
Definition transaction_of_bytes (tx : Transaction) : Prop :=
  (forall op, In op (operations tx) -> action_of_bytes (action op)) /\
  (forall c, In c (claims tx) -> of_bytes (value (claim_slot c))).

(** The values of the block are of bytes. *)
Definition block_of_bytes (block : Block) : Prop :=
  (forall tx, In tx (transactions block) -> transaction_of_bytes tx) /\
  (forall vector x, In vector (tail_vectors block) -> In x vector -> of_bytes (value x)).

(** A write below position 2^63, of a sound slot or of none. *)
Definition write_bounded (w : Write) : Prop :=
  write_position w < 2 ^ 63 /\ forall x, write_content w = Some x -> sound_slot x.

(** A record of fewer than 2^63 slots, whose writes are bounded. *)
Definition record_bounded (r : VersionRecord) : Prop :=
  record_size r < 2 ^ 63 /\ forall w, In w (record_writes r) -> write_bounded w.

(** What a state has to be for nothing to panic. *)
Record state_bounded (setup : Setup) (state : ValidatorState) : Prop := {
  bounded_parameters : parameters_legal (parameters state) = true;
  bounded_setup : setup_vector_size setup = vector_size (parameters state);
  bounded_version : version state + 1 < 2 ^ 64;
  bounded_size : size state < 2 ^ 63;
  bounded_commitments : seq_length (commitments state) < 2 ^ 64;
  bounded_tail_start : exists k, tail_start state = vector_size (parameters state) * k;
  bounded_tail : tail_start state + seq_length (tail state) < 2 ^ 63;
  bounded_tail_slots : forall x, In x (tail state) -> sound_slot x;
  bounded_window : forall r, In r (window state) -> record_bounded r;
  bounded_replays : forall e, In e (replay_set state) -> short (replay_id e);
}.

(** ** Legal parameters *)

Lemma legal_bounds : forall p, parameters_legal p = true ->
  1 <= vector_size p <= 4096 /\ max_key_length p < 2 ^ 8 /\ max_value_length p < 2 ^ 11 /\
  transaction_operations p < 2 ^ 16 /\ block_transactions p < 2 ^ 32.
Proof.
  intros p H. unfold parameters_legal, layout_legal, counts_legal, fits_u16, fits_u32 in H.
  rewrite !andb_true_iff, !N.leb_le, N.eqb_eq in H.
  assert (V : vector_size p <= 4096).
  { assert (D : MAX_VECTOR_SIZE mod vector_size p = 0) by tauto. apply N.mod_divide in D; [|lia].
    apply N.divide_pos_le in D; [exact D|reflexivity]. }
  change (2 ^ 8) with 256. change (2 ^ 11) with 2048. change (2 ^ 16) with 65536. change (2 ^ 32) with 4294967296. lia.
Qed.

Lemma short_below : forall x n, seq_length x <= n -> n < 2 ^ 11 -> short x.
Proof. intros x n L B. unfold short. change (2 ^ 32) with 4294967296. change (2 ^ 11) with 2048 in B. lia. Qed.

(** ** Maps of sound slots *)

Lemma sound_empty : sound_slots empty_slot_map.
Proof. intros p x L. unfold live, slot_at in L. cbn in L. destruct p; discriminate. Qed.

End Bounds.
