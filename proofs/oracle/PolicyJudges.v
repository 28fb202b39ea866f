(** The oracle's names for the generated definitions about policies. Extract.v extracts them with the others. *)

From Coq Require Import NArith List.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Hash Commitment.Kzg Block.Transaction
  Decoding.SignedDecoder Table.RunRecord Table.CertificateTranscript Table.LinkedCertificate Mixnet.PostKey
  Policy.PolicyReason Policy.Signers Policy.TableMade Policy.Tables Policy.Board Policy.CheckPolicy.
From AardvarkSpec Require Import Policy.TablesSafe Policy.BoardSafe Policy.CheckPolicySafe.
From Aardvark Require Import Examples.ModularScalars.
Local Open Scope bool_scope.
Local Open Scope N_scope.

Section Oracle.

Context {given : @HashGiven modular}.

(** Whether a policy lets the signers do a transaction. *)
Definition oracle_policy (policy : Policy) (tx : Transaction) (signed_by : list Signer)
    (brought : list ReceivedCertificate) : Result unit PolicyReason :=
  check_policy policy tx signed_by brought.

Definition oracle_policy_safe (policy : Policy) (tx : Transaction) (signed_by : list Signer)
    (brought : list ReceivedCertificate) : bool :=
  check_policy_safe policy tx signed_by brought.

(** What has to be signed of a transaction of posts: keys and values, admissions among them. *)
Definition oracle_posts (organisers : list ByteString) (tx : Transaction) :
    Result (list (ByteString * ByteString)) PolicyReason :=
  match board_posts organisers tx with
  | Ok posts => Ok (List.map (fun post => (encode_post_key (board_key post), board_value post)) posts)
  | Err why => Err why
  end.

Definition oracle_posts_safe (organisers : list ByteString) (tx : Transaction) : bool :=
  board_posts_safe organisers tx.

(** What the certificates of a transaction have to hold for: the statements that they are about. *)
Definition sheet_statement (sheet : TableSheet) : ByteString :=
  match table_sheet_link sheet with
  | None => certificate_statement (table_sheet_about sheet) (table_sheet_items sheet)
  | Some link => linked_statement (table_sheet_about sheet) link (table_sheet_items sheet)
  end.

Definition oracle_sheets (dictionary : ByteString) (tx : Transaction) (brought : list ReceivedCertificate)
    (points : list TablePoint) : Result (list ByteString) PolicyReason :=
  match judge_tables dictionary tx brought points with
  | Ok sheets => Ok (List.map sheet_statement sheets)
  | Err why => Err why
  end.

Definition oracle_sheets_safe (dictionary : ByteString) (tx : Transaction) (brought : list ReceivedCertificate)
    (points : list TablePoint) : bool :=
  judge_tables_safe dictionary tx brought points.

(** Whether what needs points holds of a transaction. *)
Definition oracle_certify (tau : Scalar) (n : N) (policy : Policy) (dictionary : ByteString) (tx : Transaction)
    (brought : list ReceivedCertificate) (points : list TablePoint) (meanings : list CertificateMeaning) :
    Result unit PolicyReason :=
  certify_policy policy (kzg_setup n tau) dictionary tx brought points meanings.

Definition oracle_certify_safe (tau : Scalar) (n : N) (policy : Policy) (dictionary : ByteString) (tx : Transaction)
    (brought : list ReceivedCertificate) (points : list TablePoint) (meanings : list CertificateMeaning) : bool :=
  certify_policy_safe policy (kzg_setup n tau) dictionary tx brought points meanings.

End Oracle.
