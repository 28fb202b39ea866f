(* Translated from spec/src/table/known_points.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Table.KnownPoints Base.ScalarSafe Base.GroupSafe Commitment.FoldedOpeningSafe
  Table.RunRecordSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [claim_openings] does not panic. *)
Definition claim_openings_safe (tau : Scalar) (claimed : Seq FoldedClaim) : bool :=
  loop_safe
    (fun opened i => claim_openings_step opened tau (seq_at claimed i))
    (fun opened i => i <? seq_length claimed)
    (range 0 (seq_length claimed))
    [].

(** When [fold_known_claims] does not panic. *)
Definition fold_known_claims_safe
    (tau : Scalar)
    (claimed : Seq FoldedClaim)
    (gammas : Seq Scalar)
    (z : Scalar) : bool :=
  claim_openings_safe tau claimed &&
  (let opened := claim_openings tau claimed in
    fold_quotient_safe opened gammas && fold_witness_safe claimed opened gammas z).

(** When [unencoded_points] does not panic. *)
Definition unencoded_points_safe (factors : Seq Scalar) : bool :=
  loop_safe
    (fun points i => unencoded_points_step points (seq_at factors i))
    (fun points i => i <? seq_length factors)
    (range 0 (seq_length factors))
    [].

End Specification.
