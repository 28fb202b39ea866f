(* Translated from spec/src/commitment/kzg.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Commitment.Kzg Base.ScalarSafe Base.GroupSafe Commitment.OpeningSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven}.

(** When [kzg_domain_of] does not panic. *)
Definition kzg_domain_of_safe (n : usize) : bool :=
  root_of_unity_safe n.

(** When [kzg_inverses_of] does not panic. *)
Definition kzg_inverses_of_safe (domain : Seq Scalar) (tau : Scalar) : bool :=
  loop_safe
    (fun inverses k => kzg_inverses_of_step inverses tau (seq_at domain k))
    (fun inverses k => k <? seq_length domain)
    (range 0 (seq_length domain))
    [].

(** When [kzg_lagrange_of] does not panic. *)
Definition kzg_lagrange_of_safe (domain inverses : Seq Scalar) (tau : Scalar) : bool :=
  let scale :=
    kzg_vanishing tau (seq_length domain) [*] scalar_inverse (kzg_size_scalar (seq_length domain))
  in
  loop_safe
    (fun lagrange k => kzg_lagrange_of_step lagrange scale (seq_at domain k) (scalar_at inverses k))
    (fun lagrange k => k <? seq_length domain)
    (range 0 (seq_length domain))
    [].

(** When [kzg_factors_of] does not panic. *)
Definition kzg_factors_of_safe (domain : Seq Scalar) : bool :=
  let size_scalar := kzg_size_scalar (seq_length domain) in
  loop_safe
    (fun factors k => kzg_factors_of_step factors size_scalar (seq_at domain k) k)
    (fun factors k => k <? seq_length domain)
    (range 0 (seq_length domain))
    [].

(** When [kzg_vanishing_quotients_of] does not panic. *)
Definition kzg_vanishing_quotients_of_safe (inverses : Seq Scalar) (vanishing : Scalar) : bool :=
  loop_safe
    (fun quotients k => kzg_vanishing_quotients_of_step quotients vanishing (seq_at inverses k))
    (fun quotients k => k <? seq_length inverses)
    (range 0 (seq_length inverses))
    [].

(** When [kzg_lagrange_quotients_of] does not panic. *)
Definition kzg_lagrange_quotients_of_safe (lagrange inverses : Seq Scalar) : bool :=
  loop_safe
    (fun quotients k => kzg_lagrange_quotients_of_step quotients (seq_at lagrange k) (scalar_at inverses k))
    (fun quotients k => k <? seq_length lagrange)
    (range 0 (seq_length lagrange))
    [].

(** When [kzg_setup] does not panic. *)
Definition kzg_setup_safe (n : usize) (tau : Scalar) : bool :=
  kzg_domain_of_safe n &&
  (let domain := kzg_domain_of n in
    kzg_inverses_of_safe domain tau &&
    (let inverses := kzg_inverses_of domain tau in
      kzg_lagrange_of_safe domain inverses tau &&
      (let lagrange := kzg_lagrange_of domain inverses tau in
        kzg_factors_of_safe domain && g1_multiples_safe lagrange &&
        (kzg_vanishing_quotients_of_safe inverses (kzg_vanishing tau n) &&
          g1_multiples_safe (kzg_vanishing_quotients_of inverses (kzg_vanishing tau n))) &&
        (kzg_lagrange_quotients_of_safe lagrange inverses &&
          g1_multiples_safe (kzg_lagrange_quotients_of lagrange inverses))))).

(** When [kzg_commit] does not panic. *)
Definition kzg_commit_safe (setup : KzgSetup) (vector : Seq Scalar) : bool :=
  g1_combination_safe setup.(kzg_lagrange) vector.

(** When [kzg_factor] does not panic. *)
Definition kzg_factor_safe (setup : KzgSetup) (i j : usize) : bool :=
  if i <? j then within_usize (i + setup.(kzg_size)) && (j <=? i + setup.(kzg_size)) else true.

