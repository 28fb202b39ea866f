(* Translated from spec/src/block/import.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Block.Import Base.BytesSafe Commitment.SchemeSafe Dictionary.ArraySafe
  Dictionary.ChangesSafe Dictionary.WritesSafe Dictionary.GenesisSafe Block.StateSafe Block.ValidatorSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [import_ascends] does not panic. *)
Definition import_ascends_safe (items : Seq ImportChange) (i : usize) : bool :=
  if 0 <? i then
    (1 <=? i) && (i - 1 <? seq_length items) && (i <? seq_length items) &&
    bytes_less_safe (seq_at items (i - 1)).(import_key) (seq_at items i).(import_key)
  else
    true.

(** When [check_import_change] does not panic. *)
Definition check_import_change_safe (p : Parameters) (items : Seq ImportChange) (i : usize) : bool :=
  (i <? seq_length items) &&
  (if seq_length (seq_at items i).(import_key) =? 0 then
      true
    else
      (i <? seq_length items) &&
      (if p.(max_key_length) <? seq_length (seq_at items i).(import_key) then
          true
        else
          (i <? seq_length items) &&
          (if import_value_too_long p (seq_at items i).(import_content) then
              true
            else
              import_ascends_safe items i))).

(** When [check_import_step] does not panic. *)
Definition check_import_step_safe
    (checked : Result unit ImportRejection)
    (p : Parameters)
    (items : Seq ImportChange)
    (i : usize) : bool :=
  match checked with
  | Err rejection => true
  | Ok tt => check_import_change_safe p items i
  end.

(** When [check_import_version] does not panic. *)
Definition check_import_version_safe (state : ValidatorState) (block : ImportBlock) : bool :=
  within_usize (state.(version) + 1).

(** When [check_import] does not panic. *)
Definition check_import_safe (state : ValidatorState) (block : ImportBlock) : bool :=
  check_import_version_safe state block &&
  (loop_safe
      (fun checked i => check_import_step checked state.(parameters) block.(import_changes) i)
      (fun checked i => check_import_step_safe checked state.(parameters) block.(import_changes) i)
      (range 0 (seq_length block.(import_changes)))
      (check_import_version state block)).

(** When [import_change_in] does not panic. *)
Definition import_change_in_safe (changes : ChangeMap) (array : Array) (change : ImportChange) : bool :=
  array_lookup_safe array change.(import_key).

(** When [import_changes_in_step] does not panic. *)
Definition import_changes_in_step_safe
    (found : Option ChangeMap)
    (array : Array)
    (change : ImportChange) : bool :=
  match found with
  | None => true
  | Some changes => import_change_in_safe changes array change
  end.

(** When [import_changes_in] does not panic. *)
Definition import_changes_in_safe (array : Array) (items : Seq ImportChange) : bool :=
  loop_safe
    (fun found i => import_changes_in_step found array (seq_at items i))
    (fun found i => (i <? seq_length items) && import_changes_in_step_safe found array (seq_at items i))
    (range 0 (seq_length items))
    (Some []).

(** When [import_into] does not panic. *)
Definition import_into_safe (array : Array) (items : Seq ImportChange) : bool :=
  import_changes_in_safe array items &&
  (match import_changes_in array items with
    | Some changes => net_changes_safe changes && apply_changes_safe array (net_changes changes)
    | None => true
    end).

(** When [import_state] does not panic. *)
Definition import_state_safe
    (setup : Setup)
    (state : ValidatorState)
    (array : Array)
    (block : ImportBlock) : bool :=
  import_into_safe array block.(import_changes) &&
  (match import_into array block.(import_changes) with
    | Some after =>
        writes_between_safe array.(array_slots) after.(array_slots) &&
        (let writes := writes_between array.(array_slots) after.(array_slots) in
          advance_safe setup state array.(array_slots) after writes state.(replay_set))
    | None => true
    end).

(** When [apply_import] does not panic. *)
Definition apply_import_safe
    (setup : Setup)
    (state : ValidatorState)
    (array : Array)
    (block : ImportBlock) : bool :=
  check_import_safe state block &&
  (match check_import state block with
    | Ok _ => import_state_safe setup state array block
    | Err _ => true
    end).

End Specification.
