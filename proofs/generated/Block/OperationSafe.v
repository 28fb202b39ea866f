(* Translated from spec/src/block/operation.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Block.Operation Base.BytesSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

(** When [number_of_value] does not panic. *)
Definition number_of_value_safe (present : ByteString) : bool :=
  if seq_length present =? 8 then number_of_bytes_safe present else true.

(** When [number_or_zero] does not panic. *)
Definition number_or_zero_safe (content : Option ByteString) : bool :=
  match content with
  | None => true
  | Some present => number_of_value_safe present
  end.

(** When [number_present] does not panic. *)
Definition number_present_safe (content : Option ByteString) : bool :=
  match content with
  | None => true
  | Some present => number_of_value_safe present
  end.

(** When [run_add] does not panic. *)
Definition run_add_safe (content : Option ByteString) (amount : u64) : bool :=
  number_or_zero_safe content &&
  (match number_or_zero content with
    | Ok number =>
        (number <=? MAX_NUMBER) &&
        (if MAX_NUMBER - number <? amount then true else within_u64 (number + amount))
    | Err _ => true
    end).

(** When [run_sub] does not panic. *)
Definition run_sub_safe (content : Option ByteString) (amount : u64) : bool :=
  number_present_safe content.

(** When [run_require] does not panic. *)
Definition run_require_safe (content required : Option ByteString) : bool :=
  contents_equal_safe content required.

(** When [run_action] does not panic. *)
Definition run_action_safe (content : Option ByteString) (act : Action) : bool :=
  match act with
  | Action_RequireAbsent => run_require_safe content None
  | Action_RequireValue required => run_require_safe content (Some required)
  | Action_Put put_value => true
  | Action_Delete => true
  | Action_Add amount => run_add_safe content amount
  | Action_Sub amount => run_sub_safe content amount
  end.

(** When [operation_length] does not panic. *)
Definition operation_length_safe (operation : Operation) : bool :=
  let k := seq_length operation.(operation_key) in
  match operation.(action) with
  | Action_RequireAbsent => within_usize (2 + k)
  | Action_RequireValue required => within_usize (4 + k) && within_usize (4 + k + seq_length required)
  | Action_Put put_value => within_usize (4 + k) && within_usize (4 + k + seq_length put_value)
  | Action_Delete => within_usize (2 + k)
  | Action_Add _ => within_usize (10 + k)
  | Action_Sub _ => within_usize (10 + k)
  end.

(** When [encode_operations] does not panic. *)
Definition encode_operations_safe (items : Seq Operation) : bool :=
  loop_safe
    (fun encoded j => encode_operations_step encoded (seq_at items j))
    (fun encoded j => j <? seq_length items)
    (range 0 (seq_length items))
    [].

(** When [operations_length_step] does not panic. *)
Definition operations_length_step_safe (total : usize) (operation : Operation) : bool :=
  operation_length_safe operation && within_usize (total + operation_length operation).

(** When [operations_length] does not panic. *)
Definition operations_length_safe (items : Seq Operation) : bool :=
  loop_safe
    (fun total j => operations_length_step total (seq_at items j))
    (fun total j => (j <? seq_length items) && operations_length_step_safe total (seq_at items j))
    (range 0 (seq_length items))
    0.
