(** How a view follows the whole array through the changes of a block.

    A view knows a position when it holds there what the whole array holds. All three operations write known positions only,
    and write the same on both sides; so what is known never changes, and what is not known is not touched. *)
From Coq Require Import NArith List Bool Sorted Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Dictionary.Slot Dictionary.SlotMap Dictionary.Array
  Dictionary.Changes.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes Spec.Dictionary.Slot
  Spec.Dictionary.SlotMap Lemmas.SlotMapLemmas Lemmas.DictionaryLemmas Lemmas.ChangeMaps.
Import ListNotations.
Local Open Scope N_scope.

(** The view holds at the position what the whole array holds there. *)
Definition knows (view whole : SlotMap) (p : N) : Prop := slot_at view p = slot_at whole p.

(** From [view0] and [whole0], view and whole array have gone the same way: each position is known before and after, or it
    is unknown before and after and the whole array did not change there. *)
Definition follows (view0 whole0 view whole : SlotMap) : Prop :=
  forall p, (knows view0 whole0 p /\ knows view whole p) \/
            (slot_at view0 p = None /\ slot_at view p = None /\ slot_at whole p = slot_at whole0 p).

Lemma contained_knows : forall view whole p, contained view whole -> slot_at whole p = None -> knows view whole p.
Proof.
  intros view whole p C E. unfold knows. destruct (slot_at view p) as [x|] eqn:V; [|congruence].
  apply C in V. congruence.
Qed.

Lemma knows_live : forall view whole p x, contained view whole -> live view p x -> knows view whole p.
Proof. unfold knows. intros view whole p x C L. rewrite (C p x L). exact L. Qed.

Lemma follows_refl : forall view whole, contained view whole -> follows view whole view whole.
Proof.
  intros view whole C p. destruct (slot_at view p) as [x|] eqn:V.
  - left. split; eapply knows_live; eassumption.
  - right. auto.
Qed.

Lemma follows_contained : forall view0 whole0 view whole, follows view0 whole0 view whole -> contained view whole.
Proof. intros view0 whole0 view whole H p x V. destruct (H p) as [[_ K]|(_ & K & _)]; unfold knows in *; congruence. Qed.

Lemma follows_known : forall view0 whole0 view whole p,
  follows view0 whole0 view whole -> (knows view0 whole0 p <-> knows view whole p).
Proof. unfold knows. intros view0 whole0 view whole p H. destruct (H p) as [[K0 K]|(A & B & C)]; split; congruence. Qed.

Lemma follows_put : forall view0 whole0 view whole p content,
  follows view0 whole0 view whole -> knows view whole p ->
  follows view0 whole0 (put_slot view p content) (put_slot whole p content).
Proof.
  intros view0 whole0 view whole p content H K q. unfold knows. rewrite !slot_at_put_slot.
  destruct (N.eqb_spec q p) as [->|N].
  - left. split; [|reflexivity]. exact (proj2 (follows_known _ _ _ _ p H) K).
  - destruct (H q) as [|]; [left|right]; assumption.
Qed.

Lemma knows_put : forall view whole p q content,
  knows view whole q -> knows (put_slot view p content) (put_slot whole p content) q.
Proof. unfold knows. intros. rewrite !slot_at_put_slot. destruct (q =? p); congruence. Qed.

Lemma knows_same : forall view whole p x, knows view whole p -> live whole p x -> live view p x.
Proof. unfold knows, live. intros. congruence. Qed.

(** ** Searches *)

Lemma covering_in_view : forall view a k p,
  well_formed a -> contained view (array_slots a) -> covering_position view k = Some p ->
  exists x, live view p x /\ live (array_slots a) p x /\ covering_position (array_slots a) k = Some p.
Proof.
  intros view a k p W C E. destruct (covering_position_sound _ _ _ E) as (x & L & Cx).
  exists x. split; [assumption|]. split; [apply C; assumption|].
  apply (covering_position_iff a k p x W); [apply C|]; assumption.
Qed.

Lemma covering_known : forall view a k p,
  well_formed a -> contained view (array_slots a) -> knows view (array_slots a) p ->
  covering_position (array_slots a) k = Some p -> covering_position view k = Some p.
Proof.
  intros view a k p W C K E. destruct (covering_position_sound _ _ _ E) as (x & L & Cx).
  apply (covering_position_unique view k p x); [eapply knows_same; eassumption|assumption|].
  intros q y Ly Cy. apply (covering_slot_unique a k q p y x W); auto. apply C. assumption.
Qed.

Lemma preceding_in_view : forall view a k p,
  well_formed a -> contained view (array_slots a) -> preceding_position view k = Some p ->
  exists x, live view p x /\ live (array_slots a) p x /\ preceding_position (array_slots a) k = Some p.
