(* Translated from spec/src/table/key_value.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Values of key columns, and the bytes that they are in keys.

    Source: docs/tables.md, "Schemas and keys". *)
From AardvarkSpec Require Export Prelude Base.Integers Base.Bytes Table.Sheet Table.TableSchema
  Table.SchemaLegality Table.TableKey.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** 2^(8 width - 1), for widths from 1 to 8; 0 for others. *)
Definition half_of_width (width : usize) : u128 :=
  if (1 <=? width) && (width <=? 8) then u128_of_usize (usize_power_of_two (8 * width - 1)) else 0.

(** A natural number, of so many bytes. *)
Definition encode_natural (number : u64) (width : usize) : Result ByteString TableKeyReason :=
  if u128_of_u64 number <? 2 * half_of_width width then
    Ok (big_endian (u128_of_u64 number) width)
  else
    Err TableKeyReason_KeyValueTooWide.

(** An integer of which `number` is 2^63 more, of so many bytes. *)
Definition encode_integer (number : u64) (width : usize) : Result ByteString TableKeyReason :=
  let half := half_of_width width in
  let raised := u128_of_u64 number + half in
  if (SIGNED_CENTRE <=? raised) && (raised - SIGNED_CENTRE <? 2 * half) then
    Ok (big_endian (raised - SIGNED_CENTRE) width)
  else
    Err TableKeyReason_KeyValueTooWide.

(** One step of [`text_length`]. *)
Definition text_length_step (length : usize) (text : ByteString) (i : usize) : usize :=
  if (length =? i) && (negb (seq_at text i =? 0)) then i + 1 else length.

(** How many bytes stand before the first zero. *)
Definition text_length (text : ByteString) : usize :=
  fold_left (fun length i => text_length_step length text i) (range 0 (seq_length text)) 0.

(** A text, with zeros behind it. *)
Definition encode_text (text : ByteString) (width : usize) : Result ByteString TableKeyReason :=
  if width <? seq_length text then
    Err TableKeyReason_KeyValueTooWide
  else if text_length text <? seq_length text then
    Err TableKeyReason_KeyTextIllegal
  else
    Ok (text ++ (seq_new (width - seq_length text) : Seq u8)).

(** A value of a column as bytes. *)
Definition encode_key_value (described : KeyColumn) (content : KeyValue) : Result ByteString TableKeyReason :=
  if negb (content.(content_kind) =? described.(key_column_kind)) then
    Err TableKeyReason_KeyKindMismatched
  else if content.(content_kind) =? KIND_UNSIGNED then
    encode_natural content.(content_number) described.(key_column_width)
  else if content.(content_kind) =? KIND_SIGNED then
    encode_integer content.(content_number) described.(key_column_width)
  else
    encode_text content.(content_text) described.(key_column_width).

(** One step of [`encode_key_contents`]. *)
Definition encode_key_contents_step
    (encoded : Result ByteString TableKeyReason)
    (described : KeyColumn)
    (content : KeyValue) : Result ByteString TableKeyReason :=
  match encoded with
  | Ok before =>
      match encode_key_value described content with
      | Ok part => Ok (before ++ part)
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

(** Values of as many key columns as bytes. *)
Definition encode_key_contents
    (items : Seq KeyColumn)
    (contents : Seq KeyValue) : Result ByteString TableKeyReason :=
  fold_left
    (fun encoded i => encode_key_contents_step encoded (seq_at items i) (seq_at contents i))
    (range 0 (seq_length items))
    (Ok []).

(** Values of all key columns as bytes, one a column. *)
Definition encode_key_columns
    (items : Seq KeyColumn)
    (contents : Seq KeyValue) : Result ByteString TableKeyReason :=
  if seq_length items =? seq_length contents then
    encode_key_contents items contents
  else
    Err TableKeyReason_KeyCountMismatched.

(** The integer, 2^63 added, that so many legal bytes are. *)
Definition decode_integer (written : ByteString) (width : usize) : u64 :=
  let raised := number_of_bytes written + SIGNED_CENTRE in
  let half := half_of_width width in
  if half <=? raised then u64_of_u128 (raised - half) else 0.

(** The value of a column that legal bytes are. *)
Definition decode_key_value (described : KeyColumn) (written : ByteString) : KeyValue :=
  let none := [] in
  if described.(key_column_kind) =? KIND_UNSIGNED then
    let number := u64_of_u128 (number_of_bytes written) in
    {| content_kind := KIND_UNSIGNED; content_number := number; content_text := none |}
  else if described.(key_column_kind) =? KIND_SIGNED then
    let number := decode_integer written described.(key_column_width) in
    {| content_kind := KIND_SIGNED; content_number := number; content_text := none |}
  else
    let text := seq_slice written 0 (text_length written) in
    {| content_kind := KIND_TEXT; content_number := 0; content_text := text |}.

(** One step of [`decode_key_columns`]. *)
Definition decode_key_columns_step
    (items : Result ((Seq KeyValue) * ByteString) TableKeyReason)
    (described : KeyColumn) : Result ((Seq KeyValue) * ByteString) TableKeyReason :=
  match items with
  | Ok (before, bytes) =>
      match take_of_key bytes described.(key_column_width) with
      | Ok (part, rest) =>
          match expect_key (key_part_legal described part) TableKeyReason_KeyTextIllegal with
          | Ok _legal => Ok (before ++ [decode_key_value described part], rest)
          | Err e' => Err e'
          end
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

(** The values of key columns, and the bytes behind them. *)
Definition decode_key_columns
    (items : Seq KeyColumn)
    (bytes : ByteString) : Result ((Seq KeyValue) * ByteString) TableKeyReason :=
  fold_left
    (fun decoded i => decode_key_columns_step decoded (seq_at items i))
    (range 0 (seq_length items))
    (Ok ([], bytes)).

End Specification.
