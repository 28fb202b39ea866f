(* Translated from spec/src/policy/board.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Policy.Board Base.BytesSafe Block.OperationSafe Block.TransactionSafe
  Mixnet.PostKeySafe Mixnet.PostValueSafe Policy.SignersSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [board_post] does not panic. *)
Definition board_post_safe (key_bytes value_bytes : ByteString) : bool :=
  decode_post_key_safe key_bytes &&
  (match decode_post_key key_bytes with
    | Err _ => true
    | Ok post_key => decode_post_value_safe value_bytes
    end).

(** When [requires_absence] does not panic. *)
Definition requires_absence_safe (operation : Operation) (k : ByteString) : bool :=
  match operation.(action) with
  | Action_RequireAbsent => bytes_equal_safe operation.(operation_key) k
  | _ => true
  end.

(** When [gates_required_step] does not panic. *)
Definition gates_required_step_safe
    (all_required : bool)
    (items : Seq Operation)
    (first : usize)
    (gates : Seq PostKey)
    (i : usize) : bool :=
  (if all_required then within_usize (first + i) else true) &&
  (if all_required && (first + i <? seq_length items) then
      within_usize (first + i) && (i <? seq_length gates) &&
      requires_absence_safe (seq_at items (first + i)) (encode_post_key (seq_at gates i))
    else
      true).

(** When [gates_required] does not panic. *)
Definition gates_required_safe (items : Seq Operation) (first : usize) (gates : Seq PostKey) : bool :=
  within_usize (first + seq_length gates) &&
  (loop_safe
      (fun all_required i => gates_required_step all_required items first gates i)
      (fun all_required i => gates_required_step_safe all_required items first gates i)
      (range 0 (seq_length gates))
      (seq_length items =? first + seq_length gates)).

(** When [admission_required] does not panic. *)
Definition admission_required_safe (operation : Operation) (admission : PostKey) : bool :=
  match operation.(action) with
  | Action_RequireValue required =>
      bytes_equal_safe operation.(operation_key) (encode_post_key admission) &&
      (if bytes_equal operation.(operation_key) (encode_post_key admission) then
          board_post_safe operation.(operation_key) required
        else
          true)
  | _ => true
  end.

(** When [admissions_of] does not panic. *)
Definition admissions_of_safe (items : Seq Operation) (post_key : PostKey) : bool :=
  if kind_of_organiser post_key.(post_kind) then
    true
  else if seq_length items =? 0 then
    true
  else
    (0 <? seq_length items) && admission_required_safe (seq_at items 0) (admission_key post_key).

(** When [check_board_post] does not panic. *)
Definition check_board_post_safe
    (organisers : Seq ByteString)
    (items : Seq Operation)
    (written : BoardPost) : bool :=
  let post_key := written.(board_key) in
  is_listed_safe organisers post_key.(post_organiser) &&
  (match expect_board (is_listed organisers post_key.(post_organiser)) PolicyReason_OrganiserUnknown with
    | Ok _listed =>
        post_in_place_safe post_key &&
        (match expect_board (post_in_place post_key) PolicyReason_PostForbidden with
          | Ok _place =>
              admissions_of_safe items post_key &&
              (match admissions_of items post_key with
                | Ok admissions =>
                    post_gates_safe post_key &&
                    gates_required_safe items (seq_length admissions) (post_gates post_key)
                | Err _ => true
                end)
          | Err _ => true
          end)
    | Err _ => true
    end).

(** When [with_post] does not panic. *)
Definition with_post_safe
    (reading : BoardReading)
    (organisers : Seq ByteString)
    (key_bytes value_bytes : ByteString) : bool :=
  board_post_safe key_bytes value_bytes &&
  (match board_post key_bytes value_bytes with
    | Ok written => check_board_post_safe organisers reading.(read_requirements) written
    | Err _ => true
    end).

(** When [read_board_operation] does not panic. *)
Definition read_board_operation_safe
    (reading : BoardReading)
    (organisers : Seq ByteString)
    (operation : Operation) : bool :=
  match operation.(action) with
  | Action_RequireAbsent => true
  | Action_RequireValue _ => true
  | Action_Put written => with_post_safe reading organisers operation.(operation_key) written
  | _ => true
  end.

(** When [read_board_step] does not panic. *)
Definition read_board_step_safe
    (reading : Result BoardReading PolicyReason)
    (organisers : Seq ByteString)
    (operation : Operation) : bool :=
  match reading with
  | Err why => true
  | Ok so_far => read_board_operation_safe so_far organisers operation
  end.

(** When [read_board] does not panic. *)
Definition read_board_safe (organisers : Seq ByteString) (items : Seq Operation) : bool :=
  loop_safe
    (fun reading j => read_board_step reading organisers (seq_at items j))
    (fun reading j => (j <? seq_length items) && read_board_step_safe reading organisers (seq_at items j))
    (range 0 (seq_length items))
    (Ok {| read_posts := []; read_requirements := [] |}).

(** When [board_posts] does not panic. *)
Definition board_posts_safe (organisers : Seq ByteString) (tx : Transaction) : bool :=
  read_board_safe organisers tx.(operations).

(** When [check_board] does not panic. *)
Definition check_board_safe
    (organisers : Seq ByteString)
    (tx : Transaction)
    (signing_keys : Seq ByteString) : bool :=
  match expect_board (seq_length signing_keys =? 0) PolicyReason_SignerSuperfluous with
  | Ok _unsigned => board_posts_safe organisers tx
  | Err _ => true
  end.

End Specification.
