(* Translated from spec/src/block/transaction.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Block.Transaction Base.BytesSafe Commitment.OpeningSafe Dictionary.SlotSafe
  Block.OperationSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [claims_version] does not panic. *)
Definition claims_version_safe (tx : Transaction) : bool :=
  if 0 <? tx.(first_valid) then 1 <=? tx.(first_valid) else true.

(** When [encode_core] does not panic. *)
Definition encode_core_safe (tx : Transaction) : bool :=
  encode_operations_safe tx.(operations).

(** When [id_of_transaction] does not panic. *)
Definition id_of_transaction_safe (dictionary : ByteString) (tx : Transaction) : bool :=
  encode_core_safe tx.

(** When [claim_length] does not panic. *)
Definition claim_length_safe (claim : Claim) : bool :=
  slot_bytes_length_safe claim.(claim_slot) && within_usize (8 + slot_bytes_length claim.(claim_slot)) &&
  within_usize (8 + slot_bytes_length claim.(claim_slot) + 48).

(** When [claims_length_step] does not panic. *)
Definition claims_length_step_safe (total : usize) (claim : Claim) : bool :=
  claim_length_safe claim && within_usize (total + claim_length claim).

(** When [claims_length] does not panic. *)
Definition claims_length_safe (items : Seq Claim) : bool :=
  loop_safe
    (fun total c => claims_length_step total (seq_at items c))
    (fun total c => (c <? seq_length items) && claims_length_step_safe total (seq_at items c))
    (range 0 (seq_length items))
    0.

(** When [transaction_length] does not panic. *)
Definition transaction_length_safe (tx : Transaction) : bool :=
  within_usize (8 + 8) && within_usize (8 + 8 + 16) && within_usize (8 + 8 + 16 + 2) &&
  operations_length_safe tx.(operations) &&
  within_usize (8 + 8 + 16 + 2 + operations_length tx.(operations)) &&
  within_usize (1 + (8 + 8 + 16 + 2 + operations_length tx.(operations))) &&
  within_usize (1 + (8 + 8 + 16 + 2 + operations_length tx.(operations)) + 2) &&
  claims_length_safe tx.(claims) &&
  within_usize (1 + (8 + 8 + 16 + 2 + operations_length tx.(operations)) + 2 + claims_length tx.(claims)).

(** When [serves] does not panic. *)
Definition serves_safe (claim : Claim) (operation : Operation) : bool :=
  covers_safe claim.(claim_slot) operation.(operation_key) &&
  (if covers claim.(claim_slot) operation.(operation_key) then
      true
    else if is_delete operation.(action) then
      bytes_equal_safe claim.(claim_slot).(next) operation.(operation_key)
    else
      true).

(** When [serves_some_step] does not panic. *)
Definition serves_some_step_safe (found : bool) (claim : Claim) (operation : Operation) : bool :=
  if found then true else serves_safe claim operation.

(** When [serves_some] does not panic. *)
Definition serves_some_safe (claim : Claim) (items : Seq Operation) : bool :=
  loop_safe
    (fun found j => serves_some_step found claim (seq_at items j))
    (fun found j => (j <? seq_length items) && serves_some_step_safe found claim (seq_at items j))
    (range 0 (seq_length items))
    false.

(** When [claimed_before] does not panic. *)
Definition claimed_before_safe (items : Seq Claim) (count p : usize) : bool :=
  loop_safe
    (fun found c => claimed_before_step found (seq_at items c) p)
    (fun found c => c <? seq_length items)
    (range 0 count)
    false.

End Specification.
