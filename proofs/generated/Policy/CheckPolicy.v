(* Translated from spec/src/policy/check_policy.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** The policy of a chain, one of two kinds. *)
From AardvarkSpec Require Export Prelude Base.Bytes Block.Transaction Policy.PolicyReason Policy.Accounts
  Policy.Publisher.
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

(** A signer: a public key and the account that it owns, the key's SHA-256. *)
Record Signer : Type := {
  (** The public key, 32 bytes. *)
  signer_public_key : ByteString;
  (** The account, 32 bytes. *)
  signer_account : ByteString;
}.

#[global] Instance Default_Signer : Default Signer := {| signer_public_key := default; signer_account := default |}.

(** One step of [`signing_accounts`]. *)
Definition signing_accounts_step (found_accounts : Seq ByteString) (signer : Signer) : Seq ByteString :=
  found_accounts ++ [signer.(signer_account)].

(** The accounts of signers. *)
Definition signing_accounts (signed_by : Seq Signer) : Seq ByteString :=
  fold_left
    (fun found_accounts i => signing_accounts_step found_accounts (seq_at signed_by i))
    (range 0 (seq_length signed_by))
    [].

(** One step of [`public_keys_of`]. *)
Definition public_keys_of_step (found_keys : Seq ByteString) (signer : Signer) : Seq ByteString :=
  found_keys ++ [signer.(signer_public_key)].

(** The public keys of signers. *)
Definition public_keys_of (signed_by : Seq Signer) : Seq ByteString :=
  fold_left
    (fun found_keys i => public_keys_of_step found_keys (seq_at signed_by i))
    (range 0 (seq_length signed_by))
    [].

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
