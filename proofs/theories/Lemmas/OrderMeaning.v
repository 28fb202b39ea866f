(** What an accepted cut of pieces means: runs of any number of segments, of which an answer shows some, have the order that is stated.

    - [boxes_of]: the pieces of runs in the place of runs of one segment;
    - [long_cut_shown]: what a cut of pieces shows is shown of all rows;
    - [order_answer_meant]: an accepted cut of pieces is what is asked for of all rows, or the challenges of a comparison are counted. *)
From Coq Require Import NArith List Bool Sorted Lia.
From AardvarkSpec Require Import Prelude Base.Integers Base.Bytes Base.Scalar Base.Hash Base.Group Dictionary.Array Commitment.Kzg Table.RunRecord
  Table.Sheet Table.Comparison Table.CutGoal Table.Cut Table.TableSchema Table.TableQuery Table.TableKey Table.RunSegments Table.TableAnswer
  Table.TableAnswerOrder Table.TableAnswerClaims Table.TableAnswerVerifier Table.LongRuns Table.TableMeaning.
From Aardvark Require Import Lemmas.LoopLemmas Lemmas.Field Lemmas.SheetRelations Spec.Table.Cut Spec.Table.Totals Spec.Table.TableAnswerVerifier
  Spec.Table.LongRuns Lemmas.TableAnswerSound Lemmas.TableOrderSound Lemmas.TableCutSound Lemmas.MeantOutcomes Lemmas.LongRunsSound Lemmas.LongCut.
Import ListNotations.
Local Open Scope N_scope.

Section Meaning.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {root : PrimitiveRoot scalar_given} {hash_given : HashGiven}.

(** The map, what is known of the segments of runs, and under the points of comparisons. *)
Variables (kzg : KzgSetup) (a : Array) (known : RunPlace -> list KnownSegment) (points : N -> ComparisonKnown).

(** ** Meanings *)

