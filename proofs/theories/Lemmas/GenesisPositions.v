(** Where the entries of a genesis stand.

    - [genesis_positions]: entry i stands at position i + 1, with its key and its value. *)
From Coq Require Import NArith List Bool Sorted Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Dictionary.Slot Dictionary.SlotMap
  Dictionary.Array Dictionary.KeyMap Dictionary.Genesis.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes Spec.Dictionary.Slot
  Lemmas.SlotMapLemmas Spec.Dictionary.SlotMap Lemmas.DictionaryLemmas Lemmas.InsertLemmas
  Spec.Dictionary.Array Lemmas.ChangeMaps Spec.Dictionary.KeyMap Spec.Block.Execution Spec.Dictionary.Genesis.
Import ListNotations.
Local Open Scope N_scope.

(** ** Inserting one entry after the other *)

(** Position [p] holds the key and the value, whatever its next key. *)
Definition holds (a : Array) (p : N) (k v : ByteString) : Prop :=
  exists x, live (array_slots a) p x /\ key x = k /\ value x = v.

(** An insert leaves keys and values where they stand, and puts its own at the end. *)
Lemma insert_holds : forall a b k v,
  well_formed a -> k <> [] -> map_of a k = None -> array_insert a k v = Some b ->
  holds b (array_size a) k v /\ forall p j w, holds a p j w -> holds b p j w.
Proof.
  intros a b k v W K A E. destruct (insert_step a k v W K A) as (p & x & L & C & N & _ & S).
  rewrite S in E. injection E as <-. split.
  - eexists. split; [apply (inserted_live a k v p x W L); left; split; reflexivity|auto].
  - intros q j w (y & Ly & Ky & Vy). destruct (N.eq_dec q p) as [->|Nq].
    + rewrite (live_unique _ _ _ _ Ly L) in Ky, Vy. exists (with_next x k). split; [|auto].
      apply (inserted_live a k v p x W L). auto.
    + exists y. split; [|auto]. apply (inserted_live a k v p x W L). auto.
Qed.

Lemma insert_entries : forall entries a,
  entries_ascend entries -> Forall (fun e => entry_key e <> []) entries -> well_formed a ->
  (forall e, In e entries -> map_of a (entry_key e) = None) ->
  let b := fold_left genesis_array_step entries a in
  well_formed b /\ array_size b = array_size a + seq_length entries /\
  (forall k, map_of b k = match last_by entry_key k entries with Some e => Some (entry_value e) | None => map_of a k end) /\
  (forall p k v, holds a p k v -> holds b p k v) /\
  forall i, i < seq_length entries ->
    holds b (array_size a + i) (entry_key (seq_at entries i)) (entry_value (seq_at entries i)).
Proof.
  induction entries as [|e entries IH]; intros a S K W Absent; cbv zeta; cbn [fold_left].
  - rewrite seq_length_nil. split; [assumption|]. split; [lia|]. split; [reflexivity|]. split; [auto|lia].
  - inversion S as [|? ? S' H]; subst. inversion K as [|? ? Ke K']; subst. rewrite Forall_forall in H.
    pose proof (Absent e (or_introl eq_refl)) as Ae.
    destruct (insert_well_formed a (entry_key e) (entry_value e) W Ke Ae) as (b & E & Wb & Sb).
    pose proof (insert_map a b _ _ W Ke Ae E) as M. destruct (insert_holds a b _ _ W Ke Ae E) as [Hn Ho].
    assert (Step : genesis_array_step a e = b) by (unfold genesis_array_step; rewrite E; reflexivity). rewrite Step.
    destruct (IH b S' K' Wb) as (Wd & Sd & Md & Hd & Pd).
    { intros d I. rewrite M. destruct (bytes_equal_spec (entry_key d) (entry_key e)) as [F|_].
      - pose proof (H d I) as B. rewrite F in B. destruct (blt_irreflexive _ B).
      - apply Absent. right. assumption. }
    split; [assumption|]. split; [rewrite Sd, Sb, seq_length_cons; lia|]. split; [|split].
    + intros k. rewrite Md, last_by_cons, M, bytes_equal_sym. destruct (last_by entry_key k entries); [reflexivity|].
      destruct (bytes_equal (entry_key e) k); reflexivity.
    + intros p k v Hp. apply Hd, Ho, Hp.
    + intros i Hi. rewrite seq_length_cons in Hi. destruct (N.eq_dec i 0) as [->|Ni].
      * rewrite seq_at_cons_zero, N.add_0_r. apply Hd, Hn.
      * replace i with (i - 1 + 1) by lia. rewrite seq_at_cons_succ.
        replace (array_size a + (i - 1 + 1)) with (array_size b + (i - 1)) by (rewrite Sb; lia). apply Pd. lia.
Qed.

Section Positions.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

Theorem genesis_positions : forall entries i,
  good_entries entries -> i < seq_length entries ->
  exists x, live (array_slots (genesis_array entries)) (i + 1) x /\
    key x = entry_key (seq_at entries i) /\ value x = entry_value (seq_at entries i).
Proof.
  intros entries i [S K] Hi. rewrite genesis_array_fold, N.add_comm.
  destruct (insert_entries entries empty_array S K empty_well_formed) as (_ & _ & _ & _ & P).
  { intros. apply empty_map. }
  exact (P i Hi).
Qed.

End Positions.
