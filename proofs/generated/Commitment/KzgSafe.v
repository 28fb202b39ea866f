(* Translated from spec/src/commitment/kzg.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Commitment.Kzg Base.ScalarSafe Commitment.OpeningSafe.
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

(** When [kzg_setup] does not panic. *)
Definition kzg_setup_safe (n : usize) (tau : Scalar) : bool :=
  kzg_domain_of_safe n &&
  (let domain := kzg_domain_of n in
    kzg_inverses_of_safe domain tau &&
    (let inverses := kzg_inverses_of domain tau in
      kzg_lagrange_of_safe domain inverses tau)).

(** When [kzg_commit] does not panic. *)
Definition kzg_commit_safe (setup : KzgSetup) (vector : Seq Scalar) : bool :=
  inner_product_safe setup.(kzg_lagrange) vector.

(** When [kzg_open] does not panic. *)
Definition kzg_open_safe (setup : KzgSetup) (vector : Seq Scalar) (i : usize) : bool :=
  kzg_commit_safe setup vector.

(** When [kzg_open_all] does not panic. *)
Definition kzg_open_all_safe (setup : KzgSetup) (vector : Seq Scalar) : bool :=
  kzg_commit_safe setup vector.

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
    scalar_zero.

(** When [kzg_verify_aggregated_step] does not panic. *)
Definition kzg_verify_aggregated_step_safe
    (sums : PairingSum)
    (setup : KzgSetup)
    (batch : Seq BatchClaim)
    (coefficients : Seq Scalar)
    (point : AggregatedOpening)
    (gamma : Scalar) : bool :=
  kzg_index_sum_safe batch coefficients point.(aggregated_index).

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
