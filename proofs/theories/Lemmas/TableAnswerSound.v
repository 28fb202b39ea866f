(** What the claims of an accepted answer say of certified rows.

    - [fold_true_or_broken]: all claims of an accepted answer are true of the polynomials under their commitments, or the opening is broken:
      a polynomial that vanishes at tau is at hand, or its challenges are counted;
    - [totals_meant]: true claims of totals are the sums of powers of all rows of their groups;
    - [row_meant]: the true claim of a row is that of the run's row at its position. *)
From Coq Require Import NArith List Bool Lia Ring Field.
From AardvarkSpec Require Import Prelude Base.Integers Base.Bytes Base.Scalar Base.Hash Base.Group Commitment.Kzg Commitment.Opening Commitment.Scheme
  Commitment.FoldedOpening Table.DomainValues Table.RunRecord Table.Sheet Table.TableSchema Table.TableQuery Table.TableKey Table.Totals
  Table.TableAnswer Table.TableAnswerOrder Table.TableAnswerClaims Table.TableAnswerVerifier.
From Aardvark Require Import Lemmas.LoopLemmas Safety.BoundsSafe Lemmas.Field Spec.Base.Scalar Spec.Base.Group Lemmas.Polynomials
  Lemmas.PolynomialRoots Spec.Commitment.FoldedOpening Lemmas.FoldedSound Lemmas.SheetRelations Lemmas.Totals Spec.Table.Totals
  Spec.Table.TableAnswerVerifier.
From Aardvark Require Lemmas.Sequences.
Import ListNotations.
Local Open Scope N_scope.

Section Sound.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {root : PrimitiveRoot scalar_given} {hash_given : HashGiven}.

Add Field scalars : scalar_field.

Variable kzg : KzgSetup.

(** ** Claims, and the polynomials under their commitments *)

Definition claims_known (claims : list FoldedClaim) (polynomials : list (list Scalar)) : Prop :=
  Forall2 (fun claim p => folded_commitment claim = polynomial_element kzg p) claims polynomials.
Definition claims_true (claims : list FoldedClaim) (polynomials : list (list Scalar)) : Prop :=
  Forall2 (fun claim p => polynomial_at p (folded_point claim) = folded_value claim) claims polynomials.

(** The prover of the algebraic group model knows polynomials under the two points of an opening. *)
Definition opening_known (opening : option ReceivedFold) (w w' : list Scalar) : Prop :=
  match opening with
  | None => True
  | Some fold => fold_quotient_point fold = Opening_Point (polynomial_element kzg w) /\
      fold_witness_point fold = Opening_Point (polynomial_element kzg w')
  end.

(** The opening under the challenges of a seed hands over a polynomial that is not 0 and vanishes at tau, or some claim is false and
    the challenges are among those that are counted (Folded.v). *)
Definition opening_broken (claims : list FoldedClaim) (polynomials : list (list Scalar)) (seed : ByteString) (opening : option ReceivedFold)
    (w w' : list Scalar) : Prop :=
  match opening with
  | None => False
  | Some fold =>
      let gammas := fold_gammas seed (seq_length claims) in
      let z := fold_point seed (fold_quotient_bytes fold) in
      let under i := seq_at polynomials i in
      finds_tau kzg (fold_break claims under gammas z w w') = true \/
      exists k, k < seq_length claims /\ claim_error claims under k <> scalar_of_N 0 /\ challenges_counted claims under k gammas w z = true
  end.

Lemma forall2_places {A B : Type} `{Default A} `{Default B} (P : A -> B -> Prop) (s : list A) (t : list B) : Forall2 P s t <->
  seq_length s = seq_length t /\ forall i, i < seq_length s -> P (seq_at s i) (seq_at t i).
Proof.
  split.
  - intros E. induction E as [|x y s t X E [L I]]; [split; [reflexivity|]; intros i Li; unfold seq_length in Li; cbn in Li; lia|].
    rewrite !seq_length_cons. split; [lia|]. intros i Li. destruct (N.eq_dec i 0) as [->|D]; [exact X|].
    replace i with (i - 1 + 1) by lia. rewrite !seq_at_cons_succ. apply I. lia.
  - revert t. induction s as [|x s IH]; intros [|y t] (L & I); rewrite ?seq_length_cons, ?seq_length_nil in L; try lia; [constructor|].
    constructor.
    + apply (I 0). rewrite seq_length_cons. lia.
    + apply IH. split; [lia|]. intros i Li. specialize (I (i + 1)). rewrite !seq_at_cons_succ, seq_length_cons in I. apply I. lia.
Qed.

Theorem fold_true_or_broken : forall claims polynomials seed opening w w',
  claims_known claims polynomials -> opening_known opening w w' -> check_fold_form claims opening = Ok tt ->
  check_table_fold (Setup_Kzg kzg) claims seed opening = Ok tt ->
  claims_true claims polynomials \/ opening_broken claims polynomials seed opening w w'.
Proof.
  intros claims polynomials seed opening w w' K O form shown. pose proof K as K'. apply forall2_places in K' as [L K'].
  destruct opening as [fold|].
  2:{ left. cbn in form. apply expect_table_ok, N.eqb_eq in form. apply forall2_places. split; [exact L|]. lia. }
  destruct O as [Ow Ow']. cbn [check_table_fold] in shown. apply expect_table_ok in shown. unfold fold_shows, points_of_fold in shown.
  rewrite Ow, Ow' in shown. cbn [opening_broken]. cbv zeta. set (gammas := fold_gammas seed (seq_length claims)) in *. set (z := fold_point seed _) in *.
  set (under := fun i => seq_at polynomials i).
  destruct (find (fun i => negb (claim_error claims under i [=?] scalar_of_N 0)) (range 0 (seq_length claims))) as [k|] eqn:E.
  - right. apply find_some in E as [I wrong]. apply in_range in I. apply negb_true_iff in wrong.
    destruct (accepted_fold_decided claims under kzg gammas z w w' k) as [found|counted]; [|exact shown|now left|].
    + intros i Li. now apply K'.
    + right. exists k. split; [lia|]. split; [|exact counted]. intros Z. rewrite Z in wrong.
      apply not_true_iff_false in wrong. apply wrong. now apply scalar_eqb_iff.
  - left. apply forall2_places. split; [exact L|]. intros i Li. pose proof (find_none _ _ E i ltac:(apply in_range; lia)) as Z.
    apply negb_false_iff, scalar_eqb_iff in Z. unfold claim_error in Z. now apply (proj1 (scalar_sub_zero _ _)) in Z.
Qed.

(** ** Certified runs *)

(** What is known under a run's commitments, and its rows. *)
Record KnownRun : Type := {
  run_values : list Scalar;
  run_sums : N -> list Scalar;
  run_rows : list N;
}.
Variable known : BoxRun -> KnownRun.

(** A record as [certificate_sound] says that an accepted certificate's segments are: the polynomials under it have on its domain the
    rows, which ascend from 0 to the cap, and their suffix sums; and there are as many rows as it says. *)
Definition record_certified (cap moments : N) (record : RunRecord) (under : KnownRun) : Prop :=
  let n := sheet_size (record_log record) in
  held_element (record_values record) = polynomial_element kzg (run_values under) /\
  (forall p, p < moments -> held_element (seq_at (record_sums record) p) = polynomial_element kzg (run_sums under p)) /\
  seq_length (run_rows under) = record_rows record /\
  segment_stands (guard_position n) cap moments (record_first record) (fun i => polynomial_at (run_values under) (domain_point n i))
    (fun p i => polynomial_at (run_sums under p) (domain_point n i)) (run_rows under).

(** A run of one segment whose record is so. *)
Definition run_certified (cap moments : N) (run : BoxRun) : Prop := record_certified cap moments (record_of run) (known run).

(** What totals are of: the sums of a run's rows stand at 1 under its record, and there are as many rows as it says, none above the cap. *)
Definition run_totalled (cap moments : N) (run : BoxRun) : Prop :=
  (forall p, p < moments -> held_element (seq_at (record_sums (record_of run)) p) = polynomial_element kzg (run_sums (known run) p) /\
    polynomial_at (run_sums (known run) p) scalar_one = scalar_of_N (power_sum (p + 1) (run_rows (known run)))) /\
  seq_length (run_rows (known run)) = record_rows (record_of run) /\
  Forall (fun row => row <= cap) (run_rows (known run)).

Lemma certified_totalled : forall cap moments runs, Forall (run_certified cap moments) runs -> Forall (run_totalled cap moments) runs.
Proof.
  intros cap moments runs. apply Forall_impl. intros run (_ & sums & many & stands). split; [|split; [exact many|apply stands]].
  intros p P. split; [now apply sums|]. pose proof (certified_total _ _ _ _ _ _ _ p stands P) as E. cbv beta in E. rewrite <- E. reflexivity.
Qed.

(** All rows of runs. *)
Definition rows_in (runs : list BoxRun) : list N := concat (map (fun run => run_rows (known run)) runs).

Lemma rows_in_length : forall cap moments runs, Forall (run_totalled cap moments) runs -> seq_length (rows_in runs) = rows_recorded runs.
Proof.
  intros cap moments runs C. induction C as [|run runs (_ & L & _) _ IH]; [reflexivity|]. unfold rows_in in *. cbn [map concat].
  rewrite seq_length_app, IH, L. reflexivity.
Qed.

Lemma forall_members : forall (P : BoxRun -> Prop) widths columns k runs, Forall P runs -> Forall P (members widths columns k runs).
Proof.
  intros P widths columns k runs C. rewrite Forall_forall in *. intros run I. unfold members in I. apply filter_In in I. apply C, I.
Qed.

(** ** Totals *)

(** Under the sum of the commitments to the sums of a power. *)
Definition sums_total (i : N) (runs : list BoxRun) : list Scalar := fold_right (fun run total => added (run_sums (known run) i) total) [] runs.

Lemma sums_total_commits : forall cap moments i runs, i < moments -> Forall (run_totalled cap moments) runs ->
  sums_recorded i runs = polynomial_at (sums_total i runs) (g2_exponent (kzg_key kzg)).
Proof.
  intros cap moments i runs I C. induction C as [|run runs (S & _) _ IH]; [reflexivity|]. rewrite sums_recorded_cons, IH, (proj1 (S i I)).
  cbn [sums_total fold_right]. rewrite added_at. unfold polynomial_element. reflexivity.
Qed.

Lemma sums_total_opens : forall cap moments i runs, i < moments -> Forall (run_totalled cap moments) runs ->
  polynomial_at (sums_total i runs) scalar_one = scalars_total (map (fun rows => scalar_of_N (power_sum (i + 1) rows)) (map (fun run => run_rows (known run)) runs)).
Proof.
  intros cap moments i runs I C. induction C as [|run runs (S & _) _ IH]; [reflexivity|]. cbn [sums_total fold_right map].
  rewrite added_at. cbn [scalars_total fold_right] in *. fold (sums_total i runs). rewrite IH. f_equal. exact (proj2 (S i I)).
Qed.

(** What totals are meant to be: of each group the sums of the powers of all its rows, as numbers. *)
Definition totals_meaning (widths columns : list N) (runs : list BoxRun) (groups : list GroupTotals) (stated : list (list ByteString)) : Prop :=
  forall j i, j < seq_length stated -> i < seq_length (seq_at stated j) ->
    number_of_bytes (seq_at (seq_at stated j) i) = power_sum (i + 1) (rows_in (members widths columns (group_key (seq_at groups j)) runs)).

(** The polynomials under the claims of totals. *)
Definition totals_under (widths columns : list N) (runs : list BoxRun) (groups : list GroupTotals) (stated : list (list ByteString)) : list (list Scalar) :=
  map (fun place => sums_total (snd place) (members widths columns (group_key (seq_at groups (fst place))) runs)) (total_places stated).

Section Totals.

Variables (widths columns : list N) (cap moments powers : N) (runs : list BoxRun) (stated : list (list ByteString)).
Let groups : list GroupTotals := group_totals runs widths columns.
Hypothesis totalled : Forall (run_totalled cap moments) runs.
Hypothesis many : Forall (fun run => seq_length (record_sums (record_of run)) = moments) runs.
Hypothesis legal : totals_legal stated groups cap powers = true.

Lemma stated_group : forall j, j < seq_length stated -> group_exact widths columns moments runs (seq_at groups j).
Proof.
  intros j J. destruct (totals_legal_each _ _ _ _ legal) as (L & _). destruct (group_totals_exact widths columns moments runs many) as (_ & G & _).
  rewrite Forall_forall in G. apply G, seq_at_in. fold groups. lia.
Qed.

Lemma totals_known : powers <= moments -> claims_known (claims_of_totals stated groups) (totals_under widths columns runs groups stated).
Proof.
  intros P. destruct (totals_legal_each _ _ _ _ legal) as (L & _ & each). rewrite claims_of_totals_map by exact L. unfold totals_under, claims_known.
  assert (all : forall place, In place (total_places stated) -> folded_commitment (total_claim stated groups place) =
    polynomial_element kzg (sums_total (snd place) (members widths columns (group_key (seq_at groups (fst place))) runs))).
  { intros [j i] I. apply total_places_in in I as [J I]. destruct (each j J) as (Ls & _). rewrite Ls in I. cbn [fst snd total_claim folded_commitment].
    destruct (stated_group j J) as (_ & _ & _ & S). apply g1_ext. rewrite S by lia. unfold polynomial_element. group_exponents.
    rewrite (sums_total_commits cap moments) by (lia || apply forall_members; exact totalled). reflexivity. }
  induction (total_places stated) as [|place places IH]; [constructor|]. cbn [map]. constructor; [apply all; now left|]. apply IH. intros p I. apply all. now right.
Qed.

Theorem totals_meant : numbers_differ (2 ^ 232) -> powers <= moments -> moments <= 3 -> cap < 2 ^ 64 -> rows_recorded runs < 2 ^ 40 ->
  Forall (Forall of_bytes) stated -> claims_true (claims_of_totals stated groups) (totals_under widths columns runs groups stated) ->
  totals_meaning widths columns runs groups stated.
Proof.
  intros differ P M C R O T j i J I. destruct (totals_legal_each _ _ _ _ legal) as (L & _ & each). destruct (each j J) as (Ls & _ & bounds).
  rewrite claims_of_totals_map in T by exact L. unfold totals_under in T.
  set (group := members widths columns (group_key (seq_at groups j)) runs).
  assert (here : polynomial_at (sums_total i group) scalar_one = scalar_of_total (seq_at (seq_at stated j) i)).
  { assert (place : In (j, i) (total_places stated)) by (apply total_places_in; auto). revert T place. clear. generalize (total_places stated). intros places T place.
    induction places as [|p places IH]; [destruct place|]. cbn [map] in T. inversion T as [|? ? ? ? X Y]; subst. destruct place as [->|place]; [exact X|auto]. }
  destruct (stated_group j J) as (_ & Rg & _). fold group in Rg.
  assert (few : rows_recorded group < 2 ^ 40).
  { eapply N.le_lt_trans; [apply members_fewer|exact R]. }
  assert (bytes : of_bytes (seq_at (seq_at stated j) i)).
  { rewrite Forall_forall in O. specialize (O _ (seq_at_in _ _ stated j J)). rewrite Forall_forall in O. apply O, seq_at_in. exact I. }
  rewrite Ls in I. specialize (bounds i I). rewrite Rg in bounds.
  apply total_in_bounds_number in bounds; [|exact bytes|exact few|exact C|lia]. destruct bounds as [L32 below].
  pose proof (forall_members _ widths columns (group_key (seq_at groups j)) runs totalled) as Cg. fold group in Cg.
  pose proof (rows_in_length cap moments group Cg) as Lg.
  rewrite (sums_total_opens cap moments) in here by (lia || exact Cg). rewrite scalar_of_total_number in here by exact L32.
  apply (totals_correct (i + 1) cap (2 ^ 232) _ (map (fun run => run_rows (known run)) group)
    (map (fun rows => scalar_of_N (power_sum (i + 1) rows)) (map (fun run => run_rows (known run)) group))); try assumption.
  - apply Forall_forall. intros rows Ir. apply in_map_iff in Ir as (run & <- & Ir). rewrite Forall_forall in Cg.
    destruct (Cg run Ir) as (_ & _ & S). exact S.
  - fold (rows_in group). rewrite Lg. apply power_bounded; [exact few|exact C|lia].
  - reflexivity.
  - fold (rows_in group). now rewrite Lg.
Qed.

End Totals.

(** ** Rows *)

Theorem row_meant : forall cap moments record under row, numbers_differ (2 ^ 232) -> cap < 2 ^ 64 -> record_certified cap moments record under ->
  record_first record + record_rows record <= guard_position (sheet_size (record_log record)) + 1 ->
  row_holds record cap row = true ->
  claims_known [claim_of_row record row] [run_values under] /\
  (claims_true [claim_of_row record row] [run_values under] ->
   TableAnswer.row_value row = seq_at (run_rows under) (row_position row - record_first record)).
Proof.
  intros cap moments record under row differ C (V & _ & L & S) inside H. unfold row_holds in H.
  destruct (N.leb_spec (record_first record) (row_position row)) as [A|]; [|discriminate].
  destruct (N.ltb_spec (row_position row) (record_first record + record_rows record)) as [B|]; [|discriminate].
  cbn [andb] in H. cbv zeta in H. destruct (CommitmentTree.root_of_path _ _ _ _); [|discriminate]. apply andb_true_iff in H as [H _]. apply N.leb_le in H.
  unfold u128_of_u64 in H. split; [constructor; [exact V|constructor]|]. intros T. inversion T as [|? ? ? ? X _]; subst.
  cbn [claim_of_row folded_point folded_value] in X. pose proof (values_are_rows _ _ _ _ _ _ _ S (row_position row) ltac:(lia)) as E. cbv beta in E.
  rewrite E in X. unfold row_at in X. rewrite L, (proj2 (N.leb_le _ _) A), (proj2 (N.ltb_lt _ _) B) in X. cbn [andb] in X.
  symmetry. apply differ; [| |exact X].
  - pose proof (rows_capped _ _ _ _ _ _ _ S) as K. rewrite Forall_forall in K.
    eapply N.le_lt_trans; [apply K, seq_at_in; rewrite L; lia|]. eapply N.lt_trans; [exact C|reflexivity].
  - eapply N.le_lt_trans; [exact H|]. eapply N.lt_trans; [exact C|reflexivity].
Qed.

End Sound.
