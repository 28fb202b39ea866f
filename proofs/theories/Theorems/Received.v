(** Theorems for auditors: from received bytes to the state after them (spec/src/decoding/applied_bytes.rs).

    To understand a statement of this file you need this file, the generated definitions, what an encoding can hold ([fits_..],
    [of_bytes], [held], [held_list]: see Decoders.v), Blocks.v and Drawn.v with what these need, and for the theorems on panics
    Safety.v.

    What a process receives is byte strings. Beside them it has what the curve says: what each point is ([meanings]), and the
    encodings of the claims. Both are arguments here, and the theorems hold whatever they are.

    - [applied_list_is_its_block], [applied_aggregated_is_its_block], [applied_block_is_its_block], [applied_import_is_its_block]:
      bytes are applied with an outcome if and only if they are the encoding of a block, within the limits, and the block with the
      points' meanings is applied with this outcome. The block is the only one: a decoder is a function, and two blocks have two
      encodings (Decoders.v). What the challenges bind of the points is their bytes as received.
    - [applied_block_determines_bytes], [applied_list_determines_bytes]: the other way, the block that is applied and the bytes of its
      points, and for a list the signatures and certificates, determine what was received.
    - [length_is_that_of_the_bytes]: the length that phase 1 looks at is that of the bytes.
    - [applied_list_is_justified_or_breaks], [applied_aggregated_is_justified_or_breaks], [applied_plain_is_justified_or_breaks]: in
      every reachable state, the block that the bytes encode is what its transactions do to the map, and the state after them is
      the one computed from the whole array, or a break is returned, or the table of the random function met a counted answer.
    - [applied_import_sets_its_keys]: an import's bytes set exactly the keys that they say.
    - [received_bytes_never_panic], [received_import_never_panics]: no bytes make a validator, or an archive, panic. *)
From Coq Require Import Arith NArith List Bool Ring_theory.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Hash Dictionary.Slot Dictionary.SlotMap
  Dictionary.Array Commitment.Opening Commitment.Kzg Commitment.LibertYung Commitment.Scheme
  Commitment.Aggregation Commitment.Transcript Block.Operation Block.Rejection Dictionary.KeyMap
  Dictionary.Genesis Dictionary.Changes Dictionary.Writes Dictionary.Vectors Dictionary.Window Block.Tail
  Block.Transaction Block.State Block.BlockData Block.View Block.Checks Block.Execution Block.Phases
  Block.Validator Block.AggregatedBlock Block.DrawnBlock Block.Import Block.Map Decoding.DecodeReason
  Decoding.TransactionDecoder Decoding.BlockDecoder Decoding.AggregatedDecoder Decoding.SignedDecoder
  Decoding.ChainDecoder Decoding.ImportDecoder Decoding.AppliedBytes Decoding.AppliedBytesSafe.
From Aardvark Require Import Safety.BoundsSafe Lemmas.Readers Spec.Decoding.TransactionDecoder Spec.Decoding.BlockDecoder
  Spec.Decoding.AggregatedDecoder Spec.Decoding.SignedDecoder Spec.Decoding.ChainDecoder Spec.Decoding.ImportDecoder
  Lemmas.OracleBound.
From Aardvark Require Import Theorems.Commitments Theorems.Breaks Theorems.Challenges Theorems.Transcripts Theorems.Blocks.
From Aardvark Require Lemmas.Field Lemmas.MeantBlocks Lemmas.AggregationOracle Lemmas.Reachable Spec.Commitment.Scheme
  Spec.Decoding.AppliedBytes Safety.GenesisStateSafe Safety.ReachableSafe Theorems.History Theorems.Drawn Theorems.Safety.
Import ListNotations.
Local Open Scope N_scope.

(** ** What is applied *)

Section Applied.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** What the challenges bind: the claims' encodings, and the points' bytes as they were received. *)
Definition received_encodings (r : ReceivedAggregated) (claims_encoded : list ClaimEncoding) : BlockEncodings :=
  {| claim_encodings := claims_encoded; point_encodings := received_points r |}.

Variables (setup : Setup) (state : ValidatorState).
Hypothesis legal : parameters_legal (parameters state) = true.

