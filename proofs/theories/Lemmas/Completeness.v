(** Completeness: what an honest archive hands out is never refused for a reason of proof.

    - [honest_claims_accepted]: take transactions whose claims an honest archive made at the version they are for, and tail
      vectors that it made at the current one, as many as the block needs. However stale the claims are within their
      interval, and whatever was written since: the block is applied, or the reason of its refusal is about sizes, intervals,
      replays, the operations' shape or the operations' own failure, never about claims, openings, resolution or the tail. *)
From Coq Require Import NArith List Bool Sorted Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Dictionary.Slot Dictionary.SlotMap
  Dictionary.Array Commitment.Opening Commitment.Scheme Block.Rejection Block.Operation Dictionary.KeyMap
  Dictionary.Genesis Dictionary.Changes Dictionary.Writes Dictionary.Vectors Dictionary.Window Block.Tail
  Block.Transaction Block.State Block.BlockData Block.View Block.Checks Block.Execution Block.Phases
  Block.Validator Block.AggregatedBlock Block.Map Block.Prover.
From Aardvark Require Import Lemmas.Field.
From Aardvark Require Spec.Commitment.Scheme.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes Lemmas.SlotMapLemmas
  Lemmas.DictionaryLemmas Lemmas.ChangeMaps Lemmas.VectorLemmas Spec.Block.Tail Spec.Block.Execution
  Lemmas.Ideal Lemmas.History Spec.Dictionary.Window Spec.Dictionary.Vectors Lemmas.ViewLemmas Spec.Block.View
  Lemmas.Resolution Lemmas.PhaseLemmas Lemmas.AnyBlock Spec.Block.State Lemmas.Break Spec.Block.Phases
  Spec.Block.Checks Lemmas.BlockChecks Spec.Block.Prover Lemmas.TailNumber.
Import ListNotations.
Local Open Scope N_scope.

(** The reasons that blame a proof: claims and what they show, and tail vectors. *)
Definition reason_of_proof (why : Reason) : bool :=
  match why with
  | Reason_ClaimKeyTooLong | Reason_ClaimValueTooLong | Reason_RepeatedPosition | Reason_SuperfluousClaim
  | Reason_PositionOutOfRange | Reason_OpeningMalformed | Reason_OpeningFalse
  | Reason_TailTooLong | Reason_TailVectorSize | Reason_TailSlotMalformed | Reason_TailFalse
  | Reason_UnresolvedCovering | Reason_UnresolvedPredecessor | Reason_TailMissing | Reason_TailSuperfluous => true
  | _ => false
  end.

Section Completeness.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {root : PrimitiveRoot scalar_given} {hash_given : HashGiven}.

(** ** The phases that know nothing of proofs *)

Definition blameless (e : Rejection) : Prop := reason_of_proof (reason e) = false.

Lemma size_blameless : forall state block e, phase_size state block = Err e -> blameless e.
Proof.
  intros state block e H. unfold phase_size in H.
  pose proof (checks_failed (fun x => check_transaction_size (parameters state) (seq_at (transactions block) x) x) _
    (fun c i => eq_refl) _ _ _ H) as [C|(i & _ & C)].
  - unfold check_block_size in C. cbv zeta in C.
    repeat match type of C with (if ?b then _ else _) = _ => destruct b end;
      try discriminate; injection C as <-; reflexivity.
  - unfold check_transaction_size in C.
    repeat match type of C with (if ?b then _ else _) = _ => destruct b end;
      try discriminate; injection C as <-; reflexivity.
Qed.

Lemma interval_blameless : forall state block e, phase_interval state block = Err e -> blameless e.
Proof.
  intros state block e H. unfold phase_interval in H.
  pose proof (checks_failed (fun x => check_interval (parameters state) (seq_at (transactions block) x) (version state + 1) x) _
    (fun c i => eq_refl) _ _ _ H) as [C|(i & _ & C)]; [discriminate|]. unfold check_interval in C.
  repeat match type of C with (if ?b then _ else _) = _ => destruct b end;
    try discriminate; injection C as <-; reflexivity.
Qed.

Lemma replay_blameless : forall state ids e, phase_replay state ids = Err e -> blameless e.
Proof.
  intros state ids e H. unfold phase_replay in H.
  pose proof (checks_failed (fun x => check_replay state ids x) _ (fun c i => eq_refl) _ _ _ H) as [C|(i & _ & C)];
    [discriminate|]. unfold check_replay in C.
  repeat match type of C with (if ?b then _ else _) = _ => destruct b end;
    try discriminate; injection C as <-; reflexivity.
