(* Translated from spec/src/policy/certified_answer.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Answers that come with certificates: whoever takes nobody's word that runs are in order checks
    them himself.

    ```text
    answer         it holds (crate::table::table_answer_verifier)
    certificates   each segment of each run in the box stands in the sheet of a certificate: the first
                   as the head has it, in a sheet that continues no run; each other one first in a
                   sheet that is linked to the record of the segment before. What they add up to is
                   the head's, and the segments that the answer shows are among them
    openings       each certificate holds
    ```

    All segments of a run have to be there, whatever is asked: a link says something only where what
    it is linked to is certified itself. What a certificate is about besides its segments is the
    asker's own: dictionary, table, column and schema. Source: docs/tables.md, "Answers". *)
From AardvarkSpec Require Export Prelude Base.Bytes Base.Group Commitment.Kzg Commitment.Scheme
  Answer.AnswerProof Answer.Verify Table.RunRecord Table.Sheet Table.CertificateTranscript Table.TableSchema
  Table.TableQuery Table.RunSegments Table.TableAnswer Table.LongRuns Table.TableAnswerVerifier
  Policy.TableMade Policy.Tables.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** What a statement that comes with an answer says: the segments of a sheet, and the record of the
    segment before the first where that one continues a run. *)
Record StatedSheet : Type := {
  (** The record of the segment before. *)
  stated_link : Option RunRecord;
  (** The segments. *)
  stated_items : Seq SheetItem;
}.

#[global] Instance Default_StatedSheet : Default StatedSheet := {| stated_link := default; stated_items := default |}.

(** Why an answer with certificates is not accepted. *)
Inductive CertifiedRefusal : Type :=
(** The answer is not. *)
| CertifiedRefusal_AnswerRefused (_ : TableRefusal)
(** The run with this number, from 0, is not in the certificates as it has to be. *)
| CertifiedRefusal_RunUncertified (_ : usize)
(** A certificate does not hold. *)
| CertifiedRefusal_CertificatesRefused.

(** Segments of a run that certificates are about, while they are gone through. *)
Record CertifiedPieces : Type := {
  (** Those behind the first so far. *)
  certified_further : Seq RunPiece;
  (** The record of the last one. *)
  certified_last : RunRecord;
  (** The rows of all. *)
  certified_rows : usize;
}.

#[global] Instance Default_CertifiedPieces : Default CertifiedPieces := {| certified_further := default; certified_last := default; certified_rows := default |}.

(** Whether two points are one, with one encoding. *)
Definition point_same (one other : TablePoint) : bool :=
  g1_equal one.(held_element) other.(held_element) && bytes_equal one.(held_bytes) other.(held_bytes).

(** One step of [`points_same`]. *)
Definition points_same_step (same : bool) (one other : Seq TablePoint) (i : usize) : bool :=
  same && (i <? seq_length other) && point_same (seq_at one i) (seq_at other i).

(** Whether two lists of points are one. *)
Definition points_same (one other : Seq TablePoint) : bool :=
  fold_left
    (fun same i => points_same_step same one other i)
    (range 0 (seq_length one))
    (seq_length one =? seq_length other).

(** Whether two records are one. *)
Definition record_same (one other : RunRecord) : bool :=
  (one.(record_log) =? other.(record_log)) && (one.(record_first) =? other.(record_first)) &&
  (one.(record_rows) =? other.(record_rows)) &&
  point_same one.(record_values) other.(record_values) &&
  bytes_equal one.(record_root) other.(record_root) &&
  points_same one.(record_sums) other.(record_sums).

(** Whether an item of a sheet is the segment of a run with a number. *)
Definition item_is_of (run : LongRun) (number : usize) (placed : SheetItem) : bool :=
  bytes_equal placed.(item_columns) run.(long_place).(place_columns) &&
  (placed.(item_run) =? run.(long_place).(place_run)) &&
  (placed.(item_revision) =? run.(long_head).(long_revision)) &&
  (placed.(item_segment) =? number).

