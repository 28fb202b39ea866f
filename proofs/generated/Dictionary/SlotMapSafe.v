(* Translated from spec/src/dictionary/slot_map.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Dictionary.SlotMap Base.BytesSafe Dictionary.SlotSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [put_slot] does not panic. *)
Definition put_slot_safe (slots : SlotMap) (position : usize) (content : Option Slot) : bool :=
  if position <? seq_length slots then
    within_usize (position + 1) && (1 <=? seq_length slots - position) &&
    (position + 1 + (seq_length slots - position - 1) <=? seq_length slots) &&
    (0 + position <=? seq_length slots)
  else
    true.

(** When [content_covers] does not panic. *)
Definition content_covers_safe (content : Option Slot) (k : ByteString) : bool :=
  match content with
  | None => true
  | Some slot => covers_safe slot k
  end.

(** When [content_precedes] does not panic. *)
Definition content_precedes_safe (content : Option Slot) (k : ByteString) : bool :=
  match content with
  | None => true
  | Some slot => precedes_safe slot k
  end.

(** When [covering_position_step] does not panic. *)
Definition covering_position_step_safe
    (found : Option usize)
    (content : Option Slot)
    (p : usize)
    (k : ByteString) : bool :=
  match found with
  | Some position => true
  | None => content_covers_safe content k
  end.

(** When [covering_position] does not panic. *)
Definition covering_position_safe (slots : SlotMap) (k : ByteString) : bool :=
  loop_safe
    (fun found p => covering_position_step found (seq_at slots p) p k)
    (fun found p => (p <? seq_length slots) && covering_position_step_safe found (seq_at slots p) p k)
    (range 0 (seq_length slots))
    None.

(** When [preceding_position_step] does not panic. *)
Definition preceding_position_step_safe
    (found : Option usize)
    (content : Option Slot)
    (p : usize)
    (k : ByteString) : bool :=
  match found with
  | Some position => true
  | None => content_precedes_safe content k
  end.

(** When [preceding_position] does not panic. *)
Definition preceding_position_safe (slots : SlotMap) (k : ByteString) : bool :=
  loop_safe
    (fun found p => preceding_position_step found (seq_at slots p) p k)
    (fun found p => (p <? seq_length slots) && preceding_position_step_safe found (seq_at slots p) p k)
    (range 0 (seq_length slots))
    None.

(** When [covering_slot] does not panic. *)
Definition covering_slot_safe (slots : SlotMap) (k : ByteString) : bool :=
  covering_position_safe slots k.

End Specification.
