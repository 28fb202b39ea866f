(* Translated from spec/src/commitment/aggregation.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** The challenges of an aggregation: the first from the claims without their openings, the second
    from the first and all points.

    The encodings of points are a matter of the curve, so their bytes are inputs here. Coefficients
    and combiners are drawn from their seeds as those of a batch are. Source: docs/format.md, "The
    aggregation challenges". *)
From AardvarkSpec Require Export Prelude Base.Bytes Base.Hash.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** One claim as the first challenge binds it. *)
Record UnopenedClaim : Type := {
  (** The version of the claim. *)
  unopened_version : usize;
  (** The position in the dictionary's array. *)
  unopened_position : usize;
  (** The encoded commitment, 48 bytes. *)
  unopened_commitment : ByteString;
  (** The scalar, 32 bytes, highest first. *)
  unopened_scalar : ByteString;
}.

#[global] Instance Default_UnopenedClaim : Default UnopenedClaim := {| unopened_version := default; unopened_position := default; unopened_commitment := default; unopened_scalar := default |}.

(** One point as the second challenge binds it. *)
Record EncodedPoint : Type := {
  (** The index. *)
  encoded_index : usize;
  (** The encoded point, 48 bytes. *)
  encoded_point : ByteString;
}.

#[global] Instance Default_EncodedPoint : Default EncodedPoint := {| encoded_index := default; encoded_point := default |}.

(** `u64 version || u64 position || commitment || scalar`. *)
Definition encode_unopened_claim (claim : UnopenedClaim) : ByteString :=
  u64_bytes claim.(unopened_version) ++
  u64_bytes claim.(unopened_position) ++
  claim.(unopened_commitment) ++
  claim.(unopened_scalar).

(** One step of [`is_repeated`]. *)
Definition is_repeated_step (repeated : bool) (earlier claim : UnopenedClaim) : bool :=
  repeated || bytes_equal (encode_unopened_claim earlier) (encode_unopened_claim claim).

(** Whether the claim is one of the claims. *)
Definition is_repeated (claims : Seq UnopenedClaim) (claim : UnopenedClaim) : bool :=
  fold_left
    (fun repeated j => is_repeated_step repeated (seq_at claims j) claim)
    (range 0 (seq_length claims))
    false.

(** One step of [`distinct_claims`]. *)
Definition distinct_claims_step (distinct : Seq UnopenedClaim) (claim : UnopenedClaim) : Seq UnopenedClaim :=
  if is_repeated distinct claim then distinct else distinct ++ [claim].

(** The claims in their order, without the repetitions of earlier ones. *)
Definition distinct_claims (claims : Seq UnopenedClaim) : Seq UnopenedClaim :=
  fold_left
    (fun distinct j => distinct_claims_step distinct (seq_at claims j))
    (range 0 (seq_length claims))
    [].

(** One step of [`aggregate_claims_seed`]. *)
Definition aggregate_claims_seed_step (bound : ByteString) (claim : UnopenedClaim) : ByteString :=
  bound ++ encode_unopened_claim claim.

(** The seed of the first challenge, of which [`crate::commitment::challenge::batch_coefficient`]
    draws a coefficient a claim: it binds the dictionary, the version that the block makes, and all
    distinct claims in their order. *)
Definition aggregate_claims_seed
    (dictionary : ByteString)
    (version : usize)
    (distinct : Seq UnopenedClaim) : ByteString :=
  let bound :=
    fold_left
      (fun bound j => aggregate_claims_seed_step bound (seq_at distinct j))
      (range 0 (seq_length distinct))
      (dictionary ++ u64_bytes version ++ u64_bytes (seq_length distinct))
  in
  tagged_hash tag_aggregate_claims bound.

(** One step of [`aggregate_points_seed`]. *)
Definition aggregate_points_seed_step (bound : ByteString) (point : EncodedPoint) : ByteString :=
  bound ++ u32_bytes point.(encoded_index) ++ point.(encoded_point).

(** The seed of the second challenge, of which [`crate::commitment::challenge::batch_coefficient`]
    draws a combiner a point: it binds the first seed and all points. *)
Definition aggregate_points_seed (claims_seed : ByteString) (points : Seq EncodedPoint) : ByteString :=
  let bound :=
    fold_left
      (fun bound j => aggregate_points_seed_step bound (seq_at points j))
      (range 0 (seq_length points))
      (claims_seed ++ u64_bytes (seq_length points))
  in
  tagged_hash tag_aggregate_points bound.

End Specification.