(** One step of [`first_in_sheet`]. *)
Definition first_in_sheet_step (found : bool) (run : LongRun) (placed : SheetItem) : bool :=
  found || (item_is_of run 0 placed && record_same placed.(item_record) run.(long_head).(long_record)).

(** Whether the first segment of a run, as its head has it, is in a sheet that continues no run. *)
Definition first_in_sheet (run : LongRun) (sheet : StatedSheet) : bool :=
  match sheet.(stated_link) with
  | Some _ => false
  | None =>
      fold_left
        (fun found k => first_in_sheet_step found run (seq_at sheet.(stated_items) k))
        (range 0 (seq_length sheet.(stated_items)))
        false
  end.

(** One step of [`first_certified`]. *)
Definition first_certified_step (found : bool) (run : LongRun) (sheet : StatedSheet) : bool :=
  found || first_in_sheet run sheet.

(** Whether the first segment of a run is in one of the sheets. *)
Definition first_certified (run : LongRun) (sheets : Seq StatedSheet) : bool :=
  fold_left
    (fun found i => first_certified_step found run (seq_at sheets i))
    (range 0 (seq_length sheets))
    false.

(** The record of the segment of a run with a number, where it is the first of a sheet that is
    linked to a record. *)
Definition next_in_sheet
    (run : LongRun)
    (number : usize)
    (before : RunRecord)
    (sheet : StatedSheet) : Option RunRecord :=
  match sheet.(stated_link) with
  | None => None
  | Some link =>
      if 0 <? seq_length sheet.(stated_items) then
        let placed := seq_at sheet.(stated_items) 0 in
        if item_is_of run number placed && record_same link before then Some placed.(item_record) else None
      else
        None
  end.

(** One step of [`next_certified`]. *)
Definition next_certified_step
    (found : Option RunRecord)
    (run : LongRun)
    (number : usize)
    (before : RunRecord)
    (sheet : StatedSheet) : Option RunRecord :=
  match found with
  | Some record => Some record
  | None => next_in_sheet run number before sheet
  end.

(** The same in the first of the sheets that has it. *)
Definition next_certified
    (run : LongRun)
    (number : usize)
    (before : RunRecord)
    (sheets : Seq StatedSheet) : Option RunRecord :=
  fold_left
    (fun found i => next_certified_step found run number before (seq_at sheets i))
    (range 0 (seq_length sheets))
    None.

(** One step of [`further_certified`]. *)
Definition further_certified_step
    (found : Option CertifiedPieces)
    (run : LongRun)
    (number : usize)
    (sheets : Seq StatedSheet) : Option CertifiedPieces :=
  match found with
  | None => None
  | Some pieces =>
      match next_certified run number pieces.(certified_last) sheets with
      | None => None
      | Some record =>
          let rank := pieces.(certified_rows) in
          let piece := {| piece_number := number; piece_rank := rank; piece_record := record |} in
          Some
            {| certified_further := pieces.(certified_further) ++ [piece];
              certified_rows := rank + record.(record_rows);
              certified_last := record |}
      end
  end.

(** The segments of a run behind its first, each first in a sheet that is linked to the one before;
    `None` where one is missing. *)
Definition further_certified (run : LongRun) (sheets : Seq StatedSheet) : Option CertifiedPieces :=
  fold_left
    (fun found number => further_certified_step found run number sheets)
    (range 1 run.(long_head).(long_segments))
    (Some
        {| certified_further := [];
          certified_last := run.(long_head).(long_record);
          certified_rows := run.(long_head).(long_record).(record_rows) |}).

(** Whether two pieces are one. *)
Definition piece_same (one other : RunPiece) : bool :=
  (one.(piece_number) =? other.(piece_number)) && (one.(piece_rank) =? other.(piece_rank)) &&
  record_same one.(piece_record) other.(piece_record).

(** One step of [`pieces_among`]. *)
Definition pieces_among_step (among : bool) (pieces : Seq RunPiece) (piece : RunPiece) : bool :=
  among && (piece.(piece_number) <? seq_length pieces) &&
  piece_same piece (seq_at pieces piece.(piece_number)).

