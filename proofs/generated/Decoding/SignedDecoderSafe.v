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

(** When [encode_signed_body] does not panic. *)
Definition encode_signed_body_safe (signed : SignedBody) (format : usize) : bool :=
  encode_signatures_safe signed.(body_signatures).

(** When [body_of_signed] does not panic. *)
Definition body_of_signed_safe (signed : ReceivedSigned) (transaction_format : usize) : bool :=
  encode_transaction_safe signed.(signed_transaction) transaction_format.

(** When [encode_signed] does not panic. *)
Definition encode_signed_safe (signed : ReceivedSigned) : bool :=
  body_of_signed_safe signed TRANSACTION_FORMAT &&
  encode_signed_body_safe (body_of_signed signed TRANSACTION_FORMAT) SIGNED_FORMAT.

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

(** When [decode_signed_body] does not panic. *)
Definition decode_signed_body_safe (bytes : ByteString) (format : usize) : bool :=
  expect_format_safe bytes format &&
  (match expect_format bytes format with
    | Ok after_format =>
        read_number_safe after_format 4 &&
        (match read_number after_format 4 with
          | Ok (length, after_length) =>
              take_bytes_safe after_length length &&
              (match take_bytes after_length length with
                | Ok (body, after_body) =>
                    read_number_safe after_body 1 &&
                    (match read_number after_body 1 with
                      | Ok (count, after_count) => read_signatures_safe after_count count
                      | Err _ => true
                      end)
                | Err _ => true
                end)
          | Err _ => true
          end)
    | Err _ => true
    end).

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
        decode_signed_body_safe bytes SIGNED_FORMAT &&
        (match decode_signed_body bytes SIGNED_FORMAT with
          | Ok body =>
              match expect_length (seq_length body.(body_bytes)) p.(transaction_bytes) with
              | Ok _short_body => decode_transaction_safe body.(body_bytes)
              | Err _ => true
              end
          | Err _ => true
          end)
    | Err _ => true
    end).

End Specification.
