(* Translated from spec/src/table/table_meaning.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Table.TableMeaning Base.BytesSafe Base.ScalarSafe Table.TableSchemaSafe
  Table.TableQuerySafe Table.TotalsSafe Table.CutGoalSafe Table.CutSafe Table.TableAnswerSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [rows_of_all] does not panic. *)
Definition rows_of_all_safe (runs : Seq MeantRun) : bool :=
  loop_safe
    (fun rows i => rows_of_all_step rows (seq_at runs i))
    (fun rows i => i <? seq_length runs)
    (range 0 (seq_length runs))
    [].

(** When [runs_of_group_step] does not panic. *)
Definition runs_of_group_step_safe
    (found : Seq MeantRun)
    (run : MeantRun)
    (widths groups : Seq usize)
    (of_group : ByteString) : bool :=
  group_key_of_safe run.(meant_columns) widths groups &&
  bytes_equal_safe (group_key_of run.(meant_columns) widths groups) of_group.

(** When [runs_of_group] does not panic. *)
Definition runs_of_group_safe
    (runs : Seq MeantRun)
    (widths groups : Seq usize)
    (of_group : ByteString) : bool :=
  loop_safe
    (fun found i => runs_of_group_step found (seq_at runs i) widths groups of_group)
    (fun found i =>
      (i <? seq_length runs) && runs_of_group_step_safe found (seq_at runs i) widths groups of_group)
    (range 0 (seq_length runs))
    [].

(** When [rows_below_step] does not panic. *)
Definition rows_below_step_safe (count row number : u128) : bool :=
  if row <? number then within_u128 (count + 1) else true.

(** When [rows_below] does not panic. *)
Definition rows_below_safe (rows : Seq u128) (number : u128) : bool :=
  loop_safe
    (fun count i => rows_below_step count (seq_at rows i) number)
    (fun count i => (i <? seq_length rows) && rows_below_step_safe count (seq_at rows i) number)
    (range 0 (seq_length rows))
    0.

(** When [rows_at_most_step] does not panic. *)
Definition rows_at_most_step_safe (count row number : u128) : bool :=
  if row <=? number then within_u128 (count + 1) else true.

(** When [rows_at_most] does not panic. *)
Definition rows_at_most_safe (rows : Seq u128) (number : u128) : bool :=
  loop_safe
    (fun count i => rows_at_most_step count (seq_at rows i) number)
    (fun count i => (i <? seq_length rows) && rows_at_most_step_safe count (seq_at rows i) number)
    (range 0 (seq_length rows))
    0.

(** When [has_rank] does not panic. *)
Definition has_rank_safe (rows : Seq u128) (number rank : u128) : bool :=
  rows_below_safe rows number &&
  (if rows_below rows number <? rank then rows_at_most_safe rows number else true).

(** When [power_total] does not panic. *)
Definition power_total_safe (rows : Seq u128) (power : usize) : bool :=
  loop_safe
    (fun total i => power_total_step total (seq_at rows i) power)
    (fun total i => i <? seq_length rows)
    (range 0 (seq_length rows))
    scalar_zero.

(** When [totals_are_meant_step] does not panic. *)
Definition totals_are_meant_step_safe
    (meant : bool)
    (stated : Seq ByteString)
    (rows : Seq u128)
    (i : usize) : bool :=
  if meant then
    (i <? seq_length stated) && scalar_of_total_safe (seq_at stated i) &&
    (within_usize (i + 1) && power_total_safe rows (i + 1))
  else
    true.

(** When [totals_are_meant] does not panic. *)
Definition totals_are_meant_safe (stated : Seq ByteString) (rows : Seq u128) : bool :=
  loop_safe
    (fun meant i => totals_are_meant_step meant stated rows i)
    (fun meant i => totals_are_meant_step_safe meant stated rows i)
    (range 0 (seq_length stated))
    true.

(** When [group_is_meant] does not panic. *)
Definition group_is_meant_safe
    (runs : Seq MeantRun)
    (widths groups : Seq usize)
    (group : GroupTotals)
    (stated : Seq ByteString) : bool :=
  runs_of_group_safe runs widths groups group.(group_key) &&
  (let members := runs_of_group runs widths groups group.(group_key) in
    rows_of_all_safe members &&
    (let rows := rows_of_all members in
      if (1 <=? seq_length members) && (group.(group_rows) =? seq_length rows) then
        totals_are_meant_safe stated rows
      else
        true)).

(** When [groups_are_meant_step] does not panic. *)
Definition groups_are_meant_step_safe
    (meant : bool)
    (runs : Seq MeantRun)
    (widths groups : Seq usize)
    (found : Seq GroupTotals)
    (stated : Seq (Seq ByteString))
    (i : usize) : bool :=
  (if i =? 0 then
      true
    else
      (1 <=? i) && (i - 1 <? seq_length found) && (i <? seq_length found) &&
      bytes_less_safe (seq_at found (i - 1)).(group_key) (seq_at found i).(group_key)) &&
  (let ascending := (i =? 0) || bytes_less (seq_at found (i - 1)).(group_key) (seq_at found i).(group_key) in
    if meant && ascending then
      (i <? seq_length found) &&
      group_is_meant_safe runs widths groups (seq_at found i) (totals_of_place stated i)
    else
      true).