Proof.
  intros view a k p W C E. destruct (preceding_position_sound _ _ _ E) as (x & L & Cx).
  exists x. split; [assumption|]. split; [apply C; assumption|].
  apply (preceding_position_iff a k p x W); [apply C|]; assumption.
Qed.

Lemma preceding_known : forall view a k p,
  well_formed a -> contained view (array_slots a) -> knows view (array_slots a) p ->
  preceding_position (array_slots a) k = Some p -> preceding_position view k = Some p.
Proof.
  intros view a k p W C K E. destruct (preceding_position_sound _ _ _ E) as (x & L & Cx).
  apply (preceding_position_unique view k p x); [eapply knows_same; eassumption|assumption|].
  intros q y Ly Cy. apply (preceding_slot_unique a k q p y x W); auto. apply C. assumption.
Qed.

(** What a view must know of the array for a key: the slot that covers it, or the one that precedes it. *)
Definition knows_covering (view whole : SlotMap) (k : ByteString) : Prop :=
  forall p, covering_position whole k = Some p -> knows view whole p.

Definition knows_preceding (view whole : SlotMap) (k : ByteString) : Prop :=
  forall p, preceding_position whole k = Some p -> knows view whole p.

Section Following.

Variables (view0 : SlotMap) (start : Array).
Hypothesis start_good : well_formed start.

(** What was known of a key's covering slot at the start is enough later: a position that was unknown then still holds what
    it held, hence would have covered the key then. *)
Lemma covering_still_known : forall view a k,
  well_formed a -> follows view0 (array_slots start) view (array_slots a) ->
  knows_covering view0 (array_slots start) k -> knows_covering view (array_slots a) k.
Proof.
  intros view a k W H K p E. apply (follows_known _ _ _ _ p H).
  destruct (H p) as [[K0 _]|(_ & _ & U)]; [assumption|]. apply K.
  destruct (covering_position_sound _ _ _ E) as (x & L & C). unfold live in L. rewrite U in L.
  apply (covering_position_iff start k p x start_good L). assumption.
Qed.

Lemma preceding_still_known : forall view a k,
  well_formed a -> follows view0 (array_slots start) view (array_slots a) ->
  knows_preceding view0 (array_slots start) k -> knows_preceding view (array_slots a) k.
Proof.
  intros view a k W H K p E. apply (follows_known _ _ _ _ p H).
  destruct (H p) as [[K0 _]|(_ & _ & U)]; [assumption|]. apply K.
  destruct (preceding_position_sound _ _ _ E) as (x & L & C). unfold live in L. rewrite U in L.
  apply (preceding_position_iff start k p x start_good L). assumption.
Qed.

