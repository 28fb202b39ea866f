(** Order statistics of rows in several runs, each in ascending order, from a split of each run.

    - [order_statistic]: the row of a rank, in any ascending arrangement of all rows;
    - [cut_shown]: what an answer shows of a cut: splits that add up to the rank, the last row before one split, the first behind
      another, and that no row before a split is above the former, none behind below the latter;
    - [cut_correct]: then these are the rows of that rank and the next, ties included;
    - [rank_correct]: splits at a threshold count the rows below it;
    - [minimum_correct], [maximum_correct]: the first and the last rank;
    - [percentile_disc_correct]: the rank that percentile_disc asks for has the least row that at least the asked part of
      all rows is at most;
    - [percentile_cont_correct]: two rows around a cut interpolate as percentile_cont does. *)
From Coq Require Import NArith List Bool Lia Sorted Permutation.
From AardvarkSpec Require Import Prelude.
From Aardvark Require Import Lemmas.Sequences.
Import ListNotations.
Local Open Scope N_scope.

(** ** Ascending arrangements *)

Fixpoint inserted (x : N) (l : list N) : list N :=
  match l with
  | [] => [x]
  | y :: rest => if x <=? y then x :: l else y :: inserted x rest
  end.

(** The numbers in ascending order. *)
Definition arranged (l : list N) : list N := fold_right inserted [] l.

Lemma inserted_permutation (x : N) (l : list N) : Permutation (x :: l) (inserted x l).
Proof.
  induction l as [| y l IH]; [reflexivity |]. cbn [inserted]. destruct (x <=? y); [reflexivity |].
  rewrite perm_swap. now constructor.
Qed.

Lemma inserted_sorted (x : N) (l : list N) : StronglySorted N.le l -> StronglySorted N.le (inserted x l).
Proof.
  induction 1 as [| y l sorted IH above]; [repeat constructor |]. cbn [inserted]. destruct (N.leb_spec x y) as [L | L].
  - constructor; [now constructor |]. constructor; [exact L |]. eapply Forall_impl; [| exact above]. intros z Z. cbv beta in Z. lia.
  - constructor; [exact IH |]. apply Forall_forall. intros z I.
    apply (Permutation_in _ (Permutation_sym (inserted_permutation x l))) in I. destruct I as [<- | I]; [lia |].
    rewrite Forall_forall in above. now apply above.
Qed.

Lemma arranged_permutation (l : list N) : Permutation l (arranged l).
Proof. induction l as [| x l IH]; [reflexivity |]. cbn [arranged fold_right]. rewrite <- inserted_permutation. now constructor. Qed.

Lemma arranged_sorted (l : list N) : StronglySorted N.le (arranged l).
Proof. induction l as [| x l IH]; [constructor |]. now apply inserted_sorted. Qed.

