(* Translated from spec/src/policy/table_write.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** The shape of a transaction under the policy `tables`: what it pins, which keys it changes and in
    which order.

    | write | operations |
    |---|---|
    | create | `Require`(schema, absent), `Put`(schema) |
    | seal | `Require`(schema, s), `Put`(schema, s') |
    | of runs | `Require`(schema, s), then steps ([`crate::policy::table_steps`]) of different runs |

    Source: docs/network.md, "Who may write". *)
From AardvarkSpec Require Export Prelude Base.Bytes Block.Operation Table.TableSchema Table.SchemaDecoder
  Table.TableKey Table.TablePolicy Policy.PolicyReason Policy.TableSteps.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** What a transaction does to runs of a table. *)
Record RunsWrite : Type := {
  (** The table's name. *)
  written_table : ByteString;
  (** The schema that is pinned. *)
  written_schema : TableSchema;
  (** What happens to each run. *)
  written_steps : Seq TableStep;
}.

(** What a transaction does to a table. *)
Inductive TableWrite : Type :=
(** A table begins. *)
| TableWrite_WriteCreate
(** Keys of the table with this schema are closed. *)
| TableWrite_WriteSeal (_ : TableSchema)
(** Runs change. *)
| TableWrite_WriteRuns (_ : RunsWrite).

(** Whether a key is that of the schema of a table. *)
Definition is_schema_key (changed : ByteString) : bool :=
  match read_table_prefix changed with
  | Err _ => false
  | Ok (_, rest) => bytes_equal rest (u8_bytes 0)
  end.

(** One step of [`is_step_head`]. *)
Definition is_step_head_step (found : bool) (read_step : TableStep) (head : ByteString) : bool :=
  found || bytes_equal read_step.(step_head) head.

(** Whether one of the steps is of the run with this head. *)
Definition is_step_head (steps : Seq TableStep) (head : ByteString) : bool :=
  fold_left (fun found i => is_step_head_step found (seq_at steps i) head) (range 0 (seq_length steps)) false.

(** Whether the last of the steps is complete. *)
Definition last_settled (steps : Seq TableStep) : bool :=
  (0 <? seq_length steps) && step_settled (seq_at steps (seq_length steps - 1)).

(** The reason for a key that is closed. *)
Definition expect_open_run (table_schema : TableSchema) (place : RunPlace) : Result unit PolicyReason :=
  match expect_open table_schema place with
  | Ok _ => Ok tt
  | Err _ => Err PolicyReason_KeyClosed
  end.

(** The steps with one more, whose run begins to be looked at. *)
Definition with_step
    (steps : Seq TableStep)
    (table_schema : TableSchema)
    (place : RunPlace)
    (head : ByteString)
    (before : Option ByteString) : Result (Seq TableStep) PolicyReason :=
  let in_turn := (seq_length steps =? 0) || last_settled steps in
  match expect_write (in_turn && negb (is_step_head steps head)) with
  | Ok _next =>
      match expect_open_run table_schema place with
      | Ok _open => Ok (steps ++ [begun_step head place before])
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

(** The steps with another one in the place of the last. *)
Definition with_last (steps : Seq TableStep) (last : TableStep) : Seq TableStep :=
  if 0 <? seq_length steps then seq_slice steps 0 (seq_length steps - 1) ++ [last] else [] ++ [last].

(** The steps with a change of the last one's head. *)
Definition with_head_change
    (steps : Seq TableStep)
    (operation : Operation) : Result (Seq TableStep) PolicyReason :=
  match expect_write (0 <? seq_length steps) with
  | Ok _some =>
      match step_with_head (seq_at steps (seq_length steps - 1)) operation with
      | Ok changed => Ok (with_last steps changed)
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

(** The steps with an operation on a head more. *)
Definition with_head
    (steps : Seq TableStep)
    (table_schema : TableSchema)
    (place : RunPlace)
    (operation : Operation) : Result (Seq TableStep) PolicyReason :=
  let head := operation.(operation_key) in
  match operation.(action) with
  | Action_RequireAbsent => with_step steps table_schema place head None
  | Action_RequireValue required => with_step steps table_schema place head (Some required)
  | _ => with_head_change steps operation
  end.

(** The steps with an operation on a segment more. *)
Definition with_segment
    (steps : Seq TableStep)
    (place : SegmentPlace)
    (operation : Operation) : Result (Seq TableStep) PolicyReason :=
  match expect_write (0 <? seq_length steps) with
  | Ok _some =>
      match step_with_segment (seq_at steps (seq_length steps - 1)) place operation with
      | Ok changed => Ok (with_last steps changed)
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

(** The steps with one operation more. *)
Definition with_operation
    (steps : Seq TableStep)
    (table_schema : TableSchema)
    (table : ByteString)
    (operation : Operation) : Result (Seq TableStep) PolicyReason :=
  match decode_table_key table_schema operation.(operation_key) with
  | Err _ => Err PolicyReason_WriteMalformed
  | Ok (TableKey_SchemaKey _) => Err PolicyReason_WriteMalformed
  | Ok (TableKey_HeadKey place) =>
      if bytes_equal place.(place_table) table then
        with_head steps table_schema place operation
      else
        Err PolicyReason_WriteMalformed
  | Ok (TableKey_SegmentKey place) => with_segment steps place operation
  end.

(** One step of [`read_steps`]. *)
Definition read_steps_step
    (steps : Result (Seq TableStep) PolicyReason)
    (table_schema : TableSchema)
    (table : ByteString)
    (operation : Operation) : Result (Seq TableStep) PolicyReason :=
  match steps with
  | Err why => Err why
  | Ok before => with_operation before table_schema table operation
  end.

(** The steps that the operations behind the first are. *)
Definition read_steps
    (table_schema : TableSchema)
    (table : ByteString)
    (items : Seq Operation) : Result (Seq TableStep) PolicyReason :=
  fold_left
    (fun steps j => read_steps_step steps table_schema table (seq_at items j))
    (range 1 (seq_length items))
    (Ok []).

(** What a change of a schema is as a write. *)
Definition write_of_change
    (standing : Option TableSchema)
    (changed : ByteString)
    (before : Option ByteString)
    (written : ByteString) : Result TableWrite PolicyReason :=
  match judge_change standing changed before (Some written) with
  | Err _ => Err PolicyReason_WriteMalformed
  | Ok (TableChange_TableCreated _) => Ok TableWrite_WriteCreate
  | Ok (TableChange_TableSealed sealed) => Ok (TableWrite_WriteSeal sealed)
  | Ok (TableChange_RunPut _) => Err PolicyReason_WriteMalformed
  | Ok (TableChange_RunDeleted _) => Err PolicyReason_WriteMalformed
  end.

(** The schema that a pinned value is. *)
Definition pinned_schema (required : ByteString) : Result TableSchema PolicyReason :=
  match decode_schema required with
  | Err _ => Err PolicyReason_WriteMalformed
  | Ok found => Ok found
  end.

(** The schema that may be pinned. *)
Definition standing_schema (pinned : Option ByteString) : Result (Option TableSchema) PolicyReason :=
  match pinned with
  | None => Ok None
  | Some required =>
      match pinned_schema required with
      | Err why => Err why
      | Ok found => Ok (Some found)
      end
  end.

(** The write that operations are which put a schema behind its requirement. *)
Definition read_schema_write
    (changed : ByteString)
    (pinned : Option ByteString)
    (written : ByteString) : Result TableWrite PolicyReason :=
  match standing_schema pinned with
  | Ok standing => write_of_change standing changed pinned written
  | Err e' => Err e'
  end.

(** The content of a key that is there. *)
Definition content_of (pinned : Option ByteString) : Result ByteString PolicyReason :=
  match pinned with
  | None => Err PolicyReason_WriteMalformed
  | Some required => Ok required
  end.

(** The name of the table that a key is of. *)
Definition table_of_key (changed : ByteString) : Result ByteString PolicyReason :=
  match read_table_prefix changed with
  | Err _ => Err PolicyReason_WriteMalformed
  | Ok (table, _) => Ok table
  end.

(** The write of runs that operations are. *)
Definition read_runs_write
    (changed : ByteString)
    (pinned : Option ByteString)
    (items : Seq Operation) : Result TableWrite PolicyReason :=
  match content_of pinned with
  | Ok required =>
      match pinned_schema required with
      | Ok found =>
          match table_of_key changed with
          | Ok table =>
              match read_steps found table items with
              | Ok steps =>
                  match expect_write (last_settled steps) with
                  | Ok _complete =>
                      Ok
                        (TableWrite_WriteRuns
                            {| written_table := table; written_schema := found; written_steps := steps |})
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

(** What the second of two operations on a key puts; `None` where there are not two, or it puts
    nothing or under another key. *)
Definition second_put (items : Seq Operation) (changed : ByteString) : Option ByteString :=
  if (seq_length items =? 2) && bytes_equal (seq_at items 1).(operation_key) changed then
    match (seq_at items 1).(action) with
    | Action_Put written => Some written
    | _ => None
    end
  else
    None.

(** The write that operations are of which the first requires this content of a schema's key. *)
Definition read_pinned_write
    (changed : ByteString)
    (pinned : Option ByteString)
    (items : Seq Operation) : Result TableWrite PolicyReason :=
  match second_put items changed with
  | Some written => read_schema_write changed pinned written
  | None => read_runs_write changed pinned items
  end.

(** The write that operations are of which the first is on this key. *)
Definition read_first (items : Seq Operation) (changed : ByteString) : Result TableWrite PolicyReason :=
  if is_schema_key changed then
    match (seq_at items 0).(action) with
    | Action_RequireAbsent => read_pinned_write changed None items
    | Action_RequireValue required => read_pinned_write changed (Some required) items
    | _ => Err PolicyReason_SchemaNotPinned
    end
  else
    Err PolicyReason_SchemaNotPinned.

(** The write of a table that operations are. *)
Definition read_table_write (items : Seq Operation) : Result TableWrite PolicyReason :=
  if 0 <? seq_length items then
    read_first items (seq_at items 0).(operation_key)
  else
    Err PolicyReason_SchemaNotPinned.

End Specification.
