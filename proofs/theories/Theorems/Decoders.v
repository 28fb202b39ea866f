(** Theorems for auditors: what decodes was encoded, byte for byte, and no bytes make a decoder panic.

    To understand a statement of this file you need this file, the generated definitions, and what an encoding can hold:
    [fits_slot], [fits_list], [fits_record] (Lemmas/RootLemmas.v), [fits_operation] (Spec/Block/Transaction.v), [fits_claim],
    [fits_received], [fits_transactions], [fits_block], [fits_proof], [fits_aggregated], [fits_signed], [fits_received_record],
    [fits_signatures], [fits_chain_block], [fits_snapshot], [fits_import] and what these name (Spec/Decoding), [ascends] (Lemmas/OrderedReaders.v), [of_bytes]: all elements are below 256
    (Safety/BoundsSafe.v), [held]: fewer than 2^63 bytes (Lemmas/Readers.v), and [held_list] (Spec/Decoding/ChainDecoder.v).

    Of each kind of bytes:
    - [decode_encoded_..]: what fits is read back from its encoding;
    - [encode_decoded_..]: what is read fits, and its encoding is the bytes that were read: no value has two, and what passes a
      limit is not read;
    - [.._bytes_injective]: two values that fit have two encodings;
    - [decode_.._never_panics]. *)
From Coq Require Import NArith List Bool.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Hash Dictionary.Slot Dictionary.Genesis Block.Root Block.Import
  Decoding.DecodeReason Decoding.Cursor Decoding.SlotDecoder Decoding.OperationDecoder Decoding.TransactionDecoder
  Decoding.BlockDecoder Decoding.AggregatedDecoder Decoding.SignedDecoder Decoding.ChainDecoder Decoding.RecordDecoder Decoding.SnapshotDecoder Decoding.ImportDecoder
  Decoding.SlotDecoderSafe Decoding.TransactionDecoderSafe Decoding.BlockDecoderSafe Decoding.AggregatedDecoderSafe
  Decoding.SignedDecoderSafe Decoding.ChainDecoderSafe Decoding.RecordDecoderSafe Decoding.SnapshotDecoderSafe
  Decoding.ImportDecoderSafe.
From Aardvark Require Import Lemmas.RootLemmas Safety.BoundsSafe Lemmas.Readers Spec.Decoding.SlotDecoder
  Spec.Decoding.TransactionDecoder Spec.Decoding.BlockDecoder Spec.Decoding.AggregatedDecoder Spec.Decoding.SignedDecoder
  Spec.Decoding.ChainDecoder Spec.Decoding.RecordDecoder Spec.Decoding.SnapshotDecoder Spec.Decoding.ImportDecoder.
Local Open Scope N_scope.

Section Decoders.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** ** Slots *)

Theorem decode_encoded_slot : forall slot, fits_slot slot -> decode_slot (slot_bytes slot) = Ok slot.
Proof. exact Spec.Decoding.SlotDecoder.decode_encoded_slot. Qed.

Theorem encode_decoded_slot : forall bytes slot, of_bytes bytes -> decode_slot bytes = Ok slot ->
  fits_slot slot /\ slot_bytes slot = bytes.
Proof. intros bytes slot O E. apply decode_slot_iff in E; [|exact O]. destruct E. auto. Qed.

Theorem slot_bytes_injective : forall slot slot', fits_slot slot -> fits_slot slot' -> slot_bytes slot = slot_bytes slot' ->
  slot = slot'.
Proof. exact (one_of_decoded _ _ _ decode_encoded_slot). Qed.

Theorem decode_slot_never_panics : forall bytes, of_bytes bytes -> held bytes -> decode_slot_safe bytes = true.
Proof. exact slot_never_panics. Qed.

(** ** Claims, with the 48 bytes of their opening *)

Theorem decode_encoded_claim : forall claim, fits_claim OPENING_LENGTH claim -> decode_claim (encode_claim claim) = Ok claim.
Proof. exact Spec.Decoding.TransactionDecoder.decode_encoded_claim. Qed.

Theorem encode_decoded_claim : forall bytes claim, of_bytes bytes -> decode_claim bytes = Ok claim ->
  fits_claim OPENING_LENGTH claim /\ encode_claim claim = bytes.
Proof. intros bytes claim O E. apply decode_claim_iff in E; [|exact O]. destruct E. auto. Qed.

Theorem claim_bytes_injective : forall claim claim', fits_claim OPENING_LENGTH claim -> fits_claim OPENING_LENGTH claim' ->
  encode_claim claim = encode_claim claim' -> claim = claim'.
Proof. exact (one_of_decoded _ _ _ decode_encoded_claim). Qed.

Theorem decode_claim_never_panics : forall bytes, of_bytes bytes -> held bytes -> decode_claim_safe bytes = true.
Proof. exact (claim_never_panics OPENING_LENGTH). Qed.

(** ** Transactions with openings *)

