(* Translated from spec/src/table/cut.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Table.Cut Base.BytesSafe Base.ScalarSafe Commitment.FoldedOpeningSafe
  Table.DomainValuesSafe Table.RunRecordSafe Table.SheetSafe Table.ComparisonSafe Table.CutGoalSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [splits_fit_step] does not panic. *)
Definition splits_fit_step_safe
    (fits : bool)
    (records : Seq RunRecord)
    (splits : Seq usize)
    (k : usize) : bool :=
  if k <? seq_length splits then
    if fits then (k <? seq_length splits) && (k <? seq_length records) else true
  else
    true.

(** When [splits_fit] does not panic. *)
Definition splits_fit_safe (records : Seq RunRecord) (splits : Seq usize) : bool :=
  loop_safe
    (fun fits k => splits_fit_step fits records splits k)
    (fun fits k => splits_fit_step_safe fits records splits k)
    (range 0 (seq_length records))
    (seq_length splits =? seq_length records).

(** When [splits_total_step] does not panic. *)
Definition splits_total_step_safe (total : u128) (split : usize) : bool :=
  within_u128 (total + u128_of_usize split).

(** When [splits_total] does not panic. *)
Definition splits_total_safe (splits : Seq usize) : bool :=
  loop_safe
    (fun total k => splits_total_step total (seq_at splits k))
    (fun total k => (k <? seq_length splits) && splits_total_step_safe total (seq_at splits k))
    (range 0 (seq_length splits))
    0.

(** When [records_total_step] does not panic. *)
Definition records_total_step_safe (total : u128) (run_record : RunRecord) : bool :=
  within_u128 (total + u128_of_usize run_record.(record_rows)).

(** When [records_total] does not panic. *)
Definition records_total_safe (records : Seq RunRecord) : bool :=
  loop_safe
    (fun total k => records_total_step total (seq_at records k))
    (fun total k => (k <? seq_length records) && records_total_step_safe total (seq_at records k))
    (range 0 (seq_length records))
    0.

(** When [row_claim] does not panic. *)
Definition row_claim_safe (run_record : RunRecord) (i : usize) (number : u128) : bool :=
  sheet_size_safe run_record.(record_log) && within_usize (run_record.(record_first) + i) &&
  domain_point_safe (sheet_size run_record.(record_log)) (run_record.(record_first) + i).

