(** Import blocks: what an archive's state and whole array are after one.

    - [check_import_passed]: what the check establishes: legal keys and values, in strictly ascending order of keys;
    - [import_into_succeeds]: such changes can be made in a well-formed array, and what comes out is well-formed;
    - [import_map]: its map is the map before with the imported contents;
    - [import_accepted]: on an honest state no import is refused but by the check;
    - [applied_import_honest]: the state after it is honest again. *)
From Coq Require Import NArith List Bool Sorted Relations Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Dictionary.Slot Dictionary.SlotMap
  Dictionary.Array Commitment.Opening Commitment.Scheme Dictionary.Genesis Dictionary.Changes
  Dictionary.Writes Dictionary.Vectors Dictionary.Window Block.Tail Block.State Block.Validator Block.Import.
From Aardvark Require Import Lemmas.Field.
From Aardvark Require Spec.Commitment.Scheme.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes Lemmas.SlotMapLemmas
  Lemmas.DictionaryLemmas Spec.Dictionary.Array Lemmas.ChangeMaps Spec.Dictionary.Changes Lemmas.VectorLemmas
  Lemmas.PhaseLemmas Lemmas.History Spec.Block.State Lemmas.Lengths.
Import ListNotations.
Local Open Scope N_scope.

(** Neighbours in order make a sequence in order. *)
Lemma neighbours_sorted : forall A (D : Default A) (R : A -> A -> Prop) (l : list A),
  (forall i, i + 1 < seq_length l -> R (seq_at l i) (seq_at l (i + 1))) -> Sorted R l.
Proof.
  intros A D R l. induction l as [|x l IH]; intros H; [constructor|]. constructor.
  - apply IH. intros i Hi. specialize (H (i + 1)). rewrite seq_length_cons, !seq_at_cons_succ in H. apply H. lia.
  - destruct l as [|y l]; constructor. specialize (H 0). rewrite !seq_length_cons in H. apply H. lia.
Qed.

Section Imports.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** A key that may stand in the dictionary, and a content that it may have. *)
Definition import_good (p : Parameters) (c : ImportChange) : Prop :=
  import_key c <> [] /\ seq_length (import_key c) <= max_key_length p /\
  forall v, import_content c = Some v -> seq_length v <= max_value_length p.

Lemma check_import_change_passed : forall p items i,
  check_import_change p items i = Ok tt ->
  import_good p (seq_at items i) /\ (0 < i -> blt (import_key (seq_at items (i - 1))) (import_key (seq_at items i))).
Proof.
  intros p items i E. unfold check_import_change in E. set (c := seq_at items i) in *.
  destruct (N.eqb_spec (seq_length (import_key c)) 0) as [|Z]; [discriminate|].
  destruct (N.ltb_spec (max_key_length p) (seq_length (import_key c))); [discriminate|].
  destruct (import_value_too_long p (import_content c)) eqn:V; [discriminate|].
  destruct (import_ascends items i) eqn:A; [|discriminate]. split.
  - split; [intros K; apply Z; rewrite K; reflexivity|]. split; [assumption|]. intros v Ev. rewrite Ev in V.
    apply N.ltb_ge. exact V.
  - intros Hi. unfold import_ascends in A. apply N.ltb_lt in Hi. rewrite Hi in A. exact A.
Qed.

Theorem check_import_passed : forall state block,
  check_import state block = Ok tt ->
  import_version block = version state + 1 /\
  forall i, i < seq_length (import_changes block) ->
    import_good (parameters state) (seq_at (import_changes block) i) /\
    (0 < i -> blt (import_key (seq_at (import_changes block) (i - 1))) (import_key (seq_at (import_changes block) i))).
Proof.
  intros state block E. unfold check_import, check_import_step in E.
  apply (checks_passed (check_import_change (parameters state) (import_changes block))) in E; [|reflexivity].
  destruct E as [V H]. split.
  - unfold check_import_version in V. destruct (N.eqb_spec (import_version block) (version state + 1)); [assumption|discriminate].
  - intros i Hi. apply check_import_change_passed, H, in_range. lia.
