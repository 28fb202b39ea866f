(* Translated from spec/src/dictionary/slot_map.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** The finite map from positions to slots, and the two searches in it.

    Element `p` of the sequence is the content of position `p`; positions beyond its end have none.
    What "none" means is up to the reader of the map: unused in the whole array, unused or unknown
    in a validator's view. Nobody outside this file walks the sequence: others use [`slot_at`],
    [`put_slot`], [`covering_position`] and [`preceding_position`]. *)
From AardvarkSpec Require Export Prelude Base.Bytes Dictionary.Slot.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** A finite map from positions to slots. *)
Definition SlotMap : Type := Seq (Option Slot).

(** The map without any slot. *)
Definition empty_slot_map : SlotMap :=
  [].

(** The content of a position. *)
Definition slot_at (slots : SlotMap) (position : usize) : Option Slot :=
  if position <? seq_length slots then seq_at slots position else None.

(** One step of [`padded_slot_map`]. *)
Definition padded_slot_map_step (padded : SlotMap) : SlotMap :=
  padded ++ [None].

(** The same map, with contents written out for the positions below `count` at least. *)
Definition padded_slot_map (slots : SlotMap) (count : usize) : SlotMap :=
  let written := seq_length slots in
  fold_left (fun padded _p => padded_slot_map_step padded) (range written count) slots.

(** The map with another content of one position; `None` removes. *)
Definition put_slot (slots : SlotMap) (position : usize) (content : Option Slot) : SlotMap :=
  if position <? seq_length slots then
    let above := seq_slice slots (position + 1) (seq_length slots - position - 1) in
    seq_slice slots 0 position ++ [content] ++ above
  else
    padded_slot_map slots position ++ [content].

(** A position from which on the map has no slot. *)
Definition slot_map_end (slots : SlotMap) : usize :=
  seq_length slots.

(** Whether there is a slot at this content, and it covers `k`. *)
Definition content_covers (content : Option Slot) (k : ByteString) : bool :=
  match content with
  | None => false
  | Some slot => covers slot k
  end.

(** Whether there is a slot at this content, and it precedes `k`. *)
Definition content_precedes (content : Option Slot) (k : ByteString) : bool :=
  match content with
  | None => false
  | Some slot => precedes slot k
  end.

(** One step of [`covering_position`]. *)
Definition covering_position_step
    (found : Option usize)
    (content : Option Slot)
    (p : usize)
    (k : ByteString) : Option usize :=
  match found with
  | Some position => Some position
  | None => if content_covers content k then Some p else None
  end.

(** The lowest position whose slot covers `k`. *)
Definition covering_position (slots : SlotMap) (k : ByteString) : Option usize :=
  fold_left
    (fun found p => covering_position_step found (seq_at slots p) p k)
    (range 0 (seq_length slots))
    None.

(** One step of [`preceding_position`]. *)
Definition preceding_position_step
    (found : Option usize)
    (content : Option Slot)
    (p : usize)
    (k : ByteString) : Option usize :=
  match found with
  | Some position => Some position
  | None => if content_precedes content k then Some p else None
  end.

(** The lowest position whose slot precedes `k`. *)
Definition preceding_position (slots : SlotMap) (k : ByteString) : Option usize :=
  fold_left
    (fun found p => preceding_position_step found (seq_at slots p) p k)
    (range 0 (seq_length slots))
    None.

(** The slot that covers `k`. *)
Definition covering_slot (slots : SlotMap) (k : ByteString) : Option Slot :=
  match covering_position slots k with
  | Some position => slot_at slots position
  | None => None
  end.

End Specification.
