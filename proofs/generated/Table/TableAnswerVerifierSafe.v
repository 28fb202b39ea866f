(* Translated from spec/src/table/table_answer_verifier.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Table.TableAnswerVerifier Base.BytesSafe Commitment.SchemeSafe
  Dictionary.SlotSafe Dictionary.KeyMapSafe Block.TransactionSafe Answer.ScanSafe Answer.AnswerBasisSafe
  Answer.VerifySafe Table.TableSchemaSafe Table.TableKeySafe Table.KeyBoxSafe Table.TableScanSafe
  Table.TableQuerySafe Table.TotalsSafe Table.RunSegmentsSafe Table.CutSafe Table.TableAnswerSafe
  Table.LongRunsSafe Table.TableAnswerClaimsSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [basis_of_answer] does not panic. *)
Definition basis_of_answer_safe (trusted : Trusted) (proof : AnswerProof) : bool :=
  answer_basis_safe trusted proof.

(** When [query_fits_schema] does not panic. *)
Definition query_fits_schema_safe (query : TableQuery) (schema : TableSchema) : bool :=
  if query.(query_column) <? seq_length schema.(schema_values) then
    key_widths_safe schema.(schema_keys) &&
    table_query_legal_safe
      query
      (key_widths schema.(schema_keys))
      (u128_of_u64 (cap_of_query query schema))
      (moments_of_query query schema)
  else
    true.

(** When [schema_is_claimed] does not panic. *)
Definition schema_is_claimed_safe (proof : AnswerProof) (query : TableQuery) (schema : TableSchema) : bool :=
  let schema_key := encode_table_key (TableKey_SchemaKey query.(query_table)) in
  if 0 <? seq_length proof.(proof_claims) then
    let claimed := (seq_at proof.(proof_claims) 0).(claim_slot) in
    bytes_equal_safe claimed.(key) schema_key &&
    (if bytes_equal claimed.(key) schema_key then
        encode_schema_safe schema && bytes_equal_safe claimed.(value) (encode_schema schema)
      else
        true)
  else
    true.

(** When [slots_behind_first_step] does not panic. *)
Definition slots_behind_first_step_safe (chain : Seq Slot) (items : Seq Claim) (c : usize) : bool :=
  c <? seq_length items.

(** When [slots_behind_first] does not panic. *)
Definition slots_behind_first_safe (items : Seq Claim) : bool :=
  loop_safe
    (fun chain c => slots_behind_first_step chain items c)
    (fun chain c => slots_behind_first_step_safe chain items c)
    (range 1 (seq_length items))
    [].

(** When [single_run] does not panic. *)
Definition single_run_safe (key_box : KeyBox) (chain : Seq Slot) : bool :=
  single_slot_safe chain &&
  (match single_slot chain with
    | Ok slot => box_holds_safe key_box slot.(key)
    | Err _ => true
    end).

(** When [entries_of_query] does not panic. *)
Definition entries_of_query_safe (query : TableQuery) (chain : Seq Slot) : bool :=
  let key_box := box_of_query query in
  if query.(query_function) =? FUNCTION_ROW then
    single_run_safe key_box chain
  else
    table_scan_safe key_box chain.

(** When [grounds_of_answer] does not panic. *)
Definition grounds_of_answer_safe (trusted : Trusted) (proof : AnswerProof) : bool :=
  check_answer_form_safe proof.(proof_question) proof &&
  (match of_dictionary (check_answer_form proof.(proof_question) proof) with
    | Ok _form =>
        check_answer_about_safe trusted proof.(proof_question) proof &&
        (match of_dictionary (check_answer_about trusted proof.(proof_question) proof) with
          | Ok _about =>
              basis_of_answer_safe trusted proof &&
              (match basis_of_answer trusted proof with
                | Ok basis =>
                    check_answer_positions_safe basis proof.(proof_claims) &&
                    (match of_dictionary (check_answer_positions basis proof.(proof_claims)) with
                      | Ok _positions => check_answer_encodings_safe proof.(proof_claims)
                      | Err _ => true
                      end)
                | Err _ => true
                end)
          | Err _ => true
          end)
    | Err _ => true
    end).

(** When [scanned_slots] does not panic. *)
Definition scanned_slots_safe (answer : TableAnswer) : bool :=
  let items := answer.(answer_proof).(proof_claims) in
  if seq_length answer.(answer_shown) <=? seq_length items then
    (0 + (seq_length items - seq_length answer.(answer_shown)) <=? seq_length items) &&
    slots_behind_first_safe (seq_slice items 0 (seq_length items - seq_length answer.(answer_shown)))
  else
    true.

(** When [segment_slots_step] does not panic. *)
Definition segment_slots_step_safe (slots : Seq Slot) (items : Seq Claim) (c : usize) : bool :=
  c <? seq_length items.

(** When [segment_slots] does not panic. *)
Definition segment_slots_safe (answer : TableAnswer) : bool :=
  let items := answer.(answer_proof).(proof_claims) in
  let start :=
    if seq_length answer.(answer_shown) <=? seq_length items then
      seq_length items - seq_length answer.(answer_shown)
    else
      seq_length items
  in
  loop_safe
    (fun slots c => segment_slots_step slots items c)
    (fun slots c => segment_slots_step_safe slots items c)
    (range start (seq_length items))
    [].

