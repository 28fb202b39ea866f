(** Parts of the specification's [table_meaning]: sums, counts and groups.

    - [power_total_sum], [rows_below_count], [rows_at_most_count]: the loops are sums and counts;
    - [rank_is_had]: the row of a rank has it by counting, and no other number has;
    - [groups_meant], [groups_grouped]: groups whose totals are sums of powers are [table_meaning]'s. *)
From Coq Require Import NArith List Bool Sorted Lia.
From AardvarkSpec Require Import Prelude Base.Integers Base.Bytes Base.Scalar Base.Hash Base.Group Commitment.Kzg Commitment.Opening Table.DomainValues
  Table.RunRecord Table.Sheet Table.CutGoal Table.Cut Table.TableSchema Table.TableQuery Table.TableKey Table.Totals Table.TableAnswer
  Table.TableAnswerOrder Table.TableAnswerClaims Table.TableAnswerVerifier Table.TableMeaning.
From Aardvark Require Import Lemmas.LoopLemmas Safety.BoundsSafe Lemmas.Field Spec.Base.Bytes Spec.Base.Scalar Lemmas.SheetRelations Spec.Table.Totals
  Spec.Table.TableAnswerVerifier Lemmas.TableAnswerSound.
From Aardvark Require Lemmas.OrderStatistics Lemmas.Sequences.
Import ListNotations.
Local Open Scope N_scope.

(** ** Loops *)

Lemma loop_all : forall (f : N -> bool) count, (forall i, i < count -> f i = true) ->
  fold_left (fun held i => held && f i) (range 0 count) true = true.
Proof.
  intros f count each. apply (loop_invariant _ (fun _ held => held = true)); [lia|reflexivity|]. intros i held I ->. cbn. apply each. lia.
Qed.

Lemma sorted_at {A : Type} {D : Default A} (R : A -> A -> Prop) (l : list A) : StronglySorted R l ->
  forall i j, i < j -> j < seq_length l -> R (seq_at l i) (seq_at l j).
Proof.
  induction 1 as [|x l S IH above]; intros i j L B; [unfold seq_length in B; cbn in B; lia|]. rewrite seq_length_cons in B.
  replace j with (j - 1 + 1) by lia. rewrite seq_at_cons_succ. destruct (N.eq_dec i 0) as [->|N0].
  - change (seq_at (x :: l) 0) with x. rewrite Forall_forall in above. apply above, seq_at_in. lia.
  - replace i with (i - 1 + 1) by lia. rewrite seq_at_cons_succ. apply IH; lia.
Qed.

Lemma fold_left_kept {A B : Type} (keep : B -> bool) (f : A -> B) (l : list A) : forall before,
  fold_left (fun found x => if keep (f x) then found ++ [f x] else found) l before = before ++ filter keep (map f l).
Proof.
  induction l as [|x l IH]; intros before; cbn [fold_left map filter]; [now rewrite app_nil_r|]. rewrite IH. destruct (keep (f x)); [now rewrite <- app_assoc|reflexivity].
Qed.

Lemma counted (keep : N -> bool) (l : list N) : forall before,
  fold_left (fun count row => if keep row then count + 1 else count) l before = before + seq_length (filter keep l).
Proof.
  induction l as [|x l IH]; intros before; cbn [fold_left filter]; [unfold seq_length; cbn; lia|]. rewrite IH. destruct (keep x); rewrite ?seq_length_cons; lia.
Qed.

Lemma rows_below_count : forall rows number, rows_below rows number = OrderStatistics.count_below number rows.
Proof.
  intros rows number. unfold rows_below. rewrite (loop_over_elements _ _ _ (fun count row => rows_below_step count row number)).
  unfold rows_below_step. rewrite (counted (fun row => row <? number)). reflexivity.
Qed.

Lemma rows_at_most_count : forall rows number, rows_at_most rows number = OrderStatistics.count_at_most number rows.
Proof.
  intros rows number. unfold rows_at_most. rewrite (loop_over_elements _ _ _ (fun count row => rows_at_most_step count row number)).
  unfold rows_at_most_step. rewrite (counted (fun row => row <=? number)). reflexivity.
Qed.

(** ** Ranks *)

(** The row of a rank has the rank by counting, and it is the only one of the rows that has. *)
Theorem rank_is_had : forall rows rank x, OrderStatistics.order_statistic rows rank x ->
  has_rank rows x rank = true /\ forall y, In y rows -> has_rank rows y rank = true -> y = x.
Proof.
  intros rows rank x S. destruct (OrderStatistics.order_statistic_counts _ _ _ S) as (member & below & most). unfold has_rank.
  rewrite rows_below_count, rows_at_most_count. split; [apply andb_true_iff; split; [now apply N.ltb_lt|now apply N.leb_le]|].
  intros y _ H. rewrite rows_below_count, rows_at_most_count in H. apply andb_true_iff in H as [B M]. apply N.ltb_lt in B. apply N.leb_le in M.
  destruct (N.lt_trichotomy x y) as [L|[E|L]]; [|now symmetry|].
  - pose proof (OrderStatistics.count_monotone x y rows L). lia.
  - pose proof (OrderStatistics.count_monotone y x rows L). lia.
Qed.

Section Outcomes.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {root : PrimitiveRoot scalar_given} {hash_given : HashGiven}.

Add Field scalars : scalar_field.

(** ** Sums *)

Theorem power_total_sum : forall rows power, power_total rows power = scalar_of_N (power_sum power rows).
Proof.
  intros rows power. unfold power_total. rewrite (loop_over_elements _ _ _ (fun total row => power_total_step total row power)).
  enough (H : forall before, fold_left (fun total row => power_total_step total row power) rows before = before [+] scalar_of_N (power_sum power rows)).
  { rewrite H. unfold scalar_zero. now rewrite <- scalar_of_N_add. }
  induction rows as [|row rows IH]; intros before; cbn [fold_left].
  - unfold power_sum. cbn [fold_right]. ring.
  - rewrite IH. unfold power_total_step, scalar_power, scalar_of_number, u128_of_usize, power_sum. cbn [fold_right].
    rewrite scalar_of_N_add, scalar_of_N_pow. ring.
Qed.

Variables (kzg : KzgSetup) (known : BoxRun -> KnownRun).

(** The rows of a run, as [table_meaning] is given them. *)
Definition meant_box (run : BoxRun) : MeantRun :=
  {| meant_columns := place_columns (run_place run); meant_rows := run_rows (known run) |}.

Lemma meant_rows_all : forall runs, rows_of_all (map meant_box runs) = rows_in known runs.
Proof.
  intros runs. unfold rows_of_all. rewrite (loop_over_elements _ _ _ rows_of_all_step). unfold rows_in.
  enough (H : forall before, fold_left rows_of_all_step (map meant_box runs) before = before ++ concat (map (fun run => run_rows (known run)) runs)).
  { rewrite H. reflexivity. }
  induction runs as [|run runs IH]; intros before; cbn [map fold_left concat]; [now rewrite app_nil_r|].
  rewrite IH. unfold rows_of_all_step. cbn [meant_rows meant_box]. now rewrite <- app_assoc.
Qed.

Lemma meant_members : forall widths columns k runs,
  runs_of_group (map meant_box runs) widths columns k = map meant_box (members widths columns k runs).
Proof.
  intros widths columns k runs. unfold runs_of_group.
  rewrite (loop_over_elements _ _ _ (fun found run => runs_of_group_step found run widths columns k)). unfold runs_of_group_step.
  set (keep := fun run => bytes_equal (group_key_of (meant_columns run) widths columns) k).
  change (fold_left (fun found run => if keep run then found ++ [run] else found) (map meant_box runs) [] = map meant_box (members widths columns k runs)).
  rewrite <- (map_id (map meant_box runs)) at 1. pose proof (fold_left_kept keep (fun run => run) (map meant_box runs) []) as H. rewrite map_id in *.
  cbn [app] in H. rewrite H. clear H. unfold members. induction runs as [|run runs IH]; [reflexivity|]. cbn [map filter]. unfold keep at 1. cbn [meant_columns meant_box].
  fold (group_of widths columns run). destruct (bytes_equal (group_of widths columns run) k); cbn [map]; now rewrite IH.
Qed.

(** ** Totals *)

Section Groups.

Variables (widths columns : list N) (cap moments : N) (runs : list BoxRun) (groups : list GroupTotals) (stated : list (list ByteString)).
Hypothesis totalled : Forall (run_totalled kzg known cap moments) runs.
Hypothesis exact : groups_exact widths columns moments runs groups.
Hypothesis meaning : totals_meaning known widths columns runs groups stated.
Hypothesis sized : forall j i, j < seq_length stated -> i < seq_length (seq_at stated j) -> seq_length (seq_at (seq_at stated j) i) = 32.

Lemma groups_meant : groups_are_meant (map meant_box runs) widths columns groups stated = true.
Proof.
  destruct exact as (ascending & each & _). unfold groups_are_meant. unfold groups_are_meant_step. cbv zeta.
  rewrite (Sequences.fold_left_ext_in _ (fun held i => held && (((i =? 0) || bytes_less (group_key (seq_at groups (i - 1))) (group_key (seq_at groups i))) &&
    group_is_meant (map meant_box runs) widths columns (seq_at groups i) (totals_of_place stated i)))) by (intros; now rewrite andb_assoc).
  apply loop_all. intros i I. apply andb_true_iff. split.
  - destruct (N.eqb_spec i 0) as [->|D]; [reflexivity|]. cbn [orb]. exact (sorted_at _ groups ascending (i - 1) i ltac:(lia) I).
  - rewrite Forall_forall in each. destruct (each _ (seq_at_in _ _ groups i I)) as (some & rows & _). unfold group_is_meant. cbv zeta.
    rewrite meant_members, meant_rows_all. set (here := members widths columns (group_key (seq_at groups i)) runs) in *.
    assert (L : seq_length (rows_in known here) = rows_recorded here).
    { apply (rows_in_length kzg known cap moments). apply forall_members. exact totalled. }
    rewrite rows, L, N.eqb_refl, andb_true_r. apply andb_true_iff. split.
    + apply N.leb_le. destruct here as [|run here']; [contradiction|]. cbn [map]. rewrite seq_length_cons. lia.
    + unfold totals_are_meant, totals_of_place. destruct (N.ltb_spec i (seq_length stated)) as [J|J]; [|reflexivity].
      unfold totals_are_meant_step. apply loop_all. intros p P. apply scalar_eqb_iff.
      rewrite scalar_of_total_number by now apply sized. rewrite (meaning i p J P), power_total_sum. reflexivity.
Qed.

Lemma groups_grouped : runs_are_grouped (map meant_box runs) widths columns groups = true.
Proof.
  destruct exact as (_ & _ & all). unfold runs_are_grouped. rewrite (loop_over_elements _ _ _ (fun grouped run => runs_are_grouped_step grouped run widths columns groups)).
  enough (H : forall l, incl l runs -> fold_left (fun grouped run => runs_are_grouped_step grouped run widths columns groups) (map meant_box l) true = true).
  { apply H, incl_refl. }
  induction l as [|run l IH]; intros inside; [reflexivity|]. cbn [map fold_left]. unfold runs_are_grouped_step at 2. cbn [meant_columns meant_box andb].
  replace (group_is_named groups _) with true; [apply IH; intros x X; apply inside; now right|]. symmetry.
  destruct (all run (inside run (or_introl eq_refl))) as (group & G & K). fold (group_of widths columns run). rewrite <- K. clear - G. unfold group_is_named.
  rewrite (loop_over_elements _ _ _ (fun named found => group_is_named_step named found (group_key group))).
  assert (kept : forall l, fold_left (fun named found => group_is_named_step named found (group_key group)) l true = true).
  { induction l as [|x l IH]; [reflexivity|]. exact IH. }
  revert G. generalize false. induction groups as [|x l IH]; intros before G; [destruct G|]. cbn [fold_left]. destruct G as [->|G]; [|now apply IH].
  unfold group_is_named_step at 2. rewrite (proj2 (bytes_equal_iff _ _) eq_refl), orb_true_r. apply kept.
Qed.

End Groups.

End Outcomes.
