(* Translated from spec/src/block/map.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** What blocks mean: their transactions executed one after the other on an ordinary map.

    This is the ideal that a validator's answer is measured against; nothing here knows positions,
    commitments or versions. *)
From AardvarkSpec Require Export Prelude Dictionary.SlotMap Dictionary.Array Dictionary.KeyMap Block.Rejection
  Block.Operation Block.Transaction.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** Runs operation `j` of transaction `x` on the map. *)
Definition map_operation (entries : KeyMap) (operation : Operation) (x j : usize) : Result KeyMap Rejection :=
  match run_action (key_map_get entries operation.(operation_key)) operation.(action) with
  | Err why => Err (reject_item why x j)
  | Ok after => Ok (key_map_put entries operation.(operation_key) after)
  end.

(** One step of [`map_operations`]. *)
Definition map_operations_step
    (run : Result KeyMap Rejection)
    (operation : Operation)
    (x j : usize) : Result KeyMap Rejection :=
  match run with
  | Err rejection => Err rejection
  | Ok entries => map_operation entries operation x j
  end.

(** Runs the operations of transaction `x` on the map, all or nothing. *)
Definition map_operations (before : KeyMap) (items : Seq Operation) (x : usize) : Result KeyMap Rejection :=
  fold_left
    (fun run j => map_operations_step run (seq_at items j) x j)
    (range 0 (seq_length items))
    (Ok before).

(** One step of [`map_transactions`]. *)
Definition map_transactions_step
    (run : Result KeyMap Rejection)
    (tx : Transaction)
    (x : usize) : Result KeyMap Rejection :=
  match run with
  | Err rejection => Err rejection
  | Ok entries => map_operations entries tx.(operations) x
  end.

(** Runs the transactions of a block on the map, one after the other. *)
Definition map_transactions (before : KeyMap) (items : Seq Transaction) : Result KeyMap Rejection :=
  fold_left
    (fun run x => map_transactions_step run (seq_at items x) x)
    (range 0 (seq_length items))
    (Ok before).

(** One step of [`map_of_array`]: position 0 holds the sentinel, which is no key of the map. *)
Definition map_of_array_step (entries : KeyMap) (array : Array) (p : usize) : KeyMap :=
  match slot_at array.(array_slots) p with
  | None => entries
  | Some slot => key_map_put entries slot.(key) (Some slot.(value))
  end.

(** The map that a whole array stands for. *)
Definition map_of_array (array : Array) : KeyMap :=
  fold_left (fun entries p => map_of_array_step entries array p) (range 1 array.(array_size)) empty_key_map.

End Specification.
