(** What it means that a check passes: phases 1 to 5, said as conditions on transactions. The others: BlockChecks.v.

    - [check_interval_ok], [check_replay_ok], [check_shape_ok], [check_positions_ok], [check_transaction_size_ok]: one
      transaction passes a phase exactly when the phase's condition holds;
    - [phase_interval_ok] and the others: so does a block, when each of its transactions does;
    - [interval_recent]: claims of a valid interval are for a version that the window reaches back to;
    - [positions_in_array]: claimed positions lie in the array of the claims' version. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Dictionary.Slot Dictionary.SlotMap
  Dictionary.Array Commitment.Opening Commitment.Scheme Block.Rejection Block.Operation Dictionary.Genesis
  Dictionary.Changes Dictionary.Vectors Dictionary.Window Block.Transaction Block.State Block.BlockData
  Block.Tail Block.View Block.Checks Block.Execution Block.Phases.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes Spec.Dictionary.Slot
  Lemmas.ChecksLemmas Lemmas.History Spec.Dictionary.Window Spec.Block.View Lemmas.Resolution.
Import ListNotations.
Local Open Scope N_scope.

Section Checks.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** ** Phase 1: sizes *)

Definition transaction_size_good (p : Parameters) (tx : Transaction) : Prop :=
  seq_length (operations tx) <= transaction_operations p /\ seq_length (claims tx) <= transaction_claims p /\
  transaction_length tx <= transaction_bytes p.

Theorem check_transaction_size_ok : forall p tx x,
  check_transaction_size p tx x = Ok tt <-> transaction_size_good p tx.
Proof.
  intros p tx x. unfold check_transaction_size, transaction_size_good.
  destruct (N.ltb_spec (transaction_operations p) (seq_length (operations tx))); [split; [discriminate|lia]|].
  destruct (N.ltb_spec (transaction_claims p) (seq_length (claims tx))); [split; [discriminate|lia]|].
  destruct (N.ltb_spec (transaction_bytes p) (transaction_length tx)); [split; [discriminate|lia]|].
  split; [auto|reflexivity].
Qed.

Definition block_size_good (state : ValidatorState) (block : Block) : Prop :=
  block_version block = version state + 1 /\
  seq_length (transactions block) <= block_transactions (parameters state) /\
  total_operations (block_totals block) <= block_operations (parameters state) /\
  total_claims (block_totals block) <= block_claims (parameters state) /\
  block_length block <= block_bytes (parameters state).

Theorem check_block_size_ok : forall state block, check_block_size state block = Ok tt <-> block_size_good state block.
Proof.
  intros state block. unfold check_block_size, block_size_good. cbv zeta.
  destruct (N.eqb_spec (block_version block) (version state + 1)); cbn [negb]; [|split; [discriminate|tauto]].
  destruct (N.ltb_spec (block_transactions (parameters state)) (seq_length (transactions block))); [split; [discriminate|lia]|].
  destruct (N.ltb_spec (block_operations (parameters state)) (total_operations (block_totals block)));
    [split; [discriminate|lia]|].
  destruct (N.ltb_spec (block_claims (parameters state)) (total_claims (block_totals block))); [split; [discriminate|lia]|].
  destruct (N.ltb_spec (block_bytes (parameters state)) (block_length block)); [split; [discriminate|lia]|].
  split; [auto|reflexivity].
Qed.

Theorem phase_size_ok : forall state block,
  phase_size state block = Ok tt <->
  block_size_good state block /\ forall tx, In tx (transactions block) -> transaction_size_good (parameters state) tx.
Proof.
  intros state block. unfold phase_size.
  change (fold_left _ _ _) with (checks
    (fun x => check_transaction_size (parameters state) (seq_at (transactions block) x) x)
    (seq_length (transactions block)) (check_block_size state block)).
  rewrite checks_pass, check_block_size_ok, <- (all_elements _ Default_Transaction).
  split; intros [S H]; (split; [assumption|]); intros i Hi; apply check_transaction_size_ok with (x := i); apply H, Hi.
Qed.

(** ** Phase 2: intervals *)

