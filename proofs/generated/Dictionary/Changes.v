(* Translated from spec/src/dictionary/changes.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Net changes: for each key that a block names, its content before and after, and their effect on
    the array.

    The effect depends on the changes alone, in this order: value updates, then inserts, then
    deletes, each group in ascending order of keys. Source: docs/format.md, "Net changes". *)
From AardvarkSpec Require Export Prelude Base.Bytes Dictionary.Array.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** A key's content before and after a block. *)
Record Change : Type := {
  (** The key. *)
  change_key : ByteString;
  (** The content before: a value, or absent. *)
  change_before : Option ByteString;
  (** The content after. *)
  change_after : Option ByteString;
}.

#[global] Instance Default_Change : Default Change := {| change_key := default; change_before := default; change_after := default |}.

(** A finite map from keys to changes, in strictly ascending order of keys. *)
Definition ChangeMap : Type := Seq Change.

(** One step of [`change_of`]. *)
Definition change_of_step (found : Option Change) (change : Change) (k : ByteString) : Option Change :=
  if bytes_equal change.(change_key) k then Some change else found.

(** The change of `k`, if there is one. *)
Definition change_of (changes : ChangeMap) (k : ByteString) : Option Change :=
  fold_left (fun found i => change_of_step found (seq_at changes i) k) (range 0 (seq_length changes)) None.

(** One step of [`changes_below`]. *)
Definition changes_below_step (below : ChangeMap) (change : Change) (k : ByteString) : ChangeMap :=
  if bytes_less change.(change_key) k then below ++ [change] else below.

(** The changes of keys that come before `k`. *)
Definition changes_below (changes : ChangeMap) (k : ByteString) : ChangeMap :=
  fold_left (fun below i => changes_below_step below (seq_at changes i) k) (range 0 (seq_length changes)) [].

(** One step of [`changes_above`]. *)
Definition changes_above_step (above : ChangeMap) (change : Change) (k : ByteString) : ChangeMap :=
  if bytes_less k change.(change_key) then above ++ [change] else above.

(** The changes of keys that come after `k`. *)
Definition changes_above (changes : ChangeMap) (k : ByteString) : ChangeMap :=
  fold_left (fun above i => changes_above_step above (seq_at changes i) k) (range 0 (seq_length changes)) [].

(** The changes with `change` in the place of any other of its key. *)
Definition put_change (changes : ChangeMap) (change : Change) : ChangeMap :=
  changes_below changes change.(change_key) ++ [change] ++ changes_above changes change.(change_key).

(** One step of [`net_changes`]. *)
Definition net_changes_step (net : ChangeMap) (change : Change) : ChangeMap :=
  if contents_equal change.(change_before) change.(change_after) then net else net ++ [change].

(** The changes that change something. *)
Definition net_changes (changes : ChangeMap) : ChangeMap :=
  fold_left (fun net i => net_changes_step net (seq_at changes i)) (range 0 (seq_length changes)) [].

(** One step of [`size_after`]. *)
Definition size_after_step (s : usize) (change : Change) : usize :=
  if negb (is_present change.(change_before)) && is_present change.(change_after) then
    s + 1
  else if is_present change.(change_before) && negb (is_present change.(change_after)) && (0 <? s) then
    s - 1
  else
    s.

(** The number of slots after the changes, from the number before. *)
Definition size_after (size_before : usize) (changes : ChangeMap) : usize :=
  fold_left (fun s i => size_after_step s (seq_at changes i)) (range 0 (seq_length changes)) size_before.

(** The array after one change, if it is an update; other changes are left to their own pass. *)
Definition apply_update (array : Array) (change : Change) : Option Array :=
  match change.(change_after) with
  | None => Some array
  | Some new_value =>
      if is_present change.(change_before) then
        array_update array change.(change_key) new_value
      else
        Some array
  end.

(** One step of [`apply_updates`]. *)
Definition apply_updates_step (array : Option Array) (change : Change) : Option Array :=
  match array with
  | None => None
  | Some known => apply_update known change
  end.

(** The array after the updates among the changes. *)
Definition apply_updates (before : Array) (changes : ChangeMap) : Option Array :=
  fold_left
    (fun array i => apply_updates_step array (seq_at changes i))
    (range 0 (seq_length changes))
    (Some before).

(** The array after one change, if it is an insert. *)
Definition apply_insert (array : Array) (change : Change) : Option Array :=
  match change.(change_after) with
  | None => Some array
  | Some new_value =>
      if is_present change.(change_before) then
        Some array
      else
        array_insert array change.(change_key) new_value
  end.

(** One step of [`apply_inserts`]. *)
Definition apply_inserts_step (array : Option Array) (change : Change) : Option Array :=
  match array with
  | None => None
  | Some known => apply_insert known change
  end.

(** The array after the inserts among the changes. *)
Definition apply_inserts (before : Array) (changes : ChangeMap) : Option Array :=
  fold_left
    (fun array i => apply_inserts_step array (seq_at changes i))
    (range 0 (seq_length changes))
    (Some before).

(** The array after one change, if it is a delete. *)
Definition apply_delete (array : Array) (change : Change) : Option Array :=
  if is_present change.(change_before) && negb (is_present change.(change_after)) then
    array_delete array change.(change_key)
  else
    Some array.

(** One step of [`apply_deletes`]. *)
Definition apply_deletes_step (array : Option Array) (change : Change) : Option Array :=
  match array with
  | None => None
  | Some known => apply_delete known change
  end.

(** The array after the deletes among the changes. *)
Definition apply_deletes (before : Array) (changes : ChangeMap) : Option Array :=
  fold_left
    (fun array i => apply_deletes_step array (seq_at changes i))
    (range 0 (seq_length changes))
    (Some before).

(** The array after the changes, or `None` when it lacks a slot that they need. *)
Definition apply_changes (before : Array) (changes : ChangeMap) : Option Array :=
  match apply_updates before changes with
  | Some updated =>
      match apply_inserts updated changes with
      | Some inserted => apply_deletes inserted changes
      | None => None
      end
  | None => None
  end.

End Specification.
