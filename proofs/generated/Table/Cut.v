(* Translated from spec/src/table/cut.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Cuts of sorted runs: which rows of each run stand before a rank or a number, and what has to be
    shown of that.

    A cut states for each run a split p_k in 0..=rows: p_k rows are before it. A cut at rank j has Σ
    p_k = j and a low end, a run a with p_a >= 1 and a number x: the last row before the split of a
    is x. Where the next row is asked for too, it has a high end, a run b with p_b < rows and a
    number y >= x: the first row behind the split of b is y. The ends are opened. All other last
    rows before a split are compared to be at most x, all other first rows behind a split to be at
    least y, or x where there is no high end; of the run of the low end this follows then from its
    order. So x = x_(j) and y = x_(j+1), ties included.

    A cut before a number t has no ends; rows before the splits are compared to be at most t - 1,
    those behind them to be at least t. For t = 0 and t above the cap nothing is compared: no row
    then is before, and every row.

    Compared rows stand in the order of the runs, the one before a split in front of the one behind
    it. Source: docs/tables.md, "Order statistics". *)
From AardvarkSpec Require Export Prelude Base.Integers Base.Bytes Base.Scalar Commitment.FoldedOpening
  Table.DomainValues Table.RunRecord Table.Sheet Table.Comparison Table.CutGoal.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** An end of a cut. *)
