(* Translated from spec/src/policy/table_steps.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** What a transaction does to a run of a table, operation by operation.

    A **step** of a run is a list of operations, in this order:

    ```text
    Require(head, absent or h)
    segments: nothing, or
        Require(the segment before the first that is put, its value)      unless that one is in the head
        (Require(segment, absent)  Put(segment))*                         numbers ascend by one
    nothing, Put(head, h') or Delete(head)                                Put where segments are put
    Delete(segment)*                                                      at least one where the head stays
    ```

    All segments are the run's, and those that are put and the one before them have the revision of
    h'. So a run is appended, extended, amended or deleted. No point is looked at here. Source:
    docs/network.md, "Who may write". *)
From AardvarkSpec Require Export Prelude Base.Bytes Block.Operation Decoding.Cursor Table.TableKey
  Table.TablePolicy Policy.PolicyReason.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** A segment that is not its run's first, with what stands there or is put. *)
Record SegmentEntry : Type := {
  (** Its key. *)
  segment_entry_key : ByteString;
  (** The revision of its run. *)
  segment_entry_revision : usize;
  (** Its number. *)
  segment_entry_number : usize;
  (** Its value. *)
  segment_entry_value : ByteString;
}.

#[global] Instance Default_SegmentEntry : Default SegmentEntry := {| segment_entry_key := default; segment_entry_revision := default; segment_entry_number := default; segment_entry_value := default |}.

(** What becomes of a head. *)
Inductive HeadChange : Type :=
(** It stays as it is. *)
| HeadChange_HeadKept
(** It is put. *)
| HeadChange_HeadPut (_ : ByteString)
(** It is deleted. *)
| HeadChange_HeadDeleted.

#[global] Instance Default_HeadChange : Default HeadChange := HeadChange_HeadKept.

(** What an operation of a step stands behind. *)
Inductive StepStage : Type :=
(** The requirement of the head. *)
| StepStage_StageBegun
(** That of the segment before the first that is put. *)
| StepStage_StagePinned
(** The requirement that the segment of this key is absent. *)
| StepStage_StageAnnounced (_ : ByteString)
(** A segment that is put. *)
| StepStage_StageGrown
(** The change of the head, or the deletion of a segment. *)
| StepStage_StageSettled.

#[global] Instance Default_StepStage : Default StepStage := StepStage_StageBegun.

