(** Cuts of runs: what is asked to be shown of a cut is enough for it to be one.

    - [ends_true], [item_true]: what opened and compared rows say of the rows of the runs;
    - [cut_work_shown]: where they are true, the stated cut is one that [cut_shown] (Lemmas/OrderStatistics.v) speaks of;
    - [rank_work_shown], [rank_work_counted]: and splits at a number have the rows below it before them, and count them;
    - [opened_ends]: the claims of a cut are those of its ends. *)
From Coq Require Import NArith List Bool Lia Sorted.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Group Commitment.FoldedOpening Table.RunRecord Table.Comparison Table.CutGoal Table.Cut.
From Aardvark Require Import Lemmas.Sequences.
From Aardvark Require Lemmas.OrderStatistics.
Import ListNotations.
Local Open Scope N_scope.

Section Cut.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : Hash.HashGiven}.

(** ** What was checked *)

Lemma splits_fit_each : forall records splits, splits_fit records splits = true ->
  seq_length splits = seq_length records /\ forall k, k < seq_length records -> seq_at splits k <= record_rows (seq_at records k).
Proof.
  intros records splits H. unfold splits_fit in H.
  assert (general : forall count, count <= seq_length records -> forall fits, fold_left (fun fits k => splits_fit_step fits records splits k) (range 0 count) fits = true ->
    fits = true /\ forall k, k < count -> seq_at splits k <= record_rows (seq_at records k)).
  { induction count as [| count IH] using N.peano_ind; intros L fits E; [split; [exact E | lia] |].
    rewrite <- N.add_1_r, range_last, fold_left_app in E by lia. cbn [fold_left] in E. unfold splits_fit_step at 1 in E.
    destruct (count <? seq_length splits); [| discriminate]. apply andb_true_iff in E as [E last]. apply N.leb_le in last.
    destruct (IH ltac:(lia) fits E) as [-> each]. split; [reflexivity |]. intros k K. destruct (N.eq_dec k count) as [-> | D]; [exact last | apply each; lia]. }
  destruct (general _ (N.le_refl _) _ H) as [E each]. apply N.eqb_eq in E. auto.
Qed.

(** The rows of a run, and the splits, as parts. *)
Definition cut_parts (records : list RunRecord) (rows : N -> list N) (splits : list N) : list (list N * N) :=
  map (fun k => (rows k, seq_at splits k)) (range 0 (seq_length records)).

Lemma cut_parts_in : forall records rows splits part split, In (part, split) (cut_parts records rows splits) <->
  exists k, k < seq_length records /\ part = rows k /\ split = seq_at splits k.
Proof.
  intros records rows splits part split. unfold cut_parts. rewrite in_map_iff. split.
  - intros (k & E & I). apply range_in in I. injection E as <- <-. exists k. split; [lia | auto].
  - intros (k & K & -> & ->). exists k. split; [reflexivity |]. apply range_in. lia.
Qed.

Lemma splits_total_parts : forall records rows splits, seq_length splits = seq_length records ->
  OrderStatistics.splits_total (cut_parts records rows splits) = splits_total splits.
Proof.
  intros records rows splits L. unfold splits_total. rewrite L. unfold cut_parts. generalize (seq_length records). clear. intros count.
  assert (app : forall a b, OrderStatistics.splits_total (a ++ b) = OrderStatistics.splits_total a + OrderStatistics.splits_total b).
  { intros a b. induction a as [| part a IH]; [reflexivity |]. unfold OrderStatistics.splits_total in *. cbn [app fold_right]. rewrite IH. lia. }
  induction count as [| count IH] using N.peano_ind; [reflexivity |].
  rewrite <- N.add_1_r, range_last, map_app, fold_left_app, app, IH by lia. cbn [map fold_left]. unfold splits_total_step, u128_of_usize.
  unfold OrderStatistics.splits_total at 1. cbn [fold_right snd]. lia.