Qed.

Lemma run_action_blameless : forall content act why, run_action content act = Err why -> reason_of_proof why = false.
Proof.
  intros content act why. destruct act; cbn [run_action]; try discriminate.
  - unfold run_require. destruct (contents_equal _ _); [discriminate|]. intros E. injection E as <-. reflexivity.
  - unfold run_require. destruct (contents_equal _ _); [discriminate|]. intros E. injection E as <-. reflexivity.
  - unfold run_add, number_or_zero, number_of_value. destruct content as [v|].
    + destruct (_ =? 8); [|intros E; injection E as <-; reflexivity].
      destruct (_ <? _); [|discriminate]. intros E. injection E as <-. reflexivity.
    + destruct (_ <? _); [|discriminate]. intros E. injection E as <-. reflexivity.
  - unfold run_sub, number_present, number_of_value. destruct content as [v|].
    + destruct (_ =? 8); [|intros E; injection E as <-; reflexivity].
      destruct (_ <? _); [|discriminate]. intros E. injection E as <-. reflexivity.
    + intros E. injection E as <-. reflexivity.
Qed.

Lemma run_block_blameless : forall block resolved e, run_block block resolved = Err e -> blameless e.
Proof.
  intros block resolved e H.
  set (Q := fun changed : Result ChangeMap Rejection => match changed with Ok _ => True | Err r => blameless r end).
  assert (Q (run_block block resolved)) as G.
  { unfold run_block. apply (loop_invariant _ (fun _ => Q)); [lia|exact I|].
    intros x acc Hx Hacc. unfold run_block_step. destruct acc as [cs|]; [|exact Hacc].
    unfold run_operations. apply (loop_invariant _ (fun _ => Q)); [lia|exact I|].
    intros j acc Hj Hj'. unfold run_operations_step. destruct acc as [ds|]; [|exact Hj'].
    unfold run_operation. destruct (run_action _ _) as [after|why] eqn:R; [exact I|].
    exact (run_action_blameless _ _ _ R). }
  rewrite H in G. exact G.
Qed.

Section OfState.

Variables (setup : Setup) (h : History) (state : ValidatorState).
Hypothesis made : Scheme.well_made setup.
Hypothesis sized : setup_vector_size setup = vector_size (parameters state).
Hypothesis honest : honest_state setup h state.

Let n : N := vector_size (parameters state).

(** No slot of the history is longer than the maxima. *)
Hypothesis fit : forall v q x, v <= now h -> live (array_slots (array_at h v)) q x -> slot_fits (parameters state) x = true.

(** The claims are those of an honest archive at the version that they are for. *)
Definition honest_transaction (tx : Transaction) : Prop :=
  claims tx = honest_claims setup (array_at h (claims_version tx)) (operations tx).

(** The tail vectors are those of an honest archive at the current version: as many as the block needs; should its operations
    fail, so that it needs none, no more than its deletes could need. *)
Definition honest_tail_vectors_of (block : Block) : Prop :=
  exists count, tail_vectors block = honest_tail_vectors (latest h) (tail_start state) n count /\
    match ideal_changes (latest h) block with
    | Ok net => count = tail_needed (tail_start state) (size_after (size state) net) n
    | Err _ => count <= tail_needed (tail_start state) (least_size (size state) block) n
    end.

Definition honest_block (block : Block) : Prop :=
  (forall tx, In tx (transactions block) -> honest_transaction tx) /\ honest_tail_vectors_of block.

Lemma version_good : forall tx, claims_recent h state tx -> well_formed (array_at h (claims_version tx)).
Proof. intros tx [_ R]. apply array_at_good; [exact (honest_history _ _ _ honest)|exact R]. Qed.

Lemma honest_transaction_true : forall tx,
  claims_recent h state tx -> honest_transaction tx -> claims_true h tx.
Proof.
  intros tx R E c Ic. rewrite E in Ic.
  exact (proj1 (honest_claims_true setup _ (version_good tx R) (operations tx) c Ic)).
Qed.

Lemma shape_blameless : forall block e,
  phase_interval state block = Ok tt -> honest_block block -> phase_shape state block = Err e -> blameless e.
