(** To apply received bytes is to apply the block that they are.

    - [apply_aggregated_bytes_iff], [apply_chain_list_iff], [apply_block_bytes_iff], [apply_import_bytes_iff]: bytes are applied
      with an outcome if and only if they encode a block that is let in, and that is applied with this outcome;
    - [aggregated_bytes_never_panic], [chain_list_never_panics], [block_bytes_never_panic], [import_bytes_never_panic]: where
      applying a block does not panic, applying bytes does not. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Hash Commitment.Opening Commitment.Scheme
  Dictionary.Array Dictionary.Genesis Block.Rejection Block.State Block.BlockData Block.Validator Block.AggregatedBlock
  Block.DrawnBlock Block.Import Decoding.DecodeReason Decoding.TransactionDecoder Decoding.BlockDecoder
  Decoding.AggregatedDecoder Decoding.SignedDecoder Decoding.ChainDecoder Decoding.ImportDecoder Decoding.AppliedBytes
  Block.ValidatorSafe Block.DrawnBlockSafe Block.ImportSafe Decoding.TransactionDecoderSafe Decoding.AppliedBytesSafe.
From Aardvark Require Import Lemmas.LoopLemmas Spec.Base.Bytes Safety.SlotMapSafe Safety.BoundsSafe Lemmas.Readers
  Spec.Decoding.TransactionDecoder Spec.Decoding.BlockDecoder Spec.Decoding.AggregatedDecoder Spec.Decoding.ChainDecoder
  Spec.Decoding.ImportDecoder Lemmas.MeantBlocks.
Import ListNotations.
Local Open Scope N_scope.

Section AppliedBytes.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** What the challenges bind: the claims' encodings, and the points' bytes as they were received. *)
Definition received_encodings (r : ReceivedAggregated) (claims_encoded : list ClaimEncoding) : BlockEncodings :=
  {| claim_encodings := claims_encoded; point_encodings := received_points r |}.

Variables (setup : Setup) (state : ValidatorState).
(** ** Imports *)

Theorem apply_import_bytes_iff : forall array bytes outcome, of_bytes bytes ->
  apply_import_bytes setup state array bytes = Ok outcome <->
  exists block, fits_import block /\ bytes = encode_import block /\ apply_import setup state array block = Ok outcome.
Proof.
  intros array bytes outcome O. unfold apply_import_bytes. split.
  - destruct (decode_import bytes) as [block|why] eqn:D; [|discriminate]. intros E.
    apply decode_import_iff in D; [|exact O]. destruct D as [X Q].
    destruct (apply_import setup state array block) as [done|why] eqn:A; [|discriminate E].
    injection E as <-. exists block. auto.
  - intros (block & X & -> & E). rewrite (decode_encoded_import block X), E. reflexivity.
Qed.

Theorem import_bytes_never_panic : forall array,
  (forall block, seq_length (import_changes block) < 2 ^ 62 -> apply_import_safe setup state array block = true) ->
  forall bytes, of_bytes bytes -> held bytes -> apply_import_bytes_safe setup state array bytes = true.
Proof.
  intros array safe bytes O H. unfold apply_import_bytes_safe. rewrite import_never_panics by assumption. cbn [andb].
  destruct (decode_import bytes) as [block|why] eqn:D; [|reflexivity]. apply decode_import_iff in D; [|exact O].
  destruct D as [(_ & L & _) _]. apply safe. change (2 ^ 32) with 4294967296 in L. change (2 ^ 62) with 4611686018427387904. lia.
Qed.

(** ** Blocks *)

Hypothesis legal : parameters_legal (parameters state) = true.
Let not_empty : 1 <= vector_size (parameters state) := proj1 (proj1 (legal_bounds _ legal)).

Lemma read_and_applied_ok : forall applied outcome, read_and_applied applied = Ok outcome <-> applied = Ok outcome.
Proof. intros [done|rejection] outcome; cbn [read_and_applied]; split; intros E; try discriminate E; congruence. Qed.

(** ** What is applied *)

Theorem apply_aggregated_bytes_iff : forall bytes meanings claims_encoded outcome, of_bytes bytes ->
  apply_aggregated_bytes setup state bytes meanings claims_encoded = Ok outcome <->
  exists r, fits_aggregated (parameters state) r /\ bytes = encode_aggregated r /\
    apply_aggregated_block setup state (meant_aggregated r meanings) (received_encodings r claims_encoded) = Ok outcome.
Proof.
  intros bytes m e outcome O. unfold apply_aggregated_bytes. split.
  - destruct (decode_aggregated bytes (parameters state)) as [r|why] eqn:D; [|discriminate]. intros E.
    apply (decode_aggregated_iff _ not_empty) in D; [|exact O]. destruct D as [X Q]. apply read_and_applied_ok in E.
    exists r. auto.
  - intros (r & X & -> & E). rewrite (decode_encoded_aggregated _ not_empty r X). apply read_and_applied_ok, E.
Qed.

