(* Translated from spec/src/table/table_answer_claims.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Table.TableAnswerClaims Base.BytesSafe Base.ScalarSafe Commitment.OpeningSafe
  Commitment.SchemeSafe Commitment.FoldedOpeningSafe Commitment.CommitmentTreeSafe Table.DomainValuesSafe
  Table.RunRecordSafe Table.SheetSafe Table.TableSchemaSafe Table.TableQuerySafe Table.TotalsSafe
  Table.TableAnswerSafe Table.LongRunsSafe Table.TableAnswerOrderSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [totals_shaped] does not panic. *)
Definition totals_shaped_safe
    (stated : Seq (Seq ByteString))
    (groups : Seq GroupTotals)
    (powers : usize) : bool :=
  loop_safe
    (fun shaped i => totals_shaped_step shaped (seq_at stated i) powers)
    (fun shaped i => i <? seq_length stated)
    (range 0 (seq_length stated))
    (if powers <? 1 then seq_length stated =? 0 else seq_length stated =? seq_length groups).

(** When [claims_of_stated_totals] does not panic. *)
Definition claims_of_stated_totals_safe
    (query : TableQuery)
    (cap : u64)
    (groups : Seq GroupTotals)
    (answer : TableAnswer) : bool :=
  let powers := usize_of_u128 query.(query_a) in
  let stated := answer.(answer_totals) in
  totals_shaped_safe stated groups powers &&
  (let shaped := totals_shaped stated groups powers && negb (shows_row answer) in
    match expect_table shaped TableReason_PartsMismatched with
    | Ok _shape =>
        totals_legal_safe stated groups cap powers &&
        (match expect_table (totals_legal stated groups cap powers) TableReason_TotalsExceeded with
          | Ok _bounds => claims_of_totals_safe stated groups
          | Err _ => true
          end)
    | Err _ => true
    end).

(** When [row_holds] does not panic. *)
Definition row_holds_safe (record : RunRecord) (cap : u64) (row : ShownRow) : bool :=
  let first := record.(record_first) in
  (if first <=? row.(row_position) then within_usize (first + record.(record_rows)) else true) &&
  (if (first <=? row.(row_position)) && (row.(row_position) <? first + record.(record_rows)) then
      row_leaf_safe row.(row_salt) row.(row_texts) &&
      (let leaf := row_leaf row.(row_salt) row.(row_texts) in
        (first <=? row.(row_position)) &&
        root_of_path_safe record.(record_rows) (row.(row_position) - first) leaf row.(row_path) &&
        (match root_of_path record.(record_rows) (row.(row_position) - first) leaf row.(row_path) with
          | None => true
          | Some found =>
              if row.(row_value) <=? u128_of_u64 cap then
                bytes_equal_safe found record.(record_root)
              else
                true
          end))
    else
      true).

(** When [claim_of_row] does not panic. *)
Definition claim_of_row_safe (record : RunRecord) (row : ShownRow) : bool :=
  sheet_size_safe record.(record_log) &&
  domain_point_safe (sheet_size record.(record_log)) row.(row_position).

(** When [claims_of_held_row] does not panic. *)
Definition claims_of_held_row_safe (record : RunRecord) (cap : u64) (row : ShownRow) : bool :=
  row_holds_safe record cap row && (if row_holds record cap row then claim_of_row_safe record row else true).

(** When [claims_of_shown_row] does not panic. *)
Definition claims_of_shown_row_safe
    (row_columns : usize)
    (cap : u64)
    (runs : Seq LongRun)
    (answer : TableAnswer) : bool :=
  match answer.(answer_row) with
  | None => true
  | Some row =>
      records_of_long_runs_safe runs &&
      (let records := records_of_long_runs runs in
        let shaped := (seq_length row.(row_salt) =? 16) && (seq_length row.(row_texts) =? row_columns) in
        let alone := (seq_length answer.(answer_totals) =? 0) && (seq_length answer.(answer_shown) <=? 1) in
        if shaped && alone && (seq_length runs =? 1) && (1 <=? seq_length records) then
          (seq_length records - 1 <? seq_length records) &&
          claims_of_held_row_safe (seq_at records (seq_length records - 1)) cap row
        else
          true)
  end.

(** When [claims_of_answer] does not panic. *)
Definition claims_of_answer_safe
    (query : TableQuery)
    (schema : TableSchema)
    (cap : u64)
    (runs : Seq LongRun)
    (groups : Seq GroupTotals)
    (answer : TableAnswer)
    (answer_seed : ByteString) : bool :=
  if query.(query_function) =? FUNCTION_TOTALS then
    let alone := states_no_order answer && (seq_length answer.(answer_shown) =? 0) in
    match expect_table alone TableReason_PartsMismatched with
    | Ok _order => claims_of_stated_totals_safe query cap groups answer
    | Err _ => true
    end
  else if query.(query_function) =? FUNCTION_ROW then
    match expect_table (states_no_order answer) TableReason_PartsMismatched with
    | Ok _order => claims_of_shown_row_safe (seq_length schema.(schema_rows)) cap runs answer
    | Err _ => true
    end
  else
    let alone := (seq_length answer.(answer_totals) =? 0) && negb (shows_row answer) in
    match expect_table alone TableReason_PartsMismatched with
    | Ok _alone => claims_of_order_safe query cap (bits_of_query query schema) runs answer answer_seed
    | Err _ => true
    end.

(** When [fold_shows] does not panic. *)
Definition fold_shows_safe
    (setup : Setup)
    (claimed : Seq FoldedClaim)
    (seed : ByteString)
    (received : ReceivedFold) : bool :=
  match setup with
  | Setup_LibertYung _ => true
  | Setup_Kzg kzg =>
      match points_of_fold received with
      | Err _ => true
      | Ok opening =>
          verify_fold_safe
            kzg
            claimed
            (fold_gammas seed (seq_length claimed))
            (fold_point seed received.(fold_quotient_bytes))
            opening
      end
  end.

(** When [check_table_fold] does not panic. *)
Definition check_table_fold_safe
    (setup : Setup)
    (claimed : Seq FoldedClaim)
    (seed : ByteString)
    (received : Option ReceivedFold) : bool :=
  match received with
  | None => true
  | Some fold => fold_shows_safe setup claimed seed fold
  end.

End Specification.
