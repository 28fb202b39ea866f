(* Translated from spec/src/dictionary/writes.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Writes of a version: the positions whose content differs between the array before and after it,
    in ascending order, with their new content. "Unused" counts as a content. *)
From AardvarkSpec Require Export Prelude Dictionary.Slot Dictionary.SlotMap.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** A position and its new content. *)
Record Write : Type := {
  (** The position. *)
  write_position : usize;
  (** Its content after the version; `None` when it became unused. *)
  write_content : Option Slot;
}.

#[global] Instance Default_Write : Default Write := {| write_position := default; write_content := default |}.

(** One step of [`writes_between`]. *)
Definition writes_between_step (writes : Seq Write) (before after : SlotMap) (p : usize) : Seq Write :=
  if slot_contents_equal (slot_at before p) (slot_at after p) then
    writes
  else
    writes ++ [{| write_position := p; write_content := slot_at after p |}].

(** The writes that lead from one map to another. *)
Definition writes_between (before after : SlotMap) : Seq Write :=
  let stop := if slot_map_end before <? slot_map_end after then slot_map_end after else slot_map_end before in
  fold_left (fun writes p => writes_between_step writes before after p) (range 0 stop) [].

(** One step of [`lay_writes`]. *)
Definition lay_writes_step (slots : SlotMap) (write : Write) : SlotMap :=
  put_slot slots write.(write_position) write.(write_content).

(** The map with the writes laid over it. *)
Definition lay_writes (below : SlotMap) (writes : Seq Write) : SlotMap :=
  fold_left (fun slots i => lay_writes_step slots (seq_at writes i)) (range 0 (seq_length writes)) below.

End Specification.
