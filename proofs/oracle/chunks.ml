(* Requests about values in chunks. No state is used or changed.

     mixnet_chunks SAFE CONTENT WIDTH   -> SAFE OPTION    the chunks of a value, and their elements
     mixnet_value SAFE NUMBERS          -> SAFE OPTION    the value of chunks
     mixnet_elements SAFE ELEMENTS      -> SAFE OPTION    the value of decrypted elements *)

open Oracle_spec
open Tokens
open Values
open Session

let put_written out (chunks, elements) =
  put_list put_number out chunks;
  put_list put_scalar out elements

let answer name out reader =
  let safe = flag reader in
  match name with
  | "mixnet_chunks" ->
    let content = bytes reader in
    let width = number reader in
    finish reader;
    put_safe out safe (fun () -> oracle_chunks_safe content width);
    put_option put_written out (oracle_chunks content width)
  | "mixnet_value" ->
    let chunks = list number reader in
    finish reader;
    put_safe out safe (fun () -> oracle_value_safe chunks);
    put_option put_bytes out (oracle_value chunks)
  | _ ->
    let elements = list scalar reader in
    finish reader;
    put_safe out safe (fun () -> oracle_elements_safe elements);
    put_option put_bytes out (oracle_elements elements)
