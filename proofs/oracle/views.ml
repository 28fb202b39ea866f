(* Requests about what posts say of a mixnet's ceremony. No state is used or changed.

     mixnet_view SAFE TERMS POSTS     -> SAFE VIEW DUTIES

   DUTIES are a list for each server. Flaws and stages have the names of the specification. *)

open Oracle_spec
open Tokens
open Session

let flaws = [
  "FlawMalformed", PostFlaw_FlawMalformed;
  "FlawSignatureFalse", PostFlaw_FlawSignatureFalse;
  "FlawReceiptsMissing", PostFlaw_FlawReceiptsMissing;
  "FlawNotAuthorised", PostFlaw_FlawNotAuthorised;
  "FlawWrongLength", PostFlaw_FlawWrongLength;
  "FlawNotInSubgroup", PostFlaw_FlawNotInSubgroup;
  "FlawIdentityComponent", PostFlaw_FlawIdentityComponent;
  "FlawInputProofFalse", PostFlaw_FlawInputProofFalse;
  "FlawInputRepeated", PostFlaw_FlawInputRepeated;
  "FlawDealingFalse", PostFlaw_FlawDealingFalse;
  "FlawComplaintUnfounded", PostFlaw_FlawComplaintUnfounded;
  "FlawPermutationProofFalse", PostFlaw_FlawPermutationProofFalse;
  "FlawColumnProofFalse", PostFlaw_FlawColumnProofFalse;
  "FlawZeroTestFalse", PostFlaw_FlawZeroTestFalse;
  "FlawDecryptionProofFalse", PostFlaw_FlawDecryptionProofFalse;
  "FlawQueryForbidden", PostFlaw_FlawQueryForbidden;
  "FlawQueryOutOfRange", PostFlaw_FlawQueryOutOfRange;
  "FlawMixDiffers", PostFlaw_FlawMixDiffers;
]

let flaw reader =
  let name = next reader in
  match List.assoc_opt name flaws with Some flaw -> flaw | None -> raise (Malformed ("not a flaw: " ^ name))

let put_flaw out flaw = word out (fst (List.find (fun (_, other) -> other = flaw) flaws))

let terms reader =
  let terms_organiser = bytes reader in
  let terms_servers = list bytes reader in
  let terms_threshold = number reader in
  let terms_senders = list bytes reader in
  let terms_queriers = list bytes reader in
  let terms_anyone = flag reader in
  let terms_least = number reader in
  { terms_organiser; terms_servers; terms_threshold; terms_senders; terms_queriers; terms_anyone; terms_least }

let post_key reader =
  let post_organiser = bytes reader in
  let post_ceremony = number reader in
  let post_kind = number reader in
  let post_query = bytes reader in
  let post_sequence = number reader in
  let post_author = bytes reader in
  { post_organiser; post_ceremony; post_kind; post_query; post_sequence; post_author }

let put_key out key =
  put_bytes out key.post_organiser;
  put_number out key.post_ceremony;
  put_number out key.post_kind;
  put_bytes out key.post_query;
  put_number out key.post_sequence;
  put_bytes out key.post_author

let post reader =
  let viewed_key = post_key reader in
  let viewed_decodes = flag reader in
  let viewed_signed = flag reader in
  let viewed_held = flag reader in
  let viewed_at_hand = flag reader in
  let viewed_flaw = option flaw reader in
  let viewed_accused = list number reader in
  let viewed_first = bytes reader in
  let viewed_id = bytes reader in
  let viewed_backward = flag reader in
  let viewed_tested = flag reader in
  { viewed_key; viewed_decodes; viewed_signed; viewed_held; viewed_at_hand; viewed_flaw; viewed_accused; viewed_first;
    viewed_id; viewed_backward; viewed_tested }

let put_fault out fault = put_key out fault.fault_key; put_flaw out fault.fault_flaw

let stage_name = function
  | ViewStage_ViewDealing -> "ViewDealing"
  | ViewStage_ViewVerdicts -> "ViewVerdicts"
  | ViewStage_ViewOpen -> "ViewOpen"
  | ViewStage_ViewMixing -> "ViewMixing"
  | ViewStage_ViewDecrypting -> "ViewDecrypting"
  | ViewStage_ViewDone -> "ViewDone"
  | ViewStage_ViewVoid -> "ViewVoid"

let asked_name = function
  | AskedStage_AskedColumn -> "AskedColumn"
  | AskedStage_AskedZeroTest -> "AskedZeroTest"
  | AskedStage_AskedShares -> "AskedShares"
  | AskedStage_AskedAnswered -> "AskedAnswered"
  | AskedStage_AskedStopped -> "AskedStopped"

let put_numbers = put_list put_number

let put_asked out asked =
  put_bytes out asked.asked_id;
  word out (asked_name asked.asked_stage);
  put_number out asked.asked_turn;
  put_numbers out asked.asked_columns;
  put_numbers out asked.asked_tests;
  put_numbers out asked.asked_sharers;
  put_bool out asked.asked_opened;
  put_list put_fault out asked.asked_faults

let put_view out seen =
  word out (stage_name seen.view_stage);
  put_list put_fault out seen.view_faults;
  put_list put_key out seen.view_missing;
  put_numbers out seen.view_dealers;
  put_list put_bytes out seen.view_senders;
  put_numbers out seen.view_mixers;
  put_number out seen.view_turn;
  put_numbers out seen.view_agreed;
  put_numbers out seen.view_sharers;
  put_list put_asked out seen.view_asked;
  put_number out seen.view_unasked

let put_duty out duty = put_number out duty.duty_kind; put_bytes out duty.duty_query

let answer out reader =
  let safe = flag reader in
  let terms = terms reader in
  let posts = list post reader in
  finish reader;
  put_safe out safe (fun () -> oracle_view_safe terms posts);
  let seen, duties = oracle_view terms posts in
  put_view out seen;
  put_list (put_list put_duty) out duties
