(* Translated from spec/src/mixnet/post_value.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** The values of a board's posts, and what authors and holders of bodies sign.

    ```text
    value = u8 0 || body || signature (64)
          | u8 1 || u64 length || SHA-256(body) || u8 count || (u16 server || signature)*
            || signature
    ```

    A body of at most 900 bytes stands in its value, and no longer one. Source: docs/mixnet.md,
    "Bytes". *)
From AardvarkSpec Require Export Prelude Base.Bytes Base.Hash Decoding.Cursor Mixnet.PostKey.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** Bytes of a signature. *)
Definition POST_SIGNATURE_LENGTH : usize :=
  64.

(** Bytes of the longest body that stands in a value. *)
Definition INLINE_BYTES : usize :=
  900.

(** Bytes of the longest body. *)
Definition BODY_BYTES : usize :=
  134217728.

(** A server's word that it holds a body. *)
Record PostReceipt : Type := {
  (** The server's number. *)
  receipt_server : usize;
  (** Its signature of [`receipt_digest`]. *)
  receipt_signature : ByteString;
}.

#[global] Instance Default_PostReceipt : Default PostReceipt := {| receipt_server := default; receipt_signature := default |}.

(** A body that does not stand in the value. *)
Record StoredPost : Type := {
  (** Its bytes. *)
  stored_length : usize;
  (** Its SHA-256. *)
  stored_digest : ByteString;
  (** Who holds it. *)
  stored_receipts : Seq PostReceipt;
}.

#[global] Instance Default_StoredPost : Default StoredPost := {| stored_length := default; stored_digest := default; stored_receipts := default |}.

(** Where a body is. *)
Inductive PostContent : Type :=
(** In the value. *)
| PostContent_InlineContent (_ : ByteString)
(** Elsewhere. *)
| PostContent_StoredContent (_ : StoredPost).

(** The value of a post. *)
Record PostValue : Type := {
  (** The body, or what is known of it. *)
  value_content : PostContent;
  (** The author's signature of [`post_digest`]. *)
  value_signature : ByteString;
}.

(** One step of [`encode_receipts`]. *)
Definition encode_receipts_step (encoded : ByteString) (receipt : PostReceipt) : ByteString :=
  encoded ++ u16_bytes receipt.(receipt_server) ++ receipt.(receipt_signature).

(** The receipts one after the other. *)
Definition encode_receipts (items : Seq PostReceipt) : ByteString :=
  fold_left (fun encoded i => encode_receipts_step encoded (seq_at items i)) (range 0 (seq_length items)) [].

(** A value as bytes. *)
Definition encode_post_value (written : PostValue) : ByteString :=
  match written.(value_content) with
  | PostContent_InlineContent body => u8_bytes 0 ++ body ++ written.(value_signature)
  | PostContent_StoredContent stored =>
      u8_bytes 1 ++
      u64_bytes stored.(stored_length) ++
      stored.(stored_digest) ++
      u8_bytes (seq_length stored.(stored_receipts)) ++
      encode_receipts stored.(stored_receipts) ++
      written.(value_signature)
  end.

(** What was read of receipts: the receipts, the last one's server, the bytes behind them. *)
Record ReadReceipts : Type := {
  (** The receipts. *)
  receipts_before : Seq PostReceipt;
  (** The number that the next server's must exceed, one added. *)
  receipts_least : usize;
  (** The bytes behind them. *)
  receipts_rest : ByteString;
}.

#[global] Instance Default_ReadReceipts : Default ReadReceipts := {| receipts_before := default; receipts_least := default; receipts_rest := default |}.

(** One step of [`read_receipts`]. *)
Definition read_receipts_step (items : Result ReadReceipts PostReason) : Result ReadReceipts PostReason :=
  match items with
  | Ok found =>
      match number_of_post found.(receipts_rest) 2 with
      | Ok (server, after_server) =>
          match take_of_post after_server POST_SIGNATURE_LENGTH with
          | Ok (signature, rest) =>
              match expect_post (found.(receipts_least) <=? server) PostReason_PostReceiptsUnordered with
              | Ok _ordered =>
                  Ok
                    {| receipts_before :=
                        found.(receipts_before) ++
                        [{| receipt_server := server; receipt_signature := signature |}];
                      receipts_least := server + 1;
                      receipts_rest := rest |}
              | Err e' => Err e'
              end
          | Err e' => Err e'
          end
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

(** The next receipts, so many. *)
Definition read_receipts (bytes : ByteString) (count : usize) : Result ReadReceipts PostReason :=
  fold_left
    (fun items _i => read_receipts_step items)
    (range 0 (reading_turns count bytes))
    (Ok {| receipts_before := []; receipts_least := 0; receipts_rest := bytes |}).

(** The last bytes of a value: the author's signature. *)
Definition read_post_signature (bytes : ByteString) : Result ByteString PostReason :=
  match take_of_post bytes POST_SIGNATURE_LENGTH with
  | Ok (signature, rest) =>
      match expect_post (seq_length rest =? 0) PostReason_PostTrailing with
      | Ok _end => Ok signature
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

(** A value with its body, from the bytes behind its form. *)
Definition decode_inline_post (bytes : ByteString) : Result PostValue PostReason :=
  match expect_post (POST_SIGNATURE_LENGTH <=? seq_length bytes) PostReason_PostTruncated with
  | Ok _room =>
      match take_of_post bytes (seq_length bytes - POST_SIGNATURE_LENGTH) with
      | Ok (body, rest) =>
          match expect_post (seq_length body <=? INLINE_BYTES) PostReason_PostLengthIllegal with
          | Ok _short =>
              match read_post_signature rest with
              | Ok signature =>
                  Ok {| value_content := PostContent_InlineContent body; value_signature := signature |}
              | Err e' => Err e'
              end
          | Err e' => Err e'
          end
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

(** A value without its body, from the bytes behind its form. *)
Definition decode_stored_post (bytes : ByteString) : Result PostValue PostReason :=
  match number_of_post bytes 8 with
  | Ok (length, after_length) =>
      match take_of_post after_length POST_KEY_LENGTH with
      | Ok (digest, after_digest) =>
          match number_of_post after_digest 1 with
          | Ok (count, after_count) =>
              match read_receipts after_count count with
              | Ok found =>
                  match expect_post
                      ((INLINE_BYTES <? length) && (length <=? BODY_BYTES))
                      PostReason_PostLengthIllegal with
                  | Ok _legal =>
                      match read_post_signature found.(receipts_rest) with
                      | Ok signature =>
                          Ok
                            {| value_content :=
                                PostContent_StoredContent
                                  {| stored_length := length;
                                    stored_digest := digest;
                                    stored_receipts := found.(receipts_before) |};
                              value_signature := signature |}
                      | Err e' => Err e'
                      end
                  | Err e' => Err e'
                  end
              | Err e' => Err e'
              end
          | Err e' => Err e'
          end
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

(** The value that the bytes are. *)
Definition decode_post_value (bytes : ByteString) : Result PostValue PostReason :=
  match number_of_post bytes 1 with
  | Ok (form, rest) =>
      if form =? 0 then
        decode_inline_post rest
      else if form =? 1 then
        decode_stored_post rest
      else
        Err PostReason_PostFormUnknown
  | Err e' => Err e'
  end.

(** The tag of posts. *)
Definition tag_mixnet_post : ByteString :=
  [65; 65; 82; 68; 86; 65; 82; 75; 45; 86; 49; 45; 77; 73; 88; 78; 69; 84; 45; 80; 79; 83; 84].

(** The tag of receipts. *)
Definition tag_mixnet_receipt : ByteString :=
  [65; 65; 82; 68; 86; 65; 82; 75; 45; 86; 49; 45; 77; 73; 88; 78; 69; 84; 45; 82; 69; 67; 69; 73; 80; 84].

(** What the author signs, on the board with this id: `H(tag, dictionary || key || u64 length ||
    SHA-256(body))`. *)
Definition post_digest
    (dictionary : ByteString)
    (post_key : PostKey)
    (length : usize)
    (body : ByteString) : ByteString :=
  tagged_hash tag_mixnet_post (dictionary ++ encode_post_key post_key ++ u64_bytes length ++ body).

(** What a server signs that holds the body of the post with this digest. *)
Definition receipt_digest (post : ByteString) : ByteString :=
  tagged_hash tag_mixnet_receipt post.

End Specification.
