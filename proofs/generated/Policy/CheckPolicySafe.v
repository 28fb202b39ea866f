(* Translated from spec/src/policy/check_policy.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Policy.CheckPolicy Base.BytesSafe Block.TransactionSafe Policy.SignersSafe
  Policy.AccountsSafe Policy.PublisherSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [check_policy] does not panic. *)
Definition check_policy_safe (policy : Policy) (tx : Transaction) (signed_by : Seq Signer) : bool :=
  match policy with
  | Policy_PolicyAccounts rule =>
      signing_accounts_safe signed_by && check_accounts_safe rule tx (signing_accounts signed_by)
  | Policy_PolicyPublisher publishers =>
      public_keys_of_safe signed_by && check_publisher_safe publishers (public_keys_of signed_by)
  end.

End Specification.
