(** Aggregations against adversaries who ask the hash q times.

    - [forged_aggregations_few]: of all tables of a random function, at most a q / |s| part gives one of the q queries of a prover an
      answer that is counted (Spec/Commitment/Aggregation.v), for m claims at a time;
    - [unmet_aggregations_true]: and where no answer is counted, an accepted aggregation of a false claim gives the missing power.

    A query is what its string determines ([transcript_binds]): the claims, with the honest ones about the same commitments and
    indices, which nobody can change; for combiners besides these the coefficients, which the first seed determines, and the
    points. An answer is a list of m scalars; there are no more points than claims. *)
From Coq Require Import Arith NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Commitment.Opening Commitment.Scheme.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Commitment.Scheme Lemmas.Batch
  Lemmas.AggregationLemmas Spec.Commitment.Aggregation Lemmas.OracleBound.
Import ListNotations.
Local Open Scope nat_scope.

Section AggregationOracle.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {root : PrimitiveRoot scalar_given}.

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
      (length batch =? m) &&
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

Theorem forged_aggregations_few (s : list Scalar) (m q : nat) (adversary : Adversary AggregationQuery (list Scalar)) :
  NoDup s ->
  length (filter (meets_bad _ _ (counted_answer m) [] adversary) (choices (choices s m) q))
  <= q * length s ^ (m - 1) * (length s ^ m) ^ (q - 1).
Proof.
  intros distinct. rewrite <- (choices_length s m). apply asked_bad_few.
  intros before [batch honest | batch honest coefficients points]; unfold counted_answer.
  - destruct (Nat.eqb_spec (length batch) m) as [<- | D]; [| rewrite filter_none; [simpl; lia | reflexivity]].
    destruct (first_false batch honest) as [j |] eqn:E; [| rewrite filter_none; [simpl; lia | reflexivity]]. cbn [andb].
    destruct (first_false_some batch honest j E) as [L wrong].
    exact (aggregate_first_challenge batch honest s j distinct L wrong).
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
  length batch = m -> length points <= m -> first_false batch honest = Some j ->
  counted_answer m before (AsksCoefficients batch honest) coefficients = false ->
  counted_answer m before' (AsksCombiners batch honest coefficients points) combiners = false ->
  verify_aggregated setup batch coefficients points combiners = true ->
  is_missing_power setup i (aggregated_break batch honest coefficients points i) = true.
Proof.
  intros i made honesty inside M short E first second accepted. unfold counted_answer in first, second. rewrite E in first, second.
  rewrite (proj2 (Nat.eqb_eq _ _) M) in first. rewrite (proj2 (Nat.leb_le _ _) short) in second. cbn [andb] in first, second.
  destruct (first_false_some batch honest j E) as [L _].
  destruct (accepted_aggregation_decided setup batch honest coefficients points combiners j made honesty L inside accepted)
    as [B | C]; [exact B |]. unfold challenges_counted in C. rewrite first, second in C. discriminate.
Qed.

End AggregationOracle.
