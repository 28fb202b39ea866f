(* Translated from spec/src/commitment/libert_yung.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Commitment.LibertYung Base.ScalarSafe Base.GroupSafe Commitment.OpeningSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven}.

(** When [libert_yung_powers_of_step] does not panic. *)
Definition libert_yung_powers_of_step_safe (powers : Seq G1) (alpha : Scalar) (n i : usize) : bool :=
  if i =? 0 then true else within_usize (n + 1).

(** When [libert_yung_powers_of] does not panic. *)
Definition libert_yung_powers_of_safe (n : usize) (alpha : Scalar) : bool :=
  within_usize (2 * n) && within_usize (2 * n + 1) &&
  (loop_safe
      (fun powers i => libert_yung_powers_of_step powers alpha n i)
      (fun powers i => libert_yung_powers_of_step_safe powers alpha n i)
      (range 0 (2 * n + 1))
      []).

(** When [libert_yung_duals_of] does not panic. *)
Definition libert_yung_duals_of_safe (n : usize) (alpha : Scalar) : bool :=
  within_usize (n + 1).

(** When [libert_yung_setup] does not panic. *)
Definition libert_yung_setup_safe (n : usize) (alpha : Scalar) : bool :=
  libert_yung_powers_of_safe n alpha && libert_yung_duals_of_safe n alpha.

(** When [libert_yung_cross_power] does not panic. *)
Definition libert_yung_cross_power_safe (setup : LibertYungSetup) (p q : usize) : bool :=
  let n := setup.(libert_yung_size) in
  if p <? n then within_usize (n - p + q) && within_usize (n - p + q + 1) else true.

(** When [libert_yung_commit_step] does not panic. *)
Definition libert_yung_commit_step_safe
    (total : G1)
    (setup : LibertYungSetup)
    (vector : Seq Scalar)
    (q : usize) : bool :=
  within_usize (q + 1).

(** When [libert_yung_commit] does not panic. *)
Definition libert_yung_commit_safe (setup : LibertYungSetup) (vector : Seq Scalar) : bool :=
  loop_safe
    (fun total q => libert_yung_commit_step total setup vector q)
    (fun total q => libert_yung_commit_step_safe total setup vector q)
    (range 0 setup.(libert_yung_size))
    g1_identity.

(** When [libert_yung_open_step] does not panic. *)
Definition libert_yung_open_step_safe
    (total : G1)
    (setup : LibertYungSetup)
    (vector : Seq Scalar)
    (p q : usize) : bool :=
  if p =? q then true else libert_yung_cross_power_safe setup p q.

(** When [libert_yung_open] does not panic. *)
Definition libert_yung_open_safe (setup : LibertYungSetup) (vector : Seq Scalar) (p : usize) : bool :=
  loop_safe
    (fun total q => libert_yung_open_step total setup vector p q)
    (fun total q => libert_yung_open_step_safe total setup vector p q)
    (range 0 setup.(libert_yung_size))
    g1_identity.

(** When [libert_yung_open_all_step] does not panic. *)
Definition libert_yung_open_all_step_safe
    (openings : Seq G1)
    (setup : LibertYungSetup)
    (vector : Seq Scalar)
    (p : usize) : bool :=
  libert_yung_open_safe setup vector p.

(** When [libert_yung_open_all] does not panic. *)
Definition libert_yung_open_all_safe (setup : LibertYungSetup) (vector : Seq Scalar) : bool :=
  loop_safe
    (fun openings p => libert_yung_open_all_step openings setup vector p)
    (fun openings p => libert_yung_open_all_step_safe openings setup vector p)
    (range 0 setup.(libert_yung_size))
    [].

(** When [libert_yung_expected] does not panic. *)
Definition libert_yung_expected_safe
    (setup : LibertYungSetup)
    (commitment : G1)
    (p : usize)
    (m : Scalar) : bool :=
  within_usize (p + 1).

(** When [libert_yung_verify] does not panic. *)
Definition libert_yung_verify_safe
    (setup : LibertYungSetup)
    (commitment : G1)
    (p : usize)
    (m : Scalar)
    (opening : G1) : bool :=
  if p <? setup.(libert_yung_size) then libert_yung_expected_safe setup commitment p m else true.