Theorem apply_chain_list_iff : forall height txs meanings claims_encoded outcome, height < 2 ^ 64 -> Forall of_bytes txs ->
  apply_chain_list setup state height txs meanings claims_encoded = Ok outcome <->
  exists r, chain_version r = height /\ fits_chain_block (parameters state) r /\ txs = encode_chain_block r /\
    apply_aggregated_block setup state (meant_aggregated (chain_aggregated r) meanings)
      (received_encodings (chain_aggregated r) claims_encoded) = Ok outcome.
Proof.
  intros height txs m e outcome H O. unfold apply_chain_list. split.
  - destruct (decode_chain_block height txs (parameters state)) as [r|why] eqn:D; [|discriminate]. intros E.
    apply (decode_chain_block_iff _ legal) in D; [|exact H|exact O]. destruct D as (V & X & Q). apply read_and_applied_ok in E.
    exists r. auto.
  - intros (r & <- & X & -> & E). rewrite (decode_encoded_chain_block _ legal r X). apply read_and_applied_ok, E.
Qed.

Theorem apply_block_bytes_iff : forall bytes meanings outcome, of_bytes bytes ->
  apply_block_bytes setup state bytes meanings = Ok outcome <->
  exists r, fits_block (parameters state) r /\ bytes = encode_block r /\
    apply_block setup state (meant_block r meanings) = Ok outcome.
Proof.
  intros bytes m outcome O. unfold apply_block_bytes. split.
  - destruct (decode_block bytes (parameters state)) as [r|why] eqn:D; [|discriminate]. intros E.
    apply (decode_block_iff _ not_empty) in D; [|exact O]. destruct D as [X Q]. apply read_and_applied_ok in E.
    exists r. auto.
  - intros (r & X & -> & E). rewrite (decode_encoded_block _ not_empty r X). apply read_and_applied_ok, E.
Qed.

(** ** Without panics *)

Lemma meant_transactions_never_panic : forall received meanings, meant_transactions_safe received meanings = true.
Proof.
  intros received m. unfold meant_transactions_safe. apply (loop_is_safe _ (fun _ _ => True)); [exact I|]. intros x items Hx _.
  split; [|exact I]. rewrite (proj2 (N.ltb_lt _ _)) by lia. cbn [andb].
  unfold meant_transactions_step_safe, meant_transaction_safe, meant_claims_safe.
  apply (loop_is_safe _ (fun _ _ => True)); [exact I|]. intros c claims Hc _. split; [|exact I]. apply N.ltb_lt. lia.
Qed.

Lemma chain_aggregated_never_panics : forall r, chain_aggregated_safe r = true.
Proof.
  intros r. unfold chain_aggregated_safe, unsigned_transactions_safe. apply (loop_is_safe _ (fun _ _ => True)); [exact I|].
  intros x items Hx _. split; [|exact I]. apply N.ltb_lt. lia.
Qed.

Lemma limits_small : block_claims (parameters state) < 2 ^ 32 /\ block_bytes (parameters state) < 2 ^ 32.
Proof.
  pose proof legal as L. unfold parameters_legal, counts_legal, lengths_legal, fits_u32 in L. cbv zeta in L.
  rewrite !andb_true_iff, !N.leb_le in L. change (2 ^ 32) with 4294967296. lia.
Qed.

(** No aggregated block of bytes, of fewer than 2^64 of them, makes its application panic. *)
Hypothesis aggregated_safe : forall aggregated encodings, block_of_bytes (plain_block aggregated) ->
  block_length (plain_block aggregated) + 2 + 48 * seq_length (block_points aggregated) < 2 ^ 64 ->
  apply_aggregated_block_safe setup state aggregated encodings = true.

Lemma received_aggregated_never_panics : forall r meanings claims_encoded, fits_aggregated (parameters state) r ->
  (forall tx, In tx (received_transactions (received_plain r)) -> of_bytes (encode_transaction tx BARE_TRANSACTION_FORMAT)) ->
  of_bytes (encode_proof (proof_of_aggregated r)) -> apply_received_aggregated_safe setup state r meanings claims_encoded = true.
Proof.
  intros r m e X Oh Op. unfold apply_received_aggregated_safe, meant_aggregated_safe, meant_block_safe. cbv zeta.
  rewrite meant_transactions_never_panic. cbn [andb]. apply aggregated_safe.
  - unfold encode_proof, proof_of_aggregated in Op. cbn [proved_points proved_tail] in Op.
    apply Forall_app in Op. destruct Op as [_ Op]. apply Forall_app in Op.
    exact (meant_block_of_bytes _ (received_plain r) [] Oh (proj2 Op)).
  - rewrite (meant_aggregated_with_openings _ r m X). destruct X as (_ & (_ & _ & _ & _ & C) & _ & L).
    destruct limits_small as [Lc Lb]. change (2 ^ 32) with 4294967296 in *. change (2 ^ 64) with 18446744073709551616. lia.
Qed.

Theorem aggregated_bytes_never_panic : forall bytes meanings claims_encoded, of_bytes bytes -> held bytes ->
  apply_aggregated_bytes_safe setup state bytes meanings claims_encoded = true.
