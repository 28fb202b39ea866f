(** Adversaries who ask the hash: the bounds on challenges, for those who may try many times.

    The hash that draws challenges is a random function here, sampled lazily: each new query is answered by a choice from a
    finite list, any of them as likely. An adversary is a tree: it asks, and goes on as the answer has it; it remembers what it
    asked, so it asks nothing twice. Its q answers are one of the |S|^q tables, and a bound says of how many of them something
    bad happens. That queries are strings, and that a string says what is asked for, is [batch_seed_binds], [transcript_binds]
    and [fold_seed_binds].

    - [asked_bad_few]: where each answer is bad for at most b of the |S| choices, whatever was asked and answered before, at most
      q b |S|^(q-1) tables show a bad answer: a q b / |S| part;
    - [asked_meets]: an answer that is bad, among those that were given ([asked]), is one that the table shows;
    - [forged_batches_few]: so of all tables for q queries, at most a q / |s| part lets one of the batches that were asked about pass
      with a false claim. *)
From Coq Require Import Arith NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Commitment.Opening Commitment.Scheme.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Lemmas.Batch Lemmas.BatchVerification
  Lemmas.AggregationLemmas.
Import ListNotations.
Local Open Scope nat_scope.

Section Oracle.

Variables Query Answer : Type.

Inductive Adversary : Type :=
| Stops
| Asks (query : Query) (next : Answer -> Adversary).

(** Whether one of the answers is bad, given what was asked and answered before. *)
Fixpoint meets_bad (bad : list (Query * Answer) -> Query -> Answer -> bool) (before : list (Query * Answer))
    (adversary : Adversary) (answers : list Answer) : bool :=
  match adversary, answers with
  | Asks query next, answer :: rest =>
      bad before query answer || meets_bad bad ((query, answer) :: before) (next answer) rest
  | _, _ => false
  end.

(** What was asked and answered, the latest first. *)
Fixpoint asked (before : list (Query * Answer)) (adversary : Adversary) (answers : list Answer) : list (Query * Answer) :=
  match adversary, answers with
  | Asks query next, answer :: rest => asked ((query, answer) :: before) (next answer) rest
  | _, _ => before
  end.

(** An answer that is bad whatever came before, and was given, is one that the table shows. *)
Theorem asked_meets (bad : list (Query * Answer) -> Query -> Answer -> bool) (query : Query) (answer : Answer) :
  (forall before, bad before query answer = true) ->
  forall answers adversary before, In (query, answer) (asked before adversary answers) ->
  In (query, answer) before \/ meets_bad bad before adversary answers = true.
Proof.
  intros wrong answers. induction answers as [| first rest IH]; intros [| query' next] before member;
    cbn [asked meets_bad] in *; auto.
  destruct (IH _ _ member) as [[E | earlier] | met]; [| now left | right; rewrite met; apply orb_true_r].
  right. injection E as E E'. subst. now rewrite wrong.
Qed.

Lemma filter_choices_succ (keep : list Answer -> bool) (s : list Answer) (q : nat) :
  length (filter keep (choices s (S q))) =
  list_sum (map (fun answer => length (filter (fun rest => keep (answer :: rest)) (choices s q))) s).
Proof.
  simpl choices. generalize s at 2 4. intros set. induction set as [| answer set IH]; [reflexivity |].
  cbn [flat_map map list_sum fold_right]. rewrite filter_app, app_length, filter_map_length.
  change (fold_right Nat.add 0) with list_sum. now rewrite <- IH.
Qed.

Theorem asked_bad_few (bad : list (Query * Answer) -> Query -> Answer -> bool) (s : list Answer) (b : nat) :
  (forall before query, length (filter (bad before query) s) <= b) ->
  forall q adversary before,
  length (filter (meets_bad bad before adversary) (choices s q)) <= q * b * length s ^ (q - 1).
Proof.
  intros few q. induction q as [| q IH]; intros adversary before.
  - simpl. destruct adversary; simpl; lia.
  - destruct adversary as [| query next].
    { rewrite filter_none; [simpl; lia | reflexivity]. }
    rewrite filter_choices_succ. etransitivity.
    + apply (list_sum_two_bounds (bad before query) _ _ (length s ^ q) (q * b * length s ^ (q - 1))).
      intros answer _. destruct (bad before query answer) eqn:E.
      * rewrite <- choices_length. etransitivity; [apply filter_length_le | lia].
      * etransitivity; [| apply (IH (next answer) ((query, answer) :: before))].
        apply Nat.eq_le_incl, filter_ext_length. intros rest _. simpl. now rewrite E.
    + specialize (few before query). replace (S q - 1) with q by lia.
      set (m := length s) in *. set (f := length (filter (bad before query) s)) in *.
      destruct q as [| q]; [simpl; lia |]. replace (S q - 1) with q by lia. change (m ^ S q) with (m * m ^ q).
      transitivity (b * (m * m ^ q) + m * (S q * b * m ^ q)); [apply Nat.add_le_mono_r, Nat.mul_le_mono_r; exact few |].
      apply Nat.eq_le_incl. ring.
Qed.

End Oracle.

Section Batches.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {root : PrimitiveRoot scalar_given}.

Variable setup : Setup.

(** The batch has a claim, at an index of the vector, whose opening is not accepted. *)
Definition has_false_claim (batch : list BatchClaim) : bool :=
  existsb (fun claim => (batch_index claim <? setup_vector_size setup)%N && negb (claim_accepted setup claim)) batch.

(** A false batch of [m] claims that passes. *)
Definition forged (m : nat) (before : list (list BatchClaim * list Scalar)) (batch : list BatchClaim)
    (coefficients : list Scalar) : bool :=
  (length batch =? m) && has_false_claim batch && verify_batch setup batch coefficients.

(** An adversary asks for the coefficients of q batches of [m] claims each, and forges where a false one passes. *)
Theorem forged_batches_few (s : list Scalar) (m q : nat) (adversary : Adversary (list BatchClaim) (list Scalar)) :
  NoDup s ->
  length (filter (meets_bad _ _ (forged m) [] adversary) (choices (choices s m) q))
  <= q * length s ^ (m - 1) * (length s ^ m) ^ (q - 1).
Proof.
  intros distinct. rewrite <- (choices_length s m). apply asked_bad_few. intros before batch. unfold forged.
  destruct (Nat.eqb_spec (length batch) m) as [<- | D]; [| rewrite filter_none; [simpl; lia | reflexivity]].
  destruct (has_false_claim batch) eqn:E; [| rewrite filter_none; [simpl; lia | reflexivity]]. simpl.
  unfold has_false_claim in E. apply existsb_exists in E as (claim & member & E). apply andb_true_iff in E as [inside wrong].
  destruct (in_seq_at batch claim member) as (j & L & <-). apply N.ltb_lt in inside. apply negb_true_iff in wrong.
  rewrite (filter_ext_length _ (verify_batch setup batch)) by reflexivity.
  exact (batch_verify_sound setup batch s j distinct L inside wrong).
Qed.

End Batches.
