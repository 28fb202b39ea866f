(* Translated from spec/src/commitment/transcript.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Commitment.Transcript Base.BytesSafe Base.ScalarSafe Commitment.OpeningSafe
  Commitment.SchemeSafe Commitment.ChallengeSafe Commitment.AggregationSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [drawn_coefficients_step] does not panic. *)
Definition drawn_coefficients_step_safe (drawn : Seq Scalar) (seed : ByteString) (j : usize) : bool :=
  batch_coefficient_safe seed j.

(** When [drawn_coefficients] does not panic. *)
Definition drawn_coefficients_safe (seed : ByteString) (count : usize) : bool :=
  loop_safe
    (fun drawn j => drawn_coefficients_step drawn seed j)
    (fun drawn j => drawn_coefficients_step_safe drawn seed j)
    (range 0 count)
    [].

(** When [verify_drawn_batch] does not panic. *)
Definition verify_drawn_batch_safe
    (setup : Setup)
    (dictionary : ByteString)
    (bound_claims : Seq ChallengeClaim)
    (batch : Seq BatchClaim) : bool :=
  batch_seed_safe dictionary bound_claims &&
  drawn_coefficients_safe (batch_seed dictionary bound_claims) (seq_length batch) &&
  verify_batch_safe setup batch (drawn_coefficients (batch_seed dictionary bound_claims) (seq_length batch)).

(** When [transcript_claims_seed] does not panic. *)
Definition transcript_claims_seed_safe (transcript : AggregateTranscript) : bool :=
  aggregate_claims_seed_safe
    transcript.(transcript_dictionary)
    transcript.(transcript_version)
    transcript.(transcript_claims).

(** When [transcript_points_seed] does not panic. *)
Definition transcript_points_seed_safe (transcript : AggregateTranscript) : bool :=
  transcript_claims_seed_safe transcript &&
  aggregate_points_seed_safe (transcript_claims_seed transcript) transcript.(transcript_points).

(** When [transcript_coefficients] does not panic. *)
Definition transcript_coefficients_safe (transcript : AggregateTranscript) : bool :=
  transcript_claims_seed_safe transcript &&
  drawn_coefficients_safe (transcript_claims_seed transcript) (seq_length transcript.(transcript_claims)).

(** When [transcript_combiners] does not panic. *)
Definition transcript_combiners_safe (transcript : AggregateTranscript) : bool :=
  transcript_points_seed_safe transcript &&
  drawn_coefficients_safe (transcript_points_seed transcript) (seq_length transcript.(transcript_points)).

(** When [verify_drawn_aggregation] does not panic. *)
Definition verify_drawn_aggregation_safe
    (setup : Setup)
    (transcript : AggregateTranscript)
    (batch : Seq BatchClaim)
    (points : Seq AggregatedOpening) : bool :=
  transcript_coefficients_safe transcript && transcript_combiners_safe transcript &&
  verify_aggregated_safe
    setup
    batch
    (transcript_coefficients transcript)
    points
    (transcript_combiners transcript).

End Specification.
