(* Translated from spec/src/table/totals.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Totals: how many rows the runs of a box have, and the sums of their numbers' powers, together or
    group by group.

    The commitment to a run's sums of p-th powers opens at 1, a point of every domain, to the run's
    total; so the sum C_p of the commitments of a group's runs opens there to the group's total S_p,
    whatever domains the runs are on. The claims are (C_p, 1, S_p), group by group in ascending
    order of their keys, p from 1 on. A total is a number of 32 bytes of at most n cap^p, n the rows
    of the group: below 2^40 rows and 2^64 for the cap, that is below r, so no sum wraps. Source:
    docs/tables.md, "Totals". *)
From AardvarkSpec Require Export Prelude Base.Integers Base.Bytes Base.Scalar Base.Group
  Commitment.FoldedOpening Table.RunRecord Table.Sheet Table.TableKey.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** A box has fewer rows. *)
Definition MAX_BOX_ROWS : usize :=
  1099511627776.

(** The most runs of an answer. *)
Definition MAX_ANSWER_RUNS : usize :=
  65536.

(** A run of a box, as totals look at it. *)
Record BoxRun : Type := {
  (** Where it stands. *)
  run_place : RunPlace;
  (** What its segments add up to. *)
  run_head : RunHead;
}.

#[global] Instance Default_BoxRun : Default BoxRun := {| run_place := default; run_head := default |}.