Qed.

(** ** The rows that are compared *)

Definition low_compared (records : list RunRecord) (splits : list N) (sides : CutSides) (k : N) : ComparedRow :=
  {| compared_run := k; compared_segment := 0; compared_record := seq_at records k;
     compared_position := record_first (seq_at records k) + (seq_at splits k - 1); compared_at_most := true;
     compared_threshold := side_most sides |}.
Definition high_compared (records : list RunRecord) (splits : list N) (sides : CutSides) (k : N) : ComparedRow :=
  {| compared_run := k; compared_segment := 0; compared_record := seq_at records k;
     compared_position := record_first (seq_at records k) + seq_at splits k; compared_at_most := false;
     compared_threshold := side_least sides |}.

Lemma compared_rows_in : forall records splits sides k, k < seq_length records -> k < seq_length splits ->
  (1 <= seq_at splits k -> k <> side_opened sides -> In (low_compared records splits sides k) (compared_rows records splits sides)) /\
  (seq_at splits k < record_rows (seq_at records k) -> k <> side_implied sides ->
    In (high_compared records splits sides k) (compared_rows records splits sides)).
Proof.
  intros records splits sides k K L. unfold compared_rows.
  assert (step : forall before i, compared_rows_step before records splits sides i = before ++ compared_rows_step [] records splits sides i).
  { intros before i. unfold compared_rows_step, with_compared_row. cbv zeta. destruct (i <? seq_length splits); [| symmetry; apply app_nil_r].
    destruct (_ && _), (_ && _); cbn [app]; rewrite <- ?app_assoc, ?app_nil_r; reflexivity. }
  assert (all : fold_left (fun rows k => compared_rows_step rows records splits sides k) (range 0 (seq_length records)) [] =
    flat_map (compared_rows_step [] records splits sides) (range 0 (seq_length records))).
  { rewrite (fold_left_ext_in _ (fun rows k => rows ++ compared_rows_step [] records splits sides k)) by (intros; apply step).
    now rewrite fold_append_list. }
  rewrite all. assert (I : In k (range 0 (seq_length records))) by (apply range_in; lia).
  split; intros S D; apply in_flat_map; exists k; (split; [exact I |]); unfold compared_rows_step, with_compared_row; cbv zeta;
    rewrite (proj2 (N.ltb_lt _ _) L).
  - rewrite (proj2 (N.leb_le _ _) S), (proj2 (N.eqb_neq _ _) D). cbn [negb andb]. destruct (_ && _); cbn [app]; left; reflexivity.
  - rewrite (proj2 (N.ltb_lt _ _) S), (proj2 (N.eqb_neq _ _) D). cbn [negb andb]. apply in_or_app. right. left. reflexivity.
Qed.

(** What a compared row says. *)
Definition item_true (rows : N -> list N) (item : ComparedRow) : Prop :=
  let row := seq_at (rows (compared_run item)) (compared_position item - record_first (compared_record item)) in
  if compared_at_most item then row <= compared_threshold item else compared_threshold item <= row.

(** What the opened ends say. *)
Definition ends_true (rows : N -> list N) (stated : TableCut) : Prop :=
  (forall low, cut_low stated = Some low -> seq_at (rows (end_run low)) (seq_at (cut_splits stated) (end_run low) - 1) = end_value low) /\
  (forall high, cut_high stated = Some high -> seq_at (rows (end_run high)) (seq_at (cut_splits stated) (end_run high)) = end_value high).

(** The claims are those of the ends. *)
Theorem opened_ends (records : list RunRecord) (cap : N) (stated : TableCut) (work : CutWork) (rank : N) (low : CutEnd) :
  let splits := cut_splits stated in
  cut_low stated = Some low ->
  work_of_cut records cap (CutGoal_AtRank rank) stated = Some work \/ work_of_cut records cap (CutGoal_AroundRank rank) stated = Some work ->
  work_claims work = row_claim (seq_at records (end_run low)) (seq_at splits (end_run low) - 1) (end_value low) ::
    match cut_high stated with
    | Some high => [row_claim (seq_at records (end_run high)) (seq_at splits (end_run high)) (end_value high)]
    | None => []
    end.
