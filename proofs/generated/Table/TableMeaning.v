(* Translated from spec/src/table/table_meaning.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** What answers mean: statistics of lists of integers, without any cryptography.

    The rows of the runs in a query's box are numbers, distances from their column's lowest. A total
    is the sum of their powers, group by group; a row of rank j is one of them than which fewer than
    j are less, and at least j are at most it; a rank counts the rows below a number. Sums are told
    apart by their scalars, since they are below the group's order. Source: docs/tables.md,
    "Queries". *)
From AardvarkSpec Require Export Prelude Base.Integers Base.Bytes Base.Scalar Table.TableSchema
  Table.TableQuery Table.Totals Table.CutGoal Table.Cut Table.TableAnswer.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** The rows of a run. *)
Record MeantRun : Type := {
  (** The key columns, encoded. *)
  meant_columns : ByteString;
  (** The rows' numbers. *)
  meant_rows : Seq u128;
}.

#[global] Instance Default_MeantRun : Default MeantRun := {| meant_columns := default; meant_rows := default |}.

(** One step of [`rows_of_all`]. *)
Definition rows_of_all_step (rows : Seq u128) (run : MeantRun) : Seq u128 :=
  rows ++ run.(meant_rows).

(** The rows of all runs. *)
Definition rows_of_all (runs : Seq MeantRun) : Seq u128 :=
  fold_left (fun rows i => rows_of_all_step rows (seq_at runs i)) (range 0 (seq_length runs)) [].

(** One step of [`runs_of_group`]. *)
Definition runs_of_group_step
    (found : Seq MeantRun)
    (run : MeantRun)
    (widths groups : Seq usize)
    (of_group : ByteString) : Seq MeantRun :=
  if bytes_equal (group_key_of run.(meant_columns) widths groups) of_group then found ++ [run] else found.

(** The runs of a group. *)
Definition runs_of_group
    (runs : Seq MeantRun)
    (widths groups : Seq usize)
    (of_group : ByteString) : Seq MeantRun :=
  fold_left
    (fun found i => runs_of_group_step found (seq_at runs i) widths groups of_group)
    (range 0 (seq_length runs))
    [].

(** One step of [`rows_below`]. *)
Definition rows_below_step (count row number : u128) : u128 :=
  if row <? number then count + 1 else count.

(** How many rows are below a number. *)
Definition rows_below (rows : Seq u128) (number : u128) : u128 :=
  fold_left (fun count i => rows_below_step count (seq_at rows i) number) (range 0 (seq_length rows)) 0.

(** One step of [`rows_at_most`]. *)
Definition rows_at_most_step (count row number : u128) : u128 :=
  if row <=? number then count + 1 else count.

(** How many rows are at most a number. *)
Definition rows_at_most (rows : Seq u128) (number : u128) : u128 :=
  fold_left (fun count i => rows_at_most_step count (seq_at rows i) number) (range 0 (seq_length rows)) 0.

(** Whether a number is the row of a rank, from 1 on. *)
Definition has_rank (rows : Seq u128) (number rank : u128) : bool :=
  (rows_below rows number <? rank) && (rank <=? rows_at_most rows number).

(** One step of [`power_total`]. *)
Definition power_total_step (total : Scalar) (row : u128) (power : usize) : Scalar :=
  total [+] scalar_power (scalar_of_number row) power.

(** The sum of the rows' powers. *)
Definition power_total (rows : Seq u128) (power : usize) : Scalar :=
  fold_left
    (fun total i => power_total_step total (seq_at rows i) power)
    (range 0 (seq_length rows))
    scalar_zero.

(** One step of [`totals_are_meant`]. *)
Definition totals_are_meant_step
    (meant : bool)
    (stated : Seq ByteString)
    (rows : Seq u128)
    (i : usize) : bool :=
  meant && (scalar_of_total (seq_at stated i) [=?] power_total rows (i + 1)).

(** Whether a group's stated totals are the sums of its rows' powers, from the first power on. *)
Definition totals_are_meant (stated : Seq ByteString) (rows : Seq u128) : bool :=
  fold_left (fun meant i => totals_are_meant_step meant stated rows i) (range 0 (seq_length stated)) true.

(** Whether a group has runs, so many rows, and these totals of theirs. *)
Definition group_is_meant
    (runs : Seq MeantRun)
    (widths groups : Seq usize)
    (group : GroupTotals)
    (stated : Seq ByteString) : bool :=
  let members := runs_of_group runs widths groups group.(group_key) in
  let rows := rows_of_all members in
  (1 <=? seq_length members) && (group.(group_rows) =? seq_length rows) && totals_are_meant stated rows.

(** The totals that are stated of a group; none where none are stated. *)
Definition totals_of_place (stated : Seq (Seq ByteString)) (i : usize) : Seq ByteString :=
  if i <? seq_length stated then seq_at stated i else [].

(** One step of [`groups_are_meant`]. *)
Definition groups_are_meant_step
    (meant : bool)
    (runs : Seq MeantRun)
    (widths groups : Seq usize)
    (found : Seq GroupTotals)
    (stated : Seq (Seq ByteString))
    (i : usize) : bool :=
  let ascending := (i =? 0) || bytes_less (seq_at found (i - 1)).(group_key) (seq_at found i).(group_key) in
  meant && ascending && group_is_meant runs widths groups (seq_at found i) (totals_of_place stated i).

(** Whether groups ascend by their keys and each is what its runs' rows add up to. *)
Definition groups_are_meant
    (runs : Seq MeantRun)
    (widths groups : Seq usize)
    (found : Seq GroupTotals)
    (stated : Seq (Seq ByteString)) : bool :=
  fold_left
    (fun meant i => groups_are_meant_step meant runs widths groups found stated i)
    (range 0 (seq_length found))
    true.

(** One step of [`group_is_named`]. *)
Definition group_is_named_step (named : bool) (group : GroupTotals) (of_group : ByteString) : bool :=
  named || bytes_equal group.(group_key) of_group.

(** Whether there is a group with this key. *)
Definition group_is_named (found : Seq GroupTotals) (of_group : ByteString) : bool :=
  fold_left
    (fun named i => group_is_named_step named (seq_at found i) of_group)
    (range 0 (seq_length found))
    false.

(** One step of [`runs_are_grouped`]. *)
Definition runs_are_grouped_step
    (grouped : bool)
    (run : MeantRun)
    (widths groups : Seq usize)
    (found : Seq GroupTotals) : bool :=
  grouped && group_is_named found (group_key_of run.(meant_columns) widths groups).

(** Whether each run is in one of the groups. *)
Definition runs_are_grouped
    (runs : Seq MeantRun)
    (widths groups : Seq usize)
    (found : Seq GroupTotals) : bool :=
  fold_left
    (fun grouped i => runs_are_grouped_step grouped (seq_at runs i) widths groups found)
    (range 0 (seq_length runs))
    true.

(** What is stated of the order of rows. *)
Record StatedOrder : Type := {
  (** The last row before the cut. *)
  stated_low : Option u128;
  (** The first row behind it. *)
  stated_high : Option u128;
  (** How many rows are before the cut. *)
  stated_before : u128;
}.

#[global] Instance Default_StatedOrder : Default StatedOrder := {| stated_low := default; stated_high := default; stated_before := default |}.

(** The number of an end. *)
Definition number_of_end (stated : Option CutEnd) : Option u128 :=
  match stated with
  | None => None
  | Some found => Some found.(end_value)
  end.

(** What a cut states of the order of rows, of which so many more are before it than its splits
    say. *)
Definition order_of_cut (stated : Option TableCut) (hidden : u128) : Option StatedOrder :=
  match stated with
  | None => None
  | Some cut =>
      Some
        {| stated_low := number_of_end cut.(cut_low);
          stated_high := number_of_end cut.(cut_high);
          stated_before := splits_total cut.(cut_splits) + hidden |}
  end.

(** Whether a stated number is the row of a rank. *)
Definition number_is_meant (rows : Seq u128) (stated : Option u128) (rank : u128) : bool :=
  match stated with
  | None => false
  | Some number => has_rank rows number rank
  end.

(** Whether no number is stated. *)
Definition is_unstated (stated : Option u128) : bool :=
  match stated with
  | None => true
  | Some _ => false
  end.

(** Whether what is stated is the row of the rank, the rows of the ranks, or the count of the rows
    below the number that is asked for. *)
Definition goal_is_meant (goal : CutGoal) (rows : Seq u128) (stated : StatedOrder) : bool :=
  match goal with
  | CutGoal_NoCut => false
  | CutGoal_AtRank rank => number_is_meant rows stated.(stated_low) rank && is_unstated stated.(stated_high)
  | CutGoal_AroundRank rank =>
      number_is_meant rows stated.(stated_low) rank && number_is_meant rows stated.(stated_high) (rank + 1)
  | CutGoal_BelowNumber number => stated.(stated_before) =? rows_below rows number
  end.

(** Whether nothing is asked for. *)
Definition goal_is_none (goal : CutGoal) : bool :=
  match goal with
  | CutGoal_NoCut => true
  | CutGoal_AtRank _ => false
  | CutGoal_AroundRank _ => false
  | CutGoal_BelowNumber _ => false
  end.

(** Whether something is stated where something is asked for of the order of these rows, and is what
    it is called. *)
Definition order_is_meant (query : TableQuery) (rows : Seq u128) (stated : Option StatedOrder) : bool :=
  let goal :=
    cut_goal query.(query_function) query.(query_a) query.(query_b) (u128_of_usize (seq_length rows))
  in
  match stated with
  | None => goal_is_none goal
  | Some found => goal_is_meant goal rows found
  end.

(** Whether what an answer states of its groups, its totals and the order of its rows is what a
    query asks of the rows in its box. Of the query for a single row nothing is said here. *)
Definition table_meaning
    (query : TableQuery)
    (schema : TableSchema)
    (runs : Seq MeantRun)
    (groups : Seq GroupTotals)
    (totals : Seq (Seq ByteString))
    (stated : Option StatedOrder) : bool :=
  let rows := rows_of_all runs in
  if query.(query_function) =? FUNCTION_TOTALS then
    let widths := key_widths schema.(schema_keys) in
    groups_are_meant runs widths query.(query_groups) groups totals &&
    runs_are_grouped runs widths query.(query_groups) groups
  else if query.(query_function) =? FUNCTION_ROW then
    true
  else
    order_is_meant query rows stated.

End Specification.
