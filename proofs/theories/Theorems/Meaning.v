(** Theorems for auditors: the specification's [table_meaning] of lists of integers, in other words.

    [answer_correct_or_breaks] (TableAnswers.v) says that an accepted answer is what [table_meaning] computes, a function that can be run,
    and tests run it.

    To understand a statement of this file you need this file, the generated definitions, and of Lemmas/OrderStatistics.v
    [order_statistic].

    - [rank_is_specified]: a number has a rank for [table_meaning] exactly if it stands there in ascending order. *)
From Coq Require Import NArith List Bool.
From AardvarkSpec Require Import Prelude
  Table.TableMeaning.
From Aardvark Require Import Lemmas.MeantOutcomes.
From Aardvark Require Lemmas.OrderStatistics.
Import ListNotations.
Local Open Scope N_scope.

Theorem rank_is_specified : forall rows rank x, In x rows -> 1 <= rank <= seq_length rows ->
  (has_rank rows x rank = true <-> OrderStatistics.order_statistic rows rank x).
Proof.
  intros rows rank x member inside. split; intros H; [|now apply rank_is_had].
  pose proof (OrderStatistics.order_statistic_at rows rank inside) as S. now rewrite (proj2 (rank_is_had _ _ _ S) x member H).
Qed.
