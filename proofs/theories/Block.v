(** A block on a validator's view does what it does on the whole array.

    The state is that of a history of whole arrays ([honest_state], History.v); the block's claims are true at their
    versions and its tail vectors are true ([block_claims_true], [tail_vectors_true], View.v).

    - [executed_block_is_ideal]: a block that is executed has the contents, the net changes, the writes and the number of
      slots that it has on the whole array, and the view after it holds only what is true afterwards;
    - [executed_block_is_map]: hence its transactions succeed one after the other on the map of the array, and the map after
      is that of the array after;
    - [tail_suffices]: with as many tail vectors as the block needs, the view knows all positions from the new end on, and
      the new tail begins at a position from which on it knows everything; with one vector less some would be missing;
    - [block_never_stuck]: a block that no phase refuses lacks no slot: it is executed, and the new state can be made. *)
From Coq Require Import NArith List Bool Sorted Lia.
From AardvarkSpec Require Import Prelude Scalar Hash Bytes Slot SlotMap Dictionary Commitment Scheme Rejection Operation
  KeyMap Genesis Changes Writes Vectors Window Tail Transaction State BlockData View Checks Execution Block Validator Map.
From Aardvark Require Import Field.
From Aardvark Require Scheme.
From Aardvark Require Import WellFormed LoopLemmas Bytes SlotMapLemmas SlotMap DictionaryLemmas ChangeMaps KeyMap Changes
  SimulationLemmas Simulation WriteLemmas TailLemmas Execution Map Ideal History Window ViewLemmas View Resolution
  PhaseLemmas State.
Import ListNotations.
Local Open Scope N_scope.

Section Block.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

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
  execute_block setup state block = Ok e ->
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
  intros e E. pose proof (execute_block_passed setup state block e E) as P.
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
  execute_block setup state block = Ok e ->
  exists a', ideal_array a block = Some a' /\
    map_transactions (map_of_array a) (transactions block) = Ok (map_of_array a').
Proof.
  intros e E. destruct (executed_block_is_ideal e E) as (_ & _ & a' & I & _).
  assert (K : block_keys_good block)
    by exact (shapes_keys state block (passed_shape _ _ _ _ (execute_block_passed setup state block e E))).
  exists a'. split; [exact I|]. pose proof (ideal_array_is_map a block latest_is_good K) as M.
  destruct (map_transactions (map_of_array a) (transactions block)) as [after|r].
  - destruct M as (b & Ib & _ & <-). assert (b = a') as -> by congruence. reflexivity.
  - destruct M as [N _]. congruence.
Qed.

End OfBlock.

End OfState.

End Block.
