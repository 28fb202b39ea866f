(** Delete, seen from inside: a well-formed array without one slot, whose predecessor in the ring was linked past it and
    whose place the last slot took, is well-formed, and its map lacks the slot's key. The theorems are in Array.v. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Dictionary.Slot Dictionary.SlotMap Dictionary.Array.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes Spec.Dictionary.Slot
  Lemmas.SlotMapLemmas Spec.Dictionary.SlotMap Lemmas.DictionaryLemmas.
Import ListNotations.
Local Open Scope N_scope.

Section Delete.

Variables (a : Array) (k : ByteString) (p : N) (x : Slot) (r : N) (y : Slot).
Hypothesis good : well_formed a.
Hypothesis not_sentinel : k <> [].
Hypothesis slot_here : live (array_slots a) p x.
Hypothesis slot_key : key x = k.
Hypothesis predecessor_here : live (array_slots a) r y.
Hypothesis predecessor_precedes : precedes y k = true.

Let unlinked :=
  {| array_size := array_size a; array_slots := put_slot (array_slots a) r (Some (with_next y (next x))) |}.

Lemma predecessor_next : next y = k.
Proof. exact (precedes_live_key a k r p y x good predecessor_here predecessor_precedes slot_here slot_key). Qed.

Lemma predecessor_below : blt (key y) k.
Proof.
  destruct good as (_ & _ & _ & R). pose proof (R r y predecessor_here) as N.
  apply next_empty_or_above in N. rewrite predecessor_next in N. destruct N; [contradiction|assumption].
Qed.

Lemma predecessor_elsewhere : r <> p.
Proof.
  intros E. pose proof predecessor_here as L. rewrite E in L. pose proof (live_unique _ _ _ _ L slot_here) as F.
  pose proof predecessor_below as B. rewrite F, slot_key in B. exact (blt_irreflexive _ B).
Qed.

Lemma unlinked_live : forall q z,
  live (array_slots unlinked) q z <->
  (q = r /\ z = with_next y (next x)) \/ (q <> r /\ live (array_slots a) q z).
Proof. intros. apply live_put_slot. Qed.

Lemma unlinked_dense : dense unlinked.
Proof. destruct good as (D & _). eapply dense_put_live; eassumption. Qed.

Lemma unlinked_same_key : forall q z, live (array_slots unlinked) q z ->
  exists w, live (array_slots a) q w /\ key w = key z /\ value w = value z.
Proof.
  intros q z L. apply unlinked_live in L. destruct L as [[-> ->]|[_ L]]; [exists y|exists z]; auto.
Qed.

(** What is left when the slot at [p] is taken away, wherever its remaining slots stand. *)
Variable b : Array.
Hypothesis size_here : array_size b = array_size a - 1.
Hypothesis slots_here : forall q, slot_at (array_slots b) q =
  if q <? array_size a - 1 then slot_at (array_slots unlinked) (if q =? p then array_size a - 1 else q) else None.

(** Where the slot at [q] stood before the move. *)
Definition origin (q : N) : N := if q =? p then array_size a - 1 else q.

Lemma slot_below : p < array_size a.
Proof. destruct good as (D & _). eapply dense_below; eauto. Qed.

Lemma deleted_live : forall q z,
  live (array_slots b) q z <-> q < array_size a - 1 /\ live (array_slots unlinked) (origin q) z.
Proof.
  intros q z. unfold live. rewrite slots_here. fold (origin q).
  destruct (N.ltb_spec q (array_size a - 1)); split; intros H'.
  - auto.
  - tauto.
  - discriminate.
  - lia.
Qed.

Lemma origin_elsewhere : forall q, q < array_size a - 1 -> origin q <> p /\ origin q < array_size a.
Proof. intros q H. unfold origin. destruct (N.eqb_spec q p); lia. Qed.

Lemma origin_injective : forall q s,
  q < array_size a - 1 -> s < array_size a - 1 -> origin q = origin s -> q = s.
Proof. intros q s Hq Hs. unfold origin. destruct (N.eqb_spec q p), (N.eqb_spec s p); lia. Qed.

Lemma origin_onto : forall q, q < array_size a -> q <> p -> exists s, s < array_size a - 1 /\ origin s = q.
Proof.
  intros q H N. pose proof slot_below. destruct (N.eq_dec q (array_size a - 1)) as [->|].
  - exists p. unfold origin. rewrite N.eqb_refl. lia.
  - exists q. unfold origin. destruct (N.eqb_spec q p); lia.
Qed.

(** Each slot that is left stood elsewhere before, with the same key and value. *)
Lemma deleted_origin : forall q z, live (array_slots b) q z ->
  exists w, live (array_slots a) (origin q) w /\ key w = key z /\ value w = value z /\ key z <> k.
Proof.
  intros q z L. apply deleted_live in L. destruct L as [B L].
  destruct (unlinked_same_key _ _ L) as (w & Lw & Kw & Vw). exists w. repeat split; try assumption.
  intros E. destruct good as (_ & _ & U & _). apply (origin_elsewhere q B). eapply U; eauto. congruence.
Qed.

Lemma deleted_keeps : forall q z, live (array_slots a) q z -> key z <> k ->
  exists s w, live (array_slots b) s w /\ origin s = q /\ key w = key z /\ value w = value z.
Proof.
  intros q z L N. pose proof good as (D & _).
  assert (Np : q <> p).
  { intros E. rewrite E in L. rewrite (live_unique _ _ _ _ L slot_here) in N. contradiction. }
  destruct (origin_onto q (dense_below _ _ _ D L) Np) as (s & Bs & O).
  destruct (N.eq_dec q r) as [E|Nr].
  - exists s, (with_next y (next x)). rewrite E in L. rewrite (live_unique _ _ _ _ L predecessor_here).
    split; [|auto]. apply deleted_live. split; [assumption|]. apply unlinked_live. left. split; [congruence|reflexivity].
  - exists s, z. split; [|auto]. apply deleted_live. split; [assumption|]. apply unlinked_live. right. rewrite O. auto.
Qed.

Lemma deleted_live_key : forall j, live_key b j <-> live_key a j /\ j <> k.
Proof.
  intros j. split.
  - intros (q & z & L & E). destruct (deleted_origin q z L) as (w & Lw & Kw & _ & N). split; [|congruence].
    exists (origin q), w. split; [assumption|congruence].
  - intros [(q & z & L & E) N]. destruct (deleted_keeps q z L ltac:(congruence)) as (s & w & Lw & _ & Kw & _).
    exists s, w. split; [assumption|congruence].
Qed.

Lemma deleted_next : forall q z, live (array_slots b) q z -> next_in (live_key b) z.
Proof.
  intros q z L. pose proof good as (D & _ & U & R). pose proof predecessor_below as B. pose proof predecessor_next as Ny.
  pose proof (R p x slot_here) as Rx. apply is_next_iff in Rx. rewrite <- slot_key in B, Ny.
  pose proof (R r y predecessor_here) as Ry. apply is_next_iff in Ry.
  destruct Ry as [[F _]|(_ & _ & Gy)]; [exfalso; congruence|]. rewrite Ny in Gy.
  (* nothing live but the deleted key lies above y's key and not above x's *)
  assert (Above : forall j, live_key b j -> blt (key y) j -> blt (key x) j).
  { intros j J H. apply deleted_live_key in J. destruct J as [J N].
    destruct (blt_total j (key x) ltac:(congruence)) as [G|G]; [|assumption]. destruct (Gy j J (conj H G)). }
  apply deleted_live in L. destruct L as [_ L]. apply unlinked_live in L. destruct L as [[_ ->]|[N L]].
  - (* the predecessor *)
    destruct Rx as [[E F]|(F & S & G)]; [left|right]; cbn [key next with_next].
    + split; [assumption|]. intros j J H. pose proof (Above j J H). apply deleted_live_key in J.
      destruct J as [J _]. exact (F j J H0).
    + split; [exact (blt_transitive _ _ _ B F)|]. split.
      * apply deleted_live_key. split; [assumption|]. rewrite <- slot_key. intros E. rewrite E in F.
        exact (blt_irreflexive _ F).
      * intros j J [H1 H2]. pose proof (Above j J H1) as H3. apply deleted_live_key in J. destruct J as [J _].
        exact (G j J (conj H3 H2)).
  - (* any other *)
    assert (Nz : next z <> k).
    { intros E. pose proof (precedes_own_next z) as P. rewrite E in P. apply N.
      destruct (preceding_slot_unique a k (origin q) r z y good L P predecessor_here predecessor_precedes). assumption. }
    pose proof (R (origin q) z L) as Rz. apply is_next_iff in Rz. destruct Rz as [[E F]|(F & S & G)]; [left|right].
    + split; [assumption|]. intros j J. apply deleted_live_key in J. apply F. tauto.
    + split; [assumption|]. split; [apply deleted_live_key; auto|].
      intros j J. apply deleted_live_key in J. apply G. tauto.
Qed.

Lemma deleted_well_formed : well_formed b.
Proof.
  destruct good as (D & (s & Ls & Ks & Vs) & U & R).
  pose proof slot_below as Bp. pose proof unlinked_dense as Du.
  assert (Np : p <> 0).
  { intros E. pose proof slot_here as L. rewrite E in L. rewrite (live_unique _ _ _ _ Ls L) in Ks. congruence. }
  split; [|split; [|split]].
  - split; [lia|]. intros q. rewrite size_here. split.
    + intros [z L]. apply deleted_live in L. tauto.
    + intros H. destruct (origin_elsewhere q H) as [_ O].
      destruct (dense_live unlinked (origin q) Du O) as [z L]. exists z. apply deleted_live. auto.
  - assert (O : origin 0 = 0). { unfold origin. destruct (N.eqb_spec 0 p); lia. }
    destruct (N.eq_dec r 0) as [E|N].
    + exists (with_next s (next x)). split; [|auto]. apply deleted_live. split; [lia|]. rewrite O.
      apply unlinked_live. left. split; [congruence|]. pose proof predecessor_here as L. rewrite E in L.
      rewrite (live_unique _ _ _ _ Ls L). reflexivity.
    + exists s. split; [|auto]. apply deleted_live. split; [lia|]. rewrite O. apply unlinked_live. auto.
  - intros q t z w Lz Lw E. destruct (deleted_origin q z Lz) as (z' & Lz' & Kz & _).
    destruct (deleted_origin t w Lw) as (w' & Lw' & Kw & _). apply deleted_live in Lz, Lw.
    apply origin_injective; try tauto. eapply U; eauto. congruence.
  - intros q z L. apply is_next_iff. eapply deleted_next. eassumption.
Qed.

Lemma deleted_map : forall j, map_of b j = if bytes_equal j k then None else map_of a j.
Proof.
  intros j. pose proof deleted_well_formed as (_ & _ & U' & _). pose proof good as (_ & _ & U & _).
  destruct (bytes_equal_spec j k) as [->|N].
  - apply map_of_absent. rewrite deleted_live_key. tauto.
  - apply option_ext. intros w. rewrite !map_of_iff by assumption.
    split; intros [J (q & z & L & E & V)]; (split; [assumption|]).
    + destruct (deleted_origin q z L) as (z' & L' & K' & V' & _). exists (origin q), z'. split; [assumption|]. split; congruence.
    + destruct (deleted_keeps q z L ltac:(congruence)) as (s & z' & L' & _ & K' & V'). exists s, z'.
      split; [assumption|]. split; congruence.
Qed.

End Delete.
