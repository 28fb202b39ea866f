(* Translated from spec/src/block/import.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Import blocks: puts and deletes without claims, applied to the whole array by the rules of net
    changes.

    They exist in an archive's own log only; validators refuse them. Source: docs/format.md,
    "Blocks". *)
From AardvarkSpec Require Export Prelude Base.Bytes Commitment.Scheme Dictionary.Array Dictionary.Changes
  Dictionary.Writes Dictionary.Genesis Block.State Block.Validator.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** The new content of a key. *)
Record ImportChange : Type := {
  (** The key. *)
  import_key : ByteString;
  (** Its new content: a value, or absent. *)
  import_content : Option ByteString;
}.

#[global] Instance Default_ImportChange : Default ImportChange := {| import_key := default; import_content := default |}.

(** A block of imports. *)
Record ImportBlock : Type := {
  (** The version that the block leads to. *)
  import_version : usize;
  (** The changes, in strictly ascending order of keys. *)
  import_changes : Seq ImportChange;
}.

#[global] Instance Default_ImportBlock : Default ImportBlock := {| import_version := default; import_changes := default |}.

(** Why an import block is refused; the number is that of the change. *)
Inductive ImportRejection : Type :=
(** The block is not for the version after this one. *)
| ImportRejection_ImportWrongVersion
(** A change names the sentinel's key. *)
| ImportRejection_ImportEmptyKey (_ : usize)
(** A key is longer than keys may be. *)
| ImportRejection_ImportKeyTooLong (_ : usize)
(** A value is longer than values may be. *)
| ImportRejection_ImportValueTooLong (_ : usize)
(** The key does not come after the one before it. *)
| ImportRejection_ImportNotAscending (_ : usize)
(** The array lacks a slot: it is not a whole one. *)
| ImportRejection_ImportIncompleteArray.

(** Whether the new content is a value that is longer than values may be. *)
Definition import_value_too_long (p : Parameters) (content : Option ByteString) : bool :=
  match content with
  | None => false
  | Some present => p.(max_value_length) <? seq_length present
  end.

(** Whether the key of change `i` comes after the one before it. *)
Definition import_ascends (items : Seq ImportChange) (i : usize) : bool :=
  if 0 <? i then bytes_less (seq_at items (i - 1)).(import_key) (seq_at items i).(import_key) else true.

(** Checks change `i`. *)
Definition check_import_change
    (p : Parameters)
    (items : Seq ImportChange)
    (i : usize) : Result unit ImportRejection :=
  if seq_length (seq_at items i).(import_key) =? 0 then
    Err (ImportRejection_ImportEmptyKey i)
  else if p.(max_key_length) <? seq_length (seq_at items i).(import_key) then
    Err (ImportRejection_ImportKeyTooLong i)
  else if import_value_too_long p (seq_at items i).(import_content) then
    Err (ImportRejection_ImportValueTooLong i)
  else if negb (import_ascends items i) then
    Err (ImportRejection_ImportNotAscending i)
  else
    Ok tt.

(** One step of [`check_import`]. *)
Definition check_import_step
    (checked : Result unit ImportRejection)
    (p : Parameters)
    (items : Seq ImportChange)
    (i : usize) : Result unit ImportRejection :=
  match checked with
  | Err rejection => Err rejection
  | Ok tt => check_import_change p items i
  end.

(** The check of the block's version. *)
Definition check_import_version
    (state : ValidatorState)
    (block : ImportBlock) : Result unit ImportRejection :=
  if block.(import_version) =? state.(version) + 1 then Ok tt else Err ImportRejection_ImportWrongVersion.

(** Checks a block of imports. *)
Definition check_import (state : ValidatorState) (block : ImportBlock) : Result unit ImportRejection :=
  fold_left
    (fun checked i => check_import_step checked state.(parameters) block.(import_changes) i)
    (range 0 (seq_length block.(import_changes)))
    (check_import_version state block).

(** Appends the change of one key, from its content in the array. *)
Definition import_change_in
    (changes : ChangeMap)
    (array : Array)
    (change : ImportChange) : Option ChangeMap :=
  match array_lookup array change.(import_key) with
  | Some before =>
      Some
        (changes ++
          [{| change_key := change.(import_key);
              change_before := before;
              change_after := change.(import_content) |}])
  | None => None
  end.

(** One step of [`import_changes_in`]. *)
Definition import_changes_in_step
    (found : Option ChangeMap)
    (array : Array)
    (change : ImportChange) : Option ChangeMap :=
  match found with
  | None => None
  | Some changes => import_change_in changes array change
  end.

(** The changes that an import makes in an array; those that change nothing are among them. *)
Definition import_changes_in (array : Array) (items : Seq ImportChange) : Option ChangeMap :=
  fold_left
    (fun found i => import_changes_in_step found array (seq_at items i))
    (range 0 (seq_length items))
    (Some []).

(** The whole array after an import. *)
Definition import_into (array : Array) (items : Seq ImportChange) : Option Array :=
  match import_changes_in array items with
  | Some changes => apply_changes array (net_changes changes)
  | None => None
  end.

(** What an archive's state and array are after an import; `None` when the array is not a whole one. *)
Definition import_state
    (setup : Setup)
    (state : ValidatorState)
    (array : Array)
    (block : ImportBlock) : Option (ValidatorState * Array) :=
  match import_into array block.(import_changes) with
  | Some after =>
      let writes := writes_between array.(array_slots) after.(array_slots) in
      match advance setup state array.(array_slots) after writes state.(replay_set) with
      | Some advanced => Some (advanced, after)
      | None => None
      end
  | None => None
  end.

(** Applies a block of imports to an archive's state and whole array. *)
Definition apply_import
    (setup : Setup)
    (state : ValidatorState)
    (array : Array)
    (block : ImportBlock) : Result (ValidatorState * Array) ImportRejection :=
  match check_import state block with
  | Ok _ =>
      match import_state setup state array block with
      | Some imported => Ok imported
      | None => Err ImportRejection_ImportIncompleteArray
      end
  | Err e' => Err e'
  end.

End Specification.
