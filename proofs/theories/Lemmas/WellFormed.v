(** What a good dictionary is: the definitions that the theorems' statements share.

    A whole array is well-formed when its live positions are exactly [0 .. array_size), the sentinel stands at position 0,
    no two positions hold one key, and each slot's next key is the next larger live key, or the empty key when there is
    none. Source: docs/design.md, sections 2 and 6. *)
From Coq Require Import NArith List.
From AardvarkSpec Require Import Prelude Base.Bytes Dictionary.Slot Dictionary.SlotMap Dictionary.Array.
Import ListNotations.
Local Open Scope N_scope.

(** [a] comes strictly before [b] in the order of keys. *)
Definition blt (a b : ByteString) : Prop := bytes_less a b = true.

(** Position [p] holds the slot [x]. *)
Definition live (slots : SlotMap) (p : N) (x : Slot) : Prop := slot_at slots p = Some x.

(** The slots stand at the positions [0 .. array_size), without holes, and there is at least one. *)
Definition dense (a : Array) : Prop :=
  0 < array_size a /\ forall p, (exists x, live (array_slots a) p x) <-> p < array_size a.

(** Position 0 holds the slot of the empty key with the empty value. *)
Definition sentinel_first (a : Array) : Prop :=
  exists x, live (array_slots a) 0 x /\ key x = [] /\ value x = [].

(** Each live key stands at one position only. *)
Definition keys_distinct (a : Array) : Prop :=
  forall p q x y, live (array_slots a) p x -> live (array_slots a) q y -> key x = key y -> p = q.

(** The next key of [x] is what it should be: empty when [x] has the largest live key, and otherwise the smallest live key
    that is larger than the key of [x]. *)
Definition is_next (a : Array) (x : Slot) : Prop :=
  (next x = [] /\ forall q y, live (array_slots a) q y -> ~ blt (key x) (key y)) \/
  (blt (key x) (next x) /\
   (exists q y, live (array_slots a) q y /\ key y = next x) /\
   (forall q y, live (array_slots a) q y -> ~ (blt (key x) (key y) /\ blt (key y) (next x)))).

(** All of it: what every reachable array is. *)
Definition well_formed (a : Array) : Prop :=
  dense a /\ sentinel_first a /\ keys_distinct a /\ (forall p x, live (array_slots a) p x -> is_next a x).

(** Whether a content is a slot of key [k]. *)
Definition content_has_key (k : ByteString) (content : option Slot) : bool :=
  match content with
  | Some x => bytes_equal (key x) k
  | None => false
  end.

(** The abstract map that an array stands for: to each key but the empty one its value, or absent. *)
Definition map_of (a : Array) (k : ByteString) : option ByteString :=
  if bytes_equal k [] then None
  else
    match find (content_has_key k) (array_slots a) with
    | Some (Some x) => Some (value x)
    | _ => None
    end.

(** What the view knows is true of the whole. *)
Definition contained (view whole : SlotMap) : Prop :=
  forall p x, slot_at view p = Some x -> slot_at whole p = Some x.
