(* Translated from spec/src/table/totals.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Table.Totals Base.BytesSafe Base.ScalarSafe Base.GroupSafe
  Commitment.FoldedOpeningSafe Table.RunRecordSafe Table.SheetSafe Table.TableKeySafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [run_record_legal] does not panic. *)
Definition run_record_legal_safe (run_record : RunRecord) (moments : usize) : bool :=
  if (MIN_SHEET_LOG <=? run_record.(record_log)) && (run_record.(record_log) <=? max_sheet_log moments) &&
    (seq_length run_record.(record_sums) =? moments) &&
    (seq_length run_record.(record_root) =? 32) then
    layout_after_safe 1 run_record.(record_log) run_record
  else
    true.

(** When [column_place_step] does not panic. *)
Definition column_place_step_safe (found : ColumnPlace) (width : usize) : bool :=
  within_usize (found.(column_place_start) + found.(column_place_width)).

(** When [column_place] does not panic. *)
Definition column_place_safe (widths : Seq usize) (column : usize) : bool :=
  within_usize (column + 1) &&
  (loop_safe
      (fun found i => column_place_step found (seq_at widths i))
      (fun found i => (i <? seq_length widths) && column_place_step_safe found (seq_at widths i))
      (range 0 (column + 1))
      {| column_place_start := 0; column_place_width := 0 |}).

(** When [group_key_of_step] does not panic. *)
Definition group_key_of_step_safe (found columns : ByteString) (widths : Seq usize) (column : usize) : bool :=
  if column <? seq_length widths then
    column_place_safe widths column &&
    (let place := column_place widths column in
      within_usize (place.(column_place_start) + place.(column_place_width)))
  else
    true.

(** When [group_key_of] does not panic. *)
Definition group_key_of_safe (columns : ByteString) (widths groups : Seq usize) : bool :=
  loop_safe
    (fun found i => group_key_of_step found columns widths (seq_at groups i))
    (fun found i => (i <? seq_length groups) && group_key_of_step_safe found columns widths (seq_at groups i))
    (range 0 (seq_length groups))
    [].

(** When [groups_below_step] does not panic. *)
Definition groups_below_step_safe (count : usize) (group : GroupTotals) (of_group : ByteString) : bool :=
  bytes_less_safe group.(group_key) of_group &&
  (if bytes_less group.(group_key) of_group then within_usize (count + 1) else true).

(** When [groups_below] does not panic. *)
Definition groups_below_safe (groups : Seq GroupTotals) (of_group : ByteString) : bool :=
  loop_safe
    (fun count i => groups_below_step count (seq_at groups i) of_group)
    (fun count i => (i <? seq_length groups) && groups_below_step_safe count (seq_at groups i) of_group)
    (range 0 (seq_length groups))
    0.

(** When [sums_with_record] does not panic. *)
Definition sums_with_record_safe (before : Seq G1) (run_record : RunRecord) : bool :=
  loop_safe
    (fun sums i => sums_with_record_step sums before (seq_at run_record.(record_sums) i) i)
    (fun sums i => i <? seq_length run_record.(record_sums))
    (range 0 (seq_length run_record.(record_sums)))
    [].

(** When [group_with_run] does not panic. *)
Definition group_with_run_safe (group : GroupTotals) (run : BoxRun) : bool :=
  within_usize (group.(group_rows) + run.(run_head).(head_record).(record_rows)) &&
  sums_with_record_safe group.(group_sums) run.(run_head).(head_record).