(** When [runs_of_answer] does not panic. *)
Definition runs_of_answer_safe
    (query : TableQuery)
    (schema : TableSchema)
    (moments : usize)
    (answer : TableAnswer) : bool :=
  scanned_slots_safe answer && entries_of_query_safe query (scanned_slots answer) &&
  (match entries_of_query query (scanned_slots answer) with
    | Ok entries =>
        match expect_table (seq_length entries <=? MAX_ANSWER_RUNS) TableReason_RunsExceeded with
        | Ok _count =>
            long_runs_of_entries_safe schema moments entries answer.(answer_heads) &&
            (match long_runs_of_entries schema moments entries answer.(answer_heads) with
              | Ok runs =>
                  rows_of_long_runs_safe runs &&
                  (match expect_table (rows_of_long_runs runs <? MAX_BOX_ROWS) TableReason_RunsExceeded with
                    | Ok _rows =>
                        segment_slots_safe answer &&
                        runs_with_segments_safe
                          runs
                          schema
                          moments
                          (segment_slots answer)
                          answer.(answer_shown)
                    | Err _ => true
                    end)
              | Err _ => true
              end)
        | Err _ => true
        end
    | Err _ => true
    end).

(** When [groups_of_query] does not panic. *)
Definition groups_of_query_safe (query : TableQuery) (schema : TableSchema) (runs : Seq BoxRun) : bool :=
  if query.(query_function) =? FUNCTION_TOTALS then
    key_widths_safe schema.(schema_keys) &&
    group_totals_safe runs (key_widths schema.(schema_keys)) query.(query_groups)
  else
    true.

(** When [encode_long_runs_step] does not panic. *)
Definition encode_long_runs_step_safe (encoded : ByteString) (run : LongRun) : bool :=
  encode_long_head_safe run.(long_head).

(** When [encode_long_runs] does not panic. *)
Definition encode_long_runs_safe (runs : Seq LongRun) : bool :=
  loop_safe
    (fun encoded k => encode_long_runs_step encoded (seq_at runs k))
    (fun encoded k => (k <? seq_length runs) && encode_long_runs_step_safe encoded (seq_at runs k))
    (range 0 (seq_length runs))
    [].

(** When [encode_segment_slots] does not panic. *)
Definition encode_segment_slots_safe (slots : Seq Slot) : bool :=
  loop_safe
    (fun encoded i => encode_segment_slots_step encoded (seq_at slots i))
    (fun encoded i => i <? seq_length slots)
    (range 0 (seq_length slots))
    [].

(** When [table_answer_seed] does not panic. *)
Definition table_answer_seed_safe
    (dictionary : ByteString)
    (answer : TableAnswer)
    (query : TableQuery)
    (schema : TableSchema)
    (runs : Seq LongRun) : bool :=
  encode_table_query_safe query &&
  (encode_schema_safe schema && encode_long_runs_safe runs &&
    (segment_slots_safe answer && encode_segment_slots_safe (segment_slots answer)) &&
    encode_stated_safe answer).

(** When [verify_table_answer] does not panic. *)
Definition verify_table_answer_safe
    (setup : Setup)
    (trusted : Trusted)
    (query : TableQuery)
    (schema : TableSchema)
    (answer : TableAnswer) : bool :=
  query_fits_schema_safe query schema &&
  (match expect_table (query_fits_schema query schema) TableReason_QueryIllegal with
    | Ok _query =>
        let proof := answer.(answer_proof) in
        grounds_of_answer_safe trusted proof &&
        (match grounds_of_answer trusted proof with
          | Ok basis =>
              schema_is_claimed_safe proof query schema &&
              (match expect_table (schema_is_claimed proof query schema) TableReason_SchemaMismatched with
                | Ok _schema =>
                    runs_of_answer_safe query schema (moments_of_query query schema) answer &&
                    (match runs_of_answer query schema (moments_of_query query schema) answer with
                      | Ok runs =>
                          whole_runs_safe runs && groups_of_query_safe query schema (whole_runs runs) &&
                          (let groups := groups_of_query query schema (whole_runs runs) in
                            table_answer_seed_safe (trusted_dictionary trusted) answer query schema runs &&
                            (let answer_seed :=
                                table_answer_seed (trusted_dictionary trusted) answer query schema runs
                              in
                              let cap := cap_of_query query schema in
                              claims_of_answer_safe query schema cap runs groups answer answer_seed &&
                              (match claims_of_answer query schema cap runs groups answer answer_seed with
                                | Ok claimed =>
                                    match check_fold_form claimed.(claims_stated) answer.(answer_opening) with
                                    | Ok _fold =>
                                        check_answer_openings_safe setup basis proof.(proof_claims) &&
                                        (match of_dictionary
                                              (check_answer_openings setup basis proof.(proof_claims)) with
                                          | Ok _openings =>
                                              let fold_seed :=
                                                table_fold_seed answer_seed claimed.(claims_seeds)
                                              in
                                              check_table_fold_safe
                                                setup
                                                claimed.(claims_stated)
                                                fold_seed
                                                answer.(answer_opening)
                                          | Err _ => true
                                          end)
                                    | Err _ => true
                                    end
                                | Err _ => true
                                end)))
                      | Err _ => true
                      end)
                | Err _ => true
                end)
          | Err _ => true
          end)
    | Err _ => true
    end).

End Specification.
