(** Signed transactions are read back from their bytes, and from no others.

    - [signatures_inverts]: signatures, in strictly ascending order of the signers' keys;
    - [decode_signed_body_iff]: a signed transaction of either form, its transaction still as bytes;
    - [decode_encoded_signed], [decode_signed_iff]: one with openings, within the limits of a dictionary;
    - [signed_body_never_panics], [signed_never_panics]. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Hash Dictionary.Genesis Decoding.DecodeReason
  Decoding.Cursor Decoding.TransactionDecoder Decoding.BlockDecoder Decoding.SignedDecoder Base.BytesSafe Decoding.CursorSafe
  Decoding.TransactionDecoderSafe Decoding.SignedDecoderSafe.
From Aardvark Require Import Lemmas.LoopLemmas Spec.Base.Bytes Lemmas.RootLemmas Safety.SlotMapSafe Safety.BoundsSafe
  Lemmas.Readers Lemmas.OrderedReaders Spec.Decoding.TransactionDecoder.
Import ListNotations.
Local Open Scope N_scope.

Section SignedDecoder.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

Definition fits_signature (s : ReceivedSignature) : Prop :=
  seq_length (signer_key s) = PUBLIC_KEY_LENGTH /\ seq_length (signer_signature s) = SIGNATURE_LENGTH.

(** Signers are ordered by their keys. *)
Definition signer_before (s s' : ReceivedSignature) : bool := bytes_less (signer_key s) (signer_key s').

(** At most 255 signatures, no key twice. *)
Definition fits_signatures (items : list ReceivedSignature) : Prop :=
  seq_length items < 2 ^ 8 /\ Forall fits_signature items /\ ascends signer_before items.

Definition fits_body (body : SignedBody) : Prop :=
  seq_length (body_bytes body) < 2 ^ 32 /\ fits_signatures (body_signatures body).

(** A signed transaction with openings that a dictionary's limits let in. *)
Definition fits_signed (p : Parameters) (signed : ReceivedSigned) : Prop :=
  fits_received OPENING_LENGTH (signed_transaction signed) /\ fits_signatures (signed_signatures signed) /\
  seq_length (encode_transaction (signed_transaction signed) TRANSACTION_FORMAT) <= transaction_bytes p.

Definition signature_bytes (s : ReceivedSignature) : ByteString := signer_key s ++ signer_signature s.

Theorem signature_inverts : inverts fits_signature signature_bytes read_signature.
Proof.
  split.
  - intros [k s] rest [K S]. cbn [signer_key signer_signature] in *. unfold read_signature, signature_bytes.
    cbn [signer_key signer_signature]. rewrite <- app_assoc. reads (take_inverts PUBLIC_KEY_LENGTH).
    reads (take_inverts SIGNATURE_LENGTH). reflexivity.
  - intros bytes x rest O E. unfold read_signature in E. took (take_inverts PUBLIC_KEY_LENGTH).
    took (take_inverts SIGNATURE_LENGTH). injection E as <- <-. split; [split; assumption|]. unfold signature_bytes.
    cbn [signer_key signer_signature]. apply app_assoc.
Qed.

Lemma signature_bytes_length : forall s, fits_signature s -> seq_length (signature_bytes s) = 96.
Proof. intros s [K S]. unfold signature_bytes. rewrite seq_length_app, K, S. reflexivity. Qed.

Theorem signatures_inverts : forall count,
  inverts (fun l => seq_length l = count /\ Forall fits_signature l /\ ascends signer_before l) (flat_map signature_bytes)
    (fun bytes => read_signatures bytes count).
Proof.
  refine (ordered_inverts fits_signature signature_bytes read_signature signature_inverts _ signer_before expect_later_signer
    DecodeReason_UnorderedSigners _ _).
  - intros s X. rewrite signature_bytes_length by exact X. lia.
  - reflexivity.
  - intros before y x. unfold expect_later_signer. rewrite last_of, seq_length_app.
    destruct (N.eqb_spec (seq_length before + seq_length [y]) 0) as [Z|_]; [change (seq_length [y]) with 1 in Z; lia|reflexivity].
Qed.

Lemma encode_signatures_flat : forall items, encode_signatures items = flat_map signature_bytes items.
Proof.
  intros items. etransitivity; [exact (loop_over_elements _ _ _ (fun e x => e ++ signature_bytes x) items [])|].
  rewrite RootLemmas.fold_append. reflexivity.
Qed.

(** ** Bodies *)

Lemma decode_encoded_body : forall body format, format < 2 ^ 8 -> fits_body body ->
  decode_signed_body (encode_signed_body body format) format = Ok body.
Proof.
  intros body format B (L & C & X & W). unfold decode_signed_body, encode_signed_body. rewrite encode_signatures_flat.
  rewrite expect_format_read by exact B. unfold bytes32. rewrite <- !app_assoc. reads u32_inverts.
  rewrite (proj1 (take_inverts _)) by reflexivity. reads u8_inverts. rewrite <- (app_nil_r (flat_map _ _)).
  reads (signatures_inverts (seq_length (body_signatures body))); [|repeat split; assumption]. destruct body. reflexivity.
Qed.

Theorem decode_signed_body_iff : forall bytes format body, format < 2 ^ 8 -> of_bytes bytes ->
  decode_signed_body bytes format = Ok body <-> fits_body body /\ bytes = encode_signed_body body format.
Proof.
  intros bytes format body B O. split.
  - intros E. unfold decode_signed_body in E. destruct (expect_format bytes format) as [r|] eqn:T; [|discriminate E].
    apply expect_format_ok in T; [|exact O]. destruct T as [-> O0]. clear O.
    took u32_inverts. took (take_inverts n). took u8_inverts. took (signatures_inverts n0).
    destruct (expect_end _) eqn:Z; [|discriminate E]. apply expect_end_ok in Z. injection E as <-.
    repeat match goal with X : _ /\ _ |- _ => destruct X end. subst. unfold fits_body, fits_signatures, encode_signed_body, bytes32.
    cbn [body_bytes body_signatures]. rewrite encode_signatures_flat, app_nil_r, <- ?app_assoc. repeat split; assumption.
  - intros [X ->]. apply decode_encoded_body; assumption.
Qed.

(** The bytes of the transaction are bytes. *)
Lemma body_of_bytes : forall bytes format body, format < 2 ^ 8 -> of_bytes bytes -> decode_signed_body bytes format = Ok body ->
  of_bytes (body_bytes body) /\ seq_length (body_bytes body) <= seq_length bytes.
Proof.
  intros bytes format body B O E. apply decode_signed_body_iff in E; [|exact B|exact O]. destruct E as [_ ->].
  unfold encode_signed_body, bytes32 in *. split.
  - apply Forall_app in O. destruct O as [_ O]. apply Forall_app in O. destruct O as [O _]. apply Forall_app in O. apply O.
  - rewrite !seq_length_app. lia.
Qed.

(** ** With openings *)

Lemma signatures_length : forall items, Forall fits_signature items ->
  seq_length (flat_map signature_bytes items) = 96 * seq_length items.
Proof.
  induction items as [|s items IH]; intros X; [reflexivity|]. inversion X; subst. cbn [flat_map].
  rewrite seq_length_app, seq_length_cons, signature_bytes_length, IH by assumption. lia.
Qed.

Lemma signed_not_too_long : forall p signed, fits_signed p signed -> seq_length (encode_signed signed) <= longest_signed p.
Proof.
  intros p signed (_ & (C & X & _) & L). unfold encode_signed, encode_signed_body, body_of_signed, bytes32, longest_signed.
  cbn [body_bytes body_signatures]. rewrite encode_signatures_flat, !seq_length_app, signatures_length by exact X.
  unfold u8_bytes, u32_bytes. rewrite !big_endian_length. change (PUBLIC_KEY_LENGTH + SIGNATURE_LENGTH) with 96.
  change (2 ^ 8) with 256 in C. lia.
Qed.

(** ** Without panics *)

Theorem signature_never_panics : forall bytes, read_signature_safe bytes = true.
Proof.
  intros bytes. unfold read_signature_safe. rewrite take_never_panics. cbn [andb].
  destruct (take_bytes bytes PUBLIC_KEY_LENGTH) as [[k r]|]; [|reflexivity]. apply take_never_panics.
Qed.

Theorem later_signer_never_panics : forall before found, Forall fits_signature before ->
  expect_later_signer_safe before found = true.
Proof.
  intros before found X. unfold expect_later_signer_safe. destruct (N.eqb_spec (seq_length before) 0); [reflexivity|].
  rewrite !andb_true_iff, N.leb_le, N.ltb_lt. split; [lia|]. apply bytes_less_never_panics. rewrite Forall_forall in X.
  unfold short. rewrite (proj1 (X _ (seq_at_in _ _ before (seq_length before - 1) ltac:(lia)))). reflexivity.
Qed.

Theorem signed_body_never_panics : forall bytes format, of_bytes bytes -> held bytes -> decode_signed_body_safe bytes format = true.
Proof.
  intros bytes format O H. unfold decode_signed_body_safe, expect_format_safe. rewrite number_never_panics by (lia || exact O).
  cbn [andb]. destruct (expect_format bytes format) as [r|] eqn:T; [|reflexivity].
  apply expect_format_ok in T; [|exact O]. destruct T as [-> O0].
  assert (H0 : held r) by (unfold held in *; rewrite seq_length_app in H; lia). clear O H.
  rewrite number_never_panics by (lia || assumption). safe_behind u32_inverts. rewrite take_never_panics.
  safe_behind (take_inverts n). rewrite number_never_panics by (lia || assumption). safe_behind u8_inverts.
  unfold read_signatures_safe. rewrite turns_never_panic by assumption. cbn [andb].
  apply (ordered_safe fits_signature signature_bytes read_signature signature_inverts expect_later_signer
    read_signature_safe expect_later_signer_safe).
  - intros. apply signature_never_panics.
  - intros before x X _. apply later_signer_never_panics, X.
  - assumption.
  - assumption.
Qed.

(** ** Under the limits of a dictionary *)

Variable p : Parameters.
Hypothesis limit_held : transaction_bytes p < 2 ^ 32.

Lemma decode_encoded_signed : forall signed, fits_signed p signed -> decode_signed (encode_signed signed) p = Ok signed.
Proof.
  intros signed X. pose proof (signed_not_too_long p signed X) as Long. destruct X as (X & S & L).
  unfold decode_signed, expect_length. rewrite (proj2 (N.leb_le _ _) Long). unfold encode_signed.
  rewrite decode_encoded_body; [|reflexivity|split; [cbn [body_of_signed body_bytes]; lia|exact S]].
  cbn [body_of_signed body_bytes body_signatures]. rewrite (proj2 (N.leb_le _ _) L), decode_encoded_transaction by exact X.
  destruct signed. reflexivity.
Qed.

Theorem decode_signed_iff : forall bytes signed, of_bytes bytes ->
  decode_signed bytes p = Ok signed <-> fits_signed p signed /\ bytes = encode_signed signed.
Proof.
  intros bytes signed O. split.
  - intros E. unfold decode_signed in E. destruct (expect_length _ _); [|discriminate E].
    destruct (decode_signed_body bytes SIGNED_FORMAT) as [body|] eqn:B; [|discriminate E].
    destruct (body_of_bytes _ SIGNED_FORMAT body eq_refl O B) as [Ob _].
    apply decode_signed_body_iff in B; [|reflexivity|exact O]. destruct B as [[L S] ->].
    unfold expect_length in E. destruct (N.leb_spec (seq_length (body_bytes body)) (transaction_bytes p)) as [M|]; [|discriminate E].
    destruct (decode_transaction (body_bytes body)) as [tx|] eqn:T; [|discriminate E]. injection E as <-.
    apply decode_transaction_iff in T; [|exact Ob]. destruct T as [X Q]. unfold fits_signed, encode_signed, body_of_signed.
    cbn [signed_transaction signed_signatures]. rewrite <- Q. destruct body. repeat split; try assumption; apply S || apply X.
  - intros [X ->]. apply decode_encoded_signed, X.
Qed.

Theorem signed_never_panics : forall bytes, of_bytes bytes -> held bytes -> decode_signed_safe bytes p = true.
Proof.
  intros bytes O H. unfold decode_signed_safe.
  assert (L : longest_signed_safe p = true).
  { unfold longest_signed_safe, within_usize. change (PUBLIC_KEY_LENGTH + SIGNATURE_LENGTH) with 96.
    change (2 ^ 32) with 4294967296 in limit_held. change (2 ^ 64) with 18446744073709551616.
    rewrite !andb_true_iff, !N.ltb_lt. lia. }
  rewrite L. cbn [andb]. destruct (expect_length _ _); [|reflexivity]. rewrite signed_body_never_panics by assumption. cbn [andb].
  destruct (decode_signed_body bytes SIGNED_FORMAT) as [body|] eqn:B; [|reflexivity].
  destruct (body_of_bytes _ SIGNED_FORMAT body eq_refl O B) as [Ob Lb]. destruct (expect_length _ _); [|reflexivity].
  apply transaction_never_panics; [exact Ob|unfold held in *; lia].
Qed.

End SignedDecoder.
