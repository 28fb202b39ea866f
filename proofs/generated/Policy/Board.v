(* Translated from spec/src/policy/board.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** The policy `board`: posts of mixnets' ceremonies, and nothing else. Genesis names organisers.

    A transaction is one post or several, one after the other:

    | post | operations |
    |---|---|
    | of the organiser: terms, close, absence, admission | for each gate `Require`(gate, absent); `Put`(key, value) |
    | any other | `Require`(admission, its value); for each gate `Require`(gate, absent); `Put`(key, value) |

    The gates are those of [`post_gates`], the post's own key the first of them: posts are written
    once, and nothing is deleted. The admission's key follows from the post's ([`admission_key`]):
    it says as what the author is admitted, so a sender writes one input, and server k the posts
    with the number k.

    A transaction has no signers. What has to be signed are the posts and the admissions that are
    required, each by its [`post_signer`], under [`post_digest`], which covers dictionary, key and
    body. So anybody may relay a post, and nobody change it; a post that is sent again finds its own
    key there. That the signatures are true is checked elsewhere.

    [`post_digest`]: crate::mixnet::post_value::post_digest

    Source: docs/network.md, "Who may write". *)
From AardvarkSpec Require Export Prelude Base.Bytes Block.Operation Block.Transaction Mixnet.PostKey
  Mixnet.PostValue Policy.PolicyReason Policy.Signers.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** A post that its signer has to have signed. *)
Record BoardPost : Type := {
  (** Its key. *)
  board_key : PostKey;
  (** The bytes of its value. *)
  board_value : ByteString;
}.

#[global] Instance Default_BoardPost : Default BoardPost := {| board_key := default; board_value := default |}.

