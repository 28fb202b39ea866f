(** Aggregations against adversaries who ask the hash q times.

    - [forged_aggregations_few]: of all tables of a random function, at most a q / |s| part gives one of the q queries of a prover an
      answer that is counted (Spec/Commitment/Aggregation.v), for at most m claims at a time;
    - [unmet_aggregations_true]: and where no answer is counted, an accepted aggregation of a false claim gives the missing power;
    - [counted_answers_met]: an aggregation under the answers that a prover was given for it: where its challenges are counted,
      the table shows a counted answer.

    A query is what its string determines ([transcript_binds]): the claims, with the honest ones about the same commitments and
    indices, which nobody can change; for combiners besides these the coefficients, which the first seed determines, and the
    points. An answer is a list of m scalars, of which as many are used as there are claims, or points. *)
From Coq Require Import Arith NArith List Bool Lia Ring Field.
From AardvarkSpec Require Import Prelude Base.Scalar Commitment.Opening Commitment.Scheme.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Base.Scalar Spec.Commitment.Scheme Lemmas.Batch
  Lemmas.AggregationLemmas Spec.Commitment.Aggregation Lemmas.OracleBound.
Import ListNotations.
Local Open Scope nat_scope.

Section AggregationOracle.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {root : PrimitiveRoot scalar_given}.

Add Field scalars : scalar_field.

Variable setup : Setup.

Inductive AggregationQuery : Type :=
| AsksCoefficients (batch honest : list BatchClaim)
| AsksCombiners (batch honest : list BatchClaim) (coefficients : list Scalar) (points : list AggregatedOpening).

(** The index of the first claim whose scalar is not the honest one. *)
Definition first_false (batch honest : list BatchClaim) : option N :=
  find (fun j => negb (batch_scalar (seq_at batch j) [=?] batch_scalar (seq_at honest j))) (range 0 (seq_length batch)).

(** The answer is one that is counted for the first false claim. *)
Definition counted_answer (m : nat) (before : list (AggregationQuery * list Scalar)) (query : AggregationQuery)
    (answer : list Scalar) : bool :=
  match query with
  | AsksCoefficients batch honest =>
      (length batch <=? m) &&
      match first_false batch honest with
      | Some j => first_counted batch honest answer (batch_index (seq_at batch j))
      | None => false
      end
  | AsksCombiners batch honest coefficients points =>
      (length points <=? m) &&
      match first_false batch honest with
      | Some j => second_counted setup batch coefficients points answer (batch_index (seq_at batch j))
      | None => false
      end
  end.

Lemma first_false_some (batch honest : list BatchClaim) (j : N) : first_false batch honest = Some j ->
  (j < seq_length batch)%N /\ batch_scalar (seq_at batch j) <> batch_scalar (seq_at honest j).
Proof.
  intros E. destruct (find_some _ _ E) as [I N]. cbv beta in N. apply range_in in I. split; [lia |].
  intros Z. rewrite Z, (proj2 (scalar_eqb_iff _ _) eq_refl) in N. discriminate.
Qed.

(** Answers of [m] scalars that hide a false claim, of which there are at most [m]. *)
Lemma few_first_answers (batch honest : list BatchClaim) (s : list Scalar) (j : N) (m : nat) :
  NoDup s -> length batch <= m -> (j < seq_length batch)%N ->
  batch_scalar (seq_at batch j) <> batch_scalar (seq_at honest j) ->
  length (filter (fun answer => first_counted batch honest answer (batch_index (seq_at batch j))) (choices s m))
  <= length s ^ (m - 1).
Proof.
  intros distinct short L wrong. set (i := batch_index (seq_at batch j)).
  pose (errors := fun k => if (batch_index (seq_at batch k) =? i)%N
    then batch_scalar (seq_at honest k) [-] batch_scalar (seq_at batch k) else scalar_of_N 0).
  pose (extended := fun k => if (k <? seq_length batch)%N then errors k else scalar_of_N 0).
  rewrite (filter_ext_length _ (fun c => combination extended c (N.of_nat m) [=?] scalar_of_N 0)).
  - apply few_choices_vanish; [exact distinct |]. exists j. split; [unfold seq_length in L; lia |].
    unfold extended. rewrite (proj2 (N.ltb_lt _ _) L). unfold errors, i. rewrite N.eqb_refl. apply scalar_sub_nonzero. congruence.
  - intros c _. unfold first_counted. f_equal. unfold extended. rewrite combination_extended by (unfold seq_length; lia).
    unfold scalar_gap, combination. apply sum_ext. intros k _. unfold errors. destruct (_ =? i)%N; ring.
Qed.

Theorem forged_aggregations_few (s : list Scalar) (m q : nat) (adversary : Adversary AggregationQuery (list Scalar)) :
  NoDup s ->
  length (filter (meets_bad _ _ (counted_answer m) [] adversary) (choices (choices s m) q))
  <= q * length s ^ (m - 1) * (length s ^ m) ^ (q - 1).
