(* Requests about the mixnet's proofs, each under the challenges that are drawn for it. No state is used or changed.

     mixnet_permutation SAFE CONTEXT GENERATORS ELEMENTS DIGEST CHAIN DIGEST PROOF DIGEST
     mixnet_column SAFE SEED GENERATORS ELEMENTS KEYS ROWS ROWS PROOF DIGEST
     mixnet_decryption SAFE SEED ELEMENTS ELEMENTS ROWS PROOF DIGEST
     mixnet_zero_test SAFE SEED ROWS ROWS PROOF DIGEST
     mixnet_dealing SAFE SEED ROWS ELEMENTS PROOF FIRST
                                      -> SAFE accepted | SAFE refused

   ELEMENTS, KEYS and CHAIN are lists of elements, ROWS a list of such; PROOF is the elements of T and the responses. *)

open Oracle_spec
open Tokens
open Values
open Session

let elements = list scalar
let rows = list elements

let context reader =
  let mixnet_keys = bytes reader in
  let mixnet_server = number reader in
  { mixnet_keys; mixnet_server }

let generators reader =
  let generator_blinding = scalar reader in
  let generator_chain = scalar reader in
  let generator_bases = elements reader in
  { generator_blinding; generator_chain; generator_bases }

let linear_proof reader =
  let linear_first = elements reader in
  let linear_responses = list scalar reader in
  { linear_first; linear_responses }

(* Reads its arguments, and gives the twin and the verdict, neither of them computed yet. *)
let request name reader =
  match name with
  | "mixnet_permutation" ->
    let context = context reader in
    let generators = generators reader in
    let committed = elements reader in
    let commitment_digest = bytes reader in
    let chain = elements reader in
    let chain_digest = bytes reader in
    let proof = linear_proof reader in
    let first_digest = bytes reader in
    (fun () ->
      oracle_permutation_safe given context generators committed commitment_digest chain chain_digest proof first_digest),
    (fun () ->
      oracle_permutation given context generators committed commitment_digest chain chain_digest proof first_digest)
  | "mixnet_column" ->
    let seed = bytes reader in
    let generators = generators reader in
    let committed = elements reader in
    let keys = elements reader in
    let before = rows reader in
    let after = rows reader in
    let proof = linear_proof reader in
    let first_digest = bytes reader in
    (fun () -> oracle_column_safe given seed generators committed keys before after proof first_digest),
    (fun () -> oracle_column given seed generators committed keys before after proof first_digest)
  | "mixnet_decryption" ->
    let seed = bytes reader in
    let key_shares = elements reader in
    let firsts = elements reader in
    let shares = rows reader in
    let proof = linear_proof reader in
    let first_digest = bytes reader in
    (fun () -> oracle_decryption_safe given seed key_shares firsts shares proof first_digest),
    (fun () -> oracle_decryption given seed key_shares firsts shares proof first_digest)
  | "mixnet_zero_test" ->
    let seed = bytes reader in
    let targets = rows reader in
    let blinded = rows reader in
    let proof = linear_proof reader in
    let first_digest = bytes reader in
    (fun () -> oracle_zero_test_safe given seed targets blinded proof first_digest),
    (fun () -> oracle_zero_test given seed targets blinded proof first_digest)
  | "mixnet_dealing" ->
    let seed = bytes reader in
    let committed = rows reader in
    let randomised = elements reader in
    let proof = linear_proof reader in
    let first = bytes reader in
    (fun () -> oracle_dealing_safe given seed committed randomised proof first),
    (fun () -> oracle_dealing given seed committed randomised proof first)
  | token -> raise (Malformed ("not a request: " ^ token))

let answer name out reader =
  let safe = flag reader in
  let twin, verdict = request name reader in
  finish reader;
  put_safe out safe twin;
  word out (if verdict () then "accepted" else "refused")
