(** A block on a validator's view does what it does on the whole array.

    The state is that of a history of whole arrays ([honest_state], History.v); the block's claims are true at their
    versions and its tail vectors are true ([block_claims_true], [tail_vectors_true], View.v).

    - [executed_block_is_ideal]: a block that is executed has the contents, the net changes, the writes and the number of
      slots that it has on the whole array, and the view after it holds only what is true afterwards;
    - [executed_block_is_map]: hence its transactions succeed one after the other on the map of the array, and the map after
      is that of the array after;
    - [tail_suffices]: with as many tail vectors as the block needs, the view knows all positions from the new end on, and
      the new tail begins at a position from which on it knows everything; one vector less would not reach the new end;
    - [block_never_stuck]: a block of either form that no phase refuses lacks no slot: it is executed, and the new state can be made. *)
From Coq Require Import NArith List Bool Sorted Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Dictionary.Slot Dictionary.SlotMap
  Dictionary.Array Commitment.Opening Commitment.Scheme Block.Rejection Block.Operation Dictionary.KeyMap
  Dictionary.Genesis Dictionary.Changes Dictionary.Writes Dictionary.Vectors Dictionary.Window Block.Tail
  Block.Transaction Block.State Block.BlockData Block.View Block.Checks Block.Execution Block.Phases
  Block.Validator Block.AggregatedBlock Block.Map.
From Aardvark Require Import Lemmas.Field.
From Aardvark Require Spec.Commitment.Scheme.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes Lemmas.SlotMapLemmas
  Spec.Dictionary.SlotMap Lemmas.DictionaryLemmas Lemmas.ChangeMaps Spec.Dictionary.KeyMap
  Spec.Dictionary.Changes Lemmas.SimulationLemmas Lemmas.Simulation Spec.Dictionary.Writes Spec.Block.Tail
  Spec.Block.Execution Spec.Block.Map Lemmas.Ideal Lemmas.History Spec.Dictionary.Window Lemmas.ViewLemmas
  Spec.Block.View Lemmas.Resolution Lemmas.PhaseLemmas Lemmas.AnyBlock Spec.Block.State.
Import ListNotations.
Local Open Scope N_scope.

Section Block.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {root : PrimitiveRoot scalar_given} {hash_given : HashGiven}.

Section OfState.

Variables (setup : Setup) (h : History) (state : ValidatorState).
Hypothesis honest : honest_state setup h state.

Let a : Array := latest h.
Let n : N := vector_size (parameters state).

Lemma latest_is_good : well_formed a.
Proof. exact (latest_well_formed h (honest_history _ _ _ honest)). Qed.

Lemma state_size : size state = array_size a.
Proof. exact (honest_size _ _ _ honest). Qed.

Section OfBlock.

Variable block : Block.
Hypothesis claims_are_true : block_claims_true h state block.
Hypothesis tail_is_true : tail_vectors_true h state (tail_vectors block).

Lemma block_view_contained : contained (block_view state block) (array_slots a).
Proof. exact (block_view_true setup h state honest block claims_are_true tail_is_true). Qed.

Lemma keys_good_legal : block_keys_good block -> block_keys_legal block.
Proof. intros K tx It. apply Forall_forall. intros op Io. exact (K tx op It Io). Qed.

(** Whatever was resolved and run is what the whole array resolves to and runs. *)
Lemma resolved_changes : forall resolved changes,
  block_keys_good block -> resolve_block state block = Ok resolved -> run_block block resolved = Ok changes ->
  ideal_changes a block = Ok (net_changes changes).
Proof.
  intros resolved changes K R E.
  destruct (resolve_block_sound setup h state honest block resolved claims_are_true (keys_good_legal K) R) as [-> _].
  unfold ideal_changes. change (whole_contents a (transactions block)) with (block_contents h (transactions block)).
  rewrite E. reflexivity.
Qed.

