(* Translated from spec/src/table/table_scan.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** The scan of a table: which runs have their keys in a box, as a chain of slots shows it.

    ```text
    cursor := box_next("")
    each slot must cover the cursor; if its key is the cursor, it is a run of the box
    cursor := box_next(slot.next); there is none where the ring closes
    the slots end exactly where the cursor does
    ```

    Each key of the box is then the key of a slot, or lies in the gap of one. Keys of other tables,
    columns and lengths are in no box, so they neither hide a run nor pass for one. It is the scan
    of [`crate::answer::scan`] over another set of keys, without a limit. All slots must be of one
    version. Source: docs/tables.md, "The scan". *)
From AardvarkSpec Require Export Prelude Base.Bytes Dictionary.Slot Dictionary.KeyMap Answer.Scan Table.KeyBox.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** Where a scan begins. *)
Definition table_scan_start (key_box : KeyBox) : Scan :=
  {| scan_cursor := box_next key_box []; scan_entries := empty_key_map |}.

(** The cursor after a slot that covers `cursor`. *)
Definition table_cursor_after (key_box : KeyBox) (cursor : ByteString) (slot : Slot) : Option ByteString :=
  if bytes_less cursor slot.(next) then box_next key_box slot.(next) else None.

(** The scan after one more slot. *)
Definition table_scan_slot (key_box : KeyBox) (scan : Scan) (slot : Slot) : Result Scan ChainFault :=
  match scan.(scan_cursor) with
  | None => Err ChainFault_SlotSuperfluous
  | Some cursor =>
      if covers slot cursor then
        Ok
          {| scan_cursor := table_cursor_after key_box cursor slot;
            scan_entries := entries_after scan.(scan_entries) cursor slot |}
      else
        Err ChainFault_NotCovering
  end.

(** One step of [`table_scan_slots`]. *)
Definition table_scan_slots_step
    (progress : Result Scan ChainFault)
    (key_box : KeyBox)
    (slot : Slot) : Result Scan ChainFault :=
  match progress with
  | Err fault => Err fault
  | Ok scan => table_scan_slot key_box scan slot
  end.

(** The scan after all slots, wherever it has come. *)
Definition table_scan_slots (key_box : KeyBox) (chain : Seq Slot) : Result Scan ChainFault :=
  fold_left
    (fun progress i => table_scan_slots_step progress key_box (seq_at chain i))
    (range 0 (seq_length chain))
    (Ok (table_scan_start key_box)).

(** The keys of a box that a chain of slots shows, with their values. *)
Definition table_scan (key_box : KeyBox) (chain : Seq Slot) : Result KeyMap ChainFault :=
  match table_scan_slots key_box chain with
  | Ok scan =>
      match scan.(scan_cursor) with
      | None => Ok scan.(scan_entries)
      | Some _ => Err ChainFault_SlotMissing
      end
  | Err e' => Err e'
  end.

End Specification.
