(* Translated from spec/src/dictionary/array.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** The dense array and its operations: update, insert, and delete by swap-remove.

    The same operations run on the whole array and on a validator's view of it, which knows some of
    the slots only: they answer `None` when a slot that they need is not there. Source:
    docs/design.md, section 4. *)
From AardvarkSpec Require Export Prelude Base.Bytes Dictionary.Slot Dictionary.SlotMap.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** The slots at the positions `0..array_size`, or those of them that are known. *)
Record Array : Type := {
  (** The number of slots in the dictionary, the sentinel included. *)
  array_size : usize;
  (** The slots that are known, by position. *)
  array_slots : SlotMap;
}.

#[global] Instance Default_Array : Default Array := {| array_size := default; array_slots := default |}.

(** The array of an empty dictionary: the sentinel alone. *)
Definition empty_array : Array :=
  {| array_size := 1; array_slots := put_slot empty_slot_map 0 (Some lone_sentinel) |}.

(** The value of `k`, or absent, as its covering slot says. *)
Definition content_in_slot (slot : Slot) (k : ByteString) : Option ByteString :=
  if bytes_equal slot.(key) k then Some slot.(value) else None.

(** Looks `k` up. The outer `None` says that the covering slot is not known, the inner that `k` is
    absent. *)
Definition array_lookup (array : Array) (k : ByteString) : Option (Option ByteString) :=
  match covering_slot array.(array_slots) k with
  | Some slot => Some (content_in_slot slot k)
  | None => None
  end.

(** Gives the present key `k` another value. *)
Definition array_update (array : Array) (k new_value : ByteString) : Option Array :=
  match covering_position array.(array_slots) k with
  | Some position =>
      match slot_at array.(array_slots) position with
      | Some slot =>
          Some
            {| array_size := array.(array_size);
              array_slots := put_slot array.(array_slots) position (Some (with_value slot new_value)) |}
      | None => None
      end
  | None => None
  end.

(** Inserts the absent key `k`: its covering slot's next key becomes `k`, and the new slot stands at
    the array's end. *)
Definition array_insert (array : Array) (k new_value : ByteString) : Option Array :=
  match covering_position array.(array_slots) k with
  | Some position =>
      match slot_at array.(array_slots) position with
      | Some slot =>
          let appended := {| key := k; value := new_value; next := slot.(next) |} in
          let linked := put_slot array.(array_slots) position (Some (with_next slot k)) in
          Some
            {| array_size := array.(array_size) + 1;
              array_slots := put_slot linked array.(array_size) (Some appended) |}
      | None => None
      end
  | None => None
  end.

(** Frees a position: the array's last slot moves there, and the array becomes shorter by one. *)
Definition swap_remove (array : Array) (position : usize) : Option Array :=
  let last_position := if 0 <? array.(array_size) then array.(array_size) - 1 else 0 in
  match slot_at array.(array_slots) last_position with
  | Some last_slot =>
      let moved := put_slot array.(array_slots) position (Some last_slot) in
      Some {| array_size := last_position; array_slots := put_slot moved last_position None |}
  | None => None
  end.

(** Deletes the present key `k`: its predecessor's next key becomes that of its slot, and the last
    slot moves into the freed position. The predecessor is rewritten first, so that it moves with
    its new next key when it is the last slot. *)
Definition array_delete (array : Array) (k : ByteString) : Option Array :=
  match covering_position array.(array_slots) k with
  | Some position =>
      match slot_at array.(array_slots) position with
      | Some slot =>
          match preceding_position array.(array_slots) k with
          | Some predecessor_position =>
              match slot_at array.(array_slots) predecessor_position with
              | Some predecessor =>
                  let unlinked :=
                    {| array_size := array.(array_size);
                      array_slots :=
                        put_slot
                          array.(array_slots)
                          predecessor_position
                          (Some (with_next predecessor slot.(next))) |}
                  in
                  swap_remove unlinked position
              | None => None
              end
          | None => None
          end
      | None => None
      end
  | None => None
  end.

End Specification.
