(* Translated from spec/src/decoding/checked_bytes.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** From received bytes to what is believed of them: what a mempool goes through with a transaction,
    and a validator that joins with a snapshot. *)
From AardvarkSpec Require Export Prelude Base.Bytes Commitment.Opening Commitment.Scheme Block.Rejection
  Block.State Block.Execution Block.Validator Block.Root Decoding.DecodeReason Decoding.TransactionDecoder
  Decoding.SignedDecoder Decoding.SnapshotDecoder.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** Why received bytes of a transaction are not let in. *)
Inductive SignedBytesRejection : Type :=
(** They are no signed transaction. *)
| SignedBytesRejection_UnreadableTransaction (_ : DecodeReason)
(** They are one that is refused. *)
| SignedBytesRejection_RefusedTransaction (_ : Rejection).

(** Why received bytes of a snapshot are not the state that was asked for. *)
Inductive SnapshotRejection : Type :=
(** They are no snapshot. *)
| SnapshotRejection_UnreadableSnapshot (_ : DecodeReason)
(** The commitments are not as many as the vectors of the slots. *)
| SnapshotRejection_MiscountedCommitments
(** The state has another root. *)
| SnapshotRejection_OtherStateRoot.

(** Checks the signed transaction that the bytes are, as a mempool asks, against a state; `meanings`
    is what its openings are. Signatures are looked at by the chain's policy. *)
Definition check_signed_bytes
    (setup : Setup)
    (state : ValidatorState)
    (bytes : ByteString)
    (meanings : Seq Opening) : Result Contents SignedBytesRejection :=
  match decode_signed bytes state.(parameters) with
  | Ok received =>
      match check_transaction setup state (meant_transaction received.(signed_transaction) meanings) with
      | Ok contents => Ok contents
      | Err rejection => Err (SignedBytesRejection_RefusedTransaction rejection)
      end
  | Err why => Err (SignedBytesRejection_UnreadableTransaction why)
  end.

(** The number of vectors of `n` slots that `s` slots take, whatever numbers were received: no sum
    leaves the range of integers. *)
Definition received_vector_count (s n : usize) : usize :=
  if s =? 0 then 0 else ((s - 1) / n) + 1.

(** The state that was received, if it has the root that consensus certifies. The root does not say
    how many commitments it is over; the number of slots, which it covers, does. *)
Definition check_snapshot
    (received : HashedState)
    (n : usize)
    (certified : ByteString) : Result HashedState SnapshotRejection :=
  if (received.(hashed_size) =? 0) ||
    (negb (seq_length received.(hashed_commitments) =? received_vector_count received.(hashed_size) n)) then
    Err SnapshotRejection_MiscountedCommitments
  else if negb (bytes_equal (state_root received) certified) then
    Err SnapshotRejection_OtherStateRoot
  else
    Ok received.

(** The state of this dictionary, with vectors of `n` slots, that the bytes are, if it has the
    certified root. *)
Definition accept_snapshot
    (dictionary : ByteString)
    (n : usize)
    (certified bytes : ByteString) : Result HashedState SnapshotRejection :=
  match decode_snapshot dictionary bytes with
  | Ok received => check_snapshot received n certified
  | Err why => Err (SnapshotRejection_UnreadableSnapshot why)
  end.

End Specification.
