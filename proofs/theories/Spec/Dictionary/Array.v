(** The dictionary: answers are true, and each operation keeps the array well-formed and acts on the map as it should.

    - [empty_well_formed], [empty_map]: the array of an empty dictionary is well-formed, and its map is empty;
    - [membership_sound]: a live slot that covers a key and has it as its own key tells the key's value;
    - [nonmembership_sound]: a live slot that covers a key and has another key proves that the key is absent;
    - [lookup_correct]: the dictionary answers what the map says;
    - [update_well_formed], [update_lookup]: giving a present key a value succeeds, keeps the array well-formed and its size,
      and changes the answer for that key only;
    - [insert_well_formed], [insert_lookup]: the same for a new key; the size grows by one;
    - [delete_well_formed], [delete_lookup]: the same for the removal of a present key; the size falls by one;
    - [update_map], [insert_map], [delete_map]: the same three meanings, as equations between abstract maps. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Dictionary.Slot Dictionary.SlotMap Dictionary.Array.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes Spec.Dictionary.Slot
  Lemmas.SlotMapLemmas Spec.Dictionary.SlotMap Lemmas.DictionaryLemmas Lemmas.UpdateLemmas Lemmas.InsertLemmas
  Lemmas.DeleteLemmas.
Import ListNotations.
Local Open Scope N_scope.

(** ** The empty dictionary *)

Lemma live_empty_array : forall p x, live (array_slots empty_array) p x <-> p = 0 /\ x = lone_sentinel.
Proof.
  intros. unfold empty_array. cbn [array_slots]. rewrite live_put_slot. unfold live. rewrite slot_at_empty.
  split; [intros [H|[_ H]]; [assumption|discriminate]|auto].
Qed.

Theorem empty_well_formed : well_formed empty_array.
Proof.
  split; [|split; [|split]].
  - split; [reflexivity|]. intros p. cbn [array_size empty_array]. split.
    + intros [x H]. apply live_empty_array in H. lia.
    + intros H. exists lone_sentinel. apply live_empty_array. split; [lia|reflexivity].
  - exists lone_sentinel. split; [apply live_empty_array; auto|auto].
  - intros p q x y Lx Ly _. apply live_empty_array in Lx, Ly. lia.
  - intros p x L. apply live_empty_array in L. destruct L as [_ ->]. left. split; [reflexivity|].
    intros q y L. apply live_empty_array in L. destruct L as [_ ->]. apply blt_irreflexive.
Qed.

Theorem empty_map : forall k, map_of empty_array k = None.
Proof.
  intros k. destruct (bytes_dec k []) as [->|K]; [reflexivity|]. apply map_of_absent.
  intros (p & x & L & E). apply live_empty_array in L. destruct L as [_ ->]. cbn in E. congruence.
Qed.

(** ** Answers *)

Theorem membership_sound : forall a p x k,
  well_formed a -> k <> [] -> live (array_slots a) p x -> covers x k = true ->
  key x = k -> map_of a k = Some (value x).
Proof.
  intros a p x k (_ & _ & D & _) K L _ E. apply map_of_entry; [assumption|assumption|]. exists p, x. auto.
Qed.

Theorem nonmembership_sound : forall a p x k,
  well_formed a -> live (array_slots a) p x -> covers x k = true ->
  key x <> k -> map_of a k = None.
Proof.
  intros a p x k W L C N. apply map_of_absent. intros (q & y & Ly & Ey).
  destruct (covers_live_key a k p q x y W L C Ly Ey) as [_ ->]. contradiction.
Qed.

Theorem lookup_correct : forall a k,
  well_formed a -> k <> [] -> array_lookup a k = Some (map_of a k).
Proof.
  intros a k W K. destruct (covering_slot_exists a k W) as (p & x & _ & S & L & C).
  unfold array_lookup. rewrite S. f_equal. unfold content_in_slot. destruct (bytes_equal_spec (key x) k) as [E|N].
  - symmetry. eapply membership_sound; eauto.
  - symmetry. eapply nonmembership_sound; eauto.
Qed.

(** ** Update *)

(** How an update of a present key goes: its own slot is found and gets the value. *)
Lemma update_step : forall a k v,
  well_formed a -> map_of a k <> None ->
  exists p x, live (array_slots a) p x /\ key x = k /\ covering_position (array_slots a) k = Some p /\
    array_update a k v =
      Some {| array_size := array_size a; array_slots := put_slot (array_slots a) p (Some (with_value x v)) |}.
Proof.
  intros a k v W P. apply map_of_present in P. destruct P as [_ P].
  destruct (covering_slot_exists a k W) as (p & x & F & _ & L & C).
  exists p, x. split; [assumption|]. split; [eapply covering_present; eauto|]. split; [assumption|].
  apply array_update_at; assumption.
Qed.

Theorem update_well_formed : forall a k v,
  well_formed a -> map_of a k <> None ->
  exists b, array_update a k v = Some b /\ well_formed b /\ array_size b = array_size a.
Proof.
  intros a k v W P. destruct (update_step a k v W P) as (p & x & L & E & _ & ->).
  eexists. split; [reflexivity|]. split; [|reflexivity].
  apply map_of_present in P. destruct P. eapply updated_well_formed; eauto.
Qed.

Theorem update_map : forall a b k v,
  well_formed a -> map_of a k <> None -> array_update a k v = Some b ->
  forall j, map_of b j = if bytes_equal j k then Some v else map_of a j.
Proof.
  intros a b k v W P H. destruct (update_step a k v W P) as (p & x & L & E & _ & S). rewrite S in H.
  injection H as <-. apply map_of_present in P. destruct P. apply updated_map; assumption.
Qed.

Theorem update_lookup : forall a b k v,
  well_formed a -> map_of a k <> None -> array_update a k v = Some b ->
  forall j, j <> [] -> array_lookup b j = if bytes_equal j k then Some (Some v) else array_lookup a j.
Proof.
  intros a b k v W P H j J. destruct (update_well_formed a k v W P) as (b' & E & W' & _).
  assert (b' = b) as -> by congruence. rewrite !lookup_correct by assumption.
  rewrite (update_map a b k v W P H). destruct (bytes_equal j k); reflexivity.
Qed.

(** ** Insert *)

(** How an insert of an absent key goes: its covering slot is found, and another key stands there. *)
Lemma insert_step : forall a k v,
  well_formed a -> k <> [] -> map_of a k = None ->
  exists p x, live (array_slots a) p x /\ covers x k = true /\ ~ live_key a k /\
    covering_position (array_slots a) k = Some p /\
    array_insert a k v =
      Some {| array_size := array_size a + 1;
              array_slots :=
                put_slot (put_slot (array_slots a) p (Some (with_next x k))) (array_size a)
                  (Some {| key := k; value := v; next := next x |}) |}.
Proof.
  intros a k v W K A. destruct (covering_slot_exists a k W) as (p & x & F & _ & L & C).
  exists p, x. split; [assumption|]. split; [assumption|]. split; [apply map_of_none; assumption|].
  split; [assumption|]. apply array_insert_at; assumption.
Qed.

Theorem insert_well_formed : forall a k v,
  well_formed a -> k <> [] -> map_of a k = None ->
  exists b, array_insert a k v = Some b /\ well_formed b /\ array_size b = array_size a + 1.
Proof.
  intros a k v W K A. destruct (insert_step a k v W K A) as (p & x & L & C & N & _ & ->).
  eexists. split; [reflexivity|]. split; [|reflexivity]. apply inserted_well_formed; assumption.
Qed.

Theorem insert_map : forall a b k v,
  well_formed a -> k <> [] -> map_of a k = None -> array_insert a k v = Some b ->
  forall j, map_of b j = if bytes_equal j k then Some v else map_of a j.
Proof.
  intros a b k v W K A H. destruct (insert_step a k v W K A) as (p & x & L & C & N & _ & S). rewrite S in H.
  injection H as <-. apply inserted_map; assumption.
Qed.

Theorem insert_lookup : forall a b k v,
  well_formed a -> k <> [] -> map_of a k = None -> array_insert a k v = Some b ->
  forall j, j <> [] -> array_lookup b j = if bytes_equal j k then Some (Some v) else array_lookup a j.
Proof.
  intros a b k v W K A H j J. destruct (insert_well_formed a k v W K A) as (b' & E & W' & _).
  assert (b' = b) as -> by congruence. rewrite !lookup_correct by assumption.
  rewrite (insert_map a b k v W K A H). destruct (bytes_equal j k); reflexivity.
Qed.

(** ** Delete *)

(** How a delete of a present key goes: its own slot and its predecessor are found, and the last slot takes the place. *)
Lemma delete_step : forall a k,
  well_formed a -> map_of a k <> None ->
  exists p x r y b,
    live (array_slots a) p x /\ key x = k /\ covering_position (array_slots a) k = Some p /\
    live (array_slots a) r y /\ precedes y k = true /\ preceding_position (array_slots a) k = Some r /\
    array_delete a k = Some b /\ array_size b = array_size a - 1 /\
    forall q, slot_at (array_slots b) q =
      if q <? array_size a - 1
      then slot_at (put_slot (array_slots a) r (Some (with_next y (next x)))) (if q =? p then array_size a - 1 else q)
      else None.
Proof.
  intros a k W P. apply map_of_present in P. destruct P as [K P].
  destruct (covering_slot_exists a k W) as (p & x & F & _ & L & C).
  destruct (preceding_slot_exists a k W) as (r & y & G & M & Q).
  pose proof (covering_present a k p x W L C P) as E.
  set (unlinked := {| array_size := array_size a;
                      array_slots := put_slot (array_slots a) r (Some (with_next y (next x))) |}).
  destruct (swap_remove_spec unlinked p x) as (b & Hb & Sb & Cb).
  - eapply unlinked_dense; eauto.
  - apply unlinked_live. right. split; [|assumption]. apply not_eq_sym. eapply predecessor_elsewhere; eauto.
  - exists p, x, r, y, b. repeat (split; [assumption|]). split; [|auto].
    rewrite (array_delete_at a k p x r y) by assumption. exact Hb.
Qed.

Theorem delete_well_formed : forall a k,
  well_formed a -> map_of a k <> None ->
  exists b, array_delete a k = Some b /\ well_formed b /\ array_size b = array_size a - 1.
Proof.
  intros a k W P. destruct (delete_step a k W P) as (p & x & r & y & b & L & E & _ & M & Q & _ & H & S & C).
  exists b. split; [assumption|]. split; [|assumption]. apply map_of_present in P. destruct P as [K _].
  exact (deleted_well_formed a k p x r y W K L E M Q b S C).
Qed.

Theorem delete_map : forall a b k,
  well_formed a -> map_of a k <> None -> array_delete a k = Some b ->
  forall j, map_of b j = if bytes_equal j k then None else map_of a j.
Proof.
  intros a b k W P H. destruct (delete_step a k W P) as (p & x & r & y & b' & L & E & _ & M & Q & _ & H' & S & C).
  assert (b' = b) as -> by congruence. apply map_of_present in P. destruct P as [K _].
  exact (deleted_map a k p x r y W K L E M Q b S C).
Qed.

Theorem delete_lookup : forall a b k,
  well_formed a -> map_of a k <> None -> array_delete a k = Some b ->
  forall j, j <> [] -> array_lookup b j = if bytes_equal j k then Some None else array_lookup a j.
Proof.
  intros a b k W P H j J. destruct (delete_well_formed a k W P) as (b' & E & W' & _).
  assert (b' = b) as -> by congruence. rewrite !lookup_correct by assumption.
  rewrite (delete_map a b k W P H). destruct (bytes_equal j k); reflexivity.
Qed.
