(* Translated from spec/src/decoding/transaction_decoder.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Claims and transactions: their bytes, and how they are read.

    An opening is 48 bytes here: what point they are, if any, is a matter of the curve, and they are
    looked at in phase 6 only. In an aggregated block the claims have no openings; there an opening
    has no bytes. Source: docs/format.md, "Transactions". *)
From AardvarkSpec Require Export Prelude Base.Bytes Commitment.Opening Dictionary.Slot Block.Operation
  Block.Transaction Decoding.DecodeReason Decoding.Cursor Decoding.SlotDecoder Decoding.OperationDecoder.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** The length of an opening, in bytes. *)
Definition OPENING_LENGTH : usize :=
  48.

(** The format number of a transaction with openings. *)
Definition TRANSACTION_FORMAT : usize :=
  1.

(** The format number of a transaction without openings, as an aggregated block has it. *)
Definition BARE_TRANSACTION_FORMAT : usize :=
  2.

(** A claim as it is received. *)
Record ReceivedClaim : Type := {
  (** The position. *)
  received_position : usize;
  (** The slot. *)
  received_slot : Slot;
  (** What is to show it: 48 bytes, or none. *)
  received_opening : ByteString;
}.

#[global] Instance Default_ReceivedClaim : Default ReceivedClaim := {| received_position := default; received_slot := default; received_opening := default |}.

(** A transaction as it is received. *)
Record ReceivedTransaction : Type := {
  (** The first version whose block may hold it. *)
  received_first : usize;
  (** The last version whose block may hold it. *)
  received_last : usize;
  (** 16 bytes. *)
  received_nonce : ByteString;
  (** What is asked for, in order. *)
  received_operations : Seq Operation;
  (** The claims. *)
  received_claims : Seq ReceivedClaim;
}.

#[global] Instance Default_ReceivedTransaction : Default ReceivedTransaction := {| received_first := default; received_last := default; received_nonce := default; received_operations := default; received_claims := default |}.

(** How many operations and claims may still be read. *)
Record ItemQuotas : Type := {
  (** Operations. *)
  operations_left : usize;
  (** Claims. *)
  claims_left : usize;
}.

#[global] Instance Default_ItemQuotas : Default ItemQuotas := {| operations_left := default; claims_left := default |}.

(** `u64 position || slot_bytes || opening`. *)
Definition encode_claim (claim : ReceivedClaim) : ByteString :=
  u64_bytes claim.(received_position) ++ slot_bytes claim.(received_slot) ++ claim.(received_opening).

(** The next claim, whose opening has so many bytes. *)
Definition read_claim
    (bytes : ByteString)
    (opening_length : usize) : Result (ReceivedClaim * ByteString) DecodeReason :=
  match read_number bytes 8 with
  | Ok (position, after_position) =>
      match read_slot after_position with
      | Ok (slot, after_slot) =>
          match take_bytes after_slot opening_length with
          | Ok (opening, rest) =>
              Ok
                ({| received_position := position; received_slot := slot; received_opening := opening |},
                  rest)
          | Err e' => Err e'
          end
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

(** The claim that the bytes are, opening included. *)
Definition decode_claim (bytes : ByteString) : Result ReceivedClaim DecodeReason :=
  match read_claim bytes OPENING_LENGTH with
  | Ok (found, rest) =>
      match expect_end rest with
      | Ok _end => Ok found
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

(** One step of [`read_claims`]. *)
Definition read_claims_step
    (items : Result ((Seq ReceivedClaim) * ByteString) DecodeReason)
    (opening_length : usize) : Result ((Seq ReceivedClaim) * ByteString) DecodeReason :=
  match items with
  | Ok (before, bytes) =>
      match read_claim bytes opening_length with
      | Ok (found, rest) => Ok (before ++ [found], rest)
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

(** The next claims, so many. *)
Definition read_claims
    (bytes : ByteString)
    (count opening_length : usize) : Result ((Seq ReceivedClaim) * ByteString) DecodeReason :=
  fold_left
    (fun items _i => read_claims_step items opening_length)
    (range 0 (reading_turns count bytes))
    (Ok ([], bytes)).

