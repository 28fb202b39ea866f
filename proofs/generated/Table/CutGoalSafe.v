(* Translated from spec/src/table/cut_goal.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Table.CutGoal Table.TableQuerySafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

(** When [share_of_rows] does not panic. *)
Definition share_of_rows_safe (rows k q : u128) : bool :=
  within_u128 (rows * k) && (1 <=? q) && within_u128 (rows * k + (q - 1)) && negb (q =? 0).

(** When [interpolated_goal] does not panic. *)
Definition interpolated_goal_safe (rows k q : u128) : bool :=
  (1 <=? rows) && within_u128 ((rows - 1) * k) &&
  (let product := (rows - 1) * k in
    negb (q =? 0) &&
    (if (product mod q) =? 0 then
        negb (q =? 0) && within_u128 ((product / q) + 1)
      else
        negb (q =? 0) && within_u128 ((product / q) + 1))).

(** When [cut_goal] does not panic. *)
Definition cut_goal_safe (function : usize) (a b rows : u128) : bool :=
  if rows <? 1 then
    true
  else if function =? FUNCTION_ORDER then
    true
  else if function =? FUNCTION_RANK then
    true
  else if b <? 1 then
    true
  else if function =? FUNCTION_PERCENTILE_DISC then
    share_of_rows_safe rows a b
  else if function =? FUNCTION_PERCENTILE_CONT then
    interpolated_goal_safe rows a b
  else
    (if function =? FUNCTION_TOP then share_of_rows_safe rows a b else true) &&
    (if (function =? FUNCTION_TOP) && (share_of_rows rows a b <=? rows) then
        share_of_rows_safe rows a b && within_u128 (rows - share_of_rows rows a b + 1)
      else
        true).