Proof.
  intros bytes m e O H. unfold apply_aggregated_bytes_safe.
  rewrite (aggregated_never_panics _ not_empty (legal_sum _ legal)) by assumption. cbn [andb].
  destruct (decode_aggregated bytes (parameters state)) as [r|why] eqn:D; [|reflexivity].
  apply (decode_aggregated_iff _ not_empty) in D; [|exact O]. destruct D as [X ->].
  unfold encode_aggregated in O. apply Forall_app in O. destruct O as [Oh Op].
  apply received_aggregated_never_panics; [exact X|exact (head_of_bytes _ _ _ Oh)|exact Op].
Qed.

(** The bytes of a list are those of the transactions and of what proves them. *)
Lemma list_of_bytes : forall r, chain_transactions r <> [] -> Forall of_bytes (encode_chain_block r) ->
  of_bytes (encode_proof (chain_proof r)) /\
  forall signed, In signed (chain_transactions r) ->
    of_bytes (encode_transaction (signed_transaction signed) BARE_TRANSACTION_FORMAT).
Proof.
  intros r Some O. unfold encode_chain_block in O. destruct (N.eqb_spec (seq_length (chain_transactions r)) 0) as [Z|_].
  - destruct (chain_transactions r); [congruence|rewrite seq_length_cons in Z; lia].
  - cbv zeta in O. rewrite encode_listed_list in O. inversion O as [|? ? Of Ol]; subst. split.
    + inversion Of; assumption.
    + intros signed I. rewrite Forall_map, Forall_forall in Ol. specialize (Ol signed I). cbv beta in Ol.
      unfold listed, bare_body, encode_signed_body, body_of_signed, bytes32 in Ol. cbn [body_bytes body_signatures] in Ol.
      apply Forall_app in Ol. destruct Ol as [_ Ol]. apply Forall_app in Ol. destruct Ol as [Ol _]. apply Forall_app in Ol. apply Ol.
Qed.

Theorem chain_list_never_panics : forall height txs meanings claims_encoded, height < 2 ^ 64 -> Forall of_bytes txs ->
  held_list txs -> apply_chain_list_safe setup state height txs meanings claims_encoded = true.
Proof.
  intros height txs m e H O L. unfold apply_chain_list_safe. rewrite (chain_block_never_panics _ legal) by assumption. cbn [andb].
  destruct (decode_chain_block height txs (parameters state)) as [r|why] eqn:D; [|reflexivity].
  rewrite chain_aggregated_never_panics. cbn [andb].
  apply (decode_chain_block_iff _ legal) in D; [|exact H|exact O]. destruct D as (V & X & ->).
  destruct X as [(T & P & W)|(Some & X & _)].
  - destruct r as [v items [points tail]]. cbn [chain_version chain_transactions chain_proof proved_points proved_tail] in *. subst.
    unfold apply_received_aggregated_safe, meant_aggregated_safe, meant_block_safe. cbv zeta.
    rewrite meant_transactions_never_panic. cbn [andb]. apply aggregated_safe; [|reflexivity].
    split; [intros tx I; exact (False_ind _ I)|intros vector x I; exact (False_ind _ I)].
  - destruct (list_of_bytes r Some O) as [Op Ot]. rewrite chain_aggregated_same.
    assert (P : proof_of_aggregated (aggregated_of_chain r) = chain_proof r) by (destruct r as [? ? []]; reflexivity).
    apply received_aggregated_never_panics; [exact X| |rewrite P; exact Op].
    intros tx I. unfold aggregated_of_chain in I. cbn [aggregated_of_parts received_plain received_transactions] in I.
    apply in_map_iff in I. destruct I as (signed & <- & I). exact (Ot signed I).
Qed.

Theorem block_bytes_never_panic :
  (forall block, block_of_bytes block -> block_length block < 2 ^ 64 -> apply_block_safe setup state block = true) ->
  forall bytes meanings, of_bytes bytes -> held bytes -> apply_block_bytes_safe setup state bytes meanings = true.
Proof.
  intros safe bytes m O H. unfold apply_block_bytes_safe.
  rewrite (block_never_panics _ not_empty (legal_sum _ legal)) by assumption. cbn [andb].
  destruct (decode_block bytes (parameters state)) as [r|why] eqn:D; [|reflexivity].
  apply (decode_block_iff _ not_empty) in D; [|exact O]. destruct D as [X ->].
  unfold meant_block_safe. rewrite meant_transactions_never_panic. cbn [andb]. apply safe.
  - unfold encode_block in O. apply Forall_app in O. destruct O as [Oh Ot]. exact (meant_block_of_bytes _ r m (head_of_bytes _ _ r Oh) Ot).
  - rewrite (meant_block_length _ r m X). destruct X as (_ & _ & _ & L). destruct limits_small as [_ Lb].
    change (2 ^ 32) with 4294967296 in Lb. change (2 ^ 64) with 18446744073709551616. lia.
Qed.

End AppliedBytes.
