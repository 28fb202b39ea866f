(* Translated from spec/src/policy/check_policy.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Policy.CheckPolicy Base.BytesSafe Commitment.KzgSafe Block.TransactionSafe
  Decoding.SignedDecoderSafe Table.RunRecordSafe Policy.SignersSafe Policy.AccountsSafe Policy.PublisherSafe
  Policy.TablesSafe Policy.BoardSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [check_signed] does not panic. *)
Definition check_signed_safe (policy : Policy) (tx : Transaction) (signed_by : Seq Signer) : bool :=
  match policy with
  | Policy_PolicyAccounts rule =>
      signing_accounts_safe signed_by && check_accounts_safe rule tx (signing_accounts signed_by)
  | Policy_PolicyPublisher publishers =>
      public_keys_of_safe signed_by && check_publisher_safe publishers (public_keys_of signed_by)
  | Policy_PolicyTables creators =>
      public_keys_of_safe signed_by && check_tables_safe creators tx (public_keys_of signed_by)
  | Policy_PolicyBoard organisers =>
      public_keys_of_safe signed_by && check_board_safe organisers tx (public_keys_of signed_by)
  end.

(** When [check_brought] does not panic. *)
Definition check_brought_safe (policy : Policy) (tx : Transaction) (items : Seq ReceivedCertificate) : bool :=
  match policy with
  | Policy_PolicyTables _ => check_tables_covered_safe tx items
  | _ => true
  end.

(** When [check_policy] does not panic. *)
Definition check_policy_safe
    (policy : Policy)
    (tx : Transaction)
    (signed_by : Seq Signer)
    (items : Seq ReceivedCertificate) : bool :=
  check_signed_safe policy tx signed_by &&
  (match check_signed policy tx signed_by with
    | Ok _ => check_brought_safe policy tx items
    | Err _ => true
    end).

(** When [certify_policy] does not panic. *)
Definition certify_policy_safe
    (policy : Policy)
    (setup : KzgSetup)
    (dictionary : ByteString)
    (tx : Transaction)
    (items : Seq ReceivedCertificate)
    (points : Seq TablePoint)
    (meanings : Seq CertificateMeaning) : bool :=
  match policy with
  | Policy_PolicyTables _ => certify_tables_safe setup dictionary tx items points meanings
  | _ => true
  end.

End Specification.
