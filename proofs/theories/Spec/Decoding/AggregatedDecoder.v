(** Aggregated blocks are read back from their bytes, and from no others, within the limits of a dictionary.

    - [points_inverts], [read_proof_iff]: the points; points and tail vectors;
    - [decode_aggregated_iff], [aggregated_never_panics]: whole blocks. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Hash Dictionary.Slot Dictionary.Genesis
  Decoding.DecodeReason Decoding.Cursor Decoding.TransactionDecoder Decoding.BlockDecoder Decoding.AggregatedDecoder
  Decoding.CursorSafe Decoding.TransactionDecoderSafe Decoding.BlockDecoderSafe Decoding.AggregatedDecoderSafe.
From Aardvark Require Import Lemmas.LoopLemmas Spec.Base.Bytes Lemmas.RootLemmas Safety.BoundsSafe Lemmas.Readers
  Spec.Decoding.TransactionDecoder Spec.Decoding.BlockDecoder.
Import ListNotations.
Local Open Scope N_scope.

Section AggregatedDecoder.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

Definition fits_point (point : ByteString) : Prop := seq_length point = OPENING_LENGTH.

(** Points and tail vectors that a block of this dictionary may have. *)
Definition fits_proof (p : Parameters) (proof : ReceivedProof) : Prop :=
  seq_length (proved_points proof) < 2 ^ 16 /\ seq_length (proved_points proof) <= vector_size p /\
  Forall fits_point (proved_points proof) /\ fits_tail p (proved_tail proof).

(** An aggregated block that a dictionary's limits let in: its claims have no openings. *)
Definition fits_aggregated (p : Parameters) (block : ReceivedAggregated) : Prop :=
  received_version (received_plain block) < 2 ^ 64 /\
  fits_transactions p 0 BARE_TRANSACTION_FORMAT (received_transactions (received_plain block)) /\
  fits_proof p (proof_of_aggregated block) /\ seq_length (encode_aggregated block) <= block_bytes p.

Lemma encode_points_flat : forall items, encode_points items = flat_map (fun x => x) items.
Proof.
  intros items. etransitivity; [exact (loop_over_elements _ _ _ (fun e (x : ByteString) => e ++ x) items [])|].
  rewrite (RootLemmas.fold_append _ (fun x => x)). reflexivity.
Qed.

Theorem points_inverts : forall count,
  inverts (fun l => seq_length l = count /\ Forall fits_point l) (flat_map (fun x => x)) (fun bytes => read_points bytes count).
Proof.
  apply (many_inverts fits_point (fun x => x) (fun bytes => take_bytes bytes OPENING_LENGTH) (take_inverts OPENING_LENGTH)).
  intros x L. rewrite L. reflexivity.
Qed.

Theorem points_never_panic : forall bytes count, of_bytes bytes -> held bytes -> read_points_safe bytes count = true.
Proof.
  intros bytes count O H. unfold read_points_safe. rewrite turns_never_panic by assumption. cbn [andb].
  apply (many_safe fits_point (fun x => x) (fun bytes => take_bytes bytes OPENING_LENGTH) (take_inverts OPENING_LENGTH)
    (fun bytes => take_bytes_safe bytes OPENING_LENGTH)); [|assumption|assumption].
  intros. apply take_never_panics.
Qed.

Section Limits.

Variable p : Parameters.
Hypothesis vectors_not_empty : 1 <= vector_size p.

Lemma read_encoded_proof : forall proof, fits_proof p proof -> read_proof (encode_proof proof) p = Ok proof.
Proof.
  intros proof (A & B & C & D). unfold read_proof, encode_proof. rewrite encode_points_flat. reads u16_inverts.
  rewrite (proj2 (take_quota_ok _ _ _ _) (conj B eq_refl)).
  reads (points_inverts (seq_length (proved_points proof))); [|split; [reflexivity|exact C]].
  rewrite (read_encoded_tail p vectors_not_empty) by exact D. destruct proof. reflexivity.
Qed.

Theorem read_proof_iff : forall bytes proof, of_bytes bytes ->
  read_proof bytes p = Ok proof <-> fits_proof p proof /\ bytes = encode_proof proof.
Proof.
  intros bytes proof O. split.
  - intros E. unfold read_proof in E. unfold encode_proof. took u16_inverts. destruct (take_quota _ _ _) eqn:Q in E; [|discriminate E]. apply take_quota_ok in Q.
    took (points_inverts n). destruct (read_tail _ _) as [vectors|] eqn:R; [|discriminate E]. injection E as <-.
    apply (read_tail_iff p vectors_not_empty) in R; [|assumption]. destruct R as [Y ->]. cbn [proved_points proved_tail].
    rewrite encode_points_flat. destruct X0 as [L X0]. unfold fits_proof. cbn [proved_points proved_tail].
    rewrite L. split; [|reflexivity]. tauto.
  - intros [X ->]. apply read_encoded_proof, X.
Qed.

Lemma decode_encoded_aggregated : forall block, fits_aggregated p block -> decode_aggregated (encode_aggregated block) p = Ok block.
Proof.
  intros block (V & X & Y & L). unfold decode_aggregated, expect_length. rewrite (proj2 (N.leb_le _ _) L).
  unfold encode_aggregated. rewrite (head_encoded p) by (assumption || reflexivity). cbn [read_rest read_before].
  rewrite read_encoded_proof by exact Y. destruct block as [[] ?]. reflexivity.
Qed.

Theorem decode_aggregated_iff : forall bytes block, of_bytes bytes ->
  decode_aggregated bytes p = Ok block <-> fits_aggregated p block /\ bytes = encode_aggregated block.
Proof.
  intros bytes block O. split.
  - intros E. unfold decode_aggregated, expect_length in E. destruct (N.leb_spec (seq_length bytes) (block_bytes p)) as [L|]; [|discriminate E].
    destruct (read_head _ _ _ _ _) as [[b found]|] eqn:H; [|discriminate E].
    apply (head_found p) in H; [|exact O]. destruct H as (V & X & O' & Q).
    destruct (read_proof _ _) as [proof|] eqn:R; [|discriminate E]. injection E as <-.
    apply read_proof_iff in R; [|exact O']. destruct R as [Y R]. specialize (Q (proved_tail proof)). rewrite R in Q.
    set (whole := aggregated_of_parts b (read_before found) proof).
    assert (P : proof_of_aggregated whole = proof) by (destruct proof; reflexivity).
    assert (Z : bytes = encode_aggregated whole) by (unfold encode_aggregated; rewrite P; exact Q).
    split; [|exact Z]. unfold fits_aggregated. rewrite <- Z, P. tauto.
  - intros [X ->]. apply decode_encoded_aggregated, X.
Qed.

Hypothesis parameters_held : block_operations p + vector_size p < 2 ^ 64.

Theorem proof_never_panics : forall bytes, of_bytes bytes -> held bytes -> read_proof_safe bytes p = true.
Proof.
  intros bytes O H. unfold read_proof_safe. rewrite number_never_panics by (lia || exact O). safe_behind u16_inverts.
  destruct (take_quota _ _ _); [|reflexivity].
  rewrite points_never_panic by assumption. safe_behind (points_inverts n).
  apply (tail_never_panics p vectors_not_empty parameters_held); assumption.
Qed.

Theorem aggregated_never_panics : forall bytes, of_bytes bytes -> held bytes -> decode_aggregated_safe bytes p = true.
Proof.
  intros bytes O H. unfold decode_aggregated_safe. destruct (expect_length _ _); [|reflexivity].
  rewrite head_never_panics by assumption. cbn [andb].
  destruct (read_head _ _ _ _ _) as [[b found]|] eqn:E; [|reflexivity].
  apply head_found in E; [|exact O]. destruct E as (_ & _ & O' & Q). specialize (Q []).
  apply proof_never_panics; [exact O'|]. subst bytes. unfold held in *. rewrite seq_length_app in H. lia.
Qed.

End Limits.

End AggregatedDecoder.
