(* Translated from spec/src/policy/table_write.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Policy.TableWrite Base.BytesSafe Block.OperationSafe Table.TableSchemaSafe
  Table.SchemaDecoderSafe Table.TableKeySafe Table.TablePolicySafe Policy.TableStepsSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [is_schema_key] does not panic. *)
Definition is_schema_key_safe (changed : ByteString) : bool :=
  read_table_prefix_safe changed &&
  (match read_table_prefix changed with
    | Err _ => true
    | Ok (_, rest) => bytes_equal_safe rest (u8_bytes 0)
    end).

(** When [is_step_head_step] does not panic. *)
Definition is_step_head_step_safe (found : bool) (read_step : TableStep) (head : ByteString) : bool :=
  if found then true else bytes_equal_safe read_step.(step_head) head.

(** When [is_step_head] does not panic. *)
Definition is_step_head_safe (steps : Seq TableStep) (head : ByteString) : bool :=
  loop_safe
    (fun found i => is_step_head_step found (seq_at steps i) head)
    (fun found i => (i <? seq_length steps) && is_step_head_step_safe found (seq_at steps i) head)
    (range 0 (seq_length steps))
    false.

(** When [last_settled] does not panic. *)
Definition last_settled_safe (steps : Seq TableStep) : bool :=
  if 0 <? seq_length steps then
    (1 <=? seq_length steps) && (seq_length steps - 1 <? seq_length steps)
  else
    true.

(** When [expect_open_run] does not panic. *)
Definition expect_open_run_safe (table_schema : TableSchema) (place : RunPlace) : bool :=
  expect_open_safe table_schema place.

(** When [with_step] does not panic. *)
Definition with_step_safe
    (steps : Seq TableStep)
    (table_schema : TableSchema)
    (place : RunPlace)
    (head : ByteString)
    (before : Option ByteString) : bool :=
  (if seq_length steps =? 0 then true else last_settled_safe steps) &&
  (let in_turn := (seq_length steps =? 0) || last_settled steps in
    (if in_turn then is_step_head_safe steps head else true) &&
    (match expect_write (in_turn && negb (is_step_head steps head)) with
      | Ok _next => expect_open_run_safe table_schema place
      | Err _ => true
      end)).

(** When [with_last] does not panic. *)
Definition with_last_safe (steps : Seq TableStep) (last : TableStep) : bool :=
  if 0 <? seq_length steps then
    (1 <=? seq_length steps) && (0 + (seq_length steps - 1) <=? seq_length steps)
  else
    true.

(** When [with_head_change] does not panic. *)
Definition with_head_change_safe (steps : Seq TableStep) (operation : Operation) : bool :=
  match expect_write (0 <? seq_length steps) with
  | Ok _some =>
      (1 <=? seq_length steps) && (seq_length steps - 1 <? seq_length steps) &&
      step_with_head_safe (seq_at steps (seq_length steps - 1)) operation &&
      (match step_with_head (seq_at steps (seq_length steps - 1)) operation with
        | Ok changed => with_last_safe steps changed
        | Err _ => true
        end)
  | Err _ => true
  end.

(** When [with_head] does not panic. *)
Definition with_head_safe
    (steps : Seq TableStep)
    (table_schema : TableSchema)
    (place : RunPlace)
    (operation : Operation) : bool :=
  let head := operation.(operation_key) in
  match operation.(action) with
  | Action_RequireAbsent => with_step_safe steps table_schema place head None
  | Action_RequireValue required => with_step_safe steps table_schema place head (Some required)
  | _ => with_head_change_safe steps operation
  end.

(** When [with_segment] does not panic. *)
Definition with_segment_safe (steps : Seq TableStep) (place : SegmentPlace) (operation : Operation) : bool :=
  match expect_write (0 <? seq_length steps) with
  | Ok _some =>
      (1 <=? seq_length steps) && (seq_length steps - 1 <? seq_length steps) &&
      step_with_segment_safe (seq_at steps (seq_length steps - 1)) place operation &&
      (match step_with_segment (seq_at steps (seq_length steps - 1)) place operation with
        | Ok changed => with_last_safe steps changed
        | Err _ => true
        end)
  | Err _ => true
  end.

