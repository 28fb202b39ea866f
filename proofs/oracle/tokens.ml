(* Values as tokens on a line, separated by single spaces: numbers in decimal; scalars in hexadecimal
   after 0x; bytes in hexadecimal after an x; a list is its
   length, then its elements; an option is - or + and the value; a record is its fields in the order of the specification. *)

type reader = string list ref

exception Malformed of string

let next (reader : reader) : string =
  match !reader with
  | [] -> raise (Malformed "the line ends too early")
  | token :: rest -> reader := rest; token

let finish (reader : reader) : unit =
  if !reader <> [] then raise (Malformed "the line goes on after its value")

let number (reader : reader) : Z.t =
  let token = next reader in
  try Z.of_string token with Invalid_argument _ -> raise (Malformed ("not a number: " ^ token))

let bytes (reader : reader) : Z.t list =
  let token = next reader in
  let length = String.length token in
  if length = 0 || token.[0] <> 'x' || length mod 2 = 0 then raise (Malformed ("not bytes: " ^ token));
  List.init ((length - 1) / 2) (fun i -> Z.of_int (int_of_string ("0x" ^ String.sub token (1 + 2 * i) 2)))

let list (element : reader -> 'a) (reader : reader) : 'a list =
  let count = Z.to_int (number reader) in
  let rec take n taken = if n = 0 then List.rev taken else take (n - 1) (element reader :: taken) in
  take count []

let option (value : reader -> 'a) (reader : reader) : 'a option =
  match next reader with
  | "-" -> None
  | "+" -> Some (value reader)
  | token -> raise (Malformed ("not an option: " ^ token))

type writer = Buffer.t

let word (out : writer) (token : string) : unit =
  if Buffer.length out > 0 then Buffer.add_char out ' ';
  Buffer.add_string out token

let put_number (out : writer) (n : Z.t) : unit = word out (Z.to_string n)

let put_bool (out : writer) (b : bool) : unit = word out (if b then "1" else "0")

let hex (bytes : Z.t list) : string =
  let text = Buffer.create (1 + 2 * List.length bytes) in
  Buffer.add_char text 'x';
  List.iter (fun byte -> Buffer.add_string text (Printf.sprintf "%02x" (Z.to_int byte))) bytes;
  Buffer.contents text

let put_bytes (out : writer) (bytes : Z.t list) : unit = word out (hex bytes)

let put_list (element : writer -> 'a -> unit) (out : writer) (items : 'a list) : unit =
  word out (string_of_int (List.length items));
  List.iter (element out) items

let put_option (value : writer -> 'a -> unit) (out : writer) (item : 'a option) : unit =
  match item with
  | None -> word out "-"
  | Some found -> word out "+"; value out found
