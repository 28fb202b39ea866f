(* Requests about tables: answers, certificates, comparisons, changes. No state is used or changed.

     table SAFE SETUP TRUSTED QUERY SCHEMA ANSWER    -> SAFE accepted OUTCOME | SAFE refused REASON ITEM?
     certificate SAFE TRAPDOOR N ABOUT ITEMS CERTIFICATE
                                                     -> SAFE accepted | SAFE refused FAULT
     linked SAFE TRAPDOOR N ABOUT RECORD ITEMS CERTIFICATE POINT VALUE BYTES
                                                     -> as certificate
     comparison SAFE BITS ROWS BETAS ZETA COMPARISON -> SAFE accepted CLAIMS | SAFE refused FAULT
     table_change SAFE SCHEMA? KEY BEFORE? AFTER?    -> SAFE accepted CHANGE | SAFE refused FAULT
     run_step SAFE APPEND-ONLY MOMENTS HEAD? HEAD PIECES
                                                     -> as certificate

   SETUP is SCHEME TRAPDOOR N. A schema is given as its bytes. An outcome is the number of runs, for each group its key
   and rows, the totals, and the cut. *)

open Oracle_spec
open Tokens
open Values
open Session

let schema_of encoded = match oracle_schema encoded with
  | Ok found -> found
  | Err _ -> raise (Malformed "not a schema")

let schema reader = schema_of (bytes reader)

let table_point reader =
  let held_element = scalar reader in
  let held_bytes = bytes reader in
  { held_element; held_bytes }

let run_record reader =
  let record_log = number reader in
  let record_first = number reader in
  let record_rows = number reader in
  let record_values = table_point reader in
  let record_root0 = bytes reader in
  let record_sums = list table_point reader in
  { record_log; record_first; record_rows; record_values; record_root = record_root0; record_sums }

let key_interval reader =
  let interval_low = bytes reader in
  let interval_high = bytes reader in
  { interval_low; interval_high }

let box_column reader =
  let box_column_width = number reader in
  let box_column_intervals = list key_interval reader in
  { box_column_width; box_column_intervals }

let query reader =
  let query_table = bytes reader in
  let query_column = number reader in
  let query_function = number reader in
  let query_a = number reader in
  let query_b = number reader in
  let query_groups = list number reader in
  let query_columns = list box_column reader in
  { query_table; query_column; query_function; query_a; query_b; query_groups; query_columns }

let cut_end reader =
  let end_run = number reader in
  let end_value = number reader in
  { end_run; end_value }

let cut reader =
  let cut_splits = list number reader in
  let cut_low = option cut_end reader in
  let cut_high = option cut_end reader in
  { cut_splits; cut_low; cut_high }

let comparison reader =
  let comparison_bits = list table_point reader in
  let comparison_masks = list table_point reader in
  let comparison_quotient = table_point reader in
  let comparison_bit_values = list scalar reader in
  let comparison_values = list scalar reader in
  let comparison_scalar_bytes = bytes reader in
  { comparison_bits; comparison_masks; comparison_quotient; comparison_bit_values; comparison_values;
    comparison_scalar_bytes }

let shown_row reader =
  let row_position = number reader in
  let row_value = number reader in
  let row_salt = bytes reader in
  let row_texts = list bytes reader in
  let row_path = list bytes reader in
  { row_position; row_value; row_salt; row_texts; row_path }

let received_fold reader =
  let fold_quotient_bytes = bytes reader in
  let fold_quotient_point = opening reader in
  let fold_witness_point = opening reader in
  { fold_quotient_bytes; fold_quotient_point; fold_witness_point }

let long_head reader =
  let long_revision = number reader in
  let long_segments = number reader in
  let long_rows = number reader in
  let long_record = run_record reader in
  let long_totals = list table_point reader in
  { long_revision; long_segments; long_rows; long_record; long_totals }

let run_piece reader =
  let piece_number = number reader in
  let piece_rank = number reader in
  let piece_record = run_record reader in
  { piece_number; piece_rank; piece_record }

let table_answer reader =
  let answer_proof = Readers.proof reader in
  let answer_heads = list long_head reader in
  let answer_shown = list run_piece reader in
  let answer_totals = list (list bytes) reader in
  let answer_cut = option cut reader in
  let answer_comparisons = list (option comparison) reader in
  let answer_row = option shown_row reader in
  let answer_opening = option received_fold reader in
  { answer_proof; answer_heads; answer_shown; answer_totals; answer_cut; answer_comparisons; answer_row;
    answer_opening }

