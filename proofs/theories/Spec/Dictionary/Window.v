(** The window: what the writes of the latest versions say about the version that a claim is for.

    All is about a window that holds the writes between the whole arrays of a history, of its latest versions
    ([window_of_history], History.v). t is the current version, v one of those that the window reaches back to.

    - [size_at_correct]: the window knows the number of slots at v;
    - [is_current_iff]: a position is current since v when no array after v differs there from the one before it;
    - [window_frame]: a position that is current since v holds at t what it held at v;
    - [lay_window_correct]: the window's writes, laid over any map, give at each position that they write the content at t,
      and leave the others;
    - [window_complete]: let one slot at most satisfy Q at v. When the claim for Q at v is not current, the slot that
      satisfies Q at t was written since v: so the window holds it;
    - [slide_keeps_window]: with one more version, the window is that of the longer history. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Dictionary.Slot Dictionary.SlotMap
  Dictionary.Array Commitment.Scheme Dictionary.Genesis Dictionary.Writes Dictionary.Vectors Dictionary.Window
  Block.State.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes Spec.Dictionary.Slot
  Lemmas.SlotMapLemmas Spec.Dictionary.Writes Lemmas.History.
Import ListNotations.
Local Open Scope N_scope.

Section Window.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** Version v is one of those that the window reaches back to. *)
Definition within_window (h : History) (kept : Window) (v : N) : Prop := now h - seq_length kept <= v <= now h.

(** The slots at version v. *)
Definition slots_of (h : History) (v : N) : SlotMap := array_slots (array_at h v).

(** Some version of the window wrote the position. *)
Definition written_in (kept : Window) (p : N) : bool :=
  existsb (fun record => is_written (record_writes record) p) kept.

