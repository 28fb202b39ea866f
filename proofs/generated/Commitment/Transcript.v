(* Translated from spec/src/commitment/transcript.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Verdicts under the challenges that are drawn for them: what a verifier calls.

    [`crate::commitment::scheme`] has the equations under any coefficients. Here these come from the
    transcript: of a batch, from all its claims with their openings; of an aggregation, the first
    from all claims and the version, the second from the first and all points. The encodings of
    points are a matter of the curve, so the bytes of claims and points are inputs beside the group
    elements. Source: docs/format.md, "The batch challenge", "The aggregation challenges". *)
From AardvarkSpec Require Export Prelude Base.Bytes Base.Scalar Commitment.Opening Commitment.Scheme
  Commitment.Challenge Commitment.Aggregation.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** One step of [`drawn_coefficients`]. *)
Definition drawn_coefficients_step (drawn : Seq Scalar) (seed : ByteString) (j : usize) : Seq Scalar :=
  drawn ++ [batch_coefficient seed j].

(** The first coefficients of a seed. *)
Definition drawn_coefficients (seed : ByteString) (count : usize) : Seq Scalar :=
  fold_left (fun drawn j => drawn_coefficients_step drawn seed j) (range 0 count) [].

(** Whether a batch holds under the coefficients that its claims, as bytes, determine. *)
Definition verify_drawn_batch
    (setup : Setup)
    (dictionary : ByteString)
    (bound_claims : Seq ChallengeClaim)
    (batch : Seq BatchClaim) : bool :=
  verify_batch setup batch (drawn_coefficients (batch_seed dictionary bound_claims) (seq_length batch)).

(** What an aggregation's challenges are drawn from. *)
Record AggregateTranscript : Type := {
  (** The dictionary's id, 32 bytes. *)
  transcript_dictionary : ByteString;
  (** The version that the block makes. *)
  transcript_version : usize;
  (** All distinct claims, in their order. *)
  transcript_claims : Seq UnopenedClaim;
  (** The points, in ascending order of indices. *)
  transcript_points : Seq EncodedPoint;
}.

#[global] Instance Default_AggregateTranscript : Default AggregateTranscript := {| transcript_dictionary := default; transcript_version := default; transcript_claims := default; transcript_points := default |}.

(** The first seed, before any point is fixed. *)
Definition transcript_claims_seed (transcript : AggregateTranscript) : ByteString :=
  aggregate_claims_seed
    transcript.(transcript_dictionary)
    transcript.(transcript_version)
    transcript.(transcript_claims).

(** The second seed. *)
Definition transcript_points_seed (transcript : AggregateTranscript) : ByteString :=
  aggregate_points_seed (transcript_claims_seed transcript) transcript.(transcript_points).

(** The values of the first challenge, one a claim. *)
Definition transcript_coefficients (transcript : AggregateTranscript) : Seq Scalar :=
  drawn_coefficients (transcript_claims_seed transcript) (seq_length transcript.(transcript_claims)).

(** The values of the second challenge, one a point. *)
Definition transcript_combiners (transcript : AggregateTranscript) : Seq Scalar :=
  drawn_coefficients (transcript_points_seed transcript) (seq_length transcript.(transcript_points)).

(** Whether points hold for claims under the challenges that both, as bytes, determine. *)
Definition verify_drawn_aggregation
    (setup : Setup)
    (transcript : AggregateTranscript)
    (batch : Seq BatchClaim)
    (points : Seq AggregatedOpening) : bool :=
  verify_aggregated setup batch (transcript_coefficients transcript) points (transcript_combiners transcript).

End Specification.
