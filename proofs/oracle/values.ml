(* The specification's values, read from tokens and written as tokens. *)

open Oracle_spec
open Tokens

let scalar reader = scalar_of_number0 (number reader)
let put_scalar out x = word out ("0x" ^ Z.format "%x" (number_of_scalar x))

let slot reader =
  let key = bytes reader in
  let value = bytes reader in
  let next = bytes reader in
  { key; value; next }

let put_slot out (slot : slot) = put_bytes out slot.key; put_bytes out slot.value; put_bytes out slot.next

let parameters reader =
  let scheme = number reader in
  let vector_size = number reader in
  let window_length = number reader in
  let max_key_length = number reader in
  let max_value_length = number reader in
  let transaction_operations = number reader in
  let transaction_claims = number reader in
  let transaction_bytes = number reader in
  let block_transactions = number reader in
  let block_operations = number reader in
  let block_claims = number reader in
  let block_bytes = number reader in
  { scheme; vector_size; window_length; max_key_length; max_value_length; transaction_operations; transaction_claims;
    transaction_bytes; block_transactions; block_operations; block_claims; block_bytes }

let put_parameters out p =
  List.iter (put_number out)
    [ p.scheme; p.vector_size; p.window_length; p.max_key_length; p.max_value_length; p.transaction_operations;
      p.transaction_claims; p.transaction_bytes; p.block_transactions; p.block_operations; p.block_claims; p.block_bytes ]

let key_entry reader =
  let entry_key = bytes reader in
  let entry_value = bytes reader in
  { entry_key; entry_value }

let put_key_entry out entry = put_bytes out entry.entry_key; put_bytes out entry.entry_value

let genesis reader =
  let genesis_name = bytes reader in
  let genesis_salt = bytes reader in
  let genesis_parameters = parameters reader in
  let genesis_setup_digest = bytes reader in
  let genesis_entries = list key_entry reader in
  let genesis_binding = bytes reader in
  { genesis_name; genesis_salt; genesis_parameters; genesis_setup_digest; genesis_entries; genesis_binding }

let action reader =
  match next reader with
  | "require-absent" -> Action_RequireAbsent
  | "require" -> Action_RequireValue (bytes reader)
  | "put" -> Action_Put (bytes reader)
  | "delete" -> Action_Delete
  | "add" -> Action_Add (number reader)
  | "sub" -> Action_Sub (number reader)
  | token -> raise (Malformed ("not an action: " ^ token))

let operation reader =
  let operation_key = bytes reader in
  let action0 = action reader in
  { operation_key; action0 }

let opening reader =
  match option scalar reader with
  | None -> Opening_Malformed
  | Some exponent -> Opening_Point exponent

let claim reader =
  let claim_position = number reader in
  let claim_slot = slot reader in
  let claim_opening = opening reader in
  { claim_position; claim_slot; claim_opening }

let put_claim out claim =
  put_number out claim.claim_position;
  put_slot out claim.claim_slot;
  put_option put_scalar out (match claim.claim_opening with Opening_Malformed -> None | Opening_Point e -> Some e)

let transaction reader =
  let first_valid = number reader in
  let last_valid = number reader in
  let nonce = bytes reader in
  let operations = list operation reader in
  let claims = list claim reader in
  { first_valid; last_valid; nonce; operations; claims }

let block reader =
  let block_version = number reader in
  let transactions = list transaction reader in
  let tail_vectors = list (list slot) reader in
  { block_version; transactions; tail_vectors }

let aggregated_block reader =
  let plain_block = block reader in
  let block_points = list opening reader in
  { plain_block; block_points }

let claim_encoding reader =
  let commitment_bytes = bytes reader in
  let scalar_bytes = bytes reader in
  { commitment_bytes; scalar_bytes }

let block_encodings reader =
  let claim_encodings = list claim_encoding reader in
  let point_encodings = list bytes reader in
  { claim_encodings; point_encodings }

let array reader =
  let array_size = number reader in
  let array_slots = list (option slot) reader in
  { array_size; array_slots }

let put_array out array = put_number out array.array_size; put_list (put_option put_slot) out array.array_slots

let change reader =
  let change_key = bytes reader in
  let change_before = option bytes reader in
  let change_after = option bytes reader in
  { change_key; change_before; change_after }

let put_change out change =
  put_bytes out change.change_key;
  put_option put_bytes out change.change_before;
  put_option put_bytes out change.change_after

let import_change reader =
  let import_key = bytes reader in
  let import_content = option bytes reader in
  { import_key; import_content }

let import_block reader =
  let import_version = number reader in
  let import_changes = list import_change reader in
  { import_version; import_changes }

let put_write out write = put_number out write.write_position; put_option put_slot out write.write_content

let write reader =
  let write_position = number reader in
  let write_content = option slot reader in
  { write_position; write_content }

let put_previous out previous =
  put_number out previous.previous_vector;
  put_option put_scalar out previous.previous_commitment

let put_record out record =
  put_list put_write out record.record_writes;
  put_number out record.record_size;
  put_list put_previous out record.record_commitments

let put_replay_entry out entry = put_bytes out entry.replay_id; put_number out entry.replay_last_valid

let replay_entry reader =
  let replay_id = bytes reader in
  let replay_last_valid = number reader in
  { replay_id; replay_last_valid }

let put_state out state =
  put_parameters out state.parameters0;
  put_bytes out state.dictionary_id;
  put_number out state.version;
  put_number out state.size;
  put_list put_scalar out state.commitments;
  put_list put_record out state.window0;
  put_number out state.tail_start;
  put_list put_slot out state.tail;
  put_list put_replay_entry out state.replay_set

let put_contents = put_list (put_option put_bytes)

let put_effects out effects =
  put_list put_write out effects.effect_writes;
  put_list put_contents out effects.effect_contents;
  put_list put_change out effects.effect_changes;
  put_list put_bytes out effects.effect_ids

let reason_name = function
  | Reason_WrongVersion -> "WrongVersion"
  | Reason_TooManyTransactions -> "TooManyTransactions"
  | Reason_TooManyBlockOperations -> "TooManyBlockOperations"
  | Reason_TooManyBlockClaims -> "TooManyBlockClaims"
  | Reason_BlockTooLong -> "BlockTooLong"
  | Reason_TooManyOperations -> "TooManyOperations"
  | Reason_TooManyClaims -> "TooManyClaims"
  | Reason_TransactionTooLong -> "TransactionTooLong"
  | Reason_IntervalMalformed -> "IntervalMalformed"
  | Reason_IntervalTooLong -> "IntervalTooLong"
  | Reason_NotYetValid -> "NotYetValid"
  | Reason_Expired -> "Expired"
  | Reason_Replayed -> "Replayed"
  | Reason_RepeatedInBlock -> "RepeatedInBlock"
  | Reason_NonceMalformed -> "NonceMalformed"
  | Reason_NoOperations -> "NoOperations"
  | Reason_EmptyKey -> "EmptyKey"
  | Reason_KeyTooLong -> "KeyTooLong"
  | Reason_ValueTooLong -> "ValueTooLong"
  | Reason_ZeroAmount -> "ZeroAmount"
  | Reason_ClaimKeyTooLong -> "ClaimKeyTooLong"
  | Reason_ClaimValueTooLong -> "ClaimValueTooLong"
  | Reason_RepeatedPosition -> "RepeatedPosition"
  | Reason_SuperfluousClaim -> "SuperfluousClaim"
  | Reason_PositionOutOfRange -> "PositionOutOfRange"
  | Reason_OpeningMalformed -> "OpeningMalformed"
  | Reason_OpeningFalse -> "OpeningFalse"
  | Reason_TailTooLong -> "TailTooLong"
  | Reason_TailVectorSize -> "TailVectorSize"
  | Reason_TailSlotMalformed -> "TailSlotMalformed"
  | Reason_TailFalse -> "TailFalse"
  | Reason_UnresolvedCovering -> "UnresolvedCovering"
  | Reason_UnresolvedPredecessor -> "UnresolvedPredecessor"
  | Reason_RequireFailed -> "RequireFailed"
  | Reason_AbsentKey -> "AbsentKey"
  | Reason_NotANumber -> "NotANumber"
  | Reason_Overflow -> "Overflow"
  | Reason_Underflow -> "Underflow"
  | Reason_TailMissing -> "TailMissing"
  | Reason_TailSuperfluous -> "TailSuperfluous"

let put_rejection out rejection =
  word out (reason_name rejection.reason0);
  put_option put_number out rejection.transaction;
  put_option put_number out rejection.item

let put_import_rejection out = function
  | ImportRejection_ImportWrongVersion -> word out "ImportWrongVersion"
  | ImportRejection_ImportEmptyKey i -> word out "ImportEmptyKey"; put_number out i
  | ImportRejection_ImportKeyTooLong i -> word out "ImportKeyTooLong"; put_number out i
  | ImportRejection_ImportValueTooLong i -> word out "ImportValueTooLong"; put_number out i
  | ImportRejection_ImportNotAscending i -> word out "ImportNotAscending"; put_number out i
  | ImportRejection_ImportIncompleteArray -> word out "ImportIncompleteArray"