(** Whether the pieces of a run that an answer shows are those with their numbers among these. *)
Definition pieces_among (run : LongRun) (pieces : Seq RunPiece) : bool :=
  fold_left
    (fun among i => pieces_among_step among pieces (seq_at run.(long_pieces) i))
    (range 0 (seq_length run.(long_pieces)))
    true.

(** Whether the segments behind the first add up with it to a run's head, and what is shown is among
    them. *)
Definition pieces_add_up (run : LongRun) (moments : usize) (further : Seq RunPiece) : bool :=
  let pieces := [] ++ [first_piece run.(long_head)] ++ further in
  match check_extent (extent_of_first run.(long_head)) moments further run.(long_head) with
  | Err _ => false
  | Ok _ => pieces_among run pieces
  end.

(** Whether all segments of a run stand in sheets, linked one to the other, and add up to it. *)
Definition run_certified (run : LongRun) (moments : usize) (sheets : Seq StatedSheet) : bool :=
  match further_certified run sheets with
  | None => false
  | Some pieces => first_certified run sheets && pieces_add_up run moments pieces.(certified_further)
  end.

(** One step of [`runs_certified`]. *)
Definition runs_certified_step
    (found : Result unit CertifiedRefusal)
    (runs : Seq LongRun)
    (moments : usize)
    (sheets : Seq StatedSheet)
    (k : usize) : Result unit CertifiedRefusal :=
  match found with
  | Err refusal => Err refusal
  | Ok _ =>
      if run_certified (seq_at runs k) moments sheets then Ok tt else Err (CertifiedRefusal_RunUncertified k)
  end.

(** Whether each run is certified; else the first that is not. *)
Definition runs_certified
    (runs : Seq LongRun)
    (moments : usize)
    (sheets : Seq StatedSheet) : Result unit CertifiedRefusal :=
  fold_left
    (fun found k => runs_certified_step found runs moments sheets k)
    (range 0 (seq_length runs))
    (Ok tt).

(** One step of [`sheets_about`]. *)
Definition sheets_about_step
    (made : Seq TableSheet)
    (about : CertificateAbout)
    (sheet : StatedSheet) : Seq TableSheet :=
  made ++
  [{| table_sheet_about := about;
      table_sheet_link := sheet.(stated_link);
      table_sheet_items := sheet.(stated_items) |}].

(** The sheets that certificates have to hold for. *)
Definition sheets_about (about : CertificateAbout) (sheets : Seq StatedSheet) : Seq TableSheet :=
  fold_left (fun made i => sheets_about_step made about (seq_at sheets i)) (range 0 (seq_length sheets)) [].

(** Whether the certificates that come with an answer say that its runs are in order. *)
Definition check_certified
    (setup : KzgSetup)
    (about : CertificateAbout)
    (runs : Seq LongRun)
    (sheets : Seq StatedSheet)
    (meanings : Seq CertificateMeaning) : Result unit CertifiedRefusal :=
  match runs_certified runs about.(about_moments) sheets with
  | Ok _runs =>
      if sheets_hold setup (sheets_about about sheets) meanings then
        Ok tt
      else
        Err CertifiedRefusal_CertificatesRefused
  | Err e' => Err e'
  end.

(** What an answer says that comes with certificates, about a query of a legal schema's table, under
    what is trusted; or why it says nothing. The statements are `sheets`, and `meanings` what the
    bytes of their certificates are. *)
Definition verify_certified_answer
    (setup : KzgSetup)
    (trusted : Trusted)
    (query : TableQuery)
    (schema : TableSchema)
    (answer : TableAnswer)
    (sheets : Seq StatedSheet)
    (meanings : Seq CertificateMeaning) : Result TableOutcome CertifiedRefusal :=
  match verify_table_answer (Setup_Kzg setup) trusted query schema answer with
  | Err refusal => Err (CertifiedRefusal_AnswerRefused refusal)
  | Ok outcome =>
      let dictionary := trusted_dictionary trusted in
      let about := about_table_column dictionary query.(query_table) schema query.(query_column) in
      match check_certified setup about outcome.(outcome_runs) sheets meanings with
      | Ok _certified => Ok outcome
      | Err e' => Err e'
      end
  end.

End Specification.
