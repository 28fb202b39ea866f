(* Translated from spec/src/table/table_answer_claims.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** What an answer claims of the runs' commitments, by the query's function, and the fold that shows
    it.

    Totals claim (C_p, 1, S_p) of each group; a row claims (V, ω^position, value). Where nothing is
    claimed there is no opening. Source: docs/tables.md, "Answers". *)
From AardvarkSpec Require Export Prelude Base.Integers Base.Bytes Base.Scalar Commitment.Opening
  Commitment.Scheme Commitment.FoldedOpening Commitment.CommitmentTree Table.DomainValues Table.RunRecord
  Table.Sheet Table.TableSchema Table.TableQuery Table.Totals Table.TableAnswer Table.LongRuns
  Table.TableAnswerOrder.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** How many bits the numbers of a query's column have; 0 where there is no such column. *)
Definition bits_of_query (query : TableQuery) (schema : TableSchema) : usize :=
  if query.(query_column) <? seq_length schema.(schema_values) then
    (seq_at schema.(schema_values) query.(query_column)).(value_column_bits)
  else
    0.

(** One step of [`totals_shaped`]. *)
Definition totals_shaped_step (shaped : bool) (totals : Seq ByteString) (powers : usize) : bool :=
  shaped && (seq_length totals =? powers).

(** Whether totals are stated for as many groups as there are, of so many powers; where no power is
    asked for, none are. *)
Definition totals_shaped (stated : Seq (Seq ByteString)) (groups : Seq GroupTotals) (powers : usize) : bool :=
  fold_left
    (fun shaped i => totals_shaped_step shaped (seq_at stated i) powers)
    (range 0 (seq_length stated))
    (if powers <? 1 then seq_length stated =? 0 else seq_length stated =? seq_length groups).

(** Whether an answer shows a row. *)
Definition shows_row (answer : TableAnswer) : bool :=
  match answer.(answer_row) with
  | None => false
  | Some _ => true
  end.

(** The claims of the totals that an answer states. *)
Definition claims_of_stated_totals
    (query : TableQuery)
    (cap : u64)
    (groups : Seq GroupTotals)
    (answer : TableAnswer) : Result (Seq FoldedClaim) TableRefusal :=
  let powers := usize_of_u128 query.(query_a) in
  let stated := answer.(answer_totals) in
  let shaped := totals_shaped stated groups powers && negb (shows_row answer) in
  match expect_table shaped TableReason_PartsMismatched with
  | Ok _shape =>
      match expect_table (totals_legal stated groups cap powers) TableReason_TotalsExceeded with
      | Ok _bounds => Ok (claims_of_totals stated groups)
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

(** Whether a row's position is one of the run's, its number at most the cap, and its text at this
    position. *)
Definition row_holds (record : RunRecord) (cap : u64) (row : ShownRow) : bool :=
  let first := record.(record_first) in
  if (first <=? row.(row_position)) && (row.(row_position) <? first + record.(record_rows)) then
    let leaf := row_leaf row.(row_salt) row.(row_texts) in
    match root_of_path record.(record_rows) (row.(row_position) - first) leaf row.(row_path) with
    | None => false
    | Some found => (row.(row_value) <=? u128_of_u64 cap) && bytes_equal found record.(record_root)
    end
  else
    false.

(** The claim (V, ω^position, value) of a row. *)
Definition claim_of_row (record : RunRecord) (row : ShownRow) : FoldedClaim :=
  {| folded_commitment := record.(record_values).(held_element);
    folded_point := domain_point (sheet_size record.(record_log)) row.(row_position);
    folded_value := scalar_of_number row.(row_value) |}.

(** The claims of a row that holds. *)
Definition claims_of_held_row
    (record : RunRecord)
    (cap : u64)
    (row : ShownRow) : Result (Seq FoldedClaim) TableRefusal :=
  if row_holds record cap row then
    Ok ([] ++ [claim_of_row record row])
  else
    Err (refuse_table TableReason_RowFalse).

(** The claims of the row that an answer shows, of the last piece of its run: of the first segment,
    or of the only one that is shown. *)
