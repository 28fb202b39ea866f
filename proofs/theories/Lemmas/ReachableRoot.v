(** The state root of what a machine reaches, by plain blocks, aggregated ones and imports in any order.

    What is hashed for a root ([hashed_of]) is made of the state; how a commitment's point is encoded is a matter of the curve,
    so the function for it is given, with its 48 bytes.

    - [received_state_fits]: what is hashed of such a state is what the theorems on roots (Root.v) ask for;
    - [equal_roots_equal_received_states]: so two such states, of whatever histories, with one root are the same, but for
      their parameters, which the dictionary's id binds; or the search returns a collision of SHA-256. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Dictionary.Slot Dictionary.SlotMap
  Dictionary.Array Commitment.Opening Commitment.Scheme Block.Rejection Dictionary.Genesis Dictionary.Writes
  Dictionary.Vectors Dictionary.Window Block.Tail Block.Transaction Block.State Block.BlockData Block.Phases
  Block.Validator Block.AggregatedBlock Block.Import Block.Root.
From Aardvark Require Import Lemmas.Field.
From Aardvark Require Spec.Commitment.Scheme.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Lemmas.SlotMapLemmas Lemmas.DictionaryLemmas
  Lemmas.VectorLemmas Spec.Dictionary.Writes Spec.Dictionary.Genesis Lemmas.Lengths Lemmas.History
  Spec.Block.State Spec.Block.Validator Lemmas.AnyBlock Lemmas.ReplayLemmas Spec.Block.Import Lemmas.Reachable
  Safety.BoundsSafe Safety.ApplySafe Safety.ReachableSafe Lemmas.RootLemmas Spec.Block.Root.
Import ListNotations.
Local Open Scope N_scope.

Section ReachableRoot.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {root : PrimitiveRoot scalar_given} {hash_given : HashGiven}.

(** A commitment's encoding, 48 bytes, which tells commitments apart. *)
Variable encode_commitment : G1 -> ByteString.
Hypothesis encoded_length : forall c, seq_length (encode_commitment c) = 48.
Hypothesis encoded_apart : forall c d, encode_commitment c = encode_commitment d -> c = d.

(** ** What is hashed of a state *)

Definition hashed_previous (c : PreviousCommitment) : HashedPrevious :=
  {| hashed_previous_vector := previous_vector c;
     hashed_previous_commitment := option_map encode_commitment (previous_commitment c) |}.

Definition hashed_record (v : N) (r : VersionRecord) : HashedRecord :=
  {| hashed_record_version := v; hashed_record_size := record_size r; hashed_record_writes := record_writes r;
     hashed_record_commitments := map hashed_previous (record_commitments r) |}.

(** The records, of the versions up to the current one; [first] is that of the oldest. *)
Fixpoint hashed_records (first : N) (kept : Window) : list HashedRecord :=
  match kept with
  | [] => []
  | r :: rest => hashed_record first r :: hashed_records (first + 1) rest
  end.

Definition hashed_of (state : ValidatorState) : HashedState :=
  {| hashed_dictionary := dictionary_id state; hashed_version := version state; hashed_size := size state;
     hashed_tail_start := tail_start state; hashed_commitments := map encode_commitment (commitments state);
     hashed_tail := tail state; hashed_replay_set := sorted_replay_set (replay_set state);
     hashed_window := hashed_records (version state + 1 - seq_length (window state)) (window state) |}.

(** ** Lists *)

Lemma inserted_replay : forall entry l start,
  let out := fold_left (fun insertion other => insert_replay_step insertion entry other) l start in
  (forall e, In e (insertion_list out) -> In e (insertion_list start) \/ In e l \/ e = entry) /\
  seq_length (insertion_list out) + (if insertion_done out then 0 else 1) =
    seq_length (insertion_list start) + seq_length l + (if insertion_done start then 0 else 1).
Proof.
  intros entry l. induction l as [|x l IH]; intros start; cbn [fold_left].
  - split; [auto|]. rewrite seq_length_nil. lia.
  - destruct (IH (insert_replay_step start entry x)) as [I L]. cbv zeta. split.
    + intros e J. destruct (I e J) as [K|[K|K]]; [|right; left; right; exact K|right; right; exact K].
      unfold insert_replay_step in K. destruct (negb _ && _); cbn [insertion_list] in K; rewrite !in_app_iff in K; cbn [In] in K;
        intuition (subst; auto using in_eq).
    + rewrite L, seq_length_cons. unfold insert_replay_step. destruct (insertion_done start); cbn [negb andb].
      * cbn [insertion_list insertion_done]. rewrite seq_length_app. change (seq_length [x]) with 1. lia.
      * destruct (replay_before entry x); cbn [insertion_list insertion_done]; rewrite !seq_length_app.
        -- change (seq_length [entry]) with 1. change (seq_length [x]) with 1. lia.
        -- change (seq_length [x]) with 1. lia.
Qed.

Lemma insert_replay_in : forall sorted entry,
  (forall e, In e (insert_replay sorted entry) -> In e sorted \/ e = entry) /\
  seq_length (insert_replay sorted entry) = seq_length sorted + 1.
Proof.
  intros sorted entry. unfold insert_replay. cbv zeta.
  rewrite (loop_over_elements _ _ _ (fun insertion other => insert_replay_step insertion entry other)).
  pose proof (inserted_replay entry sorted {| insertion_list := []; insertion_done := false |}) as H. cbv zeta in H.
  set (out := fold_left _ sorted _) in *. destruct H as [I L]. cbn [insertion_list insertion_done] in I, L.
  rewrite seq_length_nil in L. destruct (insertion_done out).
  - split; [|lia]. intros e J. destruct (I e J) as [[]|[K|K]]; auto.
  - rewrite seq_length_app. change (seq_length [entry]) with 1. split; [|lia]. intros e J. apply in_app_iff in J.
    destruct J as [J|[<-|[]]]; [|auto]. destruct (I e J) as [[]|[K|K]]; auto.
Qed.

Lemma sorted_replay_in : forall entries,
  (forall e, In e (sorted_replay_set entries) -> In e entries) /\
  seq_length (sorted_replay_set entries) = seq_length entries.
Proof.
  intros entries. unfold sorted_replay_set.
  rewrite (loop_over_elements _ _ _ (fun sorted e => sorted_replay_set_step sorted e)).
  assert (G : forall l start, let out := fold_left (fun sorted e => sorted_replay_set_step sorted e) l start in
    (forall e, In e out -> In e start \/ In e l) /\ seq_length out = seq_length start + seq_length l).
  { induction l as [|x l IH]; intros start; cbn [fold_left]; [rewrite seq_length_nil; split; [auto|lia]|].
    destruct (IH (sorted_replay_set_step start x)) as [I L]. cbv zeta. unfold sorted_replay_set_step in *.
    destruct (insert_replay_in start x) as [J K]. split.
    - intros e E. destruct (I e E) as [H|H]; [|right; right; exact H]. destruct (J e H) as [H'| ->]; [left; exact H'|].
      right. left. reflexivity.
    - rewrite L, K, seq_length_cons. lia. }
  destruct (G entries []) as [I L]. split; [intros e E; destruct (I e E) as [[]|H]; exact H|].
  rewrite L, seq_length_nil. lia.
Qed.

Lemma writes_between_few : forall before after,
  seq_length (writes_between before after) <= N.max (slot_map_end before) (slot_map_end after).
Proof.
  intros before after. set (m := N.max (slot_map_end before) (slot_map_end after)).
  rewrite (writes_between_upto before after m) by (unfold m; lia). unfold writes_upto. rewrite seq_length_map.
  assert (G : forall l, seq_length (filter (differs before after) l) <= seq_length l).
  { induction l as [|p l IH]; [cbn; lia|]. cbn [filter]. destruct (differs _ _ p); rewrite ?seq_length_cons; lia. }
  specialize (G (range 0 m)). rewrite seq_length_range in G. lia.
Qed.

Lemma previous_commitments_few : forall cs n writes, seq_length (previous_commitments cs n writes) <= seq_length writes.
Proof.
  intros cs n writes. unfold previous_commitments.
  rewrite (loop_over_elements _ _ _ (fun previous w => previous_commitments_step previous cs n w)).
  assert (G : forall l start, seq_length (fold_left (fun previous w => previous_commitments_step previous cs n w) l start) <=
    seq_length start + seq_length l).
  { induction l as [|w l IH]; intros start; cbn [fold_left]; [rewrite seq_length_nil; lia|].
    specialize (IH (previous_commitments_step start cs n w)). rewrite seq_length_cons.
    unfold previous_commitments_step in *. cbv zeta in *. destruct (last_is_vector _ _); [lia|].
    rewrite seq_length_app in IH. change (seq_length [_]) with 1 in IH. lia. }
  specialize (G writes []). rewrite seq_length_nil in G. lia.
Qed.

Lemma hashed_records_length : forall kept first, seq_length (hashed_records first kept) = seq_length kept.
Proof.
  induction kept as [|r kept IH]; intros first; [reflexivity|]. cbn [hashed_records]. rewrite !seq_length_cons, IH. reflexivity.
Qed.

Lemma hashed_records_in : forall kept first x, In x (hashed_records first kept) ->
  exists i, i < seq_length kept /\ x = hashed_record (first + i) (seq_at kept i).
Proof.
  induction kept as [|r kept IH]; intros first x I; [destruct I|]. cbn [hashed_records] in I. destruct I as [<-|I].
  - exists 0. rewrite seq_length_cons, N.add_0_r. split; [lia|reflexivity].
  - destruct (IH _ _ I) as (i & L & ->). exists (i + 1). rewrite seq_length_cons, seq_at_cons_succ. split; [lia|].
    replace (first + (i + 1)) with (first + 1 + i) by lia. reflexivity.
Qed.

Lemma map_apart : forall A B (f : A -> B), (forall x y, f x = f y -> x = y) -> forall l l', map f l = map f l' -> l = l'.
Proof.
  intros A B f apart l. induction l as [|x l IH]; intros [|y l'] E; try discriminate; [reflexivity|].
  injection E as E1 E2. f_equal; auto.
Qed.

Lemma hashed_records_apart : forall kept kept' first, hashed_records first kept = hashed_records first kept' -> kept = kept'.
Proof.
  assert (P : forall c d, hashed_previous c = hashed_previous d -> c = d).
  { intros [v c] [w d] E. unfold hashed_previous in E. cbn in E. injection E as -> E. f_equal.
    destruct c, d; try discriminate; [|reflexivity]. injection E as E. f_equal. apply encoded_apart. exact E. }
  induction kept as [|r kept IH]; intros [|r' kept'] first E; try discriminate; [reflexivity|].
  cbn [hashed_records] in E. injection E as E1 E2 E3 E4. f_equal; [|exact (IH _ _ E4)].
  destruct r, r'. cbn in *. subst. f_equal. exact (map_apart _ _ _ P _ _ E3).
Qed.

(** ** What is received fits *)

(** A digest has 32 bytes. *)
Hypothesis digest_length : forall tag x, seq_length (tagged_hash tag x) = 32.

Lemma digests_of_32 : digests_short.
Proof. intros tag x. unfold SlotMapSafe.short. rewrite digest_length. reflexivity. Qed.

Section OfDictionary.

Variables (setup : Setup) (genesis : Genesis).
Hypothesis made : Scheme.well_made setup.
Hypothesis legal : genesis_legal genesis = true.
Hypothesis sized : setup_vector_size setup = vector_size (genesis_parameters genesis).

(** What is remembered of an applied transaction: a digest, and a version at most a window's length ahead. *)
Lemma received_replays : forall h state,
  received setup genesis h state ->
  forall e, In e (replay_set state) ->
    seq_length (replay_id e) = 32 /\ replay_last_valid e <= version state + window_length (genesis_parameters genesis).
Proof.
  intros h state R. induction R as [B|h state any state' effects a' R IH B E Bq I|h state block state' a' R IH B E]; intros e J.
  - destruct J.
  - destruct (applied_block_fields setup state any state' effects E) as (_ & _ & V & Rs & _ & P2 & _). rewrite Rs in J.
    apply in_replay_set_at in J. destruct J as [J _]. apply in_app_iff in J. rewrite V. destruct J as [J|J].
    + destruct (IH e J) as [L M]. split; [exact L|lia].
    + apply in_map_iff in J. destruct J as (tx & <- & J). split; [apply digest_length|]. cbn [replay_entry replay_last_valid].
      pose proof (proj1 (Checks.phase_interval_ok state (block_in any)) P2 tx J) as (_ & F1 & _ & F2).
      rewrite (received_parameters setup genesis made legal sized h state R) in F2. lia.
  - destruct (applied_import_fields setup state _ block state' a' E) as (_ & _ & V & Rs). rewrite Rs in J.
    apply in_replay_set_at in J. destruct (IH e (proj1 J)) as [L M]. rewrite V. split; [exact L|lia].
Qed.

(** The last version that a transaction can name fits its type, and so does the number of those that are remembered. *)
Definition countable (state : ValidatorState) : Prop :=
  version state + window_length (parameters state) < 2 ^ 64 /\ seq_length (replay_set state) < 2 ^ 64.

Theorem received_state_fits : forall h state,
  received setup genesis h state -> in_memory h -> countable state ->
  fits_state (vector_size (parameters state)) (hashed_of state).
Proof.
  intros h state R M [Cv Cr]. pose proof (received_honest setup genesis made legal sized h state R) as H.
  pose proof (reachable_bounded setup genesis made legal sized digests_of_32 h state R M) as B.
  pose proof (received_parameters setup genesis made legal sized h state R) as P.
  pose proof (bounded_parameters _ _ B) as Lp. destruct (legal_bounds _ Lp) as ([V _] & K & W & _).
  pose proof (bounded_size _ _ B) as Sz. pose proof (bounded_version _ _ B) as Vb. pose proof (bounded_tail _ _ B) as Tb.
  destruct (honest_tail _ _ _ H) as (_ & Ts & _ & _ & Ct). pose proof (honest_size _ _ _ H) as Es.
  pose proof (received_reachable setup genesis h state R) as Rr.
  assert (Slots : forall v q x, v <= now h -> live (array_slots (array_at h v)) q x -> fits_slot x).
  { intros v q x L E. pose proof (reachable_lengths setup genesis made legal sized h state Rr v L q x E) as S.
    unfold slot_fits in S. rewrite !andb_true_iff, !N.leb_le in S. unfold fits_slot.
    change (2 ^ 16) with 65536. change (2 ^ 11) with 2048 in W. lia. }
  assert (Ends : forall v, v <= now h -> seq_length (array_slots (array_at h v)) < 2 ^ 64).
  { intros v L. destruct (array_of_version setup genesis made legal sized h state R M v L) as ((A & _) & _). apply A. }
  change (2 ^ 63) with 9223372036854775808 in *. change (2 ^ 64) with 18446744073709551616 in *.
  unfold fits_state, hashed_of. cbn [hashed_dictionary hashed_version hashed_size hashed_tail_start hashed_commitments hashed_tail
    hashed_replay_set hashed_window].
  assert (C1 : seq_length (map encode_commitment (commitments state)) = vector_count (size state) (vector_size (parameters state))).
  { rewrite seq_length_map, (honest_commitments _ _ _ H), seq_length_array_commitments, Es. reflexivity. }
  assert (Pos : 0 < size state).
  { rewrite Es. destruct (latest_good h (honest_history _ _ _ H)) as [[D _] _]. exact D. }
  split; [|split; [lia|split; [lia|split; [lia|split; [|split; [|split; [|split; [|split]]]]]]]].
  - rewrite (proj2 (proj2 (proj2 (Validator.reachable_well_formed setup genesis h state made legal sized Rr)))).
    apply digest_length.
  - split; [rewrite seq_length_map; exact (bounded_commitments _ _ B)|]. apply Forall_forall. intros c I.
    apply in_map_iff in I. destruct I as (d & <- & _). apply encoded_length.
  - intros E. rewrite E in C1. rewrite seq_length_nil in C1. unfold vector_count in C1. symmetry in C1.
    apply N.div_small_iff in C1; lia.
  - rewrite C1. reflexivity.
  - split; [change (2 ^ 64) with 18446744073709551616; lia|]. apply Forall_forall. intros x I.
    destruct (in_seq_at _ _ _ _ I) as (i & Hi & <-). exact (Slots (now h) _ _ (N.le_refl _) (Ct i Hi)).
  - destruct (sorted_replay_in (replay_set state)) as [I L]. split; [rewrite L; exact Cr|]. apply Forall_forall. intros e J.
    destruct (received_replays h state R e (I e J)) as [L1 L2]. rewrite <- P in L2. split; [exact L1|].
    change (2 ^ 64) with 18446744073709551616. lia.
  - destruct (honest_window _ _ _ H) as [Lw Rw]. pose proof (honest_version _ _ _ H) as Ev.
    split; [rewrite hashed_records_length; change (2 ^ 64) with 18446744073709551616; lia|].
    apply Forall_forall. intros x I. apply hashed_records_in in I. destruct I as (i & Hi & ->).
    assert (Le : now h - seq_length (window state) + i + 1 <= now h) by lia.
    pose proof (bounded_window _ _ B (seq_at (window state) i) (seq_at_in _ _ _ _ Hi)) as [S1 S2].
    change (2 ^ 63) with 9223372036854775808 in S1.
    unfold hashed_record, fits_record.
    cbn [hashed_record_version hashed_record_size hashed_record_writes hashed_record_commitments].
    change (2 ^ 64) with 18446744073709551616.
    split; [lia|]. split; [lia|]. rewrite (Rw i Hi). cbn [record_between record_writes record_commitments].
    set (v := now h - seq_length (window state) + i) in *.
    pose proof (writes_between_few (array_slots (array_at h v)) (array_slots (array_at h (v + 1)))) as Fw. unfold slot_map_end in Fw.
    pose proof (Ends v ltac:(lia)) as E1. pose proof (Ends (v + 1) Le) as E2.
    assert (Lws : seq_length (writes_between (array_slots (array_at h v)) (array_slots (array_at h (v + 1)))) < 18446744073709551616)
      by lia.
    split; (split; [|apply Forall_forall]).
    + exact Lws.
    + intros w J. pose proof (S2 w) as S3. rewrite (Rw i Hi) in S3. cbn [record_between record_writes] in S3. fold v in S3.
      destruct (S3 J) as [S4 _]. change (2 ^ 63) with 9223372036854775808 in S4. split; [change (2 ^ 64) with 18446744073709551616; lia|].
      apply in_writes_between in J. destruct J as [_ ->]. destruct (slot_at _ _) as [x|] eqn:X; [|exact I].
      exact (Slots (v + 1) _ x Le X).
    + rewrite seq_length_map. pose proof (previous_commitments_few (array_commitments setup (vector_size (parameters state))
        (array_at h v)) (vector_size (parameters state)) (writes_between (array_slots (array_at h v))
        (array_slots (array_at h (v + 1))))). change (2 ^ 64) with 18446744073709551616. lia.
    + intros c J. apply in_map_iff in J. destruct J as (d & <- & J). unfold fits_previous, hashed_previous.
      cbn [hashed_previous_vector hashed_previous_commitment].
      destruct (proj1 (proj2 (Vectors.previous_commitments_spec _ _ _) _) (ex_intro _ d (conj J eq_refl))) as (w & Iw & <-).
      pose proof (S2 w) as S3. rewrite (Rw i Hi) in S3. cbn [record_between record_writes] in S3. fold v in S3.
      destruct (S3 Iw) as [S4 _]. change (2 ^ 63) with 9223372036854775808 in S4. split.
      * unfold vector_of. pose proof (N.div_le_upper_bound (write_position w) (vector_size (parameters state)) (write_position w)
          ltac:(lia) ltac:(nia)). change (2 ^ 64) with 18446744073709551616. lia.
      * destruct (previous_commitment d); [apply encoded_length|exact I].
Qed.

End OfDictionary.

(** Two machines, of whatever dictionaries with vectors of one size, that came to their states by whatever blocks of both forms
    and imports: if their roots are equal, so is all that is hashed of the states; or here is a collision. *)
Theorem equal_roots_equal_received_states : forall setup genesis h state setup' genesis' h' state',
  Scheme.well_made setup -> genesis_legal genesis = true -> setup_vector_size setup = vector_size (genesis_parameters genesis) ->
  Scheme.well_made setup' -> genesis_legal genesis' = true ->
  setup_vector_size setup' = vector_size (genesis_parameters genesis') ->
  received setup genesis h state -> in_memory h -> countable state ->
  received setup' genesis' h' state' -> in_memory h' -> countable state' ->
  vector_size (parameters state) = vector_size (parameters state') ->
  state_root (hashed_of state) = state_root (hashed_of state') ->
  (dictionary_id state = dictionary_id state' /\ version state = version state' /\ size state = size state' /\
   commitments state = commitments state' /\ tail_start state = tail_start state' /\ tail state = tail state' /\
   sorted_replay_set (replay_set state) = sorted_replay_set (replay_set state') /\ window state = window state') \/
  exists pair, find_collision (state_inputs (hashed_of state)) (state_inputs (hashed_of state')) = Some pair /\ collision pair.
Proof.
  intros setup genesis h state setup' genesis' h' state' Made Legal Sized Made' Legal' Sized' R M C R' M' C' N E.
  pose proof (received_state_fits setup genesis Made Legal Sized h state R M C) as A.
  pose proof (received_state_fits setup' genesis' Made' Legal' Sized' h' state' R' M' C') as A'. rewrite <- N in A'.
  destruct (equal_roots_equal_states digest_length _ _ _ A A' E) as [S|S]; [left|right; exact S].
  unfold hashed_of in S. injection S as S1 S2 S3 S4 S5 S6 S7 S8.
  repeat (split; [first [assumption|exact (map_apart _ _ _ encoded_apart _ _ S5)]|]).
  assert (L : seq_length (window state) = seq_length (window state')).
  { pose proof (f_equal (@seq_length _) S8) as L. rewrite !hashed_records_length in L. exact L. }
  rewrite L, S2 in S8. exact (hashed_records_apart _ _ _ S8).
Qed.

End ReachableRoot.
