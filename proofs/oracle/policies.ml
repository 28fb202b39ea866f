(* Requests about policies. No state is used or changed.

     policy SAFE POLICY TRANSACTION SIGNERS CERTIFICATES
                                      -> SAFE accepted | SAFE refused REASON
     policy_posts SAFE ORGANISERS TRANSACTION
                                      -> SAFE accepted POSTS | SAFE refused REASON
     policy_sheets SAFE DICTIONARY TRANSACTION CERTIFICATES POINTS
                                      -> SAFE accepted STATEMENTS | SAFE refused REASON
     certify SAFE TRAPDOOR N POLICY DICTIONARY TRANSACTION CERTIFICATES POINTS MEANINGS
                                      -> as policy

   POLICY is accounts, publisher, tables or board, and its fields; POSTS are keys and values of what has to be signed, as
   bytes; CERTIFICATES are those that the transaction brings, as bytes; MEANINGS are what these bytes are: unread, plain or linked, and the certificate. *)

open Oracle_spec
open Tokens
open Values
open Session

let accounts reader =
  let fee_account = bytes reader in
  let fee_base = number reader in
  let fee_byte = number reader in
  let fee_claim = number reader in
  let fee_operation = number reader in
  let accounts_minimum = number reader in
  { accounts_fee = { fee_account; fee_base; fee_byte; fee_claim; fee_operation }; accounts_minimum }

let policy reader =
  match next reader with
  | "accounts" -> Policy_PolicyAccounts (accounts reader)
  | "publisher" -> Policy_PolicyPublisher (list bytes reader)
  | "tables" -> Policy_PolicyTables (list bytes reader)
  | "board" -> Policy_PolicyBoard (list bytes reader)
  | token -> raise (Malformed ("not a policy: " ^ token))

let signer reader =
  let signer_public_key = bytes reader in
  let signer_account = bytes reader in
  { signer_public_key; signer_account }

let brought reader =
  let received_segments = number reader in
  let received_certificate = bytes reader in
  { received_segments; received_certificate }

let meaning reader =
  match next reader with
  | "unread" -> CertificateMeaning_CertificateUnread
  | "plain" -> CertificateMeaning_CertificatePlain (Tables.certificate reader)
  | "linked" -> CertificateMeaning_CertificateLinked (Tables.linked_certificate reader)
  | token -> raise (Malformed ("not a certificate: " ^ token))

let reason_name = function
  | PolicyReason_KeyNotAccount -> "KeyNotAccount"
  | PolicyReason_OperationForbidden -> "OperationForbidden"
  | PolicyReason_DeleteUnguarded -> "DeleteUnguarded"
  | PolicyReason_PayerMissing -> "PayerMissing"
  | PolicyReason_SumsDiffer -> "SumsDiffer"
  | PolicyReason_SignerMissing -> "SignerMissing"
  | PolicyReason_SignerSuperfluous -> "SignerSuperfluous"
  | PolicyReason_FeeTooLow -> "FeeTooLow"
  | PolicyReason_BelowMinimum -> "BelowMinimum"
  | PolicyReason_WriteMalformed -> "WriteMalformed"
  | PolicyReason_SchemaNotPinned -> "SchemaNotPinned"
  | PolicyReason_RecordRefused -> "RecordRefused"
  | PolicyReason_KeyClosed -> "KeyClosed"
  | PolicyReason_RunImmutable -> "RunImmutable"
  | PolicyReason_CertificatesMalformed -> "CertificatesMalformed"
  | PolicyReason_CertificateRefused -> "CertificateRefused"
  | PolicyReason_PostMalformed -> "PostMalformed"
  | PolicyReason_OrganiserUnknown -> "OrganiserUnknown"
  | PolicyReason_PostForbidden -> "PostForbidden"
  | PolicyReason_AdmissionNotRequired -> "AdmissionNotRequired"
  | PolicyReason_GateNotRequired -> "GateNotRequired"

let put_reason out why = word out (reason_name why)

let put_post out (key, value) =
  put_bytes out key;
  put_bytes out value

(* Reads its arguments, and gives the twin and what writes the answer, neither of them computed yet. *)
let request name reader =
  match name with
  | "policy" ->
    let rule = policy reader in
    let tx = transaction reader in
    let signed_by = list signer reader in
    let items = list brought reader in
    (fun () -> oracle_policy_safe rule tx signed_by items),
    (fun out -> put_result Tables.put_nothing put_reason out (oracle_policy rule tx signed_by items))
  | "policy_posts" ->
    let organisers = list bytes reader in
    let tx = transaction reader in
    (fun () -> oracle_posts_safe organisers tx),
    (fun out -> put_result (put_list put_post) put_reason out (oracle_posts organisers tx))
  | "policy_sheets" ->
    let dictionary = bytes reader in
    let tx = transaction reader in
    let items = list brought reader in
    let points = list Tables.table_point reader in
    (fun () -> oracle_sheets_safe given dictionary tx items points),
    (fun out -> put_result (put_list put_bytes) put_reason out (oracle_sheets given dictionary tx items points))
  | "certify" ->
    let tau = scalar reader in
    let n = number reader in
    let rule = policy reader in
    let dictionary = bytes reader in
    let tx = transaction reader in
    let items = list brought reader in
    let points = list Tables.table_point reader in
    let meanings = list meaning reader in
    (fun () -> oracle_certify_safe given tau n rule dictionary tx items points meanings),
    (fun out ->
      put_result Tables.put_nothing put_reason out
        (oracle_certify given tau n rule dictionary tx items points meanings))
  | token -> raise (Malformed ("not a request: " ^ token))

let answer name out reader =
  let safe = flag reader in
  let twin, write = request name reader in
  finish reader;
  put_safe out safe twin;
  write out
