(** Claims and transactions are read back from their bytes, and from no others.

    - [claim_inverts], [claims_inverts]: one claim; so many;
    - [read_encoded_transaction], [read_transaction_encoded]: what is encoded is read, within the quotas; what is read is
      encoded by the same bytes, and kept the quotas;
    - [decode_claim_iff], [decode_transaction_iff]: whole strings;
    - [claim_never_panics], [claims_never_panic], [transaction_never_panics]. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Hash Commitment.Opening Dictionary.Slot Block.Operation
  Block.Transaction Decoding.DecodeReason Decoding.Cursor Decoding.SlotDecoder Decoding.OperationDecoder
  Decoding.TransactionDecoder Decoding.CursorSafe Decoding.SlotDecoderSafe Decoding.OperationDecoderSafe
  Decoding.TransactionDecoderSafe.
From Aardvark Require Import Lemmas.LoopLemmas Spec.Base.Bytes Lemmas.RootLemmas Spec.Block.Transaction Safety.BoundsSafe
  Lemmas.Readers Spec.Decoding.SlotDecoder Spec.Decoding.OperationDecoder.
Import ListNotations.
Local Open Scope N_scope.

Section TransactionDecoder.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** A claim whose position and slot the encoding can hold, with an opening of so many bytes. *)
Definition fits_claim (opening_length : N) (c : ReceivedClaim) : Prop :=
  received_position c < 2 ^ 64 /\ fits_slot (received_slot c) /\ seq_length (received_opening c) = opening_length.

(** A transaction that the encoding can hold, its claims with openings of so many bytes. *)
Definition fits_received (opening_length : N) (tx : ReceivedTransaction) : Prop :=
  received_first tx < 2 ^ 64 /\ received_last tx < 2 ^ 64 /\ seq_length (received_nonce tx) = NONCE_LENGTH /\
  seq_length (received_operations tx) < 2 ^ 16 /\ Forall fits_operation (received_operations tx) /\
  seq_length (received_claims tx) < 2 ^ 16 /\ Forall (fits_claim opening_length) (received_claims tx).

(** There is room for its operations and claims. *)
Definition within_quotas (quotas : ItemQuotas) (tx : ReceivedTransaction) : Prop :=
  seq_length (received_operations tx) <= operations_left quotas /\ seq_length (received_claims tx) <= claims_left quotas.

(** What is left without them. *)
Definition quotas_without (quotas : ItemQuotas) (tx : ReceivedTransaction) : ItemQuotas :=
  {| operations_left := operations_left quotas - seq_length (received_operations tx);
     claims_left := claims_left quotas - seq_length (received_claims tx) |}.

(** ** Claims *)

Theorem claim_inverts : forall n, inverts (fits_claim n) encode_claim (fun bytes => read_claim bytes n).
Proof.
  intros n. split.
  - intros [p x o] rest (P & X & L). cbn [received_position received_slot received_opening] in *.
    unfold read_claim, encode_claim. cbn [received_position received_slot received_opening]. rewrite <- !app_assoc.
    reads u64_inverts. reads slot_inverts. reads (take_inverts n). reflexivity.
  - intros bytes c rest O E. unfold read_claim in E. took u64_inverts. took slot_inverts. took (take_inverts n).
    injection E as <- <-. split; [repeat split; assumption || apply X0|]. unfold encode_claim.
    cbn [received_position received_slot received_opening]. rewrite <- !app_assoc. reflexivity.
Qed.

Lemma claim_some : forall c, 0 < seq_length (encode_claim c).
Proof. intros c. unfold encode_claim. rewrite !seq_length_app, u64_length. lia. Qed.

Theorem claims_inverts : forall n count, inverts (fun l => seq_length l = count /\ Forall (fits_claim n) l) (flat_map encode_claim)
  (fun bytes => read_claims bytes count n).
Proof.
  intros n. exact (many_inverts (fits_claim n) encode_claim (fun bytes => read_claim bytes n) (claim_inverts n)
    (fun c _ => claim_some c)).
Qed.

