(* Translated from spec/src/dictionary/array.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Dictionary.Array Base.BytesSafe Dictionary.SlotSafe Dictionary.SlotMapSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [empty_array] does not panic. *)
Definition empty_array_safe : bool :=
  put_slot_safe empty_slot_map 0 (Some lone_sentinel).

(** When [content_in_slot] does not panic. *)
Definition content_in_slot_safe (slot : Slot) (k : ByteString) : bool :=
  bytes_equal_safe slot.(key) k.

(** When [array_lookup] does not panic. *)
Definition array_lookup_safe (array : Array) (k : ByteString) : bool :=
  covering_slot_safe array.(array_slots) k &&
  (match covering_slot array.(array_slots) k with
    | Some slot => content_in_slot_safe slot k
    | None => true
    end).

(** When [array_update] does not panic. *)
Definition array_update_safe (array : Array) (k new_value : ByteString) : bool :=
  covering_position_safe array.(array_slots) k &&
  (match covering_position array.(array_slots) k with
    | Some position =>
        match slot_at array.(array_slots) position with
        | Some slot => put_slot_safe array.(array_slots) position (Some (with_value slot new_value))
        | None => true
        end
    | None => true
    end).

(** When [array_insert] does not panic. *)
Definition array_insert_safe (array : Array) (k new_value : ByteString) : bool :=
  covering_position_safe array.(array_slots) k &&
  (match covering_position array.(array_slots) k with
    | Some position =>
        match slot_at array.(array_slots) position with
        | Some slot =>
            let appended := {| key := k; value := new_value; next := slot.(next) |} in
            put_slot_safe array.(array_slots) position (Some (with_next slot k)) &&
            (let linked := put_slot array.(array_slots) position (Some (with_next slot k)) in
              within_usize (array.(array_size) + 1) &&
              put_slot_safe linked array.(array_size) (Some appended))
        | None => true
        end
    | None => true
    end).

(** When [swap_remove] does not panic. *)
Definition swap_remove_safe (array : Array) (position : usize) : bool :=
  (if 0 <? array.(array_size) then 1 <=? array.(array_size) else true) &&
  (let last_position := if 0 <? array.(array_size) then array.(array_size) - 1 else 0 in
    match slot_at array.(array_slots) last_position with
    | Some last_slot =>
        put_slot_safe array.(array_slots) position (Some last_slot) &&
        (let moved := put_slot array.(array_slots) position (Some last_slot) in
          put_slot_safe moved last_position None)
    | None => true
    end).

(** When [array_delete] does not panic. *)
Definition array_delete_safe (array : Array) (k : ByteString) : bool :=
  covering_position_safe array.(array_slots) k &&
  (match covering_position array.(array_slots) k with
    | Some position =>
        match slot_at array.(array_slots) position with
        | Some slot =>
            preceding_position_safe array.(array_slots) k &&
            (match preceding_position array.(array_slots) k with
              | Some predecessor_position =>
                  match slot_at array.(array_slots) predecessor_position with
                  | Some predecessor =>
                      put_slot_safe
                        array.(array_slots)
                        predecessor_position
                        (Some (with_next predecessor slot.(next))) &&
                      (let unlinked :=
                          {| array_size := array.(array_size);
                            array_slots :=
                              put_slot
                                array.(array_slots)
                                predecessor_position
                                (Some (with_next predecessor slot.(next))) |}
                        in
                        swap_remove_safe unlinked position)
                  | None => true
                  end
              | None => true
              end)
        | None => true
        end
    | None => true
    end).

End Specification.
