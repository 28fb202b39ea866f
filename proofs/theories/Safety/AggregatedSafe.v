(** The two phases of aggregated blocks that are not those of plain ones never leave the range of their integers or sequences.

    - [any_fits]: what is asked of a block: its encoding has fewer than 2^64 bytes;
    - [phase_aggregated_size_never_panics]: phase 1;
    - [phase_points_never_panics]: phase 6, whatever the claims, the points and the challenges. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Dictionary.Slot Commitment.Opening
  Commitment.Scheme Block.Rejection Dictionary.Genesis Dictionary.Vectors Dictionary.Window Block.Transaction
  Block.State Block.BlockData Block.Checks Block.Phases Block.AggregatedBlock Dictionary.SlotSafe
  Commitment.SchemeSafe Dictionary.VectorsSafe Dictionary.WindowSafe Block.TransactionSafe Block.StateSafe
  Block.BlockDataSafe Block.ChecksSafe Block.PhasesSafe Block.AggregatedBlockSafe.
From Aardvark Require Lemmas.MergedClaims.
From Aardvark Require Import Lemmas.LoopLemmas Lemmas.VectorLemmas Safety.SlotMapSafe Safety.AlgebraSafe
  Safety.WindowSafe Safety.LengthsSafe Safety.BoundsSafe Safety.PhasesSafe Lemmas.AnyBlock.
Import ListNotations.
Local Open Scope N_scope.

Section Aggregated.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** The block's encoding has fewer than 2^64 bytes, should it hold both openings and points. *)
Definition any_fits (any : AnyBlock) : Prop :=
  match any with
  | Plain block => block_length block < 2 ^ 64
  | Aggregated aggregated _ _ =>
      block_length (plain_block aggregated) + 2 + 48 * seq_length (block_points aggregated) < 2 ^ 64
  end.

Lemma any_fits_block : forall any, any_fits any -> block_length (block_in any) < 2 ^ 64.
Proof. intros [block|aggregated rho gamma] B; cbn [any_fits block_in] in *; [exact B|lia]. Qed.

(** ** Phase 1 *)

Lemma openings_in_length : forall block, 48 * total_claims (block_totals block) <= block_length block.
Proof.
  intros block. pose proof (block_length_totals block) as L. destruct (block_totals_sums block) as (_ & C & E).
  rewrite C. rewrite E in L. clear C E.
  assert (T : forall tx, 48 * seq_length (claims tx) <= transaction_length tx).
  { intros tx. unfold transaction_length. rewrite claims_length_sum.
    assert (S : 48 * seq_length (claims tx) <= sum_of claim_length (claims tx)).
    { induction (claims tx) as [|c items IH]; [rewrite seq_length_nil; lia|]. rewrite seq_length_cons, sum_of_cons.
      unfold claim_length at 1. lia. }
    lia. }
  assert (S : forall items, 48 * sum_of (fun tx => seq_length (claims tx)) items <= sum_of (fun tx => 4 + transaction_length tx) items).
  { induction items as [|tx items IH]; [cbn; lia|]. rewrite !sum_of_cons. specialize (T tx). lia. }
  specialize (S (transactions block)). lia.
Qed.

Theorem phase_aggregated_size_never_panics : forall state aggregated,
  version state + 1 < 2 ^ 64 ->
  block_length (plain_block aggregated) + 2 + 48 * seq_length (block_points aggregated) < 2 ^ 64 ->
  phase_aggregated_size_safe state aggregated = true.
Proof.
  intros state aggregated V B. set (block := plain_block aggregated) in *.
  pose proof (block_length_totals block) as T. pose proof (openings_in_length block) as O.
  unfold phase_aggregated_size_safe. fold block. apply andb_true_iff. split.
  - unfold check_aggregated_size_safe, aggregated_length_safe. cbv zeta. fold block.
    rewrite block_totals_never_panics, block_length_never_panics by lia. unfold within_usize.
    destruct (N.ltb_spec (version state + 1) (2 ^ 64)); [|lia]. cbn [andb].
    destruct (negb _); [reflexivity|]. destruct (_ <? _); [reflexivity|]. destruct (_ <? _); [reflexivity|].
    destruct (_ <? _); [reflexivity|]. rewrite !andb_true_iff, !N.ltb_lt. repeat split; try lia.
    destruct (_ <=? _); [apply N.ltb_lt; lia|reflexivity].
  - apply (loop_is_safe _ (fun _ _ => True)); [exact I|]. intros x checked Hx _. split; [|exact I].
    destruct (N.ltb_spec x (seq_length (transactions block))); [|lia]. cbn [andb].
    destruct checked as [[]|]; [|reflexivity]. apply check_transaction_size_never_panics.
    pose proof (block_length_transaction block (seq_at (transactions block) x) ltac:(apply seq_at_in; lia)). lia.
Qed.

(** ** Phase 6 *)

Lemma is_among_never_panics : forall items item, is_among_safe items item = true.
Proof. intros items item. unfold is_among_safe. each_check Hj. apply N.ltb_lt. lia. Qed.

Lemma unopened_claims_never_panics : forall state block,
  1 <= vector_size (parameters state) -> unopened_claims_safe state block = true.
Proof.
  intros state block V. unfold unopened_claims_safe. each_check Hx. in_range Hx. unfold unopened_of_transaction_safe.
  apply (loop_is_safe _ (fun _ _ => True)); [exact I|]. intros c collected Hc _. split; [|exact I]. in_range Hc.
  rewrite claims_version_never_panics. cbn [andb]. unfold unopened_of_transaction_step_safe.
  destruct collected; [|reflexivity]. cbv zeta.
  rewrite vector_of_never_panics, commitment_at_never_panics by assumption. cbn [andb].
  destruct (commitment_at _ _ _ _ _); [|reflexivity]. apply is_among_never_panics.
Qed.

Lemma batch_in_vector : forall setup items n,
  1 <= n -> setup_vector_size setup = n -> indices_in_vector setup (batch_of_unopened items n).
Proof.
  intros setup items n V E j L. rewrite MergedClaims.batch_of_unopened_map in *. rewrite seq_length_map in L.
  rewrite MergedClaims.seq_at_map by exact L. rewrite E. apply position_split. exact V.
Qed.

Theorem phase_points_never_panics : forall setup state aggregated coefficients combiners,
  parameters_legal (parameters state) = true -> setup_vector_size setup = vector_size (parameters state) ->
  phase_points_safe setup state aggregated coefficients combiners = true.
Proof.
  intros setup state aggregated rho gamma L E. destruct (legal_bounds _ L) as ([V _] & _).
  unfold phase_points_safe. rewrite unopened_claims_never_panics by exact V. cbn [andb].
  destruct (unopened_claims _ _) as [items|]; [|reflexivity]. cbv zeta. apply andb_true_iff. split.
  { unfold batch_of_unopened_safe. each_check Hj. in_range Hj. apply index_of_never_panics. exact V. }
  apply andb_true_iff. split.
  { unfold indexed_points_safe. each_check Hi. unfold indexed_points_step_safe, speaks_of_safe.
    apply (loop_is_safe _ (fun _ _ => True)); [exact I|]. intros j found Hj _. split; [|exact I]. apply N.ltb_lt. lia. }
  destruct (negb _); [reflexivity|]. apply andb_true_iff. split.
  { unfold has_malformed_point_safe. each_check Hk. apply N.ltb_lt. lia. }
  destruct (has_malformed_point _); [reflexivity|].
  apply verify_aggregated_never_panics; [exact (legal_small setup (parameters state) L E)|].
  apply batch_in_vector; assumption.
Qed.

End Aggregated.
