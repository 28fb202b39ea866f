(* Requests about bytes from outside. No state is used or changed.

     decode SAFE KIND PARAMETERS HEIGHT STRINGS  -> SAFE accepted STRINGS | SAFE refused REASON

   STRINGS is a list: the strings of a chain's block, or else one string. Those of the answer encode what was read. *)

open Oracle_spec
open Tokens
open Values
open Session

let reason_name = function
  | DecodeReason_Truncated -> "Truncated"
  | DecodeReason_Trailing -> "Trailing"
  | DecodeReason_UnknownFormat -> "UnknownFormat"
  | DecodeReason_UnknownOperation -> "UnknownOperation"
  | DecodeReason_UnknownPresence -> "UnknownPresence"
  | DecodeReason_UnorderedSigners -> "UnorderedSigners"
  | DecodeReason_UnorderedVectors -> "UnorderedVectors"
  | DecodeReason_UnorderedKeys -> "UnorderedKeys"
  | DecodeReason_Oversized -> "Oversized"
  | DecodeReason_ExcessTransactions -> "ExcessTransactions"
  | DecodeReason_ExcessOperations -> "ExcessOperations"
  | DecodeReason_ExcessClaims -> "ExcessClaims"
  | DecodeReason_ExcessTailVectors -> "ExcessTailVectors"
  | DecodeReason_ExcessPoints -> "ExcessPoints"
  | DecodeReason_FrameAlone -> "FrameAlone"
  | DecodeReason_NoFrame -> "NoFrame"

let answer out reader =
  let safe = flag reader in
  let kind = next reader in
  let p = parameters reader in
  let height = number reader in
  let strings = list bytes reader in
  finish reader;
  let single decode = match strings with [ x ] -> decode x | _ -> raise (Malformed "not one string") in
  let twin, value =
    match kind with
    | "slot" -> (fun () -> single oracle_slot_safe), (fun () -> single oracle_slot)
    | "claim" -> (fun () -> single oracle_claim_safe), (fun () -> single oracle_claim)
    | "transaction" -> (fun () -> single oracle_transaction_safe), (fun () -> single oracle_transaction)
    | "signed" -> (fun () -> single (oracle_signed_safe p)), (fun () -> single (oracle_signed p))
    | "block" -> (fun () -> single (oracle_block_safe p)), (fun () -> single (oracle_block p))
    | "aggregated" -> (fun () -> single (oracle_aggregated_bytes_safe p)), (fun () -> single (oracle_aggregated_bytes p))
    | "record" -> (fun () -> single oracle_record_safe), (fun () -> single oracle_record)
    | "snapshot" -> (fun () -> single oracle_snapshot_safe), (fun () -> single oracle_snapshot)
    | "import" -> (fun () -> single oracle_import_bytes_safe), (fun () -> single oracle_import_bytes)
    | "chain" -> (fun () -> oracle_chain_block_safe p height strings), (fun () -> oracle_chain_block p height strings)
    | token -> raise (Malformed ("not a kind of bytes: " ^ token))
  in
  put_safe out safe twin;
  put_result (put_list put_bytes) (fun out why -> word out (reason_name why)) out (value ())