(** What was read of a transaction's operations. *)
Record BoardReading : Type := {
  (** The posts, each behind the admission that it requires. *)
  read_posts : Seq BoardPost;
  (** The requirements behind the last post. *)
  read_requirements : Seq Operation;
}.

(** Whether a condition holds, or the rule that is broken. *)
Definition expect_board (condition : bool) (otherwise : PolicyReason) : Result unit PolicyReason :=
  if condition then Ok tt else Err otherwise.

(** The post of these bytes. *)
Definition board_post (key_bytes value_bytes : ByteString) : Result BoardPost PolicyReason :=
  match decode_post_key key_bytes with
  | Err _ => Err PolicyReason_PostMalformed
  | Ok post_key =>
      match decode_post_value value_bytes with
      | Err _ => Err PolicyReason_PostMalformed
      | Ok _ => Ok {| board_key := post_key; board_value := value_bytes |}
      end
  end.

(** Whether an operation requires that a key is absent. *)
Definition requires_absence (operation : Operation) (k : ByteString) : bool :=
  match operation.(action) with
  | Action_RequireAbsent => bytes_equal operation.(operation_key) k
  | _ => false
  end.

(** One step of [`gates_required`]. *)
Definition gates_required_step
    (all_required : bool)
    (items : Seq Operation)
    (first : usize)
    (gates : Seq PostKey)
    (i : usize) : bool :=
  all_required && (first + i <? seq_length items) &&
  requires_absence (seq_at items (first + i)) (encode_post_key (seq_at gates i)).

(** Whether requirements are, from the first of these on, those of the gates, and no others. *)
Definition gates_required (items : Seq Operation) (first : usize) (gates : Seq PostKey) : bool :=
  fold_left
    (fun all_required i => gates_required_step all_required items first gates i)
    (range 0 (seq_length gates))
    (seq_length items =? first + seq_length gates).

(** The admission that an operation requires, if it is the one with this key. *)
Definition admission_required (operation : Operation) (admission : PostKey) : Result BoardPost PolicyReason :=
  match operation.(action) with
  | Action_RequireValue required =>
      if bytes_equal operation.(operation_key) (encode_post_key admission) then
        board_post operation.(operation_key) required
      else
        Err PolicyReason_AdmissionNotRequired
  | _ => Err PolicyReason_AdmissionNotRequired
  end.

(** The admissions that a post requires: one, but none where it is the organiser's. *)
Definition admissions_of (items : Seq Operation) (post_key : PostKey) : Result (Seq BoardPost) PolicyReason :=
  let none := [] in
  if kind_of_organiser post_key.(post_kind) then
    Ok none
  else if seq_length items =? 0 then
    Err PolicyReason_AdmissionNotRequired
  else
    match admission_required (seq_at items 0) (admission_key post_key) with
    | Err why => Err why
    | Ok admission => Ok (none ++ [admission])
    end.

(** A post with the admission that it requires, behind these requirements. *)
Definition check_board_post
    (organisers : Seq ByteString)
    (items : Seq Operation)
    (written : BoardPost) : Result (Seq BoardPost) PolicyReason :=
  let post_key := written.(board_key) in
  match expect_board (is_listed organisers post_key.(post_organiser)) PolicyReason_OrganiserUnknown with
  | Ok _listed =>
      match expect_board (post_in_place post_key) PolicyReason_PostForbidden with
      | Ok _place =>
          match admissions_of items post_key with
          | Ok admissions =>
              let gated := gates_required items (seq_length admissions) (post_gates post_key) in
              match expect_board gated PolicyReason_GateNotRequired with
              | Ok _gates => Ok (admissions ++ [written])
              | Err e' => Err e'
              end
          | Err e' => Err e'
          end
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

(** The posts with one more, which an operation puts. *)
Definition with_post
    (reading : BoardReading)
    (organisers : Seq ByteString)
    (key_bytes value_bytes : ByteString) : Result BoardReading PolicyReason :=
  match board_post key_bytes value_bytes with
  | Ok written =>
      match check_board_post organisers reading.(read_requirements) written with
      | Ok checked => Ok {| read_posts := reading.(read_posts) ++ checked; read_requirements := [] |}
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

(** The posts, and a requirement more. *)
Definition with_requirement (reading : BoardReading) (operation : Operation) : BoardReading :=
  {| read_posts := reading.(read_posts); read_requirements := reading.(read_requirements) ++ [operation] |}.

(** What was read, with one operation more. *)
Definition read_board_operation
    (reading : BoardReading)
    (organisers : Seq ByteString)
    (operation : Operation) : Result BoardReading PolicyReason :=
  match operation.(action) with
  | Action_RequireAbsent => Ok (with_requirement reading operation)
  | Action_RequireValue _ => Ok (with_requirement reading operation)
  | Action_Put written => with_post reading organisers operation.(operation_key) written
  | _ => Err PolicyReason_OperationForbidden
  end.

(** One step of [`read_board`]. *)
Definition read_board_step
    (reading : Result BoardReading PolicyReason)
    (organisers : Seq ByteString)
    (operation : Operation) : Result BoardReading PolicyReason :=
  match reading with
  | Err why => Err why
  | Ok so_far => read_board_operation so_far organisers operation
  end.

(** What the operations are, the last requirements included. *)
Definition read_board
    (organisers : Seq ByteString)
    (items : Seq Operation) : Result BoardReading PolicyReason :=
  fold_left
    (fun reading j => read_board_step reading organisers (seq_at items j))
    (range 0 (seq_length items))
    (Ok {| read_posts := []; read_requirements := [] |}).

(** The posts of a transaction, each behind the admission that it requires: all that has to be
    signed. *)
Definition board_posts
    (organisers : Seq ByteString)
    (tx : Transaction) : Result (Seq BoardPost) PolicyReason :=
  match read_board organisers tx.(operations) with
  | Ok reading =>
      let whole := (0 <? seq_length reading.(read_posts)) && (seq_length reading.(read_requirements) =? 0) in
      match expect_board whole PolicyReason_PostMalformed with
      | Ok _whole => Ok reading.(read_posts)
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

(** Whether a transaction is posts that may be written, once their signatures are true. The
    transaction itself is signed by nobody. *)
Definition check_board
    (organisers : Seq ByteString)
    (tx : Transaction)
    (signing_keys : Seq ByteString) : Result unit PolicyReason :=
  match expect_board (seq_length signing_keys =? 0) PolicyReason_SignerSuperfluous with
  | Ok _unsigned =>
      match board_posts organisers tx with
      | Ok _posts => Ok tt
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

End Specification.
