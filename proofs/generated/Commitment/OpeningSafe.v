(* Translated from spec/src/commitment/opening.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Commitment.Opening Base.BytesSafe Base.ScalarSafe Base.GroupSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven}.

(** When [has_index] does not panic. *)
Definition has_index_safe (points : Seq AggregatedOpening) (i : usize) : bool :=
  loop_safe
    (fun found j => has_index_step found (seq_at points j) i)
    (fun found j => j <? seq_length points)
    (range 0 (seq_length points))
    false.

(** When [indices_served_step] does not panic. *)
Definition indices_served_step_safe
    (served : bool)
    (points : Seq AggregatedOpening)
    (claim : BatchClaim) : bool :=
  if served then has_index_safe points claim.(batch_index) else true.

(** When [indices_served] does not panic. *)
Definition indices_served_safe (batch : Seq BatchClaim) (points : Seq AggregatedOpening) : bool :=
  loop_safe
    (fun served j => indices_served_step served points (seq_at batch j))
    (fun served j => (j <? seq_length batch) && indices_served_step_safe served points (seq_at batch j))
    (range 0 (seq_length batch))
    true.

(** When [indices_ascend_step] does not panic. *)
Definition indices_ascend_step_safe (ascend : bool) (points : Seq AggregatedOpening) (j : usize) : bool :=
  if 0 <? j then
    if ascend then (1 <=? j) && (j - 1 <? seq_length points) && (j <? seq_length points) else true
  else
    true.

(** When [indices_ascend] does not panic. *)
Definition indices_ascend_safe (points : Seq AggregatedOpening) : bool :=
  loop_safe
    (fun ascend j => indices_ascend_step ascend points j)
    (fun ascend j => indices_ascend_step_safe ascend points j)
    (range 0 (seq_length points))
    true.

(** When [is_claimed] does not panic. *)
Definition is_claimed_safe (batch : Seq BatchClaim) (i : usize) : bool :=
  loop_safe
    (fun claimed j => is_claimed_step claimed (seq_at batch j) i)
    (fun claimed j => j <? seq_length batch)
    (range 0 (seq_length batch))
    false.

(** When [points_claimed_step] does not panic. *)
Definition points_claimed_step_safe
    (claimed : bool)
    (batch : Seq BatchClaim)
    (point : AggregatedOpening)
    (n : usize) : bool :=
  if claimed && (point.(aggregated_index) <? n) then is_claimed_safe batch point.(aggregated_index) else true.

(** When [points_claimed] does not panic. *)
Definition points_claimed_safe (batch : Seq BatchClaim) (points : Seq AggregatedOpening) (n : usize) : bool :=
  loop_safe
    (fun claimed j => points_claimed_step claimed batch (seq_at points j) n)
    (fun claimed j => (j <? seq_length points) && points_claimed_step_safe claimed batch (seq_at points j) n)
    (range 0 (seq_length points))
    true.

(** When [aggregation_fits] does not panic. *)
Definition aggregation_fits_safe
    (batch : Seq BatchClaim)
    (points : Seq AggregatedOpening)
    (n : usize) : bool :=
  indices_ascend_safe points &&
  (if indices_ascend points then points_claimed_safe batch points n else true) &&
  (if indices_ascend points && points_claimed batch points n then indices_served_safe batch points else true).

(** When [aggregated_opening] does not panic. *)
Definition aggregated_opening_safe (batch : Seq BatchClaim) (coefficients : Seq Scalar) (i : usize) : bool :=
  loop_safe
    (fun total j => aggregated_opening_step total (seq_at batch j) (scalar_at coefficients j) i)
    (fun total j => j <? seq_length batch)
    (range 0 (seq_length batch))
    g1_identity.

(** When [coefficient_of_digest] does not panic. *)
Definition coefficient_of_digest_safe (digest : ByteString) : bool :=
  (0 + 16 <=? seq_length digest) && number_of_bytes_safe (seq_slice digest 0 16).

End Specification.