(** When [kzg_update_opening] does not panic. *)
Definition kzg_update_opening_safe (setup : KzgSetup) (opening : G1) (i j : usize) (delta : Scalar) : bool :=
  if i =? j then true else kzg_factor_safe setup i j.

(** When [kzg_open_step] does not panic. *)
Definition kzg_open_step_safe (opening : G1) (setup : KzgSetup) (vector : Seq Scalar) (i j : usize) : bool :=
  kzg_update_opening_safe setup opening i j (scalar_at vector j).

(** When [kzg_open] does not panic. *)
Definition kzg_open_safe (setup : KzgSetup) (vector : Seq Scalar) (i : usize) : bool :=
  loop_safe
    (fun opening j => kzg_open_step opening setup vector i j)
    (fun opening j => kzg_open_step_safe opening setup vector i j)
    (range 0 setup.(kzg_size))
    g1_identity.

(** When [kzg_open_all_step] does not panic. *)
Definition kzg_open_all_step_safe
    (openings : Seq G1)
    (setup : KzgSetup)
    (vector : Seq Scalar)
    (i : usize) : bool :=
  kzg_open_safe setup vector i.

(** When [kzg_open_all] does not panic. *)
Definition kzg_open_all_safe (setup : KzgSetup) (vector : Seq Scalar) : bool :=
  loop_safe
    (fun openings i => kzg_open_all_step openings setup vector i)
    (fun openings i => kzg_open_all_step_safe openings setup vector i)
    (range 0 setup.(kzg_size))
    [].

(** When [kzg_verify_batch] does not panic. *)
Definition kzg_verify_batch_safe
    (setup : KzgSetup)
    (batch : Seq BatchClaim)
    (coefficients : Seq Scalar) : bool :=
  loop_safe
    (fun sums j => kzg_verify_batch_step sums setup (seq_at batch j) (scalar_at coefficients j))
    (fun sums j => j <? seq_length batch)
    (range 0 (seq_length batch))
    empty_sum.

(** When [kzg_index_sum] does not panic. *)
Definition kzg_index_sum_safe (batch : Seq BatchClaim) (coefficients : Seq Scalar) (i : usize) : bool :=
  loop_safe
    (fun total j => kzg_index_sum_step total (seq_at batch j) (scalar_at coefficients j) i)
    (fun total j => j <? seq_length batch)
    (range 0 (seq_length batch))
    g1_identity.

(** When [kzg_point_left_side] does not panic. *)
Definition kzg_point_left_side_safe
    (setup : KzgSetup)
    (batch : Seq BatchClaim)
    (coefficients : Seq Scalar)
    (point : AggregatedOpening) : bool :=
  kzg_index_sum_safe batch coefficients point.(aggregated_index).

(** When [kzg_verify_aggregated_step] does not panic. *)
Definition kzg_verify_aggregated_step_safe
    (sums : PairingSum)
    (setup : KzgSetup)
    (batch : Seq BatchClaim)
    (coefficients : Seq Scalar)
    (point : AggregatedOpening)
    (gamma : Scalar) : bool :=
  kzg_point_left_side_safe setup batch coefficients point.

(** When [kzg_verify_aggregated] does not panic. *)
Definition kzg_verify_aggregated_safe
    (setup : KzgSetup)
    (batch : Seq BatchClaim)
    (coefficients : Seq Scalar)
    (points : Seq AggregatedOpening)
    (combiners : Seq Scalar) : bool :=
  (loop_safe
      (fun sums k =>
        kzg_verify_aggregated_step sums setup batch coefficients (seq_at points k) (scalar_at combiners k))
      (fun sums k =>
        (k <? seq_length points) &&
        kzg_verify_aggregated_step_safe
          sums
          setup
          batch
          coefficients
          (seq_at points k)
          (scalar_at combiners k))
      (range 0 (seq_length points))
      empty_sum) &&
  aggregation_fits_safe batch points setup.(kzg_size).

End Specification.
