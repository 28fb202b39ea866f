(* Requests about answers to readers. The setup is made from what the request says; no state is used or changed.

     answer SAFE SETUP TRUSTED QUESTION PROOF        -> SAFE accepted ANSWER | SAFE refused REASON CLASS ITEM?
     rooted SAFE SETUP ROOT QUESTION IDENTITY PROOF  -> as answer
     folded SAFE SETUP TRUSTED QUESTION PROOF QUOTIENT QUOTIENT? WITNESS? BOUND
                                                     -> as answer
     folded_rooted SAFE SETUP ROOT QUESTION IDENTITY PROOF QUOTIENT QUOTIENT? WITNESS? BOUND
                                                     -> as answer

   SETUP is SCHEME TRAPDOOR N. *)

open Oracle_spec
open Tokens
open Values
open Session

let known_commitments reader =
  let known_dictionary = bytes reader in
  let known_vector_size = number reader in
  let known_version = number reader in
  let known_size = number reader in
  let known_commitments = list scalar reader in
  { known_dictionary; known_vector_size; known_version; known_size; known_commitments }

let known_root reader =
  let root_dictionary = bytes reader in
  let root_vector_size = number reader in
  let root_digest = bytes reader in
  { root_dictionary; root_vector_size; root_digest }

let trusted reader =
  match next reader with
  | "commitments" -> Trusted_TrustedCommitments (known_commitments reader)
  | "root" -> Trusted_TrustedRoot (known_root reader)
  | token -> raise (Malformed ("nothing to trust: " ^ token))

let key_range reader =
  let range_from = bytes reader in
  let range_to = bytes reader in
  let range_limit = option number reader in
  { range_from; range_to; range_limit }

let question reader =
  match next reader with
  | "keys" -> Question_AskRegion (Region_RegionKeys (list bytes reader))
  | "range" -> Question_AskRegion (Region_RegionRange (key_range reader))
  | "predecessor" -> Question_AskPredecessor (bytes reader)
  | "successor" -> Question_AskSuccessor (bytes reader)
  | token -> raise (Malformed ("not a question: " ^ token))

let root_parts reader =
  let parts_dictionary = bytes reader in
  let parts_version = number reader in
  let parts_size = number reader in
  let parts_tail_start = number reader in
  let parts_commitment_root = bytes reader in
  let parts_tail_digest = bytes reader in
  let parts_replay_digest = bytes reader in
  let parts_window_digest = bytes reader in
  { parts_dictionary; parts_version; parts_size; parts_tail_start; parts_commitment_root; parts_tail_digest;
    parts_replay_digest; parts_window_digest }

let tied_vector reader =
  let tied_number = number reader in
  let tied_bytes = bytes reader in
  let tied_commitment = opening reader in
  let tied_path = list bytes reader in
  { tied_number; tied_bytes; tied_commitment; tied_path }

let root_tie reader =
  let tie_parts = root_parts reader in
  let tie_vectors = list tied_vector reader in
  { tie_parts; tie_vectors }

let proof reader =
  let proof_dictionary = bytes reader in
  let proof_vector_size = number reader in
  let proof_version = number reader in
  let proof_question = question reader in
  let proof_claims = list claim reader in
  let proof_tie = option root_tie reader in
  { proof_dictionary; proof_vector_size; proof_version; proof_question; proof_claims; proof_tie }

let identity reader =
  let identity_name = bytes reader in
  let identity_salt = bytes reader in
  let identity_parameters = parameters reader in
  let identity_setup_digest = bytes reader in
  let identity_content_digest = bytes reader in
  let identity_binding = bytes reader in
  { identity_name; identity_salt; identity_parameters; identity_setup_digest; identity_content_digest; identity_binding }

let bound_claim reader =
  let bound_commitment = bytes reader in
  let bound_point = bytes reader in
  let bound_value = bytes reader in
  { bound_commitment; bound_point; bound_value }

let folded_proof reader =
  let unopened_proof = proof reader in
  let received_quotient = bytes reader in
  let decoded_quotient = opening reader in
  let decoded_witness = opening reader in
  { unopened_proof; received_quotient; decoded_quotient; decoded_witness }

let put_key_answer out answer =
  put_bytes out answer.answered_key;
  put_option put_bytes out answer.answered_value

