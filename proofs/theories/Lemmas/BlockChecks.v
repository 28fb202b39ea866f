(** What it means that a block passes: openings, the tail, and all phases together.

    - [check_openings_ok], [phase_tail_ok], [phase_tail_count_ok]: a transaction's openings, or the tail, pass exactly when the
      phase's condition holds;
    - [execute_block_ok]: a block executes exactly when it passes all phases, and what comes out is said;
    - [executed_transactions]: what every transaction of such a block is like. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Dictionary.Slot Dictionary.SlotMap
  Dictionary.Array Commitment.Opening Commitment.Scheme Block.Rejection Block.Operation Dictionary.Genesis
  Dictionary.Changes Dictionary.Vectors Dictionary.Window Block.Transaction Block.State Block.BlockData
  Block.Tail Block.View Block.Checks Block.Execution Block.Phases.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes Spec.Dictionary.Slot
  Lemmas.ChecksLemmas Lemmas.History Spec.Dictionary.Window Spec.Block.View Lemmas.Resolution
  Spec.Block.Checks.
Import ListNotations.
Local Open Scope N_scope.

Section BlockChecks.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** ** Phase 6: openings *)

Definition openings_good (setup : Setup) (state : ValidatorState) (tx : Transaction) : Prop :=
  forall c, In c (claims tx) ->
    is_malformed (claim_opening c) = false /\ claim_verifies setup state c (claims_version tx) = true.

Theorem check_openings_ok : forall setup state tx x,
  check_openings setup state tx x = Ok tt <-> openings_good setup state tx.
Proof.
  intros setup state tx x. unfold check_openings, openings_good.
  assert (M : has_malformed (claims tx) = true <->
    exists i, i < seq_length (claims tx) /\ is_malformed (claim_opening (seq_at (claims tx) i)) = true).
  { unfold has_malformed.
    change (fold_left _ _ _) with (fold_left (fun found i => found || (fun c => is_malformed (claim_opening c)) (seq_at (claims tx) i))
      (range 0 (seq_length (claims tx))) false).
    rewrite some_element. split; [intros [|H]; [discriminate|exact H]|auto]. }
  assert (V : all_verify setup state tx = true <->
    forall i, i < seq_length (claims tx) -> claim_verifies setup state (seq_at (claims tx) i) (claims_version tx) = true).
  { unfold all_verify.
    change (fold_left _ _ _) with (fold_left (fun hold i => hold && (fun c => claim_verifies setup state c (claims_version tx)) (seq_at (claims tx) i))
      (range 0 (seq_length (claims tx))) true).
    rewrite every_element. tauto. }
  rewrite <- (all_elements _ Default_Claim (fun c => is_malformed (claim_opening c) = false /\ claim_verifies setup state c (claims_version tx) = true)).
  destruct (has_malformed (claims tx)) eqn:Em.
  { destruct (proj1 M eq_refl) as (i & Hi & E). split; [discriminate|]. intros H. destruct (H i Hi). congruence. }
  destruct (all_verify setup state tx) eqn:Ev; cbn [negb].
  - split; [intros _|reflexivity]. intros i Hi. split; [|apply V; auto].
    destruct (is_malformed (claim_opening (seq_at (claims tx) i))) eqn:E; [|reflexivity].
    assert (false = true) by (apply M; eauto). discriminate.
  - split; [discriminate|]. intros H.
    assert (false = true) by (apply V; intros i Hi; apply H; assumption). discriminate.
Qed.

Theorem phase_openings_ok : forall setup state block,
  phase_openings setup state block = Ok tt <-> forall tx, In tx (transactions block) -> openings_good setup state tx.
Proof.
  intros setup state block. unfold phase_openings.
  change (fold_left _ _ _) with (checks (fun x => check_openings setup state (seq_at (transactions block) x) x)
    (seq_length (transactions block)) (Ok tt)).
  rewrite checks_pass_all, <- (all_elements _ Default_Transaction). split; intros H i Hi; apply check_openings_ok with (x := i), H, Hi.
Qed.

(** ** Phases 7 and 10: the tail *)

