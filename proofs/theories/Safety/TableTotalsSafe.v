(** Adding up the runs of an answer, and checking what it states of them, never leaves the range of integers or sequences.

    - [group_totals_never_panics]: runs of fewer than 2^40 rows together, whatever their keys;
    - [stated_totals_never_panic]: whatever totals are stated. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Hash Base.Group Table.RunRecord Table.TableKey Table.TableSchema Table.Totals Table.TableQuery Table.TableAnswer
  Table.TableAnswerClaims Base.BytesSafe Base.ScalarSafe Table.RunRecordSafe Table.TotalsSafe Table.TableAnswerSafe Table.TableAnswerClaimsSafe.
From Aardvark Require Import Lemmas.LoopLemmas Lemmas.Readers Safety.SlotMapSafe Safety.BoundsSafe Safety.PhasesSafe Safety.TableBytesSafe Safety.BoxesSafe.
From Aardvark Require Safety.AlgebraSafe Lemmas.Sequences Spec.Table.Totals.
Import ListNotations.
Local Open Scope N_scope.

Section Totals.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** ** Groups *)

Definition widths_in_memory (widths : list N) : Prop := seq_length widths < 2 ^ 31 /\ forall width, In width widths -> width < 2 ^ 32.

Lemma column_place_never_panics : forall widths column, widths_in_memory widths -> column < seq_length widths ->
  column_place_safe widths column = true /\ within_usize (column_place_start (column_place widths column) + column_place_width (column_place widths column)) = true.
Proof.
  intros widths column [few W] C. change (2 ^ 31) with 2147483648 in few. unfold column_place_safe, column_place, within_usize. change (2 ^ 64) with 18446744073709551616.
  pose (good := fun i found => column_place_start found + column_place_width found <= i * 4294967296).
  assert (step : forall i found, i < seq_length widths -> good i found -> good (i + 1) (column_place_step found (seq_at widths i))).
  { intros i found I B. unfold good, column_place_step in *. cbn [column_place_start column_place_width].
    pose proof (W _ (seq_at_in _ _ widths i I)) as D. change (2 ^ 32) with 4294967296 in D. lia. }
  split.
  - rewrite (proj2 (N.ltb_lt _ _)) by lia. cbn [andb]. apply (loop_is_safe _ good); [unfold good; cbn; lia|]. intros i found Hi B.
    rewrite (proj2 (N.ltb_lt i (seq_length widths))) by lia. cbn [andb]. split; [|apply step; [lia|exact B]]. unfold column_place_step_safe, within_usize.
    apply N.ltb_lt. unfold good in B. change (2 ^ 64) with 18446744073709551616. lia.
  - assert (B : good (column + 1) (fold_left (fun found i => column_place_step found (seq_at widths i)) (range 0 (column + 1))
      {| column_place_start := 0; column_place_width := 0 |})).
    { apply (loop_invariant _ good); [lia|unfold good; cbn; lia|]. intros i found Hi B. apply step; [lia|exact B]. }
    unfold good in B. apply N.ltb_lt. lia.
Qed.

Lemma slice_no_longer : forall (s : ByteString) start count, seq_length (seq_slice s start count) <= seq_length s.
Proof. intros s start count. unfold seq_slice, seq_length. rewrite firstn_length, skipn_length. lia. Qed.

Lemma group_key_of_never_panics : forall columns widths groups, widths_in_memory widths -> short columns -> seq_length groups < 2 ^ 31 ->
  group_key_of_safe columns widths groups = true /\ seq_length (group_key_of columns widths groups) < 2 ^ 64.
Proof.
  intros columns widths groups W S G. unfold short in S. change (2 ^ 32) with 4294967296 in S. change (2 ^ 31) with 2147483648 in G.
  unfold group_key_of_safe, group_key_of. split.
  - each_check Hi. rewrite (proj2 (N.ltb_lt i _)) by lia. cbn [andb]. unfold group_key_of_step_safe. set (column := seq_at groups i).
    destruct (N.ltb_spec column (seq_length widths)) as [L|]; [|reflexivity]. destruct (column_place_never_panics widths column W L) as [A B]. now rewrite A.
  - apply N.le_lt_trans with (seq_length groups * 4294967296); [|change (2 ^ 64) with 18446744073709551616; lia].
    apply (loop_invariant _ (fun i found => seq_length found <= i * 4294967296)); [lia|cbn; lia|]. intros i found Hi B. unfold group_key_of_step. cbv zeta.
    destruct (_ <? _); [|lia]. destruct (_ <=? _); [|lia]. rewrite Sequences.seq_length_app.
    pose proof (slice_no_longer columns (column_place_start (column_place widths (seq_at groups i))) (column_place_width (column_place widths (seq_at groups i)))). lia.