Lemma encode_claims_flat : forall items, encode_claims items = flat_map encode_claim items.
Proof.
  intros. unfold encode_claims, encode_claims_step.
  rewrite (loop_over_elements _ _ _ (fun e x => e ++ encode_claim x)), fold_append. reflexivity.
Qed.

Lemma decode_encoded_claim : forall c, fits_claim OPENING_LENGTH c -> decode_claim (encode_claim c) = Ok c.
Proof.
  intros c X. unfold decode_claim. rewrite <- (app_nil_r (encode_claim c)). reads (claim_inverts OPENING_LENGTH). reflexivity.
Qed.

Theorem decode_claim_iff : forall bytes c, of_bytes bytes ->
  decode_claim bytes = Ok c <-> fits_claim OPENING_LENGTH c /\ bytes = encode_claim c.
Proof.
  intros bytes c O. split.
  - intros E. unfold decode_claim in E. took (claim_inverts OPENING_LENGTH). destruct (expect_end _) eqn:Z; [|discriminate E].
    apply expect_end_ok in Z. injection E as <-. subst. rewrite app_nil_r. auto.
  - intros [X ->]. apply decode_encoded_claim, X.
Qed.

(** ** Transactions *)

Lemma encode_transaction_parts : forall tx format, encode_transaction tx format =
  u8_bytes format ++ u64_bytes (received_first tx) ++ u64_bytes (received_last tx) ++ received_nonce tx ++
  u16_bytes (seq_length (received_operations tx)) ++ flat_map encode_operation (received_operations tx) ++
  u16_bytes (seq_length (received_claims tx)) ++ flat_map encode_claim (received_claims tx).
Proof.
  intros tx format. unfold encode_transaction, encode_core, meant_transaction. cbn [first_valid last_valid nonce operations].
  rewrite encode_operations_flat, encode_claims_flat, <- !app_assoc. reflexivity.
Qed.

Theorem read_encoded_transaction : forall tx format n quotas, format < 2 ^ 8 -> fits_received n tx -> within_quotas quotas tx ->
  read_transaction (encode_transaction tx format) format n quotas = Ok (tx, quotas_without quotas tx).
Proof.
  intros tx format n quotas B (A1 & A2 & A3 & A4 & A5 & A6 & A7) [Q1 Q2]. rewrite encode_transaction_parts. unfold read_transaction.
  rewrite expect_format_read by exact B. reads u64_inverts. reads u64_inverts. reads (take_inverts NONCE_LENGTH).
  reads u16_inverts. rewrite (proj2 (take_quota_ok _ _ _ _) (conj Q1 eq_refl)).
  reads (operations_inverts (seq_length (received_operations tx))); [|split; [reflexivity|exact A5]].
  reads u16_inverts. rewrite (proj2 (take_quota_ok _ _ _ _) (conj Q2 eq_refl)).
  rewrite <- (app_nil_r (flat_map encode_claim _)).
  reads (claims_inverts n (seq_length (received_claims tx))); [|split; [reflexivity|exact A7]].
  destruct tx. reflexivity.
Qed.

