(* Translated from spec/src/block/execution.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Block.Execution Base.BytesSafe Dictionary.SlotSafe Dictionary.SlotMapSafe
  Dictionary.ArraySafe Dictionary.ChangesSafe Block.OperationSafe Block.TransactionSafe Block.StateSafe
  Block.BlockDataSafe Block.ViewSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [needs_predecessor] does not panic. *)
Definition needs_predecessor_safe (operation : Operation) (covering : Slot) : bool :=
  if is_delete operation.(action) then bytes_equal_safe covering.(key) operation.(operation_key) else true.

(** When [resolve_operation] does not panic. *)
Definition resolve_operation_safe (known : SlotMap) (operation : Operation) (x j : usize) : bool :=
  covering_slot_safe known operation.(operation_key) &&
  (match covering_slot known operation.(operation_key) with
    | None => true
    | Some covering =>
        preceding_position_safe known operation.(operation_key) &&
        (match preceding_position known operation.(operation_key) with
          | Some _ => content_in_slot_safe covering operation.(operation_key)
          | None =>
              needs_predecessor_safe operation covering &&
              (if needs_predecessor operation covering then
                  true
                else
                  content_in_slot_safe covering operation.(operation_key))
          end)
    end).

(** When [resolve_next] does not panic. *)
Definition resolve_next_safe
    (contents : Contents)
    (known : SlotMap)
    (operation : Operation)
    (x j : usize) : bool :=
  resolve_operation_safe known operation x j.

(** When [resolve_operations_step] does not panic. *)
Definition resolve_operations_step_safe
    (resolved : Result Contents Rejection)
    (known : SlotMap)
    (operation : Operation)
    (x j : usize) : bool :=
  match resolved with
  | Err rejection => true
  | Ok contents => resolve_next_safe contents known operation x j
  end.

(** When [resolve_operations] does not panic. *)
Definition resolve_operations_safe (known : SlotMap) (items : Seq Operation) (x : usize) : bool :=
  loop_safe
    (fun resolved j => resolve_operations_step resolved known (seq_at items j) x j)
    (fun resolved j =>
      (j <? seq_length items) && resolve_operations_step_safe resolved known (seq_at items j) x j)
    (range 0 (seq_length items))
    (Ok []).

(** When [resolve_transaction] does not panic. *)
Definition resolve_transaction_safe (state : ValidatorState) (tx : Transaction) (x : usize) : bool :=
  transaction_view_safe state tx && resolve_operations_safe (transaction_view state tx) tx.(operations) x.

(** When [resolve_next_transaction] does not panic. *)
Definition resolve_next_transaction_safe
    (contents : Seq Contents)
    (state : ValidatorState)
    (tx : Transaction)
    (x : usize) : bool :=
  resolve_transaction_safe state tx x.

(** When [resolve_block_step] does not panic. *)
Definition resolve_block_step_safe
    (resolved : Result (Seq Contents) Rejection)
    (state : ValidatorState)
    (tx : Transaction)
    (x : usize) : bool :=
  match resolved with
  | Err rejection => true
  | Ok contents => resolve_next_transaction_safe contents state tx x
  end.

(** When [resolve_block] does not panic. *)
Definition resolve_block_safe (state : ValidatorState) (block : Block) : bool :=
  loop_safe
    (fun resolved x => resolve_block_step resolved state (seq_at block.(transactions) x) x)
    (fun resolved x =>
      (x <? seq_length block.(transactions)) &&
      resolve_block_step_safe resolved state (seq_at block.(transactions) x) x)
    (range 0 (seq_length block.(transactions)))
    (Ok []).

(** When [change_so_far] does not panic. *)
Definition change_so_far_safe (changes : ChangeMap) (k : ByteString) (content : Option ByteString) : bool :=
  change_of_safe changes k.

(** When [run_operation] does not panic. *)
Definition run_operation_safe
    (changes : ChangeMap)
    (operation : Operation)
    (content : Option ByteString)
    (x j : usize) : bool :=
  change_so_far_safe changes operation.(operation_key) content &&
  (let change := change_so_far changes operation.(operation_key) content in
    run_action_safe change.(change_after) operation.(action) &&
    (match run_action change.(change_after) operation.(action) with
      | Err why => true
      | Ok after =>
          put_change_safe
            changes
            {| change_key := change.(change_key);
              change_before := change.(change_before);
              change_after := after |}
      end)).

(** When [run_operations_step] does not panic. *)
Definition run_operations_step_safe
    (changed : Result ChangeMap Rejection)
    (operation : Operation)
    (content : Option ByteString)
    (x j : usize) : bool :=
  match changed with
  | Err rejection => true
  | Ok changes => run_operation_safe changes operation content x j
  end.

(** When [run_operations] does not panic. *)
Definition run_operations_safe
    (before : ChangeMap)
    (items : Seq Operation)
    (contents : Contents)
    (x : usize) : bool :=
  loop_safe
    (fun changed j => run_operations_step changed (seq_at items j) (content_at contents j) x j)
    (fun changed j =>
      (j <? seq_length items) &&
      run_operations_step_safe changed (seq_at items j) (content_at contents j) x j)
    (range 0 (seq_length items))
    (Ok before).

(** When [run_block_step] does not panic. *)
Definition run_block_step_safe
    (changed : Result ChangeMap Rejection)
    (tx : Transaction)
    (contents : Contents)
    (x : usize) : bool :=
  match changed with
  | Err rejection => true
  | Ok changes => run_operations_safe changes tx.(operations) contents x
  end.

(** When [run_block] does not panic. *)
Definition run_block_safe (block : Block) (resolved : Seq Contents) : bool :=
  loop_safe
    (fun changed x => run_block_step changed (seq_at block.(transactions) x) (contents_at resolved x) x)
    (fun changed x =>
      (x <? seq_length block.(transactions)) &&
      run_block_step_safe changed (seq_at block.(transactions) x) (contents_at resolved x) x)
    (range 0 (seq_length block.(transactions)))
    (Ok []).

End Specification.