Proof.
  intros block e Pi [Hb _] H. unfold phase_shape in H.
  pose proof (checks_failed (fun x => check_shape (parameters state) (seq_at (transactions block) x) x) _
    (fun c i => eq_refl) _ _ _ H) as [C|(x & Hx & C)]; [discriminate|]. apply in_range in Hx.
  set (tx := seq_at (transactions block) x) in *. assert (It : In tx (transactions block)) by (apply seq_at_in; lia).
  assert (R : claims_recent h state tx).
  { apply (interval_recent setup h state tx honest). apply phase_interval_ok with (block := block); assumption. }
  pose proof (Hb tx It) as E. unfold honest_transaction in E. pose proof (version_good tx R) as W.
  unfold check_shape in C. destruct (negb _); [injection C as <-; reflexivity|].
  destruct (seq_length (operations tx) =? 0); [injection C as <-; reflexivity|].
  destruct (check_operation_shapes (parameters state) tx x) as [[]|e'] eqn:O.
  - exfalso. unfold check_claim_shapes in C.
    pose proof (checks_failed (fun c => check_claim_shape (parameters state) tx x c) _
      (fun c i => eq_refl) _ _ _ C) as [D|(c & Hc & D)]; [discriminate|]. apply in_range in Hc.
    unfold check_claim_shape in D. cbv zeta in D.
    assert (Ic : In (seq_at (claims tx) c) (claims tx)) by (apply seq_at_in; lia).
    set (cl := seq_at (claims tx) c) in *.
    assert (Fit : slot_fits (parameters state) (claim_slot cl) = true).
    { apply (fit (claims_version tx) (claim_position cl)); [apply R|].
      apply (honest_transaction_true tx R (Hb tx It)). exact Ic. }
    unfold slot_fits in Fit. rewrite !andb_true_iff, !N.leb_le in Fit. destruct Fit as [[F1 F2] F3].
    replace (max_key_length (parameters state) <? seq_length (key (claim_slot cl))) with false in D
      by (symmetry; apply N.ltb_ge; assumption).
    replace (max_key_length (parameters state) <? seq_length (next (claim_slot cl))) with false in D
      by (symmetry; apply N.ltb_ge; assumption).
    replace (max_value_length (parameters state) <? seq_length (value (claim_slot cl))) with false in D
      by (symmetry; apply N.ltb_ge; assumption). cbn [orb] in D.
    assert (Before : claimed_before (claims tx) c (claim_position cl) = false).
    { unfold cl. rewrite E. apply (honest_claims_not_claimed_before setup _ W). rewrite <- E. lia. }
    rewrite Before in D.
    assert (S : serves_some cl (operations tx) = true).
    { rewrite E in Ic. apply (honest_claims_serve setup _ W). exact Ic. }
    rewrite S in D. discriminate D.
  - injection C as <-. unfold check_operation_shapes in O.
    pose proof (checks_failed (fun j => check_operation_shape (parameters state) (seq_at (operations tx) j) x j) _
      (fun c i => eq_refl) _ _ _ O) as [D|(j & _ & D)]; [discriminate|]. unfold check_operation_shape in D.
    repeat match type of D with (if ?b then _ else _) = _ => destruct b end;
      try discriminate; injection D as <-; reflexivity.
Qed.

Lemma honest_positions_pass : forall block,
  phase_interval state block = Ok tt -> honest_block block -> phase_position state block = Ok tt.
Proof.
  intros block Pi [Hb _]. apply phase_position_ok. intros tx It.
  assert (R : claims_recent h state tx).
  { apply (interval_recent setup h state tx honest). apply phase_interval_ok with (block := block); assumption. }
  apply (positions_in_array setup h state tx honest R). intros c Ic. rewrite (Hb tx It) in Ic.
  exact (proj2 (honest_claims_true setup _ (version_good tx R) (operations tx) c Ic)).
Qed.

Lemma honest_openings_pass : forall block,
  phase_interval state block = Ok tt -> honest_block block -> phase_openings setup state block = Ok tt.
Proof.
  intros block Pi [Hb _]. apply phase_openings_ok. intros tx It.
  assert (R : claims_recent h state tx).
  { apply (interval_recent setup h state tx honest). apply phase_interval_ok with (block := block); assumption. }
  pose proof (version_good tx R) as W. pose proof (honest_vector_size _ _ _ honest) as Hn.
  assert (G : forall c, In c (claims tx) ->
    is_malformed (claim_opening c) = false /\ claim_verifies setup state c (claims_version tx) = true).
  { intros c Ic. rewrite (Hb tx It) in Ic. split; [exact (honest_claims_well_formed setup _ W (operations tx) c Ic)|].
    unfold claim_verifies. cbv zeta. rewrite (honest_version _ _ _ honest), (honest_commitments _ _ _ honest).
    rewrite (commitment_at_correct setup _ Hn _ h _ _ _
      (honest_history _ _ _ honest) (honest_window _ _ _ honest) R).
    unfold commitment_in.
    destruct (honest_claims_true setup _ W (operations tx) c Ic) as [_ B].
    destruct (position_split (claim_position c) _ Hn) as [Ep _].
    replace (_ <? _) with true by (symmetry; apply N.ltb_lt; lia).
    exact (honest_claims_accepted_each setup _ W _ made sized Hn (operations tx) c Ic). }
  unfold openings_good. intros c Ic. destruct (G c Ic). auto.
Qed.

Lemma tail_inside : (exists k, tail_start state = n * k) /\ tail_start state <= array_size (latest h).
Proof. destruct (honest_tail _ _ _ honest) as (M & L & _). split; assumption. Qed.

(** The tail vectors of an honest archive: no more than the block's deletes can make necessary, and so than there are. *)
Lemma honest_tail_few : forall block, honest_tail_vectors_of block ->
  exists count, tail_vectors block = honest_tail_vectors (latest h) (tail_start state) n count /\
    count <= tail_start state / n /\ count <= tail_needed (tail_start state) (least_size (size state) block) n.
Proof.
  intros block (count & Ev & C). exists count. split; [exact Ev|].
  destruct tail_inside as [M _]. pose proof (honest_vector_size _ _ _ honest) as Hn. fold n in Hn.
  assert (Few : count <= tail_needed (tail_start state) (least_size (size state) block) n).
  { unfold ideal_changes in C. destruct (run_block block _) as [changes|] eqn:R; [|exact C]. rewrite C.
    eapply needed_at_most; eassumption. }
  split; [|exact Few]. pose proof (tail_needed_most (tail_start state) (least_size (size state) block) n Hn M).
  apply N.div_le_lower_bound; [lia|]. nia.
Qed.

Lemma honest_tail_length : forall block count, count <= tail_start state / n ->
  tail_vectors block = honest_tail_vectors (latest h) (tail_start state) n count -> seq_length (tail_vectors block) = count.
Proof.
  intros block count Few Ev. rewrite Ev. destruct tail_inside as [M L]. pose proof (honest_vector_size _ _ _ honest) as Hn.
  apply (honest_tail_vectors_count (latest h) (tail_start state) n count
    (latest_good h (honest_history _ _ _ honest)) Hn M L Few).
Qed.

Lemma honest_tail_passes : forall block, honest_block block -> phase_tail setup state block = Ok tt.
Proof.
  intros block [_ Hv]. destruct (honest_tail_few block Hv) as (count & Ev & Few & Most). unfold phase_tail.
  destruct tail_inside as [M L]. pose proof (honest_vector_size _ _ _ honest) as Hn.
  rewrite (phase_tail_number_ok state block Hn M) by (rewrite (honest_tail_length block count Few Ev); exact Most).
  rewrite Ev, (honest_commitments _ _ _ honest).
  apply (honest_tail_vectors_checked (latest h) (tail_start state) n count (latest_good h (honest_history _ _ _ honest)) Hn
    M L Few setup (parameters state) eq_refl).
  intros q x Lx. apply (fit (now h) q x); [lia|exact Lx].
Qed.

Lemma honest_tail_true : forall block, honest_block block -> tail_vectors_true h state (tail_vectors block).
Proof.
  intros block [_ Hv]. destruct (honest_tail_few block Hv) as (count & Ev & Few & _). rewrite Ev. destruct tail_inside as [M L].
  pose proof (honest_vector_size _ _ _ honest) as Hn.
  pose proof (honest_tail_vectors_true (latest h) (tail_start state) n count (latest_good h (honest_history _ _ _ honest)) Hn
    M L Few) as T.
  intros i j p (Hi & Hj & number & En & ->). destruct (T i Hi) as (number' & En' & Ln & C). fold n in En.
  assert (number' = number) as -> by congruence. fold n. apply C. fold n in Hj. lia.
Qed.

Lemma honest_claims_all_true : forall block,
  phase_interval state block = Ok tt -> honest_block block -> block_claims_true h state block.
Proof.
  intros block Pi [Hb _] tx It.
  assert (R : claims_recent h state tx).
  { apply (interval_recent setup h state tx honest). apply phase_interval_ok with (block := block); assumption. }
  split; [exact R|]. apply honest_transaction_true; auto.
Qed.

Theorem honest_claims_accepted : forall block e,
  honest_block block -> apply_block setup state block = Err e -> reason_of_proof (reason e) = false.
Proof.
  intros block e Hb A. change (blameless e).
  assert (X : (exists s f, apply_block setup state block = Ok (s, f)) -> blameless e).
  { intros (s & f & E). rewrite E in A. discriminate. }
  assert (Y : forall r, execute_block setup state block = Err r -> r = e).
  { intros r E. unfold apply_block, apply_executed in A. rewrite E in A. congruence. }
  destruct (phase_size state block) as [[]|r] eqn:P1.
  2:{ rewrite <- (Y r); [exact (size_blameless _ _ _ P1)|]. unfold execute_block, execute_proved. rewrite P1. reflexivity. }
  destruct (phase_interval state block) as [[]|r] eqn:P2.
  2:{ rewrite <- (Y r); [exact (interval_blameless _ _ _ P2)|]. unfold execute_block, execute_proved. rewrite P1, P2. reflexivity. }
  destruct (phase_replay state (transaction_ids (dictionary_id state) (transactions block))) as [[]|r] eqn:P3.
  2:{ rewrite <- (Y r); [exact (replay_blameless _ _ _ P3)|]. unfold execute_block, execute_proved. cbv zeta. rewrite P1, P2, P3. reflexivity. }
  destruct (phase_shape state block) as [[]|r] eqn:P4.
  2:{ rewrite <- (Y r); [exact (shape_blameless _ _ P2 Hb P4)|]. unfold execute_block, execute_proved. cbv zeta. rewrite P1, P2, P3, P4. reflexivity. }
  pose proof (honest_positions_pass block P2 Hb) as P5. pose proof (honest_openings_pass block P2 Hb) as P6.
  pose proof (honest_tail_passes block Hb) as P7.
  assert (K : block_keys_good block) by exact (shapes_keys state block P4).
  pose proof (honest_claims_all_true block P2 Hb) as Ct.
  assert (P8 : resolve_block state block = Ok (block_contents h (transactions block))).
  { apply (honest_block_resolves setup h state honest block Ct); [intros tx It; apply Forall_forall; intros op Io; exact (K tx op It Io)|].
    intros tx It op Io. destruct Hb as [Hb _]. destruct (Ct tx It) as [R _].
    destruct (honest_claims_enough setup _ (version_good tx R) (operations tx) op Io) as [(c & Ic & Cc) D].
    exists c. rewrite (Hb tx It). split; [exact Ic|]. split; [exact Cc|]. intros Del _. exact (D Del). }
  destruct (run_block block (block_contents h (transactions block))) as [changes|r] eqn:P9.
  2:{ rewrite <- (Y r); [exact (run_block_blameless _ _ _ P9)|]. unfold execute_block, execute_proved. cbv zeta.
      rewrite P1, P2, P3, P4, P5, P6, P7, P8, P9. reflexivity. }
  apply X. apply (block_never_stuck setup h state honest (Plain block) (block_contents h (transactions block)) changes made sized Ct
    (honest_tail_true block Hb)).
  constructor; try assumption. cbn [block_in].
  unfold phase_tail_count. cbv zeta. destruct Hb as [_ Hv]. pose proof Hv as (count & Ev & Ex).
  unfold ideal_changes in Ex.
  change (whole_contents (latest h) (transactions block)) with (block_contents h (transactions block)) in Ex.
  rewrite P9 in Ex.
  assert (Few : count <= tail_start state / n).
  { destruct tail_inside as [M L]. pose proof (honest_vector_size _ _ _ honest) as Hn. fold n in Hn. rewrite Ex.
    pose proof (tail_needed_most (tail_start state) (size_after (size state) (net_changes changes)) n Hn M).
    apply N.div_le_lower_bound; [lia|]. nia. }
  rewrite (honest_tail_length block count Few Ev), Ex. fold n. rewrite N.ltb_irrefl. reflexivity.
Qed.

End OfState.

End Completeness.