(** There is one ascending arrangement. *)
Lemma sorted_unique (l l' : list N) : StronglySorted N.le l -> StronglySorted N.le l' -> Permutation l l' -> l = l'.
Proof.
  intros S. revert l'. induction S as [| x l S IH above]; intros l' S' P; [now apply Permutation_nil in P |].
  destruct S' as [| x' l' S' above']; [apply Permutation_sym, Permutation_nil in P; discriminate |].
  rewrite Forall_forall in above, above'. assert (E : x = x').
  { apply N.le_antisymm.
    - assert (I : In x' (x :: l)) by (apply (Permutation_in _ (Permutation_sym P)); now left). destruct I as [-> | I]; [lia | now apply above].
    - assert (I : In x (x' :: l')) by (apply (Permutation_in _ P); now left). destruct I as [-> | I]; [lia | now apply above']. }
  subst x'. f_equal. apply IH; [exact S' |]. now apply Permutation_cons_inv in P.
Qed.

(** The row of a rank, from 1 on: what stands there in every ascending arrangement. *)
Definition order_statistic (rows : list N) (rank x : N) : Prop :=
  1 <= rank <= seq_length rows /\
  forall ascending, Permutation rows ascending -> StronglySorted N.le ascending -> seq_at ascending (rank - 1) = x.

Lemma order_statistic_at (rows : list N) (rank : N) : 1 <= rank <= seq_length rows ->
  order_statistic rows rank (seq_at (arranged rows) (rank - 1)).
Proof.
  intros L. split; [exact L |]. intros ascending P S. f_equal. apply sorted_unique; [exact S | apply arranged_sorted |].
  now rewrite <- P, <- arranged_permutation.
Qed.

Lemma order_statistic_unique (rows : list N) (rank x y : N) : order_statistic rows rank x -> order_statistic rows rank y -> x = y.
Proof.
  intros [_ X] [_ Y]. now rewrite <- (X (arranged rows)), (Y (arranged rows))
    by (apply arranged_permutation || apply arranged_sorted).
Qed.

(** Rows in two parts, no row of the first above one of the second: the ranks around the gap. *)
Lemma parted_statistics (before after : list N) (x : N) : In x before -> (forall v, In v before -> v <= x) -> (forall v, In v after -> x <= v) ->
  order_statistic (before ++ after) (seq_length before) x /\
  forall y, In y after -> (forall v, In v after -> y <= v) -> order_statistic (before ++ after) (seq_length before + 1) y.
Proof.
  intros X below above.
  assert (arrangement : forall ascending, Permutation (before ++ after) ascending -> StronglySorted N.le ascending ->
    ascending = arranged before ++ arranged after).
  { intros ascending P S. apply sorted_unique; [exact S | | rewrite <- P; apply Permutation_app; apply arranged_permutation].
    assert (B : forall v, In v (arranged before) -> v <= x).
    { intros v I. apply below. exact (Permutation_in _ (Permutation_sym (arranged_permutation _)) I). }
    pose proof (arranged_sorted before) as S'. revert B S'. generalize (arranged before). intros l B S'.
    induction S' as [| v l S' IH higher]; [apply arranged_sorted |]. cbn [app]. constructor; [apply IH; intros; apply B; now right |].
    apply Forall_app. split; [exact higher |]. apply Forall_forall. intros z Z.
    apply (Permutation_in _ (Permutation_sym (arranged_permutation _))) in Z. specialize (B v (or_introl eq_refl)).
    specialize (above z Z). lia. }
  assert (L : seq_length (arranged before) = seq_length before).
  { unfold seq_length. now rewrite <- (Permutation_length (arranged_permutation before)). }
  assert (some : 1 <= seq_length before) by (destruct before as [| v before]; [destruct X | rewrite seq_length_cons; lia]).
  split.
  - split; [rewrite seq_length_app; lia |]. intros ascending P S. rewrite (arrangement ascending P S), seq_at_app_l by lia.
    apply N.le_antisymm.
    + apply below. apply (Permutation_in _ (Permutation_sym (arranged_permutation before))), seq_at_in. lia.
    + apply (Permutation_in _ (arranged_permutation before)) in X. rewrite <- L in some |- *. pose proof (arranged_sorted before) as S'.
      revert X S' some. generalize (arranged before). clear. intros l I S. induction S as [| v l S IH higher]; [destruct I |]. intros _.
      rewrite Forall_forall in higher. destruct (list_eq_dec N.eq_dec l []) as [-> | D].
      * destruct I as [<- | []]. cbn. lia.
      * assert (M : 1 <= seq_length l) by (destruct l; [contradiction | rewrite seq_length_cons; lia]).
        rewrite seq_length_cons. replace (seq_length l + 1 - 1) with (seq_length l - 1 + 1) by lia. rewrite seq_at_succ.
        destruct I as [<- | I]; [| now apply IH]. apply higher, seq_at_in. lia.
  - intros y Y least. split; [rewrite seq_length_app; destruct after; [destruct Y | rewrite seq_length_cons; lia] |].
    intros ascending P S. rewrite (arrangement ascending P S), seq_at_app_r by lia. replace (seq_length before + 1 - 1 - seq_length (arranged before)) with 0 by lia.
    apply (Permutation_in _ (arranged_permutation after)) in Y. pose proof (arranged_sorted after) as S'.
    assert (least' : forall v, In v (arranged after) -> y <= v).
    { intros v I. apply least. exact (Permutation_in _ (Permutation_sym (arranged_permutation _)) I). }
    destruct S' as [| v l S' higher]; [destruct Y |]. rewrite seq_at_zero. rewrite Forall_forall in higher.
    apply N.le_antisymm; [| apply least'; now left]. destruct Y as [-> | Y]; [lia | now apply higher].
Qed.

(** ** Cuts *)

(** Runs with the split of each: how many of its rows lie before the cut. *)
Definition all_rows (parts : list (list N * N)) : list N := flat_map fst parts.
Definition rows_before (parts : list (list N * N)) : list N := flat_map (fun '(rows, split) => firstn (N.to_nat split) rows) parts.
Definition rows_after (parts : list (list N * N)) : list N := flat_map (fun '(rows, split) => skipn (N.to_nat split) rows) parts.
Definition splits_total (parts : list (list N * N)) : N := fold_right (fun part total => snd part + total) 0 parts.

(** What an answer shows of a cut at a rank: the low end x, and the high end y where there is one. *)
Record cut_shown (parts : list (list N * N)) (rank x : N) (high : option N) : Prop := {
  splits_inside : forall rows split, In (rows, split) parts -> split <= seq_length rows;
  splits_add_up : splits_total parts = rank;
  low_end : exists rows split, In (rows, split) parts /\ 1 <= split /\ seq_at rows (split - 1) = x;
  none_above : forall rows split, In (rows, split) parts -> 1 <= split -> seq_at rows (split - 1) <= x;
  high_end : match high with
    | Some y => x <= y /\ exists rows split, In (rows, split) parts /\ split < seq_length rows /\ seq_at rows split = y
    | None => True
    end;
  none_below : forall rows split, In (rows, split) parts -> split < seq_length rows ->
    match high with Some y => y | None => x end <= seq_at rows split;
}.

Lemma all_rows_parted (parts : list (list N * N)) : Permutation (all_rows parts) (rows_before parts ++ rows_after parts).
Proof.
  induction parts as [| [rows split] parts IH]; [reflexivity |].
  change (all_rows ((rows, split) :: parts)) with (rows ++ all_rows parts).
  change (rows_before ((rows, split) :: parts)) with (firstn (N.to_nat split) rows ++ rows_before parts).
  change (rows_after ((rows, split) :: parts)) with (skipn (N.to_nat split) rows ++ rows_after parts).
  rewrite IH, <- (firstn_skipn (N.to_nat split) rows) at 1. rewrite <- !app_assoc. apply Permutation_app_head.
  rewrite !app_assoc. apply Permutation_app_tail, Permutation_app_comm.
Qed.

Lemma rows_before_length (parts : list (list N * N)) :
  (forall rows split, In (rows, split) parts -> split <= seq_length rows) -> seq_length (rows_before parts) = splits_total parts.
Proof.
  induction parts as [| [rows split] parts IH]; intros inside; [reflexivity |].
  change (rows_before ((rows, split) :: parts)) with (firstn (N.to_nat split) rows ++ rows_before parts).
  rewrite seq_length_app, IH by (intros; apply inside; now right). cbn [splits_total fold_right snd]. f_equal.
  specialize (inside rows split (or_introl eq_refl)). unfold seq_length in *. rewrite firstn_length. lia.
Qed.

(** In ascending rows, none before a split is above the last one before it, none behind below the first one behind. *)
Lemma ascending_at (rows : list N) (i j : N) : StronglySorted N.le rows -> i <= j -> j < seq_length rows -> seq_at rows i <= seq_at rows j.
Proof.
  intros S. revert i j. induction S as [| row rows S IH higher]; intros i j L B; [unfold seq_length in B; simpl in B; lia |].
  rewrite seq_length_cons in B. destruct (N.eq_dec j 0) as [-> | J]; [now replace i with 0 by lia |].
  replace j with (j - 1 + 1) by lia. rewrite seq_at_succ. destruct (N.eq_dec i 0) as [-> | D].
  - rewrite seq_at_zero. rewrite Forall_forall in higher. apply higher, seq_at_in. lia.
  - replace i with (i - 1 + 1) by lia. rewrite seq_at_succ. apply IH; lia.
Qed.

Lemma in_before (rows : list N) (split v : N) : split <= seq_length rows -> In v (firstn (N.to_nat split) rows) -> exists i, i < split /\ seq_at rows i = v.
Proof.
  intros L I. destruct (In_nth _ _ default I) as (m & M & E). rewrite firstn_length in M. exists (N.of_nat m).
  split; [lia |]. rewrite seq_at_nat. rewrite <- E. symmetry. apply nth_firstn. lia.
Qed.

Lemma in_after (rows : list N) (split v : N) : In v (skipn (N.to_nat split) rows) -> exists i, split <= i /\ i < seq_length rows /\ seq_at rows i = v.
Proof.
  intros I. destruct (In_nth _ _ default I) as (m & M & E). rewrite skipn_length in M. exists (split + N.of_nat m). unfold seq_length.
  split; [lia |]. split; [lia |]. unfold seq_at. rewrite nth_skipn in E. rewrite <- E. f_equal. lia.
Qed.

Lemma before_in (rows : list N) (split i : N) : i < split -> split <= seq_length rows -> In (seq_at rows i) (firstn (N.to_nat split) rows).
Proof.
  intros L B. unfold seq_at. rewrite <- (nth_firstn _ rows (N.to_nat split)) by lia. apply nth_In. rewrite firstn_length. unfold seq_length in B. lia.
Qed.

Lemma after_in (rows : list N) (split i : N) : split <= i -> i < seq_length rows -> In (seq_at rows i) (skipn (N.to_nat split) rows).
Proof.
  intros L B. unfold seq_at. replace (N.to_nat i) with (N.to_nat split + N.to_nat (i - split))%nat by lia. rewrite <- nth_skipn.
  apply nth_In. rewrite skipn_length. unfold seq_length in B. lia.
Qed.

Theorem cut_correct (parts : list (list N * N)) (rank x : N) (high : option N) :
  (forall rows split, In (rows, split) parts -> StronglySorted N.le rows) -> cut_shown parts rank x high ->
  order_statistic (all_rows parts) rank x /\ match high with Some y => order_statistic (all_rows parts) (rank + 1) y | None => True end.
Proof.
  intros ascending [inside add_up low above end_high below].
  assert (same : forall r v, order_statistic (rows_before parts ++ rows_after parts) r v -> order_statistic (all_rows parts) r v).
  { intros r v [R all]. pose proof (all_rows_parted parts) as P. split.
    - unfold seq_length in *. now rewrite (Permutation_length P).
    - intros arrangement Q. apply all. now rewrite <- P. }
  assert (bound : x <= match high with Some y => y | None => x end) by (destruct high; [tauto | lia]).
  assert (before : forall v, In v (rows_before parts) -> v <= x).
  { intros v I. apply in_flat_map in I as ([rows split] & member & I). pose proof (inside rows split member) as L.
    destruct (in_before rows split v L I) as (i & B & <-). specialize (above rows split member ltac:(lia)).
    pose proof (ascending_at rows i (split - 1) (ascending _ _ member) ltac:(lia) ltac:(lia)). lia. }
  assert (after : forall v, In v (rows_after parts) -> match high with Some y => y | None => x end <= v).
  { intros v I. apply in_flat_map in I as ([rows split] & member & I). destruct (in_after rows split v I) as (i & A & B & <-).
    specialize (below rows split member ltac:(lia)). pose proof (ascending_at rows split i (ascending _ _ member) A B). lia. }
  assert (X : In x (rows_before parts)).
  { destruct low as (rows & split & member & some & <-). apply in_flat_map. exists (rows, split). split; [exact member |].
    apply before_in; [lia |]. now apply inside. }
  destruct (parted_statistics (rows_before parts) (rows_after parts) x X before) as [at_rank next].
  { intros v I. specialize (after v I). lia. }
  rewrite rows_before_length, add_up in at_rank, next by exact inside. split; [now apply same |].
  destruct high as [y |]; [| exact I]. apply same, next; [| exact after].
  destruct end_high as (_ & rows & split & member & some & <-). apply in_flat_map. exists (rows, split). split; [exact member |].
  apply after_in; [lia | exact some].
Qed.

(** ** Ranks *)

(** How many rows are below a threshold. *)
Definition count_below (x : N) (rows : list N) : N := seq_length (filter (fun row => row <? x) rows).
(** How many rows are at most a threshold. *)
Definition count_at_most (x : N) (rows : list N) : N := seq_length (filter (fun row => row <=? x) rows).

Lemma filter_all (keep : N -> bool) (l : list N) : (forall v, In v l -> keep v = true) -> filter keep l = l.
Proof. intros K. induction l as [| v l IH]; [reflexivity |]. cbn [filter]. rewrite K by now left. f_equal. apply IH. intros; apply K; now right. Qed.

Lemma filter_nothing (keep : N -> bool) (l : list N) : (forall v, In v l -> keep v = false) -> filter keep l = [].
Proof. intros K. induction l as [| v l IH]; [reflexivity |]. cbn [filter]. rewrite K by now left. apply IH. intros; apply K; now right. Qed.

Lemma filter_permutation (keep : N -> bool) (l l' : list N) : Permutation l l' -> Permutation (filter keep l) (filter keep l').
Proof.
  induction 1 as [| v l l' P IH | v v' l | l l' l'' P IH P' IH']; cbn [filter].
  - reflexivity.
  - destruct (keep v); [now constructor | exact IH].
  - destruct (keep v), (keep v'); try reflexivity. constructor.
  - now rewrite IH.
Qed.

(** Splits with the rows below a threshold before them add up to how many rows are below. *)
Theorem rank_correct (parts : list (list N * N)) (x : N) :
  (forall rows split, In (rows, split) parts -> StronglySorted N.le rows /\ split <= seq_length rows /\
    (1 <= split -> seq_at rows (split - 1) < x) /\ (split < seq_length rows -> x <= seq_at rows split)) ->
  splits_total parts = count_below x (all_rows parts).
Proof.
  induction parts as [| [rows split] parts IH]; intros shown; [reflexivity |].
  change (all_rows ((rows, split) :: parts)) with (rows ++ all_rows parts). unfold count_below. rewrite filter_app, seq_length_app.
  cbn [splits_total fold_right snd]. change (fold_right (fun part total => snd part + total) 0 parts) with (splits_total parts).
  rewrite IH by (intros; apply shown; now right). f_equal. destruct (shown rows split (or_introl eq_refl)) as (S & L & B & A).
  rewrite <- (firstn_skipn (N.to_nat split) rows) at 1. rewrite filter_app, filter_all, filter_nothing.
  - rewrite app_nil_r. unfold seq_length in *. rewrite firstn_length. lia.
  - intros v I. apply N.ltb_ge. destruct (in_after rows split v I) as (i & C & D & <-). specialize (A ltac:(lia)).
    pose proof (ascending_at rows split i S C D). lia.
  - intros v I. apply N.ltb_lt. destruct (in_before rows split v L I) as (i & C & <-). specialize (B ltac:(lia)).
    pose proof (ascending_at rows i (split - 1) S ltac:(lia) ltac:(lia)). lia.
Qed.

(** The row of a rank by counting: at least [rank] rows are at most it, fewer are below it. *)
Lemma order_statistic_counts (rows : list N) (rank x : N) : order_statistic rows rank x ->
  In x rows /\ count_below x rows < rank /\ rank <= count_at_most x rows.
Proof.
  intros [L at_rank]. pose proof (arranged_permutation rows) as P. specialize (at_rank _ P (arranged_sorted rows)).
  assert (len : seq_length (arranged rows) = seq_length rows) by (unfold seq_length; now rewrite (Permutation_length P)).
  split; [apply (Permutation_in _ (Permutation_sym P)); rewrite <- at_rank; apply seq_at_in; lia |].
  unfold count_below, count_at_most, seq_length.
  rewrite (Permutation_length (filter_permutation (fun row => row <? x) _ _ P)), (Permutation_length (filter_permutation (fun row => row <=? x) _ _ P)).
  pose proof (arranged_sorted rows) as S. revert S at_rank len. generalize (arranged rows). intros l S at_rank len.
  split.
  - rewrite <- (firstn_skipn (N.to_nat (rank - 1)) l) at 1. rewrite filter_app, app_length, (filter_nothing _ (skipn _ l)).
    + cbn [length]. pose proof (firstn_length (N.to_nat (rank - 1)) l) as M.
      assert (F : (length (filter (fun row => (row <? x)%N) (firstn (N.to_nat (rank - 1)) l)) <= length (firstn (N.to_nat (rank - 1)) l))%nat).
      { generalize (firstn (N.to_nat (rank - 1)) l). clear. intros k. induction k as [| v k IH]; cbn [filter length]; [lia |]. destruct (v <? x); cbn [length]; lia. }
      lia.
    + intros v I. apply N.ltb_ge. destruct (in_after l (rank - 1) v I) as (i & C & D & <-). rewrite <- at_rank. now apply ascending_at.
  - rewrite <- (firstn_skipn (N.to_nat rank) l) at 1. rewrite filter_app, app_length, (filter_all _ (firstn _ l)).
    + rewrite firstn_length. unfold seq_length in *. lia.
    + intros v I. apply N.leb_le. destruct (in_before l rank v ltac:(lia) I) as (i & C & <-). rewrite <- at_rank. apply ascending_at; [exact S | lia | lia].
Qed.

Lemma count_monotone (x y : N) (rows : list N) : x < y -> count_at_most x rows <= count_below y rows.
Proof.
  intros L. unfold count_at_most, count_below. induction rows as [| v rows IH]; [reflexivity |]. cbn [filter].
  destruct (N.leb_spec v x), (N.ltb_spec v y); rewrite ?seq_length_cons; lia.
Qed.

(** ** Percentiles *)

(** The rank of percentile_disc of [k / q] among [count] rows: at least 1. *)
Definition disc_rank (count k q : N) : N := N.max 1 ((count * k + q - 1) / q).

(** The row of that rank is the least one that at least a [k / q] part of all rows is at most. *)
Theorem percentile_disc_correct (rows : list N) (k q x : N) : 1 <= q -> k <= q -> 1 <= seq_length rows ->
  order_statistic rows (disc_rank (seq_length rows) k q) x ->
  In x rows /\ k * seq_length rows <= q * count_at_most x rows /\
  forall y, In y rows -> k * seq_length rows <= q * count_at_most y rows -> x <= y.
Proof.
  intros Q K some stat. destruct (order_statistic_counts rows _ x stat) as (member & below & most). split; [exact member |].
  unfold disc_rank in *. set (n := seq_length rows) in *.
  pose proof (N.div_mod (n * k + q - 1) q ltac:(lia)) as D. pose proof (N.mod_lt (n * k + q - 1) q ltac:(lia)) as M.
  set (ceiling := (n * k + q - 1) / q) in *. set (rest := (n * k + q - 1) mod q) in *. clearbody rest ceiling. split; [nia |]. intros y member' enough. destruct (N.le_gt_cases x y) as [B | B]; [exact B | exfalso].
  pose proof (count_monotone y x rows B) as few.
  assert (some' : 1 <= count_at_most y rows).
  { unfold count_at_most. assert (I : In y (filter (fun row => row <=? y) rows)) by (apply filter_In; split; [exact member' | apply N.leb_refl]).
    destruct (filter (fun row => row <=? y) rows); [destruct I | rewrite seq_length_cons; lia]. }
  assert (C : ceiling <= count_at_most y rows); [| lia]. apply N.lt_succ_r, (N.mul_lt_mono_pos_l q); [lia |].
  rewrite N.mul_succ_r. rewrite (N.mul_comm k n) in enough. clear - D M enough Q. lia.
Qed.

(** ** The ends *)

Theorem minimum_correct (rows : list N) (x : N) : order_statistic rows 1 x -> In x rows /\ forall v, In v rows -> x <= v.
Proof.
  intros stat. destruct (order_statistic_counts rows 1 x stat) as (member & none & _). split; [exact member |]. intros v I.
  destruct (N.le_gt_cases x v) as [L | L]; [exact L | exfalso]. unfold count_below in none.
  assert (J : In v (filter (fun row => row <? x) rows)) by (apply filter_In; split; [exact I | now apply N.ltb_lt]).
  destruct (filter (fun row => row <? x) rows); [destruct J | rewrite seq_length_cons in none; lia].
Qed.

Lemma all_kept (keep : N -> bool) (l : list N) : seq_length l <= seq_length (filter keep l) -> forall v, In v l -> keep v = true.
Proof.
  assert (fewer : forall l, seq_length (filter keep l) <= seq_length l).
  { clear. intros l. induction l as [| v l IH]; [reflexivity |]. cbn [filter]. destruct (keep v); rewrite ?seq_length_cons; lia. }
  induction l as [| v l IH]; intros L w I; [destruct I |]. cbn [filter] in L. pose proof (fewer l). destruct (keep v) eqn:K.
  - rewrite !seq_length_cons in L. destruct I as [<- | I]; [exact K | apply IH; [lia | exact I]].
  - rewrite seq_length_cons in L. lia.
Qed.

Theorem maximum_correct (rows : list N) (x : N) : order_statistic rows (seq_length rows) x -> In x rows /\ forall v, In v rows -> v <= x.
Proof.
  intros stat. destruct (order_statistic_counts rows _ x stat) as (member & _ & all). split; [exact member |]. intros v I.
  apply N.leb_le. now apply (all_kept (fun row => row <=? x) rows).
Qed.

(** ** Interpolation *)

(** q times what percentile_cont of [k / q] is: with h = (n - 1) k / q, the rows at the positions around h, in ascending order
    from 0 on, each by how near h is to the other. *)
Definition interpolated (rows : list N) (k q : N) : N :=
  let h := (seq_length rows - 1) * k in
  (q - h mod q) * seq_at (arranged rows) (h / q) + (h mod q) * seq_at (arranged rows) (h / q + 1).

(** The rank of the cut, and what the answer computes from its ends. *)
Definition cont_rank (count k q : N) : N := (count - 1) * k / q + 1.
Definition cont_value (count k q x : N) (high : option N) : N :=
  match high with
  | Some y => (q - (count - 1) * k mod q) * x + ((count - 1) * k mod q) * y
  | None => q * x
  end.

Theorem percentile_cont_correct (parts : list (list N * N)) (k q x : N) (high : option N) : 1 <= q ->
  (forall rows split, In (rows, split) parts -> StronglySorted N.le rows) ->
  let count := seq_length (all_rows parts) in
  cut_shown parts (cont_rank count k q) x high -> (high = None -> (count - 1) * k mod q = 0) ->
  cont_value count k q x high = interpolated (all_rows parts) k q.
Proof.
  intros Q ascending count shown ends. destruct (cut_correct parts _ x high ascending shown) as [[_ low] next].
  pose proof (arranged_permutation (all_rows parts)) as P. pose proof (arranged_sorted (all_rows parts)) as S.
  specialize (low _ P S). unfold cont_rank in low. rewrite N.add_sub in low. unfold interpolated, cont_value. cbv zeta. fold count.
  rewrite low. destruct high as [y |].
  - destruct next as [_ next]. specialize (next _ P S). unfold cont_rank in next. rewrite N.add_sub in next. now rewrite next.
  - rewrite (ends eq_refl), N.sub_0_r. lia.
Qed.