Qed.

Lemma first_difference_64 : forall a b, seq_length b < 2 ^ 64 -> first_difference_safe a b = true.
Proof.
  intros a b S. unfold first_difference_safe. cbv zeta. each_check Hi.
  assert (B : i < seq_length a /\ i < seq_length b) by (destruct (N.ltb_spec (seq_length a) (seq_length b)); lia).
  unfold first_difference_step_safe, within_usize. rewrite !(proj2 (N.ltb_lt i _)) by lia. rewrite (proj2 (N.ltb_lt (i + 1) (2 ^ 64))) by lia.
  destruct (checked =? i); cbn [andb]; [destruct (_ =? _); reflexivity|reflexivity].
Qed.

(** Rows of runs, up to one. *)
Definition rows_up_to (runs : list BoxRun) (count : N) : N := 
  fold_left (fun total i => total + record_rows (head_record (run_head (seq_at runs i)))) (range 0 count) 0.

Lemma rows_up_to_next : forall runs count, rows_up_to runs (count + 1) = rows_up_to runs count + record_rows (head_record (run_head (seq_at runs count))).
Proof. intros runs count. unfold rows_up_to. rewrite range_snoc, fold_left_app by lia. reflexivity. Qed.

Lemma rows_up_to_grow : forall runs i j, i <= j -> rows_up_to runs i <= rows_up_to runs j.
Proof.
  intros runs i j L. induction j as [|j IH] using N.peano_ind; [now replace i with 0 by lia|]. destruct (N.eq_dec i (N.succ j)) as [->|D]; [lia|].
  rewrite <- N.add_1_r, rows_up_to_next. specialize (IH ltac:(lia)). lia.
Qed.

Theorem group_totals_never_panics : forall runs widths groups, widths_in_memory widths -> seq_length groups < 2 ^ 31 ->
  (forall run, In run runs -> short (place_columns (run_place run))) -> seq_length runs < 2 ^ 32 -> rows_up_to runs (seq_length runs) < 2 ^ 64 ->
  group_totals_safe runs widths groups = true.
