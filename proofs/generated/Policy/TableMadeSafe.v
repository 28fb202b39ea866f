(* Translated from spec/src/policy/table_made.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Policy.TableMade Base.BytesSafe Decoding.SignedDecoderSafe Table.RunRecordSafe
  Table.SheetSafe Table.CertificateTranscriptSafe Table.TableSchemaSafe Table.TablePolicySafe
  Policy.TableWriteSafe Policy.TableCoveredSafe Policy.TableSheetsSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [about_table_column] does not panic. *)
Definition about_table_column_safe
    (dictionary table : ByteString)
    (table_schema : TableSchema)
    (column : usize) : bool :=
  schema_digest_safe table_schema.

(** When [with_sheet] does not panic. *)
Definition with_sheet_safe
    (made : SheetsMade)
    (dictionary : ByteString)
    (runs : RunsWrite)
    (covered : Seq CoveredSegment)
    (placed : Seq PlacedSegment)
    (count : usize) : bool :=
  let from := made.(made_segments) in
  if (from <? seq_length covered) && (from <? seq_length placed) && (count <=? seq_length placed) then
    about_table_column_safe
      dictionary
      runs.(written_table)
      runs.(written_schema)
      (seq_at covered from).(covered_column) &&
    within_usize (from + count) &&
    within_usize (from + count)
  else
    true.

(** When [sheets_of_runs_step] does not panic. *)
Definition sheets_of_runs_step_safe
    (made : SheetsMade)
    (dictionary : ByteString)
    (runs : RunsWrite)
    (covered : Seq CoveredSegment)
    (placed : Seq PlacedSegment)
    (brought : ReceivedCertificate) : bool :=
  with_sheet_safe made dictionary runs covered placed brought.(received_segments).

(** When [sheets_of_runs] does not panic. *)
Definition sheets_of_runs_safe
    (dictionary : ByteString)
    (runs : RunsWrite)
    (placed : Seq PlacedSegment)
    (items : Seq ReceivedCertificate) : bool :=
  covered_segments_safe runs.(written_steps) &&
  (let covered := covered_segments runs.(written_steps) in
    loop_safe
      (fun made i => sheets_of_runs_step made dictionary runs covered placed (seq_at items i))
      (fun made i =>
        (i <? seq_length items) &&
        sheets_of_runs_step_safe made dictionary runs covered placed (seq_at items i))
      (range 0 (seq_length items))
      {| made_sheets := []; made_segments := 0 |}).

End Specification.
