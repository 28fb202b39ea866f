(** Checking a cut, and taking what it asks to be shown, never leaves the range of integers or sequences.

    - [work_of_cut_never_panics]: of records that have a place, whatever splits and ends are stated;
    - [cut_goal_never_panics]: ranks of fewer than 2^64 rows, with parameters below 2^64;
    - [with_comparisons_never_panics]: whatever comparisons are received. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Hash Base.Group Commitment.FoldedOpening Table.DomainValues Table.RunRecord Table.Sheet Table.TableQuery Table.CutGoal
  Table.Cut Table.Comparison Table.TableAnswer Table.TableAnswerOrder Table.DomainValuesSafe Table.SheetSafe Table.CutGoalSafe Table.CutSafe Table.ComparisonSafe
  Table.TableAnswerOrderSafe.
From Aardvark Require Import Lemmas.LoopLemmas Safety.SlotMapSafe Safety.PhasesSafe Safety.TablesSafe.
From Aardvark Require Lemmas.Field Lemmas.Sequences Spec.Table.Cut Safety.LinkedSafe.
Import ListNotations.
Local Open Scope N_scope.

(** A record of a segment that has a place on its domain. *)
Definition record_placed {F : ScalarOperations} (r : RunRecord) : Prop := record_log r <= 11 /\ record_first r + record_rows r <= 2048.

Section Cuts.

Context {F : ScalarOperations} {lawful : Field.LawfulScalars F} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

Variable records : list RunRecord.
Hypothesis placed : forall r, In r records -> record_placed r.
Hypothesis few : seq_length records < 2 ^ 48.

Lemma row_claim_never_panics : forall k i number, k < seq_length records -> i <= record_rows (seq_at records k) -> row_claim_safe (seq_at records k) i number = true.
Proof.
  intros k i number K I. destruct (placed _ (seq_at_in _ _ records k K)) as [L B]. unfold row_claim_safe, within_usize. rewrite sheet_size_never_panics.
  pose proof (proj2 (sheet_sizes _ L)) as S. rewrite domain_point_never_panics by lia. rewrite (proj2 (N.ltb_lt _ _)); [reflexivity|].
  change (2 ^ 64) with 18446744073709551616. lia.
Qed.

Section Fitting.

Variable splits : list N.
Hypothesis fit : splits_fit records splits = true.

Let many : seq_length splits = seq_length records := proj1 (Spec.Table.Cut.splits_fit_each records splits fit).
Let each : forall k, k < seq_length records -> seq_at splits k <= record_rows (seq_at records k) := proj2 (Spec.Table.Cut.splits_fit_each records splits fit).

Lemma split_small : forall k, k < seq_length records -> seq_at splits k <= 2048.
Proof. intros k K. destruct (placed _ (seq_at_in _ _ records k K)) as [_ B]. specialize (each k K). lia. Qed.

Lemma splits_total_never_panics : splits_total_safe splits = true.
Proof.
  unfold splits_total_safe. apply (loop_is_safe _ (fun i total => total <= i * 2048)); [lia|]. intros i total Hi B. rewrite (proj2 (N.ltb_lt i _)) by lia. cbn [andb].
  pose proof (split_small i ltac:(lia)) as S. unfold splits_total_step_safe, splits_total_step, within_u128, u128_of_usize.
  change (2 ^ 128) with 340282366920938463463374607431768211456. change (2 ^ 48) with 281474976710656 in few. split; [apply N.ltb_lt|]; lia.
Qed.

Lemma low_end_never_panics : forall low, low_end_claims_safe records splits low = true.
Proof.
  intros low. unfold low_end_claims_safe. destruct (_ && _) eqn:E; [|reflexivity]. rewrite !andb_true_iff, !N.ltb_lt, N.leb_le in E. destruct E as [[A B] C].
  apply row_claim_never_panics; [exact A|]. specialize (each _ A). lia.
Qed.

Lemma high_end_never_panics : forall before high, high_end_claims_safe before records splits high = true.
Proof.
  intros before high. unfold high_end_claims_safe. destruct (_ && _) eqn:E; [|reflexivity]. rewrite !andb_true_iff, !N.ltb_lt in E. destruct E as [A B].
  apply row_claim_never_panics; [exact A|]. exact (each _ A).
Qed.

Lemma compared_rows_never_panics : forall sides, compared_rows_safe records splits sides = true.
Proof.
  intros sides. unfold compared_rows_safe. each_check Hi. unfold compared_rows_step_safe. rewrite (proj2 (N.ltb_lt i (seq_length splits))) by (rewrite many; lia).
  cbv zeta. assert (I : i < seq_length records) by lia. destruct (placed _ (seq_at_in _ _ records i I)) as [_ B]. specialize (each i I).
  assert (within : forall before split at_most threshold, split <= record_rows (seq_at records i) -> with_compared_row_safe before (seq_at records i) i split at_most threshold = true).
  { intros. unfold with_compared_row_safe, within_usize. apply N.ltb_lt. change (2 ^ 64) with 18446744073709551616. lia. }
  rewrite !(proj2 (N.ltb_lt _ _) I), !within by lia. cbn [andb].
  repeat match goal with |- context [if ?b then true else true] => replace (if b then true else true) with true by (destruct b; reflexivity) end. reflexivity.
Qed.

(** At most two rows of each record are compared. *)
Lemma compared_rows_few : forall sides, seq_length (compared_rows records splits sides) <= 2 * seq_length records.
Proof.
  intros sides. unfold compared_rows. apply (loop_invariant _ (fun i rows => seq_length rows <= 2 * i)); [lia|cbn; lia|]. intros i rows Hi B.
  unfold compared_rows_step, with_compared_row. destruct (i <? seq_length splits); [|lia]. cbv zeta.
  destruct (_ && _), (_ && _); rewrite ?Sequences.seq_length_app; change (seq_length [_]) with 1; lia.
Qed.

End Fitting.

Lemma records_total_never_panics : records_total_safe records = true /\ records_total records <= seq_length records * 2048.
Proof.
  assert (step : forall i total, i < seq_length records -> total <= i * 2048 -> records_total_step total (seq_at records i) <= (i + 1) * 2048).
  { intros i total I B. destruct (placed _ (seq_at_in _ _ records i I)) as [_ P]. unfold records_total_step, u128_of_usize. lia. }
  split.
  - unfold records_total_safe. apply (loop_is_safe _ (fun i total => total <= i * 2048)); [lia|]. intros i total Hi B. rewrite (proj2 (N.ltb_lt i _)) by lia. cbn [andb].
    split; [|apply step; [lia|exact B]]. destruct (placed _ (seq_at_in _ _ records i ltac:(lia))) as [_ P].
    unfold records_total_step_safe, within_u128, u128_of_usize. apply N.ltb_lt. change (2 ^ 128) with 340282366920938463463374607431768211456. change (2 ^ 48) with 281474976710656 in few. lia.
  - unfold records_total. apply (loop_invariant _ (fun i total => total <= i * 2048)); [lia|lia|]. intros i total Hi B. apply step; [lia|exact B].
Qed.

Theorem work_of_cut_never_panics : forall cap goal stated, work_of_cut_safe records cap goal stated = true /\
  (forall work, work_of_cut records cap goal stated = Some work -> seq_length (work_rows work) <= 2 * seq_length records).
Proof.
  intros cap goal stated. unfold work_of_cut_safe, work_of_cut.
  assert (A : splits_fit_safe records (cut_splits stated) = true).
  { unfold splits_fit_safe. apply (loop_is_safe _ (fun _ fits => fits = true -> seq_length (cut_splits stated) = seq_length records)).
    - apply N.eqb_eq.
    - intros i fits Hi B. unfold splits_fit_step_safe, splits_fit_step. destruct (N.ltb_spec i (seq_length (cut_splits stated))) as [L|].
      + split; [|intros H; apply andb_true_iff in H as [H _]; auto]. destruct fits; [|reflexivity]. rewrite (proj2 (N.ltb_lt i (seq_length records))) by lia. reflexivity.
      + split; [reflexivity|discriminate]. }
  rewrite A. cbn [andb]. destruct (splits_fit records (cut_splits stated)) eqn:fit; cbn [negb]; [|split; [reflexivity|discriminate]].
  destruct (cut_low stated) as [low|].
  - destruct goal; try (split; [reflexivity|discriminate]).
    + unfold work_at_rank_safe, work_at_rank. cbv zeta. destruct (cut_high stated); [split; [reflexivity|discriminate]|].
      rewrite (splits_total_never_panics _ fit), (low_end_never_panics _ fit), (compared_rows_never_panics _ fit). cbn [andb].
      split; [destruct (_ && _); reflexivity|]. intros work H. destruct (_ && _); [|discriminate]. injection H as <-. cbn [work_rows]. now apply compared_rows_few.
    + unfold work_around_rank_safe, work_around_rank. cbv zeta. destruct (cut_high stated) as [high|]; [|split; [reflexivity|discriminate]].
      rewrite (splits_total_never_panics _ fit), (low_end_never_panics _ fit), (high_end_never_panics _ fit), (compared_rows_never_panics _ fit). cbn [andb].
      split; [destruct (_ && _); reflexivity|]. intros work H. destruct (_ && _); [|discriminate]. injection H as <-. cbn [work_rows]. now apply compared_rows_few.
  - destruct (cut_high stated); [split; [reflexivity|discriminate]|]. destruct goal; try (split; [reflexivity|discriminate]).
    unfold work_below_number_safe, work_below_number. cbv zeta. rewrite (splits_total_never_panics _ fit), (proj1 records_total_never_panics), (compared_rows_never_panics _ fit).
    match goal with |- context [?number <? 1] => destruct (N.ltb_spec number 1) end.
    + split; [reflexivity|]. intros work H'. destruct (_ =? _); [|discriminate]. injection H' as <-. cbn. lia.
    + match goal with |- context [cap <? ?number] => destruct (cap <? number) end.
      * split; [reflexivity|]. intros work H'. destruct (_ =? _); [|discriminate]. injection H' as <-. cbn. lia.
      * rewrite (proj2 (N.leb_le 1 _)) by lia. split; [reflexivity|]. intros work H'. injection H' as <-. cbn [work_rows]. now apply compared_rows_few.
Qed.

End Cuts.

Section Goals.

Context {F : ScalarOperations} {lawful : Field.LawfulScalars F} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

Lemma cut_goal_never_panics : forall function a b rows, a < 2 ^ 64 -> b < 2 ^ 64 -> rows < 2 ^ 63 -> cut_goal_safe function a b rows = true.
Proof.
  intros function a b rows A B R. unfold cut_goal_safe. destruct (N.ltb_spec rows 1); [reflexivity|]. destruct (_ =? FUNCTION_ORDER); [reflexivity|].
  destruct (_ =? FUNCTION_RANK); [reflexivity|]. destruct (N.ltb_spec b 1); [reflexivity|].
  change (2 ^ 64) with 18446744073709551616 in *. change (2 ^ 63) with 9223372036854775808 in R.
  assert (share : share_of_rows_safe rows a b = true).
  { unfold share_of_rows_safe, within_u128. change (2 ^ 128) with 340282366920938463463374607431768211456.
    rewrite !andb_true_iff, !N.ltb_lt, N.leb_le, negb_true_iff, N.eqb_neq. repeat split; nia. }
  destruct (_ =? FUNCTION_PERCENTILE_DISC); [exact share|]. destruct (_ =? FUNCTION_PERCENTILE_CONT).
  - unfold interpolated_goal_safe. cbv zeta. rewrite (proj2 (N.leb_le 1 rows)) by lia. rewrite (proj2 (N.eqb_neq b 0)) by lia. cbn [andb negb].
    assert (Q : (rows - 1) * a / b <= (rows - 1) * a) by (apply N.div_le_upper_bound; [lia|nia]).
    assert (P : (rows - 1) * a < 340282366920938463463374607431768211455) by nia. unfold within_u128. change (2 ^ 128) with 340282366920938463463374607431768211456.
    rewrite (proj2 (N.ltb_lt ((rows - 1) * a) _)) by lia. cbn [andb]. set (quotient := (rows - 1) * a / b) in *. clearbody quotient.
    destruct (_ =? 0); apply N.ltb_lt; lia.
  - rewrite share. destruct (_ =? FUNCTION_TOP); [|reflexivity]. cbn [andb]. destruct (N.leb_spec (share_of_rows rows a b) rows); [|reflexivity].
    unfold within_u128. apply N.ltb_lt. change (2 ^ 128) with 340282366920938463463374607431768211456. lia.
Qed.

Lemma comparison_count_never_panics : forall rows, rows < 2 ^ 63 -> comparison_count_safe rows = true.
Proof.
  intros rows R. unfold comparison_count_safe, within_usize, MAX_COMPARED. cbn [N.leb N.eqb negb andb]. rewrite andb_true_r.
  change (2 ^ 63) with 9223372036854775808 in R. change (2 ^ 64) with 18446744073709551616. apply andb_true_iff. split; [reflexivity|]. apply N.ltb_lt. lia.
Qed.

Theorem with_comparisons_never_panics : forall before bits seed rows received, bits < 2 ^ 32 -> seq_length received < 2 ^ 32 ->
  with_comparisons_safe before bits seed rows received = true.
Proof.
  intros before bits seed rows received B L. change (2 ^ 32) with 4294967296 in *. unfold with_comparisons_safe. each_check Hi.
  rewrite (proj2 (N.ltb_lt i _)) by lia. cbn [andb]. unfold with_comparisons_step_safe. destruct checked; [|reflexivity]. destruct (seq_at received i) as [shown|]; [|reflexivity].
  apply andb_true_iff. split.
  - unfold rows_of_comparison_safe, within_usize, MAX_COMPARED. cbv zeta. rewrite (proj2 (N.ltb_lt _ _)) by (change (2 ^ 64) with 18446744073709551616; lia). cbn [andb].
    destruct (N.ltb_spec (i * 1022) (seq_length rows)); [|reflexivity]. apply N.leb_le. destruct (N.ltb_spec (seq_length rows - i * 1022) 1022); lia.
  - unfold with_comparison_safe. cbv zeta. destruct (LinkedSafe.comparison_seeds_never_panic seed i (rows_of_comparison rows i) (comparison_seed seed i (rows_of_comparison rows i)) shown)
      as [-> ->]. cbn [andb]. unfold comparison_challenges_safe, within_usize. rewrite (proj2 (N.ltb_lt _ _)) by (change (2 ^ 64) with 18446744073709551616; lia). cbn [andb].
    apply LinkedSafe.claims_of_comparison_never_panics.
Qed.

End Goals.
