(* Translated from spec/src/table/key_box.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Table.KeyBox Base.BytesSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

(** When [bytes_below_ends_step] does not panic. *)
Definition bytes_below_ends_step_safe (found : usize) (digits : ByteString) (i : usize) : bool :=
  (i <? seq_length digits) && (if seq_at digits i =? 255 then true else within_usize (i + 1)).

(** When [bytes_below_ends] does not panic. *)
Definition bytes_below_ends_safe (digits : ByteString) : bool :=
  loop_safe
    (fun found i => bytes_below_ends_step found digits i)
    (fun found i => bytes_below_ends_step_safe found digits i)
    (range 0 (seq_length digits))
    0.

(** When [digits_above] does not panic. *)
Definition digits_above_safe (digits : ByteString) : bool :=
  bytes_below_ends_safe digits &&
  (let end' := bytes_below_ends digits in
    if end' <? 1 then
      true
    else
      (end' - 1 <? seq_length digits) && within_u128 (u128_of_u8 (seq_at digits (end' - 1)) + 1) &&
      ((0 + (end' - 1) <=? seq_length digits) && (end' <=? seq_length digits))).

(** When [interval_follows] does not panic. *)
Definition interval_follows_safe (before after : KeyInterval) : bool :=
  digits_above_safe before.(interval_high) &&
  (match digits_above before.(interval_high) with
    | None => true
    | Some number => bytes_less_safe number after.(interval_low)
    end).

(** When [intervals_canonical_step] does not panic. *)
Definition intervals_canonical_step_safe
    (canonical : bool)
    (width : usize)
    (intervals : Seq KeyInterval)
    (i : usize) : bool :=
  (i <? seq_length intervals) &&
  (if seq_length (seq_at intervals i).(interval_low) =? width then i <? seq_length intervals else true) &&
  (if (seq_length (seq_at intervals i).(interval_low) =? width) &&
      (seq_length (seq_at intervals i).(interval_high) =? width) then
      (i <? seq_length intervals) && (i <? seq_length intervals) &&
      bytes_at_most_safe (seq_at intervals i).(interval_low) (seq_at intervals i).(interval_high)
    else
      true) &&
  (let well_formed :=
      (seq_length (seq_at intervals i).(interval_low) =? width) &&
      (seq_length (seq_at intervals i).(interval_high) =? width) &&
      bytes_at_most (seq_at intervals i).(interval_low) (seq_at intervals i).(interval_high)
    in
    if 0 <? i then
      if canonical && well_formed then
        (1 <=? i) && (i - 1 <? seq_length intervals) && (i <? seq_length intervals) &&
        interval_follows_safe (seq_at intervals (i - 1)) (seq_at intervals i)
      else
        true
    else
      true).

(** When [intervals_canonical] does not panic. *)
Definition intervals_canonical_safe (width : usize) (intervals : Seq KeyInterval) : bool :=
  loop_safe
    (fun canonical i => intervals_canonical_step canonical width intervals i)
    (fun canonical i => intervals_canonical_step_safe canonical width intervals i)
    (range 0 (seq_length intervals))
    true.

(** When [column_holds_step] does not panic. *)
Definition column_holds_step_safe (found : bool) (interval : KeyInterval) (digits : ByteString) : bool :=
  if found then
    true
  else
    bytes_at_most_safe interval.(interval_low) digits &&
    (if bytes_at_most interval.(interval_low) digits then
        bytes_at_most_safe digits interval.(interval_high)
      else
        true).

(** When [column_holds] does not panic. *)
Definition column_holds_safe (column : BoxColumn) (digits : ByteString) : bool :=
  loop_safe
    (fun found i => column_holds_step found (seq_at column.(box_column_intervals) i) digits)
    (fun found i =>
      (i <? seq_length column.(box_column_intervals)) &&
      column_holds_step_safe found (seq_at column.(box_column_intervals) i) digits)
    (range 0 (seq_length column.(box_column_intervals)))
    false.

(** When [interval_above] does not panic. *)
Definition interval_above_safe (interval : KeyInterval) (digits : ByteString) : bool :=
  bytes_less_safe digits interval.(interval_low) &&
  (if bytes_less digits interval.(interval_low) then
      true
    else
      bytes_less_safe digits interval.(interval_high) &&
      (if bytes_less digits interval.(interval_high) then digits_above_safe digits else true)).

(** When [column_above_step] does not panic. *)
Definition column_above_step_safe
    (found : Option ByteString)
    (interval : KeyInterval)
    (digits : ByteString) : bool :=
  match found with
  | Some earlier => true
  | None => interval_above_safe interval digits
  end.