Qed.

Lemma import_all_good : forall state block c,
  check_import state block = Ok tt -> In c (import_changes block) -> import_good (parameters state) c.
Proof.
  intros state block c E I. destruct (in_seq_at _ _ _ _ I) as (i & Hi & <-). apply (check_import_passed state block E). exact Hi.
Qed.

(** ** The array *)

(** The change that an import makes in an array. *)
Definition imported (a : Array) (c : ImportChange) : Change :=
  {| change_key := import_key c; change_before := map_of a (import_key c); change_after := import_content c |}.

Lemma import_changes_in_map : forall a items,
  well_formed a -> (forall c, In c items -> import_key c <> []) -> import_changes_in a items = Some (map (imported a) items).
Proof.
  intros a items W K. unfold import_changes_in.
  rewrite (loop_over_elements _ _ _ (fun found c => import_changes_in_step found a c)).
  change (Some (map (imported a) items)) with (Some ([] ++ map (imported a) items)). generalize (@nil Change) as done.
  induction items as [|c items IH]; intros done; cbn [fold_left map]; [rewrite app_nil_r; reflexivity|].
  cbn [import_changes_in_step]. unfold import_change_in. rewrite lookup_correct; [|exact W|apply K; left; reflexivity].
  rewrite IH by (intros d I; apply K; right; exact I). rewrite <- app_assoc. reflexivity.
Qed.

Section OfArray.

Variables (state : ValidatorState) (block : ImportBlock) (a : Array).
Hypothesis passed : check_import state block = Ok tt.
Hypothesis whole : well_formed a.

Let changes : ChangeMap := map (imported a) (import_changes block).

Lemma imported_ascend : changes_ascend changes.
Proof.
  apply Sorted_StronglySorted.
  - intros x y z. apply blt_transitive.
  - apply (neighbours_sorted _ Default_Change). intros i Hi. unfold changes in *. rewrite seq_length_map in Hi.
    rewrite !(seq_at_map _ _ Default_ImportChange Default_Change) by lia. cbn [imported change_key].
    destruct (check_import_passed state block passed) as [_ H]. destruct (H (i + 1) Hi) as [_ B].
    replace (i + 1 - 1) with i in B by lia. apply B. lia.
Qed.

Lemma imported_true : changes_true a changes.
Proof.
  apply Forall_forall. intros d I. apply in_map_iff in I. destruct I as (c & <- & I). split; [|reflexivity].
  apply (import_all_good state block c passed I).
Qed.

Lemma imported_changes : import_changes_in a (import_changes block) = Some changes.
Proof. apply import_changes_in_map; [exact whole|]. intros c I. apply (import_all_good state block c passed I). Qed.

Theorem import_into_succeeds : exists a', import_into a (import_changes block) = Some a' /\ well_formed a'.
Proof.
  unfold import_into. rewrite imported_changes.
  exact (apply_changes_succeeds a _ whole (net_changes_ascend _ imported_ascend) (changes_true_net _ _ imported_true)).
Qed.

(** The content of a key among the imported ones. *)
Definition import_of (items : list ImportChange) (k : ByteString) : option ImportChange := last_by import_key k items.

Lemma imported_of : forall items k, change_of (map (imported a) items) k = option_map (imported a) (import_of items k).
Proof.
  intros items k. rewrite change_of_last. induction items as [|c items IH]; [reflexivity|].
  cbn [map]. unfold import_of. rewrite !last_by_cons. unfold import_of in IH. rewrite IH.
  destruct (last_by import_key k items); [reflexivity|]. cbn [option_map imported change_key].
  destruct (bytes_equal (import_key c) k); reflexivity.
Qed.

Theorem import_map : forall a' k, import_into a (import_changes block) = Some a' ->
  map_of a' k = match import_of (import_changes block) k with Some c => import_content c | None => map_of a k end.
