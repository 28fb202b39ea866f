(** Drawing the challenges of an aggregated block never leaves the range of its integers or sequences.

    - [digests_long]: what is asked of the hash: a digest has 16 bytes at least, and consists of bytes;
    - [apply_aggregated_never_panics]: a block under the challenges that are drawn for it, where it does not panic under any
      challenges. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Hash Commitment.Opening Commitment.Scheme
  Commitment.Challenge Commitment.Aggregation Commitment.Transcript Dictionary.Genesis Block.State
  Block.BlockData Block.AggregatedBlock Block.DrawnBlock Commitment.ChallengeSafe Commitment.AggregationSafe
  Commitment.TranscriptSafe Block.AggregatedBlockSafe Block.DrawnBlockSafe.
From Aardvark Require Import Lemmas.LoopLemmas Safety.SlotMapSafe Safety.AlgebraSafe Safety.WindowSafe
  Safety.PhasesSafe Safety.AggregatedSafe.
Import ListNotations.
Local Open Scope N_scope.

Section DrawnSafe.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

Definition digests_long : Prop :=
  forall tag x, 16 <= seq_length (tagged_hash tag x) /\ Forall (fun byte => byte < 256) (tagged_hash tag x).

Lemma drawn_coefficients_never_panics : forall seed count, digests_long -> drawn_coefficients_safe seed count = true.
Proof.
  intros seed count long. unfold drawn_coefficients_safe. each_check Hj.
  apply coefficient_of_digest_never_panics; apply long.
Qed.

Lemma transcript_claims_seed_never_panics : forall t, transcript_claims_seed_safe t = true.
Proof.
  intros t. unfold transcript_claims_seed_safe, aggregate_claims_seed_safe. each_check Hj. apply N.ltb_lt. lia.
Qed.

Lemma transcript_points_seed_never_panics : forall t, transcript_points_seed_safe t = true.
Proof.
  intros t. unfold transcript_points_seed_safe, aggregate_points_seed_safe.
  rewrite transcript_claims_seed_never_panics. cbn [andb]. each_check Hk. apply N.ltb_lt. lia.
Qed.

Lemma block_transcript_never_panics : forall state aggregated encodings,
  1 <= vector_size (parameters state) -> block_transcript_safe state aggregated encodings = true.
Proof.
  intros state aggregated encodings V. unfold block_transcript_safe, collected_claims_safe. cbv zeta.
  rewrite unopened_claims_never_panics by exact V. cbn [andb]. rewrite !andb_true_iff. repeat split.
  - unfold batch_of_unopened_safe. each_check Hj. in_range Hj. apply index_of_never_panics. exact V.
  - unfold indexed_points_safe. each_check Hi. unfold indexed_points_step_safe, speaks_of_safe.
    apply (loop_is_safe _ (fun _ _ => True)); [exact I|]. intros j found Hj _. split; [|exact I]. apply N.ltb_lt. lia.
  - unfold bound_claims_of_safe. each_check Hj. apply N.ltb_lt. lia.
  - unfold bound_points_of_safe. each_check Hk. apply N.ltb_lt. lia.
Qed.

Theorem apply_aggregated_never_panics : forall setup state aggregated encodings,
  digests_long -> 1 <= vector_size (parameters state) ->
  (forall coefficients combiners, apply_challenged_block_safe setup state aggregated coefficients combiners = true) ->
  apply_aggregated_block_safe setup state aggregated encodings = true.
Proof.
  intros setup state aggregated encodings long V Safe. unfold apply_aggregated_block_safe. cbv zeta.
  rewrite block_transcript_never_panics by exact V. cbn [andb].
  unfold transcript_coefficients_safe, transcript_combiners_safe.
  rewrite transcript_claims_seed_never_panics, transcript_points_seed_never_panics. cbn [andb].
  rewrite !drawn_coefficients_never_panics by exact long. cbn [andb]. apply Safe.
Qed.

End DrawnSafe.
