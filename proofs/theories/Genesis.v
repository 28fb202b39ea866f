(** Version 0: the array of a legal genesis is well-formed and holds the genesis file's entries, and the first state is that
    of the history of this array alone.

    - [genesis_well_formed], [genesis_map], [genesis_size]: the array, its map, its size;
    - [genesis_positions]: entry i stands at position i + 1;
    - [key_map_ascends_iff]: the check of the entries' order says what it should;
    - [honest_genesis_state]: the state at version 0 is as it should be. *)
From Coq Require Import NArith List Bool Sorted Lia.
From AardvarkSpec Require Import Prelude Scalar Hash Bytes Slot SlotMap Dictionary KeyMap Scheme Genesis Writes Vectors
  Window Tail State.
From Aardvark Require Import WellFormed LoopLemmas Bytes Slot SlotMapLemmas SlotMap DictionaryLemmas UpdateLemmas
  InsertLemmas Dictionary ChangeMaps KeyMap TailLemmas History Window.
Import ListNotations.
Local Open Scope N_scope.

(** ** The order of entries *)

Lemma adjacent_sorted : forall A (D : Default A) (R : A -> A -> Prop) (s : list A),
  (forall i, 0 < i < seq_length s -> R (seq_at s (i - 1)) (seq_at s i)) -> Sorted R s.
Proof.
  intros A D R s. induction s as [|x s IH]; intros H; [constructor|]. constructor.
  - apply IH. intros i Hi. specialize (H (i + 1)). rewrite seq_length_cons in H.
    rewrite seq_at_cons_succ in H. replace (i + 1 - 1) with (i - 1 + 1) in H by lia. rewrite seq_at_cons_succ in H.
    apply H. lia.
  - destruct s as [|y s]; constructor. apply (H 1). rewrite !seq_length_cons. lia.
Qed.

Lemma sorted_adjacent : forall A (D : Default A) (R : A -> A -> Prop) (s : list A),
  StronglySorted R s -> forall i, 0 < i < seq_length s -> R (seq_at s (i - 1)) (seq_at s i).
Proof.
  intros A D R s S. induction S as [|x s S IH H]; intros i Hi; [rewrite seq_length_nil in Hi; lia|].
  rewrite seq_length_cons in Hi. replace i with (i - 1 + 1) at 2 by lia. rewrite seq_at_cons_succ.
  destruct (N.eq_dec (i - 1) 0) as [E|N].
  - rewrite E. rewrite Forall_forall in H. apply H, seq_at_in. lia.
  - replace (i - 1) with (i - 1 - 1 + 1) at 1 by lia. rewrite seq_at_cons_succ. apply IH. lia.
Qed.

Theorem key_map_ascends_iff : forall entries, key_map_ascends entries = true <-> entries_ascend entries.
Proof.
  intros entries. unfold key_map_ascends.
  assert (G : fold_left (fun ascends i => key_map_ascends_step ascends entries i) (range 0 (seq_length entries)) true = true
    <-> forall i, 0 < i < seq_length entries -> blt (entry_key (seq_at entries (i - 1))) (entry_key (seq_at entries i))).
  { apply (loop_invariant _ (fun j ascends => ascends = true <-> forall i, 0 < i < j ->
      blt (entry_key (seq_at entries (i - 1))) (entry_key (seq_at entries i)))).
    - lia.
    - split; [intros _ i; lia|reflexivity].
    - intros j ascends Hj H. unfold key_map_ascends_step. destruct (N.ltb_spec 0 j).
      + rewrite andb_true_iff, H. split.
        * intros [A B] i Hi. destruct (N.eq_dec i j) as [->|]; [exact B|]. apply A. lia.
        * intros A. split; [intros i Hi; apply A; lia|apply A; lia].
      + rewrite H. split; intros A i Hi; [|apply A; lia]. lia. }
  rewrite G. split.
  - intros A. apply Sorted_StronglySorted; [intros a b c; apply blt_transitive|].
    apply (adjacent_sorted _ _ (fun c d => blt (entry_key c) (entry_key d))). exact A.
  - intros A. exact (sorted_adjacent _ _ _ _ A).
Qed.

(** ** Inserting one entry after the other *)

