(* Translated from spec/src/answer/scan.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Answer.Scan Base.BytesSafe Dictionary.SlotSafe Dictionary.KeyMapSafe
  Answer.QuestionSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [scan_start] does not panic. *)
Definition scan_start_safe (region : Region) : bool :=
  asked_from_safe region [].

(** When [cursor_after] does not panic. *)
Definition cursor_after_safe (region : Region) (cursor : ByteString) (slot : Slot) : bool :=
  bytes_less_safe cursor slot.(next) &&
  (if bytes_less cursor slot.(next) then asked_from_safe region slot.(next) else true).

(** When [entries_after] does not panic. *)
Definition entries_after_safe (found_entries : KeyMap) (cursor : ByteString) (slot : Slot) : bool :=
  bytes_equal_safe slot.(key) cursor.

(** When [scan_slot] does not panic. *)
Definition scan_slot_safe (region : Region) (scan : Scan) (slot : Slot) : bool :=
  match scan.(scan_cursor) with
  | None => true
  | Some cursor =>
      if scan_done region scan then
        true
      else
        covers_safe slot cursor &&
        (if negb (covers slot cursor) then
            true
          else
            cursor_after_safe region cursor slot && entries_after_safe scan.(scan_entries) cursor slot)
  end.

(** When [scan_slots_step] does not panic. *)
Definition scan_slots_step_safe (progress : Result Scan ChainFault) (region : Region) (slot : Slot) : bool :=
  match progress with
  | Err fault => true
  | Ok scan => scan_slot_safe region scan slot
  end.

(** When [scan_slots] does not panic. *)
Definition scan_slots_safe (region : Region) (chain : Seq Slot) : bool :=
  scan_start_safe region &&
  (loop_safe
      (fun progress i => scan_slots_step progress region (seq_at chain i))
      (fun progress i => (i <? seq_length chain) && scan_slots_step_safe progress region (seq_at chain i))
      (range 0 (seq_length chain))
      (Ok (scan_start region))).

(** When [key_answers_step] does not panic. *)
Definition key_answers_step_safe (answers : Seq KeyAnswer) (k : ByteString) (found_entries : KeyMap) : bool :=
  key_map_get_safe found_entries k.

(** When [key_answers] does not panic. *)
Definition key_answers_safe (listed_keys : Seq ByteString) (found_entries : KeyMap) : bool :=
  loop_safe
    (fun answers i => key_answers_step answers (seq_at listed_keys i) found_entries)
    (fun answers i =>
      (i <? seq_length listed_keys) && key_answers_step_safe answers (seq_at listed_keys i) found_entries)
    (range 0 (seq_length listed_keys))
    [].

(** When [region_answer] does not panic. *)
Definition region_answer_safe (region : Region) (scan : Scan) : bool :=
  match region with
  | Region_RegionKeys listed_keys => key_answers_safe listed_keys scan.(scan_entries)
  | Region_RegionRange _ => true
  end.

(** When [answer_region] does not panic. *)
Definition answer_region_safe (region : Region) (chain : Seq Slot) : bool :=
  scan_slots_safe region chain &&
  (match scan_slots region chain with
    | Ok scan => if scan_done region scan then region_answer_safe region scan else true
    | Err _ => true
    end).

(** When [single_slot] does not panic. *)
Definition single_slot_safe (chain : Seq Slot) : bool :=
  if seq_length chain <? 1 then true else if 1 <? seq_length chain then true else 0 <? seq_length chain.

(** When [answer_predecessor] does not panic. *)
Definition answer_predecessor_safe (k : ByteString) (chain : Seq Slot) : bool :=
  single_slot_safe chain &&
  (match single_slot chain with
    | Ok slot => precedes_safe slot k
    | Err _ => true
    end).

(** When [answer_successor] does not panic. *)
Definition answer_successor_safe (k : ByteString) (chain : Seq Slot) : bool :=
  single_slot_safe chain &&
  (match single_slot chain with
    | Ok slot => covers_safe slot k
    | Err _ => true
    end).

(** When [answer_of_slots] does not panic. *)
Definition answer_of_slots_safe (question : Question) (chain : Seq Slot) : bool :=
  match question with
  | Question_AskRegion region => answer_region_safe region chain
  | Question_AskPredecessor k => answer_predecessor_safe k chain
  | Question_AskSuccessor k => answer_successor_safe k chain
  end.

End Specification.
