(* Translated from spec/src/decoding/signed_decoder.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Decoding.SignedDecoder Base.BytesSafe Dictionary.GenesisSafe
  Decoding.CursorSafe Decoding.TransactionDecoderSafe Decoding.BlockDecoderSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [encode_signatures] does not panic. *)
Definition encode_signatures_safe (items : Seq ReceivedSignature) : bool :=
  loop_safe
    (fun encoded i => encode_signatures_step encoded (seq_at items i))
    (fun encoded i => i <? seq_length items)
    (range 0 (seq_length items))
    [].

(** When [encode_certificates] does not panic. *)
Definition encode_certificates_safe (items : Seq ReceivedCertificate) : bool :=
  loop_safe
    (fun encoded i => encode_certificates_step encoded (seq_at items i))
    (fun encoded i => i <? seq_length items)
    (range 0 (seq_length items))
    [].

(** When [certificates_part] does not panic. *)
Definition certificates_part_safe (items : Seq ReceivedCertificate) : bool :=
  if seq_length items =? 0 then true else encode_certificates_safe items.

(** When [encode_signed_body] does not panic. *)
Definition encode_signed_body_safe (signed : SignedBody) (formats : FormatPair) : bool :=
  encode_signatures_safe signed.(body_signatures) && certificates_part_safe signed.(body_certificates).

(** When [body_of_signed] does not panic. *)
Definition body_of_signed_safe (signed : ReceivedSigned) (transaction_format : usize) : bool :=
  encode_transaction_safe signed.(signed_transaction) transaction_format.

(** When [encode_signed] does not panic. *)
Definition encode_signed_safe (signed : ReceivedSigned) : bool :=
  body_of_signed_safe signed TRANSACTION_FORMAT &&
  encode_signed_body_safe (body_of_signed signed TRANSACTION_FORMAT) signed_formats.

(** When [read_signature] does not panic. *)
Definition read_signature_safe (bytes : ByteString) : bool :=
  take_bytes_safe bytes PUBLIC_KEY_LENGTH &&
  (match take_bytes bytes PUBLIC_KEY_LENGTH with
    | Ok (public_key, after_key) => take_bytes_safe after_key SIGNATURE_LENGTH
    | Err _ => true
    end).

(** When [expect_later_signer] does not panic. *)
Definition expect_later_signer_safe (before : Seq ReceivedSignature) (found : ReceivedSignature) : bool :=
  if seq_length before =? 0 then
    true
  else
    (1 <=? seq_length before) && (seq_length before - 1 <? seq_length before) &&
    bytes_less_safe (seq_at before (seq_length before - 1)).(signer_key) found.(signer_key).

(** When [read_signatures_step] does not panic. *)
Definition read_signatures_step_safe
    (items : Result ((Seq ReceivedSignature) * ByteString) DecodeReason) : bool :=
  match items with
  | Ok (before, bytes) =>
      read_signature_safe bytes &&
      (match read_signature bytes with
        | Ok (found, rest) => expect_later_signer_safe before found
        | Err _ => true
        end)
  | Err _ => true
  end.

(** When [read_signatures] does not panic. *)
Definition read_signatures_safe (bytes : ByteString) (count : usize) : bool :=
  reading_turns_safe count bytes &&
  (loop_safe
      (fun items _i => read_signatures_step items)
      (fun items _i => read_signatures_step_safe items)
      (range 0 (reading_turns count bytes))
      (Ok ([], bytes))).

(** When [read_certificate] does not panic. *)
Definition read_certificate_safe (bytes : ByteString) : bool :=
  read_number_safe bytes 2 &&
  (match read_number bytes 2 with
    | Ok (segments, after_segments) =>
        read_number_safe after_segments 4 &&
        (match read_number after_segments 4 with
          | Ok (length, after_length) => take_bytes_safe after_length length
          | Err _ => true
          end)
    | Err _ => true
    end).

