(** What holds of every state that a legal genesis, accepted blocks and imports lead to, as long as no break is found.

    - [reachable_lengths]: no slot of any array of its history is longer than the maxima;
    - [reachable_block_is_justified_or_breaks]: the end-to-end theorem (Validator.v), from genesis on;
    - [reachable_honest_claims_accepted]: completeness (Completeness.v), from genesis on;
    - [reachable_block_never_stuck]: a block of either form that no phase refuses is applied;
    - [reachable_import_accepted]: an import whose check passes is applied, and leads to a reachable state. *)
From Coq Require Import NArith List Bool Sorted Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Dictionary.Slot Dictionary.SlotMap
  Dictionary.Array Commitment.Opening Commitment.Scheme Block.Rejection Block.Operation Dictionary.KeyMap
  Dictionary.Genesis Dictionary.Changes Dictionary.Writes Dictionary.Vectors Dictionary.Window Block.Tail
  Block.Transaction Block.State Block.BlockData Block.View Block.Checks Block.Execution Block.Phases
  Block.Validator Block.AggregatedBlock Block.Import Block.Map Block.Prover.
From Aardvark Require Import Lemmas.Field.
From Aardvark Require Spec.Commitment.Scheme.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes Lemmas.SlotMapLemmas
  Lemmas.DictionaryLemmas Lemmas.ChangeMaps Spec.Dictionary.Genesis Spec.Block.Map Lemmas.Ideal Lemmas.History
  Spec.Block.View Lemmas.PhaseLemmas Spec.Block.State Lemmas.Break Spec.Block.Phases Spec.Block.Import
  Spec.Block.Checks Lemmas.BlockChecks Spec.Block.Validator Lemmas.Lengths Lemmas.BlockLengths
  Spec.Block.Prover Lemmas.Completeness Lemmas.AnyBlock Lemmas.AggregatedBreak.
Import ListNotations.
Local Open Scope N_scope.

Section Reachable.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {root : PrimitiveRoot scalar_given} {hash_given : HashGiven}.

Variables (setup : Setup) (genesis : Genesis).
Hypothesis made : Scheme.well_made setup.
Hypothesis legal : genesis_legal genesis = true.
Hypothesis sized : setup_vector_size setup = vector_size (genesis_parameters genesis).

Section OfReachable.

Variables (h : History) (state : ValidatorState).
Hypothesis reached : reachable setup genesis h state.

Lemma reachable_honest : honest_state setup h state.
Proof. exact (proj1 (reachable_well_formed setup genesis h state made legal sized reached)). Qed.

Lemma reachable_parameters : parameters state = genesis_parameters genesis.
Proof. exact (proj1 (proj2 (proj2 (reachable_well_formed setup genesis h state made legal sized reached)))). Qed.

Lemma reachable_sized : setup_vector_size setup = vector_size (parameters state).
Proof. rewrite reachable_parameters. exact sized. Qed.

End OfReachable.

Lemma ideal_array_lengths : forall p a block a',
  well_formed a -> all_fit p (array_slots a) ->
  (forall tx op, In tx (transactions block) -> In op (operations tx) -> operation_good p op) ->
  ideal_array a block = Some a' -> all_fit p (array_slots a').
