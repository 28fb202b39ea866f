(* Translated from spec/src/mixnet/post_value.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Mixnet.PostValue Base.BytesSafe Decoding.CursorSafe Mixnet.PostKeySafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [encode_receipts] does not panic. *)
Definition encode_receipts_safe (items : Seq PostReceipt) : bool :=
  loop_safe
    (fun encoded i => encode_receipts_step encoded (seq_at items i))
    (fun encoded i => i <? seq_length items)
    (range 0 (seq_length items))
    [].

(** When [encode_post_value] does not panic. *)
Definition encode_post_value_safe (written : PostValue) : bool :=
  match written.(value_content) with
  | PostContent_InlineContent body => true
  | PostContent_StoredContent stored => encode_receipts_safe stored.(stored_receipts)
  end.

(** When [read_receipts_step] does not panic. *)
Definition read_receipts_step_safe (items : Result ReadReceipts PostReason) : bool :=
  match items with
  | Ok found =>
      number_of_post_safe found.(receipts_rest) 2 &&
      (match number_of_post found.(receipts_rest) 2 with
        | Ok (server, after_server) =>
            take_of_post_safe after_server POST_SIGNATURE_LENGTH &&
            (match take_of_post after_server POST_SIGNATURE_LENGTH with
              | Ok (signature, rest) =>
                  match expect_post (found.(receipts_least) <=? server) PostReason_PostReceiptsUnordered with
                  | Ok _ordered => within_usize (server + 1)
                  | Err _ => true
                  end
              | Err _ => true
              end)
        | Err _ => true
        end)
  | Err _ => true
  end.

(** When [read_receipts] does not panic. *)
Definition read_receipts_safe (bytes : ByteString) (count : usize) : bool :=
  reading_turns_safe count bytes &&
  (loop_safe
      (fun items _i => read_receipts_step items)
      (fun items _i => read_receipts_step_safe items)
      (range 0 (reading_turns count bytes))
      (Ok {| receipts_before := []; receipts_least := 0; receipts_rest := bytes |})).

(** When [read_post_signature] does not panic. *)
Definition read_post_signature_safe (bytes : ByteString) : bool :=
  take_of_post_safe bytes POST_SIGNATURE_LENGTH.

(** When [decode_inline_post] does not panic. *)
Definition decode_inline_post_safe (bytes : ByteString) : bool :=
  match expect_post (POST_SIGNATURE_LENGTH <=? seq_length bytes) PostReason_PostTruncated with
  | Ok _room =>
      (POST_SIGNATURE_LENGTH <=? seq_length bytes) &&
      take_of_post_safe bytes (seq_length bytes - POST_SIGNATURE_LENGTH) &&
      (match take_of_post bytes (seq_length bytes - POST_SIGNATURE_LENGTH) with
        | Ok (body, rest) =>
            match expect_post (seq_length body <=? INLINE_BYTES) PostReason_PostLengthIllegal with
            | Ok _short => read_post_signature_safe rest
            | Err _ => true
            end
        | Err _ => true
        end)
  | Err _ => true
  end.

(** When [decode_stored_post] does not panic. *)
Definition decode_stored_post_safe (bytes : ByteString) : bool :=
  number_of_post_safe bytes 8 &&
  (match number_of_post bytes 8 with
    | Ok (length, after_length) =>
        take_of_post_safe after_length POST_KEY_LENGTH &&
        (match take_of_post after_length POST_KEY_LENGTH with
          | Ok (digest, after_digest) =>
              number_of_post_safe after_digest 1 &&
              (match number_of_post after_digest 1 with
                | Ok (count, after_count) =>
                    read_receipts_safe after_count count &&
                    (match read_receipts after_count count with
                      | Ok found =>
                          match expect_post
                              ((INLINE_BYTES <? length) && (length <=? BODY_BYTES))
                              PostReason_PostLengthIllegal with
                          | Ok _legal => read_post_signature_safe found.(receipts_rest)
                          | Err _ => true
                          end
                      | Err _ => true
                      end)
                | Err _ => true
                end)
          | Err _ => true
          end)
    | Err _ => true
    end).

(** When [decode_post_value] does not panic. *)
Definition decode_post_value_safe (bytes : ByteString) : bool :=
  number_of_post_safe bytes 1 &&
  (match number_of_post bytes 1 with
    | Ok (form, rest) =>
        if form =? 0 then
          decode_inline_post_safe rest
        else if form =? 1 then
          decode_stored_post_safe rest
        else
          true
    | Err _ => true
    end).

End Specification.