Proof.
  intros distinct. rewrite <- (choices_length s m). apply asked_bad_few.
  intros before [batch honest | batch honest coefficients points]; unfold counted_answer.
  - destruct (Nat.leb_spec (length batch) m) as [short |]; [| rewrite filter_none; [simpl; lia | reflexivity]].
    destruct (first_false batch honest) as [j |] eqn:E; [| rewrite filter_none; [simpl; lia | reflexivity]]. cbn [andb].
    destruct (first_false_some batch honest j E) as [L wrong].
    exact (few_first_answers batch honest s j m distinct short L wrong).
  - destruct (Nat.leb_spec (length points) m) as [short |]; [| rewrite filter_none; [simpl; lia | reflexivity]].
    destruct (first_false batch honest) as [j |] eqn:E; [| rewrite filter_none; [simpl; lia | reflexivity]]. cbn [andb].
    set (i := batch_index (seq_at batch j)). unfold second_counted.
    destruct (find (fun point => (aggregated_index point =? i)%N) points) as [point |] eqn:found;
      [| rewrite filter_none; [simpl; lia | reflexivity]].
    destruct (find_some _ _ found) as [member _].
    destruct (point_accepted setup batch coefficients point) eqn:accepted; cbn [negb andb];
      [rewrite filter_none; [simpl; lia | reflexivity] |].
    exact (aggregate_second_challenge setup batch coefficients points s m point distinct short member accepted).
Qed.

(** What is accepted where neither answer is counted. *)
Theorem unmet_aggregations_true (m : nat) (batch honest : list BatchClaim) (coefficients combiners : list Scalar)
    (points : list AggregatedOpening) (j : N) (before before' : list (AggregationQuery * list Scalar)) :
  let i := batch_index (seq_at batch j) in
  well_made setup -> honest_for setup batch honest -> (i < setup_vector_size setup)%N ->
  length batch <= m -> length points <= m -> first_false batch honest = Some j ->
  counted_answer m before (AsksCoefficients batch honest) coefficients = false ->
  counted_answer m before' (AsksCombiners batch honest coefficients points) combiners = false ->
  verify_aggregated setup batch coefficients points combiners = true ->
  is_missing_power setup i (aggregated_break batch honest coefficients points i) = true.
Proof.
  intros i made honesty inside M short E first second accepted. unfold counted_answer in first, second. rewrite E in first, second.
  rewrite (proj2 (Nat.leb_le _ _) M) in first. rewrite (proj2 (Nat.leb_le _ _) short) in second. cbn [andb] in first, second.
  destruct (first_false_some batch honest j E) as [L _].
  destruct (accepted_aggregation_decided setup batch honest coefficients points combiners j made honesty L inside accepted)
    as [B | C]; [exact B |]. unfold challenges_counted in C. rewrite first, second in C. discriminate.
Qed.

(** ** The answers as challenges *)

(** Only the first coefficients count, one a claim, *)
Lemma first_counted_same (batch honest : list BatchClaim) (coefficients answer : list Scalar) (i : N) :
  (forall j, (j < seq_length batch)%N -> scalar_at coefficients j = scalar_at answer j) ->
  first_counted batch honest coefficients i = first_counted batch honest answer i.
Proof.
  intros same. unfold first_counted, scalar_gap. f_equal. apply sum_ext. intros j L. now rewrite same.
Qed.

(** and the first combiners, one a point. *)
Lemma verify_aggregated_same (batch : list BatchClaim) (coefficients : list Scalar) (points : list AggregatedOpening)
    (combiners answer : list Scalar) :
  (forall k, (k < seq_length points)%N -> scalar_at combiners k = scalar_at answer k) ->
  verify_aggregated setup batch coefficients points combiners = verify_aggregated setup batch coefficients points answer.
Proof.
  intros same. apply eq_true_iff_eq. rewrite !verify_aggregated_iff. unfold combination.
  now rewrite (sum_ext _ (fun k => scalar_at answer k [*] point_error setup batch coefficients (seq_at points k)))
    by (intros k L; now rewrite same).
Qed.

(** A prover was given [first] and [second] for an aggregation; its challenges are the first scalars of these. *)
Theorem counted_answers_met (m : nat) (batch honest : list BatchClaim) (coefficients combiners first second : list Scalar)
    (points : list AggregatedOpening) (j : N) (adversary : Adversary AggregationQuery (list Scalar)) (table : list (list Scalar)) :
  length batch <= m -> length points <= m -> first_false batch honest = Some j ->
  (forall k, (k < seq_length batch)%N -> scalar_at coefficients k = scalar_at first k) ->
  (forall k, (k < seq_length points)%N -> scalar_at combiners k = scalar_at second k) ->
  In (AsksCoefficients batch honest, first) (asked _ _ [] adversary table) ->
  In (AsksCombiners batch honest coefficients points, second) (asked _ _ [] adversary table) ->
  challenges_counted setup batch honest coefficients points combiners (batch_index (seq_at batch j)) = true ->
  meets_bad _ _ (counted_answer m) [] adversary table = true.
Proof.
  intros few short E same same' one two C. unfold challenges_counted in C. apply orb_true_iff in C as [C | C].
  - refine (match asked_meets _ _ (counted_answer m) _ first _ table adversary [] one with
      | or_introl none => match none with end | or_intror met => met end).
    intros before. unfold counted_answer. rewrite E, (proj2 (Nat.leb_le _ _) few). cbn [andb].
    now rewrite <- (first_counted_same batch honest coefficients first).
  - refine (match asked_meets _ _ (counted_answer m) _ second _ table adversary [] two with
      | or_introl none => match none with end | or_intror met => met end).
    intros before. unfold counted_answer. rewrite E, (proj2 (Nat.leb_le _ _) short). cbn [andb].
    unfold second_counted in *. destruct (find _ points); [| exact C].
    now rewrite <- (verify_aggregated_same batch coefficients points combiners second).
Qed.

End AggregationOracle.
