(** Signed transactions are read back from their bytes, and from no others.

    - [signatures_inverts]: signatures, in strictly ascending order of the signers' keys;
    - [certificates_inverts]: certificates, still as bytes;
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

Definition fits_certificate (c : ReceivedCertificate) : Prop :=
  received_segments c < 2 ^ 16 /\ seq_length (received_certificate c) < 2 ^ 32.

Definition fits_certificates (items : list ReceivedCertificate) : Prop :=
  seq_length items < 2 ^ 16 /\ Forall fits_certificate items.

Definition fits_body (body : SignedBody) : Prop :=
  seq_length (body_bytes body) < 2 ^ 32 /\ fits_signatures (body_signatures body) /\
  fits_certificates (body_certificates body).

(** A byte tells the two formats from each other. *)
Definition formats_differ (formats : FormatPair) : Prop :=
  pair_plain formats < 2 ^ 8 /\ pair_certified formats < 2 ^ 8 /\ pair_plain formats <> pair_certified formats.

(** A signed transaction with openings that a dictionary's limits let in. *)
Definition fits_signed (p : Parameters) (signed : ReceivedSigned) : Prop :=
  fits_received OPENING_LENGTH (signed_transaction signed) /\ fits_signatures (signed_signatures signed) /\
  fits_certificates (signed_certificates signed) /\
  seq_length (encode_transaction (signed_transaction signed) TRANSACTION_FORMAT) +
    seq_length (certificates_part (signed_certificates signed)) <= transaction_bytes p.

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

(** ** Certificates *)

Definition certificate_bytes (c : ReceivedCertificate) : ByteString :=
  u16_bytes (received_segments c) ++ bytes32 (received_certificate c).

Theorem certificate_inverts : inverts fits_certificate certificate_bytes read_certificate.
Proof.
  split.
  - intros [n c] rest [N C]. cbn [received_segments received_certificate] in *. unfold read_certificate, certificate_bytes, bytes32.
    cbn [received_segments received_certificate]. rewrite <- !app_assoc. reads u16_inverts. reads u32_inverts.
    rewrite (proj1 (take_inverts _)) by reflexivity. reflexivity.
  - intros bytes x rest O E. unfold read_certificate in E. took u16_inverts. took u32_inverts. took (take_inverts n0).
    injection E as <- <-. repeat match goal with X : _ /\ _ |- _ => destruct X end. subst.
    split; [split; assumption|]. unfold certificate_bytes, bytes32. cbn [received_segments received_certificate].
    rewrite <- !app_assoc. reflexivity.
Qed.

Lemma certificate_something : forall c, fits_certificate c -> 0 < seq_length (certificate_bytes c).
Proof. intros c _. unfold certificate_bytes, u16_bytes. rewrite seq_length_app, big_endian_length. lia. Qed.

Theorem certificates_inverts : forall count,
  inverts (fun l => seq_length l = count /\ Forall fits_certificate l) (flat_map certificate_bytes)
    (fun bytes => read_certificates bytes count).
Proof. exact (many_inverts fits_certificate certificate_bytes read_certificate certificate_inverts certificate_something). Qed.

Lemma encode_certificates_flat : forall items, encode_certificates items = flat_map certificate_bytes items.
Proof.
  intros items. etransitivity; [exact (loop_over_elements _ _ _ (fun e x => e ++ certificate_bytes x) items [])|].
  rewrite RootLemmas.fold_append. reflexivity.
Qed.

(** Whether there are certificates. *)
Definition has_certificates (items : list ReceivedCertificate) : bool := negb (seq_length items =? 0).

Theorem certificates_part_inverts : forall certified,
  inverts (fun items => fits_certificates items /\ has_certificates items = certified) certificates_part
    (fun bytes => read_certificates_part bytes certified).
Proof.
  intros certified. unfold has_certificates, certificates_part, read_certificates_part. split.
  - intros items rest [[L X] <-]. destruct (N.eqb_spec (seq_length items) 0) as [Z|Z]; cbn [negb].
    + destruct items; [reflexivity|rewrite seq_length_cons in Z; lia].
    + rewrite encode_certificates_flat. unfold read_some_certificates. rewrite <- app_assoc. reads u16_inverts.
      destruct (N.eqb_spec (seq_length items) 0); [lia|]. apply (proj1 (certificates_inverts _)). split; [reflexivity|exact X].
  - intros bytes items rest O E. destruct certified.
    + unfold read_some_certificates in E. took u16_inverts. destruct (N.eqb_spec n 0) as [|Z]; [discriminate E|].
      destruct (inverts_read _ _ _ _ (certificates_inverts n) _ _ _ O0 E) as ([L Fc] & -> & _). subst n.
      destruct (N.eqb_spec (seq_length items) 0); [lia|]. rewrite encode_certificates_flat, <- app_assoc.
      repeat split; assumption.
    + injection E as <- <-. repeat split; constructor.
Qed.

Lemma certificate_never_panics : forall bytes, of_bytes bytes -> held bytes -> read_certificate_safe bytes = true.
Proof.
  intros bytes O H. unfold read_certificate_safe. rewrite number_never_panics by (lia || assumption). safe_behind u16_inverts.
  rewrite number_never_panics by (lia || assumption). safe_behind u32_inverts. apply take_never_panics.
Qed.

Lemma certificates_part_never_panics : forall bytes certified, of_bytes bytes -> held bytes ->
  read_certificates_part_safe bytes certified = true.
Proof.
  intros bytes [] O H; [|reflexivity]. unfold read_certificates_part_safe, read_some_certificates_safe.
  rewrite number_never_panics by (lia || assumption). safe_behind u16_inverts. destruct (_ =? 0); [reflexivity|].
  unfold read_certificates_safe. rewrite turns_never_panic by assumption. cbn [andb].
  exact (many_safe fits_certificate certificate_bytes read_certificate certificate_inverts read_certificate_safe _ _
    certificate_never_panics O0 H0).
Qed.

(** ** Formats *)

Lemma signed_formats_differ : formats_differ signed_formats.
Proof. repeat split; discriminate. Qed.

Lemma bare_formats_differ : formats_differ bare_formats.
Proof. repeat split; discriminate. Qed.

Lemma signed_format_read : forall formats items rest, formats_differ formats ->
  read_signed_format (u8_bytes (format_of formats items) ++ rest) formats = Ok (has_certificates items, rest).
Proof.
  intros formats items rest (P & C & D). unfold read_signed_format, format_of, has_certificates.
  destruct (N.eqb_spec (seq_length items) 0); reads u8_inverts; [rewrite N.eqb_refl; reflexivity|].
  destruct (N.eqb_spec (pair_certified formats) (pair_plain formats)); [congruence|]. rewrite N.eqb_refl. reflexivity.
Qed.

Lemma signed_format_ok : forall bytes formats certified rest, of_bytes bytes ->
  read_signed_format bytes formats = Ok (certified, rest) ->
  (forall items, has_certificates items = certified -> bytes = u8_bytes (format_of formats items) ++ rest) /\ of_bytes rest.
Proof.
  intros bytes formats certified rest O E. unfold read_signed_format in E. took u8_inverts. unfold format_of, has_certificates.
  destruct (N.eqb_spec n (pair_plain formats)) as [->|_].
  - injection E as <- <-. split; [|assumption]. intros items H. destruct (seq_length items =? 0); [reflexivity|discriminate H].
  - destruct (N.eqb_spec n (pair_certified formats)) as [->|_]; [|discriminate E]. injection E as <- <-.
    split; [|assumption]. intros items H. destruct (seq_length items =? 0); [discriminate H|reflexivity].
Qed.

(** ** Bodies *)

Lemma decode_encoded_body : forall body formats, formats_differ formats -> fits_body body ->
  decode_signed_body (encode_signed_body body formats) formats = Ok body.
Proof.
  intros body formats B (L & (C & X & W) & K). unfold decode_signed_body, encode_signed_body. rewrite encode_signatures_flat.
  rewrite signed_format_read by exact B. unfold bytes32. rewrite <- !app_assoc. reads u32_inverts.
  rewrite (proj1 (take_inverts _)) by reflexivity. reads u8_inverts.
  reads (signatures_inverts (seq_length (body_signatures body))); [|repeat split; assumption].
  rewrite <- (app_nil_r (certificates_part _)). reads (certificates_part_inverts (has_certificates (body_certificates body)));
    [|split; [exact K|reflexivity]]. destruct body. reflexivity.
Qed.

Theorem decode_signed_body_iff : forall bytes formats body, formats_differ formats -> of_bytes bytes ->
  decode_signed_body bytes formats = Ok body <-> fits_body body /\ bytes = encode_signed_body body formats.
Proof.
  intros bytes formats body B O. split.
  - intros E. unfold decode_signed_body in E. destruct (read_signed_format bytes formats) as [[certified r]|] eqn:T; [|discriminate E].
    apply signed_format_ok in T; [|exact O]. destruct T as [Front O0]. clear O.
    took u32_inverts. took (take_inverts n). took u8_inverts. took (signatures_inverts n0). took (certificates_part_inverts certified).
    destruct (expect_end _) eqn:Z; [|discriminate E]. apply expect_end_ok in Z. injection E as <-.
    unfold fits_certificates in *. repeat match goal with X : _ /\ _ |- _ => destruct X end.
    match goal with Has : has_certificates ?items = certified |- _ => specialize (Front items Has) end.
    subst. unfold fits_body, fits_signatures, fits_certificates, encode_signed_body, bytes32.
    cbn [body_bytes body_signatures body_certificates]. rewrite encode_signatures_flat. split; [repeat split; assumption|].
    rewrite ?app_nil_r, <- ?app_assoc. reflexivity.
  - intros [X ->]. apply decode_encoded_body; assumption.
Qed.

(** The bytes of the transaction are bytes. *)
Lemma body_of_bytes : forall bytes formats body, formats_differ formats -> of_bytes bytes ->
  decode_signed_body bytes formats = Ok body ->
  of_bytes (body_bytes body) /\ counted_length body + 4 <= seq_length bytes.
Proof.
  intros bytes formats body B O E. apply decode_signed_body_iff in E; [|exact B|exact O]. destruct E as [_ ->].
  unfold encode_signed_body, bytes32 in *. split.
  - apply Forall_app in O. destruct O as [_ O]. apply Forall_app in O. destruct O as [O _]. apply Forall_app in O. apply O.
  - unfold counted_length, u8_bytes, u32_bytes. rewrite !seq_length_app, !big_endian_length. lia.
Qed.

Lemma counted_length_never_panics : forall body, counted_length body < 2 ^ 64 -> counted_length_safe body = true.
Proof.
  intros body L. unfold counted_length in L. unfold counted_length_safe, within_usize. rewrite (proj2 (N.ltb_lt _ _) L), andb_true_r.
  unfold certificates_part_safe. destruct (_ =? 0); [reflexivity|].
  apply (loop_is_safe _ (fun _ _ => True)); [exact I|]. intros i acc Hi _. split; [|exact I]. apply N.ltb_lt. lia.
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
  intros p signed (_ & (C & X & _) & _ & L). unfold encode_signed, encode_signed_body, body_of_signed, bytes32, longest_signed.
  cbn [body_bytes body_signatures body_certificates]. rewrite encode_signatures_flat, !seq_length_app, signatures_length by exact X.
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

Lemma signed_format_rest : forall bytes formats certified rest, of_bytes bytes -> held bytes ->
  read_signed_format bytes formats = Ok (certified, rest) -> of_bytes rest /\ held rest.
Proof.
  intros bytes formats certified rest O H E. unfold read_signed_format in E.
  destruct (read_number bytes 1) as [[n r]|] eqn:T; [|discriminate E].
  assert (rest = r) as -> by (destruct (n =? _); [|destruct (n =? _)]; congruence).
  exact (inverts_rest _ _ _ _ u8_inverts _ _ _ O H T).
Qed.

Theorem signed_body_never_panics : forall bytes formats, of_bytes bytes -> held bytes ->
  decode_signed_body_safe bytes formats = true.
Proof.
  intros bytes formats O H. unfold decode_signed_body_safe, read_signed_format_safe. rewrite number_never_panics by (lia || exact O).
  cbn [andb]. destruct (read_signed_format bytes formats) as [[certified r]|] eqn:T; [|reflexivity].
  destruct (signed_format_rest _ _ _ _ O H T) as [O0 H0]. clear O H.
  rewrite number_never_panics by (lia || assumption). safe_behind u32_inverts. rewrite take_never_panics.
  safe_behind (take_inverts n). rewrite number_never_panics by (lia || assumption). safe_behind u8_inverts.
  match goal with |- context [read_signatures_safe ?unread ?count] => assert (S : read_signatures_safe unread count = true) end.
  { unfold read_signatures_safe. rewrite turns_never_panic by assumption. cbn [andb].
    apply (ordered_safe fits_signature signature_bytes read_signature signature_inverts expect_later_signer
      read_signature_safe expect_later_signer_safe).
    - intros. apply signature_never_panics.
    - intros before x X _. apply later_signer_never_panics, X.
    - assumption.
    - assumption. }
  rewrite S. safe_behind (signatures_inverts n0). apply certificates_part_never_panics; assumption.
Qed.

(** ** Under the limits of a dictionary *)

Variable p : Parameters.
Hypothesis limit_held : transaction_bytes p < 2 ^ 32.

Lemma decode_encoded_signed : forall signed, fits_signed p signed -> decode_signed (encode_signed signed) p = Ok signed.
Proof.
  intros signed X. pose proof (signed_not_too_long p signed X) as Long. destruct X as (X & S & K & L).
  unfold decode_signed, expect_length. rewrite (proj2 (N.leb_le _ _) Long). unfold encode_signed.
  rewrite decode_encoded_body;
    [|exact signed_formats_differ|split; [cbn [body_of_signed body_bytes]; lia|split; [exact S|exact K]]].
  unfold counted_length. cbn [body_of_signed body_bytes body_signatures body_certificates].
  rewrite (proj2 (N.leb_le _ _) L), decode_encoded_transaction by exact X.
  destruct signed. reflexivity.
Qed.

Theorem decode_signed_iff : forall bytes signed, of_bytes bytes ->
  decode_signed bytes p = Ok signed <-> fits_signed p signed /\ bytes = encode_signed signed.
Proof.
  intros bytes signed O. split.
  - intros E. unfold decode_signed in E. destruct (expect_length _ _); [|discriminate E].
    destruct (decode_signed_body bytes signed_formats) as [body|] eqn:B; [|discriminate E].
    destruct (body_of_bytes _ signed_formats body signed_formats_differ O B) as [Ob _].
    apply decode_signed_body_iff in B; [|exact signed_formats_differ|exact O]. destruct B as [(L & S & K) ->].
    unfold expect_length in E. destruct (N.leb_spec (counted_length body) (transaction_bytes p)) as [M|]; [|discriminate E].
    destruct (decode_transaction (body_bytes body)) as [tx|] eqn:T; [|discriminate E]. injection E as <-.
    apply decode_transaction_iff in T; [|exact Ob]. destruct T as [X Q]. unfold fits_signed, encode_signed, body_of_signed.
    cbn [signed_transaction signed_signatures signed_certificates]. unfold counted_length in M. rewrite <- Q. destruct body as [bb bs bc].
    cbn [body_bytes body_signatures body_certificates] in *. split; [|reflexivity]. split; [exact X|]. split; [exact S|].
    split; [exact K|exact M].
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
  destruct (decode_signed_body bytes signed_formats) as [body|] eqn:B; [|reflexivity].
  destruct (body_of_bytes _ signed_formats body signed_formats_differ O B) as [Ob Lb].
  assert (Lh : counted_length body < 2 ^ 63) by (unfold held in H; lia).
  rewrite counted_length_never_panics by (change (2 ^ 64) with (2 * 2 ^ 63); lia). cbn [andb].
  destruct (expect_length _ _); [|reflexivity].
  apply transaction_never_panics; [exact Ob|unfold held, counted_length in *; lia].
Qed.

End SignedDecoder.
