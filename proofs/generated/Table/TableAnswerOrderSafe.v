(* Translated from spec/src/table/table_answer_order.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Table.TableAnswerOrder Base.BytesSafe Commitment.FoldedOpeningSafe
  Table.TableQuerySafe Table.ComparisonSafe Table.CutGoalSafe Table.CutSafe Table.TableAnswerSafe
  Table.LongRunsSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [goal_of_runs] does not panic. *)
Definition goal_of_runs_safe (query : TableQuery) (runs : Seq LongRun) : bool :=
  rows_of_long_runs_safe runs &&
  (let rows := u128_of_usize (rows_of_long_runs runs) in
    cut_goal_safe query.(query_function) query.(query_a) query.(query_b) rows).

(** When [with_comparison] does not panic. *)
Definition with_comparison_safe
    (before : AnswerClaims)
    (bits : usize)
    (answer_seed : ByteString)
    (rows : Seq ComparedRow)
    (shown : Comparison)
    (i : usize) : bool :=
  comparison_seed_safe answer_seed i rows &&
  (let c0 := comparison_seed answer_seed i rows in
    comparison_bits_seed_safe c0 shown &&
    (let s1 := comparison_bits_seed c0 shown in
      let s2 := comparison_quotient_seed s1 shown in
      comparison_challenges_safe bits s1 s2 &&
      claims_of_comparison_safe bits rows (comparison_challenges bits s1 s2) shown)).

(** When [with_comparisons_step] does not panic. *)
Definition with_comparisons_step_safe
    (found : Result AnswerClaims TableRefusal)
    (bits : usize)
    (answer_seed : ByteString)
    (rows : Seq ComparedRow)
    (received : Option Comparison)
    (i : usize) : bool :=
  match found with
  | Err refusal => true
  | Ok before =>
      match received with
      | None => true
      | Some shown =>
          rows_of_comparison_safe rows i &&
          with_comparison_safe before bits answer_seed (rows_of_comparison rows i) shown i
      end
  end.

(** When [with_comparisons] does not panic. *)
Definition with_comparisons_safe
    (before : AnswerClaims)
    (bits : usize)
    (answer_seed : ByteString)
    (rows : Seq ComparedRow)
    (received : Seq (Option Comparison)) : bool :=
  loop_safe
    (fun found i => with_comparisons_step found bits answer_seed rows (seq_at received i) i)
    (fun found i =>
      (i <? seq_length received) &&
      with_comparisons_step_safe found bits answer_seed rows (seq_at received i) i)
    (range 0 (seq_length received))
    (Ok before).

(** When [claims_of_cut] does not panic. *)
Definition claims_of_cut_safe
    (query : TableQuery)
    (cap : u64)
    (bits : usize)
    (runs : Seq LongRun)
    (stated : TableCut)
    (answer : TableAnswer)
    (answer_seed : ByteString) : bool :=
  records_of_long_runs_safe runs &&
  (let records := records_of_long_runs runs in
    hidden_rows_safe runs stated.(cut_splits) &&
    (let hidden := hidden_rows runs stated.(cut_splits) in
      goal_of_runs_safe query runs &&
      (let goal := goal_of_pieces (goal_of_runs query runs) (u128_of_usize hidden.(hidden_before)) in
        match expect_table hidden.(hidden_settled) TableReason_CutFalse with
        | Ok _settled =>
            work_of_cut_safe records (u128_of_u64 cap) goal stated &&
            (match work_of_cut records (u128_of_u64 cap) goal stated with
              | None => true
              | Some work =>
                  let received := answer.(answer_comparisons) in
                  comparison_count_safe (seq_length work.(work_rows)) &&
                  (let counted := seq_length received =? comparison_count (seq_length work.(work_rows)) in
                    match expect_table counted TableReason_PartsMismatched with
                    | Ok _count =>
                        with_comparisons_safe
                          (claims_alone work.(work_claims))
                          bits
                          answer_seed
                          work.(work_rows)
                          received
                    | Err _ => true
                    end)
              end)
        | Err _ => true
        end))).

(** When [asks_for_nothing] does not panic. *)
Definition asks_for_nothing_safe (query : TableQuery) (runs : Seq LongRun) : bool :=
  goal_of_runs_safe query runs.

(** When [claims_of_order] does not panic. *)
Definition claims_of_order_safe
    (query : TableQuery)
    (cap : u64)
    (bits : usize)
    (runs : Seq LongRun)
    (answer : TableAnswer)
    (answer_seed : ByteString) : bool :=
  match answer.(answer_cut) with
  | None => asks_for_nothing_safe query runs
  | Some stated => claims_of_cut_safe query cap bits runs stated answer answer_seed
  end.

End Specification.
