(* Translated from spec/src/decoding/signed_decoder.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Signed transactions: their bytes, and how they are read.

    Keys and signatures are bytes here: which of them are true is for ed25519 to say. So are the
    certificates that a transaction of the policy `tables` brings: where there are some, the format
    is another. Source: docs/network.md, "Signed transaction". *)
From AardvarkSpec Require Export Prelude Base.Bytes Dictionary.Genesis Decoding.DecodeReason Decoding.Cursor
  Decoding.TransactionDecoder Decoding.BlockDecoder.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** The length of a public key, in bytes. *)
Definition PUBLIC_KEY_LENGTH : usize :=
  32.

(** The length of a signature, in bytes. *)
Definition SIGNATURE_LENGTH : usize :=
  64.

(** The format number of a signed transaction with openings. *)
Definition SIGNED_FORMAT : usize :=
  1.

(** The format number of a signed transaction without openings, as it stands in a block. *)
Definition BARE_SIGNED_FORMAT : usize :=
  2.

(** The format number of a signed transaction with openings and certificates. *)
Definition CERTIFIED_FORMAT : usize :=
  4.

(** The format number of a signed transaction with certificates and without openings. *)
Definition BARE_CERTIFIED_FORMAT : usize :=
  5.

(** A certificate of segments of tables, still as bytes. *)
Record ReceivedCertificate : Type := {
  (** How many segments it covers. *)
  received_segments : usize;
  (** Its bytes. *)
  received_certificate : ByteString;
}.

#[global] Instance Default_ReceivedCertificate : Default ReceivedCertificate := {| received_segments := default; received_certificate := default |}.

(** The format numbers of signed transactions with transactions of one form. *)
Record FormatPair : Type := {
  (** Without certificates. *)
  pair_plain : usize;
  (** With one certificate at least. *)
  pair_certified : usize;
}.

#[global] Instance Default_FormatPair : Default FormatPair := {| pair_plain := default; pair_certified := default |}.

