(* Translated from spec/src/commitment/folded_opening.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Commitment.FoldedOpening Base.BytesSafe Base.ScalarSafe Base.GroupSafe
  Commitment.KzgSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [fold_claims_seed] does not panic. *)
Definition fold_claims_seed_safe (context : ByteString) (bound_claims : Seq FoldedClaimBytes) : bool :=
  loop_safe
    (fun bound i => fold_claims_seed_step bound (seq_at bound_claims i))
    (fun bound i => i <? seq_length bound_claims)
    (range 0 (seq_length bound_claims))
    (context ++ u64_bytes (seq_length bound_claims)).

(** When [point_is_claimed] does not panic. *)
Definition point_is_claimed_safe (folded : Seq FoldedClaim) (z : Scalar) : bool :=
  loop_safe
    (fun found i => point_is_claimed_step found (seq_at folded i) z)
    (fun found i => i <? seq_length folded)
    (range 0 (seq_length folded))
    false.

(** When [fold_commitments] does not panic. *)
Definition fold_commitments_safe (folded : Seq FoldedClaim) (gammas : Seq Scalar) (z : Scalar) : bool :=
  loop_safe
    (fun total i => fold_commitments_step total (seq_at folded i) (scalar_at gammas i) z)
    (fun total i => i <? seq_length folded)
    (range 0 (seq_length folded))
    g1_identity.

(** When [verify_fold] does not panic. *)
Definition verify_fold_safe
    (setup : KzgSetup)
    (folded : Seq FoldedClaim)
    (gammas : Seq Scalar)
    (z : Scalar)
    (opening : FoldedOpening) : bool :=
  fold_commitments_safe folded gammas z && point_is_claimed_safe folded z.

(** When [verify_folded] does not panic. *)
Definition verify_folded_safe
    (setup : KzgSetup)
    (context : ByteString)
    (bound_claims : Seq FoldedClaimBytes)
    (folded : Seq FoldedClaim)
    (quotient_bytes : ByteString)
    (opening : FoldedOpening) : bool :=
  fold_claims_seed_safe context bound_claims &&
  (let claims_seed := fold_claims_seed context bound_claims in
    let gammas := fold_gammas claims_seed (seq_length folded) in
    verify_fold_safe setup folded gammas (fold_point claims_seed quotient_bytes) opening).

(** When [fold_quotient] does not panic. *)
Definition fold_quotient_safe (single_openings : Seq G1) (gammas : Seq Scalar) : bool :=
  g1_combination_safe single_openings gammas.

(** When [fold_witness] does not panic. *)
Definition fold_witness_safe
    (folded : Seq FoldedClaim)
    (single_openings : Seq G1)
    (gammas : Seq Scalar)
    (z : Scalar) : bool :=
  loop_safe
    (fun total i =>
      fold_witness_step total (seq_at folded i) (g1_at single_openings i) (scalar_at gammas i) z)
    (fun total i => i <? seq_length folded)
    (range 0 (seq_length folded))
    g1_identity.

End Specification.