Definition interval_good (p : Parameters) (b : N) (tx : Transaction) : Prop :=
  1 <= first_valid tx /\ first_valid tx <= b /\ b <= last_valid tx /\ last_valid tx <= first_valid tx + window_length p.

Theorem check_interval_ok : forall p tx b x, check_interval p tx b x = Ok tt <-> interval_good p b tx.
Proof.
  intros p tx b x. unfold check_interval, interval_good.
  destruct (N.eqb_spec (first_valid tx) 0); cbn [orb]; [split; [discriminate|lia]|].
  destruct (N.ltb_spec (last_valid tx) (first_valid tx)); [split; [discriminate|lia]|].
  destruct (N.ltb_spec (window_length p) (last_valid tx - first_valid tx)); [split; [discriminate|lia]|].
  destruct (N.ltb_spec b (first_valid tx)); [split; [discriminate|lia]|].
  destruct (N.ltb_spec (last_valid tx) b); [split; [discriminate|lia]|].
  split; [lia|reflexivity].
Qed.

Theorem phase_interval_ok : forall state block,
  phase_interval state block = Ok tt <->
  forall tx, In tx (transactions block) -> interval_good (parameters state) (version state + 1) tx.
Proof.
  intros state block. unfold phase_interval.
  change (fold_left _ _ _) with (checks
    (fun x => check_interval (parameters state) (seq_at (transactions block) x) (version state + 1) x)
    (seq_length (transactions block)) (Ok tt)).
  rewrite checks_pass_all, <- (all_elements _ Default_Transaction).
  split; intros H i Hi; apply check_interval_ok with (x := i); apply H, Hi.
Qed.

(** The version of the claims is one that the window reaches back to. *)
Theorem interval_recent : forall setup h state tx,
  honest_state setup h state -> interval_good (parameters state) (version state + 1) tx -> claims_recent h state tx.
Proof.
  intros setup h state tx H (F1 & F2 & L1 & L2). unfold claims_recent, within_window, claims_version.
  destruct (honest_window _ _ _ H) as [L _]. rewrite (honest_version _ _ _ H) in *.
  destruct (N.ltb_spec 0 (first_valid tx)); lia.
Qed.

(** ** Phase 3: replays *)

Lemma is_replayed_iff : forall entries id,
  is_replayed entries id = true <-> exists e, In e entries /\ replay_id e = id.
Proof.
  intros entries id. unfold is_replayed.
  change (fold_left _ _ _) with (fold_left (fun found i => found || (fun e => bytes_equal (replay_id e) id) (seq_at entries i))
    (range 0 (seq_length entries)) false).
  rewrite some_element. split.
  - intros [|(i & Hi & E)]; [discriminate|]. exists (seq_at entries i). split; [apply seq_at_in; assumption|].
    apply bytes_equal_iff. exact E.
  - intros (e & I & E). right. destruct (in_seq_at _ _ entries e I) as (i & Hi & <-). exists i. split; [assumption|].
    apply bytes_equal_iff. exact E.
Qed.

Lemma has_id_before_iff : forall ids count id,
  has_id_before ids count id = true <-> exists i, i < count /\ seq_at ids i = id.
Proof.
  intros ids count id. unfold has_id_before.
  change (fold_left _ _ _) with (fold_left (fun found i => found || (fun other => bytes_equal other id) (seq_at ids i))
    (range 0 count) false).
  rewrite some_element. split.
  - intros [|(i & Hi & E)]; [discriminate|]. exists i. split; [assumption|]. apply bytes_equal_iff. exact E.
  - intros (i & Hi & E). right. exists i. split; [assumption|]. apply bytes_equal_iff. exact E.
Qed.

(** The transaction was neither applied before nor stands earlier in the block. *)
Definition replay_good (state : ValidatorState) (ids : list ByteString) (x : N) : Prop :=
  (forall e, In e (replay_set state) -> replay_id e <> seq_at ids x) /\
  forall i, i < x -> seq_at ids i <> seq_at ids x.

