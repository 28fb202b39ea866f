(** Phases 2 to 7 and 10 never leave the range of their integers or sequences.

    The claims, the openings and the tail vectors may be false: nothing here asks for their truth.

    - [transaction_ids_never_panics], [check_replay_never_panics], [phase_replay_never_panics]: digests are short;
    - [check_shape_never_panics], [phase_shape_never_panics]: whatever the lengths in the block are;
    - [check_positions_never_panics], [phase_position_never_panics]: always;
    - [check_openings_never_panics], [phase_openings_never_panics], [phase_tail_never_panics],
      [phase_tail_count_never_panics]: for a setup and parameters as a dictionary has them. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Dictionary.Slot Dictionary.SlotMap
  Commitment.Opening Commitment.Scheme Block.Rejection Block.Operation Dictionary.Genesis Dictionary.Vectors
  Dictionary.Window Block.Tail Block.Transaction Block.State Block.BlockData Block.Checks Block.Phases
  Base.BytesSafe Dictionary.SlotSafe Commitment.SchemeSafe Block.OperationSafe Dictionary.VectorsSafe
  Dictionary.WindowSafe Block.TailSafe Block.TransactionSafe Block.StateSafe Block.ChecksSafe
  Block.PhasesSafe.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Lemmas.SlotMapLemmas Safety.SlotMapSafe
  Safety.AlgebraSafe Safety.WindowSafe Safety.ViewSafe Lemmas.ChecksLemmas Spec.Block.Checks
  Lemmas.BlockChecks Safety.BoundsSafe.
Import ListNotations.
Local Open Scope N_scope.

(** A loop of checks, each of which is safe. *)
Ltac each_check H := apply (loop_is_safe _ (fun _ _ => True)); [exact I|]; intros ? checked H _; split; [|exact I].

Ltac in_range Hi := destruct Hi as [_ Hi]; apply N.ltb_lt in Hi; rewrite Hi; cbn [andb]; apply N.ltb_lt in Hi.

Section Phases.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** ** Phase 2, and the ids *)

Theorem phase_interval_never_panics : forall state block, version state + 1 < 2 ^ 64 -> phase_interval_safe state block = true.
Proof. intros state block V. unfold phase_interval_safe. each_check Hx. in_range Hx. apply N.ltb_lt. assumption. Qed.

Lemma id_of_transaction_never_panics : forall dictionary tx, id_of_transaction_safe dictionary tx = true.
Proof.
  intros dictionary tx. unfold id_of_transaction_safe, encode_core_safe, encode_operations_safe.
  each_check Hj. apply N.ltb_lt. lia.
Qed.

Theorem transaction_ids_never_panics : forall dictionary items, transaction_ids_safe dictionary items = true.
Proof.
  intros dictionary items. unfold transaction_ids_safe. each_check Hx. in_range Hx. apply id_of_transaction_never_panics.
Qed.

(** ** Phase 3 *)

Lemma is_replayed_never_panics : forall entries id,
  (forall e, In e entries -> short (replay_id e)) -> is_replayed_safe entries id = true.
Proof.
  intros entries id S. unfold is_replayed_safe. each_check Hi. in_range Hi.
  unfold is_replayed_step_safe. destruct checked; [reflexivity|]. apply bytes_equal_never_panics, S, seq_at_in. assumption.
Qed.

Theorem check_replay_never_panics : forall state ids x,
  (forall e, In e (replay_set state) -> short (replay_id e)) -> (forall id, In id ids -> short id) -> x < seq_length ids ->
  check_replay_safe state ids x = true.
Proof.
  intros state ids x S Si Hx. unfold check_replay_safe. rewrite is_replayed_never_panics by assumption.
  apply N.ltb_lt in Hx. rewrite Hx. apply N.ltb_lt in Hx. cbn [andb]. destruct (is_replayed _ _); [reflexivity|].
  unfold has_id_before_safe. each_check Hi. destruct (N.ltb_spec i (seq_length ids)); [|lia]. cbn [andb].
  unfold has_id_before_step_safe. destruct checked; [reflexivity|]. apply bytes_equal_never_panics, Si, seq_at_in. assumption.