(** A public key and its signature over a transaction's id. *)
Record ReceivedSignature : Type := {
  (** The public key, 32 bytes. *)
  signer_key : ByteString;
  (** The signature, 64 bytes. *)
  signer_signature : ByteString;
}.

#[global] Instance Default_ReceivedSignature : Default ReceivedSignature := {| signer_key := default; signer_signature := default |}.

(** The bytes of a transaction, and who signed it. *)
Record SignedBody : Type := {
  (** The bytes. *)
  body_bytes : ByteString;
  (** The signatures, ascending by public key. *)
  body_signatures : Seq ReceivedSignature;
  (** The certificates. *)
  body_certificates : Seq ReceivedCertificate;
}.

#[global] Instance Default_SignedBody : Default SignedBody := {| body_bytes := default; body_signatures := default; body_certificates := default |}.

(** A signed transaction as it is received. *)
Record ReceivedSigned : Type := {
  (** The transaction. *)
  signed_transaction : ReceivedTransaction;
  (** The signatures, ascending by public key. *)
  signed_signatures : Seq ReceivedSignature;
  (** The certificates. *)
  signed_certificates : Seq ReceivedCertificate;
}.

#[global] Instance Default_ReceivedSigned : Default ReceivedSigned := {| signed_transaction := default; signed_signatures := default; signed_certificates := default |}.

(** The formats of signed transactions with openings. *)
Definition signed_formats : FormatPair :=
  {| pair_plain := SIGNED_FORMAT; pair_certified := CERTIFIED_FORMAT |}.

(** The formats of signed transactions without openings. *)
Definition bare_formats : FormatPair :=
  {| pair_plain := BARE_SIGNED_FORMAT; pair_certified := BARE_CERTIFIED_FORMAT |}.

(** One step of [`encode_signatures`]. *)
Definition encode_signatures_step (encoded : ByteString) (signature : ReceivedSignature) : ByteString :=
  encoded ++ signature.(signer_key) ++ signature.(signer_signature).

(** `(public key (32) || signature (64))*`. *)
Definition encode_signatures (items : Seq ReceivedSignature) : ByteString :=
  fold_left
    (fun encoded i => encode_signatures_step encoded (seq_at items i))
    (range 0 (seq_length items))
    [].

(** One step of [`encode_certificates`]. *)
Definition encode_certificates_step (encoded : ByteString) (brought : ReceivedCertificate) : ByteString :=
  encoded ++ u16_bytes brought.(received_segments) ++ bytes32 brought.(received_certificate).

(** `(u16 number of segments || u32 length || certificate)*`. *)
Definition encode_certificates (items : Seq ReceivedCertificate) : ByteString :=
  fold_left
    (fun encoded i => encode_certificates_step encoded (seq_at items i))
    (range 0 (seq_length items))
    [].

(** What stands behind the signatures: nothing where there are no certificates, else
    `u16 number of certificates || certificates`. *)
Definition certificates_part (items : Seq ReceivedCertificate) : ByteString :=
  if seq_length items =? 0 then [] else u16_bytes (seq_length items) ++ encode_certificates items.

(** The format of a signed transaction. *)
Definition format_of (formats : FormatPair) (items : Seq ReceivedCertificate) : usize :=
  if seq_length items =? 0 then formats.(pair_plain) else formats.(pair_certified).

(** `u8 format || u32 length || transaction || u8 number of signatures || signatures`, and the
    certificates where there are some. *)
Definition encode_signed_body (signed : SignedBody) (formats : FormatPair) : ByteString :=
  u8_bytes (format_of formats signed.(body_certificates)) ++
  bytes32 signed.(body_bytes) ++
  u8_bytes (seq_length signed.(body_signatures)) ++
  encode_signatures signed.(body_signatures) ++
  certificates_part signed.(body_certificates).

(** A signed transaction with its transaction as bytes of this format. *)
Definition body_of_signed (signed : ReceivedSigned) (transaction_format : usize) : SignedBody :=
  {| body_bytes := encode_transaction signed.(signed_transaction) transaction_format;
    body_signatures := signed.(signed_signatures);
    body_certificates := signed.(signed_certificates) |}.

(** A signed transaction with openings. *)
Definition encode_signed (signed : ReceivedSigned) : ByteString :=
  encode_signed_body (body_of_signed signed TRANSACTION_FORMAT) signed_formats.

(** The next signature with its key. *)
Definition read_signature (bytes : ByteString) : Result (ReceivedSignature * ByteString) DecodeReason :=
  match take_bytes bytes PUBLIC_KEY_LENGTH with
  | Ok (public_key, after_key) =>
      match take_bytes after_key SIGNATURE_LENGTH with
      | Ok (signature, rest) => Ok ({| signer_key := public_key; signer_signature := signature |}, rest)
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

(** Whether a signer comes after the last of those before. *)
Definition expect_later_signer
    (before : Seq ReceivedSignature)
    (found : ReceivedSignature) : Result unit DecodeReason :=
  if (seq_length before =? 0) ||
    bytes_less (seq_at before (seq_length before - 1)).(signer_key) found.(signer_key) then
    Ok tt
  else
    Err DecodeReason_UnorderedSigners.

(** One step of [`read_signatures`]. *)
Definition read_signatures_step
    (items : Result ((Seq ReceivedSignature) * ByteString) DecodeReason) : Result ((Seq ReceivedSignature) * ByteString) DecodeReason :=
  match items with
  | Ok (before, bytes) =>
      match read_signature bytes with
      | Ok (found, rest) =>
          match expect_later_signer before found with
          | Ok _later => Ok (before ++ [found], rest)
          | Err e' => Err e'
          end
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

(** The next signatures, so many, each of a larger key than the one before. *)
Definition read_signatures
    (bytes : ByteString)
    (count : usize) : Result ((Seq ReceivedSignature) * ByteString) DecodeReason :=
  fold_left
    (fun items _i => read_signatures_step items)
    (range 0 (reading_turns count bytes))
    (Ok ([], bytes)).

(** The next certificate. *)
Definition read_certificate (bytes : ByteString) : Result (ReceivedCertificate * ByteString) DecodeReason :=
  match read_number bytes 2 with
  | Ok (segments, after_segments) =>
      match read_number after_segments 4 with
      | Ok (length, after_length) =>
          match take_bytes after_length length with
          | Ok (written, rest) =>
              Ok ({| received_segments := segments; received_certificate := written |}, rest)
          | Err e' => Err e'
          end
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

(** One step of [`read_certificates`]. *)
Definition read_certificates_step
    (items : Result ((Seq ReceivedCertificate) * ByteString) DecodeReason) : Result ((Seq ReceivedCertificate) * ByteString) DecodeReason :=
  match items with
  | Ok (before, bytes) =>
      match read_certificate bytes with
      | Ok (found, rest) => Ok (before ++ [found], rest)
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

(** The next certificates, so many. *)
Definition read_certificates
    (bytes : ByteString)
    (count : usize) : Result ((Seq ReceivedCertificate) * ByteString) DecodeReason :=
  fold_left
    (fun items _i => read_certificates_step items)
    (range 0 (reading_turns count bytes))
    (Ok ([], bytes)).

(** The certificates with their number in front, of which there is one at least. *)
Definition read_some_certificates
    (bytes : ByteString) : Result ((Seq ReceivedCertificate) * ByteString) DecodeReason :=
  match read_number bytes 2 with
  | Ok (count, after_count) =>
      if count =? 0 then Err DecodeReason_UnknownFormat else read_certificates after_count count
  | Err e' => Err e'
  end.

(** What [`certificates_part`] writes, in a signed transaction that has certificates or has none. *)
Definition read_certificates_part
    (bytes : ByteString)
    (certified : bool) : Result ((Seq ReceivedCertificate) * ByteString) DecodeReason :=
  if certified then read_some_certificates bytes else Ok ([], bytes).

(** Whether a signed transaction has certificates, by its format. *)
Definition read_signed_format
    (bytes : ByteString)
    (formats : FormatPair) : Result (bool * ByteString) DecodeReason :=
  match read_number bytes 1 with
  | Ok (found, rest) =>
      if found =? formats.(pair_plain) then
        Ok (false, rest)
      else if found =? formats.(pair_certified) then
        Ok (true, rest)
      else
        Err DecodeReason_UnknownFormat
  | Err e' => Err e'
  end.

(** The signed transaction of one of these formats that the bytes are, its transaction still as
    bytes. *)
Definition decode_signed_body (bytes : ByteString) (formats : FormatPair) : Result SignedBody DecodeReason :=
  match read_signed_format bytes formats with
  | Ok (certified, after_format) =>
      match read_number after_format 4 with
      | Ok (length, after_length) =>
          match take_bytes after_length length with
          | Ok (body, after_body) =>
              match read_number after_body 1 with
              | Ok (count, after_count) =>
                  match read_signatures after_count count with
                  | Ok (signatures, after_signatures) =>
                      match read_certificates_part after_signatures certified with
                      | Ok (brought, rest) =>
                          match expect_end rest with
                          | Ok _end =>
                              Ok
                                {| body_bytes := body;
                                  body_signatures := signatures;
                                  body_certificates := brought |}
                          | Err e' => Err e'
                          end
                      | Err e' => Err e'
                      end
                  | Err e' => Err e'
                  end
              | Err e' => Err e'
              end
          | Err e' => Err e'
          end
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

(** The length that is limited of a signed transaction: of the transaction and its certificates. *)
Definition counted_length (body : SignedBody) : usize :=
  seq_length body.(body_bytes) + seq_length (certificates_part body.(body_certificates)).

(** The most bytes that a signed transaction can have. *)
Definition longest_signed (p : Parameters) : usize :=
  p.(transaction_bytes) + 1 + 4 + 1 + 255 * (PUBLIC_KEY_LENGTH + SIGNATURE_LENGTH).

(** The signed transaction with openings that the bytes are, within the limits of a dictionary. *)
Definition decode_signed (bytes : ByteString) (p : Parameters) : Result ReceivedSigned DecodeReason :=
  match expect_length (seq_length bytes) (longest_signed p) with
  | Ok _short =>
      match decode_signed_body bytes signed_formats with
      | Ok body =>
          match expect_length (counted_length body) p.(transaction_bytes) with
          | Ok _short_body =>
              match decode_transaction body.(body_bytes) with
              | Ok tx =>
                  Ok
                    {| signed_transaction := tx;
                      signed_signatures := body.(body_signatures);
                      signed_certificates := body.(body_certificates) |}
              | Err e' => Err e'
              end
          | Err e' => Err e'
          end
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

End Specification.
