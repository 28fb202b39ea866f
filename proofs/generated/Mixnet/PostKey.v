(* Translated from spec/src/mixnet/post_key.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** The keys of a board's posts, and the gates of a post.

    ```text
    key = u8 1 || organiser (32) || u32 ceremony || u8 kind || [query id (32)] || u16 sequence
          || author (32)
    ```

    The query's id stands in kinds 9 to 12. A board writes each key once, and only while the keys of
    [`post_gates`] are absent. The author signs, but for an admission, which names whom the
    organiser admits. Source: docs/mixnet.md, "Bytes". *)
From AardvarkSpec Require Export Prelude Base.Bytes Decoding.Cursor.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

(** The version of keys. *)
Definition POST_VERSION : usize :=
  1.

(** Bytes of a public key, and of a digest. *)
Definition POST_KEY_LENGTH : usize :=
  32.

(** The kind of the terms of a ceremony. *)
Definition KIND_CEREMONY : usize :=
  0.

(** The kind of a dealing. *)
Definition KIND_DEALING : usize :=
  1.

(** The kind of a verdict about dealings. *)
Definition KIND_VERDICT : usize :=
  2.

(** The kind of a sender's input. *)
Definition KIND_INPUT : usize :=
  3.

(** The kind of the end of inputs. *)
Definition KIND_CLOSE : usize :=
  4.

(** The kind of a layer. *)
Definition KIND_LAYER : usize :=
  5.

(** The kind of the word that a server is not waited for. *)
Definition KIND_ABSENT : usize :=
  6.

(** The kind of a column, the first of those about a query. *)
Definition KIND_COLUMN : usize :=
  9.

(** The kind of the opening of a private answer, the last of those about a query. *)
Definition KIND_OPENING : usize :=
  12.

(** The kind of a query. *)
Definition KIND_QUERY : usize :=
  8.

(** The kind of an agreement on the mix. *)
Definition KIND_AGREEMENT : usize :=
  15.

(** The kind of the organiser's word that an author may write: 13 and 14 are kept for escrows. *)
Definition KIND_ADMISSION : usize :=
  16.

(** The sequence of a sender's admission. *)
Definition ADMITTED_SENDER : usize :=
  0.

(** The sequence of a querier's admission; a server's is its number, from 1 to 255. *)
Definition ADMITTED_QUERIER : usize :=
  256.

(** The key of a post. *)
Record PostKey : Type := {
  (** The organiser's public key. *)
  post_organiser : ByteString;
  (** The organiser's number of the ceremony. *)
  post_ceremony : usize;
  (** What it is. *)
  post_kind : usize;
  (** The id of the query that it is about; empty where it is about none. *)
  post_query : ByteString;
  (** A server's or query's number; stage · 256 + server of an absence; as what an author is
      admitted; else 0. *)
  post_sequence : usize;
  (** The author's public key; of an admission the key that is admitted. *)
  post_author : ByteString;
}.

#[global] Instance Default_PostKey : Default PostKey := {| post_organiser := default; post_ceremony := default; post_kind := default; post_query := default; post_sequence := default; post_author := default |}.

(** Why bytes are no key or value of a post. *)
Inductive PostReason : Type :=
(** The bytes end before the post does. *)
| PostReason_PostTruncated
(** Bytes are left over behind the post. *)
| PostReason_PostTrailing
(** The version of the key is another. *)
| PostReason_PostVersionUnknown
(** There is no such kind. *)
| PostReason_PostKindUnknown
(** The kind does not have this sequence. *)
| PostReason_PostSequenceIllegal
(** The value's first byte is neither 0 nor 1. *)
| PostReason_PostFormUnknown
(** The body is too long to stand where it stands, or too short, or too long at all. *)
| PostReason_PostLengthIllegal
(** The receipts are not in strictly ascending order of servers. *)
| PostReason_PostReceiptsUnordered.

(** Whether there is a kind with this number. *)
Definition kind_known (kind : usize) : bool :=
  (kind <=? KIND_OPENING) || (kind =? KIND_AGREEMENT) || (kind =? KIND_ADMISSION).

(** Whether posts of a kind are about a query, whose id is in the key. *)
Definition kind_of_query (kind : usize) : bool :=
  (KIND_COLUMN <=? kind) && (kind <=? KIND_OPENING).

(** Whether a server can be declared absent from a stage, whose posts are of this kind. *)
Definition kind_may_be_absent (kind : usize) : bool :=
  (kind =? KIND_DEALING) || (kind =? KIND_VERDICT) || (kind =? KIND_LAYER).

(** Whether a post of a kind can have this sequence: otherwise a sender would have 65,536 inputs. *)
Definition sequence_legal (kind sequence : usize) : bool :=
  if (kind =? KIND_CEREMONY) || (kind =? KIND_INPUT) || (kind =? KIND_CLOSE) || (kind =? KIND_OPENING) then
    sequence =? 0
  else if kind =? KIND_ABSENT then
    kind_may_be_absent (sequence / 256) && (0 <? (sequence mod 256))
  else if kind =? KIND_ADMISSION then
    sequence <=? ADMITTED_QUERIER
  else
    true.

(** A key as bytes. *)
Definition encode_post_key (post_key : PostKey) : ByteString :=
  u8_bytes POST_VERSION ++
  post_key.(post_organiser) ++
  u32_bytes post_key.(post_ceremony) ++
  u8_bytes post_key.(post_kind) ++
  post_key.(post_query) ++
  u16_bytes post_key.(post_sequence) ++
  post_key.(post_author).

(** The next bytes of a post, so many, and the bytes behind them. *)
Definition take_of_post (bytes : ByteString) (count : usize) : Result (ByteString * ByteString) PostReason :=
  match take_bytes bytes count with
  | Ok taken => Ok taken
  | Err _ => Err PostReason_PostTruncated
  end.

(** The next number of a post, of at most 8 bytes. *)
Definition number_of_post (bytes : ByteString) (width : usize) : Result (usize * ByteString) PostReason :=
  match read_number bytes width with
  | Ok taken => Ok taken
  | Err _ => Err PostReason_PostTruncated
  end.

(** Whether a condition holds, or the reason of its failure. *)
Definition expect_post (condition : bool) (otherwise : PostReason) : Result unit PostReason :=
  if condition then Ok tt else Err otherwise.

(** The id of the query in a key of this kind, and the bytes behind it. *)
Definition read_post_query
    (bytes : ByteString)
    (kind : usize) : Result (ByteString * ByteString) PostReason :=
  if kind_of_query kind then take_of_post bytes POST_KEY_LENGTH else Ok ([], bytes).

(** The key that the bytes are. *)
Definition decode_post_key (bytes : ByteString) : Result PostKey PostReason :=
  match number_of_post bytes 1 with
  | Ok (format, after_format) =>
      match expect_post (format =? POST_VERSION) PostReason_PostVersionUnknown with
      | Ok _known_format =>
          match take_of_post after_format POST_KEY_LENGTH with
          | Ok (organiser, after_organiser) =>
              match number_of_post after_organiser 4 with
              | Ok (ceremony, after_ceremony) =>
                  match number_of_post after_ceremony 1 with
                  | Ok (kind, after_kind) =>
                      match expect_post (kind_known kind) PostReason_PostKindUnknown with
                      | Ok _known_kind =>
                          match read_post_query after_kind kind with
                          | Ok (query, after_query) =>
                              match number_of_post after_query 2 with
                              | Ok (sequence, after_sequence) =>
                                  match take_of_post after_sequence POST_KEY_LENGTH with
                                  | Ok (author, rest) =>
                                      match expect_post (seq_length rest =? 0) PostReason_PostTrailing with
                                      | Ok _end =>
                                          match expect_post
                                              (sequence_legal kind sequence)
                                              PostReason_PostSequenceIllegal with
                                          | Ok _legal =>
                                              Ok
                                                {| post_organiser := organiser;
                                                  post_ceremony := ceremony;
                                                  post_kind := kind;
                                                  post_query := query;
                                                  post_sequence := sequence;
                                                  post_author := author |}
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

(** The key of a post of the organiser's in the ceremony of this key. *)
Definition organiser_key (post_key : PostKey) (kind sequence : usize) : PostKey :=
  {| post_organiser := post_key.(post_organiser);
    post_ceremony := post_key.(post_ceremony);
    post_kind := kind;
    post_query := [];
    post_sequence := sequence;
    post_author := post_key.(post_organiser) |}.

(** The keys that are absent when a post is written: its own, since posts are written once; for an
    input the close; for dealing, verdict and layer the absence of the server. *)
Definition post_gates (post_key : PostKey) : Seq PostKey :=
  let own := [] ++ [post_key] in
  if post_key.(post_kind) =? KIND_INPUT then
    own ++ [organiser_key post_key KIND_CLOSE 0]
  else if kind_may_be_absent post_key.(post_kind) then
    own ++
    [organiser_key post_key KIND_ABSENT (post_key.(post_kind) * 256 + (post_key.(post_sequence) mod 256))]
  else
    own.

(** Whether posts of a kind are the organiser's. *)
Definition kind_of_organiser (kind : usize) : bool :=
  (kind =? KIND_CEREMONY) || (kind =? KIND_CLOSE) || (kind =? KIND_ABSENT) || (kind =? KIND_ADMISSION).

(** Whose signature a post needs: the author's, and of an admission the organiser's. *)
Definition post_signer (post_key : PostKey) : ByteString :=
  if post_key.(post_kind) =? KIND_ADMISSION then post_key.(post_organiser) else post_key.(post_author).

(** As what the author of a post that is not the organiser's has to be admitted: as a sender, as a
    querier, or as the server with the post's number. *)
Definition admitted_as (post_key : PostKey) : usize :=
  if post_key.(post_kind) =? KIND_INPUT then
    ADMITTED_SENDER
  else if (post_key.(post_kind) =? KIND_QUERY) || (post_key.(post_kind) =? KIND_OPENING) then
    ADMITTED_QUERIER
  else
    post_key.(post_sequence).

(** The key of the admission that a post which is not the organiser's needs. *)
Definition admission_key (post_key : PostKey) : PostKey :=
  {| post_organiser := post_key.(post_organiser);
    post_ceremony := post_key.(post_ceremony);
    post_kind := KIND_ADMISSION;
    post_query := [];
    post_sequence := admitted_as post_key;
    post_author := post_key.(post_author) |}.

(** Whether who writes a post is in its place: the organiser, or a sender or querier, or a server
    with a number from 1 to 255, which are neither a sender's admission nor a querier's. *)
Definition post_in_place (post_key : PostKey) : bool :=
  if kind_of_organiser post_key.(post_kind) then
    bytes_equal (post_signer post_key) post_key.(post_organiser)
  else if (post_key.(post_kind) =? KIND_INPUT) || (post_key.(post_kind) =? KIND_QUERY) ||
    (post_key.(post_kind) =? KIND_OPENING) then
    true
  else
    (ADMITTED_SENDER <? post_key.(post_sequence)) && (post_key.(post_sequence) <? ADMITTED_QUERIER).
