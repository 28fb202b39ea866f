(* The oracle: one request a line, one answer a line. Between the two the oracle may ask for hashes, a line each, and reads a
   line in answer; whoever runs it must be ready to give one until the answer comes.

     genesis SAFE SCHEME TRAPDOOR GENESIS   -> SAFE LEGAL STATE; the state is kept
     judge SAFE BLOCK                       -> SAFE accepted STATE EFFECTS, and the state is kept aside
                                             | SAFE refused REASON TRANSACTION? ITEM?
     aggregated SAFE BLOCK POINTS ENCODINGS -> as judge
     challenged SAFE BLOCK POINTS COEFFICIENTS COMBINERS
                                            -> as judge
     advance                                -> moved; the state kept aside becomes the state
     check SAFE TRANSACTION                 -> SAFE accepted CONTENTS | SAFE refused ..
     import SAFE ARRAY BLOCK                -> SAFE accepted STATE ARRAY | SAFE refused REASON NUMBER?
     changes SAFE ARRAY CHANGES             -> SAFE + ARRAY | SAFE -
     map ENTRIES TRANSACTIONS               -> accepted ENTRIES | refused ..

   Parts of these, and what blocks do not need, each with SAFE first in request and answer, are in parts.ml; answers to readers
   in readers.ml; bytes from outside in decoders.ml, and what they do in received.ml; tables in tables.ml, policies in
   policies.ml, the mixnet's proofs in mixnet.ml, its keys in keys.ml, values in chunks in chunks.ml, its views in views.ml.

   SAFE in a request is 1 to have the condition computed under which the specification does not panic, which takes longer, or
   0; in the answer it is that condition, or ?. What the oracle asks:

     hash TAG MESSAGE                       <- DIGEST
     scalar MESSAGE TAG                     <- NUMBER

   A request that is not understood is answered by: error TEXT. *)

open Oracle_spec
open Tokens
open Values
open Session

(* The state after an accepted block is kept aside. *)
let put_judgement out judgement =
  let put_accepted out (after, effects) = aside := Some after; put_state out after; put_effects out effects in
  aside := None;
  put_result put_accepted put_rejection out judgement

let answer out reader =
  match next reader with
  | "genesis" ->
    let safe = flag reader in
    let make = read_setup reader in
    let genesis = genesis reader in
    finish reader;
    Hashtbl.reset digests;
    Hashtbl.reset scalars;
    let made = make genesis.genesis_parameters.vector_size in
    let legal, first = oracle_genesis given made genesis in
    setup := Some made;
    state := Some first;
    aside := None;
    put_safe out safe (fun () -> oracle_genesis_safe given made genesis);
    put_bool out legal;
    put_state out first
  | "judge" ->
    let safe = flag reader in
    let block = block reader in
    finish reader;
    let made = required "setup" !setup and now = required "state" !state in
    put_safe out safe (fun () -> oracle_judge_safe given made now block);
    put_judgement out (oracle_judge given made now block)
  | "aggregated" ->
    let safe = flag reader in
    let block = aggregated_block reader in
    let encodings = block_encodings reader in
    finish reader;
    let made = required "setup" !setup and now = required "state" !state in
    put_safe out safe (fun () -> oracle_aggregated_safe given made now block encodings);
    put_judgement out (oracle_aggregated given made now block encodings)
  | "challenged" ->
    let safe = flag reader in
    let block = aggregated_block reader in
    let coefficients = list scalar reader in
    let combiners = list scalar reader in
    finish reader;
    let made = required "setup" !setup and now = required "state" !state in
    put_safe out safe (fun () -> oracle_challenged_safe given made now block coefficients combiners);
    put_judgement out (oracle_challenged given made now block coefficients combiners)
  | "advance" ->
    finish reader;
    state := Some (required "state aside" !aside);
    aside := None;
    word out "moved"
  | "check" ->
    let safe = flag reader in
    let tx = transaction reader in
    finish reader;
    let made = required "setup" !setup and now = required "state" !state in
    put_safe out safe (fun () -> oracle_check_safe given made now tx);
    put_result put_contents put_rejection out (oracle_check given made now tx)
  | "import" ->
    let safe = flag reader in
    let whole = array reader in
    let block = import_block reader in
    finish reader;
    let made = required "setup" !setup and now = required "state" !state in
    put_safe out safe (fun () -> oracle_import_safe given made now whole block);
    let put_accepted out (after, whole) = put_state out after; put_array out whole in
    put_result put_accepted put_import_rejection out (oracle_import given made now whole block)
  | "changes" ->
    let safe = flag reader in
    let before = array reader in
    let changes = list change reader in
    finish reader;
    put_safe out safe (fun () -> oracle_changes_safe before changes);
    put_option put_array out (oracle_changes before changes)
  | "map" ->
    let entries = list key_entry reader in
    let items = list transaction reader in
    finish reader;
    put_result (put_list put_key_entry) put_rejection out (oracle_map entries items)
  | "answer" | "rooted" | "folded" | "folded_rooted" as name -> Readers.answer name out reader
  | "decode" -> Decoders.answer out reader
  | "received" -> Received.answer out reader
  | "table" | "certificate" | "linked" | "comparison" | "table_change" | "run_step" as name ->
    Tables.answer name out reader
  | "policy" | "policy_posts" | "policy_sheets" | "certify" as name -> Policies.answer name out reader
  | "mixnet_permutation" | "mixnet_column" | "mixnet_decryption" | "mixnet_zero_test" | "mixnet_dealing" as name ->
    Mixnet.answer name out reader
  | "mixnet_keys" -> Keys.answer out reader
  | "mixnet_chunks" | "mixnet_value" | "mixnet_elements" as name -> Chunks.answer name out reader
  | "mixnet_view" -> Views.answer out reader
  | name -> Parts.answer name out reader

let rec serve () =
  match input_line stdin with
  | exception End_of_file -> ()
  | line ->
    let out = Buffer.create 4096 in
    (match answer out (ref (String.split_on_char ' ' line)) with
     | () -> send (Buffer.contents out)
     | exception Malformed text -> send ("error " ^ text)
     | exception (Failure text | Invalid_argument text) -> send ("error " ^ text)
     | exception Stack_overflow -> send "error the stack overflowed");
    serve ()

let () = serve ()
