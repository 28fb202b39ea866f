(** Theorems for auditors: aggregated blocks under the challenges that are drawn for them, which is what a network's validator
    applies ([apply_aggregated_block], spec/src/block/drawn_block.rs).

    To understand a statement of this file you need this file, the generated definitions, Blocks.v with what that one needs; of
    Transcripts.v [fits_transcript] and the strings under the two seeds, of Challenges.v [tag_collision]; the adversaries of
    Lemmas/OracleBound.v with what they were answered ([asked]), and the queries and counted answers of
    Lemmas/AggregationOracle.v. How many tables of a random function show a counted answer is [forged_aggregations_few]
    (Transcripts.v).

    - [drawn_is_challenged]: which challenges those are; so what the other files say of aggregated blocks, whatever their
      challenges, is said of these blocks.
    - [block_claims_seed_binds], [block_points_seed_binds]: a seed determines the claims, and the points, of a block, or two
      different strings with one digest are at hand.
    - [accepted_drawn_block_is_justified_or_breaks]: an accepted block does what its transactions do to the map, or
      [find_in_aggregated] returns a break, of which the missing power is one, or the table of the random function met a counted
      answer. *)
From Coq Require Import Arith NArith List Bool Ring_theory.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Hash Dictionary.Slot Dictionary.SlotMap
  Dictionary.Array Commitment.Opening Commitment.Kzg Commitment.LibertYung Commitment.Scheme
  Commitment.Aggregation Commitment.Transcript Block.Operation Block.Rejection Dictionary.KeyMap
  Dictionary.Genesis Dictionary.Changes Dictionary.Writes Dictionary.Vectors Dictionary.Window Block.Tail
  Block.Transaction Block.State Block.BlockData Block.View Block.Checks Block.Execution Block.Phases
  Block.Validator Block.AggregatedBlock Block.DrawnBlock Block.Map.
From Aardvark Require Import Theorems.Challenges Theorems.Transcripts Theorems.Commitments Theorems.Breaks
  Theorems.Blocks Lemmas.OracleBound.
From Aardvark Require Lemmas.Field Lemmas.AggregationOracle Spec.Block.DrawnBlock Spec.Block.Validator
  Lemmas.Reachable.
Import ListNotations.
Local Open Scope N_scope.

(** ** What the seeds bind *)

Section Bound.

Context {F : ScalarOperations} {lawful : Aardvark.Lemmas.Field.LawfulScalars F}.
Context {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** The challenges are drawn from two seeds: the first covers the dictionary, the version and all distinct claims, the second
    the first seed and all points. *)
Theorem drawn_is_challenged : forall setup state aggregated encodings,
  let t := block_transcript state aggregated encodings in
  apply_aggregated_block setup state aggregated encodings =
  apply_challenged_block setup state aggregated
    (drawn_coefficients (aggregate_claims_seed (dictionary_id state) (block_version (plain_block aggregated)) (transcript_claims t))
      (seq_length (transcript_claims t)))
    (drawn_coefficients (aggregate_points_seed (transcript_claims_seed t) (transcript_points t))
      (seq_length (transcript_points t))).
Proof. reflexivity. Qed.

(** Encodings of commitments and of scalars that tell them apart: a matter of the curve. *)
Variables (encode_commitment : G1 -> ByteString) (encode_scalar : Scalar -> ByteString).
Hypothesis commitments_apart : forall c d, encode_commitment c = encode_commitment d -> c = d.
Hypothesis scalars_apart : forall x y, encode_scalar x = encode_scalar y -> x = y.