let about reader =
  let about_dictionary = bytes reader in
  let about_table = bytes reader in
  let about_column = number reader in
  let about_schema = bytes reader in
  let about_bits = number reader in
  let about_cap = number reader in
  let about_moments = number reader in
  { about_dictionary; about_table; about_column; about_schema; about_bits; about_cap; about_moments }

let sheet_item reader =
  let item_columns = bytes reader in
  let item_run = number reader in
  let item_revision = number reader in
  let item_segment = number reader in
  let item_record = run_record reader in
  { item_columns; item_run; item_revision; item_segment; item_record }

let folded_opening reader =
  let folded_quotient = scalar reader in
  let folded_witness = scalar reader in
  { folded_quotient; folded_witness }

let certificate reader =
  let certificate_bits = list table_point reader in
  let certificate_values_mask = table_point reader in
  let certificate_sums_mask = table_point reader in
  let certificate_quotient = table_point reader in
  let certificate_bit_values = list scalar reader in
  let certificate_value = scalar reader in
  let certificate_next = scalar reader in
  let certificate_scalar_bytes = bytes reader in
  let certificate_opening = folded_opening reader in
  let certificate_opening_bytes = bytes reader in
  { certificate_bits; certificate_values_mask; certificate_sums_mask; certificate_quotient; certificate_bit_values;
    certificate_value; certificate_next; certificate_scalar_bytes; certificate_opening; certificate_opening_bytes }

let linked_certificate reader =
  let linked_body = certificate reader in
  let linked_mask = table_point reader in
  let linked_value = scalar reader in
  let linked_value_bytes = bytes reader in
  { linked_body; linked_mask; linked_value; linked_value_bytes }

let compared_row reader =
  let compared_run = number reader in
  let compared_segment = number reader in
  let compared_record = run_record reader in
  let compared_position = number reader in
  let compared_at_most = flag reader in
  let compared_threshold = number reader in
  { compared_run; compared_segment; compared_record; compared_position; compared_at_most; compared_threshold }

let reason_name = function
  | TableReason_QueryIllegal -> "QueryIllegal"
  | TableReason_DictionaryRefused why -> "DictionaryRefused(" ^ Readers.reason_name why ^ ")"
  | TableReason_SchemaMismatched -> "SchemaMismatched"
  | TableReason_RunMalformed -> "RunMalformed"
  | TableReason_RunsExceeded -> "RunsExceeded"
  | TableReason_PartsMismatched -> "PartsMismatched"
  | TableReason_TotalsExceeded -> "TotalsExceeded"
  | TableReason_CutFalse -> "CutFalse"
  | TableReason_ComparisonMalformed -> "ComparisonMalformed"
  | TableReason_ComparisonFalse -> "ComparisonFalse"
  | TableReason_RowFalse -> "RowFalse"
  | TableReason_FoldMalformed -> "FoldMalformed"
  | TableReason_FoldFalse -> "FoldFalse"

let certificate_fault = function
  | CertificateFault_SheetIllegal -> "SheetIllegal"
  | CertificateFault_BitsMismatched -> "BitsMismatched"
  | CertificateFault_ZetaOnDomain -> "ZetaOnDomain"
  | CertificateFault_CertificateFalse -> "CertificateFalse"

let comparison_fault = function
  | ComparisonFault_ItemsIllegal -> "ItemsIllegal"
  | ComparisonFault_ComparisonMisshapen -> "ComparisonMisshapen"
  | ComparisonFault_PointOnDomain -> "PointOnDomain"

let change_name = function
  | TableChange_TableCreated _ -> "TableCreated"
  | TableChange_TableSealed _ -> "TableSealed"
  | TableChange_RunPut _ -> "RunPut"
  | TableChange_RunDeleted _ -> "RunDeleted"