Theorem decode_encoded_transaction : forall tx, fits_received OPENING_LENGTH tx ->
  decode_transaction (encode_transaction tx TRANSACTION_FORMAT) = Ok tx.
Proof. exact Spec.Decoding.TransactionDecoder.decode_encoded_transaction. Qed.

Theorem encode_decoded_transaction : forall bytes tx, of_bytes bytes -> decode_transaction bytes = Ok tx ->
  fits_received OPENING_LENGTH tx /\ encode_transaction tx TRANSACTION_FORMAT = bytes.
Proof. intros bytes tx O E. apply decode_transaction_iff in E; [|exact O]. destruct E. auto. Qed.

Theorem transaction_bytes_injective : forall tx tx', fits_received OPENING_LENGTH tx -> fits_received OPENING_LENGTH tx' ->
  encode_transaction tx TRANSACTION_FORMAT = encode_transaction tx' TRANSACTION_FORMAT -> tx = tx'.
Proof.
  exact (one_of_decoded _ (fun tx => encode_transaction tx TRANSACTION_FORMAT) _ decode_encoded_transaction).
Qed.

Theorem decode_transaction_never_panics : forall bytes, of_bytes bytes -> held bytes -> decode_transaction_safe bytes = true.
Proof. intros bytes. apply transaction_never_panics. Qed.

(** ** Signed transactions, as a client submits them *)

Theorem decode_encoded_signed : forall p signed, transaction_bytes p < 2 ^ 32 -> fits_signed p signed ->
  decode_signed (encode_signed signed) p = Ok signed.
Proof. intros p signed L. apply Spec.Decoding.SignedDecoder.decode_encoded_signed, L. Qed.

Theorem encode_decoded_signed : forall p bytes signed, transaction_bytes p < 2 ^ 32 -> of_bytes bytes ->
  decode_signed bytes p = Ok signed -> fits_signed p signed /\ encode_signed signed = bytes.
Proof. intros p bytes signed L O E. apply (decode_signed_iff p L) in E; [|exact O]. destruct E. auto. Qed.

Theorem signed_bytes_injective : forall p signed signed', transaction_bytes p < 2 ^ 32 -> fits_signed p signed ->
  fits_signed p signed' -> encode_signed signed = encode_signed signed' -> signed = signed'.
