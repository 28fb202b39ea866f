(** Building a view never leaves the range of its integers or sequences.

    - [lay_slots_never_panics], [lay_claims_never_panics], [lay_block_claims_never_panics];
    - [transaction_view_never_panics]: the view of a transaction whose claimed positions fit into 64 bits. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Dictionary.Slot Dictionary.SlotMap
  Commitment.Scheme Dictionary.Genesis Dictionary.Writes Dictionary.Window Block.Transaction Block.State
  Block.BlockData Block.Tail Block.View Dictionary.SlotMapSafe Dictionary.WritesSafe Dictionary.WindowSafe
  Block.TailSafe Block.ViewSafe.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Lemmas.SlotMapLemmas Safety.SlotMapSafe
  Safety.WindowSafe.
Import ListNotations.
Local Open Scope N_scope.

Section View.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** The map has fewer than 2^64 positions. *)
Definition bounded (slots : SlotMap) : Prop := seq_length slots < 2 ^ 64.

Lemma lay_slots_bounded : forall below start slots,
  bounded below -> start + seq_length slots < 2 ^ 64 ->
  lay_slots_safe below start slots = true /\ bounded (lay_slots below start slots).
Proof.
  intros below start slots B S.
  assert (Turn : forall i laid, i < seq_length slots -> bounded laid ->
    lay_slots_step_safe laid (seq_at slots i) (start + i) = true /\ bounded (lay_slots_step laid (seq_at slots i) (start + i))).
  { intros i laid Hi Bl. split; [apply put_slot_never_panics; assumption|]. apply put_slot_bounded; [assumption|lia]. }
  split.
  - unfold lay_slots_safe. apply (loop_is_safe _ (fun _ => bounded)); [exact B|]. intros i laid Hi Bl.
    destruct (Turn i laid ltac:(lia) Bl) as [T Bn]. rewrite T. split; [|assumption]. unfold within_usize.
    rewrite !andb_true_iff, !N.ltb_lt. lia.
  - unfold lay_slots. apply (loop_invariant _ (fun _ => bounded)); [lia|exact B|]. intros i laid Hi Bl. apply Turn; [lia|assumption].
Qed.

Theorem lay_slots_never_panics : forall below start slots,
  bounded below -> start + seq_length slots < 2 ^ 64 -> lay_slots_safe below start slots = true.
Proof. intros. apply lay_slots_bounded; assumption. Qed.

(** The claimed positions fit into 64 bits, with the one after them. *)
Definition claims_fit (items : list Claim) : Prop := Forall (fun c => claim_position c + 1 < 2 ^ 64) items.

Lemma lay_claims_bounded : forall below items, bounded below -> claims_fit items ->
  lay_claims_safe below items = true /\ bounded (lay_claims below items).
Proof.
  intros below items B P. unfold claims_fit in P. rewrite Forall_forall in P.
  assert (Turn : forall i slots, i < seq_length items -> bounded slots ->
    lay_claims_step_safe slots (seq_at items i) = true /\ bounded (lay_claims_step slots (seq_at items i))).
  { intros i slots Hi Bs. split; [apply put_slot_never_panics; assumption|].
    apply put_slot_bounded; [assumption|]. apply P, seq_at_in. assumption. }
  split.
  - apply (loop_over_elements_safe _ _ _ bounded _ lay_claims_step_safe); [exact B|exact Turn].
  - unfold lay_claims. apply (loop_invariant _ (fun _ => bounded)); [lia|exact B|].
    intros i slots Hi Bs. apply Turn; [lia|assumption].
Qed.

Theorem lay_claims_never_panics : forall below items,
  bounded below -> claims_fit items -> lay_claims_safe below items = true.
Proof. intros. apply lay_claims_bounded; assumption. Qed.

Lemma lay_block_claims_bounded : forall below items,
  bounded below -> (forall tx, In tx items -> claims_fit (claims tx)) ->
  lay_block_claims_safe below items = true /\ bounded (lay_block_claims below items).
Proof.
  intros below items B P.
  assert (Turn : forall i slots, i < seq_length items -> bounded slots ->
    lay_block_claims_step_safe slots (seq_at items i) = true /\ bounded (lay_block_claims_step slots (seq_at items i))).
  { intros i slots Hi Bs. apply lay_claims_bounded; [assumption|]. apply P, seq_at_in. assumption. }
  split.
  - apply (loop_over_elements_safe _ _ _ bounded _ lay_block_claims_step_safe); [exact B|exact Turn].
  - unfold lay_block_claims. apply (loop_invariant _ (fun _ => bounded)); [lia|exact B|].
    intros i slots Hi Bs. apply Turn; [lia|assumption].
Qed.

Theorem lay_block_claims_never_panics : forall below items,
  bounded below -> (forall tx, In tx items -> claims_fit (claims tx)) -> lay_block_claims_safe below items = true.
Proof. intros. apply lay_block_claims_bounded; assumption. Qed.

(** What the state holds fits into 64 bits. *)
Definition state_fits (state : ValidatorState) : Prop :=
  tail_start state + seq_length (tail state) < 2 ^ 64 /\
  Forall (fun r => positions_fit (record_writes r)) (window state).

Theorem lay_state_never_panics : forall below state, bounded below -> state_fits state -> lay_state_safe below state = true.
Proof.
  intros below state B [T W]. unfold lay_state_safe. destruct (lay_slots_bounded below (tail_start state) (tail state) B T) as [-> Bl].
  cbn [andb]. apply lay_window_never_panics; assumption.
Qed.

Theorem transaction_view_never_panics : forall state tx,
  state_fits state -> claims_fit (claims tx) -> transaction_view_safe state tx = true.
Proof.
  intros state tx S C. unfold transaction_view_safe.
  destruct (lay_claims_bounded empty_slot_map (claims tx)) as [-> B]; [reflexivity|assumption|].
  cbn [andb]. apply lay_state_never_panics; assumption.
Qed.

End View.
