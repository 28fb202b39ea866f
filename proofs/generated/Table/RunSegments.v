(* Translated from spec/src/table/run_segments.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Runs of several segments: what the dictionary holds of them, and which steps of a run are legal.

    ```text
    head    = u8 1 || u32 revision || u32 segments || u64 rows || record
              || (segments > 1: total_p (48), p = 1..=moments)
    segment = u8 2 || u64 rank || record                        rank: rows of the run before it
    ```

    The record in the head is that of the first segment; `total_p` is the sum of the commitments
    sums_p of all segments. A run grows behind its end: each segment that is put continues the order
    of the one before, which its certificate shows
    ([`crate::table::linked_certificate`]).

    | step | what stands before | what it asks |
    |---|---|---|
    | begin | no head | revision 0 |
    | extend | a head of this revision | its record stays; one segment at least is put |
    | replace | a head | not append-only; the next revision |

    In each, the segments that are put have the numbers behind those that stand, their ranks are the
    rows before them, and segments, rows and totals of the head are what they add up to. Which bytes
    are a point is looked at apart. Source: docs/tables.md, "Runs of several segments". *)
From AardvarkSpec Require Export Prelude Base.Bytes Base.Group Table.RunRecord Table.Totals.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** Segments of a run are fewer than this. *)
Definition MAX_RUN_SEGMENTS : usize :=
  4294967296.

(** The head of a run of any number of segments. *)
Record LongHead : Type := {
  (** How often the run was replaced. *)
  long_revision : usize;
  (** How many segments it has. *)
  long_segments : usize;
  (** How many rows they have. *)
  long_rows : usize;
  (** The record of the first segment. *)
  long_record : RunRecord;
  (** Where there are several segments, the commitments to the sums of the whole run. *)
  long_totals : Seq TablePoint;
}.

#[global] Instance Default_LongHead : Default LongHead := {| long_revision := default; long_segments := default; long_rows := default; long_record := default; long_totals := default |}.

(** A segment of a run. *)
Record RunPiece : Type := {
  (** Its number; 0 for the first, which is in the head. *)
  piece_number : usize;
  (** The rows of the run before it. *)
  piece_rank : usize;
  (** Its record. *)
  piece_record : RunRecord;
}.

#[global] Instance Default_RunPiece : Default RunPiece := {| piece_number := default; piece_rank := default; piece_record := default |}.

