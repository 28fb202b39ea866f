(** Checking a transaction and applying a block never panic, whatever is in them, on a bounded state.

    The block's claims, openings and tail vectors may be false, its sizes and lengths beyond the maxima, its keys unsorted.
    What is asked of it: its values are of bytes, and its encoding has fewer than 2^64 of them.

    - [advance_never_panics]: making the next state;
    - [execute_any_never_panics], [apply_any_never_panics_from]: a block of either form;
    - [check_transaction_never_panics_from]. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Dictionary.Slot Dictionary.SlotMap
  Dictionary.Array Commitment.Opening Commitment.Scheme Block.Rejection Block.Operation Dictionary.Genesis
  Dictionary.Changes Dictionary.Writes Dictionary.Vectors Dictionary.Window Block.Tail Block.Transaction
  Block.State Block.BlockData Block.View Block.Checks Block.Execution Block.Phases Block.Validator
  Block.AggregatedBlock Dictionary.SlotMapSafe Dictionary.ArraySafe Commitment.SchemeSafe
  Dictionary.ChangesSafe Dictionary.WritesSafe Dictionary.VectorsSafe Dictionary.WindowSafe Block.TailSafe
  Block.TransactionSafe Block.StateSafe Block.BlockDataSafe Block.ViewSafe Block.ChecksSafe
  Block.ExecutionSafe Block.PhasesSafe Block.ValidatorSafe Block.AggregatedBlockSafe.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Lemmas.SlotMapLemmas Lemmas.ChangeMaps
  Spec.Block.Tail Lemmas.VectorLemmas Safety.SlotMapSafe Safety.DictionarySafe Safety.AlgebraSafe
  Safety.WindowSafe Lemmas.PhaseLemmas Spec.Block.Checks Lemmas.BlockChecks Lemmas.ReplayLemmas
  Safety.LengthsSafe Safety.BoundsSafe Safety.PhasesSafe Safety.ViewBoundsSafe Safety.RunSafe Lemmas.AnyBlock
  Safety.AggregatedSafe
  Spec.Base.Group.
Import ListNotations.
Local Open Scope N_scope.

Section Apply.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When applying a block of either form does not panic. *)
Definition apply_any_safe (setup : Setup) (state : ValidatorState) (any : AnyBlock) : bool :=
  match any with
  | Plain block => apply_block_safe setup state block
  | Aggregated aggregated coefficients combiners => apply_challenged_block_safe setup state aggregated coefficients combiners
  end.

(** A digest has fewer than 2^32 bytes; SHA-256 has 32. *)
Definition digests_short : Prop := forall tag x, short (tagged_hash tag x).

(** ** Numbers of vectors *)

Lemma vector_count_never_panics : forall s n, 1 <= n -> s + n < 2 ^ 64 ->
  vector_count_safe s n = true /\ vector_count s n <= s + n.
Proof.
  intros s n V L. unfold vector_count_safe, within_usize.
  rewrite !andb_true_iff, N.ltb_lt, N.leb_le, negb_true_iff, N.eqb_neq. split; [lia|].
  unfold vector_count. apply N.div_le_upper_bound; [lia|]. nia.
Qed.

Lemma tail_floor_never_panics : forall s n, 1 <= n -> s < 2 ^ 64 -> tail_floor_safe s n = true.
Proof.
  intros s n V L. unfold tail_floor_safe, within_usize. cbv zeta.
  destruct (N.eqb_spec n 0); [lia|]. cbn [negb andb]. destruct (N.ltb_spec 0 (s / n)); [|reflexivity].
  rewrite andb_true_iff, N.leb_le, N.ltb_lt. split; [lia|].
  pose proof (N.mul_div_le s n ltac:(lia)) as M. pose proof (N.mul_le_mono_l (s / n - 1) (s / n) n ltac:(lia)). lia.
Qed.

Section OfState.

Variables (setup : Setup) (state : ValidatorState).
Hypothesis bounds : state_bounded setup state.
Hypothesis digests : digests_short.

Let n : N := vector_size (parameters state).

Lemma few_in_vector : 1 <= n <= 4096.
Proof. apply legal_bounds, (bounded_parameters _ _ bounds). Qed.

Lemma half : 2 ^ 64 = 2 ^ 63 + 2 ^ 63 /\ 2 ^ 63 = 9223372036854775808.
Proof. split; reflexivity. Qed.

(** ** The next state *)

Lemma updated_commitments_never_panics : forall before writes new_size,
  new_size + n < 2 ^ 64 -> updated_commitments_safe setup n (commitments state) before writes new_size = true.
