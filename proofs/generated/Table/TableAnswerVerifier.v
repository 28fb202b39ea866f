(* Translated from spec/src/table/table_answer_verifier.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Verifying answers: the one function that everybody who asks a table calls.

    What is trusted of the dictionary, and the query, are the asker's own; all else comes from
    whoever answers. The phases run in this order, and the first that fails names the reason:

    ```text
    query       it is one of the schema's table
    dictionary  slots' lengths, dictionary and version, root, positions, encodings
    schema      the first claim is that of the query's schema
    scan        the slots of the claims behind it, but for the segments', are exactly the runs of the
                box; for a row, one run in it
    runs        each is a run; fewer than 2^40 rows; the segments that are shown are theirs
    parts       those of the function; totals within their bounds; the row at its position; the cut
                one that is asked for, its comparisons well-formed
    openings    of the dictionary's claims; of what is claimed of the runs' commitments
    ```

    The openings come last, since one pairing check can do for all of them. Source: docs/tables.md,
    "Answers". *)
From AardvarkSpec Require Export Prelude Base.Integers Base.Bytes Base.Hash Commitment.Scheme Dictionary.Slot
  Dictionary.KeyMap Block.Transaction Answer.Scan Answer.AnswerReason Answer.AnswerProof Answer.AnswerBasis
  Answer.Verify Table.TableSchema Table.TableKey Table.KeyBox Table.TableScan Table.TableQuery Table.Totals
  Table.RunSegments Table.Cut Table.TableAnswer Table.LongRuns Table.TableAnswerClaims.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** What an accepted answer says. *)
Record TableOutcome : Type := {
  (** The runs of the box, with the pieces that were shown. *)
  outcome_runs : Seq LongRun;
  (** The groups, with their rows; empty for a row. *)
  outcome_groups : Seq GroupTotals;
  (** For each group S_1, S_2, .., as far as they were asked for; 32 bytes each. *)
  outcome_totals : Seq (Seq ByteString);
  (** The cut of the pieces at the rank or number that was asked for. *)
  outcome_cut : Option TableCut;
}.

#[global] Instance Default_TableOutcome : Default TableOutcome := {| outcome_runs := default; outcome_groups := default; outcome_totals := default; outcome_cut := default |}.