Proof.
  intros runs widths groups W G C few rows. unfold group_totals_safe.
  apply (loop_is_safe _ (fun i found => seq_length found <= i /\ forall group, In group found -> group_rows group <= rows_up_to runs i)); [split; [reflexivity|intros ? []]|].
  intros i found Hi [L B]. rewrite (proj2 (N.ltb_lt i _)) by lia. cbn [andb]. set (run := seq_at runs i).
  pose proof (C run (seq_at_in _ _ runs i ltac:(lia))) as S. unfold group_totals_step_safe, group_totals_step. cbv zeta.
  destruct (group_key_of_never_panics _ _ _ W S G) as [A K]. rewrite A. cbn [andb]. set (key := group_key_of _ _ _) in *.
  pose proof (rows_up_to_next runs i) as next. fold run in next. pose proof (rows_up_to_grow runs (i + 1) (seq_length runs) ltac:(lia)) as most.
  change (2 ^ 32) with 4294967296 in few. change (2 ^ 64) with 18446744073709551616 in *.
  assert (P : groups_below_safe found key = true /\ groups_below found key <= seq_length found).
  { split.
    - unfold groups_below_safe. apply (loop_is_safe _ (fun j count => count <= j)); [lia|]. intros j count Hj Q. rewrite (proj2 (N.ltb_lt j _)) by lia. cbn [andb].
      unfold groups_below_step_safe, groups_below_step, bytes_less_safe. rewrite first_difference_64 by exact K. cbn [andb]. unfold within_usize.
      change (2 ^ 64) with 18446744073709551616. destruct (bytes_less _ _); split; try reflexivity; try lia. apply N.ltb_lt. lia.
    - unfold groups_below. apply (loop_invariant _ (fun j count => count <= j)); [lia|lia|]. intros j count Hj Q. unfold groups_below_step. destruct (bytes_less _ _); lia. }
  destruct P as [P1 P2].
  assert (sums : forall before record, sums_with_record_safe before record = true) by (intros; unfold sums_with_record_safe; each_check Hk; apply N.ltb_lt; lia).
  assert (with_run : forall group, group_rows group <= rows_up_to runs i -> group_with_run_safe group run = true).
  { intros group Q. unfold group_with_run_safe, within_usize. rewrite sums. rewrite (proj2 (N.ltb_lt _ _)); [reflexivity|]. change (2 ^ 64) with 18446744073709551616. lia. }
  assert (in_slice : forall start count group, In group (seq_slice found start count) -> In group found).
  { intros start count group I. unfold seq_slice in I.
    assert (firstn_in : forall m (l : list GroupTotals), In group (firstn m l) -> In group l).
    { induction m as [|m IHm]; intros [|x l] H; try contradiction. destruct H as [<-|H]; [now left|right; now apply IHm]. }
    assert (skipn_in : forall m (l : list GroupTotals), In group (skipn m l) -> In group l).
    { induction m as [|m IHm]; intros [|x l] H; try contradiction; [exact H|]. right. now apply IHm. }
    apply firstn_in in I. now apply skipn_in in I. }
  unfold groups_with_run_safe, groups_with_run. cbv zeta. rewrite P1. set (place := groups_below found key) in *. rewrite (proj2 (N.leb_le _ _)) by lia. cbn [andb].
  destruct (N.ltb_spec place (seq_length found)) as [inside|outside].
  - unfold bytes_equal_safe. rewrite first_difference_64 by exact K.
    match goal with |- ((if ?b then true else true) && _ = true) /\ _ => replace (if b then true else true) with true by (destruct b; reflexivity) end. cbn [andb].
    pose proof (B _ (seq_at_in _ _ found place inside)) as here.
    destruct (bytes_equal _ _).
    + rewrite with_run by exact here. cbn [andb]. unfold within_usize. change (2 ^ 64) with 18446744073709551616.
      split; [rewrite !andb_true_iff, N.ltb_lt, !N.leb_le; lia|]. rewrite !Sequences.seq_length_app.
      rewrite !Sequences.seq_slice_length by lia. change (seq_length [_]) with 1. split; [lia|]. intros group I. rewrite !in_app_iff in I.
      destruct I as [I|[[<-|[]]|I]].
      * apply in_slice, B in I. lia.
      * cbn [group_with_run group_rows]. lia.
      * apply in_slice, B in I. lia.
    + rewrite with_run by (cbn [group_rows]; lia). cbn [andb]. split; [rewrite !andb_true_iff, !N.leb_le; lia|]. rewrite !Sequences.seq_length_app.
      rewrite !Sequences.seq_slice_length by lia. change (seq_length [_]) with 1. split; [lia|]. intros group I. rewrite !in_app_iff in I.
      destruct I as [I|[[<-|[]]|I]].
      * apply in_slice, B in I. lia.
      * cbn [group_with_run group_rows]. lia.
      * apply in_slice, B in I. lia.
  - rewrite with_run by (cbn [group_rows]; lia). split; [reflexivity|]. rewrite !Sequences.seq_length_app. rewrite !Sequences.seq_slice_length by lia.
    change (seq_length [_]) with 1. split; [lia|]. intros group I. rewrite !in_app_iff in I. destruct I as [I|[<-|[]]]; [apply in_slice, B in I; lia|].
    cbn [group_with_run group_rows]. lia.
Qed.

(** ** What is stated *)

Lemma bytes_multiplied_never_panics : forall digits factor, of_bytes digits -> factor < 2 ^ 64 ->
  bytes_multiplied_safe digits factor = true /\ of_bytes (bytes_multiplied digits factor).
Proof.
  intros digits factor O W. change (2 ^ 64) with 18446744073709551616 in W.
  assert (digit : forall i, i < seq_length digits -> seq_at digits (seq_length digits - i - 1) < 256).
  { intros i I. unfold of_bytes in O. rewrite Forall_forall in O. apply O, seq_at_in. lia. }
  assert (step : forall i product, i < seq_length digits -> product_carry product <= 18446744073709551616 /\ of_bytes (product_written product) ->
    product_carry (bytes_multiplied_step product digits factor i) <= 18446744073709551616 /\ of_bytes (product_written (bytes_multiplied_step product digits factor i))).
  { intros i product I [C Q]. unfold bytes_multiplied_step. rewrite (proj2 (N.ltb_lt i _)) by lia. cbv zeta. cbn [product_carry product_written].
    pose proof (digit i I) as D. unfold u128_of_u8, u128_of_u64. split.
    - apply N.lt_le_incl, N.div_lt_upper_bound; [lia|]. nia.
    - constructor; [|exact Q]. unfold u8_of_u128. apply N.mod_lt. discriminate. }
  split.
  - unfold bytes_multiplied_safe. apply (loop_is_safe _ (fun _ product => product_carry product <= 18446744073709551616 /\ of_bytes (product_written product))).
    { cbn. split; [lia|constructor]. }
    intros i product Hi G. split; [|apply step; [lia|exact G]]. unfold bytes_multiplied_step_safe. rewrite (proj2 (N.ltb_lt i _)) by lia.
    pose proof (digit i ltac:(lia)) as D. unfold within_u128, u128_of_u8, u128_of_u64. change (2 ^ 128) with 340282366920938463463374607431768211456.
    rewrite !andb_true_iff, !N.ltb_lt, N.leb_le. destruct G. nia.
  - unfold bytes_multiplied. apply (loop_invariant _ (fun _ product => product_carry product <= 18446744073709551616 /\ of_bytes (product_written product))).
    + lia.
    + cbn. split; [lia|constructor].
    + intros i product Hi G. apply step; [lia|exact G].
