(* Translated from spec/src/dictionary/changes.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Dictionary.Changes Base.BytesSafe Dictionary.ArraySafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [change_of_step] does not panic. *)
Definition change_of_step_safe (found : Option Change) (change : Change) (k : ByteString) : bool :=
  bytes_equal_safe change.(change_key) k.

(** When [change_of] does not panic. *)
Definition change_of_safe (changes : ChangeMap) (k : ByteString) : bool :=
  loop_safe
    (fun found i => change_of_step found (seq_at changes i) k)
    (fun found i => (i <? seq_length changes) && change_of_step_safe found (seq_at changes i) k)
    (range 0 (seq_length changes))
    None.

(** When [changes_below_step] does not panic. *)
Definition changes_below_step_safe (below : ChangeMap) (change : Change) (k : ByteString) : bool :=
  bytes_less_safe change.(change_key) k.

(** When [changes_below] does not panic. *)
Definition changes_below_safe (changes : ChangeMap) (k : ByteString) : bool :=
  loop_safe
    (fun below i => changes_below_step below (seq_at changes i) k)
    (fun below i => (i <? seq_length changes) && changes_below_step_safe below (seq_at changes i) k)
    (range 0 (seq_length changes))
    [].

(** When [changes_above_step] does not panic. *)
Definition changes_above_step_safe (above : ChangeMap) (change : Change) (k : ByteString) : bool :=
  bytes_less_safe k change.(change_key).

(** When [changes_above] does not panic. *)
Definition changes_above_safe (changes : ChangeMap) (k : ByteString) : bool :=
  loop_safe
    (fun above i => changes_above_step above (seq_at changes i) k)
    (fun above i => (i <? seq_length changes) && changes_above_step_safe above (seq_at changes i) k)
    (range 0 (seq_length changes))
    [].

(** When [put_change] does not panic. *)
Definition put_change_safe (changes : ChangeMap) (change : Change) : bool :=
  changes_below_safe changes change.(change_key) && changes_above_safe changes change.(change_key).

(** When [net_changes_step] does not panic. *)
Definition net_changes_step_safe (net : ChangeMap) (change : Change) : bool :=
  contents_equal_safe change.(change_before) change.(change_after).

(** When [net_changes] does not panic. *)
Definition net_changes_safe (changes : ChangeMap) : bool :=
  loop_safe
    (fun net i => net_changes_step net (seq_at changes i))
    (fun net i => (i <? seq_length changes) && net_changes_step_safe net (seq_at changes i))
    (range 0 (seq_length changes))
    [].

(** When [size_after_step] does not panic. *)
Definition size_after_step_safe (s : usize) (change : Change) : bool :=
  if negb (is_present change.(change_before)) && is_present change.(change_after) then
    within_usize (s + 1)
  else if is_present change.(change_before) && negb (is_present change.(change_after)) && (0 <? s) then
    1 <=? s
  else
    true.

(** When [size_after] does not panic. *)
Definition size_after_safe (size_before : usize) (changes : ChangeMap) : bool :=
  loop_safe
    (fun s i => size_after_step s (seq_at changes i))
    (fun s i => (i <? seq_length changes) && size_after_step_safe s (seq_at changes i))
    (range 0 (seq_length changes))
    size_before.

(** When [apply_update] does not panic. *)
Definition apply_update_safe (array : Array) (change : Change) : bool :=
  match change.(change_after) with
  | None => true
  | Some new_value =>
      if is_present change.(change_before) then
        array_update_safe array change.(change_key) new_value
      else
        true
  end.

(** When [apply_updates_step] does not panic. *)
Definition apply_updates_step_safe (array : Option Array) (change : Change) : bool :=
  match array with
  | None => true
  | Some known => apply_update_safe known change
  end.

(** When [apply_updates] does not panic. *)
Definition apply_updates_safe (before : Array) (changes : ChangeMap) : bool :=
  loop_safe
    (fun array i => apply_updates_step array (seq_at changes i))
    (fun array i => (i <? seq_length changes) && apply_updates_step_safe array (seq_at changes i))
    (range 0 (seq_length changes))
    (Some before).

(** When [apply_insert] does not panic. *)
Definition apply_insert_safe (array : Array) (change : Change) : bool :=
  match change.(change_after) with
  | None => true
  | Some new_value =>
      if is_present change.(change_before) then
        true
      else
        array_insert_safe array change.(change_key) new_value
  end.

(** When [apply_inserts_step] does not panic. *)
Definition apply_inserts_step_safe (array : Option Array) (change : Change) : bool :=
  match array with
  | None => true
  | Some known => apply_insert_safe known change
  end.

(** When [apply_inserts] does not panic. *)
Definition apply_inserts_safe (before : Array) (changes : ChangeMap) : bool :=
  loop_safe
    (fun array i => apply_inserts_step array (seq_at changes i))
    (fun array i => (i <? seq_length changes) && apply_inserts_step_safe array (seq_at changes i))
    (range 0 (seq_length changes))
    (Some before).

(** When [apply_delete] does not panic. *)
Definition apply_delete_safe (array : Array) (change : Change) : bool :=
  if is_present change.(change_before) && negb (is_present change.(change_after)) then
    array_delete_safe array change.(change_key)
  else
    true.

(** When [apply_deletes_step] does not panic. *)
Definition apply_deletes_step_safe (array : Option Array) (change : Change) : bool :=
  match array with
  | None => true
  | Some known => apply_delete_safe known change
  end.

(** When [apply_deletes] does not panic. *)
Definition apply_deletes_safe (before : Array) (changes : ChangeMap) : bool :=
  loop_safe
    (fun array i => apply_deletes_step array (seq_at changes i))
    (fun array i => (i <? seq_length changes) && apply_deletes_step_safe array (seq_at changes i))
    (range 0 (seq_length changes))
    (Some before).

(** When [apply_changes] does not panic. *)
Definition apply_changes_safe (before : Array) (changes : ChangeMap) : bool :=
  apply_updates_safe before changes &&
  (match apply_updates before changes with
    | Some updated =>
        apply_inserts_safe updated changes &&
        (match apply_inserts updated changes with
          | Some inserted => apply_deletes_safe inserted changes
          | None => true
          end)
    | None => true
    end).

End Specification.