(** The view's array has followed the whole one. *)
Definition follows_array (view a : Array) : Prop :=
  array_size view = array_size a /\ follows view0 (array_slots start) (array_slots view) (array_slots a).

(** ** One operation *)

Lemma update_follows : forall view a k v view',
  well_formed a -> follows_array view a -> array_update view k v = Some view' ->
  exists a', array_update a k v = Some a' /\ follows_array view' a'.
Proof.
  intros view a k v view' W [S H]. unfold array_update at 1.
  destruct (covering_position (array_slots view) k) as [p|] eqn:E; [|discriminate].
  destruct (covering_in_view _ a k p W (follows_contained _ _ _ _ H) E) as (x & Lv & La & Ea).
  rewrite Lv. intros G. injection G as <-. rewrite (array_update_at a k v p x Ea La).
  eexists. split; [reflexivity|]. split; [assumption|]. cbn [array_slots]. apply follows_put; [assumption|].
  eapply knows_live; [eapply follows_contained|]; eassumption.
Qed.

Lemma update_possible : forall view a k v,
  well_formed a -> follows_array view a -> knows_covering view0 (array_slots start) k ->
  exists view', array_update view k v = Some view'.
Proof.
  intros view a k v W [S H] K. destruct (covering_slot_exists a k W) as (p & x & E & _ & L & _).
  pose proof (covering_still_known _ _ _ W H K p E) as Kp. pose proof (follows_contained _ _ _ _ H) as C.
  eexists. eapply array_update_at; [eapply covering_known|eapply knows_same]; eassumption.
Qed.

Lemma insert_follows : forall view a k v view',
  well_formed a -> follows_array view a -> array_insert view k v = Some view' ->
  exists a', array_insert a k v = Some a' /\ follows_array view' a'.
Proof.
  intros view a k v view' W [S H]. unfold array_insert at 1.
  destruct (covering_position (array_slots view) k) as [p|] eqn:E; [|discriminate].
  pose proof (follows_contained _ _ _ _ H) as C.
  destruct (covering_in_view _ a k p W C E) as (x & Lv & La & Ea).
  rewrite Lv. cbv zeta. intros G. injection G as <-. rewrite (array_insert_at a k v p x Ea La).
  eexists. split; [reflexivity|]. unfold follows_array. cbn [array_slots array_size]. rewrite S. split; [reflexivity|].
  apply follows_put; [apply follows_put; [assumption|eapply knows_live; eassumption]|].
  apply knows_put, contained_knows; [assumption|]. destruct (slot_at (array_slots a) (array_size a)) as [y|] eqn:Y; [|reflexivity].
  destruct W as (D & _). pose proof (dense_below a _ y D Y). lia.
Qed.

Lemma insert_possible : forall view a k v,
  well_formed a -> follows_array view a -> knows_covering view0 (array_slots start) k ->
  exists view', array_insert view k v = Some view'.
Proof.
  intros view a k v W [S H] K. destruct (covering_slot_exists a k W) as (p & x & E & _ & L & _).
  pose proof (covering_still_known _ _ _ W H K p E) as Kp. pose proof (follows_contained _ _ _ _ H) as C.
  eexists. eapply array_insert_at; [eapply covering_known|eapply knows_same]; eassumption.
Qed.

Lemma swap_remove_follows : forall view a p view',
  follows_array view a -> knows (array_slots view) (array_slots a) p -> swap_remove view p = Some view' ->
  exists a', swap_remove a p = Some a' /\ follows_array view' a'.
Proof.
  intros view a p view' [S H] K. unfold swap_remove. rewrite <- S. cbv zeta.
  set (last := if 0 <? array_size view then array_size view - 1 else 0).
  destruct (slot_at (array_slots view) last) as [y|] eqn:E; [|discriminate]. intros G. injection G as <-.
  pose proof (follows_contained _ _ _ _ H) as C. rewrite (C last y E). eexists. split; [reflexivity|].
  split; [reflexivity|]. cbn [array_slots].
  apply follows_put; [apply follows_put; assumption|]. apply knows_put. eapply knows_live; eassumption.
Qed.

Lemma delete_follows : forall view a k view',
  well_formed a -> follows_array view a -> array_delete view k = Some view' ->
  exists a', array_delete a k = Some a' /\ follows_array view' a'.
Proof.
  intros view a k view' W [S H]. unfold array_delete at 1.
  destruct (covering_position (array_slots view) k) as [p|] eqn:E; [|discriminate].
  pose proof (follows_contained _ _ _ _ H) as C.
  destruct (covering_in_view _ a k p W C E) as (x & Lv & La & Ea). rewrite Lv.
  destruct (preceding_position (array_slots view) k) as [r|] eqn:R; [|discriminate].
  destruct (preceding_in_view _ a k r W C R) as (y & Rv & Ra & Ea'). rewrite Rv. cbv zeta.
  rewrite (array_delete_at a k p x r y Ea La Ea' Ra). apply swap_remove_follows.
  - split; [assumption|]. cbn [array_slots]. apply follows_put; [assumption|]. eapply knows_live; eassumption.
  - cbn [array_slots]. apply knows_put. eapply knows_live; eassumption.
Qed.

Lemma delete_possible : forall view a k,
  well_formed a -> follows_array view a ->
  knows_covering view0 (array_slots start) k -> knows_preceding view0 (array_slots start) k ->
  knows view0 (array_slots start) (array_size a - 1) ->
  exists view', array_delete view k = Some view'.
Proof.
  intros view a k W [S H] Kc Kp Kl. pose proof (follows_contained _ _ _ _ H) as C.
  destruct (covering_slot_exists a k W) as (p & x & E & _ & L & _).
  destruct (preceding_slot_exists a k W) as (r & y & E' & L' & _).
  pose proof (covering_still_known _ _ _ W H Kc p E) as K. pose proof (preceding_still_known _ _ _ W H Kp r E') as K'.
  rewrite (array_delete_at view k p x r y);
    [|eapply covering_known; eassumption|eapply knows_same; eassumption
     |eapply preceding_known; eassumption|eapply knows_same; eassumption].
  unfold swap_remove. cbn [array_slots array_size]. cbv zeta. rewrite S.
  destruct W as (D & _). assert (Z : 0 < array_size a) by exact (proj1 D).
  replace (0 <? array_size a) with true by (symmetry; apply N.ltb_lt; assumption).
  destruct (dense_live a (array_size a - 1) D) as [z Lz]; [lia|].
  apply (follows_known _ _ _ _ _ H) in Kl. pose proof (knows_same _ _ _ _ Kl Lz) as Vz. unfold live in Vz.
  rewrite slot_at_put_slot, Vz. destruct (_ =? r); eexists; reflexivity.
Qed.

End Following.