let put_answer out = function
  | Answer_AnswerKeys answers -> word out "keys"; put_list put_key_answer out answers
  | Answer_AnswerRange found ->
    word out "range";
    put_list put_key_entry out found.range_entries;
    put_option put_bytes out found.range_resume
  | Answer_AnswerPredecessor found -> word out "predecessor"; put_option put_key_entry out found
  | Answer_AnswerSuccessor found -> word out "successor"; put_option put_bytes out found

let reason_name = function
  | AnswerReason_QuestionIllegal -> "QuestionIllegal"
  | AnswerReason_AnswerSlotTooLong -> "AnswerSlotTooLong"
  | AnswerReason_TieMismatched -> "TieMismatched"
  | AnswerReason_PartsMalformed -> "PartsMalformed"
  | AnswerReason_TiedVectorsMismatched -> "TiedVectorsMismatched"
  | AnswerReason_CommitmentMalformed -> "CommitmentMalformed"
  | AnswerReason_AnswerOpeningMalformed -> "AnswerOpeningMalformed"
  | AnswerReason_OtherDictionary -> "OtherDictionary"
  | AnswerReason_OtherVectorSize -> "OtherVectorSize"
  | AnswerReason_OtherVersion -> "OtherVersion"
  | AnswerReason_OtherQuestion -> "OtherQuestion"
  | AnswerReason_RootFalse -> "RootFalse"
  | AnswerReason_PathFalse -> "PathFalse"
  | AnswerReason_AnswerPositionOutOfRange -> "AnswerPositionOutOfRange"
  | AnswerReason_AnswerOpeningFalse -> "AnswerOpeningFalse"
  | AnswerReason_ChainNotCovering -> "ChainNotCovering"
  | AnswerReason_ChainSuperfluous -> "ChainSuperfluous"
  | AnswerReason_ChainMissing -> "ChainMissing"

let put_refusal out refusal =
  word out (reason_name refusal.refusal_reason);
  put_number out (oracle_class refusal.refusal_reason);
  put_option put_number out refusal.refusal_item

(* Worlds ask many questions under one setup. *)
let made : (string * Z.t * Z.t * setup) option ref = ref None

let setup_of reader =
  let scheme = next reader in
  let trapdoor = number reader in
  let size = number reader in
  match !made with
  | Some (known, secret, n, setup) when known = scheme && Z.equal secret trapdoor && Z.equal n size -> setup
  | _ ->
    let setup = (read_setup (ref [ scheme; Z.to_string trapdoor ])) size in
    (* Hashes of another world's slots are not asked for again. *)
    Hashtbl.reset digests;
    Hashtbl.reset scalars;
    made := Some (scheme, trapdoor, size, setup);
    setup

(* Reads its arguments, and gives the twin and the answer, neither of them computed yet. *)
let request name reader =
  let setup = setup_of reader in
  match name with
  | "answer" ->
    let known = trusted reader in
    let asked = question reader in
    let shown = proof reader in
    (fun () -> oracle_answer_safe given setup known asked shown), (fun () -> oracle_answer given setup known asked shown)
  | "rooted" ->
    let root = bytes reader in
    let asked = question reader in
    let rooted_identity = identity reader in
    let rooted_proof = proof reader in
    let shown = { rooted_identity; rooted_proof } in
    (fun () -> oracle_rooted_safe given setup root asked shown), (fun () -> oracle_rooted given setup root asked shown)
  | "folded" ->
    let known = trusted reader in
    let asked = question reader in
    let shown = folded_proof reader in
    let bound = list bound_claim reader in
    (fun () -> oracle_folded_safe given setup known asked shown bound),
    (fun () -> oracle_folded given setup known asked shown bound)
  | "folded_rooted" ->
    let root = bytes reader in
    let asked = question reader in
    let folded_identity = identity reader in
    let folded_proof = folded_proof reader in
    let bound = list bound_claim reader in
    let shown = { folded_identity; folded_proof } in
    (fun () -> oracle_folded_rooted_safe given setup root asked shown bound),
    (fun () -> oracle_folded_rooted given setup root asked shown bound)
  | token -> raise (Malformed ("not a request: " ^ token))

let answer name out reader =
  let safe = flag reader in
  let twin, value = request name reader in
  finish reader;
  put_safe out safe twin;
  put_result put_answer put_refusal out (value ())