(** A run's rows, as [table_meaning] is given them. *)
Definition meant_run (run : LongRun) : MeantRun :=
  {| meant_columns := place_columns (long_place run); meant_rows := rows_of_long_run known run |}.

(** What an outcome states of the order of rows: before the cut are, besides the rows that the splits of pieces say, those that are not
    shown and are found there. *)
Definition order_of_runs (runs : list LongRun) (stated : option TableCut) : option StatedOrder :=
  order_of_cut stated (match stated with Some cut => hidden_before (hidden_rows runs (cut_splits cut)) | None => 0 end).

(** ** Pieces in the place of runs of one segment *)

(** The number of the piece stands for a revision. *)
Definition box_of_piece (run : LongRun) (piece : RunPiece) : BoxRun :=
  {| run_place := long_place run; run_head := {| head_revision := piece_number piece; head_record := piece_record piece |} |}.
Definition boxes_of (runs : list LongRun) : list BoxRun := flat_map (fun run => map (box_of_piece run) (long_pieces run)) runs.
Definition box_known (box : BoxRun) : KnownRun := segment_under (seq_at (known (run_place box)) (head_revision (run_head box))).

Lemma records_of_boxes : forall runs, records_of_long_runs runs = records_of_runs (boxes_of runs).
Proof.
  intros runs. unfold records_of_runs, records_of_long_runs. rewrite (loop_over_elements _ _ _ records_of_long_runs_step).
  assert (G : forall l before, fold_left records_of_long_runs_step l before = before ++ map record_of (boxes_of l)); [|exact (G runs [])].
  induction l as [|run l IH]; intros before; cbn [fold_left]; [now rewrite app_nil_r|]. rewrite IH. unfold boxes_of. cbn [flat_map]. rewrite map_app, app_assoc. f_equal.
  unfold records_of_long_runs_step, records_of_pieces. rewrite (loop_over_elements _ _ _ records_of_pieces_step), map_map.
  exact (Sequences.fold_append (fun piece => piece_record piece) (long_pieces run) before).
Qed.

Lemma boxes_count : forall runs, seq_length (boxes_of runs) = piece_count runs.
Proof.
  induction runs as [|run runs IH]; [reflexivity|]. unfold boxes_of, piece_count in *. cbn [flat_map fold_right]. now rewrite seq_length_app, IH, Sequences.seq_length_map.
Qed.

Lemma box_at : forall before run after i, i < seq_length (long_pieces run) ->
  seq_at (boxes_of (before ++ run :: after)) (piece_count before + i) = box_of_piece run (piece_at run i).
Proof.
  intros before run after i I. unfold boxes_of. rewrite flat_map_app. cbn [flat_map]. fold (boxes_of before) (boxes_of after).
  rewrite Sequences.seq_at_app_r by (rewrite boxes_count; lia). rewrite boxes_count. replace (piece_count before + i - piece_count before) with i by lia.
  rewrite Sequences.seq_at_app_l by (rewrite Sequences.seq_length_map; exact I). unfold piece_at, seq_at, seq_length in *.
  rewrite (nth_indep _ default (box_of_piece run default)) by (rewrite map_length; lia). apply map_nth.
Qed.

(** ** Accepted runs *)

Section Accepted.

Variables (query : TableQuery) (schema : TableSchema) (shown : list RunPiece) (runs : list LongRun).
Let cap : N := cap_of_query query schema.
Let bits : N := bits_of_query query schema.
Let moments : N := moments_of_query query schema.
Let rows : LongRun -> list N := rows_of_long_run known.
Hypothesis legal : Forall (fun run => long_head_legal (long_head run) moments = true) runs.
Hypothesis certified : Forall (long_run_certified kzg known cap moments) runs.
Hypothesis among : Forall (pieces_are_segments known) runs.
Hypothesis exact : Forall (pieces_exact a moments shown) runs.
Hypothesis cap_few : cap < 2 ^ 64.
Hypothesis bits_few : bits <= 64.
Hypothesis differ : numbers_differ (2 ^ 232).

Lemma run_parts_of : forall run, In run runs -> long_head_legal (long_head run) moments = true /\
  long_run_certified kzg known cap moments run /\ pieces_are_segments known run.
Proof. intros run I. pose proof legal as L. pose proof certified as C. pose proof among as E. rewrite Forall_forall in L, C, E. auto. Qed.

Lemma all_rows_of_runs : rows_of_all (map meant_run runs) = concat (map rows runs).
Proof.
  unfold rows_of_all. rewrite (loop_over_elements _ _ _ rows_of_all_step).
  assert (G : forall l before, fold_left rows_of_all_step (map meant_run l) before = before ++ concat (map rows l)); [|exact (G runs [])].
  induction l as [|run l IH]; intros before; cbn [map fold_left concat]; [now rewrite app_nil_r|]. rewrite IH. unfold rows_of_all_step. cbn [meant_rows meant_run].
  now rewrite <- app_assoc.
Qed.

Lemma rows_counted : seq_length (concat (map rows runs)) = rows_of_long_runs runs.
Proof.
  rewrite rows_of_long_runs_sum. assert (G : forall l, incl l runs -> seq_length (concat (map rows l)) = fold_right (fun run total => long_rows (long_head run) + total) 0 l).
  { induction l as [|run l IH]; intros inside; [reflexivity|]. cbn [map concat fold_right]. rewrite seq_length_app, IH by (intros x X; apply inside; now right).
    destruct (run_parts_of run (inside _ (or_introl eq_refl))) as (L & C & _). f_equal. now apply (long_rows_are_a_run kzg known cap moments). }
  apply G, incl_refl.
Qed.

Lemma runs_laid : Forall (pieces_laid rows) runs.
Proof.
  apply Forall_forall. intros run I. destruct (run_parts_of run I) as (L & C & E). pose proof (long_rows_are_a_run kzg known cap moments run L C) as (_ & _ & many).
  pose proof exact as X. rewrite Forall_forall in X. pose proof (X run I) as (some & first & each). split.
  - exact many.
  - exact some.
  - unfold piece_at. now rewrite first.
  - intros i Hi. unfold behind_piece, following_piece, piece_size, piece_at. destruct (N.ltb_spec (i + 1) (seq_length (long_pieces run))) as [J|J].
    + destruct (each i J) as (follows & _). unfold piece_follows in follows. destruct (_ && _) in follows; [|discriminate]. cbv zeta in follows.
      apply andb_true_iff in follows as [begins _]. destruct (_ =? 0) in begins; [apply N.eqb_eq in begins; lia|apply N.leb_le in begins; lia].
    + rewrite <- many. apply (piece_rows kzg known cap moments run L C E i Hi).
Qed.

Lemma runs_sorted : Forall (fun run => StronglySorted N.le (rows run)) runs.
Proof.
  apply Forall_forall. intros run I. destruct (run_parts_of run I) as (L & C & _). now apply (long_rows_are_a_run kzg known cap moments).
Qed.

Lemma in_boxes : forall box, In box (boxes_of runs) -> exists run i, In run runs /\ i < seq_length (long_pieces run) /\ box = box_of_piece run (piece_at run i).
Proof.
  intros box I. unfold boxes_of in I. apply in_flat_map in I as (run & R & I). apply in_map_iff in I as (piece & <- & I).
  destruct (in_seq_at _ _ _ _ I) as (i & Li & <-). exists run, i. auto.
Qed.

Lemma boxes_certified : Forall (run_certified kzg box_known cap moments) (boxes_of runs).
Proof.
  apply Forall_forall. intros box I. apply in_boxes in I as (run & i & R & Li & ->). destruct (run_parts_of run R) as (L & C & E).
  exact (proj1 (piece_certified kzg known cap moments run L C E i Li)).
Qed.

Lemma boxes_inside : Forall (fun run => record_first (record_of run) + record_rows (record_of run)
  <= guard_position (sheet_size (record_log (record_of run)))) (boxes_of runs).
Proof.
  apply Forall_forall. intros box I. apply in_boxes in I as (run & i & R & Li & ->). destruct (run_parts_of run R) as (L & C & E).
  pose proof (proj2 (piece_certified kzg known cap moments run L C E i Li)) as legal_piece. apply legal_record in legal_piece. apply legal_piece.
Qed.

Lemma box_rows : forall before run after i, runs = before ++ run :: after -> i < seq_length (long_pieces run) ->
  run_rows (box_known (seq_at (boxes_of runs) (piece_count before + i))) = seq_slice (rows run) (piece_rank (piece_at run i)) (piece_size run i).
Proof.
  intros before run after i S I. rewrite S at 1. rewrite box_at by exact I.
  destruct (run_parts_of run ltac:(rewrite S; apply in_app_iff; right; now left)) as (L & C & E).
  exact (proj2 (piece_rows kzg known cap moments run L C E i I)).
Qed.

Lemma piece_inside : forall run i, In run runs -> i < seq_length (long_pieces run) -> piece_rank (piece_at run i) + piece_size run i <= seq_length (rows run).
Proof.
  intros run i R I. destruct (run_parts_of run R) as (L & C & E). exact (proj1 (piece_rows kzg known cap moments run L C E i I)).
Qed.

(** *** Order *)

Let records : list RunRecord := records_of_runs (boxes_of runs).
Let box_row (k : N) : list N := run_rows (box_known (seq_at (boxes_of runs) k)).

(** What cuts of pieces show, they show of all rows. *)
Lemma sides_of_pieces : forall (P Q : N -> Prop) splits, (forall x y, x <= y -> P y -> P x) -> (forall x y, x <= y -> Q x -> Q y) ->
  seq_length splits = seq_length records -> hidden_settled (hidden_rows runs splits) = true ->
  (forall k, k < seq_length records -> seq_at splits k <= seq_length (box_row k) /\ (1 <= seq_at splits k -> P (seq_at (box_row k) (seq_at splits k - 1))) /\
    (seq_at splits k < seq_length (box_row k) -> Q (seq_at (box_row k) (seq_at splits k)))) ->
  forall part split, In (part, split) (long_parts rows splits runs 0) -> StronglySorted N.le part /\ split <= seq_length part /\
    (1 <= split -> P (seq_at part (split - 1))) /\ (split < seq_length part -> Q (seq_at part split)).
Proof.
  intros P Q splits down up L settled each. assert (count : seq_length records = piece_count runs) by (unfold records; rewrite records_length; apply boxes_count).
  apply (long_parts_on_sides rows splits P Q down up runs runs_laid runs_sorted); [congruence|exact settled|].
  intros before run after i S I. cbv zeta.
  assert (place : piece_count before + i < seq_length records).
  { rewrite count, S, piece_count_app. change (piece_count (run :: after)) with (seq_length (long_pieces run) + piece_count after). lia. }
  destruct (each _ place) as (fits & low & high). unfold box_row in fits, low, high. rewrite (box_rows before run after i S I) in fits, low, high.
  pose proof (piece_inside run i ltac:(rewrite S; apply in_app_iff; right; now left) I) as inside.
  assert (length : seq_length (seq_slice (rows run) (piece_rank (piece_at run i)) (piece_size run i)) = piece_size run i) by (apply seq_length_slice; exact inside).
  rewrite length in fits, high. split; [exact fits|]. split; intros H.
  - specialize (low H). rewrite Sequences.seq_slice_at in low by lia. exact low.
  - specialize (high H). rewrite Sequences.seq_slice_at in high by lia. exact high.
Qed.

Lemma long_cut_shown : forall splits rank x high, seq_length splits = seq_length records -> hidden_settled (hidden_rows runs splits) = true ->
  OrderStatistics.cut_shown (cut_parts records box_row splits) rank x high ->
  OrderStatistics.cut_shown (long_parts rows splits runs 0) (rank + hidden_before (hidden_rows runs splits)) x high.
Proof.
  intros splits rank x high L settled [inside total low above end_high below].
  assert (count : seq_length records = piece_count runs) by (unfold records; rewrite records_length; apply boxes_count).
  pose proof (sides_of_pieces (fun v => v <= x) (fun v => match high with Some y => y | None => x end <= v) splits) as sides.
  specialize (sides (fun v v' A B => N.le_trans _ _ _ A B) (fun v v' A B => N.le_trans _ _ _ B A) L settled).
  assert (each : forall k, k < seq_length records -> seq_at splits k <= seq_length (box_row k) /\ (1 <= seq_at splits k -> seq_at (box_row k) (seq_at splits k - 1) <= x) /\
    (seq_at splits k < seq_length (box_row k) -> match high with Some y => y | None => x end <= seq_at (box_row k) (seq_at splits k))).
  { intros k K. assert (I : In (box_row k, seq_at splits k) (cut_parts records box_row splits)) by (apply cut_parts_in; now exists k).
    split; [now apply inside|]. split; intros H; [exact (above _ _ I H)|exact (below _ _ I H)]. }
  specialize (sides each).
  assert (part_of : forall part split, In (part, split) (cut_parts records box_row splits) -> In (part, split) (long_parts rows splits runs 0)).
  { intros part split I. apply cut_parts_in in I as (k & K & -> & ->). rewrite count in K. destruct (piece_of_place runs k K) as (before & run & after & i & S & I & ->).
    unfold box_row. rewrite (box_rows before run after i S I). exact (piece_is_part rows splits runs before run after i S I). }
  split.
  - intros part split I. apply (sides part split I).
  - rewrite (proj1 (long_parts_total rows splits runs ltac:(congruence))), <- total, splits_total_parts by exact L. reflexivity.
  - destruct low as (part & split & I & rest). exists part, split. split; [now apply part_of|exact rest].
  - intros part split I. apply (sides part split I).
  - destruct high as [y|]; [|exact end_high]. destruct end_high as (over & part & split & I & rest). split; [exact over|]. exists part, split. split; [now apply part_of|exact rest].
  - intros part split I. apply (sides part split I).
Qed.

Variables (answer : TableAnswer) (seed : ByteString).
Hypothesis shown_known : comparisons_known kzg points answer.

(** The goal of a cut of pieces, and the polynomials under the claims of an answer about order. *)
Definition piece_goal (stated : TableCut) : CutGoal :=
  goal_of_pieces (goal_of_runs query runs) (hidden_before (hidden_rows runs (cut_splits stated))).

Definition order_under : list (list Scalar) :=
  match answer_cut answer with
  | None => []
  | Some stated =>
      match work_of_cut (records_of_long_runs runs) cap (piece_goal stated) stated with
      | None => []
      | Some work => cut_under box_known points bits (boxes_of runs) stated (work_rows work) (answer_comparisons answer) seed
      end
  end.

Definition comparisons_broken : Prop :=
  match answer_cut answer with
  | None => False
  | Some stated =>
      match work_of_cut (records_of_long_runs runs) cap (piece_goal stated) stated with
      | None => False
      | Some work => cut_broken box_known points bits (boxes_of runs) (work_rows work) (answer_comparisons answer) seed
      end
  end.

Theorem order_answer_meant : forall claimed, claims_of_order query cap bits runs answer seed = Ok claimed ->
  claims_known kzg (claims_stated claimed) order_under /\
  (claims_true (claims_stated claimed) order_under ->
   order_is_meant query (concat (map rows runs)) (order_of_runs runs (answer_cut answer)) = true \/ comparisons_broken).
Proof.
  intros claimed E. unfold claims_of_order in E. unfold order_under, comparisons_broken, order_is_meant. cbv zeta. unfold u128_of_usize. rewrite rows_counted.
  change (cut_goal (query_function query) (query_a query) (query_b query) (rows_of_long_runs runs)) with (goal_of_runs query runs).
  destruct (answer_cut answer) as [stated|].
  2:{ cbv zeta in E. destruct (expect_table _ _) as [[]|] eqn:X; [|discriminate]. apply expect_table_ok, andb_true_iff in X as [X _]. injection E as <-.
      split; [constructor|]. intros _. left. unfold asks_for_nothing in X. exact X. }
  unfold claims_of_cut in E. cbv zeta in E. unfold u128_of_u64, u128_of_usize in E. fold (piece_goal stated) in E.
  destruct (expect_table _ _) as [[]|] eqn:settled in E; [|discriminate]. apply expect_table_ok in settled.
  destruct (work_of_cut _ _ _ _) as [work|] eqn:W; [|discriminate].
  destruct (expect_table _ _) as [[]|] eqn:X in E; [|discriminate]. apply expect_table_ok, N.eqb_eq in X. rewrite records_of_boxes in W. fold records in W.
  destruct (cut_claims_meant kzg box_known points query schema (boxes_of runs) answer seed boxes_certified boxes_inside cap_few bits_few differ shown_known
    _ stated work claimed W X E) as [under meant]. split; [exact under|]. intros T. destruct (meant T) as [[ends compared]|broken]; [left|now right]. clear T meant under E X.
  cbn [order_of_runs order_of_cut].
  pose proof (rows_many kzg box_known query schema (boxes_of runs) boxes_certified cap_few bits_few) as many.
  pose proof (rows_ascend kzg box_known query schema (boxes_of runs) boxes_certified) as ascend.
  pose proof (rows_capped kzg box_known query schema (boxes_of runs) boxes_certified) as capped. fold records box_row in many, ascend, capped.
  assert (fits : seq_length (cut_splits stated) = seq_length records).
  { unfold work_of_cut in W. destruct (splits_fit records (cut_splits stated)) eqn:fits; [|discriminate]. now apply splits_fit_each in fits. }
  set (hidden := hidden_before (hidden_rows runs (cut_splits stated))) in *.
  assert (correct : forall rank low high, OrderStatistics.cut_shown (cut_parts records box_row (cut_splits stated)) rank (end_value low) high ->
    OrderStatistics.order_statistic (concat (map rows runs)) (rank + hidden) (end_value low) /\
    match high with Some y => OrderStatistics.order_statistic (concat (map rows runs)) (rank + hidden + 1) y | None => True end).
  { intros rank low high shown_cut. apply long_cut_shown in shown_cut; [|exact fits|exact settled]. apply OrderStatistics.cut_correct in shown_cut.
    - now rewrite (long_parts_rows rows (cut_splits stated) runs 0 runs_laid) in shown_cut.
    - intros part split I. apply long_parts_in in I as (before & run & after & i & S & Li & J). pose proof runs_sorted as sorted. rewrite Forall_forall in sorted.
      specialize (sorted run ltac:(rewrite S; apply in_app_iff; right; now left)). destruct J as [J|[J|[]]]; injection J as <- _; now apply sorted_slice. }
  unfold piece_goal in W. fold hidden in W. destruct (goal_of_runs query runs) as [|rank|rank|number] eqn:goal; cbn [goal_of_pieces] in W.
  - exfalso. unfold work_of_cut in W. destruct (negb _); [discriminate|]. destruct (cut_low stated); [discriminate|]. destruct (cut_high stated); discriminate.
  - destruct (N.leb_spec hidden rank) as [enough|].
    2:{ exfalso. unfold work_of_cut in W. destruct (negb _); [discriminate|]. destruct (cut_low stated); [discriminate|]. destruct (cut_high stated); discriminate. }
    pose proof (cut_work_shown records cap stated work box_row many ascend compared (rank - hidden) ends (or_introl W)) as (low & is_low & shown_cut).
    apply correct in shown_cut as [at_rank _]. replace (rank - hidden + hidden) with rank in at_rank by lia.
    assert (no_high : cut_high stated = None).
    { unfold work_of_cut in W. destruct (negb _); [discriminate|]. rewrite is_low in W. unfold work_at_rank in W. destruct (cut_high stated); [discriminate|reflexivity]. }
    cbn [goal_is_meant stated_low stated_high]. rewrite is_low, no_high. cbn [number_of_end number_is_meant is_unstated]. rewrite andb_true_r. now apply rank_is_had.
  - destruct (N.leb_spec hidden rank) as [enough|].
    2:{ exfalso. unfold work_of_cut in W. destruct (negb _); [discriminate|]. destruct (cut_low stated); [discriminate|]. destruct (cut_high stated); discriminate. }
    pose proof (cut_work_shown records cap stated work box_row many ascend compared (rank - hidden) ends (or_intror W)) as (low & is_low & shown_cut).
    apply correct in shown_cut as [at_rank next]. replace (rank - hidden + hidden) with rank in at_rank, next by lia.
    unfold work_of_cut in W. destruct (negb _); [discriminate|]. rewrite is_low in W. unfold work_around_rank in W.
    destruct (cut_high stated) as [high|] eqn:is_high; [|discriminate]. cbn [option_map] in next.
    cbn [goal_is_meant stated_low stated_high]. rewrite is_low. cbn [number_of_end number_is_meant]. apply andb_true_iff. split; now apply rank_is_had.
  - destruct (rank_work_shown records cap stated work box_row many compared number W capped) as [_ each].
    pose proof (sides_of_pieces (fun v => v < number) (fun v => number <= v) (cut_splits stated)
      (fun v v' A B => N.le_lt_trans _ _ _ A B) (fun v v' A B => N.le_trans _ _ _ B A) fits settled each) as sides.
    apply OrderStatistics.rank_correct in sides. rewrite (long_parts_rows rows (cut_splits stated) runs 0 runs_laid) in sides.
    assert (count : seq_length records = piece_count runs) by (unfold records; rewrite records_length; apply boxes_count).
    rewrite (proj1 (long_parts_total rows (cut_splits stated) runs ltac:(congruence))) in sides.
    cbn [goal_is_meant stated_before]. apply N.eqb_eq. rewrite rows_below_count. exact sides.
Qed.

End Accepted.

End Meaning.
