(* Requests about parts of the specification: what challenges and state roots are made of, commitments and claims by themselves,
   what an honest archive says. SETUP and STATE of the last genesis and advance are used where the specification takes them. All
   answers begin with the twin's, as in main.ml.

     unopened SAFE BLOCK                         -> DISTINCT?
     seed SAFE DICTIONARY CLAIMS                 -> SEED
     coefficient SAFE SEED NUMBER                -> SCALAR
     seeds SAFE DICTIONARY VERSION CLAIMS POINTS -> DISTINCT SEED SEED
     root SAFE HASHED_STATE                      -> PARTS ROOT
     replay SAFE ENTRIES                         -> ENTRIES
     path SAFE LEAVES INDEX                      -> PATH
     end SAFE WIDTH INDEX LEAF PATH              -> ROOT?
     scheme SAFE                                 -> NUMBER VECTOR_SIZE
     wide SAFE BYTES                             -> SCALAR
     vector SAFE SCALARS INDEX                   -> COMMITMENT OPENING OPENINGS
     updated SAFE COMMITMENT OPENING INDEX CHANGED DELTA
                                                 -> COMMITMENT OPENING
     batch SAFE CLAIMS COEFFICIENTS POINTS COMBINERS
                                                 -> BATCH_HOLDS AGGREGATION_HOLDS HONEST_POINTS
     claims SAFE ARRAY OPERATIONS                -> CLAIMS
     tail SAFE ARRAY START N COUNT               -> VECTORS
     written SAFE ARRAY WRITES SIZE              -> ARRAY ENTRIES
     current SAFE VERSION POSITION               -> BOOL *)

open Oracle_spec
open Tokens
open Values
open Session

let put_merged_claim out claim =
  put_number out claim.merged_version;
  put_number out claim.merged_position;
  put_scalar out claim.merged_commitment;
  put_scalar out claim.merged_scalar

let challenge_claim reader =
  let challenge_version = number reader in
  let challenge_commitment = bytes reader in
  let challenge_index = number reader in
  let challenge_scalar = bytes reader in
  let challenge_opening = bytes reader in
  { challenge_version; challenge_commitment; challenge_index; challenge_scalar; challenge_opening }

let unopened_claim reader =
  let unopened_version = number reader in
  let unopened_position = number reader in
  let unopened_commitment = bytes reader in
  let unopened_scalar = bytes reader in
  { unopened_version; unopened_position; unopened_commitment; unopened_scalar }

let put_unopened_claim out claim =
  put_number out claim.unopened_version;
  put_number out claim.unopened_position;
  put_bytes out claim.unopened_commitment;
  put_bytes out claim.unopened_scalar

let encoded_point reader =
  let encoded_index = number reader in
  let encoded_point = bytes reader in
  { encoded_index; encoded_point }

let hashed_previous reader =
  let hashed_previous_vector = number reader in
  let hashed_previous_commitment = option bytes reader in
  { hashed_previous_vector; hashed_previous_commitment }

let hashed_record reader =
  let hashed_record_version = number reader in
  let hashed_record_size = number reader in
  let hashed_record_writes = list write reader in
  let hashed_record_commitments = list hashed_previous reader in
  { hashed_record_version; hashed_record_size; hashed_record_writes; hashed_record_commitments }

let hashed_state reader =
  let hashed_dictionary = bytes reader in
  let hashed_version = number reader in
  let hashed_size = number reader in
  let hashed_tail_start = number reader in
  let hashed_commitments = list bytes reader in
  let hashed_tail = list slot reader in
  let hashed_replay_set = list replay_entry reader in
  let hashed_window = list hashed_record reader in
  { hashed_dictionary; hashed_version; hashed_size; hashed_tail_start; hashed_commitments; hashed_tail; hashed_replay_set;
    hashed_window }

let put_root_parts out parts =
  put_bytes out parts.parts_dictionary;
  List.iter (put_number out) [ parts.parts_version; parts.parts_size; parts.parts_tail_start ];
  List.iter (put_bytes out)
    [ parts.parts_commitment_root; parts.parts_tail_digest; parts.parts_replay_digest; parts.parts_window_digest ]

let batch_claim reader =
  let batch_commitment = scalar reader in
  let batch_index = number reader in
  let batch_scalar = scalar reader in
  let batch_opening = scalar reader in
  { batch_commitment; batch_index; batch_scalar; batch_opening }

let aggregated_opening reader =
  let aggregated_index = number reader in
  let aggregated_point = scalar reader in
  { aggregated_index; aggregated_point }

