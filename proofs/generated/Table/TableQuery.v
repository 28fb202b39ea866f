(* Translated from spec/src/table/table_query.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Queries: a function of a column's numbers, over the runs in a box, with their canonical bytes.

    ```text
    query = u8 1 || bytes8(table) || u8 column || u8 function || u64 a || u64 b
            || u8 n || (u8 column)* of group by || u8 n || (u16 n || (low || high)* )* of the key columns
    ```

    | function | a, b |
    |---|---|
    | 1 totals | the highest power that is summed, 0 |
    | 2 order statistic | its rank, from 1 on; 0 |
    | 3 `percentile_disc`, 4 `percentile_cont`, 5 top | a/b in lowest terms, at most 1 |
    | 6 rank | the number's distance from the column's lowest, at most 1 above the cap; 0 |
    | 7 row | 0, 0 |

    Only totals are grouped. Intervals are canonical, so two queries that ask for the same have the
    same bytes. Source: docs/tables.md, "Queries". *)
From AardvarkSpec Require Export Prelude Base.Integers Base.Bytes Table.KeyBox.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

(** The number of function totals. *)
Definition FUNCTION_TOTALS : usize :=
  1.

(** The number of function order statistic. *)
Definition FUNCTION_ORDER : usize :=
  2.

(** The number of function `percentile_disc`. *)
Definition FUNCTION_PERCENTILE_DISC : usize :=
  3.

(** The number of function `percentile_cont`. *)
Definition FUNCTION_PERCENTILE_CONT : usize :=
  4.

(** The number of function top. *)
Definition FUNCTION_TOP : usize :=
  5.

(** The number of function rank. *)
Definition FUNCTION_RANK : usize :=
  6.

(** The number of function row. *)
Definition FUNCTION_ROW : usize :=
  7.

