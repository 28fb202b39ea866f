(* Requests about the keys that a mixnet's servers deal. No state is used or changed.

     mixnet_keys SAFE TERMS DEALINGS VERDICTS  -> SAFE NUMBERS FLAGS KEYS

   NUMBERS are the dealers whose dealings are valid, FLAGS say of each verdict whether it is, KEYS are an option. *)

open Oracle_spec
open Tokens
open Values
open Session
open Mixnet

let point reader =
  let posted_element = scalar reader in
  let posted_bytes = bytes reader in
  { posted_element; posted_bytes }

let terms reader =
  let keys_ceremony = bytes reader in
  let keys_threshold = number reader in
  let keys_count = number reader in
  let keys_transports = list point reader in
  { keys_ceremony; keys_threshold; keys_count; keys_transports }

let dealing reader =
  let deal_author = number reader in
  let deal_committed = rows reader in
  let deal_list = bytes reader in
  let deal_randomised = list point reader in
  let deal_sealed = list (list scalar) reader in
  let deal_statement = bytes reader in
  let deal_proof = linear_proof reader in
  let deal_first = bytes reader in
  { deal_author; deal_committed; deal_list; deal_randomised; deal_sealed; deal_statement; deal_proof; deal_first }

let complaint reader =
  let complaint_dealer = number reader in
  let complaint_shared = point reader in
  let complaint_proof = linear_proof reader in
  let complaint_first = bytes reader in
  { complaint_dealer; complaint_shared; complaint_proof; complaint_first }

let verdict reader =
  let verdict_author = number reader in
  let verdict_complaints = list complaint reader in
  { verdict_author; verdict_complaints }

let put_keys out keys =
  put_list put_number out keys.generated_dealers;
  put_list (put_list put_scalar) out keys.generated_committed;
  put_bytes out keys.generated_digest

let answer out reader =
  let safe = flag reader in
  let terms = terms reader in
  let dealings = list dealing reader in
  let verdicts = list verdict reader in
  finish reader;
  put_safe out safe (fun () -> oracle_keys_safe given terms dealings verdicts);
  let (valid, held), keys = oracle_keys given terms dealings verdicts in
  put_list put_number out valid;
  put_list put_bool out held;
  put_option put_keys out keys
