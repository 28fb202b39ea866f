(* Translated from spec/src/mixnet/counted_post.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Mixnet.CountedPost Base.BytesSafe Mixnet.PostKeySafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

(** When [is_one_of_step] does not panic. *)
Definition is_one_of_step_safe (found : bool) (one sought : ByteString) : bool :=
  if found then true else bytes_equal_safe one sought.

(** When [is_one_of] does not panic. *)
Definition is_one_of_safe (strings : Seq ByteString) (sought : ByteString) : bool :=
  loop_safe
    (fun found i => is_one_of_step found (seq_at strings i) sought)
    (fun found i => (i <? seq_length strings) && is_one_of_step_safe found (seq_at strings i) sought)
    (range 0 (seq_length strings))
    false.

(** When [is_server] does not panic. *)
Definition is_server_safe (terms : ViewTerms) (number : usize) (author : ByteString) : bool :=
  if (0 <? number) && (number <=? seq_length terms.(terms_servers)) then
    (1 <=? number) && (number - 1 <? seq_length terms.(terms_servers)) &&
    bytes_equal_safe (seq_at terms.(terms_servers) (number - 1)) author
  else
    true.

(** When [is_entitled] does not panic. *)
Definition is_entitled_safe (terms : ViewTerms) (post_key : PostKey) : bool :=
  if kind_of_organiser post_key.(post_kind) then
    bytes_equal_safe (post_signer post_key) terms.(terms_organiser)
  else if post_key.(post_kind) =? KIND_INPUT then
    is_one_of_safe terms.(terms_senders) post_key.(post_author)
  else if post_key.(post_kind) =? KIND_QUERY then
    if terms.(terms_anyone) then true else is_one_of_safe terms.(terms_queriers) post_key.(post_author)
  else if post_key.(post_kind) =? KIND_OPENING then
    true
  else
    is_server_safe terms post_key.(post_sequence) post_key.(post_author).

(** When [first_flaw] does not panic. *)
Definition first_flaw_safe (terms : ViewTerms) (written : ViewPost) : bool :=
  if negb written.(viewed_decodes) then
    true
  else if negb written.(viewed_signed) then
    true
  else if negb written.(viewed_held) then
    true
  else
    is_entitled_safe terms written.(viewed_key).

(** When [is_admitted] does not panic. *)
Definition is_admitted_safe (terms : ViewTerms) (written : ViewPost) : bool :=
  first_flaw_safe terms written.

(** When [is_counted] does not panic. *)
Definition is_counted_safe (terms : ViewTerms) (written : ViewPost) : bool :=
  is_admitted_safe terms written.

(** When [first_faults_step] does not panic. *)
Definition first_faults_step_safe (faults : Seq PostFault) (terms : ViewTerms) (written : ViewPost) : bool :=
  first_flaw_safe terms written.

(** When [first_faults] does not panic. *)
Definition first_faults_safe (terms : ViewTerms) (posts : Seq ViewPost) : bool :=
  loop_safe
    (fun faults i => first_faults_step faults terms (seq_at posts i))
    (fun faults i => (i <? seq_length posts) && first_faults_step_safe faults terms (seq_at posts i))
    (range 0 (seq_length posts))
    [].

(** When [missing_bodies_step] does not panic. *)
Definition missing_bodies_step_safe (keys : Seq PostKey) (terms : ViewTerms) (written : ViewPost) : bool :=
  is_admitted_safe terms written.

(** When [missing_bodies] does not panic. *)
Definition missing_bodies_safe (terms : ViewTerms) (posts : Seq ViewPost) : bool :=
  loop_safe
    (fun keys i => missing_bodies_step keys terms (seq_at posts i))
    (fun keys i => (i <? seq_length posts) && missing_bodies_step_safe keys terms (seq_at posts i))
    (range 0 (seq_length posts))
    [].

(** When [posts_of_stages] does not panic. *)
Definition posts_of_stages_safe (posts : Seq ViewPost) : bool :=
  loop_safe
    (fun kept i => posts_of_stages_step kept (seq_at posts i))
    (fun kept i => i <? seq_length posts)
    (range 0 (seq_length posts))
    [].

(** When [is_about] does not panic. *)
Definition is_about_safe (post_key : PostKey) (query : AskedQuery) : bool :=
  bytes_equal_safe post_key.(post_query) query.(query_id) &&
  (if bytes_equal post_key.(post_query) query.(query_id) then
      if negb (post_key.(post_kind) =? KIND_OPENING) then
        true
      else
        bytes_equal_safe post_key.(post_author) query.(query_author)
    else
      true).

(** When [is_awaited_step] does not panic. *)
Definition is_awaited_step_safe (found : bool) (post_key : PostKey) (query : AskedQuery) : bool :=
  if found then true else is_about_safe post_key query.

(** When [is_awaited] does not panic. *)
Definition is_awaited_safe (post_key : PostKey) (queries : Seq AskedQuery) : bool :=
  loop_safe
    (fun found i => is_awaited_step found post_key (seq_at queries i))
    (fun found i => (i <? seq_length queries) && is_awaited_step_safe found post_key (seq_at queries i))
    (range 0 (seq_length queries))
    false.

(** When [posts_about_step] does not panic. *)
Definition posts_about_step_safe
    (found : PostsAbout)
    (queries : Seq AskedQuery)
    (written : ViewPost) : bool :=
  if negb (kind_of_query written.(viewed_key).(post_kind)) then
    true
  else
    is_awaited_safe written.(viewed_key) queries &&
    (if is_awaited written.(viewed_key) queries then true else within_usize (found.(about_unasked) + 1)).

(** When [posts_about] does not panic. *)
Definition posts_about_safe (posts : Seq ViewPost) (queries : Seq AskedQuery) : bool :=
  loop_safe
    (fun found i => posts_about_step found queries (seq_at posts i))
    (fun found i => (i <? seq_length posts) && posts_about_step_safe found queries (seq_at posts i))
    (range 0 (seq_length posts))
    {| about_posts := []; about_unasked := 0 |}.

(** When [stands_at] does not panic. *)
Definition stands_at_safe
    (post_key : PostKey)
    (kind : usize)
    (query : ByteString)
    (sequence : usize)
    (author : ByteString) : bool :=
  (if (post_key.(post_kind) =? kind) && (post_key.(post_sequence) =? sequence) then
      bytes_equal_safe post_key.(post_query) query
    else
      true) &&
  (if (post_key.(post_kind) =? kind) && (post_key.(post_sequence) =? sequence) &&
      bytes_equal post_key.(post_query) query then
      bytes_equal_safe post_key.(post_author) author
    else
      true).

(** When [post_at_step] does not panic. *)
Definition post_at_step_safe
    (found : Option ViewPost)
    (written : ViewPost)
    (kind : usize)
    (query : ByteString)
    (sequence : usize)
    (author : ByteString) : bool :=
  match found with
  | Some first => true
  | None => stands_at_safe written.(viewed_key) kind query sequence author
  end.

(** When [post_at] does not panic. *)
Definition post_at_safe
    (posts : Seq ViewPost)
    (kind : usize)
    (query : ByteString)
    (sequence : usize)
    (author : ByteString) : bool :=
  loop_safe
    (fun found i => post_at_step found (seq_at posts i) kind query sequence author)
    (fun found i =>
      (i <? seq_length posts) && post_at_step_safe found (seq_at posts i) kind query sequence author)
    (range 0 (seq_length posts))
    None.
