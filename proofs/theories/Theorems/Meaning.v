(** Theorems for auditors: accepted answers about private rows, and the specification's [table_meaning] of lists of integers.

    [answer_correct_or_breaks] (TableAnswers.v) says what an accepted answer means in terms of this page's kind: sums, ordered rows,
    counts. The specification says the same as a function that can be run, [table_meaning], and tests run it. These theorems tie the two.

    To understand a statement of this file you need this file, the generated definitions, of Lemmas/TableAnswerSound.v [KnownRun] and
    [run_certified], of Lemmas/TableMeaning.v [answer_meaning], of Lemmas/MeantOutcomes.v [meant_run], and of Lemmas/OrderStatistics.v
    [order_statistic].

    - [meaning_is_specified]: an accepted answer that means what it states is what [table_meaning] computes of its runs' rows;
    - [rank_is_specified]: a number has a rank for [table_meaning] exactly if it stands there in ascending order. *)
From Coq Require Import NArith List Bool Ring_theory.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Group Commitment.Kzg Commitment.Opening Commitment.Scheme Answer.AnswerProof
  Table.TableSchema Table.TableQuery Table.TableAnswer Table.TableAnswerVerifier Table.TableMeaning.
From Aardvark Require Import Lemmas.Field Lemmas.TableAnswerSound Lemmas.TableMeaning Lemmas.MeantOutcomes.
From Aardvark Require Lemmas.OrderStatistics.
Import ListNotations.
Local Open Scope N_scope.

Theorem rank_is_specified : forall rows rank x, In x rows -> 1 <= rank <= seq_length rows ->
  (has_rank rows x rank = true <-> OrderStatistics.order_statistic rows rank x).
Proof.
  intros rows rank x member inside. split; intros H; [|now apply rank_is_had].
  pose proof (OrderStatistics.order_statistic_at rows rank inside) as S. now rewrite (proj2 (rank_is_had _ _ _ S) x member H).
Qed.

Section Meaning.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** The scalars are a field whose equality is decided, numbers are sums of ones in it, and the given root of unity has order 4096. *)
Hypothesis laws :
  ring_theory (scalar_of_N 0) (scalar_of_N 1) scalar_add scalar_mul scalar_sub (fun x => scalar_of_N 0 [-] x) eq /\
  scalar_of_N 1 <> scalar_of_N 0 /\
  (forall x, x <> scalar_of_N 0 -> scalar_inv x [*] x = scalar_of_N 1) /\
  (forall a b, (a [=?] b) = true <-> a = b) /\
  (forall m n, scalar_of_N (m + n) = scalar_of_N m [+] scalar_of_N n).
Lemma lawful_scalars : LawfulScalars F.
Proof. destruct laws as (R & O & I & E & A). constructor; assumption. Qed.
#[local] Existing Instance lawful_scalars.

Theorem meaning_is_specified : forall (kzg : KzgSetup) (known : BoxRun -> KnownRun) trusted query schema answer outcome,
  verify_table_answer (Setup_Kzg kzg) trusted query schema answer = Ok outcome ->
  Forall (run_certified kzg known (cap_of_query query schema) (moments_of_query query schema)) (outcome_runs outcome) ->
  answer_meaning known query schema answer outcome ->
  table_meaning query schema (map (meant_run known) (outcome_runs outcome)) (outcome_groups outcome) (outcome_totals outcome)
    (order_of_cut (outcome_cut outcome) 0) = true.
Proof.
  intros kzg known trusted query schema answer outcome accepted certified meaning. eapply outcome_meant; [exact certified| |exact meaning].
  intros Fn. split; [reflexivity|]. now apply (accepted_totals_sized kzg trusted query schema answer).
Qed.

End Meaning.
