(* Translated from spec/src/policy/publisher.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** The policy `publisher`: the listed public keys may write anything, each of them alone.

    Source: docs/network.md, "Who may write". *)
From AardvarkSpec Require Export Prelude Base.Bytes Policy.PolicyReason Policy.Signers.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

(** One step of [`all_listed`]. *)
Definition all_listed_step (all_are : bool) (publishers : Seq ByteString) (public_key : ByteString) : bool :=
  all_are && is_listed publishers public_key.

(** Whether all signers are publishers. *)
Definition all_listed (publishers signing_keys : Seq ByteString) : bool :=
  fold_left
    (fun all_are i => all_listed_step all_are publishers (seq_at signing_keys i))
    (range 0 (seq_length signing_keys))
    true.

(** Whether the policy lets these public keys' owners do a transaction, whatever it does. *)
Definition check_publisher (publishers signing_keys : Seq ByteString) : Result unit PolicyReason :=
  if seq_length signing_keys =? 0 then
    Err PolicyReason_SignerMissing
  else if all_listed publishers signing_keys then
    Ok tt
  else
    Err PolicyReason_SignerSuperfluous.
