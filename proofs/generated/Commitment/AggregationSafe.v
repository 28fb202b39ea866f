(* Translated from spec/src/commitment/aggregation.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Commitment.Aggregation Base.BytesSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [is_repeated_step] does not panic. *)
Definition is_repeated_step_safe (repeated : bool) (earlier claim : UnopenedClaim) : bool :=
  if repeated then true else bytes_equal_safe (encode_unopened_claim earlier) (encode_unopened_claim claim).

(** When [is_repeated] does not panic. *)
Definition is_repeated_safe (claims : Seq UnopenedClaim) (claim : UnopenedClaim) : bool :=
  loop_safe
    (fun repeated j => is_repeated_step repeated (seq_at claims j) claim)
    (fun repeated j => (j <? seq_length claims) && is_repeated_step_safe repeated (seq_at claims j) claim)
    (range 0 (seq_length claims))
    false.

(** When [distinct_claims_step] does not panic. *)
Definition distinct_claims_step_safe (distinct : Seq UnopenedClaim) (claim : UnopenedClaim) : bool :=
  is_repeated_safe distinct claim.

(** When [distinct_claims] does not panic. *)
Definition distinct_claims_safe (claims : Seq UnopenedClaim) : bool :=
  loop_safe
    (fun distinct j => distinct_claims_step distinct (seq_at claims j))
    (fun distinct j => (j <? seq_length claims) && distinct_claims_step_safe distinct (seq_at claims j))
    (range 0 (seq_length claims))
    [].

(** When [aggregate_claims_seed] does not panic. *)
Definition aggregate_claims_seed_safe
    (dictionary : ByteString)
    (version : usize)
    (distinct : Seq UnopenedClaim) : bool :=
  loop_safe
    (fun bound j => aggregate_claims_seed_step bound (seq_at distinct j))
    (fun bound j => j <? seq_length distinct)
    (range 0 (seq_length distinct))
    (dictionary ++ u64_bytes version ++ u64_bytes (seq_length distinct)).

(** When [aggregate_points_seed] does not panic. *)
Definition aggregate_points_seed_safe (claims_seed : ByteString) (points : Seq EncodedPoint) : bool :=
  loop_safe
    (fun bound j => aggregate_points_seed_step bound (seq_at points j))
    (fun bound j => j <? seq_length points)
    (range 0 (seq_length points))
    (claims_seed ++ u64_bytes (seq_length points)).

End Specification.