Proof.
  intros before writes s L. pose proof few_in_vector as V. unfold updated_commitments_safe. cbv zeta.
  destruct (vector_count_never_panics s n ltac:(lia) L) as [-> C]. cbn [andb].
  set (widest := if seq_length (commitments state) <? vector_count s n then _ else _).
  assert (W : widest < 2 ^ 64).
  { unfold widest. destruct (_ <? _); [lia|exact (bounded_commitments _ _ bounds)]. }
  apply (loop_is_safe _ (fun _ updated => seq_length updated = widest)).
  { rewrite g1_resized_map, seq_length_map, seq_length_range. lia. }
  intros i updated Hi U. unfold updated_commitments_step_safe, updated_commitments_step. cbv zeta.
  rewrite g1_updated_length. split; [|exact U]. in_range Hi.
  rewrite vector_of_never_panics, index_of_never_panics by apply V. cbn [andb].
  rewrite update_commitment_never_panics, g1_updated_never_panics; [reflexivity| | |].
  - rewrite U. exact W.
  - eapply legal_small; [exact (bounded_parameters _ _ bounds)|exact (bounded_setup _ _ bounds)].
  - rewrite (bounded_setup _ _ bounds). apply N.mod_lt. fold n. lia.
Qed.

Lemma tail_start_below : tail_start state < 2 ^ 63.
Proof. pose proof (bounded_tail _ _ bounds). lia. Qed.

Lemma tail_start_after_never_panics : forall s, s < 2 ^ 64 -> tail_start_after_safe (tail_start state) s n = true.
Proof.
  intros s L. pose proof few_in_vector as V. pose proof tail_start_below as T. destruct half as [H1 H2].
  unfold tail_start_after_safe. rewrite tail_needed_never_panics, tail_floor_never_panics by lia.
  rewrite andb_true_r. apply N.ltb_lt.
  pose proof (tail_needed_most (tail_start state) s n ltac:(lia) (bounded_tail_start _ _ bounds)). lia.
Qed.

Lemma replay_set_at_never_panics : forall entries b, replay_set_at_safe entries b = true.
Proof. intros entries b. unfold replay_set_at_safe. each_check Hi. apply N.ltb_lt. lia. Qed.

Theorem advance_never_panics : forall before after writes remembered,
  array_size after + 2 ^ 12 < 2 ^ 64 -> advance_safe setup state before after writes remembered = true.
Proof.
  intros before after writes remembered L. pose proof few_in_vector as V. change (2 ^ 12) with 4096 in L.
  unfold advance_safe. cbv zeta. fold n. rewrite tail_start_after_never_panics by lia. cbn [andb].
  destruct (slots_from _ _ _); [|reflexivity].
  rewrite previous_commitments_never_panics, updated_commitments_never_panics, slide_never_panics,
    replay_set_at_never_panics by lia.
  unfold within_usize. pose proof (bounded_version _ _ bounds) as W. apply N.ltb_lt in W. rewrite W. reflexivity.
Qed.

(** ** A block *)

Section OfBlock.

Variable any : AnyBlock.
Let block : Block := block_in any.
Hypothesis bytes : block_of_bytes block.
Hypothesis sized : any_fits any.

Lemma ids_short : forall id, In id (transaction_ids (dictionary_id state) (transactions block)) -> short id.
Proof.
  intros id I. rewrite transaction_ids_map in I. apply in_map_iff in I. destruct I as (tx & <- & _). apply digests.
Qed.

(** What the changes of a block that passed the phases before do to its view. *)
Lemma changes_never_panic : forall contents changes,
  phase_any_size state any = Ok tt -> phase_shape state block = Ok tt -> phase_position state block = Ok tt ->
  phase_tail setup state block = Ok tt -> resolve_block state block = Ok contents ->
  run_block_safe block contents = true /\
  (run_block block contents = Ok changes ->
   let view := {| array_size := size state; array_slots := block_view state block |} in
   net_changes_safe changes = true /\ size_after_safe (size state) (net_changes changes) = true /\
   apply_changes_safe view (net_changes changes) = true /\
   forall after, apply_changes view (net_changes changes) = Some after -> array_size after + 2 ^ 12 < 2 ^ 64).