Qed.

Theorem phase_replay_never_panics : forall state ids,
  (forall e, In e (replay_set state) -> short (replay_id e)) -> (forall id, In id ids -> short id) ->
  phase_replay_safe state ids = true.
Proof.
  intros state ids S Si. unfold phase_replay_safe. each_check Hx. destruct checked as [[]|]; [|reflexivity].
  apply check_replay_never_panics; [assumption|assumption|lia].
Qed.

(** ** Phase 4 *)

Lemma claimed_before_never_panics : forall items count p,
  count <= seq_length items -> claimed_before_safe items count p = true.
Proof. intros items count p L. unfold claimed_before_safe. each_check Hc. apply N.ltb_lt. lia. Qed.

Lemma serves_some_never_panics : forall c items,
  short_slot (claim_slot c) -> (forall op, In op items -> short (operation_key op)) -> serves_some_safe c items = true.
Proof.
  intros c items (Sk & _ & Sn) So. unfold serves_some_safe. each_check Hj. in_range Hj.
  unfold serves_some_step_safe. destruct checked; [reflexivity|]. unfold serves_safe.
  rewrite covers_never_panics by (assumption || apply So, seq_at_in; assumption). cbn [andb].
  destruct (covers _ _); [reflexivity|]. destruct (is_delete _); [|reflexivity]. apply bytes_equal_never_panics. assumption.
Qed.

Lemma legal_short : forall p x, parameters_legal p = true ->
  seq_length x <= max_key_length p \/ seq_length x <= max_value_length p -> short x.
Proof.
  intros p x L H. destruct (legal_bounds p L) as (_ & K & V & _). change (2 ^ 8) with 256 in K.
  destruct H; eapply short_below; try eassumption. change (2 ^ 11) with 2048. lia.
Qed.

Lemma good_operation_short : forall p op, parameters_legal p = true -> operation_good p op -> short (operation_key op).
Proof. intros p op L (_ & K & _). eapply legal_short; [exact L|left; exact K]. Qed.

Lemma good_lengths_short : forall p x, parameters_legal p = true -> slot_lengths_good p x -> short_slot x.
Proof. intros p x L (K & N & V). repeat split; eapply legal_short; eauto. Qed.

Theorem check_shape_never_panics : forall p tx x, parameters_legal p = true -> check_shape_safe p tx x = true.
Proof.
  intros p tx x L. unfold check_shape_safe. destruct (negb _); [reflexivity|]. destruct (_ =? 0); [reflexivity|]. apply andb_true_iff. split.
  { unfold check_operation_shapes_safe. each_check Hj. apply N.ltb_lt. lia. }
  destruct (check_operation_shapes p tx x) as [[]|] eqn:Ops; [|reflexivity].
  assert (So : forall op, In op (operations tx) -> short (operation_key op)).
  { apply (all_elements _ Default_Operation). intros j Hj. apply (good_operation_short p); [assumption|].
    apply (check_operation_shape_ok p _ x j). unfold check_operation_shapes in Ops.
    exact (proj1 (checks_pass_all (fun j => check_operation_shape p (seq_at (operations tx) j) x j) _) Ops j Hj). }
  unfold check_claim_shapes_safe. each_check Hc. destruct checked as [[]|]; [|reflexivity].
  cbn [check_claim_shapes_step_safe]. unfold check_claim_shape_safe. cbv zeta. in_range Hc.
  set (c := seq_at (claims tx) i).
  destruct (N.ltb_spec (max_key_length p) (seq_length (key (claim_slot c)))); cbn [orb]; [reflexivity|].
  destruct (N.ltb_spec (max_key_length p) (seq_length (next (claim_slot c)))); [reflexivity|].
  destruct (N.ltb_spec (max_value_length p) (seq_length (value (claim_slot c)))); [reflexivity|].
  rewrite claimed_before_never_panics by lia. cbn [andb]. destruct (claimed_before _ _ _); [reflexivity|].
  apply serves_some_never_panics; [|assumption]. apply (good_lengths_short p); [assumption|]. repeat split; assumption.