(** When [with_operation] does not panic. *)
Definition with_operation_safe
    (steps : Seq TableStep)
    (table_schema : TableSchema)
    (table : ByteString)
    (operation : Operation) : bool :=
  decode_table_key_safe table_schema operation.(operation_key) &&
  (match decode_table_key table_schema operation.(operation_key) with
    | Err _ => true
    | Ok (TableKey_SchemaKey _) => true
    | Ok (TableKey_HeadKey place) =>
        bytes_equal_safe place.(place_table) table &&
        (if bytes_equal place.(place_table) table then
            with_head_safe steps table_schema place operation
          else
            true)
    | Ok (TableKey_SegmentKey place) => with_segment_safe steps place operation
    end).

(** When [read_steps_step] does not panic. *)
Definition read_steps_step_safe
    (steps : Result (Seq TableStep) PolicyReason)
    (table_schema : TableSchema)
    (table : ByteString)
    (operation : Operation) : bool :=
  match steps with
  | Err why => true
  | Ok before => with_operation_safe before table_schema table operation
  end.

(** When [read_steps] does not panic. *)
Definition read_steps_safe (table_schema : TableSchema) (table : ByteString) (items : Seq Operation) : bool :=
  loop_safe
    (fun steps j => read_steps_step steps table_schema table (seq_at items j))
    (fun steps j => (j <? seq_length items) && read_steps_step_safe steps table_schema table (seq_at items j))
    (range 1 (seq_length items))
    (Ok []).

(** When [write_of_change] does not panic. *)
Definition write_of_change_safe
    (standing : Option TableSchema)
    (changed : ByteString)
    (before : Option ByteString)
    (written : ByteString) : bool :=
  judge_change_safe standing changed before (Some written).

(** When [pinned_schema] does not panic. *)
Definition pinned_schema_safe (required : ByteString) : bool :=
  decode_schema_safe required.

(** When [standing_schema] does not panic. *)
Definition standing_schema_safe (pinned : Option ByteString) : bool :=
  match pinned with
  | None => true
  | Some required => pinned_schema_safe required
  end.

(** When [read_schema_write] does not panic. *)
Definition read_schema_write_safe
    (changed : ByteString)
    (pinned : Option ByteString)
    (written : ByteString) : bool :=
  standing_schema_safe pinned &&
  (match standing_schema pinned with
    | Ok standing => write_of_change_safe standing changed pinned written
    | Err _ => true
    end).

(** When [table_of_key] does not panic. *)
Definition table_of_key_safe (changed : ByteString) : bool :=
  read_table_prefix_safe changed.

(** When [read_runs_write] does not panic. *)
Definition read_runs_write_safe
    (changed : ByteString)
    (pinned : Option ByteString)
    (items : Seq Operation) : bool :=
  match content_of pinned with
  | Ok required =>
      pinned_schema_safe required &&
      (match pinned_schema required with
        | Ok found =>
            table_of_key_safe changed &&
            (match table_of_key changed with
              | Ok table =>
                  read_steps_safe found table items &&
                  (match read_steps found table items with
                    | Ok steps => last_settled_safe steps
                    | Err _ => true
                    end)
              | Err _ => true
              end)
        | Err _ => true
        end)
  | Err _ => true
  end.

(** When [second_put] does not panic. *)
Definition second_put_safe (items : Seq Operation) (changed : ByteString) : bool :=
  (if seq_length items =? 2 then
      (1 <? seq_length items) && bytes_equal_safe (seq_at items 1).(operation_key) changed
    else
      true) &&
  (if (seq_length items =? 2) && bytes_equal (seq_at items 1).(operation_key) changed then
      1 <? seq_length items
    else
      true).

(** When [read_pinned_write] does not panic. *)
Definition read_pinned_write_safe
    (changed : ByteString)
    (pinned : Option ByteString)
    (items : Seq Operation) : bool :=
  second_put_safe items changed &&
  (match second_put items changed with
    | Some written => read_schema_write_safe changed pinned written
    | None => read_runs_write_safe changed pinned items
    end).

(** When [read_first] does not panic. *)
Definition read_first_safe (items : Seq Operation) (changed : ByteString) : bool :=
  is_schema_key_safe changed &&
  (if is_schema_key changed then
      (0 <? seq_length items) &&
      (match (seq_at items 0).(action) with
        | Action_RequireAbsent => read_pinned_write_safe changed None items
        | Action_RequireValue required => read_pinned_write_safe changed (Some required) items
        | _ => true
        end)
    else
      true).

(** When [read_table_write] does not panic. *)
Definition read_table_write_safe (items : Seq Operation) : bool :=
  if 0 <? seq_length items then read_first_safe items (seq_at items 0).(operation_key) else true.

End Specification.
