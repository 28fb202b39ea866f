(** Update, seen from inside: a well-formed array in which one slot got another value is well-formed, and its map has that
    value for the slot's key. The theorems are in Array.v. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Dictionary.Slot Dictionary.SlotMap Dictionary.Array.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes Spec.Dictionary.Slot
  Lemmas.SlotMapLemmas Spec.Dictionary.SlotMap Lemmas.DictionaryLemmas.
Import ListNotations.
Local Open Scope N_scope.

Section Update.

Variables (a : Array) (k v : ByteString) (p : N) (x : Slot).
Hypothesis good : well_formed a.
Hypothesis not_sentinel : k <> [].
Hypothesis slot_here : live (array_slots a) p x.
Hypothesis slot_key : key x = k.

Let b := {| array_size := array_size a; array_slots := put_slot (array_slots a) p (Some (with_value x v)) |}.

Lemma updated_live : forall q y,
  live (array_slots b) q y <-> (q = p /\ y = with_value x v) \/ (q <> p /\ live (array_slots a) q y).
Proof. intros. apply live_put_slot. Qed.

Lemma updated_same_slot : forall q y, live (array_slots b) q y ->
  exists z, live (array_slots a) q z /\ key z = key y /\ next z = next y.
Proof.
  intros q y H. apply updated_live in H. destruct H as [[-> ->]|[_ H]]; [exists x|exists y]; auto.
Qed.

Lemma updated_live_key : forall j, live_key a j <-> live_key b j.
Proof.
  intros j. split; intros (q & y & L & E).
  - destruct (N.eq_dec q p) as [->|N].
    + exists p, (with_value x v). split; [apply updated_live; auto|].
      rewrite (live_unique _ _ _ _ L slot_here) in E. assumption.
    + exists q, y. split; [apply updated_live; auto|assumption].
  - destruct (updated_same_slot q y L) as (z & Lz & Kz & _). exists q, z. split; congruence.
Qed.

Lemma updated_well_formed : well_formed b.
Proof.
  destruct good as (D & (s & Ls & Ks & Vs) & U & R). split; [|split; [|split]].
  - eapply dense_put_live; eassumption.
  - exists s. split; [|auto]. apply updated_live. right. split; [|assumption].
    intros <-. rewrite (live_unique _ _ _ _ Ls slot_here) in Ks. congruence.
  - intros q r y z Ly Lz E. destruct (updated_same_slot _ _ Ly) as (y' & Ly' & Ky & _).
    destruct (updated_same_slot _ _ Lz) as (z' & Lz' & Kz & _). eapply U; eauto. congruence.
  - intros q y Ly. destruct (updated_same_slot _ _ Ly) as (y' & Ly' & Ky & Ny). apply is_next_iff.
    eapply next_in_ext; [exact updated_live_key|exact Ky|exact Ny|]. apply is_next_iff. eauto.
Qed.

Lemma updated_map : forall j, map_of b j = if bytes_equal j k then Some v else map_of a j.
Proof.
  intros j. pose proof updated_well_formed as (_ & _ & U' & _). pose proof good as (_ & _ & U & _).
  destruct (bytes_equal_spec j k) as [->|N].
  - apply map_of_entry; [assumption|assumption|]. exists p, (with_value x v).
    split; [apply updated_live; auto|auto].
  - apply option_ext. intros w. rewrite !map_of_iff by assumption.
    split; intros [J (q & y & L & E & V)]; (split; [assumption|]); exists q, y; split; auto.
    + apply updated_live in L. destruct L as [[_ ->]|[_ L]]; [cbn in E; congruence|assumption].
    + apply updated_live. right. split; [|assumption]. intros ->.
      rewrite (live_unique _ _ _ _ L slot_here) in E. congruence.
Qed.

End Update.
