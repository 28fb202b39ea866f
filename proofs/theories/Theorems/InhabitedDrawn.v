(** Theorems for auditors: the premises of the theorems on drawn challenges, on panics and on state roots can be met, by an
    aggregated block that Coq computes.

    To understand a statement of this file you need this file and the block's definitions, Examples/DrawnExample.v: scalars are
    those of BLS12-381, a digest has 32 bytes, encodings of commitments and scalars have 48 and 32.

    - [example_digests], [example_encodings]: what is asked of the hash (Safety.v, Roots.v, Transcripts.v) and of the encodings
      (Roots.v, Drawn.v).
    - [example_drawn]: the block is accepted under the challenges that are drawn for it, and the state after it is one that a
      machine reaches.
    - [example_transcript_fits]: what is asked of a block's transcript and encodings (Drawn.v).
    - [example_state_fits]: what is hashed of the state after it fits (Roots.v).
    - [example_asked]: a prover asks for both challenges of the block, the hash says there what the table says, and the table
      shows no counted answer (Drawn.v). *)
From Coq Require Import NArith List.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Dictionary.Array Commitment.Transcript Block.State
  Block.Validator Block.AggregatedBlock Block.DrawnBlock.
From Aardvark Require Import Lemmas.OracleBound Lemmas.AggregationOracle Lemmas.RootLemmas Spec.Block.Validator
  Spec.Commitment.Transcript Spec.Block.Root Spec.Block.DrawnBlock Lemmas.ReachableRoot Safety.ReachableSafe
  Safety.DrawnSafe Examples.ModularScalars Examples.DrawnExample.
Import ListNotations.
Local Open Scope N_scope.

#[local] Existing Instance long_hash.

(** A digest has 32 bytes. *)
Theorem example_digests : (forall tag x, seq_length (tagged_hash tag x) = 32) /\ digests_long.
Proof. exact Aardvark.Examples.DrawnExample.example_digests. Qed.

(** A commitment's encoding has 48 bytes; encodings tell commitments apart, and scalars. *)
Theorem example_encodings :
  (forall c, seq_length (encode_commitment c) = 48) /\
  (forall c d, encode_commitment c = encode_commitment d -> c = d) /\
  (forall x y, encode_scalar x = encode_scalar y -> x = y).
Proof. exact Aardvark.Examples.DrawnExample.example_encodings. Qed.

(** The block is accepted, and the state after it, of seven slots, is reached. *)
Theorem example_drawn :
  (exists effects, apply_aggregated_block setup state_0 sent_1 encodings_1 = Ok (state_1, effects)) /\
  reachable setup genesis [array_0; array_1] state_1 /\ received setup genesis [array_0; array_1] state_1 /\
  size state_1 = 7 /\ version state_1 = 1.
Proof. exact Aardvark.Examples.DrawnExample.example_drawn. Qed.

(** Its transcript, of one claim and one point, fits, and the encodings are those of its claims and points. *)
Theorem example_transcript_fits :
  fits_transcript transcript_1 /\ claims_encoded encode_commitment encode_scalar state_0 sent_1 encodings_1 /\
  points_encoded state_0 sent_1 encodings_1 /\
  seq_length (transcript_claims transcript_1) = 1 /\ seq_length (transcript_points transcript_1) = 1.
Proof. exact Aardvark.Examples.DrawnExample.example_transcript_fits. Qed.

(** What is hashed of the state after it, with vectors of two slots, fits. *)
Theorem example_state_fits : fits_state 2 (hashed_of encode_commitment state_1).
Proof. exact Aardvark.Examples.DrawnExample.example_state_fits. Qed.

(** Both challenges were asked for, and no answer is counted. *)
Theorem example_asked :
  let prover := asks_for batch_1 honest_1 points_1 in
  In (AsksCoefficients batch_1 honest_1, first_1) (asked _ _ [] prover [first_1; second_1]) /\
  In (AsksCombiners batch_1 honest_1 first_1 points_1, second_1) (asked _ _ [] prover [first_1; second_1]) /\
  meets_bad _ _ (counted_answer setup 1) [] prover [first_1; second_1] = false.
Proof. exact Aardvark.Examples.DrawnExample.example_asked. Qed.
