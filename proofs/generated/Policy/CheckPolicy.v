(* Translated from spec/src/policy/check_policy.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** The policy of a chain, one of four kinds.

    A policy decides twice on a transaction, as validators do. [`check_policy`] looks at what needs
    no point, before signatures are verified: what is written, who signed, and which segments the
    certificates cover. [`certify_policy`] looks at the rest behind the openings, since until then
    anybody can pin a schema that names himself a writer; under the other policies nothing is left.
    So both have the certificates among their arguments: those that a signed transaction brings are
    a matter of the policy, and only `tables` has any. Under `board` a transaction has no signers
    either: the signatures of its posts ([`board_posts`]) are verified in their place.

    [`board_posts`]: crate::policy::board::board_posts

    Source: docs/network.md, "Who may write". *)
From AardvarkSpec Require Export Prelude Base.Bytes Commitment.Kzg Block.Transaction Decoding.SignedDecoder
  Table.RunRecord Policy.PolicyReason Policy.Signers Policy.Accounts Policy.Publisher Policy.Tables
  Policy.Board.
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
| Policy_PolicyPublisher (_ : Seq ByteString)
(** The public keys of those who may create tables, which their schemas' writers write. *)
| Policy_PolicyTables (_ : Seq ByteString)
(** The public keys of those who organise mixnets' ceremonies on a board. *)
| Policy_PolicyBoard (_ : Seq ByteString).

(** Whether a policy lets the signers do what a transaction does. *)
Definition check_signed
    (policy : Policy)
    (tx : Transaction)
    (signed_by : Seq Signer) : Result unit PolicyReason :=
  match policy with
  | Policy_PolicyAccounts rule => check_accounts rule tx (signing_accounts signed_by)
  | Policy_PolicyPublisher publishers => check_publisher publishers (public_keys_of signed_by)
  | Policy_PolicyTables creators => check_tables creators tx (public_keys_of signed_by)
  | Policy_PolicyBoard organisers => check_board organisers tx (public_keys_of signed_by)
  end.

(** Whether a transaction brings the certificates that a policy asks for, as far as their number and
    what they cover say so. *)
Definition check_brought
    (policy : Policy)
    (tx : Transaction)
    (items : Seq ReceivedCertificate) : Result unit PolicyReason :=
  match policy with
  | Policy_PolicyTables _ => check_tables_covered tx items
  | _ => if seq_length items =? 0 then Ok tt else Err PolicyReason_CertificatesMalformed
  end.

(** Whether a policy lets the signers do a transaction that brings these certificates, but for what
    [`certify_policy`] looks at; or the first rule that is broken. *)
Definition check_policy
    (policy : Policy)
    (tx : Transaction)
    (signed_by : Seq Signer)
    (items : Seq ReceivedCertificate) : Result unit PolicyReason :=
  match check_signed policy tx signed_by with
  | Ok _ => check_brought policy tx items
  | Err e' => Err e'
  end.

(** Whether what needs points holds of a transaction that [`check_policy`] lets pass: `points` are
    the points of which it has encodings, `meanings` what the bytes of its certificates are. *)
Definition certify_policy
    (policy : Policy)
    (setup : KzgSetup)
    (dictionary : ByteString)
    (tx : Transaction)
    (items : Seq ReceivedCertificate)
    (points : Seq TablePoint)
    (meanings : Seq CertificateMeaning) : Result unit PolicyReason :=
  match policy with
  | Policy_PolicyTables _ => certify_tables setup dictionary tx items points meanings
  | _ => Ok tt
  end.

End Specification.
