(* Translated from spec/src/policy/table_judge.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Policy.TableJudge Base.BytesSafe Table.RunRecordSafe Table.TableSchemaSafe
  Table.RunSegmentsSafe Table.TablePolicySafe Policy.TableStepsSafe Policy.TableWriteSafe
  Policy.TableSheetsSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [judge_put_step] does not panic. *)
Definition judge_put_step_safe
    (earlier : Seq PlacedSegment)
    (table_schema : TableSchema)
    (points : Seq TablePoint)
    (read_step : TableStep)
    (written : ByteString) : bool :=
  let moments := column_moments table_schema read_step.(step_place).(place_column) in
  decode_long_head_safe points written moments &&
  (match decode_long_head points written moments with
    | Ok after =>
        decode_standing_safe points read_step.(step_before) moments &&
        (match decode_standing points read_step.(step_before) moments with
          | Ok before =>
              decode_run_pieces_safe points read_step.(step_put) moments &&
              (match decode_run_pieces points read_step.(step_put) moments with
                | Ok pieces =>
                    judge_step_safe (table_schema.(schema_flags) =? 1) moments before after pieces &&
                    (match judge_step (table_schema.(schema_flags) =? 1) moments before after pieces with
                      | Err fault => true
                      | Ok _ => placed_by_step_safe earlier points read_step after pieces moments
                      end)
                | Err _ => true
                end)
          | Err _ => true
          end)
    | Err _ => true
    end).

(** When [judge_kept_step] does not panic. *)
Definition judge_kept_step_safe
    (earlier : Seq PlacedSegment)
    (table_schema : TableSchema)
    (points : Seq TablePoint)
    (read_step : TableStep) : bool :=
  let moments := column_moments table_schema read_step.(step_place).(place_column) in
  decode_standing_safe points read_step.(step_before) moments.

(** When [judge_head_step] does not panic. *)
Definition judge_head_step_safe
    (earlier : Seq PlacedSegment)
    (table_schema : TableSchema)
    (points : Seq TablePoint)
    (read_step : TableStep) : bool :=
  match read_step.(step_after) with
  | HeadChange_HeadKept => judge_kept_step_safe earlier table_schema points read_step
  | HeadChange_HeadDeleted => true
  | HeadChange_HeadPut written => judge_put_step_safe earlier table_schema points read_step written
  end.

(** When [judge_deleted_step] does not panic. *)
Definition judge_deleted_step_safe
    (judged : Result unit PolicyReason)
    (table_schema : TableSchema)
    (changed : ByteString)
    (standing : Option usize) : bool :=
  match judged with
  | Err why => true
  | Ok _ => judge_segment_delete_safe table_schema changed standing
  end.

(** When [judge_deleted] does not panic. *)
Definition judge_deleted_safe
    (table_schema : TableSchema)
    (read_step : TableStep)
    (standing : Option usize) : bool :=
  loop_safe
    (fun judged i => judge_deleted_step judged table_schema (seq_at read_step.(step_deleted) i) standing)
    (fun judged i =>
      (i <? seq_length read_step.(step_deleted)) &&
      judge_deleted_step_safe judged table_schema (seq_at read_step.(step_deleted) i) standing)
    (range 0 (seq_length read_step.(step_deleted)))
    (Ok tt).

(** When [judge_runs_step] does not panic. *)
Definition judge_runs_step_safe
    (placed : Result (Seq PlacedSegment) PolicyReason)
    (table_schema : TableSchema)
    (points : Seq TablePoint)
    (read_step : TableStep) : bool :=
  match placed with
  | Ok earlier =>
      judge_head_step_safe earlier table_schema points read_step &&
      (match judge_head_step earlier table_schema points read_step with
        | Ok judged => judge_deleted_safe table_schema read_step judged.(judged_revision)
        | Err _ => true
        end)
  | Err _ => true
  end.

(** When [judge_runs] does not panic. *)
Definition judge_runs_safe (runs : RunsWrite) (points : Seq TablePoint) : bool :=
  loop_safe
    (fun placed i => judge_runs_step placed runs.(written_schema) points (seq_at runs.(written_steps) i))
    (fun placed i =>
      (i <? seq_length runs.(written_steps)) &&
      judge_runs_step_safe placed runs.(written_schema) points (seq_at runs.(written_steps) i))
    (range 0 (seq_length runs.(written_steps)))
    (Ok []).

End Specification.
