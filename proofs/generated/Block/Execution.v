(* Translated from spec/src/block/execution.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Phases 8 and 9: resolving the operations' keys, and running the operations.

    Resolution looks at the transaction's own claims, the window and the validator's tail.
    Operations run in order on current values: what the block's latest operation on the key left, or
    else what resolution found. *)
From AardvarkSpec Require Export Prelude Base.Bytes Dictionary.Slot Dictionary.SlotMap Dictionary.Array
  Dictionary.Changes Block.Rejection Block.Operation Block.Transaction Block.State Block.BlockData Block.View.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** The contents, at version t, of a transaction's keys: one an operation. *)
Definition Contents : Type := Seq (Option ByteString).

(** Whether the operation needs the predecessor of its key: it is a `Delete`, and the covering slot
    is the key's own. *)
Definition needs_predecessor (operation : Operation) (covering : Slot) : bool :=
  is_delete operation.(action) && bytes_equal covering.(key) operation.(operation_key).

(** Phase 8 for one operation: the content of its key at t. *)
Definition resolve_operation
    (known : SlotMap)
    (operation : Operation)
    (x j : usize) : Result (Option ByteString) Rejection :=
  match covering_slot known operation.(operation_key) with
  | None => Err (reject_item Reason_UnresolvedCovering x j)
  | Some covering =>
      match preceding_position known operation.(operation_key) with
      | Some _ => Ok (content_in_slot covering operation.(operation_key))
      | None =>
          if needs_predecessor operation covering then
            Err (reject_item Reason_UnresolvedPredecessor x j)
          else
            Ok (content_in_slot covering operation.(operation_key))
      end
  end.

(** Appends the content that one more operation resolved to. *)
Definition resolve_next
    (contents : Contents)
    (known : SlotMap)
    (operation : Operation)
    (x j : usize) : Result Contents Rejection :=
  match resolve_operation known operation x j with
  | Ok content => Ok (contents ++ [content])
  | Err e' => Err e'
  end.

(** One step of [`resolve_operations`]. *)
Definition resolve_operations_step
    (resolved : Result Contents Rejection)
    (known : SlotMap)
    (operation : Operation)
    (x j : usize) : Result Contents Rejection :=
  match resolved with
  | Err rejection => Err rejection
  | Ok contents => resolve_next contents known operation x j
  end.

(** Resolves operations in a view. *)
Definition resolve_operations
    (known : SlotMap)
    (items : Seq Operation)
    (x : usize) : Result Contents Rejection :=
  fold_left
    (fun resolved j => resolve_operations_step resolved known (seq_at items j) x j)
    (range 0 (seq_length items))
    (Ok []).

(** Phase 8 for one transaction. *)
Definition resolve_transaction
    (state : ValidatorState)
    (tx : Transaction)
    (x : usize) : Result Contents Rejection :=
  resolve_operations (transaction_view state tx) tx.(operations) x.

(** Appends the contents that one more transaction resolved to. *)
Definition resolve_next_transaction
    (contents : Seq Contents)
    (state : ValidatorState)
    (tx : Transaction)
    (x : usize) : Result (Seq Contents) Rejection :=
  match resolve_transaction state tx x with
  | Ok own => Ok (contents ++ [own])
  | Err e' => Err e'
  end.

(** One step of [`resolve_block`]. *)
Definition resolve_block_step
    (resolved : Result (Seq Contents) Rejection)
    (state : ValidatorState)
    (tx : Transaction)
    (x : usize) : Result (Seq Contents) Rejection :=
  match resolved with
  | Err rejection => Err rejection
  | Ok contents => resolve_next_transaction contents state tx x
  end.

(** Phase 8 for a block: the contents of all keys, by transaction and operation. *)
Definition resolve_block (state : ValidatorState) (block : Block) : Result (Seq Contents) Rejection :=
  fold_left
    (fun resolved x => resolve_block_step resolved state (seq_at block.(transactions) x) x)
    (range 0 (seq_length block.(transactions)))
    (Ok []).

(** The change of a key so far; none yet means that nothing has changed since version t. *)
Definition change_so_far (changes : ChangeMap) (k : ByteString) (content : Option ByteString) : Change :=
  match change_of changes k with
  | Some change => change
  | None => {| change_key := k; change_before := content; change_after := content |}
  end.

(** Phase 9 for one operation, whose key had the content at version t. *)
Definition run_operation
    (changes : ChangeMap)
    (operation : Operation)
    (content : Option ByteString)
    (x j : usize) : Result ChangeMap Rejection :=
  let change := change_so_far changes operation.(operation_key) content in
  match run_action change.(change_after) operation.(action) with
  | Err why => Err (reject_item why x j)
  | Ok after =>
      Ok
        (put_change
            changes
            {| change_key := change.(change_key);
              change_before := change.(change_before);
              change_after := after |})
  end.

(** The resolved content of operation `j`; absent beyond the end, which resolution excludes. *)
Definition content_at (contents : Contents) (j : usize) : Option ByteString :=
  if j <? seq_length contents then seq_at contents j else None.

(** One step of [`run_operations`]. *)
Definition run_operations_step
    (changed : Result ChangeMap Rejection)
    (operation : Operation)
    (content : Option ByteString)
    (x j : usize) : Result ChangeMap Rejection :=
  match changed with
  | Err rejection => Err rejection
  | Ok changes => run_operation changes operation content x j
  end.

(** Phase 9 for one transaction. *)
Definition run_operations
    (before : ChangeMap)
    (items : Seq Operation)
    (contents : Contents)
    (x : usize) : Result ChangeMap Rejection :=
  fold_left
    (fun changed j => run_operations_step changed (seq_at items j) (content_at contents j) x j)
    (range 0 (seq_length items))
    (Ok before).

(** The resolved contents of transaction `x`; none beyond the end, which resolution excludes. *)
Definition contents_at (resolved : Seq Contents) (x : usize) : Contents :=
  if x <? seq_length resolved then seq_at resolved x else [].

(** One step of [`run_block`]. *)
Definition run_block_step
    (changed : Result ChangeMap Rejection)
    (tx : Transaction)
    (contents : Contents)
    (x : usize) : Result ChangeMap Rejection :=
  match changed with
  | Err rejection => Err rejection
  | Ok changes => run_operations changes tx.(operations) contents x
  end.

(** Phase 9 for a block: the contents of all keys that it names, before and after. *)
Definition run_block (block : Block) (resolved : Seq Contents) : Result ChangeMap Rejection :=
  fold_left
    (fun changed x => run_block_step changed (seq_at block.(transactions) x) (contents_at resolved x) x)
    (range 0 (seq_length block.(transactions)))
    (Ok []).

End Specification.
