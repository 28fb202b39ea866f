(* Translated from spec/src/table/table_query.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Table.TableQuery Base.BytesSafe Table.KeyBoxSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

(** When [greatest_common_divisor_step] does not panic. *)
Definition greatest_common_divisor_step_safe (search : DivisorSearch) : bool :=
  if search.(search_smaller) =? 0 then true else negb (search.(search_smaller) =? 0).

(** When [greatest_common_divisor] does not panic. *)
Definition greatest_common_divisor_safe (a b : u128) : bool :=
  loop_safe
    (fun search _i => greatest_common_divisor_step search)
    (fun search _i => greatest_common_divisor_step_safe search)
    (range 0 MOST_DIVISIONS)
    {| search_greater := a; search_smaller := b |}.

(** When [fraction_legal] does not panic. *)
Definition fraction_legal_safe (a b : u128) : bool :=
  if (1 <=? b) && (a <=? b) then greatest_common_divisor_safe b a else true.

(** When [parameters_of_function_legal] does not panic. *)
Definition parameters_of_function_legal_safe (function : usize) (a b cap : u128) (moments : usize) : bool :=
  if function =? FUNCTION_TOTALS then
    true
  else if function =? FUNCTION_ORDER then
    true
  else if (FUNCTION_PERCENTILE_DISC <=? function) && (function <=? FUNCTION_TOP) then
    fraction_legal_safe a b
  else if function =? FUNCTION_RANK then
    within_u128 (cap + 1)
  else
    true.

(** When [names_column_step] does not panic. *)
Definition names_column_step_safe (found : bool) (groups : Seq usize) (i column : usize) : bool :=
  if found then true else i <? seq_length groups.

(** When [names_column] does not panic. *)
Definition names_column_safe (groups : Seq usize) (count column : usize) : bool :=
  loop_safe
    (fun found i => names_column_step found groups i column)
    (fun found i => names_column_step_safe found groups i column)
    (range 0 count)
    false.

(** When [groups_legal_step] does not panic. *)
Definition groups_legal_step_safe (legal : bool) (groups : Seq usize) (columns i : usize) : bool :=
  (if legal then i <? seq_length groups else true) &&
  (if legal && (seq_at groups i <? columns) then
      (i <? seq_length groups) && names_column_safe groups i (seq_at groups i)
    else
      true).

(** When [groups_legal] does not panic. *)
Definition groups_legal_safe (groups : Seq usize) (columns : usize) : bool :=
  loop_safe
    (fun legal i => groups_legal_step legal groups columns i)
    (fun legal i => groups_legal_step_safe legal groups columns i)
    (range 0 (seq_length groups))
    true.

(** When [columns_legal_step] does not panic. *)
Definition columns_legal_step_safe
    (legal : bool)
    (columns : Seq BoxColumn)
    (widths : Seq usize)
    (i : usize) : bool :=
  if i <? seq_length widths then
    (if legal then (i <? seq_length columns) && (i <? seq_length widths) else true) &&
    (if legal && ((seq_at columns i).(box_column_width) =? seq_at widths i) then
        i <? seq_length columns
      else
        true) &&
    (if legal && ((seq_at columns i).(box_column_width) =? seq_at widths i) &&
        (seq_length (seq_at columns i).(box_column_intervals) <=? MAX_QUERY_INTERVALS) then
        (i <? seq_length widths) && (i <? seq_length columns) &&
        intervals_canonical_safe (seq_at widths i) (seq_at columns i).(box_column_intervals)
      else
        true)
  else
    true.

(** When [columns_legal] does not panic. *)
Definition columns_legal_safe (columns : Seq BoxColumn) (widths : Seq usize) : bool :=
  loop_safe
    (fun legal i => columns_legal_step legal columns widths i)
    (fun legal i => columns_legal_step_safe legal columns widths i)
    (range 0 (seq_length columns))
    ((seq_length columns =? seq_length widths) && (seq_length columns <=? MAX_QUERY_COLUMNS)).

(** When [table_query_legal] does not panic. *)
Definition table_query_legal_safe
    (query : TableQuery)
    (widths : Seq usize)
    (cap : u128)
    (moments : usize) : bool :=
  parameters_of_function_legal_safe query.(query_function) query.(query_a) query.(query_b) cap moments &&
  (if parameters_of_function_legal query.(query_function) query.(query_a) query.(query_b) cap moments &&
      (query.(query_a) <? 18446744073709551616) &&
      (query.(query_b) <? 18446744073709551616) &&
      ((seq_length query.(query_groups) =? 0) || (query.(query_function) =? FUNCTION_TOTALS)) then
      groups_legal_safe query.(query_groups) (seq_length widths)
    else
      true) &&
  (if parameters_of_function_legal query.(query_function) query.(query_a) query.(query_b) cap moments &&
      (query.(query_a) <? 18446744073709551616) &&
      (query.(query_b) <? 18446744073709551616) &&
      ((seq_length query.(query_groups) =? 0) || (query.(query_function) =? FUNCTION_TOTALS)) &&
      groups_legal query.(query_groups) (seq_length widths) then
      columns_legal_safe query.(query_columns) widths
    else
      true).

(** When [encode_intervals] does not panic. *)
Definition encode_intervals_safe (intervals : Seq KeyInterval) : bool :=
  loop_safe
    (fun encoded i => encode_intervals_step encoded (seq_at intervals i))
    (fun encoded i => i <? seq_length intervals)
    (range 0 (seq_length intervals))
    [].

(** When [encode_box_columns_step] does not panic. *)
Definition encode_box_columns_step_safe (encoded : ByteString) (column : BoxColumn) : bool :=
  encode_intervals_safe column.(box_column_intervals).

(** When [encode_box_columns] does not panic. *)
Definition encode_box_columns_safe (columns : Seq BoxColumn) : bool :=
  loop_safe
    (fun encoded i => encode_box_columns_step encoded (seq_at columns i))
    (fun encoded i => (i <? seq_length columns) && encode_box_columns_step_safe encoded (seq_at columns i))
    (range 0 (seq_length columns))
    [].

(** When [encode_group_columns] does not panic. *)
Definition encode_group_columns_safe (groups : Seq usize) : bool :=
  loop_safe
    (fun encoded i => encode_group_columns_step encoded (seq_at groups i))
    (fun encoded i => i <? seq_length groups)
    (range 0 (seq_length groups))
    [].

(** When [encode_table_query] does not panic. *)
Definition encode_table_query_safe (query : TableQuery) : bool :=
  encode_group_columns_safe query.(query_groups) && encode_box_columns_safe query.(query_columns).
