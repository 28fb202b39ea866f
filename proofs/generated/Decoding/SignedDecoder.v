(* Translated from spec/src/decoding/signed_decoder.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Signed transactions: their bytes, and how they are read.

    Keys and signatures are bytes here: which of them are true is for ed25519 to say. Source:
    docs/network.md, "Signed transaction". *)
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
}.

#[global] Instance Default_SignedBody : Default SignedBody := {| body_bytes := default; body_signatures := default |}.

(** A signed transaction as it is received. *)
Record ReceivedSigned : Type := {
  (** The transaction. *)
  signed_transaction : ReceivedTransaction;
  (** The signatures, ascending by public key. *)
  signed_signatures : Seq ReceivedSignature;
}.

#[global] Instance Default_ReceivedSigned : Default ReceivedSigned := {| signed_transaction := default; signed_signatures := default |}.

(** One step of [`encode_signatures`]. *)
Definition encode_signatures_step (encoded : ByteString) (signature : ReceivedSignature) : ByteString :=
  encoded ++ signature.(signer_key) ++ signature.(signer_signature).

(** `(public key (32) || signature (64))*`. *)
Definition encode_signatures (items : Seq ReceivedSignature) : ByteString :=
  fold_left
    (fun encoded i => encode_signatures_step encoded (seq_at items i))
    (range 0 (seq_length items))
    [].

(** `u8 format || u32 length || transaction || u8 number of signatures || signatures`. *)
Definition encode_signed_body (signed : SignedBody) (format : usize) : ByteString :=
  u8_bytes format ++
  bytes32 signed.(body_bytes) ++
  u8_bytes (seq_length signed.(body_signatures)) ++
  encode_signatures signed.(body_signatures).

(** A signed transaction with its transaction as bytes of this format. *)
Definition body_of_signed (signed : ReceivedSigned) (transaction_format : usize) : SignedBody :=
  {| body_bytes := encode_transaction signed.(signed_transaction) transaction_format;
    body_signatures := signed.(signed_signatures) |}.

(** A signed transaction with openings. *)
Definition encode_signed (signed : ReceivedSigned) : ByteString :=
  encode_signed_body (body_of_signed signed TRANSACTION_FORMAT) SIGNED_FORMAT.

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

(** The signed transaction of this format that the bytes are, its transaction still as bytes. *)
Definition decode_signed_body (bytes : ByteString) (format : usize) : Result SignedBody DecodeReason :=
  match expect_format bytes format with
  | Ok after_format =>
      match read_number after_format 4 with
      | Ok (length, after_length) =>
          match take_bytes after_length length with
          | Ok (body, after_body) =>
              match read_number after_body 1 with
              | Ok (count, after_count) =>
                  match read_signatures after_count count with
                  | Ok (signatures, rest) =>
                      match expect_end rest with
                      | Ok _end => Ok {| body_bytes := body; body_signatures := signatures |}
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

(** The most bytes that a signed transaction can have. *)
Definition longest_signed (p : Parameters) : usize :=
  p.(transaction_bytes) + 1 + 4 + 1 + 255 * (PUBLIC_KEY_LENGTH + SIGNATURE_LENGTH).

(** The signed transaction with openings that the bytes are, within the limits of a dictionary. *)
Definition decode_signed (bytes : ByteString) (p : Parameters) : Result ReceivedSigned DecodeReason :=
  match expect_length (seq_length bytes) (longest_signed p) with
  | Ok _short =>
      match decode_signed_body bytes SIGNED_FORMAT with
      | Ok body =>
          match expect_length (seq_length body.(body_bytes)) p.(transaction_bytes) with
          | Ok _short_body =>
              match decode_transaction body.(body_bytes) with
              | Ok tx => Ok {| signed_transaction := tx; signed_signatures := body.(body_signatures) |}
              | Err e' => Err e'
              end
          | Err e' => Err e'
          end
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

End Specification.
