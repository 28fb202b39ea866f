(* Translated from spec/src/commitment/challenge.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** The batch challenge: a seed from everything that is claimed, and a coefficient a claim.

    The encodings of points are a matter of the curve, so their bytes are inputs here. Source:
    docs/format.md, "The batch challenge". *)
From AardvarkSpec Require Export Prelude Base.Bytes Base.Scalar Base.Hash Commitment.Opening.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** One claim as the challenge binds it. *)
Record ChallengeClaim : Type := {
  (** The version of the claim. *)
  challenge_version : usize;
  (** The encoded commitment, 48 bytes. *)
  challenge_commitment : ByteString;
  (** The index within the vector. *)
  challenge_index : usize;
  (** The scalar, 32 bytes, highest first. *)
  challenge_scalar : ByteString;
  (** The opening as received, 48 bytes. *)
  challenge_opening : ByteString;
}.

#[global] Instance Default_ChallengeClaim : Default ChallengeClaim := {| challenge_version := default; challenge_commitment := default; challenge_index := default; challenge_scalar := default; challenge_opening := default |}.

(** `u64 version || commitment || u32 index || scalar || opening`. *)
Definition encode_challenge_claim (claim : ChallengeClaim) : ByteString :=
  u64_bytes claim.(challenge_version) ++
  claim.(challenge_commitment) ++
  u32_bytes claim.(challenge_index) ++
  claim.(challenge_scalar) ++
  claim.(challenge_opening).

(** One step of [`batch_seed`]. *)
Definition batch_seed_step (bound : ByteString) (claim : ChallengeClaim) : ByteString :=
  bound ++ encode_challenge_claim claim.

(** The seed of a batch: it binds the dictionary and all claims in their order. *)
Definition batch_seed (dictionary : ByteString) (bound_claims : Seq ChallengeClaim) : ByteString :=
  let bound :=
    fold_left
      (fun bound j => batch_seed_step bound (seq_at bound_claims j))
      (range 0 (seq_length bound_claims))
      (dictionary ++ u64_bytes (seq_length bound_claims))
  in
  tagged_hash tag_batch bound.

(** ρ_j: the first 16 bytes of `H(tag, seed || u64 j)`. *)
Definition batch_coefficient (seed : ByteString) (j : usize) : Scalar :=
  coefficient_of_digest (tagged_hash tag_coefficient (seed ++ u64_bytes j)).

End Specification.
