(* Translated from spec/src/table/key_box.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Boxes of keys: which runs of a column a query asks for.

    The key of a run's head is a prefix, which names table and column, and behind it the key columns
    and the run's number, each of a fixed width. A box has for each of these a list of closed
    intervals; its keys are those with the prefix and with each column in one of its intervals.
    Byte order is the order of the columns, one after the other, so the keys of a box from some byte
    string on begin with a least one, which [`box_next`] finds column by column, from the last:

    ```text
    least[i]  the least digits of the columns from i on
    next[i]   the least digits of the columns from i on that are not below the asked ones:
              the asked digits of column i || next[i + 1], if both exist;
              else the least digits of column i above the asked ones || least[i + 1]
    ```

    Source: docs/tables.md, "Boxes". *)
From AardvarkSpec Require Export Prelude Base.Integers Base.Bytes.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

(** The digits of a column from one up to another, both included. *)
Record KeyInterval : Type := {
  (** The least digits. *)
  interval_low : ByteString;
  (** The greatest digits. *)
  interval_high : ByteString;
}.

#[global] Instance Default_KeyInterval : Default KeyInterval := {| interval_low := default; interval_high := default |}.

(** A column of a box. *)
Record BoxColumn : Type := {
  (** How many bytes the column has in a key. *)
  box_column_width : usize;
  (** What is asked of it: disjoint intervals, ascending. *)
  box_column_intervals : Seq KeyInterval;
}.

#[global] Instance Default_BoxColumn : Default BoxColumn := {| box_column_width := default; box_column_intervals := default |}.

(** A set of keys. *)
Record KeyBox : Type := {
  (** What all keys begin with. *)
  box_prefix : ByteString;
  (** The columns behind it. *)
  box_columns : Seq BoxColumn;
}.

#[global] Instance Default_KeyBox : Default KeyBox := {| box_prefix := default; box_columns := default |}.

(** How far [`box_next`] has come: it looks at the columns from the last to the first. *)
Record BoxSeek : Type := {
  (** How many of the asked digits it has not looked at. *)
  seek_rest : usize;
  (** The least digits of the columns behind that are not below the asked ones. *)
  seek_next : Option ByteString;
  (** The least digits of the columns behind. *)
  seek_least : ByteString;
}.

#[global] Instance Default_BoxSeek : Default BoxSeek := {| seek_rest := default; seek_next := default; seek_least := default |}.

(** One step of [`bytes_below_ends`]. *)
Definition bytes_below_ends_step (found : usize) (digits : ByteString) (i : usize) : usize :=
  if seq_at digits i =? 255 then found else i + 1.

(** How many bytes there are up to the last that is not 255; 0 where there is none. *)
Definition bytes_below_ends (digits : ByteString) : usize :=
  fold_left (fun found i => bytes_below_ends_step found digits i) (range 0 (seq_length digits)) 0.

