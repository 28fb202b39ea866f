(* Translated from spec/src/table/sheet.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Table.Sheet Base.BytesSafe Base.ScalarSafe Table.DomainValuesSafe
  Table.RunRecordSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven}.

(** When [usize_power_of_two_step] does not panic. *)
Definition usize_power_of_two_step_safe (power : usize) : bool :=
  within_usize (power * 2).

(** When [usize_power_of_two] does not panic. *)
Definition usize_power_of_two_safe (exponent : usize) : bool :=
  loop_safe
    (fun power _i => usize_power_of_two_step power)
    (fun power _i => usize_power_of_two_step_safe power)
    (range 0 exponent)
    1.

(** When [sheet_size] does not panic. *)
Definition sheet_size_safe (log : usize) : bool :=
  if log <=? MAX_SHEET_LOG then usize_power_of_two_safe log else true.

(** When [layout_after] does not panic. *)
Definition layout_after_safe (free log : usize) (segment_record : RunRecord) : bool :=
  sheet_size_safe log &&
  (let n := sheet_size log in
    let fits :=
      (segment_record.(record_log) =? log) && (1 <=? segment_record.(record_rows)) &&
      (segment_record.(record_rows) <=? n) &&
      (free <=? segment_record.(record_first)) &&
      (segment_record.(record_first) <=? n)
    in
    (if fits then within_usize (segment_record.(record_first) + segment_record.(record_rows)) else true) &&
    (if fits && (segment_record.(record_first) + segment_record.(record_rows) <=? guard_position n) then
        within_usize (segment_record.(record_first) + segment_record.(record_rows)) &&
        within_usize (segment_record.(record_first) + segment_record.(record_rows) + 1)
      else
        true)).

(** When [layout_end_step] does not panic. *)
Definition layout_end_step_safe (free : Option usize) (log : usize) (placed : SheetItem) : bool :=
  match free with
  | None => true
  | Some least => layout_after_safe least log placed.(item_record)
  end.

(** When [layout_end] does not panic. *)
Definition layout_end_safe (log : usize) (items : Seq SheetItem) : bool :=
  loop_safe
    (fun free k => layout_end_step free log (seq_at items k))
    (fun free k => (k <? seq_length items) && layout_end_step_safe free log (seq_at items k))
    (range 0 (seq_length items))
    (Some 1).

(** When [sheet_layout_legal] does not panic. *)
Definition sheet_layout_legal_safe (log : usize) (items : Seq SheetItem) : bool :=
  layout_end_safe log items.

(** When [items_legal] does not panic. *)
Definition items_legal_safe (moments : usize) (items : Seq SheetItem) : bool :=
  loop_safe
    (fun legal k => items_legal_step legal moments (seq_at items k))
    (fun legal k => k <? seq_length items)
    (range 0 (seq_length items))
    true.

(** When [sheet_legal] does not panic. *)
Definition sheet_legal_safe (log moments : usize) (items : Seq SheetItem) : bool :=
  (if (1 <=? moments) && (moments <=? 3) && (MIN_SHEET_LOG <=? log) && (log <=? max_sheet_log moments) &&
      (1 <=? seq_length items) &&
      (seq_length items <=? MAX_SHEET_ITEMS) then
      items_legal_safe moments items
    else
      true) &&
  (if (1 <=? moments) && (moments <=? 3) && (MIN_SHEET_LOG <=? log) && (log <=? max_sheet_log moments) &&
      (1 <=? seq_length items) &&
      (seq_length items <=? MAX_SHEET_ITEMS) &&
      items_legal moments items then
      sheet_layout_legal_safe log items
    else
      true).

(** When [last_rows_value_step] does not panic. *)
Definition last_rows_value_step_safe (total : Scalar) (n : usize) (placed : SheetItem) (x : Scalar) : bool :=
  let first := placed.(item_record).(record_first) in
  within_usize (first + placed.(item_record).(record_rows)) &&
  (if 0 <? first + placed.(item_record).(record_rows) then
      within_usize (first + placed.(item_record).(record_rows)) &&
      (1 <=? first + placed.(item_record).(record_rows)) &&
      lagrange_value_safe n (first + placed.(item_record).(record_rows) - 1) x
    else
      true).

(** When [last_rows_value] does not panic. *)
Definition last_rows_value_safe (n : usize) (items : Seq SheetItem) (x : Scalar) : bool :=
  loop_safe
    (fun total k => last_rows_value_step total n (seq_at items k) x)
    (fun total k => (k <? seq_length items) && last_rows_value_step_safe total n (seq_at items k) x)
    (range 0 (seq_length items))
    scalar_zero.

(** When [identity_value_step] does not panic. *)
Definition identity_value_step_safe
    (total : Scalar)
    (n : usize)
    (placed : SheetItem)
    (rho x : Scalar) : bool :=
  interval_value_safe n placed.(item_record).(record_first) placed.(item_record).(record_rows) x.

(** When [identity_value] does not panic. *)
Definition identity_value_safe (n : usize) (items : Seq SheetItem) (rhos : Seq Scalar) (x : Scalar) : bool :=
  loop_safe
    (fun total k => identity_value_step total n (seq_at items k) (scalar_at rhos k) x)
    (fun total k =>
      (k <? seq_length items) && identity_value_step_safe total n (seq_at items k) (scalar_at rhos k) x)
    (range 0 (seq_length items))
    scalar_zero.

End Specification.
