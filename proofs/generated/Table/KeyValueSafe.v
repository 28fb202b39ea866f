(* Translated from spec/src/table/key_value.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Table.KeyValue Base.BytesSafe Table.SheetSafe Table.TableSchemaSafe
  Table.SchemaLegalitySafe Table.TableKeySafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [half_of_width] does not panic. *)
Definition half_of_width_safe (width : usize) : bool :=
  if (1 <=? width) && (width <=? 8) then
    within_usize (8 * width) && (1 <=? 8 * width) && usize_power_of_two_safe (8 * width - 1)
  else
    true.

(** When [encode_natural] does not panic. *)
Definition encode_natural_safe (number : u64) (width : usize) : bool :=
  half_of_width_safe width && within_u128 (2 * half_of_width width).

(** When [encode_integer] does not panic. *)
Definition encode_integer_safe (number : u64) (width : usize) : bool :=
  half_of_width_safe width &&
  (let half := half_of_width width in
    within_u128 (u128_of_u64 number + half) &&
    (let raised := u128_of_u64 number + half in
      if SIGNED_CENTRE <=? raised then within_u128 (2 * half) else true)).

(** When [text_length_step] does not panic. *)
Definition text_length_step_safe (length : usize) (text : ByteString) (i : usize) : bool :=
  (if length =? i then i <? seq_length text else true) &&
  (if (length =? i) && (negb (seq_at text i =? 0)) then within_usize (i + 1) else true).

(** When [text_length] does not panic. *)
Definition text_length_safe (text : ByteString) : bool :=
  loop_safe
    (fun length i => text_length_step length text i)
    (fun length i => text_length_step_safe length text i)
    (range 0 (seq_length text))
    0.

(** When [encode_text] does not panic. *)
Definition encode_text_safe (text : ByteString) (width : usize) : bool :=
  if width <? seq_length text then
    true
  else
    text_length_safe text &&
    (if text_length text <? seq_length text then true else seq_length text <=? width).

(** When [encode_key_value] does not panic. *)
Definition encode_key_value_safe (described : KeyColumn) (content : KeyValue) : bool :=
  if negb (content.(content_kind) =? described.(key_column_kind)) then
    true
  else if content.(content_kind) =? KIND_UNSIGNED then
    encode_natural_safe content.(content_number) described.(key_column_width)
  else if content.(content_kind) =? KIND_SIGNED then
    encode_integer_safe content.(content_number) described.(key_column_width)
  else
    encode_text_safe content.(content_text) described.(key_column_width).

(** When [encode_key_contents_step] does not panic. *)
Definition encode_key_contents_step_safe
    (encoded : Result ByteString TableKeyReason)
    (described : KeyColumn)
    (content : KeyValue) : bool :=
  match encoded with
  | Ok before => encode_key_value_safe described content
  | Err _ => true
  end.

(** When [encode_key_contents] does not panic. *)
Definition encode_key_contents_safe (items : Seq KeyColumn) (contents : Seq KeyValue) : bool :=
  loop_safe
    (fun encoded i => encode_key_contents_step encoded (seq_at items i) (seq_at contents i))
    (fun encoded i =>
      (i <? seq_length items) && (i <? seq_length contents) &&
      encode_key_contents_step_safe encoded (seq_at items i) (seq_at contents i))
    (range 0 (seq_length items))
    (Ok []).

(** When [encode_key_columns] does not panic. *)
Definition encode_key_columns_safe (items : Seq KeyColumn) (contents : Seq KeyValue) : bool :=
  if seq_length items =? seq_length contents then encode_key_contents_safe items contents else true.

(** When [decode_integer] does not panic. *)
Definition decode_integer_safe (written : ByteString) (width : usize) : bool :=
  number_of_bytes_safe written && within_u128 (number_of_bytes written + SIGNED_CENTRE) &&
  half_of_width_safe width.

(** When [decode_key_value] does not panic. *)
Definition decode_key_value_safe (described : KeyColumn) (written : ByteString) : bool :=
  if described.(key_column_kind) =? KIND_UNSIGNED then
    number_of_bytes_safe written
  else if described.(key_column_kind) =? KIND_SIGNED then
    decode_integer_safe written described.(key_column_width)
  else
    text_length_safe written && (0 + text_length written <=? seq_length written).

(** When [decode_key_columns_step] does not panic. *)
Definition decode_key_columns_step_safe
    (items : Result ((Seq KeyValue) * ByteString) TableKeyReason)
    (described : KeyColumn) : bool :=
  match items with
  | Ok (before, bytes) =>
      take_of_key_safe bytes described.(key_column_width) &&
      (match take_of_key bytes described.(key_column_width) with
        | Ok (part, rest) =>
            key_part_legal_safe described part &&
            (match expect_key (key_part_legal described part) TableKeyReason_KeyTextIllegal with
              | Ok _legal => decode_key_value_safe described part
              | Err _ => true
              end)
        | Err _ => true
        end)
  | Err _ => true
  end.

(** When [decode_key_columns] does not panic. *)
Definition decode_key_columns_safe (items : Seq KeyColumn) (bytes : ByteString) : bool :=
  loop_safe
    (fun decoded i => decode_key_columns_step decoded (seq_at items i))
    (fun decoded i => (i <? seq_length items) && decode_key_columns_step_safe decoded (seq_at items i))
    (range 0 (seq_length items))
    (Ok ([], bytes)).

End Specification.