(** When [groups_with_run] does not panic. *)
Definition groups_with_run_safe (groups : Seq GroupTotals) (of_group : ByteString) (run : BoxRun) : bool :=
  groups_below_safe groups of_group &&
  (let place := groups_below groups of_group in
    (0 + place <=? seq_length groups) &&
    (let fresh := {| group_key := of_group; group_rows := 0; group_sums := [] |} in
      if place <? seq_length groups then
        bytes_equal_safe (seq_at groups place).(group_key) of_group &&
        (if bytes_equal (seq_at groups place).(group_key) of_group then
            (place <? seq_length groups) && group_with_run_safe (seq_at groups place) run &&
            (within_usize (place + 1) &&
              ((place <=? seq_length groups) && (1 <=? seq_length groups - place)) &&
              (place + 1 + (seq_length groups - place - 1) <=? seq_length groups))
          else
            group_with_run_safe fresh run &&
            ((place <=? seq_length groups) && (place + (seq_length groups - place) <=? seq_length groups)))
      else
        group_with_run_safe fresh run)).

(** When [group_totals_step] does not panic. *)
Definition group_totals_step_safe
    (found : Seq GroupTotals)
    (widths groups : Seq usize)
    (run : BoxRun) : bool :=
  group_key_of_safe run.(run_place).(place_columns) widths groups &&
  (let of_group := group_key_of run.(run_place).(place_columns) widths groups in
    groups_with_run_safe found of_group run).

(** When [group_totals] does not panic. *)
Definition group_totals_safe (runs : Seq BoxRun) (widths groups : Seq usize) : bool :=
  loop_safe
    (fun found i => group_totals_step found widths groups (seq_at runs i))
    (fun found i => (i <? seq_length runs) && group_totals_step_safe found widths groups (seq_at runs i))
    (range 0 (seq_length runs))
    [].

(** When [bytes_multiplied_step] does not panic. *)
Definition bytes_multiplied_step_safe
    (product : ProductDigits)
    (digits : ByteString)
    (factor : u64)
    (i : usize) : bool :=
  if i <? seq_length digits then
    (1 <=? seq_length digits - i) && (seq_length digits - i - 1 <? seq_length digits) &&
    within_u128 (u128_of_u8 (seq_at digits (seq_length digits - i - 1)) * u128_of_u64 factor) &&
    within_u128
      (u128_of_u8 (seq_at digits (seq_length digits - i - 1)) * u128_of_u64 factor + product.(product_carry))
  else
    true.

(** When [bytes_multiplied] does not panic. *)
Definition bytes_multiplied_safe (digits : ByteString) (factor : u64) : bool :=
  loop_safe
    (fun product i => bytes_multiplied_step product digits factor i)
    (fun product i => bytes_multiplied_step_safe product digits factor i)
    (range 0 (seq_length digits))
    {| product_carry := 0; product_written := [] |}.

(** When [greatest_total_step] does not panic. *)
Definition greatest_total_step_safe (bound : ByteString) (cap : u64) : bool :=
  bytes_multiplied_safe bound cap.

(** When [greatest_total] does not panic. *)
Definition greatest_total_safe (rows : usize) (cap : u64) (power : usize) : bool :=
  loop_safe
    (fun bound _i => greatest_total_step bound cap)
    (fun bound _i => greatest_total_step_safe bound cap)
    (range 0 power)
    ((seq_new 24 : Seq u8) ++ u64_bytes rows).

(** When [scalar_of_total] does not panic. *)
Definition scalar_of_total_safe (total : ByteString) : bool :=
  scalar_of_wide_bytes_safe ((seq_new 16 : Seq u8) ++ total).

(** When [total_in_bounds] does not panic. *)
Definition total_in_bounds_safe (total : ByteString) (rows : usize) (cap : u64) (power : usize) : bool :=
  if seq_length total =? 32 then
    greatest_total_safe rows cap power && bytes_at_most_safe total (greatest_total rows cap power)
  else
    true.

(** When [totals_of_group_legal_step] does not panic. *)
Definition totals_of_group_legal_step_safe
    (legal : bool)
    (totals : Seq ByteString)
    (rows : usize)
    (cap : u64)
    (i : usize) : bool :=
  if legal then
    (i <? seq_length totals) && within_usize (i + 1) &&
    total_in_bounds_safe (seq_at totals i) rows cap (i + 1)
  else
    true.

