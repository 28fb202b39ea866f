(* Translated from spec/src/table/run_record.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** The record of a segment of a run: what the dictionary holds of it.

    ```text
    record = u8 log2 N || u16 first || u16 rows || values (48) || row root (32) || sums_p (48), p = 1..=moments
    ```

    The encodings of points are a matter of the curve, so a point stands here beside its bytes.
    Source: docs/tables.md, "Bytes". *)
From AardvarkSpec Require Export Prelude Base.Bytes Base.Group.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven}.

(** A point as it is received: itself, and its encoding. *)
Record TablePoint : Type := {
  (** The point. *)
  held_element : G1;
  (** Its encoding, 48 bytes. *)
  held_bytes : ByteString;
}.

#[global] Instance Default_TablePoint : Default TablePoint := {| held_element := default; held_bytes := default |}.

(** The record of a segment. *)
Record RunRecord : Type := {
  (** The logarithm of the domain's size N to the base 2. *)
  record_log : usize;
  (** The position of the first row. *)
  record_first : usize;
  (** The number of rows. *)
  record_rows : usize;
  (** The commitment to the vector of the rows' numbers. *)
  record_values : TablePoint;
  (** The root over the rows' texts, 32 bytes. *)
  record_root : ByteString;
  (** The commitments to the suffix sums of the numbers' powers, from the first power on. *)
  record_sums : Seq TablePoint;
}.

#[global] Instance Default_RunRecord : Default RunRecord := {| record_log := default; record_first := default; record_rows := default; record_values := default; record_root := default; record_sums := default |}.

(** A revision of a run, with one record for all of its rows. *)
Record RunHead : Type := {
  (** How often the run was replaced. *)
  head_revision : usize;
  (** The record. *)
  head_record : RunRecord;
}.

#[global] Instance Default_RunHead : Default RunHead := {| head_revision := default; head_record := default |}.

(** One step of [`encode_table_points`]. *)
Definition encode_table_points_step (encoded : ByteString) (point : TablePoint) : ByteString :=
  encoded ++ point.(held_bytes).

(** The encodings of points, one after the other. *)
Definition encode_table_points (points : Seq TablePoint) : ByteString :=
  fold_left
    (fun encoded i => encode_table_points_step encoded (seq_at points i))
    (range 0 (seq_length points))
    [].

(** A record as bytes. *)
Definition encode_run_record (run_record : RunRecord) : ByteString :=
  u8_bytes run_record.(record_log) ++
  u16_bytes run_record.(record_first) ++
  u16_bytes run_record.(record_rows) ++
  run_record.(record_values).(held_bytes) ++
  run_record.(record_root) ++
  encode_table_points run_record.(record_sums).

End Specification.
