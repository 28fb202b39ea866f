(** Insert, seen from inside: the ring with a new key linked behind the slot that covers it is well-formed, and its map has
    the new key. The theorems are in Array.v. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Dictionary.Slot Dictionary.SlotMap Dictionary.Array.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes Spec.Dictionary.Slot
  Lemmas.SlotMapLemmas Spec.Dictionary.SlotMap Lemmas.DictionaryLemmas.
Import ListNotations.
Local Open Scope N_scope.

Section Insert.

Variables (a : Array) (k v : ByteString) (p : N) (x : Slot).
Hypothesis good : well_formed a.
Hypothesis not_sentinel : k <> [].
Hypothesis slot_here : live (array_slots a) p x.
Hypothesis slot_covers : covers x k = true.
Hypothesis absent : ~ live_key a k.

Let new := {| key := k; value := v; next := next x |}.
Let b := {| array_size := array_size a + 1;
            array_slots := put_slot (put_slot (array_slots a) p (Some (with_next x k))) (array_size a) (Some new) |}.

Lemma inserted_live : forall q y,
  live (array_slots b) q y <->
  (q = array_size a /\ y = new) \/ (q = p /\ y = with_next x k) \/ (q <> p /\ live (array_slots a) q y).
Proof.
  intros. unfold b. cbn [array_slots]. rewrite !live_put_slot. destruct good as (D & _).
  assert (p < array_size a) by (eapply dense_below; eauto). split.
  - intros [|[_ [|]]]; auto.
  - intros [|[[-> ->]|[N L]]]; [auto|right|right].
    + split; [lia|auto].
    + split; [|auto]. apply dense_below in L; [lia|assumption].
Qed.

Lemma inserted_live_key : forall j, live_key b j <-> live_key a j \/ j = k.
Proof.
  intros j. split.
  - intros (q & y & L & E). apply inserted_live in L. destruct L as [[_ ->]|[[_ ->]|[_ L]]].
    + right. symmetry. exact E.
    + left. exists p, x. auto.
    + left. exists q, y. auto.
  - intros [(q & y & L & E)| ->].
    + destruct (N.eq_dec q p) as [->|N].
      * exists p, (with_next x k). split; [apply inserted_live; auto|].
        rewrite (live_unique _ _ _ _ L slot_here) in E. assumption.
      * exists q, y. split; [apply inserted_live; auto|assumption].
    + exists (array_size a), new. split; [apply inserted_live; auto|reflexivity].
Qed.

(** The new key lies strictly above its covering slot's key, and nothing live lies between the two. *)
Lemma inserted_place :
  blt (key x) k /\ forall j, live_key a j -> ~ blt k j -> ~ blt (key x) j.
Proof.
  destruct good as (_ & _ & _ & R). pose proof slot_covers as C.
  apply (covers_greatest a x k (R p x slot_here)) in C. destruct C as [C M]. split.
  - apply not_blt in C. destruct C as [E|C]; [|assumption]. destruct absent. exists p, x. auto.
  - intros j (q & y & L & <-). eauto.
Qed.

Lemma inserted_next : forall q y, live (array_slots b) q y -> next_in (live_key b) y.
Proof.
  intros q y L. destruct good as (_ & _ & _ & R). destruct inserted_place as [B M].
  pose proof (R p x slot_here) as Nx. apply is_next_iff in Nx.
  apply inserted_live in L. destruct L as [[_ ->]|[[_ ->]|[N L]]].
  - (* the new slot *)
    destruct Nx as [[E F]|(F & S & G)]; [left|right]; cbn [key next new].
    + split; [assumption|]. intros j J H. apply inserted_live_key in J. destruct J as [J| ->].
      * apply (F j J). exact (blt_transitive _ _ _ B H).
      * exact (blt_irreflexive _ H).
    + assert (blt k (next x)) as K.
      { destruct (blt_dec k (next x)) as [|H]; [assumption|]. destruct (M _ S H F). }
      split; [assumption|]. split; [apply inserted_live_key; auto|].
      intros j J [H1 H2]. apply inserted_live_key in J. destruct J as [J| ->].
      * apply (G j J). split; [exact (blt_transitive _ _ _ B H1)|assumption].
      * exact (blt_irreflexive _ H1).
  - (* the slot that covered the new key *)
    right. cbn [key next with_next]. split; [assumption|]. split; [apply inserted_live_key; auto|].
    intros j J [H1 H2]. apply inserted_live_key in J. destruct J as [J| ->].
    + exact (M j J (blt_asymmetric _ _ H2) H1).
    + exact (blt_irreflexive _ H2).
  - (* any other *)
    assert (NC : covers y k <> true).
    { intros C. apply N. symmetry. eapply covering_slot_unique; eassumption. }
    rewrite covers_iff in NC. pose proof (R q y L) as Ny. apply is_next_iff in Ny.
    destruct Ny as [[E F]|(F & S & G)]; [left|right].
    + split; [assumption|]. intros j J. apply inserted_live_key in J. destruct J as [J| ->]; [auto|].
      intros H. apply NC. right. rewrite E. split; [apply bytes_less_empty|]. left. apply blt_asymmetric. assumption.
    + split; [assumption|]. split; [apply inserted_live_key; auto|]. intros j J.
      apply inserted_live_key in J. destruct J as [J| ->]; [auto|]. intros [H1 H2]. apply NC. left.
      split; [assumption|]. split; [apply blt_asymmetric; assumption|assumption].
Qed.

Lemma inserted_well_formed : well_formed b.
Proof.
  destruct good as (D & (s & Ls & Ks & Vs) & U & R).
  assert (Bp : p < array_size a) by (eapply dense_below; eauto).
  split; [|split; [|split]].
  - split; [cbn; lia|]. intros q. cbn [array_size b]. split.
    + intros [y L]. apply inserted_live in L. destruct L as [[-> _]|[[-> _]|[_ L]]]; [lia|lia|].
      apply dense_below in L; [lia|assumption].
    + intros H. destruct (N.eq_dec q (array_size a)) as [->|].
      { exists new. apply inserted_live. auto. }
      destruct (N.eq_dec q p) as [->|].
      { exists (with_next x k). apply inserted_live. auto. }
      destruct (dense_live a q D ltac:(lia)) as [y L]. exists y. apply inserted_live. auto.
  - destruct (N.eq_dec 0 p) as [E|N].
    + exists (with_next s k). split; [|auto]. apply inserted_live. right. left. split; [assumption|].
      rewrite E in Ls. rewrite (live_unique _ _ _ _ Ls slot_here). reflexivity.
    + exists s. split; [|auto]. apply inserted_live. auto.
  - assert (O : forall q y, live (array_slots b) q y ->
      (q = array_size a /\ key y = k) \/ exists z, live (array_slots a) q z /\ key z = key y).
    { intros q y L. apply inserted_live in L. destruct L as [[-> ->]|[[-> ->]|[_ L]]]; [left|right|right].
      - auto.
      - exists x. auto.
      - exists y. auto. }
    intros q r y z Ly Lz E. apply O in Ly, Lz.
    destruct Ly as [[-> Ky]|(y' & Ly & Ky)], Lz as [[-> Kz]|(z' & Lz & Kz)].
    + reflexivity.
    + destruct absent. exists r, z'. split; [assumption|congruence].
    + destruct absent. exists q, y'. split; [assumption|congruence].
    + eapply U; eauto. congruence.
  - intros q y L. apply is_next_iff. eapply inserted_next. eassumption.
Qed.

Lemma inserted_map : forall j, map_of b j = if bytes_equal j k then Some v else map_of a j.
Proof.
  intros j. pose proof inserted_well_formed as (_ & _ & U' & _). pose proof good as (_ & _ & U & _).
  destruct (bytes_equal_spec j k) as [->|N].
  - apply map_of_entry; [assumption|assumption|]. exists (array_size a), new.
    split; [apply inserted_live; auto|auto].
  - apply option_ext. intros w. rewrite !map_of_iff by assumption.
    split; intros [J (q & y & L & E & V)]; (split; [assumption|]).
    + apply inserted_live in L. destruct L as [[_ ->]|[[_ ->]|[_ L]]].
      * cbn in E. congruence.
      * exists p, x. auto.
      * exists q, y. auto.
    + destruct (N.eq_dec q p) as [->|].
      * exists p, (with_next x k). rewrite (live_unique _ _ _ _ L slot_here) in E, V.
        split; [apply inserted_live; auto|auto].
      * exists q, y. split; [apply inserted_live; auto|auto].
Qed.

End Insert.
