(* Translated from spec/src/policy/table_steps.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Policy.TableSteps Base.BytesSafe Block.OperationSafe Decoding.CursorSafe
  Table.TableKeySafe Table.TablePolicySafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [revision_of_head] does not panic. *)
Definition revision_of_head_safe (bytes : ByteString) : bool :=
  take_bytes_safe bytes 1 &&
  (match take_bytes bytes 1 with
    | Err _ => true
    | Ok (_, rest) => read_number_safe rest 4
    end).

(** When [has_revision] does not panic. *)
Definition has_revision_safe (bytes : ByteString) (revision : usize) : bool :=
  revision_of_head_safe bytes.

(** When [head_of_segments] does not panic. *)
Definition head_of_segments_safe (read_step : TableStep) (written : ByteString) : bool :=
  if seq_length read_step.(step_put) =? 0 then
    true
  else
    (0 <? seq_length read_step.(step_put)) &&
    has_revision_safe written (seq_at read_step.(step_put) 0).(segment_entry_revision).

(** When [put_head] does not panic. *)
Definition put_head_safe (read_step : TableStep) (written : ByteString) : bool :=
  let in_turn :=
    match read_step.(step_stage) with
    | StepStage_StageBegun => true
    | StepStage_StageGrown => true
    | _ => false
    end
  in
  if in_turn then head_of_segments_safe read_step written else true.

(** When [comes_behind] does not panic. *)
Definition comes_behind_safe (entries : Seq SegmentEntry) (place : SegmentPlace) : bool :=
  (if 0 <? seq_length entries then
      (1 <=? seq_length entries) && (seq_length entries - 1 <? seq_length entries)
    else
      true) &&
  (if (0 <? seq_length entries) &&
      ((seq_at entries (seq_length entries - 1)).(segment_entry_revision) =?
        place.(segment_place_revision)) then
      (1 <=? seq_length entries) && (seq_length entries - 1 <? seq_length entries)
    else
      true) &&
  (if (0 <? seq_length entries) &&
      ((seq_at entries (seq_length entries - 1)).(segment_entry_revision) =?
        place.(segment_place_revision)) &&
      ((seq_at entries (seq_length entries - 1)).(segment_entry_number) <? place.(segment_place_number)) then
      (1 <=? seq_length entries) && (seq_length entries - 1 <? seq_length entries)
    else
      true).

(** When [may_announce] does not panic. *)
Definition may_announce_safe (read_step : TableStep) (place : SegmentPlace) : bool :=
  match read_step.(step_stage) with
  | StepStage_StageBegun => true
  | StepStage_StagePinned => comes_behind_safe read_step.(step_pinned) place
  | StepStage_StageGrown => comes_behind_safe read_step.(step_put) place
  | _ => true
  end.

(** When [announce_segment] does not panic. *)
Definition announce_segment_safe
    (read_step : TableStep)
    (changed : ByteString)
    (place : SegmentPlace) : bool :=
  may_announce_safe read_step place.

(** When [is_announced] does not panic. *)
Definition is_announced_safe (read_step : TableStep) (changed : ByteString) : bool :=
  match read_step.(step_stage) with
  | StepStage_StageAnnounced announced => bytes_equal_safe announced changed
  | _ => true
  end.

(** When [put_segment] does not panic. *)
Definition put_segment_safe (read_step : TableStep) (entry : SegmentEntry) : bool :=
  is_announced_safe read_step entry.(segment_entry_key).

(** When [step_with_segment] does not panic. *)
Definition step_with_segment_safe
    (read_step : TableStep)
    (place : SegmentPlace)
    (operation : Operation) : bool :=
  let head := encode_table_key (TableKey_HeadKey place.(segment_place_run)) in
  bytes_equal_safe read_step.(step_head) head &&
  (match expect_write (bytes_equal read_step.(step_head) head) with
    | Ok _same =>
        let changed := operation.(operation_key) in
        match operation.(action) with
        | Action_RequireAbsent => announce_segment_safe read_step changed place
        | Action_RequireValue required => true
        | Action_Put written => put_segment_safe read_step (segment_entry changed place written)
        | Action_Delete => true
        | _ => true
        end
    | Err _ => true
    end).

(** When [step_with_head] does not panic. *)
Definition step_with_head_safe (read_step : TableStep) (operation : Operation) : bool :=
  bytes_equal_safe read_step.(step_head) operation.(operation_key) &&
  (match expect_write (bytes_equal read_step.(step_head) operation.(operation_key)) with
    | Ok _same =>
        match operation.(action) with
        | Action_Put written => put_head_safe read_step written
        | Action_Delete => true
        | _ => true
        end
    | Err _ => true
    end).

(** When [step_grows] does not panic. *)
Definition step_grows_safe (read_step : TableStep) : bool :=
  match read_step.(step_before) with
  | None => true
  | Some standing =>
      match read_step.(step_after) with
      | HeadChange_HeadPut written =>
          revision_of_head_safe standing &&
          (match revision_of_head standing with
            | None => true
            | Some revision => has_revision_safe written revision
            end)
      | _ => true
      end
  end.

(** When [step_begins] does not panic. *)
Definition step_begins_safe (read_step : TableStep) : bool :=
  match read_step.(step_after) with
  | HeadChange_HeadPut _ => step_grows_safe read_step
  | _ => true
  end.

End Specification.