(** The encodings of a block's claims are these. *)
Definition claims_encoded (state : ValidatorState) (aggregated : AggregatedBlock) (encodings : BlockEncodings) : Prop :=
  claim_encodings encodings =
  map (fun item => {| commitment_bytes := encode_commitment (merged_commitment item);
                      scalar_bytes := encode_scalar (merged_scalar item) |})
    (collected_claims state (plain_block aggregated)).

Variables (state state' : ValidatorState) (aggregated aggregated' : AggregatedBlock) (encodings encodings' : BlockEncodings).
Let t := block_transcript state aggregated encodings.
Let t' := block_transcript state' aggregated' encodings'.
Hypothesis fits : fits_transcript t.
Hypothesis fits' : fits_transcript t'.
Hypothesis encoded : claims_encoded state aggregated encodings.
Hypothesis encoded' : claims_encoded state' aggregated' encodings'.

(** One first seed: one dictionary, one version, the same claims; or a collision. *)
Theorem block_claims_seed_binds :
  transcript_claims_seed t = transcript_claims_seed t' ->
  (dictionary_id state = dictionary_id state' /\
   block_version (plain_block aggregated) = block_version (plain_block aggregated') /\
   collected_claims state (plain_block aggregated) = collected_claims state' (plain_block aggregated')) \/
  tag_collision tag_aggregate_claims (first_string t) (first_string t').
Proof.
  exact (Aardvark.Spec.Block.DrawnBlock.block_claims_seed_binds encode_commitment encode_scalar commitments_apart scalars_apart
    state state' aggregated aggregated' encodings encodings' fits fits' encoded encoded').
Qed.

(** A block has an encoding for each of its points, one a claimed index. *)
Definition points_encoded (state : ValidatorState) (aggregated : AggregatedBlock) (encodings : BlockEncodings) : Prop :=
  let n := vector_size (parameters state) in
  seq_length (point_encodings encodings) =
  seq_length (indexed_points (batch_of_unopened (collected_claims state (plain_block aggregated)) n) (block_points aggregated) n).

(** One second seed: the same points besides; or a collision. *)
Theorem block_points_seed_binds :
  points_encoded state aggregated encodings -> points_encoded state' aggregated' encodings' ->
  (forall x, seq_length (tagged_hash tag_aggregate_claims x) = 32) ->
  transcript_points_seed t = transcript_points_seed t' ->
  (dictionary_id state = dictionary_id state' /\
   block_version (plain_block aggregated) = block_version (plain_block aggregated') /\
   collected_claims state (plain_block aggregated) = collected_claims state' (plain_block aggregated') /\
   point_encodings encodings = point_encodings encodings') \/
  tag_collision tag_aggregate_claims (first_string t) (first_string t') \/
  tag_collision tag_aggregate_points (second_string t) (second_string t').
Proof.
  exact (Aardvark.Spec.Block.DrawnBlock.block_points_seed_binds encode_commitment encode_scalar commitments_apart scalars_apart
    state state' aggregated aggregated' encodings encodings' fits fits' encoded encoded').
Qed.

End Bound.

(** ** Accepted blocks *)

Section Dictionary.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** The assumptions are those of Blocks.v. *)
Hypothesis laws :
  ring_theory (scalar_of_N 0) (scalar_of_N 1) scalar_add scalar_mul scalar_sub (fun x => scalar_of_N 0 [-] x) eq /\
  scalar_of_N 1 <> scalar_of_N 0 /\
  (forall x, x <> scalar_of_N 0 -> scalar_inv x [*] x = scalar_of_N 1) /\
  (forall a b, (a [=?] b) = true <-> a = b) /\
  (forall m n, scalar_of_N (m + n) = scalar_of_N m [+] scalar_of_N n).
Hypothesis root :
  scalar_pow root_of_unity_4096 4096 = scalar_of_N 1 /\ forall k, 0 < k < 4096 -> scalar_pow root_of_unity_4096 k <> scalar_of_N 1.
Variables (setup : Setup) (genesis : Genesis).
Hypothesis made :
  match setup with
  | Setup_Kzg kzg =>
      exists n tau, kzg = kzg_setup n tau /\ 0 < n /\ 4096 mod n = 0 /\ scalar_pow tau n <> scalar_of_N 1
  | Setup_LibertYung libert_yung => exists n alpha, libert_yung = libert_yung_setup n alpha
  end.
Hypothesis sized : setup_vector_size setup = vector_size (genesis_parameters genesis).
Hypothesis legal : genesis_legal genesis = true.
Let size_of_vectors : N := vector_size (genesis_parameters genesis).
Variables (commit_to : list Scalar -> G1) (open_at : list Scalar -> N -> G1).
Hypothesis commits : forall vector, commit_to vector = commit setup vector.
Hypothesis opens : forall vector i, i < size_of_vectors -> open_at vector i = open setup vector i.
#[local] Instance lawful_scalars : Aardvark.Lemmas.Field.LawfulScalars F := Blocks.lawful_scalars laws.
#[local] Instance rooted : Aardvark.Lemmas.Field.PrimitiveRoot scalar_given := root.

(** The random function answers a seed's string with [m] scalars; as many are used as there are claims, or points. Its table
    answers the queries of a prover, one after the other. The prover asked for both challenges of its block, and the hash says
    there what the table says: this is what ties the hash to the random function. Then, if the block is accepted: the table
    has met a counted answer; or [find_in_aggregated] returns a break of the slots' hash, a wrong tail, or a false claim with
    the missing power; or the block is what its transactions do to the map. *)
Theorem accepted_drawn_block_is_justified_or_breaks : forall h state aggregated encodings state' effects (m : nat)
    (adversary : Adversary Aardvark.Lemmas.AggregationOracle.AggregationQuery (list Scalar)) (table : list (list Scalar)),
  let block := plain_block aggregated in
  let t := block_transcript state aggregated encodings in
  let batch := claimed size_of_vectors state block in
  let honest := honest_in_place open_at size_of_vectors h state block in
  let points := points_of size_of_vectors state aggregated in
  let coefficients := drawn_coefficients (transcript_claims_seed t) (seq_length batch) in
  reachable setup genesis commit_to open_at h state ->
  apply_aggregated_block setup state aggregated encodings = Ok (state', effects) ->
  (length batch <= m)%nat -> (length points <= m)%nat ->
  In (Aardvark.Lemmas.AggregationOracle.AsksCoefficients batch honest,
      drawn_coefficients (transcript_claims_seed t) (N.of_nat m)) (asked _ _ [] adversary table) ->
  In (Aardvark.Lemmas.AggregationOracle.AsksCombiners batch honest coefficients points,
      drawn_coefficients (transcript_points_seed t) (N.of_nat m)) (asked _ _ [] adversary table) ->
  meets_bad _ _ (Aardvark.Lemmas.AggregationOracle.counted_answer setup m) [] adversary table = true \/
  match find_in_aggregated commit_to open_at size_of_vectors h state aggregated coefficients with
  | Some (InSlots b) => is_break setup b
  | Some (InPoints j power) =>
      let i := batch_index (seq_at batch j) in
      j < seq_length batch /\ i < size_of_vectors /\
      batch_scalar (seq_at batch j) <> batch_scalar (seq_at honest j) /\ is_missing_power setup i power = true
  | None =>
      exists a',
        map_transactions (map_of_array (latest h)) (transactions block) = Ok (map_of_array a') /\
        ideal_state setup state (latest h) block = Some (state', a') /\
        reachable setup genesis commit_to open_at (h ++ [a']) state' /\
        effect_writes effects = writes_between (array_slots (latest h)) (array_slots a') /\
        ideal_changes (latest h) block = Ok (effect_changes effects)
  end.
Proof.
  intros h state aggregated encodings state' effects m adversary table block t batch honest points coefficients R A Few Short One Two.
  pose proof (proj1 (reachable_same laws root setup genesis made sized legal commit_to open_at commits opens h state) R) as R'.
  pose proof (Aardvark.Lemmas.Reachable.reachable_parameters setup genesis made legal sized h state R') as P.
  assert (Lc : seq_length (transcript_claims t) = seq_length batch).
  { unfold t. rewrite Aardvark.Spec.Block.DrawnBlock.transcript_claims_length. unfold batch, claimed.
    rewrite Aardvark.Lemmas.MergedClaims.batch_of_unopened_map, Aardvark.Lemmas.Sequences.seq_length_map. reflexivity. }
  assert (Lp : seq_length (transcript_points t) = seq_length points).
  { unfold t. rewrite Aardvark.Spec.Block.DrawnBlock.transcript_points_length, P. reflexivity. }
  set (combiners := drawn_coefficients (transcript_points_seed t) (seq_length points)).
  assert (A' : apply_challenged_block setup state aggregated coefficients combiners = Ok (state', effects)).
  { rewrite <- A, drawn_is_challenged. cbv zeta. fold t. rewrite Lc, Lp. reflexivity. }
  pose proof (accepted_aggregated_block_is_justified_or_breaks laws root setup genesis made sized legal commit_to open_at commits
    opens h state aggregated coefficients combiners state' effects R A') as J.
  cbv zeta in J. fold size_of_vectors in J.
  destruct (find_in_aggregated commit_to open_at size_of_vectors h state aggregated coefficients) as [[b|j power]|] eqn:Found;
    [right; exact J| |right; exact J].
  destruct J as [(_ & Lj & Li & D) [M|C]]; [right; repeat split; assumption|left].
  assert (E : Aardvark.Lemmas.AggregationOracle.first_false batch honest = Some j).
  { unfold find_in_aggregated in Found. cbv zeta in Found. destruct (first_break _ _); [discriminate|].
    change (Aardvark.Lemmas.AggregationOracle.first_false batch honest) with (first_false batch honest).
    fold block batch honest in Found. destruct (first_false batch honest) as [k|].
    - injection Found as Found _. rewrite Found. reflexivity.
    - destruct (first_break _ _); discriminate. }
  refine (Aardvark.Lemmas.AggregationOracle.counted_answers_met setup m batch honest coefficients combiners _ _ points j adversary
    table Few Short E _ _ One Two C);
    intros k L; apply Aardvark.Spec.Block.DrawnBlock.drawn_prefix; try exact L; unfold seq_length; Lia.lia.
Qed.

End Dictionary.
