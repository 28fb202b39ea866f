(* Translated from spec/src/policy/table_covered.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Which segments the certificates of a transaction cover.

    Certificates cover the segments that are put in order, each once: the further segments, and the
    first one of each run that does not only grow. Those of one certificate are of one column, and
    only the first of them may continue a run. Source: docs/network.md, "Who may write". *)
From AardvarkSpec Require Export Prelude Decoding.SignedDecoder Policy.PolicyReason Policy.TableSteps
  Policy.TableWrite.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** A segment that certificates have to cover. *)
Record CoveredSegment : Type := {
  (** The number of its value column. *)
  covered_column : usize;
  (** Whether it continues a run. *)
  covered_continues : bool;
}.

#[global] Instance Default_CoveredSegment : Default CoveredSegment := {| covered_column := default; covered_continues := default |}.

(** One step of [`with_put_segments`]. *)
Definition with_put_segments_step (covered : Seq CoveredSegment) (column : usize) : Seq CoveredSegment :=
  covered ++ [{| covered_column := column; covered_continues := true |}].

(** Segments with as many further ones of a column. *)
Definition with_put_segments (before : Seq CoveredSegment) (column count : usize) : Seq CoveredSegment :=
  fold_left (fun covered _i => with_put_segments_step covered column) (range 0 count) before.

(** One step of [`covered_segments`]. *)
Definition covered_segments_step
    (covered : Seq CoveredSegment)
    (read_step : TableStep) : Seq CoveredSegment :=
  let column := read_step.(step_place).(place_column) in
  let grown := with_put_segments covered column (seq_length read_step.(step_put)) in
  if step_begins read_step then
    grown ++ [{| covered_column := column; covered_continues := false |}]
  else
    grown.

(** The segments that certificates have to cover, in the order in which they are put. *)
Definition covered_segments (steps : Seq TableStep) : Seq CoveredSegment :=
  fold_left (fun covered i => covered_segments_step covered (seq_at steps i)) (range 0 (seq_length steps)) [].

(** One step of [`one_sheet`]. *)
Definition one_sheet_step (fits : bool) (covered : Seq CoveredSegment) (from k : usize) : bool :=
  fits && ((seq_at covered k).(covered_column) =? (seq_at covered from).(covered_column)) &&
  ((k =? from) || negb (seq_at covered k).(covered_continues)).

(** Whether the segments from one place up to another may have one certificate. *)
Definition one_sheet (covered : Seq CoveredSegment) (from to : usize) : bool :=
  fold_left (fun fits k => one_sheet_step fits covered from k) (range from to) true.

(** One step of [`covered_end`]. *)
Definition covered_end_step
    (end' : Option usize)
    (covered : Seq CoveredSegment)
    (brought : ReceivedCertificate) : Option usize :=
  match end' with
  | None => None
  | Some from =>
      let count := brought.(received_segments) in
      if (from <=? seq_length covered) && (1 <=? count) && (count <=? seq_length covered - from) &&
        one_sheet covered from (from + count) then
        Some (from + count)
      else
        None
  end.

(** How many segments certificates cover, each the next ones; `None` where one covers none, or such
    as cannot have one certificate. *)
Definition covered_end (covered : Seq CoveredSegment) (items : Seq ReceivedCertificate) : Option usize :=
  fold_left
    (fun end' i => covered_end_step end' covered (seq_at items i))
    (range 0 (seq_length items))
    (Some 0).

(** The segments that a write's certificates have to cover. *)
Definition covered_by_write (write : TableWrite) : Seq CoveredSegment :=
  match write with
  | TableWrite_WriteRuns runs => covered_segments runs.(written_steps)
  | _ => []
  end.

(** Whether certificates cover what a write puts. *)
Definition check_covered (write : TableWrite) (items : Seq ReceivedCertificate) : Result unit PolicyReason :=
  let covered := covered_by_write write in
  match covered_end covered items with
  | None => Err PolicyReason_CertificatesMalformed
  | Some end' => if end' =? seq_length covered then Ok tt else Err PolicyReason_CertificatesMalformed
  end.

End Specification.
