(* What all requests share: questions for hashes, the setup and the states that are kept, flags and results. *)

open Oracle_spec
open Tokens
open Values

let send (line : string) : unit =
  print_string line;
  print_char '\n';
  flush stdout

let ask (question : string) : reader =
  send question;
  ref (String.split_on_char ' ' (input_line stdin))

(* Questions asked since the last genesis; a hash function has one answer. *)
let digests : (string, Z.t list) Hashtbl.t = Hashtbl.create 1024
let scalars : (string, Z.t) Hashtbl.t = Hashtbl.create 1024

let remembered table question read =
  match Hashtbl.find_opt table question with
  | Some known -> known
  | None ->
    let answer = ask question in
    let value = read answer in
    finish answer;
    Hashtbl.replace table question value;
    value

let given =
  hashes
    (fun tag message -> remembered digests ("hash " ^ hex tag ^ " " ^ hex message) bytes)
    (fun message tag -> scalar_of_number0 (remembered scalars ("scalar " ^ hex message ^ " " ^ hex tag) number))

let setup : setup option ref = ref None
let state : validatorState option ref = ref None
let aside : validatorState option ref = ref None

let required name value = match value with Some found -> found | None -> raise (Malformed ("there is no " ^ name ^ " yet"))

let put_safe out wanted condition = if wanted then put_bool out (condition ()) else word out "?"

let flag reader = match next reader with "1" -> true | "0" -> false | token -> raise (Malformed ("not a flag: " ^ token))

let put_result put_value put_error out = function
  | Ok value -> word out "accepted"; put_value out value
  | Err error -> word out "refused"; put_error out error

let read_setup reader =
  let scheme = next reader in
  let trapdoor = scalar reader in
  match scheme with
  | "1" -> fun n -> oracle_kzg n trapdoor
  | "2" -> fun n -> oracle_libert_yung n trapdoor
  | token -> raise (Malformed ("not a scheme: " ^ token))
