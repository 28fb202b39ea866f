(** Resolving a block's keys: what comes out is the current content, and honest claims are enough.

    - [resolve_transaction_sound], [resolve_block_sound]: when resolution succeeds, each key's content is that of the current
      array's map, the view knows the slot that covers the key, and, for a delete of a present key, the one that precedes it;
    - [resolve_transaction_complete], [resolve_block_complete]: when the views know these slots, resolution succeeds;
    - [honest_claims_resolve]: a transaction that brings, for each key, a claim of the slot that covered it, and, for a
      delete of a key that was present, a claim of its predecessor, resolves at every version up to which the window still
      reaches: whatever was written in between. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Dictionary.Slot Dictionary.SlotMap
  Dictionary.Array Block.Rejection Commitment.Scheme Dictionary.Genesis Block.Operation Block.Transaction
  Block.BlockData Dictionary.Window Block.State Block.View Block.Execution.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes Spec.Dictionary.Slot
  Lemmas.SlotMapLemmas Spec.Dictionary.SlotMap Lemmas.DictionaryLemmas Spec.Dictionary.Array
  Lemmas.SimulationLemmas Lemmas.History Spec.Dictionary.Window Lemmas.ViewLemmas Spec.Block.View.
Import ListNotations.
Local Open Scope N_scope.

(** ** Loops that use the index *)

Lemma indexed_loop_cons : forall A B (D : Default A) (f : B -> A -> N -> B) (x : A) s start a,
  fold_left (fun acc i => f acc (seq_at (x :: s) i) (start + i)) (range 0 (seq_length (x :: s))) a =
  fold_left (fun acc i => f acc (seq_at s i) (start + 1 + i)) (range 0 (seq_length s)) (f a x start).
Proof.
  intros. rewrite seq_length_cons, range_cons by lia. cbn [fold_left]. rewrite seq_at_cons_zero, N.add_0_r.
  rewrite range_shift, fold_left_map. apply fold_left_same. intros acc i _.
  rewrite seq_at_cons_succ. f_equal. lia.
Qed.

(** A covering slot whose key is another precedes the key, too. *)
Lemma covers_precedes : forall x k, covers x k = true -> key x <> k -> precedes x k = true.
Proof.
  intros x k C N. apply covers_iff in C. apply precedes_iff.
  assert (A : ~ blt k (key x) -> blt (key x) k).
  { intros H. apply not_blt in H. destruct H; [congruence|assumption]. }
  destruct C as [(B & C1 & C2)|(B & [C|C])].
  - left. split; [assumption|]. split; [auto|]. apply blt_asymmetric. assumption.
  - right. auto.
  - right. split; [assumption|]. right. apply blt_asymmetric. assumption.
Qed.

Section Resolution.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** What a view must know for an operation. *)
Definition knows_for_operation (view : SlotMap) (a : Array) (op : Operation) : Prop :=
  knows_covering view (array_slots a) (operation_key op) /\
  (is_delete (action op) = true -> map_of a (operation_key op) <> None ->
   knows_preceding view (array_slots a) (operation_key op)).

(** ** One operation *)

Section OfArray.

Variables (view : SlotMap) (a : Array).
Hypothesis good : well_formed a.
Hypothesis true_view : contained view (array_slots a).

Lemma found_covering_known : forall k p, covering_position view k = Some p -> knows_covering view (array_slots a) k.
Proof.
  intros k p E q G. destruct (covering_in_view view a k p good true_view E) as (x & L & _ & H).
  assert (p = q) as <- by congruence. eapply knows_live; eassumption.
Qed.

Lemma found_preceding_known : forall k p, preceding_position view k = Some p -> knows_preceding view (array_slots a) k.
Proof.
  intros k p E q G. destruct (preceding_in_view view a k p good true_view E) as (x & L & _ & H).
  assert (p = q) as <- by congruence. eapply knows_live; eassumption.
Qed.