Qed.

Lemma greatest_total_never_panics : forall rows cap power, cap < 2 ^ 64 -> greatest_total_safe rows cap power = true.
Proof.
  intros rows cap power C. unfold greatest_total_safe. apply (loop_is_safe _ (fun _ bound => of_bytes bound)).
  - apply Forall_app. split; [apply zeros_of_bytes|apply big_endian_bytes].
  - intros i bound _ O. unfold greatest_total_step_safe, greatest_total_step. now apply bytes_multiplied_never_panics.
Qed.

(** Totals of bytes. *)
Theorem stated_totals_never_panic : forall query cap groups answer, cap < 2 ^ 64 -> Forall (Forall of_bytes) (answer_totals answer) ->
  Forall (fun totals => seq_length totals < 2 ^ 32) (answer_totals answer) -> claims_of_stated_totals_safe query cap groups answer = true.
Proof.
  intros query cap groups answer C O few. unfold claims_of_stated_totals_safe. cbv zeta. set (stated := answer_totals answer) in *.
  assert (A : totals_shaped_safe stated groups (usize_of_u128 (query_a query)) = true) by (unfold totals_shaped_safe; each_check Hi; apply N.ltb_lt; lia).
  rewrite A. cbn [andb]. destruct (expect_table _ TableReason_PartsMismatched); [|reflexivity].
  rewrite Forall_forall in O, few.
  assert (B : totals_legal_safe stated groups cap (usize_of_u128 (query_a query)) = true).
  { unfold totals_legal_safe. each_check Hi. rewrite (proj2 (N.ltb_lt i _)) by lia. cbn [andb]. unfold totals_legal_step_safe.
    destruct (N.ltb_spec i (seq_length stated)) as [I|]; [|reflexivity]. destruct checked; [|reflexivity]. cbn [andb].
    unfold totals_of_group_legal_safe. each_check Hj. unfold totals_of_group_legal_step_safe. destruct checked; [|reflexivity].
    rewrite (proj2 (N.ltb_lt i0 _)) by lia. cbn [andb]. pose proof (few _ (seq_at_in _ _ stated i I)) as S. unfold within_usize.
    change (2 ^ 32) with 4294967296 in S. rewrite (proj2 (N.ltb_lt _ _)) by (change (2 ^ 64) with 18446744073709551616; lia). cbn [andb].
    unfold total_in_bounds_safe. destruct (N.eqb_spec (seq_length (seq_at (seq_at stated i) i0)) 32) as [L|]; [|reflexivity].
    rewrite greatest_total_never_panics by exact C. cbn [andb]. apply bytes_at_most_left. unfold short. rewrite L. reflexivity. }
  rewrite B. cbn [andb]. destruct (expect_table (totals_legal stated groups cap _) TableReason_TotalsExceeded) as [[]|] eqn:legal; [|reflexivity].
  assert (H : totals_legal stated groups cap (usize_of_u128 (query_a query)) = true).
  { unfold expect_table in legal. destruct (totals_legal _ _ _ _); [reflexivity|discriminate]. }
  apply Spec.Table.Totals.totals_legal_each in H as (_ & _ & each). unfold claims_of_totals_safe. each_check Hi. rewrite (proj2 (N.ltb_lt i _)) by lia. cbn [andb].
  unfold claims_of_totals_step_safe. destruct (i <? seq_length groups); [|reflexivity]. rename checked into outer. unfold claims_of_group_safe. each_check Hj. unfold claims_of_group_step_safe.
  destruct (each i ltac:(lia)) as (L & _ & bounds). rewrite (proj2 (N.ltb_lt i0 _)) by lia. cbn [andb]. specialize (bounds i0 ltac:(lia)).
  unfold total_in_bounds in bounds. apply andb_true_iff in bounds as [bounds _]. apply N.eqb_eq in bounds. unfold scalar_of_total_safe.
  apply AlgebraSafe.scalar_of_wide_bytes_never_panics.
  - rewrite Sequences.seq_length_app, Sequences.seq_new_length. rewrite bounds. reflexivity.
  - apply Forall_app. split; [apply zeros_of_bytes|]. pose proof (O _ (seq_at_in _ _ stated i ltac:(lia))) as T. rewrite Forall_forall in T. apply T, seq_at_in. lia.
Qed.

End Totals.
