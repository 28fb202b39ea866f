(* Translated from spec/src/table/run_record.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Table.RunRecord Base.BytesSafe Base.GroupSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven}.

(** When [encode_table_points] does not panic. *)
Definition encode_table_points_safe (points : Seq TablePoint) : bool :=
  loop_safe
    (fun encoded i => encode_table_points_step encoded (seq_at points i))
    (fun encoded i => i <? seq_length points)
    (range 0 (seq_length points))
    [].

(** When [encode_run_record] does not panic. *)
Definition encode_run_record_safe (run_record : RunRecord) : bool :=
  encode_table_points_safe run_record.(record_sums).

End Specification.