Theorem read_transaction_encoded : forall bytes format n quotas tx quotas', of_bytes bytes ->
  read_transaction bytes format n quotas = Ok (tx, quotas') ->
  fits_received n tx /\ within_quotas quotas tx /\ quotas' = quotas_without quotas tx /\ bytes = encode_transaction tx format.
Proof.
  intros bytes format n quotas tx quotas' O E. unfold read_transaction in E.
  destruct (expect_format bytes format) as [r|] eqn:T; [|discriminate E].
  apply expect_format_ok in T; [|exact O]. destruct T as [-> O0]. clear O.
  took u64_inverts. took u64_inverts. took (take_inverts NONCE_LENGTH). took u16_inverts.
  destruct (take_quota _ _ _) as [operations_then|] eqn:Q1 in E; [|discriminate E]. apply take_quota_ok in Q1. destruct Q1 as [Q1 ->].
  took (operations_inverts n2). took u16_inverts.
  destruct (take_quota _ _ _) as [claims_then|] eqn:Q2 in E; [|discriminate E]. apply take_quota_ok in Q2. destruct Q2 as [Q2 ->].
  took (claims_inverts n n3). destruct (expect_end _) eqn:Z; [|discriminate E]. apply expect_end_ok in Z. injection E as <- <-.
  repeat match goal with X : _ /\ _ |- _ => destruct X end. subst.
  rewrite encode_transaction_parts. unfold fits_received, within_quotas, quotas_without.
  cbn [received_first received_last received_nonce received_operations received_claims].
  rewrite app_nil_r, <- ?app_assoc. repeat split; assumption.
Qed.

(** ** Without panics *)

Theorem claim_never_panics : forall n bytes, of_bytes bytes -> held bytes -> read_claim_safe bytes n = true.
Proof.
  intros n bytes O H. unfold read_claim_safe. rewrite number_never_panics by (lia || exact O). safe_behind u64_inverts.
  rewrite slot_never_panics by assumption. safe_behind slot_inverts. apply take_never_panics.
Qed.

Theorem claims_never_panic : forall n bytes count, of_bytes bytes -> held bytes -> read_claims_safe bytes count n = true.
Proof.
  intros n bytes count O H. unfold read_claims_safe. rewrite turns_never_panic by exact H. cbn [andb].
  exact (many_safe (fits_claim n) encode_claim (fun bytes => read_claim bytes n) (claim_inverts n)
    (fun bytes => read_claim_safe bytes n) count bytes (claim_never_panics n) O H).
Qed.

Theorem transaction_never_panics : forall bytes format n quotas, of_bytes bytes -> held bytes ->
  read_transaction_safe bytes format n quotas = true.
Proof.
  intros bytes format n quotas O H. unfold read_transaction_safe, expect_format_safe.
  rewrite number_never_panics by (lia || exact O). cbn [andb].
  destruct (expect_format bytes format) as [r|] eqn:T; [|reflexivity].
  apply expect_format_ok in T; [|exact O]. destruct T as [-> O0].
  assert (H0 : held r) by (unfold held in *; rewrite seq_length_app in H; lia). clear O H.
  rewrite number_never_panics by (lia || assumption). safe_behind u64_inverts.
  rewrite number_never_panics by (lia || assumption). safe_behind u64_inverts.
  rewrite take_never_panics. safe_behind (take_inverts NONCE_LENGTH).
  rewrite number_never_panics by (lia || assumption). safe_behind u16_inverts.
  destruct (take_quota _ _ _); [|reflexivity].
  rewrite operations_never_panic by assumption. safe_behind (operations_inverts n2).
  rewrite number_never_panics by (lia || assumption). safe_behind u16_inverts.
  destruct (take_quota _ _ _); [|reflexivity]. apply claims_never_panic; assumption.
Qed.

(** The quotas of a transaction alone keep nothing out. *)
Lemma unlimited : forall n tx, fits_received n tx -> within_quotas unlimited_quotas tx.
Proof.
  intros n tx (_ & _ & _ & A & _ & B & _). change (2 ^ 16) with 65536 in A, B. unfold within_quotas, unlimited_quotas.
  cbn [operations_left claims_left]. lia.
Qed.

Lemma decode_encoded_transaction : forall tx, fits_received OPENING_LENGTH tx ->
  decode_transaction (encode_transaction tx TRANSACTION_FORMAT) = Ok tx.
Proof.
  intros tx X. unfold decode_transaction. rewrite read_encoded_transaction; [reflexivity|reflexivity|exact X|exact (unlimited _ _ X)].
Qed.

Theorem decode_transaction_iff : forall bytes tx, of_bytes bytes ->
  decode_transaction bytes = Ok tx <-> fits_received OPENING_LENGTH tx /\ bytes = encode_transaction tx TRANSACTION_FORMAT.
Proof.
  intros bytes tx O. split.
  - intros E. unfold decode_transaction in E. destruct (read_transaction _ _ _ _) as [[found quotas]|] eqn:R; [|discriminate E]. injection E as <-.
    apply read_transaction_encoded in R; [|exact O]. tauto.
  - intros [X ->]. apply decode_encoded_transaction, X.
Qed.

End TransactionDecoder.