(** When [low_end_claims] does not panic. *)
Definition low_end_claims_safe (records : Seq RunRecord) (splits : Seq usize) (end' : CutEnd) : bool :=
  if (end'.(end_run) <? seq_length records) && (end'.(end_run) <? seq_length splits) &&
    (1 <=? seq_at splits end'.(end_run)) then
    row_claim_safe (seq_at records end'.(end_run)) (seq_at splits end'.(end_run) - 1) end'.(end_value)
  else
    true.

(** When [high_end_claims] does not panic. *)
Definition high_end_claims_safe
    (before : Seq FoldedClaim)
    (records : Seq RunRecord)
    (splits : Seq usize)
    (end' : CutEnd) : bool :=
  if (end'.(end_run) <? seq_length records) && (end'.(end_run) <? seq_length splits) then
    row_claim_safe (seq_at records end'.(end_run)) (seq_at splits end'.(end_run)) end'.(end_value)
  else
    true.

(** When [with_compared_row] does not panic. *)
Definition with_compared_row_safe
    (before : Seq ComparedRow)
    (run_record : RunRecord)
    (k i : usize)
    (at_most : bool)
    (threshold : u128) : bool :=
  within_usize (run_record.(record_first) + i).

(** When [compared_rows_step] does not panic. *)
Definition compared_rows_step_safe
    (before : Seq ComparedRow)
    (records : Seq RunRecord)
    (splits : Seq usize)
    (sides : CutSides)
    (k : usize) : bool :=
  if k <? seq_length splits then
    let split := seq_at splits k in
    (if (1 <=? split) && (negb (k =? sides.(side_opened))) then
        (k <? seq_length records) &&
        with_compared_row_safe before (seq_at records k) k (split - 1) true sides.(side_most)
      else
        true) &&
    (let with_low :=
        if (1 <=? split) && (negb (k =? sides.(side_opened))) then
          with_compared_row before (seq_at records k) k (split - 1) true sides.(side_most)
        else
          before
      in
      (k <? seq_length records) &&
      (if (split <? (seq_at records k).(record_rows)) && (negb (k =? sides.(side_implied))) then
          (k <? seq_length records) &&
          with_compared_row_safe with_low (seq_at records k) k split false sides.(side_least)
        else
          true))
  else
    true.

(** When [compared_rows] does not panic. *)
Definition compared_rows_safe (records : Seq RunRecord) (splits : Seq usize) (sides : CutSides) : bool :=
  loop_safe
    (fun rows k => compared_rows_step rows records splits sides k)
    (fun rows k => compared_rows_step_safe rows records splits sides k)
    (range 0 (seq_length records))
    [].

(** When [work_at_rank] does not panic. *)
Definition work_at_rank_safe
    (records : Seq RunRecord)
    (cap rank : u128)
    (stated : TableCut)
    (low : CutEnd) : bool :=
  let splits := stated.(cut_splits) in
  match stated.(cut_high) with
  | Some _ => true
  | None =>
      splits_total_safe splits &&
      (if (splits_total splits =? rank) && low_end_legal splits cap low then
          low_end_claims_safe records splits low &&
          compared_rows_safe
            records
            splits
            {| side_most := low.(end_value);
              side_least := low.(end_value);
              side_opened := low.(end_run);
              side_implied := low.(end_run) |}
        else
          true)
  end.

(** When [work_around_rank] does not panic. *)
Definition work_around_rank_safe
    (records : Seq RunRecord)
    (cap rank : u128)
    (stated : TableCut)
    (low : CutEnd) : bool :=
  let splits := stated.(cut_splits) in
  match stated.(cut_high) with
  | None => true
  | Some high =>
      let ends_legal := low_end_legal splits cap low && high_end_legal records splits cap high in
      splits_total_safe splits &&
      (if (splits_total splits =? rank) && ends_legal && (low.(end_value) <=? high.(end_value)) then
          low_end_claims_safe records splits low &&
          high_end_claims_safe (low_end_claims records splits low) records splits high &&
          compared_rows_safe
            records
            splits
            {| side_most := low.(end_value);
              side_least := high.(end_value);
              side_opened := low.(end_run);
              side_implied := high.(end_run) |}
        else
          true)
  end.

(** When [work_below_number] does not panic. *)
Definition work_below_number_safe (records : Seq RunRecord) (cap number : u128) (splits : Seq usize) : bool :=
  if number <? 1 then
    splits_total_safe splits
  else if cap <? number then
    splits_total_safe splits && records_total_safe records
  else
    (1 <=? number) &&
    (let sides :=
        {| side_most := number - 1;
          side_least := number;
          side_opened := seq_length records;
          side_implied := seq_length records |}
      in
      compared_rows_safe records splits sides).

(** When [work_of_cut] does not panic. *)
Definition work_of_cut_safe
    (records : Seq RunRecord)
    (cap : u128)
    (goal : CutGoal)
    (stated : TableCut) : bool :=
  splits_fit_safe records stated.(cut_splits) &&
  (if negb (splits_fit records stated.(cut_splits)) then
      true
    else
      match stated.(cut_low) with
      | None =>
          match stated.(cut_high) with
          | Some _ => true
          | None =>
              match goal with
              | CutGoal_BelowNumber number => work_below_number_safe records cap number stated.(cut_splits)
              | CutGoal_NoCut => true
              | CutGoal_AtRank _ => true
              | CutGoal_AroundRank _ => true
              end
          end
      | Some low =>
          match goal with
          | CutGoal_NoCut => true
          | CutGoal_BelowNumber _ => true
          | CutGoal_AtRank rank => work_at_rank_safe records cap rank stated low
          | CutGoal_AroundRank rank => work_around_rank_safe records cap rank stated low
          end
      end).

(** When [comparison_count] does not panic. *)
Definition comparison_count_safe (rows : usize) : bool :=
  (1 <=? MAX_COMPARED) && within_usize (rows + (MAX_COMPARED - 1)) && negb (MAX_COMPARED =? 0).

(** When [rows_of_comparison] does not panic. *)
Definition rows_of_comparison_safe (rows : Seq ComparedRow) (i : usize) : bool :=
  within_usize (i * MAX_COMPARED) &&
  (let start := i * MAX_COMPARED in
    if start <? seq_length rows then
      let left' := seq_length rows - start in
      start + (if left' <? MAX_COMPARED then left' else MAX_COMPARED) <=? seq_length rows
    else
      true).

(** When [encode_splits] does not panic. *)
Definition encode_splits_safe (splits : Seq usize) : bool :=
  loop_safe
    (fun encoded k => encode_splits_step encoded (seq_at splits k))
    (fun encoded k => k <? seq_length splits)
    (range 0 (seq_length splits))
    [].

(** When [encode_cut] does not panic. *)
Definition encode_cut_safe (stated : TableCut) : bool :=
  encode_splits_safe stated.(cut_splits).

End Specification.
