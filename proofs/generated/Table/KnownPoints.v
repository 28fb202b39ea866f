(* Translated from spec/src/table/known_points.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Points as whoever has the trapdoor makes them: multiples of the generator, openings of claims. *)
From AardvarkSpec Require Export Prelude Base.Scalar Base.Group Commitment.FoldedOpening Table.RunRecord.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** One step of [`claim_openings`]. *)
Definition claim_openings_step (opened : Seq G1) (tau : Scalar) (claim : FoldedClaim) : Seq G1 :=
  opened ++ [open_folded_claim tau claim].

(** The openings of claims by themselves, as whoever has the trapdoor makes them. *)
Definition claim_openings (tau : Scalar) (claimed : Seq FoldedClaim) : Seq G1 :=
  fold_left
    (fun opened i => claim_openings_step opened tau (seq_at claimed i))
    (range 0 (seq_length claimed))
    [].

(** The folded opening of claims, as whoever has the trapdoor makes it. *)
Definition fold_known_claims
    (tau : Scalar)
    (claimed : Seq FoldedClaim)
    (gammas : Seq Scalar)
    (z : Scalar) : FoldedOpening :=
  let opened := claim_openings tau claimed in
  {| folded_quotient := fold_quotient opened gammas;
    folded_witness := fold_witness claimed opened gammas z |}.

(** The multiple of the generator, without an encoding. *)
Definition unencoded_point (factor : Scalar) : TablePoint :=
  {| held_element := g1_multiple factor; held_bytes := [] |}.

(** One step of [`unencoded_points`]. *)
Definition unencoded_points_step (points : Seq TablePoint) (factor : Scalar) : Seq TablePoint :=
  points ++ [unencoded_point factor].

(** Multiples of the generator, without encodings. *)
Definition unencoded_points (factors : Seq Scalar) : Seq TablePoint :=
  fold_left
    (fun points i => unencoded_points_step points (seq_at factors i))
    (range 0 (seq_length factors))
    [].

End Specification.