Definition slot_lengths_good (p : Parameters) (x : Slot) : Prop :=
  seq_length (key x) <= max_key_length p /\ seq_length (next x) <= max_key_length p /\
  seq_length (value x) <= max_value_length p.

Lemma slots_fit_iff : forall p slots, slots_fit p slots = true <-> forall x, In x slots -> slot_lengths_good p x.
Proof.
  intros p slots. unfold slots_fit.
  change (fold_left _ _ _) with (fold_left (fun fit i => fit && slot_fits p (seq_at slots i)) (range 0 (seq_length slots)) true).
  rewrite (every_element _ _ (slot_fits p)), <- (all_elements _ Default_Slot). unfold slot_fits, slot_lengths_good. split.
  - intros [_ H] i Hi. specialize (H i Hi). rewrite !andb_true_iff, !N.leb_le in H. tauto.
  - intros H. split; [reflexivity|]. intros i Hi. specialize (H i Hi). rewrite !andb_true_iff, !N.leb_le. tauto.
Qed.

(** The vector is one below the tail, has N slots of legal lengths, and its commitment is the validator's. *)
Definition tail_vector_good (setup : Setup) (state : ValidatorState) (i : N) (slots : list Slot) : Prop :=
  let p := parameters state in
  exists number,
    tail_vector_number (tail_start state) (vector_size p) i = Some number /\
    seq_length slots = vector_size p /\
    (forall x, In x slots -> slot_lengths_good p x) /\
    vector_matches setup (vector_size p) (g1_at (commitments state) number) slots = true.

Theorem phase_tail_ok : forall setup state block,
  phase_tail setup state block = Ok tt <->
  phase_tail_number state block = Ok tt /\
  forall i, i < seq_length (tail_vectors block) -> tail_vector_good setup state i (seq_at (tail_vectors block) i).
Proof.
  intros setup state block. unfold phase_tail. destruct (phase_tail_number state block) as [[]|].
  2:{ split; [discriminate|]. intros [E _]. discriminate. }
  unfold check_tail_vectors.
  change (fold_left _ _ _) with (checks (fun i => check_tail_vector setup (parameters state) (commitments state)
    (tail_start state) (seq_at (tail_vectors block) i) i) (seq_length (tail_vectors block)) (Ok tt)).
  rewrite checks_pass_all.
  assert (One : forall i slots, check_tail_vector setup (parameters state) (commitments state) (tail_start state) slots i = Ok tt
    <-> tail_vector_good setup state i slots).
  { intros i slots. unfold check_tail_vector, tail_vector_good. cbv zeta.
    destruct (tail_vector_number (tail_start state) (vector_size (parameters state)) i) as [number|].
    2:{ split; [discriminate|]. intros (m & E & _). discriminate. }
    destruct (N.eqb_spec (seq_length slots) (vector_size (parameters state))) as [L|L]; cbn [negb].
    2:{ split; [discriminate|]. intros (m & _ & E & _). contradiction. }
    destruct (slots_fit (parameters state) slots) eqn:Fit; cbn [negb].
    2:{ split; [discriminate|]. intros (m & _ & _ & E & _). apply slots_fit_iff in E. congruence. }
    destruct (vector_matches setup (vector_size (parameters state)) (g1_at (commitments state) number) slots) eqn:V; cbn [negb].
    2:{ split; [discriminate|]. intros (m & E & _ & _ & G). injection E as <-. congruence. }
    split; [intros _|reflexivity]. exists number. split; [reflexivity|]. split; [assumption|].
    split; [apply slots_fit_iff; assumption|assumption]. }
  split; [intros H; split; [reflexivity|]|intros [_ H]]; intros i Hi; apply One, H, Hi.
Qed.

Theorem phase_tail_count_ok : forall state block s,
  phase_tail_count state block s = Ok tt <->
  seq_length (tail_vectors block) = tail_needed (tail_start state) s (vector_size (parameters state)).
Proof.
  intros state block s. unfold phase_tail_count. cbv zeta.
  set (needed := tail_needed (tail_start state) s (vector_size (parameters state))).
  destruct (N.ltb_spec (seq_length (tail_vectors block)) needed); [split; [discriminate|lia]|].
  destruct (N.ltb_spec needed (seq_length (tail_vectors block))); [split; [discriminate|lia]|].
  split; [lia|reflexivity].
Qed.

(** ** All phases *)

Definition ids_of (state : ValidatorState) (block : Block) : list ByteString :=
  transaction_ids (dictionary_id state) (transactions block).

Theorem execute_block_ok : forall setup state block execution,
  execute_block setup state block = Ok execution <->
  phase_size state block = Ok tt /\ phase_interval state block = Ok tt /\
  phase_replay state (ids_of state block) = Ok tt /\ phase_shape state block = Ok tt /\
  phase_position state block = Ok tt /\ phase_openings setup state block = Ok tt /\
  phase_tail setup state block = Ok tt /\
  exists contents changes after,
    resolve_block state block = Ok contents /\ run_block block contents = Ok changes /\
    phase_tail_count state block (size_after (size state) (net_changes changes)) = Ok tt /\
    apply_changes {| array_size := size state; array_slots := block_view state block |} (net_changes changes) = Some after /\
    execution =
      {| execution_ids := ids_of state block; execution_contents := contents; execution_changes := net_changes changes;
         execution_before := block_view state block; execution_after := after |}.
Proof.
  intros setup state block execution. unfold execute_block, execute_proved, ids_of. cbv zeta. split.
  - destruct (phase_size state block) as [[]|] eqn:E1; [|discriminate].
    destruct (phase_interval state block) as [[]|] eqn:E2; [|discriminate].
    destruct (phase_replay state _) as [[]|] eqn:E3; [|discriminate].
    destruct (phase_shape state block) as [[]|] eqn:E4; [|discriminate].
    destruct (phase_position state block) as [[]|] eqn:E5; [|discriminate].
    destruct (phase_openings setup state block) as [[]|] eqn:E6; [|discriminate].
    destruct (phase_tail setup state block) as [[]|] eqn:E7; [|discriminate].
    destruct (resolve_block state block) as [contents|] eqn:E8; [|discriminate].
    destruct (run_block block contents) as [changes|] eqn:E9; [|discriminate].
    destruct (phase_tail_count state block _) as [[]|] eqn:E10; [|discriminate].
    unfold change_view. destruct (apply_changes _ _) as [after|] eqn:E11; [|discriminate].
    intros E. injection E as <-. do 7 (split; [reflexivity|]). exists contents, changes, after.
    split; [reflexivity|]. split; [assumption|]. split; [assumption|]. split; [assumption|reflexivity].
  - intros (E1 & E2 & E3 & E4 & E5 & E6 & E7 & contents & changes & after & E8 & E9 & E10 & E11 & ->).
    rewrite E1, E2, E3, E4, E5, E6, E7, E8, E9, E10. unfold change_view. rewrite E11. reflexivity.
Qed.

(** What every transaction of a block that executes is like. *)
Theorem executed_transactions : forall setup h state block execution,
  honest_state setup h state -> execute_block setup state block = Ok execution ->
  forall tx, In tx (transactions block) ->
    claims_recent h state tx /\ keys_legal (operations tx) /\
    interval_good (parameters state) (version state + 1) tx /\ shape_good (parameters state) tx /\
    (forall c, In c (claims tx) -> claim_position c < array_size (array_at h (claims_version tx))) /\
    openings_good setup state tx.
Proof.
  intros setup h state block execution H E tx I. apply execute_block_ok in E.
  destruct E as (_ & E2 & _ & E4 & E5 & E6 & _).
  pose proof (proj1 (phase_interval_ok _ _) E2 tx I) as G2. pose proof (proj1 (phase_shape_ok _ _) E4 tx I) as G4.
  pose proof (proj1 (phase_position_ok _ _) E5 tx I) as G5. pose proof (proj1 (phase_openings_ok _ _ _) E6 tx I) as G6.
  pose proof (interval_recent setup h state tx H G2) as R.
  split; [assumption|]. split; [eapply shape_keys_legal; eassumption|]. split; [assumption|]. split; [assumption|].
  split; [|assumption]. apply (positions_in_array setup h state tx H R). assumption.
Qed.

End BlockChecks.