(** ** The window's place in the history *)

Section OfHistory.

Variables (setup : Setup) (n count : N) (h : History) (kept : Window).
Hypothesis windowed : window_of_history setup n count h kept.

Lemma window_length_most : seq_length kept <= now h.
Proof. destruct windowed as [L _]. lia. Qed.

(** The record that leads to version v + 1. *)
Lemma record_leads : forall v, now h - seq_length kept <= v < now h ->
  seq_at kept (seq_length kept - (now h - v)) = record_between setup n (array_at h v) (array_at h (v + 1)).
Proof.
  intros v V. pose proof window_length_most as M. destruct windowed as [_ R]. rewrite R by lia.
  replace (now h - seq_length kept + (seq_length kept - (now h - v))) with v by lia. reflexivity.
Qed.

Lemma record_writes_at : forall i p, i < seq_length kept ->
  is_written (record_writes (seq_at kept i)) p =
  differs (slots_of h (now h - seq_length kept + i)) (slots_of h (now h - seq_length kept + i + 1)) p.
Proof.
  intros i p Hi. destruct windowed as [_ R]. rewrite R by assumption. cbn [record_writes record_between].
  apply is_written_between.
Qed.

Lemma record_after_within : forall v,
  within_window h kept v -> v <> now h -> record_after kept (now h) v = Some (seq_length kept - (now h - v)).
Proof.
  intros v V N. unfold within_window in V. unfold record_after. destruct (N.ltb_spec v (now h)); [|lia].
  destruct (N.leb_spec (now h - v) (seq_length kept)); [reflexivity|lia].
Qed.

(** ** Sizes *)

Theorem size_at_correct : forall v,
  within_window h kept v -> size_at kept (now h) (array_size (latest h)) v = Some (array_size (array_at h v)).
Proof.
  intros v V. unfold size_at. destruct (N.eqb_spec v (now h)) as [->|N]; [reflexivity|].
  rewrite record_after_within by assumption. unfold within_window in V. rewrite record_leads by lia. reflexivity.
Qed.

(** Outside of it the window knows nothing. *)
Theorem size_at_outside : forall v s, ~ within_window h kept v -> size_at kept (now h) s v = None.
Proof.
  intros v s V. unfold within_window in V. pose proof window_length_most. unfold size_at.
  destruct (N.eqb_spec v (now h)); [lia|]. unfold record_after.
  destruct (N.ltb_spec v (now h)); [|reflexivity]. destruct (N.leb_spec (now h - v) (seq_length kept)); [lia|reflexivity].
Qed.

(** ** What is current *)

(** No array after v, up to t, differs at the position from the one before it. *)
Definition unchanged_since (v p : N) : Prop :=
  forall u, v <= u < now h -> slot_at (slots_of h u) p = slot_at (slots_of h (u + 1)) p.

Theorem is_current_iff : forall v p,
  within_window h kept v -> (is_current kept (now h) v p = true <-> unchanged_since v p).
Proof.
  intros v p V. pose proof window_length_most as M. unfold is_current.
  set (start := match record_after kept (now h) v with Some oldest => oldest | None => seq_length kept end).
  assert (S : start = seq_length kept - (now h - v)).
  { unfold start. destruct (N.eq_dec v (now h)) as [->|N].
    - unfold record_after. rewrite N.ltb_irrefl. cbn [andb]. lia.
    - rewrite record_after_within by assumption. reflexivity. }
  unfold within_window in V. change (match record_after kept (now h) v with
    | Some oldest => oldest | None => seq_length kept end) with start.
  assert (G : fold_left (fun current i => is_current_step current (seq_at kept i) p) (range start (seq_length kept)) true = true
    <-> forall i, start <= i < seq_length kept -> is_written (record_writes (seq_at kept i)) p = false).
  { apply (loop_invariant _ (fun j current =>
      current = true <-> forall i, start <= i < j -> is_written (record_writes (seq_at kept i)) p = false)).
    - lia.
    - split; [intros _ i; lia|reflexivity].
    - intros j current Hj H. unfold is_current_step. rewrite andb_true_iff, negb_true_iff, H. split.
      + intros [A B] i Hi. destruct (N.eq_dec i j) as [->|]; [assumption|]. apply A. lia.
      + intros A. split; [intros i Hi; apply A; lia|apply A; lia]. }
  cbv zeta. rewrite G. unfold unchanged_since. split.
  - intros A u Hu. set (i := seq_length kept - (now h - u)).
    assert (Hi : start <= i < seq_length kept) by (unfold i; lia).
    specialize (A i Hi). rewrite record_writes_at in A by lia.
    replace (now h - seq_length kept + i) with u in A by (unfold i; lia). apply differs_false. assumption.
  - intros A i Hi. rewrite record_writes_at by lia. apply differs_false. apply A. lia.
Qed.

(** What has not changed between neighbours has not changed. *)
Lemma unchanged_since_latest : forall v p,
  v <= now h -> unchanged_since v p -> slot_at (slots_of h v) p = slot_at (slots_of h (now h)) p.
Proof.
  intros v p V U.
  assert (G : forall d, v + d <= now h -> slot_at (slots_of h v) p = slot_at (slots_of h (v + d)) p).
  { induction d as [|d IH] using N.peano_ind; intros Hd; [rewrite N.add_0_r; reflexivity|].
    rewrite IH by lia. rewrite (U (v + d)) by lia. do 2 f_equal. lia. }
  rewrite (G (now h - v)) by lia. do 2 f_equal. lia.
Qed.

Theorem window_frame : forall v p,
  within_window h kept v -> is_current kept (now h) v p = true ->
  slot_at (array_slots (array_at h v)) p = slot_at (array_slots (latest h)) p.
Proof.
  intros v p V C. apply is_current_iff in C; [|assumption]. apply unchanged_since_latest; [apply V|assumption].
Qed.

(** What is not current was written, hence the window holds it. *)
Lemma not_current_written : forall v p,
  within_window h kept v -> is_current kept (now h) v p = false -> written_in kept p = true.
Proof.
  intros v p V C. destruct (written_in kept p) eqn:W; [reflexivity|]. rewrite <- C.
  apply is_current_iff; [assumption|]. intros u Hu. pose proof window_length_most. unfold within_window in V.
  apply differs_false. set (i := seq_length kept - (now h - u)).
  replace u with (now h - seq_length kept + i) by (unfold i; lia). rewrite <- record_writes_at by (unfold i; lia).
  destruct (is_written (record_writes (seq_at kept i)) p) eqn:E; [|reflexivity]. rewrite <- W. symmetry.
  apply existsb_exists. exists (seq_at kept i). split; [apply seq_at_in; unfold i; lia|assumption].
Qed.

(** ** Laying the window over a map *)

Theorem lay_window_correct : forall below p,
  slot_at (lay_window below kept) p =
  if written_in kept p then slot_at (array_slots (latest h)) p else slot_at below p.
Proof.
  intros below p. pose proof window_length_most as M.
  assert (G : (forall i, i < seq_length kept -> is_written (record_writes (seq_at kept i)) p = false) /\
              slot_at (lay_window below kept) p = slot_at below p \/
              (exists i, i < seq_length kept /\ is_written (record_writes (seq_at kept i)) p = true) /\
              slot_at (lay_window below kept) p = slot_at (slots_of h (now h - seq_length kept + seq_length kept)) p).
  { unfold lay_window. apply (loop_invariant _ (fun j slots =>
      (forall i, i < j -> is_written (record_writes (seq_at kept i)) p = false) /\ slot_at slots p = slot_at below p \/
      (exists i, i < j /\ is_written (record_writes (seq_at kept i)) p = true) /\
      slot_at slots p = slot_at (slots_of h (now h - seq_length kept + j)) p)).
    - lia.
    - left. split; [intros i; lia|reflexivity].
    - intros j slots Hj H. pose proof (record_writes_at j p ltac:(lia)) as Rw.
      assert (L : slot_at (lay_window_step slots (seq_at kept j)) p =
        if differs (slots_of h (now h - seq_length kept + j)) (slots_of h (now h - seq_length kept + j + 1)) p
        then slot_at (slots_of h (now h - seq_length kept + j + 1)) p else slot_at slots p).
      { destruct windowed as [_ R]. unfold lay_window_step. rewrite R by lia. apply lay_writes_between. }
      rewrite L, N.add_assoc, <- Rw. destruct (is_written (record_writes (seq_at kept j)) p) eqn:E.
      + right. split; [|reflexivity]. exists j. split; [lia|assumption].
      + destruct H as [[A B]|[(i & Hi & A) B]]; [left|right].
        * split; [|assumption]. intros i Hi. destruct (N.eq_dec i j) as [->|]; [assumption|]. apply A. lia.
        * split; [exists i; split; [lia|assumption]|]. rewrite B. symmetry in Rw. apply differs_false in Rw. assumption. }
  replace (now h - seq_length kept + seq_length kept) with (now h) in G by lia.
  change (array_slots (latest h)) with (slots_of h (now h)).
  destruct (written_in kept p) eqn:W.
  - destruct G as [[A _]|[_ G]]; [|assumption]. apply existsb_exists in W. destruct W as (record & I & W).
    destruct (in_seq_at _ _ kept record I) as (i & Hi & <-). rewrite A in W by assumption. discriminate.
  - destruct G as [[_ G]|[(i & Hi & A) _]]; [assumption|]. rewrite <- not_true_iff_false in W. destruct W.
    apply existsb_exists. exists (seq_at kept i). split; [apply seq_at_in; assumption|assumption].
Qed.

(** ** Completeness *)

(** One slot at most of these satisfies Q. *)
Definition one_at_most (slots : SlotMap) (Q : Slot -> Prop) : Prop :=
  forall p q x y, live slots p x -> Q x -> live slots q y -> Q y -> p = q.

Theorem window_complete : forall (Q : Slot -> Prop) v p x q y below,
  within_window h kept v -> one_at_most (array_slots (array_at h v)) Q ->
  live (array_slots (array_at h v)) p x -> Q x -> is_current kept (now h) v p = false ->
  live (array_slots (latest h)) q y -> Q y ->
  is_current kept (now h) v q = false /\ slot_at (lay_window below kept) q = Some y.
Proof.
  intros Q v p x q y below V One Lx Qx Stale Ly Qy.
  assert (C : is_current kept (now h) v q = false).
  { destruct (is_current kept (now h) v q) eqn:C; [|reflexivity]. pose proof (window_frame v q V C) as E.
    assert (Lv : live (array_slots (array_at h v)) q y) by (unfold live; rewrite E; exact Ly).
    rewrite (One q p y x Lv Qy Lx Qx) in C. congruence. }
  split; [assumption|]. rewrite lay_window_correct, (not_current_written v q V C). exact Ly.
Qed.

End OfHistory.

(** ** One more version *)

Lemma array_at_longer : forall (h : History) a v, v <= now h -> h <> [] -> array_at (h ++ [a]) v = array_at h v.
Proof.
  intros h a v V N. unfold array_at, now in *. rewrite seq_at_app. destruct h as [|b h]; [contradiction|].
  rewrite seq_length_cons in *. destruct (N.ltb_spec v (seq_length h + 1)); [reflexivity|lia].
Qed.

Lemma now_longer : forall (h : History) a, h <> [] -> now (h ++ [a]) = now h + 1.
Proof.
  intros h a N. unfold now. rewrite seq_length_app. destruct h as [|b h]; [contradiction|]. rewrite seq_length_cons.
  change (seq_length [a]) with 1. lia.
Qed.

Lemma latest_longer : forall (h : History) a, latest (h ++ [a]) = a.
Proof.
  intros h a. unfold latest, array_at, now. rewrite seq_at_app, seq_length_app. change (seq_length [a]) with 1.
  destruct (N.ltb_spec (seq_length h + 1 - 1) (seq_length h)); [lia|].
  replace (seq_length h + 1 - 1 - seq_length h) with 0 by lia. reflexivity.
Qed.

Theorem slide_keeps_window : forall setup n count h kept a,
  h <> [] -> window_of_history setup n count h kept ->
  window_of_history setup n count (h ++ [a]) (slide kept count (record_between setup n (latest h) a)).
Proof.
  intros setup n count h kept a N [L R]. unfold slide. cbv zeta. rewrite seq_length_app.
  change (seq_length [record_between setup n (latest h) a]) with 1.
  assert (At : forall i, i < seq_length kept + 1 ->
    seq_at (kept ++ [record_between setup n (latest h) a]) i =
    record_between setup n (array_at (h ++ [a]) (now h - seq_length kept + i))
      (array_at (h ++ [a]) (now h - seq_length kept + i + 1))).
  { intros i Hi. rewrite seq_at_app. destruct (N.ltb_spec i (seq_length kept)).
    - rewrite R by assumption. rewrite !array_at_longer by (assumption || lia). reflexivity.
    - replace i with (seq_length kept) by lia. rewrite N.sub_diag.
      replace (now h - seq_length kept + seq_length kept) with (now h) by lia.
      rewrite (array_at_longer h a (now h)) by (assumption || lia).
      replace (now h + 1) with (now (h ++ [a])) by (apply now_longer; assumption).
      change (array_at (h ++ [a]) (now (h ++ [a]))) with (latest (h ++ [a])). rewrite latest_longer. reflexivity. }
  destruct (N.ltb_spec count (seq_length kept + 1)).
  - assert (Sl : seq_length (seq_slice (kept ++ [record_between setup n (latest h) a])
      (seq_length kept + 1 - count) count) = count).
    { apply seq_length_slice. rewrite seq_length_app. change (seq_length [record_between setup n (latest h) a]) with 1. lia. }
    unfold window_of_history. rewrite Sl, now_longer by assumption. split; [lia|]. intros i Hi.
    rewrite seq_at_slice by assumption. rewrite At by lia.
    replace (now h - seq_length kept + (seq_length kept + 1 - count + i)) with (now h + 1 - count + i) by lia. reflexivity.
  - unfold window_of_history. rewrite seq_length_app, now_longer by assumption.
    change (seq_length [record_between setup n (latest h) a]) with 1. split; [lia|]. intros i Hi.
    rewrite At by assumption. replace (now h + 1 - (seq_length kept + 1)) with (now h - seq_length kept) by lia.
    reflexivity.
Qed.

(** At version 0 the window is empty. *)
Theorem empty_window : forall setup n count a, window_of_history setup n count [a] [].
Proof. intros. split; [unfold now; cbn; lia|]. cbn. lia. Qed.

End Window.