Qed.

Theorem phase_shape_never_panics : forall state block,
  parameters_legal (parameters state) = true -> phase_shape_safe state block = true.
Proof.
  intros state block L. unfold phase_shape_safe. each_check Hx. in_range Hx. destruct checked as [[]|]; [|reflexivity].
  apply check_shape_never_panics. assumption.
Qed.

(** ** Phases 5 and 6 *)

Lemma claims_version_never_panics : forall tx, claims_version_safe tx = true.
Proof. intros tx. unfold claims_version_safe. destruct (N.ltb_spec 0 (first_valid tx)); [apply N.leb_le; lia|reflexivity]. Qed.

Theorem check_positions_never_panics : forall state tx x, check_positions_safe state tx x = true.
Proof.
  intros state tx x. unfold check_positions_safe. each_check Hc. in_range Hc. rewrite claims_version_never_panics.
  destruct checked as [[]|]; [|reflexivity]. apply size_at_never_panics.
Qed.

Theorem phase_position_never_panics : forall state block, phase_position_safe state block = true.
Proof.
  intros state block. unfold phase_position_safe. each_check Hx. in_range Hx. destruct checked as [[]|]; [|reflexivity].
  apply check_positions_never_panics.
Qed.

Lemma vector_of_never_panics : forall p n, 1 <= n -> vector_of_safe p n = true.
Proof. intros p n L. unfold vector_of_safe. apply negb_true_iff, N.eqb_neq. lia. Qed.

Lemma index_of_never_panics : forall p n, 1 <= n -> index_of_safe p n = true.
Proof. exact vector_of_never_panics. Qed.

Lemma legal_small : forall setup p, parameters_legal p = true -> setup_vector_size setup = vector_size p -> small setup.
Proof. intros setup p L E. unfold small. rewrite E. destruct (legal_bounds p L) as (V & _). lia. Qed.

Theorem check_openings_never_panics : forall setup state tx x,
  parameters_legal (parameters state) = true -> setup_vector_size setup = vector_size (parameters state) ->
  check_openings_safe setup state tx x = true.
Proof.
  intros setup state tx x L E. unfold check_openings_safe. apply andb_true_iff. split.
  { unfold has_malformed_safe. each_check Hc. apply N.ltb_lt. lia. }
  destruct (has_malformed _); [reflexivity|]. unfold all_verify_safe. each_check Hc. in_range Hc.
  rewrite claims_version_never_panics. cbn [andb]. unfold all_verify_step_safe. destruct checked; [|reflexivity].
  unfold claim_verifies_safe. cbv zeta. destruct (legal_bounds _ L) as ([V _] & _).
  rewrite vector_of_never_panics, commitment_at_never_panics by assumption. cbn [andb].
  destruct (commitment_at _ _ _ _ _); [|reflexivity]. rewrite index_of_never_panics by assumption.
  apply verify_never_panics. eapply legal_small; eassumption.
Qed.

Theorem phase_openings_never_panics : forall setup state block,
  parameters_legal (parameters state) = true -> setup_vector_size setup = vector_size (parameters state) ->
  phase_openings_safe setup state block = true.
Proof.
  intros setup state block L E. unfold phase_openings_safe. each_check Hx. in_range Hx.
  destruct checked as [[]|]; [|reflexivity]. apply check_openings_never_panics; assumption.
Qed.

(** ** Phases 7 and 10 *)

Lemma tail_vector_number_never_panics : forall start n i, 1 <= n -> tail_vector_number_safe start n i = true.
Proof.
  intros start n i L. unfold tail_vector_number_safe. cbv zeta. rewrite (vector_of_never_panics start n L : negb _ = true).
  cbn [andb]. destruct (N.ltb_spec i (start / n)); [|reflexivity]. apply andb_true_iff. rewrite !N.leb_le. lia.
Qed.