(* Each reads its arguments, and gives the twin and the answer, neither of them computed yet. *)
let request name reader =
  match name with
  | "unopened" ->
    let block = block reader in
    let now = required "state" !state in
    (fun () -> oracle_unopened_safe given now block),
    (fun out -> put_option (put_list put_merged_claim) out (oracle_unopened given now block))
  | "seed" ->
    let dictionary = bytes reader in
    let claims = list challenge_claim reader in
    (fun () -> oracle_seed_safe dictionary claims), (fun out -> put_bytes out (oracle_seed given dictionary claims))
  | "coefficient" ->
    let seed = bytes reader in
    let j = number reader in
    (fun () -> oracle_coefficient_safe given seed j), (fun out -> put_scalar out (oracle_coefficient given seed j))
  | "seeds" ->
    let dictionary = bytes reader in
    let version = number reader in
    let claims = list unopened_claim reader in
    let points = list encoded_point reader in
    (fun () -> oracle_seeds_safe given dictionary version claims points),
    (fun out ->
       let distinct, (first, second) = oracle_seeds given dictionary version claims points in
       put_list put_unopened_claim out distinct;
       put_bytes out first;
       put_bytes out second)
  | "root" ->
    let hashed = hashed_state reader in
    (fun () -> oracle_root_safe given hashed),
    (fun out ->
       let parts, root = oracle_root given hashed in
       put_root_parts out parts;
       put_bytes out root)
  | "replay" ->
    let entries = list replay_entry reader in
    (fun () -> oracle_replay_safe entries), (fun out -> put_list put_replay_entry out (oracle_replay entries))
  | "path" ->
    let leaves = list bytes reader in
    let index = number reader in
    (fun () -> oracle_path_safe given leaves index), (fun out -> put_list put_bytes out (oracle_path given leaves index))
  | "end" ->
    let width = number reader in
    let index = number reader in
    let leaf = bytes reader in
    let path = list bytes reader in
    (fun () -> oracle_end_safe given width index leaf path),
    (fun out -> put_option put_bytes out (oracle_end given width index leaf path))
  | "scheme" ->
    let made = required "setup" !setup in
    (fun () -> true),
    (fun out ->
       let scheme, size = oracle_scheme made in
       put_number out scheme;
       put_number out size)
  | "wide" ->
    let wide = bytes reader in
    (fun () -> oracle_wide_safe wide), (fun out -> put_scalar out (oracle_wide wide))
  | "vector" ->
    let vector = list scalar reader in
    let i = number reader in
    let made = required "setup" !setup in
    (fun () -> oracle_vector_safe made vector i),
    (fun out ->
       let commitment, (opening, openings) = oracle_vector made vector i in
       put_scalar out commitment;
       put_scalar out opening;
       put_list put_scalar out openings)
  | "updated" ->
    let commitment = scalar reader in
    let opening = scalar reader in
    let i = number reader in
    let j = number reader in
    let delta = scalar reader in
    let made = required "setup" !setup in
    (fun () -> oracle_updated_safe made commitment opening i j delta),
    (fun out ->
       let commitment, opening = oracle_updated made commitment opening i j delta in
       put_scalar out commitment;
       put_scalar out opening)
  | "batch" ->
    let claims = list batch_claim reader in
    let coefficients = list scalar reader in
    let points = list aggregated_opening reader in
    let combiners = list scalar reader in
    let made = required "setup" !setup in
    (fun () -> oracle_batch_safe made claims coefficients points combiners),
    (fun out ->
       let (batch, aggregation), honest = oracle_batch made claims coefficients points combiners in
       put_bool out batch;
       put_bool out aggregation;
       put_list put_scalar out honest)
  | "claims" ->
    let whole = array reader in
    let operations = list operation reader in
    let made = required "setup" !setup in
    (fun () -> oracle_claims_safe given made whole operations),
    (fun out -> put_list put_claim out (oracle_claims given made whole operations))
  | "tail" ->
    let whole = array reader in
    let start = number reader in
    let n = number reader in
    let count = number reader in
    (fun () -> oracle_tail_safe whole start n count),
    (fun out -> put_list (put_list put_slot) out (oracle_tail whole start n count))
  | "written" ->
    let whole = array reader in
    let writes = list write reader in
    let size = number reader in
    (fun () -> oracle_written_safe whole writes size),
    (fun out ->
       let after, entries = oracle_written whole writes size in
       put_array out after;
       put_list put_key_entry out entries)
  | "current" ->
    let v = number reader in
    let p = number reader in
    let now = required "state" !state in
    (fun () -> oracle_current_safe now v p), (fun out -> put_bool out (oracle_current now v p))
  | token -> raise (Malformed ("not a request: " ^ token))

let answer name out reader =
  let safe = flag reader in
  let twin, value = request name reader in
  finish reader;
  put_safe out safe twin;
  value out
