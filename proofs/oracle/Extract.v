(** The oracle: the generated definitions, with scalars modulo r, as an OCaml program.

    Everything here is a name for a generated definition; the only thing of its own is the choice of the instance. The
    hash is an argument: the program asks whoever runs it. What is trusted beyond Coq: the extraction, and the table below, Coq's own
    but for its last part, that computes with zarith. *)

From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlNatInt ExtrOcamlZBigInt NArith List.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Group Base.Hash Dictionary.Slot Dictionary.SlotMap
  Dictionary.Array Commitment.Opening Commitment.Kzg Commitment.LibertYung Commitment.Scheme Block.Operation
  Block.Rejection Dictionary.KeyMap Dictionary.Genesis Dictionary.Changes Dictionary.Writes Dictionary.Window
  Block.Transaction Block.State Block.BlockData Block.Execution Block.Phases Block.Validator Block.Import
  Block.Map Commitment.Challenge Commitment.Aggregation Block.AggregatedBlock Block.DrawnBlock Block.Prover
  Commitment.CommitmentTree Block.Root Answer.Question Answer.Scan Answer.AnswerProof Answer.AnswerReason
  Answer.Verify Answer.RootedAnswer Commitment.FoldedOpening Answer.FoldedAnswer Answer.FoldedRootedAnswer
  Decoding.DecodeReason Decoding.SlotDecoder Decoding.TransactionDecoder Decoding.BlockDecoder
  Decoding.AggregatedDecoder Decoding.SignedDecoder Decoding.ChainDecoder Decoding.RecordDecoder
  Decoding.SnapshotDecoder Decoding.ImportDecoder Decoding.AppliedBytes Decoding.CheckedBytes.
From AardvarkSpec Require Import Dictionary.ArraySafe Dictionary.GenesisSafe Dictionary.ChangesSafe
  Block.StateSafe Block.ValidatorSafe Block.ImportSafe Commitment.KzgSafe Commitment.LibertYungSafe
  Base.ScalarSafe Commitment.OpeningSafe Commitment.SchemeSafe Commitment.ChallengeSafe
  Commitment.AggregationSafe Block.AggregatedBlockSafe Block.DrawnBlockSafe Block.ProverSafe Dictionary.WindowSafe Block.MapSafe
  Commitment.CommitmentTreeSafe Block.RootSafe Answer.VerifySafe Answer.RootedAnswerSafe Answer.FoldedAnswerSafe
  Answer.FoldedRootedAnswerSafe
  Decoding.SlotDecoderSafe Decoding.TransactionDecoderSafe Decoding.BlockDecoderSafe Decoding.AggregatedDecoderSafe
  Decoding.SignedDecoderSafe Decoding.ChainDecoderSafe Decoding.RecordDecoderSafe Decoding.SnapshotDecoderSafe
  Decoding.ImportDecoderSafe Decoding.AppliedBytesSafe Decoding.CheckedBytesSafe.
From Aardvark Require Import Examples.ModularScalars.
Require Import TableJudges PolicyJudges MixnetJudges.
Local Open Scope bool_scope.
Local Open Scope N_scope.

(** The number that a scalar is, and the scalar that a number is. *)
Definition number_of_scalar : @Scalar modular -> N := residue.
Definition scalar_of_number : N -> @Scalar modular := reduced.

(** The setups of both schemes, from their trapdoors. *)
Definition oracle_kzg (n : N) (tau : @Scalar modular) : Setup := Setup_Kzg (kzg_setup n tau).
Definition oracle_libert_yung (n : N) (alpha : @Scalar modular) : Setup := Setup_LibertYung (libert_yung_setup n alpha).

(** The hash functions, which the theorems leave open. *)
Definition hashes (tagged : list N -> list N -> list N) (to_scalar : list N -> list N -> @Scalar modular) :
    @HashGiven modular :=
  @Build_HashGiven modular tagged to_scalar.

Section Oracle.

Context {given : @HashGiven modular}.