(** When [read_certificates_step] does not panic. *)
Definition read_certificates_step_safe
    (items : Result ((Seq ReceivedCertificate) * ByteString) DecodeReason) : bool :=
  match items with
  | Ok (before, bytes) => read_certificate_safe bytes
  | Err _ => true
  end.

(** When [read_certificates] does not panic. *)
Definition read_certificates_safe (bytes : ByteString) (count : usize) : bool :=
  reading_turns_safe count bytes &&
  (loop_safe
      (fun items _i => read_certificates_step items)
      (fun items _i => read_certificates_step_safe items)
      (range 0 (reading_turns count bytes))
      (Ok ([], bytes))).

(** When [read_some_certificates] does not panic. *)
Definition read_some_certificates_safe (bytes : ByteString) : bool :=
  read_number_safe bytes 2 &&
  (match read_number bytes 2 with
    | Ok (count, after_count) => if count =? 0 then true else read_certificates_safe after_count count
    | Err _ => true
    end).

(** When [read_certificates_part] does not panic. *)
Definition read_certificates_part_safe (bytes : ByteString) (certified : bool) : bool :=
  if certified then read_some_certificates_safe bytes else true.

(** When [read_signed_format] does not panic. *)
Definition read_signed_format_safe (bytes : ByteString) (formats : FormatPair) : bool :=
  read_number_safe bytes 1.

(** When [decode_signed_body] does not panic. *)
Definition decode_signed_body_safe (bytes : ByteString) (formats : FormatPair) : bool :=
  read_signed_format_safe bytes formats &&
  (match read_signed_format bytes formats with
    | Ok (certified, after_format) =>
        read_number_safe after_format 4 &&
        (match read_number after_format 4 with
          | Ok (length, after_length) =>
              take_bytes_safe after_length length &&
              (match take_bytes after_length length with
                | Ok (body, after_body) =>
                    read_number_safe after_body 1 &&
                    (match read_number after_body 1 with
                      | Ok (count, after_count) =>
                          read_signatures_safe after_count count &&
                          (match read_signatures after_count count with
                            | Ok (signatures, after_signatures) =>
                                read_certificates_part_safe after_signatures certified
                            | Err _ => true
                            end)
                      | Err _ => true
                      end)
                | Err _ => true
                end)
          | Err _ => true
          end)
    | Err _ => true
    end).

(** When [counted_length] does not panic. *)
Definition counted_length_safe (body : SignedBody) : bool :=
  certificates_part_safe body.(body_certificates) &&
  within_usize (seq_length body.(body_bytes) + seq_length (certificates_part body.(body_certificates))).

(** When [longest_signed] does not panic. *)
Definition longest_signed_safe (p : Parameters) : bool :=
  within_usize (p.(transaction_bytes) + 1) && within_usize (p.(transaction_bytes) + 1 + 4) &&
  within_usize (p.(transaction_bytes) + 1 + 4 + 1) &&
  (within_usize (PUBLIC_KEY_LENGTH + SIGNATURE_LENGTH) &&
    within_usize (255 * (PUBLIC_KEY_LENGTH + SIGNATURE_LENGTH))) &&
  within_usize (p.(transaction_bytes) + 1 + 4 + 1 + 255 * (PUBLIC_KEY_LENGTH + SIGNATURE_LENGTH)).

(** When [decode_signed] does not panic. *)
Definition decode_signed_safe (bytes : ByteString) (p : Parameters) : bool :=
  longest_signed_safe p &&
  (match expect_length (seq_length bytes) (longest_signed p) with
    | Ok _short =>
        decode_signed_body_safe bytes signed_formats &&
        (match decode_signed_body bytes signed_formats with
          | Ok body =>
              counted_length_safe body &&
              (match expect_length (counted_length body) p.(transaction_bytes) with
                | Ok _short_body => decode_transaction_safe body.(body_bytes)
                | Err _ => true
                end)
          | Err _ => true
          end)
    | Err _ => true
    end).

End Specification.
