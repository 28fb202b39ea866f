(** What a validator's view says, it says of the current version: however stale the claims.

    The claims are true at the version that they are for; the state is that of the history ([honest_state], History.v). t is
    the current version, and the whole array at t the last of the history.

    - [transaction_view_true], [block_view_true]: each slot that a view holds stands at that position at t;
    - [view_answers_true]: what a key resolves to in a view is its content at t;
    - [stale_claims_resolve_current]: with a claim whose slot covered the key at the claims' version, the view finds the
      slot that covers it at t;
    - [predecessor_resolves_current]: with a claim whose slot preceded the key then, the view finds the slot that precedes
      it at t;
    - [view_knows_written], [view_knows_tail]: the view knows every position that the window wrote, and the whole tail;
    - [block_view_knows_more]: the view of the whole block knows whatever the view of one transaction knows. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Dictionary.Slot Dictionary.SlotMap
  Dictionary.Array Commitment.Scheme Dictionary.Genesis Dictionary.Writes Dictionary.Vectors Dictionary.Window
  Block.Transaction Block.BlockData Block.Tail Block.State Block.View.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes Spec.Dictionary.Slot
  Lemmas.SlotMapLemmas Spec.Dictionary.SlotMap Lemmas.DictionaryLemmas Spec.Dictionary.Array
  Lemmas.SimulationLemmas Spec.Dictionary.Writes Lemmas.History Spec.Dictionary.Window Lemmas.ViewLemmas.
Import ListNotations.
Local Open Scope N_scope.

Section View.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** The claims are true at their version: the claimed slot stood at the claimed position. *)
Definition claims_true (h : History) (tx : Transaction) : Prop :=
  forall c, In c (claims tx) ->
    slot_at (array_slots (array_at h (claims_version tx))) (claim_position c) = Some (claim_slot c).