(** More divisions than Euclid's algorithm takes for numbers below 2^64. *)
Definition MOST_DIVISIONS : usize :=
  94.

(** The most key columns of a table. *)
Definition MAX_QUERY_COLUMNS : usize :=
  8.

(** The most intervals of a column. *)
Definition MAX_QUERY_INTERVALS : usize :=
  1024.

(** A query. *)
Record TableQuery : Type := {
  (** The table's name. *)
  query_table : ByteString;
  (** The number of the value column. *)
  query_column : usize;
  (** The function's number. *)
  query_function : usize;
  (** Its first parameter. *)
  query_a : u128;
  (** Its second parameter. *)
  query_b : u128;
  (** The numbers of the key columns by which totals are grouped, as they were named. *)
  query_groups : Seq usize;
  (** What is asked of each key column. *)
  query_columns : Seq BoxColumn;
}.

#[global] Instance Default_TableQuery : Default TableQuery := {| query_table := default; query_column := default; query_function := default; query_a := default; query_b := default; query_groups := default; query_columns := default |}.

(** What is left of two numbers while their greatest common divisor is looked for. *)
Record DivisorSearch : Type := {
  (** The greater. *)
  search_greater : u128;
  (** The smaller. *)
  search_smaller : u128;
}.

#[global] Instance Default_DivisorSearch : Default DivisorSearch := {| search_greater := default; search_smaller := default |}.

(** One step of [`greatest_common_divisor`]. *)
Definition greatest_common_divisor_step (search : DivisorSearch) : DivisorSearch :=
  if search.(search_smaller) =? 0 then
    search
  else
    {| search_greater := search.(search_smaller);
      search_smaller := search.(search_greater) mod search.(search_smaller) |}.

(** The greatest common divisor of numbers below 2^64, by Euclid's algorithm. *)
Definition greatest_common_divisor (a b : u128) : u128 :=
  let search :=
    fold_left
      (fun search _i => greatest_common_divisor_step search)
      (range 0 MOST_DIVISIONS)
      {| search_greater := a; search_smaller := b |}
  in
  search.(search_greater).

(** Whether a/b is a fraction from 0 to 1 in lowest terms. *)
Definition fraction_legal (a b : u128) : bool :=
  (1 <=? b) && (a <=? b) && (greatest_common_divisor b a =? 1).

(** Whether a function has such parameters, of a column with this cap and so many moments. *)
Definition parameters_of_function_legal (function : usize) (a b cap : u128) (moments : usize) : bool :=
  if function =? FUNCTION_TOTALS then
    (a <=? u128_of_usize moments) && (b =? 0)
  else if function =? FUNCTION_ORDER then
    (1 <=? a) && (b =? 0)
  else if (FUNCTION_PERCENTILE_DISC <=? function) && (function <=? FUNCTION_TOP) then
    fraction_legal a b
  else if function =? FUNCTION_RANK then
    (a <=? cap + 1) && (b =? 0)
  else
    (function =? FUNCTION_ROW) && (a =? 0) && (b =? 0).

(** One step of [`names_column`]. *)
Definition names_column_step (found : bool) (groups : Seq usize) (i column : usize) : bool :=
  found || (seq_at groups i =? column).

(** Whether one of the first columns of `group by` is this one. *)
Definition names_column (groups : Seq usize) (count column : usize) : bool :=
  fold_left (fun found i => names_column_step found groups i column) (range 0 count) false.

(** One step of [`groups_legal`]. *)
Definition groups_legal_step (legal : bool) (groups : Seq usize) (columns i : usize) : bool :=
  legal && (seq_at groups i <? columns) && negb (names_column groups i (seq_at groups i)).

(** Whether `group by` names key columns, each at most once. *)
Definition groups_legal (groups : Seq usize) (columns : usize) : bool :=
  fold_left (fun legal i => groups_legal_step legal groups columns i) (range 0 (seq_length groups)) true.

(** One step of [`columns_legal`]. *)
Definition columns_legal_step
    (legal : bool)
    (columns : Seq BoxColumn)
    (widths : Seq usize)
    (i : usize) : bool :=
  if i <? seq_length widths then
    legal && ((seq_at columns i).(box_column_width) =? seq_at widths i) &&
    (seq_length (seq_at columns i).(box_column_intervals) <=? MAX_QUERY_INTERVALS) &&
    intervals_canonical (seq_at widths i) (seq_at columns i).(box_column_intervals)
  else
    false.

(** Whether the columns of a query are those of a table, with canonical intervals. *)
Definition columns_legal (columns : Seq BoxColumn) (widths : Seq usize) : bool :=
  fold_left
    (fun legal i => columns_legal_step legal columns widths i)
    (range 0 (seq_length columns))
    ((seq_length columns =? seq_length widths) && (seq_length columns <=? MAX_QUERY_COLUMNS)).

(** Whether a query is one of a table whose key columns have these widths, and whose value column
    has this cap and so many moments. *)
Definition table_query_legal
    (query : TableQuery)
    (widths : Seq usize)
    (cap : u128)
    (moments : usize) : bool :=
  parameters_of_function_legal query.(query_function) query.(query_a) query.(query_b) cap moments &&
  (query.(query_a) <? 18446744073709551616) &&
  (query.(query_b) <? 18446744073709551616) &&
  ((seq_length query.(query_groups) =? 0) || (query.(query_function) =? FUNCTION_TOTALS)) &&
  groups_legal query.(query_groups) (seq_length widths) &&
  columns_legal query.(query_columns) widths.

(** One step of [`encode_intervals`]. *)
Definition encode_intervals_step (encoded : ByteString) (interval : KeyInterval) : ByteString :=
  encoded ++ interval.(interval_low) ++ interval.(interval_high).

(** `(low || high)*` *)
Definition encode_intervals (intervals : Seq KeyInterval) : ByteString :=
  fold_left
    (fun encoded i => encode_intervals_step encoded (seq_at intervals i))
    (range 0 (seq_length intervals))
    [].

(** One step of [`encode_box_columns`]. *)
Definition encode_box_columns_step (encoded : ByteString) (column : BoxColumn) : ByteString :=
  encoded ++
  u16_bytes (seq_length column.(box_column_intervals)) ++
  encode_intervals column.(box_column_intervals).

(** `(u16 n || (low || high)* )*` *)
Definition encode_box_columns (columns : Seq BoxColumn) : ByteString :=
  fold_left
    (fun encoded i => encode_box_columns_step encoded (seq_at columns i))
    (range 0 (seq_length columns))
    [].

(** One step of [`encode_group_columns`]. *)
Definition encode_group_columns_step (encoded : ByteString) (column : usize) : ByteString :=
  encoded ++ u8_bytes column.

(** `(u8 column)*` *)
Definition encode_group_columns (groups : Seq usize) : ByteString :=
  fold_left
    (fun encoded i => encode_group_columns_step encoded (seq_at groups i))
    (range 0 (seq_length groups))
    [].

(** The canonical bytes of a legal query. *)
Definition encode_table_query (query : TableQuery) : ByteString :=
  u8_bytes 1 ++
  bytes8 query.(query_table) ++
  u8_bytes query.(query_column) ++
  u8_bytes query.(query_function) ++
  big_endian query.(query_a) 8 ++
  big_endian query.(query_b) 8 ++
  u8_bytes (seq_length query.(query_groups)) ++
  encode_group_columns query.(query_groups) ++
  u8_bytes (seq_length query.(query_columns)) ++
  encode_box_columns query.(query_columns).