Proof.
  intros splits low_is H. unfold work_of_cut in H. destruct (splits_fit records (cut_splits stated)) eqn:fits; cbn [negb] in H; [| destruct H; discriminate].
  apply splits_fit_each in fits as [L _]. fold splits in L. rewrite low_is in H.
  assert (first : low_end_legal splits cap low = true -> low_end_claims records splits low =
    [row_claim (seq_at records (end_run low)) (seq_at splits (end_run low) - 1) (end_value low)]).
  { unfold low_end_legal, low_end_claims. rewrite <- L. destruct (end_run low <? seq_length splits); [| discriminate]. cbn [andb].
    intros E. apply andb_true_iff in E as [-> _]. reflexivity. }
  destruct H as [H | H]; [unfold work_at_rank in H | unfold work_around_rank in H]; cbv zeta in H; fold splits in H;
    destruct (cut_high stated) as [high |]; try discriminate.
  - destruct (_ && _) eqn:C in H; [| discriminate]. injection H as <-. apply andb_true_iff in C as [_ A]. exact (first A).
  - destruct (_ && _ && _) eqn:C in H; [| discriminate]. injection H as <-. rewrite !andb_true_iff in C. destruct C as ((_ & A & B) & _).
    cbn [work_claims]. rewrite (first A). unfold high_end_legal in B. unfold high_end_claims.
    destruct (_ && _) eqn:B' in B; [| discriminate]. rewrite andb_comm in B'. rewrite B'. reflexivity.
Qed.

(** ** Totals *)

Lemma fold_totals {A : Type} (f : A -> N) (l : list A) : forall before, fold_left (fun total x => total + f x) l before = before + fold_right (fun x total => f x + total) 0 l.
Proof. induction l as [| x l IH]; intros before; cbn [fold_left fold_right]; [lia |]. rewrite IH. lia. Qed.

Lemma splits_total_sum : forall splits, splits_total splits = fold_right N.add 0 splits.
Proof.
  intros splits. unfold splits_total. rewrite (fold_range_elements (fun total split => splits_total_step total split)).
  exact (fold_totals (fun split => split) splits 0).
Qed.

Lemma records_total_sum : forall records, records_total records = fold_right (fun record total => record_rows record + total) 0 records.
Proof.
  intros records. unfold records_total. rewrite (fold_range_elements (fun total record => records_total_step total record)).
  exact (fold_totals record_rows records 0).
Qed.

(** Splits that add up to nothing are nothing; those that add up to all rows are all rows of each. *)
Lemma splits_none : forall splits, splits_total splits = 0 -> forall k, seq_at splits k = 0.
Proof.
  intros splits. rewrite splits_total_sum. induction splits as [| split splits IH]; intros E k; [unfold seq_at; now destruct (N.to_nat k) |].
  cbn [fold_right] in E. destruct (N.eq_dec k 0) as [-> | D]; [rewrite seq_at_zero; lia |].
  replace k with (k - 1 + 1) by lia. rewrite seq_at_succ. apply IH. lia.
Qed.

Lemma splits_full : forall records splits, seq_length splits = seq_length records ->
  (forall k, k < seq_length records -> seq_at splits k <= record_rows (seq_at records k)) -> splits_total splits = records_total records ->
  forall k, k < seq_length records -> seq_at splits k = record_rows (seq_at records k).