Proof.
  intros a' k E. unfold import_into in E. rewrite imported_changes in E.
  rewrite (apply_changes_map a a' _ whole (net_changes_ascend _ imported_ascend) (changes_true_net _ _ imported_true) E).
  unfold map_after. rewrite change_of_net_changes by exact imported_ascend. unfold changes. rewrite imported_of.
  destruct (import_of (import_changes block) k) as [c|] eqn:I; cbn [option_map]; [|reflexivity].
  apply last_by_some in I. destruct I as [_ <-]. cbn [imported change_before change_after].
  destruct (contents_equal _ _) eqn:Q; [|reflexivity]. apply contents_equal_iff in Q. exact Q.
Qed.

Theorem import_lengths : forall a', all_fit (parameters state) (array_slots a) ->
  import_into a (import_changes block) = Some a' -> all_fit (parameters state) (array_slots a').
Proof.
  intros a' A E. unfold import_into in E. rewrite imported_changes in E. refine (apply_changes_lengths _ a _ a' A _ E).
  apply net_changes_forall, Forall_forall. intros d I. apply in_map_iff in I. destruct I as (c & <- & I).
  apply (import_all_good state block c passed I).
Qed.

End OfArray.

End Imports.

(** ** The state *)

Section OfState.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {root : PrimitiveRoot scalar_given} {hash_given : HashGiven}.

Variables (setup : Setup) (h : History) (state : ValidatorState).
Hypothesis made : Scheme.well_made setup.
Hypothesis sized : setup_vector_size setup = vector_size (parameters state).
Hypothesis honest : honest_state setup h state.

Lemma import_state_honest : forall block a',
  import_into (latest h) (import_changes block) = Some a' -> well_formed a' ->
  exists state', import_state setup state (latest h) block = Some (state', a') /\ honest_state setup (h ++ [a']) state' /\
    parameters state' = parameters state /\ dictionary_id state' = dictionary_id state /\
    replay_set state' = replay_set_at (replay_set state) (version state + 1).
Proof.
  intros block a' E W. unfold import_state. rewrite E. cbv zeta.
  destruct (advance_honest setup h state a' (array_slots (latest h)) a' (replay_set state) made sized honest W)
    as (s & A & _ & H); [reflexivity|reflexivity|reflexivity|].
  rewrite A. destruct (advance_fields _ _ _ _ _ _ _ A) as (P & D & _ & _ & _ & R). exists s. auto 6.
Qed.

Theorem import_accepted : forall block,
  check_import state block = Ok tt -> exists state' a', apply_import setup state (latest h) block = Ok (state', a').
Proof.
  intros block C. pose proof (latest_good h (honest_history _ _ _ honest)) as W.
  destruct (import_into_succeeds state block (latest h) C W) as (a' & E & Wa).
  destruct (import_state_honest block a' E Wa) as (s & Is & _). exists s, a'. unfold apply_import. rewrite C, Is. reflexivity.
Qed.

Theorem applied_import_honest : forall block state' a',
  apply_import setup state (latest h) block = Ok (state', a') ->
  check_import state block = Ok tt /\ import_into (latest h) (import_changes block) = Some a' /\ well_formed a' /\
  honest_state setup (h ++ [a']) state' /\
  parameters state' = parameters state /\ dictionary_id state' = dictionary_id state /\
  replay_set state' = replay_set_at (replay_set state) (version state + 1).
Proof.
  intros block state' a' E. pose proof (latest_good h (honest_history _ _ _ honest)) as W. unfold apply_import in E.
  destruct (check_import state block) as [[]|] eqn:C; [|discriminate].
  destruct (import_into_succeeds state block (latest h) C W) as (b & Ei & Wb).
  destruct (import_state_honest block b Ei Wb) as (s & Is & H). rewrite Is in E. injection E as <- <-. auto.
Qed.

End OfState.
