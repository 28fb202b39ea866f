(** Theorems for auditors: what comparisons and cuts of private rows say.

    To understand a statement of this file you need this file, the generated definitions, and definitions of Spec/Table/Comparison.v (the
    polynomials under the points), Lemmas/ComparisonSound.v (the counted challenges), Spec/Table/Cut.v ([cut_parts], [ends_true],
    [item_true]) and Lemmas/OrderStatistics.v ([order_statistic], [count_below]). What is assumed of a prover is the algebraic group
    model, as in Certificates.v; that the claims of a comparison are true of its polynomials is what the fold of an answer
    shows (Folded.v).

    - [comparison_claims_committed]: the prover knows the polynomial under each claim's commitment.
    - [comparison_sound]: where all claims of a comparison are true, each row is on its side of its threshold, as an integer, or
      the challenges are counted.
    - [counted_comparison_betas_few], [counted_comparison_zetas_few]: which are few.
    - [opened_ends]: the claims of a cut are those of its ends.
    - [cut_work_correct]: where the ends and the compared rows are as stated, the ends are the rows of the asked rank and the next.
    - [rank_work_correct]: and splits at a number count the rows below it.
    - [percentile_goals]: which ranks percentiles ask for. *)
From Coq Require Import NArith List Bool Sorted Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Group Commitment.Kzg Commitment.FoldedOpening
  Table.DomainValues Table.RunRecord Table.Sheet Table.Certificate Table.Comparison Table.TableQuery Table.CutGoal Table.Cut.
From Aardvark Require Import Lemmas.Field Lemmas.Polynomials Lemmas.Batch Spec.Commitment.FoldedOpening Lemmas.FoldedSound
  Lemmas.SheetRelations Spec.Table.Comparison Lemmas.ComparisonSound Spec.Table.Cut.
From Aardvark Require Lemmas.OrderStatistics.
Import ListNotations.
Local Open Scope N_scope.

Section Comparisons.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {root : PrimitiveRoot scalar_given} {hash_given : HashGiven}.

(** With each point of the segments and of the comparison its polynomial, there is one for each claim. *)
Theorem comparison_claims_committed (setup : KzgSetup) (bits : N) (items : list ComparedRow) (drawn : ComparisonChallenges) (shown : Comparison)
    (claims : list FoldedClaim) (known : ComparisonPolynomials) (q : list Scalar) :
  claims_of_comparison bits items drawn shown = Ok claims -> comparison_committed setup items shown known q ->
  commits_to_polynomials claims (comparison_polynomial bits items drawn known q) setup.
Proof.
  intros C K. apply claims_of_comparison_parts in C as [legal ->].
  now apply Aardvark.Spec.Table.Comparison.comparison_claims_committed with (shown := shown).
Qed.

(** Rows that are numbers below 2^64 are on their sides of the thresholds. *)
Theorem comparison_sound (bits : N) (items : list ComparedRow) (drawn : ComparisonChallenges) (shown : Comparison) (claims : list FoldedClaim)
    (known : ComparisonPolynomials) (q : list Scalar) (rows : N -> N) :
  numbers_differ (2 ^ 128) -> bits <= 64 -> claims_of_comparison bits items drawn shown = Ok claims ->
  (forall i, i < seq_length claims -> claim_error claims (comparison_polynomial bits items drawn known q) i = scalar_of_N 0) ->
  (forall k, k < seq_length items -> rows k < 2 ^ 64 -> compared_row_value items known k = scalar_of_N (rows k) ->
    if compared_at_most (seq_at items k) then rows k <= compared_threshold (seq_at items k)
    else compared_threshold (seq_at items k) <= rows k) \/
  comparison_counted bits items known drawn q = true.
Proof.
  intros differ few C all_true. apply claims_of_comparison_parts in C as [legal ->].
  rewrite (comparison_claims_length bits items drawn shown legal) in all_true.
  destruct (comparison_counted bits items known drawn q) eqn:fine; [now right | left]. intros k K small row.
  exact (compared_rows_ordered bits items known drawn shown q legal all_true rows differ few fine k K small row).
Qed.

(** At most a 1 / |s| part of the β. *)
Theorem counted_comparison_betas_few (bits : N) (items : list ComparedRow) (known : ComparisonPolynomials) (s : list Scalar) : NoDup s ->
  let all := choices s (N.to_nat (bits + 1)) in
  (length (filter (comparison_betas_counted bits items known) all) * length s <= 1 * length all)%nat.
Proof. apply Aardvark.Lemmas.ComparisonSound.counted_comparison_betas_few. Qed.

