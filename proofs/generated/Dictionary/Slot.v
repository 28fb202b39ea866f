(* Translated from spec/src/dictionary/slot.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Slots: a key, its value, and the next larger live key.

    The slots of a dictionary form one ring in key order, closed by the sentinel, whose key is
    empty. A slot covers the keys in the cyclic interval `[key, next)`, and precedes those in `(key,
    next]`. Of a well-formed ring exactly one slot covers each key, and exactly one precedes it.
    Source: docs/design.md, section 2. *)
From AardvarkSpec Require Export Prelude Base.Bytes Base.Scalar Base.Hash.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** A key, its value, and the key that follows it in the ring. *)
Record Slot : Type := {
  (** The key; empty in the sentinel only. *)
  key : ByteString;
  (** The key's value; empty in the sentinel. *)
  value : ByteString;
  (** The next larger live key; empty when there is none. *)
  next : ByteString;
}.

#[global] Instance Default_Slot : Default Slot := {| key := default; value := default; next := default |}.

(** `k` lies in the cyclic interval `[slot.key, slot.next)`; a ring of one slot covers everything. *)
Definition covers (slot : Slot) (k : ByteString) : bool :=
  if bytes_less slot.(key) slot.(next) then
    bytes_at_most slot.(key) k && bytes_less k slot.(next)
  else
    bytes_at_most slot.(key) k || bytes_less k slot.(next).

(** `k` lies in the cyclic interval `(slot.key, slot.next]`: the slot is the predecessor of `k` when
    `k` is present, and covers `k` when it is not. *)
Definition precedes (slot : Slot) (k : ByteString) : bool :=
  if bytes_less slot.(key) slot.(next) then
    bytes_less slot.(key) k && bytes_at_most k slot.(next)
  else
    bytes_less slot.(key) k || bytes_at_most k slot.(next).

(** Whether two slots agree in all three fields. *)
Definition slots_equal (a b : Slot) : bool :=
  bytes_equal a.(key) b.(key) && bytes_equal a.(value) b.(value) && bytes_equal a.(next) b.(next).

(** Whether two contents of a position, each a slot or unused, are the same. *)
Definition slot_contents_equal (a b : Option Slot) : bool :=
  match a with
  | None =>
      match b with
      | None => true
      | Some _ => false
      end
  | Some left' =>
      match b with
      | None => false
      | Some right' => slots_equal left' right'
      end
  end.

(** The injective encoding that is hashed: `u16 len(key) || key || u16 len(next) || next || value`. *)
Definition encode_slot (slot : Slot) : ByteString :=
  bytes16 slot.(key) ++ bytes16 slot.(next) ++ slot.(value).

(** The slot's scalar. *)
Definition scalar_of_slot (slot : Slot) : Scalar :=
  hash_to_scalar (encode_slot slot) tag_slot.

(** The scalar of a position's content; an unused position is 0. *)
Definition scalar_of_content (content : Option Slot) : Scalar :=
  match content with
  | None => scalar_zero
  | Some slot => scalar_of_slot slot
  end.

(** The slot as it travels: `bytes8(key) || bytes8(next) || bytes16(value)`. *)
Definition slot_bytes (slot : Slot) : ByteString :=
  bytes8 slot.(key) ++ bytes8 slot.(next) ++ bytes16 slot.(value).

(** The length of [`slot_bytes`], in bytes. *)
Definition slot_bytes_length (slot : Slot) : usize :=
  4 + seq_length slot.(key) + seq_length slot.(next) + seq_length slot.(value).

(** The sentinel alone in its ring: what position 0 of an empty dictionary holds. *)
Definition lone_sentinel : Slot :=
  {| key := []; value := []; next := [] |}.

(** The slot with another value. *)
Definition with_value (slot : Slot) (new_value : ByteString) : Slot :=
  {| key := slot.(key); value := new_value; next := slot.(next) |}.

(** The slot with another next key. *)
Definition with_next (slot : Slot) (new_next : ByteString) : Slot :=
  {| key := slot.(key); value := slot.(value); next := new_next |}.

End Specification.
