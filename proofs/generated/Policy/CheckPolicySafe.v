(* Translated from spec/src/policy/check_policy.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Policy.CheckPolicy Base.BytesSafe Block.TransactionSafe Policy.AccountsSafe
  Policy.PublisherSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [signing_accounts] does not panic. *)
Definition signing_accounts_safe (signed_by : Seq Signer) : bool :=
  loop_safe
    (fun found_accounts i => signing_accounts_step found_accounts (seq_at signed_by i))
    (fun found_accounts i => i <? seq_length signed_by)
    (range 0 (seq_length signed_by))
    [].

(** When [public_keys_of] does not panic. *)
Definition public_keys_of_safe (signed_by : Seq Signer) : bool :=
  loop_safe
    (fun found_keys i => public_keys_of_step found_keys (seq_at signed_by i))
    (fun found_keys i => i <? seq_length signed_by)
    (range 0 (seq_length signed_by))
    [].

(** When [check_policy] does not panic. *)
Definition check_policy_safe (policy : Policy) (tx : Transaction) (signed_by : Seq Signer) : bool :=
  match policy with
  | Policy_PolicyAccounts rule =>
      signing_accounts_safe signed_by && check_accounts_safe rule tx (signing_accounts signed_by)
  | Policy_PolicyPublisher publishers =>
      public_keys_of_safe signed_by && check_publisher_safe publishers (public_keys_of signed_by)
  end.

End Specification.