(** Why a step of a run is not legal. *)
Inductive StepFault : Type :=
(** A record has no place on a domain, or another number of sums. *)
| StepFault_PieceMisplaced
(** The table does not allow that its runs are replaced. *)
| StepFault_StepFixed
(** The revision is not the next one. *)
| StepFault_StepRevision
(** A run that grows has another first segment afterwards. *)
| StepFault_StepRecord
(** A run that grows gets no segment, or segments have other numbers than the next ones. *)
| StepFault_PieceNumber
(** A segment's rank is not the rows before it. *)
| StepFault_PieceRank
(** The head's segments, rows or totals are not what the segments add up to. *)
| StepFault_StepSums.

(** What a run has come to while its segments are added up. *)
Record RunExtent : Type := {
  (** How many segments. *)
  extent_segments : usize;
  (** How many rows. *)
  extent_rows : usize;
  (** The sums of the commitments to sums. *)
  extent_sums : Seq G1;
}.

#[global] Instance Default_RunExtent : Default RunExtent := {| extent_segments := default; extent_rows := default; extent_sums := default |}.

(** A head as bytes. *)
Definition encode_long_head (head : LongHead) : ByteString :=
  u8_bytes 1 ++
  u32_bytes head.(long_revision) ++
  u32_bytes head.(long_segments) ++
  u64_bytes head.(long_rows) ++
  encode_run_record head.(long_record) ++
  encode_table_points head.(long_totals).

(** A segment that is not the first as bytes. *)
Definition encode_run_piece (piece : RunPiece) : ByteString :=
  u8_bytes 2 ++ u64_bytes piece.(piece_rank) ++ encode_run_record piece.(piece_record).

(** Whether a head is one of a run, of a table with so many moments. *)
Definition long_head_legal (head : LongHead) (moments : usize) : bool :=
  let extent_legal :=
    if head.(long_segments) =? 1 then
      (head.(long_rows) =? head.(long_record).(record_rows)) && (seq_length head.(long_totals) =? 0)
    else
      (2 <=? head.(long_segments)) && (head.(long_segments) <? MAX_RUN_SEGMENTS) &&
      (head.(long_record).(record_rows) <? head.(long_rows)) &&
      (head.(long_rows) <? MAX_BOX_ROWS) &&
      (seq_length head.(long_totals) =? moments)
  in
  (head.(long_revision) <? 4294967296) && run_record_legal head.(long_record) moments && extent_legal.

(** The commitments to the sums of a whole run. *)
Definition long_sums (head : LongHead) : Seq TablePoint :=
  if head.(long_segments) =? 1 then head.(long_record).(record_sums) else head.(long_totals).

(** One step of [`points_added`]. *)
Definition points_added_step (sums before : Seq G1) (added : TablePoint) (i : usize) : Seq G1 :=
  sums ++ [g1_add (g1_at before i) added.(held_element)].

(** Elements, and points added to them one by one. *)
Definition points_added (before : Seq G1) (added : Seq TablePoint) : Seq G1 :=
  fold_left (fun sums i => points_added_step sums before (seq_at added i) i) (range 0 (seq_length added)) [].

(** The extent of a run that stands. *)
Definition extent_of_head (head : LongHead) : RunExtent :=
  {| extent_segments := head.(long_segments);
    extent_rows := head.(long_rows);
    extent_sums := points_added [] (long_sums head) |}.

(** The extent of a run that begins: of the first segment alone. *)
Definition extent_of_first (head : LongHead) : RunExtent :=
  {| extent_segments := 1;
    extent_rows := head.(long_record).(record_rows);
    extent_sums := points_added [] head.(long_record).(record_sums) |}.

(** One step of [`extent_with_pieces`]. *)
Definition extent_with_pieces_step
    (found : Result RunExtent StepFault)
    (moments : usize)
    (piece : RunPiece) : Result RunExtent StepFault :=
  match found with
  | Err fault => Err fault
  | Ok extent =>
      if negb (run_record_legal piece.(piece_record) moments) then
        Err StepFault_PieceMisplaced
      else if negb (piece.(piece_number) =? extent.(extent_segments)) then
        Err StepFault_PieceNumber
      else if negb (piece.(piece_rank) =? extent.(extent_rows)) then
        Err StepFault_PieceRank
      else
        Ok
          {| extent_segments := extent.(extent_segments) + 1;
            extent_rows := extent.(extent_rows) + piece.(piece_record).(record_rows);
            extent_sums := points_added extent.(extent_sums) piece.(piece_record).(record_sums) |}
  end.

(** The extent of a run with further segments. *)
Definition extent_with_pieces
    (before : RunExtent)
    (moments : usize)
    (put : Seq RunPiece) : Result RunExtent StepFault :=
  fold_left
    (fun found i => extent_with_pieces_step found moments (seq_at put i))
    (range 0 (seq_length put))
    (Ok before).

(** One step of [`elements_equal`]. *)
Definition elements_equal_step
    (equal : bool)
    (elements : Seq G1)
    (points : Seq TablePoint)
    (i : usize) : bool :=
  equal && (i <? seq_length elements) && g1_equal (g1_at elements i) (seq_at points i).(held_element).

(** Whether elements are those of points. *)
Definition elements_equal (elements : Seq G1) (points : Seq TablePoint) : bool :=
  fold_left
    (fun equal i => elements_equal_step equal elements points i)
    (range 0 (seq_length points))
    (seq_length elements =? seq_length points).

(** A condition of a step, or the reason of its failure. *)
Definition expect_step (condition : bool) (otherwise : StepFault) : Result unit StepFault :=
  if condition then Ok tt else Err otherwise.

(** Whether a head says what the segments of its run add up to. *)
Definition check_extent
    (before : RunExtent)
    (moments : usize)
    (put : Seq RunPiece)
    (after : LongHead) : Result unit StepFault :=
  match extent_with_pieces before moments put with
  | Ok extent =>
      let counted :=
        (extent.(extent_segments) =? after.(long_segments)) && (extent.(extent_rows) =? after.(long_rows))
      in
      match expect_step counted StepFault_StepSums with
      | Ok _counted => expect_step (elements_equal extent.(extent_sums) (long_sums after)) StepFault_StepSums
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

(** Whether a run may begin so. *)
Definition judge_begin
    (moments revision : usize)
    (after : LongHead)
    (put : Seq RunPiece) : Result unit StepFault :=
  match expect_step (after.(long_revision) =? revision) StepFault_StepRevision with
  | Ok _next => check_extent (extent_of_first after) moments put after
  | Err e' => Err e'
  end.

(** Whether a run may grow so. *)
Definition judge_extend
    (moments : usize)
    (before after : LongHead)
    (put : Seq RunPiece) : Result unit StepFault :=
  let same := bytes_equal (encode_run_record before.(long_record)) (encode_run_record after.(long_record)) in
  match expect_step same StepFault_StepRecord with
  | Ok _same =>
      match expect_step (1 <=? seq_length put) StepFault_PieceNumber with
      | Ok _some => check_extent (extent_of_head before) moments put after
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

(** Whether a run may become so, in a table that is append-only or is not, by a head and the
    segments of its revision that are put with it, in the order of their numbers. *)
Definition judge_step
    (append_only : bool)
    (moments : usize)
    (before : Option LongHead)
    (after : LongHead)
    (put : Seq RunPiece) : Result unit StepFault :=
  match expect_step (long_head_legal after moments) StepFault_PieceMisplaced with
  | Ok _placed =>
      match before with
      | None => judge_begin moments 0 after put
      | Some standing =>
          if standing.(long_revision) =? after.(long_revision) then
            judge_extend moments standing after put
          else
            match expect_step (negb append_only) StepFault_StepFixed with
            | Ok _open => judge_begin moments (standing.(long_revision) + 1) after put
            | Err e' => Err e'
            end
      end
  | Err e' => Err e'
  end.

End Specification.
