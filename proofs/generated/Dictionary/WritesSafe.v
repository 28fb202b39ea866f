(* Translated from spec/src/dictionary/writes.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Dictionary.Writes Dictionary.SlotSafe Dictionary.SlotMapSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [writes_between_step] does not panic. *)
Definition writes_between_step_safe (writes : Seq Write) (before after : SlotMap) (p : usize) : bool :=
  slot_contents_equal_safe (slot_at before p) (slot_at after p).

(** When [writes_between] does not panic. *)
Definition writes_between_safe (before after : SlotMap) : bool :=
  let stop := if slot_map_end before <? slot_map_end after then slot_map_end after else slot_map_end before in
  loop_safe
    (fun writes p => writes_between_step writes before after p)
    (fun writes p => writes_between_step_safe writes before after p)
    (range 0 stop)
    [].

(** When [lay_writes_step] does not panic. *)
Definition lay_writes_step_safe (slots : SlotMap) (write : Write) : bool :=
  put_slot_safe slots write.(write_position) write.(write_content).

(** When [lay_writes] does not panic. *)
Definition lay_writes_safe (below : SlotMap) (writes : Seq Write) : bool :=
  loop_safe
    (fun slots i => lay_writes_step slots (seq_at writes i))
    (fun slots i => (i <? seq_length writes) && lay_writes_step_safe slots (seq_at writes i))
    (range 0 (seq_length writes))
    below.

End Specification.
