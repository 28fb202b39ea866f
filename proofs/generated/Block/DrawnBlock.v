(* Translated from spec/src/block/drawn_block.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Aggregated blocks under the challenges that are drawn for them: what a validator calls.

    The transcript of a block is made of the dictionary's id, the version that the block makes, its
    distinct claims and its points, as bytes. The encodings of points and scalars are a matter of
    the curve, so their bytes are inputs beside the group elements, as in
    [`crate::commitment::challenge`]; all else comes from the state and the block. Source:
    docs/format.md, "The aggregation challenges". *)
From AardvarkSpec Require Export Prelude Base.Bytes Commitment.Opening Commitment.Scheme Commitment.Aggregation
  Commitment.Transcript Block.Rejection Block.State Block.BlockData Block.Validator Block.AggregatedBlock.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** The encodings of what a claim says. *)
Record ClaimEncoding : Type := {
  (** The encoded commitment, 48 bytes. *)
  commitment_bytes : ByteString;
  (** The slot's scalar, 32 bytes, highest first. *)
  scalar_bytes : ByteString;
}.

#[global] Instance Default_ClaimEncoding : Default ClaimEncoding := {| commitment_bytes := default; scalar_bytes := default |}.

(** The encodings that the challenges of an aggregated block bind. *)
Record BlockEncodings : Type := {
  (** Of the distinct claims, in the order of [`unopened_claims`]. *)
  claim_encodings : Seq ClaimEncoding;
  (** Of the points as received, 48 bytes each, in their order. *)
  point_encodings : Seq ByteString;
}.

#[global] Instance Default_BlockEncodings : Default BlockEncodings := {| claim_encodings := default; point_encodings := default |}.

(** The encodings of claim `j`; empty ones beyond the end. *)
Definition claim_encoding_at (encodings : Seq ClaimEncoding) (j : usize) : ClaimEncoding :=
  if j <? seq_length encodings then seq_at encodings j else {| commitment_bytes := []; scalar_bytes := [] |}.

(** The bytes of point `k`; none beyond the end. *)
Definition point_encoding_at (encodings : Seq ByteString) (k : usize) : ByteString :=
  if k <? seq_length encodings then seq_at encodings k else [].

(** One step of [`bound_claims_of`]. *)
Definition bound_claims_of_step
    (bound : Seq UnopenedClaim)
    (claim : MergedClaim)
    (encoding : ClaimEncoding) : Seq UnopenedClaim :=
  bound ++
  [{| unopened_version := claim.(merged_version);
      unopened_position := claim.(merged_position);
      unopened_commitment := encoding.(commitment_bytes);
      unopened_scalar := encoding.(scalar_bytes) |}].

(** The distinct claims, as the first challenge binds them. *)
Definition bound_claims_of (items : Seq MergedClaim) (encodings : Seq ClaimEncoding) : Seq UnopenedClaim :=
  fold_left
    (fun bound j => bound_claims_of_step bound (seq_at items j) (claim_encoding_at encodings j))
    (range 0 (seq_length items))
    [].

(** One step of [`bound_points_of`]. *)
Definition bound_points_of_step
    (bound : Seq EncodedPoint)
    (point : AggregatedOpening)
    (encoding : ByteString) : Seq EncodedPoint :=
  bound ++ [{| encoded_index := point.(aggregated_index); encoded_point := encoding |}].

(** The points, as the second challenge binds them. *)
Definition bound_points_of
    (indexed : Seq AggregatedOpening)
    (encodings : Seq ByteString) : Seq EncodedPoint :=
  fold_left
    (fun bound k => bound_points_of_step bound (seq_at indexed k) (point_encoding_at encodings k))
    (range 0 (seq_length indexed))
    [].

(** The distinct claims of a block; none when one of them is about a vector that did not exist, for
    which phase 5 refuses the block. *)
Definition collected_claims (state : ValidatorState) (block : Block) : Seq MergedClaim :=
  match unopened_claims state block with
  | None => []
  | Some items => items
  end.

(** What the challenges of a block are drawn from. *)
Definition block_transcript
    (state : ValidatorState)
    (aggregated : AggregatedBlock)
    (encodings : BlockEncodings) : AggregateTranscript :=
  let n := state.(parameters).(vector_size) in
  let items := collected_claims state aggregated.(plain_block) in
  let indexed := indexed_points (batch_of_unopened items n) aggregated.(block_points) n in
  {| transcript_dictionary := state.(dictionary_id);
    transcript_version := aggregated.(plain_block).(block_version);
    transcript_claims := bound_claims_of items encodings.(claim_encodings);
    transcript_points := bound_points_of indexed encodings.(point_encodings) |}.

(** Applies an aggregated block: the state at the next version and what the block did, or why it is
    refused. The challenges are drawn from the block's transcript. *)
Definition apply_aggregated_block
    (setup : Setup)
    (state : ValidatorState)
    (aggregated : AggregatedBlock)
    (encodings : BlockEncodings) : Result (ValidatorState * Effects) Rejection :=
  let drawn_from := block_transcript state aggregated encodings in
  apply_challenged_block
    setup
    state
    aggregated
    (transcript_coefficients drawn_from)
    (transcript_combiners drawn_from).

End Specification.