(** What the runs of a group add up to. *)
Record GroupTotals : Type := {
  (** The columns of `group by` as they stand in the runs' keys, one after the other. *)
  group_key : ByteString;
  (** How many rows there are. *)
  group_rows : usize;
  (** The sums of the commitments to sums of powers, from the first power on. *)
  group_sums : Seq G1;
}.

#[global] Instance Default_GroupTotals : Default GroupTotals := {| group_key := default; group_rows := default; group_sums := default |}.

(** Whether there is a place. *)
Definition is_some_place (place : Option usize) : bool :=
  match place with
  | None => false
  | Some _ => true
  end.

(** Whether a record is one of a table with so many moments, wherever in a sheet it stands. *)
Definition run_record_legal (run_record : RunRecord) (moments : usize) : bool :=
  (MIN_SHEET_LOG <=? run_record.(record_log)) && (run_record.(record_log) <=? max_sheet_log moments) &&
  (seq_length run_record.(record_sums) =? moments) &&
  (seq_length run_record.(record_root) =? 32) &&
  is_some_place (layout_after 1 run_record.(record_log) run_record).

(** Where a key column begins, and how many bytes it has. *)
Record ColumnPlace : Type := {
  (** Where it begins. *)
  column_place_start : usize;
  (** How many bytes it has. *)
  column_place_width : usize;
}.

#[global] Instance Default_ColumnPlace : Default ColumnPlace := {| column_place_start := default; column_place_width := default |}.

(** One step of [`column_place`]. *)
Definition column_place_step (found : ColumnPlace) (width : usize) : ColumnPlace :=
  {| column_place_start := found.(column_place_start) + found.(column_place_width);
    column_place_width := width |}.

(** Where a column, below the number of widths, stands in a key's columns. *)
Definition column_place (widths : Seq usize) (column : usize) : ColumnPlace :=
  fold_left
    (fun found i => column_place_step found (seq_at widths i))
    (range 0 (column + 1))
    {| column_place_start := 0; column_place_width := 0 |}.

(** One step of [`group_key_of`]. *)
Definition group_key_of_step
    (found columns : ByteString)
    (widths : Seq usize)
    (column : usize) : ByteString :=
  if column <? seq_length widths then
    let place := column_place widths column in
    if place.(column_place_start) + place.(column_place_width) <=? seq_length columns then
      found ++ seq_slice columns place.(column_place_start) place.(column_place_width)
    else
      found
  else
    found.

(** The key of the group that a run belongs to: empty where nothing is grouped. *)
Definition group_key_of (columns : ByteString) (widths groups : Seq usize) : ByteString :=
  fold_left
    (fun found i => group_key_of_step found columns widths (seq_at groups i))
    (range 0 (seq_length groups))
    [].

(** One step of [`groups_below`]. *)
Definition groups_below_step (count : usize) (group : GroupTotals) (of_group : ByteString) : usize :=
  if bytes_less group.(group_key) of_group then count + 1 else count.

(** How many groups have a lesser key. *)
Definition groups_below (groups : Seq GroupTotals) (of_group : ByteString) : usize :=
  fold_left
    (fun count i => groups_below_step count (seq_at groups i) of_group)
    (range 0 (seq_length groups))
    0.

(** One step of [`sums_with_record`]. *)
Definition sums_with_record_step (sums before : Seq G1) (recorded : TablePoint) (i : usize) : Seq G1 :=
  sums ++ [g1_add (g1_at before i) recorded.(held_element)].

(** Sums of commitments with those of one more record. *)
Definition sums_with_record (before : Seq G1) (run_record : RunRecord) : Seq G1 :=
  fold_left
    (fun sums i => sums_with_record_step sums before (seq_at run_record.(record_sums) i) i)
    (range 0 (seq_length run_record.(record_sums)))
    [].

(** A group with one more run. *)
Definition group_with_run (group : GroupTotals) (run : BoxRun) : GroupTotals :=
  {| group_key := group.(group_key);
    group_rows := group.(group_rows) + run.(run_head).(head_record).(record_rows);
    group_sums := sums_with_record group.(group_sums) run.(run_head).(head_record) |}.

(** The groups, ascending, with one more run of the group with a key. *)
Definition groups_with_run
    (groups : Seq GroupTotals)
    (of_group : ByteString)
    (run : BoxRun) : Seq GroupTotals :=
  let place := groups_below groups of_group in
  let before := seq_slice groups 0 place in
  let fresh := {| group_key := of_group; group_rows := 0; group_sums := [] |} in
  if place <? seq_length groups then
    if bytes_equal (seq_at groups place).(group_key) of_group then
      before ++
      [group_with_run (seq_at groups place) run] ++
      seq_slice groups (place + 1) (seq_length groups - place - 1)
    else
      before ++ [group_with_run fresh run] ++ seq_slice groups place (seq_length groups - place)
  else
    before ++ [group_with_run fresh run].

(** One step of [`group_totals`]. *)
Definition group_totals_step
    (found : Seq GroupTotals)
    (widths groups : Seq usize)
    (run : BoxRun) : Seq GroupTotals :=
  let of_group := group_key_of run.(run_place).(place_columns) widths groups in
  groups_with_run found of_group run.

(** What the runs of each group add up to, in ascending order of the groups' keys. *)
Definition group_totals (runs : Seq BoxRun) (widths groups : Seq usize) : Seq GroupTotals :=
  fold_left
    (fun found i => group_totals_step found widths groups (seq_at runs i))
    (range 0 (seq_length runs))
    [].

(** What is left of a product while its bytes are written, lowest first. *)
Record ProductDigits : Type := {
  (** What is carried over to the next byte. *)
  product_carry : u128;
  (** The bytes written so far. *)
  product_written : ByteString;
}.

#[global] Instance Default_ProductDigits : Default ProductDigits := {| product_carry := default; product_written := default |}.

(** One step of [`bytes_multiplied`]. *)
Definition bytes_multiplied_step
    (product : ProductDigits)
    (digits : ByteString)
    (factor : u64)
    (i : usize) : ProductDigits :=
  if i <? seq_length digits then
    let digit :=
      u128_of_u8 (seq_at digits (seq_length digits - i - 1)) * u128_of_u64 factor + product.(product_carry)
    in
    {| product_carry := digit / 256;
      product_written := single_byte (u8_of_u128 (digit mod 256)) ++ product.(product_written) |}
  else
    product.

(** A number, highest byte first, times a factor, in as many bytes, which it must fit. *)
Definition bytes_multiplied (digits : ByteString) (factor : u64) : ByteString :=
  let product :=
    fold_left
      (fun product i => bytes_multiplied_step product digits factor i)
      (range 0 (seq_length digits))
      {| product_carry := 0; product_written := [] |}
  in
  product.(product_written).

(** One step of [`greatest_total`]. *)
Definition greatest_total_step (bound : ByteString) (cap : u64) : ByteString :=
  bytes_multiplied bound cap.

(** n cap^p in 32 bytes: no total of p-th powers of n rows is greater. *)
Definition greatest_total (rows : usize) (cap : u64) (power : usize) : ByteString :=
  fold_left
    (fun bound _i => greatest_total_step bound cap)
    (range 0 power)
    ((seq_new 24 : Seq u8) ++ u64_bytes rows).

(** The scalar that 32 bytes write, highest first. *)
Definition scalar_of_total (total : ByteString) : Scalar :=
  scalar_of_wide_bytes ((seq_new 16 : Seq u8) ++ total).

(** Whether a stated total of p-th powers has 32 bytes, and is not greater than n cap^p. *)
Definition total_in_bounds (total : ByteString) (rows : usize) (cap : u64) (power : usize) : bool :=
  (seq_length total =? 32) && bytes_at_most total (greatest_total rows cap power).

(** One step of [`totals_of_group_legal`]. *)
Definition totals_of_group_legal_step
    (legal : bool)
    (totals : Seq ByteString)
    (rows : usize)
    (cap : u64)
    (i : usize) : bool :=
  legal && total_in_bounds (seq_at totals i) rows cap (i + 1).

(** Whether a group's stated totals are as many as there are powers, each in its bounds. *)
Definition totals_of_group_legal
    (totals : Seq ByteString)
    (group : GroupTotals)
    (cap : u64)
    (powers : usize) : bool :=
  fold_left
    (fun legal i => totals_of_group_legal_step legal totals group.(group_rows) cap i)
    (range 0 (seq_length totals))
    ((seq_length totals =? powers) && (powers <=? seq_length group.(group_sums))).

(** One step of [`totals_legal`]. *)
Definition totals_legal_step
    (legal : bool)
    (stated : Seq (Seq ByteString))
    (group : GroupTotals)
    (cap : u64)
    (powers i : usize) : bool :=
  if i <? seq_length stated then legal && totals_of_group_legal (seq_at stated i) group cap powers else false.

(** Whether totals are stated for each group, of so many powers and in their bounds; where no power
    is asked for, for none. *)
Definition totals_legal
    (stated : Seq (Seq ByteString))
    (groups : Seq GroupTotals)
    (cap : u64)
    (powers : usize) : bool :=
  let legal :=
    fold_left
      (fun legal i => totals_legal_step legal stated (seq_at groups i) cap powers i)
      (range 0 (seq_length groups))
      (seq_length stated =? seq_length groups)
  in
  if powers <? 1 then seq_length stated =? 0 else legal.

(** One step of [`claims_of_group`]. *)
Definition claims_of_group_step
    (claimed : Seq FoldedClaim)
    (totals : Seq ByteString)
    (group : GroupTotals)
    (i : usize) : Seq FoldedClaim :=
  claimed ++
  [{| folded_commitment := g1_at group.(group_sums) i;
      folded_point := scalar_one;
      folded_value := scalar_of_total (seq_at totals i) |}].

(** Claims, and (C_p, 1, S_p) of one more group. *)
Definition claims_of_group
    (before : Seq FoldedClaim)
    (totals : Seq ByteString)
    (group : GroupTotals) : Seq FoldedClaim :=
  fold_left
    (fun claimed i => claims_of_group_step claimed totals group i)
    (range 0 (seq_length totals))
    before.

(** One step of [`claims_of_totals`]. *)
Definition claims_of_totals_step
    (claimed : Seq FoldedClaim)
    (totals : Seq ByteString)
    (groups : Seq GroupTotals)
    (i : usize) : Seq FoldedClaim :=
  if i <? seq_length groups then claims_of_group claimed totals (seq_at groups i) else claimed.

(** The claims of stated totals: (C_p, 1, S_p), group by group. *)
Definition claims_of_totals (stated : Seq (Seq ByteString)) (groups : Seq GroupTotals) : Seq FoldedClaim :=
  fold_left
    (fun claimed i => claims_of_totals_step claimed (seq_at stated i) groups i)
    (range 0 (seq_length stated))
    [].

(** One step of [`encode_totals_of_group`]. *)
Definition encode_totals_of_group_step (encoded total : ByteString) : ByteString :=
  encoded ++ total.

(** Bytes, and the totals of one more group behind them. *)
Definition encode_totals_of_group (before : ByteString) (totals : Seq ByteString) : ByteString :=
  fold_left
    (fun encoded i => encode_totals_of_group_step encoded (seq_at totals i))
    (range 0 (seq_length totals))
    before.

(** One step of [`encode_totals`]. *)
Definition encode_totals_step (encoded : ByteString) (totals : Seq ByteString) : ByteString :=
  encode_totals_of_group encoded totals.

(** Stated totals as bytes, 32 each. *)
Definition encode_totals (stated : Seq (Seq ByteString)) : ByteString :=
  fold_left (fun encoded i => encode_totals_step encoded (seq_at stated i)) (range 0 (seq_length stated)) [].

End Specification.
