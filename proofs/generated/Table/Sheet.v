(* Translated from spec/src/table/sheet.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** A sheet: segments that share one domain and are certified together, each with commitments of its
    own and at positions of its own.

    | positions | hold |
    |---|---|
    | 0, the origin | 0 in values; the total in sums |
    | 1 ..= N-4 | segments, ascending, with at least one free position before each |
    | N-3, the guard | 0 |
    | N-2, N-1, the masks | random scalars, which take no part in any relation |

    A segment's vector `values` has the numbers of its rows at their positions, and 0 elsewhere; its
    vector `sums_p` has at position i the sum of the p-th powers of the numbers from i on. Source:
    docs/tables.md, "Sheets". *)
From AardvarkSpec Require Export Prelude Base.Bytes Base.Scalar Table.DomainValues Table.RunRecord.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven}.

(** The least logarithm of a domain's size. *)
Definition MIN_SHEET_LOG : usize :=
  3.

(** The greatest logarithm of a domain's size. *)
Definition MAX_SHEET_LOG : usize :=
  11.

(** The most segments of a sheet. *)
Definition MAX_SHEET_ITEMS : usize :=
  1022.

(** A segment of a sheet: where it stands in the table, and its record. *)
Record SheetItem : Type := {
  (** The key columns, encoded. *)
  item_columns : ByteString;
  (** The number of the run among those of its key. *)
  item_run : usize;
  (** How often the run was replaced. *)
  item_revision : usize;
  (** The number of the segment within the run; 0 for the first. *)
  item_segment : usize;
  (** Its record. *)
  item_record : RunRecord;
}.

#[global] Instance Default_SheetItem : Default SheetItem := {| item_columns := default; item_run := default; item_revision := default; item_segment := default; item_record := default |}.

(** One step of [`usize_power_of_two`]. *)
Definition usize_power_of_two_step (power : usize) : usize :=
  power * 2.

(** 2^exponent, for exponents below 64. *)
Definition usize_power_of_two (exponent : usize) : usize :=
  fold_left (fun power _i => usize_power_of_two_step power) (range 0 exponent) 1.

(** The domain's size. *)
Definition sheet_size (log : usize) : usize :=
  if log <=? MAX_SHEET_LOG then usize_power_of_two log else 0.

(** The greatest logarithm of a domain's size, for so many moments: with three the quotient of
    [`crate::table::certificate`] has a degree of three times the size. *)
Definition max_sheet_log (moments : usize) : usize :=
  if moments <=? 2 then MAX_SHEET_LOG else 10.

(** The least position at which a segment may begin, after one more; `None` where that one has no
    place. *)
Definition layout_after (free log : usize) (segment_record : RunRecord) : Option usize :=
  let n := sheet_size log in
  let fits :=
    (segment_record.(record_log) =? log) && (1 <=? segment_record.(record_rows)) &&
    (segment_record.(record_rows) <=? n) &&
    (free <=? segment_record.(record_first)) &&
    (segment_record.(record_first) <=? n)
  in
  if fits && (segment_record.(record_first) + segment_record.(record_rows) <=? guard_position n) then
    Some (segment_record.(record_first) + segment_record.(record_rows) + 1)
  else
    None.

(** One step of [`layout_end`]. *)
Definition layout_end_step (free : Option usize) (log : usize) (placed : SheetItem) : Option usize :=
  match free with
  | None => None
  | Some least => layout_after least log placed.(item_record)
  end.

(** The least position at which one more segment could begin; `None` where the segments have no such
    layout. *)
Definition layout_end (log : usize) (items : Seq SheetItem) : Option usize :=
  fold_left (fun free k => layout_end_step free log (seq_at items k)) (range 0 (seq_length items)) (Some 1).

(** Whether segments have a layout. *)
Definition sheet_layout_legal (log : usize) (items : Seq SheetItem) : bool :=
  match layout_end log items with
  | None => false
  | Some _ => true
  end.

(** One step of [`items_legal`]. *)
Definition items_legal_step (legal : bool) (moments : usize) (placed : SheetItem) : bool :=
  legal && (placed.(item_segment) =? 0) && (seq_length placed.(item_record).(record_sums) =? moments).

(** Whether each item is the first segment of its run, and has as many sums as the table has
    moments. *)
Definition items_legal (moments : usize) (items : Seq SheetItem) : bool :=
  fold_left
    (fun legal k => items_legal_step legal moments (seq_at items k))
    (range 0 (seq_length items))
    true.

(** Whether segments make a sheet. *)
Definition sheet_legal (log moments : usize) (items : Seq SheetItem) : bool :=
  (1 <=? moments) && (moments <=? 3) && (MIN_SHEET_LOG <=? log) && (log <=? max_sheet_log moments) &&
  (1 <=? seq_length items) &&
  (seq_length items <=? MAX_SHEET_ITEMS) &&
  items_legal moments items &&
  sheet_layout_legal log items.

(** The logarithm of the domain's size, as the first segment's record has it; 0 where there is none. *)
Definition sheet_log (items : Seq SheetItem) : usize :=
  if 0 <? seq_length items then (seq_at items 0).(item_record).(record_log) else 0.

(** One step of [`last_rows_value`]. *)
Definition last_rows_value_step (total : Scalar) (n : usize) (placed : SheetItem) (x : Scalar) : Scalar :=
  let first := placed.(item_record).(record_first) in
  if 0 <? first + placed.(item_record).(record_rows) then
    total [+] lagrange_value n (first + placed.(item_record).(record_rows) - 1) x
  else
    total.

(** last(x): the sum of L_i(x) over the segments' last rows. *)
Definition last_rows_value (n : usize) (items : Seq SheetItem) (x : Scalar) : Scalar :=
  fold_left
    (fun total k => last_rows_value_step total n (seq_at items k) x)
    (range 0 (seq_length items))
    scalar_zero.

(** One step of [`identity_value`]. *)
Definition identity_value_step (total : Scalar) (n : usize) (placed : SheetItem) (rho x : Scalar) : Scalar :=
  total [+] rho [*] interval_value n placed.(item_record).(record_first) placed.(item_record).(record_rows) x.

(** id(x): the sum of ρ_k L_i(x) over the positions i of the rows of each segment k. *)
Definition identity_value (n : usize) (items : Seq SheetItem) (rhos : Seq Scalar) (x : Scalar) : Scalar :=
  fold_left
    (fun total k => identity_value_step total n (seq_at items k) (scalar_at rhos k) x)
    (range 0 (seq_length items))
    scalar_zero.

End Specification.