Proof.
  intros records splits L fit. rewrite splits_total_sum, records_total_sum. revert records splits L fit.
  assert (few : forall records splits, seq_length splits = seq_length records ->
    (forall k, k < seq_length records -> seq_at splits k <= record_rows (seq_at records k)) ->
    fold_right N.add 0 splits <= fold_right (fun record total => record_rows record + total) 0 records).
  { induction records as [| record records IH]; intros splits L fit; [rewrite seq_length_nil in L; destruct splits; [reflexivity | rewrite seq_length_cons in L; lia] |].
    destruct splits as [| split splits]; rewrite ?seq_length_cons, ?seq_length_nil in L; [lia |].
    cbn [fold_right]. pose proof (fit 0 ltac:(rewrite seq_length_cons; lia)) as G. rewrite !seq_at_zero in G.
    apply N.add_le_mono; [exact G |]. apply IH; [lia |]. intros k K.
    specialize (fit (k + 1) ltac:(rewrite seq_length_cons; lia)). now rewrite !seq_at_succ in fit. }
  induction records as [| record records IH]; intros splits L fit E k K; [rewrite seq_length_nil in K; lia |].
  destruct splits as [| split splits]; rewrite ?seq_length_cons, ?seq_length_nil in *; [lia |].
  cbn [fold_right] in E. pose proof (fit 0 ltac:(lia)) as G. rewrite !seq_at_zero in G.
  assert (rest : forall k, k < seq_length records -> seq_at splits k <= record_rows (seq_at records k)).
  { intros j J. specialize (fit (j + 1) ltac:(lia)). now rewrite !seq_at_succ in fit. }
  pose proof (few records splits ltac:(lia) rest) as T. destruct (N.eq_dec k 0) as [-> | D]; [rewrite !seq_at_zero; lia |].
  replace k with (k - 1 + 1) by lia. rewrite !seq_at_succ. apply IH; (exact rest || lia).
Qed.

Section Rows.

Variables (records : list RunRecord) (cap : N) (stated : TableCut) (work : CutWork) (rows : N -> list N).
Let splits : list N := cut_splits stated.
Let parts : list (list N * N) := cut_parts records rows splits.

Hypothesis rows_many : forall k, k < seq_length records -> seq_length (rows k) = record_rows (seq_at records k).
Hypothesis rows_ascend : forall k, k < seq_length records -> StronglySorted N.le (rows k).
Hypothesis compared : forall item, In item (work_rows work) -> item_true rows item.

Lemma compared_low : forall sides k, work_rows work = compared_rows records splits sides -> seq_length splits = seq_length records ->
  k < seq_length records -> 1 <= seq_at splits k -> k <> side_opened sides -> seq_at (rows k) (seq_at splits k - 1) <= side_most sides.
Proof.
  intros sides k W L K S D. destruct (compared_rows_in records splits sides k K ltac:(lia)) as [low _]. specialize (low S D).
  rewrite <- W in low. apply compared in low. unfold item_true, low_compared in low. cbn in low.
  now replace (record_first (seq_at records k) + (seq_at splits k - 1) - record_first (seq_at records k)) with (seq_at splits k - 1) in low by lia.
Qed.

Lemma compared_high : forall sides k, work_rows work = compared_rows records splits sides -> seq_length splits = seq_length records ->
  k < seq_length records -> seq_at splits k < record_rows (seq_at records k) -> k <> side_implied sides -> side_least sides <= seq_at (rows k) (seq_at splits k).
Proof.
  intros sides k W L K S D. destruct (compared_rows_in records splits sides k K ltac:(lia)) as [_ high]. specialize (high S D).
  rewrite <- W in high. apply compared in high. unfold item_true, high_compared in high. cbn in high.
  now replace (record_first (seq_at records k) + seq_at splits k - record_first (seq_at records k)) with (seq_at splits k) in high by lia.
Qed.

(** ** Cuts at a rank *)

Theorem cut_work_shown (rank : N) : ends_true rows stated ->
  work_of_cut records cap (CutGoal_AtRank rank) stated = Some work \/ work_of_cut records cap (CutGoal_AroundRank rank) stated = Some work ->
  exists low, cut_low stated = Some low /\
    OrderStatistics.cut_shown parts rank (end_value low) (option_map end_value (cut_high stated)).