(** The claims' version is one that the window reaches back to. *)
Definition claims_recent (h : History) (state : ValidatorState) (tx : Transaction) : Prop :=
  within_window h (window state) (claims_version tx).

(** Each slot of the block's tail vectors stands at its position in the current array. *)
Definition tail_vectors_true (h : History) (state : ValidatorState) (vectors : list (list Slot)) : Prop :=
  forall i j p,
    in_tail_vector (tail_start state) (vector_size (parameters state)) vectors i j p ->
    slot_at (array_slots (latest h)) p = Some (seq_at (seq_at vectors i) j).

Lemma within_good : forall h kept v, good_history h -> within_window h kept v -> well_formed (array_at h v).
Proof.
  intros h kept v [N W] [_ V]. rewrite Forall_forall in W. apply W, seq_at_in. unfold now in V.
  destruct h as [|a h]; [contradiction|]. rewrite seq_length_cons in *. lia.
Qed.

Lemma latest_well_formed : forall h, good_history h -> well_formed (latest h).
Proof. intros h G. apply (within_good h [] (now h) G). unfold within_window. lia. Qed.

Section OfState.

Variables (setup : Setup) (h : History) (state : ValidatorState).
Hypothesis honest : honest_state setup h state.

(** ** What the state alone knows *)

Lemma lay_state_knows : forall below p,
  written_in (window state) p = true \/ in_tail state p = true ->
  knows (lay_state below state) (array_slots (latest h)) p.
Proof.
  intros below p H. unfold knows. rewrite (slot_at_lay_state setup h) by assumption.
  destruct (written_in (window state) p); [reflexivity|]. destruct H as [H|H]; [discriminate|]. rewrite H. reflexivity.
Qed.

Theorem view_knows_written : forall tx p,
  written_in (window state) p = true -> knows (transaction_view state tx) (array_slots (latest h)) p.
Proof. intros. apply lay_state_knows. auto. Qed.

Theorem view_knows_tail : forall tx p,
  tail_start state <= p < size state -> knows (transaction_view state tx) (array_slots (latest h)) p.
Proof.
  intros. apply lay_state_knows. right. unfold in_tail. apply andb_true_iff. rewrite N.leb_le, N.ltb_lt. assumption.
Qed.

Theorem block_view_knows_written : forall block p,
  written_in (window state) p = true -> knows (block_view state block) (array_slots (latest h)) p.
Proof. intros. apply lay_state_knows. auto. Qed.

Theorem block_view_knows_tail : forall block p,
  tail_start state <= p < size state -> knows (block_view state block) (array_slots (latest h)) p.
Proof.
  intros. apply lay_state_knows. right. unfold in_tail. apply andb_true_iff. rewrite N.leb_le, N.ltb_lt. assumption.
Qed.

(** ** What the views hold is true *)

(** A true claim of a position that the window did not write is true at t. *)
Lemma true_claim_unwritten : forall tx c,
  claims_recent h state tx -> claims_true h tx -> In c (claims tx) ->
  written_in (window state) (claim_position c) = false ->
  slot_at (array_slots (latest h)) (claim_position c) = Some (claim_slot c).
Proof.
  intros tx c R T I W. rewrite <- (T c I). symmetry.
  eapply window_frame; [exact (honest_window _ _ _ honest)|exact R|].
  destruct (is_current (window state) (now h) (claims_version tx) (claim_position c)) eqn:C; [reflexivity|].
  rewrite (not_current_written _ _ _ _ _ (honest_window _ _ _ honest) _ _ R C) in W. discriminate.
Qed.

(** What holds of the map below, where the window did not write, holds of the view. *)
Lemma lay_state_true : forall below,
  (forall p x, written_in (window state) p = false -> slot_at below p = Some x ->
     slot_at (array_slots (latest h)) p = Some x) ->
  contained (lay_state below state) (array_slots (latest h)).
Proof.
  intros below H p x E. rewrite (slot_at_lay_state setup h) in E by assumption.
  destruct (written_in (window state) p) eqn:W; cbn [orb] in E; [assumption|].
  destruct (in_tail state p); [assumption|]. apply H; assumption.
Qed.

Theorem transaction_view_true : forall tx,
  claims_recent h state tx -> claims_true h tx ->
  contained (transaction_view state tx) (array_slots (latest h)).
Proof.
  intros tx R T. apply lay_state_true. intros p x W E.
  destruct (slot_at_lay_claims (claims tx) empty_slot_map p) as [(c & I & <- & G)|[_ G]]; rewrite G in E.
  - rewrite <- E. apply (true_claim_unwritten tx); assumption.
  - rewrite slot_at_empty in E. discriminate.
Qed.

(** The claims of all transactions of the block. *)
Definition block_claims_true (block : Block) : Prop :=
  forall tx, In tx (transactions block) -> claims_recent h state tx /\ claims_true h tx.

Theorem block_view_true : forall block,
  block_claims_true block -> tail_vectors_true h state (tail_vectors block) ->
  contained (block_view state block) (array_slots (latest h)).
Proof.
  intros block C V. unfold block_view. cbv zeta. apply lay_state_true. intros p x W E.
  set (n := vector_size (parameters state)) in *.
  destruct (slot_at_lay_block_claims (transactions block)
    (lay_tail_vectors empty_slot_map (tail_start state) n (tail_vectors block)) p) as [(c & I & <- & G)|[_ G]]; rewrite G in E.
  - apply in_all_claims in I. destruct I as (tx & It & Ic). destruct (C tx It) as [R T].
    rewrite <- E. apply (true_claim_unwritten tx); assumption.
  - destruct (slot_at_lay_tail_vectors empty_slot_map (tail_start state) n (tail_vectors block) p)
      as [(i & j & I & L)|[_ L]]; rewrite L in E.
    + rewrite <- E. exact (V i j p I).
    + rewrite slot_at_empty in E. discriminate.
Qed.

(** ** Answers *)

(** What a key resolves to in a map that holds true slots only is its content. *)
Theorem view_answers_true : forall view k x,
  contained view (array_slots (latest h)) -> k <> [] ->
  covering_slot view k = Some x -> content_in_slot x k = map_of (latest h) k.
Proof.
  intros view k x C K E. unfold covering_slot in E. destruct (covering_position view k) as [p|] eqn:P; [|discriminate].
  destruct (covering_position_sound _ _ _ P) as (y & L & Cy). unfold live in L. assert (y = x) as -> by congruence.
  pose proof (latest_well_formed h (honest_history _ _ _ honest)) as W. apply C in L.
  unfold content_in_slot. destruct (bytes_equal_spec (key x) k) as [Ek|N].
  - symmetry. eapply membership_sound; eauto.
  - symmetry. eapply nonmembership_sound; eauto.
Qed.

(** ** Stale claims *)

(** The view knows the position of a slot that satisfies Q at t, if one slot at most satisfied Q at the claims' version
    and it was claimed. *)
Lemma claimed_slot_known : forall (Q : Slot -> Prop) tx c q y,
  claims_recent h state tx -> claims_true h tx -> In c (claims tx) ->
  one_at_most (array_slots (array_at h (claims_version tx))) Q -> Q (claim_slot c) ->
  live (array_slots (latest h)) q y -> Q y ->
  knows (transaction_view state tx) (array_slots (latest h)) q.
Proof.
  intros Q tx c q y R T I One Qc L Qy. pose proof (honest_window _ _ _ honest) as Wh.
  destruct (is_current (window state) (now h) (claims_version tx) (claim_position c)) eqn:C.
  - (* the claim is current: its slot still stands, or another was written *)
    destruct (written_in (window state) q) eqn:W; [apply view_knows_written; assumption|].
    assert (q = claim_position c) as ->.
    { apply (One q (claim_position c) y (claim_slot c)); [|assumption|exact (T c I)|assumption].
      unfold live. rewrite <- L.
      destruct (is_current (window state) (now h) (claims_version tx) q) eqn:D.
      - eapply window_frame; eassumption.
      - rewrite (not_current_written _ _ _ _ _ Wh _ _ R D) in W. discriminate. }
    unfold knows, transaction_view. rewrite (slot_at_lay_state setup h), W by assumption. cbn [orb].
    destruct (in_tail state (claim_position c)); [reflexivity|].
    destruct (slot_at_lay_claims (claims tx) empty_slot_map (claim_position c)) as [(d & J & P & G)|[A _]].
    + rewrite G. rewrite <- P in W |- *. symmetry. apply (true_claim_unwritten tx); assumption.
    + destruct (A c I eq_refl).
  - (* the claim is stale: by completeness, the slot was written *)
    apply view_knows_written.
    destruct (window_complete _ _ _ _ _ Wh Q (claims_version tx) (claim_position c) (claim_slot c) q y [] R One
      (T c I) Qc C L Qy) as [D _].
    exact (not_current_written _ _ _ _ _ Wh _ _ R D).
Qed.

Lemma claimed_covering_known : forall tx c k,
  claims_recent h state tx -> claims_true h tx -> In c (claims tx) -> covers (claim_slot c) k = true ->
  knows_covering (transaction_view state tx) (array_slots (latest h)) k.
Proof.
  intros tx c k R T I C q E. destruct (covering_position_sound _ _ _ E) as (y & L & Cy).
  eapply (claimed_slot_known (fun x => covers x k = true)); try eassumption.
  intros p r x z Lx Cx Lz Cz.
  destruct (covering_slot_unique _ k p r x z (within_good _ _ _ (honest_history _ _ _ honest) R) Lx Cx Lz Cz). assumption.
Qed.

Lemma claimed_preceding_known : forall tx c k,
  claims_recent h state tx -> claims_true h tx -> In c (claims tx) -> precedes (claim_slot c) k = true ->
  knows_preceding (transaction_view state tx) (array_slots (latest h)) k.
Proof.
  intros tx c k R T I C q E. destruct (preceding_position_sound _ _ _ E) as (y & L & Cy).
  eapply (claimed_slot_known (fun x => precedes x k = true)); try eassumption.
  intros p r x z Lx Cx Lz Cz.
  destruct (preceding_slot_unique _ k p r x z (within_good _ _ _ (honest_history _ _ _ honest) R) Lx Cx Lz Cz). assumption.
Qed.

Theorem stale_claims_resolve_current : forall tx c k,
  claims_recent h state tx -> claims_true h tx -> In c (claims tx) -> covers (claim_slot c) k = true ->
  exists p x,
    covering_position (array_slots (latest h)) k = Some p /\ live (array_slots (latest h)) p x /\
    covering_position (transaction_view state tx) k = Some p /\ covering_slot (transaction_view state tx) k = Some x /\
    (k <> [] -> content_in_slot x k = map_of (latest h) k).
Proof.
  intros tx c k R T I C. pose proof (latest_well_formed h (honest_history _ _ _ honest)) as W.
  pose proof (transaction_view_true tx R T) as V.
  destruct (covering_slot_exists (latest h) k W) as (p & x & P & _ & L & _). exists p, x.
  pose proof (claimed_covering_known tx c k R T I C p P) as K.
  pose proof (covering_known _ _ _ _ W V K P) as E. pose proof (knows_same _ _ _ _ K L) as Lv.
  pose proof (covering_slot_of_position _ _ _ _ E Lv) as S.
  repeat (split; [assumption|]). intros Nk. eapply view_answers_true; eassumption.
Qed.

Theorem predecessor_resolves_current : forall tx c k,
  claims_recent h state tx -> claims_true h tx -> In c (claims tx) -> precedes (claim_slot c) k = true ->
  exists p x,
    preceding_position (array_slots (latest h)) k = Some p /\ live (array_slots (latest h)) p x /\
    preceding_position (transaction_view state tx) k = Some p /\ slot_at (transaction_view state tx) p = Some x.
Proof.
  intros tx c k R T I C. pose proof (latest_well_formed h (honest_history _ _ _ honest)) as W.
  pose proof (transaction_view_true tx R T) as V.
  destruct (preceding_slot_exists (latest h) k W) as (p & x & P & L & _). exists p, x.
  pose proof (claimed_preceding_known tx c k R T I C p P) as K.
  pose proof (preceding_known _ _ _ _ W V K P) as E. pose proof (knows_same _ _ _ _ K L) as Lv.
  repeat (split; [assumption|]). exact Lv.
Qed.

(** ** The block's view *)

(** Wherever the view of one transaction holds a slot, the view of the block holds one. *)
Lemma block_view_holds : forall block tx p x,
  In tx (transactions block) -> slot_at (transaction_view state tx) p = Some x ->
  exists y, slot_at (block_view state block) p = Some y.
Proof.
  intros block tx p x It E. unfold transaction_view in E. unfold block_view. cbv zeta.
  rewrite (slot_at_lay_state setup h) in E by assumption. rewrite (slot_at_lay_state setup h) by assumption.
  destruct (_ || _); [exists x; assumption|].
  destruct (slot_at_lay_claims (claims tx) empty_slot_map p) as [(c & I & <- & G)|[_ G]]; rewrite G in E;
    [|rewrite slot_at_empty in E; discriminate].
  destruct (slot_at_lay_block_claims (transactions block)
    (lay_tail_vectors empty_slot_map (tail_start state) (vector_size (parameters state)) (tail_vectors block))
    (claim_position c)) as [(d & _ & _ & H)|[A _]].
  - rewrite H. eauto.
  - destruct (A c); [|reflexivity]. apply in_all_claims. eauto.
Qed.

Theorem block_view_knows_more : forall block tx p,
  block_claims_true block -> tail_vectors_true h state (tail_vectors block) -> In tx (transactions block) ->
  knows (transaction_view state tx) (array_slots (latest h)) p -> knows (block_view state block) (array_slots (latest h)) p.
Proof.
  intros block tx p C V It K. pose proof (block_view_true block C V) as B.
  destruct (slot_at (array_slots (latest h)) p) as [x|] eqn:E.
  - unfold knows in K. rewrite E in K. destruct (block_view_holds block tx p x It K) as [y G].
    eapply knows_live; eassumption.
  - apply contained_knows; assumption.
Qed.

(** The block's view knows the tail vectors that came with the block. *)
Theorem block_view_knows_tail_vectors : forall block i j p,
  block_claims_true block -> tail_vectors_true h state (tail_vectors block) ->
  in_tail_vector (tail_start state) (vector_size (parameters state)) (tail_vectors block) i j p ->
  knows (block_view state block) (array_slots (latest h)) p.
Proof.
  intros block i j p C V I. pose proof (block_view_true block C V) as B. unfold block_view in *. cbv zeta in *.
  set (n := vector_size (parameters state)) in *.
  assert (E : exists y, slot_at (lay_block_claims
    (lay_tail_vectors empty_slot_map (tail_start state) n (tail_vectors block)) (transactions block)) p = Some y).
  { destruct (slot_at_lay_block_claims (transactions block)
      (lay_tail_vectors empty_slot_map (tail_start state) n (tail_vectors block)) p) as [(c & _ & _ & G)|[_ G]];
      rewrite G; [eauto|].
    destruct (slot_at_lay_tail_vectors empty_slot_map (tail_start state) n (tail_vectors block) p)
      as [(i' & j' & _ & L)|[A _]]; [rewrite L; eauto|]. destruct (A i j I). }
  destruct E as [y E]. destruct (written_in (window state) p || in_tail state p) eqn:W.
  - apply lay_state_knows. apply orb_true_iff. assumption.
  - eapply knows_live; [exact B|]. unfold live. rewrite (slot_at_lay_state setup h), W by assumption. exact E.
Qed.

End OfState.

End View.