(** When [totals_of_group_legal] does not panic. *)
Definition totals_of_group_legal_safe
    (totals : Seq ByteString)
    (group : GroupTotals)
    (cap : u64)
    (powers : usize) : bool :=
  loop_safe
    (fun legal i => totals_of_group_legal_step legal totals group.(group_rows) cap i)
    (fun legal i => totals_of_group_legal_step_safe legal totals group.(group_rows) cap i)
    (range 0 (seq_length totals))
    ((seq_length totals =? powers) && (powers <=? seq_length group.(group_sums))).

(** When [totals_legal_step] does not panic. *)
Definition totals_legal_step_safe
    (legal : bool)
    (stated : Seq (Seq ByteString))
    (group : GroupTotals)
    (cap : u64)
    (powers i : usize) : bool :=
  if i <? seq_length stated then
    if legal then
      (i <? seq_length stated) && totals_of_group_legal_safe (seq_at stated i) group cap powers
    else
      true
  else
    true.

(** When [totals_legal] does not panic. *)
Definition totals_legal_safe
    (stated : Seq (Seq ByteString))
    (groups : Seq GroupTotals)
    (cap : u64)
    (powers : usize) : bool :=
  loop_safe
    (fun legal i => totals_legal_step legal stated (seq_at groups i) cap powers i)
    (fun legal i =>
      (i <? seq_length groups) && totals_legal_step_safe legal stated (seq_at groups i) cap powers i)
    (range 0 (seq_length groups))
    (seq_length stated =? seq_length groups).

(** When [claims_of_group_step] does not panic. *)
Definition claims_of_group_step_safe
    (claimed : Seq FoldedClaim)
    (totals : Seq ByteString)
    (group : GroupTotals)
    (i : usize) : bool :=
  (i <? seq_length totals) && scalar_of_total_safe (seq_at totals i).

(** When [claims_of_group] does not panic. *)
Definition claims_of_group_safe
    (before : Seq FoldedClaim)
    (totals : Seq ByteString)
    (group : GroupTotals) : bool :=
  loop_safe
    (fun claimed i => claims_of_group_step claimed totals group i)
    (fun claimed i => claims_of_group_step_safe claimed totals group i)
    (range 0 (seq_length totals))
    before.

(** When [claims_of_totals_step] does not panic. *)
Definition claims_of_totals_step_safe
    (claimed : Seq FoldedClaim)
    (totals : Seq ByteString)
    (groups : Seq GroupTotals)
    (i : usize) : bool :=
  if i <? seq_length groups then claims_of_group_safe claimed totals (seq_at groups i) else true.

(** When [claims_of_totals] does not panic. *)
Definition claims_of_totals_safe (stated : Seq (Seq ByteString)) (groups : Seq GroupTotals) : bool :=
  loop_safe
    (fun claimed i => claims_of_totals_step claimed (seq_at stated i) groups i)
    (fun claimed i =>
      (i <? seq_length stated) && claims_of_totals_step_safe claimed (seq_at stated i) groups i)
    (range 0 (seq_length stated))
    [].

(** When [encode_totals_of_group] does not panic. *)
Definition encode_totals_of_group_safe (before : ByteString) (totals : Seq ByteString) : bool :=
  loop_safe
    (fun encoded i => encode_totals_of_group_step encoded (seq_at totals i))
    (fun encoded i => i <? seq_length totals)
    (range 0 (seq_length totals))
    before.

(** When [encode_totals_step] does not panic. *)
Definition encode_totals_step_safe (encoded : ByteString) (totals : Seq ByteString) : bool :=
  encode_totals_of_group_safe encoded totals.

(** When [encode_totals] does not panic. *)
Definition encode_totals_safe (stated : Seq (Seq ByteString)) : bool :=
  loop_safe
    (fun encoded i => encode_totals_step encoded (seq_at stated i))
    (fun encoded i => (i <? seq_length stated) && encode_totals_step_safe encoded (seq_at stated i))
    (range 0 (seq_length stated))
    [].

End Specification.
