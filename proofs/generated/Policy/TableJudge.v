(* Translated from spec/src/policy/table_judge.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Whether each step of a write is legal, and what it puts.

    Steps of embedded archives are judged by the same functions, [`judge_step`], [`judge_delete`]
    and [`judge_segment_delete`]. Source: docs/network.md, "Who may write". *)
From AardvarkSpec Require Export Prelude Base.Bytes Table.RunRecord Table.TableSchema Table.RunSegments
  Table.TablePolicy Policy.PolicyReason Policy.TableSteps Policy.TableWrite Policy.TableSheets.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** What a step of a run puts, once it is judged; and the revision of the head behind it. *)
Record JudgedStep : Type := {
  (** The segments so far. *)
  judged_placed : Seq PlacedSegment;
  (** The revision of the run's head, if there is one. *)
  judged_revision : Option usize;
}.

#[global] Instance Default_JudgedStep : Default JudgedStep := {| judged_placed := default; judged_revision := default |}.

(** Whether a run may become so by a step that puts its head. *)
Definition judge_put_step
    (earlier : Seq PlacedSegment)
    (table_schema : TableSchema)
    (points : Seq TablePoint)
    (read_step : TableStep)
    (written : ByteString) : Result JudgedStep PolicyReason :=
  let moments := column_moments table_schema read_step.(step_place).(place_column) in
  match decode_long_head points written moments with
  | Ok after =>
      match decode_standing points read_step.(step_before) moments with
      | Ok before =>
          match decode_run_pieces points read_step.(step_put) moments with
          | Ok pieces =>
              match judge_step (table_schema.(schema_flags) =? 1) moments before after pieces with
              | Err fault => Err (reason_of_step fault)
              | Ok _ =>
                  match placed_by_step earlier points read_step after pieces moments with
                  | Err why => Err why
                  | Ok placed =>
                      Ok {| judged_placed := placed; judged_revision := Some after.(long_revision) |}
                  end
              end
          | Err e' => Err e'
          end
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

(** Whether a run may be deleted by a step. *)
Definition judge_delete_step
    (earlier : Seq PlacedSegment)
    (table_schema : TableSchema)
    (read_step : TableStep) : Result JudgedStep PolicyReason :=
  match judge_delete table_schema read_step.(step_place) read_step.(step_before) with
  | Err fault => Err (reason_of_change fault)
  | Ok _ => Ok {| judged_placed := earlier; judged_revision := None |}
  end.

(** What a step says of a head that it leaves as it is. *)
Definition judge_kept_step
    (earlier : Seq PlacedSegment)
    (table_schema : TableSchema)
    (points : Seq TablePoint)
    (read_step : TableStep) : Result JudgedStep PolicyReason :=
  let moments := column_moments table_schema read_step.(step_place).(place_column) in
  match decode_standing points read_step.(step_before) moments with
  | Err why => Err why
  | Ok None => Ok {| judged_placed := earlier; judged_revision := None |}
  | Ok (Some head) => Ok {| judged_placed := earlier; judged_revision := Some head.(long_revision) |}
  end.

(** Whether a step may change the head so. *)
Definition judge_head_step
    (earlier : Seq PlacedSegment)
    (table_schema : TableSchema)
    (points : Seq TablePoint)
    (read_step : TableStep) : Result JudgedStep PolicyReason :=
  match read_step.(step_after) with
  | HeadChange_HeadKept => judge_kept_step earlier table_schema points read_step
  | HeadChange_HeadDeleted => judge_delete_step earlier table_schema read_step
  | HeadChange_HeadPut written => judge_put_step earlier table_schema points read_step written
  end.

(** One step of [`judge_deleted`]. *)
Definition judge_deleted_step
    (judged : Result unit PolicyReason)
    (table_schema : TableSchema)
    (changed : ByteString)
    (standing : Option usize) : Result unit PolicyReason :=
  match judged with
  | Err why => Err why
  | Ok _ =>
      match judge_segment_delete table_schema changed standing with
      | Err fault => Err (reason_of_change fault)
      | Ok _ => Ok tt
      end
  end.

(** Whether all segments may be deleted that a step deletes. *)
Definition judge_deleted
    (table_schema : TableSchema)
    (read_step : TableStep)
    (standing : Option usize) : Result unit PolicyReason :=
  fold_left
    (fun judged i => judge_deleted_step judged table_schema (seq_at read_step.(step_deleted) i) standing)
    (range 0 (seq_length read_step.(step_deleted)))
    (Ok tt).

(** One step of [`judge_runs`]. *)
Definition judge_runs_step
    (placed : Result (Seq PlacedSegment) PolicyReason)
    (table_schema : TableSchema)
    (points : Seq TablePoint)
    (read_step : TableStep) : Result (Seq PlacedSegment) PolicyReason :=
  match placed with
  | Ok earlier =>
      match judge_head_step earlier table_schema points read_step with
      | Ok judged =>
          match judge_deleted table_schema read_step judged.(judged_revision) with
          | Ok _deleted => Ok judged.(judged_placed)
          | Err e' => Err e'
          end
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

(** What the steps of a write put, once each is judged: the segments that certificates have to
    cover, in their order. *)
Definition judge_runs
    (runs : RunsWrite)
    (points : Seq TablePoint) : Result (Seq PlacedSegment) PolicyReason :=
  fold_left
    (fun placed i => judge_runs_step placed runs.(written_schema) points (seq_at runs.(written_steps) i))
    (range 0 (seq_length runs.(written_steps)))
    (Ok []).

End Specification.
