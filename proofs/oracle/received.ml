(* Requests about received bytes, applied to the state that is kept, which stays.

     received SAFE list HEIGHT STRINGS POINTS CLAIMS  -> SAFE accepted STATE EFFECTS | SAFE refused unreadable REASON
                                                      | SAFE refused block REASON TRANSACTION? ITEM?
     received SAFE aggregated BYTES POINTS CLAIMS     -> as list
     received SAFE block BYTES OPENINGS               -> as list; OPENINGS has a list for each transaction
     received SAFE import ARRAY BYTES                 -> SAFE accepted STATE ARRAY | SAFE refused unreadable REASON
                                                      | SAFE refused import REASON NUMBER?
     received SAFE transaction BYTES POINTS           -> SAFE accepted CONTENTS | SAFE refused unreadable REASON
                                                      | SAFE refused transaction REASON TRANSACTION? ITEM?
     received SAFE snapshot DICTIONARY N ROOT BYTES   -> SAFE accepted BYTES | SAFE refused unreadable REASON
                                                      | SAFE refused miscounted | SAFE refused root

   POINTS and OPENINGS are what the curve says of the bytes, CLAIMS the encodings of the claims; an accepted snapshot is
   encoded again. *)

open Oracle_spec
open Tokens
open Values
open Session

let put_accepted out (after, effects) = put_state out after; put_effects out effects

let put_bytes_rejection out = function
  | BytesRejection_UnreadableBlock why -> word out "unreadable"; word out (Decoders.reason_name why)
  | BytesRejection_RefusedBlock rejection -> word out "block"; put_rejection out rejection

let put_imported out (after, whole) = put_state out after; put_array out whole

let put_import_bytes_rejection out = function
  | ImportBytesRejection_UnreadableImport why -> word out "unreadable"; word out (Decoders.reason_name why)
  | ImportBytesRejection_RefusedImport rejection -> word out "import"; put_import_rejection out rejection

let put_signed_rejection out = function
  | SignedBytesRejection_UnreadableTransaction why -> word out "unreadable"; word out (Decoders.reason_name why)
  | SignedBytesRejection_RefusedTransaction rejection -> word out "transaction"; put_rejection out rejection

let put_snapshot_rejection out = function
  | SnapshotRejection_UnreadableSnapshot why -> word out "unreadable"; word out (Decoders.reason_name why)
  | SnapshotRejection_MiscountedCommitments -> word out "miscounted"
  | SnapshotRejection_OtherStateRoot -> word out "root"

let answer out reader =
  let safe = flag reader in
  let made = required "setup" !setup and now = required "state" !state in
  match next reader with
  | "list" ->
    let height = number reader in
    let strings = list bytes reader in
    let points = list opening reader in
    let claims = list claim_encoding reader in
    finish reader;
    put_safe out safe (fun () -> oracle_received_list_safe given made now height strings points claims);
    put_result put_accepted put_bytes_rejection out (oracle_received_list given made now height strings points claims)
  | "aggregated" ->
    let received = bytes reader in
    let points = list opening reader in
    let claims = list claim_encoding reader in
    finish reader;
    put_safe out safe (fun () -> oracle_received_aggregated_safe given made now received points claims);
    put_result put_accepted put_bytes_rejection out (oracle_received_aggregated given made now received points claims)
  | "block" ->
    let received = bytes reader in
    let openings = list (list opening) reader in
    finish reader;
    put_safe out safe (fun () -> oracle_received_block_safe given made now received openings);
    put_result put_accepted put_bytes_rejection out (oracle_received_block given made now received openings)
  | "import" ->
    let whole = array reader in
    let received = bytes reader in
    finish reader;
    put_safe out safe (fun () -> oracle_received_import_safe given made now whole received);
    put_result put_imported put_import_bytes_rejection out (oracle_received_import given made now whole received)
  | "transaction" ->
    let received = bytes reader in
    let points = list opening reader in
    finish reader;
    put_safe out safe (fun () -> oracle_received_signed_safe given made now received points);
    put_result put_contents put_signed_rejection out (oracle_received_signed given made now received points)
  | "snapshot" ->
    let dictionary = bytes reader in
    let n = number reader in
    let root = bytes reader in
    let received = bytes reader in
    finish reader;
    put_safe out safe (fun () -> oracle_received_snapshot_safe given dictionary n root received);
    put_result put_bytes put_snapshot_rejection out (oracle_received_snapshot given dictionary n root received)
  | token -> raise (Malformed ("not a kind of bytes: " ^ token))