let change_fault = function
  | TableFault_ChangedKey _ -> "ChangedKey"
  | TableFault_ChangedSchema _ -> "ChangedSchema"
  | TableFault_ChangedHead -> "ChangedHead"
  | TableFault_WatermarkEarly -> "WatermarkEarly"
  | TableFault_TableUnknown -> "TableUnknown"
  | TableFault_SchemaFixed -> "SchemaFixed"
  | TableFault_ColumnsClosed -> "ColumnsClosed"
  | TableFault_RunFixed -> "RunFixed"
  | TableFault_RecordMisplaced -> "RecordMisplaced"
  | TableFault_RevisionMismatched -> "RevisionMismatched"
  | TableFault_SegmentUnread -> "SegmentUnread"
  | TableFault_RunAbsent -> "RunAbsent"

let step_fault = function
  | StepFault_PieceMisplaced -> "PieceMisplaced"
  | StepFault_StepFixed -> "StepFixed"
  | StepFault_StepRevision -> "StepRevision"
  | StepFault_StepRecord -> "StepRecord"
  | StepFault_PieceNumber -> "PieceNumber"
  | StepFault_PieceRank -> "PieceRank"
  | StepFault_StepSums -> "StepSums"

let put_fault name out fault = word out (name fault)

let put_nothing _ () = ()

let put_refusal out refusal =
  word out (reason_name refusal.table_reason);
  put_option put_number out refusal.table_item

let put_cut out stated =
  let put_end out stated = put_number out stated.end_run; put_number out stated.end_value in
  put_list put_number out stated.cut_splits;
  put_option put_end out stated.cut_low;
  put_option put_end out stated.cut_high

let put_outcome out found =
  word out (string_of_int (List.length found.outcome_runs));
  put_list (fun out group -> put_bytes out group.group_key; put_number out group.group_rows) out found.outcome_groups;
  put_list (put_list put_bytes) out found.outcome_totals;
  put_option put_cut out found.outcome_cut

let put_claim out claim =
  put_scalar out claim.folded_commitment;
  put_scalar out claim.folded_point;
  put_scalar out claim.folded_value

(* Reads its arguments, and gives the twin and what writes the answer, neither of them computed yet. *)
let request name reader =
  match name with
  | "table" ->
    let setup = Readers.setup_of reader in
    let trusted = Readers.trusted reader in
    let asked = query reader in
    let schema = schema reader in
    let shown = table_answer reader in
    (fun () -> oracle_table_safe given setup trusted asked schema shown),
    (fun out ->
      put_result put_outcome put_refusal out (oracle_table given setup trusted asked schema shown))
  | "certificate" ->
    let tau = scalar reader in
    let n = number reader in
    let about = about reader in
    let items = list sheet_item reader in
    let shown = certificate reader in
    (fun () -> oracle_certificate_safe given tau n about items shown),
    (fun out -> put_result put_nothing (put_fault certificate_fault) out (oracle_certificate given tau n about items shown))
  | "linked" ->
    let tau = scalar reader in
    let n = number reader in
    let about = about reader in
    let previous = run_record reader in
    let items = list sheet_item reader in
    let shown = linked_certificate reader in
    (fun () -> oracle_linked_safe given tau n about previous items shown),
    (fun out ->
      put_result put_nothing (put_fault certificate_fault) out (oracle_linked given tau n about previous items shown))
  | "comparison" ->
    let bits = number reader in
    let items = list compared_row reader in
    let compared_betas = list scalar reader in
    let compared_zeta = scalar reader in
    let shown = comparison reader in
    let drawn = { compared_betas; compared_zeta } in
    (fun () -> oracle_comparison_safe bits items drawn shown),
    (fun out ->
      put_result (put_list put_claim) (put_fault comparison_fault) out (oracle_comparison bits items drawn shown))
  | "table_change" ->
    let standing = option schema reader in
    let changed = bytes reader in
    let before = option bytes reader in
    let after = option bytes reader in
    (fun () -> oracle_change_safe standing changed before after),
    (fun out ->
      put_result (fun out change -> word out (change_name change)) (put_fault change_fault) out
        (oracle_change standing changed before after))
  | "run_step" ->
    let append_only = flag reader in
    let moments = number reader in
    let before = option long_head reader in
    let after = long_head reader in
    let put = list run_piece reader in
    (fun () -> oracle_step_safe append_only moments before after put),
    (fun out -> put_result put_nothing (put_fault step_fault) out (oracle_step append_only moments before after put))
  | token -> raise (Malformed ("not a request: " ^ token))

let answer name out reader =
  let safe = flag reader in
  let twin, write = request name reader in
  finish reader;
  put_safe out safe twin;
  write out