(** When [groups_are_meant] does not panic. *)
Definition groups_are_meant_safe
    (runs : Seq MeantRun)
    (widths groups : Seq usize)
    (found : Seq GroupTotals)
    (stated : Seq (Seq ByteString)) : bool :=
  loop_safe
    (fun meant i => groups_are_meant_step meant runs widths groups found stated i)
    (fun meant i => groups_are_meant_step_safe meant runs widths groups found stated i)
    (range 0 (seq_length found))
    true.

(** When [group_is_named_step] does not panic. *)
Definition group_is_named_step_safe (named : bool) (group : GroupTotals) (of_group : ByteString) : bool :=
  if named then true else bytes_equal_safe group.(group_key) of_group.

(** When [group_is_named] does not panic. *)
Definition group_is_named_safe (found : Seq GroupTotals) (of_group : ByteString) : bool :=
  loop_safe
    (fun named i => group_is_named_step named (seq_at found i) of_group)
    (fun named i => (i <? seq_length found) && group_is_named_step_safe named (seq_at found i) of_group)
    (range 0 (seq_length found))
    false.

(** When [runs_are_grouped_step] does not panic. *)
Definition runs_are_grouped_step_safe
    (grouped : bool)
    (run : MeantRun)
    (widths groups : Seq usize)
    (found : Seq GroupTotals) : bool :=
  if grouped then
    group_key_of_safe run.(meant_columns) widths groups &&
    group_is_named_safe found (group_key_of run.(meant_columns) widths groups)
  else
    true.

(** When [runs_are_grouped] does not panic. *)
Definition runs_are_grouped_safe
    (runs : Seq MeantRun)
    (widths groups : Seq usize)
    (found : Seq GroupTotals) : bool :=
  loop_safe
    (fun grouped i => runs_are_grouped_step grouped (seq_at runs i) widths groups found)
    (fun grouped i =>
      (i <? seq_length runs) && runs_are_grouped_step_safe grouped (seq_at runs i) widths groups found)
    (range 0 (seq_length runs))
    true.

(** When [order_of_cut] does not panic. *)
Definition order_of_cut_safe (stated : Option TableCut) (hidden : u128) : bool :=
  match stated with
  | None => true
  | Some cut => splits_total_safe cut.(cut_splits) && within_u128 (splits_total cut.(cut_splits) + hidden)
  end.

(** When [number_is_meant] does not panic. *)
Definition number_is_meant_safe (rows : Seq u128) (stated : Option u128) (rank : u128) : bool :=
  match stated with
  | None => true
  | Some number => has_rank_safe rows number rank
  end.

(** When [goal_is_meant] does not panic. *)
Definition goal_is_meant_safe (goal : CutGoal) (rows : Seq u128) (stated : StatedOrder) : bool :=
  match goal with
  | CutGoal_NoCut => true
  | CutGoal_AtRank rank => number_is_meant_safe rows stated.(stated_low) rank
  | CutGoal_AroundRank rank =>
      number_is_meant_safe rows stated.(stated_low) rank &&
      (if number_is_meant rows stated.(stated_low) rank then
          within_u128 (rank + 1) && number_is_meant_safe rows stated.(stated_high) (rank + 1)
        else
          true)
  | CutGoal_BelowNumber number => rows_below_safe rows number
  end.

(** When [order_is_meant] does not panic. *)
Definition order_is_meant_safe (query : TableQuery) (rows : Seq u128) (stated : Option StatedOrder) : bool :=
  cut_goal_safe query.(query_function) query.(query_a) query.(query_b) (u128_of_usize (seq_length rows)) &&
  (let goal :=
      cut_goal query.(query_function) query.(query_a) query.(query_b) (u128_of_usize (seq_length rows))
    in
    match stated with
    | None => true
    | Some found => goal_is_meant_safe goal rows found
    end).

(** When [table_meaning] does not panic. *)
Definition table_meaning_safe
    (query : TableQuery)
    (schema : TableSchema)
    (runs : Seq MeantRun)
    (groups : Seq GroupTotals)
    (totals : Seq (Seq ByteString))
    (stated : Option StatedOrder) : bool :=
  rows_of_all_safe runs &&
  (let rows := rows_of_all runs in
    if query.(query_function) =? FUNCTION_TOTALS then
      key_widths_safe schema.(schema_keys) &&
      (let widths := key_widths schema.(schema_keys) in
        groups_are_meant_safe runs widths query.(query_groups) groups totals &&
        (if groups_are_meant runs widths query.(query_groups) groups totals then
            runs_are_grouped_safe runs widths query.(query_groups) groups
          else
            true))
    else if query.(query_function) =? FUNCTION_ROW then
      true
    else
      order_is_meant_safe query rows stated).

End Specification.
