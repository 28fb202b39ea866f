(** What the theorems about the array's operations stand on: the live keys, the next keys as a property of that set, the
    abstract map as a relation, and the array after each operation, position by position. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Dictionary.Slot Dictionary.SlotMap Dictionary.Array.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes Spec.Dictionary.Slot
  Lemmas.SlotMapLemmas Spec.Dictionary.SlotMap.
Import ListNotations.
Local Open Scope N_scope.

(** ** The abstract map as a relation *)

(** Some position holds key [k] with value [v]. *)
Definition entry (a : Array) (k v : ByteString) : Prop :=
  exists p x, live (array_slots a) p x /\ key x = k /\ value x = v.

(** Some position holds key [k]. *)
Definition live_key (a : Array) (k : ByteString) : Prop :=
  exists p x, live (array_slots a) p x /\ key x = k.

Lemma live_in : forall slots p x, live slots p x -> In (Some x) slots.
Proof.
  intros slots p x L. pose proof (live_below_end _ _ _ L) as B. unfold live in L. rewrite slot_at_seq_at in L.
  rewrite <- L. apply seq_at_in. exact B.
Qed.

Lemma in_live : forall slots x, In (Some x) slots -> exists p, live slots p x.
Proof.
  intros slots x H. destruct (in_seq_at _ (@Default_option Slot) slots (Some x) H) as (p & _ & E).
  exists p. unfold live. rewrite slot_at_seq_at. exact E.
Qed.

Lemma map_of_some : forall a k v, map_of a k = Some v -> k <> [] /\ entry a k v.
Proof.
  unfold map_of. intros a k v H. destruct (bytes_equal_spec k []); [discriminate|]. split; [assumption|].
  destruct (find (content_has_key k) (array_slots a)) as [[x|]|] eqn:E; try discriminate.
  injection H as <-. apply find_some in E. destruct E as [I T]. cbn in T. apply bytes_equal_iff in T.
  destruct (in_live _ _ I) as [p L]. exists p, x. auto.
Qed.

Lemma map_of_none : forall a k, map_of a k = None -> k <> [] -> ~ live_key a k.
Proof.
  unfold map_of. intros a k H K (p & x & L & E). destruct (bytes_equal_spec k []); [contradiction|].
  pose proof (find_none (content_has_key k) (array_slots a)) as F.
  destruct (find (content_has_key k) (array_slots a)) as [[y|]|] eqn:G; try discriminate.
  - apply find_some in G. destruct G as [_ G]. discriminate.
  - specialize (F eq_refl _ (live_in _ _ _ L)). cbn in F. rewrite E, bytes_equal_refl in F. discriminate.
Qed.

Lemma map_of_entry : forall a k v, keys_distinct a -> k <> [] -> entry a k v -> map_of a k = Some v.
Proof.
  intros a k v D K (p & x & L & E & V). destruct (map_of a k) as [w|] eqn:M.
  - apply map_of_some in M. destruct M as [_ (q & y & Ly & Ey & <-)]. f_equal.
    assert (p = q) as -> by (eapply D; eauto; congruence). rewrite (live_unique _ _ _ _ Ly L). assumption.
  - destruct (map_of_none _ _ M K). exists p, x. auto.
Qed.

Lemma map_of_iff : forall a k v, keys_distinct a -> (map_of a k = Some v <-> k <> [] /\ entry a k v).
Proof.
  intros. split; [apply map_of_some|]. intros []. apply map_of_entry; assumption.
Qed.

Lemma map_of_absent : forall a k, ~ live_key a k -> map_of a k = None.
Proof.
  intros a k N. destruct (map_of a k) as [v|] eqn:E; [|reflexivity]. exfalso.
  apply map_of_some in E. destruct E as [_ (p & x & L & E & _)]. apply N. exists p, x. auto.
Qed.

Lemma map_of_empty_key : forall a, map_of a [] = None.
Proof. reflexivity. Qed.

Lemma map_of_present : forall a k, map_of a k <> None -> k <> [] /\ live_key a k.
Proof.
  intros a k H. destruct (map_of a k) as [v|] eqn:E; [|congruence]. apply map_of_some in E.
  destruct E as [K (p & x & L & E & _)]. split; [assumption|]. exists p, x. auto.
Qed.

Lemma map_of_present_iff : forall a k, k <> [] -> (map_of a k <> None <-> live_key a k).
Proof.
  intros a k K. split; intros H; [apply map_of_present; assumption|].
  intros E. exact (map_of_none _ _ E K H).
Qed.

Lemma option_ext : forall A (m n : option A), (forall v, m = Some v <-> n = Some v) -> m = n.
Proof.
  intros A [x|] [y|] H; try reflexivity.
  - apply H. reflexivity.
  - destruct (H x) as [H' _]. discriminate H'. reflexivity.
  - destruct (H y) as [_ H']. discriminate H'. reflexivity.
Qed.

(** Arrays with the same entries stand for the same map. *)
Lemma map_of_ext : forall a b,
  keys_distinct a -> keys_distinct b -> (forall k v, k <> [] -> (entry a k v <-> entry b k v)) ->
  forall k, map_of a k = map_of b k.
Proof.
  intros a b Da Db H k. apply option_ext. intros v. rewrite !map_of_iff by assumption.
  split; intros [K E]; (split; [assumption|]); apply H; assumption.
Qed.

(** ** The next keys depend on the set of live keys only *)

Definition next_in (keys : ByteString -> Prop) (x : Slot) : Prop :=
  (next x = [] /\ forall k, keys k -> ~ blt (key x) k) \/
  (blt (key x) (next x) /\ keys (next x) /\ forall k, keys k -> ~ (blt (key x) k /\ blt k (next x))).

Lemma is_next_iff : forall a x, is_next a x <-> next_in (live_key a) x.
Proof.
  intros a x. split.
  - intros [[E M]|(B & S & M)]; [left|right].
    + split; [assumption|]. intros k (p & y & L & <-). eauto.
    + split; [assumption|]. split; [assumption|]. intros k (p & y & L & <-). eauto.
  - intros [[E M]|(B & S & M)]; [left|right].
    + split; [assumption|]. intros q y L. apply M. exists q, y. auto.
    + split; [assumption|]. split; [assumption|]. intros q y L. apply M. exists q, y. auto.
Qed.

Lemma next_in_ext : forall keys keys' x y,
  (forall k, keys k <-> keys' k) -> key x = key y -> next x = next y -> next_in keys x -> next_in keys' y.
Proof.
  intros keys keys' x y H K N. unfold next_in. rewrite <- K, <- N.
  intros [[E M]|(B & S & M)]; [left|right].
  - split; [assumption|]. intros k Lk. apply M, H, Lk.
  - split; [assumption|]. split; [apply H; assumption|]. intros k Lk. apply M, H, Lk.
Qed.

(** The covering slot of a present key is its own. *)
Lemma covering_present : forall a k p x,
  well_formed a -> live (array_slots a) p x -> covers x k = true -> live_key a k -> key x = k.
Proof.
  intros a k p x W L C (q & y & Ly & E). destruct (covers_live_key a k p q x y W L C Ly E) as [_ ->]. assumption.
Qed.

(** ** The array after each operation *)

(** An update, when the slot that covers the key is at [p]. *)
Lemma array_update_at : forall a k v p x,
  covering_position (array_slots a) k = Some p -> live (array_slots a) p x ->
  array_update a k v =
    Some {| array_size := array_size a; array_slots := put_slot (array_slots a) p (Some (with_value x v)) |}.
Proof. intros a k v p x E L. unfold array_update. rewrite E, L. reflexivity. Qed.

(** An insert, when the slot that covers the key is at [p]. *)
Lemma array_insert_at : forall a k v p x,
  covering_position (array_slots a) k = Some p -> live (array_slots a) p x ->
  array_insert a k v =
    Some {| array_size := array_size a + 1;
            array_slots :=
              put_slot (put_slot (array_slots a) p (Some (with_next x k))) (array_size a)
                (Some {| key := k; value := v; next := next x |}) |}.
Proof. intros a k v p x E L. unfold array_insert. rewrite E, L. reflexivity. Qed.

(** A delete, when the slot that covers the key is at [p] and the one that precedes it at [r]. *)
Lemma array_delete_at : forall a k p x r y,
  covering_position (array_slots a) k = Some p -> live (array_slots a) p x ->
  preceding_position (array_slots a) k = Some r -> live (array_slots a) r y ->
  array_delete a k =
    swap_remove {| array_size := array_size a;
                   array_slots := put_slot (array_slots a) r (Some (with_next y (next x))) |} p.
Proof. intros a k p x r y E L F M. unfold array_delete. rewrite E, L, F, M. reflexivity. Qed.

Lemma dense_live : forall a p, dense a -> p < array_size a -> exists x, live (array_slots a) p x.
Proof. intros a p [_ D] H. apply D. assumption. Qed.

Lemma dense_below : forall a p x, dense a -> live (array_slots a) p x -> p < array_size a.
Proof. intros a p x [_ D] L. apply D. exists x. assumption. Qed.

(** Swap-remove of a dense array: the last slot stands where the removed one stood, and the rest as before. *)
Lemma swap_remove_spec : forall a p x,
  dense a -> live (array_slots a) p x ->
  exists b, swap_remove a p = Some b /\ array_size b = array_size a - 1 /\
    forall q, slot_at (array_slots b) q =
      if q <? array_size a - 1 then slot_at (array_slots a) (if q =? p then array_size a - 1 else q) else None.
Proof.
  intros a p x D L. pose proof (dense_below _ _ _ D L) as B.
  unfold swap_remove. destruct (N.ltb_spec 0 (array_size a)); [|lia].
  destruct (dense_live a (array_size a - 1) D ltac:(lia)) as [z Lz].
  rewrite Lz. eexists. split; [reflexivity|]. split; [reflexivity|]. cbn [array_slots]. intros q.
  rewrite !slot_at_put_slot.
  destruct (N.ltb_spec q (array_size a - 1)); destruct (N.eqb_spec q (array_size a - 1)); try lia; try reflexivity.
  - destruct (N.eqb_spec q p); [symmetry; assumption|reflexivity].
  - destruct (N.eqb_spec q p); [lia|]. destruct (slot_at (array_slots a) q) as [w|] eqn:E; [|reflexivity].
    assert (q < array_size a) by (eapply dense_below; eauto). lia.
Qed.

(** A change of one slot that stands leaves the array dense. *)
Lemma dense_put_live : forall a p x y,
  dense a -> live (array_slots a) p x ->
  dense {| array_size := array_size a; array_slots := put_slot (array_slots a) p (Some y) |}.
Proof.
  intros a p x y D L. pose proof (dense_below _ _ _ D L) as B. destruct D as [Z D]. split; [assumption|].
  intros q. cbn [array_slots array_size]. rewrite <- D. split; intros [w H].
  - apply live_put_slot in H. destruct H as [[-> _]|[_ H]]; [apply D; assumption|eauto].
  - destruct (N.eq_dec q p) as [->|N].
    + exists y. apply live_put_slot. auto.
    + exists w. apply live_put_slot. auto.
Qed.