Proof.
  intros [low_true high_true] H. unfold work_of_cut in H.
  destruct (splits_fit records (cut_splits stated)) eqn:fits; cbn [negb] in H; [| destruct H; discriminate].
  apply splits_fit_each in fits as [L fit]. fold splits in L, fit.
  destruct (cut_low stated) as [low |] eqn:low_is; [| destruct (cut_high stated); destruct H; discriminate].
  exists low. split; [reflexivity |]. specialize (low_true low eq_refl). fold splits in low_true.
  assert (legal_low : low_end_legal splits cap low = true -> end_run low < seq_length records /\ 1 <= seq_at splits (end_run low)).
  { unfold low_end_legal. destruct (N.ltb_spec (end_run low) (seq_length splits)); [| discriminate]. rewrite andb_true_iff, !N.leb_le. lia. }
  assert (inside : forall part split, In (part, split) parts -> split <= seq_length part).
  { intros part split I. apply cut_parts_in in I as (k & K & -> & ->). rewrite rows_many by exact K. now apply fit. }
  destruct H as [H | H]; [unfold work_at_rank in H | unfold work_around_rank in H]; cbv zeta in H; fold splits in H;
    destruct (cut_high stated) as [high |] eqn:high_is; try discriminate.
  - destruct (_ && _) eqn:C in H; [| discriminate]. injection H as W. apply andb_true_iff in C as [T A]. apply N.eqb_eq in T.
    apply legal_low in A as [A S]. assert (W' : work_rows work = compared_rows records splits {| side_most := end_value low;
      side_least := end_value low; side_opened := end_run low; side_implied := end_run low |}) by (rewrite <- W; reflexivity).
    assert (none_above : forall k, k < seq_length records -> 1 <= seq_at splits k -> seq_at (rows k) (seq_at splits k - 1) <= end_value low).
    { intros k K S'. destruct (N.eq_dec k (end_run low)) as [-> | D]; [lia |]. exact (compared_low _ k W' L K S' D). }
    split; cbn [option_map].
    + exact inside.
    + unfold parts. now rewrite splits_total_parts by exact L.
    + exists (rows (end_run low)), (seq_at splits (end_run low)). split; [apply cut_parts_in; now exists (end_run low) | auto].
    + intros part split I S'. apply cut_parts_in in I as (k & K & -> & ->). now apply none_above.
    + exact I.
    + intros part split I S'. apply cut_parts_in in I as (k & K & -> & ->). rewrite rows_many in S' by exact K.
      destruct (N.eq_dec k (end_run low)) as [-> | D]; [| exact (compared_high _ k W' L K S' D)].
      rewrite <- low_true. apply OrderStatistics.ascending_at; [now apply rows_ascend | lia | rewrite rows_many by exact K; lia].
  - destruct (_ && _ && _) eqn:C in H; [| discriminate]. injection H as W. rewrite !andb_true_iff, N.leb_le in C.
    destruct C as ((T & A & B) & O). apply N.eqb_eq in T. apply legal_low in A as [A S]. unfold high_end_legal in B.
    destruct (_ && _) eqn:B' in B; [| discriminate]. rewrite andb_true_iff, !N.ltb_lt in B'. rewrite andb_true_iff, N.ltb_lt in B.
    destruct B as [B _], B' as [_ B']. specialize (high_true high eq_refl). fold splits in high_true.
    assert (W' : work_rows work = compared_rows records splits {| side_most := end_value low;
      side_least := end_value high; side_opened := end_run low; side_implied := end_run high |}) by (rewrite <- W; reflexivity).
    split; cbn [option_map].
    + exact inside.
    + unfold parts. now rewrite splits_total_parts by exact L.
    + exists (rows (end_run low)), (seq_at splits (end_run low)). split; [apply cut_parts_in; now exists (end_run low) | auto].
    + intros part split I S'. apply cut_parts_in in I as (k & K & -> & ->).
      destruct (N.eq_dec k (end_run low)) as [-> | D]; [lia | exact (compared_low _ k W' L K S' D)].
    + split; [exact O |]. exists (rows (end_run high)), (seq_at splits (end_run high)).
      split; [apply cut_parts_in; now exists (end_run high) | rewrite rows_many by exact B'; auto].
    + intros part split I S'. apply cut_parts_in in I as (k & K & -> & ->). rewrite rows_many in S' by exact K.
      destruct (N.eq_dec k (end_run high)) as [-> | D]; [lia | exact (compared_high _ k W' L K S' D)].
Qed.

(** ** Cuts at a number *)

(** Rows before a split are below the number, rows behind it are not. *)
Theorem rank_work_shown (number : N) : work_of_cut records cap (CutGoal_BelowNumber number) stated = Some work ->
  (forall k, k < seq_length records -> Forall (fun row => row <= cap) (rows k)) ->
  seq_length splits = seq_length records /\ forall k, k < seq_length records -> seq_at splits k <= seq_length (rows k) /\
    (1 <= seq_at splits k -> seq_at (rows k) (seq_at splits k - 1) < number) /\
    (seq_at splits k < seq_length (rows k) -> number <= seq_at (rows k) (seq_at splits k)).
Proof.
  intros H capped. unfold work_of_cut in H. destruct (splits_fit records (cut_splits stated)) eqn:fits; cbn [negb] in H; [| discriminate].
  apply splits_fit_each in fits as [L fit]. fold splits in L, fit. destruct (cut_low stated); [discriminate |].
  destruct (cut_high stated); [discriminate |]. unfold work_below_number in H. cbv zeta in H. fold splits in H. split; [exact L |].
  intros k K. rewrite rows_many by exact K. split; [now apply fit |].
  destruct (N.ltb_spec number 1) as [small | some]; [| destruct (N.ltb_spec cap number) as [large | within]].
  - destruct (N.eqb_spec (splits_total splits) 0) as [none |]; [| discriminate].
    pose proof (splits_none splits none k) as Z. split; [lia |]. intros _. lia.
  - destruct (N.eqb_spec (splits_total splits) (records_total records)) as [all |]; [| discriminate].
    pose proof (splits_full records splits L fit all k K) as Z. split; [| lia]. intros S. specialize (capped k K).
    rewrite Forall_forall in capped. eapply N.le_lt_trans; [apply capped, seq_at_in; rewrite rows_many by exact K; lia | exact large].
  - injection H as W. assert (W' : work_rows work = compared_rows records splits {| side_most := number - 1; side_least := number;
      side_opened := seq_length records; side_implied := seq_length records |}) by (rewrite <- W; reflexivity). split.
    + intros S. pose proof (compared_low _ k W' L K S) as C. cbn [side_most side_opened] in C. specialize (C ltac:(lia)). lia.
    + intros S. pose proof (compared_high _ k W' L K S) as C. cbn [side_least side_implied] in C. apply C. lia.
Qed.

Theorem rank_work_counted (number : N) : work_of_cut records cap (CutGoal_BelowNumber number) stated = Some work ->
  (forall k, k < seq_length records -> Forall (fun row => row <= cap) (rows k)) ->
  splits_total splits = OrderStatistics.count_below number (OrderStatistics.all_rows parts).
Proof.
  intros H capped. destruct (rank_work_shown number H capped) as [L shown].
  unfold parts. rewrite <- splits_total_parts with (rows := rows) (records := records) by exact L.
  apply OrderStatistics.rank_correct. intros part split I. apply cut_parts_in in I as (k & K & -> & ->).
  split; [now apply rows_ascend | now apply shown].
Qed.

End Rows.

End Cut.