Proof.
  intros p a block a' W A G E. unfold ideal_array, ideal_changes in E.
  destruct (run_block block (whole_contents a (transactions block))) as [changes|] eqn:R; [|discriminate].
  apply (apply_changes_lengths p a (net_changes changes) a' A); [|exact E]. apply net_changes_lengths.
  apply (run_block_lengths p block (whole_contents a (transactions block)) changes G); [|exact R].
  intros contents content I J. exact (resolved_lengths p a (transactions block) contents content A I J).
Qed.

Theorem reachable_lengths : forall h state,
  reachable setup genesis h state ->
  forall v, v <= now h -> all_fit (parameters state) (array_slots (array_at h v)).
Proof.
  intros h state R. rewrite (reachable_parameters h state R).
  assert (Longer : forall g a, good_history g ->
    (forall v, v <= now g -> all_fit (genesis_parameters genesis) (array_slots (array_at g v))) ->
    all_fit (genesis_parameters genesis) (array_slots a) ->
    forall v, v <= now (g ++ [a]) -> all_fit (genesis_parameters genesis) (array_slots (array_at (g ++ [a]) v))).
  { intros g a Gg Old New v Hv. rewrite now_append in Hv by apply Gg. destruct (N.eq_dec v (now g + 1)) as [->|N].
    - rewrite <- (now_append g a) by apply Gg. change (array_at (g ++ [a]) (now (g ++ [a]))) with (latest (g ++ [a])).
      rewrite latest_append. exact New.
    - rewrite array_at_append_old; [apply Old; lia|]. unfold now in *. destruct Gg as [Ne _].
      destruct g as [|b g]; [contradiction|]. rewrite seq_length_cons in *. lia. }
  induction R as [|h state any state' effects a' R IH E B I|h state block state' a' R IH E].
  - intros v Hv. assert (v = 0) as -> by (unfold now in Hv; cbn in Hv; lia). apply genesis_lengths.
    unfold genesis_legal in legal. rewrite !andb_true_iff in legal. apply legal.
  - pose proof (honest_history _ _ _ (reachable_honest h state R)) as Gh. apply Longer; [exact Gh|exact IH|].
    apply (ideal_array_lengths _ (latest h) (block_in any) a' (latest_good h Gh)); [apply IH; lia| |exact I].
    intros tx op It Io. destruct (apply_any_passed setup state any state' effects E) as (e & P & _).
    pose proof (passed_shape _ _ _ _ P) as S. rewrite <- (reachable_parameters h state R).
    pose proof (proj1 (phase_shape_ok state (block_in any)) S tx It) as Sg. unfold shape_good in Sg. apply Sg. exact Io.
  - pose proof (reachable_honest h state R) as H. pose proof (honest_history _ _ _ H) as Gh.
    apply Longer; [exact Gh|exact IH|]. specialize (IH (now h) (N.le_refl _)). change (array_at h (now h)) with (latest h) in IH.
    destruct (applied_import_honest setup h state made (reachable_sized h state R) H block state' a' E) as (C & Ei & _).
    rewrite <- (reachable_parameters h state R) in *. exact (import_lengths state block (latest h) C (latest_good h Gh) a' IH Ei).
Qed.

Theorem reachable_block_is_justified_or_breaks : forall h state any state' effects,
  reachable setup genesis h state ->
  apply_any setup state any = Ok (state', effects) ->
  match find_break_in setup h state any with
  | Some f => is_finding setup h state any f
  | None =>
      exists a',
        map_transactions (map_of_array (latest h)) (transactions (block_in any)) = Ok (map_of_array a') /\
        ideal_state setup state (latest h) (block_in any) = Some (state', a') /\
        reachable setup genesis (h ++ [a']) state'
  end.
Proof.
  intros h state any state' effects R E.
  pose proof (accepted_block_is_justified_or_breaks setup h state made (reachable_sized h state R) (reachable_honest h state R)
    any state' effects E) as J.
  destruct (find_break_in setup h state any) as [f|] eqn:B; [exact J|].
  destruct J as (a' & M & I & _). exists a'. split; [exact M|]. split; [exact I|].
  apply (reachable_block setup genesis h state any state' effects a' R E B).
  unfold ideal_state in I. destruct (ideal_array (latest h) (block_in any)) as [b|]; [|discriminate]. cbv zeta in I.
  destruct (advance _ _ _ _ _ _); [|discriminate]. congruence.
Qed.

Theorem reachable_honest_claims_accepted : forall h state block e,
  reachable setup genesis h state ->
  honest_block setup h state block -> apply_block setup state block = Err e -> reason_of_proof (reason e) = false.
Proof.
  intros h state block e R Hb E.
  exact (honest_claims_accepted setup h state made (reachable_sized h state R) (reachable_honest h state R)
    (fun v q x Hv L => reachable_lengths h state R v Hv q x L) block e Hb E).
Qed.

Theorem reachable_block_never_stuck : forall h state any contents changes,
  reachable setup genesis h state -> find_break_in setup h state any = None ->
  no_phase_refuses setup state any contents changes ->
  exists state' effects, apply_any setup state any = Ok (state', effects).
Proof.
  intros h state any contents changes R B P.
  destruct (no_break_all_true setup h state made (reachable_sized h state R) (reachable_honest h state R) any
    (interval_passes _ _ _ _ _ P) (proofs_pass _ _ _ _ _ P) (tail_passes _ _ _ _ _ P) B) as [Ct Tt].
  exact (block_never_stuck setup h state (reachable_honest h state R) any contents changes made (reachable_sized h state R)
    Ct Tt P).
Qed.

Theorem reachable_import_accepted : forall h state block,
  reachable setup genesis h state -> check_import state block = Ok tt ->
  exists state' a', apply_import setup state (latest h) block = Ok (state', a') /\
    reachable setup genesis (h ++ [a']) state' /\
    forall k, map_of a' k =
      match import_of (import_changes block) k with Some c => import_content c | None => map_of (latest h) k end.
Proof.
  intros h state block R C. pose proof (reachable_honest h state R) as H. pose proof (reachable_sized h state R) as S.
  destruct (import_accepted setup h state made S H block C) as (state' & a' & E). exists state', a'.
  split; [exact E|]. split; [exact (reachable_import setup genesis h state block state' a' R E)|]. intros k.
  apply (import_map state block (latest h) C (latest_good h (honest_history _ _ _ H))).
  apply (applied_import_honest setup h state made S H block state' a' E).
Qed.

End Reachable.
