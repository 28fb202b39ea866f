(* Translated from spec/src/mixnet/counted_post.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Which posts of a ceremony count: those that pass the first checks, and are about nothing that
    nobody asked.

    A post comes here with its key decoded and with what is judged elsewhere: whether its value's
    bytes are a value, whether the signature and the receipts are true, whether the body is at hand,
    and what is wrong with the body (lengths, points, proofs). What follows from these is specified
    here: who may write, in which order checks run, which posts are looked at at all. Source:
    docs/mixnet.md, "Ceremonies". *)
From AardvarkSpec Require Export Prelude Base.Bytes Mixnet.PostKey.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

(** The kind of a server's shares of the last list. *)
Definition KIND_SHARES : usize :=
  7.

(** The kind of a zero test. *)
Definition KIND_ZERO_TEST : usize :=
  10.

(** The kind of a server's shares of a query's targets. *)
Definition KIND_ANSWER_SHARES : usize :=
  11.

(** What is wrong with a post. *)
Inductive PostFlaw : Type :=
(** Bytes that are no encoding. *)
| PostFlaw_FlawMalformed
(** Its signer did not sign it. *)
| PostFlaw_FlawSignatureFalse
(** A body that fewer than t servers say they hold. *)
| PostFlaw_FlawReceiptsMissing
(** Its author has no part in it. *)
| PostFlaw_FlawNotAuthorised
(** A body of another length than the ceremony's. *)
| PostFlaw_FlawWrongLength
(** A point outside of the subgroup of order r. *)
| PostFlaw_FlawNotInSubgroup
(** The point at infinity where none may be. *)
| PostFlaw_FlawIdentityComponent
(** A sender does not know its input's randomness. *)
| PostFlaw_FlawInputProofFalse
(** A C_0 that a valid input before it has. *)
| PostFlaw_FlawInputRepeated
(** A dealing without its proof, or one that a valid verdict convicts. *)
| PostFlaw_FlawDealingFalse
(** A complaint that opens no false share of a valid dealing. *)
| PostFlaw_FlawComplaintUnfounded
(** A commitment is not shown to be to a permutation. *)
| PostFlaw_FlawPermutationProofFalse
(** A list is not shown to be the one before it, shuffled. *)
| PostFlaw_FlawColumnProofFalse
(** Targets are not shown to be multiplied by factors other than 0. *)
| PostFlaw_FlawZeroTestFalse
(** Decryption shares are not shown to be right. *)
| PostFlaw_FlawDecryptionProofFalse
(** A query that may not be asked so. *)
| PostFlaw_FlawQueryForbidden
(** A query about inputs or outputs that do not exist. *)
| PostFlaw_FlawQueryOutOfRange
(** An agreement on another mix. *)
| PostFlaw_FlawMixDiffers.

#[global] Instance Default_PostFlaw : Default PostFlaw := PostFlaw_FlawMalformed.

(** What of a ceremony's terms says who may write, and when a stage is over. *)
Record ViewTerms : Type := {
  (** The organiser's key. *)
  terms_organiser : ByteString;
  (** The servers' keys, in the order of their numbers from 1. *)
  terms_servers : Seq ByteString;
  (** t. *)
  terms_threshold : usize;
  (** The keys of the registered senders. *)
  terms_senders : Seq ByteString;
  (** The keys of the named queriers. *)
  terms_queriers : Seq ByteString;
  (** Whether everybody may ask. *)
  terms_anyone : bool;
  (** Without so many valid inputs the ceremony is void. *)
  terms_least : usize;
}.

(** A post with what is judged elsewhere. *)
Record ViewPost : Type := {
  (** The key. *)
  viewed_key : PostKey;
  (** Whether the value's bytes are a value. *)
  viewed_decodes : bool;
  (** Whether the signature is true. *)
  viewed_signed : bool;
  (** Whether the body stands in the value, or t servers say they hold it. *)
  viewed_held : bool;
  (** Whether the body is at hand. *)
  viewed_at_hand : bool;
  (** What is wrong with the body, upon the posts before it that are valid. *)
  viewed_flaw : Option PostFlaw;
  (** Of a verdict whose complaints open false shares: the dealers of these. *)
  viewed_accused : Seq usize;
  (** Of an input C_0. *)
  viewed_first : ByteString;
  (** Of a query its id. *)
  viewed_id : ByteString;
  (** Of a query whether its column goes through the servers backward. *)
  viewed_backward : bool;
  (** Of a query whether targets of it need a zero test. *)
  viewed_tested : bool;
}.

#[global] Instance Default_ViewPost : Default ViewPost := {| viewed_key := default; viewed_decodes := default; viewed_signed := default; viewed_held := default; viewed_at_hand := default; viewed_flaw := default; viewed_accused := default; viewed_first := default; viewed_id := default; viewed_backward := default; viewed_tested := default |}.

(** A post that breaks the rules, and how. *)
Record PostFault : Type := {
  (** Its key. *)
  fault_key : PostKey;
  (** What is wrong with it. *)
  fault_flaw : PostFlaw;
}.

#[global] Instance Default_PostFault : Default PostFault := {| fault_key := default; fault_flaw := default |}.

(** A query that counts. *)
Record AskedQuery : Type := {
  (** The querier's key. *)
  query_author : ByteString;
  (** Its id. *)
  query_id : ByteString;
  (** Whether its column goes through the servers backward. *)
  query_backward : bool;
  (** Whether targets of it need a zero test. *)
  query_tested : bool;
}.

#[global] Instance Default_AskedQuery : Default AskedQuery := {| query_author := default; query_id := default; query_backward := default; query_tested := default |}.

(** One step of [`is_one_of`]. *)
Definition is_one_of_step (found : bool) (one sought : ByteString) : bool :=
  found || bytes_equal one sought.

(** Whether a string is one of these. *)
Definition is_one_of (strings : Seq ByteString) (sought : ByteString) : bool :=
  fold_left
    (fun found i => is_one_of_step found (seq_at strings i) sought)
    (range 0 (seq_length strings))
    false.

(** Whether a key is the one of the server with this number. *)
Definition is_server (terms : ViewTerms) (number : usize) (author : ByteString) : bool :=
  (0 <? number) && (number <=? seq_length terms.(terms_servers)) &&
  bytes_equal (seq_at terms.(terms_servers) (number - 1)) author.

(** Whether the author of a post may write it. Of an opening the query says whose it is. *)
Definition is_entitled (terms : ViewTerms) (post_key : PostKey) : bool :=
  if kind_of_organiser post_key.(post_kind) then
    bytes_equal (post_signer post_key) terms.(terms_organiser)
  else if post_key.(post_kind) =? KIND_INPUT then
    is_one_of terms.(terms_senders) post_key.(post_author)
  else if post_key.(post_kind) =? KIND_QUERY then
    terms.(terms_anyone) || is_one_of terms.(terms_queriers) post_key.(post_author)
  else if post_key.(post_kind) =? KIND_OPENING then
    true
  else
    is_server terms post_key.(post_sequence) post_key.(post_author).

(** The first check that a post fails, before its body is looked at. *)
Definition first_flaw (terms : ViewTerms) (written : ViewPost) : Option PostFlaw :=
  if negb written.(viewed_decodes) then
    Some PostFlaw_FlawMalformed
  else if negb written.(viewed_signed) then
    Some PostFlaw_FlawSignatureFalse
  else if negb written.(viewed_held) then
    Some PostFlaw_FlawReceiptsMissing
  else if negb (is_entitled terms written.(viewed_key)) then
    Some PostFlaw_FlawNotAuthorised
  else
    None.

(** Whether a post passes the first checks. *)
Definition is_admitted (terms : ViewTerms) (written : ViewPost) : bool :=
  match first_flaw terms written with
  | Some _ => false
  | None => true
  end.

(** Whether a post counts: it passes the first checks, and its body is at hand. *)
Definition is_counted (terms : ViewTerms) (written : ViewPost) : bool :=
  is_admitted terms written && written.(viewed_at_hand).

(** These faults, and that of a post if there is one. *)
Definition with_fault
    (faults : Seq PostFault)
    (written : ViewPost)
    (flaw : Option PostFlaw) : Seq PostFault :=
  match flaw with
  | Some wrong => faults ++ [{| fault_key := written.(viewed_key); fault_flaw := wrong |}]
  | None => faults
  end.

(** One step of [`first_faults`]. *)
Definition first_faults_step
    (faults : Seq PostFault)
    (terms : ViewTerms)
    (written : ViewPost) : Seq PostFault :=
  with_fault faults written (first_flaw terms written).

(** The faults that the first checks find. *)
Definition first_faults (terms : ViewTerms) (posts : Seq ViewPost) : Seq PostFault :=
  fold_left (fun faults i => first_faults_step faults terms (seq_at posts i)) (range 0 (seq_length posts)) [].

(** One step of [`missing_bodies`]. *)
Definition missing_bodies_step (keys : Seq PostKey) (terms : ViewTerms) (written : ViewPost) : Seq PostKey :=
  if is_admitted terms written && negb written.(viewed_at_hand) then keys ++ [written.(viewed_key)] else keys.

(** The posts that would count if their bodies were at hand. *)
Definition missing_bodies (terms : ViewTerms) (posts : Seq ViewPost) : Seq PostKey :=
  fold_left (fun keys i => missing_bodies_step keys terms (seq_at posts i)) (range 0 (seq_length posts)) [].

(** One step of [`posts_of_stages`]. *)
Definition posts_of_stages_step (kept : Seq ViewPost) (written : ViewPost) : Seq ViewPost :=
  let kind := written.(viewed_key).(post_kind) in
  if (kind =? KIND_CEREMONY) || kind_of_query kind then kept else kept ++ [written].

(** The posts but the terms and those about queries. *)
Definition posts_of_stages (posts : Seq ViewPost) : Seq ViewPost :=
  fold_left (fun kept i => posts_of_stages_step kept (seq_at posts i)) (range 0 (seq_length posts)) [].

(** Whether a post may be about this query: an opening is only if it is the querier's. *)
Definition is_about (post_key : PostKey) (query : AskedQuery) : bool :=
  bytes_equal post_key.(post_query) query.(query_id) &&
  ((negb (post_key.(post_kind) =? KIND_OPENING)) || bytes_equal post_key.(post_author) query.(query_author)).

(** One step of [`is_awaited`]. *)
Definition is_awaited_step (found : bool) (post_key : PostKey) (query : AskedQuery) : bool :=
  found || is_about post_key query.

(** Whether a post is about one of these queries. *)
Definition is_awaited (post_key : PostKey) (queries : Seq AskedQuery) : bool :=
  fold_left
    (fun found i => is_awaited_step found post_key (seq_at queries i))
    (range 0 (seq_length queries))
    false.

(** Posts about queries, and how many others there are. *)
Record PostsAbout : Type := {
  (** Those about the queries that count. *)
  about_posts : Seq ViewPost;
  (** The number of the others, of which nothing else is known. *)
  about_unasked : usize;
}.

(** One step of [`posts_about`]. *)
Definition posts_about_step
    (found : PostsAbout)
    (queries : Seq AskedQuery)
    (written : ViewPost) : PostsAbout :=
  if negb (kind_of_query written.(viewed_key).(post_kind)) then
    found
  else if is_awaited written.(viewed_key) queries then
    {| about_posts := found.(about_posts) ++ [written]; about_unasked := found.(about_unasked) |}
  else
    {| about_posts := found.(about_posts); about_unasked := found.(about_unasked) + 1 |}.

(** The posts about these queries. Ids of others can be made up without end, so of posts about them
    nothing is kept. *)
Definition posts_about (posts : Seq ViewPost) (queries : Seq AskedQuery) : PostsAbout :=
  fold_left
    (fun found i => posts_about_step found queries (seq_at posts i))
    (range 0 (seq_length posts))
    {| about_posts := []; about_unasked := 0 |}.

(** Whether a post stands in a place: one of this kind, about this query, with this sequence, of
    this author. *)
Definition stands_at
    (post_key : PostKey)
    (kind : usize)
    (query : ByteString)
    (sequence : usize)
    (author : ByteString) : bool :=
  (post_key.(post_kind) =? kind) && (post_key.(post_sequence) =? sequence) &&
  bytes_equal post_key.(post_query) query &&
  bytes_equal post_key.(post_author) author.

(** One step of [`post_at`]. *)
Definition post_at_step
    (found : Option ViewPost)
    (written : ViewPost)
    (kind : usize)
    (query : ByteString)
    (sequence : usize)
    (author : ByteString) : Option ViewPost :=
  match found with
  | Some first => Some first
  | None => if stands_at written.(viewed_key) kind query sequence author then Some written else None
  end.

(** The post in a place. *)
Definition post_at
    (posts : Seq ViewPost)
    (kind : usize)
    (query : ByteString)
    (sequence : usize)
    (author : ByteString) : Option ViewPost :=
  fold_left
    (fun found i => post_at_step found (seq_at posts i) kind query sequence author)
    (range 0 (seq_length posts))
    None.