Theorem check_replay_ok : forall state ids x, check_replay state ids x = Ok tt <-> replay_good state ids x.
Proof.
  intros state ids x. unfold check_replay, replay_good.
  destruct (is_replayed (replay_set state) (seq_at ids x)) eqn:R.
  { apply is_replayed_iff in R. destruct R as (e & I & E). split; [discriminate|]. intros [H _]. destruct (H e I E). }
  destruct (has_id_before ids x (seq_at ids x)) eqn:B.
  { apply has_id_before_iff in B. destruct B as (i & Hi & E). split; [discriminate|]. intros [_ H]. destruct (H i Hi E). }
  split; [intros _|reflexivity]. split.
  - intros e I E. rewrite <- not_true_iff_false in R. apply R, is_replayed_iff. eauto.
  - intros i Hi E. rewrite <- not_true_iff_false in B. apply B, has_id_before_iff. eauto.
Qed.

Theorem phase_replay_ok : forall state ids,
  phase_replay state ids = Ok tt <-> forall x, x < seq_length ids -> replay_good state ids x.
Proof.
  intros state ids. unfold phase_replay.
  change (fold_left _ _ _) with (checks (check_replay state ids) (seq_length ids) (Ok tt)).
  rewrite checks_pass_all. split; intros H x Hx; apply check_replay_ok; apply H; assumption.
Qed.

(** ** Phase 4: shapes *)

Definition operation_good (p : Parameters) (op : Operation) : Prop :=
  operation_key op <> [] /\ seq_length (operation_key op) <= max_key_length p /\
  action_too_long p (action op) = false /\ is_zero_amount (action op) = false.

Lemma seq_length_zero : forall A (s : list A), seq_length s = 0 <-> s = [].
Proof. intros A [|x s]; [split; reflexivity|]. rewrite seq_length_cons. split; [lia|discriminate]. Qed.

