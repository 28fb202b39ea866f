(** Cuts of runs of which an answer shows some segments: rows that are not shown are on the side of the cut where the shown ones around them
    put them.

    - [long_parts]: the rows of all pieces and of the stretches between them, each with how many of them are before the cut;
    - [long_parts_rows]: they are all rows;
    - [long_parts_total]: before the cut are the rows that the splits say, and those that are not shown and are found there;
    - [long_parts_on_sides]: where the shown rows next to the splits are on their sides, all rows are. *)
From Coq Require Import NArith List Bool Sorted Lia.
From AardvarkSpec Require Import Prelude Base.Hash Base.Scalar Base.Group Table.RunRecord Table.RunSegments Table.Cut Table.LongRuns.
From Aardvark Require Import Lemmas.Sequences Spec.Table.Cut.
From Aardvark Require Lemmas.OrderStatistics Lemmas.LoopLemmas.
Import ListNotations.
Local Open Scope N_scope.

(** ** Sequences *)

Lemma sorted_parts {A : Type} (R : A -> A -> Prop) (s t : list A) : StronglySorted R (s ++ t) -> StronglySorted R s /\ StronglySorted R t.
Proof.
  induction s as [|x s IH]; intros S; [split; [constructor|exact S]|]. cbn [app] in S. inversion S as [|? ? S' above]; subst.
  destruct (IH S') as [S1 S2]. split; [|exact S2]. constructor; [exact S1|]. now apply Forall_app in above.
Qed.

Lemma sorted_slice (rows : list N) (start count : N) : StronglySorted N.le rows -> StronglySorted N.le (seq_slice rows start count).
Proof.
  intros S. unfold seq_slice. rewrite <- (firstn_skipn (N.to_nat start) rows) in S. apply sorted_parts in S as [_ S].
  rewrite <- (firstn_skipn (N.to_nat count)) in S. now apply sorted_parts in S.
Qed.

Lemma slice_append {A : Type} (s : list A) (m k : N) : seq_slice s 0 m ++ seq_slice s m k = seq_slice s 0 (m + k).
Proof.
  unfold seq_slice. cbn [N.to_nat skipn]. replace (N.to_nat (m + k)) with (N.to_nat m + N.to_nat k)%nat by lia.
  generalize (N.to_nat m) (N.to_nat k). intros i j. revert s. induction i as [|i IH]; intros s; [reflexivity|].
  destruct s as [|x s]; [cbn; now rewrite !firstn_nil|]. cbn [Nat.add firstn skipn app]. f_equal. apply IH.
Qed.

Lemma slice_all {A : Type} (s : list A) : seq_slice s 0 (seq_length s) = s.
Proof. unfold seq_slice, seq_length. cbn [N.to_nat skipn]. rewrite Nnat.Nat2N.id. apply firstn_all. Qed.

Section LongCut.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** ** Parts *)

Variables (rows : LongRun -> list N) (splits : list N).

Definition piece_at (run : LongRun) (i : N) : RunPiece := seq_at (long_pieces run) i.
Definition piece_size (run : LongRun) (i : N) : N := record_rows (piece_record (piece_at run i)).

(** Where the rows behind a piece begin, and where the following piece does. *)
Definition behind_piece (run : LongRun) (i : N) : N := piece_rank (piece_at run i) + piece_size run i.
Definition following_piece (run : LongRun) (i : N) : N :=
  if i + 1 <? seq_length (long_pieces run) then piece_rank (piece_at run (i + 1)) else long_rows (long_head run).

(** Whether the piece behind number [i], whose place among all is [place], has a row before the cut. *)
Definition next_before (run : LongRun) (place i : N) : bool :=
  if (i + 1 <? seq_length (long_pieces run)) && (place + 1 <? seq_length splits) then 1 <=? seq_at splits (place + 1) else false.

(** A piece, and the rows behind it that are not shown. *)
Definition stretches (run : LongRun) (place i : N) : list (list N * N) :=
  [(seq_slice (rows run) (piece_rank (piece_at run i)) (piece_size run i), seq_at splits (place + i));
   (seq_slice (rows run) (behind_piece run i) (rows_hidden_behind run i), if next_before run (place + i) i then rows_hidden_behind run i else 0)].

Definition run_parts (run : LongRun) (place : N) : list (list N * N) := flat_map (stretches run place) (range 0 (seq_length (long_pieces run))).

Fixpoint long_parts (runs : list LongRun) (place : N) : list (list N * N) :=
  match runs with
  | [] => []
  | run :: rest => run_parts run place ++ long_parts rest (place + seq_length (long_pieces run))
  end.

(** How many pieces runs have. *)
Definition piece_count (runs : list LongRun) : N := fold_right (fun run total => seq_length (long_pieces run) + total) 0 runs.

Lemma piece_count_app (s t : list LongRun) : piece_count (s ++ t) = piece_count s + piece_count t.
Proof. unfold piece_count. induction s as [|run s IH]; [reflexivity|]. cbn [app fold_right]. rewrite IH. lia. Qed.

Lemma piece_of_place (runs : list LongRun) (k : N) : k < piece_count runs ->
  exists before run after i, runs = before ++ run :: after /\ i < seq_length (long_pieces run) /\ k = piece_count before + i.
Proof.
  revert k. induction runs as [|run runs IH]; intros k K; [cbn in K; lia|]. change (piece_count (run :: runs)) with (seq_length (long_pieces run) + piece_count runs) in K.
  destruct (N.lt_ge_cases k (seq_length (long_pieces run))) as [L|L].
  - exists [], run, runs, k. split; [reflexivity|]. split; [exact L|reflexivity].
  - destruct (IH (k - seq_length (long_pieces run)) ltac:(lia)) as (before & other & after & i & -> & I & E). exists (run :: before), other, after, i.
    split; [reflexivity|]. split; [exact I|]. change (piece_count (run :: before)) with (seq_length (long_pieces run) + piece_count before). lia.
Qed.

Lemma long_parts_in (runs : list LongRun) (place : N) (part : list N * N) : In part (long_parts runs place) <->
  exists before run after i, runs = before ++ run :: after /\ i < seq_length (long_pieces run) /\ In part (stretches run (place + piece_count before) i).
Proof.
  revert place. induction runs as [|run runs IH]; intros place.
  - split; [intros []|]. intros (before & run & after & i & E & _). destruct before; discriminate.
  - cbn [long_parts]. rewrite in_app_iff, IH. unfold run_parts. rewrite in_flat_map. split.
    + intros [(i & I & J)|(before & other & after & i & -> & I & J)].
      * apply range_in in I. exists [], run, runs, i. split; [reflexivity|]. split; [lia|]. cbn [piece_count fold_right]. now rewrite N.add_0_r.
      * exists (run :: before), other, after, i. split; [reflexivity|]. split; [exact I|].
        change (piece_count (run :: before)) with (seq_length (long_pieces run) + piece_count before). now rewrite N.add_assoc.
    + intros (before & other & after & i & E & I & J). destruct before as [|first before]; injection E as -> E.
      * left. exists i. split; [apply range_in; lia|]. cbn [piece_count fold_right] in J. now rewrite N.add_0_r in J.
      * right. exists before, other, after, i. split; [exact E|]. split; [exact I|].
        change (piece_count (first :: before)) with (seq_length (long_pieces first) + piece_count before) in J. now rewrite N.add_assoc in J.
Qed.

(** ** Rows *)

(** The pieces of a run lie in its rows, one behind the other. *)
Record pieces_laid (run : LongRun) : Prop := {
  laid_rows : seq_length (rows run) = long_rows (long_head run);
  laid_some : 1 <= seq_length (long_pieces run);
  laid_first : piece_rank (piece_at run 0) = 0;
  laid_apart : forall i, i < seq_length (long_pieces run) -> behind_piece run i <= following_piece run i;
}.

Lemma following_inside (run : LongRun) (i : N) : pieces_laid run -> i < seq_length (long_pieces run) -> following_piece run i <= long_rows (long_head run).
Proof.
  intros laid I. remember (N.to_nat (seq_length (long_pieces run) - i)) as left eqn:E. revert i I E.
  induction left as [|left IH]; intros i I E; [lia|]. unfold following_piece at 1. destruct (N.ltb_spec (i + 1) (seq_length (long_pieces run))) as [L|L]; [|lia].
  specialize (IH (i + 1) L ltac:(lia)). pose proof (laid_apart run laid (i + 1) L) as A. unfold behind_piece in A. lia.
Qed.

Lemma hidden_behind (run : LongRun) (i : N) : pieces_laid run -> i < seq_length (long_pieces run) ->
  behind_piece run i + rows_hidden_behind run i = following_piece run i.
Proof.
  intros laid I. pose proof (laid_apart run laid i I) as A. unfold rows_hidden_behind. cbv zeta. fold (piece_at run i) (piece_at run (i + 1)).
  fold (piece_size run i) (behind_piece run i) (following_piece run i). rewrite (proj2 (N.leb_le _ _) A). lia.
Qed.

Lemma all_rows_app (s t : list (list N * N)) : OrderStatistics.all_rows (s ++ t) = OrderStatistics.all_rows s ++ OrderStatistics.all_rows t.
Proof. apply flat_map_app. Qed.

Lemma run_parts_rows (run : LongRun) (place : N) : pieces_laid run -> OrderStatistics.all_rows (run_parts run place) = rows run.
Proof.
  intros laid. unfold run_parts. set (count := seq_length (long_pieces run)).
  assert (G : forall i, i < count -> OrderStatistics.all_rows (flat_map (stretches run place) (range 0 (i + 1))) = seq_slice (rows run) 0 (following_piece run i)).
  { assert (step : forall i, i < count -> OrderStatistics.all_rows (flat_map (stretches run place) (range 0 i)) = seq_slice (rows run) 0 (piece_rank (piece_at run i)) ->
      OrderStatistics.all_rows (flat_map (stretches run place) (range 0 (i + 1))) = seq_slice (rows run) 0 (following_piece run i)).
    { intros i I E. rewrite range_last, flat_map_app, all_rows_app, E by lia. cbn [flat_map]. rewrite app_nil_r. unfold OrderStatistics.all_rows, stretches.
      cbn [flat_map fst]. rewrite app_nil_r, app_assoc, slice_append. fold (behind_piece run i). rewrite slice_append, hidden_behind by assumption. reflexivity. }
    induction i as [|i IH] using N.peano_ind; intros I; apply step; try assumption.
    - rewrite (laid_first run laid). reflexivity.
    - rewrite <- N.add_1_r in *. rewrite IH by lia. unfold following_piece. fold count. now rewrite (proj2 (N.ltb_lt _ _) I). }
  pose proof (laid_some run laid) as some. fold count in some. replace count with (count - 1 + 1) by lia. rewrite G by lia. unfold following_piece. fold count.
  destruct (N.ltb_spec (count - 1 + 1) count); [lia|]. rewrite <- (laid_rows run laid). apply slice_all.
Qed.

Theorem long_parts_rows (runs : list LongRun) (place : N) : Forall pieces_laid runs ->
  OrderStatistics.all_rows (long_parts runs place) = concat (map rows runs).
Proof.
  intros laid. revert place. induction laid as [|run runs L _ IH]; intros place; [reflexivity|]. cbn [long_parts map concat].
  now rewrite all_rows_app, run_parts_rows, IH.
Qed.

(** ** What is found of rows that are not shown *)

(** The splits of so many pieces from a place on. *)
Definition splits_from (place count : N) : N := fold_right N.add 0 (map (seq_at splits) (range place (place + count))).

Lemma sum_app (s t : list N) : fold_right N.add 0 (s ++ t) = fold_right N.add 0 s + fold_right N.add 0 t.
Proof. induction s as [|x s IH]; [reflexivity|]. cbn [app fold_right]. rewrite IH. lia. Qed.

Lemma splits_from_add (place count more : N) : splits_from place (count + more) = splits_from place count + splits_from (place + count) more.
Proof.
  unfold splits_from. rewrite (range_split place (place + count) (place + (count + more))) by lia. rewrite map_app, sum_app. now rewrite N.add_assoc.
Qed.

Lemma splits_from_all : splits_from 0 (seq_length splits) = splits_total splits.
Proof.
  rewrite splits_total_sum. unfold splits_from. rewrite N.add_0_l. f_equal. apply (LoopLemmas.seq_ext _ _).
  - now rewrite seq_length_map, seq_length_range.
  - intros i I. rewrite seq_length_map, seq_length_range in I. now rewrite nth_map_range.
Qed.

Lemma parts_total_app (s t : list (list N * N)) : OrderStatistics.splits_total (s ++ t) = OrderStatistics.splits_total s + OrderStatistics.splits_total t.
Proof. unfold OrderStatistics.splits_total. induction s as [|part s IH]; [reflexivity|]. cbn [app fold_right]. rewrite IH. lia. Qed.

(** The rows behind piece [i] are on a side. *)
Definition stretch_settled (run : LongRun) (place i : N) : Prop :=
  rows_hidden_behind run i = 0 \/ next_before run (place + i) i = true \/
  (place + i < seq_length splits /\ seq_at splits (place + i) < piece_size run i).

Lemma hidden_of_run_parts (run : LongRun) (before : HiddenRows) :
  let found := hidden_of_run before run splits in
  hidden_place found = hidden_place before + seq_length (long_pieces run) /\
  hidden_before before + OrderStatistics.splits_total (run_parts run (hidden_place before))
    = hidden_before found + splits_from (hidden_place before) (seq_length (long_pieces run)) /\
  (hidden_settled found = true -> hidden_settled before = true /\
    forall i, i < seq_length (long_pieces run) -> stretch_settled run (hidden_place before) i).
Proof.
  cbv zeta. unfold hidden_of_run, run_parts. set (place := hidden_place before).
  assert (G : forall count, let found := fold_left (fun found i => hidden_of_run_step found run splits i) (range 0 count) before in
    hidden_place found = place + count /\
    hidden_before before + OrderStatistics.splits_total (flat_map (stretches run place) (range 0 count)) = hidden_before found + splits_from place count /\
    (hidden_settled found = true -> hidden_settled before = true /\ forall i, i < count -> stretch_settled run place i)); [|apply G].
  induction count as [|count IH] using N.peano_ind; cbv zeta.
  - split; [rewrite N.add_0_r; reflexivity|]. split; [unfold splits_from; rewrite (range_empty place) by lia; reflexivity|].
    intros S. split; [exact S|]. intros i I. lia.
  - rewrite <- N.add_1_r, range_last, fold_left_app, flat_map_app, parts_total_app by lia. cbn [fold_left]. cbv zeta in IH.
    set (found := fold_left _ (range 0 count) before) in *. destruct IH as (P & T & S).
    rewrite splits_from_add. replace (splits_from (place + count) 1) with (seq_at splits (place + count))
      by (unfold splits_from; rewrite range_last, range_empty by lia; cbn [app map fold_right]; lia).
    assert (here : OrderStatistics.splits_total (flat_map (stretches run place) [count])
      = seq_at splits (place + count) + (if next_before run (place + count) count then rows_hidden_behind run count else 0)).
    { unfold stretches, OrderStatistics.splits_total. cbn [flat_map app fold_right snd]. lia. }
    rewrite here. clear here.
    unfold hidden_of_run_step. cbv zeta. cbn [hidden_place hidden_before hidden_settled]. rewrite P.
    assert (E : (if (count + 1 <? seq_length (long_pieces run)) && (place + count + 1 <? seq_length splits) then 1 <=? seq_at splits (place + count + 1) else false)
      = next_before run (place + count) count) by reflexivity.
    rewrite E. fold (piece_at run count). fold (piece_size run count). split; [lia|]. split; [destruct (next_before run (place + count) count); lia|].
    intros H. apply andb_true_iff in H as [H here]. destruct (S H) as [H' each]. split; [exact H'|]. intros i I.
    destruct (N.eq_dec i count) as [->|D]; [|apply each; lia]. unfold stretch_settled. apply orb_true_iff in here as [here|own].
    + apply orb_true_iff in here as [none|next]; [left; now apply N.eqb_eq|right; left; exact next].
    + right. right. destruct (N.ltb_spec (place + count) (seq_length splits)); [|discriminate]. apply N.ltb_lt in own. auto.
Qed.

Theorem long_parts_total (runs : list LongRun) : seq_length splits = piece_count runs ->
  OrderStatistics.splits_total (long_parts runs 0) = splits_total splits + hidden_before (hidden_rows runs splits) /\
  (hidden_settled (hidden_rows runs splits) = true -> forall before run after i, runs = before ++ run :: after ->
    i < seq_length (long_pieces run) -> stretch_settled run (piece_count before) i).
Proof.
  intros L. unfold hidden_rows. rewrite (LoopLemmas.loop_over_elements _ _ _ (fun found run => hidden_rows_step found run splits)).
  assert (G : forall runs start, let found := fold_left (fun found run => hidden_rows_step found run splits) runs start in
    hidden_before start + OrderStatistics.splits_total (long_parts runs (hidden_place start)) = hidden_before found + splits_from (hidden_place start) (piece_count runs) /\
    (hidden_settled found = true -> hidden_settled start = true /\ forall before run after i, runs = before ++ run :: after ->
      i < seq_length (long_pieces run) -> stretch_settled run (hidden_place start + piece_count before) i)).
  { clear L runs. induction runs as [|run runs IH]; intros start; cbv zeta; cbn [fold_left long_parts].
    - split; [unfold splits_from; cbn [piece_count fold_right]; rewrite range_empty by lia; reflexivity|].
      intros S. split; [exact S|]. intros before run after i E. destruct before; discriminate.
    - destruct (hidden_of_run_parts run start) as (P & T & S). fold (hidden_rows_step start run splits) in P, T, S.
      specialize (IH (hidden_rows_step start run splits)). cbv zeta in IH. rewrite P in IH. destruct IH as [IH1 IH2].
      change (piece_count (run :: runs)) with (seq_length (long_pieces run) + piece_count runs). rewrite splits_from_add, parts_total_app. split; [lia|].
      intros H. destruct (IH2 H) as [H' later]. destruct (S H') as [H'' here]. split; [exact H''|]. intros before other after i E I.
      destruct before as [|first before]; injection E as -> E.
      + cbn [piece_count fold_right]. rewrite N.add_0_r. now apply here.
      + change (piece_count (first :: before)) with (seq_length (long_pieces first) + piece_count before). rewrite N.add_assoc. exact (later before other after i E I). }
  destruct (G runs {| hidden_place := 0; hidden_before := 0; hidden_settled := true |}) as [T S]. cbn [hidden_place hidden_before] in T, S.
  rewrite <- L, splits_from_all in T. split; [lia|]. intros H. destruct (S H) as [_ each]. exact each.
Qed.

(** ** Sides *)

(** Rows below or at [most] are before the cut, rows at or above [least] behind it: what is asked for of the shown rows next to the splits. *)
Variables (P Q : N -> Prop).
Hypothesis downward : forall x y, x <= y -> P y -> P x.
Hypothesis upward : forall x y, x <= y -> Q x -> Q y.

Theorem long_parts_on_sides (runs : list LongRun) : Forall pieces_laid runs -> Forall (fun run => StronglySorted N.le (rows run)) runs ->
  seq_length splits = piece_count runs -> hidden_settled (hidden_rows runs splits) = true ->
  (forall before run after i, runs = before ++ run :: after -> i < seq_length (long_pieces run) ->
    let split := seq_at splits (piece_count before + i) in
    split <= piece_size run i /\
    (1 <= split -> P (seq_at (rows run) (piece_rank (piece_at run i) + (split - 1)))) /\
    (split < piece_size run i -> Q (seq_at (rows run) (piece_rank (piece_at run i) + split)))) ->
  forall part split, In (part, split) (long_parts runs 0) -> StronglySorted N.le part /\ split <= seq_length part /\
    (1 <= split -> P (seq_at part (split - 1))) /\ (split < seq_length part -> Q (seq_at part split)).
Proof.
  intros all_laid all_sorted L settled shown part split J. apply long_parts_in in J as (before & run & after & i & E & I & J). cbn [N.add] in J.
  destruct (long_parts_total runs L) as [_ S]. specialize (S settled before run after i E I).
  assert (member : In run runs) by (rewrite E; apply in_app_iff; right; now left). rewrite Forall_forall in all_laid, all_sorted.
  pose proof (all_laid _ member) as laid. pose proof (all_sorted _ member) as sorted. pose proof (following_inside run i laid I) as end_inside.
  pose proof (hidden_behind run i laid I) as hidden. pose proof (laid_rows run laid) as many. rewrite <- many in end_inside.
  destruct (shown before run after i E I) as (fits & low & high). set (place := piece_count before) in *.
  assert (inside : behind_piece run i <= seq_length (rows run)) by (pose proof (laid_apart run laid i I); lia). unfold behind_piece in inside.
  unfold stretches in J. destruct J as [J|[J|[]]]; injection J as <- <-.
  - assert (length : seq_length (seq_slice (rows run) (piece_rank (piece_at run i)) (piece_size run i)) = piece_size run i) by (apply LoopLemmas.seq_length_slice; exact inside).
    split; [now apply sorted_slice|]. rewrite length. split; [exact fits|]. split; intros H.
    + rewrite seq_slice_at by lia. now apply low.
    + rewrite seq_slice_at by lia. now apply high.
  - set (count := rows_hidden_behind run i) in *.
    assert (length : seq_length (seq_slice (rows run) (behind_piece run i) count) = count) by (apply LoopLemmas.seq_length_slice; lia).
    split; [now apply sorted_slice|]. rewrite length. destruct (next_before run (place + i) i) eqn:next.
    + split; [lia|]. split; [|lia]. intros some. rewrite seq_slice_at by lia. unfold next_before in next.
      destruct (N.ltb_spec (i + 1) (seq_length (long_pieces run))) as [I'|]; [|discriminate]. cbn [andb] in next.
      destruct (N.ltb_spec (place + i + 1) (seq_length splits)); [|discriminate]. apply N.leb_le in next.
      destruct (shown before run after (i + 1) E I') as (fits' & low' & _). fold place in fits', low'. rewrite N.add_assoc in fits', low'. specialize (low' next).
      unfold following_piece in hidden. rewrite (proj2 (N.ltb_lt _ _) I') in hidden. refine (downward _ _ _ low').
      apply OrderStatistics.ascending_at; [exact sorted|lia|]. pose proof (laid_apart run laid (i + 1) I') as apart. unfold behind_piece in apart.
      pose proof (following_inside run (i + 1) laid I'). lia.
    + split; [lia|]. split; [lia|]. intros some. destruct S as [none|[next'|[_ own]]]; [fold count in none; lia|congruence|].
      fold place in own. rewrite seq_slice_at by lia. refine (upward _ _ _ (high own)). apply OrderStatistics.ascending_at; [exact sorted|unfold behind_piece; lia|lia].
Qed.

(** A piece's rows with its split are one of the parts. *)
Lemma piece_is_part (runs before : list LongRun) (run : LongRun) (after : list LongRun) (i : N) : runs = before ++ run :: after ->
  i < seq_length (long_pieces run) ->
  In (seq_slice (rows run) (piece_rank (piece_at run i)) (piece_size run i), seq_at splits (piece_count before + i)) (long_parts runs 0).
Proof. intros E I. apply long_parts_in. exists before, run, after, i. split; [exact E|]. split; [exact I|]. now left. Qed.

End LongCut.
