(* Translated from spec/src/block/transaction.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Claims and transactions: their encoding, the identity, and their lengths.

    The version of a transaction's claims is `first_valid - 1`. Openings do not enter the encoding
    here: their bytes are a matter of the curve, and no identity depends on them. Source:
    docs/format.md, "Transactions". *)
From AardvarkSpec Require Export Prelude Base.Bytes Base.Hash Commitment.Opening Dictionary.Slot
  Block.Operation.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** The claim that a position holds a slot. *)
Record Claim : Type := {
  (** The position. *)
  claim_position : usize;
  (** The slot. *)
  claim_slot : Slot;
  (** What shows it. *)
  claim_opening : Opening;
}.

#[global] Instance Default_Claim : Default Claim := {| claim_position := default; claim_slot := default; claim_opening := default |}.

(** The length of a nonce, in bytes. *)
Definition NONCE_LENGTH : usize :=
  16.

(** A transaction. *)
Record Transaction : Type := {
  (** The first version whose block may hold the transaction; its claims are for the version
      before. *)
  first_valid : usize;
  (** The last version whose block may hold it. *)
  last_valid : usize;
  (** 16 bytes that tell apart transactions which are otherwise the same. Other lengths are
      refused in phase 4: two cores could have one encoding. *)
  nonce : ByteString;
  (** What is asked for, in order. *)
  operations : Seq Operation;
  (** The claims that resolve the operations' keys. *)
  claims : Seq Claim;
}.

#[global] Instance Default_Transaction : Default Transaction := {| first_valid := default; last_valid := default; nonce := default; operations := default; claims := default |}.

(** The version of the claims, once `first_valid` is known to be at least 1. *)
Definition claims_version (tx : Transaction) : usize :=
  if 0 <? tx.(first_valid) then tx.(first_valid) - 1 else 0.

(** `u64 first_valid || u64 last_valid || nonce || u16 number of operations || operations`. *)
Definition encode_core (tx : Transaction) : ByteString :=
  u64_bytes tx.(first_valid) ++
  u64_bytes tx.(last_valid) ++
  tx.(nonce) ++
  u16_bytes (seq_length tx.(operations)) ++
  encode_operations tx.(operations).

(** The transaction's id, 32 bytes: it depends on neither claims nor openings. *)
Definition id_of_transaction (dictionary : ByteString) (tx : Transaction) : ByteString :=
  tagged_hash tag_transaction (dictionary ++ encode_core tx).

(** The length of an encoded claim, in bytes: position, slot, opening. *)
Definition claim_length (claim : Claim) : usize :=
  8 + slot_bytes_length claim.(claim_slot) + 48.

(** One step of [`claims_length`]. *)
Definition claims_length_step (total : usize) (claim : Claim) : usize :=
  total + claim_length claim.

(** The length of the encoded claims, in bytes. *)
Definition claims_length (items : Seq Claim) : usize :=
  fold_left (fun total c => claims_length_step total (seq_at items c)) (range 0 (seq_length items)) 0.

(** The length of the encoded transaction, in bytes: format, core, number of claims, claims. *)
Definition transaction_length (tx : Transaction) : usize :=
  1 + (8 + 8 + 16 + 2 + operations_length tx.(operations)) + 2 + claims_length tx.(claims).

(** Whether a claim serves an operation: its slot covers the operation's key, or precedes the key of
    a `Delete` directly. *)
Definition serves (claim : Claim) (operation : Operation) : bool :=
  covers claim.(claim_slot) operation.(operation_key) ||
  (is_delete operation.(action) && bytes_equal claim.(claim_slot).(next) operation.(operation_key)).

(** One step of [`serves_some`]. *)
Definition serves_some_step (found : bool) (claim : Claim) (operation : Operation) : bool :=
  found || serves claim operation.

(** Whether a claim serves at least one of the operations. *)
Definition serves_some (claim : Claim) (items : Seq Operation) : bool :=
  fold_left (fun found j => serves_some_step found claim (seq_at items j)) (range 0 (seq_length items)) false.

(** One step of [`claimed_before`]. *)
Definition claimed_before_step (found : bool) (claim : Claim) (p : usize) : bool :=
  found || (claim.(claim_position) =? p).

(** Whether one of the first `count` claims is of position `p`. *)
Definition claimed_before (items : Seq Claim) (count p : usize) : bool :=
  fold_left (fun found c => claimed_before_step found (seq_at items c) p) (range 0 count) false.

End Specification.
