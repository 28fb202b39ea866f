(* Translated from spec/src/table/table_scan.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Table.TableScan Base.BytesSafe Dictionary.SlotSafe Dictionary.KeyMapSafe
  Answer.ScanSafe Table.KeyBoxSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [table_scan_start] does not panic. *)
Definition table_scan_start_safe (key_box : KeyBox) : bool :=
  box_next_safe key_box [].

(** When [table_cursor_after] does not panic. *)
Definition table_cursor_after_safe (key_box : KeyBox) (cursor : ByteString) (slot : Slot) : bool :=
  bytes_less_safe cursor slot.(next) &&
  (if bytes_less cursor slot.(next) then box_next_safe key_box slot.(next) else true).

(** When [table_scan_slot] does not panic. *)
Definition table_scan_slot_safe (key_box : KeyBox) (scan : Scan) (slot : Slot) : bool :=
  match scan.(scan_cursor) with
  | None => true
  | Some cursor =>
      covers_safe slot cursor &&
      (if covers slot cursor then
          table_cursor_after_safe key_box cursor slot && entries_after_safe scan.(scan_entries) cursor slot
        else
          true)
  end.

(** When [table_scan_slots_step] does not panic. *)
Definition table_scan_slots_step_safe
    (progress : Result Scan ChainFault)
    (key_box : KeyBox)
    (slot : Slot) : bool :=
  match progress with
  | Err fault => true
  | Ok scan => table_scan_slot_safe key_box scan slot
  end.

(** When [table_scan_slots] does not panic. *)
Definition table_scan_slots_safe (key_box : KeyBox) (chain : Seq Slot) : bool :=
  table_scan_start_safe key_box &&
  (loop_safe
      (fun progress i => table_scan_slots_step progress key_box (seq_at chain i))
      (fun progress i =>
        (i <? seq_length chain) && table_scan_slots_step_safe progress key_box (seq_at chain i))
      (range 0 (seq_length chain))
      (Ok (table_scan_start key_box))).

(** When [table_scan] does not panic. *)
Definition table_scan_safe (key_box : KeyBox) (chain : Seq Slot) : bool :=
  table_scan_slots_safe key_box chain.

End Specification.