(** The slot that covers the key in the view tells the key's content. *)
Lemma content_in_view : forall k x, k <> [] -> covering_slot view k = Some x -> content_in_slot x k = map_of a k.
Proof.
  intros k x K E. unfold covering_slot in E. destruct (covering_position view k) as [p|] eqn:P; [|discriminate].
  destruct (covering_position_sound _ _ _ P) as (y & L & C). unfold live in L. assert (y = x) as -> by congruence.
  apply true_view in L. unfold content_in_slot. destruct (bytes_equal_spec (key x) k).
  - symmetry. eapply membership_sound; eauto.
  - symmetry. eapply nonmembership_sound; eauto.
Qed.

Lemma resolve_operation_sound : forall op x j content,
  operation_key op <> [] -> resolve_operation view op x j = Ok content ->
  content = map_of a (operation_key op) /\ knows_for_operation view a op.
Proof.
  intros op x j content K E. unfold resolve_operation in E. set (k := operation_key op) in *.
  destruct (covering_slot view k) as [covering|] eqn:S; [|discriminate].
  pose proof (content_in_view k covering K S) as M.
  assert (Kc : knows_covering view (array_slots a) k).
  { unfold covering_slot in S. destruct (covering_position view k) as [p|] eqn:P; [|discriminate].
    eapply found_covering_known; eassumption. }
  destruct (preceding_position view k) as [r|] eqn:P.
  - injection E as <-. split; [assumption|]. split; [assumption|]. intros _ _. eapply found_preceding_known; eassumption.
  - destruct (needs_predecessor op covering) eqn:Nd; [discriminate|]. injection E as <-.
    split; [assumption|]. split; [assumption|]. intros Del Present. exfalso. apply Present. fold k. rewrite <- M.
    unfold needs_predecessor in Nd. rewrite Del in Nd. cbn [andb] in Nd. unfold content_in_slot. fold k in Nd.
    rewrite Nd. reflexivity.
Qed.

Lemma resolve_operation_complete : forall op x j,
  operation_key op <> [] -> knows_for_operation view a op ->
  resolve_operation view op x j = Ok (map_of a (operation_key op)).
Proof.
  intros op x j K [Kc Kp]. unfold resolve_operation. set (k := operation_key op) in *.
  destruct (covering_slot_exists a k good) as (p & y & P & _ & L & _).
  pose proof (covering_known view a k p good true_view (Kc p P) P) as Pv.
  assert (S : covering_slot view k = Some y).
  { apply (covering_slot_of_position view k p); [assumption|]. eapply knows_same; [apply Kc; eassumption|assumption]. }
  rewrite S. pose proof (content_in_view k y K S) as M. rewrite M.
  destruct (preceding_position view k) as [r|] eqn:R; [reflexivity|].
  destruct (needs_predecessor op y) eqn:Nd; [|reflexivity]. exfalso.
  unfold needs_predecessor in Nd. apply andb_true_iff in Nd. destruct Nd as [Del E]. fold k in E.
  assert (Present : map_of a k <> None). { rewrite <- M. unfold content_in_slot. rewrite E. discriminate. }
  destruct (preceding_slot_exists a k good) as (r & z & Q & _).
  rewrite (preceding_known view a k r good true_view (Kp Del Present r Q) Q) in R. discriminate.
Qed.

(** ** A transaction's operations *)

Definition keys_legal (items : list Operation) : Prop := Forall (fun op => operation_key op <> []) items.

Definition map_contents (items : list Operation) : Contents := map (fun op => map_of a (operation_key op)) items.

Lemma resolve_operations_failed : forall items x e start,
  fold_left (fun resolved j => resolve_operations_step resolved view (seq_at items j) x (start + j))
    (range 0 (seq_length items)) (Err e) = Err e.
Proof.
  induction items as [|op items IH]; intros x e start; [reflexivity|].
  rewrite (indexed_loop_cons _ _ _ (fun r op j => resolve_operations_step r view op x j)). apply IH.
Qed.

Lemma resolve_operations_sound : forall items x start before out,
  keys_legal items ->
  fold_left (fun resolved j => resolve_operations_step resolved view (seq_at items j) x (start + j))
    (range 0 (seq_length items)) (Ok before) = Ok out ->
  out = before ++ map_contents items /\ Forall (knows_for_operation view a) items.
Proof.
  induction items as [|op items IH]; intros x start before out K E.
  - cbn in E. injection E as <-. unfold map_contents. cbn. rewrite app_nil_r. auto.
  - inversion K as [|? ? K1 K2]; subst.
    rewrite (indexed_loop_cons _ _ _ (fun r op j => resolve_operations_step r view op x j)) in E.
    cbn [resolve_operations_step] in E. unfold resolve_next in E.
    destruct (resolve_operation view op x start) as [content|e] eqn:R.
    + apply resolve_operation_sound in R; [|assumption]. destruct R as [-> Kn].
      apply IH in E; [|assumption]. destruct E as [-> Kr]. unfold map_contents. cbn [map]. rewrite <- app_assoc. auto.
    + rewrite resolve_operations_failed in E. discriminate.
Qed.

Lemma resolve_operations_complete : forall items x start before,
  keys_legal items -> Forall (knows_for_operation view a) items ->
  fold_left (fun resolved j => resolve_operations_step resolved view (seq_at items j) x (start + j))
    (range 0 (seq_length items)) (Ok before) = Ok (before ++ map_contents items).
Proof.
  induction items as [|op items IH]; intros x start before K Kn.
  - cbn. rewrite app_nil_r. reflexivity.
  - inversion K as [|? ? K1 K2]; inversion Kn as [|? ? N1 N2]; subst.
    rewrite (indexed_loop_cons _ _ _ (fun r op j => resolve_operations_step r view op x j)).
    cbn [resolve_operations_step]. unfold resolve_next. rewrite resolve_operation_complete by assumption.
    rewrite IH by assumption. unfold map_contents. cbn [map]. rewrite <- app_assoc. reflexivity.
Qed.

End OfArray.

(** ** Transactions and blocks *)

Section OfState.

Variables (setup : Setup) (h : History) (state : ValidatorState).
Hypothesis honest : honest_state setup h state.

(** What the views of a block's transactions must know. *)
Definition block_knows (block : Block) : Prop :=
  forall tx op, In tx (transactions block) -> In op (operations tx) ->
    knows_for_operation (transaction_view state tx) (latest h) op.

(** The keys of a block are not the sentinel's. *)
Definition block_keys_legal (block : Block) : Prop :=
  forall tx, In tx (transactions block) -> keys_legal (operations tx).

Let good : well_formed (latest h) := latest_well_formed h (honest_history setup h state honest).

Theorem resolve_transaction_sound : forall tx x contents,
  claims_recent h state tx -> claims_true h tx -> keys_legal (operations tx) ->
  resolve_transaction state tx x = Ok contents ->
  contents = map_contents (latest h) (operations tx) /\
  Forall (knows_for_operation (transaction_view state tx) (latest h)) (operations tx).
Proof.
  intros tx x contents R T K E.
  exact (resolve_operations_sound _ _ good (transaction_view_true setup h state honest tx R T)
    (operations tx) x 0 [] contents K E).
Qed.

Theorem resolve_transaction_complete : forall tx x,
  claims_recent h state tx -> claims_true h tx -> keys_legal (operations tx) ->
  Forall (knows_for_operation (transaction_view state tx) (latest h)) (operations tx) ->
  resolve_transaction state tx x = Ok (map_contents (latest h) (operations tx)).
Proof.
  intros tx x R T K Kn.
  exact (resolve_operations_complete _ _ good (transaction_view_true setup h state honest tx R T)
    (operations tx) x 0 [] K Kn).
Qed.

Definition block_contents (items : list Transaction) : list Contents :=
  map (fun tx => map_contents (latest h) (operations tx)) items.

Lemma resolve_block_failed : forall items e start,
  fold_left (fun resolved x => resolve_block_step resolved state (seq_at items x) (start + x))
    (range 0 (seq_length items)) (Err e) = Err e.
Proof.
  induction items as [|tx items IH]; intros e start; [reflexivity|].
  rewrite (indexed_loop_cons _ _ _ (fun r tx x => resolve_block_step r state tx x)). apply IH.
Qed.

Lemma resolve_items_sound : forall items start before out,
  (forall tx, In tx items -> claims_recent h state tx /\ claims_true h tx /\ keys_legal (operations tx)) ->
  fold_left (fun resolved x => resolve_block_step resolved state (seq_at items x) (start + x))
    (range 0 (seq_length items)) (Ok before) = Ok out ->
  out = before ++ block_contents items /\
  forall tx op, In tx items -> In op (operations tx) ->
    knows_for_operation (transaction_view state tx) (latest h) op.
Proof.
  induction items as [|tx items IH]; intros start before out H E.
  - cbn in E. injection E as <-. cbn. rewrite app_nil_r. split; [reflexivity|]. intros ? ? [].
  - rewrite (indexed_loop_cons _ _ _ (fun r tx x => resolve_block_step r state tx x)) in E.
    cbn [resolve_block_step] in E. unfold resolve_next_transaction in E.
    destruct (H tx (or_introl eq_refl)) as (R & T & K).
    destruct (resolve_transaction state tx start) as [own|e] eqn:O; [|rewrite resolve_block_failed in E; discriminate].
    apply resolve_transaction_sound in O; [|assumption|assumption|assumption]. destruct O as [-> Kn].
    apply IH in E; [|intros; apply H; right; assumption]. destruct E as [-> Kr].
    split; [unfold block_contents; cbn [map]; rewrite <- app_assoc; reflexivity|].
    intros tx' op [<-|I] Io; [|apply Kr; assumption]. rewrite Forall_forall in Kn. apply Kn. assumption.
Qed.

Theorem resolve_block_sound : forall block resolved,
  block_claims_true h state block -> block_keys_legal block ->
  resolve_block state block = Ok resolved ->
  resolved = block_contents (transactions block) /\ block_knows block.
Proof.
  intros block resolved C K E. apply (resolve_items_sound (transactions block) 0 [] resolved); [|exact E].
  intros tx I. destruct (C tx I). auto.
Qed.

Theorem resolve_block_complete : forall block,
  block_claims_true h state block -> block_keys_legal block -> block_knows block ->
  resolve_block state block = Ok (block_contents (transactions block)).
Proof.
  intros block C K Kn.
  assert (G : forall items start before,
    (forall tx, In tx items -> In tx (transactions block)) ->
    fold_left (fun resolved x => resolve_block_step resolved state (seq_at items x) (start + x))
      (range 0 (seq_length items)) (Ok before) = Ok (before ++ block_contents items)).
  { induction items as [|tx items IH]; intros start before H; [cbn; rewrite app_nil_r; reflexivity|].
    rewrite (indexed_loop_cons _ _ _ (fun r tx x => resolve_block_step r state tx x)).
    pose proof (H tx (or_introl eq_refl)) as I. destruct (C tx I) as [R T].
    cbn [resolve_block_step]. unfold resolve_next_transaction.
    rewrite resolve_transaction_complete; [|assumption|assumption|apply K; assumption|].
    - rewrite IH by (intros; apply H; right; assumption). unfold block_contents. cbn [map].
      rewrite <- app_assoc. reflexivity.
    - apply Forall_forall. intros op Io. apply Kn; assumption. }
  apply (G (transactions block) 0 []). auto.
Qed.

(** ** Honest transactions *)

(** The transaction brings, for each key, a claim of the slot that covered it at the claims' version, and for each delete of
    a key that was present then, a claim of the slot that preceded it. *)
Definition brings_enough (tx : Transaction) : Prop :=
  forall op, In op (operations tx) ->
    exists c, In c (claims tx) /\ covers (claim_slot c) (operation_key op) = true /\
      (is_delete (action op) = true -> key (claim_slot c) = operation_key op ->
       exists d, In d (claims tx) /\ precedes (claim_slot d) (operation_key op) = true).

Theorem honest_claims_resolve : forall tx x,
  claims_recent h state tx -> claims_true h tx -> keys_legal (operations tx) -> brings_enough tx ->
  resolve_transaction state tx x = Ok (map_contents (latest h) (operations tx)).
Proof.
  intros tx x R T K B. apply resolve_transaction_complete; try assumption. apply Forall_forall. intros op Io.
  destruct (B op Io) as (c & Ic & Cc & P). split.
  - eapply claimed_covering_known; eassumption.
  - intros Del _. destruct (bytes_dec (key (claim_slot c)) (operation_key op)) as [E|N].
    + destruct (P Del E) as (d & Id & Pd). eapply claimed_preceding_known; eassumption.
    + eapply claimed_preceding_known; try eassumption. apply covers_precedes; assumption.
Qed.

Theorem honest_block_resolves : forall block,
  block_claims_true h state block -> block_keys_legal block ->
  (forall tx, In tx (transactions block) -> brings_enough tx) ->
  resolve_block state block = Ok (block_contents (transactions block)).
Proof.
  intros block C K B. apply resolve_block_complete; try assumption. intros tx op It Io.
  destruct (C tx It) as [R T]. destruct (B tx It op Io) as (c & Ic & Cc & P). split.
  - eapply claimed_covering_known; eassumption.
  - intros Del _. destruct (bytes_dec (key (claim_slot c)) (operation_key op)) as [E|N].
    + destruct (P Del E) as (d & Id & Pd). eapply claimed_preceding_known; eassumption.
    + eapply claimed_preceding_known; try eassumption. apply covers_precedes; assumption.
Qed.

(** What the views of the transactions know, the view of the block knows. *)
Theorem block_view_knows_operations : forall block tx op,
  block_claims_true h state block -> tail_vectors_true h state (tail_vectors block) -> block_knows block ->
  In tx (transactions block) -> In op (operations tx) ->
  knows_for_operation (block_view state block) (latest h) op.
Proof.
  intros block tx op C V Kn It Io. destruct (Kn tx op It Io) as [Kc Kp]. split.
  - intros p P. eapply block_view_knows_more; eauto.
  - intros Del Present p P. pose proof (Kp Del Present p P). eapply block_view_knows_more; eauto.
Qed.

End OfState.

End Resolution.
