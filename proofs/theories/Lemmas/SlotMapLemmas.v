(** The finite map from positions to slots behaves as a map, and its two searches find what is there.

    - [slot_at_put_slot]: after a position is written it holds what was written, and no other position changes;
    - [covering_position_sound], [covering_position_complete]: a position found holds a slot that covers the key, and one is
      found whenever any slot covers it;
    - [preceding_position_sound], [preceding_position_complete]: the same for slots that precede the key. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Dictionary.Slot Dictionary.SlotMap Dictionary.Array.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas.
Import ListNotations.
Local Open Scope N_scope.

Lemma slot_at_empty : forall p, slot_at empty_slot_map p = None.
Proof. intros. unfold slot_at, empty_slot_map. destruct p; reflexivity. Qed.

(** The guard of [slot_at] may be forgotten: beyond the end there is no slot either way. *)
Lemma slot_at_seq_at : forall slots p, slot_at slots p = seq_at slots p.
Proof.
  intros. unfold slot_at. destruct (N.ltb_spec p (seq_length slots)); [reflexivity|].
  rewrite seq_at_beyond by lia. reflexivity.
Qed.

Lemma slot_at_beyond_end : forall slots p, slot_map_end slots <= p -> slot_at slots p = None.
Proof. intros. rewrite slot_at_seq_at. apply seq_at_beyond. exact H. Qed.

Lemma live_below_end : forall slots p x, live slots p x -> p < slot_map_end slots.
Proof.
  unfold live. intros slots p x H. destruct (N.ltb_spec p (slot_map_end slots)); [assumption|].
  rewrite slot_at_beyond_end in H by assumption. discriminate.
Qed.

Lemma live_unique : forall slots p x y, live slots p x -> live slots p y -> x = y.
Proof. unfold live. intros. congruence. Qed.

Lemma padded_slot_map_spec : forall slots count,
  seq_length (padded_slot_map slots count) = N.max (seq_length slots) count /\
  forall p, slot_at (padded_slot_map slots count) p = slot_at slots p.
Proof.
  intros. unfold padded_slot_map.
  destruct (N.leb_spec (seq_length slots) count) as [Hle|Hgt].
  - rewrite N.max_r by assumption.
    apply (loop_invariant _ (fun i padded => seq_length padded = i /\ forall p, slot_at padded p = slot_at slots p)).
    + assumption.
    + split; reflexivity.
    + intros i acc Hi [L E]. unfold padded_slot_map_step. split.
      * rewrite seq_length_app, L. reflexivity.
      * intros p. rewrite <- E, !slot_at_seq_at, seq_at_app.
        destruct (N.ltb_spec p (seq_length acc)); [reflexivity|].
        rewrite (seq_at_beyond _ _ acc) by assumption.
        rewrite seq_at_single. destruct (p - seq_length acc =? 0); reflexivity.
  - rewrite range_empty by lia. cbn [fold_left]. split; [lia|reflexivity].
Qed.

Theorem slot_at_put_slot : forall slots p content q,
  slot_at (put_slot slots p content) q = if q =? p then content else slot_at slots q.
Proof.
  intros. unfold put_slot. destruct (N.ltb_spec p (seq_length slots)) as [Hlt|Hge].
  - rewrite !slot_at_seq_at, !seq_at_app, seq_at_single.
    rewrite seq_length_slice by lia. change (seq_length [content]) with 1.
    destruct (N.eqb_spec q p) as [->|Hne].
    + rewrite N.ltb_irrefl, N.sub_diag. reflexivity.
    + destruct (N.ltb_spec q p).
      * rewrite seq_at_slice by lia. f_equal.
      * destruct (N.ltb_spec (q - p) 1); [lia|].
        destruct (N.ltb_spec (q - p - 1) (seq_length slots - p - 1)).
        -- rewrite seq_at_slice by lia. f_equal. lia.
        -- rewrite (seq_at_beyond _ _ slots) by lia. apply seq_at_beyond.
           rewrite seq_length_slice by lia. lia.
  - destruct (padded_slot_map_spec slots p) as [L E].
    rewrite slot_at_seq_at, seq_at_app, seq_at_single, L, N.max_r by assumption.
    destruct (N.eqb_spec q p) as [->|Hne].
    + rewrite N.ltb_irrefl, N.sub_diag. reflexivity.
    + destruct (N.ltb_spec q p).
      * rewrite <- slot_at_seq_at. apply E.
      * replace (q - p =? 0) with false by (symmetry; apply N.eqb_neq; lia).
        rewrite slot_at_seq_at, seq_at_beyond by lia. reflexivity.
Qed.

Lemma slot_at_put_slot_same : forall slots p content, slot_at (put_slot slots p content) p = content.
Proof. intros. rewrite slot_at_put_slot, N.eqb_refl. reflexivity. Qed.

Lemma slot_at_put_slot_other : forall slots p content q,
  q <> p -> slot_at (put_slot slots p content) q = slot_at slots q.
Proof. intros. rewrite slot_at_put_slot. apply N.eqb_neq in H. rewrite H. reflexivity. Qed.

(** The end after a write: nothing is ever cut off. *)
Lemma slot_map_end_put_slot : forall slots p content,
  slot_map_end (put_slot slots p content) = N.max (slot_map_end slots) (p + 1).
Proof.
  intros. unfold slot_map_end, put_slot. destruct (N.ltb_spec p (seq_length slots)).
  - rewrite !seq_length_app, !seq_length_slice by lia. change (seq_length [content]) with 1. lia.
  - destruct (padded_slot_map_spec slots p) as [L _]. rewrite seq_length_app, L.
    change (seq_length [content]) with 1. lia.
Qed.

Lemma live_put_slot : forall slots p x q y,
  live (put_slot slots p (Some x)) q y <-> (q = p /\ y = x) \/ (q <> p /\ live slots q y).
Proof.
  intros. unfold live. rewrite slot_at_put_slot. destruct (N.eqb_spec q p) as [->|H]; split; intros G.
  - left. split; congruence.
  - destruct G as [[_ ->]|[G _]]; [reflexivity|congruence].
  - right. auto.
  - destruct G as [[G _]|[_ G]]; [contradiction|assumption].
Qed.

Lemma live_remove_slot : forall slots p q y,
  live (put_slot slots p None) q y <-> q <> p /\ live slots q y.
Proof.
  intros. unfold live. rewrite slot_at_put_slot. destruct (N.eqb_spec q p) as [->|H]; split; intros G.
  - discriminate.
  - destruct G. congruence.
  - auto.
  - tauto.
Qed.

Lemma live_dec : forall slots p, {x | live slots p x} + {forall x, ~ live slots p x}.
Proof.
  intros. unfold live. destruct (slot_at slots p) as [x|].
  - left. exists x. reflexivity.
  - right. discriminate.
Qed.

(** Two maps of one length that agree everywhere are the same sequence. *)
Lemma slot_map_ext : forall s t,
  slot_map_end s = slot_map_end t -> (forall p, slot_at s p = slot_at t p) -> s = t.
Proof.
  intros s t L H. apply (seq_ext _ _ s t L). intros i _. rewrite <- !slot_at_seq_at. apply H.
Qed.

(** ** Searches: the lowest position whose content satisfies a test *)

Section Search.

Variable test : option Slot -> bool.
Hypothesis test_none : test None = false.

Definition search_step (found : option N) (content : option Slot) (p : N) : option N :=
  match found with
  | Some position => Some position
  | None => if test content then Some p else None
  end.

Definition search (slots : SlotMap) : option N :=
  fold_left (fun found p => search_step found (seq_at slots p) p) (range 0 (seq_length slots)) None.

Lemma search_spec : forall slots,
  match search slots with
  | Some p => test (slot_at slots p) = true /\ forall q, q < p -> test (slot_at slots q) = false
  | None => forall q, test (slot_at slots q) = false
  end.
Proof.
  intros slots.
  assert (I : match search slots with
    | Some p => test (slot_at slots p) = true /\ forall q, q < p -> test (slot_at slots q) = false
    | None => forall q, q < seq_length slots -> test (slot_at slots q) = false
    end).
  { unfold search.
    apply (loop_invariant _ (fun i found => match found with
      | Some p => test (slot_at slots p) = true /\ forall q, q < p -> test (slot_at slots q) = false
      | None => forall q, q < i -> test (slot_at slots q) = false
      end)).
    - lia.
    - lia.
    - intros i [p|] Hi H; cbn [search_step]; [exact H|].
      rewrite <- slot_at_seq_at. destruct (test (slot_at slots i)) eqn:E; cbn [search_step].
      + auto.
      + intros q Hq. destruct (N.eq_dec q i) as [->|Hne]; [exact E|]. apply H. lia. }
  destruct (search slots) as [p|]; [exact I|]. intros q.
  destruct (N.ltb_spec q (seq_length slots)); [apply I; assumption|].
  rewrite slot_at_beyond_end by assumption. exact test_none.
Qed.

End Search.

Lemma covering_position_spec : forall slots k,
  match covering_position slots k with
  | Some p =>
      (exists x, live slots p x /\ covers x k = true) /\
      forall q y, q < p -> live slots q y -> covers y k = false
  | None => forall q y, live slots q y -> covers y k = false
  end.
Proof.
  intros. change (covering_position slots k) with (search (fun c => content_covers c k) slots).
  pose proof (search_spec (fun c => content_covers c k) eq_refl slots) as H.
  destruct (search _ slots) as [p|]; cbn beta in H.
  - destruct H as [H L]. split.
    + unfold live. destruct (slot_at slots p) as [x|]; [|discriminate]. exists x. auto.
    + unfold live. intros q y Hq E. specialize (L q Hq). rewrite E in L. exact L.
  - unfold live. intros q y E. specialize (H q). rewrite E in H. exact H.
Qed.

Lemma preceding_position_spec : forall slots k,
  match preceding_position slots k with
  | Some p =>
      (exists x, live slots p x /\ precedes x k = true) /\
      forall q y, q < p -> live slots q y -> precedes y k = false
  | None => forall q y, live slots q y -> precedes y k = false
  end.
Proof.
  intros. change (preceding_position slots k) with (search (fun c => content_precedes c k) slots).
  pose proof (search_spec (fun c => content_precedes c k) eq_refl slots) as H.
  destruct (search _ slots) as [p|]; cbn beta in H.
  - destruct H as [H L]. split.
    + unfold live. destruct (slot_at slots p) as [x|]; [|discriminate]. exists x. auto.
    + unfold live. intros q y Hq E. specialize (L q Hq). rewrite E in L. exact L.
  - unfold live. intros q y E. specialize (H q). rewrite E in H. exact H.
Qed.

Theorem covering_position_sound : forall slots k p,
  covering_position slots k = Some p -> exists x, live slots p x /\ covers x k = true.
Proof. intros slots k p E. pose proof (covering_position_spec slots k) as H. rewrite E in H. apply H. Qed.

Theorem covering_position_complete : forall slots k p x,
  live slots p x -> covers x k = true -> exists q, covering_position slots k = Some q.
Proof.
  intros slots k p x L C. pose proof (covering_position_spec slots k) as H.
  destruct (covering_position slots k) as [q|]; [exists q; reflexivity|].
  rewrite (H p x L) in C. discriminate.
Qed.

Theorem preceding_position_sound : forall slots k p,
  preceding_position slots k = Some p -> exists x, live slots p x /\ precedes x k = true.
Proof. intros slots k p E. pose proof (preceding_position_spec slots k) as H. rewrite E in H. apply H. Qed.

Theorem preceding_position_complete : forall slots k p x,
  live slots p x -> precedes x k = true -> exists q, preceding_position slots k = Some q.
Proof.
  intros slots k p x L C. pose proof (preceding_position_spec slots k) as H.
  destruct (preceding_position slots k) as [q|]; [exists q; reflexivity|].
  rewrite (H p x L) in C. discriminate.
Qed.

(** When one position at most holds a slot that covers the key, the search finds it. *)
Lemma covering_position_unique : forall slots k p x,
  live slots p x -> covers x k = true ->
  (forall q y, live slots q y -> covers y k = true -> q = p) ->
  covering_position slots k = Some p.
Proof.
  intros slots k p x L C U. destruct (covering_position_complete _ _ _ _ L C) as [q E].
  destruct (covering_position_sound _ _ _ E) as (y & Ly & Cy). rewrite E. f_equal. eapply U; eauto.
Qed.

Lemma preceding_position_unique : forall slots k p x,
  live slots p x -> precedes x k = true ->
  (forall q y, live slots q y -> precedes y k = true -> q = p) ->
  preceding_position slots k = Some p.
Proof.
  intros slots k p x L C U. destruct (preceding_position_complete _ _ _ _ L C) as [q E].
  destruct (preceding_position_sound _ _ _ E) as (y & Ly & Cy). rewrite E. f_equal. eapply U; eauto.
Qed.

Lemma covering_slot_of_position : forall slots k p x,
  covering_position slots k = Some p -> live slots p x -> covering_slot slots k = Some x.
Proof. intros slots k p x E L. unfold covering_slot. rewrite E. exact L. Qed.