(** The number above, of the same width; none above the greatest. *)
Definition digits_above (digits : ByteString) : Option ByteString :=
  let end' := bytes_below_ends digits in
  if end' <? 1 then
    None
  else
    let raised := single_byte (u8_of_u128 (u128_of_u8 (seq_at digits (end' - 1)) + 1)) in
    Some (seq_slice digits 0 (end' - 1) ++ raised ++ (seq_new (seq_length digits - end') : Seq u8)).

(** Whether an interval begins behind another with at least one number between them. *)
Definition interval_follows (before after : KeyInterval) : bool :=
  match digits_above before.(interval_high) with
  | None => false
  | Some number => bytes_less number after.(interval_low)
  end.

(** One step of [`intervals_canonical`]. *)
Definition intervals_canonical_step
    (canonical : bool)
    (width : usize)
    (intervals : Seq KeyInterval)
    (i : usize) : bool :=
  let well_formed :=
    (seq_length (seq_at intervals i).(interval_low) =? width) &&
    (seq_length (seq_at intervals i).(interval_high) =? width) &&
    bytes_at_most (seq_at intervals i).(interval_low) (seq_at intervals i).(interval_high)
  in
  if 0 <? i then
    canonical && well_formed && interval_follows (seq_at intervals (i - 1)) (seq_at intervals i)
  else
    canonical && well_formed.

(** Whether intervals ascend, and are neither empty nor adjacent: a set of numbers has one such
    list. *)
Definition intervals_canonical (width : usize) (intervals : Seq KeyInterval) : bool :=
  fold_left
    (fun canonical i => intervals_canonical_step canonical width intervals i)
    (range 0 (seq_length intervals))
    true.

(** One step of [`column_holds`]. *)
Definition column_holds_step (found : bool) (interval : KeyInterval) (digits : ByteString) : bool :=
  found || (bytes_at_most interval.(interval_low) digits && bytes_at_most digits interval.(interval_high)).

(** Whether digits lie in one of a column's intervals. *)
Definition column_holds (column : BoxColumn) (digits : ByteString) : bool :=
  fold_left
    (fun found i => column_holds_step found (seq_at column.(box_column_intervals) i) digits)
    (range 0 (seq_length column.(box_column_intervals)))
    false.

(** The least digits of an interval above some; none where all of it is at most these. *)
Definition interval_above (interval : KeyInterval) (digits : ByteString) : Option ByteString :=
  if bytes_less digits interval.(interval_low) then
    Some interval.(interval_low)
  else if bytes_less digits interval.(interval_high) then
    digits_above digits
  else
    None.

(** One step of [`column_above`]. *)
Definition column_above_step
    (found : Option ByteString)
    (interval : KeyInterval)
    (digits : ByteString) : Option ByteString :=
  match found with
  | Some earlier => Some earlier
  | None => interval_above interval digits
  end.

(** The least digits of a column above some. *)
Definition column_above (column : BoxColumn) (digits : ByteString) : Option ByteString :=
  fold_left
    (fun found i => column_above_step found (seq_at column.(box_column_intervals) i) digits)
    (range 0 (seq_length column.(box_column_intervals)))
    None.

(** The least digits of a column; of none where it has no interval. *)
Definition column_least (column : BoxColumn) : ByteString :=
  if 0 <? seq_length column.(box_column_intervals) then
    (seq_at column.(box_column_intervals) 0).(interval_low)
  else
    [].

(** One step of [`box_width`]. *)
Definition box_width_step (width : usize) (column : BoxColumn) : usize :=
  width + column.(box_column_width).

(** How many bytes a key of the box has behind the prefix. *)
Definition box_width (columns : Seq BoxColumn) : usize :=
  fold_left (fun width i => box_width_step width (seq_at columns i)) (range 0 (seq_length columns)) 0.

(** One step of [`box_inhabited`]. *)
Definition box_inhabited_step (inhabited : bool) (column : BoxColumn) : bool :=
  inhabited && (0 <? seq_length column.(box_column_intervals)).

(** Whether a box has any key: whether each column has an interval. *)
Definition box_inhabited (columns : Seq BoxColumn) : bool :=
  fold_left
    (fun inhabited i => box_inhabited_step inhabited (seq_at columns i))
    (range 0 (seq_length columns))
    true.

(** The place in a list of so many, counted from its end. *)
Definition place_from_end (count i : usize) : usize :=
  if i <? count then count - i - 1 else 0.

(** The least digits that are not below the asked ones, of a column and those behind it. *)
Definition next_in_column (column : BoxColumn) (digits : ByteString) (seek : BoxSeek) : Option ByteString :=
  let above :=
    match column_above column digits with
    | None => None
    | Some greater => Some (greater ++ seek.(seek_least))
    end
  in
  match seek.(seek_next) with
  | None => above
  | Some behind => if column_holds column digits then Some (digits ++ behind) else above
  end.

(** One step of [`seek_box`]. *)
Definition seek_box_step (seek : BoxSeek) (column : BoxColumn) (asked : ByteString) : BoxSeek :=
  let width := column.(box_column_width) in
  let start := if width <=? seek.(seek_rest) then seek.(seek_rest) - width else 0 in
  let digits := seq_slice asked start (seek.(seek_rest) - start) in
  {| seek_rest := start;
    seek_next := next_in_column column digits seek;
    seek_least := column_least column ++ seek.(seek_least) |}.

(** The state of a search when all columns were looked at, for asked digits of all columns; what is
    found is above these where `above`, else at least these. *)
Definition seek_box (columns : Seq BoxColumn) (asked : ByteString) (above : bool) : BoxSeek :=
  let end' := if above then None else Some [] in
  fold_left
    (fun seek i => seek_box_step seek (seq_at columns (place_from_end (seq_length columns) i)) asked)
    (range 0 (seq_length columns))
    {| seek_rest := seq_length asked; seek_next := end'; seek_least := [] |}.

(** The least digits of a box that are not below a byte string: one that is too short is filled up
    with zeros, which changes nothing about what is below it; of one that is too long the first
    digits are below it. *)
Definition next_digits (columns : Seq BoxColumn) (k : ByteString) : Option ByteString :=
  let width := box_width columns in
  let asked := seq_slice (k ++ (seq_new width : Seq u8)) 0 width in
  (seek_box columns asked (width <? seq_length k)).(seek_next).

(** The prefix before digits, if there are any. *)
Definition prefixed (prefix : ByteString) (digits : Option ByteString) : Option ByteString :=
  match digits with
  | None => None
  | Some found => Some (prefix ++ found)
  end.

(** The least key of a box that is at least `k`, whatever byte string that is. *)
Definition box_next (key_box : KeyBox) (k : ByteString) : Option ByteString :=
  let prefix := key_box.(box_prefix) in
  if negb (box_inhabited key_box.(box_columns)) then
    None
  else if seq_length prefix <=? first_difference k prefix then
    prefixed
      prefix
      (next_digits key_box.(box_columns) (seq_slice k (seq_length prefix) (seq_length k - seq_length prefix)))
  else if bytes_less k prefix then
    prefixed prefix (next_digits key_box.(box_columns) [])
  else
    None.

(** Whether a key lies in a box. *)
Definition box_holds (key_box : KeyBox) (k : ByteString) : bool :=
  match box_next key_box k with
  | None => false
  | Some found => bytes_equal found k
  end.