(** The keys of the entries are not the sentinel's. *)
Definition entry_keys_legal (entries : KeyMap) : Prop := Forall (fun e => entry_key e <> []) entries.

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
  entries_ascend entries -> entry_keys_legal entries -> well_formed a ->
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

Section Genesis.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

Lemma genesis_array_fold : forall entries, genesis_array entries = fold_left genesis_array_step entries empty_array.
Proof. intros. apply (loop_over_elements _ _ _ genesis_array_step). Qed.

Section OfEntries.

Variable entries : KeyMap.
Hypothesis ascend : entries_ascend entries.
Hypothesis legal : entry_keys_legal entries.

Lemma genesis_entries_inserted :
  let b := genesis_array entries in
  well_formed b /\ array_size b = 1 + seq_length entries /\
  (forall k, map_of b k = match last_by entry_key k entries with Some e => Some (entry_value e) | None => None end) /\
  forall i, i < seq_length entries ->
    holds b (1 + i) (entry_key (seq_at entries i)) (entry_value (seq_at entries i)).
Proof.
  cbv zeta. rewrite genesis_array_fold.
  destruct (insert_entries entries empty_array ascend legal empty_well_formed) as (W & S & M & _ & P).
  { intros. apply empty_map. }
  split; [assumption|]. split; [assumption|]. split; [|exact P].
  intros k. rewrite M, empty_map. reflexivity.
Qed.

Theorem genesis_well_formed : well_formed (genesis_array entries).
Proof. apply genesis_entries_inserted. Qed.

Theorem genesis_map : forall k, map_of (genesis_array entries) k = key_map_get entries k.
Proof.
  intros k. destruct genesis_entries_inserted as (_ & _ & M & _). rewrite M, key_map_get_last.
  destruct (last_by entry_key k entries); reflexivity.
Qed.

Theorem genesis_size : array_size (genesis_array entries) = 1 + seq_length entries.
Proof. apply genesis_entries_inserted. Qed.

Theorem genesis_positions : forall i, i < seq_length entries ->
  exists x, live (array_slots (genesis_array entries)) (i + 1) x /\
    key x = entry_key (seq_at entries i) /\ value x = entry_value (seq_at entries i).
Proof.
  intros i Hi. destruct genesis_entries_inserted as (_ & _ & _ & P). rewrite N.add_comm. exact (P i Hi).
Qed.

End OfEntries.

(** ** What a legal genesis says *)

Lemma entries_legal_keys : forall p entries, entries_legal p entries = true -> entry_keys_legal entries.
Proof.
  intros p entries. unfold entries_legal. rewrite (loop_over_elements _ _ _ (fun legal e => entries_legal_step legal p e)).
  assert (G : forall start, fold_left (fun legal e => entries_legal_step legal p e) entries start = true ->
    start = true /\ entry_keys_legal entries).
  { induction entries as [|e entries IH]; intros start; cbn [fold_left]; [intros; split; [assumption|constructor]|].
    intros E. apply IH in E. destruct E as [E K]. unfold entries_legal_step in E. rewrite !andb_true_iff in E.
    destruct E as [[[E L] _] _]. split; [assumption|]. constructor; [|assumption].
    intros Z. rewrite Z in L. discriminate. }
  intros E. apply (G true E).
Qed.

Theorem legal_genesis : forall genesis, genesis_legal genesis = true ->
  entries_ascend (genesis_entries genesis) /\ entry_keys_legal (genesis_entries genesis) /\
  1 <= vector_size (genesis_parameters genesis).
Proof.
  intros genesis. unfold genesis_legal, parameters_legal, layout_legal. rewrite !andb_true_iff.
  intros H. decompose [and] H. split; [apply key_map_ascends_iff; assumption|].
  split; [eapply entries_legal_keys; eassumption|]. apply N.leb_le. assumption.
Qed.

(** ** The first state *)

Lemma whole_tail_of_array : forall n a, 1 <= n -> well_formed a ->
  tail_of_array n a (tail_floor (array_size a) n) (whole_tail a (tail_floor (array_size a) n)).
Proof.
  intros n a Hn ((Z & D) & _). destruct (tail_floor_spec (array_size a) n Hn) as [M L].
  set (start := tail_floor (array_size a) n) in *.
  assert (G : exists taken, slots_from (array_slots a) start (array_size a) = Some taken).
  { apply slots_from_some. intros p Hp E. destruct (D p) as [_ H]. destruct H as [x Lx]; [lia|].
    unfold live in Lx. congruence. }
  destruct G as [taken E]. unfold whole_tail. rewrite E. pose proof (slots_from_spec (array_slots a) start (array_size a)) as S.
  rewrite E in S. destruct S as [Sl St]. repeat split; try assumption. lia.
Qed.

Theorem honest_genesis_state : forall setup genesis, genesis_legal genesis = true ->
  honest_state setup [genesis_array (genesis_entries genesis)] (genesis_state setup genesis).
Proof.
  intros setup genesis L. destruct (legal_genesis genesis L) as (S & K & Hn).
  pose proof (genesis_well_formed _ S K) as W. unfold genesis_state. cbv zeta.
  constructor; cbn [parameters version size commitments window tail_start tail]; try reflexivity.
  - split; [discriminate|]. constructor; [assumption|constructor].
  - assumption.
  - apply empty_window.
  - apply whole_tail_of_array; assumption.
Qed.

End Genesis.
