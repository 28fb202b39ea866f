(* Translated from spec/src/mixnet/post_key.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Mixnet.PostKey Base.BytesSafe Decoding.CursorSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

(** When [take_of_post] does not panic. *)
Definition take_of_post_safe (bytes : ByteString) (count : usize) : bool :=
  take_bytes_safe bytes count.

(** When [number_of_post] does not panic. *)
Definition number_of_post_safe (bytes : ByteString) (width : usize) : bool :=
  read_number_safe bytes width.

(** When [read_post_query] does not panic. *)
Definition read_post_query_safe (bytes : ByteString) (kind : usize) : bool :=
  if kind_of_query kind then take_of_post_safe bytes POST_KEY_LENGTH else true.

(** When [decode_post_key] does not panic. *)
Definition decode_post_key_safe (bytes : ByteString) : bool :=
  number_of_post_safe bytes 1 &&
  (match number_of_post bytes 1 with
    | Ok (format, after_format) =>
        match expect_post (format =? POST_VERSION) PostReason_PostVersionUnknown with
        | Ok _known_format =>
            take_of_post_safe after_format POST_KEY_LENGTH &&
            (match take_of_post after_format POST_KEY_LENGTH with
              | Ok (organiser, after_organiser) =>
                  number_of_post_safe after_organiser 4 &&
                  (match number_of_post after_organiser 4 with
                    | Ok (ceremony, after_ceremony) =>
                        number_of_post_safe after_ceremony 1 &&
                        (match number_of_post after_ceremony 1 with
                          | Ok (kind, after_kind) =>
                              match expect_post (kind_known kind) PostReason_PostKindUnknown with
                              | Ok _known_kind =>
                                  read_post_query_safe after_kind kind &&
                                  (match read_post_query after_kind kind with
                                    | Ok (query, after_query) =>
                                        number_of_post_safe after_query 2 &&
                                        (match number_of_post after_query 2 with
                                          | Ok (sequence, after_sequence) =>
                                              take_of_post_safe after_sequence POST_KEY_LENGTH
                                          | Err _ => true
                                          end)
                                    | Err _ => true
                                    end)
                              | Err _ => true
                              end
                          | Err _ => true
                          end)
                    | Err _ => true
                    end)
              | Err _ => true
              end)
        | Err _ => true
        end
    | Err _ => true
    end).

(** When [post_gates] does not panic. *)
Definition post_gates_safe (post_key : PostKey) : bool :=
  if post_key.(post_kind) =? KIND_INPUT then
    true
  else if kind_may_be_absent post_key.(post_kind) then
    within_usize (post_key.(post_kind) * 256) &&
    within_usize (post_key.(post_kind) * 256 + (post_key.(post_sequence) mod 256))
  else
    true.

(** When [post_in_place] does not panic. *)
Definition post_in_place_safe (post_key : PostKey) : bool :=
  if kind_of_organiser post_key.(post_kind) then
    bytes_equal_safe (post_signer post_key) post_key.(post_organiser)
  else
    true.