Lemma vector_scalars_never_panics : forall slots n vector, vector * n + n < 2 ^ 64 -> vector_scalars_safe slots n vector = true.
Proof.
  intros slots n vector B. unfold vector_scalars_safe, within_usize. rewrite !andb_true_iff, !N.ltb_lt. lia.
Qed.

Lemma check_tail_vectors_never_panics : forall setup state block,
  parameters_legal (parameters state) = true -> setup_vector_size setup = vector_size (parameters state) ->
  check_tail_vectors_safe setup (parameters state) (commitments state) (tail_start state) (tail_vectors block) = true.
Proof.
  intros setup state block L E. unfold check_tail_vectors_safe. each_check Hi. in_range Hi.
  destruct checked as [[]|]; [|reflexivity]. cbn [check_tail_vectors_step_safe]. unfold check_tail_vector_safe.
  destruct (legal_bounds _ L) as ([V V'] & _).
  rewrite tail_vector_number_never_panics by assumption. cbn [andb].
  destruct (tail_vector_number _ _ _) as [number|]; [|reflexivity].
  destruct (N.eqb_spec (seq_length (seq_at (tail_vectors block) i)) (vector_size (parameters state))) as [Ln|]; cbn [negb];
    [|reflexivity].
  apply andb_true_iff. split; [unfold slots_fit_safe; each_check Hj; apply N.ltb_lt; lia|].
  destruct (negb _); [reflexivity|]. unfold vector_matches_safe. cbv zeta.
  rewrite lay_slots_never_panics; [|reflexivity|rewrite Ln; lia].
  rewrite vector_scalars_never_panics by lia. apply commit_never_panics. eapply legal_small; eassumption.
Qed.

Lemma tail_needed_never_panics : forall start s n, 1 <= n -> start + n < 2 ^ 64 -> tail_needed_safe start s n = true.
Proof.
  intros start s n L B. unfold tail_needed_safe, within_usize. destruct (N.ltb_spec s start); [|reflexivity].
  rewrite !andb_true_iff, N.ltb_lt, N.leb_le, negb_true_iff, N.eqb_neq. lia.
Qed.

Lemma least_size_never_panics : forall s block, least_size_safe s block = true.
Proof.
  intros s block. unfold least_size_safe. each_check Hx. rename checked into outer. in_range Hx.
  unfold least_size_of_transaction_safe.
  each_check Hj. in_range Hj. unfold least_size_of_operation_safe. destruct (_ && _) eqn:D; [|reflexivity].
  apply andb_true_iff in D. destruct D as [_ D]. apply N.ltb_lt in D. apply N.leb_le. lia.
Qed.

Theorem phase_tail_never_panics : forall setup state block,
  parameters_legal (parameters state) = true -> setup_vector_size setup = vector_size (parameters state) ->
  tail_start state < 2 ^ 63 -> phase_tail_safe setup state block = true.
Proof.
  intros setup state block L E B. unfold phase_tail_safe. apply andb_true_iff. split.
  - destruct (legal_bounds _ L) as ([V V'] & _). unfold phase_tail_number_safe. cbv zeta.
    rewrite least_size_never_panics, tail_needed_never_panics; [|assumption|].
    + rewrite !andb_true_r. apply negb_true_iff, N.eqb_neq. lia.
    + change (2 ^ 63) with 9223372036854775808 in B. change (2 ^ 64) with 18446744073709551616. lia.
  - destruct (phase_tail_number state block); [|reflexivity]. apply check_tail_vectors_never_panics; assumption.
Qed.

Theorem phase_tail_count_never_panics : forall state block s,
  parameters_legal (parameters state) = true -> tail_start state < 2 ^ 63 -> phase_tail_count_safe state block s = true.
Proof.
  intros state block s L B. destruct (legal_bounds _ L) as ([V V'] & _).
  apply tail_needed_never_panics; [assumption|]. change (2 ^ 63) with 9223372036854775808 in B.
  change (2 ^ 64) with 18446744073709551616. lia.
Qed.

End Phases.