(** When [column_above] does not panic. *)
Definition column_above_safe (column : BoxColumn) (digits : ByteString) : bool :=
  loop_safe
    (fun found i => column_above_step found (seq_at column.(box_column_intervals) i) digits)
    (fun found i =>
      (i <? seq_length column.(box_column_intervals)) &&
      column_above_step_safe found (seq_at column.(box_column_intervals) i) digits)
    (range 0 (seq_length column.(box_column_intervals)))
    None.

(** When [box_width_step] does not panic. *)
Definition box_width_step_safe (width : usize) (column : BoxColumn) : bool :=
  within_usize (width + column.(box_column_width)).

(** When [box_width] does not panic. *)
Definition box_width_safe (columns : Seq BoxColumn) : bool :=
  loop_safe
    (fun width i => box_width_step width (seq_at columns i))
    (fun width i => (i <? seq_length columns) && box_width_step_safe width (seq_at columns i))
    (range 0 (seq_length columns))
    0.

(** When [box_inhabited] does not panic. *)
Definition box_inhabited_safe (columns : Seq BoxColumn) : bool :=
  loop_safe
    (fun inhabited i => box_inhabited_step inhabited (seq_at columns i))
    (fun inhabited i => i <? seq_length columns)
    (range 0 (seq_length columns))
    true.

(** When [place_from_end] does not panic. *)
Definition place_from_end_safe (count i : usize) : bool :=
  if i <? count then 1 <=? count - i else true.

(** When [next_in_column] does not panic. *)
Definition next_in_column_safe (column : BoxColumn) (digits : ByteString) (seek : BoxSeek) : bool :=
  column_above_safe column digits &&
  (match seek.(seek_next) with
    | None => true
    | Some behind => column_holds_safe column digits
    end).

(** When [seek_box_step] does not panic. *)
Definition seek_box_step_safe (seek : BoxSeek) (column : BoxColumn) (asked : ByteString) : bool :=
  let width := column.(box_column_width) in
  let start := if width <=? seek.(seek_rest) then seek.(seek_rest) - width else 0 in
  (start <=? seek.(seek_rest)) && (start + (seek.(seek_rest) - start) <=? seq_length asked) &&
  (let digits := seq_slice asked start (seek.(seek_rest) - start) in
    next_in_column_safe column digits seek).

(** When [seek_box] does not panic. *)
Definition seek_box_safe (columns : Seq BoxColumn) (asked : ByteString) (above : bool) : bool :=
  let end' := if above then None else Some [] in
  loop_safe
    (fun seek i => seek_box_step seek (seq_at columns (place_from_end (seq_length columns) i)) asked)
    (fun seek i =>
      place_from_end_safe (seq_length columns) i &&
      (place_from_end (seq_length columns) i <? seq_length columns) &&
      seek_box_step_safe seek (seq_at columns (place_from_end (seq_length columns) i)) asked)
    (range 0 (seq_length columns))
    {| seek_rest := seq_length asked; seek_next := end'; seek_least := [] |}.

(** When [next_digits] does not panic. *)
Definition next_digits_safe (columns : Seq BoxColumn) (k : ByteString) : bool :=
  box_width_safe columns &&
  (let width := box_width columns in
    (0 + width <=? seq_length (k ++ (seq_new width : Seq u8))) &&
    (let asked := seq_slice (k ++ (seq_new width : Seq u8)) 0 width in
      seek_box_safe columns asked (width <? seq_length k))).

(** When [box_next] does not panic. *)
Definition box_next_safe (key_box : KeyBox) (k : ByteString) : bool :=
  let prefix := key_box.(box_prefix) in
  box_inhabited_safe key_box.(box_columns) &&
  (if negb (box_inhabited key_box.(box_columns)) then
      true
    else
      first_difference_safe k prefix &&
      (if seq_length prefix <=? first_difference k prefix then
          (seq_length prefix <=? seq_length k) &&
          (seq_length prefix + (seq_length k - seq_length prefix) <=? seq_length k) &&
          next_digits_safe
            key_box.(box_columns)
            (seq_slice k (seq_length prefix) (seq_length k - seq_length prefix))
        else
          bytes_less_safe k prefix &&
          (if bytes_less k prefix then next_digits_safe key_box.(box_columns) [] else true))).

(** When [box_holds] does not panic. *)
Definition box_holds_safe (key_box : KeyBox) (k : ByteString) : bool :=
  box_next_safe key_box k &&
  (match box_next key_box k with
    | None => true
    | Some found => bytes_equal_safe found k
    end).
