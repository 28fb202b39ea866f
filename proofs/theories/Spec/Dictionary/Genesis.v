(** The array of version 0.

    - [genesis_array_well_formed]: for entries in strictly ascending order of keys, none of them empty, it is well-formed, and
      its size is one more than their number;
    - [genesis_array_map]: its abstract map is that of the entries;
    - [genesis_legal_entries]: the entries of a legal genesis are such. *)
From Coq Require Import NArith List Bool Sorted Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Dictionary.Slot Dictionary.SlotMap
  Dictionary.Array Dictionary.KeyMap Dictionary.Genesis.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes Lemmas.ChangeMaps
  Spec.Dictionary.KeyMap Spec.Dictionary.Array Spec.Block.Execution.
Import ListNotations.
Local Open Scope N_scope.

(** ** Ascending entries *)

Lemma key_map_ascends_sound : forall entries, key_map_ascends entries = true -> entries_ascend entries.
Proof.
  intros entries H.
  assert (A : forall i, 0 < i < seq_length entries ->
    blt (entry_key (seq_at entries (i - 1))) (entry_key (seq_at entries i))).
  { unfold key_map_ascends in H.
    assert (G : forall l acc, fold_left (fun ascends i => key_map_ascends_step ascends entries i) l acc = true ->
      acc = true /\ forall i, In i l -> 0 < i -> blt (entry_key (seq_at entries (i - 1))) (entry_key (seq_at entries i))).
    { induction l as [|j l IH]; intros acc E; [split; [assumption|intros i []]|]. cbn [fold_left] in E.
      destruct (IH _ E) as [E' IH']. unfold key_map_ascends_step in E'. destruct (N.ltb_spec 0 j).
      - apply andb_true_iff in E'. split; [apply E'|]. intros i [<-|Hi] Hp; [apply E'|apply IH'; assumption].
      - split; [assumption|]. intros i [<-|Hi] Hp; [lia|apply IH'; assumption]. }
    intros i Hi. apply (G _ _ H); [apply in_range|]; lia. }
  clear H. induction entries as [|e entries IH]; [constructor|]. constructor.
  - apply IH. intros i Hi. specialize (A (i + 1)). rewrite seq_length_cons in A.
    replace (i + 1 - 1) with (i - 1 + 1) in A by lia. rewrite !seq_at_cons_succ in A. apply A. lia.
  - apply Forall_forall. intros x Hx. destruct (in_seq_at _ _ _ _ Hx) as (j & Hj & <-).
    assert (G : forall d, d < seq_length entries -> blt (entry_key e) (entry_key (seq_at entries d))).
    { induction d as [|d IHd] using N.peano_ind; intros Hd.
      - apply (A 1). rewrite seq_length_cons. lia.
      - apply blt_transitive with (entry_key (seq_at entries d)); [apply IHd; lia|].
        specialize (A (d + 1 + 1)). rewrite seq_length_cons in A. rewrite seq_at_cons_succ in A.
        replace (d + 1 + 1 - 1) with (d + 1) in A by lia. rewrite seq_at_cons_succ in A.
        replace (N.succ d) with (d + 1) by lia. apply A. lia. }
    apply G. assumption.
Qed.

(** Keys and values are legal: the entries that a dictionary can start from. *)
Definition good_entries (entries : KeyMap) : Prop :=
  entries_ascend entries /\ Forall (fun e => entry_key e <> []) entries.

Section Genesis.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

Theorem genesis_legal_entries : forall genesis,
  genesis_legal genesis = true ->
  good_entries (genesis_entries genesis) /\ 1 <= vector_size (genesis_parameters genesis).
Proof.
  intros genesis H. unfold genesis_legal in H. rewrite !andb_true_iff in H. destruct H as [[[[P _] _] A] E].
  split; [split; [apply key_map_ascends_sound; assumption|]|].
  - unfold entries_legal in E. rewrite (loop_over_elements _ _ _ (fun legal e => entries_legal_step legal _ e)) in E.
    remember true as start eqn:T in E at 1. clear T A. revert start E.
    induction (genesis_entries genesis) as [|e entries IH]; intros start E; [constructor|].
    cbn [fold_left] in E. constructor.
    + assert (G : forall l acc,
        fold_left (fun legal e => entries_legal_step legal (genesis_parameters genesis) e) l acc = true -> acc = true).
      { induction l as [|x l IHl]; intros acc X; [assumption|]. cbn [fold_left] in X. apply IHl in X.
        unfold entries_legal_step in X. rewrite !andb_true_iff in X. tauto. }
      apply G in E. unfold entries_legal_step in E. rewrite !andb_true_iff, N.leb_le in E. intros Z. rewrite Z in E.
      change (seq_length (@nil u8)) with 0 in E. lia.
    + eapply IH. exact E.
  - unfold parameters_legal, layout_legal in P. rewrite !andb_true_iff, !N.leb_le in P. tauto.
Qed.

Lemma genesis_array_fold : forall entries, genesis_array entries = fold_left genesis_array_step entries empty_array.
Proof. intros. unfold genesis_array. apply loop_over_elements. Qed.

Lemma genesis_array_spec : forall entries done a,
  entries_ascend entries -> Forall (fun e => entry_key e <> []) entries ->
  well_formed a -> (forall k, map_of a k = key_map_get done k) ->
  (forall e, In e entries -> map_of a (entry_key e) = None) ->
  let b := fold_left genesis_array_step entries a in
  well_formed b /\ array_size b = array_size a + seq_length entries /\
  forall k, map_of b k = match key_map_get entries k with Some v => Some v | None => map_of a k end.
Proof.
  induction entries as [|e entries IH]; intros done a S K W M A b.
  - split; [assumption|]. split; [unfold b; cbn; lia|]. reflexivity.
  - inversion S as [|? ? S' Se]; subst. inversion K as [|? ? Ke K']; subst.
    destruct (insert_well_formed a (entry_key e) (entry_value e) W Ke (A e (or_introl eq_refl))) as (a1 & E & W1 & Z1).
    pose proof (insert_map a a1 _ _ W Ke (A e (or_introl eq_refl)) E) as M1.
    assert (B : b = fold_left genesis_array_step entries a1).
    { unfold b. cbn [fold_left]. unfold genesis_array_step at 2. rewrite E. reflexivity. }
    rewrite Forall_forall in Se.
    destruct (IH (key_map_put done (entry_key e) (Some (entry_value e))) a1 S' K' W1) as (Wb & Zb & Mb).
    + intros k. rewrite M1, key_map_get_put, M, bytes_equal_sym. reflexivity.
    + intros d Hd. rewrite M1. destruct (bytes_equal_spec (entry_key d) (entry_key e)) as [X|_].
      * specialize (Se d Hd). rewrite X in Se. destruct (blt_irreflexive _ Se).
      * apply A. right. assumption.
    + rewrite B. split; [assumption|]. split; [rewrite seq_length_cons; lia|]. intros k. rewrite Mb, M1.
      rewrite !key_map_get_last, last_by_cons. destruct (last_by entry_key k entries); cbn [option_map]; [reflexivity|].
      rewrite bytes_equal_sym. destruct (bytes_equal (entry_key e) k); reflexivity.
Qed.

Theorem genesis_array_well_formed : forall entries,
  good_entries entries ->
  well_formed (genesis_array entries) /\ array_size (genesis_array entries) = 1 + seq_length entries.
Proof.
  intros entries [S K]. rewrite genesis_array_fold.
  destruct (genesis_array_spec entries [] empty_array S K empty_well_formed empty_map) as (W & Z & _).
  - intros e _. apply empty_map.
  - split; assumption.
Qed.

Theorem genesis_array_map : forall entries,
  good_entries entries -> is_map_of entries (genesis_array entries).
Proof.
  intros entries [S K] k. rewrite genesis_array_fold.
  destruct (genesis_array_spec entries [] empty_array S K empty_well_formed empty_map) as (_ & _ & M).
  - intros e _. apply empty_map.
  - rewrite M, empty_map. destruct (key_map_get entries k); reflexivity.
Qed.

End Genesis.