(** A step of a run. *)
Record TableStep : Type := {
  (** The key of the run's head. *)
  step_head : ByteString;
  (** Where the run stands. *)
  step_place : RunPlace;
  (** What stands under the head's key before. *)
  step_before : Option ByteString;
  (** The segment before the first that is put: none or one. *)
  step_pinned : Seq SegmentEntry;
  (** The segments that are put. *)
  step_put : Seq SegmentEntry;
  (** What becomes of the head. *)
  step_after : HeadChange;
  (** The keys of the segments that are deleted. *)
  step_deleted : Seq ByteString;
  (** How far the step is read. *)
  step_stage : StepStage;
}.

#[global] Instance Default_TableStep : Default TableStep := {| step_head := default; step_place := default; step_before := default; step_pinned := default; step_put := default; step_after := default; step_deleted := default; step_stage := default |}.

(** Whether an operation's list is a write of a table as far as a condition says. *)
Definition expect_write (condition : bool) : Result unit PolicyReason :=
  if condition then Ok tt else Err PolicyReason_WriteMalformed.

(** Whether a step is complete. *)
Definition step_settled (read_step : TableStep) : bool :=
  match read_step.(step_stage) with
  | StepStage_StageSettled => true
  | _ => false
  end.

(** A step that begins. *)
Definition begun_step (head : ByteString) (place : RunPlace) (before : Option ByteString) : TableStep :=
  {| step_head := head;
    step_place := place;
    step_before := before;
    step_pinned := [];
    step_put := [];
    step_after := HeadChange_HeadKept;
    step_deleted := [];
    step_stage := StepStage_StageBegun |}.

(** The revision that the bytes of a head say; `None` where they are too short. *)
Definition revision_of_head (bytes : ByteString) : Option usize :=
  match take_bytes bytes 1 with
  | Err _ => None
  | Ok (_, rest) =>
      match read_number rest 4 with
      | Err _ => None
      | Ok (revision, _) => Some revision
      end
  end.

(** Whether the bytes of a head say this revision. *)
Definition has_revision (bytes : ByteString) (revision : usize) : bool :=
  revision_stands (revision_of_head bytes) revision.

(** Whether the head that is put may stand behind the segments that are put with it. *)
Definition head_of_segments (read_step : TableStep) (written : ByteString) : bool :=
  (seq_length read_step.(step_put) =? 0) ||
  has_revision written (seq_at read_step.(step_put) 0).(segment_entry_revision).

(** A step whose head is put. *)
Definition put_head (read_step : TableStep) (written : ByteString) : Result TableStep PolicyReason :=
  let in_turn :=
    match read_step.(step_stage) with
    | StepStage_StageBegun => true
    | StepStage_StageGrown => true
    | _ => false
    end
  in
  match expect_write (in_turn && head_of_segments read_step written) with
  | Ok _put =>
      Ok
        {| step_after := HeadChange_HeadPut written;
          step_stage := StepStage_StageSettled;
          step_head := read_step.(step_head);
          step_place := read_step.(step_place);
          step_before := read_step.(step_before);
          step_pinned := read_step.(step_pinned);
          step_put := read_step.(step_put);
          step_deleted := read_step.(step_deleted) |}
  | Err e' => Err e'
  end.

(** A step whose head is deleted. *)
Definition delete_head (read_step : TableStep) : Result TableStep PolicyReason :=
  match read_step.(step_stage) with
  | StepStage_StageBegun =>
      Ok
        {| step_after := HeadChange_HeadDeleted;
          step_stage := StepStage_StageSettled;
          step_head := read_step.(step_head);
          step_place := read_step.(step_place);
          step_before := read_step.(step_before);
          step_pinned := read_step.(step_pinned);
          step_put := read_step.(step_put);
          step_deleted := read_step.(step_deleted) |}
  | _ => Err PolicyReason_WriteMalformed
  end.

(** A step with the segment before the first that is put. *)
Definition pin_segment (read_step : TableStep) (pinned : SegmentEntry) : Result TableStep PolicyReason :=
  match read_step.(step_stage) with
  | StepStage_StageBegun =>
      Ok
        {| step_pinned := [] ++ [pinned];
          step_stage := StepStage_StagePinned;
          step_head := read_step.(step_head);
          step_place := read_step.(step_place);
          step_before := read_step.(step_before);
          step_put := read_step.(step_put);
          step_after := read_step.(step_after);
          step_deleted := read_step.(step_deleted) |}
  | _ => Err PolicyReason_WriteMalformed
  end.

(** Whether a segment comes right behind the last one of these. *)
Definition comes_behind (entries : Seq SegmentEntry) (place : SegmentPlace) : bool :=
  (0 <? seq_length entries) &&
  ((seq_at entries (seq_length entries - 1)).(segment_entry_revision) =? place.(segment_place_revision)) &&
  ((seq_at entries (seq_length entries - 1)).(segment_entry_number) <? place.(segment_place_number)) &&
  (place.(segment_place_number) - (seq_at entries (seq_length entries - 1)).(segment_entry_number) =? 1).

(** Whether a segment may be the next that is put. *)
Definition may_announce (read_step : TableStep) (place : SegmentPlace) : bool :=
  match read_step.(step_stage) with
  | StepStage_StageBegun => place.(segment_place_number) =? 1
  | StepStage_StagePinned => comes_behind read_step.(step_pinned) place
  | StepStage_StageGrown => comes_behind read_step.(step_put) place
  | _ => false
  end.

(** A step that says that the segment of a key is absent. *)
Definition announce_segment
    (read_step : TableStep)
    (changed : ByteString)
    (place : SegmentPlace) : Result TableStep PolicyReason :=
  match expect_write (may_announce read_step place) with
  | Ok _next =>
      Ok
        {| step_stage := StepStage_StageAnnounced changed;
          step_head := read_step.(step_head);
          step_place := read_step.(step_place);
          step_before := read_step.(step_before);
          step_pinned := read_step.(step_pinned);
          step_put := read_step.(step_put);
          step_after := read_step.(step_after);
          step_deleted := read_step.(step_deleted) |}
  | Err e' => Err e'
  end.

(** Whether the segment of this key is the one that was announced. *)
Definition is_announced (read_step : TableStep) (changed : ByteString) : bool :=
  match read_step.(step_stage) with
  | StepStage_StageAnnounced announced => bytes_equal announced changed
  | _ => false
  end.

(** A step with one segment more that is put. *)
Definition put_segment (read_step : TableStep) (entry : SegmentEntry) : Result TableStep PolicyReason :=
  match expect_write (is_announced read_step entry.(segment_entry_key)) with
  | Ok _announced =>
      Ok
        {| step_put := read_step.(step_put) ++ [entry];
          step_stage := StepStage_StageGrown;
          step_head := read_step.(step_head);
          step_place := read_step.(step_place);
          step_before := read_step.(step_before);
          step_pinned := read_step.(step_pinned);
          step_after := read_step.(step_after);
          step_deleted := read_step.(step_deleted) |}
  | Err e' => Err e'
  end.

(** A step with one segment more that is deleted. *)
Definition delete_segment (read_step : TableStep) (changed : ByteString) : Result TableStep PolicyReason :=
  let in_turn :=
    match read_step.(step_stage) with
    | StepStage_StageBegun => true
    | StepStage_StageSettled => true
    | _ => false
    end
  in
  match expect_write in_turn with
  | Ok _delete =>
      Ok
        {| step_deleted := read_step.(step_deleted) ++ [changed];
          step_stage := StepStage_StageSettled;
          step_head := read_step.(step_head);
          step_place := read_step.(step_place);
          step_before := read_step.(step_before);
          step_pinned := read_step.(step_pinned);
          step_put := read_step.(step_put);
          step_after := read_step.(step_after) |}
  | Err e' => Err e'
  end.

(** A segment's place with a value. *)
Definition segment_entry
    (changed : ByteString)
    (place : SegmentPlace)
    (written : ByteString) : SegmentEntry :=
  {| segment_entry_key := changed;
    segment_entry_revision := place.(segment_place_revision);
    segment_entry_number := place.(segment_place_number);
    segment_entry_value := written |}.

(** A step with an operation on a segment more. *)
Definition step_with_segment
    (read_step : TableStep)
    (place : SegmentPlace)
    (operation : Operation) : Result TableStep PolicyReason :=
  let head := encode_table_key (TableKey_HeadKey place.(segment_place_run)) in
  match expect_write (bytes_equal read_step.(step_head) head) with
  | Ok _same =>
      let changed := operation.(operation_key) in
      match operation.(action) with
      | Action_RequireAbsent => announce_segment read_step changed place
      | Action_RequireValue required => pin_segment read_step (segment_entry changed place required)
      | Action_Put written => put_segment read_step (segment_entry changed place written)
      | Action_Delete => delete_segment read_step changed
      | _ => Err PolicyReason_WriteMalformed
      end
  | Err e' => Err e'
  end.

(** A step with a change of its head. *)
Definition step_with_head (read_step : TableStep) (operation : Operation) : Result TableStep PolicyReason :=
  match expect_write (bytes_equal read_step.(step_head) operation.(operation_key)) with
  | Ok _same =>
      match operation.(action) with
      | Action_Put written => put_head read_step written
      | Action_Delete => delete_head read_step
      | _ => Err PolicyReason_WriteMalformed
      end
  | Err e' => Err e'
  end.

(** Whether a run grows: its head is put and has the revision of the one before. *)
Definition step_grows (read_step : TableStep) : bool :=
  match read_step.(step_before) with
  | None => false
  | Some standing =>
      match read_step.(step_after) with
      | HeadChange_HeadPut written =>
          match revision_of_head standing with
          | None => false
          | Some revision => has_revision written revision
          end
      | _ => false
      end
  end.

(** Whether the run's first segment is put. *)
Definition step_begins (read_step : TableStep) : bool :=
  match read_step.(step_after) with
  | HeadChange_HeadPut _ => negb (step_grows read_step)
  | _ => false
  end.

End Specification.
