(* Translated from spec/src/block/map.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Block.Map Dictionary.SlotMapSafe Dictionary.ArraySafe Dictionary.KeyMapSafe
  Block.OperationSafe Block.TransactionSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [map_operation] does not panic. *)
Definition map_operation_safe (entries : KeyMap) (operation : Operation) (x j : usize) : bool :=
  key_map_get_safe entries operation.(operation_key) &&
  run_action_safe (key_map_get entries operation.(operation_key)) operation.(action) &&
  (match run_action (key_map_get entries operation.(operation_key)) operation.(action) with
    | Err why => true
    | Ok after => key_map_put_safe entries operation.(operation_key) after
    end).

(** When [map_operations_step] does not panic. *)
Definition map_operations_step_safe
    (run : Result KeyMap Rejection)
    (operation : Operation)
    (x j : usize) : bool :=
  match run with
  | Err rejection => true
  | Ok entries => map_operation_safe entries operation x j
  end.

(** When [map_operations] does not panic. *)
Definition map_operations_safe (before : KeyMap) (items : Seq Operation) (x : usize) : bool :=
  loop_safe
    (fun run j => map_operations_step run (seq_at items j) x j)
    (fun run j => (j <? seq_length items) && map_operations_step_safe run (seq_at items j) x j)
    (range 0 (seq_length items))
    (Ok before).

(** When [map_transactions_step] does not panic. *)
Definition map_transactions_step_safe (run : Result KeyMap Rejection) (tx : Transaction) (x : usize) : bool :=
  match run with
  | Err rejection => true
  | Ok entries => map_operations_safe entries tx.(operations) x
  end.

(** When [map_transactions] does not panic. *)
Definition map_transactions_safe (before : KeyMap) (items : Seq Transaction) : bool :=
  loop_safe
    (fun run x => map_transactions_step run (seq_at items x) x)
    (fun run x => (x <? seq_length items) && map_transactions_step_safe run (seq_at items x) x)
    (range 0 (seq_length items))
    (Ok before).

(** When [map_of_array_step] does not panic. *)
Definition map_of_array_step_safe (entries : KeyMap) (array : Array) (p : usize) : bool :=
  match slot_at array.(array_slots) p with
  | None => true
  | Some slot => key_map_put_safe entries slot.(key) (Some slot.(value))
  end.

(** When [map_of_array] does not panic. *)
Definition map_of_array_safe (array : Array) : bool :=
  loop_safe
    (fun entries p => map_of_array_step entries array p)
    (fun entries p => map_of_array_step_safe entries array p)
    (range 1 array.(array_size))
    empty_key_map.

End Specification.