(** A verdict on the dictionary's claims, as one on the answer. *)
Definition of_dictionary (verdict : Result unit AnswerRefusal) : Result unit TableRefusal :=
  match verdict with
  | Err refusal => Err (refuse_dictionary refusal)
  | Ok _ => Ok tt
  end.

(** What is known of the version, or the refusal. *)
Definition basis_of_answer (trusted : Trusted) (proof : AnswerProof) : Result AnswerBasis TableRefusal :=
  match answer_basis trusted proof with
  | Err refusal => Err (refuse_dictionary refusal)
  | Ok basis => Ok basis
  end.

(** The cap of the column that a query is about; 0 where there is no such column. *)
Definition cap_of_query (query : TableQuery) (schema : TableSchema) : u64 :=
  if query.(query_column) <? seq_length schema.(schema_values) then
    (seq_at schema.(schema_values) query.(query_column)).(value_column_span)
  else
    0.

(** How many powers of the numbers of a query's column have sums; 0 where there is no such column. *)
Definition moments_of_query (query : TableQuery) (schema : TableSchema) : usize :=
  if query.(query_column) <? seq_length schema.(schema_values) then
    (seq_at schema.(schema_values) query.(query_column)).(value_column_moments)
  else
    0.

(** Whether a query is one of a table with this schema. *)
Definition query_fits_schema (query : TableQuery) (schema : TableSchema) : bool :=
  (query.(query_column) <? seq_length schema.(schema_values)) &&
  table_query_legal
    query
    (key_widths schema.(schema_keys))
    (u128_of_u64 (cap_of_query query schema))
    (moments_of_query query schema).

(** Whether the first claim is that of the schema. *)
Definition schema_is_claimed (proof : AnswerProof) (query : TableQuery) (schema : TableSchema) : bool :=
  let schema_key := encode_table_key (TableKey_SchemaKey query.(query_table)) in
  if 0 <? seq_length proof.(proof_claims) then
    let claimed := (seq_at proof.(proof_claims) 0).(claim_slot) in
    bytes_equal claimed.(key) schema_key && bytes_equal claimed.(value) (encode_schema schema)
  else
    false.

(** One step of [`slots_behind_first`]. *)
Definition slots_behind_first_step (chain : Seq Slot) (items : Seq Claim) (c : usize) : Seq Slot :=
  chain ++ [(seq_at items c).(claim_slot)].

(** The slots of all claims but the first. *)
Definition slots_behind_first (items : Seq Claim) : Seq Slot :=
  fold_left (fun chain c => slots_behind_first_step chain items c) (range 1 (seq_length items)) [].

(** The only key of a chain, which must be in the box. *)
Definition single_run (key_box : KeyBox) (chain : Seq Slot) : Result KeyMap ChainFault :=
  match single_slot chain with
  | Ok slot =>
      if box_holds key_box slot.(key) then
        Ok (empty_key_map ++ [{| entry_key := slot.(key); entry_value := slot.(value) |}])
      else
        Err ChainFault_NotCovering
  | Err e' => Err e'
  end.

(** The keys and values that the query is about, as the chain of slots shows them. *)
Definition entries_of_query (query : TableQuery) (chain : Seq Slot) : Result KeyMap TableRefusal :=
  let key_box := box_of_query query in
  let found :=
    if query.(query_function) =? FUNCTION_ROW then single_run key_box chain else table_scan key_box chain
  in
  match found with
  | Ok entries => Ok entries
  | Err fault => Err (refuse_table (TableReason_DictionaryRefused (reason_of_fault fault)))
  end.

(** What is known of the version, once the claims' form and positions were checked. *)
Definition grounds_of_answer (trusted : Trusted) (proof : AnswerProof) : Result AnswerBasis TableRefusal :=
  match of_dictionary (check_answer_form proof.(proof_question) proof) with
  | Ok _form =>
      match of_dictionary (check_answer_about trusted proof.(proof_question) proof) with
      | Ok _about =>
          match basis_of_answer trusted proof with
          | Ok basis =>
              match of_dictionary (check_answer_positions basis proof.(proof_claims)) with
              | Ok _positions =>
                  match of_dictionary (check_answer_encodings proof.(proof_claims)) with
                  | Ok _encodings => Ok basis
                  | Err e' => Err e'
                  end
              | Err e' => Err e'
              end
          | Err e' => Err e'
          end
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

(** The slots of the scan: those of all claims but the first and the segments'. *)
Definition scanned_slots (answer : TableAnswer) : Seq Slot :=
  let items := answer.(answer_proof).(proof_claims) in
  if seq_length answer.(answer_shown) <=? seq_length items then
    slots_behind_first (seq_slice items 0 (seq_length items - seq_length answer.(answer_shown)))
  else
    [].

(** One step of [`segment_slots`]. *)
Definition segment_slots_step (slots : Seq Slot) (items : Seq Claim) (c : usize) : Seq Slot :=
  slots ++ [(seq_at items c).(claim_slot)].

(** The slots of the segments. *)
Definition segment_slots (answer : TableAnswer) : Seq Slot :=
  let items := answer.(answer_proof).(proof_claims) in
  let start :=
    if seq_length answer.(answer_shown) <=? seq_length items then
      seq_length items - seq_length answer.(answer_shown)
    else
      seq_length items
  in
  fold_left (fun slots c => segment_slots_step slots items c) (range start (seq_length items)) [].

(** The runs that a query is about, with the pieces that the answer shows. *)
Definition runs_of_answer
    (query : TableQuery)
    (schema : TableSchema)
    (moments : usize)
    (answer : TableAnswer) : Result (Seq LongRun) TableRefusal :=
  match entries_of_query query (scanned_slots answer) with
  | Ok entries =>
      match expect_table (seq_length entries <=? MAX_ANSWER_RUNS) TableReason_RunsExceeded with
      | Ok _count =>
          match long_runs_of_entries schema moments entries answer.(answer_heads) with
          | Ok runs =>
              match expect_table (rows_of_long_runs runs <? MAX_BOX_ROWS) TableReason_RunsExceeded with
              | Ok _rows =>
                  runs_with_segments runs schema moments (segment_slots answer) answer.(answer_shown)
              | Err e' => Err e'
              end
          | Err e' => Err e'
          end
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

(** The groups of a query for totals; none of any other. *)
Definition groups_of_query
    (query : TableQuery)
    (schema : TableSchema)
    (runs : Seq BoxRun) : Seq GroupTotals :=
  if query.(query_function) =? FUNCTION_TOTALS then
    group_totals runs (key_widths schema.(schema_keys)) query.(query_groups)
  else
    [].

(** One step of [`encode_long_runs`]. *)
Definition encode_long_runs_step (encoded : ByteString) (run : LongRun) : ByteString :=
  encoded ++
  bytes8 (encode_table_key (TableKey_HeadKey run.(long_place))) ++
  bytes16 (encode_long_head run.(long_head)).

(** `(bytes8(key) || bytes16(head))*` *)
Definition encode_long_runs (runs : Seq LongRun) : ByteString :=
  fold_left (fun encoded k => encode_long_runs_step encoded (seq_at runs k)) (range 0 (seq_length runs)) [].

(** One step of [`encode_segment_slots`]. *)
Definition encode_segment_slots_step (encoded : ByteString) (slot : Slot) : ByteString :=
  encoded ++ bytes8 slot.(key) ++ bytes16 slot.(value).

(** `(bytes8(key) || bytes16(segment))*` *)
Definition encode_segment_slots (slots : Seq Slot) : ByteString :=
  fold_left
    (fun encoded i => encode_segment_slots_step encoded (seq_at slots i))
    (range 0 (seq_length slots))
    [].

(** a0: it binds dictionary, version, query, schema, the runs of the box, the segments that are
    shown besides, and all stated numbers. *)
Definition table_answer_seed
    (dictionary : ByteString)
    (answer : TableAnswer)
    (query : TableQuery)
    (schema : TableSchema)
    (runs : Seq LongRun) : ByteString :=
  let about := dictionary ++ u64_bytes answer.(answer_proof).(proof_version) ++ encode_table_query query in
  let schema_key := encode_table_key (TableKey_SchemaKey query.(query_table)) in
  let bound :=
    about ++
    bytes8 schema_key ++
    bytes16 (encode_schema schema) ++
    u32_bytes (seq_length runs) ++
    encode_long_runs runs ++
    u32_bytes (seq_length answer.(answer_shown)) ++
    encode_segment_slots (segment_slots answer) ++
    encode_stated answer
  in
  tagged_hash tag_table_answer bound.

(** What an answer says about a query of a legal schema's table, under what is trusted; or why it
    says nothing. *)
Definition verify_table_answer
    (setup : Setup)
    (trusted : Trusted)
    (query : TableQuery)
    (schema : TableSchema)
    (answer : TableAnswer) : Result TableOutcome TableRefusal :=
  match expect_table (query_fits_schema query schema) TableReason_QueryIllegal with
  | Ok _query =>
      let proof := answer.(answer_proof) in
      match grounds_of_answer trusted proof with
      | Ok basis =>
          match expect_table (schema_is_claimed proof query schema) TableReason_SchemaMismatched with
          | Ok _schema =>
              match runs_of_answer query schema (moments_of_query query schema) answer with
              | Ok runs =>
                  let groups := groups_of_query query schema (whole_runs runs) in
                  let answer_seed :=
                    table_answer_seed (trusted_dictionary trusted) answer query schema runs
                  in
                  let cap := cap_of_query query schema in
                  match claims_of_answer query schema cap runs groups answer answer_seed with
                  | Ok claimed =>
                      match check_fold_form claimed.(claims_stated) answer.(answer_opening) with
                      | Ok _fold =>
                          match of_dictionary (check_answer_openings setup basis proof.(proof_claims)) with
                          | Ok _openings =>
                              let fold_seed := table_fold_seed answer_seed claimed.(claims_seeds) in
                              match check_table_fold
                                  setup
                                  claimed.(claims_stated)
                                  fold_seed
                                  answer.(answer_opening) with
                              | Ok _shown =>
                                  Ok
                                    {| outcome_runs := runs;
                                      outcome_groups := groups;
                                      outcome_totals := answer.(answer_totals);
                                      outcome_cut := answer.(answer_cut) |}
                              | Err e' => Err e'
                              end
                          | Err e' => Err e'
                          end
                      | Err e' => Err e'
                      end
                  | Err e' => Err e'
                  end
              | Err e' => Err e'
              end
          | Err e' => Err e'
          end
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

End Specification.