Proof.
  intros contents changes P1 P4 P5 P7 R. pose proof (bounded_parameters _ _ bounds) as L.
  destruct half as [H1 H2]. pose proof (bounded_size _ _ bounds) as Ls.
  destruct (resolve_block_never_panics setup state bounds block bytes P4 P5) as [_ C].
  destruct (block_view_sound setup state bounds block bytes P4 P5 P7) as [_ V].
  destruct (any_size_passed state any P1) as (Lt & _ & St). fold block in Lt, St. rewrite phase_shape_ok in P4.
  destruct (run_block_never_panics (parameters state) L block contents Lt) as [S M].
  - intros tx I. apply (St tx I).
  - intros tx op I J. destruct (P4 tx I) as (_ & G & _). split; [apply G, J|]. apply (proj1 bytes tx I), J.
  - exact (C contents R).
  - split; [exact S|]. intros E. cbv zeta. destruct (M changes E) as [Lc Sc].
    pose proof (sound_changes_short _ Sc) as Sh. assert (Sn : short_changes (net_changes changes)).
    { apply net_changes_forall. exact Sh. }
    assert (Ln : seq_length (net_changes changes) <= seq_length changes).
    { apply net_changes_fewer. }
    change (2 ^ 48) with 281474976710656 in Lc. change (2 ^ 12) with 4096.
    assert (Fv : fits (4096 + seq_length (net_changes changes))
      {| array_size := size state; array_slots := block_view state block |}).
    { split; cbn [array_size array_slots]; [lia|apply sound_addressable; exact V]. }
    split; [apply net_changes_never_panics; exact Sh|]. split; [apply size_after_never_panics; lia|]. split.
    + apply apply_changes_never_panics; [|exact Sn]. eapply fits_less; [|exact Fv]. lia.
    + intros after A. exact (proj1 (apply_changes_fits 4096 _ _ after Fv Sn A)).
Qed.

(** What follows the proof of the claims, whichever it is. *)
Lemma execute_proved_never_panics : forall ids,
  phase_any_size state any = Ok tt -> phase_shape state block = Ok tt -> phase_position state block = Ok tt ->
  execute_proved_safe setup state block ids = true.
Proof.
  intros ids P1 P4 P5. pose proof (bounded_parameters _ _ bounds) as L. pose proof (bounded_setup _ _ bounds) as E.
  unfold execute_proved_safe. cbv zeta. rewrite phase_tail_never_panics by (assumption || exact tail_start_below). cbn [andb].
  destruct (phase_tail setup state block) as [[]|] eqn:P7; [|reflexivity].
  rewrite (proj1 (resolve_block_never_panics setup state bounds block bytes P4 P5)). cbn [andb].
  destruct (resolve_block state block) as [contents|] eqn:P8; [|reflexivity].
  rewrite (proj1 (changes_never_panic contents [] P1 P4 P5 P7 P8)). cbn [andb].
  destruct (run_block block contents) as [changes|] eqn:P9; [|reflexivity].
  destruct (changes_never_panic contents changes P1 P4 P5 P7 P8) as [_ C].
  destruct (C P9) as (-> & -> & A & _). rewrite phase_tail_count_never_panics by (assumption || exact tail_start_below).
  cbn [andb]. destruct (phase_tail_count state block _) as [_|]; [|reflexivity].
  rewrite (proj1 (block_view_sound setup state bounds block bytes P4 P5 P7)). exact A.
Qed.

(** When running the phases of a block of either form does not panic. *)
Definition execute_any_safe : bool :=
  match any with
  | Plain block => execute_block_safe setup state block
  | Aggregated aggregated coefficients combiners =>
      execute_challenged_block_safe setup state aggregated coefficients combiners
  end.

Theorem execute_any_never_panics : execute_any_safe = true.
Proof.
  pose proof (bounded_parameters _ _ bounds) as L. pose proof (bounded_setup _ _ bounds) as E.
  pose proof (bounded_version _ _ bounds) as W. pose proof (bounded_replays _ _ bounds) as Re.
  assert (Tail : forall ids, phase_any_size state any = Ok tt -> phase_shape state block = Ok tt ->
    phase_position state block = Ok tt -> execute_proved_safe setup state block ids = true).
  { exact execute_proved_never_panics. }
  pose proof ids_short as Short. unfold execute_any_safe. unfold block in *. clear block bytes.
  destruct any as [block|aggregated rho gamma]; cbn [block_in any_fits phase_any_size] in *.
  - unfold execute_block_safe. cbv zeta. rewrite phase_size_never_panics by assumption. cbn [andb].
    destruct (phase_size state block) as [[]|] eqn:P1; [|reflexivity].
    rewrite phase_interval_never_panics by assumption. cbn [andb]. destruct (phase_interval state block) as [_|]; [|reflexivity].
    rewrite transaction_ids_never_panics, phase_replay_never_panics by assumption. cbn [andb].
    destruct (phase_replay state _) as [_|]; [|reflexivity].
    rewrite phase_shape_never_panics by assumption. cbn [andb].
    destruct (phase_shape state block) as [[]|] eqn:P4; [|reflexivity].
    rewrite phase_position_never_panics. cbn [andb]. destruct (phase_position state block) as [[]|] eqn:P5; [|reflexivity].
    rewrite phase_openings_never_panics by assumption. cbn [andb].
    destruct (phase_openings setup state block) as [_|]; [|reflexivity]. apply Tail; reflexivity.
  - set (block := plain_block aggregated) in *.
    unfold execute_challenged_block_safe. cbv zeta. fold block. rewrite phase_aggregated_size_never_panics by assumption.
    cbn [andb]. destruct (phase_aggregated_size state aggregated) as [[]|] eqn:P1; [|reflexivity].
    rewrite phase_interval_never_panics by assumption. cbn [andb]. destruct (phase_interval state block) as [_|]; [|reflexivity].
    rewrite transaction_ids_never_panics, phase_replay_never_panics by assumption. cbn [andb].
    destruct (phase_replay state _) as [_|]; [|reflexivity].
    rewrite phase_shape_never_panics by assumption. cbn [andb].
    destruct (phase_shape state block) as [[]|] eqn:P4; [|reflexivity].
    rewrite phase_position_never_panics. cbn [andb]. destruct (phase_position state block) as [[]|] eqn:P5; [|reflexivity].
    rewrite phase_points_never_panics by assumption. cbn [andb].
    destruct (phase_points _ _ _ _ _) as [_|]; [|reflexivity]. apply Tail; reflexivity.