Proof.
  intros p signed signed' L.
  exact (one_of_decoded (fun bytes => decode_signed bytes p) _ _ (fun x => decode_encoded_signed p x L) signed signed').
Qed.

Theorem decode_signed_never_panics : forall p bytes, transaction_bytes p < 2 ^ 32 -> of_bytes bytes -> held bytes ->
  decode_signed_safe bytes p = true.
Proof. intros p bytes L. exact (signed_never_panics p L bytes). Qed.

(** ** Blocks, under legal parameters *)

Section Blocks.

Variable p : Parameters.
Hypothesis legal : parameters_legal p = true.

Theorem decode_encoded_block : forall block, fits_block p block -> decode_block (encode_block block) p = Ok block.
Proof. exact (Spec.Decoding.BlockDecoder.decode_encoded_block p (proj1 (proj1 (legal_bounds p legal)))). Qed.

Theorem encode_decoded_block : forall bytes block, of_bytes bytes -> decode_block bytes p = Ok block ->
  fits_block p block /\ encode_block block = bytes.
Proof.
  intros bytes block O E. apply (decode_block_iff p (proj1 (proj1 (legal_bounds p legal)))) in E; [|exact O]. destruct E. auto.
Qed.

Theorem block_bytes_injective : forall block block', fits_block p block -> fits_block p block' ->
  encode_block block = encode_block block' -> block = block'.
Proof. exact (one_of_decoded (fun bytes => decode_block bytes p) _ _ decode_encoded_block). Qed.

Theorem decode_block_never_panics : forall bytes, of_bytes bytes -> held bytes -> decode_block_safe bytes p = true.
Proof. exact (block_never_panics p (proj1 (proj1 (legal_bounds p legal))) (legal_sum p legal)). Qed.

Theorem decode_encoded_aggregated : forall block, fits_aggregated p block ->
  decode_aggregated (encode_aggregated block) p = Ok block.
Proof. exact (Spec.Decoding.AggregatedDecoder.decode_encoded_aggregated p (proj1 (proj1 (legal_bounds p legal)))). Qed.

Theorem encode_decoded_aggregated : forall bytes block, of_bytes bytes -> decode_aggregated bytes p = Ok block ->
  fits_aggregated p block /\ encode_aggregated block = bytes.
Proof.
  intros bytes block O E. apply (decode_aggregated_iff p (proj1 (proj1 (legal_bounds p legal)))) in E; [|exact O].
  destruct E. auto.
Qed.

Theorem aggregated_bytes_injective : forall block block', fits_aggregated p block -> fits_aggregated p block' ->
  encode_aggregated block = encode_aggregated block' -> block = block'.
Proof. exact (one_of_decoded (fun bytes => decode_aggregated bytes p) _ _ decode_encoded_aggregated). Qed.

Theorem decode_aggregated_never_panics : forall bytes, of_bytes bytes -> held bytes -> decode_aggregated_safe bytes p = true.
Proof. exact (aggregated_never_panics p (proj1 (proj1 (legal_bounds p legal))) (legal_sum p legal)). Qed.

(** The list of a chain's block of this height. *)
Theorem decode_encoded_chain_block : forall block, fits_chain_block p block ->
  decode_chain_block (chain_version block) (encode_chain_block block) p = Ok block.
Proof. exact (Spec.Decoding.ChainDecoder.decode_encoded_chain_block p legal). Qed.

Theorem encode_decoded_chain_block : forall height txs block, height < 2 ^ 64 -> Forall of_bytes txs ->
  decode_chain_block height txs p = Ok block ->
  chain_version block = height /\ fits_chain_block p block /\ encode_chain_block block = txs.
Proof.
  intros height txs block H O E. apply (decode_chain_block_iff p legal height txs block H O) in E. destruct E as (V & X & Q). auto.
Qed.

(** Of one height. *)
Theorem chain_block_bytes_injective : forall block block', fits_chain_block p block -> fits_chain_block p block' ->
  chain_version block = chain_version block' -> encode_chain_block block = encode_chain_block block' -> block = block'.
Proof.
  intros block block' X Y V E. apply decode_encoded_chain_block in X, Y. rewrite V, E, Y in X. injection X as X. symmetry. exact X.
Qed.

Theorem decode_chain_block_never_panics : forall height txs, Forall of_bytes txs -> held_list txs ->
  decode_chain_block_safe height txs p = true.
Proof. exact (chain_block_never_panics p legal). Qed.

End Blocks.

(** ** Records of the window, and snapshots *)

Theorem decode_encoded_record : forall record, fits_received_record record -> decode_record (record_bytes record) = Ok record.
Proof. exact Spec.Decoding.RecordDecoder.decode_encoded_record. Qed.

Theorem encode_decoded_record : forall bytes record, of_bytes bytes -> decode_record bytes = Ok record ->
  fits_received_record record /\ record_bytes record = bytes.
Proof. intros bytes record O E. apply decode_record_iff in E; [|exact O]. destruct E. auto. Qed.

Theorem record_bytes_injective : forall record record', fits_received_record record -> fits_received_record record' ->
  record_bytes record = record_bytes record' -> record = record'.
Proof. exact (one_of_decoded _ _ _ decode_encoded_record). Qed.

Theorem decode_record_never_panics : forall bytes, of_bytes bytes -> held bytes -> decode_record_safe bytes = true.
Proof. exact record_never_panics. Qed.

Theorem decode_encoded_snapshot : forall dictionary state, fits_snapshot dictionary state ->
  decode_snapshot dictionary (encode_snapshot state) = Ok state.
Proof. exact Spec.Decoding.SnapshotDecoder.decode_encoded_snapshot. Qed.

Theorem encode_decoded_snapshot : forall dictionary bytes state, of_bytes bytes -> decode_snapshot dictionary bytes = Ok state ->
  fits_snapshot dictionary state /\ encode_snapshot state = bytes.
Proof. intros dictionary bytes state O E. apply decode_snapshot_iff in E; [|exact O]. destruct E. auto. Qed.

Theorem snapshot_bytes_injective : forall dictionary state state', fits_snapshot dictionary state ->
  fits_snapshot dictionary state' -> encode_snapshot state = encode_snapshot state' -> state = state'.
Proof.
  intros dictionary. exact (one_of_decoded (decode_snapshot dictionary) _ _ (decode_encoded_snapshot dictionary)).
Qed.

Theorem decode_snapshot_never_panics : forall dictionary bytes, of_bytes bytes -> held bytes ->
  decode_snapshot_safe dictionary bytes = true.
Proof. exact snapshot_never_panics. Qed.

(** ** Import blocks of an archive's log *)

Theorem decode_encoded_import : forall block, fits_import block -> decode_import (encode_import block) = Ok block.
Proof. exact Spec.Decoding.ImportDecoder.decode_encoded_import. Qed.

Theorem encode_decoded_import : forall bytes block, of_bytes bytes -> decode_import bytes = Ok block ->
  fits_import block /\ encode_import block = bytes.
Proof. intros bytes block O E. apply decode_import_iff in E; [|exact O]. destruct E. auto. Qed.

Theorem import_bytes_injective : forall block block', fits_import block -> fits_import block' ->
  encode_import block = encode_import block' -> block = block'.
Proof. exact (one_of_decoded _ _ _ decode_encoded_import). Qed.

Theorem decode_import_never_panics : forall bytes, of_bytes bytes -> held bytes -> decode_import_safe bytes = true.
Proof. exact import_never_panics. Qed.

End Decoders.
