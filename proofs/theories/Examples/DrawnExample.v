(** The premises of the theorems on drawn challenges and on state roots can be met: an aggregated block under the challenges that
    are drawn for it, computed.

    Setup and genesis are those of ReachableExample.v. A digest has 32 bytes: the sum of the string's bytes, and zeros. The
    encodings of commitments and scalars are their numbers, in 48 and 32 bytes.

    - [example_digests], [example_encodings]: what is asked of the hash, and of the encodings;
    - [example_drawn]: the block is accepted under the challenges that are drawn for it, and the state after it is reachable;
    - [example_transcript_fits]: its transcript fits, its claims and points have their encodings;
    - [example_state_fits]: what is hashed of the state after it fits;
    - [example_asked]: a prover who asks for the two challenges of the block, and the table that the hash is; no answer of it is
      counted. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Integers Base.Scalar Base.Hash Base.Bytes Dictionary.Slot
  Dictionary.SlotMap Dictionary.Array Commitment.Opening Commitment.Scheme Commitment.Aggregation
  Commitment.Transcript Block.Rejection Block.Operation Dictionary.KeyMap Dictionary.Genesis
  Block.Transaction Block.State Block.BlockData Block.Validator Block.AggregatedBlock Block.DrawnBlock
  Block.Root Block.Prover.
From Aardvark Require Import Lemmas.Field Examples.ModularScalars.
From Aardvark Require Lemmas.HonestAggregation Examples.ReachableExample Lemmas.ReachableRoot Spec.Base.Group.
From Aardvark Require Import Lemmas.WellFormed Spec.Base.Bytes Lemmas.Ideal Lemmas.History
  Lemmas.AggregatedBreak Lemmas.AnyBlock Lemmas.Openings Spec.Block.Validator Safety.BoundsSafe
  Safety.ReachableSafe Safety.DrawnSafe Lemmas.RootLemmas Spec.Commitment.Challenge Spec.Commitment.Transcript
  Spec.Block.Root Spec.Block.DrawnBlock Lemmas.OracleBound Lemmas.AggregationOracle.
Import ListNotations.
Local Open Scope N_scope.

(** ** The hash and the encodings *)

#[local] Instance long_hash : HashGiven := {|
  tagged_hash tag x := (fold_left N.add x 0 mod 256) :: seq_new 31;
  hash_to_scalar x tag := scalar_of_N (1 + fold_left N.add x 0);
|}.

Definition encode_commitment (c : G1) : ByteString := big_endian (residue (g1_exponent c)) 48.
Definition encode_scalar (x : Scalar) : ByteString := big_endian (residue x) 32.

Theorem example_digests :
  (forall tag x, seq_length (tagged_hash tag x) = 32) /\ digests_long.
Proof.
  split; [reflexivity|]. intros tag x. split; [change (16 <= 32); lia|]. constructor; [apply N.mod_lt; discriminate|].
  change (seq_new 31) with (repeat 0 31). apply Forall_forall. intros byte I. apply repeat_spec in I. subst. reflexivity.
Qed.

Lemma residue_fits : forall (x : Scalar) width, 32 <= width -> residue x < 256 ^ width.
Proof.
  intros x width L. pose proof (residue_bound x) as B. assert (M : modulus < 256 ^ 32) by reflexivity.
  pose proof (N.pow_le_mono_r 256 32 width ltac:(discriminate) L). lia.
Qed.

Theorem example_encodings :
  (forall c, seq_length (encode_commitment c) = 48) /\
  (forall c d, encode_commitment c = encode_commitment d -> c = d) /\
  (forall x y, encode_scalar x = encode_scalar y -> x = y).
Proof.
  split; [intros; apply big_endian_length|].
  split; intros c d E; [apply Group.g1_ext|]; apply residue_injective; apply big_endian_injective in E; try exact E;
    apply residue_fits; lia.
Qed.

(** ** The block *)

Definition setup : Setup := ReachableExample.setup.
Definition genesis : Genesis := ReachableExample.genesis.
Definition array_0 : Array := genesis_array (genesis_entries genesis).
Definition state_0 : ValidatorState := genesis_state setup genesis.

