(* Translated from spec/src/table/cut_goal.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** What a query about the order of n rows asks for: a cut of them at a rank or at a number.

    Sorted, the rows are x_(1) <= .. <= x_(n). With k/q in lowest terms:

    | function | cut |
    |---|---|
    | 2 order statistic of rank j | at j, where j <= n |
    | 3 `percentile_disc` | at max(1, ceil(n k / q)) |
    | 4 `percentile_cont`, h = (n - 1) k / q | at floor(h) + 1; where h is no integer the next row too |
    | 5 top, t = max(1, ceil(n k / q)) | at n - t + 1 |
    | 6 rank of a number | before the number |

    Of no rows nothing is asked. Source: docs/tables.md, "Order statistics". *)
From AardvarkSpec Require Export Prelude Table.TableQuery.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

(** What is asked of the order of rows. *)
Inductive CutGoal : Type :=
(** Nothing: there is no such row. *)
| CutGoal_NoCut
(** The row with a rank, from 1 on. *)
| CutGoal_AtRank (_ : u128)
(** The row with a rank and the one behind it. *)
| CutGoal_AroundRank (_ : u128)
(** How many rows are below a number. *)
| CutGoal_BelowNumber (_ : u128).

(** max(1, ceil(n k / q)), for q of at least 1. *)
Definition share_of_rows (rows k q : u128) : u128 :=
  let share := (rows * k + (q - 1)) / q in
  if 1 <=? share then share else 1.

(** The cut of n rows that interpolation at k/q asks for: h = (n - 1) k / q, for n of at least 1. *)
Definition interpolated_goal (rows k q : u128) : CutGoal :=
  let product := (rows - 1) * k in
  if (product mod q) =? 0 then CutGoal_AtRank ((product / q) + 1) else CutGoal_AroundRank ((product / q) + 1).

(** What is asked of so many rows, fewer than 2^40, by a function with legal parameters below 2^64. *)
Definition cut_goal (function : usize) (a b rows : u128) : CutGoal :=
  if rows <? 1 then
    CutGoal_NoCut
  else if function =? FUNCTION_ORDER then
    if (1 <=? a) && (a <=? rows) then CutGoal_AtRank a else CutGoal_NoCut
  else if function =? FUNCTION_RANK then
    CutGoal_BelowNumber a
  else if b <? 1 then
    CutGoal_NoCut
  else if function =? FUNCTION_PERCENTILE_DISC then
    CutGoal_AtRank (share_of_rows rows a b)
  else if function =? FUNCTION_PERCENTILE_CONT then
    interpolated_goal rows a b
  else if (function =? FUNCTION_TOP) && (share_of_rows rows a b <=? rows) then
    CutGoal_AtRank (rows - share_of_rows rows a b + 1)
  else
    CutGoal_NoCut.
