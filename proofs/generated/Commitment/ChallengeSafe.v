(* Translated from spec/src/commitment/challenge.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Commitment.Challenge Base.BytesSafe Base.ScalarSafe Commitment.OpeningSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [batch_seed] does not panic. *)
Definition batch_seed_safe (dictionary : ByteString) (bound_claims : Seq ChallengeClaim) : bool :=
  loop_safe
    (fun bound j => batch_seed_step bound (seq_at bound_claims j))
    (fun bound j => j <? seq_length bound_claims)
    (range 0 (seq_length bound_claims))
    (dictionary ++ u64_bytes (seq_length bound_claims)).

(** When [batch_coefficient] does not panic. *)
Definition batch_coefficient_safe (seed : ByteString) (j : usize) : bool :=
  coefficient_of_digest_safe (tagged_hash tag_coefficient (seed ++ u64_bytes j)).

End Specification.