Theorem executed_block_is_ideal : forall e,
  passed setup state block e ->
  execution_contents e = whole_contents a (transactions block) /\
  ideal_changes a block = Ok (execution_changes e) /\
  exists a', ideal_array a block = Some a' /\ well_formed a' /\
    array_size (execution_after e) = array_size a' /\
    contained (array_slots (execution_after e)) (array_slots a') /\
    writes_between (execution_before e) (array_slots (execution_after e)) =
      writes_between (array_slots a) (array_slots a') /\
    forall p, slot_at (array_slots a) p <> slot_at (array_slots a') p ->
      slot_at (execution_before e) p = slot_at (array_slots a) p.
Proof.
  intros e P.
  assert (K : block_keys_good block) by exact (shapes_keys state block (passed_shape _ _ _ _ P)).
  pose proof (passed_resolution _ _ _ _ P) as R.
  destruct (passed_operations _ _ _ _ P) as (changes & Rb & En).
  pose proof (resolved_changes _ changes K R Rb) as I. rewrite <- En in I.
  destruct (resolve_block_sound setup h state honest block _ claims_are_true (keys_good_legal K) R) as [Ec _].
  split; [exact Ec|]. split; [exact I|].
  pose proof latest_is_good as W. destruct (ideal_changes_good a block _ W K I) as (S & _ & T).
  destruct (apply_changes_succeeds a _ W S T) as (a' & A & W'). exists a'.
  pose proof (passed_changes _ _ _ _ P) as V. rewrite state_size in V.
  destruct (view_simulates_dictionary _ a _ _ a' W block_view_contained S T V A) as (Z & C & Wr).
  split; [unfold ideal_array; rewrite I; exact A|]. split; [exact W'|]. split; [exact Z|]. split; [exact C|].
  rewrite (passed_before _ _ _ _ P). split; [exact Wr|].
  intros p D. assert (Q : is_written (writes_between (block_view state block) (array_slots (execution_after e))) p = true).
  { rewrite Wr, is_written_between. apply differs_iff. exact D. }
  rewrite is_written_between in Q. apply differs_iff in Q.
  destruct (slot_at (block_view state block) p) as [x|] eqn:Vp; [symmetry; apply block_view_contained; assumption|].
  assert (Kn : knows (array_slots (execution_after e)) (array_slots a') p).
  { unfold knows. destruct (slot_at (array_slots (execution_after e)) p) as [y|] eqn:Y; [|congruence].
    symmetry. apply C. exact Y. }
  apply (simulation_knows_as_much _ a _ _ a' p W block_view_contained S T V A) in Kn. unfold knows in Kn. congruence.
Qed.

Theorem executed_block_is_map : forall e,
  passed setup state block e ->
  exists a', ideal_array a block = Some a' /\
    map_transactions (map_of_array a) (transactions block) = Ok (map_of_array a').
Proof.
  intros e P. destruct (executed_block_is_ideal e P) as (_ & _ & a' & I & _).
  assert (K : block_keys_good block) by exact (shapes_keys state block (passed_shape _ _ _ _ P)).
  exists a'. split; [exact I|]. pose proof (ideal_array_is_map a block latest_is_good K) as M.
  destruct (map_transactions (map_of_array a) (transactions block)) as [after|r].
  - destruct M as (b & Ib & _ & <-). assert (b = a') as -> by congruence. reflexivity.
  - destruct M as [N _]. congruence.
Qed.

(** ** The tail *)

(** All of the block's tail vectors are whole: phase 7 sees to that. *)
Definition vectors_whole : Prop :=
  forall i, i < seq_length (tail_vectors block) ->
    seq_length (seq_at (tail_vectors block) i) = n /\ exists number, tail_vector_number (tail_start state) n i = Some number.

Theorem tail_suffices : forall new_size,
  vectors_whole -> seq_length (tail_vectors block) = tail_needed (tail_start state) new_size n ->
  (forall p, new_size <= p -> knows (block_view state block) (array_slots a) p) /\
  (forall p, tail_start_after (tail_start state) new_size n <= p -> knows (block_view state block) (array_slots a) p) /\
  (forall i, i < seq_length (tail_vectors block) -> new_size < tail_start state - n * i).
Proof.
  intros new_size Wh L. pose proof (honest_vector_size _ _ _ honest) as Hn. fold n in Hn.
  destruct (honest_tail _ _ _ honest) as (Mu & Ls & _). fold n in Mu. fold a in Ls.
  pose proof (tail_needed_reaches (tail_start state) new_size n Hn Mu) as Re.
  destruct (tail_start_after_spec (tail_start state) new_size n Hn Mu) as (_ & _ & _ & St).
  set (needed := tail_needed (tail_start state) new_size n) in *.
  assert (G : forall p, tail_start state - n * needed <= p -> knows (block_view state block) (array_slots a) p).
  { intros p Hp. destruct (N.leb_spec (size state) p) as [B|B].
    - apply contained_knows; [exact block_view_contained|]. rewrite state_size in B.
      destruct (slot_at (array_slots a) p) as [x|] eqn:X; [|reflexivity]. exfalso.
      pose proof (dense_below a p x (proj1 latest_is_good) X). lia.
    - destruct (N.leb_spec (tail_start state) p) as [T|T].
      + apply (block_view_knows_tail setup h state honest). lia.
      + destruct Mu as [k Ek]. set (i := (tail_start state - 1 - p) / n).
        assert (Hi : i * n <= tail_start state - 1 - p < i * n + n).
        { unfold i. pose proof (N.div_mod' (tail_start state - 1 - p) n) as D.
          assert (R : (tail_start state - 1 - p) mod n < n) by (apply N.mod_lt; lia).
          rewrite (N.mul_comm _ n). revert D R. generalize (n * ((tail_start state - 1 - p) / n)) as q.
          generalize ((tail_start state - 1 - p) mod n) as r. intros r q D R. lia. }
        assert (Li : i < seq_length (tail_vectors block)) by (rewrite L; nia).
        destruct (Wh i Li) as [Lv [number En]].
        pose proof (tail_vector_number_spec (tail_start state) n i Hn (ex_intro _ k Ek)) as S. rewrite En in S.
        apply (block_view_knows_tail_vectors setup h state honest block i (p - number * n) p claims_are_true tail_is_true).
        split; [exact Li|]. split; [rewrite Lv; nia|]. exists number. split; [exact En|nia]. }
  split; [intros p Hp; apply G; lia|]. split; [intros p Hp; apply G; lia|].
  intros i Hi. apply tail_needed_least; [exact Hn|]. fold needed. lia.
Qed.

(** ** Never stuck *)

Lemma tail_count_exact : forall s, phase_tail_count state block s = Ok tt ->
  seq_length (tail_vectors block) = tail_needed (tail_start state) s n.
Proof.
  intros s. unfold phase_tail_count. cbv zeta. fold n. set (needed := tail_needed (tail_start state) s n).
  destruct (N.ltb_spec (seq_length (tail_vectors block)) needed); [discriminate|].
  destruct (N.ltb_spec needed (seq_length (tail_vectors block))); [discriminate|]. lia.
Qed.

Lemma block_view_knows_enough : forall resolved changes a',
  block_keys_good block -> vectors_whole ->
  resolve_block state block = Ok resolved -> run_block block resolved = Ok changes ->
  phase_tail_count state block (size_after (size state) (net_changes changes)) = Ok tt ->
  apply_changes a (net_changes changes) = Some a' ->
  knows_enough (block_view state block) a (net_changes changes) (array_size a').
Proof.
  intros resolved changes a' K Wh R E C A. pose proof latest_is_good as W.
  pose proof (resolved_changes resolved changes K R E) as I.
  destruct (ideal_changes_good a block _ W K I) as (S & Nt & T).
  destruct (resolve_block_sound setup h state honest block resolved claims_are_true (keys_good_legal K) R) as [_ Kn].
  assert (Kop : forall tx op, In tx (transactions block) -> In op (operations tx) ->
    knows_for_operation (block_view state block) a op).
  { intros tx op It Io. exact (block_view_knows_operations setup h state honest block tx op claims_are_true tail_is_true Kn It Io). }
  split; [|split].
  - intros c p Ic Cp. pose proof (net_changes_forall _ _ (run_block_named _ _ _ E)) as Nm. rewrite Forall_forall in Nm.
    destruct (Nm c Ic) as (tx & op & It & Io & Ek). destruct (Kop tx op It Io) as [Kc _]. rewrite Ek in Kc. exact (Kc p Cp).
  - intros c p Ic B Af Pp. pose proof (net_changes_forall _ _ (run_block_deletes _ _ _ E)) as Nm. rewrite Forall_forall in Nm.
    destruct (Nm c Ic B Af) as (tx & op & It & Io & Ek & D). destruct (Kop tx op It Io) as [_ Kp]. rewrite Ek in Kp.
    apply Kp; [exact D| |exact Pp]. unfold changes_true in T. rewrite Forall_forall in T. destruct (T c Ic) as [_ <-]. exact B.
  - rewrite (apply_changes_size a a' _ W S T A), <- state_size.
    apply (tail_suffices _ Wh (tail_count_exact _ C)).
Qed.

End OfBlock.

Theorem block_never_stuck : forall any contents changes,
  Scheme.well_made setup -> setup_vector_size setup = vector_size (parameters state) ->
  block_claims_true h state (block_in any) -> tail_vectors_true h state (tail_vectors (block_in any)) ->
  no_phase_refuses setup state any contents changes ->
  exists state' effects, apply_any setup state any = Ok (state', effects).
Proof.
  intros any contents changes Made Sized Ct Tt P. pose proof (execute_any_only_stuck setup state any contents changes P) as X.
  cbv zeta in X. destruct P as [_ _ _ P4 _ _ P7 P8 P9 P10]. rewrite apply_any_unfold.
  pose proof (fun e E => proj1 (execute_any_passed setup state any e E)) as Passed.
  set (block := block_in any) in *.
  assert (K : block_keys_good block) by exact (shapes_keys state block P4).
  assert (Wh : vectors_whole block).
  { intros i Hi. destruct (check_tail_vector_passed _ _ _ _ _ _ (phase_tail_passed setup state block P7 i Hi))
      as (number & En & L & _). split; [exact L|]. exists number. exact En. }
  pose proof latest_is_good as W. pose proof (resolved_changes block Ct contents changes K P8 P9) as I.
  destruct (ideal_changes_good a block _ W K I) as (S & _ & T).
  destruct (apply_changes_succeeds a _ W S T) as (a' & A & Wa).
  pose proof (block_view_contained block Ct Tt) as C.
  destruct (view_never_stuck (block_view state block) a _ a' W C S T A
    (block_view_knows_enough block Ct Tt contents changes a' K Wh P8 P9 P10 A)) as [view' V].
  destruct (view_simulates_dictionary _ a _ _ a' W C S T V A) as (Z & C' & Wr).
  rewrite state_size, V in X.
  unfold apply_executed. rewrite X. cbv zeta. cbn [execution_before execution_after execution_ids execution_contents execution_changes].
  rewrite Wr. unfold advance_or_reject. cbn [execution_before execution_after].
  set (remembered := replay_entries _ _ _). change (array_slots a) with (array_slots (latest h)).
  destruct (advance_honest setup h state a' (block_view state block) view' remembered Made Sized honest Wa Z) as (s & -> & _).
  - intros p D. destruct (executed_block_is_ideal block Ct Tt _ (Passed _ X)) as (_ & _ & b & Ib & _ & _ & _ & _ & Kn).
    cbn [execution_before] in Kn. apply Kn. assert (b = a') as ->.
    { unfold ideal_array in Ib. rewrite I in Ib. congruence. }
    exact D.
  - intros p Hp. fold n in Hp. apply (simulation_knows_as_much _ a _ _ a' p W C S T V A).
    rewrite (apply_changes_size a a' _ W S T A), <- state_size in Hp.
    apply (tail_suffices block Ct Tt _ Wh (tail_count_exact block _ P10)). apply Hp.
  - eexists. eexists. reflexivity.
Qed.

End OfState.

End Block.
