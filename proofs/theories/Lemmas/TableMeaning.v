(** What an accepted answer means: of certified runs, by the query's function.

    - [cut_claims_meant]: the true claims of a cut are its ends and its compared rows, or the challenges of a comparison are counted;
    - [order_answer_meant]: an accepted cut is what is asked for, or the challenges of a comparison are counted;
    - [table_answer_meant]: what an accepted answer states is what it means, or its opening is broken, or a comparison's challenges are counted. *)
From Coq Require Import NArith List Bool Sorted Lia.
From AardvarkSpec Require Import Prelude Base.Integers Base.Bytes Base.Scalar Base.Hash Base.Group Commitment.Kzg Commitment.Opening Commitment.Scheme
  Commitment.CommitmentTree Commitment.FoldedOpening Answer.AnswerProof Answer.AnswerBasis Answer.Verify Table.DomainValues Table.RunRecord Table.Sheet
  Table.Comparison Table.CutGoal Table.Cut Table.TableSchema Table.TableQuery Table.TableKey Table.Totals Table.TableAnswer Table.TableAnswerOrder
  Table.TableAnswerClaims Table.TableAnswerVerifier.
From Aardvark Require Import Lemmas.LoopLemmas Safety.BoundsSafe Lemmas.Field Spec.Base.Bytes Spec.Base.Scalar Spec.Base.Group Lemmas.Polynomials
  Spec.Commitment.FoldedOpening Lemmas.SheetRelations Spec.Table.Cut Spec.Table.Totals Spec.Table.TableAnswerVerifier Lemmas.TableAnswerSound
  Lemmas.TableOrderSound.
From Aardvark Require Lemmas.OrderStatistics Spec.Table.Sheet.
Import ListNotations.
Local Open Scope N_scope.

Lemma forall2_lengths {A B : Type} (P : A -> B -> Prop) (a : list A) (b : list B) : Forall2 P a b -> length a = length b.
Proof. intros E. induction E; [reflexivity|]. cbn. now f_equal. Qed.

Section Meaning.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {root : PrimitiveRoot scalar_given} {hash_given : HashGiven}.

(** What is known under the runs' records, with their rows, and under the points of the comparisons. *)
Variables (kzg : KzgSetup) (known : BoxRun -> KnownRun) (points : N -> ComparisonKnown).

(** ** Meanings *)

(** The cut is at the ranks that are asked for among all rows, or before the number. *)
Definition order_meaning (query : TableQuery) (runs : list BoxRun) (stated : option TableCut) : Prop :=
  match goal_of_query query (records_of_runs runs) with
  | CutGoal_NoCut => stated = None
  | CutGoal_AtRank rank => exists cut low, stated = Some cut /\ cut_low cut = Some low /\ cut_high cut = None /\
      OrderStatistics.order_statistic (rows_in known runs) rank (end_value low)
  | CutGoal_AroundRank rank => exists cut low high, stated = Some cut /\ cut_low cut = Some low /\ cut_high cut = Some high /\
      OrderStatistics.order_statistic (rows_in known runs) rank (end_value low) /\
      OrderStatistics.order_statistic (rows_in known runs) (rank + 1) (end_value high)
  | CutGoal_BelowNumber number => exists cut, stated = Some cut /\
      splits_total (cut_splits cut) = OrderStatistics.count_below number (rows_in known runs)
  end.

(** The row stands in the run, and its text under the run's root. *)
Definition row_meaning (runs : list BoxRun) (shown : option ShownRow) : Prop :=
  exists run row, runs = [run] /\ shown = Some row /\
    record_first (record_of run) <= row_position row < record_first (record_of run) + record_rows (record_of run) /\
    TableAnswer.row_value row = seq_at (run_rows (known run)) (row_position row - record_first (record_of run)) /\
    root_of_path (record_rows (record_of run)) (row_position row - record_first (record_of run)) (row_leaf (row_salt row) (row_texts row)) (row_path row)
      = Some (record_root (record_of run)).

Definition answer_meaning (query : TableQuery) (schema : TableSchema) (answer : TableAnswer) (outcome : TableOutcome) : Prop :=
  let runs := outcome_runs outcome in
  let widths := key_widths (schema_keys schema) in
  if query_function query =? FUNCTION_TOTALS then
    groups_exact widths (query_groups query) (moments_of_query query schema) runs (outcome_groups outcome) /\
    (1 <= query_a query -> seq_length (outcome_totals outcome) = seq_length (outcome_groups outcome)) /\
    (forall j, j < seq_length (outcome_totals outcome) -> seq_length (seq_at (outcome_totals outcome) j) = query_a query) /\
    totals_meaning known widths (query_groups query) runs (outcome_groups outcome) (outcome_totals outcome)
  else if query_function query =? FUNCTION_ROW then row_meaning runs (answer_row answer)
  else order_meaning query runs (outcome_cut outcome).

(** ** The polynomials under an answer's claims *)

(** Under the claims of a cut whose compared rows are these. *)
Definition cut_under (bits : N) (runs : list BoxRun) (stated : TableCut) (compared : list ComparedRow) (received : list (option Comparison))
    (seed : ByteString) : list (list Scalar) :=
  ends_under known runs stated ++ flat_map (comparison_polynomials known bits runs seed compared received points) (range 0 (seq_length received)).

(** The challenges of one of its comparisons are counted. *)
Definition cut_broken (bits : N) (runs : list BoxRun) (compared : list ComparedRow) (received : list (option Comparison)) (seed : ByteString) : Prop :=
  exists i, i < seq_length received /\ comparison_broken known bits runs seed compared received points i.

Definition order_under (query : TableQuery) (schema : TableSchema) (runs : list BoxRun) (answer : TableAnswer) (seed : ByteString) : list (list Scalar) :=
  match answer_cut answer with
  | None => []
  | Some stated =>
      match work_of_cut (records_of_runs runs) (cap_of_query query schema) (goal_of_query query (records_of_runs runs)) stated with
      | None => []
      | Some work => cut_under (bits_of_query query schema) runs stated (work_rows work) (answer_comparisons answer) seed
      end
  end.

Definition answer_under (query : TableQuery) (schema : TableSchema) (runs : list BoxRun) (answer : TableAnswer) (seed : ByteString) : list (list Scalar) :=
  let widths := key_widths (schema_keys schema) in
  if query_function query =? FUNCTION_TOTALS then
    totals_under known widths (query_groups query) runs (group_totals runs widths (query_groups query)) (answer_totals answer)
  else if query_function query =? FUNCTION_ROW then [run_values (known (seq_at runs 0))]
  else order_under query schema runs answer seed.

(** The challenges of one of the comparisons are counted. *)
Definition comparisons_broken (query : TableQuery) (schema : TableSchema) (runs : list BoxRun) (answer : TableAnswer) (seed : ByteString) : Prop :=
  match answer_cut answer with
  | None => False
  | Some stated =>
      match work_of_cut (records_of_runs runs) (cap_of_query query schema) (goal_of_query query (records_of_runs runs)) stated with
      | None => False
      | Some work => cut_broken (bits_of_query query schema) runs (work_rows work) (answer_comparisons answer) seed
      end
  end.

(** The prover knows polynomials under the points of all comparisons. *)
Definition comparisons_known (answer : TableAnswer) : Prop :=
  forall i shown, seq_at (answer_comparisons answer) i = Some shown -> points_known kzg shown (points i).

(** ** Order *)

Section Order.

Variables (query : TableQuery) (schema : TableSchema) (runs : list BoxRun) (answer : TableAnswer) (seed : ByteString).
Let cap : N := cap_of_query query schema.
Let bits : N := bits_of_query query schema.
Let rows (k : N) : list N := run_rows (known (seq_at runs k)).
Hypothesis certified : Forall (run_certified kzg known cap (moments_of_query query schema)) runs.
Hypothesis inside : Forall (fun run => record_first (record_of run) + record_rows (record_of run)
  <= guard_position (sheet_size (record_log (record_of run)))) runs.
Hypothesis cap_few : cap < 2 ^ 64.
Hypothesis bits_few : bits <= 64.
Hypothesis differ : numbers_differ (2 ^ 232).
Hypothesis shown_known : comparisons_known answer.

Lemma cut_parts_rows : forall splits, OrderStatistics.all_rows (cut_parts (records_of_runs runs) rows splits) = rows_in known runs.
Proof.
  intros splits. unfold cut_parts, OrderStatistics.all_rows, rows_in. rewrite (records_length runs), flat_map_concat_map, map_map. cbn [fst].
  f_equal. exact (map_over_places _ _ _ (fun run => run_rows (known run)) runs).
Qed.

Lemma rows_many : forall k, k < seq_length (records_of_runs runs) -> seq_length (rows k) = record_rows (seq_at (records_of_runs runs) k).
Proof.
  intros k K. rewrite records_length in K. rewrite (record_at cap bits runs cap_few bits_few k K). pose proof certified as C. rewrite Forall_forall in C.
  destruct (C _ (seq_at_in _ _ runs k K)) as (_ & _ & L & _). exact L.
Qed.

Lemma rows_ascend : forall k, k < seq_length (records_of_runs runs) -> StronglySorted N.le (rows k).
Proof.
  intros k K. rewrite records_length in K. pose proof certified as C. rewrite Forall_forall in C.
  destruct (C _ (seq_at_in _ _ runs k K)) as (_ & _ & _ & S). apply S.
Qed.

Lemma rows_capped : forall k, k < seq_length (records_of_runs runs) -> Forall (fun row => row <= cap) (rows k).
Proof.
  intros k K. rewrite records_length in K. pose proof certified as C. rewrite Forall_forall in C.
  destruct (C _ (seq_at_in _ _ runs k K)) as (_ & _ & _ & S). apply S.
Qed.

(** The claims of a cut, where they are true, say what its ends and its compared rows say; or the challenges of a comparison are counted. *)
Lemma cut_claims_meant : forall goal stated work claimed, work_of_cut (records_of_runs runs) cap goal stated = Some work ->
  seq_length (answer_comparisons answer) = comparison_count (seq_length (work_rows work)) ->
  with_comparisons (claims_alone (work_claims work)) bits seed (work_rows work) (answer_comparisons answer) = Ok claimed ->
  claims_known kzg (claims_stated claimed) (cut_under bits runs stated (work_rows work) (answer_comparisons answer) seed) /\
  (claims_true (claims_stated claimed) (cut_under bits runs stated (work_rows work) (answer_comparisons answer) seed) ->
   (ends_true rows stated /\ forall item, In item (work_rows work) -> item_true rows item) \/
   cut_broken bits runs (work_rows work) (answer_comparisons answer) seed).
Proof.
  intros goal stated work claimed W X E. unfold cut_under, cut_broken.
  apply with_comparisons_parts in E as [E each]. cbn [claims_alone claims_stated] in E. rewrite E. clear E claimed.
  pose proof (cut_rows_of_runs _ _ _ _ _ W) as of_runs.
  destruct (ends_meant kzg known cap _ bits runs certified inside cap_few bits_few differ goal stated work W) as [ends ends_true_of].
  set (claims := comparison_claims_of bits seed (work_rows work) (answer_comparisons answer)) in *.
  set (under := comparison_polynomials known bits runs seed (work_rows work) (answer_comparisons answer) points).
  assert (one : forall i, In i (range 0 (seq_length (answer_comparisons answer))) -> claims_known kzg (claims i) (under i)).
  { intros i I. apply in_range in I. destruct (each i ltac:(lia)) as [S C].
    apply (comparison_known kzg known cap _ bits runs certified inside cap_few bits_few seed (work_rows work) (answer_comparisons answer) points of_runs i); [|exact C].
    exact (shown_known i _ S). }
  split; [apply Forall2_app; [exact ends|]; now apply flat_forall2|]. intros T.
  apply forall2_append in T; [|now apply forall2_lengths in ends]. destruct T as [T T'].
  assert (all : forall i, In i (range 0 (seq_length (answer_comparisons answer))) -> claims_true (claims i) (under i)).
  { apply forall2_flat; [|exact T']. intros i I. specialize (one i I). now apply forall2_lengths in one. }
  specialize (ends_true_of T).
  (* Either the challenges of some comparison are counted, or all compared rows are on their sides. *)
  assert (sides : (exists i, i < seq_length (answer_comparisons answer) /\
      comparison_broken known bits runs seed (work_rows work) (answer_comparisons answer) points i) \/
    forall i, i < seq_length (answer_comparisons answer) -> forall item, In item (rows_of_comparison (work_rows work) i) ->
      item_true (fun k => run_rows (known (seq_at runs k))) item).
  { assert (G : forall count, count <= seq_length (answer_comparisons answer) -> (exists i, i < seq_length (answer_comparisons answer) /\
        comparison_broken known bits runs seed (work_rows work) (answer_comparisons answer) points i) \/
      forall i, i < count -> forall item, In item (rows_of_comparison (work_rows work) i) -> item_true (fun k => run_rows (known (seq_at runs k))) item).
    { induction count as [|count IH] using N.peano_ind; intros L; [right; lia|]. destruct (IH ltac:(lia)) as [B|G]; [now left|].
      destruct (each count ltac:(lia)) as [S C].
      destruct (comparison_meant kzg known cap _ bits runs certified inside cap_few bits_few differ seed (work_rows work) (answer_comparisons answer) points
        of_runs count C (all count ltac:(apply in_range; lia))) as [B|meant]; [left; exists count; split; [lia|exact B]|].
      right. intros i I. destruct (N.eq_dec i count) as [->|D]; [exact meant|apply G; lia]. }
    exact (G _ (N.le_refl _)). }
  destruct sides as [broken|sides]; [now right|left]. split; [exact ends_true_of|]. intros item I. destruct (rows_of_comparison_all _ item I) as (i & Li & J). apply (sides i); [lia|exact J].
Qed.

Theorem order_answer_meant : forall claimed, claims_of_order query cap bits runs answer seed = Ok claimed ->
  claims_known kzg (claims_stated claimed) (order_under query schema runs answer seed) /\
  (claims_true (claims_stated claimed) (order_under query schema runs answer seed) ->
   order_meaning query runs (answer_cut answer) \/ comparisons_broken query schema runs answer seed).
Proof.
  intros claimed E. unfold claims_of_order in E. unfold order_under, order_meaning, comparisons_broken. fold cap bits.
  destruct (answer_cut answer) as [stated|].
  2:{ destruct (expect_table _ _) as [[]|] eqn:X; [|discriminate]. apply expect_table_ok, andb_true_iff in X as [X _]. injection E as <-.
      split; [constructor|]. intros _. left. unfold asks_for_nothing in X. destruct (goal_of_query _ _); congruence. }
  unfold claims_of_cut in E. cbv zeta in E. unfold u128_of_u64 in E. destruct (work_of_cut _ _ _ _) as [work|] eqn:W; [|discriminate].
  destruct (expect_table _ _) as [[]|] eqn:X; [|discriminate]. apply expect_table_ok, N.eqb_eq in X.
  destruct (cut_claims_meant _ stated work claimed W X E) as [under meant]. split; [exact under|]. intros T.
  destruct (meant T) as [[ends_true_of compared]|broken]; [left|now right].
  destruct (goal_of_query query (records_of_runs runs)) as [|rank|rank|number] eqn:goal.
  - exfalso. unfold work_of_cut in W. destruct (negb _); [discriminate|]. destruct (cut_low stated); [discriminate|]. destruct (cut_high stated); discriminate.
  - pose proof (cut_work_shown _ cap stated work _ rows_many rows_ascend compared rank ends_true_of (or_introl W)) as (low & is_low & shown).
    apply OrderStatistics.cut_correct in shown as [at_rank next].
    2:{ intros part split I. apply cut_parts_in in I as (k & K & -> & _). now apply rows_ascend. }
    rewrite cut_parts_rows in at_rank. exists stated, low. split; [reflexivity|]. split; [exact is_low|]. split; [|exact at_rank].
    unfold work_of_cut in W. destruct (negb _); [discriminate|]. rewrite is_low in W. unfold work_at_rank in W. destruct (cut_high stated); [discriminate|reflexivity].
  - pose proof (cut_work_shown _ cap stated work _ rows_many rows_ascend compared rank ends_true_of (or_intror W)) as (low & is_low & shown).
    apply OrderStatistics.cut_correct in shown as [at_rank next].
    2:{ intros part split I. apply cut_parts_in in I as (k & K & -> & _). now apply rows_ascend. }
    rewrite cut_parts_rows in at_rank, next. unfold work_of_cut in W. destruct (negb _); [discriminate|]. rewrite is_low in W. unfold work_around_rank in W.
    destruct (cut_high stated) as [high|] eqn:is_high; [|discriminate]. exists stated, low, high. cbn [option_map] in next. auto.
  - exists stated. split; [reflexivity|]. rewrite <- (cut_parts_rows (cut_splits stated)).
    exact (rank_work_counted _ cap stated work _ rows_many rows_ascend compared number W rows_capped).
Qed.

End Order.

(** ** Answers *)

Lemma legal_head : forall head moments, run_head_legal head moments = true ->
  seq_length (record_sums (head_record head)) = moments /\
  record_first (head_record head) + record_rows (head_record head) <= guard_position (sheet_size (record_log (head_record head))).
Proof.
  intros head moments H. unfold run_head_legal, run_record_legal in H. apply andb_true_iff in H as [_ H]. apply andb_true_iff in H as [H P].
  apply andb_true_iff in H as [H _]. apply andb_true_iff in H as [_ M]. apply N.eqb_eq in M. split; [exact M|]. unfold is_some_place in P.
  destruct (layout_after 1 _ _) as [after|] eqn:L; [|discriminate]. apply Spec.Table.Sheet.layout_after_iff in L. tauto.
Qed.

(** A query for totals asks for no more powers than there are sums of. *)
Lemma totals_powers : forall query schema, query_fits_schema query schema = true -> query_function query =? FUNCTION_TOTALS = true ->
  usize_of_u128 (query_a query) = query_a query /\ query_a query <= moments_of_query query schema.
Proof.
  intros query schema Q Fn. unfold query_fits_schema in Q. apply andb_true_iff in Q as [_ Q]. unfold table_query_legal in Q. do 4 apply andb_true_iff in Q as [Q _].
  apply andb_true_iff in Q as [P A]. apply N.ltb_lt in A. unfold parameters_of_function_legal in P. rewrite Fn in P. apply andb_true_iff in P as [P _].
  apply N.leb_le in P. unfold u128_of_usize in P. split; [|exact P]. unfold usize_of_u128. change (2 ^ 64) with 18446744073709551616.
  rewrite N.mod_mod by discriminate. now apply N.mod_small.
Qed.

(** The seed of an answer's challenges. *)
Definition answer_seed (trusted : Trusted) (query : TableQuery) (schema : TableSchema) (answer : TableAnswer) (outcome : TableOutcome) : ByteString :=
  table_answer_seed (trusted_dictionary trusted) answer query schema (outcome_runs outcome).

(** The opening is broken, or the challenges of a comparison are counted: what an accepted answer that does not mean what it says hands over. *)
Definition answer_broken (trusted : Trusted) (query : TableQuery) (schema : TableSchema) (answer : TableAnswer) (outcome : TableOutcome) (w w' : list Scalar) : Prop :=
  let runs := outcome_runs outcome in
  let seed := answer_seed trusted query schema answer outcome in
  comparisons_broken query schema runs answer seed \/
  exists claimed, claims_of_answer query schema (cap_of_query query schema) runs (outcome_groups outcome) answer seed = Ok claimed /\
    opening_broken kzg (claims_stated claimed) (answer_under query schema runs answer seed) (table_fold_seed seed (claims_seeds claimed))
      (answer_opening answer) w w'.

Theorem table_answer_meant : forall trusted query schema answer outcome w w',
  numbers_differ (2 ^ 232) -> cap_of_query query schema < 2 ^ 64 -> moments_of_query query schema <= 3 -> bits_of_query query schema <= 64 ->
  Forall (Forall of_bytes) (answer_totals answer) ->
  verify_table_answer (Setup_Kzg kzg) trusted query schema answer = Ok outcome ->
  Forall (run_of_schema schema (moments_of_query query schema)) (outcome_runs outcome) ->
  Forall (run_certified kzg known (cap_of_query query schema) (moments_of_query query schema)) (outcome_runs outcome) ->
  opening_known kzg (answer_opening answer) w w' -> comparisons_known answer ->
  answer_meaning query schema answer outcome \/ answer_broken trusted query schema answer outcome w w'.
Proof.
  intros trusted query schema answer outcome w w' differ cap_few moments_few bits_few totals_bytes E heads certified opening comparisons.
  apply verify_table_answer_checked in E. cbv zeta in E. destruct E as (Q & _ & R & _ & (claimed & C & form & shown) & G & T & K).
  apply runs_of_answer_entries in R as (_ & _ & _ & _ & few). change MAX_BOX_ROWS with (2 ^ 40) in few.
  unfold answer_broken. fold (answer_seed trusted query schema answer outcome) in C, shown. set (seed := answer_seed trusted query schema answer outcome) in *.
  cbv zeta. rewrite G in *. set (runs := outcome_runs outcome) in *.
  assert (many : Forall (fun run => seq_length (record_sums (record_of run)) = moments_of_query query schema) runs).
  { revert heads. apply Forall_impl. intros run [_ L]. apply legal_head in L. apply L. }
  assert (inside : Forall (fun run => record_first (record_of run) + record_rows (record_of run)
    <= guard_position (sheet_size (record_log (record_of run)))) runs).
  { revert heads. apply Forall_impl. intros run [_ L]. apply legal_head in L. apply L. }
  enough (H : claims_known kzg (claims_stated claimed) (answer_under query schema runs answer seed) /\
    (claims_true (claims_stated claimed) (answer_under query schema runs answer seed) ->
     answer_meaning query schema answer outcome \/ comparisons_broken query schema runs answer seed)).
  { destruct H as [under meant]. destruct (fold_true_or_broken kzg _ _ _ _ w w' under opening form shown) as [all|broken].
    - destruct (meant all) as [M|B]; [now left|right; now left].
    - right. right. exists claimed. auto. }
  unfold answer_meaning, answer_under. cbv zeta. fold runs. rewrite G, T, K. unfold claims_of_answer in C. unfold groups_of_query in *.
  destruct (query_function query =? FUNCTION_TOTALS) eqn:Fn.
  - destruct (expect_table (states_no_order answer) _) as [[]|]; [|discriminate]. unfold claims_without_order in C.
    destruct (claims_of_stated_totals _ _ _ _) as [claims|] eqn:S; [|discriminate]. injection C as <-. cbn [claims_alone claims_stated].
    unfold claims_of_stated_totals in S. cbv zeta in S. destruct (expect_table _ TableReason_PartsMismatched) as [[]|]; [|discriminate].
    destruct (expect_table _ TableReason_TotalsExceeded) as [[]|] eqn:legal; [|discriminate]. apply expect_table_ok in legal. injection S as <-.
    destruct (totals_powers query schema Q Fn) as [same powers]. rewrite same in legal. split.
    + exact (totals_known kzg known _ _ _ _ _ runs (answer_totals answer) (certified_totalled _ _ _ _ _ certified) many legal powers).
    + intros true_claims. left. split; [exact (group_totals_exact _ _ _ runs many)|].
      destruct (totals_legal_each _ _ _ _ legal) as (_ & shape & each). split; [exact shape|]. split; [intros j J; apply (each j J)|].
      exact (totals_meant kzg known _ _ _ _ _ runs (answer_totals answer) (certified_totalled _ _ _ _ _ certified) many legal differ powers moments_few cap_few few totals_bytes true_claims).
  - destruct (query_function query =? FUNCTION_ROW).
    + destruct (expect_table (states_no_order answer) _) as [[]|]; [|discriminate]. unfold claims_without_order in C.
      destruct (claims_of_shown_row _ _ _ _) as [claims|] eqn:S; [|discriminate]. injection C as <-. cbn [claims_alone claims_stated].
      unfold claims_of_shown_row in S. unfold row_meaning. destruct (answer_row answer) as [row|]; [|discriminate]. cbv zeta in S.
      destruct (_ && _ && _) eqn:shaped in S; [|discriminate]. apply andb_true_iff in shaped as [_ single]. apply N.eqb_eq in single.
      destruct runs as [|run [|]]; try (unfold seq_length in single; cbn in single; lia). change (seq_at [run] 0) with run in *.
      unfold claims_of_held_row in S. destruct (row_holds _ _ row) eqn:held; [|discriminate]. injection S as <-. cbn [app].
      inversion certified as [|? ? Crun _]; subst. inversion inside as [|? ? Irun _]; subst.
      destruct (row_meant kzg _ _ (record_of run) (known run) row differ cap_few Crun ltac:(lia) held) as [under meant]. split; [exact under|]. intros true_claims. left.
      exists run, row. split; [reflexivity|]. split; [reflexivity|]. unfold row_holds in held. fold (record_of run) in held.
      destruct (N.leb_spec (record_first (record_of run)) (row_position row)) as [A|]; [|discriminate].
      destruct (N.ltb_spec (row_position row) (record_first (record_of run) + record_rows (record_of run))) as [B|]; [|discriminate].
      cbn [andb] in held. cbv zeta in held. destruct (root_of_path _ _ _ _) as [found|]; [|discriminate]. apply andb_true_iff in held as [_ held].
      apply bytes_equal_iff in held. split; [lia|]. split; [exact (meant true_claims)|]. now rewrite held.
    + cbv zeta in C. destruct (expect_table _ _) as [[]|]; [|discriminate].
      exact (order_answer_meant query schema runs answer seed certified inside cap_few bits_few differ comparisons claimed C).
Qed.

End Meaning.
