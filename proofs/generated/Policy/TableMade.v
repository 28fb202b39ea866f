(* Translated from spec/src/policy/table_made.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** The sheets that the certificates of a write have to hold for: the segments that it puts, in
    their order. Source: docs/network.md, "Who may write". *)
From AardvarkSpec Require Export Prelude Base.Integers Base.Bytes Decoding.SignedDecoder Table.RunRecord
  Table.Sheet Table.CertificateTranscript Table.TableSchema Table.TablePolicy Policy.TableWrite
  Policy.TableCovered Policy.TableSheets.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** Segments, and what their certificate is about besides. *)
Record TableSheet : Type := {
  (** What it is about besides the segments. *)
  table_sheet_about : CertificateAbout;
  (** The record of the segment before the first, where that one continues a run. *)
  table_sheet_link : Option RunRecord;
  (** The segments. *)
  table_sheet_items : Seq SheetItem;
}.

#[global] Instance Default_TableSheet : Default TableSheet := {| table_sheet_about := default; table_sheet_link := default; table_sheet_items := default |}.

(** How many bits a step between two rows of a column has at most. *)
Definition column_bits (table_schema : TableSchema) (column : usize) : usize :=
  if column <? seq_length table_schema.(schema_values) then
    (seq_at table_schema.(schema_values) column).(value_column_bits)
  else
    0.

(** The greatest number of a row of a column above the lowest. *)
Definition column_cap (table_schema : TableSchema) (column : usize) : u128 :=
  if column <? seq_length table_schema.(schema_values) then
    u128_of_u64 (seq_at table_schema.(schema_values) column).(value_column_span)
  else
    0.

(** What the certificates of a table's column are about. *)
Definition about_table_column
    (dictionary table : ByteString)
    (table_schema : TableSchema)
    (column : usize) : CertificateAbout :=
  {| about_dictionary := dictionary;
    about_table := table;
    about_column := column;
    about_schema := schema_digest table_schema;
    about_bits := column_bits table_schema column;
    about_cap := column_cap table_schema column;
    about_moments := column_moments table_schema column |}.

(** One step of [`items_between`]. *)
Definition items_between_step
    (items : Seq SheetItem)
    (placed : Seq PlacedSegment)
    (k : usize) : Seq SheetItem :=
  if k <? seq_length placed then items ++ [(seq_at placed k).(placed_item)] else items.

(** The segments from one place up to another. *)
Definition items_between (placed : Seq PlacedSegment) (from to : usize) : Seq SheetItem :=
  fold_left (fun items k => items_between_step items placed k) (range from to) [].

(** The sheets of certificates while segments are given to them. *)
Record SheetsMade : Type := {
  (** The sheets. *)
  made_sheets : Seq TableSheet;
  (** How many segments they have. *)
  made_segments : usize;
}.

#[global] Instance Default_SheetsMade : Default SheetsMade := {| made_sheets := default; made_segments := default |}.

(** The sheets with one more, of so many of the next segments. *)
Definition with_sheet
    (made : SheetsMade)
    (dictionary : ByteString)
    (runs : RunsWrite)
    (covered : Seq CoveredSegment)
    (placed : Seq PlacedSegment)
    (count : usize) : SheetsMade :=
  let from := made.(made_segments) in
  if (from <? seq_length covered) && (from <? seq_length placed) && (count <=? seq_length placed) then
    {| made_sheets :=
        made.(made_sheets) ++
        [{| table_sheet_about :=
              about_table_column
                dictionary
                runs.(written_table)
                runs.(written_schema)
                (seq_at covered from).(covered_column);
            table_sheet_link := (seq_at placed from).(placed_link);
            table_sheet_items := items_between placed from (from + count) |}];
      made_segments := from + count |}
  else
    made.

(** One step of [`sheets_of_runs`]. *)
Definition sheets_of_runs_step
    (made : SheetsMade)
    (dictionary : ByteString)
    (runs : RunsWrite)
    (covered : Seq CoveredSegment)
    (placed : Seq PlacedSegment)
    (brought : ReceivedCertificate) : SheetsMade :=
  with_sheet made dictionary runs covered placed brought.(received_segments).

(** The sheets that certificates have to hold for which cover what a write puts. *)
Definition sheets_of_runs
    (dictionary : ByteString)
    (runs : RunsWrite)
    (placed : Seq PlacedSegment)
    (items : Seq ReceivedCertificate) : Seq TableSheet :=
  let covered := covered_segments runs.(written_steps) in
  let made :=
    fold_left
      (fun made i => sheets_of_runs_step made dictionary runs covered placed (seq_at items i))
      (range 0 (seq_length items))
      {| made_sheets := []; made_segments := 0 |}
  in
  made.(made_sheets).

End Specification.
