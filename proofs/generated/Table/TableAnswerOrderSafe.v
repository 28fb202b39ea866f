(* Translated from spec/src/table/table_answer_order.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Table.TableAnswerOrder Base.BytesSafe Commitment.FoldedOpeningSafe
  Table.RunRecordSafe Table.TableQuerySafe Table.TotalsSafe Table.ComparisonSafe Table.CutGoalSafe
  Table.CutSafe Table.TableAnswerSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [records_of_runs] does not panic. *)
Definition records_of_runs_safe (runs : Seq BoxRun) : bool :=
  loop_safe
    (fun records k => records_of_runs_step records (seq_at runs k))
    (fun records k => k <? seq_length runs)
    (range 0 (seq_length runs))
    [].

(** When [goal_of_query] does not panic. *)
Definition goal_of_query_safe (query : TableQuery) (records : Seq RunRecord) : bool :=
  records_total_safe records &&
  cut_goal_safe query.(query_function) query.(query_a) query.(query_b) (records_total records).

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
    (runs : Seq BoxRun)
    (stated : TableCut)
    (answer : TableAnswer)
    (answer_seed : ByteString) : bool :=
  records_of_runs_safe runs &&
  (let records := records_of_runs runs in
    goal_of_query_safe query records &&
    work_of_cut_safe records (u128_of_u64 cap) (goal_of_query query records) stated &&
    (match work_of_cut records (u128_of_u64 cap) (goal_of_query query records) stated with
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
      end)).

(** When [asks_for_nothing] does not panic. *)
Definition asks_for_nothing_safe (query : TableQuery) (runs : Seq BoxRun) : bool :=
  records_of_runs_safe runs && goal_of_query_safe query (records_of_runs runs).

(** When [claims_of_order] does not panic. *)
Definition claims_of_order_safe
    (query : TableQuery)
    (cap : u64)
    (bits : usize)
    (runs : Seq BoxRun)
    (answer : TableAnswer)
    (answer_seed : ByteString) : bool :=
  match answer.(answer_cut) with
  | None => asks_for_nothing_safe query runs
  | Some stated => claims_of_cut_safe query cap bits runs stated answer answer_seed
  end.

End Specification.
