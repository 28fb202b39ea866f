(* Translated from spec/src/table/run_segments.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Table.RunSegments Base.BytesSafe Base.GroupSafe Table.RunRecordSafe
  Table.TotalsSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [encode_long_head] does not panic. *)
Definition encode_long_head_safe (head : LongHead) : bool :=
  encode_run_record_safe head.(long_record) && encode_table_points_safe head.(long_totals).

(** When [encode_run_piece] does not panic. *)
Definition encode_run_piece_safe (piece : RunPiece) : bool :=
  encode_run_record_safe piece.(piece_record).

(** When [long_head_legal] does not panic. *)
Definition long_head_legal_safe (head : LongHead) (moments : usize) : bool :=
  if head.(long_revision) <? 4294967296 then run_record_legal_safe head.(long_record) moments else true.

(** When [points_added] does not panic. *)
Definition points_added_safe (before : Seq G1) (added : Seq TablePoint) : bool :=
  loop_safe
    (fun sums i => points_added_step sums before (seq_at added i) i)
    (fun sums i => i <? seq_length added)
    (range 0 (seq_length added))
    [].

(** When [extent_of_head] does not panic. *)
Definition extent_of_head_safe (head : LongHead) : bool :=
  points_added_safe [] (long_sums head).

(** When [extent_of_first] does not panic. *)
Definition extent_of_first_safe (head : LongHead) : bool :=
  points_added_safe [] head.(long_record).(record_sums).

(** When [extent_with_pieces_step] does not panic. *)
Definition extent_with_pieces_step_safe
    (found : Result RunExtent StepFault)
    (moments : usize)
    (piece : RunPiece) : bool :=
  match found with
  | Err fault => true
  | Ok extent =>
      run_record_legal_safe piece.(piece_record) moments &&
      (if negb (run_record_legal piece.(piece_record) moments) then
          true
        else if negb (piece.(piece_number) =? extent.(extent_segments)) then
          true
        else if negb (piece.(piece_rank) =? extent.(extent_rows)) then
          true
        else
          within_usize (extent.(extent_segments) + 1) &&
          within_usize (extent.(extent_rows) + piece.(piece_record).(record_rows)) &&
          points_added_safe extent.(extent_sums) piece.(piece_record).(record_sums))
  end.

(** When [extent_with_pieces] does not panic. *)
Definition extent_with_pieces_safe (before : RunExtent) (moments : usize) (put : Seq RunPiece) : bool :=
  loop_safe
    (fun found i => extent_with_pieces_step found moments (seq_at put i))
    (fun found i => (i <? seq_length put) && extent_with_pieces_step_safe found moments (seq_at put i))
    (range 0 (seq_length put))
    (Ok before).

(** When [elements_equal_step] does not panic. *)
Definition elements_equal_step_safe
    (equal : bool)
    (elements : Seq G1)
    (points : Seq TablePoint)
    (i : usize) : bool :=
  if equal && (i <? seq_length elements) then i <? seq_length points else true.

(** When [elements_equal] does not panic. *)
Definition elements_equal_safe (elements : Seq G1) (points : Seq TablePoint) : bool :=
  loop_safe
    (fun equal i => elements_equal_step equal elements points i)
    (fun equal i => elements_equal_step_safe equal elements points i)
    (range 0 (seq_length points))
    (seq_length elements =? seq_length points).

(** When [check_extent] does not panic. *)
Definition check_extent_safe
    (before : RunExtent)
    (moments : usize)
    (put : Seq RunPiece)
    (after : LongHead) : bool :=
  extent_with_pieces_safe before moments put &&
  (match extent_with_pieces before moments put with
    | Ok extent =>
        let counted :=
          (extent.(extent_segments) =? after.(long_segments)) && (extent.(extent_rows) =? after.(long_rows))
        in
        match expect_step counted StepFault_StepSums with
        | Ok _counted => elements_equal_safe extent.(extent_sums) (long_sums after)
        | Err _ => true
        end
    | Err _ => true
    end).

(** When [judge_begin] does not panic. *)
Definition judge_begin_safe (moments revision : usize) (after : LongHead) (put : Seq RunPiece) : bool :=
  match expect_step (after.(long_revision) =? revision) StepFault_StepRevision with
  | Ok _next => extent_of_first_safe after && check_extent_safe (extent_of_first after) moments put after
  | Err _ => true
  end.

(** When [judge_extend] does not panic. *)
Definition judge_extend_safe (moments : usize) (before after : LongHead) (put : Seq RunPiece) : bool :=
  encode_run_record_safe before.(long_record) && encode_run_record_safe after.(long_record) &&
  bytes_equal_safe (encode_run_record before.(long_record)) (encode_run_record after.(long_record)) &&
  (let same := bytes_equal (encode_run_record before.(long_record)) (encode_run_record after.(long_record)) in
    match expect_step same StepFault_StepRecord with
    | Ok _same =>
        match expect_step (1 <=? seq_length put) StepFault_PieceNumber with
        | Ok _some =>
            extent_of_head_safe before && check_extent_safe (extent_of_head before) moments put after
        | Err _ => true
        end
    | Err _ => true
    end).

(** When [judge_step] does not panic. *)
Definition judge_step_safe
    (append_only : bool)
    (moments : usize)
    (before : Option LongHead)
    (after : LongHead)
    (put : Seq RunPiece) : bool :=
  long_head_legal_safe after moments &&
  (match expect_step (long_head_legal after moments) StepFault_PieceMisplaced with
    | Ok _placed =>
        match before with
        | None => judge_begin_safe moments 0 after put
        | Some standing =>
            if standing.(long_revision) =? after.(long_revision) then
              judge_extend_safe moments standing after put
            else
              match expect_step (negb append_only) StepFault_StepFixed with
              | Ok _open =>
                  within_usize (standing.(long_revision) + 1) &&
                  judge_begin_safe moments (standing.(long_revision) + 1) after put
              | Err _ => true
              end
        end
    | Err _ => true
    end).

End Specification.
