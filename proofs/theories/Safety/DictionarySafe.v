(** The dictionary's operations and a block's net changes never leave the range of their integers or sequences.

    The array may be whole or a validator's view, well-formed or not: all that counts is that positions fit into 64 bits.

    - [array_lookup_never_panics], [array_update_never_panics], [array_insert_never_panics], [array_delete_never_panics];
    - [put_change_never_panics], [change_of_never_panics], [net_changes_never_panics], [size_after_never_panics];
    - [apply_changes_never_panics]: fewer than 2^64 slots, counting each change as one more, are enough;
    - [update_fits], [insert_fits], [delete_fits], [apply_changes_fits]: what comes out fits again, so the premises last. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Dictionary.Slot Dictionary.SlotMap Dictionary.Array
  Dictionary.Changes Base.BytesSafe Dictionary.SlotSafe Dictionary.SlotMapSafe Dictionary.ArraySafe
  Dictionary.ChangesSafe.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes Lemmas.SlotMapLemmas
  Safety.SlotMapSafe Lemmas.ChangeMaps.
Import ListNotations.
Local Open Scope N_scope.

(** The array's positions fit into 64 bits, even with [room] more slots, and its slots are short. *)
Definition fits (room : N) (a : Array) : Prop := array_size a + room < 2 ^ 64 /\ addressable (array_slots a).

Lemma fits_less : forall room room' a, room' <= room -> fits room a -> fits room' a.
Proof. intros room room' a L [B A]. split; [lia|assumption]. Qed.

(** A slot that stands may be replaced by another: the map does not grow. *)
Lemma addressable_replace : forall slots p x y,
  addressable slots -> live slots p x -> short_slot y -> addressable (put_slot slots p (Some y)).
Proof.
  intros slots p x y [B S] L Sy. pose proof (live_below_end _ _ _ L) as P. unfold slot_map_end in P. split.
  - change (seq_length (put_slot slots p (Some y))) with (slot_map_end (put_slot slots p (Some y))).
    rewrite slot_map_end_put_slot. change (slot_map_end slots) with (seq_length slots). lia.
  - unfold live. intros q z E. rewrite slot_at_put_slot in E. destruct (q =? p); [congruence|]. exact (S q z E).
Qed.

(** ** Lookup *)

Theorem array_lookup_never_panics : forall a k, fits 0 a -> short k -> array_lookup_safe a k = true.
Proof.
  intros a k [_ A] Sk. unfold array_lookup_safe. rewrite covering_slot_never_panics by assumption. cbn [andb].
  destruct (covering_slot (array_slots a) k) as [x|] eqn:E; [|reflexivity].
  unfold covering_slot in E. destruct (covering_position (array_slots a) k) as [p|]; [|discriminate].
  apply bytes_equal_never_panics. apply A in E. apply E.
Qed.

(** ** Update *)

Theorem array_update_never_panics : forall a k v, fits 0 a -> short k -> array_update_safe a k v = true.
Proof.
  intros a k v [_ A] Sk. unfold array_update_safe. rewrite covering_position_never_panics by assumption. cbn [andb].
  destruct (covering_position (array_slots a) k) as [p|]; [|reflexivity].
  destruct (slot_at (array_slots a) p); [|reflexivity]. apply put_slot_never_panics. apply A.
Qed.

Theorem update_fits : forall room a k v b,
  fits room a -> short v -> array_update a k v = Some b -> fits room b /\ array_size b = array_size a.
Proof.
  intros room a k v b [B A] Sv E. unfold array_update in E.
  destruct (covering_position (array_slots a) k) as [p|]; [|discriminate].
  destruct (slot_at (array_slots a) p) as [x|] eqn:L; [|discriminate]. injection E as <-.
  split; [|reflexivity]. split; [assumption|]. cbn [array_slots].
  eapply addressable_replace; [assumption|exact L|]. apply A in L. destruct L as (? & ? & ?). split; auto.
Qed.

(** ** Insert *)

Theorem array_insert_never_panics : forall a k v, fits 1 a -> short k -> array_insert_safe a k v = true.
Proof.
  intros a k v [B A] Sk. unfold array_insert_safe. rewrite covering_position_never_panics by assumption. cbn [andb].
  destruct (covering_position (array_slots a) k) as [p|]; [|reflexivity].
  destruct (slot_at (array_slots a) p) as [x|] eqn:L; [|reflexivity]. cbv zeta.
  rewrite put_slot_never_panics by apply A. cbn [andb].
  assert (Al : addressable (put_slot (array_slots a) p (Some (with_next x k)))).
  { eapply addressable_replace; [assumption|exact L|]. apply A in L. destruct L as (? & ? & ?). repeat split; auto. }
  rewrite put_slot_never_panics by apply Al. unfold within_usize. rewrite andb_true_r. apply N.ltb_lt. assumption.
Qed.

Theorem insert_fits : forall room a k v b,
  fits (room + 1) a -> short k -> short v -> array_insert a k v = Some b ->
  fits room b /\ array_size b = array_size a + 1.
Proof.
  intros room a k v b [B A] Sk Sv E. unfold array_insert in E.
  destruct (covering_position (array_slots a) k) as [p|]; [|discriminate].
  destruct (slot_at (array_slots a) p) as [x|] eqn:L; [|discriminate]. cbv zeta in E. injection E as <-.
  split; [|reflexivity]. split; cbn [array_size array_slots]; [lia|].
  pose proof L as Sx. apply A in Sx. destruct Sx as (Kx & Vx & Nx).
  apply addressable_put_slot; [|lia|].
  - eapply addressable_replace; [assumption|exact L|]. repeat split; auto.
  - intros y F. injection F as <-. repeat split; auto.
Qed.

(** ** Delete *)

(** The swap of a position that stands. *)
Lemma swap_remove_fits : forall room a p x b,
  fits room a -> live (array_slots a) p x -> swap_remove a p = Some b ->
  swap_remove_safe a p = true /\ fits room b /\ array_size b = array_size a - 1.
Proof.
  intros room a p x b [B A] L E. unfold swap_remove in E. unfold swap_remove_safe. cbv zeta in *.
  assert (Sz : (if 0 <? array_size a then array_size a - 1 else 0) = array_size a - 1).
  { destruct (N.ltb_spec 0 (array_size a)); lia. }
  assert (G : (if 0 <? array_size a then 1 <=? array_size a else true) = true).
  { destruct (N.ltb_spec 0 (array_size a)); [apply N.leb_le; lia|reflexivity]. }
  rewrite Sz in *. rewrite G. cbn [andb].
  destruct (slot_at (array_slots a) (array_size a - 1)) as [z|] eqn:Lz; [|discriminate]. injection E as <-.
  pose proof (addressable_replace _ p x z A L (proj2 A _ _ Lz)) as Am.
  rewrite !put_slot_never_panics; [|apply Am|apply A]. split; [reflexivity|]. split; [|reflexivity].
  split; cbn [array_size array_slots]; [lia|].
  destruct Am as [Bm Sm]. split.
  - change (seq_length (put_slot (put_slot (array_slots a) p (Some z)) (array_size a - 1) None))
      with (slot_map_end (put_slot (put_slot (array_slots a) p (Some z)) (array_size a - 1) None)).
    rewrite slot_map_end_put_slot. unfold slot_map_end. lia.
  - intros q y Ly. apply live_remove_slot in Ly. destruct Ly as [_ Ly]. exact (Sm q y Ly).
Qed.

Lemma swap_remove_never_panics : forall a p x, fits 0 a -> live (array_slots a) p x -> swap_remove_safe a p = true.
Proof.
  intros a p x F L. destruct (swap_remove a p) as [b|] eqn:E.
  - apply (swap_remove_fits 0 a p x b F L E).
  - unfold swap_remove in E. unfold swap_remove_safe. cbv zeta in *.
    destruct (slot_at (array_slots a) (if 0 <? array_size a then array_size a - 1 else 0)); [discriminate|].
    rewrite andb_true_r. destruct (N.ltb_spec 0 (array_size a)); [apply N.leb_le; lia|reflexivity].
Qed.

(** Linking past a slot keeps what stands standing, and fits. *)
Lemma unlinked_fits : forall room a p x r y,
  fits room a -> live (array_slots a) p x -> live (array_slots a) r y ->
  let unlinked := {| array_size := array_size a;
                     array_slots := put_slot (array_slots a) r (Some (with_next y (next x))) |} in
  fits room unlinked /\ exists z, live (array_slots unlinked) p z.
Proof.
  intros room a p x r y [B A] L M. cbv zeta. split.
  - split; [assumption|]. cbn [array_slots]. eapply addressable_replace; [assumption|exact M|].
    destruct A as [_ S]. destruct (S p x L) as (? & ? & ?), (S r y M) as (? & ? & ?). repeat split; auto.
  - cbn [array_slots]. destruct (N.eq_dec p r) as [->|N].
    + eexists. apply live_put_slot. left. split; reflexivity.
    + exists x. apply live_put_slot. auto.
Qed.

Theorem array_delete_never_panics : forall a k, fits 0 a -> short k -> array_delete_safe a k = true.
Proof.
  intros a k F Sk. pose proof F as [B A]. unfold array_delete_safe. rewrite covering_position_never_panics by assumption.
  cbn [andb]. destruct (covering_position (array_slots a) k) as [p|]; [|reflexivity].
  destruct (slot_at (array_slots a) p) as [x|] eqn:L; [|reflexivity].
  rewrite preceding_position_never_panics by assumption. cbn [andb].
  destruct (preceding_position (array_slots a) k) as [r|]; [|reflexivity].
  destruct (slot_at (array_slots a) r) as [y|] eqn:M; [|reflexivity].
  rewrite put_slot_never_panics by apply A. cbn [andb]. cbv zeta.
  destruct (unlinked_fits 0 a p x r y F L M) as [Fu [z Lz]]. eapply swap_remove_never_panics; eassumption.
Qed.

Theorem delete_fits : forall room a k b,
  fits room a -> array_delete a k = Some b -> fits room b /\ array_size b = array_size a - 1.
Proof.
  intros room a k b F E. unfold array_delete in E.
  destruct (covering_position (array_slots a) k) as [p|]; [|discriminate].
  destruct (slot_at (array_slots a) p) as [x|] eqn:L; [|discriminate].
  destruct (preceding_position (array_slots a) k) as [r|]; [|discriminate].
  destruct (slot_at (array_slots a) r) as [y|] eqn:M; [|discriminate]. cbv zeta in E.
  destruct (unlinked_fits room a p x r y F L M) as [Fu [z Lz]].
  destruct (swap_remove_fits room _ p z b Fu Lz E) as (_ & Fb & Sb). split; assumption.
Qed.

Theorem empty_array_never_panics : empty_array_safe = true.
Proof. reflexivity. Qed.

(** ** The change map *)

(** A change whose key and contents are short. *)
Definition short_change (c : Change) : Prop :=
  short (change_key c) /\ short_content (change_before c) /\ short_content (change_after c).

Definition short_changes (changes : ChangeMap) : Prop := Forall short_change changes.

Lemma short_changes_at : forall changes i, short_changes changes -> i < seq_length changes -> short_change (seq_at changes i).
Proof.
  intros changes i S H. unfold short_changes in S. rewrite Forall_forall in S. apply S, seq_at_in, H.
Qed.

Theorem change_of_never_panics : forall changes k, short_changes changes -> change_of_safe changes k = true.
Proof.
  intros changes k S. unfold change_of_safe.
  apply (loop_over_elements_safe _ _ _ (fun _ => True) _ (fun found c => change_of_step_safe found c k)); [exact I|].
  intros i acc Hi _. split; [|exact I]. apply bytes_equal_never_panics. apply short_changes_at; assumption.
Qed.

Theorem changes_below_never_panics : forall changes k, short_changes changes -> changes_below_safe changes k = true.
Proof.
  intros changes k S. unfold changes_below_safe.
  apply (loop_over_elements_safe _ _ _ (fun _ => True) _ (fun acc c => changes_below_step_safe acc c k)); [exact I|].
  intros i acc Hi _. split; [|exact I]. apply bytes_less_never_panics. apply short_changes_at; assumption.
Qed.

Theorem changes_above_never_panics : forall changes k, short k -> changes_above_safe changes k = true.
Proof.
  intros changes k S. unfold changes_above_safe.
  apply (loop_over_elements_safe _ _ _ (fun _ => True) _ (fun acc c => changes_above_step_safe acc c k)); [exact I|].
  intros i acc Hi _. split; [|exact I]. apply bytes_less_never_panics. assumption.
Qed.

Theorem put_change_never_panics : forall changes c,
  short_changes changes -> short_change c -> put_change_safe changes c = true.
Proof.
  intros changes c S Sc. unfold put_change_safe. rewrite changes_below_never_panics by assumption.
  apply changes_above_never_panics, Sc.
Qed.

Theorem net_changes_never_panics : forall changes, short_changes changes -> net_changes_safe changes = true.
Proof.
  intros changes S. unfold net_changes_safe.
  apply (loop_over_elements_safe _ _ _ (fun _ => True) _ net_changes_step_safe); [exact I|].
  intros i acc Hi _. split; [|exact I]. apply contents_equal_never_panics. apply short_changes_at; assumption.
Qed.

Theorem size_after_never_panics : forall s changes, s + seq_length changes < 2 ^ 64 -> size_after_safe s changes = true.
Proof.
  intros s changes B. unfold size_after_safe.
  apply (loop_is_safe _ (fun i size => size <= s + i)); [lia|]. intros i size Hi Hs.
  destruct (N.ltb_spec i (seq_length changes)); [|lia]. cbn [andb].
  unfold size_after_step_safe, size_after_step, within_usize.
  destruct (is_present _), (is_present _); cbn [negb andb].
  - split; [reflexivity|lia].
  - destruct (N.ltb_spec 0 size); split; try reflexivity; try lia. apply N.leb_le. lia.
  - split; [apply N.ltb_lt; lia|lia].
  - split; [reflexivity|lia].
Qed.

(** ** A block's changes *)

(** What one change asks for, and leaves. *)
Definition fits_if_some (room : N) (a : option Array) : Prop :=
  match a with
  | Some known => fits room known
  | None => True
  end.

Section Passes.

Variable changes : ChangeMap.
Hypothesis all_short : short_changes changes.

Lemma apply_updates_fits : forall room a,
  fits room a -> apply_updates_safe a changes = true /\ fits_if_some room (apply_updates a changes).
Proof.
  intros room a F.
  assert (Turn : forall i acc, i < seq_length changes -> fits_if_some room acc ->
    apply_updates_step_safe acc (seq_at changes i) = true /\
    fits_if_some room (apply_updates_step acc (seq_at changes i))).
  { intros i [known|] Hi K; cbn [apply_updates_step apply_updates_step_safe]; [|auto].
    pose proof (short_changes_at changes i all_short Hi) as (Sk & Sb & Sa).
    unfold apply_update_safe, apply_update. destruct (change_after (seq_at changes i)) as [v|]; [|auto].
    destruct (is_present (change_before (seq_at changes i))); [|auto]. split.
    - apply array_update_never_panics; [|assumption]. apply (fits_less room); [lia|exact K].
    - destruct (array_update known _ v) as [b|] eqn:E; [|exact I]. apply (update_fits room) in E; tauto. }
  split.
  - apply (loop_over_elements_safe _ _ _ (fits_if_some room) _ apply_updates_step_safe); [exact F|exact Turn].
  - unfold apply_updates. apply (loop_invariant _ (fun _ => fits_if_some room)); [lia|exact F|].
    intros i acc Hi K. apply Turn; [lia|assumption].
Qed.

Lemma apply_inserts_fits : forall room a,
  fits (room + seq_length changes) a ->
  apply_inserts_safe a changes = true /\ fits_if_some room (apply_inserts a changes).
Proof.
  intros room a F. set (n := seq_length changes) in *.
  assert (Turn : forall i acc, i < n -> fits_if_some (room + (n - i)) acc ->
    apply_inserts_step_safe acc (seq_at changes i) = true /\
    fits_if_some (room + (n - (i + 1))) (apply_inserts_step acc (seq_at changes i))).
  { intros i [known|] Hi K; cbn [apply_inserts_step apply_inserts_step_safe]; [|auto].
    pose proof (short_changes_at changes i all_short Hi) as (Sk & Sb & Sa).
    cbn [fits_if_some] in K.
    assert (Less : fits (room + (n - (i + 1))) known) by (apply (fits_less (room + (n - i))); [lia|exact K]).
    assert (Room : fits (room + (n - (i + 1)) + 1) known) by (apply (fits_less (room + (n - i))); [lia|exact K]).
    unfold apply_insert_safe, apply_insert. destruct (change_after (seq_at changes i)) as [v|]; [|auto].
    destruct (is_present (change_before (seq_at changes i))); [auto|]. split.
    - apply array_insert_never_panics; [|assumption]. apply (fits_less (room + (n - (i + 1)) + 1)); [lia|assumption].
    - destruct (array_insert known _ v) as [b|] eqn:E; [|exact I].
      apply (insert_fits (room + (n - (i + 1)))) in E; tauto. }
  split.
  - unfold apply_inserts_safe. apply (loop_is_safe _ (fun i => fits_if_some (room + (n - i)))).
    + rewrite N.sub_0_r. exact F.
    + intros i acc Hi K. fold n in Hi |- *. destruct (N.ltb_spec i n); [|lia]. apply Turn; [lia|assumption].
  - replace room with (room + (n - n)) at 1 by lia. unfold apply_inserts. fold n.
    apply (loop_invariant _ (fun i => fits_if_some (room + (n - i)))); [lia|rewrite N.sub_0_r; exact F|].
    intros i acc Hi K. apply Turn; [lia|assumption].
Qed.

Lemma apply_deletes_fits : forall room a,
  fits room a -> apply_deletes_safe a changes = true /\ fits_if_some room (apply_deletes a changes).
Proof.
  intros room a F.
  assert (Turn : forall i acc, i < seq_length changes -> fits_if_some room acc ->
    apply_deletes_step_safe acc (seq_at changes i) = true /\
    fits_if_some room (apply_deletes_step acc (seq_at changes i))).
  { intros i [known|] Hi K; cbn [apply_deletes_step apply_deletes_step_safe]; [|auto].
    pose proof (short_changes_at changes i all_short Hi) as (Sk & Sb & Sa).
    unfold apply_delete_safe, apply_delete. destruct (_ && _); [|auto]. split.
    - apply array_delete_never_panics; [|assumption]. apply (fits_less room); [lia|exact K].
    - destruct (array_delete known _) as [b|] eqn:E; [|exact I]. apply (delete_fits room) in E; tauto. }
  split.
  - apply (loop_over_elements_safe _ _ _ (fits_if_some room) _ apply_deletes_step_safe); [exact F|exact Turn].
  - unfold apply_deletes. apply (loop_invariant _ (fun _ => fits_if_some room)); [lia|exact F|].
    intros i acc Hi K. apply Turn; [lia|assumption].
Qed.

Lemma apply_changes_safe_fits : forall room a,
  fits (room + seq_length changes) a ->
  apply_changes_safe a changes = true /\ fits_if_some room (apply_changes a changes).
Proof.
  intros room a F. unfold apply_changes_safe, apply_changes.
  destruct (apply_updates_fits _ a F) as [-> Fu]. cbn [andb].
  destruct (apply_updates a changes) as [u|]; [|split; [reflexivity|exact I]].
  destruct (apply_inserts_fits room u Fu) as [-> Fi]. cbn [andb].
  destruct (apply_inserts u changes) as [i|]; [|split; [reflexivity|exact I]].
  apply apply_deletes_fits. exact Fi.
Qed.

End Passes.

Theorem apply_changes_never_panics : forall a changes,
  fits (seq_length changes) a -> short_changes changes -> apply_changes_safe a changes = true.
Proof. intros a changes F S. apply (apply_changes_safe_fits changes S 0 a). exact F. Qed.

Theorem apply_changes_fits : forall room a changes b,
  fits (room + seq_length changes) a -> short_changes changes -> apply_changes a changes = Some b -> fits room b.
Proof.
  intros room a changes b F S E. destruct (apply_changes_safe_fits changes S room a F) as [_ H]. rewrite E in H. exact H.
Qed.
