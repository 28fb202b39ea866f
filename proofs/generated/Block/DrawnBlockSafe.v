(* Translated from spec/src/block/drawn_block.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Block.DrawnBlock Base.BytesSafe Commitment.OpeningSafe Commitment.SchemeSafe
  Commitment.AggregationSafe Commitment.TranscriptSafe Block.StateSafe Block.BlockDataSafe Block.ValidatorSafe
  Block.AggregatedBlockSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [bound_claims_of] does not panic. *)
Definition bound_claims_of_safe (items : Seq MergedClaim) (encodings : Seq ClaimEncoding) : bool :=
  loop_safe
    (fun bound j => bound_claims_of_step bound (seq_at items j) (claim_encoding_at encodings j))
    (fun bound j => j <? seq_length items)
    (range 0 (seq_length items))
    [].

(** When [bound_points_of] does not panic. *)
Definition bound_points_of_safe (indexed : Seq AggregatedOpening) (encodings : Seq ByteString) : bool :=
  loop_safe
    (fun bound k => bound_points_of_step bound (seq_at indexed k) (point_encoding_at encodings k))
    (fun bound k => k <? seq_length indexed)
    (range 0 (seq_length indexed))
    [].

(** When [collected_claims] does not panic. *)
Definition collected_claims_safe (state : ValidatorState) (block : Block) : bool :=
  unopened_claims_safe state block.

(** When [block_transcript] does not panic. *)
Definition block_transcript_safe
    (state : ValidatorState)
    (aggregated : AggregatedBlock)
    (encodings : BlockEncodings) : bool :=
  let n := state.(parameters).(vector_size) in
  collected_claims_safe state aggregated.(plain_block) &&
  (let items := collected_claims state aggregated.(plain_block) in
    batch_of_unopened_safe items n &&
    indexed_points_safe (batch_of_unopened items n) aggregated.(block_points) n &&
    (let indexed := indexed_points (batch_of_unopened items n) aggregated.(block_points) n in
      bound_claims_of_safe items encodings.(claim_encodings) &&
      bound_points_of_safe indexed encodings.(point_encodings))).

(** When [apply_aggregated_block] does not panic. *)
Definition apply_aggregated_block_safe
    (setup : Setup)
    (state : ValidatorState)
    (aggregated : AggregatedBlock)
    (encodings : BlockEncodings) : bool :=
  block_transcript_safe state aggregated encodings &&
  (let drawn_from := block_transcript state aggregated encodings in
    transcript_coefficients_safe drawn_from && transcript_combiners_safe drawn_from &&
    apply_challenged_block_safe
      setup
      state
      aggregated
      (transcript_coefficients drawn_from)
      (transcript_combiners drawn_from)).

End Specification.
