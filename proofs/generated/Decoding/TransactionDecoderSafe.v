(* Translated from spec/src/decoding/transaction_decoder.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Decoding.TransactionDecoder Base.BytesSafe Commitment.OpeningSafe
  Dictionary.SlotSafe Block.OperationSafe Block.TransactionSafe Decoding.CursorSafe Decoding.SlotDecoderSafe
  Decoding.OperationDecoderSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [read_claim] does not panic. *)
Definition read_claim_safe (bytes : ByteString) (opening_length : usize) : bool :=
  read_number_safe bytes 8 &&
  (match read_number bytes 8 with
    | Ok (position, after_position) =>
        read_slot_safe after_position &&
        (match read_slot after_position with
          | Ok (slot, after_slot) => take_bytes_safe after_slot opening_length
          | Err _ => true
          end)
    | Err _ => true
    end).

(** When [decode_claim] does not panic. *)
Definition decode_claim_safe (bytes : ByteString) : bool :=
  read_claim_safe bytes OPENING_LENGTH.

(** When [read_claims_step] does not panic. *)
Definition read_claims_step_safe
    (items : Result ((Seq ReceivedClaim) * ByteString) DecodeReason)
    (opening_length : usize) : bool :=
  match items with
  | Ok (before, bytes) => read_claim_safe bytes opening_length
  | Err _ => true
  end.

(** When [read_claims] does not panic. *)
Definition read_claims_safe (bytes : ByteString) (count opening_length : usize) : bool :=
  reading_turns_safe count bytes &&
  (loop_safe
      (fun items _i => read_claims_step items opening_length)
      (fun items _i => read_claims_step_safe items opening_length)
      (range 0 (reading_turns count bytes))
      (Ok ([], bytes))).

(** When [encode_claims] does not panic. *)
Definition encode_claims_safe (items : Seq ReceivedClaim) : bool :=
  loop_safe
    (fun encoded c => encode_claims_step encoded (seq_at items c))
    (fun encoded c => c <? seq_length items)
    (range 0 (seq_length items))
    [].

(** When [meant_claims] does not panic. *)
Definition meant_claims_safe (received : Seq ReceivedClaim) (meanings : Seq Opening) : bool :=
  loop_safe
    (fun items c => meant_claims_step items (seq_at received c) c meanings)
    (fun items c => c <? seq_length received)
    (range 0 (seq_length received))
    [].

(** When [meant_transaction] does not panic. *)
Definition meant_transaction_safe (tx : ReceivedTransaction) (meanings : Seq Opening) : bool :=
  meant_claims_safe tx.(received_claims) meanings.

(** When [encode_transaction] does not panic. *)
Definition encode_transaction_safe (tx : ReceivedTransaction) (format : usize) : bool :=
  meant_transaction_safe tx [] && encode_core_safe (meant_transaction tx []) &&
  encode_claims_safe tx.(received_claims).

(** When [read_transaction] does not panic. *)
Definition read_transaction_safe
    (bytes : ByteString)
    (format opening_length : usize)
    (quotas : ItemQuotas) : bool :=
  expect_format_safe bytes format &&
  (match expect_format bytes format with
    | Ok after_format =>
        read_number_safe after_format 8 &&
        (match read_number after_format 8 with
          | Ok (first, after_first) =>
              read_number_safe after_first 8 &&
              (match read_number after_first 8 with
                | Ok (last, after_last) =>
                    take_bytes_safe after_last NONCE_LENGTH &&
                    (match take_bytes after_last NONCE_LENGTH with
                      | Ok (salt, after_nonce) =>
                          read_number_safe after_nonce 2 &&
                          (match read_number after_nonce 2 with
                            | Ok (operation_count, after_count) =>
                                match take_quota
                                    quotas.(operations_left)
                                    operation_count
                                    DecodeReason_ExcessOperations with
                                | Ok operations_then =>
                                    read_operations_safe after_count operation_count &&
                                    (match read_operations after_count operation_count with
                                      | Ok (asked, after_operations) =>
                                          read_number_safe after_operations 2 &&
                                          (match read_number after_operations 2 with
                                            | Ok (claim_count, before_claims) =>
                                                match take_quota
                                                    quotas.(claims_left)
                                                    claim_count
                                                    DecodeReason_ExcessClaims with
                                                | Ok claims_then =>
                                                    read_claims_safe before_claims claim_count opening_length
                                                | Err _ => true
                                                end
                                            | Err _ => true
                                            end)
                                      | Err _ => true
                                      end)
                                | Err _ => true
                                end
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

(** When [decode_transaction] does not panic. *)
Definition decode_transaction_safe (bytes : ByteString) : bool :=
  read_transaction_safe bytes TRANSACTION_FORMAT OPENING_LENGTH unlimited_quotas.

End Specification.