(** One step of [`encode_claims`]. *)
Definition encode_claims_step (encoded : ByteString) (claim : ReceivedClaim) : ByteString :=
  encoded ++ encode_claim claim.

(** The claims one after the other. *)
Definition encode_claims (items : Seq ReceivedClaim) : ByteString :=
  fold_left (fun encoded c => encode_claims_step encoded (seq_at items c)) (range 0 (seq_length items)) [].

(** One step of [`meant_claims`]. *)
Definition meant_claims_step
    (items : Seq Claim)
    (claim : ReceivedClaim)
    (c : usize)
    (meanings : Seq Opening) : Seq Claim :=
  let meaning := if c <? seq_length meanings then seq_at meanings c else Opening_Malformed in
  items ++
  [{| claim_position := claim.(received_position);
      claim_slot := claim.(received_slot);
      claim_opening := meaning |}].

(** The claims, with what their openings are as points; those that nothing is said of are malformed. *)
Definition meant_claims (received : Seq ReceivedClaim) (meanings : Seq Opening) : Seq Claim :=
  fold_left
    (fun items c => meant_claims_step items (seq_at received c) c meanings)
    (range 0 (seq_length received))
    [].

(** The transaction that the validator judges. *)
Definition meant_transaction (tx : ReceivedTransaction) (meanings : Seq Opening) : Transaction :=
  {| first_valid := tx.(received_first);
    last_valid := tx.(received_last);
    nonce := tx.(received_nonce);
    operations := tx.(received_operations);
    claims := meant_claims tx.(received_claims) meanings |}.

(** `u8 format || core || u16 number of claims || claims`, where the core is what the id covers. *)
Definition encode_transaction (tx : ReceivedTransaction) (format : usize) : ByteString :=
  u8_bytes format ++
  encode_core (meant_transaction tx []) ++
  u16_bytes (seq_length tx.(received_claims)) ++
  encode_claims tx.(received_claims).

(** The transaction of this format that the bytes are, if it takes no more operations and claims
    than are left, and what is left then. *)
Definition read_transaction
    (bytes : ByteString)
    (format opening_length : usize)
    (quotas : ItemQuotas) : Result (ReceivedTransaction * ItemQuotas) DecodeReason :=
  match expect_format bytes format with
  | Ok after_format =>
      match read_number after_format 8 with
      | Ok (first, after_first) =>
          match read_number after_first 8 with
          | Ok (last, after_last) =>
              match take_bytes after_last NONCE_LENGTH with
              | Ok (salt, after_nonce) =>
                  match read_number after_nonce 2 with
                  | Ok (operation_count, after_count) =>
                      match take_quota
                          quotas.(operations_left)
                          operation_count
                          DecodeReason_ExcessOperations with
                      | Ok operations_then =>
                          match read_operations after_count operation_count with
                          | Ok (asked, after_operations) =>
                              match read_number after_operations 2 with
                              | Ok (claim_count, before_claims) =>
                                  match take_quota
                                      quotas.(claims_left)
                                      claim_count
                                      DecodeReason_ExcessClaims with
                                  | Ok claims_then =>
                                      match read_claims before_claims claim_count opening_length with
                                      | Ok (claimed, rest) =>
                                          match expect_end rest with
                                          | Ok _end =>
                                              let tx :=
                                                {| received_first := first;
                                                  received_last := last;
                                                  received_nonce := salt;
                                                  received_operations := asked;
                                                  received_claims := claimed |}
                                              in
                                              Ok
                                                (tx,
                                                  {| operations_left := operations_then;
                                                    claims_left := claims_then |})
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
                  end
              | Err e' => Err e'
              end
          | Err e' => Err e'
          end
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

(** Quotas that no count of 16 bits passes. *)
Definition unlimited_quotas : ItemQuotas :=
  {| operations_left := 65535; claims_left := 65535 |}.

(** The transaction with openings that the bytes are. *)
Definition decode_transaction (bytes : ByteString) : Result ReceivedTransaction DecodeReason :=
  match read_transaction bytes TRANSACTION_FORMAT OPENING_LENGTH unlimited_quotas with
  | Ok (tx, _quotas) => Ok tx
  | Err e' => Err e'
  end.

End Specification.
