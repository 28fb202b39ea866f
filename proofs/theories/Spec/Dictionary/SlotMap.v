(** The ring of a well-formed array partitions the keys.

    - [covering_slot_exists]: some slot covers each key, and the search finds it;
    - [covering_slot_unique]: no two slots cover one key;
    - [preceding_slot_exists], [preceding_slot_unique]: the same for the slot that precedes a key;
    - [covers_greatest]: the slot that covers a key is the one with the largest live key that is not above it;
    - [precedes_greatest]: the slot that precedes a key is the one with the largest live key below it; the empty key is
      preceded by the slot with the largest key of all ([precedes_empty]). *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Dictionary.Slot Dictionary.SlotMap Dictionary.Array.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes Spec.Dictionary.Slot
  Lemmas.SlotMapLemmas.
Import ListNotations.
Local Open Scope N_scope.

Lemma next_empty_or_above : forall a x, is_next a x -> next x = [] \/ blt (key x) (next x).
Proof. intros a x [[H _]|[H _]]; auto. Qed.

Theorem covers_greatest : forall a x k,
  is_next a x ->
  (covers x k = true <->
   ~ blt k (key x) /\ forall q y, live (array_slots a) q y -> ~ blt k (key y) -> ~ blt (key x) (key y)).
Proof.
  intros a x k H. rewrite covers_iff. destruct H as [[E M]|[L [(r & z & Lz & Ez) B]]].
  - rewrite E. pose proof (bytes_less_empty (key x)). pose proof (bytes_less_empty k). split.
    + intros [[]|[_ C]]; [contradiction|]. split; [tauto|]. intros. eapply M. eassumption.
    + intros [C _]. tauto.
  - split.
    + intros [[_ [C1 C2]]|[]]; [|contradiction]. split; [assumption|]. intros q y Ly Cy G.
      apply (B q y Ly). split; [assumption|]. exact (not_blt_blt_transitive _ _ _ Cy C2).
    + intros [C M]. left. repeat split; try assumption. destruct (blt_dec k (next x)) as [|F]; [assumption|].
      exfalso. rewrite <- Ez in F, L. exact (M r z Lz F L).
Qed.

Theorem precedes_greatest : forall a x k,
  is_next a x -> k <> [] ->
  (precedes x k = true <->
   blt (key x) k /\ forall q y, live (array_slots a) q y -> blt (key y) k -> ~ blt (key x) (key y)).
Proof.
  intros a x k H K. rewrite precedes_iff. destruct H as [[E M]|[L [(r & z & Lz & Ez) B]]].
  - rewrite E. pose proof (bytes_less_empty (key x)). apply blt_empty in K. split.
    + intros [[]|[_ C]]; [contradiction|]. split; [tauto|]. intros. eapply M. eassumption.
    + intros [C _]. tauto.
  - split.
    + intros [[_ [C1 C2]]|[]]; [|contradiction]. split; [assumption|]. intros q y Ly Cy G.
      apply (B q y Ly). split; [assumption|]. exact (blt_not_blt_transitive _ _ _ Cy C2).
    + intros [C M]. left. repeat split; try assumption. intros F. rewrite <- Ez in F, L. exact (M r z Lz F L).
Qed.

Theorem precedes_empty : forall a x, is_next a x -> (precedes x [] = true <-> next x = []).
Proof.
  intros a x H. rewrite precedes_iff. pose proof (bytes_less_empty (key x)).
  destruct (next_empty_or_above a x H) as [->|L].
  - pose proof (bytes_less_empty []). tauto.
  - split; [tauto|]. intros E. rewrite E in L. contradiction.
Qed.

(** Of finitely many slots, those that satisfy a test have a largest key, if there are any. *)
Lemma greatest_live : forall slots (test : ByteString -> bool),
  (exists p x, live slots p x /\ test (key x) = true) ->
  exists p x, live slots p x /\ test (key x) = true /\
    forall q y, live slots q y -> test (key y) = true -> ~ blt (key x) (key y).
Proof.
  intros slots test.
  assert (G : forall n,
    (forall p x, p < n -> live slots p x -> test (key x) = false) \/
    exists p x, live slots p x /\ test (key x) = true /\
      forall q y, q < n -> live slots q y -> test (key y) = true -> ~ blt (key x) (key y)).
  { induction n as [|n IH] using N.peano_ind.
    - left. intros. lia.
    - assert (S : (exists x, live slots n x /\ test (key x) = true) \/
                  (forall x, live slots n x -> test (key x) = false)).
      { destruct (live_dec slots n) as [[x L]|F].
        - destruct (test (key x)) eqn:T; [left; eauto|right].
          intros y Ly. rewrite (live_unique _ _ _ _ Ly L). assumption.
        - right. intros x L. destruct (F x L). }
      destruct IH as [IH|(p & x & L & T & M)], S as [(z & Lz & Tz)|S].
      + right. exists n, z. repeat split; try assumption. intros q y Hq Ly Ty.
        assert (q = n) as ->.
        { destruct (N.ltb_spec q n); [|lia]. rewrite (IH q y) in Ty by assumption. discriminate. }
        rewrite (live_unique _ _ _ _ Ly Lz). apply blt_irreflexive.
      + left. intros p x Hp L. destruct (N.eq_dec p n) as [->|]; [auto|]. apply (IH p); [lia|assumption].
      + right. destruct (blt_dec (key x) (key z)) as [B|B].
        * exists n, z. repeat split; try assumption. intros q y Hq Ly Ty F.
          destruct (N.eq_dec q n) as [->|].
          -- rewrite (live_unique _ _ _ _ Ly Lz) in F. exact (blt_irreflexive _ F).
          -- apply (M q y ltac:(lia) Ly Ty). exact (blt_transitive _ _ _ B F).
        * exists p, x. repeat split; try assumption. intros q y Hq Ly Ty.
          destruct (N.eq_dec q n) as [->|].
          -- rewrite (live_unique _ _ _ _ Ly Lz). assumption.
          -- apply (M q y ltac:(lia) Ly Ty).
      + right. exists p, x. repeat split; try assumption. intros q y Hq Ly Ty F.
        destruct (N.eq_dec q n) as [->|].
        * rewrite (S y Ly) in Ty. discriminate.
        * exact (M q y ltac:(lia) Ly Ty F). }
  intros (p & x & L & T). destruct (G (slot_map_end slots)) as [F|(r & z & Lz & Tz & M)].
  - rewrite (F p x) in T; [discriminate| |assumption]. eapply live_below_end. eassumption.
  - exists r, z. repeat split; try assumption. intros q y Ly. apply (M q y); [|assumption].
    eapply live_below_end. eassumption.
Qed.

(** Two live slots neither of which has the larger key are one. *)
Lemma same_key_same_slot : forall a p q x y,
  keys_distinct a -> live (array_slots a) p x -> live (array_slots a) q y ->
  ~ blt (key x) (key y) -> ~ blt (key y) (key x) -> p = q /\ x = y.
Proof.
  intros a p q x y D Lx Ly N1 N2.
  assert (E : key x = key y). { apply not_blt in N1. destruct N1; [auto|contradiction]. }
  assert (p = q) as -> by (eapply D; eassumption). split; [reflexivity|]. eapply live_unique; eassumption.
Qed.

Lemma covering_slot_unique_distinct : forall a k p q x y,
  keys_distinct a -> is_next a x -> is_next a y ->
  live (array_slots a) p x -> covers x k = true ->
  live (array_slots a) q y -> covers y k = true ->
  p = q /\ x = y.
Proof.
  intros a k p q x y D Nx Ny Lx Cx Ly Cy.
  apply (covers_greatest a) in Cx; [|assumption]. apply (covers_greatest a) in Cy; [|assumption].
  destruct Cx as [Cx Mx], Cy as [Cy My]. eapply same_key_same_slot; eauto.
Qed.

(** No two slots cover one key. *)
Theorem covering_slot_unique : forall a k p q x y,
  well_formed a ->
  live (array_slots a) p x -> covers x k = true ->
  live (array_slots a) q y -> covers y k = true ->
  p = q /\ x = y.
Proof.
  intros a k p q x y (_ & _ & D & R) Lx Cx Ly Cy. eapply covering_slot_unique_distinct; eauto.
Qed.

(** Some slot covers each key, and the search finds it. *)
Theorem covering_slot_exists : forall a k,
  well_formed a ->
  exists p x,
    covering_position (array_slots a) k = Some p /\ covering_slot (array_slots a) k = Some x /\
    live (array_slots a) p x /\ covers x k = true.
Proof.
  intros a k (_ & (s & Ls & Ks & _) & _ & R).
  destruct (greatest_live (array_slots a) (fun key => negb (bytes_less k key))) as (p & x & Lx & Tx & M).
  { exists 0, s. split; [assumption|]. rewrite Ks. apply negb_true_iff, bytes_less_false, bytes_less_empty. }
  assert (C : covers x k = true).
  { apply (covers_greatest a x k (R p x Lx)). split.
    - apply bytes_less_false, negb_true_iff. assumption.
    - intros q y Ly Cy. apply (M q y Ly). apply negb_true_iff, bytes_less_false. assumption. }
  destruct (covering_position_complete _ _ _ _ Lx C) as [q E].
  destruct (covering_position_sound _ _ _ E) as (y & Ly & Cy).
  exists q, y. split; [assumption|]. split; [|auto]. eapply covering_slot_of_position; eassumption.
Qed.

(** No two slots precede one key. *)
Theorem preceding_slot_unique : forall a k p q x y,
  well_formed a ->
  live (array_slots a) p x -> precedes x k = true ->
  live (array_slots a) q y -> precedes y k = true ->
  p = q /\ x = y.
Proof.
  intros a k p q x y (_ & _ & D & R) Lx Cx Ly Cy. destruct (bytes_dec k []) as [->|K].
  - apply (precedes_empty a) in Cx; [|eauto]. apply (precedes_empty a) in Cy; [|eauto].
    assert (T : forall r s z w, live (array_slots a) r z -> live (array_slots a) s w -> next z = [] ->
      ~ blt (key z) (key w)).
    { intros r s z w Lz Lw E. destruct (R r z Lz) as [[_ M]|[B _]].
      - eapply M. eassumption.
      - rewrite E in B. destruct (bytes_less_empty _ B). }
    eapply same_key_same_slot; eauto.
  - apply (precedes_greatest a) in Cx; [|eauto|assumption]. apply (precedes_greatest a) in Cy; [|eauto|assumption].
    destruct Cx as [Cx Mx], Cy as [Cy My]. eapply same_key_same_slot; eauto.
Qed.

(** Some slot precedes each key, and the search finds it. *)
Theorem preceding_slot_exists : forall a k,
  well_formed a ->
  exists p x,
    preceding_position (array_slots a) k = Some p /\ live (array_slots a) p x /\ precedes x k = true.
Proof.
  intros a k (_ & (s & Ls & Ks & _) & _ & R).
  assert (E : exists p x, live (array_slots a) p x /\ precedes x k = true).
  { destruct (bytes_dec k []) as [->|K].
    - destruct (greatest_live (array_slots a) (fun _ => true)) as (p & x & Lx & _ & M); [eauto|].
      exists p, x. split; [assumption|]. apply (precedes_empty a x); [eauto|].
      destruct (R p x Lx) as [[E _]|(B & (q & y & Ly & Ey) & _)]; [assumption|].
      destruct (M q y Ly eq_refl). congruence.
    - destruct (greatest_live (array_slots a) (fun key => bytes_less key k)) as (p & x & Lx & Tx & M).
      { exists 0, s. split; [assumption|]. rewrite Ks. apply blt_empty. assumption. }
      exists p, x. split; [assumption|]. apply (precedes_greatest a x k); eauto. }
  destruct E as (p & x & Lx & C).
  destruct (preceding_position_complete _ _ _ _ Lx C) as [q E].
  destruct (preceding_position_sound _ _ _ E) as (y & Ly & Cy). exists q, y. auto.
Qed.

(** What the search finds is the one slot that covers. *)
Lemma covering_position_iff : forall a k p x,
  well_formed a -> live (array_slots a) p x ->
  (covering_position (array_slots a) k = Some p <-> covers x k = true).
Proof.
  intros a k p x W L. split; intros H.
  - destruct (covering_position_sound _ _ _ H) as (y & Ly & Cy). rewrite (live_unique _ _ _ _ L Ly). assumption.
  - eapply covering_position_unique; eauto. intros q y Ly Cy.
    destruct (covering_slot_unique a k q p y x W Ly Cy L H). assumption.
Qed.

Lemma preceding_position_iff : forall a k p x,
  well_formed a -> live (array_slots a) p x ->
  (preceding_position (array_slots a) k = Some p <-> precedes x k = true).
Proof.
  intros a k p x W L. split; intros H.
  - destruct (preceding_position_sound _ _ _ H) as (y & Ly & Cy). rewrite (live_unique _ _ _ _ L Ly). assumption.
  - eapply preceding_position_unique; eauto. intros q y Ly Cy.
    destruct (preceding_slot_unique a k q p y x W Ly Cy L H). assumption.
Qed.

(** A live key is covered by its own slot. *)
Lemma covers_live_key : forall a k p q x y,
  well_formed a -> live (array_slots a) p x -> covers x k = true ->
  live (array_slots a) q y -> key y = k -> p = q /\ x = y.
Proof.
  intros a k p q x y W Lx Cx Ly <-. eapply covering_slot_unique; eauto. apply covers_own_key.
Qed.

(** The slot that precedes a live key has it as its next key. *)
Lemma precedes_live_key : forall a k p q x y,
  well_formed a -> live (array_slots a) p x -> precedes x k = true ->
  live (array_slots a) q y -> key y = k -> next x = k.
Proof.
  intros a k p q x y W Lx Px Ly <-. destruct (bytes_dec (key y) []) as [E|K].
  - rewrite E in *. apply (precedes_empty a x); [|assumption]. apply W in Lx. assumption.
  - pose proof Lx as N. apply W in N. apply (precedes_greatest a x _ N K) in Px. destruct Px as [B M].
    destruct N as [[_ F]|(B1 & (r & z & Lz & Ez) & F)]; [destruct (F q y Ly B)|].
    destruct (bytes_dec (next x) (key y)) as [|D]; [assumption|exfalso].
    destruct (blt_total _ _ D) as [G|G].
    + apply (M r z Lz); congruence.
    + apply (F q y Ly). auto.
Qed.
