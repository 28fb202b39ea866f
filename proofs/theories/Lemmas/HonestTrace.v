(** Honest runs of queries answer as the ideal does.

    - [first_decrypts]: the first column decrypts to its bits.
    - [target_rows], [target_short]: the rows of targets, and how many they are.
    - [trace_in_correct], [trace_out_correct]. *)

From Coq Require Import Arith NArith List Bool Lia Ring Field Permutation.
From AardvarkSpec Require Import Prelude Base.Integers Base.Scalar Base.Group Mixnet.Column Mixnet.Sharing Mixnet.ZeroTest
  Mixnet.TracePacked Mixnet.Trace Mixnet.TraceRun.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Base.Scalar Spec.Base.Group Spec.Mixnet.Column
  Lemmas.ColumnCount Spec.Mixnet.Lagrange Spec.Mixnet.Trace Spec.Mixnet.TraceRun.
Import ListNotations.
Local Open Scope N_scope.

Section Honest.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.

Add Field scalars : scalar_field.

Lemma trace_first_column_map (query : TraceQuery) (outputs : list (list G1)) :
  trace_first_column query outputs
  = map (fun i => trace_first_row (trace_first_bit query outputs i)) (range 0 (seq_length outputs)).
Proof. exact (fold_range_append _ 0 (seq_length outputs) []). Qed.

Lemma trace_first_column_length (query : TraceQuery) (outputs : list (list G1)) :
  seq_length (trace_first_column query outputs) = seq_length outputs.
Proof. now rewrite trace_first_column_map, seq_length_map, seq_length_range. Qed.

Lemma first_decrypts (query : TraceQuery) (outputs : list (list G1)) (secret : Scalar) (i : N) :
  i < seq_length outputs ->
  decrypted (seq_at (trace_first_column query outputs) i) secret 1 = bit_element (trace_first_bit query outputs i).
Proof.
  intros L. rewrite trace_first_column_map, nth_map_range by exact L. unfold trace_first_row, decrypted, bit_element, bit_of.
  cbv zeta. simpl app. change (g1_at [?a; ?b] 1) with b. change (g1_at [?a; ?b] 0) with a.
  destruct (trace_first_bit query outputs i); group_solve.
Qed.

Lemma filter_length_range (p : N -> bool) (n : N) : seq_length (filter p (range 0 n)) <= n.
Proof. pose proof (count_at_most p (range 0 n)) as H. rewrite seq_length_range in H. exact H. Qed.

Lemma target_rows (query : TraceQuery) (outputs : list (list G1)) (target : list N) (j : N) :
  trace_legal query outputs = true -> In target (trace_targets query outputs) -> In j target -> j < seq_length outputs.
Proof.
  intros Legal I Ij. unfold trace_legal in Legal. apply andb_true_iff in Legal as [Fits _].
  apply andb_true_iff in Fits as [FI FO]. apply N.eqb_eq in FI, FO. unfold trace_targets in I.
  cbv zeta in I. set (asked := trace_asked query) in I.
  assert (seq_length asked = seq_length outputs) as LA
    by (unfold asked, trace_asked; destruct (trace_direction query); assumption).
  destruct (trace_reveal query).
  - rewrite trace_packs_map in I. apply in_map_iff in I as (i & <- & I). apply pack_rows in Ij.
    rewrite (trace_asked_rows_filter _ _ LA) in Ij. apply filter_In in Ij as [Ij _]. apply range_in in Ij. lia.
  - rewrite trace_targets_any_map in I. apply in_map_iff in I as (i & <- & I). rewrite trace_rows_of_filter in Ij.
    apply filter_In in Ij as [Ij _]. apply range_in in Ij. lia.
  - simpl in I. destruct I as [<- | []]. rewrite (trace_asked_rows_filter _ _ LA) in Ij.
    apply filter_In in Ij as [Ij _]. apply range_in in Ij. lia.
Qed.

Lemma target_short (query : TraceQuery) (outputs : list (list G1)) (target : list N) :
  trace_legal query outputs = true -> In target (trace_targets query outputs) ->
  length_fits (trace_reveal query) target (seq_length outputs).
Proof.
  intros Legal I. unfold trace_legal in Legal. apply andb_true_iff in Legal as [Fits _].
  apply andb_true_iff in Fits as [FI FO]. apply N.eqb_eq in FI, FO. unfold trace_targets in I.
  cbv zeta in I. set (asked := trace_asked query) in I.
  assert (seq_length asked = seq_length outputs) as LA
    by (unfold asked, trace_asked; destruct (trace_direction query); assumption).
  destruct (trace_reveal query).
  - rewrite trace_packs_map in I. apply in_map_iff in I as (i & <- & I). apply pack_short.
  - rewrite trace_targets_any_map in I. apply in_map_iff in I as (i & <- & I).
    split; [rewrite trace_rows_of_filter; apply filter_length_range |]. intros T. simpl in T. now apply N.ltb_ge in T.
  - simpl in I. destruct I as [<- | []]. cbn [length_fits]. rewrite (trace_asked_rows_filter _ _ LA).
    apply filter_length_range.
Qed.

