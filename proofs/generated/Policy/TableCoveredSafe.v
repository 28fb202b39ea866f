(* Translated from spec/src/policy/table_covered.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Policy.TableCovered Decoding.SignedDecoderSafe Policy.TableStepsSafe
  Policy.TableWriteSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [covered_segments_step] does not panic. *)
Definition covered_segments_step_safe (covered : Seq CoveredSegment) (read_step : TableStep) : bool :=
  step_begins_safe read_step.

(** When [covered_segments] does not panic. *)
Definition covered_segments_safe (steps : Seq TableStep) : bool :=
  loop_safe
    (fun covered i => covered_segments_step covered (seq_at steps i))
    (fun covered i => (i <? seq_length steps) && covered_segments_step_safe covered (seq_at steps i))
    (range 0 (seq_length steps))
    [].

(** When [one_sheet_step] does not panic. *)
Definition one_sheet_step_safe (fits : bool) (covered : Seq CoveredSegment) (from k : usize) : bool :=
  (if fits then (k <? seq_length covered) && (from <? seq_length covered) else true) &&
  (if fits && ((seq_at covered k).(covered_column) =? (seq_at covered from).(covered_column)) then
      if k =? from then true else k <? seq_length covered
    else
      true).

(** When [one_sheet] does not panic. *)
Definition one_sheet_safe (covered : Seq CoveredSegment) (from to : usize) : bool :=
  loop_safe
    (fun fits k => one_sheet_step fits covered from k)
    (fun fits k => one_sheet_step_safe fits covered from k)
    (range from to)
    true.

(** When [covered_end_step] does not panic. *)
Definition covered_end_step_safe
    (end' : Option usize)
    (covered : Seq CoveredSegment)
    (brought : ReceivedCertificate) : bool :=
  match end' with
  | None => true
  | Some from =>
      let count := brought.(received_segments) in
      (if (from <=? seq_length covered) && (1 <=? count) && (count <=? seq_length covered - from) then
          within_usize (from + count) && one_sheet_safe covered from (from + count)
        else
          true) &&
      (if (from <=? seq_length covered) && (1 <=? count) && (count <=? seq_length covered - from) &&
          one_sheet covered from (from + count) then
          within_usize (from + count)
        else
          true)
  end.

(** When [covered_end] does not panic. *)
Definition covered_end_safe (covered : Seq CoveredSegment) (items : Seq ReceivedCertificate) : bool :=
  loop_safe
    (fun end' i => covered_end_step end' covered (seq_at items i))
    (fun end' i => (i <? seq_length items) && covered_end_step_safe end' covered (seq_at items i))
    (range 0 (seq_length items))
    (Some 0).

(** When [covered_by_write] does not panic. *)
Definition covered_by_write_safe (write : TableWrite) : bool :=
  match write with
  | TableWrite_WriteRuns runs => covered_segments_safe runs.(written_steps)
  | _ => true
  end.

(** When [check_covered] does not panic. *)
Definition check_covered_safe (write : TableWrite) (items : Seq ReceivedCertificate) : bool :=
  covered_by_write_safe write &&
  (let covered := covered_by_write write in
    covered_end_safe covered items).

End Specification.
