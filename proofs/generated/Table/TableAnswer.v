(* Translated from spec/src/table/table_answer.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Answers: what a keeper says of the runs in a box, and the transcript that binds it.

    ```text
    a0   = H("AARDVARK-V1-ANSWER", dictionary (32) || u64 version || query || bytes8(schema key) || bytes16(schema)
             || u32 n || (bytes8(key) || bytes16(head))* of the runs
             || u32 m || (bytes8(key) || bytes16(segment))* of the segments that are shown || stated)
    seed = H("AARDVARK-V1-ANSWER-FOLD", a0 || s3 of each comparison)
    ```

    `stated` is 32 bytes for each total, group by group; for a row `u16 position || u64 value`.
    First segments are in the heads. The claims that the seed's fold shows follow from what a0
    binds. Source: docs/tables.md, "Answers". *)
From AardvarkSpec Require Export Prelude Base.Bytes Base.Hash Commitment.Opening Answer.AnswerReason
  Answer.AnswerProof Table.TableSchema Table.TableKey Table.KeyBox Table.TableQuery Table.Totals
  Table.RunSegments Table.Comparison Table.Cut.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** A row, as its owner is shown it. *)
Record ShownRow : Type := {
  (** Its position in the sheet. *)
  row_position : usize;
  (** Its number's distance from the column's lowest. *)
  row_value : u128;
  (** The salt of its text, 16 bytes. *)
  row_salt : ByteString;
  (** Its texts, one a row column. *)
  row_texts : Seq ByteString;
  (** The siblings on the way to the root over the run's texts. *)
  row_path : Seq ByteString;
}.

#[global] Instance Default_ShownRow : Default ShownRow := {| row_position := default; row_value := default; row_salt := default; row_texts := default; row_path := default |}.

(** A folded opening as it was received. *)
Record ReceivedFold : Type := {
  (** The encoded W, 48 bytes. *)
  fold_quotient_bytes : ByteString;
  (** What these bytes decode to. *)
  fold_quotient_point : Opening;
  (** What the bytes of W' decode to. *)
  fold_witness_point : Opening;
}.

#[global] Instance Default_ReceivedFold : Default ReceivedFold := {| fold_quotient_bytes := default; fold_quotient_point := default; fold_witness_point := default |}.

(** An answer. *)
Record TableAnswer : Type := {
  (** The claims of the dictionary: of the schema, then those of the scan, then those of segments.
      What is asked of the dictionary is the schema. *)
  answer_proof : AnswerProof;
  (** What the values of the runs in the box decode to. *)
  answer_heads : Seq LongHead;
  (** What the values of the segments' claims decode to. *)
  answer_shown : Seq RunPiece;
  (** The totals of each group, 32 bytes each. *)
  answer_totals : Seq (Seq ByteString);
  (** The cut of the rows at a rank or a number. *)
  answer_cut : Option TableCut;
  (** What the bytes of the comparisons that show the cut decode to; none where they are
      malformed. *)
  answer_comparisons : Seq (Option Comparison);
  (** The row. *)
  answer_row : Option ShownRow;
  (** The opening. *)
  answer_opening : Option ReceivedFold;
}.

(** Why an answer does not hold. *)
Inductive TableReason : Type :=
(** Malformed: the query is not one of the table. *)
| TableReason_QueryIllegal
(** As the reason says: the dictionary's claims do not hold, or do not cover the box. *)
| TableReason_DictionaryRefused (_ : AnswerReason)
(** About something else: the claim of the schema is not about the schema that the query is of. *)
| TableReason_SchemaMismatched
(** Malformed: a key or value in the box is no run of the table. *)
| TableReason_RunMalformed
(** Malformed: there are more runs or rows than an answer has. *)
| TableReason_RunsExceeded
(** Malformed: a part is missing that the function asks for, or one is there that it does not
    ask for. *)
| TableReason_PartsMismatched
(** False: a total is greater than the rows and the cap allow. *)
| TableReason_TotalsExceeded
(** False: the cut is not one that is asked for. *)
| TableReason_CutFalse
(** Malformed: the bytes of a comparison break the format's rule. *)
| TableReason_ComparisonMalformed
(** False: a comparison cannot be looked at under its challenge. *)
| TableReason_ComparisonFalse
(** False: the row's position is none of the run's rows, its number is above the cap, or its
    text is not at this position. *)
| TableReason_RowFalse
(** Malformed: the bytes of the opening break the format's rule. *)
| TableReason_FoldMalformed
(** False: the opening does not show the claims. *)
| TableReason_FoldFalse.

(** A refusal: the reason, and the claim, tied vector or run that gave it, from 0. *)
Record TableRefusal : Type := {
  (** The reason. *)
  table_reason : TableReason;
  (** The item; none for reasons about the answer as a whole. *)
  table_item : Option usize;
}.

(** A refusal of the answer as a whole. *)
Definition refuse_table (why : TableReason) : TableRefusal :=
  {| table_reason := why; table_item := None |}.

(** A refusal for one of its items. *)
Definition refuse_table_item (why : TableReason) (i : usize) : TableRefusal :=
  {| table_reason := why; table_item := Some i |}.

(** A condition, or the reason of its failure. *)
Definition expect_table (condition : bool) (why : TableReason) : Result unit TableRefusal :=
  if condition then Ok tt else Err (refuse_table why).

(** The refusal of a dictionary's claims. *)
Definition refuse_dictionary (refusal : AnswerRefusal) : TableRefusal :=
  {| table_reason := TableReason_DictionaryRefused refusal.(refusal_reason);
    table_item := refusal.(refusal_item) |}.

(** The class of a reason. *)
Definition class_of_table_reason (why : TableReason) : ReasonClass :=
  match why with
  | TableReason_QueryIllegal => ReasonClass_ClassMalformed
  | TableReason_DictionaryRefused why_refused => class_of_reason why_refused
  | TableReason_SchemaMismatched => ReasonClass_ClassOther
  | TableReason_RunMalformed => ReasonClass_ClassMalformed
  | TableReason_RunsExceeded => ReasonClass_ClassMalformed
  | TableReason_PartsMismatched => ReasonClass_ClassMalformed
  | TableReason_TotalsExceeded => ReasonClass_ClassFalse
  | TableReason_CutFalse => ReasonClass_ClassFalse
  | TableReason_ComparisonMalformed => ReasonClass_ClassMalformed
  | TableReason_ComparisonFalse => ReasonClass_ClassFalse
  | TableReason_RowFalse => ReasonClass_ClassFalse
  | TableReason_FoldMalformed => ReasonClass_ClassMalformed
  | TableReason_FoldFalse => ReasonClass_ClassFalse
  end.

(** The tag of a0. *)
Definition tag_table_answer : ByteString :=
  [65; 65; 82; 68; 86; 65; 82; 75; 45; 86; 49; 45; 65; 78; 83; 87; 69; 82].

(** The tag of the fold's seed. *)
Definition tag_table_answer_fold : ByteString :=
  [65; 65; 82; 68; 86; 65; 82; 75; 45; 86; 49; 45; 65; 78; 83; 87; 69; 82; 45; 70; 79; 76; 68].

(** One step of [`key_widths`]. *)
Definition key_widths_step (widths : Seq usize) (described : KeyColumn) : Seq usize :=
  widths ++ [described.(key_column_width)].

(** How many bytes each key column has. *)
Definition key_widths (items : Seq KeyColumn) : Seq usize :=
  fold_left (fun widths i => key_widths_step widths (seq_at items i)) (range 0 (seq_length items)) [].

(** All numbers of runs, as the last column of a box. *)
Definition run_column : BoxColumn :=
  let all := {| interval_low := u32_bytes 0; interval_high := u32_bytes 4294967295 |} in
  {| box_column_width := 4; box_column_intervals := [] ++ [all] |}.

(** The keys of the heads that a query is about. *)
Definition box_of_query (query : TableQuery) : KeyBox :=
  {| box_prefix := table_prefix query.(query_table) ++ u8_bytes 1 ++ u8_bytes query.(query_column);
    box_columns := query.(query_columns) ++ [run_column] |}.

(** `u16 position || u64 value`, if there is a row. *)
Definition encode_shown_row (shown : Option ShownRow) : ByteString :=
  match shown with
  | None => []
  | Some row => u16_bytes row.(row_position) ++ big_endian row.(row_value) 8
  end.

(** The numbers of a cut, if there is one. *)
Definition encode_stated_cut (stated : Option TableCut) : ByteString :=
  match stated with
  | None => []
  | Some cut => encode_cut cut
  end.

(** All numbers that an answer states. *)
Definition encode_stated (answer : TableAnswer) : ByteString :=
  encode_totals answer.(answer_totals) ++
  encode_stated_cut answer.(answer_cut) ++
  encode_shown_row answer.(answer_row).

(** The fold's seed, of a0 and s3 of each comparison. *)
Definition table_fold_seed (answer_seed comparison_seeds : ByteString) : ByteString :=
  tagged_hash tag_table_answer_fold (answer_seed ++ comparison_seeds).

(** One step of [`row_leaf`]. *)
Definition row_leaf_step (leaf text : ByteString) : ByteString :=
  leaf ++ bytes16 text.

(** The leaf of a row in the tree over its run's texts: `salt (16) || u8 n || bytes16(text)*`. *)
Definition row_leaf (salt : ByteString) (texts : Seq ByteString) : ByteString :=
  fold_left
    (fun leaf i => row_leaf_step leaf (seq_at texts i))
    (range 0 (seq_length texts))
    (salt ++ u8_bytes (seq_length texts)).

End Specification.