(** The list of a chain's block of this height. *)
Theorem applied_list_is_its_block : forall height txs meanings claims_encoded outcome,
  height < 2 ^ 64 -> Forall of_bytes txs ->
  apply_chain_list setup state height txs meanings claims_encoded = Ok outcome <->
  exists r, chain_version r = height /\ fits_chain_block (parameters state) r /\ txs = encode_chain_block r /\
    apply_aggregated_block setup state (meant_aggregated (chain_aggregated r) meanings)
      (received_encodings (chain_aggregated r) claims_encoded) = Ok outcome.
Proof. exact (Aardvark.Spec.Decoding.AppliedBytes.apply_chain_list_iff setup state legal). Qed.

(** An aggregated block of an archive's log. *)
Theorem applied_aggregated_is_its_block : forall bytes meanings claims_encoded outcome, of_bytes bytes ->
  apply_aggregated_bytes setup state bytes meanings claims_encoded = Ok outcome <->
  exists r, fits_aggregated (parameters state) r /\ bytes = encode_aggregated r /\
    apply_aggregated_block setup state (meant_aggregated r meanings) (received_encodings r claims_encoded) = Ok outcome.
Proof. exact (Aardvark.Spec.Decoding.AppliedBytes.apply_aggregated_bytes_iff setup state legal). Qed.

(** A block with openings. *)
Theorem applied_block_is_its_block : forall bytes meanings outcome, of_bytes bytes ->
  apply_block_bytes setup state bytes meanings = Ok outcome <->
  exists r, fits_block (parameters state) r /\ bytes = encode_block r /\
    apply_block setup state (meant_block r meanings) = Ok outcome.
Proof. exact (Aardvark.Spec.Decoding.AppliedBytes.apply_block_bytes_iff setup state legal). Qed.

(** An import block. *)
Theorem applied_import_is_its_block : forall array bytes outcome, of_bytes bytes ->
  apply_import_bytes setup state array bytes = Ok outcome <->
  exists block, fits_import block /\ bytes = encode_import block /\ apply_import setup state array block = Ok outcome.
Proof. exact (Aardvark.Spec.Decoding.AppliedBytes.apply_import_bytes_iff setup state). Qed.

(** The aggregated block that is applied, with the bytes of its points, determines the bytes that were received. *)
Theorem applied_block_determines_bytes : forall r r' meanings meanings',
  fits_aggregated (parameters state) r -> fits_aggregated (parameters state) r' ->
  meant_aggregated r meanings = meant_aggregated r' meanings' -> received_points r = received_points r' ->
  r = r' /\ encode_aggregated r = encode_aggregated r'.
Proof.
  intros r r' m m' X X' E P.
  rewrite (Aardvark.Lemmas.MeantBlocks.meant_aggregated_injective (parameters state) r r' m m' X X' E P). auto.
Qed.

(** So it does for a list, with the signatures and the certificates. *)
Theorem applied_list_determines_bytes : forall r r' meanings meanings',
  fits_chain_block (parameters state) r -> fits_chain_block (parameters state) r' ->
  meant_aggregated (chain_aggregated r) meanings = meant_aggregated (chain_aggregated r') meanings' ->
  received_points (chain_aggregated r) = received_points (chain_aggregated r') ->
  map signed_signatures (chain_transactions r) = map signed_signatures (chain_transactions r') ->
  map signed_certificates (chain_transactions r) = map signed_certificates (chain_transactions r') ->
  r = r' /\ encode_chain_block r = encode_chain_block r'.
Proof.
  intros r r' m m' X X' E P S K.
  rewrite (Aardvark.Lemmas.MeantBlocks.meant_chain_injective (parameters state) r r' m m' X X' E P S K). auto.
Qed.

(** Phase 1 looks at the length of the bytes, of both forms; for a list, at that of the aggregated block that it is. *)
Theorem length_is_that_of_the_bytes :
  (forall r meanings, fits_aggregated (parameters state) r ->
    aggregated_length (meant_aggregated r meanings) = seq_length (encode_aggregated r)) /\
  (forall r meanings, fits_block (parameters state) r ->
    block_length (meant_block r meanings) = seq_length (encode_block r)).
Proof.
  split.
  - exact (Aardvark.Lemmas.MeantBlocks.meant_aggregated_length (parameters state)).
  - exact (Aardvark.Lemmas.MeantBlocks.meant_block_length (parameters state)).
Qed.

End Applied.

(** ** What it does *)

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

(** The state and the effects are what the block does to the map and the whole array of the state before. *)
Definition does_what_it_says (h : list Array) (state : ValidatorState) (block : Block) (state' : ValidatorState)
    (effects : Effects) : Prop :=
  exists a',
    map_transactions (map_of_array (latest h)) (transactions block) = Ok (map_of_array a') /\
    ideal_state setup state (latest h) block = Some (state', a') /\
    reachable setup genesis commit_to open_at (h ++ [a']) state' /\
    effect_writes effects = writes_between (array_slots (latest h)) (array_slots a') /\
    ideal_changes (latest h) block = Ok (effect_changes effects).

(** What [accepted_drawn_block_is_justified_or_breaks] (Drawn.v) says of a block that was applied: whatever prover, who asked
    the random function for both of its challenges. *)
Definition justified_or_breaks (h : list Array) (state : ValidatorState) (aggregated : AggregatedBlock)
    (encodings : BlockEncodings) (state' : ValidatorState) (effects : Effects) : Prop :=
  forall (m : nat) (adversary : Adversary Aardvark.Lemmas.AggregationOracle.AggregationQuery (list Scalar))
    (table : list (list Scalar)),
  let block := plain_block aggregated in
  let t := block_transcript state aggregated encodings in
  let batch := claimed size_of_vectors state block in
  let honest := honest_in_place open_at size_of_vectors h state block in
  let points := points_of size_of_vectors state aggregated in
  let coefficients := drawn_coefficients (transcript_claims_seed t) (seq_length batch) in
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
  | None => does_what_it_says h state block state' effects
  end.

Lemma reachable_legal : forall h state, reachable setup genesis commit_to open_at h state ->
  parameters_legal (parameters state) = true /\ parameters state = genesis_parameters genesis.
Proof.
  intros h state R.
  destruct (Theorems.History.reachable_well_formed laws root setup genesis made sized legal commit_to open_at commits opens h state R)
    as (_ & P & _).
  split; [|exact P]. rewrite P. exact (Aardvark.Safety.GenesisStateSafe.legal_parameters genesis legal).
Qed.

Lemma drawn_justified : forall h state aggregated encodings state' effects,
  reachable setup genesis commit_to open_at h state ->
  apply_aggregated_block setup state aggregated encodings = Ok (state', effects) ->
  justified_or_breaks h state aggregated encodings state' effects.
Proof.
  intros h state aggregated encodings state' effects R A m adversary table.
  exact (fun few short one two => Theorems.Drawn.accepted_drawn_block_is_justified_or_breaks laws root setup genesis made sized
    legal commit_to open_at commits opens h state aggregated encodings state' effects m adversary table R A few short one two).
Qed.

(** A list that is applied encodes one block of this height, and this block is what was applied: it does what it says, or
    breaks. *)
Theorem applied_list_is_justified_or_breaks : forall h state height txs meanings claims_encoded state' effects,
  reachable setup genesis commit_to open_at h state -> height < 2 ^ 64 -> Forall of_bytes txs ->
  apply_chain_list setup state height txs meanings claims_encoded = Ok (state', effects) ->
  exists r,
    (chain_version r = height /\ fits_chain_block (genesis_parameters genesis) r /\ encode_chain_block r = txs) /\
    (forall other, chain_version other = height -> fits_chain_block (genesis_parameters genesis) other ->
      encode_chain_block other = txs -> other = r) /\
    let aggregated := meant_aggregated (chain_aggregated r) meanings in
    let encodings := received_encodings (chain_aggregated r) claims_encoded in
    apply_aggregated_block setup state aggregated encodings = Ok (state', effects) /\
    justified_or_breaks h state aggregated encodings state' effects.
Proof.
  intros h state height txs meanings claims_encoded state' effects R H O E. destruct (reachable_legal h state R) as [L P].
  apply (applied_list_is_its_block setup state L) in E; [|exact H|exact O]. destruct E as (r & V & X & Q & A).
  rewrite P in X, L. exists r. split; [auto|]. split.
  - intros other Vo Xo Qo. subst txs.
    pose proof (Aardvark.Spec.Decoding.ChainDecoder.decode_encoded_chain_block _ L r X) as D.
    pose proof (Aardvark.Spec.Decoding.ChainDecoder.decode_encoded_chain_block _ L other Xo) as D'.
    rewrite Vo, Qo, <- V, D in D'. injection D' as D'. symmetry. exact D'.
  - cbv zeta. split; [exact A|]. exact (drawn_justified h state _ _ state' effects R A).
Qed.

(** The same of an aggregated block of a log. *)
Theorem applied_aggregated_is_justified_or_breaks : forall h state bytes meanings claims_encoded state' effects,
  reachable setup genesis commit_to open_at h state -> of_bytes bytes ->
  apply_aggregated_bytes setup state bytes meanings claims_encoded = Ok (state', effects) ->
  exists r,
    (fits_aggregated (genesis_parameters genesis) r /\ encode_aggregated r = bytes) /\
    (forall other, fits_aggregated (genesis_parameters genesis) other -> encode_aggregated other = bytes -> other = r) /\
    let aggregated := meant_aggregated r meanings in
    let encodings := received_encodings r claims_encoded in
    apply_aggregated_block setup state aggregated encodings = Ok (state', effects) /\
    justified_or_breaks h state aggregated encodings state' effects.
Proof.
  intros h state bytes meanings claims_encoded state' effects R O E. destruct (reachable_legal h state R) as [L P].
  apply (applied_aggregated_is_its_block setup state L) in E; [|exact O]. destruct E as (r & X & Q & A).
  rewrite P in X, L. exists r. split; [auto|]. split.
  - intros other Xo Qo. subst bytes. pose proof (proj1 (proj1 (legal_bounds _ L))) as V.
    pose proof (Aardvark.Spec.Decoding.AggregatedDecoder.decode_encoded_aggregated _ V r X) as D.
    pose proof (Aardvark.Spec.Decoding.AggregatedDecoder.decode_encoded_aggregated _ V other Xo) as D'.
    rewrite Qo, D in D'. injection D' as D'. symmetry. exact D'.
  - cbv zeta. split; [exact A|]. exact (drawn_justified h state _ _ state' effects R A).
Qed.

(** And of a block with openings. *)
Theorem applied_plain_is_justified_or_breaks : forall h state bytes meanings state' effects,
  reachable setup genesis commit_to open_at h state -> of_bytes bytes ->
  apply_block_bytes setup state bytes meanings = Ok (state', effects) ->
  exists r,
    (fits_block (genesis_parameters genesis) r /\ encode_block r = bytes) /\
    (forall other, fits_block (genesis_parameters genesis) other -> encode_block other = bytes -> other = r) /\
    let block := meant_block r meanings in
    apply_block setup state block = Ok (state', effects) /\
    match find_break commit_to open_at size_of_vectors h (tail_start state) block with
    | Some b => is_break setup b
    | None => does_what_it_says h state block state' effects
    end.
Proof.
  intros h state bytes meanings state' effects R O E. destruct (reachable_legal h state R) as [L P].
  apply (applied_block_is_its_block setup state L) in E; [|exact O]. destruct E as (r & X & Q & A).
  rewrite P in X, L. exists r. split; [auto|]. split.
  - intros other Xo Qo. subst bytes. pose proof (proj1 (proj1 (legal_bounds _ L))) as V.
    pose proof (Aardvark.Spec.Decoding.BlockDecoder.decode_encoded_block _ V r X) as D.
    pose proof (Aardvark.Spec.Decoding.BlockDecoder.decode_encoded_block _ V other Xo) as D'.
    rewrite Qo, D in D'. injection D' as D'. symmetry. exact D'.
  - cbv zeta. split; [exact A|].
    exact (Theorems.Blocks.accepted_block_is_justified_or_breaks laws root setup genesis made sized legal commit_to open_at commits
      opens h state _ state' effects R A).
Qed.

(** An import block of a log leads to a reachable state, and sets exactly the keys that its bytes say. *)
Theorem applied_import_sets_its_keys : forall h state bytes state' a',
  reachable setup genesis commit_to open_at h state -> of_bytes bytes ->
  apply_import_bytes setup state (latest h) bytes = Ok (state', a') ->
  exists block,
    (fits_import block /\ encode_import block = bytes) /\
    (forall other, fits_import other -> encode_import other = bytes -> other = block) /\
    apply_import setup state (latest h) block = Ok (state', a') /\
    reachable setup genesis commit_to open_at (h ++ [a']) state' /\
    forall k, map_of a' k =
      match Theorems.History.import_of (import_changes block) k with
      | Some c => import_content c
      | None => map_of (latest h) k
      end.
Proof.
  intros h state bytes state' a' R O E.
  apply applied_import_is_its_block in E; [|exact O]. destruct E as (block & X & Q & A). exists block. split; [auto|]. split.
  - intros other Xo Qo. subst bytes.
    pose proof (Aardvark.Spec.Decoding.ImportDecoder.decode_encoded_import block X) as D.
    pose proof (Aardvark.Spec.Decoding.ImportDecoder.decode_encoded_import other Xo) as D'.
    rewrite Qo, D in D'. injection D' as D'. symmetry. exact D'.
  - split; [exact A|]. split; [exact (reachable_import _ _ _ _ h state block state' a' R A)|].
    assert (C : check_import state block = Ok tt).
    { unfold apply_import in A. destruct (check_import state block) as [[]|]; [reflexivity|discriminate A]. }
    destruct (Theorems.History.reachable_import_accepted laws root setup genesis made sized legal commit_to open_at commits opens
      h state block R C) as (state2 & a2 & A2 & _ & M).
    rewrite A in A2. injection A2 as _ <-. exact M.
Qed.

End Dictionary.

(** ** No bytes make it panic *)

Section Panics.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.
Variables (setup : Setup) (genesis : Genesis).
Hypothesis legal : genesis_legal genesis = true.
Hypothesis sized : setup_vector_size setup = vector_size (genesis_parameters genesis).
Hypothesis digests : Theorems.Safety.digests_short.
Hypothesis long : Theorems.Safety.digests_long.

(** In every state that accepted blocks lead to, whether what they claim is true or not: no list of a chain, no bytes of a log,
    of either form, make a validator panic. *)
Theorem received_bytes_never_panic : forall state, Theorems.Safety.accepted setup genesis state ->
  (forall height txs meanings claims_encoded, height < 2 ^ 64 -> Forall of_bytes txs -> held_list txs ->
    apply_chain_list_safe setup state height txs meanings claims_encoded = true) /\
  (forall bytes meanings claims_encoded, of_bytes bytes -> held bytes ->
    apply_aggregated_bytes_safe setup state bytes meanings claims_encoded = true) /\
  (forall bytes meanings, of_bytes bytes -> held bytes -> apply_block_bytes_safe setup state bytes meanings = true).
Proof.
  intros state A. destruct (Theorems.Safety.size_by_version setup genesis legal state A) as [P _].
  assert (L : parameters_legal (parameters state) = true)
    by (rewrite P; exact (Aardvark.Safety.GenesisStateSafe.legal_parameters genesis legal)).
  pose proof (fun aggregated encodings => Theorems.Safety.drawn_block_never_panics setup genesis legal sized digests state aggregated
    encodings long A) as Drawn.
  split; [|split].
  - exact (Aardvark.Spec.Decoding.AppliedBytes.chain_list_never_panics setup state L Drawn).
  - exact (Aardvark.Spec.Decoding.AppliedBytes.aggregated_bytes_never_panic setup state L Drawn).
  - exact (Aardvark.Spec.Decoding.AppliedBytes.block_bytes_never_panic setup state L
      (proj1 (Theorems.Safety.validator_never_panics setup genesis legal sized digests state A))).
Qed.

(** In every state that blocks of both forms and imports, without a break, lead to: no bytes of an import make an archive
    panic. *)
Context {lawful : Aardvark.Lemmas.Field.LawfulScalars F} {root : Aardvark.Lemmas.Field.PrimitiveRoot scalar_given}.
Hypothesis made : Aardvark.Spec.Commitment.Scheme.well_made setup.

Theorem received_import_never_panics : forall h state bytes,
  Aardvark.Safety.ReachableSafe.received setup genesis h state -> Aardvark.Safety.ReachableSafe.in_memory h ->
  of_bytes bytes -> held bytes -> apply_import_bytes_safe setup state (Aardvark.Lemmas.History.latest h) bytes = true.
Proof.
  intros h state bytes R M. apply (Aardvark.Spec.Decoding.AppliedBytes.import_bytes_never_panic setup state).
  exact (Theorems.Safety.apply_import_never_panics setup genesis legal sized digests made h state R M).
Qed.

End Panics.