Record CutEnd : Type := {
  (** The place of its run. *)
  end_run : usize;
  (** The row's number. *)
  end_value : u128;
}.

#[global] Instance Default_CutEnd : Default CutEnd := {| end_run := default; end_value := default |}.

(** A cut, as it is stated. *)
Record TableCut : Type := {
  (** How many rows of each run are before the cut. *)
  cut_splits : Seq usize;
  (** The last row before the cut. *)
  cut_low : Option CutEnd;
  (** The first row behind it. *)
  cut_high : Option CutEnd;
}.

#[global] Instance Default_TableCut : Default TableCut := {| cut_splits := default; cut_low := default; cut_high := default |}.

(** What rows on both sides of the splits are compared with. *)
Record CutSides : Type := {
  (** What rows before a split are at most. *)
  side_most : u128;
  (** What rows behind a split are at least. *)
  side_least : u128;
  (** The run whose row before the split is not compared, since it is opened; none has the place
      behind the last run. *)
  side_opened : usize;
  (** The run whose row behind the split is not compared, since it is opened or follows from the
      run's order. *)
  side_implied : usize;
}.

#[global] Instance Default_CutSides : Default CutSides := {| side_most := default; side_least := default; side_opened := default; side_implied := default |}.

(** What has to be shown of a cut. *)
Record CutWork : Type := {
  (** The rows that are opened. *)
  work_claims : Seq FoldedClaim;
  (** The rows that are compared. *)
  work_rows : Seq ComparedRow;
}.

#[global] Instance Default_CutWork : Default CutWork := {| work_claims := default; work_rows := default |}.

(** One step of [`splits_fit`]. *)
Definition splits_fit_step (fits : bool) (records : Seq RunRecord) (splits : Seq usize) (k : usize) : bool :=
  if k <? seq_length splits then fits && (seq_at splits k <=? (seq_at records k).(record_rows)) else false.

(** Whether there is a split for each run, and none behind its last row. *)
Definition splits_fit (records : Seq RunRecord) (splits : Seq usize) : bool :=
  fold_left
    (fun fits k => splits_fit_step fits records splits k)
    (range 0 (seq_length records))
    (seq_length splits =? seq_length records).

(** One step of [`splits_total`]. *)
Definition splits_total_step (total : u128) (split : usize) : u128 :=
  total + u128_of_usize split.

(** How many rows are before the splits. *)
Definition splits_total (splits : Seq usize) : u128 :=
  fold_left (fun total k => splits_total_step total (seq_at splits k)) (range 0 (seq_length splits)) 0.

(** One step of [`records_total`]. *)
Definition records_total_step (total : u128) (run_record : RunRecord) : u128 :=
  total + u128_of_usize run_record.(record_rows).

(** How many rows runs have. *)
Definition records_total (records : Seq RunRecord) : u128 :=
  fold_left (fun total k => records_total_step total (seq_at records k)) (range 0 (seq_length records)) 0.

(** Whether a low end is a row of a run before its split, of at most the cap. *)
Definition low_end_legal (splits : Seq usize) (cap : u128) (end' : CutEnd) : bool :=
  if end'.(end_run) <? seq_length splits then
    (1 <=? seq_at splits end'.(end_run)) && (end'.(end_value) <=? cap)
  else
    false.

(** Whether a high end is a row of a run behind its split, of at most the cap. *)
Definition high_end_legal
    (records : Seq RunRecord)
    (splits : Seq usize)
    (cap : u128)
    (end' : CutEnd) : bool :=
  if (end'.(end_run) <? seq_length splits) && (end'.(end_run) <? seq_length records) then
    (seq_at splits end'.(end_run) <? (seq_at records end'.(end_run)).(record_rows)) &&
    (end'.(end_value) <=? cap)
  else
    false.

(** The claim (V, ω^(first + i), number) of the row with index i of a run. *)
Definition row_claim (run_record : RunRecord) (i : usize) (number : u128) : FoldedClaim :=
  {| folded_commitment := run_record.(record_values).(held_element);
    folded_point := domain_point (sheet_size run_record.(record_log)) (run_record.(record_first) + i);
    folded_value := scalar_of_number number |}.

(** The claim of the row before the split of a run: that of a legal low end. *)
Definition low_end_claims (records : Seq RunRecord) (splits : Seq usize) (end' : CutEnd) : Seq FoldedClaim :=
  let none := [] in
  if (end'.(end_run) <? seq_length records) && (end'.(end_run) <? seq_length splits) &&
    (1 <=? seq_at splits end'.(end_run)) then
    none ++ [row_claim (seq_at records end'.(end_run)) (seq_at splits end'.(end_run) - 1) end'.(end_value)]
  else
    none.

(** Claims, and that of the row behind the split of a run: that of a legal high end. *)
Definition high_end_claims
    (before : Seq FoldedClaim)
    (records : Seq RunRecord)
    (splits : Seq usize)
    (end' : CutEnd) : Seq FoldedClaim :=
  if (end'.(end_run) <? seq_length records) && (end'.(end_run) <? seq_length splits) then
    before ++ [row_claim (seq_at records end'.(end_run)) (seq_at splits end'.(end_run)) end'.(end_value)]
  else
    before.

(** Compared rows, and the row with index i of run k, which is to be on a side of a threshold. *)
Definition with_compared_row
    (before : Seq ComparedRow)
    (run_record : RunRecord)
    (k i : usize)
    (at_most : bool)
    (threshold : u128) : Seq ComparedRow :=
  before ++
  [{| compared_run := k;
      compared_segment := 0;
      compared_record := run_record;
      compared_position := run_record.(record_first) + i;
      compared_at_most := at_most;
      compared_threshold := threshold |}].

(** One step of [`compared_rows`]. *)
Definition compared_rows_step
    (before : Seq ComparedRow)
    (records : Seq RunRecord)
    (splits : Seq usize)
    (sides : CutSides)
    (k : usize) : Seq ComparedRow :=
  if k <? seq_length splits then
    let split := seq_at splits k in
    let with_low :=
      if (1 <=? split) && (negb (k =? sides.(side_opened))) then
        with_compared_row before (seq_at records k) k (split - 1) true sides.(side_most)
      else
        before
    in
    if (split <? (seq_at records k).(record_rows)) && (negb (k =? sides.(side_implied))) then
      with_compared_row with_low (seq_at records k) k split false sides.(side_least)
    else
      with_low
  else
    before.

(** The rows on both sides of the splits that are compared. *)
Definition compared_rows
    (records : Seq RunRecord)
    (splits : Seq usize)
    (sides : CutSides) : Seq ComparedRow :=
  fold_left (fun rows k => compared_rows_step rows records splits sides k) (range 0 (seq_length records)) [].

(** What has to be shown of a cut at a rank, with its low end alone. *)
Definition work_at_rank
    (records : Seq RunRecord)
    (cap rank : u128)
    (stated : TableCut)
    (low : CutEnd) : Option CutWork :=
  let splits := stated.(cut_splits) in
  match stated.(cut_high) with
  | Some _ => None
  | None =>
      if (splits_total splits =? rank) && low_end_legal splits cap low then
        Some
          {| work_claims := low_end_claims records splits low;
            work_rows :=
              compared_rows
                records
                splits
                {| side_most := low.(end_value);
                  side_least := low.(end_value);
                  side_opened := low.(end_run);
                  side_implied := low.(end_run) |} |}
      else
        None
  end.

(** What has to be shown of a cut at a rank, with both ends. *)
Definition work_around_rank
    (records : Seq RunRecord)
    (cap rank : u128)
    (stated : TableCut)
    (low : CutEnd) : Option CutWork :=
  let splits := stated.(cut_splits) in
  match stated.(cut_high) with
  | None => None
  | Some high =>
      let ends_legal := low_end_legal splits cap low && high_end_legal records splits cap high in
      if (splits_total splits =? rank) && ends_legal && (low.(end_value) <=? high.(end_value)) then
        Some
          {| work_claims := high_end_claims (low_end_claims records splits low) records splits high;
            work_rows :=
              compared_rows
                records
                splits
                {| side_most := low.(end_value);
                  side_least := high.(end_value);
                  side_opened := low.(end_run);
                  side_implied := high.(end_run) |} |}
      else
        None
  end.

(** What has to be shown of a cut before a number. *)
Definition work_below_number
    (records : Seq RunRecord)
    (cap number : u128)
    (splits : Seq usize) : Option CutWork :=
  let nothing := {| work_claims := []; work_rows := [] |} in
  if number <? 1 then
    if splits_total splits =? 0 then Some nothing else None
  else if cap <? number then
    if splits_total splits =? records_total records then Some nothing else None
  else
    let sides :=
      {| side_most := number - 1;
        side_least := number;
        side_opened := seq_length records;
        side_implied := seq_length records |}
    in
    Some {| work_claims := nothing.(work_claims); work_rows := compared_rows records splits sides |}.

(** What has to be shown of a stated cut of runs with these records, so that it is what is asked
    for; `None` where it cannot be. *)
Definition work_of_cut
    (records : Seq RunRecord)
    (cap : u128)
    (goal : CutGoal)
    (stated : TableCut) : Option CutWork :=
  if negb (splits_fit records stated.(cut_splits)) then
    None
  else
    match stated.(cut_low) with
    | None =>
        match stated.(cut_high) with
        | Some _ => None
        | None =>
            match goal with
            | CutGoal_BelowNumber number => work_below_number records cap number stated.(cut_splits)
            | CutGoal_NoCut => None
            | CutGoal_AtRank _ => None
            | CutGoal_AroundRank _ => None
            end
        end
    | Some low =>
        match goal with
        | CutGoal_NoCut => None
        | CutGoal_BelowNumber _ => None
        | CutGoal_AtRank rank => work_at_rank records cap rank stated low
        | CutGoal_AroundRank rank => work_around_rank records cap rank stated low
        end
    end.

(** How many comparisons so many compared rows take. *)
Definition comparison_count (rows : usize) : usize :=
  (rows + (MAX_COMPARED - 1)) / MAX_COMPARED.

(** The rows of comparison number i. *)
Definition rows_of_comparison (rows : Seq ComparedRow) (i : usize) : Seq ComparedRow :=
  let start := i * MAX_COMPARED in
  if start <? seq_length rows then
    let left' := seq_length rows - start in
    seq_slice rows start (if left' <? MAX_COMPARED then left' else MAX_COMPARED)
  else
    [].

(** `u32 run || u64 value`, if there is an end. *)
Definition encode_cut_end (end' : Option CutEnd) : ByteString :=
  match end' with
  | None => []
  | Some stated => u32_bytes stated.(end_run) ++ big_endian stated.(end_value) 8
  end.

(** One step of [`encode_splits`]. *)
Definition encode_splits_step (encoded : ByteString) (split : usize) : ByteString :=
  encoded ++ u64_bytes split.

(** The splits as bytes, 8 each. *)
Definition encode_splits (splits : Seq usize) : ByteString :=
  fold_left (fun encoded k => encode_splits_step encoded (seq_at splits k)) (range 0 (seq_length splits)) [].

(** A cut's numbers as an answer's seed binds them: `(u64 split)* || low || high`. *)
Definition encode_cut (stated : TableCut) : ByteString :=
  encode_splits stated.(cut_splits) ++ encode_cut_end stated.(cut_low) ++ encode_cut_end stated.(cut_high).

End Specification.