(** A validator's state at version 0, and whether the genesis is legal. *)
Definition oracle_genesis (setup : Setup) (genesis : Genesis) : bool * ValidatorState :=
  (genesis_legal genesis, genesis_state setup genesis).

Definition oracle_genesis_safe (setup : Setup) (genesis : Genesis) : bool :=
  genesis_legal_safe genesis && genesis_state_safe setup genesis.

(** What a block does. *)
Definition oracle_judge (setup : Setup) (state : ValidatorState) (block : Block) :
    Result (ValidatorState * Effects) Rejection :=
  apply_block setup state block.

Definition oracle_judge_safe (setup : Setup) (state : ValidatorState) (block : Block) : bool :=
  apply_block_safe setup state block.

(** What a mempool is told about a transaction. *)
Definition oracle_check (setup : Setup) (state : ValidatorState) (tx : Transaction) : Result Contents Rejection :=
  check_transaction setup state tx.

Definition oracle_check_safe (setup : Setup) (state : ValidatorState) (tx : Transaction) : bool :=
  check_transaction_safe setup state tx.

(** What an import does to a state and a whole array. *)
Definition oracle_import (setup : Setup) (state : ValidatorState) (array : Array) (block : ImportBlock) :
    Result (ValidatorState * Array) ImportRejection :=
  apply_import setup state array block.

Definition oracle_import_safe (setup : Setup) (state : ValidatorState) (array : Array) (block : ImportBlock) : bool :=
  apply_import_safe setup state array block.

(** Net changes on an array: the dictionary alone. *)
Definition oracle_changes (array : Array) (changes : ChangeMap) : option Array := apply_changes array changes.

Definition oracle_changes_safe (array : Array) (changes : ChangeMap) : bool := apply_changes_safe array changes.

(** The map after a block's transactions, run one after the other. *)
Definition oracle_map (entries : KeyMap) (items : list Transaction) : Result KeyMap Rejection :=
  map_transactions entries items.

(** What an aggregated block does, under the challenges that are drawn for it. *)
Definition oracle_aggregated (setup : Setup) (state : ValidatorState) (block : AggregatedBlock)
    (encodings : BlockEncodings) : Result (ValidatorState * Effects) Rejection :=
  apply_aggregated_block setup state block encodings.

Definition oracle_aggregated_safe (setup : Setup) (state : ValidatorState) (block : AggregatedBlock)
    (encodings : BlockEncodings) : bool :=
  apply_aggregated_block_safe setup state block encodings.

(** What it does under given challenges; and its distinct claims, from which the first challenge is made. *)
Definition oracle_challenged (setup : Setup) (state : ValidatorState) (block : AggregatedBlock)
    (coefficients combiners : list Scalar) : Result (ValidatorState * Effects) Rejection :=
  apply_challenged_block setup state block coefficients combiners.

Definition oracle_challenged_safe (setup : Setup) (state : ValidatorState) (block : AggregatedBlock)
    (coefficients combiners : list Scalar) : bool :=
  apply_challenged_block_safe setup state block coefficients combiners.

Definition oracle_unopened (state : ValidatorState) (block : Block) : option (list MergedClaim) :=
  unopened_claims state block.

Definition oracle_unopened_safe (state : ValidatorState) (block : Block) : bool := unopened_claims_safe state block.

(** The seed of a batch, and its coefficients. *)
Definition oracle_seed (dictionary : ByteString) (claims : list ChallengeClaim) : ByteString := batch_seed dictionary claims.

Definition oracle_seed_safe (dictionary : ByteString) (claims : list ChallengeClaim) : bool :=
  batch_seed_safe dictionary claims.

Definition oracle_coefficient (seed : ByteString) (j : N) : Scalar := batch_coefficient seed j.

Definition oracle_coefficient_safe (seed : ByteString) (j : N) : bool := batch_coefficient_safe seed j.

(** The distinct claims of an aggregation, and its two seeds. *)
Definition oracle_seeds (dictionary : ByteString) (version : N) (claims : list UnopenedClaim) (points : list EncodedPoint) :
    list UnopenedClaim * (ByteString * ByteString) :=
  let distinct := distinct_claims claims in
  let seed := aggregate_claims_seed dictionary version distinct in
  (distinct, (seed, aggregate_points_seed seed points)).

Definition oracle_seeds_safe (dictionary : ByteString) (version : N) (claims : list UnopenedClaim)
    (points : list EncodedPoint) : bool :=
  let distinct := distinct_claims claims in
  distinct_claims_safe claims && aggregate_claims_seed_safe dictionary version distinct &&
  aggregate_points_seed_safe (aggregate_claims_seed dictionary version distinct) points.

(** A state's root and what it is over. *)
Definition oracle_root (state : HashedState) : RootParts * ByteString := (parts_of_state state, state_root state).

Definition oracle_root_safe (state : HashedState) : bool := state_root_safe state.

(** The replay set in the order in which it is hashed. *)
Definition oracle_replay (entries : list ReplayEntry) : list ReplayEntry := sorted_replay_set entries.

Definition oracle_replay_safe (entries : list ReplayEntry) : bool := sorted_replay_set_safe entries.

(** The path from a commitment to the root over all, and where a path leads. *)
Definition oracle_path (leaves : list ByteString) (index : N) : list ByteString := commitment_path leaves index.

Definition oracle_path_safe (leaves : list ByteString) (index : N) : bool := commitment_path_safe leaves index.

Definition oracle_end (width index : N) (leaf : ByteString) (path : list ByteString) : option ByteString :=
  root_of_path width index leaf path.

Definition oracle_end_safe (width index : N) (leaf : ByteString) (path : list ByteString) : bool :=
  root_of_path_safe width index leaf path.

(** The scheme's number and the size of its vectors. *)
Definition oracle_scheme (setup : Setup) : N * N := (scheme_number setup, setup_vector_size setup).

(** The scalar that 48 bytes are reduced to. *)
Definition oracle_wide (wide : ByteString) : Scalar := scalar_of_wide_bytes wide.

Definition oracle_wide_safe (wide : ByteString) : bool := scalar_of_wide_bytes_safe wide.

(** A vector's commitment, its opening at an index, and all its openings. *)
Definition oracle_vector (setup : Setup) (vector : list Scalar) (i : N) : G1 * (G1 * list G1) :=
  (commit setup vector, (open setup vector i, open_all setup vector)).

Definition oracle_vector_safe (setup : Setup) (vector : list Scalar) (i : N) : bool :=
  commit_safe setup vector && open_safe setup vector i && open_all_safe setup vector.

(** The commitment, and the opening at index [i], after element [j] grew. *)
Definition oracle_updated (setup : Setup) (commitment opening : G1) (i j : N) (delta : Scalar) : G1 * G1 :=
  (update_commitment setup commitment j delta, update_opening setup opening i j delta).

Definition oracle_updated_safe (setup : Setup) (commitment opening : G1) (i j : N) (delta : Scalar) : bool :=
  update_commitment_safe setup commitment j delta && update_opening_safe setup opening i j delta.

(** Claims together: the batch equation; the aggregation equation; and the points of an honest aggregation, an index each. *)
Definition oracle_batch (setup : Setup) (batch : list BatchClaim) (coefficients : list Scalar)
    (points : list AggregatedOpening) (combiners : list Scalar) : (bool * bool) * list G1 :=
  (verify_batch setup batch coefficients, verify_aggregated setup batch coefficients points combiners,
    List.map (aggregated_opening batch coefficients) (range 0 (setup_vector_size setup))).

Definition oracle_batch_safe (setup : Setup) (batch : list BatchClaim) (coefficients : list Scalar)
    (points : list AggregatedOpening) (combiners : list Scalar) : bool :=
  verify_batch_safe setup batch coefficients && verify_aggregated_safe setup batch coefficients points combiners &&
  List.forallb (aggregated_opening_safe batch coefficients) (range 0 (setup_vector_size setup)).

(** What an honest archive says of an array: the claims that operations need, and tail vectors. *)
Definition oracle_claims (setup : Setup) (array : Array) (operations : list Operation) : list Claim :=
  honest_claims setup array operations.

Definition oracle_claims_safe (setup : Setup) (array : Array) (operations : list Operation) : bool :=
  honest_claims_safe setup array operations.

Definition oracle_tail (array : Array) (start n count : N) : list (list Slot) := honest_tail_vectors array start n count.

Definition oracle_tail_safe (array : Array) (start n count : N) : bool := honest_tail_vectors_safe array start n count.

(** An array after writes, and the map that it stands for. *)
Definition oracle_written (array : Array) (writes : list Write) (size : N) : Array * KeyMap :=
  let after := array_after array writes size in
  (after, map_of_array after).

Definition oracle_written_safe (array : Array) (writes : list Write) (size : N) : bool :=
  array_after_safe array writes size && map_of_array_safe (array_after array writes size).

(** Whether a claim about a position, at a version, still holds. *)
Definition oracle_current (state : ValidatorState) (v p : N) : bool := is_current state.(window) state.(version) v p.

Definition oracle_current_safe (state : ValidatorState) (v p : N) : bool :=
  is_current_safe state.(window) state.(version) v p.

(** The answer of a proof with an opening a claim, of one under a root alone, and of one with folded openings. *)
Definition oracle_answer (setup : Setup) (trusted : Trusted) (question : Question) (proof : AnswerProof) :
    Result Answer AnswerRefusal :=
  verify_answer setup trusted question proof.

Definition oracle_answer_safe (setup : Setup) (trusted : Trusted) (question : Question) (proof : AnswerProof) : bool :=
  verify_answer_safe setup trusted question proof.

Definition oracle_rooted (setup : Setup) (root : ByteString) (question : Question) (proof : RootedProof) :
    Result Answer AnswerRefusal :=
  verify_rooted_answer setup root question proof.

Definition oracle_rooted_safe (setup : Setup) (root : ByteString) (question : Question) (proof : RootedProof) : bool :=
  verify_rooted_answer_safe setup root question proof.

Definition oracle_folded (setup : Setup) (trusted : Trusted) (question : Question) (proof : FoldedAnswerProof)
    (bound : list FoldedClaimBytes) : Result Answer AnswerRefusal :=
  verify_folded_answer setup trusted question proof bound.

Definition oracle_folded_safe (setup : Setup) (trusted : Trusted) (question : Question) (proof : FoldedAnswerProof)
    (bound : list FoldedClaimBytes) : bool :=
  verify_folded_answer_safe setup trusted question proof bound.

Definition oracle_folded_rooted (setup : Setup) (root : ByteString) (question : Question) (proof : FoldedRootedProof)
    (bound : list FoldedClaimBytes) : Result Answer AnswerRefusal :=
  verify_folded_rooted_answer setup root question proof bound.

Definition oracle_folded_rooted_safe (setup : Setup) (root : ByteString) (question : Question) (proof : FoldedRootedProof)
    (bound : list FoldedClaimBytes) : bool :=
  verify_folded_rooted_answer_safe setup root question proof bound.

(** The class of a reason: 0 malformed, 1 about something else, 2 false. *)
Definition oracle_class (why : AnswerReason) : N :=
  match class_of_reason why with
  | ReasonClass_ClassMalformed => 0
  | ReasonClass_ClassOther => 1
  | ReasonClass_ClassFalse => 2
  end.

(** What a decoder makes of strings: the strings that its value is encoded by, or the reason. *)
Definition encoded {A : Type} (encode : A -> list ByteString) (decoded : Result A DecodeReason) :
    Result (list ByteString) DecodeReason :=
  match decoded with
  | Ok value => Ok (encode value)
  | Err why => Err why
  end.

Definition one {A : Type} (encode : A -> ByteString) (value : A) : list ByteString := [encode value].

Definition oracle_slot (x : ByteString) := encoded (one slot_bytes) (decode_slot x).
Definition oracle_claim (x : ByteString) := encoded (one encode_claim) (decode_claim x).
Definition oracle_transaction (x : ByteString) :=
  encoded (one (fun tx => encode_transaction tx TRANSACTION_FORMAT)) (decode_transaction x).
Definition oracle_signed (p : Parameters) (x : ByteString) := encoded (one encode_signed) (decode_signed x p).
Definition oracle_block (p : Parameters) (x : ByteString) := encoded (one encode_block) (decode_block x p).
Definition oracle_aggregated_bytes (p : Parameters) (x : ByteString) :=
  encoded (one encode_aggregated) (decode_aggregated x p).
Definition oracle_record (x : ByteString) := encoded (one record_bytes) (decode_record x).
Definition oracle_snapshot (x : ByteString) := encoded (one encode_snapshot) (decode_snapshot [] x).
Definition oracle_import_bytes (x : ByteString) := encoded (one encode_import) (decode_import x).
Definition oracle_chain_block (p : Parameters) (b : N) (txs : list ByteString) :=
  encoded encode_chain_block (decode_chain_block b txs p).

Definition oracle_slot_safe (x : ByteString) : bool := decode_slot_safe x.
Definition oracle_claim_safe (x : ByteString) : bool := decode_claim_safe x.
Definition oracle_transaction_safe (x : ByteString) : bool := decode_transaction_safe x.
Definition oracle_signed_safe (p : Parameters) (x : ByteString) : bool := decode_signed_safe x p.
Definition oracle_block_safe (p : Parameters) (x : ByteString) : bool := decode_block_safe x p.
Definition oracle_aggregated_bytes_safe (p : Parameters) (x : ByteString) : bool := decode_aggregated_safe x p.
Definition oracle_record_safe (x : ByteString) : bool := decode_record_safe x.
Definition oracle_snapshot_safe (x : ByteString) : bool := decode_snapshot_safe [] x.
Definition oracle_import_bytes_safe (x : ByteString) : bool := decode_import_safe x.
Definition oracle_chain_block_safe (p : Parameters) (b : N) (txs : list ByteString) : bool :=
  decode_chain_block_safe b txs p.

(** What received bytes do to a state: the list of a chain's block, an aggregated block, one with openings, an import. *)
Definition oracle_received_list (setup : Setup) (state : ValidatorState) (height : N) (txs : list ByteString)
    (meanings : list Opening) (claims : list ClaimEncoding) : Result (ValidatorState * Effects) BytesRejection :=
  apply_chain_list setup state height txs meanings claims.

Definition oracle_received_list_safe (setup : Setup) (state : ValidatorState) (height : N) (txs : list ByteString)
    (meanings : list Opening) (claims : list ClaimEncoding) : bool :=
  apply_chain_list_safe setup state height txs meanings claims.

Definition oracle_received_aggregated (setup : Setup) (state : ValidatorState) (x : ByteString) (meanings : list Opening)
    (claims : list ClaimEncoding) : Result (ValidatorState * Effects) BytesRejection :=
  apply_aggregated_bytes setup state x meanings claims.

Definition oracle_received_aggregated_safe (setup : Setup) (state : ValidatorState) (x : ByteString) (meanings : list Opening)
    (claims : list ClaimEncoding) : bool :=
  apply_aggregated_bytes_safe setup state x meanings claims.

Definition oracle_received_block (setup : Setup) (state : ValidatorState) (x : ByteString) (meanings : list (list Opening)) :
    Result (ValidatorState * Effects) BytesRejection :=
  apply_block_bytes setup state x meanings.

Definition oracle_received_block_safe (setup : Setup) (state : ValidatorState) (x : ByteString)
    (meanings : list (list Opening)) : bool :=
  apply_block_bytes_safe setup state x meanings.

Definition oracle_received_import (setup : Setup) (state : ValidatorState) (array : Array) (x : ByteString) :
    Result (ValidatorState * Array) ImportBytesRejection :=
  apply_import_bytes setup state array x.

Definition oracle_received_import_safe (setup : Setup) (state : ValidatorState) (array : Array) (x : ByteString) : bool :=
  apply_import_bytes_safe setup state array x.

(** What a mempool says of received bytes; and the state that those of a snapshot are, encoded again. *)
Definition oracle_received_signed (setup : Setup) (state : ValidatorState) (x : ByteString) (meanings : list Opening) :
    Result Contents SignedBytesRejection :=
  check_signed_bytes setup state x meanings.

Definition oracle_received_signed_safe (setup : Setup) (state : ValidatorState) (x : ByteString) (meanings : list Opening) : bool :=
  check_signed_bytes_safe setup state x meanings.

Definition oracle_received_snapshot (dictionary : ByteString) (n : N) (certified x : ByteString) :
    Result ByteString SnapshotRejection :=
  match accept_snapshot dictionary n certified x with
  | Ok received => Ok (encode_snapshot received)
  | Err why => Err why
  end.

Definition oracle_received_snapshot_safe (dictionary : ByteString) (n : N) (certified x : ByteString) : bool :=
  accept_snapshot_safe dictionary n certified x.

End Oracle.

(** Coq's table for zarith lacks the comparisons of [N] and its way to [nat]; without these they would go bit by bit. *)
Extract Constant N.eqb => "Big_int_Z.eq_big_int".
Extract Constant N.ltb => "Big_int_Z.lt_big_int".
Extract Constant N.leb => "Big_int_Z.le_big_int".
Extract Constant Pos.eqb => "Big_int_Z.eq_big_int".
Extract Constant N.to_nat => "Big_int_Z.int_of_big_int".
Extract Constant N.of_nat => "Big_int_Z.big_int_of_int".

Extraction Blacklist List String Int Seq.

Extraction "oracle_spec.ml" number_of_scalar scalar_of_number oracle_kzg oracle_libert_yung hashes
  oracle_genesis oracle_genesis_safe oracle_judge oracle_judge_safe oracle_check oracle_check_safe
  oracle_import oracle_import_safe oracle_changes oracle_changes_safe oracle_map
  oracle_aggregated oracle_aggregated_safe oracle_challenged oracle_challenged_safe
  oracle_unopened oracle_unopened_safe
  oracle_seed oracle_seed_safe oracle_coefficient oracle_coefficient_safe oracle_seeds oracle_seeds_safe
  oracle_root oracle_root_safe oracle_replay oracle_replay_safe oracle_path oracle_path_safe oracle_end oracle_end_safe
  oracle_scheme oracle_wide oracle_wide_safe
  oracle_vector oracle_vector_safe oracle_updated oracle_updated_safe oracle_batch oracle_batch_safe
  oracle_claims oracle_claims_safe oracle_tail oracle_tail_safe oracle_written oracle_written_safe
  oracle_current oracle_current_safe
  oracle_answer oracle_answer_safe oracle_rooted oracle_rooted_safe oracle_folded oracle_folded_safe
  oracle_folded_rooted oracle_folded_rooted_safe oracle_class
  oracle_slot oracle_slot_safe oracle_claim oracle_claim_safe oracle_transaction oracle_transaction_safe
  oracle_signed oracle_signed_safe oracle_block oracle_block_safe oracle_aggregated_bytes oracle_aggregated_bytes_safe
  oracle_record oracle_record_safe oracle_snapshot oracle_snapshot_safe oracle_import_bytes oracle_import_bytes_safe
  oracle_chain_block oracle_chain_block_safe
  oracle_received_list oracle_received_list_safe oracle_received_aggregated oracle_received_aggregated_safe
  oracle_received_block oracle_received_block_safe oracle_received_import oracle_received_import_safe
  oracle_received_signed oracle_received_signed_safe oracle_received_snapshot oracle_received_snapshot_safe
  oracle_table oracle_table_safe oracle_certificate oracle_certificate_safe
  oracle_linked oracle_linked_safe oracle_comparison oracle_comparison_safe oracle_schema
  oracle_change oracle_change_safe oracle_step oracle_step_safe
  oracle_policy oracle_policy_safe oracle_posts oracle_posts_safe oracle_sheets oracle_sheets_safe oracle_certify oracle_certify_safe
  oracle_permutation oracle_permutation_safe oracle_column oracle_column_safe oracle_decryption oracle_decryption_safe
  oracle_zero_test oracle_zero_test_safe oracle_dealing oracle_dealing_safe oracle_keys oracle_keys_safe oracle_view oracle_view_safe
  oracle_chunks oracle_chunks_safe oracle_value oracle_value_safe oracle_elements oracle_elements_safe.