Lemma check_operation_shape_ok : forall p op x j, check_operation_shape p op x j = Ok tt <-> operation_good p op.
Proof.
  intros p op x j. unfold check_operation_shape, operation_good.
  assert (Z : seq_length (operation_key op) = 0 <-> operation_key op = []) by apply seq_length_zero.
  destruct (N.eqb_spec (seq_length (operation_key op)) 0) as [E|N]; [split; [discriminate|tauto]|].
  destruct (N.ltb_spec (max_key_length p) (seq_length (operation_key op))); [split; [discriminate|lia]|].
  destruct (action_too_long p (action op)); [split; [discriminate|intros (_ & _ & H' & _); discriminate]|].
  destruct (is_zero_amount (action op)); [split; [discriminate|intros (_ & _ & _ & H'); discriminate]|].
  split; [intros _; tauto|reflexivity].
Qed.

(** The claim's lengths are within the maxima. *)
Definition claim_lengths_good (p : Parameters) (c : Claim) : Prop :=
  seq_length (key (claim_slot c)) <= max_key_length p /\ seq_length (next (claim_slot c)) <= max_key_length p /\
  seq_length (value (claim_slot c)) <= max_value_length p.

(** The claim serves one of the operations. *)
Definition claim_serves (items : list Operation) (c : Claim) : Prop := exists op, In op items /\ serves c op = true.

Lemma serves_some_iff : forall c items, serves_some c items = true <-> claim_serves items c.
Proof.
  intros c items. unfold serves_some.
  change (fold_left _ _ _) with (fold_left (fun found j => found || serves c (seq_at items j))
    (range 0 (seq_length items)) false).
  rewrite (some_element _ _ (serves c)). split.
  - intros [|(i & Hi & E)]; [discriminate|]. exists (seq_at items i). split; [apply seq_at_in; assumption|assumption].
  - intros (op & I & E). right. destruct (in_seq_at _ _ items op I) as (i & Hi & <-). exists i. auto.
Qed.

Lemma claimed_before_iff : forall items count p,
  claimed_before items count p = true <-> exists i, i < count /\ claim_position (seq_at items i) = p.
Proof.
  intros items count p. unfold claimed_before.
  change (fold_left _ _ _) with (fold_left (fun found c => found || (fun c => claim_position c =? p) (seq_at items c))
    (range 0 count) false).
  rewrite some_element. split.
  - intros [|(i & Hi & E)]; [discriminate|]. exists i. split; [assumption|]. apply N.eqb_eq. exact E.
  - intros (i & Hi & E). right. exists i. split; [assumption|]. apply N.eqb_eq. exact E.
Qed.

Definition shape_good (p : Parameters) (tx : Transaction) : Prop :=
  (seq_length (nonce tx) = NONCE_LENGTH /\ operations tx <> []) /\
  (forall op, In op (operations tx) -> operation_good p op) /\
  (forall c, In c (claims tx) -> claim_lengths_good p c /\ claim_serves (operations tx) c) /\
  forall i j, i < j -> j < seq_length (claims tx) ->
    claim_position (seq_at (claims tx) i) <> claim_position (seq_at (claims tx) j).

Lemma check_claim_shape_ok : forall p tx x c,
  check_claim_shape p tx x c = Ok tt <->
  claim_lengths_good p (seq_at (claims tx) c) /\ claim_serves (operations tx) (seq_at (claims tx) c) /\
  forall i, i < c -> claim_position (seq_at (claims tx) i) <> claim_position (seq_at (claims tx) c).
Proof.
  intros p tx x c. unfold check_claim_shape. cbv zeta. rewrite <- serves_some_iff. unfold claim_lengths_good.
  set (claim := seq_at (claims tx) c).
  destruct (N.ltb_spec (max_key_length p) (seq_length (key (claim_slot claim)))); cbn [orb]; [split; [discriminate|lia]|].
  destruct (N.ltb_spec (max_key_length p) (seq_length (next (claim_slot claim)))); [split; [discriminate|lia]|].
  destruct (N.ltb_spec (max_value_length p) (seq_length (value (claim_slot claim)))); [split; [discriminate|lia]|].
  destruct (claimed_before (claims tx) c (claim_position claim)) eqn:B.
  { apply claimed_before_iff in B. destruct B as (i & Hi & E). split; [discriminate|].
    intros (_ & _ & D). destruct (D i Hi E). }
  destruct (serves_some claim (operations tx)) eqn:S; cbn [negb].
  2:{ split; [discriminate|]. intros (_ & D & _). discriminate. }
  split; [intros _|reflexivity]. split; [auto|]. split; [reflexivity|]. intros i Hi E.
  rewrite <- not_true_iff_false in B. apply B, claimed_before_iff. eauto.
Qed.

Theorem check_shape_ok : forall p tx x, check_shape p tx x = Ok tt <-> shape_good p tx.
Proof.
  intros p tx x. unfold check_shape, shape_good.
  assert (Z : seq_length (operations tx) = 0 <-> operations tx = []) by apply seq_length_zero.
  destruct (N.eqb_spec (seq_length (nonce tx)) NONCE_LENGTH) as [Nonce|Other]; cbn [negb]; [|split; [discriminate|tauto]].
  destruct (N.eqb_spec (seq_length (operations tx)) 0) as [E|N]; [split; [discriminate|tauto]|].
  assert (Ops : check_operation_shapes p tx x = Ok tt <-> forall op, In op (operations tx) -> operation_good p op).
  { unfold check_operation_shapes.
    change (fold_left _ _ _) with (checks (fun j => check_operation_shape p (seq_at (operations tx) j) x j)
      (seq_length (operations tx)) (Ok tt)).
    rewrite checks_pass_all, <- (all_elements _ Default_Operation). split; intros H i Hi; apply check_operation_shape_ok with (x := x) (j := i), H, Hi. }
  assert (Cls : check_claim_shapes p tx x = Ok tt <->
    (forall c, In c (claims tx) -> claim_lengths_good p c /\ claim_serves (operations tx) c) /\
    forall i j, i < j -> j < seq_length (claims tx) ->
      claim_position (seq_at (claims tx) i) <> claim_position (seq_at (claims tx) j)).
  { unfold check_claim_shapes.
    change (fold_left _ _ _) with (checks (check_claim_shape p tx x) (seq_length (claims tx)) (Ok tt)).
    rewrite checks_pass_all. rewrite <- (all_elements _ Default_Claim). split.
    - intros H. split.
      + intros i Hi. apply H in Hi. apply check_claim_shape_ok in Hi. destruct Hi as (L & S & _). split; assumption.
      + intros i j Hij Hj. apply H in Hj. apply check_claim_shape_ok in Hj. apply Hj. assumption.
    - intros [H D] i Hi. apply check_claim_shape_ok. destruct (H i Hi). split; [assumption|]. split; [assumption|].
      intros j Hj. apply D; assumption. }
  destruct (check_operation_shapes p tx x) as [[]|e].
  - rewrite Cls. split; [|intros (_ & _ & H); exact H]. intros H.
    split; [split; [exact Nonce|intros G; apply N; apply Z; exact G]|]. split; [apply Ops; reflexivity|exact H].
  - split; [discriminate|]. intros (_ & H & _). apply Ops in H. discriminate.
Qed.

Theorem phase_shape_ok : forall state block,
  phase_shape state block = Ok tt <-> forall tx, In tx (transactions block) -> shape_good (parameters state) tx.
Proof.
  intros state block. unfold phase_shape.
  change (fold_left _ _ _) with (checks (fun x => check_shape (parameters state) (seq_at (transactions block) x) x)
    (seq_length (transactions block)) (Ok tt)).
  rewrite checks_pass_all, <- (all_elements _ Default_Transaction). split; intros H i Hi; apply check_shape_ok with (x := i), H, Hi.
Qed.

(** A shapely transaction's keys are not the sentinel's. *)
Lemma shape_keys_legal : forall p tx, shape_good p tx -> keys_legal (operations tx).
Proof. intros p tx (_ & H & _). apply Forall_forall. intros op I. apply H. assumption. Qed.

(** ** Phase 5: positions *)

(** The claimed positions lie below the number of slots at the claims' version, as the window knows it. *)
Definition positions_good (state : ValidatorState) (tx : Transaction) : Prop :=
  forall c, In c (claims tx) ->
    exists s, size_at (window state) (version state) (size state) (claims_version tx) = Some s /\ claim_position c < s.

Lemma check_position_ok : forall state claim v x c,
  check_position state claim v x c = Ok tt <->
  exists s, size_at (window state) (version state) (size state) v = Some s /\ claim_position claim < s.
Proof.
  intros state claim v x c. unfold check_position.
  destruct (size_at (window state) (version state) (size state) v) as [s|].
  - destruct (N.ltb_spec (claim_position claim) s); split; intros G; try discriminate; eauto.
    destruct G as (s' & E & L). injection E as <-. lia.
  - split; [discriminate|]. intros (s & E & _). discriminate.
Qed.

Theorem check_positions_ok : forall state tx x, check_positions state tx x = Ok tt <-> positions_good state tx.
Proof.
  intros state tx x. unfold check_positions, positions_good.
  change (fold_left _ _ _) with (checks (fun c => check_position state (seq_at (claims tx) c) (claims_version tx) x c)
    (seq_length (claims tx)) (Ok tt)).
  rewrite checks_pass_all, <- (all_elements _ Default_Claim). split; intros H i Hi; apply check_position_ok with (x := x) (c := i), H, Hi.
Qed.

Theorem phase_position_ok : forall state block,
  phase_position state block = Ok tt <-> forall tx, In tx (transactions block) -> positions_good state tx.
Proof.
  intros state block. unfold phase_position.
  change (fold_left _ _ _) with (checks (fun x => check_positions state (seq_at (transactions block) x) x)
    (seq_length (transactions block)) (Ok tt)).
  rewrite checks_pass_all, <- (all_elements _ Default_Transaction). split; intros H i Hi; apply check_positions_ok with (x := i), H, Hi.
Qed.

(** In the state of a history, these are the positions of the whole array at the claims' version. *)
Theorem positions_in_array : forall setup h state tx,
  honest_state setup h state -> claims_recent h state tx ->
  (positions_good state tx <->
   forall c, In c (claims tx) -> claim_position c < array_size (array_at h (claims_version tx))).
Proof.
  intros setup h state tx H R. unfold positions_good.
  rewrite (honest_version _ _ _ H), (honest_size _ _ _ H).
  rewrite (size_at_correct _ _ _ _ _ (honest_window _ _ _ H) _ R). split.
  - intros P c I. destruct (P c I) as (s & E & L). injection E as <-. assumption.
  - intros P c I. eexists. split; [reflexivity|]. apply P. assumption.
Qed.

End Checks.