Lemma trace_keys_at (coefficients : list Scalar) (querier : Scalar) :
  1 < seq_length (trace_keys coefficients querier) /\
  g1_at (trace_keys coefficients querier) 0 = g1_generator /\
  g1_at (trace_keys coefficients querier) 1 = g1_multiple (scalar_at coefficients 0 [+] querier).
Proof. split; [reflexivity |]. split; reflexivity. Qed.

Theorem trace_in_correct (query : TraceQuery) (inputs outputs : list (list G1)) (mixers : list TraceMixer)
    (coefficients : list Scalar) (servers : list N) (querier : Scalar) :
  let n := seq_length outputs in
  let assignment := assignment_of mixers n in
  trace_direction query = TraceDirection_TraceIn -> trace_legal query outputs = true ->
  seq_length inputs = n -> all_permute mixers n ->
  (forall i, i < n -> seq_at outputs (seq_at assignment i) = seq_at inputs i) ->
  distinct_servers servers -> (length coefficients <= length servers)%nat -> numbers_differ (n + 2 ^ TRACE_PACKED) ->
  factors_nonzero mixers (seq_length (trace_targets query outputs)) ->
  trace_run query outputs mixers coefficients servers querier = Some (trace_ideal query inputs outputs assignment).
Proof.
  intros n assignment D Legal LI P Same Servers L Numbers Factors.
  destruct (trace_keys_at coefficients querier) as (K & G & Y).
  set (bits := fun i => trace_first_bit query outputs (images_through mixers i)).
  destruct (through_in mixers (trace_keys coefficients querier) _ n (trace_first_column query outputs) K G Y P) as [_ Column].
  { now rewrite trace_first_column_length. }
  rewrite (run_said query outputs mixers coefficients servers querier bits); try assumption.
  - f_equal. apply said_in_ideal; try assumption. intros i Li. rewrite LI in Li. unfold bits, trace_first_bit. rewrite D.
    pose proof (images_through_below mixers n i P Li) as B. unfold n in B. rewrite (proj2 (N.ltb_lt _ _) B). simpl.
    rewrite <- Same by exact Li. unfold assignment. now rewrite assignment_at.
  - intros target j I Ij. pose proof (target_rows query outputs target j Legal I Ij) as Lj.
    rewrite trace_through_folds, D, Column by exact Lj. apply first_decrypts. now apply images_through_below.
  - intros target I. now apply target_short.
Qed.

Theorem trace_out_correct (query : TraceQuery) (inputs outputs : list (list G1)) (mixers : list TraceMixer)
    (coefficients : list Scalar) (servers : list N) (querier : Scalar) :
  let n := seq_length outputs in
  let assignment := assignment_of mixers n in
  trace_direction query = TraceDirection_TraceOut -> trace_legal query outputs = true ->
  seq_length inputs = n -> all_permute mixers n ->
  (forall i, i < n -> seq_at outputs (seq_at assignment i) = seq_at inputs i) ->
  distinct_servers servers -> (length coefficients <= length servers)%nat -> numbers_differ (n + 2 ^ TRACE_PACKED) ->
  factors_nonzero mixers (seq_length (trace_targets query outputs)) ->
  trace_run query outputs mixers coefficients servers querier = Some (trace_ideal query inputs outputs assignment).
Proof.
  intros n assignment D Legal LI P Same Servers L Numbers Factors.
  destruct (trace_keys_at coefficients querier) as (K & G & Y).
  set (bits := fun j => existsb (fun i => (images_through mixers i =? j) && trace_chosen (trace_inputs query) i) (range 0 n)).
  assert (forall i, i < n -> bits (images_through mixers i) = trace_chosen (trace_inputs query) i) as Bits.
  { intros i Li. unfold bits. apply eq_true_iff_eq. rewrite existsb_exists. split.
    - intros (k & I & E). apply range_in in I. apply andb_true_iff in E as [E C]. apply N.eqb_eq in E.
      apply (images_through_injective mixers n) in E; [now subst | exact P | lia | exact Li].
    - intros C. exists i. split; [apply range_in; lia |]. now rewrite N.eqb_refl. }
  pose proof (assignment_permutes mixers n P) as PA.
  destruct (through_out mixers (trace_keys coefficients querier) _ n K G Y P (trace_first_column query outputs)) as [_ Column].
  { now rewrite trace_first_column_length. }
  rewrite (run_said query outputs mixers coefficients servers querier bits); try assumption.
  - f_equal. apply said_out_ideal; try assumption; intros i Li; rewrite LI in Li.
    + now apply Same.
    + unfold assignment. rewrite assignment_at by exact Li. now apply Bits.
  - intros target j I Ij. pose proof (target_rows query outputs target j Legal I Ij) as Lj. rewrite trace_through_folds, D.
    assert (exists i, i < n /\ images_through mixers i = j) as (i & Li & <-).
    { assert (In j (range 0 n)) as R by (apply range_in; split; [apply N.le_0_l | exact Lj]).
      apply (Permutation_in _ (Permutation_sym (images_permutation _ _ PA))) in R.
      apply in_map_iff in R as (i & E & R). apply range_in in R. exists i. split; [lia |]. now rewrite assignment_at in E by lia. }
    rewrite Column, Bits by exact Li. rewrite first_decrypts by exact Li. unfold trace_first_bit. now rewrite D.
  - intros target I. now apply target_short.
Qed.

End Honest.
