(* Translated from spec/src/block/rejection.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Why a block or a transaction is refused: the reasons of docs/format.md, by its names, and where
    they arose. *)
From AardvarkSpec Require Export Prelude.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

(** The reason of a refusal. *)
Inductive Reason : Type :=
(** Phase 1: the block is not for the version after this one. *)
| Reason_WrongVersion
(** Phase 1: more transactions than a block may hold. *)
| Reason_TooManyTransactions
(** Phase 1: more operations than a block may hold. *)
| Reason_TooManyBlockOperations
(** Phase 1: more claims than a block may hold. *)
| Reason_TooManyBlockClaims
(** Phase 1: more bytes than a block may have. *)
| Reason_BlockTooLong
(** Phase 1: more operations than a transaction may hold. *)
| Reason_TooManyOperations
(** Phase 1: more claims than a transaction may hold. *)
| Reason_TooManyClaims
(** Phase 1: more bytes than a transaction may have. *)
| Reason_TransactionTooLong
(** Phase 2: `first_valid` is 0, or above `last_valid`. *)
| Reason_IntervalMalformed
(** Phase 2: valid for more than W versions after the first. *)
| Reason_IntervalTooLong
(** Phase 2: the block comes before `first_valid`. *)
| Reason_NotYetValid
(** Phase 2: the block comes after `last_valid`. *)
| Reason_Expired
(** Phase 3: the transaction was applied in an earlier block. *)
| Reason_Replayed
(** Phase 3: the transaction stands earlier in this block. *)
| Reason_RepeatedInBlock
(** Phase 4: the nonce has not 16 bytes. No bytes decode to such a transaction. *)
| Reason_NonceMalformed
(** Phase 4: the transaction does nothing. *)
| Reason_NoOperations
(** Phase 4: an operation names the sentinel's key. *)
| Reason_EmptyKey
(** Phase 4: an operation's key is longer than keys may be. *)
| Reason_KeyTooLong
(** Phase 4: an operation's value is longer than values may be, or its result could be. *)
| Reason_ValueTooLong
(** Phase 4: an operation adds or subtracts nothing. *)
| Reason_ZeroAmount
(** Phase 4: a claimed slot's key or next key is longer than keys may be. *)
| Reason_ClaimKeyTooLong
(** Phase 4: a claimed slot's value is longer than values may be. *)
| Reason_ClaimValueTooLong
(** Phase 4: the transaction claims a position twice. *)
| Reason_RepeatedPosition
(** Phase 4: the claim serves no operation of its transaction. *)
| Reason_SuperfluousClaim
(** Phase 5: the claimed position was not in use at the claim's version. *)
| Reason_PositionOutOfRange
(** Phase 6: an opening's bytes break the format's rule. *)
| Reason_OpeningMalformed
(** Phase 6: an opening does not verify. *)
| Reason_OpeningFalse
(** Phase 7: there is no such vector below the tail. *)
| Reason_TailTooLong
(** Phase 7: a tail vector has not exactly N slots. *)
| Reason_TailVectorSize
(** Phase 7: a tail vector's slot has a length beyond the maxima. *)
| Reason_TailSlotMalformed
(** Phase 7: a tail vector is not what its commitment says. *)
| Reason_TailFalse
(** Phase 8: the covering slot of an operation's key is not known. *)
| Reason_UnresolvedCovering
(** Phase 8: the predecessor of a key to be deleted is not known. *)
| Reason_UnresolvedPredecessor
(** Phase 9: a requirement does not hold. *)
| Reason_RequireFailed
(** Phase 9: a subtraction from an absent key. *)
| Reason_AbsentKey
(** Phase 9: an addition to, or a subtraction from, a value that is not 8 bytes long. *)
| Reason_NotANumber
(** Phase 9: the sum exceeds 64 bits. *)
| Reason_Overflow
(** Phase 9: the difference is negative. *)
| Reason_Underflow
(** Phase 10: fewer tail vectors than the block needs. *)
| Reason_TailMissing
(** Phase 10: more tail vectors than the block needs. *)
| Reason_TailSuperfluous.

(** A refusal: the reason, and the item that gave it. *)
Record Rejection : Type := {
  (** The reason. *)
  reason : Reason;
  (** The transaction's number in the block; none for reasons about the block as a whole or its
      tail. *)
  transaction : Option usize;
  (** The number of the operation or claim in its transaction, or of the tail vector in the block;
      none for reasons about a whole transaction or block. *)
  item : Option usize;
}.

(** A refusal of the block as a whole. *)
Definition reject_block (why : Reason) : Rejection :=
  {| reason := why; transaction := None; item := None |}.

(** A refusal of transaction `x` as a whole. *)
Definition reject_transaction (why : Reason) (x : usize) : Rejection :=
  {| reason := why; transaction := Some x; item := None |}.

(** A refusal for operation or claim `j` of transaction `x`. *)
Definition reject_item (why : Reason) (x j : usize) : Rejection :=
  {| reason := why; transaction := Some x; item := Some j |}.

(** A refusal for tail vector `i`. *)
Definition reject_tail_vector (why : Reason) (i : usize) : Rejection :=
  {| reason := why; transaction := None; item := Some i |}.