(** When [libert_yung_update_commitment] does not panic. *)
Definition libert_yung_update_commitment_safe
    (setup : LibertYungSetup)
    (commitment : G1)
    (q : usize)
    (delta : Scalar) : bool :=
  within_usize (q + 1).

(** When [libert_yung_update_opening] does not panic. *)
Definition libert_yung_update_opening_safe
    (setup : LibertYungSetup)
    (opening : G1)
    (p q : usize)
    (delta : Scalar) : bool :=
  if p =? q then true else libert_yung_cross_power_safe setup p q.

(** When [libert_yung_verify_batch_step] does not panic. *)
Definition libert_yung_verify_batch_step_safe
    (sums : ExpectedSum)
    (setup : LibertYungSetup)
    (claim : BatchClaim)
    (rho : Scalar) : bool :=
  libert_yung_expected_safe setup claim.(batch_commitment) claim.(batch_index) claim.(batch_scalar).

(** When [libert_yung_verify_batch] does not panic. *)
Definition libert_yung_verify_batch_safe
    (setup : LibertYungSetup)
    (batch : Seq BatchClaim)
    (coefficients : Seq Scalar) : bool :=
  loop_safe
    (fun sums j => libert_yung_verify_batch_step sums setup (seq_at batch j) (scalar_at coefficients j))
    (fun sums j =>
      (j <? seq_length batch) &&
      libert_yung_verify_batch_step_safe sums setup (seq_at batch j) (scalar_at coefficients j))
    (range 0 (seq_length batch))
    empty_expected_sum.

(** When [libert_yung_index_sum_step] does not panic. *)
Definition libert_yung_index_sum_step_safe
    (total : GT)
    (setup : LibertYungSetup)
    (claim : BatchClaim)
    (rho : Scalar)
    (p : usize) : bool :=
  if claim.(batch_index) =? p then
    libert_yung_expected_safe setup claim.(batch_commitment) p claim.(batch_scalar)
  else
    true.

(** When [libert_yung_index_sum] does not panic. *)
Definition libert_yung_index_sum_safe
    (setup : LibertYungSetup)
    (batch : Seq BatchClaim)
    (coefficients : Seq Scalar)
    (p : usize) : bool :=
  loop_safe
    (fun total j => libert_yung_index_sum_step total setup (seq_at batch j) (scalar_at coefficients j) p)
    (fun total j =>
      (j <? seq_length batch) &&
      libert_yung_index_sum_step_safe total setup (seq_at batch j) (scalar_at coefficients j) p)
    (range 0 (seq_length batch))
    gt_identity.

(** When [libert_yung_verify_aggregated_step] does not panic. *)
Definition libert_yung_verify_aggregated_step_safe
    (sums : ExpectedSum)
    (setup : LibertYungSetup)
    (batch : Seq BatchClaim)
    (coefficients : Seq Scalar)
    (point : AggregatedOpening)
    (gamma : Scalar) : bool :=
  libert_yung_index_sum_safe setup batch coefficients point.(aggregated_index).

(** When [libert_yung_verify_aggregated] does not panic. *)
Definition libert_yung_verify_aggregated_safe
    (setup : LibertYungSetup)
    (batch : Seq BatchClaim)
    (coefficients : Seq Scalar)
    (points : Seq AggregatedOpening)
    (combiners : Seq Scalar) : bool :=
  (loop_safe
      (fun sums k =>
        libert_yung_verify_aggregated_step
          sums
          setup
          batch
          coefficients
          (seq_at points k)
          (scalar_at combiners k))
      (fun sums k =>
        (k <? seq_length points) &&
        libert_yung_verify_aggregated_step_safe
          sums
          setup
          batch
          coefficients
          (seq_at points k)
          (scalar_at combiners k))
      (range 0 (seq_length points))
      empty_expected_sum) &&
  aggregation_fits_safe batch points setup.(libert_yung_size).

End Specification.