Definition claims_of_shown_row
    (row_columns : usize)
    (cap : u64)
    (runs : Seq LongRun)
    (answer : TableAnswer) : Result (Seq FoldedClaim) TableRefusal :=
  match answer.(answer_row) with
  | None => Err (refuse_table TableReason_PartsMismatched)
  | Some row =>
      let records := records_of_long_runs runs in
      let shaped := (seq_length row.(row_salt) =? 16) && (seq_length row.(row_texts) =? row_columns) in
      let alone := (seq_length answer.(answer_totals) =? 0) && (seq_length answer.(answer_shown) <=? 1) in
      if shaped && alone && (seq_length runs =? 1) && (1 <=? seq_length records) then
        claims_of_held_row (seq_at records (seq_length records - 1)) cap row
      else
        Err (refuse_table TableReason_PartsMismatched)
  end.

(** Claims without comparisons, or their refusal. *)
Definition claims_without_order
    (found : Result (Seq FoldedClaim) TableRefusal) : Result AnswerClaims TableRefusal :=
  match found with
  | Err refusal => Err refusal
  | Ok claimed => Ok (claims_alone claimed)
  end.

(** The claims of what an answer with this seed states, by the query's function. *)
Definition claims_of_answer
    (query : TableQuery)
    (schema : TableSchema)
    (cap : u64)
    (runs : Seq LongRun)
    (groups : Seq GroupTotals)
    (answer : TableAnswer)
    (answer_seed : ByteString) : Result AnswerClaims TableRefusal :=
  if query.(query_function) =? FUNCTION_TOTALS then
    let alone := states_no_order answer && (seq_length answer.(answer_shown) =? 0) in
    match expect_table alone TableReason_PartsMismatched with
    | Ok _order => claims_without_order (claims_of_stated_totals query cap groups answer)
    | Err e' => Err e'
    end
  else if query.(query_function) =? FUNCTION_ROW then
    match expect_table (states_no_order answer) TableReason_PartsMismatched with
    | Ok _order =>
        claims_without_order (claims_of_shown_row (seq_length schema.(schema_rows)) cap runs answer)
    | Err e' => Err e'
    end
  else
    let alone := (seq_length answer.(answer_totals) =? 0) && negb (shows_row answer) in
    match expect_table alone TableReason_PartsMismatched with
    | Ok _alone => claims_of_order query cap (bits_of_query query schema) runs answer answer_seed
    | Err e' => Err e'
    end.

(** The two points of a fold, if the bytes of neither break the format's rule. *)
Definition points_of_fold (received : ReceivedFold) : Result FoldedOpening TableRefusal :=
  match received.(fold_quotient_point) with
  | Opening_Malformed => Err (refuse_table TableReason_FoldMalformed)
  | Opening_Point quotient =>
      match received.(fold_witness_point) with
      | Opening_Malformed => Err (refuse_table TableReason_FoldMalformed)
      | Opening_Point witness => Ok {| folded_quotient := quotient; folded_witness := witness |}
      end
  end.

(** Whether an opening is there exactly if there are claims, and its points are well-formed. *)
Definition check_fold_form
    (claimed : Seq FoldedClaim)
    (received : Option ReceivedFold) : Result unit TableRefusal :=
  match received with
  | None => expect_table (seq_length claimed =? 0) TableReason_PartsMismatched
  | Some fold =>
      match expect_table (0 <? seq_length claimed) TableReason_PartsMismatched with
      | Ok _claims =>
          match points_of_fold fold with
          | Ok _points => Ok tt
          | Err e' => Err e'
          end
      | Err e' => Err e'
      end
  end.

(** Whether a fold shows all claims, under the challenges that the seed draws. Other schemes than
    KZG have no folds. *)
Definition fold_shows
    (setup : Setup)
    (claimed : Seq FoldedClaim)
    (seed : ByteString)
    (received : ReceivedFold) : bool :=
  match setup with
  | Setup_LibertYung _ => false
  | Setup_Kzg kzg =>
      match points_of_fold received with
      | Err _ => false
      | Ok opening =>
          verify_fold
            kzg
            claimed
            (fold_gammas seed (seq_length claimed))
            (fold_point seed received.(fold_quotient_bytes))
            opening
      end
  end.

(** Whether the opening of an answer, if it has one, shows its claims. *)
Definition check_table_fold
    (setup : Setup)
    (claimed : Seq FoldedClaim)
    (seed : ByteString)
    (received : Option ReceivedFold) : Result unit TableRefusal :=
  match received with
  | None => Ok tt
  | Some fold => expect_table (fold_shows setup claimed seed fold) TableReason_FoldFalse
  end.

End Specification.