(** A key is put, on an honest archive's claims. *)
Definition puts : Transaction :=
  let items := [{| operation_key := [35]; action := Action_Put [9] |}] in
  {| first_valid := 1; last_valid := 2; nonce := seq_new 16; operations := items; claims := honest_claims setup array_0 items |}.
Definition block_1 : Block := {| block_version := 1; transactions := [puts]; tail_vectors := [] |}.

Definition point_bytes (point : Opening) : ByteString :=
  match point with Opening_Point x => encode_commitment x | Opening_Malformed => seq_new 48 end.
Definition encodings_of (state : ValidatorState) (aggregated : AggregatedBlock) : BlockEncodings :=
  {| claim_encodings := map (encoded_claim encode_commitment encode_scalar) (collected_claims state (plain_block aggregated));
     point_encodings := map point_bytes (block_points aggregated) |}.

(** The proposer draws the first challenge, merges the openings under it, and sends the points without the openings. *)
Definition first_transcript : AggregateTranscript :=
  let without_points := {| plain_block := block_1; block_points := [] |} in
  block_transcript state_0 without_points (encodings_of state_0 without_points).
Definition sent_1 : AggregatedBlock :=
  reopen_aggregated (fun _ _ => Opening_Malformed)
    (HonestAggregation.aggregate state_0 block_1 (transcript_coefficients first_transcript)).
Definition encodings_1 : BlockEncodings := encodings_of state_0 sent_1.
Definition transcript_1 : AggregateTranscript := block_transcript state_0 sent_1 encodings_1.

(** ** Any block that passes *)

Definition drawn_any (state : ValidatorState) (aggregated : AggregatedBlock) (encodings : BlockEncodings) : AnyBlock :=
  let t := block_transcript state aggregated encodings in
  Aggregated aggregated (transcript_coefficients t) (transcript_combiners t).
Definition state_after (state : ValidatorState) (aggregated : AggregatedBlock) (encodings : BlockEncodings) : ValidatorState :=
  match apply_aggregated_block setup state aggregated encodings with Ok (s, _) => s | Err _ => state end.
Definition array_of (a : Array) (aggregated : AggregatedBlock) : Array :=
  match ideal_array a (plain_block aggregated) with Some b => b | None => a end.

(** The block is accepted and shows no break, and its operations succeed on the whole array. *)
Definition good_step (h : History) (state : ValidatorState) (aggregated : AggregatedBlock) (encodings : BlockEncodings) : Prop :=
  match apply_aggregated_block setup state aggregated encodings with Ok _ => true | Err _ => false end = true /\
  match find_break_in setup h state (drawn_any state aggregated encodings) with None => true | Some _ => false end = true /\
  match ideal_array (latest h) (plain_block aggregated) with Some _ => true | None => false end = true.

(** The values are of bytes. *)
Definition small (x : ByteString) : bool := forallb (fun byte => byte <? 256) x.
Definition operation_small (op : Operation) : bool :=
  match action op with Action_RequireValue v | Action_Put v => small v | _ => true end.
Definition transaction_small (tx : Transaction) : bool :=
  forallb operation_small (operations tx) && forallb (fun c => small (value (claim_slot c))) (claims tx).
Definition block_small (block : Block) : bool :=
  forallb transaction_small (transactions block) && forallb (forallb (fun x => small (value x))) (tail_vectors block).

Lemma all_of : forall A (check : A -> bool) l, forallb check l = true -> forall x, In x l -> check x = true.
Proof. intros A check l. apply forallb_forall. Qed.

Lemma small_of_bytes : forall x, small x = true -> of_bytes x.
Proof. intros x E. apply Forall_forall. intros byte I. apply N.ltb_lt. exact (all_of _ _ _ E byte I). Qed.

Lemma block_small_of_bytes : forall block, block_small block = true -> block_of_bytes block.
Proof.
  intros block E. apply andb_true_iff in E as [T V]. split.
  - intros tx It. pose proof (all_of _ _ _ T tx It) as E. apply andb_true_iff in E as [O C]. split.
    + intros op Io. pose proof (all_of _ _ _ O op Io) as E. unfold operation_small, action_of_bytes in *.
      destruct (action op); try exact I; apply small_of_bytes; exact E.
    + intros c Ic. apply small_of_bytes. exact (all_of _ _ _ C c Ic).
  - intros vector x Iv Ix. apply small_of_bytes. exact (all_of _ _ _ (all_of _ _ _ V vector Iv) x Ix).
Qed.

Lemma received_step : forall h state aggregated encodings,
  received setup genesis h state -> block_small (plain_block aggregated) = true ->
  good_step h state aggregated encodings ->
  (exists effects, apply_aggregated_block setup state aggregated encodings = Ok (state_after state aggregated encodings, effects)) /\
  received setup genesis (h ++ [array_of (latest h) aggregated]) (state_after state aggregated encodings).
Proof.
  intros h state aggregated encodings R B (A & Q & I). unfold state_after, array_of.
  destruct (apply_aggregated_block setup state aggregated encodings) as [[s f]|] eqn:E; [|discriminate].
  destruct (find_break_in setup h state (drawn_any state aggregated encodings)) eqn:Eq; [discriminate|].
  destruct (ideal_array (latest h) (plain_block aggregated)) eqn:Ei; [|discriminate].
  split; [exists f; reflexivity|].
  exact (received_block setup genesis h state (drawn_any state aggregated encodings) s f _ R (block_small_of_bytes _ B) E Eq Ei).
Qed.

Definition unopened_fits (c : UnopenedClaim) : bool :=
  (unopened_version c <? 2 ^ 64) && (unopened_position c <? 2 ^ 64) && (seq_length (unopened_commitment c) =? 48) &&
  (seq_length (unopened_scalar c) =? 32).
Definition point_fits (p : EncodedPoint) : bool := (encoded_index p <? 2 ^ 32) && (seq_length (encoded_point p) =? 48).
Definition transcript_fits (t : AggregateTranscript) : bool :=
  (seq_length (transcript_dictionary t) =? 32) && (transcript_version t <? 2 ^ 64) &&
  ((seq_length (transcript_claims t) <? 2 ^ 64) && forallb unopened_fits (transcript_claims t)) &&
  ((seq_length (transcript_points t) <? 2 ^ 64) && forallb point_fits (transcript_points t)).

Lemma transcript_fits_sound : forall t, transcript_fits t = true -> fits_transcript t.
Proof.
  intros t E. unfold transcript_fits in E. rewrite !andb_true_iff, !N.ltb_lt, N.eqb_eq in E.
  destruct E as [[[D V] [Lc C]] [Lp P]]. split; [exact D|]. split; [exact V|]. split; (split; [assumption|]); apply Forall_forall.
  - intros c I. pose proof (all_of _ _ _ C c I) as E. unfold unopened_fits in E.
    rewrite !andb_true_iff, !N.ltb_lt, !N.eqb_eq in E. unfold fits_unopened. tauto.
  - intros p I. pose proof (all_of _ _ _ P p I) as E. unfold point_fits in E.
    rewrite andb_true_iff, N.ltb_lt, N.eqb_eq in E. exact E.
Qed.

Lemma encodings_of_claims : forall state aggregated,
  claims_encoded encode_commitment encode_scalar state aggregated (encodings_of state aggregated).
Proof. reflexivity. Qed.

(** ** This block passes, by computation *)

Definition state_1 : ValidatorState := state_after state_0 sent_1 encodings_1.
Definition array_1 : Array := array_of array_0 sent_1.

Lemma step_good : good_step [array_0] state_0 sent_1 encodings_1.
Proof. split; [|split]; vm_cast_no_check (eq_refl true). Qed.

Lemma sent_small : block_small (plain_block sent_1) = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Lemma received_0 : received setup genesis [array_0] state_0.
Proof.
  apply received_genesis. intros e M. apply small_of_bytes.
  exact (all_of _ (fun e => small (entry_value e)) (genesis_entries genesis) eq_refl e M).
Qed.

Lemma received_1 : received setup genesis [array_0; array_1] state_1.
Proof. exact (proj2 (received_step [array_0] state_0 sent_1 encodings_1 received_0 sent_small step_good)). Qed.

Theorem example_drawn :
  (exists effects, apply_aggregated_block setup state_0 sent_1 encodings_1 = Ok (state_1, effects)) /\
  reachable setup genesis [array_0; array_1] state_1 /\ received setup genesis [array_0; array_1] state_1 /\
  size state_1 = 7 /\ version state_1 = 1.
Proof.
  split; [exact (proj1 (received_step [array_0] state_0 sent_1 encodings_1 received_0 sent_small step_good))|].
  split; [exact (received_reachable _ _ _ _ received_1)|]. split; [exact received_1|].
  split; [vm_cast_no_check (eq_refl 7)|vm_cast_no_check (eq_refl 1)].
Qed.

Theorem example_transcript_fits :
  fits_transcript transcript_1 /\ claims_encoded encode_commitment encode_scalar state_0 sent_1 encodings_1 /\
  points_encoded state_0 sent_1 encodings_1 /\
  seq_length (transcript_claims transcript_1) = 1 /\ seq_length (transcript_points transcript_1) = 1.
Proof.
  split; [apply transcript_fits_sound; vm_cast_no_check (eq_refl true)|]. split; [exact (encodings_of_claims state_0 sent_1)|].
  split; [unfold points_encoded; cbv zeta; vm_compute; reflexivity|]. split; vm_cast_no_check (eq_refl 1).
Qed.

Lemma vectors_of_two : vector_size (parameters state_1) = 2.
Proof. vm_cast_no_check (eq_refl 2). Qed.

Lemma memory_1 : in_memory [array_0; array_1].
Proof.
  split; [reflexivity|]. intros a I. apply N.ltb_lt. revert a I. apply all_of. vm_cast_no_check (eq_refl true).
Qed.

Lemma countable_1 : ReachableRoot.countable state_1.
Proof. split; apply N.ltb_lt; vm_cast_no_check (eq_refl true). Qed.

Theorem example_state_fits : fits_state 2 (ReachableRoot.hashed_of encode_commitment state_1).
Proof.
  pose proof (ReachableRoot.received_state_fits encode_commitment (proj1 example_encodings) (proj1 example_digests) setup genesis
    ReachableExample.setup_made ReachableExample.genesis_is_legal eq_refl [array_0; array_1] state_1 received_1 memory_1
    countable_1) as P.
  rewrite vectors_of_two in P. exact P.
Qed.

(** ** A prover who asks *)

Definition asks_for (batch honest : list BatchClaim) (points : list AggregatedOpening) :
    Adversary AggregationQuery (list Scalar) :=
  Asks _ _ (AsksCoefficients batch honest) (fun answer =>
    Asks _ _ (AsksCombiners batch honest answer points) (fun _ => Stops _ _)).

Lemma asked_for : forall batch honest points first second,
  In (AsksCoefficients batch honest, first) (asked _ _ [] (asks_for batch honest points) [first; second]) /\
  In (AsksCombiners batch honest first points, second) (asked _ _ [] (asks_for batch honest points) [first; second]).
Proof. intros. split; [right; left; reflexivity|left; reflexivity]. Qed.

Definition batch_1 : list BatchClaim := claimed_batch 2 state_0 (plain_block sent_1).
Definition honest_1 : list BatchClaim := honest_claims_for (open setup) 2 [array_0] state_0 (plain_block sent_1).
Definition points_1 : list AggregatedOpening := points_of 2 state_0 sent_1.
Definition first_1 : list Scalar := drawn_coefficients (transcript_claims_seed transcript_1) 1.
Definition second_1 : list Scalar := drawn_coefficients (transcript_points_seed transcript_1) 1.

Theorem example_asked :
  let prover := asks_for batch_1 honest_1 points_1 in
  In (AsksCoefficients batch_1 honest_1, first_1) (asked _ _ [] prover [first_1; second_1]) /\
  In (AsksCombiners batch_1 honest_1 first_1 points_1, second_1) (asked _ _ [] prover [first_1; second_1]) /\
  meets_bad _ _ (counted_answer setup 1) [] prover [first_1; second_1] = false.
Proof.
  intros prover. destruct (asked_for batch_1 honest_1 points_1 first_1 second_1) as [A B].
  split; [exact A|]. split; [exact B|]. vm_cast_no_check (eq_refl false).
Qed.