(** At most 2 d + 3,072 of the ζ, for polynomials of at most [d] coefficients. *)
Theorem counted_comparison_zetas_few (bits : N) (items : list ComparedRow) (known : ComparisonPolynomials) (d : nat) (betas q s : list Scalar) :
  seq_length items <= MAX_COMPARED -> (forall k, k < seq_length items -> compared_row_legal (seq_at items k) = true) -> (1 <= d)%nat ->
  (forall i, (length (rows_under known i) <= d)%nat /\ (length (comparison_bits_under known i) <= d)%nat /\
    (length (comparison_masks_under known i) <= d)%nat) -> (length q <= d)%nat -> NoDup s ->
  (length (filter (comparison_zeta_counted bits items known betas q) s) <= 2 * d + 3072)%nat.
Proof. intros; apply Aardvark.Lemmas.ComparisonSound.counted_comparison_zetas_few; assumption. Qed.

(** ** Cuts *)

Section Cuts.

Variables (records : list RunRecord) (cap : N) (stated : TableCut) (work : CutWork) (rows : N -> list N).
Let parts : list (list N * N) := cut_parts records rows (cut_splits stated).

(** The claims of a cut are those of its ends. *)
Theorem opened_ends (rank : N) (low : CutEnd) : cut_low stated = Some low ->
  work_of_cut records cap (CutGoal_AtRank rank) stated = Some work \/ work_of_cut records cap (CutGoal_AroundRank rank) stated = Some work ->
  work_claims work = row_claim (seq_at records (end_run low)) (seq_at (cut_splits stated) (end_run low) - 1) (end_value low) ::
    match cut_high stated with
    | Some high => [row_claim (seq_at records (end_run high)) (seq_at (cut_splits stated) (end_run high)) (end_value high)]
    | None => []
    end.
Proof. exact (Aardvark.Spec.Table.Cut.opened_ends records cap stated work rank low). Qed.

(** The runs have rows in ascending order, as many as their records say, and what is asked to be shown of the cut is so. *)
Hypothesis rows_many : forall k, k < seq_length records -> seq_length (rows k) = record_rows (seq_at records k).
Hypothesis rows_ascend : forall k, k < seq_length records -> StronglySorted N.le (rows k).
Hypothesis compared : forall item, In item (work_rows work) -> item_true rows item.

(** Then the low end is the row of the asked rank among all rows, and the high end that of the next, ties included. *)
Theorem cut_work_correct (rank : N) : ends_true rows stated ->
  work_of_cut records cap (CutGoal_AtRank rank) stated = Some work \/ work_of_cut records cap (CutGoal_AroundRank rank) stated = Some work ->
  exists low, cut_low stated = Some low /\ OrderStatistics.order_statistic (OrderStatistics.all_rows parts) rank (end_value low) /\
    forall high, cut_high stated = Some high -> OrderStatistics.order_statistic (OrderStatistics.all_rows parts) (rank + 1) (end_value high).
Proof.
  intros ends W. destruct (cut_work_shown records cap stated work rows rows_many rows_ascend compared rank ends W) as (low & is_low & shown).
  exists low. split; [exact is_low |]. apply OrderStatistics.cut_correct in shown as [at_rank next].
  - split; [exact at_rank |]. intros high is_high. rewrite is_high in next. exact next.
  - intros part split I. apply cut_parts_in in I as (k & K & -> & _). now apply rows_ascend.
Qed.

(** And where the cut is at a number, as many rows as are before it are below the number. *)
Theorem rank_work_correct (number : N) : work_of_cut records cap (CutGoal_BelowNumber number) stated = Some work ->
  (forall k, k < seq_length records -> Forall (fun row => row <= cap) (rows k)) ->
  splits_total (cut_splits stated) = OrderStatistics.count_below number (OrderStatistics.all_rows parts).
Proof. now apply Aardvark.Spec.Table.Cut.rank_work_counted. Qed.

End Cuts.

(** Percentiles ask for the ranks that Statistics.v speaks of, and for the next row where interpolation needs it. *)
Theorem percentile_goals (k q count : N) : 1 <= count -> 1 <= q ->
  cut_goal FUNCTION_PERCENTILE_DISC k q count = CutGoal_AtRank (OrderStatistics.disc_rank count k q) /\
  cut_goal FUNCTION_PERCENTILE_CONT k q count =
    (if (count - 1) * k mod q =? 0 then CutGoal_AtRank (OrderStatistics.cont_rank count k q)
     else CutGoal_AroundRank (OrderStatistics.cont_rank count k q)).
Proof.
  intros C Q. unfold cut_goal, FUNCTION_ORDER, FUNCTION_RANK, FUNCTION_PERCENTILE_DISC, FUNCTION_PERCENTILE_CONT.
  destruct (N.ltb_spec count 1); [lia |]. cbn [N.eqb Pos.eqb].
  destruct (N.ltb_spec q 1); [lia |]. split; [| reflexivity]. f_equal. unfold share_of_rows, OrderStatistics.disc_rank.
  replace (count * k + (q - 1)) with (count * k + q - 1) by lia. destruct (N.leb_spec 1 ((count * k + q - 1) / q)); lia.
Qed.

End Comparisons.