Qed.

Lemma replay_entries_never_panics : forall old ids (items : list Transaction),
  seq_length ids = seq_length items -> replay_entries_safe old ids items = true.
Proof. intros old ids items L. unfold replay_entries_safe. each_check Hx. rewrite L. in_range Hx. reflexivity. Qed.

Theorem apply_any_never_panics_from : apply_any_safe setup state any = true.
Proof.
  assert (After : forall e, execute_any setup state any = Ok e ->
    apply_executed_safe setup state e (transactions block) = true).
  { intros e X. destruct (execute_any_passed setup state any e X) as (P & P1 & _). fold block in P. unfold apply_executed_safe.
    cbv zeta. pose proof (passed_shape _ _ _ _ P) as P4.
    pose proof (passed_position _ _ _ _ P) as P5. pose proof (passed_tail _ _ _ _ P) as P7.
    destruct (passed_operations _ _ _ _ P) as (changes & R & N).
    pose proof (passed_changes _ _ _ _ P) as A. rewrite N in A.
    rewrite writes_between_never_panics, replay_entries_never_panics.
    - apply advance_never_panics.
      destruct (changes_never_panic _ changes P1 P4 P5 P7 (passed_resolution _ _ _ _ P)) as [_ C].
      destruct (C R) as (_ & _ & _ & B). exact (B _ A).
    - rewrite (passed_ids _ _ _ _ P), transaction_ids_map. apply seq_length_map.
    - rewrite (passed_before _ _ _ _ P). apply sound_addressable.
      apply (block_view_sound setup state bounds block bytes P4 P5 P7). }
  pose proof execute_any_never_panics as Ex. unfold execute_any_safe in Ex. unfold block in *. clear block bytes.
  destruct any as [block|aggregated rho gamma]; cbn [apply_any_safe execute_any block_in] in *.
  - unfold apply_block_safe. rewrite Ex. cbn [andb]. destruct (execute_block setup state block) as [e|]; [|reflexivity].
    exact (After e eq_refl).
  - unfold apply_challenged_block_safe. rewrite Ex. cbn [andb].
    destruct (execute_challenged_block setup state aggregated rho gamma) as [e|]; [|reflexivity]. exact (After e eq_refl).
Qed.

End OfBlock.

(** ** A transaction *)

Theorem check_transaction_never_panics_from : forall tx,
  transaction_of_bytes tx -> transaction_length tx < 2 ^ 64 -> check_transaction_safe setup state tx = true.
Proof.
  intros tx B L. pose proof (bounded_parameters _ _ bounds) as Lp. pose proof (bounded_setup _ _ bounds) as E.
  unfold check_transaction_safe. cbv zeta. rewrite check_transaction_size_never_panics by assumption. cbn [andb].
  destruct (check_transaction_size _ _ _) as [_|]; [|reflexivity].
  unfold within_usize. pose proof (bounded_version _ _ bounds) as W. apply N.ltb_lt in W. rewrite W. cbn [andb].
  destruct (check_interval _ _ _ _) as [_|]; [|reflexivity]. rewrite id_of_transaction_never_panics. cbn [andb].
  rewrite check_replay_never_panics;
    [|exact (bounded_replays _ _ bounds)|intros id [<-|[]]; apply digests|reflexivity]. cbn [andb].
  destruct (check_replay _ _ _) as [_|]; [|reflexivity]. rewrite check_shape_never_panics by assumption. cbn [andb].
  destruct (check_shape _ _ _) as [[]|] eqn:P4; [|reflexivity]. rewrite check_positions_never_panics. cbn [andb].
  destruct (check_positions _ _ _) as [[]|] eqn:P5; [|reflexivity].
  rewrite check_openings_never_panics by assumption. cbn [andb]. destruct (check_openings _ _ _ _) as [_|]; [|reflexivity].
  apply check_shape_ok in P4. apply check_positions_ok in P5.
  apply (resolve_transaction_never_panics setup state bounds); assumption.
Qed.

End OfState.

End Apply.
