(* Translated from spec/src/policy/check_policy.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** The policy of a chain, one of two kinds. *)
From AardvarkSpec Require Export Prelude Base.Bytes Block.Transaction Policy.PolicyReason Policy.Signers
  Policy.Accounts Policy.Publisher.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** Which signers may do which operations. *)
Inductive Policy : Type :=
(** Balances that only their owners spend. *)
| Policy_PolicyAccounts (_ : AccountsPolicy)
(** The public keys of those who may write anything. *)
| Policy_PolicyPublisher (_ : Seq ByteString).

(** Whether a policy lets the signers do a transaction; or the first rule that is broken. *)
Definition check_policy
    (policy : Policy)
    (tx : Transaction)
    (signed_by : Seq Signer) : Result unit PolicyReason :=
  match policy with
  | Policy_PolicyAccounts rule => check_accounts rule tx (signing_accounts signed_by)
  | Policy_PolicyPublisher publishers => check_publisher publishers (public_keys_of signed_by)
  end.

End Specification.
